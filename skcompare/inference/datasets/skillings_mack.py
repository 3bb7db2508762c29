"""Skillings and Mack's test of many models on many data sets, some of the scores missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components

from skcompare._core.validation import FloatArray, as_floats
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import agreeing, counted
from skcompare.inference._base import ROUNDING
from skcompare.inference.datasets._needed import says_what_it_needs
from skcompare.inference.datasets._omnibus import OmnibusResult, chi2_pvalue, degenerate_answer
from skcompare.inference.datasets._scores import check_bool, check_table, pooled_ranks

BoolArray = NDArray[np.bool_]


@says_what_it_needs
def skillings_mack_test(
    scores: ArrayLike,
    *,
    tie_correction: bool = True,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
) -> OmnibusResult:
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
        Its `effect_size` is :math:`T / \sum_i (k_i - 1)`, the share of the largest value that T could have: Kendall's
        W of a complete table. Its `means` are the mean ranks over the data sets that have the model, each rank times
        :math:`(k + 1) / (k_i + 1)`, so that data sets of all sizes have the same middle; nan for a model that was
        compared with no other. Data sets with fewer than two scores are left out of `n`, with the warning DROPPED.
        With the warning DISCONNECTED, and fewer degrees of freedom, where no chain of data sets leads from some models
        to others; with p-value 1 and NO_DIFFERENCE where all models are equal on every data set; with nan and TOO_FEW
        for fewer than two data sets.

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
    numbers = as_floats(scores, "scores")
    missing = np.isnan(numbers)
    table = check_table(np.where(missing, 0.0, numbers), greater_is_better, names, matrices=8)
    if missing.all(axis=0).any():
        unscored = table.names[int(np.argmax(missing.all(axis=0)))]
        raise ValueError(f"scores must have a number for each model; got only nan for {unscored!r}")
    present = ~missing
    kept = present.sum(axis=1) > 1
    present, sizes, k = present[kept], present[kept].sum(axis=1), table.n_models
    ranks = _ranks(table.values[kept], present)
    adjusted = np.where(present, ranks - (sizes[:, None] + 1) / 2, 0.0) * np.sqrt(12 / (sizes[:, None] + 1))
    ties = tie_correction and bool(adjusted.any())
    spread = (adjusted**2).sum(axis=1) / (sizes - 1) if ties else sizes.astype(np.float64)
    covariance = _covariance(present, spread)
    n_sets, sets = connected_components(covariance != 0, directed=False)
    n, df = len(sizes), float(k - n_sets)
    statistic = _quadratic_form(adjusted.sum(axis=0), covariance, sets)
    statistic, pvalue, warnings = degenerate_answer(adjusted) or (statistic, chi2_pvalue(statistic, df), ())
    return OmnibusResult(
        statistic=statistic,
        pvalue=pvalue,
        df=(df,),
        effect_size=statistic / float((sizes - 1).sum()) if n > 1 else np.nan,
        effect_size_name="Kendall's W",
        means=_means(ranks * ((k + 1) / (sizes[:, None] + 1)), present),
        means_of="rank",
        names=table.names,
        n=n,
        exact=False,
        method="Skillings-Mack test" + ("" if tie_correction else " without tie correction"),
        warnings=(*_warnings(len(kept) - n, n_sets), *warnings),
    )


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


def _ranks(values: FloatArray, present: BoolArray) -> FloatArray:
    """Ranks among the models that are present on each data set, 1 for the best; 0 for the others."""
    ranks = np.zeros(values.shape)
    for row, here in enumerate(present):
        found = values[row, here]
        ranks[row, here] = pooled_ranks(-found, ROUNDING * np.abs(found))
    return ranks


def _covariance(present: BoolArray, spread: FloatArray) -> FloatArray:
    """Covariance of the models' sums, from how much the adjusted ranks of each data set spread."""
    share = spread / present.sum(axis=1)
    covariance: FloatArray = -(present * share[:, None]).T @ present.astype(np.float64)
    covariance[np.diag_indices_from(covariance)] += spread @ present
    return covariance


def _quadratic_form(sums: FloatArray, covariance: FloatArray, sets: NDArray[np.int32]) -> float:
    """The sums times a generalised inverse of their covariance times the sums.

    Both are 0 along the indicator of each connected set of models: with something added there, the matrix has an
    inverse, and the form stays as it is.
    """
    same = (sets[:, None] == sets).astype(np.float64)
    filled = covariance + same / same.sum(axis=1) * max(1.0, float(np.trace(covariance)) / len(sums))
    return max(0.0, float(sums @ np.linalg.solve(filled, sums)))


def _means(ranks: FloatArray, present: BoolArray) -> FloatArray:
    """Mean of each model over the data sets that have it, nan where none has."""
    count = present.sum(axis=0)
    return np.asarray(np.divide(ranks.sum(axis=0), count, out=np.full(len(count), np.nan), where=count > 0))


def _warnings(n_dropped: int, n_sets: int) -> Iterator[CodedWarning]:
    if n_dropped:
        yield Code.DROPPED(
            f"{counted(n_dropped, 'data set')} with fewer than 2 scores {agreeing(n_dropped, 'is', 'are')} left out."
        )
    if n_sets > 1:
        yield Code.DISCONNECTED(
            f"the models fall into {n_sets} sets, and no data set ranks models of different sets; only "
            f"differences within the sets are tested."
        )
