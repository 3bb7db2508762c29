"""The family-wise error rate of `compare`: how often equal models get any significant difference.

Run from a checkout: ``python -m benchmarks.families`` draws the data sets, fits the models, compares all pairs on all
metrics by the default procedure under Holm's adjustment at 5%, and writes the tables (ten minutes of one core; needs
numba).

The models are equal by construction, as in `benchmarks.calibration`: the same learner, each on its own block of five
features that are drawn alike. Of the five blocks of a data set 2, 3, 4 and 5 models take the first; every choice of
the five metrics is a family of its own. The forest of the study is left out, which takes longer than all others.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import itertools
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from joblib import Parallel, delayed

from benchmarks.blocks import k_fold
from benchmarks.calibration import FEATURES, LEARNERS, METRICS, POSITIVE, SIGNALS, SIZES, labels
from benchmarks.calibration_procedures import fold_pvalues
from benchmarks.fast_learners import Array, five_metrics

QUICK = tuple(name for name in LEARNERS if name != "forest")
MODELS = (2, 3, 4, 5)
DEFAULT = {"10x10": "corrected_t_test", "10-fold": "k_fold_t_test", "5-fold": "k_fold_t_test"}
CHOICES = [chosen for size in range(1, 6) for chosen in itertools.combinations(METRICS, size)]
PAIRS = list(itertools.combinations(range(max(MODELS)), 2))
CHUNK = 50
LEVEL = 0.05
CELL_COLUMNS = (
    *("null", "balance", "n_samples", "learner", "design", "procedure", "models", "metrics", "n_datasets", "rejected"),
)
SUMMARY_COLUMNS = (
    *("procedure", "design", "n_samples", "balance", "models", "metrics", "families", "mean", "low", "high"),
)


def scores(n: int, balance: str, signal: float, learner: str, seed: int) -> dict[str, Array]:
    """Scores of the five equal models by design, shape (n_splits, n_models, n_metrics)."""
    rng = np.random.default_rng((seed, n, 5))
    y = labels(n, balance, rng)
    tests = np.array([test for _ in range(10) for test in k_fold(y, 10, rng)] + k_fold(y, 5, rng))
    X = rng.normal(size=(max(MODELS), n, FEATURES)) + signal * (2 * y - 1)[:, None]
    found = np.stack(
        [five_metrics(LEARNERS[learner](own, y, ~tests, 5 * seed + i), y, tests) for i, own in enumerate(X)], axis=1
    )
    return {"10x10": found[:100], "10-fold": found[:10], "5-fold": found[100:]}


def pvalues(found: Array, design: str) -> Array:
    """Of all pairs on all metrics by the default procedure, from scores (n_datasets, n_splits, n_models, n_metrics).

    Shape (n_datasets, n_pairs, n_metrics).
    """
    columns = [
        [fold_pvalues(found[:, :, a, m] - found[:, :, b, m], design)[DEFAULT[design]] for m in range(len(METRICS))]
        for a, b in PAIRS
    ]
    return np.moveaxis(np.array(columns), 2, 0)


def any_difference(p: Array, models: int, metrics: tuple[str, ...]) -> Array:
    """Whether `compare` finds any: the smallest p-value, adjusted by Holm over all pairs and metrics, is below 5%."""
    own = [i for i, pair in enumerate(PAIRS) if max(pair) < models]
    family = p[:, own][:, :, [METRICS.index(metric) for metric in metrics]].reshape(len(p), -1)
    return np.asarray(family.min(axis=1) * family.shape[1] < LEVEL)


def chunk(condition: tuple[str, str, int, str], start: int) -> dict[str, Array]:
    """The p-values of a chunk of data sets, by design."""
    null, balance, n, learner = condition
    drawn = [scores(n, balance, SIGNALS[null], learner, seed) for seed in range(start, start + CHUNK)]
    return {design: pvalues(np.stack([one[design] for one in drawn]), design) for design in DEFAULT}


def cells(condition: tuple[str, str, int, str], parts: list[dict[str, Array]]) -> Iterator[tuple[object, ...]]:
    """Rows of `CELL_COLUMNS`; one comparison alone is no family."""
    for design, procedure in DEFAULT.items():
        p = np.concatenate([part[design] for part in parts])
        for models, metrics in itertools.product(MODELS, CHOICES):
            if models > 2 or len(metrics) > 1:
                rejected = int(any_difference(p, models, metrics).sum())
                yield *condition, design, procedure, models, "+".join(metrics), len(p), rejected


def summarised(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    """Rows of `SUMMARY_COLUMNS`: over the nulls and over all choices of so many metrics."""
    shares: dict[tuple[object, ...], list[float]] = defaultdict(list)
    for _, balance, n, _, design, procedure, models, metrics, n_datasets, rejected in rows:
        key = procedure, design, n, balance, models, len(str(metrics).split("+"))
        shares[key].append(int(str(rejected)) / int(str(n_datasets)))
    return [
        (*key, len(found), *(f"{x:.4f}" for x in (np.mean(found), min(found), max(found))))
        for key, found in sorted(shares.items(), key=str)
    ]


def page(rows: list[dict[str, str]]) -> str:
    """Markdown: by design, number of models and samples, on accuracy, accuracy and ROC AUC, and all five metrics."""
    chosen = ("accuracy", "accuracy+roc_auc", "+".join(METRICS))
    shares: dict[tuple[str, str, str, str], list[float]] = defaultdict(list)
    for row in rows:
        share = 100 * int(row["rejected"]) / int(row["n_datasets"])
        shares[row["design"], row["models"], row["n_samples"], row["metrics"]].append(share)
    lines = [
        "| design | models | samples | accuracy | accuracy and ROC AUC | all five |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for design, models, n in itertools.product(DEFAULT, MODELS, SIZES):
        found = [shares[design, str(models), str(n), metrics] for metrics in chosen]
        spans = [f"{np.mean(own):.1f} ({min(own):.1f} to {max(own):.1f})" if own else "" for own in found]
        lines.append(f"| {design} | {models} | {n:,} | {' | '.join(spans)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-datasets", type=int, default=300)
    parser.add_argument("--samples", type=int, nargs="*", default=SIZES)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--table", type=Path, default=Path("docs/data/family_study.csv.gz"))
    parser.add_argument("--summary", type=Path, default=Path("skcompare/inference/measured_families.csv"))
    options = parser.parse_args()
    rows: list[tuple[object, ...]] = []
    starts = range(0, options.n_datasets, CHUNK)
    with Parallel(n_jobs=options.jobs) as parallel:
        for n, null, balance, learner in itertools.product(options.samples, SIGNALS, POSITIVE, QUICK):
            condition = null, balance, n, learner
            rows += cells(condition, parallel(delayed(chunk)(condition, start) for start in starts))
            print(*condition, flush=True)
    with gzip.open(options.table, "wt", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([CELL_COLUMNS, *rows])
    with options.summary.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([SUMMARY_COLUMNS, *summarised(rows)])
    print(page([dict(zip(CELL_COLUMNS, map(str, row), strict=True)) for row in rows]))


if __name__ == "__main__":
    main()
