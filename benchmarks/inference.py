"""Time of the procedures, beside mlxtend where it has the same one.

Run from a checkout: ``python -m benchmarks.inference``. mlxtend is optional (``pip install mlxtend``); its cells stay
empty without it. Both run in one process, interleaved; the figures are medians.
"""

from __future__ import annotations

import os
import platform
import statistics
import warnings
from collections.abc import Callable
from datetime import date
from time import perf_counter
from typing import Any

import numpy as np

from skcompare.inference import cochran_q_test, delong_test, mcnemar_test, paired_bootstrap, permutation_test

try:
    from mlxtend.evaluate import cochrans_q, mcnemar, mcnemar_table
    from mlxtend.evaluate import permutation_test as mlxtend_permutation
except ImportError:
    cochrans_q = mcnemar = mcnemar_table = mlxtend_permutation = None

Contender = Callable[[], Any] | None


def measure(ours: Callable[[], Any], peer: Contender, rounds: int) -> tuple[float, float | None]:
    """Median seconds of a call of either, after one unmeasured round."""
    times: dict[str, list[float]] = {"ours": [], "peer": []}
    for round_ in range(rounds + 1):
        for name, run in (("ours", ours), ("peer", peer)):
            if run is not None:
                seconds = per_call(run)
                if round_:
                    times[name].append(seconds)
    return statistics.median(times["ours"]), statistics.median(times["peer"]) if times["peer"] else None


def per_call(run: Callable[[], Any]) -> float:
    """Seconds of one call, from as many as fill 20 ms."""
    n_calls, start = 0, perf_counter()
    while not n_calls or perf_counter() - start < 0.02:
        run()
        n_calls += 1
    return (perf_counter() - start) / n_calls


def permutations() -> list[tuple[str, Callable[[], Any], str, Contender, int]]:
    rng = np.random.default_rng(0)
    rows: list[tuple[str, Callable[[], Any], str, Contender, int]] = []
    for n in (10, 14, 20, 40):
        a, b = rng.normal(0.82, 0.03, n), rng.normal(0.80, 0.03, n)

        def ours(a: Any = a, b: Any = b) -> Any:
            return permutation_test(a, b)

        def exact(a: Any = a, b: Any = b) -> Any:
            return mlxtend_permutation(a, b, paired=True, method="exact")

        def approximate(a: Any = a, b: Any = b) -> Any:
            return mlxtend_permutation(a, b, paired=True, method="approximate", num_rounds=10_000, seed=0)

        if n <= 14:
            rows.append((f"paired permutation, n={n}, exact", ours, "exact", mlxtend_permutation and exact, 5))
        else:
            peer = mlxtend_permutation and approximate
            rows.append((f"paired permutation, n={n}, exact", ours, "10,000 rounds", peer, 3))
    return rows


def outcomes() -> list[tuple[str, Callable[[], Any], str, Contender, int]]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 100_000)
    score_a, score_b = y + rng.normal(0, 1, y.size), y + rng.normal(0, 1.1, y.size)
    truth = rng.integers(0, 2, 10_000)
    pred_a, pred_b = (np.where(rng.random(truth.size) < right, truth, 1 - truth) for right in (0.85, 0.83))
    correct = rng.random((1_000_000, 5)) < 0.8
    few = rng.random((10_000, 5)) < 0.8
    labels, predicted = np.ones(len(few), dtype=int), few.astype(int)

    def peer_q() -> Any:
        return cochrans_q(labels, *predicted.T)

    def peer_mcnemar() -> Any:
        return mcnemar(mcnemar_table(labels, predicted[:, 0], predicted[:, 1]), exact=True)

    return [
        ("DeLong, 1e5 samples", lambda: delong_test(y, score_a, score_b), "", None, 5),
        ("bootstrap of F1, 10,000 resamples of 1e4", lambda: _bootstrap(truth, pred_a, pred_b), "", None, 5),
        ("Cochran Q, 1e6 x 5", lambda: cochran_q_test(correct), "", None, 3),
        ("Cochran Q, 1e4 x 5", lambda: cochran_q_test(few), "chi2", cochrans_q and peer_q, 5),
        (
            "McNemar, 1e4, exact",
            lambda: mcnemar_test(few[:, 0], few[:, 1], method="exact"),
            "exact",
            mcnemar and peer_mcnemar,
            5,
        ),
    ]


def _bootstrap(truth: Any, pred_a: Any, pred_b: Any) -> Any:
    return paired_bootstrap(truth, pred_a, pred_b, "f1", n_resamples=10_000, rng=0).confidence_interval()


def main() -> None:
    warnings.simplefilter("ignore")
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}; medians\n")
    print("| procedure | skcompare | mlxtend | times as long |")
    print("| --- | ---: | ---: | ---: |")
    for name, ours, variant, peer, rounds in [*permutations(), *outcomes()]:
        mine, theirs = measure(ours, peer, rounds)
        cell = "" if theirs is None else f"{1000 * theirs:.3g} ms ({variant})"
        ratio = "" if theirs is None else f"{theirs / mine:,.0f}"
        print(f"| {name} | {1000 * mine:.3g} ms | {cell} | {ratio} |", flush=True)


if __name__ == "__main__":
    main()
