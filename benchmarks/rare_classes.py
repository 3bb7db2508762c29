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
from collections.abc import Iterator
from datetime import date

import numpy as np
from joblib import Parallel, delayed

from benchmarks import SHIPPED, options, sizes_over, table, write_rows
from benchmarks import fast_learners as fast
from benchmarks.calibration import FEATURES, METRICS, fold_pvalues
from benchmarks.fast_learners import Array, five_metrics, k_fold

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
CHUNK = 10
TABLE = SHIPPED / "measured_on_rare_classes.csv"
COLUMNS = ("procedure", "design", "n_samples", "positive", "metric", "nulls", "mean", "low", "high", "highest")


def differences(n: int, positive: float, signal: float, seed: int) -> dict[str, Array]:
    """Of the scores of two equal models on ten times ten folds, by learner, shape (100, 5)."""
    rng = np.random.default_rng((seed, n, round(1000 * positive), round(1000 * signal)))
    y = rng.permutation((np.arange(n) < round(n * positive)).astype(np.int64))
    tests = np.array([test for _ in range(10) for test in k_fold(y, 10, rng)])
    found: dict[str, list[Array]] = defaultdict(list)
    for _ in range(2):
        X = rng.normal(size=(n, FEATURES)) + signal * (2 * y - 1)[:, None]
        for name, learner in LEARNERS.items():
            if name != "kNN" or n <= MOST_OF_NEIGHBORS:
                found[name].append(five_metrics(learner(X, y, ~tests, seed), y, tests))
        values = fast.logistic_regression(X, y, ~tests, seed)
        found[LOGISTIC].append(five_metrics(values, y, tests))
        found[LOWERED].append(five_metrics(values - np.log(positive / (1 - positive)), y, tests))
    return {name: a - b for name, (a, b) in found.items()}


def chunk(n: int, positive: float, signal: float, start: int, stop: int) -> dict[str, Array]:
    """The same of several data sets, stacked."""
    drawn = [differences(n, positive, signal, seed) for seed in range(start, stop)]
    return {name: np.stack([one[name] for one in drawn]) for name in drawn[0]}


def shares(found: dict[str, Array]) -> Iterator[tuple[str, str, str, float]]:
    """Design, metric, learner and the share of the data sets whose null is rejected at 5%."""
    for learner, d in found.items():
        for design, procedure in DEFAULT.items():
            own = d if design == "10x10" else d[:, :10]
            for m, metric in enumerate(METRICS):
                p = fold_pvalues(own[:, :, m], design)[procedure]
                yield design, metric, learner, float((p < 0.05).mean())


def summarised(n: int, positive: float, of_signals: dict[str, dict[str, Array]]) -> Iterator[tuple[object, ...]]:
    """Rows of `COLUMNS`: over the nulls of a cell."""
    sizes: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for signal, found in of_signals.items():
        for design, metric, learner, share in shares(found):
            sizes[design, metric].append((share, f"{learner} ({signal})"))
    for (design, metric), own in sizes.items():
        yield DEFAULT[design], design, n, positive, metric, *sizes_over(own)


def page(rows: list[tuple[object, ...]]) -> str:
    """Markdown: a line per design, number of samples and share of positives."""
    cells: dict[tuple[object, ...], list[str]] = defaultdict(list)
    for _, design, n, positive, _, _, mean, low, high, _ in rows:
        span = " to ".join(f"{100 * float(str(size)):.1f}" for size in (low, high))
        cells[design, n, positive].append(f"{100 * float(str(mean)):.1f} ({span})")
    rows = (
        (design, f"{n:,}", f"{positive:.0%}", *own) for (design, n, positive), own in sorted(cells.items(), key=str)
    )
    return table(("design", "samples", "positives", *METRICS), 1, rows)


def main() -> None:
    given = options(__doc__, jobs=1, write=False)
    start, rows = time.perf_counter(), []
    with Parallel(n_jobs=given.jobs) as parallel:
        for n, positive, n_datasets in CELLS:
            found = {}
            for name, signal in SIGNALS.items():
                starts = range(0, n_datasets, CHUNK)
                parts = parallel(delayed(chunk)(n, positive, signal, start, start + CHUNK) for start in starts)
                found[name] = {learner: np.concatenate([part[learner] for part in parts]) for learner in parts[0]}
            rows += list(summarised(n, positive, found))
            print(f"{n:,} samples, {positive:.0%} positives: {time.perf_counter() - start:.0f} s", flush=True)
    if given.write:
        write_rows(TABLE, [COLUMNS, *rows])
    print(f"{date.today()}\n\n{page(rows)}")


if __name__ == "__main__":
    main()
