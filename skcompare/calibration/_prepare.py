"""What a simulation will be, before anything is fitted: its models, design, metrics and task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.validation import check_integer
from skcompare.calibration._generators import Generator
from skcompare.evaluation._input import check_data, check_target, is_data, name_by_class, name_estimators
from skcompare.evaluation._scoring import Metric, resolve_scoring
from skcompare.evaluation._settings import RunSettings
from skcompare.evaluation._splits import draw_splits
from skcompare.evaluation._splitter import make_splitter
from skcompare.evaluation._task import Task, is_classification, task_of
from skcompare.evaluator import PairedEvaluator


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedSimulation:
    """The evaluator and the estimators of a simulation, and what they will give.

    Attributes
    ----------
    evaluator : PairedEvaluator
        Checked.
    estimators : mapping of name to estimator
        What the generator makes two models of.
    design : Design
        Of the first data set.
    metrics : tuple of str
        Names of the metrics.
    task : str
        The kind of problem.
    """

    evaluator: PairedEvaluator
    estimators: Mapping[str, Any]
    design: Design
    metrics: tuple[str, ...]
    task: str


def prepare_simulation(
    design: Any,
    generator: Generator,
    metrics: Any,
    estimators: Any,
    *,
    n_jobs: int | None,
    random_state: int,
    store: Any,
    progress: bool,
) -> PreparedSimulation:
    """Check everything that can be checked without a fit, on the first data set.

    Raises
    ------
    ValueError
        If an argument does not fit, naming it.
    """
    if isinstance(generator, type) or not all(callable(getattr(generator, name, None)) for name in ("draw", "pair")):
        raise ValueError(f"generator must have methods draw(rng) and pair(estimators); got {generator!r:.80}")
    check_integer(random_state, "random_state", low=0)
    named = name_models(estimators)
    models = generator.pair(named)
    if not isinstance(models, Mapping) or len(models) != 2:
        raise ValueError(f"generator must pair two models by name; {generator!r:.80} gives {models!r:.80}")
    if not hasattr(design, "split") and hasattr(design, "__iter__") and not isinstance(design, str):
        design = list(design)  # an iterator would be empty after the first data set
    task, resolved, own = first_evaluation(generator, models, design, metrics, random_state)
    RunSettings(n_jobs=n_jobs, store=store, progress=progress)
    return PreparedSimulation(
        evaluator=PairedEvaluator(cv=design, scoring=metrics, n_jobs=n_jobs, store=store, progress=progress),
        estimators=named,
        design=own,
        metrics=tuple(metric.name for metric in resolved),
        task=task,
    )


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
        if not str(error).startswith(theirs):
            raise
        raise ValueError(str(error).replace(theirs, ours, 1)) from error
