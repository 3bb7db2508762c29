"""What the suite holds of itself: seeds behind all random numbers, refusals written down once, few private names."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
# Without an argument these draw a seed that nobody sees; the fixtures `rng` and `global_random_seed` tell theirs.
UNSEEDED = {"default_rng", "RandomState", "SeedSequence", "Random"}


@cache
def walked(path):
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def nodes(path, kind):
    return [node for node in walked(path) if isinstance(node, kind)]


def test_no_random_numbers_without_a_seed():
    calls = [(path, call) for path in FILES for call in nodes(path, ast.Call) if not call.args and not call.keywords]
    bare = [(path.name, call.lineno) for path, call in calls if ast.unparse(call.func).split(".")[-1] in UNSEEDED]
    assert [name for name, _ in bare] == ["conftest.py"], bare  # which draws the seed


REFUSED = FOLDER / "test_refused_input.py"


@cache
def refusals():
    rows = [call for call in nodes(REFUSED, ast.Call) if ast.unparse(call.func) == "Row"]
    return {row.args[-1].value for row in rows if isinstance(row.args[-1], ast.Constant)}


def test_the_words_of_a_refusal_stand_in_their_table_alone():
    """Other tests name the argument, so that a message changes in one place, from which the page is made."""
    known = refusals()
    assert len(known) > 400
    others = [(path, node) for path in FILES if path != REFUSED for node in nodes(path, ast.Constant)]
    texts = [(path, node) for path, node in others if isinstance(node.value, str) and len(node.value) > 25]
    repeated = [(p.name, node.lineno) for p, node in texts if re.sub(r"\\(.)", r"\1", node.value).strip("^$") in known]
    assert repeated == []


# What is tested by a private name, as a law of its own stands behind it that no public name shows. All else is an
# example of how the package is used.
PRIVATE = {
    "skcompare._core.archive": "files that nobody may have written so",
    "skcompare._core.numbers": "how each kind of number is written, on which side of what decides",
    "skcompare._core.design": "designs of runs that no simulation is like, for which no model need be fitted",
    "skcompare._core.html": "how many rows and warnings a record shows at most",
    "skcompare._core.text": "how a line is wrapped",
    "skcompare._core.record": "the base of all records, over which laws run, and how long their repr may be",
    "skcompare._core.warnings": "the table of all codes, which the documentation shows",
    "skcompare.calibration": "the bound of the null check, the agreement of repeats, and a simulation as a whole",
    "skcompare.evaluation": "splits, scores, copies and workers, each apart from the others and with faults put in",
    "skcompare.experiments": "the terms of a model, and the surface through any settings",
    "skcompare.inference": "the tables of procedures, sizes and references, over which laws run; distributions",
    "skcompare.inference.datasets": "exact distributions, letters and logical relations of pairs",
    "skcompare.inference.dominance": "likelihood, structures and posterior of the network",
    "skcompare.inference.fold_scores": "exact counts of the permutation test, the correlation of folds",
    "skcompare.plotting": "the kinds of pictures, over which laws run; where labels are placed",
    "skcompare.reporting": "words that the script of a page says too; names of metrics for MLflow",
    "skcompare.selection": "main effects and joint wins, which have definitions of their own",
}
AT_MOST = 140  # private modules by test file: lower it where one goes


def private_modules(path):
    """The modules that private names are imported from, each with its folder; of `_core` each module is its own."""
    found = {}
    for node in nodes(path, ast.ImportFrom):
        for alias in node.names:
            parts = [*(node.module or "").split("."), alias.name]
            private = [i for i, part in enumerate(parts) if part.startswith("_") and not part.startswith("__")]
            if parts[0] == "skcompare" and private:
                found[node.module] = node.module if parts[1] == "_core" else ".".join(parts[: private[0]])
    return found


def public_folder(folder):
    """Where a public module has a private name, the folder of that module."""
    return folder if folder in PRIVATE else folder.rpartition(".")[0]


def test_private_names_are_tested_where_they_have_a_law_of_their_own_only():
    by_file = {path.relative_to(FOLDER): private_modules(path) for path in FILES}
    used = {public_folder(folder) for modules in by_file.values() for folder in modules.values()}
    assert used == set(PRIVATE)
    assert sum(map(len, by_file.values())) <= AT_MOST
