"""The Bayesian hierarchical correlated t test: two models on the folds of many data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import interpolate

from skcompare._core.numbers import counted
from skcompare._core.validation import FloatArray, check_choice, check_number, check_pair
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import ConfidenceInterval, Posterior
from skcompare.inference._records import paired_differences, power_of_two
from skcompare.inference.datasets.quadrature import PRIORS, Answers, StandardisedSets, posterior

# The least spread of a data set whose differences do not vary, of the mean spread of those that do.
LEAST_SPREAD = 0.1
# The priors of scales end at this many sample standard deviations.
PRIOR_LIMIT = 1000.0
# Below this many standard deviations within data sets, the one between them no longer sets the limit of the prior.
LEAST_BETWEEN = 0.01
LARGEST_SCALED, LARGEST_ROPE = 1e75, 1e200  # standard deviations; integrals of splines take the fourth power
LEAST_SCALED = 1e-30  # nodes of a grid that follow a smaller one are too close
MOST_NOISE = 1e20  # of data sets that do not vary: all is within a rope of this width
RESOLVED = 1e-12  # standard deviation over mean or rope: what less is, numbers cannot tell
FEW_DATASETS = 3
ACCURACY = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HierarchicalPosterior(Posterior):
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

    left: float
    rope: float
    right: float
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
    rope_width: float
    error: float
    n: int
    locations: FloatArray = field(repr=False)
    density: FloatArray = field(repr=False)
    method: str
    warnings: tuple[CodedWarning, ...] = ()

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
        low, high = (self.locations[0] + places * width).tolist()
        return ConfidenceInterval(low=low, high=high)


def hierarchical_posterior(
    a: ArrayLike,
    b: ArrayLike,
    *,
    test_fraction: float,
    rope: float,
    prior: Literal["corani2017", "baycomp"] = "corani2017",
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
    where that is larger: a rope of 0 must not make it infinitely sure. A standard deviation below 1e-30 times the mean
    one counts as that.

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
    check_choice(prior, "prior", tuple(PRIORS))
    a, b = check_pair(a, b, ndim=(2,))
    method = f"hierarchical Bayesian correlated t test (prior {prior}, test fraction {fraction:.3g})"
    if a.shape[1] < 2:
        few = Code.TOO_FEW("1 split per data set; a posterior needs at least 2.")
        return _record(_undefined(len(a)), 1.0, width, method, (few,))
    differences, varies = _differences(a, b, RESOLVED * width)
    means, stds = _moments(differences, varies)
    flipped = _is_mirror_image(means, stds)
    means = -means if flipped else means
    # one order of the data sets, so that their order cannot change a digit
    order = np.lexsort((stds, means))
    unit, sets = _standardise(means[order], stds[order], width, fraction, differences)
    answers = posterior(sets, min(width / (unit or 1.0), LARGEST_ROPE), prior)
    back = np.argsort(order)
    answers = replace(answers, set_means=answers.set_means[back], set_probabilities=answers.set_probabilities[back])
    warnings = tuple(_warnings(differences, varies, answers.error))
    return _record(_mirrored(answers) if flipped else answers, unit, width, method, warnings)


def _differences(a: FloatArray, b: FloatArray, least: float) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Differences, shape (n_datasets, n_splits), and which data sets have any that differ by more than the least."""
    rows = [paired_differences(*pair) for pair in zip(a, b, strict=True)]
    return np.stack([row.values for row in rows]), np.array([row.std > least for row in rows])


def _moments(differences: FloatArray, varies: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each row: exact sums, whatever the order and the sign of the values."""
    n = differences.shape[1]
    power = power_of_two(differences) or 1.0
    rows = differences / power
    means = np.array([fsum(row) / n for row in rows])
    squares = (rows - means[:, None]) ** 2
    stds = np.array([(fsum(row) / (n - 1)) ** 0.5 for row in squares])
    return np.where(varies, means * power, differences[:, 0]), np.where(varies, stds * power, 0.0)


def _is_mirror_image(means: FloatArray, stds: FloatArray) -> bool:
    """True for one of the two orders of the models: both are computed as the other one."""
    ours, theirs = (sorted(zip(sign * means, stds, strict=True)) for sign in (1, -1))
    return ours < theirs


def _standardise(
    means: FloatArray, stds: FloatArray, rope: float, fraction: float, differences: FloatArray
) -> tuple[float, StandardisedSets]:
    """The sets in a unit of their own, and that unit: 0 where there is no difference and no rope to take it from."""
    n = differences.shape[1]
    still = stds == 0
    noise = rope * (n / (3 * (n - 1))) ** 0.5
    unit = float(_mean(stds[~still])) if not still.all() else noise or float(np.abs(means).max())
    scaled, spreads, largest = (values / (unit or 1.0) for values in (means, stds, np.abs(differences).max()))
    if largest > LARGEST_SCALED:
        raise ValueError(
            f"a and b must differ by at most {LARGEST_SCALED:g} times their standard deviation within data sets; got "
            f"{largest:.3g} times"
        )
    spreads = np.maximum(spreads, LEAST_SCALED)
    scaled = np.where(np.abs(scaled) < LEAST_SCALED**2, 0.0, scaled)
    noise = max(min(noise / (unit or 1.0), MOST_NOISE), LEAST_SPREAD)
    spreads[still] = np.maximum(noise, RESOLVED * np.abs(scaled[still]))
    within = _mean(spreads)
    between = within
    if len(means) > 1:
        between = (fsum((scaled - _mean(scaled)) ** 2) / (len(means) - 1)) ** 0.5
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


def _mean(values: FloatArray) -> float:
    return fsum(values) / len(values)


def _warnings(differences: FloatArray, varies: NDArray[np.bool_], error: float) -> Iterator[CodedWarning]:
    if len(varies) <= FEW_DATASETS:
        yield Code.TOO_FEW(
            f"the scale of the population hardly shows on {counted(len(varies), 'data set')}, so the answer rests "
            "on its prior."
        )
    if not differences.any():
        yield Code.NO_DIFFERENCE("the differences are all 0.")
    elif not varies.all():
        n_still = int((~varies).sum())
        yield Code.ZERO_VARIANCE(f"the differences of {counted(n_still, 'data set')} do not vary; each keeps its mean.")
    if error > ACCURACY:
        yield Code.INACCURATE(f"the last two refinements of the quadrature differ by {error:.2g}.")


def _record(
    answers: Answers, unit: float, rope: float, method: str, warnings: tuple[CodedWarning, ...]
) -> HierarchicalPosterior:
    left, middle, right = (float(p) for p in answers.most_probable)
    predictive_left, predictive_rope, predictive_right = (float(p) for p in answers.predictive)
    dataset_left, dataset_rope, dataset_right = answers.set_probabilities.T
    return HierarchicalPosterior(
        left=left,
        rope=middle,
        right=right,
        predictive_left=predictive_left,
        predictive_rope=predictive_rope,
        predictive_right=predictive_right,
        mean=answers.mean * unit + 0.0,
        scale=answers.scale * unit,
        df=answers.df,
        dataset_means=answers.set_means * unit,
        dataset_left=dataset_left,
        dataset_rope=dataset_rope,
        dataset_right=dataset_right,
        rope_width=rope,
        error=answers.error,
        n=len(answers.set_means),
        locations=answers.locations * unit,
        density=_per_unit(answers.density, unit),
        method=method,
        warnings=warnings,
    )


def _per_unit(density: FloatArray, unit: float) -> FloatArray:
    with np.errstate(over="ignore"):
        return density / (unit or 1.0)


def _mirrored(answers: Answers) -> Answers:
    """The answers where the models change places."""
    return replace(
        answers,
        most_probable=answers.most_probable[::-1],
        predictive=answers.predictive[::-1],
        mean=-answers.mean,
        locations=-answers.locations[::-1],
        density=answers.density[::-1],
        set_means=-answers.set_means,
        set_probabilities=answers.set_probabilities[:, ::-1],
    )


def _undefined(n_datasets: int) -> Answers:
    """The answers for data sets with one split each."""
    nan, three = float("nan"), np.full(3, np.nan)
    return Answers(
        most_probable=three,
        predictive=three,
        mean=nan,
        scale=nan,
        df=nan,
        locations=np.full(2, nan),
        density=np.full(2, nan),
        set_means=np.full(n_datasets, nan),
        set_probabilities=np.full((n_datasets, 3), nan),
        error=nan,
    )
