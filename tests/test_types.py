"""Exact types: the stub has a type for every name of the tables, and a user's script is checked with it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import typed
from benchmarks.typed import STUB, stub

SCRIPT = Path(__file__).with_name("typed_script.py")
ROOT = SCRIPT.parents[1]


def meaning(text: str) -> tuple[set[tuple[str | None, str]], list[str]]:
    """What is imported, and all other statements."""
    body = ast.parse(text).body
    imports = [node for node in body if isinstance(node, ast.ImportFrom)]
    return (
        {(node.module, alias.name) for node in imports for alias in node.names},
        [ast.dump(node) for node in body if node not in imports],
    )


def test_the_stub_says_what_the_tables_say():
    now = meaning(STUB.read_text(encoding="utf-8"))
    assert now == meaning(stub()), "a name has no type yet, or an old one: python -m benchmarks.typed"


@pytest.mark.parametrize("table", ["_BY_NAME", "_STUDY_BY_NAME"])
def test_a_new_procedure_without_a_type_is_found(monkeypatch, table):
    rows = getattr(typed.procedures, table)
    monkeypatch.setitem(rows, "another_test", next(iter(rows.values())))
    assert meaning(STUB.read_text(encoding="utf-8")) != meaning(stub())


@pytest.mark.parametrize("kind", ["roc", "datasets", "candidates", "learning_curve"])
def test_a_new_picture_without_a_type_is_found(monkeypatch, kind):
    monkeypatch.setitem(typed.KINDS, "another", typed.KINDS[kind])
    assert meaning(STUB.read_text(encoding="utf-8")) != meaning(stub())


def test_mypy_checks_the_script_with_the_package_and_finds_wrong_types():
    """Strict settings report an ignore of an error that is not there."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"]
    assert settings["files"] == ["skcompare", SCRIPT.relative_to(ROOT).as_posix()]
    ignored = re.findall(r"# type: ignore\[([\w-]+)\]\n", SCRIPT.read_text(encoding="utf-8"))
    assert set(ignored) == {"assert-type", "call-overload", "call-arg", "arg-type"}


PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_pyright_finds_errors_at_misspelt_names_alone():
    """Those that it does not itself leave out for their mark."""
    command = [PYRIGHT, "--level", "error", "--pythonpath", sys.executable, str(SCRIPT)]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    places = [int(line) for line in re.findall(rf"{SCRIPT.name}:(\d+):\d+ - error", found.stdout)]
    assert [line for line in places if "type: ignore" not in lines[line - 1]] == [], found.stdout
    assert re.search(r"^\d+ errors?,", found.stdout, re.MULTILINE), found.stdout + found.stderr


def test_types_cost_nothing_at_run_time():
    assert find_spec("skcompare._typed") is None
