"""Predictions that were made elsewhere, scored as those of an evaluation are."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import make_scorer
from sklearn.utils.metaestimators import available_if

from skcompare.evaluation._called_scorers import called
from skcompare.evaluation._codes import encode_labels
from skcompare.evaluation._kept import CODES, KeptPredictions
from skcompare.evaluation._metrics import ScoreTable, Scoring
from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._scoring import Metric
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._task import Task, is_classification

Responses = Mapping[str, NDArray[Any]]


def _has(response: str) -> Any:
    return available_if(lambda self: response in self.responses)


class _Stored(BaseEstimator):  # type: ignore[misc]
    """A fitted model that gives back what was predicted, for scorers; X holds the positions of the samples."""

    def __init__(self, responses: Responses, classes: NDArray[Any]) -> None:
        self.responses, self.classes = responses, classes
        several = responses["predict"].shape[1:]
        self.classes_ = [np.arange(2)] * several[0] if several else classes  # of labels those of each

    def predict(self, X: NDArray[np.intp]) -> NDArray[Any]:
        return self.responses["predict"][X]

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: NDArray[np.intp]) -> NDArray[Any]:
        found = self.responses["predict_proba"][X]
        return np.column_stack([1 - found, found]) if found.ndim == 1 else found

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: NDArray[np.intp]) -> NDArray[Any]:
        return self.responses["decision_function"][X]


class _StoredClassifier(ClassifierMixin, _Stored):  # type: ignore[misc]
    pass


class _StoredRegressor(RegressorMixin, _Stored):  # type: ignore[misc]
    pass


def stored_models(responses: Mapping[str, Responses], classes: NDArray[Any], task: Task) -> dict[str, Any]:
    """Each model's predictions as an estimator that scorers take."""
    kind = _StoredClassifier if is_classification(task) or task == "multilabel" else _StoredRegressor
    return {name: kind(found, classes) for name, found in responses.items()}


def score_stored(
    models: Mapping[str, Any],
    y: NDArray[Any],
    metrics: Sequence[Metric],
    task: Task,
    sample_weight: NDArray[np.float64] | None = None,
) -> tuple[ScoreTable, Splits, KeptPredictions]:
    """Scores of stored predictions on the one test set that they are of."""
    weights = {} if sample_weight is None else {"sample_weight": sample_weight}
    names, everything = list(models), np.arange(len(y))
    splits = Splits(len(y), 1, 1, True, np.zeros((1, len(y)), dtype=np.uint8), None)
    outcomes, known = [], np.unique(y) if is_classification(task) else y
    for model in models.values():
        outcome = FoldOutcome(fit_time=0.0, predict_time=0.0, score_time=0.0, responses=dict(model.responses))
        scorers = {metric.name: metric.source for metric in metrics if metric.kind == "scorer"}
        outcome.scored = {name: called(scorer, model, everything, y, **weights) for name, scorer in scorers.items()}
        if is_classification(task) and len(known) == len(model.classes):  # codes are positions among the true classes
            outcome.responses["predict"], outcome.encoded = encode_labels(outcome.responses["predict"], model.classes)
        outcomes.append(outcome)
    scoring = Scoring(metrics, y, splits, task=task, names=names)
    scoring.add([0], [outcomes])
    return scoring.table(), splits, KeptPredictions.from_outcomes(y, [outcomes], names)


def as_scorers(scoring: Any) -> Any:
    """What `scoring` may be of predictions: besides names and scorers also functions ``(y_true, y_pred) -> float``."""
    if isinstance(scoring, Mapping):
        return {name: _as_scorer(value) for name, value in scoring.items()}
    if callable(scoring):
        return {getattr(scoring, "__name__", "score"): _as_scorer(scoring)}
    return scoring


def _as_scorer(value: Any) -> Any:
    return make_scorer(value) if callable(value) and _takes_two(value) else value


def _takes_two(function: Callable[..., Any]) -> bool:
    """Whether a callable is a metric of labels rather than a scorer, which takes estimator, X and y."""
    if hasattr(function, "_score_func"):
        return False
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return True
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(needed) <= 2


def rescored(
    kept: KeptPredictions,
    splits: Splits,
    chosen: NDArray[np.bool_],
    metrics: Sequence[Metric],
    task: Task,
    models: Callable[[Mapping[str, Responses]], Mapping[str, Any]],
) -> tuple[NDArray[np.float64], list[NDArray[np.intp]]]:
    """Scores of kept predictions on some of the samples alone.

    Parameters
    ----------
    kept, splits
        The predictions, and the splits that they are of.
    chosen : ndarray of bool of shape (n_samples,)
        The samples that count.
    metrics : sequence of Metric
        Batched ones, and scorers.
    task : str
        The kind of problem.
    models : callable
        Responses by model name -> estimators that give them back, for the scorers.

    Returns
    -------
    scores : ndarray of shape (n_models, n_splits, n_metrics)
        nan on splits that test none of the samples, and where a model failed.
    tests : list of ndarray
        The test samples of each split that count.
    """
    tests = [splits.held_out(i) for i in range(len(splits))]
    inside = [chosen[test] for test in tests]
    used = [i for i, mask in enumerate(inside) if mask.any()]
    names = list(kept.folds)
    scores = np.full((len(names), len(splits), len(metrics)), np.nan)
    held = [tests[i][inside[i]] for i in used]
    narrow = [test.astype(np.min_scalar_type(max(splits.n_samples - 1, 0))) for test in held]
    shorter = Splits(splits.n_samples, len(used), 1, False, None, tuple((test[:0], test) for test in narrow))
    outcomes = [[_outcome(kept.folds[name][i], inside[i]) for name in names] for i in used]
    scorers = {metric.name: metric.source for metric in metrics if metric.kind == "scorer"}
    for test, of_split in zip(held, outcomes, strict=True):
        if scorers:
            found = {name: kept.decoded(one) for name, one in zip(names, of_split, strict=True) if not one.errors}
            for name, model in models(found).items():
                scored = {name: _scored(scorer, model, kept.y[test]) for name, scorer in scorers.items()}
                of_split[names.index(name)].scored = scored
    if used:
        scoring = Scoring(metrics, kept.y, shorter, task=task, names=names)
        scoring.add(range(len(used)), outcomes)
        scores[:, used] = scoring.interim(len(used)).scores
    return scores, [test[mask] for test, mask in zip(tests, inside, strict=True)]


def _scored(scorer: Any, model: Any, y: NDArray[Any]) -> float:
    """A score on some samples; nan where the metric is not defined on them, as where one class alone is left."""
    try:
        return float(called(scorer, model, np.arange(len(y)), y))
    except ValueError:
        return float("nan")


def _outcome(responses: Responses, mask: NDArray[np.bool_]) -> FoldOutcome:
    """Kept responses of one model on one split, for the samples that count."""
    if not responses:
        return FoldOutcome(errors={"fit": "ValueError: failed before"})
    found = {"predict" if name == CODES else name: values[mask] for name, values in responses.items()}
    return FoldOutcome(fit_time=0.0, predict_time=0.0, score_time=0.0, responses=found, encoded=CODES in responses)
