"""Tukey's test of all pairs of many models on many data sets, or on the splits of one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code
from skcompare.inference._overlap import check_correction
from skcompare.inference._studentized_range import studentized_range_quantile
from skcompare.inference.datasets._mean_ranks import (
    ALPHA,
    rank_warnings,
    standardised,
    studentized_range_pvalues,
    unless_too_few,
)
from skcompare.inference.datasets._omnibus import PAIRING_IGNORED
from skcompare.inference.datasets._pairwise import STUDENTIZED_RANGE, PairwiseResult
from skcompare.inference.datasets._scores import check_bool, check_table
from skcompare.inference.datasets.anova import check_pairing

_EQUAL_DIFFERENCES = Code.ZERO_VARIANCE(
    "the differences between models do not vary, so nothing tells how sure they are."
)
SPHERICITY = Code.SPHERICITY(
    "it takes the differences of any two models to vary equally; where one model varies more than others "
    "it rejects too often."
)


def tukey_test(
    scores: ArrayLike,
    *,
    repeated: bool = True,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
    test_fraction: float = 0.0,
    overlap: float = 1.0,
) -> PairwiseResult:
    r"""Test every pair of models by the difference of their mean scores, all pairs at once (Tukey's test).

    It belongs to `anova_test`. With score :math:`x_{ij}` of model j of k on data set i of N, means :math:`m_j` of
    models, :math:`s_i` of data sets and m of all,

    .. math:: q = \frac{m_i - m_j}{\sqrt{E / N}}, \quad
              E = \frac{\sum_{ij} (x_{ij} - s_i - m_j + m)^2}{(k - 1)(N - 1)}

    is referred to the studentized range of k means with :math:`(k - 1)(N - 1)` degrees of freedom, so the p-values need
    no adjustment. Two models differ at 5% if their means differ by `critical_difference` or more, and differences of
    means plus and minus it are simultaneous 95% intervals; ``confidence_interval`` has those of any level. For two
    models it is the paired t test.

    On N splits of one data set :math:`E / N` is :math:`E (1 / N + \rho / (1 - \rho))` with the test fraction
    :math:`\rho`, as splits share training samples: for two models it is then `corrected_t_test`.

    One variance serves all pairs: it holds only if the differences between any two models have one variance
    (sphericity), which models of different kinds do not have as a rule. A difference of one size must mean the same
    on all data sets, and outlying data sets weigh heavily.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set, or per split with a `test_fraction`, and model, at least two models, all in the same
        units.
    repeated : bool, default=True
        Whether the models share the data sets. False takes each model's scores as an independent sample (Tukey's
        honestly significant difference, on :math:`k (N - 1)` degrees of freedom), which misses differences that every
        data set shows; it is offered because it is often asked for.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.
    test_fraction : float, default=0
        Of scores on the splits of one data set, which then stand in the place of data sets: test size over train plus
        test size, in [0, 1), 1/k for k-fold, repeated or not. 0 takes the rows for independent, as data sets are.
    overlap : float, default=1
        The part of the correction for splits that is taken, in [0, 1]: 0.4 on a single run of k-fold gives the variance
        of `k_fold_t_test`, which an evaluation sets where that test is the default.

    Returns
    -------
    PairwiseResult
        The statistic is q; estimates are differences of mean scores, positive where i is the better model. With
        p-values 1 and the warning NO_DIFFERENCE where all models are equal on every data set; with p-value 0, where
        the means differ, and ZERO_VARIANCE where E is 0; with nan and TOO_FEW for one data set or split; with
        PAIRING_IGNORED where `repeated` is False.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, an option is not what it should be, or `repeated` is False
        with a `test_fraction`.

    See Also
    --------
    nemenyi_test : the same on ranks, with fewer assumptions.

    References
    ----------
    J. W. Tukey (1949), Comparing individual means in the analysis of variance, Biometrics 5(2), 99-114,
    :doi:`10.2307/3001913`.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    >>> from skcompare.inference import tukey_test
    >>> scores = [[24.5, 28.4, 26.1], [23.5, 34.2, 28.3], [26.4, 29.5, 24.3], [27.1, 32.2, 26.2], [29.9, 30.1, 27.8]]
    >>> result = tukey_test(scores)
    >>> round(result.critical_difference, 2), result.estimates[1].round(2).tolist()
    (3.85, [4.6, 0.0, 4.34])
    >>> result.pvalues[1].round(4).tolist()
    [0.0221, 1.0, 0.0293]
    >>> intervals = result.confidence_interval(0.95)
    >>> intervals.low[1].round(2).tolist(), intervals.high[1].round(2).tolist()
    ([0.75, 0.0, 0.49], [8.45, 0.0, 8.19])
    """
    check_bool(repeated, "repeated")
    correction = check_correction(test_fraction, overlap)
    check_pairing(repeated, correction)
    table = check_table(scores, greater_is_better, names, matrices=8, correction=correction)
    n, k = table.n_datasets, table.n_models
    scale = float(np.abs(table.values).max()) or 1.0
    estimates, sum_of_squares = _differences(table.values / scale, table.noise / scale, repeated)
    df = (k - 1.0) * (n - 1) if repeated else k * (n - 1.0)
    standard_error = float(np.sqrt(sum_of_squares / max(df, 1.0) * correction.variance(n)))
    statistics = standardised(estimates, standard_error)
    pvalues = unless_too_few(studentized_range_pvalues(statistics, max(df, 1.0)), table)
    varies = standard_error > 0 and n > 1
    warnings = rank_warnings(table, standard_error, _EQUAL_DIFFERENCES)
    return PairwiseResult(
        names=table.names,
        statistics=unless_too_few(statistics, table, diagonal=0.0),
        pvalues=pvalues,
        pvalues_unadjusted=pvalues.copy(),
        estimates=estimates * scale,
        estimate_of="score",
        critical_difference=studentized_range_quantile(ALPHA, k, df) * standard_error * scale if varies else np.nan,
        correction=STUDENTIZED_RANGE,
        n=n,
        case=correction.case,
        standard_error=standard_error * scale if n > 1 else np.nan,
        df=df,
        method="Tukey test, " + ("repeated measures" if repeated else "one-way") + correction.suffix,
        warnings=(SPHERICITY if repeated else PAIRING_IGNORED, *warnings),
    )


def _differences(values: FloatArray, noise: FloatArray, repeated: bool) -> tuple[FloatArray, float]:
    """Differences of the means, and the residual sum of squares; what is rounding becomes 0."""
    means = values.mean(axis=0)
    estimates = means[:, None] - means[None, :]
    estimates[np.abs(estimates) <= noise.max()] = 0.0
    residuals = values - means
    if repeated:
        residuals = residuals - residuals.mean(axis=1, keepdims=True)
    if np.abs(residuals).max() <= noise.max():
        return estimates, 0.0
    return estimates, float((residuals**2).sum())
