"""Points of the precision-recall curve and its break-even point."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare.inference.curves.roc import check_labels, cumulative_counts


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

    def _sentence(self) -> str:
        return f"Precision and recall at {len(self.thresholds)} thresholds."


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
