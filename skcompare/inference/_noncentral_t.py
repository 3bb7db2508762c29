"""Power of a t test where the true difference is not 0, and the difference that a power needs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import optimize, special

from skcompare._core.validation import Alternative, check_alternative, check_number
from skcompare.inference._base import t_quantile

_LARGEST = 1e100  # in standard errors; what needs more has no defined answer


def check_goal(power: float, alpha: float, alternative: Alternative) -> tuple[float, float]:
    """Return `power` and `alpha` as floats, the former above the latter, or raise ValueError."""
    check_alternative(alternative)
    level = check_number(alpha, "alpha", low=0, high=1, closed="neither")
    return check_number(power, "power", low=level, high=1, closed="neither"), level


def t_power(distance: float, df: float, alpha: float, alternative: str) -> float:
    """Probability that a t test rejects where the true difference is `distance` standard errors.

    Infinite `df` stand for a standard error that is known.
    """
    if alternative == "two-sided":
        critical = _critical(df, alpha / 2)
        return min(1.0, _above(critical, df, abs(distance)) + _above(critical, df, -abs(distance)))
    return _above(_critical(df, alpha), df, distance if alternative == "greater" else -distance)


@lru_cache(maxsize=4096)  # of a table of comparisons all rows share one
def needed_distance(df: float, power: float, alpha: float, alternative: str) -> float:
    """The true difference, in standard errors and without its sign, that a t test finds with this power."""
    if np.isnan(df):
        return float("nan")
    sides = "two-sided" if alternative == "two-sided" else "greater"

    def lack(distance: float) -> float:
        return t_power(distance, df, alpha, sides) - power

    high = 4.0
    while lack(high) < 0:
        high *= 2
        if high > _LARGEST:
            return float("inf")
    return float(optimize.brentq(lack, 0.0, high, xtol=1e-12))


def _critical(df: float, tail: float) -> float:
    return -float(special.ndtri(tail)) if np.isinf(df) else -t_quantile(df, tail)


def _above(critical: float, df: float, distance: float) -> float:
    """P(T > critical) of the noncentral t distribution."""
    if np.isinf(df):
        return float(special.ndtr(distance - critical))
    if distance < 0:  # the mirrored distribution, since the function is for distances of at least 0
        return _below(-critical, df, -distance)
    return 1 - _below(critical, df, distance)


def _below(value: float, df: float, distance: float) -> float:
    """P(T <= value) of the noncentral t distribution; `distance` is at least 0."""
    found = float(special.nctdtr(df, distance, value))
    if found == found:
        return found
    # far in the tails scipy's series does not converge: the normal probability, averaged over the standard deviation
    nodes, weights = np.polynomial.legendre.leggauss(200)
    deviations = np.sqrt(special.chdtri(df, (1 - nodes) / 2) / df)
    return float(weights @ special.ndtr(value * deviations - distance) / 2)
