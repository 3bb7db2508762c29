"""What joint tests of several metrics cost: ``python -m benchmarks.dominance``, from a checkout."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator
from skcompare.inference import dominance_counts, dominance_network, dominance_posterior

EQUAL_ACCURACY = 1e-3
N_DRAWS = int(0.25 / EQUAL_ACCURACY**2)  # of a share near 1/2


def monte_carlo(alpha: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Shares of Dirichlet draws in which each component is the largest; a Dirichlet vector is gammas over their sum."""
    wins = np.zeros(alpha.size)
    for _ in range(10):
        draws = rng.standard_gamma(alpha, (N_DRAWS // 10, alpha.size))
        wins += np.bincount(draws.argmax(axis=1), minlength=alpha.size)
    return wins / N_DRAWS


def median_time(function: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        function()
        times.append(perf_counter() - start)
    return float(np.median(times))


def print_times() -> None:
    rng = np.random.default_rng(0)
    print(f"{date.today()}; medians\n")
    print(f"| metrics | distinct counts | exact, ms | {N_DRAWS:,} draws, ms | times faster | largest difference |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: |")
    for m in (2, 5, 8, 10):
        counts = np.zeros(2**m)
        filled = min(40, 2**m)
        counts[:filled] = rng.permutation(40)[:filled]
        exact_times, drawn_times = [], []
        for _ in range(2 if m > 5 else 5):
            exact_times.append(median_time(lambda c=counts: dominance_posterior(c), 50))
            drawn_times.append(median_time(lambda c=counts: monte_carlo(c + 1 / c.size, rng), 1))
        exact, drawn = np.median(exact_times), np.median(drawn_times)
        gap = np.abs(dominance_posterior(counts).probabilities - monte_carlo(counts + 1 / counts.size, rng)).max()
        distinct = len(np.unique(counts))
        print(f"| {m} | {distinct} | {exact * 1e3:.2f} | {drawn * 1e3:.0f} | {drawn / exact:.0f} | {gap:.1e} |")
    print("\n| metrics | cases | structure | dominance_network, s |")
    print("| ---: | ---: | --- | ---: |")
    for m in (2, 5, 8):
        a = rng.normal(size=(100, 1)) + rng.normal(size=(100, m))
        for structure in ("search", "average"):
            seconds = median_time(lambda a=a, s=structure: dominance_network(a, 0 * a, structure=s, rng=0), 5)
            print(f"| {m} | 100 | {structure} | {seconds:.3f} |")
    a, b = rng.normal(size=(2, 100_000, 12)).round(1)
    print(f"\ndominance_counts of 100,000 cases, 12 metrics: {median_time(lambda: dominance_counts(a, b), 5):.3f} s")


def print_time_noise() -> None:
    """How far the times of one and the same model differ, as measured and as dominance compares them."""
    X, y = load_breast_cancer(return_X_y=True)
    print("\nNine in ten differences between the times of a model and itself are below:\n")
    print("| model | design | metric | typical time, ms | as measured | medians over repeats |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    for model in (GaussianNB(), DecisionTreeClassifier(max_depth=3)):
        for cv in (10, "10x10"):
            evaluator = PairedEvaluator(cv=cv, scoring=["fit_time", "predict_time"], random_state=0)
            result = evaluator.evaluate({"one": model, "other": model}, X, y)
            for metric in result.metrics:
                times = np.stack([result.score(name, metric) for name in result.estimators])
                medians = np.median(times.reshape(2, -1, result.design.n_folds), axis=1)
                gaps = [np.quantile(np.abs(np.subtract(*t)) / t.max(axis=0), 0.9) for t in (times, medians)]
                print(
                    f"| {type(model).__name__} | {result.design.name} | {metric} | {np.median(times) * 1e3:.2f} | "
                    f"{gaps[0]:.0%} | {gaps[1]:.0%} |"
                )


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    print_times()
    print_time_noise()


if __name__ == "__main__":
    main()
