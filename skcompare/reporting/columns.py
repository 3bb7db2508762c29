"""The columns of every table of an answer: what each is called, what it shows and how, in one place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isfinite, nan
from operator import attrgetter
from typing import Any, NamedTuple

from skcompare._core import numbers
from skcompare._core.document import Column, Grid
from skcompare._core.metrics import label
from skcompare.comparison.error_rates import FRAGILE
from skcompare.comparison.intervals import LEVEL, ScoreInterval
from skcompare.comparison.learning_curve import SizeComparison
from skcompare.comparison.means import MetricMeans, shown_score
from skcompare.comparison.table import ComparisonRow, ComparisonTable, briefly_said, is_median, seen_from
from skcompare.inference.datasets.pairwise import Ranking, ranks_between
from skcompare.reporting import words

_SIGNS = {"": "", "worse": "*", "better": "+", "worse fragile": "*~", "better fragile": "+~"}


def places_for(rows: Iterable[Any], means: Sequence[float] = (), metric: str | None = None) -> int:
    """Decimals of all numbers on one metric: two digits of the narrowest interval, or of the spread of the means.

    Without `means` those of the rows count; with a `metric` the rows on it alone.
    """
    widths, scores = [], [*means]
    for row in rows:
        if row is not None and metric in (None, row.metric):
            widths += [(row.high - row.low) / 2] if isfinite(row.high - row.low) and row.high > row.low else []
            scores += [] if means else [row.mean_a, row.mean_b]
    known = [*filter(isfinite, scores)]
    size = min(widths) if widths else max(known) - min(known) if known else 0.0
    largest = max(map(abs, known), default=0.0)
    if size <= numbers.ROUNDING * largest:
        size = largest / 10
    fewest = 2 if known and largest <= 1 else 0  # of shares and the like
    return min(max(1 - numbers.magnitude(size), fewest), numbers.MAX_DECIMALS) if size > 0 else 3


def column(name: str, head: str, own: Iterable[Any], cell: Callable[[Any], str] = str, *, left: bool = False) -> Column:
    """Values, each with the cell that shows it."""
    known = tuple(own)
    return Column(name=name, head=head, values=known, cells=tuple(map(cell, known)), left=left)


text_column = partial(column, left=True)


def number_column(name: str, head: str, values: Iterable[float], places: int) -> Column:
    """Numbers with so many decimals."""
    return column(name, head, values, lambda value: numbers.number(value, places))


# ---- columns of rows of comparisons ---------------------------------------------------------------------------


class At(NamedTuple):
    """Where a value is shown: its row, the decimals of all numbers on that metric, and the level of the table."""

    row: Any
    places: int
    alpha: float


def pvalue_cell(adjusted: float, at: At) -> str:
    return "" if adjusted != adjusted else numbers.pvalue(adjusted, at.alpha)


def outcome_cell(_: str, at: At) -> str:
    """What a comparison says, in as few words as can be."""
    return f"{briefly_said(at.row)}{'~' if at.row.fragile else ''}"


def number_cell(more: int = 0, *, signed: bool = False) -> Callable[[float, At], str]:
    """A number with the decimals of its metric, or some more; nothing where it is not known."""
    return lambda value, at: numbers.number(value, at.places + more, signed=signed) if isfinite(value) else ""


def interval_cell(limits: tuple[float, float], at: At) -> str:
    """Both limits; one that is cut at the null is open there."""
    known = any(map(isfinite, limits))
    return numbers.interval(*limits, at.places, null=at.row.null, cut=at.row.open_at_null) if known else ""


def wins_cell(counts: tuple[int, int, int], _: At) -> str:
    return "/".join(map(str, counts)) if sum(counts) else "n/a"


PAIRS, MODELS, CANDIDATES = "pairs", "models", "candidates"  # what a row of a table is


class OfRows(NamedTuple):
    """A column of comparisons.

    Attributes
    ----------
    head : str
        What stands above it.
    value : callable
        A comparison to the value that exports have.
    cell : callable
        That value and where it stands to what is shown.
    tables : tuple of str
        In which tables it stands, by what a row of them is; in all by default.
    signed : bool
        Whether the value is of ``row.record`` and has the other sign seen from the other model, as fields of rows have
        already.
    left : bool
        Whether cells begin at the left.
    """

    head: str
    value: Callable[[Any], Any]
    cell: Callable[[Any, At], str]
    tables: tuple[str, ...] = (PAIRS, MODELS, CANDIDATES)
    signed: bool = False
    left: bool = False


COLUMNS = {
    "estimate": OfRows("lead", attrgetter("estimate"), number_cell(signed=True)),
    "interval": OfRows("interval", attrgetter("low", "high"), interval_cell),
    "wins": OfRows("w/t/l", attrgetter("wins", "ties", "losses"), wins_cell, (PAIRS,)),
    "pvalue_adjusted": OfRows("p", attrgetter("pvalue_adjusted"), pvalue_cell, (PAIRS, CANDIDATES)),
    "outcome": OfRows("outcome", attrgetter("outcome.value"), outcome_cell, (PAIRS,), left=True),
}


def comparison_columns(
    rows: Sequence[Any],
    places: Sequence[int],
    compared: ComparisonTable,
    *,
    of: str = PAIRS,
    head: str = "lead",
    wins: bool = False,
) -> list[Column]:
    """The columns that a table has `of` some rows, each seen from the model that it favours when > 0.

    With `wins` also the cases that are won, tied and lost. A row can be None, where nothing is shown.
    """
    found, among = list[Column](), False
    shown = {*map(attrgetter("metric"), filter(None, rows))}
    for family in compared.families:
        among |= family.n > 1 and not shown.isdisjoint(family.metrics)
    shared = (words.adjusts(compared) and among) or compared.sequential
    interval = "interval" if shared else f"{numbers.percent_of(1 - compared.alpha)} interval"
    p = "p adj." if isinstance(compared, SizeComparison) or words.adjusts(compared) else "p"  # of sizes the largest
    heads = {"estimate": head, "interval": interval, "pvalue_adjusted": p}
    left_out = {*(() if wins else ("wins",)), *(("pvalue_adjusted",) if compared.sequential else ())}
    for name, one in COLUMNS.items():
        if of not in one.tables or name in left_out:
            continue
        values, cells = list[Any](), list[str]()
        for row, place in zip(rows, places, strict=True):
            value: Any = None if row is None else one.value(row)
            values.append(-value if row is not None and one.signed and row.turned else value)
            cells.append("" if row is None else one.cell(values[-1], At(row, place, compared.alpha)))
        title = heads.get(name, one.head)
        found.append(Column(name=name, head=title, cells=tuple(cells), values=tuple(values), left=one.left))
    return found


def rows_grid(table: ComparisonTable) -> Grid:
    """Comparisons as they are: metric, both models, size, difference, interval, adjusted p-value, outcome."""
    rows, by_metric = table.rows, defaultdict[str, list[Any]](list)
    for row in rows:
        by_metric[row.metric].append(row)
    places = {metric: places_for(own) for metric, own in by_metric.items()}
    columns = pair_columns(rows, table.costs if len(by_metric) > 1 or table.costs else None)
    columns += [size_column(row.size for row in table.rows)] if isinstance(table, SizeComparison) else []
    median = "median " if any(is_median(row.record) for row in rows) else ""
    columns += comparison_columns(rows, [places[row.metric] for row in rows], table, head=f"{median}a - b")
    shares = [] if isinstance(table, SizeComparison) else _shares(table.rows, table.alpha)
    posterior = "P: posterior of b better, of both equivalent, of a better." if shares else ""
    said = [words.together(table), words.of_ends(rows), posterior, legend("", compared=table, rows=rows)]
    return Grid(name="comparisons", columns=(*columns, *shares), caption=" ".join(filter(None, said)))


def grid_on(
    metric: str,
    rows: Sequence[Any],
    places: int,
    compared: ComparisonTable,
    *between: Column,
    wins: bool = False,
    said: str = "",
) -> Grid:
    """The comparisons on one metric: both models, columns `between` them and the others, and what is `said` of them."""
    tested = comparison_columns(rows, [places] * len(rows), compared, head="a - b", wins=wins)
    caption = " ".join(filter(None, [said, legend("", compared=compared, rows=rows), words.of_ends(rows)]))
    name, columns = label(metric), (*pair_columns(rows), *between, *tested)
    return Grid(name=f"pairs on {name}", columns=columns, title=f"On {name}", caption=caption)


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
    shown = partial(numbers.percent, decided=1 - alpha)
    return [
        column(name, head, [getattr(row, name) for row in rows], lambda p: "" if p is None else shown(p))
        for name, head in heads.items()
    ]


def rank_column(ranking: Ranking, names: Sequence[str]) -> Column:
    """The interval of the rank of some models; nothing of one that is not ranked."""
    known = dict(zip(ranking.names, zip(ranking.low.tolist(), ranking.high.tolist(), strict=True), strict=True))
    return column("rank", "rank", map(known.get, names), lambda ends: ranks_between(*ends) if ends else "", left=True)


def ranks_grid(ranking: Ranking, places: int | None = None) -> Grid:
    """A ranking with its letters and means, the best first."""
    order = ranking.best_first
    names = [ranking.names[i] for i in order]
    columns = [text_column("model", "", names), rank_column(ranking, names)]
    if ranking.mean_ranks.size:
        columns.append(number_column("mean_rank", "mean rank", ranking.mean_ranks[[*order]].tolist(), 2))
    shown = [shown_score(ranking.metric, ranking.means[i].item()) for i in order]
    places = numbers.decimals(shown) if places is None else places
    columns.append(number_column("mean", "mean", shown, places))
    if ranking.tier:
        columns.append(text_column("group", "group", [ranking.tier[i] for i in order]))
    name, title = f"ranks on {ranking.metric}", f"On {label(ranking.metric)}"
    return Grid(name=name, columns=tuple(columns), caption=ranking.holds(), title=title)


# ---- columns of models ----------------------------------------------------------------------------------------


def mean_cell(metric: str, mean: float, places: int) -> str:
    shown = shown_score(metric, mean)
    return numbers.number(shown if isfinite(shown) else nan, min(places, numbers.MAX_DECIMALS))


def mean_column(means: MetricMeans, order: Sequence[int], places: int, marks: Sequence[str] = ()) -> Column:
    """The means of some models on one metric, with the mark of each."""
    marks = marks or [""] * len(order)
    signs = [*map(_SIGNS.__getitem__, marks)]
    width = max(map(len, signs), default=0)
    known, name = [means.means[i] for i in order], means.name
    return Column(
        name=name,
        head=label(name) + " " * width,
        cells=tuple(mean_cell(name, mean, places) + sign.ljust(width) for mean, sign in zip(known, signs, strict=True)),
        values=tuple(shown_score(name, mean) for mean in known),
        marks=tuple(marks),
    )


def own_ends(row: Any, places: int) -> str:
    """``0.966 to 0.990``, the interval of a model's own score; empty where there is none."""
    ends = sorted(shown_score(row.metric, end) for end in (row.low, row.high))
    return " to ".join(numbers.bound(end, places, signed=False) for end in ends) if isfinite(sum(ends)) else ""


def own_interval(row: ScoreInterval, places: int) -> str:
    """The interval of a model's own score."""
    low, high = sorted(shown_score(row.metric, end) for end in (row.low, row.high))
    return numbers.interval(low, high, places, signed=False)


def own_intervals(rows: Sequence[ScoreInterval], places: Iterable[int]) -> Column:
    """The intervals of a model's own scores."""
    cells, ends = tuple(map(own_interval, rows, places)), tuple((row.low, row.high) for row in rows)
    return Column(name="interval", head=f"{numbers.percent_of(LEVEL)} interval", cells=cells, values=ends)


def standing(row: ComparisonRow | None, leader: str) -> str:
    """What a comparison with the first model says of the other one: "worse", "better" or "", and if it is "fragile"."""
    if row is None or row.winner is None:
        return ""
    return f"{'worse' if row.winner == leader else 'better'}{' fragile' if row.fragile else ''}"


def legend(marks: str, leader: str = "", *, compared: ComparisonTable, rows: Iterable[Any] = ()) -> str:
    """What the signs of all marks, and of fragile rows, mean in a table of what was compared; empty without any."""
    for row in rows:
        marks += "fragile" if row is not None and row.fragile else ""
    said = [f"* significantly worse than {leader}"] if "worse" in marks else []
    said += [f"+ significantly better than {leader}"] if "better" in marks else []
    said += [f"~ {FRAGILE[compared.halves]}"] if "fragile" in marks else []
    return f"{', '.join(said)}." if said else ""


def facing(rows: Iterable[Any], leader: str, others: Sequence[str], metric: str) -> list[ComparisonRow | None]:
    """The row of the leader and each other model on a metric, seen from the leader; None where there is none."""
    found: dict[str, ComparisonRow | None] = dict.fromkeys(others)
    for row in rows:
        if row.metric == metric and leader in (row.a, row.b):
            other = row.b if row.a == leader else row.a
            found |= {other: seen_from(row, leader)} if other in found else {}
    return [*found.values()]
