"""The paired t test that takes folds for independent."""

from __future__ import annotations

from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null, check_pair
from skcompare._core.warnings import Code
from skcompare.inference._base import TTestResult, paired_differences, t_test

TOO_LIBERAL = Code.TOO_LIBERAL(
    "the folds are taken for independent, and they are not: true nulls are rejected in about "
    "10% of cases on 10 folds and in more than 50% on 10x10 folds at a nominal 5%. Use k_fold_t_test on one run "
    "of folds, corrected_t_test on others."
)


def paired_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
    r"""Paired t test on fold scores, kept as a reference: it rejects too often.

    With :math:`d = a - b` over :math:`n` folds and :math:`s_d` the standard deviation of the differences,

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 / n}

    on :math:`n - 1` degrees of freedom (Dietterich 1998, "k-fold cross-validated paired t test"; over random splits,
    his "resampled paired t test").

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same folds, in any unit, larger better.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        With a warning: the test takes the folds for independent.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, or `alternative` is unknown.

    See Also
    --------
    corrected_t_test : the same with the correlation between folds allowed for.

    References
    ----------
    Student (1908), The probable error of a mean, Biometrika 6(1), 1-25, :doi:`10.1093/biomet/6.1.1`.

    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification learning
    algorithms, Neural Computation 10(7), 1895-1923, :doi:`10.1162/089976698300017197`.

    Examples
    --------
    >>> from skcompare.inference import paired_t_test
    >>> result = paired_t_test([0.92, 0.90, 0.91, 0.93, 0.91], [0.90, 0.90, 0.92, 0.90, 0.89])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.633, 0.1778)
    """
    check_alternative(alternative)
    null = check_null(null)
    d = paired_differences(*check_pair(a, b))
    n = d.values.size
    return t_test(
        d,
        standard_error=d.std / n**0.5,
        df=float(n - 1),
        alternative=alternative,
        null=null,
        method="paired t test",
        warnings=(TOO_LIBERAL,),
    )
