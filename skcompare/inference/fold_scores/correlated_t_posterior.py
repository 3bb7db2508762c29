"""The Bayesian reading of the corrected t test."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import check_number, check_pair
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._base import DifferencePosterior, paired_differences
from skcompare.inference._overlap import check_overlap, correction_words
from skcompare.inference._student_t import t_tail

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
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    width = check_number(rope, "rope", low=0, high=float("inf"), closed="left")
    part = check_overlap(overlap)
    d = paired_differences(*check_pair(a, b))
    n = d.values.size
    df, scale = float(n - 1), d.corrected_error(fraction, part)
    warnings: tuple[CodedWarning, ...] = ()
    if n < 2:
        left = right = middle = df = scale = float("nan")
        warnings = (Code.TOO_FEW(f"{counted(n, 'difference')}; a posterior needs at least 2."),)
    elif scale == 0:
        left, right = float(d.mean < -width), float(d.mean > width)
        if width == 0 and d.mean == 0:
            left = right = 0.5
        middle = 1 - left - right
        warnings = (Code.ZERO_VARIANCE("all differences are equal, so the posterior is a point."),)
    else:
        left = t_tail((width + d.mean) / scale, df)
        right = t_tail((width - d.mean) / scale, df)
        middle = max(LEAST if width > 0 else 0.0, 1 - left - right)
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
        method=f"correlated t posterior ({correction_words(fraction, part)})",
        warnings=warnings,
    )
