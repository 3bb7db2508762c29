"""`skcompare analyze` on what other tools wrote."""

from __future__ import annotations

import json
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


@pytest.mark.parametrize("tool", ["lm_eval", "inspect_ai"])
def test_two_logs_are_checked_by_the_names_of_their_models(tool, rng, tmp_path):
    files, models, metric = sorted(SAMPLES.glob("lm_eval/*/samples_sums*")), ["toy__large", "toy__small"], "acc"
    if tool == "inspect_ai":
        files, models, metric = [tmp_path / "a.json", tmp_path / "b.json"], [f"lab/m{x}" for x in rng.choice(9, 2)], "m"
        models = [models[0], f"{models[1]}0"]
        for path, model in zip(files, models, strict=True):
            samples = [
                {"id": i, "epoch": 1, "scores": {"m": {"value": int(x)}}} for i, x in enumerate(rng.random(9) < 0.5)
            ]
            path.write_text(json.dumps({"eval": {"task": "t", "model": model}, "samples": samples}))
    for way in (1, -1):
        asked = ["check", *map(str, files[::way]), "--metric", metric, "--margin", "0.9", "--json"]
        answer = json.loads(CliRunner().invoke(command, asked).stdout)
        assert [answer["old"], answer["new"]] == models[::way]


def test_the_command_gives_the_flag_for_what_trials_do_not_tell():
    path = str(SAMPLES / "optuna_study.csv")
    refused = CliRunner().invoke(command, ["analyze", path])
    assert refused.exit_code != 0
    assert f"skcompare analyze {path} --greater-is-better false" in " ".join(refused.output.split())
    found = CliRunner().invoke(command, ["analyze", path, "--greater-is-better", "false"])
    assert "log loss apart" in " ".join(found.output.split())


@pytest.mark.parametrize("mark", [".", ","])
def test_the_call_for_the_only_model_of_a_table_works(mark, rng, tmp_path):
    cells = [f"{x:.3f}".replace(".", mark) for x in 0.1 + 0.8 * rng.random(6)]
    path = tmp_path / "one.csv"
    path.write_text("\n".join(["dataset;svm", *(f"{name};{x}" for name, x in zip("abcdef", cells, strict=True))]))
    refused = CliRunner().invoke(command, ["analyze", str(path)])
    told = " ".join(refused.output.split()).rpartition("skcompare ")[2].split()
    assert told[0] == "analyze"
    found = CliRunner().invoke(command, told)
    assert found.exit_code == 0, found.output
    assert found.output.startswith("Read as: scores of 1 model (the columns) on 6 data sets")


@pytest.mark.parametrize("names", [(0, 1), (False, True), ("wrong", "right")])
def test_one_column_of_answers_that_are_right_or_wrong_is_a_model(names, rng, tmp_path):
    path, right = tmp_path / "items.csv", rng.permutation(30) % 2
    lines = [f"{i},{names[x]},{names[1 - x]}" for i, x in enumerate(right)]
    path.write_text("\n".join(["item,gpt,llama", *lines]))
    found = CliRunner().invoke(command, ["analyze", str(path), "--model", "gpt"])
    assert found.exit_code == 0, found.output
    assert found.output.startswith("Read as: outcomes of 1 model (the columns) on 30 items")


def test_an_experiment_of_mlflow_is_checked_by_its_name(rng, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow", reason="needs mlflow-skinny")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    before, found = mlflow.get_tracking_uri(), {"deep": rng.random(4), "flat": rng.random(4)}
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    try:
        experiment = mlflow.create_experiment("trees")
        for model, values in found.items():
            for seed, value in enumerate(values.tolist()):
                with mlflow.start_run(experiment_id=experiment):
                    mlflow.log_params({"model": model, "seed": seed})
                    mlflow.log_metric("f1", value)
        asked = ["check", "mlflow:trees", "--old", "flat", "--new", "deep", "--margin", "0.9", "--json"]
        checked = CliRunner().invoke(command, asked)
    finally:
        mlflow.set_tracking_uri(before)
    assert json.loads(checked.stdout)["rows"][0]["estimate"] == pytest.approx(
        found["deep"].mean() - found["flat"].mean()
    )


@pytest.mark.parametrize("tool", ["weka", "amlb", "mlflow"])
@pytest.mark.parametrize("other", [True, False])
def test_a_model_is_not_checked_against_itself_on_another_data_set(tool, other, rng, tmp_path):
    """The data set of each file went unread, as it is one, and scores of two data sets were pairs of splits."""
    sets = ["iris", str(rng.choice(["wine", "glass"])) if other else "iris"]
    for file, name in zip(("old", "new"), sets, strict=True):
        rows = {
            "weka": [f"{name},1,{k},weka.classifiers.trees.J48,'',1,90,10,{80 + rng.normal()}" for k in range(1, 11)],
            "amlb": [f"{name},flaml,{k},{0.8 + rng.normal() / 99},auc,{k}," for k in range(10)],
            "mlflow": [f"{file}{k},FINISHED,svm,{name},{k},{0.8 + rng.normal() / 99}" for k in range(10)],
        }
        head = {
            "weka": "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,"
            "Number_of_training_instances,Number_of_testing_instances,Percent_correct",
            "amlb": "task,framework,fold,result,metric,seed,info",
            "mlflow": "run_id,status,params.model,params.dataset,params.seed,metrics.acc",
        }
        (tmp_path / f"{file}.csv").write_text("\n".join([head[tool], *rows[tool]]), encoding="utf-8")
    asked = [
        "check",
        str(tmp_path / "old.csv"),
        str(tmp_path / "new.csv"),
        "--margin",
        "30" if tool == "weka" else "0.4",
    ]
    assert CliRunner().invoke(command, asked).exit_code == (3 if other else 0)
