"""Time of a calibration on permuted labels over the time of its fits.

Run from a checkout: ``python -m benchmarks.calibrate``. The floor is clone, fit, predict and predict_proba of both
models on every split of the same permutations, in a loop without any scoring, in as many processes. Both take turns, a
round of permutations each; the ratios are those of the sums over the rounds. "cpu" is the time of this process, which
other work on the machine disturbs less; with two jobs there is only the clock.
"""

from __future__ import annotations

import argparse
import os
import platform
from datetime import date
from time import perf_counter, process_time
from typing import Any

import numpy as np
import sklearn
from joblib import Parallel, delayed
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.calibration import LabelPermutation
from skcompare.calibration._simulation import simulate

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


def bare(X: Any, y: Any, models: dict[str, Any], splits: list[Any]) -> None:
    """The fits and predictions of one permutation."""
    for train, test in splits:
        X_train, y_train, X_test = X[train], y[train], X[test]
        for model in models.values():
            fitted = clone(model).fit(X_train, y_train)
            fitted.predict(X_test)
            fitted.predict_proba(X_test)


def floor(X: Any, y: Any, models: dict[str, Any], n: int, seed: int, n_jobs: int) -> tuple[float, float]:
    """Seconds by the clock and of this process; the permutations and splits are drawn before."""
    rng = np.random.default_rng(seed)
    tasks = []
    for i in range(n):
        shuffled = rng.permutation(y)
        cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=i)
        tasks.append((X, shuffled, models, list(cv.split(X, shuffled))))
    clock, cpu = perf_counter(), process_time()
    if n_jobs == 1:
        for task in tasks:
            bare(*task)
    else:
        Parallel(n_jobs=n_jobs)(delayed(bare)(*task) for task in tasks)
    return perf_counter() - clock, process_time() - cpu


def calibrated(X: Any, y: Any, models: dict[str, Any], n: int, seed: int, n_jobs: int) -> tuple[float, float]:
    """Seconds of all that takes time in `calibrate`: the rest is done in milliseconds."""
    evaluator = PairedEvaluator(cv=f"{REPEATS}x{FOLDS}", n_jobs=n_jobs)
    clock, cpu = perf_counter(), process_time()
    simulate(evaluator, models, LabelPermutation(X=X, y=y), n_datasets=n, random_state=seed)
    return perf_counter() - clock, process_time() - cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--permutations", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, nargs="*", default=[1, 2])
    options = parser.parse_args()
    print(f"{date.today()}, {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print(f"scikit-learn {sklearn.__version__}, numpy {np.__version__}; {options.permutations} permutations, 10x10\n")
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


if __name__ == "__main__":
    main()
