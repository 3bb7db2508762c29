"""The first line: which model leads, what is known of the others, and of whom nothing is known."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, StudyResult, from_frame
from skcompare.comparison.answer import answer
from skcompare.comparison.answered import Answer, MetricAnswer, PairAnswer
from skcompare.reporting.answer import first_line

NAN = float("nan")
METRICS = ("accuracy", "f1", "fit_time")


def said(models, first, wins=(), *, n_metrics=1, **facts):
    """The first line of an answer: `wins` are (winner, loser, metric), all other comparisons are open."""
    pairs = []
    for a, b in combinations(models, 2):
        better, worse = (
            tuple(metric for winner, loser, metric in wins if (winner, loser) == pair) for pair in ((a, b), (b, a))
        )
        lacking = tuple(METRICS[:n_metrics]) if {a, b} & {*first.not_comparable} else ()
        undecided = tuple(m for m in METRICS[:n_metrics] if m not in (*better, *worse, *lacking))
        pairs.append(PairAnswer(a=a, b=b, better=better, worse=worse, undecided=undecided, not_comparable=lacking))
    facts = {"sequential": False, "within_reach": True, **facts}
    return first_line(
        Answer(models=tuple(models), metrics=(first,), pairs=tuple(pairs), alpha=0.05, n_metrics=n_metrics, **facts)
    )


def on_accuracy(leader, **groups):
    return MetricAnswer(metric="accuracy", leader=leader, **groups)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            said("AB", on_accuracy("A", worse=("B",)), [("A", "B", "accuracy")]),
            "Use A. B is significantly worse.",
        ),
        (
            said("AB", on_accuracy("A", not_different=("B",), bound=0.0123)),
            "A and B are not significantly different (difference at most 0.012).",
        ),
        (
            said("AB", on_accuracy("A", worse=("B",)), [("A", "B", m) for m in METRICS[:2]], n_metrics=3),
            "Use A. B is significantly worse on accuracy and f1. They are not significantly different on fit_time.",
        ),
        (
            said("AB", on_accuracy("A", worse=("B",)), [("A", "B", "f1"), ("B", "A", "fit_time")], n_metrics=3),
            "A is significantly better on f1, B on fit_time. They are not significantly different on accuracy.",
        ),
        (
            said("AB", on_accuracy("A", not_different=("B",), bound=0.1), [("B", "A", "fit_time")], n_metrics=3),
            "A and B are not significantly different on accuracy (difference at most 0.10), nor on f1. B is "
            "significantly better on fit_time.",
        ),
        (
            said("ABC", on_accuracy("A", worse=("B", "C"))),
            "Use A. B and C are significantly worse.",
        ),
        (
            said("ABC", on_accuracy("A", worse=("C",), not_different=("B",), bound=0.01)),
            "A and B are not significantly different (difference at most 0.010); C is significantly worse than A.",
        ),
        (
            said("ABC", on_accuracy("A", not_different=("B", "C")), [("B", "C", "accuracy")]),
            "A leads; B and C are not significantly different from it.",
        ),
        (
            said("ABC", on_accuracy("A", worse=("B", "C")), [("C", "A", "fit_time")], n_metrics=3),
            "Use A for accuracy. B and C are significantly worse on accuracy. C is significantly better than A on "
            "fit_time.",
        ),
        (
            said("ABC", on_accuracy("A", not_different=("B",), worse=("C",)), [("A", "B", "f1")], n_metrics=3),
            "A and B are not significantly different on accuracy; C is significantly worse than A. On f1 A is "
            "significantly better than B.",
        ),
        (
            said("ABC", on_accuracy("A", worse=("B",), not_comparable=("C",))),
            "Use A. B is significantly worse; nothing can be said of C.",
        ),
        (
            said("ABC", on_accuracy("A", equivalent=("B",), worse=("C",)), sequential=True),
            "A and B are practically equivalent; C is significantly worse.",
        ),
        (
            said(
                "ABC", on_accuracy("A", not_different=("B",), worse=("C",)), [("B", "C", "accuracy")], sequential=True
            ),
            "A and B are not significantly different; C is significantly worse than B.",
        ),
        (
            said(
                "ABCDE",
                on_accuracy("A", not_different=("B",), worse=("C", "D", "E")),
                [(a, b, "accuracy") for a, b in ("AC", "BC", "BD", "AE")],
                sequential=True,
            ),
            "A and B are not significantly different; C and E are significantly worse than A; D is significantly worse "
            "than B.",
        ),
        (
            said("AB", on_accuracy("A", not_comparable=("B",))),
            "Nothing can be concluded: no two models can be compared on accuracy.",
        ),
        (
            said("AB", on_accuracy("A", not_different=("B",)), within_reach=False),
            "Nothing can be concluded: with so little data no difference can be significant among 1 comparison.",
        ),
    ],
)
def test_the_first_line(text, expected):
    assert text == expected


@pytest.mark.parametrize("n", [8, 50])
def test_many_models_are_counted_and_not_listed(n):
    names = [f"m{i}" for i in range(n)]
    line = said(names, on_accuracy("m0", worse=tuple(names[1:])))
    assert line == f"Use m0. All {n - 1} others are significantly worse."
    line = said(names, on_accuracy("m0", not_different=tuple(names[1:])))
    assert line == f"m0 and {n - 1} other models are not significantly different."
    assert len(line) < 120


# ---- of scores ----------------------------------------------------------------------------------------------------


def scores(values):
    """A result of three models, A, B and C, on ten times ten folds: scores of shape (3, 100)."""
    table = {"model": [], "repeat": [], "fold": [], "score": []}
    for model in "ABC":
        for i in range(100):
            for name, value in zip(table, (model, i // 10, i % 10, 0.5), strict=True):
                table[name].append(value)
    return replace(from_frame(table), scores=np.asarray(values, dtype=float)[:, :, None])


def first_of(scores):
    (found,) = answer(scores).metrics
    return found


def test_the_best_mean_rank_that_loses_the_test_does_not_lead():
    """A beats B narrowly on 55 of 100 data sets and loses by far on the others; C comes between or last."""
    table = {"dataset": [f"d{i}" for i in range(100)], "A": [0.7] * 100, "B": [], "C": []}
    for i in range(100):
        wins = i < 55
        table["B"].append(0.7 - 0.001 * (1 + i / 1000) if wins else 0.7 + 0.1 * (1 + i / 1000))
        table["C"].append(0.6995 if wins else 0.5)
    study = StudyResult.from_frame(table)
    assert study.rank().mean_ranks.argmin() == 0
    assert study.compare(metrics="score")[0].winner == "B"
    assert first_of(study).leader == "B"
    assert str(study).startswith("Use B. A and C are significantly worse.")


def test_the_best_mean_of_a_result_with_gaps_that_loses_the_test_does_not_lead(rng):
    easy = np.where(np.arange(100) < 50, 0.9, 0.5)
    values = easy + np.array([[0.0], [0.05], [-0.1]]) + rng.normal(0, 0.003, (3, 100))
    values[0, 50:] = values[2, :50] = np.nan  # A has the easy splits, C the others, B all
    found = first_of(scores(values))
    assert (found.leader, found.worse) == ("B", ("A", "C"))


def test_models_that_failed_everywhere_are_named(rng):
    values = rng.uniform(size=(3, 100))
    values[1:] = np.nan
    found = first_of(scores(values))
    assert (found.leader, found.not_comparable) == ("A", ("B", "C"))
    assert str(scores(values)).startswith("Nothing can be concluded: no two models can be compared on score.")


def test_models_with_the_same_scores_share_the_lead(rng):
    values = rng.uniform(size=(3, 100))
    values[1] = values[0] + 1e-17
    values[2] = values[0] - 0.5 + rng.normal(0, 0.01, 100)
    found = first_of(scores(values))
    assert (found.leader, found.not_different, found.worse) == ("A", ("B",), ("C",))


def test_no_leader_where_each_model_is_beaten():
    """Each model beats one and loses to another on two thirds of the data sets."""
    third, size = np.arange(300) % 3, 10.0 ** np.linspace(-5, -1, 300)  # sizes that differ more than the places do
    table = {"dataset": [f"d{i}" for i in range(300)]}
    for i, name in enumerate("ABC"):
        table[name] = (0.5 + size * ((third - i) % 3)).tolist()
    study = StudyResult.from_frame(table)
    assert {row.winner for row in study.compare()} == {"A", "B", "C"}
    assert first_of(study).leader is None
    assert str(study).startswith("Nothing can be concluded: every model is significantly worse than another one")


@st.composite
def results(draw):
    """Three models with gaps, ties and leads of all sizes."""
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    lead = np.array([draw(st.sampled_from([0.0, 0.01, 0.05, 0.3])) for _ in range(3)])
    values = (rng.normal(0, 0.05, (3, 100)) + lead[:, None]).round(draw(st.sampled_from([1, 3, 9])))
    for i in range(3):
        gap = draw(st.sampled_from([0, 0, 50, 99, 100]))
        values[i, rng.permutation(100)[:gap]] = np.nan
    return scores(values)


@given(results())
def test_nobody_leads_who_loses_and_everybody_is_in_one_group(result):
    found = first_of(result)
    rows = {frozenset((row.a, row.b)): row for row in result.compare()}
    if found.leader is None:
        return
    groups = (found.worse, found.not_different, found.equivalent, found.not_comparable)
    assert sorted([found.leader, *(name for group in groups for name in group)]) == ["A", "B", "C"]
    assert all(row.winner in (None, found.leader) for pair, row in rows.items() if found.leader in pair)
    for name in found.worse:
        assert rows[frozenset((name, found.leader))].winner == found.leader
        assert name in first_line(answer(result))


@pytest.mark.parametrize("names", [("rf 1", "rf  1"), ("rf\u200b1", "rf\u200c1"), ("m 1", "m\u00a01", "other")])
def test_names_that_look_alike_are_not_taken_for_each_other(names):
    """The first is better than the second: with the two taken for one, both or neither would be."""
    table = {"model": [], "fold": [], "score": []}
    for i, name in enumerate(names):
        for fold in range(10):
            for key, value in zip(table, (name, fold, 0.9 - 0.2 * i + 0.001 * (fold % 3) * i), strict=True):
                table[key].append(value)
    result = from_frame(table)
    found = first_of(result)
    assert (found.leader, found.worse) == (names[0], names[1:])
    line = result.summary().splitlines()[0]
    assert line.isprintable()
    assert line.startswith("Use ")
    assert line in result.to_html()


def test_the_text_is_one_line_of_printable_characters(rng):
    table = {"model": [], "fold": [], "score": []}
    for name in ("thin\u2009space", "zero\u200bwidth"):
        for fold in range(5):
            for key, value in zip(table, (name, fold, float(rng.uniform())), strict=True):
                table[key].append(value)
    assert all(line.isprintable() for line in from_frame(table).summary().splitlines())


def test_the_page_on_reading_quotes_what_is_printed():
    """The phrases that it explains stand in the full summary of the README's example."""
    page = (Path(__file__).parents[1] / "docs" / "reading.md").read_text(encoding="utf-8")
    quoted = re.findall(r'(?m)^\| "([^"]+)" \|', page.split("## Below the table")[1])
    assert len(quoted) >= 10
    models = {
        "lr": make_pipeline(StandardScaler(), LogisticRegression()),
        "nb": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
    }
    result = PairedEvaluator(cv="10x10", random_state=0).evaluate(models, *load_breast_cancer(return_X_y=True))
    printed = " ".join(f"{result} {result.summary('full')}".split())
    of_this_run = [
        phrase
        for phrase in quoted
        if not any(word in phrase for word in ("simulat", "few cases", "single comparisons", "not measured"))
    ]  # error rates differ from run to run
    assert [phrase for phrase in of_this_run if phrase not in printed] == []


# ---- scores that do not vary, bounds that say nothing -----------------------------------------------------------


def scores_table(models, metric="accuracy", n=10):
    """Long data of models on the same folds."""
    rows = [(name, i, metric, value) for name, scores in models.items() for i, value in enumerate(scores[:n])]
    return dict(zip(("model", "fold", "metric", "score"), map(list, zip(*rows, strict=True)), strict=True))


def test_models_with_the_same_scores_are_called_so_and_others_are_not(rng):
    scores = rng.uniform(0.7, 0.9, 10)
    for names, together in (
        ("ab", "a and b have"),
        ("abc", "a, b and c have"),
        ("abcdefgh", "a and 7 other models have"),
    ):
        result = from_frame(scores_table(dict.fromkeys(names, scores)), test_fraction=0.1)
        assert result.summary().startswith(f"{together} the same scores on all splits.\n")
        near = {name: scores + 1e-3 * rng.normal(size=10) * (name != "a") for name in names}
        assert "the same scores" not in from_frame(scores_table(near), test_fraction=0.1).summary()
    table = {"dataset": list("uvwxyz"), "a": scores[:6], "b": scores[:6], "c": scores[:6] + 0.01}
    study = StudyResult.from_frame({name: table[name] for name in ("dataset", "a", "b")})
    assert "Nothing can be concluded" in study.summary() or "the same scores on all data sets." in study.summary()


def test_ties_on_most_data_sets_are_not_the_same_scores():
    a = np.linspace(0.6, 0.9, 20)
    b = a.copy()
    b[0] -= 0.01
    study = StudyResult.from_frame({"dataset": [f"d{i}" for i in range(20)], "a": a, "b": b})
    assert study.answer().metrics[0].not_different
    assert "the same scores" not in study.summary()


def test_of_a_difference_that_is_the_same_everywhere_nothing_can_be_concluded(rng):
    scores = np.round(rng.uniform(0.6, 0.9, 10), 3)
    fixed = from_frame(scores_table({"a": scores + 0.05, "b": scores}), test_fraction=0.1)
    why = "on accuracy the difference is the same on all splits, so that no test is possible."
    for text in (fixed.summary(), fixed.summary("full"), fixed.to_markdown(), str(fixed.answer())):
        assert " ".join(text.split()).startswith(f"Nothing can be concluded: {why}")
    varies = from_frame(scores_table({"a": scores + 0.05 + 1e-3 * rng.normal(size=10), "b": scores}), test_fraction=0.1)
    assert varies.summary().startswith("Use a. b is significantly worse.\n")


def test_no_bound_is_as_large_as_any_difference_can_be():
    few = {"a": [0.9, 0.8], "b": [0.7, 0.79], "c": [0.95, 0.6]}
    for metric, span in (("accuracy", 1), ("f1_macro", 1), ("mcc", 2), ("loss", np.inf)):
        result = from_frame(scores_table(few, metric), test_fraction=0.5, greater_is_better=True)
        summary = result._views.summarise(result)
        (means,), (on,) = summary.metrics, result.answer().metrics
        assert means.span == span
        assert not on.bound >= span
        assert ("difference at most" in result.summary()) == np.isinf(span)
        assert (f"more than {span:g} in {metric}" in result.summary()) == np.isfinite(span)
    percent = {name: [100 * score for score in scores] for name, scores in few.items()}
    result = from_frame(scores_table(percent), test_fraction=0.5)
    assert result.answer().metrics[0].bound > 1


@pytest.mark.parametrize("n", [2, 4, 5, 10])
def test_fewer_than_five_splits_are_warned_of_below_the_answer(rng, n):
    result = from_frame(scores_table({"a": rng.uniform(size=10), "b": rng.uniform(size=10)}, n=n), test_fraction=1 / n)
    second = result.summary().split("\n\n")[0].split("\n- ")[1:]
    assert second.pop(0).startswith("UNPAIRED: ")  # as of every table
    assert [line.startswith(f"FEW_SPLITS: {n} splits") for line in second] == [True] * (n < 5)


def test_equal_models_are_never_said_to_differ_among_themselves(rng):
    """That one leads, and others are not significantly different from it, means that some of them differ."""
    for names in ("abc", "abcdefg", "abcdefghij"):
        for _ in range(5):
            models = {name: 0.8 + 0.01 * rng.normal(size=10) for name in names}
            found = from_frame(scores_table(models), test_fraction=0.1).answer()
            (on,) = found.metrics
            assert ("leads" in first_line(found)) == (not found.all_alike(on) and bool(on.not_different))
