"""Data sets on which every candidate sees features of its own, their splits, and quick learners of all candidates."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.tree import DecisionTreeClassifier

FEATURES = 5
METRICS = ("accuracy", "roc_auc")

Array = np.ndarray[Any, Any]
# Decision values of all candidates on a test set, shape (n_test, n_candidates), from training and test parts
Learner = Callable[[Array, Array, Array], Array]


# ---- data and designs -----------------------------------------------------------------------------------------


def blocks(n: int, signals: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """X of shape (n, n_candidates, FEATURES), shifted to either side of 0 by the signal of each candidate, and y."""
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, len(signals), FEATURES)) + signals[:, None] * (2 * y - 1)[:, None, None], y


def k_fold(y: Array, n_folds: int, rng: np.random.Generator) -> list[Array]:
    """Masks of the test sets of stratified folds."""
    fold, start = np.empty(len(y), dtype=int), 0
    for label in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == label))
        fold[members] = (np.arange(len(members)) + start) % n_folds
        start += len(members)
    return [fold == k for k in range(n_folds)]


def random_splits(y: Array, rng: np.random.Generator) -> list[Array]:
    """Masks of 30 stratified test sets of a third of the samples."""
    return [np.any(k_fold(y, 3, rng)[:1], axis=0) for _ in range(30)]


def test_sets(y: Array, rng: np.random.Generator, designs: tuple[str, ...]) -> Iterator[tuple[str, list[Array]]]:
    for design in designs:
        if design == "30 random splits":
            yield design, random_splits(y, rng)
        else:
            repeats, folds = (int(part) for part in design.split("x")) if "x" in design else (1, int(design[:-5]))
            yield design, [test for _ in range(repeats) for test in k_fold(y, folds, rng)]


FRACTIONS = {"5-fold": 1 / 5, "10-fold": 1 / 10, "10x10": 1 / 10, "30 random splits": 1 / 3}
FOLDS = {"5-fold": 5, "10-fold": 10, "10x10": 10, "30 random splits": 1}


# ---- learners and scores --------------------------------------------------------------------------------------


def naive_bayes(X: Array, y: Array, X_test: Array) -> Array:
    """Gaussian naive Bayes: log odds of class 1."""
    odds = np.zeros(X_test.shape[:2])
    for label in (0, 1):
        own = X[y == label]
        mean, variance = own.mean(axis=0), own.var(axis=0)
        density = -((X_test - mean) ** 2 / variance + np.log(variance)).sum(axis=2) / 2 + np.log(len(own))
        odds += density if label else -density
    return odds


def trees(X: Array, y: Array, X_test: Array) -> Array:
    """Trees of depth 4: probability of class 1, less a half."""
    fitted = [DecisionTreeClassifier(max_depth=4, random_state=0).fit(X[:, j], y) for j in range(X.shape[1])]
    return np.stack([tree.predict_proba(X_test[:, j])[:, 1] for j, tree in enumerate(fitted)], axis=1) - 0.5


def split_scores(X: Array, y: Array, tests: list[Array], learner: Learner) -> Array:
    """Accuracy and ROC AUC, shape (2, n_splits, n_candidates)."""
    scores = np.empty((2, len(tests), X.shape[1]))
    for s, test in enumerate(tests):
        values, truth = learner(X[~test], y[~test], X[test]), y[test] == 1
        scores[0, s] = ((values > 0) == truth[:, None]).mean(axis=0)
        above = values[truth][:, None] - values[~truth]
        scores[1, s] = ((above > 0) + 0.5 * (above == 0)).mean(axis=(0, 1))
    return scores
