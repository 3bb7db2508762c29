"""The pytest plugin: pytest finds it by the entry point, and its fixture fails a test, or shows why it passed."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest

import skcompare as skc
from skcompare.testing import assert_not_worse, not_worse
from tests.made_results import HOSTILE, gated

pytest_plugins = ["pytester"]
ROOT = Path(__file__).parents[2]
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]["pytest11"]
PASSES = {"not worse": True, "worse": False, "undecided": False, "cannot be compared": False}
GATES = """
import pytest
import skcompare as skc

@pytest.mark.parametrize("path, new, old", {cases!r})
def test_gate(not_worse, path, new, old):
    assert not_worse(skc.load(path), new, old, margin=0.01, metric="accuracy").verdict == "not worse"

@pytest.fixture
def gate(not_worse):
    not_worse(skc.load("worse.skc"), *{cases!r}[1][1:], margin=0.01)

def test_with(gate):
    pass

def test_without():
    pass
"""


@pytest.fixture
def installed(pytester, monkeypatch):
    """The entry point as an installation of this tree declares it."""
    info = pytester.mkdir("site") / "skcompare-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: skcompare\nVersion: 0\n")
    lines = [f"{name} = {module}" for name, module in DECLARED.items()]
    (info / "entry_points.txt").write_text("\n".join(["[pytest11]", *lines]))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(info.parent), str(ROOT)]))
    return pytester


@pytest.mark.parametrize("first", ["import no_such_module_at_all", "pytest.skip('not here', allow_module_level=True)"])
def test_a_file_that_is_not_collected_leaves_the_report_as_it_is(installed, first):
    installed.makepyfile(test_gone=f"import pytest\n{first}", test_there="def test_it():\n    pass")
    found = installed.runpytest_subprocess("-p", "no:cacheprovider", "--continue-on-collection-errors")
    assert found.parseoutcomes()["passed"] == 1
    assert "Traceback (most recent call last)" not in found.stderr.str()


def test_the_fixture_decides_as_the_assertion_does_and_says_why(rng, installed):
    """In processes of xdist and in a fixture too, once for each gate."""
    cases, lines = [], []
    for verdict, passes in PASSES.items():
        old, new = rng.choice(HOSTILE, 2, replace=False).tolist()
        y, *predicted = gated(rng, verdict)
        result = skc.from_predictions(y, dict(zip((old, new), predicted, strict=True)), scoring="accuracy")
        with contextlib.nullcontext() if passes else pytest.raises(AssertionError):
            assert_not_worse(result, new, old, margin=0.01)
        result.save(installed.path / f"{verdict}.skc")
        cases.append((f"{verdict}.skc", new, old))
        lines.append(" ".join(str(not_worse(result, new, old, margin=0.01)).split("\n\n")[0].split()))
    installed.makepyfile(test_it=GATES.format(cases=cases))
    done = installed.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error", "-n1", "--junitxml=x.xml")
    done.assert_outcomes(passed=2, failed=3, errors=1)
    start = done.outlines.index(next(line for line in done.outlines if "= skcompare =" in line)) + 1
    assert sorted(line.partition(": ")[2] for line in done.outlines[start : start + 5]) == sorted([*lines, lines[1]])
    root = ElementTree.parse(installed.path / "x.xml").getroot()
    assert {one.get("value") for one in root.iter("property")} == {*lines}
    failed = {one.get("name") for one in root.iter("testcase") if one.find("failure") is not None}
    gates = [one.get("name") for one in root.iter("testcase") if "test_gate" in one.get("name")]
    assert [name in failed for name in gates] == [not passes for passes in PASSES.values()]


@pytest.mark.parametrize("wrong", ["'no.skc', 'a', 'b', margin=0.1", "None, 'a', 'a', margin=-1", "5, 5, 5, margin=5"])
def test_a_wrong_call_shows_the_line_of_the_test_and_no_page_of_the_package(installed, wrong):
    installed.makepyfile(test_it=f"def test_it(not_worse):\n    not_worse({wrong})\n")
    done = installed.runpytest_subprocess("-p", "no:cacheprovider")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*not_worse(*margin=*)", "E *ValueError: result must be an EvaluationResult*"])
    assert len(done.outlines) < 40


def test_a_run_without_a_gate_says_nothing_of_it(installed):
    installed.makepyfile(test_it="def test_nothing():\n    pass\n")
    done = installed.runpytest_subprocess("-p", "no:cacheprovider")
    done.assert_outcomes(passed=1)
    done.stdout.no_fnmatch_line("*= skcompare =*")


def test_pytest_imports_nothing_heavy_with_it():
    (module,) = DECLARED.values()
    heavy = {"numpy", "scipy", "sklearn", "joblib", "pandas", "click"}
    code = f"import sys, pytest; import {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "skcompare" in done.stdout.split()
    assert not heavy & {*done.stdout.split()}
