"""What the statistics of the max-t test are compared with: sums of rows with other signs, and normal samples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from skcompare._core.validation import FloatArray

# Numbers held at once
_CHUNK = 2**20


def settled(rows: FloatArray) -> FloatArray:
    """Rows that move, with signs and in an order that depend neither on the order of the cases nor of the models.

    Reversing all signs of a row changes nothing in the set of its flips.
    """
    rows = rows[rows.any(axis=1)]
    first = np.take_along_axis(rows, (rows != 0).argmax(axis=1)[:, None], axis=1)
    rows = rows * np.sign(first)
    return rows[np.lexsort(rows.T[::-1])]


def all_flips(rows: FloatArray) -> Iterator[FloatArray]:
    """Sums of the rows with all their signs, in chunks of shape (size, m)."""
    half = len(rows) // 2
    left, right = _signed_sums(rows[:half]), _signed_sums(rows[half:])
    for sums in left:
        yield sums + right


def _signed_sums(rows: FloatArray) -> FloatArray:
    sums = np.zeros((1, rows.shape[1]))
    for row in rows:
        sums = np.concatenate((sums + row, sums - row))
    return sums


def random_flips(rows: FloatArray, drawn: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    for size in _chunks(drawn, rows.size):
        signs = 2.0 * generator.integers(0, 2, size=(size, len(rows)), dtype=np.int8) - 1
        yield signs @ rows


def random_t(residuals: FloatArray, drawn: int, generator: np.random.Generator) -> Iterator[FloatArray]:
    """t statistics of normal samples of the size and the correlation of standardised residuals.

    Each metric has its own variance in a sample: one that all of them shared would make the largest statistic too
    small.
    """
    n, m = residuals.shape
    eigenvalues, axes = np.linalg.eigh(residuals.T @ residuals / (n - 1))
    # the symmetric root, which does not depend on the order of the cases
    root = (axes * np.sqrt(np.maximum(eigenvalues, 0))) @ axes.T
    for size in _chunks(drawn, residuals.size):
        samples = generator.standard_normal((size, n, m)) @ root
        yield samples.mean(axis=1) / samples.std(axis=1, ddof=1) * np.sqrt(n)


def _chunks(drawn: int, numbers: int) -> list[int]:
    """Sizes of chunks of draws that hold so many numbers each."""
    step = max(1, _CHUNK // numbers)
    return [min(step, drawn - start) for start in range(0, drawn, step)]
