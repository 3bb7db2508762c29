"""Logs as other versions of their tools write them: read as what they are, never as models or runs that are none."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import skcompare as skc
from skcompare import SearchReport


def called(refused, *given):
    """What every call of a refusal reads."""
    return [skc.read(*given, **options) for _, options in refused.value.calls]


def written(folder, name, frame, **options):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.to_csv(path, index=False, **options)
    return path


def history(rng, n=30):
    """A score that rises through a training, with a little noise."""
    return 0.5 + 0.4 * (1 - np.exp(-np.arange(n) / rng.uniform(4, 9))) + rng.normal(0, 0.003, n)


# ---- lm-evaluation-harness ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["samples_{task}_2024-06-10T10-00-00.1.jsonl", "pretrained__m_{task}.jsonl"])
def test_samples_of_two_tasks_are_never_joined_as_two_models(form, rng, tmp_path):
    """As versions without a hash of the document wrote them."""
    files = []
    for task in rng.permutation(["arc", "piqa", "boolq"])[:2]:
        lines = [
            {"doc_id": i, "doc": {"q": f"{task} {i}"}, "target": "a", "resps": [], "acc": int(rng.integers(2))}
            for i in range(20)
        ]
        files.append(tmp_path / form.format(task=task))
        files[-1].write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(ValueError, match=r"must be of the same documents.*: give logs of one task"):
        skc.read(*files)


def test_a_metric_that_is_no_number_has_no_remedy_that_cannot_work(tmp_path):
    for model in "ab":
        lines = [{"doc_id": i, "target": "a", "resps": [], "bleu": ["ref", "pred"]} for i in range(9)]
        (tmp_path / f"{model}.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    with pytest.raises(ValueError, match="must share a metric that is a number") as refused:
        skc.read(tmp_path / "a.jsonl", tmp_path / "b.jsonl")
    assert "one task" not in str(refused.value)


# ---- searches -----------------------------------------------------------------------------------------------------


def cv_results(rng, n=6, k=5):
    scores = rng.uniform(0.5, 1, (n, k))
    columns = {"mean_fit_time": rng.random(n), "param_C": rng.permutation(10.0 ** np.arange(n))}
    columns |= {"params": [str({"C": x}) for x in columns["param_C"]]}
    columns |= {f"split{i}_test_score": scores[:, i] for i in range(k)}
    means = scores.mean(axis=1)
    return pd.DataFrame({**columns, "mean_test_score": means, "rank_test_score": (-means).argsort().argsort() + 1})


def test_a_search_with_decimal_commas_is_what_it_is_with_points(rng, tmp_path):
    frame = cv_results(rng)
    read = [
        SearchReport.read(written(tmp_path, f"{decimal}.csv", frame, sep=sep, decimal=decimal), cv=5)
        for sep, decimal in ((",", "."), (";", ","))
    ]
    points, commas = ([(row.params, row.mean) for row in report.ranking] for report in read)
    assert points == commas
    assert not any("MISSING" in row.code for row in read[1].warnings)


@pytest.mark.parametrize("way_in", [skc.read, SearchReport.read])
def test_means_of_a_search_are_no_scores_of_models(way_in, rng, tmp_path):
    frame = cv_results(rng)
    path = written(tmp_path, "means.csv", frame[[name for name in frame if not name.startswith("split")]])
    with pytest.raises(ValueError, match="must hold the scores of every split") as refused:
        way_in(path)
    assert "skc.read" not in str(refused.value)


# ---- WEKA, OpenML, the AutoML Benchmark ---------------------------------------------------------------------------


def weka(rng, **more):
    rows = [
        {"Key_Dataset": "d", "Key_Run": run, "Key_Fold": fold, "Key_Scheme": scheme, "Key_Scheme_options": "", **more}
        | {"Number_of_training_instances": 40, "Number_of_testing_instances": 10, "Percent_correct": x}
        for run in (1, 2)
        for fold in range(1, 6)
        for scheme, x in zip(("w.NaiveBayes", "w.J48"), rng.uniform(50, 99, 2), strict=True)
    ]
    return pd.DataFrame(rows)


def arff(frame, quote, sparse):
    names = [f"@attribute {quote}{name}{quote} string" for name in frame]
    rows = [[f"{quote}{x}{quote}" if isinstance(x, str) else str(x) for x in row] for row in frame.values.tolist()]
    rows = [[f"{i} {x}" for i, x in enumerate(row)] for row in rows] if sparse else rows
    lines = ["{%s}" % ", ".join(row) if sparse else ",".join(row) for row in rows]  # noqa: UP031
    return "\n".join(["@relation results", *names, "@data", *lines])


@pytest.mark.parametrize("quote", ["'", '"'])
def test_names_in_arff_have_no_quotes_of_either_kind(quote, rng, tmp_path):
    frame = weka(rng)
    path = tmp_path / "results.arff"
    path.write_text(arff(frame, quote, sparse=False), encoding="utf-8")
    result = skc.read(path)
    assert result.estimators == ("NaiveBayes", "J48")
    for scheme, own in frame.groupby("Key_Scheme")["Percent_correct"]:
        np.testing.assert_allclose(result.score(scheme.removeprefix("w."), "Percent_correct").mean(), own.mean())


def test_sparse_arff_is_refused_as_such(rng, tmp_path):
    path = tmp_path / "results.arff"
    path.write_text(arff(weka(rng), "'", sparse=True), encoding="utf-8")
    with pytest.raises(ValueError, match="it is sparse ARFF: give it with all values"):
        skc.read(path)


@pytest.mark.parametrize("key", ["Key_Total_instances", "Key_Size"])
def test_levels_of_another_key_of_weka_are_no_runs(key, rng, tmp_path):
    frame = pd.concat([weka(rng, **{key: n}) for n in (50, 100)])
    with pytest.raises(ValueError, match=rf"must have one value of {key}.*give the rows of one"):
        skc.read(written(tmp_path, "curve.csv", frame))
    one = skc.read(written(tmp_path, "one.csv", frame[frame[key] == 100]))
    assert one.design.name == "2x5 cross-validation"


def test_setups_of_a_flow_are_models_and_no_runs(rng, tmp_path):
    rows = [
        {"run_id": 100 * task + setup, "task_id": task, "setup_id": setup, "flow_name": f"flow{setup % 2}"}
        | {"data_name": f"d{task}", "function": "predictive_accuracy", "value": rng.random()}
        for task in range(6)
        for setup in range(11, 15)
    ]
    study = skc.read(written(tmp_path, "runs.csv", pd.DataFrame(rows)))
    assert (study.estimators, len(study.datasets)) == (("11", "12", "13", "14"), 6)


def test_a_framework_that_always_failed_is_not_lost(rng, tmp_path):
    rows = [
        {"id": "openml.org/t/1", "task": task, "framework": framework, "constraint": "1h", "fold": fold}
        | {"result": rng.random(), "metric": "auc", "seed": 1, "info": ""}
        for task in "abcdef"
        for framework in ("rf", "flaml", "h2o")
        for fold in range(3)
    ]
    frame = pd.DataFrame(rows)
    lost = str(rng.choice(["rf", "flaml", "h2o"]))
    frame.loc[frame["framework"] == lost, ["result", "info"]] = [np.nan, "TimeoutError"]
    with pytest.raises(ValueError, match=f"18 scores are missing: '{lost}' on"):
        skc.read(written(tmp_path, "results.csv", frame))
    assert lost not in skc.read(written(tmp_path, "others.csv", frame[frame["framework"] != lost])).estimators


# ---- metrics of TabArena, histories of trainings, trackers ----------------------------------------------------------


@pytest.mark.parametrize("folds", [1, 3])
@pytest.mark.parametrize("names", [("metric_error", "metric_error_val"), ("test_error", "oof_error")])
def test_names_of_metrics_beside_several_scores_of_them_are_asked_about(folds, names, rng):
    rows = [
        {"dataset": data, "method": method, "metric": "rmse" if data in "abc" else "log_loss", "fold": fold}
        for data in "abcdefgh"
        for method in ("CAT", "GBM")
        for fold in range(folds)
    ]
    frame = pd.DataFrame(rows).assign(**{name: rng.random(len(rows)) for name in names})
    with pytest.raises(ValueError, match=r"column 'metric' names metrics, and .* could hold them") as refused:
        skc.read(frame)
    read = called(refused, frame)
    for study, name in zip(read, names, strict=True):
        means = frame.pivot_table(index="dataset", columns="method", values=name)
        assert study.metrics == ("rank",)
        np.testing.assert_array_equal(study.scores[:, :, 0, 0], means.rank(axis=1)[[*study.estimators]])


@pytest.mark.parametrize("name", ["iter", "iteration", "iterations", "", "n"])
def test_histories_of_trainings_are_neither_runs_nor_splits(name, rng, tmp_path):
    """As CatBoost writes them, and xgboost.cv, lightgbm.cv and Keras give them."""
    files = []
    for model in ("cat", "xgb"):
        more = {name: range(30)} if name else {}
        scores = {"Logloss": 1.5 - history(rng), "AUC": history(rng)}
        files.append(written(tmp_path, f"{model}/test_error.csv", pd.DataFrame({**more, **scores})))
    with pytest.raises(ValueError, match=r"hardly change from .* as in the training of one run") as refused:
        skc.read(*files)
    assert {result.design.kind for result in called(refused, *files)} <= {"runs"}


@pytest.mark.parametrize("name", ["iteration", "trial", "run"])
@pytest.mark.parametrize("wide", [False, True])
def test_histories_of_trainings_are_known_in_any_order_of_their_rows(name, wide, rng):
    frame = pd.DataFrame({name: range(30), "svm": history(rng), "forest": history(rng)})
    frame = frame if wide else frame.melt(name, var_name="model", value_name="accuracy")
    frame = frame.sample(frac=1, random_state=int(rng.integers(2**31)))
    frame = frame if wide or rng.integers(2) else frame.sort_values("accuracy")
    with pytest.raises(ValueError, match=f"hardly change from one '{name}' to the next") as refused:
        skc.read(frame)
    assert {result.design.kind for result in called(refused, frame)} == {"runs"}


def test_runs_that_vary_from_row_to_row_stay_runs(rng):
    frame = pd.DataFrame({"iteration": range(30), "svm": rng.random(30), "forest": rng.random(30)})
    assert skc.read(frame).design.kind == "runs"


@pytest.mark.parametrize("name", ["seed", "run", "trial"])
def test_runs_that_stand_in_the_order_of_their_scores_stay_runs(name, rng):
    """Steps of a training rise from row to row, so that random seeds in such an order number none."""
    rows = {name: np.tile(rng.permutation(30), 2), "model": np.repeat(["svm", "forest"], 30)}
    frame = pd.DataFrame({**rows, "accuracy": rng.uniform(0.7, 0.9, 60)}).sort_values(["model", "accuracy"])
    found = skc.read(frame)
    assert (found.design.kind, found.scores.shape[1]) == ("runs", 30)


def test_a_step_that_all_rows_share_is_no_step(rng, tmp_path):
    """As the last result of every trial of Ray Tune: the advice to keep the last row would change nothing."""
    frame = pd.DataFrame({"accuracy": rng.random(8), "training_iteration": 10, "seed": [*range(4)] * 2})
    frame["config/lr"] = np.repeat([0.1, 0.01], 4)
    with pytest.raises(ValueError, match="names of metrics") as refused:
        skc.read(written(tmp_path, "trials.csv", frame))
    assert "keep one row" not in str(refused.value)


@pytest.mark.parametrize("level", ["lo-90", "hi-80", "lo-95.5"])
def test_ends_of_intervals_of_a_level_are_no_predictions(level, rng):
    y = rng.normal(100, 10, 40)
    frame = pd.DataFrame({"ds": range(40), "y": y, "ARIMA": y + rng.normal(size=40), "ETS": y + rng.normal(size=40)})
    for model in ("ARIMA", "ETS"):
        frame[f"{model}-{level}"] = frame[model] - rng.random(40)
    with pytest.raises(ValueError, match="'y' may hold true values") as refused:
        skc.read(frame)
    offered = [options["models"] for _, options in refused.value.calls if "truth" in options]
    assert offered
    assert all(names == ["ARIMA", "ETS"] for names in offered)


def test_deviations_of_lightgbm_are_no_models(rng):
    frame = pd.DataFrame({"valid auc-mean": rng.random(20), "valid auc-stdv": rng.random(20)})
    with pytest.raises(ValueError, match=r"'valid auc-(stdv|mean)'") as refused:
        skc.read(frame)
    assert not refused.value.calls


def test_a_record_per_file_is_a_row_per_model(rng, tmp_path):
    """As all_results.json of Hugging Face's Trainer."""
    for model in "ab":
        path = tmp_path / f"{model}.json"
        path.write_text(json.dumps({"eval_accuracy": rng.random(), "eval_loss": rng.random(), "eval_runtime": 9.5}))
    with pytest.raises(ValueError, match="one number says nothing of its variation"):
        skc.read(tmp_path / "a.json", tmp_path / "b.json")


def test_one_file_names_no_models_of_mlflow(rng, tmp_path):
    frame = pd.DataFrame({"run_id": [*"abcdefgh"], "status": "FINISHED", "metrics.f1": rng.random(8)})
    path = written(tmp_path, "runs.csv", frame)
    with pytest.raises(ValueError, match="nothing names models"):
        skc.read(path)
    other = written(tmp_path, "others.csv", frame.assign(run_id=[*"ijklmnop"]))
    assert skc.read(path, other).estimators == ("runs", "others")


def test_splits_that_a_model_lacks_are_left_out_of_means_and_said_or_refused_where_none_is_left(rng):
    rows = [
        {"dataset": data, "model": model, "metric": "rmse" if data in "abc" else "auc", "fold": fold}
        for data in "abcdefgh"
        for model in ("svm", "forest")
        for fold in range(3)
    ]
    frame = pd.DataFrame(rows).assign(score=rng.random(len(rows)))
    gone = frame["fold"].eq(0) & frame["model"].eq("svm")
    study = skc.read(frame[~gone])
    assert "Each score is a mean over splits." in study.provenance["read_as"]
    assert any(
        row.code == "MISSING_SCORES" and "8 splits lack the score of some model: left out" in row
        for row in study.warnings
    )
    means = frame[frame["fold"] > 0].pivot_table(index="dataset", columns="model", values="score")
    means[means.index > "c"] *= -1  # of rmse less is better
    np.testing.assert_array_equal(study.scores[:, :, 0, 0], means.rank(axis=1)[[*study.estimators]])
    apart = frame["fold"].eq(0) != frame["model"].eq("svm")
    with pytest.raises(ValueError, match="must have a split that all models have"):
        skc.read(frame[apart])


@pytest.mark.parametrize("step", ["epoch", "global_step"])
def test_a_step_beside_columns_of_no_metric_is_never_offered_as_a_model(step, rng, tmp_path):
    """As frames of samples that inspect_ai gives."""
    rows = [{"sample_id": f"{i}{e}", step: e, "retries": int(rng.integers(3))} for i in range(20) for e in (1, 2, 3)]
    frame = pd.DataFrame(rows).assign(working_time=rng.random(60), score_match=rng.choice(["C", "I"], 60))
    with pytest.raises(ValueError, match=f"'{step}' counts through the training of one run") as refused:
        skc.read(written(tmp_path, "samples.csv", frame))
    assert not refused.value.calls
