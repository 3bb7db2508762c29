"""What a metric is: a rate, a mean over samples, a function of labels or of scores, by its name or by its function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from sklearn import metrics as skm

from skcompare._core.validation import FloatArray
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError, Pooled
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import MetricFunction, mean_cost, sample_costs
from skcompare.evaluation.metrics.scoring import metric_function
from skcompare.evaluation.metrics.table import BATCHED
from skcompare.inference._procedures import LABEL_METRICS
from skcompare.inference.outcomes.auc import area_components
from skcompare.inference.outcomes.metrics import LABEL_SET_METRICS, METRICS, SAMPLE_METRICS, linearised, sample_values
from skcompare.scores.evaluation import EvaluationScores, is_judged

# The value of every sample on a metric that is a mean over samples, or a smooth function of such means.
#
# All are greater for a better model.


Values = Callable[[Pooled, str], FloatArray]


def _turned(pooled: Pooled, values: FloatArray) -> FloatArray:
    """Values of the samples, with weights linearised: their plain mean is then the weighted one."""
    if pooled.weights is None:
        return values
    weights = pooled.weights if values.ndim == 1 else pooled.weights[:, None]
    mean = (weights * values).mean(axis=0)
    return np.asarray(mean + weights * (values - mean))


def _numbers(pooled: Pooled, model: str) -> tuple[FloatArray, FloatArray]:
    return np.asarray(pooled.y_true, dtype=np.float64), np.asarray(pooled.labels(model), dtype=np.float64)


def _classes(pooled: Pooled, model: str) -> tuple[Any, Any]:
    return pooled.y_true, pooled.labels(model)


def _correct(pooled: Pooled, model: str) -> FloatArray:
    return pooled.correct(model).astype(np.float64)


def _over_outputs(values: FloatArray) -> FloatArray:
    """The mean of each sample over what it has several of, as scikit-learn takes it."""
    return values if values.ndim == 1 else np.asarray(values.mean(axis=1))


def _absolute(pooled: Pooled, model: str) -> FloatArray:
    true, predicted = _numbers(pooled, model)
    return -_over_outputs(np.abs(true - predicted))


def _squares(pooled: Pooled, model: str) -> FloatArray:
    true, predicted = _numbers(pooled, model)
    return np.asarray((true - predicted) ** 2)


def _squared(pooled: Pooled, model: str) -> FloatArray:
    return -_over_outputs(_squares(pooled, model))


def _relative(pooled: Pooled, model: str) -> FloatArray:
    true, predicted = _numbers(pooled, model)
    return -_over_outputs(np.abs(true - predicted) / np.maximum(np.abs(true), np.finfo(np.float64).eps))


def _pinball(true: FloatArray, predicted: FloatArray, alpha: float = 0.5) -> FloatArray:
    """The loss of a quantile: an error of 1 costs alpha below the target and 1 - alpha above it."""
    above = true - predicted
    return _over_outputs(np.maximum(alpha * above, (alpha - 1) * above))


def _ndcg(true: FloatArray, predicted: FloatArray, **options: Any) -> FloatArray:
    """Of each row, the documents of one query."""
    rows = range(len(true))
    return np.array([skm.ndcg_score(true[i : i + 1], predicted[i : i + 1], **options) for i in rows])


def _of_sets(pooled: Pooled, model: str, metric: str) -> FloatArray:
    true, predicted = (np.asarray(x, dtype=np.int64) for x in (pooled.y_true, pooled.labels(model)))
    return sample_values(true, predicted, metric)


def _label_ranking(pooled: Pooled, model: str) -> FloatArray:
    """The share of pairs of a true and a false label that are not in order; 0 without a pair."""
    true, found = np.asarray(pooled.y_true, dtype=bool), pooled.label_scores(model)
    wrong = np.zeros(len(true))
    for label, scores in zip(true.T, found.T, strict=True):
        wrong += label * ((found >= scores[:, None]) & ~true).sum(axis=1)
    n_pairs = true.sum(axis=1) * (~true).sum(axis=1)
    return -np.asarray(np.divide(wrong, n_pairs, out=np.zeros(len(true)), where=n_pairs > 0))


def _log_loss(pooled: Pooled, model: str) -> FloatArray:
    of_truth = np.take_along_axis(pooled.probabilities(model), pooled.true_codes[:, None], axis=1)[:, 0]
    return np.asarray(np.log(np.clip(of_truth, np.finfo(np.float64).eps, 1.0)))


def _brier(pooled: Pooled, model: str) -> FloatArray:
    probabilities = pooled.probabilities(model)
    truth = np.zeros_like(probabilities)
    truth[np.arange(len(truth)), pooled.true_codes] = 1.0
    squares = ((probabilities - truth) ** 2).sum(axis=1)
    return np.asarray(-squares / 2 if probabilities.shape[1] == 2 else -squares)


def _root(pooled: Pooled, model: str) -> FloatArray:
    """The root of a mean, linearised: values whose mean is the score and whose spread is that of the score."""
    squared = _turned(pooled, _squares(pooled, model))
    score = np.sqrt(squared.mean(axis=0))
    change = np.divide(squared - score**2, 2 * score, out=np.zeros_like(squared), where=score > 0)
    return -_over_outputs(score + change)


def _area(pooled: Pooled, model: str) -> FloatArray:
    """The area under the ROC curve, linearised: DeLong's components of the samples."""
    return area_components(pooled.class_scores(model), pooled.true_codes == 1, pooled.weights)


def _areas(pooled: Pooled, model: str) -> FloatArray:
    """The mean of the areas of each class against the rest, linearised."""
    probabilities, codes = pooled.probabilities(model), pooled.true_codes
    n_classes = probabilities.shape[1]
    areas = [area_components(probabilities[:, k], codes == k, pooled.weights) for k in range(n_classes)]
    return np.asarray(np.mean(areas, axis=0))


def _r2(pooled: Pooled, model: str) -> FloatArray:
    """The coefficient of determination, linearised in the squared errors and in the spread of the targets."""
    squared, true = _turned(pooled, _squares(pooled, model)), np.asarray(pooled.y_true, dtype=np.float64)
    around = _turned(pooled, (true - _turned(pooled, true).mean(axis=0)) ** 2)
    if not around.any(axis=0).all():
        raise MissingEvidenceError("r2 is not defined where all targets are equal")
    ratio = squared.mean(axis=0) / around.mean(axis=0)
    return _over_outputs(1 - ratio - (squared - ratio * around) / around.mean(axis=0))


def _of_labels(pooled: Pooled, model: str, metric: str) -> FloatArray:
    """A metric of labels that depends on sums over the samples, linearised in these."""
    found = (np.asarray(pooled.y_true), pooled.labels(model))
    if found[0].ndim > 1:
        read = LABEL_SET_METRICS[metric]
        true, predicted = (part.astype(np.int64) for part in found)
        n_classes = true.shape[1]
    else:
        read = METRICS["mcc" if metric == "matthews_corrcoef" else metric]
        classes, codes = np.unique(np.concatenate(found), return_inverse=True)
        true, predicted = np.split(codes.reshape(-1), 2)
        n_classes = len(classes)
        if read.ordered:
            true, predicted = (classes[part] - classes[0] for part in (true, predicted))
        if read.binary:
            true, predicted = ((classes[part] == pooled.positive_class).astype(np.int64) for part in (true, predicted))
            n_classes = 2
    values = linearised(read, _turned(pooled, read.terms(true, predicted, n_classes)))
    if np.isnan(values).any():
        raise MissingEvidenceError(f"{metric} of {model!r} is 0/0")
    return values


# Metrics that are means over the samples, by scikit-learn's names: the value of each sample, greater is better.
SAMPLE_VALUES: Mapping[str, Values] = {
    "accuracy": _correct,
    "neg_mean_absolute_error": _absolute,
    "neg_mean_squared_error": _squared,
    "neg_mean_absolute_percentage_error": _relative,
    "neg_log_loss": _log_loss,
    "neg_brier_score": _brier,
}
# Smooth functions of such means: good for a test of the mean, but the value of one sample means nothing.
LINEARISED: Mapping[str, Values] = {
    "neg_root_mean_squared_error": _root,
    "r2": _r2,
    "roc_auc_ovr": _areas,
    "roc_auc": _area,
}
_SET_VALUES: Mapping[str, Values] = {
    **{name: partial(_of_sets, metric=name) for name in SAMPLE_METRICS},
    "neg_label_ranking_loss": _label_ranking,
}
# Losses that have no name with their options: of what was predicted, how that is read, and which options are known.
_LOSSES: Mapping[Any, tuple[Callable[..., FloatArray], Callable[[Pooled, str], tuple[Any, Any]], frozenset[str]]] = {
    skm.mean_pinball_loss: (_pinball, _numbers, frozenset({"alpha"})),
    skm.ndcg_score: (_ndcg, _numbers, frozenset({"k", "log_base", "ignore_ties"})),
    mean_cost: (sample_costs, _classes, frozenset({"cost", "classes"})),
}
_NUMBERS = ("neg_mean_absolute_error", "neg_mean_squared_error", "neg_mean_absolute_percentage_error")


def sample_metrics(task: str) -> Mapping[str, Values]:
    """The metrics that are means of a value per sample, of a kind of problem."""
    if task == "multilabel":
        return _SET_VALUES
    return {name: SAMPLE_VALUES[name] for name in _NUMBERS} if task == "multioutput" else SAMPLE_VALUES


def smooth_metrics(task: str) -> Mapping[str, Values]:
    """The smooth functions of means over the samples, of a kind of problem, but for those of labels."""
    if task == "multilabel":
        return {}
    return (
        {name: LINEARISED[name] for name in ("neg_root_mean_squared_error", "r2")}
        if task == "multioutput"
        else LINEARISED
    )


def label_metrics(task: str) -> tuple[str, ...]:
    """The metrics that depend on the labels through sums, of a kind of problem."""
    if task == "multilabel":
        return tuple(LABEL_SET_METRICS)
    return () if task == "multioutput" else LABEL_METRICS


def with_the_training_set(task: str) -> tuple[str, ...]:
    """Those of `label_metrics` that move with the share of samples that a fitted model calls positive.

    Accuracy and precision hardly do: equal models in time order differed no more often for it in simulations.
    """
    return tuple(name for name in label_metrics(task) if name != "accuracy" and not name.startswith("precision"))


def valued_metrics(task: str) -> tuple[str, ...]:
    """The metrics of which each sample has a value, its own or a linearised one."""
    return tuple(dict.fromkeys((*sample_metrics(task), *smooth_metrics(task), *label_metrics(task))))


def known_loss(function: Any) -> Values | None:
    """The value of each sample on a scorer whose function and options are known as a mean of such values."""
    if not isinstance(function, MetricFunction) or function.response != LABEL:
        return None
    loss, read, known = _LOSSES.get(function.scorer._score_func, (None, _numbers, frozenset()))
    if loss is None or not set(function.scorer._kwargs) <= known:
        return None
    return lambda pooled, model: function.scorer._sign * loss(*read(pooled, model), **function.scorer._kwargs)


def value_of_samples(pooled: Pooled, model: str, metric: str, task: str, function: Any = None) -> FloatArray:
    """The value of each sample on a metric, or the linearised one."""
    of_samples = sample_metrics(task).get(metric) or known_loss(function)
    if of_samples is not None:
        return _turned(pooled, of_samples(pooled, model))
    smooth = smooth_metrics(task).get(metric)
    return _of_labels(pooled, model, metric) if smooth is None else smooth(pooled, model)


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


# Which metrics were measured: of those whose numbers were given for each model there is no test.


def measured(scores: Any) -> tuple[str, ...]:
    """The metrics of scores but for those that were given; all where these are all."""
    found = tuple(metric for metric in scores.metrics if not is_judged(scores.provenance, metric))
    return found or scores.metrics


def check_measured(scores: Any, metrics: Any, name: str = "metric") -> None:
    """Raise MissingEvidenceError where an answer would be about numbers alone that were given as `name`."""
    names = [metrics] if isinstance(metrics, str) else list(metrics) if isinstance(metrics, tuple) else []
    if names and all(is_judged(scores.provenance, metric) for metric in names):
        raise MissingEvidenceError(
            f"{name} must be measured for a test; {names[0]!r} was given for each model: pareto_front() takes it, and "
            "dominance() together with a metric that was measured"
        )
