"""Does one ROC curve lie above the other everywhere?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_aligned
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._kinds import OfModels
from skcompare.inference.curves.roc import RocCurve, check_labels, roc_points

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
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        a, b = self.compared.a, self.compared.b
        found = {
            "a": f"The curve of {a} lies above that of {b}",
            "b": f"The curve of {b} lies above that of {a}",
            "equal": "The two curves are equal",
        }
        crossed = f"The two curves cross {counted(len(self.crossings), 'time')}, so that neither model dominates"
        return f"{found.get(self.verdict, crossed)}; area of {a} less area of {b}: {self.area_difference:+.3g}."


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
