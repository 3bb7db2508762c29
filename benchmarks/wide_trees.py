"""Trees, forests and boosting of classes and of numbers, fitted on all splits at once, for `benchmarks.wide_learners`.

One grower serves all: the Gini criterion of classes is the squared error of their columns of zeros and ones. Arrays
are filled in loops: their assignment to slices and to chosen places takes numba three seconds longer to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from scipy import special

from benchmarks.fast_learners import Array

# What is predicted for the samples outside the training set of every split, shape (n_splits, n_samples, n_columns):
# from X, the target of shape (n_samples, n_columns), the masks of the training sets (n_splits, n_samples) and a seed.
# Of classes there is a column of zeros and ones for each, and the largest value is what is predicted.
Fit = Callable[[Array, Array, Array, int], Array]


def tree(depth: int) -> Fit:
    """``DecisionTreeClassifier(max_depth=depth)`` and the regressor; 0 for no limit."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:
        return _trees(X, _order(X), target, train, 1, X.shape[1], False, seed, depth or len(X))

    return fit


def forest(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``RandomForestClassifier()`` and the regressor: 100 trees."""
    n_tried = X.shape[1] if target.shape[1] == 1 else max(1, int(X.shape[1] ** 0.5))
    return _trees(X, _order(X), target, train, 100, n_tried, True, seed, len(X))


def _order(X: Array) -> Array:
    return np.argsort(X, axis=0, kind="stable").T.copy()


@njit(cache=True)
def _trees(
    X: Array,
    order: Array,
    target: Array,
    train: Array,
    n_trees: int,
    n_tried: int,
    bootstrap: bool,
    seed: int,
    depth: int,
) -> Array:
    np.random.seed(seed)  # noqa: NPY002  numba has generators of its own only
    n = train.shape[1]
    values = np.zeros((*train.shape, target.shape[1]))
    for s in range(train.shape[0]):
        members, out = np.flatnonzero(train[s]), np.flatnonzero(~train[s])
        for _ in range(n_trees):
            weight = np.zeros(n)
            if bootstrap:
                for _ in range(len(members)):
                    weight[members[np.random.randint(len(members))]] += 1  # noqa: NPY002
            else:
                for i in members:
                    weight[i] = 1
            grown = _grow(X, order, target, weight, n_tried, depth)
            for i in out:
                leaf = _leaf(X[i], grown)
                for j in range(target.shape[1]):
                    values[s, i, j] += grown[3][leaf, j]
    return values / n_trees


@njit(cache=True)
def _leaf(x: Array, grown: Any) -> int:
    node = 0
    while grown[0][node] >= 0:
        node = grown[2][node] + (x[grown[0][node]] > grown[1][node])
    return node


@njit(cache=True)
def _grow(X: Array, order: Array, target: Array, weight: Array, n_tried: int, depth: int) -> Any:
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


def boosting(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``GradientBoostingClassifier()`` and the regressor: 100 rounds of trees of depth 3, rate 0.1."""
    if target.shape[1] != 2:
        values = _boosted(X, _order(X), target, train, seed, 3)
        return np.asarray(special.softmax(values, axis=2)) if target.shape[1] > 2 else values
    values = _boosted(X, _order(X), target[:, 1:].astype(float), train, seed, 3, True)
    return np.concatenate([-values, values], axis=2) / 2


@njit(cache=True)
def _boosted(X: Array, order: Array, target: Array, train: Array, seed: int, depth: int, binary: bool = False) -> Array:
    np.random.seed(seed)  # noqa: NPY002
    n, m = target.shape
    values = np.zeros((*train.shape, m))
    for s in range(train.shape[0]):
        weight = train[s].astype(np.float64)
        own = values[s]
        for j in range(m):
            mean = (weight * target[:, j]).sum() / weight.sum()
            own[:, j] = np.log(mean / (1 - mean)) if binary else np.log(mean) if m > 1 else mean
        for _ in range(100):
            residual = target - _expected(own, binary)
            for j in range(m):
                grown = _grow(X, order, residual[:, j : j + 1].copy(), weight, X.shape[1], depth)
                leaves = np.array([_leaf(X[i], grown) for i in range(n)])
                rate, steps = 0.1, grown[3][:, 0]
                if binary or m > 1:
                    rate *= 1 if binary else (m - 1) / m
                    steps = _newton_steps(residual[:, j], leaves, train[s], len(grown[0]))
                for i in range(n):
                    own[i, j] += rate * steps[leaves[i]]
    return values


@njit(cache=True)
def _expected(values: Array, binary: bool) -> Array:
    if binary:
        return 1 / (1 + np.exp(-values))
    if values.shape[1] == 1:
        return values.copy()
    p = np.empty(values.shape)
    for i in range(len(values)):
        highest = values[i].max()
        for j in range(values.shape[1]):
            p[i, j] = np.exp(values[i, j] - highest)
        whole = p[i].sum()
        for j in range(values.shape[1]):
            p[i, j] /= whole
    return p


@njit(cache=True)
def _newton_steps(residual: Array, leaves: Array, train: Array, n_nodes: int) -> Array:
    """The sum of the residuals of each leaf over that of ``|r| (1 - |r|)``, which is ``p (1 - p)``."""
    above, below = np.zeros(n_nodes), np.zeros(n_nodes)
    for i in np.flatnonzero(train):
        above[leaves[i]] += residual[i]
        below[leaves[i]] += abs(residual[i]) * (1 - abs(residual[i]))
    for k in range(n_nodes):
        above[k] = above[k] / below[k] if below[k] > 1e-150 else 0.0
    return above
