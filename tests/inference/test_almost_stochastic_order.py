"""Almost stochastic order: reference values, a brute-force twin of the integrals, the direction of Bonferroni, laws."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from skcompare.inference import almost_stochastic_order
from tests.lawful import assert_lawful, codes

MIRRORED = {"better": "worse", "worse": "better", "undecided": "undecided"}
# Two samples of ten rounded draws, numpy's default_rng(0).normal(.5, 1) and then normal(0, 1)
TEN_A = [0.626, 0.368, 1.14, 0.605, -0.036, 0.862, 1.804, 1.447, -0.204, -0.765]
TEN_B = [-0.623, 0.041, -2.325, -0.219, -1.246, -0.732, -0.544, -0.316, 0.412, 1.043]

scores = arrays(np.float64, st.integers(1, 9), elements=st.integers(-20, 20).map(lambda k: k / 10))


def riemann(a, b, n=5040):
    """The violation ratio by quantiles on a fine grid, midpoints of 5040 steps: all sizes up to 10 divide it."""
    t = (np.arange(n) + 0.5) / n
    gaps = np.quantile(a, t, method="inverted_cdf") - np.quantile(b, t, method="inverted_cdf")
    whole = (gaps**2).sum()
    return 0.5 if whole == 0 else (gaps[gaps < 0] ** 2).sum() / whole


def test_the_violation_ratio_by_hand():
    # sorted, a - b is -1, 2, 2, 3: squares 1 against 1 + 4 + 4 + 9
    result = almost_stochastic_order([4, 0, 6, 3], [1, 3, 1, 2], rng=0)
    assert result.epsilon == pytest.approx(1 / 18)
    assert result.estimate == pytest.approx(1.5)


def test_the_violation_ratio_of_unequal_sizes_by_hand():
    # quantiles of a are 0 and 3 in halves, of b 1, 1, 2 in thirds: gaps -1 on (0, 1/2), 2 on (1/2, 2/3), 1 on
    # (2/3, 1): squares 1/2 against 1/2 + 4/6 + 1/3
    assert almost_stochastic_order([0, 3], [1, 1, 2], rng=0).epsilon == pytest.approx(0.5 / 1.5)


@given(a=scores, b=scores)
def test_the_violation_ratio_is_a_riemann_sum(a, b):
    result = almost_stochastic_order(a, b, n_resamples=2, rng=0)
    assert result.epsilon == pytest.approx(riemann(a, b), abs=1e-12)


def test_the_bound_agrees_with_deep_significance():
    # deepsig 1.2.8 aso(a, b, seed=1, num_bootstrap_iterations=4000, dt=.01): .0684 and, with the first seven of b,
    # .0031. Its integrals are sums over a grid and its bootstrap is random, hence the tolerance
    assert almost_stochastic_order(TEN_A, TEN_B, rng=0, n_resamples=20_000).epsilon_min == pytest.approx(
        0.0684, abs=0.02
    )
    seven = almost_stochastic_order(TEN_A, TEN_B[:7], rng=0, n_resamples=20_000)
    assert seven.epsilon_min == pytest.approx(0.0031, abs=0.005)


def test_the_bound_is_the_ratio_plus_the_normal_quantile_times_the_bootstrap_deviation():
    # z(.95) = 1.644854, z(.975) = 1.959964
    one = almost_stochastic_order([0, 1, 2, 3, 4, 5], [0.5, 0.8, 2.2, 2.7, 4.1, 4.9], rng=0)
    two = almost_stochastic_order([0, 1, 2, 3, 4, 5], [0.5, 0.8, 2.2, 2.7, 4.1, 4.9], rng=0, confidence_level=0.975)
    assert 0 < one.epsilon < 1
    assert one.standard_error == two.standard_error
    assert one.epsilon_min == pytest.approx(min(1, one.epsilon + 1.644854 * one.standard_error), abs=1e-6)
    assert two.epsilon_min == pytest.approx(min(1, two.epsilon + 1.959964 * two.standard_error), abs=1e-6)


@pytest.mark.parametrize("n_resamples", [200, 1000])
def test_the_monte_carlo_error_is_the_spread_over_seeds(n_resamples):
    a, b = np.random.default_rng(0).normal(size=(2, 20))
    records = [almost_stochastic_order(a + 0.6, b, rng=seed, n_resamples=n_resamples) for seed in range(200)]
    bounds = np.array([record.epsilon_min for record in records])
    assert 0 < bounds.min() < bounds.max() < 1  # cut nowhere
    # the standard deviation of 200 bounds has a standard error of 5%
    assert bounds.std() == pytest.approx(np.mean([record.monte_carlo_error for record in records]), rel=0.25)
    # |x - mean| of a ratio is at most 1, so its fourth moment is at most its variance
    assert max(record.monte_carlo_error for record in records) <= 1.645 * 0.5 / n_resamples**0.5


def test_seeds_differ_in_the_second_digit_at_most_by_default():
    a, b = np.random.default_rng(1).normal(size=(2, 10))
    records = [almost_stochastic_order(a + 0.5, b, rng=seed) for seed in range(30)]
    assert max(record.monte_carlo_error for record in records) < 0.005
    assert np.ptp([record.epsilon_min for record in records]) < 0.03


def test_a_bound_at_the_threshold_says_that_other_resamples_may_decide_otherwise():
    rng = np.random.default_rng(0)
    a, b = rng.normal(1, 1, 30), rng.normal(0, 1, 30)
    far = almost_stochastic_order(a + 1, b, rng=0, n_resamples=100)
    assert "MONTE_CARLO" not in codes(far)
    shifts = np.linspace(-1, 1, 21)
    near = min(
        (almost_stochastic_order(a + s, b, rng=0, n_resamples=2000) for s in shifts),
        key=lambda r: abs(r.epsilon_min - 0.2),
    )
    rough = min(
        (almost_stochastic_order(a + s, b, rng=0, n_resamples=20) for s in shifts),
        key=lambda r: abs(r.epsilon_min - 0.2),
    )
    assert "MONTE_CARLO" in codes(rough)
    assert ("MONTE_CARLO" in codes(near)) == (abs(near.epsilon_min - 0.2) < 2 * near.monte_carlo_error)
    mirrored = almost_stochastic_order(b, a + 1, rng=0, n_resamples=100)
    assert mirrored.monte_carlo_error == pytest.approx(far.monte_carlo_error, rel=1e-9)


def test_more_comparisons_raise_the_bound():
    # deep-significance lowers the confidence level towards the nominal one as comparisons are added
    results = [almost_stochastic_order(TEN_A, TEN_B, rng=0, n_comparisons=m) for m in (1, 2, 10, 100)]
    bounds = [result.epsilon_min for result in results]
    assert bounds == sorted(bounds)
    assert bounds[0] < bounds[-1]
    # Bonferroni: 1 - .05 / m
    assert [result.confidence_level for result in results] == pytest.approx([0.95, 0.975, 0.995, 0.9995])
    single = almost_stochastic_order(TEN_A, TEN_B, rng=0, confidence_level=0.995)
    assert single.epsilon_min == pytest.approx(results[2].epsilon_min)


@given(a=scores, b=scores)
def test_swapping_the_models_mirrors_the_result(a, b):
    ours = almost_stochastic_order(a, b, rng=3, n_resamples=50)
    theirs = almost_stochastic_order(b, a, rng=3, n_resamples=50)
    assert theirs.verdict == MIRRORED[ours.verdict]
    assert theirs.epsilon == pytest.approx(1 - ours.epsilon, abs=1e-12)
    assert (theirs.epsilon_min, theirs.epsilon_min_reverse) == pytest.approx(
        (ours.epsilon_min_reverse, ours.epsilon_min), abs=1e-12
    )
    assert theirs.estimate == -ours.estimate
    assert ours.epsilon <= ours.epsilon_min <= 1


def test_a_model_is_not_above_itself():
    result = almost_stochastic_order(TEN_A, TEN_A, rng=0)
    assert (result.verdict, result.epsilon, result.estimate) == ("undecided", 0.5, 0)
    rounded = almost_stochastic_order((np.array(TEN_A) * 3 + 1 - 1) / 3, TEN_A, rng=0)
    assert (rounded.epsilon, rounded.estimate) == (0.5, 0)
    constant = almost_stochastic_order([0.5] * 6, [0.5] * 6, rng=0)
    assert (constant.verdict, constant.epsilon, constant.epsilon_min) == ("undecided", 0.5, 0.5)


def test_scores_that_do_not_overlap_are_in_order():
    low, high = np.linspace(0, 1, 8), np.linspace(2, 3, 6)
    assert almost_stochastic_order(high, low, rng=0).verdict == "better"
    result = almost_stochastic_order(low, high, rng=0)
    assert (result.verdict, result.epsilon, result.epsilon_min_reverse) == ("worse", 1, 0)
    assert codes(result) == ["INDEPENDENCE", "ZERO_VARIANCE"]


@pytest.mark.parametrize(("n", "code"), [(1, "TOO_LITTLE_DATA"), (4, "TOO_LITTLE_DATA")])
def test_few_scores_say_so(n, code):
    result = almost_stochastic_order(np.arange(n) + 10.0, np.arange(6.0), rng=0)
    assert code in codes(result)
    assert codes(result)[0] == "INDEPENDENCE"
    if n == 1:
        assert (result.verdict, result.epsilon, result.epsilon_min) == ("undecided", 0, 1)
        assert np.isnan(result.standard_error)


def test_order_and_unit_are_irrelevant():
    a, b = np.array(TEN_A), np.array(TEN_B)
    result = almost_stochastic_order(a, b, rng=0)
    assert almost_stochastic_order(a[::-1], np.roll(b, 3), rng=0) == result
    assert almost_stochastic_order(a.reshape(2, 5), b.reshape(5, 2), rng=0) == result
    for x, y in ((1e6 * a, 1e6 * b), (1e-9 * a, 1e-9 * b), (a + 5, b + 5)):
        assert almost_stochastic_order(x, y, rng=0).epsilon_min == pytest.approx(result.epsilon_min, rel=1e-6)


def test_the_laws_of_every_record():
    assert_lawful(almost_stochastic_order, TEN_A, TEN_B, rng=0)


def test_the_same_seed_gives_the_same_result():
    assert almost_stochastic_order(TEN_A, TEN_B, rng=7) == almost_stochastic_order(
        TEN_A, TEN_B, rng=np.random.default_rng(7)
    )
    assert almost_stochastic_order(TEN_A, TEN_B, rng=7) != almost_stochastic_order(TEN_A, TEN_B, rng=8)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("confidence_level", value) for value in (0, 1, 2, np.nan, "x", None)),
        *(("n_resamples", value) for value in (0, 1, 1.5, "x", None)),
        *(("n_comparisons", value) for value in (0, -1, 1.5, "x", None)),
        *(("rng", value) for value in ("x", -1, 1.5)),
    ],
)
def test_an_option_out_of_range_is_refused_by_name(option, value):
    with pytest.raises(ValueError, match=f"^{option} must be "):
        almost_stochastic_order(TEN_A, TEN_B, **{option: value})


@pytest.mark.parametrize("name", ["a", "b"])
@pytest.mark.parametrize("bad", [[1, np.nan], [np.inf, 1], "good", [], None, [1.7e308, 0]], ids=repr)
def test_bad_scores_are_refused_by_name(name, bad):
    with pytest.raises(ValueError, match=f"^{name} must "):
        almost_stochastic_order(**({"a": TEN_A, "b": TEN_B} | {name: bad}))


@given(
    a=arrays(np.float64, 5, elements=st.floats(-1e299, 1e299)),
    b=arrays(np.float64, 6, elements=st.floats(-1e-290, 1e299)),
)
def test_extreme_input_never_gives_nan(a, b):
    for x, y in ((a, b), (a, a[:3]), (a * 1e-300, b * 1e-300)):
        result = almost_stochastic_order(x, y, rng=0, n_resamples=20)
        assert 0 <= result.epsilon <= result.epsilon_min <= 1
        assert 0 <= 1 - result.epsilon <= result.epsilon_min_reverse + 1e-12 <= 1 + 1e-12


def test_ten_scores_take_less_than_a_tenth_of_a_second():
    start = time.process_time()
    almost_stochastic_order(TEN_A, TEN_B)
    assert time.process_time() - start < 0.1
