"""The capital of bets against a mean difference, after each item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray

# The uniform mixture of bets, from none of the capital to all of it: a sum of martingales, whatever its nodes.
# These are Gauss's on halves, quarters and so on: the best bets of a capital of K are a band whose width, as a part of
# the bet, is about 1 / sqrt(2 log K) however many the items are, so that as many nodes serve each halving.
_AT, _SHARES = np.polynomial.legendre.leggauss(8)
_EDGES = np.r_[0.0, 2.0 ** np.arange(-11, 1)]
BETS = (_EDGES[:-1, None] + np.diff(_EDGES)[:, None] * (1 + _AT) / 2).ravel()
WEIGHTS = np.multiply.outer(np.diff(_EDGES), _SHARES / 2).ravel()
FINE = 16  # limits are multiples of about one part in so many of a standard error
_LEAST = 1e-250  # smaller incomplete beta functions are left to the mixture
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
    return np.asarray(np.log1p(np.multiply.outer((differences - mean) / (1 + mean), BETS)))


def log_capital(items: Items, mean: float) -> FloatArray:
    """Log of the capital after each item, of bets on a mean difference above `mean`."""
    n, before = items.differences.size, np.zeros(BETS.size)
    path = np.empty(n)
    for start in range(0, n, _BLOCK):
        stop = min(start + _BLOCK, n)
        bets = before + np.cumsum(items.gains(start, stop, mean), axis=0)
        path[start:stop], before = _mixture(bets), bets[-1]
    return path


def log_capital_right(differences: FloatArray, alternative: str) -> FloatArray:
    """Log of the capital after each item against a mean difference of 0, of differences that are -1, 0 and 1.

    The mixture in closed form, but for that of one side which has lost most of its capital.
    """
    ups, downs = np.cumsum(differences > 0), np.cumsum(differences < 0)
    n = ups + downs
    both = n * np.log(2) + special.betaln(ups + 1, downs + 1)
    if alternative == "two-sided":
        return np.asarray(both)
    sign = 1 if alternative == "greater" else -1
    above = special.betainc(*((downs + 1, ups + 1) if sign > 0 else (ups + 1, downs + 1)), 0.5)
    lost = above < _LEAST
    path = both + np.log(2 * np.maximum(above, _LEAST))
    return np.asarray(np.where(lost, log_capital(Items.of(sign * differences), 0.0), path) if lost.any() else path)


def lower_limits(differences: FloatArray, tail: float) -> FloatArray:
    """After each item, below which mean the bets on a larger one have won ``1 / tail`` by then, rounded down.

    It is rounded to a multiple of `_steps`, which know no level: limits of a higher level are never higher.
    """
    items, n, needed = Items.of(differences), differences.size, -np.log(tail)
    limits, steps = np.full(n, -1.0), _steps(differences)
    begins = np.flatnonzero(np.diff(steps, prepend=np.nan) != 0)
    limit = -1.0
    for begin, end in zip(begins, [*begins[1:], n], strict=True):
        limit = _climb(items, limits, (int(begin), int(end)), limit, float(steps[begin]), float(needed))
    return np.asarray(np.maximum.accumulate(limits))


def _climb(items: Items, limits: FloatArray, span: tuple[int, int], limit: float, step: float, needed: float) -> float:
    """The limit after the items of a span, whose rises are filled in: the largest multiple of `step` that was won."""
    done, end = span
    aim = (np.floor(limit / step) + 1) * step
    bets = items.total(done, aim)
    while done < end:
        stop = min(end, done + min(_BLOCK, 16 + done // 16))
        paths = bets + np.cumsum(items.gains(done, stop, aim), axis=0)
        won = np.flatnonzero(_mixture(paths) > needed)
        if not won.size:
            bets, done = paths[-1], stop
            continue
        done += int(won[0]) + 1
        limit, aim, bets = _highest(items, done, aim, step, needed)
        limits[done - 1] = limit
    return limit


def _highest(items: Items, done: int, won: float, step: float, needed: float) -> tuple[float, float, FloatArray]:
    """The largest multiple of `step` that is won after so many items, the next one, and its bets."""
    reach = 1
    while True:
        bets = items.total(done, won + reach * step)
        if _mixture(bets) > needed:
            won, reach = won + reach * step, 2 * reach
        elif reach > 1:
            reach = 1
        else:
            return won, won + step, bets


def _steps(differences: FloatArray) -> FloatArray:
    """After each item a power of two near a part of the standard error of the mean, of the items so far alone.

    It changes where the standard error has changed by a factor of two and more, so that it does so seldom.
    """
    n = np.arange(1, differences.size + 1)
    squares = np.cumsum(differences**2) - np.cumsum(differences) ** 2 / n
    wanted = np.floor(np.log2((np.sqrt(np.maximum(squares, 0.0)) + 1) / (FINE * n)))
    found, at = np.empty(n.size), 0
    while at < n.size:
        changed = np.flatnonzero(np.abs(wanted[at:] - wanted[at]) >= 2)
        end = at + int(changed[0]) if changed.size else n.size
        found[at:end] = 2.0 ** wanted[at]
        at = end
    return found


def _mixture(bets: FloatArray) -> FloatArray:
    largest = bets.max(axis=-1, keepdims=True)
    return np.asarray(largest[..., 0] + np.log(np.exp(bets - largest) @ WEIGHTS))
