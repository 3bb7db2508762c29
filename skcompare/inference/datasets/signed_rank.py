"""Wilcoxon's signed-rank test of two models on many data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import lru_cache
from math import ceil, sqrt
from typing import Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.numbers import counted
from skcompare._core.validation import Alternative, FloatArray, Names, check_choice, check_hypothesis, check_pair
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference._kinds import CountedTest, HasInterval, moved_by
from skcompare.inference._multiplicity import Least, by_cases
from skcompare.inference._records import LARGEST_DIFFERENCE, ROUNDING, Positions
from skcompare.inference.datasets.pairwise import PAIR_CORRECTIONS, PairwiseResult, adjust_pairs
from skcompare.inference.datasets.scores import ONE_DATASET, check_table, says_what_it_needs
from skcompare.inference.outcomes.proportions import normal_pvalue, normal_quantile
from skcompare.inference.outcomes.samples import batches

# Differences of two models on many data sets, their signed ranks, and the null distribution of a rank sum.


ZeroMethod = Literal["zsplit", "wilcox", "pratt"]
IntArray = NDArray[np.int64]

# Up to this many differences the exact distribution takes a few milliseconds.
LARGEST_AUTO_EXACT = 200
# Above this many it takes seconds, and its counts come near the largest float.
LARGEST_EXACT = 1000
# Up to this many means of two differences are held at once: half a megabyte.
MOST_AVERAGES = 2**16


def no_difference(null: float = 0.0) -> CodedWarning:
    """That the scores differ by that of the null hypothesis, on all data sets."""
    return Code.NO_DIFFERENCE(f"the scores {f'differ by {null:g}' if null else 'are equal'} on all data sets.")


def dataset_differences(a: ArrayLike, b: ArrayLike, null: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Differences ``a - b - null`` of shape (n,), 0 within rounding, and what is rounding in each; or ValueError."""
    x, y = check_pair(a, b, ndim=(1,))
    return subtract(x, y, "a and b", null)


def subtract(x: FloatArray, y: FloatArray, name: str, null: float = 0.0) -> tuple[FloatArray, FloatArray]:
    """Differences less `null`, 0 where within rounding, and what is rounding in each; scores are those of `name`."""
    noise = ROUNDING * np.maximum(np.abs(x), np.abs(y))
    with np.errstate(over="ignore"):
        d = x - y
    if np.abs(d).max() > LARGEST_DIFFERENCE:
        raise ValueError(f"{name} must differ by at most {LARGEST_DIFFERENCE:g}; got {np.abs(d).max():g}")
    d = np.where(np.abs(d) <= noise, 0.0, d)
    if not null:
        return d, noise
    noise += ROUNDING * abs(null)
    return np.where(np.abs(d - null) <= noise, 0.0, d - null), noise


def posterior_warnings(d: FloatArray) -> Warnings:
    """Reasons to doubt a posterior from the differences `d`."""
    warnings = () if d.any() else (no_difference(),)
    return (*warnings, ONE_DATASET) if d.size == 1 else warnings


class SignedRanks(NamedTuple):
    """Ranked differences of several pairs of models, one row per pair.

    Attributes
    ----------
    values : ndarray of shape (m, n)
        Differences, by size: zeros first. Those whose sizes differ by rounding only have one size.
    weights : ndarray of shape (m, n)
        Twice the ranks of the sizes, whole numbers; 0 for a difference of 0.
    zeros : ndarray of shape (m,)
        Differences that are 0.
    dropped : ndarray of shape (m,)
        How many of them were left out before ranking.
    """

    values: FloatArray
    weights: IntArray
    zeros: IntArray
    dropped: IntArray

    def sums(self) -> tuple[IntArray, IntArray]:
        """Doubled rank sums of the positive and of the negative differences, each of shape (m,)."""
        return (self.weights * (self.values > 0)).sum(axis=1), (self.weights * (self.values < 0)).sum(axis=1)

    @property
    def z(self) -> FloatArray:
        """The rank sums' difference over its standard deviation under the null hypothesis; 0 without weights."""
        plus, minus = self.sums()
        squares = (self.weights.astype(np.float64) ** 2).sum(axis=1)
        return np.asarray((plus - minus) / np.sqrt(np.where(squares > 0, squares, 1)))

    def pvalues(self, alternative: str = "two-sided", *, exact: bool) -> FloatArray:
        """Of every sample."""
        if not exact:
            pvalues = np.array([normal_pvalue(z, alternative) for z in self.z.tolist()])
            return np.where(self.weights.any(axis=1), pvalues, 1.0)
        pvalues, (plus, minus) = np.empty(len(self.weights)), self.sums()
        kinds, kind_of = np.unique(self.weights, axis=0, return_inverse=True)  # without ties all have one
        for kind, weights in enumerate(kinds):
            own, (lower, unit) = kind_of.ravel() == kind, _null_distribution(weights)
            greater, less = lower[minus[own] // unit], lower[plus[own] // unit]
            both = np.minimum(1.0, 2 * np.minimum(greater, less))
            pvalues[own] = {"greater": greater, "less": less}.get(alternative, both)
        return pvalues


def rank_differences(d: FloatArray, noise: FloatArray, zero_method: str) -> SignedRanks:
    """Rank the sizes of differences of shape (m, n) along each row; what is rounding comes in the same shape.

    Equal sizes share their mean rank. Zeros have the lowest ranks, so leaving some out lowers all others by as many.
    """
    order = np.lexsort((noise, np.abs(d)), axis=1)
    values, noise = np.take_along_axis(d, order, axis=1), np.take_along_axis(noise, order, axis=1)
    size, n = np.abs(values), d.shape[1]
    zero = size == 0
    larger = np.diff(size, axis=1) > np.maximum(noise[:, 1:], noise[:, :-1])
    larger |= zero[:, :-1] & ~zero[:, 1:]
    edge = np.ones((len(d), 1), dtype=np.bool_)
    place = np.arange(n)
    first = np.maximum.accumulate(np.where(np.hstack((edge, larger)), place, 0), axis=1)
    last = np.minimum.accumulate(np.where(np.hstack((larger, edge)), place, n)[:, ::-1], axis=1)[:, ::-1]
    zeros = zero.sum(axis=1)
    dropped = {"zsplit": zeros % 2, "wilcox": zeros, "pratt": 0 * zeros}[zero_method]
    return SignedRanks(
        values=np.sign(values) * np.take_along_axis(size, first, axis=1),
        weights=np.where(zero, 0, first + last + 2 - 2 * dropped[:, None]),
        zeros=zeros,
        dropped=dropped,
    )


@lru_cache(maxsize=16)  # all pairs of models without ties share one distribution
def lower_tail(weights: tuple[int, ...], most: int) -> FloatArray:
    """P(S <= s) for s = 0, ..., `most`, where S adds up each of the ascending `weights` with probability 1/2."""
    ways = np.zeros(most + 1)
    ways[0] = 1.0
    reached = 0
    for weight in weights:
        reached = min(reached + weight, most)
        if weight <= most:
            ways[weight : reached + 1] += ways[: reached + 1 - weight]
    tail = np.asarray(np.ldexp(np.cumsum(ways), -len(weights)))
    tail.setflags(write=False)
    return tail


def walsh_averages(values: FloatArray) -> FloatArray:
    """Means of all pairs of values in each row, each value paired with itself too: shape (m, n * (n + 1) / 2)."""
    m, n = values.shape
    averages = np.empty((m, n * (n + 1) // 2))
    start = 0
    for i in range(n):
        np.add(values[:, i:], values[:, i : i + 1], out=averages[:, start : start + n - i])
        start += n - i
    averages /= 2
    return averages


def walsh_medians(values: FloatArray) -> FloatArray:
    """The median of the means of all pairs of values in each row, shape (m,)."""
    n = values.shape[1]
    n_pairs = n * (n + 1) // 2
    if n_pairs <= MOST_AVERAGES:
        return np.asarray(np.median(walsh_averages(values), axis=1, overwrite_input=True))
    places = sorted({(n_pairs - 1) // 2, n_pairs // 2})
    return np.array([np.mean([walsh_average(row, k) for k in places]) for row in np.sort(values, axis=1)])


def walsh_average(ascending: FloatArray, k: int) -> float:
    """The mean of two values with place `k`, from 0, among the means of all pairs, each value with itself too.

    The same number as from all of them in order, since rounding keeps their order. Sums that a pivot shows to be too
    small or too large are left out until the others can be held; the weighted median of the middle sums of all rows
    leaves out a quarter of them or more (Johnson and Mizoguchi, SIAM Journal on Computing 7(2), 1978).
    """
    rows = np.arange(ascending.size)
    first, last = rows, np.full(ascending.size, ascending.size)  # of each value, the partners that are left
    while (last - first).sum() > MOST_AVERAGES:
        left = np.flatnonzero(last > first)
        middles, widths = ascending[left] + ascending[(first + last)[left] // 2], (last - first)[left]
        order = np.argsort(middles)
        pivot = middles[order][np.searchsorted(np.cumsum(widths[order]), widths.sum() / 2)]
        up_to = np.maximum(sums_up_to(ascending, pivot), rows)
        if (up_to - rows).sum() <= k:
            first = np.maximum(first, up_to)
            continue
        below = np.maximum(sums_up_to(ascending, np.nextafter(pivot, -np.inf)), rows)
        if (below - rows).sum() <= k:
            return float(pivot) / 2
        last = np.minimum(last, below)
    widths = last - first
    partners = np.arange(widths.sum()) + np.repeat(first - np.cumsum(widths) + widths, widths)
    sums = np.repeat(ascending, widths) + ascending[partners]
    k -= int((first - rows).sum())
    return float(np.partition(sums, k)[k]) / 2


@np.errstate(over="ignore")  # an infinite sum is above every bound, or below
def sums_up_to(ascending: FloatArray, bound: float) -> IntArray:
    """For each value how many of all have a sum with it, as it is rounded, of at most `bound`."""
    n = ascending.size
    ends = np.searchsorted(ascending, bound - ascending[::-1], side="right")[::-1]
    padded = np.concatenate(([-np.inf], ascending, [np.inf]))
    wrong = np.flatnonzero((ascending + padded[ends] > bound) | (ascending + padded[ends + 1] <= bound))
    if wrong.size:  # where the difference was rounded to another side than the sum
        first, last = np.zeros(wrong.size, dtype=np.int64), np.full(wrong.size, n)
        while (first < last).any():
            half = (first + last) // 2
            inside = ascending[wrong] + padded[half + 1] <= bound
            first, last = np.where(inside, half + 1, first), np.where(inside, last, half)
        ends = ends.copy()
        ends[wrong] = first
    return np.asarray(ends, dtype=np.int64)


SignedRankMethod = Literal["auto", "exact", "normal"]

_NAMES = {"zsplit": "zeros split", "wilcox": "zeros dropped before ranking", "pratt": "zeros dropped after ranking"}
# Below this number of differences other than 0 the exact distribution should be preferred.
_ENOUGH_FOR_NORMAL = 25


class SignedRankResult(HasInterval, CountedTest):
    """Result of Wilcoxon's signed-rank test.

    `confidence_interval` is for the centre of the differences and inverts the test. Its ends are means of two
    differences (Walsh averages), chosen by the null distribution of ranks that only equal differences share, since
    around any other centre than these no others are of one size. All of them count, those of 0 too. A level that no
    p-value can reach gives an infinite interval. A level so low that the test rejects every difference, as one-sided
    normal p-values of few data sets can, gives an empty one, with both ends at one infinity. It leaves out 0 exactly
    when ``pvalue < 1 - confidence_level``, except that it may end at 0 then if there are ties: differences of 0, or two
    of one size and opposite sign. Above that p-value it always holds 0.

    Attributes
    ----------
    statistic : float
        `rank_sum_a`; Demsar's T is the smaller of the two rank sums.
    pvalue : float
        In [0, 1].
    alternative : {"two-sided", "greater", "less"}
        What was tested: the differences ``a - b`` are symmetric around another value than `null`, one above it, one
        below it.
    rank_sum_a, rank_sum_b : float
        Sum of the ranks of the data sets on which ``a - b`` is above, or below, `null`; with half of the ranks of the
        ties where those are split.
    z : float
        Their difference over its standard deviation given the sizes of the differences, positive in favour of `a`;
        0 where all differences are 0.
    estimate : float
        Median of the means of all pairs of differences ``a - b`` (Hodges and Lehmann), in score units; positive
        favours `a`. Of all data sets, but for the ties that ``"wilcox"`` drops.
    effect_size : float
        Matched-pairs rank-biserial correlation, difference over sum of the two rank sums, in [-1, 1]; 0 where all
        differences are 0.
    exact : bool
        Whether the p-value is from the exact null distribution; otherwise it is from the normal one.
    n : int
        Number of data sets.
    n_zero : int
        Data sets on which ``a - b`` is `null`.
    differences : tuple of float
        ``a - b``, less `null`, in score units, ascending; of all data sets, but for the ties that ``"wilcox"`` drops.
    """

    statistic: float
    rank_sum_a: float
    rank_sum_b: float
    z: float
    effect_size: float
    exact: bool
    n_zero: int
    differences: tuple[float, ...] = field(repr=False)

    @property
    def n_rearrangements(self) -> int:
        """Of how many assignments of signs to the ranks `pvalue` is a share; 0 where it is a normal one."""
        return 2 ** (self.n - self.n_zero) if self.exact else 0

    def _least(self) -> Least | None:
        """The smallest p-value on so many differences; None without any, and by the normal approximation."""
        if not self.exact or self.n == self.n_zero:
            return None
        return by_cases(self.n - self.n_zero, "difference", self.alternative)

    def _limits(self, tail: float) -> tuple[float, float]:
        d = np.array(self.differences)
        if not d.any():
            return self.null, self.null
        last = d.size * (d.size + 1) // 2 + 1
        below = min(max(ceil(_smallest_accepted(d, tail, exact=self.exact) / 2), 0), last)
        low, high = self._average(below, last), self._average(last - below, last)
        # the p-value may be without one of the zeros, which moves it a little
        sides = 2 if self.alternative == "two-sided" else 1
        ahead = self.rank_sum_a > self.rank_sum_b if sides == 2 else self.alternative == "greater"
        rejected = self.pvalue < sides * tail
        low = max(low, 0.0) if rejected and ahead else min(low, 0.0)
        high = min(high, 0.0) if rejected and not ahead else max(high, 0.0)
        return moved_by(low, self.null), moved_by(high, self.null)

    def _average(self, place: int, last: int) -> float:
        """The Walsh average at a place from 1, infinite before the first one and from the `last` place on."""
        if place in (0, last):
            return float("inf") if place else float("-inf")
        differences = np.array(self.differences)
        if last - 1 > MOST_AVERAGES:
            return walsh_average(differences, place - 1)
        return float(np.partition(walsh_averages(differences[None])[0], place - 1)[place - 1]) + 0.0  # never -0.0


def signed_rank_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    zero_method: ZeroMethod = "zsplit",
    method: SignedRankMethod = "auto",
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> SignedRankResult:
    r"""Test that neither of two models is better over many data sets (Wilcoxon's signed-rank test).

    The sizes :math:`|d_i|` of the differences :math:`d = a - b` are ranked, equal ones sharing their mean rank. With
    the ties in score shared equally,

    .. math:: R^+ = \sum_{d_i > 0} \operatorname{rank}(|d_i|) + \tfrac 1 2 \sum_{d_i = 0} \operatorname{rank}(|d_i|)

    and :math:`R^-` the same of the negative differences (Demsar 2006, section 3.1.3; of an odd number of zeros one is
    dropped before ranking). Where the differences are
    symmetric around 0 each rank is as likely to count for the one as for the other model; going through all
    :math:`2^n` assignments of the ranks as they are, tied or not, gives the exact p-value. Its mean and variance give
    the normal one,

    .. math:: z = (R^+ - R^-) \Big/ \sqrt{\sum_{d_i \ne 0} \operatorname{rank}^2(|d_i|)}

    without continuity correction. Without ties and zeros this is Demsar's :math:`z` (its variance is
    :math:`n (n + 1)(2n + 1) / 24` for the smaller sum), whose formula ignores both.

    Differences of scores must be comparable between data sets; scores themselves need not be. Any one linear transform
    of all scores with a positive slope changes nothing but the units.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        One score of each model per data set, larger better. Differences, and differences of their sizes, within
        rounding (1e-12 of the larger of the scores) are 0.
    zero_method : {"zsplit", "wilcox", "pratt"}, default="zsplit"
        Data sets with equal scores: ``"zsplit"`` ranks them and shares their ranks equally, after dropping one of
        an odd number (Demsar); ``"wilcox"`` drops them before ranking (Wilcoxon 1945), so that they speak for neither
        model; ``"pratt"`` ranks them and drops their ranks (Pratt 1959), which differs from ``"zsplit"`` in the rank
        sums and, for an odd number, in the p-value.
    method : {"auto", "exact", "normal"}, default="auto"
        ``"auto"`` is exact up to 200 data sets. ``"exact"`` takes up to 1000.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the centre of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    SignedRankResult
        With p-value 1 and the warning NO_DIFFERENCE where all differences are 0, CANNOT_REJECT where too few are not 0
        for a p-value below 0.05, and APPROXIMATE where the normal distribution is asked for on fewer than 25.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of one dimension, an option is unknown, or the exact method is
        asked for on more than 1000 data sets.

    See Also
    --------
    sign_test : makes no assumption on the sizes of the differences.
    signed_rank_posterior : the probability that one is better, worse or equivalent.

    Notes
    -----
    The estimate and the interval take O(n log n) time and O(n) memory: their places among the means of all pairs of
    differences are found without holding these.

    References
    ----------
    F. Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1(6), 80-83,
    :doi:`10.2307/3001968`.

    J. W. Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, Journal of the American
    Statistical Association 54, 655-667, :doi:`10.1080/01621459.1959.10501526`.

    J. L. Hodges and E. L. Lehmann (1963), Estimates of location based on rank tests, Annals of Mathematical
    Statistics 34(2), 598-611, :doi:`10.1214/aoms/1177704172`.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    C4.5 with and without tuning of one parameter, AUC on 14 data sets (Demsar 2006, Table 2):

    >>> from skcompare.inference import signed_rank_test
    >>> c45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> tuned = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> result = signed_rank_test(tuned, c45)
    >>> result.rank_sum_a, result.rank_sum_b, result.pvalue
    (93.0, 12.0, 0.0078125)
    """
    null = check_hypothesis(alternative, null).null
    check_choice(zero_method, "zero_method", get_args(ZeroMethod))
    check_choice(method, "method", get_args(SignedRankMethod))
    d, noise = dataset_differences(a, b, null)
    if method == "exact" and d.size > LARGEST_EXACT:
        raise ValueError(f"method must be 'normal' on more than {LARGEST_EXACT} data sets; got 'exact' on {d.size}")
    exact = method == "exact" or (method == "auto" and d.size <= LARGEST_AUTO_EXACT)
    ranked = rank_differences(d[None], noise[None], zero_method)
    plus, minus = (int(sums[0]) for sums in ranked.sums())
    n_zero, n_dropped = int(ranked.zeros[0]), int(ranked.dropped[0])
    kept = ranked.values[0, n_dropped if zero_method == "wilcox" else 0 :]
    # the zeros that are left have ranks, and each model half of them
    share = (n_zero - n_dropped) * (n_zero - n_dropped + 1) // 2 if zero_method == "zsplit" else 0
    return SignedRankResult(
        statistic=(plus + share) / 2,
        pvalue=float(ranked.pvalues(alternative, exact=exact)[0]),
        alternative=alternative,
        rank_sum_a=(plus + share) / 2,
        rank_sum_b=(minus + share) / 2,
        z=float(ranked.z[0]),
        estimate=float(_centres(ranked, zero_method)[0]) + null,
        effect_size=(plus - minus) / (plus + minus + 2 * share) if plus + minus else 0.0,
        null=null,
        exact=exact,
        n=d.size,
        n_zero=n_zero,
        differences=tuple(np.sort(kept).tolist()),
        method=f"signed-rank test, {'exact' if exact else 'normal'}" + (f", {_NAMES[zero_method]}" if n_zero else ""),
        warnings=tuple(_warnings(d.size - n_zero, exact, alternative, null)),
    )


def many_signed_ranks(
    values: FloatArray, first: Positions, second: Positions, alternative: str, null: float
) -> tuple[FloatArray, FloatArray, Positions]:
    """P-values of pairs of rows of scores, larger better, who is ahead, and on how many data sets they differ.

    Those of `signed_rank_test`.
    """
    (pvalues, ahead), differ = np.empty((2, len(first))), np.empty(len(first), np.intp)
    for some in batches(len(first), 8 * values.shape[1], _BLOCK):
        d, noise = subtract(values[first[some]], values[second[some]], "the scores of a data set", null)
        ranked = rank_differences(d, noise, "zsplit")
        pvalues[some] = ranked.pvalues(alternative, exact=values.shape[1] <= LARGEST_AUTO_EXACT)
        ahead[some], differ[some] = np.sign(np.subtract(*ranked.sums())), values.shape[1] - ranked.zeros
    return pvalues, ahead, differ


def least_signed_rank(n_different: int, n: int, alternative: str) -> Least | float:
    """The smallest p-value on so many differences of `n`; 0 of the normal approximation."""
    return by_cases(n_different, "difference", alternative) if n <= LARGEST_AUTO_EXACT else 0.0


def _null_distribution(weights: IntArray) -> tuple[FloatArray, int]:
    """P(S <= unit * s) for s = 0, 1, ... of the sum S of weights that count with probability 1/2, and the unit."""
    positive = weights[weights > 0]
    unit = int(np.gcd.reduce(positive)) or 1  # 2 where no two sizes are equal, 1 without weights
    total = int(positive.sum()) // unit
    lower = lower_tail(tuple((positive // unit).tolist()), total // 2)
    # the distribution is symmetric: P(S <= s) = 1 - P(S <= total - s - 1)
    upper = 1 - lower[: max(total - total // 2 - 1, 0)][::-1]
    return np.concatenate((lower, upper, [1.0])), unit


def _smallest_accepted(d: FloatArray, tail: float, *, exact: bool) -> float:
    """The smallest doubled rank sum whose lower tail is not below `tail`; only equal differences share their rank."""
    values, counts = np.unique(d, return_counts=True)
    counts = counts[np.lexsort((counts, np.abs(values)))]  # the same with all signs changed
    weights = np.repeat(2 * np.cumsum(counts) - counts + 1, counts)
    if exact:
        lower, unit = _null_distribution(weights)
        return float(np.searchsorted(lower, tail)) * unit
    return float(weights.sum() - normal_quantile(tail) * sqrt((weights.astype(float) ** 2).sum())) / 2


def _warnings(n_different: int, exact: bool, alternative: str, null: float) -> Iterator[CodedWarning]:
    if n_different == 0:
        yield no_difference(null)
    elif exact:
        yield from by_cases(n_different, "difference", alternative).warnings()
    elif n_different < _ENOUGH_FOR_NORMAL:
        yield Code.APPROXIMATE(
            f"the normal approximation is in doubt on {counted(n_different, 'difference')}, fewer than "
            f"{_ENOUGH_FOR_NORMAL}; use method 'exact'."
        )


# Wilcoxon's signed-rank test of all pairs of models on many data sets.


# Means of pairs of differences that are held at once: 32 MB.
_BLOCK = 2**22


@says_what_it_needs
def pairwise_signed_rank_test(
    scores: ArrayLike,
    *,
    correction: str = "holm",
    zero_method: ZeroMethod = "zsplit",
    greater_is_better: bool = True,
    names: Names = None,
) -> PairwiseResult:
    r"""Test every pair of models by Wilcoxon's signed-rank test, adjusted for the number of pairs.

    Each pair is tested on its own two columns, as by `signed_rank_test`: what other models there are changes nothing
    but the adjustment, unlike in tests of mean ranks (Benavoli, Corani and Mangili 2016). With the p-values of the
    :math:`m = k (k - 1) / 2` pairs of k models in ascending order, Holm's adjustment, the default, is

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min\left( 1, \; (m - j + 1) \, p_{(j)} \right).

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, differences comparable between data sets. At least two models.
    correction : str, default="holm"
        ``"none"``, or an adjustment that holds for any tests, ``"bonferroni"`` and ``"holm"`` among them: see
        `adjust_pvalues`. ``"shaffer"``, and ``"bergmann"`` for up to 9 models, also use that equality is transitive.
    zero_method : {"zsplit", "wilcox", "pratt"}, default="zsplit"
        What becomes of equal scores, see `signed_rank_test`.
    greater_is_better : bool, default=True
        Direction of the scores.
    names : sequence of str, optional
        Names of the models, for the record.

    Returns
    -------
    PairwiseResult
        The statistic is the sum of the ranks in favour of i less that in favour of j, the estimate the median of the
        means of all pairs of differences (Hodges and Lehmann), in score units, positive where i is the better model.
        P-values are two-sided; exact up to 200 data sets and normal above, as `method` says. There is no common
        critical difference.

    Raises
    ------
    ValueError
        If the scores are not a table of finite numbers, or an option is unknown.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    A. Benavoli, G. Corani and F. Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, Journal of
    Machine Learning Research 17(5), 1-10.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import pairwise_signed_rank_test
    >>> scores = 0.8 + 0.01 * np.array([[9, 8, 1], [8, 6, 1], [9, 6, 3], [7, 3, 2], [8, 3, 1], [9, 3, 4], [9, 2, 1]])
    >>> result = pairwise_signed_rank_test(scores, names=["forest", "tree", "stump"])
    >>> result.pvalues.round(4).tolist()
    [[1.0, 0.0469, 0.0469], [0.0469, 1.0, 0.0625], [0.0469, 0.0625, 1.0]]
    >>> result.rank().tier
    ('a', 'b', 'b')
    """
    check_choice(correction, "correction", PAIR_CORRECTIONS)
    check_choice(zero_method, "zero_method", get_args(ZeroMethod))
    table = check_table(scores, greater_is_better, names, matrices=8)
    n, k = table.values.shape
    exact = n <= LARGEST_AUTO_EXACT
    statistics, estimates, pvalues = np.zeros((k, k)), np.zeros((k, k)), np.ones((k, k))
    pairs = np.stack(np.triu_indices(k, 1))
    for some in batches(pairs.shape[1], min(n * (n + 1) // 2, max(MOST_AVERAGES, 8 * n)), _BLOCK):
        first, second = pairs[:, some]
        d, noise = subtract(table.values[:, first].T, table.values[:, second].T, "the scores of a data set")
        ranked = rank_differences(d, noise, zero_method)
        statistics[first, second] = np.subtract(*ranked.sums()) / 2
        estimates[first, second] = _centres(ranked, zero_method)
        pvalues[first, second] = pvalues[second, first] = ranked.pvalues(exact=exact)
    return PairwiseResult(
        names=table.names,
        statistics=statistics - statistics.T,
        pvalues=adjust_pairs(pvalues, correction),
        pvalues_unadjusted=pvalues,
        estimates=estimates - estimates.T,
        estimate_of="score",
        correction=correction,
        n=n,
        method=f"signed-rank tests of all pairs, {'exact' if exact else 'normal'}",
    )


def _centres(ranked: SignedRanks, zero_method: str) -> FloatArray:
    """Hodges-Lehmann estimates without the dropped zeros, but for an odd one, left out of the p-value alone."""
    if zero_method != "wilcox":
        return walsh_medians(ranked.values)
    centres = np.zeros(len(ranked.values))
    for n_dropped in np.unique(ranked.dropped):
        rows = ranked.dropped == n_dropped
        kept = ranked.values[rows, n_dropped:]
        if kept.size:
            centres[rows] = walsh_medians(kept)
    return centres
