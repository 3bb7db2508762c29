"""Two one-sided tests for equivalence: reference values, the verdict and its intervals, degenerate and bad input."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from skcompare.inference import corrected_t_test, equivalence_test
from tests.lawful import assert_lawful, codes

# Differences on ten folds
TEN = np.array([0.02, 0.03, -0.01, 0.04, 0, 0.05, 0.01, 0.03, 0.02, 0.01])
MIRRORED = {"better": "worse", "worse": "better", "equivalent": "equivalent", "undecided": "undecided"}

differences = arrays(np.int64, 10, elements=st.integers(-100, 100)).map(lambda d: d / 1000)
margins = st.floats(0.001, 0.2)
alphas = st.sampled_from([0.001, 0.01, 0.05, 0.1, 0.2, 0.4])


def against_zero(d, *, margin, test_fraction=0.1, **options):
    return equivalence_test(d, np.zeros_like(d), margin=margin, test_fraction=test_fraction, **options)


def test_the_two_tails_are_those_of_the_correlated_t_posterior():
    # baycomp 1.0.3 two_on_single(0, d, rope=0.01, runs=1): 0.00298287 below the rope, 0.86814336 above it: the
    # p-values of a mean of at most -0.01, and, by the symmetry of the posterior, of at least 0.01
    result = against_zero(TEN, margin=0.01)
    assert result.pvalue_lower == pytest.approx(0.00298287, abs=5e-9)
    assert result.pvalue_upper == pytest.approx(0.86814336, abs=5e-9)
    assert result.pvalue == result.pvalue_upper
    assert result.statistic == result.statistic_upper


def test_the_statistics_by_hand():
    # mean .02, variance 3.3333e-4, standard error sqrt(3.3333e-4 * (1/10 + 1/9)) = .00838870; (.02 + .05) / .00838870
    # = 8.34455 and (.02 - .05) / .00838870 = -3.57624
    result = against_zero(TEN, margin=0.05)
    assert result.standard_error == pytest.approx(0.00838870, abs=5e-9)
    assert result.statistic_lower == pytest.approx(8.34455, abs=5e-6)
    assert result.statistic_upper == pytest.approx(-3.57624, abs=5e-6)
    assert (result.df, result.n, result.estimate) == (9, 10, pytest.approx(0.02))


@pytest.mark.parametrize(
    ("margin", "alpha", "sign", "verdict"),
    # the 90% interval of TEN is [.0046, .0354], the 95% interval [.0010, .0390], the 99% interval [-.0073, .0473]
    [
        (0.05, 0.05, 1, "equivalent"),  # the first decides, although 0 is left out too
        (0.03, 0.05, 1, "better"),
        (0.03, 0.05, -1, "worse"),
        (0.03, 0.01, 1, "undecided"),
        (0.036, 0.05, 1, "equivalent"),
        (0.035, 0.05, 1, "better"),
    ],
)
def test_the_verdict(margin, alpha, sign, verdict):
    assert against_zero(sign * TEN, margin=margin, alpha=alpha).verdict == verdict


@settings(deadline=None)
@given(d=differences, margin=margins, alpha=alphas)
def test_the_verdict_is_what_the_intervals_say(d, margin, alpha):
    result = against_zero(d, margin=margin, alpha=alpha)
    inner, outer = result.confidence_interval(), result.confidence_interval(1 - alpha)
    inside = -margin < inner.low and inner.high < margin
    clear_of_zero = not outer.low <= 0 <= outer.high
    if inside:
        assert result.verdict == "equivalent"
    elif clear_of_zero:
        assert result.verdict == ("better" if result.estimate > 0 else "worse")
    else:
        assert result.verdict == "undecided"
    assert (result.pvalue < alpha) == inside


@settings(deadline=None)
@given(d=differences, margin=margins, fraction=st.floats(0, 0.9))
def test_the_difference_is_that_of_the_corrected_t_test(d, margin, fraction):
    result = against_zero(d, margin=margin, test_fraction=fraction)
    test = corrected_t_test(d, np.zeros(10), test_fraction=fraction)
    assert result.pvalue_difference == test.pvalue
    assert (result.estimate, result.standard_error, result.df) == (test.estimate, test.standard_error, test.df)
    assert result.confidence_interval(0.95) == test.confidence_interval(0.95)
    assert (result.pvalue_lower, result.pvalue_upper) == pytest.approx(
        (
            corrected_t_test(d + margin, np.zeros(10), test_fraction=fraction, alternative="greater").pvalue,
            corrected_t_test(d - margin, np.zeros(10), test_fraction=fraction, alternative="less").pvalue,
        ),
        rel=1e-6,
        abs=1e-15,
    )


@settings(deadline=None)
@given(d=differences, margin=margins, alpha=alphas)
def test_swapping_the_models_mirrors_the_result(d, margin, alpha):
    ours, theirs = (against_zero(s * d, margin=margin, alpha=alpha) for s in (1, -1))
    assert theirs.verdict == MIRRORED[ours.verdict]
    assert (theirs.pvalue, theirs.pvalue_difference) == (ours.pvalue, ours.pvalue_difference)
    assert (theirs.pvalue_lower, theirs.pvalue_upper) == (ours.pvalue_upper, ours.pvalue_lower)
    assert (theirs.statistic_lower, theirs.statistic_upper) == (-ours.statistic_upper, -ours.statistic_lower)
    assert theirs.estimate == -ours.estimate


def test_a_wider_margin_never_makes_models_less_equivalent():
    pvalues = [against_zero(TEN, margin=margin).pvalue for margin in (0.001, 0.01, 0.02, 0.05, 0.5)]
    assert pvalues == sorted(pvalues, reverse=True)
    # at a margin of the mean the upper test is at its boundary
    assert against_zero(TEN, margin=0.02).pvalue == pytest.approx(0.5)


@pytest.mark.parametrize("rounded", [False, True], ids=["identical", "up to rounding"])
def test_a_model_is_equivalent_to_itself(rounded):
    b = np.linspace(0.7, 0.9, 10)
    a = (b * 3 + 1 - 1) / 3 if rounded else b
    result = equivalence_test(a, b, margin=0.001, test_fraction=0.1)
    assert result.verdict == "equivalent"
    assert (result.pvalue, result.pvalue_difference, result.estimate) == (0, 1, 0)
    assert result.confidence_interval().low == result.confidence_interval().high == 0
    assert [said.split(":")[0] for said in result.warnings] == ["NO_DIFFERENCE"]


@pytest.mark.parametrize(
    ("difference", "verdict", "pvalue"),
    [
        (0.0625, "equivalent", 0),
        (-0.0625, "equivalent", 0),
        (0.25, "better", 1),
        (-0.25, "worse", 1),
        (0.125, "better", 1),
    ],
)
def test_a_constant_difference_is_certain_and_says_so(difference, verdict, pvalue):
    # a difference of the margin itself is not equivalent
    result = against_zero(np.full(6, difference), margin=0.125)
    assert (result.verdict, result.pvalue) == (verdict, pvalue)
    assert codes(result) == ["ZERO_VARIANCE"]
    assert result.confidence_interval().low == result.confidence_interval().high == difference


def test_one_difference_is_too_few():
    result = equivalence_test([0.9], [0.8], margin=0.2, test_fraction=0.1)
    assert result.verdict == "undecided"
    assert np.all(np.isnan([result.pvalue, result.pvalue_difference, result.df, result.confidence_interval().low]))
    assert codes(result) == ["TOO_LITTLE_DATA"]


def test_order_layout_and_unit_are_irrelevant():
    a, b = 0.8 + TEN, np.full(10, 0.8)
    result = equivalence_test(a, b, margin=0.03, test_fraction=0.1)
    assert equivalence_test(a.reshape(2, 5), b.reshape(2, 5), margin=0.03, test_fraction=0.1) == result
    for other in (
        equivalence_test(a[::-1], b[::-1], margin=0.03, test_fraction=0.1),
        equivalence_test(100 * a, 100 * b, margin=3, test_fraction=0.1),
        equivalence_test(a + 1, b + 1, margin=0.03, test_fraction=0.1),
    ):
        assert (other.pvalue, other.pvalue_difference) == pytest.approx(
            (result.pvalue, result.pvalue_difference), rel=1e-9
        )


def test_the_laws_of_every_record():
    assert_lawful(equivalence_test, 0.8 + TEN, np.full(10, 0.8), margin=0.03, test_fraction=0.1)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("margin", value) for value in (0, -1, np.nan, np.inf, "x", None, True)),
        *(("test_fraction", value) for value in (1, 1.5, -0.1, "x", None, np.nan)),
        *(("alpha", value) for value in (0, 0.5, 1, -0.1, "x", None, np.nan)),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(option, value):
    with pytest.raises(ValueError, match=f"^{option} must be a number in"):
        equivalence_test(TEN, -TEN, **({"margin": 0.1, "test_fraction": 0.1} | {option: value}))


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("bad", [[1, np.nan], [np.inf, 1], "good", [], None], ids=repr)
def test_bad_scores_are_refused_by_name(name, bad):
    scores = {"a": [0.5, 0.6], "b": [0.5, 0.7]} | {name: bad}
    with pytest.raises(ValueError, match=f"^{name} must "):
        equivalence_test(**scores, margin=0.1, test_fraction=0.1)
    with pytest.raises(ValueError, match=r"^a and b must be paired"):
        equivalence_test([1, 2], [1], margin=0.1, test_fraction=0.1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("true", "wrong"), [(0.0, ("better", "worse")), (1.0, ("equivalent",)), (-1.0, ("equivalent",))]
)
def test_wrong_verdicts_are_as_rare_as_alpha_says_on_independent_differences(true, wrong):
    n, alpha = 1000, 0.05
    rng = np.random.default_rng(0)
    found = sum(
        against_zero(rng.normal(true, 1, 10), margin=1.0, test_fraction=0.0, alpha=alpha).verdict in wrong
        for _ in range(n)
    )
    # five binomial standard errors above the nominal level
    assert found / n <= alpha + 5 * (alpha * (1 - alpha) / n) ** 0.5


def test_of_independent_runs_both_tests_are_welchs(rng):
    """scipy's two one-sided tests on moved scores, with unequal numbers of runs."""
    a, b = rng.normal(0.90, 0.01, 7), rng.normal(0.89, 0.03, 12)
    found = equivalence_test(a, b, margin=0.02, test_fraction=0, paired=False)
    lower = stats.ttest_ind(a + 0.02, b, equal_var=False, alternative="greater")
    upper = stats.ttest_ind(a - 0.02, b, equal_var=False, alternative="less")
    assert (found.pvalue_lower, found.pvalue_upper) == pytest.approx((lower.pvalue, upper.pvalue))
    assert found.df == pytest.approx(lower.df)
    interval = stats.ttest_ind(a, b, equal_var=False).confidence_interval(0.9)
    assert (found.confidence_interval().low, found.confidence_interval().high) == pytest.approx(tuple(interval))
    swapped = equivalence_test(b, a, margin=0.02, test_fraction=0, paired=False)
    assert (swapped.verdict, swapped.pvalue) == (MIRRORED[found.verdict], pytest.approx(found.pvalue))


def test_runs_that_differ_by_more_than_the_margin_are_not_equivalent(rng):
    a, b = rng.normal(0.9, 0.01, 20), rng.normal(0.8, 0.01, 15)
    assert equivalence_test(a, b, margin=0.05, test_fraction=0, paired=False).verdict == "better"
    assert equivalence_test(a, b, margin=0.2, test_fraction=0, paired=False).verdict == "equivalent"
    assert equivalence_test(a[:2], b[:2] + 0.1, margin=0.001, test_fraction=0, paired=False).verdict != "equivalent"


def test_without_pairs_there_is_no_test_fraction():
    with pytest.raises(ValueError, match="test_fraction must be 0 of independent runs"):
        against_zero(TEN, margin=0.05, paired=False)
    with pytest.raises(ValueError, match="paired must be a bool; got 'no'"):
        against_zero(TEN, margin=0.05, paired="no")
