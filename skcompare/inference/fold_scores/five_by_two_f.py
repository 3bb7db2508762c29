"""Alpaydin's combined 5x2cv F test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_pair
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import FTestResult, check_f_alternative, f_pvalue, paired_differences, zero_variance
from skcompare.inference.fold_scores.five_by_two_t import repeat_std


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
