"""The paired t test over data sets."""

from __future__ import annotations

from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null, check_pair
from skcompare._core.warnings import Code
from skcompare.inference._base import TTestResult, paired_differences, t_test

COMMENSURABLE = Code.COMMENSURABLE(
    "the t test takes differences on different data sets for values on one scale, and a single outlier "
    "among them can decide it; the signed-rank test is safer."
)


def dataset_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
    r"""Paired t test of two models over independent data sets.

    With :math:`d = a - b` on N data sets and :math:`s_d` the standard deviation of the differences,

    .. math:: t = \frac{\bar d \sqrt N}{s_d}

    on N - 1 degrees of freedom. Demsar (2006, section 3.1.2) warns of it: the differences must be commensurable,
    normal for few data sets, and free of outliers.

    Parameters
    ----------
    a, b : array_like of shape (n_datasets,)
        One score per data set, larger better.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Its warnings repeat Demsar's.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, or `alternative` is unknown.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    >>> from skcompare.inference import dataset_t_test
    >>> result = dataset_t_test([0.92, 0.90, 0.91, 0.93, 0.91], [0.90, 0.90, 0.92, 0.90, 0.89])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.633, 0.1778)
    """
    check_alternative(alternative)
    null = check_null(null)
    d = paired_differences(*check_pair(a, b, ndim=(1,)))
    n = d.values.size
    return t_test(
        d,
        standard_error=d.std / n**0.5,
        df=float(n - 1),
        alternative=alternative,
        null=null,
        method="paired t test over data sets",
        warnings=(COMMENSURABLE,),
    )
