"""Nemenyi's test of all pairs of models by their mean ranks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._studentized_range import studentized_range_pvalue
from skcompare.inference.datasets._logical import PAIR_CORRECTIONS
from skcompare.inference.datasets._mean_ranks import (
    ALPHA,
    compare_pairs,
    differences,
    friedman_ranks,
    rank_warnings,
    standardised,
    unless_too_few,
)
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets._scores import DataSetScores, check_table
from skcompare.inference.datasets.critical_difference import critical_difference

STUDENTIZED_RANGE = "studentized_range"


def nemenyi_test(
    scores: ArrayLike,
    *,
    correction: str = STUDENTIZED_RANGE,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
) -> PairwiseResult:
    r"""Test every pair of models by the difference of their mean ranks, all pairs at once (Nemenyi's test).

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. With mean ranks
    :math:`\bar R` of k models over N data sets,

    .. math:: q_{ij} = \sqrt 2 \, \frac{\bar R_j - \bar R_i}{\sqrt{k (k + 1) / (6 N)}}

    is referred to the studentized range of k means with infinite degrees of freedom (Demsar 2006, section 3.2.2), so
    the p-values need no adjustment. Two models differ at 5% if their mean ranks differ by `critical_difference` or
    more; mean rank differences plus and minus it are simultaneous 95% intervals.

    With another `correction`, :math:`z = q / \sqrt 2` is normal and its p-values are adjusted (Garcia and Herrera
    2008): Shaffer's and Bergmann and Hommel's procedures find more differences at the same error rate.

    The mean ranks, and so the result for a pair, depend on which other models are compared (Benavoli, Corani and
    Mangili 2016); `pairwise_signed_rank_test` does not have this weakness. Ties are not allowed for, which errs towards
    large p-values.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models. Data sets may be of different difficulty and scale:
        any increasing transformation of the scores of a data set leaves the result as it is.
    correction : str, default="studentized_range"
        ``"studentized_range"`` is Nemenyi's test; ``"none"``; ``"shaffer"``; ``"bergmann"`` for up to 9 models; or a
        method of `adjust_pvalues`.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    PairwiseResult
        The statistic is :math:`q_{ij}`, or z with another `correction`; estimates are differences of mean ranks,
        positive where i is the better model. There is a common critical difference with ``"studentized_range"``,
        ``"none"`` and ``"bonferroni"``. With p-values 1 and the warning NO_DIFFERENCE where all models are equal on
        every data set; with nan and the warning TOO_FEW for one data set; with CANNOT_REJECT where the data sets are
        too few for any p < 0.05 of Nemenyi's test.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    critical_difference : for any number of models and data sets, and any level.
    control_test : comparisons with one model only, which are fewer.

    References
    ----------
    P. B. Nemenyi (1963), Distribution-free multiple comparisons, PhD thesis, Princeton University.

    S. Garcia and F. Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple
    data sets" for all pairwise comparisons, JMLR 9, 2677-2694.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    A. Benavoli, G. Corani and F. Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, Journal of
    Machine Learning Research 17(5), 1-10.

    Examples
    --------
    Three models on six data sets:

    >>> from skcompare.inference import nemenyi_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = nemenyi_test(scores, names=["a", "b", "c"])
    >>> round(result.critical_difference, 2), result.estimates[0].round(2).tolist()
    (1.35, [0.0, 0.75, 1.75])
    >>> result.pvalues[0].round(4).tolist()
    [1.0, 0.3957, 0.0069]
    >>> result.groups()
    {'a': 'a', 'b': 'ab', 'c': 'b'}
    """
    check_choice(correction, "correction", (STUDENTIZED_RANGE, *PAIR_CORRECTIONS))
    table = check_table(scores, greater_is_better, names)
    ranks = friedman_ranks(table)
    if correction != STUDENTIZED_RANGE:
        return compare_pairs(table, ranks, correction=correction, method="mean ranks of all pairs")
    estimates = differences(ranks.means)
    statistics = np.sqrt(2) * standardised(estimates, ranks.standard_error)
    pvalues = unless_too_few(_pvalues(statistics), table)
    least = critical_difference(table.n_models, table.n_datasets, ALPHA)
    return PairwiseResult(
        names=table.names,
        statistics=unless_too_few(statistics, table, diagonal=0.0),
        pvalues=pvalues,
        pvalues_unadjusted=pvalues.copy(),
        estimates=estimates,
        estimate_of=ranks.of,
        critical_difference=least if table.n_datasets > 1 else float("nan"),
        correction=STUDENTIZED_RANGE,
        n=table.n_datasets,
        method="Nemenyi test",
        warnings=rank_warnings(table, ranks.standard_error) or _warnings(table, least),
    )


def _pvalues(statistics: FloatArray) -> FloatArray:
    k = len(statistics)
    first, second = np.triu_indices(k, 1)
    pvalues = np.ones((k, k))
    pvalues[first, second] = pvalues[second, first] = studentized_range_pvalue(statistics[first, second], k)
    return pvalues


def _warnings(table: DataSetScores, least: float) -> tuple[CodedWarning, ...]:
    if least < table.n_models - 1:
        return ()
    return (Code.CANNOT_REJECT(f"{table.n_datasets} data sets cannot give p < 0.05 for any pair, however unanimous."),)
