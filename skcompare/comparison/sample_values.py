"""The value of every sample on a metric that is a mean over samples, or a smooth function of such means.

All are greater for a better model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.comparison.predictions import MissingEvidenceError, Pooled
from skcompare.inference.outcomes._areas import area_components
from skcompare.inference.outcomes._metrics import METRICS, linearised

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


def _correct(pooled: Pooled, model: str) -> FloatArray:
    return pooled.correct(model).astype(np.float64)


def _absolute(pooled: Pooled, model: str) -> FloatArray:
    true, predicted = _numbers(pooled, model)
    return -np.abs(true - predicted)


def _squared(pooled: Pooled, model: str) -> FloatArray:
    true, predicted = _numbers(pooled, model)
    return -((true - predicted) ** 2)


def _relative(pooled: Pooled, model: str) -> FloatArray:
    true, predicted = _numbers(pooled, model)
    return np.asarray(-np.abs(true - predicted) / np.maximum(np.abs(true), np.finfo(np.float64).eps))


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
    squared = _turned(pooled, -_squared(pooled, model))
    score = np.sqrt(squared.mean())
    return -(score + (squared - score**2) / (2 * score)) if score > 0 else squared


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
    squared, true = _turned(pooled, -_squared(pooled, model)), np.asarray(pooled.y_true, dtype=np.float64)
    around = _turned(pooled, (true - _turned(pooled, true).mean()) ** 2)
    if not around.any():
        raise MissingEvidenceError("r2 is not defined where all targets are equal")
    ratio = squared.mean() / around.mean()
    return np.asarray(1 - ratio - (squared - ratio * around) / around.mean())


def _of_labels(pooled: Pooled, model: str, metric: str) -> FloatArray:
    """A metric of labels that depends on sums over the samples, linearised in these."""
    read, found = METRICS["mcc" if metric == "matthews_corrcoef" else metric], (pooled.y_true, pooled.labels(model))
    classes, codes = np.unique(np.concatenate(found), return_inverse=True)
    true, predicted = np.split(codes.reshape(-1), 2)
    n_classes = len(classes)
    if read.binary:
        true, predicted = ((classes[part] == pooled.positive_class).astype(np.int64) for part in (true, predicted))
        n_classes = 2
    values = linearised(read, _turned(pooled, read.terms(true, predicted, n_classes)))
    if np.isnan(values).any():
        raise MissingEvidenceError(f"{metric} of {model!r} is 0/0")
    return values


def value_of_samples(pooled: Pooled, model: str, metric: str) -> FloatArray:
    """The value of each sample on a metric, or the linearised one."""
    if metric in SAMPLE_VALUES:
        return _turned(pooled, SAMPLE_VALUES[metric](pooled, model))
    return LINEARISED[metric](pooled, model) if metric in LINEARISED else _of_labels(pooled, model, metric)


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
