"""The metrics that are computed on all folds at once, by name and by function; they equal scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from inspect import signature
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics as skm

from skcompare._core.validation import FloatArray
from skcompare.evaluation.input import Task, label_columns
from skcompare.evaluation.metrics import arithmetic
from skcompare.evaluation.metrics import arithmetic as of_numbers
from skcompare.evaluation.metrics.arithmetic import roc_auc
from skcompare.evaluation.metrics.batches import DECISION, LABEL, PROBABILITY, Batches

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
        "accuracy": BatchedMetric(tasks=BOTH, response=LABEL, compute=arithmetic.accuracy, function=skm.accuracy_score)
    }
    functions = {"precision": skm.precision_score, "recall": skm.recall_score, "f1": skm.f1_score}
    for which, function in functions.items():
        for average in ("binary", "macro", "weighted"):
            table[which if average == "binary" else f"{which}_{average}"] = BatchedMetric(
                tasks=("binary",) if average == "binary" else BOTH,
                response=LABEL,
                compute=partial(arithmetic.averaged, which="f" if which == "f1" else which, average=average),
                function=partial(function, average=average),
                takes_positive=average == "binary",
            )
    rates = {"specificity": _specificity_score, "false_alarm_rate": _false_alarm_rate_score}
    for name, rate in rates.items():
        table[name] = BatchedMetric(
            tasks=("binary",),
            response=LABEL,
            compute=partial(arithmetic.specificity, complement=name == "false_alarm_rate"),
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


# Scorers by name: scikit-learn's, those of its functions that it has no scorer of, and one of our own.


def quadratic_kappa_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Agreement of grades beyond chance, by their squared differences; nan where all are one.

    It takes the grades as they are: scikit-learn's ``cohen_kappa_score(weights="quadratic")`` counts those that occur,
    so that with 1, 2 and 5 alone the step from 2 to 5 is one.
    """
    true, predicted = (np.asarray(grades, dtype=np.float64) for grades in (y_true, y_pred))
    disagreement = ((true - predicted) ** 2).mean()
    expected = true.var() + predicted.var() + (true.mean() - predicted.mean()) ** 2
    return float(1 - disagreement / expected) if expected > 0 else float("nan")


class LabelRanking:
    """The scorer of scikit-learn's `label_ranking_loss`, less is better.

    That of `make_scorer` takes a `OneVsRestClassifier` of two labels for one of two classes, and fails.
    """

    _score_func = staticmethod(skm.label_ranking_loss)
    _sign, _kwargs, _response_method = -1, MappingProxyType[str, Any]({}), DECISION

    def __repr__(self) -> str:
        return "LabelRanking()"

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:
        method = next((name for name in DECISION if hasattr(estimator, name)), DECISION[0])
        scores = label_columns(getattr(estimator, method)(X))
        return -float(skm.label_ranking_loss(y_true, scores, sample_weight=sample_weight))


@dataclass(frozen=True, kw_only=True)
class OwnScorer:
    """A scorer with a name of ours, the tasks that it is for, and whether their classes must be numbers."""

    tasks: tuple[Task, ...]
    scorer: Any
    ordered: bool = False


OWN_SCORERS: dict[str, OwnScorer] = {
    "neg_hamming_loss": OwnScorer(
        tasks=("multilabel",), scorer=skm.make_scorer(skm.hamming_loss, greater_is_better=False)
    ),
    "neg_label_ranking_loss": OwnScorer(tasks=("multilabel",), scorer=LabelRanking()),
    "quadratic_kappa": OwnScorer(
        tasks=("binary", "multiclass"), scorer=skm.make_scorer(quadratic_kappa_score), ordered=True
    ),
}


def named_scorer(name: str) -> Any:
    """The scorer of a name, None of an unknown one.

    Means over samples take a sample without labels as 0 in silence: it is no fault of a model.
    """
    if name in OWN_SCORERS:
        return OWN_SCORERS[name].scorer
    if name not in skm.get_scorer_names():
        return None
    scorer = skm.get_scorer(name)
    if name.endswith("_samples"):
        return skm.make_scorer(scorer._score_func, **(scorer._kwargs | {"zero_division": 0}))
    return scorer


def of_class(scorer: Any, positive: Any) -> Any:
    """A scorer of one class, about the positive one; the scorer itself where it says which, or is about all classes."""
    parameters = signature(scorer._score_func).parameters if hasattr(scorer, "_score_func") else {}
    options = getattr(scorer, "_kwargs", {})
    if positive is None or "pos_label" not in parameters or "pos_label" in options:
        return scorer
    if options.get("average", "binary") != "binary":
        return scorer
    how = {"greater_is_better": scorer._sign > 0, "response_method": scorer._response_method}
    return skm.make_scorer(scorer._score_func, **how, **options, pos_label=positive)
