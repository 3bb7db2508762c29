"""An interval for one model's own score on a metric of the labels."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import number
from skcompare._core.record import Record
from skcompare._core.validation import check_integer, check_rng
from skcompare._core.warnings import CodedWarning
from skcompare.inference._interval import ConfidenceInterval, interval_tail
from skcompare.inference._kinds import from_to
from skcompare.inference.outcomes._arrangements import Scores
from skcompare.inference.outcomes._bca import bca_interval
from skcompare.inference.outcomes._called import CalledPredictions
from skcompare.inference.outcomes._predictions import Metric, Read, SummedPredictions, metric_name, read_predictions
from skcompare.inference.outcomes._ranked import RankedPredictions


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MetricIntervalResult(Record):
    """One model's score on a metric, with a bootstrap interval.

    Attributes
    ----------
    estimate : float
        The score.
    metric : str
        The metric.
    n : int
        Number of samples.
    n_clusters : int
        Number of clusters that are drawn as a whole; 0 where samples are.
    n_resamples : int
        Number of bootstrap samples.
    predictions : object
        The predictions, from which the interval is drawn when it is asked for.
    seed : int
        Of the draws.
    """

    estimate: float
    metric: str
    n: int
    n_clusters: int
    n_resamples: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()
    predictions: Any = field(default=None, repr=False, compare=False)
    seed: int = field(default=0, repr=False, compare=False)

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Two-sided interval for the score on all samples like these.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Bias-corrected and accelerated; nan with fewer than two samples or clusters, and where the score is 0/0.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = interval_tail(confidence_level, "two-sided")
        if self.predictions.scores().undefined[0]:
            return ConfidenceInterval(low=float("nan"), high=float("nan"))
        low, high = bca_interval(self.predictions, self.n_resamples, self.seed, tail)
        return ConfidenceInterval(low=low, high=high)

    def _sentence(self) -> str:
        interval = self.confidence_interval()
        return (
            f"The {self.metric} is {number(self.estimate, 4)}, 95% interval {from_to(interval.low, interval.high, 4)}."
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Own(CalledPredictions):
    """The predictions of one model, in place of a difference its score."""

    def scores(self) -> Scores:
        """The score of the model."""
        return Scores(a=self._score(self.y, self.a), b=0.0, warnings=self.about_clusters)

    def _difference(self, chosen: Any) -> float:
        return self._score(self.y[chosen], self.a[chosen])


def metric_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    metric: Metric,
    *,
    n_resamples: int | None = None,
    rng: Any = None,
    positive: Any = None,
    clusters: ArrayLike | None = None,
) -> MetricIntervalResult:
    r"""Interval for one model's score on one test set, on any metric of the labels.

    Samples are drawn with replacement, clusters as a whole, and the limits are the percentiles of the scores at

    .. math:: \Phi\left( z_0 + \frac{z_0 + z_\alpha}{1 - c \, (z_0 + z_\alpha)} \right),

    bias-corrected by :math:`z_0` and accelerated by :math:`c` (Efron 1987, equation 2.3), and expanded for few samples
    (Hesterberg 2015), as in :func:`paired_bootstrap`.

    It is conditional on the fitted model: it is about new samples, not about training on other data.

    Parameters
    ----------
    y_true, y_pred : array_like of shape (n_samples,) or (n_samples, n_labels)
        True labels and predictions, as in :func:`paired_metric_test`.
    metric : str or callable
        As in :func:`paired_metric_test`.
    n_resamples : int, optional
        Number of bootstrap samples, at least 2; by default 10,000, of average precision and of a
        callable 2,000.
    rng : None, int or numpy.random.Generator, optional
        Passed to :func:`numpy.random.default_rng`.
    positive : label, optional
        As in :func:`paired_metric_test`.
    clusters : array_like of shape (n_samples,), optional
        The cluster of each sample.

    Returns
    -------
    MetricIntervalResult
        With `confidence_interval`.

    Raises
    ------
    ValueError
        If labels are missing or not paired, the metric is unknown or not a finite number, or an option is out of
        range.

    See Also
    --------
    paired_bootstrap : for the difference of two models.
    proportion_interval : for a share, such as the accuracy.

    References
    ----------
    B. Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical Association 82,
    171-185, :doi:`10.1080/01621459.1987.10478410`.

    Examples
    --------
    >>> from skcompare.inference import metric_interval
    >>> y_true = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0] * 10
    >>> y_pred = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 0] * 10
    >>> result = metric_interval(y_true, y_pred, "f1", rng=0)
    >>> interval = result.confidence_interval()
    >>> round(result.estimate, 3), 0.7 < interval.low < 0.8, 0.85 < interval.high < 0.92
    (0.833, True, True)
    """
    generator = check_rng(rng)
    paired = read_predictions(y_true, y_pred, None, metric, positive, clusters)
    scores = paired.scores()
    own: Read
    if isinstance(paired, SummedPredictions):
        own = replace(paired, terms_b=np.zeros_like(paired.terms_b))
    elif isinstance(paired, RankedPredictions):
        own = replace(paired, alone=True)
    else:
        own = _Own(**{one.name: getattr(paired, one.name) for one in fields(CalledPredictions)})
    default = 10_000 if isinstance(paired, SummedPredictions) else 2_000
    return MetricIntervalResult(
        estimate=scores.a,
        metric=metric_name(metric),
        n=paired.n,
        n_clusters=paired.n_clusters,
        n_resamples=default if n_resamples is None else check_integer(n_resamples, "n_resamples", low=2),
        method=f"bootstrap of {metric_name(metric)}, bias-corrected and accelerated",
        warnings=tuple(dict.fromkeys(scores.warnings)),
        predictions=own,
        seed=0 if rng is None else int(generator.integers(2**63)),
    )
