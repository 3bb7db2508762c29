"""Probability of each component of a Dirichlet vector to be the largest, by quadrature."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray

_CHUNK = 256
_NEGLIGIBLE = 1e-30
_TINY = 1e-100


def probability_largest(alpha: FloatArray) -> FloatArray:
    """Probability of each component of a Dirichlet vector to be the largest.

    The components are gamma variates over their sum. With x = exp(t), component i is the largest with density
    proportional to x**alpha_i exp(-x) prod_j P(alpha_j, x) in t, P the regularised incomplete gamma function.
    That density decays exponentially to the left and doubly so to the right, so the trapezoid rule converges
    exponentially. Equal parameters are computed once.
    """
    if alpha.sum() < _TINY:  # all of the mass is on one component
        scaled = alpha / alpha.max()
        return np.asarray(scaled / scaled.sum())
    lost = np.minimum(1.0, alpha / _TINY)  # the probability of a tiny parameter is proportional to it
    values, group, size = np.unique(np.maximum(alpha, _TINY), return_inverse=True, return_counts=True)
    largest = float(values[-1])
    t, step = _grid(largest, alpha.size)
    density = np.zeros((values.size, t.size))
    for start in reversed(range(0, t.size, _CHUNK)):
        density[:, start : start + _CHUNK] = _density(values, size, t[start : start + _CHUNK])
        if (density[:, start] < _NEGLIGIBLE * density.max(axis=1)).all():
            break  # the densities have one peak each: what is left of here is below their rounding
    # left of the grid the density is proportional to exp(t * sum(alpha)): the rest is a geometric series
    decay = np.exp(-step * alpha.sum())
    shares = density.sum(axis=1) + density[:, 0] * decay / -np.expm1(-step * alpha.sum())
    return np.asarray(shares[group] * step * lost)


def probabilities_largest(alphas: FloatArray) -> FloatArray:
    """`probability_largest` of every row, none of whose parameters is tiny.

    Rows with the same largest parameter have the same grid, on which each distribution function is computed once.
    """
    values, place = np.unique(alphas, return_inverse=True)
    place = place.reshape(alphas.shape)
    largest = place.max(axis=1)
    found = np.empty_like(alphas)
    for top in np.unique(largest):
        rows = np.flatnonzero(largest == top)
        used, of = np.unique(place[rows], return_inverse=True)
        of = of.reshape(rows.size, -1)
        cells = of + np.arange(rows.size)[:, None] * used.size
        size = np.bincount(cells.ravel(), minlength=rows.size * used.size).reshape(rows.size, used.size)
        found[rows] = np.take_along_axis(_shares(values[used], size), of, axis=1)
    return found


def _shares(values: FloatArray, size: NDArray[np.intp]) -> FloatArray:
    """Of each value in each row to be the largest, where `size` components have it; shape (n_rows, n_values)."""
    t, step = _grid(float(values[-1]), int(size[0].sum()))
    shares, first = np.zeros(size.shape), np.zeros(size.shape)
    for start in reversed(range(0, t.size, _CHUNK)):
        log_density, log_cdf = _logs(values, t[start : start + _CHUNK])
        of_one, of_all = np.exp(log_density - log_cdf), np.exp(size @ log_cdf)
        shares += of_all @ of_one.T
        left = of_all[:, :1] * of_one[:, 0]
        if (left < _NEGLIGIBLE * shares).all():
            break
        first = left if start == 0 else first
    total = (size @ values)[:, None]
    return np.asarray((shares + first * np.exp(-step * total) / -np.expm1(-step * total)) * step)


def _density(values: FloatArray, size: NDArray[np.intp], t: FloatArray) -> FloatArray:
    """Of each component to have the value exp(t) and to be the largest, shape (n_values, n_points)."""
    log_density, log_cdf = _logs(values, t)
    all_smaller = (size[:, None] * log_cdf).sum(axis=0)
    return np.asarray(np.exp(log_density + all_smaller - log_cdf))


def _logs(values: FloatArray, t: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Logarithms of the densities on the log scale and of the distribution functions, shape (n_values, n_points)."""
    # alpha t - exp(t) - log Gamma(alpha), around the peak at log(alpha), where large terms would cancel
    from_peak = t - np.log(values)[:, None]
    log_density = values[:, None] * (from_peak - np.expm1(from_peak)) + _log_peak(values)[:, None]
    return log_density, _log_gamma_cdf(values[:, None], np.exp(t))


def _grid(largest: float, size: int) -> tuple[FloatArray, float]:
    """Points of the trapezoid rule on the log scale, where the largest parameter has its peak, and their distance.

    The largest of many equal components is spread less than each of them.
    """
    width = 1 / np.sqrt(largest + 1)
    # what is left of it has less than exp(-40) of the largest component's mass, or, from -40, is a geometric series
    low = max(-40.0, np.log(largest) - 40 / largest - 9 / np.sqrt(largest))
    high = np.log(largest) + np.log1p((12 / width + 40) / largest)
    n_points = int((high - low) / min(0.05, 0.3 * width / np.sqrt(1 + np.log(size)))) + 2
    t = np.linspace(low, high, n_points)
    return t, (high - low) / (n_points - 1)


def _log_peak(alpha: FloatArray) -> FloatArray:
    """alpha log(alpha) - alpha - log Gamma(alpha); Stirling's series where the terms would cancel."""
    large = np.maximum(alpha, 40)
    series = (np.log(large) - np.log(2 * np.pi)) / 2 - 1 / (12 * large) + 1 / (360 * large**3) - 1 / (1260 * large**5)
    return np.where(alpha > 40, series, alpha * np.log(alpha) - alpha - special.gammaln(alpha))


def _log_gamma_cdf(a: FloatArray, x: FloatArray) -> FloatArray:
    """Log of the regularised lower incomplete gamma function; its leading term where it underflows."""
    cdf = special.gammainc(a, x)
    if cdf.min() > 0:
        return np.asarray(np.log(cdf))
    with np.errstate(divide="ignore"):
        log_cdf = np.log(cdf)
    leading = a * np.log(x) - x - special.gammaln(a + 1)
    return np.where(np.isfinite(log_cdf), log_cdf, leading)
