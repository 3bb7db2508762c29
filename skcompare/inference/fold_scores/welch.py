"""Welch's t test of two models whose runs have nothing in common, from the runs or from what sums them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, Hypothesis, check_hypothesis, check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference import _records as records


def welch_t_test(
    a: ArrayLike, b: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> records.TTestResult:
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
    welch_from_summary : from means, standard deviations and numbers of runs.
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
    against = check_hypothesis(alternative, null)
    x, y, unit, noise, difference = records.check_unpaired(a, b)
    # the unit keeps squares from overflowing
    of_each = [(records.sample_std(values / unit, noise / unit), values.size) for values in (x, y)]
    return _welch(difference, of_each, unit, noise, against)


def welch_from_summary(
    mean: ArrayLike, sd: ArrayLike, n: ArrayLike, *, alternative: Alternative = "two-sided", null: float = 0.0
) -> records.TTestResult:
    r"""Welch's t test from what most papers print: mean, standard deviation and number of runs of two models.

    .. math:: t = \frac{\bar a - \bar b}{\sqrt{s_a^2 / n_a + s_b^2 / n_b}}

    on the degrees of freedom of `welch_t_test` (Welch 1947), which it is of any runs with these numbers. These are
    taken to be independent: a table of means does not tell by how much two models differ on the same split, so that no
    paired test can be made of it. Where the deviations are over the folds of a cross-validation, whose training sets
    overlap, it rejects too often.

    Parameters
    ----------
    mean : array_like of shape (2,)
        Mean scores of `a` and `b`, in any unit, larger better.
    sd : array_like of shape (2,)
        Standard deviations of their runs (divided by ``n - 1``), at least 0. No standard errors: these times the root
        of `n` are standard deviations.
    n : array_like of shape (2,)
        Numbers of runs, integers of at least 2.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        As in `welch_t_test`.
    null : float, default=0
        As in `welch_t_test`.

    Returns
    -------
    TTestResult
        That of `welch_t_test`.

    Raises
    ------
    ValueError
        If one is not a pair of numbers in its range, or `alternative` is unknown.

    See Also
    --------
    welch_t_test : from the scores of all runs.

    References
    ----------
    B. L. Welch (1947), The generalization of "Student's" problem when several different population variances are
    involved, Biometrika 34(1-2), 28-35, :doi:`10.1093/biomet/34.1-2.28`.

    Examples
    --------
    >>> from skcompare.inference import welch_from_summary
    >>> result = welch_from_summary(mean=(0.92, 0.90), sd=(0.0163, 0.0163), n=(4, 4))
    >>> round(result.statistic, 2), round(result.df, 2), round(result.pvalue, 3)
    (1.74, 6.0, 0.133)
    """
    against = check_hypothesis(alternative, null)
    pairs = {"mean": check_scores(mean, "mean"), "sd": check_scores(sd, "sd"), "n": check_scores(n, "n")}
    for name, values in pairs.items():
        if values.shape != (2,):
            raise ValueError(f"{name} must hold two numbers, one of each model; got shape {values.shape}")
    means, spreads, sizes = pairs.values()
    if spreads.min() < 0:
        raise ValueError(f"sd must be at least 0; got {spreads.min():g}")
    if (sizes < 2).any() or (sizes != np.rint(sizes)).any():
        raise ValueError(f"n must hold numbers of runs, integers of at least 2; got {sizes.tolist()}")
    noise = records.ROUNDING * records.check_size("mean", means)
    records.check_size("sd", spreads)
    unit = records.power_of_two(np.concatenate((means, spreads)))
    difference = float(means[0] / unit - means[1] / unit) * unit
    of_each = [(spread / unit, round(size)) for spread, size in zip(spreads.tolist(), sizes.tolist(), strict=True)]
    return _welch(0.0 if abs(difference) <= noise else difference, of_each, unit, noise, against)


def _welch(
    difference: float, of_each: Sequence[tuple[float, int]], unit: float, noise: float, against: Hypothesis
) -> records.TTestResult:
    """The test of a difference of means, with the standard deviation in units and the number of runs of each model."""
    terms, (n_a, n_b) = [spread**2 / n for spread, n in of_each], (n for _, n in of_each)
    variance, df = sum(terms), float(n_a + n_b - 2)  # where nothing varies
    if variance > 0:
        shares = ((term / variance) ** 2 / (n - 1) for term, (_, n) in zip(terms, of_each, strict=True))
        df = 1 / sum(shares)
    mean_variance = sum(spread**2 for spread, _ in of_each) / 2
    d = records.Differences(values=np.zeros(n_a + n_b), mean=difference, std=float("nan"), noise=noise)
    record = records.t_test(
        d,
        standard_error=variance**0.5 * unit,
        df=df,
        against=against,
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
