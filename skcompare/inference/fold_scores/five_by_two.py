"""Dietterich's 5x2cv paired t test."""

from __future__ import annotations

from numbers import Real

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_hypothesis, check_number, check_pair
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._records import (
    Differences,
    FTestResult,
    TTestResult,
    check_f_alternative,
    f_pvalue,
    paired_differences,
    power_of_two,
    t_test,
    zero_variance,
)


def five_by_two_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
    r"""5x2cv paired t test.

    With :math:`p_i^{(j)}` the difference ``a - b`` in repeat :math:`i`, fold :math:`j`, and :math:`s_i^2` the
    sum of squares of the two differences of repeat :math:`i` around their mean,

    .. math:: t = p_1^{(1)} \Big/ \sqrt{\tfrac 1 5 \sum_{i=1}^5 s_i^2}

    on 5 degrees of freedom (Dietterich 1998). Its numerator is the difference of the first fold
    alone: the result depends on the order of the folds.

    Parameters
    ----------
    a, b : array_like of shape (5, 2)
        Scores of the two models on the same folds, larger better; a row is one repeat of 2-fold.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        `estimate`, and the interval around it, is the first fold's difference; the mean of all ten is
        `mean_difference`.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of shape (5, 2), or `alternative` is unknown.

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
    algorithms, Neural Computation 10(7), 1895-1923, :doi:`10.1162/089976698300017197`.

    Examples
    --------
    >>> from skcompare.inference import five_by_two_t_test
    >>> a = [[0.83, 0.81], [0.82, 0.84], [0.80, 0.82], [0.85, 0.81], [0.82, 0.82]]
    >>> result = five_by_two_t_test(a, [[0.80, 0.80]] * 5)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.7928, 0.133)
    """
    against = check_hypothesis(alternative, null)
    d = paired_differences(*check_pair(a, b, ndim=(2,), shape=(5, 2)))
    return t_test(
        d,
        standard_error=repeat_std(d),
        df=5.0,
        against=against,
        method="5x2cv paired t test",
        estimate=float(d.values[0, 0]),
    )


def repeat_std(d: Differences) -> float:
    """Root mean square of Dietterich's s_i; 0 where the folds of no repeat differ by more than rounding."""
    gaps = d.values[:, 0] - d.values[:, 1]
    if np.abs(gaps).max() <= d.noise:
        return 0.0
    unit = power_of_two(gaps)
    # two values around their mean: s_i^2 = (p1 - p2)^2 / 2
    return float((((gaps / unit) ** 2).mean() / 2) ** 0.5 * unit)


# Alpaydin's combined 5x2cv F test.


def five_by_two_f_test(a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided") -> FTestResult:
    r"""Combined 5x2cv F test.

    With :math:`p_i^{(j)}` and :math:`s_i^2` as in :func:`five_by_two_t_test`,

    .. math:: f = \sum_{i=1}^5 \sum_{j=1}^2 \left(p_i^{(j)}\right)^2 \Big/ \left(2 \sum_{i=1}^5 s_i^2\right)

    on 10 and 5 degrees of freedom (Alpaydin 1999). Unlike the 5x2cv t test it does not depend on
    the order of the folds.

    Parameters
    ----------
    a, b : array_like of shape (5, 2)
        Scores of the two models on the same folds, larger better; a row is one repeat of 2-fold.
    alternative : {"two-sided"}, default="two-sided"
        An F test has no direction; no other value is accepted.

    Returns
    -------
    FTestResult
        `estimate` is the mean of all ten differences; there is no interval.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of shape (5, 2), or `alternative` is one-sided.

    References
    ----------
    E. Alpaydin (1999), Combined 5x2 cv F test for comparing supervised classification learning algorithms,
    Neural Computation 11(8), 1885-1892, :doi:`10.1162/089976699300016007`.

    Examples
    --------
    >>> from skcompare.inference import five_by_two_f_test
    >>> a = [[0.83, 0.81], [0.82, 0.84], [0.80, 0.82], [0.85, 0.81], [0.82, 0.82]]
    >>> result = five_by_two_f_test(a, [[0.80, 0.80]] * 5)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (2.4286, 0.1697)
    """
    check_f_alternative(alternative, "five_by_two_f_test")
    d = paired_differences(*check_pair(a, b, ndim=(2,), shape=(5, 2)))
    spread = repeat_std(d)
    warnings: tuple[CodedWarning, ...] = ()
    if spread == 0:
        differ = bool(np.abs(d.values).max() > d.noise)
        statistic, pvalue = (np.inf, 0.0) if differ else (0.0, 1.0)
        same = Code.ZERO_VARIANCE("the two differences of every repeat are equal.")
        warnings = (same if differ else zero_variance(0.0),)
    else:
        # Alpaydin (1999): the denominator 2 * sum of s_i^2 is 10 * spread^2
        statistic = float(((d.values / spread) ** 2).sum()) / 10
        pvalue = f_pvalue(statistic, (10.0, 5.0))
    return FTestResult(
        statistic=statistic,
        pvalue=pvalue,
        df=(10.0, 5.0),
        alternative=alternative,
        estimate=d.mean,
        effect_size=d.effect_size,
        n=d.values.size,
        method="combined 5x2cv F test",
        warnings=warnings,
    )


# The t test on blocked m x 2 cross-validation.


CONSERVATIVE = Code.NOT_AT_LEVEL(
    "the mean of all differences is taken to vary as much as one of them, which holds for strongly "
    "correlated partitions only: true nulls are rejected less often than the level says, and true differences missed."
)


def blocked_m_by_two_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    fold_correlation: tuple[float, float] | None = None,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> TTestResult:
    r"""Cross-validated t test on blocked m x 2 halves.

    The data are halved m times, each half trains once and is tested once, and the training sets of any two
    partitions share a quarter of the data: see `BlockedMByTwo`. With :math:`\bar d` the mean of the 2m differences
    and :math:`V` their mean squared deviation from it (divisor 2m), :math:`t = \bar d / (C_m \sqrt V)`. By default
    :math:`C_m = 1` on :math:`2m - 1` degrees of freedom (Wang, Wang, Jia and Li 2014 for m = 3). With correlations
    :math:`\rho_1` of the two differences of a partition and :math:`\rho_2` of those of different partitions,

    .. math::

        C_m^2 = \frac{1 + \rho_1 + 2 (m - 1) \rho_2}{2m - 1 - \rho_1 - 2 (m - 1) \rho_2}, \qquad
        f_m = \frac{(2m - 1 - \rho_1 - 2 (m - 1) \rho_2)^2}{m (1 - \rho_1)^2 + (m - 1) (1 + \rho_1 - 2 \rho_2)^2}

    with :math:`f_m` the degrees of freedom by Satterthwaite's approximation. Both correlations 0 give the paired t
    test.

    Parameters
    ----------
    a, b : array_like of shape (m, 2)
        Scores of the two models on the same halves, larger better; a row is one partition.
    fold_correlation : tuple of two floats, optional
        :math:`\rho_1` and :math:`\rho_2`, each in (-1, 1), such that 2m differences can have them. The default
        makes no use of them.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Without `fold_correlation` with a warning: the test is conservative.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of shape (m, 2), `fold_correlation` is not a pair of possible
        correlations, or `alternative` is unknown.

    References
    ----------
    Y. Wang, R. Wang, H. Jia and J. Li (2014), Blocked 3x2 cross-validated t-test for comparing supervised
    classification learning algorithms, Neural Computation 26(1), 208-235, :doi:`10.1162/NECO_a_00532`.

    Examples
    --------
    >>> from skcompare.inference import blocked_m_by_two_test
    >>> a = [[0.83, 0.81], [0.82, 0.84], [0.80, 0.82]]
    >>> result = blocked_m_by_two_test(a, [[0.80, 0.80]] * 3)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.5492, 0.182)
    """
    against = check_hypothesis(alternative, null)
    x, y = check_pair(a, b, ndim=(2,))
    if x.shape[1] != 2:
        raise ValueError(f"a and b must have shape (m, 2), a row per partition; got {x.shape}")
    m = x.shape[0]
    ratio, df = (1.0, 2.0 * m - 1) if fold_correlation is None else _correlated(fold_correlation, m)
    d = paired_differences(x, y)
    return t_test(
        d,
        # the square root of V: the divisor is 2m
        standard_error=ratio**0.5 * d.std * ((2 * m - 1) / (2 * m)) ** 0.5,
        df=df,
        against=against,
        method=f"blocked {m}x2 cross-validated t test",
        warnings=(CONSERVATIVE,) if fold_correlation is None else (),
    )


def _correlated(fold_correlation: tuple[float, float], m: int) -> tuple[float, float]:
    """The square of C_m, and f_m."""
    try:
        within, across = fold_correlation
    except (TypeError, ValueError) as error:
        raise ValueError(f"fold_correlation must be a pair of numbers; got {fold_correlation!r}") from error
    if not isinstance(within, Real) or not isinstance(across, Real):
        raise ValueError(f"fold_correlation must be a pair of numbers; got {fold_correlation!r}")
    within = check_number(within, "fold_correlation", low=-1, high=1, closed="neither")
    across = check_number(across, "fold_correlation", low=-1, high=1, closed="neither")
    # eigenvalues of the correlation matrix: of the mean, of the means of partitions, of the differences within them
    mean, partitions = 1 + within + 2 * (m - 1) * across, 1 + within - 2 * across
    if mean <= 0 or (m > 1 and partitions < 0):
        raise ValueError(
            f"fold_correlation must be possible for {2 * m} differences; got {fold_correlation!r}, with which a "
            "variance would be negative"
        )
    deviations = 2 * m - mean
    df = deviations**2 / (m * (1 - within) ** 2 + (m - 1) * partitions**2)
    return mean / deviations, df
