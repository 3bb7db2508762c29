"""The calibration curve and its numbers are scikit-learn's; the test of the calibration error keeps its level."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, log_loss

from skcompare.inference import calibration_error_test, paired_bootstrap, reliability_points


def made(rng, n, power=1.0):
    """Labels, their true probabilities, and the same raised to a power."""
    true = rng.random(n)
    return (rng.random(n) < true).astype(int), true, true**power


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
@pytest.mark.parametrize("n_bins", [1, 5, 10])
def test_the_points_are_those_of_scikit_learn(rng, strategy, n_bins):
    y, _, p = made(rng, 300, 1.5)
    observed, predicted = calibration_curve(y, p, n_bins=n_bins, strategy=strategy)
    curve = reliability_points(y, p, n_bins=n_bins, strategy=strategy)
    assert np.allclose(curve.observed, observed)
    assert np.allclose(curve.predicted, predicted)
    assert curve.counts.sum() == curve.n == 300
    assert curve.brier == pytest.approx(brier_score_loss(y, p))
    assert curve.log_loss == pytest.approx(log_loss(y, p))


def test_the_calibration_error_by_hand():
    # bins [0, .5] and (.5, 1]: 2 of 4 samples at .2 are positive, 3 of 6 at .9: (4 * .3 + 6 * .4) / 10
    curve = reliability_points([1, 1, 0, 0, 1, 1, 1, 0, 0, 0], [0.2] * 4 + [0.9] * 6, n_bins=2)
    assert curve.calibration_error == pytest.approx(0.36)
    assert curve.counts.tolist() == [4, 6]


def test_the_other_class_has_the_mirrored_curve(rng):
    y, _, p = made(rng, 200)
    one, other = reliability_points(y, p), reliability_points(y, 1 - p, positive=0)
    assert np.allclose(one.observed, 1 - other.observed[::-1])
    assert one.calibration_error == pytest.approx(other.calibration_error)
    assert one.log_loss == pytest.approx(other.log_loss)


def test_a_wrong_certainty_is_told():
    y, p = [0, 1, 1, 0], [0.0, 0.0, 0.8, 0.3]
    curve = reliability_points(y, p)
    assert curve.log_loss == pytest.approx(log_loss(y, p))
    assert [w.code for w in curve.warnings] == ["WEAK_METRIC"]
    assert reliability_points([0, 1], [0.0, 1.0]).warnings == ()


def test_the_test_is_about_the_same_errors(rng):
    y, a, b = made(rng, 400, 3)
    found = calibration_error_test(y, a, b, rng=0)
    assert found.error_a == pytest.approx(reliability_points(y, a).calibration_error)
    assert found.estimate == pytest.approx(reliability_points(y, b).calibration_error - found.error_a)
    assert str(found).startswith("a is significantly better calibrated than b: a - b is +0.")
    even = calibration_error_test(y, a, made(rng, 400)[1] * 0 + a, rng=0)
    assert even.pvalue == 1
    assert [w.code for w in even.warnings] == ["NO_DIFFERENCE"]
    assert "not significantly different" in str(even)


@pytest.mark.parametrize("strategy", ["uniform", "quantile"])
def test_swapping_the_models_mirrors_the_test_and_the_order_of_samples_is_irrelevant(rng, strategy):
    y, a, b = made(rng, 150, 1.3)
    a, b = a.round(1), b.round(1)  # ties
    one, other = (calibration_error_test(y, *pair, rng=1, strategy=strategy) for pair in ((a, b), (b, a)))
    assert one.estimate == -other.estimate
    assert one.pvalue == other.pvalue
    assert (one.distribution == -other.distribution).all()
    interval, mirrored = one.confidence_interval(), other.confidence_interval()
    assert interval.low == pytest.approx(-mirrored.high)
    order = rng.permutation(150)
    assert (
        calibration_error_test(y[order], a[order], b[order], rng=1, strategy=strategy).distribution == one.distribution
    ).all()
    sides = [
        calibration_error_test(y, *p, rng=1, alternative=s).pvalue for p, s in (((a, b), "less"), ((b, a), "greater"))
    ]
    assert sides[0] == sides[1]


def test_the_interval_leaves_out_0_where_the_test_rejects(rng):
    for power in np.linspace(1, 1.6, 12):
        y, a, b = made(rng, 200, power)
        for alternative in ("two-sided", "greater", "less"):
            found = calibration_error_test(y, a, b, rng=0, n_resamples=999, alternative=alternative)
            interval = found.confidence_interval()
            if abs(found.pvalue - 0.05) > 0.005:
                assert (found.pvalue < 0.05) == (not interval.low <= 0 <= interval.high)


def test_the_distribution_is_that_of_a_bootstrap_of_a_callable(rng):
    def error(y_true, p):
        inside = np.searchsorted(np.linspace(0, 1, 11)[1:-1], p)
        return np.abs(np.bincount(inside, weights=y_true - p)).sum() / len(p)

    y, a, b = made(rng, 120, 2)
    known = paired_bootstrap(y, b, a, error, n_resamples=2000, rng=0).distribution
    found = calibration_error_test(y, a, b, n_resamples=2000, rng=1).distribution
    assert found.mean() == pytest.approx(known.mean(), abs=5 * known.std() / 2000**0.5 * 2**0.5)
    assert found.std() == pytest.approx(known.std(), rel=0.1)


def test_many_samples_have_the_distribution_of_their_bins(rng, monkeypatch):
    from skcompare.inference.curves import reliability

    y, a, b = made(rng, 3000, 1.5)
    drawn = calibration_error_test(y, a, b, rng=0, n_resamples=3000)
    monkeypatch.setattr(reliability, "MANY", 3000)
    normal = calibration_error_test(y, a, b, rng=0, n_resamples=3000)
    assert normal.estimate == drawn.estimate
    assert normal.distribution.mean() == pytest.approx(drawn.distribution.mean(), abs=0.1 * drawn.standard_error)
    assert normal.standard_error == pytest.approx(drawn.standard_error, rel=0.1)


def test_true_nulls_are_not_rejected_too_often(rng):
    """Two overconfident models alike, each of which sees another half of what there is to see."""
    n, rejected = 150, 0
    for _ in range(n):
        z = rng.normal(0, 1.5, (2, 200))
        y = rng.random(200) < expit(z.sum(axis=0))
        rejected += calibration_error_test(y, *expit(1.6 * z), n_resamples=300, rng=rng).pvalue < 0.05
    assert rejected / n <= 0.05 + 4 * (0.05 * 0.95 / n) ** 0.5
