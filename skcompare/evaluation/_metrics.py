"""From predictions to scores.

Metrics known by name are computed on all folds at once. Where a fold is out of the ordinary (labels never seen,
non-finite scores, ...) scikit-learn's own function is called on that fold, so that its value, its warning or its
error is what the user meets. Every other metric is a scikit-learn scorer, called on the fitted estimator.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Number
from traceback import format_exc
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._validation import FloatArray
from skcompare.evaluation._batched_metrics import BATCHED
from skcompare.evaluation._batches import Batches, Truth
from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._scoring import COUNTED_COST, Metric
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._task import Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An estimator that failed on a split.

    Attributes
    ----------
    estimator : str
        Its name.
    split : int
        Position of the split, counted from 0.
    metric : str or None
        The metric that could not be scored; None where fitting failed, and all metrics with it.
    message : str
        Estimator, split, step and the error's last line.
    """

    estimator: str
    split: int
    metric: str | None
    message: str


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """Scores of shape (n_estimators, n_splits, n_metrics), and what failed.

    `ill_defined` counts the folds on which a metric was 0/0, by estimator and metric. `failures` maps
    (estimator, split, metric) to the traceback; metric is None where fitting failed, and all
    metrics of that fold with it.
    """

    metrics: tuple[Metric, ...]
    scores: FloatArray
    ill_defined: dict[str, dict[str, int]]
    failures: dict[tuple[int, int, str | None], tuple[str, str]]


def score_outcomes(
    metrics: Sequence[Metric],
    outcomes: Sequence[Sequence[FoldOutcome]],
    y: NDArray[Any],
    splits: Splits,
    *,
    task: Task,
    error_score: float,
    names: Sequence[str],
) -> ScoreTable:
    """Score every estimator's predictions on every split.

    Parameters
    ----------
    metrics : sequence of Metric
        The columns; a single callable that returned dicts is replaced by one column per key.
    outcomes : sequence of sequence of FoldOutcome
        Per split, one per estimator.
    y : ndarray of shape (n_samples, ...)
        True targets.
    splits : Splits
        The splits, in order.
    task : str
        The kind of problem.
    error_score : float
        Score of what failed.
    names : sequence of str
        Names of the estimators, for warnings.

    Returns
    -------
    ScoreTable
    """
    metrics = _expand_callable(metrics, outcomes)
    n_estimators = len(outcomes[0])
    scores = np.full((n_estimators, len(outcomes), len(metrics)), np.nan)
    failures: dict[tuple[int, int, str | None], tuple[str, str]] = {}
    ill_defined: dict[str, dict[str, int]] = {}
    truth = Truth(y, splits, task)
    for e in range(n_estimators):
        folds = [outcome[e] for outcome in outcomes]
        fitted = [i for i, fold in enumerate(folds) if "fit" not in fold.errors]
        for i, fold in enumerate(folds):
            if "fit" in fold.errors:
                failures[e, i, None] = ("fit", fold.errors["fit"])
                scores[e, i] = error_score
        batches = Batches(truth, [folds[i] for i in fitted], fitted)
        for m, metric in enumerate(metrics):
            values, errors = _column(metric, batches)
            scores[e, fitted, m] = values
            for i, error in errors.items():
                failures[e, fitted[i], metric.name] = error
                scores[e, fitted[i], m] = error_score
        if batches.undefined:
            ill_defined[names[e]] = dict(batches.undefined)
        for metric_name, n_undefined in batches.undefined.items():
            warnings.warn(
                f"{metric_name} of {names[e]!r} is ill-defined on {n_undefined} of {len(folds)} folds",
                UndefinedMetricWarning,
                stacklevel=4,
            )
    return ScoreTable(metrics=tuple(metrics), scores=scores, ill_defined=ill_defined, failures=failures)


def _expand_callable(metrics: Sequence[Metric], outcomes: Sequence[Sequence[FoldOutcome]]) -> tuple[Metric, ...]:
    """The columns of a single callable: the keys of the dict it returned, or "score"."""
    if len(metrics) == 1 and metrics[0].kind == "scorer" and metrics[0].name == "score":
        for outcome in (fold for folds in outcomes for fold in folds):
            if isinstance(outcome.scored, dict):
                return tuple(
                    Metric(name=str(key), kind="scorer", source=None, greater_is_better=key != COUNTED_COST)
                    for key in outcome.scored
                )
    return tuple(metrics)


def _column(metric: Metric, batches: Batches) -> tuple[FloatArray, dict[int, tuple[str, str]]]:
    """Scores of one metric on the fitted folds, and (step, traceback) of the folds where it failed."""
    if metric.kind == "cost":
        values = np.array([getattr(fold, metric.source) for fold in batches.folds], dtype=np.float64)
        step = "predict" if metric.source == "predict_time" else metric.source
        return values, _errors(batches.folds, (step,))
    if metric.kind == "scorer":
        return _scorer_column(metric, batches.folds)
    errors = _errors(batches.folds, metric.response)
    batched = BATCHED[metric.source]
    values = np.full(len(batches.folds), np.nan)
    ordinary = batches.ordinary(metric.response) if batched.fits(batches.truth.task) else set()
    if ordinary:
        chosen = sorted(ordinary)
        values[chosen] = batched.compute(batches, metric.name)[chosen]
    for i in range(len(batches.folds)):
        if i not in ordinary and i not in errors:
            try:
                y_true, y_response = batches.pair(i, metric.response)
                values[i] = batched.reference(batches.truth.positive)(y_true, y_response)
            except Exception:
                errors[i] = ("score", format_exc())
    return values, errors


def _errors(folds: Sequence[FoldOutcome], responses: Sequence[str]) -> dict[int, tuple[str, str]]:
    found = {}
    for i, fold in enumerate(folds):
        if any(name in fold.responses for name in responses):
            continue
        failed = [(name, fold.errors[name]) for name in responses if name in fold.errors]
        if failed:
            found[i] = failed[0]
    return found


def _scorer_column(metric: Metric, folds: Sequence[FoldOutcome]) -> tuple[FloatArray, dict[int, tuple[str, str]]]:
    values = np.full(len(folds), np.nan)
    errors = {}
    for i, fold in enumerate(folds):
        if "score" in fold.errors:
            errors[i] = ("score", fold.errors["score"])
            continue
        score = fold.scored.get(metric.name) if isinstance(fold.scored, dict) else fold.scored
        if isinstance(score, str) and score.startswith("Traceback"):  # from scikit-learn's multi-metric scorer
            errors[i] = ("score", score)
            continue
        if isinstance(score, np.generic) or (isinstance(score, np.ndarray) and score.ndim == 0):
            score = score.item()
        if not isinstance(score, Number) or isinstance(score, complex):
            errors[i] = (
                "score",
                f"ValueError: scoring must return a number for {metric.name!r}; got {score!r:.80}",
            )
            continue
        values[i] = float(score)  # type: ignore[arg-type]
    return values, errors
