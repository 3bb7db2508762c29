"""Welch's t test: against scipy, by hand, the laws of a test of two samples, and its rate on true nulls."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import stats

from skcompare.inference import paired_t_test, welch_t_test
from tests.lawful import MIRRORED


def samples(rng, n_a=6, n_b=9, ratio=3.0):
    return 0.82 + ratio * 0.02 * rng.standard_normal(n_a), 0.8 + 0.02 * rng.standard_normal(n_b)


@pytest.mark.parametrize("alternative", MIRRORED)
@pytest.mark.parametrize("sizes", [(2, 2), (3, 3), (6, 9), (30, 4)], ids=str)
def test_it_is_the_test_of_scipy(rng, sizes, alternative):
    """scipy 1.17.1, ttest_ind(equal_var=False): statistic, degrees of freedom, p-value and interval."""
    a, b = samples(rng, *sizes)
    ours, peer = (
        welch_t_test(a, b, alternative=alternative),
        stats.ttest_ind(a, b, equal_var=False, alternative=alternative),
    )
    assert (ours.statistic, ours.df, ours.pvalue) == pytest.approx((peer.statistic, peer.df, peer.pvalue), rel=1e-9)
    interval, other = ours.confidence_interval(0.9), peer.confidence_interval(0.9)
    assert (interval.low, interval.high) == pytest.approx((other.low, other.high), rel=1e-9)
    assert ours.n == sum(sizes)


def test_by_hand():
    # means 4 and 1; variances 4 over 3 runs and 2 over 2: t = 3 / sqrt(7/3), df = (7/3)^2 / ((4/3)^2/2 + 1^2/1) = 49/17
    found = welch_t_test([2, 4, 6], [0, 2])
    assert found.statistic == pytest.approx(3 / (7 / 3) ** 0.5)
    assert found.df == pytest.approx(49 / 17)
    assert found.effect_size == pytest.approx(3 / 3**0.5)


def test_the_models_mirror_and_the_order_of_runs_plays_no_part(rng):
    a, b = samples(rng)
    for alternative, mirrored in MIRRORED.items():
        one, other = welch_t_test(a, b, alternative=alternative), welch_t_test(b, a, alternative=mirrored)
        assert (one.pvalue, one.estimate) == pytest.approx((other.pvalue, -other.estimate))
        assert one == welch_t_test(rng.permutation(a), rng.permutation(b), alternative=alternative)
    pickle.loads(pickle.dumps(one))
    assert one == welch_t_test(b=b.tolist(), a=a.tolist(), alternative="less")


@pytest.mark.parametrize("alternative", MIRRORED)
def test_the_interval_inverts_the_test(rng, alternative):
    a, b = samples(rng)
    for level in (0.5, 0.9, 0.99):
        interval = welch_t_test(a, b, alternative=alternative).confidence_interval(level)
        for end in (interval.low, interval.high):
            if np.isfinite(end):
                at_end = welch_t_test(a, b, alternative=alternative, null=end)
                assert at_end.pvalue == pytest.approx(1 - level)


def test_the_scale_plays_no_part(rng):
    a, b = samples(rng)
    for factor in (1e-150, 1e150):
        assert welch_t_test(factor * a, factor * b).pvalue == pytest.approx(welch_t_test(a, b).pvalue)
    assert welch_t_test(a + 50, b + 50).pvalue == pytest.approx(welch_t_test(a, b).pvalue)


def test_runs_that_do_not_vary():
    same = welch_t_test([0.5, 0.5, 0.5], [0.5, 0.5])
    assert (same.pvalue, same.estimate, same.warnings[0].code) == (1, 0, "NO_DIFFERENCE")
    assert (same.confidence_interval().low, same.confidence_interval().high) == (0, 0)
    apart = welch_t_test([0.6, 0.6, 0.6], [0.5, 0.5], alternative="greater")
    assert (apart.pvalue, apart.warnings[0].code) == (0, "ZERO_VARIANCE")
    one_varies = welch_t_test([0.6, 0.6, 0.6], [0.4, 0.5])
    assert one_varies.df == 1
    assert not one_varies.warnings


@pytest.mark.parametrize(("a", "b"), [([0.6], [0.5]), ([0.6], [0.4, 0.5]), ([0.4, 0.5], [0.6])])
def test_one_run_is_too_few(a, b):
    found = welch_t_test(a, b)
    assert found.warnings[0].code == "TOO_LITTLE_DATA"
    assert np.isnan(found.pvalue)


def test_identical_runs_do_not_differ(rng):
    a, _ = samples(rng)
    found = welch_t_test(a, a)
    assert (found.pvalue, found.estimate) == (1, 0)
    assert found.confidence_interval().low < 0 < found.confidence_interval().high


def test_it_does_not_gain_from_pairs(rng):
    """Where runs are pairs that vary together the paired test sees a difference that this one cannot."""
    shared = rng.standard_normal(10)
    a, b = 0.1 + shared + 0.01 * rng.standard_normal(10), shared
    assert welch_t_test(a, b).pvalue > 0.05 > paired_t_test(a, b).pvalue


@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_it_keeps_its_level_on_normal_runs(rng, ratio):
    """By simulation 2,000 true nulls of 5 runs each; five standard errors of a share of 5% are 2.4 points."""
    n = 2000
    rejected = sum(
        welch_t_test(ratio * x, y).pvalue < 0.05
        for x, y in zip(rng.standard_normal((n, 5)), rng.standard_normal((n, 5)), strict=True)
    )
    assert 0.05 - 0.025 < rejected / n < 0.05 + 0.025
