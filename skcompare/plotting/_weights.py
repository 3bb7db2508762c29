"""The winner of a weighted sum of metrics, for all weights: how much a choice of weights decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_metrics
from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.comparison.compare import Scores
from skcompare.comparison.weights import RANGE, winners_by_weights
from skcompare.plotting._display import Display
from skcompare.plotting._simplex import CORNERS
from skcompare.plotting._style import (
    BARE,
    COLOURS,
    inches,
    ink,
    labels,
    legend_in,
    look,
    narrow,
    paper,
    points,
    set_below,
    set_title,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST = 3  # metrics whose weights have a picture
HATCHES = ("", "//", "\\\\", "..", "xx")  # which tell regions of one colour from each other
GAP, CHARACTER, LINE, SMALLEST_FONT = 0.03, 0.62, 1.25, 4.0  # as in the triangle of `_simplex`


@dataclass(kw_only=True, eq=False, repr=False)
class WeightsDisplay(Display):
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
    winner: NDArray[np.intp]
    first: NDArray[np.intp]
    scaled: bool
    left_out: Sequence[str] = ()

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: Sequence[str] | None = None,
        scale: str | Mapping[str, float] = RANGE,
    ) -> Self:
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
        return cls(
            names=found.names,
            metrics=names,
            greater_is_better=[result.greater_is_better[result.metrics.index(metric)] for metric in names],
            units=found.units,
            share=found.share,
            weights=found.weights,
            winner=found.winner,
            first=found.first,
            scaled=not isinstance(scale, Mapping),
            left_out=found.left_out,
        )

    def _title(self) -> str:
        scale = "metrics scaled to their ranges" if self.scaled else "metrics scaled as given"
        lacking = f"; {len(self.left_out)} without scores left out" if self.left_out else ""
        winners = self._winners()
        if len(winners) == 1:
            said = f"{self._named([winners[0]], 24)[0]} has the greatest weighted sum for all weights"
        else:
            said = f"The weights choose among {len(winners)} models"
        return f"{said} (means, no test; {scale}{lacking})"

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
        if len(self.metrics) == MOST:
            self._draw_corners(ax)
        else:
            self._draw_line(ax)
        parts = [percent(float(self.share[i])) for i in winners] if len(winners) > 1 else ["100%"]
        texts = [f"{name}: {part}" for name, part in zip(self._named(winners), parts, strict=True)]
        title = "wins with this part\nof all weights"
        legend_in(ax, handles, texts, roomy=self._is_roomy(), title=title)
        set_title(ax, self._title(), beside=BARE if len(self.metrics) == MOST else 0.0)

    def _places(self, model: int) -> FloatArray:
        """The corners of a model's region in the picture: of two metrics those of a bar."""
        corners = self.weights[self.winner == model]
        if len(self.metrics) == MOST:
            return np.asarray(corners @ CORNERS)
        low, high = corners[:, 1].min(), corners[:, 1].max()
        return np.array([[low, 0], [high, 0], [high, 1], [low, 1]])

    def _draw_line(self, ax: Axes) -> None:
        ax.set(xlim=(0, 1), ylim=(0, 1), yticks=[])
        ax.spines[["top", "right", "left"]].set_visible(False)
        first, second = self._metric_names()
        set_below(ax, [f"weight of {second}", f"(the rest of 1 is that of {first})"])

    def _draw_corners(self, ax: Axes) -> None:
        """The names of the metrics at the corners, on which all weight is there."""
        side = 72 * min(inches(ax)[0] / (1 + 2 * GAP), inches(ax)[1] / (CORNERS[1, 1] + 0.3))
        texts = self._metric_names()
        font = max(SMALLEST_FONT, min(points("small"), 0.45 * side / CHARACTER / max(map(narrow, texts))))
        for text, (x, y), align in zip(texts, CORNERS, ("left", "center", "right"), strict=True):
            gap, above = (GAP, "bottom") if y else (-GAP, "top")
            ax.text(x, y + gap, text, ha=align, va=above, fontsize=font, color=ink(ax))
        room = GAP + LINE * font / side
        ax.set(aspect="equal", xlim=(-GAP, 1 + GAP), ylim=(-room, CORNERS[1, 1] + room), xticks=[], yticks=[])
        ax.set_axis_off()
        ax.set_anchor("W")  # the title begins above the triangle and needs the room to its right

    def _metric_names(self) -> list[str]:
        shown = labels(self.metrics, 22)
        return [
            f"{name} (per {unit:.3g}{'' if better else ' less'})"
            for name, unit, better in zip(shown, self.units, self.greater_is_better, strict=True)
        ]
