"""Rearrangements of one sample of differences, by sign flips, or of two samples of scores, by partitions.

All of them are counted, or some are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING, power_of_two
from skcompare.inference.fold_scores._exact import count_flips, count_partitions

# Sums closer than this fraction of the sum of all sizes are equal: the rest is rounding.
TIES = 1e-9

# Random numbers held at once.
_CHUNK = 2**22
# The subsets of eight values, a row each: the bits of the row's number, the highest first.
_SUBSETS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)

# One array, the differences, or two: the scores of both models.
Samples = tuple[FloatArray, ...]


def scale(samples: Samples) -> tuple[Samples, float, float]:
    """The samples over a power of two, so that no sum overflows, that power, and what is rounding in them."""
    pooled = np.concatenate(samples)
    unit = power_of_two(pooled) or 1.0
    return tuple(sample / unit for sample in samples), unit, ROUNDING * float(np.abs(pooled).max()) / unit


def rounded(samples: Samples) -> tuple[Samples, float]:
    """The samples, scaled and, where there are two, moved next to 0; and how much of a sum is rounding."""
    scaled, _, noise = scale(samples)
    if len(scaled) == 2:
        middle = float(np.median(np.concatenate(scaled)))
        scaled = tuple(sample - middle for sample in scaled)
    sizes = np.abs(np.concatenate(scaled))
    return scaled, max(TIES * float(sizes.sum()), noise * sizes.size)


def mirror(samples: Samples) -> Samples:
    """The samples of the two models with their places exchanged."""
    return (-samples[0][::-1],) if len(samples) == 1 else samples[::-1]


def shift(samples: Samples, difference: float, sizes: FloatArray | None) -> Samples:
    """The samples after taking a difference from the first; of sums over clusters, in proportion to their sizes."""
    return (samples[0] - (difference if sizes is None else difference * sizes), *samples[1:])


def mean_difference(samples: Samples) -> float:
    return float(samples[0].mean() - (samples[1].mean() if len(samples) == 2 else 0.0))


def weight_of(samples: Samples) -> float:
    """What the mean difference loses per unit that is moved out of the first sample."""
    return 2 / samples[0].size if len(samples) == 1 else 1 / samples[0].size + 1 / samples[1].size


def exact_pvalue(samples: Samples, slack: float, alternative: str) -> float | None:
    """Share of all rearrangements that are at least as extreme; None where there are too many of them."""
    if len(samples) == 1:
        samples = (samples[0][samples[0] != 0],)
        if samples[0].size == 0:
            return 1.0
    if alternative == "less" or (alternative == "two-sided" and mean_difference(samples) < 0):
        samples = mirror(samples)
    counts = count_flips(samples[0], slack) if len(samples) == 1 else count_partitions(samples[0], samples[1], slack)
    if counts is None:
        return None
    at_most, total = counts
    extreme = at_most(slack / 2)
    if alternative == "two-sided":
        # where the samples are of one size every rearrangement has its opposite
        one_size = len(samples) == 1 or samples[0].size == samples[1].size
        opposite = 2 * mean_difference(samples) / weight_of(samples)
        extreme += extreme if one_size else total - at_most(opposite - slack)
    return min(1.0, extreme / total)


def drawn_pvalue(samples: Samples, slack: float, alternative: str, n_resamples: int, seed: int) -> float:
    samples, _, flip = orient(samples, None)
    moved, _ = draw_moves(samples, None, n_resamples, seed)
    if alternative == "two-sided":
        extreme = (moved <= slack / 2) | (moved >= 2 * mean_difference(samples) / weight_of(samples) - slack)
    else:
        extreme = moved <= slack / 2 if (alternative == "greater") != flip else moved >= -slack / 2
    return (1 + int(extreme.sum())) / (1 + n_resamples)


def draw_moves(
    samples: Samples, sizes: FloatArray | None, n_resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """What random rearrangements move out of the first sample, and how many values, or of what size, they move."""
    if len(samples) == 1:
        return _random_flips(samples[0], sizes, n_resamples, seed)
    return _random_partitions(samples[0], samples[1], n_resamples, seed)


def orient(samples: Samples, sizes: FloatArray | None) -> tuple[Samples, FloatArray | None, bool]:
    """The samples, their sizes and False, or their mirror image and True: the same for both orders of the models."""
    mirrored = mirror(samples)
    ours, theirs = ((mean_difference(s), *(tuple(x) for x in s)) for s in (samples, mirrored))
    if sizes is None:
        return (samples, None, False) if ours >= theirs else (mirrored, None, True)
    # equal values by their sizes, whichever model comes first
    here = sizes[np.lexsort((sizes, samples[0]))]
    there = sizes[::-1][np.lexsort((sizes[::-1], mirrored[0]))]
    flip = (*ours, tuple(here)) < (*theirs, tuple(there))
    return (mirrored, there, True) if flip else (samples, here, False)


def smallest_pvalue(samples: Samples, n_zero: int, alternative: str) -> float:
    if len(samples) == 1:
        n = samples[0].size - n_zero
        return min(1.0, (2.0 if alternative == "two-sided" else 1.0) * 2.0**-n)
    n_a, n_b = (sample.size for sample in samples)
    return (2 if alternative == "two-sided" and n_a == n_b else 1) / comb(n_a + n_b, n_a)


def _random_flips(
    x: FloatArray, of_each: FloatArray | None, n_resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Sum and size of `n_resamples` random subsets of `x`: those whose signs are flipped."""
    return _sums_of_flips(x.tobytes(), None if of_each is None else of_each.tobytes(), n_resamples, seed)


@lru_cache(maxsize=1)
def _sums_of_flips(x: bytes, of_each: bytes | None, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """The same for the bytes of arrays: both limits of an interval ask for one pair."""
    values = np.frombuffer(x)
    n = values.size
    tables = np.zeros((2, 8 * -(-n // 8)))
    tables[0, :n], tables[1, :n] = values, 1.0 if of_each is None else np.frombuffer(of_each)
    # of each byte of flips the sums of all its 256 subsets, so that eight values are added at once
    of_bytes = tables.reshape(2, -1, 8) @ _SUBSETS.T
    found, start = np.empty((2, n_resamples)), 0
    for flips in _flips(n, n_resamples, seed):
        rows = slice(start, start + flips.shape[1])
        start = rows.stop
        for sums, of_byte in zip(found, of_bytes, strict=True):
            sums[rows] = sum(of_byte[k][byte] for k, byte in enumerate(flips))
    found.flags.writeable = False
    return found[0], found[1]


def _flips(n: int, n_resamples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Which of `n` signs are flipped at random, eight in a byte, shape (n_bytes, n_drawn); in parts where many."""
    n_bytes = -(-n // 8)
    chunks = _chunks(n_resamples, 8 * n_bytes)
    if len(chunks) == 1:
        yield _few_flips(n_bytes, n_resamples, seed)
        return
    generator = np.random.default_rng(seed)
    for rows in chunks:
        yield _drawn_bytes(generator, rows.stop - rows.start, n_bytes)


@lru_cache(maxsize=1)
def _few_flips(n_bytes: int, n_resamples: int, seed: int) -> NDArray[np.uint8]:
    """The same draws serve all pairs of models that are tested with one seed."""
    return _drawn_bytes(np.random.default_rng(seed), n_resamples, n_bytes)


def _drawn_bytes(generator: np.random.Generator, n_rows: int, n_bytes: int) -> NDArray[np.uint8]:
    drawn = np.frombuffer(generator.bytes(n_rows * n_bytes), dtype=np.uint8)
    return np.ascontiguousarray(drawn.reshape(n_rows, n_bytes).T)


def _random_partitions(a: FloatArray, b: FloatArray, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
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
