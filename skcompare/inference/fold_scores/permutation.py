"""Permutation tests on fold scores: sign flips of paired differences, partitions of unpaired scores."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import cache
from math import ceil, comb, inf, log, nan
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from skcompare._core import validation
from skcompare._core.numbers import ALPHA
from skcompare._core.validation import Alternative, FloatArray, Seed
from skcompare._core.warnings import Code
from skcompare.inference._kinds import CountedTest, HasInterval, moved_by
from skcompare.inference._multiplicity import TIES, Least, by_cases, by_resamples
from skcompare.inference._records import ROUNDING, check_unpaired, paired_differences, power_of_two, zero_variance
from skcompare.inference.outcomes.samples import Clusters, batches, read_clusters

DEFAULT_RESAMPLES = 9999
COARSE = 0.01

TOO_LIBERAL = Code.INDEPENDENCE(
    "the scores are taken for exchangeable, which those of overlapping training sets are not: on the "
    "folds of one data set the test rejects true nulls as often as the uncorrected paired t test. Use "
    "k_fold_t_test on one run of folds, corrected_t_test on others."
)
PAIRING_IGNORED = Code.PAIRING_IGNORED(
    "which scores come from the same split plays no part; where they do, paired=True is the stronger test."
)

_SMALLEST = float(np.finfo(np.float64).smallest_subnormal)


class PermutationTestResult(HasInterval, CountedTest):
    """Result of a permutation test of a mean difference.

    `confidence_interval` inverts the test. It holds every difference `delta` that the test does not reject: those for
    which the p-value of ``a - delta`` against `b` is at least ``1 - confidence_level``. The p-value is a step function
    of `delta`, so the level is at least the one asked for. A level that no p-value can reach gives an infinite
    interval, but equal scores one of `null` alone. It leaves out `null` exactly when ``pvalue < 1 - confidence_level``.
    It is exact where the test is, except with more than 40 differences of which at most 40 are not `null`, and in
    unpaired tests of more than 20 scores each: there its ends are drawn, and only the statement about `null` is exact.

    Attributes
    ----------
    statistic : float
        The mean difference, as `estimate`.
    pvalue : float
        In (0, 1]: the share of rearrangements with a difference at least as extreme as the observed one, which is
        one of them.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not `null`, above it, below it.
    estimate : float
        Mean of `a` less mean of `b`, in score units; positive favours `a`.
    effect_size : float
        Cohen's d_z of paired differences, d of unpaired scores; nan where it is not defined. It describes the spread
        over folds, not over independent data.
    exact : bool
        Whether all rearrangements were counted; otherwise `n_resamples` of them were drawn.
    n : int
        Number of differences; unpaired, of scores of both models.
    n_clusters : int
        Number of clusters whose signs were flipped as a whole; 0 where there are none.
    n_zero : int
        Differences less `null`, or their sums over clusters, that are 0, which no flip changes; 0 in an unpaired test.
    n_resamples : int
        Rearrangements drawn; 0 in an exact test.
    smallest_pvalue : float
        The smallest p-value that any scores of these sizes can give, in (0, 1].
    seed : int
        Seeds what was, or for an interval has to be, drawn.
    samples : tuple of tuple of float
        The differences, or the scores of the two models, in score units, with `null` subtracted from the differences or
        from the scores of `a`; of clusters the sums of their differences over their mean size.
    cluster_sizes : tuple of float
        The size of the cluster of each of these sums over the mean size; empty where all are of one size.
    """

    statistic: float
    effect_size: float
    exact: bool
    n_clusters: int = 0
    n_zero: int
    n_resamples: int
    smallest_pvalue: float
    seed: int = field(repr=False)
    samples: tuple[tuple[float, ...], ...] = field(repr=False)
    cluster_sizes: tuple[float, ...] = field(default=(), repr=False)

    @property
    def n_rearrangements(self) -> int:
        """Of how many rearrangements `pvalue` is a share: all of them, or those drawn and the observed one."""
        if not self.exact:
            return self.n_resamples + 1
        sizes = [len(values) for values in self.samples]
        return comb(sum(sizes), sizes[0]) if len(sizes) == 2 else 2 ** (sizes[0] - self.n_zero)

    def _least(self) -> Least | None:
        """The smallest p-value on so many scores, or with so many resamples; None where all differences are 0."""
        sizes, unit = [len(values) for values in self.samples], "cluster" if self.n_clusters else "difference"
        return _least(sizes, self.n_zero, self.n_resamples, unit, self.alternative)

    def _limits(self, tail: float) -> tuple[float, float]:
        if self.pvalue != self.pvalue:  # where there is no test there is none to invert
            return self.pvalue, self.pvalue
        sizes = np.array(self.cluster_sizes) if self.cluster_sizes else None
        given = Samples(tuple(map(np.array, self.samples)), sizes)
        rounded, slack = given.rounded()
        if np.abs(np.concatenate(rounded.parts)).max() <= slack:  # equal scores, however few
            return self.null, self.null
        samples, unit, noise = given.scaled()
        searched = self.exact and sortable(*(part.size for part in samples.parts))
        drawn = None if searched else (self.n_resamples or DEFAULT_RESAMPLES, self.seed)
        alpha = 2 * tail if self.alternative == "two-sided" else tail
        opposite = {"less": "greater", "greater": "less"}.get(self.alternative, self.alternative)
        limits = []
        for side, of in ((self.alternative, samples), (opposite, samples.mirrored())):
            limit = -inf if side == "less" else _smallest_accepted(of, side, alpha, self.pvalue, noise, drawn)
            # the smallest number in place of 0 where the product vanishes: which side of 0 it lies on is known
            limits.append(unit * limit or float(np.copysign(limit and _SMALLEST, limit)))
        low, high = limits[0], -limits[1] + 0.0
        low, high = sorted((low, high))  # an interval of one point has two roundings of it
        return moved_by(low, self.null), moved_by(high, self.null)


def permutation_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    paired: bool = True,
    clusters: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
    n_resamples: int | None = None,
    rng: Seed = None,
) -> PermutationTestResult:
    r"""Permutation test of the mean difference.

    Paired, the null hypothesis is that each difference ``a - b`` is as likely with the opposite sign. The p-value is
    the share of all :math:`2^n` sign vectors :math:`e` whose sum is at least as extreme as the observed one, two-sided

    .. math:: p = 2^{-n} \, \# \left\{ e \in \{-1, 1\}^n : \left| \sum_i e_i d_i \right| \ge
        \left| \sum_i d_i \right| \right\}

    (Menke and Martinez 2004; Fisher 1935, section 21). Unpaired, it is the share of all partitions of the pooled
    scores into two samples of the given sizes.

    With `clusters` of items that depend on each other, all differences of a cluster change their sign or none, so that
    the differences :math:`d_i` are the sums over the clusters and :math:`n` is the number of these.

    Both are exact where that is feasible: with up to 40 differences that are not 0, and unpaired with up to 20 scores
    each, or more where all scores are multiples of one unit. Beyond that, or when `n_resamples` is given,
    rearrangements are drawn, and :math:`p = (1 + b) / (1 + B)` with :math:`b` of :math:`B` at least as extreme
    (Phipson and Smyth 2010): never 0. Differences that agree up to rounding count as ties, and ties as extreme.

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models, in any unit, larger better; on the same splits unless ``paired=False``, which
        takes shapes that differ.
    paired : bool, default=True
        Whether the scores are pairs.
    clusters : array_like of shape (n,), optional
        Labels of the clusters that pairs belong to, such as patients, documents or questions.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.
    n_resamples : int, optional
        Number of random rearrangements, at least 1. The default is none where the exact p-value is feasible and 9,999
        otherwise.
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result, in whatever order the scores come.

    Returns
    -------
    PermutationTestResult
        With a warning: the scores of overlapping training sets are not exchangeable, so the test inherits the
        inflation of the paired t test. With clusters TOO_LITTLE_DATA takes its place, where these tell little. Another
        names the smallest p-value that so few scores can give, if above 0.01; NO_DIFFERENCE, that all are equal.

    Raises
    ------
    ValueError
        If the scores are not finite, or not paired where they should be, `clusters` are missing, not one per pair or
        given with ``paired=False``, or an option is out of range.

    See Also
    --------
    corrected_t_test : allows for the correlation between folds.

    References
    ----------
    R. A. Fisher (1935), The Design of Experiments, Oliver and Boyd.

    J. Menke and T. R. Martinez (2004), Using permutations instead of Student's t distribution for p-values in
    paired-difference algorithm comparisons, IJCNN, 1331-1336, :doi:`10.1109/IJCNN.2004.1380138`.

    B. Phipson and G. K. Smyth (2010), Permutation p-values should never be zero, Statistical Applications in Genetics
    and Molecular Biology 9(1), 39, :doi:`10.2202/1544-6115.1585`.

    M. Pagano and D. Tritchler (1983), On obtaining permutation distributions in polynomial time, JASA 78, 435-440,
    :doi:`10.1080/01621459.1983.10477990`.

    Examples
    --------
    >>> from skcompare.inference import permutation_test
    >>> a, b = [0.92, 0.90, 0.91, 0.93, 0.91], [0.90, 0.90, 0.92, 0.90, 0.89]
    >>> permutation_test(a, b).pvalue
    0.25
    >>> found = permutation_test(a, b, paired=False)
    >>> found.n_extreme, found.n_rearrangements, round(found.pvalue, 4)
    (50, 252, 0.1984)
    """
    null = validation.check_hypothesis(alternative, null).null
    validation.check_bool(paired, "paired")
    n_resamples, generator = validation.check_draws(n_resamples, rng, optional=True, held=4)
    seed = int(generator.integers(2**63))  # from which the same draws can be made again
    if clusters is not None and not paired:
        raise ValueError("clusters must be None with paired=False: it is pairs that belong to clusters")
    units, samples, estimate, effect_size = _paired(a, b, clusters, null) if paired else _unpaired(a, b, null)
    rounded, slack = samples.rounded()
    pvalue = nan if n_resamples else _share_as_extreme(rounded, slack, alternative)
    drawn = 0 if pvalue == pvalue else n_resamples or DEFAULT_RESAMPLES
    if drawn:
        pvalue = _share_as_extreme(rounded, slack, alternative, (drawn, seed))
    n_zero = int((samples.parts[0] == 0).sum()) if paired else 0
    unit = "difference" if units is None else "cluster"
    least = _least([part.size for part in samples.parts], n_zero, drawn, unit, alternative)
    warnings = units.warnings() if units else (TOO_LIBERAL,) if paired else (TOO_LIBERAL, PAIRING_IGNORED)
    warnings += (zero_variance(0),) if least is None else least.warnings()
    if least is not None and COARSE < least.pvalue < ALPHA:
        warnings += (Code.NOT_AT_LEVEL(f"no scores of these sizes give a p-value below {least.pvalue:.3g}."),)
    return PermutationTestResult(
        statistic=estimate,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        effect_size=effect_size,
        null=null,
        exact=drawn == 0,
        n=sum(part.size for part in samples.parts) if units is None else units.codes.size,
        n_clusters=0 if units is None else len(units),
        n_zero=n_zero,
        n_resamples=drawn,
        smallest_pvalue=1.0 if least is None else least.pvalue,
        seed=seed,
        samples=tuple(tuple(part.tolist()) for part in samples.parts),
        cluster_sizes=() if samples.sizes is None else tuple(samples.sizes.tolist()),
        method=f"{'sign-flip' if paired else 'unpaired'} permutation test "
        f"{'' if units is None else f'of {len(units)} clusters '}({f'{drawn} resamples' if drawn else 'exact'})",
        warnings=warnings,
    )


def _least(sizes: Sequence[int], n_zero: int, drawn: int, unit: str, alternative: str) -> Least | None:
    """The smallest p-value of differences, of sums over clusters, or of two samples; None where all are 0."""
    if [n_zero] == [*sizes]:
        return None
    if drawn:
        return by_resamples(drawn)
    if len(sizes) == 1:
        return by_cases(sizes[0] - n_zero, unit, alternative)
    given = sum(sizes)

    def at(n: int) -> float:
        parts = sizes if n == given else (n // 2, n - n // 2)
        return (2 if alternative == "two-sided" and parts[0] == parts[1] else 1) / comb(n, parts[0])

    return Least(at=at, n=given, what="score")


# Exact counts of sign flips and of partitions, without going through them one by one.
#
# Both tests ask how often a rearrangement moves at most a given amount out of the first sample. Flipping the signs of
# a subset of the differences moves the sum of that subset. Exchanging `j` scores of `a` for `j` of `b` moves the
# difference of the two sums. All such sums come from sums over halves, which are few enough to sort: meet in the
# middle (Pagano and Tritchler 1983 reach the same numbers by convolution). Where the values are multiples of one
# unit, as the accuracies of equal folds are, counting over the multiples is faster or reaches further.


LARGEST_FLIP = 40  # differences that are flipped exactly, at most: two halves of a million sums
_MOST_SUMS = 2**21
_MOST_COUNTING_STEPS = 200_000_000
_MOST_POOLED = 1000
_MOST_LISTED_UNITS = 20_000
_MOST_EXCHANGED_UNITS = 4_000
_SMALL = 24  # below it meeting in the middle takes less time than looking for a common unit

# How many rearrangements move at most an amount, and how many there are.
Counts = tuple[Callable[[float], float], float]
# What rearrangements move, how many values each moves, and how many rearrangements do.
Subsets = tuple[FloatArray, FloatArray, FloatArray]


def sortable(*sizes: int) -> bool:
    """Whether the sums over halves of one or two samples of these sizes are few enough to be sorted."""
    if len(sizes) == 1:
        return sizes[0] <= LARGEST_FLIP
    most = min(*sizes, 21)  # no more terms than decide that they are too many
    return sum(comb(size, taken) for size in sizes for taken in range(most + 1)) <= _MOST_SUMS


def count_flips(x: FloatArray, slack: float) -> Counts | None:
    """Count the subsets of `x` with a sum of at most an amount; None where there are too many.

    Amounts that differ by less than `slack` may count as equal.
    """
    if not sortable(x.size):
        return None
    if x.size > _SMALL and (subsets := counted_subsets(x, slack)) is not None:
        return _counts_of(subsets)
    left, right = sorted_sums(x[::2]), sorted_sums(x[1::2])

    def at_most(amount: float) -> float:
        return float(np.searchsorted(right, (amount - left)[::-1], side="right").sum())  # faster, as both ascend

    return at_most, 2.0**x.size


def _counts_of(subsets: Subsets) -> Counts:
    moved, _, counts = subsets
    return lambda amount: float(counts[moved <= amount].sum()), float(counts.sum())


def count_partitions(a: FloatArray, b: FloatArray, slack: float) -> Counts | None:
    """Count the exchanges of equally many scores that lower the sum of `a` by at most an amount.

    None where there are too many.
    """
    if not sortable(a.size, b.size):
        return _counted_partitions(a, b, slack)
    most = min(a.size, b.size)
    given, taken = _sums_by_size(a, most), _sums_by_size(b, most)

    def at_most(amount: float) -> float:
        count = 0
        for lost, won in zip(given, taken, strict=True):
            count += lost.size * won.size - int(np.searchsorted(won, lost - amount, side="left").sum())
        return float(count)

    return at_most, float(comb(a.size + b.size, a.size))


def as_integers(x: FloatArray, slack: float, most: int) -> tuple[NDArray[np.int64], float] | None:
    """`x` as multiples of a common unit, to within `slack` in any sum of them.

    None where there is no such unit, or the multiples add up to more than `most`.
    """
    size = np.abs(x)
    total = float(size.sum())
    if total == 0:
        return None
    smallest, unit = total / (2 * most), 0.0
    for value in size[size > 0].tolist():
        larger, rest = value, unit  # Euclid's algorithm: a remainder below the smallest useful unit is rounding
        while rest > smallest:
            larger, rest = rest, abs(larger - round(larger / rest) * rest)
        unit = larger
    multiples = np.rint(x / unit)
    n_units = float(np.abs(multiples).sum())
    if not 0 < n_units <= most:
        return None
    unit = total / n_units
    if float(np.abs(x - multiples * unit).max()) * 2 * x.size > slack:
        return None
    return multiples.astype(np.int64), unit


def _counted_partitions(a: FloatArray, b: FloatArray, slack: float) -> Counts | None:
    pooled = np.concatenate((a, b))
    steps = pooled.size * a.size
    if pooled.size > _MOST_POOLED or steps > _MOST_COUNTING_STEPS:
        return None
    integers = as_integers(pooled - pooled.min(), slack, _MOST_COUNTING_STEPS // steps)
    if integers is None:
        return None
    multiples, unit = integers
    counts, _ = _counts_by_size(multiples, a.size)
    cumulated = np.cumsum(counts[-1, ::-1])  # a sum of at least the observed one less the amount
    offset = cumulated.size - 1 - int(multiples[: a.size].sum())

    def at_most(amount: float) -> float:
        index = int(np.floor(np.clip(amount / unit, -1e15, 1e15) + 1e-3)) + offset  # less is rounding
        return 0.0 if index < 0 else float(cumulated[min(index, cumulated.size - 1)])

    return at_most, float(cumulated[-1])


def subset_sums(x: FloatArray) -> FloatArray:
    """Sums of all subsets, in the order of their numbers in binary digits."""
    sums = np.zeros(1)
    for value in x:
        sums = np.concatenate((sums, sums + value))
    return sums


def sorted_sums(x: FloatArray) -> FloatArray:
    """Sums of all subsets, ascending."""
    sums = np.zeros(1)
    for value in x:  # two ascending runs each time, which a stable sort merges
        sums = np.sort(np.concatenate((sums, sums + value)), kind="stable")
    return sums


def counted_subsets(x: FloatArray, slack: float) -> Subsets | None:
    """The different sums and sizes of all subsets, and how many subsets have each; None without a common unit."""
    integers = as_integers(x, slack, _MOST_LISTED_UNITS)
    return None if integers is None else _subsets(*_counts_by_size(integers[0]), integers[1])


def _subsets(counts: FloatArray, offset: int, unit: float) -> Subsets:
    size, total = np.nonzero(counts)
    return np.asarray((total - offset) * unit, float), np.asarray(size, float), counts[size, total]


def counted_exchanges(a: FloatArray, b: FloatArray, slack: float) -> Subsets | None:
    """The same of exchanges of equally many values of two samples: what the sum of `a` loses, and how many they are."""
    pooled = np.concatenate((a, b))
    integers = as_integers(pooled - pooled.min(), slack, _MOST_EXCHANGED_UNITS)
    if integers is None:
        return None
    multiples, unit = integers
    (given, _), (taken, _) = _counts_by_size(multiples[: a.size]), _counts_by_size(multiples[a.size :])
    counts = np.array([np.convolve(g, t[::-1]) for g, t in zip(given, taken, strict=False)])
    return _subsets(counts, taken.shape[1] - 1, unit)


def _counts_by_size(multiples: NDArray[np.int64], most: int | None = None) -> tuple[FloatArray, int]:
    """counts[j, s]: subsets of j values, `most` or all at the most, with sum s - offset; and the offset."""
    offset, n_units = int(-multiples[multiples < 0].sum()), int(np.abs(multiples).sum())
    counts = np.zeros(((multiples.size if most is None else most) + 1, n_units + 1))
    counts[0, offset] = 1
    for k in multiples.tolist():
        to, of = (slice(k, None), slice(n_units + 1 - k)) if k >= 0 else (slice(k), slice(-k, None))
        counts[1:, to] = counts[1:, to] + counts[:-1, of]
    return counts, offset


def _sums_by_size(x: FloatArray, most: int) -> list[FloatArray]:
    """Sums of all subsets of 0, 1, ..., `most` values, each ascending."""
    sums = [np.zeros(1), *(np.zeros(0) for _ in range(most))]
    for value in x:
        for size in range(most, 0, -1):
            if sums[size - 1].size:
                sums[size] = np.concatenate((sums[size], sums[size - 1] + value))
    return [np.sort(group) for group in sums]


_CHUNK = 2**22  # random numbers held at once
# The subsets of eight values, a row each: the bits of the row's number, the highest first.
_SUBSETS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)


class Samples(NamedTuple):
    """What is rearranged: the differences, less that of the null hypothesis, or the scores of both models.

    Of clusters the differences are sums, beside the sizes of the clusters where these differ; both over the mean size.
    """

    parts: tuple[FloatArray, ...]
    sizes: FloatArray | None = None

    @property
    def mean(self) -> float:
        """The mean difference."""
        return float(self.parts[0].mean() - (self.parts[1].mean() if len(self.parts) == 2 else 0.0))

    @property
    def weight(self) -> float:
        """What the mean difference loses per unit that is moved out of the first sample."""
        return 2 / self.parts[0].size if len(self.parts) == 1 else sum(1 / part.size for part in self.parts)

    def mirrored(self) -> Samples:
        """The samples of the two models with their places exchanged."""
        if len(self.parts) == 2:
            return Samples(self.parts[::-1])
        return Samples((-self.parts[0][::-1],), None if self.sizes is None else self.sizes[::-1])

    def less(self, difference: float) -> Samples:
        """The samples after taking a difference from the first; of clusters, in proportion to their sizes."""
        taken = difference if self.sizes is None else difference * self.sizes
        return self._replace(parts=(self.parts[0] - taken, *self.parts[1:]))

    def scaled(self) -> tuple[Samples, float, float]:
        """The samples over a power of two, so that no sum overflows, that power, and what is rounding in them."""
        pooled = np.concatenate(self.parts)
        unit = power_of_two(pooled)
        noise = ROUNDING * float(np.abs(pooled).max()) / unit
        return self._replace(parts=tuple(part / unit for part in self.parts)), unit, noise

    def rounded(self) -> tuple[Samples, float]:
        """The samples, scaled and, where there are two, moved next to 0; and how much of a sum is rounding."""
        (parts, _), _, noise = self.scaled()
        if len(parts) == 2:
            middle = float(np.median(np.concatenate(parts)))
            parts = tuple(part - middle for part in parts)
        amounts = np.abs(np.concatenate(parts))
        return Samples(parts), max(TIES * float(amounts.sum()), noise * amounts.size)

    def oriented(self) -> tuple[Samples, bool]:
        """The samples and False, or their mirror image and True: the same for both orders of the models."""
        both = [self, self.mirrored()]
        if self.sizes is not None:  # equal values by their sizes, whichever model comes first
            both = [s._replace(sizes=s.sizes[np.lexsort((s.sizes, s.parts[0]))]) for s in both if s.sizes is not None]
        ours, theirs = ((s.mean, *map(tuple, s.parts), () if s.sizes is None else tuple(s.sizes)) for s in both)
        return (both[1], True) if ours < theirs else (both[0], False)


def _share_as_extreme(samples: Samples, slack: float, alternative: str, drawn: tuple[int, int] | None = None) -> float:
    """Share of all rearrangements that are at least as extreme as the observed one; nan where there are too many.

    With so many `drawn`, from a seed, the share of these and the observed one.
    """
    if drawn is None and len(samples.parts) == 1:
        samples = Samples((samples.parts[0][samples.parts[0] != 0],))
        if samples.parts[0].size == 0:
            return 1.0
    if alternative == "less" or (alternative == "two-sided" and samples.mean < 0):
        samples = samples.mirrored()
    first, *other = samples.parts
    if drawn is not None:
        counts: Counts | None = _counts_of(_drawn(samples, *drawn))
    else:
        counts = count_partitions(first, other[0], slack) if other else count_flips(first, slack)
    if counts is None:
        return nan
    at_most, total = counts
    extreme = at_most(slack / 2)
    if alternative == "two-sided":
        paired = drawn is None and first.size == samples.parts[-1].size  # every one has its opposite
        extreme += extreme if paired else total - at_most(2 * samples.mean / samples.weight - slack)
    return min(1.0, extreme / total)


def _random_flips(x: FloatArray, of_each: FloatArray | None, n_draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Sum and size of `n_draws` random subsets of `x`: those whose signs are flipped, eight of them in a byte."""
    generator, n_bytes = np.random.default_rng(seed), -(-x.size // 8)
    tables = np.zeros((2, 8 * n_bytes))
    tables[0, : x.size], tables[1, : x.size] = x, 1.0 if of_each is None else of_each
    # of each byte of flips the sums of all its 256 subsets, so that eight values are added at once
    of_bytes = tables.reshape(2, -1, 8) @ _SUBSETS.T
    found = np.empty((2, n_draws))
    for rows in batches(n_draws, 8 * n_bytes, _CHUNK):
        drawn = np.frombuffer(generator.bytes((rows.stop - rows.start) * n_bytes), dtype=np.uint8)
        flips = np.ascontiguousarray(drawn.reshape(-1, n_bytes).T)
        for sums, of_byte in zip(found, of_bytes, strict=True):
            sums[rows] = sum(of_byte[k][byte] for k, byte in enumerate(flips))
    return found[0], found[1]


def _random_partitions(a: FloatArray, b: FloatArray, n_draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """What random partitions move out of the first sample, and how many values they move."""
    generator, pooled, n_a = np.random.default_rng(seed), np.concatenate((a, -b)), a.size
    lost, exchanged = np.empty(n_draws), np.empty(n_draws)
    for rows in batches(n_draws, pooled.size, _CHUNK):
        keys = generator.random((rows.stop - rows.start, pooled.size))  # the least are of the new sample
        moved = keys <= np.partition(keys, n_a - 1, axis=1)[:, n_a - 1 : n_a]
        # a score of `a` that is not in the new sample, a score of `b` that is
        moved[:, :n_a] = ~moved[:, :n_a]
        exchanged[rows] = moved[:, n_a:].sum(axis=1)
        lost[rows] = moved.astype(np.float64) @ pooled
    return lost, exchanged


def _drawn(samples: Samples, n_resamples: int, seed: int) -> Subsets:
    """Random rearrangements, after the observed one: what they move, and how many values, or of what size."""
    (parts, sizes), flip = samples.oriented()
    first, *other = parts
    draws = n_resamples, seed
    moved, size = _random_partitions(first, other[0], *draws) if other else _random_flips(first, sizes, *draws)
    moved = -moved if flip else moved  # by the same rearrangement in the mirror image
    return np.append(0.0, moved), np.append(0.0, size), np.ones(n_resamples + 1)


# The smallest difference that a permutation test does not reject, among its rearrangements or by search.


_MOST_LISTED = 16  # differences of which all subsets are listed
_DRAWN_FIRST = 2**16  # rearrangements that say where about the limit is


def _smallest_accepted(
    samples: Samples, alternative: str, alpha: float, at_zero: float, noise: float, drawn: tuple[int, int] | None
) -> float:
    """Smallest difference with a p-value of at least `alpha`; `alternative` is not "less".

    All rearrangements count, or as many as are `drawn` with a seed. Up to the mean the p-value grows with the
    difference. Where it stands at 0 is known, so that the limit lies on the same side of 0 as the p-value of the test
    says.
    """
    subsets = _listed(samples) if drawn is None else _drawn(samples, *drawn)
    if subsets is None:
        return _searched(samples, alternative, alpha, at_zero)
    start, so_many = _starts(samples, subsets, noise, two_sided=alternative == "two-sided")
    wanted = ceil(alpha * so_many[-1])
    wanted -= (wanted - 1) / so_many[-1] >= alpha  # the product was rounded up
    limit, mean = float(start[np.searchsorted(so_many, max(wanted, 1))]), samples.mean
    if alternative == "two-sided":
        limit = min(limit, mean)
    if alternative == "greater" or mean >= 0:
        if at_zero >= alpha:
            return min(limit, 0.0)
        if limit <= 0:
            positive = start[start > 0]
            return float(positive[0]) if positive.size else max(mean, float(np.finfo(float).tiny))
    return limit


def _starts(samples: Samples, subsets: Subsets, noise: float, *, two_sided: bool) -> tuple[FloatArray, FloatArray]:
    """From which difference on each rearrangement is as extreme as the observed one, ascending, and how many then are.

    That is the mean of what it moves, or two-sided of what it leaves. A limit is an order statistic of these means.
    """
    moved, size, counts = subsets
    weight, start = samples.weight, np.full(moved.size, np.inf)
    opposite = (2 * samples.mean - weight * moved, 2 - weight * size)
    for total, number in ((moved, size), opposite) if two_sided else ((moved, size),):
        mean = np.divide(total, number, out=np.full(moved.size, -inf), where=number > 1e-9)
        np.minimum(start, np.where(np.abs(mean) <= noise, 0.0, mean), out=start)
    order = np.argsort(start)
    return start[order], np.cumsum(counts[order])


def _listed(samples: Samples) -> Subsets | None:
    """All rearrangements, where there are few, or few sums of what they move; with sizes these are of many kinds."""
    slack = TIES * float(np.abs(np.concatenate(samples.parts)).sum())
    if len(samples.parts) == 2:
        return counted_exchanges(*samples.parts, slack)
    (x,), sizes = samples
    if x.size <= _MOST_LISTED:
        moved = subset_sums(x)
        return moved, subset_sums(np.ones(x.size) if sizes is None else sizes), np.ones(moved.size)
    return counted_subsets(x, slack) if sizes is None else None


def _searched(samples: Samples, alternative: str, alpha: float, at_zero: float) -> float:
    mean, other = samples.mean, samples.parts[1] if len(samples.parts) == 2 else np.zeros(1)
    means = samples.parts[0] / (1.0 if samples.sizes is None else samples.sizes)
    low, most = float(means.min() - other.max()) - 1.0, float(means.max() - other.min()) + 1.0
    most = mean if alternative == "two-sided" else most

    @cache
    def excess(difference: float) -> float:
        pvalue = 1.0 if difference >= most else at_zero  # rounding may count less at the mean itself
        if difference and difference < most:
            pvalue = _share_as_extreme(samples.less(difference), 0.0, alternative) or 1e-300
        return log(pvalue / alpha) or 1e-9  # a p-value of `alpha` is accepted

    if excess(low) > 0:
        return -inf
    high = most
    if alternative == "greater" or mean >= 0:
        low, high = (0.0, most) if at_zero < alpha else (low, min(most, 0.0))
    starts, so_many = _starts(samples, _drawn(samples, _DRAWN_FIRST, 0), 0.0, two_sided=alternative == "two-sided")
    wanted = alpha * so_many[-1]
    for near in starts[np.searchsorted(so_many, wanted + np.array([-3, 3]) * wanted**0.5).clip(max=len(starts) - 1)]:
        if low < near < high:  # every count of all rearrangements takes long
            low, high = (near, high) if excess(near) < 0 else (low, near)
    return max(float(optimize.brentq(excess, low, high, xtol=ROUNDING, maxiter=500)), low + np.finfo(float).tiny)


# The samples that a permutation test rearranges, less the difference under its null hypothesis.


def _paired(
    a: ArrayLike, b: ArrayLike, clusters: ArrayLike | None, null: float
) -> tuple[Clusters | None, Samples, float, float]:
    """The clusters, the differences or their sums over clusters, the mean difference and the effect size."""
    validation.check_aligned(a=a, b=b, clusters=clusters)
    d = paired_differences(*validation.check_pair(a, b, ndim=(1, 2) if clusters is None else (1,)))
    units = None if clusters is None else read_clusters(clusters, d.values.size)
    beyond, noise = (d.values - null).ravel(), d.noise + ROUNDING * abs(null)
    unit = power_of_two(beyond)
    sums, sizes = beyond / unit, np.ones(beyond.size)
    if units is not None:
        sums, sizes = units.sums(sums), units.sizes.astype(np.float64)
    mean_size = beyond.size / sizes.size
    values = np.where(np.abs(sums) <= noise / unit * sizes, 0.0, sums / mean_size * unit)
    order = np.lexsort((sizes, values))
    of_clusters = sizes[order] / mean_size if np.ptp(sizes) else None
    return units, Samples((values[order],), of_clusters), d.mean, 0.0 if d.mean == 0 else d.effect_size


def _unpaired(a: ArrayLike, b: ArrayLike, null: float) -> tuple[None, Samples, float, float]:
    """No clusters, the scores of both, the difference of their means and the effect size."""
    x, y, unit, noise, difference = check_unpaired(a, b)
    effect_size = float("nan") if difference else 0.0
    if difference and max(np.ptp(x), np.ptp(y)) > noise:
        squares = sum(((values / unit - (values / unit).mean()) ** 2).sum() for values in (x, y))
        effect_size = difference / float((squares / (x.size + y.size - 2)) ** 0.5 * unit)
    return None, Samples((x - null, y)), difference, effect_size
