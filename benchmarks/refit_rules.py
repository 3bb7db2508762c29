"""What refit rules choose: how often they lose more than the margin, and how complex their choice is.

Run as ``python -m benchmarks.selection --part rules``. Either the candidates see features of their own, where their
true scores are set, or they are those of one grid on the same features.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.blocks import FEATURES, FRACTIONS, METRICS, Array, blocks, naive_bayes, split_scores, test_sets
from skcompare import simplest_within

ROPE = 0.01
SIGNAL = 0.45
CHOICES = {
    "all equal": np.full(10, SIGNAL),
    "levels off": np.r_[0.25, 0.35, 0.40, np.full(7, SIGNAL)],
    "slow rise": np.linspace(0.36, SIGNAL, 10),
}
# The candidates of one search, the simplest first: they share samples and features, so that their scores go together.
GRIDS: dict[str, list[Any]] = {
    "tree by depth": [DecisionTreeClassifier(max_depth=depth, random_state=0) for depth in (1, 2, 3, 4, 5, 6, 8, 10)],
    "neighbours": [KNeighborsClassifier(k) for k in (101, 71, 51, 31, 21, 11, 5, 1)],
}
WITHIN = ("margin", "corrected_t", "one_se", "rope", "signed_rank")


def rules(n_datasets: int, one_run: bool = False) -> None:
    """How often each rule loses more than the margin, by how much, and how complex its choice is."""
    ways = ("highest mean", *WITHIN)
    print("\nShare of choices worse than the best by more than .01 / mean loss / mean place, 1 being the simplest\n")
    print(f"| truth | n | design | metric | {' | '.join(ways)} |")
    print("| --- | ---: | --- | --- |" + " ---: |" * len(ways))
    for truth, n, design, tables in choice_cases(n_datasets, one_run):
        for metric, scores in zip(METRICS, np.array(tables).transpose(1, 0, 2, 3), strict=True):
            level = scores.mean(axis=(0, 1))
            if truth == "all equal":
                level = np.full_like(level, level.mean())
            cells = []
            for way in ways:
                chosen = [choice(one, way, FRACTIONS[design]) for one in scores]
                lost = level.max() - level[chosen]
                cells.append(f"{(lost > ROPE).mean():.3f} / {lost.mean():.4f} / {1 + np.mean(chosen):.1f}")
            print(f"| {truth} | {n} | {design} | {metric} | {' | '.join(cells)} |", flush=True)


def choice_cases(n_datasets: int, one_run: bool) -> Iterator[tuple[str, int, str, list[Array]]]:
    """Truth, samples, design, and per data set the scores of shape (2, n_splits, n_candidates)."""
    for truth, signals in CHOICES.items():
        for n, design, n_sets in (
            (200, "10-fold", n_datasets),
            (200, "10x10", n_datasets),
            (1000, "10-fold", n_datasets // 2),
        ):
            if one_run and design == "10x10":
                continue
            yield truth, n, design, [_blocks_scores(n, signals, design, seed) for seed in range(n_sets)]
    for name, models in GRIDS.items():
        for kind in ("rules", "line"):
            for n, n_sets in ((200, n_datasets), (1000, n_datasets // 4)):
                tables = [_grid_scores(models, kind, n, seed) for seed in range(n_sets)]
                yield f"{name}, {kind}", n, "5-fold", tables


def _blocks_scores(n: int, signals: Array, design: str, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    X, y = blocks(n, signals, rng)
    ((_, tests),) = test_sets(y, rng, (design,))
    return split_scores(X, y, tests, naive_bayes)


def _grid_scores(models: list[Any], kind: str, n: int, seed: int) -> Array:
    """Models of one grid on normal features: "rules" needs three of them together, "line" a weighted sum of two."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, FEATURES))
    above = X > 0
    truth = above[:, 0] ^ (above[:, 1] & above[:, 2]) if kind == "rules" else X[:, 0] + X[:, 1] / 2 > 0
    y = np.where(rng.random(n) < 0.1, ~truth, truth).astype(int)

    def learner(X: Array, y: Array, X_test: Array) -> Array:
        found = [model.fit(X[:, 0], y).predict_proba(X_test[:, 0])[:, 1] for model in models]
        return np.stack(found, axis=1) - 0.5

    ((_, tests),) = test_sets(y, rng, ("5-fold",))
    return split_scores(np.repeat(X[:, None], len(models), axis=1), y, tests, learner)


def choice(scores: Array, way: str, fraction: float) -> int:
    """The candidate that a rule takes; the first is the simplest."""
    if way == "highest mean":
        return int(scores.mean(axis=0).argmax())
    table: dict[str, Any] = {f"split{s}_test_score": row for s, row in enumerate(scores)}
    table |= {"mean_test_score": scores.mean(axis=0), "params": [{"size": j} for j in range(scores.shape[1])]}
    return simplest_within(complexity="size", rule=way, rope=ROPE, test_fraction=fraction)(table)
