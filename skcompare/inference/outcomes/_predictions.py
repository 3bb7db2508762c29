"""The predictions of two models on the same samples under one metric, and what resampling makes of them.

Two classes with the same methods: `SummedPredictions` for the named metrics, which need no more than the number
of samples of each kind, and `CalledPredictions` for any callable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from skcompare._core.validation import FloatArray, check_aligned, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference._base import ROUNDING
from skcompare.inference.outcomes._metrics import METRICS, SummedMetric, Value
from skcompare.inference.outcomes._samples import (
    AnyArray,
    IntArray,
    check_labels,
    check_one_length,
    encode,
    positive_code,
)

Metric = str | Callable[[Any, Any], float]

# Arrangements that are enumerated rather than drawn, for a named metric and for a callable.
_MAX_SUMMED = 2**22
_MAX_CALLED = 2**14
_DEFAULT_DRAWS = 10_000
# Numbers held at a time while resampling.
_BATCH = 2**21


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """The metric of the two models on all samples, and the warnings about it."""

    a: float
    b: float
    warnings: tuple[CodedWarning, ...] = ()

    def noise(self, differences: FloatArray) -> float:
        """Differences between resamples of at most this are rounding."""
        return ROUNDING * max(abs(self.a), abs(self.b), float(np.abs(differences).max()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Swaps:
    """Differences of the metric after exchanging the predictions of the two models on some samples.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedPredictions:
    """Predictions under a named metric: kinds of samples, with the terms that each adds to the metric's sums.

    Attributes
    ----------
    name : str
        Name of the metric.
    value : callable
        From sums of terms to the metric.
    counts : ndarray of shape (n_kinds,)
        Number of samples of each kind.
    terms_a, terms_b : ndarray of shape (n_kinds, n_terms)
        Terms of a sample of each kind, for either model.
    """

    name: str
    value: Value
    counts: IntArray
    terms_a: FloatArray
    terms_b: FloatArray

    @property
    def n(self) -> int:
        """Number of samples."""
        return int(self.counts.sum())

    @property
    def n_differing(self) -> int:
        """Samples on which an exchange matters to the metric."""
        return int(self.counts[(self.terms_a != self.terms_b).any(axis=1)].sum())

    def scores(self) -> Scores:
        """The metric of the two models."""
        (a, b), undefined = self.value(np.stack([self.counts @ self.terms_a, self.counts @ self.terms_b]))
        warnings = tuple(
            Code.UNDEFINED_METRIC(
                f"the {self.name} of {model} has a zero denominator and is taken as 0, here and in every resample.",
                about=(self.name,),
            )
            for model, missing in zip("ab", undefined, strict=True)
            if missing
        )
        return Scores(a=float(a), b=float(b), warnings=warnings)

    def swapped(self, n_draws: int | None, rng: np.random.Generator) -> Swaps:
        """All arrangements where they are few, by their counts, or random ones."""
        low, high, steps, sizes = self._exchanges()
        n_counts = prod(size + 1 for size in sizes.tolist())
        exact = n_counts * max(1, len(sizes)) <= _MAX_SUMMED
        if n_draws is not None:
            exact = exact and 2 ** int(sizes.sum()) <= n_draws
        width = len(sizes) + steps.shape[1]
        if exact:
            batches = _all_counts(sizes, n_counts, width)
        else:
            batches = _random_counts(sizes, n_draws or _DEFAULT_DRAWS, width, rng)
        differences, weights = [], []
        for exchanged, weight in batches:
            moved = exchanged @ steps
            differences.append(self.value(low + moved)[0] - self.value(high - moved)[0])
            weights.append(weight)
        return Swaps(differences=np.concatenate(differences), weights=np.concatenate(weights) if exact else None)

    def _exchanges(self) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
        """What exchanges do to the sums, whichever model is called `a`.

        Samples are grouped by their step, what an exchange adds to the sums, up to its sign; all start on the
        side from which the step is positive (in its first term that is not 0). Returns the sums of the one and
        the other model at that start, the steps, and the size of each group.
        """
        change = self.terms_b - self.terms_a
        first = (change != 0).argmax(axis=1)
        sign = np.sign(np.take_along_axis(change, first[:, None], axis=1))
        low: FloatArray = self.counts.astype(np.float64) @ np.where(sign >= 0, self.terms_a, self.terms_b)
        high: FloatArray = self.counts.astype(np.float64) @ np.where(sign >= 0, self.terms_b, self.terms_a)
        matters = sign[:, 0] != 0
        steps, group = np.unique((change * sign)[matters], axis=0, return_inverse=True)
        sizes = np.bincount(group.reshape(-1), weights=self.counts[matters], minlength=len(steps)).astype(np.int64)
        return low, high, steps, sizes

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples: the numbers of each kind are multinomial."""
        counts, first, second, orientation = self._oriented()
        n = int(counts.sum())
        draws = []
        for size in _batch_sizes(n_draws, len(counts) + first.shape[1]):
            numbers = rng.multinomial(n, counts / n, size=size).astype(np.float64)
            draws.append(self.value(numbers @ first)[0] - self.value(numbers @ second)[0])
        return orientation * np.concatenate(draws)

    def _oriented(self) -> tuple[FloatArray, FloatArray, FloatArray, int]:
        """Counts and terms in an order that does not depend on which model is called `a`; -1 if that is the second."""
        tables = [
            np.column_stack([*terms, self.counts])
            for terms in ((self.terms_a, self.terms_b), (self.terms_b, self.terms_a))
        ]
        ab, ba = (table[np.lexsort(table.T[::-1])] for table in tables)
        table, orientation = (ab, 1) if ab.tolist() <= ba.tolist() else (ba, -1)
        first, second = np.hsplit(table[:, :-1], 2)
        return table[:, -1], first, second, orientation

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one sample, and how many samples each of them stands for."""
        sums_a, sums_b = (self.counts @ terms - terms for terms in (self.terms_a, self.terms_b))
        return self.value(sums_a)[0] - self.value(sums_b)[0], self.counts


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledPredictions:
    """Predictions under a callable metric.

    Attributes
    ----------
    metric : callable
        ``(y_true, y_pred) -> float``.
    y, a, b : ndarray of shape (n,)
        True values and the predictions of the two models.
    codes : ndarray of shape (n, 3)
        The same as integers that sort alike.
    """

    metric: Callable[[Any, Any], float]
    y: AnyArray
    a: AnyArray
    b: AnyArray
    codes: IntArray

    @property
    def n(self) -> int:
        """Number of samples."""
        return len(self.y)

    @property
    def n_differing(self) -> int:
        """Samples on which an exchange may matter to the metric."""
        return len(self._differing())

    def scores(self) -> Scores:
        """The metric of the two models."""
        return Scores(a=self._score(self.y, self.a), b=self._score(self.y, self.b))

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
        code_a, code_b = self.codes[where[0], 1:]
        orientation = 1 if code_a < code_b else -1
        draws = [
            self._exchanged(where[rng.integers(2, size=n, dtype=np.int8) == 1])
            for _ in range(n_draws or _DEFAULT_DRAWS)
        ]
        return Swaps(differences=orientation * np.array(draws), weights=None)

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples."""
        return np.array([self._difference(rng.integers(self.n, size=self.n)) for _ in range(n_draws)])

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one sample, and how many samples each of them stands for."""
        _, first, counts = np.unique(self.codes, axis=0, return_index=True, return_counts=True)
        everything = np.arange(self.n)
        return np.array([self._difference(np.delete(everything, i)) for i in first.tolist()]), counts

    def _differing(self) -> IntArray:
        return np.flatnonzero(self.codes[:, 1] != self.codes[:, 2])

    def _difference(self, chosen: IntArray) -> float:
        y = self.y[chosen]
        return self._score(y, self.a[chosen]) - self._score(y, self.b[chosen])

    def _exchanged(self, where: IntArray) -> float:
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


def read_predictions(
    y_true: ArrayLike, pred_a: ArrayLike, pred_b: ArrayLike, metric: Metric, positive: Any
) -> SummedPredictions | CalledPredictions:
    """Check the predictions and the metric, and put them in the form that the metric needs."""
    if not callable(metric):
        check_choice(metric, "metric, if not a callable,", list(METRICS))
    given = {"y_true": y_true, "pred_a": pred_a, "pred_b": pred_b}
    check_aligned(**given)
    arrays = {name: check_labels(values, name) for name, values in given.items()}
    check_one_length(arrays)
    if not callable(metric):
        return _summed(arrays, METRICS[metric], metric, positive)
    _, (y,) = encode({"y_true": arrays["y_true"]})
    a, b = _of_one_dtype(arrays["pred_a"], arrays["pred_b"])  # so that exchanging never changes a value
    _, (code_a, code_b) = encode({"pred_a": a, "pred_b": b})
    return CalledPredictions(metric=metric, y=arrays["y_true"], a=a, b=b, codes=np.column_stack([y, code_a, code_b]))


def _summed(arrays: dict[str, AnyArray], metric: SummedMetric, name: str, positive: Any) -> SummedPredictions:
    labels, codes = encode(arrays)
    n_classes = len(labels)
    if metric.binary:
        code = positive_code(labels, positive, "y_true, pred_a and pred_b")
        codes, n_classes = [(c == code).astype(np.int64) for c in codes], 2
    true, a, b = codes
    kinds, counts = np.unique((true * n_classes + a) * n_classes + b, return_counts=True)
    (true, a), b = np.divmod(kinds // n_classes, n_classes), kinds % n_classes
    terms = np.hstack([metric.terms(true, a, n_classes), metric.terms(true, b, n_classes)])
    terms, kind = np.unique(terms, axis=0, return_inverse=True)
    terms_a, terms_b = np.hsplit(terms, 2)
    return SummedPredictions(
        name=name,
        value=metric.value,
        counts=np.bincount(kind.reshape(-1), weights=counts).astype(np.int64),
        terms_a=terms_a,
        terms_b=terms_b,
    )


def _of_one_dtype(a: AnyArray, b: AnyArray) -> tuple[AnyArray, AnyArray]:
    if a.dtype == b.dtype:
        return a, b
    both = np.dtype(object) if "O" in (a.dtype.kind, b.dtype.kind) else None
    if both is None:
        encode({"pred_a": a[:1], "pred_b": b[:1]})
        both = np.result_type(a, b)
    return a.astype(both), b.astype(both)


def _all_counts(sizes: IntArray, n_counts: int, width: int) -> Iterator[tuple[IntArray, FloatArray]]:
    """Every vector of exchanged samples per group, with its probability, in batches."""
    shape = tuple((sizes + 1).tolist())
    tables = [_half_binomial(size) for size in sizes.tolist()]
    start = 0
    for size in _batch_sizes(n_counts, width):
        indices = np.arange(start, start + size)
        exchanged = np.stack(np.unravel_index(indices, shape), axis=1) if shape else np.zeros((1, 0), dtype=np.int64)
        weights = np.ones(size)
        for table, k in zip(tables, exchanged.T, strict=True):
            weights *= table[k]
        yield exchanged, weights
        start += size


def _random_counts(
    sizes: IntArray, n_draws: int, width: int, rng: np.random.Generator
) -> Iterator[tuple[IntArray, FloatArray]]:
    """Random vectors of exchanged samples per group, all of one weight, in batches."""
    for size in _batch_sizes(n_draws, width):
        yield rng.binomial(sizes, 0.5, size=(size, len(sizes))), np.ones(size)


def _half_binomial(n: int) -> FloatArray:
    """Probabilities of 0 to n successes in n fair trials."""
    k = np.arange(n + 1)
    logs = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    weights: FloatArray = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights


def _batch_sizes(total: int, width: int) -> Iterator[int]:
    """Sizes of batches of rows of `width` numbers, `total` rows in all."""
    rows = max(1, _BATCH // max(1, width))
    yield from (min(rows, total - start) for start in range(0, total, rows))
