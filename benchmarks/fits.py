"""Processor time of an evaluation over that of its fits, where fits are cheap or predicting is most of them.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python -m benchmarks.fits

The floor is clone, fit, predict and predict_proba (or decision_function) on splits made beforehand, without scoring.
Both run in one process, interleaved; medians over the rounds. ``--jobs 2`` prints instead the processor time that the
calling process spends per fit while workers do them, and ``--jobs 2 --dask`` while a cluster of two does.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from time import process_time
from typing import Any

from joblib import parallel_config
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, make_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import RepeatedKFold, RepeatedStratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.svm import SVC

from skcompare import PairedEvaluator

Case = tuple[str, Any, Any, str, tuple[Any, Any], bool]


def cases() -> list[Case]:
    """Name, X, y, cv, two models, whether the splits are given as a list."""
    cancer, digits, diabetes = (f(return_X_y=True) for f in (load_breast_cancer, load_digits, load_diabetes))
    large = make_classification(n_samples=20_000, n_features=20, random_state=0)
    neighbors = KNeighborsClassifier(), KNeighborsClassifier(7)
    bayes = GaussianNB(), GaussianNB(var_smoothing=1e-6)
    scaled = tuple(make_pipeline(scaler, LogisticRegression()) for scaler in (StandardScaler(), MinMaxScaler()))
    return [
        ("n=20,000, p=20, kNN", *large, "1x10", neighbors, False),
        ("digits, kNN", *digits, "3x10", neighbors, False),
        ("breast_cancer, kNN", *cancer, "3x10", neighbors, False),
        ("breast_cancer, scaler + LR", *cancer, "3x10", scaled, False),
        ("breast_cancer, SVC", *cancer, "3x10", (SVC(), SVC(C=2)), False),
        ("digits, GaussianNB", *digits, "3x10", bayes, False),
        ("diabetes, Ridge", *diabetes, "10x10", (Ridge(), Ridge(2)), False),
        ("breast_cancer, GaussianNB", *cancer, "10x10", bayes, False),
        ("breast_cancer, GaussianNB, splits in a list", *cancer, "10x10", bayes, True),
    ]


def floor(models: dict[str, Any], X: Any, y: Any, splits: list[Any]) -> None:
    for train, test in splits:
        for model in models.values():
            fitted = clone(model).fit(X[train], y[train])
            X_test = X[test]
            fitted.predict(X_test)
            scores = getattr(fitted, "predict_proba", None) or getattr(fitted, "decision_function", None)
            if scores is not None:
                scores(X_test)


def ratio(case: Case, rounds: int) -> tuple[float, float, float]:
    """Milliseconds per fit of the floor and of ours, and the median of their ratios."""
    _, X, y, cv, (one, other), listed = case
    n_repeats, n_splits = (int(part) for part in cv.split("x"))
    kind = RepeatedKFold if isinstance(one, Ridge) else RepeatedStratifiedKFold
    splits = list(kind(n_splits=n_splits, n_repeats=n_repeats, random_state=0).split(X, y))
    models = {"one": one, "other": other}
    evaluator = PairedEvaluator(cv=splits if listed else cv, random_state=0)
    contenders: list[Callable[[], Any]] = [
        lambda: floor(models, X, y, splits),
        lambda: evaluator.evaluate(models, X, y),
    ]
    times: list[list[float]] = [[], []]
    for round_ in range(rounds + 1):
        for i in (0, 1) if round_ % 2 else (1, 0):
            gc.collect()
            start = process_time()
            contenders[i]()
            times[i].append(process_time() - start)
    n_fits = len(splits) * len(models)
    floors, ours = ([1e3 * seconds / n_fits for seconds in kept[1:]] for kept in times)
    quotients = [b / a for a, b in zip(floors, ours, strict=True)]
    return statistics.median(floors), statistics.median(ours), statistics.median(quotients)


def in_the_calling_process(n_jobs: int, rounds: int) -> float:
    """Milliseconds per fit that the calling process spends on fits that workers make."""
    X, y = load_breast_cancer(return_X_y=True)
    models = {"one": GaussianNB(), "other": GaussianNB(var_smoothing=1e-6)}
    seconds = dict[str, list[float]](short=[], long=[])
    for round_ in range(rounds + 1):
        for name, cv in (("short", "10x10"), ("long", "60x10")):
            start = process_time()
            PairedEvaluator(cv=cv, random_state=0, n_jobs=n_jobs, check_data=False).evaluate(models, X, y)
            if round_:
                seconds[name].append(process_time() - start)
    return 1e3 * (statistics.median(seconds["long"]) - statistics.median(seconds["short"])) / (2 * 500)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="cases whose names contain this")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--dask", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"load average {os.getloadavg()[0]:.1f}")
    if options.jobs > 1:
        with ExitStack() as stack:
            if options.dask:
                from dask.distributed import Client, LocalCluster

                cluster = LocalCluster(n_workers=options.jobs, threads_per_worker=1, dashboard_address=None)
                stack.enter_context(Client(stack.enter_context(cluster)))
                stack.enter_context(parallel_config("dask"))
            print(f"{in_the_calling_process(options.jobs, options.rounds):.2f} ms per fit")
        return
    print("| work | cv | floor, ms per fit | skcompare | ratio |\n| --- | --- | ---: | ---: | ---: |")
    for case in cases():
        if options.only in case[0]:
            found = ratio(case, options.rounds)
            print(f"| {case[0]} | {case[3]} | {found[0]:.2f} | {found[1]:.2f} | {found[2]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
