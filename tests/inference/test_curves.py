"""Curves and costs: reference values, and scikit-learn as an independent implementation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import precision_recall_curve, roc_auc_score, roc_curve

from skcompare import inference


@st.composite
def labelled_scores(draw, n_scores=1):
    """Labels of both classes, and scores with many ties."""
    n = draw(st.integers(2, 25))
    y = draw(hnp.arrays(np.int64, n, elements=st.integers(0, 1)).filter(lambda y: 0 < y.sum() < len(y)))
    scores = [draw(hnp.arrays(np.float64, n, elements=st.integers(0, 6).map(float))) for _ in range(n_scores)]
    return (y, *scores)


@given(labelled_scores())
def test_roc_points_are_those_of_scikit_learn(data):
    y, score = data
    curve = inference.roc_points(y, score)
    fpr, tpr, thresholds = roc_curve(y, score, drop_intermediate=False)
    np.testing.assert_allclose(curve.false_positive_rate, fpr)
    np.testing.assert_allclose(curve.true_positive_rate, tpr)
    np.testing.assert_array_equal(curve.thresholds, thresholds)
    assert curve.area == pytest.approx(roc_auc_score(y, score))


@given(labelled_scores())
def test_precision_recall_points_are_those_of_scikit_learn(data):
    y, score = data
    curve = inference.precision_recall_points(y, score)
    precision, recall, thresholds = precision_recall_curve(y, score)
    np.testing.assert_allclose(curve.precision, precision[:-1][::-1])
    np.testing.assert_allclose(curve.recall, recall[:-1][::-1])
    np.testing.assert_array_equal(curve.thresholds, thresholds[::-1])


@given(labelled_scores())
def test_the_hull_is_concave_and_nowhere_below_the_curve(data):
    curve = inference.roc_points(*data)
    hull = curve.hull()
    slopes = np.diff(hull.true_positive_rate) / np.maximum(np.diff(hull.false_positive_rate), 1e-300)
    assert (np.diff(slopes) <= 1e-9 * np.abs(slopes[:-1])).all()
    grid = np.linspace(0, 1, 41)
    assert (hull.at(grid) >= curve.at(grid) - 1e-12).all()


def test_the_curve_is_read_off_along_its_steps():
    curve = inference.roc_points([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0])  # up, right, up, right
    assert curve.at([0.0, 0.25, 0.5, 0.75, 1.0]).tolist() == [0.5, 0.5, 1.0, 1.0, 1.0]
    assert curve.before([0.0, 0.25, 0.5, 1.0]).tolist() == [0.0, 0.5, 0.5, 1.0]
    tied = inference.roc_points([1, 0], [1.0, 1.0])
    assert tied.at(0.25) == 0.25
    with pytest.raises(ValueError, match=r"false_positive_rate must be in \[0, 1\]; got -1 to -1"):
        curve.at(-1)


@given(labelled_scores(2))
def test_dominance_agrees_with_the_curves_on_a_fine_grid(data):
    y, a, b = data
    result = inference.roc_dominance(y, a, b)
    curve_a, curve_b = inference.roc_points(y, a), inference.roc_points(y, b)
    grid = np.union1d(np.linspace(0, 1, 997), np.r_[curve_a.false_positive_rate, curve_b.false_positive_rate])
    gap = np.r_[curve_a.at(grid) - curve_b.at(grid), curve_a.before(grid) - curve_b.before(grid)]
    if result.verdict in ("a", "equal"):
        assert gap.min() >= -1e-9
    if result.verdict in ("b", "equal"):
        assert gap.max() <= 1e-9
    if result.verdict == "crossing":
        assert gap.min() < 0 < gap.max()
        assert len(result.crossings) > 0
    else:
        assert len(result.crossings) == 0
        assert np.sign(round(result.area_difference, 12)) == {"a": 1, "b": -1, "equal": 0}[result.verdict]


@given(labelled_scores(2))
def test_swapping_the_models_mirrors_dominance(data):
    y, a, b = data
    one, other = inference.roc_dominance(y, a, b), inference.roc_dominance(y, b, a)
    mirror = {"a": "b", "b": "a", "equal": "equal", "crossing": "crossing"}
    assert (other.verdict, other.hull_verdict) == (mirror[one.verdict], mirror[one.hull_verdict])
    np.testing.assert_allclose(other.crossings, one.crossings, atol=1e-12)
    assert other.area_difference == -one.area_difference


@given(labelled_scores(2), st.floats(0.05, 0.95))
def test_a_dominating_hull_costs_no_more_at_any_cost_ratio(data, share):
    y, a, b = data
    if inference.roc_dominance(y, a, b).hull_verdict == "a":
        costs = {"cost_false_positive": share, "cost_false_negative": 1 - share}
        assert inference.expected_cost(y, a, **costs).cost <= inference.expected_cost(y, b, **costs).cost + 1e-12


def test_a_crossing_is_found_where_the_curves_meet():
    y = np.array([1, 1, 0, 0])
    a = np.array([4.0, 1.0, 3.0, 2.0])  # up to (0, .5), right to (1, .5), up
    b = np.array([2.0, 2.0, 2.0, 1.0])  # diagonally to (.5, 1), then right
    result = inference.roc_dominance(y, a, b)
    assert result.verdict == "crossing"
    np.testing.assert_allclose(result.crossings, [[0.25, 0.5]])


def test_break_even_is_the_precision_among_as_many_as_there_are_positives():
    assert inference.break_even_point([1, 0, 1, 0, 0], [5, 4, 3, 2, 1]) == 0.5
    assert inference.break_even_point([1, 1, 0, 0], [4, 3, 2, 1]) == 1.0
    assert inference.break_even_point([0, 0, 1, 1], [4, 3, 2, 1]) == 0.0
    assert inference.break_even_point([0, 1, 1, 0], [1, 1, 1, 1]) == 0.5  # all tied: the share of positives


def slides_scores():
    """50 of each class at four levels whose thresholds give the three points of the slides, (FPR, TPR) in per cent."""
    positives = np.repeat([4, 3, 2, 1], [38, 44, 13, 5])
    negatives = np.repeat([4, 3, 2, 1], [2, 16, 25, 57])
    return np.r_[np.ones(100), np.zeros(100)], np.r_[positives, negatives].astype(float)


def test_the_curve_of_the_slides():
    # CS478 machine learning slides: thresholds .8, .5, .3 give (.02, .38), (.18, .82), (.43, .95); trapezoid by hand
    y, score = slides_scores()
    curve = inference.roc_points(y, score)
    np.testing.assert_allclose(curve.false_positive_rate, [0, 0.02, 0.18, 0.43, 1])
    np.testing.assert_allclose(curve.true_positive_rate, [0, 0.38, 0.82, 0.95, 1])
    assert curve.area == pytest.approx(0.8768)
    assert len(curve.hull().thresholds) == 5
    youden = inference.expected_cost(y, score)  # equal classes and costs: the least cost is the largest TPR - FPR, .64
    assert (youden.false_positive_rate, youden.true_positive_rate) == (0.18, 0.82)
    assert youden.cost == pytest.approx((1 - 0.64) / 2)


def test_costs_follow_their_definition():
    y, score = slides_scores()
    result = inference.expected_cost(y, score, cost_false_positive=1, cost_false_negative=9, prevalence=0.1)
    fpr, tpr = np.array([0, 0.02, 0.18, 0.43, 1]), np.array([0, 0.38, 0.82, 0.95, 1])
    by_hand = 9 * 0.1 * (1 - tpr) + 1 * 0.9 * fpr
    np.testing.assert_allclose(result.costs, by_hand)
    assert result.cost == pytest.approx(by_hand.min())
    assert result.theoretical_threshold == 0.1  # Elkan (2001): c_FP / (c_FP + c_FN)
    assert inference.expected_cost(y, score, cost_false_negative=0).threshold == np.inf  # never worth a false alarm


def test_error_reduction_of_the_slides():
    # CS478 machine learning slides: .9990 -> .9999 is .0009 absolute and .90 relative, .50 -> .75 is .25 and .50
    right = np.arange(10_000)
    fine = inference.error_reduction(right >= 1, right >= 10)
    assert fine.absolute == pytest.approx(0.0009)
    assert fine.relative == pytest.approx(0.90)
    coarse = inference.error_reduction(right >= 2500, right >= 5000)
    assert (coarse.absolute, coarse.relative) == (0.25, 0.5)


def test_error_reduction_intervals():
    rng = np.random.default_rng(0)
    b = rng.random(400) < 0.7
    a = b | (rng.random(400) < 0.3)
    result = inference.error_reduction(a, b)
    for interval, estimate in (
        (result.absolute_interval(), result.absolute),
        (result.relative_interval(), result.relative),
    ):
        assert interval.low < estimate < interval.high
        assert interval.low > 0
    same = inference.error_reduction(b, b)
    assert (same.absolute_interval().low, same.absolute_interval().high) == (0, 0)
    assert (same.relative_interval().low, same.relative_interval().high) == (0, 0)
    perfect = inference.error_reduction(np.ones(400, dtype=bool), b)
    assert perfect.relative == 1
    assert perfect.relative_interval().high == 1
    assert perfect.relative_interval().low < 1
    with pytest.raises(ValueError, match=r"confidence_level must be a number in \(0, 1\)"):
        result.absolute_interval(1.0)


def test_an_error_free_model_has_nothing_to_reduce():
    result = inference.error_reduction([True, False], [True, True])
    assert np.isnan(result.relative)
    assert np.isnan(result.relative_interval().low)
    assert result.warnings[0].startswith("NO_DIFFERENCE:")
    assert result.absolute == -0.5


@pytest.mark.parametrize(
    "function",
    [inference.roc_points, inference.precision_recall_points, inference.break_even_point, inference.expected_cost],
)
@pytest.mark.parametrize(
    ("y", "score", "options", "message"),
    [
        ([0, 1], [0.1, np.nan], {}, "score must be finite; got nan at position 1"),
        ([0, 1], [0.1], {}, "y_true and score must be paired, of one length"),
        ([1, 1], [0.1, 0.2], {}, "y_true must hold"),
        ([0, 1, 2], [0.1, 0.2, 0.3], {}, "y_true must hold two labels; got 3"),
        ([0, 1], [0.1, 0.2], {"positive": 5}, "positive must be one of the labels 0, 1; got 5"),
        ([0, 1], ["a", "b"], {}, "score must be an array of numbers"),
    ],
)
def test_bad_input_is_refused_by_name(function, y, score, options, message):
    with pytest.raises(ValueError, match=message):
        function(y, score, **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cost_false_positive": -1}, "cost_false_positive must be a number"),
        ({"cost_false_negative": np.inf}, "cost_false_negative must be a number"),
        ({"cost_false_positive": 0, "cost_false_negative": 0}, "must not both be 0"),
        ({"prevalence": 0}, r"prevalence must be a number in \(0, 1\)"),
    ],
)
def test_bad_costs_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        inference.expected_cost([0, 1], [0.1, 0.2], **options)


@pytest.mark.parametrize("bad", [[0.5, 1], [], [[True]], ["a"], [np.nan]])
def test_outcomes_that_are_not_booleans_are_refused_by_name(bad):
    with pytest.raises(ValueError, match="correct_a must"):
        inference.error_reduction(bad, [True, False])
    with pytest.raises(ValueError, match="correct_a and correct_b must be paired, of one length"):
        inference.error_reduction([True], [True, False])


def test_the_other_label_can_be_the_positive_one():
    y, score = np.array(["no", "yes", "no", "yes"]), np.array([0.1, 0.4, 0.35, 0.8])
    assert inference.roc_points(y, score, positive="no").area == pytest.approx(1 - inference.roc_points(y, score).area)


def test_of_several_best_thresholds_the_largest_is_given():
    # TPR - FPR is .5 at 4 (one hit) and at 2 (two hits, one false alarm)
    assert inference.expected_cost([1, 0, 1, 0], [4.0, 3.0, 2.0, 1.0]).threshold == 4.0


def test_without_an_error_the_lower_limit_is_that_of_half_an_error():
    # log ratio of 1/2 and 8 errors; of the 8 samples that either model gets wrong none is wrong for both
    result = inference.error_reduction([True] * 40, [False] * 8 + [True] * 32)
    spread = 1.959963984540054 * np.sqrt(8 / (0.5 * 8))  # normal quantile .975
    assert result.relative_interval().low == pytest.approx(1 - 0.5 / 8 * np.exp(spread))


def test_curves_that_share_a_piece_cross_in_its_middle():
    y = np.array([1, 1, 1, 1, 0, 0, 0, 0])
    # a: up 2, right 1, up 1, right 3, up 1; b: up 1, right 1, up 2, right 1, up 1, right 2
    a = np.array([8.0, 7.0, 5.0, 1.0, 6.0, 4.0, 3.0, 2.0])
    # they are equal from (1/4, 3/4) to (1/2, 3/4), and part there: b goes up, or straight to the end
    for last in ([3.0, 2.0, 1.0], [2.0, 2.0, 2.0]):
        result = inference.roc_dominance(y, a, [8.0, 6.0, 5.0, last[0], 7.0, 4.0, *last[1:]])
        assert result.verdict == "crossing"
        np.testing.assert_allclose(result.crossings, [[0.375, 0.75]])


@pytest.mark.parametrize("curve", [inference.roc_points, inference.precision_recall_points])
def test_curves_refuse_complex_labels(curve):
    with pytest.raises(ValueError, match="y_true must hold labels"):
        curve(np.array([0, 1, 1, 0]) + 0j, [0.1, 0.8, 0.7, 0.3])
