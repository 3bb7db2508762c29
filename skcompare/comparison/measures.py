"""What a metric is: a rate, a mean over samples, a function of labels or of scores, by its name or by its function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from skcompare.comparison.once import once
from skcompare.comparison.sample_values import (
    known_loss,
    label_metrics,
    sample_metrics,
    smooth_metrics,
    valued_metrics,
)
from skcompare.evaluation._batched_metrics import BATCHED
from skcompare.evaluation._batches import LABEL
from skcompare.evaluation._metric_function import MetricFunction
from skcompare.evaluation._scoring import metric_function
from skcompare.scores.evaluation import EvaluationScores

# A score on one test set: a share of right samples, a mean of values, an area, a function of labels or scores, another.
Measure = Literal["rate", "mean", "area", "labels", "scores", "other"]


@once
def measure(scores: EvaluationScores, metric: Any) -> Measure:
    """What a score on one test set, on items or of a run is."""
    if scores.design.kind == "runs":
        return "mean"
    if scores.design.kind == "items":
        values = scores.scores[:, :, scores.metric_index(metric)]
        values = values[np.isfinite(values)]
        return "rate" if ((values == 0) | (values == 1)).all() else "mean"
    if has_records(scores):
        return "other"
    name = scores.read_as.get(metric, metric)
    if scores.sample_weight is not None:
        return "mean" if is_valued(scores, metric) else "other"
    if name == "accuracy":
        return "rate"
    if name == "roc_auc" and scores.design.n_clusters is None and name in smooth_metrics(scores.task):
        return "area"
    if has_sample_values(scores, metric) or name in smooth_metrics(scores.task):
        return "mean"
    if name in label_metrics(scores.task) or of_labels(scores, metric):
        return "labels"
    return "scores" if of_scores(scores, metric) else "other"


def has_records(scores: EvaluationScores) -> bool:
    """Whether the target has several values with names per sample, as events with times: no prediction is like it."""
    return scores.kept_predictions is not None and scores.kept_predictions.y.dtype.names is not None


def has_sample_values(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is a mean of a value per sample: by its name, or as a scorer whose function is known as one."""
    if has_records(scores):
        return False
    named = scores.read_as.get(metric, metric) in sample_metrics(scores.task)
    return named or known_loss(function_of(scores, metric)) is not None


def is_valued(scores: EvaluationScores, metric: str) -> bool:
    """Whether each sample has a value on a metric, its own or a linearised one."""
    return scores.read_as.get(metric, metric) in valued_metrics(scores.task) or has_sample_values(scores, metric)


def of_labels(scores: EvaluationScores, metric: str) -> Callable[[Any, Any], float] | None:
    """A metric that has no name of our own as a function of labels, where it is one."""
    found = function_of(scores, metric)
    return found if found is not None and getattr(found, "response", LABEL) == LABEL else None


def function_of(scores: EvaluationScores, metric: str) -> Callable[[Any, Any], float] | None:
    """A metric as a function of predictions, by what it was scored with, else by its name."""
    known = scores.metric_functions.get(metric)
    return known if known is not None or metric in scores.misnamed else metric_function(metric)


def reads_labels(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is known to depend on predicted labels or numbers alone."""
    if of_labels(scores, metric) is not None:
        return True
    row = BATCHED.get(scores.read_as[metric])
    return row is not None and row.response == LABEL


def of_scores(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is a function of scores or probabilities, which were kept of every model."""
    found, kept = function_of(scores, metric), scores.kept_predictions
    if not isinstance(found, MetricFunction) or found.response == LABEL or kept is None or scores.design.n_splits != 1:
        return False
    folds = [kept.folds[name][0] for name in scores.estimators]
    return all(not fold or any(part in fold for part in found.response) for fold in folds)


def is_mean(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is a smooth function of means over the samples, whose single values mean nothing."""
    weighted = scores.sample_weight is not None and has_sample_values(scores, metric)
    return weighted or scores.read_as.get(metric, metric) in smooth_metrics(scores.task)
