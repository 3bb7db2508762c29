"""A null hypothesis other than 0: one table of the procedures that take it, one set of laws."""

from __future__ import annotations

import dataclasses
import inspect
import pickle

import numpy as np
import pytest
from scipy import optimize, special, stats

from skcompare import inference, procedures
from tests.lawful import ALTERNATIVES, MIRRORED

pytestmark = pytest.mark.sampled

ALPHAS = (0.01, 0.05, 0.2)
NULLS = (-0.02, 0.013, 0.05)
TRUTH = np.random.default_rng(7).integers(0, 2, 80)


def folds(shape):
    def make(seed):
        rng = np.random.default_rng(seed)
        b = rng.normal(0.8, 0.05, shape)
        return b + rng.normal(0.02, 0.03, shape), b

    return make


def right(seed):
    rng = np.random.default_rng(seed)
    return rng.random(200) < 0.85, rng.random(200) < 0.8


def labels(seed):
    return tuple(np.where(ok[:80], TRUTH, 1 - TRUTH) for ok in right(seed))


def areas(seed):
    rng = np.random.default_rng(seed)
    return tuple(TRUTH * shift + rng.normal(size=80) for shift in (1.2, 1.0))


def losses(seed):
    return tuple((~ok).astype(float) for ok in right(seed))


def swap_of(function, *first, **options):
    return lambda a, b, **asked: function(*first, a, b, **options, **asked)


TENTHS = np.tile(np.arange(10), (10, 1))
LABELLED = np.arange(60) < 40
TABLE = {
    "corrected_t_test": (folds(30), swap_of(inference.corrected_t_test, test_fraction=0.1)),
    "k_fold_t_test": (folds(10), swap_of(inference.k_fold_t_test, test_fraction=0.1)),
    "calibrated_t_test": (folds((10, 10)), inference.calibrated_t_test),
    "stability_t_test": (
        folds((10, 10)),
        lambda a, b, **asked: inference.stability_t_test(a, b, a**2, b**2, TENTHS, **asked),
    ),
    "five_by_two_t_test": (folds((5, 2)), inference.five_by_two_t_test),
    "blocked_m_by_two_test": (folds((3, 2)), inference.blocked_m_by_two_test),
    "paired_t_test": (folds(30), inference.paired_t_test),
    "welch_t_test": (folds(12), inference.welch_t_test),
    "dataset_t_test": (folds(12), inference.dataset_t_test),
    "adjusted_means_test": (
        folds(12),
        lambda a, b, **asked: inference.adjusted_means_test(np.column_stack([a, b]), **asked),
    ),
    "cluster_t_test": (folds(60), swap_of(inference.cluster_t_test, clusters=np.arange(60) // 4)),
    "wald_test": (
        folds(30),
        lambda a, b, **asked: inference.wald_test([a.mean(), b.mean()], np.cov(a, b) / 30, df=29, **asked),
    ),
    "prediction_powered_test": (
        folds(60),
        lambda a, b, **asked: inference.prediction_powered_test(a - b, np.where(LABELLED, a - b, np.nan), **asked),
    ),
    "permutation_test": (folds(10), swap_of(inference.permutation_test, rng=0)),
    "permutation_test-unpaired": (folds(7), swap_of(inference.permutation_test, paired=False, rng=0)),
    "permutation_test-drawn": (folds(60), swap_of(inference.permutation_test, n_resamples=499, rng=0)),
    "permutation_test-clusters": (folds(40), swap_of(inference.permutation_test, clusters=np.arange(40) // 4, rng=0)),
    "signed_rank_test": (folds(20), inference.signed_rank_test),
    "sign_test": (folds(25), inference.sign_test),
    "cv_clt_test": (losses, lambda a, b, **asked: inference.cv_clt_test(b, a, np.arange(200) % 5, **asked)),
    "mcnemar_test": (right, inference.mcnemar_test),
    "diebold_mariano_test": (losses, lambda a, b, **asked: inference.diebold_mariano_test(b, a, horizon=2, **asked)),
    "confidence_sequence": (right, inference.confidence_sequence),
    "delong_test": (areas, swap_of(inference.delong_test, TRUTH)),
    "paired_bootstrap": (
        labels,
        lambda a, b, **asked: inference.paired_bootstrap(TRUTH, a, b, "accuracy", rng=0, n_resamples=499, **asked),
    ),
}
every = pytest.mark.parametrize("name", TABLE)
APPROXIMATE = {"paired_bootstrap"}  # its interval does not invert its test
CENTRED = set(TABLE) - {"signed_rank_test", "sign_test"}  # whose p-value is 1 at the estimate


def run(name, seed, **options):
    make, function = TABLE[name]
    return function(*make(seed), **options)


def swapped(name, seed, **options):
    make, function = TABLE[name]
    return function(*make(seed)[::-1], **options)


def test_every_public_test_of_a_difference_with_an_interval_takes_a_null():
    takes = {name for name in inference.__all__ if "null" in _parameters(name)}
    assert takes - {"welch_from_summary"} == {name.partition("-")[0] for name in TABLE}  # that one takes no samples
    pairs = {row.name for row in procedures() if row.returns == "test"}
    assert pairs - takes == {"five_by_two_f_test", "paired_metric_test", "nested_cv_interval"}


def _parameters(name):
    found = getattr(inference, name)
    return inspect.signature(found).parameters if inspect.isfunction(found) else ()


@every
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_a_null_of_zero_changes_no_bit(name, alternative):
    for null in (0, 0.0, -0.0):
        given = run(name, 0, alternative=alternative, null=null)
        assert pickle.dumps(given) == pickle.dumps(run(name, 0, alternative=alternative))


@pytest.mark.parametrize("name", sorted(set(TABLE) - APPROXIMATE))
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("null", NULLS)
def test_p_is_below_alpha_exactly_where_the_interval_leaves_out_the_null(name, alternative, null):
    for seed in range(3):
        record = run(name, seed, alternative=alternative, null=null)
        for alpha in ALPHAS:
            interval = record.confidence_interval(1 - alpha)
            assert (record.pvalue < alpha) == (not interval.low <= null <= interval.high), (seed, alpha)


@every
def test_the_estimate_and_the_interval_do_not_depend_on_the_null(name):
    for null in NULLS:
        at_zero, record = run(name, 1), run(name, 1, null=null)
        assert record.null == null
        assert record.estimate == pytest.approx(at_zero.estimate, abs=1e-12)
        limits, expected = record.confidence_interval(), at_zero.confidence_interval()
        if name != "permutation_test-drawn":  # other draws decide at another null
            assert (limits.low, limits.high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@every
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_the_models_and_the_sign_of_the_null_mirrors_the_result(name, alternative):
    near = {"abs": 0.02} if name in APPROXIMATE else {"rel": 1e-9}
    for seed in range(3):
        record = run(name, seed, alternative=alternative, null=0.013)
        mirror = swapped(name, seed, alternative=MIRRORED[alternative], null=-0.013)
        assert mirror.pvalue == pytest.approx(record.pvalue, **near)
        assert mirror.estimate == pytest.approx(-record.estimate, rel=1e-9)


@pytest.mark.parametrize("name", sorted(CENTRED))
def test_a_null_that_is_the_estimate_has_p_1(name):
    assert run(name, 2, null=run(name, 2).estimate).pvalue == 1


@every
def test_p_falls_as_the_null_moves_away(name):
    record = run(name, 3)
    found = [run(name, 3, null=record.estimate + step).pvalue for step in (0.005, 0.03, 0.2)]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1]


@pytest.mark.parametrize(
    "name",
    sorted(set(TABLE) - {"mcnemar_test", "delong_test", "cv_clt_test", "paired_bootstrap", "confidence_sequence"}),
)
def test_a_test_at_a_null_is_the_test_at_0_of_scores_less_it(name):
    make, function = TABLE[name]
    a, b = make(5)
    for alternative in ALTERNATIVES:
        at_null = function(a, b, alternative=alternative, null=0.013)
        moved = function(a - 0.013, b, alternative=alternative)
        assert at_null.pvalue == pytest.approx(moved.pvalue, rel=1e-9)


@pytest.mark.parametrize("test", [inference.sign_test, inference.signed_rank_test])
def test_scores_that_differ_by_the_null_on_all_data_sets_are_not_said_to_be_equal(test, rng):
    b = rng.uniform(0.5, 0.7, 9)
    (said,) = test(b + 0.25, b, null=0.25).warnings
    assert said == "NO_DIFFERENCE: the scores differ by 0.25 on all data sets."
    (said,) = test(b, b).warnings
    assert said == "NO_DIFFERENCE: the scores are equal on all data sets."


@pytest.mark.parametrize("test", [inference.sign_test, inference.signed_rank_test])
def test_a_limit_at_the_null_is_the_null_and_nothing_beside_it(test, rng):
    """The ends are differences or means of two, here multiples of 1/16, which add up without rounding."""
    at_null = 0
    for _ in range(100):
        d = rng.integers(-2, 5, size=int(rng.integers(8, 16))) / 8
        interval = test(d, np.zeros_like(d), null=0.125).confidence_interval(float(rng.choice([0.8, 0.9, 0.95])))
        ends = [end for end in (interval.low, interval.high) if np.isfinite(end)]
        assert [16 * end % 1 for end in ends] == [0.0] * len(ends)
        at_null += 0.125 in ends
    assert at_null


@every
@pytest.mark.parametrize("null", [np.nan, np.inf, "x", None, True, 1j])
def test_a_null_that_is_no_number_is_refused(name, null):
    with pytest.raises(ValueError, match="null must be a number in"):
        run(name, 0, null=null)


@pytest.mark.parametrize("name", ["mcnemar_test", "delong_test"])
@pytest.mark.parametrize("null", [-1, 1, 5])
def test_a_null_that_no_difference_can_be_is_refused(name, null):
    with pytest.raises(ValueError, match=r"null must be a number in \(-1, 1\)"):
        run(name, 0, null=null)


def test_at_a_null_mcnemars_exact_method_is_refused():
    with pytest.raises(ValueError, match="method must be left out with null"):
        run("mcnemar_test", 0, null=0.01, method="exact")
    assert run("mcnemar_test", 0, null=0.01).method == "Tango score test of a difference of 0.01"


@pytest.mark.parametrize(("b", "c", "n"), [(0, 1, 44), (25, 11, 100), (0, 0, 400), (3, 9, 60)])
@pytest.mark.parametrize("null", [-0.1, -0.01, 0.02])
def test_mcnemar_at_a_null_is_the_score_test_of_the_likelihood_under_it(b, c, n, null):
    """Tango (1998) by the definition: the most likely shares of the four kinds of samples, searched by scipy."""
    rest = n - b - c

    def minus_log_likelihood(only_b):
        only_a = only_b + null
        return -(special.xlogy(b, only_a) + special.xlogy(c, only_b) + special.xlogy(rest, 1 - only_a - only_b))

    low, high = max(0.0, -null), (1 - null) / 2
    only_b = optimize.minimize_scalar(minus_log_likelihood, bounds=(low, high), options={"xatol": 1e-12}).x
    z = (b - c - n * null) / (n * (2 * only_b + null - null**2)) ** 0.5
    correct_a = [True] * (n - c) + [False] * c
    correct_b = [False] * b + [True] * (n - b)
    record = inference.mcnemar_test(correct_a, correct_b, null=null, alternative="greater")
    assert record.statistic == pytest.approx(z, rel=1e-4)
    assert record.pvalue == pytest.approx(stats.norm.sf(z), rel=1e-3)


@pytest.mark.parametrize(
    ("name", "margin", "shown"),
    # of 80 samples another one changes the area by more than 0.01
    [
        ("paired_t_test", 0.01, True),
        ("signed_rank_test", 0.01, True),
        ("delong_test", 0.2, True),
        ("delong_test", 0.01, 0),
    ],
)
def test_identical_models_are_not_worse_by_a_margin_beyond_what_is_unseen(name, margin, shown):
    make, function = TABLE[name]
    a, _ = make(0)
    record = function(a, a, null=-margin, alternative="greater")
    assert (record.pvalue < 0.05) is bool(shown)
    assert f"is not worse than b by more than {margin}" in str(record)


WORDS = {
    ("greater", 0.01, True): "a is better than b by more than 0.01:",
    ("greater", 0.01, False): "It is not shown that a is better than b by more than 0.01:",
    ("greater", -0.01, True): "a is not worse than b by more than 0.01:",
    ("greater", -0.01, False): "It is not shown that a is not worse than b by more than 0.01:",
    ("less", 0.01, True): "a is not better than b by more than 0.01:",
    ("less", 0.01, False): "It is not shown that a is not better than b by more than 0.01:",
    ("less", -0.01, True): "a is worse than b by more than 0.01:",
    ("less", -0.01, False): "It is not shown that a is worse than b by more than 0.01:",
    ("two-sided", 0.01, True): "a is better than b by more than 0.01:",
    ("two-sided", -0.01, True): "a is not worse than b by more than 0.01:",
    ("two-sided", 0.01, False): "a - b is not significantly different from +0.01:",
}


@pytest.mark.parametrize("asked", WORDS, ids=str)
def test_the_sentence_says_the_margin(asked):
    alternative, null, shown = asked
    centre = null + (0.03 if shown else -0.0001) * (-1 if alternative == "less" else 1)
    d = centre + np.tile([-0.01, 0.01], 10)
    record = inference.paired_t_test(d, np.zeros(20), alternative=alternative, null=null)
    assert " ".join(str(record).split()).startswith(WORDS[asked])
    assert dataclasses.replace(record, null=0.0) != record
