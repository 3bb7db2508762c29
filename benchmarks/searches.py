"""What the report of a search of 500 candidates on 50 splits costs, and of 10,000 drawn at random on 10 splits.

Run from a checkout: ``python -m benchmarks.searches``. Each row is a process of its own.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, RepeatedStratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from skcompare import SearchReport

N_CANDIDATES, FOLDS, REPEATS = 500, 10, 5
N_AGAIN = 9
N_DRAWN = 10_000
METRICS = ("roc_auc", "accuracy", "precision", "recall", "f1")
GRID = {
    "max_depth": list(range(1, 11)),
    "min_samples_leaf": [1, 2, 5, 10, 20],
    "min_samples_split": [2, 5, 10, 20, 50],
    "criterion": ["gini", "entropy"],
}


def fitted_search(n_metrics: int) -> GridSearchCV:
    """A grid search with scores of our making: depth matters, and all candidates share the luck of the split."""
    rng = np.random.default_rng(0)
    metrics = METRICS[:n_metrics]
    cells = np.stack(np.meshgrid(*map(np.arange, map(len, GRID.values())), indexing="ij"), axis=-1).reshape(-1, 4)
    params = [{name: GRID[name][i] for name, i in zip(GRID, cell, strict=True)} for cell in cells]
    n_splits = FOLDS * REPEATS
    level = 0.8 + 0.01 * cells[:, 0] + 0.002 * cells[:, 1]
    table: dict[str, Any] = {"params": params, "mean_fit_time": rng.uniform(0.01, 0.1, len(params))}
    for metric in metrics:
        scores = level[:, None] + rng.normal(0, 0.03, n_splits) + rng.normal(0, 0.02, (len(params), n_splits))
        key = metric if n_metrics > 1 else "score"
        table |= {f"split{i}_test_{key}": scores[:, i] for i in range(n_splits)}
        table[f"mean_test_{key}"] = scores.mean(axis=1)
    cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=0)
    scoring = list(metrics) if n_metrics > 1 else metrics[0]
    search = GridSearchCV(DecisionTreeClassifier(), GRID, scoring=scoring, refit=metrics[0], cv=cv)
    search.cv_results_, search.n_splits_ = table, n_splits
    return search


def drawn_search(n_candidates: int) -> RandomizedSearchCV:
    """A random search of many candidates on 10 splits, with scores of our making."""
    rng = np.random.default_rng(0)
    names = {"max_depth": rng.integers(1, 20, n_candidates), "min_samples_leaf": rng.integers(1, 50, n_candidates)}
    names |= {"ccp_alpha": rng.uniform(0, 0.1, n_candidates)}
    level = 0.8 + 0.005 * names["max_depth"] - 0.0005 * names["min_samples_leaf"]
    scores = level[:, None] + rng.normal(0, 0.03, FOLDS) + rng.normal(0, 0.02, (n_candidates, FOLDS))
    params = [dict(zip(names, row, strict=True)) for row in zip(*(x.tolist() for x in names.values()), strict=True)]
    table: dict[str, Any] = {"params": params, "mean_test_score": scores.mean(axis=1)}
    table |= {f"split{i}_test_score": scores[:, i] for i in range(FOLDS)}
    search = RandomizedSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}, scoring="accuracy", cv=FOLDS)
    search.cv_results_, search.n_splits_ = table, FOLDS
    return search


def print_drawn(n_candidates: int) -> None:
    """The first call of each step in a process of its own."""
    search = drawn_search(n_candidates)
    before = peak_rss()
    import_all()
    found = [timed(run) for run in steps(search).values()]
    found.append(tuple(map(sum, zip(*found, strict=True))))
    shown = " | ".join(_cell([times]) for times in found)
    print(f"| {n_candidates:,} x {search.n_splits_} | 1 | {shown} | | {peak_rss() - before:.0f} MB |")


def steps(search: GridSearchCV | RandomizedSearchCV) -> dict[str, Callable[[], Any]]:
    """What is measured, in this order."""
    made: dict[str, SearchReport] = {}

    def read() -> None:
        made["report"] = SearchReport.from_search(search)

    return {
        "from_search": read,
        "summary": lambda: made["report"].summary(),
        "to_html": lambda: made["report"].to_html(),
    }


def import_all() -> None:
    """What the page needs, so that no row counts imports."""
    import jinja2  # noqa: F401
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401


def timed(run: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of processor time and of wall clock."""
    cpu, wall = process_time(), perf_counter()
    run()
    return process_time() - cpu, perf_counter() - wall


def peak_rss() -> float:
    """MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_row(n_metrics: int) -> None:
    search = fitted_search(n_metrics)
    before = peak_rss()
    import_all()
    found = {name: [timed(run) for _ in range(1 + N_AGAIN)] for name, run in steps(search).items()}
    found["all"] = [tuple(map(sum, zip(*parts, strict=True))) for parts in zip(*found.values(), strict=True)]
    grown = peak_rss() - before
    tracemalloc.start()
    for run in steps(search).values():
        run()
    allocated = tracemalloc.get_traced_memory()[1] / 1e6
    shown = " | ".join(f"{_cell(times[:1])}; {_cell(times[1:])}" for times in found.values())
    size = f"{len(search.cv_results_['params'])} x {search.n_splits_}"
    print(f"| {size} | {n_metrics} | {shown} | {allocated:.0f} MB | {grown:.0f} MB |")


def _cell(times: list[tuple[float, float]]) -> str:
    cpu, wall = (1000 * median(column) for column in zip(*times, strict=True))
    return f"{cpu:.0f} ({wall:.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--metrics", type=int, help="one row, in this process")
    parser.add_argument("--drawn", type=int, help="the row of so many random candidates, in this process")
    arguments = parser.parse_args()
    if arguments.drawn:
        print_drawn(arguments.drawn)
        return
    if arguments.metrics:
        print_row(arguments.metrics)
        return
    names = ("from_search", "summary", "to_html", "all")
    print(f"| candidates x splits | metrics | {' | '.join(names)} | allocated at peak | resident memory, growth |")
    print(f"| --- | ---: | {' | '.join('---:' for _ in names)} | ---: | ---: |")
    sys.stdout.flush()
    for option in (["--metrics", "1"], ["--metrics", str(len(METRICS))], ["--drawn", str(N_DRAWN)]):
        command = [sys.executable, "-m", "benchmarks.searches", *option]
        subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


if __name__ == "__main__":
    main()
