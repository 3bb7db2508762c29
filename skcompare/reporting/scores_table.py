"""The table of scores, models in rows and metrics in columns: what is bold in it, and what carries a mark."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.reporting._words import adjustment, counted, decimals, listed, number, setting
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.verdict import best_scores, leaders, left_early

WORSE, BETTER, OPEN, UNTESTED = "worse", "better", "not significantly different", "not tested"


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
    standing : {"worse", "better", "not significantly different", "not tested", ""}
        What the test says of its model against the best one; empty for the best one, and in columns without a test.
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
    columns, study = [], isinstance(summary, StudySummary)
    for metric, best in zip(summary.metrics, leaders(summary), strict=True):
        places, standings = decimals(metric.means), _standings(summary, metric.name, best)
        means = [number(mean, places) for mean in metric.means]
        spreads = [number(value, places) if value == value else "" for value in metric.deviations]
        of_means = best_scores(metric, summary) if study else best
        tested = {} if study else standings
        columns.append(_column(summary, metric.name, "mean score", means, of_means, tested, spreads))
        if study:
            ranks = [number(rank, 2) for rank in metric.mean_ranks]
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
) -> Column:
    """All that print like the best are bold, but for means over fewer splits."""
    names, shorter = summary.estimators, left_early(summary)
    bold = {text for text, name in zip(texts, names, strict=True) if name in best}
    cells = [
        Cell(text=text, spread=spread, best=text in bold and name not in shorter, standing=standings.get(name, ""))
        for name, text, spread in zip(names, texts, spreads or [""] * len(texts), strict=True)
    ]
    return Column(metric=metric, what=what, cells=tuple(cells))


def _standings(summary: ComparedSummary, metric: str, best: Collection[str]) -> dict[str, str]:
    """What the comparisons with the best models say of the others, under the error budget of all pairs.

    Of several the strongest: worse than one of them, better than one, not significantly different, untested.
    """
    found: dict[str, set[str]] = {}
    for row in summary.rows:
        if row.metric == metric and (row.a in best) != (row.b in best):
            leader, other = (row.a, row.b) if row.a in best else (row.b, row.a)
            found.setdefault(other, set()).add(_standing(row, leader))
    order = (WORSE, BETTER, OPEN, UNTESTED)
    return {other: min(standings, key=order.index) for other, standings in found.items()}


def _standing(row: ComparisonRow, best: str) -> str:
    if row.outcome is Outcome.NOT_COMPARABLE:
        return UNTESTED
    if row.winner is None:
        return OPEN
    return WORSE if row.outcome is (Outcome.BETTER if row.a == best else Outcome.WORSE) else BETTER


def legend(summary: ComparedSummary, columns: Sequence[Column], marks: Mapping[str, str]) -> str:
    """What the numbers, the bold ones and the marks of worse and better models mean, in sentences."""
    less = f" (less is better for {listed(summary.costs)})" if summary.costs else ""
    if isinstance(summary, StudySummary):
        best, whom = f"Bold: the best of each column{less}.", _whom(summary, "mean rank")
        means = f"Mean scores{_common(summary)}, and mean ranks, 1 being the best: {setting(summary)}."
        return f"{means} {best} {_findings(summary, columns, marks, whom)}"
    best, whom = f"Bold: the best mean of each metric{less}.", _whom(summary, "mean")
    spread = any(cell.spread for column in columns for cell in column.cells)
    how = f"{' ± standard deviation' if spread else ''}{_common(summary)}"
    over = " over the splits" if spread and not _common(summary) else ""
    means = f"Mean scores{how}{over}: {setting(summary)}."
    if left_early(summary):
        best += " Means over fewer splits stand for themselves and are never bold."
    caution = " The deviation over the splits is no standard error: the splits share their data." if spread else ""
    return f"{means} {best} {_findings(summary, columns, marks, whom)}{caution}"


def _whom(summary: ComparedSummary, what: str) -> str:
    """Against whom the marks are."""
    several = any(len(best) > 1 for best in leaders(summary))
    return f"{'a model' if several else 'the model'} with the best {what}"


def _findings(summary: ComparedSummary, columns: Sequence[Column], marks: Mapping[str, str], whom: str) -> str:
    """What the tests against the best models found, and how many could not be made."""
    found = [cell.standing for column in columns for cell in column.cells]
    if not {WORSE, BETTER, OPEN} & set(found):
        return f"Nothing could be tested against {whom}."
    how = f"at {summary.alpha:.0%} by {summary.procedure}, {adjustment(summary)}"
    said = [f"{marks[standing]}: {standing} than {whom}" for standing in (WORSE, BETTER) if standing in found]
    findings = f"{'; '.join(said) or f'None is significantly different from {whom}'} {how}."
    n = found.count(UNTESTED)
    return findings + (f" {counted(n, 'comparison')} with it could not be made." if n else "")


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
