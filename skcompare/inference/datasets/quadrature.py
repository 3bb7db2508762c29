"""Posterior of the hierarchical model on a grid: no sampling.

A Student t is a scale mixture of normals. Written so, both the prior of the mean difference of a data set and its
likelihood (with its standard deviation integrated out: a Student t on n - 2 degrees of freedom) are sums of normals,
and what a data set says about the location, scale and degrees of freedom of the population is a sum of normal
densities. These are tabulated once per data set over location and spread of the normal; one matrix then mixes them
for all scales and degrees of freedom.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import integrate, interpolate, special

from skcompare._core.validation import FloatArray

# The grid that the hierarchical posterior is computed on, and what each data set says at its nodes.


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


# Limits of the uniform hyperpriors of the shape and the rate of the Gamma prior of df - 1.
PRIORS = {"corani2017": ((0.5, 5.0), (0.05, 0.15)), "baycomp": ((1.0, 2.0), (0.01, 0.1))}

# Nodes in location, log scale and log(df - 1): of the search for the mass, and of the coarsest integral over it.
SEARCH = (33, 21, 8)
NODES = (41, 25, 17)
REFINEMENTS = (1.0, 1.4, 2.0, 2.8, 4.0)
TOLERANCE = 6e-4
# Log density, below that of the mode, at which the grid may end. Below its ends in scale and in df the likelihood is
# constant, and the mass there is added.
CUT, CUT_FLAT = 14.0, 8.0
DF_RANGE = (-7.0, 8.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Posterior summaries, in the units of the sets; the last axis of probabilities is left, rope, right.

    `error` is how much the probabilities that are not of one set changed in the last refinement.
    """

    most_probable: FloatArray
    predictive: FloatArray
    mean: float
    scale: float
    df: float
    locations: FloatArray
    density: FloatArray
    set_means: FloatArray
    set_probabilities: FloatArray
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Solution:
    """The posterior on a grid, what was read off it, and what the summaries of each set need.

    `density`, of shape (locations, scales x dfs), is one in the location and a mass in the others; its integral is 1.
    """

    grid: Grid
    mixtures: tuple[FloatArray, FloatArray]
    tables: list[FloatArray]
    density: FloatArray
    location_weights: FloatArray
    most_probable: FloatArray
    predictive: FloatArray


def posterior(sets: StandardisedSets, rope: float, prior: str) -> Answers:
    """Summaries on ever finer grids, until two agree."""
    ranges = _find_mass(sets, prior)
    solution, error = _solve(sets, rope, prior, ranges, REFINEMENTS[0]), np.inf
    for refinement in REFINEMENTS[1:]:
        finer = _solve(sets, rope, prior, ranges, refinement)
        changes = finer.most_probable - solution.most_probable, finer.predictive - solution.predictive
        solution, error = finer, float(np.abs(changes).max())
        if error <= TOLERANCE:
            break
    grid, weights = solution.grid, solution.location_weights
    marginal = solution.density.sum(axis=1)
    outer = (weights @ solution.density).reshape(len(grid.log_scales), len(grid.log_dfs))
    set_means, set_probabilities = _per_set(sets, solution, rope)
    return Answers(
        most_probable=solution.most_probable,
        predictive=solution.predictive,
        mean=float((weights * marginal) @ grid.locations),
        scale=float(outer.sum(axis=1) @ np.exp(grid.log_scales)),
        df=float(outer.sum(axis=0) @ (1 + np.exp(grid.log_dfs))),
        locations=grid.locations,
        density=marginal,
        set_means=set_means,
        set_probabilities=set_probabilities,
        error=error,
    )


def _find_mass(sets: StandardisedSets, prior: str) -> Ranges:
    """Zoom from all that the prior allows to where the posterior is."""
    smallest = float(sets.standard_errors.min())
    limit = sets.largest_location
    top = float(np.log(sets.largest_scale))
    bottom = min(float(np.log(smallest / 1000)), top - 7)
    ranges: Ranges = ((-limit, limit), (bottom, top), DF_RANGE)
    variances, weights = likelihood_mixture(sets, step=1.6)
    for _ in range(30):
        grid = make_grid(sets, ranges, SEARCH, spread_step=0.5, mixture_step=1.6)
        log_mass = _log_posterior(grid, normal_tables(sets, grid, variances, weights), prior)
        scales = log_mass.max(axis=(0, 2))
        new: Ranges = (
            _cut(grid.locations, log_mass.max(axis=(1, 2)), CUT, CUT),
            # the mean of the scale reads the density times the scale
            (
                _cut(grid.log_scales, scales, CUT_FLAT, CUT)[0],
                _cut(grid.log_scales, scales + grid.log_scales, CUT, CUT)[1],
            ),
            _cut(grid.log_dfs, log_mass.max(axis=(0, 1)), CUT_FLAT, CUT),
        )
        shrunk = any(b - a < 0.75 * (d - c) for (a, b), (c, d) in zip(new, ranges, strict=True))
        ranges = new
        if not shrunk:
            break
    return ranges


def _cut(nodes: FloatArray, log_density: FloatArray, low: float, high: float) -> tuple[float, float]:
    """Ends of the nodes, one to spare on either side, whose density is within the cuts of its maximum."""
    below = log_density.max() - log_density
    first, last = int(np.argmax(below <= low)), len(nodes) - 1 - int(np.argmax(below[::-1] <= high))
    return float(nodes[max(first - 1, 0)]), float(nodes[min(last + 1, len(nodes) - 1)])


def _log_posterior(grid: Grid, tables: list[FloatArray], prior: str) -> FloatArray:
    """Log density in location, log scale and log(df - 1), up to a constant."""
    total = np.zeros((len(grid.locations), len(grid.mixing)))
    for table in tables:
        total += np.log(_mixed(table, grid))
    shape = (len(grid.locations), len(grid.log_scales), len(grid.log_dfs))
    log_prior = np.log(_df_prior(grid.log_dfs, prior)[0])
    return total.reshape(shape) + grid.log_scales[:, None] + log_prior


def _mixed(table: FloatArray, grid: Grid) -> FloatArray:
    return np.maximum(table @ grid.mixing.T, 1e-300)


def _df_prior(log_dfs: FloatArray, prior: str) -> tuple[FloatArray, float]:
    """Prior density of log(df - 1), with its hyperpriors integrated out, and the probability below the first node."""
    (shape, rate), weight = _hyperprior(prior)
    y = np.exp(log_dfs)[:, None]
    density = np.exp(shape * np.log(rate * y) - rate * y - special.gammaln(shape)) @ weight
    return density, float(special.gammainc(shape, rate * y[0]) @ weight)


@lru_cache
def _hyperprior(prior: str) -> tuple[tuple[FloatArray, FloatArray], FloatArray]:
    nodes, weights = np.polynomial.legendre.leggauss(32)
    shape, rate = ((low + high) / 2 + (high - low) / 2 * nodes for low, high in PRIORS[prior])
    return (np.repeat(shape, 32), np.tile(rate, 32)), np.outer(weights, weights).ravel() / 4


def _solve(sets: StandardisedSets, rope: float, prior: str, ranges: Ranges, refinement: float) -> _Solution:
    locations, scales, dfs = (int(np.ceil(count * refinement)) for count in NODES)
    mixture_step = 0.9 / refinement**0.5
    grid = make_grid(sets, ranges, (locations, scales, dfs), spread_step=0.3 / refinement, mixture_step=mixture_step)
    variances, weights = likelihood_mixture(sets, mixture_step)
    tables = normal_tables(sets, grid, variances, weights)
    log_density = _log_posterior(grid, tables, prior)
    density = np.exp(log_density - log_density.max())
    weights_of_scale, weights_of_df = _outer_weights(grid, prior)
    # integrals of the splines that are 1 at one node: weights of a quadrature rule up to any point
    along = interpolate.CubicSpline(grid.locations, np.eye(locations)).antiderivative()
    density = density * weights_of_df
    density /= np.einsum("lsv,l,s->", density, along(grid.locations[-1]), weights_of_scale)
    weighted = (density * weights_of_scale[:, None]).reshape(locations, -1)
    return _Solution(
        grid=grid,
        mixtures=(variances, weights),
        tables=tables,
        density=weighted,
        location_weights=along(grid.locations[-1]),
        most_probable=_most_probable(grid, density, along, weights_of_scale, rope),
        predictive=_predictive(grid, weighted, rope),
    )


def _outer_weights(grid: Grid, prior: str) -> tuple[FloatArray, FloatArray]:
    """Quadrature weights of log scale and of log(df - 1), with the mass below the first node of each."""
    of_scale, of_df = (
        interpolate.CubicSpline(nodes, np.eye(len(nodes))).integrate(nodes[0], nodes[-1])
        for nodes in (grid.log_scales, grid.log_dfs)
    )
    of_scale[0] += 1.0
    density, below = _df_prior(grid.log_dfs, prior)
    of_df[0] += below / density[0]
    return of_scale, of_df


def _most_probable(
    grid: Grid, density: FloatArray, along: interpolate.PPoly, weights_of_scale: FloatArray, rope: float
) -> FloatArray:
    """Probabilities that left, rope and right are the most probable for a next data set.

    For a given scale and df these regions are intervals of the location: the rope wins up to some point on either
    side of 0, and on no location at all beyond the scale at which a third of the t lies in it. The integral over the
    rope's region ends at these points, which fall between nodes.
    """
    low, high = grid.locations[0], grid.locations[-1]
    total, zero = along(high), along(np.clip(0.0, low, high))
    left, right = (float(np.einsum("lsv,l,s->", density, part, weights_of_scale)) for part in (zero, total - zero))
    if rope == 0:
        return _triple(left, right, rope)
    nodes, weights = np.polynomial.legendre.leggauss(2 * len(grid.log_scales))
    spline = interpolate.make_interp_spline(grid.log_scales, np.eye(len(grid.log_scales)), k=5)
    first = grid.log_scales[0]
    for j, df in enumerate(1 + np.exp(grid.log_dfs)):
        last = min(float(np.log(rope / special.stdtrit(df, 2 / 3))), float(grid.log_scales[-1]))
        if last <= first:
            continue
        at = np.append(first, (first + last) / 2 + (last - first) / 2 * nodes)
        end = _rope_wins_up_to(np.exp(at), df, rope)
        within = density[:, :, j] @ spline(at).T * np.append(1.0, (last - first) / 2 * weights)
        left -= float(np.einsum("lm,ml->", within, zero - along(np.clip(-end, low, high))))
        right -= float(np.einsum("lm,ml->", within, along(np.clip(end, low, high)) - zero))
    return _triple(left, right, rope)


def _rope_wins_up_to(scales: FloatArray, df: float, rope: float) -> FloatArray:
    """The location in [0, rope] beyond which right is more probable than the rope, by bisection."""
    low, high = np.zeros_like(scales), np.full_like(scales, rope)
    for _ in range(26):
        middle = (low + high) / 2
        wins = 2 * special.stdtr(df, (middle - rope) / scales) + special.stdtr(df, (-middle - rope) / scales) < 1
        low, high = np.where(wins, middle, low), np.where(wins, high, middle)
    return (low + high) / 2


def _predictive(grid: Grid, density: FloatArray, rope: float) -> FloatArray:
    """Probabilities of left, rope and right for a next data set."""
    at, to_fine = _finer_locations(grid)
    share = to_fine @ (density @ grid.mixing)
    share /= share.sum()
    spreads = np.exp(grid.log_spreads)
    left, right = (float((share * special.ndtr((sign * at[:, None] - rope) / spreads)).sum()) for sign in (-1, 1))
    return _triple(left, right, rope)


def _finer_locations(grid: Grid) -> tuple[FloatArray, FloatArray]:
    """Nodes eight times as fine, and the matrix that turns a density at the nodes into mass at the finer ones.

    The tail of a small spread is a step in the location, which the nodes themselves may not resolve.
    """
    count = len(grid.locations)
    at = np.interp(np.linspace(0, count - 1, 8 * (count - 1) + 1), np.arange(count), grid.locations)
    weights = integrate.simpson(np.eye(len(at)), x=at, axis=0)
    return at, weights[:, None] * interpolate.CubicSpline(grid.locations, np.eye(count))(at)


def _per_set(sets: StandardisedSets, solution: _Solution, rope: float) -> tuple[FloatArray, FloatArray]:
    """Posterior mean of each data set's mean difference, and its probabilities of left, rope and right."""
    grid, (variances, weights) = solution.grid, solution.mixtures
    finer, to_fine = _finer_locations(grid)
    n_small = int(np.searchsorted(grid.log_spreads, np.log(2 * np.diff(grid.locations).max())))
    nearest = np.rint(np.linspace(0, len(grid.locations) - 1, len(finer))).astype(int)
    means, triples = np.empty(len(sets.means)), np.empty((len(sets.means), 3))
    for i, (table, mean) in enumerate(zip(solution.tables, sets.means, strict=True)):
        share = (solution.density / _mixed(table, grid)) @ grid.mixing
        coarse, fine = solution.location_weights[:, None] * share, to_fine @ share[:, :n_small]
        counts = np.abs(coarse * table) > 1e-9
        beside = counts[:, :n_small].copy()
        beside[1:] |= counts[:-1, :n_small]
        beside[:-1] |= counts[1:, :n_small]
        counts[:, :n_small] = False
        (at, spread), (fine_at, fine_spread) = np.nonzero(counts), np.nonzero(beside[nearest])
        location = np.concatenate([grid.locations[at], finer[fine_at]])[:, None]
        population = np.exp(2 * grid.log_spreads)[np.concatenate([spread, fine_spread])][:, None]
        total = population + variances[i]
        normal = weights[i] / np.sqrt(total) * np.exp(-((location - mean) ** 2) / 2 / total)
        normal *= np.concatenate([coarse[at, spread], fine[fine_at, fine_spread]])[:, None]
        normal /= normal.sum()
        centre = (location * variances[i] + mean * population) / total
        deviation = np.sqrt(population * variances[i] / total)
        means[i] = (normal * centre).sum()
        left = float((normal * special.ndtr((-rope - centre) / deviation)).sum())
        right = float((normal * special.ndtr((centre - rope) / deviation)).sum())
        triples[i] = _triple(left, right, rope)
    return means, triples


def _triple(left: float, right: float, width: float) -> FloatArray:
    """Left, rope and right, free of rounding; without a width the rope is nothing."""
    left, right = max(left, 0.0), max(right, 0.0)
    rope = max(0.0, 1 - left - right) if width > 0 else 0.0
    return np.array([left, rope, right]) / (left + rope + right)
