"""Adjustment of the p-values of all pairs, which are logically related: if i = j and j = l, then i = l."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray, check_choice
from skcompare.inference._multiplicity import CORRECTIONS, adjust_pvalues

PAIR_CORRECTIONS = ("none", "shaffer", "bergmann", *CORRECTIONS)

# Bergmann and Hommel's procedure goes through all ways to split the models into groups, 21,147 for 9 models; the
# time of Rom's grows with the third power of the number of pairs, half a second for 14 models.
_MOST_MODELS = {"bergmann": 9, "rom": 14}


def adjust_pairs(pvalues: FloatArray, correction: str) -> FloatArray:
    r"""Adjust the p-values of all pairs of k models.

    If models 1 and 2 are equal, and 2 and 3, then so are 1 and 3: not every number of the :math:`m = k (k - 1) / 2`
    hypotheses can be true at once. With the p-values in ascending order, Shaffer's adjustment is

    .. math:: \tilde p_{(i)} = \max_{j \le i} \, t_j \, p_{(j)}, \qquad
        t_j = \max \{ s \in S(k) : s \le m - j + 1 \}

    where :math:`S(k)` holds the numbers of pairs that can be equal at once. Bergmann and Hommel's is

    .. math:: \tilde p_i = \max_{I \ni i} \, |I| \min_{j \in I} p_j

    over all sets :math:`I` of pairs that a grouping of the models makes equal (Garcia and Herrera 2008). None is
    above 1.

    Parameters
    ----------
    pvalues : ndarray of shape (k, k)
        Raw p-values, symmetric; the diagonal is not read.
    correction : str
        ``"none"``; ``"shaffer"``, Shaffer's static procedure; ``"bergmann"``, Bergmann and Hommel's, up to 9 models;
        or a method of `adjust_pvalues`, of which ``"rom"`` up to 14 models.

    Returns
    -------
    ndarray of shape (k, k)
        Adjusted p-values, symmetric, in [0, 1], each at least the raw one, 1 on the diagonal.

    Raises
    ------
    ValueError
        If `correction` is unknown, or is ``"bergmann"`` for more than 9 or ``"rom"`` for more than 14 models.

    References
    ----------
    J. P. Shaffer (1986), Modified sequentially rejective multiple test procedures, Journal of the American
    Statistical Association 81(395), 826-831, :doi:`10.1080/01621459.1986.10478341`.

    G. Bergmann and G. Hommel (1988), Improvements of general multiple test procedures for redundant systems of
    hypotheses, in Multiple Hypotheses Testing, Springer, 100-115, :doi:`10.1007/978-3-642-52307-6_8`.

    S. Garcia and F. Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple
    data sets" for all pairwise comparisons, JMLR 9, 2677-2694.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import adjust_pairs
    >>> pvalues = np.array([[1, 0.01, 0.02], [0.01, 1, 0.04], [0.02, 0.04, 1]])
    >>> adjust_pairs(pvalues, "shaffer")[0].tolist()
    [1.0, 0.03, 0.03]
    """
    check_choice(correction, "correction", PAIR_CORRECTIONS)
    k = len(pvalues)
    most = _MOST_MODELS.get(correction, k)
    if k > most:
        instead = "'shaffer' or 'holm'" if correction == "bergmann" else "'hochberg' or 'hommel'"
        raise ValueError(
            f"correction must be {instead} for more than {most} models, for which {correction!r} would take too long; "
            f"got {correction!r} for {k} models"
        )
    return of_all_pairs(_adjusted(pvalues[np.triu_indices(k, 1)], k, correction), k)


def of_all_pairs(pvalues: FloatArray, k: int) -> FloatArray:
    """The symmetric matrix of the p-values of the pairs of k models, 1 on its diagonal."""
    first, second = np.triu_indices(k, 1)
    matrix = np.ones((k, k))
    matrix[first, second] = matrix[second, first] = pvalues
    return matrix


def _adjusted(raw: FloatArray, k: int, correction: str) -> FloatArray:
    if correction == "none":
        return raw
    if correction == "shaffer":
        return _shaffer(raw, k)
    if correction == "bergmann":
        return _bergmann(raw, k)
    return adjust_pvalues(raw, correction)


def _shaffer(raw: FloatArray, k: int) -> FloatArray:
    """Holm's procedure, with the number of hypotheses that can still be true at once in place of those left."""
    possible = np.array(sorted(_numbers_of_true_pairs(k)))
    left = np.arange(raw.size, 0, -1)
    multiplier = possible[np.searchsorted(possible, left, side="right") - 1]
    order = np.argsort(raw, kind="stable")
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(multiplier * raw[order]))
    return adjusted


def _numbers_of_true_pairs(k: int) -> set[int]:
    """How many of the pairs of k models can be equal, given that equality is transitive; Garcia and Herrera's S(k)."""
    numbers: list[set[int]] = [{0}]
    for size in range(1, k + 1):
        numbers.append({comb(group, 2) + rest for group in range(1, size + 1) for rest in numbers[size - group]})
    return numbers[k]


def _bergmann(raw: FloatArray, k: int) -> FloatArray:
    """The largest Bonferroni-adjusted minimum of all exhaustive sets of pairs that a pair belongs to.

    An exhaustive set is all pairs within the groups of one grouping of the models. The result decides exactly as the
    closed test does, and so need not be monotone in the raw p-values.
    """
    together = _pairs_together(k)
    size = together.sum(axis=1)
    smallest = np.where(together, raw, 1.0).min(axis=1)
    bound = np.minimum(1.0, size * smallest)
    return np.asarray(np.where(together, bound[:, None], 0.0).max(axis=0), dtype=np.float64)


@cache
def _pairs_together(k: int) -> NDArray[np.bool_]:
    """Which pairs each grouping of k models puts together, one row per grouping but the one that leaves all apart."""
    groups = np.zeros((1, 1), dtype=np.int8)
    for _ in range(k - 1):
        # the next model joins one of the groups, or makes a new one
        choices = groups.max(axis=1) + 2
        first = np.cumsum(choices) - choices
        joined = np.arange(choices.sum()) - np.repeat(first, choices)
        groups = np.column_stack([np.repeat(groups, choices, axis=0), joined.astype(np.int8)])
    first_model, second_model = np.triu_indices(k, 1)
    together = groups[:, first_model] == groups[:, second_model]
    return np.asarray(together[together.any(axis=1)])
