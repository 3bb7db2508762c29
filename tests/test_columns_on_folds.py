"""Several labels or numbers per sample on folds: the simulation's metrics, and what is quoted of it."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics as skm
from sklearn.linear_model import LinearRegression
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks import several_columns as made
from skcompare import RunOptions

TABLE = Path(__file__).parents[1] / "docs" / "data" / "measured_on_columns.csv"
SCIKIT = {
    "accuracy": skm.accuracy_score,
    "f1_samples": lambda y, p: skm.f1_score(y, p, average="samples", zero_division=0),
    "jaccard_samples": lambda y, p: skm.jaccard_score(y, p, average="samples", zero_division=0),
    "neg_hamming_loss": lambda y, p: -skm.hamming_loss(y, p),
    "f1_micro": lambda y, p: skm.f1_score(y, p, average="micro", zero_division=0),
    "f1_macro": lambda y, p: skm.f1_score(y, p, average="macro", zero_division=0),
    "r2": skm.r2_score,
    "neg_mean_absolute_error": lambda y, p: -skm.mean_absolute_error(y, p),
    "neg_root_mean_squared_error": lambda y, p: -skm.root_mean_squared_error(y, p),
}


@pytest.mark.parametrize("task", made.METRICS)
def test_the_simulated_metrics_are_scikit_learns(task, rng):
    n = 60
    y = (rng.random((n, 5)) < made.RATES).astype(float) if task == "multilabel" else rng.normal(size=(n, 3))
    found, folds = y + rng.normal(size=y.shape), rng.permutation(n) * 5 // n
    for metric, values in made.METRICS[task](y, found, folds).items():
        for fold, value in enumerate(values):
            own, guess = y[folds == fold], found[folds == fold]
            if metric == "neg_label_ranking_loss":
                expected = -skm.label_ranking_loss(own, guess)
            else:
                expected = SCIKIT[metric](own, guess > 0.5 if task == "multilabel" else guess)
            assert value == pytest.approx(expected, abs=1e-12)


def test_the_simulated_learners_are_scikit_learns(rng):
    X, y = rng.normal(size=(60, 4)), rng.normal(size=(60, 3))
    folds = rng.permutation(60) * 5 // 60
    for name, model in (("least squares", LinearRegression()), ("5-NN", KNeighborsRegressor(5))):
        found = made.LEARNERS[name](X, y, folds)
        for fold in range(5):
            rest, test = folds != fold, folds == fold
            assert found[test] == pytest.approx(model.fit(X[rest], y[rest]).predict(X[test]), abs=1e-5)


def test_the_simulated_models_are_equal(global_random_seed):
    """The mean difference over data sets is 0 within four and a half standard errors."""
    for task in made.METRICS:
        found = [made.differences(task, 50, 0.6, global_random_seed % 1000 * 60 + i) for i in range(60)]
        for key in found[0]:
            means = np.array([one[key].mean() for one in found])
            assert abs(means.mean()) <= 4.5 * means.std(ddof=1) / len(means) ** 0.5 + 1e-12


def test_the_table_is_what_the_benchmark_makes():
    rows = table()
    assert tuple(rows[0]) == made.COLUMNS
    cells = {(row["design"], row["task"], int(row["n_samples"])) for row in rows}
    assert cells == {(d, task, n) for d in made.DESIGNS for task in made.METRICS for n in made.SAMPLES}
    for row in rows:
        assert 0 <= float(row["low"]) <= float(row["mean"]) <= float(row["high"]) <= 1
        assert int(row["nulls"]) == len(made.SIGNALS) * len(made.LEARNERS)


def table():
    with TABLE.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def rates(result):
    return json.loads(result.to_json())["error_rates"]


def labels(rng, n=200):
    X = rng.normal(size=(n, 4))
    return X, (X[:, :3] + rng.normal(size=(n, 3)) > 0.5).astype(int)


def numbers(rng, n=200):
    X = rng.normal(size=(n, 4))
    return X, X[:, :3] + rng.normal(size=(n, 3))


CASES = {
    "multilabel": (labels, {"tree": DecisionTreeClassifier(max_depth=2), "near": KNeighborsClassifier()}, "5 labels"),
    "multioutput": (
        numbers,
        {"line": MultiOutputRegressor(LinearRegression()), "near": KNeighborsRegressor()},
        "3 numbers",
    ),
}


@pytest.mark.parametrize("task", CASES)
def test_what_is_quoted_is_what_the_table_says(task, rng):
    draw, models, several = CASES[task]
    result = skc.PairedEvaluator(cv=10, random_state=0).evaluate(models, *draw(rng))
    found = rates(result)
    assert found["where"] == f"10-fold, 50 to 200 samples, {several} each"
    own = {row["metric"] for row in table() if (row["design"], row["task"]) == ("10-fold", task)}
    known = {metric: one for metric, one in found["by_metric"].items() if one is not None}
    assert {*known} == own & {*result.metrics}
    for metric, one in known.items():
        sizes = [row for row in table() if (row["design"], row["task"], row["metric"]) == ("10-fold", task, metric)]
        assert one["low"] < min(float(row["mean"]) for row in sizes)
        assert one["high"] > max(float(row["mean"]) for row in sizes)
    assert "not measured" not in " ".join(result.summary().split())


@pytest.mark.parametrize(
    ("cv", "n", "reason"),
    [
        (5, 20, "only 50 to 200 samples were simulated"),
        ("2x5", 200, "the test was not simulated for 5 labels"),
    ],
)
def test_of_other_runs_nothing_is_known(cv, n, reason, rng):
    X, y = shares(rng, n // 4, n // 3, n // 2, n=n)
    result = skc.PairedEvaluator(cv=cv, scoring=["accuracy"], random_state=0).evaluate(CASES["multilabel"][1], X, y)
    assert rates(result)["reason"] == reason


def shares(rng, *totals, n=300):
    """Labels that so many of the samples have, which the features show."""
    y = np.stack([rng.permutation(np.arange(n) < total) for total in totals], axis=1).astype(int)
    return y + rng.normal(size=y.shape), y


UNLIKE = "of several labels only 5 that 10% to 50% of the samples have were simulated"


@pytest.mark.parametrize(
    ("totals", "like"),
    [
        ((150, 90, 60, 30, 30), True),
        ((150, 90, 60), True),
        ((150, 90, 7), False),  # a rare label
        ((150, 90, 280), False),  # one that nearly all have
        ((150, 90), False),  # two labels
        ((90,) * 11, False),
    ],
)
@pytest.mark.parametrize("pooled", [False, True])
def test_the_labels_must_be_like_the_simulated_ones(totals, like, pooled, rng):
    X, y = shares(rng, *totals)
    if pooled:
        guesses = {name: (X[:, : len(totals)] > cut).astype(int) for name, cut in (("a", 0.5), ("b", 0.8))}
        result = skc.from_predictions(y, guesses, scoring="accuracy")
    else:
        result = skc.PairedEvaluator(
            cv=10, random_state=0, scoring="accuracy", options=RunOptions(check_data=False)
        ).evaluate(CASES["multilabel"][1], X, y)
    assert rates(result)["reason"] == (None if like else UNLIKE)
    assert (UNLIKE in " ".join(result.summary("full").split())) == (not like)
    named = ", ".join(f"{total} with label {i}" for i, total in enumerate(totals))
    assert f"({named if len(totals) < 4 else f'{len(totals)} labels'})" in " ".join(result.summary().split())


def test_labels_of_unknown_shares_quote_nothing(rng):
    result = skc.PairedEvaluator(cv=10, random_state=0, scoring="accuracy").evaluate(
        CASES["multilabel"][1], *labels(rng)
    )
    unknown = replace(result, design=replace(result.design, class_counts=()))
    assert rates(unknown)["reason"] == "how many samples have each label is not known"


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_label_that_few_samples_have_is_told_beside_what_it_decides(rng, tmp_path):
    X, y = shares(rng, 151, 7)
    X[:, 0] = X[:, 0] / 5 + y[:, 0]
    models = {"tree": DecisionTreeClassifier(max_depth=2), "near": KNeighborsClassifier(20, metric="cosine")}
    result = skc.PairedEvaluator(cv=10, random_state=0, scoring=["f1_macro", "f1_micro"]).evaluate(models, X, y)
    assert [(one.label, one.total, sum(one.test_counts)) for one in result.design.class_counts] == [
        ("0", 151, 151),
        ("1", 7, 7),
    ]
    by_metric = {metric: result.test(metric=metric).warnings for metric in result.metrics}
    rare = f"7 samples with label 1 decide f1_macro. A typical test set has {result.design.class_counts[1].typical:g}"
    assert any(one.startswith(f"WEAK_METRIC: {rare}") for one in by_metric["f1_macro"])
    undefined = [one for one in by_metric["f1_macro"] if one.code == "WEAK_METRIC"]
    assert any("has 0/0 for f1_macro of a label on " in one for one in undefined)
    assert not [one for one in by_metric["f1_micro"] if one.code == "WEAK_METRIC"]
    result.save(tmp_path / "x.skc")
    assert skc.load(tmp_path / "x.skc").design == result.design
    held = skc.from_predictions(y, {"a": y, "b": 1 - y}, scoring=["f1_macro", "accuracy"])
    rare = "7 samples with label 1 in the test set decide f1_macro"
    assert any(one.startswith(f"WEAK_METRIC: {rare}") for one in held.test(metric="f1_macro").warnings)
    assert f"Caution: {rare}" in " ".join(held.summary().split())


def test_labels_that_many_samples_have_are_not_called_rare(rng):
    X, y = shares(rng, 150, 90, 60)
    result = skc.PairedEvaluator(cv=5, random_state=0, scoring=["f1_macro"]).evaluate(CASES["multilabel"][1], X, y)
    assert "WEAK_METRIC" not in str(result.test().warnings)
