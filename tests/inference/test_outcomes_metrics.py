"""Reference values, brute-force twins and properties of the tests of whole metrics: exchanges and bootstrap."""

import itertools
import pickle
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, fields
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from sklearn import metrics

from benchmarks.one_test_set import size_of_precision
from skcompare import from_predictions
from skcompare.inference import mcnemar_test, metric_interval, paired_bootstrap, paired_metric_test
from tests.lawful import ALTERNATIVES, FULL, codes

pytestmark = pytest.mark.sampled

# The named metrics as scikit-learn computes them for labels 0 and 1
BINARY = {
    "accuracy": partial(metrics.accuracy_score),  # which is called, since it is not the function itself
    "precision": lambda y, p: metrics.precision_score(y, p, zero_division=0),
    "recall": lambda y, p: metrics.recall_score(y, p, zero_division=0),
    "f1": lambda y, p: metrics.f1_score(y, p, zero_division=0),
    "balanced_accuracy": partial(metrics.balanced_accuracy_score),
    "mcc": partial(metrics.matthews_corrcoef),
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=0, zero_division=0),
}
MULTICLASS = {name: BINARY[name] for name in ("accuracy", "balanced_accuracy", "mcc")}

TWELVE = tuple([int(x) for x in row] for row in ("111111000000", "111110000010", "110100010011"))


def f1(y, p):
    """F1 without scikit-learn's checks, which cost a millisecond."""
    tp = np.sum((y == 1) & (p == 1))
    total = np.sum(y == 1) + np.sum(p == 1)
    return 2 * tp / total if total else 0.0


def limits(interval):
    return interval.low, interval.high


def predictions(seed, n, n_classes=2, error=0.3):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n)
    y[:n_classes] = np.arange(n_classes)
    return y, *(np.where(rng.random(n) < error, rng.integers(n_classes, size=n), y) for _ in range(2))


def all_exchanges(metric, y, a, b):
    """The difference after each of the 2^d exchanges, by brute force."""
    where = np.flatnonzero(a != b)
    differences = []
    for chosen in itertools.product([False, True], repeat=len(where)):
        swap = where[list(chosen)]
        x, z = a.copy(), b.copy()
        x[swap], z[swap] = b[swap], a[swap]
        differences.append(metric(y, x) - metric(y, z))
    return np.array(differences)


def share_at_least(differences, observed, alternative):
    sides = {"two-sided": (abs(differences), abs(observed)), "greater": (differences, observed)}
    values, bound = sides.get(alternative, (-differences, -observed))
    return np.mean(values >= bound - 1e-9)


def share_of_statistics(metric, y, a, b, alternative):
    """The p-value from the statistics of all exchanges, each on predictions that were exchanged beforehand."""
    where = np.flatnonzero(a != b)
    found = []
    for chosen in itertools.product([False, True], repeat=len(where)):
        swap = where[list(chosen)]
        x, z = a.copy(), b.copy()
        x[swap], z[swap] = b[swap], a[swap]
        found.append(paired_metric_test(y, x, z, metric).statistic)
    observed = paired_metric_test(y, a, b, metric).statistic
    slack = 1e-6 * max(1, abs(observed)) if np.isfinite(observed) else 0
    sides = {"two-sided": (np.abs(found), abs(observed)), "greater": (np.array(found), observed)}
    values, bound = sides.get(alternative, (-np.array(found), -observed))
    return np.mean(values >= bound - slack)


# Exchanges


def test_twelve_samples_by_hand():
    # F1 10/12 against 6/12, precision 5/6 and 3/6, recall 5/6 and 3/6, 4 samples differ; of the 16 exchanges 2 are as
    # extreme in F1 and precision. Recall has two positives that differ, both for a: exact p = 1/2
    for metric, p in (("f1", 0.125), ("precision", 0.125), ("recall", 0.5)):
        result = paired_metric_test(*TWELVE, metric)
        assert (result.score_a, result.score_b) == pytest.approx((5 / 6, 1 / 2))
        assert result.estimate == pytest.approx(1 / 3)
        assert result.pvalue == pytest.approx(p)
        assert (result.n, result.n_resamples) == (12, 0)
    assert paired_metric_test(*TWELVE, "f1").n_differing == 4
    assert paired_metric_test(*TWELVE, "recall").n_differing == 2


FUNCTIONS = ["accuracy_score", "balanced_accuracy_score", "cohen_kappa_score", "matthews_corrcoef"]


@pytest.mark.parametrize("n_classes", [2, 4])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_of_scikit_learn_is_the_metric_of_its_name(function, n_classes, rng):
    y, a, b = predictions(rng.integers(2**32), 300, n_classes)
    called, name = getattr(metrics, function), function.removesuffix("_score")
    for procedure in (paired_metric_test, paired_bootstrap):
        one, other = (procedure(y, a, b, metric, rng=0, n_resamples=200) for metric in (called, name))
        assert (one.estimate, one.pvalue) == (other.estimate, other.pvalue)
        assert one.estimate == pytest.approx(called(y, a) - called(y, b), abs=1e-12)
        assert limits(one.confidence_interval()) == limits(other.confidence_interval())
        assert one.metric == function
    alone, named = (metric_interval(y, a, metric, rng=0) for metric in (called, name))
    assert limits(alone.confidence_interval()) == limits(named.confidence_interval())


def test_the_counts_behind_the_p_value():
    exact = paired_metric_test(*TWELVE, "f1")
    assert (exact.n_extreme, exact.n_rearrangements) == (2, 16)
    assert "2 of 16 rearrangements are as far out" in str(exact).replace("\n", " ")
    drawn = paired_metric_test(*TWELVE, "f1", n_resamples=10, rng=0)
    assert drawn.n_rearrangements == 11
    assert drawn.n_extreme / 11 == pytest.approx(drawn.pvalue)
    same = paired_metric_test(TWELVE[0], TWELVE[1], TWELVE[1], "f1")
    assert (same.n_extreme, same.n_rearrangements) == (1, 1)
    assert "rearrangement" not in str(same)
    large = paired_metric_test([1, 1] * 8000, [0, 1] * 8000, [1, 0] * 8000, "accuracy")  # 16,000 differ, half each way
    assert large.n_extreme == large.n_rearrangements == 2**16_000
    words = str(large).replace("\n", " ")
    assert "3.02 x 10^4816 of 3.02 x 10^4816 rearrangements" in words  # 16,000 log10 2 = 4816.48, 10^.48 = 3.02


@pytest.mark.parametrize("metric", BINARY)
@pytest.mark.parametrize("seed", range(3))
def test_counting_exchanges_is_listing_them(metric, seed):
    y, a, b = predictions(seed, 12, error=0.4)
    differences = all_exchanges(BINARY[metric], y, a, b)
    observed = BINARY[metric](y, a) - BINARY[metric](y, b)
    for alternative in ALTERNATIVES:
        result = paired_metric_test(y, a, b, metric, alternative=alternative)
        assert result.estimate == pytest.approx(observed, abs=1e-12)
        assert result.pvalue == pytest.approx(share_of_statistics(metric, y, a, b, alternative))
        called = paired_metric_test(y, a, b, BINARY[metric], alternative=alternative)
        assert called.pvalue == pytest.approx(share_at_least(differences, observed, alternative))
        assert called.standard_error == pytest.approx(differences.std(), abs=1e-12)
        assert called.n_resamples == result.n_resamples == 0


@pytest.mark.parametrize("metric", MULTICLASS)
def test_counting_exchanges_is_listing_them_with_four_classes(metric):
    y, a, b = predictions(1, 16, n_classes=4, error=0.4)
    result = paired_metric_test(y, a, b, metric)
    assert result.estimate == pytest.approx(MULTICLASS[metric](y, a) - MULTICLASS[metric](y, b), abs=1e-12)
    assert result.pvalue == pytest.approx(share_of_statistics(metric, y, a, b, "two-sided"))


# The metrics with weights of the samples, whose derivatives at weights of 1 are the influences of the samples
WEIGHTED = {
    "accuracy": metrics.accuracy_score,
    "precision": partial(metrics.precision_score, zero_division=0),
    "recall": partial(metrics.recall_score, zero_division=0),
    "f1": partial(metrics.f1_score, zero_division=0),
    "jaccard": partial(metrics.jaccard_score, zero_division=0),
    "specificity": partial(metrics.recall_score, pos_label=0, zero_division=0),
}
WEIGHTED_OF_CLASSES = {
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "mcc": metrics.matthews_corrcoef,
    "cohen_kappa": metrics.cohen_kappa_score,
    "quadratic_kappa": partial(metrics.cohen_kappa_score, weights="quadratic"),
    "f1_macro": partial(metrics.f1_score, average="macro", zero_division=0),
    "jaccard_macro": partial(metrics.jaccard_score, average="macro", zero_division=0),
    "precision_weighted": partial(metrics.precision_score, average="weighted", zero_division=0),
    "f1_weighted": partial(metrics.f1_score, average="weighted", zero_division=0),
}


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("metric", [*WEIGHTED, *WEIGHTED_OF_CLASSES])
def test_the_standard_error_is_that_of_the_derivatives_by_weights(metric, clustered, rng):
    n, n_classes = 24, 2 if metric in WEIGHTED else 3
    y, a, b = predictions(int(rng.integers(1000)), n, n_classes=n_classes)
    score = (WEIGHTED | WEIGHTED_OF_CLASSES)[metric]

    def difference(weights):
        return score(y, a, sample_weight=weights) - score(y, b, sample_weight=weights)

    step = 1e-4 * np.eye(n)
    influence = np.array([difference(1 + one) - difference(1 - one) for one in step]) / 2e-4
    clusters = rng.permutation(np.arange(n) % 7) if clustered else np.arange(n)
    influence = np.bincount(clusters, weights=influence)
    units = len(influence)
    expected = (units / (units - 1) * (influence**2).sum()) ** 0.5
    record = paired_metric_test(y, a, b, metric, clusters=clusters if clustered else None)
    assert record.standard_error == pytest.approx(expected, rel=1e-5, abs=1e-7)
    if expected > 1e-6:
        assert record.statistic == pytest.approx(difference(np.ones(n)) / expected, rel=1e-5, abs=1e-9)


def test_the_statistic_of_precision_by_hand():
    # precision 2/2 and 4/6; of the influences 4 are (1/3)/6 and 2 are (2/3)/6, and t^2 = (1/3)^2 / (12/11 * 12/324)
    y, a, b = ([int(x) for x in row] for row in ("111110000000", "110000000000", "111101010000"))
    record = paired_metric_test(y, a, b, "precision")
    assert record.statistic == pytest.approx(1.6583123952, rel=1e-9) == pytest.approx((11 / 4) ** 0.5)
    assert paired_metric_test(y, b, a, "precision").statistic == pytest.approx(-(2.75**0.5))


NAMED = (*WEIGHTED, "mcc", "balanced_accuracy", "f1_macro", "cohen_kappa", "false_alarm_rate")


@pytest.mark.parametrize("draw", range(40))
def test_p_is_below_alpha_exactly_when_the_interval_leaves_out_zero(draw, rng):
    n = int(rng.integers(4, 80))
    y, a, b = predictions(int(rng.integers(10_000)), n, error=rng.choice([0.2, 0.5]))
    b = np.where(rng.random(n) < 0.4, rng.integers(2, size=n), b)
    clusters = rng.integers(8, size=n) if draw % 4 == 0 else None
    n_resamples = (None, 19, 199)[draw % 3]
    for metric, alternative in itertools.product(NAMED, ALTERNATIVES):
        record = paired_metric_test(
            y, a, b, metric, alternative=alternative, clusters=clusters, n_resamples=n_resamples, rng=draw
        )
        reach = 2 if metric in ("mcc", "cohen_kappa") else 1
        for alpha in (0.001, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, *([record.pvalue] if record.pvalue < 1 else [])):
            interval = record.confidence_interval(1 - alpha)
            if np.isnan(interval.low):
                assert "WEAK_METRIC" in codes(record) or record.n_clusters == 1
                continue
            significant = record.pvalue < alpha and not np.isclose(record.pvalue, alpha, rtol=1e-9)
            assert significant == (not interval.low <= 0 <= interval.high)
            assert all(abs(limit) <= reach or np.isinf(limit) for limit in limits(interval))


def assert_interval_decides(record, levels):
    for alpha in (*levels, *(record.pvalue * x for x in (0.9, 1.05, 1.2, 1.5))):
        if alpha < 1 and not np.isclose(record.pvalue, alpha, rtol=1e-9):
            interval = record.confidence_interval(1 - alpha)
            assert (record.pvalue < alpha) == (not interval.low <= 0 <= interval.high), (record, alpha)


@pytest.mark.parametrize("metric", ["precision", "specificity", "balanced_accuracy", "false_alarm_rate"])
def test_so_do_they_where_many_exchanges_have_no_spread(metric, rng):
    # at a level above one half the limit of a one-sided interval is on the other side of the estimate
    for draw in range(60):
        n = int(rng.integers(4, 12))
        y, a, b = predictions(int(rng.integers(10_000)), n, error=0.3)
        clusters = np.arange(n) % rng.integers(2, 5) if draw % 2 else None
        for side, resamples in itertools.product(("greater", "less"), (None, 199)):
            options = {"alternative": side, "n_resamples": resamples, "rng": draw}
            record = paired_metric_test(y, a, b, metric, clusters=clusters, **options)
            if not np.isnan(record.confidence_interval().low):
                assert_interval_decides(record, (0.5, 0.8, 0.9, 0.97))


@pytest.mark.parametrize(("n_differing", "n_resamples"), [(5, 19), (7, 99), (8, 199)])
def test_so_do_they_where_draws_reject_at_a_level_that_all_exchanges_do_not(n_differing, n_resamples, rng):
    least = 2 * 0.5**n_differing
    below = 0
    for draw in range(40):
        y = np.arange(int(rng.integers(30, 80))) % 2
        wrong = np.where(np.arange(len(y)) < n_differing, 1 - y, y)
        pair = rng.permutation([y, wrong])
        record = paired_metric_test(y, *pair, "accuracy", n_resamples=n_resamples, rng=draw)
        assert record.n_resamples == n_resamples
        below += record.pvalue < least
        assert_interval_decides(record, (least * 0.97, least, least * 1.03))
    assert below


@pytest.mark.parametrize("procedure", [paired_metric_test, paired_bootstrap])
def test_a_limit_that_is_zero_up_to_rounding_is_zero(procedure):
    limits = []
    for seed in range(190, 230):
        draw = np.random.default_rng(seed)
        n = int(draw.integers(6, 40))
        truth = draw.integers(0, 2, n)
        a, b = (np.where(draw.random(n) < right, truth, 1 - truth) for right in (0.8, 0.5))
        for metric in ("balanced_accuracy", "mcc", "recall"):
            record = procedure(truth, a, b, metric, n_resamples=300, rng=0)
            limits += [end for level in (0.95, 0.9, 0.5) for end in astuple(record.confidence_interval(level))]
    sizes = np.abs(limits)
    assert (sizes == 0).any()
    assert not ((sizes > 1e-300) & (sizes < 1e-12)).any()


@pytest.mark.slow
@pytest.mark.parametrize("n", [200, 1000])
def test_equal_precision_is_seldom_found_to_differ(n, rng):
    """The true precision is .7 of both, and they call 7% and 40% positive.

    The bound is 3.5% to 7% with 4 standard errors of 300 (4,000 if full) data sets; with 200 samples, 14 of which are
    called positive by the one model, the upper one is 9%. The plain difference rejects 14% to 19%.
    """
    n_datasets = 4000 if FULL else 300
    error = 4 * (0.05 * 0.95 / n_datasets) ** 0.5
    size = size_of_precision(int(rng.integers(10_000)), n, n_datasets)
    assert 0.035 - error < size < (0.09 if n == 200 else 0.07) + error


def test_a_precision_of_few_samples_beside_one_of_many_is_warned_of():
    """Where the size is above 5% by the test above; not where both call as many, nor of what all samples count in."""

    def warned(few, many, right=0.6, metric="precision"):
        n = 400
        y = np.arange(n) % 10 < 10 * right
        a, b = np.arange(n) < few, np.arange(n) < many
        return "NOT_AT_LEVEL" in codes(paired_metric_test(y, a, b[::-1], metric, positive=True, n_resamples=99, rng=0))

    assert warned(14, 80)
    assert warned(80, 14)
    assert warned(40, 160, right=0.9)  # four are wrong
    assert not warned(14, 20)
    assert not warned(40, 160)
    assert not warned(14, 80, metric="recall")
    assert not warned(14, 80, metric="accuracy")


def test_models_that_call_nothing_positive():
    y = np.arange(40) % 2
    none = paired_metric_test(y, 0 * y, 0 * y, "precision")
    assert (none.statistic, none.pvalue, none.standard_error, none.effect_size) == (0, 1, 0, 0)
    assert codes(none) == ["WEAK_METRIC", "WEAK_METRIC", "NO_DIFFERENCE"]
    apart = paired_metric_test(y, y, 1 - y, "accuracy")
    assert codes(apart) == ["APPROXIMATE"]
    assert (apart.statistic, apart.standard_error) == (np.inf, 0)
    assert np.isnan(apart.effect_size)
    assert limits(apart.confidence_interval()) == (1, 1)
    few = paired_metric_test(y[:4], y[:4], 1 - y[:4], "accuracy")  # p = 1/8
    assert limits(few.confidence_interval()) == (-1, 1)
    assert limits(few.confidence_interval(0.8)) == (1, 1)


@pytest.mark.parametrize("n", [10, 200, 20_000])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_accuracy_is_exact_mcnemar(n, alternative):
    y, a, b = predictions(n, n)
    result = paired_metric_test(y, a, b, "accuracy", alternative=alternative)
    exact = mcnemar_test(a == y, b == y, method="exact", alternative=alternative)
    assert result.pvalue == pytest.approx(exact.pvalue, rel=1e-8)
    assert (result.n_differing, result.n_resamples) == (exact.n_discordant, 0)


@pytest.mark.parametrize(("metric", "label"), [("recall", 1), ("specificity", 0)])
def test_recall_and_specificity_are_exact_mcnemar_on_one_class(metric, label):
    y, a, b = predictions(0, 300)
    of_class = y == label
    exact = mcnemar_test(a[of_class] == label, b[of_class] == label, method="exact")
    assert paired_metric_test(y, a, b, metric).pvalue == pytest.approx(exact.pvalue)


def test_random_exchanges_approach_the_exact_pvalue():
    y, a, b = predictions(3, 200)
    for metric, named in (("f1", "f1"), (lambda y, p: float(np.mean(y == p)), "accuracy")):
        exact = paired_metric_test(y, a, b, named).pvalue
        error = (exact * (1 - exact) / 9999) ** 0.5
        drawn = paired_metric_test(y, a, b, metric, n_resamples=9999, rng=1)
        assert drawn.n_resamples == 9999
        assert abs(drawn.pvalue - exact) < 5 * error
        assert (drawn.pvalue * 10_000) == pytest.approx(round(drawn.pvalue * 10_000))


def test_a_random_pvalue_is_never_zero():
    y = np.arange(400) % 2
    for metric in ("f1", f1, "accuracy"):
        assert paired_metric_test(y, y, 1 - y, metric, n_resamples=99, rng=0).pvalue == pytest.approx(1 / 100)
    assert (
        paired_bootstrap(y, y, np.where(np.arange(400) < 200, y, 1 - y), "f1", n_resamples=99, rng=0).pvalue == 1 / 100
    )


def test_as_many_resamples_as_exchanges_take_all_of_them():
    for metric in ("f1", f1):
        assert paired_metric_test(*TWELVE, metric, n_resamples=15, rng=0).n_resamples == 15
        assert paired_metric_test(*TWELVE, metric, n_resamples=16).n_resamples == 0


def test_more_exchanges_than_can_be_counted_are_drawn():
    y, a, b = predictions(0, 400, n_classes=10, error=0.5)
    result = paired_metric_test(y, a, b, "mcc", rng=0)
    assert result.n_resamples == 10_000
    assert result.method == "paired permutation test of mcc, random exchanges"


@pytest.mark.parametrize("procedure", [paired_metric_test, paired_bootstrap])
@pytest.mark.parametrize("metric", ["f1", f1])
def test_the_same_seed_gives_the_same_numbers(procedure, metric):
    data = predictions(0, 60)
    runs = [
        procedure(*data, metric, n_resamples=200, rng=rng)
        for rng in (7, 7, np.random.default_rng(7), np.random.default_rng(8))
    ]
    first, second, third, other = (r.pvalue for r in runs)
    assert first == second == third
    assert 0 < other <= 1


def test_labels_of_any_kind():
    y, a, b = (np.array(x) for x in TWELVE)
    expected = paired_metric_test(y, a, b, "f1").pvalue
    for labels in (("no", "yes"), (-1, 1), (0.5, 2.5), (False, True)):
        named = [np.array(labels)[x] for x in (y, a, b)]
        assert paired_metric_test(*named, "f1").pvalue == expected
        assert paired_metric_test(*(x.astype(object) for x in named), "f1").pvalue == expected
        assert paired_metric_test(*named, "specificity", positive=labels[0]).score_a == pytest.approx(5 / 6)


def test_one_label_of_several_as_positive():
    y, a, b = predictions(0, 50, n_classes=3)
    result = paired_metric_test(y, a, b, "f1", positive=2)
    assert result == paired_metric_test(y == 2, a == 2, b == 2, "f1")
    with pytest.raises(ValueError, match=r"^y_true, .* must hold two labels.* got 3 \(0, 1, 2\)"):
        paired_metric_test(y, a, b, "f1")
    with pytest.raises(ValueError, match=r"^positive must be one of the labels 0, 1, 2; got 3"):
        paired_metric_test(y, a, b, "f1", positive=3)


@pytest.mark.parametrize("procedure", [paired_metric_test, paired_bootstrap])
def test_an_undefined_metric_is_zero_and_says_so(procedure):
    y, a, b = [1, 1, 0, 0, 1, 0], [0] * 6, [1, 0, 0, 0, 1, 1]
    result = procedure(y, a, b, "precision", rng=0, n_resamples=100)
    assert result.score_a == 0
    assert codes(result).count("WEAK_METRIC") == 1
    assert "precision of a " in result.warnings[0]
    nothing = procedure([0, 0], [0, 0], [0, 0], "f1", positive=1, rng=0, n_resamples=10)
    assert (nothing.score_a, nothing.pvalue) == (0, 1)
    assert codes(nothing) == ["WEAK_METRIC", "WEAK_METRIC", "NO_DIFFERENCE"]


def test_few_differing_samples_cannot_reject():
    y = np.ones(30, int)
    for differing, expected in ((5, ["CANNOT_REJECT"]), (6, [])):
        a = np.where(np.arange(30) < differing, 0, 1)
        assert codes(paired_metric_test(y, a, y, "accuracy")) == expected
    assert codes(paired_metric_test(y, np.where(np.arange(30) < 5, 0, 1), y, "accuracy", alternative="less")) == []


def test_regression_metrics_can_be_called():
    rng = np.random.default_rng(0)
    y = rng.normal(size=12)
    a, b = y + rng.normal(0, 0.5, 12), y + rng.normal(0, 1, 12)

    def score(y_true, y_pred):
        return -np.mean(np.abs(y_true - y_pred))

    result = paired_metric_test(y, a, b, score)
    # exchanging two predictions changes the sign of a difference of absolute errors: scipy's paired permutation test
    peer = stats.permutation_test(
        (-np.abs(y - a), -np.abs(y - b)), lambda u, v: np.mean(u - v), permutation_type="samples", n_resamples=np.inf
    )
    assert result.pvalue == pytest.approx(peer.pvalue)
    assert result.estimate == pytest.approx(peer.statistic)


def test_exchanging_mixed_dtypes_does_not_round():
    y = np.array([0.25, 1.5, 2.5, 3.75])
    result = paired_metric_test(y, [0, 1, 2, 3], y, lambda t, p: -np.mean((t - p) ** 2))
    assert result.pvalue == pytest.approx(2 / 16)
    words = paired_metric_test(["a", "bb"], ["a", "a"], ["bb", "bbb"], lambda t, p: np.mean(t == p))
    assert words.pvalue == 1


# Bootstrap


def test_the_acceleration_is_that_of_the_jackknife_over_samples():
    # Efron (1987), equation 6.6, with one sample left out at a time
    y, a, b = predictions(5, 80)
    result = paired_bootstrap(y, a, b, "f1", rng=0)
    left_out = np.array(
        [f1(*(np.delete(x, i) for x in (y, a))) - f1(*(np.delete(x, i) for x in (y, b))) for i in range(80)]
    )
    influence = left_out.mean() - left_out
    acceleration = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    assert result.acceleration == pytest.approx(acceleration, rel=1e-9)
    assert paired_bootstrap(y, a, b, f1, rng=0, n_resamples=50).acceleration == pytest.approx(acceleration, rel=1e-9)


def test_the_bca_interval_is_efrons_formula():
    # Efron (1987), equation 2.3, from the record's distribution and constants
    result = paired_bootstrap(*predictions(5, 80), "mcc", rng=0)
    below = np.mean(result.distribution < result.estimate - 1e-12)
    equal = np.mean(np.abs(result.distribution - result.estimate) <= 1e-12)
    z0 = stats.norm.ppf(below + equal / 2)
    assert result.bias_correction == pytest.approx(z0)
    z = z0 + stats.norm.ppf([0.05, 0.95])
    levels = stats.norm.cdf(z0 + z / (1 - result.acceleration * z))
    assert limits(result.confidence_interval(0.9, "bca")) == pytest.approx(np.quantile(result.distribution, levels))
    # Hesterberg (2015): the quantile of t, with the standard deviation that divides by n - 1
    z = z0 + stats.t.ppf([0.05, 0.95], 79) * (80 / 79) ** 0.5
    levels = stats.norm.cdf(z0 + z / (1 - result.acceleration * z))
    assert limits(result.confidence_interval(0.9)) == pytest.approx(np.quantile(result.distribution, levels))
    percentile = result.confidence_interval(0.9, method="percentile")
    assert limits(percentile) == pytest.approx(np.quantile(result.distribution, [0.05, 0.95]))


@pytest.mark.parametrize("metric", ["f1", f1], ids=["named", "called"])
def test_a_level_has_its_own_draws_whatever_was_asked_before(metric):
    """Draws serve all levels of one record, and no other record, number of draws or seed."""

    def interval(data, rng, level, n_resamples):
        return paired_metric_test(*data, metric, rng=rng).confidence_interval(level, n_resamples=n_resamples)

    asked = {
        key: interval(predictions(key[0], 40), *key[1:])
        for key in itertools.product((1, 2), (0, 3), (0.5, 0.9), (40, 60))
    }
    assert len(set(asked.values())) == len(asked) or metric == "f1"  # its statistic takes few values
    one = paired_metric_test(*predictions(1, 40), metric, rng=3)
    other = paired_metric_test(*predictions(2, 40), metric, rng=3)
    for level, n_resamples in [(0.9, 40), (0.5, 40), (0.5, 60), (0.9, 40), (0.9, 60)]:
        for data, record in ((1, one), (2, other), (1, one)):
            found = record.confidence_interval(level, n_resamples=n_resamples)
            assert found == asked[data, 3, level, n_resamples]


def test_the_interval_agrees_with_scipy():
    # scipy's BCa bootstrap over samples, with other draws: limits within 5 of their Monte Carlo standard errors, about
    # 0.03 standard errors each at 10,000 resamples
    y, a, b = predictions(0, 150)

    def difference(y, a, b):
        return f1(y, a) - f1(y, b)

    peer = stats.bootstrap(
        (y, a, b), difference, paired=True, vectorized=False, n_resamples=4000, rng=np.random.default_rng(0)
    )
    result = paired_bootstrap(y, a, b, "f1", rng=0)
    assert result.standard_error == pytest.approx(peer.standard_error, rel=0.06)
    scale = 0.2 * result.standard_error
    assert limits(result.confidence_interval(method="bca")) == pytest.approx(
        (peer.confidence_interval.low, peer.confidence_interval.high), abs=scale
    )


@pytest.mark.parametrize("metric", ["accuracy", "balanced_accuracy", "mcc"])
def test_drawing_counts_is_drawing_samples(metric):
    y, a, b = predictions(2, 120, n_classes=3)
    counted = paired_bootstrap(y, a, b, metric, rng=0, n_resamples=4000).distribution
    rng = np.random.default_rng(1)
    listed = []
    for _ in range(150):
        i = rng.integers(120, size=120)
        listed.append(MULTICLASS[metric](y[i], a[i]) - MULTICLASS[metric](y[i], b[i]))
    assert stats.ks_2samp(counted, listed).pvalue > 1e-4


def test_the_accuracy_bootstrap_has_the_binomial_standard_error():
    # the difference is a mean of -1, 0 and 1 over samples
    y, a, b = predictions(0, 500)
    d = (a == y).astype(float) - (b == y)
    result = paired_bootstrap(y, a, b, "accuracy", rng=0, n_resamples=20_000)
    assert result.standard_error == pytest.approx(d.std() / 500**0.5, rel=0.03)
    assert result.effect_size == pytest.approx(d.mean() / d.std(), rel=0.03)


def test_the_shifted_pvalue():
    result = paired_bootstrap(*predictions(1, 60), "f1", rng=0, n_resamples=500)
    shifted = result.distribution - result.estimate
    count = np.sum(np.abs(shifted) >= abs(result.estimate) - 1e-12)
    assert result.pvalue == pytest.approx((1 + count) / 501)


def test_a_constant_difference_has_a_point_interval_and_says_so():
    y = np.arange(20) % 2
    result = paired_bootstrap(y, y, 1 - y, "accuracy", rng=0, n_resamples=100)
    assert limits(result.confidence_interval()) == (1, 1)
    assert codes(result) == ["ZERO_VARIANCE"]
    assert np.isnan(result.effect_size)
    assert result.pvalue == pytest.approx(1 / 101)


def test_where_bca_is_not_defined_the_interval_is_of_percentiles():
    # a bootstrap sample never has as many distinct predictions as the sample itself
    y = np.arange(1, 31)
    never = paired_bootstrap(y, y, np.zeros(30, int), lambda _, p: len(set(p.tolist())), rng=0, n_resamples=50)
    assert codes(never) == ["APPROXIMATE"]
    assert np.isnan(never.acceleration)
    assert never.confidence_interval() == never.confidence_interval(method="percentile")


@pytest.mark.parametrize("metric", ["accuracy", f1])
def test_one_sample_is_too_few_to_bootstrap(metric):
    result = paired_bootstrap([1], [1], [0], metric, rng=0, n_resamples=10)
    assert codes(result) == ["TOO_LITTLE_DATA"]
    assert np.isnan([result.pvalue, result.standard_error, *limits(result.confidence_interval())]).all()
    assert paired_metric_test([1], [1], [0], metric).pvalue == 1


def test_one_sided_intervals_are_open():
    data = predictions(1, 60)
    greater, less = (
        paired_bootstrap(*data, "f1", rng=0, n_resamples=300, alternative=x).confidence_interval()
        for x in ("greater", "less")
    )
    assert greater.high == np.inf
    assert less.low == -np.inf
    assert greater.low < less.high


# Any input


labels = st.integers(1, 12).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 2), min_size=n, max_size=n)] * 3))


@given(data=labels, metric=st.sampled_from(sorted(BINARY)), seed=st.integers(0, 3))
def test_no_predictions_give_nan(data, metric, seed):
    # one more sample, so that label 1 occurs
    y, a, b = ([label, *values] for label, values in zip((0, 1, 0), data, strict=True))
    for alternative in ALTERNATIVES:
        for n_draws in (None, 9):
            result = paired_metric_test(
                y, a, b, metric, positive=1, alternative=alternative, n_resamples=n_draws, rng=seed
            )
            assert 0 < result.pvalue <= 1
            assert np.isfinite([result.estimate, result.standard_error]).all()
            assert np.isfinite(result.effect_size) or (result.standard_error == 0 and result.estimate != 0)
            if result.estimate == 0 and alternative == "two-sided":
                assert result.pvalue == 1


@given(
    data=labels.filter(lambda data: len(data[0]) > 1), metric=st.sampled_from(["accuracy", "mcc", "balanced_accuracy"])
)
def test_no_bootstrap_gives_nan(data, metric):
    for alternative in ALTERNATIVES:
        result = paired_bootstrap(*data, metric, alternative=alternative, n_resamples=20, rng=0)
        assert 0 < result.pvalue <= 1
        for method in ("expanded", "bca", "percentile"):
            for level in (0.01, 0.5, 0.999):
                interval = result.confidence_interval(level, method=method)
                assert not np.isnan(limits(interval)).any()
                if alternative == "two-sided":
                    assert interval.low <= interval.high


# Scores and probabilities


def precision_of(y, scores):
    """Average precision without scikit-learn's checks."""
    above = scores[None] >= scores[:, None]
    return float((y * (above @ y) / above.sum(axis=1)).sum() / max(y.sum(), 1))


def scored(seed, n, digits=1):
    """Labels, and the scores of two models on scales of their own, with ties."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return y, *((1 + y + rng.normal(size=n)).round(digits) for _ in range(2))


def test_average_precision_exchanges_mid_ranks():
    y, a, b = scored(0, 8)
    record = paired_metric_test(y, a, np.exp(9 * b), "average_precision")
    assert (record.score_a, record.score_b) == pytest.approx([metrics.average_precision_score(y, x) for x in (a, b)])
    peer = stats.permutation_test(
        (stats.rankdata(a), stats.rankdata(b)),
        lambda u, v: precision_of(y, u) - precision_of(y, v),
        permutation_type="samples",
        vectorized=False,
    )
    assert record.pvalue == pytest.approx(peer.pvalue)
    assert record.n_resamples == 0
    of_scores = paired_metric_test(y, a, np.exp(9 * b), precision_of, ranks=True)
    assert (of_scores.pvalue, of_scores.estimate) == pytest.approx((record.pvalue, record.estimate))


@pytest.mark.parametrize("n_values", [2, 3, 5])
def test_scores_of_the_same_values_are_exchanged_as_they_are(rng, n_values):
    """As of labels and votes. Their mid-ranks broke ties: 3 of 40 samples that differ gave p < 0.001, not 0.25."""
    y = rng.permutation(np.repeat([0, 1], 20))
    right = y * (n_values - 1)
    a, b = right.copy(), right.copy()
    a[:n_values], b[:n_values] = np.arange(n_values), np.arange(n_values)  # all of the values
    wrong = rng.choice(np.arange(n_values, 40), 4, replace=False)
    b[wrong] = n_values - 1 - b[wrong]
    found = paired_metric_test(y, a, b, "average_precision")
    plain = paired_metric_test(y, a, b, metrics.average_precision_score)  # exchanges what it is given
    assert (found.estimate, found.pvalue) == (pytest.approx(plain.estimate), pytest.approx(plain.pvalue))
    assert found.pvalue >= 2 / 2**4  # of 4 samples that differ
    of_ranks = paired_metric_test(y, np.exp(a), np.exp(b), metrics.average_precision_score, ranks=True)
    assert of_ranks.pvalue == pytest.approx(plain.pvalue)
    other = paired_metric_test(y, 0.1 + 0.8 * a / n_values, b - 7.0, "average_precision")  # as many values, on a scale
    assert other.pvalue == pytest.approx(plain.pvalue)  # of its own


@pytest.mark.sampled
@pytest.mark.parametrize(("n", "mean", "n_values"), [(40, 2.2, 2), (150, 2.2, 5)])
def test_average_precision_of_few_values_keeps_its_level(n, mean, n_values):
    """Two-valued scores of 40 samples rejected 43% of true nulls at 5%, those of a grid of five values 17% of 150."""
    rng, rejected, runs = np.random.default_rng(0), 0, 100
    edges = np.linspace(-1.2, 1.2, n_values - 1) if n_values > 2 else [0.0]
    for _ in range(runs):
        y = rng.permutation(np.arange(n) % 2)
        a, b = (np.digitize((2 * y - 1) * mean + rng.normal(size=n), edges) for _ in range(2))
        rejected += paired_metric_test(y, a, b, "average_precision", n_resamples=299, rng=rng).pvalue < 0.05
    assert rejected / runs < 0.05 + 3 * (0.05 * 0.95 / runs) ** 0.5


@pytest.mark.parametrize("seed", range(6))
def test_few_negative_samples_among_the_ties_of_one_model_are_told(seed):
    """Of 10 or 20 negative samples and three scores against many 8% to 11% of true nulls were rejected at 5%."""
    rng = np.random.default_rng(seed)
    few, n_positive = int(rng.integers(2, 5)), int(rng.integers(30, 200))

    def told(n_negative, n_scores, other=None):
        y = rng.permutation(np.repeat([0, 1], [n_negative, n_positive]))
        a = rng.permutation(np.arange(len(y)) % n_scores) / 8
        b = rng.normal(size=len(y)) if other is None else rng.permutation(np.arange(len(y)) % other) / 7
        test = paired_metric_test(y, *rng.permutation([a, b]), "average_precision", n_resamples=20, rng=0)
        assert not any("different scores" in one for one in metric_interval(y, a, "average_precision").warnings)
        return (
            f"{n_negative} negative samples decide the average precision of a model with {n_scores} different"
            in " ".join(test.warnings)
        )

    assert told(int(rng.integers(10, 40)), few)
    assert not told(int(rng.integers(40, 90)), few), "enough negative samples"
    assert not told(int(rng.integers(10, 40)), int(rng.integers(5, 20))), "more scores"
    assert not told(int(rng.integers(10, 40)), few, few + 1), "few scores of both models"


@pytest.mark.parametrize(("n_positive", "n_negative"), [(150, 200), (200, 150)])
def test_average_precision_on_many_samples_is_tested_by_leaving_out_one(n_positive, n_negative, rng):
    y = np.repeat([1, 0], [n_positive, n_negative])
    a, b = np.round(y + 2 * rng.normal(size=(2, len(y))))

    def without_one(scores):
        left_out = (np.delete(np.c_[y, scores], i, axis=0).T for i in range(len(y)))
        return np.array([metrics.average_precision_score(*own) for own in left_out])

    def jackknife(values):  # Efron (1982)
        return ((len(y) - 1) * values.var()) ** 0.5

    record = paired_metric_test(y, a, b, "average_precision")
    error = jackknife(without_one(a) - without_one(b))
    expected = 2 * stats.norm.sf(abs(record.estimate) / error)
    assert record.normal
    assert (record.standard_error, record.pvalue) == pytest.approx((error, expected), rel=1e-9)
    assert record.n_resamples == record.n_rearrangements == 0
    own = metric_interval(y, a, "average_precision")
    score, z = own.estimate, stats.norm.ppf(0.975)
    reach = z * jackknife(without_one(a)) / (score * (1 - score))  # Boyd, Eng and Page (2013)
    ends = special.expit(special.logit(score) + np.array([-reach, reach]))
    found = own.confidence_interval()
    assert (found.low, found.high) == pytest.approx(tuple(ends), rel=1e-9)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_interval_of_average_precision_on_many_samples_inverts_its_test(alternative, rng):
    for n in rng.integers(400, 3000, size=10):
        y = rng.permutation(n) % 3 == 0
        a, b = y * np.c_[rng.uniform(0.5, 1, 2)] + rng.normal(size=(2, n))
        record = paired_metric_test(y, a, b, "average_precision", alternative=alternative)
        if not record.normal:
            continue
        for level in (record.pvalue - 1e-6, record.pvalue + 1e-6, 0.05):
            if 0 < level < 1:
                interval = record.confidence_interval(1 - level)
                assert (interval.low <= 0 <= interval.high) == (record.pvalue > level)
        assert paired_metric_test(y, a, b, "average_precision", n_resamples=20, rng=0).n_resamples == 20


@pytest.mark.parametrize("n_moved", [1, 3, 5])
def test_average_precision_that_few_samples_decide_is_tested_by_exchanges(n_moved, rng):
    y = np.repeat([1, 0], [150, 200])
    a = np.round(2 * y + rng.normal(size=len(y)), 1)  # on one scale, so that the others do not differ
    b = a.copy()
    b[rng.choice(150, n_moved, replace=False)] = a.min()
    record = paired_metric_test(y, a, b, "average_precision")
    assert not record.normal
    assert record.pvalue >= 0.5 ** (n_moved - 1) * (1 - 1e-9)


def test_average_precision_does_not_see_the_scale_of_a_model():
    y, a, b = scored(1, 80)
    options = {"n_resamples": 300, "rng": 0}
    record = paired_metric_test(y, a, b, "average_precision", **options)
    assert paired_metric_test(y, a, np.exp(9 * b), "average_precision", **options).pvalue == record.pvalue
    assert paired_metric_test(y, b, a, "average_precision", **options).pvalue == record.pvalue
    interval = paired_bootstrap(y, a, b, "average_precision", **options).confidence_interval()
    mirror = paired_bootstrap(y, b, a, "average_precision", **options).confidence_interval()
    assert limits(mirror) == pytest.approx((-interval.high, -interval.low))
    shares = np.array(["yes", "no"])[1 - y]
    assert paired_metric_test(shares, a, b, "average_precision", **options).pvalue == record.pvalue


@pytest.mark.parametrize("n_clusters", [None, 15])
def test_average_precision_is_resampled_as_the_function_is(n_clusters):
    y, a, b = scored(2, 45)
    clusters = None if n_clusters is None else np.arange(45) % n_clusters
    named, function = (
        paired_bootstrap(y, a, b, metric, clusters=clusters, n_resamples=60, rng=0)
        for metric in ("average_precision", precision_of)
    )
    assert named.acceleration == pytest.approx(function.acceleration, rel=1e-9)
    assert stats.ks_2samp(named.distribution, function.distribution).pvalue > 1e-4


@pytest.mark.parametrize("most", [0, 3, 100])
def test_resamples_of_a_pair_are_the_same_whatever_was_drawn_before_or_meanwhile(most, monkeypatch, rng):
    monkeypatch.setattr("skcompare.inference.outcomes.auc._MOST_KNOWN", most)
    y, clusters = np.arange(90) % 2, np.arange(90) // 3
    scores = y + rng.normal(size=(6, 90)).round(1)

    def ends(pair):
        a, b = scores[[*pair]]
        record = paired_metric_test(y, a, b, "average_precision", clusters=clusters, ranks=True, rng=0)
        return limits(record.confidence_interval())

    pairs, alone = [*itertools.combinations(range(6), 2)], []
    for pair in pairs:
        # another test set, so that nothing is known of this one
        paired_bootstrap(1 - y, *scores[:2], "average_precision", clusters=clusters, n_resamples=2, rng=0)
        alone.append(ends(pair))
    with ThreadPoolExecutor(4) as pool:
        assert [*pool.map(ends, pairs)] == alone


def test_probabilities_of_several_classes_are_exchanged_row_by_row():
    rng = np.random.default_rng(0)
    y = np.arange(8) % 3
    a, b = (rng.dirichlet(np.ones(3), size=8) for _ in range(2))

    def mean_log(y, p):
        return float(np.log(p[np.arange(len(y)), y]).mean())

    record = paired_metric_test(y, a, b, mean_log)
    of_samples = [np.log(p[np.arange(8), y]) for p in (a, b)]
    peer = stats.permutation_test(of_samples, lambda u, v: np.mean(u - v), permutation_type="samples")
    assert record.pvalue == pytest.approx(peer.pvalue)
    with pytest.raises(ValueError, match=r"^ranks must be False"):
        paired_metric_test(y, a[:, 0], b[:, 0], lambda _, p: float(p.mean()), ranks=True)


def test_ten_thousand_scores_take_little_time():
    y, a, b = scored(3, 10_000, digits=8)
    start = time.process_time()
    assert paired_metric_test(y, a, b, "average_precision", n_resamples=200, rng=0).pvalue > 0
    assert time.process_time() - start < 2


def near_perfect(rng, n_positive, n_negative):
    """Labels, and scores of two models of which most are on the right side."""
    y = rng.permutation(np.repeat([1, 0], [n_positive, n_negative]))
    return y, *(2 * y + rng.normal(size=len(y)) + rng.normal(0, 0.7, (2, len(y))))


@pytest.mark.parametrize("n_clusters", [0, 11])
@pytest.mark.parametrize("n_positive", [2, 6, 10])
def test_drawn_exchanges_of_average_precision_are_a_sample_of_all(rng, n_positive, n_clusters):
    """All are gone through by hand, of mid-ranks; drawn are numbers of samples that pass the same positive ones."""
    n = 2 * n_clusters or 12
    y, a, b = near_perfect(rng, n_positive, n - n_positive)
    unit = np.arange(n) % n_clusters if n_clusters else np.arange(n)
    ranks = stats.rankdata(a), stats.rankdata(b)
    every = []
    for swapped in itertools.product((False, True), repeat=unit.max() + 1):
        one, other = (np.where(np.array(swapped)[unit], *own) for own in (ranks[::-1], ranks))
        every.append(precision_of(y, one) - precision_of(y, other))
    exact = np.mean(np.abs(every) >= abs(every[0]) - 1e-9)
    options = {"clusters": unit if n_clusters else None, "rng": rng}
    record = paired_metric_test(y, a, b, "average_precision", **options)
    assert (record.estimate, record.pvalue) == (pytest.approx(every[0]), pytest.approx(exact))
    if 2**record.n_differing > 400:
        drawn = paired_metric_test(y, a, b, "average_precision", n_resamples=400, **options)
        assert abs(drawn.pvalue - exact) < 4.5 * (exact * (1 - exact) / 400) ** 0.5 + 1 / 401


@pytest.mark.parametrize("seed", range(5))
def test_perfect_models_differ_nowhere_under_average_precision(seed):
    """Their ranks differ within the classes alone, which no exchange and no resample shows."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat([1, 0], rng.integers(20, 200, 2)))
    a, b = 9 * y + rng.random(size=(2, len(y)))
    record = paired_metric_test(y, a, b, "average_precision", rng=0)
    assert (record.pvalue, record.n_differing, record.n_resamples) == (1, 0, 0)
    assert codes(record) == ["NO_DIFFERENCE"]


@pytest.mark.parametrize(("n", "n_positive", "n_clusters"), [(40_000, 60, 0), (40_000, 90, 0), (3000, 1500, 150)])
def test_draws_of_average_precision_take_little_time(rng, n, n_positive, n_clusters):
    """Few positive samples beside many others, or clusters: 10 to 20 seconds where ranks were counted in each draw."""
    y = rng.permutation(np.arange(n) < n_positive)
    a, b = 2 * y + rng.normal(size=n) + rng.normal(size=(2, n))
    start = time.process_time()
    record = paired_metric_test(
        y, a, b, "average_precision", clusters=np.arange(n) % n_clusters if n_clusters else None
    )
    record.confidence_interval()
    assert record.n_resamples
    assert time.process_time() - start < 3


# Bad input is refused by name


@pytest.mark.parametrize("procedure", [paired_metric_test, paired_bootstrap])
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"metric": "precison"}, "did you mean 'precision'.* metric, if not a callable, must be one of"),
        ({"metric": None}, "metric, if not a callable, must be one of"),
        ({"metric": lambda *_: float("nan")}, "metric must return"),
        ({"metric": lambda _, p: p}, "metric must return a finite number"),
        ({"metric": lambda *_: "good"}, "metric must return a finite number"),
        ({"n_resamples": 0}, "n_resamples must be an integer of at least"),
        ({"n_resamples": 10.5}, "n_resamples must be an integer"),
        ({"n_resamples": True}, "n_resamples must be an integer"),
        ({"rng": "seed"}, "rng must be None, a non-negative integer or a numpy Generator; got 'seed'"),
        ({"rng": -1}, "rng must be"),
        ({"rng": 1.5}, "rng must be"),
        ({"y_true": [[0, 1, 1]]}, "y_true must have 1 dimension"),
        ({"y_true": []}, "y_true must have 1 dimension and at least one value"),
        ({"pred_a": [0, 1, None]}, "pred_a must not have missing or infinite values; got None at position 2"),
        ({"pred_b": [0, np.nan, 1]}, "pred_b must not have missing or infinite values; got nan at position 1"),
        ({"pred_b": np.array([0, float("nan"), 1], dtype=object)}, "pred_b must not have missing or infinite values"),
        (
            {"pred_b": np.array([0, pd.NA, 1], dtype=object)},
            "pred_b must not have missing or infinite values; got <NA>",
        ),
        ({"pred_b": [0, 1]}, "y_true, pred_a and pred_b must be paired, of one length; got 3, 3 and 2"),
        ({"pred_b": ["0", "1", "1"]}, "y_true, pred_a and pred_b must hold labels of one kind"),
        ({"pred_a": np.array([0, "1", 1], dtype=object)}, "y_true, pred_a and pred_b must hold labels of one kind"),
        ({"pred_a": np.zeros(3, "datetime64[s]")}, "pred_a must hold labels: numbers, booleans or strings"),
        ({"positive": "yes"}, "positive must be one of the labels 0, 1; got 'yes'"),
        (
            {"y_true": [1, 1, 1], "pred_a": [1, 1, 1], "pred_b": [1, 1, 1]},
            "y_true, pred_a and pred_b must hold two labels",
        ),
    ],
)
def test_bad_input_is_refused_by_name(procedure, change, message):
    arguments = {"y_true": [0, 1, 1], "pred_a": [0, 1, 1], "pred_b": [0, 0, 1], "metric": "f1"} | change
    with pytest.raises(ValueError, match=f"^{message}"):
        procedure(**arguments)


def test_an_unknown_interval_is_refused():
    with pytest.raises(ValueError, match=r"^method must be one of 'expanded', 'bca', 'percentile'"):
        paired_bootstrap(*TWELVE, "f1", n_resamples=10, rng=0).confidence_interval(method="basic")


# ---- a metric that writes into what it is given


def written_into(metric, spoils):
    """The same metric, which then writes into some of its arguments."""

    def writing(y, p):
        score = metric(y, p)
        for i in spoils:
            value = (y, p)[i]
            value[...] = np.sort(value, axis=0)[::-1] if i == 0 else value.flat[0]
        return score

    writing.__name__ = metric.__name__
    return writing


def told(record):
    """What a record holds, and the interval that it draws when it is asked."""
    found = [getattr(record, field.name) for field in fields(record) if field.name != "predictions"]
    few = {"n_resamples": 30} if hasattr(record, "n_differing") else {}
    return str([*found, limits(record.confidence_interval(**few))])


@pytest.mark.parametrize("draw", range(30))
def test_a_metric_that_writes_gives_what_it_gives_when_it_does_not(draw, rng):
    n, clusters = int(rng.integers(8, 30)), None
    if draw % 3 == 0:
        clusters = rng.integers(5, size=n)
    metric, kind = f1, draw % 5
    y, a, b = predictions(int(rng.integers(1000)), n)
    if kind == 1:
        y, a, b = (x.astype(object) for x in (y, a, b))
    elif kind == 2:
        y, a, b = (x.tolist() for x in (y, a, b))
    elif kind == 3:
        y, a, b = (rng.integers(2, size=(n, 2)) for _ in range(3))
        metric = lambda y, p: float(np.mean((y == p) @ [1, 2]))  # noqa: E731
    elif kind == 4:
        y, a, b = (rng.normal(size=2 * n)[::2] for _ in range(3))
        metric = lambda y, p: -float(np.mean((y - p) ** 2))  # noqa: E731
    writing = written_into(metric, [(0,), (1,), (0, 1)][int(rng.integers(3))])
    before = pickle.dumps((y, a, b, clusters))
    options = {"rng": 0, "n_resamples": 30, "clusters": clusters}
    for call in (
        lambda f: metric_interval(y, a, f, **options),
        lambda f: paired_metric_test(y, a, b, f, **options),
        lambda f: paired_bootstrap(y, a, b, f, **options),
    ):
        assert told(call(writing)) == told(call(metric))
        assert pickle.dumps((y, a, b, clusters)) == before


def test_a_metric_of_ranks_that_writes_gives_what_it_gives_when_it_does_not(rng):
    y = rng.integers(2, size=20)
    a, b = (y + rng.normal(size=20) for _ in range(2))

    def writing(y_true, scores):
        score = metrics.roc_auc_score(y_true, scores)
        y_true.sort()
        scores[:] = 0
        return score

    before = pickle.dumps((y, a, b))
    found = [
        paired_metric_test(y, a, b, f, ranks=True, rng=0, n_resamples=50).pvalue
        for f in (writing, metrics.roc_auc_score)
    ]
    assert found[0] == found[1]
    assert pickle.dumps((y, a, b)) == before


@pytest.mark.parametrize("metric", ["f1", "precision", "mcc"])
def test_the_sentence_names_the_metric(metric, rng):
    y, a, b = rng.integers(0, 2, (3, 60))
    for test in (paired_metric_test, paired_bootstrap):
        assert str(test(y, a, b, metric)).startswith((f"{metric} of a ", f"{metric} of b "))


def test_the_sentence_names_a_function(rng):
    y, a, b = rng.integers(0, 2, (3, 20))
    said = str(paired_metric_test(y, a, b, half_right, n_resamples=20))
    assert said.startswith(("half_right of a ", "half_right of b "))


def half_right(true, predicted):
    return float(np.mean(true == predicted)) / 2


@pytest.mark.parametrize("n_classes", [3, 9, 12])
@pytest.mark.parametrize("metric", ["precision_macro", "recall_macro", "f1_macro", "f1_weighted", "mcc"])
def test_exchanges_of_many_classes_are_drawn_as_bits(metric, n_classes, monkeypatch):
    """And the p-value is the share of statistics that are as extreme after exchanges by hand."""
    y, a, b = predictions(n_classes, 400, n_classes)
    trials, drawn = [], np.random.Generator.binomial

    class Counting(np.random.Generator):
        def binomial(self, n, p, size=None):
            trials.append(np.min(n))
            return drawn(self, n, p, size)

    monkeypatch.setattr(np.random, "default_rng", lambda seed=None: Counting(np.random.PCG64(seed)))
    record = paired_metric_test(y, a, b, metric, n_resamples=1000, rng=0)
    monkeypatch.undo()
    assert record.n_resamples == 1000
    assert all(n > 16 for n in trials)
    rng, moved = np.random.default_rng(1), []
    for _ in range(1000):
        swap = rng.random(len(y)) < 0.5
        one = paired_metric_test(y, np.where(swap, b, a), np.where(swap, a, b), metric, n_resamples=1, rng=0)
        moved.append(abs(one.statistic))
    share = np.mean(np.array(moved) >= abs(record.statistic))
    assert abs(share - record.pvalue) < 5 * np.sqrt(0.5 / 1000)


OF_CLASSES = sorted({*MULTICLASS, "precision_macro", "recall_macro", "f1_weighted"})


@pytest.mark.parametrize("n_classes", [3, 7])
@pytest.mark.parametrize("metric", OF_CLASSES)
def test_draws_do_not_depend_on_how_many_are_scored_at_once(metric, n_classes, monkeypatch, rng):
    data = predictions(int(rng.integers(1000)), 300, n_classes)
    once = paired_metric_test(*data, metric, n_resamples=500, rng=0).pvalue
    monkeypatch.setattr("skcompare.inference.outcomes.predictions._AT_ONCE", int(rng.integers(2**10, 2**15)))
    assert paired_metric_test(*data, metric, n_resamples=500, rng=0).pvalue == once


@pytest.mark.parametrize("n_classes", [3, 4, 5])
@pytest.mark.parametrize("metric", OF_CLASSES)
def test_no_more_arrangements_of_several_classes_are_scored_than_take_the_time_of_draws(
    metric, n_classes, monkeypatch, rng
):
    data = predictions(int(rng.integers(1000)), int(rng.integers(150, 400)), n_classes)
    kind, scored = type(paired_metric_test(*data, metric, n_resamples=1).predictions), []
    own = kind.studentised
    monkeypatch.setattr(kind, "studentised", lambda *one: scored.append(len(one[1])) or own(*one))
    found = paired_metric_test(*data, metric, rng=0)
    assert sum(scored) <= max(found.n_resamples, 2**14) + 1


SCORERS = ("f1_macro", "precision_macro", "recall_macro", "balanced_accuracy", "jaccard_weighted", "matthews_corrcoef")


@pytest.mark.parametrize("metric", SCORERS)
def test_a_metric_has_the_p_value_beside_others_that_it_has_alone(metric, rng):
    n_classes, others = int(rng.integers(3, 8)), rng.permutation([*{*SCORERS} - {metric}])[:2].tolist()
    y, a, b = predictions(int(rng.integers(1000)), 300, n_classes)
    alone, beside = (
        from_predictions(y, {"a": a, "b": b}, scoring=scoring).compare(metrics=[metric])[0].pvalue
        for scoring in ([metric], [*others, metric])
    )
    assert alone == beside


# Functions of scikit-learn's of numbers above 0 with arithmetic for rows, but for the last one.
OF_NUMBERS = {
    "explained_variance": metrics.explained_variance_score,
    "rmsle": metrics.root_mean_squared_log_error,
    "median": metrics.median_absolute_error,
    "own": lambda y, p: float(np.mean(np.abs(y - p) ** 1.5)),
}


def positive_numbers(rng, n_models):
    y = rng.gamma(2, size=int(rng.integers(25, 40)))
    models = {f"m{i}": np.abs(y + rng.normal(size=len(y))) for i in range(n_models)}
    return y, models, rng.integers(int(rng.integers(5, 9)), size=len(y))


@pytest.mark.parametrize("n_models", [2, 3])
@pytest.mark.parametrize("name", OF_NUMBERS)
@pytest.mark.parametrize("in_clusters", [False, True])
def test_resamples_of_a_pair_are_drawn_once_for_all_views(in_clusters, name, n_models, monkeypatch):
    rng = np.random.default_rng([in_clusters, n_models, *name.encode()])
    y, models, groups = positive_numbers(rng, n_models)
    made, called = metrics.make_scorer(OF_NUMBERS[name]), []
    result = from_predictions(y, models, scoring={name: made}, clusters=groups if in_clusters else None)
    kind = type(result.compare()[0].record.predictions)
    monkeypatch.setattr(kind, "resampled", lambda *one, own=kind.resampled: called.append(one[0]) or own(*one))
    for correction in rng.permutation(["holm", "none", "bonferroni"]).tolist():
        assert all(map(str, (result.explain(), result, result.compare(correction=correction))))
    of_pairs = [one for one in called if not one.alone]
    assert len({id(one) for one in of_pairs}) == len(of_pairs) <= n_models * (n_models - 1) / 2


@pytest.mark.parametrize("name", [*OF_NUMBERS][:-1])
def test_arithmetic_of_rows_serves_clusters_of_unequal_sizes(name, monkeypatch):
    rng = np.random.default_rng([*name.encode()])
    y, models, groups = positive_numbers(rng, 2)
    result = from_predictions(y, models, scoring={name: metrics.make_scorer(OF_NUMBERS[name])}, clusters=groups)
    record, seed = result.compare()[0].record, int(rng.integers(1000))
    alone = paired_metric_test(y, *models.values(), OF_NUMBERS[name], clusters=groups, rng=0).predictions
    drawn = alone.resampled(200, np.random.default_rng(seed)), alone.without_one()[0]
    called = []
    monkeypatch.setattr(type(alone), "_score", lambda *one: called.append(one))
    assert record.predictions.resampled(200, np.random.default_rng(seed)) == pytest.approx(drawn[0])
    assert record.predictions.without_one()[0] == pytest.approx(drawn[1])
    assert not called
