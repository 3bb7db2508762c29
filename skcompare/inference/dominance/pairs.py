"""Dominance tests and posteriors of many pairs of models at once: the numbers of one pair after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare.inference._distributions import probabilities_largest
from skcompare.inference._records import ROUNDING
from skcompare.inference.dominance.likelihood_ratio import EQUAL
from skcompare.inference.dominance.posterior import TIED
from skcompare.inference.dominance.statements import split_ties

Positions = NDArray[np.intp]
_PART = 2**21  # numbers that are looked at together; the posteriors of many pairs share their grids


@dataclass(frozen=True, slots=True, kw_only=True)
class ManyDominance:
    """What `dominance_test` and `dominance_posterior` find for many pairs.

    Attributes
    ----------
    statement, most_probable : ndarray of int of shape (n_pairs,)
        Indexes of statements, -1 where there is none.
    pvalue, probability, n_effective : ndarray of shape (n_pairs,)
        The mid-p value, the largest posterior probability, and the sum of the scaled counts.
    tied : ndarray of bool of shape (n_pairs,)
        Whether as many cases speak for either side on some metric, of which the procedures tell more.
    """

    statement: Positions
    pvalue: FloatArray
    most_probable: Positions
    probability: FloatArray
    n_effective: FloatArray
    tied: NDArray[np.bool_]


def many_dominance(
    scores: FloatArray, a: Positions, b: Positions, n_effective: float, rope: Sequence[float]
) -> ManyDominance:
    """Of pairs of models, of which `a` and `b` are the rows in finite scores (n_models, n_cases, n_metrics)."""
    n, m = scores.shape[1:]
    step = max(1, _PART // max(n, 3**m))
    columns = [np.ascontiguousarray(scores[:, :, j]) for j in range(m)]
    parts = [_of_some(columns, a[i : i + step], b[i : i + step], n_effective, rope) for i in range(0, len(a), step)]
    statement, pvalue, most_probable, probability, total, tied = map(np.concatenate, zip(*parts, strict=True))
    return ManyDominance(
        statement=statement,
        pvalue=pvalue,
        most_probable=most_probable,
        probability=probability,
        n_effective=total,
        tied=tied,
    )


def _of_some(
    columns: Sequence[FloatArray], a: Positions, b: Positions, n_effective: float, rope: Sequence[float]
) -> tuple[NDArray[np.generic], ...]:
    raw = _counts(columns, a, b, rope)
    scaled = raw * (n_effective / raw.sum(axis=1))[:, None]
    statement, n_a, n_b = _contests(scaled)
    probabilities = probabilities_largest(scaled + 1 / raw.shape[1])
    best = probabilities.argmax(axis=1)
    largest, second = _two_largest(probabilities, best)
    cells = raw.reshape(len(a), *(2,) * len(columns))
    rest = tuple(range(1, len(columns)))
    tied = np.any(
        [(cells.take(0, axis=j + 1) == cells.take(1, axis=j + 1)).all(axis=rest) for j in range(len(columns))], axis=0
    )
    return (
        statement,
        _pvalues(n_a, n_b),
        np.where(second >= largest - TIED, -1, best),
        largest,
        scaled.sum(axis=1),
        tied,
    )


def _counts(columns: Sequence[FloatArray], a: Positions, b: Positions, rope: Sequence[float]) -> FloatArray:
    """Counts of the statements as by `dominance_counts`, shape (n_pairs, 2**m)."""
    m = len(columns)
    pattern = np.zeros((len(a), columns[0].shape[1]), dtype=np.int64)
    with np.errstate(over="ignore"):
        for column, tie in zip(columns, rope, strict=True):
            x, y = column[a], column[b]
            d = x - y
            width = np.maximum(np.abs(x, out=x), np.abs(y, out=y), out=x)
            np.multiply(width, ROUNDING, out=width)
            if tie:
                np.add(width, tie, out=width)
            pattern *= 3
            pattern += d > width
            pattern += d >= np.negative(width, out=width)
    pattern += np.arange(len(a))[:, None] * 3**m
    patterns = np.bincount(pattern.ravel(), minlength=len(a) * 3**m).astype(np.float64)
    return split_ties(patterns, m, len(a)).reshape(len(a), 2**m)


def _two_largest(values: FloatArray, best: Positions) -> tuple[FloatArray, FloatArray]:
    """The largest value of each row, at `best`, and the largest of the others."""
    rows = np.arange(len(values))
    largest, others = values[rows, best], values.copy()
    others[rows, best] = -np.inf
    return largest, others.max(axis=1)


def _contests(counts: FloatArray) -> tuple[Positions, FloatArray, FloatArray]:
    """The most frequent statements, -1 where two are, their counts and the largest other counts."""
    best = counts.argmax(axis=1)
    n_a, n_b = _two_largest(counts, best)
    level = np.abs(n_a - n_b) <= EQUAL * np.maximum(n_a, n_b)
    return np.where(level, -1, best), n_a, np.where(level, n_a, n_b)


def _pvalues(n_a: FloatArray, n_b: FloatArray) -> FloatArray:
    """The mid-p values of winners against runners-up, 1 where both are level."""
    more = np.where(n_b > 0, special.betainc(n_a + 1, np.maximum(n_b, 1e-300), 0.5), 0.0)
    midp = np.minimum(1.0, 2 * ((special.betainc(n_a, n_b + 1, 0.5) + more) / 2))
    return np.where(n_a == n_b, 1.0, midp)
