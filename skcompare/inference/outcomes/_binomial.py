"""Binomial tails, their p-values and the limits that invert them; normal p-values beside them."""

from __future__ import annotations

from collections.abc import Callable

from scipy import special


def at_most(k: int, n: int, p: float) -> float:
    """P(X <= k) for X binomial."""
    if k < 0 or k >= n:
        return float(k >= n)
    return float(special.betaincc(k + 1, n - k, p))


def at_least(k: int, n: int, p: float) -> float:
    """P(X >= k) for X binomial."""
    if k <= 0 or k > n:
        return float(k <= 0)
    return float(special.betainc(k, n - k + 1, p))


def lower_tail(k: int, n: int, p: float, *, midp: bool) -> float:
    """P(X <= k), with half the probability of `k` itself where `midp`."""
    return (at_most(k, n, p) + at_most(k - 1, n, p)) / 2 if midp else at_most(k, n, p)


def upper_tail(k: int, n: int, p: float, *, midp: bool) -> float:
    """P(X >= k), with half the probability of `k` itself where `midp`."""
    return (at_least(k, n, p) + at_least(k + 1, n, p)) / 2 if midp else at_least(k, n, p)


def binomial_pvalue(k: int, n: int, p: float, alternative: str, *, midp: bool) -> float:
    """Tail of the binomial on the side of the alternative; two-sided, twice the smaller tail."""
    if alternative == "less":
        return lower_tail(k, n, p, midp=midp)
    if alternative == "greater":
        return upper_tail(k, n, p, midp=midp)
    both = 2 * min(lower_tail(k, n, p, midp=midp), upper_tail(k, n, p, midp=midp))
    return both if both < 1 - 1e-12 else 1.0


def binomial_limits(k: int, n: int, tail: float, *, midp: bool) -> tuple[float, float]:
    """The success probabilities at which the upper and the lower tail of `k` equal `tail`.

    Without `midp` these are the limits of Clopper and Pearson (1934), beta quantiles.
    """
    if midp:
        low = first_true(lambda p: upper_tail(k, n, p, midp=True) >= tail, 0.0, 1.0)
        high = first_true(lambda p: lower_tail(k, n, p, midp=True) <= tail, 0.0, 1.0)
        return low, high
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betainccinv(k + 1, n - k, tail))
    return low, high


def first_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that is false below and true above begins to hold; an end where it never turns."""
    if holds(low):
        return low
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def normal_pvalue(z: float, alternative: str) -> float:
    """Tail of the standard normal on the side of the alternative."""
    if alternative == "two-sided":
        return 2 * float(special.ndtr(-abs(z)))
    return float(special.ndtr(-z if alternative == "greater" else z))


def normal_quantile(tail: float) -> float:
    """The value that a standard normal exceeds with probability `tail`."""
    return -float(special.ndtri(tail))
