"""Clusters of items that are not independent of each other: which item is in which, and whether they are enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference.outcomes._samples import IntArray, check_labels, encode

# With fewer clusters, or unequal ones that tell as little as fewer, a record says so.
FEWEST = 10
# So does a record of which one cluster holds a larger share of the items.
_LARGEST_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """The clusters that items belong to.

    Attributes
    ----------
    codes : ndarray of shape (n_items,)
        The cluster of each item, from 0 on in the order of the labels.
    sizes : ndarray of shape (n_clusters,)
        Items of each cluster.
    """

    codes: IntArray
    sizes: IntArray

    def __len__(self) -> int:
        return len(self.sizes)

    def sums(self, values: FloatArray) -> FloatArray:
        """Sums over the items of each cluster, of one column or of several."""
        if values.ndim == 1:
            return np.bincount(self.codes, weights=values, minlength=len(self)).astype(np.float64)
        return np.column_stack([self.sums(column) for column in values.T])

    def members(self) -> list[IntArray]:
        """The positions of the items of each cluster."""
        return np.split(np.argsort(self.codes, kind="stable"), np.cumsum(self.sizes)[:-1])

    def warnings(self) -> tuple[CodedWarning, ...]:
        """Whether there are too few of them, or a few of them hold too many of the items."""
        count, n, largest = len(self), int(self.sizes.sum()), int(self.sizes.max())
        effective = n**2 / float((self.sizes.astype(np.float64) ** 2).sum())
        found: tuple[CodedWarning, ...] = ()
        if count < FEWEST:
            few = "1 cluster does not" if count == 1 else f"{count} clusters hardly"
            why = "a standard error is uncertain, and few differences can be shown"
            found += (Code.FEW_CLUSTERS(f"{few} tell how much clusters vary: {why}."),)
        if largest / n > max(_LARGEST_SHARE, 2 / count):
            found += (Code.UNEQUAL_CLUSTERS(f"one of the {count} clusters holds {largest} of the {n} items."),)
        elif count >= FEWEST > effective:
            equal = f"{effective:.1f} of equal size"
            found += (Code.UNEQUAL_CLUSTERS(f"{count} clusters of such sizes tell no more than {equal}."),)
        return found


def read_clusters(clusters: ArrayLike, n: int) -> Clusters:
    """Check the labels of the clusters of `n` items, and number them."""
    labels = check_labels(clusters, "clusters", dates=True)
    if len(labels) != n:
        raise ValueError(f"clusters must have one label per item; got {len(labels)} for {n} items")
    _, (codes,) = encode({"clusters": labels})
    return Clusters(codes=codes.astype(np.int64), sizes=np.bincount(codes).astype(np.int64))
