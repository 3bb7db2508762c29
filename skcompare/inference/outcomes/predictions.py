"""The predictions of two models on the same samples under one metric, and what resampling makes of them.

Classes with the same methods: `SummedPredictions` for the named metrics, which need no more than the number of samples
of each kind, `RankedPredictions` for average precision, and `CalledPredictions` for any callable. What is exchanged or
drawn as a whole is a unit: a cluster of samples, or where there are no clusters a sample.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, reduce
from itertools import islice, product
from math import prod
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from scipy.sparse import csc_array, csr_array

from skcompare._core.frames import OnOwnCopies
from skcompare._core.metrics import METRICS, OF_LABELS, OF_SETS, OfTables, Summed, share
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_bool, check_choice, refuse_masked
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._distributions import skewness_beyond
from skcompare.inference._records import ROUNDING
from skcompare.inference.outcomes import samples
from skcompare.inference.outcomes.auc import AVERAGE_PRECISION, RankedPredictions, ranked
from skcompare.inference.outcomes.samples import AnyArray, Clusters, IntArray, Swaps

Metric = str | Callable[[Any, Any], float]

_WANTED = "metric, if not a callable,"
DEFAULT_DRAWS = 10_000
_MOST_UNABLE = 50  # units that differ: some exchange of more of them rejects at every level
_AT_ONCE = 2**19  # numbers, which processors keep near
# A standard error of at most this is rounding, metrics being numbers around 1.
_NO_SPREAD = 1e-9
# A share of fewer cases, or with fewer hits or misses, is too coarse for a test against one of many cases.
_FEW_CASES, _FEW_OF_EITHER = 20, 5


# scikit-learn's functions of labels without a choice: of averages, a positive label, or classes that are not there.
_FUNCTIONS = {f"{name}_score": name for name in ("accuracy", "balanced_accuracy", "cohen_kappa")}
_FUNCTIONS["matthews_corrcoef"] = "matthews_corrcoef"


class SummedPredictions(samples.Predictions, eq=False, slots=False):
    """Predictions under a named metric: kinds of units, with the terms that each adds to the metric's sums.

    Attributes
    ----------
    name : str
        Name of the metric.
    sets : bool
        Whether samples have several labels each.
    n : int
        Number of samples.
    counts : ndarray of shape (n_kinds,)
        Number of units of each kind.
    terms_a, terms_b : ndarray of shape (n_kinds, n_terms)
        Terms of a unit of each kind, for either model.
    """

    name: str
    sets: bool
    n: int
    counts: IntArray
    terms_a: FloatArray
    terms_b: FloatArray

    @property
    def metric(self) -> Summed:
        """The metric, from sums of terms."""
        return (OF_SETS if self.sets else OF_LABELS)[self.name]

    @property
    def reach(self) -> float:
        """The largest difference that the metric can have."""
        row = next(row for row in METRICS.values() if self.name in (row.name, f"neg_{row.name}"))
        return row.high - row.low

    @property
    def n_units(self) -> int:
        """Number of units."""
        return int(self.counts.sum())

    @property
    def n_differing(self) -> int:
        """Units on which an exchange matters to the metric."""
        return int(self.counts[(self.terms_a != self.terms_b).any(axis=1)].sum())

    def scores(self) -> samples.Scores:
        """The metric of the two models."""
        sums = np.stack([self.counts @ self.terms_a, self.counts @ self.terms_b])
        (a, b), undefined = self.metric.value(sums)
        zero = f"the {self.name} of {{}} has a zero denominator and is taken as 0, here and in every resample."
        missing = (model for model, lacks in zip("ab", undefined, strict=True) if lacks)
        warnings = tuple(Code.WEAK_METRIC(zero.format(model), about=(self.name,)) for model in missing)
        whole = not self.name.endswith(("_macro", "_weighted", "_samples"))
        of_a, of_b = (whole and bool(lacks) for lacks in undefined)
        warnings += self._on_few(sums) + self.about_clusters
        return samples.Scores(a=float(a), b=float(b), warnings=warnings, undefined=(of_a, of_b))

    def _on_few(self, sums: FloatArray) -> Warnings:
        """That a share, such as precision, is of few samples of one model and of many of the other one."""
        if self.metric.value is not share:
            return ()
        least, most = sums[:, 1].argmin(), sums[:, 1].max()
        hits, n = sums[least]
        if not 0 < n <= most / 2 or (n >= _FEW_CASES and min(hits, n - hits) >= _FEW_OF_EITHER):
            return ()
        told = f"the {self.name} of {'ab'[least]} is {hits:.0f} of {n:.0f}, that of {'ba'[least]} of {most:.0f}"
        return (Code.NOT_AT_LEVEL(f"{told}: of so few equal ones are called different too often.", (self.name,)),)

    @property
    def skewness(self) -> float:
        """Of the difference, as far as it matters, from the influences of the units."""
        of_a, of_b = (
            terms @ self.metric.slopes(self.counts @ terms[None])[1][0] for terms in (self.terms_a, self.terms_b)
        )
        return float(skewness_beyond(of_a - of_b, self.counts))

    def to_draw(self, n_draws: int | None) -> int:
        """How many arrangements are drawn, by default or where so many are asked for; 0 where all are few enough."""
        enough = n_draws is None or 2 ** int(self.pairs.sizes.sum()) <= n_draws
        return 0 if self.pairs.listed and enough else n_draws or DEFAULT_DRAWS

    def swapped(self, n_draws: int, rng: np.random.Generator) -> Swaps:
        """So many random arrangements; with 0 all, by their counts."""
        pairs = self.pairs
        width = 3 * (len(pairs.sizes) + self.terms_a.shape[1])
        if n_draws:
            numbers = (rows.stop - rows.start for rows in samples.batches(n_draws, len(pairs.sizes)))
            drawn = (samples.half_binomials(pairs.sizes, n, rng) for n in numbers)  # many, whatever is scored at once
            parts = (own[rows] for own in drawn for rows in samples.batches(len(own), width, _AT_ONCE))
            return Swaps(statistics=np.concatenate([self.studentised(own, pairs)[0] for own in parts]), weights=None)
        shape = tuple((pairs.sizes + 1).tolist())
        n_counts, batches = prod(shape), []
        tables = [samples.half_binomial(size) for size in pairs.sizes.tolist()]
        for rows in samples.batches((n_counts + 1) // 2, width):
            indices = np.arange(rows.start, rows.stop)
            exchanged = np.stack(np.unravel_index(indices, (*shape, 1)), axis=1)[:, :-1]
            shares = (table[k] for table, k in zip(tables, exchanged.T, strict=True))
            batches.append((self.studentised(exchanged, pairs)[0], reduce(np.multiply, shares, np.ones(indices.size))))
        half, weights = (np.concatenate(parts) for parts in zip(*batches, strict=True))
        # the last arrangements are the first ones with all units exchanged
        rest = slice(n_counts // 2 - 1, None, -1) if n_counts > 1 else slice(0)
        return Swaps(statistics=np.concatenate([half, -half[rest]]), weights=np.concatenate([weights, weights[rest]]))

    def studentised(self, exchanged: IntArray | FloatArray, pairs: samples.Pairs) -> tuple[FloatArray, FloatArray]:
        """The differences over their standard errors, and these, per row of numbers of exchanged units.

        The variance of the difference is the sum of the squared influences of the units, each that of its terms on the
        one metric less that of its terms on the other (Chung and Romano 2013, studentised).
        """
        columns = np.ascontiguousarray(exchanged.T, dtype=np.float64)  # of few numbers each: whole columns are fast
        moved = (pairs.steps @ columns).T
        (of_a, by_a), (of_b, by_b) = (self.metric.slopes(sums) for sums in (pairs.low + moved, pairs.high - moved))
        by_a, by_b = by_a.T, by_b.T
        on_a, on_b = (pairs.terms @ np.ascontiguousarray(slopes) for slopes in (by_a, by_b))
        stay, change = on_a[pairs.first] - on_b[pairs.second], on_a[pairs.second] - on_b[pairs.first]
        squares = ((np.atleast_2d(pairs.sizes).T - columns) * stay**2 + columns * change**2).sum(axis=0)
        of_alike = by_a - by_b
        one = pairs.alike.ndim == 2  # for all rows
        weighted = pairs.alike.T @ of_alike if one else np.einsum("ir,rij->jr", of_alike, pairs.alike)
        squares += (weighted * of_alike).sum(axis=0)
        n = self.n_units
        standard_errors = np.sqrt(np.maximum(squares, 0) * n / max(n - 1, 1))  # below 0 by rounding
        difference = of_a - of_b
        difference[np.abs(difference) <= ROUNDING] = 0
        standard_errors[standard_errors <= _NO_SPREAD] = 0
        infinite = np.copysign(np.where(difference == 0, 0, np.inf), difference)
        return np.divide(difference, standard_errors, out=infinite, where=standard_errors > 0), standard_errors

    @cached_property
    def pairs(self) -> samples.Pairs:
        """Units in groups of one pair of terms, whichever model is called `a`.

        The first of a pair is the smaller one, by its first term that differs.
        """
        terms, place = samples.distinct_rows(np.vstack([self.terms_a, self.terms_b]))
        a, b = np.split(place, 2)
        differ, lower = a != b, np.minimum(a, b)
        codes, group = np.unique((lower * len(terms) + np.maximum(a, b))[differ], return_inverse=True)
        first, second = np.divmod(codes, len(terms))
        both = (self.counts, self.counts * (a > b))
        sizes, observed = (np.bincount(group, own[differ]).astype(np.int64) for own in both)
        alike, times = self.terms_a[~differ], self.counts[~differ].astype(np.float64)
        low, high = (times @ alike + sizes @ terms[places] for places in (first, second))
        squares = (alike.T * times) @ alike
        steps = samples.thin((terms[second] - terms[first]).T)
        return samples.Pairs(samples.thin(terms), steps, first, second, sizes, observed, low, high, squares)

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples: the numbers of each kind are multinomial."""
        counts, first, second, orientation = self.oriented()
        n = int(counts.sum())
        draws = []
        for rows in samples.batches(n_draws, len(counts) + first.shape[1]):
            numbers = rng.multinomial(n, counts / n, size=rows.stop - rows.start).astype(np.float64)
            draws.append(self.metric.value(numbers @ first)[0] - self.metric.value(numbers @ second)[0])
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
        return self.metric.value(sums_a)[0] - self.metric.value(sums_b)[0], self.counts


# The predictions of two models on the same samples under a callable metric.


# Units with scores of their own that are left out one at a time.
_MOST_LEFT_OUT = 1_000


class CalledPredictions(samples.ListedPredictions, eq=False):
    """Predictions under a callable metric.

    Attributes
    ----------
    metric : callable
        ``(y_true, y_pred) -> float``.
    y : ndarray of shape (n,)
        True values.
    codes : ndarray of shape (n, 3)
        The same as integers that sort alike.
    of_scores : bool
        Whether the metric reads scores or probabilities, which differ on every sample.
    rows : callable or None
        The metric of rows of true values and of predictions, one value each; not finite where it is to be called.
    cells : Cells or None
        Of few labels the metric of how often each was called each, which is all that it depends on.
    """

    metric: Callable[[Any, Any], float]
    y: AnyArray
    codes: IntArray
    of_scores: bool = False
    rows: Callable[[Any, Any], FloatArray] | None = None
    cells: Cells | None = None

    def scores(self) -> samples.Scores:
        """The metric of the two models."""
        b = 0.0 if self.alone else self._score(self.y, self.b)
        return samples.Scores(a=self._score(self.y, self.a), b=b, warnings=self.about_clusters)

    def resampled(self, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Differences of the metric on bootstrap samples."""
        if not self.n_differing and not self.alone:
            return np.zeros(n_draws)
        draws = (rng.integers(self.n_units, size=self.n_units) for _ in range(n_draws))
        if self.cells is not None:
            return self._of_times(np.bincount(drawn, minlength=self.n_units) for drawn in draws)
        if self.clusters is None:
            return self._differences(draws)
        members = self.clusters.members()
        return self._differences(np.concatenate([members[i] for i in drawn.tolist()]) for drawn in draws)

    def without_one(self) -> tuple[FloatArray, IntArray]:
        """Differences of the metric without one unit, and how many units each of them stands for.

        None of many samples with scores of their own, whose acceleration is next to 0.
        """
        if self.of_scores and self.n_units > _MOST_LEFT_OUT:
            return np.zeros(0), np.zeros(0, dtype=np.int64)
        everything = np.arange(self.n)
        if self.clusters is not None:
            first, counts = np.arange(self.n_units), np.ones(self.n_units, dtype=np.int64)
        else:
            _, first, counts = np.unique(self.codes, axis=0, return_index=True, return_counts=True)
        if self.cells is not None:
            return self._of_times(np.arange(self.n_units) != i for i in first.tolist()), counts
        if self.clusters is not None:
            return self._differences(np.delete(everything, gone) for gone in self.clusters.members()), counts
        return self._differences(np.delete(everything, i) for i in first.tolist()), counts

    @property
    def _coded(self) -> tuple[IntArray, IntArray]:
        return self.codes[:, 1], self.codes[:, 2]

    def _differences(self, chosen: Iterable[IntArray]) -> FloatArray:
        """Of some samples each; those of one number of them together, where there is arithmetic for that."""
        if self.rows is None:
            return np.array([self._difference(one, self._score) for one in chosen])
        return _in_batches(chosen, self.n, self._by_size)

    def _by_size(self, several: Sequence[IntArray]) -> FloatArray:
        """Of some samples each, those of one number of them together."""
        sizes, found = np.array([*map(len, several)]), np.empty(len(several))
        for size in np.unique(sizes).tolist():
            places = np.stack([one for one in several if len(one) == size])
            found[sizes == size] = self._difference(places, self._of_rows)
        return found

    def _of_rows(self, y: AnyArray, predictions: AnyArray) -> FloatArray:
        assert self.rows is not None
        values = self.rows(*(x.astype(np.float64) if x.dtype.kind in "iu" else x for x in (y, predictions)))
        for i in np.flatnonzero(~np.isfinite(values)).tolist():
            values[i] = self._score(y[i], predictions[i])
        return values

    def _difference(self, chosen: IntArray, score: Callable[[AnyArray, AnyArray], Any]) -> Any:
        """Of some samples, or of rows of them."""
        y = self.y[chosen]
        return score(y, self.a[chosen]) - (0.0 if self.alone else score(y, self.b[chosen]))

    def _of_times(self, times: Iterable[AnyArray]) -> FloatArray:
        """Of resamples in which units are so many times."""
        assert self.cells is not None
        of_both = self.cells.of_a, self.cells.of_b

        def differences(several: list[AnyArray]) -> FloatArray:
            return self._of_counts(*(of @ np.stack(several, axis=1) for of in of_both))

        return _in_batches(times, self.n_units, differences)

    def _of_counts(self, of_a: FloatArray, of_b: FloatArray) -> FloatArray:
        assert self.cells is not None
        return self.cells.values(of_a) - (0.0 if self.alone else self.cells.values(of_b))

    def _width(self) -> int:
        return samples.BATCH  # one arrangement at a time

    def _drawn(self, where: IntArray, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """One after the other, so that draws do not depend on how many are looked at together."""
        drawn = (rng.integers(2, size=len(where), dtype=np.int8) for _ in range(n_draws))
        return _in_batches(drawn, self.n, lambda rows: self._exchanged(where, np.stack(rows)))

    def _exchanged(self, where: IntArray, exchanged: AnyArray) -> FloatArray:
        if self.cells is not None:
            a, b = (of.sum(axis=1)[:, None] for of in (self.cells.of_a, self.cells.of_b))
            moved = self.cells.steps[:, where] @ exchanged.T.astype(np.float64)
            return self._of_counts(a + moved, b - moved)
        of_all = np.zeros((len(exchanged), self.n_units), dtype=bool)
        of_all[:, where] = exchanged
        of_all = of_all if self.clusters is None else of_all[:, self.clusters.codes]
        if self.rows is not None:
            y = np.broadcast_to(self.y, of_all.shape)
            ours, theirs = np.where(of_all, self.b, self.a), np.where(of_all, self.a, self.b)
            return self._of_rows(y, ours) - self._of_rows(y, theirs)
        found = np.empty(len(exchanged))
        for i, of in enumerate(of_all):
            a, b = self.a.copy(), self.b.copy()
            a[of], b[of] = self.b[of], self.a[of]
            found[i] = self._score(self.y, a) - self._score(self.y, b)
        return found

    def _score(self, y: AnyArray, predictions: AnyArray) -> float:
        return _number(self.metric, y, predictions)


def _in_batches(arrays: Iterable[AnyArray], n: int, score: Callable[[list[AnyArray]], FloatArray]) -> FloatArray:
    """What is made of arrays of about n numbers, as many at once as are held in memory."""
    found, remaining = list[FloatArray](), iter(arrays)
    while several := [*islice(remaining, max(1, samples.BATCH // n))]:
        found.append(score(several))
    return np.concatenate(found)


def _number(metric: Metric, y: AnyArray, predictions: AnyArray) -> float:
    """What a callable makes of predictions."""
    assert callable(metric)
    score: Any
    try:
        score = metric(y, predictions)
    except (ArithmeticError, LookupError) as error:
        score = error
    try:
        number = float(score)
    except (TypeError, ValueError):
        number = float("nan")
    if not np.isfinite(number):
        raise ValueError(f"metric must return a finite number on every resample; got {score!r:.80}")
    return number


# Different pairs of a true and a predicted label that are counted.
_MOST_CELLS = 256


class Cells(Frozen, eq=False):
    """A metric of how often each label was called each, which tells all of resamples of few labels.

    Attributes
    ----------
    metric : callable
        ``(y_true, y_pred) -> float``.
    tables : callable
        The metric of tables of counts, as `skcompare._core.metrics.OfTables`; nan where it is to be called.
    classes : list
        The labels.
    y, predicted : ndarray of shape (n_cells,)
        The labels of each cell.
    places : ndarray of shape (2, n_cells)
        The same as positions among the classes.
    of_a, of_b, steps : sparse array of shape (n_cells, n_units)
        How many samples of each unit are in each cell, and what an exchange of the unit adds to those of `a`.
    """

    metric: Callable[[Any, Any], float]
    tables: OfTables
    classes: Sequence[Any]
    y: AnyArray
    predicted: AnyArray
    places: IntArray
    of_a: Any
    of_b: Any
    steps: Any

    def values(self, counts: FloatArray) -> FloatArray:
        """The metric of columns of counts, called on those alone that differ."""
        columns, which = np.unique(np.rint(counts).astype(np.int64), axis=1, return_inverse=True)
        found, n = np.full(columns.shape[1], np.nan), len(self.classes)
        for part in samples.batches(len(found), n**2):
            tables = np.zeros((part.stop - part.start, n, n))
            tables[:, self.places[0], self.places[1]] = columns[:, part].T
            found[part] = self.tables(tables, self.classes)
        for i in np.flatnonzero(~np.isfinite(found)).tolist():
            found[i] = _number(self.metric, *(np.repeat(x, columns[:, i], axis=0) for x in (self.y, self.predicted)))
        return np.asarray(found[which.reshape(-1)])


def _with_cells(found: CalledPredictions, tables: OfTables) -> CalledPredictions:
    """The predictions, with the counts that a metric of scikit-learn's depends on, where these are few."""
    codes_y, *codes = found.codes.T
    pairs = np.stack([np.tile(codes_y, 2), np.concatenate(codes)], axis=1)
    _, first, cell = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    if len(first) > min(found.n, _MOST_CELLS):
        return found
    y, predicted = (np.concatenate(x)[first] for x in ((found.y, found.y), (found.a, found.b)))
    classes, own = samples.encode({"y_true": y, "y_pred": predicted})
    unit = np.arange(found.n) if found.clusters is None else found.clusters.codes
    shape = (len(first), found.n_units)
    of_a, of_b = (csr_array((np.ones(found.n), (own, unit)), shape=shape) for own in np.split(cell.reshape(-1), 2))
    cells = Cells(
        metric=found.metric,
        tables=tables,
        classes=classes,
        y=y,
        predicted=predicted,
        places=np.stack(own).astype(np.int64),
        of_a=of_a,
        of_b=of_b,
        steps=csc_array(of_b - of_a),
    )
    counted = cells.values(np.stack([of.sum(axis=1) for of in (of_a, of_b)], axis=1))
    called = [found._score(found.y, of_model) for of_model in (found.a, found.b)]
    return replace(found, cells=cells) if np.allclose(counted, called, rtol=ROUNDING, atol=ROUNDING) else found


def called(
    metric: Callable[[Any, Any], float], arrays: Mapping[str, AnyArray], units: Clusters | None, *, ranks: bool
) -> CalledPredictions:
    """Predictions, or with `ranks` the ranks of scores, of one or two models under a callable metric.

    The metric is called on copies, since it may write into what it is given.
    """
    rows, tables = (getattr(metric, name, None) for name in ("of_rows", "of_tables"))
    metric = OnOwnCopies(metric)
    y = arrays["y_true"]
    codes_of_y = samples.distinct_rows(y)[1] if y.ndim > 1 else samples.encode({"y_true": y})[1][0]
    of_a, *others = [arrays[name] for name in [*arrays][1:]]
    if ranks:
        scores = [_of_ranks(metric, arrays, name) for name in [*arrays][1:]]
        of_a, *others = [one / (len(one) + 1) for one in samples.exchangeable(scores)]
    a, b = samples.of_one_dtype(of_a, *(others or [of_a]))  # so that exchanging never changes a value
    found = CalledPredictions(
        metric=metric,
        y=y,
        a=a,
        b=b,
        codes=np.column_stack([codes_of_y, *_codes(a, b)]).astype(np.int64),
        clusters=units,
        of_scores=ranks or a.ndim > 1,
        rows=rows if all(x.ndim == 1 and (x.dtype.kind in "iuU" or x.dtype == np.float64) for x in (y, a, b)) else None,
    )
    return found if tables is None or a.ndim > 1 else _with_cells(found, tables)


def _codes(a: AnyArray, b: AnyArray) -> Sequence[IntArray]:
    """Predictions as integers that sort alike, those of several columns row by row."""
    if a.ndim == 1:
        return samples.encode({"pred_a": a, "pred_b": b})[1]
    if a.shape != b.shape:
        raise ValueError(f"pred_a and pred_b must have one shape; got {a.shape} and {b.shape}")
    return np.split(samples.distinct_rows(np.concatenate([a, b]))[1], 2)


def _of_ranks(metric: Callable[[Any, Any], float], arrays: Mapping[str, AnyArray], name: str) -> FloatArray:
    """Scores; ValueError where the metric is another one on their ranks."""
    scores = as_floats(arrays[name], name)
    if not is_of_ranks(metric, arrays["y_true"], scores):
        raise ValueError(f"ranks must be False for a metric that is another one on the ranks of {name} than on {name}")
    return scores


def is_of_ranks(metric: Callable[[Any, Any], float], y_true: AnyArray, scores: FloatArray) -> bool:
    """Whether a metric is the same on scores and on two rising functions of their ranks."""
    ranks = stats.rankdata(scores) / (len(scores) + 1)
    try:
        values = [float(metric(y_true, one)) for one in (scores, ranks, ranks**3)]
    except (TypeError, ValueError):
        return False
    return bool(np.ptp(values) <= ROUNDING * max(1.0, np.abs(values).max()))


# What was given, in the form that the metric needs.


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
    samples.check_positive(positive)
    check_bool(ranks, "ranks")
    metric = metric if ranks or _has_columns(y_true) else _named(metric)
    sets = _has_columns(y_true) and (callable(metric) or metric not in OF_LABELS or metric in OF_SETS)
    if not callable(metric):
        check_choice(metric, _WANTED, [*OF_SETS] if sets else [*OF_LABELS, AVERAGE_PRECISION])
    given = {"y_true": y_true, "y_pred" if pred_b is None else "pred_a": pred_a}
    given |= {} if pred_b is None else {"pred_b": pred_b}
    check_aligned(**given, clusters=clusters)
    columns = sets or (callable(metric) and not ranks)
    arrays = {n: samples.check_labels(x, n, rows=columns and (sets or n != "y_true")) for n, x in given.items()}
    samples.check_one_length(arrays)
    units = None if clusters is None else samples.read_clusters(clusters, len(arrays["y_true"]))
    if metric == AVERAGE_PRECISION:
        return ranked(arrays, positive, units)
    if not callable(metric):
        return _summed_sets(arrays, metric, units) if sets else _summed(arrays, metric, positive, units)
    return _with_changes(called(metric, arrays, units, ranks=ranks), pred_b)


def _with_changes(found: CalledPredictions, pred_b: Any) -> Read:
    """Equal predictions of two models with what another one of a sample changes, where that does not take long."""
    alike = pred_b is not None and not found.n_differing and found.n_units > 1
    if alike and len(np.unique(found.codes, axis=0)) <= _MOST_LEFT_OUT:
        with suppress(ValueError):  # of a metric that is not defined without one of them
            return replace(found, changes=samples.Changes.seen(*replace(found, alone=True).without_one()))
    return found


def _named(metric: Metric) -> Metric:
    """The name of one of scikit-learn's functions, known by identity; another metric itself."""
    name = getattr(metric, "__name__", "")
    known = name in _FUNCTIONS and metric is getattr(sys.modules.get("sklearn.metrics"), name, None)
    return _FUNCTIONS[name] if known else metric


def _has_columns(values: ArrayLike) -> bool:
    """Whether there are several values per sample."""
    try:
        return np.ndim(values) == 2
    except ValueError:  # of rows of several lengths
        return False


def _summed(arrays: dict[str, AnyArray], name: str, positive: Any, units: Clusters | None) -> SummedPredictions:
    labels, codes = samples.encode(arrays)
    if name == "recall_weighted":
        name = "accuracy"  # one number, and fewer kinds of samples, whose exchanges can be gone through
    if name == "recall_macro" and len(np.unique(codes[0])) == len(labels):
        name = "balanced_accuracy"
    metric = OF_LABELS[name]
    n_classes = len(labels) if metric.of == "grades" else max(2, len(labels))
    if metric.of == "grades":
        if not all(isinstance(label, Real) for label in labels):
            raise ValueError(f"y_true and predictions must hold numbers for {name!r}; got {labels[0]!r}")
        labels = [float(label) - float(labels[0]) for label in labels]
    if metric.of == "positive":
        code = samples.positive_code(labels, positive, f"{', '.join([*arrays][:-1])} and {[*arrays][-1]}")
        codes, n_classes = [(c == code).astype(np.uint8) for c in codes], 2
    of_sample = samples.joint_code((*codes, codes[-1])[:3], n_classes)
    kinds, counts = samples.count_kinds(of_sample, n_classes**3)
    kinds = kinds.astype(np.int64)
    (true, a), b = np.divmod(kinds // n_classes, n_classes), kinds % n_classes
    wrong = (true + 1) % n_classes
    if metric.of == "grades":
        true, a, b, wrong = (np.asarray(labels)[code] for code in (true, a, b, wrong))
    terms = np.hstack([metric.of_samples(true, of_model, n_classes) for of_model in (a, b, true, wrong)])
    if units is not None:
        position = np.searchsorted(kinds, of_sample)
        terms = np.column_stack([units.sums(term[position]) for term in terms.T])
        counts = np.ones(len(units), dtype=np.int64)
    return _counted(name, terms, counts, units, len(of_sample))


def _summed_sets(arrays: dict[str, AnyArray], name: str, units: Clusters | None) -> SummedPredictions:
    """Several labels per sample, 1 where it has them."""
    shapes = [array.shape for array in arrays.values()]
    if len(set(shapes)) > 1:
        raise ValueError(f"{', '.join([*arrays][:-1])} and {[*arrays][-1]} must have one shape; got {shapes}")
    for of_what, array in arrays.items():
        if not np.isin(array, (0, 1)).all():
            raise ValueError(f"{of_what} must hold 0 and 1, a column per label, for {name!r}; got other numbers")
    true, a, *others = (array.astype(np.int64) for array in arrays.values())
    every = (a, *(others or [a]), true, 1 - true)
    terms = np.hstack([OF_SETS[name].of_samples(true, of_model, true.shape[1]) for of_model in every])
    if units is not None:
        terms = units.sums(terms)
    return _counted(name, terms, np.ones(len(terms), dtype=np.int64), units, len(true), sets=True)


def _counted(
    name: str, terms: FloatArray, counts: IntArray, units: Clusters | None, n: int, *, sets: bool = False
) -> SummedPredictions:
    """Units whose terms are equal, counted; side by side stand those of two models, of one all right and all wrong."""
    of_models, others = np.hsplit(terms, 2)
    terms, kind = samples.distinct_rows(of_models)
    terms_a, terms_b = np.hsplit(terms, 2)
    of_kinds = np.bincount(kind, weights=counts).astype(np.int64)
    found = SummedPredictions(
        name=name, sets=sets, clusters=units, n=n, counts=of_kinds, terms_a=terms_a, terms_b=terms_b
    )
    if found.n_differing > _MOST_UNABLE:
        return found
    value, sizes = found.metric.value, np.zeros(len(counts))
    for own, other in product(np.hsplit(of_models, 2), np.hsplit(others, 2)):
        sums = counts @ own
        sizes = np.maximum(sizes, np.abs(value(sums + other - own)[0] - value(sums[None])[0]))
    sizes[(terms_a != terms_b).any(axis=1)[kind]] = 0  # what differs was seen
    falling = np.argsort(-sizes)
    changes = samples.Changes(sizes[falling], np.cumsum(counts[falling]), found.n_differing, found.reach)
    return replace(found, changes=changes)


def metric_name(metric: Metric) -> str:
    """The name of a metric for the record."""
    return metric if isinstance(metric, str) else getattr(metric, "__name__", type(metric).__name__)
