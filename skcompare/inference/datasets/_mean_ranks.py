"""Mean ranks of the models, and the comparison of every pair of them by one standard error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._studentized_range import studentized_range_pvalue
from skcompare.inference.datasets._omnibus import degenerate_answer
from skcompare.inference.datasets._pairwise import PairwiseResult, adjust_pairs, of_all_pairs, of_pairs
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
    # the variance of a rank is known, so that a correlation of the splits only adds to that of the mean
    shared = 1 + (table.n_datasets - 1) * table.correction.fold_correlation
    error = rank_standard_error(table.n_models, table.n_datasets) * float(np.sqrt(shared))
    return MeanRanks(means=table.ranks().mean(axis=0), standard_error=error)


def rank_standard_error(n_models: int, n_datasets: int) -> float:
    """Of the difference of two mean ranks without ties: Demsar (2006), equation of section 3.2.2."""
    return float(np.sqrt(n_models * (n_models + 1) / (6 * n_datasets)))


def conover_ranks(ranks: FloatArray, weight: float, of: str = "mean rank") -> MeanRanks:
    """Means of (weighted) ranks, with the variance estimated from the data sets' disagreement."""
    n, k = ranks.shape
    sums, df = ranks.sum(axis=0), (n - 1) * (k - 1)
    spread = 2 * float(n * (ranks**2).sum() - (sums**2).sum())
    return MeanRanks(means=sums / weight, standard_error=float(np.sqrt(spread / max(df, 1)) / weight), df=df, of=of)


def quade_ranks(table: DataSetScores, *, estimated: bool = False) -> MeanRanks:
    """Ranks within data sets, weighted by the rank of its range; the variance over permutations, or an estimate."""
    weights = table.range_ranks()
    weighted, weight = weights[:, None] * (table.ranks() - (table.n_models + 1) / 2), float(weights.sum())
    if estimated:
        return conover_ranks(weighted, weight, "weighted mean rank")
    variance = 2 / (table.n_models - 1) * float((weighted**2).sum())
    means, error = weighted.sum(axis=0) / weight, float(np.sqrt(variance) / weight)
    return MeanRanks(means=means, standard_error=error, of="weighted mean rank")


def aligned_ranks(table: DataSetScores) -> MeanRanks:
    """Ranks among all scores less the mean of their data set, with the variance over permutations within data sets."""
    ranks = table.aligned_ranks()
    within = float(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum())
    error = float(np.sqrt(2 * within / (table.n_models - 1)) / table.n_datasets)
    return MeanRanks(means=ranks.mean(axis=0), standard_error=error, of="mean aligned rank")


def compare_pairs(
    table: DataSetScores, ranks: MeanRanks, *, correction: str, method: str, warnings: tuple[CodedWarning, ...] = ()
) -> PairwiseResult:
    """Every difference of two mean ranks, over the standard error that they share, adjusted by `correction`."""
    estimates = ranks.means[None, :] - ranks.means[:, None]
    statistics = standardised(estimates, ranks.standard_error)
    raw = ranks.pvalues(statistics)
    if ranks.standard_error == 0:
        raw = np.where(np.isinf(statistics), 2.0 ** (1 - table.n_datasets), 1.0)
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
        case=table.correction.case,
        method=method,
        warnings=warnings + rank_warnings(table, ranks.standard_error),
    )


def studentized_range_pvalues(statistics: FloatArray, df: float = np.inf) -> FloatArray:
    """Of all pairs of as many means, from the matrix of their statistics."""
    k = len(statistics)
    return of_all_pairs(studentized_range_pvalue(of_pairs(statistics), k, df), k)


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


def rank_warnings(
    table: DataSetScores, standard_error: float, certain: CodedWarning = _UNANIMOUS
) -> tuple[CodedWarning, ...]:
    """The warnings that all comparisons of means share; `certain`, where the standard error is 0."""
    degenerate = degenerate_answer(table.ranks(), table.correction.case)
    if degenerate is not None:
        return degenerate[2]
    return (certain,) if standard_error == 0 else ()
