"""The Pareto front of two metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent, percent_of
from skcompare._core.validation import FloatArray
from skcompare._core.words import counted
from skcompare.comparison.compare import Scores, level
from skcompare.comparison.front import front as pareto_front
from skcompare.comparison.front import of_cases
from skcompare.comparison.joint import TIMES, by_cluster, times_of, typical_times
from skcompare.comparison.measures import has_sample_values, is_mean
from skcompare.evaluation._scoring import COST_METRICS, COUNTED_COSTS
from skcompare.inference import correlated_t_posterior
from skcompare.inference._overlap import Correction
from skcompare.plotting._display import Display
from skcompare.plotting._placement import place_labels
from skcompare.plotting._statements import two_metrics
from skcompare.plotting._style import (
    BETTER,
    LONGEST,
    NEUTRAL,
    PER_INCH,
    add_legend,
    inches,
    ink,
    labels,
    paper,
    points,
    set_title,
    width_of,
    wrapped,
)
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BoolArray = NDArray[np.bool_]
# Costs that span more than this factor are drawn on a logarithmic axis.
MANY_TIMES = 20.0
# More models, or longer names, have numbers at their points instead of names.
MOST_NAMES, LONGEST_AT_POINT = 10, 16
ROWS = 40
SHORT, SMALL_FONT = 16, 6.0  # names in the legend of small axes, and its letters in points
# Inches: height of a line of small print, and half the side of the square that a marker takes.
LINE = 0.15
MARKER = 0.06
LETTER = 0.08


@dataclass(kw_only=True, eq=False, repr=False)
class ParetoDisplay(Display):
    """Models in the plane of two metrics, and the front of those that no other one dominates.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models that have scores of both metrics.
    metrics : sequence of str of length 2
        The metric of the horizontal and of the vertical axis.
    greater_is_better : sequence of bool of length 2
        Direction of each metric.
    averages : sequence of str of length 2
        What `means` are: ``"mean"``, or ``"geometric mean"`` for the times of one data set, which are compared by
        their ratios.
    means : ndarray of shape (n_models, 2)
        Over the splits or data sets that all models have scores of, in the metric's own units; times of splits are
        medians over the repeats first.
    low, high : ndarray of shape (n_models, 2)
        Credible intervals at `confidence_level` of each mean alone, with the correction of `corrected_t_test`, also on
        a single run, of which the probabilities take 0.4 as `pareto_front` does; nan with a single case.
    on_front : ndarray of bool of shape (n_models,)
        Whether no other model dominates this one on the means.
    probabilities : ndarray of shape (n_models,)
        Posterior probability that no other model dominates this one, in [0, 1]; nan with a single case.
    log : sequence of bool of length 2
        Which axes are logarithmic: times and sizes that differ by more than a factor of 20.
    left_out : sequence of str
        Models without scores of a metric.
    single_run : bool
        Whether the cases are the folds of one run.
    confidence_level : float
        Of `low` and `high`.

    Notes
    -----
    Models share their splits or data sets, so two of them can be significantly different although their intervals
    overlap; the probabilities allow for that. More than 10 models, or long names, have numbers at their points that are
    explained beside the axes.
    """

    names: Sequence[str]
    metrics: Sequence[str]
    greater_is_better: Sequence[bool]
    averages: Sequence[str]
    means: FloatArray
    low: FloatArray
    high: FloatArray
    on_front: BoolArray
    probabilities: FloatArray
    log: Sequence[bool]
    left_out: Sequence[str] = ()
    single_run: bool = False
    confidence_level: float = 0.95

    @classmethod
    def from_result(
        cls, result: Scores, *, metrics: Sequence[str] | None = None, rope: float | Mapping[str, float] | None = None
    ) -> Self:
        """The models of a result on two metrics.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : sequence of str, optional
            Exactly two; the first two by default.
        rope : float or mapping of metric to float, optional
            Largest difference, in score units, that is a tie, as in `EvaluationResult.pareto_front`.

        Returns
        -------
        ParetoDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If there are not exactly two metrics, and as `pareto_front`.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import ParetoDisplay
        >>> table = {"dataset": ["iris", "wine"] * 6, "model": (["nb"] * 2 + ["tree"] * 2 + ["knn"] * 2) * 2,
        ...          "metric": ["accuracy"] * 6 + ["fit_time"] * 6,
        ...          "score": [0.95, 0.97, 0.94, 0.90, 0.96, 0.99, 0.1, 0.2, 0.3, 0.2, 0.4, 0.5]}
        >>> display = ParetoDisplay.from_result(StudyResult.from_frame(table))
        >>> [name for name, on in zip(display.names, display.on_front) if on]
        ['nb', 'knn']
        """
        names = two_metrics(metrics or _default_metrics(result), result.metrics)
        front = pareto_front(result, metrics=names, rope=rope)
        ratios = [_by_ratio(result, metric, rope) for metric in names]
        values = result if isinstance(result, StudyScores) else of_cases(result, names)[0]
        if not isinstance(values, StudyScores) and values.design.kind == "items":
            values, _ = by_cluster(values)
        confidence_level = 1 - level(result)
        means, low, high = _posterior(values, front.names, names, ratios, confidence_level)
        return cls(
            names=front.names,
            metrics=names,
            greater_is_better=[result.greater_is_better[result.metrics.index(metric)] for metric in names],
            averages=["geometric mean" if ratio else "mean" for ratio in ratios],
            means=means,
            low=low,
            high=high,
            on_front=front.on_front,
            probabilities=front.probabilities,
            log=[_spans_much(metric, means[:, j]) for j, metric in enumerate(names)],
            left_out=[name for name in result.estimators if name not in front.names],
            single_run=not isinstance(result, StudyScores) and Correction.of(result.design).overlap < 1,
            confidence_level=confidence_level,
        )

    def _title(self) -> str:
        lacking = f"; {len(self.left_out)} without scores left out" if self.left_out else ""
        front = f"Pareto front: {int(self.on_front.sum())} of {counted(len(self.names), 'model')}"
        if not np.isfinite(self.low).any():
            return f"{front} (no intervals and probabilities: too few cases{lacking})"
        whole = ", all of the correction, of which probabilities take 0.4" if self.single_run else ""
        return f"{front} (bars: {percent_of(self.confidence_level)} credible intervals{whole}{lacking})"

    def _size(self) -> tuple[float, float]:
        return 5.6 + self._legend_width(), max(4.6, 1.9 + 0.145 * min(len(self.names), ROWS))

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"model": self.names}
        for j, metric in enumerate(self.metrics):
            columns |= {metric: self.means[:, j], f"{metric} low": self.low[:, j], f"{metric} high": self.high[:, j]}
        return {**columns, "on_front": self.on_front, "probability": self.probabilities}

    def _draw(self, ax: Axes) -> None:
        self._set_axes(ax)
        for i, (x, y) in enumerate(self.means):
            colour, face = (BETTER, BETTER) if self.on_front[i] else (NEUTRAL, paper(ax))
            thin: dict[str, Any] = {"color": colour, "lw": 0.9, "alpha": 0.6, "zorder": 1}
            ax.plot([self.low[i, 0], self.high[i, 0]], [y, y], **thin)
            ax.plot([x, x], [self.low[i, 1], self.high[i, 1]], **thin)
            zorder = 4 if self.on_front[i] else 3
            ax.plot(x, y, marker="o", ms=6, color=colour, markerfacecolor=face, ls="", zorder=zorder)
        ax.plot(*self._staircase(ax).T, color=BETTER, lw=1.6, zorder=2)
        self._name_points(ax)
        self._add_legend(ax)
        set_title(ax, self._title())

    def _set_axes(self, ax: Axes) -> None:
        for j, axis in enumerate(("x", "y")):
            ax.set(**{f"{axis}scale": "log" if self.log[j] else "linear", f"{axis}lim": self._limits(j)})
            name = labels([self.metrics[j]])[0]
            unit = " in seconds" if self.metrics[j] in TIMES else ""
            better = "better \N{RIGHTWARDS ARROW}" if self.greater_is_better[j] else "\N{LEFTWARDS ARROW} better"
            said = wrapped(f"{self.averages[j]} {name}{unit} ({better})", int(PER_INCH * inches(ax)[j]))
            ax.set(**{f"{axis}label": said})

    def _limits(self, j: int) -> tuple[float, float]:
        """Limits of an axis that hold the intervals; on a logarithmic one those that are not positive leave it."""
        values = np.concatenate([self.means[:, j], self.low[:, j], self.high[:, j]])
        values = values[np.isfinite(values) & ((values > 0) | (not self.log[j]))]
        if self.log[j]:
            values = values[values >= self.means[:, j].min() / 10]
            return float(values.min() / 1.4), float(values.max() * 1.4)
        margin = 0.06 * float(np.ptp(values)) or 0.05 * max(abs(float(values[0])), 1.0)
        return float(values.min()) - margin, float(values.max()) + margin

    def _staircase(self, ax: Axes) -> FloatArray:
        """The edge of what the front dominates, from one end of the axes to the other."""
        sign = np.where(self.greater_is_better, 1.0, -1.0)
        points = (self.means * sign)[self.on_front]
        if not len(points):
            return np.empty((0, 2))
        limits = np.array([ax.get_xlim(), ax.get_ylim()])
        ends = (limits * sign[:, None]).min(axis=1)
        corners: list[Any] = []
        best = ends[1]
        for x, y in points[np.lexsort((-points[:, 1], -points[:, 0]))]:  # the best on the first metric comes first
            if y > best or not corners:
                corners += [(x, best), (x, y)]
                best = y
        return np.array([*corners, (ends[0], best)]) * sign

    def _name_points(self, ax: Axes) -> None:
        """Names or numbers near their points, with a line to those that had to go far."""
        from matplotlib.patheffects import withStroke

        order = self._order()
        texts = self._marks()
        to_axes = ax.transScale + ax.transLimits
        room = self._room(ax)
        points = to_axes.transform(self.means[order]) * room
        font, scale = ("x-small", 0.83) if self._numbered() else ("small", 1.0)
        sizes = np.array([(LETTER * len(texts[i]) + 0.04, LINE) for i in order]) * scale
        places = place_labels(points, sizes, room, MARKER)
        for i, point, size, place in zip(order, points, sizes, places, strict=True):
            if place is None:
                continue
            x, y = to_axes.inverted().transform(np.array(place) / room)
            text = ax.text(x, y, texts[i], ha="center", va="center", fontsize=font, zorder=5)
            text.set_path_effects([withStroke(linewidth=2, foreground=paper(ax))])
            if np.hypot(*(np.array(place) - point)) > 1.15 * np.hypot(*(MARKER + size / 2)):
                ax.plot([self.means[i, 0], x], [self.means[i, 1], y], color=ink(ax), lw=0.4, zorder=1.5)

    def _room(self, ax: Axes) -> tuple[float, float]:
        """Inches that the axes will at least have when a layout has made room for the words around them."""
        box = ax.get_window_extent()
        width, height = box.width / ax.figure.dpi, box.height / ax.figure.dpi
        if ax.figure.get_layout_engine() is not None:
            width, height = max(1.0, 1.05 * width - self._legend_width()), 0.95 * height
        return width, height

    def _order(self) -> list[int]:
        """The models on the front first, then by their probability."""
        return [int(i) for i in np.lexsort((-np.nan_to_num(self.probabilities), ~self.on_front))]

    def _numbered(self) -> bool:
        return len(self.names) > MOST_NAMES or max(map(len, self.names)) > LONGEST_AT_POINT

    def _marks(self) -> list[str]:
        """What stands at the points: names, or places in the legend."""
        if not self._numbered():
            return labels(self.names)
        places = {i: str(place) for place, i in enumerate(self._order(), start=1)}
        return [places[i] for i in range(len(self.names))]

    def _legend_lines(self, longest: int = LONGEST) -> list[str]:
        names, marks = labels(self.names, longest), self._marks()
        shown = [f"{mark}  {name}" for mark, name in zip(marks, names, strict=True)] if self._numbered() else names
        return [f"{shown[i]}: {percent(float(self.probabilities[i]))}" for i in self._order()]

    def _legend_columns(self) -> int:
        return ceil(len(self.names) / ROWS)

    def _legend_width(self) -> float:
        return self._legend_columns() * (0.4 + 0.6 * width_of(self._legend_lines()))

    def _add_legend(self, ax: Axes) -> None:
        from matplotlib.lines import Line2D

        handles = [
            Line2D([], [], ls="", marker="o", ms=5, color=BETTER if on else NEUTRAL, mfc=BETTER if on else paper(ax))
            for on in self.on_front[self._order()]
        ]
        title: dict[str, Any] = {
            "title": "probability of being\non the front",
            "title_fontsize": "small" if self._is_roomy() else SMALL_FONT,
        }
        close: dict[str, Any] = {"borderaxespad": 0, "labelspacing": 0.3, "handletextpad": 0.2, "alignment": "left"}
        roomy, n = self._is_roomy(), self._legend_columns()
        lines = self._legend_lines(LONGEST if roomy else SHORT)
        font = points("x-small") if roomy else min(points("x-small"), 60 * inches(ax)[1] / len(lines) / 1.5, SMALL_FONT)
        add_legend(ax, handles, lines, ncols=n, fontsize=font, **title, **close)


def _default_metrics(result: Scores) -> Sequence[str] | None:
    """Of one test set two metrics that are means over its samples, where there are two."""
    if isinstance(result, StudyScores) or result.design.kind != "samples":
        return None
    means = [name for name in result.metrics if has_sample_values(result, name) or is_mean(result, name)]
    return means[:2] if len(means) > 1 else None


def _by_ratio(result: Scores, metric: str, rope: float | Mapping[str, float] | None) -> bool:
    """Whether the front compares a metric by ratios: times of folds, unless a tie is given in seconds."""
    given = isinstance(rope, Mapping) and metric in rope
    return not isinstance(result, StudyScores) and metric in times_of(result) and not given


def _spans_much(metric: str, means: FloatArray) -> bool:
    return metric in (*COST_METRICS, *COUNTED_COSTS) and 0 < MANY_TIMES * float(means.min()) < float(means.max())


def _posterior(
    result: Any, models: Sequence[str], metrics: Sequence[str], ratios: Sequence[bool], confidence_level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means and their intervals, each of shape (n_models, 2), each mean for itself."""
    scores = np.array([[_case_scores(result, model, metric) for metric in metrics] for model in models])
    scores = scores[:, :, np.isfinite(scores).all(axis=(0, 1))]
    fraction = 0.0 if isinstance(result, StudyScores) else result.design.test_fraction
    found = np.array(
        [[_interval(scores[i, j], fraction, ratios[j], confidence_level) for j in range(2)] for i in range(len(models))]
    )
    return found[..., 0], found[..., 1], found[..., 2]


def _case_scores(result: Scores, estimator: str, metric: str) -> FloatArray:
    """Scores in the metric's own units, the time of a fold as its median over the repeats."""
    if isinstance(result, StudyScores):
        return np.asarray(result.means(metric)[:, result.estimators.index(estimator)])
    scores = np.asarray(result.score(estimator, metric))
    return typical_times(scores, result.design.n_folds) if metric in times_of(result) else scores


def _interval(scores: FloatArray, fraction: float, ratio: bool, confidence_level: float) -> FloatArray:
    """Mean, lower and upper limit."""
    values = np.log(np.maximum(scores, np.finfo(np.float64).tiny)) if ratio else scores
    posterior = correlated_t_posterior(values, np.zeros_like(values), test_fraction=fraction)
    interval = posterior.interval(confidence_level)
    found = np.array([posterior.mean, interval.low, interval.high])
    return np.exp(found) if ratio else found
