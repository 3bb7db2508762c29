"""Points of the ROC and the precision-recall curve, and what a threshold costs."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_aligned, check_number, check_scores
from skcompare._core.warnings import Code
from skcompare.inference._kinds import ConfidenceInterval, OfModels, interval_tail
from skcompare.inference._sentences import Claims, Values, as_count, as_difference
from skcompare.inference.outcomes import samples


class RocCurve(Record, eq=False):
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

        def is_below(i: int, j: int, k: int) -> bool:
            """Whether point j lies on or below the line from i to k."""
            return bool((x[j] - x[i]) * (y[k] - y[i]) >= (y[j] - y[i]) * (x[k] - x[i]))

        for i in range(len(x)):
            while len(kept) > 1 and is_below(kept[-2], kept[-1], i):
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
    return _curve(*check_labels(y_true, score, positive))


def _curve(is_positive: NDArray[np.bool_], scores: FloatArray) -> RocCurve:
    hits, alarms, thresholds = cumulative_counts(is_positive, scores)
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


# Points of the precision-recall curve and its break-even point.


class PrecisionRecallCurve(Record, eq=False):
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


class RocDominance(OfModels, eq=False):
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
    given = (("score_a", score_a), ("score_b", score_b))
    curve_a, curve_b = (_curve(*check_labels(y_true, score, positive, name)) for name, score in given)
    crossings = sign_changes(*_gaps(curve_a, curve_b))
    heights = np.minimum(curve_a.at(crossings), curve_b.at(crossings)) if crossings.size else crossings
    return RocDominance(
        verdict=_verdict(curve_a, curve_b),
        hull_verdict=_verdict(curve_a.hull(), curve_b.hull()),
        crossings=np.column_stack([crossings, heights]),
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


def sign_changes(x: FloatArray, gap: FloatArray) -> FloatArray:
    """Where the gap of two curves changes its sign; the middle where they share a piece in between."""
    apart = np.flatnonzero(gap)
    left, right = apart[:-1], apart[1:]
    change = gap[left] * gap[right] < 0
    left, right = left[change], right[change]
    share = gap[left] / (gap[left] - gap[right])
    return np.where(right - left == 1, x[left] + share * (x[right] - x[left]), (x[left + 1] + x[right - 1]) / 2)


# Expected cost of errors and the threshold that makes it least.


class ExpectedCost(Record, eq=False):
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
    is_positive, scores = check_labels(y_true, score, positive)
    share = float(is_positive.mean())
    if prevalence is not None:
        share = check_number(prevalence, "prevalence", low=0, high=1, closed="neither")
    curve = _curve(is_positive, scores)
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
        {"errors of {a}": "n_errors_a", "errors of {b}": "n_errors_b", "samples": "n"}
        | {"share of the errors of {b} that {a} avoids": "relative"}
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
            return ConfidenceInterval(low=np.nan, high=np.nan)
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
    a, b = samples.check_correct(correct_a, "correct_a"), samples.check_correct(correct_b, "correct_b")
    samples.check_one_length({"correct_a": a, "correct_b": b})
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
