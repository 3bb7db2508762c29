"""What a calibration of a design, and a simulated data set, cost beside the fits.

Run from a checkout: ``python -m benchmarks.calibrate PART``, where the part is ``calibration``, ``simulation``; without
one it is ``calibration``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from time import perf_counter, process_time
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine, run_part
from benchmarks.engine import floor as fits
from skcompare import PairedEvaluator
from skcompare.calibration import ExchangeableBlocks, LabelPermutation, RandomData, size
from skcompare.calibration._simulation import simulate

# ---- calibration ------------------------------------------------------------------------------------------------


PAIRS = {
    "naive Bayes, tree": {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
    "kNN, logistic regression": {"knn": KNeighborsClassifier(), "lr": LogisticRegression(max_iter=100)},
}
REPEATS, FOLDS = 10, 10


def data() -> dict[str, tuple[Any, Any]]:
    """Data sets by name."""
    return {
        "breast_cancer (569 x 30)": load_breast_cancer(return_X_y=True),
        "n=1,000, p=20": make_classification(n_samples=1_000, n_features=20, random_state=0),
    }


def floor(X: Any, y: Any, models: dict[str, Any], n: int, seed: int, n_jobs: int) -> tuple[float, float]:
    """Seconds by the clock and of this process; the permutations and splits are drawn before."""
    rng = np.random.default_rng(seed)
    tasks = []
    for i in range(n):
        shuffled = rng.permutation(y)
        cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=i)
        tasks.append((models, X, shuffled, list(cv.split(X, shuffled))))
    clock, cpu = perf_counter(), process_time()
    if n_jobs == 1:
        for task in tasks:
            fits(*task)
    else:
        Parallel(n_jobs=n_jobs)(delayed(fits)(*task) for task in tasks)
    return perf_counter() - clock, process_time() - cpu


def calibrated(X: Any, y: Any, models: dict[str, Any], n: int, seed: int, n_jobs: int) -> tuple[float, float]:
    """Seconds of all that takes time in `calibrate`: the rest is done in milliseconds."""
    evaluator = PairedEvaluator(cv=f"{REPEATS}x{FOLDS}", n_jobs=n_jobs)
    clock, cpu = perf_counter(), process_time()
    simulate(evaluator, models, LabelPermutation(X=X, y=y), n_datasets=n, random_state=seed)
    return perf_counter() - clock, process_time() - cpu


def main_of_calibration() -> None:
    """Time of a calibration on permuted labels over the time of its fits.

    Run from a checkout: ``python -m benchmarks.calibrate``. The floor is clone, fit, predict and predict_proba of both
    models on every split of the same permutations, in a loop without any scoring, in as many processes. Both take
    turns, a round of permutations each; the ratios are those of the sums over the rounds. "cpu" is the time of this
    process, which other work on the machine disturbs less; with two jobs there is only the clock.
    """
    parser = argparse.ArgumentParser(description=main_of_calibration.__doc__)
    parser.add_argument("--permutations", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    print(f"{machine()}, numpy {np.__version__}; {options.permutations} permutations, 10x10\n")
    n = -(-options.permutations // options.rounds)
    print("| data | models | jobs | floor | calibrate | ratio | cpu ratio |\n|---|---|---:|---:|---:|---:|---:|")
    for name, (X, y) in data().items():
        for pair, models in PAIRS.items():
            for n_jobs in options.jobs:
                sums = np.zeros((2, 2))
                for seed in range(options.rounds):
                    sums[0] += floor(X, y, models, n, seed, n_jobs)
                    sums[1] += calibrated(X, y, models, n, seed, n_jobs)
                (below, below_cpu), (ours, ours_cpu) = sums
                cpu = f"{ours_cpu / below_cpu:.2f}" if n_jobs == 1 else ""
                print(
                    f"| {name} | {pair} | {n_jobs} | {below:.1f} s | {ours:.1f} s | {ours / below:.2f} | {cpu} |",
                    flush=True,
                )


# ---- simulation -------------------------------------------------------------------------------------------------


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


def main_of_simulation() -> None:
    """What a simulated data set costs beside its fits: ``python -m benchmarks.calibrate simulation [n_datasets]``.

    Seconds per data set of 300 samples, 10x10 folds, accuracy of two models: wall time with one and two jobs, processor
    time with one, the floor of the bare fits and predictions, and scikit-learn's `cross_validate` for the same.
    """
    n_datasets = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for title, (generator, estimators) in CASES.items():
        print(f"{title}: seconds per data set, wall and processor time of the calling process")
        for name, wall, own in measure(generator, estimators, n_datasets):
            print(f"  {name:<28} {wall:7.3f} {own:7.3f}")


if __name__ == "__main__":
    run_part({"calibration": main_of_calibration, "simulation": main_of_simulation})
