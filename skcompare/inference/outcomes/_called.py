"""The predictions of two models on the same samples under a callable metric."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from skcompare._core.own_copies import OnOwnCopies
from skcompare._core.validation import FloatArray, as_floats
from skcompare.inference._base import ROUNDING
from skcompare.inference._clusters import Clusters
from skcompare.inference.outcomes._arrangements import Predictions, Scores, Swaps
from skcompare.inference.outcomes._samples import AnyArray, IntArray, encode, of_one_dtype

# Arrangements that are enumerated rather than drawn; units with scores of their own that are left out one at a time.
_MAX_CALLED, _MOST_LEFT_OUT = 2**14, 1_000
_DEFAULT_DRAWS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CalledPredictions(Predictions):
    """Predictions under a callable metric.

    Attributes
    ----------
    metric : callable
        ``(y_true, y_pred) -> float``.
    y, a, b : ndarray of shape (n,)
        True values and the predictions of the two models.
    codes : ndarray of shape (n, 3)
        The same as integers that sort alike.
    of_scores : bool
        Whether the metric reads scores or probabilities, which differ on every sample.
    """

    metric: Callable[[Any, Any], float]
    y: AnyArray
    a: AnyArray
    b: AnyArray
    codes: IntArray
    of_scores: bool = False

    @property
    def n(self) -> int:
        """Number of samples."""
        return len(self.y)

    @property
    def n_units(self) -> int:
        """Number of units."""
        return self.n if self.clusters is None else len(self.clusters)

    @property
    def n_differing(self) -> int:
        """Units on which an exchange may matter to the metric."""
        return len(self._differing())

    def scores(self) -> Scores:
        """The metric of the two models."""
        return Scores(a=self._score(self.y, self.a), b=self._score(self.y, self.b), warnings=self.about_clusters)

    def swapped(self, n_draws: int | None, rng: np.random.Generator) -> Swaps:
        """All arrangements where they are few, or random ones."""
        where = self._differing()
        n = len(where)
        if n == 0:
            return Swaps(differences=np.zeros(1), weights=np.ones(1))
        if 2 ** min(n, 63) <= (_MAX_CALLED if n_draws is None else n_draws):
            # the other half of the arrangements are the exchanges of these
            bits = np.arange(2 ** (n - 1))[:, None] >> np.arange(n) & 1 == 1
            half = np.array([self._exchanged(where[chosen]) for chosen in bits])
            return Swaps(differences=np.concatenate([half, -half]), weights=np.full(2**n, 0.5**n))
        code_a, code_b = self.codes[self.codes[:, 1] != self.codes[:, 2], 1:][0]
        orientation = 1 if code_a < code_b else -1
        draws = [
            self._exchanged(where[rng.integers(2, size=n, dtype=np.int8) == 1])
            for _ in range(n_draws or _DEFAULT_DRAWS)
        ]
        return Swaps(differences=orientation * np.array(draws), weights=None)

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples."""
        draws = (rng.integers(self.n_units, size=self.n_units) for _ in range(n_draws))
        if self.clusters is None:
            return np.array([self._difference(drawn) for drawn in draws])
        members = self.clusters.members()
        return np.array([self._difference(np.concatenate([members[i] for i in drawn.tolist()])) for drawn in draws])

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one unit, and how many units each of them stands for.

        None of many samples with scores of their own, whose acceleration is next to 0.
        """
        if self.of_scores and self.n_units > _MOST_LEFT_OUT:
            return np.zeros(0), np.zeros(0, dtype=np.int64)
        everything = np.arange(self.n)
        if self.clusters is None:
            _, first, counts = np.unique(self.codes, axis=0, return_index=True, return_counts=True)
            left_out = [np.array([i]) for i in first.tolist()]
        else:
            left_out, counts = self.clusters.members(), np.ones(len(self.clusters), dtype=np.int64)
        return np.array([self._difference(np.delete(everything, gone)) for gone in left_out]), counts

    def _differing(self) -> IntArray:
        where = np.flatnonzero(self.codes[:, 1] != self.codes[:, 2])
        return where if self.clusters is None else np.unique(self.clusters.codes[where])

    def _difference(self, chosen: IntArray) -> float:
        y = self.y[chosen]
        return self._score(y, self.a[chosen]) - self._score(y, self.b[chosen])

    def _exchanged(self, units: IntArray) -> float:
        where = units if self.clusters is None else np.flatnonzero(np.isin(self.clusters.codes, units))
        a, b = self.a.copy(), self.b.copy()
        a[where], b[where] = self.b[where], self.a[where]
        return self._score(self.y, a) - self._score(self.y, b)

    def _score(self, y: AnyArray, predictions: AnyArray) -> float:
        score = self.metric(y, predictions)
        try:
            number = float(score)
        except (TypeError, ValueError):
            number = float("nan")
        if not np.isfinite(number):
            raise ValueError(f"metric must return a finite number on every resample; got {score!r:.80}")
        return number


def called(
    metric: Callable[[Any, Any], float], arrays: Mapping[str, AnyArray], units: Clusters | None, *, ranks: bool
) -> CalledPredictions:
    """Predictions, or with `ranks` the ranks of scores, of one or two models under a callable metric.

    The metric is called on copies, since it may write into what it is given.
    """
    metric = OnOwnCopies(metric)
    y = _row_codes(arrays["y_true"]) if arrays["y_true"].ndim > 1 else encode({"y_true": arrays["y_true"]})[1][0]
    of_a, *others = [_as_ranks(metric, arrays, name) if ranks else arrays[name] for name in [*arrays][1:]]
    a, b = of_one_dtype(of_a, *(others or [of_a]))  # so that exchanging never changes a value
    return CalledPredictions(
        metric=metric,
        y=arrays["y_true"],
        a=a,
        b=b,
        codes=np.column_stack([y, *_codes(a, b)]).astype(np.int64),
        clusters=units,
        of_scores=ranks or a.ndim > 1,
    )


def _codes(a: AnyArray, b: AnyArray) -> Sequence[IntArray]:
    """Predictions as integers that sort alike, those of several columns row by row."""
    if a.ndim == 1:
        return encode({"pred_a": a, "pred_b": b})[1]
    if a.shape != b.shape:
        raise ValueError(f"pred_a and pred_b must have one shape; got {a.shape} and {b.shape}")
    return np.split(_row_codes(np.concatenate([a, b])), 2)


def _row_codes(rows: AnyArray) -> IntArray:
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def _as_ranks(metric: Callable[[Any, Any], float], arrays: Mapping[str, AnyArray], name: str) -> FloatArray:
    """Scores as mid-ranks over n + 1; ValueError where the metric is another one on them."""
    scores = as_floats(arrays[name], name)
    if not is_of_ranks(metric, arrays["y_true"], scores):
        raise ValueError(f"ranks must be False for a metric that is another one on the ranks of {name} than on {name}")
    return _ranks(scores)


def _ranks(scores: FloatArray) -> FloatArray:
    return np.asarray(stats.rankdata(scores) / (len(scores) + 1))


def is_of_ranks(metric: Callable[[Any, Any], float], y_true: AnyArray, scores: FloatArray) -> bool:
    """Whether a metric is the same on scores and on two rising functions of their ranks."""
    ranks = _ranks(scores)
    try:
        values = [float(metric(y_true, one)) for one in (scores, ranks, ranks**3)]
    except (TypeError, ValueError):
        return False
    return bool(np.ptp(values) <= ROUNDING * max(1.0, np.abs(values).max()))
