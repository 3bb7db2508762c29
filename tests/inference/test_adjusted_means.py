"""Tables with gaps: adjusted means, and the tests of models that were run on different data sets."""

from __future__ import annotations

from itertools import permutations
from math import nan

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM

from skcompare import StudyResult, from_runs
from skcompare.inference import adjusted_means_test, anova_test, dataset_t_test, mixed_model_test
from tests.lawful import FULL

SEEDS = st.integers(0, 2**32 - 1)


def drawn(rng, n=20, k=4, gaps=0.3, skill=0.0):
    """Scores of models on data sets of different difficulty, some missing at random, none of a model all."""
    scores = rng.normal(0.5, 0.1, (n, 1)) + skill * np.arange(k) + rng.normal(0, 0.02, (n, k)) * rng.uniform(0.3, 2, k)
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


@pytest.mark.sampled("simulations")
@pytest.mark.slow
@pytest.mark.parametrize("gaps", [0.1, 0.5])
def test_equal_models_are_called_different_no_more_often_than_the_level(gaps):
    """Models that vary differently, gaps at random; the standard error of a share of 5% of so many is below 0.5%."""
    rng, n_draws = np.random.default_rng(1), 4000 if FULL else 200
    pvalues = []
    for _ in range(n_draws):
        n = int(rng.choice([6, 12, 30]))
        pvalues.append(adjusted_means_test(drawn(rng, n=n, k=5, gaps=gaps), a=0, b=1).pvalue)
    tested = np.isfinite(pvalues)
    assert tested.mean() > 0.6
    share = np.mean(np.array(pvalues)[tested] < 0.05)
    assert share <= 0.05 + 3 * (0.05 * 0.95 / tested.sum()) ** 0.5
    assert share > 0.02


# ---- mixed models -------------------------------------------------------------------------------------------------

# Milliken and Johnson (1992), page 285: productivity of six workers on three machines, three times each
MACHINES = np.stack(
    [
        [
            [52, 52.8, 53.1],
            [51.8, 52.8, 53.1],
            [60, 60.2, 58.4],
            [51.1, 52.3, 50.3],
            [50.9, 51.8, 51.4],
            [46.4, 44.8, 49.2],
        ],
        [[62.1, 62.6, 64], [59.7, 60, 59], [68.6, 65.8, 69.7], [63.2, 62.8, 62.2], [64.8, 65, 65.4], [43.7, 44.2, 43]],
        [
            [67.5, 67.2, 66.9],
            [61.5, 61.7, 62.3],
            [70.8, 70.6, 71],
            [64.1, 66.2, 64],
            [72.1, 72, 71.1],
            [62, 61.4, 60.5],
        ],
    ],
    axis=1,
)


def test_of_machines_it_is_what_the_book_of_nlme_prints():
    """Pinheiro and Bates (2000), section 1.3: fm2Machine and fm1MachinesU by lme of R's nlme, restricted likelihood."""
    found = mixed_model_test(MACHINES)
    assert found.means - [0, *found.means[[0, 0]]] == pytest.approx([52.355556, 7.966667, 13.916667], abs=5e-7)
    deviations = [found.dataset_deviation, found.interaction_deviation, found.residual_deviation]
    assert deviations == pytest.approx([4.78105, 3.729532, 0.9615771], rel=1e-5)
    assert found.df == (2, 10)
    assert found.standard_errors[0, 1:] == pytest.approx([2.176974] * 2, rel=1e-5)  # half its interval over t(10)
    unbalanced = MACHINES.transpose(1, 0, 2).reshape(-1)
    unbalanced[np.array([2, 3, 6, 8, 9, 12, 19, 20, 27, 33]) - 1] = nan
    found = mixed_model_test(unbalanced.reshape(3, 6, 3).transpose(1, 0, 2))
    assert found.means - [0, *found.means[[0, 0]]] == pytest.approx([52.354, 7.962446, 13.918222], rel=1e-6)
    deviations = [found.dataset_deviation, found.interaction_deviation, found.residual_deviation]
    assert deviations == pytest.approx([4.738731, 3.772811, 0.9332027], rel=2e-5)
    half = (12.89712 - 3.027774) / 2, (18.84099 - 8.995455) / 2
    assert found.standard_errors[0, 1:] * stats.t.ppf(0.975, 10) == pytest.approx(half, rel=1e-4)


@given(seed=SEEDS)
def test_of_tables_with_gaps_it_is_that_of_statsmodels(seed):
    """MixedLM of statsmodels 0.15, which has the largest likelihood up to its own tolerance."""
    scores = drawn(np.random.default_rng(seed), n=12, k=3, gaps=0.2, skill=0.02)
    rows, columns = np.nonzero(np.isfinite(scores))
    values = 100 * scores[rows, columns]
    with np.errstate(all="ignore"):
        other = MixedLM(values, np.eye(3)[columns], groups=rows).fit(reml=True)
    found = mixed_model_test(100 * scores)
    if not other.converged or found.dataset_deviation < 0.5 * found.residual_deviation:
        return
    assert found.means == pytest.approx(other.fe_params, rel=1e-4)
    assert found.residual_deviation == pytest.approx(other.scale**0.5, rel=1e-3)
    assert found.dataset_deviation == pytest.approx(float(other.cov_re[0, 0]) ** 0.5, rel=1e-2)


@given(seed=SEEDS, k=st.integers(2, 5), repeats=st.sampled_from([0, 3]))
def test_of_complete_tables_it_is_analysis_of_variance(seed, k, repeats):
    rng = np.random.default_rng(seed)
    scores = 5 * rng.normal(size=(9, 1)) + rng.normal(size=(9, k))
    repeated = scores[:, :, None] + 0.1 * rng.normal(size=(9, k, repeats)) if repeats else scores
    found = mixed_model_test(repeated)
    anova = anova_test(repeated.mean(axis=2) if repeats else scores, sphericity=None)
    for name in ("statistic", "pvalue", "effect_size"):
        assert getattr(found, name) == pytest.approx(getattr(anova, name), rel=1e-3)
    assert (found.df, found.n) == (anova.df, 9)
    assert found.means == pytest.approx(anova.means)
    turned = mixed_model_test(-1e3 * repeated, greater_is_better=False)
    assert turned.pvalue == pytest.approx(found.pvalue, rel=1e-4)
    assert turned.means == pytest.approx(-1e3 * found.means)
    assert turned.dataset_deviation == pytest.approx(1e3 * found.dataset_deviation, rel=1e-4)


def test_of_scores_that_do_not_vary_there_is_a_defined_answer():
    codes = {
        name: [warning.code for warning in mixed_model_test(scores).warnings]
        for name, scores in {
            "equal": [[1, 1], [2, 2], [3, 3]],
            "certain": [[1, 2], [2, 3], [5, nan], [4, 5]],
            "one": [[1, 2]],
        }.items()
    }
    assert codes == {"equal": ["NO_DIFFERENCE"], "certain": ["ZERO_VARIANCE"], "one": ["TOO_LITTLE_DATA"]}
    assert mixed_model_test([[1, 1], [2, 2], [3, 3]]).pvalue == 1
    certain = mixed_model_test([[1, 2], [2, 3], [5, nan], [4, 5]])
    assert (certain.pvalue, certain.means.tolist()) == (0, [3, 4])
    with pytest.raises(ValueError, match="scores must connect all models: no data set has"):
        mixed_model_test([[1, nan], [nan, 1]])


def test_a_study_of_runs_gives_all_of_them():
    table = {"model": [], "task": [], "run": [], "score": []}
    for (worker, machine, run), score in np.ndenumerate(MACHINES):
        for name, value in zip(table, ("ABC"[machine], f"worker {worker}", run, score), strict=True):
            table[name].append(value)
    study = from_runs(pd.DataFrame(table))
    found = study.test("mixed_model")
    assert found.interaction_deviation == pytest.approx(3.729532, rel=1e-5)
    assert "models on data sets" in str(found)
    means = StudyResult.from_frame(table_of(MACHINES.mean(axis=2), "ABC")).test("mixed_model")
    assert np.isnan(means.interaction_deviation)
    assert means.statistic == pytest.approx(found.statistic, rel=1e-4)
