"""Expected cost of errors and the threshold that makes it least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_number
from skcompare.inference.curves.roc import check_labels, roc_points


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ExpectedCost(Record):
    """Mean cost per sample as a function of the threshold.

    Attributes
    ----------
    cost : float
        The least expected cost, in the unit of the costs.
    threshold : float
        The score from which on a sample should be called positive; infinity where none should.
    true_positive_rate, false_positive_rate : float
        What that threshold gives.
    costs, thresholds : ndarray of shape (n_points,)
        Expected cost of every threshold, descending.
    theoretical_threshold : float
        The best threshold if the scores were calibrated probabilities.
    """

    cost: float
    threshold: float
    true_positive_rate: float
    false_positive_rate: float
    costs: FloatArray
    thresholds: FloatArray
    theoretical_threshold: float

    def _sentence(self) -> str:
        return f"The least expected cost is {self.cost:.3g} per sample, at the threshold {self.threshold:.3g}."


def expected_cost(
    y_true: ArrayLike,
    score: ArrayLike,
    *,
    cost_false_positive: float = 1.0,
    cost_false_negative: float = 1.0,
    prevalence: float | None = None,
    positive: Any = None,
) -> ExpectedCost:
    r"""Expected cost at every threshold, and the best of them.

    With prevalence :math:`\pi` and the rates of `roc_points` the expected cost is

    .. math:: c_{FN} \, \pi \, (1 - TPR) + c_{FP} \, (1 - \pi) \, FPR.

    If the scores are calibrated probabilities the best threshold is :math:`c_{FP} / (c_{FP} + c_{FN})` (Elkan 2001).
    The threshold found here is the best on these samples: its cost on new ones will be higher.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        Labels of two classes.
    score : array_like of shape (n_samples,)
        Scores, greater for the positive class.
    cost_false_positive, cost_false_negative : float, default=1
        Cost of either error, at least 0 and not both 0.
    prevalence : float, optional
        Share of the positive class where the model will be used, in (0, 1); that of `y_true` by default.
    positive : label, optional
        The positive class; the greater of the two labels by default.

    Returns
    -------
    ExpectedCost
        Of several best thresholds the largest.

    Raises
    ------
    ValueError
        If the scores are not finite, the lengths differ, `y_true` does not hold two classes, or a cost or the
        prevalence is out of range.

    References
    ----------
    C. Elkan (2001), The foundations of cost-sensitive learning, IJCAI, 973-978.

    Examples
    --------
    >>> from skcompare.inference import expected_cost
    >>> best = expected_cost([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], cost_false_negative=5)
    >>> best.threshold, best.cost
    (0.35, 0.25)
    """
    c_fp = check_number(cost_false_positive, "cost_false_positive", low=0, high=np.inf, closed="left")
    c_fn = check_number(cost_false_negative, "cost_false_negative", low=0, high=np.inf, closed="left")
    if c_fp == c_fn == 0:
        raise ValueError("cost_false_positive and cost_false_negative must not both be 0")
    is_positive, _ = check_labels(y_true, score, positive)
    share = float(is_positive.mean())
    if prevalence is not None:
        share = check_number(prevalence, "prevalence", low=0, high=1, closed="neither")
    curve = roc_points(y_true, score, positive=positive)
    costs = c_fn * share * (1 - curve.true_positive_rate) + c_fp * (1 - share) * curve.false_positive_rate
    best = int(np.flatnonzero(costs <= costs.min() * (1 + 1e-12))[0])
    return ExpectedCost(
        cost=float(costs[best]),
        threshold=float(curve.thresholds[best]),
        true_positive_rate=float(curve.true_positive_rate[best]),
        false_positive_rate=float(curve.false_positive_rate[best]),
        costs=costs,
        thresholds=curve.thresholds,
        theoretical_threshold=c_fp / (c_fp + c_fn),
    )
