"""How often procedures reject: the records of `size` and `power`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._core.html import Table
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.calibration._estimate import Estimate, Share, percent, share_of
from skcompare.calibration._null_check import MetricDifference

if TYPE_CHECKING:
    from skcompare.plotting import SizeDisplay


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

    def __str__(self) -> str:
        found = "not known" if isnan(self.share) else f"{self.share:.1%} ({self.low:.1%} to {self.high:.1%})"
        difference = "" if isnan(self.difference) else f", a - b {self.difference:+.3g} (SE {self.standard_error:.2g})"
        return f"{self.name}: {found}{difference}"


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
        level = f"{self.confidence_level:.0%} interval"
        rows = [
            [
                *(row.procedure, row.metric, percent(row.share), f"{percent(row.low)} to {percent(row.high)}"),
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
        return f"True nulls rejected at {self.alpha:g} ({self._where(self.n_datasets)})."


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
        return f"Rejected at {self.alpha:g} ({self._where(self.n_datasets)})."


def share_below(pvalues: FloatArray, alpha: float, confidence_level: float) -> Share:
    """Share of the p-values below a level; those that are not there count as not below, unless all are."""
    if np.isnan(pvalues).all():
        return Share(nan, nan, nan)
    return share_of(int(np.count_nonzero(pvalues < alpha)), len(pvalues), confidence_level)
