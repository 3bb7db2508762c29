"""How often the default calls two equal algorithms different on splits in time order.

Run from a checkout: ``python -m benchmarks.forecasts`` draws the data sets, fits the models on training sets that grow,
tests their forecasts and prints the table; ``--write`` writes the shipped one (needs numba). ``--stumps N`` prints
instead how often two stumps differ whose labels depend on all columns alike, on N data sets.

The models are equal by construction, as in `benchmarks.calibration`: the same learner on two blocks of five features
that are drawn alike, one block per model. Samples are independent, and the positives are exactly 10, 30 or 50% of them.
"logistic regression, lowered threshold" predicts the positive class where it is more probable than its share. Sizes are
shares of the data sets on which both models have a score on every test set; without 200 of them a null is left out.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import numpy as np
from scipy import special

import skcompare
from benchmarks.calibration import FEATURES
from benchmarks.fast_learners import Array, decision_stump, decision_tree, k_neighbors, logistic_regression, naive_bayes

LEARNERS = {"naive Bayes": naive_bayes, "tree": decision_tree, "kNN": k_neighbors, "stump": decision_stump}
LOGISTIC, LOWERED = "logistic regression", "logistic regression, lowered threshold"
SIGNALS = {"weak": 0.15, "signal": 0.45, "strong": 0.9}
SAMPLES, POSITIVES, WINDOWS = {150: 1000, 300: 500}, (0.1, 0.3, 0.5), (5, 10)  # data sets by samples
METRICS = ("accuracy", "precision", "recall", "f1", "balanced_accuracy", "roc_auc")
CORRECTED = METRICS[2:5]
FEWEST = 200
TABLE = Path(skcompare.__file__).parent / "inference" / "measured_forecasts.csv"
COLUMNS = ("n_windows", "n_samples", "positive", "metric", "nulls", "mean", "low", "high", "highest")


def splits(n: int, n_windows: int) -> tuple[Array, int]:
    """The training sets of TimeSeriesSplit as masks, shape (n_windows, n), and the size of a test set."""
    size = n // (n_windows + 1)
    starts = n - size * np.arange(n_windows, 0, -1)
    return np.arange(n) < starts[:, None], size


def forecasts(n: int, positive: float, n_windows: int, signal: float, seed: int) -> tuple[Array, dict[str, Array]]:
    """Labels and, by learner, decision values of two equal models, shapes (w, size) and (2, w, size); w test sets."""
    rng = np.random.default_rng((seed, n, round(1000 * positive), round(1000 * signal)))
    y = rng.permutation((np.arange(n) < round(n * positive)).astype(np.int64))
    train, size = splits(n, n_windows)
    found: dict[str, list[Array]] = defaultdict(list)
    rows, tested = np.arange(n_windows)[:, None], (n - n_windows * size + np.arange(n_windows * size)).reshape(-1, size)
    if not 1 < y[train[0]].sum() < train[0].sum() - 1:
        return y[tested], {}
    for _ in range(2):
        X = rng.normal(size=(n, FEATURES)) + signal * (2 * y - 1)[:, None]
        for name, learner in LEARNERS.items():
            found[name].append(learner(X, y, train, seed)[rows, tested])
        values = logistic_regression(X, y, train, seed)[rows, tested]
        found[LOGISTIC].append(values)
        found[LOWERED].append(values - np.log(positive / (1 - positive)))
    return y[tested], {name: np.stack(one) for name, one in found.items()}


def losses(y: Array, values: Array) -> dict[str, Array]:
    """The score of each test set, spread over its samples, by metric; nan where it is not defined."""
    true, called = y[None] > 0, values > 0
    hits, of_true, of_false = true & called, (true & called, true), (~true & ~called, ~true)
    ratios = {
        "precision": (hits, called),
        "recall": of_true,
        "f1": (2 * hits, true.astype(int) + called),
    }
    found = {"accuracy": (true == called).astype(float)}
    found |= {metric: _spread(*sums) for metric, sums in ratios.items()}
    found["balanced_accuracy"] = (found["recall"] + _spread(*of_false)) / 2
    above = values[..., :, None] - values[..., None, :]
    above = (above > 0) + (above == 0) / 2
    n_true, n_false = true.sum(axis=-1, keepdims=True), (~true).sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        placed = np.where(
            true,
            (above * ~true[..., None, :]).sum(-1) / n_false,
            (above * true[..., None]).sum(-2) / n_true,
        )
        area = np.where(true, placed, 0).sum(-1, keepdims=True) / n_true
        found["roc_auc"] = area + y.shape[-1] / np.where(true, n_true, n_false) * (placed - area)
    return found


def _spread(numerator: Array, denominator: Array) -> Array:
    """A ratio of sums over each test set, linearised in them."""
    top, bottom = numerator.mean(axis=-1, keepdims=True), denominator.mean(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return top / bottom + (numerator - top / bottom * denominator) / bottom


def training_variance(n: int, n_windows: int) -> float:
    """What other training sets add to the variance, as a multiple of what other test samples add."""
    train, size = splits(n, n_windows)
    return float(n_windows * size * ((train / train.sum(axis=1, keepdims=True)).mean(axis=0) ** 2).sum())


def pvalues(d: Array, added: float) -> Array:
    """Of differences in time order, one series per row."""
    n = d.shape[1]
    n_cosines = round(0.4 * n ** (2 / 3))
    at = np.pi * np.arange(1, n_cosines + 1) * (np.arange(n)[:, None] + 0.5) / n
    variance = (((d - d.mean(axis=1, keepdims=True)) @ np.cos(at)) ** 2).mean(axis=1) * 2 / n
    with np.errstate(invalid="ignore", divide="ignore"):
        return 2 * special.stdtr(n_cosines, -np.abs(d.mean(axis=1) / (variance * (1 + added) / n) ** 0.5))


def sizes(n: int, positive: float, n_windows: int, *, correct: bool = True) -> Iterator[tuple[str, str, float]]:
    """Metric, null, and the share of its data sets in which it is rejected at 5%."""
    added = training_variance(n, n_windows)
    for which, signal in SIGNALS.items():
        found: dict[tuple[str, str], list[Array]] = defaultdict(list)
        for seed in range(SAMPLES[n]):
            y, by_learner = forecasts(n, positive, n_windows, signal, seed)
            for learner, values in by_learner.items():
                for metric, one in losses(y, values).items():
                    found[metric, learner].append((one[0] - one[1]).reshape(-1))
        for (metric, learner), own in found.items():
            d = np.array(own)
            d = d[np.isfinite(d).all(axis=1)]
            if len(d) >= FEWEST:
                p = pvalues(d, added if correct and metric in CORRECTED else 0.0)
                yield metric, f"{learner} ({which})", float((p < 0.05).mean())


def stumps(n: int, n_datasets: int, n_windows: int = 5) -> dict[str, float]:
    """How often two stumps differ, by metric, each on three of six columns of which the label is a noisy sum."""
    added, train, size = training_variance(n, n_windows), *splits(n, n_windows)
    rows, tested = np.arange(n_windows)[:, None], (n - n_windows * size + np.arange(n_windows * size)).reshape(-1, size)
    found: dict[str, list[Array]] = defaultdict(list)
    for seed in range(n_datasets):
        rng = np.random.default_rng((seed, n))
        X = rng.normal(size=(n, 6))
        y = (0.6 * X.sum(axis=1) + rng.normal(size=n) > 0).astype(np.int64)
        halves = (np.ascontiguousarray(X[:, half]) for half in (slice(3), slice(3, 6)))
        values = np.stack([decision_stump(half, y, train, seed)[rows, tested] for half in halves])
        for metric, one in losses(y[tested], values).items():
            found[metric].append((one[0] - one[1]).reshape(-1))
    shares = {}
    for metric, own in found.items():
        p = pvalues(np.array(own), added if metric in CORRECTED else 0.0)
        shares[metric] = float((p < 0.05).mean())  # what is not defined counts as not different
    return shares


def cell(n: int, positive: float, n_windows: int) -> list[tuple[object, ...]]:
    """Rows of `COLUMNS`: over the nulls of a cell."""
    found: dict[str, list[tuple[float, str]]] = defaultdict(list)
    for metric, null, size in sizes(n, positive, n_windows):
        found[metric].append((size, null))
    return [
        (
            *(n_windows, n, positive, metric, len(own)),
            *(f"{size:.4f}" for size in (np.mean([size for size, _ in own]), min(own)[0], max(own)[0])),
            max(own)[1],
        )
        for metric, own in found.items()
    ]


def page(rows: list[tuple[object, ...]]) -> str:
    """Markdown: a line per number of test sets, number of samples and share of positives."""
    cells: dict[tuple[object, ...], dict[str, str]] = defaultdict(dict)
    for windows, n, positive, metric, _, mean, low, high, _ in rows:
        span = " to ".join(f"{100 * float(str(size)):.1f}" for size in (low, high))
        cells[windows, n, positive][str(metric)] = f"{100 * float(str(mean)):.1f} ({span})"
    lines = [f"| test sets | samples | positives | {' | '.join(METRICS)} |", f"|{' ---: |' * (3 + len(METRICS))}"]
    for (windows, n, positive), own in cells.items():
        lines.append(f"| {windows} | {n:,} | {positive:.0%} | {' | '.join(own.get(m, 'n/a') for m in METRICS)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--stumps", type=int, default=0)
    options = parser.parse_args()
    if options.stumps:
        for n in (300, 1000):
            print(n, ", ".join(f"{metric} {size:.1%}" for metric, size in stumps(n, options.stumps).items()))
        return
    start = time.perf_counter()
    rows = [row for k in WINDOWS for n in SAMPLES for positive in POSITIVES for row in cell(n, positive, k)]
    if options.write:
        with TABLE.open("w", encoding="utf-8", newline="") as stream:
            csv.writer(stream, lineterminator="\n").writerows([COLUMNS, *rows])
    print(f"{date.today()}, {time.perf_counter() - start:.0f} s\n\n{page(rows)}")


if __name__ == "__main__":
    main()
