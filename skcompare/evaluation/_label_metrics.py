"""Metrics of predicted labels, from how often each class is hit, predicted and there in every fold.

All of them take `Batches` and the metric's name, and give one value per fold. A nan that was not noted as undefined
leaves the fold to scikit-learn's own function.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.evaluation._batches import LABEL, Batches


def accuracy(batches: Batches, _: str) -> FloatArray:
    """Share of the labels that are right; of several labels, share of the samples that have all of them right."""
    if batches.truth.task == "multilabel":
        return batches.block.sums((batches.label_sets[1] == (batches.block.y != 0)).all(axis=1)) / batches.block.sizes
    return np.asarray(batches.counts[0].sum(axis=1) / batches.block.sizes)


def averaged(
    batches: Batches,
    name: str,
    *,
    which: str,
    average: str,
    beta: float = 1.0,
    positive: int | None = None,
    warns: bool = True,
) -> FloatArray:
    """Precision, recall, F-beta or Jaccard of one class, or their average; 0 where it is 0/0."""
    if average == "samples":
        true, called = batches.block.y != 0, batches.label_sets[1]
        tables = [table.sum(axis=1, dtype=np.float64) for table in (true & called, called, true)]
        numerator, denominator = _fraction(which, beta, *tables)
        undefined = batches.block.sums(denominator == 0) > 0
        values = batches.block.sums(quotient(numerator, denominator, 0.0)) / batches.block.sizes
    elif average == "micro":
        numerator, denominator = _fraction(which, beta, *(table.sum(axis=1) for table in batches.counts))
        undefined, values = denominator == 0, quotient(numerator, denominator, 0.0)
    else:
        hits, predicted, members = batches.counts
        numerator, denominator = _fraction(which, beta, hits, predicted, members)
        per_class = quotient(numerator, denominator, 0.0)
        if average == "binary":
            c = batches.truth.positive_code if positive is None else positive
            undefined, values = denominator[:, c] == 0, per_class[:, c]
        else:
            present = (predicted + members > 0) | (batches.truth.task == "multilabel")
            undefined = ((denominator == 0) & present).any(axis=1)
            weights = present.astype(np.float64) if average == "macro" else members
            values = quotient((per_class * weights).sum(axis=1), weights.sum(axis=1), 0.0)
    if warns:
        batches.note_undefined(name, undefined, batches.ordinary(LABEL))
    return values


def hamming_loss(batches: Batches, _: str) -> FloatArray:
    """Share of the labels that are wrong, of several labels."""
    wrong = batches.label_sets[1] != (batches.block.y != 0)
    return np.asarray(batches.block.sums(wrong.mean(axis=1)) / batches.block.sizes)


def _fraction(which: str, beta: float, hits: FloatArray, predicted: FloatArray, members: FloatArray) -> Any:
    """Numerator and denominator."""
    if which == "f":
        return (1 + beta**2) * hits, beta**2 * members + predicted
    denominators = {"precision": predicted, "recall": members, "jaccard": predicted + members - hits}
    return hits, denominators[which]


def quotient(numerator: FloatArray, denominator: FloatArray, otherwise: float = np.nan) -> FloatArray:
    """Numerator over denominator, something else where the denominator is not positive."""
    filled = np.full(numerator.shape, otherwise)
    return np.asarray(np.divide(numerator, denominator, out=filled, where=denominator > 0))


def specificity(batches: Batches, name: str, *, complement: bool) -> FloatArray:
    """Share of the negatives that are called negative, or its complement; nan without a negative."""
    hits, _, members = batches.counts
    c = 1 - batches.truth.positive_code
    rate = quotient(hits[:, c], members[:, c])
    batches.note_undefined(name, np.isnan(rate), batches.ordinary(LABEL))
    return np.asarray(1 - rate if complement else rate)


def _several(batches: Batches) -> NDArray[np.bool_]:
    """Folds of more than one true or predicted class: of one, scikit-learn's confusion matrix warns."""
    _, predicted, members = batches.counts
    return np.asarray(np.count_nonzero(predicted + members, axis=1) > 1)


def balanced_accuracy(batches: Batches, _: str, *, adjusted: bool = False) -> FloatArray:
    """Mean recall of the true classes; left to scikit-learn where others are predicted."""
    hits, predicted, members = batches.counts
    n_classes = np.count_nonzero(members, axis=1)
    values = quotient(hits, members, 0.0).sum(axis=1) / n_classes
    strangers = ((predicted > 0) & (members == 0)).any(axis=1)
    if adjusted:
        values = quotient(values - 1 / n_classes, 1 - 1 / n_classes)
    return np.where(strangers | ~_several(batches), np.nan, values)


def matthews(batches: Batches, _: str) -> FloatArray:
    """Correlation of true and predicted labels; 0 where one of them is constant."""
    hits, predicted, members = batches.counts
    n = batches.block.sizes.astype(np.float64)
    covariance = hits.sum(axis=1) * n - (predicted * members).sum(axis=1)
    variances = (n**2 - (predicted**2).sum(axis=1)) * (n**2 - (members**2).sum(axis=1))
    values = quotient(covariance, np.sqrt(variances), 0.0)
    return np.where(_several(batches), values, np.nan)


def kappa(batches: Batches, _: str, *, weights: str | None = None, graded: bool = False) -> FloatArray:
    """Agreement beyond chance.

    Weights are of the places of the classes among those that occur in the fold, or of the classes if they are grades.
    """
    hits, predicted, members = batches.counts
    n, occurs = batches.block.sizes, predicted + members > 0
    if weights is None:
        observed = n - hits.sum(axis=1)
        expected = n - (predicted * members).sum(axis=1) / n
        return np.where(_several(batches), 1 - quotient(observed, expected), np.nan)
    places: FloatArray = np.cumsum(occurs, axis=1) - np.float64(1)
    if graded:
        places[:] = batches.truth.classes - batches.truth.classes.mean()
    true, called = (batches.block.of_samples(places, codes) for codes in (batches.block.codes, batches.codes[1]))
    distance = np.abs(true - called)
    observed = batches.block.sums(distance if weights == "linear" else distance**2)
    if weights == "linear":  # classes up to each one: a step counts for the pairs that it separates
        below, own = np.cumsum(predicted, axis=1), np.cumsum(members, axis=1)
        expected = ((below * (n[:, None] - own) + own * (n[:, None] - below)) * occurs).sum(axis=1) / n
    else:
        sums = [(table * places).sum(axis=1) for table in (predicted, members)]
        expected = ((predicted + members) * places**2).sum(axis=1) - 2 * sums[0] * sums[1] / n
    return np.where(_several(batches), 1 - quotient(observed, expected), np.nan)
