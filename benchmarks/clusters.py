"""How often tests reject a true null, and intervals hold the truth, where the samples of one test set come in clusters.

Run from a checkout: ``python -m benchmarks.clusters --n-simulations 1000``. Two models are right on 80% of the samples,
each by itself, so that the null is true. With probability ``sqrt(rho)`` a sample takes the outcome that its model has
for the whole cluster, and otherwise one of its own: the intraclass correlation of right and wrong, and of their
differences, is then exactly ``rho``. Clusters are of equal size, or of sizes that are 1 to 9 times the smallest.
"""

from __future__ import annotations

import argparse
import time
import warnings
from datetime import date
from typing import Any

import numpy as np

from skcompare.inference import cluster_t_test, mcnemar_test, paired_bootstrap, paired_metric_test, paired_t_test

SAMPLES, CLUSTERS, CORRELATIONS = (50, 200, 2000), (10, 30, 100), (0.0, 0.1, 0.5)
RIGHT = 0.8
N_RESAMPLES = 999
COLUMNS = (
    "paired_t_test",
    "mcnemar_test",
    "F1 exchanges of samples",
    "cluster_t_test",
    "F1 exchanges of clusters",
    "bootstrap of clusters",
    "coverage of cluster_t_test",
    "coverage of the bootstrap",
)


def members(n: int, n_clusters: int, *, unequal: bool) -> np.ndarray:
    """The cluster of each sample."""
    ends = np.cumsum(np.linspace(1, 9 if unequal else 1, n_clusters))
    return np.searchsorted(ends / ends[-1], (np.arange(n) + 0.5) / n)


def outcomes(rng: np.random.Generator, clusters: np.ndarray, rho: float) -> np.ndarray:
    """Whether one model is right on each sample."""
    shared = rng.random(clusters.max() + 1) < RIGHT
    copies = rng.random(clusters.size) < rho**0.5
    return np.where(copies, shared[clusters], rng.random(clusters.size) < RIGHT)


def one(seed: list[int], clusters: np.ndarray, rho: float) -> list[bool]:
    """What each column says of one simulated test set: rejected, or held."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=clusters.size)
    a, b = (outcomes(rng, clusters, rho) for _ in range(2))
    labels = [np.where(right, y, 1 - y) for right in (a, b)]
    drawn: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": rng, "positive": 1}
    of_means = cluster_t_test(a * 1.0, b * 1.0, clusters=clusters)
    bootstrap = paired_bootstrap(y, *labels, "accuracy", clusters=clusters, **drawn)
    records = [
        paired_t_test(a * 1.0, b * 1.0),
        mcnemar_test(a, b),
        paired_metric_test(y, *labels, "f1", **drawn),
        of_means,
        paired_metric_test(y, *labels, "f1", clusters=clusters, **drawn),
        bootstrap,
    ]
    intervals = [record.confidence_interval() for record in (of_means, bootstrap)]
    held = [bool(interval.low <= 0 <= interval.high) for interval in intervals]
    return [bool(record.pvalue < 0.05) for record in records] + held


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-simulations", type=int, default=1000)
    options = parser.parse_args()
    n = options.n_simulations
    warnings.simplefilter("ignore")
    error, of_coverage = ((p * (1 - p) / n) ** 0.5 for p in (0.05, 0.95))
    print(f"{date.today()}; {n} simulations per row, {N_RESAMPLES} resamples; standard error at 5% and 95%: ", end="")
    print(f"{error:.1%}, {of_coverage:.1%}\n")
    print(f"| samples | clusters | correlation | {' | '.join(COLUMNS)} |")
    print(f"|{' ---: |' * (3 + len(COLUMNS))}")
    start = time.perf_counter()
    for n_samples, n_clusters, unequal in settings():
        clusters = members(n_samples, n_clusters, unequal=unequal)
        for i, rho in enumerate(CORRELATIONS):
            found = [one([seed, n_samples, n_clusters, i], clusters, rho) for seed in range(n)]
            shares = " | ".join(f"{share:.1%}" for share in np.mean(found, axis=0))
            sizes = f"{n_clusters}{', unequal' if unequal else ''}"
            print(f"| {n_samples:,} | {sizes} | {rho} | {shares} |", flush=True)
    print(f"\n{time.perf_counter() - start:.0f} s")


def settings() -> list[tuple[int, int, bool]]:
    """Samples, clusters and whether these are of unequal sizes."""
    equal = [(n, k, False) for n in SAMPLES for k in CLUSTERS if k < n]
    return [*equal, (2000, 30, True)]


if __name__ == "__main__":
    main()
