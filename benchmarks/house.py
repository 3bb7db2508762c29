"""How large the package is and how long its main route: files, code lines, and what `evaluate` and `print` enter.

    python -m benchmarks.house

Code lines are lines with a token other than a comment; docstrings do not count. The route is made of two models on
10x10 cross-validation with the five default metrics. Everything is loaded before it is counted, so that modules which
are imported late do not count as functions.
"""

from __future__ import annotations

import ast
import sys
import tokenize
import warnings
from pathlib import Path
from types import FrameType
from typing import Any

from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare

ROOT = Path(skcompare.__file__).parent
LAYOUT = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
LAYOUT |= {tokenize.ENCODING, tokenize.ENDMARKER}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def files() -> list[Path]:
    """The modules of the package."""
    return sorted(ROOT.rglob("*.py"))


def code_lines(path: Path) -> int:
    """Lines of code in a module, without comments, blank lines and docstrings."""
    with tokenize.open(path) as source:
        tree = ast.parse(source.read())
    with path.open("rb") as source:
        tokens = [token for token in tokenize.tokenize(source.readline) if token.type not in LAYOUT]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    nodes = (node for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None)
    return len(lines - {line for node in nodes for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)})


def route() -> tuple[int, int]:
    """Files and functions that `evaluate` and `print` enter."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    str(skcompare.PairedEvaluator(5, random_state=0).evaluate(models, X[:300], y[:300]))
    entered: set[tuple[str, str]] = set()

    def enter(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            entered.add((code.co_filename, code.co_qualname))

    sys.setprofile(enter)
    try:
        str(skcompare.PairedEvaluator("10x10", random_state=0).evaluate(models, X, y))
    finally:
        sys.setprofile(None)
    return len({name for name, _ in entered}), len(entered)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    modules = files()
    print(f"{len(modules)} files, {sum(map(code_lines, modules)):,} code lines")
    print("evaluate and print enter {} files and {} functions".format(*route()))
