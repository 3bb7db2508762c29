"""The columns of every table of an answer: what each is called, what it shows and how, in one place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import inf, isfinite, nan
from typing import Any

from skcompare._core.numbers import MAX_DECIMALS, bound, interval, magnitude, number, percent, percent_of, pvalue
from skcompare.comparison.learning_curve import SizeComparison
from skcompare.comparison.means import MetricMeans, label, shown_score
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, is_median, seen_from
from skcompare.reporting import words
from skcompare.reporting.document import Column, Grid

FEWEST, MOST = 0, 6  # decimals
_OUTCOMES = {
    Outcome.UNDECIDED: "not significant",
    Outcome.EQUIVALENT: "equivalent",
    Outcome.NOT_COMPARABLE: "not comparable",
    Outcome.NOT_TESTED: "not tested",
}
_SIGNS = {"": "", "worse": "*", "better": "+", "worse fragile": "*~", "better fragile": "+~"}


def places_for(rows: Iterable[Any], means: Sequence[float] = ()) -> int:
    """Decimals of all numbers on one metric: two digits of the narrowest interval, or of the spread of the means.

    Without `means` those of the rows count.
    """
    widths, scores = [], [*means]
    for row in rows:
        if row is not None:
            widths += [(row.high - row.low) / 2] if isfinite(row.high - row.low) and row.high > row.low else []
            scores += [] if means else [row.mean_a, row.mean_b]
    known = [*filter(isfinite, scores)]
    size = min(widths) if widths else max(known) - min(known) if known else 0.0
    if size <= 0:
        size = max(map(abs, known), default=0.0) / 10
    fewest = 2 if known and max(map(abs, known)) <= 1 else FEWEST  # of shares and the like
    return min(max(1 - magnitude(size), fewest), MOST) if size > 0 else 3


def column(
    name: str, head: str, values: Iterable[Any], cell: Callable[[Any], str] = str, *, left: bool = False
) -> Column:
    """Values, each with the cell that shows it."""
    known = tuple(values)
    return Column(name=name, head=head, values=known, cells=tuple(map(cell, known)), left=left)


text_column = partial(column, left=True)


def number_column(name: str, head: str, values: Iterable[float], places: int) -> Column:
    """Numbers with so many decimals."""
    return column(name, head, values, lambda value: number(value, places))


# ---- columns of rows of comparisons ---------------------------------------------------------------------------


def pvalue_cell(adjusted: float, alpha: float) -> str:
    return "" if adjusted != adjusted else pvalue(adjusted, alpha)


def outcome_cell(row: Any) -> str:
    """What a comparison says, in as few words as can be."""
    if row.winner is not None:
        return f"{row.winner} better{'~' if row.fragile else ''}"
    return _OUTCOMES.get(row.outcome, f"{row.a} {row.outcome.value}")


def comparison_columns(
    rows: Sequence[Any],
    places: Sequence[int],
    compared: ComparisonTable | SizeComparison,
    *,
    head: str = "lead",
    wins: bool = False,
) -> list[Column]:
    """Lead, interval, adjusted p-value and outcome of some rows, each seen from the model that it favours when > 0.

    With `wins` also the cases that are won, tied and lost. A row can be None, where nothing is shown.
    """
    shared = words.adjusts(compared) or compared.sequential
    heads = {"estimate": head, "interval": "interval" if shared else f"{percent_of(1 - compared.alpha)} interval"}
    heads |= {"outcome": "outcome"} if compared.sequential else {"pvalue_adjusted": "p adj.", "outcome": "outcome"}
    cells, values = defaultdict[str, list[str]](list), defaultdict[str, list[Any]](list)
    for row, place in zip(rows, places, strict=True):
        shown = {} if row is None else _shown(row, place, compared.alpha)
        for name in heads:
            cell, value = shown.get(name, ("", None))
            cells[name].append(cell)
            values[name].append(value)
    columns = [
        Column(name=name, head=head, cells=tuple(cells[name]), values=tuple(values[name]), left=name == "outcome")
        for name, head in heads.items()
    ]
    if wins:
        counts = [None if row is None else (row.wins, row.ties, row.losses) for row in rows]
        columns.insert(2, column("wins", "w/t/l", counts, _record))
    return columns


def _record(counts: tuple[int, ...] | None) -> str:
    return "" if counts is None else "/".join(map(str, counts)) if sum(counts) else "n/a"


def _shown(row: Any, places: int, alpha: float) -> dict[str, tuple[str, Any]]:
    """The cells of a row, each with its value; an interval that is cut at the null has an open end there."""
    lead = number(row.estimate, places, signed=True) if isfinite(row.estimate) else ""
    limits = ""
    if isfinite(row.low) or isfinite(row.high):
        limits = interval(row.low, row.high, places, null=row.null, cut=row.open_at_null)
    return {
        "estimate": (lead, row.estimate),
        "interval": (limits, (row.low, row.high)),
        "pvalue_adjusted": (pvalue_cell(row.pvalue_adjusted, alpha), row.pvalue_adjusted),
        "outcome": (outcome_cell(row), row.outcome.value),
    }


def rows_grid(table: ComparisonTable | SizeComparison) -> Grid:
    """Comparisons as they are: metric, both models, size, difference, interval, adjusted p-value, outcome."""
    rows, by_metric = table.rows, defaultdict[str, list[Any]](list)
    for row in rows:
        by_metric[row.metric].append(row)
    decimals = {metric: places_for(own) for metric, own in by_metric.items()}
    columns = pair_columns(rows, table.costs if len(by_metric) > 1 or table.costs else None)
    columns += [size_column(row.size for row in table.rows)] if isinstance(table, SizeComparison) else []
    median = "median " if any(is_median(row.record) for row in rows) else ""
    columns += comparison_columns(rows, [decimals[row.metric] for row in rows], table, head=f"{median}a - b")
    shares = [] if isinstance(table, SizeComparison) else _shares(table.rows, table.alpha)
    said = "P: posterior of b better, of both equivalent, of a better." if shares else ""
    caption = " ".join(filter(None, [words.together(table), words.of_ends(rows), said, legend(fragile_in(rows))]))
    return Grid(name="comparisons", columns=(*columns, *shares), caption=caption)


def size_column(sizes: Iterable[int]) -> Column:
    return column("size", "training samples", sizes)


def pair_columns(rows: Sequence[Any], costs: Sequence[str] | None = None) -> list[Column]:
    """Both models, before them the metric where its `costs` are given: those of which less is better."""
    pair = [text_column("a", "a", [row.a for row in rows]), text_column("b", "b", [row.b for row in rows])]
    if costs is None:
        return pair
    cells = tuple(f"{label(row.metric)}{' (less)' if row.metric in costs else ''}" for row in rows)
    known = tuple(row.metric for row in rows)
    return [Column(name="metric", head="metric", cells=cells, values=known, left=True), *pair]


def _shares(rows: Sequence[ComparisonRow], alpha: float) -> list[Column]:
    """The posterior probabilities beside a region of practical equivalence; none where none was given."""
    if all(row.rope is None for row in rows):
        return []
    heads = {"left": "P(b)", "rope": "P(equal)", "right": "P(a)"}
    shown = partial(percent, decided=1 - alpha)
    return [
        column(name, head, [getattr(row, name) for row in rows], lambda p: "" if p is None else shown(p))
        for name, head in heads.items()
    ]


# ---- columns of models ----------------------------------------------------------------------------------------


def mean_cell(metric: str, mean: float, places: int) -> str:
    shown = shown_score(metric, mean)
    return number(shown if isfinite(shown) else nan, min(places, MAX_DECIMALS))


def mean_column(means: MetricMeans, order: Sequence[int], places: int, marks: Sequence[str] = ()) -> Column:
    """The means of some models on one metric, with the mark of each."""
    marks = marks or [""] * len(order)
    signs = [*map(_SIGNS.__getitem__, marks)]
    width = max(map(len, signs), default=0)
    known = [means.means[i] for i in order]
    return Column(
        name=means.name,
        head=label(means.name) + " " * width,
        cells=tuple(
            mean_cell(means.name, mean, places) + sign.ljust(width) for mean, sign in zip(known, signs, strict=True)
        ),
        values=tuple(shown_score(means.name, mean) for mean in known),
        marks=tuple(marks),
    )


def own_ends(row: Any, places: int) -> str:
    """``0.966 to 0.990``, the interval of a model's own score; empty where there is none."""
    ends = sorted(shown_score(row.metric, end) for end in (row.low, row.high))
    return " to ".join(bound(end, places, signed=False) for end in ends) if isfinite(sum(ends)) else ""


def own_column(rows: Sequence[Any], places: Sequence[int], level: float) -> Column:
    """The interval of each own score."""
    shown = []
    for row, place in zip(rows, places, strict=True):
        low, high = sorted(shown_score(row.metric, end) for end in (row.low, row.high))
        shown.append(interval(low, high, place, signed=False))
    ends = tuple((row.low, row.high) for row in rows)
    return Column(name="interval", head=f"{percent_of(level)} interval", cells=tuple(shown), values=ends)


def standing(row: ComparisonRow | None, leader: str) -> str:
    """What a comparison with the first model says of the other one: "worse", "better" or "", and if it is "fragile"."""
    if row is None or row.winner is None:
        return ""
    return f"{'worse' if row.winner == leader else 'better'}{' fragile' if row.fragile else ''}"


def fragile_in(rows: Iterable[Any]) -> str:
    """The mark of claims that are fragile, where one of the rows is."""
    for row in rows:
        if row is not None and row.fragile:
            return "fragile"
    return ""


def legend(marks: str, leader: str = "") -> str:
    """What the signs of all marks mean; empty where there is none."""
    said = [f"* significantly worse than {leader}"] if "worse" in marks else []
    said += [f"+ significantly better than {leader}"] if "better" in marks else []
    said += ["~ would not stand in the worst of similar simulations"] if "fragile" in marks else []
    return f"{', '.join(said)}." if said else ""


def led_by(leader: str | None, models: Sequence[str], means: MetricMeans) -> list[int]:
    """The places of the leader, then of the other models by their means; those without one last."""
    known = [merit if merit == merit else -inf for merit in means.merits]
    return sorted(range(len(known)), key=lambda i: (models[i] != leader, -known[i]))


def facing(
    rows: Iterable[ComparisonRow], leader: str, others: Sequence[str], metric: str
) -> list[ComparisonRow | None]:
    """The row of the leader and each other model on a metric, seen from the leader; None where there is none."""
    found = {}
    for row in rows:
        if row.metric == metric and leader in (row.a, row.b):
            found[row.b if row.a == leader else row.a] = seen_from(row, leader)
    return [*map(found.get, others)]
