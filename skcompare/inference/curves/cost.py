"""Expected cost of errors and the threshold that makes it least."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_aligned, check_number
from skcompare._core.warnings import Code
from skcompare.inference._kinds import ConfidenceInterval, OfModels, interval_tail
from skcompare.inference._sentences import Values
from skcompare.inference.curves.roc import check_labels, roc_points
from skcompare.inference.outcomes.samples import check_correct, check_one_length


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
    _kind = Values({"least expected cost per sample": "cost", "threshold": "threshold"})


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


# Absolute and relative reduction of the error.


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorReduction(OfModels):
    """How much of the error of `b` the model `a` avoids.

    Attributes
    ----------
    absolute : float
        Accuracy of `a` minus accuracy of `b`, in [-1, 1].
    relative : float
        The same as a share of the error rate of `b`; at most 1, negative where `a` errs more often, nan where `b`
        makes no error.
    n_errors_a, n_errors_b, n_errors_both : int
        Errors of `a`, of `b`, and samples that both get wrong.
    n : int
        Number of samples.
    """

    absolute: float
    relative: float
    n_errors_a: int
    n_errors_b: int
    n_errors_both: int
    n: int
    _kind = Values(
        {
            **{"errors of {a}": "n_errors_a", "errors of {b}": "n_errors_b", "samples": "n"},
            "share of the errors of {b} that {a} avoids": "relative",
        }
    )

    def absolute_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Wald interval of the absolute reduction for paired samples.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            In [-1, 1].
        """
        z = -float(special.ndtri(interval_tail(confidence_level, "two-sided")))
        discordant = self.n_errors_a + self.n_errors_b - 2 * self.n_errors_both
        gain = self.n_errors_b - self.n_errors_a
        margin = float(z * np.sqrt(discordant - gain**2 / self.n) / self.n)
        return ConfidenceInterval(low=max(-1.0, self.absolute - margin), high=min(1.0, self.absolute + margin))

    def relative_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval of the relative reduction, from the paired log ratio of the error rates by the delta method.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            At most 1; without an error of `a` the lower limit is that of one half error, without one of `b` both
            limits are nan.
        """
        z = -float(special.ndtri(interval_tail(confidence_level, "two-sided")))
        if self.n_errors_b == 0:
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        errors_a = max(self.n_errors_a, 0.5)
        discordant = self.n_errors_a + self.n_errors_b - 2 * self.n_errors_both
        spread = z * np.sqrt(discordant / (errors_a * self.n_errors_b))
        ratio = errors_a / self.n_errors_b
        high = 1.0 if self.n_errors_a == 0 else 1 - ratio * np.exp(-spread)
        return ConfidenceInterval(low=float(1 - ratio * np.exp(spread)), high=float(high))


def error_reduction(correct_a: ArrayLike, correct_b: ArrayLike) -> ErrorReduction:
    r"""Absolute and relative reduction of the error rate of `b` by `a`.

    With the error rates :math:`e_a` and :math:`e_b`

    .. math:: \text{absolute} = e_b - e_a, \qquad \text{relative} = 1 - \frac{e_a}{e_b}.

    From 50% to 75% accuracy and from 99.90% to 99.99% differ in absolute reduction (25 and 0.09 percentage points)
    and in relative reduction (50% and 90% of the errors).

    Parameters
    ----------
    correct_a, correct_b : array_like of shape (n_samples,)
        Whether each model was right on each sample: booleans, or 0 and 1.

    Returns
    -------
    ErrorReduction

    Raises
    ------
    ValueError
        If the arrays are not boolean or not of one length.

    Examples
    --------
    >>> from skcompare.inference import error_reduction
    >>> result = error_reduction([True, True, True, False], [True, True, False, False])
    >>> result.absolute, result.relative
    (0.25, 0.5)
    """
    check_aligned(correct_a=correct_a, correct_b=correct_b)
    a, b = check_correct(correct_a, "correct_a"), check_correct(correct_b, "correct_b")
    check_one_length({"correct_a": a, "correct_b": b})
    errors_a, errors_b, n = int((~a).sum()), int((~b).sum()), len(a)
    warnings = () if errors_b else (Code.NO_DIFFERENCE("the baseline makes no error, so there is nothing to reduce."),)
    return ErrorReduction(
        absolute=(errors_b - errors_a) / n,
        relative=1 - errors_a / errors_b if errors_b else float("nan"),
        n_errors_a=errors_a,
        n_errors_b=errors_b,
        n_errors_both=int((~a & ~b).sum()),
        n=n,
        method="error reduction",
        warnings=warnings,
    )
