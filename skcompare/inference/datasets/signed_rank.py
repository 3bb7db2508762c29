"""Wilcoxon's signed-rank test of two models on many data sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import Alternative, FloatArray, check_alternative, check_choice, check_null
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.inference._fewest import Least, by_cases
from skcompare.inference._interval import HasInterval, moved_by
from skcompare.inference._kinds import CountedTest
from skcompare.inference.datasets import _signed_ranks as signed
from skcompare.inference.datasets._signed_ranks import IntArray, SignedRanks, ZeroMethod
from skcompare.inference.outcomes._binomial import normal_pvalue, normal_quantile

SignedRankMethod = Literal["auto", "exact", "normal"]

_NAMES = {"zsplit": "zeros split", "wilcox": "zeros dropped before ranking", "pratt": "zeros dropped after ranking"}
# Below this number of differences other than 0 the exact distribution should be preferred.
_ENOUGH_FOR_NORMAL = 25


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SignedRankResult(HasInterval, CountedTest):
    """Result of Wilcoxon's signed-rank test.

    `confidence_interval` is for the centre of the differences and inverts the test. Its ends are means of two
    differences (Walsh averages), chosen by the null distribution of the test. It is exact where no two differences are
    of one size; with ties and zeros the distribution is that of the ranks as they are around 0. All zeros count, also
    the one of an odd number that ``"zsplit"`` leaves out of the p-value. A level that no p-value can reach gives an
    infinite interval. A level so low that the test rejects every difference, as one-sided normal
    p-values of few data sets can, gives an empty one, with both ends at one infinity. It leaves out 0 exactly when
    ``pvalue < 1 - confidence_level``, except that it may end at 0 then if there are ties: differences of 0, or two of
    one size and opposite sign. Above that p-value it always holds 0.

    Attributes
    ----------
    statistic : float
        `rank_sum_a`; Demsar's T is the smaller of the two rank sums.
    pvalue : float
        In [0, 1].
    alternative : {"two-sided", "greater", "less"}
        What was tested: the differences ``a - b`` are symmetric around another value than `null`, one above it, one
        below it.
    rank_sum_a, rank_sum_b : float
        Sum of the ranks of the data sets on which ``a - b`` is above, or below, `null`; with half of the ranks of the
        ties where those are split.
    z : float
        Their difference over its standard deviation given the sizes of the differences, positive in favour of `a`;
        0 where all differences are 0.
    estimate : float
        Median of the means of all pairs of differences ``a - b`` (Hodges and Lehmann), in score units; positive
        favours `a`. Of all data sets, but for the ties that ``"wilcox"`` drops.
    effect_size : float
        Matched-pairs rank-biserial correlation, difference over sum of the two rank sums, in [-1, 1]; 0 where all
        differences are 0.
    exact : bool
        Whether the p-value is from the exact null distribution; otherwise it is from the normal one.
    n : int
        Number of data sets.
    n_zero : int
        Data sets on which ``a - b`` is `null`.
    differences : tuple of float
        ``a - b``, less `null`, in score units, ascending; of all data sets, but for the ties that ``"wilcox"`` drops.
    """

    statistic: float
    pvalue: float
    alternative: str
    rank_sum_a: float
    rank_sum_b: float
    z: float
    estimate: float
    effect_size: float
    exact: bool
    n: int
    n_zero: int
    differences: tuple[float, ...] = field(repr=False)
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    @property
    def n_rearrangements(self) -> int:
        """Of how many assignments of signs to the ranks `pvalue` is a share; 0 where it is a normal one."""
        return 2 ** (self.n - self.n_zero) if self.exact else 0

    def _least(self) -> Least | None:
        """The smallest p-value on so many differences; None without any, and by the normal approximation."""
        if not self.exact or self.n == self.n_zero:
            return None
        return by_cases(self.n - self.n_zero, "difference", self.alternative)

    def _limits(self, tail: float) -> tuple[float, float]:
        d = np.array([self.differences])
        if not d.any():
            return self.null, self.null
        ranked = signed.rank_differences(d, np.zeros_like(d), "pratt")
        accepted = _smallest_accepted(ranked, tail, exact=self.exact)
        last = d.size * (d.size + 1) // 2 + 1
        below = min(max(ceil((accepted + int(ranked.zero_share()[0])) / 2), 0), last)
        low, high = self._average(below, last), self._average(last - below, last)
        # the p-value may be without one of the zeros, which moves it a little
        rejected = self.pvalue < (2 * tail if self.alternative == "two-sided" else tail)
        if not rejected:
            low, high = min(low, 0.0), max(high, 0.0)
        elif self._ahead():
            low, high = max(low, 0.0), max(high, 0.0)
        else:
            low, high = min(low, 0.0), min(high, 0.0)
        return moved_by(low, self.null), moved_by(high, self.null)

    def _ahead(self) -> bool:
        """Whether what was rejected is that the centre is not above `null`."""
        return self.rank_sum_a > self.rank_sum_b if self.alternative == "two-sided" else self.alternative == "greater"

    def _average(self, place: int, last: int) -> float:
        """The Walsh average at a place from 1, infinite before the first one and from the `last` place on."""
        if place in (0, last):
            return float("inf") if place else float("-inf")
        return signed.walsh_average(np.array(self.differences), place - 1)


def signed_rank_test(
    a: ArrayLike,
    b: ArrayLike,
    *,
    zero_method: ZeroMethod = "zsplit",
    method: SignedRankMethod = "auto",
    alternative: Alternative = "two-sided",
    null: float = 0.0,
) -> SignedRankResult:
    r"""Test that neither of two models is better over many data sets (Wilcoxon's signed-rank test).

    The sizes :math:`|d_i|` of the differences :math:`d = a - b` are ranked, equal ones sharing their mean rank. With
    the ties in score shared equally,

    .. math:: R^+ = \sum_{d_i > 0} \operatorname{rank}(|d_i|) + \tfrac 1 2 \sum_{d_i = 0} \operatorname{rank}(|d_i|)

    and :math:`R^-` the same of the negative differences (Demsar 2006, section 3.1.3; of an odd number of zeros one is
    dropped before ranking). Where the differences are
    symmetric around 0 each rank is as likely to count for the one as for the other model; going through all
    :math:`2^n` assignments of the ranks as they are, tied or not, gives the exact p-value. Its mean and variance give
    the normal one,

    .. math:: z = (R^+ - R^-) \Big/ \sqrt{\sum_{d_i \ne 0} \operatorname{rank}^2(|d_i|)}

    without continuity correction. Without ties and zeros this is Demsar's :math:`z` (its variance is
    :math:`n (n + 1)(2n + 1) / 24` for the smaller sum), whose formula ignores both.

    Differences of scores must be comparable between data sets; scores themselves need not be. Any one linear transform
    of all scores with a positive slope changes nothing but the units.

    Parameters
    ----------
    a, b : array_like of shape (n,)
        One score of each model per data set, larger better. Differences, and differences of their sizes, within
        rounding (1e-12 of the larger of the scores) are 0.
    zero_method : {"zsplit", "wilcox", "pratt"}, default="zsplit"
        Data sets with equal scores: ``"zsplit"`` ranks them and shares their ranks equally, after dropping one of
        an odd number (Demsar); ``"wilcox"`` drops them before ranking (Wilcoxon 1945), so that they speak for neither
        model; ``"pratt"`` ranks them and drops their ranks (Pratt 1959), which differs from ``"zsplit"`` in the rank
        sums and, for an odd number, in the p-value.
    method : {"auto", "exact", "normal"}, default="auto"
        ``"auto"`` is exact up to 200 data sets. ``"exact"`` takes up to 1000.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the centre of ``a - b`` is positive.
    null : float, default=0
        The difference ``a - b`` under the null hypothesis, in the units of `estimate`: what is tested is whether the
        true one differs from it, exceeds it (``"greater"``) or falls below it. With a positive one ``"greater"`` tests
        superiority by a margin, with a negative one non-inferiority.

    Returns
    -------
    SignedRankResult
        With p-value 1 and the warning NO_DIFFERENCE where all differences are 0, CANNOT_REJECT where too few are not 0
        for a p-value below 0.05, and SMALL_SAMPLE where the normal distribution is asked for on fewer than 25.

    Raises
    ------
    ValueError
        If the scores are not finite, not paired or not of one dimension, an option is unknown, or the exact method is
        asked for on more than 1000 data sets.

    See Also
    --------
    sign_test : makes no assumption on the sizes of the differences.
    signed_rank_posterior : the probability that one is better, worse or equivalent.

    Notes
    -----
    The estimate and the interval take O(n log n) time and O(n) memory: their places among the means of all pairs of
    differences are found without holding these (Johnson and Mizoguchi 1978).

    References
    ----------
    F. Wilcoxon (1945), Individual comparisons by ranking methods, Biometrics Bulletin 1(6), 80-83,
    :doi:`10.2307/3001968`.

    J. W. Pratt (1959), Remarks on zeros and ties in the Wilcoxon signed rank procedures, Journal of the American
    Statistical Association 54, 655-667, :doi:`10.1080/01621459.1959.10501526`.

    J. L. Hodges and E. L. Lehmann (1963), Estimates of location based on rank tests, Annals of Mathematical
    Statistics 34(2), 598-611, :doi:`10.1214/aoms/1177704172`.

    D. B. Johnson and T. Mizoguchi (1978), Selecting the Kth element in X + Y and X1 + X2 + ... + Xm, SIAM Journal on
    Computing 7(2), 147-153, :doi:`10.1137/0207013`.

    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30.

    Examples
    --------
    C4.5 with and without tuning of one parameter, AUC on 14 data sets (Demsar 2006, Table 2):

    >>> from skcompare.inference import signed_rank_test
    >>> c45 = [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .940, .619, .972, .957]
    >>> tuned = [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666, .981, .978]
    >>> result = signed_rank_test(tuned, c45)
    >>> result.rank_sum_a, result.rank_sum_b, result.pvalue
    (93.0, 12.0, 0.0078125)
    """
    check_alternative(alternative)
    null = check_null(null)
    check_choice(zero_method, "zero_method", get_args(ZeroMethod))
    check_choice(method, "method", get_args(SignedRankMethod))
    d, noise = signed.dataset_differences(a, b, null)
    exact = _is_exact(method, d.size)
    ranked = signed.rank_differences(d[None], noise[None], zero_method)
    kept = ranked.values[:, int(ranked.dropped[0]) if zero_method == "wilcox" else 0 :]
    plus, minus = (int(sums[0]) for sums in ranked.sums())
    n_zero = int(ranked.zeros[0])
    share = int(ranked.zero_share()[0]) if zero_method == "zsplit" else 0
    return SignedRankResult(
        statistic=(plus + share) / 2,
        pvalue=_pvalue(ranked, plus, minus, alternative, exact=exact),
        alternative=alternative,
        rank_sum_a=(plus + share) / 2,
        rank_sum_b=(minus + share) / 2,
        z=_z(ranked, plus, minus),
        estimate=float(signed.walsh_medians(kept)[0]) + null if kept.size else null,
        effect_size=(plus - minus) / (plus + minus + 2 * share) if plus + minus else 0.0,
        null=null,
        exact=exact,
        n=d.size,
        n_zero=n_zero,
        differences=tuple(np.sort(kept[0]).tolist()),
        method=f"signed-rank test, {'exact' if exact else 'normal'}" + (f", {_NAMES[zero_method]}" if n_zero else ""),
        warnings=tuple(_warnings(d.size - n_zero, exact, alternative)),
    )


def _is_exact(method: str, n: int) -> bool:
    if method == "exact" and n > signed.LARGEST_EXACT:
        raise ValueError(f"method must be 'normal' on more than {signed.LARGEST_EXACT} data sets; got 'exact' on {n}")
    return method == "exact" or (method == "auto" and n <= signed.LARGEST_AUTO_EXACT)


def _z(ranked: SignedRanks, plus: int, minus: int) -> float:
    return (plus - minus) / sqrt(ranked.squares()[0]) if plus + minus else 0.0


def _null_distribution(weights: IntArray) -> tuple[FloatArray, int]:
    """P(S <= unit * s) for s = 0, 1, ... of the sum S of weights that count with probability 1/2, and the unit."""
    positive = weights[weights > 0]
    unit = int(np.gcd.reduce(positive)) or 1  # 2 where no two sizes are equal, 1 without weights
    total = int(positive.sum()) // unit
    lower = signed.lower_tail(positive // unit, total // 2)
    # the distribution is symmetric: P(S <= s) = 1 - P(S <= total - s - 1)
    upper = 1 - lower[: max(total - total // 2 - 1, 0)][::-1]
    return np.concatenate((lower, upper, [1.0])), unit


def _pvalue(ranked: SignedRanks, plus: int, minus: int, alternative: str, *, exact: bool) -> float:
    if plus == minus == 0:
        return 1.0
    if not exact:
        return normal_pvalue(_z(ranked, plus, minus), alternative)
    lower, unit = _null_distribution(ranked.weights[0])
    greater, less = float(lower[minus // unit]), float(lower[plus // unit])
    return {"greater": greater, "less": less}.get(alternative, min(1.0, 2 * min(greater, less)))


def _smallest_accepted(ranked: SignedRanks, tail: float, *, exact: bool) -> float:
    """The smallest doubled rank sum whose lower tail is not below `tail`."""
    if exact:
        lower, unit = _null_distribution(ranked.weights[0])
        return float(np.searchsorted(lower, tail)) * unit
    return float(ranked.weights.sum() - normal_quantile(tail) * sqrt(ranked.squares()[0])) / 2


def _warnings(n_different: int, exact: bool, alternative: str) -> Iterator[CodedWarning]:
    if n_different == 0:
        yield signed.NO_DIFFERENCE
    elif exact:
        yield from by_cases(n_different, "difference", alternative).warnings()
    elif n_different < _ENOUGH_FOR_NORMAL:
        yield Code.SMALL_SAMPLE(
            f"the normal approximation is in doubt on {counted(n_different, 'difference')}, fewer than "
            f"{_ENOUGH_FOR_NORMAL}; use method 'exact'."
        )
