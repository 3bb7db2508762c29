"""Learners that are fitted on all splits of a data set, or on the features of all candidates, at once.

They are for simulations of many data sets. The five of all splits decide as scikit-learn's do with the parameters named
below (the tests compare them); the forest in distribution. Needs numba (``pip install numba``). Below them are data
sets on which every candidate sees features of its own, their splits, and quick learners of all candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba import njit
from scipy import special
from sklearn.tree import DecisionTreeClassifier

# ---- fast learners ----------------------------------------------------------------------------------------------


Array = np.ndarray[Any, Any]
# Decision values of class 1 of every sample by every split, positive where class 1 is predicted, shape (n_splits, n):
# from X (n, n_features), y of 0 and 1, the masks of the training sets (n_splits, n) and a seed.
Learner = Callable[[Array, Array, Array, int], Array]

N_NEIGHBORS = 5
MAX_DEPTH = 4
N_TREES = 10


def naive_bayes(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``GaussianNB()``."""
    return log_joint(X, y == 1, train) - log_joint(X, y == 0, train)


def log_joint(X: Array, members: Array, train: Array) -> Array:
    """Log of the normal density of a class times its number of training samples, less what all classes share."""
    weight = (train & members).astype(float)
    count = weight.sum(axis=1, keepdims=True)
    mean = weight @ X / count
    variance = weight @ X**2 / count - mean**2 + 1e-9 * _spread(X, train.astype(float))
    distance = (1 / variance) @ (X**2).T - 2 * (mean / variance) @ X.T + (mean**2 / variance).sum(1, keepdims=True)
    return np.asarray(np.log(count) - (distance + np.log(variance).sum(axis=1, keepdims=True)) / 2)


def _spread(X: Array, weight: Array) -> Array:
    count = weight.sum(axis=1, keepdims=True)
    return (weight @ X**2 / count - (weight @ X / count) ** 2).max(axis=1, keepdims=True)


def logistic_regression(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``LogisticRegression()``: penalty 1, the intercept free, by Newton's method."""
    design = np.column_stack([X, np.ones(len(X))])
    n_columns = design.shape[1]
    products = (design[:, :, None] * design[:, None, :]).reshape(len(X), -1)
    penalty = np.r_[np.ones(X.shape[1]), 0.0]
    weight, beta = train.astype(float), np.zeros((len(train), n_columns))
    for _ in range(50):
        p = special.expit(beta @ design.T)
        gradient = (weight * (p - y)) @ design + penalty * beta
        hessian = ((weight * p * (1 - p)) @ products).reshape(-1, n_columns, n_columns) + np.diag(penalty)
        step = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        beta -= step
        if np.abs(step).max() < 1e-8:
            break
    return np.asarray(beta @ design.T)


def k_neighbors(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``KNeighborsClassifier(5)``: the share of class 1 less a half."""
    return _vote(nearest(X, 64), y, train)


def nearest(X: Array, n_near: int) -> Array:
    """The samples by their distance from each one, itself among them: at least the `n_near` next ones."""
    squares = (X**2).sum(axis=1)
    distance = squares[:, None] - 2 * X @ X.T + squares
    n_near = min(len(X) - 1, n_near)
    near = np.argpartition(distance, n_near, axis=1)[:, : n_near + 1] if n_near < len(X) - 1 else None
    near = np.tile(np.arange(len(X)), (len(X), 1)) if near is None else near
    order = np.argsort(np.take_along_axis(distance, near, axis=1), axis=1, kind="stable")
    return np.take_along_axis(near, order, axis=1)


@njit(cache=True)
def _vote(near: Array, y: Array, train: Array) -> Array:
    values = np.empty(train.shape)
    for s in range(train.shape[0]):
        for i in range(train.shape[1]):
            found = positive = 0
            for j in near[i]:
                if j != i and train[s, j]:
                    found += 1
                    positive += y[j]
                    if found == N_NEIGHBORS:
                        break
            values[s, i] = positive / N_NEIGHBORS - 0.5
    return values


def decision_tree(X: Array, y: Array, train: Array, seed: int) -> Array:
    """``DecisionTreeClassifier(max_depth=4)``: the share of class 1 in the leaf less a half."""
    order = np.argsort(X, axis=0, kind="stable").T.copy()
    return _trees(X, order, y, train, 1, X.shape[1], False, seed)


def decision_stump(X: Array, y: Array, train: Array, seed: int) -> Array:
    """``DecisionTreeClassifier(max_depth=1)``."""
    order = np.argsort(X, axis=0, kind="stable").T.copy()
    return _trees(X, order, y, train, 1, X.shape[1], False, seed, 1)


def random_forest(X: Array, y: Array, train: Array, seed: int) -> Array:
    """``RandomForestClassifier(10, max_depth=4)``."""
    order = np.argsort(X, axis=0, kind="stable").T.copy()
    return _trees(X, order, y, train, N_TREES, max(1, int(X.shape[1] ** 0.5)), True, seed)


@njit(cache=True)
def _trees(
    X: Array,
    order: Array,
    y: Array,
    train: Array,
    n_trees: int,
    n_tried: int,
    bootstrap: bool,
    seed: int,
    depth: int = MAX_DEPTH,
) -> Array:
    np.random.seed(seed)  # noqa: NPY002  numba has generators of its own only
    n = train.shape[1]
    values = np.zeros(train.shape)
    for s in range(train.shape[0]):
        members = np.flatnonzero(train[s])
        for _ in range(n_trees):
            weight = np.zeros(n)
            if bootstrap:
                for _ in range(len(members)):
                    weight[members[np.random.randint(len(members))]] += 1  # noqa: NPY002
            else:
                for i in members:  # numba takes seconds longer to compile assignments to chosen places and slices
                    weight[i] = 1
            shares = _grown(X, order, y, weight, n_tried, depth)
            for i in range(n):
                values[s, i] += shares[i]
    return values / n_trees - 0.5


@njit(cache=True)
def _grown(X: Array, order: Array, y: Array, weight: Array, n_tried: int, depth: int) -> Array:
    """Share of class 1 in the leaf of every sample, of a tree grown level by level on the weighted ones."""
    n, n_features = X.shape
    node = np.zeros(n, dtype=np.int64)
    n_grown = int((weight > 0).sum())
    grown = np.empty((n_features, n_grown), dtype=np.int64)  # the samples that count, in the order of each feature
    for f in range(n_features):
        found = 0
        for i in order[f]:
            if weight[i] > 0:
                grown[f, found] = i
                found += 1
    for level in range(depth):
        n_nodes = 2**level
        total = np.zeros((n_nodes, 2))
        for i in grown[0]:
            total[node[i], y[i]] += weight[i]
        best = np.zeros(n_nodes)
        feature = np.full(n_nodes, -1)
        threshold = np.zeros(n_nodes)
        tried = np.zeros((n_nodes, n_features), dtype=np.bool_)
        for k in range(n_nodes):
            best[k] = _purity(total[k, 0], total[k, 1]) + 1e-12
            if total[k, 0] > 0 and total[k, 1] > 0:
                for f in np.random.permutation(n_features)[:n_tried]:  # noqa: NPY002
                    tried[k, f] = True
        for f in range(n_features):
            left = np.zeros((n_nodes, 2))
            last = np.zeros(n_nodes)
            for i in grown[f]:
                k = node[i]
                if not tried[k, f]:
                    continue
                x = X[i, f]
                if left[k, 0] + left[k, 1] > 0 and x > last[k]:
                    purity = _purity(left[k, 0], left[k, 1]) + _purity(
                        total[k, 0] - left[k, 0], total[k, 1] - left[k, 1]
                    )
                    if purity > best[k]:
                        best[k], feature[k], threshold[k] = purity, f, (x + last[k]) / 2
                left[k, y[i]] += weight[i]
                last[k] = x
        for i in range(n):
            k = node[i]
            node[i] = 2 * k + (feature[k] >= 0 and X[i, feature[k]] > threshold[k])
    counts = np.zeros((2**depth, 2))
    for i in grown[0]:
        counts[node[i], y[i]] += weight[i]
    shares = np.zeros(n)
    for i in range(n):
        c = counts[node[i]]
        shares[i] = c[1] / (c[0] + c[1])
    return shares


@njit(cache=True)
def _purity(zeros: float, ones: float) -> float:
    """What the Gini criterion maximises, summed over the sides of a split."""
    return (zeros * zeros + ones * ones) / (zeros + ones) if zeros + ones > 0 else 0.0


@njit(cache=True)
def roc_auc(values: Array, y: Array, test: Array) -> Array:
    """ROC AUC of every split, shape (n_splits,); ties count a half."""
    areas = np.empty(values.shape[0])
    for s in range(values.shape[0]):
        members = np.flatnonzero(test[s])
        own, label = values[s][members], y[members]
        order = np.argsort(own)
        wins, below, i = 0.0, 0.0, 0
        while i < len(order):
            j, positive, negative = i, 0, 0
            while j < len(order) and own[order[j]] == own[order[i]]:
                positive += label[order[j]]
                negative += 1 - label[order[j]]
                j += 1
            wins += positive * (below + negative / 2)
            below += negative
            i = j
        areas[s] = wins / (below * (len(order) - below))
    return areas


def five_metrics(values: Array, y: Array, test: Array) -> Array:
    """accuracy, precision, recall, F1 and ROC AUC of every split, shape (n_splits, 5); 0 where undefined."""
    predicted = (values > 0) & test
    hits = predicted @ y
    positives, claimed, size = test @ y, predicted.sum(axis=1), test.sum(axis=1)
    accuracy = (size - positives - claimed + 2 * hits) / size
    precision = hits / np.maximum(claimed, 1)
    return np.column_stack(
        [accuracy, precision, hits / positives, 2 * hits / (positives + claimed), roc_auc(values, y, test)]
    )


# ---- blocks -----------------------------------------------------------------------------------------------------


FEATURES = 5
METRICS = ("accuracy", "roc_auc")

# Decision values of all candidates on a test set, shape (n_test, n_candidates), from training and test parts
LearnerOfBlocks = Callable[[Array, Array, Array], Array]


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


def naive_bayes_of_blocks(X: Array, y: Array, X_test: Array) -> Array:
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


def split_scores(X: Array, y: Array, tests: list[Array], learner: LearnerOfBlocks) -> Array:
    """Accuracy and ROC AUC, shape (2, n_splits, n_candidates)."""
    scores = np.empty((2, len(tests), X.shape[1]))
    for s, test in enumerate(tests):
        values, truth = learner(X[~test], y[~test], X[test]), y[test] == 1
        scores[0, s] = ((values > 0) == truth[:, None]).mean(axis=0)
        above = values[truth][:, None] - values[~truth]
        scores[1, s] = ((above > 0) + 0.5 * (above == 0)).mean(axis=(0, 1))
    return scores
