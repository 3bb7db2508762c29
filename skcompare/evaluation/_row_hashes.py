"""X as columns, and a 64-bit hash of every row that is the sum of the hashes of its values.

So no copy of X is made, few columns are read where they show that all rows differ, and a column can be taken out again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from skcompare.evaluation._input import is_missing

Hashes = NDArray[np.uint64]
MOST_SPARSE = 2000  # columns of a sparse matrix of which rows are read as an array
_FIRST = 4  # columns that are read of all rows; four times as many of those that are equal on them, and so on


def is_sparse(X: Any) -> bool:
    return bool(issparse(X))


class Columns:
    """X as columns, which are read when they are needed."""

    def __init__(self, n_rows: int, names: list[Any], column: Callable[[int], NDArray[Any]], X: Any) -> None:
        self.n_rows, self.names, self.column, self.X = n_rows, names, column, X

    @classmethod
    def of(cls, X: Any) -> Columns | None:
        """None where X has no columns that could be read."""
        if is_sparse(X):
            return cls.of_sparse(X.tocsr())
        if hasattr(X, "columns") and (hasattr(X, "iloc") or hasattr(X, "get_column")):
            names = list(X.columns)
            if len(set(map(str, names))) < len(names):
                return None
            return cls(X.shape[0], names, lambda j: np.asarray(X[names[j]]), None)
        if not isinstance(X, (np.ndarray, list, tuple)):
            return None
        try:
            array = np.asarray(X)
        except ValueError:  # rows of different lengths
            return None
        array = array.reshape(len(array), -1)
        return cls(len(array), list(range(array.shape[1])), lambda j: array[:, j], array)

    @classmethod
    def of_sparse(cls, X: Any) -> Columns:
        return cls(X.shape[0], list(range(X.shape[1])), lambda j: X[:, [j]].toarray()[:, 0], X)

    def take(self, rows: NDArray[np.intp]) -> Columns:
        """Some rows; of a sparse matrix with few columns as an array."""
        if self.X is None:
            return Columns(len(rows), self.names, lambda j: self.column(j)[rows], None)
        part = self.X[rows]
        if is_sparse(part) and len(self.names) > MOST_SPARSE:
            return Columns.of_sparse(part)
        part = part.toarray() if is_sparse(part) else part
        return Columns(len(rows), self.names, lambda j: part[:, j], part)

    def hashes(self, columns: NDArray[np.intp] | None = None) -> Hashes:
        """One per row, of some columns or of all; the hash of several columns is the sum of theirs."""
        if is_sparse(self.X):  # of all columns
            found = mixed(self.X.data, self.X.indices)
            found[self.X.data == 0] = 0
            ends = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(found, dtype=np.uint64)])
            return np.asarray(ends[self.X.indptr[1:]] - ends[self.X.indptr[:-1]])
        columns = np.arange(len(self.names)) if columns is None else columns
        found = np.zeros(self.n_rows, dtype=np.uint64)
        for j in columns:
            found += mixed(self.column(j), j)
        return found

    def without(self, hashes: Hashes, columns: list[int]) -> Hashes:
        """The hashes of all columns but some."""
        left = hashes.copy()
        for j in columns:
            values = self.column(j)
            own = mixed(values, j)
            if is_sparse(self.X):
                own[values == 0] = 0
            left -= own
        return left

    def copies(self) -> NDArray[np.intp]:
        """The rows that another row equals. Most rows differ in the first few columns, so that few values are read."""
        if is_sparse(self.X):
            return np.arange(self.n_rows)[_repeated(self.hashes())]
        order = np.random.default_rng(0).permutation(len(self.names))
        rows, hashes, done, size = np.arange(self.n_rows), np.zeros(self.n_rows, dtype=np.uint64), 0, _FIRST
        while done < len(order) and len(rows):
            part = self if len(rows) == self.n_rows else self.take(rows)
            hashes = hashes + part.hashes(order[done : done + size])
            again = _repeated(hashes)
            rows, hashes, done, size = rows[again], hashes[again], done + size, 4 * size
        return rows


def _repeated(hashes: Hashes) -> NDArray[np.bool_]:
    """Which of them occur more than once."""
    ordered = np.sort(hashes)
    twice = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    return np.isin(hashes, twice) if len(twice) else np.zeros(len(hashes), dtype=bool)


def mixed(values: NDArray[Any], columns: Any) -> Hashes:
    """A hash of every value in its column; equal numbers have equal ones, and so have missing values."""
    bits = _bits(values)
    odd = 2 * np.asarray(columns).astype(np.uint64).reshape(-1) + np.uint64(1)
    factor = odd * np.uint64(0x9E3779B97F4A7C15)
    bits = (bits + factor) * np.uint64(0xBF58476D1CE4E5B9)
    bits ^= bits >> np.uint64(31)
    bits *= factor | np.uint64(1)
    bits ^= bits >> np.uint64(29)
    return np.asarray(bits)


def _bits(values: NDArray[Any]) -> Hashes:
    kind = values.dtype.kind
    if kind in "biu":
        return values.astype(np.int64 if kind != "u" else np.uint64).view(np.uint64)
    if kind == "f":
        numbers = values.astype(np.float64) + 0.0  # -0 is 0
        numbers[np.isnan(numbers)] = np.nan
        bits = numbers.view(np.uint64)
        return np.asarray(bits ^ (bits >> np.uint64(32)))
    if kind in "mM":
        return values.astype(np.int64).view(np.uint64)
    hashed = [0 if is_missing(value) else hash(value) for value in values.ravel().tolist()]
    return np.array(hashed, dtype=np.int64).view(np.uint64).reshape(values.shape)


def n_distinct(hashes: Hashes) -> int:
    ordered = np.sort(hashes)
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1]))
