"""Points of the ROC curve and their convex hull."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_aligned, check_scores
from skcompare._core.warnings import Code
from skcompare.inference._kinds import OfModels
from skcompare.inference._sentences import Claims, Values, as_count, as_difference
from skcompare.inference.outcomes import samples


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
    _kind = Values({"area under the curve": "area"})

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
    check_aligned(**{"y_true": y_true, name: score})
    labels, scores = samples.check_labels(y_true, "y_true"), check_scores(score, name, ndim=(1,))
    samples.check_one_length({"y_true": labels, name: scores})
    return samples.positives(labels, positive), scores


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


# Points of the precision-recall curve and its break-even point.


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PrecisionRecallCurve(Record):
    """Precision and recall at every threshold.

    Attributes
    ----------
    precision, recall : ndarray of shape (n_points,)
        In [0, 1]; recall ascends.
    thresholds : ndarray of shape (n_points,)
        Scores from which on a sample is called positive, descending.
    """

    precision: FloatArray
    recall: FloatArray
    thresholds: FloatArray
    _kind = Values({"thresholds": ("thresholds", as_count)}, title="Precision and recall")


def precision_recall_points(y_true: ArrayLike, score: ArrayLike, *, positive: Any = None) -> PrecisionRecallCurve:
    r"""Precision and recall with each distinct score taken as the threshold.

    With threshold :math:`t`

    .. math:: P(t) = \frac{\#\{s_i \ge t, \; y_i = 1\}}{\#\{s_i \ge t\}}, \qquad
        R(t) = \frac{\#\{s_i \ge t, \; y_i = 1\}}{\#\{y_i = 1\}}.

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
    PrecisionRecallCurve

    Raises
    ------
    ValueError
        If the scores are not finite, the lengths differ, or `y_true` does not hold two classes.

    References
    ----------
    J. Davis and M. Goadrich (2006), The relationship between precision-recall and ROC curves, ICML, 233-240,
    :doi:`10.1145/1143844.1143874`.

    Examples
    --------
    >>> from skcompare.inference import precision_recall_points
    >>> curve = precision_recall_points([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.precision.round(3).tolist(), curve.recall.tolist()
    ([1.0, 0.5, 0.667, 0.5], [0.5, 0.5, 1.0, 1.0])
    """
    hits, alarms, thresholds = cumulative_counts(*check_labels(y_true, score, positive))
    return PrecisionRecallCurve(precision=hits / (hits + alarms), recall=hits / hits[-1], thresholds=thresholds)


def break_even_point(y_true: ArrayLike, score: ArrayLike, *, positive: Any = None) -> float:
    r"""The value at which precision and recall are equal.

    They are equal where as many samples are called positive as there are positives, since both then are

    .. math:: \frac{\#\{\text{true positives}\}}{\#\{y_i = 1\}}:

    the value is the precision among so many top-ranked samples (R-precision). Where that cut falls into a group of
    tied scores, the positives of the group are counted in proportion.

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
    float
        In [0, 1].

    Raises
    ------
    ValueError
        If the scores are not finite, the lengths differ, or `y_true` does not hold two classes.

    References
    ----------
    C. D. Manning, P. Raghavan and H. Schütze (2008), Introduction to Information Retrieval, Cambridge University Press,
    section 8.4, :doi:`10.1017/CBO9780511809071`.

    Examples
    --------
    >>> from skcompare.inference import break_even_point
    >>> break_even_point([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.5
    """
    hits, alarms, _ = cumulative_counts(*check_labels(y_true, score, positive))
    n_positive = hits[-1]
    return float(np.interp(n_positive, np.r_[0.0, hits + alarms], np.r_[0.0, hits]) / n_positive)


# Does one ROC curve lie above the other everywhere?


_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class RocDominance(OfModels):
    """Which of two ROC curves of the same samples lies above the other.

    Attributes
    ----------
    verdict : {"a", "b", "equal", "crossing"}
        The curve that is nowhere below the other and somewhere above it.
    hull_verdict : {"a", "b", "equal", "crossing"}
        The same of the convex hulls: "a" means that `a` has no greater expected cost at any cost ratio.
    crossings : ndarray of shape (n_crossings, 2)
        False and true positive rates at which the curves cross.
    curve_a, curve_b : RocCurve
        The two curves.
    area_difference : float
        Area under `a` minus area under `b`.
    """

    verdict: Literal["a", "b", "equal", "crossing"]
    hull_verdict: Literal["a", "b", "equal", "crossing"]
    crossings: FloatArray
    curve_a: RocCurve
    curve_b: RocCurve
    area_difference: float
    _kind = Claims(
        "verdict",
        {
            "a": "The curve of {a} lies above that of {b}",
            "b": "The curve of {b} lies above that of {a}",
            "equal": "The curves of {a} and {b} are equal",
        },
        "The curves of {a} and {b} cross",
        shown={
            "area of {a} less area of {b}": ("area_difference", as_difference),
            "crossings": ("crossings", as_count),
        },
    )


def roc_dominance(y_true: ArrayLike, score_a: ArrayLike, score_b: ArrayLike, *, positive: Any = None) -> RocDominance:
    r"""Compare two ROC curves point by point.

    A model whose curve is nowhere below the other's,

    .. math:: TPR_a(f) \ge TPR_b(f) \quad \text{for all } f \in [0, 1],

    is at least as good at every cost ratio and every class balance (Provost and Fawcett 2001). The verdict describes
    these samples and is no test: see `delong_test` for one of the areas.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of two classes.
    score_a, score_b : array_like of shape (n_samples,)
        Scores of the two models on the same samples, greater for the positive class.
    positive : label, optional
        The positive class; the greater of the two labels by default.

    Returns
    -------
    RocDominance

    Raises
    ------
    ValueError
        If the scores are not finite, the lengths differ, or `y_true` does not hold two classes.

    References
    ----------
    F. Provost and T. Fawcett (2001), Robust classification for imprecise environments, Machine Learning 42, 203-231,
    :doi:`10.1023/A:1007601015854`.

    Examples
    --------
    >>> from skcompare.inference import roc_dominance
    >>> result = roc_dominance([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.8], [0.1, 0.4, 0.35, 0.8])
    >>> result.verdict, result.area_difference
    ('a', 0.25)
    """
    check_aligned(y_true=y_true, score_a=score_a, score_b=score_b)
    for name, score in (("score_a", score_a), ("score_b", score_b)):
        check_labels(y_true, score, positive, name)
    curve_a = roc_points(y_true, score_a, positive=positive)
    curve_b = roc_points(y_true, score_b, positive=positive)
    return RocDominance(
        verdict=_verdict(curve_a, curve_b),
        hull_verdict=_verdict(curve_a.hull(), curve_b.hull()),
        crossings=_crossings(curve_a, curve_b),
        curve_a=curve_a,
        curve_b=curve_b,
        area_difference=curve_a.area - curve_b.area,
        method="ROC dominance",
        warnings=(Code.DESCRIPTIVE("the verdict describes these samples; it is not a test."),),
    )


def _gaps(a: RocCurve, b: RocCurve) -> tuple[FloatArray, FloatArray]:
    """How far `a` lies above `b` before and after every step of either curve, from left to right."""
    steps = np.union1d(a.false_positive_rate, b.false_positive_rate)
    gap = np.column_stack([a.before(steps) - b.before(steps), a.at(steps) - b.at(steps)]).ravel()
    return np.repeat(steps, 2), np.where(np.abs(gap) <= _ROUNDING, 0.0, gap)


def _verdict(a: RocCurve, b: RocCurve) -> Literal["a", "b", "equal", "crossing"]:
    _, gap = _gaps(a, b)
    if (gap > 0).any():
        return "crossing" if (gap < 0).any() else "a"
    return "b" if (gap < 0).any() else "equal"


def _crossings(a: RocCurve, b: RocCurve) -> FloatArray:
    """Where the gap changes its sign; the middle where the curves share a piece in between."""
    x, gap = _gaps(a, b)
    apart = np.flatnonzero(gap)
    left, right = apart[:-1], apart[1:]
    change = gap[left] * gap[right] < 0
    left, right = left[change], right[change]
    share = gap[left] / (gap[left] - gap[right])
    neighbours = right - left == 1
    crossing = np.where(
        neighbours, x[left] + share * (x[right] - x[left]), (x[left + 1 - neighbours] + x[right - 1]) / 2
    )
    return np.column_stack([crossing, np.minimum(a.at(crossing), b.at(crossing))]) if len(left) else np.empty((0, 2))
