"""What the suite holds of itself: seeds behind all random numbers, refusals written down once, few private names."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.rglob("*.py"))
# Without an argument these draw a seed that nobody sees; the fixtures `rng` and `global_random_seed` tell theirs.
ASSUMED = {"default_rng", "RandomState", "SeedSequence", "Random"}


@cache
def walked(path):
    """The nodes of a file by their kind."""
    found = defaultdict(list)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        found[type(node)].append(node)
    return found


def nodes(path, kind):
    return walked(path)[kind]


def test_no_random_numbers_without_a_seed():
    calls = [(path, call) for path in FILES for call in nodes(path, ast.Call) if not call.args and not call.keywords]
    bare = [(path.name, call.lineno) for path, call in calls if ast.unparse(call.func).split(".")[-1] in ASSUMED]
    assert [name for name, _ in bare] == ["conftest.py"], bare  # which draws the seed


TABLE_OF_REFUSALS = FOLDER / "test_refused_input.py"
PAGE_OF_REFUSALS = FOLDER.parent / "docs" / "refused_input.md"
LONGEST_MATCH = 60  # characters: the name of the argument and the remedy


@cache
def refusals():
    cells = re.findall(r"\| `{1,2}(.+?)`{1,2} \|$", PAGE_OF_REFUSALS.read_text(encoding="utf-8"), re.MULTILINE)
    return {cell.replace("\\|", "|") for cell in cells}


def test_the_words_of_a_refusal_stand_on_their_page_alone():
    """Tests name the argument and the remedy, so that a message changes in one place."""
    known = refusals()
    assert len(known) > 400
    others = [(path, node) for path in FILES if path != TABLE_OF_REFUSALS for node in nodes(path, ast.Constant)]
    texts = [(path, node) for path, node in others if isinstance(node.value, str)]
    said = [(path, node, re.sub(r"\\(.)", r"\1", node.value).strip("^$")) for path, node in texts]
    assert [(path.name, node.lineno) for path, node, text in said if len(text) > 25 and text in known] == []


def test_a_test_of_a_refusal_matches_the_name_and_the_remedy_not_a_whole_sentence():
    keywords = [(path, keyword) for path in FILES for keyword in nodes(path, ast.keyword) if keyword.arg == "match"]
    constants = [(path, keyword.value) for path, keyword in keywords if isinstance(keyword.value, ast.Constant)]
    assert [(path.name, node.lineno) for path, node in constants if len(node.value) > LONGEST_MATCH] == []


# What a user imports from. All else is how the package is made, with an underscore or without. A test in the folder
# that mirrors one of the package may take the inner names of that one. All other tests show how the package is used.
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
# Which other files take inner names of which folders, and why no public name serves.
ELSEWHERE = {
    "calibration/test_simulation_store.py": ("evaluation", "a store with other content and a checksum that fits"),
    "comparison/test_forbidden.py": ("core reporting", "the page without its pictures, and the code that forbids"),
    "comparison/test_limits.py": ("core reporting", "how ends of intervals are written"),
    "core/test_notebook.py": ("evaluation inference selection", "every record there is"),
    "core/test_warnings.py": ("reporting", "which warnings of one kind are shown"),
    "experiments/test_surface.py": ("inference", "a surface through any settings, without a fit"),
    "made_results.py": ("comparison", "looks at drawn scores, without a fit"),
    "plotting/test_joint_displays.py": ("core", "how the probability beside a bar is written"),
    "reporting/test_error_rates.py": (
        "comparison core inference",
        "error rates against the tables that they quote",
    ),
    "reporting/test_cautions.py": ("core", "the codes that may stand under an answer"),
    "reporting/test_html.py": ("core", "the blocks of a document"),
    "reporting/test_methods_text.py": (
        "core evaluation inference scores",
        "a sentence for every procedure and failure",
    ),
    "saved_files.py": ("core", "files that nobody may have written so"),
    "saving/test_saved_results.py": ("comparison scores", "every field of a record has a check"),
    "selection/test_search_reading.py": ("evaluation", "names of candidates with any parameters, without a fit"),
    "selection/test_search_report.py": ("core", "the tables of a document"),
    "test_documentation.py": ("cli main", "the command without its optional packages"),
    "test_expected_cost.py": ("scores", "warnings about costs that are drawn"),
    "test_hostile_files.py": ("core reporting", "documents of hostile text, in every renderer"),
    "test_joint.py": ("inference", "the measured sizes that a warning rests on"),
    "test_many_models.py": ("comparison inference", "many pairs and posteriors against single ones"),
    "test_no_contradiction.py": ("comparison reporting", "the page without its pictures, and the tags of a run"),
    "test_one_answer.py": ("inference", "calls of a procedure are counted at its row"),
    "test_papers.py": ("calibration", "the replicability of given counts"),
    "test_planning.py": ("reporting", "how a size is written"),
    "test_predictions.py": ("evaluation inference", "kept predictions of any form; the defaults of all designs"),
    "test_refused_input.py": ("core", "files that nobody may have written so"),
    "test_wide_study.py": ("comparison", "looks at drawn scores, without a fit"),
}
AT_MOST = 164  # inner modules by test file: lower it where one goes


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
                found.add(f"{module}.{name}" if module == "skcompare" or private else module)
    return found


def taken_elsewhere():
    """The folders of the package of which a test file takes inner names without standing in their mirror, by file."""
    found = {}
    for path in FILES:
        place = path.relative_to(FOLDER)
        folders = {module.split(".")[1].strip("_") for module in inner_modules(path)} - {place.parts[0]}
        if folders:
            found[place.as_posix()] = folders
    return found


def test_inner_names_are_taken_in_the_folder_that_mirrors_theirs():
    assert taken_elsewhere() == {path: set(folders.split()) for path, (folders, _) in ELSEWHERE.items()}


def test_the_number_of_inner_modules_that_tests_take_only_falls():
    assert sum(map(len, map(inner_modules, FILES))) == AT_MOST
