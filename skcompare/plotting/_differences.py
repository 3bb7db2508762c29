"""The forest plot: differences of pairs of models with their intervals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import count
from operator import add
from typing import Any, ClassVar, Self

import numpy as np

from skcompare._core.numbers import percent_of
from skcompare._core.text import name_of_test
from skcompare._core.validation import Chosen, FloatArray, check_several
from skcompare.comparison.answer import answer, in_reports, within_reach
from skcompare.comparison.cases import TIMES, rope_widths
from skcompare.comparison.compare import JACKKNIFE, compare, held_for, level, metrics_by_test, over_families
from skcompare.comparison.error_rates import FRAGILE
from skcompare.comparison.means import labels_of, led_by, metric_means
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, Scores, seen_from
from skcompare.inference.datasets.pairwise import STUDENTIZED_RANGE
from skcompare.plotting import _style
from skcompare.plotting._display import PER_INCH, RowsDisplay, inches, values_of
from skcompare.plotting._style import BETTER, NEUTRAL, Axes, ink, labels, narrow

# The comparisons that pictures show: always with the families of all metrics, whichever are shown.


def compared(scores: Scores, metrics: Chosen = None, *, procedure: str = "auto", **options: Any) -> ComparisonTable:
    """All comparisons, or those on some metrics: which are shown changes no p-value."""
    check_several(scores.estimators)
    shown = metrics if metrics is None or isinstance(metrics, str) else tuple(metrics)
    return compare(scores, procedure, metrics=shown, **options)


def budget(comparison: ComparisonTable) -> str:
    """The test of some comparisons, and over how many their p-values are adjusted."""
    if comparison.sequential:
        return f"sequential verdict with an error rate of {percent_of(comparison.alpha)}"
    tests, families = metrics_by_test(comparison.rows, made=True), [one for one in comparison.families if one.n]
    if not tests:
        return "no test of it is possible"
    own = [comparison.procedure] if comparison.procedure in tests and JACKKNIFE not in tests else [*tests]
    test = name_of_test(own[0]) if len(own) == 1 else "each metric by its own test"
    over = "" if all(one.n < 2 for one in families) else over_families(comparison)
    return adjusted(test, comparison.correction, over)


def adjusted(test: str, correction: str, over: str) -> str:
    """The test, and over what its p-values are adjusted, if over anything."""
    if not over:
        return test
    if correction == STUDENTIZED_RANGE:
        return f"{test} over {over}"
    how = "" if correction == "holm" else f" ({correction.replace('_', ' ')})"
    return f"{test}, not adjusted" if correction == "none" else f"{test}, adjusted{how} over {over}"


def decided_by(scores: Scores) -> str:
    """By what a model is significantly better, in words."""
    return f"p < {level(scores):g}" if stopped(scores) is None else "decided while it ran"


def _intervals(comparison: ComparisonTable) -> str:
    """What the intervals are called: those of a family hold together."""
    held = "" if comparison.sequential or comparison.correction == "none" else held_for(comparison)
    return f"intervals, {held}" if held else f"{percent_of(1 - comparison.alpha)} interval"


def _in_order(scores: Scores, rows: Sequence[ComparisonRow], baseline: str | None) -> list[ComparisonRow]:
    """Rows metric by metric, those of the leader first; each seen from the model that stands first in its picture.

    The models stand in the order of their means on the first metric, behind the leader, as in the table of the answer.
    With a baseline its rows stay differences to it.
    """
    first = answer(scores).metrics[0]
    means = metric_means(scores)[scores.metrics.index(first.metric)]
    place = {scores.estimators[i]: at for at, i in enumerate(led_by(first.leader, scores.estimators, means))}
    if baseline is None:
        rows = [seen_from(row, min(row.a, row.b, key=place.__getitem__)) for row in rows]
    metric = {name: at for at, name in enumerate(scores.metrics)}
    return sorted(rows, key=lambda row: (metric[row.metric], place[row.a], place[row.b]))


MAX_ROWS, FEWEST = 30, 3
SMALL_ROW, WORDS = 0.13, 0.5  # inches: the lowest row; what the words below take from small axes
# Metrics without a unit share an axis, unless their widest rows differ by more than this factor.
COMPARABLE = 30.0
SHARES = (
    *("accuracy", "precision", "recall", "f1", "jaccard", "roc_auc", "score"),
    *("r2", "explained_variance", "matthews", "d2_"),
)
LOOKS = {"a": (">", BETTER), "b": ("<", _style.WORSE), "equivalent": ("s", NEUTRAL), "": ("o", NEUTRAL)}
LOOKS["not tested"] = LOOKS["no test"] = LOOKS[""]
LENGTHS = (18, 24, 28)  # of names of models
# Inches: of a row, between two axes, above and below all, beside the names; the part of small axes for rows.
ROW, GAP, ABOVE_AND_BELOW, WIDTH, ROWS_PART = 0.26, 0.55, 1.6, 5.0, 0.4
INSET = 0.96  # width of one of several axes: the last label of its ticks is wider than it


class DifferencesDisplay(RowsDisplay):
    """Forest plot: the difference of each pair of models on each metric with its interval.

    Attributes
    ----------
    metrics, a, b : sequence of str of length n_rows
        What each row is about.
    estimates, low, high : ndarray of shape (n_rows,)
        Differences ``a - b``, positive in favour of `a`, and their intervals, which leave out 0 where the outcome is
        significant; nan where there is none. One that ends at 0 and is significant was cut off there.
    pvalues : ndarray of shape (n_rows,)
        Adjusted over all rows of a family.
    ropes : ndarray of shape (n_rows,)
        Half width of the region of practical equivalence, 0 where there is none.
    panels : sequence of int of length n_rows
        Which of the axes below each other a row is on, from 0.
    better : sequence of {"a", "b", "equivalent", "not tested", "no test", ""} of length n_rows
        The outcome: the significantly better model, drawn as an arrow; practically equivalent, a square; not tested,
        where a sequential verdict decided without looking at it; or none of these.
    procedure : str
        The test, and over how many comparisons its p-values are adjusted.
    decided_by : str
        What an arrow rests on.
    intervals : str
        What the intervals are called, and for how many comparisons at once they hold.
    source : str
        Where all rows are.
    within_reach : bool
        Whether any of the differences could have been significant, were it as large as can be.
    warnings : sequence of str of length n_rows, or empty
        What is said of each fragile claim, whose name ends in ``~``; empty of the others.

    Notes
    -----
    Metrics of different units, such as seconds and shares, have axes of their own within `ax_`: ``ax_.child_axes``.
    The rows stand metric by metric, those of the first row's model `a` first: the leader. Of more than 30 rows, or than
    small axes have space for, its rows come first, then those on the first metric: of each outcome equally many, or all
    where these are fewer. `frame` has all. A hollow end is an interval that was cut off at 0.
    """

    metrics: Sequence[str]
    a: Sequence[str]
    b: Sequence[str]
    estimates: FloatArray
    low: FloatArray
    high: FloatArray
    pvalues: FloatArray
    ropes: FloatArray
    panels: Sequence[int]
    better: Sequence[str]
    procedure: str
    decided_by: str
    intervals: str = "95% interval"
    source: str = "compare()"
    within_reach: bool = True
    warnings: Sequence[str] = ()

    _frame = ("metrics", "a", "b", "estimates", "low", "high", "pvalues", "better", "ropes")
    _renamed: ClassVar = {"pvalues": "pvalue_adjusted"}

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: Chosen = None,
        baseline: str | None = None,
        margin: float | Mapping[str, float] | None = None,
        correction: str = "holm",
    ) -> Self:
        r"""The comparison of a result's models.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show. Of more than 1,000 pairs those with the leaders, where nothing else is asked for.
        metrics : str or sequence of str, optional
            All by default. Which are shown changes no number: the families are those of all metrics.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        margin : float or mapping of metric to float, optional
            Half width of the region of practical equivalence, in score units.
        correction : str, default="holm"
            A method of `adjust_pvalues`.

        Returns
        -------
        DifferencesDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            As `compare`.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import DifferencesDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> DifferencesDisplay.from_result(from_frame(scores), margin=0.01).plot().ax_.get_xlabel()
        'difference with 95% interval\n← b better    a better →...'
        """
        plain, source = (baseline, margin, correction) == (None, None, "holm"), "compare()"
        if metrics is None and plain and answer(result).bounded:
            comparison, source = in_reports(result), "compare(), which has all pairs"
        else:
            comparison = compared(result, metrics, baseline=baseline, correction=correction, rope=margin)
        rows = _in_order(result, comparison.rows, baseline)
        widths = rope_widths(margin, result.metrics, result)
        own = values_of(rows, "low", "high", estimates="estimate", pvalues="pvalue_adjusted")
        names = [row.metric for row in rows]
        return cls(
            metrics=[*labels_of(names)],
            a=[row.a for row in rows],
            b=[row.b for row in rows],
            **own,
            ropes=np.array([widths.get(name, 0.0) for name in names]),
            panels=_panels(names, own["low"], own["high"]),
            better=[_better(row) for row in rows],
            procedure=budget(comparison),
            decided_by=decided_by(result),
            intervals=_intervals(comparison),
            source=source,
            within_reach=correction != "holm" or any(within_reach(comparison, name) for name in {*names}),
            warnings=[FRAGILE[comparison.halves] if row.fragile else "" for row in rows],
        )

    def _title(self) -> str:
        n = sum(which not in ("not tested", "no test") for which in self.better)
        n_found = sum(which in ("a", "b") for which in self.better)
        metric = f" on {labels([self.metrics[0]])[0]}" if len(set(self.metrics)) == 1 else ""
        if not n:
            return f"the differences{metric} have no test"
        if not (self.within_reach or n_found):
            return f"too little data for a significant difference{metric}"
        if n == 1:
            return f"the difference{metric} is {'' if n_found else 'not '}significant"
        found = f"{n_found:,}" if n_found else "none"
        return f"{found} of {n:,} differences{metric} {'is' if n_found < 2 else 'are'} significant"

    def _notes(self) -> Sequence[str]:
        more = len(self.a) - len(self._shown())
        return [self.procedure, *([f"{more:,} more in {self.source}"] if more else [])]

    def _size(self) -> tuple[float, float]:
        rows = self._shown()
        gaps = GAP * (len({self.panels[i] for i in rows}) - 1)
        marks = 0.2 * len({*map(self._warning, rows)} - {""})  # a line of words below for each
        return WIDTH + _style.width_of(self._row_names()), ABOVE_AND_BELOW + ROW * len(rows) + gaps + marks

    def _draw(self, ax: Axes) -> None:
        by_panel: dict[int, list[int]] = {}
        for i in self._shown():
            by_panel.setdefault(self.panels[i], []).append(i)
        panels = [by_panel[key] for key in sorted(by_panel)]
        if len(panels) == 1:
            self._draw_rows(ax, panels[0])
            self._label_axes(ax, self._explained("difference"))
            return
        ax.set(xticks=[], yticks=[])
        ax.set_axis_off()
        gap = min(GAP / inches(ax)[1], (1 - ROWS_PART) / (len(panels) - 1))
        row = (1 - gap * (len(panels) - 1)) / sum(map(len, panels))
        top = 1.0
        for rows in panels:
            own = ax.inset_axes((0.0, top - row * len(rows), INSET, row * len(rows)))
            top -= row * len(rows) + gap
            own.tick_params(labelsize=self._points())
            own.spines[["top", "left", "right"]].set_visible(False)
            self._draw_rows(own, rows)
            metric = self.metrics[rows[0]]
            unit = ", seconds" if metric in TIMES else ""
            alone = len({self.metrics[i] for i in rows}) == 1
            about = f"difference on {labels([metric])[0]}{unit}" if alone else "difference"
            if rows is panels[-1]:
                self._label_axes(own, self._explained(about))
            else:
                own.set_xlabel(about, fontsize=self._points("small"), labelpad=1)

    def _draw_rows(self, ax: Axes, rows: Sequence[int]) -> None:
        for y, i in enumerate(rows):
            marker, colour = LOOKS[self.better[i]]
            if self.ropes[i]:
                ax.fill_betweenx([y - 0.5, y + 0.5], -self.ropes[i], self.ropes[i], color=_style.ROPE, lw=0)
            ax.plot([self.low[i], self.high[i]], [y, y], color=colour, lw=1.6, solid_capstyle="butt")
            ax.plot(self.estimates[i], y, marker=marker, color=colour, ms=6)
            if self._is_cut(i):
                _style.draw_open_end(ax, 0.0, y, colour)
            if lacks := self._lacks(i):
                alone = bool(np.isnan(self.estimates[i]))  # no marker stands there
                own: dict[str, Any] = {"va": "center" if alone else "baseline", "fontsize": self._points("x-small")}
                place, above = (0.0, 0) if alone else (self.estimates[i], 4)
                ax.annotate(lacks, (place, y), (6, above), textcoords="offset points", **own)
        ax.axvline(0, color=ink(ax), lw=0.8, zorder=0.5)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        self._name_rows(ax, range(len(rows)), self._row_labels(rows))

    def _explained(self, about: str) -> list[str]:
        """What the lowest axis and the marks mean."""
        a, b = labels([self.a[0], self.b[0]], longest=18)
        if len(set(zip(self.a, self.b, strict=True))) > 1:
            a, b = "first", "second"
        known = any(np.isfinite(self.low[i]) or np.isfinite(self.high[i]) for i in self._shown())
        lines = [f"{about} with {self.intervals}" if known else about, f"← {b} better    {a} better →"]
        lines += [f"arrow: significantly better ({self.decided_by})"] if {*self.better} & {"a", "b"} else []
        lines += ["square: practically equivalent"] if "equivalent" in self.better else []
        lines += [f"~ {one}" for one in dict.fromkeys(map(self._warning, self._shown())) if one]
        return [*lines, _style.OPEN_END] if any(map(self._is_cut, self._shown())) else lines

    def _lines_around(self, width: float) -> int:
        words = [*self._explained("difference"), *self._notes()]
        gaps = len({self.panels[i] for i in self._shown()}) - 1
        return 3 + 3 * gaps + sum(1 + int(narrow(line) / (PER_INCH * width)) for line in words)

    def _warning(self, i: int) -> str:
        return self.warnings[i] if self.warnings else ""

    def _is_cut(self, i: int) -> bool:
        """Whether the interval of a row ends at 0, which is no part of it."""
        return self.better[i] in ("a", "b") and 0 in (self.low[i], self.high[i])

    def _lacks(self, i: int) -> str:
        """What a row has not."""
        if np.isnan(self.estimates[i]):
            return "no scores in common"
        if self.better[i] in ("no test", "not tested"):
            return self.better[i]
        return "" if np.isfinite(self.low[i]) and np.isfinite(self.high[i]) else "no interval"

    def _shown(self) -> list[int]:
        """The rows to draw, in their order: the leader's first, of each outcome as many, as there is space for."""
        gaps = GAP * (len(set(self.panels)) - 1)
        limit = max(FEWEST, min(MAX_ROWS, int(min(100.0, self._height_ - gaps - WORDS) / SMALL_ROW)))
        rows, turn = zip(self.a, self.metrics, self.better, strict=True), defaultdict[Any, Any](count)
        groups = [(a != self.a[0], metric != self.metrics[0], better) for a, metric, better in rows]
        places = [(*group[:2], next(turn[group])) for group in groups]
        return sorted(sorted(range(len(places)), key=places.__getitem__)[:limit])

    def _row_names(self) -> Sequence[str]:
        return self._row_labels(self._shown())

    def _row_labels(self, rows: Sequence[int]) -> list[str]:
        """The names of rows: what differs between those of the picture, or of its only metric."""
        models = list(dict.fromkeys([*self.a, *self.b]))
        known = dict(zip(models, _style.shortest_labels(models, LENGTHS), strict=True))
        metrics = labels([self.metrics[i] for i in rows])
        marks = ["~" if self._warning(i) else "" for i in rows]
        if len(set(zip(self.a, self.b, strict=True))) == 1:
            return [*map(add, metrics, marks)]
        pairs = [f"{known[self.a[i]]} - {known[self.b[i]]}{mark}" for i, mark in zip(rows, marks, strict=True)]
        apart = len({self.panels[i] for i in self._shown()}) > 1
        if len({self.metrics[i] for i in rows} if apart else {*self.metrics}) == 1:  # named below them or in the title
            return pairs
        return [f"{metric}: {pair}" for metric, pair in zip(metrics, pairs, strict=True)]


def _better(row: ComparisonRow) -> str:
    """What the outcome of a row names."""
    names = {Outcome.BETTER: "a", Outcome.WORSE: "b", Outcome.EQUIVALENT: "equivalent"}
    if row.outcome is Outcome.NOT_TESTED:
        return "not tested"
    return names.get(row.outcome, "") if row.outcome.tested else "no test"


def _panels(metrics: Sequence[str], low: FloatArray, high: FloatArray) -> list[int]:
    """Which axes each row is on: one for the metrics without a unit, one for the times, one for each other metric."""
    widest = dict.fromkeys(metrics, 0.0)
    for name, reach in zip(metrics, np.fmax(np.abs(low), np.abs(high)).tolist(), strict=True):
        widest[name] = max(widest[name], reach if np.isfinite(reach) else 0.0)
    groups: list[list[str]] = []
    for name in widest:
        for group in groups:
            sizes = [widest[one] for one in (name, *group) if widest[one] > 0]
            alike = not sizes or max(sizes) <= COMPARABLE * min(sizes)
            if alike and len({*map(_unit, (name, *group))}) == 1:
                group.append(name)
                break
        else:
            groups.append([name])
    place = {name: i for i, group in enumerate(groups) for name in group}
    return [place[name] for name in metrics]


def _unit(metric: str) -> str:
    """The unit of a metric: its own name where it is not known."""
    if metric in TIMES:
        return "seconds"
    whole = metric.removeprefix("balanced_").removeprefix("average_").removeprefix("top_k_")
    return "share" if whole.startswith(SHARES) else metric
