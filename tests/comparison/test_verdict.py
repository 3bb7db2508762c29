"""The first line: which model leads, what is known of the others, and of whom nothing is known."""

from __future__ import annotations

import json
import os
import re
import warnings
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from skcompare.reporting.answer import first_line
from skcompare.reporting.summary.page import study_report
from sklearn.datasets import load_breast_cancer
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skcompare import Outcome, PairedEvaluator, StudyResult, from_frame, from_runs
from skcompare.comparison.answer import Answer, MetricAnswer, PairAnswer, answer
from skcompare.comparison.means import metric_means
from skcompare.reporting.summary.study import summarise_study
from tests import claims

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
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
    page = (Path(__file__).parents[2] / "docs" / "reading.md").read_text(encoding="utf-8")
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
    assert second.pop(0).startswith("ASSUMED: ")  # as of every table
    assert [line.startswith(f"TOO_LITTLE_DATA: {n} splits") for line in second] == [True] * (n < 5)


def test_equal_models_are_never_said_to_differ_among_themselves(rng):
    """That one leads, and others are not significantly different from it, means that some of them differ."""
    for names in ("abc", "abcdefg", "abcdefghij"):
        for _ in range(5):
            models = {name: 0.8 + 0.01 * rng.normal(size=10) for name in names}
            found = from_frame(scores_table(models), test_fraction=0.1).answer()
            (on,) = found.metrics
            assert ("leads" in first_line(found)) == (not found.all_alike(on) and bool(on.not_different))


# ---- who leads over data sets ------------------------------------------------------------------------------------


def drawn_study(rng):
    """A table with ties, gaps, several metrics and directions, and perhaps a model without any score on one metric."""
    n_models, n_datasets, n_metrics = int(rng.integers(2, 9)), int(rng.integers(3, 21)), int(rng.integers(1, 4))
    models, metrics = [f"m{i}" for i in range(n_models)], [f"s{m}" for m in range(n_metrics)]
    skill = rng.normal(0, rng.choice([0.0, 0.02, 0.1]), (n_models, n_metrics))
    scores = (
        0.6 + skill + rng.normal(0, 0.03, (n_datasets, n_models, n_metrics)) * rng.choice([1, 1, 8], (n_datasets, 1, 1))
    )
    scores = scores.round(int(rng.choice([1, 2, 6])))
    scores[rng.random(scores.shape) < rng.choice([0.0, 0.1, 0.5])] = np.nan
    if rng.random() < 0.3:
        scores[:, rng.integers(n_models), rng.integers(n_metrics)] = np.nan
    better = {metric: bool(rng.random() < 0.6) for metric in metrics}
    rows = [
        {"dataset": f"d{d}", "model": models[i], "metric": metrics[m], "score": float(score)}
        for (d, i, m), score in np.ndenumerate(scores)
    ]
    table = {name: [row[name] for row in rows] for name in ("dataset", "model", "metric", "score")}
    return table, better, scores


def mean_ranks_of(scores):
    """Skillings and Mack's (1981) mean ranks by scipy, where greater is better: of all data sets with two scores."""
    present = np.isfinite(scores) & (np.isfinite(scores).sum(axis=1) > 1)[:, None]
    k, found = int(present.any(axis=0).sum()), [[] for _ in scores.T]
    for row, there in zip(scores, present, strict=True):
        for i, rank in zip(np.flatnonzero(there), stats.rankdata(-row[there]), strict=True):
            found[i].append(rank * (k + 1) / (there.sum() + 1))
    return np.array([np.mean(ranks) if ranks else np.nan for ranks in found])


def check_leader(study, on, ranks, scores, sign):
    """Who leads is the best by mean ranks but for those that it is significantly better than; the rest is told."""
    models, pairs = study.estimators, [row for row in study.compare() if row.metric == on.metric]
    place = {name: i for i, name in enumerate(models)}
    losers = {(row.a if row.winner == row.b else row.b): row.winner for row in pairs if row.winner is not None}
    compared = {name for row in pairs if row.outcome is not Outcome.NOT_COMPARABLE for name in (row.a, row.b)}
    if on.leader is None:
        assert not compared or models[int(np.nanargmin(ranks))] in losers
        assert on.ahead == ()
        return
    assert on.leader not in losers
    own, behind = ranks[place[on.leader]], set()
    complete = scores[np.isfinite(scores[:, np.isfinite(scores).any(axis=0)]).all(axis=1)]
    for row in pairs:
        if on.leader in (row.a, row.b) and np.isfinite(row.estimate):
            side, other = (1, row.b) if row.a == on.leader else (-1, row.a)
            leads = [side * row.estimate, side * sign * (row.mean_a - row.mean_b)]
            leads.append(ranks[place[other]] - own)
            leads += [complete[:, place[on.leader]].mean() - complete[:, place[other]].mean()] if len(complete) else []
            behind |= {other} if min(leads) < -1e-9 else set()
            if ranks[place[other]] < own - 1e-9:
                assert row.winner == on.leader
    assert set(on.ahead) == behind


@pytest.mark.slow
def test_over_data_sets_the_best_mean_rank_leads_and_what_disagrees_is_told(rng):
    told, n_draws = 0, 200 if FULL else 40
    for draw in range(n_draws):
        table, better, scores = drawn_study(rng)
        study = StudyResult.from_frame(table, missing="keep", greater_is_better=better)
        answer, means = study.answer(), {one.name: one for one in metric_means(study)}
        for on in answer.metrics:
            m, sign = study.metric_index(on.metric), 1 if better[on.metric] else -1
            ranks = mean_ranks_of(sign * scores[:, :, m])
            np.testing.assert_allclose(means[on.metric].mean_ranks, ranks)
            if (np.isfinite(scores[:, :, m]).sum(axis=1) > 1).any() and len(study.estimators) > 2:
                known = np.isfinite(ranks)
                np.testing.assert_allclose(study.rank(on.metric).mean_ranks, ranks[known])
                assert study.rank(on.metric).names == tuple(np.array(study.estimators)[known])
            check_leader(study, on, ranks, sign * scores[:, :, m], sign)
        said = first_line(answer)
        first = answer.metrics[0]
        assert ("ahead of" in said) == bool(first.ahead)
        told += bool(first.ahead)
        if draw % 4:
            continue
        summary = summarise_study(study)
        views = [study.summary(), str(answer), study.to_markdown().replace("\\", "")]
        assert all(" ".join(view.split()).startswith(said) for view in views)
        assert study_report(study, summary, []).summary.answer == summary.answer
        assert summary.answer.metrics[0].ahead == first.ahead
        assert not first.ahead or f"ahead of {first.leader}" in " ".join(study.to_latex().split())
        for on in answer.metrics:
            assert not on.ahead or re.search(r"\bahead\b", str(answer).split("\n\n")[1])
    assert told > n_draws / 20  # the tables are such that some disagree


def test_who_won_where_it_ran_is_not_behind_who_ran_elsewhere():
    """'strong' beats 'middling' wherever both ran, which beats 'weak' on other data sets."""
    rng = np.random.default_rng(0)
    strong, middling, weak = (
        0.85 + rng.normal(0, 0.005, 20),
        0.6 + rng.normal(0, 0.02, 20),
        0.5 + rng.normal(0, 0.02, 20),
    )
    strong[5:], weak[:5] = np.nan, np.nan
    table = {"dataset": [f"set{i}" for i in range(20)], "strong": strong, "middling": middling, "weak": weak}
    for names in permutations(["strong", "middling", "weak"]):
        study = StudyResult.from_frame({"dataset": table["dataset"], **{n: table[n] for n in names}}, missing="keep")
        found = first_of(study)
        assert (found.leader, found.ahead) == ("strong", ())
        ranks = dict(zip(names, study.rank().mean_ranks.round(2).tolist(), strict=True))
        assert ranks == {"strong": 1.33, "middling": 1.67, "weak": 2.67}  # (k + 1) / (k_i + 1) times 1, 2 or 1, 2
        assert "weak is significantly worse than middling" in " ".join(study.summary().split())
        cells = claims.table_cells(study.summary(), "score")[1:4]
        assert (cells[0][0], cells[0][-1]) == ("strong", "leads")
        assert cells[1][3].startswith("+0.2")
        assert study.rank().omnibus.method == "Skillings-Mack test"


def test_a_leader_behind_by_median_is_told_of_in_every_view():
    """Over seven data sets c wins most often, and narrowly."""
    b = [0.70, 0.71, 0.72, 0.73, 0.80, 0.81, 0.82]
    c = [0.71, 0.72, 0.73, 0.74, 0.60, 0.60, 0.60]
    study = StudyResult.from_frame({"dataset": list("tuvwxyz"), "a": [0.5] * 7, "b": b, "c": c})
    found = first_of(study)
    assert (found.leader, found.ahead) == ("c", ("b",))
    sentence = "By mean rank, mean or median difference b is ahead of c."
    views = [study.summary(), str(study.answer()), study.to_markdown(), study.to_latex(), study._repr_html_()]
    views += [study.to_html().split("<script")[0], " ".join(json.loads(study.to_json())["verdict"])]
    assert all(sentence in " ".join(view.split()) for view in views)
    assert "ahead of" not in StudyResult.from_frame({"dataset": list("tuv"), "b": b[:3], "c": c[:3]}).summary()


@pytest.mark.parametrize("kind", ["study", "folds", "runs"])
def test_a_model_without_any_score_takes_nothing_from_the_others(kind, rng):
    values = rng.normal(0.8, 0.02, (3, 12)) + np.array([[0.1], [0.0], [0.05]])
    values[0, 3] = values[1, 7] = np.nan
    whole, lacking = values[:2], np.vstack([values[:2], np.full((1, 12), np.nan)])
    made = [_of_kind(kind, one) for one in (whole, lacking)]
    means = [metric_means(result)[0] for result in made]
    np.testing.assert_allclose(means[1].means[:2], means[0].means)
    np.testing.assert_allclose(means[1].merits[:2], means[0].merits)
    assert means[0].n_common == means[1].n_common
    answers = [first_of(result) for result in made]
    assert answers[0].leader == answers[1].leader == "A"
    assert (answers[0].worse, answers[0].not_different) == (answers[1].worse, answers[1].not_different)
    assert answers[1].not_comparable == ("C",)
    assert np.isnan(means[1].means[2])


def _of_kind(kind, values):
    """A study, an evaluation or runs; scores that failed are put in where tables may have no gaps."""
    names = list("ABC")[: len(values)]
    if kind == "study":
        table = {"dataset": [f"d{i}" for i in range(values.shape[1])], **dict(zip(names, values, strict=True))}
        return StudyResult.from_frame(table, missing="keep")
    table = scores_table({name: np.arange(12) / 100 for name in names}, metric="score", n=12)
    if kind == "folds":
        return replace(from_frame(table), scores=values[:, :, None])
    return replace(from_runs({"run": table.pop("fold"), **table}), scores=values[:, :, None])


def test_the_first_metric_with_a_test_decides_and_the_first_line_says_so():
    """Of one sample there is no area under the ROC curve."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0), "dummy": DummyClassifier()}
    for names in (["nb", "tree"], ["nb", "tree", "dummy"]):
        chosen, results = {name: models[name] for name in names}, []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for scoring in (["roc_auc", "accuracy", "precision"], ["accuracy", "roc_auc"]):
                evaluator = PairedEvaluator(cv=LeaveOneOut(), scoring=scoring)
                results.append(evaluator.evaluate(chosen, X[:40, :3], y[:40]))
        result, turned = results
        answer = result.answer()
        assert (answer.metrics[0].metric, answer.untested) == ("accuracy", ("roc_auc",))
        said = "No two models have a comparable roc_auc; accuracy decides. "
        for view in (result.summary(), str(answer), result.to_markdown().replace("\\", "")):
            assert " ".join(view.split()).startswith(said)
        second = result.summary().split("\n\n")[0].split("\n- ")[1]
        where = "roc_auc" if len(names) == 2 else "roc_auc of nb and tree, and 2 more"
        told = (
            f"MISSING_SCORES ({where}): roc_auc is not defined on 40 of 40 splits, whose test sets are one sample each."
        )
        assert " ".join(second.split()).startswith(told)
        assert turned.answer().untested == ()
        assert "decides" not in turned.summary()


def test_why_nothing_can_be_significant_is_said_for_most_comparisons_below_the_first_line():
    """Pairs that tie on some tasks have warnings of their own, which are not the ones to show."""
    rng = np.random.default_rng(0)
    values = {
        (k, d, m): 0.5 + 0.02 * m + rng.normal(0, 0.01)
        for k in ("accuracy", "precision", "recall")
        for d in range(10)
        for m in range(9)
    }
    for n_ties, (a, b) in {1: (0, 1), 2: (2, 3), 3: (6, 7), 4: (1, 8), 5: (4, 5)}.items():
        for d in range(n_ties):
            values["accuracy", d, a] = values["accuracy", d, b]
    rows = [(f"s{d}", f"m{m}", r, k, score) for (k, d, m), score in values.items() for r in range(2)]
    columns = dict(zip(("task", "model", "run", "metric", "score"), map(list, zip(*rows, strict=True)), strict=True))
    study = from_runs(columns)
    below = " ".join(study.summary().split("\n\n")[0].split("\n- ")[1].split())
    wanted = "CANNOT_REJECT: 10 differences cannot give an adjusted p < 0.05 among 36 comparisons, even if all agree"
    assert below.startswith(wanted)
    assert wanted in " ".join(study.to_html().split()).replace("&lt;", "<")
    assert wanted in " ".join(study._repr_html_().split()).replace("&lt;", "<")
