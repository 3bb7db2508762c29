"""Intervals for a proportion, such as an accuracy on independent samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import asin, floor, inf, log, log1p
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core import validation
from skcompare._core.numbers import counted
from skcompare._core.validation import Alternative
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._distributions import lower_tail, t_limits, upper_tail
from skcompare.inference._kinds import ConfidenceInterval, RateTest, interval_tail
from skcompare.inference._records import check_correction, corrected_t, paired_differences, widened

# P-values of binomial counts, also of such that are no whole numbers, and the limits that invert them; normal p-values
# beside them.


def binomial_pvalue(k: Any, n: Any, p: float, alternative: str, *, midp: bool) -> Any:
    """Tail of the binomial on the side of the alternative; two-sided, twice the smaller tail."""
    less, greater = lower_tail(k, n, p, midp=midp), upper_tail(k, n, p, midp=midp)
    both = 2 * np.minimum(less, greater)
    return {"less": less, "greater": greater}.get(alternative, np.where(both < 1 - 1e-12, both, 1.0)[()])


def binomial_limits(k: float, n: float, tail: float, *, midp: bool) -> tuple[float, float]:
    """The success probabilities at which the upper and the lower tail of `k` equal `tail`.

    Without `midp` these are the limits of Clopper and Pearson (1934), beta quantiles.
    """
    if midp:
        low = first_true(lambda p: upper_tail(k, n, p, midp=True) >= tail, 0.0, 1.0)
        high = first_true(lambda p: lower_tail(k, n, p, midp=True) <= tail, 0.0, 1.0)
        return low, high
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betainccinv(k + 1, n - k, tail))
    return low, high


def first_true(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where a condition that is false below and true above begins to hold; an end where it never turns."""
    if holds(low):
        return low
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def normal_pvalue(z: float, alternative: str) -> float:
    """Tail of the standard normal on the side of the alternative."""
    if alternative == "two-sided":
        return 2 * float(special.ndtr(-abs(z)))
    return float(special.ndtr(-z if alternative == "greater" else z))


def z_test(beyond: float, standard_error: float, alternative: str = "two-sided") -> tuple[float, float]:
    """Z and p-value of an estimate less its null; infinite where only the standard error is 0, and 0 where both are."""
    if standard_error == 0 and beyond == 0:
        return 0.0, 1.0
    z = beyond / standard_error if standard_error else float(np.copysign(np.inf, beyond))
    return z, normal_pvalue(z, alternative)


def normal_quantile(tail: float) -> float:
    """The value that a standard normal exceeds with probability `tail`."""
    return -float(special.ndtri(tail))


ProportionMethod = Literal["wilson", "clopper_pearson", "jeffreys", "agresti_coull", "wald"]


def proportion_interval(
    n_successes: int, n: int, *, confidence_level: float = 0.95, method: ProportionMethod = "wilson"
) -> ConfidenceInterval:
    r"""Confidence interval for a proportion, such as the accuracy of a model on one test set.

    The Wilson interval is the set of proportions that the score test does not reject,

    .. math:: \frac{\hat p + z^2 / 2n}{1 + z^2 / n} \pm
        \frac{z}{1 + z^2 / n} \sqrt{\frac{\hat p (1 - \hat p)}{n} + \frac{z^2}{4 n^2}}

    (Wilson 1927). For an accuracy it is conditional on the fitted model: it covers what the model would reach
    on new samples, not what its algorithm would after training on other data.

    Parameters
    ----------
    n_successes : int
        Number of successes, from 0 to `n`.
    n : int
        Number of independent trials, at least 1.
    confidence_level : float, default=0.95
        In (0, 1).
    method : {"wilson", "clopper_pearson", "jeffreys", "agresti_coull", "wald"}, default="wilson"
        ``"clopper_pearson"`` covers at least the level always, and more than it mostly. ``"jeffreys"`` has the
        quantiles of the posterior under the prior Beta(1/2, 1/2), reaching to 0 without success and to 1
        without failure. ``"agresti_coull"`` is the Wald interval after adding :math:`z^2 / 2` successes and
        failures. ``"wald"`` covers too little, and is a point without success or without failure.

    Returns
    -------
    ConfidenceInterval
        Within [0, 1], and holding ``n_successes / n``.

    Raises
    ------
    ValueError
        If a count is not an integer in its range, or an option is out of range.

    References
    ----------
    E. B. Wilson (1927), Probable inference, the law of succession, and statistical inference, Journal of the
    American Statistical Association 22, 209-212, :doi:`10.1080/01621459.1927.10502953`.

    C. J. Clopper and E. S. Pearson (1934), The use of confidence or fiducial limits illustrated in the case of
    the binomial, Biometrika 26, 404-413, :doi:`10.1093/biomet/26.4.404`.

    L. D. Brown, T. T. Cai and A. DasGupta (2001), Interval estimation for a binomial proportion, Statistical
    Science 16(2), 101-133, :doi:`10.1214/ss/1009213286`.

    Examples
    --------
    >>> from skcompare.inference import proportion_interval
    >>> interval = proportion_interval(94, 100)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.8752, 0.9722)
    """
    validation.check_choice(method, "method", get_args(ProportionMethod))
    n = validation.check_integer(n, "n", low=1)
    k = check_count(n_successes, "n_successes", n)
    tail = interval_tail(confidence_level, "two-sided")
    if method == "clopper_pearson":
        low, high = binomial_limits(k, n, tail, midp=False)
    elif method == "jeffreys":
        # Brown, Cai and DasGupta (2001), section 3.1.2, with their ends at 0 and n successes
        low = 0.0 if k == 0 else float(special.betaincinv(k + 0.5, n - k + 0.5, tail))
        high = 1.0 if k == n else float(special.betainccinv(k + 0.5, n - k + 0.5, tail))
    elif method == "wilson":
        low, high = wilson_limits(k, n, normal_quantile(tail))
    else:
        z = normal_quantile(tail)
        extra = z**2 if method == "agresti_coull" else 0.0
        share = (k + extra / 2) / (n + extra)
        margin = z * (share * (1 - share) / (n + extra)) ** 0.5
        low, high = max(0.0, share - margin), min(1.0, share + margin)
    return ConfidenceInterval(low=low, high=high)


def check_count(value: int, name: str, n: int) -> int:
    """Return `value` as an int from 0 to `n`, or raise ValueError."""
    count = validation.check_integer(value, name, low=0)
    if count > n:
        raise ValueError(f"{name} must be at most n, which is {n}; got {count}")
    return count


def wilson_limits(k: int, n: int, z: float) -> tuple[float, float]:
    """The proportions whose score statistic is `z` and ``-z``; exactly 0 and 1 at the ends for z > 0."""
    share, shrink = k / n, 1 + z**2 / n
    centre = (share + z**2 / (2 * n)) / shrink
    margin = z / shrink * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    low = 0.0 if k == 0 and z > 0 else min(max(0.0, centre - margin), 1.0)
    high = 1.0 if k == n and z > 0 else max(min(1.0, centre + margin), 0.0)
    return low, high


# One-sample test of an error rate against a threshold.


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

    n_errors: int

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
        alpha = validation.check_number(alpha, "alpha", low=0, high=1, closed="neither")
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
    validation.check_choice(method, "method", get_args(ErrorRateMethod))
    validation.check_alternative(alternative)
    n = validation.check_integer(n, "n", low=1)
    errors = check_count(n_errors, "n_errors", n)
    rate = validation.check_number(threshold, "threshold", low=_SMALLEST_THRESHOLD, high=1, closed="neither")
    standard_error = (rate * (1 - rate) / n) ** 0.5
    z = (errors / n - rate) / standard_error
    if method == "normal":
        statistic, pvalue = z, normal_pvalue(z, alternative)
    else:
        statistic, pvalue = float(errors), float(binomial_pvalue(errors, n, rate, alternative, midp=method == "midp"))
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
        warnings=tuple(_warnings(n, rate, method, alternative)),
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


def _warnings(n: int, threshold: float, method: str, alternative: str) -> Iterator[CodedWarning]:
    needed, spread = _n_needed(threshold, _METHODS[method], alternative, 0.05), n * threshold * (1 - threshold)
    if n < needed:
        few = f"{counted(n, 'sample')} cannot give p < 0.05 against the threshold {threshold:g}"
        yield Code.CANNOT_REJECT(f"{few}, whatever the number of errors; {needed} can.")
    if method == "normal" and spread < _ENOUGH_FOR_NORMAL:
        why = f"n * threshold * (1 - threshold) is {spread:.3g}, below {_ENOUGH_FOR_NORMAL}; use 'exact' or 'midp'"
        yield Code.APPROXIMATE(f"the normal approximation is in doubt, as {why}.")


# One-sample t test of the error rates of folds against a threshold.


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

    df: float

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
        nan, with the warning TOO_LITTLE_DATA.

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
    against = validation.check_hypothesis(alternative, 0.0)
    rate = validation.check_number(threshold, "threshold", low=0, high=1, closed="neither")
    correction = check_correction(test_fraction)
    rates = validation.check_scores(error_rates, "error_rates")
    outside = np.flatnonzero((rates < 0) | (rates > 1))
    if len(outside):
        raise ValueError(f"error_rates must be in [0, 1]; got {rates.flat[outside[0]]:g} at position {outside[0]}")
    differences = paired_differences(rates, np.full_like(rates, rate))
    result = corrected_t(differences, correction, against, "fold error rate t test")
    return widened(result, FoldErrorRateResult, estimate=rate + result.estimate, threshold=rate)
