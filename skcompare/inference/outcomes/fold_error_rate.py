"""One-sample t test of the error rates of folds against a threshold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_number, check_scores
from skcompare._core.warnings import CodedWarning
from skcompare.inference._base import corrected_t, paired_differences
from skcompare.inference._kinds import RateTest
from skcompare.inference._student_t import t_limits


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FoldErrorRateResult(RateTest):
    """Result of a t test of the error rates of folds against a threshold.

    `confidence_interval` is for the error rate, within [0, 1], and inverts the test: it leaves out `threshold` exactly
    when ``pvalue < 1 - confidence_level``.

    Attributes
    ----------
    statistic : float
        ``(estimate - threshold) / standard_error``; infinite where all error rates are equal and not
        `threshold`.
    pvalue : float
        In [0, 1]; nan only with fewer than two folds.
    df : float
        Degrees of freedom, the number of folds minus 1; nan only with fewer than two folds.
    alternative : {"two-sided", "greater", "less"}
        What was tested: the error rate differs from, exceeds, falls below `threshold`.
    estimate : float
        Mean error rate of the folds, in [0, 1].
    threshold : float
        The error rate tested against, in (0, 1).
    standard_error : float
        Of `estimate`, with the variance corrected for the overlap of the training sets.
    effect_size : float
        Cohen's d of the folds, ``estimate - threshold`` over their standard deviation; nan where it is not
        defined.
    n : int
        Number of folds.
    """

    statistic: float
    pvalue: float
    df: float
    alternative: str
    estimate: float
    threshold: float
    standard_error: float
    effect_size: float
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _limits(self, tail: float) -> tuple[float, float]:
        low, high = np.clip(t_limits(self.estimate, self.standard_error, self.df, tail), 0, 1).tolist()
        return low, high


def fold_error_rate_test(
    error_rates: ArrayLike, *, threshold: float, test_fraction: float, alternative: Alternative = "less"
) -> FoldErrorRateResult:
    r"""Test that the error rate of an algorithm is below a threshold, from its error rates on several folds.

    With the mean :math:`\bar p` and the standard deviation :math:`s` of the error rates of :math:`n` folds,

    .. math:: t = (\bar p - p_0) \Big/ \sqrt{s^2 \left(\frac 1 n + \frac{\rho}{1 - \rho}\right)}

    on :math:`n - 1` degrees of freedom, where :math:`\rho` is the fraction of the samples in a test set: the
    one-sample t test (Alpaydin 2020, chapter 20) with the variance of Nadeau and Bengio (2003), as training
    sets overlap. It is about the algorithm trained on samples of that size, not about one fitted model. Also on one run
    of k-fold it takes the whole correction, unlike the tests of two models, as the intervals of own scores do.

    Parameters
    ----------
    error_rates : array_like of shape (n,) or (n_repeats, n_folds)
        Error rate of each fold, in [0, 1].
    threshold : float
        The error rate to test against, in (0, 1).
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not. 0 gives the plain t
        test, for error rates of independent samples.
    alternative : {"two-sided", "greater", "less"}, default="less"
        ``"less"``: the error rate is below `threshold`.

    Returns
    -------
    FoldErrorRateResult
        Where all error rates are equal, the p-value is 1 for `threshold` and 0, with the warning
        ZERO_VARIANCE, for others (one-sided, on the side of the alternative). With fewer than two folds it is
        nan, with the warning TOO_FEW.

    Raises
    ------
    ValueError
        If the error rates are not in [0, 1], or an option is out of range.

    See Also
    --------
    error_rate_test : the same question for the errors of one fitted model on one test set.

    References
    ----------
    E. Alpaydin (2020), Introduction to Machine Learning, 4th edition, MIT Press.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import fold_error_rate_test
    >>> rates = [0.01, 0.02, 0, 0.015, 0.01, 0.005, 0.02, 0.01, 0, 0.01]
    >>> result = fold_error_rate_test(rates, threshold=0.02, test_fraction=1 / 10)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.01, 0.0066)
    """
    check_alternative(alternative)
    rate = check_number(threshold, "threshold", low=0, high=1, closed="neither")
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    rates = _check_rates(error_rates)
    differences = paired_differences(rates, np.full_like(rates, rate))
    result = corrected_t(differences, fraction, alternative, name="fold error rate t test")
    return FoldErrorRateResult(
        statistic=result.statistic,
        pvalue=result.pvalue,
        df=result.df,
        alternative=alternative,
        estimate=rate + result.estimate,
        threshold=rate,
        standard_error=result.standard_error,
        effect_size=result.effect_size,
        n=result.n,
        method=result.method,
        warnings=result.warnings,
    )


def _check_rates(error_rates: ArrayLike) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    rates = check_scores(error_rates, "error_rates")
    outside = np.flatnonzero((rates < 0) | (rates > 1))
    if len(outside):
        raise ValueError(f"error_rates must be in [0, 1]; got {rates.flat[outside[0]]:g} at position {outside[0]}")
    return rates
