"""The central limit theorem for cross-validation: its identity with McNemar's test, by hand, laws, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import cv_clt_test
from tests.lawful import ALTERNATIVES, MIRRORED, assert_lawful, codes

FOLDS = np.arange(60) % 5
LEVELS = (0.1, 0.5, 0.9, 0.95, 0.99)


def losses(seed=0, n=60):
    return np.random.default_rng(seed).gamma(2, 1, (2, n))


def errors(only_a, only_b, n):
    """0/1 losses where `a` alone errs on so many samples and `b` alone on others."""
    a, b = np.zeros(n), np.zeros(n)
    a[:only_a], b[only_a : only_a + only_b] = 1, 1
    return a, b


@settings(deadline=None)
@given(only_a=st.integers(0, 40), only_b=st.integers(0, 40))
def test_the_identity_with_mcnemar(only_a, only_b):
    # derived: with e in {-1, 0, 1} the mean is (b - a) / n and the variance (a + b) / n less its square, so that
    # z^2 = (b - a)^2 / (a + b - (b - a)^2 / n), above McNemar's (b - a)^2 / (a + b)
    n = 100
    a, b = errors(only_a, only_b, n)
    result = cv_clt_test(a, b, np.arange(n) % 10, variance="all")
    square, discordant = (only_b - only_a) ** 2, only_a + only_b
    expected = 0 if square == 0 else square / (discordant - square / n)
    assert result.statistic**2 == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert result.statistic**2 >= (square / discordant if discordant else 0) - 1e-12
    assert result.estimate == pytest.approx((only_b - only_a) / n)


def test_both_variances_by_hand():
    # e = b - a = 0, 2, 4, 6, 1, 5 in folds (0, 2), (4, 6), (1, 5): mean 3, squared deviations 9 + 1 + 1 + 9 + 4 + 4 =
    # 28, over n = 6; fold means 1, 5, 3, squared deviations from them 1 + 1 + 1 + 1 + 4 + 4 = 12, over n - k = 3
    args = np.zeros(6), np.array([0.0, 2, 4, 6, 1, 5]), [7, 7, 9, 9, -1, -1]
    assert cv_clt_test(*args, variance="all").standard_error ** 2 == pytest.approx(28 / 6 / 6)
    assert cv_clt_test(*args).standard_error ** 2 == pytest.approx(12 / 3 / 6)


def test_within_is_the_mean_of_the_variances_of_equal_folds():
    # Bayle et al. (2020), the within-fold estimator: the average over folds of the variances with divisor n / k - 1
    a, b = losses()
    expected = np.mean([(b - a)[fold == FOLDS].var(ddof=1) for fold in range(5)])
    result = cv_clt_test(a, b, FOLDS)
    assert result.standard_error**2 * 60 == pytest.approx(expected)
    assert result.method.endswith("(variance within the folds, pooled over them)")


def test_the_reference_distribution_is_normal():
    a, b = losses()
    result = cv_clt_test(a, b, FOLDS)
    assert result.df == np.inf
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(result.statistic)), rel=1e-9)
    low, high = stats.norm.interval(0.9, result.estimate, result.standard_error)
    interval = result.confidence_interval(0.9)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9)


def test_a_positive_estimate_favours_a():
    a, b = losses()
    result = cv_clt_test(a, a + 0.1 + b / 100, FOLDS, alternative="greater")
    assert result.estimate > 0
    assert result.pvalue < 0.001


@pytest.mark.parametrize("variance", ["within", "all"])
@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_swapping_the_models_mirrors_the_result(variance, alternative):
    for seed in range(5):
        a, b = losses(seed)
        ours = cv_clt_test(a, b, FOLDS, variance=variance, alternative=alternative)
        theirs = cv_clt_test(b, a, FOLDS, variance=variance, alternative=MIRRORED[alternative])
        assert theirs.pvalue == pytest.approx(ours.pvalue, rel=1e-12)
        assert (theirs.statistic, theirs.estimate) == pytest.approx((-ours.statistic, -ours.estimate))
        one, two = ours.confidence_interval(), theirs.confidence_interval()
        assert (two.low, two.high) == pytest.approx((-one.high, -one.low))
        for level in LEVELS:
            interval = ours.confidence_interval(level)
            assert (ours.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)


@pytest.mark.parametrize("variance", ["within", "all"])
def test_a_model_never_differs_from_itself(variance):
    a, _ = losses()
    for other in (a, (a * 3 + 1 - 1) / 3):
        result = cv_clt_test(other, a, FOLDS, variance=variance)
        assert (result.pvalue, result.statistic, result.estimate) == (1, 0, 0)
        assert result.confidence_interval().low == result.confidence_interval().high == 0


@pytest.mark.parametrize("variance", ["within", "all"])
def test_a_constant_difference_is_certain_and_says_so(variance):
    a, _ = losses()
    result = cv_clt_test(a, a + 0.125, FOLDS, variance=variance)
    assert (result.pvalue, result.statistic) == (0, np.inf)
    assert "ZERO_VARIANCE" in codes(result)


def test_folds_that_do_not_vary_within_have_no_variance_within():
    difference = np.repeat([0.25, 0.5, 0.75], 4)
    result = cv_clt_test(np.zeros(12), difference, np.repeat([0, 1, 2], 4))
    assert (result.pvalue, result.statistic) == (0, np.inf)
    assert cv_clt_test(np.zeros(12), difference, np.repeat([0, 1, 2], 4), variance="all").pvalue > 0


def test_order_labels_and_unit_are_irrelevant():
    a, b = losses()
    result = cv_clt_test(a, b, FOLDS)
    order = np.random.default_rng(0).permutation(60)
    for other in (
        cv_clt_test(a[order], b[order], FOLDS[order]),
        cv_clt_test(a, b, 100 - 7 * FOLDS),
        cv_clt_test(a * 1e9, b * 1e9, FOLDS.astype(np.uint8)),
        cv_clt_test(a + 3, b + 3, FOLDS),
    ):
        assert other.statistic == pytest.approx(result.statistic, rel=1e-9)


def test_the_laws_of_every_record():
    assert codes(assert_lawful(cv_clt_test, *losses(), FOLDS)) == ["UNSTABLE_LEARNERS", "FITTED_MODELS"]


def test_leave_one_out_has_a_variance_of_all_only():
    a, b = losses()
    assert 0 < cv_clt_test(a, b, np.arange(60), variance="all").pvalue < 1
    with pytest.raises(ValueError, match=r"^variance must be 'all' for leave-one-out"):
        cv_clt_test(a, b, np.arange(60))


@pytest.mark.parametrize(
    "folds",
    [FOLDS[:-1], FOLDS[:, None], FOLDS / 2, FOLDS.astype(str), None, np.zeros(60, int), 3, [[0, 1], [2]]],
    ids=lambda x: repr(x)[:12],
)
def test_bad_folds_are_refused_by_name(folds):
    with pytest.raises(ValueError, match=r"^fold_ids must "):
        cv_clt_test(*losses(), folds)


@pytest.mark.parametrize("name", ["losses_a", "losses_b"])
@pytest.mark.parametrize("bad", [[1, np.nan], "good", None, [], np.zeros((60, 1))], ids=lambda x: repr(x)[:12])
def test_bad_losses_are_refused_by_name(name, bad):
    given_losses = dict(zip(("losses_a", "losses_b"), losses(), strict=True)) | {name: bad}
    with pytest.raises(ValueError, match=f"^{name} must "):
        cv_clt_test(**given_losses, fold_ids=FOLDS)


def test_unpaired_losses_and_unknown_options_are_refused_by_name():
    a, b = losses()
    with pytest.raises(ValueError, match=r"^losses_a and losses_b must be paired"):
        cv_clt_test(a, b[:-1], FOLDS)
    with pytest.raises(ValueError, match=r"^variance must be one of"):
        cv_clt_test(a, b, FOLDS, variance="out")
    with pytest.raises(ValueError, match=r"^alternative must be one of"):
        cv_clt_test(a, b, FOLDS, alternative="bigger")


@given(
    a=arrays(np.float64, 6, elements=st.floats(-1e299, 1e299)),
    b=arrays(np.float64, 6, elements=st.one_of(st.floats(-1e299, 1e299), st.sampled_from([0.0, 5e-324, 1e-200]))),
)
def test_extreme_input_never_gives_nan(a, b):
    for variance in ("within", "all"):
        result = cv_clt_test(a, b, [0, 0, 1, 1, 2, 2], variance=variance)
        assert 0 <= result.pvalue <= 1
        interval = result.confidence_interval()
        assert (result.pvalue < 1 - 0.95) == (not interval.low <= 0 <= interval.high)
