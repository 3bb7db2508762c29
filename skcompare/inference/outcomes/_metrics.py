"""Classification metrics as functions of sums over samples: the form that resampling can batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.inference.outcomes._samples import BoolArray, IntArray

# Sums of terms, one resample per row, to the metric of each row and whether it has a zero denominator.
Value = Callable[[FloatArray], tuple[FloatArray, BoolArray]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummedMetric:
    """A metric that depends on the samples through sums of terms only.

    Attributes
    ----------
    binary : bool
        Whether labels are 0 and 1, with 1 positive, instead of classes 0 to n_classes - 1.
    terms : callable
        (true classes, predicted classes, n_classes) -> one row of terms per sample.
    value : callable
        (sums of terms, one row per resample) -> the metric, 0 where it is not defined, and where that is.
    ordered : bool
        Whether labels are numbers, taken as they are less the smallest of them, in place of classes.
    """

    binary: bool
    terms: Callable[[Any, Any, int], FloatArray]
    value: Value
    ordered: bool = False


def quotient(numerator: FloatArray, denominator: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Quotients, 0 where they are 0/0, and where that is."""
    defined = denominator > 0
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=defined), ~defined


def _two_sums(numerator: BoolArray | IntArray, denominator: BoolArray | IntArray) -> FloatArray:
    return np.stack([numerator, denominator], axis=-1).astype(np.float64)


def _share(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    return quotient(sums[:, 0], sums[:, 1])


def _hits(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true == predicted, np.ones_like(true))


def _precision(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true & predicted, predicted)


def _recall(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true & predicted, true)


def _f1(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(2 * (true & predicted), true + predicted)


def _jaccard(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums(true & predicted, true | predicted)


def _specificity(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    return _two_sums((1 - true) & (1 - predicted), 1 - true)


def _hits_per_class(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Correct samples of each class, samples of each class."""
    members = np.eye(n_classes)[true]
    return np.hstack([members * (true == predicted)[:, None], members])


def _balanced_accuracy(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Mean recall of the classes that occur."""
    hits, members = np.hsplit(sums, 2)
    recalls, absent = quotient(hits, members)
    return quotient(recalls.sum(axis=1), (~absent).sum(axis=1).astype(np.float64))


def _hits_and_margins(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Correct samples, samples, true and predicted samples of each class."""
    classes = np.eye(n_classes)
    return np.hstack([_hits(true, predicted, n_classes), classes[true], classes[predicted]])


def _mcc(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Matthews correlation in the form for any number of classes (Gorodkin 2004, equation 8)."""
    hits, n = sums[:, 0], sums[:, 1]
    true, predicted = np.hsplit(sums[:, 2:], 2)
    covariance = hits * n - (true * predicted).sum(axis=1)
    spread = np.sqrt(n**2 - (true**2).sum(axis=1)) * np.sqrt(n**2 - (predicted**2).sum(axis=1))
    return quotient(covariance, spread)


def _per_class(true: IntArray, predicted: IntArray, n_classes: int) -> FloatArray:
    """Correct, true and predicted samples of each class."""
    classes = np.eye(n_classes)
    return np.hstack([classes[true] * (true == predicted)[:, None], classes[true], classes[predicted]])


def _averaged(sums: FloatArray, which: str, average: str) -> tuple[FloatArray, BoolArray]:
    """The mean over the classes that occur, plain or weighted by their samples, as scikit-learn takes it."""
    hits, true, predicted = np.hsplit(sums, 3)
    numerator, denominator = {
        "precision": (hits, predicted),
        "recall": (hits, true),
        "f1": (2 * hits, true + predicted),
        "jaccard": (hits, true + predicted - hits),
    }[which]
    present = (true + predicted) > 0
    weights = true if average == "weighted" else present.astype(np.float64)
    per_class, undefined = quotient(numerator, denominator)
    mean, nothing = quotient((per_class * weights).sum(axis=1), weights.sum(axis=1))
    return mean, nothing | (undefined & present).any(axis=1)


def _kappa(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Cohen's kappa: the agreement beyond that of independent labels with these margins."""
    hits, true, predicted = np.hsplit(sums, 3)
    n = true.sum(axis=1)
    expected = (true * predicted).sum(axis=1)
    return quotient(hits.sum(axis=1) * n - expected, n**2 - expected)


def _moments(true: FloatArray, predicted: FloatArray, n_classes: int) -> FloatArray:  # noqa: ARG001
    """Of two numbers per sample 1, both, the sum of their squares, and the square of their difference."""
    return np.column_stack(
        [np.ones_like(true), true, predicted, true**2 + predicted**2, (true - predicted) ** 2]
    ).astype(np.float64)


def _quadratic_kappa(sums: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Agreement of numbers beyond that of independent ones, by squared differences; Cohen (1968) with these weights."""
    n, true, predicted, squares, disagreement = sums.T
    expected = squares - 2 * quotient(true * predicted, n)[0]
    return quotient(expected - disagreement, expected)


def linearised(metric: SummedMetric, terms: FloatArray) -> FloatArray:
    """One value per sample whose mean is the metric and whose spread is that of the metric, nan where that is 0/0.

    The metric is taken for linear in the means of its terms around those that were found, its slopes by differences.
    """
    means = terms.mean(axis=0)
    step = np.diag(1e-5 * means)
    with np.errstate(invalid="ignore", over="ignore"):
        (score,), (undefined,) = metric.value(means[None])
        rise = metric.value(means + step)[0] - metric.value(means - step)[0]
    slopes = np.divide(rise, 2e-5 * means, out=np.zeros_like(means), where=means > 0)
    return np.full(len(terms), np.nan) if undefined else np.asarray(score + (terms - means) @ slopes)


METRICS: dict[str, SummedMetric] = {
    "accuracy": SummedMetric(binary=False, terms=_hits, value=_share),
    "precision": SummedMetric(binary=True, terms=_precision, value=_share),
    "recall": SummedMetric(binary=True, terms=_recall, value=_share),
    "f1": SummedMetric(binary=True, terms=_f1, value=_share),
    "balanced_accuracy": SummedMetric(binary=False, terms=_hits_per_class, value=_balanced_accuracy),
    "mcc": SummedMetric(binary=False, terms=_hits_and_margins, value=_mcc),
    "specificity": SummedMetric(binary=True, terms=_specificity, value=_share),
    "cohen_kappa": SummedMetric(binary=False, terms=_per_class, value=_kappa),
    "jaccard": SummedMetric(binary=True, terms=_jaccard, value=_share),
    "quadratic_kappa": SummedMetric(binary=False, terms=_moments, value=_quadratic_kappa, ordered=True),
    **{
        f"{which}_{average}": SummedMetric(
            binary=False, terms=_per_class, value=partial(_averaged, which=which, average=average)
        )
        for which in ("precision", "recall", "f1", "jaccard")
        for average in ("macro", "weighted")
    },
}
