"""Power of a t test where the true difference is not 0, and the difference that a power needs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import optimize, special

from skcompare._core.validation import Alternative, check_alternative, check_number
from skcompare.inference._student_t import t_quantile

_SMALL = 1e-6  # below, scipy's function and its complement lose digits, or do not converge
_FAR = 1e3  # beyond, it takes minutes or does not return
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

    if not _critical(df, alpha / 2 if sides == "two-sided" else alpha) < _LARGEST:
        return float("inf")

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
    if distance > _FAR < critical:
        return _ratio_tail(critical, df, distance)[0]
    found = 1 - _below(critical, df, distance)
    return found if found > _SMALL else _mean_normal(-critical, distance, df)


def _below(value: float, df: float, distance: float) -> float:
    """P(T <= value) of the noncentral t distribution; `distance` is at least 0."""
    if distance > _FAR < value:
        return _ratio_tail(value, df, distance)[1]
    if max(abs(value), distance) > _FAR:
        return _mean_normal(value, -distance, df)
    found = float(special.nctdtr(df, distance, value))
    return found if found > _SMALL else _mean_normal(value, -distance, df)


def _ratio_tail(value: float, df: float, distance: float) -> tuple[float, float]:
    """P(T > value) and P(T <= value) where both are so large that the normal variable hardly moves the chi variable."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    squares = df * ((distance + nodes) / value) ** 2
    above, below = (weights @ tail(df, squares) / weights.sum() for tail in (special.chdtr, special.chdtrc))
    return float(above), float(below)


def _mean_normal(slope: float, start: float, df: float) -> float:
    """Mean of Phi(start + slope s) over s, a chi variable over the root of its degrees of freedom.

    By the trapezoid rule in log s, around the one peak of the integrand, so that it holds far in the tails too.
    """
    if np.isinf(slope):
        return float(slope > 0)
    low, high = -np.log1p(abs(slope)) - 5 - 800 / df, np.log1p(1500 / df) / 2 + 1
    constant = np.log(2) + df / 2 * np.log(df / 2) - special.gammaln(df / 2)
    for _ in range(8):
        log_s = np.linspace(low, high, 401)
        s = np.exp(log_s)
        log_terms = constant + df * (log_s - s * s / 2) + special.log_ndtr(start + slope * s)
        if not log_terms.max() > -1000:  # below the smallest float
            return 0.0
        near = np.flatnonzero(log_terms > log_terms.max() - 45)
        low, high = log_s[max(near[0] - 1, 0)], log_s[min(near[-1] + 1, 400)]
    return float(np.exp(log_terms).sum() * (log_s[1] - log_s[0]))
