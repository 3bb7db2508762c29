"""Calibration curves: whether what a model calls 30% happens in 30% of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_estimators
from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.comparison.cases import read_shown
from skcompare.comparison.rates import confusion_matrices
from skcompare.comparison.reliability import kept_probability
from skcompare.inference import proportion_interval, reliability_points
from skcompare.inference.curves.reliability import Strategy
from skcompare.plotting import _matrix
from skcompare.plotting._display import Display
from skcompare.plotting._style import inches, ink, labels, legend_in, look, points, set_below, set_title, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.evaluation import EvaluationScores


MOST = 10  # models
FEW = 3  # models up to which the intervals are drawn
ROOM_ABOVE = 1.65  # height of small axes, for a legend within
SMALLEST, LARGEST = 12.0, 90.0  # areas of markers in square points


@dataclass(kw_only=True, eq=False, repr=False)
class ReliabilityDisplay(Display):
    """Calibration curves (reliability diagram) of several models, with their calibration errors.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models.
    predicted, observed : sequence of ndarray of shape (n_bins,)
        Per model: mean probability and share of positive samples in each bin that is not empty.
    low, high : sequence of ndarray of shape (n_bins,)
        95% Wilson intervals of the shares, each for its own bin. Those of up to three models are drawn.
    counts : sequence of ndarray of int of shape (n_bins,)
        Number of samples in each bin; the area of a point grows with it.
    errors : ndarray of shape (n_models,)
        Expected calibration error of each model.
    brier : ndarray of shape (n_models,)
        Brier score of each model.
    positive : str
        The positive class, as Python writes it.
    samples : str
        How many samples there are, and of which design.
    n_known : int
        Number of models of the result.
    """

    names: Sequence[str]
    predicted: Sequence[FloatArray]
    observed: Sequence[FloatArray]
    low: Sequence[FloatArray]
    high: Sequence[FloatArray]
    counts: Sequence[Any]
    errors: FloatArray
    brier: FloatArray
    positive: str
    samples: str
    n_known: int

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        estimators: str | Sequence[str] | None = None,
        n_bins: int = 10,
        strategy: Strategy = "uniform",
        positive: Any = None,
    ) -> Self:
        """The calibration curves of a result's models, for one class.

        Parameters
        ----------
        result : EvaluationScores
            With probabilities: ``"neg_brier_score"`` or ``"neg_log_loss"`` in `scoring` keeps them.
        estimators : str or sequence of str, optional
            The models to draw, at most ten; all by default, of more than ten the first ten.
        n_bins : int, default=10
            Number of bins, at least 1.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width, or with about equal numbers of samples.
        positive : label, optional
            The class, as in `EvaluationResult.reliability`.

        Returns
        -------
        ReliabilityDisplay
            Not drawn yet; of the test sets of the first repeat, or of the first of overlapping ones.

        Raises
        ------
        ValueError
            If a name is unknown or there are too many, an option is out of range, `positive` is no class, or the
            probabilities were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.plotting import ReliabilityDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> ReliabilityDisplay.from_result(result, n_bins=5).errors.round(3).tolist()
        [0.15, 0.167]
        """
        names = choose_estimators(result.estimators[:MOST] if estimators is None else estimators, result.estimators)
        if len(names) > MOST:
            raise ValueError(f"estimators must name at most {MOST} models; got {len(names)}")
        found = read_shown(result, names, against_rest=True, positive=positive)
        curves = [
            reliability_points(
                found.is_positive, kept_probability(found, name), n_bins=n_bins, strategy=strategy, positive=True
            )
            for name in names
        ]
        limits = [
            [
                proportion_interval(round(share * n), n)
                for share, n in zip(curve.observed, curve.counts.tolist(), strict=True)
            ]
            for curve in curves
        ]
        return cls(
            names=names,
            predicted=[curve.predicted for curve in curves],
            observed=[curve.observed for curve in curves],
            low=[np.array([interval.low for interval in of_model]) for of_model in limits],
            high=[np.array([interval.high for interval in of_model]) for of_model in limits],
            counts=[curve.counts for curve in curves],
            errors=np.array([curve.calibration_error for curve in curves]),
            brier=np.array([curve.brier for curve in curves]),
            positive=repr(found.positive),
            samples=found.said,
            n_known=len(result.estimators),
        )

    def _title(self) -> str:
        chosen = "" if len(self.names) == self.n_known else f", {len(self.names)} of {self.n_known} models"
        return f"Calibration curves, {self.samples}{chosen}"

    def _size(self) -> tuple[float, float]:
        return 8.4, max(4.6, 1.4 + 0.38 * len(self.names))

    def _columns(self) -> dict[str, Any]:
        lengths = [len(counts) for counts in self.counts]
        return {
            "estimator": np.repeat(np.array(self.names, dtype=object), lengths),
            "predicted": np.concatenate(self.predicted),
            "observed": np.concatenate(self.observed),
            "low": np.concatenate(self.low),
            "high": np.concatenate(self.high),
            "count": np.concatenate(self.counts),
            "calibration_error": np.repeat(self.errors, lengths),
        }

    def _draw(self, ax: Axes) -> None:
        (line,) = ax.plot([0, 1], [0, 1], color=ink(ax), lw=0.9, ls=(0, (2, 3)), zorder=1)
        shown = [self._draw_model(ax, i) for i in range(len(self.names))]
        values = zip(labels(self.names), self.errors.tolist(), self.brier.tolist(), strict=True)
        roomy = self._is_roomy()
        texts = [
            f"{label}\nECE {e:.3f}, Brier {brier:.3f}" if roomy else f"{label} {e:.3f}" for label, e, brier in values
        ]
        texts.append("perfectly calibrated" + ("\n(bars: 95% intervals)" if roomy and len(self.names) <= FEW else ""))
        ax.set(
            xlim=(-0.02, 1.02), ylim=(-0.02, 1.02 if roomy else ROOM_ABOVE), yticks=np.linspace(0, 1, 6 if roomy else 3)
        )
        legend_in(ax, [*shown, line], texts, roomy=roomy, title=None if roomy else "calibration error")
        positive = labels([self.positive], longest=18)[0]
        set_below(ax, [f"mean probability of class {positive}"])
        ax.set_ylabel(f"share of class {positive}", fontsize=points("medium" if roomy else "small"))
        set_title(ax, self._title(), beside=0.5)
        ax.spines[["top", "right"]].set_visible(False)

    def _draw_model(self, ax: Axes, i: int) -> Any:
        style = look(i)
        x, y = self.predicted[i], self.observed[i]
        if len(self.names) <= FEW:
            ax.vlines(x, self.low[i], self.high[i], color=style["color"], lw=1.0, alpha=0.6)
        area = SMALLEST + (LARGEST - SMALLEST) * self.counts[i] / max(int(counts.max()) for counts in self.counts)
        ax.scatter(x, y, s=area, color=style["color"], marker=style["marker"], lw=0, zorder=3)
        (line,) = ax.plot(x, y, color=style["color"], ls=style["linestyle"], lw=1.4, zorder=2)
        line.set(marker=style["marker"], markevery=[], markersize=5)
        return line


# Confusion matrices: of one model, or of two with their difference.


# Okabe and Ito's orange and blue, the latter darkened, as in the matrix of pairs.
SECOND, NEITHER, FIRST, EMPTY = "#E69F00", "#F7F7F7", "#00497A", "#DDDDDD"
WRITTEN, NAMED = 12, 40  # classes up to which the numbers are written, and each is named
CELL, TITLE, NARROWEST, WIDEST = 0.85, 1.9, 3.9, 9.0  # inches
# Of the two lines in a cell, in sizes of the first: places of their middles, upwards, and height and width of both.
ABOVE, BELOW, HEIGHT, WIDTH = 0.55, -0.65, 2.8, 6.2
SMALLER, LARGEST_TITLE = 0.8, 13.0  # the second line, as a part of the first; the first in points
FAINT = 0.1  # difference of shares up to which no colour is full


@dataclass(kw_only=True, eq=False, repr=False)
class ConfusionMatrixDisplay(Display):
    """How often each class is taken for each other one: by one model, or by two and the difference.

    Attributes
    ----------
    names : sequence of str of length n_models
        One model or two.
    classes : sequence of str of length n_classes
        The classes as text, in their order.
    counts : ndarray of int of shape (n_models, n_classes, n_classes)
        Number of samples by model, true class and predicted class.
    shares : ndarray of shape (n_classes, n_classes)
        The colour: of one model the share of the true class, in [0, 1]; of two the difference of the shares, in
        [-1, 1], positive where it favours the first (on the diagonal more, elsewhere fewer); nan without a sample.
    samples : str
        How many samples there are, and of which design.

    Notes
    -----
    Numbers are written for up to 12 classes; more are shown as colours with a colour bar.
    """

    names: Sequence[str]
    classes: Sequence[str]
    counts: NDArray[np.int64]
    shares: FloatArray
    samples: str

    @classmethod
    def from_result(cls, result: EvaluationScores, *, estimators: str | Sequence[str] | None = None) -> Self:
        """The matrices of one model, or of two.

        Parameters
        ----------
        result : EvaluationScores
            Of a target of classes, with predictions.
        estimators : str or sequence of str, optional
            One model or two; the first two by default.

        Returns
        -------
        ConfusionMatrixDisplay
            Not drawn yet; of the test sets of the first repeat, or of the first of overlapping ones.

        Raises
        ------
        ValueError
            If there are more than two names, one is unknown, or predicted classes were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.plotting import ConfusionMatrixDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> ConfusionMatrixDisplay.from_result(result, estimators="a").counts[0].tolist()
        [[60, 0], [20, 40]]
        """
        found = confusion_matrices(result, estimators=result.estimators[:2] if estimators is None else estimators)
        if len(found.names) > 2:
            raise ValueError(f"estimators must name one model or two; got {len(found.names)}")
        members = found.counts[0].sum(axis=1, keepdims=True)
        diagonal = np.eye(len(found.labels), dtype=np.bool_)
        signed = found.counts[0] if len(found.names) == 1 else found.difference() * np.where(diagonal, 1, -1)
        return cls(
            names=found.names,
            classes=[str(label) for label in found.labels],
            counts=found.counts,
            shares=np.divide(signed, members, out=np.full(signed.shape, np.nan), where=members > 0),
            samples=found.samples,
        )

    def _title(self) -> str:
        shown = labels(self.names)
        who = shown[0] if len(shown) == 1 else f"{shown[0]} against {shown[1]}"
        return f"Confusion matrix of {who}, {self.samples}"

    def _size(self) -> tuple[float, float]:
        c, room = len(self.classes), _matrix.names_width(self.classes)
        side, bar = (c * CELL, 0.0) if c <= WRITTEN else (c * _matrix.SMALL_CELL, _matrix.BAR)
        side = min(max(side, NARROWEST), WIDEST)
        return room + side + bar + 0.7, room + 0.85 * side + TITLE

    def _columns(self) -> dict[str, Any]:
        (n, c, _), all_classes = self.counts.shape, np.array(self.classes, dtype=object)
        return {
            "estimator": np.repeat(np.array(self.names, dtype=object), c * c),
            "y_true": np.tile(np.repeat(all_classes, c), n),
            "y_pred": np.tile(all_classes, n * c),
            "count": self.counts.ravel(),
        }

    def _draw(self, ax: Axes) -> None:
        c, alone = len(self.classes), len(self.names) == 1
        colours = [NEITHER, FIRST] if alone else [SECOND, NEITHER, FIRST]
        reach = 1.0 if alone else max(FAINT, float(np.nanmax(np.abs(self.shares), initial=0.0)))
        image = ax.imshow(
            np.ma.masked_invalid(self.shares),
            cmap=_matrix.colour_map(colours, EMPTY),
            vmin=0.0 if alone else -reach,
            vmax=reach,
            aspect="auto",
        )
        font = _matrix.cell_font(ax, c, c, None)
        short = labels(self.classes, _matrix.LONGEST if self._is_roomy() else _matrix.longest_name(ax, font))
        named = range(0, c, -(-c // NAMED))
        level = font / points("medium") * width_of(short) < 0.9 * inches(ax)[0] / c
        ax.set_xticks(named, [short[i] for i in named], rotation=0 if level else 90, fontsize=font)
        ax.set_yticks(named, [short[i] for i in named], fontsize=font)
        _matrix.bare_axes(ax)
        if c <= WRITTEN:
            shades = image.to_rgba(np.nan_to_num(self.shares))
            width, height = (72 * side / c for side in inches(ax))
            size = max(_matrix.SMALLEST_FONT, min(LARGEST_TITLE, width / WIDTH, height / HEIGHT))
            for i, j in np.ndindex(c, c):
                self._write(ax, (i, j), shades[i, j], size)
        else:
            bar = _matrix.colour_bar(ax, image, self._scale(), roomy=self._is_roomy())
            bar.ax.tick_params(labelsize=_matrix.FONT)
        names = font / points("medium") * width_of(short)
        set_below(ax, ["predicted class", *self._explained(c <= WRITTEN)], beside=names, size="small")
        ax.set_ylabel("true class", fontsize=points("small"))
        set_title(ax, self._title(), names=names)

    def _write(self, ax: Axes, cell: tuple[int, int], colour: Any, size: float) -> None:
        i, j = cell
        counts = self.counts[:, i, j].tolist()
        if len(counts) == 1:
            first, second = str(counts[0]), "" if np.isnan(self.shares[cell]) else percent(self.shares[cell])
        else:
            first, second = f"{counts[0] - counts[1]:+d}".replace("+0", "0"), f"{counts[0]} | {counts[1]}"
        style: dict[str, Any] = {"ha": "center", "va": "center", "textcoords": "offset points"}
        style["color"] = "white" if _matrix.is_dark(colour) else "black"
        for text, place, own in (
            (first, ABOVE, {"fontsize": size, "weight": "bold"}),
            (second, BELOW, {"fontsize": SMALLER * size}),
        ):
            shown = ax.annotate(text, (j, i), xytext=(0, place * size), **style, **own)
            shown.set_in_layout(False)

    def _scale(self) -> str:
        if len(self.names) == 1:
            return "share of the true class"
        return "difference of the shares of the true class"

    def _explained(self, written: bool) -> list[str]:
        """What the numbers and the colours are."""
        if len(self.names) == 1:
            return ["number of samples, share of the true class"] if written else []
        first, second = labels(self.names, 16)
        numbers = [f"bold: {first} - {second}    below: {first} | {second}"] if written else []
        return [*numbers, f"blue: better for {first}    orange: for {second}"]
