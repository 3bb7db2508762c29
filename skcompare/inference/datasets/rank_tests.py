"""Quade's tests of many models on many data sets, together and pair by pair."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Names, check_bool, check_choice
from skcompare.inference._records import f_pvalue
from skcompare.inference.datasets import scores as omnibus
from skcompare.inference.datasets.pairwise import MeanRanks, PairwiseResult, aligned_ranks, compare_pairs, quade_ranks

QuadeReference = Literal["t", "normal"]


@omnibus.says_what_it_needs
def quade_test(
    scores: ArrayLike, *, tie_correction: bool = True, greater_is_better: bool = True, names: Names = None
) -> omnibus.OmnibusResult:
    r"""Test that many models do equally well on many data sets, from ranks weighted by data set (Quade's test).

    Data sets on which the models lie further apart weigh more: :math:`Q_i` is the rank of the range of the scores of
    data set i among the N ranges. With rank :math:`r_{ij}` of model j of k, 1 is the best,
    :math:`S_{ij} = Q_i (r_{ij} - (k + 1) / 2)` and sums :math:`S_j`,

    .. math:: F = \frac{(N - 1) B}{A - B}, \quad A = \sum_{ij} S_{ij}^2, \quad B = \frac{1}{N} \sum_j S_j^2

    on :math:`k - 1` and :math:`(k - 1)(N - 1)` degrees of freedom (Quade 1979; Conover 1999, section 5.8). Where
    :math:`A = B`, all data sets rank the models alike and have one range; F is infinite then and the p-value is the
    exact one.

    Ranges are compared over data sets, which is meaningful only where a difference of one size means the same on all
    of them.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models, all in the same units.
    tie_correction : bool, default=True
        Whether A is computed from the ranks with their ties. Without, it is
        :math:`N (N + 1) (2 N + 1) k (k + 1) (k - 1) / 72`, what it is when nothing is tied.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    OmnibusResult
        Its `effect_size` is :math:`B / A`, Kendall's W of the weighted ranks, and its `means` are the mean ranks
        weighted by :math:`Q_i`. With p-value 1 and the warning NO_DIFFERENCE where all models are equal on every data
        set; with nan and the warning TOO_LITTLE_DATA for one data set.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is not what it should be.

    See Also
    --------
    friedman_test : all data sets weigh the same; needs no common units.

    References
    ----------
    D. Quade (1979), Using weighted rankings in the analysis of complete blocks with additive block effects, Journal
    of the American Statistical Association 74, 680-683, :doi:`10.1080/01621459.1979.10481670`.

    W. J. Conover (1999), Practical Nonparametric Statistics, third edition, Wiley.

    Examples
    --------
    >>> from skcompare.inference import quade_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = quade_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (8.6226, 0.0067)
    """
    check_bool(tie_correction, "tie_correction")
    table = omnibus.check_table(scores, greater_is_better, names)
    n, k = table.n_datasets, table.n_models
    ranks, weights = table.ranks(), table.range_ranks()
    weighted = weights[:, None] * (ranks - (k + 1) / 2)
    untied = n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72  # the sum of squares when nothing is tied
    agreement = omnibus.concordance(weighted, None if tie_correction else untied)
    statistic, df = omnibus.f_ratio(agreement, n), (k - 1.0, (k - 1.0) * (n - 1))
    pvalue = omnibus.agreement_pvalue(ranks) if np.isinf(statistic) else f_pvalue(statistic, df)
    found = omnibus.answer(ranks, statistic, pvalue)
    method = "Quade test" + ("" if tie_correction else " without tie correction")
    effect, means = ("Kendall's W of the weighted ranks", agreement), ("weighted rank", weights @ ranks / weights.sum())
    return table.omnibus(method, found, df, effect, means, exact=bool(np.isinf(found[0])))


@omnibus.says_what_it_needs
def quade_posthoc_test(
    scores: ArrayLike,
    *,
    reference: QuadeReference = "t",
    correction: str = "holm",
    greater_is_better: bool = True,
    names: Names = None,
) -> PairwiseResult:
    r"""Test every pair of models by their ranks weighted by data set, adjusted for the number of pairs (Quade).

    Data sets on which the models lie further apart weigh more. With :math:`S_{ij} = Q_i (r_{ij} - (k + 1) / 2)` as in
    `quade_test`, their sums :math:`S_j`, :math:`A = \sum S_{ij}^2` and :math:`B = \sum_j S_j^2 / N`,

    .. math:: t = \frac{S_j - S_i}{\sqrt{2 N (A - B) / ((N - 1)(k - 1))}}

    on :math:`(N - 1)(k - 1)` degrees of freedom (Conover 1999, section 5.8), or, by the variance over all permutations
    within the data sets,

    .. math:: z = \frac{S_j - S_i}{\sqrt{2 A / (k - 1)}}

    which is normal if all models do equally well. Without ties the variance of z's numerator over
    :math:`N^2 (N + 1)^2 / 4`, the squared sum of the weights, is :math:`k (k + 1)(2 N + 1) / (9 N (N + 1))`. Garcia et
    al. (2010) and programs after them print :math:`(k - 1) / 2` times that, as they leave out that the ranks within a
    data set are negatively correlated: for 4 models on 24 data sets 0.272 in place of 0.181, which simulation confirms.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models, all in the same units.
    reference : {"t", "normal"}, default="t"
        Which of the two statistics.
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
        Estimates are differences of mean ranks weighted by :math:`Q_i`, positive where i is the better model. There is
        a common critical difference with ``"none"`` and ``"bonferroni"`` only. With p-values 1 and the warning
        NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_LITTLE_DATA for one data set; with
        ZERO_VARIANCE where all data sets rank the models alike and have one range: t is infinite then, and the
        unadjusted p-value is that of the sign test on N data sets that agree, :math:`2^{1 - N}`.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    quade_test : whether there is any difference at all.

    References
    ----------
    D. Quade (1979), Using weighted rankings in the analysis of complete blocks with additive block effects, Journal
    of the American Statistical Association 74, 680-683, :doi:`10.1080/01621459.1979.10481670`.

    W. J. Conover (1999), Practical Nonparametric Statistics, third edition, Wiley.

    S. Garcia, A. Fernandez, J. Luengo and F. Herrera (2010), Advanced nonparametric tests for multiple comparisons in
    the design of experiments in computational intelligence and data mining, Information Sciences 180, 2044-2064,
    :doi:`10.1016/j.ins.2009.12.010`.

    Examples
    --------
    >>> from skcompare.inference import quade_posthoc_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> quade_posthoc_test(scores).pvalues.round(4)[0].tolist()
    [1.0, 0.2662, 0.0071]
    """
    check_choice(reference, "reference", get_args(QuadeReference))
    table = omnibus.check_table(scores, greater_is_better, names, matrices=8)
    ranks = quade_ranks(table, estimated=reference == "t")
    return compare_pairs(table, ranks, correction=correction, method=f"Quade test of all pairs, {reference}")


# The aligned ranks tests of many models on many data sets, together and pair by pair.


@omnibus.says_what_it_needs
def aligned_ranks_test(
    scores: ArrayLike, *, tie_correction: bool = False, greater_is_better: bool = True, names: Names = None
) -> omnibus.OmnibusResult:
    r"""Test that many models do equally well on many data sets, from aligned ranks (Hodges and Lehmann's).

    The mean of each data set is subtracted from its scores, and all N k differences are ranked together, 1 is the
    best. With aligned rank :math:`r_{ij}`, sums :math:`R_j` of models and :math:`R_i` of data sets,

    .. math:: T = \frac{(k - 1) \left( \sum_j R_j^2 - k N^2 (N k + 1)^2 / 4 \right)}
                       {\sum_{ij} r_{ij}^2 - \sum_i R_i^2 / k}

    on :math:`k - 1` degrees of freedom of chi-squared (Garcia et al. 2010, who write the first term of the denominator
    as :math:`N k (N k + 1) (2 N k + 1) / 6`, which it is without ties).

    Differences are compared over data sets, which says more than Friedman's ranks where few models are compared, and
    is meaningful only where a difference of one size means the same on all data sets.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, at least two models, all in the same units.
    tie_correction : bool, default=False
        Whether the statistic allows for tied aligned ranks. Without, it is Garcia et al.'s, a little too small where
        there are ties.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    OmnibusResult
        Its `effect_size` is :math:`T / (N (k - 1))`, the share of the models in the sum of squares of the aligned ranks
        within data sets, and its `means` are the mean aligned ranks. With p-value 1 and the warning NO_DIFFERENCE where
        all models are equal on every data set; with nan and the warning TOO_LITTLE_DATA for one data set.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is not what it should be.

    See Also
    --------
    friedman_test : needs no common units.

    References
    ----------
    J. L. Hodges and E. L. Lehmann (1962), Rank methods for combination of independent experiments in analysis of
    variance, Annals of Mathematical Statistics 33, 482-497, :doi:`10.1214/aoms/1177704575`.

    S. Garcia, A. Fernandez, J. Luengo and F. Herrera (2010), Advanced nonparametric tests for multiple comparisons in
    the design of experiments in computational intelligence and data mining, Information Sciences 180, 2044-2064,
    :doi:`10.1016/j.ins.2009.12.010`.

    Examples
    --------
    >>> from skcompare.inference import aligned_ranks_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = aligned_ranks_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (8.8082, 0.0122)
    """
    check_bool(tie_correction, "tie_correction")
    table = omnibus.check_table(scores, greater_is_better, names)
    n, k = table.n_datasets, table.n_models
    ranks = table.aligned_ranks()
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    m = n * k  # without ties the ranks would have this sum of squares around the means of the data sets
    untied = float(m * (m + 1) * (2 * m + 1) / 6 - (ranks.sum(axis=1) ** 2).sum() / k)
    agreement = omnibus.concordance(centred, None if tie_correction else untied)
    statistic = n * (k - 1) * agreement
    found = omnibus.answer(table.ranks(), statistic, omnibus.chi2_pvalue(statistic, k - 1))
    method = "aligned ranks test" + ("" if tie_correction else " without tie correction")
    effect = ("share of the aligned ranks' sum of squares", agreement)
    return table.omnibus(method, found, (k - 1.0,), effect, ("aligned rank", ranks.mean(axis=0)))


@omnibus.says_what_it_needs
def aligned_ranks_posthoc_test(
    scores: ArrayLike, *, correction: str = "holm", greater_is_better: bool = True, names: Names = None
) -> PairwiseResult:
    r"""Test every pair of models by their mean aligned ranks, adjusted for the number of pairs.

    The mean of each data set is subtracted from its scores, and all N k differences are ranked together, 1 is the
    best. With aligned rank :math:`r_{ij}`, means :math:`\bar r_j` of models and :math:`\bar r_i` of data sets,

    .. math:: z = \frac{\bar r_j - \bar r_i}{\sqrt{V}}, \quad
              V = \frac{2}{N^2 (k - 1)} \sum_{ij} (r_{ij} - \bar r_i)^2

    is normal if all models do equally well; V is the variance over all permutations within the data sets, near
    :math:`k^2 (k N + 1) / (6 (k - 1))`. Programs after Garcia et al. (2010) have :math:`k (k N + 1) / 6` in its place,
    which leaves out that the ranks within a data set are negatively correlated and rejects too often: for 4 models on
    24 data sets it is 64.7, the approximation above 86.2, and the variance found by simulation 83.

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
        The statistic is z; estimates are differences of mean aligned ranks, positive where i is the better model. There
        is a common critical difference with ``"none"`` and ``"bonferroni"`` only. With p-values 1 and the warning
        NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_LITTLE_DATA for one data set.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, or an option is unknown.

    See Also
    --------
    aligned_ranks_test : whether there is any difference at all.

    References
    ----------
    J. L. Hodges and E. L. Lehmann (1962), Rank methods for combination of independent experiments in analysis of
    variance, Annals of Mathematical Statistics 33, 482-497, :doi:`10.1214/aoms/1177704575`.

    S. Garcia, A. Fernandez, J. Luengo and F. Herrera (2010), Advanced nonparametric tests for multiple comparisons in
    the design of experiments in computational intelligence and data mining, Information Sciences 180, 2044-2064,
    :doi:`10.1016/j.ins.2009.12.010`.

    Examples
    --------
    >>> from skcompare.inference import aligned_ranks_posthoc_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> aligned_ranks_posthoc_test(scores).pvalues.round(4)[0].tolist()
    [1.0, 0.4155, 0.0118]
    """
    table = omnibus.check_table(scores, greater_is_better, names, matrices=8)
    return compare_pairs(table, aligned_ranks(table), correction=correction, method="aligned ranks test of all pairs")


# Kruskal and Wallis's test of many models on many data sets, and Dunn's of all pairs of them.


@omnibus.says_what_it_needs
def kruskal_test(scores: ArrayLike, *, greater_is_better: bool = True, names: Names = None) -> omnibus.OmnibusResult:
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
        equal on every data set; with nan and the warning TOO_LITTLE_DATA for one data set.

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
    table = omnibus.check_table(scores, greater_is_better, names)
    n, k = table.n_datasets, table.n_models
    ranks = table.ranks_of_all()
    middle = (n * k + 1) / 2
    between, total = n * ((ranks.mean(axis=0) - middle) ** 2).sum(), ((ranks - middle) ** 2).sum()
    share = float(between / total) if total else 0.0
    statistic = (n * k - 1) * share
    statistic, pvalue, warnings = omnibus.answer(table.ranks(), statistic, omnibus.chi2_pvalue(statistic, k - 1))
    found = statistic, pvalue, (omnibus.PAIRING_IGNORED, *warnings)
    means = ("rank among all scores", ranks.mean(axis=0))
    return table.omnibus("Kruskal-Wallis test", found, (k - 1.0,), ("epsilon squared", share), means)


@omnibus.says_what_it_needs
def dunn_test(
    scores: ArrayLike, *, correction: str = "holm", greater_is_better: bool = True, names: Names = None
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
        TOO_LITTLE_DATA for one data set.

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
    table = omnibus.check_table(scores, greater_is_better, names, matrices=8)
    of_all = table.ranks_of_all()
    # the sum of squares around the mean is m (m^2 - 1) / 12 less a twelfth of the sum of t^3 - t
    error = float(np.sqrt(2 * of_all.var(ddof=1) / table.n_datasets))
    ranks = MeanRanks(means=of_all.mean(axis=0), standard_error=error, of="mean rank among all scores")
    return compare_pairs(table, ranks, correction=correction, method="Dunn test", warnings=(omnibus.PAIRING_IGNORED,))
