"""The exact null distribution of Friedman's statistic, given the ties."""

from __future__ import annotations

from collections.abc import Iterator
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.inference.datasets._scores import tie_sizes

IntArray = NDArray[np.int64]

# Listing one number of one arrangement takes as long as adding up this many.
_LISTING = 10


def exact_pvalue(ranks: FloatArray, most: int) -> float | None:
    """Probability of rank sums at least as uneven as observed, over all arrangements of each data set's ranks.

    The rank sums are added up data set by data set. Models are interchangeable, so sorted vectors of sums suffice,
    and the last data set needs the sums of squares alone.

    Parameters
    ----------
    ranks : ndarray of shape (n_datasets, n_models)
        Mean ranks within each data set.
    most : int
        Numbers that may be computed.

    Returns
    -------
    float or None
        In (0, 1]; None where `most` is too few.
    """
    k = ranks.shape[1]
    # whole numbers that sum to 0 on each data set
    doubled = np.rint(2 * ranks).astype(np.int64) - (k + 1)
    observed = int((doubled.sum(axis=0) ** 2).sum())
    ways = [_n_arrangements(row) for row in ranks]
    rows = [np.sort(doubled[i]) for i in np.argsort(ways, kind="stable") if ways[i] > 1]
    if len(rows) < 2:
        return 1.0
    largest = k * len(rows)
    if max(ways) * k * _LISTING > most or (2 * largest + 1) ** (k - 1) > np.iinfo(np.int64).max:
        return None
    arrangements = {
        values: np.array(list(_arrangements(values)), dtype=np.int64) for values in {tuple(r.tolist()) for r in rows}
    }
    states, weights, computed = rows[0][None], np.ones(1), 0
    for step, row in enumerate(rows[1:], start=2):
        moves = arrangements[tuple(row.tolist())]
        computed += len(states) * moves.size
        if computed > most:
            return None
        if step < len(rows):
            states, weights = _added(states, weights, moves, largest)
    # |state + move|^2 is |state|^2 + |move|^2 + 2 state.move, of which only the last depends on the arrangement
    squares = (states**2).sum(axis=1) + int(row @ row)
    reached = squares[:, None] + 2 * (states.astype(np.float64) @ moves.T.astype(np.float64)) >= observed
    return min(1.0, float(weights @ reached.mean(axis=1)))


def _n_arrangements(ranks: FloatArray) -> int:
    """In how many orders the ranks of one data set can stand."""
    return factorial(ranks.size) // prod(factorial(int(size)) for size in tie_sizes(ranks))


def _arrangements(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The different orders of `values`."""
    if not values:
        yield ()
    for first in sorted(set(values)):
        at = values.index(first)
        for rest in _arrangements(values[:at] + values[at + 1 :]):
            yield (first, *rest)


def _added(states: IntArray, weights: FloatArray, moves: IntArray, largest: int) -> tuple[IntArray, FloatArray]:
    """The sorted vectors one data set further, each once, and their probabilities."""
    k = states.shape[1]
    reached = np.sort((states[:, None] + moves).reshape(-1, k), axis=1)
    # a vector sums to 0, so that all but one of its elements are the digits of a number that stands for it
    digits = (2 * largest + 1) ** np.arange(k - 1, dtype=np.int64)
    _, first, which = np.unique((reached[:, 1:] + largest) @ digits, return_index=True, return_inverse=True)
    probabilities = np.bincount(which, np.repeat(weights / len(moves), len(moves))).astype(np.float64)
    return reached[first], probabilities
