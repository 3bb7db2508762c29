"""The nested cross-validation interval: by hand, against the authors' algorithm in loops, laws, bad input."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skcompare.inference import nested_cv_interval
from tests.lawful import assert_lawful, codes


def made(n_repeats=4, sizes=(5, 4, 6), seed=0, mean=0.2, shift=0.05):
    """Random losses: outer[r][f] on fold f, inner[r][f] one array per other fold."""
    rng = np.random.default_rng(seed)
    outer = [[rng.normal(mean, 1, size) for size in sizes] for _ in range(n_repeats)]
    inner = [
        [
            [rng.normal(mean + shift, 1, size) for other, size in enumerate(sizes) if other != fold]
            for fold in range(len(sizes))
        ]
        for _ in range(n_repeats)
    ]
    return outer, inner


def twin(outer, inner, exponent):
    """Bates, Hastie and Tibshirani (2024), Algorithm 1 and the bias correction, in loops."""
    n, n_folds = sum(len(fold) for fold in outer[0]), len(outer[0])
    terms, every_inner, every_outer = [], [], []
    for of_outer, of_inner in zip(outer, inner, strict=True):
        for e_out, parts in zip(of_outer, of_inner, strict=True):
            e_in = [loss for part in parts for loss in part]
            terms.append((np.mean(e_in) - np.mean(e_out)) ** 2 - np.var(e_out, ddof=1) / len(e_out))
            every_inner.extend(e_in)
            every_outer.extend(e_out)
    error = max(np.mean(terms), 0)
    deviation = np.std(every_inner, ddof=1)
    inflation = np.sqrt(error) / (deviation / np.sqrt(np.floor(n * (n_folds - 1) / n_folds)))
    inflation = max(1, min(inflation, np.sqrt(n_folds)))
    bias = (np.mean(every_inner) - np.mean(every_outer)) * (1 + ((n_folds - 2) / n_folds) ** exponent)
    return np.mean(every_inner) - bias, bias, inflation, inflation * deviation / np.sqrt(n), error


@given(seed=st.integers(0, 10_000), n_repeats=st.integers(1, 3), exponent=st.sampled_from([0.0, 1.0, 1.5]))
def test_it_is_the_algorithm_in_loops(seed, n_repeats, exponent):
    outer, inner = made(n_repeats, seed=seed)
    result = nested_cv_interval(outer, inner, bias_exponent=exponent)
    ours = (result.estimate, result.bias, result.inflation, result.standard_error, result.mean_squared_error)
    assert ours == pytest.approx(twin(outer, inner, exponent), rel=1e-9, abs=1e-12)


def test_a_small_case_by_hand():
    # three folds of two. Outer means 1, 3, 5 with variances 2, 2, 2; inner means 4, 3, 2. Terms (4-1)^2 - 2/2 = 8,
    # 0 - 1, (2-5)^2 - 1 = 8: mean 5. Inner losses 3 3 5 5 2 2 4 4 1 1 3 3: mean 3, squared deviations 0 0 4 4 1 1 1 1
    # 4 4 0 0 = 20 over 11. Inflation sqrt(5) / sqrt(20/11 / 4) = 3.3166, held at sqrt(3)
    outer = [[[0, 2], [2, 4], [4, 6]]]
    inner = [[[[3, 3], [5, 5]], [[2, 2], [4, 4]], [[1, 1], [3, 3]]]]
    result = nested_cv_interval(outer, inner)
    assert result.mean_squared_error == pytest.approx(5)
    assert result.inflation == pytest.approx(3**0.5)
    assert (result.inner_mean, result.outer_mean, result.bias, result.estimate) == (3, 3, 0, 3)
    assert result.standard_error == pytest.approx((3 * 20 / 11 / 6) ** 0.5)
    assert (result.n, result.n_folds, result.n_repeats) == (6, 3, 1)
    assert codes(result) == ["TOO_LITTLE_DATA", "APPROXIMATE"]


def test_the_width_is_that_of_the_mean_squared_error():
    # Bates et al. (2024): where the inflation is not limited, z sqrt((K - 1) / K) sqrt(MSE)
    result = next(r for r in (nested_cv_interval(*made(seed=s)) for s in range(50)) if 1 < r.inflation < 3**0.5)
    # floor(15 * 2 / 3) = 10 is exact here
    assert result.standard_error == pytest.approx((2 / 3 * result.mean_squared_error) ** 0.5)


@pytest.mark.parametrize(("exponent", "factor"), [(1, 1 + 3 / 5), (1.5, 1 + 0.6**1.5), (0, 2)])
def test_the_bias_by_hand(exponent, factor):
    # five folds: mean inner loss .5 above the mean outer loss
    rng = np.random.default_rng(0)
    outer = rng.normal(size=(2, 5, 4))
    inner = np.stack([[np.delete(r, f, axis=0) for f in range(5)] for r in outer]) + 0.5
    result = nested_cv_interval(outer, inner, bias_exponent=exponent)
    assert result.bias == pytest.approx(0.5 * factor)
    assert result.estimate == pytest.approx(result.inner_mean - 0.5 * factor)


def test_nested_and_flat_and_ragged_inner_losses_are_the_same():
    outer, inner = made(sizes=(4, 4, 4))
    result = nested_cv_interval(outer, inner)
    joined = [[np.concatenate(parts) for parts in repeat] for repeat in inner]
    assert nested_cv_interval(outer, joined) == result
    assert nested_cv_interval(np.array(outer), np.array(inner)) == result
    assert nested_cv_interval(np.array(outer).tolist(), np.array(inner).tolist()) == result
    assert nested_cv_interval(np.array(outer), np.array(inner).reshape(4, 3, 8)) == result
    reordered = [[parts[::-1] for parts in repeat] for repeat in inner]
    assert nested_cv_interval(outer, reordered).estimate == pytest.approx(result.estimate)


def test_negated_losses_mirror_the_result():
    outer, inner = made()
    ours = nested_cv_interval(outer, inner)
    theirs = nested_cv_interval(
        [[-fold for fold in r] for r in outer], [[[-part for part in parts] for parts in r] for r in inner]
    )
    assert (theirs.estimate, theirs.statistic, theirs.bias) == pytest.approx(
        (-ours.estimate, -ours.statistic, -ours.bias)
    )
    assert (theirs.pvalue, theirs.inflation) == pytest.approx((ours.pvalue, ours.inflation))
    one, two = ours.confidence_interval(), theirs.confidence_interval()
    assert (two.low, two.high) == pytest.approx((-one.high, -one.low))


def test_the_interval_is_normal_and_says_what_the_pvalue_says():
    for seed in range(10):
        result = nested_cv_interval(*made(seed=seed, mean=0.5))
        low, high = stats.norm.interval(0.9, result.estimate, result.standard_error)
        interval = result.confidence_interval(0.9)
        assert (interval.low, interval.high) == pytest.approx((low, high))
        for level in (0.1, 0.5, 0.9, 0.95, 0.99):
            interval = result.confidence_interval(level)
            assert (result.pvalue < 1 - level) == (not interval.low <= 0 <= interval.high)
    with pytest.raises(ValueError, match="confidence_level must be a number in"):
        result.confidence_interval(1)


def test_identical_models_do_not_differ():
    result = nested_cv_interval(np.zeros((60, 5, 4)), np.zeros((60, 5, 4, 4)))
    assert (result.estimate, result.pvalue, result.statistic, result.inflation) == (0, 1, 0, 1)
    assert result.confidence_interval().low == result.confidence_interval().high == 0
    assert result.warnings == ()


def test_a_constant_difference_is_certain_and_says_so():
    result = nested_cv_interval(np.full((60, 5, 4), 0.25), np.full((60, 5, 4, 4), 0.25))
    assert (result.estimate, result.pvalue, result.statistic) == (0.25, 0, np.inf)
    assert codes(result) == ["ZERO_VARIANCE"]


def test_fifty_repeats_are_enough():
    assert "TOO_LITTLE_DATA" in codes(nested_cv_interval(*made(49)))
    assert "TOO_LITTLE_DATA" not in codes(nested_cv_interval(*made(50)))


def test_the_laws_of_every_record():
    rng = np.random.default_rng(0)
    assert_lawful(nested_cv_interval, rng.normal(size=(2, 3, 4)), rng.normal(size=(2, 3, 2, 4)))


GOOD_OUTER, GOOD_INNER = np.ones((2, 3, 4)), np.ones((2, 3, 2, 4))


@pytest.mark.parametrize(
    ("outer", "inner", "message"),
    [
        (np.ones((2, 2, 4)), np.ones((2, 2, 1, 4)), r"^outer_losses must hold at least 3 folds"),
        (GOOD_OUTER, np.ones((1, 3, 2, 4)), r"^inner_losses must hold 2 repeat"),
        (GOOD_OUTER, np.ones((2, 4, 2, 4)), r"^inner_losses\[0\] must hold 3 folds"),
        (GOOD_OUTER, np.ones((2, 3, 2, 5)), r"^inner_losses\[0\]\[0\] must hold 8 losses"),
        (np.ones((2, 3, 1)), np.ones((2, 3, 2, 1)), r"^outer_losses\[0\]\[0\] must hold at least 2 losses"),
        ([[[1, 2]] * 3, [[1, 2, 3]] * 3], [[[1] * 4] * 3] * 2, r"^outer_losses\[1\] must hold 6 losses"),
        ([], [], r"^outer_losses must hold at least one repeat"),
        ([[]], [[]], r"^outer_losses must hold at least one repeat"),
        (3, GOOD_INNER, r"^outer_losses must hold a sequence of folds"),
        (GOOD_OUTER, None, r"^inner_losses must hold a sequence of folds"),
        (np.full((2, 3, 4), np.nan), GOOD_INNER, r"^outer_losses\[0\]\[0\] must be finite"),
        (GOOD_OUTER, np.full((2, 3, 2, 4), np.inf), r"^inner_losses\[0\]\[0\] must be finite"),
        ([["good"] * 3], [["good"] * 3], r"^outer_losses\[0\]\[0\] must be an array of numbers"),
        (GOOD_OUTER * 1.7e308, GOOD_INNER, r"^losses must be at most"),
    ],
)
def test_bad_losses_are_refused_by_name(outer, inner, message):
    with pytest.raises(ValueError, match=message):
        nested_cv_interval(outer, inner)


@pytest.mark.parametrize("value", [-1, np.nan, np.inf, "x", None])
def test_a_bad_exponent_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"^bias_exponent must be a number in"):
        nested_cv_interval(GOOD_OUTER, GOOD_INNER, bias_exponent=value)


@pytest.mark.parametrize("factor", [1e299, 1e-300, 1e150])
def test_extreme_losses_never_give_nan(factor):
    outer, inner = made()
    plain = nested_cv_interval(outer, inner)
    scaled = nested_cv_interval(
        [[f * factor / 10 for f in r] for r in outer],
        [[[p * factor / 10 for p in parts] for parts in r] for r in inner],
    )
    assert (scaled.pvalue, scaled.inflation) == pytest.approx((plain.pvalue, plain.inflation), rel=1e-9)
    assert not np.isnan([v for v in dataclasses.astuple(scaled) if isinstance(v, float)]).any()
