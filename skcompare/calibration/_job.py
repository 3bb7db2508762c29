"""What a simulation will be by its first data set, and the work on each, in whatever process."""

from __future__ import annotations

import copy
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._core.design import Design
from skcompare.calibration._generators import Generator
from skcompare.evaluation._input import check_data, check_target, is_data, name_by_class, name_estimators
from skcompare.evaluation._journal import end_with_parent
from skcompare.evaluation._predictions import EstimatorFailedError
from skcompare.evaluation._scoring import Metric, resolve_scoring
from skcompare.evaluation._splits import draw_splits
from skcompare.evaluation._splitter import make_splitter
from skcompare.evaluation._task import Task, is_classification, task_of
from skcompare.evaluation.store._simulations import DataSetKey, SimulatedScores
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult

# What is asked of every evaluation besides its scores: numbers by name, e.g. p-values of procedures.
Readings = Callable[[EvaluationResult], Mapping[str, float]]
Found = tuple[SimulatedScores, Mapping[str, float]]
Done = tuple[DataSetKey, SimulatedScores, Mapping[str, float]]
# The evaluations of a data set; with scores only the reading is left to do.
Tasks = Mapping[DataSetKey, SimulatedScores | None]


def name_models(estimators: Any) -> Mapping[str, Any]:
    """One estimator or more by name, as `PairedEvaluator` names them."""
    if hasattr(estimators, "fit") and not isinstance(estimators, (Mapping, Sequence)):
        estimators = [estimators]
    if not isinstance(estimators, (Mapping, list, tuple)) or len(estimators) != 1:
        return name_estimators(estimators)
    if isinstance(estimators, Mapping):
        ((name, estimator),) = estimators.items()
    else:
        is_named = isinstance(estimators[0], tuple) and len(estimators[0]) == 2
        ((name, estimator),) = estimators if is_named else name_by_class(estimators)
    name_estimators([(name, estimator), (f"{name} again", estimator)])
    return {name: estimator}


def first_dataset(generator: Generator, random_state: int) -> tuple[Any, Any, np.ndarray[Any, Any]]:
    """X, y, and y as an array."""
    data = generator.draw(np.random.default_rng(np.random.SeedSequence(random_state, spawn_key=(0, 0))))
    if not is_data(data) or len(data) != 2:
        raise ValueError(f"generator must draw (X, y); {generator!r:.80} gave {type(data).__name__}")
    X, y, _ = check_data(*data, None)
    return X, y, check_target(X, y)


def first_evaluation(
    generator: Generator, models: Mapping[str, Any], design: Any, metrics: Any, random_state: int
) -> tuple[Task, Sequence[Metric], Design]:
    """The kind of problem, the metrics and the design of the first data set."""
    X, y, truth = first_dataset(generator, random_state)
    task = task_of(list(models.values()), truth)
    with _renamed("cv", "design"):
        splitter = make_splitter(design, y, stratified=is_classification(task), random_state=random_state)
    with _renamed("scoring", "metrics"):
        resolved = resolve_scoring(metrics, task, models)
    return task, resolved, draw_splits(splitter, X, y, n_samples=len(truth), params={}).design


@contextmanager
def _renamed(theirs: str, ours: str) -> Iterator[None]:
    """Errors that name an argument of the evaluator name that of the caller."""
    try:
        yield
    except ValueError as error:
        hint, asked, rest = str(error).rpartition("? ")  # what may have been meant comes first
        if not rest.startswith(theirs):
            raise
        raise ValueError(f"{hint}{asked}{rest.replace(theirs, ours, 1)}") from error


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

    def run(self, number: int, tasks: Tasks) -> list[Done]:
        """All evaluations that are missing of one data set."""
        if os.getppid() == self.parent:
            end_with_parent(self.parent)
        data: tuple[Any, Any] | None = None
        done: list[Done] = []
        with nullcontext() if os.getpid() == self.parent else counted_not_told():
            for key, scores in tasks.items():
                result = None
                if scores is None:
                    if data is None:
                        data = self.generator.draw(np.random.default_rng(self.seed(number, 0)))
                    result = self._evaluate(key, *data)
                    scores = _scores_of(result)
                if result is None or not self.from_predictions:
                    result = rebuilt(scores, tuple(self.models))
                done.append((key, scores, {name: float(value) for name, value in self.readings(result).items()}))
        return done

    def _evaluate(self, key: DataSetKey, X: Any, y: Any) -> EvaluationResult:
        split = self.split_seed(key)
        own: PairedEvaluator = clone(self.evaluator, safe=False)
        cv = self.evaluator.cv
        cv = cv if getattr(cv, "shuffle", True) is False else with_seed(cv, split)
        own.set_params(random_state=split, cv=cv, check_data=False)
        try:
            return own.evaluate(self.models, X, y)
        except ValueError as error:
            kind = EstimatorFailedError if isinstance(error, EstimatorFailedError) else ValueError
            raise kind(f"simulated data set {key.number}: {error}") from error


def with_seed(cv: Any, seed: int | None) -> Any:
    """A splitter that draws its splits with a seed; any other `cv` as it is."""
    if hasattr(cv, "split") and hasattr(cv, "random_state"):
        cv = copy.copy(cv)
        cv.random_state = seed
    return cv


def counted_not_told() -> AbstractContextManager[Any]:
    """No warning for each metric that is 0/0: they are counted. Filters belong to the process, not to a thread."""
    return warnings.catch_warnings(action="ignore", category=UndefinedMetricWarning)


def _scores_of(result: EvaluationResult) -> SimulatedScores:
    first, second = (result.ill_defined.get(name, {}) for name in result.estimators)
    return SimulatedScores(
        metrics=result.metrics,
        greater_is_better=tuple(bool(flag) for flag in result.greater_is_better),
        design=replace(result.design, class_counts=()),  # which are the generator's
        scores=result.scores,
        ill_defined=tuple((int(first.get(name, 0)), int(second.get(name, 0))) for name in result.metrics),
        task=result.task,
        seed=result.provenance["random_state"],
    )


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
    )
