"""The first line of the page, the outcomes of its rows and its patterns are Python's, whatever is chosen."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
from skcompare.reporting.answer import first_line, over

from skcompare import SearchReport, StudyResult, from_frame
from skcompare._core.numbers import counted
from skcompare._core.warnings import Code
from skcompare.comparison import answer as answers
from skcompare.comparison.compare import lead
from skcompare.comparison.means import MetricMeans
from skcompare.comparison.table import ComparisonTable, Outcome
from skcompare.inference import ConfidenceInterval
from skcompare.reporting import words
from skcompare.reporting.summary.evaluation import summarise
from skcompare.reporting.summary.study import summarise_study

FULL = os.environ.get("SKCOMPARE_FULL") == "1"
RESULTS = ["two", "many", "study", "costs", "equal", "gaps", "one_run", "one_dataset", "test_set", "items", "guessing"]
SIZES = (Outcome.SMALLER, Outcome.LARGER)
OUTCOMES = [Outcome.BETTER, Outcome.WORSE, Outcome.UNDECIDED, Outcome.NOT_COMPARABLE, *SIZES]
SAME = Code.ZERO_VARIANCE("the difference is the same on all splits.")
FIRST_LINES = """
return arguments[0].map(([rows, models, metrics, page]) => {
  const read = rows.map((row) => ({...row, reach: () => row.size}));
  return Answer.firstLine(read, models, metrics, page);
});
"""


def answered(rows, means, models, n_hypotheses, alpha=0.05, baseline=None):
    """The answer that Python finds in some rows."""
    table = ComparisonTable(
        rows=tuple(rows),
        procedure="",
        correction="holm",
        n_hypotheses=n_hypotheses,
        alternative="two-sided",
        alpha=alpha,
    )
    scores = SimpleNamespace(estimators=tuple(models), baseline=baseline)
    found = [answers.on_metric(one, [row for row in rows if row.metric == one.name], scores, table) for one in means]
    return answers.Answer(
        models=tuple(models),
        metrics=tuple(found),
        pairs=answers._pairs(rows),
        alpha=alpha,
        n_metrics=len(means),
        sequential=False,
        within_reach=True,
        baseline=baseline,
    )


def summary_of(result):
    return summarise_study(result) if isinstance(result, StudyResult) else summarise(result)


# ---- at the start -------------------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*RESULTS, "race", "alike", "hostile"])
def test_the_page_begins_with_the_first_line_of_the_terminal(open_page, request, name):
    result = request.getfixturevalue(name)
    said = open_page(result).verdict()
    first = " ".join(result.summary().split("\n\n")[0].split("\n- ")[0].split())
    assert " ".join(said) == first


def test_so_does_the_part_of_a_search_on_its_leading_candidates(open_page, made_search):
    """Its names are short ones, and all its comparisons are by one test."""
    report = SearchReport.from_search(made_search(6))
    leading = report.result()
    said = first_line(answers.answer(leading, "k_fold_t_test"))
    for i, name in enumerate(leading.estimators):
        said = said.replace(name, f"<{i}>")
    shown = open_page(report).verdict()[0]
    for i, name in enumerate(open_page(report).run("return JSON.parse(document.getElementById('data').text).models")):
        shown = shown.replace(name, f"<{i}>")
    assert shown == said


# ---- at other settings --------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_any_outcomes_give_the_sentences_of_python(rng, open_page, two):
    template = two.compare()[0]
    wanted, given = [], []
    for _ in range(400 if FULL else 80):
        n, n_metrics = int(rng.integers(2, 10)), int(rng.integers(1, 5))
        models = [f"m{i}" for i in range(n)]
        chances = rng.dirichlet(np.full(len(OUTCOMES), 0.5))
        shares = rng.dirichlet(np.ones(4))
        rows, plain = [], []
        for (i, j), m in [(pair, m) for pair in combinations(range(n), 2) for m in range(n_metrics)]:
            outcome = OUTCOMES[rng.choice(len(OUTCOMES), p=chances)]
            same = outcome in SIZES or (outcome is Outcome.NOT_COMPARABLE and rng.random() < 0.5)
            winner = {Outcome.BETTER: i, Outcome.WORSE: j}.get(outcome)
            size = float(rng.choice([0.0, 0.01234, 0.5, 3.21, 1234.5, 1e-7]))
            interval = ConfidenceInterval(low=-size, high=size / 2)
            record = SimpleNamespace(confidence_interval=lambda _, interval=interval: interval)
            names = {"a": models[i], "b": models[j], "winner": None if winner is None else models[winner]}
            names |= {"outcome": outcome, "warnings": (SAME,) * same}
            mean_a, mean_b, estimate = rng.choice([0.5, 0.6, 0.7], 3).tolist()
            numbers = {"mean_a": mean_a, "mean_b": mean_b, "estimate": estimate - 0.6, "wins": 0, "losses": 0}
            rows.append(replace(template, metric=f"s{m}", record=record, **numbers, **names))
            plain.append({"m": m, "i": i, "j": j, "outcome": outcome.value, "winner": winner, "size": size})
            plain[-1] |= {"meanA": mean_a, "meanB": mean_b, "estimate": estimate - 0.6}
            plain[-1]["still"] = outcome.value if same else ""
        merits = rng.choice([1.0, 2.0, 3.0, np.nan], (n_metrics, n), p=shares).tolist()
        means = [
            MetricMeans(name=f"s{m}", greater_is_better=True, means=row, merits=tuple(row), n_all=2, n_common=2)
            for m, row in enumerate(merits)
        ]
        baseline = None if rng.random() < 0.5 else int(rng.integers(n))
        base = None if baseline is None else models[baseline]
        answer = answered(rows, means, models, len(rows), baseline=base)
        wanted.append(first_line(answer))
        known = [[merit if merit == merit else None for merit in row] for row in merits]
        metrics = [{"name": f"s{m}", "merits": row} for m, row in enumerate(known)]
        page = {"models": models, "metrics": metrics, "rows": plain, "withinReach": True, "cases": "splits"}
        page |= {"baseline": baseline, "over": over(answer)}
        given.append([plain, list(range(n)), list(range(n_metrics)), page])
    assert open_page(two).run(FIRST_LINES, given) == wanted


def judged(row, alpha):
    """A row of a comparison at another level."""
    if not row.outcome.tested:
        return row
    if row.pvalue_adjusted >= alpha:
        return replace(row, outcome=Outcome.UNDECIDED, winner=None)
    ahead = lead(row.record) > 0
    return replace(row, outcome=Outcome.BETTER if ahead else Outcome.WORSE, winner=row.a if ahead else row.b)


def with_omnibus(on, answer):
    """What is said of one metric, with the test of a study that all models are equal on it."""
    known = {
        one.metric: {
            "omnibus": one.omnibus,
            "omnibus_test": one.omnibus_test,
            "n_datasets": one.n_datasets,
        }
        for one in answer.metrics
    }
    return replace(on, **known.get(on.metric, {}))


@pytest.mark.sampled
@pytest.mark.parametrize("name", RESULTS)
def test_a_level_a_metric_and_a_pair_give_what_python_says_of_them(open_page, monkeypatch, request, name):
    result = request.getfixturevalue(name)
    page, summary = open_page(result), summary_of(result)
    smallest = answers.smallest_pvalue(summary.rows)
    listed = isinstance(result, StudyResult) or result.design.kind != "folds"
    levels = [0.1, 0.05, 0.001] if listed else [0.5, 0.05, 0.01, 1e-6]
    pairs = [None, *list(combinations(range(len(result.estimators)), 2))[: 3 if FULL else 1]]
    for alpha in levels:
        monkeypatch.setattr(words, "ALPHA", alpha)
        page.choose(alpha=f"{alpha:g}" if listed else alpha)
        rows = [judged(row, alpha) for row in summary.rows]
        every = counted(len(rows), "comparison")
        wanted = [words.verdict(row) for row in rows]
        page.choose(metric="", pair="")
        place = 6 if len(result.estimators) == 2 else 8
        assert [row[place] for row in page.rows()] == wanted[:50]
        outcomes = {(row.a, row.b): {} for row in rows}
        for row in rows:
            outcomes[row.a, row.b][row.metric] = row.outcome
        parts = [
            replace(
                joint,
                established=all(
                    outcomes[joint.a, joint.b][metric] is (Outcome.BETTER if wins else Outcome.WORSE)
                    for metric, wins in zip(joint.metrics, joint.statement or [], strict=False)
                ),
            )
            for joint in summary.joint
        ]
        assert page.texts("#joint li") == words.joint_lines(replace(summary, joint=tuple(parts)))
        for pair in pairs if len(result.estimators) > 2 else [None]:
            for m in [None, *range(min(2, len(summary.metrics)))]:
                page.choose(metric="" if m is None else m, pair="" if pair is None else f"{pair[0]},{pair[1]}")
                kept = range(len(result.estimators)) if pair is None else pair
                models = [result.estimators[i] for i in kept]
                means = [
                    replace(
                        one,
                        merits=tuple(one.merits[i] for i in kept),
                        means=tuple(one.means[i] for i in kept),
                        mean_ranks=tuple(one.mean_ranks[i] for i in kept) if one.mean_ranks else (),
                    )
                    for k, one in enumerate(summary.metrics)
                    if m in (None, k)
                ]
                metrics = [one.name for one in means]
                shown = [row for row in rows if {row.a, row.b} <= {*models} and row.metric in metrics]
                base = result.baseline if result.baseline in models else None
                answer = answered(shown, means, models, summary.n_hypotheses, alpha, base)
                answer = replace(answer, cases=summary.answer.cases)
                if pair is None:  # the omnibus test is one of all models
                    answer = replace(answer, metrics=tuple(with_omnibus(one, summary.answer) for one in answer.metrics))
                if smallest * summary.n_hypotheses >= alpha:  # of all comparisons, whichever are chosen
                    answer = replace(answer, within_reach=False)
                own = counted(answer.n_pairs * answer.n_metrics, "comparison")
                said = first_line(answer).replace(f"significant among {own}", f"significant among {every}")
                assert page.verdict()[0] == said, (alpha, pair, m)


def test_with_too_little_data_nothing_can_be_concluded(open_page):
    few = StudyResult.from_frame({"dataset": ["x", "y"], "nb": [0.1, 0.2], "tree": [0.3, 0.5]})
    page = open_page(few)
    wanted = "Nothing can be concluded: with so little data no difference can be significant among 1 comparison."
    assert page.verdict() == [wanted] == [first_line(few.answer())]


def test_a_rope_gives_the_outcomes_of_compare(open_page, two, costs):
    for result in (two, costs):
        page = open_page(result)
        for width in (0.001, 0.02, 0.3):
            page.choose(rope=width)
            free = [] if result is two else ["fit_time", "model_size"]
            rows = result.compare(rope={name: width for name in result.metrics if name not in free})
            assert [row[6] for row in page.rows()] == [words.verdict(row) for row in rows]


def test_what_looks_decided_holds_whatever_is_chosen(open_page, race):
    page = open_page(race)
    said = page.verdict()
    assert page.run("return document.getElementById('alpha')") is None
    assert "p adj." not in page.texts("#comparison thead th")
    rows = [words.verdict(row) for row in race.compare()]
    assert [row[7] for row in page.rows()] == rows
    page.choose(metric=1)
    assert page.verdict() == said
    assert {row[7] for row in page.rows()} == {"not tested"}
    page.choose(metric=0, pair="0,1")
    assert page.verdict() == said
    assert len(page.rows()) == 1


# ---- the controls, and what stands by the answer ------------------------------------------------------------------


def test_the_controls_follow_a_scripted_change(open_page, study):
    page = open_page(study)
    page.choose("change", metric=1)
    assert {row[0] for row in page.rows()} == {"loss"}
    page.choose("change", pair="1,2")
    assert len(page.rows()) == 1
    page.choose("change", rope=1000)
    assert page.rows()[0][9] == "0/12/0"
    page.choose("change", alpha=0.01)
    assert page.text("#column-interval") == "99% interval"


def test_a_warning_that_forbids_the_conclusion_stands_below_the_answer(open_page):
    table = {"model": ["a", "b"] * 5, "fold": np.repeat(np.arange(5), 2), "score": np.arange(10.0) ** 2}
    result = from_frame({**table}, test_fraction=0.2)
    page = open_page(result)
    forbidding = [warning for warning in summarise(result).warnings if warning.code in words.FORBIDDING]
    assert page.texts("#verdict + .warnings:not(#rope-warnings) li") == forbidding
