"""Exact counts of sign flips and of partitions, without going through them one by one.

Both tests ask how often a rearrangement moves at most a given amount out of the first sample. Flipping the signs of
a subset of the differences moves the sum of that subset. Exchanging `j` scores of `a` for `j` of `b` moves the
difference of the two sums. All such sums come from sums over halves, which are few enough to sort: meet in the
middle (Pagano and Tritchler 1983 reach the same numbers by convolution). Where the values are multiples of one
unit, as the accuracies of equal folds are, counting over the multiples is faster or reaches further.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray

# At most this many differences are flipped exactly: two halves of a million sums.
LARGEST_FLIP = 40
_MOST_SUMS = 2**21
_MOST_COUNTING_STEPS = 200_000_000
_MOST_POOLED = 1000
_MOST_LISTED_UNITS = 20_000
_MOST_EXCHANGED_UNITS = 4_000
# Below this size meeting in the middle takes less time than looking for a common unit.
_SMALL = 24

# How many rearrangements move at most an amount, and how many there are.
Counts = tuple[Callable[[float], float], float]
# What rearrangements move, how many values each moves, and how many rearrangements do.
Subsets = tuple[FloatArray, FloatArray, FloatArray]


def sortable(*sizes: int) -> bool:
    """Whether the sums over halves of one or two samples of these sizes are few enough to be sorted."""
    if len(sizes) == 1:
        return sizes[0] <= LARGEST_FLIP
    return sum(_n_subsets(size, min(sizes)) for size in sizes) <= _MOST_SUMS


def count_flips(x: FloatArray, slack: float) -> Counts | None:
    """Count the subsets of `x` with a sum of at most an amount; None where there are too many.

    Amounts that differ by less than `slack` may count as equal.
    """
    if not sortable(x.size):
        return None
    if x.size > _SMALL:
        most = int(4 * 2 ** (x.size / 2) / x.size)
        integers = as_integers(x, slack, most)
        if integers is not None:
            return _counted_flips(*integers)
    left, right = np.sort(subset_sums(x[::2])), np.sort(subset_sums(x[1::2]))

    def at_most(amount: float) -> float:
        # both ascending: a sorted search is several times faster
        return float(np.searchsorted(right, (amount - left)[::-1], side="right").sum())

    return at_most, 2.0**x.size


def count_partitions(a: FloatArray, b: FloatArray, slack: float) -> Counts | None:
    """Count the exchanges of equally many scores that lower the sum of `a` by at most an amount.

    None where there are too many.
    """
    if not sortable(a.size, b.size):
        return _counted_partitions(a, b, slack)
    most = min(a.size, b.size)
    given, taken = _sums_by_size(a, most), _sums_by_size(b, most)

    def at_most(amount: float) -> float:
        count = 0
        for lost, won in zip(given, taken, strict=True):
            count += lost.size * won.size - int(np.searchsorted(won, lost - amount, side="left").sum())
        return float(count)

    return at_most, float(comb(a.size + b.size, a.size))


def as_integers(x: FloatArray, slack: float, most: int) -> tuple[NDArray[np.int64], float] | None:
    """`x` as multiples of a common unit, to within `slack` in any sum of them.

    None where there is no such unit, or the multiples add up to more than `most`.
    """
    size = np.abs(x)
    total = float(size.sum())
    if total == 0:
        return None
    smallest, unit = total / (2 * most), 0.0
    for value in size[size > 0].tolist():
        # Euclid's algorithm with remainders of either sign; what is below the smallest useful unit is rounding
        larger, rest = value, unit
        while rest > smallest:
            larger, rest = rest, abs(larger - round(larger / rest) * rest)
        unit = larger
    multiples = np.rint(x / unit)
    n_units = float(np.abs(multiples).sum())
    if not 0 < n_units <= most:
        return None
    unit = total / n_units
    if float(np.abs(x - multiples * unit).max()) * 2 * x.size > slack:
        return None
    return multiples.astype(np.int64), unit


def _counted_flips(multiples: NDArray[np.int64], unit: float) -> Counts:
    size = np.abs(multiples)
    counts = np.zeros(int(size.sum()) + 1)
    counts[0] = 1
    for k in size.tolist():
        # the right side is computed before it is added: each value is taken once at most
        counts[k:] = counts[k:] + counts[: counts.size - k] if k else 2 * counts
    cumulated = np.cumsum(counts)
    # taking a negative multiple is leaving out its absolute value
    offset = int(size[multiples < 0].sum())

    def at_most(amount: float) -> float:
        return _at(cumulated, amount / unit, offset)

    return at_most, float(cumulated[-1])


def _counted_partitions(a: FloatArray, b: FloatArray, slack: float) -> Counts | None:
    pooled = np.concatenate((a, b))
    steps = pooled.size * a.size
    if pooled.size > _MOST_POOLED or steps > _MOST_COUNTING_STEPS:
        return None
    integers = as_integers(pooled - pooled.min(), slack, _MOST_COUNTING_STEPS // steps)
    if integers is None:
        return None
    multiples, unit = integers
    observed = int(multiples[: a.size].sum())
    highest = int(np.sort(multiples)[-a.size :].sum())
    # counts[j, s]: subsets of j values with sum s
    counts = np.zeros((a.size + 1, highest + 1))
    counts[0, 0] = 1
    for k in multiples.tolist():
        if k <= highest:
            counts[1:, k:] = counts[1:, k:] + counts[:-1, : highest + 1 - k]
    # a sum of at least the observed one less the amount
    cumulated = np.cumsum(counts[-1, ::-1])

    def at_most(amount: float) -> float:
        return _at(cumulated, amount / unit, highest - observed)

    return at_most, float(cumulated[-1])


def _at(cumulated: FloatArray, amount: float, offset: int) -> float:
    """Entry for an amount in units; a thousandth of a unit is rounding."""
    index = int(np.floor(np.clip(amount, -1e15, 1e15) + 1e-3)) + offset
    return 0.0 if index < 0 else float(cumulated[min(index, cumulated.size - 1)])


def subset_sums(x: FloatArray) -> FloatArray:
    """Sums of all subsets, in the order of their numbers in binary digits."""
    sums = np.zeros(1)
    for value in x:
        sums = np.concatenate((sums, sums + value))
    return sums


def counted_subsets(x: FloatArray, slack: float) -> Subsets | None:
    """The different sums and sizes of all subsets, and how many subsets have each; None without a common unit."""
    integers = as_integers(x, slack, _MOST_LISTED_UNITS)
    if integers is None:
        return None
    multiples, unit = integers
    counts, offset = _counts_by_size(multiples)
    size, total = np.nonzero(counts)
    return np.asarray((total - offset) * unit, float), np.asarray(size, float), counts[size, total]


def counted_exchanges(a: FloatArray, b: FloatArray, slack: float) -> Subsets | None:
    """The same of exchanges of equally many values of two samples: what the sum of `a` loses, and how many they are."""
    pooled = np.concatenate((a, b))
    integers = as_integers(pooled - pooled.min(), slack, _MOST_EXCHANGED_UNITS)
    if integers is None:
        return None
    multiples, unit = integers
    (given, _), (taken, _) = _counts_by_size(multiples[: a.size]), _counts_by_size(multiples[a.size :])
    most = taken.shape[1] - 1
    counts = np.array([np.convolve(g, t[::-1]) for g, t in zip(given, taken, strict=False)])
    size, total = np.nonzero(counts)
    return np.asarray((total - most) * unit, float), np.asarray(size, float), counts[size, total]


def _counts_by_size(multiples: NDArray[np.int64]) -> tuple[FloatArray, int]:
    """counts[j, s]: subsets of j values with sum s - offset; and the offset."""
    offset, n_units = int(-multiples[multiples < 0].sum()), int(np.abs(multiples).sum())
    counts = np.zeros((multiples.size + 1, n_units + 1))
    counts[0, offset] = 1
    for k in multiples.tolist():
        to, of = (slice(k, None), slice(n_units + 1 - k)) if k >= 0 else (slice(k), slice(-k, None))
        counts[1:, to] = counts[1:, to] + counts[:-1, of]
    return counts, offset


def _sums_by_size(x: FloatArray, most: int) -> list[FloatArray]:
    """Sums of all subsets of 0, 1, ..., `most` values, each ascending."""
    sums = [np.zeros(1), *(np.zeros(0) for _ in range(most))]
    for value in x:
        for size in range(most, 0, -1):
            if sums[size - 1].size:
                sums[size] = np.concatenate((sums[size], sums[size - 1] + value))
    for group in sums:
        group.sort()
    return sums


def _n_subsets(n: int, most: int) -> int:
    # no more terms than decide that they are too many
    return sum(comb(n, size) for size in range(min(most, 21) + 1))
