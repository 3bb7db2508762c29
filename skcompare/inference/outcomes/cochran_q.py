"""Cochran's Q test of several models on the same samples."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations
from math import comb, prod
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import FloatArray, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._fewest import Least
from skcompare.inference._kinds import OmnibusTest, share_of
from skcompare.inference.outcomes._samples import IntArray, check_correct

CochranMethod = Literal["chi2", "exact"]

# Tate and Brown (1970): the approximation is good from this many informative samples times models on.
_ENOUGH_FOR_CHI2 = 24
# Column totals that the exact method may compute: about a second.
_MAX_TOTALS = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CochranQResult(OmnibusTest):
    """Result of Cochran's Q test.

    Attributes
    ----------
    statistic : float
        Cochran's Q, at least 0.
    pvalue : float
        In [0, 1].
    df : float
        Degrees of freedom of the chi-squared distribution, the number of models minus 1; the exact method does
        not use it.
    alternative : {"two-sided"}
        The test has no direction.
    accuracies : tuple of float
        Accuracy of each model, in [0, 1], in the order of the columns.
    effect_size : float
        Q over the largest value it could have on as many informative samples, in [0, 1]; 0 where there are none.
    n : int
        Number of samples.
    n_informative : int
        Samples on which some models are correct and some are wrong; the others do not matter.
    n_rearrangements : int
        In how many ways right and wrong could be arranged within the samples, of which an exact p-value is a share;
        else 0.
    n_extreme : int
        In how many of them, the observed one included, the models differ at least as much; rounded as `pvalue` is
        where there are more than 2**53, and else 0.
    """

    statistic: float
    pvalue: float
    df: float
    alternative: str
    accuracies: tuple[float, ...]
    effect_size: float
    n: int
    n_informative: int
    n_rearrangements: int = field(default=0, repr=False)
    n_extreme: int = field(default=0, repr=False)
    method: str
    warnings: tuple[CodedWarning, ...] = ()


def cochran_q_test(correct: ArrayLike, *, method: CochranMethod = "chi2") -> CochranQResult:
    r"""Test that several models are equally accurate on the samples of one test set (Cochran's Q test).

    With column totals :math:`C_j` over :math:`k` models, row totals :math:`R_i` and grand total :math:`G`,

    .. math:: Q = (k - 1) \frac{k \sum_j C_j^2 - G^2}{k G - \sum_i R_i^2}

    on :math:`k - 1` degrees of freedom (Cochran 1950). With two models it is McNemar's test without
    continuity correction. Within a sample every arrangement of right and wrong over the models is equally
    likely under the null, which gives the exact p-value.

    The test is conditional on the fitted models: it says whether their accuracies differ on new samples, not
    whether the algorithms would differ after training on other data.

    Parameters
    ----------
    correct : array_like of shape (n_samples, n_models)
        Whether each model predicts each sample correctly: booleans, or 1 and 0. At least two models.
    method : {"chi2", "exact"}, default="chi2"
        ``"exact"`` enumerates the column totals of all arrangements; it is for few samples, and meant for
        where the chi-squared approximation is in doubt.

    Returns
    -------
    CochranQResult
        With p-value 1 and the warning NO_DISCORDANT where all models are correct on the same samples.

    Raises
    ------
    ValueError
        If the outcomes are not booleans, there are fewer than two models, `method` is unknown, or the exact
        method would have too much to enumerate.

    See Also
    --------
    mcnemar_test : two models, with direction and interval; run it on pairs, adjusted, after a rejection.

    References
    ----------
    W. G. Cochran (1950), The comparison of percentages in matched samples, Biometrika 37, 256-266,
    :doi:`10.1093/biomet/37.3-4.256`.

    M. W. Tate and S. M. Brown (1970), Note on the Cochran Q test, Journal of the American Statistical
    Association 65, 155-160, :doi:`10.1080/01621459.1970.10481069`.

    Examples
    --------
    Three models on twelve samples:

    >>> from skcompare.inference import cochran_q_test
    >>> rows = ["111", "110", "101", "111", "100", "110", "010", "110", "100", "100", "111", "000"]
    >>> result = cochran_q_test([[digit == "1" for digit in row] for row in rows])
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (6.75, 0.0342)
    """
    check_choice(method, "method", get_args(CochranMethod))
    right = check_correct(correct, "correct", ndim=2)
    n, k = right.shape
    if k < 2:
        raise ValueError(f"correct must have a column per model, at least 2; got shape {right.shape}")
    columns, rows = right.sum(axis=0, dtype=np.int64), right.sum(axis=1, dtype=np.int64)
    informative = rows[(rows > 0) & (rows < k)]
    statistic = _statistic(columns, rows, k)
    if not len(informative):
        pvalue = 1.0
    elif method == "exact":
        pvalue = _exact_pvalue(columns, informative, k, n_full=int(np.count_nonzero(rows == k)))
    else:
        pvalue = float(special.chdtrc(k - 1, statistic))
    n_rearrangements = prod(comb(k, row) for row in informative.tolist()) if method == "exact" else 0
    return CochranQResult(
        statistic=statistic,
        pvalue=pvalue,
        df=float(k - 1),
        alternative="two-sided",
        accuracies=tuple((columns / n).tolist()),
        effect_size=statistic / (len(informative) * (k - 1)) if len(informative) else 0.0,
        n=n,
        n_informative=len(informative),
        n_rearrangements=n_rearrangements,
        n_extreme=share_of(pvalue, n_rearrangements),
        method="Cochran's Q test, " + ("exact" if method == "exact" else "chi-squared"),
        warnings=_warnings(len(informative), k, method),
    )


def _statistic(columns: IntArray, rows: IntArray, k: int) -> float:
    """Cochran (1950), in whole numbers up to the division; 0 where no sample is informative."""
    total = int(columns.sum())
    spread = k * sum(c * c for c in columns.tolist()) - total**2
    scale = k * total - int(rows @ rows)
    return (k - 1) * spread / scale if scale else 0.0


def _exact_pvalue(columns: IntArray, rows: IntArray, k: int, *, n_full: int) -> float:
    """Probability, over all arrangements within the rows, of column totals at least as uneven as observed.

    The totals are added up row by row. Models are interchangeable, so sorted vectors of totals suffice.
    """
    states, weights = np.zeros((1, k), dtype=np.int64), np.ones(1)
    computed = 0
    for row_total in np.sort(rows).tolist():
        ways = comb(k, row_total)
        computed += len(states) * ways * k
        if computed > _MAX_TOTALS:
            raise ValueError(
                f"method must be 'chi2' where {len(rows)} informative samples of {k} models have too many "
                f"arrangements to enumerate; got 'exact'"
            )
        arrangements = np.zeros((ways, k), dtype=np.int64)
        for i, ones in enumerate(combinations(range(k), row_total)):
            arrangements[i, list(ones)] = 1
        reached = np.sort((states[:, None] + arrangements).reshape(-1, k), axis=1)
        states, weights = _merged(reached, np.repeat(weights / ways, ways))
    # given the grand total, Q grows with the sum of squares alone
    observed = ((columns - n_full) ** 2).sum()
    return min(1.0, float(weights[(states**2).sum(axis=1) >= observed].sum()))


def _merged(states: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """The distinct rows, with the sum of the weights of each."""
    order = np.lexsort(states.T)
    states, weights = states[order], weights[order]
    first = np.flatnonzero(np.append(True, (states[1:] != states[:-1]).any(axis=1)))
    return states[first], np.add.reduceat(weights, first)


def _warnings(informative: int, k: int, method: str) -> tuple[CodedWarning, ...]:
    if informative == 0:
        return (Code.NO_DISCORDANT("all models are correct on the same samples, so nothing shows a difference."),)
    if method == "chi2" and informative * k < _ENOUGH_FOR_CHI2:
        few = f"{counted(informative, 'informative sample')} times {k} models is below {_ENOUGH_FOR_CHI2}"
        small = Code.SMALL_SAMPLE(f"the chi-squared approximation is in doubt, as {few}; use method 'exact'.")
        return (*_least(informative, k, method).warnings(), small)
    return _least(informative, k, method).warnings()


def _least(informative: int, k: int, method: str) -> Least:
    """All samples have the same models right: half of them, of which there are the most arrangements."""

    def at(n: int) -> float:
        return float(special.chdtrc(k - 1, (k - 1) * n)) if method == "chi2" else float(comb(k, k // 2)) ** (1 - n)

    return Least(at=at, n=informative, what="informative sample")
