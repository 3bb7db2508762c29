"""Classification metrics as functions of sums over samples: the form that resampling can batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

from skcompare._core.frames import OnOwnCopies
from skcompare._core.validation import FloatArray, as_floats
from skcompare._core.warnings import Code
from skcompare.inference._records import ROUNDING
from skcompare.inference.outcomes.samples import (
    AnyArray,
    BoolArray,
    Clusters,
    IntArray,
    Predictions,
    Scores,
    Swaps,
    batch_sizes,
    encode,
    of_one_dtype,
    positive_code,
)

# Sums of terms, one resample per row, to the metric of each row and whether it has a zero denominator.
Value = Callable[[FloatArray], tuple[FloatArray, BoolArray]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedMetric:
    """A metric that depends on the samples through sums of terms only.

    Attributes
    ----------
    binary : bool
        Whether labels are 0 and 1, with 1 positive, instead of classes 0 to n_classes - 1.
    terms : callable
        (true classes, predicted classes, n_classes) -> one row of terms per sample.
    value : callable
        (sums of terms, one row per resample) -> the metric, 0 where it is not defined, and where that is.
    ordered : bool
        Whether labels are numbers, taken as they are less the smallest of them, in place of classes.
    """

    binary: bool
    terms: Callable[[Any, Any, int], FloatArray]
    value: Value
    ordered: bool = False


def quotient(numerator: FloatArray, denominator: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Quotients, 0 where they are 0/0, and where that is."""
    defined = denominator > 0
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=defined), ~defined


def _two_sums(numerator: BoolArray | IntArray, denominator: BoolArray | IntArray) -> FloatArray:
    return np.stack([numerator, denominator], axis=-1).astype(np.float64)


def _share(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    return quotient(sums[:, 0], sums[:, 1])


def _hits(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true == predicted, np.ones_like(true))


def _precision(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true & predicted, predicted)


def _recall(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true & predicted, true)


def _f1(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(2 * (true & predicted), true + predicted)


def _jaccard(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true & predicted, true | predicted)


def _specificity(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums((1 - true) & (1 - predicted), 1 - true)


def _hits_per_class(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Correct samples of each class, samples of each class."""
    members = np.eye(n_classes)[true]
    return np.hstack([members * (true == predicted)[:, None], members])


def _balanced_accuracy(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Mean recall of the classes that occur."""
    hits, members = np.hsplit(sums, 2)
    recalls, absent = quotient(hits, members)
    return quotient(recalls.sum(axis=1), (~absent).sum(axis=1).astype(np.float64))


def _hits_and_margins(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Correct samples, samples, true and predicted samples of each class."""
    classes = np.eye(n_classes)
    return np.hstack([_hits(true, predicted, n_classes), classes[true], classes[predicted]])


def _mcc(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Matthews correlation in the form for any number of classes (Gorodkin 2004, equation 8)."""
    hits, n = sums[:, 0], sums[:, 1]
    true, predicted = np.hsplit(sums[:, 2:], 2)
    covariance = hits * n - (true * predicted).sum(axis=1)
    spread = np.sqrt(n**2 - (true**2).sum(axis=1)) * np.sqrt(n**2 - (predicted**2).sum(axis=1))
    return quotient(covariance, spread)


def _per_class(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Correct, true and predicted samples of each class."""
    classes = np.eye(n_classes)
    return np.hstack([classes[true] * (true == predicted)[:, None], classes[true], classes[predicted]])


def _averaged(sums: FloatArray, which: str, average: str) -> tuple[FloatArray, BoolArray]:
    """The mean over the classes that occur, plain or weighted by their samples, as scikit-learn takes it."""
    hits, true, predicted = np.hsplit(sums, 3)
    numerator, denominator = {
        "precision": (hits, predicted),
        "recall": (hits, true),
        "f1": (2 * hits, true + predicted),
        "jaccard": (hits, true + predicted - hits),
    }[which]
    present = (true + predicted) > 0
    weights = true if average == "weighted" else present.astype(np.float64)
    per_class, undefined = quotient(numerator, denominator)
    mean, nothing = quotient((per_class * weights).sum(axis=1), weights.sum(axis=1))
    return mean, nothing | (undefined & present).any(axis=1)


def _kappa(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Cohen's kappa: the agreement beyond that of independent labels with these margins."""
    hits, true, predicted = np.hsplit(sums, 3)
    n = true.sum(axis=1)
    expected = (true * predicted).sum(axis=1)
    return quotient(hits.sum(axis=1) * n - expected, n**2 - expected)


def _moments(true: FloatArray, predicted: FloatArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    """Of two numbers per sample 1, both, the sum of their squares, and the square of their difference."""
    return np.column_stack(
        [np.ones_like(true), true, predicted, true**2 + predicted**2, (true - predicted) ** 2]
    ).astype(np.float64)


def _quadratic_kappa(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Agreement of numbers beyond that of independent ones, by squared differences; Cohen (1968) with these weights."""
    n, true, predicted, squares, disagreement = sums.T
    expected = squares - 2 * quotient(true * predicted, n)[0]
    return quotient(expected - disagreement, expected)


def linearised(metric: SummedMetric, terms: FloatArray) -> FloatArray:
    """One value per sample whose mean is the metric and whose spread is that of the metric, nan where that is 0/0.

    The metric is taken for linear in the means of its terms around those that were found, its slopes by differences.
    """
    means = terms.mean(axis=0)
    step = np.diag(1e-5 * means)
    with np.errstate(invalid="ignore", over="ignore"):
        (score,), (undefined,) = metric.value(means[None])
        rise = metric.value(means + step)[0] - metric.value(means - step)[0]
    slopes = np.divide(rise, 2e-5 * means, out=np.zeros_like(means), where=means > 0)
    return np.full(len(terms), np.nan) if undefined else np.asarray(score + (terms - means) @ slopes)


METRICS: dict[str, SummedMetric] = {
    "accuracy": SummedMetric(binary=False, terms=_hits, value=_share),
    "precision": SummedMetric(binary=True, terms=_precision, value=_share),
    "recall": SummedMetric(binary=True, terms=_recall, value=_share),
    "f1": SummedMetric(binary=True, terms=_f1, value=_share),
    "balanced_accuracy": SummedMetric(binary=False, terms=_hits_per_class, value=_balanced_accuracy),
    "mcc": SummedMetric(binary=False, terms=_hits_and_margins, value=_mcc),
    "specificity": SummedMetric(binary=True, terms=_specificity, value=_share),
    "cohen_kappa": SummedMetric(binary=False, terms=_per_class, value=_kappa),
    "jaccard": SummedMetric(binary=True, terms=_jaccard, value=_share),
    "quadratic_kappa": SummedMetric(binary=False, terms=_moments, value=_quadratic_kappa, ordered=True),
    **{
        f"{which}_{average}": SummedMetric(
            binary=False, terms=_per_class, value=partial(_averaged, which=which, average=average)
        )
        for which in ("precision", "recall", "f1", "jaccard")
        for average in ("macro", "weighted")
    },
}


# Metrics of several labels per sample as functions of sums over samples: the form that resampling can batch.


_WHICH = ("precision", "recall", "f1", "jaccard")


def _quotient(which: str, hits: FloatArray, true: FloatArray, predicted: FloatArray) -> tuple[FloatArray, BoolArray]:
    """A metric of hits, true and predicted labels, and where it is 0/0."""
    if which == "f1":
        return quotient(2 * hits, true + predicted)
    return quotient(hits, {"precision": predicted, "recall": true, "jaccard": true + predicted - hits}[which])


def _per_label(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    """Correct, true and predicted samples of each label."""
    return np.hstack([true * predicted, true, predicted]).astype(np.float64)


def _averaged_over_labels(sums: FloatArray, which: str, average: str) -> tuple[FloatArray, BoolArray]:
    """Of all labels together, or the mean over them, plain or weighted by their samples, as scikit-learn takes it."""
    hits, true, predicted = np.hsplit(sums, 3)
    if average == "micro":
        return _quotient(which, hits.sum(axis=1), true.sum(axis=1), predicted.sum(axis=1))
    values, undefined = _quotient(which, hits, true, predicted)
    weights = true if average == "weighted" else np.ones_like(true)
    mean, nothing = quotient((values * weights).sum(axis=1), weights.sum(axis=1))
    return mean, nothing | undefined.any(axis=1)


def sample_values(true: IntArray, predicted: IntArray, metric: str) -> FloatArray:
    """The value of each sample on a metric that is a mean over samples, 0 where it is 0/0; greater is better."""
    if metric == "accuracy":
        return np.asarray((true == predicted).all(axis=1), dtype=np.float64)
    if metric == "neg_hamming_loss":
        return -np.asarray((true != predicted).mean(axis=1), dtype=np.float64)
    counts = (part.sum(axis=1).astype(np.float64) for part in (true * predicted, true, predicted))
    return _quotient(metric.removesuffix("_samples"), *counts)[0]


def _values(true: IntArray, predicted: IntArray, n_classes: int, metric: str) -> FloatArray:  # noqa: ARG001
    return np.column_stack([sample_values(true, predicted, metric), np.ones(len(true))])


def _mean(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    return quotient(sums[:, 0], sums[:, 1])


SAMPLE_METRICS = ("accuracy", "neg_hamming_loss", *(f"{which}_samples" for which in _WHICH))
LABEL_SET_METRICS: dict[str, SummedMetric] = {
    **{name: SummedMetric(binary=False, terms=partial(_values, metric=name), value=_mean) for name in SAMPLE_METRICS},
    **{
        f"{which}_{average}": SummedMetric(
            binary=False, terms=_per_label, value=partial(_averaged_over_labels, which=which, average=average)
        )
        for which in _WHICH
        for average in ("micro", "macro", "weighted")
    },
}


# Scores of two models on the same samples under average precision, which depends on their ranks alone.


AVERAGE_PRECISION = "average_precision"
_MAX_LISTED, _RANKED_DRAWS = 2**14, 2_000


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
        total = 2**n if listed else n_draws or _RANKED_DRAWS
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
        of_all, fewer = here * _share_of(hits, above), here * _share_of(hits, above - 1)
        both = here * _share_of(hits - 1, above - 1)
        before = np.cumsum(of_all) - of_all
        from_here, below = (np.cumsum(x[::-1])[::-1] for x in (fewer, both))
        n_positive = hits[-1]
        of_negative = (before + from_here) / max(n_positive, 1)
        of_positive = (before + below - _share_of(hits - 1, above - 1)) / max(n_positive - 1, 1)
        return np.asarray(np.where(self.positive, of_positive[codes], of_negative[codes]), dtype=np.float64)


def _share_of(part: FloatArray, whole: FloatArray) -> FloatArray:
    return np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0)


def _average_precision(here: FloatArray, samples: FloatArray) -> FloatArray:
    """From the positive samples and all samples at each rank, the highest first; 0 without a positive one."""
    hits = np.cumsum(here, axis=1)
    return np.asarray(_share_of((here * _share_of(hits, np.cumsum(samples, axis=1))).sum(axis=1), hits[:, -1]))


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


# The predictions of two models on the same samples under a callable metric.


# Arrangements that are enumerated rather than drawn; units with scores of their own that are left out one at a time.
_MAX_CALLED, _MOST_LEFT_OUT = 2**14, 1_000
_CALLED_DRAWS = 10_000


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
            self._exchanged(where[rng.integers(2, size=n, dtype=np.int8) == 1]) for _ in range(n_draws or _CALLED_DRAWS)
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
