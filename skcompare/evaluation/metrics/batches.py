"""Predictions of some folds, laid end to end for batched arithmetic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.input import Task, encode, positive_class
from skcompare.evaluation.splits import IndexArray, NarrowArray, Splits

# What a metric reads of an estimator: methods, by preference.
LABEL = ("predict",)
DECISION = ("decision_function", "predict_proba")
PROBABILITY = ("predict_proba",)
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
        self.fitted = [i for i, fold in enumerate(folds) if "fit" not in fold.errors]
        self.failed = [i for i, fold in enumerate(folds) if fold.errors]
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
            raise ValueError(f"{names[-1]} gave one column; the training set of this fold has one class")
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
        parts = {}
        for i in self.fitted:
            part = self.response(i, LABEL)
            if part is not None and part.shape == (self.block.sizes[i],) and _in_double(self.truth.y, part):
                parts[i] = part.astype(np.float64)
        return self._lay(parts, ())

    @cached_property
    def number_rows(self) -> list[tuple[list[int], FloatArray, FloatArray]]:
        """Of the ordinary ones, those of one size together: folds, true and predicted values, a row for each."""
        folds, predicted = self.numbers
        true = self.block.y.astype(np.float64)
        stacked = self.block.stacked
        return [(same, stacked(true, same), stacked(predicted, same)) for same in self.block.of_one_size(folds)]

    def _lay(self, parts: dict[int, NDArray[Any]], columns: tuple[int, ...]) -> tuple[list[int], NDArray[Any]]:
        """What is there of each fold, end to end; zeros where there is nothing."""
        sizes = enumerate(self.block.sizes)
        dtype = next(iter(parts.values())).dtype if parts else np.dtype(np.float64)
        laid = [parts[i] if i in parts else np.zeros((size, *columns), dtype) for i, size in sizes]
        return list(parts), np.concatenate(laid)

    @cached_property
    def codes(self) -> tuple[list[int], NarrowArray]:
        """The folds whose labels are all among the classes, and the classes predicted, end to end."""
        parts: dict[int, NarrowArray] = {}
        plain: dict[tuple[str, int], list[int]] = {}
        for i in self.fitted:
            labels = self.response(i, LABEL)
            if labels is None or labels.shape != (self.block.sizes[i],):
                continue
            if self.folds[i].encoded:
                parts[i] = labels
            else:
                alone = i if labels.dtype.kind == "O" else -1  # objects of one fold may not compare with the others
                plain.setdefault((labels.dtype.str, alone), []).append(i)
        for group in plain.values():
            parts |= self._encode(group)
        folds, codes = self._lay(parts, ())
        return sorted(folds), codes

    def _encode(self, group: Sequence[int]) -> dict[int, NarrowArray]:
        """Codes of those folds of a group of one dtype whose labels are all known."""
        labels = np.concatenate([self.folds[i].responses["predict"] for i in group])
        known, codes = encode(labels, self.truth.classes)
        sizes = self.block.sizes[group]
        starts = np.cumsum(sizes) - sizes
        complete = np.logical_and.reduceat(known, starts)
        parts = zip(group, starts.tolist(), sizes.tolist(), complete, strict=True)
        return {i: codes[start : start + size] for i, start, size, is_whole in parts if is_whole}

    @cached_property
    def label_sets(self) -> tuple[list[int], NDArray[np.bool_]]:
        """The folds whose predictions are 0 or 1 for each of several labels, and which are predicted, end to end."""
        columns = self.truth.y.shape[1:]
        parts = {}
        for i in self.fitted if np.isin(self.truth.y, (0, 1)).all() else ():
            labels = self.response(i, LABEL)
            if labels is None or labels.dtype.kind not in "biuf" or labels.shape != (self.block.sizes[i], *columns):
                continue
            if ((labels == 0) | (labels == 1)).all():
                parts[i] = labels != 0
        folds, sets = self._lay(parts, columns)
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
        parts = {}
        for i in self.fitted:
            part = self.response(i, names)
            if part is not None and part.dtype.kind == "f" and part.shape == (self.block.sizes[i], *columns):
                parts[i] = part
        folds, laid = self._lay(parts, columns)
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


def _finite(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iub" or (values.dtype.kind == "f" and bool(np.isfinite(values).all()))


def _in_double(y: NDArray[Any], predicted: NDArray[Any]) -> bool:
    """Whether predictions are finite and scikit-learn would score them in double precision."""
    floats = [array.dtype for array in (y, predicted) if array.dtype.kind == "f"]
    return _finite(predicted) and (not floats or np.result_type(*floats) == np.float64)
