"""The predicted error rates: the laws of the range, what it is asked for, and that nothing is quoted elsewhere."""

from __future__ import annotations

import csv
import json
import re
import zlib
from fractions import Fraction
from math import isnan
from pathlib import Path

import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.model_selection import ShuffleSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks import MARKED
from benchmarks import rates as made
from skcompare import PairedEvaluator, RunOptions, inference
from skcompare.calibration import predicted_error_rate
from skcompare.inference import _rates
from skcompare.inference._rates import COVARIATES, Kind, Known, Slope, kinds, normal, predicted, rates

pytestmark = pytest.mark.sampled

TWO = {"near": KNeighborsClassifier(), "tree": DecisionTreeClassifier(random_state=0)}
X_TWO, Y_TWO = make_classification(200, 5, random_state=0)


def error_rates(result):
    return json.loads(result.to_json())["error_rates"]


def run(models=TWO, data=(X_TWO, Y_TWO), **options):
    options = {"cv": 10, "scoring": "accuracy", "random_state": 0, "options": RunOptions(check_data=False), **options}
    return PairedEvaluator(**options).evaluate(models, *data)


# ---- the model -------------------------------------------------------------------------------------------------


def test_the_range_is_that_of_a_rate_with_a_normal_root(rng):
    """Against scipy's normal distribution, integrated; near a gamma variable (Wilson and Hilferty)."""
    for mean, spread in zip(rng.uniform(0.5, 3, 20), rng.uniform(0.05, 0.5, 20), strict=True):
        found = rates(mean, spread)
        root = stats.norm(mean, spread)
        own, _ = integrate.quad(
            lambda x, f=root: f.pdf(x) * min(max(x, 0) ** 3 / 100, 1), mean - 9 * spread, mean + 9 * spread
        )
        assert found[0] == pytest.approx(min(max(own, found[1]), found[2]), rel=1e-4)
        assert np.cbrt(100 * np.array(found[1:])) == pytest.approx(np.maximum(root.ppf([0.05, 0.95]), 0))
    for shape in rng.uniform(2, 20, 10):  # with a mean of 5%
        found = rates(5 ** (1 / 3) * (1 - 1 / (9 * shape)), 5 ** (1 / 3) / (9 * shape) ** 0.5)
        known = stats.gamma(shape, scale=0.05 / shape)
        assert found == pytest.approx((known.mean(), *known.ppf([0.05, 0.95])), rel=0.05, abs=0.001)


def test_what_is_not_known_is_integrated_out(rng):
    """The variance over a standard normal covariate, against draws of it; the range contains that at its mean."""
    kind = Kind(1.7, -0.3, {"samples": Slope(0.4, 0.2), "balance": Slope(-0.6, -0.1)})
    drawn = rng.normal(size=(2, 200_000))
    mean = 1.7 + 0.4 * drawn[0] - 0.6 * drawn[1]
    spread = np.exp(-0.3 + 0.2 * drawn[0] - 0.1 * drawn[1])
    own = normal(kind, {})
    assert own == pytest.approx((mean.mean(), np.hypot(mean.std(), np.sqrt(np.mean(spread**2)))), rel=0.02)
    for _, by_metric in kinds()[0].values():
        for one in by_metric.values():
            for left in one.slopes:
                known = dict.fromkeys(set(one.slopes) - {left}, 0.5)
                open_, closed = rates(*normal(one, known)), rates(*normal(one, {**known, left: 0.0}))
                assert open_[1] <= closed[1] <= closed[0] <= closed[2] <= open_[2]


def test_every_range_is_a_range():
    for (task, design, procedure), (limits, _) in kinds()[0].items():
        for n in limits.n:
            for rate in predicted(procedure, design, task, Known(n=n)).values():
                assert 0 <= rate.low <= rate.mean <= rate.high <= 1
                assert rate.where
                assert not rate.reason


def test_the_coefficients_are_found_again(global_random_seed):
    """Of nulls that are drawn from a model with known coefficients."""
    rng = np.random.default_rng(global_random_seed)
    many = 3000
    rows = made.pd.DataFrame(
        {"n_samples": rng.choice([60.0, 200.0, 1000.0], many), "positives": rng.uniform(0.05, 0.5, many)}
    )
    rows = rows.assign(task="binary", procedure="corrected_t_test", n_datasets=200)
    rows = rows.assign(called_positive=np.nan, n_classes=np.nan, instability=np.nan)
    x = made.covariates(rows)
    z = made.standardised(rows, x, made.scales_of(rows, x))
    roots = 1.7 + 0.15 * z.samples - 0.2 * z.balance + np.exp(-0.9 + 0.2 * z.samples) * rng.normal(size=many)
    rows["rejected"] = rng.binomial(200, np.maximum(roots, 0) ** 3 / 100)
    kind = made.fitted(rows, z)
    found = [kind.mean, kind.spread, *kind.slopes["samples"], *kind.slopes["balance"]]
    assert found == pytest.approx([1.7, -0.9, 0.15, 0.2, -0.2, 0.0], abs=0.08)


def test_the_tables_of_the_package_are_small_and_made_of_the_published_nulls():
    folder = Path(inference.__file__).parent
    assert (folder / "rates.json").stat().st_size < 20_000
    assert sorted(path.name for path in folder.glob("*.csv*")) == ["measured.csv"]
    text = (folder / "measured.csv").read_text(encoding="utf-8").splitlines()
    assert list(csv.reader(text)) == [list(map(str, row)) for row in made.table_of_measured()]
    found = made.nulls()
    some = found[(found.design == "10x10") & (found.procedure == "corrected_t_test") & (found.task == "regression")]
    x = made.covariates(found)
    z = made.standardised(found, x, made.scales_of(found, x))
    for metric, own in some.groupby("metric"):
        kind, shipped = (
            made.fitted(own, z.loc[own.index]),
            kinds()[0]["regression", "10x10", "corrected_t_test"][1][metric],
        )
        assert (shipped.mean, shipped.spread) == pytest.approx((kind.mean, kind.spread), abs=0.02)
        for name, slope in shipped.slopes.items():
            assert slope == pytest.approx(kind.slopes[name], abs=0.02)


def test_the_page_of_the_study_has_the_tables_of_the_published_nulls():
    page = made.PAGE.read_text(encoding="utf-8")
    assert len(page.splitlines()) <= 250
    tables = {"sizes": lambda: made.of_sizes(made.nulls()), "held_out": lambda: made.of_held_out(held_out())}
    assert sorted(MARKED.findall(page)) == sorted(tables)
    assert made.with_tables(page, tables) == page


def held_out():
    return made.pd.read_csv(made.HELD_OUT)


def test_nulls_that_were_left_out_lie_in_the_range_as_promised():
    found = held_out()
    assert found.inside.sum() / found.nulls.sum() >= 0.88
    assert found.width.sum() / found.oracle.sum() <= 1.3
    rows = made.nulls()
    rows = rows[rows.procedure == rows.design.map(made.default_of)]
    every = rows.groupby(["task", "design", "metric"]).size()
    every = every[every >= 5 * made.FEWEST]  # of all studies
    assert found.set_index(["task", "design", "metric"]).nulls.to_dict() == every.to_dict()


@pytest.mark.sampled("simulations")
def test_the_kept_counts_are_those_of_the_command():
    """Of regression, whose nulls are the fewest; those of one fit that ends elsewhere on another machine may differ."""
    rows = made.nulls()
    again = made.counted(made.held_out(rows[rows.task == "regression"], 1))
    kept = held_out()
    kept = kept[kept.task == "regression"].reset_index(drop=True)
    assert again[["design", "metric", "nulls"]].equals(kept[["design", "metric", "nulls"]])
    assert again.inside.to_numpy() == pytest.approx(kept.inside.to_numpy(), abs=2)
    assert again.width.to_numpy() == pytest.approx(kept.width.to_numpy(), rel=0.02)


# ---- the public function -----------------------------------------------------------------------------------------


class Says(ClassifierMixin, BaseEstimator):
    """Predicts what stands in a column, or at random."""

    def __init__(self, j=0):
        self.j = j

    def fit(self, X, y):  # noqa: ARG002
        self.classes_ = np.array([0, 1])
        return self

    def predict(self, X):
        seed = zlib.crc32(X.tobytes()), abs(self.j)
        return X[:, self.j].astype(int) if self.j >= 0 else np.random.default_rng(seed).integers(2, size=len(X))


def said(rng, n=400):
    """Two columns that agree with three labels of four, or four of five, and call other shares positive."""
    y = rng.permutation(np.arange(n) % 10 < 3).astype(int)
    columns = [np.where(rng.random(n) < wrong, 1 - y, y) for wrong in (0.25, 0.2)]
    return np.stack(columns, axis=1), y


def test_a_run_and_the_function_say_the_same(rng):
    """Of models that every repeat leaves as they are; a single run of folds tells no instability."""
    X, y = said(rng)
    known = {"n_samples": 400, "positives": 0.3, "called_positive": X.mean()}
    for cv, more in {"10x10": {"instability": 0.0}, 5: {}, "5x2": {"instability": 0.0}}.items():
        result = run({"a": Says(0), "b": Says(1)}, (X, y), scoring=["accuracy", "recall", "precision"], cv=cv)
        for metric, one in error_rates(result)["by_metric"].items():
            rate = predicted_error_rate(metric, cv, **known, **more)
            assert (rate.mean, rate.low, rate.high) == pytest.approx((one["mean"], one["low"], one["high"]))
            if metric == "accuracy":
                text = " ".join(str(result).split())
                share = " ".join(str(rate).split()).split(" of ")[0].removeprefix("Wrong ")
                assert f"wrong {share} of similar simulations" in text


def test_what_is_said_at_random_is_unstable(rng):
    X, y = said(rng)
    result = run({"a": Says(-1), "b": Says(-2)}, (X, y), cv="10x10")
    one = error_rates(result)["by_metric"]["accuracy"]
    rate = predicted_error_rate("accuracy", n_samples=400, positives=0.3, called_positive=0.5, instability=1.0)
    assert (one["mean"], one["high"]) == pytest.approx((rate.mean, rate.high), rel=0.1)


@pytest.mark.parametrize(
    ("metric", "design", "known", "reason"),
    [
        ("accuracy", "10x10", {"n_samples": 29}, "only 60 to 3,000 samples were simulated"),
        ("accuracy", "10x10", {"n_samples": 100_000}, "only 60 to 3,000 samples were simulated"),
        ("recall", 10, {"n_samples": 200, "positives": 0.002}, "positives were simulated"),
        ("accuracy", 10, {"n_samples": 200, "n_classes": 40}, "only 3 to 10 classes were simulated"),
        ("accuracy", "2x10", {"n_samples": 200}, "were simulated"),
        ("fit_time", 10, {"n_samples": 200}, "were simulated"),
        ("jaccard", 10, {"n_samples": 200, "positives": 0.3}, "were simulated"),
        (
            "explained_variance",
            10,
            {"n_samples": 200},
            "only neg_mean_absolute_error, neg_root_mean_squared_error and r2",
        ),
        ("recall", 10, {"n_samples": 200, "n_classes": 3}, "were simulated"),
    ],
)
def test_of_what_is_like_nothing_simulated_the_record_says_why(metric, design, known, reason):
    rate = predicted_error_rate(metric, design, **known)
    assert isnan(rate.mean)
    assert isnan(rate.low)
    assert isnan(rate.high)
    assert reason in rate.reason
    assert str(rate).startswith("Error rate not measured: ")


def test_shares_of_any_real_type_are_numbers():
    found = predicted_error_rate("recall", n_samples=200, positives=Fraction(1, 4), called_positive=Fraction(1, 5))
    assert found == predicted_error_rate("recall", n_samples=200, positives=0.25, called_positive=0.2)


def test_accuracy_does_not_depend_on_which_class_is_positive():
    for share in (0.05, 0.2, 0.4):
        one, other = (predicted_error_rate("accuracy", n_samples=200, positives=p) for p in (share, 1 - share))
        assert (one.mean, one.low, one.high) == pytest.approx((other.mean, other.low, other.high))


@pytest.mark.parametrize("called", [0.1, 0.4])
def test_a_share_called_positive_means_the_same_for_either_class(called):
    given = (
        predicted_error_rate("accuracy", n_samples=200, positives=p, called_positive=c)
        for p, c in ((0.3, called), (0.7, 1 - called))
    )
    one, other = given
    assert (one.mean, one.low, one.high) == pytest.approx((other.mean, other.low, other.high))


def test_the_covariates_are_named_once():
    known = Known(n=100, positives=0.3, called=0.2, n_classes=3, instability=0.1).covariates()
    assert tuple(known) == COVARIATES


# ---- which metric to decide on -----------------------------------------------------------------------------------


class Leans(Says):
    """The probability of the positive class stands in a column."""

    def predict_proba(self, X):
        return np.stack([1 - X[:, self.j], X[:, self.j]], axis=1)

    def predict(self, X):
        return (X[:, self.j] > 0.5).astype(int)


def leaning(rng, shift, lead):
    """Two models of 400 samples, 35% of them positive, that call the fewer positive the lower the shift."""
    y = rng.permutation(np.arange(400) % 20 < 7).astype(int)
    logits = shift + y[:, None] + rng.normal(size=(400, 2)) + [0, lead]
    return 1 / (1 + np.exp(-logits)), y


OF_RANKS = ("roc_auc", "average_precision", "neg_brier_score")
ADVICE = re.compile(r"on (\w+) would not stand in the worst of similar simulations\. (Decide on \w+|Confirm)")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_fragile_claims_at_a_threshold_name_a_metric_of_ranks_to_decide_on(rng):
    """Only where the upper end is above 15%, and only on recall, precision and F1; one of the run where it has one."""
    seen = set()
    wanted = {(True, True, True), (True, True, False), (True, False, None), (False, False, None)}
    for i in range(300):
        if seen >= wanted and i >= 30:
            break
        some = dict(zip(("area", "average", "brier"), OF_RANKS, strict=True))
        some = {name: some[name] for name in rng.permutation(list(some))[: i % 4]}
        named = {one: one for one in ("recall", "f1", "accuracy")} | some
        data = leaning(rng, rng.choice([-2.2, -1.5, -0.4]), rng.uniform(0.2, 0.6))
        result = run({"a": Leans(0), "b": Leans(1)}, data, scoring=named, cv=[10, "5x10"][i // 4 % 2])
        known = error_rates(result)["by_metric"]
        of_run = min((OF_RANKS.index(scorer), name) for name, scorer in some.items()) if some else (0, "roc_auc")
        for metric, advice in ADVICE.findall(full(result)):
            at_a_threshold, often = metric in ("recall", "f1"), known[metric]["high"] > 0.15
            assert advice == (f"Decide on {of_run[1]}" if at_a_threshold and often else "Confirm"), metric
            seen.add((at_a_threshold, often, bool(some) if at_a_threshold and often else None))
    assert seen >= wanted


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize(
    ("one", "other"), [(Leans(0), Leans(1)), (GaussianNB(), DecisionTreeClassifier(max_depth=2, random_state=0))]
)
def test_the_range_is_symmetric_in_the_models_and_of_no_metric_beside_it(rng, one, other):
    """Of models that call other shares positive and change more or less, in any order, whatever else is scored."""
    metrics = ["recall", "accuracy", "roc_auc", "f1", "precision", "average_precision"]
    models, turned = {"a": one, "b": other}, {"a": other, "b": one}
    for cv, shift in (("5x10", -2.2), ("5x10", -0.4), (5, -1), (10, -2)):
        data = leaning(rng, shift, rng.uniform(0.2, 2))
        found = error_rates(run(models, data, scoring=metrics, cv=cv))["by_metric"]
        assert set(found) == set(metrics)
        for again in (turned, dict(reversed(models.items()))):
            rates_again = error_rates(run(again, data, scoring=metrics[::-1], cv=cv))["by_metric"]
            assert {name: rates_again[name] for name in metrics} == found
        some = list(rng.permutation(metrics)[: rng.integers(1, len(metrics))])
        assert error_rates(run(models, data, scoring=some, cv=cv))["by_metric"] == {name: found[name] for name in some}


# ---- where nothing is quoted -------------------------------------------------------------------------------------


def full(result):
    return " ".join(result.summary("full").split())


def test_nothing_is_quoted_of_fits_with_weights():
    """Nor of a result that has such fits among others; `calibrate` fits without them."""
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    X, y = make_classification(200, n_classes=3, n_informative=4, random_state=0)
    evaluator = PairedEvaluator(10, "accuracy", random_state=0, options=RunOptions(check_data=False))
    weighted = evaluator.evaluate(models, X, y, params={"sample_weight": np.linspace(1, 2, 200)})
    for result in (
        weighted,
        skc.merge(run({"near": KNeighborsClassifier(), "one": KNeighborsClassifier(1)}, (X, y)), weighted),
    ):
        assert "weights, were not simulated)." in full(result)
        assert error_rates(result)["by_metric"]["accuracy"] is None
    assert error_rates(run(models, (X, y)))["by_metric"]["accuracy"] is not None


def cut(keep, repeats=1):
    """Folds whose training sets are the first part of what is not tested."""
    made = (StratifiedKFold(10, shuffle=True, random_state=r).split(X_TWO, Y_TWO) for r in range(repeats))
    return [(train[: round(keep * len(train))], test) for folds in made for train, test in folds]


SMALL = "the simulations train on all samples outside the test sets"


@pytest.mark.parametrize(
    ("cv", "reason"),
    [
        (cut(1), None),
        (cut(0.6), None),
        (cut(0.4), SMALL),
        (ShuffleSplit(30, test_size=0.2, random_state=0), None),
        (ShuffleSplit(30, test_size=10, train_size=20, random_state=0), SMALL),
        ([(np.r_[train, test[:5]], test) for train, test in cut(0.9)], "test samples that are trained on were not"),
    ],
    ids=["all", "most", "few", "random splits", "few random", "leak"],
)
def test_nothing_is_quoted_of_other_training_sets(cv, reason):
    result = run(TWO, (X_TWO, Y_TWO), cv=cv)
    found = error_rates(result)
    assert (found["by_metric"]["accuracy"] is None) == (reason is not None)
    assert (found["reason"] or "").startswith(reason or "")
    of_folds = len(result.design.test_sizes) == 10
    assert bool(result.intervals()[0].coverage) == (of_folds and reason is None)
    assert ("calibrate measures it" in full(result)) == (reason == SMALL)


def test_copies_on_both_sides_are_as_samples_that_are_trained_on():
    copies = np.repeat(X_TWO[:20], 10, axis=0), np.repeat(Y_TWO[:20], 10)
    found = error_rates(run(TWO, copies, options=RunOptions(check_data=True)))
    assert found["reason"] == "test samples that are trained on were not simulated"


class Unwilling(GaussianNB):
    def fit(self, X, y):
        if X[0, 0] > 0:
            raise ValueError("no")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize("score", [0.0, np.nan])
def test_nothing_is_quoted_where_fits_failed(score):
    result = run({**TWO, "no": Unwilling()}, (X_TWO, Y_TWO), cv="5x10", error_score=score)
    assert 0 < len(result.failures) < 50
    assert error_rates(result)["reason"] == "fits that failed were not simulated"
    assert {row.coverage for row in result.intervals()} == {""}


def test_the_warning_of_the_central_limit_theorem_has_the_highest_share_that_was_measured(rng):
    _, highest = _rates.MEASURED_SIZES["cv_clt_test"]["10-fold"]["accuracy"]
    warned = skc.inference.cv_clt_test(*rng.random((2, 60)), np.arange(60) % 5).warnings[0]
    assert f"with trees up to {highest:.0%} of simulated nulls" in warned
