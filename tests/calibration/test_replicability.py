"""Replicability: Bouckaert's R and the consistency, by hand and on simulated data."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from sklearn.model_selection import KFold

from skcompare.calibration import ExchangeableBlocks, replicability, size
from skcompare.calibration._size import agreement, replicability_of
from skcompare.inference import proportion_interval
from tests.calibration.cheap_learners import MeanDifference

BLOCKS = ExchangeableBlocks(n_samples=40)


def verdicts(*counts, n=10):
    """P-values of which so many of n reject."""
    return np.array([[0.01] * count + [0.5] * (n - count) for count in counts])


def test_r_of_some_counts_by_hand():
    """R(3, 10) = (3 * 2 + 7 * 6) / 90 and R(5, 10) = (5 * 4 + 5 * 4) / 90."""
    found = replicability_of([0, 3, 5, 7, 10], 10)
    np.testing.assert_allclose(found, [1, 48 / 90, 40 / 90, 48 / 90, 1])


@pytest.mark.parametrize("n", [2, 3, 7])
def test_r_is_the_share_of_pairs_of_repeats_that_agree(n):
    for count in range(n + 1):
        rejects = [True] * count + [False] * (n - count)
        pairs = [a == b for a, b in itertools.combinations(rejects, 2)]
        assert replicability_of(count, n) == pytest.approx(sum(pairs) / len(pairs))


def test_means_over_data_sets_and_consistency_by_hand():
    found = agreement("t", "accuracy", verdicts(0, 3, 5, 10), 0.05, 0.95)
    values = np.array([1, 48 / 90, 40 / 90, 1])
    assert found.replicability == pytest.approx(values.mean())
    assert found.consistency == 0.5
    assert found.rejected == pytest.approx(18 / 40)
    # 3.182446 is the 97.5% quantile of t with 3 degrees of freedom
    assert found.low == pytest.approx(values.mean() - 3.182446 * values.std(ddof=1) / 2)
    assert found.high == 1
    interval = proportion_interval(2, 4, method="clopper_pearson")
    assert (found.consistency_low, found.consistency_high) == (interval.low, interval.high)


def test_where_all_data_sets_agree_the_interval_is_no_point():
    found = agreement("t", "accuracy", verdicts(0, 10, 10, 0), 0.05, 0.95)
    assert found.replicability == found.high == 1
    assert found.low == proportion_interval(4, 4, method="clopper_pearson").low


def test_data_sets_without_all_p_values_are_left_out_and_told():
    pvalues = verdicts(0, 5)
    pvalues[0, 3] = np.nan
    found = agreement("t", "accuracy", pvalues, 0.05, 0.95)
    assert (found.n_datasets, found.n_undefined) == (1, 1)
    assert found.replicability == pytest.approx(40 / 90)
    assert found.warnings[0].startswith(
        "MISSING_SCORES: t on accuracy gave no p-value in some repeat of 1 of 2 data sets"
    )
    nothing = agreement("t", "accuracy", np.full((2, 3), np.nan), 0.05, 0.95)
    assert math.isnan(nothing.replicability)


def test_the_first_repeat_is_that_of_size_and_the_others_differ():
    procedures, given = ["corrected_t_test", "mcnemar_test"], {"models": MeanDifference(), "n_datasets": 6}
    found = replicability(procedures, "2x2", BLOCKS, "accuracy", n_repeats=4, **given)
    once = size(procedures, "2x2", BLOCKS, "accuracy", **given)
    assert found.pvalues.shape == (2, 6, 4)
    np.testing.assert_array_equal(found.pvalues[:, :, 0], once.pvalues)
    assert all(len(set(own)) > 1 for own in found.pvalues[0])
    fewer = replicability(procedures, "2x2", BLOCKS, "accuracy", n_repeats=2, **given)
    np.testing.assert_array_equal(found.pvalues[:, :, :2], fewer.pvalues)


def test_it_is_a_record_that_prints_and_goes_into_frames():
    found = replicability("auto", "5x2", BLOCKS, "accuracy", models=MeanDifference(), n_datasets=2, n_repeats=2)
    assert "two runs agree in" in str(found)
    assert found._repr_html_().count("<tr>") == 2
    assert list(found.to_frame()["consistency"]) == [found[0].consistency]
    assert found.at(0.5)[0].rejected == (found.pvalues[0] < 0.5).mean()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_repeats": 1}, "n_repeats must be"),
        ({"n_datasets": 1}, "n_datasets must be"),
        ({"design": KFold(5)}, r"design must draw other splits every time; got KFold\("),
        ({"design": [([0], [1])]}, "design must draw other splits every time; got"),
        ({"alpha": 1.5}, r"alpha must be a number in \(0, 1\); got 1.5"),
    ],
)
def test_bad_input_is_refused_by_name(given, message):
    arguments = {"procedure": "auto", "design": "2x2", "generator": BLOCKS, "models": MeanDifference(), **given}
    with pytest.raises(ValueError, match=message):
        replicability(**arguments)
