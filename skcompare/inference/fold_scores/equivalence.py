"""Two one-sided tests for equivalence under the corrected variance."""

from __future__ import annotations

from dataclasses import field, replace
from functools import partial
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import counted
from skcompare._core.validation import Hypothesis, check_bool, check_number, check_pair
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._distributions import skewed_statistic, t_limits, t_pvalue, t_tail
from skcompare.inference._kinds import ConfidenceInterval, OfModels, interval_tail
from skcompare.inference._records import DifferencePosterior, check_correction, corrected_t, paired_differences, widened
from skcompare.inference._sentences import Claims, as_difference
from skcompare.inference.fold_scores.runs import welch

Verdict = Literal["better", "equivalent", "worse", "undecided"]


class EquivalenceTestResult(OfModels):
    """Result of two one-sided tests for equivalence.

    Attributes
    ----------
    verdict : {"better", "equivalent", "worse", "undecided"}
        What can be said of `a` at `alpha`.
    statistic : float
        The one of `statistic_lower` and `statistic_upper` that has the larger p-value.
    pvalue : float
        Of the hypothesis that the models are not equivalent, in [0, 1]: the larger of the two one-sided p-values; nan
        only with fewer than two differences.
    statistic_lower, pvalue_lower : float
        Of the hypothesis that the mean of ``a - b`` is at most ``-margin``; the statistic is large where it is above.
    statistic_upper, pvalue_upper : float
        Of the hypothesis that the mean of ``a - b`` is at least `margin`; the statistic is small where it is below.
    pvalue_difference : float
        Of the hypothesis that the mean of ``a - b`` is 0, two-sided: that of the corrected t test.
    df : float
        Degrees of freedom of all three; nan only with fewer than two differences.
    alternative : {"equivalence"}
        The mean of ``a - b`` lies between ``-margin`` and `margin`.
    margin : float
        The smallest difference that matters, in score units.
    alpha : float
        The level of the verdict.
    estimate : float
        Mean of ``a - b``, in score units; positive favours `a`.
    standard_error : float
        Of `estimate`, in score units, under the corrected variance.
    effect_size : float
        Cohen's d_z, the mean over the standard deviation of the differences; nan where it is not defined.
    n : int
        Number of differences used.
    skewness : float
        Of the mean, as in `TTestResult`, which the p-values and the interval allow for.
    """

    verdict: Verdict
    statistic: float
    pvalue: float
    statistic_lower: float
    pvalue_lower: float
    statistic_upper: float
    pvalue_upper: float
    pvalue_difference: float
    df: float
    alternative: str
    margin: float
    alpha: float
    estimate: float
    standard_error: float
    effect_size: float
    n: int
    skewness: float = field(default=0.0, repr=False)
    _kind = Claims(
        "verdict",
        {
            "better": "{a} is significantly better than {b}{on}, and equivalence is not shown",
            "worse": "{b} is significantly better than {a}{on}, and equivalence is not shown",
            "equivalent": "{a} and {b} are practically equivalent{on}",
        },
        "Neither a difference between {a} and {b}{on} nor equivalence is shown",
        shown={"{a} - {b} is": ("estimate", as_difference)}
        | {"margin": "margin", "equivalence p": "pvalue", "difference p": "pvalue_difference"},
    )

    @property
    def confidence_level(self) -> float:
        """Of the interval by which equivalence is judged."""
        return 1 - 2 * self.alpha

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Two-sided interval for the mean difference.

        Parameters
        ----------
        confidence_level : float, optional
            In (0, 1). The default, ``1 - 2 * alpha``, gives the interval that lies inside the margins exactly when
            ``pvalue < alpha``; ``1 - alpha`` gives the one that leaves out 0 exactly when
            ``pvalue_difference < alpha``.

        Returns
        -------
        ConfidenceInterval

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        tail = interval_tail(self.confidence_level if confidence_level is None else confidence_level, "two-sided")
        return ConfidenceInterval(*t_limits(self.estimate, self.standard_error, self.df, tail, self.skewness))

    def with_skewness(self, skewness: float) -> Self:
        """The same of a mean over cases that is skewed, as of `TTestResult`."""
        of_difference = self.estimate / self.standard_error
        sides = ((of_difference, "two-sided"), (self.statistic_lower, "greater"), (self.statistic_upper, "less"))
        difference, lower, upper = (t_pvalue(float(skewed_statistic(t, skewness)), self.df, of) for t, of in sides)
        return replace(
            self,
            skewness=skewness,
            verdict=_verdict(self.estimate, difference, max(lower, upper), self.alpha),
            statistic=self.statistic_lower if lower > upper else self.statistic_upper,
            pvalue=max(lower, upper),
            pvalue_lower=lower,
            pvalue_upper=upper,
            pvalue_difference=difference,
        )


def _verdict(estimate: float, difference: float, equivalence: float, alpha: float) -> Verdict:
    """What the p-values of a difference and of equivalence say."""
    if difference < alpha <= equivalence:
        return "better" if estimate > 0 else "worse"
    return "equivalent" if equivalence < alpha else "undecided"


def equivalence_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    margin: float,
    test_fraction: float,
    alpha: float = 0.05,
    paired: bool = True,
    overlap: float = 1.0,
) -> EquivalenceTestResult:
    r"""Equivalence test of a difference too small to matter.

    Two one-sided t tests (Schuirmann 1987), with the standard error :math:`s` and the degrees of freedom of
    :func:`corrected_t_test`: one of a mean difference of at most minus the margin :math:`m`, one of a mean difference
    of at least the margin,

    .. math:: t_1 = \frac{\bar d + m}{s}, \qquad t_2 = \frac{\bar d - m}{s}, \qquad
        p = \max \left( P(T_{n-1} \ge t_1), \; P(T_{n-1} \le t_2) \right).

    The models are equivalent where both are rejected. The verdict is, in this order,

    1. ``"equivalent"`` if both are rejected at `alpha`, that is if the interval at ``1 - 2 * alpha`` lies inside the
       margins: a difference smaller than the margin, even one that is surely not 0;
    2. ``"better"`` or ``"worse"`` if the corrected t test rejects a difference of 0 at `alpha`, two-sided, that is if
       the interval at ``1 - alpha`` leaves out 0, by the sign of the mean;
    3. ``"undecided"``.

    On a single run of k-fold ``overlap=0.4`` gives the standard error and the interval of :func:`k_fold_t_test`. Of
    independent runs, which are no pairs, :math:`s` and the degrees of freedom are those of :func:`welch_t_test`.

    Whatever the true difference, a false verdict has a probability of at most `alpha` as far as the assumptions of
    the t test hold. The margin has to be chosen before the scores are seen.

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same splits, in any unit, larger better.
    margin : float
        The smallest difference that matters, in score units, positive.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not; 0 of independent cases.
    alpha : float, default=0.05
        Level of the verdict, in (0, 0.5).
    paired : bool, default=True
        Whether the two scores of a split are a pair; of independent runs they are not, and their numbers may differ.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    EquivalenceTestResult
        Identical models are equivalent, with a p-value of 0 and a `pvalue_difference` of 1.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, an option is out of range, or `test_fraction` is not 0 without
        pairs.

    References
    ----------
    D. J. Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach for assessing
    the equivalence of average bioavailability, Journal of Pharmacokinetics and Biopharmaceutics 15, 657-680,
    :doi:`10.1007/BF01068419`.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    >>> from skcompare.inference import equivalence_test
    >>> a = [0.82, 0.83, 0.79, 0.84, 0.80, 0.85, 0.81, 0.83, 0.82, 0.81]
    >>> result = equivalence_test(a, [0.80] * 10, margin=0.05, test_fraction=1 / 10)
    >>> result.verdict, round(result.pvalue, 4)
    ('equivalent', 0.003)
    """
    margin = check_number(margin, "margin", low=0, high=np.inf, closed="neither")
    correction = check_correction(test_fraction, overlap)
    alpha = check_number(alpha, "alpha", low=0, high=0.5, closed="neither")
    if not check_bool(paired, "paired") and correction.test_fraction:
        says = f"test_fraction must be 0 of independent runs (paired=False); got {correction.test_fraction:g}"
        raise ValueError(says)
    test = partial(corrected_t, paired_differences(*check_pair(a, b)), correction) if paired else partial(welch, a, b)
    sides = (("two-sided", 0.0), ("greater", -margin), ("less", margin))
    difference, lower, upper = (test(Hypothesis(*against)) for against in sides)
    nearer = lower if lower.pvalue > upper.pvalue else upper
    pvalue = max(lower.pvalue, upper.pvalue)
    return widened(
        difference,
        EquivalenceTestResult,
        verdict=_verdict(difference.estimate, difference.pvalue, pvalue, alpha),
        statistic=nearer.statistic,
        pvalue=pvalue,
        statistic_lower=lower.statistic,
        pvalue_lower=lower.pvalue,
        statistic_upper=upper.statistic,
        pvalue_upper=upper.pvalue,
        pvalue_difference=difference.pvalue,
        alternative="equivalence",
        margin=margin,
        alpha=alpha,
        method=f"equivalence test (margin {margin:g}, {correction if paired else 'independent runs'})",
    )


# The Bayesian reading of the corrected t test.


# What lies between two limits has neither the probability 0 nor 1 in a t distribution: rounding would say so.
LEAST, MOST = float(np.finfo(float).tiny), 1 - float(np.finfo(float).epsneg)


def correlated_t_posterior(
    a: ArrayLike, b: ArrayLike, *, test_fraction: float, rope: float = 0.0, overlap: float = 1.0
) -> DifferencePosterior:
    r"""Posterior of the mean difference ``a - b`` under correlated normal fold scores.

    Under the matching improper prior the mean difference :math:`\mu` has a Student t posterior on :math:`n - 1`
    degrees of freedom, located at the mean of :math:`d = a - b` and scaled by the standard error of
    :func:`corrected_t_test`,

    .. math:: \frac{\mu - \bar d}{\sqrt{s_d^2 \left( \frac 1 n + \frac{\rho}{1 - \rho} \right)}} \sim t_{n - 1},

    with :math:`\rho` the test fraction (Corani and Benavoli 2015). `overlap` scales its second term: with 0.4, on
    one run of k-fold, the interval is that of `k_fold_t_test`.

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the two models on the same splits, larger better.
    test_fraction : float
        Test size over train plus test size, in [0, 1): 1/k for k-fold, repeated or not.
    rope : float, default=0
        Half width of the region of practical equivalence, in score units, at least 0.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    DifferencePosterior
        `left`, `rope` and `right` are the probabilities that `b` is better, that the two are equivalent, and
        that `a` is better. With `rope` 0 and the whole correction, `left` is the one-sided p-value of
        :func:`corrected_t_test`.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, or an option is out of range.

    References
    ----------
    G. Corani and A. Benavoli (2015), A Bayesian approach for comparing cross-validated algorithms on multiple
    data sets, Machine Learning 100, 285-304, :doi:`10.1007/s10994-015-5486-z`.

    Examples
    --------
    >>> from skcompare.inference import correlated_t_posterior
    >>> a = [0.82, 0.83, 0.79, 0.84, 0.80, 0.85, 0.81, 0.83, 0.82, 0.81]
    >>> posterior = correlated_t_posterior(a, [0.80] * 10, test_fraction=1 / 10, rope=0.01)
    >>> round(posterior.left, 4), round(posterior.rope, 4), round(posterior.right, 4)
    (0.003, 0.1289, 0.8681)
    """
    correction = check_correction(test_fraction, overlap)
    width = check_number(rope, "rope", low=0, high=float("inf"), closed="left")
    d = paired_differences(*check_pair(a, b))
    n = d.values.size
    df, scale = float(n - 1), d.std * correction.variance(n) ** 0.5
    warnings: Warnings = ()
    if n < 2:
        left = right = middle = df = scale = float("nan")
        warnings = (Code.TOO_LITTLE_DATA(f"{counted(n, 'difference')}; a posterior needs at least 2."),)
    elif scale == 0:
        left, right = float(d.mean < -width), float(d.mean > width)
        if width == 0 and d.mean == 0:
            left = right = 0.5
        middle = 1 - left - right
        warnings = (Code.ZERO_VARIANCE("all differences are equal, so the posterior is a point."),)
    else:
        left = t_tail((width + d.mean) / scale, df)
        right = t_tail((width - d.mean) / scale, df)
        middle = max(LEAST, 1 - left - right) if width > 0 else 0.0
        left, middle, right = (min(share, MOST) for share in (left, middle, right))
    return DifferencePosterior(
        left=left,
        rope=middle,
        right=right,
        mean=d.mean,
        scale=scale,
        df=df,
        rope_width=width,
        n=n,
        method=f"correlated t posterior ({correction})",
        warnings=warnings,
    )
