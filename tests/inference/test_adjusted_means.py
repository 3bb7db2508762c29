"""Tables with gaps: adjusted means, and the tests of models that were run on different data sets."""

from __future__ import annotations

import os
from itertools import permutations
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from skcompare import StudyResult
from skcompare.inference import adjusted_means_test, dataset_t_test

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
SEEDS = st.integers(0, 2**32 - 1)


def drawn(rng, n=20, k=4, gaps=0.3, skill=0.0):
    """Scores of models on data sets of different difficulty, some missing at random, none of a model all."""
    scores = rng.normal(0.7, 0.1, (n, 1)) + skill * np.arange(k) + rng.normal(0, 0.02, (n, k)) * rng.uniform(0.3, 2, k)
    scores[rng.random(scores.shape) < gaps] = nan
    scores[0] = np.where(np.isnan(scores[0]), 0.7, scores[0])
    return scores


def by_dummies(scores, *, without=None):
    """Least squares on dummies of data sets and models by numpy: the effects, and their inverse information."""
    kept = np.isfinite(scores)
    if without is not None:
        kept[without] = False
    rows, columns = np.nonzero(kept)
    dummies = np.hstack([np.eye(len(scores))[rows], np.eye(scores.shape[1])[columns]])
    inverse = np.linalg.pinv(dummies.T @ dummies)
    return (inverse @ dummies.T @ scores[rows, columns])[len(scores) :], inverse[len(scores) :, len(scores) :]


@given(seed=SEEDS)
def test_it_is_the_jackknife_of_least_squares_on_dummies(seed):
    scores = drawn(np.random.default_rng(seed))
    effects, inverse = by_dummies(scores)
    for a, b in ((0, 1), (3, 2)):
        contrast = np.eye(4)[a] - np.eye(4)[b]
        moved, lost = [], []
        for i in np.flatnonzero(np.isfinite(scores).sum(axis=1) > 1):
            own, without = by_dummies(scores, without=i)
            moved.append(contrast @ (own - effects))
            lost.append(contrast @ (without - inverse) @ contrast)
        moved, lost = np.array(moved), np.array(lost)
        found = adjusted_means_test(scores, a=a, b=b)
        assert found.estimate == pytest.approx(contrast @ effects, abs=1e-9)
        n_effective = lost.sum() ** 2 / (lost**2).sum()
        if n_effective < 2:
            assert np.isnan(found.pvalue)
            assert "TOO_LITTLE_DATA" in [warning.code for warning in found.warnings]
            continue
        error = ((moved**2).sum() * (contrast @ inverse @ contrast) / lost.sum()) ** 0.5
        assert found.standard_error == pytest.approx(error, rel=1e-6)
        assert found.df == pytest.approx(n_effective - 1, rel=1e-6)
        assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(found.statistic), found.df), rel=1e-9)


@given(seed=SEEDS, k=st.integers(2, 6))
def test_on_a_complete_table_it_is_the_paired_t_test(seed, k):
    scores = drawn(np.random.default_rng(seed), n=9, k=k, gaps=0)
    found, paired = adjusted_means_test(scores, a=1, b=0), dataset_t_test(scores[:, 1], scores[:, 0])
    for name in ("pvalue", "df", "estimate", "standard_error", "effect_size", "mean_difference", "n"):
        assert getattr(found, name) == pytest.approx(getattr(paired, name), rel=1e-9)
    scores[2:5, 2:] = nan  # gaps of others tell nothing of two models that are everywhere
    assert adjusted_means_test(scores, a=1, b=0).pvalue == pytest.approx(paired.pvalue, rel=1e-9) if k > 2 else True


@given(seed=SEEDS)
def test_laws_of_a_difference(seed):
    rng = np.random.default_rng(seed)
    scores = drawn(rng, skill=0.01)
    found = adjusted_means_test(scores, a=2, b=1)
    if np.isnan(found.pvalue):
        return
    turned = adjusted_means_test(scores, a=1, b=2)
    assert (turned.estimate, turned.pvalue) == pytest.approx((-found.estimate, found.pvalue))
    assert adjusted_means_test(-scores, a=2, b=1, greater_is_better=False).pvalue == pytest.approx(found.pvalue)
    moved = scores[rng.permutation(len(scores))] + 0.0
    assert adjusted_means_test(moved, a=2, b=1).pvalue == pytest.approx(found.pvalue, rel=1e-6)
    harder = scores + rng.normal(0, 1, (len(scores), 1))  # how hard a data set is tells nothing
    assert adjusted_means_test(harder, a=2, b=1).pvalue == pytest.approx(found.pvalue, rel=1e-6)
    assert adjusted_means_test(1e200 * scores, a=2, b=1).pvalue == pytest.approx(found.pvalue, rel=1e-6)
    for level in (0.5, 0.9, 0.95):
        low, high = (getattr(found.confidence_interval(level), end) for end in ("low", "high"))
        assert (low > 0 or high < 0) == (found.pvalue < 1 - level)
    tails = [adjusted_means_test(scores, a=2, b=1, alternative=tail).pvalue for tail in ("greater", "less")]
    assert sum(tails) == pytest.approx(1)
    assert 2 * min(tails) == pytest.approx(found.pvalue)
    null = adjusted_means_test(scores, a=2, b=1, null=found.estimate)
    assert null.pvalue == pytest.approx(1)


def test_models_that_never_differ_and_models_that_cannot_be_compared():
    level = np.repeat([[0.5], [0.7], [0.9], [0.4]], 3, axis=1)
    level[0, 0] = level[1, 1] = nan
    for a, b in permutations(range(3), 2):
        found = adjusted_means_test(level, a=a, b=b)
        assert (found.pvalue, found.estimate) == (1, 0)
    once = [[0.5, 0.6, 0.7], [nan, 0.6, 0.8], [nan, 0.5, 0.7], [nan, 0.3, 0.4]]
    found = adjusted_means_test(once, a=0, b=1)
    assert np.isnan(found.pvalue)
    assert "TOO_LITTLE_DATA" in [warning.code for warning in found.warnings]
    assert adjusted_means_test(once, a=1, b=2).n == 4
    chain = [[0.5, 0.6, nan]] * 3 + [[nan, 0.6, 0.9], [nan, 0.4, 0.8], [nan, 0.4, 0.6]]
    found = adjusted_means_test(chain, a=0, b=2, names=["a", "b", "c"])
    assert "no data set has both a and c" in str(found.warnings)
    assert found.estimate == pytest.approx(-0.1 - 0.3)


def test_two_sets_that_no_data_set_connects_are_refused_by_name():
    apart = [[1, 2, nan, nan]] * 3 + [[nan, nan, 1, 3]] * 3
    with pytest.raises(ValueError, match="no data set has a model of u and v and one of w and x"):
        adjusted_means_test(apart, a="u", b="x", names=list("uvwx"))
    assert adjusted_means_test(apart, a="w", b="x", names=list("uvwx")).estimate == -2


# ---- of a study ---------------------------------------------------------------------------------------------------


def table_of(scores, names):
    return {"dataset": [f"d{i}" for i in range(len(scores))], **dict(zip(names, np.transpose(scores), strict=True))}


@given(seed=SEEDS, lead=st.floats(0.01, 0.05))
def test_who_ran_on_easy_data_sets_only_does_not_lead(seed, lead):
    """'easy' is the worst of all and has the best plain mean."""
    rng = np.random.default_rng(seed)
    names = ["easy", "good", "other"]
    hard = np.sort(rng.uniform(0.3, 0.85, 24))
    scores = hard[:, None] + lead * np.array([-1, 1, 0]) + rng.normal(0, lead / 10, (24, 3))
    scores[:16, 0] = nan
    assert np.nanmean(scores, axis=0).argmax() == 0
    for order in permutations(range(3)):
        shuffled = [names[i] for i in order]
        study = StudyResult.from_frame(table_of(scores[:, order], shuffled), missing="keep")
        (on,) = study.answer().metrics
        assert (on.leader, set(on.worse)) == ("good", {"easy", "other"})
        row = next(row for row in study.compare() if {row.a, row.b} == {"easy", "good"})
        assert row.mean_a - row.mean_b == pytest.approx(row.estimate)
        assert abs(row.estimate) == pytest.approx(2 * lead, rel=0.2)
        assert row.wins + row.ties + row.losses == 8


def test_the_default_allows_for_gaps_where_there_are_any(rng):
    whole = drawn(rng, n=12, gaps=0)
    gapped = whole.copy()
    gapped[3, 1] = nan
    for scores, of_all, of_pair in (
        (whole, "Friedman", "signed_rank_test"),
        (gapped, "Skillings-Mack", "adjusted_means_test"),
    ):
        study = StudyResult.from_frame(table_of(scores, "wxyz"), missing="keep")
        assert of_all in study.test().method
        assert {row.procedure for row in study.compare()} == {of_pair}
        assert study.test(a="w", b="x") == study.test(of_pair, a="w", b="x")
    two = StudyResult.from_frame(table_of(gapped[:, :2], "wx"), missing="keep")
    assert two.test().n == 11  # of two models the others' data sets tell nothing
    assert {row.procedure for row in two.compare()} == {"signed_rank_test"}


def test_models_in_sets_of_their_own_are_not_ordered():
    rng = np.random.default_rng(0)
    scores = drawn(rng, n=20, gaps=0)
    scores[:10, 2:], scores[10:, :2] = nan, nan
    study = StudyResult.from_frame(table_of(scores, "uvwx"), missing="keep")
    assert study.answer().metrics[0].leader is None
    why = "No model can be named on score: no data set has a model of 'u' and 'v' and one of 'w' and 'x'."
    assert " ".join(str(study).split()).startswith(why)
    outcomes = {frozenset((row.a, row.b)): row.outcome.name for row in study.compare()}
    assert outcomes[frozenset("uw")] == "NOT_COMPARABLE" != outcomes[frozenset("uv")]


@pytest.mark.slow
@pytest.mark.parametrize("gaps", [0.1, 0.5])
def test_equal_models_are_called_different_no_more_often_than_the_level(gaps):
    """Models that vary differently, gaps at random; the standard error of a share of 5% of so many is below 0.5%."""
    rng, n_draws = np.random.default_rng(1), 4000 if FULL else 600
    pvalues = []
    for _ in range(n_draws):
        n = int(rng.choice([6, 12, 30]))
        pvalues.append(adjusted_means_test(drawn(rng, n=n, k=5, gaps=gaps), a=0, b=1).pvalue)
    tested = np.isfinite(pvalues)
    assert tested.mean() > 0.6
    share = np.mean(np.array(pvalues)[tested] < 0.05)
    assert share <= 0.05 + 3 * (0.05 * 0.95 / tested.sum()) ** 0.5
    assert share > 0.02
