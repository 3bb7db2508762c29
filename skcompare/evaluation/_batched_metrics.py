"""The metrics that are computed on all folds at once; they equal scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as skm

from skcompare._core.validation import FloatArray
from skcompare.evaluation._batches import DECISION, LABEL, PROBABILITY, Batches
from skcompare.evaluation._task import Task

_LARGE = 1 << 12  # from here on a radix sort is the fastest


def _accuracy(batches: Batches, _: str) -> FloatArray:
    return np.asarray(batches.counts[0].sum(axis=1) / batches.block.sizes)


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Quotient, 0 where the denominator is 0, as scikit-learn's default `zero_division`."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _label_metric(batches: Batches, name: str, *, which: str, average: str) -> FloatArray:
    hits, predicted, members = batches.counts
    if which == "precision":
        numerator, denominator = hits, predicted
    elif which == "recall":
        numerator, denominator = hits, members
    else:
        numerator, denominator = 2 * hits, predicted + members
    ordinary = batches.ordinary(LABEL)
    if average == "binary":
        c = batches.truth.positive_code
        batches.note_undefined(name, denominator[:, c] == 0, ordinary)
        return _ratio(numerator[:, c], denominator[:, c])
    per_class = _ratio(numerator, denominator)
    present = (predicted + members) > 0
    batches.note_undefined(name, ((denominator == 0) & present).any(axis=1), ordinary)
    weights = present.astype(np.float64) if average == "macro" else members
    return _ratio((per_class * weights).sum(axis=1), weights.sum(axis=1))


def _specificity(batches: Batches, name: str, *, complement: bool) -> FloatArray:
    """Share of the negatives that are called negative, or its complement; nan without a negative."""
    hits, _, members = batches.counts
    c = 1 - batches.truth.positive_code
    rate: FloatArray = np.divide(hits[:, c], members[:, c], out=np.full(len(hits), np.nan), where=members[:, c] > 0)
    batches.note_undefined(name, np.isnan(rate), batches.ordinary(LABEL))
    return 1 - rate if complement else rate


def _specificity_score(y_true: Any, y_pred: Any, *, pos_label: Any) -> float:
    called_negative = np.asarray(y_pred)[np.asarray(y_true) != pos_label] != pos_label
    return float(called_negative.mean()) if called_negative.size else float("nan")


def _false_alarm_rate_score(y_true: Any, y_pred: Any, *, pos_label: Any) -> float:
    return 1 - _specificity_score(y_true, y_pred, pos_label=pos_label)


def _roc_auc(batches: Batches, name: str, *, response: tuple[str, ...]) -> FloatArray:
    folds, scores = batches.scores(response)
    classes = [(1, scores)] if scores.ndim == 1 else list(enumerate(scores))
    areas = np.full((len(classes), len(batches.folds)), np.nan)
    block = batches.block
    for same_size in block.of_one_size(folds):
        codes = block.stacked(block.codes, same_size)
        for area, (c, of_class) in zip(areas, classes, strict=True):
            area[same_size] = _area_under_curve(codes == c, block.stacked(of_class, same_size))
    values: FloatArray = np.ascontiguousarray(areas.T).mean(axis=1)  # the order of a sum depends on how it lies
    batches.note_undefined(name, np.isnan(values), folds)
    return values


def _area_under_curve(positive: NDArray[np.bool_], scores: FloatArray) -> FloatArray:
    """ROC AUC of each row: the share of (positive, negative) pairs in order, ties counting half; nan without a pair."""
    n_rows, n = scores.shape
    positive, scores = _sorted_rows(positive, scores)
    n_positive = np.count_nonzero(positive, axis=1)
    n_pairs = n_positive * (n - n_positive)
    ties = scores[:, 1:] == scores[:, :-1]
    if ties.any():
        in_order = _pairs_in_order(positive, ties)
    else:
        ranks = positive.astype(np.float64) @ np.arange(n, dtype=np.float64)
        in_order = ranks - n_positive * (n_positive - 1) / 2
    return np.asarray(np.divide(in_order, n_pairs, out=np.full(n_rows, np.nan), where=n_pairs > 0))


def _pairs_in_order(positive: NDArray[np.bool_], ties: NDArray[np.bool_]) -> FloatArray:
    """Pairs in order in each sorted row, group of ties by group of ties."""
    is_last = np.ones(positive.shape, dtype=bool)  # of its group
    np.logical_not(ties, out=is_last[:, :-1])
    last = np.flatnonzero(is_last)
    positives = np.cumsum(positive)[last]
    negatives = last + 1 - positives  # up to each group, in this row and those before
    twice = np.diff(positives, prepend=0) * (negatives + np.append(0, negatives[:-1]))
    first = np.append(0, np.cumsum(np.count_nonzero(is_last, axis=1))[:-1])
    n_positive = np.count_nonzero(positive, axis=1)
    n_negative = positive.shape[1] - n_positive
    in_rows_before = np.cumsum(n_negative) - n_negative
    return np.asarray(np.add.reduceat(twice, first) / 2 - in_rows_before * n_positive)


def _sorted_rows(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[NDArray[np.bool_], NDArray[Any]]:
    """Each row by ascending score; the scores as they are, or as integers that are equal where they are."""
    n_rows, n = scores.shape
    if n < _LARGE and scores.dtype == np.float64 and not np.signbit(scores).any():
        # without signs there is a bit to carry the label: one sort of values does
        keys = (scores.view(np.uint64) << np.uint64(1)) | positive
        keys.sort(axis=1)
        return (keys & np.uint64(1)).astype(np.bool_), keys >> np.uint64(1)
    order = np.argsort(scores, axis=1) if n < _LARGE else np.stack([_radix_order(row) for row in scores])
    order += np.arange(0, n_rows * n, n)[:, None]
    return positive.take(order), scores.take(order)


def _radix_order(scores: FloatArray) -> NDArray[np.intp]:
    """The order of many scores: a radix sort in single precision, then a merge sort of those that are equal there."""
    with np.errstate(over="ignore"):
        single = scores.astype(np.float32)
    bits, sign = single.view(np.uint32), np.uint32(1 << 31)
    bits = np.where(bits & sign, ~bits, bits | sign)  # unsigned integers in the order of the floats
    order = np.argsort(bits.astype(np.uint16), kind="stable")
    order = order[np.argsort((bits >> np.uint32(16)).astype(np.uint16)[order], kind="stable")]
    ranked = scores[order]
    if (ranked[1:] < ranked[:-1]).any():
        single = single[order]
        equal = single[1:] == single[:-1]
        where = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
        order[where] = order[where][np.argsort(ranked[where], kind="stable")]
    return order


def _regression_metric(batches: Batches, name: str, *, which: str) -> FloatArray:
    values = np.full(len(batches.folds), np.nan)
    folds, numbers = batches.numbers
    block = batches.block
    for places in block.of_one_size(folds):
        true, predicted = block.stacked(block.y, places).astype(np.float64), block.stacked(numbers, places)
        if which == "absolute":
            values[places] = -np.abs(true - predicted).mean(axis=1)
            continue
        squared = (true - predicted) ** 2
        if which == "r2":
            total = ((true - true.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
            residual = squared.sum(axis=1)
            constant = np.where(residual == 0, 1.0, 0.0)  # scikit-learn's force_finite
            r2 = 1 - np.divide(residual, total, out=1 - constant, where=total > 0)
            values[places] = r2 if true.shape[1] > 1 else np.nan
        else:
            mean = squared.mean(axis=1)
            values[places] = -np.sqrt(mean) if which == "root" else -mean
    if which == "r2":
        batches.note_undefined(name, np.isnan(values), folds)
    return values


@dataclass(frozen=True, kw_only=True)
class BatchedMetric:
    """A batched metric: the tasks it takes, the response it reads, its arithmetic, and a function for odd folds."""

    tasks: tuple[Task, ...]
    response: tuple[str, ...]
    compute: Callable[[Batches, str], FloatArray]
    function: Callable[..., float]
    takes_positive: bool = False
    greater_is_better: bool = True

    def fits(self, task: Task) -> bool:
        return task in self.tasks

    def reference(self, positive: Any) -> Callable[..., float]:
        """scikit-learn's function with the positive class set, larger better."""
        if self.takes_positive and positive is not None:
            return partial(self.function, pos_label=positive)
        return self.function


def _negative(function: Callable[..., float]) -> Callable[..., float]:
    return lambda y_true, y_pred: -function(y_true, y_pred)


def _classification_metrics() -> dict[str, BatchedMetric]:
    both: tuple[Task, ...] = ("binary", "multiclass")
    table = {"accuracy": BatchedMetric(tasks=both, response=LABEL, compute=_accuracy, function=skm.accuracy_score)}
    functions = {"precision": skm.precision_score, "recall": skm.recall_score, "f1": skm.f1_score}
    for which, function in functions.items():
        for average in ("binary", "macro", "weighted"):
            table[which if average == "binary" else f"{which}_{average}"] = BatchedMetric(
                tasks=("binary",) if average == "binary" else both,
                response=LABEL,
                compute=partial(_label_metric, which=which, average=average),
                function=partial(function, average=average),
                takes_positive=average == "binary",
            )
    rates = {"specificity": _specificity_score, "false_alarm_rate": _false_alarm_rate_score}
    for name, rate in rates.items():
        table[name] = BatchedMetric(
            tasks=("binary",),
            response=LABEL,
            compute=partial(_specificity, complement=name == "false_alarm_rate"),
            function=rate,
            takes_positive=True,
            greater_is_better=name == "specificity",
        )
    table["roc_auc"] = BatchedMetric(
        tasks=("binary",), response=DECISION, compute=partial(_roc_auc, response=DECISION), function=skm.roc_auc_score
    )
    table["roc_auc_ovr"] = BatchedMetric(
        tasks=both,
        response=PROBABILITY,
        compute=partial(_roc_auc, response=PROBABILITY),
        function=partial(skm.roc_auc_score, multi_class="ovr"),
    )
    return table


def _regression_metrics() -> dict[str, BatchedMetric]:
    functions = {
        "r2": ("r2", skm.r2_score),
        "neg_mean_absolute_error": ("absolute", _negative(skm.mean_absolute_error)),
        "neg_mean_squared_error": ("squared", _negative(skm.mean_squared_error)),
        "neg_root_mean_squared_error": ("root", _negative(skm.root_mean_squared_error)),
    }
    return {
        name: BatchedMetric(
            tasks=("regression",), response=LABEL, compute=partial(_regression_metric, which=which), function=function
        )
        for name, (which, function) in functions.items()
    }


BATCHED: dict[str, BatchedMetric] = {**_classification_metrics(), **_regression_metrics()}
