"""The predictions of two models on the same samples under one metric, and what resampling makes of them.

Classes with the same methods: `SummedPredictions` for the named metrics, which need no more than the number of samples
of each kind, `RankedPredictions` for average precision, and `CalledPredictions` for any callable. What is exchanged or
drawn as a whole is a unit: a cluster of samples, or where there are no clusters a sample.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from skcompare._core.validation import FloatArray, check_aligned, check_bool, check_choice, refuse_masked
from skcompare._core.warnings import Code
from skcompare.inference.outcomes.metrics import (
    AVERAGE_PRECISION,
    LABEL_SET_METRICS,
    METRICS,
    CalledPredictions,
    RankedPredictions,
    SummedMetric,
    Value,
    called,
    ranked,
)
from skcompare.inference.outcomes.samples import (
    AnyArray,
    Clusters,
    IntArray,
    Predictions,
    Scores,
    Swaps,
    all_counts,
    batch_sizes,
    check_labels,
    check_one_length,
    check_positive,
    count_kinds,
    encode,
    joint_code,
    positive_code,
    random_counts,
    read_clusters,
)

Metric = str | Callable[[Any, Any], float]

_WANTED = "metric, if not a callable,"
# Arrangements that are enumerated rather than drawn.
_MAX_SUMMED = 2**22
_DEFAULT_DRAWS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SummedPredictions(Predictions):
    """Predictions under a named metric: kinds of units, with the terms that each adds to the metric's sums.

    Attributes
    ----------
    name : str
        Name of the metric.
    value : callable
        From sums of terms to the metric.
    n : int
        Number of samples.
    counts : ndarray of shape (n_kinds,)
        Number of units of each kind.
    terms_a, terms_b : ndarray of shape (n_kinds, n_terms)
        Terms of a unit of each kind, for either model.
    """

    name: str
    value: Value
    n: int
    counts: IntArray
    terms_a: FloatArray
    terms_b: FloatArray

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.counts.sum())

    @property
    def n_differing(self) -> int:
        """Units on which an exchange matters to the metric."""
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
        whole = not self.name.endswith(("_macro", "_weighted", "_samples"))
        of_a, of_b = (whole and bool(missing) for missing in undefined)
        return Scores(a=float(a), b=float(b), warnings=warnings + self.about_clusters, undefined=(of_a, of_b))

    def swapped(self, n_draws: int | None, rng: np.random.Generator) -> Swaps:
        """All arrangements where they are few, by their counts, or random ones."""
        low, high, steps, sizes = self._exchanges()
        n_counts = prod(size + 1 for size in sizes.tolist())
        exact = n_counts * max(1, len(sizes)) <= _MAX_SUMMED
        if n_draws is not None:
            exact = exact and 2 ** int(sizes.sum()) <= n_draws
        width = len(sizes) + steps.shape[1]
        if exact:
            batches = all_counts(sizes, n_counts, width)
        else:
            batches = random_counts(sizes, n_draws or _DEFAULT_DRAWS, width, rng)
        differences, weights = [], []
        for exchanged, weight in batches:
            moved = exchanged @ steps
            differences.append(self.value(low + moved)[0] - self.value(high - moved)[0])
            weights.append(weight)
        return Swaps(differences=np.concatenate(differences), weights=np.concatenate(weights) if exact else None)

    def _exchanges(self) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
        """What exchanges do to the sums, whichever model is called `a`.

        Units are grouped by their step, what an exchange adds to the sums, up to its sign; all start on the
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
        counts, first, second, orientation = self.oriented()
        n = int(counts.sum())
        draws = []
        for size in batch_sizes(n_draws, len(counts) + first.shape[1]):
            numbers = rng.multinomial(n, counts / n, size=size).astype(np.float64)
            draws.append(self.value(numbers @ first)[0] - self.value(numbers @ second)[0])
        return (orientation or 1) * np.concatenate(draws)

    def oriented(self) -> tuple[FloatArray, FloatArray, FloatArray, int]:
        """Counts and terms in an order that does not depend on which model is called `a`.

        That model is the first, or with -1 the second, or with 0 either of them: they may change their names.
        """
        tables = [
            np.column_stack([*terms, self.counts])
            for terms in ((self.terms_a, self.terms_b), (self.terms_b, self.terms_a))
        ]
        ab, ba = (table[np.lexsort(table.T[::-1])] for table in tables)
        rows, mirrored = ab.tolist(), ba.tolist()
        first, second = np.hsplit((ab if rows <= mirrored else ba)[:, :-1], 2)
        return (ab if rows <= mirrored else ba)[:, -1], first, second, (rows < mirrored) - (rows > mirrored)

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one unit, and how many units each of them stands for."""
        sums_a, sums_b = (self.counts @ terms - terms for terms in (self.terms_a, self.terms_b))
        return self.value(sums_a)[0] - self.value(sums_b)[0], self.counts


Read = SummedPredictions | CalledPredictions | RankedPredictions


def read_predictions(
    y_true: ArrayLike,
    pred_a: ArrayLike,
    pred_b: ArrayLike | None,
    metric: Metric,
    positive: Any,
    clusters: ArrayLike | None,
    *,
    ranks: bool = False,
) -> Read:
    """Check the predictions and the metric, and put them in the form that the metric needs; of one model twice."""
    refuse_masked(y_true, "y_true")
    check_positive(positive)
    check_bool(ranks, "ranks")
    sets = _has_columns(y_true) and (callable(metric) or metric not in METRICS or metric in LABEL_SET_METRICS)
    if not callable(metric):
        check_choice(metric, _WANTED, [*LABEL_SET_METRICS] if sets else [*METRICS, AVERAGE_PRECISION])
    given = {"y_true": y_true, "y_pred" if pred_b is None else "pred_a": pred_a}
    given |= {} if pred_b is None else {"pred_b": pred_b}
    check_aligned(**given, clusters=clusters)
    columns = sets or (callable(metric) and not ranks)
    arrays = {n: check_labels(values, n, rows=columns and (sets or n != "y_true")) for n, values in given.items()}
    check_one_length(arrays)
    units = None if clusters is None else read_clusters(clusters, len(arrays["y_true"]))
    if metric == AVERAGE_PRECISION:
        return ranked(arrays, positive, units)
    if not callable(metric):
        if sets:
            return _summed_sets(arrays, LABEL_SET_METRICS[metric], metric, units)
        return _summed(arrays, METRICS[metric], metric, positive, units)
    return called(metric, arrays, units, ranks=ranks)


def _has_columns(values: ArrayLike) -> bool:
    """Whether there are several values per sample."""
    try:
        return np.ndim(values) == 2
    except ValueError:  # of rows of several lengths
        return False


def _summed(
    arrays: dict[str, AnyArray], metric: SummedMetric, name: str, positive: Any, units: Clusters | None
) -> SummedPredictions:
    labels, codes = encode(arrays)
    n_classes = len(labels)
    if metric.ordered:
        labels = _as_numbers(labels, name)
    if metric.binary:
        code = positive_code(labels, positive, f"{', '.join([*arrays][:-1])} and {[*arrays][-1]}")
        codes, n_classes = [(c == code).astype(np.uint8) for c in codes], 2
    of_sample = joint_code((*codes, codes[-1])[:3], n_classes)
    kinds, counts = count_kinds(of_sample, n_classes**3)
    kinds = kinds.astype(np.int64)
    (true, a), b = np.divmod(kinds // n_classes, n_classes), kinds % n_classes
    if metric.ordered:
        true, a, b = (np.asarray(labels)[code] for code in (true, a, b))
    terms = np.hstack([metric.terms(true, a, n_classes), metric.terms(true, b, n_classes)])
    if units is not None:
        position = np.searchsorted(kinds, of_sample)
        terms = np.column_stack([units.sums(term[position]) for term in terms.T])
        counts = np.ones(len(units), dtype=np.int64)
    return _counted(name, metric, terms, counts, units, len(of_sample))


def _as_numbers(labels: list[Any], name: str) -> list[float]:
    """Labels that are numbers, less the smallest of them."""
    if not all(isinstance(label, Real) for label in labels):
        raise ValueError(f"y_true and predictions must hold numbers for {name!r}; got {labels[0]!r}")
    return [float(label) - float(labels[0]) for label in labels]


def _summed_sets(
    arrays: dict[str, AnyArray], metric: SummedMetric, name: str, units: Clusters | None
) -> SummedPredictions:
    """Several labels per sample, 1 where it has them."""
    shapes = [array.shape for array in arrays.values()]
    if len(set(shapes)) > 1:
        raise ValueError(f"{', '.join([*arrays][:-1])} and {[*arrays][-1]} must have one shape; got {shapes}")
    for of_what, array in arrays.items():
        if not np.isin(array, (0, 1)).all():
            raise ValueError(f"{of_what} must hold 0 and 1, a column per label, for {name!r}; got other numbers")
    true, a, *others = (array.astype(np.int64) for array in arrays.values())
    terms = np.hstack([metric.terms(true, of_model, true.shape[1]) for of_model in (a, *(others or [a]))])
    if units is not None:
        terms = units.sums(terms)
    return _counted(name, metric, terms, np.ones(len(terms), dtype=np.int64), units, len(true))


def _counted(
    name: str, metric: SummedMetric, terms: FloatArray, counts: IntArray, units: Clusters | None, n: int
) -> SummedPredictions:
    """Units whose terms are equal, counted; those of the two models stand side by side."""
    terms, kind = np.unique(terms, axis=0, return_inverse=True)
    terms_a, terms_b = np.hsplit(terms, 2)
    return SummedPredictions(
        name=name,
        value=metric.value,
        clusters=units,
        n=n,
        counts=np.bincount(kind.reshape(-1), weights=counts).astype(np.int64),
        terms_a=terms_a,
        terms_b=terms_b,
    )


def metric_name(metric: Metric) -> str:
    """The name of a metric for the record."""
    return metric if isinstance(metric, str) else getattr(metric, "__name__", type(metric).__name__)
