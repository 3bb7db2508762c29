"""What procedures on many data sets cost, and how often they reject a true null.

Run from a checkout: ``python -m benchmarks.studies`` for the times, with ``--sizes`` for the sizes. baycomp is
optional; its cell stays empty without it.
"""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import pandas as pd

from skcompare.inference import (
    adjust_pairs,
    aligned_ranks_posthoc_test,
    conover_test,
    control_test,
    dunn_test,
    friedman_test,
    hierarchical_posterior,
    nemenyi_test,
    pairwise_posterior,
    pairwise_signed_rank_test,
    plackett_luce_posterior,
    quade_posthoc_test,
    quade_test,
    sign_test,
    signed_rank_posterior,
    signed_rank_test,
    tukey_test,
)

try:
    import baycomp
except ImportError:
    baycomp = None

TABLES = Path(__file__).parents[1] / "docs" / "data"
N_NULLS = 2000


def seconds(run: Callable[[], Any], repeats: int = 5) -> float:
    times = []
    for _ in range(repeats):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return float(np.median(times))


def folds_of_54_datasets() -> dict[str, np.ndarray]:
    """Accuracy of each classifier, shape (54, 100)."""
    frame = pd.read_csv(TABLES / "uci54_10x10cv_accuracy.csv.gz")
    return {
        str(name): part.pivot(index="dataset", columns=["repeat", "fold"], values="accuracy").to_numpy()
        for name, part in frame.groupby("classifier")
    }


def print_times() -> None:
    rng = np.random.default_rng(0)
    table = rng.normal(size=(100, 50)) + 0.1 * np.arange(50)
    folds = folds_of_54_datasets()
    nbc, aode = folds["nbc"], folds["aode"]
    demsar = pd.read_csv(TABLES / "demsar_2006_auc.csv").set_index("dataset").to_numpy()
    print("| procedure | data | seconds |")
    print("| --- | --- | ---: |")
    posthocs: dict[str, Callable[[], Any]] = {
        "nemenyi_test": lambda: nemenyi_test(table),
        "conover_test": lambda: conover_test(table),
        "tukey_test": lambda: tukey_test(table),
        "dunn_test": lambda: dunn_test(table),
        "quade_posthoc_test": lambda: quade_posthoc_test(table),
        "aligned_ranks_posthoc_test": lambda: aligned_ranks_posthoc_test(table),
        "pairwise_signed_rank_test": lambda: pairwise_signed_rank_test(table),
        "control_test": lambda: control_test(table, control=0),
    }
    for name, run in posthocs.items():
        print(f"| {name} | 50 models x 100 data sets | {seconds(run):.3f} |")
    nine = rng.uniform(size=(9, 9))
    nine = np.triu(nine, 1) + np.triu(nine, 1).T + np.eye(9)
    print(f"| Bergmann and Hommel | 9 models | {seconds(lambda: adjust_pairs(nine, 'bergmann')):.3f} |")
    exact = seconds(lambda: friedman_test(demsar, method="exact"))
    print(f"| friedman_test, exact | 14 x 4 with ties | {exact:.3f} |")
    hierarchical = seconds(lambda: hierarchical_posterior(aode, nbc, test_fraction=0.1, rope=0.01), 3)
    print(f"| hierarchical_posterior | 54 data sets x 100 folds | {hierarchical:.3f} |")
    pairs = rng.normal(size=(50, 20)) + 0.1 * np.arange(20)
    plackett_luce = seconds(lambda: plackett_luce_posterior(pairs, rng=0), 1)
    print(f"| plackett_luce_posterior | 20 models x 50 data sets | {plackett_luce:.3f} |")
    posteriors = seconds(lambda: pairwise_posterior(table[:, :10], rng=0), 1)
    print(f"| pairwise_posterior | 10 models x 100 data sets | {posteriors:.3f} |")
    a, b = aode.mean(axis=1), nbc.mean(axis=1)
    ours, peer = [], []
    for _ in range(5):
        ours.append(seconds(lambda: signed_rank_posterior(a, b, rope=0.01, rng=0), 1))
        if baycomp is not None:
            peer.append(seconds(lambda: baycomp.SignedRankTest.probs(a, b, 0.01, nsamples=50_000), 1))
    against = f"; baycomp {np.median(peer):.3f}, {np.median(peer) / np.median(ours):.0f} times" if peer else ""
    print(f"| signed_rank_posterior | 54 data sets, 50,000 draws | {np.median(ours):.3f}{against} |")


def print_sizes() -> None:
    """Rejections at 5% of models that are equally good: normal scores with a level per data set."""
    rng = np.random.default_rng(0)
    procedures: dict[str, Callable[[np.ndarray], float]] = {
        "signed_rank_test": lambda t: signed_rank_test(t[:, 0], t[:, 1]).pvalue,
        "sign_test": lambda t: sign_test(t[:, 0], t[:, 1]).pvalue,
        "friedman_test, auto": lambda t: friedman_test(t, method="auto").pvalue,
        "friedman_test": lambda t: friedman_test(t).pvalue,
        "friedman_test, chi2": lambda t: friedman_test(t, statistic="chi2").pvalue,
        "quade_test": lambda t: quade_test(t).pvalue,
        "pairwise_signed_rank_test, any pair": lambda t: pairwise_signed_rank_test(t).pvalues.min(),
        "pairwise_signed_rank_test, Shaffer": lambda t: pairwise_signed_rank_test(
            t, correction="shaffer"
        ).pvalues.min(),
        "nemenyi_test, any pair": lambda t: nemenyi_test(t).pvalues.min(),
        "control_test, any model": lambda t: control_test(t, control=0).pvalues.min(),
    }
    sizes = (6, 10, 30)
    print(f"\n{N_NULLS} simulated tables of 5 models; standard error at .05: {(0.05 * 0.95 / N_NULLS) ** 0.5:.4f}\n")
    print(f"| procedure | {' | '.join(f'{n} data sets' for n in sizes)} |")
    print(f"| --- |{' ---: |' * len(sizes)}")
    tables = {n: rng.normal(size=(N_NULLS, n, 1)) + rng.normal(size=(N_NULLS, n, 5)) for n in sizes}
    for name, run in procedures.items():
        cells = [f"{np.mean([run(table) < 0.05 for table in tables[n]]):.3f}" for n in sizes]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", action="store_true", help="measure sizes instead of times")
    options = parser.parse_args()
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}; medians\n")
    if options.sizes:
        print_sizes()
    else:
        print_times()


if __name__ == "__main__":
    main()
