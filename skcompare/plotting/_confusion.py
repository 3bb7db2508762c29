"""Confusion matrices: of one model, or of two with their difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.comparison.confusion import confusion_matrices
from skcompare.plotting import _cells
from skcompare.plotting._display import Display
from skcompare.plotting._style import inches, labels, points, set_below, set_title, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.evaluation import EvaluationScores

# Okabe and Ito's orange and blue, the latter darkened, as in the matrix of pairs.
SECOND, NEITHER, FIRST, EMPTY = "#E69F00", "#F7F7F7", "#00497A", "#DDDDDD"
WRITTEN, NAMED = 12, 40  # classes up to which the numbers are written, and each is named
CELL, TITLE, NARROWEST, WIDEST = 0.85, 1.9, 3.9, 9.0  # inches
# Of the two lines in a cell, in sizes of the first: places of their middles, upwards, and height and width of both.
ABOVE, BELOW, HEIGHT, WIDTH = 0.55, -0.65, 2.8, 6.2
SMALLER, LARGEST = 0.8, 13.0  # the second line, as a part of the first; the first in points
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
        c, room = len(self.classes), _cells.names_width(self.classes)
        side, bar = (c * CELL, 0.0) if c <= WRITTEN else (c * _cells.SMALL_CELL, _cells.BAR)
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
            cmap=_cells.colour_map(colours, EMPTY),
            vmin=0.0 if alone else -reach,
            vmax=reach,
            aspect="auto",
        )
        font = _cells.cell_font(ax, c, c, None)
        short = labels(self.classes, _cells.LONGEST if self._is_roomy() else _cells.longest_name(ax, font))
        named = range(0, c, -(-c // NAMED))
        level = font / points("medium") * width_of(short) < 0.9 * inches(ax)[0] / c
        ax.set_xticks(named, [short[i] for i in named], rotation=0 if level else 90, fontsize=font)
        ax.set_yticks(named, [short[i] for i in named], fontsize=font)
        _cells.bare_axes(ax)
        if c <= WRITTEN:
            shades = image.to_rgba(np.nan_to_num(self.shares))
            width, height = (72 * side / c for side in inches(ax))
            size = max(_cells.SMALLEST_FONT, min(LARGEST, width / WIDTH, height / HEIGHT))
            for i, j in np.ndindex(c, c):
                self._write(ax, (i, j), shades[i, j], size)
        else:
            bar = _cells.colour_bar(ax, image, self._scale(), roomy=self._is_roomy())
            bar.ax.tick_params(labelsize=_cells.FONT)
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
        style["color"] = "white" if _cells.is_dark(colour) else "black"
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
