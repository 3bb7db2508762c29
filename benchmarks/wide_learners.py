"""Learners of classes and of numbers for `benchmarks.wide_study`, most of them fitted on all splits at once.

They decide as scikit-learn's do with the parameters named below (the tests compare them), forests and boosting in
distribution. Needs numba (``pip install numba``).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit
from scipy import special
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.svm import SVC, SVR

from benchmarks.fast_learners import (
    Array,
    grow,
    grown_trees,
    leaf_of,
    log_joint,
    logistic_regression,
    means_of_neighbors,
    nearest,
    order_of,
)
from skcompare.evaluation.learners import PER_LEAF
from skcompare.inference._measured import SHALLOW

# ---- wide trees -------------------------------------------------------------------------------------------------


# What is predicted for the samples outside the training set of every split, shape (n_splits, n_samples, n_columns):
# from X, the target of shape (n_samples, n_columns), the masks of the training sets (n_splits, n_samples) and a seed.
# Of classes there is a column of zeros and ones for each, and the largest value is what is predicted.
Fit = Callable[[Array, Array, Array, int], Array]


def tree(depth: int) -> Fit:
    """``DecisionTreeClassifier(max_depth=depth)`` and the regressor; 0 for no limit."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:
        return grown_trees(X, order_of(X), target, train, ~train, 1, X.shape[1], False, seed, depth or len(X))

    return fit


def forest(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``RandomForestClassifier()`` and the regressor: 100 trees."""
    n_tried = X.shape[1] if target.shape[1] == 1 else max(1, int(X.shape[1] ** 0.5))
    return grown_trees(X, order_of(X), target, train, ~train, 100, n_tried, True, seed, len(X))


def boosting(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``GradientBoostingClassifier()`` and the regressor: 100 rounds of trees of depth 3, rate 0.1."""
    if target.shape[1] != 2:
        values = _boosted(X, order_of(X), target, train, seed, 3)
        return np.asarray(special.softmax(values, axis=2)) if target.shape[1] > 2 else values
    values = _boosted(X, order_of(X), target[:, 1:].astype(float), train, seed, 3, True)
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
                grown = grow(X, order, residual[:, j : j + 1].copy(), weight, X.shape[1], depth)
                leaves = np.array([leaf_of(X[i], grown) for i in range(n)])
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


# ---- wide learners ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Learner:
    """A learner of the study: its kind, what it learns ("classes", "numbers", "both") and how long it takes."""

    kind: str
    learns: str
    fit: Fit
    effort: str = "quick"
    ranks: bool = True  # whether its values of more than two classes give areas under curves
    leaves: int = 0  # of a tree that is limited to so many

    def family(self, n: int) -> str:
        """Its family where it learns from data of `n` samples."""
        return SHALLOW if self.leaves and n >= PER_LEAF * self.leaves else self.kind


def probabilities(values: Array) -> Array:
    return np.asarray(special.softmax(values, axis=2))


# ---- means and lines ------------------------------------------------------------------------------------------


def naive_bayes(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``GaussianNB()``."""
    return probabilities(np.stack([log_joint(X, members == 1, train) for members in target.T], axis=2))


def discriminant(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``LinearDiscriminantAnalysis(solver="lsqr")``."""
    weight = train.astype(float)
    n_columns = X.shape[1]
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    within = (weight @ products).reshape(-1, n_columns, n_columns)
    counts = weight @ target
    means = np.stack([(weight * members) @ X for members in target.T], axis=1) / counts[:, :, None]
    within -= np.einsum("sk,ski,skj->sij", counts, means, means)
    within /= weight.sum(axis=1)[:, None, None]
    slopes = np.linalg.solve(within, np.moveaxis(means, 1, 2))
    offset = np.log(counts) - np.einsum("ski,sik->sk", means, slopes) / 2
    return probabilities(np.einsum("ni,sik->snk", X, slopes, optimize=True) + offset[:, None])


def logistic(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``LogisticRegression()``: penalty 1, the intercepts free.

    By Newton's method on all samples, then with that curvature on each split, and exactly where that does not end.
    """
    if target.shape[1] == 2:
        values = logistic_regression(X, target[:, 1], train, seed)
        return np.stack([-values, values], axis=2) / 2
    design = np.column_stack([X, np.ones(len(X))])
    start, curvature = _newton(design, target, np.ones(len(X)), np.zeros((design.shape[1], target.shape[1])))
    penalty = _penalty(design)
    beta, moving = np.tile(start, (len(train), 1, 1)), np.arange(len(train))
    shares = train.mean(axis=1)
    factors = {share: np.linalg.inv(share * curvature + _diagonal(penalty, target)) for share in np.unique(shares)}
    inverse = np.stack([factors[share] for share in shares])
    for _ in range(40):
        weight = train[moving].astype(float)
        p = special.softmax(np.einsum("nj,sjk->snk", design, beta[moving], optimize=True), axis=2)
        gradient = np.einsum("nj,snk->sjk", design, weight[:, :, None] * (p - target), optimize=True)
        gradient += penalty[:, None] * beta[moving]
        step = np.einsum("sij,sj->si", inverse[moving], gradient.reshape(len(moving), -1)).reshape(gradient.shape)
        beta[moving] -= step
        moving = moving[np.abs(step).max(axis=(1, 2)) > 1e-6]
        if not len(moving):
            break
    for s in moving:
        beta[s] = _newton(design, target, train[s].astype(float), start)[0]
    return probabilities(np.einsum("nj,sjk->snk", design, beta, optimize=True))


def _penalty(design: Array) -> Array:
    """Of each row of the coefficients; what all intercepts share is free, and held by next to nothing."""
    return np.r_[np.ones(design.shape[1] - 1), 1e-6]


def _diagonal(penalty: Array, target: Array) -> Array:
    return np.diag(np.repeat(penalty, target.shape[1]))


def _newton(design: Array, target: Array, weight: Array, beta: Array) -> tuple[Array, Array]:
    """Coefficients and the curvature of the loss without its penalty."""
    n_columns, n_classes = beta.shape
    penalty = _penalty(design)
    for _ in range(60):
        p = special.softmax(design @ beta, axis=1)
        both = (design[:, :, None] * p[:, None, :]).reshape(len(design), -1)
        curvature = -(both * weight[:, None]).T @ both
        own = np.einsum("ni,nj,nk->kij", design, design, weight[:, None] * p, optimize=True)
        view = curvature.reshape(n_columns, n_classes, n_columns, n_classes)
        for k in range(n_classes):
            view[:, k, :, k] += own[k]
        gradient = design.T @ (weight[:, None] * (p - target)) + penalty[:, None] * beta
        step = np.linalg.solve(curvature + _diagonal(penalty, target), gradient.ravel()).reshape(beta.shape)
        beta = beta - step * min(1.0, 5 / np.abs(step).max())
        if np.abs(step).max() < 1e-8:
            break
    return beta, curvature


def _moments(X: Array, target: Array, train: Array) -> tuple[Array, Array, Array, Array]:
    """Covariance of the columns, their covariance with the target, their means and its mean, of every split."""
    weight = train / train.sum(axis=1, keepdims=True)
    mean, centre = weight @ X, weight @ target[:, 0]
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    covariance = (weight @ products).reshape(-1, X.shape[1], X.shape[1]) - mean[:, :, None] * mean[:, None, :]
    return covariance, weight @ (X * target) - mean * centre[:, None], mean, centre


def _line(X: Array, slopes: Array, mean: Array, centre: Array) -> Array:
    return np.asarray(slopes @ X.T + (centre - (slopes * mean).sum(axis=1))[:, None])[:, :, None]


def ridge(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``Ridge()``."""
    covariance, common, mean, centre = _moments(X, target, train)
    penalty = np.eye(X.shape[1]) / train.sum(axis=1)[:, None, None]
    return _line(X, np.linalg.solve(covariance + penalty, common[:, :, None])[:, :, 0], mean, centre)


def lasso(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``Lasso(0.1)``."""
    covariance, common, mean, centre = _moments(X, target, train)
    return _line(X, _descend(covariance, common, 0.1), mean, centre)


@njit(cache=True)
def _descend(covariance: Array, common: Array, penalty: float) -> Array:
    slopes = np.zeros(common.shape)
    for s in range(len(common)):
        for _ in range(1000):
            moved = 0.0
            for j in range(common.shape[1]):
                old = slopes[s, j]
                rest = common[s, j] - covariance[s, j] @ slopes[s] + covariance[s, j, j] * old
                slopes[s, j] = np.sign(rest) * max(0.0, abs(rest) - penalty) / covariance[s, j, j]
                moved = max(moved, abs(slopes[s, j] - old))
            if moved < 1e-9:
                break
    return slopes


# ---- neighbours -----------------------------------------------------------------------------------------------


def neighbors(n_neighbors: int) -> Fit:
    """``KNeighborsClassifier(n_neighbors)`` and the regressor."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
        return means_of_neighbors(nearest(X, 64 + 4 * n_neighbors), target, train, n_neighbors)

    return fit


# ---- of scikit-learn ------------------------------------------------------------------------------------------


def each_split(predict: Callable[[Array, Array, Array, int], Array]) -> Fit:
    """Fits split by split; `predict` takes the training samples, their targets, the test samples and the seed."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:
        values = np.zeros((*train.shape, target.shape[1]))
        for own, members in zip(values, train, strict=True):
            own[~members] = predict(X[members], target[members], X[~members], seed)
        return values

    return fit


def _support_vectors(X: Array, target: Array, X_test: Array, seed: int) -> Array:  # noqa: ARG001
    """``SVC()``, whose labels are those of votes, and ``SVR()``."""
    if target.shape[1] == 1:
        return np.asarray(SVR().fit(X, target[:, 0]).predict(X_test)[:, None])
    model = SVC().fit(X, target.argmax(axis=1))
    if target.shape[1] == 2:
        return np.outer(model.decision_function(X_test), [-0.5, 0.5])
    return np.eye(target.shape[1])[model.predict(X_test)]


def _network(X: Array, target: Array, X_test: Array, seed: int) -> Array:
    """``MLPClassifier()`` and the regressor, ended after 200 rounds as by default."""
    with warnings.catch_warnings(action="ignore", category=ConvergenceWarning):
        if target.shape[1] == 1:
            return np.asarray(MLPRegressor(random_state=seed).fit(X, target[:, 0]).predict(X_test)[:, None])
        return np.asarray(MLPClassifier(random_state=seed).fit(X, target.argmax(axis=1)).predict_proba(X_test))


LEARNERS: dict[str, Learner] = {
    "naive Bayes": Learner("naive Bayes", "classes", naive_bayes),
    "LDA": Learner("linear", "classes", discriminant),
    "logistic regression": Learner("linear", "classes", logistic),
    "ridge": Learner("linear", "numbers", ridge),
    "lasso": Learner("linear", "numbers", lasso),
    "1-NN": Learner("neighbors", "both", neighbors(1)),
    "5-NN": Learner("neighbors", "both", neighbors(5)),
    "15-NN": Learner("neighbors", "both", neighbors(15)),
    "stump": Learner("tree", "both", tree(1), leaves=2),
    "tree of depth 4": Learner("tree", "both", tree(4), leaves=16),
    "full tree": Learner("tree", "both", tree(0)),
    "SVM": Learner("kernel", "both", each_split(_support_vectors), effort="slow", ranks=False),
    "boosting": Learner("boosting", "both", boosting, effort="slower"),
    "forest": Learner("forest", "both", forest, effort="slower"),
    "MLP": Learner("network", "both", each_split(_network), effort="slowest"),
}
