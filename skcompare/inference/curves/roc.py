"""Points of the ROC curve and their convex hull."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_aligned, check_scores, refuse_masked


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocCurve(Record):
    """Receiver operating characteristic: what every threshold gives.

    Attributes
    ----------
    false_positive_rate, true_positive_rate : ndarray of shape (n_points,)
        In [0, 1], ascending, from (0, 0) to (1, 1).
    thresholds : ndarray of shape (n_points,)
        Scores from which on a sample is called positive, descending; infinity at (0, 0).
    """

    false_positive_rate: FloatArray
    true_positive_rate: FloatArray
    thresholds: FloatArray

    def _sentence(self) -> str:
        return f"The area under the curve is {self.area:.3g}."

    @property
    def area(self) -> float:
        """Area under the curve, by the trapezoid rule."""
        heights = (self.true_positive_rate[1:] + self.true_positive_rate[:-1]) / 2
        return float(np.diff(self.false_positive_rate) @ heights)

    def hull(self) -> RocCurve:
        """The upper convex hull: the points that some cost ratio makes best.

        Returns
        -------
        RocCurve
            A subset of the points, always with (0, 0) and (1, 1).
        """
        kept: list[int] = []
        x, y = self.false_positive_rate, self.true_positive_rate
        for i in range(len(x)):
            while len(kept) > 1 and _turns_left(x, y, kept[-2], kept[-1], i):
                kept.pop()
            kept.append(i)
        return RocCurve(false_positive_rate=x[kept], true_positive_rate=y[kept], thresholds=self.thresholds[kept])

    def at(self, false_positive_rate: ArrayLike) -> FloatArray:
        """True positive rates at some false positive rates, interpolated; the upper end of a vertical step."""
        return self._interpolate(false_positive_rate, "right")

    def before(self, false_positive_rate: ArrayLike) -> FloatArray:
        """The same with the lower end of a vertical step: the limit from the left."""
        return self._interpolate(false_positive_rate, "left")

    def _interpolate(self, false_positive_rate: ArrayLike, side: Literal["left", "right"]) -> FloatArray:
        wanted = check_scores(false_positive_rate, "false_positive_rate", ndim=(0, 1))
        if wanted.min() < 0 or wanted.max() > 1:
            raise ValueError(f"false_positive_rate must be in [0, 1]; got {wanted.min():g} to {wanted.max():g}")
        x, y = self.false_positive_rate, self.true_positive_rate
        after = np.clip(np.searchsorted(x, wanted, side), 1, len(x) - 1)
        width = x[after] - x[after - 1]
        at_end = np.full_like(width, 1.0 if side == "right" else 0.0)
        share = np.divide(wanted - x[after - 1], width, out=at_end, where=width > 0)
        return np.asarray(y[after - 1] + share * (y[after] - y[after - 1]))


def roc_points(y_true: ArrayLike, score: ArrayLike, *, positive: Any = None) -> RocCurve:
    r"""Points of the ROC curve, one per distinct score.

    With each distinct score :math:`t` as threshold, over the positive and the negative samples,

    .. math:: TPR(t) = \frac{\#\{s_i \ge t, \; y_i = 1\}}{\#\{y_i = 1\}}, \qquad
        FPR(t) = \frac{\#\{s_i \ge t, \; y_i = 0\}}{\#\{y_i = 0\}}

    (Fawcett 2006). Straight lines join the points, so that the area below counts ties by half.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of two classes.
    score : array_like of shape (n_samples,)
        Scores, greater for the positive class.
    positive : label, optional
        The positive class; the greater of the two labels by default.

    Returns
    -------
    RocCurve

    Raises
    ------
    ValueError
        If the scores are not finite, the lengths differ, or `y_true` does not hold two classes.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8), 861-874,
    :doi:`10.1016/j.patrec.2005.10.010`.

    Examples
    --------
    >>> from skcompare.inference import roc_points
    >>> curve = roc_points([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.true_positive_rate.tolist(), curve.area
    ([0.0, 0.5, 0.5, 1.0, 1.0], 0.75)
    """
    hits, alarms, thresholds = cumulative_counts(*check_labels(y_true, score, positive))
    return RocCurve(
        false_positive_rate=np.r_[0.0, alarms / alarms[-1]],
        true_positive_rate=np.r_[0.0, hits / hits[-1]],
        thresholds=np.r_[np.inf, thresholds],
    )


def check_labels(
    y_true: ArrayLike, score: ArrayLike, positive: Any, name: str = "score"
) -> tuple[NDArray[np.bool_], FloatArray]:
    """Which samples are positive, and their scores; ValueError unless there are two classes."""
    refuse_masked(y_true, "y_true")
    check_aligned(**{"y_true": y_true, name: score})
    labels, scores = np.asarray(y_true), check_scores(score, name, ndim=(1,))
    if labels.shape != scores.shape:
        raise ValueError(f"y_true and {name} must have one length; got {labels.shape} and {scores.shape}")
    may_lack = [] if labels.dtype.kind in "biuSU" else labels.tolist()
    lacking = np.array([label is None or label != label for label in may_lack])
    if lacking.any():
        raise ValueError(f"y_true must not lack labels; position {lacking.argmax()} does")
    try:
        classes = np.unique(labels)
    except TypeError as error:
        raise ValueError("y_true must hold labels of one kind; got values that have no order") from error
    if len(classes) != 2:
        raise ValueError(f"y_true must hold two classes; got {len(classes)}")
    chosen = classes[1] if positive is None else positive
    if not isinstance(chosen, Hashable) or chosen not in classes:
        raise ValueError(f"positive must be one of the labels of y_true, {classes.tolist()}; got {positive!r}")
    return np.asarray(labels == chosen), scores


def cumulative_counts(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """True and false positives at each distinct score taken as threshold, descending."""
    order = np.argsort(-scores, kind="stable")
    descending = scores[order]
    ends = np.flatnonzero(np.r_[np.diff(descending) != 0, True])
    hits = np.cumsum(positive[order])[ends].astype(np.float64)
    return hits, ends + 1 - hits, descending[ends]


def _turns_left(x: FloatArray, y: FloatArray, i: int, j: int, k: int) -> bool:
    """Whether point j lies on or below the line from i to k."""
    return bool((x[j] - x[i]) * (y[k] - y[i]) >= (y[j] - y[i]) * (x[k] - x[i]))
