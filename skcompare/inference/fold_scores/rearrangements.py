"""Rearrangements of one sample of differences, by sign flips, or of two samples of scores, by partitions.

All of them are counted, or some are drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import ceil, comb, inf, log

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize

from skcompare._core.validation import FloatArray, check_aligned, check_pair
from skcompare.inference._records import ROUNDING, Differences, check_unpaired, paired_differences, power_of_two
from skcompare.inference.outcomes.samples import Clusters, read_clusters

# Exact counts of sign flips and of partitions, without going through them one by one.
#
# Both tests ask how often a rearrangement moves at most a given amount out of the first sample. Flipping the signs of
# a subset of the differences moves the sum of that subset. Exchanging `j` scores of `a` for `j` of `b` moves the
# difference of the two sums. All such sums come from sums over halves, which are few enough to sort: meet in the
# middle (Pagano and Tritchler 1983 reach the same numbers by convolution). Where the values are multiples of one
# unit, as the accuracies of equal folds are, counting over the multiples is faster or reaches further.


# At most this many differences are flipped exactly: two halves of a million sums.
LARGEST_FLIP = 40
_MOST_SUMS = 2**21
_MOST_COUNTING_STEPS = 200_000_000
_MOST_POOLED = 1000
_MOST_LISTED_UNITS = 20_000
_MOST_EXCHANGED_UNITS = 4_000
# Below this size meeting in the middle takes less time than looking for a common unit.
_SMALL = 24

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
        moved, _, counts = subsets
        return lambda amount: float(counts[moved <= amount].sum()), 2.0**x.size
    left, right = np.sort(subset_sums(x[::2])), np.sort(subset_sums(x[1::2]))

    def at_most(amount: float) -> float:
        # both ascending: a sorted search is several times faster
        return float(np.searchsorted(right, (amount - left)[::-1], side="right").sum())

    return at_most, 2.0**x.size


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
        # Euclid's algorithm with remainders of either sign; what is below the smallest useful unit is rounding
        larger, rest = value, unit
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
    # a sum of at least the observed one less the amount
    cumulated = np.cumsum(counts[-1, ::-1])
    offset = cumulated.size - 1 - int(multiples[: a.size].sum())

    def at_most(amount: float) -> float:
        # a thousandth of a unit is rounding
        index = int(np.floor(np.clip(amount / unit, -1e15, 1e15) + 1e-3)) + offset
        return 0.0 if index < 0 else float(cumulated[min(index, cumulated.size - 1)])

    return at_most, float(cumulated[-1])


def subset_sums(x: FloatArray) -> FloatArray:
    """Sums of all subsets, in the order of their numbers in binary digits."""
    sums = np.zeros(1)
    for value in x:
        sums = np.concatenate((sums, sums + value))
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


# Sums closer than this fraction of the sum of all sizes are equal: the rest is rounding.
TIES = 1e-9

# Random numbers held at once.
_CHUNK = 2**22
# The subsets of eight values, a row each: the bits of the row's number, the highest first.
_SUBSETS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float64)

# One array, the differences, or two: the scores of both models.
Samples = tuple[FloatArray, ...]


def scale(samples: Samples) -> tuple[Samples, float, float]:
    """The samples over a power of two, so that no sum overflows, that power, and what is rounding in them."""
    pooled = np.concatenate(samples)
    unit = power_of_two(pooled) or 1.0
    return tuple(sample / unit for sample in samples), unit, ROUNDING * float(np.abs(pooled).max()) / unit


def rounded(samples: Samples) -> tuple[Samples, float]:
    """The samples, scaled and, where there are two, moved next to 0; and how much of a sum is rounding."""
    scaled, _, noise = scale(samples)
    if len(scaled) == 2:
        middle = float(np.median(np.concatenate(scaled)))
        scaled = tuple(sample - middle for sample in scaled)
    sizes = np.abs(np.concatenate(scaled))
    return scaled, max(TIES * float(sizes.sum()), noise * sizes.size)


def mirror(samples: Samples) -> Samples:
    """The samples of the two models with their places exchanged."""
    return (-samples[0][::-1],) if len(samples) == 1 else samples[::-1]


def shift(samples: Samples, difference: float, sizes: FloatArray | None) -> Samples:
    """The samples after taking a difference from the first; of sums over clusters, in proportion to their sizes."""
    return (samples[0] - (difference if sizes is None else difference * sizes), *samples[1:])


def mean_difference(samples: Samples) -> float:
    return float(samples[0].mean() - (samples[1].mean() if len(samples) == 2 else 0.0))


def weight_of(samples: Samples) -> float:
    """What the mean difference loses per unit that is moved out of the first sample."""
    return 2 / samples[0].size if len(samples) == 1 else 1 / samples[0].size + 1 / samples[1].size


def exact_pvalue(samples: Samples, slack: float, alternative: str) -> float | None:
    """Share of all rearrangements that are at least as extreme; None where there are too many of them."""
    if len(samples) == 1:
        samples = (samples[0][samples[0] != 0],)
        if samples[0].size == 0:
            return 1.0
    if alternative == "less" or (alternative == "two-sided" and mean_difference(samples) < 0):
        samples = mirror(samples)
    counts = count_flips(samples[0], slack) if len(samples) == 1 else count_partitions(samples[0], samples[1], slack)
    if counts is None:
        return None
    at_most, total = counts
    extreme = at_most(slack / 2)
    if alternative == "two-sided":
        # where the samples are of one size every rearrangement has its opposite
        one_size = len(samples) == 1 or samples[0].size == samples[1].size
        opposite = 2 * mean_difference(samples) / weight_of(samples)
        extreme += extreme if one_size else total - at_most(opposite - slack)
    return min(1.0, extreme / total)


def drawn_pvalue(samples: Samples, slack: float, alternative: str, n_resamples: int, seed: int) -> float:
    samples, _, flip = orient(samples, None)
    moved, _ = draw_moves(samples, None, n_resamples, seed)
    extreme = moved <= slack / 2
    if alternative == "two-sided":
        extreme |= moved >= 2 * mean_difference(samples) / weight_of(samples) - slack
    elif (alternative == "greater") == flip:
        extreme = moved >= -slack / 2
    return (1 + int(extreme.sum())) / (1 + n_resamples)


def orient(samples: Samples, sizes: FloatArray | None) -> tuple[Samples, FloatArray | None, bool]:
    """The samples, their sizes and False, or their mirror image and True: the same for both orders of the models."""
    mirrored = mirror(samples)
    ours, theirs = ((mean_difference(s), *(tuple(x) for x in s)) for s in (samples, mirrored))
    if sizes is None:
        return (samples, None, False) if ours >= theirs else (mirrored, None, True)
    # equal values by their sizes, whichever model comes first
    here = sizes[np.lexsort((sizes, samples[0]))]
    there = sizes[::-1][np.lexsort((sizes[::-1], mirrored[0]))]
    flip = (*ours, tuple(here)) < (*theirs, tuple(there))
    return (mirrored, there, True) if flip else (samples, here, False)


def _random_flips(x: FloatArray, of_each: FloatArray | None, n_draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Sum and size of `n_draws` random subsets of `x`: those whose signs are flipped, eight of them in a byte."""
    generator, n_bytes = np.random.default_rng(seed), -(-x.size // 8)
    tables = np.zeros((2, 8 * n_bytes))
    tables[0, : x.size], tables[1, : x.size] = x, 1.0 if of_each is None else of_each
    # of each byte of flips the sums of all its 256 subsets, so that eight values are added at once
    of_bytes = tables.reshape(2, -1, 8) @ _SUBSETS.T
    found = np.empty((2, n_draws))
    for rows in _chunks(n_draws, 8 * n_bytes):
        drawn = np.frombuffer(generator.bytes((rows.stop - rows.start) * n_bytes), dtype=np.uint8)
        flips = np.ascontiguousarray(drawn.reshape(-1, n_bytes).T)
        for sums, of_byte in zip(found, of_bytes, strict=True):
            sums[rows] = sum(of_byte[k][byte] for k, byte in enumerate(flips))
    return found[0], found[1]


def draw_moves(samples: Samples, sizes: FloatArray | None, n_draws: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """What random rearrangements move out of the first sample, and how many values, or of what size, they move."""
    if len(samples) == 1:
        return _random_flips(samples[0], sizes, n_draws, seed)
    a, b = samples
    generator, pooled, n_a = np.random.default_rng(seed), np.concatenate((a, -b)), a.size
    lost, exchanged = np.empty(n_draws), np.empty(n_draws)
    for rows in _chunks(n_draws, pooled.size):
        order = np.argpartition(generator.random((rows.stop - rows.start, pooled.size)), n_a - 1, axis=1)[:, :n_a]
        moved = np.zeros((len(order), pooled.size))
        np.put_along_axis(moved, order, 1.0, axis=1)
        # a score of `a` that is not in the new sample, a score of `b` that is
        moved[:, :n_a] = 1 - moved[:, :n_a]
        exchanged[rows] = moved[:, n_a:].sum(axis=1)
        lost[rows] = moved @ pooled
    return lost, exchanged


def _chunks(n_rows: int, n_columns: int) -> list[slice]:
    step = max(1, _CHUNK // n_columns)
    return [slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step)]


# The smallest difference that a permutation test does not reject, among its rearrangements or by search.


# Differences of which all subsets are listed.
_MOST_LISTED = 16


def smallest_accepted(
    samples: Samples,
    sizes: FloatArray | None,
    alternative: str,
    alpha: float,
    pvalue_at_zero: float,
    noise: float,
    drawn: tuple[int, int] | None,
) -> float:
    """Smallest difference with a p-value of at least `alpha`; `alternative` is not "less".

    All rearrangements count, or as many as are `drawn` with a seed. Up to the mean the p-value grows with the
    difference. Where it stands at 0 is known, so that the limit lies on the same side of 0 as the p-value of the test
    says.
    """
    subsets = _listed(samples, sizes) if drawn is None else _drawn(samples, sizes, *drawn)
    if subsets is None:
        return _searched(samples, sizes, alternative, alpha, pvalue_at_zero)
    start, so_many = _starts(samples, subsets, noise, two_sided=alternative == "two-sided")
    wanted = ceil(alpha * so_many[-1])
    wanted -= (wanted - 1) / so_many[-1] >= alpha  # the product was rounded up
    limit, mean = float(start[np.searchsorted(so_many, max(wanted, 1))]), mean_difference(samples)
    if alternative == "two-sided":
        limit = min(limit, mean)
    if alternative == "greater" or mean >= 0:
        if pvalue_at_zero >= alpha:
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
    weight, start = weight_of(samples), np.full(moved.size, np.inf)
    opposite = (2 * mean_difference(samples) - weight * moved, 2 - weight * size)
    for total, number in ((moved, size), opposite) if two_sided else ((moved, size),):
        mean = np.divide(total, number, out=np.full(moved.size, -inf), where=number > 1e-9)
        np.minimum(start, np.where(np.abs(mean) <= noise, 0.0, mean), out=start)
    order = np.argsort(start)
    return start[order], np.cumsum(counts[order])


def _listed(samples: Samples, sizes: FloatArray | None) -> Subsets | None:
    """All rearrangements, where there are few, or few sums of what they move; with sizes these are of many kinds."""
    slack = TIES * float(np.abs(np.concatenate(samples)).sum())
    if len(samples) == 2:
        return counted_exchanges(*samples, slack)
    x = samples[0]
    if x.size <= _MOST_LISTED:
        moved = subset_sums(x)
        return moved, subset_sums(np.ones(x.size) if sizes is None else sizes), np.ones(moved.size)
    return counted_subsets(x, slack) if sizes is None else None


def _drawn(samples: Samples, sizes: FloatArray | None, n_resamples: int, seed: int) -> Subsets:
    """Random rearrangements, after the observed one."""
    oriented, sizes, flip = orient(samples, sizes)
    moved, size = draw_moves(oriented, sizes, n_resamples, seed)
    # in the mirror image the same rearrangement moves the opposite amount
    return np.append(0.0, -moved if flip else moved), np.append(0.0, size), np.ones(n_resamples + 1)


def _searched(samples: Samples, sizes: FloatArray | None, alternative: str, alpha: float, at_zero: float) -> float:
    def excess(difference: float) -> float:
        pvalue = at_zero
        if difference:
            pvalue = exact_pvalue(shift(samples, difference, sizes), 0.0, alternative) or 1e-300
        return log(pvalue / alpha) or 1e-9  # a p-value of `alpha` is accepted

    mean, means = mean_difference(samples), samples[0] if sizes is None else samples[0] / sizes
    low, high = means.min(), means.max() + 1.0
    if len(samples) == 2:
        low, high = low - samples[1].max(), high - samples[1].min()
    low, high = float(low) - 1.0, mean if alternative == "two-sided" else float(high)
    if excess(low) > 0:
        return -inf
    if alternative == "greater" or mean >= 0:
        low, high = (0.0, high) if at_zero < alpha else (low, min(high, 0.0))
    return max(float(optimize.brentq(excess, low, high, xtol=1e-15, maxiter=500)), low + np.finfo(float).tiny)


# The samples that a permutation test rearranges, less the difference under its null hypothesis.


def _less(differences: Differences, null: float) -> Differences:
    """Differences from the one under the null hypothesis."""
    if not null:
        return differences
    noise = differences.noise + ROUNDING * abs(null)
    return replace(differences, values=differences.values - null, mean=differences.mean - null, noise=noise)


def paired_samples(a: ArrayLike, b: ArrayLike, null: float) -> tuple[Samples, float, float]:
    """The differences, their mean and the effect size."""
    d = paired_differences(*check_pair(a, b))
    beyond = _less(d, null)
    values = np.where(np.abs(beyond.values) <= beyond.noise, 0.0, beyond.values).ravel()
    values.sort()
    return (values,), d.mean, 0.0 if d.mean == 0 else d.effect_size


def clustered_samples(
    a: ArrayLike, b: ArrayLike, clusters: ArrayLike, null: float
) -> tuple[Clusters, Samples, FloatArray, float, float]:
    """Sums of the differences over clusters, and the sizes of these where they differ; both over the mean size."""
    check_aligned(a=a, b=b, clusters=clusters)
    d = paired_differences(*check_pair(a, b, ndim=(1,)))
    units = read_clusters(clusters, d.values.size)
    mean_size = d.values.size / len(units)
    beyond = _less(d, null)
    unit = power_of_two(beyond.values) or 1.0
    sums = units.sums(beyond.values / unit)
    values = np.where(np.abs(sums) <= beyond.noise / unit * units.sizes, 0.0, sums / mean_size * unit)
    order = np.lexsort((units.sizes, values))
    sizes = units.sizes[order] / mean_size if np.ptp(units.sizes) else np.ones(0)
    return units, (values[order],), sizes, d.mean, 0.0 if d.mean == 0 else d.effect_size


def unpaired_samples(a: ArrayLike, b: ArrayLike, null: float) -> tuple[Samples, float, float]:
    """The scores of both, the difference of their means and the effect size."""
    x, y, unit, noise, difference = check_unpaired(a, b)
    effect_size = float("nan") if difference else 0.0
    if difference and max(np.ptp(x), np.ptp(y)) > noise:
        squares = sum(((values / unit - (values / unit).mean()) ** 2).sum() for values in (x, y))
        effect_size = difference / float((squares / (x.size + y.size - 2)) ** 0.5 * unit)
    return (x - null, y), difference, effect_size
