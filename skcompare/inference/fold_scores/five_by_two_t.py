"""Dietterich's 5x2cv paired t test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null, check_pair
from skcompare.inference._base import Differences, TTestResult, paired_differences, power_of_two, t_test


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
    check_alternative(alternative)
    null = check_null(null)
    d = paired_differences(*check_pair(a, b, ndim=(2,), shape=(5, 2)))
    return t_test(
        d,
        standard_error=repeat_std(d),
        df=5.0,
        alternative=alternative,
        null=null,
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
