"""From predictions to scores.

Metrics known by name, or by the function of their scorer, are computed on all folds at once. Where a fold is out of the
ordinary (labels never seen, non-finite scores, ...) scikit-learn's own function is called on that fold, so that its
value, its warning or its error is what the user meets. Every other scorer is called on the fitted estimator.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Number
from traceback import format_exc
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.words import agreeing, counted
from skcompare.evaluation._batches import LABEL, Batches, Truth
from skcompare.evaluation._failures import FIRST_SPLITS, START, error_line
from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._scoring import COUNTED_COSTS, Metric
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._task import Task, is_classification

_REFUSED = "refused"  # in place of the step that failed


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Failure(Record):
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
    started : bool
        False where the fit was not started, since the first ones had failed with one message.
    """

    estimator: str
    split: int
    metric: str | None
    message: str
    started: bool = True


def given_up(failures: Sequence[Failure]) -> dict[str, str]:
    """Of the models whose later fits were not started, what is said of them."""
    return {
        name: (
            f"{name!r} failed on its first {FIRST_SPLITS} splits with the same message; its other "
            f"{counted(n, 'fit')} {agreeing(n, 'was', 'were')} not started"
        )
        for name, n in Counter(one.estimator for one in failures if not one.started).items()
    }


@dataclass(frozen=True, kw_only=True)
class ScoreTable:
    """Scores of shape (n_estimators, n_splits, n_metrics), nan where something failed, and what failed.

    `ill_defined` counts the folds on which a metric was 0/0 or not defined, by estimator and metric. `failures` maps
    (estimator, split, metric) to the traceback; metric is None where fitting failed, and all
    metrics of that fold with it. `undefined` has in the same way what is no failure: the metric is not defined there,
    or nobody asked for it.
    """

    metrics: tuple[Metric, ...]
    scores: FloatArray
    ill_defined: dict[str, dict[str, int]]
    failures: dict[tuple[int, int, str | None], tuple[str, str]]
    undefined: dict[tuple[int, int, str], tuple[str, str]]


class Scoring:
    """Scores every estimator's predictions on every split, in whatever portions and order the splits come.

    Parameters
    ----------
    metrics : sequence of Metric
        The columns; a single callable that returns dicts is replaced by one column per key of the first.
    y : ndarray of shape (n_samples, ...)
        True targets.
    splits : Splits
        The splits, in order.
    task : str
        The kind of problem.
    names : sequence of str
        Names of the estimators, for warnings.
    """

    def __init__(
        self,
        metrics: Sequence[Metric],
        y: NDArray[Any],
        splits: Splits,
        *,
        task: Task,
        names: Sequence[str],
    ) -> None:
        self._metrics, self._names = tuple(metrics), tuple(names)
        self._truth = Truth(y, splits, task)
        self._batched = [metric for metric in metrics if metric.kind == "batched"]
        self._costs = [metric for metric in metrics if metric.kind == "cost"]
        self._given = [metric for metric in metrics if metric.kind == "given"]
        self._has_scorer = any(metric.kind == "scorer" for metric in metrics)
        shape = (len(names), len(splits))
        self._values = {metric.name: np.full(shape, np.nan) for metric in metrics if metric.kind != "scorer"}
        self._undefined = {name: dict.fromkeys(self._values, 0) for name in names}
        self._failed: dict[tuple[int, int, str | None], tuple[str, str]] = {}
        self._refused: set[tuple[int, int, str]] = set()  # of these, where the function takes no such fold
        self._scored: dict[tuple[int, int], Any] = {}
        self._waiting = set(range(len(splits)))

    def add(
        self, numbers: Sequence[int], outcomes: Sequence[Sequence[FoldOutcome]], estimators: Sequence[int] | None = None
    ) -> None:
        """Score some splits, given by their numbers and one outcome each of all or some estimators.

        Keeps no predictions. What is not given has no scores.
        """
        numbers = [int(i) for i in numbers]
        estimators = range(len(self._names)) if estimators is None else estimators
        self._waiting.difference_update(numbers)
        for i, of_estimators in zip(numbers, outcomes, strict=True):
            for e, outcome in zip(estimators, of_estimators, strict=True):
                self._take(e, i, outcome)
        if not (self._batched and numbers):
            return
        positions = np.array(numbers)
        for place, block in self._truth.blocks(numbers):
            for position, e in enumerate(estimators):
                folds = [of_estimators[position] for of_estimators in outcomes[place]]
                self._score(e, positions[place], Batches(block, folds))

    def _take(self, e: int, i: int, outcome: FoldOutcome) -> None:
        """What needs no arithmetic: measured costs, scorers' answers, failures."""
        if "fit" in outcome.errors:
            self._failed[e, i, None] = ("fit" if outcome.started else START, outcome.errors["fit"])
            return
        for metric in self._costs:
            self._values[metric.name][e, i] = getattr(outcome, metric.source)
            step = "predict" if metric.source == "predict_time" else metric.source
            if step in outcome.errors:
                self._failed[e, i, metric.name] = (step, outcome.errors[step])
        for metric in self._given:
            self._values[metric.name][e, i] = metric.source[self._names[e]]
        if self._has_scorer:
            error = outcome.errors.get("score")
            self._scored[e, i] = outcome.scored if error is None else _ScorerError(error)

    def _score(self, e: int, numbers: NDArray[np.intp], batches: Batches) -> None:
        for metric in self._batched:
            values, errors = _column(metric, batches)
            self._values[metric.name][e, numbers] = values
            for i, (step, error) in errors.items():
                key = (e, int(numbers[i]), metric.name)
                self._failed[key] = ("score" if step == _REFUSED else step, error)
                if step == _REFUSED:
                    self._refused.add(key)
        for name, folds in batches.undefined.items():
            self._undefined[self._names[e]][name] += int(np.count_nonzero(folds))

    def table(self, n_splits: int | None = None) -> ScoreTable:
        """All scores, or those of the first splits; warns of the metrics that were 0/0, once for every estimator."""
        table = self.interim(len(self._truth.splits) if n_splits is None else n_splits)
        for name, counts in table.ill_defined.items():
            for metric_name, n_folds in counts.items():
                warnings.warn(
                    f"{metric_name} of {name!r} is ill-defined on {n_folds} of {table.scores.shape[1]} folds",
                    UndefinedMetricWarning,
                    stacklevel=5,
                )
        return table

    def interim(self, n_splits: int) -> ScoreTable:
        """The scores of the first splits."""
        waiting = [i for i in self._waiting if i < n_splits]
        if waiting:
            raise RuntimeError(f"{len(waiting)} splits are not scored; the first is {min(waiting)}")
        metrics = self._columns()
        failed = dict(self._failed)
        columns = [
            self._scorer_column(metric.name, failed) if metric.kind == "scorer" else self._values[metric.name]
            for metric in metrics
        ]
        scores = np.stack(columns, axis=2)
        none = self._not_defined(metrics, failed)
        failed = {key: error for key, error in failed.items() if key not in none}
        place = {name: m for m, name in enumerate((None, *(metric.name for metric in metrics)))}
        failures = dict(sorted(failed.items(), key=lambda item: (item[0][0], place[item[0][2]], item[0][1])))
        for e, i, name in failures:
            scores[e, i, slice(None) if name is None else place[name] - 1] = np.nan
        undefined = {name: Counter(counts) for name, counts in self._undefined.items()}
        for e, _, name in none:
            undefined[self._names[e]][name] += 1
        ill_defined = {name: {m: n for m, n in counts.items() if n} for name, counts in undefined.items()}
        return ScoreTable(
            metrics=metrics,
            scores=scores[:, :n_splits],
            ill_defined={name: counts for name, counts in ill_defined.items() if counts},
            failures=failures,
            undefined=none,
        )

    def _not_defined(
        self, metrics: Sequence[Metric], failed: Mapping[tuple[int, int, str | None], tuple[str, str]]
    ) -> dict[tuple[int, int, str], tuple[str, str]]:
        """What of these is no failure: a metric that lacks a class or a second sample, or scores nobody asked for.

        Labels and numbers that no metric can read are a failure of the model, whatever was asked for.
        """
        added = {metric.name for metric in metrics if metric.added and metric.reads != LABEL}
        in_worker = {metric.name for metric in metrics if metric.kind == "scorer" and metric.of_sklearn}
        classes = self._truth.classes if is_classification(self._truth.task) else None
        partial: dict[int, bool] = {}
        found = {}
        for (e, i, name), (step, error) in failed.items():
            if name is None:
                continue
            refused = name in in_worker and step == "score" and error_line(error).startswith("ValueError")
            refused = name not in added and (refused or (e, i, name) in self._refused)
            if refused and i not in partial:
                partial[i] = self._truth.splits.is_partial(i, self._truth.y, classes)
            if name in added or (refused and partial[i]):
                found[e, i, name] = (step, error)
        return found

    def _scorer_column(self, name: str, failed: dict[tuple[int, int, str | None], tuple[str, str]]) -> FloatArray:
        """What the scorers gave under a name; where that is no number, `failed` is told."""
        values = np.full((len(self._names), len(self._truth.splits)), np.nan)
        for (e, i), scored in self._scored.items():
            try:
                values[e, i] = _number(scored, name)
            except _ScorerError as error:
                failed[e, i, name] = ("score", str(error))
        return values

    def _columns(self) -> tuple[Metric, ...]:
        """The metrics; of a single callable the keys of the first dict it returned, or "score"."""
        if len(self._metrics) == 1 and self._metrics[0].kind == "scorer" and self._metrics[0].name == "score":
            for _, scored in sorted(self._scored.items(), key=lambda item: item[0][::-1]):
                if isinstance(scored, dict) and scored:
                    return tuple(
                        Metric(name=str(key), kind="scorer", source=None, greater_is_better=key not in COUNTED_COSTS)
                        for key in scored
                    )
        return self._metrics


def _column(metric: Metric, batches: Batches) -> tuple[FloatArray, dict[int, tuple[str, str]]]:
    """Scores of a batched metric on some folds, and (step, traceback) of the folds where it failed."""
    errors = _errors(batches.folds, metric.response)
    batched = metric.batched
    ordinary = batches.ordinary(metric.response) if batched.fits(batches.truth.task) else []
    n_folds = len(batches.folds)
    values = batched.compute(batches, metric.name) if ordinary else np.full(n_folds, np.nan)
    if len(ordinary) < n_folds:
        values[np.setdiff1d(np.arange(n_folds), ordinary)] = np.nan
    left = np.isnan(values)
    if not left.any():
        return values, errors
    left &= ~batches.undefined.get(metric.name, np.zeros(n_folds, dtype=bool))
    for i in sorted(set(batches.fitted).intersection(np.flatnonzero(left).tolist()).difference(errors)):
        try:
            y_true, y_response = batches.pair(i, metric.response)
            values[i] = batched.reference(batches.truth.positive)(y_true, y_response)
        except Exception as error:
            refused = isinstance(error, ValueError) and _is_sound(batches, i, metric.response)
            errors[i] = (_REFUSED if refused else "score", format_exc())
    return values, errors


def _is_sound(batches: Batches, i: int, names: tuple[str, ...]) -> bool:
    """Whether a response is what a metric may read, labels that are known or finite scores, so that the fold is not."""
    response = batches.response(i, names)
    if names == LABEL:
        return i in batches.ordinary(names)
    return response is not None and response.dtype.kind == "f" and bool(np.isfinite(response).all())


def _errors(folds: Sequence[FoldOutcome], responses: Sequence[str]) -> dict[int, tuple[str, str]]:
    found = {}
    for i, fold in enumerate(folds):
        failed = [(name, fold.errors[name]) for name in responses if name in fold.errors]
        if failed and not any(name in fold.responses for name in responses):
            found[i] = failed[0]
    return found


class _ScorerError(Exception):
    """The traceback of what a scorer raised, or why its answer is no score."""


def _number(scored: Any, name: str) -> float:
    """The score of one name in what a scorer gave."""
    if isinstance(scored, _ScorerError):
        raise scored
    score = scored.get(name) if isinstance(scored, dict) and scored else scored
    if isinstance(score, str) and score.startswith("Traceback"):  # from scikit-learn's multi-metric scorer
        raise _ScorerError(score)
    if isinstance(score, np.generic) or (isinstance(score, np.ndarray) and score.ndim == 0):
        score = score.item()
    if not isinstance(score, Number) or isinstance(score, complex):
        raise _ScorerError(f"ValueError: scoring must return a number for {name!r}; got {score!r:.80}")
    try:
        return float(score)  # type: ignore[arg-type]
    except OverflowError as error:
        raise _ScorerError(f"OverflowError: the score of {name!r} is too large for a float") from error
