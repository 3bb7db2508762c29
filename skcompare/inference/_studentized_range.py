"""The studentized range: the distribution of the largest of all differences of k means over their standard error.

Written out because many values with finite degrees of freedom are asked for at once, and far in the tail.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray

# The trapezoid rule on smooth integrands that vanish at both ends converges exponentially. These limits and steps
# leave a relative error below 1e-9 up to 100 models: an integral over z is centred on half the range.
_OFFSETS = np.arange(-6.0, 7.6, 0.2)
_FAR = 1e100  # no square overflows up to here
_AT_ONCE = 2**12  # statistics
IntArray = NDArray[np.int64]
_VANISHES = 28.0  # exp(-28) is 7e-13


def studentized_range_pvalue(statistic: FloatArray, k: int | IntArray, df: float = np.inf) -> FloatArray:
    """Probability that the studentized range of k means exceeds each statistic, an array of one dimension.

    One number of means for all statistics, or with infinite degrees of freedom one for each.
    """
    pvalues = np.where(statistic == 0, 1.0, 0.0)
    inside = np.isfinite(statistic) & (statistic != 0)
    q = np.abs(statistic[inside])
    if q.size:
        within = np.minimum(q, _FAR)
        means = k[inside] if isinstance(k, np.ndarray) else k
        tail = _range_tail(within, means) if np.isinf(df) else _studentized_tail(within, means, df)
        pvalues[inside] = tail * (within / q) ** df  # a power, from there on
    return pvalues


def studentized_range_quantile(alpha: float, k: int, df: float = np.inf) -> float:
    """The value that the studentized range of k means exceeds with probability `alpha`, to a relative 1e-11 or so."""
    low, high = 0.0, 1.0
    while studentized_range_pvalue(np.array([high]), k, df)[0] > alpha:
        low, high = high, 2 * high
    for _ in range(8):
        grid = np.linspace(low, high, 33)
        above = int((studentized_range_pvalue(grid, k, df) > alpha).sum())
        low, high = grid[max(above, 1) - 1 : max(above, 1) + 1]
    return float(high)


def _range_tail(w: FloatArray, k: int | IntArray) -> FloatArray:
    """Tail of the range of k standard normals, the integral over their largest, z, in a form that does not cancel.

    The integrand is k phi(z) times Phi(z)^(k - 1) - (Phi(z) - Phi(z - w))^(k - 1).
    """
    if w.size > _AT_ONCE:
        parts = [slice(start, start + _AT_ONCE) for start in range(0, w.size, _AT_ONCE)]
        return np.concatenate([_range_tail(w[part], k[part] if isinstance(k, np.ndarray) else k) for part in parts])
    others = (np.broadcast_to(k, w.shape) - 1)[:, None]
    z = w[:, None] / 2 + _OFFSETS
    below = special.ndtr(z)
    with np.errstate(divide="ignore"):  # log1p(-1) at w = 0
        ratio = np.minimum(1.0, special.ndtr(z - w[:, None]) / below)
        missed = -np.expm1(others * np.log1p(-ratio))
    density = np.exp(-z * z / 2) * below**others
    step = _OFFSETS[1] - _OFFSETS[0]
    return np.asarray(np.minimum(1.0, (density * missed).sum(axis=1) * (step * k / np.sqrt(2 * np.pi))))


def _studentized_tail(q: FloatArray, k: int | IntArray, df: float) -> FloatArray:
    """Mean of the tail of the range at q s over s, a chi variable over the root of its degrees of freedom.

    The integral is over log s. Its integrand is largest between s = 1, where the density of s is, and where that
    density times exp(-(q s)^2 / 4) is, the decay of the tail, which holds from q s = 10 on.
    """
    least_peak = -np.log1p(q * q / (2 * df)) / 2
    peak = np.maximum(least_peak, np.minimum(0.0, np.log(10 / np.maximum(q, 10))))
    reach = np.sqrt(_VANISHES / df)
    low, high = least_peak - reach - _VANISHES / df, peak + reach
    steps = int(np.ceil(np.max(high - low) / min(0.55 / np.sqrt(df), 0.125)))
    constant = np.log(2) + df / 2 * np.log(df / 2) - special.gammaln(df / 2)
    total = np.zeros(q.shape)
    for share in np.arange(1, steps) / steps:
        log_s = low + share * (high - low)
        s = np.exp(log_s)
        total += np.exp(constant + df * (log_s - s * s / 2)) * _range_tail(q * s, k)
    return np.asarray(np.minimum(1.0, total * (high - low) / steps))
