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
_BLOCK, _FIRST = 4096, 16  # items at once: of those that are stored, of those after a limit rose
_TERMS, _NEAR = 8, 0.01  # of the Taylor series; the rest of one item is below 1e-18
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


class Totals:
    """The log capital of each bet after the first items, of means that rise as the items come.

    Of few different items each is counted; else it is a Taylor series in the mean, whose terms grow with the items.
    """

    def __init__(self, items: Items) -> None:
        self.items = items
        self._mean, self._done, self._sums = np.nan, 0, np.zeros(0)

    def at(self, stop: int, mean: float) -> FloatArray:
        """After the first `stop` items, of bets on a mean difference above `mean`."""
        codes, values = self.items.codes, self.items.values
        if codes is not None:
            return np.asarray(np.bincount(codes[:stop], minlength=values.size) @ _gains(values, mean))
        if stop < self._done or not abs(mean - self._mean) <= _NEAR * (1 + self._mean):
            self._mean, self._done, self._sums = mean, 0, np.zeros((_TERMS + 1, BETS.size))
        for start in range(self._done, stop, _BLOCK):
            self._add(start, min(start + _BLOCK, stop))
        self._done, far = stop, mean - self._mean
        powers = np.arange(1, _TERMS + 1)
        series = (-((-far) ** powers) / powers) @ self._sums[1:]
        return np.asarray(self._sums[0] + series - stop * np.log1p(far / (1 + self._mean)))

    def _add(self, start: int, stop: int) -> None:
        # log(1 + m + f (d - m)) about m: the part of a change in m that is left, over the capital
        self._sums[0] += self.items.gains(start, stop, self._mean).sum(axis=0)
        left = (1 - BETS) / (1 + self._mean * (1 - BETS) + np.multiply.outer(self.items.differences[start:stop], BETS))
        power = np.ones_like(left)
        for sums in self._sums[1:]:
            power *= left
            sums += power.sum(axis=0)


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
    totals, n, needed = Totals(Items.of(differences)), differences.size, -np.log(tail)
    limits, steps = np.full(n, -1.0), _steps(differences)
    begins = np.flatnonzero(np.diff(steps, prepend=np.nan) != 0)
    limit = -1.0
    for begin, end in zip(begins, [*begins[1:], n], strict=True):
        limit = _climb(totals, limits, (int(begin), int(end)), limit, float(steps[begin]), float(needed))
    return np.asarray(np.maximum.accumulate(limits))


def _climb(
    totals: Totals, limits: FloatArray, span: tuple[int, int], limit: float, step: float, needed: float
) -> float:
    """The limit after the items of a span, whose rises are filled in: the largest multiple of `step` that was won."""
    done, end = span
    aim = (np.floor(limit / step) + 1) * step
    bets, width = totals.at(done, aim), _FIRST
    while done < end:
        stop = min(end, done + width)
        paths = bets + np.cumsum(totals.items.gains(done, stop, aim), axis=0)
        won = np.flatnonzero(_mixture(paths) > needed)
        if not won.size:
            bets, done, width = paths[-1], stop, min(_BLOCK, 2 * width)
            continue
        done, width = done + int(won[0]) + 1, _FIRST
        limit, aim, bets = _highest(totals, done, aim, step, needed)
        limits[done - 1] = limit
    return limit


def _highest(totals: Totals, done: int, won: float, step: float, needed: float) -> tuple[float, float, FloatArray]:
    """The largest multiple of `step` that is won after so many items, the next one, and its bets."""
    reach = 1
    while True:
        bets = totals.at(done, won + reach * step)
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
