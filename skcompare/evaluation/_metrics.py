"""Metrics: resolved from names, scored from the kept predictions of all folds at once.

The metrics named here are computed in batches and equal scikit-learn's; where a fold is out of the ordinary
(labels never seen, non-finite scores, ...) scikit-learn's own function is called on that fold, so that its
value, its warning or its error is what the user meets. Every other metric is a scikit-learn scorer, called on
the fitted estimator.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from itertools import groupby
from numbers import Number
from traceback import format_exc
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as skm
from sklearn.base import is_classifier, is_regressor
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils.multiclass import type_of_target

from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._splits import Splits

FloatArray = NDArray[np.float64]
Task = Literal["binary", "multiclass", "regression", "other"]

DEFAULT_SCORING: dict[Task, tuple[str, ...]] = {
    "binary": ("accuracy", "precision", "recall", "f1", "roc_auc"),
    "multiclass": ("accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"),
    "regression": ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error"),
}
COST_METRICS = ("fit_time", "predict_time", "model_size")
# which response a batched metric reads: a label, a score by preference, or a value
_DECISION = ("decision_function", "predict_proba")
_PROBABILITY = ("predict_proba",)
_LABEL = ("predict",)
_BLOCK = 1 << 16  # samples scored together


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One column of the score table.

    Attributes
    ----------
    name : str
        Its name in the result.
    kind : {"batched", "cost", "scorer"}
        Computed here from predictions, measured while fitting, or by a scikit-learn scorer in the worker.
    source : object
        The batched metric's or cost's name, or the scorer.
    greater_is_better : bool
        Its direction; scikit-learn's scorers are all True, the costs False.
    """

    name: str
    kind: Literal["batched", "cost", "scorer"]
    source: Any
    greater_is_better: bool = True

    @property
    def response(self) -> tuple[str, ...]:
        """Methods that a batched metric reads, by preference."""
        return _BATCHED[self.source].response if self.kind == "batched" else ()


def task_of(estimators: Sequence[Any], y: Any) -> Task:
    """The kind of problem, from the estimators' types and the target.

    Raises
    ------
    ValueError
        If classifiers and regressors are mixed.
    """
    classifiers = [bool(is_classifier(e)) for e in estimators]
    regressors = [bool(is_regressor(e)) for e in estimators]
    if any(classifiers) and any(regressors):
        raise ValueError("estimators must be all classifiers or all regressors; got both")
    target = type_of_target(y, input_name="y")
    discrete = target in ("binary", "multiclass")
    if any(classifiers) or (discrete and not any(regressors)):
        if target in ("binary", "multiclass"):
            return "binary" if target == "binary" else "multiclass"
        return "other"
    return "regression" if np.ndim(y) == 1 else "other"


def resolve_scoring(scoring: Any, task: Task, estimators: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Metrics from what scikit-learn's `cross_validate` accepts as `scoring`, and the cost metrics by name.

    Raises
    ------
    ValueError
        If a name is unknown, or there is no default for the task.
    """
    if scoring is None:
        if task == "other":
            raise ValueError("scoring must be given for a multilabel or multi-output y; got None")
        scoring = _default_scoring(task, estimators)
    if isinstance(scoring, str):
        return (_resolve(scoring, scoring, "scoring", task),)
    if isinstance(scoring, Mapping):
        named = [(name, value, f"scoring[{name!r}]") for name, value in scoring.items()]
    elif isinstance(scoring, (list, tuple, set, frozenset)):
        named = [(value, value, f"scoring[{i}]") for i, value in enumerate(scoring)]
    elif callable(scoring):
        return (Metric(name="score", kind="scorer", source=scoring),)
    else:
        raise ValueError(f"scoring must be None, a name, a list, a dict or a callable; got {scoring!r:.80}")
    if not named:
        raise ValueError(f"scoring must name at least one metric; got {scoring!r}")
    for name, _, where in named:
        if not isinstance(name, str):
            raise ValueError(f"{where} must be a metric's name; got {name!r:.80} (a scorer needs a dict)")
    names = [name for name, _, _ in named]
    if len(set(names)) != len(names):
        raise ValueError(f"scoring must name each metric once; got {names}")
    return tuple(_resolve(name, value, where, task) for name, value, where in named)


def _default_scoring(task: Task, estimators: Mapping[str, Any]) -> tuple[str, ...]:
    """The default metrics, without ROC AUC where an estimator gives no scores to compute it from."""
    names = DEFAULT_SCORING[task]
    if task == "regression":
        return names
    methods = _BATCHED[names[-1]].response
    without = [n for n, e in estimators.items() if not any(hasattr(e, method) for method in methods)]
    if not without:
        return names
    warnings.warn(
        f"{names[-1]} is left out of the default scoring: {', '.join(map(repr, without))} has no "
        f"{' or '.join(methods)}",
        UserWarning,
        stacklevel=4,
    )
    return names[:-1]


def _resolve(name: str, value: Any, where: str, task: Task) -> Metric:
    if isinstance(value, str):
        if value in COST_METRICS:
            return Metric(name=name, kind="cost", source=value, greater_is_better=False)
        if value in _BATCHED and task != "other":
            return Metric(name=name, kind="batched", source=value)
        known = [*skm.get_scorer_names(), *COST_METRICS]
        if value not in known:
            near = get_close_matches(value, known, n=3)
            hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise ValueError(
                f"{where} must be a scorer name of scikit-learn or one of {', '.join(COST_METRICS)}; "
                f"got {value!r}{hint}"
            )
        return Metric(name=name, kind="scorer", source=skm.get_scorer(value))
    if not callable(value):
        raise ValueError(f"{where} must be a name or a callable (estimator, X, y) -> float; got {value!r:.80}")
    return Metric(name=name, kind="scorer", source=value)


def positive_class(y: NDArray[Any], task: Task) -> Any:
    """The class that binary precision, recall and F1 are about: 1 where it is a label, else the last label."""
    if task != "binary":
        return None
    classes = np.unique(y)
    return 1 if classes.dtype.kind in "iufb" and 1 in classes else classes[-1:].tolist()[0]


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """Scores of shape (n_estimators, n_splits, n_metrics), and what failed.

    `failures` maps (estimator, split, metric) to the traceback; metric is None where fitting failed, and all
    metrics of that fold with it.
    """

    metrics: tuple[Metric, ...]
    scores: FloatArray
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
    truth = _Truth(y, splits, task)
    for e in range(n_estimators):
        folds = [outcome[e] for outcome in outcomes]
        fitted = [i for i, fold in enumerate(folds) if "fit" not in fold.errors]
        for i, fold in enumerate(folds):
            if "fit" in fold.errors:
                failures[e, i, None] = ("fit", fold.errors["fit"])
                scores[e, i] = error_score
        batches = _Batches(truth, [folds[i] for i in fitted], fitted)
        for m, metric in enumerate(metrics):
            values, errors = _column(metric, batches)
            scores[e, fitted, m] = values
            for i, error in errors.items():
                failures[e, fitted[i], metric.name] = error
                scores[e, fitted[i], m] = error_score
        for metric_name, n_undefined in batches.undefined.items():
            warnings.warn(
                f"{metric_name} of {names[e]!r} is ill-defined on {n_undefined} of {len(folds)} folds",
                UndefinedMetricWarning,
                stacklevel=4,
            )
    return ScoreTable(metrics=tuple(metrics), scores=scores, failures=failures)


def _expand_callable(metrics: Sequence[Metric], outcomes: Sequence[Sequence[FoldOutcome]]) -> tuple[Metric, ...]:
    """The columns of a single callable: the keys of the dict it returned, or "score"."""
    if len(metrics) == 1 and metrics[0].kind == "scorer" and metrics[0].name == "score":
        for outcome in (fold for folds in outcomes for fold in folds):
            if isinstance(outcome.scored, dict):
                return tuple(Metric(name=str(key), kind="scorer", source=None) for key in outcome.scored)
    return tuple(metrics)


def _column(metric: Metric, batches: _Batches) -> tuple[FloatArray, dict[int, tuple[str, str]]]:
    """Scores of one metric on the fitted folds, and (step, traceback) of the folds where it failed."""
    if metric.kind == "cost":
        values = np.array([getattr(fold, metric.source) for fold in batches.folds], dtype=np.float64)
        step = "predict" if metric.source == "predict_time" else metric.source
        return values, _errors(batches.folds, (step,))
    if metric.kind == "scorer":
        return _scorer_column(metric, batches.folds)
    errors = _errors(batches.folds, metric.response)
    batched = _BATCHED[metric.source]
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


class _Truth:
    """The true labels, encoded once for all estimators and metrics."""

    def __init__(self, y: NDArray[Any], splits: Splits, task: Task) -> None:
        self.y, self.splits, self.task = y, splits, task
        self.tests = [test for _, test in splits]
        self.positive: Any = positive_class(y, task)
        if task in ("binary", "multiclass"):
            self.classes, codes = np.unique(y, return_inverse=True)
            self.codes: NDArray[np.intp] = codes.astype(np.intp)


class _Batches:
    """One estimator's predictions on its fitted folds, encoded once and shared by the metrics."""

    def __init__(self, truth: _Truth, folds: Sequence[FoldOutcome], splits: Sequence[int]) -> None:
        self.truth, self.folds = truth, folds
        self.tests = [truth.tests[i] for i in splits]
        self.sizes = np.array([len(test) for test in self.tests], dtype=np.intp)
        self.undefined: dict[str, int] = {}
        self._ordinary: dict[tuple[str, ...], set[int]] = {}
        self._counts: tuple[FloatArray, FloatArray, FloatArray] | None = None

    def response(self, i: int, names: Sequence[str]) -> NDArray[Any] | None:
        """The first of the responses that the estimator gave on fold i."""
        return next((self.folds[i].responses[n] for n in names if n in self.folds[i].responses), None)

    def pair(self, i: int, names: Sequence[str]) -> tuple[NDArray[Any], NDArray[Any]]:
        """True and predicted values of fold i, for scikit-learn's own functions."""
        response = self.response(i, names)
        if response is None:
            wanted = " or ".join(names)
            raise AttributeError(f"the estimator has no {wanted}")
        if names != _LABEL and response.ndim == 2 and response.shape[1] < 2:
            raise ValueError(f"{names[-1]} gave one column; the training set of this fold has one class")
        return self.truth.y[self.tests[i]], response

    def ordinary(self, names: tuple[str, ...]) -> set[int]:
        """Folds that the batched arithmetic may take: known labels, finite scores of the right shape."""
        if names not in self._ordinary:
            check = self._ordinary_labels if names == _LABEL else self._ordinary_scores
            self._ordinary[names] = check(names)
        return self._ordinary[names]

    def _ordinary_labels(self, names: tuple[str, ...]) -> set[int]:
        given = [i for i in range(len(self.folds)) if self.response(i, names) is not None]
        arrays = [self.folds[i].responses["predict"] for i in given]
        given = [i for i, array in zip(given, arrays, strict=True) if array.shape == (self.sizes[i],)]
        if self.truth.task == "regression":
            return {i for i in given if _finite(self.folds[i].responses["predict"])}
        self._encoded: dict[int, NDArray[np.intp]] = {}
        if given:
            labels = np.concatenate([self.folds[i].responses["predict"] for i in given])
            known, codes = _encode(labels, self.truth.classes)
            ends = np.cumsum(self.sizes[given])
            for i, end in zip(given, ends, strict=True):
                fold = slice(end - self.sizes[i], end)
                if known[fold].all():
                    self._encoded[i] = codes[fold]
        return set(self._encoded)

    def _ordinary_scores(self, names: tuple[str, ...]) -> set[int]:
        binary = self.truth.task == "binary"
        n_classes = len(self.truth.classes)
        found = set()
        for i, size in enumerate(self.sizes):
            scores = self.response(i, names)
            if scores is None or scores.dtype.kind != "f" or not _finite(scores):
                continue
            if binary:
                found.update([i] if scores.shape == (size,) else [])
                continue
            present = np.bincount(self.truth.codes[self.tests[i]], minlength=n_classes) > 0
            if scores.shape == (size, n_classes) and present.all() and np.allclose(1, scores.sum(axis=1)):
                found.add(i)
        return found

    def counts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """True positives, predictions and members per fold and class, each of shape (n_folds, n_classes)."""
        if self._counts is None:
            n_classes = len(self.truth.classes)
            tables = np.zeros((3, len(self.folds), n_classes))
            for block in _blocks(sorted(self.ordinary(_LABEL)), self.sizes):
                fold = np.repeat(np.arange(len(block)), self.sizes[block]) * n_classes
                true = fold + self.truth.codes[np.concatenate([self.tests[i] for i in block])]
                predicted = fold + np.concatenate([self._encoded[i] for i in block])
                for table, codes in zip(tables, (true[true == predicted], predicted, true), strict=True):
                    counts = np.bincount(codes, minlength=len(block) * n_classes)
                    table[block] = counts.reshape(len(block), n_classes)
            self._counts = (tables[0], tables[1], tables[2])
        return self._counts

    def stacked(self, names: tuple[str, ...]) -> list[tuple[list[int], NDArray[Any], NDArray[Any]]]:
        """Ordinary folds of equal test size together: their numbers, test indices and responses, stacked."""
        stacks = []
        by_size = sorted(self.ordinary(names), key=lambda i: (self.sizes[i], i))
        for _, same_size in groupby(by_size, key=lambda i: int(self.sizes[i])):
            for block in _blocks(list(same_size), self.sizes):
                responses = np.stack([_present(self.response(i, names)) for i in block])
                stacks.append((block, np.stack([self.tests[i] for i in block]), responses))
        return stacks

    def note_undefined(self, metric: str, n_folds: int) -> None:
        """Remember on how many folds a metric was 0/0."""
        if n_folds:
            self.undefined[metric] = n_folds


def _present(array: NDArray[Any] | None) -> NDArray[Any]:
    assert array is not None
    return array


def _finite(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iub" or (values.dtype.kind == "f" and bool(np.isfinite(values).all()))


def _blocks(folds: Sequence[int], sizes: NDArray[np.intp]) -> list[list[int]]:
    """Consecutive folds in blocks of at most `_BLOCK` samples, or of one fold."""
    blocks: list[list[int]] = []
    room = 0
    for i in folds:
        if not blocks or room < sizes[i]:
            blocks.append([])
            room = _BLOCK
        blocks[-1].append(i)
        room -= int(sizes[i])
    return blocks


def _encode(labels: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Which labels are among the classes, and the position of each there."""
    if (labels.dtype.kind in "US") != (classes.dtype.kind in "US") and "O" not in (
        labels.dtype.kind + classes.dtype.kind
    ):
        return np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=np.intp)
    try:
        codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        return np.asarray(classes[codes] == labels, dtype=bool), codes
    except TypeError:  # labels of another kind than the classes
        return np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=np.intp)


def _accuracy(batches: _Batches, _: str) -> FloatArray:
    with np.errstate(invalid="ignore"):
        return np.asarray(batches.counts()[0].sum(axis=1) / batches.sizes)


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Quotient, 0 where the denominator is 0, as scikit-learn's default `zero_division`."""
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _label_metric(batches: _Batches, name: str, *, which: str, average: str) -> FloatArray:
    hits, predicted, members = batches.counts()
    if which == "precision":
        numerator, denominator = hits, predicted
    elif which == "recall":
        numerator, denominator = hits, members
    else:
        numerator, denominator = 2 * hits, predicted + members
    per_class = _ratio(numerator, denominator)
    ordinary = sorted(batches.ordinary(_LABEL))
    if average == "binary":
        c = int(np.flatnonzero(batches.truth.classes == batches.truth.positive)[0])
        batches.note_undefined(name, int((denominator[ordinary, c] == 0).sum()))
        return per_class[:, c]
    present = (predicted + members) > 0
    batches.note_undefined(name, int(((denominator == 0) & present)[ordinary].any(axis=1).sum()))
    weights = present.astype(np.float64) if average == "macro" else members
    return _ratio((per_class * weights).sum(axis=1), weights.sum(axis=1))


def _roc_auc(batches: _Batches, name: str, *, response: tuple[str, ...]) -> FloatArray:
    values = np.full(len(batches.folds), np.nan)
    codes = batches.truth.codes
    for block, tests, scores in batches.stacked(response):
        if scores.ndim == 2:
            values[block] = _area_under_curve(codes[tests] == 1, scores)
        else:
            per_class = [_area_under_curve(codes[tests] == c, scores[:, :, c]) for c in range(scores.shape[2])]
            values[block] = np.mean(per_class, axis=0)
    batches.note_undefined(name, int(np.isnan(values[sorted(batches.ordinary(response))]).sum()))
    return values


def _area_under_curve(positive: NDArray[np.bool_], scores: NDArray[Any]) -> FloatArray:
    """ROC AUC of each row: the share of (positive, negative) pairs in order, ties counting half; nan without a pair."""
    order = np.argsort(scores, axis=1)
    scores = np.take_along_axis(scores, order, axis=1)
    positive = np.take_along_axis(positive, order, axis=1)
    n = scores.shape[1]
    below = np.cumsum(~positive, axis=1)  # negatives up to each place
    new = scores[:, 1:] != scores[:, :-1]
    n_positive = positive.sum(axis=1)
    n_pairs = n_positive * (n - n_positive)
    if new.all():
        in_order = (below * positive).sum(axis=1).astype(np.float64)
    else:
        place = np.arange(n)
        edge = np.ones((len(scores), 1), dtype=bool)
        starts = np.hstack([edge, new])
        ends = np.hstack([new, edge])
        first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
        last = np.minimum.accumulate(np.where(ends, place, n - 1)[:, ::-1], axis=1)[:, ::-1]
        up_to_last = np.take_along_axis(below, last, axis=1)
        before_first: NDArray[Any] = np.take_along_axis(below - ~positive, first, axis=1)
        in_order = ((up_to_last + before_first) * positive).sum(axis=1) / 2
    area: FloatArray = np.divide(in_order, n_pairs, out=np.full(len(scores), np.nan), where=n_pairs > 0)
    return area


def _regression_metric(batches: _Batches, name: str, *, which: str) -> FloatArray:
    values = np.full(len(batches.folds), np.nan)
    for block, tests, predicted in batches.stacked(_LABEL):
        true = np.asarray(batches.truth.y[tests], dtype=np.float64)
        predicted = np.asarray(predicted, dtype=np.float64)
        if which == "absolute":
            values[block] = -np.abs(true - predicted).mean(axis=1)
            continue
        squared = (true - predicted) ** 2
        if which == "r2":
            total = ((true - true.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
            residual = squared.sum(axis=1)
            constant = np.where(residual == 0, 1.0, 0.0)  # scikit-learn's force_finite
            r2 = 1 - np.divide(residual, total, out=1 - constant, where=total > 0)
            values[block] = r2 if true.shape[1] > 1 else np.nan
        else:
            mean = squared.mean(axis=1)
            values[block] = -np.sqrt(mean) if which == "root" else -mean
    if which == "r2":
        batches.note_undefined(name, int(np.isnan(values[sorted(batches.ordinary(_LABEL))]).sum()))
    return values


@dataclass(frozen=True, kw_only=True)
class _Batched:
    """A batched metric: the tasks it takes, the response it reads, its arithmetic and scikit-learn's function."""

    tasks: tuple[Task, ...]
    response: tuple[str, ...]
    compute: Callable[[_Batches, str], FloatArray]
    function: Callable[..., float]
    takes_positive: bool = False

    def fits(self, task: Task) -> bool:
        return task in self.tasks

    def reference(self, positive: Any) -> Callable[..., float]:
        """scikit-learn's function with the positive class set, larger better."""
        if self.takes_positive and positive is not None:
            return partial(self.function, pos_label=positive)
        return self.function


def _negative(function: Callable[..., float]) -> Callable[..., float]:
    def negated(y_true: Any, y_pred: Any) -> float:
        return -function(y_true, y_pred)

    return negated


def _classification_metrics() -> dict[str, _Batched]:
    both: tuple[Task, ...] = ("binary", "multiclass")
    table = {"accuracy": _Batched(tasks=both, response=_LABEL, compute=_accuracy, function=skm.accuracy_score)}
    functions = {"precision": skm.precision_score, "recall": skm.recall_score, "f1": skm.f1_score}
    for which, function in functions.items():
        for average in ("binary", "macro", "weighted"):
            table[which if average == "binary" else f"{which}_{average}"] = _Batched(
                tasks=("binary",) if average == "binary" else both,
                response=_LABEL,
                compute=partial(_label_metric, which=which, average=average),
                function=partial(function, average=average),
                takes_positive=average == "binary",
            )
    table["roc_auc"] = _Batched(
        tasks=("binary",),
        response=_DECISION,
        compute=partial(_roc_auc, response=_DECISION),
        function=skm.roc_auc_score,
    )
    table["roc_auc_ovr"] = _Batched(
        tasks=both,
        response=_PROBABILITY,
        compute=partial(_roc_auc, response=_PROBABILITY),
        function=partial(skm.roc_auc_score, multi_class="ovr"),
    )
    return table


def _regression_metrics() -> dict[str, _Batched]:
    functions = {
        "r2": ("r2", skm.r2_score),
        "neg_mean_absolute_error": ("absolute", _negative(skm.mean_absolute_error)),
        "neg_mean_squared_error": ("squared", _negative(skm.mean_squared_error)),
        "neg_root_mean_squared_error": ("root", _negative(skm.root_mean_squared_error)),
    }
    return {
        name: _Batched(
            tasks=("regression",),
            response=_LABEL,
            compute=partial(_regression_metric, which=which),
            function=function,
        )
        for name, (which, function) in functions.items()
    }


_BATCHED: dict[str, _Batched] = {**_classification_metrics(), **_regression_metrics()}
