"""How deep must a tree be for the default test to hold its level against other learners?

Run from a checkout: ``python -m benchmarks.depths --n-datasets 200`` (needs numba). Trees of several depths and three
other learners are fitted to samples of a large population; the true difference at that number of samples is the mean
over the draws. Printed is how often the 95% interval of `corrected_t_test` on 10x10 misses it, mean over the three.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.fast_learners import Array
from benchmarks.wide_data import class_metrics, drawn_splits, model_scores, population
from benchmarks.wide_procedures import DEFAULT, pvalues
from benchmarks.wide_trees import tree

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 10, 0)
OTHERS = ("logistic regression", "naive Bayes", "5-NN")
POPULATIONS = (("make_classification", 0.5), ("make_classification", 0.2), ("clusters", 0.5))
SIZES = (200, 1000)
METRICS = {"accuracy": 0, "roc_auc": 4}
DESIGN = "10x10"


def scores(name: str, positive: float, n: int, seed: int) -> Array:
    """Of one draw, (n_models, n_splits, n_metrics)."""
    rng = np.random.default_rng((seed, n, 777))
    X, y = population(name, "binary", positive, Path())(n, rng)
    tests = drawn_splits(y, "binary", (DESIGN,), rng)[DESIGN]
    others = [model_scores(X, y, tests, learner, "binary", seed)[0] for learner in OTHERS]
    values = (tree(depth)(X, np.eye(2)[y], ~tests, seed) for depth in DEPTHS)
    return np.stack([*others, *(class_metrics(own, y, tests, ranks=True) for own in values)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-datasets", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    head = ("population", "samples", "metric", *(f"depth {depth}" if depth else "full" for depth in DEPTHS))
    print(f"| {' | '.join(head)} |\n|{' --- |' * 3}{' ---: |' * len(DEPTHS)}")
    for (name, positive), n in ((one, n) for n in SIZES for one in POPULATIONS):
        seeds = range(options.n_datasets)
        drawn = Parallel(n_jobs=options.jobs)(delayed(scores)(name, positive, n, seed) for seed in seeds)
        trees, others = np.split(np.moveaxis(np.stack(drawn), 1, 0), [len(OTHERS)])[::-1]
        for metric, m in METRICS.items():
            line = [f"{name}, {100 * positive:g}% positives", f"{n:,}", metric]
            for one in trees[..., m]:
                d = one - others[..., m]
                p = np.stack([pvalues(own - own.mean(), DESIGN)[DEFAULT[DESIGN]] for own in d])
                line.append(f"{100 * np.mean(p < 0.05):.0f}")
            print(f"| {' | '.join(line)} |", flush=True)


if __name__ == "__main__":
    main()
