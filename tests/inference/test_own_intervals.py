"""Intervals for each model's own score: nested fits against loops, methods, targets, and what is refused."""

from __future__ import annotations

import csv
import gzip
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import make_classification, make_regression
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LinearRegression
from sklearn.metrics import balanced_accuracy_score, make_scorer
from sklearn.model_selection import GroupKFold, LeaveOneOut, ShuffleSplit, TimeSeriesSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from benchmarks import own_scores
from benchmarks.own_scores import corrected_t_limits
from skcompare import RunOptions
from skcompare.inference import corrected_t_test, metric_interval, nested_cv_interval, proportion_interval
from skcompare.inference._rates import coverage_of_own_scores

X, Y = make_classification(60, 5, n_informative=3, random_state=0)
MODELS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
METRICS = ["accuracy", "neg_log_loss", "f1"]
R, K = 2, 5


def evaluated(models=MODELS, data=(X, Y), **options):
    options = {"cv": f"{R}x{K}", "scoring": METRICS, "random_state": 0, "intervals": "nested", **options}
    return skc.PairedEvaluator(**options).evaluate(models, *data)


@pytest.fixture(scope="module")
def nested():
    return evaluated()


def limits(found):
    return np.array([(row.low, row.high) for row in found])


# ---- the fits -------------------------------------------------------------------------------------------------


def in_loops(model, x, y, splits, loss):
    """Bates, Hastie and Tibshirani (2024), Algorithm 1, with a fit for every ordered pair of folds."""
    tests = [[test for _, test in splits[r * K : (r + 1) * K]] for r in range(len(splits) // K)]
    outer, inner = [], []
    for folds in tests:
        outer.append([])
        inner.append([])
        for f, held_out in enumerate(folds):
            train = np.setdiff1d(np.arange(len(y)), held_out)
            outer[-1].append(loss(clone(model).fit(x[train], y[train]), x[held_out], y[held_out]))
            parts = []
            for g, other in enumerate(folds):
                if g != f:
                    rest = np.setdiff1d(train, other)
                    parts.append(loss(clone(model).fit(x[rest], y[rest]), x[other], y[other]))
            inner[-1].append(parts)
    return outer, inner


def errors(model, x, y):
    return (model.predict(x) != y).astype(float)


def log_losses(model, x, y):
    shares = model.predict_proba(x)[np.arange(len(y)), y]
    return -np.log(np.clip(shares, np.finfo(float).eps, 1))


def squares(model, x, y):
    return (model.predict(x) - y) ** 2


@pytest.mark.parametrize(("metric", "loss", "best"), [("accuracy", errors, 1), ("neg_log_loss", log_losses, 0)])
def test_the_interval_is_that_of_a_fit_for_every_pair_in_loops(nested, metric, loss, best):
    found = nested.intervals(metric, 0.9, method="nested")
    for row in found:
        of_losses = nested_cv_interval(*in_loops(MODELS[row.model], X, Y, nested.splits(), loss))
        wanted = of_losses.confidence_interval(0.9)
        ends = best - wanted.high, best - wanted.low
        ends = (max(ends[0], 0), min(ends[1], 1)) if metric == "accuracy" else (ends[0], min(ends[1], 0))
        assert (row.low, row.high) == pytest.approx(ends)


def test_squared_errors_of_numbers_are_those_in_loops():
    x, y = make_regression(40, 5, noise=10, random_state=0)
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    result = evaluated(models, (x, y), scoring="neg_mean_squared_error")
    by_hand = [in_loops(models[name], x, y, result.splits(), squares) for name in models]
    less = [
        [[b - a for a, b in zip(*f, strict=True)] for f in zip(*r, strict=True)]
        for r in zip(*(o for o, _ in by_hand), strict=True)
    ]
    more = [
        [[b - a for a, b in zip(np.concatenate(p), np.concatenate(q), strict=True)] for p, q in zip(*r, strict=True)]
        for r in zip(*(i for _, i in by_hand), strict=True)
    ]
    wanted, found = nested_cv_interval(less, more), result.test("nested_cv_interval")
    assert (found.estimate, found.standard_error) == pytest.approx((wanted.estimate, wanted.standard_error))


class Counted(GaussianNB):
    fits = 0

    def fit(self, x, y, sample_weight=None):
        type(self).fits += 1
        return super().fit(x, y, sample_weight)


def test_one_fit_serves_both_orders_of_a_pair_and_the_count_is_known_before():
    told, Counted.fits = [], 0
    evaluated({"a": Counted(), "b": GaussianNB()}, options=RunOptions(callback=told.append))
    of_one = R * K + R * K * (K - 1) // 2
    assert Counted.fits == of_one
    assert {event.n_total for event in told} == {2 * of_one}
    assert [event.n_done for event in told] == [*range(1, 2 * of_one + 1)]


def test_scores_are_those_without_the_inner_fits(nested):
    plain = evaluated(intervals=None)
    np.testing.assert_array_equal(plain.scores, nested.scores)
    assert plain._scores.inner_predictions is None


def test_models_that_draw_get_seeds_of_their_own_and_the_same_again():
    models = {"a": DecisionTreeClassifier(max_features=1), "b": GaussianNB()}
    one, other = (evaluated(models).intervals("accuracy", method="nested") for _ in range(2))
    assert one == other


def test_a_store_has_the_inner_fits_and_gives_them_back(tmp_path, nested):
    told = []
    evaluated(store=tmp_path / "fits", intervals=None)
    half = evaluated(store=tmp_path / "fits", options=RunOptions(callback=told.append))
    assert sum(event.reused for event in told) == len(MODELS) * R * K  # the ordinary ones
    told.clear()
    again = evaluated(store=tmp_path / "fits", options=RunOptions(callback=told.append))
    assert all(event.reused for event in told)
    for result in (half, again):
        found, wanted = (one.intervals("accuracy", method="nested") for one in (result, nested))
        assert found == wanted


def test_a_saved_result_has_them_too(tmp_path, nested):
    nested.save(tmp_path / "nested.skcompare")
    loaded = skc.load(tmp_path / "nested.skcompare")
    assert loaded.intervals("accuracy", method="nested") == nested.intervals("accuracy", method="nested")
    assert loaded.test("nested_cv_interval") == nested.test("nested_cv_interval")


class Fussy(ClassifierMixin, BaseEstimator):
    """Takes no less than three quarters of the samples."""

    def fit(self, x, y):
        if len(x) < 0.7 * len(X):
            raise RuntimeError(f"{len(x)} samples are too few")
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return (x[:, 0] > 0).astype(int)


def test_an_inner_fit_that_fails_says_where():
    models = {"nb": GaussianNB(), "fussy": Fussy()}
    with pytest.raises(skc.EstimatorFailedError, match=r"'fussy' failed in fit without folds 0 and 1 of repeat 0: "):
        evaluated(models, scoring="accuracy")
    not_started = R * K * (K - 1) // 2 - 5  # after five that failed with one message
    told = rf"5 of {R * K * (K - 1)} fits failed.*; its other {not_started} fits were not started"
    with pytest.warns(FitFailedWarning, match=told):
        result = evaluated(models, scoring="accuracy", error_score=np.nan)
    sound, failed = result.intervals(method="nested")
    assert np.isfinite(sound.low)
    assert np.isnan(failed.low)
    assert any("without folds 0 and 1" in warning for warning in failed.warnings)
    assert np.isfinite(limits(result.intervals())).all()


@pytest.mark.parametrize(
    ("cv", "groups"),
    [
        ("5x2", None),
        (TimeSeriesSplit(3), None),
        (ShuffleSplit(3, random_state=0), None),
        (LeaveOneOut(), None),
        (GroupKFold(4), np.arange(60) // 2),
        ("2x4", np.arange(60) // 2),
    ],
    ids=["halves", "time", "random splits", "one sample", "groups", "folds of groups"],
)
def test_other_splits_are_refused_before_the_first_fit(cv, groups):
    Counted.fits = 0
    evaluator = skc.PairedEvaluator(cv, "accuracy", random_state=0, intervals="nested")
    with pytest.raises(ValueError, match="intervals must be None"):
        evaluator.evaluate([Counted(), GaussianNB()], X, Y, groups=groups)
    assert Counted.fits == 0


def test_what_does_not_go_with_nested_is_refused():
    rule = skc.StopRule(max_repeats=3)
    for options, name in (
        ({"n_seeds": 2}, "n_seeds"),
        ({"stop": rule}, "stop"),
        ({"options": RunOptions(keep_predictions=False)}, "keep_predictions"),
        ({"intervals": 1}, "intervals"),
    ):
        with pytest.raises(ValueError, match=f"{name} must be"):
            evaluated(**options)
    with pytest.raises(ValueError, match="intervals must be None for a learning curve"):
        skc.PairedEvaluator(intervals="nested").learning_curve(MODELS, X, Y)
    with pytest.raises(ValueError, match=r"PairedEvaluator\(intervals='nested'\)"):
        evaluated(intervals=None).test("nested_cv_interval")


# ---- a difference ---------------------------------------------------------------------------------------------


def test_the_interval_of_a_difference_is_on_the_right_side_of_0():
    x, y = make_classification(120, 5, n_informative=3, class_sep=2, random_state=0)
    models = {"good": GaussianNB(), "bad": DummyClassifier(strategy="prior"), "twin": GaussianNB()}
    result = evaluated(models, (x, y), scoring=["accuracy", "neg_brier_score"])
    for metric in result.metrics:
        found, turned = (
            result.test("nested_cv_interval", metric=metric, a=a, b=b) for a, b in (("good", "bad"), ("bad", "good"))
        )
        interval = found.confidence_interval()
        assert 0 < interval.low < found.estimate
        assert turned.confidence_interval().high == pytest.approx(-interval.low)
        same = result.test("nested_cv_interval", metric=metric, a="good", b="twin")
        assert (same.estimate, same.pvalue) == (0, 1)
    assert "good is significantly better than bad" in str(result.test("nested_cv_interval"))
    rows = {(row.a, row.b): row.outcome.name for row in result.compare("nested_cv_interval", metrics="accuracy")}
    assert rows == {("good", "bad"): "BETTER", ("good", "twin"): "UNDECIDED", ("bad", "twin"): "WORSE"}


@pytest.mark.sampled("simulations")
def test_the_mean_of_constant_models_is_covered_as_often_as_the_level_says():
    # the true loss of predicting the mean of n standard normal numbers is 1 + mean**2, known exactly for each data set
    n_sets, held = 40, 0
    models, x = {"mean": DummyRegressor(), "zero": DummyRegressor(strategy="constant", constant=0)}, np.zeros((40, 1))
    evaluator = skc.PairedEvaluator(
        "2x5", "neg_mean_squared_error", random_state=0, intervals="nested", options=RunOptions(check_data=False)
    )
    for i in range(n_sets):
        y = np.random.default_rng(i).normal(size=40)
        row = evaluator.evaluate(models, x, y).intervals(method="nested")[0]
        held += row.low <= -(1 + y.mean() ** 2) <= row.high
    # four binomial standard errors, and the skewness of 40 squares, which costs a few per cent
    assert held / n_sets >= 0.92 - 4 * (0.05 * 0.95 / n_sets) ** 0.5


def test_every_pair_of_folds_has_its_fit(nested):
    folds = nested._scores.kept_splits.all_held_out(0)
    inner = nested._scores.inner_predictions.folds["nb"]
    assert len(inner) == R * K * (K - 1) // 2
    assert [len(one["codes"]) for one in inner[: K * (K - 1) // 2]] == [
        len(folds[f]) + len(folds[g]) for f, g in combinations(range(K), 2)
    ]


# ---- methods and targets --------------------------------------------------------------------------------------


def test_the_bootstrap_is_about_the_normal_interval_of_many_samples():
    x, y = make_regression(400, 3, noise=30, random_state=1)
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    result = evaluated(models, (x, y), intervals=None, cv="3x4", scoring=["neg_mean_squared_error", "r2"])
    losses = np.zeros(400)
    for train, test in result.splits():
        losses[test] += squares(LinearRegression().fit(x[train], y[train]), x[test], y[test]) / 3
    row = result.intervals("neg_mean_squared_error", method="bootstrap")[0]
    reach = 1.96 * losses.std(ddof=1) / 400**0.5
    assert (row.low, row.high) == pytest.approx((-losses.mean() - reach, -losses.mean() + reach), abs=0.15 * reach)
    assert row.low < row.score < row.high
    wide = result.intervals("neg_mean_squared_error", 0.99, method="bootstrap")[0]
    assert wide.low < row.low < row.high < wide.high


def test_the_method_stands_in_the_row_and_others_are_refused(nested):
    assert {row.method for row in nested.intervals(method="corrected_t")} == {"corrected t"}
    with pytest.raises(ValueError, match="method must be one of"):
        nested.intervals(method="jackknife")
    with pytest.raises(ValueError, match="target must be one of"):
        nested.intervals(target="data")
    with pytest.raises(ValueError, match="f1 is no mean of a value per sample"):
        nested.intervals("f1", method="nested")
    with pytest.raises(ValueError, match="the inner fits were not made"):
        evaluated(intervals=None).intervals(method="nested")


# ---- how often they held it -----------------------------------------------------------------------------------

TEN = {"cv": "1x10", "intervals": None, "scoring": ["accuracy", "f1", "roc_auc"]}


def two_classes(n, share=0.5):
    y = (np.arange(n) < round(n * share)).astype(int)
    return np.random.default_rng(0).normal(size=(n, 3)) + y[:, None], y


def covered(result, **options):
    return {row.metric: row.coverage for row in result.intervals(**options) if row.model == result.estimators[0]}


@pytest.mark.parametrize(
    ("cv", "n", "share"),
    [("1x10", 60, 0.5), ("5x10", 60, 0.4), ("1x8", 130, 0.2), ("5x4", 100, 0.5)],
    ids=["ten folds", "half the repeats", "20% positives", "four folds"],
)
def test_runs_like_the_simulated_ones_say_how_often_and_take_either_target(cv, n, share):
    result = evaluated(data=two_classes(n, share), **{**TEN, "cv": cv})
    for target in ("algorithm", "model"):
        found = covered(result, target=target)
        assert all(found[metric] for metric in TEN["scoring"])
    assert covered(result) == found  # of the fitted models by default
    assert "fitted on all of the data" in result.intervals().about
    assert set(covered(result, confidence_level=0.9).values()) == {""}


@pytest.mark.parametrize(
    ("cv", "n", "share"),
    [
        ("1x5", 60, 0.5),
        ("2x5", 60, 0.5),
        ("5x3", 60, 0.5),
        ("1x10", 29, 0.5),
        ("1x10", 130, 0.1),
        ("1x10", 60, 0.2),
        (LeaveOneOut(), 60, 0.5),
        ("1x30", 60, 0.5),
        (ShuffleSplit(10, random_state=0), 60, 0.5),
    ],
    ids=["5 folds", "2 repeats", "3 folds", "29", "10% positives", "20% of 60", "one sample", "30 folds", "random"],
)
def test_other_runs_say_nothing_and_the_score_of_the_model_is_refused(cv, n, share):
    result = evaluated(data=two_classes(n, share), **{**TEN, "cv": cv, "scoring": "accuracy"})
    assert covered(result) == {"accuracy": ""}
    assert "algorithms" in result.intervals().about
    assert not any(warning.startswith("NOT_AT_LEVEL") for row in result.intervals() for warning in row.warnings)
    with pytest.raises(ValueError, match="holds the score of the fitted models here was not measured"):
        result.intervals(target="model")


def test_f1_of_the_more_frequent_class_was_not_simulated_but_its_accuracy_was():
    found = covered(evaluated(data=two_classes(200, 0.8), **TEN))
    assert found["f1"] == ""
    assert found["accuracy"]
    assert found["roc_auc"]


def test_several_classes_seeds_weights_and_tables_say_nothing(rng):
    x, y = rng.normal(size=(90, 3)), np.arange(90) % 3
    of_accuracy = {**TEN, "scoring": "accuracy"}
    assert covered(evaluated(data=(x, y), **of_accuracy)) == {"accuracy": ""}
    x, y = two_classes(90)
    assert covered(evaluated(data=(x, y), n_seeds=2, **of_accuracy)) == {"accuracy": ""}
    evaluator = skc.PairedEvaluator("1x10", "accuracy", random_state=0)
    known = evaluator.evaluate(MODELS, x, y)
    assert covered(known)["accuracy"]
    weighted = replace(known, sample_weight=rng.uniform(1, 2, 90))
    assert covered(weighted) == {"accuracy": ""}
    assert covered(skc.from_frame(known.to_frame())) == {"accuracy": ""}


def test_of_numbers_squared_and_absolute_errors_were_simulated():
    x, y = make_regression(80, 3, noise=10, random_state=0)
    losses = ["neg_mean_squared_error", "neg_mean_absolute_error", "neg_root_mean_squared_error", "r2"]
    models = {"linear": LinearRegression(), "mean": DummyRegressor()}
    result = evaluated(models, (x, y), **{**TEN, "scoring": losses})
    found = covered(result)
    assert all(found.values())
    assert covered(evaluated(models, (x, y), **{**TEN, "scoring": "explained_variance"})) == {"explained_variance": ""}
    dummy = [row for row in result.intervals() if row.model == "mean"]
    assert {row.coverage for row in dummy} == {""}
    probabilities = ["neg_log_loss", "neg_brier_score"]
    assert set(covered(evaluated(data=two_classes(60), **{**TEN, "scoring": probabilities})).values()) == {""}


def test_no_accuracy_is_given_the_figure_of_squared_errors():
    held = coverage_of_own_scores()
    numbers = {"neg_mean_squared_error", "neg_root_mean_squared_error", "neg_mean_absolute_error", "r2"}
    assert {metric for _, metric, *_ in held} == {"accuracy", "precision", "recall", "f1", "roc_auc"} | numbers
    result = evaluated(data=two_classes(60), **{**TEN, "cv": "5x10", "scoring": "accuracy"})
    low, high = held["bootstrap", "accuracy", True, True, "model"]
    assert covered(result, method="bootstrap", target="model") == {"accuracy": f"{low}% to {high}%"}
    assert low > held["bootstrap", "neg_mean_squared_error", True, True, "model"][0]


@pytest.fixture(scope="module")
def cells():
    with gzip.open(own_scores.PUBLISHED, "rt", encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_shares_in_the_package_are_those_of_the_published_cells(cells):
    with own_scores.COVERED.open(encoding="utf-8", newline="") as stream:
        assert list(csv.DictReader(stream)) == own_scores.shipped(cells)
    assert {(row["task"], int(row["n_samples"]), row["learner"]) for row in cells} == set(own_scores.cells())


def test_the_page_has_the_table_of_the_published_cells(cells):
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in own_scores.table(cells) if line not in page] == []


@pytest.mark.parametrize("metric", ["accuracy", "f1", "roc_auc"])
def test_the_default_interval_held_the_score_of_the_fitted_models(cells, metric):
    """93% to 97% on average, in no cell less than 90% by more than its standard error."""
    own = [row for row in cells if (row["metric"], row["design"], row["method"]) == (metric, "10x10", "corrected t")]
    shares = np.array([int(row["model"]) / int(row["datasets"]) for row in own])
    assert {row["learner"] for row in own} == set(own_scores.LEARNERS) - {"least squares", "5-NN of numbers"}
    assert 0.93 <= shares.mean() <= 0.97
    assert shares.min() >= 0.9 - (0.1 * 0.9 / 150) ** 0.5


class OneClass(ClassifierMixin, BaseEstimator):
    """Says the same of every sample."""

    def fit(self, x, y):  # noqa: ARG002
        self.classes_ = np.unique(y)
        return self

    def predict(self, x):
        return np.ones(len(x), dtype=int)


def test_models_that_say_the_same_of_all_samples_were_not_simulated():
    models = {"nb": GaussianNB(), "one": OneClass(), "chance": DummyClassifier(strategy="uniform", random_state=0)}
    rows = evaluated(models, two_classes(63), **{**TEN, "scoring": "accuracy"}).intervals()
    assert [bool(row.coverage) for row in rows] == [True, False, False]


def test_no_figure_is_of_a_run_that_looks_could_end():
    options = {**TEN, "cv": "6x10", "scoring": "accuracy"}
    assert covered(evaluated(data=two_classes(60), **options))["accuracy"]
    looked = evaluated(data=two_classes(60), **options, stop=skc.StopRule(min_repeats=6, max_repeats=7))
    assert looked.design.n_repeats > 5
    assert covered(looked) == {"accuracy": ""}
    with pytest.raises(ValueError, match=r"target must be 'algorithm' here: .* was not measured"):
        looked.intervals(method="bootstrap", target="model")
    with pytest.raises(ValueError, match=r"method must be 'corrected_t' or 'bootstrap'.*inner fits"):
        looked.intervals(method="nested")


def test_an_interval_of_another_method_has_no_figure():
    x = np.repeat([[0.0], [1.0]], 30, axis=0)
    models = {"nb": GaussianNB(), "tree": MODELS["tree"]}
    rows = evaluated(models, (x, np.repeat([0, 1], 30)), **TEN).intervals()
    assert rows[0].method == "Wilson, as folds do not differ"
    assert {row.coverage for row in rows} == {""}


def test_losses_end_before_0():
    x, y = make_regression(60, 20, noise=1, random_state=0)
    models = {"linear": LinearRegression(), "tree": DecisionTreeRegressor(max_depth=1, random_state=0)}
    result = evaluated(models, (x, y), scoring=["neg_mean_squared_error", "r2"], intervals=None)
    rows = result.intervals(confidence_level=1 - 1e-9)
    assert all(row.low < row.score < row.high < (row.metric == "r2") for row in rows)


@pytest.mark.parametrize(
    ("ends", "to", "back"),
    [
        ((0, 1), special.logit, special.expit),
        ((-1, 1), np.arctanh, np.tanh),
        ((-np.inf, 1), lambda x: np.log(1 - x), lambda x: 1 - np.exp(x)),
        ((0, np.inf), np.log, np.exp),
        ((-np.inf, np.inf), lambda x: x, lambda x: x),
    ],
    ids=["share", "correlation", "R2", "loss", "any number"],
)
def test_the_corrected_t_interval_is_made_on_a_scale_without_ends(ends, to, back, rng):
    """The scale by its own function, and the standard error of Nadeau and Bengio (2003) there by differences."""
    own = rng.uniform(0.6, 0.99, size=50)
    score, step = own.mean(), 1e-5
    slope = (to(score + step) - to(score - step)) / (2 * step)
    reach = stats.t.ppf(0.95, 49) * own.std(ddof=1) * (1 / 50 + 0.2 / 0.8) ** 0.5
    wanted = sorted(back(to(score) + side * slope * reach) for side in (-1, 1))
    assert corrected_t_limits(own, 0.2, 0.9, ends) == pytest.approx(wanted, rel=1e-6)


SHARES = st.floats(0, 1).map(lambda x: round(x, 9))  # the complement of 1e-300 is 1


@given(scores=st.lists(SHARES, min_size=2, max_size=30), level=st.floats(0.01, 0.999))
def test_the_interval_of_a_share_is_the_mirror_of_that_of_its_complement(scores, level):
    own = np.array(scores)
    low, high = corrected_t_limits(own, 0.1, level, (0, 1))
    mirror = corrected_t_limits(1 - own, 0.1, level, (0, 1))
    assert (1 - high, 1 - low) == pytest.approx(mirror, abs=1e-9)
    assert low <= own.mean() + 1e-12
    assert own.mean() <= high + 1e-12
    if 0 < own.mean() < 1 and own.std() > 1e-6:
        assert 0 <= low < own.mean() < high <= 1


def test_a_score_far_from_its_ends_has_the_interval_of_the_t_test(rng):
    own = rng.normal(size=20)
    plain = corrected_t_test(own, np.zeros(20), test_fraction=0.1).confidence_interval()
    assert corrected_t_limits(own, 0.1, 0.95, (-1e6, 1e6)) == pytest.approx((plain.low, plain.high), abs=1e-4)


AT_MOST = {"r2": 1, "explained_variance": 1, "d2_absolute_error_score": 1, "neg_max_error": 0, "roc_auc": 1, "f1": 1}
AT_MOST |= {"neg_mean_squared_error": 0, "neg_median_absolute_error": 0, "accuracy": 1, "neg_log_loss": 0}
AT_MOST |= {"average_precision": 1, "matthews_corrcoef": 1, "neg_brier_score": 0, "balanced_accuracy": 1}
AT_LEAST = {"roc_auc": 0, "f1": 0, "accuracy": 0, "average_precision": 0, "matthews_corrcoef": -1}
OF_NUMBERS = [name for name in AT_MOST if name.startswith(("r2", "expl", "d2", "neg_m"))]


@pytest.mark.parametrize("folds", [True, False])
@pytest.mark.parametrize("numbers", [True, False])
@pytest.mark.sampled
def test_every_interval_stays_inside_the_range_of_its_metric(folds, numbers, rng):
    scoring = [name for name in AT_MOST if (name in OF_NUMBERS) == numbers]
    x = rng.normal(size=(60, 3))
    y = x.sum(axis=1) + 0.1 * rng.normal(size=60)
    learner = DecisionTreeRegressor(max_depth=1) if numbers else DecisionTreeClassifier(max_depth=1)
    models = {"a": LinearRegression() if numbers else GaussianNB(), "b": learner}
    cv = 4 if folds else [(np.arange(30), np.arange(30, 60))]
    result = skc.PairedEvaluator(cv=cv, scoring=scoring).evaluate(models, x, y if numbers else (y > 0).astype(int))
    made = [row for row in result.intervals(confidence_level=1 - 1e-9) if np.isfinite(row.low)]
    assert len({row.metric for row in made}) >= len(scoring) / 2
    for row in made:
        assert AT_LEAST.get(row.metric, -np.inf) <= row.low <= row.score <= row.high <= AT_MOST[row.metric]


def test_one_test_set_speaks_of_these_models_alone():
    y_true, labels = [0, 1] * 20, {"a": [0, 1] * 20, "b": [0, 1, 1, 1] * 10}
    result = skc.from_predictions(y_true, labels, scoring="accuracy")
    assert result.intervals(target="model") == result.intervals()
    for target, options in (("algorithm", {"target": "algorithm"}), ("method", {"method": "nested"})):
        with pytest.raises(ValueError, match=f"{'target' if target == 'algorithm' else 'method'} must be"):
            result.intervals(**options)
    runs = skc.from_runs({"model": ["a"] * 3 + ["b"] * 3, "run": [*range(3)] * 2, "score": np.arange(6.0)})
    with pytest.raises(ValueError, match="target must be None"):
        runs.intervals(target="model")


def test_the_interval_of_a_perfect_score_is_no_point():
    x = np.repeat([[0.0], [1.0]], 20, axis=0)
    result = evaluated(
        {"nb": GaussianNB(), "tree": MODELS["tree"]},
        (x, np.repeat([0, 1], 20)),
        intervals=None,
        scoring=["accuracy", "f1"],
    )
    of_accuracy, _, of_f1, _ = result.intervals()
    wilson = proportion_interval(40, 40)
    assert (of_accuracy.low, of_accuracy.high) == (wilson.low, 1)
    assert of_accuracy.low < 0.95
    assert (of_f1.low, of_f1.high) == (1, 1)
    assert any(warning.startswith("ZERO_VARIANCE") for warning in of_f1.warnings)


@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(12), 5)])
@pytest.mark.parametrize("metric", ["precision", "recall", "f1", "matthews_corrcoef", "balanced_accuracy", "f1_macro"])
def test_a_point_on_one_test_set_is_said_to_be_one(metric, clusters, rng):
    y_true = rng.permutation([0, 1] * 30)
    wrong = np.where(np.arange(60) < 12, 1 - y_true, y_true)
    result = skc.from_predictions(y_true, {"perfect": y_true, "other": wrong}, scoring=metric, clusters=clusters)
    for row in result.intervals():
        said = any(one.code == "ZERO_VARIANCE" for one in row.warnings)
        wilson = row.method in ("Wilson", "Wilson by class")  # which know that 30 of 30 are not all
        point = row.model == "perfect" and not wilson
        assert (row.method == "Wilson by class") == (metric == "balanced_accuracy" and clusters is None)
        assert said == (row.low == row.high) == point
        assert (row.method == "Wilson") == (metric in ("precision", "recall") and clusters is None)
        assert row.low <= row.score <= row.high


# Newcombe (1998), Table II, method 10: right of one class, wrong of the other, and the interval of the difference of
# the two shares, of which balanced accuracy is half and 1/2; statsmodels 0.15.0, confint_proportions_2indep ("newcomb")
NEWCOMBE = {
    (56, 70, 48, 80): (0.0524, 0.3339),
    (9, 10, 3, 10): (0.1705, 0.8090),
    (6, 7, 2, 7): (0.0582, 0.8062),
    (5, 56, 0, 29): (-0.0381, 0.1926),
    (0, 10, 0, 20): (-0.1611, 0.2775),
    (0, 10, 0, 10): (-0.2775, 0.2775),
    (10, 10, 0, 20): (0.6791, 1.0000),
    (10, 10, 0, 10): (0.6075, 1.0000),
}


@pytest.mark.parametrize("counts", NEWCOMBE)
def test_balanced_accuracy_of_two_classes_has_the_published_intervals(counts):
    hits, n, wrong, others = counts
    y = np.repeat([1, 0], (n, others))
    predicted = np.r_[np.arange(n) < hits, np.arange(others) < wrong].astype(int)
    for metric in ("balanced_accuracy", "recall_macro"):
        found = metric_interval(y, predicted, metric).confidence_interval()
        assert (2 * found.low - 1, 2 * found.high - 1) == pytest.approx(NEWCOMBE[counts], abs=5.1e-5)


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_means_over_classes_are_made_of_the_wilson_intervals_of_each(n_classes, rng):
    """The bootstrap's held the true balanced accuracy of 62% of test sets with ten samples of a class of recall 0.9."""
    scoring = ["balanced_accuracy", "recall_macro", "precision_macro"]
    adjusted = make_scorer(balanced_accuracy_score, adjusted=True)
    for n in (12, 40, 500):
        y = np.r_[np.arange(n_classes), rng.integers(n_classes, size=n - n_classes)]
        names, level = np.array(list("qzamfb"))[:n_classes], rng.uniform(0.5, 0.99)
        predicted = np.where(rng.random(n) < rng.uniform(0.1, 0.9), y, rng.integers(n_classes, size=n))
        predicted[:n_classes] = np.arange(n_classes)
        data = (names[y], {"one": names[predicted]})
        result = skc.from_predictions(*data, scoring={**dict(zip(scoring, scoring, strict=True)), "adjusted": adjusted})
        rows = {row.metric: row for row in result.intervals(confidence_level=level)}
        for metric, of in (("balanced_accuracy", y), ("recall_macro", y), ("precision_macro", predicted)):
            below = above = mean = 0.0
            for k in range(n_classes):
                hits, size = int(((y == k) & (predicted == k)).sum()), int((of == k).sum())
                one = stats.binomtest(hits, size).proportion_ci(level, method="wilson")
                below += (hits / size - one.low) ** 2
                above += (one.high - hits / size) ** 2
                mean += hits / size / n_classes
            expected = [mean - below**0.5 / n_classes, mean, mean + above**0.5 / n_classes]
            found = rows[metric]
            assert [found.low, found.score, found.high] == pytest.approx(expected, rel=1e-9), metric
            assert found.method == "Wilson by class"
        own, scale = rows["adjusted"], 1 - 1 / n_classes
        ends = [(end - 1 / n_classes) / scale for end in (rows["recall_macro"].low, rows["recall_macro"].high)]
        assert [own.low, own.high] == pytest.approx(ends, abs=1e-12)


def test_in_clusters_and_of_several_labels_means_over_classes_are_drawn(rng):
    y = rng.integers(2, size=(60, 3))
    several = skc.from_predictions(y, {"a": y ^ (rng.random(y.shape) < 0.2)}, scoring="recall_macro")
    one = {"a": np.where(rng.random(60) < 0.2, 1 - y[:, 0], y[:, 0])}
    adjusted = make_scorer(balanced_accuracy_score, adjusted=True)
    clusters = np.repeat(np.arange(15), 4)
    grouped = skc.from_predictions(y[:, 0], one, scoring={"adjusted": adjusted}, clusters=clusters)
    for result in (several, grouped):
        (row,) = result.intervals()
        assert row.method == "BCa bootstrap"
        assert row.low < row.score < row.high


def order(x):
    return np.argsort(np.argsort(x))


def share_in_order(true, said):
    return np.mean(said[true == 1][:, None] > said[true == 0])


# Metrics that read no more than the order of the predictions, and what these are of.
OF_RANKS = {
    "correlation of ranks": (lambda true, said: np.corrcoef(order(true), order(said))[0, 1], "predict"),
    "half of it": (lambda true, said: 0.5 * np.corrcoef(order(true), order(said))[0, 1], "predict"),
    "area": (share_in_order, "predict_proba"),
    "area squared": (lambda true, said: share_in_order(true, said) ** 2, "predict_proba"),
}


@pytest.mark.parametrize("n_models", [1, 2, 3])
@pytest.mark.parametrize("name", OF_RANKS)
def test_one_test_set_has_intervals_on_own_metrics_of_ranks(n_models, name):
    rng, (function, response) = np.random.default_rng([n_models, *name.encode()]), OF_RANKS[name]
    n = int(rng.integers(30, 60))
    y = rng.normal(size=n) if response == "predict" else rng.permutation(np.arange(n) % 2)
    said = {f"m{i}": special.expit(y + rng.normal(size=n)) for i in range(n_models)}
    result = skc.from_predictions(y, said, scoring={name: make_scorer(function, response_method=response)})
    for row in result.intervals():
        assert row.score == pytest.approx(function(y, said[row.model]))
        assert row.low < row.score < row.high
    assert "own score" in str(result.explain())
