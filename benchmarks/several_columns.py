"""How often tests on one test set reject a true null where each sample has several labels, or several numbers.

Run from a checkout: ``python -m benchmarks.several_columns --n-simulations 2000``. Of five labels each sample has 10%,
20%, 30%, 40% and 50%. Two models give log odds: 1 or -1 by the label, plus noise of the sample, of the label and of
the model alone; they are equally good on every label. Of three numbers two models err by noise of the sample and by
noise of their own. "alike" has one scale of both; in "unlike" it is twice as large for the first model on the first
number, and for the second model on the second: the models are equally good, but cannot be exchanged.
"""

from __future__ import annotations

import argparse
import warnings
from datetime import date
from typing import Any

import numpy as np

from skcompare import from_predictions

SAMPLES = (50, 200, 1000)
N_RESAMPLES = 999
RATES = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
OF_LABELS = (
    *("accuracy", "f1_micro", "f1_macro", "f1_samples", "jaccard_samples"),
    *("neg_hamming_loss", "neg_label_ranking_loss"),
)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-simulations", type=int, default=2000)
    parser.add_argument("--samples", type=int, nargs="+", default=SAMPLES)
    parser.add_argument("--null", nargs="+", choices=list(NULLS), default=list(NULLS))
    options = parser.parse_args()
    times = options.n_simulations
    warnings.simplefilter("ignore")
    print(f"{date.today()}; {times} simulations per row; standard error at 5%: {(0.05 * 0.95 / times) ** 0.5:.1%}\n")
    print("| null | samples | metric | test | rejected |\n| --- | ---: | --- | --- | ---: |")
    for null in options.null:
        draw, metrics = NULLS[null]
        for n in options.samples:
            rejected, tests = np.zeros(len(metrics)), [""] * len(metrics)
            for seed in range(times):
                rng = np.random.default_rng([seed, n])
                result = draw(rng, n)
                for i, metric in enumerate(metrics):
                    drawn = {"n_resamples": N_RESAMPLES, "rng": rng} if metric in ("f1_micro", "f1_macro") else {}
                    test = "mcnemar_test" if metric == "accuracy" else "paired_t_test"
                    test = "paired_metric_test" if drawn else test
                    rejected[i] += result.test(test, metric=metric, **drawn).pvalue < 0.05 + 1e-12
                    tests[i] = test
            for metric, test, share in zip(metrics, tests, rejected / times, strict=True):
                print(f"| {null} | {n:,} | {metric} | {test} | {share:.1%} |", flush=True)


if __name__ == "__main__":
    main()
