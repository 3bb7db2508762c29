"""Predictions of some folds, laid end to end, and the metrics of all these folds at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, groupby
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core import metrics as rows_of
from skcompare._core.metrics import FRACTIONS, Counts, OfRows, Summed, f_beta, quotient
from skcompare._core.validation import AnyArray, BoolArray, FloatArray
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.input import Task, encode, positive_class
from skcompare.evaluation.splits import IndexArray, NarrowArray, Splits

# What a metric reads of an estimator: methods, by preference.
LABEL = ("predict",)
DECISION = ("decision_function", "predict_proba")
PROBABILITY = ("predict_proba",)
ANY_KIND = "biufcmMOSUV"
_BLOCK = 1 << 14  # samples scored together


class Truth:
    """The true labels, encoded once for all estimators and metrics."""

    def __init__(self, y: NDArray[Any], splits: Splits, task: Task) -> None:
        self.y, self.splits, self.task = y, splits, task
        self.positive: Any = None
        if task in ("binary", "multiclass"):
            self.classes = np.unique(y)
            self.codes = encode(y, self.classes)[1]
            self.positive = positive_class(self.classes, task)
            self.positive_code = 0 if self.positive is None else int(np.flatnonzero(self.classes == self.positive)[0])
        self._tests: dict[int, list[IndexArray]] = {}

    def held_out(self, split: int) -> IndexArray:
        """The test indices of a split; those of one repeat are kept, the rest is derived when needed."""
        if self.splits.fold_ids is None:
            return self.splits.held_out(split)
        repeat, fold = divmod(split, self.splits.n_folds)
        if repeat not in self._tests:
            self._tests = {repeat: self.splits.all_held_out(repeat)}
        return self._tests[repeat][fold]

    def blocks(self, splits: Sequence[int]) -> Iterator[tuple[slice, Block]]:
        """The splits in runs of at most `_BLOCK` test samples, or of one split; with the place of each run."""
        start, room = 0, _BLOCK
        for stop, split in enumerate(splits):
            room -= self.splits.test_sizes[split]
            if room < 0 and stop > start:
                yield slice(start, stop), Block(self, splits[start:stop])
                start, room = stop, _BLOCK - self.splits.test_sizes[split]
        yield slice(start, len(splits)), Block(self, splits[start:])


class Block:
    """The test sets of some splits, end to end."""

    def __init__(self, truth: Truth, splits: Sequence[int]) -> None:
        self.truth = truth
        self.tests: list[IndexArray] = list(map(truth.held_out, splits))
        self.sizes = np.array(list(map(len, self.tests)), dtype=np.intp)
        self.starts = np.cumsum(self.sizes) - self.sizes

    def of_one_size(self, folds: Sequence[int]) -> Iterator[list[int]]:
        """Some test sets, in order, those of one size together."""
        size_of = self.sizes.tolist().__getitem__
        for _, same_size in groupby(sorted(folds, key=size_of), key=size_of):
            yield list(same_size)

    def stacked(self, values: NDArray[Any], folds: Sequence[int]) -> NDArray[Any]:
        """One row for each of some test sets of one size."""
        n_rows, size = len(folds), int(self.sizes[folds[0]])
        first = int(self.starts[folds[0]])
        if folds[-1] - folds[0] == n_rows - 1:
            return values[first : first + n_rows * size].reshape(n_rows, size)
        return values.take(self.starts[folds, None] + np.arange(size))

    @cached_property
    def y(self) -> NDArray[Any]:
        """True targets."""
        return self.truth.y[np.concatenate(self.tests)]

    @cached_property
    def codes(self) -> NarrowArray:
        """True classes, as positions among the classes."""
        return self.truth.codes[np.concatenate(self.tests)]

    @cached_property
    def _rows(self) -> IndexArray:
        """Where the row of each sample's test set begins in a flat table of test sets by classes."""
        return np.repeat(np.arange(len(self.tests)) * len(self.truth.classes), self.sizes)

    @cached_property
    def members(self) -> FloatArray:
        """Samples per test set and class, or label."""
        return self.sums(self.y != 0) if self.truth.task == "multilabel" else self.table(self.codes)

    def of_samples(self, table: FloatArray, codes: NarrowArray) -> FloatArray:
        """Of each sample the entry of its test set and of a class in a table of test sets by classes."""
        return table.take(self._rows + codes)

    def sums(self, values: NDArray[Any]) -> FloatArray:
        """The sum over each test set."""
        return np.asarray(np.add.reduceat(values, self.starts, axis=0, dtype=np.float64))

    def table(self, codes: NarrowArray, which: NDArray[np.bool_] | None = None) -> FloatArray:
        """How often each class occurs in each test set, among all samples or some."""
        cells = self._rows + codes
        shape = (len(self.tests), len(self.truth.classes))
        found = np.bincount(cells if which is None else cells[which], minlength=shape[0] * shape[1])
        return found.reshape(shape).astype(np.float64)


class Batches:
    """One estimator's predictions on a block of splits, encoded once and shared by the metrics."""

    def __init__(self, block: Block, folds: Sequence[FoldOutcome]) -> None:
        self.block, self.truth, self.folds = block, block.truth, folds
        self.undefined: dict[str, NDArray[np.bool_]] = {}
        self.ranked: dict[tuple[str, ...], list[Any]] = {}  # rows of sorted scores, for all metrics of ranks
        self._scores: dict[tuple[str, ...], tuple[list[int], FloatArray]] = {}

    def response(self, i: int, names: Sequence[str]) -> NDArray[Any] | None:
        """The first of the responses that the estimator gave on fold i; labels may be encoded."""
        given = self.folds[i].responses
        name = next(filter(given.__contains__, names), None)
        return None if name is None else given[name]

    def pair(self, i: int, names: Sequence[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and predicted values of fold i, for scikit-learn's own functions."""
        response = self.response(i, names)
        if response is None:
            raise AttributeError(f"the estimator has no {' or '.join(names)}")
        if names != LABEL and response.ndim == 2 and response.shape[1] < 2:
            raise ValueError(f"{names[-1]} must give a column per class; got one")
        if names == LABEL and self.folds[i].encoded:
            response = self.truth.classes[response]
        return self.truth.y[self.block.tests[i]], response

    def ordinary(self, names: tuple[str, ...]) -> list[int]:
        """Folds that the batched arithmetic may take: known labels, finite scores of the right shape."""
        if names != LABEL:
            return self.scores(names)[0]
        kinds = {"regression": "numbers", "multilabel": "label_sets"}
        return list(getattr(self, kinds.get(self.truth.task, "codes"))[0])

    @cached_property
    def numbers(self) -> tuple[list[int], FloatArray]:
        """The folds whose predictions are ordinary numbers, and the predictions, end to end."""
        given = self._of_folds(LABEL, (), "biuf")
        true = self.truth.y
        return self._lay({i: part.astype(np.float64) for i, part in given.items() if _in_double(true, part)}, ())

    @cached_property
    def number_rows(self) -> list[tuple[list[int], FloatArray, FloatArray]]:
        """Of the ordinary ones, those of one size together: folds, true and predicted values, a row for each."""
        folds, predicted = self.numbers
        true = self.block.y.astype(np.float64)
        stacked = self.block.stacked
        return [(same, stacked(true, same), stacked(predicted, same)) for same in self.block.of_one_size(folds)]

    def _of_folds(self, names: Sequence[str], columns: tuple[int, ...], kinds: str = ANY_KIND) -> dict[int, AnyArray]:
        """The responses of some kinds of numpy's that have one row per sample."""
        parts = {}
        for i, fold in enumerate(self.folds):
            part = None if "fit" in fold.errors else self.response(i, names)
            if part is not None and part.dtype.kind in kinds and part.shape == (self.block.sizes[i], *columns):
                parts[i] = part
        return parts

    def _lay(self, parts: dict[int, NDArray[Any]], columns: tuple[int, ...]) -> tuple[list[int], NDArray[Any]]:
        """What is there of each fold, end to end; zeros where there is nothing."""
        dtype = np.result_type(*map(attrgetter("dtype"), parts.values())) if parts else np.float64
        laid = np.zeros((self.block.sizes.sum(), *columns), dtype)
        for i, part in parts.items():
            laid[self.block.starts[i] :][: len(part)] = part
        return list(parts), laid

    @cached_property
    def codes(self) -> tuple[list[int], NarrowArray]:
        """The folds whose labels are all among the classes, and the classes predicted, end to end."""
        parts: dict[int, NarrowArray] = {}
        plain: dict[tuple[str, int], list[int]] = {}
        for i, labels in self._of_folds(LABEL, ()).items():
            if self.folds[i].encoded:
                parts[i] = labels
            else:
                alone = i if labels.dtype.kind == "O" else -1  # objects of one fold may not compare with the others
                plain.setdefault((labels.dtype.str, alone), []).append(i)
        for group in plain.values():
            labels = np.concatenate([self.folds[i].responses["predict"] for i in group])
            known, codes = encode(labels, self.truth.classes)
            ends = np.cumsum(self.block.sizes[group])[:-1]
            of_folds = zip(group, np.split(known, ends), np.split(codes, ends), strict=True)
            parts |= {i: own for i, are_known, own in of_folds if are_known.all()}
        folds, laid = self._lay(parts, ())
        return sorted(folds), laid

    @cached_property
    def label_sets(self) -> tuple[list[int], NDArray[np.bool_]]:
        """The folds whose predictions are 0 or 1 for each of several labels, and which are predicted, end to end."""
        columns, sound = self.truth.y.shape[1:], np.isin(self.truth.y, (0, 1)).all()
        given = self._of_folds(LABEL, columns, "biuf") if sound else {}
        folds, sets = self._lay({i: part != 0 for i, part in given.items() if np.isin(part, (0, 1)).all()}, columns)
        return folds, sets.astype(bool, copy=False)

    @cached_property
    def counts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """True positives, predictions and members per fold and class; of no meaning where labels are not ordinary."""
        if self.truth.task == "multilabel":
            sets = self.label_sets[1]
            return self.block.sums(sets & (self.block.y != 0)), self.block.sums(sets), self.block.members
        block, predicted = self.block, self.codes[1]
        return block.table(predicted, predicted == block.codes), block.table(predicted), block.members

    def scores(self, names: tuple[str, ...]) -> tuple[list[int], FloatArray]:
        """The folds whose scores are ordinary, and the scores, end to end; of several classes one row for each."""
        if names in self._scores:
            return self._scores[names]
        columns = () if self.truth.task == "binary" else (len(self.truth.classes),)
        folds, laid = self._lay(self._of_folds(names, columns, "f"), columns)
        scores = np.ascontiguousarray(laid.T)
        sound = np.isfinite(scores)
        if columns:
            with np.errstate(all="ignore"):
                sums_to_one = np.isclose(1, scores.sum(axis=0, dtype=np.float64))
            sound = sound.all(axis=0) & (sums_to_one | (names != PROBABILITY))
        complete = np.logical_and.reduceat(sound, self.block.starts)
        if columns:
            complete &= (self.block.members > 0).all(axis=1)
        self._scores[names] = list(filter(complete.tolist().__getitem__, folds)), scores
        return self._scores[names]

    def note_undefined(self, metric: str, undefined: NDArray[np.bool_], ordinary: Sequence[int]) -> None:
        """Remember on which of the ordinary folds a metric was 0/0."""
        if undefined.any():
            self.undefined[metric] = np.isin(np.arange(len(undefined)), ordinary) & undefined


def _in_double(y: NDArray[Any], predicted: NDArray[Any]) -> bool:
    """Whether predictions are finite and scikit-learn would score them in double precision."""
    floats = [array.dtype for array in (y, predicted) if array.dtype.kind == "f"]
    finite = predicted.dtype.kind in "iub" or (predicted.dtype.kind == "f" and bool(np.isfinite(predicted).all()))
    return finite and (not floats or np.result_type(*floats) == np.float64)


# The metrics of all folds at once: what a row of `skcompare._core.metrics` is asked of the folds of one model.
#
# All take `Batches` and the metric's name, and give one value per fold. A nan that was not noted as undefined leaves
# the fold to scikit-learn's own function.


def of_labels(
    batches: Batches,
    name: str,
    *,
    metric: Summed,
    positive: int | None = None,
    otherwise: float = 0.0,
    warns: bool = True,
    several: bool = False,
) -> FloatArray:
    """A function of sums over the samples; something else where it is 0/0.

    With `several` folds of one true and predicted class are left, of which scikit-learn's confusion matrix warns.
    """
    block = batches.block
    if metric.of == "samples":
        true, labels = block.y != 0, batches.label_sets[1]
        counts = (table.sum(axis=1, dtype=np.float64) for table in (true & labels, labels, true))
        values, lacking = metric.terms(Counts(np.full(len(true), float(true.shape[1])), *counts))
        undefined, values = block.sums(lacking) > 0, block.sums(values) / block.sizes
    else:
        c: Any = slice(None)
        if metric.of == "positive":
            c = batches.truth.positive_code if positive is None else positive
        hits, called, members = batches.counts
        terms = metric.terms(Counts(block.sizes.astype(np.float64), hits[:, c], called[:, c], members[:, c]))
        values, undefined = metric.value(np.column_stack(terms))
    if several:
        return np.where(_several(batches), values, np.nan)
    if warns:
        batches.note_undefined(name, undefined, batches.ordinary(LABEL))
    return np.where(undefined, otherwise, values) if otherwise else values


def _several(batches: Batches) -> NDArray[np.bool_]:
    """Folds of more than one true or predicted class."""
    _, predicted, members = batches.counts
    return np.asarray(np.count_nonzero(predicted + members, axis=1) > 1)


def averaged(batches: Batches, name: str, *, which: str, average: str, beta: float = 1.0, **options: Any) -> FloatArray:
    """Precision, recall, F-beta or Jaccard of one class, or their average; 0 where it is 0/0."""
    fraction = f_beta(beta) if which == "f1" else FRACTIONS[which]
    metric = rows_of.averaged(fraction, average, of_sets=batches.truth.task == "multilabel")
    return of_labels(batches, name, metric=metric, **options)


def accuracy(batches: Batches, name: str) -> FloatArray:
    """Share of the labels that are right; of several labels, share of the samples that have all of them right."""
    metric = rows_of.ALL_RIGHT if batches.truth.task == "multilabel" else rows_of.ACCURACY
    return of_labels(batches, name, metric=metric)


def balanced_accuracy(batches: Batches, name: str, *, adjusted: bool = False) -> FloatArray:
    """Mean recall of the true classes; left to scikit-learn where others are predicted."""
    _, predicted, members = batches.counts
    strangers = ((predicted > 0) & (members == 0)).any(axis=1)
    values = of_labels(batches, name, metric=rows_of.balanced_accuracy(adjusted=adjusted), several=True)
    return np.where(strangers, np.nan, values)


def kappa(batches: Batches, name: str, *, weights: str | None = None, graded: bool = False) -> FloatArray:
    """Agreement beyond chance.

    Weights are of the places of the classes among those that occur in the fold, or of the classes if they are grades.
    """
    if weights is None:
        return of_labels(batches, name, metric=rows_of.KAPPA, several=True)
    _, predicted, members = batches.counts
    n, occurs = batches.block.sizes, predicted + members > 0
    places: FloatArray = np.cumsum(occurs, axis=1) - np.float64(1)
    if graded:
        places[:] = batches.truth.classes - batches.truth.classes.mean()
    true, called = (batches.block.of_samples(places, codes) for codes in (batches.block.codes, batches.codes[1]))
    distance = np.abs(true - called)
    observed = batches.block.sums(distance if weights == "linear" else distance**2)
    if weights == "linear":  # classes up to each one: a step counts for the pairs that it separates
        below, own = np.cumsum(predicted, axis=1), np.cumsum(members, axis=1)
        expected = ((below * (n[:, None] - own) + own * (n[:, None] - below)) * occurs).sum(axis=1) / n
    else:
        sums = [(table * places).sum(axis=1) for table in (predicted, members)]
        expected = ((predicted + members) * places**2).sum(axis=1) - 2 * sums[0] * sums[1] / n
    return np.where(_several(batches), 1 - quotient(observed, expected), np.nan)


# Metrics of decision values and probabilities on all folds at once.
#
# A nan that was not noted as undefined leaves the fold to scikit-learn's own function.


_SUM_TOLERANCE = 1e-8  # from which on scikit-learn may find that probabilities do not sum to 1


def roc_auc(batches: Batches, name: str, *, response: tuple[str, ...], average: str = "macro") -> FloatArray:
    """Area under the curve, of several classes that of each against the rest."""
    areas = _by_class(batches, response, _area_under_curve)
    batches.note_undefined(name, np.asarray(np.isnan(areas).any(axis=1)), batches.ordinary(response))
    return _average(batches, areas, average)


def average_precision(batches: Batches, _: str, *, response: tuple[str, ...], average: str = "macro") -> FloatArray:
    """Precision averaged over the positives by descending score, of several classes that of each against the rest."""
    return _average(batches, _by_class(batches, response, _average_precision), average)


def _average(batches: Batches, values: FloatArray, average: str) -> FloatArray:
    if values.shape[1] == 1 or average == "macro":
        return np.asarray(values.mean(axis=1))
    members = batches.block.members
    return np.asarray((values * members).sum(axis=1) / members.sum(axis=1))


def _by_class(batches: Batches, response: tuple[str, ...], function: Any) -> FloatArray:
    """A function of sorted rows, shape (n_folds, n_classes), one class where there are two; nan elsewhere."""
    n_classes = 1 if batches.truth.task == "binary" else len(batches.truth.classes)
    values = np.full((n_classes, len(batches.folds)), np.nan)
    ranked = batches.ranked.get(response) or _rank(batches, response)
    if n_classes == 1:  # all metrics of ranks read the same rows
        ranked = batches.ranked[response] = list(ranked)
    for c, folds, positive, scores in ranked:
        values[c, folds] = function(positive, scores)
    return np.ascontiguousarray(values.T)  # the order of a sum depends on how it lies


def _rank(batches: Batches, response: tuple[str, ...]) -> Iterator[tuple[int, list[int], BoolArray, FloatArray]]:
    """Class, folds, and rows of what is positive and of ascending scores."""
    (folds, scores), block = batches.scores(response), batches.block
    classes = [(0, 1, scores)] if scores.ndim == 1 else [(c, c, row) for c, row in enumerate(scores)]
    for same_size in block.of_one_size(folds):
        codes = block.stacked(block.codes, same_size)
        for place, c, of_class in classes:
            yield place, same_size, *_sorted_rows(codes == c, block.stacked(of_class, same_size))


def _area_under_curve(positive: NDArray[np.bool_], scores: FloatArray) -> FloatArray:
    """ROC AUC of sorted rows: the share of (positive, negative) pairs in order, ties half; nan without a pair."""
    n_rows, n = scores.shape
    n_positive = np.count_nonzero(positive, axis=1)
    n_pairs = n_positive * (n - n_positive)
    ties = scores[:, 1:] == scores[:, :-1]
    if ties.any():  # sums over the groups of ties, then over the rows
        starts = np.flatnonzero(np.pad(~ties, ((0, 0), (1, 0)), constant_values=True))
        middles = starts % n + (np.diff(starts, append=scores.size) - 1) / 2
        of_groups = middles * np.add.reduceat(positive.ravel(), starts, dtype=np.float64)
        ranks = np.add.reduceat(of_groups, np.flatnonzero(starts % n == 0))
    else:
        ranks = positive.astype(np.float64) @ np.arange(n, dtype=np.float64)
    in_order = ranks - n_positive * (n_positive - 1) / 2
    return np.asarray(np.divide(in_order, n_pairs, out=np.full(n_rows, np.nan), where=n_pairs > 0))


def _average_precision(positive: NDArray[np.bool_], scores: FloatArray) -> FloatArray:
    """Average precision of each sorted row, those of one score taken together; nan without a positive."""
    called = np.arange(positive.shape[1], 0, -1)  # positive, from each place on
    precision = np.cumsum(positive[:, ::-1], axis=1)[:, ::-1] / called
    ties = scores[:, 1:] == scores[:, :-1]
    if ties.any():
        precision = np.take_along_axis(precision, _first_of_ties(ties), axis=1)
    return quotient((precision * positive).sum(axis=1), np.count_nonzero(positive, axis=1).astype(np.float64))


def _first_of_ties(ties: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The place in its row of the first of each group of ties."""
    n_rows, n = ties.shape[0], ties.shape[1] + 1
    first = np.zeros((n_rows, n), dtype=np.intp)
    np.multiply(np.arange(1, n), ~ties, out=first[:, 1:])
    return np.maximum.accumulate(first, axis=1)


def one_against_one(batches: Batches, name: str, *, response: tuple[str, ...], average: str = "macro") -> FloatArray:
    """ROC AUC averaged over pairs of classes (Hand and Till 2001); of two classes the area."""
    if batches.truth.task == "binary":
        return roc_auc(batches, name, response=response)
    folds, scores = batches.scores(response)
    block, members = batches.block, batches.block.members
    n_classes = len(batches.truth.classes)
    in_order = np.full((n_classes, n_classes, len(batches.folds)), np.nan)  # pairs, by the scores of the first class
    for same_size in block.of_one_size(folds):
        codes = block.stacked(block.codes, same_size)
        for a in range(n_classes):
            in_order[a][:, same_size] = _pairs_by_class(codes, block.stacked(scores[a], same_size), a, n_classes)
    pairs = list(combinations(range(n_classes), 2))
    counts = np.stack([members[:, a] * members[:, b] for a, b in pairs], axis=1)
    areas = np.stack([in_order[a, b] + in_order[b, a] for a, b in pairs], axis=1) / np.where(counts > 0, 2 * counts, 1)
    if average == "macro":
        return np.asarray(areas.mean(axis=1))
    weights = np.stack([members[:, a] + members[:, b] for a, b in pairs], axis=1)
    return np.asarray((areas * weights).sum(axis=1) / weights.sum(axis=1))


def _pairs_by_class(codes: NDArray[Any], scores: FloatArray, a: int, n_classes: int) -> FloatArray:
    """Pairs of a class and each other one in the order of the scores, ties half; shape (n_classes, n_rows)."""
    order = np.argsort(scores, axis=1)
    codes, scores = (np.take_along_axis(rows, order, axis=1) for rows in (codes, scores))
    ties = scores[:, 1:] == scores[:, :-1]
    first, last = _first_of_ties(ties), ties.shape[1] - _first_of_ties(ties[:, ::-1])[:, ::-1]
    is_a = codes == a
    found = np.zeros((n_classes, len(codes)))
    for b in range(n_classes):
        if b != a:
            up_to = np.zeros((len(codes), codes.shape[1] + 1))
            np.cumsum(codes == b, axis=1, out=up_to[:, 1:])
            twice = np.take_along_axis(up_to, first, axis=1) + np.take_along_axis(up_to, last + 1, axis=1)
            found[b] = (twice * is_a).sum(axis=1) / 2
    return found


def _sorted_rows(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Each row by ascending score; the scores as they are, or as integers that are equal where they are."""
    n_rows, n = scores.shape
    if scores.dtype == np.float64 and not np.signbit(scores).any():
        # without signs there is a bit to carry the label: one sort of values does
        keys = (scores.view(np.uint64) << np.uint64(1)) | positive
        keys.sort(axis=1)
        return (keys & np.uint64(1)).astype(np.bool_), keys >> np.uint64(1)
    order = np.argsort(scores, axis=1)
    order += np.arange(0, n_rows * n, n)[:, None]
    return positive.take(order), scores.take(order)


def top_k(batches: Batches, _: str, *, response: tuple[str, ...], k: int = 2) -> FloatArray:
    """Share of the samples whose class is among the k of the highest scores, of ties the last ones."""
    scores = batches.scores(response)[1]
    codes = batches.block.codes
    own = np.take_along_axis(scores, codes[None].astype(np.intp), axis=0)
    later = np.arange(len(scores))[:, None] > codes
    before = np.count_nonzero((scores > own) | ((scores == own) & later), axis=0)
    return _means(batches, (before < k).astype(np.float64))


def log_loss(batches: Batches, _: str) -> FloatArray:
    """Mean of minus the logarithm of the probability of the true class."""
    return _means(batches, rows_of.minus_logarithm(*_probabilities(batches), len(batches.truth.classes)))


def d2_log_loss(batches: Batches, name: str) -> FloatArray:
    """1 - log loss over that of the shares of the classes."""
    shares, eps = _shares(batches), np.finfo(np.float64).eps
    constant = -(shares * np.log(np.clip(shares, eps, 1 - eps))).sum(axis=1)
    return np.asarray(1 - quotient(log_loss(batches, name), constant))


def brier(batches: Batches, _: str, *, half: bool) -> FloatArray:
    """Mean squared distance of the probabilities to the true class, or half of it."""
    return _means(batches, _probabilities(batches)[1]) / (2 if half else 1)


def d2_brier(batches: Batches, name: str) -> FloatArray:
    """1 - Brier score over that of the shares of the classes."""
    return np.asarray(1 - quotient(brier(batches, name, half=False), 1 - (_shares(batches) ** 2).sum(axis=1)))


def _shares(batches: Batches) -> FloatArray:
    return np.asarray(batches.block.members / batches.block.sizes[:, None])


def _probabilities(batches: Batches) -> tuple[FloatArray, FloatArray]:
    """Of each sample the probability of its class, and the squared distance; nan throughout folds to be left."""
    folds, scores = batches.scores(PROBABILITY)
    block, codes = batches.block, batches.block.codes
    if scores.ndim == 1:
        own = np.where(codes == 1, scores, 1 - scores)
        squares, lowest, highest = 2 * (1 - own) ** 2, scores, scores
    else:
        own = np.take_along_axis(scores, codes[None].astype(np.intp), axis=0)[0]
        squares = (scores**2).sum(axis=0) - own**2 + (1 - own) ** 2
        off = np.abs(scores.sum(axis=0) - 1) > _SUM_TOLERANCE
        lowest, highest = scores.min(axis=0), np.where(off, np.inf, scores.max(axis=0))
    sound = (np.minimum.reduceat(lowest, block.starts) >= 0) & (np.maximum.reduceat(highest, block.starts) <= 1)
    sound &= (block.members > 0).all(axis=1)
    sound[[i for i in folds if batches.response(i, PROBABILITY).dtype != np.float64]] = False  # type: ignore[union-attr]
    left = np.repeat(~sound, block.sizes)
    return np.where(left, np.nan, own), np.where(left, np.nan, squares)


def _means(batches: Batches, values: FloatArray) -> FloatArray:
    return np.asarray(np.add.reduceat(values, batches.block.starts) / batches.block.sizes)


# Metrics of predicted numbers, from a row of true and of predicted values per fold.


def of_rows(batches: Batches, name: str, *, rows: OfRows, undefined: bool = False, **options: Any) -> FloatArray:
    """A function of rows on all folds; where asked, its nan are noted as undefined."""
    values = np.full(len(batches.folds), np.nan)
    for places, true, predicted in batches.number_rows:
        values[places] = rows(true, predicted, **options)
    if undefined:
        batches.note_undefined(name, np.isnan(values), batches.numbers[0])
    return values
