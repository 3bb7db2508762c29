"""The table of scores, models in rows and metrics in columns: what is bold in it, and what carries a mark."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isclose, nan

from skcompare._core.numbers import counted, decimals, interval, listed, number, percent_of
from skcompare.comparison.means import MetricMeans
from skcompare.inference._records import ROUNDING
from skcompare.reporting.answer import ahead, left_early
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.words import cases_of, column, decided_by, only_tested, setting

WITH_GAPS = "mean ranks by Skillings and Mack over all"
WORSE, OPEN, UNTESTED = "significantly worse", "not significantly different", "not tested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One number of the table.

    Attributes
    ----------
    text : str
        The number.
    spread : str
        Its standard deviation over the splits; empty where there is none, and where the interval stands.
    interval : str
        Its interval, of one test set and of items.
    best : bool
        Whether it is the best of its column as printed.
    standing : {"significantly worse", "not significantly different", "not tested", ""}
        The answer about its model against the leading one; empty for that one, and in columns without a test.
    """

    text: str
    spread: str
    interval: str
    best: bool
    standing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The numbers of all models on one metric.

    Attributes
    ----------
    metric : str
        Its name.
    what : str
        "mean score" or "mean rank".
    cells : tuple of Cell
        One per model.
    """

    metric: str
    what: str
    cells: tuple[Cell, ...]


def score_columns(summary: ComparedSummary) -> list[Column]:
    """The columns: of a result the means of each metric, of a study the means and the mean ranks."""
    columns, study = [], isinstance(summary, StudySummary)
    for metric in summary.metrics:
        places, standings = decimals(metric.means), _standings(summary, metric.name)
        means = [number(mean, places) for mean in metric.means]
        limits = [""] * len(means) if cases_of(summary) == "splits" else _limits(summary, metric)
        spreads = [number(value, places) if value == value else "" for value in metric.deviations]
        beside = (spreads, limits) if not any(limits) else ((), limits)
        best = _best(summary, [mean if metric.greater_is_better else -mean for mean in metric.means])
        columns.append(_column(summary, metric.name, "mean score", means, best, {} if study else standings, *beside))
        if study:
            ranks = [number(rank, 2) for rank in metric.mean_ranks]
            best = _best(summary, [-rank for rank in metric.mean_ranks])
            columns.append(_column(summary, metric.name, "mean rank", ranks, best, standings))
    return columns


def _column(
    summary: ComparedSummary,
    metric: str,
    what: str,
    texts: Sequence[str],
    best: Collection[str],
    standings: Mapping[str, str],
    spreads: Sequence[str] = (),
    limits: Sequence[str] = (),
) -> Column:
    """All that print like the best are bold, but for means over fewer splits."""
    names, shorter, nothing = summary.estimators, left_early(summary), [""] * len(texts)
    bold = {text for text, name in zip(texts, names, strict=True) if name in best}
    cells = [
        Cell(
            text=text,
            spread=spread,
            interval=interval,
            best=text in bold and name not in shorter,
            standing=standings.get(name, ""),
        )
        for name, text, spread, interval in zip(names, texts, spreads or nothing, limits or nothing, strict=True)
    ]
    return Column(metric=metric, what=what, cells=tuple(cells))


def _best(summary: ComparedSummary, merits: Sequence[float]) -> list[str]:
    """The models with the best number of a column, but for those with fewer splits; several but for rounding."""
    shorter = left_early(summary)
    known = [(name, merit) for name, merit in zip(summary.estimators, merits, strict=True) if name not in shorter]
    best = max((merit for _, merit in known if merit == merit), default=nan)
    return [name for name, merit in known if isclose(merit, best, rel_tol=ROUNDING)]


def _standings(summary: ComparedSummary, metric: str) -> dict[str, str]:
    """What the answer says of the others against the leading model."""
    found = {}
    for on in summary.answer.metrics:
        if on.metric == metric:
            found = dict.fromkeys(on.worse, WORSE) | dict.fromkeys((*on.not_different, *on.equivalent), OPEN)
            found |= dict.fromkeys((*on.not_comparable, *on.smaller, *on.larger), UNTESTED)
    return found


def own_scores(summary: ComparedSummary) -> list[tuple[MetricMeans, list[str]]]:
    """Of an evaluation each metric with the models' scores as they print, each with its interval where it has one."""
    return [
        (metric, [f"{score} {limits}".rstrip() for score, limits in zip(column(metric.means), found, strict=True)])
        for metric in summary.metrics
        for found in [_limits(summary, metric)]
    ]


def _limits(summary: ComparedSummary, metric: MetricMeans) -> list[str]:
    """The intervals of the models' scores, with the decimals of these; empty where there is none."""
    known = [] if summary.intervals is None else [row for row in summary.intervals if row.metric == metric.name]
    places = decimals(metric.means)
    shown = [interval(row.low, row.high, places, signed=False).replace("n/a", "") for row in known]
    return shown or [""] * len(metric.means)


def about_intervals(summary: ComparedSummary) -> str:
    """What the intervals in brackets are, as part of a sentence; empty where there are none."""
    methods: dict[str, list[str]] = {}
    for row in summary.intervals or ():
        if row.method and row.metric not in methods.setdefault(row.method, []):
            methods[row.method].append(row.metric)
    if summary.intervals is None or not methods:
        return ""
    how = "; ".join(
        f"{method}: {', '.join(metrics)}" if len(methods) > 1 else method for method, metrics in methods.items()
    )
    level = percent_of(summary.intervals.confidence_level)
    return f"in brackets {level} intervals ({how}), each for its own score alone"


def legend(summary: ComparedSummary, columns: Sequence[Column], marks: Mapping[str, str]) -> str:
    """What the numbers, the bold ones and the marks of worse and better models mean, in sentences."""
    less = f" (less is better for {listed(summary.costs)})" if summary.costs else ""
    if isinstance(summary, StudySummary):
        best, whom = f"Bold: the best of each column{less}.", _whom(summary)
        ranks = f"{WITH_GAPS if has_gaps(summary) else 'mean ranks'}, 1 being the best"
        means = f"Mean scores{shared(summary)}, and {ranks}: {setting(summary)}."
        return f"{means} {best} {_findings(summary, columns, marks, whom)}"
    best, whom = f"Bold: the best mean of each metric{less}.", _whom(summary)
    cells = [cell for column in columns for cell in column.cells]
    spread = any(cell.spread for cell in cells)
    how = f"{' ± standard deviation' if spread else ''}{shared(summary)}"
    over = f" over the {cases_of(summary)}" if spread and not shared(summary) else ""
    limits = f", {about_intervals(summary)}" if any(cell.interval for cell in cells) else ""
    what = "Scores" if cases_of(summary) == "samples" else "Mean scores"
    means = f"{what}{how}{over}{limits}: {setting(summary)}."
    if left_early(summary):
        best += " Means over fewer splits stand for themselves and are never bold."
    caution = " The deviation over the splits is no standard error: the splits share their data."
    caution = caution if spread and cases_of(summary) == "splits" else ""
    return f"{means} {best} {_findings(summary, columns, marks, whom)}{caution}"


def _whom(summary: ComparedSummary) -> str:
    """Against whom the marks are."""
    found = {on.leader for on in summary.answer.metrics} - {None}
    return str(found.pop()) if len(found) == 1 else "the leading model"


def _findings(summary: ComparedSummary, columns: Sequence[Column], marks: Mapping[str, str], whom: str) -> str:
    """What the tests against the best models found, and how many could not be made."""
    found = [cell.standing for column in columns for cell in column.cells]
    if not {WORSE, OPEN} & set(found):
        tested = any(row.record is not None for row in summary.rows)
        others = f" Other pairs are tested {decided_by(summary)}." if tested else ""
        return f"Nothing could be tested against {whom}.{others}"
    said = f"{marks[WORSE]}: {WORSE} than {whom}" if WORSE in found else ""
    findings = f"{said or f'None is significantly different from {whom}'} {decided_by(summary)}."
    findings += only_tested(summary.rows)
    behind = [said for on in summary.answer.metrics if (said := ahead(summary.answer, on))]
    findings += "".join(f" {said}" for said in dict.fromkeys(behind))
    n = found.count(UNTESTED)
    return findings + (f" {counted(n, 'comparison')} with it could not be made." if n else "")


def has_gaps(summary: ComparedSummary) -> bool:
    """Whether some model lacks a score on some data set."""
    return any(metric.n_common < metric.n_all for metric in summary.metrics)


def shared(summary: ComparedSummary) -> str:
    """On how many data sets or splits all models have a score, where that is not all of them."""
    n, what = summary.metrics[0].n_all, cases_of(summary)
    found = sorted({metric.n_common for metric in summary.metrics if any(mean == mean for mean in metric.means)})
    some = [count for count in found if count]
    parts = []
    if some and some != [n]:
        shown = f"{some[0]}" if len(some) == 1 else f"{some[0]} to {some[-1]}"
        lacking = any(mean != mean for metric in summary.metrics for mean in metric.means)
        whom = "all models with any score" if lacking else "all models"
        whom = "all models that were fitted to the end" if left_early(summary) else whom
        parts.append(f"over the {shown} of {n} {what} on which {whom} have one")
    if 0 in found:
        parts.append("over each model's own splits where no split has scores of all models")
    return f" {', or '.join(parts)}" if parts else ""
