"""The table of scores, models in rows and metrics in columns: what is bold in it, and what carries a mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isclose

from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.reporting._words import adjustment, decimals, listed, number, setting
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.verdict import ROUNDING, comparable, left_early

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
    columns = []
    shorter = left_early(summary)
    own = {i for i, name in enumerate(summary.estimators) if name in shorter}
    for metric in summary.metrics:
        spreads = metric.deviations or [float("nan")] * len(metric.means)
        places = decimals(metric.means)
        means = [number(mean, places) for mean in metric.means]
        spread = [number(value, places) if value == value else "" for value in spreads]
        leaders = _leaders(comparable(metric.means, summary), metric.greater_is_better)
        standings = {} if isinstance(summary, StudySummary) else _standings(summary, metric.name, leaders)
        best = _best(means, leaders) - own
        columns.append(_column(metric.name, "mean score", means, spread, best, standings, summary))
        if isinstance(summary, StudySummary):
            ranks = [number(rank, 2) for rank in metric.mean_ranks]
            leaders = _leaders(metric.mean_ranks, greater_is_better=False)
            standings = _standings(summary, metric.name, leaders)
            columns.append(
                _column(metric.name, "mean rank", ranks, [""] * len(ranks), _best(ranks, leaders), standings, summary)
            )
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


def _leaders(values: Sequence[float], greater_is_better: bool) -> list[int]:
    """The positions of the best value, which several may have but for rounding."""
    known = [value for value in values if value == value]
    best = (max if greater_is_better else min)(known, default=float("nan"))
    return [i for i, value in enumerate(values) if isclose(value, best, rel_tol=ROUNDING)]


def _best(texts: Sequence[str], leaders: Sequence[int]) -> set[int]:
    """All that print like the best."""
    return {i for i, text in enumerate(texts) if text in {texts[leader] for leader in leaders}}


def _standings(summary: ComparedSummary, metric: str, leaders: Sequence[int]) -> dict[str, str]:
    """What the comparisons with the best models say of the others, under the error budget of all pairs.

    Of several the strongest: worse than one of them, better than one, not significantly different, untested.
    """
    best = {summary.estimators[leader] for leader in leaders}
    found: dict[str, set[str]] = {}
    for row in summary.rows:
        if row.metric == metric and len(best & {row.a, row.b}) == 1:
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
    costs = summary.costs
    less = f" (less is better for {listed(costs)})" if costs else ""
    if isinstance(summary, StudySummary):
        best, whom = f"Bold: the best of each column{less}.", _whom(summary, "mean rank")
        means = f"Mean scores{_common(summary)}, and mean ranks, 1 being the best: {setting(summary)}."
        return f"{means} {best} {_findings(summary, columns, marks, whom)}"
    best, whom = f"Bold: the best mean of each metric{less}.", _whom(summary, "mean")
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


def _whom(summary: ComparedSummary, what: str) -> str:
    """Against whom the marks are."""
    values = [
        (metric.mean_ranks, False)
        if isinstance(summary, StudySummary)
        else (comparable(metric.means, summary), metric.greater_is_better)
        for metric in summary.metrics
    ]
    several = any(len(_leaders(*each)) > 1 for each in values)
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
