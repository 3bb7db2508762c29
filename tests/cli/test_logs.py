"""`skcompare analyze` on what other tools wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import skcompare as skc
from skcompare.cli.main import command

SAMPLES = Path(__file__).parents[1] / "tables" / "samples"


@pytest.mark.parametrize(
    "pattern",
    [
        *("optuna_search.csv", "skopt.csv", "skore_metrics.csv", "weka_cv.csv", "weka_cv.arff", "weka_split.csv"),
        *("mlflow_runs.csv", "lm_eval/*/samples_sums*", "inspect_ai/*.json", "tsml/*/*/*/testResample0.csv"),
        "tsml/*/*/Hills/testResample0.csv",
    ],
)
def test_the_command_reads_the_files_of_tools_as_python_does(pattern):
    files = [str(path) for path in sorted(SAMPLES.glob(pattern))]
    found = CliRunner().invoke(command, ["analyze", *files])
    result = skc.read(*files)
    assert found.exit_code == 0, found.output
    said = " ".join(found.output.split())
    assert said.startswith(" ".join(result.provenance["read_as"].split()))
    assert " ".join(str(result).split()).rpartition("More:")[0] in said


def test_the_command_gives_the_flag_for_what_trials_do_not_tell():
    path = str(SAMPLES / "optuna_study.csv")
    refused = CliRunner().invoke(command, ["analyze", path])
    assert refused.exit_code != 0
    assert f"skcompare analyze {path} --greater-is-better false" in " ".join(refused.output.split())
    found = CliRunner().invoke(command, ["analyze", path, "--greater-is-better", "false"])
    assert "log loss apart" in " ".join(found.output.split())
