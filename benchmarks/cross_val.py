"""Time of `cross_val_score` beside scikit-learn's, which it equals to the last bit.

Run from a checkout: ``python -m benchmarks.cross_val``. All contenders run in one process, interleaved in alternating
order, on the same splits; the figures are medians over the rounds. The first table has one metric, the second five:
five calls of scikit-learn's function and one of `cross_validate` beside one call here. The third has two jobs: joblib's
worker processes are there, except in the columns "to start", where they are ended before every call.
"""

from __future__ import annotations

import argparse
import os
import platform
import warnings
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.base import BaseEstimator
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_classification
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks.engine import BINARY, MULTICLASS, measure, medians

REGRESSION = [
    "r2",
    "neg_mean_absolute_error",
    "neg_root_mean_squared_error",
    "neg_median_absolute_error",
    "explained_variance",
]
TREE = DecisionTreeClassifier(random_state=0)
Case = tuple[str, str, Any, Any, Any, list[str], int]


class Nothing(BaseEstimator):  # type: ignore[misc]
    """Costs nothing, so that what is measured is the way there."""

    def fit(self, X: Any, y: Any) -> Nothing:  # noqa: ARG002
        return self

    def score(self, X: Any, y: Any) -> float:  # noqa: ARG002
        return 0.0


def cases() -> Iterator[Case]:
    """Data, name of the estimator, the estimator, X, y, metrics, folds."""
    cancer, wine, digits, diabetes = (
        load(return_X_y=True) for load in (load_breast_cancer, load_wine, load_digits, load_diabetes)
    )
    large = make_classification(n_samples=100_000, n_features=20, random_state=0)
    yield "wine", "nothing", Nothing(), *wine, ["accuracy"], 50
    yield "wine, a frame", "nothing", Nothing(), pd.DataFrame(wine[0]), wine[1], ["accuracy"], 50
    yield "wine", "GaussianNB", GaussianNB(), *wine, MULTICLASS, 10
    yield "breast_cancer", "GaussianNB", GaussianNB(), *cancer, BINARY, 10
    yield "breast_cancer", "tree", TREE, *cancer, BINARY, 10
    yield "diabetes", "Ridge", Ridge(), *diabetes, REGRESSION, 10
    yield "digits", "LogisticRegression", LogisticRegression(max_iter=50), *digits, MULTICLASS, 5
    yield "n=100,000, p=20", "GaussianNB", GaussianNB(), *large, BINARY, 5


def one_metric(case: Case) -> dict[str, Callable[[], Any]]:
    _, _, estimator, X, y, _, cv = case
    return {
        "cross_val_score": lambda: cross_val_score(estimator, X, y, cv=cv),
        "skcompare": lambda: skc.cross_val_score(estimator, X, y, cv=cv),
    }


def several_metrics(case: Case) -> dict[str, Callable[[], Any]]:
    _, _, estimator, X, y, metrics, cv = case
    return {
        "cross_validate": lambda: cross_validate(estimator, X, y, cv=cv, scoring=metrics),
        "five calls of cross_val_score": lambda: [
            cross_val_score(estimator, X, y, cv=cv, scoring=metric) for metric in metrics
        ],
        "skcompare": lambda: skc.cross_val_score(estimator, X, y, cv=cv, scoring=metrics),
    }


def two_jobs(case: Case) -> dict[str, Callable[[], Any]]:
    _, _, estimator, X, y, _, cv = case
    return {
        "cross_val_score": lambda: cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
        "skcompare": lambda: skc.cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
        "cross_val_score, to start": lambda: cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
        "skcompare, to start": lambda: skc.cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
    }


TABLES: dict[str, Callable[[Case], dict[str, Callable[[], Any]]]] = {
    "one metric": one_metric,
    "five metrics": several_metrics,
    "two jobs": two_jobs,
}


def table(name: str, rounds: int) -> None:
    """Print one table, after holding that the floats are equal."""
    for number, case in enumerate(case for case in cases() if name == "one metric" or case[1] != "nothing"):
        contenders = TABLES[name](case)
        if name == "one metric":
            np.testing.assert_array_equal(contenders["cross_val_score"](), contenders["skcompare"]())
        found = medians(measure(contenders, rounds))
        if number == 0:
            print(f"\n| data | estimator | folds | {' | '.join(found)} |")
            print(f"| --- | --- | ---: | {' | '.join('---:' for _ in found)} |")
        cells = " | ".join(f"{1000 * seconds:.1f} ms, {ratio:.2f}" for seconds, ratio in found.values())
        print(f"| {case[0]} | {case[1]} | {case[-1]} | {cells} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--table", choices=TABLES, help="only one of the tables")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, ", end="")
    print(f"scikit-learn {sklearn.__version__}; milliseconds, and ratios to the first (medians)")
    for name in (options.table,) if options.table else TABLES:
        table(name, options.rounds if name != "two jobs" else max(1, options.rounds // 3))


if __name__ == "__main__":
    main()
