"""The answer as a short document: what to use, by how much, how sure; the models on all metrics; on what it rests."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

from skcompare._core.names import DUMMY
from skcompare._core.numbers import counted, equal_to, listed, number, percent, percent_of
from skcompare._core.warnings import CAUTIONS, Code
from skcompare.comparison.dominance import pattern_of
from skcompare.comparison.error_rates import ErrorRates
from skcompare.comparison.means import MetricMeans, is_loss, label
from skcompare.comparison.table import ComparisonRow, Scores
from skcompare.inference import DominanceTestResult
from skcompare.reporting import words
from skcompare.reporting.columns import (
    FRAGILE,
    OF_HALVES,
    comparison_columns,
    facing,
    interval_cell,
    legend,
    mean_column,
    places_for,
    standing,
    text_column,
)
from skcompare.reporting.document import Block, Column, Document, Grid, Paragraph
from skcompare.reporting.explain import left_early
from skcompare.reporting.opening import FORBIDDING, claimed, opening
from skcompare.reporting.summary.evaluation import EvaluationSummary, joint_rows
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary, study_joint_rows
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

MAX_NAMED = 3  # models in the first line
MORE_PROBABLE = 0.5  # than not: the posterior of a pattern that is told
MAX_ROWS = 12  # models in the table
MAX_TOGETHER = 5  # models of which all pairs are tested on all metrics together
MORE = "More: result.explain()."


def short(scores: Scores, summary: ComparedSummary) -> Document:
    """What `print` shows of an evaluation or a study."""
    blocks: list[Block] = [Paragraph(name="answer", text=opening(summary))]
    design = design_line(scores, summary)
    blocks += [Paragraph(name="design", text=design)] if design else []
    blocks.append(pair_grid(summary) if len(summary.estimators) == 2 else model_grid(summary))
    said = {"together": together(scores, summary), "caution": caution(summary), "test": procedure_line(summary)}
    hints = {"test": MORE}
    blocks += [Paragraph(name=name, text=text, hint=hints.get(name, "")) for name, text in said.items() if text]
    n = len(summary.estimators)
    title = " against ".join(summary.estimators) if n == 2 else f"{counted(n, 'model')} compared"
    return Document(title=title, blocks=tuple(blocks))


# ---- what it is about -----------------------------------------------------------------------------------------


def design_line(scores: Scores, summary: ComparedSummary) -> str:
    """The data with its classes, and how the scores were made."""
    if isinstance(summary, StudySummary):
        how = f", {listed(summary.designs)} on each" if 0 < len(summary.designs) <= MAX_NAMED else ""
        return f"{summary.how_many}{how}."
    assert isinstance(summary, EvaluationSummary)
    n, classes = summary.n_samples, scores.design.class_counts if isinstance(scores, EvaluationScores) else ()
    labels = scores.task == "multilabel" if isinstance(scores, EvaluationScores) else False
    counts = ", ".join(f"{one.total:,} {'with label ' + one.label if labels else _class(one.label)}" for one in classes)
    if len(classes) > MAX_NAMED:
        counts = f"{len(classes)} {'labels' if labels else 'classes'}"
    whole = summary.kind == "folds" or (summary.kind != "runs" and summary.test_size not in (None, n))
    data = f"{n:,} samples{f' ({counts})' if counts else ''}" if n and whole else ""
    own = f"{summary.design}{f' ({counts})' if counts and not data else ''}"
    own += " (assumed)" if words.is_assumed(summary) else ""
    first = [row for row in summary.rows if row.metric == summary.answer.metrics[0].metric]
    known = {"folds": words.forecasts(first), "runs": words.OTHER_RUNS}
    said = ", ".join(filter(None, (data, own)))
    return f"{said[:1].upper()}{said[1:]}. {known.get(summary.kind, words.FITTED_MODELS)}".rstrip()


def _class(label: str) -> str:
    """A class by its name; a number alone would be read as another count."""
    return label if label[:1].isalpha() else f"of class {label}"


# ---- the tables -----------------------------------------------------------------------------------------------


def pair_grid(summary: ComparedSummary) -> Grid:
    """Two models, one row per metric; the leader on the first metric stands first."""
    leader = summary.answer.metrics[0].leader or summary.estimators[0]
    a, b = leader, next(name for name in summary.estimators if name != leader)
    rows = [facing(summary.rows, a, [b], means.name)[0] for means in summary.metrics]
    places = [
        places_for([row] if row is not None else [], means) for row, means in zip(rows, summary.metrics, strict=True)
    ]
    at = {name: summary.estimators.index(name) for name in (a, b)}
    shown = [
        [mean_column(means, [at[name]], place, [""]) for means, place in zip(summary.metrics, places, strict=True)]
        for name in (a, b)
    ]
    known = tuple(means.name for means in summary.metrics)
    names = [*map(label, known)]
    scores = [
        Column(
            name=name,
            head=name,
            cells=tuple(column.cells[0] for column in columns),
            values=tuple(column.values[0] for column in columns),
        )
        for name, columns in zip((a, b), shown, strict=True)
    ]
    tested = comparison_columns(rows, places, summary)
    if isinstance(summary, StudySummary):
        records = tuple("" if row is None else words.record(row) for row in rows)
        counts = tuple(None if row is None else (row.wins, row.ties, row.losses) for row in rows)
        tested.insert(2, Column(name="wins", head="w/t/l", cells=records, values=counts))
    metric = Column(name="metric", head="metric", cells=tuple(names), values=known, left=True)
    columns = (metric, *scores, *tested)
    return Grid(
        name="metrics",
        columns=columns,
        caption=" ".join(filter(None, [_notes(summary, rows), legend(rows, halves=words.is_assumed(summary))])),
    )


def model_grid(summary: ComparedSummary) -> Grid:
    """Three models or more on all metrics, the leader first, with its lead on the first metric."""
    first = summary.answer.metrics[0]
    means = next(metric for metric in summary.metrics if metric.name == first.metric)
    order = _order(summary, means)
    more, order = len(order) - MAX_ROWS, order[:MAX_ROWS]
    names = [summary.estimators[i] for i in order]
    leader = first.leader or names[0]
    columns, primary = [text_column("model", "", names)], list[ComparisonRow | None]()
    if means.mean_ranks:
        ranks = tuple(means.mean_ranks[i] for i in order)
        cells = tuple(number(rank, 2) for rank in ranks)
        columns.append(Column(name="mean_rank", head="mean rank", cells=cells, values=ranks))
    for metric in summary.metrics:
        rows = facing(summary.rows, leader, names, metric.name)
        places = places_for([row for row in rows if row is not None], metric)
        marks = [standing(row, leader) for row in rows]
        column = mean_column(metric, order, places, marks, optional=metric is not means)
        if metric is means:
            tested = comparison_columns(rows, [places] * len(rows), summary)[:2]
            columns += [column, *tested]
            primary = rows
        else:
            columns.append(column)
    marked = "".join(sorted({mark for column in columns for mark in column.marks}))
    said = [f"* significantly worse than {leader}"] if "worse" in marked else []
    said += [f"+ significantly better than {leader}"] if "better" in marked else []
    said += [f"~ {OF_HALVES if words.is_assumed(summary) else FRAGILE}"] if "fragile" in marked else []
    signs = f"{', '.join(said)}." if said else ""
    rest = f"{counted(more, 'more model')}: result.rank()." if more > 0 else ""
    return Grid(name="models", columns=tuple(columns), caption=f"{signs} {_notes(summary, primary)}".strip(), more=rest)


def _order(summary: ComparedSummary, means: MetricMeans) -> list[int]:
    """The places of the leader, then of the others by their means; those without one last."""
    leader = summary.answer.metrics[0].leader
    known = {i: merit for i, merit in enumerate(means.merits) if merit == merit}
    order = sorted(known, key=lambda i: (summary.estimators[i] != leader, -known[i]))
    return order + [i for i in range(len(means.merits)) if i not in known]


def _notes(summary: ComparedSummary, shown: Sequence[ComparisonRow | None]) -> str:
    """For what the intervals hold, where less is better, and over what the means are where scores are missing."""
    losses = [label(means.name) for means in summary.metrics if is_loss(means)]
    less = f"Less is better for {listed(losses)}." if losses else ""
    cut = any(row is not None and row.open_at_null for row in shown)
    round_bracket = "A round bracket: significant by a later step of the adjustment." if cut else ""
    return " ".join(filter(None, [_together(summary, shown), round_bracket, less, _where(summary)]))


def _where(summary: ComparedSummary) -> str:
    """Over which cases the means are; empty where all models have all scores."""
    early = left_early(summary)
    if early:
        which = {of: [name for name, own in early.items() if own == of] for of in early.values()}
        return f"Not on all splits: {'; '.join(f'{listed(names, MAX_NAMED)} ({of})' for of, names in which.items())}."
    gaps = [means for means in summary.metrics if means.n_common < means.n_all]
    if not gaps:
        return ""
    ends = sorted({means.n_common for means in gaps})
    cases = summary.answer.cases
    if ends[-1] == 0:
        return f"Means are over each model's own {cases}."
    n = f"{ends[0]} to {ends[-1]}" if len(ends) > 1 else f"{ends[0]}"
    return f"Means are over the {n} of {gaps[0].n_all} {cases} with all scores."


def _together(summary: ComparedSummary, shown: Sequence[ComparisonRow | None]) -> str:
    """For how many comparisons at once the intervals of a table hold; empty where each is alone."""
    if summary.sequential or summary.correction == "none":
        return words.together(summary) + words.only_tested(summary.rows)
    level = percent_of(1 - summary.alpha)
    metrics = {row.metric for row in shown if row is not None and interval_cell(row, 0)}
    of = [family for family in summary.families if family.n > 1 and metrics & {*family.metrics}]
    if not of:
        return ""
    said = f"The intervals{' of the other metrics' if of[-1].name == 'secondary' else ''} hold at {level}"
    every = "both" if of[-1].n == 2 else f"all {of[-1].n}"
    return f"{said} for {every} comparisons together." if len(of) == 1 else f"{said} in each group."


# ---- all metrics together, what weakens the answer, and on which test it rests ---------------------------------


def together(scores: Scores, summary: ComparedSummary) -> str:
    """The most frequent pattern of wins of the leader against the runner-up, and its test."""
    first = summary.answer.metrics[0]
    means = next(metric for metric in summary.metrics if metric.name == first.metric)
    a, b = (summary.estimators[i] for i in _order(summary, means)[:2])
    found = None if first.leader is None else pattern_of(scores, a, b)
    if found is None:
        return ""
    test, probability = found
    n = len(test.metrics)
    every = f"{_all(n).capitalize() if n == len(summary.metrics) else f'The {_word(n)}'} metrics together:"
    if test.statement is None or not probability >= MORE_PROBABLE or _contradicts(test, a, b, summary):
        return f"{every} no pattern of wins stands out."
    sides: dict[bool, list[str]] = {True: [], False: []}
    for metric, won in zip(test.metrics, test.statement, strict=True):
        sides[won].append(label(metric))
    ahead = f"ahead of {b} on {listed(sides[True])}, {b} on {listed(sides[False])},"
    if not sides[True] or not sides[False]:
        ahead = f"{'ahead of' if sides[True] else 'behind'} {b} on {_all(n)}"
    share = percent(test.n_winner / test.n_effective)
    pvalue = _adjusted(scores, summary, a, b)
    tested = f"; dominance test {equal_to('p', pvalue, summary.alpha)}" if pvalue == pvalue else ""
    return f"{every} {a} is {ahead} in {share} of {summary.answer.cases}{tested}."


def _adjusted(scores: Scores, summary: ComparedSummary, a: str, b: str) -> float:
    """The p-value of a pair's dominance test among those of all pairs; nan where there are too many to test here."""
    if len(summary.estimators) > MAX_TOGETHER:
        return nan
    joint = summary.joint or (study_joint_rows(scores) if isinstance(scores, StudyScores) else joint_rows(scores))
    return next((row.pvalue_adjusted for row in joint if {row.a, row.b} == {a, b}), nan)


def _contradicts(test: DominanceTestResult, a: str, b: str, summary: ComparedSummary) -> bool:
    """Whether a pattern has a winner on a metric on which the other model is ahead."""
    leads = {
        row.metric: row.estimate if row.a == a else -row.estimate for row in summary.rows if {row.a, row.b} == {a, b}
    }
    of_pattern = zip(test.metrics, test.statement or (), strict=True)
    return any(leads[metric] != 0 and (leads[metric] > 0) != won for metric, won in of_pattern)


def _all(n: int) -> str:
    return "both" if n == 2 else f"all {_word(n)}"


def _word(n: int) -> str:
    words = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    return words[n] if n < len(words) else str(n)


def caution(summary: ComparedSummary) -> str:
    """At most one: the weightiest of what weakens the claim of the first line; empty where that line says it itself."""
    first, metrics = summary.answer.metrics[0], {means.name for means in summary.metrics}
    if not summary.answer.within_reach or any(one.code in FORBIDDING for one in summary.warnings):
        return ""
    names, models = {*claimed(summary), *first.not_comparable} - {DUMMY}, {*summary.estimators}
    rows = [row for row in summary.rows if row.metric == first.metric and {row.a, row.b} <= names]
    fragile = any(row.fragile for row in rows)
    of_all = (one for one in summary.warnings if not one.where and (fragile or one.code != Code.FRAGILE.name))
    found = [
        one
        for one in dict.fromkeys((*(one for row in rows for one in row.warnings), *of_all))
        if one.code in CAUTIONS
        and ({*one.about}.isdisjoint(metrics) or first.metric in one.about)
        and ({*one.about}.isdisjoint(models) or names & {*one.about})
    ]
    weightiest = min(found, key=lambda one: CAUTIONS.index(one.code), default=None)
    return "" if weightiest is None else f"Caution: {weightiest.sentence}"


def procedure_line(summary: ComparedSummary) -> str:
    """The test, and how often it was wrong in simulations like this one."""
    metric = summary.answer.metrics[0].metric
    wrong = wrong_in(summary.error_rates if isinstance(summary, EvaluationSummary) else None, metric)
    test = next((row.procedure for row in summary.rows if row.metric == metric and row.procedure), summary.procedure)
    said = f"{words.name_of_test(test)}{' after every look' if summary.sequential else ''}"
    return f"{said[0].upper()}{said[1:]}; {wrong}."


def wrong_in(rates: ErrorRates | None, metric: str) -> str:
    """How often a test was wrong in simulations, as far as it was measured."""
    size = None if rates is None else rates.by_metric.get(metric)
    if size is None:
        return "error rate not measured for such runs"
    return f"wrong in {percent(size.mean if size.mean == size.mean else size.high)} of similar simulations"
