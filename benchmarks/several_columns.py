"""How often tests reject a true null where a sample has several labels or numbers.

Run from a checkout: ``python -m benchmarks.several_columns predictions PART``, where the part is ``folds``,
``predictions``; without one it is ``folds``.
"""

from __future__ import annotations

import csv
import itertools
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import error_at_5, head, line, options, rejected, run_part
from benchmarks.calibration import default_pvalues
from benchmarks.fast_learners import Array
from skcompare import from_predictions

# ---- folds ------------------------------------------------------------------------------------------------------


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
            shares[design, metric].append(rejected(default_pvalues(d, design)))
    return shares


def main_of_folds() -> None:
    """How often the default test on folds rejects a true null where each sample has several labels, or several numbers.

        python -m benchmarks.several_columns folds > docs/data/measured_on_columns.csv

    Run from a checkout. Two models are equal by construction, as in `benchmarks.calibration`: the same learner, each on
    its own block of ten features. Five labels occur in 10%, 20%, 30%, 40% and 50% of the samples, three numbers are
    normal; the blocks are one random mixture of these, with the weight of the signal, plus noise of their own.
    """
    n_datasets = options(main_of_folds.__doc__, n_datasets=1000).n_datasets
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(COLUMNS)
    for task, n in itertools.product(METRICS, SAMPLES):
        for (design, metric), one in sizes(task, n, n_datasets).items():
            shown = (f"{x:.3f}" for x in (np.mean(one), min(one), max(one)))
            table.writerow((PROCEDURE, design, task, n, metric, len(one), *shown))
        sys.stdout.flush()


# ---- predictions ------------------------------------------------------------------------------------------------


SAMPLES_OF_PREDICTIONS = (50, 200, 1000)
N_RESAMPLES = 999
OF_LABELS = ("accuracy", "f1_micro", "f1_macro", "f1_samples", "jaccard_samples")
OF_LABELS += ("neg_hamming_loss", "neg_label_ranking_loss")
OF_NUMBERS = ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error")


def label_sets(rng: np.random.Generator, n: int) -> Any:
    """The labels, and the log odds of both models."""
    y = (rng.random((n, len(RATES))) < RATES).astype(int)
    shared = rng.normal(size=(n, 1)) / 2 + rng.normal(size=y.shape) / 2
    a, b = (2 * y - 1 + shared + rng.normal(size=y.shape) for _ in range(2))
    return from_predictions(y, {"a": {"score": a}, "b": {"score": b}}, scoring=list(OF_LABELS))


def numbers(rng: np.random.Generator, n: int, *, unlike: bool) -> Any:
    """The numbers, and those that both models predict."""
    y, shared = rng.normal(size=(n, 3)), rng.normal(size=(n, 1)) / 2
    scales = np.array([[2.0, 1.0, 1.0], [1.0, 2.0, 1.0]]) if unlike else np.ones((2, 3))
    a, b = (y + scale * (shared + rng.normal(size=y.shape)) for scale in scales)
    return from_predictions(y, {"a": a, "b": b}, scoring=list(OF_NUMBERS))


NULLS = {
    "labels": (label_sets, OF_LABELS),
    "numbers, alike": (lambda rng, n: numbers(rng, n, unlike=False), OF_NUMBERS),
    "numbers, unlike": (lambda rng, n: numbers(rng, n, unlike=True), OF_NUMBERS),
}


def test_of(metric: str) -> str:
    drawn = metric in ("f1_micro", "f1_macro")
    return "mcnemar_test" if metric == "accuracy" else "paired_metric_test" if drawn else "paired_t_test"


def main_of_predictions() -> None:
    """How often tests on one test set reject a true null where each sample has several labels, or several numbers.

    Run from a checkout: ``python -m benchmarks.several_columns predictions --n-simulations 2000``. Of five labels each
    sample has 10%, 20%, 30%, 40% and 50%. Two models give log odds: 1 or -1 by the label, plus noise of the sample, of
    the label and of the model alone; they are equally good on every label. Of three numbers two models err by noise of
    the sample and by noise of their own. "alike" has one scale of both; in "unlike" it is twice as large for the first
    model on the first number, and for the second model on the second: the models are equally good, but cannot be
    exchanged.
    """
    times = options(main_of_predictions.__doc__, n_simulations=2000).n_simulations
    warnings.simplefilter("ignore")
    print(f"{error_at_5(times)}\n{head(('null', 'samples', 'metric', 'test', 'rejected'))}")
    for null, n in itertools.product(NULLS, SAMPLES_OF_PREDICTIONS):
        draw, metrics = NULLS[null]
        rejected = dict.fromkeys(((metric, test_of(metric)) for metric in metrics), 0)
        for seed in range(times):
            rng = np.random.default_rng([seed, n])
            result = draw(rng, n)
            for metric, test in rejected:
                drawn = {"n_resamples": N_RESAMPLES, "rng": rng} if test == "paired_metric_test" else {}
                rejected[metric, test] += result.test(test, metric=metric, **drawn).pvalue < 0.05 + 1e-12
        for (metric, test), count in rejected.items():
            print(line(null, f"{n:,}", metric, test, f"{count / times:.1%}"), flush=True)


if __name__ == "__main__":
    run_part(main_of_folds, main_of_predictions)
