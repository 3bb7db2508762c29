"""The score statistic of Tango (1998) for the difference of two paired proportions."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from skcompare.inference._base import ROUNDING
from skcompare.inference.outcomes._binomial import first_true

# So near is a root that is found by secants.
_NEAR = 1e-14


def _tango_score(b: int, c: int, n: int, difference: float) -> tuple[float, float]:
    """The score of Tango (1998) at a given difference, which is 0 at the estimate, and its variance."""
    # his quadratic for the probability of c under the difference
    middle = -b - c + (2 * n - b + c) * difference
    last = -c * difference * (1 - difference)
    root = sqrt(max(middle**2 - 8 * n * last, 0.0))
    # the positive solution, in the form that does not cancel
    q = (root - middle) / (4 * n) if middle <= 0 else -2 * last / (root + middle)
    return b - c - n * difference, n * max(2 * q + difference * (1 - difference), 0.0)


def tango_z(b: int, c: int, n: int, difference: float) -> float:
    """His statistic; the models in the other order have its negative."""
    if b - c < n * difference:
        return -tango_z(c, b, n, -difference)
    excess, variance = _tango_score(b, c, n, difference)
    if excess <= ROUNDING * n:
        return 0.0
    return excess / sqrt(variance) if variance else float("inf")


def tango_low(b: int, c: int, n: int, z: float) -> float:
    """The difference at which the score statistic of Tango (1998) equals `z`: the lower limit."""

    def below(difference: float) -> bool:
        excess, variance = _tango_score(b, c, n, difference)
        if excess == variance == 0:  # unanimous samples at their own estimate: the limit lies beyond it for z < 0
            return z >= 0
        return excess <= z * sqrt(variance)

    return first_true(below, *_around_root(b, c, n, z, below))


def _around_root(b: int, c: int, n: int, z: float, below: Callable[[float], bool]) -> tuple[float, float]:
    """A narrow interval in which `below` turns, so that few halvings are left; the whole range where that fails."""

    def off(difference: float) -> float:
        excess, variance = _tango_score(b, c, n, difference)
        return excess - z * sqrt(variance)

    x = (b - c) / n - z * sqrt(max(b + c, 1)) / n
    near, last = x + 1e-4, off(x + 1e-4)
    for _ in range(20):  # secants
        found = off(x)
        if abs(x) >= 1 or found == last:
            break
        near, x, last = x, x - found * (x - near) / (found - last), found
        if abs(x - near) < _NEAR:
            break
    low, high = x - 8 * _NEAR, x + 8 * _NEAR
    return (low, high) if low > -1 and high < 1 and not below(low) and below(high) else (-1.0, 1.0)
