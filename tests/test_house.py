"""The house: no import circle, imports that run one way, files and functions that can be read at once."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.trees import tree_of

ROOT = Path(__file__).parents[1] / "skcompare"
MOST_FILES, MOST_LINES, MOST_LINES_OF_FUNCTION = 12, 700, 60  # a longer file may hold a second noun
MOST_ON_THE_ROUTE = 55, 500  # files and functions that `evaluate` and `print` enter: lower them where some go
# From the top, as the import contract has them; those of one line do not know each other.
CONTRACTS = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
LAYERS = [
    ["skcompare"],
    *(
        [name.strip().removeprefix("skcompare.") for name in layer.split("|")]
        for layer in CONTRACTS["contracts"][0]["layers"]
    ),
]


@cache
def modules() -> dict[str, Path]:
    """By dotted name within the package."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "skcompare"] = path
    return found


def imports_of(name: str) -> set[str]:
    """The modules that one imports anywhere: for typing only and inside functions too."""
    found = set()
    for node in ast.walk(tree_of(modules()[name])):
        if isinstance(node, ast.Import):
            found |= {
                alias.name.removeprefix("skcompare.") for alias in node.names if alias.name.startswith("skcompare.")
            }
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").partition(".")[0] == "skcompare":
            source = (node.module or "").removeprefix("skcompare").lstrip(".")
            for alias in node.names:
                inner = f"{source}.{alias.name}".lstrip(".")
                found.add(inner if inner in modules() else source or "skcompare")
    return (found & modules().keys()) - {name}


@cache
def graph() -> dict[str, set[str]]:
    return {name: imports_of(name) for name in modules()}


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The groups of modules that import each other, directly or by way of others (Tarjan 1972)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in number:
                visit(other)
                lowest[name] = min(lowest[name], lowest[other])
            elif other in stack:
                lowest[name] = min(lowest[name], number[other])
        if lowest[name] == number[name]:
            group = stack[stack.index(name) :]
            del stack[stack.index(name) :]
            if len(group) > 1:
                found.append(sorted(group))

    for name in sorted(graph):
        if name not in number:
            visit(name)
    return found


def level_of(name: str) -> int:
    return next(i for i, layer in enumerate(LAYERS) if name.partition(".")[0] in layer)


def goes_down(name: str, other: str) -> bool:
    """Whether a module may import another: of its own folder, or of a lower layer."""
    return name.partition(".")[0] == other.partition(".")[0] or level_of(other) > level_of(name)


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body without its docstring."""
    body = function.body[ast.get_docstring(function) is not None :]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_a_circle_is_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []


def test_imports_for_typing_and_inside_functions_are_found():
    assert "plotting" in imports_of("calibration._rates")


def test_no_import_circle():
    assert circles(graph()) == []


def test_every_module_has_a_layer():
    assert {name.partition(".")[0] for name in modules()} == {name for layer in LAYERS for name in layer}


def test_imports_run_down():
    up = {f"{name} -> {other}" for name, others in graph().items() for other in others if not goes_down(name, other)}
    assert sorted(up) == []


def test_few_files_at_the_top():
    names = sorted(path.name for path in ROOT.glob("*.py"))
    assert len(names) <= MOST_FILES, names


def test_files_and_functions_can_be_read_at_once():
    long = set()
    for name, path in modules().items():
        functions = [
            node for node in ast.walk(tree_of(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]
        too_long = any(lines_of(function) > MOST_LINES_OF_FUNCTION for function in functions)
        if too_long or len(path.read_text(encoding="utf-8").splitlines()) > MOST_LINES:
            long.add(name)
    assert not long


def test_the_route_can_be_read_in_one_sitting():
    """Counted in a process of its own, since what was called before does not count."""
    command = [sys.executable, "-W", "ignore", "-c", "from benchmarks.house import route; print(*route())"]
    told = subprocess.run(command, cwd=ROOT.parent, check=True, capture_output=True, text=True).stdout
    files, functions = map(int, told.split())
    assert files <= MOST_ON_THE_ROUTE[0]
    assert functions <= MOST_ON_THE_ROUTE[1]


# ---- values, not prose ----------------------------------------------------------------------------------------

TAKE_APART = {"split", "rsplit", "partition", "rpartition", "startswith", "endswith", "removeprefix", "removesuffix"}
# Where a text comes from outside, or is only laid out: file and function ("" of a module) -> what the text is.
TEXTS = {
    ("_core/text.py", "parts_of"): "names of files",
    ("_core/validation.py", ""): "how a number is written, in values that a user gave",
    **dict.fromkeys(
        [("inference/_guide.py", ""), ("inference/_guide.py", "text"), ("inference/_guide.py", "bibtex")],
        "the guide and the references, which are files",
    ),
    ("inference/_guide.py", "_latex"): "titles of the file of references",
    **dict.fromkeys(
        [("_core/archive.py", "read_archive"), ("_core/warnings.py", "")],
        "cells and names of files",
    ),
    **dict.fromkeys(
        [
            ("inference/_rates.py", "_where"),
        ],
        "cells of the file of simulations",
    ),
    **dict.fromkeys(
        [
            *(("inference/_procedures.py", "_row"), ("inference/_procedures.py", "")),
            *(("_core/validation.py", name) for name in ("unknown", "_here", "_forms")),
            ("reporting/mlflow.py", "check_prefix"),
        ],
        "what the user wrote",
    ),
    **dict.fromkeys(
        [
            ("inference/outcomes/predictions.py", "scores"),
            *(("scores/measures.py", "with_the_training_set"), ("plotting/_differences.py", "_unit")),
            *(("scores/rare_classes.py", name) for name in ("without_labels", "undefined_warnings")),
            *(("scores/rare_classes.py", name) for name in ("is_undefined", "_rare")),
        ],
        "names of metrics, which are scikit-learn's or the user's",
    ),
    **dict.fromkeys(
        [
            *(("inference/_sentences.py", "values"), ("comparison/table.py", "blank")),
            *(("_core/record.py", "_cells"), ("_core/record.py", "_worded")),
        ],
        "names of fields and functions of Python",
    ),
    **dict.fromkeys(
        [("reporting/methods.py", name) for name in ("", "_seeds", "_splitting")],
        "the repr of a splitter or a model",
    ),
    **dict.fromkeys([("_core/record.py", "_documented"), ("_core/record.py", "_entries")], "docstrings"),
    ("_core/frames.py", "own_cells"): "the module of a class",
    ("_core/validation.py", "free_memory"): "a file of the system",
    **dict.fromkeys(
        [("reporting/page.py", name) for name in ("", "svg_element", "_local", "_references", "_attributes")],
        "a drawing of matplotlib",
    ),
    **dict.fromkeys(
        [
            *(("reporting/latex.py", "text"), ("reporting/latex.py", "escape")),
            *(("reporting/markdown.py", ""), ("reporting/mlflow.py", "_keys")),
        ],
        "names, escaped or broken for another format",
    ),
    **dict.fromkeys(
        [
            *(("_core/text.py", "one_line"), ("_core/text.py", "_halves"), ("_core/text.py", "wrap")),
            ("plotting/_style.py", "wrapped"),
        ],
        "lines, broken to a width",
    ),
    ("inference/outcomes/judgments.py", ""): "what the user calls the winner of a judgment",
    ("plotting/_ranks.py", "bars"): "the letters of a model, which the user may give",
    (
        "reporting/findings.py",
        "over_metrics",
    ): "a name that the user gave, in a warning that names no place of it",
}


def taken_apart(tree: ast.AST, function: str = "") -> Iterator[str]:
    """The functions in which texts are taken apart; those of numpy take arrays."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else function
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
            if owner == "re" or (node.func.attr in TAKE_APART and owner != "np"):
                yield "" if isinstance(tree, ast.Module) else inner
        yield from taken_apart(node, inner)


def test_a_text_that_is_taken_apart_is_found():
    code = (
        "def f(said):\n    return re.sub('a', 'b', said)\nclass A:\n    def g(self):\n        return 'a b'.split(' ')\n"
    )
    assert [*taken_apart(ast.parse(code))] == ["f", "g"]
    assert [*taken_apart(ast.parse("x = np.split(values, 2)"))] == []


def test_no_text_of_the_package_is_taken_apart():
    """Words are made last: what a text says is asked of the values that it was made of."""
    found = {
        (path.relative_to(ROOT).as_posix(), function)
        for folder in ("inference", "scores", "comparison", "reporting", "plotting", "_core")
        for path in (ROOT / folder).rglob("*.py")
        for function in taken_apart(tree_of(path))
    }
    assert found - TEXTS.keys() == set(), "give values, or say what the text is"
    assert TEXTS.keys() - found == set(), "lists what is not taken apart"


# Records outside of comparison/ that have a sentence of their own, as no kind of inference/_sentences.py is theirs.
OWN_SENTENCES = {
    *("SimultaneousIntervals", "AlphaSpending", "NestedCVResult", "MaxTResult", "DominanceNetworkResult"),
    *("Estimate", "Plan", "SeedVariance", "SeedVarianceRow", "DesignEfficiency"),
    *("Candidate", "Choice", "SearchReport", "ExperimentDesign", "Effect", "Effects", "ExperimentReport"),
    *(
        "ResponseSurface",
        "Comparison",
        "SizeComparison",
        "Ranking",
        "Answer",
        "NotWorse",
        "ClassCount",
        "Design",
        "Record",
    ),
    *("Calibration", "Look", "Stopping", "Difference", "Verification"),
    *("ProcedureInfo", "ProcedureTable"),
}


def test_records_declare_their_kind_and_no_prose():
    found = {
        node.name
        for path in modules().values()
        if not path.is_relative_to(ROOT / "comparison")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(one, ast.FunctionDef) and one.name == "_sentence" for one in node.body)
    }
    assert found <= OWN_SENTENCES, "declare a _kind"
    assert found == OWN_SENTENCES, "list it no longer"
