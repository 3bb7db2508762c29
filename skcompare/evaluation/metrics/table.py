"""The metrics that are computed on all folds at once, by name; they equal scikit-learn's."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics as skm

from skcompare._core.metrics import METRICS, Metric
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, check_scores
from skcompare.evaluation.input import Task, label_columns
from skcompare.evaluation.metrics import batches as on_folds
from skcompare.evaluation.metrics.batches import DECISION, LABEL, PROBABILITY, Batches

_RESPONSES = {"labels": LABEL, "numbers": LABEL, "scores": DECISION, "probabilities": PROBABILITY}


class BatchedMetric(Frozen):
    """A batched metric: the tasks it takes, the response it reads, its arithmetic, and a function for odd folds."""

    tasks: tuple[str, ...]
    response: tuple[str, ...]
    compute: Callable[[Batches, str], FloatArray]
    function: Callable[..., float]
    takes_positive: bool = False
    greater_is_better: bool = True

    def reference(self, positive: Any) -> Callable[..., float]:
        """scikit-learn's function with the positive class set, larger better."""
        if self.takes_positive and positive is not None:
            return partial(self.function, pos_label=positive)
        return self.function


def negative(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with the other sign."""
    return lambda *args: -function(*args)


def own_score(row: Metric, y_true: Any, y_pred: Any, *, pos_label: Any = None) -> float:
    """A metric of labels or numbers on one fold by its row alone; nan where it is 0/0."""
    labels, true, predicted = row.of_labels, np.asarray(y_true), np.asarray(y_pred)
    if labels is None:
        true, predicted = check_scores(true, "y_true"), check_scores(predicted, "y_pred")
        return float(row.of_rows(true[None], predicted[None])[0])
    n_classes = 2
    if labels.of == "positive":
        true, predicted = true == pos_label, predicted == pos_label
    else:
        classes, codes = np.unique(np.concatenate([true, predicted]), return_inverse=True)
        true, predicted = np.split(codes.reshape(-1), 2)
        n_classes = len(classes)
    (value,), (undefined,) = labels.value(labels.of_samples(true, predicted, n_classes).sum(axis=0)[None])
    return float("nan") if undefined else float(value)


def _batched(row: Metric) -> BatchedMetric:
    """A row on folds; of a metric of our own 0/0 is nan, of scikit-learn's what it makes of it."""
    response, sklearn = _RESPONSES[row.needs], getattr(skm, row.function, None)
    compute: Callable[..., FloatArray]
    if row.of_labels is not None:
        compute = partial(on_folds.of_labels, metric=row.of_labels, otherwise=0.0 if sklearn else np.nan)
    elif row.needs == "numbers":
        compute = partial(on_folds.of_rows, rows=row.of_rows, undefined=row.loss is None or not row.function)
    else:
        compute = partial(on_folds.roc_auc, response=response)
    function: Callable[..., float] = partial(own_score, row)
    if sklearn is not None:
        function = partial(sklearn, **row.options)
        function = negative(function) if row.loss is not None and row.greater_is_better else function
    return BatchedMetric(
        tasks=row.tasks,
        response=response,
        compute=compute,
        function=function,
        takes_positive=row.of_labels is not None and row.of_labels.of == "positive",
        greater_is_better=row.greater_is_better,
    )


# All others are scorers of scikit-learn's.
BATCHED: dict[str, BatchedMetric] = {
    name: _batched(row)
    for name, row in METRICS.items()
    if row.tasks and (row.function or name not in skm.get_scorer_names())
}


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


class OwnScorer(Frozen, kw_only=False):
    """A scorer with a name of ours, and the tasks that it is for."""

    tasks: tuple[Task, ...]
    scorer: Any


OWN_SCORERS: dict[str, OwnScorer] = {
    "neg_hamming_loss": OwnScorer(("multilabel",), skm.make_scorer(skm.hamming_loss, greater_is_better=False)),
    "neg_label_ranking_loss": OwnScorer(("multilabel",), LabelRanking()),
    "quadratic_kappa": OwnScorer(("binary", "multiclass"), skm.make_scorer(quadratic_kappa_score)),
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
