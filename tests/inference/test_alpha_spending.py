"""The levels of repeated looks: published constants, laws, and the error rate that they keep."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from skcompare.inference import alpha_spending
from skcompare.inference.fold_scores.power import _levels
from tests.lawful import FULL

# Independent splits of a mean with known variance: equally spaced looks of the textbook.
TEXTBOOK = {"n_folds": 1000, "n_repeats": 5, "test_fraction": 1e-9}


def bounds(looks):
    return -special.ndtri(looks.levels / 2)


@pytest.mark.parametrize(
    ("spending", "published"),
    [
        # Two-sided 0.05, five equally spaced looks, spending functions of Lan and DeMets (1983): printed by the program
        # LD98 (D. M. Reboussin, D. L. DeMets, K. Kim and K. K. G. Lan, Controlled Clinical Trials 21, 2000, 190-207),
        # and by gsDesign (K. Anderson) as sfLDOF and sfLDPocock with one-sided 0.025.
        ("obrien_fleming", [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
        ("pocock", [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
    ],
)
def test_the_levels_are_those_of_the_textbook_where_splits_are_independent(spending, published):
    found = bounds(alpha_spending(**TEXTBOOK, spending=spending))
    assert found[0] == pytest.approx(published[0], abs=1e-3)
    # 50,000 draws: at the second look a tail of 4e-4 of both sides, 20 draws of either kind
    assert found == pytest.approx(published, abs=0.08)
    assert found[2:] == pytest.approx(published[2:], abs=0.035)


def crossed_by(bounds):
    """Probability that a mean with known variance has crossed two-sided bounds by each of equally spaced looks."""
    times = np.arange(1, len(bounds) + 1)
    correlations = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    normals = [stats.multivariate_normal(cov=correlations[:k, :k]) for k in times]
    return [1 - one.cdf(bounds[:k], lower_limit=-bounds[:k], rng=0) for k, one in zip(times, normals, strict=True)]


@pytest.mark.parametrize(
    ("n_looks", "pocock", "obrien_fleming"),
    # Jennison and Turnbull (2000), Group Sequential Methods, tables 2.1 and 2.3: two-sided tests at 0.05.
    [(2, 2.178, 1.977), (3, 2.289, 2.004), (4, 2.361, 2.024), (5, 2.413, 2.040)],
)
def test_the_levels_are_the_published_constants_where_as_much_is_spent(n_looks, pocock, obrien_fleming):
    times = np.arange(1, n_looks + 1)
    for published in (np.full(n_looks, pocock), obrien_fleming * np.sqrt(n_looks / times)):
        spent = crossed_by(published)
        assert spent[-1] == pytest.approx(0.05, abs=2e-4)
        found = -special.ndtri(np.array(_levels(1000, 1, n_looks, 1e-9, tuple(spent), 2)) / 2)
        assert found == pytest.approx(published, abs=0.08)  # as above
        assert found[2:] == pytest.approx(published[2:], abs=0.035)


def test_late_spending_is_a_power_of_the_information():
    for folds, comparisons in ((2, 1), (10, 1), (10, 45)):
        looks = alpha_spending(folds, 10, n_comparisons=comparisons, spending="late")
        assert looks.spent == pytest.approx(0.05 * looks.information**12)
        assert looks.levels[-1] > alpha_spending(folds, 10, n_comparisons=comparisons).levels[-1]
    classic = alpha_spending(**TEXTBOOK, spending="late")
    assert crossed_by(bounds(classic)) == pytest.approx(classic.spent, rel=0.05, abs=5e-4)  # as above


def test_one_look_is_one_test():
    for alternative in ("two-sided", "one-sided"):
        looks = alpha_spending(10, 1, alpha=0.05, alternative=alternative)
        assert looks.levels == pytest.approx([0.05])
        assert looks.information.tolist() == [1.0]


@pytest.mark.sampled
@pytest.mark.parametrize("spending", ["late", "obrien_fleming", "pocock"])
@pytest.mark.parametrize("alternative", ["two-sided", "one-sided"])
@pytest.mark.parametrize("folds", [2, 10])
def test_laws(spending, alternative, folds):
    looks = alpha_spending(folds, 8, min_repeats=2, spending=spending, alternative=alternative)
    assert looks.repeats.tolist() == [2, 3, 4, 5, 6, 7, 8]
    assert (np.diff(looks.information) > 0).all()
    assert (np.diff(looks.spent) > 0).all()
    assert looks.spent[-1] == pytest.approx(0.05)
    # a level can neither fall short of what its look alone may spend, nor exceed all that is spent by then
    own = np.diff(looks.spent, prepend=0)
    assert (looks.levels <= looks.spent * (1 + 1e-9)).all()
    assert (looks.levels >= own * 0.97).all()


def test_several_comparisons_share_alpha():
    many, one = alpha_spending(10, 3, n_comparisons=10), alpha_spending(10, 3, alpha=0.005)
    assert many.levels == pytest.approx(one.levels)
    assert many.spent == pytest.approx(10 * one.spent)


def test_the_information_is_the_ratio_of_the_variances():
    # by hand: 1/10 + 1/9 over the first of ten repeats, 1/100 + 1/9 over all
    assert alpha_spending(10, 10).information[0] == pytest.approx((0.01 + 1 / 9) / (0.1 + 1 / 9))


def test_the_numbers_do_not_depend_on_the_state_of_anything():
    first = alpha_spending(5, 4).levels
    np.random.default_rng(1).normal(size=3)
    alpha_spending(3, 4)
    assert np.array_equal(first, alpha_spending(5, 4).levels)


@pytest.mark.slow
@pytest.mark.parametrize("spending", ["late", "obrien_fleming", "pocock"])
def test_looking_after_every_repeat_keeps_the_error_rate(rng, spending):
    """Normal differences with the assumed correlation, drawn split by split."""
    n = 40_000 if FULL else 4_000
    folds, repeats = 10, 10
    looks = alpha_spending(folds, repeats, spending=spending)
    shared = 1 / folds
    d = shared**0.5 * rng.normal(size=(n, 1)) + (1 - shared) ** 0.5 * rng.normal(size=(n, folds * repeats))
    crossed, naive = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    for repeat, level in zip(looks.repeats, looks.levels, strict=True):
        seen = d[:, : repeat * folds]
        size = seen.shape[1]
        error = seen.std(axis=1, ddof=1) * (1 / size + shared / (1 - shared)) ** 0.5
        p = 2 * special.stdtr(size - 1, -np.abs(seen.mean(axis=1) / error))
        crossed |= p < level
        naive |= p < 0.05
    error = (0.05 * 0.95 / n) ** 0.5
    assert abs(crossed.mean() - 0.05) < 4.5 * error + 0.001  # that of the levels themselves
    assert naive.mean() > 0.09


@pytest.mark.parametrize("n_folds", [2, 5, 10, 50])
def test_a_hundred_repeats_tell_nearly_all_that_any_number_would(n_folds):
    """One over the information falls linearly in one over the repeats: its value at 0 is that of infinitely many."""
    looks = alpha_spending(n_folds, 100, min_repeats=96)
    slope, at_infinity = np.polyfit(1 / looks.repeats, 1 / looks.information, 1)
    assert slope > 0
    assert 0.99 <= at_infinity < 1
