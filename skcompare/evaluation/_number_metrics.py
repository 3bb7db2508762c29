"""Metrics of predicted numbers: functions of the rows of true and of predicted values, a row per fold.

A nan leaves the fold to scikit-learn's own function, which then warns or refuses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import xlogy

from skcompare._core.validation import FloatArray
from skcompare.evaluation._batches import Batches

Rows = Callable[..., FloatArray]


def of_rows(batches: Batches, name: str, *, rows: Rows, undefined: bool = False, **options: Any) -> FloatArray:
    """A function of rows on all folds; where asked, its nan are noted as undefined."""
    values = np.full(len(batches.folds), np.nan)
    for places, true, predicted in batches.number_rows:
        values[places] = rows(true, predicted, **options)
    if undefined:
        batches.note_undefined(name, np.isnan(values), batches.numbers[0])
    return values


def absolute(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.asarray(np.abs(true - predicted).mean(axis=1))


def squared(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.asarray(((true - predicted) ** 2).mean(axis=1))


def root(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.sqrt(squared(true, predicted))


def median(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.asarray(np.median(np.abs(true - predicted), axis=1))


def largest(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.asarray(np.abs(true - predicted).max(axis=1))


def percentage(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.asarray((np.abs(predicted - true) / np.maximum(np.abs(true), np.finfo(np.float64).eps)).mean(axis=1))


def r2(true: FloatArray, predicted: FloatArray) -> FloatArray:
    values = _explained(((true - predicted) ** 2).sum(axis=1), (_centred(true) ** 2).sum(axis=1))
    return values if true.shape[1] > 1 else np.full(len(true), np.nan)


def explained_variance(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return _explained((_centred(true - predicted) ** 2).mean(axis=1), (_centred(true) ** 2).mean(axis=1))


def _centred(rows: FloatArray) -> FloatArray:
    return np.asarray(rows - rows.mean(axis=1, keepdims=True))


def _explained(left: FloatArray, total: FloatArray) -> FloatArray:
    """1 - left / total; scikit-learn's `force_finite` where the total is 0."""
    constant = np.where(left == 0, 1.0, 0.0)
    return np.asarray(1 - np.divide(left, total, out=1 - constant, where=total > 0))


def squared_log(true: FloatArray, predicted: FloatArray) -> FloatArray:
    refused = (np.minimum(true, predicted) <= -1).any(axis=1)
    with np.errstate(all="ignore"):
        return np.where(refused, np.nan, squared(np.log1p(true), np.log1p(predicted)))


def root_log(true: FloatArray, predicted: FloatArray) -> FloatArray:
    return np.sqrt(squared_log(true, predicted))


def pinball(true: FloatArray, predicted: FloatArray, *, alpha: float = 0.5) -> FloatArray:
    difference = true - predicted
    return np.asarray(np.where(difference >= 0, alpha * difference, (alpha - 1) * difference).mean(axis=1))


def d2_median(true: FloatArray, predicted: FloatArray) -> FloatArray:
    """Against the median: other quantiles depend on the version of scikit-learn."""
    middle = np.median(true, axis=1, keepdims=True)
    values = _explained(pinball(true, predicted), pinball(true, middle))
    return values if true.shape[1] > 1 else np.full(len(true), np.nan)


def deviance(true: FloatArray, predicted: FloatArray, *, power: float = 0) -> FloatArray:
    """Mean Tweedie deviance; nan where it is not defined."""
    p = power
    refused = np.zeros(len(true), dtype=bool) if p == 0 else (predicted <= 0).any(axis=1)
    if p >= 1:
        refused |= ((true < 0) if p < 2 else (true <= 0)).any(axis=1)
    with np.errstate(all="ignore"):
        if p == 0:
            parts = (true - predicted) ** 2
        elif p == 1:
            parts = 2 * (xlogy(true, true / predicted) - true + predicted)
        elif p == 2:
            parts = 2 * (np.log(predicted / true) + true / predicted - 1)
        else:
            own = np.power(np.maximum(true, 0), 2 - p) / ((1 - p) * (2 - p))
            parts = 2 * (own - true * np.power(predicted, 1 - p) / (1 - p) + np.power(predicted, 2 - p) / (2 - p))
        return np.where(refused, np.nan, parts.mean(axis=1))


def d2_deviance(true: FloatArray, predicted: FloatArray, *, power: float = 0) -> FloatArray:
    """nan where the target is constant, as one sample is."""
    total = deviance(true, true.mean(axis=1, keepdims=True), power=power)
    left = deviance(true, predicted, power=power)
    varies = (total > 0) & (true.max(axis=1) > true.min(axis=1))
    return np.asarray(1 - np.divide(left, total, out=np.full(len(true), np.nan), where=varies))
