"""Predictions of all folds of an estimator, encoded once and laid out for batched arithmetic."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._validation import FloatArray
from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._task import Task, positive_class

# What a metric reads of an estimator: methods, by preference.
LABEL = ("predict",)
DECISION = ("decision_function", "predict_proba")
PROBABILITY = ("predict_proba",)
_BLOCK = 1 << 16  # samples scored together


class Truth:
    """The true labels, encoded once for all estimators and metrics."""

    def __init__(self, y: NDArray[Any], splits: Splits, task: Task) -> None:
        self.y, self.splits, self.task = y, splits, task
        self.tests = [test for _, test in splits]
        self.positive: Any = positive_class(y, task)
        if task in ("binary", "multiclass"):
            self.classes, codes = np.unique(y, return_inverse=True)
            self.codes: NDArray[np.intp] = codes.astype(np.intp)


class Batches:
    """One estimator's predictions on its fitted folds, encoded once and shared by the metrics."""

    def __init__(self, truth: Truth, folds: Sequence[FoldOutcome], splits: Sequence[int]) -> None:
        self.truth, self.folds = truth, folds
        self.tests = [truth.tests[i] for i in splits]
        self.sizes = np.array([len(test) for test in self.tests], dtype=np.intp)
        self.undefined: dict[str, int] = {}
        self._ordinary: dict[tuple[str, ...], set[int]] = {}
        self._counts: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def response(self, i: int, names: Sequence[str]) -> NDArray[Any] | None:
        """The first of the responses that the estimator gave on fold i."""
        return next((self.folds[i].responses[n] for n in names if n in self.folds[i].responses), None)

    def pair(self, i: int, names: Sequence[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and predicted values of fold i, for scikit-learn's own functions."""
        response = self.response(i, names)
        if response is None:
            wanted = " or ".join(names)
            raise AttributeError(f"the estimator has no {wanted}")
        if names != LABEL and response.ndim == 2 and response.shape[1] < 2:
            raise ValueError(f"{names[-1]} gave one column; the training set of this fold has one class")
        return self.truth.y[self.tests[i]], response

    def ordinary(self, names: tuple[str, ...]) -> set[int]:
        """Folds that the batched arithmetic may take: known labels, finite scores of the right shape."""
        if names not in self._ordinary:
            check = self._ordinary_labels if names == LABEL else self._ordinary_scores
            self._ordinary[names] = check(names)
        return self._ordinary[names]

    def _ordinary_labels(self, names: tuple[str, ...]) -> set[int]:
        given = [i for i in range(len(self.folds)) if self.response(i, names) is not None]
        arrays = [self.folds[i].responses["predict"] for i in given]
        given = [i for i, array in zip(given, arrays, strict=True) if array.shape == (self.sizes[i],)]
        if self.truth.task == "regression":
            return {i for i in given if _in_double(self.truth.y, self.folds[i].responses["predict"])}
        self._encoded: dict[int, NDArray[np.intp]] = {}
        if given:
            labels = np.concatenate([self.folds[i].responses["predict"] for i in given])
            known, codes = _encode(labels, self.truth.classes)
            ends = np.cumsum(self.sizes[given])
            for i, end in zip(given, ends, strict=True):
                fold = slice(end - self.sizes[i], end)
                if known[fold].all():
                    self._encoded[i] = codes[fold]
        return set(self._encoded)

    def _ordinary_scores(self, names: tuple[str, ...]) -> set[int]:
        binary = self.truth.task == "binary"
        n_classes = len(self.truth.classes)
        found = set()
        for i, size in enumerate(self.sizes):
            scores = self.response(i, names)
            if scores is None or scores.dtype.kind != "f" or not _finite(scores):
                continue
            if binary:
                found.update([i] if scores.shape == (size,) else [])
                continue
            present = np.bincount(self.truth.codes[self.tests[i]], minlength=n_classes) > 0
            if scores.shape == (size, n_classes) and present.all() and np.allclose(1, scores.sum(axis=1)):
                found.add(i)
        return found

    def counts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """True positives, predictions and members per fold and class, each of shape (n_folds, n_classes)."""
        if self._counts is None:
            n_classes = len(self.truth.classes)
            tables = np.zeros((3, len(self.folds), n_classes))
            for block in _blocks(sorted(self.ordinary(LABEL)), self.sizes):
                fold = np.repeat(np.arange(len(block)), self.sizes[block]) * n_classes
                true = fold + self.truth.codes[np.concatenate([self.tests[i] for i in block])]
                predicted = fold + np.concatenate([self._encoded[i] for i in block])
                for table, codes in zip(tables, (true[true == predicted], predicted, true), strict=True):
                    counts = np.bincount(codes, minlength=len(block) * n_classes)
                    table[block] = counts.reshape(len(block), n_classes)
            self._counts = (tables[0], tables[1], tables[2])
        return self._counts

    def stacked(self, names: tuple[str, ...]) -> list[tuple[list[int], NDArray[Any], NDArray[Any]]]:
        """Ordinary folds of equal test size together: their numbers, test indices and responses, stacked."""
        stacks = []
        by_size = sorted(self.ordinary(names), key=lambda i: (self.sizes[i], i))
        for _, same_size in groupby(by_size, key=lambda i: int(self.sizes[i])):
            for block in _blocks(list(same_size), self.sizes):
                responses = np.stack([_present(self.response(i, names)) for i in block])
                stacks.append((block, np.stack([self.tests[i] for i in block]), responses))
        return stacks

    def note_undefined(self, metric: str, n_folds: int) -> None:
        """Remember on how many folds a metric was 0/0."""
        if n_folds:
            self.undefined[metric] = n_folds


def _present(array: NDArray[Any] | None) -> NDArray[Any]:
    assert array is not None
    return array


def _finite(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iub" or (values.dtype.kind == "f" and bool(np.isfinite(values).all()))


def _in_double(y: NDArray[Any], predicted: NDArray[Any]) -> bool:
    """Whether predictions are finite and scikit-learn would score them in double precision."""
    floats = [array.dtype for array in (y, predicted) if array.dtype.kind == "f"]
    return _finite(predicted) and (not floats or np.result_type(*floats) == np.float64)


def _blocks(folds: Sequence[int], sizes: NDArray[np.intp]) -> list[list[int]]:
    """Consecutive folds in blocks of at most `_BLOCK` samples, or of one fold."""
    blocks: list[list[int]] = []
    room = 0
    for i in folds:
        if not blocks or room < sizes[i]:
            blocks.append([])
            room = _BLOCK
        blocks[-1].append(i)
        room -= int(sizes[i])
    return blocks


def _encode(labels: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Which labels are among the classes, and the position of each there."""
    if (labels.dtype.kind in "US") != (classes.dtype.kind in "US") and "O" not in (
        labels.dtype.kind + classes.dtype.kind
    ):
        return np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=np.intp)
    try:
        codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        return np.asarray(classes[codes] == labels, dtype=bool), codes
    except TypeError:  # labels of another kind than the classes
        return np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=np.intp)
