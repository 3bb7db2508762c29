"""Scores of two models on the same samples under average precision, which depends on their ranks alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

from skcompare._core.validation import FloatArray, as_floats
from skcompare._core.warnings import Code
from skcompare.inference._clusters import Clusters
from skcompare.inference.outcomes._arrangements import Predictions, Scores, Swaps, batch_sizes
from skcompare.inference.outcomes._samples import AnyArray, BoolArray, IntArray, encode, positive_code

AVERAGE_PRECISION = "average_precision"
_MAX_LISTED, _DEFAULT_DRAWS = 2**14, 2_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedPredictions(Predictions):
    """Scores under average precision.

    Scores of two models need not lie on one scale: what is exchanged are their mid-ranks within each model (Bandos,
    Rockette and Gur 2005).

    Attributes
    ----------
    positive : ndarray of shape (n,)
        Whether a sample is of the positive class.
    a, b : ndarray of shape (n,)
        The ranks of both models, as positions among all of them, 0 for the highest.
    alone : bool
        Whether the score of `a` stands in place of the difference.
    """

    positive: BoolArray
    a: IntArray
    b: IntArray
    alone: bool = False

    @property
    def n(self) -> int:
        """Number of samples."""
        return len(self.positive)

    @property
    def n_units(self) -> int:
        """Number of units."""
        return self.n if self.clusters is None else len(self.clusters)

    @property
    def n_differing(self) -> int:
        """Units on which an exchange may matter."""
        return len(self._differing())

    def scores(self) -> Scores:
        """The metric of the two models."""
        ones = np.ones((1, self.n))
        a, b = (float(self._weighted(codes, ones)[0]) for codes in (self.a, self.b))
        b = 0.0 if self.alone else b
        told = "there is no positive sample: the average precision is taken as 0, here and in every resample."
        undefined = () if self.positive.any() else (Code.UNDEFINED_METRIC(told, about=(AVERAGE_PRECISION,)),)
        return Scores(a=a, b=b, warnings=undefined + self.about_clusters)

    def swapped(self, n_draws: int | None, rng: np.random.Generator) -> Swaps:
        """All arrangements where they are few, or random ones."""
        where = self._differing()
        n = len(where)
        if n == 0:
            return Swaps(differences=np.zeros(1), weights=np.ones(1))
        listed = 2 ** min(n, 63) <= (_MAX_LISTED if n_draws is None else n_draws)
        total = 2**n if listed else n_draws or _DEFAULT_DRAWS
        unit = np.full(self.n_units, n)
        unit[where] = np.arange(n)
        of_sample = unit[self._unit_of_sample()]
        differences, start = [], 0
        for size in batch_sizes(total, 2 * self.n + self._n_ranks):
            exchanged = np.zeros((size, n + 1), dtype=bool)  # the last column: samples that stay
            if listed:
                exchanged[:, :n] = np.arange(start, start + size)[:, None] >> np.arange(n) & 1 == 1
            else:
                exchanged[:, :n] = rng.integers(2, size=(size, n), dtype=np.int8) == 1
            differences.append(self._exchanged(exchanged[:, of_sample]))
            start += size
        first = int((self.a != self.b).argmax())
        orientation = 1 if self.a[first] < self.b[first] else -1
        weights = np.full(total, 0.5**n) if listed else None
        return Swaps(differences=orientation * np.concatenate(differences), weights=weights)

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples."""
        units, found = self.n_units, []
        for size in batch_sizes(n_draws, 4 * self.n):
            drawn = rng.integers(units, size=(size, units)) + units * np.arange(size)[:, None]
            times = np.bincount(drawn.ravel(), minlength=size * units).reshape(size, units).astype(np.float64)
            found.append(self._difference(times))
        return np.concatenate(found)

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one unit, and how many units each of them stands for."""
        ones = np.ones(self.n_units, dtype=np.int64)
        if self.clusters is None:
            of_b = 0.0 if self.alone else self._without_sample(self.b)
            return self._without_sample(self.a) - of_b, ones
        return np.concatenate([self._difference(kept) for kept in self._without_cluster()]), ones

    def _without_cluster(self) -> Iterator[FloatArray]:
        units, start = self.n_units, 0
        for size in batch_sizes(units, 4 * self.n):
            kept = np.ones((size, units))
            kept[np.arange(size), np.arange(start, start + size)] = 0
            start += size
            yield kept

    def _unit_of_sample(self) -> IntArray:
        return np.arange(self.n) if self.clusters is None else self.clusters.codes

    def _differing(self) -> IntArray:
        return np.unique(self._unit_of_sample()[self.a != self.b])

    @property
    def _n_ranks(self) -> int:
        return int(max(self.a.max(), self.b.max())) + 1

    def _difference(self, times: FloatArray) -> FloatArray:
        """Of units that count several times, one row per resample."""
        weights = times if self.clusters is None else times[:, self.clusters.codes]
        of_b = 0.0 if self.alone else self._weighted(self.b, weights)
        return self._weighted(self.a, weights) - of_b

    def _weighted(self, codes: IntArray, weights: FloatArray) -> FloatArray:
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        ordered = weights[:, order]
        hits = np.add.reduceat(ordered * self.positive[order], starts, axis=1)
        return _average_precision(hits, np.add.reduceat(ordered, starts, axis=1))

    def _exchanged(self, exchanged: BoolArray) -> FloatArray:
        """Differences after the exchanges, one row each: the ranks of one model are what the other has not."""
        size, k = len(exchanged), self._n_ranks
        codes = np.where(exchanged, self.b, self.a) + k * np.arange(size)[:, None]
        found = []
        for chosen in (self.positive, np.ones(self.n, dtype=bool)):
            one = np.bincount(codes[:, chosen].ravel(), minlength=size * k).reshape(size, k).astype(np.float64)
            both = np.bincount(np.concatenate([self.a[chosen], self.b[chosen]]), minlength=k)
            found.append((one, both - one))
        return _average_precision(found[0][0], found[1][0]) - _average_precision(found[0][1], found[1][1])

    def _without_sample(self, codes: IntArray) -> FloatArray:
        """The metric of one model without each of the samples: only what stands below them changes."""
        k = self._n_ranks
        here = np.bincount(codes[self.positive], minlength=k).astype(np.float64)
        hits, above = np.cumsum(here), np.cumsum(np.bincount(codes, minlength=k)).astype(np.float64)
        of_all, fewer = here * _share(hits, above), here * _share(hits, above - 1)
        both = here * _share(hits - 1, above - 1)
        before = np.cumsum(of_all) - of_all
        from_here, below = (np.cumsum(x[::-1])[::-1] for x in (fewer, both))
        n_positive = hits[-1]
        of_negative = (before + from_here) / max(n_positive, 1)
        of_positive = (before + below - _share(hits - 1, above - 1)) / max(n_positive - 1, 1)
        return np.asarray(np.where(self.positive, of_positive[codes], of_negative[codes]), dtype=np.float64)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _average_precision(here: FloatArray, samples: FloatArray) -> FloatArray:
    """From the positive samples and all samples at each rank, the highest first; 0 without a positive one."""
    hits = np.cumsum(here, axis=1)
    return np.asarray(_share((here * _share(hits, np.cumsum(samples, axis=1))).sum(axis=1), hits[:, -1]))


def ranked(arrays: Mapping[str, AnyArray], positive: object, units: Clusters | None) -> RankedPredictions:
    """True labels and the mid-ranks of the scores of one or two models."""
    y_true, *given = arrays
    labels, (codes,) = encode({y_true: arrays[y_true]})
    code = positive_code(labels, positive, y_true)
    for name in given:
        if arrays[name].dtype.kind not in "biuf":
            raise ValueError(f"{name} must hold scores for {AVERAGE_PRECISION!r}; got dtype {arrays[name].dtype}")
    ranks = [-stats.rankdata(as_floats(arrays[name], name)) for name in given]
    _, (a, b) = encode({"a": ranks[0], "b": ranks[-1]})
    return RankedPredictions(positive=codes == code, a=a, b=b, clusters=units)
