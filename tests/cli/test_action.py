"""The GitHub Action: its steps run as scripts, with the inputs in the environment, as a runner does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

import skcompare as skc
from skcompare.testing import not_worse
from tests.made_results import HOSTILE, gated

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INPUT = re.compile(r"\$\{\{ inputs\.([\w-]+) \}\}")
STATUS = {"not worse": 0, "worse": 1, "undecided": 2, "cannot be compared": 3}
# What stands for Python: it installs nothing, and is Python else.
PYTHON = f"""#!/bin/sh
[ "$1 $2 $3" = "-m pip install" ] || exec {sys.executable} "$@"
printf '%s\\n' "$@" >>"$RUNNER_TEMP/pip"
ln -sn "$GITHUB_ACTION_PATH" "$RUNNER_TEMP/skcompare"
"""


@pytest.fixture
def act(tmp_path):
    """Run the steps; gives the status of the last one, the summary, the outputs and what was said."""
    runner = tmp_path / "runner"
    (runner / "bin").mkdir(parents=True)
    (runner / "bin" / "python").write_text(PYTHON)
    (runner / "bin" / "python").chmod(0o755)
    written = {name: runner / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}

    def act(**inputs):
        given = {name.replace("_", "-"): value for name, value in inputs.items()}
        assert given.keys() <= ACTION["inputs"].keys()
        for name, entry in ACTION["inputs"].items():
            assert name in given or not entry.get("required")
            given.setdefault(name, entry.get("default"))
        for path in written.values():
            path.write_text("")
        runs = {"RUNNER_TEMP": str(runner), "GITHUB_ACTION_PATH": str(ROOT), **{n: str(p) for n, p in written.items()}}
        runs["PATH"] = f"{runner / 'bin'}{os.pathsep}{os.environ['PATH']}"
        for step in ACTION["runs"]["steps"]:
            own = {name: given[INPUT.fullmatch(value)[1]] for name, value in step.get("env", {}).items()}
            script = runner / "script.sh"
            script.write_text(step["run"])
            words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
            done = subprocess.run(words, env={**runs, **own}, cwd=tmp_path, capture_output=True, text=True, check=False)
            if done.returncode:
                break
        outputs = dict(line.split("=") for line in written["GITHUB_OUTPUT"].read_text().splitlines())
        return done.returncode, written["GITHUB_STEP_SUMMARY"].read_text(), outputs, done.stdout + done.stderr

    return act


def tables(rng, verdict, folder):
    """Files of both models, and the result of both."""
    y, *predicted = gated(rng, verdict)
    for name, x in zip(("old", "new"), predicted, strict=True):
        pd.DataFrame({"sample_id": range(len(y)), "y_true": y, "prediction": x}).to_csv(folder / f"{name}.csv")
    return skc.from_predictions(y, dict(zip(("old", "new"), predicted, strict=True)), scoring="accuracy")


def test_an_input_is_in_the_environment_and_no_part_of_a_script():
    steps = ACTION["runs"]["steps"]
    values = [value for step in steps for value in step.get("env", {}).values()]
    assert sorted(INPUT.fullmatch(value)[1] for value in values) == sorted(ACTION["inputs"])
    assert [step["name"] for step in steps if "${{" in step["run"]] == []
    assert {step["shell"] for step in steps} == {"bash"}


def test_the_example_of_the_guide_has_inputs_that_exist():
    page = (ROOT / "docs" / "running.md").read_text(encoding="utf-8")
    (steps,) = [yaml.safe_load(block) for block in re.findall(r"(?s)```yaml\n(.*?)```", page) if "margin:" in block]
    (given,) = [step["with"] for step in steps if "with" in step]
    assert given.keys() <= ACTION["inputs"].keys()
    assert {name for name, entry in ACTION["inputs"].items() if entry.get("required")} <= given.keys()
    for name in ACTION["inputs"].keys() - given.keys():
        assert f"`{name}`" in page


@pytest.mark.sampled("steps of the action")
def test_it_installs_itself_beside_the_packages_of_the_workflow(rng, tmp_path, act):
    tables(rng, "not worse", tmp_path)
    for _ in range(2):
        assert act(old="old.csv", new="new.csv", margin="accuracy=0.01")[0] == 0
    *words, target, what = (tmp_path / "runner" / "pip").read_text().splitlines()
    assert words == ["-m", "pip", "install", "--quiet", "--target"]  # once
    assert target == str(tmp_path / "runner" / "skcompare")
    assert what == f"{ROOT}[cli,frames]"


@pytest.mark.sampled("steps of the action")
@pytest.mark.parametrize("verdict", STATUS)
def test_its_status_and_its_summary_are_those_of_the_function(rng, tmp_path, act, verdict):
    found = not_worse(tables(rng, verdict, tmp_path), "new", "old", margin=0.01)
    (tmp_path / "random.py").write_text("raise ImportError('a file of the workflow is no module of ours')")
    status, summary, outputs, said = act(
        old="old.csv", new="new.csv", metric="accuracy", margin="0.01", junit="gate.xml"
    )
    assert (status, outputs) == (STATUS[verdict], {"status": str(STATUS[verdict])}), said
    assert summary.startswith(found.to_markdown())
    assert said.startswith(" ".join(str(found).split("\n\n")[0].split()))
    assert (tmp_path / "gate.xml").exists()


@pytest.mark.sampled("steps of the action")
def test_one_file_names_of_models_and_several_metrics(rng, tmp_path, act):
    """Every metric must hold: the second margin is one that nothing reaches."""
    old, new = rng.choice(HOSTILE, 2, replace=False).tolist()
    y, *predicted = gated(rng, "undecided")
    skc.from_predictions(y, dict(zip((old, new), predicted, strict=True)), scoring=["accuracy", "f1"]).save(
        tmp_path / "x.skc"
    )
    models = {"old": "x.skc", "old_model": old, "new_model": new}
    margins = "accuracy=0.5\nf1=0.5\n"
    status, *_, said = act(**models, margin=margins)
    assert status == 0, said
    status, summary, _, said = act(**models, margin=margins.replace("f1=0.5", "f1=0.001"))
    assert (status, f"{new} is worse than {old}" in said) == (2, True), said
    assert new not in summary or re.fullmatch(r"[\w\s]+", new)  # escaped


@pytest.mark.sampled("steps of the action")
@pytest.mark.parametrize("name", sorted({*ACTION["inputs"]} - {"junit"}))
def test_an_input_that_would_be_code_or_an_option_is_neither(rng, tmp_path, act, name):
    tables(rng, "not worse", tmp_path)
    before = {*tmp_path.iterdir()}
    right = {"old": "old.csv", "new": "new.csv", "margin": "accuracy=0.01"}
    bad = ("$(touch made)", '"; touch made; "', "`touch made`", "--help", "x\n--help", "-h", "\\")
    text = bad[rng.integers(len(bad))]
    status, summary, outputs, _ = act(**{**right, name: text})
    assert (status, outputs) == (3, {"status": "3"})
    assert summary.strip()
    assert {*tmp_path.iterdir()} == before


@pytest.mark.sampled("steps of the action")
def test_blanks_around_a_line_are_none_of_its_words(rng, tmp_path, act):
    tables(rng, "not worse", tmp_path)
    lines = {"margin": " accuracy = 0.01 \r\n\r\n", "metric": "accuracy \r\n"}
    status, *_, said = act(old="old.csv", new="new.csv", **lines)
    assert status == 0, said


@pytest.mark.sampled("steps of the action")
@pytest.mark.parametrize(
    ("margin", "words"), [("accuracy=0.01", "No such file or directory"), ("", "-margin must be a positive number")]
)
def test_a_failure_is_told_in_the_summary(act, margin, words):
    status, summary, outputs, said = act(old="no.csv", new="no.csv2", margin=margin)
    assert (status, outputs) == (3, {"status": "3"})
    assert words in summary
    assert words in said
