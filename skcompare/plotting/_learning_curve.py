"""Learning curves: the mean score of every model by the number of training samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_estimators, choose_metric
from skcompare._core.numbers import counted
from skcompare._core.validation import FloatArray
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.learning_curve import can_cross, compare_sizes, crossing
from skcompare.plotting._display import Display
from skcompare.plotting._style import ink, labels, legend_in, look, set_below, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.study import LearningCurveScores

MANY = 6  # models of which the bands are drawn
MOST_NAMED = 12


@dataclass(kw_only=True, eq=False, repr=False)
class LearningCurveDisplay(Display):
    """Mean scores by the number of training samples, with their intervals, and where differences are significant.

    Attributes
    ----------
    estimators : sequence of str of length n_estimators
        The models.
    sizes : sequence of int of length n_sizes
        Training samples.
    means, low, high : ndarray of shape (n_estimators, n_sizes)
        Mean scores, in the metric's own units, and the interval of each, for it alone; nan where there is none.
    significant : ndarray of bool of shape (n_estimators, n_sizes)
        Which models are significantly better than another one at a size, by p-values adjusted over all; of three or
        more than another one that is not the baseline.
    crossing : tuple of float, or None
        Of two models where the curves cross, and the ends of the interval; 0 and inf where it has no end here.
    metric : str
        What the scores are of.
    greater_is_better : bool
        Its direction.
    design : str
        The resampling in words.
    baseline : str or None
        The model that does not count in `significant`.
    """

    estimators: Sequence[str]
    sizes: Sequence[int]
    means: FloatArray
    low: FloatArray
    high: FloatArray
    significant: NDArray[np.bool_]
    crossing: tuple[float, float, float] | None
    metric: str
    greater_is_better: bool
    design: str = ""
    baseline: str | None = None

    @classmethod
    def from_result(
        cls,
        result: LearningCurveScores,
        *,
        metric: str | None = None,
        estimators: str | Sequence[str] | None = None,
    ) -> Self:
        """The curves of a learning curve.

        Parameters
        ----------
        result : LearningCurveResult
            What to show.
        metric : str, optional
            The first by default.
        estimators : str or sequence of str, optional
            Which, and in which order; all by default. Of two models the picture has their crossing.

        Returns
        -------
        LearningCurveDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown.
        """
        metric = choose_metric(metric, result.metrics)
        names = choose_estimators(estimators, result.estimators)
        own = {
            size: {row.model: (row.score, row.low, row.high) for row in score_intervals(one, metric)}
            for size, one in result.results.items()
        }
        values = np.array([[own[size][name] for size in result.sizes] for name in names], dtype=np.float64)
        rows = [row for row in compare_sizes(result) if row.metric == metric and {row.a, row.b} <= {*names}]
        baseline = result.largest.baseline if len(names) > 2 else None
        winners = {(row.winner, row.size) for row in rows if baseline not in (row.a, row.b)}
        m = result.metrics.index(metric)
        return cls(
            estimators=names,
            sizes=result.sizes,
            means=values[:, :, 0],
            low=values[:, :, 1],
            high=values[:, :, 2],
            significant=np.array([[(name, size) in winners for size in result.sizes] for name in names]),
            crossing=_crossing(result, metric, names),
            metric=metric,
            greater_is_better=result.largest.greater_is_better[m],
            design=result.largest.design.name,
            baseline=baseline,
        )

    def _title(self) -> str:
        return f"{labels([self.metric])[0]} of {counted(len(self.estimators), 'model')}, {self.design}"

    def _size(self) -> tuple[float, float]:
        return 8.4, 4.8

    def _columns(self) -> dict[str, Any]:
        n_models, n_sizes = self.means.shape
        return {
            "metric": self.metric,
            "estimator": np.repeat(np.array(self.estimators, dtype=object), n_sizes),
            "size": np.tile(self.sizes, n_models),
            **{name: getattr(self, name).ravel() for name in ("means", "low", "high", "significant")},
        }

    def _draw(self, ax: Axes) -> None:
        handles, texts = [], []
        for i, name in enumerate(labels(self.estimators)):
            style = look(i)
            if len(self.estimators) <= MANY:
                ax.fill_between(self.sizes, self.low[i], self.high[i], color=style["color"], alpha=0.12, lw=0)
            (line,) = ax.plot(self.sizes, self.means[i], **{**style, "marker": ""}, lw=1.8, zorder=2)
            for filled in (False, True):
                there = self.significant[i] == filled
                face = style["color"] if filled else "none"
                own = {"marker": style["marker"], "color": style["color"], "mfc": face, "ls": "", "ms": 6}
                ax.plot(np.array(self.sizes)[there], self.means[i][there], **own, zorder=3)
            if i < MOST_NAMED:
                handles.append(line)
                texts.append(name)
        more = len(self.estimators) - MOST_NAMED
        texts[-1] += f"\nand {counted(more, 'more model')}" if more > 0 else ""
        self._draw_crossing(ax, handles, texts)
        ax.set_xscale("log")
        self._name_sizes(ax)
        legend_in(ax, handles, texts, roomy=self._is_roomy())
        direction = f"{labels([self.metric])[0]} ({'more' if self.greater_is_better else 'less'} is better)"
        ax.set_ylabel(direction)
        other = "another model" if self.baseline is None else f"a model other than {labels([self.baseline])[0]}"
        marks = f"filled: significantly better than {other} at this size"
        bands = "; bands: 95% intervals" if len(self.estimators) <= MANY else ""
        set_below(ax, ["training samples", f"{marks}{bands}"])
        set_title(ax, self._title())
        ax.spines[["top", "right"]].set_visible(False)

    def _draw_crossing(self, ax: Axes, handles: list[Any], texts: list[str]) -> None:
        if self.crossing is None:
            return
        at, low, high = self.crossing
        ends = max(low, self.sizes[0]), min(high, self.sizes[-1])
        ax.axvspan(*ends, color=ink(ax), alpha=0.06, lw=0, zorder=0.5, gid="crossing interval")
        handles.append(ax.axvline(at, color=ink(ax), ls=(0, (2, 2)), lw=1, zorder=0.9, gid="crossing"))
        texts.append(f"crossing at {at:.0f}\nand its 95% interval")

    def _name_sizes(self, ax: Axes) -> None:
        """A tick at each size, named where there is room."""
        from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

        ax.xaxis.set_major_locator(FixedLocator(list(self.sizes)))
        ax.xaxis.set_minor_locator(NullLocator())
        ax.xaxis.set_minor_formatter(NullFormatter())
        span = np.log(self.sizes[-1] / self.sizes[0])
        shown, last = [], -1.0
        for size in self.sizes:
            place = float(np.log(size / self.sizes[0]) / span)
            shown.append(str(size) if place - last > 0.02 * (1 + len(str(size))) else "")
            last = place if shown[-1] else last
        ax.set_xticklabels(shown)


def _crossing(result: LearningCurveScores, metric: str, names: Sequence[str]) -> tuple[float, float, float] | None:
    """Where two models cross; None of more models, and where they do not."""
    if len(names) != 2 or not can_cross(result):
        return None
    try:
        found = crossing(result, metric, names[0], names[1])
    except ValueError:
        return None
    return (found.estimate, found.low, found.high) if found.located else None
