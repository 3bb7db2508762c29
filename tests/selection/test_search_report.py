"""What the report of a search says: the ranking, the questions it answers, its words and tables."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
from dataclasses import FrozenInstanceError, asdict
from html import escape
from itertools import combinations, product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from skcompare import Outcome, SearchReport, from_frame, load
from skcompare._core.document import Grid
from skcompare.inference import model_confidence_set, selection_bias
from tests.lawful import FULL
from tests.made_results import search_of


@pytest.fixture(scope="module")
def report(grid):
    return SearchReport.from_search(grid)


@pytest.fixture(scope="module")
def kernels(moons):
    return SearchReport.from_search(moons)


# ---- scikit-learn's example -----------------------------------------------------------------------------------

# Printed by scikit-learn 1.7, examples/model_selection/plot_grid_search_stats.py ("Statistical comparison of models
# using grid search"): means and deviations (ddof=0) of the ROC AUC; for each pair the corrected t statistic, its
# p-value, and the posterior probabilities that the first is worse, better, practically equivalent within 0.01. Its
# p-values are one-sided tails of |t| under a two-sided question, times 6 (Bonferroni), at most 1.
RBF, LINEAR, POLY_3, POLY_2 = "kernel=rbf", "kernel=linear", "kernel=poly, degree=3", "kernel=poly, degree=2"
EXAMPLE_MEANS = {
    RBF: (0.9400, 0.079297),
    LINEAR: (0.9300, 0.077846),
    POLY_3: (0.9044, 0.098776),
    POLY_2: (0.6852, 0.169106),
}
EXAMPLE_PAIRS = {
    (RBF, LINEAR): (0.750, 1.000, 0.068, 0.500, 0.432),
    (RBF, POLY_3): (1.657, 0.302, 0.018, 0.882, 0.100),
    (RBF, POLY_2): (4.565, 0.000, 0.000, 1.000, 0.000),
    (LINEAR, POLY_3): (1.111, 0.807, 0.063, 0.750, 0.187),
    (LINEAR, POLY_2): (4.276, 0.000, 0.000, 1.000, 0.000),
    (POLY_3, POLY_2): (3.851, 0.001, 0.000, 1.000, 0.000),
}
EXAMPLE_ONE_SIDED = 0.227  # "Corrected p-value" of rbf and linear, before Bonferroni
EXAMPLE_INTERVAL = (-0.016445, 0.036445)  # 95% credible interval of the same difference


def test_the_ranking_of_scikit_learns_example(kernels):
    assert [row.name for row in kernels.ranking] == list(EXAMPLE_MEANS)
    for row in kernels.ranking:
        mean, deviation = EXAMPLE_MEANS[row.name]
        assert row.mean == pytest.approx(mean, abs=5e-5)
        assert row.deviation * (99 / 100) ** 0.5 == pytest.approx(deviation, abs=5e-7)


def test_the_corrected_t_tests_of_scikit_learns_example(kernels):
    result = kernels.result()
    for (a, b), (statistic, *_) in EXAMPLE_PAIRS.items():
        assert result.test(a=a, b=b).statistic == pytest.approx(statistic, abs=5e-4)
    test = result.test(a=RBF, b=LINEAR)
    assert test.df == 99
    assert test.pvalue / 2 == pytest.approx(EXAMPLE_ONE_SIDED, abs=5e-4)


def test_the_pairwise_table_of_scikit_learns_example_with_its_p_values_corrected(kernels):
    rows = {(row.a, row.b): row for row in kernels.compare(correction="bonferroni", margin=0.01)}
    ranked = {row.name: row.pvalue for row in kernels.ranking}
    assert set(rows) == set(EXAMPLE_PAIRS) == set(combinations(EXAMPLE_MEANS, 2))
    for pair, (_, pvalue, worse, better, rope) in EXAMPLE_PAIRS.items():
        row = rows[pair]
        assert (row.left, row.right, row.rope) == pytest.approx((worse, better, rope), abs=5e-4)
        # theirs is half of the two-sided one, as far as it is below 1
        assert min(1, 6 * row.pvalue / 2) == pytest.approx(pvalue, abs=5e-4)
        own = ranked[row.b] if row.a == RBF else max(min(1, 6 * row.pvalue), ranked[row.b])
        assert row.pvalue_adjusted == pytest.approx(own, rel=1e-12)


def test_the_interval_of_scikit_learns_example(kernels):
    """Theirs is of one pair alone; that of the ranking is at 95% for all six pairs."""
    alone = kernels.result().test(a=RBF, b=LINEAR).confidence_interval()
    assert (alone.low, alone.high) == pytest.approx(EXAMPLE_INTERVAL, abs=5e-7)
    second, at = kernels.ranking[1], kernels.result().test(a=RBF, b=LINEAR).confidence_interval(1 - 0.05 / 6)
    assert (-second.high, -second.low) == pytest.approx((at.low, at.high), abs=1e-12)


# ---- which may be the best --------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(8))
def test_every_view_of_a_search_has_the_same_candidates_that_may_be_the_best(seed, made_search):
    design, failed = [(5, 2), (10, 1), (5, 1)][seed % 3], seed % 2
    recipe = {"seed": seed, "n_candidates": [4, 8, 15][seed % 3], "n_metrics": 1 + seed % 2, "design": design}
    report = SearchReport.from_search(search_of(recipe | {"n_failed": failed, "ties": seed % 4 < 2}, made_search))
    first, on = [row.name for row in report.may_be_best()], report.answer().metrics[0]
    assert {*first} == {*report.rank().may_be_first}, "the ranks"
    assert {*first} == {*report.result(len(report.names)).answer().metrics[0].may_be_first}, "the result"
    assert first == [row.name for row in report.ranking if row.may_be_best], "the ranking"
    assert first == [*on.may_be_first] == [on.leader, *on.not_different], "the answer"
    rows = report.compare(len(report.names), metrics=report.metric)
    assert not {*first} & {row.b if row.winner == row.a else row.a for row in rows if row.winner}, "the comparisons"
    assert " candidates will do" not in " ".join(str(report.explain()).split())
    for decides in report.metrics:
        by_it = report.by_metric(decides)
        assert {row.name for row in by_it.may_be_best()} == {*by_it.rank().may_be_first}


@pytest.mark.parametrize("seed", range(6))
def test_an_effect_that_would_not_stand_on_random_halves_is_fragile_where_the_design_was_assumed(seed, made_search):
    table = made_search(12, folds=[5, 10][seed // 3], seed=seed).cv_results_
    n_splits = sum(key.endswith("_test_score") and key.startswith("split") for key in table)
    scores = np.array([table[f"split{i}_test_score"] for i in range(n_splits)])
    moved = scores.mean(axis=0) + [2, 0.7, 0.1][seed % 3] * (scores - scores.mean(axis=0))
    table |= {f"split{i}_test_score": values for i, values in enumerate(moved)}
    halves = SearchReport.read(table, cv=ShuffleSplit(n_splits, test_size=0.5))
    known, on_halves = SearchReport.read(table, cv=n_splits), {row.parameter: row for row in halves.effects}
    assumed = SearchReport.read(table)
    shown = {row.parameter for row in assumed.effects if row.pvalue_adjusted < 0.05}
    fragile = {name for name in shown if not on_halves[name].pvalue_adjusted < 0.05}
    assert {row.parameter for row in assumed.effects if row.fragile} == fragile
    assert seed % 3 < 2 or (shown and not fragile), "an effect that is large beside its standard error"
    assert not any(row.fragile for row in (*known.effects, *halves.effects))
    whole, first = (" ".join(str(view).split()) for view in (assumed.explain(), assumed))
    for name in shown:
        told = f"the effect of {name} would not stand if the splits were random halves"
        assert (told in whole) == (name in fragile)
    assert (" would not be shown to matter" in first) == bool(fragile)
    assert "would not be shown to matter" not in str(known.explain())


# ---- the ranking ----------------------------------------------------------------------------------------------


def test_intervals_are_those_of_the_default_test(report):
    result = report.result(len(report.names))
    best = report.best
    assert (best.difference, best.low, best.high) == (0, 0, 0)
    k = sum(not row.same_as for row in report.ranking)
    for row in report.ranking[1:]:
        test = result.test("k_fold_t_test", metric="roc_auc", a=row.name, b=best.name)
        interval = test.confidence_interval(1 - 0.05 / (k * (k - 1) / 2))
        assert row.difference == pytest.approx(test.estimate, abs=1e-12)
        low, high = interval.low, interval.high
        # what is significant by the ranking and not over all pairs is cut off at 0, what is not holds it
        low, high = (low, min(high, 0)) if row.significantly_different else (low, max(high, 0))
        assert (row.low, row.high) == pytest.approx((low, high), abs=1e-12)
        assert row.difference <= 0


def test_p_values_and_selection_bias_are_those_of_the_procedures(report):
    """A tree of depth 1 is the same with leaves of 1 and of 20, so that five candidates are compared."""
    one, other = "max_depth=1, min_samples_leaf=1", "max_depth=1, min_samples_leaf=20"
    first = [i for i, name in enumerate(report.names) if name != other]
    scores, names = report.scores[first, :, 1].T, [report.names[i] for i in first]
    expected = model_confidence_set(scores, test_fraction=1 / 5, overlap=0.4, names=names)
    by_name = dict(zip(names, expected.pvalues.tolist(), strict=True))
    found = {row.name: row.pvalue for row in report.ranking}
    assert found.pop(other) == found[one]
    # another candidate leads it by more than the best does
    assert found.pop(one) > by_name.pop(one)
    assert found == pytest.approx(by_name)
    assert report.confidence_set.names == report.names
    assert [row.significantly_different for row in report.ranking] == [row.pvalue < 0.05 for row in report.ranking]
    assert {row.name for row in report.not_significantly_different()} == set(expected.members(0.05))
    assert report.selection_bias.corrected == selection_bias(scores, n_folds=5, names=names).corrected


def test_the_selection_bias_knows_the_repeats(kernels):
    scores = kernels.scores[:, :, 0].T
    by_repeat = selection_bias(scores, n_folds=10, names=kernels.names)
    assert (
        kernels.selection_bias.corrected == by_repeat.corrected != selection_bias(scores, names=kernels.names).corrected
    )


def test_alpha_is_the_level_of_significantly_different(moons):
    for alpha in (0.001, 0.2, 0.9):
        made = SearchReport.from_search(moons, alpha=alpha)
        assert [row.significantly_different for row in made.ranking] == [row.pvalue < alpha for row in made.ranking]
        assert made.alpha == alpha


def test_equal_means_share_a_rank(rng, plain):
    base = rng.normal(0.8, 0.05, 5)
    search = plain(np.stack([base - 0.1, base, base[::-1], base + 1e-17, base - 0.2]))
    report = SearchReport.from_search(search)
    assert [row.rank for row in report.ranking] == [1, 1, 1, 4, 5]
    assert report.best.name == report.confidence_set.best
    assert report.answer().metrics[0].leader == report.best.name


def test_a_shift_of_all_scores_changes_no_difference(rng, plain):
    scores = rng.normal(0.5, 0.05, (6, 10))
    one, other = (SearchReport.from_search(plain(scores + shift)) for shift in (0, 0.3))
    for row, shifted in zip(one.ranking, other.ranking, strict=True):
        assert (row.name, row.pvalue) == (shifted.name, pytest.approx(shifted.pvalue, rel=1e-6))
        assert (row.low, row.high) == pytest.approx((shifted.low, shifted.high), abs=1e-9)


def test_the_order_of_the_candidates_changes_nothing_but_names(rng, plain):
    scores, order = rng.normal(0.8, 0.05, (6, 10)), rng.permutation(6)
    params = [{"C": i} for i in range(6)]
    one = SearchReport.from_search(plain(scores, params))
    other = SearchReport.from_search(plain(scores[order], [params[i] for i in order]))
    assert [row.name for row in one.ranking] == [row.name for row in other.ranking]
    assert [row.pvalue for row in one.ranking] == pytest.approx([row.pvalue for row in other.ranking])


def test_candidates_that_failed_are_last_and_not_tested(rng, plain):
    scores = rng.normal(0.8, 0.05, (5, 10))
    whole = SearchReport.from_search(plain(scores[[0, 1, 3]], [{"C": i} for i in (0, 1, 3)]))
    scores[2, 4], scores[4] = np.nan, np.nan
    report = SearchReport.from_search(plain(scores))
    assert [row.name for row in report.ranking[3:]] == ["C=2", "C=4"]
    assert [row.rank for row in report.ranking[3:]] == [4, 4]
    for row, kept in zip(report.ranking, whole.ranking, strict=False):
        assert (row.name, row.mean, row.pvalue) == (kept.name, kept.mean, kept.pvalue)
    for row in report.ranking[3:]:
        assert np.isnan([row.mean, row.difference, row.low, row.pvalue]).all()
        assert row not in report.not_significantly_different()
        assert not row.significantly_different
    untested = "2 of 5 candidates without a score on some split: ranked last, untested. Mend or drop: C=2 and C=4."
    assert f"MISSING_SCORES: {untested}" in report.warnings
    untested = untested.lower()
    assert report.explain().named("caution").text.lower() == f"caution: {untested}"
    assert [row[1].strip() for row in report.explain().named("ranking").rows()][3:] == ["n/a", "n/a"]
    assert report.answer().metrics[0].not_comparable == ("C=2", "C=4")
    named = report.result(["C=0", "C=2"])
    assert [row.outcome for row in named.compare()] == [Outcome.NOT_COMPARABLE]
    assert report.result(5).estimators == tuple(row.name for row in report.ranking[:3])
    assert report.effects == () or report.effects[0].n_candidates == (1, 1, 1)


def test_splits_without_any_score_are_left_out(rng, plain):
    scores = rng.normal(0.8, 0.05, (4, 10))
    scores[:, 3] = np.nan
    report = SearchReport.from_search(plain(scores))
    assert report.confidence_set.n == 9
    assert any(
        warning.startswith("MISSING_SCORES: score has no value for any candidate on 1 of 10")
        for warning in report.warnings
    )
    kept = np.delete(scores, 3, axis=1)
    assert report.best.mean == pytest.approx(kept.mean(axis=1).max())


# ---- laws, drawn over tables of scores --------------------------------------------------------------------------


def drawn_search(plain, rng, *, n_metrics=1):
    """Candidates of which some have the same scores, in any order; and their scores without rounding."""
    n_different, n_splits = int(rng.integers(2, 7)), int(rng.choice([3, 5, 10]))
    scores = 0.8 + rng.normal(0, 0.02, (n_different, 1, n_metrics))
    scores = (
        scores
        + rng.normal(0, 1, (n_different, n_splits, n_metrics))
        * rng.choice([0.002, 0.02, 0.08], n_different)[:, None, None]
    )
    if rng.random() < 0.4:
        scores = scores.round(2)
    which = rng.permutation([*range(n_different), *rng.integers(0, n_different, int(rng.integers(0, 8)))])
    noise = 1 + 4e-16 * rng.integers(0, 2, (len(which), n_splits))  # equal but for rounding
    tables = {f"m{m}": scores[which, :, m] * noise for m in range(n_metrics)}
    return plain(tables), scores[which, :, 0]


def test_the_p_value_of_a_pair_is_at_least_its_own_and_what_is_significant_is_so_alone(plain, rng):
    for _ in range(60):
        search, _ = drawn_search(plain, rng)
        alpha = float(rng.choice([0.01, 0.05, 0.3]))
        report = SearchReport.from_search(search, alpha=alpha)
        result = report.result(len(report.names))
        for row in result.compare():
            if np.isnan(row.pvalue):  # the difference does not vary: no test
                assert np.ptp(result.difference("m0", row.a, row.b)) < 1e-12
                assert row.winner is None
                continue
            assert row.pvalue_adjusted >= row.pvalue - 1e-9
            assert (row.winner is not None) == (row.pvalue_adjusted < alpha)
            assert row.winner is None or row.low > 0 or row.high < 0 or row.open_at_null
        other = result.compare("corrected_t_test")
        assert all(row.pvalue_adjusted >= row.pvalue - 1e-9 for row in other if not np.isnan(row.pvalue))
        for row in report.ranking[1:]:
            own = result.test("k_fold_t_test", a=report.best.name, b=row.name).pvalue
            assert row.pvalue >= own - 1e-9 or (np.isnan(own) and not row.significantly_different)
            assert row.significantly_different == (row.high < 0 or row.open_at_null) or np.isnan(row.high)


def test_the_best_is_not_called_better_for_what_another_candidate_shows(plain):
    """C=2 is surely better than C=1, and the best, whose scores vary, is not."""
    rng = np.random.default_rng(0)
    middle = 0.8 + rng.normal(0, 0.01, 10)
    best = middle + 0.01 + np.tile([0.06, -0.06], 5)
    report = SearchReport.from_search(plain(np.stack([best, middle - 0.005, middle + rng.normal(0, 1e-4, 10)])))
    assert report.best.name == "C=0"
    assert report.confidence_set.pvalues[1] < 0.05  # C=2 leads it
    (row,) = [row for row in report.ranking if row.name == "C=1"]
    (pair,) = report.compare(["C=0", "C=1"]).rows
    assert pair.pvalue > 0.3
    assert row.pvalue == pair.pvalue_adjusted >= pair.pvalue
    assert not row.significantly_different
    assert "significantly worse" not in said(report)


def test_candidates_with_the_same_scores_count_once(plain, rng):
    for _ in range(60 if FULL else 20):
        search, values = drawn_search(plain, rng)
        whole = SearchReport.from_search(search)
        first = {}
        for i, row in enumerate(values.tolist()):
            first.setdefault(tuple(row), i)
        places = list(first.values())
        if len(places) < 2:
            continue
        alone = SearchReport.from_search(plain(values[places], [{"C": i} for i in places]))
        named = {row.name: row for row in whole.ranking}
        n_same = len(values) - len(places)
        assert sum(bool(row.same_as) for row in whole.ranking) == n_same
        for row in alone.ranking:
            leader = named[row.name].same_as or row.name
            twins = [one for one in whole.ranking if leader in (one.name, one.same_as)]
            for one in twins:
                assert one.pvalue == pytest.approx(row.pvalue, rel=1e-9, nan_ok=True)
                # without an interval where the difference does not vary
                assert (one.low, one.high) == pytest.approx((row.low, row.high), abs=1e-12, nan_ok=True)
        bounds = [one.answer().metrics[0].bound for one in (whole, alone)]
        assert bounds[0] == pytest.approx(bounds[1], nan_ok=True) or not alone.answer().metrics[0].not_different
        assert whole.compare().n_hypotheses == alone.compare().n_hypotheses
        numbers = [answer_of(one).replace("(others have the same scores)", "") for one in (whole, alone)]
        found = [re.findall(r"(?<![\d.])[-+]?\d\.\d+", line) for line in numbers]
        if "same scores" not in numbers[0]:  # but for the last digit: the scores are equal but for rounding
            last = [1.1 * 10.0 ** -len(number.partition(".")[2]) for number in found[1]]
            assert len(found[0]) == len(found[1])
            assert all(abs(float(a) - float(b)) <= tol for a, b, tol in zip(*found, last, strict=True))


def test_the_printed_intervals_are_those_of_the_ranking_where_scores_are_the_same_on_its_metric_alone(plain, rng):
    scores = 0.8 + rng.normal(0, 0.02, (4, 1)) + rng.normal(0, 0.01, (4, 5))
    search = plain({"m0": scores[[0, 1, 2, 3, 1]], "m1": scores[[3, 2, 1, 0, 3]]})
    report = SearchReport.from_search(search, metric="m0")
    lows = {row.b: (-row.high, -row.low) for row in report._found.comparison}
    assert lows == {row.name: (row.low, row.high) for row in report.ranking[1:]}
    assert "its 6 comparisons share an error rate" in report.summary()


def test_many_candidates_of_few_scores_say_what_the_few_say(plain):
    """A grid of which two parameters change no prediction."""
    rng = np.random.default_rng(3)
    good = 0.93 + rng.normal(0, 0.02, 10)
    two = np.stack([good, good - 0.04 + rng.normal(0, 0.02, 10)])
    params = [{"leaf": leaf, "k": k} for leaf in range(80) for k in (9, 150)]
    few = SearchReport.from_search(plain(two, params[:2]))
    many = SearchReport.from_search(plain(np.tile(two, (80, 1)), params))
    p = few.ranking[1].pvalue
    assert p < 0.05
    assert {row.pvalue for row in many.ranking} == {1.0, p}
    first = answer_of(many)
    assert first.startswith("Use leaf=0, k=9 (others have the same scores): bias-corrected score 0.9277, +0.0430")
    assert first.endswith("; all others are significantly worse.")
    assert " ".join(str(many.answer()).split()).startswith(first)
    views = [said(many), many.to_markdown().replace("\\", ""), many.to_latex()]
    views += [many.to_html().split("<script")[0], many._repr_html_(), many.summary("full")]
    for view in views:
        assert first in " ".join(view.replace("\\", "").split()), view[:300]
    title = " ".join(many.plot().ax_.get_title(loc="left").split())
    assert "the best of 2 candidates (158 more with the same scores); all others are significantly worse" in title
    assert "158 more (158 with the same scores as one of these): report.to_frame()." in said(many)


LEVELS = {0.3: "70%", 0.01: "99%", 0.05: "95%"}


@pytest.mark.sampled
@pytest.mark.parametrize("alpha", LEVELS)
def test_every_interval_is_at_the_level_of_the_report(plain, alpha):
    rng = np.random.default_rng(1)
    search = plain({name: 0.8 + rng.normal(0, 0.02, (5, 10)) for name in "ab"})
    report = SearchReport.from_search(search, alpha=alpha)
    result, n = report.result(), 10
    for row in report.ranking[1:]:
        limits = result.test("k_fold_t_test", a=row.name, b=report.best.name).confidence_interval(1 - alpha / n)
        low, high = limits.low, limits.high
        low, high = (low, min(high, 0)) if row.significantly_different else (low, max(high, 0))
        assert (row.low, row.high) == pytest.approx((low, high), abs=1e-12)
    for row in (*result.compare(), *report.result(2).compare()):
        assert row.confidence_level == pytest.approx(1 - alpha / n)
    assert result.intervals().confidence_level == 1 - alpha
    texts = {"summary": report.summary(), "full": report.summary("full"), "Markdown": report.to_markdown()}
    texts |= {"LaTeX": report.to_latex(), "page": report.to_html().split("<script")[0], "cell": report._repr_html_()}
    texts |= {"result": result.summary(), "result, LaTeX": result.to_latex(), "intervals": str(result.intervals())}
    for view, text in texts.items():
        plain_text = " ".join(re.sub("<[^>]*>", "", text).replace("\\", "").split())
        levels = re.findall(r"(\d+(?:\.\d+)?%) (?:credible )?interval", plain_text)
        levels += re.findall(r"(?:Intervals: |hold at )(\d+%)", plain_text)
        assert {*levels} == {LEVELS[alpha]}, (view, levels)


# ---- questions ------------------------------------------------------------------------------------------------


def test_the_leading_candidates_as_a_result(report, grid, cancer, tmp_path):
    result = report.result(3)
    assert result.estimators == tuple(row.name for row in report.ranking[:3])
    assert result.metrics == ("roc_auc", "accuracy")  # the one that decides is the first
    np.testing.assert_array_equal(result.score(report.best.name, "roc_auc"), report.scores[report.best.index, :, 1])
    assert any(warning.startswith("SELECTED: 3 of 6 candidates") for warning in result.warnings)
    assert not any(warning.startswith("SELECTED") for warning in report.result(6).warnings)
    assert report.result(100).estimators == tuple(row.name for row in report.ranking)
    named = report.result([report.ranking[4], report.best.name])
    assert named.estimators == (report.ranking[4].name, report.best.name)
    assert len(report.result(report.not_significantly_different()).estimators) == len(
        report.not_significantly_different()
    )
    with_splits = SearchReport.from_search(grid, *cancer).result(2)
    with_splits.save(tmp_path / "search.skc")
    np.testing.assert_array_equal(load(tmp_path / "search.skc").scores, with_splits.scores)


@pytest.mark.parametrize(
    ("candidates", "message"),
    [
        (1, "candidates must be"),
        (True, "candidates must be an integer of at least 2; got True"),
        (2.5, "candidates must be an integer or names of candidates; got 2.5"),
        ("a", "candidates must be an integer or names of candidates; got 'a'"),
        (["a", "b"], "candidates must be one of "),
        (["max_depth=1, min_samples_leaf=1"], "candidates must name two or more candidates, each once; got "),
        (["max_depth=1, min_samples_leaf=1"] * 2, "candidates must name two or more candidates, each once; got "),
    ],
)
def test_candidates_that_do_not_fit_are_refused(report, candidates, message):
    for question in (report.result, report.compare, report.dominance_table):
        with pytest.raises(ValueError, match=re.escape(message)):
            question(candidates)


def test_compare_and_dominance_are_those_of_the_result(report):
    result = report.result(4)
    found = report.compare(4, metrics="accuracy", margin=0.01)
    assert found.rows == result.compare("k_fold_t_test", metrics="accuracy", margin=0.01).rows
    assert report.compare(4).rows == result.compare().rows
    best = report.best.name
    against = report.compare(4, baseline=best)
    assert {row.b for row in against} == {best}
    assert len(against) == 3 * 2
    assert report.dominance_table(4).rows == result.dominance("table").rows


def test_two_candidates_have_the_p_value_of_their_ranking(rng, plain):
    """Of two models the confidence set has that of the default t test, on one run of folds as on repeated ones."""
    two = SearchReport.from_search(plain(rng.normal(0.8, 0.02, (2, 10))))
    row = two.compare()[0]
    assert row.pvalue == pytest.approx(two.ranking[1].pvalue)
    assert row.pvalue_adjusted == pytest.approx(two.ranking[1].pvalue)
    assert row == two.compare(procedure="k_fold_t_test")[0]
    assert row.pvalue < two.compare(procedure="corrected_t_test")[0].pvalue


def test_another_metric_is_the_report_that_it_would_have_made(grid, report):
    other, made = report.by_metric("accuracy"), SearchReport.from_search(grid, metric="accuracy")
    assert other.ranking == made.ranking
    assert (other.metric, other.alpha) == ("accuracy", 0.05)
    assert other.by_metric("roc_auc").ranking == report.ranking
    with pytest.raises(ValueError, match="metric must be one of 'accuracy', 'roc_auc'; got 'f1'"):
        report.by_metric("f1")


def test_settings_are_the_words_of_the_names(report):
    settings = report.settings()
    assert list(settings) == ["max_depth", "min_samples_leaf"]
    for i, name in enumerate(report.names):
        assert name == ", ".join(f"{parameter}={column[i]}" for parameter, column in settings.items())


def test_the_record_is_frozen_and_picklable(report):
    with pytest.raises(FrozenInstanceError):
        report.alpha = 0.1
    again = pickle.loads(pickle.dumps(report))
    assert again.ranking == report.ranking
    assert again.by_metric("accuracy").best == report.by_metric("accuracy").best
    assert repr(report).startswith("SearchReport(ranking=(6 Candidate), ")
    assert len(repr(report).splitlines()) == 1


# ---- words ----------------------------------------------------------------------------------------------------


def said(report):
    """The summary without line breaks."""
    return " ".join(report.summary().split())


def answer_of(report):
    """The first line."""
    return report.explain().named("answer").text


def separated(rng, plain, gap, n=4, noise=0.001):
    """Candidates of which each is `gap` worse than the one before."""
    scores = 0.9 - gap * np.arange(n)[:, None] + rng.normal(0, noise, (n, 10))
    return SearchReport.from_search(plain(scores))


def test_the_first_line_is_the_answer(kernels):
    line = answer_of(kernels)
    corrected = f"Use any of the first three: bias-corrected roc_auc {kernels.selection_bias.corrected:.3f}."
    assert line.startswith("kernel=rbf and 2 others share the lead, up to 0.093 roc_auc apart; ")
    assert line.endswith(f"kernel=poly, degree=2 is significantly worse. {corrected}") or line.endswith(
        f"1 other is significantly worse. {corrected}"
    )
    assert "roc_auc lead interval p adj." in said(kernels)
    assert "95% for all 6 together" in said(kernels)


def test_the_candidates_that_share_the_lead_are_one_list(rng, plain):
    for n in (2, 3, 4, 6):
        noise = rng.normal(0, 0.05, (n, 10))
        level = 0.8 - 1e-4 * np.arange(n)[:, None]
        line = answer_of(SearchReport.from_search(plain(level + noise - noise.mean(axis=1, keepdims=True))))
        listed = line.removeprefix("No clear winner: ").partition(" share the lead")[0]
        assert listed == {2: "C=0 and C=1", 3: "C=0, C=1 and C=2"}.get(n, f"C=0 and {n - 1} others"), line


def test_whom_the_first_line_says_to_use_is_none_of_those_that_are_worse(rng, plain):
    """The ranking is by means: one that varies less is called worse before one with a lower mean is."""
    steady, unsteady = (noise * rng.normal(size=10) for noise in (0.001, 0.3))
    best = 0.8 + rng.normal(0, 0.02, 10)
    in_order = SearchReport.from_search(
        plain(np.array([best, best - 0.01 + unsteady - unsteady.mean(), best - 0.02 + steady]))
    )
    assert "Use either of the first two: " in answer_of(in_order)
    between = [best, best - 0.01 + steady - steady.mean(), best - 0.02 + unsteady - unsteady.mean()]
    report = SearchReport.from_search(plain(np.array(between)))
    assert [row.significantly_different for row in report.ranking] == [False, True, False]
    assert "Use either of these two: " in answer_of(report)
    noise = rng.normal(0, 0.05, (9, 10))  # of nine that share the lead the table has seven, and the one that is worse
    report = SearchReport.from_search(plain(np.vstack([0.8 + noise - noise.mean(axis=1, keepdims=True), [[0.1] * 10]])))
    assert "Use any of these nine: " in answer_of(report)


def test_the_answer_counts_the_others(rng, plain):
    for n, rest in ((2, ""), (4, "; all others are significantly worse"), (6, "; all others are significantly worse")):
        line = answer_of(separated(rng, plain, 0.1, n=n))
        shape = r"Use C=0: bias-corrected score 0\.\d+, \+0\.\d+ over C=1 \(95% interval \+0\.\d+ to \+0\.\d+\)"
        assert re.fullmatch(rf"{shape}{rest}\.", line), line
    same = np.tile(rng.normal(0.8, 0.05, 10), (4, 1)) + rng.normal(0, 1e-3, (1, 10))
    same_scores = "have the same scores on all splits. Use any of them."
    assert answer_of(SearchReport.from_search(plain(same))) == f"C=0 leads; 3 others {same_scores}"
    two = "C=0 leads; C=1 has the same scores on all splits. Use either."
    assert answer_of(SearchReport.from_search(plain(same[:2]))) == two
    near = same[:2] + 1e-3 * rng.normal(size=(2, 10))
    assert "same scores" not in said(SearchReport.from_search(plain(near)))


def test_the_first_line_is_short_and_its_numbers_stand_in_the_table(plain, rng):
    for i in range(40):
        made = drawn_search(plain, rng, n_metrics=int(rng.integers(1, 3)))[0]
        report = SearchReport.from_search(made if i % 2 else plain(0.8 + rng.normal(0, 0.03, (12, 10))))
        line, grid = answer_of(report), report.explain().named("ranking")
        bare = re.sub(r"C=\d+", "C", line).replace("m0", "m")  # names are words
        assert len(bare.split()) <= 30, line
        numbers = re.findall(r"[-+]?\d+(?:\.\d+)?", bare)
        assert len(numbers) <= 5, line
        corrected = re.findall(r"ias-corrected \w+ (\S+?\d)[,.](?!\d)", bare)
        shown = said(report).removeprefix(line)  # of many candidates the table has the first
        sizes = [number for number in numbers if "." in number and number not in corrected]
        assert all(number.lstrip("+") in shown for number in sizes), (line, shown)
        assert all(float(number) == pytest.approx(report.selection_bias.corrected, abs=0.05) for number in corrected)
        if "share the lead" in line:  # any of them may be used, also the one that may be the farthest behind
            most = max(-row.low for row in report.ranking if not row.significantly_different and np.isfinite(row.low))
            apart = re.search(r"up to (\S+) \w+ apart", line)
            assert bool(apart) == (most > 0)  # not known where the differences do not vary
            if apart:
                assert float(apart[1]) == pytest.approx(most, abs=0.6 * 10.0 ** -len(apart[1].partition(".")[2]))
        assert (
            line.startswith("Use ")
            == all(
                row.significantly_different or row.same_as == report.best.name or np.isnan(row.pvalue)
                for row in report.ranking[1:]
            )
            or "same scores on all" in line
            or "no test is possible" in line
        )
        marks = dict(zip(grid.columns[0].values, grid.columns[1].marks, strict=True))
        for row in report.ranking:
            assert (
                marks.get(row.name, "worse" * row.significantly_different) == "worse"
            ) == row.significantly_different
        assert len(report.summary().splitlines()) <= 24


@pytest.mark.parametrize("apart", [0, 0.001, 0.2])
def test_a_first_line_that_names_no_candidate_is_a_sentence(apart, plain, rng):
    names = [{f"long_name_of_a_parameter_{x}": 10 * i + x for x in range(9)} for i in range(4)]
    varied = rng.normal(0, 0.001, (4 if apart else 1, 10))
    line = answer_of(SearchReport.from_search(plain(0.7 + varied - np.array([[0, apart, 0.2, 0.2]]).T, names)))
    assert "first candidate" in line
    assert line[0].isupper(), line


def test_large_counts_of_candidates_have_their_thousands_apart(plain, rng):
    n = int(rng.integers(1_100, 1_900))
    names = [{"C": f"c{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}"} for i in range(n)]
    report = SearchReport.from_search(plain(0.8 + rng.normal(0, 0.03, (n, 5)), names))
    assert f"{n:,} candidates" in said(report)
    assert not re.findall(r"(?<![\d.,])1\d{3}\b", said(report))


@pytest.mark.sampled
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.3])
@pytest.mark.parametrize("seed", range(5))
def test_no_view_contradicts_the_ranking(plain, seed, alpha):
    """Of candidates with ties, failures and two metrics: answer, comparisons, joint statements and tables."""
    rng = np.random.default_rng(seed)
    scores = 0.8 + rng.normal(0, 0.03, (9, 1, 2)) + rng.normal(0, 0.02, (9, 10, 2))
    scores[3], scores[7, 2, 0] = scores[2], np.nan
    search = plain({"a": scores[:, :, 0], "b": scores[:, :, 1]})
    report = SearchReport.from_search(search, metric="a", alpha=alpha)
    on, *none = report.answer().metrics
    assert (on.metric, on.leader, none) == ("a", report.best.name, [])
    worse = {row.name for row in report.ranking if row.significantly_different}
    alike = {row.name for row in report.not_significantly_different()} - {report.best.name}
    assert ({*on.worse}, {*on.not_different}, on.not_comparable) == (worse, alike, ("C=7",))
    for pair in report.answer().pairs:
        assert (pair.a, bool(pair.better), bool(pair.undecided)) == (on.leader, pair.b in worse, pair.b in alike)
    for some in (
        report.result(3),
        report.result(8),
        report.result([report.best.name, "C=0" if report.best.name != "C=0" else "C=1"]),
    ):
        for row in some.compare():
            if row.metric == "a":
                assert row.winner is None or ({row.a, row.b} - {row.winner}) <= worse
                if report.best.name in (row.a, row.b):
                    other = row.b if row.a == report.best.name else row.a
                    assert (row.winner == report.best.name) == (other in worse)
        found = some.answer().metrics[0]
        assert found.leader == report.best.name
        assert set(found.worse) == worse & set(some.estimators)
        assert not found.bound > on.bound * (1 + 1e-9)
        for joint in some.dominance("table"):
            parts = some.answer().pair(joint.a, joint.b)
            if joint.statement == (True, True):
                assert joint.established == (len(parts.better) == 2)
    marks = [line for line in report.to_markdown().splitlines() if r"\* |" in line and line.startswith("|")]
    assert len(marks) == len(worse)
    assert report.explain().named("ranking").columns[1].marks.count("worse") == len(worse)


def test_comparisons_of_the_leaders_allow_for_all_candidates(rng, plain):
    report = SearchReport.from_search(plain(rng.normal(0.8, 0.03, (12, 10))))
    few, many = report.result(3).compare(), report.result(12).compare()
    assert (few.n_hypotheses, few.correction, few.procedure) == (66, "bonferroni", "k_fold_t_test")
    known = {(row.a, row.b): row.pvalue_adjusted for row in many}
    for row in few:
        assert row.pvalue_adjusted == known[row.a, row.b]
        if report.best.name not in (row.a, row.b):
            assert row.pvalue_adjusted >= min(1, 66 * row.pvalue)


def test_a_saved_result_of_a_search_says_the_same(report, tmp_path):
    result = report.result(3)
    result.save(tmp_path / "leaders.skc")
    again = load(tmp_path / "leaders.skc")
    assert again._scores.selected == result._scores.selected
    np.testing.assert_equal(asdict(again.answer()), asdict(result.answer()))  # nan is nan
    assert [row.pvalue_adjusted for row in again.compare()] == [row.pvalue_adjusted for row in result.compare()]


def test_every_view_begins_with_the_same_line(report):
    line = answer_of(report)
    assert said(report).startswith(line)
    for view in (report.to_html(), report._repr_html_()):
        assert f"<strong>{escape(line)}</strong>" in view


def test_the_summary_is_short_and_says_how_many_more(rng, plain):
    report = SearchReport.from_search(plain(rng.normal(0.8, 0.05, (25, 5))))
    text = report.summary()
    assert str(report) == text
    assert len(text.splitlines()) <= 35
    assert len(re.findall(r"^C=\d+ +\d", text, re.MULTILINE)) == 8
    assert "17 more: report.to_frame()." in text
    assert max(map(len, text.splitlines())) <= 150
    full = report.summary("full")
    assert report.explain().named("ranking").n_rows == 20
    assert "parameter  best value" in full
    with pytest.raises(ValueError, match="detail must be one of 'short', 'full'"):
        report.summary("long")


def test_with_several_metrics_the_leading_candidates_are_compared_on_all(report, kernels):
    sections = {
        block.title: block
        for block in report.explain().blocks
        if hasattr(block, "title") and not hasattr(block, "columns")
    }
    text = " ".join(report.summary("full").split())
    assert "roc_auc is decided by the ranking; the other metrics have an error rate of their own." in text
    inner = sections["All metrics together"].blocks
    assert [column.head.strip() for column in inner[1].columns][-1] == "accuracy"
    assert inner[2].name == "patterns"
    assert "All metrics together" not in kernels.summary("full")


def test_joint_statements_are_established_where_each_part_is(rng, plain):
    """By hand: the best wins both metrics on all splits; of 2 candidates one pair, of 8 there are 28."""
    scores = 0.9 - 0.1 * np.arange(8)[:, None] + rng.normal(0, 0.001, (8, 20))
    of_two, of_all = (
        SearchReport.from_search(plain({"a": scores[:n], "b": scores[:n]}, cv=ShuffleSplit(20, test_size=0.2)))
        for n in (2, 8)
    )
    alone = of_two.result().dominance("table").rows[0].pvalue
    for report, n_pairs in ((of_two, 1), (of_all, 28)):
        joint, *_ = report.dominance_table(2).rows
        assert joint.pvalue_adjusted == pytest.approx(min(1, n_pairs * alone))
        assert joint.established
        assert report.result().answer().pair(joint.a, joint.b).better == ("a", "b")


def test_a_pattern_against_the_means_is_not_established(rng, plain):
    """The best leads by one lucky split, and another wins the others: what is most frequent is against the means."""
    first = np.full(20, 0.8) + rng.normal(0, 1e-4, 20)
    second = first + 0.01
    first[0] += 1
    cv = ShuffleSplit(20, test_size=0.01)
    report = SearchReport.from_search(plain({"a": [first, second], "b": [first, second]}, cv=cv))
    assert report.best.name == "C=0"
    joint, *_ = report.dominance_table().rows
    assert joint.statement == (False, False)
    assert not joint.established


def test_warnings_are_said(rng, plain):
    search = plain(rng.normal(0.8, 0.05, (3, 3)))
    report = SearchReport.from_search(search)
    assert report.explain().named("caution").text.startswith("Caution: 3 splits")
    assert "TOO_LITTLE_DATA: 3 splits" in " ".join(report.summary("full").split())
    sure = rng.normal([[0.6], [0.9], [0.7]], 0.01, (3, 10))  # no claim is near a bound, and the best is no end
    assert SearchReport.from_search(plain(sure)).explain().named("caution") is None


# ---- tables ---------------------------------------------------------------------------------------------------


def test_the_frame_has_a_row_per_candidate(report):
    frame = report.to_frame()
    assert list(frame.columns[:5]) == ["rank", "index", "name", "params", "mean"]
    assert frame["name"].tolist() == [row.name for row in report.ranking]
    assert frame["pvalue"].tolist() == [row.pvalue for row in report.ranking]


def test_markdown_marks_the_best_and_those_that_are_worse(kernels):
    lines = kernels.to_markdown().splitlines()
    assert lines[0].startswith("**kernel=rbf and 2 others share the lead, ")
    head = lines.index("|  | roc\\_auc | lead | interval | p adj. |")
    assert lines[head + 2].startswith("| kernel=rbf | 0.940 |")
    assert lines[head + 5].startswith(r"| kernel=poly, degree=2 | 0.685\* |")
    assert r"\*" not in lines[head + 3] + lines[head + 4]
    assert sum(line.startswith("| kernel") for line in kernels.to_markdown(2).splitlines()) == 2
    assert "2 more: " in kernels.to_markdown(2)
    with pytest.raises(ValueError, match="candidates must be"):
        kernels.to_markdown(0)


def nasty(rng, plain):
    params = [{"a_b": value} for value in ("50% & #1", "x|y", r"\input{z}", "$x^2$", "<b>", "~_^{}")]
    return SearchReport.from_search(plain(0.8 - 0.1 * np.arange(6)[:, None] + rng.normal(0, 0.01, (6, 5)), params))


def test_names_stay_names_in_the_tables(rng, plain):
    report = nasty(rng, plain)
    markdown, latex = report.to_markdown(), report.to_latex()
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    assert len(rows) == 8
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in rows)
    assert r"a\_b='x\|y'" in markdown
    assert r"\input" not in latex
    assert r"50\% \& \#1" in latex


def test_latex_marks_the_best_and_those_that_are_worse(kernels):
    latex = kernels.to_latex()
    assert "kernel=rbf & $0.940$ &" in latex
    assert latex.count(r"\rlap{$^{*}$}") == 1
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 1
    assert r"\begin{longtable}" not in latex


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX here")
@pytest.mark.parametrize("n", [6, 60])
def test_latex_compiles_to_lines_no_wider_than_the_page(rng, plain, tmp_path, n):
    params = [{"min_samples_leaf": i, "criterion": "a_rather_long_word" * (1 + i % 2)} for i in range(60)]
    report = nasty(rng, plain) if n == 6 else SearchReport.from_search(plain(rng.normal(0.8, 0.05, (60, 5)), params))
    head = r"\documentclass{article}\usepackage{booktabs,longtable}\begin{document}"
    (tmp_path / "x.tex").write_text(f"{head}\n{report.to_latex()}\n\\end{{document}}", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull \\hbox" not in done.stdout, done.stdout


def test_intervals_use_students_quantile(plain):
    """By hand: two candidates on four splits of 1/4."""
    search = plain([[0.8, 0.9, 0.7, 0.8], [0.7, 0.9, 0.6, 0.8]])
    row = SearchReport.from_search(search).ranking[1]
    error = np.std([-0.1, 0, -0.1, 0], ddof=1) * (1 / 4 + 0.4 / 3) ** 0.5
    assert row.difference == pytest.approx(-0.05)
    assert row.high == pytest.approx(-0.05 + stats.t.ppf(0.975, 3) * error)


@pytest.mark.parametrize("n", [2, 3, 12])
def test_candidates_that_all_have_the_same_scores_are_one(made_search, n):
    search = made_search(n)
    for key, column in search.cv_results_.items():
        if "_test_" in key:
            column[:] = column[0]
    report = SearchReport.from_search(search)
    design = report._document().named("design").text
    assert f"{n} candidates (all with the same scores)" in design


@pytest.mark.parametrize("n_worse", [1, 2, 5])
def test_who_is_said_to_be_worse_stands_in_the_table(made_search, n_worse):
    search = made_search(20)
    names = [key for key in search.cv_results_ if key.startswith("split") and "_test_" in key]
    rng = np.random.default_rng(0)
    common = rng.normal(0.7, 0.01, len(names))
    for name, value in zip(names, common, strict=True):
        search.cv_results_[name] = value + rng.normal(0, 0.001, 20) - 0.3 * (np.arange(20) >= 20 - n_worse)
    report = SearchReport.from_search(search)
    worse = report.answer().metrics[0].worse
    assert len(worse) == n_worse
    table = next(block for block in report._document().blocks if isinstance(block, Grid))
    assert "are significantly worse" in one_line(report) or "is significantly worse" in one_line(report)
    shown = set(table.columns[0].values)
    assert {*worse} <= shown if n_worse <= 2 else {*worse} & shown
    assert table.n_rows == 8
    assert "* significantly worse" in table.caption


def one_line(report):
    return " ".join(str(report).split())


# ---- ends of the grid ------------------------------------------------------------------------------------------------


def searched(means, values, seed=0):
    """The report of a search over one parameter, with exactly such means on ten splits."""
    noise = np.random.default_rng(seed).normal(scale=0.01, size=(len(means), 10))
    scores = np.asarray(means)[:, None] + noise - noise.mean(axis=1, keepdims=True)
    table = {"params": [{"C": value} for value in values]}
    table |= {f"split{i}_test_score": scores[:, i] for i in range(10)}
    return SearchReport.read(table, cv=10, metric="accuracy")


@pytest.mark.parametrize(
    ("means", "at_an_end", "doubted"),
    [([0.5, 0.6, 0.7, 0.9], True, True), ([0.5, 0.6, 0.895, 0.9], True, False), ([0.5, 0.6, 0.9, 0.7], False, False)],
)
@pytest.mark.parametrize("turned", [False, True])
def test_that_the_best_is_an_end_of_the_grid_is_told(means, at_an_end, doubted, turned, global_random_seed):
    """In doubt of the answer where no other value shares its lead."""
    report = searched(means[::-1] if turned else means, [0.01, 0.1, 1, 10], global_random_seed)
    end = f"C={'0.01' if turned else 10} is the {'smallest' if turned else 'largest'} of 4 values"
    short, full = (" ".join(text.split()) for text in (str(report), str(report.explain())))
    assert (f"Of the best, {end}" in full) == (at_an_end and report.best.params["C"] in (0.01, 10))
    assert (f"{end}, and no other value shares the lead: widen the grid." in short) == doubted


@pytest.mark.parametrize(
    ("name", "values", "best", "told"),
    [
        ("C", [1, 3, 9], 1, "C=1 is the smallest of 3 values"),
        ("C", [1, 3, 9], 3, ""),
        ("C", [1, 9], 9, ""),
        ("C", [1, 3, 9, None], 9, ""),
        ("C", [1, True, False], 1, ""),
        ("n_neighbors", [1, 3, 9], 1, ""),
        ("n_neighbors", [1, 3, 9], 9, "n_neighbors=9 is the largest of 3 values"),
        ("knn__n_neighbors", [1, 3, 9], 1, ""),
        ("knn__n_neighbors", [2, 3, 9], 2, "knn__n_neighbors=2 is the smallest of 3 values"),
    ],
)
def test_an_end_of_the_grid_is_one_beyond_which_there_are_values(name, values, best, told):
    """Of neighbours there cannot be less than 1, and None stands for values beyond all numbers."""
    knn = KNeighborsClassifier()
    noise = np.random.default_rng(0).normal(scale=0.01, size=(len(values), 5))
    scores = np.where([value is best for value in values], 0.9, 0.5)[:, None] + noise
    table = {f"split{i}_test_score": scores[:, i] for i in range(5)}
    table |= {"params": [{name: value} for value in values]}
    model = Pipeline([("knn", knn)]) if "__" in name else knn
    report = SearchReport.from_search(SimpleNamespace(cv_results_=table, cv=5, scoring="accuracy", estimator=model))
    shown = " ".join(str(report.explain()).split())
    assert (f"Of the best, {told}" in shown) == bool(told)
    assert ("Of the best" in shown) == bool(told)


@pytest.mark.parametrize("others", [[], ["worse"], ["close"], ["still"], ["worse", "still"]])
def test_a_candidate_behind_by_the_same_on_all_splits_is_untested_as_a_model_is(made_search, rng, others):
    """It was "No clear winner" with p 1.000, where an evaluation of the same scores said that no test is possible."""
    base, lead = np.round(rng.uniform(0.6, 0.8, 10), 2), float(rng.choice([0.05, 0.1, 0.2]))
    noise = rng.normal(0, 0.05, 10)
    made = {"worse": base - 0.4 + 0.2 * noise, "close": base - 0.001 + noise - noise.mean()}
    rows = [base, base - lead, *(made.get(other, base - 2 * lead) for other in others)]
    search = made_search(len(rows), seed=0)
    for i in range(10):
        search.cv_results_[f"split{i}_test_score"] = np.array([row[i] for row in rows])
    report = SearchReport.from_search(search)
    model, fold = np.repeat([row.name for row in sorted(report.ranking, key=lambda row: row.index)], 10), [*range(10)]
    result = from_frame({"model": model, "fold": fold * len(rows), "accuracy": np.concatenate(rows)})
    on, same = report.answer().metrics[0], result.answer().metrics[0]
    assert on.unvarying
    for group in ("worse", "not_different", "not_comparable", "unvarying"):
        assert {*getattr(on, group)} == {*getattr(same, group)}
    said = "so that no test is possible." if not on.known else " behind on all splits."
    if not on.known:
        assert report.answer()._line == result.answer()._line
    for view in (report, report.result(), report.explain(), report.to_markdown(), result):
        assert said in " ".join(str(view).split())
    for table in (report._found.comparison, report.result(len(rows)).compare(), result.compare()):
        for row in table:
            if {row.a, row.b} - {on.leader} <= {*on.unvarying} and on.leader in (row.a, row.b):
                assert (row.pvalue_adjusted != row.pvalue_adjusted, row.outcome) == (True, Outcome.NOT_COMPARABLE)
    title = report.plot("candidates")._title()
    assert ("not significantly different" in title) == bool(on.not_different)


@pytest.mark.parametrize("parameters", [("C",), ("C", "gamma"), ("depth", "leaf", "rate")])
@pytest.mark.parametrize("n_splits", [2, 5, 10])
def test_what_has_no_test_is_not_said_to_be_no_different(plain, rng, parameters, n_splits):
    """Adjusted p was 1.000 of an effect that is the same on all splits, and all candidates "may be first"."""
    base, leads = np.round(rng.uniform(0.5, 0.6, n_splits), 2), rng.choice([0.05, 0.1], len(parameters)).cumsum()
    grid = [*product([0, 1], repeat=len(parameters))]
    scores, params = base + (np.array(grid) @ leads)[:, None], [dict(zip(parameters, one, strict=True)) for one in grid]
    report = SearchReport.from_search(plain(scores, params))
    assert {effect.parameter for effect in report.effects} == {*parameters}
    assert all(np.isnan([effect.pvalue, effect.pvalue_adjusted]).all() for effect in report.effects)
    said = " ".join(str(report).split())
    assert "not shown to matter" not in said
    assert "differ by the same on all splits, so that no test is possible" in said
    ranks = report.rank()
    assert {*ranks.untested} == {*report.names} - {report.best.name}
    assert "may be first" not in f"{ranks} {report.result(len(grid)).plot('ranks')._title()}"
    display = report.plot("candidates")
    assert "no test" in display._title()
    assert not any("not significantly different" in line for line in display._legend())
    weights = [name.get_fontweight() for name in display.ax_.get_yticklabels()][-len(grid) :]
    assert weights == ["bold", *["normal"] * (len(grid) - 1)]


@pytest.mark.parametrize("n_folds", [1, 5])
@pytest.mark.parametrize("still", [1, 2])
def test_a_ranking_tells_which_models_no_test_judges(rng, n_folds, still):
    base = np.round(rng.uniform(0.6, 0.7, n_folds), 2)
    rows = {"best": base + 0.2, **{f"still{i}": base + 0.19 - 0.01 * i for i in range(still)}}
    table = {
        "model": np.repeat([*rows], n_folds),
        "fold": [*range(n_folds)] * len(rows),
        "accuracy": np.concatenate([*rows.values()]),
    }
    for names in (["best"], ["best", "near"]):
        if len(names) == 2:
            table = {key: [*column] for key, column in table.items()}
            table["model"] += ["near"] * n_folds
            table["fold"] += range(n_folds)
            table["accuracy"] += [*(base + 0.199 + 0.05 * np.array([1, -1, 1, -1, 0])[-n_folds:])]
        found = from_frame(table, test_fraction=0.2).rank()
        untested = [name for name in found.names if "still" in name or (name == "near" and n_folds == 1)]
        assert sorted(found.untested) == sorted(untested)
        assert ("may be first" in str(found)) == (len(names) == 2 and n_folds > 1)
        assert "against best is possible" in " ".join(str(found).split())


@pytest.mark.parametrize("loss", [True, False])
@pytest.mark.parametrize("n_values", [3, 6])
def test_all_views_of_a_search_show_one_sign_and_one_name_of_its_metric(rng, loss, n_values):
    """Less is better of "neg_" scorers, and shown so; the ranks of a part of the candidates are those among them."""
    kept, shown = [("neg_mean_absolute_error", "MAE"), ("neg_log_loss", "log loss"), ("accuracy", "accuracy")][
        int(rng.integers(2)) if loss else 2
    ]
    params = [{"depth": d, "width": w} for d in range(n_values) for w in range(3)]
    values = 0.5 + 0.02 * rng.normal(size=(len(params), 1)) + 0.01 * rng.normal(size=(len(params), 10))
    table = {"params": [str(one) for one in params]}
    for metric, scores in ((kept, -values if loss else values), ("f1", rng.uniform(0.4, 0.6, values.shape))):
        table |= {f"split{i}_test_{metric}": [*scores[:, i]] for i in range(10)}
    report = SearchReport.read(table, cv=10)
    (effects,) = (
        block
        for section in report.explain().blocks
        for block in getattr(section, "blocks", ())
        if (isinstance(block, Grid) and block.name == "parameters")
    )
    columns = {column.name: column.cells for column in effects.columns}
    drawn = report.plot("parameters").frame()
    best, worst = (min, max) if loss else (max, min)
    for i, effect in enumerate(report.effects):
        means = drawn["mean"][drawn["parameter"] == effect.parameter]
        assert float(columns["mean_of_best"][i]) == pytest.approx(best(means), abs=1e-3)
        assert float(columns["mean_of_worst"][i]) == pytest.approx(worst(means), abs=1e-3)
    said = " ".join(str(report.explain()).split())
    assert "best mean -" not in said
    assert "bias-corrected score is -" not in said
    ranks = " ".join(str(report.rank()).split())
    assert f"may be first on {shown}: " in ranks
    assert kept not in (f"{ranks} {report.answer()}" if loss else "")
    assert ("Ranks are those among the leading 10." in said) == (len(params) > 10)
