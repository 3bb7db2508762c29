"""Corrected t statistics of all pairs of many models on the same splits, and the largest over each model.

The full table has a number for every pair. Of the largest alone none is kept: blocks of rough statistics from a matrix
product, with a bound of their error, leave few pairs that can hold the largest, and these are computed as the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.inference._base import corrected_factor, power_of_two
from skcompare.inference.fold_scores._table import SplitTable

# Steps between scores are looked for up to this many in one difference.
LARGEST_TEST_SET = 1e6
# Pairs that are looked at together, few enough for a processor's cache, and computed together.
_BLOCK, _EXACT = 2**16, 2**15
# A matrix product serves pairs whose squares of differences are more than this share of the squares of both models, and
# whose differences are more than this share of the largest difference from any model; the others are nearly equal.
_SHARE_OF_BOTH, _SHARE_OF_LARGEST = 1e-6, 4e-8
# What rounding can make of a rough t then, relative to it: a part per split, from the product, and one of the scores.
_PER_SPLIT, _OF_SCORES = 1e-9, 1e-7

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leads:
    """The largest corrected t over each model, and the pairs whose differences do not vary.

    Attributes
    ----------
    statistics : ndarray of shape (n_models,)
        The largest t of another model over each one.
    n_constant : int
        Pairs whose differences do not vary.
    n_fixed : int
        Those of them whose differences are not 0.
    first_fixed : tuple of (int, int) or None
        The first of these.
    """

    statistics: FloatArray
    n_constant: int
    n_fixed: int
    first_fixed: tuple[int, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """The statistics of some pairs of the models of a table; the conventions are those of `corrected_t_test`."""

    oriented: FloatArray
    noise: FloatArray
    factor: float
    least: float
    certain: bool = True  # whether a difference that does not vary is one

    @classmethod
    def of(cls, table: SplitTable, fraction: float, overlap: float, *, certain: bool = True) -> _Pairs:
        factor, least = corrected_factor(table.oriented.shape[1], fraction, overlap), _step(table) / 6**0.5
        return cls(oriented=table.oriented, noise=table.noise, factor=factor, least=least, certain=certain)

    def t(self, i: Indices | int, j: Indices | slice) -> tuple[FloatArray, NDArray[np.bool_], NDArray[np.bool_]]:
        """T of models `j` over models `i`, and of which pairs the differences do not vary, also without those of 0."""
        d = self.oriented[j] - self.oriented[i]
        unit = np.ldexp(1.0, np.frexp(np.abs(d).max(axis=1))[1])
        noise = np.maximum(self.noise[j], self.noise[i]) / unit
        d = d / unit[:, None]
        mean, still = d.mean(axis=1), np.ptp(d, axis=1) <= noise
        equal = still & (np.abs(mean) <= noise)
        error = np.maximum(np.where(still, 0.0, d.std(axis=1, ddof=1)), self.least / unit) * self.factor
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(still & (equal | (not self.certain)), 0.0, mean / error), still, still & ~equal


def pairwise_t(table: SplitTable, fraction: float, overlap: float = 1.0) -> FloatArray:
    """Corrected t of every model (column) over every other (row); nan with fewer than two splits."""
    k, n = table.oriented.shape
    t = np.zeros((k, k))
    if n < 2:
        return t * np.nan
    pairs = _Pairs.of(table, fraction, overlap)
    for i in range(k - 1):
        t[i, i + 1 :] = pairs.t(i, slice(i + 1, None))[0]
    return t - t.T


def over_each(table: SplitTable, best: int, fraction: float, overlap: float) -> FloatArray:
    """Corrected t of one model over every model, 0 over itself and where the difference does not vary."""
    pairs, k = _Pairs.of(table, fraction, overlap, certain=False), len(table.names)
    return -pairs.t(best, slice(0, k))[0]


def largest_leads(table: SplitTable, fraction: float, overlap: float = 1.0, *, certain: bool = True) -> Leads:
    r"""The largest t over each model; equal to the largest of each row of `pairwise_t` without its diagonal.

    Models that are equal on every split are taken together. In the order of falling means no later model has a positive
    t over an earlier one, so that each is compared with those before it, and the first with all.

    Let :math:`x_i` be the scores of a model over the `n` splits, less those of one model, whose subtraction rounds by
    no more than their own size, and less their mean. The squares of a difference are
    :math:`w = S_i + S_j - 2 x_i x_j` with :math:`S_i = x_i x_i`. The product is off by up to
    :math:`n \epsilon (S_i + S_j)`, and each of the `x` by up to :math:`4 \epsilon` of the largest one before it was
    centred. A relative error of `w` is therefore at most :math:`2 (n + 4) \epsilon / 10^{-6}` from the first and that
    of its root :math:`8 \epsilon / (4 \cdot 10^{-8})` from the second where `w` passes both shares, which `_PER_SPLIT`
    and `_OF_SCORES` are above. A pair whose rough t is below the largest of its row by more than the bounds of both
    cannot be the largest. All others, and those that are nearly equal, are computed by the formula of `pairwise_t`.

    Unless they are `certain`, differences that do not vary are no lead.
    """
    oriented, first, inverse, times = np.unique(
        table.oriented, axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    pairs, unit = _Pairs.of(table, fraction, overlap, certain=certain), power_of_two(oriented) or 1.0
    order = np.argsort(-(oriented / unit).mean(axis=1), kind="stable")
    leads = np.where(times > 1, 0.0, -np.inf)
    n_constant, n_fixed, first_fixed = int((times * (times - 1) // 2).sum()), 0, None
    for later, earlier in _decisive(oriented[order] / unit, pairs.least / unit):
        i, j = order[later], order[earlier]
        t, still, fixed = pairs.t(first[i], first[j])
        np.maximum.at(leads, i, t)
        np.maximum.at(leads, j, -t)
        n_constant += int((times[i] * times[j])[still].sum())
        if fixed.any():
            n_fixed += int((times[i] * times[j])[fixed].sum())
            found = np.sort([first[i][fixed], first[j][fixed]], axis=0).T.tolist()
            first_fixed = min(filter(None, (first_fixed, *map(tuple, found))))
    return Leads(statistics=leads[inverse.reshape(-1)], n_constant=n_constant, n_fixed=n_fixed, first_fixed=first_fixed)


def _decisive(scores: FloatArray, least: float) -> Iterator[tuple[Indices, Indices]]:
    """Pairs (later, earlier) of models in falling order, each once, that can hold the largest t of the later one.

    All that are nearly equal are among them, and all with the first. Of t all have the same factor, left out here.
    """
    k, n = scores.shape
    means = scores.mean(axis=1)
    x = scores - scores[0]
    floor = n * (_SHARE_OF_LARGEST * np.abs(x).max()) ** 2
    x -= x.mean(axis=1, keepdims=True)
    squares, off = np.einsum("ij,ij->i", x, x), 4 * n * np.finfo(np.float64).eps
    least, rough = least * (n - 1) ** 0.5, min(0.5, n * _PER_SPLIT + _OF_SCORES)
    rows, start = max(1, _BLOCK // k), 1
    while start < k:
        stop = min(k, start + rows)
        later, earlier = np.arange(start, stop)[:, None], np.arange(stop - 1)
        both = squares[later] + squares[earlier]
        within = both - 2 * x[start:stop] @ x[: stop - 1].T
        nearly = within <= _SHARE_OF_BOTH * both + floor
        nearly[later <= earlier] = False
        error = np.sqrt(np.maximum(within, 0.0, out=within), out=within)
        np.maximum(error, least, out=error)
        lead = means[earlier] - means[later]
        with np.errstate(divide="ignore", invalid="ignore"):
            low = (lead * (1 - rough) - off) / error
            high = np.divide(lead * (1 + rough) + off, error, out=error)
        low[nearly | (later <= earlier)] = -np.inf
        chosen = high >= low.max(axis=1, keepdims=True)
        chosen |= nearly
        chosen &= later > earlier
        chosen[:, 0] = True
        i, j = np.nonzero(chosen)
        for part in range(0, len(i), _EXACT):
            yield i[part : part + _EXACT] + start, j[part : part + _EXACT]
        start = stop


def _step(table: SplitTable) -> float:
    """Width of the steps between the scores of a split, 1 over the test size for accuracy; next to 0 without steps.

    A single gap is a multiple of itself: only a split with three different scores shows that there are steps.
    """
    gaps = [_gaps(split, table.noise) for split in table.oriented.T]
    if all(len(one) < 2 for one in gaps):
        return 0.0
    return min(_common_divisor(one) for one in gaps if one.size)


def _gaps(scores: FloatArray, noise: FloatArray) -> FloatArray:
    """Gaps between neighbours among the different scores, without those too large to be counted in steps."""
    order = np.argsort(scores)
    gaps: FloatArray = np.diff(scores[order])
    gaps = gaps[gaps > np.maximum(noise[order][1:], noise[order][:-1])]
    return gaps[gaps <= LARGEST_TEST_SET * gaps.min()] if gaps.size else gaps


def _common_divisor(gaps: FloatArray) -> float:
    """The largest number of which all gaps are multiples, up to rounding."""
    divisor, rest = 0.0, gaps
    while rest.size:
        divisor = float(rest.min())
        rest = np.abs(gaps - np.rint(gaps / divisor) * divisor)
        rest = rest[rest > gaps.max() * 1e-9]
    return divisor
