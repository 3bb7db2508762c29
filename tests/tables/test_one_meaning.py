"""Tables that say one thing in two ways are read as they are in the other one."""

import cProfile
import json
import os
import re
import subprocess
import sys
import warnings
from itertools import product
from string import ascii_lowercase

import numpy as np
import pandas as pd
import pytest

import skcompare as skc
from tests.asked_tables import asked

MODELS = ["LogReg", "Random forest", "SVM", "kNN", "MLP", "XGBoost", "Ridge", "TabPFN"]
DATA = ["carrot", "lettuce", "onion", "leek", "kale", "beet", "pea"]

# ---- one table in processes with other hashes of texts -------------------------------------------------------------

READ = """
import sys
import skcompare as skc
for path in sys.argv[1:]:
    print(skc.read(path).provenance["read_as"])
"""


def test_what_was_left_out_is_said_in_the_order_of_the_table(rng, tmp_path):
    paths, left_out = [tmp_path / f"{i}.csv" for i in range(8)], []
    for i, path in enumerate(paths):
        if i % 2:  # what describes the samples
            left_out.append([*rng.permutation(["ward", "shift", "region", "season", "colour"])[: rng.integers(3, 6)]])
            y, *predicted = rng.choice(["cat", "dog"], (4, 60))
            models = dict(zip(rng.permutation(MODELS), predicted, strict=False))
            texts = {name: rng.choice([f"{name}{j}" for j in range(3)], 60) for name in left_out[-1]}
            pd.DataFrame({"y_true": y, **models, **texts}).to_csv(path, index=False)
        else:  # the times of `cross_validate`, in rows
            left_out.append([*rng.permutation(["fit_time", "score_time"])])
            cases = product(rng.permutation(MODELS)[:3], range(5), ["accuracy", *left_out[-1]])
            rows = [(*case, rng.random()) for case in cases]
            pd.DataFrame(rows, columns=["model", "fold", "metric", "value"]).to_csv(path, index=False)
    said = []
    for seed in "123":
        command, own = [sys.executable, "-c", READ, *map(str, paths)], {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=True)
        said.append(done.stdout)
    assert len({*said}) == 1
    for line, names in zip(said[0].splitlines(), left_out, strict=True):
        assert f"Left out: {', '.join(map(repr, map(str, names)))}" in line


# ---- one name in two spellings ------------------------------------------------------------------------------------

SPELT = {"model": ("model", "Model", "MODEL"), "fold": ("fold", "Fold"), "score": ("test accuracy", "test_accuracy")}


@pytest.mark.parametrize("role", [*SPELT, "all"])
@pytest.mark.parametrize("made", ["files", "frame"])
@pytest.mark.parametrize("backwards", [False, True])
def test_columns_of_one_name_in_two_spellings_are_one(rng, tmp_path, role, made, backwards):
    plain = {name: spellings[-1 if backwards else 0] for name, spellings in SPELT.items()}
    other = {name: x[0 if backwards else -1] if role in (name, "all") else plain[name] for name, x in SPELT.items()}
    frames = [
        pd.DataFrame({names["model"]: model, names["fold"]: np.arange(10), names["score"]: rng.random(10)})
        for model, names in (("svm", plain), ("tree", other), ("lr", plain))
    ]
    paths = [tmp_path / f"{i}.csv" for i in range(3)]
    for path, frame in zip(paths, frames, strict=True):
        frame.to_csv(path, index=False)
    found = skc.read(*paths) if made == "files" else skc.read(pd.concat(frames, ignore_index=True))
    alike = skc.read(pd.concat([x.set_axis([*frames[0]], axis=1) for x in frames], ignore_index=True))
    np.testing.assert_array_equal(found.scores, alike.scores)
    assert (found.estimators, found.design) == (alike.estimators, alike.design)
    said = [f"{plain[name]!r} and {other[name]!r} were taken for one column" for name in SPELT if role in (name, "all")]
    assert all(one in found.provenance["read_as"] for one in said)


def test_two_spellings_in_one_row_stay_two_columns(rng):
    table = {"dataset": [*"abcdef"], "SVM": rng.random(6), "svm": rng.random(6), "tree": rng.random(6)}
    assert skc.read(table, models=["SVM", "svm", "tree"]).estimators == ("SVM", "svm", "tree")


# ---- runs of models that share no seed ----------------------------------------------------------------------------


@pytest.mark.parametrize("models", [["svm", "tree"], ["svm", "tree", "lr"]])
@pytest.mark.parametrize("columns", [["seed"], ["dataset", "seed"]])
@pytest.mark.parametrize("mixed", [False, True])
def test_a_wide_table_of_runs_reads_as_the_tidy_one(rng, models, columns, mixed):
    n = 6 * len(models)
    own = rng.permutation(n) % len(models) if mixed else np.repeat(np.arange(len(models)), 6)
    wide = pd.DataFrame({name: np.where(own == i, rng.random(n), np.nan) for i, name in enumerate(models)})
    wide.insert(0, "seed", rng.permutation(1000)[:n])
    if "dataset" in columns:
        wide = pd.concat([wide.assign(dataset=name) for name in ("iris", "wine")], ignore_index=True)
    tidy = wide.melt(columns, var_name="model", value_name="score").dropna()
    found, alike = skc.read(wide), skc.read(tidy)
    assert str(found) == str(alike)
    assert found.warnings == alike.warnings


def test_a_blank_of_a_run_that_other_models_have_is_still_asked_about(rng):
    wide = pd.DataFrame({"seed": np.arange(8), "svm": rng.random(8), "tree": rng.random(8)})
    wide.loc[3, "svm"] = np.nan
    with pytest.raises(ValueError, match="1 score is missing: 'svm' on 'run 3'"):
        skc.read(wide)


def test_a_blank_of_a_single_model_is_still_asked_about(rng):
    scores = rng.random(8)
    scores[3] = np.nan
    with pytest.raises(ValueError, match=r"1 score is missing"):
        skc.read({"seed": np.arange(8), "svm": scores}, models=["svm"])


# ---- means beside deviations, as agg of pandas calls them ----------------------------------------------------------

AGGREGATED = [
    "{} mean|{} std",
    "{}_mean|{}_std",
    "mean_{}|std_{}",
    "{} (mean)|{} (std)",
    "{}.mean|{}.sd",
    "avg {}|se {}",
]


@pytest.mark.parametrize("form", AGGREGATED)
@pytest.mark.parametrize("models", [["lr", "svm"], ["tree", "Model A", "mlp"]])
def test_means_beside_deviations_are_called_by_what_they_are_of(rng, form, models):
    means, spreads = rng.uniform(0.6, 0.9, (len(models), 8)), rng.uniform(0.001, 0.05, (len(models), 8))
    wide = {"dataset": [*"abcdefgh"]}
    for name, mean, spread in zip(models, means, spreads, strict=True):
        wide |= dict(zip([part.format(name) for part in form.split("|")], (mean, spread), strict=True))
    found = skc.read(wide)
    assert found.estimators == tuple(models)
    np.testing.assert_array_equal(found.scores[:, :, 0, 0], means.T)
    assert "(deviations)" in found.provenance["read_as"]
    own = [name for name in wide if name != "dataset"][::2]
    assert skc.read(wide, models=own).estimators == tuple(own)
    of_metric = [part.format("accuracy") for part in form.split("|")]
    tidy = {"dataset": wide["dataset"] * len(models), "model": np.repeat(models, 8)}
    tidy |= dict(zip(of_metric, (means.ravel(), spreads.ravel()), strict=True))
    assert skc.read(tidy).metrics == ("accuracy",)


def test_what_agg_of_pandas_makes_has_the_models_by_their_names(rng):
    scores = pd.DataFrame({"dataset": np.repeat([*"abcdefgh"], 5), "lr": rng.uniform(0.7, 0.9, 40)})
    made = scores.assign(svm=rng.uniform(0.7, 0.9, 40)).groupby("dataset").agg(["mean", "std"])
    assert skc.read(made).estimators == ("lr", "svm")


def test_models_that_are_called_like_means_keep_their_names(rng):
    pools = {f"{name}_pool": rng.uniform(0.6, 0.9, 8) for name in ("mean", "std", "max")}
    with pytest.raises(ValueError, match="mean_pool"):
        skc.read({"dataset": [*"abcdefgh"], **pools})


# ---- predictions and scores of each model in columns --------------------------------------------------------------

NAMED = [
    ("{}_pred", "{}_proba"),
    ("y_pred_{}", "y_prob_{}"),
    ("{} prediction", "{} probability"),
    ("{}-pred", "{}-prob"),
]


def drawn(rng, classes, n=200):
    """True labels, and of two models the labels and the probabilities of all classes."""
    truth = rng.integers(0, len(classes), n)
    own = [rng.dirichlet(np.ones(len(classes)), n) + np.eye(len(classes))[truth] * share for share in (0.6, 0.3)]
    own = [x / x.sum(axis=1, keepdims=True) for x in own]
    return np.array(classes)[truth], {
        name: (np.array(classes)[x.argmax(axis=1)], x) for name, x in zip("ab", own, strict=True)
    }


@pytest.mark.parametrize("named", NAMED)
@pytest.mark.parametrize("classes", [[0, 1], ["ham", "spam"], ["ham", "spam", "news"], [1, 2, 10]])
@pytest.mark.parametrize("truth", ["gold", "y_true"])
def test_columns_of_predictions_and_scores_are_both_read(rng, named, classes, truth):
    classes = sorted(classes)
    labels, models = drawn(rng, classes)
    by_class = len(classes) > 2
    if by_class and named[1].endswith("{}"):
        pytest.skip("the class stands behind the model")
    table = {truth: labels} | {named[0].format(name): own for name, (own, _) in models.items()}
    for name, (_, shares) in models.items():
        ends = [f"_{one}" for one in classes] if by_class else [""]
        table |= {named[1].format(name) + end: shares[:, i - len(ends)] for i, end in enumerate(ends)}
    found = skc.read(table)
    given = {x: {"prediction": own, "probability": p if by_class else p[:, 1]} for x, (own, p) in models.items()}
    alike = skc.from_predictions(labels, given)
    assert (found.estimators, found.metrics) == (alike.estimators, alike.metrics)
    np.testing.assert_array_equal(found.scores, alike.scores)
    assert "prediction and probability were read" in found.provenance["read_as"]


@pytest.mark.parametrize("odd", ["other class", "lacks one", "no label"])
def test_columns_of_which_some_fit_no_other_are_asked_about(rng, odd):
    labels, models = drawn(rng, ["ham", "spam"])
    table = {"gold": labels}
    for name, (own, shares) in models.items():
        table |= {f"{name}_pred": own, f"{name}_proba": shares[:, 0 if odd == "other class" else 1]}
    if odd == "lacks one":
        del table["b_proba"]
    if odd == "no label":
        table["score_of_c"] = models["a"][1][:, 1]
    with pytest.raises(ValueError, match="a_pred"):
        skc.read(table)


# ---- what a refusal says that a table needs -------------------------------------------------------------------------


def tables_of_samples(rng, names):
    """Tables that hold predictions or outcomes and lack something, each with how it is read and what it needs."""
    n, (one, other) = 40, names
    labels, ids = rng.integers(0, 2, n), [*range(n)]
    tidy = {"sample_id": ids * 2, "model": [one] * n + [other] * n}
    words = np.where(labels, "yes", "no")
    return [
        (
            skc.read,
            {"id": ids, "gold": words, one: np.where(labels, "p", "q"), other: words.copy() + "s"},
            "Predictions",
        ),
        (
            skc.read,
            {"model": [*tidy["model"], other], "y_true": [*words] * 2 + ["no"], "y_pred": [*words] * 2 + ["no"]},
            "Predictions",
        ),
        (skc.from_predictions, {**tidy, "prediction": [*labels] * 2}, "Predictions"),
        (skc.from_predictions, {"sample_id": ids, one: labels, other: labels}, "Predictions"),
        (skc.from_outcomes, tidy, "Outcomes"),
    ]


@pytest.mark.parametrize("names", [("svm", "tree"), ("model A", "model B")])
@pytest.mark.parametrize("which", range(5))
def test_the_advice_of_a_refusal_fits_what_was_given(rng, names, which):
    read, table, needs = tables_of_samples(rng, names)[which]
    with pytest.raises(ValueError, match=r"[.] ") as caught:
        read(table)
    said = str(caught.value)
    assert "A table needs" not in said
    assert f". {needs} need a column" in said or "skc.read(" in said


# ---- numbers of any size ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e200, 1e299, 1e-320, 1e-200])
@pytest.mark.parametrize("n", [12, 40])
def test_no_finite_number_makes_numpy_warn(rng, size, n):
    a, b, truth = rng.uniform(0.1, 0.9, (3, n)) * size
    tidy = {"model": ["svm"] * n + ["tree"] * n, "score": np.r_[a, b]}
    ways = [
        lambda: skc.from_predictions(truth, {"svm": a, "tree": b}),
        lambda: skc.from_predictions(
            truth, {"svm": a, "tree": b}, scoring=["r2", "max_error", "neg_median_absolute_error"]
        ),
        lambda: skc.from_predictions(truth / size, {"svm": a / size, "tree": b / size}, sample_weight=a),
        lambda: skc.from_outcomes({"svm": a, "tree": b}, sample_id=range(n)),
        lambda: skc.from_frame({**tidy, "fold": [*range(n)] * 2}),
        lambda: skc.from_runs({"svm": a, "tree": b}),
        lambda: skc.read({**tidy, "seed": [*range(n)] * 2}),
        lambda: skc.read({"dataset": [f"d{i}" for i in range(n)], "svm": a, "tree": b}),
        lambda: skc.read({"id": range(n), "gold": truth, "svm_pred": a, "tree_pred": b}),
    ]
    for way in ways:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)
            try:
                found = way()
            except ValueError as error:
                assert "1e+300" in str(error) or "must" in str(error)  # noqa: PT017
                continue
            assert str(found)
            assert found.explain()


def test_weights_that_add_up_to_more_than_any_number_are_refused(rng):
    labels = rng.integers(0, 2, 20)
    with pytest.raises(ValueError, match="sample_weight must have one value per sample"):
        skc.from_predictions(labels, {"a": labels, "b": 1 - labels}, sample_weight=np.full(20, 1e308))


# ---- sizes of splits that say what their numbers do not ------------------------------------------------------------


@pytest.mark.parametrize(("k", "share"), [(10, 0.3), (10, 0.5), (30, 0.2), (5, 0.25), (10, 0.12)])
@pytest.mark.parametrize("read", [skc.from_frame, skc.read])
def test_numbered_splits_that_test_more_than_all_samples_overlap(rng, k, share, read):
    n = int(rng.integers(200, 2000))
    n_test = round(share * n) + rng.integers(-1, 2, k)
    table = {"model": ["svm"] * k + ["tree"] * k, "fold": [*range(k)] * 2, "score": rng.random(2 * k)}
    found = read({**table, "n_train": [*(n - n_test)] * 2, "n_test": [*n_test] * 2}).design
    assert (found.n_repeats, found.n_folds, found.partition) == (k, 1, False)
    folds = np.diff(np.linspace(0, n, k + 1).astype(int))
    assert read({**table, "n_train": [*(n - folds)] * 2, "n_test": [*folds] * 2}).design.n_folds == k


# ---- what a table of many texts costs ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "n_scores", "names", "most"),
    [
        ("wide", 2, ("name", "other"), 100),
        ("wide", 2, ("text", "comment_text"), 100),
        ("tidy", 1, ("name", "other"), 100),
        ("tidy", 1, ("text", "comment_text"), None),
    ],
)
def test_the_names_that_are_looked_at_do_not_grow_with_the_rows_of_texts(rng, monkeypatch, form, n_scores, names, most):
    words = np.array([f"word{i}" for i in range(500)])
    if most is not None:  # less than it is, to be quick
        monkeypatch.setattr("skcompare.tables.columns._MOST_NAMES", most)

    def looked_at(n):
        texts = {name: [" ".join(rng.choice(words, 16)) for _ in range(n)] for name in names}
        scores = {f"svm{i}": rng.random(n) for i in range(n_scores)}
        with cProfile.Profile() as profile, pytest.raises(ValueError, match=re.escape(names[1])):
            skc.read({**texts, **({"model": ["svm", "tree"] * (n // 2)} if form == "tidy" else {}), **scores})
        return sum(one.callcount for one in profile.getstats() if "'sub' of 're.Pattern'" in str(one.code))

    looked_at(20)  # what is asked of all tables is known from here on
    n = 1100 if most is None else 120
    assert looked_at(n + 200) < looked_at(n) + 1000


# ---- lists of scores by name; a domain beside data sets; systems called runs ----------------------------------------


@pytest.mark.parametrize("models", [("lr", "gbm"), ("new", "old", "svm")])
@pytest.mark.parametrize("metrics", [("accuracy", "f1"), ("rmse",), ("auc", "log_loss", "recall")])
@pytest.mark.parametrize("saved", [False, True])
def test_lists_of_scores_by_model_and_metric_are_asked_what_they_are_of(rng, tmp_path, models, metrics, saved):
    given = {model: {metric: rng.random(7).tolist() for metric in metrics} for model in models}
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(given), encoding="utf-8")
    with pytest.raises(ValueError, match="nothing names its rows") as refused:
        skc.read(path if saved else given)
    of_splits = [call for _, call in refused.value.calls if call.get("split") == "rows"]
    found = skc.read(path if saved else given, **of_splits[0])
    assert found.estimators == models
    assert (found.metrics, found.design.n_splits) == (metrics, 7)
    assert found.greater_is_better == tuple(name not in ("rmse", "log_loss") for name in metrics)
    np.testing.assert_array_equal(found.scores, np.array([[*given[model].values()] for model in models]).swapaxes(1, 2))


@pytest.mark.parametrize("name", ["domain", "benchmark", "project", "environment"])
@pytest.mark.parametrize("first", [False, True])
def test_what_groups_data_sets_is_no_data_set_itself(rng, name, first):
    sets = [f"d{i}" for i in range(12)]
    named = {"dataset": sets, name: np.repeat(["bio", "law", "web"], 4)}
    named = dict(reversed(named.items())) if first else named
    found = skc.read({**named, "svm": rng.random(12).round(3), "rf": rng.random(12).round(3)})
    assert found.datasets == tuple(sets)
    tidy = {key: np.repeat(np.asarray(x), 2) for key, x in named.items()}
    found = skc.read({**tidy, "model": ["svm", "rf"] * 12, "accuracy": rng.random(24)})
    assert found.datasets == tuple(sets)


@pytest.mark.parametrize("metrics", [("map",), ("ndcg@10", "map", "recall")])
@pytest.mark.parametrize("systems", [("bm25", "colbert"), ("mine", "theirs", "ours")])
def test_systems_called_runs_are_offered_as_models(rng, systems, metrics):
    topics = {"qid": np.tile(np.arange(301, 341), len(systems)), "run": np.repeat(systems, 40)}
    results = asked({**topics, **{metric: rng.random(40 * len(systems)) for metric in metrics}}, "nothing names models")
    assert all(found.estimators == systems and found.design.n_splits == 40 for found in results)


@pytest.mark.parametrize("metric", ["rmse", "log_loss", "accuracy"])
@pytest.mark.parametrize("header", ["what", "on", "", "kind of number"])
@pytest.mark.parametrize("wide", [False, True])
def test_one_metric_in_all_rows_is_that_of_the_scores_whatever_heads_it(rng, metric, header, wide):
    scores = rng.random((10, 2))
    table = {"fold": np.arange(10), header: [metric] * 10, **dict(zip(("svm", "rf"), scores.T, strict=True))}
    if not wide:
        models = {"fold": np.tile(np.arange(10), 2), "model": np.repeat(["svm", "rf"], 10)}
        table = {**models, header: [metric] * 20, "score": scores.T.ravel()}
    found = skc.read(pd.DataFrame(table))
    assert (found.metrics, found.greater_is_better) == ((metric,), (metric == "accuracy",))
    np.testing.assert_array_equal(found.scores[:, :, 0], scores.T)


@pytest.mark.parametrize("name", ["fold_scores", "cv scores", "accuracy_folds", "seed_scores"])
@pytest.mark.parametrize("beside", [{}, {"mean": 0.5}, {"mean": 0.5, "std": 0.1, "n": 7}])
def test_lists_of_scores_in_records_are_a_row_per_score(rng, tmp_path, name, beside):
    scores = {model: rng.random(7).round(4).tolist() for model in ("svm", "rf", "nb")}
    records = [{"model": model, **beside, name: own} for model, own in scores.items()]
    (tmp_path / "cv.json").write_text(json.dumps(records), encoding="utf-8")
    found = asked(tmp_path / "cv.json", "has several scores")
    np.testing.assert_array_equal(found[0].scores[:, :, 0], [*scores.values()])
    assert found[0].design.n_splits == 7


@pytest.mark.parametrize("form", ["run_{}_{}", "seed{}_{}", "{1} run {0}", "{1}_seed_{0}"])
@pytest.mark.parametrize("metrics", [("acc",), ("acc", "f1")])
def test_runs_and_metrics_in_headers_are_runs(rng, form, metrics):
    table = {form.format(i, metric): rng.random(3) for i in range(1, 6) for metric in metrics}
    found = skc.read({"model": ["svm", "rf", "nb"], **table})
    assert (found.metrics, found.design.kind, found.design.n_splits) == (metrics, "runs", 5)
    np.testing.assert_array_equal(found.scores[1, :, -1], [table[form.format(i, metrics[-1])][1] for i in range(1, 6)])


@pytest.mark.parametrize("name", ["query", "Question", "prompt", "sentence"])
@pytest.mark.parametrize("metric", ["latency_ms", "brier", "accuracy"])
def test_numbers_of_queries_are_items_and_no_scores(rng, name, metric):
    table = {name: np.tile(range(30), 2), "system": np.repeat(["a", "b"], 30), metric: rng.random(60)}
    results = [skc.read(table)] if metric != "latency_ms" else asked(table, "no column of scores")
    assert [(found.metrics, found.design.n_splits) for found in results] == [((metric,), 30)]


@pytest.mark.parametrize("metrics", [("acc", "f1"), ("rmse", "r2", "mae")])
def test_data_sets_beside_columns_of_metrics_and_models_are_offered(rng, metrics):
    frame = pd.DataFrame(rng.random((2 * len(metrics), 5)), columns=[f"set{i}" for i in range(5)])
    frame.insert(0, "", np.repeat(metrics, 2))
    frame.insert(1, "model", ["svm", "rf"] * len(metrics))
    found = asked(frame, "names metrics, and")[0]
    assert (found.metrics, found.estimators, found.datasets) == (metrics, ("svm", "rf"), tuple(frame.columns[2:]))


@pytest.mark.parametrize("form", ["{}_ns", "{}-us", "{} (microseconds)"])
def test_small_units_of_time_are_times_of_which_less_is_better(rng, form):
    given = {form.format(name): rng.uniform(100, 900, 12).round(1) for name in ("old", "new")}
    found = skc.read({"benchmark": [f"b{i}" for i in range(12)], **given})
    assert (found.estimators, found.greater_is_better) == (("old", "new"), (False,))
    alone = {"dataset": [f"b{i}" for i in range(12)], "svm": rng.random(12), "rf": rng.random(12)}
    assert skc.read({**alone, "svm_ns": rng.uniform(100, 900, 12)}).estimators == ("svm", "rf")


@pytest.mark.parametrize("name", ["experiment", "condition", "arm"])
def test_what_describes_an_item_is_not_offered_as_models(rng, name):
    items = {"example_id": [f"e{i}" for i in range(30)] * 2, name: np.repeat(["a", "b"], 30)}
    [found] = asked(
        {**items, "inputs.question": [f"q {i} ?" for i in range(30)] * 2, "correctness": rng.integers(0, 2, 60)},
        "nothing",
    )
    assert (found.estimators, found.design.n_splits) == (("a", "b"), 30)


@pytest.mark.parametrize("form", ["{}_seed{}", "{}-{}", "{} run {}"])
def test_names_of_runs_beside_one_column_of_scores_are_no_runs_of_a_model_called_like_it(rng, form):
    names = [form.format(model, seed) for model in ("ppo", "sac") for seed in range(5)]
    with pytest.raises(ValueError, match="nothing names models") as refused:
        skc.read({"run": names, "return": rng.uniform(100, 200, 10).round(2)})
    assert not refused.value.calls


@pytest.mark.parametrize(
    "name", ["test_MeanAbsolutePercentageError", "mean_pinball_loss", "D2 Tweedie Score", "coverage error"]
)
def test_metrics_of_scikit_learn_are_metrics_in_any_spelling(rng, name):
    frame = pd.DataFrame(
        {"model": np.repeat(["a", "b"], 6), "fold": [*range(6)] * 2, "size_x": rng.random(12), name: rng.random(12)}
    )
    found = skc.read(frame)
    assert (found.metrics, found.greater_is_better) == ((name,), ("D2" in name,))


@pytest.mark.parametrize("cost", ["energy", "memory", "co2", "params"])
@pytest.mark.parametrize("metric", ["accuracy", "f1"])
def test_a_file_that_names_a_metric_is_of_it_whatever_its_data_is_about(rng, tmp_path, cost, metric):
    path = tmp_path / f"{cost}_{metric}.csv"
    pd.DataFrame({"dataset": [f"d{i}" for i in range(8)], **{x: rng.random(8) for x in ("svm", "rf")}}).to_csv(path)
    found = skc.read(path)
    assert (found.metrics, found.greater_is_better) == ((metric,), (True,))


@pytest.mark.parametrize("name", ["sys", "engine", "config", "configuration"])
def test_what_stands_in_for_models_elsewhere_describes_rows_beside_a_column_of_models(rng, name):
    rows = {
        "model": ["svm", "rf"] * 8,
        name: rng.permutation(["one", "two"] * 8),
        "dataset": np.repeat([*"abcdefgh"], 2),
    }
    found = skc.read({**rows, "accuracy": rng.random(16)})
    assert (found.estimators, len(found.datasets)) == (("svm", "rf"), 8)


# ---- what is made of other columns --------------------------------------------------------------------------------


@pytest.mark.parametrize("cases", ["dataset", "fold"])
@pytest.mark.parametrize("name", ["foo", "lead", "b", "Unnamed: 3", "svm2", "x1"])
def test_a_difference_of_two_columns_is_no_model_whatever_it_is_called(name, cases, rng):
    """Signed differences are known wherever they stand, those that are never negative as the last column."""
    n = int(rng.integers(6, 20))
    svm = rng.uniform(0.6, 0.9, n).round(3)
    table = {cases: [f"set {i}" for i in range(n)] if cases == "dataset" else np.arange(n), "svm": svm}
    for change in (rng.normal(0, 0.03, n), rng.uniform(0.01, 0.05, n)):
        table["tree"] = (svm + change).round(3)
        difference = (table["tree"] - svm).round(3)
        own = table | {name: difference}
        orders = [[*own]] + [[cases, name, "svm", "tree"]] * bool((difference < 0).any())
        for order in orders:
            found = skc.read({column: own[column] for column in order})
            np.testing.assert_array_equal(found.scores, skc.read(table).scores)
            assert found.estimators == ("svm", "tree")


@pytest.mark.parametrize("form", ["{}_mean", "mean {}", "{}"])
@pytest.mark.parametrize("spread", ["ci95", "ci_95", "95CI", "iqr", "halfwidth"])
@pytest.mark.parametrize("turned", [False, True])
def test_the_widths_of_intervals_are_no_scores(rng, form, spread, turned):
    names, rows = (DATA[:3], MODELS) if turned else (MODELS[:3], DATA)
    table = pd.DataFrame({"model" if turned else "dataset": rows})
    for name in names:
        table[form.format(name)] = rng.uniform(0.5, 0.9, len(rows))
        table[f"{name}_{spread}"] = rng.uniform(0.01, 0.08, len(rows))
    study = skc.read(table)
    assert len(study.estimators) == len(rows if turned else names)
    assert len(study.datasets) == len(names if turned else rows)
    assert f"{names[0]}_{spread}" in study.provenance["read_as"]


@pytest.mark.parametrize("what", ["moe", "pm", "margin", "ci width", "tol"])
@pytest.mark.parametrize("form", ["{}_mean", "{}"])
def test_what_is_small_beside_every_data_set_is_none_itself(rng, what, form):
    table = pd.DataFrame({"model": MODELS})
    for name in DATA[:3]:
        table[form.format(name)] = rng.uniform(0.5, 0.9, len(MODELS))
        table[f"{name} {what}"] = rng.uniform(0.01, 0.08, len(MODELS))
    with pytest.raises(ValueError, match=f"'{DATA[0]} {what}'.* may be data sets, or describe"):
        skc.read(table)


@pytest.mark.parametrize("beside", ["median", "best", "max", "worst"])
@pytest.mark.parametrize("form", ["{}_mean", "Avg. {}"])
def test_beside_means_the_best_and_the_median_of_the_same_runs_are_no_models(rng, beside, form):
    table = pd.DataFrame({"dataset": DATA})
    for name in MODELS[:3]:
        table[form.format(name)] = rng.uniform(0.5, 0.9, len(DATA))
        table[f"{name}_{beside}"] = table[form.format(name)] + 0.02
    assert len(skc.read(table).estimators) == 3


@pytest.mark.parametrize("metric", ["ASR", "success", "F1", "win rate", "score"])
@pytest.mark.parametrize("first", ["Overall", "Average", "All"])
def test_the_sum_of_models_before_the_word_that_all_end_with_is_no_model(rng, metric, first):
    a, b = rng.uniform(0.3, 0.9, (2, len(DATA))).round(3)
    names = [f"{model} {metric}" for model in ("GPT-4.1", "Claude")]
    table = pd.DataFrame({"task": DATA, f"{first} {metric}": ((a + b) / 2).round(3), names[0]: a, names[1]: b})
    if metric == "F1" and first == "Average":  # it is a metric of its own
        assert asked(table, "'Average F1': names of metrics")[0].estimators == (*names,)
    else:
        assert len(skc.read(table).estimators) == 2


@pytest.mark.parametrize("score", ["pearson_r", "spearman", "accuracy_delta", "rmse"])
@pytest.mark.parametrize("p", ["pearson_p", "wilcoxon_p", "accuracy_P", "rmse p"])
def test_p_values_are_no_scores_and_precisions_are(rng, score, p):
    table = pd.DataFrame(list(product(DATA, MODELS[:3])), columns=["dataset", "model"])
    table[score], table[p] = rng.uniform(0.2, 0.9, (2, len(table)))
    if score != "accuracy_delta":
        assert skc.read(table).metrics == (score,)
    else:
        with pytest.raises(ValueError, match=f"'{score}', '{p}' hold what was computed of models"):
            skc.read(table)
    rouge = table.rename(columns={score: "rouge1_f", p: "rouge1_p"})
    assert {*skc.read(rouge).metrics} == {"rouge1_f", "rouge1_p"}


@pytest.mark.parametrize(
    "names",
    [
        ("cost_per_1k", "mean_error_km"),
        ("mae_years", "rmse_years"),
        ("rmse_mm", "cost_usd"),
        ("error_deg", "psnr_db"),
        ("loss_nats", "cost_per_query"),
    ],
)
def test_units_behind_metrics_are_no_data_sets(rng, names):
    table = pd.DataFrame({"model": MODELS} | {name: rng.uniform(1, 90, len(MODELS)) for name in names})
    with pytest.raises(ValueError, match="one score per model and metric, " + ", ".join(map(repr, names))):
        skc.read(table)
    cases = pd.concat([table.assign(dataset=name) for name in DATA])
    assert {*skc.read(cases).metrics} == {*names}


def test_prices_of_tokens_in_latex_are_no_data_sets(rng, tmp_path):
    rows = " \\\\\n".join(
        f"{name} & {a:.2f} & {b:.2f}" for name, a, b in zip(MODELS, *rng.uniform(0, 9, (2, 8)), strict=True)
    )
    text = r"\begin{tabular}{lcc} Model & $p_{\text{in}}$ & $p_{\text{out}}$ \\" + rows + r"\\ \end{tabular}"
    (tmp_path / "table.tex").write_text(text)
    with pytest.raises(ValueError, match="one score per model"):
        skc.read(tmp_path / "table.tex")


@pytest.mark.parametrize("form", ["{} (Seed {})", "{}_seed{}", "{}-run-{}", "seed{1}_{0}", "{} [run={}]", "{} fold {}"])
@pytest.mark.parametrize("cases", ["", "dataset"])
def test_runs_in_the_names_of_models_are_runs(rng, form, cases):
    names = [(model, i) for model in MODELS[:3] for i in range(1, 5)]
    table = pd.DataFrame({"Model": [form.format(*name) for name in names]})
    if cases:
        table = pd.concat([table.assign(dataset=name) for name in DATA[:4]], ignore_index=True)
    table["accuracy"] = rng.uniform(0.5, 0.9, len(table))
    role = "fold" if "fold" in form else "run" if "run" in form else "seed"
    apart = table.assign(Model=[model for model, _ in names] * (4 if cases else 1))
    apart[role] = [i for _, i in names] * (4 if cases else 1)
    found, alike = skc.read(table), skc.read(apart)
    assert found.estimators == alike.estimators == tuple(MODELS[:3])
    assert str(found) == str(alike)
    assert f"Cells of 'Model' name its {role}s." in found.provenance["read_as"]


@pytest.mark.parametrize("form", ["{} (Seed {})", "{}_fold{}", "run{1}-{0}"])
@pytest.mark.parametrize("turned", [False, True])
def test_runs_in_headers_of_models_and_data_sets_are_no_models_and_no_data_sets(rng, form, turned):
    own, rows = (DATA, MODELS) if turned else (MODELS, DATA)
    table = pd.DataFrame({form.format(name, i): rng.uniform(0.5, 0.9, len(rows)) for name in own[:2] for i in range(3)})
    table.insert(0, "model" if turned else "dataset", rows)
    with pytest.raises(ValueError, match="too, several of one model or data set"):
        skc.read(table)


@pytest.mark.parametrize(
    "name", ["Price", "Temperature", "dropout", "Threshold", "depth", "Popularity", "lambda", "Runs"]
)
@pytest.mark.parametrize("turned", [False, True])
def test_settings_and_prices_beside_scores_are_asked_about(rng, name, turned):
    names, rows = (["MMLU", "GSM8K", "ARC"], MODELS) if turned else (MODELS[:3], DATA)
    table = pd.DataFrame({"model" if turned else "dataset": rows})
    for one in names:
        table[one] = rng.uniform(40, 90, len(rows)).round(1)
    like = table.assign(**{name: rng.uniform(40, 90, len(rows)).round(1)})
    table[name] = rng.uniform(0.1, 9, len(rows)).round(2)
    with pytest.raises(ValueError, match=f"'{name}' may be (data sets|models)") as refused:
        skc.read(table)
    assert not turned or not refused.value.calls
    if name in ("Price", "Popularity"):  # a data set or a model may be called so
        assert len(skc.read(like).datasets if turned else skc.read(like).estimators) == 4


@pytest.mark.parametrize("name", ["width", "Price", "temperature", "alpha", "svm_x", "z"])
@pytest.mark.parametrize("missing", ["keep", "drop", None])
def test_a_model_without_any_score_is_told_of_alike_whatever_its_name(rng, name, missing):
    scores = {"dataset": DATA, "svm": rng.random(len(DATA)), "forest": rng.random(len(DATA))}

    def told(called):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                answer = skc.StudyResult.from_frame({**scores, called: np.full(len(DATA), np.nan)}, missing=missing)
            except ValueError as error:
                answer = error
        said = [str(answer), *(str(one.message) for one in caught)]
        return [re.sub(rf"\b{called}\b", "this", re.sub(r"\s+|--+", " ", text)).split() for text in said]

    assert told(name) == told("bayes")


def test_models_called_by_one_letter_each_are_models(rng):
    for letter in ascii_lowercase:
        others = rng.choice([x for x in ascii_lowercase if x != letter], 3, replace=False).tolist()
        table = pd.DataFrame({"dataset": DATA} | {x: rng.uniform(0.2, 0.9, len(DATA)) for x in (letter, *others)})
        table[letter] /= 3
        assert skc.StudyResult.from_frame(table).estimators == (letter, *others)


@pytest.mark.parametrize("name", ["rmse_diff", "Accuracy change", "delta_f1", "AUC improvement"])
def test_changes_of_metrics_are_no_scores(rng, name):
    table = pd.DataFrame(list(product(DATA, MODELS[:3])), columns=["dataset", "model"])
    table["accuracy"], table[name] = rng.uniform(0.2, 0.9, (2, len(table)))
    assert skc.read(table).metrics == ("accuracy",)


@pytest.mark.parametrize("level", ["patch_px", "temperature", "top_p", "num_epochs"])
@pytest.mark.parametrize("size", ["diameter_m", "width_px"])
def test_levels_of_a_setting_come_before_other_numbers_in_the_calls(rng, level, size):
    rows = list(product(DATA[:4], MODELS[:3], [16, 32, 64]))
    table = pd.DataFrame(rows, columns=["dataset", "model", level])
    table = table.assign(**{size: 3 * table[level], "rmse": rng.uniform(0.2, 0.9, len(table))})
    study = asked(table, "has several scores")[0]
    assert len(study.estimators) == 9


@pytest.mark.parametrize(
    "counts", [("cv_tn", "cv_fp", "cv_fn", "cv_tp"), ("tp_total", "fp_total"), ("false_positives", "test_fn")]
)
def test_counts_of_confusion_matrices_name_no_runs(rng, counts):
    rows = list(product(["rna", "dna"], MODELS[:3]))
    table = pd.DataFrame(rows, columns=["modality", "classifier"])
    table["accuracy"] = rng.uniform(0.5, 0.9, len(table))
    for name in counts:
        table[name] = rng.permutation(len(table)) + 10
    with pytest.raises(ValueError, match="has several scores") as refused:
        skc.read(table)
    named = {x for _, call in refused.value.calls for x in call.values()}
    assert named
    assert not any(count in str(x) for x in named for count in counts)


@pytest.mark.parametrize("more", [("crop", "dr"), ("site", "sensor", "season"), ("region", "kind")])
@pytest.mark.parametrize("wide", [False, True])
def test_columns_of_names_that_tell_rows_apart_together_have_a_call(rng, more, wide):
    own = [[f"{name} {x}" for x in "abc"] for name in more]
    table = pd.DataFrame(list(product(["iris", "wine"], *own)), columns=["task", *more])
    for model in MODELS[:3]:
        table[model] = rng.uniform(0.5, 0.9, len(table))
    if not wide:
        table = table.melt(["task", *more], var_name="model", value_name="score")
    study = asked(table, "give the rows of one value of")[0]
    assert study.estimators == tuple(MODELS[:3])
    assert len(study.datasets) == 2 * 3 ** len(more)


@pytest.mark.parametrize("name", ["turbidity", "depth_m"])
def test_coordinates_are_no_true_values(rng, name):
    table = pd.DataFrame({"x": rng.uniform(466_000, 470_000, 30), "y": rng.uniform(4_169_000, 4_170_000, 30)})
    for model in ("GBR", "CatBoost"):
        table[f"{name}_{model}"] = rng.uniform(1, 3, 30)
    with pytest.raises(ValueError) as refused:
        skc.read(table)
    assert not any(call.get("truth") == "y" for _, call in refused.value.calls)


@pytest.mark.parametrize("name", ["peak_rss_mb", "mean_mem_gb", "heap_mb"])
def test_megabytes_are_sizes(rng, name):
    table = pd.DataFrame(list(product(DATA, MODELS[:3])), columns=["dataset", "model"])
    table["support"], table[name] = rng.uniform(0.2, 0.9, len(table)), rng.uniform(20, 900, len(table))
    table = table.rename(columns={"support": "quality"})
    assert f"{name!r} (sizes)" in skc.read(table).provenance["read_as"]


@pytest.mark.parametrize("n", ["(n=5)", "(n = 10)"])
def test_the_number_of_runs_behind_a_deviation_is_left_out(rng, n):
    means = rng.uniform(0.5, 0.9, (len(DATA), 3)).round(4)
    table = pd.DataFrame([[f"{x:.4f} ± 0.0088 {n}" for x in row] for row in means], columns=MODELS[:3])
    table.insert(0, "dataset", DATA)
    np.testing.assert_allclose(skc.read(table).scores[:, :, 0, 0], means)


@pytest.mark.filterwarnings("ignore:roc_auc is left out")
@pytest.mark.parametrize("form", ["PRED_{}", "{}_pred", "predicted_{}"])
@pytest.mark.parametrize("names", [("WOMEN", "RACISM", "CLASSES"), ("anger", "joy")])
def test_predictions_of_several_targets_are_offered_one_by_one(rng, form, names):
    table = pd.DataFrame({"id": np.arange(60)})
    for name in names:
        table[name], table[form.format(name)] = rng.integers(0, 2, (2, 60))
    found = asked(table, "it has predictions of several targets")
    assert [result.estimators for result in found] == [(form.format(name),) for name in names]
    right = (table[names[0]] == table[form.format(names[0])]).mean()
    assert found[0].score(form.format(names[0]), "accuracy") == pytest.approx(right)


@pytest.mark.parametrize("level", ["k", "epsilon", "noise_level", "budget"])
@pytest.mark.parametrize("name", ["setting", "site"])
def test_levels_beside_names_tell_the_rows_of_columns_of_models_apart(rng, level, name):
    table = pd.DataFrame(list(product("abc", [2, 5, 10, 20])), columns=[name, level])
    for model in ("LogisticRegression", "MLP", "RandomForest"):
        table[model] = rng.uniform(0.5, 0.9, len(table))
    study = asked(table, "nothing names models")[0]
    assert study.estimators == ("LogisticRegression", "MLP", "RandomForest")
    assert len(study.datasets) == 12


# ---- one metric in several spellings ------------------------------------------------------------------------------

ERRORS = [
    "WAPE",
    "MedAE",
    "MdAPE",
    "NMAE",
    "Toxicity",
    "Miss rate",
    "collision_rate",
    "WQL",
    "RMSE",
    "Log loss",
    "RMSSE",
]
GAINS = ["MS-SSIM", "Reciprocal rank", "Accuracy", "Explained_var", "mIoU", "VUS-PR", "QWK", "Success@5", "CIDEr"]
SPELLINGS = ["{}", "{} (%)", "{}(%)", "{} [%]", "mean {}", "test_{}", "{} mean", "val {} %"]
SPELLINGS += ["best_{}", "final {}", "{} on test", "{} (x100)", "{}_24h", "OOS {}"]


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "spelling"),
    [*product([*ERRORS, *GAINS], SPELLINGS), *product(["MAE", "RMSE", "NMAE"], ["{} [kWh]", "{} (°C)", "{} (USD)"])],
)
def test_what_is_better_on_a_metric_does_not_depend_on_how_it_is_written(name, spelling, rng):
    written = spelling.format([name, name.upper(), name.lower()][rng.integers(3)])
    table = pd.DataFrame({"dataset": np.repeat(DATA, 2), "model": ["old", "new"] * len(DATA)})
    found = skc.read(table.assign(**{written: rng.random(len(table)).round(3)}))
    assert (found.metrics, found.greater_is_better) == ((written,), (name in GAINS,))
    assert all("more of" not in one for one in found.warnings) or name in GAINS
