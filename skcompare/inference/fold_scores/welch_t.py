"""Welch's t test of two models whose runs have nothing in common."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, check_alternative, check_null
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import Differences, TTestResult, sample_std, t_test
from skcompare.inference.fold_scores._table import check_unpaired


def welch_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> TTestResult:
    r"""Welch's t test of the mean scores of independent runs of two models, which need not be paired.

    With :math:`n_a, n_b` runs, of means :math:`\bar a, \bar b` and standard deviations :math:`s_a, s_b`,

    .. math:: t = \frac{\bar a - \bar b}{\sqrt{s_a^2 / n_a + s_b^2 / n_b}}, \qquad
        \nu = \frac{(s_a^2 / n_a + s_b^2 / n_b)^2}
        {(s_a^2 / n_a)^2 / (n_a - 1) + (s_b^2 / n_b)^2 / (n_b - 1)}

    on :math:`\nu` degrees of freedom (Welch 1947). The models may differ in their number of runs and in how much these
    vary. It speaks of other runs on the same data, not of other data.

    Parameters
    ----------
    a, b : array_like of shape (n,) or (n_repeats, n_folds)
        Scores of the runs of the two models, in any unit, larger better; the shapes may differ.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the mean of `a` is above that of `b`.
    null : float, default=0
        The difference ``a - b`` of the two means under the null hypothesis, in the units of `estimate`; see
        `paired_t_test`.

    Returns
    -------
    TTestResult
        Its `n` counts the runs of both models, and its `effect_size` is the difference over the root of the mean of the
        two variances.

    Raises
    ------
    ValueError
        If the scores are not finite or `alternative` is unknown.

    See Also
    --------
    permutation_test : with ``paired=False``, without normal scores.
    paired_t_test : where each run of one model has its pair among those of the other.

    References
    ----------
    B. L. Welch (1947), The generalization of "Student's" problem when several different population variances are
    involved, Biometrika 34(1-2), 28-35, :doi:`10.1093/biomet/34.1-2.28`.

    Examples
    --------
    Means .92 and .90; both variances over the number of runs are .0002 / 4:

    >>> from skcompare.inference import welch_t_test
    >>> result = welch_t_test([0.90, 0.92, 0.92, 0.94], [0.88, 0.90, 0.90, 0.92])
    >>> round(result.statistic, 4), round(result.df, 4), round(result.pvalue, 4)
    (1.7321, 6.0, 0.134)
    """
    check_alternative(alternative)
    null = check_null(null)
    x, y, unit, noise, difference = check_unpaired(a, b)
    # the unit keeps squares from overflowing
    of_each = [(sample_std(values / unit, noise / unit), values.size) for values in (x, y)]
    terms = [spread**2 / n for spread, n in of_each]
    variance = sum(terms)
    df = float(x.size + y.size - 2)  # where nothing varies
    if variance > 0:
        shares = ((term / variance) ** 2 / (n - 1) for term, (_, n) in zip(terms, of_each, strict=True))
        df = 1 / sum(shares)
    mean_variance = sum(spread**2 for spread, _ in of_each) / 2
    d = Differences(values=np.concatenate((x, y)), mean=difference, std=float("nan"), noise=noise)
    record = t_test(
        d,
        standard_error=variance**0.5 * unit,
        df=df,
        alternative=alternative,
        null=null,
        effect_size=_effect(difference, mean_variance**0.5 * unit),
        method="Welch's t test of independent runs",
        needs="at least 2 runs of each model",
    )
    return replace(record, warnings=(_constant(difference),)) if variance == 0 else record


def _effect(difference: float, spread: float) -> float:
    """Cohen's d; 0 where nothing differs, nan where nothing varies or a single run tells no spread."""
    if spread != spread:
        return spread
    return difference / spread if spread else 0.0 if difference == 0 else float("nan")


def _constant(difference: float) -> CodedWarning:
    """The warning of runs that do not vary."""
    if difference == 0:
        return Code.NO_DIFFERENCE("all runs of both models have one and the same score.")
    return Code.ZERO_VARIANCE(
        "all runs of each model have one and the same score: the test takes that as certain, but other runs may vary."
    )
