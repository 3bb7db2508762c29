"""The metrics that are computed on all folds at once; they equal scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as skm

from skcompare._validation import FloatArray
from skcompare.evaluation._batches import DECISION, LABEL, PROBABILITY, Batches
from skcompare.evaluation._task import Task


def _accuracy(batches: Batches, _: str) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.asarray(batches.counts()[0].sum(axis=1) / batches.sizes)


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Quotient, 0 where the denominator is 0, as scikit-learn's default `zero_division`."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _label_metric(batches: Batches, name: str, *, which: str, average: str) -> FloatArray:
    hits, predicted, members = batches.counts()
    if which == "precision":
        numerator, denominator = hits, predicted
    elif which == "recall":
        numerator, denominator = hits, members
    else:
        numerator, denominator = 2 * hits, predicted + members
    per_class = _ratio(numerator, denominator)
    ordinary = sorted(batches.ordinary(LABEL))
    if average == "binary":
        c = int(np.flatnonzero(batches.truth.classes == batches.truth.positive)[0])
        batches.note_undefined(name, int((denominator[ordinary, c] == 0).sum()))
        return per_class[:, c]
    present = (predicted + members) > 0
    batches.note_undefined(name, int(((denominator == 0) & present)[ordinary].any(axis=1).sum()))
    weights = present.astype(np.float64) if average == "macro" else members
    return _ratio((per_class * weights).sum(axis=1), weights.sum(axis=1))


def _specificity(batches: Batches, name: str, *, complement: bool) -> FloatArray:
    """Share of the negatives that are called negative, or its complement; nan without a negative."""
    hits, _, members = batches.counts()
    c = int(np.flatnonzero(batches.truth.classes != batches.truth.positive)[0])
    rate: FloatArray = np.divide(hits[:, c], members[:, c], out=np.full(len(hits), np.nan), where=members[:, c] > 0)
    batches.note_undefined(name, int(np.isnan(rate[sorted(batches.ordinary(LABEL))]).sum()))
    return 1 - rate if complement else rate


def _specificity_score(y_true: Any, y_pred: Any, *, pos_label: Any) -> float:
    called_negative = np.asarray(y_pred)[np.asarray(y_true) != pos_label] != pos_label
    return float(called_negative.mean()) if called_negative.size else float("nan")


def _false_alarm_rate_score(y_true: Any, y_pred: Any, *, pos_label: Any) -> float:
    return 1 - _specificity_score(y_true, y_pred, pos_label=pos_label)


def _roc_auc(batches: Batches, name: str, *, response: tuple[str, ...]) -> FloatArray:
    values = np.full(len(batches.folds), np.nan)
    codes = batches.truth.codes
    for block, tests, scores in batches.stacked(response):
        if scores.ndim == 2:
            values[block] = _area_under_curve(codes[tests] == 1, scores)
        else:
            per_class = [_area_under_curve(codes[tests] == c, scores[:, :, c]) for c in range(scores.shape[2])]
            values[block] = np.mean(per_class, axis=0)
    batches.note_undefined(name, int(np.isnan(values[sorted(batches.ordinary(response))]).sum()))
    return values


def _area_under_curve(positive: NDArray[np.bool_], scores: NDArray[Any]) -> FloatArray:
    """ROC AUC of each row: the share of (positive, negative) pairs in order, ties counting half; nan without a pair."""
    order = np.argsort(scores, axis=1)
    scores = np.take_along_axis(scores, order, axis=1)
    positive = np.take_along_axis(positive, order, axis=1)
    n = scores.shape[1]
    below = np.cumsum(~positive, axis=1)  # negatives up to each place
    new = scores[:, 1:] != scores[:, :-1]
    n_positive = positive.sum(axis=1)
    n_pairs = n_positive * (n - n_positive)
    if new.all():
        in_order = (below * positive).sum(axis=1).astype(np.float64)
    else:
        place = np.arange(n)
        edge = np.ones((len(scores), 1), dtype=bool)
        starts = np.hstack([edge, new])
        ends = np.hstack([new, edge])
        first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
        last = np.minimum.accumulate(np.where(ends, place, n - 1)[:, ::-1], axis=1)[:, ::-1]
        up_to_last = np.take_along_axis(below, last, axis=1)
        before_first: NDArray[Any] = np.take_along_axis(below - ~positive, first, axis=1)
        in_order = ((up_to_last + before_first) * positive).sum(axis=1) / 2
    area: FloatArray = np.divide(in_order, n_pairs, out=np.full(len(scores), np.nan), where=n_pairs > 0)
    return area


def _regression_metric(batches: Batches, name: str, *, which: str) -> FloatArray:
    values = np.full(len(batches.folds), np.nan)
    for block, tests, predicted in batches.stacked(LABEL):
        true = np.asarray(batches.truth.y[tests], dtype=np.float64)
        predicted = np.asarray(predicted, dtype=np.float64)
        if which == "absolute":
            values[block] = -np.abs(true - predicted).mean(axis=1)
            continue
        squared = (true - predicted) ** 2
        if which == "r2":
            total = ((true - true.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
            residual = squared.sum(axis=1)
            constant = np.where(residual == 0, 1.0, 0.0)  # scikit-learn's force_finite
            r2 = 1 - np.divide(residual, total, out=1 - constant, where=total > 0)
            values[block] = r2 if true.shape[1] > 1 else np.nan
        else:
            mean = squared.mean(axis=1)
            values[block] = -np.sqrt(mean) if which == "root" else -mean
    if which == "r2":
        batches.note_undefined(name, int(np.isnan(values[sorted(batches.ordinary(LABEL))]).sum()))
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
    def negated(y_true: Any, y_pred: Any) -> float:
        return -function(y_true, y_pred)

    return negated


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
        tasks=("binary",),
        response=DECISION,
        compute=partial(_roc_auc, response=DECISION),
        function=skm.roc_auc_score,
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
            tasks=("regression",),
            response=LABEL,
            compute=partial(_regression_metric, which=which),
            function=function,
        )
        for name, (which, function) in functions.items()
    }


BATCHED: dict[str, BatchedMetric] = {**_classification_metrics(), **_regression_metrics()}
