"""Contrasts of many models on the same splits: reference values, special cases, laws, what is refused."""

import numpy as np
import pytest
from scipy import stats

from skcompare.inference import anova_test, contrast_test, corrected_t_test
from tests.lawful import assert_lawful, codes

FRACTION = 0.2
# The three groups of a textbook example of analysis of variance, as in test_omnibus.py, taken as models on five splits
GROUPS = np.transpose([[24.5, 23.5, 26.4, 27.1, 29.9], [28.4, 34.2, 29.5, 32.2, 30.1], [26.1, 28.3, 24.3, 26.2, 27.8]])
HELMERT = [[1.0, -1.0, 0.0], [1.0, 1.0, -2.0]]
RECTANGLE = [1.0, -1.0, -1.0, 1.0]


def table(rng, n=10, k=4):
    return rng.normal(0.8, 0.05, (n, 1)) + rng.normal(0, 0.03, (n, k))


def run(scores, contrasts, **options):
    return contrast_test(scores, contrasts, **{"test_fraction": FRACTION, **options})


# Reference values


def test_all_contrasts_of_independent_rows_are_the_repeated_measures_analysis():
    # statsmodels 0.15.0 AnovaRM: F(2, 8) = 7.3710627; Greenhouse and Geisser's epsilon .6567956, p = .0357419 by
    # their formula, apart from this code
    result = contrast_test(GROUPS, HELMERT, test_fraction=0)
    assert result.statistic == pytest.approx(7.3710627, rel=1e-7)
    assert result.df == pytest.approx((2 * 0.6567956, 8 * 0.6567956), rel=1e-6)
    assert result.pvalue == pytest.approx(0.0357419, abs=5e-8)


def test_statsmodels_has_the_same_statistic(rng):
    pandas = pytest.importorskip("pandas")
    anova = pytest.importorskip("statsmodels.stats.anova")
    scores = table(rng)
    places = np.indices(scores.shape)
    frame = pandas.DataFrame({"split": places[0].ravel(), "model": places[1].ravel(), "score": scores.ravel()})
    peer = anova.AnovaRM(frame, "score", "split", within=["model"]).fit().anova_table.iloc[0]
    result = contrast_test(scores, np.eye(4)[:3] - 0.25, test_fraction=0)
    assert result.statistic == pytest.approx(peer["F Value"], rel=1e-8)


def test_one_contrast_is_the_corrected_t_test_of_the_combination(rng):
    scores = table(rng)
    for row in (RECTANGLE, [1, -1, 0, 0], [0.25, 0.25, 0.5, -1]):
        for options in ({}, {"overlap": 0.4}, {"test_fraction": 0.0}):
            given = {"test_fraction": FRACTION, **options}
            result = contrast_test(scores, [row], **given)
            t = corrected_t_test(scores @ row, np.zeros(10), test_fraction=given["test_fraction"])
            if "overlap" not in options:
                assert result.pvalue == pytest.approx(t.pvalue, rel=1e-9)
                assert result.statistic == pytest.approx(t.statistic**2, rel=1e-9)
                limits, peer = result.confidence_interval(0.9)[0], t.confidence_interval(0.9)
                assert (limits.low, limits.high) == pytest.approx((peer.low, peer.high), rel=1e-9)
            assert result.pvalues[0] == pytest.approx(result.pvalue, rel=1e-9)
            assert result.estimates[0] == pytest.approx(t.estimate, rel=1e-9)


def test_an_interaction_by_hand():
    # contrasts .02, .04, .00: mean .02, variance 4e-4, corrected by 1/3 + 1/2; t = .02 / sqrt(4e-4 * 5/6) on 2 df
    scores = np.array([[0.02, 0, 0, 0], [0.04, 0, 0, 0], [0.0, 0, 0, 0]])
    result = contrast_test(scores, [RECTANGLE], test_fraction=1 / 3)
    assert result.standard_errors[0] == pytest.approx((4e-4 * 5 / 6) ** 0.5)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(1.2**0.5, 2))


# Laws


def test_the_rows_matter_only_by_what_they_span(rng):
    scores = table(rng)
    rows = np.array([[1.0, -1, 0, 0], [0, 0, 1, -1]])
    one = run(scores, rows)
    for other in (rows[::-1], 1e30 * rows, 1e-30 * rows, [[1, -1, 1, -1], [1, -1, -1, 1]]):
        turned = run(scores, other)
        assert turned.statistic == pytest.approx(one.statistic, rel=1e-9)
        assert turned.pvalue == pytest.approx(one.pvalue, rel=1e-9)
        assert turned.df == pytest.approx(one.df, rel=1e-9)


def test_units_order_and_what_a_split_adds_do_not_matter(rng):
    scores = table(rng)
    result, rows = run(scores, [RECTANGLE, [1, 0, -1, 0]]), [RECTANGLE, [1, 0, -1, 0]]
    for factor in (1e-150, 1e150, -1.0):
        other = run(scores * factor, rows)
        assert other.pvalues == pytest.approx(result.pvalues, rel=1e-9)
        assert other.pvalue == pytest.approx(result.pvalue, rel=1e-9)
        assert other.estimates == pytest.approx(result.estimates * factor, rel=1e-9)
        assert other.standard_errors == pytest.approx(result.standard_errors * abs(factor), rel=1e-9)
    for other in (scores[rng.permutation(10)], scores + np.arange(10.0)[:, None]):
        assert run(other, rows).pvalue == pytest.approx(result.pvalue, rel=1e-7)


def test_an_interval_leaves_out_0_exactly_where_its_contrast_is_significant(rng):
    for _ in range(20):
        result = run(table(rng) + np.array([0.03, 0, 0, 0]), [RECTANGLE, [1, -1, 0, 0]], test_fraction=0.05)
        for level in (0.5, 0.9, 0.95):
            for p, limits in zip(result.pvalues, result.confidence_interval(level), strict=True):
                assert (p < 1 - level) == (not limits.low <= 0 <= limits.high)


def test_the_laws_of_every_record_which_says_how_it_was_found(rng):
    scores, rows = table(rng), np.array([RECTANGLE])
    assert "significantly different from 0" in str(assert_lawful(run, scores, rows))
    assert "test fraction 0.2, 0.4 of the correction" in run(scores, rows, overlap=0.4).method


def test_all_differ_together_while_none_does_alone_and_the_other_way_round():
    rng = np.random.default_rng(3)
    together, alone = set(), set()
    for _ in range(200):
        scores = rng.normal([0.9, 0.0, -0.9], 1, (10, 3))
        result = contrast_test(scores, [[1, -1, 0], [0, 1, -1]], test_fraction=0)
        together.add((result.pvalue < 0.05, (result.pvalues < 0.05).any()))
    for _ in range(200):
        scores = rng.normal([0.7, -0.7, 0.0, 0.0, 0.0], 1, (10, 5))
        rows = np.array([[1, -1, 0, 0, 0], [0, 0, 1, -1, 0], [1, 1, -1, -1, 0]])
        result = contrast_test(scores, rows, test_fraction=0)
        alone.add((result.pvalue < 0.05, (result.pvalues < 0.05).any()))
    assert (True, False) in together
    assert (False, True) in alone


# Nothing to compute


def test_models_that_are_equal_on_every_split_do_not_differ():
    for scores in (np.full((5, 3), 0.7), np.linspace(0, 1, 5)[:, None] * np.ones(3), 0.1 * np.full((5, 3), 3) + 1e-17):
        result = run(scores, HELMERT)
        assert (result.statistic, result.pvalue) == (0, 1)
        assert result.pvalues.tolist() == [1, 1]
        assert codes(result) == ["NO_DIFFERENCE"]
        assert all((limits.low, limits.high) == (0, 0) for limits in result.confidence_interval())


def test_rounding_is_no_variance():
    scores = np.linspace(0.1, 0.9, 7)[:, None] + np.array([0.1, 0.2, 0.3])
    result = run(scores, HELMERT)
    assert (result.statistic, result.pvalue) == (np.inf, 0)
    assert codes(result) == ["ZERO_VARIANCE"]
    assert result.standard_errors.tolist() == [0, 0]
    assert result.estimates == pytest.approx([-0.1, -0.3])


def test_of_contrasts_that_do_not_vary_the_others_are_tested(rng):
    scores = table(rng, k=3)
    scores[:, 1] = scores[:, 0] + 0.1
    result = run(scores, [[1, -1, 0], [1, 0, -1]])
    assert result.pvalues[0] == 0
    assert 0 < result.pvalues[1] <= 1
    assert 0 <= result.pvalue < 1
    assert result.warnings == (
        "ZERO_VARIANCE: contrast 1 does not vary over the splits, so nothing tells how sure the estimate is.",
    )


def test_one_split_has_no_test():
    result = run([[0.1, 0.2, 0.4]], HELMERT)
    assert np.isnan([result.statistic, result.pvalue, *result.df, *result.pvalues]).all()
    assert result.estimates == pytest.approx([-0.1, -0.5])
    assert result.warnings == ("TOO_LITTLE_DATA: a test needs at least 2 splits.",)
    assert all(np.isnan(limits.low) for limits in result.confidence_interval())


def test_options_out_of_range_are_refused_by_name(rng):
    scores = table(rng)
    for name, value in (("test_fraction", 1), ("test_fraction", -0.1), ("overlap", 1.1), ("overlap", "x")):
        with pytest.raises(ValueError, match=f"^{name} must"):
            run(scores, [RECTANGLE], **{name: value})
    with pytest.raises(ValueError, match=r"^confidence_level must"):
        run(scores, [RECTANGLE]).confidence_interval(95)
    with pytest.raises(ValueError, match=r"^scores must have a column per model"):
        run(scores[:, :1], [[0.0]])
    with pytest.raises(ValueError, match="got 4 rows, of which 3 are independent"):
        run(scores, np.eye(4) - 0.25)


def test_weights_that_sum_to_0_up_to_rounding_are_taken(rng):
    scores = table(rng, k=3)
    assert run(scores, [[0.1, 0.2, -0.3]]).pvalue == pytest.approx(run(scores, [[1, 2, -3]]).pvalue, rel=1e-9)


# Size


@pytest.mark.sampled("simulations")
@pytest.mark.slow
def test_equal_models_have_no_interaction_in_all_but_5_percent_of_independent_tables(rng):
    n = 2000
    found = sum(contrast_test(table(rng), [RECTANGLE], test_fraction=0).pvalue < 0.05 for _ in range(n))
    assert abs(found / n - 0.05) < 5 * (0.05 * 0.95 / n) ** 0.5


def test_all_models_are_the_analysis_of_variance_on_splits(rng):
    scores = table(rng)
    whole, anova = run(scores, np.eye(4)[:3] - 0.25), anova_test(scores, test_fraction=FRACTION)
    assert (whole.statistic, whole.pvalue) == pytest.approx((anova.statistic, anova.pvalue), rel=1e-9)
    assert whole.df == pytest.approx(anova.df, rel=1e-9)
