"""Hotelling's test: the two models differ on at least one of several metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core import validation
from skcompare._core.validation import Alternative, FloatArray, Names
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.inference import _records as records
from skcompare.inference._distributions import at_least
from skcompare.inference._kinds import SimultaneousIntervals
from skcompare.inference._sentences import Difference, Omnibus
from skcompare.inference.dominance.statements import JointTest, check_cases, per_metric_bool

# Paired differences of score vectors, one score per metric, that the joint tests share.


TOO_FEW = Code.TOO_LITTLE_DATA("a test needs a sample of at least 2 values.")


class ScoreVectors(NamedTuple):
    """Scores of two models on n cases and m metrics, larger better, and their differences ``a - b``.

    Differences that are rounding only are 0, and those that vary by rounding only are one value, whose `stds` is 0.
    """

    a: FloatArray
    b: FloatArray
    differences: FloatArray
    means: FloatArray
    stds: FloatArray
    metrics: tuple[str, ...]

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.differences)

    @property
    def equal(self) -> NDArray[np.bool_]:
        """The metrics on which all differences are 0."""
        return np.asarray(~self.differences.any(axis=0))

    @property
    def constant(self) -> NDArray[np.bool_]:
        """The metrics on which all differences are one value that is not 0."""
        return np.asarray((self.stds == 0) & ~self.equal)

    def no_difference(self, equal: NDArray[np.bool_]) -> Iterator[CodedWarning]:
        """The warning that names the metrics on which the models are equal, if there are any."""
        if names := self.names(equal):
            yield Code.NO_DIFFERENCE(f"the differences on {', '.join(names)} are all 0.", names)

    def zero_variance(self) -> Iterator[CodedWarning]:
        """The warning that names the metrics whose differences do not vary, if there are any."""
        if names := self.names(self.constant):
            still = f"the differences on {', '.join(names)} do not vary, so nothing tells how sure they are."
            yield Code.ZERO_VARIANCE(still, about=names)

    def names(self, chosen: NDArray[np.bool_]) -> list[str]:
        """The metrics that are chosen."""
        return [name for name, choose in zip(self.metrics, chosen, strict=True) if choose]


def score_vectors(a: ArrayLike, b: ArrayLike, greater_is_better: bool | Sequence[bool], metrics: Names) -> ScoreVectors:
    """Scores of shape (n_cases, n_metrics) or (n_cases,), checked and turned so that larger is better."""
    a, b = check_cases(a, b)
    m = a.shape[1]
    sign = np.where(per_metric_bool(greater_is_better, m), 1.0, -1.0)
    a, b = sign * a, sign * b
    columns, means, stds = np.empty_like(a), np.empty(m), np.empty(m)
    for j in range(m):
        d = records.paired_differences(a[:, j], b[:, j])
        columns[:, j] = np.where(np.abs(d.values) <= d.noise, 0.0, d.values)
        # where all that is left is 0, the mean and the deviation were rounding too
        means[j], stds[j] = (d.mean, d.std) if columns[:, j].any() else (0.0, d.std * 0.0)
    names = validation.check_names(metrics, m, "metrics", "metric")
    return ScoreVectors(a=a, b=b, differences=columns, means=means, stds=stds, metrics=names)


# A singular value of standardised differences below this belongs to an eigenvalue of their correlation matrix
# below 1e-16, which double precision does not tell from 0.
_DEPENDENT = 1e-8
# A metric takes part in a linear dependence with at least this coefficient.
_TAKES_PART = 1e-4


class HotellingResult(JointTest, eq=False):
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
    estimates: FloatArray
    standard_errors: FloatArray
    effect_size: float
    _kind = Omnibus("{a} and {b}", shown={"p": "pvalue", "T2": "statistic", "F": "f_statistic"})

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
        level = validation.check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
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
    metrics: Names = None,
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
    correction = records.check_correction(test_fraction, overlap)
    vectors = score_vectors(a, b, greater_is_better, metrics)
    n, m = vectors.differences.shape
    variance = correction.variance(n)
    distance, warnings = _distance(vectors)
    statistic = distance**2 / variance
    df = (float(m), float(n - m) if n > m else float("nan"))
    f_statistic = df[1] / (m * (n - 1)) * statistic if distance > 0 else distance
    return HotellingResult(
        statistic=statistic,
        f_statistic=f_statistic,
        df=df,
        pvalue=1.0 if distance == 0 else records.f_pvalue(f_statistic, df),
        estimates=vectors.means,
        standard_errors=vectors.stds * variance**0.5,
        effect_size=distance,
        n=n,
        metrics=vectors.metrics,
        alternative="two-sided",
        method=f"Hotelling's T2 test ({correction})",
        warnings=warnings,
    )


def _distance(vectors: ScoreVectors) -> tuple[float, Warnings]:
    """Mahalanobis distance of the mean differences from 0, nan where it is not defined; warnings."""
    n, m = vectors.differences.shape
    if n < 2:
        return float("nan"), (TOO_FEW,)
    warnings = (*vectors.no_difference(vectors.equal), *vectors.zero_variance())
    if vectors.equal.all():
        return 0.0, warnings
    if n <= m:
        few = Code.TOO_LITTLE_DATA(f"{n} cases are too few for {m} metrics, which need {m + 1} at least.")
        return float("nan"), (few, *warnings)
    if warnings:
        return float("nan"), warnings
    # in units of each metric's deviation, so that no unit decides what is singular
    means = vectors.means / vectors.stds
    residuals = (vectors.differences - vectors.means) / vectors.stds / np.sqrt(n - 1)
    _, singular, axes = np.linalg.svd(residuals, full_matrices=False)
    if singular.min() < _DEPENDENT:
        takes_part = np.linalg.norm(axes[singular < _DEPENDENT], axis=0) > _TAKES_PART
        which = f"the differences on {', '.join(vectors.names(takes_part))} are linearly dependent"
        return float("nan"), (Code.SINGULAR(f"{which}; leave out one of these metrics."),)
    return float(np.linalg.norm(axes @ means / singular)), ()


# The intersection-union test: one model is better than the other on all metrics.


_Found = tuple[dict[str, FloatArray], Warnings]  # p-values by side, and what is wrong with them


class IntersectionUnionResult(JointTest, eq=False):
    """Result of the intersection-union test that one model is better than the other on all metrics.

    Attributes
    ----------
    pvalue : float
        In [0, 1]: the largest of `pvalues`, doubled in a two-sided test; nan only with fewer than two cases.
    pvalues : ndarray of shape (m,)
        One-sided p-value of each metric in the `direction`, in [0, 1].
    estimates : ndarray of shape (m,)
        Mean of ``a - b`` on each metric, in its unit and turned so that positive favours `a`.
    weakest : str
        The metric with the largest p-value, the first of several: what the claim fails on, if it fails.
    direction : {"greater", "less"}
        The claim that `pvalues` speak of: `a` is better on all metrics, or `b` is. In a two-sided test the claim
        nearer to significance; where neither is, `pvalue` is 1.
    alternative : {"two-sided", "greater", "less"}
        What was tested: one of the models is better on all metrics, `a` is, `b` is.
    n : int
        Number of cases.
    metrics : tuple of str
        Names of the metrics, in the order of the arrays.
    """

    pvalues: FloatArray
    estimates: FloatArray
    weakest: str
    direction: str
    _kind = Difference(every=True, shown={"p": "pvalue", "weakest evidence on": "weakest"})


def intersection_union_test(
    a: ArrayLike,
    b: ArrayLike,
    greater_is_better: bool | Sequence[bool] = True,
    *,
    marginal: Literal["t", "sign"] = "t",
    test_fraction: float = 0.0,
    alternative: Alternative = "two-sided",
    metrics: Names = None,
    overlap: float = 1.0,
) -> IntersectionUnionResult:
    r"""Intersection-union test that one model is better than the other on all metrics.

    The null hypothesis is that `a` is not better on at least one of the m metrics, a union of m hypotheses. It is
    rejected where each of them is, so that

    .. math:: p = \max_j p_j

    with :math:`p_j` the one-sided p-value of metric j (Berger 1982). Its size is at most the level whatever the
    dependence between the metrics, without a correction for their number. Two-sided, either model may be the
    better one, and p is twice the smaller of the two maxima.

    Parameters
    ----------
    a, b : array_like of shape (n_cases, n_metrics) or (n_cases,)
        Scores of the two models on the same cases, one column per metric in any unit. Cases are data sets, or the
        folds of one data set with their `test_fraction`.
    greater_is_better : bool or sequence of bool, default=True
        Direction of each metric.
    marginal : {"t", "sign"}, default="t"
        The test of each metric: `corrected_t_test`, or the exact sign test without the cases that are tied, for
        independent cases only.
    test_fraction : float, default=0
        Test size over train plus test size, in [0, 1): 1/k for the folds of k-fold cross-validation. 0 takes the
        cases for independent.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: `a` is better on all metrics.
    metrics : sequence of str, optional
        Names of the metrics, for the record.
    overlap : float, default=1
        The part of the correction that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the standard error of
        `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    IntersectionUnionResult
        A metric on which the models are equal makes `pvalue` 1.

    Raises
    ------
    ValueError
        If the scores are not finite or not paired, a direction has another length than the metrics, an option is
        unknown or out of range, or the sign test is asked for on folds.

    See Also
    --------
    full_dominance_test : one model is better on all metrics of a case more often than the other.
    max_t_test : on which of the metrics the models differ.

    References
    ----------
    R. L. Berger (1982), Multiparameter hypothesis testing and acceptance sampling, Technometrics 24(4), 295-300,
    :doi:`10.1080/00401706.1982.10487790`.

    Examples
    --------
    Accuracy, and time where less is better, on six data sets:

    >>> from skcompare.inference import intersection_union_test
    >>> a = [[0.90, 1.0], [0.80, 2.0], [0.70, 2.0], [0.85, 1.0], [0.75, 1.5], [0.95, 1.2]]
    >>> b = [[0.85, 1.6], [0.79, 2.1], [0.66, 2.4], [0.82, 1.7], [0.73, 1.8], [0.89, 1.4]]
    >>> result = intersection_union_test(a, b, [True, False], metrics=["accuracy", "time"])
    >>> round(result.pvalue, 4), result.direction, result.weakest
    (0.0098, 'greater', 'time')
    """
    validation.check_alternative(alternative)
    validation.check_choice(marginal, "marginal", ("t", "sign"))
    correction = records.check_correction(test_fraction, overlap)
    if marginal == "sign" and correction.test_fraction > 0:
        raise ValueError(
            f"test_fraction must be 0 for the sign test, which takes cases for independent; got {test_fraction!r}"
        )
    vectors = score_vectors(a, b, greater_is_better, metrics)
    both, warnings = _signs(vectors, alternative) if marginal == "sign" else _t_tests(vectors, correction)
    # Berger (1982): the intersection of the rejection regions
    direction = min(both, key=lambda side: float(both[side].max())) if alternative == "two-sided" else alternative
    pvalues = both[direction]
    largest = float(pvalues.max())
    return IntersectionUnionResult(
        pvalue=float(np.minimum(1.0, 2 * largest)) if alternative == "two-sided" else largest,
        pvalues=pvalues,
        estimates=vectors.means,
        weakest=vectors.metrics[int(pvalues.argmax())],
        direction=direction,
        alternative=alternative,
        n=vectors.n,
        metrics=vectors.metrics,
        method="intersection-union test of "
        + ("sign tests" if marginal == "sign" else f"corrected t tests ({correction})"),
        warnings=warnings,
    )


def _signs(vectors: ScoreVectors, alternative: str) -> _Found:
    """Sign tests of either side per metric; rounding is a tie, case by case as in `dominance_counts`."""
    won, level = records.won_or_level(vectors.a, vectors.b)
    wins, losses = won.sum(axis=0), (~level).sum(axis=0)
    untied = wins + losses
    warnings = [*vectors.no_difference(untied == 0)]
    unable = (untied > 0) & ((2 if alternative == "two-sided" else 1) * 0.5**untied > 0.05)
    if names := ", ".join(vectors.names(unable)):
        few = f"so few cases without ties on {names} cannot give p < 0.05, even if all agree."
        warnings.append(Code.CANNOT_REJECT(few))
    return {"greater": at_least(wins, untied, 0.5), "less": at_least(losses, untied, 0.5)}, tuple(warnings)


def _t_tests(vectors: ScoreVectors, correction: records.Correction) -> _Found:
    """Corrected t tests of either side per metric."""
    differences = [records.paired_differences(d, np.zeros(vectors.n)) for d in vectors.differences.T]
    both = {
        side: np.array(
            [records.corrected_t(d, correction, validation.Hypothesis(side, 0.0)).pvalue for d in differences]
        )
        for side in ("greater", "less")
    }
    return both, (TOO_FEW,) if vectors.n < 2 else (*vectors.no_difference(vectors.equal), *vectors.zero_variance())
