"""The Pareto front of two metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from skcompare._core.numbers import counted, percent, percent_of, short, uncertain
from skcompare._core.validation import BoolArray, FloatArray, Names, Positions, choose_metrics
from skcompare.comparison.cases import TIMES, Rope, by_cluster, times_of, typical_times
from skcompare.comparison.compare import level
from skcompare.comparison.dominance import default_metrics, of_cases
from skcompare.comparison.dominance import front as pareto_front
from skcompare.comparison.means import labels_of, less_is_better, shown_score, winners_by_weights
from skcompare.comparison.table import Scores
from skcompare.evaluation.metrics.scoring import COST_METRICS, COUNTED_COSTS
from skcompare.inference import correlated_t_posterior
from skcompare.inference._records import Correction
from skcompare.inference.dominance.weights import RANGE
from skcompare.plotting._display import READABLE, Display, inches
from skcompare.plotting._dominance import two_metrics
from skcompare.plotting._posterior import CORNERS, TriangleDisplay
from skcompare.plotting._style import COLOURS, LONGEST, Axes, ink, labels, look, paper, width_of
from skcompare.scores.study import StudyScores

# Costs that span more than this factor are drawn on a logarithmic axis.
MANY_TIMES = 20.0
ROWS = 40  # of the legend, those of the models that are most probably on the front
SHORT, BESIDE = 16, 0.56  # of the legend of small axes: characters of names, part of their height for its letters


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
        Over the splits or data sets that all models have scores of, in the metric's own units, a loss of scikit-learn's
        without its sign; times of splits are medians over the repeats first.
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
    overlap; the probabilities allow for that. The legend has each model's marker, those on the front first.
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

    _edges = ("left", "bottom", "right", "top")

    @classmethod
    def from_result(cls, result: Scores, *, metrics: Names = None, margin: Rope = None) -> Self:
        """The models of a result on two metrics.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : sequence of str, optional
            Exactly two; the first two by default.
        margin : float or mapping of metric to float, optional
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
        names = two_metrics(metrics or default_metrics(result)[:2], result.metrics)
        front = pareto_front(result, metrics=names, rope=margin)
        # times of folds are compared by ratios, unless a tie is given in seconds
        given = {*margin} if isinstance(margin, Mapping) else set()
        ratios = [not isinstance(result, StudyScores) and one in {*times_of(result)} - given for one in names]
        values = result if isinstance(result, StudyScores) else of_cases(result, names)[0]
        if not isinstance(values, StudyScores) and values.design.kind == "items":
            values, _ = by_cluster(values)
        confidence_level = 1 - level(result)
        costs = (*COST_METRICS, *COUNTED_COSTS)
        means, low, high = _posterior(values, front.names, names, ratios, confidence_level)
        spans = zip(names, MANY_TIMES * means.min(axis=0), means.max(axis=0), strict=True)
        return cls(
            names=front.names,
            metrics=labels_of(names),
            greater_is_better=_directions(result, names),
            averages=["geometric mean" if ratio else "mean" for ratio in ratios],
            means=means,
            low=low,
            high=high,
            on_front=front.on_front,
            probabilities=front.probabilities,
            log=[name in costs and bool(0 < often < most) for name, often, most in spans],
            left_out=[name for name in result.estimators if name not in front.names],
            single_run=not isinstance(result, StudyScores) and Correction.of(result.design).overlap < 1,
            confidence_level=confidence_level,
        )

    def _title(self) -> str:
        return f"Pareto front: {int(self.on_front.sum())} of {counted(len(self.names), 'model')}"

    def _notes(self) -> Sequence[str]:
        whole = ", all of the correction, of which probabilities take 0.4" if self.single_run else ""
        said = f"filled: on the front; bars: {percent_of(self.confidence_level)} credible intervals{whole}"
        if not np.isfinite(self.low).any():
            said = "filled: on the front; no intervals and probabilities: too few cases"
        return [said, *_lacking(self.left_out)]

    def _size(self) -> tuple[float, float]:
        return 6.0 + 0.75 * width_of(self._legend_lines()), max(4.6, 1.9 + 0.17 * min(len(self.names), ROWS))

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"model": self.names}
        for j, metric in enumerate(self.metrics):
            columns |= {metric: self.means[:, j], f"{metric} low": self.low[:, j], f"{metric} high": self.high[:, j]}
        return {**columns, "on_front": self.on_front, "probability": self.probabilities}

    def _draw(self, ax: Axes) -> None:
        self._set_axes(ax)
        points = []
        for i, (x, y) in enumerate(self.means):
            style = {**look(i), "linestyle": "", "ms": 7, "zorder": 4 if self.on_front[i] else 3}
            thin: dict[str, Any] = {"color": style["color"], "lw": 0.9, "alpha": 0.6, "zorder": 1}
            ax.plot([self.low[i, 0], self.high[i, 0]], [y, y], **thin)
            ax.plot([x, x], [self.low[i, 1], self.high[i, 1]], **thin)
            points += ax.plot(x, y, mfc=style["color"] if self.on_front[i] else paper(ax), **style)
        ax.plot(*self._staircase(ax).T, color=ink(ax), lw=1.6, zorder=2)
        self._add_probabilities(ax, [points[i] for i in self._order()])

    def _set_axes(self, ax: Axes) -> None:
        said = []
        for j, axis in enumerate(("x", "y")):
            ax.set(**{f"{axis}scale": "log" if self.log[j] else "linear", f"{axis}lim": self._limits(j)})
            name = labels([self.metrics[j]])[0]
            unit = " in seconds" if self.metrics[j] in TIMES else ""
            better = "better\u00a0→" if self.greater_is_better[j] else "←\u00a0better"
            said.append(f"{self.averages[j]} {name}{unit} ({better})")
        self._label_axes(ax, said[:1], said[1:])

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
        ends = (np.array([ax.get_xlim(), ax.get_ylim()]) * sign[:, None]).min(axis=1)
        corners: list[Any] = []
        best = ends[1]
        for x, y in points[np.lexsort((-points[:, 1], -points[:, 0]))]:  # the best on the first metric comes first
            if y > best or not corners:
                corners += [(x, best), (x, y)]
                best = y
        return np.array([*corners, (ends[0], best)]) * sign

    def _order(self) -> list[int]:
        """The models on the front first, then by their probability."""
        return [int(i) for i in np.lexsort((-np.nan_to_num(self.probabilities), ~self.on_front))]

    def _legend_lines(self, longest: int = LONGEST) -> list[str]:
        names = labels(self.names, longest)
        return [f"{names[i]}: {percent(uncertain(float(self.probabilities[i])))}" for i in self._order()]

    def _add_probabilities(self, ax: Axes, handles: Sequence[Any]) -> None:
        lines = self._legend_lines(LONGEST if self._roomy_ else SHORT)
        by_height = 72.0 if self._roomy_ else 72 * BESIDE * inches(ax)[1] / len(lines)
        font = max(READABLE, min(self._points("small"), by_height))
        own: dict[str, Any] = {"models": range(len(lines)), "part": BESIDE, "most": ROWS}
        own |= {"borderaxespad": 0, "labelspacing": 0.3, "handletextpad": 0.2, "alignment": "left"}
        self._add_legend(handles, lines, "probability of being\non the front", fontsize=font, **own)


def _directions(result: Scores, metrics: Sequence[str]) -> list[bool]:
    """Whether more is better in what is shown of each metric."""
    return [not less_is_better(name, result.greater_is_better[result.metrics.index(name)]) for name in metrics]


def _lacking(left_out: Sequence[str]) -> list[str]:
    return [f"left out: {counted(len(left_out), 'model')} without scores"] if left_out else []


def _posterior(
    result: Any, models: Sequence[str], metrics: Sequence[str], ratios: Sequence[bool], confidence_level: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Means and their intervals, each of shape (n_models, 2), each mean for itself."""
    scores = np.array([[_case_scores(result, model, metric) for metric in metrics] for model in models])
    scores = scores[:, :, np.isfinite(scores).all(axis=(0, 1))]
    fraction = 0.0 if isinstance(result, StudyScores) else result.design.test_fraction
    found = np.empty((len(models), 2, 3))
    for (i, j), ratio in zip(np.ndindex(len(models), 2), [*ratios] * len(models), strict=True):
        values = np.log(np.maximum(scores[i, j], np.finfo(np.float64).tiny)) if ratio else scores[i, j]
        posterior = correlated_t_posterior(values, np.zeros_like(values), test_fraction=fraction)
        interval = posterior.interval(confidence_level)
        found[i, j] = posterior.mean, interval.low, interval.high
        found[i, j] = np.exp(found[i, j]) if ratio else found[i, j]
    return found[..., 0], found[..., 1], found[..., 2]


def _case_scores(result: Scores, estimator: str, metric: str) -> FloatArray:
    """Scores in the metric's own units, the time of a fold as its median over the repeats."""
    if isinstance(result, StudyScores):
        return shown_score(metric, np.asarray(result.means(metric)[:, result.estimators.index(estimator)]))
    scores = shown_score(metric, np.asarray(result.score(estimator, metric)))
    return typical_times(scores, result.design.n_folds) if metric in times_of(result) else scores


# The winner of a weighted sum of metrics, for all weights: how much a choice of weights decides.


MOST = 3  # metrics whose weights have a picture
HATCHES = ("", "//", "\\\\", "..", "xx")  # which tell regions of one colour from each other


class WeightsDisplay(TriangleDisplay):
    """Which model has the greatest weighted sum of its means, for all weights of two or three metrics.

    Two metrics are a line from all weight on the first to all on the second, three a triangle with all weight on one
    of them at each corner. A model that wins for all weights is the best one on every metric: its means dominate. Where
    the regions of several models share the picture, whoever chooses weights chooses the model. It describes means: no
    difference is tested.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models that have scores of every metric.
    metrics : sequence of str
        Two or three.
    greater_is_better : sequence of bool
        Direction of each metric; where less is better a smaller mean adds more to the sum.
    units : ndarray of shape (n_metrics,)
        The difference on each metric that counts as 1: the range of the models' means, or what was given as `scale`.
    share : ndarray of shape (n_models,)
        The part of all weights with which each model wins, all weights counted alike; models with the same means win
        together.
    weights : ndarray of shape (n_vertices, n_metrics)
        The corners of the regions in which a model wins, each row summing to 1.
    winner : ndarray of int of shape (n_vertices,)
        The model whose region each is a corner of; of several with the same means the first.
    first : ndarray of int of shape (n_models,)
        The first model with the same means; its own place where there is none.
    scaled : bool
        Whether the units are the ranges of these models' means, so that another model would change them.
    left_out : sequence of str
        Models without scores of a metric.
    """

    names: Sequence[str]
    metrics: Sequence[str]
    greater_is_better: Sequence[bool]
    units: FloatArray
    share: FloatArray
    weights: FloatArray
    winner: Positions
    first: Positions
    scaled: bool
    left_out: Sequence[str] = ()

    @classmethod
    def from_result(cls, result: Scores, *, metrics: Names = None, scale: str | Mapping[str, float] = RANGE) -> Self:
        """The winners of the weighted sums of a result's or a study's means.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : sequence of str, optional
            Two or three; the first three, or both, by default.
        scale : {"range"} or mapping of metric to float, default="range"
            Metrics are added on one scale, and it decides like the weights do. By default a metric's worst mean of
            these models is 0 and its best is 1; a mapping gives the difference that counts as 1 on each metric, such as
            ``{"accuracy": 0.01, "fit_time": 1.0}`` where a hundredth is worth a second.

        Returns
        -------
        WeightsDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If there are not two or three metrics, the scale does not fit them, or fewer than two models have scores.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import WeightsDisplay
        >>> table = {"dataset": ["iris"] * 6, "model": ["nb", "tree", "knn"] * 2,
        ...          "metric": ["accuracy"] * 3 + ["fit_time"] * 3,
        ...          "score": [0.90, 0.94, 0.96, 0.1, 0.2, 0.5]}
        >>> study = StudyResult.from_frame(table)
        >>> display = WeightsDisplay.from_result(study)
        >>> [(name, round(float(part), 2)) for name, part in zip(display.names, display.share)]
        [('nb', 0.27), ('tree', 0.42), ('knn', 0.31)]
        >>> display = WeightsDisplay.from_result(study, scale={"accuracy": 0.01, "fit_time": 1})
        >>> [(name, round(float(part), 2)) for name, part in zip(display.names, display.share)]
        [('nb', 0.02), ('tree', 0.11), ('knn', 0.87)]
        """
        chosen = choose_metrics(metrics, result.metrics)
        names = chosen[:MOST] if metrics is None else chosen
        if not 2 <= len(names) <= MOST:
            raise ValueError(f"metrics must name two metrics, or three; got {', '.join(map(repr, names))}")
        found = winners_by_weights(result, names, scale)
        known = ("names", "units", "share", "weights", "winner", "first", "left_out")
        return cls(
            metrics=labels_of(names),
            greater_is_better=_directions(result, names),
            scaled=not isinstance(scale, Mapping),
            **{name: getattr(found, name) for name in known},
        )

    def _title(self) -> str:
        winners = self._winners()
        if len(winners) == 1:
            return f"{self._named([winners[0]], 24)[0]} has the greatest weighted sum for all weights"
        return f"The weights choose among {len(winners)} models"

    def _notes(self) -> Sequence[str]:
        scale = "metrics scaled to their ranges" if self.scaled else "metrics scaled as given"
        return [f"means, no test; {scale}", *_lacking(self.left_out)]

    def _size(self) -> tuple[float, float]:
        return (8.4, 5.0) if len(self.metrics) == MOST else (8.4, max(2.8, 1.6 + 0.19 * len(self._winners())))

    def _columns(self) -> dict[str, Any]:
        rows: list[tuple[str, float, FloatArray]] = []
        for name, part, first in zip(self.names, self.share, self.first, strict=True):
            corners = self.weights[self.winner == first] if part > 0 else np.full((1, len(self.metrics)), np.nan)
            rows += [(name, float(part), corner) for corner in corners]
        columns: dict[str, Any] = {"model": [name for name, _, _ in rows], "share": [part for _, part, _ in rows]}
        return columns | {f"weight of {name}": [row[2][k] for row in rows] for k, name in enumerate(self.metrics)}

    def _winners(self) -> list[int]:
        """The models that win somewhere, those with most weights first; of several with the same means the first."""
        own = np.flatnonzero((self.share > 0) & (self.first == np.arange(len(self.names))))
        return [int(i) for i in own[np.argsort(-self.share[own], kind="stable")]]

    def _named(self, models: Sequence[int], longest: int = 28) -> list[str]:
        """Names of models, with how many others have the same means."""
        shown = labels([self.names[i] for i in models], longest)
        alike = [int(np.count_nonzero(self.first == i)) - 1 for i in models]
        return [f"{name} (= {n} more)" if n else name for name, n in zip(shown, alike, strict=True)]

    def _draw(self, ax: Axes) -> None:
        from matplotlib.patches import Polygon

        handles, winners = [], self._winners()
        for i in winners:
            style = {"facecolor": look(i)["color"], "edgecolor": paper(ax), "linewidth": 1.0}
            shape = Polygon(self._places(i), hatch=HATCHES[i // len(COLOURS) % len(HATCHES)], **style)
            handles.append(ax.add_patch(shape))
        known = zip(labels(self.metrics, 22), self.units, self.greater_is_better, strict=True)
        metrics = [f"{name} (per {short(unit)}{'' if better else ' less'})" for name, unit, better in known]
        if len(self.metrics) == MOST:
            self._draw_corners(ax, metrics)
        else:
            ax.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
            ax.spines["bottom"].set_visible(True)
            self._label_axes(ax, [f"weight of {metrics[1]}", f"(the rest of 1 is that of {metrics[0]})"])
        parts = [percent(float(self.share[i])) for i in winners] if len(winners) > 1 else ["100%"]
        texts = [f"{name}: {part}" for name, part in zip(self._named(winners), parts, strict=True)]
        self._add_legend(handles, texts, "wins with this part\nof all weights")

    def _places(self, model: int) -> FloatArray:
        """The corners of a model's region in the picture: of two metrics those of a bar."""
        corners = self.weights[self.winner == model]
        if len(self.metrics) == MOST:
            return np.asarray(corners @ CORNERS)
        low, high = corners[:, 1].min(), corners[:, 1].max()
        return np.array([[low, 0], [high, 0], [high, 1], [low, 1]])
