"""Tables with two readings that look alike: models called like deviations, classes like models, blanks like gaps."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import accuracy_score, classification_report, get_scorer_names, r2_score

import skcompare as skc
from tests.asked_tables import SETS, asked, scores

N = 8


@pytest.mark.parametrize(("prefix", "models"), [("SE-", ["ResNet-50", "VGG-16"]), ("std_", ["ae", "vae"])])
def test_models_whose_names_begin_as_deviations_are_asked_about(prefix, models, rng):
    table = pd.DataFrame({name: scores(rng, N) for one in models for name in (one, prefix + one)})
    table.insert(0, "dataset", SETS)
    plain, both = asked(table, "may be models, or say something of other columns")
    assert {*both.estimators} == {*table.columns[1:]}
    assert {*plain.estimators} == {*models}
    small = table.assign(**{prefix + one: table[prefix + one] / 30 for one in models})
    assert skc.read(small).estimators == tuple(models)


@pytest.mark.parametrize("name", ["se_resnet", "time_gpt", "min_gpt", "rank_gpt"])
def test_what_one_model_alone_has_before_its_name_is_asked_about(name, rng):
    one = name.split("_")[1]
    table = pd.DataFrame({"dataset": SETS, one: scores(rng, N), "vgg": scores(rng, N)})
    table[name] = table[one] - 0.05
    assert max(len(found.estimators) for found in asked(table, "may be models")) == 3
    table[name.replace(one, "vgg")] = table["vgg"] / 30
    if not name.startswith(("se", "std")):
        assert skc.read(table).estimators == (one, "vgg")


@pytest.mark.parametrize("name", ["svm_seconds", "runtime svm", "SVM (sec)", "svm-duration"])
def test_the_seconds_of_one_model_alone_are_times(name, rng):
    table = pd.DataFrame({"dataset": SETS, "svm": scores(rng, N), "rf": scores(rng, N), name: rng.uniform(0.1, 3, N)})
    study = skc.read(table)
    assert study.estimators == ("svm", "rf")
    assert f"{name!r} (times)" in study.provenance["read_as"]


@pytest.mark.parametrize("others", [("InceptionNet", "rf"), ("Inception", "rf"), ("InceptionTimePlus", "rf", "svm")])
def test_a_model_called_like_a_time_that_has_scores_is_asked_about(others, rng):
    table = pd.DataFrame({"dataset": SETS} | {name: scores(rng, N) for name in others})
    table["InceptionTime"] = rng.uniform(table[others[0]].min(), table[others[0]].max(), N)
    if others[0] != "Inception":
        assert {*skc.read(table).estimators} == {*others, "InceptionTime"}
        return
    plain, both = asked(table, "'InceptionTime' may be models")
    assert {*both.estimators} == {*others, "InceptionTime"}
    assert plain.estimators == others


def test_the_ends_of_intervals_are_no_models_and_models_no_ends(rng):
    table = pd.DataFrame({"dataset": SETS, "svm": scores(rng, N), "knn": scores(rng, N)})
    for one in ("svm", "knn"):
        table[f"{one}_low"], table[f"{one}_high"] = table[one] - 0.04, table[one] + 0.04
    assert skc.read(table).estimators == ("svm", "knn")
    table.loc[0, "svm_low"] = table["svm"][0] + 0.01
    assert len(asked(table, "'svm_low' may be models")) == 2


@pytest.mark.parametrize("names", [("cat_f1", "dog_f1", "bird_f1"), ("best_acc", "final_acc"), ("A iou", "B iou")])
def test_classes_and_times_in_headers_are_no_models_and_no_data_sets_without_asking(names, rng):
    columns = {name: scores(rng, 5) for name in names}
    [result] = asked(pd.DataFrame({"fold": range(5), **columns}), "of parts such as classes")
    stems = tuple(name.replace(" ", "_").split("_")[0] for name in names)
    assert result.estimators == (names if "best" in stems else stems)  # the best sums up others
    of_rows = pd.DataFrame({"model": [*"vwxyz"], **columns})
    [study] = asked(of_rows, "of parts such as classes")
    assert study.datasets == names
    known = pd.DataFrame({"fold": range(5), "svm_f1": scores(rng, 5), "ours_f1": scores(rng, 5)})
    assert skc.read(known).estimators == ("svm", "ours")


def test_the_best_score_on_a_part_that_chose_it_is_no_metric(rng):
    about = {"model": np.repeat(["resnet", "vgg"], 5), "seed": [*range(5)] * 2}
    table = pd.DataFrame({**about, "best_val_acc": scores(rng, 10), "test_acc": scores(rng, 10)})
    assert skc.read(table).metrics == ("test_acc",)
    parts = asked(table.rename(columns={"best_val_acc": "best_acc", "test_acc": "final_acc"}), "could all be scores")
    assert {part.metrics for part in parts if not hasattr(part, "datasets")} >= {("best_acc",), ("final_acc",)}


@pytest.mark.parametrize("name", ["subject", "Participant", "patient", "document"])
def test_subjects_are_no_models(name, rng):
    table = pd.DataFrame({name: [f"s{i:02d}" for i in range(N)], "csp": scores(rng, N), "eegnet": scores(rng, N)})
    study, items = asked(table, f"nothing says what '{name}' names")
    assert (len(study.datasets), items.design.n_splits) == (N, N)
    assert study.estimators == items.estimators == ("csp", "eegnet")


def groups(rng, keys):
    frame = pd.DataFrame({"dataset": np.repeat(SETS, 8), "model": np.tile(np.repeat(["svm", "knn"], 4), N)})
    frame = frame.assign(fold=[*range(4)] * 2 * N, accuracy=scores(rng, 8 * N), f1=scores(rng, 8 * N))
    return frame.groupby(keys).mean(numeric_only=True)[["accuracy", "f1"]]


def same(found, plain):
    """Whether a study has the scores of accuracy, those of its folds too."""
    assert {*found.estimators} == {"svm", "knn"}
    for model in found.estimators:
        own = plain["accuracy"].xs(model, level="model")
        e = found.estimators.index(model)
        for i, name in enumerate(found.datasets):
            part = found.results[name].scores[e, :, 0] if found.results else found.scores[i, e, :, 0]
            np.testing.assert_allclose(part, own.xs(name, level="dataset") if "fold" in own.index.names else own[name])


@pytest.mark.parametrize("keys", [["dataset", "model"], ["model", "dataset"], ["dataset", "model", "fold"]])
@pytest.mark.parametrize("form", ["spreadsheet", "merged cells"])
def test_names_of_groups_that_are_written_once_stand_in_all_their_rows(keys, form, rng, tmp_path):
    plain = groups(rng, keys)
    cells = plain.reset_index()
    for i in reversed(range(len(keys) - 1)):
        cells[keys[i]] = cells[keys[i]].astype(object).mask(cells.duplicated(keys[: i + 1]), None)
    if form == "spreadsheet":
        cells.to_csv(tmp_path / "cells.csv", index=False)
    found = skc.read(tmp_path / "cells.csv" if form == "spreadsheet" else cells)
    assert "have the name above them" in found.provenance["read_as"]
    same(found, plain)


def test_a_name_that_is_missing_is_not_that_of_the_row_above(rng):
    table = pd.DataFrame({"dataset": np.repeat(SETS, 2), "model": ["svm", "knn"] * N, "accuracy": scores(rng, 2 * N)})
    table.loc[int(rng.integers(1, 2 * N)), "dataset"] = None
    with pytest.raises(ValueError, match="has no name in column 'dataset'"):
        skc.read(table)


@pytest.mark.parametrize(("end", "metric"), [("_time", "time"), (" seconds", "seconds"), ("-runtime", "runtime")])
def test_times_alone_are_a_metric_of_which_less_is_better(end, metric, rng):
    table = pd.DataFrame({"dataset": SETS, **{f"{one}{end}": scores(rng, N) for one in ("svm", "rf")}})
    study = skc.read(table)
    assert (study.estimators, study.metrics, study.greater_is_better) == (("svm", "rf"), (metric,), (False,))
    beside = table.assign(svm=scores(rng, N), rf=scores(rng, N))
    assert (skc.read(beside).estimators, skc.read(beside).metrics) == (("svm", "rf"), ("score",))


@pytest.mark.parametrize("form", ["{}-shot", "{}%", "k={}", "n_{}", "eps {}", "{} labels"])
def test_levels_of_a_setting_in_headers_are_no_data_sets(form, rng):
    table = pd.DataFrame({"model": ["gpt", "llama"], **{form.format(k): scores(rng, 2) for k in (1, 5, 10)}})
    results = asked(table, "the columns are numbered, and nothing says what they are")
    assert sum(isinstance(result, skc.StudyResult) for result in results) == 1


@pytest.mark.parametrize("names", [("cifar10", "cifar100"), ("ecg200", "ecg5000"), ("task1", "task7")])
def test_data_sets_whose_names_have_numbers_are_data_sets(names, rng):
    table = pd.DataFrame({"model": ["gpt", "llama"], **{name: scores(rng, 2) for name in names}})
    assert skc.read(table).datasets == names


@pytest.mark.parametrize("name", ["class", "Label", "subject"])
def test_scores_of_classes_and_subjects_are_no_data_sets_without_asking(name, rng):
    table = pd.DataFrame({name: ["cat", "dog", "bird"], "svm": scores(rng, 3), "rf": scores(rng, 3)})
    study, items = asked(table, f"nothing says what '{name}' names")
    assert (len(study.datasets), items.design.kind) == (3, "items")


@pytest.mark.parametrize("turned", [False, True])
def test_a_description_by_quartiles_is_no_table_of_scores(turned, rng, tmp_path):
    found = pd.DataFrame(scores(rng, 9, 3), columns=["svm", "rf", "knn"]).describe()
    (found.T.rename_axis("model") if turned else found).to_csv(tmp_path / "described.csv")
    with pytest.raises(ValueError, match="describes scores by their mean and quartiles"):
        skc.read(tmp_path / "described.csv")


@pytest.mark.parametrize("word", ["mean", "Test", "avg"])
@pytest.mark.parametrize("form", ["{word} {one}", "{one}_{word}", "{word}.{one}"])
def test_a_word_around_all_names_of_models_makes_none_of_them_another_thing(word, form, rng):
    models = [form.format(word=word, one=one) for one in ("svm", "rf", "our net")]
    table = pd.DataFrame({name: scores(rng, N) for name in models})
    table.insert(0, "dataset", SETS)
    assert skc.read(table).estimators == tuple(models)


@pytest.mark.parametrize("name", ["CO2 cost (kg)", "Energy [kWh]", "Price (USD)", "Average (56 datasets)", "Promedio"])
def test_what_has_a_unit_or_sums_up_others_is_no_data_set(name, rng):
    table = pd.DataFrame({"Model": ["a/b", "c/d", "e/f"], **{one: scores(rng, 3) for one in ("BBH", "GPQA", "MUSR")}})
    table.insert(int(rng.integers(1, 4)), name, 9 * scores(rng, 3))
    assert skc.read(table).datasets == ("BBH", "GPQA", "MUSR")


@pytest.mark.parametrize("letters", ["ACPS", "PQRS", "NTVB", "ZTPX"])
def test_data_sets_and_models_of_one_letter_are_no_statistics(letters, rng):
    values = scores(rng, len(letters), 3)
    table = pd.DataFrame(values.T, columns=[*letters], index=pd.Index(["erm", "irm", "coral"], name="Algorithm"))
    study = skc.read(table)
    assert study.datasets == tuple(letters)
    np.testing.assert_array_equal(study.scores[:, :, 0, 0], values)
    assert skc.read(table.T.rename_axis("dataset")).datasets == tuple(letters)


@pytest.mark.parametrize("name", ["task_id", "problem", "Benchmark"])
def test_zeros_and_ones_of_many_tasks_are_asked_about(name, rng):
    table = pd.DataFrame((rng.random((30, 2)) < 0.6).astype(int), columns=["gpt", "llama"])
    table.insert(0, name, [f"HumanEval/{i}" for i in range(30)])
    items, study = asked(table, "all scores of a metric are 0 or 1, as of items that are right or wrong")
    assert (items.design.name, len(study.datasets)) == ("30 items", 30)


@pytest.mark.parametrize("name", ["noise", "eps", "dropout"])
def test_a_setting_that_rises_evenly_is_no_model(name, rng):
    table = pd.DataFrame({name: np.arange(5) / 10, "svm": scores(rng, 5), "rf": scores(rng, 5)})
    for found in asked(table, f"column '{name}' numbers the rows"):
        assert found.estimators == ("svm", "rf")


def test_metrics_in_rows_say_nothing_of_variation(rng):
    table = pd.DataFrame({"metric": ["accuracy", "recall", "f1"], "svm": scores(rng, 3), "rf": scores(rng, 3)})
    for own in (table, table.rename(columns={"metric": ""})):
        with pytest.raises(ValueError, match="one score per model and metric"):
            skc.read(own)


def test_errors_beside_the_name_of_their_metric_are_scores(rng):
    about = {"dataset": np.repeat(["blood", "credit-g", "anneal"], 6), "fold": [0, 1, 2] * 6}
    table = pd.DataFrame({**about, "method": ["cat"] * 3 + ["gbm"] * 3 + (["cat"] * 3 + ["gbm"] * 3) * 2})
    table = table.assign(metric="roc_auc", metric_error=scores(rng, 18), time_infer_s=scores(rng, 18))
    study = skc.read(table)
    assert sorted(x for part in study.results.values() for x in part.scores.ravel()) == sorted(table["metric_error"])


@pytest.mark.parametrize("decimals", [1, 2, 4])  # with few of them two numbers of the first row are often equal
@pytest.mark.parametrize("form", ["%.18e", "%.4f"])
def test_a_table_of_numbers_has_no_header(form, decimals, rng, tmp_path):
    table = scores(rng, 10, 3).round(decimals)
    table[0, 1:] = table[0, :2] if decimals == 1 else table[0, 1:]
    np.savetxt(tmp_path / "scores.txt", table, fmt=form)
    with pytest.raises(ValueError, match="holds scores, and nothing names its model"):
        skc.read(tmp_path / "scores.txt")


@pytest.mark.parametrize("name", ["±", "+/-", "σ", "Rank", "std", "time (s)"])
def test_what_stands_behind_each_model_under_one_name_is_no_model(name, rng):
    beside = rng.permutation([*range(1, N + 1)])
    table = pd.DataFrame({"dataset": SETS, "svm": scores(rng, N), name: beside, "rf": scores(rng, N)})
    table[f"{name}.1"] = beside[::-1]
    assert skc.read(table).estimators == ("svm", "rf")


def test_folds_without_a_name_beside_row_numbers_and_seeds_are_asked_about(rng):
    table = pd.DataFrame({"dataset": np.repeat(SETS, 4), "Unnamed: 0": [*range(4)] * N, "row": np.arange(4 * N) + 1})
    table = table.assign(random_state=rng.choice(10_000, 4 * N, replace=False))
    table[["svm", "rf"]] = scores(rng, 4 * N, 2)
    runs, folds = asked(table[rng.permutation(table.columns)], "could both number the scores")
    kinds = [next(iter(study.results.values())).design.kind for study in (runs, folds)]
    assert kinds == ["runs", "folds"]


def test_counts_are_no_model_beside_one_whose_scores_are_mostly_whole(rng):
    table = pd.DataFrame({"dataset": SETS, "m1": 60 + rng.permutation(N) / 1.0, "m2": 0.3 + rng.permutation(N)})
    table.loc[0, "m1"], table["m3"] = 60.4, table["m2"] + 60
    table["zz"] = rng.permutation(N) + 3
    table["m2"] += 50
    assert "zz" not in asked(table, "'zz' may be models")[0].estimators


def test_when_a_run_began_is_no_metric(rng):
    table = pd.DataFrame({"Start Time": "2024", "model": ["rf", "gb"] * 3, "seed": np.repeat([1, 2, 3], 2)})
    table = table.assign(accuracy=scores(rng, 6), auc=scores(rng, 6))
    assert skc.read(table).metrics == ("accuracy", "auc")


def test_the_ends_of_an_interval_are_known_where_one_of_them_is_text(rng):
    table = pd.DataFrame({"dataset": SETS, "setup_1": scores(rng, N), "new": scores(rng, N)})
    table["setup_1_ci_low"] = table["setup_1"] - 0.05
    table["setup_1_ci_high"] = [f"about {x}" for x in table["setup_1"] + 0.05]
    with pytest.raises(ValueError, match="'setup_1_ci_low' may be models"):
        skc.read(table, dataset="dataset")


@pytest.mark.parametrize("name", ["model", "dataset", "item", "run", "metric", "value", "truth", "cluster", "decimal"])
@pytest.mark.parametrize("given", [["model"], 3, True, np.array(["model"]), b"model"])
def test_an_option_that_is_no_name_is_refused_by_its_own(name, given, rng):
    table = {"dataset": ["p", "q", "r"] * 2, "model": ["a"] * 3 + ["b"] * 3, "acc": rng.random(6)}
    with pytest.raises(ValueError, match=f"^{name} must be a name; got "):
        skc.read(table, **{name: given})


@pytest.mark.parametrize("name", ["models", "metrics"])
@pytest.mark.parametrize("given", ["acc", [1], [None], 3, [["acc"]]])
def test_a_list_of_names_that_is_none_is_refused(name, given, rng):
    table = {"dataset": ["p", "q", "r"] * 2, "model": ["a"] * 3 + ["b"] * 3, "acc": rng.random(6)}
    with pytest.raises(ValueError, match=f"^{name} must be a list of names; got "):
        skc.read(table, **{name: given})


def test_models_that_are_no_columns_are_refused_beside_a_column_of_models(rng):
    table = {"dataset": ["p", "q", "r"] * 2, "model": ["a"] * 3 + ["b"] * 3, "acc": rng.random(6)}
    with pytest.raises(ValueError, match=r"models must name columns of frame: .*; got 'b'"):
        skc.read(table, models=["acc", "b"])


@pytest.mark.parametrize("metric", ["rmse", "mae", "log_loss", "score"])
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("inner", [None, "fold", "seed"])
def test_losses_above_1_on_one_data_set_are_scores(metric, wide, inner, rng):
    cases = [*product(SETS, range(5) if inner else [0])]
    table = pd.DataFrame(cases, columns=["dataset", inner or "fold"]).assign(svm=0.5, rf=0.5)
    large = table["dataset"] == rng.choice(SETS)
    for model in ("svm", "rf"):
        table[model] = np.where(large, 1.1, 0.1) + scores(rng, len(table))
    table = table if inner else table.drop(columns="fold")
    names = [name for name in ("dataset", inner) if name]
    table = table if wide else table.melt(names, var_name="model", value_name=metric)
    options = {} if metric == "score" or not wide else {"metric": metric}
    if metric == "score":
        (study,) = asked(table, "has numbers above 1", **options)
    else:
        study = skc.read(table, **options)
    assert (set(study.datasets), study.metrics) == (set(SETS), (metric,))
    assert study.greater_is_better == (metric == "score",)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("models", [1, 3])
@pytest.mark.parametrize("as_rows", [False, True])
def test_gaps_in_folds_of_metrics_of_their_own_are_asked_about(whole, models, as_rows, rng):
    metrics = dict(zip(SETS, ["f1", "rmse"] * (N // 2), strict=True))
    table = pd.DataFrame([*product(SETS, range(3), ["rf", "svm", "nb"])], columns=["dataset", "fold", "model"])
    table = table.assign(metric=table["dataset"].map(metrics), score=scores(rng, len(table)))
    assert skc.read(table).metrics == ("rank",)
    lost, folds = str(rng.choice(SETS)), range(3) if whole else [int(rng.integers(3))]
    out = (table["dataset"] == lost) & table["fold"].isin(folds) & table["model"].isin(["rf", "svm", "nb"][:models])
    if whole and models == 1:  # on some fold each model lacks a score
        out = (table["dataset"] == lost) & (table["fold"] == table["model"].map({"rf": 0, "svm": 1, "nb": 2}))
    if as_rows or models == 3:
        table.loc[out, "score"] = np.nan
    else:
        table = table[~out]
    said = f"^frame: {3 if whole else 1} splits? lacks? the score of some model{f'.* {lost!r}' if whole else ''}"
    for study in [*asked(table, said, missing="raise"), *(asked(table, said) if whole else [skc.read(table)])]:
        assert {*study.datasets} == {*SETS} - ({lost} if whole else set())
        assert [str(one) for one in study.warnings if one.code == "MISSING_SCORES" and (lost in one) == whole]


# ---- lists in cells, columns that name something together, answers that a column grades --------------------------


def as_list(own, form):
    texts = {"text": f"{own.tolist()}", "numpy": np.array2string(own), "array": repr(own)}
    return texts.get(form, own if form == "ndarray" else own.tolist())


@pytest.mark.parametrize("name", ["seeds", "folds", "runs"])
def test_lists_of_numbers_of_runs_beside_their_mean_are_no_scores(name, rng):
    table = pd.DataFrame([*product(SETS, ["rf", "svm"])], columns=["dataset", "model"]).assign(f1=scores(rng, 2 * N))
    table[name] = [rng.permutation(5).tolist() for _ in range(2 * N)]
    study = skc.read(table)
    np.testing.assert_allclose(study.scores.ravel(), table["f1"])


@pytest.mark.parametrize("name", ["scores", "Recall", "val_accuracy", "F1-score"])
@pytest.mark.parametrize("score", ["accuracy", "score", "correct"])
def test_lists_of_other_scores_than_those_beside_them_describe_a_row(name, score, rng):
    table = pd.DataFrame([*product(range(20), ["gpt", "llama"])], columns=["item", "model"])
    table[name] = [rng.random(3).round(3).tolist() for _ in range(40)]  # as of each class
    result = skc.read(table.assign(**{score: rng.permutation(40) % 2}))
    assert (result.design.name, result.estimators) == ("20 items", ("gpt", "llama"))


@pytest.mark.parametrize("name", ["probs", "tokens", "logprobs", "choices", "embedding"])
@pytest.mark.parametrize("ragged", [False, True])
def test_lists_that_describe_an_item_are_no_rows(name, ragged, rng, tmp_path):
    rows = [
        {"id": i, "model": m, "correct": bool(rng.integers(2)), name: rng.random(2 + ragged * rng.integers(4)).tolist()}
        for i in range(30)
        for m in ("gpt", "llama")
    ]
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    pd.DataFrame(rows).to_csv(tmp_path / "log.csv", index=False)
    for source in (file, pd.DataFrame(rows), tmp_path / "log.csv"):
        result = skc.read(source)
        assert (result.estimators, result.design.name) == (("gpt", "llama"), "30 items")


@pytest.mark.parametrize("case", ["dataset", "fold", "run"])
@pytest.mark.parametrize("settings", [("kernel",), ("rate",), ("kernel", "rate"), ("depth",), ("scaled",)])
def test_models_that_several_columns_name_together_are_asked_for(case, settings, rng):
    levels = {"kernel": ["linear", "rbf"], "rate": [0.001, 0.01], "depth": [3, 5], "scaled": [False, True]}
    names = [f"set{i}" for i in range(6)] if case == "dataset" else [*range(6)]
    rows = [*product(names, ["svm", "gp"], *(levels[one] for one in settings))]
    table = pd.DataFrame(rows, columns=[case, "model", *settings]).assign(accuracy=rng.random(len(rows)))
    table = table.sample(frac=1, random_state=int(rng.integers(1000)))
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table)
    calls = [call for _, call in refused.value.calls if call.get("model") == " + ".join(["model", *settings])]
    assert len(calls) == 1
    result = skc.read(table, **calls[0])
    of = {"kernel": "rbf", "rate": "rate=0.01", "depth": "depth=5", "scaled": "scaled=True"}
    name = ", ".join(["gp", *(of[one] for one in settings)])
    own = table[(table["model"] == "gp") & np.logical_and.reduce([table[one] == levels[one][1] for one in settings])]
    assert len(result.estimators) == 2 ** (1 + len(settings))
    scores = (
        result.scores[:, result.estimators.index(name)]
        if case == "dataset"
        else result.scores[[*result.estimators].index(name)]
    )
    np.testing.assert_allclose(np.sort(scores, axis=None), np.sort(own["accuracy"]))


def test_two_columns_of_data_sets_may_name_them_together(rng):
    table = pd.DataFrame([*product(["hopper", "walker"], ["medium", "expert", "replay"])], columns=["env", "dataset"])
    table = table.assign(bc=rng.random(6), cql=rng.random(6))
    with pytest.raises(ValueError, match="could both name the data set") as refused:
        skc.read(table)
    studies = [skc.read(table, **call) for _, call in refused.value.calls]
    assert {"hopper, medium", "walker, expert"} <= {*studies[-1].datasets}
    np.testing.assert_allclose(np.sort(studies[-1].scores, axis=None), np.sort([*table["bc"], *table["cql"]]))


def test_a_column_beside_that_of_data_sets_may_name_them_with_it(rng):
    table = pd.DataFrame([*product(SETS[:4], ["de", "en"])], columns=["dataset", "lang"])
    table = table.assign(bert=scores(rng, 8), gpt=scores(rng, 8))
    found = [result for result in asked(table, "has several scores") if hasattr(result, "datasets")]
    assert any({*study.datasets} == {f"{x}, {y}" for x in SETS[:4] for y in ("de", "en")} for study in found)


def test_a_column_that_names_something_with_another_may_have_a_role_of_its_own(rng):
    table = pd.DataFrame([*product(range(20), ["a", "b"], ["gpt", "llama"])], columns=["text", "ask", "model"])
    table = table.assign(correct=rng.integers(0, 2, 80))
    result = skc.read(table, item="text + ask", cluster="text")
    assert result.design.name.startswith("40 items")
    assert "20 clusters" in str(result.design)
    table["kernel"] = table["model"]
    assert skc.read(table, item="text + ask", model="model + kernel", cluster="text").estimators[0] == "gpt, gpt"


@pytest.mark.parametrize("name", ["horizon", "fh", "lead_time", "words/S", "items/S"])
def test_models_called_like_horizons_and_throughputs_have_scores(name, rng):
    table = pd.DataFrame({"dataset": SETS, name: scores(rng, N), "rf": scores(rng, N), "words/M": scores(rng, N)})
    assert skc.read(table).estimators == (name, "rf", "words/M")


def test_names_may_be_texts_of_numpy(rng):
    table = pd.DataFrame([*product(SETS, ["rf", "svm"])], columns=["dataset", "by"]).assign(f1=scores(rng, 2 * N))
    assert "np.str_" not in skc.read(table, model=np.str_("by")).provenance["read_as"]


@pytest.mark.parametrize("truth", ["ground_truth", "reference", "answer", "expected_answer", "gold"])
@pytest.mark.parametrize("given", ["prediction", "pred", "response"])
@pytest.mark.parametrize("right", ["is_correct", "correct", "passed"])
def test_answers_in_words_count_by_the_column_that_grades_them(truth, given, right, rng):
    rows = [(m, f"q{i}", f"the answer {i}") for m in ("gpt", "llama") for i in range(40)]
    table = pd.DataFrame(rows, columns=["system", "question", truth])
    table = table.assign(**{given: [f"I think {x}" for x in rng.permutation(80)], right: rng.integers(0, 2, 80)})
    result = skc.read(table)
    assert result.design.name == "40 items"
    np.testing.assert_allclose(result.scores[0].mean(), table[right][:40].mean())
    classes = table.assign(**{truth: [*"abcd"] * 20, given: rng.permutation([*"abcd"] * 20)})
    if given != "response":  # labels that are among the true ones are predictions
        accuracy = (classes[truth] == classes[given])[:40].mean()
        np.testing.assert_allclose(skc.read(classes, metrics=["accuracy"]).scores[0].mean(), accuracy)


@pytest.mark.parametrize("none", ["none", "None", "NONE"])
@pytest.mark.parametrize("case", ["subject", "fold", "dataset"])
def test_none_may_be_the_name_of_a_level(none, case, rng):
    table = pd.DataFrame([*product(range(8), [none, "lowpass", "notch"])], columns=[case, "filter"])
    table = table.assign(accuracy=rng.random(24))
    with pytest.raises(ValueError, match="accuracy") as refused:
        skc.read(table)
    assert refused.value.calls
    for _, call in refused.value.calls:
        assert skc.read(table, **call).estimators == (none, "lowpass", "notch")


@pytest.mark.parametrize("name", ["loss", "Average", "Wins"])
def test_a_sum_beside_models_with_metrics_is_left_out_and_named(name, rng):
    """It was a KeyError."""
    table = {"dataset": SETS, **{f"{m}_{k}": scores(rng, N) for m in ("svm", "rf") for k in ("acc", "f1")}}
    study = skc.read({**table, name: scores(rng, N)})
    assert (study.estimators, study.metrics) == (("svm", "rf"), ("acc", "f1"))
    assert f"'{name}' (sums of other columns)" in study.provenance["read_as"]


@pytest.mark.parametrize("known", [("mae", "rmse"), ("acc", "f1", "auc")])
@pytest.mark.parametrize("beside", ["mre_{}", "{}_quality", "quality"])
def test_metrics_of_models_beside_columns_of_another_form_are_no_models(known, beside, rng):
    names = [f"{metric}_{model}" for metric in known for model in ("old", "new")]
    names += [beside.format("old"), beside.format("new")] if "{}" in beside else [beside]
    table = pd.DataFrame({"trial": range(12), **{name: rng.random(12) for name in names}})
    with pytest.raises(ValueError, match="may be models") as refused:
        skc.read(table)
    found = [skc.read(table, **call) for _, call in refused.value.calls]
    assert [one.metrics for one in found] == [(metric,) for metric in known]
    assert [len(one.estimators) for one in found] == [2] * len(known)  # and no models of several metrics


@pytest.mark.parametrize("first", ["1,000 people came", "2,5 of them stayed, and left"])
def test_commas_in_sentences_are_no_decimal_marks(first, rng):
    texts = [first, "He paid, and left", "Nobody came", "In 1990, all came"]
    rows = [(m, f"q{i}", f"{texts[i % 4]} {i}") for m in ("a", "b") for i in range(20)]
    table = pd.DataFrame(rows, columns=["model", "item", "prompt"])
    right = skc.read(table.assign(correct=rng.integers(0, 2, 40)))
    assert (right.design.name, "Commas" in right.provenance["read_as"]) == ("20 items", False)
    text = table.assign(score=[f"{x:.3f}".replace(".", ",") for x in rng.random(40)])
    assert "Commas are decimal marks." in skc.read(text).provenance["read_as"]


def test_a_name_is_looked_at_no_more_often_where_there_are_many(monkeypatch, rng):
    n, looked = 300, []
    monkeypatch.setattr("skcompare.tables.columns._described", looked.append)
    names = [f"net {rng.random()} {i}" for i in range(n)]  # none of which was met before
    read = skc.read(pd.DataFrame(rng.random((4, n)).round(4), columns=names).assign(dataset=[*"abcd"]))
    assert len(read.estimators) == n
    assert n <= len(looked) <= 20 * n  # and not n * n


def test_counts_of_classes_describe_data_sets(rng):
    table = pd.DataFrame({"dataset": SETS, "n_instances": rng.integers(100, 900, N)})
    table = table.assign(class_0_count=rng.integers(20, 90, N), class_1_count=rng.integers(20, 90, N), IR=rng.random(N))
    with pytest.raises(ValueError, match="must hold two or more models; got 'IR'"):
        skc.read(table)
    both = table.assign(svm=rng.random(N)).rename(columns={"IR": "nb"})
    assert skc.read(both).estimators == ("nb", "svm")


@pytest.mark.parametrize("middle", ["median_{}", "{}_median", "{} (median)"])
@pytest.mark.parametrize("name", ["sscv", "accuracy"])
def test_the_median_of_runs_is_no_second_data_set(middle, name, rng):
    table = pd.DataFrame({"method": [*"abcd"], f"mean_{name}": rng.random(4), middle.format(name): rng.random(4)})
    with pytest.raises(ValueError, match=r"a mean and a deviation(?s:.)*welch_from_summary"):
        skc.read(table.assign(std=rng.random(4) / 9, n=50))


def test_columns_of_models_that_are_differences_of_others_are_no_data_sets(rng):
    table = pd.DataFrame({"model": [f"m{i}" for i in range(7)], **{name: scores(rng, 7) for name in ("iris", "wine")}})
    table = table.assign(change=(table["wine"] - table["iris"]).round(4), n_genes=rng.integers(100, 900, 7))
    read = skc.read(table)
    assert read.datasets == ("iris", "wine")
    assert "'change' (what was computed of models)" in read.provenance["read_as"]


@pytest.mark.parametrize("name", ["p (Wilcoxon)", "Friedman p-value", "Holm", "p-Wert", "Wilcoxon p (Holm)"])
def test_a_row_of_p_values_of_a_test_is_no_data_set(name, rng):
    table = pd.DataFrame({"dataset": [*"abcdefgh", name], **{m: rng.random(9).round(3) for m in ("svm", "knn", "lda")}})
    study = skc.read(table)
    assert study.datasets == tuple("abcdefgh")
    assert name in study.provenance["read_as"]


@pytest.mark.parametrize("name", ["Mediana", "Médiane", "Medjan"])
@pytest.mark.parametrize("n", [7, 8])
def test_a_row_of_medians_is_no_data_set(name, n, rng):
    # no data set has the median of all three models
    ordered = [np.roll(np.sort(rng.random(n)), 2 * shift).round(4) for shift in range(3)]
    scores = pd.DataFrame(dict(zip(("svm", "knn", "lda"), ordered, strict=True)))
    rows = pd.concat([scores, scores.median().round(4).to_frame().T]).assign(dataset=[*"abcdefgh"[:n], name])
    assert skc.read(rows.reset_index(drop=True)).datasets == tuple("abcdefgh"[:n])


def test_a_data_set_with_the_scores_of_another_one_is_no_median(rng):
    scores = np.sort(rng.random((7, 3)).round(4), axis=0)  # the last one repeats that in the middle
    table = pd.DataFrame([*scores, scores[3]], columns=["svm", "knn", "lda"]).assign(dataset=[*"abcdefgh"])
    assert skc.read(table).datasets == tuple("abcdefgh")


@pytest.mark.parametrize("name", ["Fehlerrate", "Erreur", "taux d'erreur", "tasa de error", "Errore"])
def test_errors_in_other_languages_are_better_where_less(name, rng):
    rows = [(d, m) for d in "abcdef" for m in ("svm", "knn")]
    table = pd.DataFrame(rows, columns=["dataset", "model"]).assign(**{name: rng.random(12)})
    assert skc.read(table).greater_is_better == (False,)


@pytest.mark.parametrize(
    "form",
    [
        r"\cellcolor{{gray!25}}{:.3f}",
        r"\cellcolor[HTML]{{D0D0D0}}\textbf{{{:.3f}}}",
        r"\textcolor{{red}}{{{:.3f}}}",
        r"{:.3f}{{\scriptsize $\pm$0.01}}",
        r"${:.3f}^{{\pm 0.01}}$",
    ],
)
def test_colors_and_sizes_of_latex_change_no_number(form, rng, tmp_path):
    scores = rng.random((6, 2)).round(3)
    rows = [f"{name} & {form.format(a)} & {form.format(b)} \\\\" for name, (a, b) in zip("abcdef", scores, strict=True)]
    path = tmp_path / "paper.tex"
    path.write_text("\n".join([r"\begin{tabular}{lcc}", r"Dataset & svm & knn \\", *rows, r"\end{tabular}"]))
    np.testing.assert_allclose(skc.read(path).scores[:, :, 0, 0], scores)


def test_ticks_in_color_are_right(rng):
    right = rng.random((30, 2)) < 0.6
    right[0] = True, False
    cells = np.where(right, "\u2714\ufe0f", "\u274c")
    result = skc.read({"question": [f"q{i:02d}" for i in range(30)], "gpt": cells[:, 0], "llama": cells[:, 1]})
    np.testing.assert_allclose(result.scores[:, :, 0], right.T)


@pytest.mark.parametrize("mark", ["~", "=", "acc: "])
def test_columns_of_what_is_nearly_numbers_are_refused(mark, rng):
    table = {"dataset": [*"abcdef"], **{m: [f"{mark}{x:.3f}" for x in rng.random(6)] for m in ("svm", "knn")}}
    with pytest.raises(ValueError, match="it has no column of scores among 'dataset', 'svm'"):
        skc.read(table)


def test_a_series_and_mappings_of_mappings_are_tables(rng):
    wide = pd.DataFrame(rng.random((6, 2)), columns=["svm", "knn"], index=pd.Index([*"abcdef"], name="dataset"))
    series = wide.rename_axis(columns="model").stack().rename("accuracy")
    for source, metric in ((series, "accuracy"), (wide.to_dict(), "score")):
        study = skc.read(source)
        assert (study.datasets, study.estimators, study.metrics) == (tuple("abcdef"), ("svm", "knn"), (metric,))
        np.testing.assert_allclose(study.scores[:, :, 0, 0], wide)


@pytest.mark.parametrize("name", ["Run name", "trial", "Seed"])
def test_words_that_name_runs_may_name_models(name, rng):
    table = pd.DataFrame({name: ["svm", "knn", "lda"], **{one: scores(rng, 3) for one in ("iris", "wine", "zoo")}})
    runs, study = asked(table, f"'{name}' may name the rows, or only number them")
    assert (runs.estimators, study.estimators) == (("iris", "wine", "zoo"), ("svm", "knn", "lda"))
    turned = pd.DataFrame({name: ["fresh-sun", "dim-sea", "red-owl"], "svm": scores(rng, 3), "knn": scores(rng, 3)})
    assert ("svm", "knn") in [found.estimators for found in asked(turned, "may name the rows, or only number them")]


@pytest.mark.parametrize("name", ["Durchgang", "cv_run"])
def test_what_numbers_folds_again_is_offered_as_repeats(name, rng):
    folds = pd.DataFrame([(r, f) for r in range(3) for f in range(5)], columns=[name, "fold"])
    table = folds.assign(svm=scores(rng, 15), knn=scores(rng, 15))
    assert "3x5 cross-validation" in [result.design.name for result in asked(table, name) if hasattr(result, "design")]


@pytest.mark.parametrize("name", ["Frage", "sentence", "test case", "Nummer"])
def test_numbered_rows_of_right_and_wrong_are_items(name, rng):
    right = (rng.random((30, 2)) < 0.6).astype(int)
    right[:2] = [[0, 1], [1, 0]]
    table = {name: np.arange(1, 31), "gpt": right[:, 0], "llama": right[:, 1]}
    for options in ({}, {"models": ["gpt", "llama"], "item": name}):
        result = skc.read(table, **options)
        assert result.estimators == ("gpt", "llama")
        assert f"30 items (column '{name}')" in result.provenance["read_as"]


def test_true_values_under_an_unknown_name_are_offered_beside_predictions(rng):
    truth = rng.permutation(np.arange(60) % 3)
    found = {f"{m}_pred": np.where(rng.random(60) < 0.7, truth, (truth + 1) % 3) for m in ("svm", "knn")}
    table = {"Fall": np.arange(60), "Befund": truth, **found}
    with pytest.raises(ValueError, match=r"no column of true values|numbers the rows") as refused:
        skc.read(table)
    assert refused.value.calls is not None
    result = skc.read(table, truth="Befund", item="Fall", models=[*found], metrics=["accuracy"])
    np.testing.assert_allclose(result.scores[:, 0, 0], [(x == truth).mean() for x in found.values()])


@pytest.mark.parametrize("named", ["dataset", "fold", "seed"])
def test_scores_of_models_that_are_called_like_predictions_stay_scores(named, rng):
    names = ["forecast_ets", "forecast_arima", "naive"]
    table = pd.DataFrame(rng.uniform(0.1, 0.9, (8, 3)), columns=names)
    cases = [f"series {i}" for i in range(8)] if named == "dataset" else range(8)
    assert skc.read(table.assign(**{named: cases})).estimators == (*names,)
    assert skc.read(table, models=names, split="rows").estimators == (*names,)


@pytest.mark.parametrize("name", ["kfold", "validation fold", "K-Fold"])
def test_other_names_of_folds_are_folds(name, rng):
    result = skc.read({name: np.arange(5), "svm": scores(rng, 5), "knn": scores(rng, 5)})
    assert result.design.name == "5-fold cross-validation"


@pytest.mark.parametrize("name", ["inference_time", "layer_sizes", "confusion"])
def test_lists_of_a_file_that_has_scores_describe_its_rows(name, rng, tmp_path):
    rows = [*product(SETS, ["rf", "svm"])]
    table = pd.DataFrame(rows, columns=["dataset", "model"]).assign(rmse=scores(rng, 2 * N))
    table[name] = [f"{rng.random(4).round(3).tolist()}" for _ in rows]
    path = tmp_path / "t.csv"
    table.to_csv(path, index=False)
    for source in (path, table):
        study = skc.read(source)
        assert (study.estimators, study.metrics) == (("rf", "svm"), ("rmse",))
        np.testing.assert_allclose(study.scores.ravel(), table["rmse"])


@pytest.mark.parametrize("names", [("pred_loss", "pred_f1"), ("pred_accuracy", "pred_recall", "pred_loss")])
def test_metrics_of_predictions_are_no_predictions(names, rng):
    rows = [*product(range(5), ["bert", "plbart"])]
    table = pd.DataFrame(rows, columns=["seed", "model"]).assign(share=rng.random(10) + 0.5)
    result = skc.read(table.assign(**{name: scores(rng, 10) for name in names}))
    assert result.metrics == names
    assert result.estimators == ("bert", "plbart")


def drawn_labels(rng, n=80):
    """True classes, and what two models predict of them."""
    truth = np.arange(n) % 2
    return truth, *(np.where(rng.random(n) < right, truth, 1 - truth) for right in (0.9, 0.7))


@pytest.mark.parametrize("truth", ["y_true", "label_gt", "gold"])
@pytest.mark.parametrize("name", ["prediction", "y_pred", "predicted_label"])
def test_predictions_of_a_model_without_a_name_count(truth, name, rng):
    y, a, b = drawn_labels(rng)
    table = pd.DataFrame({truth: y, name: a})
    alone = skc.read(table, metrics=["accuracy"])
    assert alone.scores.ravel() == pytest.approx([(a == y).mean()])
    sure = np.clip(0.5 * y + 0.5 * rng.random(len(y)), 0.01, 0.99)
    assert len(skc.read(table.assign(y_prob=sure), metrics=["accuracy"]).estimators) == 1
    for other, values in {"svm": b, "pred_svm": b, "confidence": sure}.items():
        results = asked(table.assign(**{other: values}), "or describe them", metrics=["accuracy"])
        assert {len(result.estimators) for result in results} == {1, 2}


def test_samples_that_repeat_are_of_models_that_something_names(rng):
    y, a, b = drawn_labels(rng)
    of_one = pd.DataFrame({"ID": np.arange(len(y)), "y_true": y})
    table = pd.concat([of_one.assign(y_pred=x, kind=kind, part=kind[0]) for x, kind in ((a, "raw"), (b, "graph"))])
    results = asked(table, "nothing names models", metrics=["accuracy"])
    assert all(len(result.estimators) == 2 for result in results)


@pytest.mark.parametrize("word", ["rate", "ratio", "pct", "share"])
def test_columns_of_shares_are_no_models_without_asking(word, rng):
    names = [f"{one}_{word}" for one in ("invalid", "hidden_regression", "patch_blocks")]
    table = pd.DataFrame(scores(rng, N, 3), columns=names)
    with pytest.raises(ValueError, match="nothing names models"):
        skc.read(table.assign(variant=[f"v{x}" for x in "abcdefgh"]))
    assert skc.read(table.assign(variant=SETS), dataset="variant", models=names).estimators == (*names,)
    (result,) = asked(table.assign(fold=range(N)), "nothing names models")
    assert result.estimators == (*names,)
    learners = [f"{one}_{word}" for one in ("svm", "forest", "knn")]
    assert skc.read(table.set_axis(learners, axis=1).assign(dataset=SETS)).estimators == (*learners,)


@pytest.mark.parametrize("metric", ["AUC", "f1", "rmse"])
def test_models_in_rows_and_in_names_of_metrics_are_asked_about(metric, rng):
    learners = ["RandomForest", "LightGBM", "SVM", "LogReg"]
    names = [f"Baseline_{metric}", f"Tuned_{metric}"]
    table = pd.DataFrame(scores(rng, 4, 2), columns=names).assign(Model=learners)
    (result,) = asked(table, "are called like data sets with metrics")
    assert result.estimators == (*learners,)
    of_sets = table.rename(columns=dict(zip(names, (f"iris_{metric}", f"wine_{metric}"), strict=True)))
    assert skc.read(of_sets).estimators == (*learners,)


def test_counts_of_a_confusion_matrix_are_no_models(rng):
    counts = pd.DataFrame(rng.integers(1, 99, (N, 4)), columns=["TN", "FP", "FN", "TP"])
    table = counts.assign(Precision=scores(rng, N), Recall=scores(rng, N), Ensembles=[f"e{x}" for x in SETS])
    with pytest.raises(ValueError, match="stand beside others, 'TN', 'FP', 'FN', 'TP'"):
        skc.read(table)


@pytest.mark.parametrize(("truth", "answer"), [("ground_truth", "response"), ("reference", "prediction")])
@pytest.mark.parametrize("grade", ["judge_score", "bleu"])
def test_free_texts_that_are_graded_are_no_classes(truth, answer, grade, rng):
    rows = [*product(["gpt", "llama"], range(40))]
    table = pd.DataFrame(rows, columns=["model", "number"])
    table["question"] = [f"what is {i}?" for _, i in rows]
    table[truth], table[answer] = [f"it is {i}" for _, i in rows], [f"{m} says {i}" for m, i in rows]
    result = skc.read(table.drop(columns="number").assign(**{grade: scores(rng, 80)}))
    assert (result.estimators, result.metrics) == (("gpt", "llama"), (grade,))
    judged = table[table["model"] == "gpt"].drop(columns=["model", "number"])
    with pytest.raises(ValueError, match=r"may hold predictions of|must be classes"):
        skc.read(judged.assign(judge_label=rng.integers(0, 2, 40), judge_confidence=scores(rng, 40)))


@pytest.mark.parametrize("at", [[40], [40, 81], [1198, 1199], [1195]])
def test_sums_of_long_tables_are_found_and_cost_little(at, rng, monkeypatch):
    table, looks = scores(rng, 1200, 4), []
    start = 0
    for end in at:
        above = np.delete(table[:end], at[: at.index(end)], axis=0) if start == 0 or end > 1000 else table[start:end]
        table[end] = above.mean(axis=0) if end != 1199 else above.std(axis=0)
        start = end + 1
    kept = np.nanstd  # which every look takes once
    monkeypatch.setattr(np, "nanstd", lambda *of, **how: looks.append(0) or kept(*of, **how))
    names = [f"case {i}" for i in range(1200)]
    study = skc.read(pd.DataFrame(table, columns=["svm", "knn", "lda", "nb"]).assign(dataset=names))
    assert [name for name in names if name not in study.datasets] == [f"case {i}" for i in at]
    assert 0 < len(looks) < 1200


KNOWN = ["iris", "wine", "glass", "sonar", "zoo", "breast_cancer", "heart", "ecoli"]
LAYOUTS = ["{model}/{case}", "{case}/{model}", "{model}_{case}", "{case}-{model}", "all/{model}/{case}/scores"]
LAYOUTS += ["{model}-{case}/scores", "{model}/v_{model}/{case}"]


def grid_of_files(folder, layout, tidy, case):
    """A file per model and case, of what the tidy table has of both."""
    for (model, name), rows in tidy.groupby(["model", case], sort=False):
        path = folder / f"{layout.format(model=model, case=name)}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows.drop(columns=["model", case]).to_csv(path, index=False)
        yield path


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", ["dataset", "seed", "fold"])
def test_files_that_are_named_by_parts_are_no_models(layout, case, rng, tmp_path):
    """18 files of 3 models on 6 data sets were 18 models on the same folds."""
    models = [*rng.choice(["svm", "random_forest", "knn", "m7", "ours"], 3, replace=False)]
    cases = rng.choice(KNOWN, 6, replace=False) if case == "dataset" else [f"{case}{i}" for i in range(4)]
    tidy = pd.DataFrame([(*key, rng.random()) for key in product(models, cases, SETS)])
    tidy.columns = ["model", case, "item", "accuracy"]
    paths = rng.permutation([*grid_of_files(tmp_path, layout, tidy, case)])
    found, whole = skc.read(*paths).to_frame(), skc.read(tidy).to_frame()
    names = {name: name.partition("/")[0] for name in found.estimator}
    assert {*names.values()} == {*models}
    assert len(names) == 3
    for name, model in names.items():
        own = [table[table.estimator == one].score.sort_values() for table, one in ((found, name), (whole, model))]
        np.testing.assert_allclose(*own)


@pytest.mark.parametrize("name", ["seed", "fold", "cv"])
def test_files_that_are_numbered_may_be_models(name, rng, tmp_path):
    paths = [tmp_path / f"{name}{i}.csv" for i in range(3)]
    for path in paths:
        pd.DataFrame({"dataset": SETS, "accuracy": scores(rng, N)}).to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"files are named by parts") as refused:
        skc.read(*paths)
    [found] = [skc.read(*paths, **call) for _, call in refused.value.calls]
    assert found.estimators == tuple(path.stem for path in paths)


def test_answers_to_a_task_are_of_its_cluster(rng):
    """The number of an answer was offered as the cluster."""
    keys = product(["a", "b"], [f"HumanEval/{i}" for i in range(20)], range(3))
    table = pd.DataFrame(
        [(*key, bool(rng.integers(2))) for key in keys], columns=["model", "task_id", "answer_id", "passed"]
    )
    designs = [getattr(found, "design", None) for found in asked(table, "several scores")]
    assert {getattr(design, "n_clusters", None) for design in designs} <= {None, 20}


@pytest.mark.parametrize("step", ["timestep", "time_step", "env_steps"])
def test_steps_of_an_agent_are_no_items(step, rng):
    keys = product(["SAC", "TD3"], ["Hopper", "Ant"], range(3), [1000, 2000, 3000])
    table = pd.DataFrame([(*key, rng.random()) for key in keys], columns=["algo", "env", "seed", step, "return"])
    with pytest.raises(ValueError, match=f"'{step}' counts through the training"):
        skc.read(table)


@pytest.mark.parametrize("parts", [["small", "large"], ["v1", "v2"], ["seed1", "seed2"]])
def test_files_of_predictions_of_one_test_set_are_models(parts, rng, tmp_path):
    """Parts of their names were asked about as data sets, or refused as samples that repeat."""
    y, keys = rng.integers(0, 2, 30), [*product(["svm", "ab"], parts)]
    of_one = pd.DataFrame({"id": range(30), "y_true": y})
    tidy = pd.concat([of_one.assign(y_pred=rng.permutation(y), model=m, part=p) for m, p in keys])
    paths = [*grid_of_files(tmp_path, "{model}_{case}", tidy, "part")]
    found = skc.read(*paths, metrics=["accuracy"], model="files")
    assert found.estimators == tuple(f"{model}_{part}" for model, part in keys)


def test_sizes_of_the_parts_of_an_archive_are_no_metrics(rng):
    """Train and Test of the UCR archive were called names of metrics."""
    table = pd.DataFrame({"Name": SETS, "Train": rng.integers(101, 900, N), "Test": rng.integers(101, 9000, N)})
    models = [*rng.choice(["ED", "DTW (learned_w)", "ROCKET", "FCN"], 2, replace=False)]
    for name in models:
        table[name] = scores(rng, N)
    found = skc.read(table, dataset="Name")
    assert found.estimators == tuple(models)
    assert "'Train', 'Test' (sizes)" in found.provenance["read_as"]


@pytest.mark.parametrize("level", ["shots", "noise_level", "fraction", "severity", "n_shots", "epsilon", "cutoff"])
def test_levels_of_a_setting_are_no_runs_no_folds_and_no_items(level, rng):
    keys = product(["svm", "forest"], SETS, [1, 5, 10])
    table = pd.DataFrame([(*key, rng.random()) for key in keys], columns=["model", "dataset", level, "accuracy"])
    [joint] = asked(table, f"give the rows of one value of '{level}'")
    assert len(joint.estimators) == 6
    with pytest.raises(ValueError, match=f"give the rows of one value of '{level}'") as refused:
        skc.read(table[table["dataset"] == "seta"].drop(columns="dataset"))
    assert refused.value.calls == ()


@pytest.mark.parametrize("wide", [True, False])
def test_a_column_h_is_a_horizon(wide, rng):
    table = pd.DataFrame({"h": range(1, 13), "arima": scores(rng, 12), "ets": scores(rng, 12)})
    table = table if wide else table.melt("h", var_name="model", value_name="mae")
    with pytest.raises(ValueError, match=r"'h' counts how far ahead.*== 1|'h' numbers the rows"):
        skc.read(table)
    letters = pd.DataFrame(scores(rng, N, 3), columns=["f", "g", "h"])
    for values in (letters, (letters * 100).round(1)):
        assert skc.read(values.assign(dataset=SETS)).estimators == ("f", "g", "h")
    right = pd.DataFrame(rng.integers(0, 2, (40, 3)), columns=["f", "g", "h"])
    assert skc.read(right.assign(item=range(40))).estimators == ("f", "g", "h")


@pytest.mark.parametrize("name", ["cutoff", "Cutoff", "forecast_origin"])
def test_windows_in_time_are_no_folds(name, rng):
    """Five windows were offered as items, runs and 5-fold cross-validation."""
    days = [f"2024-0{month}-01" for month in range(1, 7)]
    keys = product(["arima", "ets"], SETS, days)
    table = pd.DataFrame([(*key, rng.random()) for key in keys], columns=["model", "unique_id", name, "mae"])
    one = skc.read(table[table["unique_id"] == "seta"].drop(columns="unique_id"))
    assert (one.design.time_order, one.design.partition, one.design.n_splits) == (True, False, 6)
    assert [row.outcome.name for row in one.compare()] == ["NOT_COMPARABLE"]
    study = skc.read(table, dataset="unique_id")
    means = table.groupby(["unique_id", "model"]).mae.mean().unstack()
    np.testing.assert_allclose(study.means("mae"), means)


@pytest.mark.parametrize("names", ["Bootstrap{:02}", "boot_{}", "bootstrap{}"])
def test_bootstraps_overlap(names, rng):
    """30 of them were 30-fold cross-validation."""
    rows = [(model, names.format(i), rng.random()) for model in ("svm", "knn") for i in range(30)]
    table = pd.DataFrame(rows, columns=["model", "split", "accuracy"])
    for found in asked(table, "test_fraction must be given for random splits"):
        assert (found.design.n_repeats, found.design.n_folds, found.design.partition) == (30, 1, False)
    for found in asked(table.assign(split="bootstrap"), "several scores"):
        assert found.design.kind != "folds"
    asked(table.assign(bootstrap=[True, False] * 30).drop(columns="split"), "several scores")  # a setting of forests


def test_a_model_called_n_beats_is_no_count(rng):
    table = pd.DataFrame(rng.integers(20, 90, (N, 3)), columns=["n_beats", "arima", "ets"]).assign(dataset=SETS)
    assert skc.read(table).estimators == ("n_beats", "arima", "ets")


def write(path, found):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found))
    return path


@pytest.mark.parametrize("form", ["nested", "listed", "mteb"])
def test_an_object_per_file_is_a_row_of_a_table(form, rng, tmp_path):
    """Objects in objects were refused without a word of what to do, MTEB's among them."""
    models, tasks = (
        [*rng.choice(["e5-small", "bge", "gte", "svm"], 3, replace=False)],
        rng.choice(KNOWN, 6, replace=False),
    )
    values, paths = {}, []
    for model, task in product(models, tasks):
        x = values[model, task] = round(rng.random(), 4)
        inner = {"main_score": x, "hf_subset": "default", "languages": ["eng-Latn"]}
        found = {
            "nested": {"model": model, "dataset": task, "config": {"lr": 0.1}, "metrics": {"accuracy": x, "f1": x / 2}},
            "listed": {"model": model, "seeds": 2, "results": [{"dataset": task, "accuracy": x}]},
            "mteb": {"task_name": task, "mteb_version": "1.12.1", "evaluation_time": 1.5, "scores": {"test": [inner]}},
        }[form]
        paths.append(write(tmp_path / model / f"{task}.json", found))
    if form == "mteb":
        with pytest.raises(ValueError, match="files are named by parts"):
            skc.read(*rng.permutation(paths))
        return
    study = skc.read(*rng.permutation(paths))
    assert {*study.estimators} == {*models}
    for (i, task), (j, model) in product(enumerate(study.datasets), enumerate(study.estimators)):
        assert study.scores[i, j, 0, 0] == pytest.approx(values[model, task])


@pytest.mark.parametrize("form", ["{}_pred", "pred_{}", "predicted_{}", "{}_prediction"])
@pytest.mark.parametrize("tidy", [True, False])
def test_a_prediction_that_is_called_by_its_target_is_no_score(form, tidy, rng):
    """Predicted ages were scores of which more is better."""
    name = rng.choice(["age", "price", "pIC50", "load"])
    target = rng.normal(50, 9, 40)
    columns = {"sample": np.arange(40), name: target, form.format(name): target + rng.normal(0, 2, 40)}
    table = pd.DataFrame(columns)
    if tidy:
        other = table.assign(**{form.format(name): target + rng.normal(0, 2, 40)})
        table = pd.concat([table.assign(model="svm"), other.assign(model="knn")])
    found = skc.read(table)
    assert found.design.kind == "samples"
    assert found.estimators == (("svm", "knn") if tidy else (form.format(name),))
    error = np.abs(table[form.format(name)] - table[name])[:40].mean()
    assert np.abs(found.score(found.estimators[0], "neg_mean_absolute_error")).mean() == pytest.approx(error)


@pytest.mark.parametrize(
    "names", [("coef", "abs_coef"), ("coefficient", "Abs Coefficient"), ("importance", "mean_shap")]
)
@pytest.mark.parametrize("of", ["feature", "Descriptor"])
def test_what_is_read_off_a_model_is_no_score(names, of, rng):
    """Coefficients and their sizes were two models."""
    values = rng.normal(size=N)
    table = pd.DataFrame({of: [f"x{i}" for i in range(N)], names[0]: values, names[1]: np.abs(values)})
    with pytest.raises(ValueError, match="hold what was computed of models"):
        skc.read(table)


def test_a_large_table_is_not_read_for_every_call_of_a_refusal(rng, monkeypatch):
    """One of 16,852 rows was read 61 times before it was refused, one of 12 rows 10,000 times."""
    labels = rng.integers(0, 4, (20_000, 12))
    table = pd.DataFrame(labels, columns=[f"v{i}" for i in range(12)]).assign(pred=labels[:, 0])
    seen = []
    assert skc.read  # which loads the module
    read = skc._load._read
    monkeypatch.setattr(skc._load, "_read", lambda *given: seen.append(1) or read(*given))
    for n, most in ((len(table), 1 + 2_000_000 // table.size), (50, 100)):
        seen.clear()
        with pytest.raises(ValueError, match="no column of true values"):
            skc.read(table[:n])
        assert 1 < len(seen) <= most
    places = [*product(["mistral", "llama"], ["medqa", "mcqa"], "abc")]
    small = pd.DataFrame(places, columns=["backbone", "benchmark", "level"])
    small = small.assign(**{name: rng.integers(0, 40, 12) for name in ("net", "gain", "kept", "lost", "shut", "left")})
    small = small.assign(**{f"note {x}": [f"[{i}]" for i in rng.integers(0, 5, 12)] for x in "pqr"})
    seen.clear()
    with pytest.raises(ValueError, match="could all be scores"):
        skc.read(small)
    assert 1 < len(seen) <= 101


@pytest.mark.parametrize("column", [0, 1, 2])
def test_a_quote_that_is_never_closed_takes_no_rows_with_it(column, rng, tmp_path):
    """The rows behind it stood in one cell, and were left out."""
    rows = [[f"d{i}", *map(str, scores(rng, 2))] for i in range(N)]
    at = int(rng.integers(3, N))
    rows[at][column] = f'"{rows[at][column]}'
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(map(",".join, [["dataset", "svm", "knn"], *rows])) + "\n")
    with pytest.raises(ValueError, match=r"a quote is opened and never closed, before '[^']*'$"):
        skc.read(path)
    rows[at][column] += '"'
    path.write_text("\n".join(map(",".join, [["dataset", "svm", "knn"], *rows])) + "\n")
    assert len(skc.read(path).datasets) == N


@pytest.mark.parametrize("cells", ["{:.0f} ({:.1f}%)", "{:.3f} ± {:.2f}"])
def test_a_number_among_cells_of_two_is_not_said_to_be_none(cells, rng):
    """It was "not read as one number"."""
    values = 10 + 80 * scores(rng, N, 4)
    columns = {name: [*map(cells.format, *values[:, 2 * i : 2 * i + 2].T)] for i, name in enumerate(("svm", "knn"))}
    table = pd.DataFrame({"dataset": SETS, **columns})
    table.loc[at := int(rng.integers(N)), "svm"] = "23.5"
    with pytest.raises(ValueError, match=f"'{SETS[at]}', column 'svm': '23.5' is written in another way"):
        skc.read(table)


@pytest.mark.parametrize("kind", ["few", "one of all", "signs", "of texts"])
@pytest.mark.parametrize("of", ["image_id", "title", "id"])
def test_labels_of_rows_are_no_outcomes_of_models(kind, of, rng):
    """The genres of films and the classes of images were models that are right or wrong."""
    n, names = 60, [f"{word}{i}" for i, word in enumerate(rng.permutation(["toxic", "rust", "drama"]))]
    cells = (rng.random((n, 3)) < (0.8 if kind == "of texts" else 0.15)).astype(int)
    cells = {"one of all": np.eye(3, dtype=int)[rng.integers(0, 3, n)], "signs": 2 * cells - 1}.get(kind, cells)
    table = pd.DataFrame({of: [*map(str, range(n))] if of == "id" else [f"x{i}" for i in range(n)]})
    if kind == "of texts":
        table["comment"] = [" ".join(map(str, rng.integers(0, 10**6, 12))) for _ in range(n)]
    table[names] = cells
    assert tuple(names) in [found.estimators for found in asked(table, "may be labels of the rows")]
    known = dict(zip(names, ("svm", "knn", "mlp"), strict=True))
    table[names] = np.abs(cells)
    assert skc.read(table.rename(columns=known)).estimators == (*known.values(),)


@pytest.mark.parametrize("rows", [None, "Data", "team"])
def test_whole_numbers_of_unknown_columns_may_be_counts(rows, rng):
    """Numbers that were drawn in a lottery were scores, and how many files a team has in two folders."""
    table = pd.DataFrame(rng.integers(1, 60, (40, 3)), columns=["bola", "files_here", "files_there"])
    if rows is not None:
        cells = [f"{1 + i % 28:02d}/{1 + i // 28:02d}/2001" if rows == "Data" else f"t{i}" for i in range(40)]
        table.insert(0, rows, cells)
    with pytest.raises(ValueError, match="nothing shows that the numbers of") as refused:
        skc.read(table)
    assert bool(refused.value.calls) == (rows is not None)  # one guess is enough where something names the rows
    known = table.rename(columns={"bola": "svm", "files_here": "knn", "files_there": "mlp", "Data": "dataset"})
    if rows == "Data":
        assert skc.read(known.assign(dataset=SETS * 5, fold=np.repeat(range(5), 8))).estimators == ("svm", "knn", "mlp")


@pytest.mark.filterwarnings("ignore:roc_auc_ovr is left out")
@pytest.mark.parametrize(("names", "n"), [(("Truth", "Prediction"), "n"), (("y_true", "y_pred"), "count")])
def test_the_counts_of_a_confusion_matrix_are_no_samples(names, n, rng):
    """A row per pair of classes was a sample, with an accuracy of one over the number of classes."""
    pairs = np.array([(t, p) for t in range(3) for p in range(3)])[rng.permutation(9)]
    table = pd.DataFrame(pairs, columns=list(names)).assign(**{n: rng.integers(0, 20, 9)})
    with pytest.raises(ValueError, match="differ in all rows, as beside counts of both"):
        skc.read(table)
    samples = table.loc[table.index.repeat(table[n] + 1), list(names)].assign(**{n: 7})
    assert skc.read(samples).design.kind == "samples"


def test_whether_a_model_is_pretrained_is_no_item(rng):
    """Three models with a yes and no each were right or wrong on one item."""
    table = pd.DataFrame({"Model": ["cnn", "resnet", "vit"], "Pretrained": rng.permutation(["No", "Yes", "Yes"])})
    with pytest.raises(ValueError, match="it has one score per model"):
        skc.read(table)


@pytest.mark.parametrize("beside", ["5,311e6", "12,750E-3", "1,5", "2,25e3"])
def test_accuracies_with_points_are_never_taken_for_thousands(beside, rng):
    """A comma among sizes made 812 of 0.812, as if points stood between thousands."""
    own = scores(rng, 6).round(3)
    table = {"model": ["svm"] * 3 + ["rf"] * 3, "fold": [0, 1, 2] * 2, "acc": [f"{x:.3f}" for x in own]}
    try:
        found = skc.read({**table, "n_params": [beside] * 6})
    except ValueError:
        assert beside in ("1,5", "2,25e3")
    else:
        assert found.scores.ravel().tolist() == own.tolist()


def test_commas_before_three_digits_and_a_power_are_asked_about(rng):
    errors = [f"{x},{y}e-3" for x, y in rng.integers(100, 999, (6, 2))]
    table = {"model": ["svm"] * 3 + ["rf"] * 3, "fold": [0, 1, 2] * 2, "rmse": errors}
    of_thousands, of_decimals = sorted(
        (one.scores.max() for one in asked(table, "may be a decimal mark")), reverse=True
    )
    assert of_thousands == pytest.approx(1000 * of_decimals)


@pytest.mark.parametrize("step", ["iteration", "Step", "fold", "trial"])
@pytest.mark.parametrize("metric", ["accuracy", "val_loss", "reward"])
def test_rows_of_a_chart_of_a_tracker_are_steps_of_trainings_unless_they_are_said_to_be_runs(step, metric, rng):
    table = pd.DataFrame({step: range(20)})
    for model in ("resnet - lr", "vgg"):
        shown = scores(rng, 20)
        parts = {"_step": range(20), "_step__MIN": range(20), "_step__MAX": range(20)}
        parts |= {metric: shown, f"{metric}__MIN": shown, f"{metric}__MAX": shown}
        table = table.assign(**{f"{model} - {part}": cells for part, cells in parts.items()})
    with pytest.raises(ValueError, match="counts through the training of one run"):
        skc.read(table)
    if step in ("iteration", "trial"):
        assert skc.read(table, run=step).design.kind == "runs"


@pytest.mark.parametrize("names", [("n_correct", "mean_quality", "mannwhitney_u"), ("speed", "ours", "depth", "width")])
def test_numbers_that_describe_one_model_are_no_data_sets_without_asking(names, rng, tmp_path):
    path = tmp_path / "analysis.json"
    path.write_text(json.dumps({"model": "resnet", **dict(zip(names, rng.uniform(3, 90, len(names)), strict=True))}))
    with pytest.raises(ValueError, match="It has one model, 'resnet': give the rows of all") as refused:
        skc.read(path)
    assert not refused.value.calls


@pytest.mark.parametrize("name", ["oof_pred", "prediction_oof", "oof_predictions", "OOF"])
@pytest.mark.parametrize("named", [True, False])
def test_predictions_out_of_fold_are_predictions_of_what_is_like_them(name, named, rng):
    truth = rng.normal(5, 2, 60)
    table = pd.DataFrame({"patient": [f"p{i}" for i in range(60)], "y_true" if named else "ddg": truth})
    table["chains"], table[name] = rng.integers(1, 4, 60), truth + rng.normal(0, 1, 60)
    if named:
        assert skc.read(table).design.n_samples == 60
        return
    with pytest.raises(ValueError, match="no column of true values") as refused:
        skc.read(table)
    assert [of["truth"] for _, of in refused.value.calls] == ["ddg"]


@pytest.mark.parametrize("name", ["oof_proba", "prob_oof", "y_prob_oof"])
def test_probabilities_out_of_fold_are_those_of_one_model_whatever_stands_beside_them(name, rng):
    table = pd.DataFrame({"cohort": rng.choice(["a", "b", "c"], 90), "y_true": rng.integers(0, 2, 90)})
    table[name] = rng.uniform(size=90)
    assert skc.read(table, cluster="none").estimators == (name,)


@pytest.mark.parametrize("name", ["fold_year", "test_year"])
def test_years_that_models_were_tested_on_are_splits(name, rng):
    table = pd.DataFrame({"model": ["a", "b"] * 8, name: np.repeat(range(2010, 2018), 2), "auc": scores(rng, 16)})
    assert skc.read(table).design.n_splits == 8


@pytest.mark.parametrize("right", [0, 0.8, 1])
@pytest.mark.parametrize("form", ["rows", "columns", "json", "printed", "classes alone"])
def test_a_report_on_the_classes_of_one_model_is_no_comparison(right, form, rng, tmp_path):
    truth, names = rng.permutation(np.arange(120) % 3), ["cat", "dog", "bird"]
    predicted = np.where(rng.random(120) < right, truth, (truth + 1) % 3)
    told = {"target_names": names, "zero_division": 0}
    report = classification_report(truth, predicted, output_dict=True, **told)
    path, frame = tmp_path / "report.csv", pd.DataFrame(report)
    if form == "json":
        path = path.with_suffix(".json")
        path.write_text(json.dumps(report))
    elif form == "printed":
        path.write_text(classification_report(truth, predicted, **told))
    else:
        (frame if form == "columns" else frame.T.iloc[: 3 if form == "classes alone" else None]).to_csv(path)
    with pytest.raises(
        ValueError, match="one score per model" if form == "classes alone" else "a report on the classes"
    ):
        skc.read(path)


@pytest.mark.parametrize(
    "names", [("paired_similarity", "cross_pair_similarity"), ("Faithfulness", "answer_relevancy")]
)
def test_what_judges_and_embeddings_measure_is_no_data_set(names, rng):
    table = pd.DataFrame({"model": list("abcdef")} | {name: scores(rng, 6) for name in names})
    with pytest.raises(ValueError, match="one score per model and metric"):
        skc.read(table)
    again = pd.concat([table.assign(dataset=one) for one in SETS])
    assert skc.read(again).metrics == names


@pytest.mark.parametrize("parts", [("train", "validation"), ("Train", "val"), ("dev", "training"), ("train", "test")])
@pytest.mark.parametrize("many", [True, False])
def test_of_rows_on_parts_those_on_training_sets_are_left_out(parts, many, rng):
    rows = [(model, fold, part) for model in "ab" for fold in range(10) for part in parts]
    table = pd.DataFrame(rows, columns=["model", "fold" if many else "run", "split"]).assign(acc=scores(rng, 40))
    held_out = next(part for part in parts if not part.lower().startswith("train"))
    plain = skc.read(table[table["split"] == held_out].drop(columns="split"))
    np.testing.assert_array_equal(skc.read(table).scores, plain.scores)


@pytest.mark.parametrize("name", ["data_split", "dataset_fold", "task_split"])
def test_a_column_called_like_data_sets_and_splits_names_neither_where_others_do(name, rng):
    rows = [(model, one, fold) for model in "ab" for one in ("iris", "wine") for fold in range(5)]
    table = pd.DataFrame(rows, columns=["model", "dataset", "fold"]).assign(accuracy=scores(rng, 20))
    plain = skc.read(table)
    assert plain.datasets == ("iris", "wine")
    assert skc.read(table.assign(**{name: "cross-validation"})).datasets == plain.datasets
    with pytest.raises(ValueError, match="names data sets and splits in one cell"):
        skc.read(table.assign(**{name: table.pop("dataset") + "-" + table.pop("fold").astype(str)}))


@pytest.mark.parametrize(
    "names", [("open", "gated"), ("src", "lib", "bin"), ("multilingual", "free", "instruct", "moe")]
)
@pytest.mark.parametrize("written", [{0: "no", 1: "yes"}, {0: "False", 1: "True"}, {0: 0, 1: 1}])
def test_a_yes_and_no_on_each_model_describes_it_unless_that_is_told(names, written, rng):
    models = [f"tool {i}" for i in range(12)]
    table = pd.DataFrame(rng.permuted(np.arange(12 * len(names)).reshape(12, -1) % 2, axis=0), columns=[*names])
    table = table.map(written.get).assign(model=models)
    [found] = asked(table, "may describe the models")
    assert (found.estimators, found.design.kind, found.design.n_splits) == (tuple(models), "items", len(names))


@pytest.mark.parametrize(("name", "is_one"), [("Sum", True), ("Count", True), ("sum", False), ("count", False)])
@pytest.mark.parametrize("rows", ["models", "datasets"])
def test_a_row_that_is_called_a_sum_or_a_count_and_has_other_numbers_is_asked_about(name, is_one, rows, rng):
    """There are encoders of these names."""
    models = ["OneHot", "Ordinal", "Helmert", "Hashing"]
    table = pd.DataFrame(scores(rng, N, 4).round(4), columns=models)
    if is_one:
        more = table["OneHot"] - 0.013
    else:
        more = table.sum(axis=1) if name == "sum" else pd.Series(rng.integers(10, 99, N))
    table = table.assign(**{name: more}).set_axis(SETS)
    table = (
        table.T.rename_axis("encoder").reset_index() if rows == "models" else table.rename_axis("dataset").reset_index()
    )
    if is_one:
        with pytest.raises(ValueError, match=f"'{name}' is called like what sums up others, and has other numbers"):
            skc.read(table, model="encoder", dataset="columns") if rows == "models" else skc.read(table)
    else:
        found = skc.read(table, model="encoder", dataset="columns") if rows == "models" else skc.read(table)
        assert {*found.estimators} == {*models}


@pytest.mark.parametrize(("plain", "measured"), [("R", "%R2"), ("dist", "F1"), ("x", "accuracy")])
def test_columns_of_which_a_part_is_called_like_a_metric_on_data_sets_are_asked_about(plain, measured, rng):
    sets = [f"{part}_{kind}" for part in ("V1", "V4") for kind in ("natural", "illusion")]
    columns = [f"{one}_{name}" for one in (plain, measured) for name in sets]
    table = pd.DataFrame(scores(rng, 12, len(columns)), columns=columns)
    table.insert(0, "Model", [f"net {i}" for i in range(12)])
    [found] = asked(table, "are called like metrics, ")
    assert found.datasets == tuple(columns)


@pytest.mark.parametrize("more", ["randomizer_auc", "random_auc", "baseline auc"])
def test_a_metric_of_something_else_on_each_data_set_describes_it(more, rng):
    table = pd.DataFrame(
        {"corpus": np.repeat(SETS, 3), "strategy": ["rf", "svm", "knn"] * N, "auc": scores(rng, 3 * N)}
    )
    other = table.assign(**{more: np.repeat(scores(rng, N), 3)})
    found, plain = skc.read(other), skc.read(table)
    assert (found.metrics, str(found)) == (plain.metrics, str(plain))
    assert f"{more!r} (what describes rows)" in found.provenance["read_as"]
    assert len(skc.read(table.assign(**{more: scores(rng, 3 * N)})).metrics) == 2


@pytest.mark.parametrize("size", ["dim", "Dimension", "dimensions"])
@pytest.mark.parametrize("cost", ["fe_used", "nfev", None])
def test_optimisers_on_functions_of_several_dimensions_are_given_with_them(size, cost, rng):
    places = list(product(["PSO", "DE", "GWO"], ["Sphere", "Ackley", "Rastrigin"], [10, 30], range(5)))
    table = pd.DataFrame(places, columns=["algorithm", "benchmark", size, "seed"]).assign(best=rng.random(len(places)))
    if cost:
        table[cost] = rng.choice([20_000, 20_012, 60_000], len(places))
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table)
    _, options = refused.value.calls[0]
    assert options == {"dataset": f"benchmark + {size}"}
    study = skc.read(table, **options)
    assert (study.estimators, len(study.datasets), study.metrics) == (("PSO", "DE", "GWO"), 6, ("best",))


@pytest.mark.parametrize("more", [("n_prompts", "n_errors"), ("capacity", "days", "failed"), ("epochs to 90%",)])
@pytest.mark.parametrize("named", ["model", "optimizer"])
def test_counts_beside_numbers_with_decimals_are_no_scores_on_data_sets(more, named, rng):
    table = pd.DataFrame({named: ["SGD", "AdaBoost", "RMSprop", "Forest", "LSTM"]})
    table = table.assign(**{name: rng.integers(2100, 4000, 5) for name in more}, reach=rng.uniform(2, 9, 5))
    table = table.rename(columns=lambda x: x.removeprefix("n_"))
    said = "may be data sets, or describe the models"
    assert {len(one.datasets) for one in asked(table, said)} == {len(more) + 1}
    same = skc.read(table[[named]].assign(**{name: rng.uniform(20, 4000, 5) for name in (*SETS[:3], "reach")}))
    assert len(same.datasets) == 4


@pytest.mark.parametrize("metric", ["Accuracy", "acc", "rmse", "Acc (mean \u00b1 std)"])
@pytest.mark.parametrize("other", ["Reward Drop", "pct_kept", "Stealth"])
def test_one_column_called_like_a_metric_of_something_beside_others_is_asked_about(metric, other, rng):
    table = pd.DataFrame({"Model": ["Baseline", "Defended", "Ours"], f"Clean OOD {metric}": scores(rng, 3)})
    [found] = asked(
        table.assign(**{other: scores(rng, 3)}), f"'Clean OOD {metric[:3]}.* called like metrics, '{other}'"
    )
    assert len(found.datasets) == 2
    both = table.assign(**{f"Noisy {metric}": scores(rng, 3)})
    assert skc.read(both).datasets == ("Clean OOD", "Noisy")


@pytest.mark.parametrize("metric", ["mae", "rmse", "auc", "r2"])
@pytest.mark.parametrize("other", ["ape", "skew", "quality"])
@pytest.mark.parametrize("case", ["fold", "dataset"])
def test_two_measures_of_parts_are_no_four_models(metric, other, case, rng):
    names = [f"{part}_{kind}" for part in ("circ", "long") for kind in (metric, other)]
    table = pd.DataFrame({case: SETS if case == "dataset" else range(N), **{name: scores(rng, N) for name in names}})
    found = asked(table, "may be models, or say something of other columns")
    assert [len(one.estimators) for one in found] == [2]
    assert found[0].metrics == (metric,)


@pytest.mark.parametrize(
    "names", [["$\\alpha$", "$\\lambda$"], ["mu_annual", "sigma_annual", "sharpe_naive"], ["beta", "tau"]]
)
@pytest.mark.parametrize("case", ["Data set", "ticker"])
def test_parameters_are_no_models(names, case, rng):
    table = pd.DataFrame({case: ["AAPL", "IBM", "NVDA", "AMD", "KO", "PEP"], **{x: scores(rng, 6) for x in names}})
    assert asked(table, "may be models, or say something of other columns")
    vae = pd.DataFrame({"dataset": SETS, "beta-VAE": scores(rng, N), "VAE": scores(rng, N), "PCA": scores(rng, N)})
    assert skc.read(vae).estimators == ("beta-VAE", "VAE", "PCA")


@pytest.mark.parametrize("kind", ["n_recs", "num_resolved", "token_count"])
def test_rows_called_like_counts_name_no_data_sets_without_asking(kind, rng, tmp_path):
    own = {kind: 240, "resolved_share": 0.5, "popularity": 48.9}
    path = tmp_path / "summary.json"
    path.write_text(json.dumps({"gpt-4.1": own, "claude-4": {name: 0.9 * x for name, x in own.items()}}))
    assert asked(path, "nothing says what 'column 1' names")
    path.write_text(json.dumps({name: dict(zip(SETS, scores(rng, N), strict=True)) for name in ("gpt-4", "claude")}))
    assert skc.read(path).estimators == ("gpt-4", "claude")


@pytest.mark.parametrize("setting", ["embedding", "setting", "prompt_style"])
def test_texts_that_models_share_name_no_runs(setting, rng):
    places = list(product(["svm", "mlp"], ["MiniLM", "e5", "bge"]))
    table = pd.DataFrame(places, columns=["classifier", setting]).assign(f1=scores(rng, 6))
    with pytest.raises(ValueError, match=f"'{setting}' names data sets") as refused:
        skc.read(table)
    assert [*refused.value.calls[0][1]] == ["dataset"]
    assert not any("run" in call for _, call in refused.value.calls)


@pytest.mark.parametrize("form", ["{}_{}", "{} {}", "{}{}"])
def test_counts_of_a_confusion_matrix_beside_metrics_are_left_out(form, rng):
    table = pd.DataFrame(
        {"method": np.repeat(["fedavg", "krum"], 4), "seed": [*range(4)] * 2, "accuracy": scores(rng, 8)}
    )
    names = [form.format(*x).strip("_") for x in ("tp", "tn", "fp")] if form == "{}{}" else []
    names = names or [form.format(a, b) for a in ("true", "false") for b in ("positives", "negatives")]
    counted = table.assign(**{name: rng.integers(10, 500, 8) for name in names})
    found = skc.read(counted)
    assert (found.metrics, str(found)) == (("accuracy",), str(skc.read(table)))
    assert f"{names[-1]!r} (what was computed of models)" in found.provenance["read_as"]
    with pytest.raises(ValueError, match=f"'{names[-1]}' are counts: give a metric") as refused:
        skc.read(counted.drop(columns="accuracy").assign(asr=scores(rng, 8)))
    assert "'asr'" not in str(refused.value)


@pytest.mark.parametrize("truths", [(0, 1), ("ham", "spam"), (False, True)])
@pytest.mark.parametrize("name", ["prediction", "pred", "y_pred"])
def test_shares_that_are_called_predictions_of_two_classes_are_scores(truths, name, rng):
    true, shares = rng.integers(0, 2, 40), {model: rng.random(40) for model in ("lr", "gat")}
    rows = [(m, i, x[i], truths[true[i]]) for m, x in shares.items() for i in range(40)]
    found = skc.read(pd.DataFrame(rows, columns=["model", "index", name, "y_true"]))
    plain = skc.from_predictions([truths[i] for i in true], shares)
    assert found.metrics == plain.metrics
    np.testing.assert_array_equal(found.scores, plain.scores)


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
@pytest.mark.parametrize("words", ["ids", "sentences", "few"])
def test_texts_that_share_no_value_with_the_true_ones_describe_the_samples(words, rng):
    texts = {"ids": [f"BP{i:04d}" for i in range(30)], "few": ["iv", "vii"] * 15}
    texts["sentences"] = [f"an answer of {i} words" for i in range(30)]
    table = pd.DataFrame({"about": texts[words], "gold": rng.choice(["same", "other"], 30)})
    with pytest.raises(ValueError, match="'about' may hold predictions of 'gold'") as refused:
        skc.read(table)
    assert not refused.value.calls
    models = [f"B{i}_{name}" for i, name in enumerate(["Exact", "Cosine", "Naive"])]
    table = table.assign(**{name: rng.permutation(table["gold"]) for name in models})
    if words == "few":  # perhaps same and other, otherwise spelt
        (found,) = asked(table, "'about' may hold predictions of 'gold'")
    else:
        found = skc.read(table)
        assert "'about' (what describes" in found.provenance["read_as"]
    assert found.estimators == tuple(models)


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
@pytest.mark.parametrize("stem", ["attend", "age", "default"])
@pytest.mark.parametrize("end", ["hat", "pred"])
def test_what_ends_as_true_values_do_is_no_model(stem, end, rng):
    table = pd.DataFrame({"row": range(20), f"{stem}_true": rng.integers(0, 2, 20)})
    table[f"{stem}_{end}"] = 1 - table[f"{stem}_true"] * rng.integers(0, 2, 20)
    found = skc.read(table)
    assert found.estimators == (f"{stem}_{end}",)


@pytest.mark.parametrize("column", ["ChestX_AUC", "clean acc", "PubMed F1"])
def test_one_score_per_model_is_called_so_whatever_its_data_set(column, rng):
    with pytest.raises(ValueError, match="it has one score per model: "):
        skc.read(pd.DataFrame({"model": ["resnet", "vit", "mae"], column: scores(rng, 3)}))


@pytest.mark.parametrize("name", ["avg_extra_time_sec", "inference_time_per_sample_ms", "p95 latency (ms)", "avg_rtf"])
def test_times_with_a_unit_and_mean_sizes_are_no_scores(name, rng):
    table = pd.DataFrame({"model": ["whisper", "wav2vec", "conformer"], "wer": scores(rng, 3), name: scores(rng, 3)})
    with pytest.raises(ValueError, match="it has one score per model: "):
        skc.read(table)
    folds = pd.concat([table.assign(fold=i, wer=scores(rng, 3)) for i in range(5)])
    assert skc.read(folds).metrics == ("wer",)


@pytest.mark.parametrize("others", [("tn", "fp"), ("PEHE",), ("n_wrong", "threshold")])
def test_metrics_beside_others_say_that_nothing_names_models(others, rng):
    table = pd.DataFrame({"seed": range(6), "AUC": scores(rng, 6), "F1": scores(rng, 6)})
    table = table.assign(**{name: rng.integers(10, 90, 6) + 0.5 for name in others})
    with pytest.raises(ValueError, match=r"stand beside others, .*and nothing names models\."):
        skc.read(table)


@pytest.mark.parametrize("total", ["Total", "sum", "Grand total"])
@pytest.mark.parametrize("names", [("baseline", "mismatch", "premise"), ("tree", "bush"), ("Ours", "web", "books")])
def test_counts_with_their_total_are_no_scores_of_what_is_called_like_a_learner(total, names, rng):
    counts = pd.DataFrame(rng.integers(10, 90, (6, len(names))), columns=names)
    counts.insert(0, "modality", ["CT", "MRI", "CXR", "ECG", "PET", "US"])
    assert asked(counts.assign(**{total: counts[[*names]].sum(axis=1)}), "nothing shows that the numbers of")
    table = counts.assign(**{name: scores(rng, 6) for name in names})
    assert skc.read(table).estimators == names


@pytest.mark.parametrize("unit", ["pixels", "%", "in mm"])
@pytest.mark.parametrize("named", ["Method", "model", "algorithm"])
def test_the_unit_of_a_column_hides_no_metric(unit, named, rng):
    table = pd.DataFrame({named: ["Template", "Rotation", "Both"], "Matching Score": scores(rng, 3)})
    table[f"Localization Error ({unit})"] = rng.uniform(0.1, 9, 3)
    [found] = asked(table, r"'Localization Error .* called like metrics, 'Matching Score'")
    assert found.datasets == tuple(table.columns[1:])


@pytest.mark.parametrize("other", ["bias", "PEHE", "coverage"])
def test_a_metric_beside_one_more_is_one_score_each(other, rng):
    table = pd.DataFrame({"method": ["gnn", "pca", "ours"], "rmse": scores(rng, 3), other: scores(rng, 3)})
    with pytest.raises(ValueError, match="it has one score per model and metric, ") as refused:
        skc.read(table)
    assert not refused.value.calls


@pytest.mark.parametrize(
    "names", [("y_pred", "prediction"), ("Predicted", "predicted_label"), ("probability", "y_prob")]
)
def test_two_columns_of_one_kind_of_predictions_are_refused(names, rng):
    truth = rng.permutation([0, 1] * (N // 2)).tolist()
    table = pd.DataFrame({"model": np.repeat(["svm", "rf"], N), "id": [*range(N)] * 2, "y_true": truth * 2})
    with pytest.raises(ValueError, match="it has true values, and no column of predictions"):
        skc.read(table)
    drawn = {name: rng.integers(0, 2, 2 * N) for name in rng.permutation(names)}
    for name, cells in drawn.items():
        assert skc.read(table.assign(**{name: cells}), metrics=["accuracy"]).estimators == ("svm", "rf")
    with pytest.raises(ValueError, match="could all be the pr"):
        skc.read(table.assign(**drawn))


@pytest.mark.parametrize("name", ["score", "Score", "value"])
def test_scores_of_samples_without_predictions_are_read(name, rng):
    truth = np.tile([0, 1], N)
    cells = [*(truth + rng.random(2 * N)) / 2, *rng.random(2 * N)]
    table = pd.DataFrame({"model": np.repeat(["svm", "rf"], 2 * N), "id": [*range(2 * N)] * 2, name: cells})
    result = skc.read(table.assign(y_true=[*truth, *truth]))
    svm, rf = result.scores[:, 0, result.metrics.index("roc_auc")]
    assert svm == 1 > rf


@pytest.mark.parametrize("name", ["difficulty", "zeta", "discrimination"])
def test_one_column_of_fractions_among_right_and_wrong_is_asked_about(name, rng):
    table = pd.DataFrame({"id": [f"q{i}" for i in range(40)], name: rng.random(40).round(2)})
    table = table.assign(svm=rng.integers(0, 2, 40), rf=rng.integers(0, 2, 40))
    plain, both = asked(table, f"'{name}' may be models", item="id")
    assert {*plain.estimators} == {"svm", "rf"}
    assert {*both.estimators} == {"svm", "rf", name}


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("value", [np.inf, -np.inf])
@pytest.mark.parametrize("first", ["fold", "seed", "question_id", "model"])
def test_infinite_scores_are_refused_by_their_cell_and_nothing_else_is_said(value, first, rng, tmp_path):
    """Warnings of numpy came before the refusal."""
    rows = ["svm", "rf", "knn", "mlp", "nb", "lda"] if first == "model" else range(6)
    columns = SETS[:3] if first == "model" else ["svm", "rf", "knn"]
    table = pd.DataFrame({first: rows, **{name: scores(rng, 6) for name in columns}})
    at = rng.choice(6, int(rng.integers(1, 7)), replace=False)
    table.loc[at, columns[1]] = value
    table.to_csv(tmp_path / "x.csv", index=False)
    for source in (table, tmp_path / "x.csv"):
        with pytest.raises(ValueError, match=f"'{rows[min(at)]}', column '{columns[1]}': a score must be finite"):
            skc.read(source)


QUANTITIES = ["pos", "vel", "x", "y", "left", "right", "circ", "minority", "overlap", "raw stress", "citation", "LV"]
OF_MODELS = ["svm", "rf", "baseline", "ours", "enet", "gcn", "old", "new", "v1", "v2", "method_a", "model2", "hybrid"]


@pytest.mark.parametrize("metrics", [["rmse"], ["mae", "r2"], ["dice"]])
@pytest.mark.parametrize("form", ["{}_{}", "{0}-{1}", "{1}_{0}", "{} ({})"])
@pytest.mark.parametrize("case", ["fold", "dataset", "seed"])
def test_quantities_with_a_metric_are_no_models_without_asking(metrics, form, case, rng):
    names = [str(x) for x in rng.choice(QUANTITIES, int(rng.integers(2, 5)), replace=False)]
    headers = [form.format(name, metric) for name in names for metric in metrics]
    rows = SETS if case == "dataset" else range(N)
    table = pd.DataFrame({case: rows} | {name: scores(rng, N) for name in headers})
    [result] = asked(table, "of parts such as classes or quantities")
    assert (result.estimators, result.metrics) == (tuple(names), tuple(metrics))


@pytest.mark.parametrize("metrics", [["rmse"], ["mae", "r2"], ["acc"]])
@pytest.mark.parametrize("case", ["fold", "dataset", "seed"])
def test_learners_baselines_and_versions_with_a_metric_are_models(metrics, case, rng):
    known, unknown = rng.choice(OF_MODELS, 2, replace=False), rng.choice(QUANTITIES, 1)
    names = [str(x) for x in (*known, *unknown)]
    rows = SETS if case == "dataset" else range(N)
    table = pd.DataFrame({f"{name}_{one}": scores(rng, N) for name in names for one in metrics}).assign(**{case: rows})
    found = skc.read(table)
    assert (found.estimators, found.metrics) == (tuple(names), tuple(metrics))


@pytest.mark.parametrize("end", ["gain", "change", "gap", "delta", "improvement"])
def test_what_is_said_of_one_model_in_every_run_is_no_model(end, rng):
    columns = {name: rng.normal(5, 9, N) for name in (f"raw_predicted_{end}", f"raw_true_{end}", "repair", "loops")}
    with pytest.raises(ValueError, match=f"nothing shows .*'raw_predicted_{end}'"):
        skc.read({"seed": range(100, 100 + N), **columns})


@pytest.mark.parametrize("case", ["image", "fold", "seed"])
def test_settings_that_are_the_same_in_all_rows_are_no_models(case, rng):
    value = int(rng.integers(200, 5_000))
    names = [f"img{i}.png" for i in range(N)] if case == "image" else range(N)
    table = pd.DataFrame({case: names, "evaluation": rng.integers(-400, 800, N) + 0.5, "options.hash": value})
    asked(table.assign(other=rng.normal(0, 300, N)), "nothing shows .*'options.hash'")


def test_metrics_in_records_of_json_are_no_models(rng, tmp_path):
    names = [str(x) for x in rng.choice(["text", "code", "table", "formula"], 3, replace=False)]
    parts = [{x: {"edit": rng.random(), "nodes": int(rng.integers(1, 50))} for x in names} for _ in range(9)]
    rows = [{"sample_id": f"s{i}", "about": {"url": f"u{i}"}, "metrics": own} for i, own in enumerate(parts)]
    path = tmp_path / "samples.json"
    path.write_text(json.dumps(rows))
    with pytest.raises(ValueError, match="names of metrics, and nothing names models"):
        skc.read(path)


@pytest.mark.parametrize("inner", ["fold_results", "lls", "history"])
def test_lists_in_records_of_json_name_nothing(inner, rng, tmp_path):
    of = rng.random((5, 4)).round(4)
    rows = [
        {"scale": i / 2, inner: [{"fold": k, "mae": x} for k, x in enumerate(own)]} for i, own in enumerate(of.tolist())
    ]
    rows = [{**row, "old_score": of[i].mean(), "new_score": of[i].max()} for i, row in enumerate(rows)]
    path = tmp_path / "sweep.json"
    path.write_text(json.dumps({"config": {"n": 5}, "results": rows}))
    with pytest.raises(ValueError, match="sweep") as refused:
        skc.read(path)
    assert inner not in {x for _, call in refused.value.calls for x in call.values() if isinstance(x, str)}


def test_more_columns_of_zeros_and_ones_than_rows_are_no_models(rng):
    n = int(rng.integers(22, 40))
    genes = {f"1_{i}": rng.integers(0, 2, n) for i in rng.choice(9_999, n + 5, replace=False)}
    with pytest.raises(ValueError, match="may be labels of the rows"):
        skc.read({"accession_id": [*range(7000, 7000 + 3 * n, 3)], **genes})


@pytest.mark.parametrize("name", ["person_id", "subject", "Patient"])
def test_what_is_there_of_persons_is_nothing_that_models_got_right(name, rng):
    table = pd.DataFrame({name: [f"P{i:02d}" for i in range(13)], **{x: rng.integers(0, 2, 13) for x in "RWSM"}})
    asked(table.assign(R=1, W=[0, 1] * 6 + [1]), f"nothing says what '{name}' names")
    known = table.rename(columns={"R": "svm", "W": "rf"}).drop(columns=["S", "M"]).assign(rf=[0, 1] * 6 + [1])
    assert skc.read(known).estimators == ("svm", "rf")


@pytest.mark.parametrize("name", ["avg_response_time_s", "ttft_latency_s", "end_to_end_time_s"])
def test_counts_among_percentages_are_no_data_sets_and_seconds_none(name, rng):
    parts = {x: rng.uniform(40, 95, 6).round(2) for x in ("compliance", "safety", "reliability")}
    table = pd.DataFrame({"model": [f"llm-{x}" for x in "abcdef"], **parts, name: rng.uniform(1, 9, 6).round(2)})
    assert skc.read(table).datasets == tuple(parts)
    asked(
        table.assign(avg_response_words=rng.uniform(300, 700, 6).round(1)), "may be data sets, or describe the models"
    )
    nested = table.rename(columns={x: f"scores.{x}" for x in parts})
    nested = nested.assign(**{f"pass_rates.{x}": rng.uniform(50, 90, 6).round(1) for x in parts})
    asked(nested, "may be data sets, or describe the models")


def test_metrics_without_blanks_in_their_names_are_no_data_sets(rng):
    ends = [str(x) for x in rng.permutation(["Accuracy", "ErrorRate", "F1", "Recall"])]
    columns = {
        f"{x}{end}": rng.random(2) for x, end in zip(["Temporal", "Stale", "Change", "Trace"], ends, strict=True)
    }
    asked(pd.DataFrame({"system": ["A", "C"], **columns, "TRS": rng.random(2)}), "are called like metrics")


def test_one_name_like_that_of_a_learner_among_many_makes_no_models_of_rows(rng):
    names = ["net", *(f"{a}{b}o" for a, b in product("bcdfgkl", "aeiu"))]
    table = pd.DataFrame({"rownames": rng.permutation(names), "birth": rng.uniform(10, 50, 29).round(1)})
    asked(table.assign(death=rng.uniform(5, 20, 29).round(1)), "'rownames' may name data sets or models")


@pytest.mark.parametrize("more", [[], ["train_start", "test_end"]])
def test_splits_that_end_before_their_test_set_begins_are_in_time_order(more, rng):
    dates = {
        "train_end": "2006-03-31",
        "test_start": "2006-05-31",
        "train_start": "2001-04-30",
        "test_end": "2010-02-28",
    }
    table = pd.DataFrame(product(["svm", "rf"], range(5)), columns=["model", "fold"]).assign(auc=scores(rng, 10))
    for name in ["train_end", "test_start", *more]:
        table[name] = [str(int(dates[name][:4]) + k) + dates[name][4:] for k in table["fold"]]
    assert skc.read(table).design.time_order
    assert not skc.read(table.drop(columns="train_end")).design.time_order


@pytest.mark.parametrize("metric", ["answer_f1", "exact_match_accuracy", "wer"])
def test_answers_beside_their_grades_are_no_predictions_that_lack_true_values(metric, rng):
    rows = pd.DataFrame(product(["tfidf", "hybrid"], range(12)), columns=["method", "i"])
    table = rows.assign(question_id=[f"q{i}" for i in rows.pop("i")], prediction=[f"text {i}" for i in range(24)])
    found = skc.read(table.assign(**{metric: scores(rng, 24)}))
    assert (found.design.name, found.metrics) == ("12 items", (metric,))


@pytest.mark.parametrize("called", ["true_{}", "{}_true", "True {}"])
def test_a_true_value_before_or_behind_the_name_of_what_is_predicted(called, rng):
    table = pd.DataFrame({called.format("dg"): rng.normal(0, 9, 30)})
    found = skc.read(table.assign(pred_dg=table.iloc[:, 0] + rng.normal(0, 1, 30)))
    assert found.provenance["read_as"].startswith("Read as: predictions of 1 model")


def test_languages_of_sentences_are_data_sets_and_no_runs(rng):
    rows = pd.DataFrame(
        product(["bert", "roberta"], ["en", "de", "es"], range(6)), columns=["model", "lang", "sent_id"]
    )
    results = asked(rows.assign(precision=scores(rng, 36)), "has several scores")
    assert all(result.design.kind == "items" for result in results)
    assert any("3 data sets (column 'lang')" in result.provenance["read_as"] for result in results)
    assert not any("averaged" in result.provenance["read_as"] for result in results)


def test_of_columns_of_several_metrics_none_are_offered_together_as_models(rng):
    models = [str(x) for x in rng.choice(["svm", "rf", "knn", "lda"], 2, replace=False)]
    losses = {f"{x}_{y}": rng.uniform(2, 5, 6) for x in models for y in ("mae", "rmse")}
    shares = {f"{x}_{y}": scores(rng, 6) for x in models for y in ("r2", "zeal")}
    with pytest.raises(ValueError, match="may be models") as refused:
        skc.read({"fold": [*range(6)], **losses, **shares})
    shortest = min((call["models"] for _, call in refused.value.calls), key=len)
    assert len({name.rsplit("_", 1)[1] for name in shortest}) == 1


def test_a_value_that_is_told_settles_which_of_two_outcomes_counts(rng):
    rows = pd.DataFrame(product(["bert", "gpt"], range(20)), columns=["model", "item"])
    table = rows.assign(passed=rng.integers(0, 2, 40), success=rng.integers(0, 2, 40), points=scores(rng, 40))
    assert skc.read(table, value="points").metrics == ("points",)
    assert len(asked(table, "could both name the outcome")) == 2


@pytest.mark.parametrize("name", ["noise", "alpha", "n_shots", "level", "x"])
@pytest.mark.parametrize("levels", [(0, 0.1, 0.2), (1, 5), (0.25, 0.5, 0.75, 1)])
@pytest.mark.parametrize("first", [False, True])
def test_levels_of_a_setting_beside_columns_of_models_are_no_model(name, levels, first, rng):
    table = {"dataset": np.repeat(SETS, len(levels)), name: np.tile(levels, N)}
    own = {model: scores(rng, N * len(levels)) for model in ("svm", "rf")}
    table = {**table, **own} if first else {"dataset": table["dataset"], **own, name: table[name]}
    with pytest.raises(ValueError, match=f"{name}.*may be|rows of one value of '{name}'") as refused:
        skc.read(table)
    for _, call in refused.value.calls:
        assert name not in skc.read(table, **call).estimators


@pytest.mark.parametrize("name", ["alpha", "depth", "learning rate"])
@pytest.mark.parametrize("metric", ["rmse", "accuracy"])
def test_numbers_of_a_setting_are_offered_as_models_where_nothing_else_names_them(name, metric, rng):
    table = {name: np.repeat([0.1, 1, 10], 5), "fold": np.tile(np.arange(5), 3), metric: scores(rng, 15)}
    [found] = asked(table, "nothing names models")
    assert (found.estimators, found.metrics) == (("0.1", "1.0", "10.0"), (metric,))
    np.testing.assert_array_equal(found.scores[:, :, 0].ravel(), table[metric])


@pytest.mark.parametrize(
    "name", ["mean absolute percentage error", "Classification error", "quantile loss", "n_errors"]
)
@pytest.mark.parametrize("wide", [False, True])
def test_names_that_end_as_losses_are_losses(name, wide, rng):
    values = rng.integers(1, 40, (N, 2)) / (1 if name == "n_errors" else 8)
    table = {"dataset": np.repeat(SETS, 2), "model": ["svm", "rf"] * N, name: values.ravel()}
    if wide:
        table = {"dataset": SETS, "metric": [name] * N, "svm": values[:, 0], "rf": values[:, 1]}
    found = skc.read(table)
    assert (found.metrics, found.greater_is_better) == ((name,), (False,))
    assert any(warning.code == "ASSUMED" and name in warning for warning in found.warnings)


@pytest.mark.parametrize("name", ["false positives", "TP", "fn"])
def test_a_count_that_is_the_only_score_is_read_and_not_left_out(name, rng):
    table = {"dataset": np.repeat(SETS, 2), "model": ["svm", "rf"] * N, name: rng.integers(1, 40, 2 * N)}
    said = skc.read(table).provenance["read_as"]
    assert f"metric {name}" in said
    assert "Left out" not in said


@pytest.mark.parametrize("times", [1, 3])
def test_a_header_that_stands_again_among_the_rows_is_no_row(times, rng, tmp_path):
    parts = [pd.DataFrame({"model": m, "seed": range(4), "acc": scores(rng, 4)}) for m in ("svm", "rf", "nb", "lr")]
    texts = [part.to_csv(index=False) for part in parts[: times + 1]]
    (tmp_path / "all.csv").write_text("".join(texts), encoding="utf-8")
    found = skc.read(tmp_path / "all.csv")
    alike = skc.read(pd.concat(parts[: times + 1]))
    np.testing.assert_array_equal(found.scores, alike.scores)
    assert found.estimators == alike.estimators


@pytest.mark.parametrize("form", ["prob_{}", "proba {}", "probability-{}"])
@pytest.mark.parametrize("classes", [(0, 1), ("no", "yes"), ("a", "b", "c")])
@pytest.mark.parametrize("files", [False, True])
def test_probabilities_of_classes_beside_predictions_are_read(form, classes, files, rng, tmp_path):
    n, own = 60, []
    truth = rng.choice(np.array(classes), n)
    for model in ("svm", "rf"):
        shares = rng.dirichlet(np.ones(len(classes)), n) + (truth[:, None] == np.array(classes))
        shares = (shares / shares.sum(axis=1, keepdims=True)).round(6)
        about = {"idx": range(n), "model": model, "label": truth, "pred": np.array(classes)[shares.argmax(axis=1)]}
        own.append(pd.DataFrame({**about, **{form.format(x): shares[:, i] for i, x in enumerate(classes)}}))
    if files:
        for frame in own:
            frame.drop(columns="model").to_csv(tmp_path / f"{frame['model'][0]}.csv", index=False)
    found = skc.read(*(tmp_path / f"{x}.csv" for x in ("svm", "rf"))) if files else skc.read(pd.concat(own))
    named = pd.concat(own).rename(columns={form.format(x): f"probability_{x}" for x in classes})
    alike = skc.read(named)
    assert alike.metrics[-1].startswith("roc_auc")
    assert found.metrics == alike.metrics
    np.testing.assert_allclose(found.scores, alike.scores)


STATISTICS = [
    ("rmse_mean", "rmse_std", "mae_mean", "mae_std"),
    ("mean", "std", "min", "max"),
    ("p50", "p95", "p99"),
    ("throughput", "latency", "memory"),
    ("mean_time_ms", "std_time_ms", "max_time_ms", "fps"),
]


@pytest.mark.parametrize("names", STATISTICS)
@pytest.mark.parametrize("form", ["json", "frame"])
def test_statistics_and_metrics_in_rows_are_no_data_sets(names, form, rng, tmp_path):
    scores_of = {model: dict(zip(names, rng.random(len(names)).tolist(), strict=True)) for model in ("TabNet", "XGB")}
    (tmp_path / "cv.json").write_text(json.dumps(scores_of), encoding="utf-8")
    with pytest.raises(ValueError, match=r"one score per model and metric|mean and quartiles") as refused:
        skc.read(tmp_path / "cv.json" if form == "json" else pd.DataFrame(scores_of).reset_index())
    assert not getattr(refused.value, "calls", ())


@pytest.mark.parametrize("name", ["losses", "test_errors", "rmses", "log_losses", "memory_usage", "energy", "flops"])
def test_files_called_like_losses_or_costs_are_asked_about(name, rng, tmp_path):
    path = tmp_path / f"{name}.csv"
    pd.DataFrame({"dataset": SETS, "svm": scores(rng, N), "rf": scores(rng, N)}).to_csv(path, index=False)
    less, more = asked(path, "the name of the file, or a title, has")
    assert (less.greater_is_better, more.greater_is_better) == ((False,), (True,))


@pytest.mark.parametrize("value", ["mean", "median", "value", "result", "avg", "score"])
@pytest.mark.parametrize("told", [False, True])
def test_large_scores_of_no_metric_are_cautioned_whatever_names_their_column(value, told, rng):
    table = {"func": np.repeat(SETS, 2), "model": ["WOA", "PSO"] * N, value: rng.uniform(1e3, 1e6, 2 * N)}
    found = skc.read(table, dataset="func", **({"value": value} if told else {}))
    assert (found.metrics, found.greater_is_better) == (("score",), (True,))
    assert any(one.code == "ASSUMED" and "more of score is taken for better" in one for one in found.warnings)


@pytest.mark.parametrize(
    "names", [("y_true", "y_pred"), ("actual_speed", "predicted_speed"), ("y_observed", "y_predicted")]
)
@pytest.mark.parametrize("error", ["residual", "Residual", "resid", "abs_error"])
def test_residuals_beside_predictions_are_no_model(names, error, rng):
    truth = rng.normal(5, 1, 40).round(3)
    predicted = truth + rng.normal(0, 0.3, 40).round(3)
    found = skc.read({names[0]: truth, names[1]: predicted, error: truth - predicted})
    assert len(found.estimators) == 1
    error_of = found.scores[0, 0, found.metrics.index("neg_root_mean_squared_error")]
    assert -error_of == pytest.approx(np.sqrt(((truth - predicted) ** 2).mean()))


def test_features_beside_predictions_come_last_in_the_calls(rng):
    truth, n = rng.integers(0, 2, 60), int(rng.integers(3, 9))
    table = {"y_true": truth, "y_pred": np.where(rng.random(60) < 0.8, truth, 1 - truth)}
    features = {f"feature {i}": rng.random(60) for i in range(n)}
    one, both = asked({**features, **table}, "may hold predictions of 'y_true' beside", metrics=["accuracy"])
    assert (len(one.estimators), len(both.estimators)) == (1, n + 1)


@pytest.mark.parametrize("cells", ["sentences", "ids", "data sets"])
def test_cells_that_name_no_models_are_not_offered_as_such(cells, rng):
    made = {
        "sentences": [f"this is the text number {i} of a file of samples that were graded" for i in range(30)],
        "ids": [f"tile_{i:04d}" for i in range(60)],
        "data sets": ["iris", "wine", "mnist", "cifar10", "adult", "sonar", "glass", "vehicle"],
    }[cells]
    with pytest.raises(ValueError, match="columns are numbered, and nothing says what they are") as refused:
        skc.read({"what": made, **{str(i): scores(rng, len(made)) for i in range(5)}})
    assert not any("model" in call for _, call in refused.value.calls)
    models = asked({"what": ["A1", "B2", "C3"], **{str(i): scores(rng, 3) for i in range(5)}}, "columns are numbered")
    assert any(found.estimators == ("A1", "B2", "C3") for found in models)


@pytest.mark.parametrize("name", ["config", "configuration", "model_version", "Forecaster"])
def test_more_names_of_columns_name_models(name, rng):
    found = skc.read({name: ["a", "b"] * N, "dataset": np.repeat(SETS, 2), "accuracy": scores(rng, 2 * N)})
    assert found.estimators == ("a", "b")


# Names of metrics as other libraries print them, and of which less is better as their documentation says.
METRICS_OF = {
    "torchmetrics": "PearsonCorrCoef SpearmanCorrCoef ConcordanceCorrCoef MatthewsCorrCoef "
    "StructuralSimilarityIndexMeasure PeakSignalNoiseRatio JaccardIndex BLEUScore ROUGEScore CLIPScore "
    "MulticlassF1Score R2Score InceptionScore",
    "yardstick": "bal_accuracy kap j_index rsq_trad ccc rpd rpiq pr_auc gain_capture f_meas ppv",
    "rankings": "hits@10 P@10 HR@10 R@1 RR@10 recip_rank bpref Rprec ndcg_cut_10 AP@1000",
    "others": "pixel_acc FWIoU dice_coef concordance_index uno_c exact_match,strict-match acc,none rougeLsum sacrebleu "
    "cosine_pearson manhattan_spearman v_measure success_rate PESQ STOI SI-SDR UAS LAS TM-score npmi NSE KGE",
}
LOSSES_OF = {
    "torchmetrics": "MeanSquaredLogError WordErrorRate FrechetInceptionDistance LearnedPerceptualImagePatchSimilarity",
    "yardstick": "mn_log_loss huber_loss rmse",
    "forecasts": "wape wql msis owa crps_sum pinball_loss winkler_score nmae MSLE rrse mdape",
    "others": "davies_bouldin_score assd minADE minDCF kl_divergence toxicity aurc cross_entropy FPR@95TPR",
}


@pytest.mark.parametrize(
    ("names", "less"),
    [([x for x in get_scorer_names() if not x.startswith("neg_")], False)]
    + [(names.split(), False) for names in METRICS_OF.values()]
    + [(names.split(), True) for names in LOSSES_OF.values()],
)
@pytest.mark.parametrize("form", ["dataset", "fold", "model", "rows"])
def test_metrics_that_are_known_by_name_are_neither_models_nor_data_sets(names, less, form, rng):
    first, *rest = rng.permutation(names)[:12]
    for one, other in zip([first, *rest], [*rest, first], strict=True):
        table = pd.DataFrame({form: range(N), one: scores(rng, N), other: scores(rng, N)})
        if form == "rows":
            table = pd.DataFrame({"": [one, other], **dict(zip(("svm", "knn", "nb"), scores(rng, 3, 2), strict=True))})
        elif form != "fold":
            table[form] = table[form].map("{}x".format)
        with pytest.raises(ValueError, match=r"nothing names models|one score per model"):
            skc.read(table)
        models = {"model": np.repeat(["svm", "knn", "nb"], N), "dataset": SETS * 3}
        result = skc.read(pd.DataFrame({**models, one: scores(rng, 3 * N), other: scores(rng, 3 * N)}))
        assert (result.metrics, result.greater_is_better) == ((one, other), (not less,) * 2)


@pytest.mark.parametrize(
    ("outer", "inner"), [("Subject", ["pre", "post"]), ("case", [1, 2]), ("site", ["a", "b", "c"])]
)
@pytest.mark.parametrize("learners", [["svm", "rf"], ["CSP+LDA", "EEGNet", "knn"]])
def test_cases_with_two_names_beside_a_column_per_model_are_items_in_clusters(outer, inner, learners, rng):
    names = pd.DataFrame([(f"{outer}{x:02d}", one) for x in range(12) for one in inner], columns=[outer, "session"])
    values = scores(rng, len(names), len(learners))
    results = asked(names.assign(**dict(zip(learners, values.T, strict=True))), "nothing names models|columns of names")
    assert {one.estimators for one in results[:2]} == {tuple(learners)}
    assert [one.design.n_clusters for one in results[:2]] == [12, len(inner)]
    np.testing.assert_allclose(results[0].scores[..., 0].mean(axis=1), values.mean(axis=0))


@pytest.mark.parametrize("judge", ["annotator", "rater"])
@pytest.mark.parametrize("grades", [("fluency", "adequacy"), ("style", "tone", "depth")])
def test_grades_of_several_judges_under_names_that_say_nothing_are_asked_about(judge, grades, rng):
    rows = list(product("ABC", range(20), ("nmt", "llm")))
    table = pd.DataFrame(rows, columns=[judge, "item", "system"])
    table = table.assign(**{name: rng.integers(1, 6, len(rows)) for name in grades})
    for result in asked(table, "could all be scores"):
        assert (result.estimators, result.metrics) == (("nmt", "llm"), grades)
        np.testing.assert_allclose(result.scores.mean(axis=1), table.groupby("system", sort=False)[[*grades]].mean())


@pytest.mark.parametrize("form", ["{} \u2191|{} \u2193", "{}\u2191|{}\u2193", "{} (\u2191)|{} (\u2193)"])
def test_arrows_behind_data_sets_say_on_which_of_them_less_is_better(form, rng):
    up, down = form.split("|")
    names = [*map(up.format, SETS[:3]), *map(down.format, SETS[3:])]
    models = ["MLP", "ResNet", "XGBoost", "CatBoost"]
    table = pd.DataFrame(scores(rng, 4, N), columns=names).assign(Method=models)
    (study,) = asked(table, "may be data sets, or describe the models")
    assert (study.datasets, study.metrics) == ((*SETS,), ("rank",))
    ranks = table.set_index("Method")[names].rank(axis=0)
    ranks[names[:3]] = 5 - ranks[names[:3]]
    np.testing.assert_array_equal(study.scores[:, :, 0, 0], ranks.T)


@pytest.mark.parametrize("names", [["tp", "fp", "tn", "fn"], ["TN", "FP"], ["true_positive", "false_negative", "fp"]])
def test_the_cells_of_confusion_matrices_are_no_data_sets(names, rng):
    table = pd.DataFrame(rng.integers(5, 90, (4, len(names))), columns=names).assign(model=["svm", "rf", "nb", "knn"])
    with pytest.raises(ValueError, match="are counts: give a metric that is made of them"):
        skc.read(table)


@pytest.mark.parametrize("truth", ["actual", "target", "y", "observed"])
@pytest.mark.parametrize("error", [[], ["abs_error"]])
def test_true_values_by_a_usual_name_beside_predictions_and_models_are_read(truth, error, rng):
    true = rng.normal(10, 3, 40).round(2)
    parts = [pd.DataFrame({"id": range(40), "model": one, truth: true}) for one in ("ridge", "gbm")]
    table = pd.concat(parts).assign(predicted=lambda x: (x[truth] + rng.normal(0, 1, 80)).round(2))
    table = table.assign(**{name: (table["predicted"] - table[truth]).abs() for name in error})
    result = skc.read(table)
    assert (result.estimators, result.design.kind, result.metrics[0]) == (("ridge", "gbm"), "samples", "r2")


@pytest.mark.parametrize("inside", [False, True])
def test_records_by_model_in_json_are_rows_with_its_name(inside, rng, tmp_path):
    rows = {one: [{"fold": k, "acc": rng.random(), "f1": rng.random()} for k in range(N)] for one in ("svm", "rf")}
    path = tmp_path / "all.json"
    path.write_text(json.dumps({x: {"folds": own, "mean": 0.5} for x, own in rows.items()} if inside else rows))
    (result,) = asked(path, "nothing names models")
    assert (result.estimators, result.metrics, result.design.n_folds) == (("svm", "rf"), ("acc", "f1"), N)
    assert result.scores[1].tolist() == [[row["acc"], row["f1"]] for row in rows["rf"]]


@pytest.mark.parametrize(
    "form", ["s{}", "k={}", "#{}", "exp {}", "fold {}/5", "acc_fold{}", "Fold {} acc", "iter_{}", "F{}"]
)
@pytest.mark.parametrize("corner", ["", "name"])
def test_numbered_rows_are_no_data_sets_without_asking_as_numbered_headers(form, corner, rng):
    names = [form.format(x) for x in range(1, 6)]
    table = pd.DataFrame(scores(rng, 5, 3), columns=["svm", "rf", "knn"])
    results = asked(table.assign(**{corner: names}), "numbers the rows, and nothing says what these are")
    assert {one.estimators for one in results} == {("svm", "rf", "knn")}
    assert len(results) == 4
    assert results[0].design.n_splits == 5  # data sets have names
    same = skc.read(table.assign(**{corner: [f"dataset{x}" for x in range(1, 6)]}))
    np.testing.assert_array_equal(results[2].scores, same.scores)


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("truth", ["Survived", "diagnosis", "churn", "Outcome"])
@pytest.mark.parametrize("form", ["{}", "pred_{}", "{}_prediction"])
@pytest.mark.parametrize("classes", [(0, 1), (1, 2, 3), ("benign", "malignant"), None])
def test_true_values_of_an_unknown_name_beside_learners_are_asked_about(truth, form, classes, rng):
    true = rng.normal(50, 9, 60).round(2) if classes is None else np.array(classes)[rng.integers(0, len(classes), 60)]
    table = pd.DataFrame({"id": range(60), truth: true})
    for one in ("svm", "rf", "knn"):
        other = true + rng.normal(0, 5, 60).round(2) if classes is None else rng.permutation(true)
        table[form.format(one)] = np.where(rng.random(60) < 0.7 * (classes is not None), true, other)
    if classes is None and form == "{}":  # or scores of four models
        return
    result = asked(table, "may hold true values|no column of true values")[0]
    assert (result.design.kind, len(result.estimators)) == ("samples", 3)
    score = r2_score if classes is None else accuracy_score
    np.testing.assert_allclose(result.scores[0, 0, 0], score(true, table.iloc[:, 2]))


@pytest.mark.parametrize("case", ["seed", "dataset", "row_index", None])
@pytest.mark.parametrize(
    "names", [("origin_dim", "final_dim"), ("pred_ensemble", "hours_here"), ("on_hand", "per_unit")]
)
def test_what_neither_names_nor_a_scale_show_to_be_scores_of_models_is_asked_about(case, names, rng):
    """Sizes of data sets, a forecast beside hours and what a question was drawn from were scores of models."""
    table = pd.DataFrame({name: rng.integers(2, 900, N) + rng.integers(0, 2) / 4 for name in names})
    if case is not None:
        table.insert(0, case, SETS if case == "dataset" else range(100, 100 + N))
    with pytest.raises(ValueError, match=r"nothing shows that|numbers the rows|nothing names"):
        skc.read(table)
    if case == "dataset":
        assert skc.read(table, models=[*names]).estimators == names
        assert skc.read(table.rename(columns=dict(zip(names, ("svm", "knn"), strict=True)))).estimators == (
            "svm",
            "knn",
        )
        assert skc.read(table.assign(**{name: scores(rng, N) for name in names})).estimators == names


@pytest.mark.parametrize("first", ["Baseline", "Control", "A"])
def test_one_row_called_like_a_model_makes_no_models_of_conditions(first, rng):
    """A row called Baseline made models of the states of a cell."""
    table = pd.DataFrame(rng.uniform(0, 400, (4, 5)), columns=["urea", "iron", "zinc", "salt", "milk"])
    table.insert(0, "Condition", [first, "Low", "Mid", "High"])
    with pytest.raises(ValueError, match=r"nothing shows that|may name data sets or models"):
        skc.read(table)


@pytest.mark.parametrize("name", ["seed", "sentence", "run_id"])
def test_what_is_new_in_every_row_is_joined_to_no_model(name, rng):
    """Of 47 seeds and two algorithms a call made 94 models."""
    rows = [(model, i % 5) for model in ("SA", "GA") for i in range(20)]
    table = pd.DataFrame(rows, columns=["algorithm", "run"]).assign(accuracy=scores(rng, 40))
    table[name] = rng.permutation(40) + 1000 if name == "seed" else [f"as {x}" for x in rng.permutation(40)]
    with pytest.raises(ValueError, match=r"several scores|could both") as refused:
        skc.read(table)
    assert not any(name in call.get("model", "") for _, call in refused.value.calls)


@pytest.mark.parametrize("steps", ["epochs", "epoch", "steps"])
def test_epochs_of_runs_with_one_row_each_are_a_setting(steps, rng):
    table = pd.DataFrame({"run": [*"ABCD"], steps: [1, 2, 2, 1], "accuracy": scores(rng, 4), "f1": scores(rng, 4)})
    with pytest.raises(ValueError, match="nothing names models"):
        skc.read(table)


@pytest.mark.parametrize("metric", ["PPV", "auc", "r2"])
def test_a_metric_that_some_names_begin_with_is_none_of_theirs(metric, rng):
    """48 variants of a method on the proportion of positive values were half of them metrics."""
    names = [f"{metric}_{x}" for x in ("base", "2nd")] + [f"{metric}+LSPV_{x}" for x in ("base", "2nd")]
    assert skc.read({"dataset": SETS, **{x: scores(rng, N) for x in names}}).estimators == tuple(names)


@pytest.mark.parametrize("factor", [0.3, 0.02])
def test_a_name_in_one_word_adds_nothing_to_another_name(factor, rng):
    seconds = {"MiniROCKET": rng.uniform(20, 40, N) * factor, "ROCKET": rng.uniform(20, 40, N)}
    found = skc.read({"dataset": SETS, **seconds, "WEASEL": rng.uniform(20, 40, N)}, metric="elapsed")
    assert found.estimators == ("MiniROCKET", "ROCKET", "WEASEL")


@pytest.mark.parametrize("model", ["sage", "rf", "v1"])
def test_predictions_of_one_model_keep_their_calls_and_scores_have_none(model, rng):
    truth = rng.random(20)
    table = pd.DataFrame({"model": model, "y_true": truth, "y_pred": truth + rng.normal(0, 0.1, 20)})
    with pytest.raises(ValueError, match="nothing names the samples") as refused:
        skc.read(table)
    assert [call for _, call in refused.value.calls] == [{"item": "rows"}]
    with pytest.raises(ValueError, match=f"It has one model, '{model}': give the rows of all") as refused:
        skc.read({"model": [model] * 20, "r2": scores(rng, 20), "loss": scores(rng, 20)})
    assert not refused.value.calls


@pytest.mark.parametrize("name", ["Elo", "KGE", "MCE", "Balanced"])
@pytest.mark.parametrize("case", ["dataset", "fold"])
def test_a_model_called_like_a_metric_beside_learners_has_a_call(name, case, rng):
    table = pd.DataFrame({case: SETS if case == "dataset" else range(N), "svm": scores(rng, N), name: scores(rng, N)})
    results = asked(table.assign(forest=scores(rng, N)), "names of metrics that stand beside others")
    assert [one.estimators for one in results] == [("svm", "forest"), ("svm", name, "forest")]


@pytest.mark.parametrize("names", [["20_80", "50_50", "80_20"], ["70/30", "90/10"], ["random", "scaffold", "temporal"]])
@pytest.mark.parametrize("called", ["Split", "split", "partition"])
@pytest.mark.parametrize("more", [[], ["dataset"]])
def test_ways_to_split_are_no_folds(names, called, more, rng):
    sets = SETS[:4] if more else [""]
    table = pd.DataFrame(product(sets, names, ["svm", "rf", "knn"]), columns=["dataset", called, "model"])
    table = table.assign(accuracy=scores(rng, len(table))).drop(columns=[] if more else "dataset")
    found = asked(table, "has several scores")
    assert len(found[0].datasets) == len(names) * len(sets)
    assert any(not hasattr(one, "datasets") for one in found)  # where they are folds after all
    folds = table.assign(**{called: table[called].map({x: f"fold{i}" for i, x in enumerate(names)})})
    assert "splits" in skc.read(folds).provenance["read_as"]


@pytest.mark.parametrize(
    "names", [["unanimous_rate", "majority_rate"], ["mean_turns", "median_span"], ["refusal_pct", "avg_turns"]]
)
def test_rates_and_means_of_models_are_no_data_sets(names, rng):
    table = pd.DataFrame({"model": ["gpt", "claude", "llama"], **{name: scores(rng, 3) for name in names}})
    with pytest.raises(ValueError, match="may be data sets, or describe the models") as refused:
        skc.read(table)
    assert not refused.value.calls
    assert len(skc.read(table, dataset="columns").datasets) == len(names)


@pytest.mark.parametrize("metrics", [["ARI", "NMI"], ["accuracy_pct"], ["MAE", "RMSE", "R2"]])
def test_metrics_beside_other_columns_have_no_call_that_makes_data_sets_of_them(metrics, rng):
    names = [*metrics, "DEG F1x", "joules", "mtry_x", "ME2", "MESD"]
    table = pd.DataFrame({"tool": ["a1", "b2", "c3", "d4"], **{name: scores(rng, 4) for name in names}})
    with pytest.raises(ValueError, match="are called like metrics, ") as refused:
        skc.read(table)
    assert not refused.value.calls


@pytest.mark.parametrize("name", ["3D-CNN acc", "share", "purity_x"])
@pytest.mark.parametrize("n", [3, 5])
def test_what_lies_between_zero_and_one_beside_larger_numbers_is_asked_about(name, n, rng):
    sizes = {f"CP({i})": rng.uniform(1.2, 5, N).round(3) for i in range(n)}
    table = pd.DataFrame({"dataset": SETS, name: scores(rng, N), **sizes})
    assert asked(table, "may be models, or say")[0].estimators == tuple(sizes)


@pytest.mark.parametrize("statistic", ["$t$", "W", "statistic", "z_stat", "significant"])
@pytest.mark.parametrize("p", ["p_value", "$p$ (paired)", "p"])
def test_what_tests_give_beside_their_p_values_are_no_models(statistic, p, rng):
    more = {statistic: rng.random(N) < 0.5 if statistic == "significant" else rng.normal(2, 1, N).round(2)}
    table = pd.DataFrame({"dataset": SETS, "svm": scores(rng, N), "rf": scores(rng, N), **more, p: rng.random(N)})
    assert skc.read(table).estimators == ("svm", "rf")
    with pytest.raises(ValueError, match="it has no column of scores") as refused:
        skc.read(table.drop(columns=["svm", "rf"]))
    assert not refused.value.calls


@pytest.mark.parametrize("form", ["{:+.1f}%", "{:+.0f} %", "**{:+.2f}%**"])
def test_percentages_with_a_sign_are_changes(form, rng):
    models = ["vit", "cnn", "mlp", "ours"]
    cells = {name: [form.format(x) for x in rng.normal(20, 40, 4)] for name in SETS[:3]}
    with pytest.raises(ValueError, match="hold what was computed of models"):
        skc.read(pd.DataFrame({"model": models, **cells}))
    plain = {name: [f"{x:.1f}%" for x in rng.uniform(20, 90, 4)] for name in SETS[:3]}
    assert skc.read(pd.DataFrame({"model": models, **plain})).datasets == (*SETS[:3],)


@pytest.mark.parametrize("name", ["episode", "accession_id", "features"])
def test_scores_of_one_model_have_no_calls(name, rng):
    rows = [f"f{x}" for x in SETS] if name == "features" else rng.permutation(900)[:N] if "_" in name else range(N)
    with pytest.raises(ValueError, match=r"numbers the rows|may name data sets or models") as refused:
        skc.read(pd.DataFrame({name: rows, "reward": rng.uniform(3, 90, N)}))
    assert not refused.value.calls


@pytest.mark.parametrize("setting", ["calibrator", "descriptor", "scaler", "prompt_template"])
@pytest.mark.parametrize("more", [["fold"], []])
def test_settings_beside_data_sets_are_parts_of_models(setting, more, rng):
    levels = [["svm", "rf"], ["none", "platt", "beta"], SETS[:4], range(5)][: 3 + len(more)]
    table = pd.DataFrame(product(*levels), columns=["model", setting, "dataset", *more])
    found = asked(table.assign(auc=scores(rng, len(table))), "has several scores")
    assert len(found) == 1
    assert len(found[0].estimators) == 6


@pytest.mark.parametrize("name", ["language", "region", "noise_type"])
def test_texts_beside_data_sets_name_these_first(name, rng):
    table = pd.DataFrame(product(["svm", "rf"], SETS, ["en", "de", "no"]), columns=["model", "dataset", name])
    found = asked(table.assign(f1=scores(rng, len(table))), "has several scores")
    assert len(found[0].datasets) == 3 * N


@pytest.mark.parametrize("other", ["accuracy_std", "sd"])
def test_means_with_deviations_are_no_outcomes_of_items(other, rng):
    table = pd.DataFrame(product(["svm", "rf"], ["x y", "v w", "s t"]), columns=["model", "site"])
    table = table.assign(accuracy=scores(rng, 6), **{other: scores(rng, 6) / 30})
    calls = asked(table, "has several scores")
    assert [x.datasets for x in calls] == [("x y", "v w", "s t")] * len(calls)


def test_the_index_of_a_frame_numbers_no_runs(rng):
    table = pd.DataFrame(
        {"": range(12), "model": np.repeat(["svm", "rf"], 6), "imputer": ["a", "b", "c"] * 4, "f1": scores(rng, 12)}
    )
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table)
    assert not any("column 1" in call.values() for _, call in refused.value.calls)


@pytest.mark.parametrize("names", [["mean", "min", "max", "median"], ["best", "worst", "average"]])
def test_of_statistics_of_runs_the_mean_is_the_score(names, rng):
    table = pd.DataFrame(product(SETS, ["pso", "ga"]), columns=["benchmark", "algorithm"])
    table = table.assign(**{name: scores(rng, 2 * N) for name in names})
    middle = next(name for name in names if name in ("mean", "average"))
    np.testing.assert_array_equal(skc.read(table).scores, skc.read(table, value=middle).scores)


@pytest.mark.parametrize("level", ["alpha", "topk", "mtry", "budget"])
def test_levels_beside_scores_are_none(level, rng):
    table = pd.DataFrame(product("DABC", SETS, [0.05, 0.1, 0.2]), columns=["method", "dataset", level])
    table = table.assign(cov=scores(rng, len(table)), width=scores(rng, len(table)))
    for found in asked(table, "'cov', 'width' could all be scores"):
        assert level not in found.metrics
        assert len(found.estimators) == 12


@pytest.mark.parametrize("name", ["selection_metric", "tuned_by", "objective"])
def test_metrics_that_models_were_chosen_by_are_settings(name, rng):
    table = pd.DataFrame(product(SETS, ["sfs", "sbs"], ["accuracy", "macro_f1"]), columns=["dataset", "method", name])
    table = table.assign(test_accuracy=scores(rng, 4 * N), test_f1=scores(rng, 4 * N))
    for found in asked(table, "has several scores"):
        assert found.metrics == ("test_accuracy", "test_f1")


@pytest.mark.parametrize("names", [range(4), "abcd"])
def test_a_matrix_of_classes_by_their_numbers_has_no_call(names, rng):
    table = pd.DataFrame(scores(rng, 4, 4), columns=[*map(str, names)])
    table.insert(0, "", [*names])
    with pytest.raises(ValueError, match=r"numbers the rows|the same names") as refused:
        skc.read(table)
    assert not refused.value.calls


@pytest.mark.parametrize("ends", [["p95_ms", "p99_ms"], ["latency_p50_ms", "latency_p95_ms", "mean_ms"]])
def test_percentiles_of_times_are_times(ends, rng):
    table = pd.DataFrame({"Model": ["svm", "rf", "nb"], **{name: rng.uniform(1, 9, 3) for name in ends}})
    with pytest.raises(ValueError, match="hold times"):
        skc.read(table)


@pytest.mark.parametrize("form", ["loss_{}", "pinball_{}"])
def test_columns_of_one_metric_come_before_the_rest(form, rng):
    losses = {form.format(x): rng.uniform(2, 20, N) for x in ("naive", "climatology", "lgb")}
    table = pd.DataFrame({"fold": range(N), **losses, "reach_90": scores(rng, N), "reach_50": scores(rng, N)})
    assert asked(table, "may be models")[0].estimators == tuple(losses)


@pytest.mark.parametrize("name", ["bert_predicted_label", "general_pred"])
def test_predictions_of_one_model_beside_labels_have_a_call(name, rng):
    truth = rng.integers(0, 3, 60)
    table = pd.DataFrame({"sentence": [f"text {i} of many" for i in range(60)], "label": truth})
    table[name] = np.where(rng.random(60) < 0.8, truth, 0)
    with pytest.raises(ValueError, match="'label' may hold true values") as refused:
        skc.read(table)
    assert refused.value.calls[0][1] == {"truth": "label", "models": [name]}


def test_columns_that_name_models_together_have_a_call_for_predictions(rng):
    rows = product(["kg", "raw"], ["full", "subset"], range(40))
    table = pd.DataFrame(rows, columns=["representation", "variant", "id"])
    table = table.assign(y_true=np.tile(rng.integers(0, 2, 40), 4), y_score=rng.random(160).round(3))
    (found,) = asked(table, "nothing names models")
    assert len(found.estimators) == 4


@pytest.mark.parametrize("name", ["CV_TrainAcc_mean", "mean_train_acc", "cv train accuracy"])
def test_scores_on_training_sets_are_none_wherever_the_word_stands(name, rng):
    table = pd.DataFrame(product(SETS, ["svm", "rf"]), columns=["dataset", "model"]).assign(acc=scores(rng, 2 * N))
    assert skc.read(table.assign(**{name: scores(rng, 2 * N)})).metrics == ("acc",)


@pytest.mark.parametrize("called", ["name", "", "fold", "metric_name"])
@pytest.mark.parametrize("form", ["fold{}_{}", "{1}_fold{0}", "set{} {}"])
def test_cells_that_name_cases_and_metrics_together_are_refused(called, form, rng):
    cells = [form.format(i, metric) for i in range(1, 6) for metric in ("f1", "auc")]
    table = pd.DataFrame({called: cells, "svm": scores(rng, 10), "rf": scores(rng, 10)})
    with pytest.raises(ValueError, match=r"in one cell|one score per model and metric"):
        skc.read(table)
    own = table.assign(**{called: [*map(str, range(10))]}).rename(columns={called: "fold"})
    assert skc.read(own).estimators == ("svm", "rf")
    sets = table.assign(**{called: [f"{x} (Acc)" for x in "abcdefghij"]}).rename(columns={called: "dataset"})
    assert len(skc.read(sets).datasets) == 10


@pytest.mark.parametrize("stem", ["ranks_auc_ovo", "accuracy", "f1 by case"])
@pytest.mark.parametrize("rows", ["dataset", "fold"])
def test_ranks_are_ranks_whatever_their_file_is_called(stem, rows, rng, tmp_path):
    table = pd.DataFrame([rng.permutation(4) + 1 for _ in range(N)], columns=["svm", "forest", "lr", "knn"])
    table.insert(0, rows, SETS if rows == "dataset" else range(N))
    table.to_csv(tmp_path / f"{stem}.csv", index=False)
    result = skc.read(tmp_path / f"{stem}.csv")
    assert (result.metrics, result.greater_is_better) == (("rank",), (False,))


@pytest.mark.parametrize(
    "names", [("ANN Recall@10", "Biological Accuracy@1"), ("Vessel dice", "Depth RMSE"), ("speech_wer", "music_f1")]
)
def test_two_columns_with_a_metric_of_their_own_are_no_data_sets_unless_they_are_known(names, rng):
    table = pd.DataFrame({"Method": list("abcdefg"), **{name: scores(rng, 7) for name in names}})
    with pytest.raises(ValueError, match="not all have the same ones") as refused:
        skc.read(table)
    assert not refused.value.calls
    known = table.rename(columns=dict(zip(names, ("MNIST acc", "Adult auc"), strict=True)))
    assert skc.read(known).datasets == ("MNIST", "Adult")


@pytest.mark.parametrize("metric", ["rmse", "mae", "rmsle"])
@pytest.mark.parametrize("sign", [1, -1])
def test_errors_of_a_search_that_are_never_negative_are_losses(metric, sign, rng, tmp_path):
    errors = rng.uniform(1, 2, (6, 5)).round(4)
    cells = {f"split{i}_test_{metric}": sign * errors[:, i] for i in range(5)}
    cells |= {f"mean_test_{metric}": sign * errors.mean(axis=1), "params": [f"{{'alpha': {i}}}" for i in range(6)]}
    pd.DataFrame(cells).to_csv(tmp_path / "search.csv", index=False)
    report = skc.read(tmp_path / "search.csv")
    best = int(np.argmin(errors.mean(axis=1)))
    assert f"alpha={best} " in f"{report.best} "


@pytest.mark.parametrize("names", [("Confab %", "Non-Resp %"), ("seen", "unseen", "mixed")])
@pytest.mark.parametrize("sign", [1, -1])
def test_ranks_that_rise_with_the_numbers_ask_what_is_better(names, sign, rng):
    low = np.sort(rng.uniform(5, 30, 12))[:, None] + rng.uniform(0, 0.5, (12, len(names)))
    rows = low[::sign].round(1)
    table = pd.DataFrame({"Rank": range(1, 13), "Model": [f"m-{x}" for x in "abcdefghijkl"]})
    table = table.assign(**dict(zip(names, rows.T, strict=True)))
    if sign < 0:
        assert skc.read(table).greater_is_better == (True,)
        return
    less, more = asked(table, "less of them may be better")
    assert (less.greater_is_better, more.greater_is_better) == ((False,), (True,))
    assert less.datasets == names


@pytest.mark.parametrize("of_lists", ["energy_all", "fold values", "losses"])
@pytest.mark.parametrize("levels", [("low", "high"), ("fp16", "fp32", "fp64")])
def test_cells_of_lists_are_no_names_of_runs(of_lists, levels, rng):
    table = pd.DataFrame(product(SETS[:4], ["m1", "m2"], levels), columns=["dataset", "model", "precision"])
    table["auc"] = scores(rng, len(table))
    table[of_lists] = [str(rng.random(3).round(3).tolist()) for _ in range(len(table))]
    with pytest.raises(ValueError, match="several scores") as refused:
        skc.read(table)
    assert "run" not in refused.value.calls[0][1]


@pytest.mark.parametrize("name", ["condition", "experiment", "ablation"])
@pytest.mark.parametrize("of_each", [(1, 3, 2), (4, 1), (1, 1, 1, 2)])
def test_names_of_the_rows_are_no_runs_of_models_that_have_one(name, of_each, rng):
    n, families = sum(of_each), np.repeat([*"uvwx"][: len(of_each)], of_each)
    table = pd.DataFrame({name: [f"exp {x}" for x in "abcdefg"[:n]], "family": families})
    with pytest.raises(ValueError, match="nothing names models") as refused:
        skc.read(table.assign(accuracy=scores(rng, n), macro_f1=scores(rng, n)))
    assert not any("run" in call for _, call in refused.value.calls)


@pytest.mark.parametrize("names", [("name", "pretrained"), ("label", "source"), ("backbone text", "corpus text")])
def test_two_columns_of_names_beside_known_data_sets_name_models_together(names, rng):
    table = pd.DataFrame(product(["ViT-B-16", "ViT-L-14", "RN50"], ["openai", "laion2b"]), columns=[*names])
    sets = ["ImageNet 1k", "ImageNet-A", "CIFAR-10", "MNIST", "KITTI"]
    table = table.assign(**{one: scores(rng, 6) for one in sets})
    first = asked(table, "2 columns of names")[0]
    assert (first.datasets, len(first.estimators)) == (tuple(sets), 6)


@pytest.mark.parametrize("metrics", [("WER", "CER"), ("accuracy", "f1"), ("BLEU", "chrF", "TER")])
@pytest.mark.parametrize("word", ["Average", "Mean", "Avg"])
def test_averages_beside_data_sets_with_metrics_are_left_out(metrics, word, rng):
    parts = ("SADA", "Casablanca", "MGB-2")
    table = pd.DataFrame({f"{one} {metric}": scores(rng, 6) for one in parts for metric in metrics})
    table = table.assign(**{f"{word} {x}": table[[f"{one} {x}" for one in parts]].mean(axis=1) for x in metrics})
    table.insert(0, "Model", list("abcdef"))
    result = skc.read(table)
    assert (result.datasets, result.metrics) == (parts, metrics)


@pytest.mark.parametrize("name", ["horizon", "prediction_length", "fh"])
def test_one_horizon_of_each_data_set_describes_it(name, rng):
    table = pd.DataFrame(product(SETS, ["ets", "theta", "naive"]), columns=["dataset", "model"])
    table[name] = np.repeat([8, 24, 12, 6, 8, 48, 12, 24], 3)
    assert len(skc.read(table.assign(MASE=scores(rng, 24))).datasets) == N
    both = pd.concat([table.assign(**{name: h, "MASE": scores(rng, 24)}) for h in (1, 2)])
    with pytest.raises(ValueError, match="how far ahead forecasts look"):
        skc.read(both)


@pytest.mark.parametrize("what", ["matches", "links", "pairs"])
@pytest.mark.parametrize("metrics", [("precision", "recall", "f1"), ("accuracy", "mcc", "auc", "recall")])
def test_counts_of_true_and_predicted_ones_beside_metrics_are_no_predictions(what, metrics, rng):
    table = pd.DataFrame(product(SETS, ["jaro", "llm"]), columns=["dataset", "method"])
    table = table.assign(**{metric: scores(rng, 2 * N) for metric in metrics})
    table[f"true_{what}"], table[f"predicted_{what}"] = rng.integers(50, 900, (2, 2 * N))
    assert skc.read(table).metrics == metrics


@pytest.mark.filterwarnings("ignore:roc_auc_ovr is left out")
@pytest.mark.parametrize("numbers", [(3, 5), (1, 2, 4)])
@pytest.mark.parametrize("prefix", ["M", "m", "v"])
def test_numbered_models_that_predict_the_classes_stand_beside_others(numbers, prefix, rng):
    truth = rng.integers(0, 3, 90)
    names = [*[f"{prefix}{i}" for i in numbers], "M7_LR", "M8_RF"]
    table = pd.DataFrame({name: np.where(rng.random(90) < 0.7, truth, 0) for name in names}).assign(y_true=truth)
    assert skc.read(table).estimators == tuple(names)
    features = table.assign(**{f"{prefix}9": rng.normal(size=90)})
    with pytest.raises(ValueError, match="or describe the samples"):
        skc.read(features)


@pytest.mark.parametrize("name", ["RMSETest", "CRPSTest", "MAEVal", "AUCScore"])
def test_metrics_in_capitals_before_a_word_are_metrics(name, rng):
    table = pd.DataFrame({"method": list("abcd"), name: scores(rng, 4), "MSETest": scores(rng, 4)})
    with pytest.raises(ValueError, match="one score per model and metric"):
        skc.read(table)


@pytest.mark.parametrize("name", ["N_AsOf", "N_ant", "n_causal"])
def test_counts_are_sizes_with_a_large_letter_too(name, rng):
    table = pd.DataFrame(product(SETS, ["svm", "rf"]), columns=["dataset", "model"])
    study = skc.read(table.assign(TRS=scores(rng, 2 * N), **{name: rng.integers(90, 900, 2 * N)}))
    assert study.metrics == ("TRS",)
    assert f"{name!r} (sizes)" in study.provenance["read_as"]


@pytest.mark.parametrize("others", [("autosklearn", "randomforest"), ("AutoGluon", "FLAML", "H2O")])
def test_tpot_among_learners_is_one_and_a_time_elsewhere(others, rng):
    names = (*others, "tpot")
    study = skc.read(pd.DataFrame({"dataset": SETS} | {name: scores(rng, N) for name in names}))
    assert study.estimators == names
    table = pd.DataFrame(product(SETS, ["a", "b"]), columns=["dataset", "model"]).assign(accuracy=scores(rng, 2 * N))
    assert "'tpot' (times)" in skc.read(table.assign(tpot=scores(rng, 2 * N))).provenance["read_as"]


@pytest.mark.parametrize(
    ("name", "said"), [("samples_seen", "sizes"), ("point_anomaly", "sizes"), ("seq_anomaly", "sizes")]
)
def test_what_describes_data_is_no_model(name, said, rng):
    table = pd.DataFrame({"dataset": SETS} | {one: scores(rng, N) for one in ("IForest", "LOF", "PCA")})
    study = skc.read(table.assign(**{name: rng.integers(0, 2, N)}))
    assert study.estimators == ("IForest", "LOF", "PCA")
    assert f"{name!r} ({said})" in study.provenance["read_as"]


@pytest.mark.parametrize("name", ["competition", "competition_id", "Competition"])
def test_competitions_are_data_sets(name, rng):
    table = pd.DataFrame(product(SETS, ["svm", "rf", "lr"]), columns=[name, "model_id"])
    study = skc.read(table.assign(points=scores(rng, 3 * N)))
    assert (study.datasets, len(study.estimators)) == (tuple(SETS), 3)


@pytest.mark.parametrize("name", ["value_mean", "mean_value"])
def test_the_mean_of_values_beside_their_metric_is_the_score(name, rng):
    table = pd.DataFrame(product(SETS, ["a", "b"], ["f1", "accuracy"]), columns=["dataset", "method", "metric"])
    table = table.assign(**{name: scores(rng, 4 * N), "objective_mean": rng.uniform(3, 90, 4 * N)})
    assert skc.read(table).metrics == ("f1", "accuracy")


LEVELS = {"model": ["mine", "rf", "svm"], "dataset": ["bc", "iris", "w2"], "fold": [*range(5)], "seed": [1, 7, 9]}


@pytest.mark.parametrize("levels", [("Model", "Fold"), ("seed", "Model"), ("Dataset", "model"), ("Dataset", "Fold")])
@pytest.mark.parametrize("form", ["csv", "frame"])
def test_headers_of_two_named_levels_are_what_they_name(levels, form, rng, tmp_path):
    other = next(one for one in LEVELS if one not in map(str.lower, levels))
    rows = pd.DataFrame(product(*(LEVELS[one.lower()] for one in (*levels, other))), columns=[*levels, other])
    table = rows.assign(score=scores(rng, len(rows)))
    wide = table.pivot_table(index=other, columns=[*levels], values="score")
    wide.to_csv(path := tmp_path / "wide.csv")
    found, plain = skc.read(wide if form == "frame" else path), skc.read(table)
    assert (type(found), found.estimators) == (type(plain), plain.estimators)
    np.testing.assert_allclose(found.scores, plain.scores)


@pytest.mark.parametrize("sep", ["_", "-", " ", "."])
@pytest.mark.parametrize("of", ["fold", "dataset"])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("metrics", [("",), ("_acc", "_f1")])
def test_models_with_each_fold_or_data_set_in_headers_are_asked_about(sep, of, turned, metrics, rng):
    ends = [*range(int(rng.integers(2)), 4)] if of == "fold" else ["iris", "w2", "wine"]
    both = list(product(ends, LEVELS["model"]) if turned else product(LEVELS["model"], ends))
    table = pd.DataFrame({f"{a}{sep}{b}{end}": scores(rng, N) for a, b in both for end in metrics})
    with pytest.raises(ValueError, match="several of one model or data set") as refused:
        skc.read(table.assign(dataset=SETS) if of == "fold" else table.assign(fold=range(N)))
    assert len(refused.value.calls) == (of == "fold" and metrics == ("",))


@pytest.mark.parametrize("names", [("svm_tfidf", "svm_bow", "rf_tfidf", "rf_bow"), ("gpt-3", "gpt-4", "o-3", "o-4")])
def test_models_of_two_parts_are_models(names, rng):
    assert skc.read(pd.DataFrame({"dataset": SETS} | {x: scores(rng, N) for x in names})).estimators == names


@pytest.mark.parametrize("names", [("svm_1", "svm_2", "rf_1", "rf_2"), ("a 0", "a 1", "a 2", "b 0", "b 1", "b 2")])
def test_functions_of_one_kind_take_numbered_models_for_models(names, rng):
    table = pd.DataFrame({x: scores(rng, N) for x in names})
    assert skc.StudyResult.from_frame(table.assign(dataset=SETS)).estimators == names
    assert skc.from_frame(table.assign(fold=range(N))).estimators == names
    assert skc.from_runs(table.assign(seed=range(N))).estimators == names


@pytest.mark.parametrize("odd", ["big model", "ours", "m3"])
def test_what_is_as_near_to_numbers_as_learners_predicts_them(odd, rng):
    y = rng.normal(150, 70, 60).round(rng.integers(0, 2))
    table = pd.DataFrame({"y_test": y, odd: y + rng.normal(0, 20, 60)})
    table = table.assign(**{name: y + rng.normal(0, 30, 60) for name in ("ridge", "lasso")})
    assert skc.read(table).estimators == (odd, "ridge", "lasso")
    rest = asked(table.assign(age=rng.normal(40, 9, 60)), "'age' may hold predictions of 'y_test'")[0]
    assert rest.estimators == (odd, "ridge", "lasso")


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
@pytest.mark.parametrize("form", ["{}", "{}_proba"])
def test_a_model_that_is_sure_of_all_classes_has_probabilities_too(form, rng):
    y = rng.integers(0, 2, 60)
    table = pd.DataFrame({"label": y, form.format("lr"): rng.random(60), form.format("tree"): rng.permutation(y) * 1.0})
    (found,) = asked(table, "'label' may hold true values")
    assert found.estimators == (form.format("lr"), form.format("tree"))


@pytest.mark.parametrize("odd", ["qwen", "ours", "human"])
def test_right_answers_beside_texts_hold_no_true_values(odd, rng):
    table = pd.DataFrame({"question": [f"What is {i}?" for i in range(60)], "category": ["a", "b"] * 30})
    found = skc.read(table.assign(**{name: rng.integers(0, 2, 60) for name in ("gpt-4", "llama", odd)}))
    assert (found.estimators, found.design.kind) == (("gpt-4", "llama", odd), "items")


@pytest.mark.parametrize("name", ["index", "id", "no"])
@pytest.mark.parametrize("first", [0, 1])
def test_rows_that_count_on_are_splits_first(name, first, rng):
    rows = pd.DataFrame(product(range(first, 10 + first), ["a", "b"]), columns=[name, "model"])
    assert asked(rows.assign(accuracy=scores(rng, 20)), f"'{name}' numbers")[0].design.n_splits == 10


# ---- what tools and people of many fields write beside scores ----------------------------------------------------


def first(table, **options):
    """What is read, or what the first call of a refusal reads."""
    try:
        return skc.read(table, **options)
    except ValueError as refused:
        return skc.read(table, **{**options, **refused.calls[0][1]})


@pytest.mark.parametrize("size", [1e-15, 1e-12, 1e-9])
@pytest.mark.parametrize("case", ["dataset", "fold", "seed"])
def test_tiny_errors_of_one_case_are_no_sum_of_the_others(size, case, rng):
    errors = size * rng.lognormal(0, 0.5, (N, 1)) * rng.uniform(0.9, 1.1, (N, 3))
    errors[int(rng.integers(N))] *= 9  # far from all others, as deviations may be
    table = pd.DataFrame(errors, columns=["svm", "rf", "knn"]).map(lambda x: float(f"{x:.4e}"))
    table.insert(0, case, SETS if case == "dataset" else range(N))
    result = skc.read(table)
    assert len(result.datasets if case == "dataset" else result.scores[0]) == N
    if case == "dataset":
        means = table.drop(columns=case).mean().map(lambda x: float(f"{x:.4e}"))
        summed = pd.concat([table, pd.DataFrame([{case: "set of all", **means}])])
        assert skc.read(summed).datasets == tuple(SETS)


NUMBERED = ["fold_{}", "Fold {}", "seed_{}", "run{}", "cv{}", "split{}"]
SETTINGS = ["lr", "C", "max_depth", "threshold", "python", "Preis (€)", "early_stopped", "co2_kg", "unheard of"]


@pytest.mark.sampled
@pytest.mark.parametrize("form", NUMBERED)
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("corner", ["model", "", "classifier"])
def test_what_describes_models_beside_numbered_headers_is_left_out(form, name, corner, rng):
    table = pd.DataFrame({corner: ["svm", "our net", "knn"], **{form.format(i): scores(rng, 3) for i in range(1, 5)}})
    plain = skc.read(table)
    table.insert(int(rng.integers(1, 6)), name, rng.permutation([0.1, 3, 0.5]))
    result = skc.read(table)
    np.testing.assert_array_equal(result.scores, plain.scores)
    assert (result.design, result.estimators) == (plain.design, plain.estimators)
    assert repr(name) in result.provenance["read_as"]


@pytest.mark.parametrize("form", NUMBERED)
@pytest.mark.parametrize("corner", ["fold", "fold_id", "seed", "run"])
def test_a_corner_that_names_the_header_names_no_rows(form, corner, rng):
    values = {form.format(i): scores(rng, 3) for i in range(1, 6)}
    table = pd.DataFrame({corner: ["v1.1", "v2.0", "v3.0 beta"], **values})
    role = "run" if form.startswith(("seed", "run")) else "fold"
    if (corner in ("seed", "run")) == (role == "run"):
        result = skc.read(table)
        assert (result.estimators, result.scores.shape[1]) == (("v1.1", "v2.0", "v3.0 beta"), 5)


@pytest.mark.parametrize("case", ["dataset", "fold", "seed"])
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [
        *(("energy_kwh", 0.1, 3), ("co2_kg", 0, 1), ("price_usd", 0.1, 9), ("Preis (€)", 3, 90), ("TT (Sec)", 1, 9)),
        *(("learning_rate", 0.0001, 0.1), ("lr", 0.0001, 0.1), ("C", 1, 100), ("threshold", 0, 1), ("prix", 3, 90)),
        *(("best_epoch", 5, 99), ("Differenz", -0.05, 0.05), ("diferencia", 0, 0.1), ("early_stopped", 0, 0.1)),
    ],
)
def test_what_was_set_spent_or_computed_is_no_model(case, name, low, high, rng):
    table = pd.DataFrame({"wise-river-7": scores(rng, N), "sunny-sweep-1": scores(rng, N), "ours": scores(rng, N)})
    table.insert(int(rng.integers(0, 4)), name, rng.uniform(low, high, N))
    table.insert(0, case, SETS if case == "dataset" else range(N))
    assert {*first(table).estimators} == {"wise-river-7", "sunny-sweep-1", "ours"}


@pytest.mark.parametrize("name", ["Anzahl Merkmale", "nombre de classes", "num_rows", "Numero_variabili"])
@pytest.mark.parametrize("varies", [False, True])
def test_counts_in_other_languages_are_no_models(name, varies, rng):
    table = pd.DataFrame({"dataset": SETS, "wise": 100 * scores(rng, N), "sunny": 100 * scores(rng, N)})
    assert first(table.assign(**{name: rng.integers(60, 90, N) if varies else 76})).estimators == ("wise", "sunny")


@pytest.mark.parametrize("name", ["converged", "is_public", "diverged early", "ok?"])
@pytest.mark.parametrize("cells", [(True, False), ("yes", "no"), ("ja", "nein")])
@pytest.mark.parametrize("right", [False, True])
def test_yes_and_no_beside_numbers_are_no_model(name, cells, right, rng):
    numbers = rng.integers(0, 2, (30, 2)) if right else scores(rng, 30, 2)
    numbers[:2] = [[0, 1], [1, 0]] if right else numbers[:2]
    table = pd.DataFrame(numbers, columns=["gpt", "llama"]).assign(question=[f"What of {i}?" for i in range(30)])
    flagged = table.assign(**{name: rng.permutation([*cells] * 15)})
    case = {} if right else {"item": "question"}
    assert first(flagged, **case).estimators == ("gpt", "llama")


@pytest.mark.parametrize("form", ["{:.2f} ± 0.02", "{:.2f} (0.03)", "{:.1%}"])
@pytest.mark.parametrize("name", ["weight decay x", "mixing", "Merkmal"])
def test_numbers_written_in_another_way_than_those_of_all_models_are_asked_about(form, name, rng):
    table = pd.DataFrame({"dataset": SETS, **{x: map(form.format, scores(rng, N)) for x in ("ours", "base", "theirs")}})
    found = asked(table.assign(**{name: scores(rng, N)}), "may be models, or say something")
    assert found[0].estimators == ("ours", "base", "theirs")
    if "%" not in form:  # a baseline may have no deviation
        assert len(skc.read(table.assign(baseline=scores(rng, N))).estimators) == 4


@pytest.mark.parametrize("task", ["classif", "regr"])
@pytest.mark.parametrize("case", ["dataset", "fold", "seed"])
@pytest.mark.parametrize("metric", [None, "bacc", "rmse"])
def test_learners_of_mlr_in_headers_keep_their_names(task, case, metric, rng):
    models = [f"{task}.{one}" for one in ("ranger", "rpart", "log_reg")]
    table = pd.DataFrame({f"{one}_{metric}" if metric else one: scores(rng, N) for one in models})
    table.insert(0, case, SETS if case == "dataset" else range(N))
    result = first(table)
    assert (result.estimators, result.metrics) == (tuple(models), (metric or "score",))


@pytest.mark.parametrize("beside", ["p", "p_value", "p-value"])
@pytest.mark.parametrize("names", [("Swin-T", "ConvNeXt-T"), ("ViT-U", "DeiT-U"), ("net-Z", "net-W")])
def test_models_that_end_with_a_letter_are_no_statistics_of_tests(beside, names, rng):
    table = pd.DataFrame({"dataset": SETS, **{x: scores(rng, N) for x in (*names, "ResNet-50")}, beside: rng.random(N)})
    assert skc.read(table).estimators == (*names, "ResNet-50")
    assert skc.read(table.assign(t=rng.normal(0, 2, N), **{"z value": 1.5})).estimators == (*names, "ResNet-50")


@pytest.mark.parametrize(
    "metrics", [("pinball_loss", "loss"), ("macro_f1", "f1"), ("balanced_accuracy", "accuracy"), ("log_loss", "loss")]
)
@pytest.mark.parametrize("form", ["{}_{}", "{} {}", "{0}-{1}"])
@pytest.mark.parametrize("models", [("svm", "our net"), ("A", "B", "C"), ("ViT-B/16", "RegNet")])
def test_a_metric_whose_name_ends_with_that_of_another_one_is_none_of_more_models(metrics, form, models, rng):
    table = pd.DataFrame({form.format(m, x): scores(rng, N) for m in models for x in metrics}).assign(dataset=SETS)
    study = first(table)
    assert ({*study.estimators}, {*study.metrics}) == ({*models}, {*metrics})
    more = pd.DataFrame({form.format(m, metrics[1]): scores(rng, N) for m in ("svm", "svm_weighted", "rf")})
    assert len(skc.read(more.assign(dataset=SETS)).estimators) == 3


@pytest.mark.parametrize("case", ["dataset", "fold", "seed"])
@pytest.mark.parametrize("metric", ["merit", "accuracy", "elbo"])
@pytest.mark.parametrize("tidy", [False, True])
def test_what_each_model_costs_is_no_score_of_its_cases(case, metric, tidy, rng):
    cases = SETS if case == "dataset" else range(N)
    table = pd.DataFrame(product(cases, ["svm", "rf", "nb"]), columns=[case, "model"])
    table = table.assign(cost=table["model"].map({"svm": 2.1, "rf": 7.25, "nb": 0.4}))
    table = table.assign(metric=metric, mean_test_score=scores(rng, 3 * N)) if tidy else table
    table = table if tidy else table.assign(**{metric: scores(rng, 3 * N)})
    result = first(table)
    assert result.metrics == (metric,)
    np.testing.assert_allclose(np.sort(result.scores.ravel()), np.sort(table["mean_test_score" if tidy else metric]))
    paid = table.assign(cost=scores(rng, 3 * N))
    assert tidy or metric != "accuracy" or {*skc.read(paid).metrics} == {"accuracy", "cost"}


@pytest.mark.parametrize("keys", [["0", "1", "2"], ["1", "2"], ["13", "42", "7"]])
@pytest.mark.parametrize("models", [("svm", "our net"), ("Chemprop", "GROVER", "SchNet")])
def test_numbered_keys_of_scores_by_model_are_asked_about(keys, models, rng, tmp_path):
    path = tmp_path / "results.json"
    path.write_text(
        json.dumps({key: dict(zip(models, scores(rng, len(models)).tolist(), strict=True)) for key in keys})
    )
    kinds = [getattr(found, "datasets", found) for found in asked(path, "the columns are numbered")]
    assert len(kinds) > 1


@pytest.mark.parametrize("name", ["run_uuid", "checksum", "artifact", "sweep"])
@pytest.mark.parametrize("dashes", [False, True])
def test_digests_name_no_data_sets_beside_what_names_cases(name, dashes, rng):
    texts = ["".join(rng.choice([*"0123456789abcdef"], 31)) + "7" for _ in range(30)]
    texts = [f"{x[:8]}-{x[8:12]}-{x[12:16]}-{x[16:20]}-{x[20:]}" for x in texts] if dashes else texts
    table = {"patient_id": range(30), "gpt": scores(rng, 30), name: texts, "llama": scores(rng, 30)}
    found = first(table)
    assert not hasattr(found, "datasets") or found.datasets[0] not in texts


@pytest.mark.parametrize("corner", ["dataset", "Problem", "corpus", "task"])
@pytest.mark.parametrize("models", [("LR", "DT", "our net"), ("RandomForestClassifier", "SVC", "XGBClassifier")])
def test_a_corner_that_names_the_header_is_asked_about_where_rows_are_learners(corner, models, rng):
    names = ("UCSF", "Karolinska", "Charité", "Mount Sinai")
    table = pd.DataFrame({corner: models, **{x: scores(rng, 3) for x in names}})
    found = asked(table, f"column '{corner}' may name data sets or models")
    assert {one.estimators for one in found} == {names, models}


@pytest.mark.parametrize("name", ["iter", "iteration", "id", "Resample", "run", "k"])
@pytest.mark.parametrize("k", [3, 5, 10])
@pytest.mark.parametrize("wide", [False, True])
def test_cells_that_count_up_to_their_number_are_folds(name, k, wide, rng):
    table = pd.DataFrame(
        {name: [f"{i}/{k}" for i in range(1, k + 1)], "svm": scores(rng, k), "our net": scores(rng, k)}
    )
    table = table if wide else table.melt(name, var_name="model", value_name="accuracy")
    assert skc.read(table).design.name == f"{k}-fold cross-validation"


@pytest.mark.parametrize("names", [("label", "answer"), ("expected", "answer"), ("actual", "output")])
@pytest.mark.parametrize("tidy", [False, True])
def test_measured_true_values_and_answers_are_no_scores(names, tidy, rng):
    truth = rng.normal(50, 10, 30).round(2)
    table = pd.DataFrame({"sample": [f"P-{i}" for i in range(30)], names[0]: truth})
    table = pd.concat([table.assign(model=m, **{names[1]: truth + rng.normal(0, 3, 30).round(2)}) for m in ("a", "b")])
    if tidy:
        with pytest.raises(ValueError, match=r"true values|no column of scores|could all be scores"):
            skc.read(table)


@pytest.mark.parametrize("name", ["obs", "Wahrheit", "réel", "expected"])
def test_observed_values_beside_what_models_gave_are_no_scores(name, rng):
    truth = rng.normal(50, 10, 30).round(2)
    own = {x: truth + rng.normal(0, 3, 30).round(2) for x in ("Árvore", "Vizinhos", "Regressão")}
    with pytest.raises(ValueError, match="true values") as refused:
        skc.read({"id": [f"P-{i}" for i in range(30)], name: truth, **own})
    assert all(name not in call.get("models", ()) for _, call in refused.value.calls[:1])


@pytest.mark.parametrize(
    ("columns", "roles"),
    [
        (("modelo", "conjunto de datos", "pliegue", "repetición"), ("model", "dataset", "split", "repeat")),
        (("Klassifikator", "Datensatz", "Falte", "Wiederholung"), ("model", "dataset", "split", "repeat")),
        (("network", "scenario", "seme"), ("model", "dataset", "run")),
        (("algoritmo", "corpus", "semente"), ("model", "dataset", "run")),
    ],
)
@pytest.mark.parametrize("long", [False, True])
def test_names_of_columns_in_other_languages_have_their_roles(columns, roles, long, rng):
    rows = [*product(["ours", "theirs"], SETS[:4], range(4), range(2))]
    rows = rows if len(roles) == 4 else [row[:3] for row in rows if not row[3]]
    table = pd.DataFrame(rows, columns=columns)
    table["loss"] = scores(rng, len(rows))
    plain = table.set_axis([*roles, "loss"], axis=1)
    metric = rng.choice(["métrica", "Metrik", "métrique", "misura", "indicator"])
    written = table.rename(columns={"loss": rng.choice(["Wert", "valeur", "valor", "valore"])})
    result = skc.read(written.assign(**{metric: "loss"}) if long else table)
    alike = skc.read(plain.rename(columns={"split": "fold", "run": "seed"}))
    np.testing.assert_array_equal(result.scores, alike.scores)
    assert (result.estimators, result.metrics, result.greater_is_better) == (alike.estimators, ("loss",), (False,))


@pytest.mark.parametrize("name", ["epochs", "num_epochs", "Epoch", "steps", "rounds"])
@pytest.mark.parametrize("case", ["dataset", "fold", "seed", "item"])
def test_how_long_each_model_was_trained_is_a_setting(name, case, rng):
    cases = SETS if case == "dataset" else range(N)
    table = pd.DataFrame(product(cases, ["resnet", "vgg", "ours"]), columns=[case, "model"])
    table = table.assign(accuracy=scores(rng, 3 * N))
    trained = table.assign(**{name: table["model"].map({"resnet": 50, "vgg": 100, "ours": 10})})
    trained = trained.sample(frac=1, random_state=int(rng.integers(1000)))
    result = skc.read(trained)
    assert ({*result.estimators}, result.metrics) == ({"resnet", "vgg", "ours"}, ("accuracy",))


@pytest.mark.parametrize("case", ["dataset", "fold", "seed", "item"])
@pytest.mark.parametrize("copies", [1, 2, 5])
@pytest.mark.parametrize("long", [False, True])
def test_rows_that_stand_twice_are_no_runs(case, copies, long, rng):
    cases = SETS if case == "dataset" else range(N)
    table = pd.DataFrame(product(cases, ["svm", "rf"]), columns=[case, "model"])
    table = table.assign(accuracy=scores(rng, 2 * N), f1=scores(rng, 2 * N), host=rng.choice(["a", "b"], 2 * N))
    table = table.melt([case, "model", "host"], var_name="metric", value_name="score") if long else table
    twice = pd.concat([table, table.sample(copies, random_state=int(rng.integers(1000)))])
    with pytest.raises(ValueError, match="stand there again: leave the copies out") as refused:
        skc.read(twice)
    assert not refused.value.calls


@pytest.mark.parametrize("metric", ["logloss", "accuracy", "BLEU", "our measure"])
@pytest.mark.parametrize("models", [("SLIM", "Pop", "EASE"), ("ResNet-50", "our net"), ("SVM", "kNN", "RF")])
@pytest.mark.parametrize("case", ["dataset", "fold", "seed"])
def test_one_metric_below_the_name_of_every_model_is_no_row(metric, models, case, rng, tmp_path):
    path, cases = tmp_path / "table.csv", SETS if case == "dataset" else range(N)
    rows = [["", *models], [case, *[metric] * len(models)]]
    rows += [[name, *own] for name, own in zip(cases, scores(rng, N, len(models)), strict=True)]
    path.write_text("\n".join(",".join(map(str, row)) for row in rows))
    result = first(path)
    assert [name.removesuffix(f" {metric}") for name in result.estimators] == [*models]
    assert len(result.datasets if case == "dataset" else result.scores[0]) == N


@pytest.mark.parametrize("cell", ["0.84251 (1)a", "0.84 .", "~0.84"])
def test_cells_that_are_no_numbers_are_quoted_whatever_stands_beside_other_models(cell, rng):
    table = pd.DataFrame({"dataset": SETS} | {x: [f"{a} (0.01)" for a in scores(rng, N)] for x in ("svm", "rf", "knn")})
    table = table.assign(constant=scores(rng, N))
    table.loc[int(rng.integers(N)), "rf"] = cell
    with pytest.raises(ValueError, match=r"column 'rf': .*is not read as one number"):
        skc.read(table)


@pytest.mark.parametrize("name", ["answer_f1", "accuracy", "exact_match"])
def test_a_first_metric_on_which_models_never_differ_stays_first(name, rng):
    table = pd.DataFrame(product(SETS, ["bm25", "tfidf"]), columns=["dataset", "method"]).assign(**{name: 1.0})
    assert skc.read(table.assign(recall=scores(rng, 2 * N))).metrics == (name, "recall")


@pytest.mark.parametrize("source", ["patient", "Case_ID", "image_id"])
@pytest.mark.parametrize("part", ["organ", "region", "structure"])
def test_of_organs_of_patients_the_patients_are_offered_as_items_and_the_organs_as_data_sets(source, part, rng):
    rows = [(f"P{i:02d}", model, one) for i in range(9) for model in ("unet", "swin") for one in ("liver", "aorta")]
    table = pd.DataFrame(rows, columns=[source, "model", part]).assign(dice=scores(rng, 36))
    found = asked(table.sample(frac=1, random_state=int(rng.integers(99))), "has several scores")[0]
    assert ({*found.estimators}, found.design.n_splits) == ({"unet", "swin"}, 18)
    assert f"2 data sets (column {part!r}) on 9 items (column {source!r})" in found.provenance["read_as"]


@pytest.mark.parametrize("name", ["patient_id", "qas_id", "unique_id", "Series_ID"])
def test_an_id_in_every_row_is_offered_as_an_item_first_in_tables_of_both_forms(name, rng):
    wide = pd.DataFrame(
        {name: [f"k{i:02d}" for i in rng.permutation(30)], "svm": scores(rng, 30), "rf": scores(rng, 30)}
    )
    tidy = wide.melt(name, var_name="model", value_name="score")
    found = [asked(table, said)[0] for table, said in ((wide, "nothing says what"), (tidy, "has several scores"))]
    assert [(one.estimators, one.design.n_splits) for one in found] == [(("svm", "rf"), 30)] * 2


@pytest.mark.parametrize(
    "parts", [("dev", "test"), ("Dev", "Test"), ("CV Score", "Public LB", "Private LB"), ("Local CV", "Public LB")]
)
def test_scores_on_parts_of_the_data_are_one_per_model_and_no_deviations(parts, rng):
    table = pd.DataFrame({"Model": list("abcd")} | {name: scores(rng, 4) for name in parts})
    with pytest.raises(ValueError, match="it has one score per model") as refused:
        skc.read(table)
    assert "welch" not in str(refused.value)


@pytest.mark.parametrize("metric", ["classif.ce", "regr.mse", "classif.bacc", "surv.cindex"])
@pytest.mark.parametrize("number", ["iteration", "iter"])
def test_iterations_beside_a_metric_of_mlr_are_splits(metric, number, rng):
    table = pd.DataFrame(
        [(model, i) for model in ("rpart", "ranger") for i in range(1, 11)], columns=["learner", number]
    )
    table[metric] = scores(rng, 20)
    assert skc.read(table).design.name == "10-fold cross-validation"
    assert skc.read(table.rename(columns={metric: "accuracy"})).design.kind == "runs"


@pytest.mark.parametrize("name", ["Generation", "stage", "tier", "family_no"])
@pytest.mark.parametrize("shares", [False, True])
def test_small_whole_numbers_of_models_beside_data_sets_of_decimals_are_no_data_set(name, shares, rng):
    sets = ["IFEval", "BBH", "MUSR", "GPQA"]
    table = pd.DataFrame({"Model": [f"m{i}" for i in range(6)]} | {one: scores(rng, 6) for one in sets})
    table[sets] *= 1 if shares else 100
    more = table.assign(**{name: rng.permutation([0, 1, 2, 2, 1, 0]) if shares else [np.nan, 0, 1, 2, 2, 1]})
    found = skc.read(more[[*rng.permutation([*more])]])
    assert ({*found.datasets}, found.estimators) == ({*sets}, skc.read(table).estimators)
    assert f"'{name}' (what describes rows)" in found.provenance["read_as"]


@pytest.mark.parametrize("ends", [("accuracy", "macro avg", "weighted avg"), ("macro avg", "weighted avg")])
def test_reports_on_the_classes_of_some_models_ask_for_predictions(ends, rng):
    rows = [(model, one) for model in ("svm", "rf") for one in ("cat", "dog", *ends)]
    table = pd.DataFrame(rows, columns=["model", "class"])
    table = table.assign(precision=scores(rng, len(rows)), recall=scores(rng, len(rows)))
    with pytest.raises(ValueError, match="a report on the classes"):
        skc.read(table)


@pytest.mark.parametrize("settings", ["parameters", "hyperparameters", "params"])
def test_parameters_that_tell_scores_apart_are_those_of_models(settings, rng):
    rows = [(one, model, way) for one in SETS for model in ("svm", "rf") for way in ("a=1", "a=2")]
    table = pd.DataFrame(rows, columns=["dataset", "model", settings]).assign(accuracy=scores(rng, 4 * len(SETS)))
    assert len(asked(table, "has several scores")[0].estimators) == 4


@pytest.mark.parametrize("truth", ["gold", "ground_truth", "reference", "answer"])
@pytest.mark.parametrize("form", ["{}_correct", "correct_{}", "{}_em"])
@pytest.mark.parametrize("kind", [int, bool])
def test_a_log_with_a_column_of_right_answers_per_model_reads_as_with_a_row_per_model(truth, form, kind, rng):
    gold = np.array([f"it is {i}" for i in range(40)])
    wide = pd.DataFrame({"question": [f"what is {i}?" for i in range(40)], truth: gold})
    right = rng.random((2, 40)) < 0.6
    for model, own in zip(("gpt", "llama"), right, strict=True):
        wide[f"{model}_answer"] = np.where(rng.random(40) < 0.3, gold, np.char.add("so ", gold))
        wide[form.format(model)] = own.astype(kind)
    found, plain = skc.read(wide), skc.read(wide[["question", form.format("gpt"), form.format("llama")]])
    assert (found.design.kind, found.estimators) == ("items", plain.estimators)
    np.testing.assert_array_equal(found.scores, plain.scores)


@pytest.mark.filterwarnings("ignore:roc_auc")
@pytest.mark.parametrize("classes", ["ABCD", ("yes", "no"), ("yes", "no", "maybe")])
def test_whether_each_prediction_is_right_is_no_prediction(classes, rng):
    table = pd.DataFrame({"id": range(60), "gold": rng.choice([*classes], 60)})
    for model in ("gpt", "llama"):
        table[f"{model}_answer"] = np.where(rng.random(60) < 0.6, table["gold"], rng.choice([*classes], 60))
    plain = skc.read(table)
    for model in ("gpt", "llama"):
        table[f"{model}_correct"] = table[f"{model}_answer"] == table["gold"]
    found = skc.read(table[[*rng.permutation([*table])]])
    assert ({*found.estimators}, found.design.kind) == ({*plain.estimators}, "samples")
    assert found.provenance["read_as"].count("_correct'") == 2


@pytest.mark.parametrize("month", ["2023/12", "12/2023", "2021/3"])
def test_a_month_beside_scores_is_no_number_that_was_written_otherwise(month, rng):
    table = pd.DataFrame({"Model": list("abcd")} | {one: scores(rng, 4) for one in ("iris", "wine", "zoo")})
    found = skc.read(table.assign(**{"Knowledge": [month, "2022/11", month, "2024/01"]}))
    np.testing.assert_array_equal(found.scores, skc.read(table).scores)


@pytest.mark.parametrize("metric", ["MAE", "Acc", "RMSE (m/s)", "F1 (%)", "log loss", "AUC (OVR)", "1-AUC"])
@pytest.mark.parametrize("form", ["{m} ({x})", "{x} ({m})", "{x} [{m}]", "{x}({m})"])
def test_models_in_parentheses_behind_a_metric_are_called_without(metric, form, rng):
    columns = {form.format(m=model, x=metric): scores(rng, N) for model in ("svm", "rf", "knn")}
    found = skc.read(pd.DataFrame({"dataset": SETS, **columns}))
    assert (found.estimators, found.metrics) == (("svm", "rf", "knn"), (metric,))


@pytest.mark.parametrize("raw", [" Raw", "_raw", "-raw", " raw"])
def test_raw_scores_beside_normalized_ones_are_no_more_data_sets(raw, rng):
    plain = pd.DataFrame(
        {"Model": [f"m{i}" for i in range(6)]} | {one: scores(rng, 6) for one in ("bbh", "musr", "gpqa")}
    )
    both = plain.assign(**{f"{one}{raw}": plain[one] * 0.5 + 0.25 for one in ("bbh", "musr")})
    found = skc.read(both[["Model", *rng.permutation([*both][1:])]])
    assert ({*found.datasets}, found.estimators) == ({"bbh", "musr", "gpqa"}, skc.read(plain).estimators)
    models = plain.rename(columns={"Model": "dataset"}).assign(bbh_raw=plain["bbh"] * 0.5)
    assert "bbh_raw" in skc.read(models, models=["bbh", "bbh_raw", "musr"]).estimators


@pytest.mark.parametrize("named", ["{}_calculated", "{}_on_test", "final_{}"])
@pytest.mark.parametrize("setting", ["k_cv", "grid", "size_of_grid"])
def test_metrics_by_longer_names_are_no_data_sets_beside_a_setting(named, setting, rng):
    table = pd.DataFrame({"model_name": ["Simple", "Poly", "Lasso", "Ridge"], setting: 8})
    for metric in ("mse", "mape", "r2"):
        table[named.format(metric)] = rng.uniform(1, 9, 4)
    with pytest.raises(ValueError, match=r"model.*") as refused:
        skc.read(table)
    assert not any(options.get("dataset") == "columns" for _, options in getattr(refused.value, "calls", ()))


@pytest.mark.parametrize("gap", ["overfitting_gap", "train_test_gap", "improvement", "delta"])
@pytest.mark.parametrize("mean", ["test_mean", "cv_mean", "mean"])
def test_the_mean_of_a_metric_and_a_gap_of_it_are_no_two_data_sets(gap, mean, rng):
    table = pd.DataFrame(product(["svm", "rf", "knn"], ["accuracy", "f1"]), columns=["Model", "Metric"])
    table = table.assign(**{mean: rng.uniform(0.7, 0.9, 6), mean.replace("mean", "std"): rng.uniform(0.01, 0.02, 6)})
    table[gap] = rng.uniform(0.01, 0.1, 6)
    with pytest.raises(ValueError, match=r"metric|score") as refused:
        skc.read(table)
    assert not any(options.get("dataset") == "columns" for _, options in getattr(refused.value, "calls", ()))


@pytest.mark.parametrize("axis", ["epoch_id", "samples", "Relative Time (Process)"])
@pytest.mark.parametrize("metric", ["gap_mean", "accuracy"])
def test_steps_of_a_chart_of_a_tracker_are_not_offered_as_runs(axis, metric, rng):
    table = pd.DataFrame({axis: range(0, 200, 10)})
    for model in ("breezy-cloud-41", "rare-waterfall-40", "fast-lake-39"):
        shown = scores(rng, 20)
        parts = {f"_step{end}": range(1, 41, 2) for end in ("", "__MIN", "__MAX")}
        parts |= {f"{metric}{end}": shown for end in ("", "__MIN", "__MAX")}
        table = table.assign(**{f"{model} - {part}": cells for part, cells in parts.items()})
    with pytest.raises(ValueError, match="counts through the training of one run") as refused:
        skc.read(table)
    assert not any("_step" in str(options.get("run")) for _, options in refused.value.calls)


def test_parts_of_the_names_of_files_are_said_in_one_order(rng, tmp_path):
    parts = [*rng.permutation(["instruct", "base", "qwen", "gte", "mini", "large"])]
    names = ["_".join([*parts[:4], "first"]), "_".join([*parts[:4], "second"]), "_".join([*parts[4:], "first"])]
    for name in names:
        pd.DataFrame({"dataset": SETS, "accuracy": scores(rng, N)}).to_csv(tmp_path / f"{name}.csv", index=False)
    with pytest.raises(ValueError, match="files are named by parts") as refused:
        skc.read(*(tmp_path / f"{name}.csv" for name in names))
    assert ", ".join(map(repr, sorted(["first", *map(str, parts[:4])])[:3])) in str(refused.value)


@pytest.mark.parametrize("metric", ["ade_yards", "mystery", "realized_return", "prefix surprise"])
@pytest.mark.parametrize("form", ["named", "wide", "tidy", "two"])
def test_a_direction_that_nothing_says_stands_in_the_reading(metric, form, rng):
    tidy = pd.DataFrame(product(SETS, ["svm", "rf", "knn"]), columns=["dataset", "model"])
    tidy[metric], tidy["accuracy"] = rng.uniform(200, 900, 24), scores(rng, 24)
    wide = tidy.pivot(index="dataset", columns="model", values=metric).reset_index()
    both = {"metrics": ["accuracy", metric]}
    table, options, name = {
        "named": (wide.assign(metric=metric), {}, metric),
        "wide": (wide, {"models": ["svm", "rf"]}, "score"),
        "tidy": (tidy.drop(columns="accuracy"), {}, metric),
        "two": (tidy, both, metric),
    }[form]
    said = f"More of {name} is taken for better; greater_is_better="
    study = skc.read(table, **options)
    assert said in study.provenance["read_as"]
    assert study.greater_is_better[-1]
    less = skc.read(table, greater_is_better={name: False}, **options)
    assert said not in less.provenance["read_as"]
    assert not less.greater_is_better[-1]


TRAINED = [("train", "val"), ("Training", "Valid"), ("train", "dev"), ("training", "validation")]


@pytest.mark.parametrize("others", TRAINED)
@pytest.mark.parametrize("tests", [("test-a", "test-b", "test-c"), ("Test seen", "Test unseen"), ("test", "test_hard")])
@pytest.mark.parametrize("column", ["split", "dataset", "subset"])
def test_training_and_validation_sets_beside_several_test_sets_are_left_out(others, tests, column, rng):
    names = rng.permutation([*others, *tests]).tolist()
    wide = pd.DataFrame({column: names, "svm": scores(rng, len(names)), "rf": scores(rng, len(names))})
    tidy = wide.melt(column, var_name="model", value_name="accuracy")
    for table in (wide, tidy):
        study = skc.read(table, dataset=column)
        assert sorted(study.datasets) == sorted(tests)
        left = [name for name in names if name not in tests]
        assert f"Left out of {column!r}: {left[0]!r}, {left[1]!r}." in study.provenance["read_as"]


@pytest.mark.parametrize("names", [("dev-clean", "dev-other", "test-clean", "test-other"), ("iris", "wine", "val")])
def test_sets_called_by_parts_of_the_data_are_no_sums_of_others(names, rng):
    study = skc.read({"dataset": [*names], "svm": scores(rng, len(names)), "rf": scores(rng, len(names))})
    assert study.datasets == names


RATES = {"False_Positive_Rate": False, "true positive rate": True, "false_discovery_rate": False, "fpr": False}
RATES |= {"positive_predictive_value": True, "False Negative Rate": False, "bits_per_byte": False, "val_bpb": False}


@pytest.mark.parametrize("rate", RATES)
def test_a_rate_that_each_model_has_on_both_data_sets_is_a_metric(rate, rng):
    table = pd.DataFrame(product(["Semgrep", "Bandit", "Snyk"], ["human", "machine"]), columns=["tool", "dataset"])
    table["recall"], table[rate] = scores(rng, 6), np.repeat(rng.permutation([0.0, 0.1, 0.2]), 2)
    table["cost_usd"], table["artifact_bytes"] = np.repeat([1.5, 2.5, 0.5], 2), rng.integers(10**6, 10**7, 6)
    study = skc.read(table)
    assert dict(zip(study.metrics, study.greater_is_better, strict=True)) == {"recall": True, rate: RATES[rate]}


@pytest.mark.parametrize("truth", ["True_Label", "y_true", "label"])
@pytest.mark.parametrize("form", ["{}_Cluster", "cluster_{}", "{} clusters", "{}-clustering"])
def test_numbers_of_clusters_are_not_read_as_predicted_labels(truth, form, rng):
    table = pd.DataFrame({form.format(name): rng.integers(0, 2, 40) for name in ("KMeans", "Ward", "DBSCAN")})
    with pytest.raises(ValueError, match=r"may hold"):
        skc.read(table.assign(**{truth: rng.integers(0, 2, 40)}))


@pytest.mark.parametrize(
    "errors", [("abs_bias", "sq_error"), ("absolute bias", "squared_error"), ("abs_err", "sq_bias")]
)
@pytest.mark.parametrize("case", ["dataset", "sample_id"])
def test_errors_of_estimates_are_scores_and_the_estimates_are_none(errors, case, rng):
    table = pd.DataFrame(product(SETS, ["OLS", "IPW", "AIPW"]), columns=[case, "estimator"])
    table["true_ate"], table["est_ate"] = np.repeat(rng.normal(size=8), 3), rng.normal(size=24)
    table["bias"] = table["est_ate"] - table["true_ate"]
    table[errors[0]], table[errors[1]] = table["bias"].abs(), table["bias"] ** 2
    found = skc.read(table[rng.permutation(table.columns)])
    assert dict(zip(found.metrics, found.greater_is_better, strict=True)) == dict.fromkeys(errors, False)


@pytest.mark.parametrize("unique", ["experiment", "configuration_hash", "title"])
@pytest.mark.parametrize("last", [False, True])
def test_what_models_share_names_cases_before_what_is_new_in_every_row(unique, last, rng):
    table = pd.DataFrame(product(["svm", "rf", "nb"], ["bow", "tfidf", "ngram"]), columns=["model", "feature"])
    table.insert(2 * last, unique, [f"{model}__{feature}" for model, feature in table.to_numpy()])
    first = asked(table.assign(f1=scores(rng, 9)), "has several scores")[0]
    assert (first.estimators, first.datasets) == (("svm", "rf", "nb"), ("bow", "tfidf", "ngram"))


@pytest.mark.parametrize("columns", [("slice", "group"), ("attribute", "value_of_it"), ("aspect", "cluster")])
@pytest.mark.parametrize("sized", [False, True])
def test_two_columns_that_name_cases_together_are_offered_so(columns, sized, rng):
    parts = [("overlap", "low"), ("overlap", "high"), ("length", "low"), ("length", "high"), ("negated", "high")]
    table = pd.DataFrame([(model, *own) for model in ("bert", "cnn") for own in parts], columns=["model", *columns])
    table = table.assign(**{"n": [*range(100, 105)] * 2} if sized else {}, accuracy=scores(rng, 10))
    first = asked(table, "has several scores")[0]
    assert [*first.datasets] == [", ".join(own) for own in parts]


@pytest.mark.parametrize("header", ["", "Unnamed: 0", "index"])
@pytest.mark.parametrize("start", [0, 1])
def test_row_numbers_of_r_and_pandas_are_no_cases(header, start, rng):
    table = pd.DataFrame(product(["v1", "v2", "v3", "v4"], [*"ABCDEF"]), columns=["map_version", "biome"])
    table.insert(0, header, range(start, start + 24))
    table["RMSE_mean"], table["RMSE_sd"] = rng.uniform(5, 9, 24), rng.uniform(0.1, 0.2, 24)
    found = asked(table, "nothing names models")
    assert {(*study.estimators, "-", *study.datasets) for study in found} == {
        (*"ABCDEF", "-", "v1", "v2", "v3", "v4"),
        ("v1", "v2", "v3", "v4", "-", *"ABCDEF"),
    }


@pytest.mark.parametrize("empty", ["[]", "[ ]"])
def test_lists_of_which_some_are_empty_name_nothing(empty, rng):
    table = pd.DataFrame(product(["fedavg", "median"], [0.0, 0.2, 0.4], range(5)), columns=["method", "ratio", "seed"])
    table["clients"] = table["ratio"].map({0.0: empty, 0.2: "[1, 8]", 0.4: "[2, 3, 6]"})
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table.assign(f1=scores(rng, 30)))
    assert not any("clients" in str(value) for _, options in refused.value.calls for value in options.values())


@pytest.mark.parametrize("named", ["codec", "Implementation", "codec_name"])
@pytest.mark.parametrize("columns", [("bengali", "hindi", "tamil"), ("loop", "sort", "hash", "join")])
def test_codecs_and_implementations_are_models(named, columns, rng, tmp_path):
    table = pd.DataFrame({named: ["dac", "snac", "opus"]} | {name: scores(rng, 3) for name in columns})
    table["MEAN"] = table[[*columns]].mean(axis=1).round(4)
    table.to_csv(tmp_path / "stoi_results.csv", index=False)
    study = skc.read(tmp_path / "stoi_results.csv")
    assert (study.estimators, study.datasets, study.metrics) == (("dac", "snac", "opus"), columns, ("stoi",))


@pytest.mark.parametrize("metric", ["WER", "accuracy", "RMSE"])
@pytest.mark.parametrize("called", ["AMI", "MOS", "KS"])
@pytest.mark.parametrize("form", ["{} {}", "{}_{}", "{0} ({1})"])
def test_a_data_set_that_is_called_like_a_metric_has_the_metric_of_the_others(metric, called, form, rng):
    names = rng.permutation([called, "Earnings22", "Gigaspeech", "Tedlium"]).tolist()
    table = pd.DataFrame({form.format(name, metric): scores(rng, 9) for name in names})
    study = skc.read(table.assign(model=[f"org/model-{x}" for x in "abcdefghi"]))
    assert (study.metrics, study.datasets) == ((metric,), tuple(names))


@pytest.mark.parametrize("item", ["sequence", "smiles", "peptide", "Gene"])
@pytest.mark.parametrize("share", [0.4, 0.8])
def test_labels_of_molecules_and_sequences_are_not_what_models_got_right(item, share, rng):
    table = pd.DataFrame({item: ["".join(rng.choice([*"ACDEFGHIK"], 12)) for _ in range(60)]})
    labels = ["antimicrobial", "antiviral", "antifungal", "toxic"]
    table = table.assign(**{name: (rng.random(60) < share).astype(int) for name in labels})
    with pytest.raises(ValueError, match="may be labels of the rows"):
        skc.read(table)
    models = ["RF", "SVM", "XGBoost", "MLP"]
    assert skc.read(table.set_axis([item, *models], axis=1)).estimators == tuple(models)


@pytest.mark.parametrize("size", ["audio_duration_s", "clip_length", "audio_len", "utterance_duration"])
def test_how_long_a_sample_is_is_no_score(size, rng):
    table = pd.DataFrame(product(["bark", "xtts"], range(10)), columns=["model", "sentence_idx"])
    table = table.assign(wer=np.nan, latency_s=rng.uniform(1, 9, 20), **{size: rng.uniform(1, 9, 20)})
    assert asked(table, "it has no column of scores")[0].metrics == ("latency_s",)


@pytest.mark.parametrize("number", ["", "Unnamed: 0", "experiment_id", "user_id"])
def test_numbers_of_rows_and_registers_alone_are_no_scores(number, rng):
    table = pd.DataFrame(product(["diversity", "entropy", "margin"], SETS), columns=["strategy", "corpus"])
    table.insert(0, number, rng.permutation(100)[:24])
    with pytest.raises(ValueError, match="it has no column of scores"):
        skc.read(table.assign(p_value=rng.random(24), significant=rng.random(24) < 0.5))


@pytest.mark.parametrize("rows", ["Error when FEs = {}", "after {} evaluations", "Value at {}"])
def test_rows_that_differ_in_a_number_are_not_read_as_models_of_runs(rows, rng):
    table = pd.DataFrame(rng.uniform(1, 9, (8, 5)), columns=[f"Run {i}" for i in range(1, 6)])
    table.insert(0, "CEC2013_23_10", [rows.format(1000 * 2**i) for i in range(8)])
    with pytest.raises(ValueError, match="its rows may be no models"):
        skc.read(table)
    assert skc.read(table.replace(table.iloc[:, 0].tolist(), [*"ABCDEFGH"])).estimators == tuple("ABCDEFGH")


@pytest.mark.parametrize("text", ["{:.0f} ± {:.1f}", "{:.0f} (±{:.1f})"])
def test_means_with_deviations_name_no_splits(text, rng):
    table = pd.DataFrame(product(["BPR", "NeuMF"], ["raw", "kcore", "timed"]), columns=["model", "variant"])
    table["items"] = [text.format(*own) for own in zip(rng.permutation(900)[:6], rng.random(6), strict=True)]
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table.assign(**{"NDCG@10": scores(rng, 6)}))
    assert not any("items" in str(value) for _, options in refused.value.calls for value in options.values())


@pytest.mark.parametrize("size", ["img_size", "input_size", "n_params"])
def test_sizes_of_inputs_that_few_models_have_twice_are_no_data_sets(size, rng):
    models = [f"net_{name}" for name in "abcdefghijkl"] + ["net_a", "net_c"]
    table = pd.DataFrame({"model": models, size: [*rng.choice([224, 288, 384], 12), 512, 640], "top1": scores(rng, 14)})
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table.assign(crop_pct=rng.choice([0.875, 0.9, 0.95], 14)))
    assert not any("dataset" in options for _, options in refused.value.calls)


@pytest.mark.parametrize("flag", ["present_in_v{}", "v{}_exists", "contains m{}", "changed_v{}"])
@pytest.mark.parametrize("cells", ["words", "numbers"])
def test_flags_of_files_are_not_what_models_got_right(flag, cells, rng):
    table = pd.DataFrame({flag.format(i): rng.random(40) < 0.8 for i in (1, 2, 3)})
    table = table if cells == "words" else table.astype(int)
    table.insert(0, "relpath", [f"dev/{i:03d}.yaml" for i in range(40)])
    with pytest.raises(ValueError, match="may be labels of the rows"):
        skc.read(table)


@pytest.mark.parametrize("metrics", [("mae", "acc"), ("rmse", "f1"), ("wer", "bleu"), ("nll", "auc")])
@pytest.mark.parametrize("form", ["{0}_{1}", "seq_{1}_{0}", "{1} ({0})"])
@pytest.mark.parametrize("case", ["subject", "case", ""])
def test_models_that_a_call_names_are_of_one_metric(metrics, form, case, rng):
    names = [form.format(model, metric) for model in ("masked", "plain") for metric in metrics]
    table = pd.DataFrame({case: range(1, 11)} if case else {}).assign(**{name: scores(rng, 10) for name in names})
    with pytest.raises(ValueError, match=r"skc\.read") as refused:
        skc.read(table, item="rows") if not case and form != "seq_{1}_{0}" else skc.read(table)
    for _, call in refused.value.calls:
        if "models" in call:
            assert len({metric for metric in metrics for name in call["models"] if metric in name}) == 1
            assert skc.read(table, **call).metrics[0] in metrics


@pytest.mark.parametrize("name", ["best_acc", "chosen_acc", "worst_acc", "selected_acc"])
@pytest.mark.parametrize("signed", [True, False])
def test_what_was_picked_of_the_models_is_none(name, signed, rng):
    table = pd.DataFrame({f"{one}_acc": scores(rng, N).round(4) for one in ("svm", "rf", "knn")})
    picked = np.take_along_axis(table.to_numpy(), rng.integers(0, 3, (N, 1)), axis=1)[:, 0]
    table = table.assign(**{name: picked})
    study = skc.read((table.map("{:.2%}".format) if signed else table).assign(dataset=SETS))
    assert study.estimators == ("svm", "rf", "knn")
    graded = pd.DataFrame({one: rng.integers(0, 2, 40) for one in ("best_of_8", "greedy", "voted")})
    assert len(skc.read(graded.assign(item=[f"q{i}" for i in range(40)])).estimators) == 3


@pytest.mark.parametrize("name", ["count", "Count", "AVG", "average"])
@pytest.mark.parametrize("value", ["accuracy", "f1"])
def test_a_class_that_is_called_like_a_sum_of_the_others_is_asked_about(name, value, rng):
    """Images of things to count; people who speak neither fast nor slowly."""
    x = rng.uniform(0.7, 0.9, (2, 3)).round(3)
    x = np.c_[x, [1.0, 1.0] if name.lower() == "count" else x.min(axis=1) - 0.1]
    x[:, 0] = 1.0
    table = pd.DataFrame(product(["net a", "net b"], ["binding", "space", "text", name]), columns=["model", "dataset"])
    [study] = asked(table.assign(**{value: x.ravel()}), f"'{name}' is called like what sums up others")
    assert [*study.datasets] == ["binding", "space", "text", name]


@pytest.mark.parametrize("name", ["relevant_ids", "doc_ids", "passage_id", "gold ids"])
@pytest.mark.parametrize("metrics", [("mrr",), ("recall_at_k", "ndcg_at_k")])
def test_lists_of_what_was_found_are_no_clusters(name, metrics, rng):
    ids = [str([f"n_{n}"]) for n in rng.integers(0, 4, 20)]
    ids[:2] = "['n_0']", "['n_0', 'n_1']"
    table = pd.DataFrame([(m, f"q{i}", ids[i]) for m in ("bm25", "dense") for i in range(20)])
    table = table.set_axis(["system", "item_id", name], axis=1)
    found = skc.read(table.assign(**{metric: rng.random(40).round(3) for metric in metrics}))
    assert (found.design.name, found.metrics) == ("20 items", metrics)


@pytest.mark.parametrize("metric", ["Spearman_rho", "msd_mm", "rouge_l_precision", "rouge_l_f1", "rougeLsum"])
@pytest.mark.parametrize(
    "beside", ["cold_start_ms", "energy_per_tok_mean_j", "quant_bits", "total_cases", "Final rank"]
)
def test_metrics_are_known_beside_what_is_none(metric, beside, rng):
    table = pd.DataFrame(product(["net a", "net b"], SETS), columns=["model", "dataset"])
    table = table.assign(accuracy=scores(rng, 2 * N), **{metric: scores(rng, 2 * N)})
    study = skc.read(table.assign(**{beside: rng.integers(100, 999, 2 * N)}))
    assert study.metrics == ("accuracy", metric)
    assert f"{beside!r} (neither" not in study.provenance["read_as"]


@pytest.mark.parametrize("name", ["vol_err_pct", "size error", "mean bias", "volume_error"])
def test_errors_above_and_below_zero_are_no_scores(name, rng):
    table = pd.DataFrame(product(["net a", "net b"], SETS), columns=["model", "dataset"])
    table = table.assign(dice=scores(rng, 2 * N))
    signed = skc.read(table.assign(**{name: [*rng.uniform(1, 9, N), *rng.uniform(-9, -1, N)]}))
    assert signed.metrics == ("dice",)


@pytest.mark.parametrize("right", ["overall_correct", "task_success", "all_passed"])
def test_what_says_whether_all_was_right_is_among_the_scores(right, rng):
    table = pd.DataFrame(product(["net a", "net b"], [f"q{i}" for i in range(30)]), columns=["model", "case_id"])
    others = ["format_valid", "called", "native"]
    table = table.assign(**{name: rng.random(60) < 0.7 for name in others}, param_score=rng.random(60), **{right: True})
    table.loc[rng.permutation(60)[:20], right] = False
    table.loc[rng.permutation(60)[:9], "param_score"] = np.nan
    assert right in [result.metrics[0] for result in asked(table, "could all be scores")]


def test_runs_that_have_names_may_be_models(rng):
    runs = [f"llama_{bits}bit_replay{share}" for bits in (4, 8, 16) for share in (0, 10, 20)]
    table = pd.DataFrame({name: rng.uniform(40, 80, 9).round(2) for name in ("mmlu", "arc_easy", "winogrande")})
    table = table.assign(run=runs, forgetting=rng.normal(0, 2, 9).round(2))
    assert tuple(runs) in [result.estimators for result in asked(table, "nothing shows that the numbers")]


@pytest.mark.parametrize("person", ["Participant", "subject", "patient_id", "Rater no"])
@pytest.mark.parametrize("metrics", [("F0.5", "Accuracy"), ("rmse", "r2")])
def test_numbers_of_people_in_several_conditions_are_no_scores(person, metrics, rng):
    table = pd.DataFrame(product(range(1, 11), ["walk", "lean", "sit"]), columns=[person, "Condition"])
    names = [f"{model}_{metric}" for model in ("LDA", "SVM") for metric in metrics]
    first = asked(table.assign(**{name: scores(rng, 30) for name in names}), "has several scores")[0]
    assert (first.estimators, first.metrics) == (("LDA", "SVM"), metrics)
    assert first.design.kind == "items"
    graded = table.assign(model="net a", judge_score=rng.integers(1, 10, 30))
    both = pd.concat([graded, graded.assign(model="net b")]).rename(columns={person: "item"})
    assert "judge_score" in skc.read(both.drop(columns="Condition").drop_duplicates(["model", "item"])).metrics


@pytest.mark.parametrize(
    "cells", [("❌ FAIL", "✅ PASS"), ("✗ no", "✓ yes"), ("fail ❌", "pass ✅"), (" wrong ", "right")]
)
@pytest.mark.parametrize("name", ["result", "outcome", "Verdict"])
def test_words_beside_ticks_say_what_was_right(cells, name, rng):
    table = pd.DataFrame(product(["net a", "net b"], [f"q{i:02}" for i in range(30)]), columns=["model", "item"])
    right = rng.random(60) < 0.6
    found = skc.read(table.assign(**{name: np.array(cells)[right.astype(int)]}))
    assert found.design.name == "30 items"
    np.testing.assert_array_equal(found.score("net b", found.metrics[0]), right[30:])
