"""Many models on the splits of one data set: the tests of tables of data sets with the variance of splits."""

import itertools
import pickle
import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy import stats

from skcompare import StudyResult, from_frame
from skcompare.inference import anova_test, corrected_t_test, friedman_test, nemenyi_test, tukey_test
from tests.lawful import codes

FRACTION = 0.1
TESTS = {
    "anova": anova_test,
    "spherical": partial(anova_test, sphericity=None),
    "friedman": friedman_test,
    "tukey": tukey_test,
    "nemenyi": nemenyi_test,
    "nemenyi, Holm": partial(nemenyi_test, correction="holm"),
}
EVERY = pytest.mark.parametrize("test", TESTS.values(), ids=TESTS)
OMNIBUS = pytest.mark.parametrize("test", [anova_test, friedman_test])


def table(rng, n=10, k=5, better=0.0):
    scores = rng.normal(0.8, 0.05, (n, 1)) + rng.normal(0, 0.03, (n, k))
    scores[:, 0] += better
    return scores


def found(record):
    """All p-values of a record."""
    return np.atleast_1d(record.pvalue if hasattr(record, "pvalue") else record.pvalues[np.triu_indices(5, 1)])


def result_of(scores, design):
    """A table of scores as an evaluation, folds by repeat."""
    folds, (n, k) = design[1], scores.shape
    places = np.tile(np.arange(n), k)
    made = {"model": np.repeat([f"m{j}" for j in range(k)], n), "repeat": places // folds, "fold": places % folds}
    return from_frame({**made, "score": scores.T.ravel()})


# Special cases that are known


@EVERY
def test_without_a_test_fraction_nothing_is_corrected(test, rng):
    scores = table(rng)
    assert repr(test(scores, test_fraction=0.0)) == repr(test(scores))
    assert repr(test(scores, overlap=0.4)) == repr(test(scores))
    without = test(scores, test_fraction=FRACTION, overlap=0.0)
    np.testing.assert_allclose(found(without), found(test(scores)), rtol=1e-12)
    assert (without.case, test(scores).case) == ("split", "data set")


@pytest.mark.parametrize("overlap", [1.0, 0.4])
def test_f_is_divided_by_the_factor_of_the_variance(overlap, rng):
    scores, factor = table(rng), 1 + 10 * overlap * FRACTION / (1 - FRACTION)
    for test in (anova_test, friedman_test):
        plain, corrected = test(scores), test(scores, test_fraction=FRACTION, overlap=overlap)
        assert corrected.statistic == pytest.approx(plain.statistic / factor, rel=1e-12)
        assert corrected.df == plain.df
        assert corrected.pvalue == pytest.approx(stats.f.sf(corrected.statistic, *plain.df), rel=1e-9)
        assert corrected.effect_size == plain.effect_size
    plain, corrected = tukey_test(scores), tukey_test(scores, test_fraction=FRACTION, overlap=overlap)
    np.testing.assert_allclose(corrected.statistics, plain.statistics / factor**0.5, rtol=1e-12)
    assert corrected.critical_difference == pytest.approx(plain.critical_difference * factor**0.5, rel=1e-12)


def test_two_models_are_the_corrected_t_test(rng):
    scores = table(rng, k=2, better=0.02)
    for overlap in (1.0, 0.4):
        options = {"test_fraction": FRACTION, "overlap": overlap}
        t = corrected_t_test(*scores.T, test_fraction=overlap * FRACTION / (1 - FRACTION + overlap * FRACTION))
        assert anova_test(scores, **options).statistic == pytest.approx(t.statistic**2, rel=1e-9)
        assert anova_test(scores, **options).pvalue == pytest.approx(t.pvalue, rel=1e-9)
        tukey = tukey_test(scores, **options)
        assert tukey.pvalues[0, 1] == pytest.approx(t.pvalue, rel=1e-9)
        limits, peer = tukey.confidence_interval(0.9), t.confidence_interval(0.9)
        assert (limits.low[0, 1], limits.high[0, 1]) == pytest.approx((peer.low, peer.high), rel=1e-6)


def test_friedmans_f_is_the_analysis_of_variance_of_the_ranks(rng):
    scores = np.round(table(rng), 2)  # with ties
    ranks = stats.rankdata(-scores, axis=1)
    for options in ({}, {"test_fraction": FRACTION}):
        friedman, anova = friedman_test(scores, **options), anova_test(ranks, sphericity=None, **options)
        assert friedman.statistic == pytest.approx(anova.statistic, rel=1e-9)
        assert friedman.pvalue == pytest.approx(anova.pvalue, rel=1e-9)


def test_nemenyis_variance_is_that_of_a_mean_of_correlated_ranks():
    """By simulation of ranks with a known correlation of the splits: normal scores that share a part."""
    rng, n, k, shared = np.random.default_rng(0), 10, 4, 0.3
    common, own = rng.normal(size=(4000, 1, k)), rng.normal(size=(4000, n, k))
    ranks = stats.rankdata(shared**0.5 * common + (1 - shared) ** 0.5 * own, axis=2)
    correlation = np.corrcoef(ranks[:, 0].ravel(), ranks[:, 1].ravel())[0, 1]
    spread = (ranks[:, :, 0] - ranks[:, :, 1]).mean(axis=1).std()
    record = nemenyi_test(ranks[0], test_fraction=correlation)
    assert record.standard_error * 2**0.5 == pytest.approx(spread, rel=0.06)  # more than 4 standard errors of each


# What a result gives


@pytest.mark.parametrize("design", [(1, 10), (1, 5), (10, 10)])
def test_a_result_sets_the_correction_of_its_default_test(design, rng):
    repeats, folds = design
    scores = table(rng, n=repeats * folds)
    result, options = result_of(scores, design), {"test_fraction": 1 / folds, "overlap": 0.4 if repeats == 1 else 1.0}
    for name in ("anova", "friedman", "tukey", "nemenyi"):
        record, own = result.test(name), TESTS[name](scores, **options)
        np.testing.assert_allclose(found(record), found(own), rtol=1e-9)
        assert f"on {repeats * folds} splits" in str(record).replace("\n", " ")
        assert "data set" not in str(record)
        assert f"test fraction {1 / folds:.3g}" in record.method
        assert ("0.4 of the correction" in record.method) == (repeats == 1)
        with pytest.raises(ValueError, match=f"test_fraction is set by the design for '{name}_test'"):
            result.test(name, test_fraction=0.5)


def test_a_result_with_two_models_agrees_with_its_default_test(rng):
    for design in ((1, 10), (1, 5), (10, 10), (5, 2)):
        result = result_of(table(rng, n=design[0] * design[1], k=2, better=0.02), design)
        expected = result.test().pvalue
        assert result.test("anova").pvalue == pytest.approx(expected, rel=1e-9)
        assert result.test("tukey").pvalues[0, 1] == pytest.approx(expected, rel=1e-9)


def test_less_is_better_where_the_metric_says_so(rng):
    scores = table(rng, better=0.3)
    made = {"model": np.repeat([f"m{j}" for j in range(5)], 10), "fold": np.tile(np.arange(10), 5)}
    result = from_frame({**made, "score": -scores.T.ravel()}, greater_is_better=False)
    assert (result.test("tukey").estimates[0, 1:] > 0).all()
    assert result.test("friedman").means.argmin() == 0
    np.testing.assert_allclose(found(result.test("nemenyi")), found(result_of(scores, (1, 10)).test("nemenyi")))


def test_a_fold_that_failed_is_left_out_and_the_record_says_so(rng):
    result = result_of(table(rng), (1, 10))
    scores = result.scores.copy()
    scores[2, 3] = np.nan
    for name in ("anova", "friedman", "tukey", "nemenyi"):
        record = replace(result, scores=scores).test(name)
        assert record.n == 9
        assert "MISSING_SCORES" in codes(record)


def test_a_study_sets_its_rows_for_independent(rng):
    study = StudyResult.from_frame(
        {
            "dataset": np.repeat([f"d{i}" for i in range(6)], 15),
            "model": np.tile(np.repeat(["a", "b", "c"], 5), 6),
            "fold": np.tile(np.arange(5), 18),
            "score": rng.normal(size=90),
        }
    )
    for name in ("anova", "friedman", "tukey", "nemenyi"):
        assert "on 6 data sets" in str(study.test(name)).replace("\n", " ")
        with pytest.raises(ValueError, match="test_fraction is set by the study"):
            study.test(name, test_fraction=0.2)


# Percent of five splits; of the first table anova_test has p = 0.048 and tukey_test 0.064 at least, of the second 0.056
# and 0.008.
TOGETHER_ONLY = [[77, 67, 76, 72], [78, 72, 73, 73], [81, 77, 80, 74], [80, 75, 76, 70], [72, 72, 75, 74]]
A_PAIR_ONLY = [[85, 85, 83, 77], [79, 77, 79, 70], [86, 79, 81, 80], [83, 82, 84, 78], [84, 75, 78, 78]]


@pytest.mark.parametrize(("scores", "together"), [(TOGETHER_ONLY, True), (A_PAIR_ONLY, False)])
def test_the_omnibus_may_be_significant_where_no_pair_is_and_the_other_way_round(scores, together):
    options = {"test_fraction": FRACTION, "overlap": 0.4}
    assert (anova_test(scores, **options).pvalue < 0.05) == together
    assert (tukey_test(scores, **options).pvalues < 0.05).any() != together


# What they say


def test_the_best_model_stands_first_whatever_better_means(rng):
    scores = table(rng)[:, :3] + [0.0, 0.1, 0.2]
    more, less = (anova_test(scores, names=list("abc"), greater_is_better=better) for better in (True, False))
    assert [row[0] for row in more._tables()[0].rows] == ["c", "b", "a"]
    assert [row[0] for row in less._tables()[0].rows] == ["a", "b", "c"]
    assert "mean score, less is better" in str(less)
    assert (more.means == less.means).all()
    assert (more.means_of, less.means_of) == ("score", "score, less is better")


def test_intervals_that_hold_at_once_are_printed():
    # three algorithms with five scores each: scipy 1.17.1 tukey_hsd, B less A 0.9508 to 8.2492
    scores = np.array([[24.5, 23.5, 26.4, 27.1, 29.9], [28.4, 34.2, 29.5, 32.2, 30.1], [26.1, 28.3, 24.3, 26.2, 27.8]])
    record = tukey_test(scores.T, repeated=False, names=["A", "B", "C"])
    assert re.search(r"A  B +-4.6 +\[-8.249, -0.951\] +0.014", str(record))
    assert re.search(r"1 and 2 +-8.249 +-0.9508", str(record.confidence_interval()))
    assert "interval" not in str(nemenyi_test(scores.T, correction="holm"))  # which has none


@EVERY
def test_of_one_split_nothing_is_claimed(test, rng):
    text = str(test(table(rng, n=1), test_fraction=FRACTION))
    assert text.startswith("It is not known w")
    assert "significantly" not in text


# Laws


@EVERY
def test_order_units_and_names_do_not_matter(test, rng):
    scores = np.round(table(rng, better=0.02), 3)
    record = test(scores, test_fraction=FRACTION)
    for other in (scores[rng.permutation(10)], scores * 1e150, scores * 1e-150, scores + 3.0):
        np.testing.assert_allclose(found(test(other, test_fraction=FRACTION)), found(record), rtol=1e-6)
    turned = test(-scores, greater_is_better=False, test_fraction=FRACTION)
    np.testing.assert_allclose(found(turned), found(record), rtol=1e-9)
    order = rng.permutation(5)
    moved = test(scores[:, order], test_fraction=FRACTION)
    np.testing.assert_allclose(np.sort(found(moved)), np.sort(found(record)), rtol=1e-6)
    again = test(scores.tolist(), test_fraction=FRACTION)
    np.testing.assert_array_equal(found(again), found(record))
    assert repr(pickle.loads(pickle.dumps(record))) == repr(record)


@EVERY
def test_more_correction_never_finds_more(test, rng):
    scores = table(rng, better=0.05)
    parts = [found(test(scores, test_fraction=FRACTION, overlap=part)) for part in (0.0, 0.2, 0.4, 1.0)]
    assert all((more >= less - 1e-12).all() for less, more in itertools.pairwise(parts))


# Nothing to compute


@EVERY
def test_models_that_are_equal_on_every_split_do_not_differ(test):
    record = test(np.linspace(0.1, 0.9, 6)[:, None] * np.ones(5), test_fraction=FRACTION)
    assert (found(record) == 1).all()
    assert "NO_DIFFERENCE: the models have equal scores on every split." in record.warnings


@EVERY
def test_one_split_is_too_few(test):
    record = test([[1.0, 2.0, 3.0, 4.0, 5.0]], test_fraction=FRACTION)
    assert np.isnan(found(record)).all()
    assert "TOO_LITTLE_DATA: a test needs at least 2 splits: collect more." in record.warnings


def test_splits_that_rank_the_models_alike_count_as_what_they_are_worth():
    scores = np.arange(3.0) + np.linspace(0, 0.5, 5)[:, None]
    record = friedman_test(scores, test_fraction=0.2)
    worth = 1 / (1 / 5 + 0.25)
    assert record.pvalue == pytest.approx(6.0 ** -(worth - 1))
    assert (record.statistic, record.exact) == (np.inf, False)
    assert "ZERO_VARIANCE" in codes(record)
    assert friedman_test(scores[:2], test_fraction=0.5).pvalue == 1  # two halves are worth less than one split
    assert anova_test(scores, test_fraction=0.2).pvalue == 0


def test_few_splits_say_that_they_cannot_reject():
    scores = np.arange(2.0) + np.linspace(0, 0.5, 3)[:, None]
    for test in (friedman_test, nemenyi_test):
        told = next(w for w in test(scores, test_fraction=1 / 3).warnings if w.code == "CANNOT_REJECT")
        assert "on 3 splits cannot give p < 0.05" in told
    assert "CANNOT_REJECT" not in codes(nemenyi_test(np.arange(5.0) + np.zeros((100, 1)), test_fraction=0.1))


# What is refused


@pytest.mark.parametrize("test", [anova_test, friedman_test, tukey_test, nemenyi_test])
def test_options_out_of_range_are_refused_by_name(test, rng):
    for name, values in (("test_fraction", (1, -0.1, "x", None, True)), ("overlap", (1.1, -0.1, np.nan, None))):
        for value in values:
            with pytest.raises(ValueError, match=f"^{name} must"):
                test(table(rng), **{name: value})


def test_what_rests_on_independent_rows_is_refused(rng):
    scores = table(rng)
    for test in (anova_test, tukey_test):
        with pytest.raises(ValueError, match=r"^repeated must be True on splits"):
            test(scores, repeated=False, test_fraction=FRACTION)
    for options in ({"statistic": "chi2"}, {"method": "exact"}, {"method": "auto"}):
        with pytest.raises(ValueError, match=f"^{next(iter(options))} must be .* on splits"):
            friedman_test(scores, test_fraction=FRACTION, **options)
    result = result_of(scores, (1, 10))
    with pytest.raises(ValueError, match=r"^statistic must be 'f' on splits"):
        result.test("friedman", statistic="chi2")
    with pytest.raises(ValueError, match="'quade_test' is for several data sets"):
        result.test("quade")


# Size: equal models are not called different, and a bad one is found


@OMNIBUS
def test_equal_models_on_correlated_splits_keep_their_level_and_uncorrected_do_not(test):
    """Splits that share training samples as the correction takes them to: a part in common of the test fraction."""
    rng, n, fraction = np.random.default_rng(0), 200, 0.2
    common, own = rng.normal(size=(n, 1, 4)), rng.normal(size=(n, 10, 4))
    tables = fraction**0.5 * common + (1 - fraction) ** 0.5 * own
    rejected = {
        part: np.mean([test(x, test_fraction=fraction, overlap=part).pvalue < 0.05 for x in tables]) for part in (0, 1)
    }
    assert rejected[1] < 0.05 + 4 * (0.05 * 0.95 / n) ** 0.5
    assert rejected[0] > 0.3


def test_one_bad_model_of_five_is_found_and_the_equal_ones_are_not(rng):
    result = result_of(table(rng, better=-0.3), (1, 10))
    assert result.test("anova").pvalue < 0.001
    assert result.test("friedman").pvalue < 0.05
    for name in ("tukey", "nemenyi"):
        record = result.test(name)
        worse = (record.pvalues < 0.05) & (record.estimates > 0)
        if name == "tukey":
            assert worse[1:, 0].all()
        assert not worse[:, 1:].any() or name == "tukey"
