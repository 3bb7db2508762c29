"""Differences of two models on many data sets, their signed ranks, and the null distribution of a rank sum."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.validation import FloatArray, check_pair
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import LARGEST_DIFFERENCE, ROUNDING
from skcompare.inference.datasets._scores import ONE_DATASET

ZeroMethod = Literal["zsplit", "wilcox", "pratt"]
IntArray = NDArray[np.int64]

# Up to this many differences the exact distribution takes a few milliseconds.
LARGEST_AUTO_EXACT = 200
# Above this many it takes seconds, and its counts come near the largest float.
LARGEST_EXACT = 1000
# Up to this many means of two differences are held at once: half a megabyte.
MOST_AVERAGES = 2**16
# A sample of them, and how far from the wanted place in it the rest is cut off: three standard errors of a random one.
_SAMPLE, _MARGIN = 4096, 96
NO_DIFFERENCE = Code.NO_DIFFERENCE("the scores are equal on all data sets.")


def dataset_differences(a: ArrayLike, b: ArrayLike, null: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Differences ``a - b - null`` of shape (n,), 0 within rounding, and what is rounding in each; or ValueError."""
    x, y = check_pair(a, b, ndim=(1,))
    d, noise = subtract(x, y, "a and b")
    if not null:
        return d, noise
    noise += ROUNDING * abs(null)
    return np.where(np.abs(d - null) <= noise, 0.0, d - null), noise


def subtract(x: FloatArray, y: FloatArray, name: str) -> tuple[FloatArray, FloatArray]:
    """Differences, 0 where within rounding, and what is rounding in each; scores are those of `name`."""
    noise = ROUNDING * np.maximum(np.abs(x), np.abs(y))
    with np.errstate(over="ignore"):
        d = x - y
    if np.abs(d).max() > LARGEST_DIFFERENCE:
        raise ValueError(f"{name} must differ by at most {LARGEST_DIFFERENCE:g}; got {np.abs(d).max():g}")
    return np.where(np.abs(d) <= noise, 0.0, d), noise


def posterior_warnings(d: FloatArray) -> tuple[CodedWarning, ...]:
    """Reasons to doubt a posterior from the differences `d`."""
    warnings = () if d.any() else (NO_DIFFERENCE,)
    return (*warnings, ONE_DATASET) if d.size == 1 else warnings


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRanks:
    """Ranked differences of several pairs of models, one row per pair.

    Attributes
    ----------
    values : ndarray of shape (m, n)
        Differences, by size: zeros first. Those whose sizes differ by rounding only have one size.
    weights : ndarray of shape (m, n)
        Twice the ranks of the sizes, whole numbers; 0 for a difference of 0.
    zeros : ndarray of shape (m,)
        Differences that are 0.
    dropped : ndarray of shape (m,)
        How many of them were left out before ranking.
    """

    values: FloatArray
    weights: IntArray
    zeros: IntArray
    dropped: IntArray

    def sums(self) -> tuple[IntArray, IntArray]:
        """Doubled rank sums of the positive and of the negative differences, each of shape (m,)."""
        return (self.weights * (self.values > 0)).sum(axis=1), (self.weights * (self.values < 0)).sum(axis=1)

    def squares(self) -> list[int]:
        """The sum of the squared doubled ranks of each row, beyond what an integer of 64 bits holds."""
        high, low = self.weights >> 20, self.weights & (2**20 - 1)
        parts = zip((high * high).sum(axis=1), (high * low).sum(axis=1), (low * low).sum(axis=1), strict=True)
        return [(int(hh) << 40) + (int(hl) << 21) + int(ll) for hh, hl, ll in parts]

    def zero_share(self) -> IntArray:
        """The doubled ranks of the zeros that were not left out, half of their sum, shape (m,)."""
        kept = self.zeros - self.dropped
        return kept * (kept + 1) // 2


def rank_differences(d: FloatArray, noise: FloatArray, zero_method: str) -> SignedRanks:
    """Rank the sizes of differences of shape (m, n) along each row; what is rounding comes in the same shape.

    Equal sizes share their mean rank. Zeros have the lowest ranks, so leaving some out lowers all others by as many.
    """
    order = np.lexsort((noise, np.abs(d)), axis=1)
    values, noise = np.take_along_axis(d, order, axis=1), np.take_along_axis(noise, order, axis=1)
    size, n = np.abs(values), d.shape[1]
    zero = size == 0
    larger = np.diff(size, axis=1) > np.maximum(noise[:, 1:], noise[:, :-1])
    larger |= zero[:, :-1] & ~zero[:, 1:]
    edge = np.ones((len(d), 1), dtype=np.bool_)
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(np.hstack((edge, larger)), place, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack((larger, edge)), place, n)[:, ::-1], axis=1)[:, ::-1]
    zeros = zero.sum(axis=1)
    dropped = {"zsplit": zeros % 2, "wilcox": zeros, "pratt": 0 * zeros}[zero_method]
    return SignedRanks(
        values=np.sign(values) * np.take_along_axis(size, first, axis=1),
        weights=np.where(zero, 0, first + last + 2 - 2 * dropped[:, None]),
        zeros=zeros,
        dropped=dropped,
    )


def lower_tail(weights: IntArray, most: int) -> FloatArray:
    """P(S <= s) for s = 0, ..., `most`, where S adds up each of the ascending `weights` with probability 1/2."""
    return _lower_tail(tuple(weights.tolist()), most)


@lru_cache(maxsize=16)  # all pairs of models without ties share one distribution
def _lower_tail(weights: tuple[int, ...], most: int) -> FloatArray:
    ways = np.zeros(most + 1)
    ways[0] = 1.0
    reached = 0
    for weight in weights:
        reached = min(reached + weight, most)
        if weight <= most:
            ways[weight : reached + 1] += ways[: reached + 1 - weight]
    tail = np.asarray(np.ldexp(np.cumsum(ways), -len(weights)))
    tail.setflags(write=False)
    return tail


def walsh_averages(values: FloatArray) -> FloatArray:
    """Means of all pairs of values in each row, each value paired with itself too: shape (m, n * (n + 1) / 2)."""
    m, n = values.shape
    averages = np.empty((m, n * (n + 1) // 2))
    start = 0
    for i in range(n):
        np.add(values[:, i:], values[:, i : i + 1], out=averages[:, start : start + n - i])
        start += n - i
    averages /= 2
    return averages


def walsh_medians(values: FloatArray) -> FloatArray:
    """The median of the means of all pairs of values in each row, shape (m,)."""
    n = values.shape[1]
    n_pairs = n * (n + 1) // 2
    if n_pairs <= MOST_AVERAGES:
        return np.asarray(np.median(walsh_averages(values), axis=1, overwrite_input=True))
    places = sorted({(n_pairs - 1) // 2, n_pairs // 2})
    return np.array([np.mean([walsh_average(row, k) for k in places]) for row in np.sort(values, axis=1)])


def walsh_average(ascending: FloatArray, k: int) -> float:
    """The mean of two values with place `k`, from 0, among the means of all pairs, each value with itself too.

    The same number as from all of them in order, since rounding keeps their order. The sums are narrowed down, between
    two of an even sample of those that are left, until few are (in the way of Johnson and Mizoguchi 1978).
    """
    n = ascending.size
    rows = np.arange(n)
    # sums above `low` and up to `high`, by their places among all floats
    low, high = _place(2 * ascending[0]) - 1, _place(2 * ascending[-1])
    below, upto = rows, np.full(n, n)
    before, left, last_left = 0, n * (n + 1) // 2, 0
    while left > max(2 * n, MOST_AVERAGES) and high - low > 1:
        sample = np.sort(_sums(ascending, below, upto, np.linspace(0, left - 1, _SAMPLE).astype(np.int64)))
        at = (k - before) * _SAMPLE // left
        near = [sample[min(max(at + step, 0), _SAMPLE - 1)] for step in (-_MARGIN, _MARGIN)]
        stalled = {(low + high) // 2} if 2 * left > last_left > 0 else set[int]()
        for middle in {min(_place(value), high - 1) for value in near} | stalled:
            if low < middle < high:
                ends = np.maximum(sums_up_to(ascending, _at_place(middle)), rows)
                count = int((ends - rows).sum())
                if count > k:
                    high, upto = middle, ends
                else:
                    low, below, before = middle, ends, count
        left, last_left = int((upto - below).sum()), left
    if high - low == 1:  # all that are left are equal
        return _at_place(high) / 2
    return float(np.partition(_sums(ascending, below, upto, np.arange(left)), k - before)[k - before] / 2)


def _sums(ascending: FloatArray, below: IntArray, upto: IntArray, chosen: IntArray) -> FloatArray:
    """Of the sums of each value with those from `below` to `upto`, one after the other, the chosen ones."""
    ends = np.cumsum(upto - below)
    row = np.searchsorted(ends, chosen, side="right")
    return np.asarray(ascending[row] + ascending[upto[row] - (ends[row] - chosen)])


def sums_up_to(ascending: FloatArray, bound: float) -> IntArray:
    """For each value how many of all have a sum with it, as it is rounded, of at most `bound`."""
    n = ascending.size
    ends = np.searchsorted(ascending, bound - ascending[::-1], side="right")[::-1]
    padded = np.concatenate(([-np.inf], ascending, [np.inf]))
    wrong = np.flatnonzero((ascending + padded[ends] > bound) | (ascending + padded[ends + 1] <= bound))
    if wrong.size:  # where the difference was rounded to another side than the sum
        first, last = np.zeros(wrong.size, dtype=np.int64), np.full(wrong.size, n)
        while (first < last).any():
            half = (first + last) // 2
            inside = ascending[wrong] + padded[half + 1] <= bound
            first, last = np.where(inside, half + 1, first), np.where(inside, last, half)
        ends = ends.copy()
        ends[wrong] = first
    return np.asarray(ends, dtype=np.int64)


def _place(value: float) -> int:
    """The place of a float among all floats, 0 for 0."""
    bits = int(np.float64(abs(value)).view(np.int64))
    return -bits if value < 0 else bits


def _at_place(place: int) -> float:
    size = float(np.int64(abs(place)).view(np.float64))
    return -size if place < 0 else size
