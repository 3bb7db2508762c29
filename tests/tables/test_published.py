"""Tables as people publish them: errors beside the name of a score, intervals in cells, grand totals, answers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import skcompare as skc

N = 8
SETS = [f"set{x}" for x in "abcdefgh"]


def scores(rng, *shape):
    return (0.6 + 0.3 * rng.random(shape)).round(4)


def asked(table, said, *more):
    """The results of all calls of a refusal."""
    with pytest.raises(ValueError, match=said) as refused:
        skc.read(table, *more)
    assert refused.value.calls
    return [skc.read(table, *more, **of) for _, of in refused.value.calls]


@pytest.mark.parametrize("value", ["metric_error", "error", "test_error"])
@pytest.mark.parametrize(("metric", "named"), [("roc_auc", "roc_auc error"), ("accuracy", "accuracy error")])
def test_errors_beside_the_name_of_a_score_are_better_where_less(value, metric, named, rng):
    table = pd.DataFrame({"dataset": np.repeat(SETS, 4), "fold": [0, 0, 1, 1] * N, "method": ["rf", "gbm"] * 2 * N})
    table = table.assign(metric=metric, **{value: np.tile([0.1, 0.2], 2 * N) + rng.random(4 * N) / 50})
    study = skc.read(table)
    assert (study.metrics, study.greater_is_better) == ((named,), (False,))
    assert "has errors: less is taken for better" in study.provenance["read_as"]
    assert str(study).startswith("Use rf:")
    losses = skc.read(table.assign(metric="log_loss"))
    assert (losses.metrics, losses.greater_is_better) == (("log_loss",), (False,))


@pytest.mark.parametrize("name", ["metric_error", "metric_error_val"])
def test_an_error_of_whatever_metric_is_a_loss(name, rng):
    table = pd.DataFrame({"dataset": np.repeat(SETS, 2), "method": ["rf", "gbm"] * N, name: scores(rng, 2 * N)})
    assert skc.read(table).greater_is_better == (False,)


@pytest.mark.parametrize("name", ["Grand Total", "Subtotal", "grand_average"])
def test_a_grand_total_is_no_model(name, rng):
    table = pd.DataFrame({"Row Labels": SETS, "rf": scores(rng, N), "gbm": scores(rng, N)})
    table[name] = table[["rf", "gbm"]].mean(axis=1).round(4)
    assert skc.read(table).estimators == ("rf", "gbm")


@pytest.mark.parametrize(
    "form", ["{:.3f} [{:.3f}, {:.3f}]", "{:.3f} ({:.3f}-{:.3f})", "{:.3f} (95% CI {:.3f} to {:.3f})"]
)
def test_the_ends_of_an_interval_in_a_cell_are_left_out_and_said(form, rng):
    plain = pd.DataFrame(scores(rng, N, 2), columns=["rf", "gbm"]).round(3)
    cells = plain.map(lambda x: form.format(x, x - 0.03, x + 0.03))
    study = skc.read(cells.assign(dataset=SETS))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], plain)
    assert "an interval or a mark, was left out." in study.provenance["read_as"]


@pytest.mark.parametrize(("metric", "less"), [("wer", True), ("rmse", True), ("accuracy", False)])
def test_listed_models_keep_the_metric_of_their_names(metric, less, rng):
    models = [f"whisper_{metric}", f"wav2vec_{metric}"]
    table = pd.DataFrame({"utt_id": [f"u{i}" for i in range(30)], "level": rng.integers(5, 30, 30)})
    table = table.assign(**{name: scores(rng, 30) for name in models})
    found = skc.read(table, models=models)
    assert (found.estimators, found.metrics, found.greater_is_better) == (tuple(models), (metric,), (not less,))
    same = [one for one in asked(table, "'level' may be models") if "level" not in one.estimators]
    assert {one.greater_is_better for one in same} == {(not less,)}


def test_users_are_no_runs_and_no_random_splits(rng):
    table = pd.DataFrame({"user_id": np.repeat(np.arange(1001, 1031), 2), "algorithm": ["als", "bpr"] * 30})
    table = table.assign(**{"ndcg@10": scores(rng, 60)})
    found = asked(table, "'user_id' names items")
    assert found[0].design.name == "30 items"
    assert not any(
        "runs" in one.design.name or "overlapping" in one.design.name for one in found if hasattr(one, "design")
    )


@pytest.mark.parametrize("name", ["category", "subgroup", "Stratum"])
def test_groups_of_samples_are_no_data_sets_without_asking(name, rng):
    table = pd.DataFrame(
        {name: ["dog", "cat", "car", "bus", "kite", "bed"], "detr": scores(rng, 6), "yolo": scores(rng, 6)}
    )
    study, items = asked(table, f"nothing says what '{name}' names")
    assert (len(study.datasets), items.design.n_splits) == (6, 6)


@pytest.mark.parametrize("end", ["err%", "error %", "Err.", "WER%"])
def test_errors_in_percent_are_better_where_less(end, rng):
    table = pd.DataFrame({"Dataset": SETS, f"SVM {end}": 30 * scores(rng, N), f"RF {end}": 30 * scores(rng, N)})
    study = skc.read(table)
    assert (study.estimators, study.greater_is_better) == (("SVM", "RF"), (False,))


def test_rows_of_several_settings_are_no_runs(rng):
    table = pd.DataFrame({"optimizer": np.repeat(["adam", "sgd"], 6), "rate": [1e-3, 1e-2] * 6})
    table = table.assign(seed=np.tile(np.repeat([0, 1, 2], 2), 2), test_loss=scores(rng, 12))
    for options in ({"model": "optimizer"}, {"model": "optimizer", "metrics": ["test_loss"]}):
        with pytest.raises(ValueError, match="give the rows of one value of 'rate'") as refused:
            skc.read(table, **options)
        (call,) = [call for _, call in refused.value.calls]
        assert skc.read(table, **call).estimators[:2] == ("adam, rate=0.001", "adam, rate=0.01")
    assert {one.estimators for one in asked(table[table["rate"] == 1e-2], "stand beside others, 'rate'")} == {
        ("adam", "sgd")
    }


@pytest.mark.parametrize("level", ["missing_rate", "label_ratio", "noise"])
def test_shares_that_were_set_are_settings_to_choose(level, rng):
    rows = [(d, m, share) for d in SETS for m in ("rf", "svm") for share in (0.0, 0.05, 0.2)]
    table = pd.DataFrame(rows, columns=["dataset", "model", level]).assign(auc=scores(rng, len(rows)))
    with pytest.raises(ValueError, match=f"give the rows of one value of '{level}'"):
        skc.read(table)
    assert len(skc.read(table[table[level] == 0.05]).datasets) == N


@pytest.mark.parametrize("beside", ["greater_is_better", "n_test", "fit_time", "rate", "two settings"])
def test_what_does_not_tell_scores_of_one_fold_apart_is_no_setting_to_choose(beside, rng):
    """Its rows of one value would have been refused again."""
    rows = [(m, i, k, rng.random()) for m in "ab" for i in range(6) for k in ("accuracy", "log_loss") for _ in range(2)]
    table = pd.DataFrame(rows, columns=["model", "fold", "metric", "score"])
    values = {"greater_is_better": table["metric"] == "accuracy", "n_test": 20 + table["fold"] % 2}
    values |= {"fit_time": rng.permutation([1.5, 2.5] * 24), "rate": np.where(table["fold"] < 3, 0.1, 0.2)}
    columns = {name: values[name] for name in ([beside] if beside in values else ["rate", "greater_is_better"])}
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table.assign(**columns))
    assert "give the rows of one value of" not in str(refused.value)
    assert [options for _, options in refused.value.calls] == [{"run": "rows"}]


def test_raters_of_an_item_are_runs_of_it(rng):
    rows = [(f"q{i}", m, r) for i in range(20) for m in ("gpt", "llama") for r in ("anna", "ben", "cem")]
    table = pd.DataFrame(rows, columns=["question_id", "model", "rater"]).assign(rating=rng.integers(1, 6, 120))
    result, clustered = asked(table, "'rater' names runs")
    assert clustered.design.name == "60 items in 20 clusters"
    assert result.design.name == "20 items"
    np.testing.assert_allclose(result.scores[0, :, 0].mean(), table[table["model"] == "gpt"]["rating"].mean())


@pytest.mark.parametrize(("form", "name"), [("q{}", "60 items in 30 clusters"), ("{}", "60 items")])
def test_items_under_two_labels_are_clusters_where_they_have_names(form, name, rng):
    rows = [(label, form.format(i), m) for label in ("x", "y") for i in range(30) for m in ("gpt", "llama")]
    table = pd.DataFrame(rows, columns=["label", "item", "model"]).assign(correct=rng.integers(0, 2, 120))
    assert skc.read(table, dataset="label").design.name == name


@pytest.mark.parametrize("whole", ["20", "91.1"])
def test_parts_of_a_whole_are_quoted(whole, rng):
    table = pd.DataFrame(
        {"dataset": SETS, **{m: [f"{x}/{whole}" for x in rng.integers(5, 20, N)] for m in ("svm", "rf")}}
    )
    with pytest.raises(ValueError, match=r"row 1, column 'svm': '[0-9]+/[0-9.]+' is not read"):
        skc.read(table)


@pytest.mark.parametrize("name", ["Retrieval Average (15 datasets)", "STS Avg. (10)", "Clustering average"])
def test_means_of_groups_of_tasks_are_no_data_sets(name, rng):
    table = pd.DataFrame({"Model": ["a/b", "c/d", "e/f"], **{one: scores(rng, 3) for one in ("STS12", "ArguAna")}})
    table[name] = scores(rng, 3)
    assert skc.read(table).datasets == ("STS12", "ArguAna")


def test_a_refusal_names_the_columns_that_it_takes_for_metrics():
    table = pd.DataFrame({"Opponent": ["gpt", "claude"], "Wins": [3, 4], "Losses": [1, 2]})
    with pytest.raises(ValueError, match="'Wins', 'Losses': names of metrics"):
        skc.read(table)


@pytest.mark.parametrize("end", [" 1-AUC", "_misclass", " FPR95", " misclassification rate", " 1 - accuracy"])
def test_what_is_left_to_one_and_rates_of_errors_are_better_where_less(end, rng):
    table = pd.DataFrame({"dataset": SETS, f"J48{end}": scores(rng, N), f"RF{end}": scores(rng, N)})
    study = skc.read(table)
    assert (study.estimators, study.greater_is_better) == (("J48", "RF"), (False,))


def test_what_an_error_leaves_to_one_is_better_where_more(rng):
    table = pd.DataFrame({"dataset": SETS, "J48 1-error": scores(rng, N), "RF 1-error": scores(rng, N)})
    assert skc.read(table).greater_is_better == (True,)


@pytest.mark.parametrize(("score", "less"), [("simple_regret", True), ("utility", False)])
def test_two_names_beside_one_score_are_offered_for_models_and_data_sets(score, less, rng):
    table = pd.DataFrame({"function": ["branin", "ackley", "levy"] * 8, "optimizer": np.repeat(["TPE", "GP"], 12)})
    table = table.assign(seed=np.tile(np.repeat(range(4), 3), 2), **{score: scores(rng, 24)})
    first, second = asked(table, "nothing names models")
    assert (first.estimators, first.datasets) == (("TPE", "GP"), ("branin", "ackley", "levy"))
    assert (second.estimators, first.greater_is_better) == (first.datasets, (not less,))


@pytest.mark.parametrize("name", ["Zero-shot", "open {} {data}"])
def test_percent_signs_in_one_column_alone_are_named(name, rng):
    table = pd.DataFrame({"model": ["svm", "rf", "knn"], name: ["95%", "99%", "80%"]})
    table = table.assign(STS=100 * scores(rng, 3), Retrieval=100 * scores(rng, 3))
    with pytest.raises(ValueError, match="has no percent sign, and cells of") as refused:
        skc.read(table)
    assert f"cells of {name!r} have: write all in one way, or leave a column out" in str(refused.value)


@pytest.mark.parametrize(("name", "is_model"), [("†±", True), ("☆±☆", True), ("±", False), ("svm ±", False)])
def test_a_sign_of_deviations_among_other_signs_is_no_deviation(name, is_model, rng):
    table = {"dataset": SETS, "svm": scores(rng, N), "rf": scores(rng, N), name: scores(rng, N) / 30}
    assert skc.StudyResult.from_frame(table).estimators == ("svm", "rf", *([name] if is_model else []))


@pytest.mark.parametrize("corner", ["Estimators:", "Methods:", "Models:"])
def test_a_corner_with_a_colon_names_the_header(corner, rng, tmp_path):
    table = pd.DataFrame(scores(rng, N, 3), columns=["p1", "q2", "r3"])
    table.insert(0, corner, SETS)
    table.to_csv(tmp_path / "ari_mean.csv", index=False)
    study = skc.read(tmp_path / "ari_mean.csv")
    assert (study.estimators, study.datasets, study.metrics) == (("p1", "q2", "r3"), tuple(SETS), ("ari_mean",))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], table[["p1", "q2", "r3"]])


@pytest.mark.parametrize("corner", ["folds:", "Splits:"])
@pytest.mark.parametrize("index", [False, True])
def test_files_of_models_whose_header_numbers_splits_of_data_sets(corner, index, rng, tmp_path):
    for name in ("rf", "gbm"):
        table = pd.DataFrame(scores(rng, N, 5), columns=[*"01234"])
        table.insert(0, corner, SETS)
        table.to_csv(tmp_path / f"{name}_acc.csv", index=index)
    study = skc.read(tmp_path / "rf_acc.csv", tmp_path / "gbm_acc.csv")
    assert (study.estimators, study.datasets) == (("rf_acc", "gbm_acc"), tuple(SETS))
    assert (study.scores.shape[2:], study.metrics) == ((5, 1), ("acc",))
    with pytest.raises(ValueError, match=r"of one model, give a file per model"):
        skc.read(tmp_path / "rf_acc.csv")


@pytest.mark.parametrize("end", ["time", "test_time", "fit_seconds", "rmse", "log_loss", "std"])
def test_a_file_called_like_times_losses_or_deviations_is_asked_about(end, rng, tmp_path):
    table = pd.DataFrame({"dataset": SETS, "rf": 3 * scores(rng, N), "gbm": scores(rng, N)})
    path = tmp_path / f"results_{end}.csv"
    table.to_csv(path, index=False)
    named = end if "log" in end else end.split("_")[-1]
    found = asked(path, f"the name of the file, or a title, has '{named}' in it")
    assert [study.greater_is_better for study in found] == [(False,)] * (end != "std") + [(True,)]
    assert skc.read(path, metric="score").estimators == ("rf", "gbm")
    table.assign(rf_time=1.5, rf_std=0.1).to_csv(tmp_path / "with_times.csv", index=False)
    assert skc.read(tmp_path / "with_times.csv", models=["rf", "gbm"]).greater_is_better == (True,)


@pytest.mark.parametrize("end", ["accuracy", "AUC", "macro_f1"])
def test_the_name_of_a_file_names_a_metric(end, rng, tmp_path):
    path = tmp_path / f"ucr_109_{end}.csv"
    pd.DataFrame({"dataset": SETS, "rf": scores(rng, N), "gbm": scores(rng, N)}).to_csv(path, index=False)
    assert skc.read(path).metrics == (end.lower(),)


def test_a_data_set_on_which_all_models_are_right_is_no_sum_of_the_others(rng):
    table = pd.DataFrame(
        0.2 + 0.8 * rng.random((40, 30)), index=pd.Index([f"set{i}" for i in range(40)], name="dataset")
    )
    table.columns = [f"model {x}" for x in range(30)]
    table.iloc[7] = 1.0
    assert len(skc.read(table).datasets) == 40


@pytest.mark.parametrize("names", [("#binary_features", "#classes"), ("num_anomaly", "ts_len"), ("nrows", "img_size")])
def test_properties_of_data_sets_are_no_models(names, rng):
    table = pd.DataFrame({"dataset": SETS, "rf": scores(rng, N), "gbm": scores(rng, N)})
    for name in names:
        table.insert(int(rng.integers(1, 4)), name, rng.integers(10, 9000, N))
    assert skc.read(table).estimators == ("rf", "gbm")


@pytest.mark.parametrize("name", ["number_theory", "num2vec", "half size", "word_len", "batch_size"])
@pytest.mark.parametrize("percent", [False, True])
def test_what_is_called_like_a_count_and_has_scores_is_scored(name, percent, rng):
    table = pd.DataFrame((1 + 99 * percent) * scores(rng, N, 3), columns=["rf", "gbm", name]).assign(dataset=SETS)
    assert skc.read(table).estimators == ("rf", "gbm", name)
    turned = table.set_index("dataset").T.rename_axis("model").rename(columns={SETS[2]: name}).reset_index()
    assert name in skc.read(turned, model="model", dataset="columns").datasets


@pytest.mark.parametrize("name", ["N-BEATS", "n-grams", "n_beats"])
def test_models_whose_names_begin_with_n_are_no_counts(name, rng):
    errors = pd.DataFrame(rng.uniform(150, 900, (N, 3)), columns=["DeepAR", "TFT", name]).assign(dataset=SETS)
    assert skc.read(errors, greater_is_better=False).estimators == ("DeepAR", "TFT", name)


@pytest.mark.parametrize("constant", [0, 1])
def test_a_flag_of_data_sets_that_is_the_same_on_all_is_no_model(constant, rng):
    table = pd.DataFrame({"dataset": SETS, "rf": scores(rng, N), "gbm": scores(rng, N), "knn": scores(rng, N)})
    table = table.assign(zz=constant, yy=[0, 1] * 4)
    with pytest.raises(ValueError, match=r"'zz', 'yy' may be models"):
        skc.read(table)


@pytest.mark.parametrize("label", ["Average_Rank", "Mean rank", "Wins"])
def test_a_row_of_ranks_below_means_with_deviations_is_left_out(label, rng):
    plain = pd.DataFrame(100 * scores(rng, N, 3), columns=["p1", "rf", "svm"]).round(1)
    cells = plain.map(lambda x: f"{x}(0.4)")
    cells.insert(0, "", SETS)
    cells.loc[N] = [label, "2.25", "1.5", "2.125"]
    study = skc.read(cells)
    assert study.datasets == tuple(SETS)
    np.testing.assert_allclose(study.scores[:, :, 0, 0], plain)


def test_calls_for_many_files_with_long_names_are_written(rng, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    paths = [Path(f"{name * 100}.csv") for name in "pqr"]
    for path in paths:
        pd.DataFrame({"dataset": SETS, **{str(i): scores(rng, N) for i in range(5)}}).to_csv(path, index=False)
    with pytest.raises(ValueError, match="the columns are numbered"):
        skc.read(*paths)


@pytest.mark.parametrize(
    "names",
    [
        *[("infer_samples_per_sec", "param_count"), ("RTFx", "Model size (B)"), ("infer_gmacs", "train_step_time")],
        *[("Tokens/sec", "img / s"), ("Throughput (tok/s)", "samples/second")],
    ],
)
def test_throughputs_and_sizes_of_models_are_no_data_sets(names, rng):
    table = pd.DataFrame({"model": ["rf", "gbm", "svm"], **{f"ecg{i}": scores(rng, 3) for i in range(6)}})
    for name in names:
        table.insert(int(rng.integers(1, 4)), name, rng.random(3) * 900)
    assert skc.read(table, model="model", dataset="columns").datasets == tuple(f"ecg{i}" for i in range(6))


def test_a_standard_deviation_in_words_is_one(rng):
    table = pd.DataFrame({"dataset": SETS, "accuracy_mean": scores(rng, N)})
    table["accuracy_standard_deviation"] = rng.random(N) / 50
    with pytest.raises(ValueError, match="nothing names models") as refused:
        skc.read(table)
    assert not refused.value.calls  # of models that are called so


@pytest.mark.parametrize("name", ["Outlier Perc", "anomaly_ratio", "Missing rate"])
def test_shares_of_data_sets_are_no_models(name, rng):
    table = pd.DataFrame({"dataset": SETS, name: scores(rng, N), "rf": scores(rng, N), "gbm": scores(rng, N)})
    assert skc.read(table).estimators == ("rf", "gbm")


# What stands in the corner and above the names of a pivot table of a spreadsheet, and its sums.
PIVOTS = [("Column Labels", "Row Labels", "Grand Total"), ("Spaltenbeschriftungen", "Zeilenbeschriftungen", "Gesamt")]


@pytest.mark.parametrize(("above", "corner", "total"), PIVOTS)
@pytest.mark.parametrize(("measure", "less"), [("Average of RMSE", True), ("Average of accuracy", False)])
def test_a_pivot_table_of_a_spreadsheet_has_its_models_alone(above, corner, total, measure, less, rng, tmp_path):
    plain = scores(rng, N, 3)
    cells = np.column_stack([plain, plain.mean(axis=1)])
    rows = [[measure, above, "", "", ""], [corner, "rf", "svm", "new", total]]
    rows += [[name, *row] for name, row in zip([*SETS, total], [*cells, cells.mean(axis=0)], strict=True)]
    pd.DataFrame(rows).to_csv(tmp_path / "pivot.csv", index=False, header=False)
    study = skc.read(tmp_path / "pivot.csv")
    assert (study.estimators, study.metrics, study.greater_is_better) == (("rf", "svm", "new"), (measure,), (not less,))
    np.testing.assert_allclose(study.scores[:, :, 0, 0], plain)


@pytest.mark.parametrize("at", [0, 5, 11])
@pytest.mark.parametrize("column", ["truth", "rf_pred", "svm_pred"])
def test_a_missing_label_in_a_list_is_no_class(at, column, rng):
    table = {name: rng.choice(["cat", "dog"], 12).tolist() for name in ("truth", "rf_pred", "svm_pred")}
    table[column][at] = float("nan")
    with pytest.raises(ValueError, match=f"must not have missing or infinite values; got nan at position {at}"):
        skc.read(table)


@pytest.mark.parametrize("ends", [("1st Qu.", "Median", "3rd Qu."), ("Q1", "Median", "Q3")])
@pytest.mark.parametrize("in_rows", [False, True])
def test_quartiles_are_no_data_sets(ends, in_rows, rng, tmp_path):
    table = pd.DataFrame(np.sort(scores(rng, 3, 5)), columns=["Min.", *ends, "Max."], index=["svm", "rf", "knn"])
    (table.T if in_rows else table.rename_axis("model")).to_csv(tmp_path / "summary.csv")
    with pytest.raises(ValueError, match="describes scores by their mean and quartiles"):
        skc.read(tmp_path / "summary.csv")


@pytest.mark.parametrize("form", ["eps={}/255", "n = {}", "alpha={}.5"])
def test_levels_of_a_setting_beside_a_name_are_no_data_sets_without_asking(form, rng):
    names = [form.format(k) for k in (2, 4, 8)]
    names.insert(int(rng.integers(4)), "clean")
    table = pd.DataFrame(scores(rng, 3, 4), columns=names).assign(model=["pgd", "trades", "mart"])
    results = asked(table, "the columns are numbered, and nothing says what they are")
    assert sum(isinstance(result, skc.StudyResult) for result in results) == 1
    sized = table.rename(
        columns=dict(zip(names, ["heart (n=303)", "sonar (n=208)", "blood (n=748)", "zoo"], strict=True))
    )
    assert len(skc.read(sized).datasets) == 4


@pytest.mark.parametrize("dates", ["texts", "times"])
def test_days_are_no_data_sets_without_asking(dates, rng):
    days = pd.date_range("2024-03-01", periods=N)
    table = pd.DataFrame({"date": days.astype(str) if dates == "texts" else days})
    results = asked(table.assign(lgbm=scores(rng, N), svm=scores(rng, N)), "nothing says what 'date' names")
    assert [getattr(one, "datasets", None) is not None for one in results] == [True, False, False]


@pytest.mark.parametrize("metric", ["WER", "accuracy"])
def test_speakers_beside_models_with_a_metric_are_no_data_sets_without_asking(metric, rng):
    table = pd.DataFrame({"speaker": [f"spk{i}" for i in range(N)], "n_words": rng.integers(9, 99, N)})
    table = table.assign(**{f"{one} {metric}": scores(rng, N) for one in ("whisper", "wav2vec")})
    study, items = asked(table, "nothing says what 'speaker' names")
    assert (len(study.datasets), items.design.name, items.metrics) == (N, f"{N} items", (metric,))


def test_patients_of_sites_who_are_right_or_wrong_are_items(rng):
    table = pd.DataFrame({"patient_id": [f"P{i}" for i in range(40)], "site": ["north", "south"] * 20})
    table = table.assign(**{f"AI_v{i}": rng.integers(0, 2, 40) for i in (1, 2)})
    [items] = asked(table, "it has 2 columns of names")
    assert items.design.name == "40 items"


def test_levels_of_an_index_without_names_are_asked_about_together(rng):
    levels = pd.MultiIndex.from_product([["iris", "wine", "zoo"], range(4)])
    table = pd.DataFrame(scores(rng, 12, 2), index=levels, columns=["svm", "rf"])
    results = asked(table, "numbers the rows, and nothing says what these are")
    assert {one.estimators for one in results} == {("svm", "rf")}


def test_items_that_are_called_otherwise_for_every_model_are_asked_about(rng):
    rows = [(f"{m}{i:03d}", i, m, "C" if rng.random() < 0.6 else "I") for m in ("gpt", "llama") for i in range(20)]
    table = pd.DataFrame(rows, columns=["sample_id", "id", "model", "score"]).replace({"C": 1, "I": 0})
    with pytest.raises(ValueError, match="40 scores are missing"):
        skc.read(table.astype({"score": int}))
    assert skc.read(table.astype({"score": int}), item="id").design.name == "20 items"


@pytest.mark.parametrize("metrics", [["test_score"], ["accuracy", "f1_score"], ["mean_cv_f2"]])
def test_models_that_only_stand_in_an_index_are_named_by_it(metrics, rng):
    """Means of cross-validations, saved with the index of the frame."""
    table = pd.DataFrame(rng.random((4, len(metrics))), columns=metrics, index=["svm", "rf", "knn", "nb"])
    table = table.assign(fit_time=rng.random(4), train_score=rng.random(4)).reset_index(names="")
    with pytest.raises(ValueError, match="it has one score per model"):
        skc.read(table)


@pytest.mark.parametrize("count", ["iterations", "level", "k"])
def test_metrics_beside_numbered_rows_are_offered_as_no_models(count, rng):
    table = pd.DataFrame({count: range(9), "test-F1-mean": rng.random(9), "test-Logloss-mean": rng.random(9)})
    with pytest.raises(ValueError, match=r"numbers the rows") as told:
        skc.read(table)
    assert not told.value.calls


def folds_of(rng, **sizes):
    """Scores of two models on folds whose sizes some columns say."""
    table = pd.DataFrame({name: np.tile(values, 2) for name, values in sizes.items()})
    half = len(table) // 2
    return table.assign(model=["rf"] * half + ["svm"] * half, fold=[*range(half)] * 2, score=scores(rng, 2 * half))


SPLITS = {
    "folds": ([90] * 10, [10] * 10, "10-fold cross-validation"),
    "folds of groups": ([60, 70, 85, 95, 90], [40, 30, 15, 5, 10], "5-fold cross-validation"),
    "random splits": ([80] * 30, [20] * 30, "30 overlapping splits"),
    "a growing window": ([17, 33, 50, 67, 83], [17] * 5, "5 disjoint test sets that leave samples out"),
    "a moving window": ([504, 525, 546, 567], [300] * 4, "4 overlapping splits"),
}
NAMES = [
    ("n_train", "n_test"),
    ("train_size", "val_size"),
    ("num_train_samples", "n_val"),
    ("Training set size", "test n"),
]


@pytest.mark.parametrize("name", ["Test Number", "test_no", "train_set", "validation", "test_length", "Test"])
@pytest.mark.parametrize("texts", [False, True])
def test_what_is_called_like_a_set_or_its_number_is_no_size(name, texts, rng):
    values = list("abcde") if texts else [1, 2, 3, 4, 5]
    table = folds_of(rng, n_train=[80] * 5, **{name: values})
    assert skc.read(table).design.test_sizes == (20,) * 5  # of 5 folds with these training sets


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("way_in", [skc.read, skc.from_frame])
def test_the_sizes_of_folds_tell_the_design(kind, names, way_in, rng):
    train, test, name = SPLITS[kind]
    factor = int(rng.integers(1, 5))
    train, test = ([factor * x for x in sizes] for sizes in (train, test))
    table = folds_of(rng, **dict(zip(names, (train, test), strict=True)))
    design = way_in(table).design
    assert (design.name, design.test_fraction) == (name, pytest.approx(sum(test) / (sum(train) + sum(test))))
    alone = table.drop(columns=names[1])
    if name.endswith("cross-validation"):  # each sample is in all training sets but one
        found = way_in(alone)
        assert found.design.test_sizes == tuple(test)
        assert any("if they are random ones" in one for one in found.warnings) == (len({*train}) == 1)
        return
    with pytest.raises(ValueError, match="nothing says which share of the samples they test") as told:
        way_in(alone)
    assert [skc.read(alone, **call).design.test_fraction for _, call in told.value.calls] == [0.5, 0.2]


@pytest.mark.parametrize("share", [True, False])
def test_a_part_for_validation_is_no_test_set_beside_one(share, rng):
    table = folds_of(rng, val_size=[0.1 if share else 10] * 5, n_train=[70] * 5, n_test=[20] * 5)
    design = skc.read(table).design
    assert design == skc.read(table[[*table.columns[::-1]]]).design == skc.read(table.drop(columns="val_size")).design


def test_what_is_asked_about_splits_of_data_sets_that_have_more_and_fewer_is_answered_at_once(rng):
    train = {"iris": [80] * 30, "wine": [120] * 10, "zoo": [90] * 20}
    tables = [folds_of(rng, n_train=sizes).assign(dataset=name) for name, sizes in train.items()]
    for study, fraction in zip(
        asked(pd.concat(tables), "data set 'iris': .* nothing says which share"), (0.5, 0.2), strict=True
    ):
        assert [(one.n_repeats, one.test_fraction) for one in study.designs] == [(n, fraction) for n in (30, 10, 20)]


@pytest.mark.parametrize("of_one_scale", [True, False])
def test_scores_that_are_shares_on_some_data_sets_alone_have_no_sure_direction(of_one_scale, rng):
    scale = np.ones(9) if of_one_scale else rng.permutation([0.4, 0.2, 0.3, 0.2, 2, 3, 40, 2, 9])
    table = pd.DataFrame(scores(rng, 6, 9) * scale + (scale > 1), columns=[f"set{i}" for i in range(9)])
    study = skc.read(table.assign(model=[f"m{i}" for i in range(6)]), model="model", dataset="columns")
    assert any("more of score is taken for better" in one for one in study.warnings) is not of_one_scale


@pytest.mark.parametrize(
    ("fewer", "said"), [(0, "3 runs of each"), (1, "2 to 3 runs of each"), (2, "1 to 3 runs of each")]
)
@pytest.mark.parametrize("name", ["iteration", "run", "seed"])
def test_runs_of_an_item_are_said_to_be_averaged(name, fewer, said, rng):
    rows = [(m, f"q{i}", t) for m, n in (("gpt", 3 - fewer), ("llama", 3)) for i in range(20) for t in range(n)]
    table = pd.DataFrame(rows, columns=["system", "question", name]).assign(is_correct=rng.integers(0, 2, len(rows)))
    result = skc.read(table)
    assert f", {said} (column {name!r}), averaged" in result.provenance["read_as"]
    mean = table[table["system"] == "gpt"].groupby("question")["is_correct"].mean().mean()
    np.testing.assert_allclose(result.scores[0].mean(), mean)


@pytest.mark.parametrize("name", ["prompt", "ticket", "case"])
@pytest.mark.parametrize("rater", ["", "judge", "annotator"])
def test_a_column_that_numbers_grades_is_no_score(name, rater, rng):
    about = pd.DataFrame({name: np.arange(60)}).assign(**({rater: [f"r{i % 5}" for i in range(60)]} if rater else {}))
    table = pd.concat([about.assign(model=one, rating=rng.integers(1, 6, 60)) for one in ("gpt", "llama")])
    if name == "ticket":
        with pytest.raises(ValueError, match="could all be scores") as refused:
            skc.read(table)
        results = [skc.read(table, **options) for _, options in refused.value.calls]
    else:  # an item, and the rater may be a cluster
        results = asked(table, "clusters must be told") if rater else [skc.read(table)]
        assert {result.design.n_splits for result in results} == {60}
    assert {result.metrics for result in results} <= {("rating",)}


@pytest.mark.parametrize("value", ["score", "value", "outcome", "result"])
@pytest.mark.parametrize("case", ["fold", "dataset"])
def test_a_score_beside_metrics_is_asked_about(value, case, rng):
    names = [*range(N)] if case == "fold" else SETS
    table = pd.DataFrame({case: names * 2, "model": ["rf"] * N + ["svm"] * N, "accuracy": scores(rng, 2 * N)})
    table = table.assign(**{value: scores(rng, 2 * N)})
    found = asked(table, f"'{value}', 'accuracy' could all be scores")
    for one, name in zip(found, (value, "accuracy"), strict=True):
        np.testing.assert_allclose(np.sort(one.scores, axis=None), np.sort(table[name]))


def test_weights_that_no_score_takes_are_said_to_be_left_out(rng):
    table = pd.DataFrame({"dataset": SETS, "rf": scores(rng, N), "svm": scores(rng, N), "weight": rng.random(N)})
    study = skc.read(table)
    assert study.estimators == ("rf", "svm")
    assert "'weight' (neither a score nor a name)" in study.provenance["read_as"]


@pytest.mark.parametrize("name", ["a/s", "net/sec", "w/s"])
def test_a_model_with_a_stroke_is_no_throughput(name, rng):
    table = pd.DataFrame({"dataset": SETS, "rf": scores(rng, N), name: scores(rng, N)})
    assert skc.read(table).estimators == ("rf", name)
