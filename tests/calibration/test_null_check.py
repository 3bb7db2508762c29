"""Whether two models are equally good: true nulls pass at the stated rate, false ones do not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from skcompare.calibration._rates import bound, metric_differences
from skcompare.calibration._size import _not_a_null

NAMES = tuple("abcde")


def scores(differences):
    """Scores of two models on one split, whose differences are given, shape (n_datasets, n_metrics)."""
    return np.stack([differences, np.zeros_like(differences)], axis=1)[:, :, None, :]


def test_the_mean_and_its_error_by_hand():
    d = np.array([[0.1], [0.3], [0.2], [np.nan]])
    (found,) = metric_differences(scores(d), ("a",))
    assert found.difference == pytest.approx(0.2)
    assert found.standard_error == pytest.approx(0.1 / math.sqrt(3))
    assert found.n_datasets == 3
    assert found.distance == pytest.approx(2 * math.sqrt(3))


def test_splits_without_a_score_are_left_out_of_the_mean_of_their_data_set():
    both = np.zeros((2, 2, 3, 1))
    both[:, 0, :, 0] = [[0.2, np.nan, 0.4], [0.1, 0.1, 0.1]]
    (found,) = metric_differences(both, ("a",))
    assert found.difference == pytest.approx(0.2)


def test_the_bound_is_three_standard_errors_for_one_metric_and_many_data_sets():
    assert bound(10**7, 1) == pytest.approx(3, abs=1e-4)
    assert bound(10, 1) == pytest.approx(stats.t.isf(stats.norm.sf(3), 9))
    assert bound(10**7, 5) == pytest.approx(stats.norm.isf(stats.norm.sf(3) / 5), abs=1e-4)
    assert bound(1, 1) == math.inf


@pytest.mark.parametrize(("n_datasets", "n_metrics"), [(8, 1), (50, 5)])
def test_true_nulls_are_refused_in_a_quarter_of_a_percent(rng, n_datasets, n_metrics):
    """On independent metrics; the bound is 4.5 standard errors of the share, which a plain 3 would exceed."""
    n_times, rate = 2000, 2 * stats.norm.sf(3)
    refused = sum(
        not all(
            found.null_holds
            for found in metric_differences(scores(rng.normal(size=(n_datasets, n_metrics))), NAMES[:n_metrics])
        )
        for _ in range(n_times)
    )
    assert refused <= n_times * rate + 4.5 * math.sqrt(n_times * rate)


def test_a_false_null_is_refused_on_its_metric_alone(rng):
    d = rng.normal(size=(400, 3)) - rng.normal(size=(400, 3)) @ np.zeros((3, 3))
    d -= d.mean(axis=0)
    d[:, 1] += 5 * d[:, 1].std(ddof=1) / 20
    found = metric_differences(scores(d), NAMES[:3])
    assert [row.null_holds for row in found] == [True, False, True]
    assert found[1].distance == pytest.approx(5)


def test_models_that_never_differ_are_equal_and_those_that_always_do_are_not():
    same, other, unknown = metric_differences(scores(np.tile([0.0, 0.1, np.nan], (20, 1))), NAMES[:3])
    assert same.null_holds
    assert same.distance == 0
    assert not other.null_holds
    assert other.distance == math.inf
    assert not unknown.null_holds
    assert math.isnan(unknown.difference)
    assert str(unknown).startswith("c: mean difference not known, data sets 0")
    assert _not_a_null(unknown, None) == "MISSING_SCORES: c is undefined on all data sets."
