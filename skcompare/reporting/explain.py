"""Everything behind the answer, in sections: pairs, single scores, patterns of wins, error rates, warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from skcompare._core.numbers import (
    counted,
    decimals,
    interval,
    listed,
    magnitude,
    number,
    percent,
    percent_of,
)
from skcompare._core.printable import one_line
from skcompare._core.record import few
from skcompare.comparison.compare import POWER, DetectableRange
from skcompare.comparison.means import all_equal, is_loss, label, shown_score
from skcompare.comparison.table import ComparisonRow
from skcompare.inference import format_statement
from skcompare.reporting import words
from skcompare.reporting.columns import comparison_columns, legend, places_for, pvalue_cell, text_column
from skcompare.reporting.document import Block, Column, Document, Grid, Items, Paragraph, Section
from skcompare.reporting.error_rate import calibrated, each_metric, error_rate
from skcompare.reporting.sources import citations
from skcompare.reporting.summary.evaluation import EvaluationSummary, leading_models, shown_rows
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary

EVERY_PAIR, PATTERNS = "Every pair", "All metrics together"
MAX_NAMED = 6
SMALLEST_SIZE = 1e-4


def explanation(short: Document, summary: ComparedSummary) -> Document:
    """The short document, then a section for each question that a reader may have."""
    sections = {
        EVERY_PAIR: _pairs(summary),
        "Ranks": _ranks(summary),
        "The models' own scores": _scores(summary),
        PATTERNS: _patterns(summary),
        "What could have been found": _power(summary),
        "How often this test is wrong": _simulations(summary),
        "The test and what it assumes": _test(summary),
        "The data": _data(summary),
        "All warnings": _warnings(summary),
        "To run it again": _again(summary),
        "Sources": _sources(summary),
    }
    found = ((title, tuple(blocks)) for title, blocks in sections.items())
    more = tuple(Section(title=title, blocks=blocks) for title, blocks in found if blocks)
    return Document(title=short.title, blocks=(*short.blocks, *more))


def _pairs(summary: ComparedSummary) -> Iterator[Block]:
    """One table per metric, of two models one for all; of many models the comparisons of the leading ones."""
    if len(summary.estimators) < 3:
        return
    rows = shown_rows(summary)
    for means in summary.metrics:
        own = [row for row in rows if row.metric == means.name]
        if own:
            yield pairs_on(label(means.name), own, [places_for(own, means)] * len(own), summary)
    if only_leading(summary):
        yield Paragraph(name="pairs shown", text=only_leading(summary))


def pairs_on(name: str, rows: list[ComparisonRow], places: list[int], summary: ComparedSummary) -> Grid:
    """All pairs on a metric; of a study with the data sets that are won, tied and lost."""
    columns = [text_column("a", "a", [row.a for row in rows]), text_column("b", "b", [row.b for row in rows])]
    tested = comparison_columns(rows, places, summary, head="a - b")
    if isinstance(summary, StudySummary):
        records = tuple(words.record(row) for row in rows)
        counts = tuple((row.wins, row.ties, row.losses) for row in rows)
        tested.insert(2, Column(name="wins", head="w/t/l", cells=records, values=counts))
    return Grid(
        name=f"pairs on {name}",
        columns=(*columns, *tested),
        title=f"On {name}",
        caption=legend(rows, halves=words.is_assumed(summary)),
    )


def _ranks(summary: ComparedSummary) -> Iterator[Block]:
    for ranking in summary.rankings if isinstance(summary, StudySummary) else ():
        models, n = ranking.models, ranking.n
        ranks, means = [model.mean_rank for model in models], [model.mean for model in models]
        columns = (
            text_column("model", "", [model.name for model in models]),
            Column(
                name="mean_rank", head="mean rank", cells=tuple(number(rank, 2) for rank in ranks), values=tuple(ranks)
            ),
            Column(name="mean", head="mean", cells=tuple(words.column(means)), values=tuple(means)),
            text_column("group", "group", [model.group for model in models]),
        )
        letters = [model.group for model in models]
        equal = all_equal(ranking.method, ranking.pvalue, letters, summary.alpha, summary.answer.baseline)
        caption = (
            f"Over {n} {summary.answer.cases}. Models that share a letter are not significantly different. {equal}"
        )
        yield Grid(
            name=f"ranks on {ranking.metric}", columns=columns, caption=caption, title=f"On {label(ranking.metric)}"
        )


def _scores(summary: ComparedSummary) -> Iterator[Block]:
    """Each model's score on each metric with an interval of its own."""
    if summary.intervals is None:
        return
    limits = {(row.metric, row.model): row for row in summary.intervals}
    columns = [text_column("model", "", summary.estimators)]
    for means in summary.metrics:
        places = places_for([row for row in summary.rows if row.metric == means.name], means)
        own = [limits[means.name, model] for model in summary.estimators]
        cells, values = [], []
        for score, row in zip(means.means, own, strict=True):
            low, high = sorted(shown_score(means.name, end) for end in (row.low, row.high))
            cells.append(
                f"{number(shown_score(means.name, score), places)} {interval(low, high, places, signed=False)}"
            )
            values.append((score, row.low, row.high))
        columns.append(Column(name=means.name, head=label(means.name), cells=tuple(cells), values=tuple(values)))
    level = percent_of(summary.intervals.confidence_level)
    yield Grid(
        name="scores",
        columns=tuple(columns),
        caption=f"{level} intervals, each for its own score alone, {summary.intervals.about}.",
    )


def _patterns(summary: ComparedSummary) -> Iterator[Block]:
    """The most frequent pattern of wins of each pair."""
    shown = sorted(summary.joint, key=lambda row: (row.pvalue_adjusted != row.pvalue_adjusted, row.pvalue_adjusted))
    rows = [row for row in shown[: words.MAX_ROWS] if row.statement is not None]
    if not rows:
        return
    said = [format_statement(row.statement or (), [*map(label, row.metrics)], a=row.a, b=row.b) for row in rows]
    yield Grid(
        name="patterns",
        columns=(
            text_column("statement", "most frequent pattern of wins", said),
            Column(
                name="probability",
                head="posterior",
                cells=tuple(percent(row.probability) for row in rows),
                values=tuple(row.probability for row in rows),
            ),
            Column(
                name="pvalue_adjusted",
                head="p adj.",
                cells=tuple(pvalue_cell(row.pvalue_adjusted, summary.alpha) for row in rows),
                values=tuple(row.pvalue_adjusted for row in rows),
            ),
        ),
        caption=f"Wins are counted over {summary.answer.cases}; their size does not count here.",
    )


def _power(summary: ComparedSummary) -> Iterator[Block]:
    if could_have_shown(summary):
        yield Paragraph(name="power", text=could_have_shown(summary))


def _simulations(summary: ComparedSummary) -> Iterator[Block]:
    said = [calibrated(summary.calibration)] if summary.calibration else [error_rate(summary), each_metric(summary)]
    for text in filter(None, said):
        yield Paragraph(name="error rate", text=text)


def _test(summary: ComparedSummary) -> Iterator[Block]:
    """The test, why it was taken, how its p-values are adjusted, and what it takes for granted."""
    lines = [f"{words.decided_by(summary)[0].upper()}{words.decided_by(summary)[1:]}."]
    if isinstance(summary, EvaluationSummary) and summary.reason and summary.calibration is None:
        lines.append(f"Default for this design: {summary.reason}.")
    lines += [f"It assumes {listed(summary.assumes)}."] if summary.assumes else []
    lines += [sequential(summary)] if sequential(summary) else []
    if isinstance(summary, StudySummary):
        cases = summary.answer.cases
        lines.append(f"Each of the {cases} counts once; a lead is the median difference over pairs of {cases}.")
    losses = [label(means.name) for means in summary.metrics if is_loss(means)]
    lines += [f"Less is better for {listed(losses)}; positive differences favour the first model."] if losses else []
    yield Items(name="test", texts=tuple(lines))


def _data(summary: ComparedSummary) -> Iterator[Block]:
    lines = []
    if isinstance(summary, StudySummary):
        lines.append(f"{words.datasets_and_designs(summary)}: {listed(summary.datasets, words.MAX_ROWS)}.")
    elif isinstance(summary, EvaluationSummary):
        if summary.train_size is not None and summary.test_size is not None:
            trained = " to ".join(map(str, summary.train_range)) or f"{summary.train_size:.0f}"
            tested = " to ".join(map(str, summary.test_range)) or f"{summary.test_size:.0f}"
            lines.append(f"{counted(summary.n_splits, 'split')}: trained on {trained}, tested on {tested} samples.")
        lines += [words.scope(summary)] if words.scope(summary) else []
        lines += [f"Positive class: {summary.positive_class}."] if summary.positive_class is not None else []
        if summary.seeds:
            lines += [
                words.seeds(summary),
                *(words.seeds(summary, m) for m in dict.fromkeys(s.metric for s in summary.seeds)),
            ]
        lines += [f"{name}: {what}." for name, what in left_early(summary).items()]
    lines += [one_line(summary.provenance["read_as"])] if isinstance(summary.provenance.get("read_as"), str) else []
    if lines:
        yield Items(name="data", texts=tuple(lines))


def _warnings(summary: ComparedSummary) -> Iterator[Block]:
    if summary.warnings:
        yield Items(name="warnings", texts=tuple(map(str, summary.warnings)))


def _again(summary: ComparedSummary) -> Iterator[Block]:
    """What reproduces the result, as far as it is known; a saved file can hold anything under these names."""
    known = summary.provenance
    lines = [f"{name}: {known[name]}" for name in ("cv", "random_state") if name in known]
    for name in ("estimators", "versions"):
        entries = known.get(name)
        lines += [f"{key}: {value}" for key, value in entries.items()] if isinstance(entries, Mapping) else []
    if isinstance(summary, EvaluationSummary) and summary.split_hash:
        what = "splits" if summary.kind in ("folds", "runs") else "cases"
        lines.append(f"hash of the {what} (SHA-256): {summary.split_hash}")
    if lines:
        yield Items(name="provenance", texts=tuple(lines))


def _sources(summary: ComparedSummary) -> Iterator[Block]:
    found = [f"{one.text}{f' doi:{one.doi}' if one.doi else ''} For: {one.used_for}." for one in citations(summary)]
    if found:
        yield Items(name="sources", texts=tuple(found))


def could_have_shown(summary: ComparedSummary, metric: str | None = None) -> str:
    """The smallest differences that the open comparisons would have found; empty where that is not known."""
    rows = [row for row in summary.detectable if metric in (None, row.metric)]
    if not rows:
        return ""
    spans = {metric.name: metric.span for metric in summary.metrics}
    sizes = [f"{_detectable_sizes(row, spans[row.metric])} in {row.metric}" for row in rows[:MAX_NAMED]]
    if len(rows) > MAX_NAMED:
        sizes.append(f"others in {counted(len(rows) - MAX_NAMED, 'more metric')}")
    return f"Smallest detectable difference at {percent_of(POWER)} power: {listed(sizes)}."


def _detectable_sizes(row: DetectableRange, span: float) -> str:
    """One size for all pairs, or from the smallest to the largest; none is larger than a difference can be."""
    ends = (size(end) if end < span else f"more than {span:g}" for end in (row.low, row.high))
    return " to ".join(dict.fromkeys(ends))


def left_early(summary: ComparedSummary) -> dict[str, str]:
    """The models whose means are over splits of their own, each with which ones."""
    stopping = summary.stopping
    if stopping is None or not summary.answer.sequential:
        return {}
    n = stopping.n_repeats * stopping.n_folds
    splits = {name: stopping.n_splits_of(name) for name in (*stopping.names, *stopping.worse, *stopping.unscored)}
    fitted = {name: f"first {of} splits" for name, of in splits.items() if of < n}
    return {**dict.fromkeys(stopping.unscored, "lacks scores"), **fitted}


def sequential(summary: ComparedSummary) -> str:
    """When an evaluation that was looked at while it ran was decided; empty of others."""
    stopping = summary.stopping
    if stopping is None or not summary.answer.sequential:
        return ""
    when = "Decided" if stopping.kind != "undecided" else "Ended"
    return (
        f"{when} after {stopping.n_repeats} of {stopping.max_repeats} repeats, with {stopping.n_fits} of "
        f"{stopping.n_fits + stopping.n_fits_saved} fits; one error rate of {percent_of(stopping.alpha)} over "
        f"all looks."
    )


def size(value: float) -> str:
    """A difference with two digits, zeros at the end too."""
    if SMALLEST_SIZE <= value < 1:
        return number(value, 1 - magnitude(value))
    return f"{value:.2g}" if value < 1 else number(value, decimals([value]))


def only_leading(summary: ComparedSummary) -> str:
    """Which comparisons of many models are shown, and where all are, as a sentence; empty where all are shown."""
    names = leading_models(summary)
    if not names:
        return ""
    return f"Of {len(summary.estimators)} models these are the comparisons of {few(names)}; compare() has all."
