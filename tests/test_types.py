"""Exact types: the stub has a type for every name of the tables, and a user's script is checked with it."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks import typed
from benchmarks.typed import STUB, stub

SCRIPT = Path(__file__).with_name("typed_script.py")


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


def test_a_script_has_exact_types_and_errors_at_misspelt_names(tmp_path):
    """A wrong type in a copy of it is an error, and so is a right name that is said to be wrong."""
    pytest.importorskip("mypy")
    script, wrong = SCRIPT.read_text(encoding="utf-8"), tmp_path / "wrong.py"
    script = script.replace('"cluster_t"', '"mcnemar"').replace('"mcnemr"', '"mcnemar"')
    wrong.write_text(script, encoding="utf-8")
    # the bodies of the package are another run's; what it says of the script does not depend on them
    options = ["--follow-imports=silent", "--cache-dir=.mypy_cache/script"]
    command = [sys.executable, "-m", "mypy", *options, str(SCRIPT), str(wrong)]
    found = subprocess.run(command, cwd=STUB.parents[1], capture_output=True, text=True, check=False)
    errors = [line for line in found.stdout.splitlines() if ": error:" in line]
    assert [line.partition(":")[0].endswith("wrong.py") for line in errors] == [True, True], found.stdout + found.stderr
    assert "[assert-type]" in errors[0]
    assert "[unused-ignore]" in errors[1]


PYRIGHT = shutil.which("pyright") or shutil.which("basedpyright")


@pytest.mark.skipif(PYRIGHT is None, reason="pyright is not installed")
def test_pyright_finds_errors_at_misspelt_names_alone():
    """Those that it does not itself leave out for their mark."""
    command = [PYRIGHT, "--level", "error", "--pythonpath", sys.executable, str(SCRIPT)]
    found = subprocess.run(command, cwd=STUB.parents[1], capture_output=True, text=True, check=False)
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    places = [int(line) for line in re.findall(rf"{SCRIPT.name}:(\d+):\d+ - error", found.stdout)]
    assert [line for line in places if "type: ignore" not in lines[line - 1]] == [], found.stdout
    assert re.search(r"^\d+ errors?,", found.stdout, re.MULTILINE), found.stdout + found.stderr


def test_types_cost_nothing_at_run_time():
    assert find_spec("skcompare._typed") is None
