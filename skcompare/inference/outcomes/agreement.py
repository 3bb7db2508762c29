"""McNemar's test of two models on the same samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from math import comb, factorial, prod, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from skcompare._core.numbers import counted
from skcompare._core.validation import Alternative, FloatArray, check_aligned, check_choice, check_hypothesis
from skcompare._core.warnings import Code, Warnings
from skcompare.inference import _kinds as kinds
from skcompare.inference._multiplicity import Least
from skcompare.inference._records import ROUNDING
from skcompare.inference.outcomes import proportions
from skcompare.inference.outcomes.samples import IntArray, check_correct, check_one_length

# The score statistic of Tango (1998) for the difference of two paired proportions.


def _tango_score(b: int, c: int, n: int, difference: float) -> tuple[float, float]:
    """The score of Tango (1998) at a given difference, which is 0 at the estimate, and its variance."""
    # his quadratic for the probability of c under the difference
    middle = -b - c + (2 * n - b + c) * difference
    last = -c * difference * (1 - difference)
    root = sqrt(max(middle**2 - 8 * n * last, 0.0))
    # the positive solution, in the form that does not cancel
    q = (root - middle) / (4 * n) if middle <= 0 else -2 * last / (root + middle)
    return b - c - n * difference, n * max(2 * q + difference * (1 - difference), 0.0)


def tango_z(b: int, c: int, n: int, difference: float) -> float:
    """His statistic; the models in the other order have its negative."""
    if b - c < n * difference:
        return -tango_z(c, b, n, -difference)
    excess, variance = _tango_score(b, c, n, difference)
    if excess <= ROUNDING * n:
        return 0.0
    return excess / sqrt(variance) if variance else float("inf")


def tango_low(b: int, c: int, n: int, z: float) -> float:
    """The difference at which the score statistic of Tango (1998) equals `z`: the lower limit."""

    def lack(difference: float) -> float:
        excess, variance = _tango_score(b, c, n, difference)
        if excess == variance == 0:  # unanimous samples at their own estimate: the limit lies beyond it for z < 0
            return 1.0 if z >= 0 else -1.0
        return z * sqrt(variance) - excess

    if lack(-1.0) >= 0:
        return -1.0
    return float(optimize.brentq(lack, -1.0, 1.0, xtol=1e-17, rtol=1e-15)) if lack(1.0) > 0 else 1.0


McNemarMethod = Literal["midp", "exact", "chi2", "chi2_corrected"]

_METHODS = {
    "midp": "McNemar test, mid-p",
    "exact": "McNemar test, exact",
    "chi2": "McNemar test, chi-squared",
    "chi2_corrected": "McNemar test, chi-squared with continuity correction",
}
_OF_NULL = "Tango score test of a difference of {:g}"
# Below this number of discordant samples the chi-squared approximation is commonly distrusted.
_ENOUGH_FOR_CHI2 = 25


class McNemarResult(kinds.HasInterval, kinds.DifferenceTest):
    """Result of McNemar's test.

    `confidence_interval` is the score interval for the difference of the accuracies (Tango 1998). It leaves out 0
    exactly when the p-value of ``method="chi2"`` is below ``1 - confidence_level``; near that level the other methods
    may disagree with it. With another `null` the test is the one that it inverts. It has a width even where no sample
    is discordant.

    Attributes
    ----------
    statistic : float
        Chi-squared, at least 0, of the two chi-squared methods; `only_a_correct` of the exact and mid-p ones; Tango's z
        with another `null` than 0.
    pvalue : float
        In [0, 1].
    df : float
        Degrees of freedom of the chi-squared distribution, 1; the exact and mid-p methods do not use it.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the accuracy of `a` less that of `b` differs from, exceeds, falls below `null`.
    estimate : float
        Difference of the two accuracies ``a - b``, in [-1, 1]; positive favours `a`.
    standard_error : float
        Of `estimate`, without assuming the null (Wald).
    effect_size : float
        Cohen's g, the share of the discordant samples on which `a` is correct, minus 1/2; in [-0.5, 0.5],
        0 where there are none.
    odds_ratio : float
        `only_a_correct` over `only_b_correct`, in [0, inf]; 1 where there are no discordant samples.
    n : int
        Number of samples.
    n_discordant : int
        Samples on which one model only is correct, the sum of the next two.
    only_a_correct, only_b_correct : int
        Samples on which `a` is correct and `b` is wrong, and the reverse.
    unit : int
        What an accuracy of 1 is in `estimate`, `standard_error`, `null` and the intervals: `n` of metrics that count
        the samples, else 1.
    """

    statistic: float
    df: float
    standard_error: float
    effect_size: float
    odds_ratio: float
    n_discordant: int
    only_a_correct: int
    only_b_correct: int
    unit: int = field(default=1, repr=False)

    def _least(self) -> Least | None:
        """The smallest p-value on so many discordant samples; None of a margin, and where there are none."""
        names = {words: name for name, words in _METHODS.items()} if self.n_discordant else {}
        return least_mcnemar(self.n_discordant, names[self.method], self.alternative) if self.method in names else None

    def _limits(self, tail: float) -> tuple[float, float]:
        b, c, n, z = self.only_a_correct, self.only_b_correct, self.n, proportions.normal_quantile(tail)
        return self.unit * tango_low(b, c, n, z), -self.unit * tango_low(c, b, n, z)

    def wald_interval(self, confidence_level: float = 0.95) -> kinds.ConfidenceInterval:
        """Interval for the difference of the accuracies from `standard_error` and the normal distribution.

        It is a point where no sample is discordant, and too short on few samples: prefer
        `confidence_interval`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Inverts none of the four methods.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = kinds.interval_tail(confidence_level, self.alternative)
        margin = proportions.normal_quantile(tail) * self.standard_error
        return kinds.interval_for(self.alternative, self.estimate - margin, self.estimate + margin)

    def odds_ratio_interval(self, confidence_level: float = 0.95) -> kinds.ConfidenceInterval:
        """Exact interval for the odds ratio, conditional on the number of discordant samples.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            Leaves out 1 exactly when the p-value of ``method="exact"`` is below ``1 - confidence_level``.
            One-sided alternatives give one-sided intervals, from 0 or to infinity.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = kinds.interval_tail(confidence_level, self.alternative)
        shares = proportions.binomial_limits(self.only_a_correct, self.n_discordant, tail, midp=False)
        low, high = (share / (1 - share) if share < 1 else np.inf for share in shares)
        return kinds.interval_for(self.alternative, low, high, (0.0, np.inf))


def of_counts(record: McNemarResult, null: float) -> McNemarResult:
    """The same test of how many samples the models are right on, with the `null` in these units."""
    n, gap = record.n, record.only_a_correct - record.only_b_correct
    method = _OF_NULL.format(null) if null else record.method
    error = n * record.standard_error
    return replace(record, estimate=float(gap), standard_error=error, null=null, method=method, unit=n)


def mcnemar_test(
    correct_a: ArrayLike,
    correct_b: ArrayLike,
    *,
    method: McNemarMethod = "midp",
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> McNemarResult:
    r"""Test that two models are equally accurate on the samples of one test set (McNemar's test).

    Only the discordant samples count. With :math:`b` on which `a` alone is correct and :math:`c` on which `b`
    alone is,

    .. math:: \chi^2 = \frac{(b - c)^2}{b + c} \qquad \text{or, corrected,} \qquad
        \frac{\max(|b - c| - 1, 0)^2}{b + c}

    on 1 degree of freedom (McNemar 1947, Edwards 1948). Given :math:`b + c`, :math:`b` is binomial with
    probability 1/2: the exact p-value is twice its smaller tail, and the mid-p value counts the observed
    :math:`b` by half, which makes it less conservative (Fagerland, Lydersen and Laake 2013); it is 1 where
    :math:`b = c`.

    The test is conditional on the two fitted models: it says which one is more accurate on new samples, not
    which algorithm would be after training on other data.

    Parameters
    ----------
    correct_a, correct_b : array_like of shape (n,)
        Per sample, whether each model predicts it correctly: booleans, or 1 and 0.
    method : {"midp", "exact", "chi2", "chi2_corrected"}, default="midp"
        ``"exact"`` guarantees the nominal size. One-sided, the chi-squared methods use the signed root of
        :math:`\chi^2`, corrected towards the null. With another `null` than 0 the test is the score test of Tango
        (1998), which at 0 is ``"chi2"``; then ``"exact"`` and ``"chi2_corrected"`` are refused.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the accuracy of `a` is larger.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    McNemarResult
        With p-value 1 and the warning NO_DIFFERENCE where no sample is discordant.

    Raises
    ------
    ValueError
        If the outcomes are not booleans or not paired, or an option is unknown.

    See Also
    --------
    cochran_q_test : the same question for more than two models.
    paired_metric_test : the same question for other metrics than accuracy.

    References
    ----------
    Q. McNemar (1947), Note on the sampling error of the difference between correlated proportions or
    percentages, Psychometrika 12, 153-157, :doi:`10.1007/BF02295996`.

    A. L. Edwards (1948), Note on the correction for continuity in testing the significance of the difference
    between correlated proportions, Psychometrika 13, 185-187, :doi:`10.1007/BF02289261`.

    T. Tango (1998), Equivalence test and confidence interval for the difference in proportions for the
    paired-sample design, Statistics in Medicine 17, 891-908.

    M. W. Fagerland, S. Lydersen and P. Laake (2013), The McNemar test for binary matched-pairs data: mid-p and
    asymptotic are better than exact conditional, BMC Medical Research Methodology 13, 91,
    :doi:`10.1186/1471-2288-13-91`.

    Examples
    --------
    >>> from skcompare.inference import mcnemar_test
    >>> correct_a = [True] * 59 + [True] * 25 + [False] * 11 + [False] * 5
    >>> correct_b = [True] * 59 + [False] * 25 + [True] * 11 + [False] * 5
    >>> result = mcnemar_test(correct_a, correct_b)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.14, 0.0201)
    """
    check_choice(method, "method", get_args(McNemarMethod))
    null = check_hypothesis(alternative, null, low=-1, high=1).null
    check_aligned(correct_a=correct_a, correct_b=correct_b)
    right_a, right_b = check_correct(correct_a, "correct_a"), check_correct(correct_b, "correct_b")
    check_one_length({"correct_a": right_a, "correct_b": right_b})
    n = len(right_a)
    b, c = int(np.count_nonzero(right_a & ~right_b)), int(np.count_nonzero(~right_a & right_b))
    discordant = b + c
    if null and method not in ("midp", "chi2"):
        raise ValueError(f"method must be left out with null, which has one test for all; got {method!r}")
    if null:
        statistic = tango_z(b, c, n, null)
        pvalue = proportions.normal_pvalue(statistic, alternative)
    else:
        statistic, pvalue = _tested(b, c, method, alternative)
    approximate = not null and method in ("chi2", "chi2_corrected") and discordant < _ENOUGH_FOR_CHI2
    few = f" on {counted(discordant, 'discordant sample')}, fewer than {_ENOUGH_FOR_CHI2}; use 'midp' or 'exact'"
    least = None if null else least_mcnemar(discordant, method, alternative)
    return McNemarResult(
        statistic=statistic,
        pvalue=pvalue,
        df=1.0,
        alternative=alternative,
        estimate=(b - c) / n,
        standard_error=(discordant - (b - c) ** 2 / n) ** 0.5 / n,
        effect_size=b / discordant - 0.5 if discordant else 0.0,
        odds_ratio=b / c if c else np.inf if b else 1.0,
        n=n,
        n_discordant=discordant,
        only_a_correct=b,
        only_b_correct=c,
        null=null,
        method=_OF_NULL.format(null) if null else _METHODS[method],
        warnings=_warnings("both", discordant, least, few if approximate else ""),
    )


def _tested(b: int, c: int, method: str, alternative: str) -> tuple[float, float]:
    """The statistic of a method and its p-value."""
    n = b + c
    if method in ("exact", "midp"):
        pvalue = proportions.binomial_pvalue(b, n, 0.5, alternative, midp=method == "midp")
        return float(b), float(pvalue) if n else 1.0
    correction = 1 if method == "chi2_corrected" else 0
    gap = both = max(abs(b - c) - correction, 0)
    if alternative != "two-sided":
        # towards the null of each side, as the exact tail includes the observed count
        gap = b - c - correction if alternative == "greater" else b - c + correction
    return (both**2 / n, proportions.normal_pvalue(gap / n**0.5, alternative)) if n else (0.0, 1.0)


def mcnemar_pvalues(b: IntArray, c: IntArray) -> FloatArray:
    """The two-sided mid-p values of many pairs of models, as `mcnemar_test` has them."""
    return np.asarray(proportions.binomial_pvalue(b, b + c, 0.5, "two-sided", midp=True))


def _warnings(which: str, n: int, least: Least | None, approximate: str) -> Warnings:
    """Of `n` samples on which the models differ; why the chi-squared approximation is in doubt, if it is."""
    if n == 0:
        return (Code.NO_DIFFERENCE(f"{which} models are correct on the same samples, so nothing shows a difference."),)
    about = (Code.APPROXIMATE(f"the chi-squared approximation is in doubt{approximate}."),) if approximate else ()
    return (*(least.warnings() if least else ()), *about)


def least_mcnemar(discordant: int, method: str = "midp", alternative: str = "two-sided") -> Least:
    """The smallest p-value on so many discordant samples."""

    def at(n: int) -> float:
        return _tested(*((0, n) if alternative == "less" else (n, 0)), method, alternative)[1]

    return Least(at=at, n=discordant, what="discordant sample")


# Cochran's Q test of several models on the same samples.


CochranMethod = Literal["chi2", "exact"]

# Tate and Brown (1970): the approximation is good from this many informative samples times models on.
_ENOUGH_FOR_Q = 24
# Listing one number of one arrangement takes as long as adding up this many.
_LISTING = 10
# Column totals that the exact method may compute: about a second.
_MAX_TOTALS = 20_000_000


class CochranQResult(kinds.OmnibusTest):
    """Result of Cochran's Q test.

    Attributes
    ----------
    statistic : float
        Cochran's Q, at least 0.
    pvalue : float
        In [0, 1].
    df : float
        Degrees of freedom of the chi-squared distribution, the number of models minus 1; the exact method does
        not use it.
    alternative : {"two-sided"}
        The test has no direction.
    accuracies : tuple of float
        Accuracy of each model, in [0, 1], in the order of the columns.
    effect_size : float
        Q over the largest value it could have on as many informative samples, in [0, 1]; 0 where there are none.
    n : int
        Number of samples.
    n_informative : int
        Samples on which some models are correct and some are wrong; the others do not matter.
    n_rearrangements : int
        In how many ways right and wrong could be arranged within the samples, of which an exact p-value is a share;
        else 0.
    n_extreme : int
        In how many of them, the observed one included, the models differ at least as much; rounded as `pvalue` is
        where there are more than 2**53, and else 0.
    """

    df: float
    alternative: str
    accuracies: tuple[float, ...]
    effect_size: float
    n: int
    n_informative: int


def cochran_q_test(correct: ArrayLike, *, method: CochranMethod = "chi2") -> CochranQResult:
    r"""Test that several models are equally accurate on the samples of one test set (Cochran's Q test).

    With column totals :math:`C_j` over :math:`k` models, row totals :math:`R_i` and grand total :math:`G`,

    .. math:: Q = (k - 1) \frac{k \sum_j C_j^2 - G^2}{k G - \sum_i R_i^2}

    on :math:`k - 1` degrees of freedom (Cochran 1950). With two models it is McNemar's test without
    continuity correction. Within a sample every arrangement of right and wrong over the models is equally
    likely under the null, which gives the exact p-value.

    The test is conditional on the fitted models: it says whether their accuracies differ on new samples, not
    whether the algorithms would differ after training on other data.

    Parameters
    ----------
    correct : array_like of shape (n_samples, n_models)
        Whether each model predicts each sample correctly: booleans, or 1 and 0. At least two models.
    method : {"chi2", "exact"}, default="chi2"
        ``"exact"`` enumerates the column totals of all arrangements; it is for few samples, and meant for
        where the chi-squared approximation is in doubt.

    Returns
    -------
    CochranQResult
        With p-value 1 and the warning NO_DIFFERENCE where all models are correct on the same samples.

    Raises
    ------
    ValueError
        If the outcomes are not booleans, there are fewer than two models, `method` is unknown, or the exact
        method would have too much to enumerate.

    See Also
    --------
    mcnemar_test : two models, with direction and interval; run it on pairs, adjusted, after a rejection.

    References
    ----------
    W. G. Cochran (1950), The comparison of percentages in matched samples, Biometrika 37, 256-266,
    :doi:`10.1093/biomet/37.3-4.256`.

    M. W. Tate and S. M. Brown (1970), Note on the Cochran Q test, Journal of the American Statistical
    Association 65, 155-160, :doi:`10.1080/01621459.1970.10481069`.

    Examples
    --------
    Three models on twelve samples:

    >>> from skcompare.inference import cochran_q_test
    >>> rows = ["111", "110", "101", "111", "100", "110", "010", "110", "100", "100", "111", "000"]
    >>> result = cochran_q_test([[digit == "1" for digit in row] for row in rows])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (6.75, 0.0342)
    """
    check_choice(method, "method", get_args(CochranMethod))
    right = check_correct(correct, "correct", ndim=2)
    n, k = right.shape
    if k < 2:
        raise ValueError(f"correct must have a column per model, at least 2; got shape {right.shape}")
    columns, rows = right.sum(axis=0, dtype=np.int64), right.sum(axis=1, dtype=np.int64)
    informative = rows[(rows > 0) & (rows < k)]
    n_informative, total = len(informative), int(columns.sum())
    # Cochran (1950), in whole numbers up to the division
    scale = k * total - int(rows @ rows)
    statistic = (k - 1) * (k * sum(c * c for c in columns.tolist()) - total**2) / scale if scale else 0.0
    pvalue: float | None = 1.0
    if n_informative and method == "exact":  # given the grand total, Q grows with the sum of squares alone
        pvalue = rearranged_pvalue(right[(rows > 0) & (rows < k)].astype(np.int64), _MAX_TOTALS)
    elif n_informative:
        pvalue = float(special.chdtrc(k - 1, statistic))
    if pvalue is None:
        raise ValueError(
            f"method must be 'chi2' where {n_informative} informative samples of {k} models have too many arrangements "
            f"to enumerate; got 'exact'"
        )
    n_rearrangements = prod(comb(k, row) for row in informative.tolist()) if method == "exact" else 0
    few = f"{counted(n_informative, 'informative sample')} times {k} models is below {_ENOUGH_FOR_Q}"
    approximate = method == "chi2" and n_informative * k < _ENOUGH_FOR_Q

    def at(n: int) -> float:
        """All samples have the same models right: half of them, of which there are the most arrangements."""
        return float(special.chdtrc(k - 1, (k - 1) * n)) if method == "chi2" else float(comb(k, k // 2)) ** (1 - n)

    least = Least(at=at, n=n_informative, what="informative sample")
    return CochranQResult(
        statistic=statistic,
        pvalue=pvalue,
        df=float(k - 1),
        alternative="two-sided",
        accuracies=tuple((columns / n).tolist()),
        effect_size=statistic / (n_informative * (k - 1)) if n_informative else 0.0,
        n=n,
        n_informative=n_informative,
        n_rearrangements=n_rearrangements,
        n_extreme=kinds.share_of(pvalue, n_rearrangements),
        method="Cochran's Q test, " + ("exact" if method == "exact" else "chi-squared"),
        warnings=_warnings("all", n_informative, least, f", as {few}; use method 'exact'" if approximate else ""),
    )


def rearranged_pvalue(rows: IntArray, most: int) -> float | None:
    """Share of the arrangements of each row whose column sums have at least the observed sum of squares.

    Which column has which sum does not matter, so that sums are kept in order, each with its probability. Rows of equal
    values, if any, hold 0. None where more than so many numbers would be computed.
    """
    k, observed = rows.shape[1], int((rows.sum(axis=0) ** 2).sum())
    ordered = [tuple(sorted(row)) for row in rows.tolist()]
    ways = {row: n_arrangements(row) for row in set(ordered)}
    ordered = sorted((row for row in ordered if ways[row] > 1), key=ways.__getitem__)
    if len(ordered) < 2:
        return 1.0
    if max(ways.values()) * k * _LISTING > most:
        return None
    arrangements = {row: np.array(list(_arrangements(row)), dtype=np.int64) for row in ways}
    states, weights, computed = np.array([ordered[0]]), np.ones(1), 0
    for row in ordered[1:-1]:
        moves = arrangements[row]
        computed += len(states) * moves.size
        if computed > most:
            return None
        states, weights = _added(states, weights, moves)
    moves = arrangements[ordered[-1]]
    if computed + len(states) * moves.size > most:
        return None
    # |state + move|^2 is |state|^2 + |move|^2 + 2 state.move, of which only the last depends on the arrangement
    squares = (states**2).sum(axis=1) + int((moves[0] ** 2).sum())
    reached = squares[:, None] + 2 * (states.astype(np.float64) @ moves.T.astype(np.float64)) >= observed
    return min(1.0, float(weights @ reached.mean(axis=1)))


def n_arrangements(values: Sequence[float]) -> int:
    """In how many ways values can be arranged, of which some may be equal."""
    return factorial(len(values)) // prod(map(factorial, Counter(values).values()))


def _arrangements(values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if not values:
        yield ()
    for first in sorted(set(values)):
        at = values.index(first)
        for rest in _arrangements(values[:at] + values[at + 1 :]):
            yield (first, *rest)


def _added(states: IntArray, weights: FloatArray, moves: IntArray) -> tuple[IntArray, FloatArray]:
    """The different sums, in order, after one more row, and their probabilities."""
    reached = np.sort((states[:, None] + moves).reshape(-1, states.shape[1]), axis=1)
    order = np.lexsort(reached.T)
    reached, weights = reached[order], np.repeat(weights / len(moves), len(moves))[order]
    first = np.flatnonzero(np.append(True, (reached[1:] != reached[:-1]).any(axis=1)))
    return reached[first], np.add.reduceat(weights, first)
