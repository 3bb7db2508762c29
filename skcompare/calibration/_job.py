"""The work on one simulated data set, in whatever process."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning

from skcompare.calibration._generators import Generator
from skcompare.evaluation._journal import end_with_parent
from skcompare.evaluation._predictions import EstimatorFailedError
from skcompare.evaluation.store._simulations import DataSetKey, SimulatedScores
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult

# What is asked of every evaluation besides its scores: numbers by name, e.g. p-values of procedures.
Readings = Callable[[EvaluationResult], Mapping[str, float]]
Found = tuple[SimulatedScores, Mapping[str, float]]
Done = tuple[DataSetKey, SimulatedScores, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Task:
    """One evaluation of a data set; with `scores` only the reading is left to do."""

    key: DataSetKey
    scores: SimulatedScores | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What all data sets of a simulation have in common."""

    evaluator: PairedEvaluator
    models: Mapping[str, Any]
    generator: Generator
    readings: Readings
    from_predictions: bool
    random_state: int
    n_repeats: int
    parent: int = field(default_factory=os.getpid)

    def seed(self, number: int, what: int) -> np.random.SeedSequence:
        """What a data set (0) or its splits (1) are drawn with."""
        return np.random.SeedSequence(self.random_state, spawn_key=(number, what))

    def split_seed(self, key: DataSetKey) -> int:
        """The seed of the splits of one evaluation."""
        return int(self.seed(key.number, 1).generate_state(key.again + 1)[key.again])

    def run(self, number: int, tasks: Sequence[Task]) -> list[Done]:
        """All evaluations that are missing of one data set."""
        if os.getppid() == self.parent:
            end_with_parent(self.parent)
        with nullcontext() if os.getpid() == self.parent else counted_not_told():
            return self._run(number, tasks)

    def _run(self, number: int, tasks: Sequence[Task]) -> list[Done]:
        data: tuple[Any, Any] | None = None
        done: list[Done] = []
        for task in tasks:
            scores = task.scores
            if scores is None:
                if data is None:
                    data = self.generator.draw(np.random.default_rng(self.seed(number, 0)))
                result = self._evaluate(task.key, *data)
                scores = _scores_of(result, seed=result.provenance["random_state"])
                result = result if self.from_predictions else rebuilt(scores, tuple(self.models))
            else:
                result = rebuilt(scores, tuple(self.models))
            done.append((task.key, scores, {name: float(value) for name, value in self.readings(result).items()}))
        return done

    def _evaluate(self, key: DataSetKey, X: Any, y: Any) -> EvaluationResult:
        split = self.split_seed(key)
        own: PairedEvaluator = clone(self.evaluator, safe=False)
        own.set_params(random_state=split, cv=_reseeded(self.evaluator.cv, split))
        try:
            return own.evaluate(self.models, X, y)
        except ValueError as error:
            kind = EstimatorFailedError if isinstance(error, EstimatorFailedError) else ValueError
            raise kind(f"simulated data set {key.number}: {error}") from error


def _reseeded(cv: Any, seed: int) -> Any:
    """A splitter that draws other splits for every data set, if it shuffles."""
    if not hasattr(cv, "split") or not hasattr(cv, "random_state") or getattr(cv, "shuffle", True) is False:
        return cv
    cv = copy.copy(cv)
    cv.random_state = seed
    return cv


@contextmanager
def counted_not_told() -> Iterator[None]:
    """No warning for each metric that is 0/0: they are counted. Filters belong to the process, not to a thread."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        yield


def _scores_of(result: EvaluationResult, *, seed: int) -> SimulatedScores:
    return SimulatedScores(
        metrics=result.metrics,
        greater_is_better=tuple(bool(flag) for flag in result.greater_is_better),
        design=result.design,
        scores=result.scores,
        ill_defined=tuple(_ill_defined(result, metric) for metric in result.metrics),
        task=result.task,
        seed=seed,
    )


def _ill_defined(result: EvaluationResult, metric: str) -> tuple[int, int]:
    first, second = (int(result.ill_defined.get(name, {}).get(metric, 0)) for name in result.estimators)
    return first, second


def rebuilt(found: SimulatedScores, models: tuple[str, ...]) -> EvaluationResult:
    """A result without predictions, as good as the first for every procedure on scores."""
    times = np.full(found.scores.shape[:2], np.nan)
    ill_defined = {
        name: {metric: counts[i] for metric, counts in zip(found.metrics, found.ill_defined, strict=True)}
        for i, name in enumerate(models)
    }
    return EvaluationResult(
        estimators=models,
        metrics=found.metrics,
        greater_is_better=found.greater_is_better,
        design=found.design,
        scores=found.scores.copy(),
        fit_times=times,
        score_times=times.copy(),
        task=found.task,
        ill_defined=ill_defined,
        provenance={"random_state": found.seed},
        kept_splits=None,
        kept_predictions=None,
    )
