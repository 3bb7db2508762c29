"""Reference values, and the relations between the procedures on fold scores."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import (
    calibrated_t_test,
    corrected_t_test,
    correlated_t_posterior,
    five_by_two_f_test,
    five_by_two_t_test,
    k_fold_t_test,
    paired_t_test,
)
from tests.lawful import ALTERNATIVES, codes

SCHEMES = ("all", "folds", "runs", "sorted_runs")

# Percent correct of two models on five folds, from the slides on performance measurement of CS 478,
# Brigham Young University
FIVE_FOLDS_A = [92.0, 90, 91, 93, 91]
FIVE_FOLDS_B = [90.0, 90, 92, 90, 89]

# Differences on ten folds
TEN = np.array([0.02, 0.03, -0.01, 0.04, 0, 0.05, 0.01, 0.03, 0.02, 0.01])

# Differences on 10x10 folds, in thousandths, a row per run: drawn with numpy's default_rng(42).normal(20, 50)
# and rounded
HUNDRED = (
    np.array(
        [
            [35, -32, 58, 67, -78, -45, 26, 4, 19, -23],
            [64, 59, 23, 76, 43, -23, 38, -28, 64, 18],
            [11, -14, 81, 12, -1, 2, 47, 38, 41, 42],
            [127, 0, -6, -21, 51, 76, 14, -22, -21, 53],
            [57, 47, -13, 32, 26, 31, 64, 31, 54, 23],
            [34, 52, -53, 4, -4, -12, 6, 95, -23, 68],
            [-64, 3, 28, 49, 56, 60, 3, -3, 63, 10],
            [-44, -37, -26, 45, 27, 55, -1, 28, 51, 5],
            [43, -13, 2, 1, -40, 44, -3, 21, 44, 42],
            [53, 15, -1, 16, -64, -52, -46, -30, 40, -25],
        ]
    )
    / 1000
)

# Differences on 5x2 folds
FIVE_BY_TWO = np.array([[0.03, 0.01], [0.02, 0.04], [0, 0.02], [0.05, 0.01], [0.02, 0.02]])

differences = arrays(np.int64, (4, 5), elements=st.integers(-100, 100)).map(lambda d: d / 1000)


def against_zero(procedure, d, **options):
    """The procedure on given differences: `a` has them, `b` is 0."""
    return procedure(d, np.zeros_like(d), **options)


# Paired t test


def test_paired_t_agrees_with_scipy_on_five_folds():
    # scipy 1.17.1 ttest_rel: t = 1.6329932, p = 0.1778078; its 90% interval [-0.36658, 2.76658], 95% interval
    # [-0.84026, 3.24026]
    result = paired_t_test(FIVE_FOLDS_A, FIVE_FOLDS_B)
    assert result.estimate == pytest.approx(1.2)
    assert result.statistic == pytest.approx(1.6329932, abs=5e-8)
    assert result.pvalue == pytest.approx(0.1778078, abs=5e-8)
    assert (result.df, result.n) == (4, 5)
    narrow, wide = result.confidence_interval(0.9), result.confidence_interval(0.95)
    assert (narrow.low, narrow.high) == pytest.approx((-0.36658, 2.76658), abs=5e-6)
    assert (wide.low, wide.high) == pytest.approx((-0.84026, 3.24026), abs=5e-6)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_paired_t_is_the_test_and_the_interval_of_scipy(alternative):
    result = paired_t_test(FIVE_FOLDS_A, FIVE_FOLDS_B, alternative=alternative)
    peer = stats.ttest_rel(FIVE_FOLDS_A, FIVE_FOLDS_B, alternative=alternative)
    assert (result.statistic, result.pvalue, result.df) == pytest.approx((peer.statistic, peer.pvalue, peer.df))
    for level in (0.5, 0.9, 0.99):
        interval, theirs = result.confidence_interval(level), peer.confidence_interval(level)
        assert (interval.low, interval.high) == pytest.approx((theirs.low, theirs.high))


def test_paired_t_agrees_with_mlxtend_on_ten_folds():
    # mlxtend 0.25.0 paired_ttest_kfold_cv, fed with these differences: t = 3.4641016, p = 0.00711463
    result = against_zero(paired_t_test, TEN)
    assert result.statistic == pytest.approx(3.4641016, abs=5e-8)
    assert result.pvalue == pytest.approx(0.00711463, abs=5e-9)


def test_effect_size_is_mean_over_standard_deviation():
    result = paired_t_test(FIVE_FOLDS_A, FIVE_FOLDS_B)
    assert result.effect_size == pytest.approx(1.2 / 2.7**0.5)  # mean 1.2, sum of squares 10.8 over 4


def test_paired_t_says_that_it_is_too_liberal():
    assert codes(paired_t_test(FIVE_FOLDS_A, FIVE_FOLDS_B)) == ["INDEPENDENCE"]


# Corrected t test and its posterior


def test_corrected_t_agrees_with_baycomp_on_ten_folds():
    # baycomp 1.0.3 two_on_single(0, d, rope=0, runs=1): 0.02047382, half of p = 0.0409476; t = 2.3841582 and the
    # interval [0.0010234, 0.0389766] follow with scipy 1.17.1 stats.t on 9 degrees of freedom
    result = against_zero(corrected_t_test, TEN, test_fraction=1 / 10)
    assert result.statistic == pytest.approx(2.3841582, abs=5e-8)
    assert result.pvalue == pytest.approx(2 * 0.02047382, abs=1e-8)
    interval = result.confidence_interval()
    assert (interval.low, interval.high) == pytest.approx((0.0010234, 0.0389766), abs=5e-8)
    assert result.warnings == ()


def test_corrected_t_agrees_with_baycomp_on_ten_times_ten_folds():
    # baycomp 1.0.3 two_on_single(0, d, rope=0, runs=10): 0.09932889, half of p = 0.1986578; t = 1.2940530
    result = against_zero(corrected_t_test, HUNDRED, test_fraction=1 / 10)
    assert result.statistic == pytest.approx(1.2940530, abs=5e-8)
    assert result.pvalue == pytest.approx(2 * 0.09932889, abs=1e-8)
    assert (result.df, result.n) == (99, 100)


def test_corrected_t_is_not_the_formula_with_the_misplaced_parenthesis():
    # correctR's kfold_ttest computes s^2 (1/n + 1/k) / (1 - 1/k), which gives 2.32379 here
    assert against_zero(corrected_t_test, TEN, test_fraction=1 / 10).statistic != pytest.approx(2.32379, abs=1e-3)


def test_posterior_agrees_with_baycomp_without_rope():
    # baycomp 1.0.3 two_on_single(0, d, rope=0, runs=1): 0.02047382, 0.97952618
    posterior = against_zero(correlated_t_posterior, TEN, test_fraction=1 / 10)
    assert (posterior.left, posterior.right) == pytest.approx((0.02047382, 0.97952618), abs=5e-9)
    assert posterior.rope == pytest.approx(0, abs=1e-15)


def test_posterior_agrees_with_baycomp_with_rope():
    # baycomp 1.0.3 two_on_single(0, d, rope=0.01, runs=1): 0.00298287, 0.12887377, 0.86814336
    posterior = against_zero(correlated_t_posterior, TEN, test_fraction=1 / 10, rope=0.01)
    shares = (posterior.left, posterior.rope, posterior.right)
    assert shares == pytest.approx((0.00298287, 0.12887377, 0.86814336), abs=5e-9)
    assert "that b is better less than 1%" in " ".join(str(posterior).split())


def test_posterior_agrees_with_baycomp_on_ten_times_ten_folds():
    # baycomp 1.0.3 two_on_single(0, d, rope=0, runs=10): 0.09932889, 0.90067111
    posterior = against_zero(correlated_t_posterior, HUNDRED, test_fraction=1 / 10)
    assert (posterior.left, posterior.right) == pytest.approx((0.09932889, 0.90067111), abs=5e-9)


@settings(deadline=None)
@given(d=differences, fraction=st.floats(0, 0.9))
def test_posterior_without_rope_is_the_one_sided_pvalue(d, fraction):
    posterior = against_zero(correlated_t_posterior, d, test_fraction=fraction)
    test = against_zero(corrected_t_test, d, test_fraction=fraction, alternative="greater")
    if np.ptp(d) > 0:
        assert posterior.left == pytest.approx(test.pvalue, rel=1e-12)
        assert (posterior.mean, posterior.scale, posterior.df) == (test.estimate, test.standard_error, test.df)


def test_posterior_interval_is_the_confidence_interval():
    posterior = against_zero(correlated_t_posterior, TEN, test_fraction=0.1).interval(0.9)
    assert posterior == against_zero(corrected_t_test, TEN, test_fraction=0.1).confidence_interval(0.9)


def test_a_wider_rope_holds_more():
    shares = [
        against_zero(correlated_t_posterior, TEN, test_fraction=0.1, rope=width).rope
        for width in (0, 0.001, 0.01, 0.1, 1, 1e6)
    ]
    assert shares == sorted(shares)
    assert shares[-1] == pytest.approx(1)


def test_without_a_region_nothing_is_equivalent(rng):
    for _ in range(20):
        posterior = correlated_t_posterior(rng.normal(0.3, 1, 10), np.zeros(10), test_fraction=0.1)
        assert posterior.rope == 0
        assert "practically equivalent 0%" in " ".join(str(posterior).split())


@pytest.mark.parametrize(("shift", "rope"), [(0.0, 1e9), (1e9, 0.0), (1e9, 1.0), (-1e9, 1.0)])
def test_a_posterior_with_spread_is_never_certain(shift, rope):
    posterior = against_zero(correlated_t_posterior, np.linspace(0, 1, 30) + shift, test_fraction=0.1, rope=rope)
    shares = [posterior.left, posterior.right, *([posterior.rope] if rope else [])]
    assert all(0 < share < 1 for share in shares)
    assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(("rope", "right"), [(0.124, 1), (0.126, 0)])
def test_a_point_posterior_lies_inside_or_outside_the_rope(rope, right):
    posterior = against_zero(correlated_t_posterior, np.full(5, 0.125), test_fraction=0.2, rope=rope)
    assert (posterior.left, posterior.rope, posterior.right) == (0, 1 - right, right)
    assert codes(posterior) == ["ZERO_VARIANCE"]


# Relations between the t tests


@settings(deadline=None)
@given(d=differences)
def test_without_correlation_the_corrected_test_is_the_paired_test(d):
    for alternative in ALTERNATIVES:
        corrected = against_zero(corrected_t_test, d, test_fraction=0, alternative=alternative)
        paired = against_zero(paired_t_test, d, alternative=alternative)
        assert corrected.statistic == pytest.approx(paired.statistic, rel=1e-12)
        assert corrected.pvalue == pytest.approx(paired.pvalue, rel=1e-9)
        assert corrected.standard_error == pytest.approx(paired.standard_error, rel=1e-12)


@settings(deadline=None)
@given(d=differences)
def test_with_all_its_degrees_of_freedom_the_calibrated_test_is_the_paired_test(d):
    for alternative in ALTERNATIVES:
        calibrated = against_zero(calibrated_t_test, d, df=d.size - 1, alternative=alternative)
        paired = against_zero(paired_t_test, d, alternative=alternative)
        assert calibrated.statistic == pytest.approx(paired.statistic, rel=1e-12)
        assert calibrated.pvalue == pytest.approx(paired.pvalue, rel=1e-9)
        assert calibrated.df == paired.df


@pytest.mark.parametrize("fraction", [0.1, 0.3, 0.5, 0.9])
def test_more_correlation_means_less_evidence(fraction):
    less, more = (against_zero(corrected_t_test, TEN, test_fraction=f) for f in (fraction - 0.1, fraction))
    assert abs(more.statistic) < abs(less.statistic)
    assert more.pvalue > less.pvalue


@pytest.mark.parametrize("procedure", [paired_t_test, corrected_t_test, correlated_t_posterior])
def test_flat_scores_give_what_repeats_by_folds_give(procedure):
    options = {} if procedure is paired_t_test else {"test_fraction": 0.1}
    assert against_zero(procedure, HUNDRED, **options) == against_zero(procedure, HUNDRED.ravel(), **options)


# Calibrated t test

# Bouckaert (2003), section 3: t = m sqrt(df + 1) / s on df degrees of freedom, evaluated for the differences above
# at df = 10 with numpy 2.4.6 (s) and scipy 1.17.1 stats.t (p)
CALIBRATED = {
    # scheme: s, t, p
    "all": (0.038837, 1.493621, 0.166140),
    "folds": (0.013737, 4.222637, 0.001764),
    "runs": (0.010655, 5.444322, 0.000283),
    "sorted_runs": (0.036286, 1.598607, 0.140991),
}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_calibrated_t_has_bouckaerts_statistic(scheme):
    s, t, p = CALIBRATED[scheme]
    result = against_zero(calibrated_t_test, HUNDRED, scheme=scheme, df=10)
    assert result.standard_error * 11**0.5 == pytest.approx(s, abs=5e-7)
    assert result.statistic == pytest.approx(t, abs=5e-7)
    assert result.pvalue == pytest.approx(p, abs=5e-7)


@pytest.mark.parametrize(
    ("scheme", "s"),
    # By hand on the runs (.1, .2, .3) and (.3, .1, .2): all values, standard deviation sqrt(.04 / 5); means of the
    # runs .2 and .2; of the folds .2, .15, .25; of the sorted folds .1, .2, .3
    [("all", 0.008**0.5), ("folds", 0.0), ("runs", 0.05), ("sorted_runs", 0.1)],
)
def test_the_four_samples_on_two_small_runs(scheme, s):
    result = calibrated_t_test([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]], np.zeros((2, 3)), scheme=scheme, df=3)
    assert result.standard_error == pytest.approx(s / 2, abs=1e-15)
    assert result.estimate == pytest.approx(0.2)


@pytest.mark.parametrize("df", [1, 2, 5.07, 9.547, 10, 99])
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.1])
def test_the_critical_ratio_of_mean_to_deviation(df, alpha):
    # Bouckaert (2003), section 3: reject where |m| / s exceeds t_{1 - alpha/2, df} / sqrt(df + 1)
    result = against_zero(calibrated_t_test, HUNDRED, df=df)
    interval = result.confidence_interval(1 - alpha)
    ratio = (interval.high - interval.low) / 2 / HUNDRED.std(ddof=1)
    assert ratio == pytest.approx(stats.t.ppf(1 - alpha / 2, df) / (df + 1) ** 0.5, rel=1e-9)


@settings(deadline=None)
@given(d=differences)
def test_the_four_schemes_share_the_estimate(d):
    estimates = [against_zero(calibrated_t_test, d, scheme=scheme).estimate for scheme in SCHEMES]
    assert estimates == pytest.approx([d.mean()] * 4, abs=1e-12)


@settings(deadline=None)
@given(d=differences)
def test_sorting_the_runs_never_shrinks_the_deviation(d):
    plain, sorted_ = (against_zero(calibrated_t_test, d, scheme=s, df=10) for s in ("runs", "sorted_runs"))
    assert sorted_.standard_error >= plain.standard_error - 1e-12


def test_the_calibrated_designs_pass_without_warning():
    for scheme in ("all", "sorted_runs"):
        result = against_zero(calibrated_t_test, HUNDRED, scheme=scheme)
        assert result.df == 10
        assert result.warnings == ()


@pytest.mark.parametrize("scheme", ["all", "sorted_runs"])
@pytest.mark.parametrize("shape", [(5, 10), (10, 5), (1, 10), (30, 3)])
def test_another_shape_than_ten_by_ten_is_uncalibrated_unless_df_is_given(scheme, shape):
    d = np.random.default_rng(0).normal(size=shape)
    assert codes(against_zero(calibrated_t_test, d, scheme=scheme)) == ["NOT_CALIBRATED"]
    assert codes(against_zero(calibrated_t_test, d, scheme=scheme, df=10)) == []


@pytest.mark.parametrize("df", [None, 2.0])
@pytest.mark.parametrize("scheme", ["folds", "runs"])
def test_schemes_that_no_df_calibrates_say_so(scheme, df):
    assert codes(against_zero(calibrated_t_test, HUNDRED, scheme=scheme, df=df)) == ["NOT_CALIBRATED"]


def test_runs_with_equal_means_have_no_variance_in_scheme_folds():
    # the means of these runs are 0.2 up to rounding, 1e-17 apart
    d = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2]])
    result = against_zero(calibrated_t_test, d, scheme="folds")
    assert (result.pvalue, result.statistic) == (0, np.inf)
    assert "ZERO_VARIANCE" in codes(result)


@pytest.mark.parametrize("scheme", ["folds", "runs"])
def test_a_mean_of_zero_up_to_rounding_is_no_difference(scheme):
    # each run and each fold adds up to 0, in floating point to 1e-17
    d = np.array([[0.1, 0.2, -0.3], [0.2, -0.3, 0.1], [-0.3, 0.1, 0.2]])
    result = against_zero(calibrated_t_test, d, scheme=scheme)
    interval = result.confidence_interval()
    assert (result.pvalue, result.statistic, result.estimate) == (1, 0, 0)
    assert interval.low == interval.high == 0


# 5x2 cross-validation


def test_5x2_t_agrees_with_mlxtend():
    # mlxtend 0.25.0 paired_ttest_5x2cv, fed with these differences: t = 1.7928429, p = 0.1329773
    result = against_zero(five_by_two_t_test, FIVE_BY_TWO)
    assert result.statistic == pytest.approx(1.7928429, abs=5e-8)
    assert result.pvalue == pytest.approx(0.1329773, abs=5e-8)
    assert result.df == 5


def test_5x2_t_has_dietterichs_variance():
    # Dietterich (1998), section 3.5, by hand: s_i^2 = 2, 2, 2, 8, 0 ten-thousandths, their mean 2.8
    assert against_zero(five_by_two_t_test, FIVE_BY_TWO).standard_error ** 2 == pytest.approx(2.8e-4)


def test_5x2_t_estimates_the_first_fold_and_reports_the_mean_beside_it():
    result = against_zero(five_by_two_t_test, FIVE_BY_TWO)
    assert result.estimate == pytest.approx(0.03)
    assert result.mean_difference == pytest.approx(0.022)
    interval = result.confidence_interval()
    assert (interval.low + interval.high) / 2 == pytest.approx(0.03)


def test_5x2_t_has_one_statistic_per_fold_that_may_come_first():
    # Dietterich (1998): any of the ten differences could be the numerator; with 2.8e-4 the mean of the s_i^2
    statistics = []
    for repeat, fold in itertools.product(range(5), range(2)):
        d = np.roll(FIVE_BY_TWO, -repeat, axis=0)
        d[0] = np.roll(d[0], -fold)
        statistics.append(against_zero(five_by_two_t_test, d).statistic)
    assert statistics == pytest.approx((FIVE_BY_TWO / 2.8e-4**0.5).ravel())


def test_5x2_f_agrees_with_mlxtend():
    # mlxtend 0.25.0 combined_ftest_5x2cv, fed with these differences: f = 2.4285714, p = 0.1697241
    result = against_zero(five_by_two_f_test, FIVE_BY_TWO)
    assert result.statistic == pytest.approx(2.4285714, abs=5e-8)
    assert result.pvalue == pytest.approx(0.1697241, abs=5e-8)
    assert result.df == (10, 5)
    assert result.estimate == pytest.approx(0.022)


def test_5x2_f_is_the_mean_square_of_the_ten_t_statistics():
    # Alpaydin (1999), section 3: f is the sum of the ten squared numerators over ten times the mean of the s_i^2
    squares = (FIVE_BY_TWO**2).mean() / 2.8e-4
    assert against_zero(five_by_two_f_test, FIVE_BY_TWO).statistic == pytest.approx(squares)


@pytest.mark.parametrize("procedure", [five_by_two_t_test, five_by_two_f_test])
def test_folds_that_agree_within_every_repeat_up_to_rounding_have_no_variance(procedure):
    # the two folds of a repeat differ by 0.1, 0.2, ...: equal differences whose last bits are not
    a = np.array([[0.3, 0.8], [0.4, 0.9], [0.35, 0.55], [0.62, 0.71], [0.83, 0.77]])
    result = procedure(a, a - np.array([[0.1], [0.2], [0.3], [0.07], [0.03]]))
    assert (result.pvalue, result.statistic) == (0, np.inf)
    assert codes(result) == ["ZERO_VARIANCE"]


def test_5x2_t_finds_nothing_where_the_first_fold_is_zero_up_to_rounding():
    a = np.array([[0.1 + 0.2, 0.8], [0.4, 0.9], [0.35, 0.55], [0.62, 0.71], [0.83, 0.77]])
    b = np.array([[0.3, 0.8], [0.2, 0.7], [0.05, 0.25], [0.55, 0.64], [0.8, 0.74]])
    result = five_by_two_t_test(a, b)
    assert (result.pvalue, result.statistic, result.estimate) == (1, 0, 0)


# Rounding


@pytest.mark.parametrize("noise", [1e-15, 1e-14])
def test_rounding_noise_is_no_variance(noise):
    b = np.linspace(0.7, 0.9, 10)
    wobble = noise * np.array([1, -1] * 5)
    certain = corrected_t_test(b + 0.125 + wobble, b, test_fraction=0.1)
    assert codes(certain) == ["ZERO_VARIANCE"]
    assert corrected_t_test(b + wobble, b, test_fraction=0.1).pvalue == 1


def test_small_real_differences_are_not_taken_for_rounding():
    b = np.linspace(0.7, 0.9, 10)
    result = corrected_t_test(b + TEN * 1e-8, b, test_fraction=0.1)
    assert result.pvalue == pytest.approx(0.0409476, abs=1e-6)  # that of the same differences, see above


# ---- one run of k-fold --------------------------------------------------------------------------------------------


def test_the_k_fold_test_has_four_tenths_of_the_correction():
    """By hand: ten differences with mean 0.02 and variance 1/3000, on 9 degrees of freedom."""
    d = [0.02, 0.03, -0.01, 0.04, 0.00, 0.05, 0.01, 0.03, 0.02, 0.01]
    found = k_fold_t_test(d, [0.0] * 10, test_fraction=0.1)
    assert found.method == "k-fold t test (test fraction 0.1, 0.4 of the correction)"
    assert found.standard_error == pytest.approx((1 / 3000 * (1 / 10 + 0.4 / 9)) ** 0.5, rel=1e-12)
    assert found.pvalue == pytest.approx(2 * stats.t.sf(0.02 / found.standard_error, 9), rel=1e-12)
    plain = paired_t_test(d, [0.0] * 10)
    corrected = corrected_t_test(d, [0.0] * 10, test_fraction=0.1)
    assert plain.pvalue < found.pvalue < corrected.pvalue


def test_the_k_fold_test_takes_one_run_only():
    with pytest.raises(ValueError, match=r"^a must have 1 dimension"):
        k_fold_t_test([[0.1, 0.2], [0.3, 0.4]], [[0.1, 0.2], [0.2, 0.4]], test_fraction=0.5)
    with pytest.raises(ValueError, match=r"^test_fraction must be"):
        k_fold_t_test([0.1, 0.2], [0.1, 0.3], test_fraction=0)
