"""The tables of the summary as plain text: two models, the leader against the others, everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skcompare._core.numbers import number, pvalue
from skcompare._core.text import OUTCOME, WIDTH, table, width, wrap
from skcompare._core.words import counted
from skcompare.comparison.answered import MetricAnswer
from skcompare.comparison.means import MetricMeans
from skcompare.comparison.ranking import all_equal
from skcompare.comparison.table import ComparisonRow
from skcompare.reporting import _words as words
from skcompare.reporting.scores_table import WITH_GAPS, about_intervals, has_gaps, own_scores, shared
from skcompare.reporting.summary.leading import leading_models, shown_rows
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import RankingSummary, StudySummary
from skcompare.reporting.verdict import models, only_leading

LONG_NAMES = 20  # characters in two names that still fit a column heading together
MAX_MODELS = 10
MIN_METRICS = 2  # of two models, however little room there is
DATASETS = "data sets"


# ---- two models -----------------------------------------------------------------------------------------------


def pair_lines(summary: ComparedSummary, most: float = words.MAX_ROWS) -> tuple[list[str], list[list[str]]]:
    """Two models on all metrics, of many the first and the clearest: the header and the rows."""
    a, b = summary.estimators
    difference = words.difference(summary.rows, f"{a} - {b}" if _fit_heading(a, b) else "difference")
    shown = words.clearest(summary.rows, int(min(most, len(summary.rows))))
    lines = [
        [words.metric_of(row, summary.costs), *words.numbers(row).values(), *_findings(row, summary)] for row in shown
    ]
    return [
        "metric",
        a,
        b,
        difference,
        words.interval_at(summary.confidence_level),
        *_n_used(summary),
        *_tested(summary),
    ], lines


def _fit_heading(a: str, b: str) -> bool:
    return len(a) + len(b) <= LONG_NAMES


def pair_table(summary: ComparedSummary, n_lines: float) -> str:
    """As many metrics as so many lines hold, and how many more there are."""
    most = len(summary.rows)
    shown = _pair_table(summary, most)
    while len(shown.splitlines()) > n_lines and most > MIN_METRICS:
        most -= 1
        shown = _pair_table(summary, most)
    return shown


def _pair_table(summary: ComparedSummary, most: int) -> str:
    """So many metrics; where that is too wide, without the words and the column that a line below can replace."""
    a, b = summary.estimators
    header, lines = pair_lines(summary, most)
    left = (0, len(header) - 1)
    notes = [] if _fit_heading(a, b) else [f"A positive difference favours {a}."]
    if width(table(header, lines, left=left)) > WIDTH and summary.costs:
        lines = [[metric.removesuffix(words.LESS), *cells] for metric, *cells in lines]
        notes.append(words.reversed_sign(summary.costs))
    if width(table(header, lines, left=left)) > WIDTH and DATASETS in header:
        header, lines = _without_datasets(header, lines)
        notes.append(_over_datasets(summary))
    more = len(summary.rows) - len(lines)
    rest = [f'{counted(more, "more metric")}: summary(detail="full").'] if more > 0 else []
    return "\n".join([table(header, lines, left=(0, len(header) - 1)), *map(wrap, notes), *rest])


def _without_datasets(header: list[str], lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    at = header.index(DATASETS)
    return [*header[:at], *header[at + 1 :]], [[*line[:at], *line[at + 1 :]] for line in lines]


def _over_datasets(summary: ComparedSummary, metric: str | None = None) -> str:
    """On how many data sets the comparisons are, as a sentence."""
    assert isinstance(summary, StudySummary)
    used = [row.wins + row.ties + row.losses for row in summary.rows if metric in (None, row.metric)]
    span = " to ".join(dict.fromkeys(str(n) for n in (min(used), max(used))))
    return f"The comparisons are over {span} of {summary.how_many}."


def _tested(summary: ComparedSummary) -> list[str]:
    """The columns of a test; an evaluation that was looked at has no p-value that allows for it."""
    return [OUTCOME] if summary.answer.sequential else ["p adj.", OUTCOME]


def _n_used(summary: ComparedSummary) -> list[str]:
    """A column with the data sets of each comparison, where these are not all of them."""
    if not isinstance(summary, StudySummary):
        return []
    n = len(summary.datasets)
    return [DATASETS] if any(row.wins + row.ties + row.losses < n for row in summary.rows) else []


def _findings(row: ComparisonRow, summary: ComparedSummary) -> list[str]:
    """The last cells of a row."""
    used = []
    if isinstance(summary, StudySummary) and _n_used(summary):
        used = [str(row.wins + row.ties + row.losses)]
    tested = [] if summary.answer.sequential else [pvalue(row.pvalue_adjusted, summary.alpha)]
    return [*used, *tested, words.verdict(row)]


# ---- more models ----------------------------------------------------------------------------------------------


def leader_lines(summary: ComparedSummary) -> tuple[list[str], list[list[str]]]:
    """The models on the first metric, the best first, each with the leader's difference to it: header and rows."""
    first = summary.answer.metrics[0]
    means = next(metric for metric in summary.metrics if metric.name == first.metric)
    rows = {frozenset((row.a, row.b)): row for row in summary.rows if row.metric == first.metric}
    scores = words.column(means.means)
    ranked = isinstance(summary, StudySummary)
    header = [first.metric, *(["mean rank"] if ranked else []), "mean"]
    if first.leader is not None:
        header += [
            words.difference(list(rows.values()), "lead") if ranked else "leader's lead",
            words.interval_at(summary.confidence_level),
            *_n_used(summary),
            *_tested(summary),
        ]
    names = dict(zip(summary.estimators, models(summary), strict=True))
    lines = []
    for name in _order(first, means, summary.estimators):
        i = summary.estimators.index(name)
        cells = [names[name], *([number(means.mean_ranks[i], 2)] if ranked else []), scores[i]]
        if first.leader is not None:
            row = rows.get(frozenset((first.leader, name)))
            cells += _against(row, first, summary) if row else [""] * (len(header) - len(cells) - 1) + ["leads"]
        lines.append(cells)
    return header, lines


def leader_table(summary: ComparedSummary) -> str:
    """The models on the first metric, and what holds for the columns."""
    first = summary.answer.metrics[0]
    header, lines = leader_lines(summary)
    more, lines = len(lines) - MAX_MODELS, lines[:MAX_MODELS]
    left = (0, len(header) - 1) if first.leader else (0,)
    gaps = isinstance(summary, StudySummary) and has_gaps(summary)
    common = f"means{shared(summary)}" if shared(summary) else "no data set has all models"
    notes = [f"Means and mean ranks allow for gaps: {common}; {WITH_GAPS}."] if gaps else []
    if width(table(header, lines, left=left)) > WIDTH and DATASETS in header:
        header, lines = _without_datasets(header, lines)
        left = (0, len(header) - 1)
        notes.append(_over_datasets(summary, first.metric))
    rest = [f'{counted(more, "more model")}: summary(detail="full").'] if more > 0 else []
    return "\n".join([table(header, lines, left=left), *([wrap(" ".join(notes))] if notes else []), *rest])


def _against(row: ComparisonRow, first: MetricAnswer, summary: ComparedSummary) -> list[str]:
    leader = str(first.leader)
    facing = words.seen_from(row, leader)
    outcome = words.verdict(facing)
    if facing.b in first.worse:
        outcome = "significantly worse" if facing.winner == leader else "significantly worse than another"
    found = _findings(facing, summary)[:-1]
    return [*list(words.numbers(facing).values())[2:], *found, outcome]


def _order(first: MetricAnswer, means: MetricMeans, names: Sequence[str]) -> list[str]:
    """The leader, then the others by their means; those without one last."""
    merit = dict(zip(names, means.merits, strict=True))
    known = sorted((name for name in names if merit[name] == merit[name]), key=lambda name: -merit[name])
    order = known + [name for name in names if merit[name] != merit[name]]
    return order if first.leader is None else [first.leader, *(name for name in order if name != first.leader)]


# ---- everything -----------------------------------------------------------------------------------------------


def details(summary: ComparedSummary) -> Iterator[str]:
    """All models on all metrics, and all pairs."""
    several = len(summary.estimators) > 2
    if not isinstance(summary, StudySummary) and (several or summary.intervals is not None):
        *panels, last = _means_tables(summary)
        yield from panels
        yield "\n".join([last, *_about_means(summary)])
    if several:
        if isinstance(summary, StudySummary):
            yield from (_ranks(ranking, summary) for ranking in summary.rankings)
        yield from (_pairs_on(metric, summary) for metric in dict.fromkeys(row.metric for row in summary.rows))
        if leading_models(summary):
            yield wrap(only_leading(summary))


def _means_tables(summary: ComparedSummary) -> Iterator[str]:
    """The means on all metrics, in as many tables as their columns need."""
    columns = [(metric.name, *cells) for metric, cells in own_scores(summary)]
    panel: list[tuple[str, ...]] = [
        ("score" if words.cases_of(summary) == "samples" else "mean score", *models(summary))
    ]
    names = panel[0]
    for column in columns:
        if len(panel) > 1 and width(_means_table([*panel, column])) > WIDTH:
            yield _means_table(panel)
            panel = [names]
        panel.append(column)
    yield _means_table(panel)


def _about_means(summary: ComparedSummary) -> Iterator[str]:
    """What the intervals beside the means are, where there are any."""
    said = about_intervals(summary)
    if summary.intervals is not None and said:
        yield wrap(f"{said[0].upper()}{said[1:]}, {summary.intervals.about}; differences are tested by compare().")


def _means_table(columns: Sequence[tuple[str, ...]]) -> str:
    header, *lines = zip(*columns, strict=True)
    return table(header, lines, left=(0,))


def _ranks(ranking: RankingSummary, summary: StudySummary) -> str:
    means = words.column([model.mean for model in ranking.models])
    lines = [
        [model.name, f"{model.mean_rank:.2f}", mean, model.group]
        for model, mean in zip(ranking.models, means, strict=True)
    ]
    letters = [model.group for model in ranking.models]
    equal = all_equal(ranking.method, ranking.pvalue, letters, summary.alpha, summary.answer.baseline)
    note = wrap(f"Models that share a letter are not significantly different. {equal}")
    return f"{table([ranking.metric, 'mean rank', 'mean score', 'group'], lines, left=(0, 3))}\n{note}"


def _pairs_on(metric: str, summary: ComparedSummary) -> str:
    """All pairs on a metric; of a study with the data sets that are won, tied and lost."""
    rows = [row for row in shown_rows(summary) if row.metric == metric]
    study = isinstance(summary, StudySummary)
    lines = [
        [
            *(row.a, row.b),
            *list(words.numbers(row).values())[2:],
            *([words.record(row)] if study else []),
            *_findings(row, summary)[len(_n_used(summary)) :],
        ]
        for row in rows
    ]
    difference = words.difference(summary.rows, "a - b")
    header = [
        "a",
        "b",
        difference,
        words.interval_at(summary.confidence_level),
        *(["w/t/l"] if study else []),
        *_tested(summary),
    ]
    title = wrap(f"Pairs on {words.metric_of(rows[0], summary.costs)}:")
    return f"{title}\n{table(header, lines, left=(0, 1, len(header) - 1))}"
