"""Permutation tests on fold scores: sign flips of paired differences, partitions of unpaired scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from math import comb, inf

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import ALPHA
from skcompare._core.validation import Alternative, Seed, check_bool, check_hypothesis, check_integer, check_rng
from skcompare._core.warnings import Code
from skcompare.inference._kinds import CountedTest, HasInterval, moved_by
from skcompare.inference._multiplicity import Least, by_cases, by_resamples
from skcompare.inference.fold_scores import rearrangements

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
    interval. It leaves out `null` exactly when ``pvalue < 1 - confidence_level``. It is exact where the test is, except
    with more than 40 differences of which at most 40 are not `null`, and in unpaired tests of more than 20 scores each:
    there its ends are drawn, and only the statement about `null` is exact.

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
        samples, unit, noise = rearrangements.scale(tuple(np.array(values) for values in self.samples))
        searched = self.exact and rearrangements.sortable(*(sample.size for sample in samples))
        drawn = None if searched else (self.n_resamples or DEFAULT_RESAMPLES, self.seed)
        alpha = 2 * tail if self.alternative == "two-sided" else tail

        sizes = np.array(self.cluster_sizes) if self.cluster_sizes else None
        opposite = {"less": "greater", "greater": "less"}.get(self.alternative, self.alternative)
        mirrored = rearrangements.mirror(samples), None if sizes is None else sizes[::-1]
        limits = []
        for side, (of, own) in ((self.alternative, (samples, sizes)), (opposite, mirrored)):
            limit = -inf  # of an open side
            if side != "less":
                limit = rearrangements.smallest_accepted(of, own, side, alpha, self.pvalue, noise, drawn)
            # the smallest number in place of 0 where the product vanishes: which side of 0 it lies on is known
            limits.append(unit * limit or float(np.copysign(limit and _SMALLEST, limit)))
        low, high = limits[0], -limits[1] + 0.0
        # an interval of one point has two roundings of it
        return moved_by(min(low, high), self.null), moved_by(max(low, high), self.null)


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
        inflation of the paired t test. With clusters TOO_LITTLE_DATA takes its place, where these tell
        little. Another names the smallest p-value that so few scores can give, where it is above 0.01.

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
    >>> round(permutation_test(a, b, paired=False).pvalue, 4)
    0.1984
    """
    null = check_hypothesis(alternative, null).null
    check_bool(paired, "paired")
    if n_resamples is not None:
        n_resamples = check_integer(n_resamples, "n_resamples", low=1)
    seed = int(check_rng(rng).integers(2**63))  # from which the same draws can be made again
    if clusters is not None and not paired:
        raise ValueError("clusters must be None with paired=False: it is pairs that belong to clusters")
    units, sizes = None, np.ones(0)
    if clusters is not None:
        units, samples, sizes, estimate, effect_size = rearrangements.clustered_samples(a, b, clusters, null)
    else:
        read = rearrangements.paired_samples if paired else rearrangements.unpaired_samples
        samples, estimate, effect_size = read(a, b, null)
    rounded, slack = rearrangements.rounded(samples)
    pvalue = rearrangements.exact_pvalue(rounded, slack, alternative) if n_resamples is None else None
    drawn = 0 if pvalue is not None else n_resamples or DEFAULT_RESAMPLES
    if pvalue is None:
        pvalue = rearrangements.drawn_pvalue(rounded, slack, alternative, drawn, seed)
    n_zero = int((samples[0] == 0).sum()) if paired else 0
    unit = "difference" if units is None else "cluster"
    least = _least([sample.size for sample in samples], n_zero, drawn, unit, alternative)
    warnings = units.warnings() if units else (TOO_LIBERAL,) if paired else (TOO_LIBERAL, PAIRING_IGNORED)
    if least is not None:
        warnings += least.warnings()
        if COARSE < least.pvalue < ALPHA:
            warnings += (Code.NOT_AT_LEVEL(f"no scores of these sizes give a p-value below {least.pvalue:.3g}."),)
    return PermutationTestResult(
        statistic=estimate,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        effect_size=effect_size,
        null=null,
        exact=drawn == 0,
        n=sum(sample.size for sample in samples) if units is None else units.codes.size,
        n_clusters=0 if units is None else len(units),
        n_zero=n_zero,
        n_resamples=drawn,
        smallest_pvalue=1.0 if least is None else least.pvalue,
        seed=seed,
        samples=tuple(tuple(sample.tolist()) for sample in samples),
        cluster_sizes=tuple(sizes.tolist()),
        method=f"{'sign-flip' if paired else 'unpaired'} permutation test "
        f"{'' if units is None else f'of {len(units)} clusters '}({f'{drawn} resamples' if drawn else 'exact'})",
        warnings=warnings,
    )


def _least(sizes: Sequence[int], n_zero: int, drawn: int, unit: str, alternative: str) -> Least | None:
    """The smallest p-value of differences, of sums over clusters, or of two samples; None where all are 0."""
    if drawn:
        return by_resamples(drawn)
    if len(sizes) == 1:
        return by_cases(sizes[0] - n_zero, unit, alternative) if sizes[0] > n_zero else None
    given = sum(sizes)

    def at(n: int) -> float:
        parts = sizes if n == given else (n // 2, n - n // 2)
        return (2 if alternative == "two-sided" and parts[0] == parts[1] else 1) / comb(n, parts[0])

    return Least(at=at, n=given, what="score")
