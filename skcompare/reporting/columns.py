"""The columns of every table of an answer: what each is called, what it shows and how, in one place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any

from skcompare._core.numbers import MAX_DECIMALS, interval, magnitude, number, percent, pvalue
from skcompare.comparison.means import MetricMeans, label, shown_score
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, seen_from
from skcompare.reporting import words
from skcompare.reporting.document import Column, Grid
from skcompare.reporting.summary.records import ComparedSummary

FEWEST, MOST = 0, 6  # decimals
FRAGILE = "would not stand in the worst of similar simulations"
OF_HALVES = "would not stand if the splits were random halves"


def places_for(rows: Sequence[ComparisonRow], means: MetricMeans) -> int:
    """Decimals of all numbers on one metric: two digits of the narrowest interval, or of the spread of the means."""
    return _places(rows, means.means)


def places_of(rows: Sequence[ComparisonRow]) -> int:
    """The same of rows alone."""
    return _places(rows, [mean for row in rows for mean in (row.mean_a, row.mean_b)])


def _places(rows: Sequence[ComparisonRow], means: Sequence[float]) -> int:
    widths = [(row.high - row.low) / 2 for row in rows if isfinite(row.high - row.low) and row.high > row.low]
    known = [mean for mean in means if isfinite(mean)]
    size = min(widths) if widths else max(known) - min(known) if known else 0.0
    if size <= 0:
        size = max(map(abs, known), default=0.0) / 10
    return min(max(1 - magnitude(size), FEWEST), MOST) if size > 0 else 3


# ---- columns of rows of comparisons ---------------------------------------------------------------------------


def text_column(name: str, head: str, values: Sequence[Any], **options: Any) -> Column:
    """Texts as they are."""
    return Column(name=name, head=head, values=tuple(values), cells=tuple(map(str, values)), left=True, **options)


def lead_cell(row: ComparisonRow | None, places: int) -> str:
    return "" if row is None or not isfinite(row.estimate) else number(row.estimate, places, signed=True)


def interval_cell(row: ComparisonRow | None, places: int) -> str:
    """An interval of a lead; one that was cut off at the null value has an open end there."""
    if row is None or not (isfinite(row.low) or isfinite(row.high)):
        return ""
    return interval(row.low, row.high, places, null=row.null, cut=row.open_at_null)


def pvalue_cell(adjusted: float, alpha: float) -> str:
    return "" if adjusted != adjusted else pvalue(adjusted, alpha)


def outcome_cell(row: ComparisonRow | None) -> str:
    """What a comparison says, in as few words as can be."""
    if row is None:
        return ""
    if row.winner is not None:
        return f"{row.winner} better{'~' if row.fragile else ''}"
    said: dict[Outcome, str] = {
        Outcome.UNDECIDED: "not significant",
        Outcome.EQUIVALENT: "equivalent",
        Outcome.NOT_COMPARABLE: "not comparable",
        Outcome.NOT_TESTED: "not tested",
    }
    return said.get(row.outcome, f"{row.a} {row.outcome.value}")


def comparison_columns(
    rows: Sequence[ComparisonRow | None],
    places: Sequence[int],
    compared: ComparedSummary | ComparisonTable,
    *,
    head: str = "lead",
) -> list[Column]:
    """Lead, interval, adjusted p-value and outcome of some rows, each seen from the model that it favours when > 0."""
    paired = list(zip(rows, places, strict=True))

    def column(name: str, head: str, cell: Callable[..., str], value: Callable[[Any], Any], **options: Any) -> Column:
        return Column(
            name=name,
            head=head,
            cells=tuple(cell(row, place) for row, place in paired),
            values=tuple(None if row is None else value(row) for row in rows),
            **options,
        )

    columns = [
        column("estimate", head, lead_cell, lambda row: row.estimate),
        column("interval", words.interval_of(compared), interval_cell, lambda row: (row.low, row.high)),
    ]
    if not compared.sequential:
        columns.append(
            column(
                "pvalue_adjusted",
                "p adj.",
                lambda row, _: "" if row is None else pvalue_cell(row.pvalue_adjusted, compared.alpha),
                lambda row: row.pvalue_adjusted,
            )
        )
    outcome = column("outcome", "outcome", lambda row, _: outcome_cell(row), lambda row: row.outcome.value, left=True)
    return [*columns, outcome]


# ---- columns of models ----------------------------------------------------------------------------------------


def mean_column(
    means: MetricMeans,
    order: Sequence[int],
    places: int,
    marks: Sequence[str],
    *,
    optional: int = 0,
) -> Column:
    """The means of some models on one metric, with the mark of each."""
    values = tuple(shown_score(means.name, means.means[i]) for i in order)
    signs = {"worse": "*", "better": "+", "fragile": "~"}
    ends = ["".join(sign for mark, sign in signs.items() if mark in each) for each in marks]
    width = max(map(len, ends), default=0)
    cells = tuple(
        f"{number(value, min(places, MAX_DECIMALS)) if isfinite(value) else 'n/a'}{end.ljust(width)}"
        for value, end in zip(values, ends, strict=True)
    )
    head = label(means.name) + " " * width
    return Column(name=means.name, head=head, cells=cells, values=values, marks=tuple(marks), optional=optional)


def standing(row: ComparisonRow | None, leader: str) -> str:
    """What a comparison with the first model says of the other one: "worse", "better" or "", and if it is "fragile"."""
    if row is None or row.winner is None:
        return ""
    return f"{'worse' if row.winner == leader else 'better'}{' fragile' if row.fragile else ''}"


def legend(rows: Iterable[ComparisonRow | None], *, halves: bool = False) -> str:
    """What "~" means, where it stands beside one of the rows; `halves` where the design was assumed."""
    return f"~ {OF_HALVES if halves else FRAGILE}." if any(row is not None and row.fragile for row in rows) else ""


def facing(
    rows: Sequence[ComparisonRow], leader: str, others: Sequence[str], metric: str
) -> list[ComparisonRow | None]:
    """The row of the leader and each other model on a metric, seen from the leader; None where there is none."""
    found = {frozenset((row.a, row.b)): row for row in rows if row.metric == metric}
    of_others = (found.get(frozenset((leader, other))) if other != leader else None for other in others)
    return [None if row is None else seen_from(row, leader) for row in of_others]


def rows_grid(table: ComparisonTable) -> Grid:
    """Comparisons as they are: metric, both models, difference, interval, adjusted p-value, outcome."""
    rows = table.rows
    by_metric: dict[str, list[ComparisonRow]] = {}
    for row in rows:
        by_metric.setdefault(row.metric, []).append(row)
    decimals = {metric: places_of(own) for metric, own in by_metric.items()}
    metrics = [f"{label(row.metric)}{' (less)' if row.metric in table.costs else ''}" for row in rows]
    known = tuple(row.metric for row in rows)
    metric = Column(name="metric", head="metric", cells=tuple(metrics), values=known, left=True)
    columns = [metric] if len(by_metric) > 1 or table.costs else []
    columns += [text_column("a", "a", [row.a for row in rows]), text_column("b", "b", [row.b for row in rows])]
    places = [decimals[row.metric] for row in rows]
    columns += comparison_columns(rows, places, table, head=words.difference(rows, "a - b"))
    shares = _shares(rows, table.alpha)
    columns += shares
    said = "P: posterior of b better, of both equivalent, of a better." if shares else ""
    caption = " ".join(filter(None, [words.together(table), said, legend(rows, halves=table.halves)]))
    return Grid(name="comparisons", columns=tuple(columns), caption=caption)


def _shares(rows: Sequence[ComparisonRow], alpha: float) -> list[Column]:
    """The posterior probabilities beside a region of practical equivalence; none where none was given."""
    if all(row.rope is None for row in rows):
        return []
    found = []
    for name, head in (("left", "P(b)"), ("rope", "P(equal)"), ("right", "P(a)")):
        values = tuple(getattr(row, name) for row in rows)
        cells = tuple("" if p is None else percent(p, decided=1 - alpha) for p in values)
        found.append(Column(name=name, head=head, cells=cells, values=values))
    return found
