"""Time of an evaluation over the time of its fits, beside scikit-learn's `cross_validate`.

Run from a checkout: ``python -m benchmarks.engine``. All contenders run in one process, interleaved, on the
same splits; the figures are medians over the rounds. The floor is clone, fit, predict and predict_proba on
splits made beforehand, without any scoring.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import warnings
from collections.abc import Callable
from datetime import date
from time import perf_counter
from typing import Any

import sklearn
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

BINARY = ["accuracy", "precision", "recall", "f1", "roc_auc"]
MULTICLASS = ["accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"]


def models() -> dict[str, Any]:
    return {
        "GaussianNB": GaussianNB(),
        "tree": DecisionTreeClassifier(random_state=0),
        "kNN": KNeighborsClassifier(),
        "LR": LogisticRegression(max_iter=100),
    }


def cases(thorough: bool) -> list[tuple[str, Any, Any, list[str], str, tuple[str, str], int]]:
    """Name, X, y, metrics, cv, the two models, rounds."""
    cancer, wine, digits = (f(return_X_y=True) for f in (load_breast_cancer, load_wine, load_digits))
    rows = [("breast_cancer", *cancer, BINARY, "10x10", ("GaussianNB", "tree"), 7)]
    if thorough:
        large = make_classification(n_samples=10_000, n_features=20, random_state=0)
        rows += [
            ("breast_cancer", *cancer, BINARY, "10x10", ("kNN", "LR"), 3),
            ("wine", *wine, MULTICLASS, "10x10", ("GaussianNB", "tree"), 5),
            ("digits", *digits, MULTICLASS, "2x10", ("GaussianNB", "tree"), 5),
            ("n=10,000, p=20", *large, BINARY, "1x10", ("GaussianNB", "tree"), 5),
        ]
    return rows


def floor(estimators: dict[str, Any], X: Any, y: Any, splits: list[Any]) -> None:
    for train, test in splits:
        for estimator in estimators.values():
            fitted = clone(estimator).fit(X[train], y[train])
            X_test = X[test]
            fitted.predict(X_test)
            fitted.predict_proba(X_test)


def measure(contenders: dict[str, Callable[[], Any]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every contender in every round, after one unmeasured round."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for round_ in range(rounds + 1):
        for name, run in contenders.items():
            gc.collect()
            start = perf_counter()
            run()
            if round_:
                times[name].append(perf_counter() - start)
    return times


def run_case(X: Any, y: Any, metrics: list[str], cv: str, names: tuple[str, str], rounds: int) -> dict[str, Any]:
    n_repeats, n_splits = (int(part) for part in cv.split("x"))
    splitter = RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=0)
    splits = list(splitter.split(X, y))
    chosen = {name: models()[name] for name in names}
    evaluator = PairedEvaluator(cv=cv, scoring=metrics, random_state=0)
    contenders = {
        "floor": lambda: floor(chosen, X, y, splits),
        "skcompare": lambda: evaluator.evaluate(chosen, X, y),
        "skcompare, tests and summary too": lambda: evaluator.evaluate(chosen, X, y).summary(),
        "cross_validate": lambda: [cross_validate(e, X, y, cv=splits, scoring=metrics) for e in chosen.values()],
    }
    times = measure(contenders, rounds)
    base = times["floor"]
    return {
        name: (
            statistics.median(values),
            statistics.median([value / b for value, b in zip(values, base, strict=True)]),
        )
        for name, values in times.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only the first case")
    thorough = not parser.parse_args().quick
    warnings.simplefilter("ignore")
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, ", end="")
    print(f"scikit-learn {sklearn.__version__}; n_jobs=1; seconds, and times over the floor (medians)\n")
    print("| data | cv | models | floor | skcompare | with tests and summary | cross_validate |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for data, X, y, metrics, cv, names, rounds in cases(thorough):
        result = run_case(X, y, metrics, cv, names, rounds)
        cells = [f"{seconds:.2f} s, {ratio:.2f}" for seconds, ratio in result.values()]
        print(f"| {data} | {cv} | {' + '.join(names)} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
