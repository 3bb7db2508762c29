"""What resampling makes of two models: their scores, the exchanges of their predictions, and how those are counted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.inference._base import ROUNDING
from skcompare.inference._clusters import Clusters
from skcompare.inference.outcomes._samples import IntArray

# Numbers held at a time while resampling.
_BATCH = 2**21

# Kinds of samples that are counted rather than sorted.
_COUNTED = 2**16
# So few are counted one by one, in the type that they have.
_FEW = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The metric of the two models on all samples, and the warnings about it.

    `undefined` says of either whether it is 0/0 as a whole, which is not known of a mean over classes or labels.
    """

    a: float
    b: float
    warnings: tuple[CodedWarning, ...] = ()
    undefined: tuple[bool, bool] = (False, False)

    def noise(self, differences: FloatArray) -> float:
        """Differences between resamples of at most this are rounding."""
        return ROUNDING * max(abs(self.a), abs(self.b), float(np.abs(differences).max()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Swaps:
    """Differences of the metric after exchanging the predictions of the two models on some units.

    Their distribution is symmetric around 0, and the same for `a` against `b` and `b` against `a`.

    Attributes
    ----------
    differences : ndarray of shape (n_arrangements,)
        One per arrangement.
    weights : ndarray of shape (n_arrangements,) or None
        Probability of each arrangement; None where they were drawn at random.
    """

    differences: FloatArray
    weights: FloatArray | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predictions:
    """The predictions of two models on the same samples: what their classes have in common.

    Attributes
    ----------
    clusters : Clusters or None
        The units; None where these are the samples.
    """

    clusters: Clusters | None

    @property
    def n_clusters(self) -> int:
        """Number of clusters; 0 where there are none."""
        return 0 if self.clusters is None else len(self.clusters)

    @property
    def unit(self) -> str:
        """What one unit is called."""
        return "sample" if self.clusters is None else "cluster"

    @property
    def about_clusters(self) -> tuple[CodedWarning, ...]:
        """The warnings about the clusters."""
        return () if self.clusters is None else self.clusters.warnings()


def all_counts(sizes: IntArray, n_counts: int, width: int) -> Iterator[tuple[IntArray, FloatArray]]:
    """Every vector of exchanged units per group, with its probability, in batches."""
    shape = tuple((sizes + 1).tolist())
    tables = [_half_binomial(size) for size in sizes.tolist()]
    start = 0
    for size in batch_sizes(n_counts, width):
        indices = np.arange(start, start + size)
        exchanged = np.stack(np.unravel_index(indices, shape), axis=1) if shape else np.zeros((1, 0), dtype=np.int64)
        weights = np.ones(size)
        for table, k in zip(tables, exchanged.T, strict=True):
            weights *= table[k]
        yield exchanged, weights
        start += size


def random_counts(
    sizes: IntArray, n_draws: int, width: int, rng: np.random.Generator
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Random vectors of exchanged units per group, all of one weight, in batches."""
    for size in batch_sizes(n_draws, width):
        yield rng.binomial(sizes, 0.5, size=(size, len(sizes))), np.ones(size)


def _half_binomial(n: int) -> FloatArray:
    """Probabilities of 0 to n successes in n fair trials."""
    k = np.arange(n + 1)
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    weights: FloatArray = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights


def batch_sizes(total: int, width: int) -> Iterator[int]:
    """Sizes of batches of rows of `width` numbers, `total` rows in all."""
    rows = max(1, _BATCH // max(1, width))
    yield from (min(rows, total - start) for start in range(0, total, rows))


def count_kinds(kinds: NDArray[Any], n_kinds: int) -> tuple[IntArray, IntArray]:
    """The kinds that occur, in order, and how often; by counting where there can be few."""
    if n_kinds > _COUNTED:
        found, counts = np.unique(kinds, return_counts=True)
        return found, counts
    if n_kinds <= _FEW:
        frequencies = np.array([np.count_nonzero(kinds == kind) for kind in range(n_kinds)])
    else:
        frequencies = np.bincount(kinds, minlength=n_kinds)
    found = np.flatnonzero(frequencies)
    return found, frequencies[found]
