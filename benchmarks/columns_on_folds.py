"""How often the default test on folds rejects a true null where each sample has several labels, or several numbers.

    python -m benchmarks.columns_on_folds > skcompare/inference/measured_on_columns.csv

Run from a checkout. Two models are equal by construction, as in `benchmarks.calibration`: the same learner, each on its
own block of ten features. Five labels occur in 10%, 20%, 30%, 40% and 50% of the samples, three numbers are normal; the
blocks are one random mixture of these, with the weight of the signal, plus noise of their own.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import sys
from collections import defaultdict
from collections.abc import Callable

import numpy as np

from benchmarks.calibration_procedures import fold_pvalues
from benchmarks.fast_learners import Array

SAMPLES, FEATURES, NEIGHBOURS = (50, 200), 10, 5
SIGNALS = {"no signal": 0.0, "weak": 0.15, "signal": 0.6}
RATES = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
DESIGNS = {"5-fold": 5, "10-fold": 10}
PROCEDURE = "k_fold_t_test"
COLUMNS = ("procedure", "design", "task", "n_samples", "metric", "nulls", "mean", "low", "high")


def least_squares(X: Array, y: Array, folds: Array) -> Array:
    """Predictions of each sample by the coefficients of the other folds."""
    design, found = np.column_stack([np.ones(len(X)), X]), np.empty(y.shape)
    for fold in range(folds.max() + 1):
        rest = design[folds != fold]
        gram = rest.T @ rest + 1e-6 * np.eye(design.shape[1])
        found[folds == fold] = design[folds == fold] @ np.linalg.solve(gram, rest.T @ y[folds != fold])
    return found


def neighbours(X: Array, y: Array, folds: Array) -> Array:
    """The mean of each sample's nearest neighbours in the other folds."""
    X = X.astype(np.float32)
    squares = (X**2).sum(axis=1)
    distances = squares[:, None] + squares - 2 * X @ X.T
    distances[folds[:, None] == folds] = np.inf
    near = np.argpartition(distances, NEIGHBOURS, axis=1)[:, :NEIGHBOURS]
    return np.asarray(y[near].mean(axis=1))


LEARNERS: dict[str, Callable[[Array, Array, Array], Array]] = {"least squares": least_squares, "5-NN": neighbours}


def _ratio(numerator: Array, denominator: Array) -> Array:
    return np.divide(numerator, denominator, out=np.zeros(np.shape(numerator)), where=denominator > 0)


def of_labels(y: Array, found: Array, folds: Array) -> dict[str, Array]:
    """The default metrics of several labels and the Hamming loss, by fold, greater is better; 0/0 is 0."""
    guess, member = (found > 0.5).astype(float), folds == np.arange(folds.max() + 1)[:, None]
    both, either = (y * guess).sum(axis=1), np.maximum(y, guess).sum(axis=1)
    wrong = sum(y[:, [j]] * (found >= found[:, [j]]) * (1 - y) for j in range(y.shape[1])).sum(axis=1)
    pairs = y.sum(axis=1) * (1 - y).sum(axis=1)
    samples = {
        "accuracy": (y == guess).all(axis=1).astype(float),
        "f1_samples": _ratio(2 * both, (y + guess).sum(axis=1)),
        "jaccard_samples": _ratio(both, either),
        "neg_hamming_loss": -(y != guess).mean(axis=1),
        "neg_label_ranking_loss": -_ratio(wrong, pairs),
    }
    hits, called = member @ (y * guess), member @ (y + guess)
    means = {name: member @ values / member.sum(axis=1) for name, values in samples.items()}
    micro = _ratio(2 * hits.sum(axis=1), called.sum(axis=1))
    return {**means, "f1_micro": micro, "f1_macro": _ratio(2 * hits, called).mean(axis=1)}


def of_numbers(y: Array, found: Array, folds: Array) -> dict[str, Array]:
    """R squared, the mean absolute error and the root mean squared error by fold, greater is better."""
    member = folds == np.arange(folds.max() + 1)[:, None]
    mean = member / member.sum(axis=1, keepdims=True)
    squared, variance = mean @ (y - found) ** 2, mean @ y**2 - (mean @ y) ** 2
    return {
        "r2": (1 - squared / variance).mean(axis=1),
        "neg_mean_absolute_error": -(mean @ np.abs(y - found)).mean(axis=1),
        "neg_root_mean_squared_error": -(squared**0.5).mean(axis=1),
    }


METRICS = {"multilabel": of_labels, "multioutput": of_numbers}


def differences(task: str, n: int, signal: float, seed: int) -> dict[tuple[str, str, str], Array]:
    """Score differences of two equal models by learner, design and metric, a value per fold."""
    rng = np.random.default_rng([seed, n, round(100 * signal), len(task)])
    y = (rng.random((n, 5)) < RATES).astype(float) if task == "multilabel" else rng.normal(size=(n, 3))
    centred = 2 * y - 1 if task == "multilabel" else y
    shown = signal * centred @ rng.normal(size=(y.shape[1], FEATURES))
    blocks = [shown + rng.normal(size=(n, FEATURES)) for _ in range(2)]
    order, values = rng.permutation(n), {}
    for (design, k), (learner, fit) in itertools.product(DESIGNS.items(), LEARNERS.items()):
        folds = order * k // n
        a, b = (METRICS[task](y, fit(X, y, folds), folds) for X in blocks)
        values.update({(learner, design, metric): a[metric] - b[metric] for metric in a})
    return values


def sizes(task: str, n: int, n_datasets: int) -> dict[tuple[str, str], list[float]]:
    """Shares of true nulls rejected at 5%, by design and metric, over signals and learners."""
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    for signal in SIGNALS.values():
        found = [differences(task, n, signal, seed) for seed in range(n_datasets)]
        for learner, design, metric in found[0]:
            d = np.stack([one[learner, design, metric] for one in found])
            shares[design, metric].append(float((fold_pvalues(d, design)[PROCEDURE] < 0.05).mean()))
    return shares


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--n-datasets", type=int, default=1000)
    parser.add_argument("--task", choices=[*METRICS], action="append", help="both by default")
    parser.add_argument("--samples", type=int, nargs="+", default=SAMPLES)
    options = parser.parse_args()
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for task, n in itertools.product(options.task or METRICS, options.samples):
        for (design, metric), one in sizes(task, n, options.n_datasets).items():
            shown = (f"{x:.3f}" for x in (np.mean(one), min(one), max(one)))
            table.writerow((PROCEDURE, design, task, n, metric, len(one), *shown))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
