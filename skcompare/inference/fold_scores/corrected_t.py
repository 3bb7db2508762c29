"""The corrected resampled t test."""

from __future__ import annotations

from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null, check_number, check_pair
from skcompare.inference._base import TTestResult, corrected_t, paired_differences


def corrected_t_test(
    a: ArrayLike, b: ArrayLike, *, test_fraction: float, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
    r"""Corrected resampled t test, for scores of any resampling of one data set.

    Training sets overlap, so the differences :math:`d = a - b` of :math:`n` splits are correlated. With the
    correlation taken as :math:`\rho = n_2 / (n_1 + n_2)`, the fraction of the samples in a test set,

    .. math:: t = \bar d \Big/ \sqrt{s_d^2 \left(\frac 1 n + \frac{\rho}{1 - \rho}\right)}

    on :math:`n - 1` degrees of freedom (Nadeau and Bengio 2003; for repeated k-fold
    cross-validation Bouckaert and Frank 2004, section 3.3).

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same splits, in any unit, larger better.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not. 0 gives the
        uncorrected paired t test.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    TTestResult
        Its interval has the same corrected variance.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, `test_fraction` is outside [0, 1) or `alternative`
        unknown.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    R. R. Bouckaert and E. Frank (2004), Evaluating the replicability of significance tests for comparing
    learning algorithms, PAKDD, LNCS 3056, 3-12, :doi:`10.1007/978-3-540-24775-3_3`.

    Examples
    --------
    >>> from skcompare.inference import corrected_t_test
    >>> a = [0.82, 0.83, 0.79, 0.84, 0.80, 0.85, 0.81, 0.83, 0.82, 0.81]
    >>> result = corrected_t_test(a, [0.80] * 10, test_fraction=1 / 10)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.02, 0.0409)
    """
    check_alternative(alternative)
    null = check_null(null)
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    return corrected_t(paired_differences(*check_pair(a, b)), fraction, alternative, null=null)
