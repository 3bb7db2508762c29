"""The record of a test of all pairs of models."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record, shown
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.inference._kinds import ALPHA, listed
from skcompare.inference.datasets._letters import compact_letters


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class PairwiseResult(Record):
    """Result of a test of every pair of models on many data sets.

    Attributes
    ----------
    names : tuple of str
        The k models, in the order of the matrices.
    statistics : ndarray of shape (k, k)
        The statistic of models i and j at [i, j]; positive, where it has a sign, if i is the better one. 0 on the
        diagonal.
    pvalues : ndarray of shape (k, k)
        Two-sided, adjusted for the number of pairs as `correction` says: the ones to decide on. Symmetric, 1 on the
        diagonal.
    pvalues_unadjusted : ndarray of shape (k, k)
        Each for its own pair alone; equal to `pvalues` where the procedure is about all pairs from the start.
    estimates : ndarray of shape (k, k)
        How much better i is than j, in the units named in `estimate_of`; antisymmetric.
    estimate_of : str
        What `estimates` are differences of: ``"mean rank"`` (turned so that positive favours i), ``"score"`` and so on.
    critical_difference : float
        The least absolute estimate that is significant at 5%; nan where the procedure has no common one.
    correction : str
        How the p-values were adjusted.
    n : int
        Number of data sets.
    """

    names: tuple[str, ...]
    statistics: FloatArray
    pvalues: FloatArray
    pvalues_unadjusted: FloatArray
    estimates: FloatArray
    estimate_of: str
    critical_difference: float
    correction: str
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _tables(self) -> list[Table]:
        rows = [
            [self.names[i], self.names[j], *(shown(float(x[i, j])) for x in (self.estimates, self.pvalues))]
            for i, j in combinations(range(len(self.names)), 2)
        ]
        return [Table(("a", "b", f"a - b ({self.estimate_of})", f"p adj. ({self.correction})"), rows)]

    def _sentence(self) -> str:
        pairs = [(i, j) for i, j in combinations(range(len(self.names)), 2) if self.pvalues[i, j] < ALPHA]
        found = [
            f"{self.names[i if self.estimates[i, j] > 0 else j]} better than "
            f"{self.names[j if self.estimates[i, j] > 0 else i]}"
            for i, j in pairs
        ]
        n_pairs = len(self.names) * (len(self.names) - 1) // 2
        which = f": {listed(found)}" if found else ""
        return f"A difference is shown at {ALPHA:.0%} for {len(found)} of {n_pairs} pair(s){which}."

    def __str__(self) -> str:
        found = [
            f"{self.names[i]} - {self.names[j]} {self.estimates[i, j]:+.4g}, p = {self.pvalues[i, j]:.3g}"
            for i, j in combinations(range(len(self.names)), 2)
        ]
        return "\n".join([f"{self.method} on {self.n} data set(s), differences of {self.estimate_of}:", *found])

    def groups(self, alpha: float = 0.05) -> dict[str, str]:
        """Compact letters: two models share a letter exactly when they do not differ significantly at `alpha`.

        Parameters
        ----------
        alpha : float, default=0.05
            In (0, 1).

        Returns
        -------
        dict of str to str
            The letters of each model, best models first.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1).
        """
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return compact_letters(self.pvalues < alpha, self.estimates.mean(axis=1), self.names)

    def to_frame(self) -> Any:
        """One row per pair as a pandas DataFrame, with the unadjusted and the adjusted p-value; needs pandas."""
        pandas = import_pandas()
        return pandas.DataFrame(
            [
                (
                    self.names[i],
                    self.names[j],
                    self.estimates[i, j],
                    self.statistics[i, j],
                    self.pvalues_unadjusted[i, j],
                    self.pvalues[i, j],
                )
                for i, j in combinations(range(len(self.names)), 2)
            ],
            columns=["a", "b", "estimate", "statistic", "pvalue_unadjusted", "pvalue"],
        )
