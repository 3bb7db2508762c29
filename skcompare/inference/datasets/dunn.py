"""Dunn's test of all pairs of models by their ranks among all scores."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcompare.inference.datasets._mean_ranks import MeanRanks, compare_pairs
from skcompare.inference.datasets._omnibus import PAIRING_IGNORED
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets._scores import DataSetScores, check_table


def dunn_test(
    scores: ArrayLike, *, correction: str = "holm", greater_is_better: bool = True, names: Sequence[str] | None = None
) -> PairwiseResult:
    r"""Test every pair of models as independent samples, by their ranks among all scores (Dunn's test).

    It belongs to `kruskal_test`: all m = N k scores are ranked together, 1 is the best, and with mean ranks
    :math:`\bar R` and groups of t tied scores,

    .. math:: z = (\bar R_j - \bar R_i) \Big/
              \sqrt{\left( \frac{m (m + 1)}{12} - \frac{\sum (t^3 - t)}{12 (m - 1)} \right) \frac{2}{N}}

    is normal if all models do equally well (Dunn 1964). It ignores which scores are of the same data set, so it misses
    differences that every data set shows, and says so in a warning; it is offered because it is often asked for. It is
    not the Bonferroni-Dunn test, which is `control_test` with ``correction="bonferroni"``.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models, all in the same units.
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
        The statistic is z; estimates are differences of mean ranks among all scores, positive where i is the better
        model. There is a common critical difference with ``"none"`` and ``"bonferroni"`` only. Always with the warning
        PAIRING_IGNORED; with p-values 1 and NO_DIFFERENCE where all models are equal on every data set; with nan and
        TOO_FEW for one data set.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    conover_test, nemenyi_test : compare the models within data sets.

    References
    ----------
    O. J. Dunn (1964), Multiple comparisons using rank sums, Technometrics 6(3), 241-252,
    :doi:`10.1080/00401706.1964.10490181`.

    Examples
    --------
    >>> from skcompare.inference import dunn_test
    >>> scores = [[24.5, 28.4, 26.1], [23.5, 34.2, 28.3], [26.4, 29.5, 24.3], [27.1, 32.2, 26.2], [29.9, 30.1, 27.8]]
    >>> dunn_test(scores).pvalues.round(4).tolist()
    [[1.0, 0.04, 0.9436], [0.04, 1.0, 0.04], [0.9436, 0.04, 1.0]]
    """
    table = check_table(scores, greater_is_better, names)
    result = compare_pairs(table, _ranks(table), correction=correction, method="Dunn test")
    return dataclasses.replace(result, warnings=(PAIRING_IGNORED, *result.warnings))


def _ranks(table: DataSetScores) -> MeanRanks:
    n, k = table.n_datasets, table.n_models
    ranks = table.ranks_of_all()
    # the sum of squares around the mean is m (m^2 - 1) / 12 less a twelfth of the sum of t^3 - t
    variance = float(((ranks - (n * k + 1) / 2) ** 2).sum()) / (n * k - 1)
    return MeanRanks(
        means=ranks.mean(axis=0), standard_error=float(np.sqrt(2 * variance / n)), of="mean rank among all scores"
    )
