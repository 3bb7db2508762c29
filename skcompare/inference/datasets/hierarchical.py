"""The Bayesian hierarchical correlated t test: two models on the folds of many data sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field
from math import fsum
from statistics import fmean
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import integrate, interpolate, special

from skcompare._core.numbers import counted
from skcompare._core.validation import FloatArray, check_choice, check_number, check_pair
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import ConfidenceInterval, Posterior
from skcompare.inference._records import paired_differences, power_of_two

HierarchicalPrior = Literal["corani2017", "baycomp"]
# The least spread of a data set whose differences do not vary, of the mean spread of those that do.
LEAST_SPREAD = 0.1
# The priors of scales end at this many sample standard deviations.
PRIOR_LIMIT = 1000.0
# Below this many standard deviations within data sets, the one between them no longer sets the limit of the prior.
LEAST_BETWEEN = 0.01
LARGEST_SCALED, LARGEST_ROPE = 1e75, 1e200  # standard deviations; integrals of splines take the fourth power
LEAST_SCALED = 1e-8  # standard deviation over the largest one or the largest difference: what is less, no grid resolves
LEAST_MEAN = 1e-60  # its square vanishes
MOST_NOISE = 1e20  # of data sets that do not vary: all is within a rope of this width
RESOLVED = 1e-12  # standard deviation over mean or rope: what less is, numbers cannot tell
FEW_DATASETS = 3
ACCURACY = 1e-3


class HierarchicalPosterior(Posterior, eq=False):
    """Posterior of the population of data sets, and of each data set, of the mean difference ``a - b``.

    Attributes
    ----------
    left, rope, right : float
        Probabilities that, of "`b` is better", "the two are equivalent" and "`a` is better", this one is the most
        probable for a next data set. They sum to 1.
    predictive_left, predictive_rope, predictive_right : float
        Probabilities of the three for a next data set, its own difference included. They sum to 1.
    mean : float
        Posterior mean of the location of the population, in score units; positive favours `a`.
    scale : float
        Posterior mean of its scale, in score units.
    df : float
        Posterior mean of its degrees of freedom, above 1: the smaller, the heavier its tails.
    dataset_means : ndarray of shape (n,)
        Posterior means of the difference on each data set, in score units: the sample means, shrunk to each other.
    dataset_left, dataset_rope, dataset_right : ndarray of shape (n,)
        Posterior probabilities of the three for each data set.
    rope_width : float
        Half width of the region of practical equivalence, in score units.
    error : float
        How much the probabilities about a next data set changed in the last refinement of the quadrature: an upper
        bound, as a rule far above their error.
    n : int
        Number of data sets.
    locations, density : ndarray of shape (n_nodes,)
        The marginal posterior of the location: nodes in score units, and density per score unit.
    method : str
        The procedure, its prior and the correlation.
    """

    predictive_left: float
    predictive_rope: float
    predictive_right: float
    mean: float
    scale: float
    df: float
    dataset_means: FloatArray
    dataset_left: FloatArray
    dataset_rope: FloatArray
    dataset_right: FloatArray
    error: float
    locations: FloatArray = field(repr=False)
    density: FloatArray = field(repr=False)

    def interval(self, mass: float = 0.95) -> ConfidenceInterval:
        """Central credible interval of the location of the population that holds the probability `mass`, in (0, 1)."""
        mass = check_number(mass, "mass", low=0, high=1, closed="neither")
        width = self.locations[-1] - self.locations[0]
        if not width > 0:  # no difference at all, or nan
            return ConfidenceInterval(low=self.mean, high=self.mean)
        at = np.linspace(0, 1, 4001)
        spline = interpolate.CubicSpline((self.locations - self.locations[0]) / width, self.density * width)
        share = np.maximum.accumulate(spline.antiderivative()(at))
        places = np.interp([(1 - mass) / 2, (1 + mass) / 2], share / share[-1], at)
        return ConfidenceInterval(*(self.locations[0] + places * width).tolist())


def hierarchical_posterior(
    a: ArrayLike, b: ArrayLike, *, test_fraction: float, rope: float, prior: HierarchicalPrior = "corani2017"
) -> HierarchicalPosterior:
    r"""Bayesian hierarchical correlated t test, for the fold scores of two models on many data sets.

    On data set i the n differences :math:`x_i = a - b` are normal with mean :math:`\delta_i`, standard deviation
    :math:`\sigma_i` and correlation :math:`\rho`, the fraction of the samples in a test set. The means come from a
    population, a Student t with location :math:`\delta_0`, scale :math:`\sigma_0` and :math:`\nu` degrees of freedom:

    .. math:: x_i \sim N\left( \delta_i 1, \; \sigma_i^2 \left[ (1 - \rho) I + \rho 1 1^\top \right] \right), \qquad
        \delta_i \sim t_\nu(\delta_0, \sigma_0)

    (Corani et al. 2017, section 3). The noise of every data set is so told from the spread between data sets, and
    each estimate is shrunk towards the others.

    Priors are uniform: :math:`\sigma_i` up to 1000 times the mean standard deviation within data sets,
    :math:`\delta_0` up to the largest difference in either direction, :math:`\sigma_0` up to 1000 times the standard
    deviation of the means (within data sets, if there is only one data set), and :math:`\nu - 1` is Gamma with a
    uniform shape and a uniform rate.

    The posterior is integrated, not sampled: :math:`\delta_i` and :math:`\sigma_i` exactly up to one-dimensional
    tables, the rest on a grid that is refined until two agree. The same scores give the same answer.

    Parameters
    ----------
    a, b : array_like of shape (n_datasets, n_splits)
        Scores of the two models on the same splits of each data set, in any unit, larger better; the splits of all
        repeats of a cross-validation in one row.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not.
    rope : float
        Half width of the region of practical equivalence, in score units, at least 0. With 0 nothing is equivalent.
    prior : {"corani2017", "baycomp"}, default="corani2017"
        Shape and rate of the Gamma prior: uniform on (0.5, 5) and (0.05, 0.15), as in the code of the authors, or on
        (1, 2) and (0.01, 0.1), as in the package baycomp, which expects lighter tails.

    Returns
    -------
    HierarchicalPosterior
        `left`, `rope` and `right` are the reported probabilities of the paper, for a next data set. With three data
        sets or fewer a warning says that the scale rests on its prior: the posterior mean of the scale, not the
        probabilities, then grows with the prior's limit.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of two dimensions, or an option is out of range.

    See Also
    --------
    correlated_t_posterior : one data set.

    Notes
    -----
    A data set whose differences do not vary has no likelihood to integrate. The authors' code adds noise to it that
    is uniform on plus or minus `rope` in the first half of the splits and its negative in the second. Here such a
    data set keeps its mean and gets the standard deviation that this noise has on average,
    :math:`\mathrm{rope} \sqrt{n / (3 (n - 1))}`, or a tenth of the mean standard deviation of the other data sets
    where that is larger: a rope of 0 must not make it infinitely sure. A standard deviation counts as at least 1e-8
    times the largest one and the largest difference.

    References
    ----------
    G. Corani, A. Benavoli, J. Demšar, F. Mangili and M. Zaffalon (2017), Statistical comparison of classifiers
    through Bayesian hierarchical modelling, Machine Learning 106, 1817-1837, :doi:`10.1007/s10994-017-5641-9`.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import hierarchical_posterior
    >>> noise = np.array([0.03, -0.03, 0.02, -0.02, 0.01, -0.01, 0.03, -0.03, 0.0, 0.0])
    >>> gain = np.array([[0.03], [0.02], [0.04], [0.01], [0.03], [0.05]])
    >>> a, b = 0.8 + gain + noise, np.full((6, 10), 0.8)
    >>> result = hierarchical_posterior(a, b, test_fraction=0.1, rope=0.02)
    >>> round(result.rope, 2), round(result.right, 2), round(result.predictive_right, 2)
    (0.07, 0.93, 0.79)
    """
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    width = check_number(rope, "rope", low=0, high=float("inf"), closed="left")
    check_choice(prior, "prior", get_args(HierarchicalPrior))
    a, b = check_pair(a, b, ndim=(2,))
    unit, sign, warnings = 1.0, 1, [Code.TOO_LITTLE_DATA("1 split per data set; a posterior needs at least 2.")]
    if a.shape[1] < 2:
        undefined = [np.full(shape, np.nan) for shape in ((2, 3), 3, 2, 2, len(a), (len(a), 3))]
        answers = Answers._make([*undefined, np.nan])
    else:
        rows = [paired_differences(*pair) for pair in zip(a, b, strict=True)]
        differences = np.stack([row.values for row in rows])
        varies = np.array([row.std > RESOLVED * width for row in rows])
        means, stds = _moments(differences, varies)
        # one of the two orders of the models is computed as the other one
        ours, theirs = (sorted(zip(sign * means, stds, strict=True)) for sign in (1, -1))
        sign = -1 if ours < theirs else 1
        means = sign * means
        # one order of the data sets, so that their order cannot change a digit
        order = np.lexsort((stds, means))
        unit, sets = _standardise(means[order], stds[order], width, fraction, differences)
        answers = posterior(sets, min(width / (unit or 1.0), LARGEST_ROPE), prior)
        back = np.argsort(order)
        answers = answers._replace(set_means=answers.set_means[back], set_probabilities=answers.set_probabilities[back])
        warnings = [*_warnings(differences, varies, answers.error)]
    turned = slice(None, None, sign)
    outcomes = ("left", "rope", "right")
    names = (*outcomes, *(f"predictive_{outcome}" for outcome in outcomes))
    shares: dict[str, Any] = dict(zip(names, answers.shares[:, turned].ravel().tolist(), strict=True))
    shares |= {f"dataset_{x}": own for x, own in zip(outcomes, answers.set_probabilities[:, turned].T, strict=True)}
    mean, scale, df = answers.moments.tolist()
    with np.errstate(over="ignore"):
        density = answers.density[turned] / (unit or 1.0)
    return HierarchicalPosterior(
        **shares,
        mean=sign * mean * unit + 0.0,
        scale=scale * unit,
        df=df,
        dataset_means=sign * answers.set_means * unit,
        rope_width=width,
        error=answers.error,
        n=len(answers.set_means),
        locations=sign * answers.locations[turned] * unit,
        density=density,
        method=f"hierarchical Bayesian correlated t test (prior {prior}, test fraction {fraction:.3g})",
        warnings=tuple(warnings),
    )


def _moments(differences: FloatArray, varies: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each row: exact sums, whatever the order and the sign of the values."""
    n = differences.shape[1]
    power = power_of_two(differences)
    rows = differences / power
    means = np.array([fmean(row) for row in rows])
    stds = np.array([(fsum(row) / (n - 1)) ** 0.5 for row in (rows - means[:, None]) ** 2])
    return np.where(varies, means * power, differences[:, 0]), np.where(varies, stds * power, 0.0)


def _standardise(
    means: FloatArray, stds: FloatArray, rope: float, fraction: float, differences: FloatArray
) -> tuple[float, StandardisedSets]:
    """The sets in a unit of their own, and that unit: 0 where there is no difference and no rope to take it from."""
    n = differences.shape[1]
    still = stds == 0
    noise = rope * (n / (3 * (n - 1))) ** 0.5
    unit = fmean(stds[~still]) if not still.all() else noise or float(np.abs(means).max())
    scaled, spreads, largest = (values / (unit or 1.0) for values in (means, stds, np.abs(differences).max()))
    if largest > LARGEST_SCALED:
        raise ValueError(
            f"a and b must differ by at most {LARGEST_SCALED:g} times their standard deviation within data sets; got "
            f"{largest:.3g} times"
        )
    scaled = np.where(np.abs(scaled) < LEAST_MEAN, 0.0, scaled)
    noise = max(min(noise / (unit or 1.0), MOST_NOISE), LEAST_SPREAD)
    spreads[still] = noise
    spreads = np.maximum(spreads, LEAST_SCALED * max(float(largest), float(spreads.max())))
    within = fmean(spreads)
    between = (fsum((scaled - fmean(scaled)) ** 2) / (len(means) - 1)) ** 0.5 if len(means) > 1 else within
    # the noise that stands for a still data set reaches this far
    edges = np.abs(scaled[still]) + 3**0.5 * spreads[still]
    return unit, StandardisedSets(
        means=scaled,
        stds=spreads,
        n_splits=n,
        test_fraction=fraction,
        largest_location=float(np.max([largest, *edges])),
        largest_scale=PRIOR_LIMIT * max(between, LEAST_BETWEEN * within),
        largest_std=PRIOR_LIMIT * within,
    )


def _warnings(differences: FloatArray, varies: NDArray[np.bool_], error: float) -> Iterator[CodedWarning]:
    if len(varies) <= FEW_DATASETS:
        yield Code.TOO_LITTLE_DATA(
            f"the scale of the population hardly shows on {counted(len(varies), 'data set')}, so the answer rests "
            "on its prior."
        )
    if not differences.any():
        yield Code.NO_DIFFERENCE("the differences are all 0.")
    elif not varies.all():
        n_still = int((~varies).sum())
        yield Code.ZERO_VARIANCE(f"the differences of {counted(n_still, 'data set')} do not vary; each keeps its mean.")
    if error > ACCURACY:
        yield Code.MONTE_CARLO(f"the last two refinements of the quadrature differ by {error:.2g}.")


# Posterior of the hierarchical model on a grid: no sampling.
#
# A Student t is a scale mixture of normals. Written so, both the prior of the mean difference of a data set and its
# likelihood (with its standard deviation integrated out: a Student t on n - 2 degrees of freedom) are sums of normals,
# and what a data set says about the location, scale and degrees of freedom of the population is a sum of normal
# densities. These are tabulated once per data set over location and spread of the normal; one matrix then mixes them
# for all scales and degrees of freedom.


class StandardisedSets(NamedTuple):
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


class Grid(NamedTuple):
    """Nodes; `mixing` of shape (scales x dfs, spreads) turns a table over spreads into one over scales and dfs."""

    locations: FloatArray
    log_scales: FloatArray
    log_dfs: FloatArray
    log_spreads: FloatArray
    mixing: FloatArray


Ranges = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]


def make_grid(
    sets: StandardisedSets, ranges: Ranges, counts: tuple[int, ...], *, spread_step: float, mixture_step: float
) -> Grid:
    log_scales, log_dfs = (np.linspace(*ends, count) for ends, count in zip(ranges[1:], counts[1:], strict=True))
    # beyond these spreads the tables are constant, or their share is below 1e-5
    low = max(log_scales[0] - 4, float(np.log(sets.standard_errors.min() / 300)))
    high = max(log_scales[-1] + 6, float(np.log(1000 * sets.largest_location)))
    low = min(low, high - 1)
    log_spreads = np.linspace(low, high, max(8, int(np.ceil((high - low) / spread_step)) + 1))
    spline = interpolate.make_interp_spline(log_spreads, np.eye(len(log_spreads)), k=5)
    mixing = np.empty((len(log_scales), len(log_dfs), len(log_spreads)))
    for j, df in enumerate(1 + np.exp(log_dfs)):
        # nodes of the trapezoidal rule for the logarithm of a chi-square variable; what is averaged vanishes like the
        # root of the variable, hence the degree of freedom more on the left
        least, most = special.gammaincinv((df + 1) / 2, 1e-14), special.gammainccinv(df / 2, 1e-14)
        log_chi2 = np.arange(np.log(2 * least), np.log(2 * most), mixture_step * min(1.0, (2 / df) ** 0.5))
        log_density = df / 2 * log_chi2 - np.exp(log_chi2) / 2
        density = np.exp(log_density - log_density.max())
        points = log_scales[:, None] + (np.log(df) - log_chi2) / 2
        mixing[:, j] = np.einsum("skt,k->st", spline(np.clip(points, low, high)), density / density.sum())
    locations = _graded_nodes(sets, *ranges[0], counts[0])
    return Grid(locations, log_scales, log_dfs, log_spreads, mixing.reshape(-1, len(log_spreads)))


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


class Answers(NamedTuple):
    """Posterior summaries, in the units of the sets; the last axis of probabilities is left, rope, right.

    `shares` are the probabilities of the most probable outcome and of the predictive one, `moments` the means of
    location, scale and df. `error` is how much `shares` changed in the last refinement.
    """

    shares: FloatArray
    moments: FloatArray
    locations: FloatArray
    density: FloatArray
    set_means: FloatArray
    set_probabilities: FloatArray
    error: float


class _Solution(NamedTuple):
    """The posterior on a grid, what was read off it, and what the summaries of each set need.

    `density`, of shape (locations, scales x dfs), is one in the location and a mass in the others; its integral is 1.
    """

    grid: Grid
    mixtures: tuple[FloatArray, FloatArray]
    tables: list[FloatArray]
    density: FloatArray
    location_weights: FloatArray
    shares: FloatArray


def posterior(sets: StandardisedSets, rope: float, prior: str) -> Answers:
    """Summaries on ever finer grids, until two agree."""
    ranges = _find_mass(sets, prior)
    solution, error = _solve(sets, rope, prior, ranges, REFINEMENTS[0]), np.inf
    for refinement in REFINEMENTS[1:]:
        finer = _solve(sets, rope, prior, ranges, refinement)
        solution, error = finer, float(np.abs(finer.shares - solution.shares).max())
        if error <= TOLERANCE:
            break
    grid, weights = solution.grid, solution.location_weights
    marginal = solution.density.sum(axis=1)
    outer = (weights @ solution.density).reshape(len(grid.log_scales), len(grid.log_dfs))
    set_means, set_probabilities = _per_set(sets, solution, rope)
    mean, scale = (weights * marginal) @ grid.locations, outer.sum(axis=1) @ np.exp(grid.log_scales)
    moments = np.array([mean, scale, outer.sum(axis=0) @ (1 + np.exp(grid.log_dfs))])
    return Answers(solution.shares, moments, grid.locations, marginal, set_means, set_probabilities, error)


def _find_mass(sets: StandardisedSets, prior: str) -> Ranges:
    """Zoom from all that the prior allows to where the posterior is."""
    top = float(np.log(sets.largest_scale))
    bottom = min(float(np.log(sets.standard_errors.min() / 1000)), top - 7)
    ranges: Ranges = ((-sets.largest_location, sets.largest_location), (bottom, top), DF_RANGE)
    variances, weights = likelihood_mixture(sets, step=1.6)
    for _ in range(30):
        grid = make_grid(sets, ranges, SEARCH, spread_step=0.5, mixture_step=1.6)
        log_mass = _log_posterior(grid, normal_tables(sets, grid, variances, weights), prior)
        of_location, of_scale, of_df = (log_mass.max(axis=axes) for axes in ((1, 2), (0, 2), (0, 1)))
        least = _cut(grid.log_scales, of_scale, CUT_FLAT, CUT)[0]
        # the mean of the scale reads the density times the scale
        most = _cut(grid.log_scales, of_scale + grid.log_scales, CUT, CUT)[1]
        dfs = _cut(grid.log_dfs, of_df, CUT_FLAT, CUT)
        new: Ranges = (_cut(grid.locations, of_location, CUT, CUT), (least, most), dfs)
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
    return total.reshape(shape) + grid.log_scales[:, None] + np.log(_df_prior(grid.log_dfs, prior)[0])


def _mixed(table: FloatArray, grid: Grid) -> FloatArray:
    return np.maximum(table @ grid.mixing.T, 1e-300)


def _df_prior(log_dfs: FloatArray, prior: str) -> tuple[FloatArray, float]:
    """Prior density of log(df - 1), with its hyperpriors integrated out, and the probability below the first node."""
    nodes, weights = np.polynomial.legendre.leggauss(32)
    shape, rate = ((low + high) / 2 + (high - low) / 2 * nodes for low, high in PRIORS[prior])
    shape, rate, weight = np.repeat(shape, 32), np.tile(rate, 32), np.outer(weights, weights).ravel() / 4
    y = np.exp(log_dfs)[:, None]
    density = np.exp(shape * np.log(rate * y) - rate * y - special.gammaln(shape)) @ weight
    return density, float(special.gammainc(shape, rate * y[0]) @ weight)


def _solve(sets: StandardisedSets, rope: float, prior: str, ranges: Ranges, refinement: float) -> _Solution:
    counts = tuple(int(np.ceil(count * refinement)) for count in NODES)
    mixture_step = 0.9 / refinement**0.5
    grid = make_grid(sets, ranges, counts, spread_step=0.3 / refinement, mixture_step=mixture_step)
    variances, weights = likelihood_mixture(sets, mixture_step)
    tables = normal_tables(sets, grid, variances, weights)
    log_density = _log_posterior(grid, tables, prior)
    density = np.exp(log_density - log_density.max())
    of_scale, of_df = (
        interpolate.CubicSpline(nodes, np.eye(len(nodes))).integrate(nodes[0], nodes[-1])
        for nodes in (grid.log_scales, grid.log_dfs)
    )
    # with the mass below the first node of each
    of_scale[0] += 1.0
    of_first, below = _df_prior(grid.log_dfs, prior)
    of_df[0] += below / of_first[0]
    # integrals of the splines that are 1 at one node: weights of a quadrature rule up to any point
    along: Callable[..., FloatArray] = interpolate.CubicSpline(grid.locations, np.eye(counts[0])).antiderivative()
    if along(grid.locations[-1]).min() < 0:  # beside steps of other sizes; a density has no mass below 0
        along = interpolate.make_interp_spline(grid.locations, np.eye(counts[0]), k=1).antiderivative()
    density = density * of_df
    density /= np.einsum("lsv,l,s->", density, along(grid.locations[-1]), of_scale)
    weighted = (density * of_scale[:, None]).reshape(counts[0], -1)
    winner = _most_probable(grid, density, along, of_scale, rope)
    # the probabilities of left, rope and right for a next data set
    at, to_fine = _finer_locations(grid)
    share = to_fine @ (weighted @ grid.mixing)
    share /= share.sum()
    spreads = np.exp(grid.log_spreads)
    left, right = (float((share * special.ndtr((sign * at[:, None] - rope) / spreads)).sum()) for sign in (-1, 1))
    shares = np.stack([winner, _triple(left, right, rope)])
    return _Solution(grid, (variances, weights), tables, weighted, along(grid.locations[-1]), shares)


def _most_probable(
    grid: Grid, density: FloatArray, along: Callable[..., FloatArray], weights_of_scale: FloatArray, rope: float
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
