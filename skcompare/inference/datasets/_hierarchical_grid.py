"""The grid that the hierarchical posterior is computed on, and what each data set says at its nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import interpolate, special

from skcompare._core.validation import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardisedSets:
    """What the model reads, in units of a typical standard deviation; all arrays of shape (n_datasets,).

    Attributes
    ----------
    means, stds : ndarray
        Of the differences of each data set (``ddof=1``), all `stds` positive.
    n_splits : int
        Differences per data set, at least 2.
    test_fraction : float
        Their correlation.
    largest_location, largest_scale, largest_std : float
        Upper limits of the uniform priors.
    """

    means: FloatArray
    stds: FloatArray
    n_splits: int
    test_fraction: float
    largest_location: float
    largest_scale: float
    largest_std: float

    @property
    def standard_errors(self) -> FloatArray:
        """Of the means, with the correlation."""
        return self.stds * float((1 / self.n_splits + self.test_fraction / (1 - self.test_fraction)) ** 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Nodes; `mixing` of shape (scales x dfs, spreads) turns a table over spreads into one over scales and dfs."""

    locations: FloatArray
    log_scales: FloatArray
    log_dfs: FloatArray
    log_spreads: FloatArray
    mixing: FloatArray


Ranges = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


def make_grid(
    sets: StandardisedSets, ranges: Ranges, counts: tuple[int, int, int], *, spread_step: float, mixture_step: float
) -> Grid:
    locations = _graded_nodes(sets, *ranges[0], counts[0])
    log_scales, log_dfs = (np.linspace(*ends, count) for ends, count in zip(ranges[1:], counts[1:], strict=True))
    # beyond these spreads the tables are constant, or their share is below 1e-5
    low = max(log_scales[0] - 4, float(np.log(sets.standard_errors.min() / 300)))
    high = max(log_scales[-1] + 6, float(np.log(1000 * sets.largest_location)))
    low = min(low, high - 1)
    log_spreads = np.linspace(low, high, max(8, int(np.ceil((high - low) / spread_step)) + 1))
    spline = interpolate.make_interp_spline(log_spreads, np.eye(len(log_spreads)), k=5)
    mixing = np.empty((len(log_scales), len(log_dfs), len(log_spreads)))
    for j, df in enumerate(1 + np.exp(log_dfs)):
        log_chi2, share = _chi_square_nodes(df, mixture_step)
        points = log_scales[:, None] + (np.log(df) - log_chi2) / 2
        mixing[:, j] = np.einsum("skt,k->st", spline(np.clip(points, low, high)), share)
    return Grid(
        locations=locations,
        log_scales=log_scales,
        log_dfs=log_dfs,
        log_spreads=log_spreads,
        mixing=mixing.reshape(-1, len(log_spreads)),
    )


def _graded_nodes(sets: StandardisedSets, low: float, high: float, count: int) -> FloatArray:
    """Locations, half of them evenly spaced, half drawn to the data sets with the smallest standard errors.

    Small scales put a spike on a data set that is much more precise than the others.
    """
    errors = sets.standard_errors
    near = np.sinh(np.linspace(-9, 9, 73))
    at = np.concatenate([np.linspace(low, high, 2001), (sets.means[:, None] + errors[:, None] * near).ravel()])
    at = np.unique(np.clip(at, low, high))
    share = (at - low) / (high - low)
    drawn, weights = np.zeros_like(at), errors.min() / errors
    for mean, error, weight in zip(sets.means, errors, weights / weights.sum(), strict=True):
        pull = np.arcsinh((at - mean) / error)
        # a data set far away draws no nodes
        drawn += weight * ((pull - pull[0]) / (pull[-1] - pull[0]) if pull[-1] - pull[0] > 1e-6 else share)
    return np.asarray(np.interp(np.linspace(0, 1, count), (share + drawn) / 2, at))


def _chi_square_nodes(df: float, step: float) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the logarithm of a chi-square variable, for the trapezoidal rule.

    The step is in units of its standard deviation or 1, whichever is smaller. What is averaged vanishes like the
    root of the variable: hence the degree of freedom more on the left.
    """
    low = np.log(2 * special.gammaincinv((df + 1) / 2, 1e-14))
    high = np.log(2 * special.gammainccinv(df / 2, 1e-14))
    nodes = np.arange(low, high, step * min(1.0, (2 / df) ** 0.5))
    log_density = df / 2 * nodes - np.exp(nodes) / 2
    density = np.exp(log_density - log_density.max())
    return nodes, density / density.sum()


def likelihood_mixture(sets: StandardisedSets, step: float) -> tuple[FloatArray, FloatArray]:
    r"""Variances and weights, of shape (n_datasets, K), of the normals that make up the likelihood of each mean.

    With :math:`W = (n-1) s^2 / ((1-\rho) \sigma^2)`, the likelihood of the mean difference given :math:`\sigma` is
    normal with variance :math:`\sigma^2 (1 + (n-1)\rho) / n`, and a uniform :math:`\sigma` gives W the density of a
    chi-square on n - 2 degrees of freedom, cut where :math:`\sigma` reaches its upper limit.
    """
    n, rho = sets.n_splits, sets.test_fraction
    squares = (n - 1) * sets.stds**2 / (1 - rho)
    df = n - 2
    lowest = np.log(2 * special.gammaincinv((df + 1) / 2, 1e-8))
    high = np.log(2 * special.gammainccinv(max(df, 1) / 2, 1e-8))
    low = np.maximum(lowest, np.log(squares) - 2 * np.log(sets.largest_std))
    count = int(np.ceil((high - low.min()) / (step * min(1.0, (2 / max(df, 1)) ** 0.5)))) + 1
    log_chi2 = np.linspace(low, high, count, axis=1)
    weights = np.exp(df / 2 * log_chi2 - np.exp(log_chi2) / 2 - (df / 2 * np.log(max(df, 1)) - df / 2))
    weights[:, 0] /= 2
    variances = squares[:, None] / np.exp(log_chi2) * (1 + (n - 1) * rho) / n
    return variances, weights / weights.sum(axis=1, keepdims=True)


def normal_tables(sets: StandardisedSets, grid: Grid, variances: FloatArray, weights: FloatArray) -> list[FloatArray]:
    """Density of each mean for a normal population, of shape (locations, spreads), per data set."""
    spreads = np.exp(2 * grid.log_spreads)
    tables = []
    for mean, variance, weight in zip(sets.means, variances, weights, strict=True):
        total = spreads[:, None] + variance
        half_square = (grid.locations - mean)[:, None, None] ** 2 / 2
        tables.append(np.einsum("ltk,tk->lt", np.exp(-half_square / total), weight / np.sqrt(total)))
    return tables
