"""The t test on blocked m x 2 cross-validation: reference values, correlations, laws, bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from skcompare.inference import blocked_m_by_two_test, corrected_t_test, paired_t_test
from tests.lawful import ALTERNATIVES, MIRRORED, assert_lawful, codes

THREE_BY_TWO = np.array([[0.03, 0.01], [0.02, 0.04], [0, 0.02]])

differences = st.integers(1, 6).flatmap(
    lambda m: arrays(np.int64, (m, 2), elements=st.integers(-100, 100)).map(lambda d: d / 1000)
)


def against_zero(d, **options):
    return blocked_m_by_two_test(d, np.zeros_like(d), **options)


def test_three_by_two_by_hand():
    # HaojieTing/RegularizedCrossValidation at 11551ea, mx2bcv_t_test with var_est3 (m = 3), evaluated by hand: mean
    # .02, squared deviations 1 + 1 + 0 + 4 + 4 + 0 = 10 ten-thousandths over 6; .02 / sqrt(1.66667e-4) = 1.5491933; p
    # from scipy 1.17.1 stats.t on 5 degrees of freedom
    result = against_zero(THREE_BY_TWO)
    assert result.standard_error**2 == pytest.approx(1e-3 / 6)
    assert result.statistic == pytest.approx(1.5491933, abs=5e-8)
    assert result.pvalue == pytest.approx(0.1820208, abs=5e-8)
    assert (result.df, result.n, result.estimate) == (5, 6, pytest.approx(0.02))
    assert codes(result) == ["NOT_AT_LEVEL"]


def test_correlations_of_a_half_are_the_corrected_t_test():
    # Nadeau and Bengio's correlation of one half for halves: t = 1.3093073 (scipy 1.17.1), on all differences alike
    result = against_zero(THREE_BY_TWO, fold_correlation=(0.5, 0.5))
    corrected = corrected_t_test(THREE_BY_TWO, np.zeros((3, 2)), test_fraction=0.5)
    assert result.statistic == pytest.approx(1.3093073, abs=5e-8)
    assert (result.statistic, result.df) == pytest.approx((corrected.statistic, corrected.df))
    assert result.warnings == ()


@settings(deadline=None)
@given(d=differences)
def test_without_correlation_it_is_the_paired_t_test(d):
    # C_m^2 = 1 / (2m - 1), f_m = 2m - 1
    for alternative in ALTERNATIVES:
        ours = against_zero(d, fold_correlation=(0, 0), alternative=alternative)
        peer = paired_t_test(d, np.zeros_like(d), alternative=alternative)
        assert (ours.statistic, ours.pvalue, ours.df) == pytest.approx((peer.statistic, peer.pvalue, peer.df))


def test_no_correlation_within_and_a_half_across_is_the_default_ratio():
    # C_m = 1 where rho1 + 2 (m - 1) rho2 = m - 1
    for m in (2, 3, 5):
        d = np.random.default_rng(m).normal(size=(m, 2))
        assert against_zero(d, fold_correlation=(0, 0.5)).statistic == pytest.approx(against_zero(d).statistic)


def test_one_partition_has_no_correlation_across_partitions():
    found = [against_zero([[0.02, -0.01]], fold_correlation=(-0.5, across)) for across in (0, 0.5)]
    assert found[0] == found[1]


def test_degrees_of_freedom_by_hand():
    # m = 3, rho1 = .2, rho2 = .3: C^2 = (1 + .2 + 1.2) / (5 - .2 - 1.2) = 2.4 / 3.6, f = 3.6^2 / (3 * .64 + 2 * .36)
    result = against_zero(THREE_BY_TWO, fold_correlation=(0.2, 0.3))
    assert result.df == pytest.approx(12.96 / 2.64)
    assert result.standard_error**2 == pytest.approx(1e-3 / 6 * 2.4 / 3.6)


@pytest.mark.sampled
@pytest.mark.parametrize(("rho1", "rho2"), [(0.1, 0.3), (-0.2, 0.2), (0.4, 0.4)])
def test_the_variance_is_unbiased_under_the_correlations_it_is_given(rho1, rho2):
    # the expected squared standard error is the variance of the mean, (1 + rho1 + 2 (m - 1) rho2) / (2m)
    m, n = 3, 4000
    correlation = np.full((6, 6), rho2)
    for i in range(m):
        correlation[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[1, rho1], [rho1, 1]]
    drawn = np.random.default_rng(0).multivariate_normal(np.zeros(6), correlation, size=n).reshape(n, m, 2)
    squares = [against_zero(d, fold_correlation=(rho1, rho2)).standard_error ** 2 for d in drawn]
    expected = (1 + rho1 + 4 * rho2) / 6
    assert np.mean(squares) == pytest.approx(expected, abs=5 * np.std(squares) / n**0.5)


@pytest.mark.parametrize("correlation", [None, (0.1, 0.3)])
@settings(deadline=None)
@given(d=differences)
def test_swapping_mirrors_and_the_interval_says_what_the_pvalue_says(correlation, d):
    for alternative in ALTERNATIVES:
        ours = against_zero(d, fold_correlation=correlation, alternative=alternative)
        theirs = against_zero(-d, fold_correlation=correlation, alternative=MIRRORED[alternative])
        assert theirs.pvalue == pytest.approx(ours.pvalue)
        assert (theirs.statistic, theirs.estimate) == pytest.approx((-ours.statistic, -ours.estimate))
        for level in (0.1, 0.5, 0.9, 0.95):
            interval = ours.confidence_interval(level)
            # rounding decides where the two are equal
            assert abs(ours.pvalue + level - 1) < 1e-9 or (ours.pvalue < 1 - level) == (
                not interval.low <= 0 <= interval.high
            )


def test_order_is_irrelevant():
    b = np.full((3, 2), 0.8)
    result = blocked_m_by_two_test(b + THREE_BY_TWO, b)
    for other in (THREE_BY_TWO[::-1], THREE_BY_TWO[:, ::-1]):
        assert blocked_m_by_two_test(b + other, b).pvalue == pytest.approx(result.pvalue)


@pytest.mark.parametrize("correlation", [None, (0.1, 0.3)])
def test_degenerate_differences_have_defined_answers(correlation):
    b = np.linspace(0.7, 0.9, 6).reshape(3, 2)
    for a in (b, (b * 3 + 1 - 1) / 3):
        same = blocked_m_by_two_test(a, b, fold_correlation=correlation)
        assert (same.pvalue, same.statistic, same.estimate) == (1, 0, 0)
    shifted = blocked_m_by_two_test(b + 0.125, b, fold_correlation=correlation)
    assert (shifted.pvalue, shifted.statistic) == (0, np.inf)
    assert "ZERO_VARIANCE" in codes(shifted)


def test_the_laws_of_every_record():
    assert_lawful(blocked_m_by_two_test, THREE_BY_TWO, np.zeros((3, 2)))


@pytest.mark.parametrize("shape", [(2, 3), (6, 1), (1, 6)])
def test_another_shape_is_refused_by_name(shape):
    with pytest.raises(ValueError, match=r"^a and b must have shape \(m, 2\)"):
        blocked_m_by_two_test(np.zeros(shape), np.ones(shape))


@pytest.mark.parametrize(
    "value",
    [0.5, (0.5,), (0.1, 0.2, 0.3), ("x", 0.1), (1, 0.1), (0.1, -1), (np.nan, 0), "no", (0.9, -0.6), (-0.9, 0.5)],
)
def test_impossible_correlations_are_refused_by_name(value):
    with pytest.raises(ValueError, match=r"^fold_correlation must be "):
        against_zero(THREE_BY_TWO, fold_correlation=value)


def test_bad_scores_and_alternatives_are_refused_by_name():
    with pytest.raises(ValueError, match=r"^a must be finite"):
        blocked_m_by_two_test([[np.nan, 1]], [[0, 1]])
    with pytest.raises(ValueError, match=r"^b must have 2 dimension"):
        blocked_m_by_two_test([[0, 1]], [0, 1])
    with pytest.raises(ValueError, match=r"^a and b must be paired"):
        blocked_m_by_two_test([[0, 1]], [[0, 1], [0, 1]])
    with pytest.raises(ValueError, match=r"^alternative must be one of"):
        against_zero(THREE_BY_TWO, alternative="bigger")
