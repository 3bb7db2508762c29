"""Two models case by case, in parts that stay in the processor's cache: their differences, and who wins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import frexp, ldexp, sqrt

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray

# Scores that differ by less than this fraction of the largest score differ by rounding only.
ROUNDING = 1e-12
_PART = 2**14
# Between these the squares of numbers neither overflow nor vanish.
ORDINARY = (2.0**-400, 2.0**400)


def parts(n: int) -> Iterator[slice]:
    """The parts of an array of length `n`."""
    yield from (slice(start, min(start + _PART, n)) for start in range(0, n, _PART))


def subtract(a: FloatArray, b: FloatArray) -> tuple[FloatArray, float, float, float]:
    """``a - b``, the largest absolute value of the two arrays, and the smallest and the largest difference."""
    differences = np.empty(a.shape)
    x, y, d = a.ravel(), b.ravel(), differences.reshape(-1)
    greatest, least = np.maximum.reduce, np.minimum.reduce
    found = []
    with np.errstate(over="ignore"):
        for part in parts(len(d)):
            of_a, of_b, of_d = x[part], y[part], d[part]
            np.subtract(of_a, of_b, out=of_d)
            size = max(greatest(of_a), -least(of_a), greatest(of_b), -least(of_b))
            found.append((size, least(of_d), greatest(of_d)))
    sizes, low, high = zip(*found, strict=True)
    return differences, float(max(sizes)), float(min(low)), float(max(high))


def mean_and_std(values: FloatArray, largest: float) -> tuple[float, float]:
    """Mean and standard deviation (``ddof=1``, nan of one value) of values up to a `largest` absolute one.

    Equal to numpy's, also where their squares overflow.
    """
    n, flat = values.size, values.ravel()
    unit = 1.0 if not largest or ORDINARY[0] < largest < ORDINARY[1] else ldexp(1.0, frexp(largest)[1])
    if unit != 1:
        flat = flat / unit
    mean = _total(lambda part: float(np.add.reduce(flat[part])), n) / n
    if n < 2:
        return mean * unit, float("nan")

    def squares(part: slice) -> float:
        around = flat[part] - mean
        np.multiply(around, around, out=around)
        return float(np.add.reduce(around))

    return mean * unit, sqrt(_total(squares, n) / (n - 1)) * unit


def _total(of_part: Callable[[slice], float], n: int, start: int = 0) -> float:
    """A sum over `n` numbers from `start` on by halves, in the order of numpy's own summation."""
    if n <= _PART:
        return of_part(slice(start, start + n))
    half = n // 2 - n // 2 % 8
    return _total(of_part, half, start) + _total(of_part, n - half, start + half)


def won_or_level(
    a: FloatArray, b: FloatArray, rope: float = 0.0
) -> Iterator[tuple[slice, NDArray[np.bool_], NDArray[np.bool_]]]:
    """Part by part where `a` is above `b`, and where it is not below it.

    Differences of at most `rope` and the rounding of the larger of the two numbers are ties.
    """
    for part in parts(len(a)):
        x, y = a[part], b[part]
        width = np.abs(x)
        np.maximum(width, np.abs(y), out=width)
        np.multiply(width, ROUNDING, out=width)
        if rope:
            np.add(width, rope, out=width)
        d = x - y
        yield part, d > width, d >= np.negative(width, out=width)
