"""Adjustment of p-values for testing several hypotheses at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.numbers import ALPHA, counted
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, check_choice, check_scores
from skcompare._core.warnings import Code, CodedWarning, Warnings


def adjust_pvalues(pvalues: ArrayLike, method: str = "holm") -> FloatArray:
    r"""Adjust p-values so that each may be compared with the one error rate of the whole family.

    With the p-values in ascending order, :math:`p_{(1)} \le \dots \le p_{(m)}`, and none above 1, the methods of
    Bonferroni, Holm, Hochberg, Holland and Finner are

    .. math::

        m \, p_{(i)}, \quad
        \max_{j \le i} \, (m - j + 1) \, p_{(j)}, \quad
        \min_{j \ge i} \, (m - j + 1) \, p_{(j)}, \quad
        \max_{j \le i} \, 1 - (1 - p_{(j)})^{m - j + 1}, \quad
        \max_{j \le i} \, 1 - (1 - p_{(j)})^{m / j},

    Li's is :math:`p_{(i)} / (p_{(i)} + 1 - p_{(m)})`, and Benjamini and Hochberg's
    :math:`\min_{j \ge i} m \, p_{(j)} / j`, which Benjamini and Yekutieli's multiplies by
    :math:`\sum_{j=1}^m 1 / j`. Hommel's is computed as by Wright (1992), Rom's from his critical values (Rom 1990).

    Parameters
    ----------
    pvalues : array_like of shape (m,)
        Raw p-values of the m hypotheses, in [0, 1].
    method : str, default="holm"
        ``"bonferroni"``, ``"holm"`` (valid under any dependence); ``"hochberg"``, ``"hommel"``, ``"rom"``
        (under positive dependence); ``"holland"``, ``"finner"`` (under independence or positive dependence);
        ``"li"``; ``"fdr_bh"``, ``"fdr_by"`` (false discovery rate, not familywise error).

    Returns
    -------
    ndarray of shape (m,)
        Adjusted p-values in the order given, each at least the raw one and at most 1.

    Raises
    ------
    ValueError
        If a p-value is not in [0, 1] or `method` is unknown.

    References
    ----------
    S. Garcia and F. Herrera (2008), An extension on "Statistical comparisons of classifiers over multiple
    data sets" for all pairwise comparisons, JMLR 9, 2677-2694.

    S. P. Wright (1992), Adjusted p-values for simultaneous inference, Biometrics 48(4), 1005-1013,
    :doi:`10.2307/2532694`.

    D. M. Rom (1990), A sequentially rejective test procedure based on a modified Bonferroni inequality,
    Biometrika 77(3), 663-665, :doi:`10.1093/biomet/77.3.663`.

    Examples
    --------
    >>> from skcompare.inference import adjust_pvalues
    >>> adjust_pvalues([0.01, 0.04, 0.03], "holm").round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    check_choice(method, "method", tuple(_METHODS))
    p = check_scores(pvalues, "pvalues", ndim=(1,))
    if p.min() < 0 or p.max() > 1:
        raise ValueError(f"pvalues must be in [0, 1]; got values from {p.min():g} to {p.max():g}")
    if method == "holm":
        return _holm(p)
    order = np.argsort(p)
    least = p[order]
    adjusted = _METHODS[method](least)
    least[order] = np.clip(adjusted, least, 1.0, out=adjusted)
    return least


def _step_up(values: FloatArray) -> FloatArray:
    return np.minimum.accumulate(values[::-1])[::-1]


def _remaining(p: FloatArray) -> FloatArray:
    """How many hypotheses are left at each step: m, m - 1, ..., 1."""
    return np.arange(p.size, 0, -1, dtype=np.float64)


_AT_ONCE = 2**18  # p-values


def _holm(p: FloatArray) -> FloatArray:
    """Of p-values in any order, the smallest before the larger ones: there can be millions, whose order is large."""
    adjusted, done, most, n_parts = np.empty_like(p), 0, 0.0, p.size // _AT_ONCE + 1
    some = np.sort(p[::n_parts])
    for low, high in pairwise([0.0, *some[len(some) // n_parts :: len(some) // n_parts + 1], np.inf]):
        places = np.flatnonzero((p >= low) & (p < high))
        places = places[np.argsort(p[places])]
        least = p[places]
        steps = np.maximum.accumulate(np.arange(p.size - done, p.size - done - least.size, -1) * least)
        adjusted[places] = np.clip(np.maximum(steps, most, out=steps), least, 1.0, out=steps)
        done, most = done + least.size, float(steps.max(initial=most))
    return adjusted


def _shares(p: FloatArray) -> FloatArray:
    """How many hypotheses there are for each one up to this step: m, m / 2, ..., 1."""
    return p.size / np.arange(1, p.size + 1)


def _log1p_negative(p: FloatArray) -> FloatArray:
    """log(1 - p), minus infinity at p = 1."""
    with np.errstate(divide="ignore"):
        return np.log1p(-p)


def _hommel(p: FloatArray) -> FloatArray:
    """Wright (1992), Appendix: for each size of subset, the Simes bound it forces on every hypothesis."""
    m = p.size
    adjusted = np.full(m, np.min(_shares(p) * p))
    q = adjusted.copy()
    for size in range(m - 1, 1, -1):
        upper = m - size + 1
        q[:upper] = np.minimum(size * p[:upper], np.min(size * p[upper:] / np.arange(2, size + 1)))
        q[upper:] = q[upper - 1]
        adjusted = np.maximum(adjusted, q)
    return adjusted


def _li(p: FloatArray) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.where(p == 0, 0.0, p / (p + (1 - p[-1])))


def _rom(p: FloatArray) -> FloatArray:
    """Smallest level at which Rom's step-up procedure rejects each hypothesis, by bisection on the level.

    It lies between the raw and Hochberg's value, as Rom's critical values do between the level and its share.
    """
    steps = np.arange(p.size)
    low, high = p, np.minimum(1.0, _remaining(p) * p)
    for _ in range(60):
        level = (low + high) / 2
        rejected = p <= _rom_critical_values(level)[p.size - 1 - steps, steps]
        low, high = np.where(rejected, low, level), np.where(rejected, level, high)
    return _step_up(high)


def _rom_critical_values(level: FloatArray) -> FloatArray:
    """Rom (1990): row i holds the critical values of the (i + 1)-th largest p-value, one per level."""
    m = level.size
    critical = np.empty((m, m))
    critical[0] = level
    for i in range(2, m + 1):
        j = np.arange(1, i)[:, None]
        binomials = np.array([float(comb(i, k)) for k in range(1, i - 1)])[:, None]
        previous = (binomials * critical[1 : i - 1] ** (i - j[: i - 2])).sum(axis=0)
        critical[i - 1] = ((level**j).sum(axis=0) - previous) / i
    return critical


_METHODS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "bonferroni": lambda p: p.size * p,
    "holm": _holm,
    "hochberg": lambda p: _step_up(_remaining(p) * p),
    "hommel": _hommel,
    "holland": lambda p: np.maximum.accumulate(-np.expm1(_remaining(p) * _log1p_negative(p))),
    "finner": lambda p: np.maximum.accumulate(-np.expm1(_shares(p) * _log1p_negative(p))),
    "li": _li,
    "rom": _rom,
    "fdr_bh": lambda p: _step_up(_shares(p) * p),
    "fdr_by": lambda p: _step_up(_shares(p) * p) * float(_shares(p).mean()),
}

CORRECTIONS = tuple(_METHODS)


# The smallest p-value that a test could give on so many cases, and how many cases a smaller one needs.


RESAMPLE = "resample"
MOST = 2**60  # cases; what they do not give, no number gives


class Least(Frozen):
    """The smallest p-value by the number of cases.

    Attributes
    ----------
    at : callable
        The p-value with so many cases, falling.
    n : int
        How many cases, or resamples, there are.
    what : str
        One of them, in words.
    """

    at: Callable[[int], float]
    n: int
    what: str

    @property
    def pvalue(self) -> float:
        """With the cases that there are."""
        return min(1.0, self.at(self.n))

    def warnings(self) -> Warnings:
        """That it is not below 0.05, and how many cases can."""
        return () if self.pvalue < ALPHA else (self.cannot(lambda n: self.at(n) < ALPHA),)

    def cannot(self, enough: Callable[[int], bool], family: int = 1, alpha: float = ALPHA) -> CodedWarning:
        """That it cannot be, alone or in a family of comparisons, and the first number of cases that is enough."""
        among = f"an adjusted p < {alpha:g} among {family} comparisons" if family > 1 else f"p < {alpha:g}"
        agree = "" if self.what == RESAMPLE else ", even if all agree"
        most = self.n + 1
        while not enough(most) and most < MOST:
            most *= 2
        rest = "; nor can more"  # as by Li's adjustment beside a p-value of 1
        if enough(most):
            rest = f"; {bisect_left(range(most), True, lo=self.n + 1, key=enough)} can"
        return Code.CANNOT_REJECT(f"{counted(self.n, self.what)} cannot give {among}{agree}{rest}.")


def by_cases(n: int, what: str, alternative: str) -> Least:
    """Of cases that each favour one model or the other with probability 1/2: all of them favour the same one."""
    share = 2.0 if alternative == "two-sided" else 1.0
    return Least(at=lambda k: share * 0.5 ** min(k, 1000), n=n, what=what)


def by_resamples(n: int, sides: int = 1) -> Least:
    """Of random rearrangements: none is as extreme as what was observed, or none on the rarer of two sides."""
    return Least(at=lambda k: sides / (1 + k), n=n, what=RESAMPLE)


# Statistics closer than this are equal: the rest is rounding.
TIES = 1e-9


def step_down(observed: FloatArray, draws: Iterable[FloatArray], n_unseen: int) -> tuple[FloatArray, FloatArray]:
    """Adjusted and unadjusted p-values of statistics in decreasing order.

    Westfall and Young (1993), algorithm 4.1: at each step the largest statistic among those that are left. The
    observed statistics count as `n_unseen` draws more.
    """
    reached_by_any = np.full(observed.size, n_unseen)
    reached = np.full(observed.size, n_unseen)
    total = n_unseen
    for chunk in draws:
        largest_left = np.maximum.accumulate(chunk[:, ::-1], axis=1)[:, ::-1]
        reached_by_any += (largest_left >= observed - TIES).sum(axis=0)
        reached += (chunk >= observed - TIES).sum(axis=0)
        total += len(chunk)
    return np.maximum.accumulate(reached_by_any / total), reached / total
