"""Metrics of several labels per sample as functions of sums over samples: the form that resampling can batch."""

from __future__ import annotations

from functools import partial

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.inference.outcomes._metrics import SummedMetric, quotient
from skcompare.inference.outcomes._samples import BoolArray, IntArray

_WHICH = ("precision", "recall", "f1", "jaccard")


def _quotient(which: str, hits: FloatArray, true: FloatArray, predicted: FloatArray) -> tuple[FloatArray, BoolArray]:
    """A metric of hits, true and predicted labels, and where it is 0/0."""
    if which == "f1":
        return quotient(2 * hits, true + predicted)
    return quotient(hits, {"precision": predicted, "recall": true, "jaccard": true + predicted - hits}[which])


def _per_label(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    """Correct, true and predicted samples of each label."""
    return np.hstack([true * predicted, true, predicted]).astype(np.float64)


def _averaged(sums: FloatArray, which: str, average: str) -> tuple[FloatArray, BoolArray]:
    """Of all labels together, or the mean over them, plain or weighted by their samples, as scikit-learn takes it."""
    hits, true, predicted = np.hsplit(sums, 3)
    if average == "micro":
        return _quotient(which, hits.sum(axis=1), true.sum(axis=1), predicted.sum(axis=1))
    values, undefined = _quotient(which, hits, true, predicted)
    weights = true if average == "weighted" else np.ones_like(true)
    mean, nothing = quotient((values * weights).sum(axis=1), weights.sum(axis=1))
    return mean, nothing | undefined.any(axis=1)


def sample_values(true: IntArray, predicted: IntArray, metric: str) -> FloatArray:
    """The value of each sample on a metric that is a mean over samples, 0 where it is 0/0; greater is better."""
    if metric == "accuracy":
        return np.asarray((true == predicted).all(axis=1), dtype=np.float64)
    if metric == "neg_hamming_loss":
        return -np.asarray((true != predicted).mean(axis=1), dtype=np.float64)
    counts = (part.sum(axis=1).astype(np.float64) for part in (true * predicted, true, predicted))
    return _quotient(metric.removesuffix("_samples"), *counts)[0]


def _values(true: IntArray, predicted: IntArray, n_classes: int, metric: str) -> FloatArray:  # noqa: ARG001
    return np.column_stack([sample_values(true, predicted, metric), np.ones(len(true))])


def _mean(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    return quotient(sums[:, 0], sums[:, 1])


SAMPLE_METRICS = ("accuracy", "neg_hamming_loss", *(f"{which}_samples" for which in _WHICH))
LABEL_SET_METRICS: dict[str, SummedMetric] = {
    **{name: SummedMetric(binary=False, terms=partial(_values, metric=name), value=_mean) for name in SAMPLE_METRICS},
    **{
        f"{which}_{average}": SummedMetric(
            binary=False, terms=_per_label, value=partial(_averaged, which=which, average=average)
        )
        for which in _WHICH
        for average in ("micro", "macro", "weighted")
    },
}
