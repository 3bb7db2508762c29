"""The verdict in sentences: who leads, who does not although its mean is best, and of whom nothing is known."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skcompare import StudyResult, from_frame
from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.reporting.summary.evaluation import summarise
from skcompare.reporting.summary.records import MetricSummary
from skcompare.reporting.summary.study import summarise_study
from skcompare.reporting.text import text_report
from skcompare.reporting.verdict import leaders, sentences

OPEN, UNDECIDED = Outcome.UNDECIDED, Outcome.NOT_COMPARABLE
NAN = float("nan")


def row(metric, a, b, said):
    """A comparison of which only the outcome is known: the name of the better model, or an outcome."""
    outcome = {a: Outcome.BETTER, b: Outcome.WORSE}.get(said, said)
    numbers = dict.fromkeys(
        ("mean_a", "mean_b", "estimate", "low", "high", "pvalue", "pvalue_adjusted", "effect_size"), NAN
    )
    return ComparisonRow(
        metric=metric,
        a=a,
        b=b,
        **numbers,
        outcome=outcome,
        winner=said if said in (a, b) else None,
        wins=0,
        ties=0,
        losses=0,
        probability_of_superiority=NAN,
    )


def summary_of(names, metric, rows, *, study=False):
    table = {"model": [name for name in names for _ in range(3)], "fold": [0, 1, 2] * len(names), "score": 0.5}
    table["score"] = [0.5] * len(table["model"])
    wide = {"dataset": ["d0", "d1"], **{name: [0.5, 0.6] for name in names}}
    base = summarise_study(StudyResult.from_frame(wide)) if study else summarise(from_frame(table))
    return replace(base, metrics=(metric,), rows=tuple(rows), joint=())


def summary(means, *outcomes, study=False, greater_is_better=True):
    """What the sentences read: models A, B, ... with these means or mean ranks on a metric, outcomes pair by pair."""
    names = [chr(ord("A") + i) for i in range(len(means))]
    ranks = {"mean_ranks": tuple(means)} if study else {}
    metric = MetricSummary(
        name="accuracy", greater_is_better=greater_is_better, means=tuple(means), n_all=3, n_common=3, **ranks
    )
    pairs = zip(combinations(names, 2), outcomes, strict=True)
    return summary_of(names, metric, [row("accuracy", a, b, said) for (a, b), said in pairs], study=study)


def scores(values):
    """A result of three models, A, B and C, on ten times ten folds: scores of shape (3, 100)."""
    table = {"model": [], "repeat": [], "fold": [], "score": []}
    for model in "ABC":
        for i in range(100):
            for name, value in zip(table, (model, i // 10, i % 10, 0.5), strict=True):
                table[name].append(value)
    return replace(from_frame(table), scores=np.asarray(values, dtype=float)[:, :, None])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            summary([3, 2, 1], "A", "A", OPEN),
            "On accuracy, A is better than all 2 other models.",
        ),
        (
            summary([3, 2, 1], "A", OPEN, OPEN),
            "On accuracy, A leads, is better than B and is not significantly different from C.",
        ),
        (
            summary([3, 2, 1], "B", OPEN, OPEN),
            "On accuracy, A has the best mean score, but B is better than A; A is not significantly different from C.",
        ),
        (
            summary([1, 2, 3], "B", "C", OPEN, study=True),
            "On accuracy, A has the best mean rank, but B and C are better than A.",
        ),
        (
            summary([1, 2, 3], "A", OPEN, OPEN, greater_is_better=False),
            "On accuracy, A leads, is better than B and is not significantly different from C.",
        ),
        (
            summary([3, NAN, NAN], UNDECIDED, UNDECIDED, UNDECIDED),
            "On accuracy, A has the best mean score; nothing can be said of B and C.",
        ),
        (
            summary([3, 2, NAN], "A", UNDECIDED, UNDECIDED),
            "On accuracy, A leads and is better than B; nothing can be said of C.",
        ),
        (
            summary([3, 2, 1], "A", UNDECIDED, "B"),
            "On accuracy, A leads and is better than B; nothing can be said of C against A.",
        ),
        (
            summary([2, 2, 1], OPEN, "A", "B"),
            "On accuracy, A and B share the best mean score and are better than C.",
        ),
        (
            summary([2, 2, 1], OPEN, "A", OPEN),
            "On accuracy, A and B share the best mean score; only some of them are better than C.",
        ),
        (
            summary([2, 2, 1], OPEN, "C", "B"),
            "On accuracy, A and B share the best mean score, but C is better than A.",
        ),
        (
            summary([1.5, 1.5, 3], "B", OPEN, OPEN, study=True),
            "On accuracy, A and B share the best mean rank, but B is better than A; they are not significantly "
            "different from C.",
        ),
        (summary([1, 1, 1], OPEN, OPEN, OPEN), "On accuracy, A, B and C share the best mean score."),
        (
            summary([NAN] * 3, "A", UNDECIDED, UNDECIDED, study=True),
            "On accuracy, no data set has scores of all models, so none leads; nothing can be said of C.",
        ),
        (summary([NAN] * 3, UNDECIDED, UNDECIDED, UNDECIDED), "On accuracy, nothing can be said."),
    ],
)
def test_the_sentence_on_a_metric(given, said):
    assert sentences(given)[0] == said


def test_the_count_has_the_comparisons_that_could_not_be_made_apart():
    assert sentences(summary([3, 2, NAN], "A", UNDECIDED, UNDECIDED))[-1] == (
        "A difference was shown in 1 of 3 comparisons of two models; 2 could not be made."
    )
    assert sentences(summary([3, 2, 1], OPEN, OPEN, OPEN))[-1] == (
        "A difference was shown in none of 3 comparisons of two models."
    )


def test_means_that_differ_by_rounding_are_equal():
    assert leaders(summary([0.1 + 0.2, 0.3, 0.29], OPEN, OPEN, OPEN)) == [["A", "B"]]
    assert leaders(summary([0.3 + 1e-9, 0.3, 0.29], OPEN, OPEN, OPEN)) == [["A"]]


@st.composite
def tables(draw):
    n = draw(st.integers(3, 6))
    names = [chr(ord("A") + i) for i in range(n)]
    outcomes = [draw(st.sampled_from([OPEN, UNDECIDED, a, b])) for a, b in combinations(names, 2)]
    means = draw(st.lists(st.sampled_from([0.25, 0.5, 0.75]), min_size=n, max_size=n))
    return summary(means, *outcomes)


@settings(max_examples=300, deadline=None)
@given(tables())
def test_nobody_leads_who_loses_and_everybody_is_named(given):
    (best,), said = leaders(given), sentences(given)[0]
    lost = [row for row in given.rows if row.winner is not None and ({row.a, row.b} - {row.winner}) <= set(best)]
    assert ("but" in said) == bool(lost)
    if lost or len(best) > 1:
        assert " leads" not in said
        assert "better than all" not in said
    if "better than all" not in said:
        words = said.replace(",", " ").replace(";", " ").replace(".", " ").split()
        assert set(given.estimators) <= set(words)


# ---- of real scores -----------------------------------------------------------------------------------------------


def test_the_best_mean_rank_that_loses_the_test_does_not_lead():
    """A beats B narrowly on 55 of 100 data sets and loses by far on the others; C comes between or last."""
    table = {"dataset": [f"d{i}" for i in range(100)], "A": [0.7] * 100, "B": [], "C": []}
    for i in range(100):
        wins = i < 55
        table["B"].append(0.7 - 0.001 * (1 + i / 1000) if wins else 0.7 + 0.1 * (1 + i / 1000))
        table["C"].append(0.6995 if wins else 0.5)
    study = StudyResult.from_frame(table)
    assert study.compare(metrics="score")[0].winner == "B"
    assert "On score, A has the best mean rank, but B is better than A; A is better than C." in study.to_html()


def test_the_best_mean_of_a_result_with_gaps_that_loses_the_test_does_not_lead(rng):
    easy = np.where(np.arange(100) < 50, 0.9, 0.5)
    values = easy + np.array([[0.0], [0.05], [-0.1]]) + rng.normal(0, 0.003, (3, 100))
    values[0, 50:] = values[2, :50] = np.nan  # A has the easy splits, C the others, B all
    assert sentences(summarise(scores(values)))[0] == (
        "On score, A has the best mean score, but B is better than A; nothing can be said of C against A."
    )


def test_models_that_failed_everywhere_are_named(rng):
    values = rng.uniform(size=(3, 100))
    values[1:] = np.nan
    result = scores(values)
    assert sentences(summarise(result))[0] == "On score, A has the best mean score; nothing can be said of B and C."
    assert "3 comparisons could not be made." in result.summary()
    assert "No difference shown" not in result.summary()


def test_the_summary_counts_what_could_not_be_compared_apart(rng):
    values = np.tile(rng.uniform(size=100), (3, 1))
    values[2] = np.nan
    result = scores(values)
    assert "No difference shown on any of 1 comparison.\n2 comparisons could not be made." in result.summary()


def test_models_with_the_same_scores_share_the_lead(rng):
    values = rng.uniform(size=(3, 100))
    values[1] = values[0]
    values[2] = values[0] - 0.5
    assert (
        sentences(summarise(scores(values)))[0] == "On score, A and B share the best mean score and are better than C."
    )


@pytest.mark.parametrize("names", [("rf 1", "rf  1"), ("rf\u200b1", "rf\u200c1"), ("m 1", "m\u00a01", "other")])
def test_names_that_look_alike_are_not_taken_for_each_other(names):
    """The first is better than the second: with the two taken for one, both or neither would be."""
    table = {"model": [], "fold": [], "score": []}
    for i, name in enumerate(names):
        for fold in range(10):
            for key, value in zip(table, (name, fold, 0.9 - 0.2 * i + 0.001 * (fold % 3) * i), strict=True):
                table[key].append(value)
    result = from_frame(table)
    assert result.compare()[0].winner == names[0]
    (said, *_) = sentences(summarise(result))
    assert said.count(" better") == 1
    assert "\u200b" not in said
    assert said in result.to_html()
    assert said.startswith("On score, m 1 is better than all 2" if len(names) == 3 else "rf")


def test_the_text_is_one_line_of_printable_characters(rng):
    given = summarise(scores(rng.uniform(size=(3, 100))))
    names = {"A": "two\nlines", "B": "B", "C": "zero\u200bwidth"}
    rows = tuple(replace(row, a=names[row.a], b=names[row.b]) for row in given.rows)
    given = replace(given, estimators=tuple(names[name] for name in given.estimators), rows=rows)
    assert all(line.isprintable() for line in sentences(given))
    assert text_report(given)


# ---- what is said of pairs that no test could compare, and of names --------------------------------------------------


def test_a_name_keeps_its_case():
    names = ("no pca", "stump")
    rows = [row("f1", *names, "no pca"), row("recall", *names, OPEN)]
    metric = MetricSummary(name="f1", greater_is_better=True, means=(1.0, 0.0), n_all=3, n_common=3)
    (said,) = sentences(summary_of(names, metric, rows))
    assert said == "no pca is better than stump on f1; no difference between no pca and stump was shown on recall."
    (said,) = sentences(summary_of(names, metric, rows[1:]))
    assert said == "No difference between no pca and stump was shown on recall."


def test_a_pair_that_no_test_compared_is_counted_where_the_leaders_are_tied():
    said, _ = sentences(summary([3, 3, 1], OPEN, UNDECIDED, OPEN))
    assert said == (
        "On accuracy, A and B share the best mean score and are not significantly different from C; 1 of these "
        "comparisons could not be made."
    )


@given(st.lists(st.sampled_from(["A", "B", OPEN, UNDECIDED]), min_size=3, max_size=3), st.permutations([3, 3, 1]))
def test_no_undecided_pair_of_a_leader_goes_unsaid(said_of, means):
    outcomes = [{"A": a, "B": b}.get(said, said) for said, (a, b) in zip(said_of, combinations("ABC", 2), strict=True)]
    best = {name for name, mean in zip("ABC", means, strict=True) if mean == 3}
    concerned = [v for v, pair in zip(outcomes, combinations("ABC", 2), strict=True) if best & set(pair)]
    said = sentences(summary(means, *outcomes))[0]
    assert (UNDECIDED in concerned) == ("could not be made" in said or "nothing can be said" in said)
