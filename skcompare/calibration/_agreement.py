"""How well verdicts agree over splits: the records of `replicability`, and what they are computed by."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np
from scipy.special import stdtrit

from skcompare._core.html import Table
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.calibration._estimate import Estimate, percent
from skcompare.inference import proportion_interval


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Replicability(Record):
    """How well the verdicts of one procedure on one metric agree over splits.

    Attributes
    ----------
    procedure : str
        Its name.
    metric : str
        The metric, or ``"all metrics"``.
    replicability : float
        Bouckaert's R: the probability that two randomly chosen repeats on the same data set agree, averaged over data
        sets; in [0, 1], nan where no data set has all its p-values.
    low, high : float
        Interval of Student's t for the error of the simulation, cut to [0, 1]; where all data sets have the same R,
        that of Clopper and Pearson for a share of so many data sets.
    consistency : float
        Share of the data sets on which all repeats agree, in [0, 1].
    consistency_low, consistency_high : float
        Its interval (Clopper and Pearson).
    rejected : float
        Share of all p-values below the level, in [0, 1].
    n_datasets : int
        Data sets on which every repeat gave a p-value.
    n_undefined : int
        Data sets that are left out, since some repeat gave none.
    warnings : tuple of str
        Reasons to distrust the row.
    """

    procedure: str
    metric: str
    replicability: float
    low: float
    high: float
    consistency: float
    consistency_low: float
    consistency_high: float
    rejected: float
    n_datasets: int
    n_undefined: int
    warnings: tuple[CodedWarning, ...] = ()

    def __str__(self) -> str:
        return (
            f"{self.procedure} on {self.metric}: two runs agree in {percent(self.replicability)} "
            f"({percent(self.low)} to {percent(self.high)}), all in {percent(self.consistency)}; "
            f"rejected {percent(self.rejected)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False, eq=False)
class ReplicabilityEstimate(Estimate[Replicability]):
    """How well verdicts agree when the same data are split again.

    Attributes
    ----------
    rows : tuple of Replicability
        One per procedure and metric.
    alpha : float
        Nominal level, in (0, 1).
    confidence_level : float
        Of the intervals, in (0, 1).
    models : tuple of (str, str)
        Names of the two models.
    design : Design
        How the first data set was resampled; all are alike.
    generator : str
        What drew the data sets.
    pvalues : ndarray of shape (n_rows, n_datasets, n_repeats)
        In [0, 1], read-only; nan where a procedure gave none.
    warnings : tuple of str
        Reasons to distrust all rows.
    """

    pvalues: FloatArray
    warnings: tuple[CodedWarning, ...] = ()

    def _rows_at(self, alpha: float) -> tuple[Replicability, ...]:
        return tuple(
            agreement(row.procedure, row.metric, pvalues, alpha, self.confidence_level)
            for row, pvalues in zip(self.rows, self.pvalues, strict=True)
        )

    def _tables(self) -> list[Table]:
        level = f"{self.confidence_level:.0%} interval"
        rows = [
            [
                *(row.procedure, row.metric, percent(row.replicability), f"{percent(row.low)} to {percent(row.high)}"),
                *(percent(row.consistency), percent(row.rejected)),
            ]
            for row in self.rows
        ]
        return [Table(("procedure", "metric", "two agree", level, "all agree", "rejected"), rows)]

    def _sentence(self) -> str:
        _, n_datasets, n_repeats = self.pvalues.shape
        return f"Agreement of {n_repeats} runs at {self.alpha:g} ({self._where(n_datasets)})."


def agreement(procedure: str, metric: str, pvalues: FloatArray, alpha: float, confidence_level: float) -> Replicability:
    """Bouckaert's R and the consistency of the verdicts, from p-values of shape (n_datasets, n_repeats)."""
    complete = ~np.isnan(pvalues).any(axis=1)
    own, n_repeats = pvalues[complete], pvalues.shape[1]
    n, n_undefined = len(own), int((~complete).sum())
    undefined = Code.UNDEFINED(
        f"{procedure} on {metric} gave no p-value in some repeat of {n_undefined} of {len(pvalues)} "
        f"data sets; these are left out."
    )
    if not n:
        low = high = mean = consistent = rejected = c_low = c_high = nan
    else:
        count = (own < alpha).sum(axis=1)
        found = replicability_of(count, n_repeats)
        mean = float(found.mean())
        low, high = _mean_interval(found, confidence_level)
        n_consistent = int(np.count_nonzero((count == 0) | (count == n_repeats)))
        interval = proportion_interval(n_consistent, n, confidence_level=confidence_level, method="clopper_pearson")
        consistent, c_low, c_high = n_consistent / n, interval.low, interval.high
        rejected = float(count.sum()) / own.size
    return Replicability(
        procedure=procedure,
        metric=metric,
        replicability=mean,
        low=low,
        high=high,
        consistency=consistent,
        consistency_low=c_low,
        consistency_high=c_high,
        rejected=rejected,
        n_datasets=n,
        n_undefined=n_undefined,
        warnings=(undefined,) if n_undefined else (),
    )


def replicability_of(n_rejected: Any, n_repeats: int) -> FloatArray:
    """R, the probability that two of `n_repeats` verdicts agree of which `n_rejected` reject."""
    c, n = np.asarray(n_rejected, dtype=float), n_repeats
    return np.asarray((c * (c - 1) + (n - c) * (n - c - 1)) / (n * (n - 1)))


def _mean_interval(values: FloatArray, confidence_level: float) -> tuple[float, float]:
    """Interval for the mean of values in [0, 1]."""
    n, mean = len(values), float(values.mean())
    error = float(values.std(ddof=1)) / sqrt(n) if n > 1 and np.ptp(values) else 0.0
    if not error:
        k = round(mean * n)
        interval = proportion_interval(k, n, confidence_level=confidence_level, method="clopper_pearson")
        return min(interval.low, mean), max(interval.high, mean)
    half = -float(stdtrit(n - 1, (1 - confidence_level) / 2)) * error
    return max(mean - half, 0.0), min(mean + half, 1.0)
