"""Candidates for the default test of a design, on the data sets of the calibration study.

Run from a checkout, after ``python -m benchmarks.calibration simulate``: ``python -m benchmarks.candidates``. For each
design, candidate and metric: the mean and the range of the size at a nominal 5% over all nulls, the share of nulls
between 3% and 7%, and the mean share of differences found. "half" and the other shares of the correction replace
rho/(1 - rho) of the corrected t test by that part of it; "own share" is the share that makes the mean size of this very
metric 5%, so the best that a correlation per metric can do; "by run" subtracts the variance that averaging over repeats
removes; "instance" is the variance of the differences per sample, averaged over repeats (accuracy and recall, with
``--instances`` data sets of their own).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed
from scipy import optimize, special

from benchmarks.blocks import k_fold
from benchmarks.calibration import (
    BETTER,
    FEATURES,
    LEARNERS,
    METRICS,
    SIGNALS,
    SIZES,
    conditions,
    designs,
    fair_metrics,
    labels,
    stored,
)
from benchmarks.calibration_procedures import FOLDS, FRACTIONS, correction, five_by_two, t_pvalues
from benchmarks.fast_learners import Array, five_metrics
from skcompare.inference._overlap import OVERLAP

Candidate = Callable[[Array, str], Array]
SHARES = (0.3, 0.4, 0.5, 0.75)


def share_of(share: float) -> Candidate:
    def pvalues(d: Array, design: str) -> Array:
        n = d.shape[1]
        return t_pvalues(d, correction(n, FRACTIONS[design], share), n - 1)

    return pvalues


def by_run(d: Array, design: str) -> Array:
    """The variance of one run, less what the average over repeats removes."""
    repeats, folds = FOLDS[design]
    runs = d.reshape(-1, repeats, folds)
    within = runs.var(axis=2, ddof=1).mean(axis=1)
    gain = (1 - 1 / repeats) * runs.mean(axis=2).var(axis=1, ddof=1)
    variance = np.maximum(
        within * (1 / folds + 0.5 * FRACTIONS[design] / (1 - FRACTIONS[design])) - gain, within / d.shape[1]
    )
    return t_pvalues(d, 1.0, d.shape[1] - 1, np.sqrt(variance))


def of_design(design: str) -> dict[str, Candidate]:
    found: dict[str, Candidate] = {"corrected": share_of(1.0), **{f"share {s}": share_of(s) for s in SHARES}}
    if design in ("10x10", "10x5", "5x2"):
        found["by run"] = by_run
    if design == "10x10":
        found["10 df"] = lambda d, _: t_pvalues(d, 11**-0.5, 10)
    if design == "5x2":
        found["5x2 t"] = lambda d, _: five_by_two(d)["five_by_two_t_test"]
        found["5x2 F"] = lambda d, _: five_by_two(d)["five_by_two_f_test"]
    return found


def differences(folder: Path, ns: tuple[int, ...]) -> Iterator[tuple[str, str, str, Array]]:
    """(null, design, metric, differences) of every null and alternative that was simulated."""
    for condition in conditions(ns):
        for _, design, d in stored(folder, condition):
            for metric in fair_metrics(condition[0], condition[2], design):
                yield condition[0], design, metric, d[:, :, METRICS.index(metric)]


def row(label: str, metric: str, design: str, sizes: list[float], found: list[float]) -> str:
    inside = np.mean([0.03 <= size <= 0.07 for size in sizes])
    return (
        f"| {design} | {label} | {metric} | {100 * np.mean(sizes):.1f} | {100 * min(sizes):.1f} to "
        f"{100 * max(sizes):.1f} | {100 * inside:.0f}% | {f'{100 * np.mean(found):.1f}' if found else ''} |"
    )


def from_folds(folder: Path, ns: tuple[int, ...]) -> None:
    every = list(differences(folder, ns))
    print("| design | candidate | metric | mean size, % | range, % | 3% to 7% | found, % |")
    print("| --- | --- | --- | ---: | ---: | ---: | ---: |")
    for design in FRACTIONS:
        for metric in METRICS:
            own = [(null, d) for null, where, what, d in every if (where, what) == (design, metric)]
            nulls = [d for null, d in own if null not in BETTER]
            better = [d for null, d in own if null in BETTER]

            def rejected(candidate: Candidate, chosen: list[Array], design: str = design) -> list[float]:
                return [float((candidate(d, design) < 0.05).mean()) for d in chosen]

            def excess(share: float, nulls: list[Array] = nulls) -> float:
                return float(np.mean(rejected(share_of(share), nulls))) - 0.05

            best = optimize.brentq(excess, 0.0, 5.0, xtol=0.01)
            candidates = {**of_design(design), f"own share {best:.2f}": share_of(best)}
            for label, candidate in candidates.items():
                print(row(label, metric, design, rejected(candidate, nulls), rejected(candidate, better)), flush=True)


def instance_pvalues(null: str, balance: str, n: int, learner: str, n_datasets: int) -> dict[str, Array]:
    """p on 10x10 from the variance of the differences per sample."""
    found: dict[str, list[float]] = {"accuracy": [], "recall": []}
    for seed in range(n_datasets):
        rng = np.random.default_rng((seed, n))
        y = labels(n, balance, rng)
        X = [rng.normal(size=(n, FEATURES)) + SIGNALS[null] * (2 * y - 1)[:, None] for _ in range(2)]
        test = designs(y, rng)["10x10"]
        values = [LEARNERS[learner](block, y, ~test, 2 * seed + i) for i, block in enumerate(X)]
        a, b = (five_metrics(v, y, test).mean(axis=0) for v in values)
        right = [(((v > 0) == y) & test).sum(axis=0) / 10 for v in values]
        for metric, chosen in (("accuracy", np.ones(n, dtype=bool)), ("recall", y == 1)):
            own = (right[0] - right[1])[chosen]
            z = (a - b)[METRICS.index(metric)] / max(own.std() / len(own) ** 0.5, 1e-300)
            found[metric].append(float(2 * special.ndtr(-abs(z))))
    return {metric: np.array(p) for metric, p in found.items()}


def from_instances(ns: tuple[int, ...], n_datasets: int, n_jobs: int) -> None:
    chosen = [condition for condition in conditions(ns) if condition[0] in SIGNALS and condition[3] != "forest"]
    made = Parallel(n_jobs=n_jobs)(delayed(instance_pvalues)(*condition, n_datasets) for condition in chosen)
    for metric in ("accuracy", "recall"):
        sizes = [float((p[metric] < 0.05).mean()) for p in made]
        print(row(f"instance ({n_datasets} data sets, n {ns})", metric, "10x10", sizes, []))


FRESH = 1_000_000  # far from the seeds of the study


def fresh_pvalues(null: str, balance: str, n: int, learner: str, n_datasets: int) -> dict[tuple[str, str], Array]:
    """p of the k-fold t test by design and metric on data sets that no candidate has seen."""
    found: dict[tuple[str, str], list[Array]] = {}
    for seed in range(FRESH, FRESH + n_datasets):
        rng = np.random.default_rng((seed, n))
        y = labels(n, balance, rng)
        X = [rng.normal(size=(n, FEATURES)) + SIGNALS[null] * (2 * y - 1)[:, None] for _ in range(2)]
        for folds in (5, 10):
            test = np.array(k_fold(y, folds, rng))
            a, b = (
                five_metrics(LEARNERS[learner](block, y, ~test, 2 * seed + i), y, test) for i, block in enumerate(X)
            )
            for j, metric in enumerate(METRICS):
                found.setdefault((f"{folds}-fold", metric), []).append(a[:, j] - b[:, j])
    return {(design, metric): share_of(OVERLAP)(np.array(d), design) for (design, metric), d in found.items()}


def on_fresh_data(ns: tuple[int, ...], n_datasets: int, n_jobs: int) -> None:
    """The chosen share on other seeds, at three levels."""
    chosen = [condition for condition in conditions(ns) if condition[0] in SIGNALS]
    made = Parallel(n_jobs=n_jobs)(delayed(fresh_pvalues)(*condition, n_datasets) for condition in chosen)
    print("\n| design | metric | mean size at 1%, % | at 5% | at 10% | range at 5% | 3% to 7% |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for design, metric in made[0]:
        sizes = np.array([[(p[design, metric] < level).mean() for level in (0.01, 0.05, 0.1)] for p in made])
        inside = np.mean((sizes[:, 1] >= 0.03) & (sizes[:, 1] <= 0.07))
        means = " | ".join(f"{100 * mean:.1f}" for mean in sizes.mean(axis=0))
        ends = f"{100 * sizes[:, 1].min():.1f} to {100 * sizes[:, 1].max():.1f}"
        print(f"| {design} | {metric} | {means} | {ends} | {100 * inside:.0f}% |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("calibration-scores"))
    parser.add_argument("--samples", type=int, nargs="*", default=SIZES)
    parser.add_argument("--instances", type=int, default=400)
    parser.add_argument("--fresh", type=int, default=1000, help="data sets with other seeds, for the share chosen")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    from_folds(options.folder, tuple(options.samples))
    if options.instances:
        from_instances((60, 200), options.instances, options.jobs)
    if options.fresh:
        on_fresh_data(tuple(options.samples), options.fresh, options.jobs)


if __name__ == "__main__":
    main()
