"""The forest plot: differences of pairs of models with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.comparison.compare import Scores, compare
from skcompare.comparison.joint import rope_widths
from skcompare.plotting._display import Display
from skcompare.plotting._style import BETTER, NEUTRAL, ROPE, WORSE, ink, labels, name_rows, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.comparison.table import ComparisonRow

ALPHA = 0.05
MAX_ROWS = 60
# Metrics whose widest rows differ by more than this factor cannot share an axis in their own units.
COMPARABLE = 30.0
LOOKS = {"a": (">", BETTER), "b": ("<", WORSE), "": ("o", NEUTRAL)}


@dataclass(kw_only=True, eq=False, repr=False)
class DifferencesDisplay(Display):
    """Forest plot: the difference of each pair of models on each metric with its 95% interval.

    Attributes
    ----------
    metrics, a, b : sequence of str of length n_rows
        What each row is about.
    estimates, low, high : ndarray of shape (n_rows,)
        Differences ``a - b``, positive in favour of `a`, and their intervals, each for its own row alone; nan where
        there is none.
    pvalues : ndarray of shape (n_rows,)
        Adjusted over all rows.
    ropes : ndarray of shape (n_rows,)
        Half width of the region of practical equivalence, 0 where there is none.
    units : ndarray of shape (n_rows,)
        What one unit of the axis is, in score units: 1, or the half width of the row's interval.
    better : sequence of {"a", "b", ""} of length n_rows
        Which model the adjusted p-value shows to be the better one at 5%; drawn as an arrow.
    procedure : str
        The test, and how its p-values were adjusted.

    Notes
    -----
    Metrics that cannot share an axis, such as seconds and shares, are drawn in half widths of their own intervals.
    Of more than 60 rows those with the smallest p-values are drawn; `frame` has all.
    """

    metrics: Sequence[str]
    a: Sequence[str]
    b: Sequence[str]
    estimates: FloatArray
    low: FloatArray
    high: FloatArray
    pvalues: FloatArray
    ropes: FloatArray
    units: FloatArray
    better: Sequence[str]
    procedure: str

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        rope: float | Mapping[str, float] | None = None,
        correction: str = "holm",
    ) -> Self:
        r"""The comparison of a result's models.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : str or sequence of str, optional
            All by default.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        rope : float or mapping of metric to float, optional
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
        >>> DifferencesDisplay.from_result(from_frame(scores), rope=0.01).plot().ax_.get_xlabel()
        'difference with 95% interval\n← b better    a better →...'
        """
        comparison = compare(result, metrics=metrics, baseline=baseline, correction=correction, rope=rope)
        widths = rope_widths(rope, result.metrics)
        low, high = np.array([row.low for row in comparison]), np.array([row.high for row in comparison])
        names = [row.metric for row in comparison]
        return cls(
            metrics=names,
            a=[row.a for row in comparison],
            b=[row.b for row in comparison],
            estimates=np.array([row.estimate for row in comparison]),
            low=low,
            high=high,
            pvalues=np.array([row.pvalue_adjusted for row in comparison]),
            ropes=np.array([widths.get(name, 0.0) for name in names]),
            units=_units(names, low, high),
            better=[_better(row) for row in comparison],
            procedure=f"{comparison.procedure}, p adjusted ({comparison.correction})",
        )

    def _title(self) -> str:
        rows = "difference" if len(self.a) == 1 else f"{len(self.a)} differences"
        metric = f" on {labels([self.metrics[0]])[0]}" if len(set(self.metrics)) == 1 else ""
        return f"{rows}{metric} ({self.procedure})"

    def _size(self) -> tuple[float, float]:
        rows = self._shown()
        return 5.0 + width_of(self._row_labels(rows)), 1.6 + 0.26 * len(rows)

    def _columns(self) -> dict[str, Any]:
        return {
            "metric": self.metrics,
            "a": self.a,
            "b": self.b,
            "estimate": self.estimates,
            "low": self.low,
            "high": self.high,
            "pvalue_adjusted": self.pvalues,
            "better": self.better,
            "rope": self.ropes,
        }

    def _draw(self, ax: Axes) -> None:
        rows = self._shown()
        for y, i in enumerate(rows):
            unit = self.units[i]
            marker, colour = LOOKS[self.better[i]]
            if self.ropes[i]:
                ax.fill_betweenx([y - 0.5, y + 0.5], -self.ropes[i] / unit, self.ropes[i] / unit, color=ROPE, lw=0)
            ax.plot([self.low[i] / unit, self.high[i] / unit], [y, y], color=colour, lw=1.6, solid_capstyle="butt")
            ax.plot(self.estimates[i] / unit, y, marker=marker, color=colour, ms=6)
            if lacks := self._lacks(i):
                place = 0.0 if np.isnan(self.estimates[i]) else self.estimates[i] / unit
                ax.annotate(lacks, (place, y), (6, 4), textcoords="offset points", fontsize="x-small")
        ax.axvline(0, color=ink(ax), lw=0.8, zorder=0.5)
        ax.set_ylim(len(rows) - 0.5, -0.5)
        left_out = f"; the {len(rows)} with the smallest p" if len(rows) < len(self.a) else ""
        name_rows(ax, range(len(rows)), self._row_labels(rows), f"{self._title()}{left_out}")
        scaled = "" if (self.units == 1).all() else ", in half widths of the interval"
        a, b = self._pair()
        ax.set_xlabel(
            f"difference with 95% interval{scaled}\n← {b} better    {a} better →\n"
            f"arrow: the better model is known, adjusted p < {ALPHA}"
        )

    def _pair(self) -> tuple[str, str]:
        """What a difference is of: the two models where there are no others."""
        if len(set(zip(self.a, self.b, strict=True))) > 1:
            return "first model", "second model"
        a, b = labels([self.a[0], self.b[0]], longest=18)
        return a, b

    def _lacks(self, i: int) -> str:
        """What a row has not."""
        if np.isnan(self.estimates[i]):
            return "no scores in common"
        return "" if np.isfinite(self.low[i]) and np.isfinite(self.high[i]) else "no interval"

    def _shown(self) -> list[int]:
        """The rows to draw, in their order."""
        first = np.argsort(self.pvalues, kind="stable")[:MAX_ROWS]
        return sorted(first.tolist())

    def _row_labels(self, rows: Sequence[int]) -> list[str]:
        models = list(dict.fromkeys([*self.a, *self.b]))
        known = dict(zip(models, labels(models, longest=18), strict=True))
        metrics = labels([self.metrics[i] for i in rows])
        if len(set(zip(self.a, self.b, strict=True))) == 1:
            return metrics
        pairs = [f"{known[self.a[i]]} - {known[self.b[i]]}" for i in rows]
        if len(set(self.metrics)) == 1:
            return pairs
        return [f"{metric}: {pair}" for metric, pair in zip(metrics, pairs, strict=True)]


def _better(row: ComparisonRow) -> str:
    """Which model the verdict of a row names; a median difference can be 0 where a test is not."""
    if not row.pvalue_adjusted < ALPHA:
        return ""
    return "a" if row.winner == row.a else "b"


def _units(metrics: Sequence[str], low: FloatArray, high: FloatArray) -> FloatArray:
    """1 where all metrics can share an axis, else half the width of each row's interval."""
    reach = np.fmax(np.abs(low), np.abs(high))
    by_metric = {metric: reach[[name == metric for name in metrics]] for metric in metrics}
    widest = [float(np.nanmax(values)) for values in by_metric.values() if np.isfinite(values).any()]
    widest = [width for width in widest if width > 0]
    half = (high - low) / 2
    if not widest or max(widest) <= COMPARABLE * min(widest):
        return np.ones(len(half))
    return np.where(half > 0, half, np.where(reach > 0, reach, 1.0))
