"""The candidates of a search by rank, with their distance to the best and whether they are significantly worse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.numbers import equal_to
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING, corrected_factor
from skcompare.inference._overlap import Correction
from skcompare.selection._search import SearchScores


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Candidate(Record):
    """One candidate of a search, in the ranking by the deciding metric.

    Attributes
    ----------
    rank : int
        From 1; candidates with equal means share a rank, and those that failed the last one.
    index : int
        Its position in ``cv_results_``.
    name : str
        Its parameters in words, as they differ between the candidates.
    params : mapping of str to object
        Its parameters.
    mean, deviation : float
        Of its scores over the splits, in score units (``ddof=1``); nan where it failed.
    difference : float
        Its mean less that of the best, in score units, at most 0; nan where it failed.
    low, high : float
        Interval of that difference for this candidate alone, by the t test of the ranking, at one minus the report's
        level: 95% at 5%; both 0 for the best, nan where it failed, and where the difference does not vary.
    pvalue : float
        Of the hypothesis that it is as good as the best, adjusted for all comparisons of candidates with different
        scores; nan where it failed.
    significantly_different : bool
        Whether it is worse than the best at the report's level; False where it failed.
    fit_time : float
        Mean seconds of a fit; nan where unknown.
    same_as : str
        The first candidate of the ranking that has its scores on all splits, with which it counts as one; empty for
        that one, and where there is none.
    """

    rank: int
    index: int
    name: str
    params: Mapping[str, Any]
    mean: float
    deviation: float
    difference: float
    low: float
    high: float
    pvalue: float
    significantly_different: bool
    fit_time: float
    same_as: str = ""

    def _sentence(self) -> str:
        if self.mean != self.mean:
            return f"{self.name} failed."
        found = f"{self.name} has rank {self.rank} with a mean of {self.mean:.4g}"
        if self.rank == 1:
            return f"{found}."
        if self.same_as:
            return f"{found}; it has the same scores as {self.same_as}."
        differs = (
            "is significantly worse than" if self.significantly_different else "is not significantly different from"
        )
        return f"{found}; it {differs} the best (difference {self.difference:.3g}, {equal_to('p', self.pvalue)})."


def same_scores(scores: FloatArray) -> NDArray[np.intp]:
    """Of each candidate the first one with the same scores on all splits, but for rounding; shape (n_candidates,).

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Where one is nan the other must be.
    """
    largest = float(np.nanmax(np.abs(scores), initial=0.0))
    noise, values = ROUNDING * largest, np.where(np.isnan(scores), 3 * largest + 1, scores)
    means = values.mean(axis=1)
    order = np.argsort(means, kind="stable")
    values, means = values[order], means[order]
    first, free = np.arange(len(means)), np.ones(len(means), dtype=bool)
    for i, end in enumerate(np.searchsorted(means, means + 2 * noise, side="right").tolist()):
        if free[i] and end > i + 1:
            near = np.flatnonzero(free[i:end] & (np.abs(values[i:end] - values[i]).max(axis=1) <= noise)) + i
            first[order[near]], free[near] = order[near].min(), False
    return first


def rank(
    read: SearchScores,
    scores: FloatArray,
    complete: NDArray[np.bool_],
    *,
    best: int,
    pvalues: FloatArray,
    first: NDArray[np.intp],
    alpha: float,
) -> tuple[Candidate, ...]:
    """The ranking.

    Parameters
    ----------
    read : SearchScores
        The candidates.
    scores : ndarray of shape (n_complete, n_splits)
        Scores of those that did not fail, greater is better.
    complete : ndarray of bool of shape (n_candidates,)
        Which did not.
    best : int
        Which of these is the best.
    pvalues : ndarray of shape (n_complete,)
        Adjusted, of the best against each.
    first : ndarray of int of shape (n_complete,)
        The first one with the same scores.
    alpha : float
        Level of "significantly different".
    """
    means = scores.mean(axis=1)
    noise = ROUNDING * float(np.abs(scores).max())
    order = np.lexsort((-means, np.arange(len(means)) != best))  # of means that are equal but for rounding one leads
    columns = {
        "mean": means,
        "deviation": _at_least(scores.std(axis=1, ddof=1), noise),
        **_differences(scores, best, Correction.of(read.design), noise, alpha),
        "pvalue": pvalues,
    }
    places = np.flatnonzero(complete)
    ranks = _ranks(means[order], noise)
    led: dict[int, int] = {}
    for i in order.tolist():
        led.setdefault(int(first[i]), i)  # the one that the ranking has first
    ranked = [
        _candidate(
            read,
            int(places[i]),
            rank,
            {name: float(column[i]) for name, column in columns.items()},
            alpha,
            same_as="" if led[int(first[i])] == i else read.table.names[int(places[led[int(first[i])]])],
        )
        for i, rank in zip(order.tolist(), ranks, strict=True)
    ]
    nothing = dict.fromkeys(columns, float("nan"))
    failed = [_candidate(read, int(i), len(ranked) + 1, nothing, alpha) for i in np.flatnonzero(~complete)]
    return (*ranked, *failed)


def _candidate(
    read: SearchScores, place: int, rank: int, numbers: Mapping[str, float], alpha: float, same_as: str = ""
) -> Candidate:
    return Candidate(
        rank=rank,
        index=int(read.table.index[place]),
        name=read.table.names[place],
        params=read.table.params[place],
        significantly_different=numbers["pvalue"] < alpha,
        fit_time=float(read.fit_times[place]),
        same_as=same_as,
        **numbers,
    )


def _differences(
    scores: FloatArray, best: int, correction: Correction, noise: float, alpha: float
) -> dict[str, FloatArray]:
    """Mean differences to the best and their intervals by the default t test of the splits."""
    n = scores.shape[1]
    differences = scores - scores[best]
    means = differences.mean(axis=1)
    means[np.abs(means) <= noise] = 0.0
    errors = _at_least(differences.std(axis=1, ddof=1), noise) * corrected_factor(n, **correction.options)
    margins = -special.stdtrit(n - 1, alpha / 2) * errors
    margins[(errors == 0) & (means != 0)] = np.nan  # a difference that does not vary has no interval
    return {"difference": means, "low": means - margins, "high": means + margins}


def _at_least(deviations: FloatArray, noise: float) -> FloatArray:
    """Deviations, 0 where they are rounding."""
    return np.where(deviations <= noise, 0.0, deviations)


def _ranks(sorted_means: FloatArray, noise: float) -> list[int]:
    """Ranks of falling means; those that differ from the one before by rounding share its rank."""
    behind = np.concatenate([[True], -np.diff(sorted_means) > noise])
    return list(np.maximum.accumulate(np.where(behind, np.arange(len(behind)) + 1, 1)).tolist())
