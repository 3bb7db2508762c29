"""Which estimators gain by threads: fits in two threads over the same fits one after the other.

Run from a checkout: ``python -m benchmarks.threads``. Every fit and its threads have one BLAS and OpenMP thread.
"""

from __future__ import annotations

import statistics
import warnings
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import threadpool_limits

X, Y = make_classification(n_samples=6_000, n_features=20, random_state=0)
MODELS = [
    DecisionTreeClassifier(),
    DecisionTreeRegressor(),
    RandomForestClassifier(10),
    RandomForestRegressor(5),
    GradientBoostingClassifier(n_estimators=10),
    GradientBoostingRegressor(n_estimators=10),
    KNeighborsClassifier(),
    SVC(),
    LogisticRegression(),
    HistGradientBoostingClassifier(max_iter=20),
]


def fit(model: Any, seed: int) -> None:
    with threadpool_limits(1):
        order = np.random.default_rng(seed).permutation(len(Y))
        clone(model).fit(X[order[600:]], Y[order[600:]]).predict(X[order[:600]])


def seconds(run: Any) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def main() -> None:
    warnings.simplefilter("ignore")
    print("| estimator | a fit | two threads over one |\n| --- | ---: | ---: |")
    for model in MODELS:
        fit(model, 0)
        one = seconds(lambda model=model: fit(model, 0))
        n = int(np.clip(0.6 / one, 4, 16)) // 2 * 2
        ratios = []
        for _ in range(3):
            alone = seconds(lambda model=model, n=n: [fit(model, i) for i in range(n)])
            calls = [delayed(fit)(model, i) for i in range(n)]
            ratios.append(seconds(lambda calls=calls: Parallel(n_jobs=2, backend="threading")(calls)) / alone)
        print(f"| {type(model).__name__} | {one * 1e3:.0f} ms | {statistics.median(ratios):.2f} |", flush=True)


if __name__ == "__main__":
    main()
