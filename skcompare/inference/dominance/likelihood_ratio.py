"""The likelihood-ratio test for the most probable dominance statement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core.numbers import counted
from skcompare._core.validation import Alternative, FloatArray, Names, check_alternative, check_names
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._distributions import probabilities_largest, upper_tail
from skcompare.inference._kinds import ConfidenceInterval, HasInterval, OfModels, interval_for, interval_tail
from skcompare.inference._records import won_or_level
from skcompare.inference._sentences import Difference
from skcompare.inference.dominance import statements
from skcompare.inference.dominance.posterior import TIED
from skcompare.inference.outcomes.proportions import binomial_limits, binomial_pvalue
from skcompare.inference.outcomes.samples import batches

# Counts that differ by less than this fraction differ by the rounding of the effective number of cases only.
EQUAL = 1e-9


class DominanceTestResult(statements.OfStatements, eq=False):
    """Result of the likelihood-ratio test for a dominance statement over several metrics.

    A statement is a tuple of booleans, one per metric, True where `a` is better. Statement ``k`` of the
    ``2**m`` is the binary number whose most significant bit is the first metric. `str` gives it in words.

    Attributes
    ----------
    statement : tuple of bool or None
        The statement tested: the most frequent one, or the one fixed in advance; None where the two
        largest counts are equal, so that no statement stands out.
    counts : ndarray of shape (2**m,)
        Cases per statement, real where ties were split or folds were corrected for.
    n_effective : float
        Sum of `counts`: the number of independent cases they are worth.
    n : float
        Number of cases before the correction.
    statistic : float
        Twice the log likelihood ratio, at least 0.
    pvalue : float
        The one to decide on: exact on independent cases, mid-p on effective cases.
    pvalue_chi2 : float
        From the asymptotic chi-squared distribution with one degree of freedom.
    pvalue_exact : float
        Winner against runner-up, binomial; valid although both were chosen by the data.
    pvalue_midp : float
        The same with half the probability of the observed count.
    effect_size : float
        Difference of the two proportions, in [-1, 1].
    n_winner, n_runner_up : float
        Counts of the statement tested and of the most frequent other one.
    fixed : bool
        Whether the statement was fixed in advance, and the test one-sided.
    decided_on : {"exact", "midp"}
        Which p-value `pvalue` is.
    metrics : tuple of str
        Names of the metrics, in the order of a statement.
    """

    n: float
    statistic: float
    pvalue: float
    pvalue_chi2: float
    pvalue_exact: float
    pvalue_midp: float
    effect_size: float
    n_winner: float
    n_runner_up: float
    fixed: bool
    decided_on: str
    _kind = statements.Pattern("frequent", shown={"dominance test p": "pvalue"})

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval for the share of the statement tested among the cases that went to it or to the runner-up.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            In [0, 1]; it inverts the deciding p-value, so that it leaves out 1/2 exactly when
            ``pvalue < 1 - confidence_level``: Clopper and Pearson's on independent cases, its mid-p version on
            effective ones, one-sided for a statement fixed in advance. Its lower limit holds although the data
            chose both statements (Hung and Fithian 2019).

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        side = "greater" if self.fixed else "two-sided"
        tail, midp = interval_tail(confidence_level, side), self.decided_on == "midp"
        limits = binomial_limits(self.n_winner, self.n_winner + self.n_runner_up, tail, midp=midp)
        return interval_for(side, *limits, (0.0, 1.0))


def dominance_test(
    counts: ArrayLike,
    n_effective: float | None = None,
    statement: Sequence[bool] | None = None,
    *,
    metrics: Names = None,
) -> DominanceTestResult:
    r"""Likelihood-ratio test that one dominance statement is more probable than every other.

    With :math:`n_a` the largest and :math:`n_b` the second largest count,

    .. math:: T = 2 \left[n_a \ln n_a + n_b \ln n_b - (n_a + n_b) \ln \tfrac{n_a + n_b}{2}\right]

    is referred to :math:`\chi^2_1` (Benavoli and de Campos 2016, section 3). That p-value is asymptotic: it
    calls three unanimous cases significant. Conditional on :math:`n_a + n_b` the two-sided binomial test of
    winner against runner-up is valid for any number of cases, although the data chose both (Hung and Fithian
    2019); it and its mid-p version stand beside it.

    Parameters
    ----------
    counts : array_like of shape (2**m,)
        Cases per statement for m metrics, from `dominance_counts`; at least 0, real numbers allowed.
    n_effective : float, optional
        Number of independent cases that the counts are worth, at most their sum: `effective_cases` for the
        folds of one data set. The default takes every case for independent.
    statement : sequence of m bool, optional
        A statement fixed before the data was seen, tested one-sided against the largest of the others. The
        default tests the most frequent one.
    metrics : sequence of str, optional
        Names of the m metrics, for the record.

    Returns
    -------
    DominanceTestResult
        `pvalue` is the exact one on independent cases, and the mid-p one when `n_effective` is given.
        `statement` is None, and every p-value 1, where the two largest counts are equal.

    Raises
    ------
    ValueError
        If `counts` has not ``2**m`` finite, non-negative entries, `n_effective` exceeds their sum, or
        `statement` or `metrics` has not m entries.

    References
    ----------
    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    K. Hung and W. Fithian (2019), Rank verification for exponential families, Annals of Statistics 47(2),
    758-782, :doi:`10.1214/17-AOS1634`.

    Examples
    --------
    The paper's Example 1, two metrics on twelve data sets:

    >>> from skcompare.inference import dominance_test
    >>> result = dominance_test([1, 2, 3, 6])
    >>> result.statement
    (True, True)
    >>> round(result.pvalue_chi2, 4), round(result.pvalue_exact, 4)
    (0.3127, 0.5078)
    >>> print(dominance_test([1, 2, 3, 6], metrics=["accuracy", "time"]))
    The most frequent pattern of wins, a better than b on both metrics, is not significantly more frequent
    than every other one: dominance test p = 0.508.
    Method: dominance likelihood-ratio test.
    """
    raw, m = statements.check_counts(counts)
    names = check_names(metrics, m, "metrics", "metric")
    scaled = statements.scale_counts(raw, n_effective)
    fixed = None if statement is None else statements.statement_index(statement, m)
    candidate = int(scaled.argmax()) if fixed is None else fixed
    n_a, n_b = float(scaled[candidate]), float(np.delete(scaled, candidate).max())
    winner: tuple[bool, ...] | None = statements.statement_of(candidate, m)
    if abs(n_a - n_b) <= EQUAL * max(n_a, n_b):
        n_b, winner = n_a, None if fixed is None else winner
    statistic = 0.0
    if n_a > n_b:  # Benavoli and de Campos (2016), section 3: -2 log lambda, with 0 log 0 = 0
        r = (n_a - n_b) / (n_a + n_b)  # in which nearly equal large counts do not cancel
        statistic = (n_a + n_b) * float(special.xlog1py(1 + r, r) + special.xlog1py(1 - r, -r))
    chi2, exact, midp = _pvalues(statistic, n_a, n_b, one_sided=fixed is not None)
    total = float(scaled.sum())
    return DominanceTestResult(
        statement=winner,
        counts=scaled,
        n_effective=total,
        n=float(raw.sum()),
        statistic=statistic,
        pvalue=exact if n_effective is None else midp,
        pvalue_chi2=chi2,
        pvalue_exact=exact,
        pvalue_midp=midp,
        effect_size=(n_a - n_b) / total if total else 0.0,
        n_winner=n_a,
        n_runner_up=n_b,
        fixed=fixed is not None,
        decided_on="exact" if n_effective is None else "midp",
        metrics=names,
        method="dominance likelihood-ratio test"
        + ("" if fixed is None else ", statement fixed in advance")
        + ("" if n_effective is None else f", {total:.3g} effective case{'s' * (float(total) != 1)}"),
        warnings=(
            *statements.tied_metrics(raw, names),
            *case_warnings(raw, total, raw, folds=n_effective is not None, fixed=fixed is not None),
        ),
    )


def _pvalues(statistic: float, n_a: float, n_b: float, *, one_sided: bool) -> tuple[float, float, float]:
    """The chi-squared, exact and mid-p p-values; real counts go through the incomplete beta function."""
    sides = 1 if one_sided else 2
    if n_a == n_b == 0 or (n_a == n_b and not one_sided):
        return 1.0, 1.0, 1.0
    chi2 = float(special.chdtrc(1, statistic)) * sides / 2 if n_a > n_b else 1.0
    exact, midp = upper_tail(n_a, n_a + n_b, 0.5, midp=False), upper_tail(n_a, n_a + n_b, 0.5, midp=True)
    return chi2, min(1.0, sides * float(exact)), min(1.0, sides * float(midp))


def case_warnings(
    raw: FloatArray, n_cases: float, tested: FloatArray, *, folds: bool, fixed: bool
) -> Iterator[CodedWarning]:
    """Reasons to doubt a binomial test of those counts, among all, that are `tested`."""
    if raw.sum() == 0:
        yield Code.TOO_LITTLE_DATA("there are no cases.")
    elif smallest_pvalue(n_cases, folds=folds, fixed=fixed) > 0.05:
        enough = next(n for n in count(1) if smallest_pvalue(n, folds=folds, fixed=fixed) <= 0.05)
        few = f"{counted(f'{n_cases:.3g}', 'independent case')} cannot give p < 0.05, even if all agree"
        yield Code.CANNOT_REJECT(f"{few}; {enough} can.")
    if not folds and np.any(tested != np.floor(tested)):
        yield Code.APPROXIMATE("ties were split, so the counts are real and the exact p-value is interpolated.")


@lru_cache(maxsize=4096)  # of a table all pairs may share one
def smallest_pvalue(n_effective: float, *, folds: bool, fixed: bool = False) -> float:
    """The deciding p-value if all `n_effective` cases agreed."""
    exact, midp = _pvalues(0.0, n_effective, 0.0, one_sided=fixed)[1:]
    return midp if folds else exact


# The full-dominance test: which model is more often the better one on all metrics at once.


class FullDominanceResult(HasInterval, OfModels):
    """Result of the test that one model is more often better on all metrics than the other.

    `confidence_interval` is for the share of `a` among the cases on which one model is better on all metrics, in [0,
    1]. It inverts the deciding p-value, so that it leaves out 1/2 exactly when ``pvalue < 1 - confidence_level``:
    Clopper and Pearson's on independent cases, its mid-p version on effective ones.

    Attributes
    ----------
    n_a, n_b : float
        Cases on which `a` is better on all metrics, and on which `b` is; at least 0, real where ties were split or
        folds were corrected for.
    estimate : float
        Share of the cases that went to `a` less the share that went to `b`, in [-1, 1].
    pvalue : float
        The one to decide on, in [0, 1]: exact on independent cases, mid-p on effective cases.
    pvalue_exact : float
        From the binomial distribution of `n_a` given ``n_a + n_b``.
    pvalue_midp : float
        The same with half the probability of the observed count.
    alternative : {"two-sided", "greater", "less"}
        What was tested: `a` is better on all metrics not as often as `b`, more often, less often.
    n_effective : float
        The number of independent cases that all cases, with or without full dominance, are worth.
    n : float
        Number of cases before the correction.
    decided_on : {"exact", "midp"}
        Which p-value `pvalue` is.
    """

    n_a: float
    n_b: float
    estimate: float
    pvalue: float
    pvalue_exact: float
    pvalue_midp: float
    alternative: str
    n_effective: float
    n: float
    decided_on: str
    _kind = Difference(
        ("more often better on all metrics", ""),
        every=True,
        shown={"cases for {a}": "n_a", "cases for {b}": "n_b", "of": "n_effective", "p": "pvalue"},
    )

    _RANGE = (0.0, 1.0)

    def _limits(self, tail: float) -> tuple[float, float]:
        midp = self.decided_on == "midp"
        if self.n_a == self.n_b == 0:
            return self._RANGE
        return binomial_limits(self.n_a, self.n_a + self.n_b, tail, midp=midp)


def full_dominance_test(
    counts: ArrayLike, n_effective: float | None = None, *, alternative: Alternative = "two-sided"
) -> FullDominanceResult:
    r"""Exact test that one model is more often better on all metrics than the other.

    With :math:`n_a` cases on which `a` is better on all metrics and :math:`n_b` on which `b` is, the null hypothesis
    that both are equally probable, which holds where the two models may be exchanged case by case, gives

    .. math:: n_a \mid n_a + n_b \sim \mathrm{Bin}(n_a + n_b, \tfrac 1 2)

    whatever the dependence between the metrics (the sign test, on full dominance). Cases on which either model is
    better on some metric play no part, so that a small p-value does not say that full dominance is frequent:
    `estimate` does.

    Parameters
    ----------
    counts : array_like of shape (2**m,)
        Cases per statement for m metrics, from `dominance_counts`; at least 0, real numbers allowed.
    n_effective : float, optional
        Number of independent cases that the counts are worth, at most their sum: `effective_cases` for the folds of
        one data set. The default takes every case for independent.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better on all metrics more often than `b`.

    Returns
    -------
    FullDominanceResult
        `pvalue` is the exact one on independent cases, and the mid-p one when `n_effective` is given. It is 1 where
        there is no case of full dominance.

    Raises
    ------
    ValueError
        If `counts` has not ``2**m`` finite, non-negative entries, `n_effective` exceeds their sum, or `alternative`
        is unknown.

    See Also
    --------
    dominance_test : whether one of all ``2**m`` statements is more probable than every other.
    intersection_union_test : one model is better on all metrics, each on average.

    References
    ----------
    W. J. Dixon and A. M. Mood (1946), The statistical sign test, JASA 41(236), 557-566,
    :doi:`10.1080/01621459.1946.10501898`.

    A. Benavoli and C. P. de Campos (2016), Statistical tests for joint analysis of performance measures,
    AMBN 2015, LNCS 9505, 76-92, :doi:`10.1007/978-3-319-28379-1_6`.

    Examples
    --------
    Two metrics on twelve data sets, on six of which `a` is better on both and on one of which `b` is:

    >>> from skcompare.inference import full_dominance_test
    >>> result = full_dominance_test([1, 2, 3, 6])
    >>> result.pvalue, round(result.estimate, 4)
    (0.125, 0.4167)
    """
    check_alternative(alternative)
    raw, _ = statements.check_counts(counts)
    scaled = statements.scale_counts(raw, n_effective)
    total, n_a, n_b = float(scaled.sum()), float(scaled[-1]), float(scaled[0])
    exact, midp = 1.0, 1.0
    if n_a != n_b or (n_a and alternative != "two-sided"):
        exact, midp = (float(binomial_pvalue(n_a, n_a + n_b, 0.5, alternative, midp=midp)) for midp in (False, True))
    return FullDominanceResult(
        n_a=n_a,
        n_b=n_b,
        estimate=(n_a - n_b) / total if total else 0.0,
        pvalue=exact if n_effective is None else midp,
        pvalue_exact=exact,
        pvalue_midp=midp,
        alternative=alternative,
        n_effective=total,
        n=float(raw.sum()),
        decided_on="exact" if n_effective is None else "midp",
        method="full-dominance test"
        + ("" if n_effective is None else f", {total:.3g} effective case{'s' * (float(total) != 1)}"),
        warnings=tuple(
            case_warnings(raw, total, raw[[0, -1]], folds=n_effective is not None, fixed=alternative != "two-sided")
        ),
    )


# Dominance tests and posteriors of many pairs of models at once: the numbers of one pair after the other.

Positions = NDArray[np.intp]


class ManyDominance(NamedTuple):
    """What `dominance_test` and `dominance_posterior` find for many pairs.

    Attributes
    ----------
    statement, most_probable : ndarray of int of shape (n_pairs,)
        Indexes of statements, -1 where there is none.
    pvalue, probability, n_effective : ndarray of shape (n_pairs,)
        The mid-p value, the largest posterior probability, and the sum of the scaled counts.
    tied : ndarray of bool of shape (n_pairs,)
        Whether as many cases speak for either side on some metric, of which the procedures tell more.
    """

    statement: Positions
    pvalue: FloatArray
    most_probable: Positions
    probability: FloatArray
    n_effective: FloatArray
    tied: NDArray[np.bool_]


def many_dominance(
    scores: FloatArray, a: Positions, b: Positions, n_effective: float, rope: Sequence[float]
) -> ManyDominance:
    """Of pairs of models, of which `a` and `b` are the rows in finite scores (n_models, n_cases, n_metrics)."""
    n, m = scores.shape[1:]
    columns = [np.ascontiguousarray(scores[:, :, j]) for j in range(m)]
    parts = [_of_some(columns, a[rows], b[rows], n_effective, rope) for rows in batches(len(a), max(n, 3**m))]
    return ManyDominance(*map(np.concatenate, zip(*parts, strict=True)))


def _of_some(
    columns: Sequence[FloatArray], a: Positions, b: Positions, n_effective: float, rope: Sequence[float]
) -> ManyDominance:
    raw = statements.pattern_counts(won_or_level(x[a], x[b], tie) for x, tie in zip(columns, rope, strict=True))
    scaled, statement, pvalue = most_frequent(raw, n_effective)
    probabilities = probabilities_largest(scaled + 1 / raw.shape[1])
    second, largest = np.partition(probabilities, -2, axis=1)[:, -2:].T
    cells = raw.reshape(len(a), *(2,) * len(columns))
    rest = tuple(range(1, len(columns)))
    halves = ((cells.take(0, axis=j + 1), cells.take(1, axis=j + 1)) for j in range(len(columns)))
    tied = np.any([(lost == won).all(axis=rest) for lost, won in halves], axis=0)
    most_probable = np.where(second >= largest - TIED, -1, probabilities.argmax(axis=1))
    return ManyDominance(statement, pvalue, most_probable, largest, scaled.sum(axis=1), tied)


def most_frequent(counts: FloatArray, n_effective: float) -> tuple[FloatArray, Positions, FloatArray]:
    """Scaled counts of the statements of pairs, the most frequent one, -1 where none is, and its mid-p value."""
    scaled = counts * (n_effective / counts.sum(axis=1))[:, None]
    n_b, n_a = np.partition(scaled, -2, axis=1)[:, -2:].T
    level = np.abs(n_a - n_b) <= EQUAL * np.maximum(n_a, n_b)
    statement, n_b = np.where(level, -1, scaled.argmax(axis=1)), np.where(level, n_a, n_b)
    midp = np.minimum(1.0, 2 * upper_tail(n_a, n_a + n_b, 0.5, midp=True))
    return scaled, statement, np.where(n_a == n_b, 1.0, midp)
