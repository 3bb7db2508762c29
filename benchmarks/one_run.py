"""One run of folds in the calibration study: the procedures that stand beside the default test, on the same data sets.

Run from a checkout (needs numba): ``python -m benchmarks.one_run simulate`` draws the data sets, splits and seeds of
`benchmarks.calibration` and fits the 10 and the 5 folds that come first, up to 200 samples all 10x10 (20 minutes of one
core, resumable); ``python -m benchmarks.one_run test`` gives them to the procedures, puts their rows into the tables of
the study in place of those there, and prints the figures that the study has no place for.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from benchmarks.calibration import (
    BETTER,
    CHUNK,
    FEATURES,
    LEARNERS,
    SIGNALS,
    SIZES,
    conditions,
    designs,
    file_of,
    labels,
)
from benchmarks.fast_learners import Array, five_metrics

REPEATED = 200  # samples up to which all 10x10 folds are fitted
Condition = tuple[str, str, int, str]


def scores(condition: Condition, seed: int) -> Array:
    """Scores of both models, shape (n_splits, 2, n_metrics): of 10x10 or its first run, then of the 5 folds."""
    null, balance, n, learner = condition
    signals = (BETTER[null], SIGNALS["signal"]) if null in BETTER else (SIGNALS[null], SIGNALS[null])
    rng = np.random.default_rng((seed, n))
    y = labels(n, balance, rng)
    X = [rng.normal(size=(n, FEATURES)) + signal * (2 * y - 1)[:, None] for signal in signals]
    drawn = designs(y, rng)
    tests = np.concatenate([drawn["10x10" if n <= REPEATED else "10-fold"], drawn["10x5"][:5]])
    found = [five_metrics(LEARNERS[learner](own, y, ~tests, 2 * seed + i), y, tests) for i, own in enumerate(X)]
    return np.stack(found, axis=1)


def chosen(ns: tuple[int, ...]) -> list[Condition]:
    """The conditions of the study in which both models are the same learner."""
    return [one for one in conditions(ns) if one[0] != "noise"]


def simulate(folder: Path, ns: tuple[int, ...], n_datasets: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, n_datasets, CHUNK):
        for condition in chosen(ns):
            path = file_of(folder, condition, start).with_suffix(".npy")
            if not path.exists():
                found = np.stack([scores(condition, seed) for seed in range(start, start + CHUNK)])
                part = path.with_suffix(".part")
                with part.open("wb") as stream:
                    np.save(stream, found)
                part.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("simulate", "test"))
    parser.add_argument("--folder", type=Path, default=Path("one-run-scores"))
    parser.add_argument("--n-datasets", type=int, default=1000)
    parser.add_argument("--samples", type=int, nargs="*", default=SIZES)
    options = parser.parse_args()
    if options.part == "simulate":
        simulate(options.folder, tuple(options.samples), options.n_datasets)


if __name__ == "__main__":
    main()
