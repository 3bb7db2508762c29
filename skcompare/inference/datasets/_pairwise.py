"""The record of a test of all pairs of models, and the letters that sum it up."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.record import Record, shown
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.inference._kinds import ALPHA, listed

BoolArray = NDArray[np.bool_]


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
        columns = [map(shown, of_pairs(x).tolist()) for x in (self.estimates, self.pvalues)]
        rows = [[*pair, *cells] for pair, *cells in zip(combinations(self.names, 2), *columns, strict=True)]
        return [Table(("a", "b", f"a - b ({self.estimate_of})", f"p adj. ({self.correction})"), rows)]

    def _sentence(self) -> str:
        estimates, pvalues = of_pairs(self.estimates), of_pairs(self.pvalues)
        found = [
            f"{a} better than {b}" if estimate > 0 else f"{b} better than {a}"
            for (a, b), estimate, pvalue in zip(combinations(self.names, 2), estimates, pvalues, strict=True)
            if pvalue < ALPHA
        ]
        which = f": {listed(found)}" if found else ""
        return f"A difference is shown at {ALPHA:.0%} for {len(found)} of {pvalues.size} pair(s){which}."

    def __str__(self) -> str:
        pairs = zip(combinations(self.names, 2), of_pairs(self.estimates), of_pairs(self.pvalues), strict=True)
        found = [f"{a} - {b} {estimate:+.4g}, p = {pvalue:.3g}" for (a, b), estimate, pvalue in pairs]
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
        frame = pandas.DataFrame(combinations(self.names, 2), columns=["a", "b"])
        return frame.assign(
            estimate=of_pairs(self.estimates),
            statistic=of_pairs(self.statistics),
            pvalue_unadjusted=of_pairs(self.pvalues_unadjusted),
            pvalue=of_pairs(self.pvalues),
        )


def of_pairs(matrix: FloatArray) -> FloatArray:
    """The values of a matrix above its diagonal: one per pair of models, in the order of `itertools.combinations`."""
    return np.asarray(matrix[np.triu_indices(len(matrix), 1)])


def compact_letters(different: BoolArray, goodness: FloatArray, names: tuple[str, ...]) -> dict[str, str]:
    """Letters such that two models share one exactly when they are not different.

    A letter is a set of models of which no two are different, and to which no model can be added; no letter can be
    left out. Where models that are not different lie between equally different ones, as with one critical difference,
    these letters are the runs of such models, and the only ones possible. Models and letters are listed from the best.
    """
    order = np.argsort(-goodness, kind="stable")
    alike = ~different[np.ix_(order, order)]
    np.fill_diagonal(alike, True)
    groups = sorted(_needed(_cover(alike)), key=lambda group: np.flatnonzero(group).tolist())
    return {
        names[model]: "".join(_letter(g) for g, group in enumerate(groups) if group[place])
        for place, model in enumerate(order.tolist())
    }


def _cover(alike: BoolArray) -> list[BoolArray]:
    """Groups of models that are all alike and cannot grow, which together hold every pair that is alike.

    Each starts from the first pair that is in none yet, a model and itself included, and grows by the model that
    brings most pairs that are in none, the best one of several.
    """
    missing = alike.copy()
    groups: list[BoolArray] = []
    for i, j in np.argwhere(np.triu(alike)).tolist():
        if not missing[i, j]:
            continue
        group = np.zeros(len(alike), dtype=np.bool_)
        group[[i, j]] = True
        while (candidates := alike[group].all(axis=0) & ~group).any():
            gain = np.where(candidates, missing[:, group].sum(axis=1), -1)
            group[np.argmax(gain)] = True
        missing[np.ix_(group, group)] = False
        groups.append(group)
    return groups


def _needed(groups: list[BoolArray]) -> list[BoolArray]:
    """The groups without those all of whose pairs are in others."""
    times = np.zeros((groups[0].size, groups[0].size), dtype=np.int64)
    for group in groups:
        times += np.outer(group, group)
    kept = []
    for group in groups:
        if (times[np.ix_(group, group)] > 1).all():
            times -= np.outer(group, group)
        else:
            kept.append(group)
    return kept


def _letter(index: int) -> str:
    """a to z, then a1 to z1 and so on."""
    lap, place = divmod(index, len(ascii_lowercase))
    return ascii_lowercase[place] + (str(lap) if lap else "")
