"""Areas under curves on the same samples: DeLong's test of those under the ROC curve, and average precision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.sparse import csr_array

from skcompare._core import validation
from skcompare._core.metrics import quotient
from skcompare._core.numbers import counted
from skcompare._core.record import Frozen
from skcompare._core.validation import Alternative, Ends, FloatArray
from skcompare._core.warnings import Code, Warnings
from skcompare.inference import _distributions as distributions
from skcompare.inference._kinds import ConfidenceInterval, DifferenceTest, HasNormalInterval, interval_tail
from skcompare.inference._records import Positions, zero_variance
from skcompare.inference.outcomes import samples
from skcompare.inference.outcomes.proportions import normal_quantile, z_test
from skcompare.inference.outcomes.samples import AnyArray, BoolArray, Clusters, IntArray, ListedPredictions, Scores

# The parts of an area under the ROC curve: where each score stands among those of the other class.


class Placed(Frozen, eq=False, kw_only=False, slots=False):
    """One model's scores among those of the other class; made once, they serve in every pair.

    Attributes
    ----------
    v10, v01 : ndarray of int
        Twice the negatives below each positive sample, and the positives above each negative one; ties count once.
    """

    v10: IntArray
    v01: IntArray

    @classmethod
    def of(cls, scores: NDArray[Any], is_positive: Any) -> Placed:
        """From scores in any unit."""
        ours, negatives = scores[is_positive], scores[~is_positive]
        above, below = np.sort(ours), np.sort(negatives)
        v10 = np.searchsorted(below, ours, "left") + np.searchsorted(below, ours, "right")
        v01 = 2 * len(above) - np.searchsorted(above, negatives, "left") - np.searchsorted(above, negatives, "right")
        return cls(v10, v01)

    @cached_property
    def area(self) -> float:
        """The area under the ROC curve."""
        return int(self.v10.sum()) / (2 * len(self.v10) * len(self.v01))

    @cached_property
    def standard_error(self) -> float:
        """Of the area."""
        return error_of_area(self.v10, self.v01)


def area_components(scores: FloatArray, is_positive: Any, weights: FloatArray | None = None) -> FloatArray:
    """One value per sample whose mean is the area under the ROC curve and whose spread is that of the area.

    The mean over samples of the components of DeLong, DeLong and Clarke-Pearson (1988), each set against its class's
    share of the samples.
    """
    weights = np.ones(len(scores)) if weights is None else weights
    rank = np.unique(scores, return_inverse=True)[1].reshape(-1)
    parts = [np.where(chosen, weights, 0.0) for chosen in (is_positive, ~is_positive)]
    totals = [part.sum() for part in parts]
    if min(totals) == 0:
        return np.full(len(scores), np.nan)
    above, below = (np.bincount(rank, weights=part) for part in parts)
    v10 = (np.cumsum(below) - below / 2)[rank] / totals[1]
    v01 = (totals[0] - np.cumsum(above) + above / 2)[rank] / totals[0]
    area = float(parts[0] @ v10 / totals[0])
    share = np.where(is_positive, weights / totals[0], weights / totals[1])
    return np.asarray(area + len(scores) * share * (np.where(is_positive, v10, v01) - area))


def error_of_area(v10: IntArray, v01: IntArray) -> float:
    """Root of DeLong's variance, of one area or, from differences, of the difference of two."""
    m, n = len(v10), len(v01)
    if min(m, n) < 2:
        return float("nan")
    return float((v10.var(ddof=1) / (2 * n) ** 2 / m + v01.var(ddof=1) / (2 * m) ** 2 / n) ** 0.5)


class DeLongResult(DifferenceTest, HasNormalInterval):
    """Result of DeLong's test.

    `confidence_interval` is for the difference of the two areas and inverts the test: it leaves out `null` exactly when
    ``pvalue < 1 - confidence_level``. Of equal rankings both allow for samples on which the models differ, as the
    interval of :class:`PairedMetricResult` does for labels.

    Attributes
    ----------
    statistic : float
        z, `estimate` less `null` over `standard_error`; infinite where only the latter is 0, nan only with fewer than
        two samples of a class.
    pvalue : float
        In [0, 1]; nan only with fewer than two samples of a class.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the area of `a` less that of `b` differs from, exceeds, falls below `null`.
    estimate : float
        Difference of the two areas ``a - b``, in [-1, 1]; positive favours `a`.
    standard_error : float
        Of `estimate`.
    effect_size : float
        Difference of the two Gini coefficients (Somers' D), twice `estimate`, in [-2, 2].
    auc_a, auc_b : float
        Areas under the two ROC curves, in [0, 1].
    standard_error_a, standard_error_b : float
        Of `auc_a` and `auc_b`.
    n, n_positive, n_negative : int
        Number of samples, in all and of each class.
    changes : tuple of float
        Where the error is 0, by how much other scores of each sample change an area, or their difference, falling.
    skewness : float
        Of `estimate`, beyond 1/5: on that side the interval is longer and the p-value larger.
    df : float
        Degrees of freedom of the p-value and the interval; infinite for those of the normal distribution.
    """

    statistic: float
    standard_error: float
    effect_size: float
    auc_a: float
    auc_b: float
    standard_error_a: float
    standard_error_b: float
    n_positive: int
    n_negative: int
    changes: tuple[float, ...] = field(default=(), repr=False)
    skewness: float = field(default=0.0, repr=False)
    df: float = field(default=np.inf, repr=False)

    def of_few(self, skewness: float, df: float) -> Self:
        """The same with an interval and a p-value that allow for a skewness and for few samples of a class."""
        statistic = float(distributions.skewed_statistic(self.statistic, skewness))
        return replace(self, skewness=skewness, df=df, pvalue=distributions.t_pvalue(statistic, df, self.alternative))

    def with_changes(self, changes: tuple[float, ...]) -> Self:
        """The same of an error of 0, with an interval and a p-value that allow for samples with other scores."""
        pvalue = distributions.unseen_pvalue(np.array(changes), self.null - self.estimate, self.alternative)
        return replace(self, changes=changes, pvalue=pvalue)

    def _limits(self, tail: float) -> Ends:
        quantile = -distributions.t_quantile(self.df, tail)
        low, high = distributions.skewed_limits(self.estimate, self.standard_error, quantile, self.skewness)
        reach = distributions.unseen(np.array(self.changes), 1 + np.arange(len(self.changes)), tail)
        return max(low - reach, -1.0), min(high + reach, 1.0)

    def auc_intervals(self, confidence_level: float = 0.95) -> tuple[ConfidenceInterval, ConfidenceInterval]:
        r"""Two-sided intervals for the two areas, in [0, 1], by method 5 of Newcombe (2006).

        The limits are the areas :math:`t` with :math:`(A - t)^2 = z^2 V(t)`, where with :math:`N = (m + n) / 2`

        .. math:: V(t) = \frac{t (1 - t)}{m n} \left( 1 + (N - 1) \frac{1 - t}{2 - t} + (N - 1) \frac{t}{1 + t} \right).

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        tuple of two ConfidenceInterval
            For `auc_a` and `auc_b`.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).

        References
        ----------
        R. G. Newcombe (2006), Confidence intervals for an effect size measure based on the Mann-Whitney statistic. Part
        2: asymptotic methods and evaluation, Statistics in Medicine 25(4), 559-573, :doi:`10.1002/sim.2324`.
        """
        z = normal_quantile(interval_tail(confidence_level, "two-sided"))
        of_a = _area_interval(self.auc_a, self.n_positive, self.n_negative, z)
        return of_a, _area_interval(self.auc_b, self.n_positive, self.n_negative, z)


def delong_test(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
    positive: Any = None,
) -> DeLongResult:
    r"""Test that two models have the same area under the ROC curve on one test set (DeLong's test).

    The area is the share of pairs of a positive and a negative sample that the scores put in the right
    order, ties counted by half. Averaging over the pairs of each sample gives the components :math:`V_{10}`
    of the :math:`m` positive and :math:`V_{01}` of the :math:`n` negative ones, and

    .. math:: z = \frac{A_a - A_b}{\sqrt{S_{aa} + S_{bb} - 2 S_{ab}}}, \qquad
        S = \frac{\mathrm{cov}(V_{10})}{m} + \frac{\mathrm{cov}(V_{01})}{n}

    is standard normal (DeLong, DeLong and Clarke-Pearson 1988). The components come from sorted scores, in
    :math:`O(N \log N)` as with the midranks of Sun and Xu (2014).

    Where few samples differ the difference is skewed, and varies more the larger it is. Results on one test set allow
    for that. With :math:`\gamma` its skewness over the components, :math:`g = \mathrm{sign}(\gamma) \sqrt{\gamma^2 -
    1/25}`, and 0 up to :math:`|\gamma| = 1/5` or with fewer than 20 samples, they divide :math:`z` by
    :math:`\sqrt{1 + \max(0, -g z)}`: the score interval of a count (Brown, Cai and DasGupta 2003).

    Nor is the variance known where a class has few samples. Results on one test set take Student's t with the degrees
    of freedom of Brunner and Munzel (2000), where :math:`D_{10}` and :math:`D_{01}` are the differences of the
    components of the two models:

    .. math:: \nu = \frac{(v_{10} + v_{01})^2}{v_{10}^2 / (m - 1) + v_{01}^2 / (n - 1)}, \qquad
        v_{10} = \frac{\mathrm{var}(D_{10})}{m}, \quad v_{01} = \frac{\mathrm{var}(D_{01})}{n}.

    The test is conditional on the two fitted models: it is about new samples, not about training on other
    data, and it is not valid for nested models scored on the data that they were fitted to.

    Parameters
    ----------
    y_true : array_like of shape (n_samples,)
        The true labels, two distinct ones.
    score_a, score_b : array_like of shape (n_samples,)
        Scores of the two models on the same samples, in any unit, larger for the positive class.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the area of `a` is larger.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.
    positive : label, optional
        The positive label. The default is the larger one of the two.

    Returns
    -------
    DeLongResult
        For equal rankings the p-value of no difference is 1, with the warning NO_DIFFERENCE. Where else the standard
        error is 0, it is 1 for equal areas and 0, with ZERO_VARIANCE, for others. With fewer than two samples of a
        class it is nan, with the warning TOO_LITTLE_DATA.

    Raises
    ------
    ValueError
        If there are not two labels, the scores are not finite or not paired, or an option is unknown.

    References
    ----------
    L. D. Brown, T. T. Cai and A. DasGupta (2003), Interval estimation in exponential families, Statistica Sinica 13,
    19-49.

    E. Brunner and U. Munzel (2000), The nonparametric Behrens-Fisher problem: asymptotic theory and a small-sample
    approximation, Biometrical Journal 42(1), 17-25.

    E. R. DeLong, D. M. DeLong and D. L. Clarke-Pearson (1988), Comparing the areas under two or more correlated
    receiver operating characteristic curves: a nonparametric approach, Biometrics 44, 837-845,
    :doi:`10.2307/2531595`.

    X. Sun and W. Xu (2014), Fast implementation of DeLong's algorithm for comparing the areas under correlated
    receiver operating characteristic curves, IEEE Signal Processing Letters 21(11), 1389-1393,
    :doi:`10.1109/LSP.2014.2337313`.

    Examples
    --------
    >>> from skcompare.inference import delong_test
    >>> y_true = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
    >>> score_a = [0.9, 0.8, 0.7, 0.55, 0.4, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1]
    >>> score_b = [0.8, 0.6, 0.65, 0.3, 0.5, 0.7, 0.5, 0.45, 0.2, 0.35, 0.1]
    >>> result = delong_test(y_true, score_a, score_b)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.1333, 0.2918)
    """
    null = validation.check_hypothesis(alternative, null, low=-1, high=1).null
    a, b = _placed_pair(y_true, score_a, score_b, positive)
    n_positive, n_negative = len(a.v10), len(a.v01)
    pairs = n_positive * n_negative
    # in halves of a pair, whole numbers: equal rankings differ by exactly 0
    estimate = int((of_positives := a.v10 - b.v10).sum()) / (2 * pairs)
    standard_error = error_of_area(of_positives, a.v01 - b.v01)
    statistic, pvalue = z_test(estimate - null, standard_error, alternative)
    warnings: Warnings = ()
    changes = tuple(np.sort(_changes(a))[::-1].tolist()) if standard_error == 0 and not of_positives.any() else ()
    if standard_error != standard_error:
        warnings = (Code.TOO_LITTLE_DATA("the test needs at least 2 samples of each class."),)
    elif changes:
        pvalue, warnings = distributions.unseen_pvalue(np.array(changes), null, alternative), (zero_variance(0.0),)
    elif standard_error == 0:
        warnings = (zero_variance(estimate - null),)
    return DeLongResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        estimate=estimate,
        standard_error=standard_error,
        effect_size=2 * estimate,
        null=null,
        auc_a=a.area,
        auc_b=b.area,
        standard_error_a=a.standard_error,
        standard_error_b=b.standard_error,
        n=n_positive + n_negative,
        n_positive=n_positive,
        n_negative=n_negative,
        changes=changes,
        method="DeLong test",
        warnings=warnings,
    )


def spread_of_areas(given: Sequence[Any], positive: Any = None) -> tuple[float, float]:
    """The skewness of the difference of two areas, as far as it matters, and the degrees of freedom of its variance."""
    y_true, score_a, score_b = given
    a, b = _placed_pair(y_true, score_a, score_b, positive)
    parts = [own - own.mean() for own in (a.v10 - b.v10, a.v01 - b.v01)]
    sizes = np.array([*map(len, parts)])
    terms = np.array([part @ part for part in parts]) * sizes / (sizes - 1)
    df = terms.sum() ** 2 / (terms**2 / (sizes - 1)).sum()
    return float(distributions.skewness_beyond(np.concatenate(parts))), float(df)


def changes_of_areas(given: Sequence[Any], positive: Any = None) -> tuple[float, ...]:
    """By how much the difference of two areas can change where both scores of one sample do, falling."""
    y_true, score_a, score_b = given
    each = np.sum([_changes(placed) for placed in _placed_pair(y_true, score_a, score_b, positive)], axis=0)
    return tuple(np.sort(each)[::-1].tolist())


def _changes(placed: Placed) -> FloatArray:
    """By how much the area can change where the score of each sample does: to the top or the bottom."""
    n_positive, n_negative = len(placed.v10), len(placed.v01)
    sides = ((placed.v10, 2 * n_negative), (placed.v01, 2 * n_positive))
    sizes = np.concatenate([np.maximum(places, most - places) for places, most in sides])
    return np.asarray(sizes / (2 * n_positive * n_negative))


def _placed_pair(y_true: Any, score_a: Any, score_b: Any, positive: Any) -> tuple[Placed, Placed]:
    """The scores of both models among each other, where that is not done yet."""
    if isinstance(score_a, Placed) and isinstance(score_b, Placed):
        return score_a, score_b
    validation.check_aligned(y_true=y_true, score_a=score_a, score_b=score_b)
    y = samples.check_labels(y_true, "y_true")
    a, b = (validation.check_scores(x, name, ndim=(1,)) for x, name in ((score_a, "score_a"), (score_b, "score_b")))
    samples.check_one_length({"y_true": y, "score_a": a, "score_b": b})
    is_positive = samples.positives(y, positive)
    return Placed.of(a, is_positive), Placed.of(b, is_positive)


def _area_interval(area: float, m: int, n: int, z: float) -> ConfidenceInterval:
    """Newcombe (2006), method 5: the two middle roots of a polynomial, whose others lie on either side of [0, 1]."""
    t, more = np.polynomial.Polynomial([0, 1]), (m + n) / 2 - 1
    variance = t * (1 - t) * ((2 - t) * (1 + t) + more * ((1 - t) * (1 + t) + t * (2 - t)))
    roots = ((area - t) ** 2 * (2 - t) * (1 + t) - z**2 / (m * n) * variance).roots()
    low, high = np.clip(np.sort(roots.real)[1:3], 0, 1).tolist()
    return ConfidenceInterval(low=min(low, area), high=max(high, area))


# Scores of two models on the same samples under average precision, which depends on their ranks alone.


AVERAGE_PRECISION = "average_precision"
PRECISION_DRAWS = 2_000
# With fewer negative samples, and as few different scores of one model alone, tests reject up to 11% at 5%.
FEWEST_NEGATIVE, FEW_SCORES = 40, 5
_MANY, _CARRYING = 100, 10  # independent samples of each class whose difference is normal, if as many carry it
_MOST_KNOWN = 1_000  # models of which what was drawn is kept
_FEW_KINDS = 8  # so many samples to a kind, their numbers are drawn sooner than the samples
_AT_ONCE, _STEPS = 2**17, 16  # numbers, which a processor keeps at hand, and rows that are added up together


class _Units(NamedTuple):
    """What is drawn or exchanged together: some samples, which unit each is of, and how many units there are."""

    samples: IntArray
    unit: IntArray
    n: int

    @classmethod
    def of_samples(cls, n: int) -> _Units:
        return cls(np.arange(n), np.arange(n), n)


class RankedPredictions(ListedPredictions, eq=False):
    """Scores under average precision.

    Scores of two models need not lie on one scale: what is exchanged are their mid-ranks within each model (Bandos,
    Rockette and Gur 2005), unless their values are the same. Of these `a` and `b` keep what the metric reads: which
    ranks of positive samples a sample passes.

    Attributes
    ----------
    positive : ndarray of shape (n,)
        Whether a sample is of the positive class.
    n_values : tuple of two int
        How many different scores each model gave.
    alone : bool
        Whether the score of `a` stands in place of the difference.
    """

    positive: BoolArray
    n_values: tuple[int, int]
    _DRAWS = PRECISION_DRAWS

    def scores(self) -> Scores:
        """The metric of the two models."""
        a, b = (float(_average_precision(*self._base(codes))[0]) for codes in (self.a, self.b))
        b = 0.0 if self.alone else b
        told = "there is no positive sample: the average precision is taken as 0, here and in every resample."
        undefined = () if self.positive.any() else (Code.WEAK_METRIC(told, about=(AVERAGE_PRECISION,)),)
        return Scores(a=a, b=b, warnings=undefined + self._of_ties() + self.about_clusters)

    def _of_ties(self) -> Warnings:
        """That few negative samples among the ties of one model, which the other has not, decide the difference."""
        few, many = sorted(self.n_values)
        n = int(np.count_nonzero(~self.positive))
        if n >= FEWEST_NEGATIVE or few >= FEW_SCORES or 10 * few > many:
            return ()
        said = f"{counted(n, 'negative sample')} decide the average precision of a model with {few} different scores."
        more = "The test may reject a true null in 11% of cases at 5%: collect more."
        return (Code.WEAK_METRIC(f"{said} {more}", about=(AVERAGE_PRECISION,)),)

    @property
    def standard_error(self) -> float:
        """Of many samples by the jackknife; nan of few, of clusters, and where few of them carry a difference."""
        n_positive = int(np.count_nonzero(self.positive))
        if self.clusters is not None or min(n_positive, self.n - n_positive) < _MANY:
            return float("nan")
        left_out, _ = self.without_one()
        squares = (left_out - left_out.mean()) ** 2
        total = float(squares.sum())
        enough = total > 0 and (self.alone or total**2 >= _CARRYING * float((squares**2).sum()))
        return ((self.n - 1) / self.n * total) ** 0.5 if enough else float("nan")

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples: of samples of few kinds their numbers are multinomial."""
        own = self._apart
        units, sizes = own._kinds(np.arange(self.n))
        if self.clusters is None and _FEW_KINDS * units.n <= self.n:
            parts = samples.batches(n_draws, units.n)
            drawn = (rng.multinomial(self.n, sizes / self.n, rows.stop - rows.start) for rows in parts)
            return np.concatenate([own._difference(numbers.T, units) for numbers in drawn])
        seed, names = int(rng.integers(2**63)), [sha256(codes.tobytes()).digest() for codes in (own.a, own.b)]
        kept = _resampled(self.positive.tobytes(), self._units.unit.tobytes(), n_draws, seed)
        known = dict(kept)  # as others may add theirs meanwhile
        if new := {name: codes for name, codes in zip(names, (own.a, own.b), strict=True) if name not in known}:
            counts = samples.drawn_counts(n_draws, self.n_units, np.random.default_rng(seed))
            times = (part[:, 0].T for _, part in counts)
            found = np.concatenate([own._each([*new.values()], part, self._units) for part in times], axis=1)
            known.update(zip(new, found, strict=True))
            kept.update(known if len(kept) < _MOST_KNOWN else {})
        return known[names[0]] - (0.0 if self.alone else known[names[1]])

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one unit, and how many units each of them stands for."""
        ones = np.ones(self.n_units, dtype=np.int64)
        if self.clusters is None:
            of_b = 0.0 if self.alone else self._without_sample(self.b)
            return self._without_sample(self.a) - of_b, ones
        every, parts, own = np.arange(self.n_units), samples.batches(self.n_units, self.n_units), self._apart
        left = (own._difference(every[:, None] != every[rows], own._units) for rows in parts)
        return np.concatenate([*left]), ones

    @property
    def _apart(self) -> RankedPredictions:
        """The same where nothing is exchanged: each model needs the ranks of its own positive samples alone."""
        return replace(self, a=_passed(self.a, self.positive), b=_passed(self.b, self.positive))

    @property
    def _n_ranks(self) -> int:
        return int(max(self.a.max(), self.b.max())) + 1

    def _width(self) -> int:
        return self.n_differing

    @property
    def _units(self) -> _Units:
        every = np.arange(self.n)
        return _Units.of_samples(self.n) if self.clusters is None else _Units(every, self.clusters.codes, self.n_units)

    def _kinds(self, where: IntArray) -> tuple[_Units, IntArray]:
        """One sample of each class and rank under both models, and how many are like it, in either order of these."""
        k, first = self._n_ranks, int((self.a != self.b).argmax())
        low, high = (self.a, self.b) if self.a[first] < self.b[first] else (self.b, self.a)
        codes = (self.positive[where] * k + low[where]) * k + high[where]
        _, found, sizes = np.unique(codes, return_index=True, return_counts=True)
        return _Units(where[found], np.arange(len(found)), len(found)), sizes

    def _drawn(self, where: IntArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
        units, sizes = (self._movers(where), np.ones_like(where)) if self.clusters is not None else self._kinds(where)
        parts = samples.batches(n_draws, units.n)
        numbers = (samples.half_binomials(sizes, rows.stop - rows.start, rng) for rows in parts)
        return np.concatenate([self._after(of_units.T, units) for of_units in numbers])

    def _exchanged(self, where: IntArray, exchanged: AnyArray) -> FloatArray:
        return self._after(exchanged.T, self._movers(where))

    def _movers(self, where: IntArray) -> _Units:
        """The samples of some units whose ranks differ."""
        of = np.flatnonzero(self.a != self.b)
        unit = of if self.clusters is None else self.clusters.codes[of]
        return _Units(of, np.searchsorted(where, unit), len(where))

    def _table(self, codes: IntArray, units: _Units) -> tuple[Any, Any]:
        """At each rank how many positive samples, and how many in all, each unit has."""
        shape, own = (self._n_ranks, units.n), self.positive[units.samples]
        weights = (own * 1.0, np.ones(len(own)))
        return tuple(csr_array((x, (codes[units.samples], units.unit)), shape=shape) for x in weights)  # type: ignore[return-value]

    def _base(self, codes: IntArray) -> tuple[FloatArray, FloatArray]:
        """At each rank how many positive samples there are, and how many in all, shape (n_ranks, 1)."""
        parts = (np.bincount(x, minlength=self._n_ranks) for x in (codes[self.positive], codes))
        here, every = (x[:, None].astype(np.float64) for x in parts)
        return here, every

    def _difference(self, times: AnyArray, units: _Units) -> FloatArray:
        """Of units that count several times, shape (n_units, n_rows)."""
        each = self._each([self.a] if self.alone else [self.a, self.b], times, units)
        return np.asarray(each[0] - (0.0 if self.alone else each[1]), dtype=np.float64)

    def _each(self, models: list[IntArray], times: AnyArray, units: _Units) -> FloatArray:
        """The metric of each of some models there, shape (n_models, n_rows)."""
        tables, found = [self._table(codes, units) for codes in models], []
        for columns in samples.batches(times.shape[1], self._n_ranks, _AT_ONCE):
            part = np.ascontiguousarray(times[:, columns], dtype=np.float64)
            found.append(np.stack([_average_precision(here @ part, every @ part) for here, every in tables]))
        return np.concatenate(found, axis=1)

    def _after(self, exchanged: AnyArray, units: _Units) -> FloatArray:
        """Of units that exchange so many, shape (n_units, n_rows): one model has the ranks that the other has not."""
        before, other = (self._base(codes) for codes in (self.a, self.b))
        moves = [to - of for to, of in zip(*(self._table(codes, units) for codes in (self.b, self.a)), strict=True)]
        found = []
        for columns in samples.batches(exchanged.shape[1], self._n_ranks, _AT_ONCE):
            part = np.ascontiguousarray(exchanged[:, columns], dtype=np.float64)
            added = [own @ part for own in moves]
            a, b = (
                _average_precision(here + sign * added[0], every + sign * added[1])
                for sign, (here, every) in ((1, before), (-1, other))
            )
            found.append(a - b)
        return np.concatenate(found)

    def _without_sample(self, codes: IntArray) -> FloatArray:
        """The metric of one model without each of the samples: only what stands below them changes."""
        k = self._n_ranks
        here = np.bincount(codes[self.positive], minlength=k).astype(np.float64)
        hits, above = np.cumsum(here), np.cumsum(np.bincount(codes, minlength=k)).astype(np.float64)
        of_all, fewer = here * quotient(hits, above, 0.0), here * quotient(hits, above - 1, 0.0)
        both = here * quotient(hits - 1, above - 1, 0.0)
        before = np.cumsum(of_all) - of_all
        from_here, below = (np.cumsum(x[::-1])[::-1] for x in (fewer, both))
        n_positive = hits[-1]
        of_negative = (before + from_here) / max(n_positive, 1)
        of_positive = (before + below - quotient(hits - 1, above - 1, 0.0)) / max(n_positive - 1, 1)
        return np.asarray(np.where(self.positive, of_positive[codes], of_negative[codes]), dtype=np.float64)


@lru_cache(maxsize=1)
def _resampled(positive: bytes, unit: bytes, n_draws: int, seed: int) -> dict[bytes, FloatArray]:  # noqa: ARG001
    """What was drawn of single models on one test set, by their ranks: of many pairs each is resampled once."""
    return {}


def _average_precision(here: FloatArray, every: FloatArray) -> FloatArray:
    """From the positive and all samples at each rank, the highest first, of each column; 0 without a positive one."""
    hits, above = _running(here.copy()), _running(every)
    n_positive = hits[-1].copy()
    hits /= np.maximum(above, 1, out=above)  # these are whole numbers
    return quotient(np.einsum("ij,ij->j", here, hits), n_positive, 0.0)


def _running(whole: FloatArray) -> FloatArray:
    """Running sums of whole numbers along the first axis, in place; numpy's wait for one number after the other."""
    n = len(whole) - len(whole) % _STEPS
    parts = whole[:n].reshape(-1, _STEPS, *whole.shape[1:])
    for i in range(1, _STEPS):
        parts[:, i] += parts[:, i - 1]
    parts[1:] += np.cumsum(parts[:-1, -1], axis=0)[:, None]
    if n < len(whole):
        whole[n] += whole[n - 1] if n else 0.0
        np.cumsum(whole[n:], axis=0, out=whole[n:])
    return whole


def _passed(ranks: AnyArray, positive: BoolArray) -> IntArray:
    """The first rank of a positive sample, of one or both models, that each one does not surpass; low ones are better.

    Those above all negative samples are one: precision is 1 there, whatever is exchanged or drawn.
    """
    steps, best = np.unique(ranks[..., positive]), ranks[..., ~positive].min(initial=len(positive))
    return np.searchsorted(steps[max(0, int(np.searchsorted(steps, best)) - 1) :], ranks)


def ranked(arrays: Mapping[str, AnyArray], positive: object, units: Clusters | None) -> RankedPredictions:
    """True labels and the mid-ranks of the scores of one or two models."""
    y_true, *given = arrays
    labels, (codes,) = samples.encode({y_true: arrays[y_true]})
    code = samples.positive_code(labels, positive, y_true)
    for name in given:
        if arrays[name].dtype.kind not in "biuf":
            raise ValueError(f"{name} must hold scores for {AVERAGE_PRECISION!r}; got dtype {arrays[name].dtype}")
    ranks = samples.exchangeable([validation.as_floats(arrays[name], name) for name in given])
    chosen, both = codes == code, np.stack([-ranks[0], -ranks[-1]])
    a, b = _passed(both, chosen)
    n_values = (len(np.unique(both[0])), len(np.unique(both[1])))
    found = RankedPredictions(positive=chosen, a=a, b=b, clusters=units, n_values=n_values)
    if len(given) == 1 or found.n_differing or found.n_units < 2:
        return found
    sizes = np.max([_moved(np.unique(own, return_inverse=True)[1], chosen) for own in both], axis=0)
    sizes = np.sort(sizes if units is None else units.sums(sizes))[::-1]
    return replace(found, changes=samples.Changes(sizes, 1 + np.arange(found.n_units), 0, 1.0))


def _moved(codes: IntArray, positive: BoolArray) -> FloatArray:
    """By how much average precision can change where the score of one sample does: it is then the best or the worst."""
    here, every = (np.bincount(codes[of], minlength=codes.max() + 1) * 1.0 for of in (positive, slice(None)))
    hits, above = np.cumsum(here), np.cumsum(every)

    def with_other(of_it: float) -> FloatArray:
        """The same for samples that add so much to the hits: of those at each rank, by the best and the worst one."""
        kept, more, less = (quotient(hits + i * of_it, above + i, 0.0) for i in (0, 1, -1))
        up, down = np.cumsum(here * (more - kept)), np.cumsum((here * (less - kept))[::-1])[::-1]
        best = up - here * (more - kept) + of_it * (1 - kept)
        worst = down - of_it * (less - hits[-1] / above[-1])
        return np.asarray(np.maximum(np.abs(best), np.abs(worst)), dtype=np.float64)

    sizes = np.where(positive, with_other(1)[codes], with_other(0)[codes])
    return np.asarray(sizes / max(1, hits[-1]), dtype=np.float64)


_CLOSE = 1e-6  # of squared influences: rounding may make what is smaller


def many_precision_tests(
    y_true: BoolArray, scores: FloatArray, first: Positions, second: Positions
) -> tuple[FloatArray, FloatArray, IntArray, BoolArray]:
    """P-values and differences of the average precision of pairs of models; nan of those that need exchanges.

    Of these also how many samples differ, -1 of others, and which of them draw, where they are more than the draws.
    """
    own = [replace(ranked({"y_true": y_true, "a": x}, True, None), alone=True) for x in scores]
    precision, left_out = np.array([x.scores().a for x in own]), np.array([x.without_one()[0] for x in own])
    estimates, left_out = precision[first] - precision[second], left_out - left_out.mean(axis=1, keepdims=True)
    squares, both = left_out**2, (first, second)
    total, fourths = squares.sum(axis=1), (squares**2).sum(axis=1)
    ends, thirds = total[first] + total[second], (left_out * squares) @ left_out.T
    of_pairs = ends - 2 * (left_out @ left_out.T)[both]  # squared influences on the difference, then their squares
    peaked = fourths[first] + fourths[second] - 4 * (thirds + thirds.T)[both] + 6 * (squares @ squares.T)[both]
    known = np.isfinite([x.standard_error for x in own]).all() & (of_pairs > _CLOSE * ends)
    known &= of_pairs**2 > (1 + _CLOSE) * _CARRYING * peaked
    errors = np.sqrt(np.where(known, (1 - 1 / len(y_true)) * of_pairs, np.nan))
    pvalues, n_differing = 2 * special.ndtr(-np.abs(estimates) / errors), np.full(len(first), -1)
    if np.count_nonzero(~known) > PRECISION_DRAWS:
        values = [np.unique(x, return_inverse=True, return_counts=True) for x in -scores]
        for i in np.flatnonzero(~known).tolist():
            a, b = _passed(np.stack(samples.on_one_scale([values[first[i]], values[second[i]]])), y_true)
            n_differing[i] = np.count_nonzero(a != b)
        estimates[n_differing == 0], pvalues[n_differing == 0] = 0.0, 1.0
    return pvalues, estimates, n_differing, n_differing >= samples.MAX_LISTED.bit_length()
