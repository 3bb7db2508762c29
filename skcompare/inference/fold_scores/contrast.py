"""Linear combinations of the mean scores of many models on the same splits, with the corrected variance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_number, check_scores
from skcompare._core.warnings import CodedWarning
from skcompare.inference._base import f_pvalue
from skcompare.inference._overlap import check_overlap, corrected_variance, correction_words


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ContrastResult(Record):
    """Linear combinations of the models' mean scores, and the test that all of them are 0.

    Attributes
    ----------
    estimates : ndarray of shape (n_contrasts,)
        In score units.
    covariance : ndarray of shape (n_contrasts, n_contrasts)
        Of the estimates, with the correction for splits that share training samples.
    pvalues : ndarray of shape (n_contrasts,)
        Of each alone, two-sided, by Student's t on ``n - 1`` degrees of freedom; not adjusted.
    statistic, pvalue : float
        F for all at once, and its upper tail.
    df : tuple of float
        Its degrees of freedom.
    n : int
        Number of splits.
    """

    estimates: FloatArray
    covariance: FloatArray
    pvalues: FloatArray
    statistic: float
    pvalue: float
    df: tuple[float, float]
    n: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()


def contrast_test(
    scores: ArrayLike, contrasts: ArrayLike, *, test_fraction: float, overlap: float = 1.0
) -> ContrastResult:
    r"""Test that linear combinations of the mean scores of many models on the same splits are all 0.

    With orthonormal contrasts :math:`u_1, ..., u_c` that span the rows of `contrasts`, and the values
    :math:`v_{il} = \sum_j u_{lj} x_{ij}` of split i of n with means :math:`\bar v_l` and covariance matrix S,

    .. math:: F = \frac{\sum_l \bar v_l^2 / c}{\left(\frac 1 n + \frac{\rho}{1 - \rho}\right) \operatorname{tr} S / c}

    on :math:`\epsilon c` and :math:`\epsilon c (n - 1)` degrees of freedom,
    :math:`\epsilon = (\operatorname{tr} S)^2 / (c \operatorname{tr} S^2)` (Greenhouse and Geisser). With one contrast
    it is the square of the statistic of `corrected_t_test`; with all of k models and independent splits
    the repeated-measures analysis of variance.

    Parameters
    ----------
    scores : array_like of shape (n_splits, n_models)
        Scores on the same splits, in any unit.
    contrasts : array_like of shape (n_contrasts, n_models)
        Weights of the models; each row sums to 0, and no row is a combination of others.
    test_fraction : float
        Test size over train plus test size, in [0, 1).
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1].
    """
    values = check_scores(scores, "scores", ndim=(2,))
    weights = check_scores(contrasts, "contrasts", ndim=(2,))
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    overlap = check_overlap(overlap)
    n, c = len(values), len(weights)
    factor = corrected_variance(n, fraction, overlap)
    own = values @ weights.T
    estimates = own.mean(axis=0)
    covariance = np.atleast_2d(np.cov(own, rowvar=False)) * factor
    basis = values @ np.linalg.qr(weights.T)[0]
    spread = np.atleast_2d(np.cov(basis, rowvar=False))
    trace = float(np.trace(spread))
    epsilon = float(np.clip(trace**2 / (c * float((spread**2).sum())), 1 / c, 1.0))
    statistic = float((basis.mean(axis=0) ** 2).sum()) / (factor * trace)
    df = (epsilon * c, epsilon * c * (n - 1))
    t = estimates / np.sqrt(np.diag(covariance))
    return ContrastResult(
        estimates=estimates,
        covariance=covariance,
        pvalues=2 * special.stdtr(n - 1, -np.abs(t)),
        statistic=statistic,
        pvalue=f_pvalue(statistic, df),
        df=df,
        n=n,
        method=f"test of contrasts, {correction_words(fraction, overlap)}",
    )
