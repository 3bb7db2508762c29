"""The smallest true difference that a test of fold scores would have found."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import Alternative, check_choice, check_number
from skcompare.inference._distributions import check_goal, needed_distance, t_power
from skcompare.inference._kinds import ConfidenceInterval, OfModels
from skcompare.inference._records import TTestResult
from skcompare.inference._sentences import Values, as_level
from skcompare.inference.fold_scores.t_tests import corrected_t_test, k_fold_t_test

FoldTest = Literal["corrected_t_test", "k_fold_t_test"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class DetectableDifference(OfModels):
    """The smallest true difference that a t test finds with a given power.

    Attributes
    ----------
    difference : float
        In score units, at least 0: the size of the true difference ``a - b``. 0 where the scores do not vary, nan with
        fewer than two of them.
    power : float
        In (alpha, 1): the probability that the test finds a true difference of this size.
    alpha : float
        In (0, 1): the level of the test.
    alternative : {"two-sided", "greater", "less"}
        Of the test.
    standard_error : float
        Of the mean difference, in score units, as the test estimates it.
    df : float
        Degrees of freedom of the test.
    method : str
        The test.
    warnings : tuple of str
        Reasons to doubt the number, each a code, a colon and a sentence.
    """

    difference: float
    power: float
    alpha: float
    alternative: str
    standard_error: float
    df: float

    def power_at(self, delta: float) -> float:
        """Power of the same test where the true difference is another.

        Parameters
        ----------
        delta : float
            The true difference ``a - b``, in score units; positive favours `a`.

        Returns
        -------
        float
            In [0, 1]; nan with fewer than two scores. Where the scores do not vary it is 1 for a difference on the side
            that is tested and 0 otherwise.

        Raises
        ------
        ValueError
            If `delta` is not a finite number.
        """
        delta = check_number(delta, "delta", low=-np.inf, high=np.inf, closed="neither")
        if np.isnan(self.standard_error):
            return float("nan")
        if self.standard_error == 0:
            return float({"two-sided": delta != 0, "greater": delta > 0, "less": delta < 0}[self.alternative])
        return t_power(delta / self.standard_error, self.df, self.alpha, self.alternative)

    def interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval for `difference`, which rests on a standard error that is itself estimated.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            From the chi-squared distribution of the estimated variance, for normal differences.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
        if not self.difference > 0:
            return ConfidenceInterval(low=self.difference, high=self.difference)
        low, high = (self.df / float(special.chdtri(self.df, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
        return ConfidenceInterval(low=self.difference * low**0.5, high=self.difference * high**0.5)

    _kind = Values(
        {
            "smallest detectable difference{between}": "difference",
            "power": ("power", as_level),
            "level": ("alpha", as_level),
        }
    )


def detectable_difference(
    a: ArrayLike,
    b: ArrayLike,
    *,
    test_fraction: float,
    power: float = 0.8,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
    procedure: FoldTest = "corrected_t_test",
) -> DetectableDifference:
    r"""Smallest true difference that a t test on these scores would find.

    Where the true mean difference is :math:`\delta`, the statistic of `corrected_t_test` has, under the model of that
    test, a noncentral t distribution on :math:`n - 1` degrees of freedom with noncentrality

    .. math:: \delta \Big/ \sqrt{s_d^2 \left(\frac 1 n + \frac{\rho}{1 - \rho}\right)},

    and that of `k_fold_t_test` has the same with 0.4 of the second term. The answer is the :math:`\delta` at which it
    passes the critical value with probability `power`. It depends on the spread of the scores only, not on their
    difference: it is not the "observed power", which says what the p-value says. The standard deviation :math:`s_d` is
    itself estimated; ``interval()`` of the record says how far that carries.

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same splits, in any unit, larger better.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not.
    power : float, default=0.8
        In (alpha, 1).
    alpha : float, default=0.05
        Level of the test, in (0, 1).
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of ``a - b`` is positive.
    procedure : {"corrected_t_test", "k_fold_t_test"}, default="corrected_t_test"
        The test; the second for a single run of k-fold, of which it is the default of an `EvaluationResult`.

    Returns
    -------
    DetectableDifference
        With a warning where the differences do not vary (the answer is 0) or are fewer than two (nan).

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, or an option is out of range.

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    J. M. Hoenig and D. M. Heisey (2001), The abuse of power, The American Statistician 55(1), 19-24,
    :doi:`10.1198/000313001300339897`.

    Examples
    --------
    >>> from skcompare.inference import detectable_difference
    >>> a = [0.82, 0.83, 0.79, 0.84, 0.80, 0.85, 0.81, 0.83, 0.82, 0.81]
    >>> found = detectable_difference(a, [0.80] * 10, test_fraction=1 / 10)
    >>> round(found.difference, 4), round(found.power_at(0.02), 2)
    (0.0264, 0.57)
    >>> found = detectable_difference(a, [0.80] * 10, test_fraction=1 / 10, procedure="k_fold_t_test")
    >>> round(found.difference, 4), round(found.power_at(0.02), 2)
    (0.0219, 0.73)
    """
    check_goal(power, alpha, alternative)
    check_choice(procedure, "procedure", get_args(FoldTest))
    test = k_fold_t_test if procedure == "k_fold_t_test" else corrected_t_test
    record = test(a, b, test_fraction=test_fraction, alternative=alternative)
    return detectable_by(record, power=power, alpha=alpha)


def detectable_by(record: TTestResult, *, power: float, alpha: float) -> DetectableDifference:
    """The same for any test that refers a difference over its standard error to Student's t."""
    power, alpha = check_goal(power, alpha, record.alternative)  # type: ignore[arg-type]
    return DetectableDifference(
        difference=smallest_difference(record, power, alpha),
        power=power,
        alpha=alpha,
        alternative=record.alternative,
        standard_error=record.standard_error,
        df=record.df,
        method=record.method,
        warnings=record.warnings,
    )


def smallest_difference(record: TTestResult, power: float, alpha: float) -> float:
    """The difference of that record."""
    error = record.standard_error
    if error == 0 or isnan(error):
        return error
    return needed_distance(record.df, power, alpha, record.alternative) * error
