"""The table of scores, models in rows and metrics in columns: what is bold in it, and what carries a mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose, nan

from skcompare.inference._base import ROUNDING
from skcompare.reporting._words import adjustment, decimals, listed, number, setting
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.verdict import left_early

WORSE, OPEN, UNTESTED = "significantly worse", "not significantly different", "not tested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One number of the table.

    Attributes
    ----------
    text : str
        The number.
    spread : str
        Its standard deviation over the splits; empty where there is none.
    best : bool
        Whether it is the best of its column as printed.
    standing : {"significantly worse", "not significantly different", "not tested", ""}
        The answer about its model against the leading one; empty for that one, and in columns without a test.
    """

    text: str
    spread: str
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
    columns = []
    shorter = left_early(summary)
    own = {i for i, name in enumerate(summary.estimators) if name in shorter}
    for metric in summary.metrics:
        spreads = metric.deviations or [float("nan")] * len(metric.means)
        places = decimals(metric.means)
        means = [number(mean, places) for mean in metric.means]
        spread = [number(value, places) if value == value else "" for value in spreads]
        standings = {} if isinstance(summary, StudySummary) else _standings(summary, metric.name)
        best = _best(
            means, [nan if i in own else mean for i, mean in enumerate(metric.means)], metric.greater_is_better
        )
        columns.append(_column(metric.name, "mean score", means, spread, best, standings, summary))
        if isinstance(summary, StudySummary):
            ranks = [number(rank, 2) for rank in metric.mean_ranks]
            best = _best(ranks, metric.mean_ranks, greater_is_better=False)
            standings = _standings(summary, metric.name)
            columns.append(_column(metric.name, "mean rank", ranks, [""] * len(ranks), best, standings, summary))
    return columns


def _column(
    metric: str,
    what: str,
    texts: Sequence[str],
    spreads: Sequence[str],
    best: set[int],
    standings: Mapping[str, str],
    summary: ComparedSummary,
) -> Column:
    return Column(
        metric=metric,
        what=what,
        cells=tuple(
            Cell(text=text, spread=spread, best=i in best, standing=standings.get(name, ""))
            for i, (text, spread, name) in enumerate(zip(texts, spreads, summary.estimators, strict=True))
        ),
    )


def _best(texts: Sequence[str], values: Sequence[float], greater_is_better: bool) -> set[int]:
    """The positions of the best value, and of all that print like it."""
    known = [value for value in values if value == value]
    best = (max if greater_is_better else min)(known, default=nan)
    printed = {text for text, value in zip(texts, values, strict=True) if isclose(value, best, rel_tol=ROUNDING)}
    return {i for i, text in enumerate(texts) if text in printed}


def _standings(summary: ComparedSummary, metric: str) -> dict[str, str]:
    """What the answer says of the others against the leading model."""
    found = {}
    for on in summary.answer.metrics:
        if on.metric == metric:
            found = dict.fromkeys(on.worse, WORSE) | dict.fromkeys((*on.not_different, *on.equivalent), OPEN)
            found |= dict.fromkeys(on.not_comparable, UNTESTED)
    return found


def legend(summary: ComparedSummary, columns: Sequence[Column], marks: Mapping[str, str]) -> str:
    """What the numbers, the bold ones and the marks of worse and better models mean, in sentences."""
    costs = summary.costs
    less = f" (less is better for {listed(costs)})" if costs else ""
    if isinstance(summary, StudySummary):
        best, whom = f"Bold: the best of each column{less}.", _whom(summary)
        means = f"Mean scores{_common(summary)}, and mean ranks, 1 being the best: {setting(summary)}."
        return f"{means} {best} {_findings(summary, columns, marks, whom)}"
    best, whom = f"Bold: the best mean of each metric{less}.", _whom(summary)
    spread = any(cell.spread for column in columns for cell in column.cells)
    how = f"{' ± standard deviation' if spread else ''}{_common(summary)}"
    over = " over the splits" if spread and not _common(summary) else ""
    means = f"Mean scores{how}{over}: {setting(summary)}."
    best += _shorter(summary)
    caution = " The deviation over the splits is no standard error: the splits share their data." if spread else ""
    return f"{means} {best} {_findings(summary, columns, marks, whom)}{caution}"


def _shorter(summary: ComparedSummary) -> str:
    """Why some means are never the best."""
    return " Means over fewer splits stand for themselves and are never bold." if left_early(summary) else ""


def _whom(summary: ComparedSummary) -> str:
    """Against whom the marks are."""
    found = {on.leader for on in summary.answer.metrics} - {None}
    return str(found.pop()) if len(found) == 1 else "the leading model"


def _findings(summary: ComparedSummary, columns: Sequence[Column], marks: Mapping[str, str], whom: str) -> str:
    """What the tests against the best models found, and how many could not be made."""
    found = [cell.standing for column in columns for cell in column.cells]
    if not {WORSE, OPEN} & set(found):
        return f"Nothing could be tested against {whom}."
    how = f"at {summary.alpha:.0%} by {summary.procedure}, {adjustment(summary)}"
    said = f"{marks[WORSE]}: {WORSE} than {whom}" if WORSE in found else ""
    findings = f"{said or f'None is significantly different from {whom}'} {how}."
    n = found.count(UNTESTED)
    return findings + (f" {n} comparison{'' if n == 1 else 's'} with it could not be made." if n else "")


def _common(summary: ComparedSummary) -> str:
    """On how many data sets or splits all models have a score, where that is not all of them."""
    n, what = summary.metrics[0].n_all, "data sets" if isinstance(summary, StudySummary) else "splits"
    found = sorted({metric.n_common for metric in summary.metrics if any(mean == mean for mean in metric.means)})
    shared = [count for count in found if count]
    parts = []
    if shared and shared != [n]:
        shown = f"{shared[0]}" if len(shared) == 1 else f"{shared[0]} to {shared[-1]}"
        whom = "all models that were fitted to the end" if left_early(summary) else "all models"
        parts.append(f"over the {shown} of {n} {what} on which {whom} have one")
    if 0 in found:
        parts.append("over each model's own splits where no split has scores of all models")
    return f" {', or '.join(parts)}" if parts else ""
