"""What a run of MLflow gets of a result or a study: read back from a real store of files."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare
from skcompare import PairedEvaluator, StudyResult, from_frame, load
from skcompare.reporting.mlflow import MAX_PREFIX, MAX_VALUE, _keys

mlflow = pytest.importorskip("mlflow", reason="tracking needs mlflow-skinny")

X, Y = make_classification(120, random_state=0)
MODELS = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}


@pytest.fixture
def client(tmp_path, monkeypatch):
    """A store of files, which new versions of MLflow want to be asked for by a variable."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "store").as_uri())
    yield mlflow.MlflowClient()
    while mlflow.active_run() is not None:
        mlflow.end_run()
    mlflow.set_tracking_uri(before)


@pytest.fixture(scope="module")
def result():
    return PairedEvaluator(cv="5x2", scoring=["accuracy", "f1"], random_state=3).evaluate(MODELS, X, Y)


def table(rng, models=("a", "b"), metrics=("score",), n=5):
    rows = [(model, metric, fold) for model in models for metric in metrics for fold in range(n)]
    columns = dict(zip(("model", "metric", "fold"), zip(*rows, strict=True), strict=True))
    return {**columns, "score": rng.random(len(rows))}


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_the_numbers_are_those_of_the_result(result, client):
    metrics = client.get_run(result.log_to_mlflow()).data.metrics
    expected = {}
    for row in result.compare():
        expected[f"mean/{row.metric}/nb"] = result.score("nb", row.metric).mean()
        expected[f"mean/{row.metric}/stump"] = result.score("stump", row.metric).mean()
        expected[f"difference/{row.metric}/nb/stump"] = row.estimate
        expected[f"p_adjusted/{row.metric}/nb/stump"] = row.pvalue_adjusted
    expected["joint_p_adjusted/nb/stump"] = result.dominance().pvalue
    assert metrics == pytest.approx(expected, rel=1e-12)


def test_the_settings_and_the_verdict_are_there(result, client):
    data = client.get_run(result.log_to_mlflow()).data
    assert data.params == {
        "design": "5x2 cross-validation",
        "n_samples": "120",
        "procedure": "corrected_t_test",
        "correction": "holm",
        "cv": "5x2",
        "random_state": "3",
        "split_hash": result.design.split_hash,
        "model/nb": "GaussianNB()",
        "model/stump": "DecisionTreeClassifier(max_depth=1)",
    }
    assert data.tags["verdict"] == json.loads(result.to_json())["answer"]["line"]
    assert data.tags["version/skcompare"] == skcompare.__version__
    assert data.tags["version/numpy"] == np.__version__
    assert "not_logged" not in data.tags


def test_the_saved_result_is_an_artifact(result, client, tmp_path):
    run = result.log_to_mlflow()
    names = {artifact.path for artifact in client.list_artifacts(run)}
    assert names == {"result.skc", "report.html", "result.json"}
    loaded = load(client.download_artifacts(run, "result.skc", str(tmp_path)))
    np.testing.assert_array_equal(loaded.scores, result.scores)
    assert loaded.estimators == result.estimators


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "method"), [("report.html", "to_html"), ("result.json", "to_json")])
def test_the_report_and_the_numbers_are_artifacts(result, client, tmp_path, name, method):
    written = client.download_artifacts(result.log_to_mlflow(), name, str(tmp_path))
    assert Path(written).read_text(encoding="utf-8") == getattr(result, method)()


@pytest.mark.usefixtures("client")
def test_nothing_is_left_in_the_working_directory(result, tmp_path):
    result.log_to_mlflow()
    assert {path.name for path in tmp_path.iterdir()} == {"store"}


def test_without_a_run_one_is_made_and_ended(result, client):
    run = result.log_to_mlflow()
    assert mlflow.active_run() is None
    assert client.get_run(run).info.status == "FINISHED"


def test_the_active_run_is_used_and_left_open(result, client):
    with mlflow.start_run() as active:
        assert result.log_to_mlflow() == active.info.run_id
        assert mlflow.active_run().info.run_id == active.info.run_id
        assert client.get_run(active.info.run_id).info.status == "RUNNING"


def test_a_given_run_comes_before_the_active_one(result, client):
    given = client.create_run("0").info.run_id
    with mlflow.start_run() as active:
        assert result.log_to_mlflow(run_id=given) == given
        assert client.get_run(active.info.run_id).data.metrics == {}
    assert client.get_run(given).info.status == "RUNNING"
    assert "mean/f1/nb" in client.get_run(given).data.metrics


def test_a_prefix_lets_one_run_hold_several_results(rng, result, client, tmp_path):
    other = from_frame(table(rng), test_fraction=0.2)
    run = result.log_to_mlflow(prefix="first/")
    assert other.log_to_mlflow(run_id=run, prefix="second_") == run
    data = client.get_run(run).data
    assert data.metrics["first/mean/f1/nb"] == pytest.approx(result.score("nb", "f1").mean())
    assert data.metrics["second_mean/score/a"] == pytest.approx(other.score("a", "score").mean())
    assert data.params["first/design"] != data.params["second_design"]
    assert {"first/verdict", "second_verdict"} <= set(data.tags)
    stored = files_below(tmp_path / "store" / "0" / run / "artifacts")
    assert stored >= {str(Path("first", "result.skc")), "second_result.skc"}


def test_a_second_result_under_the_same_prefix_is_refused_before_anything_is_logged(result, client, tmp_path):
    run = result.log_to_mlflow()
    before = client.get_run(run).data.to_dictionary()
    other = from_frame({"model": list("aaabbb"), "fold": [0, 1, 2] * 2, "score": [0.9, 0.8, 0.7, 0.5, 0.6, 0.4]})
    with pytest.raises(ValueError, match=f"prefix must be one under which run {run} holds no result yet; got ''"):
        other.log_to_mlflow(run_id=run)
    assert client.get_run(run).data.to_dictionary() == before
    saved = mlflow.artifacts.download_artifacts(run_id=run, artifact_path="result.skc", dst_path=str(tmp_path))
    assert skcompare.load(saved).estimators == result.estimators


def test_parameters_of_the_run_that_differ_are_refused_before_anything_is_logged(result, client):
    with mlflow.start_run() as run:
        mlflow.log_param("design", "mine")
        with pytest.raises(ValueError, match="holds with other values, design; got ''"):
            result.log_to_mlflow()
        assert result.log_to_mlflow(prefix="cv/") == run.info.run_id
    data = client.get_run(run.info.run_id).data
    assert (data.params["design"], data.params["cv/design"]) == ("mine", result.design.name)


def test_a_study_logs_its_ranks(rng, client, tmp_path):
    values = rng.random((3, 9))
    columns = dict(zip(("x", "y", "z"), values, strict=True))
    study = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(9)], **columns})
    run = study.log_to_mlflow()
    data = client.get_run(run).data
    ranks = dict(zip(study.estimators, study.rank().mean_ranks, strict=True))
    for name, mean in zip(columns, values.mean(axis=1), strict=True):
        assert data.metrics[f"mean/score/{name}"] == pytest.approx(mean)
        assert data.metrics[f"mean_rank/score/{name}"] == pytest.approx(ranks[name])
    assert data.params["n_datasets"] == "9"
    assert "random_state" not in data.params
    assert load(client.download_artifacts(run, "result.skc", str(tmp_path))).datasets == study.datasets


def test_a_study_of_two_models_logs_their_means(rng, client):
    values = rng.random((2, 9))
    study = StudyResult.from_frame({"dataset": list("abcdefghi"), "x": values[0], "y": values[1]})
    metrics = client.get_run(study.log_to_mlflow()).data.metrics
    assert [metrics["mean/score/x"], metrics["mean/score/y"]] == pytest.approx(values.mean(axis=1))
    assert metrics["difference/score/x/y"] == pytest.approx(study.test().estimate)


def test_what_is_not_finite_is_left_out_and_said(rng, client):
    result = from_frame(table(rng, n=1), test_fraction=0.2)
    data = client.get_run(result.log_to_mlflow()).data
    assert set(data.metrics) == {"mean/score/a", "mean/score/b", "difference/score/a/b"}
    assert data.tags["not_logged"] == "1 metric without a finite value: p_adjusted/score/a/b"


def test_names_are_cleaned_and_stay_apart(rng, client, tmp_path):
    models = ("a/../b", "a_.._b", "<script>", "größe", "A/../B", "..", "x" * 300, "x" * 301)
    result = from_frame(table(rng, models, ("../m", "..:m")), test_fraction=0.2)
    metrics = client.get_run(result.log_to_mlflow()).data.metrics
    means = {key: value for key, value in metrics.items() if key.startswith("mean/")}
    expected = [result.score(model, metric).mean() for model in result.estimators for metric in result.metrics]
    assert sorted(means.values()) == pytest.approx(sorted(expected))
    assert all(re.fullmatch(r"[\w/-]{1,250}", key, re.A) for key in metrics)
    assert len({key.casefold() for key in metrics}) == len(metrics)
    assert {path.name for path in tmp_path.iterdir()} == {"store"}


def test_many_numbers_are_logged(rng, client):
    models, metrics = [f"m{i}" for i in range(12)], [f"s{i}" for i in range(8)]
    result = from_frame(table(rng, models, metrics, n=3), test_fraction=0.2)
    logged = client.get_run(result.log_to_mlflow()).data.metrics
    assert len(logged) == 12 * 8 + 2 * 66 * 8 + 66


def test_keys_keep_what_can_stay():
    assert list(_keys(["neg_log-loss", "v1.5", "a.b", "f 1"]).values()) == ["neg_log-loss", "v1.5", "a_b", "f_1"]
    assert list(_keys(["a", "A", "a_2", ""]).values()) == ["a", "A_2", "a_2_2", "_"]


def test_long_values_are_cut(client):
    result = PairedEvaluator(cv=2, scoring="accuracy", random_state=0).evaluate(MODELS, X, Y)
    result.provenance["estimators"]["nb"] = "GaussianNB(" + "x" * 9999
    value = client.get_run(result.log_to_mlflow()).data.params["model/nb"]
    assert len(value) == MAX_VALUE
    assert value.endswith("...")


@pytest.mark.parametrize("prefix", ["../", "/a", "a//", "a/../b", "a\n", "ä", None, 3, "x" * (MAX_PREFIX + 1), ".a"])
def test_a_prefix_that_does_not_fit_is_refused_by_name(result, client, prefix):
    with pytest.raises(ValueError, match=r"^prefix must be "):
        result.log_to_mlflow(prefix=prefix)
    assert client.search_runs(["0"]) == []


@pytest.mark.usefixtures("client")
@pytest.mark.parametrize("run_id", ["", 3, True])
def test_a_run_that_is_none_is_refused_by_name(result, run_id):
    with pytest.raises(ValueError, match=r"^run_id must be "):
        result.log_to_mlflow(run_id=run_id)


def test_what_cannot_be_written_leaves_no_run_behind(result, client, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr("skcompare._reportable.write_archive", fail)
    with pytest.raises(OSError, match="disk full"):
        result.log_to_mlflow()
    assert client.search_runs(["0"]) == []


def test_without_mlflow_the_extra_is_named(result, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(ImportError, match=r"pip install 'skcompare\[mlflow\]'"):
        result.log_to_mlflow()
