"""The table of scores, models in rows and metrics in columns: what is bold in it, and what carries a mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from skcompare.reporting._words import adjustment, decimals, is_study, listed, number, setting


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
    marked : bool
        Whether its model is told apart from the best one.
    """

    text: str
    spread: str
    best: bool
    marked: bool


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


def score_columns(summary: Mapping[str, Any]) -> list[Column]:
    """The columns: of a result the means of each metric, of a study the means and the mean ranks."""
    columns = []
    for metric in summary["metrics"]:
        spreads = metric.get("deviations", [float("nan")] * len(metric["means"]))
        places = decimals(metric["means"])
        better = metric["greater_is_better"]
        means = [number(mean, places) for mean in metric["means"]]
        apart = set() if is_study(summary) else _told_apart(summary, metric["name"], _leader(metric["means"], better))
        spread = [number(value, places) if value == value else "" for value in spreads]
        best = _best(means, _leader(metric["means"], better))
        columns.append(_column(metric["name"], "mean score", means, spread, best, apart, summary))
        if is_study(summary):
            ranks = [number(rank, 2) for rank in metric["mean_ranks"]]
            leader = _leader(metric["mean_ranks"], greater_is_better=False)
            apart = _told_apart(summary, metric["name"], leader)
            columns.append(
                _column(metric["name"], "mean rank", ranks, [""] * len(ranks), _best(ranks, leader), apart, summary)
            )
    return columns


def _column(
    metric: str,
    what: str,
    texts: Sequence[str],
    spreads: Sequence[str],
    best: set[int],
    apart: set[str],
    summary: Mapping[str, Any],
) -> Column:
    return Column(
        metric=metric,
        what=what,
        cells=tuple(
            Cell(text=text, spread=spread, best=i in best, marked=name in apart)
            for i, (text, spread, name) in enumerate(zip(texts, spreads, summary["estimators"], strict=True))
        ),
    )


def _leader(values: Sequence[float], greater_is_better: bool) -> int | None:
    """The position of the best value, of several the first; None where there is none."""
    known = [(value if greater_is_better else -value, -i) for i, value in enumerate(values) if value == value]
    return -max(known)[1] if known else None


def _best(texts: Sequence[str], leader: int | None) -> set[int]:
    """All that print like the best."""
    return set() if leader is None else {i for i, text in enumerate(texts) if text == texts[leader]}


def _told_apart(summary: Mapping[str, Any], metric: str, leader: int | None) -> set[str]:
    """The models whose difference from the best one holds under the error budget of all pairs."""
    if leader is None:
        return set()
    best = summary["estimators"][leader]
    return {
        row["b"] if row["a"] == best else row["a"]
        for row in summary["rows"]
        if row["metric"] == metric and best in (row["a"], row["b"]) and row["pvalue_adjusted"] < summary["alpha"]
    }


def legend(summary: Mapping[str, Any], columns: Sequence[Column], mark: str) -> str:
    """What the numbers, the bold ones and the mark mean, in sentences."""
    costs = [metric["name"] for metric in summary["metrics"] if not metric["greater_is_better"]]
    less = f" (less is better for {listed(costs)})" if costs else ""
    how = f"at {summary['alpha']:.0%} by {summary['procedure']}, {adjustment(summary)}"
    some = any(cell.marked for column in columns for cell in column.cells)
    if is_study(summary):
        best, whom = f"Bold: the best of each column{less}.", "the model with the best mean rank"
        means = f"Mean scores{_common(summary)}, and mean ranks, 1 being the best: {setting(summary)}."
        return f"{means} {best} {_marks(some, mark, whom, how)}"
    best, whom = f"Bold: the best mean of each metric{less}.", "the model with the best mean"
    spread = any(cell.spread for column in columns for cell in column.cells)
    means = f"Mean scores{' ± standard deviation over the splits' if spread else ''}: {setting(summary)}."
    doubt = " The deviation over the splits is no standard error: the splits share their data." if spread else ""
    return f"{means} {best} {_marks(some, mark, whom, how)}{doubt}"


def _marks(some: bool, mark: str, whom: str, how: str) -> str:
    return f"{mark}: told apart from {whom} {how}." if some else f"None is told apart from {whom} {how}."


def _common(summary: Mapping[str, Any]) -> str:
    """On how many data sets all models have a score, where that is not all of them."""
    numbers = sorted({metric["n_datasets"] for metric in summary["metrics"]})
    n = len(summary["datasets"])
    if numbers == [n]:
        return ""
    shown = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
    return f" over the {shown} of {n} data sets on which all models have one"
