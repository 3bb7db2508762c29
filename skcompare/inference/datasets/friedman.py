"""Friedman's test of many models on many data sets, or on the splits of one."""

from __future__ import annotations

from dataclasses import replace
from math import prod
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse.csgraph import connected_components

from skcompare._core.numbers import agreeing, counted
from skcompare._core.validation import FloatArray, Names, check_bool, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._kinds import share_of
from skcompare.inference._records import ROUNDING, check_correction, f_pvalue
from skcompare.inference.datasets import scores as omnibus
from skcompare.inference.outcomes.agreement import n_arrangements, rearranged_pvalue

FriedmanStatistic = Literal["f", "chi2"]
FriedmanMethod = Literal["auto", "asymptotic", "exact"]

# Numbers that the exact p-value may compute: a tenth of a second, and one or two seconds.
_AUTO_MOST = 3_000_000
_EXACT_MOST = 30_000_000
# Demsar (2006), section 3.2.2: the chi-squared approximation needs more data sets, and more models, than these.
_FEW_DATASETS, _FEW_MODELS = 10, 5
# On fewer data sets F has too few values: that of 3 models on 3 rejects 19.4% of true nulls, of 4 models on 3 7.5%.
FEW_FOR_F = 6
_ALL_ALIKE = Code.ZERO_VARIANCE(
    "all splits rank the models alike, so the ranks do not vary; the p-value is that of as many independent splits as "
    "these are worth."
)


@omnibus.says_what_it_needs
def friedman_test(
    scores: ArrayLike,
    *,
    statistic: FriedmanStatistic = "f",
    tie_correction: bool = True,
    method: FriedmanMethod = "asymptotic",
    greater_is_better: bool = True,
    names: Names = None,
    test_fraction: float = 0.0,
    overlap: float = 1.0,
) -> omnibus.OmnibusResult:
    r"""Test that many models do equally well on many data sets, from their ranks (Friedman's test).

    Models are ranked on each data set, 1 is the best, equal scores share their mean rank. With rank :math:`r_{ij}` on
    data set i of N and rank sum :math:`R_j` of model j of k,

    .. math:: \chi^2 = \frac{(k - 1) \sum_j (R_j - N (k + 1) / 2)^2}{\sum_{ij} r_{ij}^2 - N k (k + 1)^2 / 4}

    on :math:`k - 1` degrees of freedom (Conover 1999, section 5.8). Without ties the denominator is
    :math:`N k (k^2 - 1) / 12`, and this is Friedman's own formula, in section 3.2.2 of Demsar (2006);
    ``tie_correction=False`` uses that denominator always. As the chi-squared statistic is conservative, Iman and
    Davenport (1980) refer

    .. math:: F = \frac{(N - 1) \chi^2}{N (k - 1) - \chi^2}

    to F with :math:`k - 1` and :math:`(k - 1)(N - 1)` degrees of freedom. Where all data sets rank the models alike
    it is infinite, and the p-value is the exact one.

    The exact p-value is the share of all arrangements of the ranks within the data sets, ties kept, whose rank sums
    are at least as uneven. It is the same for every `statistic` and `tie_correction`.

    On N splits of one data set F, which is an analysis of variance of the ranks, is divided by
    :math:`1 + N \rho / (1 - \rho)` with the test fraction :math:`\rho`, as splits share training samples, as in
    `corrected_t_test`. That takes the ranks on two splits to be correlated as their scores are. Splits cannot be
    exchanged one by one, so there is no chi-squared and no exact p-value; where all splits rank the models alike,
    they count as :math:`1 / (1 / N + \rho / (1 - \rho))` independent ones.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set, or per split with a `test_fraction`, and model, at least two models. Data sets may be
        of different difficulty and scale: any increasing transformation of the scores of a data set leaves the result
        as it is.
    statistic : {"f", "chi2"}, default="f"
        Iman and Davenport's F ratio, the only one on splits, or the chi-squared statistic.
    tie_correction : bool, default=True
        Whether the statistic allows for ties. Without, it is too small where there are ties.
    method : {"asymptotic", "exact", "auto"}, default="asymptotic"
        ``"asymptotic"`` is the distribution of `statistic`, except where all data sets rank the models alike; that of
        F rejects close to 5% of true nulls from 6 data sets on, and up to 19% on fewer: there results take
        ``"auto"``. ``"exact"`` takes up to about two seconds. ``"auto"``
        is exact where that takes no more than about a tenth of a second: without ties up to some 600 data sets of 2
        models, 80 of 3, 20 of 4, 7 of 5, 3 of 6, 2 of 7; with ties, which make more different rank sums, somewhat
        fewer; which it was, the result says. On splits it is asymptotic.
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
    OmnibusResult
        Its `effect_size` is Kendall's W, :math:`\chi^2 / (N (k - 1))`, and its `means` are the mean ranks. With p-value
        1 and the warning NO_DIFFERENCE where all models are equal on every data set; with nan and the warning
        TOO_LITTLE_DATA for one data set or split; with APPROXIMATE where the chi-squared approximation is in doubt;
        with ZERO_VARIANCE where all splits rank the models alike.

    Raises
    ------
    ValueError
        If the scores are not finite or of another shape, an option is unknown or not one for splits, or the exact
        p-value would have too much to enumerate.

    See Also
    --------
    skillings_mack_test : where scores are missing.
    aligned_ranks_test, quade_test : use the size of differences too, and need scores that are comparable over data
        sets.

    References
    ----------
    M. Friedman (1937), The use of ranks to avoid the assumption of normality implicit in the analysis of variance,
    Journal of the American Statistical Association 32, 675-701, :doi:`10.1080/01621459.1937.10503522`.

    R. L. Iman and J. M. Davenport (1980), Approximations of the critical region of the Friedman statistic,
    Communications in Statistics 9, 571-595, :doi:`10.1080/03610928008827904`.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    W. J. Conover (1999), Practical Nonparametric Statistics, third edition, Wiley.

    Examples
    --------
    Three models on six data sets:

    >>> from skcompare.inference import friedman_test
    >>> scores = [[0.91, 0.89, 0.85], [0.72, 0.70, 0.64], [0.88, 0.90, 0.81],
    ...           [0.95, 0.93, 0.93], [0.67, 0.66, 0.58], [0.80, 0.78, 0.77]]
    >>> result = friedman_test(scores)
    >>> round(result.statistic, 4), round(result.pvalue, 4), round(result.effect_size, 4)
    (20.5556, 0.0003, 0.8043)
    >>> round(friedman_test(scores, method="exact").pvalue, 4)
    0.0028
    >>> result.means.round(2).tolist()
    [1.17, 1.92, 2.92]
    """
    check_choice(statistic, "statistic", get_args(FriedmanStatistic))
    check_choice(method, "method", get_args(FriedmanMethod))
    check_bool(tie_correction, "tie_correction")
    correction = check_correction(test_fraction, overlap)
    for name, given, only in (("statistic", statistic, "f"), ("method", method, "asymptotic")):
        if correction.test_fraction and given != only:
            raise ValueError(
                f"{name} must be {only!r} on splits, which share training samples and cannot be exchanged one by one; "
                f"got {given!r} with test_fraction={correction.test_fraction:g}"
            )
    table = omnibus.check_table(scores, greater_is_better, names, correction=correction)
    n, k = table.n_datasets, table.n_models
    ranks, warnings = table.ranks(), tuple[CodedWarning, ...]()
    agreement = omnibus.concordance(ranks - (k + 1) / 2, None if tie_correction else n * k * (k**2 - 1) / 12)
    value, called = n * (k - 1) * agreement, "chi-squared"
    df: tuple[float, ...] = (k - 1.0,)
    if statistic == "f":
        value, called = omnibus.f_ratio(agreement, n) / (n * correction.variance(n)), "Iman and Davenport's F"
        df = (k - 1.0, (k - 1.0) * (n - 1))
    degenerate = omnibus.degenerate_answer(ranks, correction.case)
    if degenerate is not None:
        value, pvalue, warnings = degenerate
        exact = n > 1 and not correction.test_fraction
    elif np.isinf(value) and correction.test_fraction:
        pvalue, exact = omnibus.agreement_pvalue(ranks, 1 / correction.variance(n)), False
        warnings = (_ALL_ALIKE,)
    elif (known := _exact_pvalue(ranks, method, agree=bool(np.isinf(value)))) is not None:
        pvalue, exact = known, True
    else:
        pvalue, exact = f_pvalue(value, (df[0], df[1])) if len(df) == 2 else omnibus.chi2_pvalue(value, *df), False
        if statistic == "chi2" and (n <= _FEW_DATASETS or k <= _FEW_MODELS):
            few = f"the chi-squared approximation is in doubt with {n} data sets and {k} models, as it needs more than "
            better = "the exact p-value and the F statistic are nearer the truth."
            warnings = (Code.APPROXIMATE(f"{few}{_FEW_DATASETS} and {_FEW_MODELS}; {better}"),)
    n_extreme, n_rearrangements = _counts(ranks, pvalue) if exact else (0, 0)
    untied = "" if tie_correction else " without tie correction"
    called = f"Friedman test, {called}{untied}{', exact' if exact else ''}{correction.suffix}"
    effect, means = ("Kendall's W", agreement), ("rank", ranks.mean(axis=0))
    more = {"exact": exact, "n_rearrangements": n_rearrangements, "n_extreme": n_extreme}
    return table.omnibus(called, (value, pvalue, warnings), df, effect, means, **more)


def _exact_pvalue(ranks: FloatArray, method: str, *, agree: bool) -> float | None:
    """The exact p-value where `method` wants it, or where all data sets `agree`; else None."""
    if agree:
        return omnibus.agreement_pvalue(ranks)
    if method == "asymptotic":
        return None
    n, k = ranks.shape
    # whole numbers that sum to 0 on each data set
    doubled = np.rint(2 * ranks).astype(np.int64) - (k + 1)
    pvalue = rearranged_pvalue(doubled, _EXACT_MOST if method == "exact" else _AUTO_MOST)
    if pvalue is None and method == "exact":
        raise ValueError(
            f"method must be 'auto' or 'asymptotic' where {n} data sets of {k} models have too many arrangements to "
            f"enumerate; got 'exact'"
        )
    return pvalue


def _counts(ranks: FloatArray, pvalue: float) -> tuple[int, int]:
    """Of an exact p-value, how many arrangements are at least as uneven, and how many there are."""
    if (ranks == ranks[0]).all():  # all alike, in any order; without a float, which does not hold so many
        alike = n_arrangements(ranks[0].tolist())
        return alike, alike ** len(ranks)
    n_rearrangements = prod(map(n_arrangements, ranks.tolist()))
    return share_of(pvalue, n_rearrangements), n_rearrangements


# Skillings and Mack's test of many models on many data sets, some of the scores missing.


@omnibus.says_what_it_needs
def skillings_mack_test(
    scores: ArrayLike, *, tie_correction: bool = True, greater_is_better: bool = True, names: Names = None
) -> omnibus.OmnibusResult:
    r"""Test that many models do equally well on many data sets where scores are missing (Skillings and Mack's test).

    It is Friedman's test for tables with holes. The :math:`k_i` models that have a score on data set i are ranked
    there, 1 is the best; with rank :math:`r_{ij}` of model j, and over the data sets that have it,

    .. math:: A_j = \sum_i \sqrt{\frac{12}{k_i + 1}} \left( r_{ij} - \frac{k_i + 1}{2} \right), \quad
              T = A^\top \Sigma^- A

    with the covariance matrix :math:`\Sigma` of A and a generalised inverse, on :math:`k - 1` degrees of freedom of
    chi-squared (Skillings and Mack 1981). Without ties, :math:`-\Sigma_{jl}` is the number of data sets with both
    models, and :math:`\Sigma_{jj}` the sum of these numbers over l. With ties, ranks vary less: the covariance over
    the arrangements of the tied ranks is used, unless ``tie_correction=False`` asks for the other one.

    On a complete table the statistic is the chi-squared of `friedman_test` with the same `tie_correction`.

    A score must be missing for reasons that have nothing to do with how good it would have been. A model that failed
    on a data set because it did badly there is not missing but last.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, nan where there is none; at least two models, each with a score. Data sets
        may be of different difficulty and scale.
    tie_correction : bool, default=True
        Whether the covariance matrix allows for ties. Without, the statistic is too small where there are ties.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    OmnibusResult
        Its `effect_size` is :math:`T / \sum_i (k_i - 1)`, the share of the largest value that T could have: Kendall's W
        of a complete table. Its `means` are the mean ranks over the data sets that have the model, each rank times
        :math:`(k + 1) / (k_i + 1)`, so that data sets of all sizes have the same middle; nan for a model that was
        compared with no other. Data sets with fewer than two scores are left out of `n`, with the warning
        MISSING_SCORES. With the warning MISSING_SCORES, and fewer degrees of freedom, where no chain of data sets leads
        from some models to others; with p-value 1 and NO_DIFFERENCE where all models are equal on every data set; with
        nan and TOO_LITTLE_DATA for fewer than two data sets.

    Raises
    ------
    ValueError
        If a score is infinite, a model has no score, the scores are of another shape, or an option is not what it
        should be.

    See Also
    --------
    friedman_test : for complete tables; has an F statistic and an exact p-value.

    References
    ----------
    J. H. Skillings and G. A. Mack (1981), On the use of a Friedman-type statistic in balanced and unbalanced block
    designs, Technometrics 23, 171-177, :doi:`10.1080/00401706.1981.10486261`.

    Examples
    --------
    Four ways to assemble a product, the time each of nine people took (Skillings and Mack's table 1):

    >>> from math import nan
    >>> from skcompare.inference import skillings_mack_test
    >>> minutes = [[3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0],
    ...            [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, nan], [nan, 4.2, 3.4, nan], [4.3, 4.6, 4.4, 4.9],
    ...            [3.5, nan, 3.7, 3.9]]
    >>> result = skillings_mack_test(minutes, greater_is_better=False)
    >>> round(result.statistic, 3), round(result.pvalue, 5)
    (15.493, 0.00144)
    """
    check_bool(tie_correction, "tie_correction")
    table, present = omnibus.check_table_with_gaps(scores, greater_is_better, names)
    kept = present.sum(axis=1) > 1
    table, present = replace(table, values=table.values[kept]), present[kept]
    sizes, k, ranks = present.sum(axis=1), table.n_models, _ranks(table.values, present)
    adjusted = np.where(present, ranks - (sizes[:, None] + 1) / 2, 0.0) * np.sqrt(12 / (sizes[:, None] + 1))
    ties = tie_correction and bool(adjusted.any())
    spread = (adjusted**2).sum(axis=1) / (sizes - 1) if ties else sizes.astype(np.float64)
    covariance = -(present * (spread / sizes)[:, None]).T @ present.astype(np.float64)
    covariance[np.diag_indices_from(covariance)] += spread @ present
    n_sets, sets = connected_components(covariance != 0, directed=False)
    n, df, sums = len(sizes), float(k - n_sets), adjusted.sum(axis=0)
    # the sums of connected models add up to 0, so that what is added for them leaves the quadratic form as it is
    same = (sets[:, None] == sets).astype(np.float64)
    filled = covariance + same / same.sum(axis=1) * max(1.0, float(np.trace(covariance)) / len(sums))
    statistic = max(0.0, float(sums @ np.linalg.solve(filled, sums)))
    statistic, pvalue, warnings = omnibus.answer(adjusted, statistic, omnibus.chi2_pvalue(statistic, df))
    if n_sets > 1:
        apart = f"the models fall into {n_sets} sets, and no data set ranks models of different sets"
        warnings = (Code.MISSING_SCORES(f"{apart}; only differences within the sets are tested."), *warnings)
    if n_dropped := len(kept) - n:
        dropped = f"{counted(n_dropped, 'data set')} with fewer than 2 scores {agreeing(n_dropped, 'is', 'are')}"
        warnings = (Code.MISSING_SCORES(f"{dropped} left out."), *warnings)
    method = "Skillings-Mack test" + ("" if tie_correction else " without tie correction")
    effect = ("Kendall's W", statistic / float((sizes - 1).sum()) if n > 1 else np.nan)
    means = ("rank", _means(ranks * ((k + 1) / (sizes[:, None] + 1)), present))
    return table.omnibus(method, (statistic, pvalue, warnings), (df,), effect, means)


def ranks_with_gaps(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Ranks on each data set, nan where a model has no score there or is alone, and the mean ranks of the test.

    `values` are scores of shape (n_datasets, n_models), greater is better, nan where there is none. Of models that are
    compared with no other the mean rank is nan.
    """
    present = ~np.isnan(values)
    present &= (present.sum(axis=1) > 1)[:, None]
    sizes = present.sum(axis=1)[:, None]
    ranks, k = _ranks(values, present), int(present.any(axis=0).sum())
    return np.where(present, ranks, np.nan), _means(ranks * ((k + 1) / (sizes + 1)), present)


def _ranks(values: FloatArray, present: omnibus.BoolArray) -> FloatArray:
    """Ranks among the models that are present on each data set, 1 for the best; 0 for the others."""
    ranks = np.zeros(values.shape)
    for row, here in enumerate(present):
        found = values[row, here]
        ranks[row, here] = omnibus.pooled_ranks(-found, ROUNDING * np.abs(found))
    return ranks


def _means(ranks: FloatArray, present: omnibus.BoolArray) -> FloatArray:
    """Mean of each model over the data sets that have it, nan where none has."""
    count = present.sum(axis=0)
    return np.asarray(np.divide(ranks.sum(axis=0), count, out=np.full(len(count), np.nan), where=count > 0))
