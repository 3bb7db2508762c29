"""Conover's test of all pairs of models by their mean ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.warnings import Code
from skcompare.inference.datasets._mean_ranks import MeanRanks, compare_pairs
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets._scores import DataSetScores, check_table

WEAK_CONTROL = Code.WEAK_CONTROL(
    "its variance is that of the ranks of all models, so where some are far apart it calls equal ones "
    "different in up to 61% of simulated cases."
)


def conover_test(
    scores: ArrayLike, *, correction: str = "holm", greater_is_better: bool = True, names: Sequence[str] | None = None
) -> PairwiseResult:
    r"""Test every pair of models by a t statistic on their rank sums, adjusted for the number of pairs (Conover).

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. With rank :math:`r_{ij}` on
    data set i of N and rank sum :math:`R_j` of model j of k,

    .. math:: t = \frac{R_j - R_i}{\sqrt{2 (N \sum r^2 - \sum_j R_j^2) / ((N - 1)(k - 1))}}

    on :math:`(N - 1)(k - 1)` degrees of freedom (Conover 1999, section 5.8). The variance is estimated from the ranks
    of all models, so it shrinks where some of them are far apart, and two equal models among them are then called
    different in up to 61% of simulated cases (15 data sets, 10 models, Holm): it holds its level only where all
    models are equal. `nemenyi_test` and `pairwise_signed_rank_test` do not suffer from this. Conover's own test does
    not adjust the p-values and keeps the error rate of each pair only: that is ``correction="none"``.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models. Any increasing transformation of the scores of a data
        set leaves the result as it is.
    correction : str, default="holm"
        ``"none"``, or an adjustment that holds for any tests, ``"bonferroni"`` and ``"holm"`` among them: see
        `adjust_pvalues`. ``"shaffer"``, and ``"bergmann"`` for up to 9 models, also use that equality is transitive.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    PairwiseResult
        The statistic is t; estimates are differences of mean ranks, positive where i is the better model. There is a
        common critical difference with ``"none"`` and ``"bonferroni"`` only. With p-values 1 and the warning
        NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_FEW for one data set; with
        ZERO_VARIANCE where all data sets rank the models alike: t is infinite then, and the unadjusted p-value is that
        of the sign test on N data sets that agree, :math:`2^{1 - N}`.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    nemenyi_test : simultaneous for all pairs.

    References
    ----------
    W. J. Conover (1999), Practical Nonparametric Statistics, third edition, Wiley.

    Examples
    --------
    >>> from skcompare.inference import conover_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = conover_test(scores)
    >>> result.pvalues.round(4).tolist()
    [[1.0, 0.0209, 0.0002], [0.0209, 1.0, 0.0089], [0.0002, 0.0089, 1.0]]
    """
    table = check_table(scores, greater_is_better, names)
    result = compare_pairs(table, _ranks(table), correction=correction, method="Conover test")
    return replace(result, warnings=(WEAK_CONTROL, *result.warnings))


def _ranks(table: DataSetScores) -> MeanRanks:
    n, k = table.n_datasets, table.n_models
    ranks = table.ranks()
    sums = ranks.sum(axis=0)
    spread = 2 * float(n * (ranks**2).sum() - (sums**2).sum())
    df = (n - 1) * (k - 1)
    return MeanRanks(means=sums / n, standard_error=float(np.sqrt(spread / max(df, 1)) / n), df=df)
