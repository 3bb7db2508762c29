"""Wilcoxon's signed-rank test of all pairs of models on many data sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import FloatArray, check_choice
from skcompare.inference.datasets import _signed_ranks as signed
from skcompare.inference.datasets._needed import says_what_it_needs
from skcompare.inference.datasets._pairwise import PAIR_CORRECTIONS, PairwiseResult, adjust_pairs
from skcompare.inference.datasets._scores import check_table
from skcompare.inference.datasets._signed_ranks import IntArray, SignedRanks, ZeroMethod

# Means of pairs of differences that are held at once: 32 MB.
_BLOCK = 2**22


@says_what_it_needs
def pairwise_signed_rank_test(
    scores: ArrayLike,
    *,
    correction: str = "holm",
    zero_method: ZeroMethod = "zsplit",
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
) -> PairwiseResult:
    r"""Test every pair of models by Wilcoxon's signed-rank test, adjusted for the number of pairs.

    Each pair is tested on its own two columns, as by `signed_rank_test`: what other models there are changes nothing
    but the adjustment, unlike in tests of mean ranks (Benavoli, Corani and Mangili 2016). With the p-values of the
    :math:`m = k (k - 1) / 2` pairs of k models in ascending order, Holm's adjustment, the default, is

    .. math:: \tilde p_{(i)} = \max_{j \le i} \min\left( 1, \; (m - j + 1) \, p_{(j)} \right).

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, differences comparable between data sets. At least two models.
    correction : str, default="holm"
        ``"none"``, or an adjustment that holds for any tests, ``"bonferroni"`` and ``"holm"`` among them: see
        `adjust_pvalues`. ``"shaffer"``, and ``"bergmann"`` for up to 9 models, also use that equality is transitive.
    zero_method : {"zsplit", "wilcox", "pratt"}, default="zsplit"
        What becomes of equal scores, see `signed_rank_test`.
    greater_is_better : bool, default=True
        Direction of the scores.
    names : sequence of str, optional
        Names of the models, for the record.

    Returns
    -------
    PairwiseResult
        The statistic is the sum of the ranks in favour of i less that in favour of j, the estimate the median of the
        means of all pairs of differences (Hodges and Lehmann), in score units, positive where i is the better model.
        P-values are two-sided; exact up to 200 data sets and normal above, as `method` says. There is no common
        critical difference.

    Raises
    ------
    ValueError
        If the scores are not a table of finite numbers, or an option is unknown.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    A. Benavoli, G. Corani and F. Mangili (2016), Should we really use post-hoc tests based on mean-ranks?, Journal of
    Machine Learning Research 17(5), 1-10.

    Examples
    --------
    >>> import numpy as np
    >>> from skcompare.inference import pairwise_signed_rank_test
    >>> scores = 0.8 + 0.01 * np.array([[9, 8, 1], [8, 6, 1], [9, 6, 3], [7, 3, 2], [8, 3, 1], [9, 3, 4], [9, 2, 1]])
    >>> result = pairwise_signed_rank_test(scores, names=["forest", "tree", "stump"])
    >>> result.pvalues.round(4).tolist()
    [[1.0, 0.0469, 0.0469], [0.0469, 1.0, 0.0625], [0.0469, 0.0625, 1.0]]
    >>> result.groups()
    {'forest': 'a', 'tree': 'b', 'stump': 'b'}
    """
    check_choice(correction, "correction", PAIR_CORRECTIONS)
    check_choice(zero_method, "zero_method", get_args(ZeroMethod))
    table = check_table(scores, greater_is_better, names, matrices=8)
    n, k = table.values.shape
    exact = n <= signed.LARGEST_AUTO_EXACT
    statistics, estimates, pvalues = np.zeros((k, k)), np.zeros((k, k)), np.ones((k, k))
    for first, second in _blocks(k, n):
        d, noise = signed.subtract(table.values[:, first].T, table.values[:, second].T, "the scores of a data set")
        ranked = signed.rank_differences(d, noise, zero_method)
        plus, minus = ranked.sums()
        statistics[first, second] = (plus - minus) / 2
        estimates[first, second] = _centres(ranked, zero_method)
        pvalues[first, second] = pvalues[second, first] = (
            _exact_pvalues(ranked.weights, np.minimum(plus, minus)) if exact else _normal_pvalues(ranked, plus - minus)
        )
    return PairwiseResult(
        names=table.names,
        statistics=statistics - statistics.T,
        pvalues=adjust_pairs(pvalues, correction),
        pvalues_unadjusted=pvalues,
        estimates=estimates - estimates.T,
        estimate_of="score",
        critical_difference=float("nan"),
        correction=correction,
        n=n,
        method=f"signed-rank tests of all pairs, {'exact' if exact else 'normal'}",
    )


def _blocks(k: int, n: int) -> Iterator[tuple[IntArray, IntArray]]:
    """The pairs of models, so many at a time as have room."""
    first, second = np.triu_indices(k, 1)
    step = max(1, _BLOCK // min(n * (n + 1) // 2, max(signed.MOST_AVERAGES, 8 * n)))
    for start in range(0, first.size, step):
        yield first[start : start + step], second[start : start + step]


def _centres(ranked: SignedRanks, zero_method: str) -> FloatArray:
    """The median of the means of all pairs of differences, per pair of models; 0 where no difference is kept."""
    if zero_method != "wilcox":  # an odd zero is left out of the p-value alone
        return signed.walsh_medians(ranked.values)
    centres = np.zeros(len(ranked.values))
    for dropped in np.unique(ranked.dropped):
        rows = ranked.dropped == dropped
        kept = ranked.values[rows, dropped:]
        if kept.size:
            centres[rows] = signed.walsh_medians(kept)
    return centres


def _exact_pvalues(weights: IntArray, smaller: IntArray) -> FloatArray:
    """Two-sided; pairs of models without ties share one null distribution."""
    pvalues = np.empty(len(weights))
    distinct, group = np.unique(weights, axis=0, return_inverse=True)
    for i, row in enumerate(distinct):
        positive = row[row > 0]
        unit = int(np.gcd.reduce(positive)) or 1
        sums = smaller[group == i] // unit
        pvalues[group == i] = np.minimum(1.0, 2 * signed.lower_tail(positive // unit, int(sums.max()))[sums])
    return pvalues


def _normal_pvalues(ranked: SignedRanks, difference: IntArray) -> FloatArray:
    """Two-sided, by the variance given the ranks; 1 where all differences are 0."""
    deviation = np.sqrt(np.array(ranked.squares(), dtype=np.float64))
    return np.asarray(2 * special.ndtr(-np.abs(difference) / np.where(deviation > 0, deviation, 1.0)))
