"""What a simulation will be, before anything is fitted: its models, and by its first data set design and metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare.calibration._generators import Generator
from skcompare.evaluation._input import check_data, check_target, is_data, name_by_class, name_estimators
from skcompare.evaluation._scoring import Metric, resolve_scoring
from skcompare.evaluation._splits import draw_splits
from skcompare.evaluation._splitter import make_splitter
from skcompare.evaluation._task import Task, is_classification, task_of


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
