"""Student's t for many pairs of models at once: the numbers that the procedures give pair by pair, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.inference._distributions import FAR, t_quantile
from skcompare.inference._kinds import Compared, interval_for
from skcompare.inference._overlap import Correction
from skcompare.inference._records import LARGEST_DIFFERENCE, ORDINARY, ROUNDING, TTestResult

Positions = NDArray[np.intp]
_PART = 2**16  # numbers of differences that are looked at together


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyDifferences:
    """Paired differences ``a - b`` of many pairs of models on the same cases.

    Attributes
    ----------
    mean, std : ndarray of shape (n_pairs,)
        Of the differences of each pair.
    wins, losses : ndarray of shape (n_pairs,)
        Cases on which `a` is better, and `b`; differences by rounding are ties.
    n : int
        Cases.
    ordinary : ndarray of bool of shape (n_pairs,)
        Whether the differences vary by more than rounding, and their squares neither overflow nor vanish: of others
        `paired_differences` tells more.
    """

    mean: FloatArray
    std: FloatArray
    wins: NDArray[np.intp]
    losses: NDArray[np.intp]
    n: int
    ordinary: NDArray[np.bool_]


def many_differences(scores: FloatArray, a: Positions, b: Positions) -> ManyDifferences:
    """The differences of pairs of models, of which `a` and `b` are the rows in finite scores (n_models, n_cases)."""
    largest = np.abs(scores).max(axis=1)
    n = scores.shape[1]
    step = max(1, _PART // n)
    parts = [_of_some(scores, largest, a[i : i + step], b[i : i + step]) for i in range(0, len(a), step)]
    mean, std, wins, losses, ordinary = map(np.concatenate, zip(*parts, strict=True))
    return ManyDifferences(mean=mean, std=std, wins=wins, losses=losses, n=n, ordinary=ordinary)


def _of_some(scores: FloatArray, largest: FloatArray, a: Positions, b: Positions) -> tuple[NDArray[np.generic], ...]:
    """Mean, deviation, wins, losses and whether they are ordinary, in the order of operations of single pairs."""
    x, y = scores[a], scores[b]
    with np.errstate(all="ignore"):  # of pairs that are not ordinary
        d = x - y
        high, low = d.max(axis=1), d.min(axis=1)
        width = np.maximum(np.abs(x, out=x), np.abs(y, out=y), out=x)
        np.multiply(width, ROUNDING, out=width)
        wins = (d > width).sum(axis=1)
        losses = (d < np.negative(width, out=width)).sum(axis=1)
        mean = np.add.reduce(d, axis=1) / d.shape[1]
        np.subtract(d, mean[:, None], out=d)
        std = np.sqrt(np.add.reduce(np.multiply(d, d, out=d), axis=1) / (d.shape[1] - 1))
        greatest = np.maximum(high, -low)
        ordinary = (high - low > ROUNDING * np.maximum(largest[a], largest[b])) & (greatest <= LARGEST_DIFFERENCE)
        ordinary &= (greatest > ORDINARY[0]) & (greatest < ORDINARY[1]) & (std > 0)
    return mean, std, wins, losses, ordinary


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyTTests:
    """What `t_test` finds for many pairs; of those that are not `ordinary` nothing is known.

    Attributes
    ----------
    differences : ManyDifferences
        What was tested.
    standard_error, statistic, pvalue : ndarray of shape (n_pairs,)
        As in `TTestResult`.
    ordinary : ndarray of bool of shape (n_pairs,)
        Whether the pair was tested here.
    """

    differences: ManyDifferences
    standard_error: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    ordinary: NDArray[np.bool_]
    df: float
    alternative: str
    null: float
    method: str

    def limits(self, tail: float) -> tuple[FloatArray, FloatArray]:
        """The ends of the intervals that leave out `tail` on each closed side."""
        margin = -t_quantile(self.df, tail) * self.standard_error
        mean = self.differences.mean
        ends = interval_for(self.alternative, mean - margin, mean + margin)  # type: ignore[arg-type]
        return np.broadcast_to(ends.low, mean.shape), np.broadcast_to(ends.high, mean.shape)

    def record(self, i: int, compared: Compared, warnings: tuple[CodedWarning, ...]) -> TTestResult:
        """The record of a pair, with the warnings of its scores: it has none of its own."""
        d = self.differences
        mean, std = float(d.mean[i]), float(d.std[i])
        return TTestResult(
            statistic=float(self.statistic[i]),
            pvalue=float(self.pvalue[i]),
            df=self.df,
            alternative=self.alternative,
            estimate=mean,
            mean_difference=mean,
            standard_error=float(self.standard_error[i]),
            effect_size=mean / std,
            n=d.n,
            null=self.null,
            method=self.method,
            compared=compared,
            warnings=warnings,
        )


def many_corrected_t(
    differences: ManyDifferences,
    test_fraction: float,
    alternative: str,
    *,
    null: float = 0.0,
    overlap: float = 1.0,
    name: str = "corrected t test",
) -> ManyTTests:
    """`corrected_t` of many pairs."""
    correction = Correction(test_fraction=test_fraction, overlap=overlap)
    error = differences.std * correction.variance(differences.n) ** 0.5
    df = float(differences.n - 1)
    with np.errstate(all="ignore"):  # of pairs that are not ordinary
        statistic = (differences.mean - null) / error
        beyond = {"two-sided": np.abs(statistic), "greater": statistic, "less": -statistic}[alternative]
        pvalue = special.stdtr(df, -beyond)
        if alternative == "two-sided":
            pvalue = np.minimum(1.0, 2 * pvalue)
    return ManyTTests(
        differences=differences,
        standard_error=error,
        statistic=statistic,
        pvalue=np.asarray(pvalue, dtype=np.float64),
        ordinary=differences.ordinary & (np.abs(statistic) <= FAR),
        df=df,
        alternative=alternative,
        null=null,
        method=f"{name} ({correction})",
    )
