"""The parts of an area under the ROC curve: where each score stands among those of the other class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.inference.outcomes._samples import IntArray


@dataclass(frozen=True, eq=False)
class Placed:
    """One model's scores among those of the other class; made once, they serve in every pair.

    Attributes
    ----------
    v10, v01 : ndarray of int
        Twice the negatives below each positive sample, and the positives above each negative one; ties count once.
    """

    v10: IntArray
    v01: IntArray

    @classmethod
    def of(cls, scores: NDArray[Any], is_positive: Any) -> Placed:
        """From scores in any unit."""
        if scores.dtype.kind == "i" or _are_ranks(scores):
            return cls(*_placed_by_rank(scores.astype(np.intp, copy=False), is_positive))
        positives, negatives = scores[is_positive], scores[~is_positive]
        above, below = np.sort(positives), np.sort(negatives)
        v10 = np.searchsorted(below, positives, "left") + np.searchsorted(below, positives, "right")
        v01 = 2 * len(above) - np.searchsorted(above, negatives, "left") - np.searchsorted(above, negatives, "right")
        return cls(v10, v01)

    @cached_property
    def area(self) -> float:
        """The area under the ROC curve."""
        return int(self.v10.sum()) / (2 * len(self.v10) * len(self.v01))

    @cached_property
    def standard_error(self) -> float:
        """Of the area."""
        return error_of_area(self.v10, self.v01)


def _are_ranks(scores: FloatArray) -> bool:
    """Whether scores are whole numbers, and not many more than there are samples."""
    return bool(scores.min() >= 0 and scores.max() < 4 * len(scores) and (scores == np.floor(scores)).all())


def _placed_by_rank(ranks: NDArray[np.intp], is_positive: Any) -> tuple[IntArray, IntArray]:
    """The same by counting, without a search."""
    positives, negatives = ranks[is_positive], ranks[~is_positive]
    n_ranks = int(ranks.max()) + 1
    at, below = np.bincount(positives, minlength=n_ranks), np.bincount(negatives, minlength=n_ranks)
    v10 = (2 * np.cumsum(below) - below)[positives]
    v01 = 2 * len(positives) - (2 * np.cumsum(at) - at)[negatives]
    return v10.astype(np.int64), v01.astype(np.int64)


def area_components(scores: FloatArray, is_positive: Any, weights: FloatArray | None = None) -> FloatArray:
    """One value per sample whose mean is the area under the ROC curve and whose spread is that of the area.

    The mean over samples of the components of DeLong, DeLong and Clarke-Pearson (1988), each set against its class's
    share of the samples.
    """
    if weights is not None:
        return _weighted_components(scores, is_positive, weights)
    placed = Placed.of(scores, is_positive)
    v10, v01 = placed.v10, placed.v01
    m, n = len(v10), len(v01)
    if min(m, n) == 0:
        return np.full(len(scores), np.nan)
    area = v10.sum() / (2 * m * n)
    values = np.empty(len(scores))
    values[is_positive] = area + len(scores) / m * (v10 / (2 * n) - area)
    values[~is_positive] = area + len(scores) / n * (v01 / (2 * m) - area)
    return values


def _weighted_components(scores: FloatArray, is_positive: Any, weights: FloatArray) -> FloatArray:
    """The same of samples that count by their weights."""
    rank = np.unique(scores, return_inverse=True)[1].reshape(-1)
    parts = [np.where(chosen, weights, 0.0) for chosen in (is_positive, ~is_positive)]
    totals = [part.sum() for part in parts]
    if min(totals) == 0:
        return np.full(len(scores), np.nan)
    above, below = (np.bincount(rank, weights=part) for part in parts)
    v10 = (np.cumsum(below) - below / 2)[rank] / totals[1]
    v01 = (totals[0] - np.cumsum(above) + above / 2)[rank] / totals[0]
    area = float(parts[0] @ v10 / totals[0])
    share = np.where(is_positive, weights / totals[0], weights / totals[1])
    return np.asarray(area + len(scores) * share * (np.where(is_positive, v10, v01) - area))


def error_of_area(v10: IntArray, v01: IntArray) -> float:
    """Root of DeLong's variance, of one area or, from differences, of the difference of two."""
    m, n = len(v10), len(v01)
    if min(m, n) < 2:
        return float("nan")
    return float((v10.var(ddof=1) / (2 * n) ** 2 / m + v01.var(ddof=1) / (2 * m) ** 2 / n) ** 0.5)
