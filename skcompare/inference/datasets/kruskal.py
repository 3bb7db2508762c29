"""Kruskal and Wallis's test of many models on many data sets, and Dunn's of all pairs of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from skcompare.inference.datasets._mean_ranks import MeanRanks, compare_pairs
from skcompare.inference.datasets._needed import says_what_it_needs
from skcompare.inference.datasets._omnibus import PAIRING_IGNORED, OmnibusResult, chi2_pvalue, degenerate_answer
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets._scores import check_table


@says_what_it_needs
def kruskal_test(
    scores: ArrayLike, *, greater_is_better: bool = True, names: Sequence[str] | None = None
) -> OmnibusResult:
    r"""Test that many models do equally well, as if each had its own data sets (Kruskal and Wallis's test).

    All :math:`m = N k` scores are ranked together, 1 is the best. With rank :math:`r_{ij}` and mean rank
    :math:`\bar r_j` of model j,

    .. math:: H = \frac{(m - 1) \sum_{ij} (\bar r_j - (m + 1) / 2)^2}{\sum_{ij} (r_{ij} - (m + 1) / 2)^2}

    on :math:`k - 1` degrees of freedom of chi-squared (Kruskal and Wallis 1952, with their correction for ties).

    It is not meant for models that share their data sets: how hard each data set is adds to the noise, and differences
    that every data set shows are missed. It is offered because it is often asked for; `friedman_test` is the test for
    such tables.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models, all in the same units.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    OmnibusResult
        Its `effect_size` is epsilon squared, :math:`H / (m - 1)`, and its `means` are the mean ranks among all scores.
        Always with the warning PAIRING_IGNORED. With p-value 1 and the warning NO_DIFFERENCE where all models are
        equal on every data set; with nan and the warning TOO_FEW for one data set.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is not what it should be.

    See Also
    --------
    friedman_test : for models that share their data sets.

    References
    ----------
    W. H. Kruskal and W. A. Wallis (1952), Use of ranks in one-criterion variance analysis, Journal of the American
    Statistical Association 47, 583-621, :doi:`10.1080/01621459.1952.10483441`.

    Examples
    --------
    >>> from skcompare.inference import kruskal_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = kruskal_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (0.8518, 0.6532)
    """
    table = check_table(scores, greater_is_better, names)
    n, k = table.n_datasets, table.n_models
    ranks = table.ranks_of_all()
    middle = (n * k + 1) / 2
    between, total = n * ((ranks.mean(axis=0) - middle) ** 2).sum(), ((ranks - middle) ** 2).sum()
    share = float(between / total) if total else 0.0
    statistic = (n * k - 1) * share
    statistic, pvalue, warnings = degenerate_answer(table.ranks()) or (statistic, chi2_pvalue(statistic, k - 1), ())
    return OmnibusResult(
        statistic=statistic,
        pvalue=pvalue,
        df=(k - 1.0,),
        effect_size=share if n > 1 else np.nan,
        effect_size_name="epsilon squared",
        means=ranks.mean(axis=0),
        means_of="rank among all scores",
        names=table.names,
        n=n,
        exact=False,
        method="Kruskal-Wallis test",
        warnings=(PAIRING_IGNORED, *warnings),
    )


@says_what_it_needs
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
    table = check_table(scores, greater_is_better, names, matrices=8)
    of_all = table.ranks_of_all()
    # the sum of squares around the mean is m (m^2 - 1) / 12 less a twelfth of the sum of t^3 - t
    error = float(np.sqrt(2 * of_all.var(ddof=1) / table.n_datasets))
    ranks = MeanRanks(means=of_all.mean(axis=0), standard_error=error, of="mean rank among all scores")
    return compare_pairs(table, ranks, correction=correction, method="Dunn test", warnings=(PAIRING_IGNORED,))
