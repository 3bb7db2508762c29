"""Learners that are fitted on all splits of a data set, or on the features of all candidates, at once.

They are for simulations of many data sets. The five of all splits decide as scikit-learn's do with the parameters named
below (the tests compare them); the forest in distribution. Needs numba (``pip install numba``). Below them are data
sets on which every candidate sees features of its own, their splits and scores.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from scipy import special
from sklearn.base import clone

# ---- fast learners ----------------------------------------------------------------------------------------------


Array = np.ndarray[Any, Any]
# Decision values of class 1 by every split, positive where it is predicted, shape (n_splits, n): from X, shape (n,
# n_features), y of 0 and 1, the masks of the training sets (n_splits, n) and a seed. Neighbours have none for those.
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
    return means_of_neighbors(nearest(X, 64), y[:, None].astype(float), train, N_NEIGHBORS)[:, :, 0] - 0.5


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
def means_of_neighbors(near: Array, target: Array, train: Array, n_neighbors: int) -> Array:
    values = np.zeros((*train.shape, target.shape[1]))
    for s in range(train.shape[0]):
        for i in range(train.shape[1]):
            if train[s, i]:
                continue
            found = 0
            for j in near[i]:
                if j != i and train[s, j]:
                    found += 1
                    for k in range(target.shape[1]):
                        values[s, i, k] += target[j, k]
                    if found == n_neighbors:
                        break
            for k in range(target.shape[1]):
                values[s, i, k] /= found
    return values


def least_squares(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``LinearRegression()``."""
    design, weight = np.column_stack([np.ones(len(X)), X]), train.astype(float)
    gram = np.einsum("sn,ni,nj->sij", weight, design, design, optimize=True)
    return np.asarray(np.linalg.solve(gram, ((weight * y) @ design)[:, :, None])[:, :, 0] @ design.T)


# ---- trees ------------------------------------------------------------------------------------------------------

# One grower serves all: the Gini criterion of classes is the squared error of their columns of zeros and ones. Arrays
# are filled in loops, since numba takes seconds longer to compile assignments to slices and to chosen places.


def _share(X: Array, y: Array, train: Array, seed: int, n_trees: int, depth: int) -> Array:
    """Of class 1 in the leaf, less a half; of several trees each on a bootstrap sample and the root of the features."""
    n_tried = X.shape[1] if n_trees == 1 else max(1, int(X.shape[1] ** 0.5))
    target = y[:, None].astype(float)
    how = n_trees, n_tried, n_trees > 1, seed, depth
    return grown_trees(X, order_of(X), target, train, train | True, how)[:, :, 0] - 0.5


def decision_tree(X: Array, y: Array, train: Array, seed: int) -> Array:
    """``DecisionTreeClassifier(max_depth=4)``."""
    return _share(X, y, train, seed, 1, MAX_DEPTH)


def decision_stump(X: Array, y: Array, train: Array, seed: int) -> Array:
    """``DecisionTreeClassifier(max_depth=1)``."""
    return _share(X, y, train, seed, 1, 1)


def random_forest(X: Array, y: Array, train: Array, seed: int) -> Array:
    """``RandomForestClassifier(10, max_depth=4)``."""
    return _share(X, y, train, seed, N_TREES, MAX_DEPTH)


def order_of(X: Array) -> Array:
    """The samples in the order of each feature."""
    return np.argsort(X, axis=0, kind="stable").T.copy()


@njit(cache=True)
def grown_trees(X: Array, order: Array, target: Array, train: Array, wanted: Array, how: tuple[int, ...]) -> Array:
    """`how` is the number of trees, of features tried, whether to draw bootstrap samples, the seed and the depth."""
    n_trees, n_tried, bootstrap, seed, depth = how
    np.random.seed(seed)  # noqa: NPY002  numba has generators of its own only
    n = train.shape[1]
    values = np.zeros((*train.shape, target.shape[1]))
    for s in range(train.shape[0]):
        members, out = np.flatnonzero(train[s]), np.flatnonzero(wanted[s])
        for _ in range(n_trees):
            weight = np.zeros(n)
            if bootstrap:
                for _ in range(len(members)):
                    weight[members[np.random.randint(len(members))]] += 1  # noqa: NPY002
            else:
                for i in members:
                    weight[i] = 1
            grown = grow(X, order, target, weight, n_tried, depth)
            for i in out:
                leaf = leaf_of(X[i], grown)
                for j in range(target.shape[1]):
                    values[s, i, j] += grown[3][leaf, j]
    return values / n_trees


@njit(cache=True)
def leaf_of(x: Array, grown: Any) -> int:
    node = 0
    while grown[0][node] >= 0:
        node = grown[2][node] + (x[grown[0][node]] > grown[1][node])
    return node


@njit(cache=True)
def grow(X: Array, order: Array, target: Array, weight: Array, n_tried: int, depth: int) -> Any:
    """Of every node the feature that splits it (-1 in a leaf), the threshold, the left child and the mean target.

    The right child is the next one. The samples of a node stand side by side in `own`, in the order of each feature.
    """
    n, n_features = X.shape
    size = int((weight > 0).sum())
    own, aside = np.empty((n_features, size), dtype=np.int64), np.empty(size, dtype=np.int64)
    for f in range(n_features):
        found = 0
        for i in order[f]:
            if weight[i] > 0:
                own[f, found] = i
                found += 1
    feature, left = np.full(2 * size, -1), np.zeros(2 * size, dtype=np.int64)
    threshold, value = np.zeros(2 * size), np.zeros((2 * size, target.shape[1]))
    begin, end, level = np.zeros(2 * size, np.int64), np.full(2 * size, size), np.zeros(2 * size, np.int64)
    goes_left, n_nodes, node = np.zeros(n, dtype=np.bool_), 1, 0
    while node < n_nodes:
        start, stop = begin[node], end[node]
        whole, pure = _total(own[0, start:stop], target, weight, value[node])
        if stop - start > 1 and level[node] < depth and not pure:
            best, place = -np.inf, 0
            for f in np.random.permutation(n_features)[:n_tried]:  # noqa: NPY002  of equal splits the first drawn
                score, at = _split(own[f, start:stop], X[:, f], target, weight, value[node], whole)
                if score > best:
                    best, place, feature[node] = score, at, f
        if feature[node] >= 0:
            f = feature[node]
            members = own[f, start:stop]
            threshold[node] = (X[members[place - 1], f] + X[members[place], f]) / 2
            for k in range(len(members)):
                goes_left[members[k]] = k < place
            for f in range(n_features):
                _part(own[f, start:stop], goes_left, aside)
            left[node] = n_nodes
            for child in range(2):
                begin[n_nodes] = start + place * child
                end[n_nodes] = stop if child else start + place
                level[n_nodes] = level[node] + 1
                n_nodes += 1
        node += 1
    return feature, threshold, left, value


@njit(cache=True)
def _total(members: Array, target: Array, weight: Array, mean: Array) -> tuple[float, bool]:
    """The weight of a node, and whether all its targets are equal; its mean is filled in."""
    whole, squares = 0.0, 0.0
    for i in members:
        whole += weight[i]
        for j in range(len(mean)):
            mean[j] += weight[i] * target[i, j]
            squares += weight[i] * target[i, j] ** 2
    for j in range(len(mean)):
        mean[j] /= whole
        squares -= whole * mean[j] ** 2
    return whole, squares <= 1e-12 * whole


@njit(cache=True)
def _split(members: Array, x: Array, target: Array, weight: Array, mean: Array, whole: float) -> tuple[float, int]:
    """The largest sum over both sides of their squared totals over their weights, and the first member to the right."""
    m = len(mean)
    side, total = np.zeros(m), mean * whole
    best, place, so_far = -np.inf, 0, 0.0
    for k in range(1, len(members)):
        i = members[k - 1]
        so_far += weight[i]
        for j in range(m):
            side[j] += weight[i] * target[i, j]
        if x[members[k]] > x[i] + 1e-7:
            below, above = 0.0, 0.0
            for j in range(m):
                below += side[j] ** 2
                above += (total[j] - side[j]) ** 2
            score = below / so_far + above / (whole - so_far)
            if score > best + 1e-12:
                best, place = score, k
    return best, place


@njit(cache=True)
def _part(members: Array, goes_left: Array, aside: Array) -> None:
    """Those that go left first, both sides in their order."""
    n_left = n_right = 0
    for i in members:
        if goes_left[i]:
            members[n_left] = i
            n_left += 1
        else:
            aside[n_right] = i
            n_right += 1
    for k in range(n_right):
        members[n_left + k] = aside[k]


# ---- scores -----------------------------------------------------------------------------------------------------


def roc_auc(values: Array, y: Array, test: Array) -> Array:
    """ROC AUC of every split, shape (n_splits,); ties count a half."""
    return _areas(values, ranked(values, test), y, test.sum(axis=1))


def ranked(values: Array, test: Array) -> Array:
    """The samples of every split by their value, those of its test set first; numba takes a second for a sort."""
    return np.lexsort((values, ~test), axis=1)


@njit(cache=True)
def _areas(values: Array, order: Array, y: Array, size: Array) -> Array:
    areas = np.empty(values.shape[0])
    for s in range(values.shape[0]):
        wins, below, i = 0.0, 0.0, 0
        while i < size[s]:
            j, positive, negative = i, 0, 0
            while j < size[s] and values[s, order[s, j]] == values[s, order[s, i]]:
                positive += y[order[s, j]]
                negative += 1 - y[order[s, j]]
                j += 1
            wins += positive * (below + negative / 2)
            below += negative
            i = j
        areas[s] = wins / (below * (size[s] - below))
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


# ---- candidates -------------------------------------------------------------------------------------------------


FEATURES = 5
METRICS = ("accuracy", "roc_auc")
FOLDS = {"10-fold": (1, 10), "5-fold": (1, 5), "10x10": (10, 10), "10x5": (10, 5), "5x2": (5, 2)}
RESAMPLED = ("30 resamples", "30 random splits")  # that test on a third each
FRACTIONS = {design: 1 / folds for design, (_, folds) in FOLDS.items()} | dict.fromkeys(RESAMPLED, 1 / 3)


def blocks(n: int, signals: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """X of shape (n, n_candidates, FEATURES), shifted to either side of 0 by the signal of each candidate, and y."""
    y = rng.integers(0, 2, n)
    return rng.normal(size=(n, len(signals), FEATURES)) + signals[:, None] * (2 * y - 1)[:, None, None], y


def k_fold(y: Array, n_folds: int, rng: np.random.Generator) -> Array:
    """Masks of the test sets of stratified folds, shape (n_folds, n)."""
    fold, start = np.empty(len(y), dtype=int), 0
    for label in np.unique(y):
        members = rng.permutation(np.flatnonzero(y == label))
        fold[members] = (np.arange(len(members)) + start) % n_folds
        start += len(members)
    return np.asarray(fold == np.arange(n_folds)[:, None])


def repeated_k_fold(y: Array, n_repeats: int, n_folds: int, rng: np.random.Generator) -> Array:
    """Masks of the test sets of several partitions, shape (n_repeats * n_folds, n)."""
    return np.concatenate([k_fold(y, n_folds, rng) for _ in range(n_repeats)])


def splits(y: Array, design: str, rng: np.random.Generator) -> Array:
    """Masks of the test sets of a design."""
    if design in RESAMPLED:
        return np.array([k_fold(y, 3, rng)[0] for _ in range(30)])
    return repeated_k_fold(y, *FOLDS[design], rng)


def of_scikit_learn(model: Any) -> Learner:
    """Fits split by split: the probability of class 1 of the samples that are left out, less a half."""

    def fit(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
        values = np.zeros(train.shape)
        for own, members in zip(values, train, strict=True):
            own[~members] = clone(model).fit(X[members], y[members]).predict_proba(X[~members])[:, 1] - 0.5
        return values

    return fit


def split_scores(X: Array, y: Array, test: Array, learner: Learner, metrics: tuple[str, ...] = METRICS) -> Array:
    """Accuracy and ROC AUC of each candidate on its own features, shape (n_metrics, n_splits, n_candidates)."""
    scores = []
    for j in range(X.shape[1]):
        values = learner(np.ascontiguousarray(X[:, j]), y, ~test, 0)
        found = {"accuracy": (((values > 0) == y) & test).sum(axis=1) / test.sum(axis=1)}
        if "roc_auc" in metrics:
            found["roc_auc"] = roc_auc(values, y, test)
        scores.append([found[metric] for metric in metrics])
    return np.moveaxis(scores, 0, 2)
