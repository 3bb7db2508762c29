"""Quade's tests of many models on many data sets, together and pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import check_choice
from skcompare.inference._base import f_pvalue
from skcompare.inference.datasets import _omnibus as omnibus
from skcompare.inference.datasets._mean_ranks import compare_pairs, quade_ranks
from skcompare.inference.datasets._needed import says_what_it_needs
from skcompare.inference.datasets._omnibus import OmnibusResult
from skcompare.inference.datasets._pairwise import PairwiseResult
from skcompare.inference.datasets._scores import check_bool, check_table

QuadeReference = Literal["t", "normal"]


@says_what_it_needs
def quade_test(
    scores: ArrayLike,
    *,
    tie_correction: bool = True,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
) -> OmnibusResult:
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
        set; with nan and the warning TOO_FEW for one data set.

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
    table = check_table(scores, greater_is_better, names)
    n, k = table.n_datasets, table.n_models
    ranks, weights = table.ranks(), table.range_ranks()
    weighted = weights[:, None] * (ranks - (k + 1) / 2)
    agreement = omnibus.concordance(weighted, None if tie_correction else _untied_total(n, k))
    statistic, df = omnibus.f_ratio(agreement, n), (k - 1.0, (k - 1.0) * (n - 1))
    regular = statistic, omnibus.agreement_pvalue(ranks) if np.isinf(statistic) else f_pvalue(statistic, df), ()
    statistic, pvalue, warnings = omnibus.degenerate_answer(ranks) or regular
    return OmnibusResult(
        statistic=statistic,
        pvalue=pvalue,
        df=df,
        effect_size=agreement if n > 1 else np.nan,
        effect_size_name="Kendall's W of the weighted ranks",
        means=weights @ ranks / weights.sum(),
        means_of="weighted rank",
        names=table.names,
        n=n,
        exact=bool(np.isinf(statistic)),
        method="Quade test" + ("" if tie_correction else " without tie correction"),
        warnings=warnings,
    )


def _untied_total(n: int, k: int) -> float:
    """The sum of squares of the weighted ranks when nothing is tied."""
    return n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72


@says_what_it_needs
def quade_posthoc_test(
    scores: ArrayLike,
    *,
    reference: QuadeReference = "t",
    correction: str = "holm",
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
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
        NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_FEW for one data set; with
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
    table = check_table(scores, greater_is_better, names, matrices=8)
    ranks = quade_ranks(table, estimated=reference == "t")
    return compare_pairs(table, ranks, correction=correction, method=f"Quade test of all pairs, {reference}")
