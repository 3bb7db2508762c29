"""What a calibration of a design, and a simulated data set, cost beside the fits.

Run from a checkout: ``python -m benchmarks.calibrate PART``, where the part is ``calibration``, ``simulation``; without
one it is ``calibration``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
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

from benchmarks import head, line, machine, options, run_part
from benchmarks.timing import floor, timed
from skcompare import PairedEvaluator
from skcompare.calibration import ExchangeableBlocks, LabelPermutation, RandomData, size
from skcompare.calibration._simulation import simulate

PAIRS = {
    "naive Bayes, tree": {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
    "kNN, logistic regression": {"knn": KNeighborsClassifier(), "lr": LogisticRegression(max_iter=100)},
}


def of_round(models: dict[str, Any], X: Any, y: Any, n: int, seed: int, n_jobs: int) -> list[tuple[float, float]]:
    """Seconds of the floor, whose permutations and splits are drawn before, and of a calibration."""
    rng, tasks = np.random.default_rng(seed), []
    for i in range(n):
        shuffled = rng.permutation(y)
        splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=i).split(X, shuffled)
        tasks.append(delayed(floor)(models, X, shuffled, list(splits)))
    evaluator, labels = PairedEvaluator(cv="10x10", n_jobs=n_jobs), LabelPermutation(X=X, y=y)
    return [
        timed(lambda: Parallel(n_jobs=n_jobs)(tasks)),
        timed(lambda: simulate(evaluator, models, labels, n_datasets=n, random_state=seed)),
    ]


def main_of_calibration() -> None:
    """Time of a calibration on permuted labels over the time of its fits.

    The floor is clone, fit, predict and predict_proba of both models on every split of the same permutations, in a loop
    without any scoring, in as many processes. Both take turns, a round of permutations each; the ratios are those of
    the sums over the rounds. "cpu" is the time of this process, which other work on the machine disturbs less; with two
    jobs there is only the clock.
    """
    given = options(main_of_calibration.__doc__, permutations=200, rounds=5, jobs=[1, 2])
    print(f"{machine()}; {given.permutations} permutations, 10x10\n")
    n = -(-given.permutations // given.rounds)
    print(head(("data", "models", "jobs", "floor", "calibrate", "ratio", "cpu ratio"), 2))
    data = {
        "breast_cancer (569 x 30)": load_breast_cancer(return_X_y=True),
        "n=1,000, p=20": make_classification(n_samples=1_000, n_features=20, random_state=0),
    }
    for name, (X, y) in data.items():
        for pair, models in PAIRS.items():
            for n_jobs in given.jobs:
                rounds = [of_round(models, X, y, n, seed, n_jobs) for seed in range(given.rounds)]
                (below, below_cpu), (ours, ours_cpu) = np.sum(rounds, axis=0)
                cpu = f"{ours_cpu / below_cpu:.2f}" if n_jobs == 1 else ""
                times = f"{below:.1f} s", f"{ours:.1f} s", f"{ours / below:.2f}"
                print(line(name, pair, n_jobs, *times, cpu), flush=True)


# ---- simulation -------------------------------------------------------------------------------------------------


CASES = {
    "naive Bayes on two blocks": (ExchangeableBlocks(n_samples=300), {"nb": GaussianNB()}),
    "naive Bayes and a tree on random data": (
        RandomData(n_samples=300),
        {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)},
    ),
}


def columns(name: str, X: Any) -> Any:
    """The features that a model of the case sees, so that the floor needs no wrapper."""
    half = X.shape[1] // 2
    return X[:, :half] if name.endswith("block 1") else X[:, half:] if name.endswith("block 2") else X


def bare(model: Any, X: Any, y: Any, splitter: Any) -> None:
    """Fits and predictions alone."""
    for train, test in splitter.split(X, y):
        clone(model).fit(X[train], y[train]).predict(X[test])


def by_scikit_learn(model: Any, X: Any, y: Any, splitter: Any) -> None:
    cross_validate(model, X, y, cv=splitter, scoring="accuracy")


def measure(generator: Any, estimators: Mapping[str, Any], n: int) -> dict[str, tuple[float, float]]:
    models = generator.pair(estimators)
    data = [generator.draw(np.random.default_rng(i)) for i in range(n)]

    def simulated(n_jobs: int) -> Any:
        how: dict[str, Any] = {"estimators": estimators, "n_datasets": n, "n_jobs": n_jobs}
        return size("corrected_t_test", "10x10", generator, "accuracy", **how)

    def each(run: Callable[..., None]) -> None:
        for X, y in data:
            splitter = RepeatedStratifiedKFold(n_splits=10, random_state=0)
            for name, model in models.items():
                run(getattr(model, "estimator", model), columns(name, X), y, splitter)

    simulated(2)  # starts the workers
    return {
        "size, 1 job": timed(lambda: simulated(1)),
        "size, 2 jobs": timed(lambda: simulated(2)),
        "bare fits and predictions": timed(lambda: each(bare)),
        "cross_validate": timed(lambda: each(by_scikit_learn)),
    }


def main_of_simulation() -> None:
    """What a simulated data set costs beside its fits: ``python -m benchmarks.calibrate simulation [n_datasets]``.

    Seconds per data set of 300 samples, 10x10 folds, accuracy of two models: wall time with one and two jobs, processor
    time with one, the floor of the bare fits and predictions, and scikit-learn's `cross_validate` for the same.
    """
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for title, case in CASES.items():
        print(f"{title}: seconds per data set, wall and processor time of the calling process")
        for name, (wall, own) in measure(*case, n).items():
            print(f"  {name:<28} {wall / n:7.3f} {own / n:7.3f}")


if __name__ == "__main__":
    run_part({"calibration": main_of_calibration, "simulation": main_of_simulation})
