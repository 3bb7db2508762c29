"""How often procedures reject, and whether the two models are equally good: the records of `size` and `power`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import copysign, inf, isnan, nan, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, stdtrit

from skcompare._core.html import Table
from skcompare._core.numbers import percent, percent_of
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.calibration._estimate import Estimate, Share, share_of, span
from skcompare.inference._kinds import capitalised

if TYPE_CHECKING:
    from skcompare.plotting import SizeDisplay


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

    def _sentence(self) -> str:
        return capitalised(f"{difference_in_words(self)}.")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RejectionRate(Record):
    """How often one procedure rejects on one metric.

    Attributes
    ----------
    procedure : str
        Its name.
    metric : str
        The metric, or ``"all metrics"`` of a procedure that takes them together.
    share : float
        Of the data sets on which its p-value is below the level, in [0, 1]; nan where that would be no size, or where
        it gave no p-value at all.
    low, high : float
        Interval of Clopper and Pearson for the error of the simulation, in [0, 1]; nan with `share`.
    n_datasets : int
        Data sets.
    n_undefined : int
        Those on which it gave no p-value; they count as not rejected.
    difference : float
        True mean difference ``a - b`` on the metric, positive favours `a`; nan for all metrics together.
    standard_error : float
        Of `difference`.
    null_holds : bool
        Whether the mean difference, of all its metrics, is that of equal models.
    warnings : tuple of str
        Reasons to distrust the row.
    """

    procedure: str
    metric: str
    share: float
    low: float
    high: float
    n_datasets: int
    n_undefined: int
    difference: float
    standard_error: float
    null_holds: bool
    warnings: tuple[CodedWarning, ...] = ()

    @property
    def name(self) -> str:
        """Procedure and metric."""
        return f"{self.procedure} on {self.metric}"

    def _sentence(self) -> str:
        found = (
            "is not known"
            if isnan(self.share)
            else f"is {percent(self.share, 1)} ({percent(self.low, 1)} to {percent(self.high, 1)})"
        )
        said = f"The share of rejections by {self.name} {found}"
        if isnan(self.difference):
            return f"{said}."
        return f"{said}; a - b is {self.difference:+.3g} (SE {self.standard_error:.2g})."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class _Rates(Estimate[RejectionRate]):
    """What size and power have in common."""

    differences: tuple[MetricDifference, ...]
    pvalues: FloatArray
    warnings: tuple[CodedWarning, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Procedure and metric of every row, as `pvalues` has them."""
        return tuple(row.name for row in self.rows)

    @property
    def n_datasets(self) -> int:
        """Simulated data sets."""
        return int(self.pvalues.shape[1])

    def _rows_at(self, alpha: float) -> tuple[RejectionRate, ...]:
        found = [share_below(pvalues, alpha, self.confidence_level) for pvalues in self.pvalues]
        return tuple(replace(row, **own._asdict()) for row, own in zip(self.rows, found, strict=True))

    def _tables(self) -> list[Table]:
        level = f"{percent_of(self.confidence_level)} interval"
        rows = [
            [
                *(row.procedure, row.metric, percent(row.share, 1), f"{percent(row.low, 1)} to {percent(row.high, 1)}"),
                "" if isnan(row.difference) else f"{row.difference:+.3g}",
                "" if isnan(row.standard_error) else f"{row.standard_error:.2g}",
            ]
            for row in self.rows
        ]
        return [Table(("procedure", "metric", "rejected", level, "a - b", "SE"), rows)]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class SizeEstimate(_Rates):
    """How often procedures reject a true null hypothesis.

    Attributes
    ----------
    rows : tuple of RejectionRate
        One per procedure and metric.
    alpha : float
        Nominal level, in (0, 1).
    confidence_level : float
        Of the intervals, in (0, 1).
    models : tuple of (str, str)
        Names of the two models, `a` and `b`.
    design : Design
        How the first data set was resampled; all are alike.
    generator : str
        What drew the data sets.
    differences : tuple of MetricDifference
        Per metric whether the null hypothesis holds.
    pvalues : ndarray of shape (n_rows, n_datasets)
        In [0, 1], read-only; nan where a procedure gave none, and in rows where the null hypothesis does not hold.
    warnings : tuple of str
        Reasons to distrust all rows.
    """

    @property
    def null_holds(self) -> dict[str, bool]:
        """By metric whether the two models are equally good."""
        return {found.metric: found.null_holds for found in self.differences}

    def plot(self, *, ax: Any = None, levels: Sequence[float] | None = None) -> SizeDisplay:
        """Draw the measured size against the nominal level.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw.
        levels : sequence of float, optional
            Nominal levels in (0, 1); five up to 20% by default.

        Returns
        -------
        SizeDisplay
            Of the rows that have a size; a p-value that is not there counts as not rejected.

        Raises
        ------
        ValueError
            If no row has a size, or a level is out of range.
        ImportError
            If matplotlib is not installed.
        """
        from skcompare.plotting import SizeDisplay

        sound = [i for i, row in enumerate(self.rows) if not isnan(row.share)]
        if not sound:
            raise ValueError(f"the estimate must have a row with a size to draw; got {len(self.rows)} without")
        pvalues = np.nan_to_num(self.pvalues[sound], nan=1.0)
        names = [self.names[i] for i in sound]
        given = {} if levels is None else {"levels": levels}
        return SizeDisplay.from_pvalues(pvalues, names=names, **given).plot(ax=ax)

    def _sentence(self) -> str:
        found = span([row.share for row in self.rows])
        return f"At {percent_of(self.alpha)} {found} of true nulls are rejected ({self._where(self.n_datasets)})."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class PowerEstimate(_Rates):
    """How often procedures find a difference that is there.

    Attributes
    ----------
    rows : tuple of RejectionRate
        One per procedure and metric.
    alpha : float
        Nominal level, in (0, 1).
    confidence_level : float
        Of the intervals, in (0, 1).
    models : tuple of (str, str)
        Names of the two models, `a` and `b`.
    design : Design
        How the first data set was resampled; all are alike.
    generator : str
        What drew the data sets.
    differences : tuple of MetricDifference
        The true mean difference per metric.
    pvalues : ndarray of shape (n_rows, n_datasets)
        In [0, 1], read-only; nan where a procedure gave none.
    warnings : tuple of str
        Reasons to distrust all rows.
    """

    def _sentence(self) -> str:
        found = span([row.share for row in self.rows])
        return f"At {percent_of(self.alpha)} the difference is found in {found} ({self._where(self.n_datasets)})."


def share_below(pvalues: FloatArray, alpha: float, confidence_level: float) -> Share:
    """Share of the p-values below a level; those that are not there count as not below, unless all are."""
    if np.isnan(pvalues).all():
        return Share(nan, nan, nan)
    return share_of(int(np.count_nonzero(pvalues < alpha)), len(pvalues), confidence_level)


def difference_in_words(found: MetricDifference) -> str:
    """The mean difference on a metric, as a part of a sentence."""
    if not found.n_datasets:
        return f"{found.metric} is undefined on all data sets"
    return (
        f"the mean difference of {found.metric} is {found.difference:+.3g} over {found.n_datasets} data sets, "
        f"{abs(found.distance):.1f} standard errors from 0 (bound {found.bound:.2f})"
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
