"""The metrics that are computed on all folds at once, by name and by function; they equal scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from sklearn import metrics as skm

from skcompare._core.validation import FloatArray
from skcompare.evaluation import _label_metrics as of_labels
from skcompare.evaluation import _number_metrics as of_numbers
from skcompare.evaluation._batches import DECISION, LABEL, PROBABILITY, Batches
from skcompare.evaluation._score_metrics import roc_auc
from skcompare.evaluation._task import Task

BOTH: tuple[Task, ...] = ("binary", "multiclass")


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


def negative(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the other sign."""
    return lambda *args: -function(*args)


def _specificity_score(y_true: Any, y_pred: Any, *, pos_label: Any) -> float:
    called_negative = np.asarray(y_pred)[np.asarray(y_true) != pos_label] != pos_label
    return float(called_negative.mean()) if called_negative.size else float("nan")


def _false_alarm_rate_score(y_true: Any, y_pred: Any, *, pos_label: Any) -> float:
    return 1 - _specificity_score(y_true, y_pred, pos_label=pos_label)


def _classification_metrics() -> dict[str, BatchedMetric]:
    table = {
        "accuracy": BatchedMetric(tasks=BOTH, response=LABEL, compute=of_labels.accuracy, function=skm.accuracy_score)
    }
    functions = {"precision": skm.precision_score, "recall": skm.recall_score, "f1": skm.f1_score}
    for which, function in functions.items():
        for average in ("binary", "macro", "weighted"):
            table[which if average == "binary" else f"{which}_{average}"] = BatchedMetric(
                tasks=("binary",) if average == "binary" else BOTH,
                response=LABEL,
                compute=partial(of_labels.averaged, which="f" if which == "f1" else which, average=average),
                function=partial(function, average=average),
                takes_positive=average == "binary",
            )
    rates = {"specificity": _specificity_score, "false_alarm_rate": _false_alarm_rate_score}
    for name, rate in rates.items():
        table[name] = BatchedMetric(
            tasks=("binary",),
            response=LABEL,
            compute=partial(of_labels.specificity, complement=name == "false_alarm_rate"),
            function=rate,
            takes_positive=True,
            greater_is_better=name == "specificity",
        )
    table["roc_auc"] = BatchedMetric(
        tasks=("binary",), response=DECISION, compute=partial(roc_auc, response=DECISION), function=skm.roc_auc_score
    )
    table["roc_auc_ovr"] = BatchedMetric(
        tasks=BOTH,
        response=PROBABILITY,
        compute=partial(roc_auc, response=PROBABILITY),
        function=partial(skm.roc_auc_score, multi_class="ovr"),
    )
    return table


def _regression_metrics() -> dict[str, BatchedMetric]:
    r2 = partial(of_numbers.of_rows, rows=of_numbers.r2, undefined=True)
    table = {"r2": BatchedMetric(tasks=("regression",), response=LABEL, compute=r2, function=skm.r2_score)}
    losses: dict[str, tuple[of_numbers.Rows, Any]] = {
        "neg_mean_absolute_error": (of_numbers.absolute, skm.mean_absolute_error),
        "neg_mean_squared_error": (of_numbers.squared, skm.mean_squared_error),
        "neg_root_mean_squared_error": (of_numbers.root, skm.root_mean_squared_error),
    }
    for name, (rows, function) in losses.items():
        compute = negative(partial(of_numbers.of_rows, rows=rows))
        table[name] = BatchedMetric(tasks=("regression",), response=LABEL, compute=compute, function=negative(function))
    return table


BATCHED: dict[str, BatchedMetric] = {**_classification_metrics(), **_regression_metrics()}
