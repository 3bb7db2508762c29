"""What a simulated data set costs beside its fits: ``python -m benchmarks.simulation [n_datasets]``.

Seconds per data set of 300 samples, 10x10 folds, accuracy of two models: wall time with one and two jobs, processor
time with one, the floor of the bare fits and predictions, and scikit-learn's `cross_validate` for the same.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare.calibration import ExchangeableBlocks, RandomData, size

SAMPLES = 300
CASES = {
    "naive Bayes on two blocks": (ExchangeableBlocks(n_samples=SAMPLES), {"nb": GaussianNB()}),
    "naive Bayes and a tree on random data": (
        RandomData(n_samples=SAMPLES),
        {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)},
    ),
}


def drawn(generator: Any, n: int) -> list[tuple[Any, Any]]:
    return [generator.draw(np.random.default_rng(i)) for i in range(n)]


def columns(name: str, X: Any) -> Any:
    """The features that a model of the case sees, so that the floor needs no wrapper."""
    half = X.shape[1] // 2
    return X[:, :half] if name.endswith("block 1") else X[:, half:] if name.endswith("block 2") else X


def bare(models: Mapping[str, Any], X: Any, y: Any, splitter: Any) -> None:
    """Fits and predictions alone."""
    for train, test in splitter.split(X, y):
        for name, model in models.items():
            inner = getattr(model, "estimator", model)
            own = columns(name, X)
            clone(inner).fit(own[train], y[train]).predict(own[test])


def by_scikit_learn(models: Mapping[str, Any], X: Any, y: Any, splitter: Any) -> None:
    for name, model in models.items():
        cross_validate(getattr(model, "estimator", model), columns(name, X), y, cv=splitter, scoring="accuracy")


def seconds(run: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor time of this process."""
    wall, own = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - own


def measure(generator: Any, estimators: Mapping[str, Any], n: int) -> list[tuple[str, float, float]]:
    models = generator.pair(estimators)
    data = drawn(generator, n)

    def simulated(n_jobs: int) -> Callable[[], object]:
        return lambda: size(
            "corrected_t_test", "10x10", generator, "accuracy", estimators=estimators, n_datasets=n, n_jobs=n_jobs
        )

    def each(run: Callable[..., None]) -> Callable[[], object]:
        return lambda: [run(models, X, y, RepeatedStratifiedKFold(n_splits=10, random_state=0)) for X, y in data]

    simulated(2)()  # starts the workers
    runs = {
        "size, 1 job": simulated(1),
        "size, 2 jobs": simulated(2),
        "bare fits and predictions": each(bare),
        "cross_validate": each(by_scikit_learn),
    }
    return [(name, *(value / n for value in seconds(run))) for name, run in runs.items()]


if __name__ == "__main__":
    n_datasets = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for title, (generator, estimators) in CASES.items():
        print(f"{title}: seconds per data set, wall and processor time of the calling process")
        for name, wall, own in measure(generator, estimators, n_datasets):
            print(f"  {name:<28} {wall:7.3f} {own:7.3f}")
