"""Rare classes: how often each occurs is known, and what rests on few samples says so in every view."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from itertools import product
from operator import attrgetter

import numpy as np
import pytest
from scipy import stats
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks import rare_classes as made
from skcompare import PairedEvaluator, RunOptions, from_predictions

pytestmark = [
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning"),
    pytest.mark.filterwarnings("ignore:The least populated class in y:UserWarning"),
]
X, Y = load_breast_cancer(return_X_y=True)
RARE = np.r_[np.flatnonzero(Y == 1), np.flatnonzero(Y == 0)[:12]]  # 12 malignant ones of 369
PAIR = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
WITH_DUMMY = {**PAIR, "most": DummyClassifier()}
CODES = ("WEAK_METRIC", "BASE_RATE", "FRAGILE")
IMPROVE = "Improve the model, or collect more."


@pytest.fixture(scope="module")
def rare():
    return PairedEvaluator(cv=10, random_state=0).evaluate(WITH_DUMMY, X[RARE], 1 - Y[RARE])


@pytest.fixture(scope="module")
def common():
    return PairedEvaluator(cv=10, random_state=0).evaluate(PAIR, X, Y)


def told(result):
    """The warnings about classes, by code."""
    warnings = json.loads(result.to_json())["warnings"]
    by_code = {code: [f"{code}: {one['sentence']}" for one in warnings if one["code"] == code] for code in CODES}
    return {code: found for code, found in by_code.items() if found}


def rates(result):
    """What is known of its error rates."""
    return json.loads(result.to_json())["error_rates"]


class Column(ClassifierMixin, BaseEstimator):
    """Predicts what stands in a column of X."""

    def __init__(self, j=0):
        self.j = j

    def fit(self, _X, y):
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return X[:, self.j].astype(int)


def predicting(columns, y):
    """A result of models that predict what stands in columns."""
    evaluator = PairedEvaluator(
        cv=5, scoring=["accuracy", "precision", "recall"], random_state=0, options=RunOptions(check_data=False)
    )
    return evaluator.evaluate({f"m{j}": Column(j) for j in range(len(columns))}, np.stack(columns, axis=1), y)


# ---- counts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cv", [4, "2x5", [(np.arange(100), np.arange(100, 150)), (np.arange(50, 150), np.arange(50))]])
def test_the_design_counts_every_class_in_all_and_per_test_set(cv):
    data, y = load_wine(return_X_y=True)
    labels = np.array(["one", "two", "three"])[y]
    result = PairedEvaluator(cv=cv, scoring=["accuracy"], random_state=0).evaluate(PAIR, data, labels)
    for found, label in zip(result.design.class_counts, ["one", "three", "two"], strict=True):
        assert found.label == repr(label)
        assert found.total == (labels == label).sum()
        assert found.test_counts == tuple((labels[test] == label).sum() for _, test in result.splits())


def test_of_regression_no_class_is_counted():
    models = [DecisionTreeClassifier(), GaussianNB()]
    assert PairedEvaluator(cv=3, scoring=["accuracy"]).evaluate(models, X, Y).design.class_counts
    frame = {"model": ["a", "a", "b", "b"], "fold": [0, 1] * 2, "score": [0.1, 0.3, 0.2, 0.1]}
    assert skc.from_frame(frame).design.class_counts == ()


def test_counts_are_saved_and_read(rare, tmp_path):
    rare.save(tmp_path / "rare.skc")
    again = skc.load(tmp_path / "rare.skc")
    assert again.design == rare.design
    assert again.summary(detail="full") == rare.summary(detail="full")


def test_merged_repeats_have_the_counts_of_all():
    evaluators = [PairedEvaluator(cv=3, scoring=["accuracy"], random_state=seed) for seed in (0, 1)]
    first, second = (evaluator.evaluate(PAIR, X, Y) for evaluator in evaluators)
    merged = skc.merge(first, second)
    for one, two, found in zip(*(result.design.class_counts for result in (first, second, merged)), strict=True):
        assert found.test_counts == one.test_counts + two.test_counts
        assert found.total == one.total


# ---- warnings -------------------------------------------------------------------------------------------------


def test_metrics_that_few_samples_decide_are_named_once(rare):
    (warning,) = [one for one in told(rare)["WEAK_METRIC"] if "samples of class" in one]
    few = "12 samples of class 1 decide precision, recall, f1 and roc_auc. A typical test set has 1"
    assert warning.endswith(f"{few}: collect more.")
    record = rare.test(metric="recall")
    assert [w.code for w in record.warnings if w.code in CODES] == ["WEAK_METRIC"]
    assert "WEAK_METRIC" not in {w.code for w in rare.test(metric="accuracy").warnings}


def test_where_classes_are_frequent_nothing_is_said(common):
    assert told(common) == {}


def test_a_model_that_predicts_one_class_is_named_and_others_are_not(rare):
    (warning,) = [one for one in told(rare)["WEAK_METRIC"] if "predicts class" in one]
    assert "'most' predicts class 0 everywhere" in warning
    assert "accuracy, precision, recall and f1" in warning


def test_an_accuracy_near_the_base_rate_is_named(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    y = np.arange(400) < 100
    good, bad = np.where(rng.random(400) < 0.1, ~y, y), y & (np.arange(400) < 10)
    result = predicting([good, bad], y.astype(int))
    (warning,) = told(result)["BASE_RATE"]
    # two standard errors are 2 sqrt(.75 * .25 / 400) = .0433; 300 + 10 of 400 are right
    assert warning.startswith("BASE_RATE: 'm1' is not shown to be better than always predicting class")
    assert "class 0: accuracy 0.775 against 0.750. Decide on a metric" in warning


def test_of_classes_of_one_size_another_metric_would_tell_nothing_else(global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    y = np.arange(400) < 200
    good, guesses = np.where(rng.random(400) < 0.1, ~y, y), np.arange(400) % 2 == 0
    (warning,) = told(predicting([good, guesses], y.astype(int)))["BASE_RATE"]
    assert warning.endswith("accuracy 0.500 against 0.500. Improve the model, or collect more.")


@pytest.mark.parametrize("metric", ["roc_auc", "matthews_corrcoef", "r2"])
def test_a_score_that_is_not_above_that_of_guessing_is_named(metric):
    models = {"best": LinearRegression(), "mean": DummyRegressor()} if metric == "r2" else WITH_DUMMY
    result = PairedEvaluator(5, metric, random_state=0, baseline="dummy").evaluate(models, X, Y)
    (warning,) = told(result)["BASE_RATE"]  # and none of the baseline
    assert re.match(rf"BASE_RATE: 'm.*' is not shown to be better than guessing: {metric} \S+ against 0\.\d", warning)
    assert not any("predicts class" in one for one in told(result).get("WEAK_METRIC", ()))  # which says the same
    alike = skc.compare({"a": DummyClassifier(), "b": DummyClassifier()}, X, Y, cv=5, scoring="roc_auc")
    assert "Use either" not in str(alike)
    assert "Caution: 'a' is not shown to be better than guessing" in " ".join(str(alike).split())


@pytest.mark.parametrize(
    ("name", "guess"),
    [
        *(("auc", 0.5), ("AUROC", 0.5), ("ROC-AUC", 0.5), ("ROC_AUC", 0.5), ("roc_auc_score", 0.5), ("kappa", 0)),
        *(("Cohen kappa", 0), ("Quadratic-Kappa", 0), ("Phi", 0), ("R squared", 0), ("R2", 0), ("r2_score", 0)),
    ],
)
def test_in_tables_a_metric_of_guessing_may_have_another_name(name, guess, rng):
    """A score of an evaluation is what its function makes of it."""
    frame = {"model": np.repeat(["a", "b"], 10), "fold": [*range(10)] * 2, "metric": [name] * 20}
    scores = guess + np.repeat([-0.2, 0.2], 10) + rng.uniform(-0.1, 0.1, 20)
    (warning,) = told(skc.from_frame({**frame, "score": scores}))["BASE_RATE"]
    assert re.match(rf"BASE_RATE: 'a' is not shown to be better than guessing: {name} \S+ against {guess:.3f}", warning)
    assert "BASE_RATE" not in told(skc.from_frame({**frame, "score": scores}, greater_is_better=False))  # as 1 - AUC
    own = {name: lambda model, X, y: model.score(X, y) - 0.9}
    assert "BASE_RATE" not in told(PairedEvaluator(5, own, random_state=0).evaluate(PAIR, X, Y))
    of_study = {**frame, "dataset": [f"d{i}" for i in range(10)] * 2, "score": scores}
    del of_study["fold"]
    (again,) = told(skc.StudyResult.from_frame(of_study))["BASE_RATE"]
    assert again.split(":")[1] == warning.split(":")[1]
    assert again.endswith(
        f"{scores[0]:.3f} against {guess:.3f}. {IMPROVE} So it is on 10 data sets, the first of them 'd0'."
    )
    assert "BASE_RATE" not in told(skc.StudyResult.from_frame(of_study, greater_is_better=False))


def test_precision_of_few_predictions_is_named():
    y = np.arange(200) < 100
    for step, n, typical in ((10, 10, 2), (100, 1, 0)):
        few = y & (np.arange(200) % step == 0)
        found = told(predicting([y, few], y.astype(int)))["WEAK_METRIC"]
        (warning,) = [one for one in found if "predicts class" in one]
        assert warning.startswith(f"WEAK_METRIC: 'm1' predicts class 1 for {n} sample{'s' * (n > 1)}, ")
        assert f"{typical} in a typical test set. Only these count for precision: decide on another" in warning


def test_of_two_rare_classes_both_are_told():
    y = np.arange(30) % 2
    predictions = {"a": y / 2 + 0.25, "b": np.where(np.arange(30) % 7 == 0, 1 - y, y) / 2 + 0.25}
    [said] = told(from_predictions(y, predictions, scoring="roc_auc"))["WEAK_METRIC"]
    assert "15 samples of class 0 in the test set and few of another decide roc_auc" in said


@pytest.mark.parametrize(("n_positive", "warned"), [(19, True), (20, False)])
def test_on_one_test_set_twenty_samples_of_a_class_are_enough(n_positive, warned):
    y = (np.arange(200) < n_positive).astype(int)
    predictions = {"a": y, "b": np.where(np.arange(200) % 7 == 0, 1 - y, y)}
    result = from_predictions(y, predictions, scoring=["recall", "specificity"])
    assert (
        any("19 samples of class 1 in the test set decide recall" in w for w in told(result).get("WEAK_METRIC", []))
        == warned
    )
    assert "specificity" not in str(told(result))


@pytest.mark.parametrize(
    ("metric", "warned"),
    [("recall_macro", True), ("balanced_accuracy", True), ("recall_weighted", False), ("accuracy", False)],
)
def test_of_several_classes_the_rarest_decides_what_counts_all_alike(metric, warned):
    data, y = load_wine(return_X_y=True)
    kept = np.r_[np.flatnonzero(y < 2), np.flatnonzero(y == 2)[:10]]
    result = PairedEvaluator(cv=5, scoring=[metric], random_state=0).evaluate(PAIR, data[kept], y[kept])
    assert ("WEAK_METRIC" in told(result)) == warned


def test_a_metric_that_is_another_one_is_not_named():
    scoring = {"recall": "accuracy"}
    result = PairedEvaluator(cv=10, scoring=scoring, random_state=0).evaluate(PAIR, X[RARE], 1 - Y[RARE])
    assert "WEAK_METRIC" not in told(result)


# ---- error rates ----------------------------------------------------------------------------------------------


def test_claims_that_stand_are_not_fragile_however_often_the_test_was_wrong(rare):
    """10 folds of 400 samples, 3% positive: some equal models were called different in more than 10% of runs."""
    claims = [row for row in rare.compare() if row.metric in ("recall", "roc_auc") and row.winner]
    assert claims
    assert any(rates(rare)["by_metric"][row.metric]["high"] > 0.1 for row in claims)
    assert not any(row.fragile for row in claims if row.pvalue_adjusted < 1e-4)
    for text in (rare.to_html(), rare.summary(detail="full"), rare.methods_text()):
        assert "12 samples of class 1 decide" in " ".join(text.split())


def test_where_nothing_is_claimed_nothing_is_fragile(common):
    assert "FRAGILE" not in told(common)
    alike = {"one": GaussianNB(), "two": GaussianNB(var_smoothing=1.1e-9)}
    same = PairedEvaluator(cv=10, random_state=0).evaluate(alike, X[RARE], 1 - Y[RARE])
    assert "FRAGILE" not in told(same)
    assert not any(row.fragile for row in same.compare())


@pytest.mark.parametrize(("share", "n"), [(0.03, 60), (0.03, 20_000), (0.001, 3000)])
def test_of_rarer_classes_and_other_sizes_nothing_is_known(share, n, rng):
    y = rng.permutation((np.arange(n) < max(round(share * n), 2)).astype(int))
    result = PairedEvaluator(cv=10, scoring=["accuracy"], random_state=0).evaluate(
        {"a": DummyClassifier(), "b": DummyClassifier(strategy="uniform", random_state=0)}, np.zeros((n, 1)), y
    )
    assert rates(result)["reason"]
    assert set(rates(result)["by_metric"].values()) == {None}


def test_the_shares_are_known_without_predictions(common):
    without = PairedEvaluator(cv=10, random_state=0, options=RunOptions(keep_predictions=False)).evaluate(PAIR, X, Y)
    assert rates(common)["where"] == rates(without)["where"] is not None
    unknown = rates(without._with(design=replace(without.design, class_counts=())))["by_metric"]["accuracy"]
    assert unknown["low"] < rates(common)["by_metric"]["accuracy"]["mean"] < unknown["high"]


def test_the_table_is_what_the_benchmark_makes():
    with made.TABLE.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert tuple(rows[0]) == made.COLUMNS
    cells = {(row["design"], int(row["n_samples"]), float(row["positive"])) for row in rows}
    assert cells == {(design, n, share) for design in made.DEFAULT for n, share, _ in made.CELLS}
    for row in rows:
        assert 0 <= float(row["low"]) <= float(row["mean"]) <= float(row["high"]) <= 1
        assert row["procedure"] == made.DEFAULT[row["design"]]


@pytest.mark.sampled("simulations")
def test_the_simulated_models_are_equal(global_random_seed):
    """The mean difference over data sets is 0 within four standard errors."""
    d = made.stacked(made.differences(400, 0.1, 0.45, global_random_seed % 1000 * 20 + i) for i in range(20))
    for learner in ("naive Bayes", made.LOWERED):
        means = d[learner].mean(axis=1)
        error = means.std(axis=0, ddof=1) / len(means) ** 0.5
        assert (np.abs(means.mean(axis=0)) <= 4.5 * error + 1e-12).all()


# ---- the command ----------------------------------------------------------------------------------------------


def test_the_command_says_the_same(tmp_path, run):
    table = tmp_path / "rare.csv"
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*(f"f{j}" for j in range(5)), "patient_id", "ill"])
        for i, row in enumerate(RARE):
            writer.writerow([*X[row, :5], i // 2, int(1 - Y[row])])
    models = ["nb=sklearn.naive_bayes:GaussianNB", "most=sklearn.dummy:DummyClassifier"]
    given = [argument for model in models for argument in ("--model", model)]
    arguments = ["compare", "--data", table, "--target", "ill", *given, "--cv", "10", "--detail", "full"]
    status, out, err = run(*arguments)
    assert status == 0, err
    flat = " ".join(out.split())
    assert "WEAK_METRIC: 12 samples of class 1 decide " in flat
    assert "DO_NOT_USE: " in flat
    assert "share a value of 'patient_id' with the training set" in flat


def test_fewer_samples_than_folds_in_one_class_is_scikit_learns_warning():
    kept = np.r_[np.flatnonzero(Y == 1)[:60], np.flatnonzero(Y == 0)[:5]]
    with pytest.warns(UserWarning, match="least populated class in y has only 5 members"):
        result = PairedEvaluator(cv=10, scoring=["recall"], random_state=0).evaluate(PAIR, X[kept], 1 - Y[kept])
    assert min(result.design.class_counts[1].test_counts) == 0
    assert "WEAK_METRIC" in told(result)


# ---- few samples that decide squared errors

SQUARES = ("r2", "neg_root_mean_squared_error", "neg_mean_squared_error")


def numbers(rng, n, outliers, size=30.0):
    """Two models with errors alike, of which one is far off on some samples."""
    y = rng.normal(size=n)
    a, b = y + rng.normal(size=(2, n))
    b[rng.choice(n, outliers, replace=False)] += size
    return y, {"a": a, "b": b}


def influences(y, predicted, metric):
    """The change of scikit-learn's metric with the weight of each sample."""

    def scored(weights):
        if metric == "r2":
            return r2_score(y, predicted, sample_weight=weights)
        squared = mean_squared_error(y, predicted, sample_weight=weights)
        return -squared if metric == "neg_mean_squared_error" else -(squared**0.5)

    step = 1e-5 * np.eye(len(y))
    return np.array([scored(1 + own) - scored(1 - own) for own in step])


@pytest.mark.parametrize("metric", SQUARES)
def test_three_samples_that_carry_the_variance_of_squared_errors_are_named(metric, rng):
    y, models = numbers(rng, int(rng.integers(40, 120)), int(rng.integers(1, 4)))
    result = from_predictions(y, models, scoring=metric)
    (of_pair,) = [one for one in result.compare()[0].warnings if one.code == "WEAK_METRIC"]
    (of_b,) = [one for one in result.intervals(metric)[1].warnings if one.code == "WEAK_METRIC"]
    own = [influences(y, models[name], metric) for name in "ba"]
    for warning, changes in ((of_pair, own[0] - own[1]), (of_b, own[0])):
        squares = np.sort((changes - changes.mean()) ** 2)
        share = float(re.search(r"3 samples carry (\d+)% of the variance", warning.sentence).group(1))
        assert share == pytest.approx(100 * squares[-3:].sum() / squares.sum(), abs=0.6)
    assert "'a' and 'b'" in of_pair.sentence
    assert "WEAK_METRIC" in {one.code for one in result.test(metric=metric).warnings}
    assert "3 samples carry" in " ".join(result.summary().split())


@pytest.mark.parametrize("metric", SQUARES)
def test_errors_that_are_all_of_a_size_are_not(metric, rng):
    """Of 300 normal errors three carry 30% at most; with 40 outliers among them no three do; few samples are few."""
    for y, models in (numbers(rng, 300, 0), numbers(rng, 300, 40), numbers(rng, 15, 1)):
        result = from_predictions(y, models, scoring=metric)
        weak = [one.sentence for one in result.compare()[0].warnings if one.code == "WEAK_METRIC"]
        assert [" ".join(sentence.split()[:4]) for sentence in weak] == ["15 cases are few"] * (len(y) == 15)
    same = from_predictions(y, {"a": models["a"], "again": models["a"] * (1 + 1e-15)}, scoring=metric)
    assert "WEAK_METRIC" not in {one.code for one in same.compare()[0].warnings}


def test_the_unit_of_the_numbers_does_not_matter_and_pairs_are_one_line(rng):
    y, models = numbers(rng, 100, 1)
    models["c"], known = y + rng.normal(size=100), []
    for unit in (1e-100, 1.0, 1e6):
        scaled = {name: own * unit for name, own in models.items()}
        result = from_predictions(y * unit, scaled, scoring="r2")
        told = [any(one.code == "WEAK_METRIC" for one in row.warnings) for row in result.compare()]
        assert told[::2] == [True, True]  # of b, which has outliers
        known = known or told
        assert told == known
        assert " ".join(result.summary().split()).count("3 samples carry") == 1


def test_on_folds_they_are_named_too(rng):
    X = rng.normal(size=(120, 2))
    y = X[:, 0] + rng.normal(size=120)
    X[7] += 60  # the line, fitted without it, is far off
    models = {"line": LinearRegression(), "mean": DummyRegressor()}
    evaluator = PairedEvaluator(cv=KFold(4), scoring=["neg_mean_absolute_error", "r2"], random_state=0)
    result = evaluator.evaluate(models, X, y)
    told = {row.metric: {one.code for one in row.warnings} for row in result.compare()}
    assert "WEAK_METRIC" in {code for row in result.intervals("r2") for code in map(attrgetter("code"), row.warnings)}
    assert "WEAK_METRIC" not in told["neg_mean_absolute_error"]


@pytest.mark.parametrize("metric", ["accuracy", "recall", "f1"])
@pytest.mark.parametrize("labels", [(0, 1), ("no", "yes")])
def test_who_predicts_one_class_is_not_recommended_among_others(rng, metric, labels):
    """Two of them said "Use either" above a caution that one is to be mended or left out."""
    y = rng.permutation(np.repeat([0, 1], rng.integers(30, 60, 2)))
    called = {"a": rng.integers(2), "b": rng.integers(2), "c": np.where(rng.random(len(y)) < 0.6, y, 1 - y)}
    for names in (("a", "b"), ("a", "c"), ("a", "b", "c")):
        predicted = {name: np.broadcast_to(np.array(labels)[called[name]], y.shape) for name in names}
        result = from_predictions(np.array(labels)[y], predicted, scoring=metric)
        first = str(result).partition("\n\n")[0]
        assert not re.search(r"\bUse (either|any of)\b", first), first


def _guessers(rng, n, shares):
    """True labels of two classes, 7 of 10 the first, and predictions of which such a share is right."""
    y = (np.arange(n) % 10 > 6).astype(int)
    return y, {name: np.where(rng.permutation(n) < share * n, y, 1 - y) for name, share in shares.items()}


def test_a_leader_that_is_not_better_than_guessing_is_not_to_be_used(rng):
    """It is significantly better than another one; "Use" above "not shown to be better" was two answers."""
    y, predicted = _guessers(rng, int(rng.integers(30, 60)) * 10, {"low": 0.2, "less": rng.uniform(0.4, 0.6)})
    text = str(from_predictions(y, predicted, scoring="accuracy"))
    assert text.startswith("less leads: +")
    assert "Caution: 'less' is not shown to be better than always predicting class 0" in text
    y, predicted = _guessers(rng, 400, {"low": 0.2, "good": 0.9})
    assert str(from_predictions(y, predicted, scoring="accuracy")).startswith("Use good: +")


@pytest.mark.parametrize("baseline", ["dummy", "old"])
def test_nothing_is_to_be_added_where_all_are_significantly_worse_than_the_baseline(baseline):
    """More samples were advised to a model that is shown to be worse than guessing."""
    models = {"worse": DummyClassifier(strategy="uniform", random_state=0)}
    models |= {"old": GaussianNB()} if baseline == "old" else {}
    result = PairedEvaluator("5x5", "accuracy", baseline=baseline, random_state=0).evaluate(models, X, Y)
    first = " ".join(str(result).partition("\n\n")[0].split())
    assert re.match(rf"No model is significantly better than (guessing|old)\. {baseline} leads: \+", first)
    assert "Add" not in first


class _Column(RegressorMixin, BaseEstimator):
    """A rule whose answers are a column of X."""

    def __init__(self, column=0):
        self.column = column

    def fit(self, X, _):
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X):
        return X[:, self.column]


@pytest.mark.parametrize("metric", SQUARES)
def test_rare_samples_that_may_turn_squared_errors_are_told_of_on_folds_too(metric, rng):
    """Those of t with 2.5 degrees of freedom, without the rarest 0.1%, may; those of Laplace may not."""
    known, unit = (np.arange(1600) + 0.5) / 1600, 10.0 ** rng.integers(-3, 4)
    laws = {"heavy": stats.t(2.5).ppf(0.0005 + 0.999 * known) / 5**0.5, "light": stats.laplace.ppf(known) / 2**0.5}
    for (name, other), cv in product(laws.items(), (10, "2x5", KFold(5, shuffle=True, random_state=0))):
        errors = rng.permuted([stats.norm.ppf(known), other], axis=1).T[:, :: rng.choice([-1, 1])]
        y = rng.normal(size=len(known))
        evaluator = PairedEvaluator(cv, [metric], random_state=0)
        result = evaluator.evaluate({"a": _Column(0), "b": _Column(1)}, unit * (y[:, None] + errors), unit * y)
        said = f"Rare samples may turn the difference in {metric} ('a' and 'b'): it has a heavy tail."
        warned = [one for one in result.test().warnings if one.sentence.startswith(said)]
        assert [one.code for one in warned] == ["WEAK_METRIC"] * (name == "heavy")
        for view in (result.summary("full"), result.to_json(), result.to_html()):
            assert ("it has a heavy tail" in " ".join(view.replace("\\n", " ").split())) is (name == "heavy")
