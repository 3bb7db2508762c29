"""Permutation tests on fold scores: sign flips of paired differences, partitions of unpaired scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import comb, inf, log

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import (
    Alternative,
    FloatArray,
    check_alternative,
    check_integer,
    check_number,
    check_pair,
    check_rng,
    check_scores,
)
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import (
    LARGEST_DIFFERENCE,
    ROUNDING,
    ConfidenceInterval,
    paired_differences,
    power_of_two,
    sample_std,
)
from skcompare.inference._kinds import DifferenceTest
from skcompare.inference.fold_scores._exact import Counts, count_flips, count_partitions, sortable
from skcompare.inference.fold_scores._resampling import (
    draw_seed,
    random_flips,
    random_partitions,
)

# Sums closer than this fraction of the sum of all sizes are equal: the rest is rounding.
TIES = 1e-9
DEFAULT_RESAMPLES = 9999
COARSE = 0.01

TOO_LIBERAL = Code.TOO_LIBERAL(
    "the scores are taken for exchangeable, which those of overlapping training sets are not: on the "
    "folds of one data set the test rejects true nulls as often as the uncorrected paired t test. Use "
    "corrected_t_test."
)
PAIRING_IGNORED = Code.PAIRING_IGNORED(
    "which scores come from the same split plays no part; where they do, paired=True is the stronger test."
)

_SMALLEST = float(np.finfo(np.float64).smallest_subnormal)

# One array, the differences, or two: the scores of both models.
Samples = tuple[FloatArray, ...]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PermutationTestResult(DifferenceTest):
    """Result of a permutation test of a mean difference.

    Attributes
    ----------
    statistic : float
        The mean difference, as `estimate`.
    pvalue : float
        In (0, 1]: the share of rearrangements with a difference at least as extreme as the observed one, which is
        one of them.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the mean of ``a - b`` is not zero, positive, negative.
    estimate : float
        Mean of `a` less mean of `b`, in score units; positive favours `a`.
    effect_size : float
        Cohen's d_z of paired differences, d of unpaired scores; nan where it is not defined. It describes the spread
        over folds, not over independent data.
    exact : bool
        Whether all rearrangements were counted; otherwise `n_resamples` of them were drawn.
    n : int
        Number of differences; unpaired, of scores of both models.
    n_zero : int
        Differences that are 0, which no flip changes; 0 in an unpaired test.
    n_resamples : int
        Rearrangements drawn; 0 in an exact test.
    smallest_pvalue : float
        The smallest p-value that any scores of these sizes can give, in (0, 1].
    seed : int
        Seeds what was, or for an interval has to be, drawn.
    samples : tuple of tuple of float
        The differences, or the scores of the two models, in score units.
    """

    statistic: float
    pvalue: float
    alternative: str
    estimate: float
    effect_size: float
    exact: bool
    n: int
    n_zero: int
    n_resamples: int
    smallest_pvalue: float
    seed: int = field(repr=False)
    samples: tuple[tuple[float, ...], ...] = field(repr=False)
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval for the mean difference that inverts this test.

        It holds every difference `delta` that the test does not reject: those for which the p-value of
        ``a - delta`` against `b` is at least ``1 - confidence_level``. The p-value is a step function of `delta`,
        so the level is at least the one asked for. A level that no p-value can reach gives an infinite interval.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Leaves out 0 exactly when ``pvalue < 1 - confidence_level``. One-sided alternatives give one-sided
            intervals. It is exact where the test is, except with more than 40 differences of which at most 40 are
            not 0, and in unpaired tests of more than 20 scores each: there its ends are drawn, and only the
            statement about 0 is exact.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
        samples, unit, noise = _scaled(tuple(np.array(values) for values in self.samples))
        mirrored = _mirror(samples)
        searched = self.exact and sortable(*(sample.size for sample in samples))
        drawn = (self.n_resamples or DEFAULT_RESAMPLES, self.seed)

        def lower(of: Samples, alternative: str) -> float:
            if searched:
                limit = _searched_limit(of, alternative, 1 - level, self.pvalue)
            else:
                limit = _drawn_limit(of, alternative, 1 - level, self.pvalue, drawn, noise)
            # the smallest number in place of 0 where the product vanishes: which side of 0 it lies on is known
            return unit * limit or float(np.copysign(limit and _SMALLEST, limit))

        opposite = {"less": "greater"}.get(self.alternative, self.alternative)
        return ConfidenceInterval(
            low=-inf if self.alternative == "less" else lower(samples, self.alternative),
            high=inf if self.alternative == "greater" else -lower(mirrored, opposite) + 0.0,
        )


def permutation_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    paired: bool = True,
    alternative: Alternative = "two-sided",
    n_resamples: int | None = None,
    rng: int | np.random.Generator | None = None,
) -> PermutationTestResult:
    r"""Permutation test of the mean difference.

    Paired, the null hypothesis is that each difference ``a - b`` is as likely with the opposite sign. The p-value is
    the share of all :math:`2^n` sign vectors :math:`e` whose sum is at least as extreme as the observed one, two-sided

    .. math:: p = 2^{-n} \, \# \left\{ e \in \{-1, 1\}^n : \left| \sum_i e_i d_i \right| \ge
        \left| \sum_i d_i \right| \right\}

    (Menke and Martinez 2004; Fisher 1935, section 21). Unpaired, it is the share of all partitions of the pooled
    scores into two samples of the given sizes.

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
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    n_resamples : int, optional
        Number of random rearrangements, at least 1. The default is none where the exact p-value is feasible and 9,999
        otherwise.
    rng : int or numpy.random.Generator, optional
        Draws them; the same seed gives the same result, in whatever order the scores come.

    Returns
    -------
    PermutationTestResult
        With a warning: the scores of overlapping training sets are not exchangeable, so the test inherits the
        inflation of the paired t test. Another names the smallest p-value that so few scores can give, where it is
        above 0.01.

    Raises
    ------
    ValueError
        If the scores are not finite, or not paired where they should be, or an option is out of range.

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
    >>> round(permutation_test(a, b, paired=False).pvalue, 4)
    0.1984
    """
    check_alternative(alternative)
    if not isinstance(paired, (bool, np.bool_)):
        raise ValueError(f"paired must be True or False; got {paired!r}")
    if n_resamples is not None:
        n_resamples = check_integer(n_resamples, "n_resamples", low=1)
    seed = draw_seed(check_rng(rng))
    samples, estimate, effect_size = _paired_samples(a, b) if paired else _unpaired_samples(a, b)
    pvalue = None if n_resamples is not None else _exact_pvalue(*_rounded(samples), alternative)
    drawn = 0 if pvalue is not None else n_resamples or DEFAULT_RESAMPLES
    if pvalue is None:
        pvalue = _drawn_pvalue(*_rounded(samples), alternative, drawn, seed)
    n_zero = int((samples[0] == 0).sum()) if paired else 0
    smallest = 1 / (1 + drawn) if drawn else _smallest_pvalue(samples, n_zero, alternative)
    return PermutationTestResult(
        statistic=estimate,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        effect_size=effect_size,
        exact=drawn == 0,
        n=sum(sample.size for sample in samples),
        n_zero=n_zero,
        n_resamples=drawn,
        smallest_pvalue=smallest,
        seed=seed,
        samples=tuple(tuple(sample.tolist()) for sample in samples),
        method=f"{'sign-flip' if paired else 'unpaired'} permutation test "
        f"({f'{drawn} resamples' if drawn else 'exact'})",
        warnings=_doubts(paired, smallest),
    )


def _paired_samples(a: ArrayLike, b: ArrayLike) -> tuple[Samples, float, float]:
    d = paired_differences(*check_pair(a, b))
    values = np.where(np.abs(d.values) <= d.noise, 0.0, d.values).ravel()
    values.sort()
    return (values,), d.mean, 0.0 if d.mean == 0 else d.effect_size


def _unpaired_samples(a: ArrayLike, b: ArrayLike) -> tuple[Samples, float, float]:
    x, y = np.sort(check_scores(a, "a").ravel()), np.sort(check_scores(b, "b").ravel())
    for name, values in (("a", x), ("b", y)):
        if np.abs(values).max() > LARGEST_DIFFERENCE:
            raise ValueError(f"{name} must be at most {LARGEST_DIFFERENCE:g} in size; got {np.abs(values).max():g}")
    unit = power_of_two(np.concatenate((x, y)))
    noise = ROUNDING * float(max(np.abs(x).max(), np.abs(y).max()))
    difference = float(x.mean() if unit == 0 else ((x / unit).mean() - (y / unit).mean()) * unit)
    difference = 0.0 if abs(difference) <= noise else difference
    deviation = sample_std(np.concatenate((x - x[0], y - y[0])), noise) if x.size + y.size > 2 else float("nan")
    if x.size + y.size > 2 and deviation > 0:
        pooled = ((x / unit - (x / unit).mean()) ** 2).sum() + ((y / unit - (y / unit).mean()) ** 2).sum()
        deviation = float((pooled / (x.size + y.size - 2)) ** 0.5 * unit)
    effect = 0.0 if difference == 0 else difference / deviation if deviation > 0 else float("nan")
    return (x, y), difference, effect


def _scaled(samples: Samples) -> tuple[Samples, float, float]:
    """The samples over a power of two, so that no sum overflows, that power, and what is rounding in them."""
    pooled = np.concatenate(samples)
    unit = power_of_two(pooled) or 1.0
    return tuple(sample / unit for sample in samples), unit, ROUNDING * float(np.abs(pooled).max()) / unit


def _rounded(samples: Samples) -> tuple[Samples, float]:
    """The samples, scaled and, where there are two, moved next to 0; and how much of a sum is rounding."""
    scaled, _, noise = _scaled(samples)
    if len(scaled) == 2:
        middle = float(np.median(np.concatenate(scaled)))
        scaled = tuple(sample - middle for sample in scaled)
    sizes = np.abs(np.concatenate(scaled))
    return scaled, max(TIES * float(sizes.sum()), noise * sizes.size)


def _mirror(samples: Samples) -> Samples:
    """The samples of the two models with their places exchanged."""
    return (-samples[0][::-1],) if len(samples) == 1 else samples[::-1]


def _shifted(samples: Samples, difference: float) -> Samples:
    return (samples[0] - difference, *samples[1:])


def _difference(samples: Samples) -> float:
    return float(samples[0].mean() - (samples[1].mean() if len(samples) == 2 else 0.0))


def _weight(samples: Samples) -> float:
    """What the mean difference loses per unit that is moved out of the first sample."""
    return 2 / samples[0].size if len(samples) == 1 else 1 / samples[0].size + 1 / samples[1].size


def _count(samples: Samples, slack: float) -> Counts | None:
    """Counts of the rearrangements by how much they move, or None where they are too many to count."""
    return count_flips(samples[0], slack) if len(samples) == 1 else count_partitions(samples[0], samples[1], slack)


def _exact_pvalue(samples: Samples, slack: float, alternative: str) -> float | None:
    """Share of all rearrangements that are at least as extreme; None where there are too many of them."""
    if len(samples) == 1:
        samples = (samples[0][samples[0] != 0],)
        if samples[0].size == 0:
            return 1.0
    if alternative == "less" or (alternative == "two-sided" and _difference(samples) < 0):
        samples = _mirror(samples)
    counts = _count(samples, slack)
    if counts is None:
        return None
    at_most, total = counts
    extreme = at_most(slack / 2)
    if alternative == "two-sided":
        # where the samples are of one size every rearrangement has its opposite
        one_size = len(samples) == 1 or samples[0].size == samples[1].size
        opposite = 2 * _difference(samples) / _weight(samples)
        extreme += extreme if one_size else total - at_most(opposite - slack)
    return min(1.0, extreme / total)


def _drawn_pvalue(samples: Samples, slack: float, alternative: str, n_resamples: int, seed: int) -> float:
    samples, flip = _oriented(samples)
    moved, _ = _draw(samples, n_resamples, seed)
    if alternative == "two-sided":
        extreme = (moved <= slack / 2) | (moved >= 2 * _difference(samples) / _weight(samples) - slack)
    else:
        extreme = moved <= slack / 2 if (alternative == "greater") != flip else moved >= -slack / 2
    return (1 + int(extreme.sum())) / (1 + n_resamples)


def _draw(samples: Samples, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """What random rearrangements move out of the first sample, and how many values they move."""
    if len(samples) == 1:
        return random_flips(samples[0], n_resamples, seed)
    return random_partitions(samples[0], samples[1], n_resamples, seed)


def _oriented(samples: Samples) -> tuple[Samples, bool]:
    """The samples and False, or their mirror image and True: the same for both orders of the models."""
    mirrored = _mirror(samples)
    ours, theirs = ((_difference(s), *(tuple(x) for x in s)) for s in (samples, mirrored))
    return (samples, False) if ours >= theirs else (mirrored, True)


def _smallest_pvalue(samples: Samples, n_zero: int, alternative: str) -> float:
    if len(samples) == 1:
        n = samples[0].size - n_zero
        return min(1.0, (2.0 if alternative == "two-sided" else 1.0) * 2.0**-n)
    n_a, n_b = (sample.size for sample in samples)
    return (2 if alternative == "two-sided" and n_a == n_b else 1) / comb(n_a + n_b, n_a)


def _doubts(paired: bool, smallest: float) -> tuple[CodedWarning, ...]:
    warnings: tuple[CodedWarning, ...] = (TOO_LIBERAL,) if paired else (TOO_LIBERAL, PAIRING_IGNORED)
    if smallest > COARSE:
        warnings += (Code.COARSE(f"no scores of these sizes give a p-value below {smallest:.3g}."),)
    return warnings


def _searched_limit(samples: Samples, alternative: str, alpha: float, pvalue_at_zero: float) -> float:
    """Smallest difference with an exact p-value of at least `alpha`; `alternative` is not "less".

    Up to the mean the p-value grows with the difference. Where it stands at 0 is known, so that the limit lies on
    the same side of 0 as the p-value of the test says.
    """
    if _smallest_pvalue(samples, 0, alternative) >= alpha:
        return -inf

    def excess(difference: float) -> float:
        pvalue = _exact_pvalue(_shifted(samples, difference), 0.0, alternative)
        assert pvalue is not None
        return log(max(pvalue, 1e-300) / alpha)

    mean = _difference(samples)
    low: tuple[float, float] | None = None
    high: tuple[float, float] | None = None
    if alternative == "two-sided":
        high = (mean, -log(alpha))
    if alternative == "greater" or mean >= 0:
        at_zero = (0.0, log(pvalue_at_zero / alpha))
        if pvalue_at_zero < alpha:
            low = at_zero
        elif high is None or mean > 0:
            high = at_zero
    variance = sum(float((sample**2).mean() - sample.mean() ** 2) / sample.size for sample in samples)
    step = max(variance, 0.0) ** 0.5 or abs(mean) or 1.0
    guess = mean - 2 * step
    while low is None:
        assert high is not None
        point = min(guess, high[0] - step)
        value = excess(point)
        low, high, step = ((point, value), high, step) if value < 0 else (None, (point, value), 2 * step)
    while high is None:
        point = max(guess, low[0] + step)
        value = excess(point)
        low, high, step = ((point, value), None, 2 * step) if value < 0 else (low, (point, value), step)
    return _crossing(excess, low, high)


def _crossing(function: Callable[[float], float], low: tuple[float, float], high: tuple[float, float]) -> float:
    """Where an increasing step function stops being negative, from above (the ITP method: secant and bisection).

    I. F. D. Oliveira and R. H. C. Takahashi (2020), ACM Transactions on Mathematical Software 47(1), 5.
    """
    (a, at_a), (b, at_b) = low, high
    precision = 1e-14 * (abs(a) + abs(b))
    width = b - a
    steps = int(np.ceil(np.log2(max(width / precision, 2.0)))) + 1
    for step in range(steps + 1):
        if b - a <= 2 * precision:
            break
        middle = (a + b) / 2
        secant = (at_b * a - at_a * b) / (at_b - at_a)
        towards = float(np.sign(middle - secant))
        shift = 0.2 / width * (b - a) ** 2
        point = secant + towards * shift if shift <= abs(middle - secant) else middle
        radius = max(0.0, precision * 2.0 ** (steps - step) - (b - a) / 2)
        if abs(point - middle) > radius:
            point = middle - towards * radius
        if not a < point < b:
            break
        value = function(point)
        if value < 0:
            a, at_a = point, value
        else:
            b, at_b = point, value
    return b


def _drawn_limit(
    samples: Samples, alternative: str, alpha: float, pvalue_at_zero: float, drawn: tuple[int, int], noise: float
) -> float:
    """Smallest difference with a p-value of at least `alpha` among the drawn rearrangements.

    Each rearrangement is as extreme as the observed one from one difference on: the mean of what it moves. The
    limit is therefore an order statistic of these means.
    """
    oriented, flip = _oriented(samples)
    moved, size = _draw(oriented, *drawn)
    weight, mean = _weight(samples), _difference(samples)
    if flip:
        # in the mirror image the same rearrangement moves the opposite amount
        moved = -moved
    with np.errstate(divide="ignore", invalid="ignore"):
        start = np.where(size == 0, -inf, np.where(np.abs(moved) <= noise * size, 0.0, moved / size))
        if alternative == "two-sided":
            left, rest = 2 * mean - weight * moved, 2 - weight * size
            other = np.where(np.abs(left) <= weight * noise * size, 0.0, left / rest)
            start = np.where((size == 0) | (rest < 1e-12), -inf, np.minimum(start, other))
    start.sort()
    n = start.size + 1
    wanted = next(k for k in range(max(1, int(alpha * n) - 1), n + 1) if k / n >= alpha)
    limit = -inf if wanted <= 1 else float(start[wanted - 2])
    if alternative == "two-sided":
        limit = min(limit, mean)
    if alternative == "greater" or mean >= 0:
        if pvalue_at_zero >= alpha:
            return min(limit, 0.0)
        if limit <= 0:
            positive = start[start > 0]
            return float(positive[0]) if positive.size else max(mean, np.finfo(float).tiny)
    return limit
