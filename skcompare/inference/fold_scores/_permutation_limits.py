"""The smallest difference that a permutation test does not reject: found by search, or among drawn rearrangements."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.inference.fold_scores._exact import Subsets, counted_exchanges, counted_subsets, subset_sums
from skcompare.inference.fold_scores._rearrangements import (
    TIES,
    Samples,
    draw_moves,
    exact_pvalue,
    mean_difference,
    orient,
    shift,
    smallest_pvalue,
    weight_of,
)

# Differences of which all subsets are listed.
_MOST_LISTED = 16


def searched_limit(
    samples: Samples, sizes: FloatArray | None, alternative: str, alpha: float, pvalue_at_zero: float
) -> float:
    """Smallest difference with an exact p-value of at least `alpha`; `alternative` is not "less".

    Up to the mean the p-value grows with the difference. Where it stands at 0 is known, so that the limit lies on
    the same side of 0 as the p-value of the test says.
    """
    if smallest_pvalue(samples, 0, alternative) >= alpha:
        return -inf
    subsets = _subsets(samples, sizes)
    if subsets is not None:
        return _listed_limit(samples, subsets, alternative, alpha, pvalue_at_zero)

    def excess(difference: float) -> float:
        pvalue = exact_pvalue(shift(samples, difference, sizes), 0.0, alternative)
        assert pvalue is not None
        return log(max(pvalue, 1e-300) / alpha)

    mean = mean_difference(samples)
    low: tuple[float, float] | None = None
    high: tuple[float, float] | None = None
    if alternative == "two-sided":
        high = (mean, -log(alpha))
    if alternative == "greater" or mean >= 0:
        at_zero = (0.0, log(pvalue_at_zero / alpha))
        if pvalue_at_zero < alpha:
            low = at_zero
        elif high is None or mean > 0:
            high = at_zero
    variance = sum(float((sample**2).mean() - sample.mean() ** 2) / sample.size for sample in samples)
    step = max(variance, 0.0) ** 0.5 or abs(mean) or 1.0
    guess = mean - 2 * step
    while low is None:
        assert high is not None
        point = min(guess, high[0] - step)
        value = excess(point)
        low, high, step = ((point, value), high, step) if value < 0 else (None, (point, value), 2 * step)
    while high is None:
        point = max(guess, low[0] + step)
        value = excess(point)
        low, high, step = ((point, value), None, 2 * step) if value < 0 else (low, (point, value), step)
    return _crossing(excess, low, high)


def _subsets(samples: Samples, sizes: FloatArray | None) -> Subsets | None:
    """All rearrangements, where there are few, or few sums of what they move; with sizes these are of many kinds."""
    slack = TIES * float(np.abs(np.concatenate(samples)).sum())
    if len(samples) == 2:
        return counted_exchanges(*samples, slack)
    x = samples[0]
    if x.size <= _MOST_LISTED:
        moved = subset_sums(x)
        return moved, subset_sums(np.ones(x.size) if sizes is None else sizes), np.ones(moved.size)
    return counted_subsets(x, slack) if sizes is None else None


def _listed_limit(samples: Samples, subsets: Subsets, alternative: str, alpha: float, pvalue_at_zero: float) -> float:
    """The same from all rearrangements: each is as extreme as the observed one from one difference on."""
    moved, size, counts = subsets
    mean, sides = mean_difference(samples), 1
    start = np.divide(moved, size, out=np.full(moved.size, -inf), where=size > 0)
    if alternative == "two-sided" and len(samples) == 1:
        sides = 2
    elif alternative == "two-sided":
        weight = weight_of(samples)
        left, rest = 2 * mean - weight * moved, 2 - weight * size
        other = np.divide(left, rest, out=np.full(moved.size, -inf), where=rest > 1e-12)
        start = np.minimum(start, other)
    order = np.argsort(start)
    start, so_many = start[order], np.cumsum(counts[order])
    n = min(float(np.ceil(alpha * so_many[-1] / sides)), so_many[-1])
    limit = float(start[np.searchsorted(so_many, max(n, 1.0))])
    if alternative == "two-sided":
        limit = min(limit, mean)
    if alternative == "greater" or mean >= 0:
        if pvalue_at_zero >= alpha:
            return min(limit, 0.0)
        if limit <= 0:
            return float(start[min(int(np.searchsorted(start, 0.0, side="right")), start.size - 1)])
    return limit


def _crossing(function: Callable[[float], float], low: tuple[float, float], high: tuple[float, float]) -> float:
    """Where an increasing step function stops being negative, from above (the ITP method: secant and bisection).

    I. F. D. Oliveira and R. H. C. Takahashi (2020), ACM Transactions on Mathematical Software 47(1), 5.
    """
    (a, at_a), (b, at_b) = low, high
    precision = 1e-14 * (abs(a) + abs(b))
    width = b - a
    steps = int(np.ceil(np.log2(max(width / precision, 2.0)))) + 1
    for step in range(steps + 1):
        if b - a <= 2 * precision:
            break
        middle = (a + b) / 2
        secant = (at_b * a - at_a * b) / (at_b - at_a)
        towards = float(np.sign(middle - secant))
        shift = 0.2 / width * (b - a) ** 2
        point = secant + towards * shift if shift <= abs(middle - secant) else middle
        radius = max(0.0, precision * 2.0 ** (steps - step) - (b - a) / 2)
        if abs(point - middle) > radius:
            point = middle - towards * radius
        if not a < point < b:
            break
        value = function(point)
        if value < 0:
            a, at_a = point, value
        else:
            b, at_b = point, value
    return b


def drawn_limit(
    samples: Samples,
    sizes: FloatArray | None,
    alternative: str,
    alpha: float,
    pvalue_at_zero: float,
    drawn: tuple[int, int],
    noise: float,
) -> float:
    """Smallest difference with a p-value of at least `alpha` among the drawn rearrangements.

    Each rearrangement is as extreme as the observed one from one difference on: the mean of what it moves. The
    limit is therefore an order statistic of these means.
    """
    oriented, sizes, flip = orient(samples, sizes)
    moved, size = draw_moves(oriented, sizes, *drawn)
    weight, mean = weight_of(samples), mean_difference(samples)
    if flip:
        # in the mirror image the same rearrangement moves the opposite amount
        moved = -moved
    with np.errstate(divide="ignore", invalid="ignore"):
        start = np.where(size == 0, -inf, np.where(np.abs(moved) <= noise * size, 0.0, moved / size))
        if alternative == "two-sided":
            left, rest = 2 * mean - weight * moved, 2 - weight * size
            other = np.where(np.abs(left) <= weight * noise * size, 0.0, left / rest)
            start = np.where((size == 0) | (rest < 1e-12), -inf, np.minimum(start, other))
    start.sort()
    n = start.size + 1
    wanted = next(k for k in range(max(1, int(alpha * n) - 1), n + 1) if k / n >= alpha)
    limit = -inf if wanted <= 1 else float(start[wanted - 2])
    if alternative == "two-sided":
        limit = min(limit, mean)
    if alternative == "greater" or mean >= 0:
        if pvalue_at_zero >= alpha:
            return min(limit, 0.0)
        if limit <= 0:
            positive = start[start > 0]
            return float(positive[0]) if positive.size else max(mean, np.finfo(float).tiny)
    return limit
