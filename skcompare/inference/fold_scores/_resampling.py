"""Random rearrangements for the procedures that draw them."""

from __future__ import annotations

import numpy as np

from skcompare._core.validation import FloatArray

# Numbers held at once
_CHUNK = 2**22


def draw_seed(rng: np.random.Generator) -> int:
    """A seed from which the same draws can be made again."""
    return int(rng.integers(2**63))


def random_flips(x: FloatArray, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Sum and size of `n_resamples` random subsets of `x`: those whose signs are flipped."""
    generator = np.random.default_rng(seed)
    n_bytes = -(-x.size // 8)
    sums, sizes = np.empty(n_resamples), np.empty(n_resamples)
    for rows in _chunks(n_resamples, 8 * n_bytes):
        length = rows.stop - rows.start
        bits = np.frombuffer(generator.bytes(length * n_bytes), dtype=np.uint8).reshape(length, n_bytes)
        flipped = np.unpackbits(bits, axis=1, count=x.size)
        sizes[rows] = flipped.sum(axis=1)
        sums[rows] = flipped.astype(np.float64) @ x
    return sums, sizes


def random_partitions(a: FloatArray, b: FloatArray, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Random exchanges of equally many scores: what the sum of `a` loses, and how many are exchanged."""
    generator = np.random.default_rng(seed)
    pooled = np.concatenate((a, -b))
    n, n_a = pooled.size, a.size
    lost, sizes = np.empty(n_resamples), np.empty(n_resamples)
    for rows in _chunks(n_resamples, n):
        order = np.argpartition(generator.random((rows.stop - rows.start, n)), n_a - 1, axis=1)[:, :n_a]
        moved = np.zeros((len(order), n))
        np.put_along_axis(moved, order, 1.0, axis=1)
        # a score of `a` that is not in the new sample, a score of `b` that is
        moved[:, :n_a] = 1 - moved[:, :n_a]
        sizes[rows] = moved[:, n_a:].sum(axis=1)
        lost[rows] = moved @ pooled
    return lost, sizes


def _chunks(n_rows: int, n_columns: int) -> list[slice]:
    step = max(1, _CHUNK // n_columns)
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]
