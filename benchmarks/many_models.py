"""What comparisons and reports of many models cost: 50 models on five metrics, scores alone and an evaluation.

Run from a checkout: ``python -m benchmarks.many_models``. Processor time of the first call on a new result, so that
each has to compare anew; the medians of three. Before them the first page of the process, of two models, which imports
what it draws with.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from skcompare import EvaluationResult, PairedEvaluator, from_frame

METRICS = ("accuracy", "f1_macro", "balanced_accuracy", "roc_auc", "precision_macro")
ROUNDS = 3
CALLS: dict[str, Callable[[Any], Any]] = {
    "compare()": lambda result: result.compare(),
    "dominance_table()": lambda result: result.dominance_table(),
    "summary()": lambda result: result.summary(),
    "to_json()": lambda result: result.to_json(),
    "to_html()": lambda result: result.to_html(),
}


def scored(n_models: int, repeats: int, seed: int = 0) -> EvaluationResult:
    """Scores of models on five metrics and ten folds, once or several times."""
    rng = np.random.default_rng(seed)
    n, m = repeats * 10, len(METRICS)
    scores = rng.normal(0.8, 0.02, (1, n, m)) + rng.normal(0, 0.02, (n_models, 1, m))
    scores = np.clip(scores + rng.normal(0, 0.02, (n_models, n, m)), 0, 1)
    model, split, metric = (places.ravel() for places in np.indices(scores.shape))
    names = np.array([f"model {i}" for i in range(n_models)])
    columns = {"model": names[model], "repeat": split // 10, "fold": split % 10}
    return from_frame({**columns, "metric": np.array(METRICS)[metric], "score": scores.ravel()}, n_samples=1000)


def evaluated(n_models: int) -> EvaluationResult:
    """Trees of many sizes on breast_cancer, ten folds, with their predictions."""
    models = {
        f"tree {i}": DecisionTreeClassifier(max_leaf_nodes=2 + i // 2, min_samples_leaf=1 + i % 2)
        for i in range(n_models)
    }
    evaluator = PairedEvaluator(cv=10, scoring=list(METRICS), random_state=0)
    return evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))


def cost(call: Callable[[Any], Any], result: EvaluationResult) -> float:
    """Seconds of processor time."""
    start = process_time()
    call(result)
    return process_time() - start


def main() -> None:
    print(f"{date.today()}\n\nThe first page, of two models: {cost(CALLS['to_html()'], scored(2, 1)):.2f} s\n")
    trees = evaluated(50)
    cases: dict[str, Callable[[], EvaluationResult]] = {
        "50 models, 10x10 folds": lambda: scored(50, 10),
        "50 models, 10 folds": lambda: scored(50, 1),
        "50 trees, 10 folds, predictions kept": lambda: replace(trees),  # which has compared nothing yet
    }
    print(f"| seconds | {' | '.join(cases)} |\n| --- |{' ---: |' * len(cases)}")
    for what, call in CALLS.items():
        found = [median(cost(call, make()) for _ in range(ROUNDS)) for make in cases.values()]
        print(f"| `{what}` | {' | '.join(f'{seconds:.3f}' for seconds in found)} |", flush=True)
    print(f"\n200 models, 10x10 folds: summary() {cost(CALLS['summary()'], scored(200, 10)):.2f} s")


if __name__ == "__main__":
    main()
