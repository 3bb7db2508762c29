"""What was prepared -> fits -> scores, as plain data."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.exceptions import FitFailedWarning

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import counted
from skcompare.evaluation._equal_steps import shared_steps, sharing_steps
from skcompare.evaluation._failures import START, failure_message
from skcompare.evaluation._fit_warnings import not_computed, unconverged
from skcompare.evaluation._inner_fits import inner_evaluation
from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._metrics import Failure, ScoreTable, Scoring, given_up
from skcompare.evaluation._predictions import EstimatorFailedError, FoldOutcome
from skcompare.evaluation._prepare import PreparedEvaluation
from skcompare.evaluation._progress import Reporter, bar
from skcompare.evaluation._run import Monitor, Run
from skcompare.evaluation._seeds import split_seeds
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluation._splits import Splits
from skcompare.evaluation._task import positive_class
from skcompare.evaluation._work import Work
from skcompare.evaluation.store._checkpoint import Checkpoint


@dataclass(frozen=True, kw_only=True)
class Measurement:
    """What an evaluation gave.

    Attributes
    ----------
    table : ScoreTable
        The scores.
    splits : Splits
        The splits that were done.
    fit_times, score_times : ndarray of shape (n_estimators, n_splits)
        In seconds.
    failures : tuple of Failure
        What failed.
    predictions : KeptPredictions or None
        Where they were to be kept.
    inner_predictions : KeptPredictions or None
        Of the fits without two folds at a time, where these were to be made.
    shared : list of dict
        The leading steps that models shared, and these models.
    unconverged : dict of str to list of int
        Of every model that often did not converge, on how many fits, and of how many.
    """

    table: ScoreTable
    splits: Splits
    fit_times: FloatArray
    score_times: FloatArray
    failures: tuple[Failure, ...]
    predictions: KeptPredictions | None
    inner_predictions: KeptPredictions | None = None
    shared: list[dict[str, list[str]]]
    unconverged: dict[str, list[int]]

    def warnings(self, prepared: PreparedEvaluation) -> tuple[CodedWarning, ...]:
        """What the fits showed."""
        return tuple(not_computed(self.table, list(prepared.named), self.splits, prepared.truth, prepared.task))

    def described(self, prepared: PreparedEvaluation, *, sequential: bool) -> dict[str, Any]:
        """The fields of a result that say what was measured, and of what."""
        metrics = self.table.metrics
        found = {
            "estimators": tuple(prepared.named),
            "metrics": tuple(metric.name for metric in metrics),
            "greater_is_better": tuple(metric.greater_is_better for metric in metrics),
            **prepared.described(self.splits, predicted=self.predictions is not None),
            "scores": self.table.scores,
            "ill_defined": self.table.ill_defined,
            "fit_times": self.fit_times,
            "score_times": self.score_times,
            "failures": self.failures,
            "task": prepared.task,
            "positive_class": positive_class(prepared.truth, prepared.task),
            "kept_splits": self.splits,
            "kept_predictions": self.predictions,
            "inner_predictions": self.inner_predictions,
        }
        found["design"] = replace(found["design"], sequential=sequential)
        return found if prepared.seeded is None else prepared.seeded.averaged(found)


def measure(
    prepared: PreparedEvaluation, settings: RunSettings, *, monitor: Monitor | None, dataset: str | None
) -> Measurement:
    """Fit every estimator on every split and score its predictions; the monitor may end that early.

    Raises
    ------
    EstimatorFailedError
        If an estimator fails, and the settings stop there.
    """
    names, inner = list(prepared.named), inner_evaluation(prepared) if settings.nested else None
    n_more = 0 if inner is None else len(inner.splits)
    with ExitStack() as stack:
        shown = None
        if settings.progress:
            n_fits = len(names) * (len(prepared.splits) + n_more)
            shown = stack.enter_context(bar(n_fits, unit="fit", desc=dataset or "fits"))
        told = Reporter(
            names=names,
            splits=prepared.splits,
            dataset=dataset,
            bar=shown,
            callback=settings.callback,
            n_splits_to_come=n_more,
        )
        found = _fitted(prepared, settings, told, monitor)
        if inner is None:
            return found
        told.splits = inner.splits
        of_inner = _fitted(inner, settings, told, None)
    report_failures([one for one in of_inner.failures if one.metric is None], settings, len(names) * n_more)
    return replace(found, inner_predictions=of_inner.predictions)


def _fitted(
    prepared: PreparedEvaluation, settings: RunSettings, told: Reporter, monitor: Monitor | None
) -> Measurement:
    """Fits on all splits, or on those that the monitor lets be made."""
    names, splits = list(prepared.named), prepared.splits
    metrics, plan = prepared.plan(stop_on_error=settings.stop_on_error, keep=settings.keep_predictions)
    seeded = prepared.random_state is not None
    specs = sharing_steps(prepared.specs(), metrics, plan, settings, seeded=seeded)
    scoring = Scoring(metrics, prepared.truth, splits, task=prepared.task, names=names)
    seeds = None if prepared.random_state is None else split_seeds(prepared.random_state, len(splits))
    work = Work(specs=specs, X=prepared.X, y=prepared.y, splits=splits, plan=plan)
    with ExitStack() as stack:
        checkpoint = None
        if settings.store is not None:
            checkpoint = stack.enter_context(Checkpoint(settings.store, work, seeds))
        run = Run(work=work, settings=settings, seeds=seeds, checkpoint=checkpoint, reporter=told, scoring=scoring)
        outcomes = run.outcomes(monitor)
    splits = splits.first(len(outcomes) // splits.n_folds)
    table = scoring.table(len(splits))
    keep, own = settings.keep_predictions, {} if prepared.seeded is None else prepared.seeded.own
    return Measurement(
        table=table,
        splits=splits,
        fit_times=_times(outcomes, "fit_time"),
        score_times=_times(outcomes, "score_time"),
        failures=_failures(table, names, splits),
        predictions=KeptPredictions.from_outcomes(prepared.truth, outcomes, names) if keep else None,
        shared=shared_steps(specs, own),
        unconverged=unconverged(_told(outcomes, [own.get(name, name) for name in names])),
    )


def report_failures(failures: Sequence[Failure], settings: RunSettings, n_fits: int) -> None:
    """Raise where nothing may fail or everything did, else warn, in scikit-learn's categories."""
    if not failures:
        return
    if settings.stop_on_error:
        raise EstimatorFailedError(failures[0].message)
    fits = [failure for failure in failures if failure.metric is None]
    started = [failure for failure in fits if failure.started]
    if len(fits) == n_fits:
        others = "" if started == fits else f", and the other {n_fits - len(started)} were not started"
        raise EstimatorFailedError(f"all {len(started)} fits failed{others}; the first: {fits[0].message}")
    missing = "whose scores are missing; the first:"
    if fits:
        told = f"{len(started)} of {counted(n_fits, 'fit')} failed, {missing} {fits[0].message}"
        warnings.warn("; ".join([told, *given_up(fits).values()]), FitFailedWarning, stacklevel=3)
    scorings = [failure for failure in failures if failure.metric is not None]
    if scorings:
        told = f"scoring failed {counted(len(scorings), 'time')}, {missing} {scorings[0].metric}: {scorings[0].message}"
        warnings.warn(told, UserWarning, stacklevel=3)


def _failures(table: ScoreTable, names: Sequence[str], splits: Splits) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            estimator=names[e],
            split=i,
            metric=metric,
            message=failure_message(names[e], splits, i, *error),
            started=error[0] != START,
        )
        for (e, i, metric), error in sorted(table.failures.items(), key=lambda item: item[0][:2])
    )


def _told(outcomes: Sequence[Sequence[FoldOutcome]], names: Sequence[str]) -> dict[str, list[bool]]:
    """By model, whether each fit told that it did not converge; fits that were left out are not among them."""
    found: dict[str, list[bool]] = {name: [] for name in names}
    for row in outcomes:
        for name, one in zip(names, row, strict=True):
            if not np.isnan(one.fit_time):
                found[name].append(one.unconverged)
    return found


def _times(outcomes: Sequence[Sequence[FoldOutcome]], name: str) -> np.ndarray[Any, Any]:
    return np.array([[getattr(fold, name) for fold in folds] for folds in outcomes]).T
