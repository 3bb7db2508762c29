"""Binomial tails of real counts, and the share that they leave possible."""

from __future__ import annotations

from scipy import optimize, special


def upper_tail(n_a: float, n_b: float, share: float, *, midp: bool) -> float:
    """P(Bin(n_a + n_b, share) >= n_a) of real counts, with half the probability of n_a itself for mid-p."""
    at_least = float(special.betainc(n_a, n_b + 1, share)) if n_a > 0 else 1.0
    if not midp:
        return at_least
    more = float(special.betainc(n_a + 1, n_b, share)) if n_b > 0 else 0.0
    return (at_least + more) / 2


def share_limit(n_a: float, n_b: float, tail: float, *, midp: bool) -> float:
    """The share below which n_a or more cases of n_a + n_b have a probability of less than `tail`."""
    if upper_tail(n_a, n_b, 0.0, midp=midp) >= tail:
        return 0.0
    if upper_tail(n_a, n_b, 1.0, midp=midp) <= tail:
        return 1.0
    return float(optimize.brentq(lambda share: upper_tail(n_a, n_b, share, midp=midp) - tail, 0.0, 1.0, xtol=1e-15))
