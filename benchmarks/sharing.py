"""Processor time of an evaluation of pipelines that begin alike over that of their fits, with and without sharing.

Run from a checkout: ``python -m benchmarks.sharing``. All contenders run in one process on the same splits,
interleaved; the figures are medians over the rounds of the ratio to the floor of the same round. The floor is clone,
fit, predict and predict_proba of every pipeline on splits made beforehand, without any scoring. The scores must be the
same bit for bit.
"""

from __future__ import annotations

import os
import platform
import statistics
import warnings
from collections.abc import Callable
from datetime import date
from time import process_time
from typing import Any

import numpy as np
import pandas as pd
import sklearn
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.model_selection import RepeatedStratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from benchmarks.engine import BINARY, MODELS, floor
from skcompare import PairedEvaluator

ROUNDS = 3


def frame() -> tuple[Any, Any]:
    """Ten columns of numbers with gaps and four of eight texts each."""
    rng = np.random.default_rng(0)
    X, y = make_classification(2_000, n_features=10, random_state=0)
    numbers = pd.DataFrame(np.where(X > 2.5, np.nan, X), columns=[f"x{i}" for i in range(10)])
    texts = {name: rng.choice([f"{name}{i}" for i in range(8)], len(X)) for name in "abcd"}
    return numbers.assign(**texts), y


def cases() -> dict[str, tuple[dict[str, Any], Any, Any]]:
    """Models, X and y by name."""
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include="number")),
            ("texts", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), list("abcd")),
        ],
        sparse_threshold=0,
    )
    components = (StandardScaler(), PCA(20, random_state=0))
    return {
        "ColumnTransformer + 4 models on a frame, n=2,000": (_after(columns), *frame()),
        "StandardScaler + PCA + 4 models, n=2,000, p=100": (
            _after(*components),
            *make_classification(2_000, n_features=100, random_state=0),
        ),
    }


def _after(*steps: Any) -> dict[str, Any]:
    return {name: make_pipeline(*steps, model) for name, model in MODELS.items()}


def ratios(models: dict[str, Any], X: Any, y: Any, splits: list[Any]) -> tuple[float, dict[str, float]]:
    """Median seconds of the floor, and of each contender the median of its ratio to it."""

    def evaluate(share: bool) -> Any:
        return PairedEvaluator(cv=splits, scoring=BINARY, random_state=0, share=share).evaluate(models, X, y)

    contenders: dict[str, Callable[[], Any]] = {
        "floor": lambda: floor(models, X, y, splits),
        "shared": lambda: evaluate(True),
        "share=False": lambda: evaluate(False),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    results: list[Any] = []
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            start = process_time()
            results.append(run())
            seconds[name].append(process_time() - start)
    if len({result.scores.tobytes() for result in results if result is not None}) > 1:
        raise AssertionError("the scores differ")
    found = {
        name: statistics.median([value / base for value, base in zip(values, seconds["floor"], strict=True)])
        for name, values in seconds.items()
    }
    return statistics.median(seconds["floor"]), found


def main() -> None:
    warnings.simplefilter("ignore")
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, ", end="")
    print(f"scikit-learn {sklearn.__version__}, load {os.getloadavg()[0]:.1f}; processor time over the floor\n")
    print("| models, 3x10 | floor | shared | share=False |\n| --- | ---: | ---: | ---: |")
    for name, (models, X, y) in cases().items():
        splits = list(RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0).split(X, y))
        seconds, found = ratios(models, X, y, splits)
        print(f"| {name} | {seconds:.2f} s | {found['shared']:.2f} | {found['share=False']:.2f} |", flush=True)


if __name__ == "__main__":
    main()
