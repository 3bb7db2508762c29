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
from skcompare.comparison.learning_curve import compare_sizes, crossing
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import LearningCurveScores

SHARES = (0.1, 0.2, 0.4, 0.7, 1.0)
FEW = (0.03, 0.06, 0.12, 0.2, 0.3)
FEATURES = {"null": ((8, 0.25), (8, 0.25)), "crossing": ((2, 0.7), (60, 0.16))}
NULLS = ((100, 1, SHARES), (300, 1, SHARES), (300, 10, SHARES))  # samples, repeats of 10 folds, shares trained on
CROSSINGS = ((300, 1, SHARES), (300, 10, SHARES), (1000, 1, FEW))
N_FOLDS = 10


def scores(rng, n_samples, n_repeats, kind, shares):
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


def curve(found, n_samples, n_repeats, shares):
    """The scores as those of a learning curve."""
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
        for size, one in zip(sizes(n_samples, shares), found, strict=True)
    }
    return LearningCurveScores(results=results)


def sizes(n_samples, shares):
    return [int(share * (n_samples - n_samples // N_FOLDS) + 1e-9) for share in shares]


def root(at, differences):
    """Where the mean difference changes its sign, on straight lines in the logarithm of the size."""
    i = next(i for i, (one, other) in enumerate(pairwise(differences)) if (one > 0) != (other > 0))
    share = differences[i] / (differences[i] - differences[i + 1])
    return float(np.exp(log(at[i]) + share * log(at[i + 1] / at[i])))


def null(n_samples, n_repeats, shares, n_datasets):
    """Shares of data sets with a rejection at each size alone, and with one at any size after adjustment."""
    rng = np.random.default_rng([n_samples, n_repeats, 1])
    alone, together = [], []
    for _ in range(n_datasets):
        rows = compare_sizes(curve(scores(rng, n_samples, n_repeats, "null", shares), n_samples, n_repeats, shares))
        alone.append([row.pvalue < 0.05 for row in rows])
        together.append(any(row.winner for row in rows))
    return np.mean(alone, axis=0), np.mean(together)


def coverage(n_samples, n_repeats, shares, n_datasets):
    """How often the interval holds the crossing of the expected curves, and how often it has two ends."""
    rng = np.random.default_rng([n_samples, n_repeats, 2])
    drawn = [scores(rng, n_samples, n_repeats, "crossing", shares) for _ in range(n_datasets)]
    fine = tuple(np.geomspace(shares[0], shares[-1], 15))
    dense = [scores(rng, n_samples, 1, "crossing", fine) for _ in range(800)]
    joined, curves = (
        root(sizes(n_samples, at), np.mean([one[:, :, 0] - one[:, :, 1] for one in some], axis=(0, 2)))
        for at, some in ((shares, drawn), (fine, dense))
    )
    records = [crossing(curve(one, n_samples, n_repeats, shares)) for one in drawn]
    seen, ended = ([one for one in records if one.n_changes], [one for one in records if one.bounded])
    return {
        "crossing of the curves joined by lines": joined,
        "of the curves": curves,
        "interval holds the first": np.mean([one.low <= joined <= one.high for one in records]),
        "interval holds the second": np.mean([one.low <= curves <= one.high for one in records]),
        "where a crossing is seen": np.mean([one.low <= joined <= one.high for one in seen]),
        "where it has two ends": np.mean([one.low <= joined <= one.high for one in ended]) if ended else np.nan,
        "crossing seen": len(seen) / n_datasets,
        "two ends": len(ended) / n_datasets,
        "quartiles of the estimate": np.percentile([one.estimate for one in seen], [25, 50, 75]).round(0).tolist(),
    }


def main() -> None:
    n_datasets = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for n_samples, n_repeats, shares in NULLS:
        n = n_datasets if n_repeats == 1 else n_datasets // 5
        alone, together = null(n_samples, n_repeats, shares, n)
        told = ", ".join(f"{100 * share:.1f}%" for share in alone)
        print(
            f"null, {n_samples} samples, {n_repeats}x10, {n} data sets: {told}; any {100 * together:.1f}%", flush=True
        )
    for n_samples, n_repeats, shares in CROSSINGS:
        n = n_datasets if n_repeats == 1 else n_datasets // 5
        print(f"crossing, {n_samples} samples, {n_repeats}x10, {n} data sets:", flush=True)
        for name, value in coverage(n_samples, n_repeats, shares, n).items():
            print(f"  {name}: {value if isinstance(value, list) else round(float(value), 3)}", flush=True)


if __name__ == "__main__":
    main()
