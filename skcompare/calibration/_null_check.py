"""Whether two models are equally good on the simulated data sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, inf, nan, sqrt

import numpy as np
from scipy.special import ndtr, stdtrit

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray

# A mean difference may be so many standard errors from 0, where one metric is looked at.
STANDARD_ERRORS = 3.0
# Differences that are this small a share of the largest are rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MetricDifference(Record):
    """The true mean difference of two models on a metric, as the simulated data sets show it.

    Attributes
    ----------
    metric : str
        The metric.
    difference : float
        Mean of the mean differences ``a - b``; positive favours `a`, whatever the direction of the metric.
    standard_error : float
        Of `difference`, over data sets; nan for fewer than two.
    bound : float
        How many standard errors from 0 it may be. For one metric it is 3, for several so much more that equal models
        pass on all of them as often as on one, in 99.73%; for few data sets it is the quantile of Student's t.
    null_holds : bool
        Whether it is within the bound.
    n_datasets : int
        Data sets on which the metric is defined.
    """

    metric: str
    difference: float
    standard_error: float
    bound: float
    null_holds: bool
    n_datasets: int

    @property
    def distance(self) -> float:
        """Standard errors between the mean difference and 0."""
        if self.difference == 0:
            return 0.0
        return self.difference / self.standard_error if self.standard_error else copysign(inf, self.difference)

    def __str__(self) -> str:
        if not self.n_datasets:
            return f"{self.metric} is undefined on all data sets"
        return (
            f"the mean difference of {self.metric} is {self.difference:+.3g} over {self.n_datasets} data sets, "
            f"{abs(self.distance):.1f} standard errors from 0 (bound {self.bound:.2f})"
        )


def metric_differences(scores: FloatArray, metrics: Sequence[str]) -> tuple[MetricDifference, ...]:
    """The mean difference of every metric, against 0.

    Parameters
    ----------
    scores : ndarray of shape (n_datasets, 2, n_splits, n_metrics)
        Greater is better; nan where undefined.
    metrics : sequence of str of length n_metrics
        Names.
    """
    return tuple(
        _of_metric(scores[:, 0, :, i] - scores[:, 1, :, i], name, len(metrics)) for i, name in enumerate(metrics)
    )


def bound(n_datasets: int, n_metrics: int) -> float:
    """How many standard errors from 0 the mean difference of equal models may be."""
    if n_datasets < 2:
        return inf
    return -float(stdtrit(n_datasets - 1, ndtr(-STANDARD_ERRORS) / n_metrics))


def _of_metric(differences: FloatArray, metric: str, n_metrics: int) -> MetricDifference:
    defined = np.isfinite(differences)
    n_defined = defined.sum(axis=1)
    sums = np.where(defined, differences, 0.0).sum(axis=1)
    means = sums[n_defined > 0] / n_defined[n_defined > 0]
    n = len(means)
    mean = float(means.mean()) if n else nan
    error = float(means.std(ddof=1)) / sqrt(n) if n > 1 else nan
    noise = _ROUNDING * float(np.abs(means).max(initial=0.0))
    mean, error = (0.0 if abs(value) <= noise else value for value in (mean, error))
    most = bound(n, n_metrics)
    return MetricDifference(
        metric=metric,
        difference=mean,
        standard_error=error,
        bound=most,
        null_holds=n > 1 and abs(mean) <= most * error,
        n_datasets=n,
    )
