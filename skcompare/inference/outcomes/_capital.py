"""The capital of bets against a mean difference, after each item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray

# The uniform mixture of bets, from none of the capital to all of it: a sum of martingales, whatever its nodes.
_AT, _SHARES = np.polynomial.legendre.leggauss(64)
BETS, WEIGHTS = (1 + _AT) / 2, _SHARES / 2
STEPS = 64  # a limit moves by one part in so many of its distance to the mean
_BLOCK = 4096
_FEW = 512  # different differences whose gains are worth a table


@dataclass(frozen=True, slots=True)
class Items:
    """Differences in order of arrival, in units of their largest possible one."""

    differences: FloatArray
    values: FloatArray
    codes: NDArray[np.intp] | None

    @classmethod
    def of(cls, differences: FloatArray) -> Items:
        """With the different values that there are, where these are few."""
        values, codes = np.unique(differences, return_inverse=True)
        return cls(differences, values, codes if values.size <= _FEW else None)

    def gains(self, start: int, stop: int, mean: float) -> FloatArray:
        """Log of what each item multiplies the capital of each bet by, on differences above `mean`."""
        if self.codes is None:
            return _gains(self.differences[start:stop], mean)
        return np.asarray(_gains(self.values, mean)[self.codes[start:stop]])

    def total(self, stop: int, mean: float) -> FloatArray:
        """The log capital of each bet after the first `stop` items."""
        if self.codes is not None:
            return np.asarray(np.bincount(self.codes[:stop], minlength=self.values.size) @ _gains(self.values, mean))
        blocks = (self.gains(start, min(start + _BLOCK, stop), mean) for start in range(0, stop, _BLOCK))
        return np.asarray(sum((block.sum(axis=0) for block in blocks), np.zeros(BETS.size)))


def _gains(differences: FloatArray, mean: float) -> FloatArray:
    # 1 + f (x / m - 1) of Waudby-Smith and Ramdas (2024) for x = (1 + d) / 2 and m = (1 + mean) / 2
    return np.log1p(np.multiply.outer((differences - mean) / (1 + mean), BETS))


def log_capital(items: Items, mean: float) -> FloatArray:
    """Log of the capital after each item, of bets on a mean difference above `mean`."""
    n, before = items.differences.size, np.zeros(BETS.size)
    path = np.empty(n)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        bets = before + np.cumsum(items.gains(start, stop, mean), axis=0)
        path[start:stop], before = _mixture(bets), bets[-1]
    return path


def lower_limits(differences: FloatArray, tail: float) -> FloatArray:
    """After each item, below which mean the bets on a larger one have won ``1 / tail`` by then, rounded down.

    It rises by steps of a part of its distance to the mean so far, each when the capital at the next step is won.
    """
    items, n, needed = Items.of(differences), differences.size, -np.log(tail)
    means = np.cumsum(differences) / np.arange(1, n + 1)
    limits = np.full(n, -1.0)
    limit, done = -1.0, 0
    aim = _next(limit, 0.0)
    bets = np.zeros(BETS.size)
    while done < n:
        stop = min(n, done + min(_BLOCK, 16 + done // 16))
        paths = bets + np.cumsum(items.gains(done, stop, aim), axis=0)
        won = np.flatnonzero(_mixture(paths) > needed)
        if not won.size:
            bets, done = paths[-1], stop
            continue
        done += int(won[0]) + 1
        while True:
            limit, aim = aim, _next(aim, float(means[done - 1]))
            bets = items.total(done, aim)
            if aim <= limit or not _mixture(bets) > needed:
                break
        limits[done - 1] = limit
    return np.asarray(np.maximum.accumulate(limits))


def _next(limit: float, mean: float) -> float:
    return limit + (mean - limit) / STEPS


def _mixture(bets: FloatArray) -> FloatArray:
    largest = bets.max(axis=-1, keepdims=True)
    return np.asarray(largest[..., 0] + np.log(np.exp(bets - largest) @ WEIGHTS))
