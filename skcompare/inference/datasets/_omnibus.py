"""The record of a test that many models do equally well, and the steps that several such tests share."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import exp, lgamma

import numpy as np
from scipy import special

from skcompare._core.html import Table
from skcompare._core.numbers import equal_to
from skcompare._core.record import shown
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._kinds import OmnibusTest, counts_in_words, significantly
from skcompare.inference.datasets._scores import tie_sizes

SCORE, LESS_IS_BETTER = "score", "score, less is better"
PAIRING_IGNORED = Code.PAIRING_IGNORED(
    "the scores are taken as independent samples, although models share data sets; how hard each "
    "data set is counts as noise, and the p-value is too large as a rule."
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class OmnibusResult(OmnibusTest):
    """Result of a test that many models do equally well on many data sets, or on the splits of one.

    It has no direction, and a small p-value does not say which models differ.

    Attributes
    ----------
    statistic : float
        At least 0, larger where the models differ more; infinite for an F ratio whose denominator is 0; nan with
        fewer than two data sets or splits.
    pvalue : float
        In [0, 1]; nan only with fewer than two data sets or splits.
    df : tuple of float
        Degrees of freedom of the distribution that `statistic` is referred to: one of chi-squared, or numerator and
        denominator of F. An exact p-value does not use them.
    effect_size : float
        In [0, 1]: 0 where the models do equally well, 1 where they differ as much as they could; nan with fewer than
        two data sets or splits.
    effect_size_name : str
        What `effect_size` is.
    means : ndarray of shape (n_models,)
        The mean of each model, of what `means_of` says.
    means_of : str
        ``"score"``, in score units; ``"score, less is better"``, or the kind of rank, where the smallest mean belongs
        to the best model.
    names : tuple of str
        The models, in the order of `means`.
    n : int
        Number of data sets or splits used.
    exact : bool
        Whether the p-value is of the exact null distribution, given the ties.
    case : {"data set", "split"}
        What `n` counts.
    n_rearrangements : int
        In how many ways the ranks of the data sets could be arranged, of which an exact p-value is a share; else 0.
    n_extreme : int
        In how many of them, the observed one included, the models differ at least as much; rounded as `pvalue` is
        where there are more than 2**53, and else 0.
    """

    statistic: float
    pvalue: float
    df: tuple[float, ...]
    effect_size: float
    effect_size_name: str
    means: FloatArray
    means_of: str
    names: tuple[str, ...]
    n: int
    exact: bool
    method: str
    case: str = "data set"
    n_rearrangements: int = field(default=0, repr=False)
    n_extreme: int = field(default=0, repr=False)
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        if self.pvalue != self.pvalue:
            return f"It is not known whether the models differ on {counted(self.n, self.case)}."
        df = " and ".join(f"{value:g}" for value in self.df)
        how = f"statistic {self.statistic:.4g} on {df} df, {self.effect_size_name} {self.effect_size:.3g}"
        found = f"The models are {significantly(self.pvalue)} different on {counted(self.n, self.case)}"
        counts = counts_in_words(self.n_extreme, self.n_rearrangements)
        return f"{found}, {equal_to('p', self.pvalue)} ({how}{f'; {counts}' if counts else ''})."

    def _tables(self) -> list[Table]:
        ranked = self.means_of not in (SCORE, LESS_IS_BETTER)
        order = np.argsort(-self.means if self.means_of == SCORE else self.means, kind="stable")  # the best first
        rows = [[self.names[i], f"{self.means[i]:.2f}" if ranked else shown(float(self.means[i]))] for i in order]
        return [Table(("model", f"mean {self.means_of}"), rows)]


def concordance(centred: FloatArray, total: float | None = None) -> float:
    """How far the data sets agree, from 0 to 1, from ranks that sum to 0 on each: Kendall's W of plain ranks.

    The sum of squares of the model means over the total one, which is `total` where another than the observed one
    is wanted; 0 where it is 0.
    """
    total = float((centred**2).sum()) if total is None else total
    between = float((centred.sum(axis=0) ** 2).sum()) / len(centred)
    return between / total if total else 0.0


def f_ratio(agreement: float, n_datasets: int) -> float:
    """Between models over residual mean square, from the share of the former in the sum of squares."""
    return (n_datasets - 1) * agreement / (1 - agreement) if agreement < 1 else np.inf


def chi2_pvalue(statistic: float, df: float) -> float:
    """Upper tail of the chi-squared distribution."""
    return float(special.chdtrc(df, statistic))


def agreement_pvalue(ranks: FloatArray, n_independent: float | None = None) -> float:
    """Probability that all data sets rank the models alike, as they all do in `ranks`, tied where these are.

    Where the rows share training samples `n_independent` is the number of data sets that they are worth.
    """
    n = len(ranks) if n_independent is None else n_independent
    log_arrangements = lgamma(ranks.shape[1] + 1) - sum(lgamma(size + 1) for size in tie_sizes(ranks[0]))
    return min(1.0, exp(-(n - 1) * log_arrangements))


def degenerate_answer(
    ranks: FloatArray, case: str = "data set"
) -> tuple[float, float, tuple[CodedWarning, ...]] | None:
    """Statistic, p-value and warnings where `ranks` on the data sets leave nothing to compute, else None."""
    if len(ranks) < 2:
        return np.nan, np.nan, (Code.TOO_FEW(f"a test needs at least 2 {case}s."),)
    if (ranks == ranks[0, 0]).all():
        return 0.0, 1.0, (Code.NO_DIFFERENCE(f"the models have equal scores on every {case}."),)
    return None
