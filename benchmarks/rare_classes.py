"""How often the default tests reject a true null where one class is rare.

Run from a checkout: ``python -m benchmarks.rare_classes`` draws the data sets, fits the models and tests them, and
prints the table; ``--write`` writes the shipped one (a quarter of an hour of one core; needs numba).

The models are equal by construction, as in `benchmarks.calibration`: the same learner on two blocks of five features
that are drawn alike, one block per model. The positives are exactly 1, 3 or 10% of the samples, in stratified folds of
which each has one or more. "logistic regression, lowered threshold" predicts the positive class where it is more
probable than its share of the samples.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import product
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from benchmarks import DATA, options, rejected, sizes_over, stacked, table, write_rows
from benchmarks import fast_learners as fast
from benchmarks.calibration import FEATURES, METRICS, default_pvalues
from benchmarks.fast_learners import Array, five_metrics, splits

LEARNERS = {"naive Bayes": fast.naive_bayes, "tree": fast.decision_tree, "kNN": fast.k_neighbors}
LOGISTIC, LOWERED = "logistic regression", "logistic regression, lowered threshold"
SIGNALS = {"weak": 0.15, "signal": 0.45, "strong": 0.9}
# Samples, share of positives and data sets per null; ten folds need ten positives.
CELLS = (
    *((400, 0.03, 200), (400, 0.1, 200), (1000, 0.01, 200), (1000, 0.03, 200), (1000, 0.1, 200)),
    *((3000, 0.01, 140), (3000, 0.03, 140)),
)
MOST_OF_NEIGHBORS = 1000  # samples; with more they take longer than all others
DEFAULT = {"10x10": "corrected_t_test", "10-fold": "k_fold_t_test"}
TABLE = DATA / "measured_on_rare_classes.csv"
Rng = np.random.Generator
COLUMNS = ("procedure", "design", "n_samples", "positive", "metric", "nulls", "mean", "low", "high", "highest")


def labels(n: int, positive: float, rng: Rng) -> Array:
    return rng.permutation((np.arange(n) < round(n * positive)).astype(np.int64))


def seeded(n: int, positive: float, signal: float, seed: int) -> Rng:
    return np.random.default_rng((seed, n, round(1000 * positive), round(1000 * signal)))


def decisions(
    y: Array, train: Array, positive: float, signal: float, learners: dict[str, fast.Learner], seed: int, rng: Rng
) -> dict[str, Array]:
    """Decision values of two equal models by learner, shape (2, n_splits, n)."""
    found: dict[str, list[Array]] = defaultdict(list)
    for _ in range(2):
        X = rng.normal(size=(len(y), FEATURES)) + signal * (2 * y - 1)[:, None]
        for name, learner in learners.items():
            found[name].append(learner(X, y, train, seed))
        values = fast.logistic_regression(X, y, train, seed)
        found[LOGISTIC].append(values)
        found[LOWERED].append(values - np.log(positive / (1 - positive)))
    return {name: np.stack(both) for name, both in found.items()}


def differences(n: int, positive: float, signal: float, seed: int) -> dict[str, Array]:
    """Of the scores of two equal models on ten times ten folds, by learner, shape (100, 5)."""
    rng = seeded(n, positive, signal, seed)
    y = labels(n, positive, rng)
    tests = splits(y, "10x10", rng)
    learners = {name: one for name, one in LEARNERS.items() if name != "kNN" or n <= MOST_OF_NEIGHBORS}
    found = decisions(y, ~tests, positive, signal, learners, seed, rng)
    return {name: five_metrics(a, y, tests) - five_metrics(b, y, tests) for name, (a, b) in found.items()}


def summarised(n: int, positive: float, of_signals: dict[str, dict[str, Array]]) -> Iterator[tuple[object, ...]]:
    """Rows of `COLUMNS`: over the nulls of a cell, the share of the data sets that are rejected at 5%."""
    for (design, procedure), (m, metric) in product(DEFAULT.items(), enumerate(METRICS)):
        sizes = []
        for signal, found in of_signals.items():
            for learner, d in found.items():
                own = d[:, : 100 if design == "10x10" else 10, m]
                sizes.append((rejected(default_pvalues(own, design)), f"{learner} ({signal})"))
        yield procedure, design, n, positive, metric, *sizes_over(sizes)


def page(rows: Iterable[tuple[Any, ...]], where: str, n_words: int) -> str:
    """Markdown: a line per place, number of samples and share of positives, from rows that end as `COLUMNS` do."""
    cells: dict[tuple[Any, ...], dict[str, str]] = defaultdict(dict)
    for *_, place, n, positive, metric, _, mean, low, high, _ in rows:
        shown = f"{100 * float(mean):.1f} ({100 * float(low):.1f} to {100 * float(high):.1f})"
        cells[place, f"{n:,}", f"{positive:.0%}"][metric] = shown
    metrics = dict.fromkeys(metric for own in cells.values() for metric in own)
    lines = ((*key, *(own.get(metric, "n/a") for metric in metrics)) for key, own in cells.items())
    return table((where, "samples", "positives", *metrics), n_words, lines)


def main() -> None:
    given = options(__doc__, jobs=1, write=False)
    start, rows = time.perf_counter(), []
    with Parallel(n_jobs=given.jobs) as parallel:
        for n, positive, n_datasets in CELLS:
            found = {}
            for name, signal in SIGNALS.items():
                drawn = (delayed(differences)(n, positive, signal, seed) for seed in range(n_datasets))
                found[name] = stacked(parallel(drawn))
            rows += list(summarised(n, positive, found))
            print(f"{n:,} samples, {positive:.0%} positives: {time.perf_counter() - start:.0f} s", flush=True)
    if given.write:
        write_rows(TABLE, [COLUMNS, *rows])
    by_place = sorted(rows, key=lambda row: str(row[1:4]))
    print(f"{date.today()}\n\n{page(by_place, 'design', 1)}")


if __name__ == "__main__":
    main()
