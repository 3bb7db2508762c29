"""One-sample test of an error rate against a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from math import asin, floor, inf, log, log1p
from typing import Literal, get_args

from skcompare._core.validation import Alternative, check_alternative, check_choice, check_integer, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._kinds import RateTest
from skcompare.inference.outcomes._binomial import binomial_limits, binomial_pvalue, normal_pvalue, normal_quantile
from skcompare.inference.outcomes.proportion import check_count, wilson_limits

ErrorRateMethod = Literal["exact", "midp", "normal"]

_METHODS = {
    "exact": "error rate test, exact",
    "midp": "error rate test, mid-p",
    "normal": "error rate test, normal approximation",
}
# The usual condition on n p (1 - p) for the normal approximation to a binomial.
_ENOUGH_FOR_NORMAL = 5
# Thresholds below this one need more samples than a float can count.
_SMALLEST_THRESHOLD = 1e-300


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ErrorRateResult(RateTest):
    """Result of a test of an error rate against a threshold.

    `confidence_interval` is for the error rate, from 0 or to 1 where it is one-sided, and inverts the test: it leaves
    out `threshold` exactly when ``pvalue < 1 - confidence_level``. It is Clopper and Pearson's, its mid-p version, or
    Wilson's.

    Attributes
    ----------
    statistic : float
        The number of errors, or z of the normal method.
    pvalue : float
        In [0, 1].
    alternative : {"two-sided", "greater", "less"}
        What was tested: the error rate differs from, exceeds, falls below `threshold`.
    estimate : float
        The error rate observed, in [0, 1].
    threshold : float
        The error rate tested against, in (0, 1).
    standard_error : float
        Of `estimate` if the error rate were `threshold`.
    effect_size : float
        Cohen's h of the error rate against `threshold`, in [-pi, pi]; negative where it is below.
    n_errors, n : int
        Number of errors and of samples.
    """

    statistic: float
    pvalue: float
    alternative: str
    estimate: float
    threshold: float
    standard_error: float
    effect_size: float
    n_errors: int
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _limits(self, tail: float) -> tuple[float, float]:
        if self.method == _METHODS["normal"]:
            return wilson_limits(self.n_errors, self.n, normal_quantile(tail))
        return binomial_limits(self.n_errors, self.n, tail, midp=self.method == _METHODS["midp"])

    def n_needed(self, alpha: float = 0.05) -> int:
        """Smallest number of samples on which this test can reject at all.

        Parameters
        ----------
        alpha : float, default=0.05
            Level of the test, in (0, 1).

        Returns
        -------
        int
            For ``alternative="less"`` the number of samples without any error that gives a p-value below
            `alpha`; for ``"greater"`` the number of samples that are all errors; two-sided, the smaller of
            the two.

        Raises
        ------
        ValueError
            If `alpha` is not in (0, 1).
        """
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        return _n_needed(self.threshold, self.method, self.alternative, alpha)


def error_rate_test(
    n_errors: int, n: int, *, threshold: float, method: ErrorRateMethod = "exact", alternative: Alternative = "less"
) -> ErrorRateResult:
    r"""Test that the error rate of a model is below a threshold, from its errors on one test set.

    Under the null of an error rate :math:`p_0`, the threshold, the number of errors :math:`e` of :math:`n` is
    binomial. The exact p-value is :math:`P(X \le e)`; the mid-p value counts :math:`e` itself by half; the
    normal one refers

    .. math:: z = \frac{e / n - p_0}{\sqrt{p_0 (1 - p_0) / n}}

    to the standard normal (Alpaydin 2020, chapter 20). Two-sided p-values are twice the smaller tail.

    The test is conditional on the fitted model: it is about new samples, not about training on other data.

    Parameters
    ----------
    n_errors : int
        Number of errors, from 0 to `n`.
    n : int
        Number of independent test samples, at least 1.
    threshold : float
        The error rate to test against, in (0, 1).
    method : {"exact", "midp", "normal"}, default="exact"
        ``"exact"`` guarantees the nominal size, ``"midp"`` keeps it nearly and rejects more often.
    alternative : {"two-sided", "greater", "less"}, default="less"
        ``"less"``: the error rate is below `threshold`.

    Returns
    -------
    ErrorRateResult
        With the warning CANNOT_REJECT where `n` is too small for p < 0.05 whatever the number of errors; its
        `n_needed` says how many samples would do.

    Raises
    ------
    ValueError
        If a count is not an integer in its range, or an option is out of range.

    See Also
    --------
    fold_error_rate_test : the same question for the error rates of several folds.
    proportion_interval : intervals for an error rate without a test.

    References
    ----------
    E. Alpaydin (2020), Introduction to Machine Learning, 4th edition, MIT Press.

    H. O. Lancaster (1961), Significance tests in discrete distributions, Journal of the American Statistical
    Association 56, 223-234, :doi:`10.1080/01621459.1961.10482105`.

    Examples
    --------
    Is an error rate below 2% after 3 errors on 500 samples?

    >>> from skcompare.inference import error_rate_test
    >>> result = error_rate_test(3, 500, threshold=0.02)
    >>> round(result.estimate, 4), round(result.pvalue, 4)
    (0.006, 0.0098)
    >>> result.n_needed()
    149
    """
    check_choice(method, "method", get_args(ErrorRateMethod))
    check_alternative(alternative)
    n = check_integer(n, "n", low=1)
    errors = check_count(n_errors, "n_errors", n)
    rate = check_number(threshold, "threshold", low=_SMALLEST_THRESHOLD, high=1, closed="neither")
    standard_error = (rate * (1 - rate) / n) ** 0.5
    z = (errors / n - rate) / standard_error
    if method == "normal":
        statistic, pvalue = z, normal_pvalue(z, alternative)
    else:
        statistic, pvalue = float(errors), binomial_pvalue(errors, n, rate, alternative, midp=method == "midp")
    return ErrorRateResult(
        statistic=statistic,
        pvalue=pvalue,
        alternative=alternative,
        estimate=errors / n,
        threshold=rate,
        standard_error=standard_error,
        # Cohen (1988), chapter 6
        effect_size=2 * asin((errors / n) ** 0.5) - 2 * asin(rate**0.5),
        n_errors=errors,
        n=n,
        method=_METHODS[method],
        warnings=_warnings(n, rate, method, alternative),
    )


def _n_needed(threshold: float, method: str, alternative: str, alpha: float) -> int:
    """Smallest n whose most extreme outcome has p < alpha."""
    one_sided = alpha / 2 if alternative == "two-sided" else alpha

    def fewest(log_extreme: float, odds_against: float) -> int:
        if method == _METHODS["normal"]:
            needed = normal_quantile(min(one_sided, 0.5)) ** 2 * odds_against
        else:
            needed = log(min(1.0, one_sided * (2 if method == _METHODS["midp"] else 1))) / log_extreme
        # strictly more than needed, also where rounding has lowered it
        return floor(needed * (1 + 1e-12)) + 1

    # all correct, each with probability 1 - threshold; all wrong, each with probability threshold
    all_correct = fewest(log1p(-threshold), (1 - threshold) / threshold) if alternative != "greater" else inf
    all_wrong = fewest(log(threshold), threshold / (1 - threshold)) if alternative != "less" else inf
    return int(min(all_correct, all_wrong))


def _warnings(n: int, threshold: float, method: str, alternative: str) -> tuple[CodedWarning, ...]:
    warnings = []
    needed = _n_needed(threshold, _METHODS[method], alternative, 0.05)
    if n < needed:
        warnings.append(
            Code.CANNOT_REJECT(
                f"{counted(n, 'sample')} cannot give p < 0.05 against the threshold {threshold:g}, whatever the "
                f"number of errors; {needed} can."
            )
        )
    if method == "normal" and n * threshold * (1 - threshold) < _ENOUGH_FOR_NORMAL:
        warnings.append(
            Code.SMALL_SAMPLE(
                f"the normal approximation is in doubt, as n * threshold * (1 - threshold) is "
                f"{n * threshold * (1 - threshold):.3g}, below {_ENOUGH_FOR_NORMAL}; use 'exact' or 'midp'."
            )
        )
    return tuple(warnings)
