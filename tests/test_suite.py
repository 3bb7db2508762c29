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


# What a user imports from. All else is how the package is made, with an underscore or without: it is tested where a law
# its own stands behind it that no public name shows. All other tests are examples of how the package is used.
PUBLIC = {
    "skcompare",
    "skcompare.calibration",
    "skcompare.cli",
    "skcompare.experiments",
    "skcompare.inference",
    "skcompare.planning",
    "skcompare.plotting",
    "skcompare.selection",
    "skcompare.testing",
}
INNER = {
    "skcompare.__main__": "the command without its optional packages",
    "skcompare._core.archive": "files that nobody may have written so",
    "skcompare._core.design": "designs of runs that no simulation is like, for which no model need be fitted",
    "skcompare._core.html": "how many rows and warnings a record shows at most",
    "skcompare._core.metrics": "the names of metrics in refusals, so that a new one changes no test of these",
    "skcompare._core.numbers": "how each kind of number is written, on which side of what decides",
    "skcompare._core.record": "the base of all records, over which laws run, and how long their repr may be",
    "skcompare._core.text": "how a line is wrapped",
    "skcompare._core.warnings": "the table of all codes, which the documentation shows",
    "skcompare.calibration": "the bound of the null check, the agreement of repeats, and a simulation as a whole",
    "skcompare.cli": "what a file of data may hold, how many arguments there may be, errors without a traceback",
    "skcompare.comparison": "answers of any outcomes, many pairs against single ones, codes of warnings",
    "skcompare.evaluation": "splits, scores, copies and workers, each apart from the others and with faults put in",
    "skcompare.experiments": "the terms of a model, and the surface through any settings",
    "skcompare.inference": "the tables of procedures, sizes and references, over which laws run; distributions",
    "skcompare.inference.datasets": "exact distributions, letters and logical relations of pairs",
    "skcompare.inference.dominance": "likelihood, structures and posterior of the network",
    "skcompare.inference.fold_scores": "exact counts of the permutation test, the correlation of folds",
    "skcompare.inference.outcomes": "bounds of sequences, and what a record of outcomes takes",
    "skcompare.plotting": "the kinds of pictures, over which laws run; where labels are placed",
    "skcompare.reporting": "words that the script of a page says too, summaries whose views agree; names for MLflow",
    "skcompare.saving": "the check of each record that a file holds",
    "skcompare.scores": "studies and rare classes that are drawn, without a fit",
    "skcompare.selection": "main effects and joint wins, which have definitions of their own",
    "skcompare.tables": "each column of a table that other tools made",
}
AT_MOST = 205  # inner modules by test file: lower it where one goes


def inner_modules(path):
    """The modules that are not public, or of whose names a private one is imported."""
    found = set()
    for node in nodes(path, ast.ImportFrom):
        module = node.module or ""
        if module.split(".")[0] != "skcompare":
            continue
        for name in (alias.name for alias in node.names):
            private = name.startswith("_") and not name.startswith("__")
            if module not in PUBLIC or private:
                found.add(f"{module}.{name}" if private and f"{module}.{name}" in INNER else module)
    return found


def law(module):
    """The entry of `INNER` that a module belongs to: the longest that it begins with, or the module itself."""
    parts = module.split(".")
    beginnings = [".".join(parts[:n]) for n in range(len(parts), 1, -1)]
    return next((one for one in beginnings if one in INNER), module)


def test_inner_names_are_tested_where_they_have_a_law_of_their_own_only():
    by_file = {path.relative_to(FOLDER): inner_modules(path) for path in FILES}
    assert {law(module) for modules in by_file.values() for module in modules} == set(INNER)
    assert sum(map(len, by_file.values())) <= AT_MOST
