"""Mean ranks of the models, and the comparison of every pair of them by one standard error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference.datasets._logical import adjust_pairs
from skcompare.inference.datasets._omnibus import NO_DIFFERENCE, TOO_FEW
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets._scores import DataSetScores

ALPHA = 0.05
_UNANIMOUS = Code.ZERO_VARIANCE(
    "all data sets rank the models alike, so the ranks do not vary; the unadjusted p-values are those of the sign test."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanRanks:
    """Mean ranks of the models of one table.

    Attributes
    ----------
    means : ndarray of shape (n_models,)
        The smallest belongs to the best model.
    standard_error : float
        Of the difference of two means if all models do equally well; 0 where the ranks do not vary.
    df : float
        Degrees of freedom of `standard_error`; infinite where it is known and not estimated.
    of : str
        The kind of rank that is averaged.
    """

    means: FloatArray
    standard_error: float
    df: float = np.inf
    of: str = "mean rank"

    def pvalues(self, statistics: FloatArray) -> FloatArray:
        """Two-sided, of differences over the standard error."""
        tail = special.ndtr(-np.abs(statistics)) if np.isinf(self.df) else special.stdtr(self.df, -np.abs(statistics))
        return np.asarray(np.minimum(1.0, 2 * tail))

    def critical_difference(self, n_tests: int) -> float:
        """The least difference that is significant at 5% after Bonferroni's correction for so many tests."""
        tail = ALPHA / (2 * n_tests)
        quantile = special.ndtri(tail) if np.isinf(self.df) else special.stdtrit(self.df, tail)
        return float(-quantile * self.standard_error) if self.standard_error > 0 else float("nan")


def friedman_ranks(table: DataSetScores) -> MeanRanks:
    """Ranks within data sets; ties are not allowed for, which errs towards large p-values."""
    return MeanRanks(
        means=table.ranks().mean(axis=0), standard_error=rank_standard_error(table.n_models, table.n_datasets)
    )


def rank_standard_error(n_models: int, n_datasets: int) -> float:
    """Of the difference of two mean ranks without ties: Demsar (2006), equation of section 3.2.2."""
    return float(np.sqrt(n_models * (n_models + 1) / (6 * n_datasets)))


def quade_ranks(table: DataSetScores) -> MeanRanks:
    """Ranks within data sets, weighted by the rank of the data set's range, with the variance over permutations."""
    weights, weighted = weighted_ranks(table)
    variance = 2 / (table.n_models - 1) * float((weighted**2).sum())
    return MeanRanks(
        means=weighted.sum(axis=0) / weights.sum(),
        standard_error=float(np.sqrt(variance) / weights.sum()),
        of="weighted mean rank",
    )


def aligned_ranks(table: DataSetScores) -> MeanRanks:
    """Ranks among all scores less the mean of their data set, with the variance over permutations within data sets."""
    ranks = table.aligned_ranks()
    within = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
    return MeanRanks(
        means=ranks.mean(axis=0),
        standard_error=float(np.sqrt(2 * within / (table.n_models - 1)) / table.n_datasets),
        of="mean aligned rank",
    )


def weighted_ranks(table: DataSetScores) -> tuple[FloatArray, FloatArray]:
    """The rank of each data set's range, 1 for the smallest, and centred ranks times it, 1 the best: Quade's S."""
    weights = table.range_ranks()
    return weights, weights[:, None] * (table.ranks() - (table.n_models + 1) / 2)


def compare_pairs(table: DataSetScores, ranks: MeanRanks, *, correction: str, method: str) -> PairwiseResult:
    """Every difference of two mean ranks, over the standard error that they share, adjusted by `correction`."""
    estimates = differences(ranks.means)
    statistics = standardised(estimates, ranks.standard_error)
    raw = ranks.pvalues(statistics)
    if ranks.standard_error == 0:
        raw = np.where(np.isinf(statistics), 2.0 ** (1 - table.n_datasets), raw)
    adjusted = adjust_pairs(raw, correction)
    n_tests = {"none": 1, "bonferroni": table.n_models * (table.n_models - 1) // 2}.get(correction)
    return PairwiseResult(
        names=table.names,
        statistics=unless_too_few(statistics, table, diagonal=0.0),
        pvalues=unless_too_few(adjusted, table),
        pvalues_unadjusted=unless_too_few(raw, table),
        estimates=estimates,
        estimate_of=ranks.of,
        critical_difference=ranks.critical_difference(n_tests) if n_tests and table.n_datasets > 1 else float("nan"),
        correction=correction,
        n=table.n_datasets,
        method=method,
        warnings=rank_warnings(table, ranks.standard_error),
    )


def differences(means: FloatArray) -> FloatArray:
    """How much smaller the mean rank of i is than that of j, at [i, j]."""
    return means[None, :] - means[:, None]


def standardised(estimates: FloatArray, standard_error: float) -> FloatArray:
    """Estimates over their standard error; infinite, with its sign, where only the latter is 0."""
    if standard_error > 0:
        return estimates / standard_error
    return np.where(estimates == 0, 0.0, np.copysign(np.inf, estimates))


def unless_too_few(matrix: FloatArray, table: DataSetScores, *, diagonal: float = 1.0) -> FloatArray:
    """The matrix of all pairs, or nan off its diagonal where there is one data set only."""
    if table.n_datasets > 1:
        return matrix
    return np.where(np.eye(table.n_models, dtype=np.bool_), diagonal, np.nan)


def rank_warnings(table: DataSetScores, standard_error: float) -> tuple[CodedWarning, ...]:
    """The warnings that all comparisons of mean ranks share."""
    if table.n_datasets < 2:
        return (TOO_FEW,)
    if nothing_differs(table):
        return (NO_DIFFERENCE,)
    return (_UNANIMOUS,) if standard_error == 0 else ()


def nothing_differs(table: DataSetScores) -> bool:
    """Whether all models are equal on every data set."""
    return bool((np.ptp(table.ranks(), axis=1) == 0).all())
