"""Learning curves on simulated data: how often a difference at any size is found where there is none, and how often the
interval of a crossing holds it.

Two nearest-mean classifiers on different features of the same samples. Under the null hypothesis both have eight
features with the same signal, so that they are equally good at every size; for the crossing one has 2 strong features
and the other 60 weak ones, so that it needs more samples.

    python -m benchmarks.learning_curves 3000
"""

from __future__ import annotations

import sys
from itertools import pairwise
from math import log

import numpy as np

from skcompare._core.design import Design
from skcompare.comparison.crossing import crossing
from skcompare.comparison.learning_curve import compare_sizes
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.learning_curve import LearningCurveScores

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
FINE = tuple(np.geomspace(0.1, 1.0, 15))
FEATURES = {"null": ((8, 0.25), (8, 0.25)), "crossing": ((2, 0.55), (60, 0.16))}
DESIGNS = ((100, 1), (300, 1), (300, 10))  # samples, repeats of 10 folds
N_FOLDS = 10


def scores(rng, n_samples, n_repeats, kind, shares=SHARES):
    """Accuracies of the two models on one simulated data set, shape (n_sizes, n_splits, 2)."""
    y = np.repeat([0, 1], n_samples // 2)
    signs = np.where(y == 1, 1.0, -1.0)[:, None]
    data = [rng.normal(size=(n_samples, p)) + strength * signs for p, strength in FEATURES[kind]]
    found = np.empty((len(shares), n_repeats * N_FOLDS, 2))
    for split in range(n_repeats * N_FOLDS):
        if split % N_FOLDS == 0:
            folds = _folds(rng, y)
        train, test = np.flatnonzero(folds != split % N_FOLDS), np.flatnonzero(folds == split % N_FOLDS)
        order = train[np.argsort(_spread(rng, y[train]), kind="stable")]
        for i, share in enumerate(shares):
            part = order[: int(share * len(train) + 1e-9)]
            found[i, split] = [_accuracy(X, y, part, test) for X in data]
    return found


def _folds(rng, y):
    folds = np.empty(len(y), dtype=int)
    for label in (0, 1):
        members = np.flatnonzero(y == label)
        folds[rng.permutation(members)] = np.arange(len(members)) % N_FOLDS
    return folds


def _spread(rng, y):
    place = np.empty(len(y))
    for label in (0, 1):
        members = np.flatnonzero(y == label)
        place[rng.permutation(members)] = (np.arange(len(members)) + rng.random()) / len(members)
    return place


def _accuracy(X, y, train, test):
    one, zero = X[train][y[train] == 1].mean(axis=0), X[train][y[train] == 0].mean(axis=0)
    weights = one - zero
    return np.mean((X[test] @ weights > (one + zero) @ weights / 2) == (y[test] == 1))


def curve(found, n_samples, n_repeats):
    """The scores as those of a learning curve, shares of all training samples."""
    design = Design(
        n_samples=n_samples,
        n_repeats=n_repeats,
        n_folds=N_FOLDS,
        n_splits=n_repeats * N_FOLDS,
        test_fraction=1 / N_FOLDS,
        partition=True,
    )
    times = np.zeros((2, design.n_splits))
    shared = {"design": design, "fit_times": times, "score_times": times, "greater_is_better": (True,)}
    results = {
        size: EvaluationScores(estimators=("a", "b"), metrics=("accuracy",), scores=one.T[:, :, None].copy(), **shared)
        for size, one in zip(sizes(n_samples, SHARES), found, strict=True)
    }
    return LearningCurveScores(results=results)


def sizes(n_samples, shares):
    return [int(share * (n_samples - n_samples // N_FOLDS) + 1e-9) for share in shares]


def root(at, differences):
    """Where the mean difference changes its sign, on straight lines in the logarithm of the size."""
    i = next(i for i, (one, other) in enumerate(pairwise(differences)) if (one > 0) != (other > 0))
    share = differences[i] / (differences[i] - differences[i + 1])
    return float(np.exp(log(at[i]) + share * log(at[i + 1] / at[i])))


def null(n_samples, n_repeats, n_datasets):
    """Shares of data sets with a rejection at each size alone, and with one at any size after adjustment."""
    rng = np.random.default_rng([n_samples, n_repeats, 1])
    alone, together, crossed = [], [], []
    for _ in range(n_datasets):
        found = curve(scores(rng, n_samples, n_repeats, "null"), n_samples, n_repeats)
        rows = compare_sizes(found)
        alone.append([row.pvalue < 0.05 for row in rows])
        together.append(any(row.winner for row in rows))
        winners = {row.winner for row in rows} - {None}
        crossed.append(len(winners) == 2)
    return np.mean(alone, axis=0), np.mean(together), np.mean(crossed)


def coverage(n_samples, n_repeats, n_datasets):
    """How often the interval holds the crossing of the expected curves, and what it looks like."""
    rng = np.random.default_rng([n_samples, n_repeats, 2])
    drawn = [scores(rng, n_samples, n_repeats, "crossing") for _ in range(n_datasets)]
    at = sizes(n_samples, SHARES)
    target = root(at, np.mean([one[:, :, 0] - one[:, :, 1] for one in drawn], axis=(0, 2)))
    dense = [scores(rng, n_samples, 1, "crossing", FINE) for _ in range(1000)]
    fine = root(sizes(n_samples, FINE), np.mean([one[:, :, 0] - one[:, :, 1] for one in dense], axis=(0, 2)))
    records = [crossing(curve(one, n_samples, n_repeats)) for one in drawn]
    held = [[one.low <= where <= one.high for one in records] for where in (target, fine)]
    seen = [one for one in records if one.n_changes]
    return {
        "target": target,
        "fine": fine,
        "coverage": np.mean(held[0]),
        "coverage of the curves themselves": np.mean(held[1]),
        "where a crossing is seen": np.mean([one.low <= target <= one.high for one in seen]),
        "seen": len(seen) / n_datasets,
        "both ends": np.mean([one.bounded for one in records]),
        "median estimate": np.median([one.estimate for one in seen]),
    }


def main() -> None:
    n_datasets = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    for n_samples, n_repeats in DESIGNS:
        n = n_datasets if n_repeats == 1 else n_datasets // 5
        alone, together, crossed = null(n_samples, n_repeats, n)
        told = ", ".join(f"{100 * share:.1f}%" for share in alone)
        print(
            f"{n_samples} samples, {n_repeats}x10, {n} data sets: {told} at each size; any size {100 * together:.1f}%; "
            f"each model somewhere {100 * crossed:.2f}%",
            flush=True,
        )
        found = coverage(n_samples, n_repeats, n)
        print("  ", {name: round(float(value), 3) for name, value in found.items()}, flush=True)


if __name__ == "__main__":
    main()
