"""Hotelling's test: the two models differ on at least one of several metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.numbers import equal_to
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import f_pvalue
from skcompare.inference._interval import SimultaneousIntervals
from skcompare.inference._kinds import OfModels, significantly
from skcompare.inference._overlap import check_overlap, corrected_variance, correction_words
from skcompare.inference.dominance._score_vectors import TOO_FEW, ScoreVectors, score_vectors

# A singular value of standardised differences below this belongs to an eigenvalue of their correlation matrix
# below 1e-16, which double precision does not tell from 0.
_DEPENDENT = 1e-8
# A metric takes part in a linear dependence with at least this coefficient.
_TAKES_PART = 1e-4


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class HotellingResult(OfModels):
    """Result of Hotelling's test of a vector of mean differences.

    Attributes
    ----------
    statistic : float
        Hotelling's T2, at least 0; nan where the metrics are linearly dependent or the cases too few.
    f_statistic : float
        T2 on the scale of the F distribution.
    df : tuple of float
        Its degrees of freedom: m and n - m; the second is nan with at most m cases.
    pvalue : float
        Upper tail, in [0, 1]; nan where `statistic` is.
    estimates : ndarray of shape (m,)
        Mean of ``a - b`` on each metric, in its unit and turned so that positive favours `a`.
    standard_errors : ndarray of shape (m,)
        Of `estimates`, under the test's own model of the correlation between folds.
    effect_size : float
        Mahalanobis distance of the mean differences from 0, at least 0; nan where `statistic` is. It describes the
        spread over folds, not over independent data.
    n : int
        Number of cases.
    metrics : tuple of str
        Names of the metrics, in the order of the arrays.
    alternative : {"two-sided"}
        The test has no direction.
    """

    statistic: float
    f_statistic: float
    df: tuple[float, float]
    pvalue: float
    estimates: FloatArray
    standard_errors: FloatArray
    effect_size: float
    n: int
    metrics: tuple[str, ...]
    alternative: str
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        df = " and ".join(f"{value:g}" for value in self.df)
        how = f"T2 = {self.statistic:.4g}, F = {self.f_statistic:.4g} on {df} df"
        where = f"all {len(self.metrics)} metrics together" if len(self.metrics) > 1 else self.metrics[0]
        found = f"{self.compared.a} and {self.compared.b} are {significantly(self.pvalue)} different on {where}"
        return f"{found}, {equal_to('p', self.pvalue)} ({how})."

    def confidence_interval(self, confidence_level: float = 0.95) -> SimultaneousIntervals:
        """Hotelling's simultaneous intervals for the mean differences.

        They hold at once for the mean differences of all metrics, and of all linear combinations of them. Where one
        leaves out 0, ``pvalue < 1 - confidence_level``; the reverse is true with a single metric only.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        SimultaneousIntervals
            One pair of limits per metric.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
        m, rest = self.df
        if np.isnan(self.pvalue):
            margin = np.full(len(self.metrics), np.nan)
        elif not self.standard_errors.any():
            margin = np.zeros(len(self.metrics))
        else:
            margin = np.sqrt(m * (self.n - 1) / rest * special.fdtri(m, rest, level)) * self.standard_errors
        return SimultaneousIntervals(low=self.estimates - margin, high=self.estimates + margin)


def hotelling_test(
    a: ArrayLike,
    b: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    *,
    test_fraction: float = 0.0,
    metrics: Sequence[str] | None = None,
    overlap: float = 1.0,
) -> HotellingResult:
    r"""Hotelling's test that two models differ on at least one of several metrics.

    With :math:`\bar d` the mean of :math:`n` vectors of differences on m metrics, :math:`S` their covariance matrix
    and :math:`\rho` the test fraction,

    .. math:: T^2 = \bar d^\top S^{-1} \bar d \Big/ \left(\frac 1 n + \frac{\rho}{1 - \rho}\right), \qquad
        F = \frac{n - m}{m (n - 1)} T^2 \sim F_{m, n - m}

    (Hotelling 1931; on the folds of a cross-validation Yildiz and Alpaydin 2014, here with the variance of the
    corrected resampled t test). It is a test of a difference, not of dominance: it rejects as readily where one model
    is better on one metric and the other on another. A single metric gives the square of `corrected_t_test`.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric in any unit. Cases are data sets, or the
        folds of one data set with their `test_fraction`. More cases than metrics are needed.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric. The p-value does not depend on it.
    test_fraction : float, default=0
        Test size over train plus test size, in [0, 1): 1/k for the folds of k-fold cross-validation. 0 takes the
        cases for independent.
    metrics : sequence of str, optional
        Names of the metrics, for the record.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    HotellingResult
        Statistic and p-value are nan, and a warning says why, where there are no more cases than metrics or the
        differences on some metrics are constant or linearly dependent, as those on accuracy and error are. The
        p-value is 1 where all differences are 0.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, a direction has another length than the metrics, or
        `test_fraction` is outside [0, 1).

    See Also
    --------
    intersection_union_test : one model is better on all metrics.
    max_t_test : on which of the metrics the models differ.

    References
    ----------
    H. Hotelling (1931), The generalization of Student's ratio, Annals of Mathematical Statistics 2(3), 360-378,
    :doi:`10.1214/aoms/1177732979`.

    O. T. Yildiz and E. Alpaydin (2014), Multivariate comparison of classification algorithms, arXiv:1409.4566.

    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52, 239-281,
    :doi:`10.1023/A:1024068626366`.

    Examples
    --------
    Two metrics on the folds of a 10-fold cross-validation:

    >>> import numpy as np
    >>> from skcompare.inference import hotelling_test
    >>> a = [[0.82, 0.71], [0.83, 0.69], [0.79, 0.72], [0.84, 0.70], [0.80, 0.73],
    ...      [0.85, 0.71], [0.81, 0.72], [0.83, 0.70], [0.82, 0.71], [0.81, 0.68]]
    >>> result = hotelling_test(a, np.full((10, 2), [0.80, 0.70]), test_fraction=1 / 10)
    >>> round(result.f_statistic, 4), result.df, round(result.pvalue, 4)
    (4.637, (2.0, 8.0), 0.046)
    """
    fraction = check_number(test_fraction, "test_fraction", low=0, high=1, closed="left")
    part, vectors = check_overlap(overlap), score_vectors(a, b, greater_is_better, metrics)
    n, m = vectors.differences.shape
    variance = corrected_variance(n, fraction, part)
    distance, warnings = _distance(vectors)
    statistic = distance**2 / variance
    df = (float(m), float(n - m) if n > m else float("nan"))
    f_statistic = df[1] / (m * (n - 1)) * statistic if distance > 0 else distance
    return HotellingResult(
        statistic=statistic,
        f_statistic=f_statistic,
        df=df,
        pvalue=1.0 if distance == 0 else f_pvalue(f_statistic, df),
        estimates=vectors.means,
        standard_errors=vectors.stds * variance**0.5,
        effect_size=distance,
        n=n,
        metrics=vectors.metrics,
        alternative="two-sided",
        method=f"Hotelling's T2 test ({correction_words(fraction, part)})",
        warnings=warnings,
    )


def _distance(vectors: ScoreVectors) -> tuple[float, tuple[CodedWarning, ...]]:
    """Mahalanobis distance of the mean differences from 0, nan where it is not defined; warnings."""
    n, m = vectors.differences.shape
    if n < 2:
        return float("nan"), (TOO_FEW,)
    warnings = (*vectors.no_difference(vectors.equal), *vectors.zero_variance())
    if vectors.equal.all():
        return 0.0, warnings
    if n <= m:
        few = Code.TOO_FEW(f"{n} cases are too few for {m} metrics, which need {m + 1} at least.")
        return float("nan"), (few, *warnings)
    if warnings:
        return float("nan"), warnings
    # in units of each metric's deviation, so that no unit decides what is singular
    means = vectors.means / vectors.stds
    residuals = (vectors.differences - vectors.means) / vectors.stds / np.sqrt(n - 1)
    _, singular, axes = np.linalg.svd(residuals, full_matrices=False)
    if singular.min() < _DEPENDENT:
        takes_part = np.linalg.norm(axes[singular < _DEPENDENT], axis=0) > _TAKES_PART
        which = f"the differences on {vectors.names(takes_part)} are linearly dependent"
        return float("nan"), (Code.SINGULAR(f"{which}; leave out one of these metrics."),)
    return float(np.linalg.norm(axes @ means / singular)), ()
