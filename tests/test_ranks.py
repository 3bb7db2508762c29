"""Ranks with intervals: they are counted in the comparisons of all pairs, whatever these are made of."""

from __future__ import annotations

import html
import time
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

from benchmarks.families import BOARDS, holds
from skcompare import SearchReport, StudyResult, from_frame, from_judgments, from_outcomes, from_predictions, read
from skcompare.inference import (
    adjust_pvalues,
    mcnemar_test,
    paired_t_test,
    tukey_test,
    welch_from_summary,
    welch_t_test,
)
from tests.made_results import evaluation, items_of, on_a_test_set, runs_of, stopped_run, study_of

PHASES = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]
SOME = settings(max_examples=6, deadline=None, phases=PHASES, suppress_health_check=[*HealthCheck])
KINDS = {
    "folds": (evaluation, {"design": (2, 5), "baseline": "m0"}, ("none", "equal models", "missing", "failed", "still")),
    "one test set": (on_a_test_set, {"n_samples": 60}, ("none", "equal models", "twins")),
    "items": (items_of, {"n_samples": 60, "clusters": False}, ("none", "equal models", "coarse")),
    "clusters": (items_of, {"n_samples": 60, "clusters": True}, ("none", "equal models")),
    "runs": (runs_of, {"n_runs": 10}, ("none", "equal models", "missing", "still")),
    "looks": (stopped_run, {"design": (6, 5), "rope": None, "alpha": 0.05, "drop": True}, ("none", "equal models")),
    "data sets": (study_of, {"n_datasets": 12}, ("none", "equal models", "missing", "failed", "coarse")),
}


def is_above(row):
    """Whether the interval of ``a - b`` lies wholly above 0; where there is none, whether `a` won."""
    return row.winner == row.a if row.low != row.low else row.low > 0 or (row.low == 0 and row.open_at_null)


def is_below(row):
    return row.winner == row.b if row.high != row.high else row.high < 0 or (row.high == 0 and row.open_at_null)


def are_counted(ranking, rows):
    """By the definition: from the intervals of the differences with each other model."""
    above, below = ({name: set() for name in ranking.names} for _ in range(2))
    for row in rows:
        if {row.a, row.b} <= {*ranking.names}:
            better, worse = (row.a, row.b) if is_above(row) else (row.b, row.a) if is_below(row) else (None, None)
            assert row.winner == better
            if better is not None:
                above[worse].add(better)
                below[better].add(worse)
    k = len(ranking.names)
    for i, name in enumerate(ranking.names):
        assert (ranking.low[i], ranking.high[i]) == (1 + len(above[name]), k - len(below[name]))
        assert ranking.low[i] <= ranking.rank[i] <= ranking.high[i]
        for j, other in enumerate(ranking.names):
            shares = bool({*ranking.tier[i]} & {*ranking.tier[j]})
            assert shares == (other not in above[name] | below[name])
    assert {*ranking.may_be_first} == {name for name in ranking.names if not above[name]}


@pytest.mark.parametrize("kind", KINDS)
@SOME
@given(data=st.data())
def test_ranks_are_counted_in_the_rows_of_the_verdict(kind, data):
    make, more, flaws = KINDS[kind]
    recipe = {"seed": data.draw(st.integers(0, 2**32 - 1)), "n_models": data.draw(st.sampled_from([3, 5, 9]))}
    recipe |= {"spread": data.draw(st.sampled_from([0.0, 2.0, 8.0])), "flaw": data.draw(st.sampled_from(flaws))}
    result = make({"n_metrics": 2, **recipe, **more})
    primary = data.draw(st.sampled_from([None, *([] if kind == "looks" else result.metrics)]))
    answer, table = result.answer(primary), result.compare(primary=primary)
    for on in answer.metrics:
        try:
            ranking = result.rank(on.metric, primary=primary)
        except ValueError:  # no model has scores, or the metric was given
            continue
        are_counted(ranking, [row for row in table if row.metric == on.metric])
        assert {*ranking.may_be_first} == {*on.may_be_first}
        if kind != "data sets" and on.leader is not None:  # the leader first, then by the mean, in both
            means = dict(zip(ranking.names, ranking.means, strict=True))
            sign = 1 if result.greater_is_better[result.metrics.index(on.metric)] else -1
            merits = [sign * means[name] for name in on.may_be_first]
            assert on.may_be_first[0] == on.leader or on.leader not in on.may_be_first
            assert all(one >= after - 1e-9 for one, after in pairwise(merits[1:]))
    assert result.rank(primary=primary).metric == answer.metrics[0].metric
    if primary is None:
        (grid,) = (block for block in result._document().blocks if block.name == "models")
        shown = {column.name: column.cells for column in grid.columns}
        first = result.rank(answer.metrics[0].metric)
        for name, cell in zip(shown["model"], shown["rank"], strict=True):
            ends = dict(zip(first.names, zip(first.low, first.high, strict=True), strict=True)).get(name)
            assert cell == ("" if ends is None else "-".join(map(str, dict.fromkeys(ends))))


@SOME
@given(seed=st.integers(0, 2**32 - 1), spread=st.sampled_from([0.0, 2.0, 4.0]))
def test_marginal_intervals_rest_on_the_comparisons_of_one_model(seed, spread):
    recipe = {"seed": seed, "n_models": 6, "spread": spread, "flaw": "none", "n_metrics": 1, "design": (2, 5)}
    result = evaluation(recipe)
    of_all, alone = result.rank(), result.rank(simultaneous=False)
    assert (alone.low >= of_all.low).all()
    assert (alone.high <= of_all.high).all()
    for name, low, high in zip(alone.names, alone.low, alone.high, strict=True):  # a family of its own
        rows = result.compare(baseline=name)
        assert low == 1 + sum(row.winner == row.a for row in rows)
        assert high == 6 - sum(row.winner == name for row in rows)


def test_the_ranks_of_a_record_of_all_pairs():
    # Demsar's accuracies would do as well; the intervals of the differences are those of R's TukeyHSD in the example
    scores = [[24.5, 28.4, 26.1], [23.5, 34.2, 28.3], [26.4, 29.5, 24.3], [27.1, 32.2, 26.2], [29.9, 30.1, 27.8]]
    found, intervals = tukey_test(scores).rank(), tukey_test(scores).confidence_interval(0.95)
    assert (found.low.tolist(), found.high.tolist(), found.may_be_first) == ([2, 1, 2], [3, 1, 3], ("model 2",))
    np.testing.assert_array_equal(found.low, 1 + (intervals.high < 0).sum(axis=1))
    np.testing.assert_array_equal(found.high, 3 - (intervals.low > 0).sum(axis=1))


def test_candidates_of_a_search_are_ranked_by_its_comparisons():
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3, 5], "min_samples_leaf": [1, 20]}
    search = GridSearchCV(tree, grid, scoring="roc_auc", cv=10).fit(*load_breast_cancer(return_X_y=True))
    report = SearchReport.from_search(search)
    ranking = report.rank()
    are_counted(ranking, report.compare(6))
    assert {*ranking.may_be_first} <= {row.name for row in report.not_significantly_different()}
    with pytest.raises(ValueError, match="simultaneous must be True for candidates of a search"):
        report.result().rank(simultaneous=False)


def test_a_ranking_is_shown_as_every_table_is():
    rng = np.random.default_rng(0)
    table = {"dataset": [f"d{i}" for i in range(10)], **{f"m{i}": rng.normal(i, 0.5, 10) for i in range(4)}}
    found = StudyResult.from_frame(table).rank()
    for text in (str(found), found.to_markdown(), found.to_latex(), found._repr_html_()):
        assert "1 of 4 models may be first on score: m3." in " ".join(text.split())
        assert "mean rank" in text
    frame = found.to_frame()
    assert [*frame.columns] == ["name", "rank", "low", "high", "tier", "mean", "mean_rank"]
    assert [*frame["name"]] == ["m3", "m2", "m1", "m0"]


@pytest.mark.sampled
@pytest.mark.parametrize("kind", BOARDS)
def test_the_intervals_hold_all_true_ranks_at_once(kind, rng):
    """In 95% of leaderboards, within three standard errors; also one that was chosen before looking."""
    n = 60
    found = np.array([holds(kind, seed) for seed in rng.integers(0, 2**31, n)], dtype=float)
    three = 3 * (0.05 * 0.95 / n) ** 0.5
    assert found[:, 0].mean() >= 0.95 - three
    assert found[:, 1].mean() >= 0.95 - three


def test_two_hundred_models_on_a_thousand_items_are_ranked_in_seconds():
    rng = np.random.default_rng(0)
    k, n = 200, 1000
    level, hard = rng.normal(0, 0.5, (k, 1)), rng.normal(size=n)
    tables = {f"passed {i}": rng.normal(size=(k, n)) < level + hard for i in range(2)}
    tables["grade"] = rng.normal(level + hard, 1.0, (k, n))
    frame = {"model": np.repeat([f"m{i}" for i in range(k)], n), "item": np.tile([f"i{i}" for i in range(n)], k)}
    result = from_outcomes(frame | {name: values.ravel().astype(float) for name, values in tables.items()})
    start = time.process_time()
    for metric in result.metrics:
        found = result.rank(metric)
        assert (found.low.min(), found.high.max()) == (1, k)
    assert time.process_time() - start < 15  # 0.7 seconds on the machine of docs/benchmarks.md


@pytest.mark.parametrize("test", [mcnemar_test, paired_t_test])
def test_the_tests_of_very_many_models_are_those_of_each_pair(rng, test):
    k, n = 46, 80  # 1,035 pairs
    level, hard = rng.normal(0, 0.8, (k, 1)), rng.normal(size=n)
    values = rng.normal(level + hard, 1.0, (k, n))
    values = (values > 0).astype(float) if test is mcnemar_test else values
    names = [f"m{i}" for i in range(k)]
    ranking = from_outcomes(dict(zip(names, values, strict=True))).rank()
    pairs = [*combinations(range(k), 2)]
    records = [test(*values[[i, j]]) for i, j in pairs]
    adjusted = adjust_pvalues([record.pvalue for record in records], "holm")
    better = np.zeros((k, k), dtype=int)
    for (i, j), record, p in zip(pairs, records, adjusted, strict=True):
        winner, loser = (i, j) if record.estimate > 0 else (j, i)
        better[winner, loser] = p < 0.05
    np.testing.assert_array_equal(ranking.low, 1 + better.sum(axis=0))
    np.testing.assert_array_equal(ranking.high, k - better.sum(axis=1))


def test_the_picture_draws_the_ranks_in_their_order():
    recipe = {"seed": 5, "n_models": 50, "spread": 4.0, "flaw": "none", "n_metrics": 1, "design": (2, 5)}
    result = evaluation(recipe)
    groups = {f"m{i}": "odd" if i % 2 else "even" for i in range(40)}
    display, ranking = result.plot("ranks", groups=groups), result.rank()
    frame = display.frame().set_index("model")
    assert (frame.loc[[*ranking.names], "low"].to_numpy() == ranking.low).all()
    assert (frame.loc[[*ranking.names], "high"].to_numpy() == ranking.high).all()
    assert frame["rank"].is_monotonic_increasing
    assert {name: frame.loc[name, "group"] for name in groups} == groups
    bars = [line for line in display.ax_.lines if str(line.get_gid()).startswith("interval")]
    assert [line.get_xdata().tolist() for line in bars] == frame[["low", "high"]].to_numpy()[:40].tolist()
    assert "10 more models" in display.ax_.get_xlabel()
    for line, dot in zip(bars, (one for one in display.ax_.lines if one not in bars), strict=True):
        assert line.get_color() == dot.get_mec()
        assert (dot.get_mfc() == dot.get_mec()) == (line.get_xdata()[0] == 1)
    with pytest.raises(ValueError, match="groups must be one of"):
        result.plot("ranks", groups={"another": "odd"})


# ---- from means, deviations and numbers of runs ----------------------------------------------------------------


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_from_a_summary_it_is_the_test_of_scipy(rng, alternative):
    for _ in range(20):
        mean, sd, n = rng.normal(0.8, 0.05, 2), rng.uniform(0.001, 0.1, 2), rng.integers(2, 30, 2)
        sides = [value for one in zip(mean, sd, n, strict=True) for value in one]
        expected = stats.ttest_ind_from_stats(*sides, equal_var=False, alternative=alternative)
        found = welch_from_summary(mean, sd, n, alternative=alternative)
        assert (found.statistic, found.pvalue) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
        mirrored = welch_from_summary(mean[::-1], sd[::-1], n[::-1])
        assert mirrored.estimate == -found.estimate


def test_from_a_summary_it_is_the_test_of_the_runs(rng):
    a, b = rng.normal(0.9, 0.02, 7), rng.normal(0.88, 0.05, 4)
    runs = welch_t_test(a, b)
    summed = welch_from_summary((a.mean(), b.mean()), (a.std(ddof=1), b.std(ddof=1)), (7, 4))
    for name in ("statistic", "pvalue", "df", "estimate", "standard_error", "effect_size", "n"):
        assert getattr(summed, name) == pytest.approx(getattr(runs, name), rel=1e-9)
    assert summed.confidence_interval().low == pytest.approx(runs.confidence_interval().low, rel=1e-9)


@pytest.mark.parametrize("count", ["n", "n_runs", "seeds", None])
@pytest.mark.parametrize("form", ["columns", "called by the metric", "cells"])
def test_a_table_of_means_and_deviations_is_no_paired_comparison(count, form):
    mean, sd, n = [0.91, 0.88, 0.85], [0.01, 0.02, 0.015], [5, 4, 5]
    table = {"model": ["nb", "svm", "tree"], "mean": mean, "std": sd}
    if form == "called by the metric":
        table = {"model": table["model"], "accuracy_mean": mean, "accuracy_std": sd}
    if form == "cells":
        table = {"model": table["model"], "accuracy": [f"{m} \u00b1 {s}" for m, s in zip(mean, sd, strict=True)]}
    table |= {} if count is None else {count: n}
    with pytest.raises(ValueError, match="one row per model, with a mean and a deviation") as error:
        read(table)
    call = str(error.value).partition("skcompare.inference.")[2]
    assert "nb against svm" in str(error.value)
    found = eval(call.replace("(number of runs, number of runs)", "(5, 4)"), {"welch_from_summary": welch_from_summary})
    expected = stats.ttest_ind_from_stats(0.91, 0.01, 5, 0.88, 0.02, 4, equal_var=False)
    assert found.pvalue == pytest.approx(expected.pvalue, rel=1e-9)


def test_deviations_beside_scores_of_data_sets_are_left_out_as_before():
    cells = {"nb": ["0.9 \u00b1 0.1", "0.8 \u00b1 0.1"], "svm": ["0.7 \u00b1 0.1", "0.6 \u00b1 0.1"]}
    study = read({"dataset": ["iris", "wine"], **cells})
    assert study.means("score").tolist() == [[0.9, 0.7], [0.8, 0.6]]


def test_the_first_line_says_who_may_be_first(rng):
    one = rng.normal(size=(3, 10))
    scores = {"a": 0.9 + 0.01 * one[0], "b": 0.9 + 0.01 * one[1], "c": 0.9 + 0.01 * one[2], "d": np.full(10, 0.2)}
    frame = {"model": np.repeat([*scores], 10), "fold": [*range(10)] * 4, "score": np.concatenate([*scores.values()])}
    result = from_frame(frame)
    assert result.summary().startswith("3 of 4 models may be first: ") == (len(result.rank().may_be_first) == 3)


@pytest.mark.parametrize(
    ("n", "begins"),
    [(1, "There is one model with score: m0."), (2, "Both models may be first"), (3, "All 3 models may be first")],
)
def test_of_models_that_may_all_be_first_no_share_is_counted(n, begins, global_random_seed):
    rng = np.random.default_rng(global_random_seed)
    one = rng.normal(size=10)
    one -= one.mean()
    scores = {f"m{i}": 0.8 + 0.01 * np.roll(one, i) for i in range(n)}
    frame = {"model": np.repeat([*scores], 10), "fold": [*range(10)] * n, "score": np.concatenate([*scores.values()])}
    result = from_frame(frame)
    assert str(result.rank()).startswith(begins)
    title = result.plot("ranks").figure_.axes[0].get_title(loc="left")
    assert " ".join(title.split()).startswith(begins if n > 1 else "The only model may be first")


def test_a_study_in_which_one_model_has_scores_ranks_it_as_an_evaluation_does():
    table = {"dataset": ["x", "y", "z"], "a": [0.9, 0.8, 0.7], "b": [np.nan] * 3}
    study = StudyResult.from_frame(table, missing="keep")
    assert str(study.rank()).startswith("There is one model with score: a.")
    assert (study.rank().names, study.rank().rank.tolist()) == (("a",), [1])
    assert "No test was made on score." in study.summary()


def test_ranks_on_one_data_set_claim_nothing_of_a_test_that_was_not_made():
    study = StudyResult.from_frame({"dataset": ["x"], "a": [0.9], "b": [0.8]})
    assert np.isnan(study.rank().omnibus.pvalue)
    assert "That all are equal" not in str(study.rank()) + str(study.explain())
    assert study.rank().warnings[0].startswith("TOO_LITTLE_DATA")


def test_ranks_of_a_study_with_gaps_stand_in_the_order_of_the_first_line():
    scores = {
        "a": [0.9, 0.67, 0.82, np.nan, 0.78, 0.79],
        "b": [0.7, 0.79, 0.76, 0.97, 0.81, 0.78],
        "c": [0.79, 0.77, 0.75, 0.78, 0.82, 0.79],
    }
    study = StudyResult.from_frame({"dataset": [*"uvwxyz"], **scores}, missing="keep")
    assert study.rank().may_be_first == study.answer().metrics[0].may_be_first == ("a", "b", "c")


def test_a_lead_without_an_interval_is_said_to_be_a_median():
    study = StudyResult.from_frame({"dataset": [*"xyz"], "a": [0.9, 0.8, 0.3], "b": [0.8, 0.75, 0.4]})
    assert "A lead is a median, not a difference of the means." in " ".join(study.summary().split())


def test_comparisons_call_each_test_by_its_name(rng):
    y = np.arange(60) % 2
    models = {name: np.clip(rng.random(60) + 0.2 * y, 0, 1) for name in "ab"}
    compared = " ".join(str(from_predictions(y, models, scoring=["accuracy", "roc_auc"]).compare()).split())
    assert "(McNemar's test (accuracy), DeLong's test (roc_auc))" in compared or "better" in compared


def test_models_that_never_meet_have_no_ranks_and_it_is_said_why(rng):
    rows = [
        (name, data, rng.random()) for names, sets in (("ab", "xyz"), ("cd", "uvw")) for name in names for data in sets
    ]
    table = dict(zip(("model", "dataset", "score"), map(list, zip(*rows, strict=True)), strict=True))
    with pytest.raises(ValueError, match="'a' and 'b' and one of 'c' and 'd'"):
        StudyResult.from_frame(table, missing="keep").rank()


# ---- published boards ------------------------------------------------------------------------------------------

DATA = Path(__file__).parents[1] / "docs" / "data"

PUBLISHED = {  # docs/data/README.md has their sources: the first and the last, groups, and data sets in common
    "data sets": (
        lambda: read(DATA / "garcia_herrera_2008.csv"),
        ("C4.5", "Kernel"),  # mean ranks 2.100 and 4.333 of García and Herrera (2008)
        {("C4.5", "NaiveBayes"), ("Kernel",)},
        "",
    ),
    "judgments": (
        lambda: from_judgments(pd.read_csv(DATA / "american_league_1987.csv"), a="home", b="away", home=True),
        ("Milwaukee", "Baltimore"),  # coefficients 1.6196 and 0: summary() of BTm in R's BradleyTerry2
        {("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland"), ("Baltimore",)},
        "",
    ),
    "gaps": (
        lambda: read(DATA / "skillings_mack_1981.csv", missing="keep", greater_is_better=False),
        ("A", "D"),
        {("A", "C", "B"), ("D",)},
        "A and B: 7 of 9 data sets in common.",
    ),
}


@pytest.mark.parametrize("kind", PUBLISHED)
def test_a_published_board_is_shown_in_every_form(kind):
    make, (first, last), groups, common = PUBLISHED[kind]
    board = make()
    ranking = board.rank()
    order = sorted(ranking.names, key=dict(zip(ranking.names, ranking.rank, strict=True)).__getitem__)
    assert (order[0], order[-1]) == (first, last)
    assert ranking.may_be_first == next(group for group in groups if first in group)
    assert last not in ranking.may_be_first
    text, page = str(board), board.to_html()
    for name in order:
        assert name in text
        assert html.escape(name) in page
    assert f"{len(ranking.may_be_first)} of {len(order)} models may be first" in " ".join(text.split())
    assert [label.get_text() for label in board.plot("ranks").ax_.get_yticklabels()] == order
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 24
    assert common in "\n".join(getattr(board.explain().named("in common"), "texts", ()) if common else ())
