"""Intervals for a model's own score: how often they hold the truth, and how wide they are.

``python -m benchmarks.own_scores --keep FOLDER [n_datasets]``: 50 data sets of a cell (task, samples, learner) at a
time go to a file of FOLDER when they are done, and are not done again. Without a number it prints the tables of what is
there. Needs numba.

Two truths: of the algorithm, the mean score on 40,000 new samples of models fitted on training sets of the size of the
folds; of the model, the score there of the one that is fitted on all of the data.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from benchmarks import fast_learners
from benchmarks.fast_learners import Array
from skcompare.inference import conservative_z_interval, corrected_t_test, nested_cv_interval
from skcompare.inference._student_t import t_limits
from skcompare.inference.outcomes._areas import area_components
from skcompare.inference.outcomes._mean_bootstrap import mean_bootstrap
from skcompare.inference.outcomes._metrics import METRICS, linearised

LEVEL = 0.95
N_TRUTH, PARTS = 40_000, 8
PART = 50  # data sets in a file
HALVINGS, SPLITS_OF_HALF = 10, 15


# ---- tasks and learners ---------------------------------------------------------------------------------------


def classes(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Eight normal features, all shifted by the class."""
    y = rng.permutation(np.arange(n) % 2)
    return rng.normal(size=(n, 8)) + 0.45 * (2 * y - 1)[:, None], y


def rare(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """The same with one sample of class 1 in five."""
    y = (rng.permutation(n) < n // 5).astype(int)
    return rng.normal(size=(n, 8)) + 0.45 * (2 * y - 1)[:, None], y


def numbers(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """A sum of five of twenty normal features, with as much noise."""
    X = rng.normal(size=(n, 20))
    return X, X[:, :5].sum(axis=1) + 5**0.5 * rng.normal(size=n)


def least_squares(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``LinearRegression()``."""
    design = np.column_stack([np.ones(len(X)), X])
    weight = train.astype(float)
    products = (weight @ (design[:, :, None] * design[:, None, :]).reshape(len(X), -1)).reshape(
        -1, design.shape[1], design.shape[1]
    )
    slopes = np.linalg.solve(products, ((weight * y) @ design)[:, :, None])[:, :, 0]
    return np.asarray(slopes @ design.T)


def k_neighbors_mean(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``KNeighborsRegressor(5)``."""
    squares = (X**2).sum(axis=1)
    order = np.argsort(squares[:, None] - 2 * X @ X.T + squares, axis=1, kind="stable")
    return np.asarray(fast_learners._vote(order, y, train) + 0.5)


class Learner(NamedTuple):
    fit: Callable[[Array, Array, Array, int], Array]
    model: Callable[[], Any]
    sizes: tuple[int, ...]


LEARNERS = {
    "naive Bayes": Learner(fast_learners.naive_bayes, GaussianNB, (60, 200, 1000)),
    "logistic regression": Learner(fast_learners.logistic_regression, LogisticRegression, (60, 200, 1000)),
    "5-NN": Learner(fast_learners.k_neighbors, KNeighborsClassifier, (60, 200)),
    "tree": Learner(
        fast_learners.decision_tree, lambda: DecisionTreeClassifier(max_depth=4, random_state=0), (60, 200)
    ),
    "least squares": Learner(least_squares, LinearRegression, (60, 200)),
    "5-NN of numbers": Learner(k_neighbors_mean, KNeighborsRegressor, (60, 200)),
}
TASKS = {"balanced": classes, "20%": rare, "regression": numbers}
OF_CLASSES, OF_NUMBERS = ("accuracy", "f1", "roc_auc"), ("squared error",)


def cells() -> Iterator[tuple[str, int, str]]:
    """Task, samples, learner; the long ones last."""
    for n, task, name in itertools.product((60, 200, 1000), TASKS, LEARNERS):
        of_numbers = name in ("least squares", "5-NN of numbers")
        if (task == "regression") == of_numbers and n in LEARNERS[name].sizes and (task != "20%" or n == 200):
            yield task, n, name


# ---- splits ---------------------------------------------------------------------------------------------------


def folds_of(y: Array, n_folds: int, rng: np.random.Generator, members: Array | None = None) -> Array:
    """The fold of each member, stratified where y has few values; -1 of others."""
    members = np.arange(len(y)) if members is None else members
    shuffled = rng.permutation(members)
    shuffled = shuffled[np.argsort(y[shuffled], kind="stable")] if y.dtype.kind == "i" else shuffled
    ids = np.full(len(y), -1)
    ids[shuffled] = np.arange(len(shuffled)) % n_folds
    return ids


def inner_masks(ids: Array, n_folds: int) -> Array:
    """Training sets without two folds, in the order of `itertools.combinations`."""
    return np.array([(ids != f) & (ids != g) for f, g in itertools.combinations(range(n_folds), 2)])


def halves(y: Array, n_test: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Training and test sets within halves, (HALVINGS * 2 * SPLITS_OF_HALF, n)."""
    train, test = [], []
    for _ in range(HALVINGS):
        half = folds_of(y, 2, rng)
        for own, _ in itertools.product((0, 1), range(SPLITS_OF_HALF)):
            members = np.flatnonzero(half == own)
            ids = folds_of(y, max(2, len(members) // n_test), rng, members)
            test.append(ids == 0)
            train.append(ids > 0)
    return np.array(train), np.array(test)


# ---- scores ---------------------------------------------------------------------------------------------------


def split_scores(metric: str, values: Array, y: Array, test: Array) -> Array:
    """One score per split."""
    if metric == "squared error":
        return np.asarray(((values - y) ** 2 * test).sum(axis=1) / test.sum(axis=1))
    if metric == "roc_auc":
        return fast_learners.roc_auc(values, y, test)
    return fast_learners.five_metrics(values, y, test)[:, {"accuracy": 0, "f1": 3}[metric]]


def sample_values(metric: str, values: Array, y: Array) -> Array:
    """The value of each sample that was tested once: its own, or of other metrics the linearised one."""
    if metric == "squared error":
        return np.asarray((values - y) ** 2)
    if metric == "accuracy":
        return np.asarray((values > 0) == y, dtype=float)
    if metric == "roc_auc":
        return area_components(values, y == 1, None)
    read = METRICS["f1"]
    return linearised(read, read.terms(y, (values > 0).astype(np.int64), 2))


def truth(metric: str, predicted: Array, y: Array) -> float:
    """The score of predicted numbers, or of the shares of class 1."""
    if metric == "squared error":
        return float(((predicted - y) ** 2).mean())
    if metric == "roc_auc":
        return float(roc_auc_score(y, predicted))
    called = predicted > 0.5
    return float(2 * (called & (y == 1)).sum() / (called.sum() + y.sum()) if metric == "f1" else (called == y).mean())


# ---- one data set ---------------------------------------------------------------------------------------------

Limits = dict[tuple[str, str, str], tuple[float, float]]  # by metric, design and method


def repeats_of(X: Array, y: Array, learner: Learner, n_repeats: int, n_folds: int, rng: np.random.Generator) -> Any:
    """Per repeat the fold of each sample, the decision values of the outer fits, and those of the inner ones."""
    for _ in range(n_repeats):
        ids = folds_of(y, n_folds, rng)
        outer = np.array([ids != f for f in range(n_folds)])
        inner = inner_masks(ids, n_folds)
        found = learner.fit(X, y, np.concatenate([outer, inner]), int(rng.integers(2**31)))
        yield ids, found[:n_folds], found[n_folds:]


def nested_losses(metric: str, ids: Array, outer: Array, inner: Array, y: Array) -> tuple[list[Array], list[Array]]:
    """Outer losses per fold, and the losses on all other folds of the fits without it and them."""
    n_folds = len(outer)
    losses = (lambda v: (v - y) ** 2) if metric == "squared error" else (lambda v: ((v > 0) != y).astype(float))
    e_out, e_in, of_pairs = losses(outer), [], losses(inner)
    place = {pair: i for i, pair in enumerate(itertools.combinations(range(n_folds), 2))}
    for f in range(n_folds):
        others = [g for g in range(n_folds) if g != f]
        e_in.append(np.concatenate([of_pairs[place[min(f, g), max(f, g)]][ids == g] for g in others]))
    return [e_out[f][ids == f] for f in range(n_folds)], e_in


def of_design(X: Array, y: Array, learner: Learner, metrics: tuple[str, ...], shape: tuple[int, int], rng: Any) -> Any:
    """The limits on RxK folds, the scores by metric, and the values of the samples by metric and design."""
    n_repeats, n_folds = shape
    design, found, own, of_samples = f"{n_repeats}x{n_folds}", {}, {}, {}
    repeats = list(repeats_of(X, y, learner, n_repeats, n_folds, rng))
    for metric in metrics:
        tests = [ids == f for ids, _, _ in repeats for f in range(n_folds)]
        scores = split_scores(metric, np.concatenate([outer for _, outer, _ in repeats]), y, np.array(tests))
        own[metric] = scores
        test = corrected_t_test(scores, np.zeros(len(scores)), test_fraction=1 / n_folds)
        limits = test.confidence_interval(LEVEL)
        found[metric, design, "corrected t"] = limits.low, limits.high
        single = [np.choose(ids, outer) for ids, outer, _ in repeats]
        of_samples[metric, design] = np.mean([sample_values(metric, one, y) for one in single], axis=0)
        if metric in ("accuracy", "squared error"):
            losses = [nested_losses(metric, *one, y) for one in repeats]
            nested = nested_cv_interval([one[0] for one in losses], [one[1] for one in losses])
            limits = nested.confidence_interval(LEVEL)
            turned = (1 - limits.high, 1 - limits.low) if metric == "accuracy" else (limits.low, limits.high)
            found[metric, design, "nested"] = turned
    return found, own, of_samples


SHAPES = ((10, 10), (10, 5), (1, 10))


def intervals(X: Array, y: Array, learner: Learner, metrics: tuple[str, ...], rng: Any) -> Limits:
    """All intervals of one data set."""
    found: Limits = {}
    of_samples: dict[tuple[str, str], Array] = {}
    means: dict[tuple[str, str], float] = {}
    for shape in SHAPES:
        limits, scores, some = of_design(X, y, learner, metrics, shape, rng)
        found |= limits
        of_samples |= some
        means |= {(metric, "{}x{}".format(*shape)): float(own.mean()) for metric, own in scores.items()}
        if shape == (10, 10):
            full = scores
    resampled = mean_bootstrap(np.column_stack(list(of_samples.values())), LEVEL, 0)
    for (key, values), (low, high) in zip(of_samples.items(), resampled, strict=True):
        shift = means[key] - float(values.mean())
        found[*key, "bootstrap"] = low + shift, high + shift
    train, test = halves(y, round(len(y) / 10), rng)
    values = learner.fit(X, y, train, int(rng.integers(2**31)))
    for metric in metrics:
        of_halves = split_scores(metric, values, y, test).reshape(HALVINGS, 2, SPLITS_OF_HALF)
        of_halves = np.nan_to_num(of_halves, nan=float(np.nanmean(of_halves)))  # test sets of one class
        z = conservative_z_interval(full[metric], of_halves)
        limits = z.confidence_interval(LEVEL)
        found[metric, "10x10", "conservative z"] = limits.low, limits.high
        low, high = t_limits(z.estimate, z.standard_error, HALVINGS, (1 - LEVEL) / 2)
        found[metric, "10x10", "conservative z, by t"] = low, high
    return found


def run_cell(task: str, n: int, name: str, numbers: range) -> dict[str, Array]:
    learner, draw = LEARNERS[name], TASKS[task]
    metrics = OF_NUMBERS if task == "regression" else OF_CLASSES
    X_new, y_new = draw(N_TRUTH, np.random.default_rng(2026))
    limits: dict[str, list[Any]] = {}
    truths: dict[str, list[float]] = {}
    for i in numbers:
        rng = np.random.default_rng([i, n])
        X, y = draw(n, rng)
        for (metric, design, method), ends in intervals(X, y, learner, metrics, rng).items():
            limits.setdefault(f"limits|{metric}|{design}|{method}", []).append(ends)
        for share in (1.0, 0.9, 0.8):
            some = folds_of(y, 10, rng) < 10 * share
            model = learner.model().fit(X[some], y[some])
            new = slice(None) if share == 1 else slice(i % PARTS, None, PARTS)  # the mean over data sets counts there
            found = model.predict(X_new[new]) if task == "regression" else model.predict_proba(X_new[new])[:, 1]
            for metric in metrics:
                truths.setdefault(f"truth|{metric}|{share:g}", []).append(truth(metric, found, y_new[new]))
    return {name: np.array(values) for name, values in (limits | truths).items()}


# ---- the tables -----------------------------------------------------------------------------------------------

COSTS = {
    ("10x10", "corrected t"): 100,
    ("10x10", "bootstrap"): 100,
    ("10x10", "nested"): 550,
    ("10x10", "conservative z"): 100 + 2 * HALVINGS * SPLITS_OF_HALF,
    ("10x10", "conservative z, by t"): 100 + 2 * HALVINGS * SPLITS_OF_HALF,
    ("10x5", "corrected t"): 50,
    ("10x5", "bootstrap"): 50,
    ("10x5", "nested"): 150,
    ("1x10", "corrected t"): 10,
    ("1x10", "bootstrap"): 10,
    ("1x10", "nested"): 55,
}


def coverage(cell: dict[str, Array], metric: str, design: str, method: str) -> tuple[float, float, float]:
    """How often the interval holds the truth of the algorithm and of the model, and its mean width."""
    ends = cell[f"limits|{metric}|{design}|{method}"]
    size = "0.8" if design == "10x5" else "0.9"
    of_algorithm, of_model = cell[f"truth|{metric}|{size}"].mean(), cell[f"truth|{metric}|1"]
    held = [np.mean((ends[:, 0] <= value) & (value <= ends[:, 1])) for value in (of_algorithm, of_model)]
    return float(held[0]), float(held[1]), float(np.mean(ends[:, 1] - ends[:, 0]))


def tables(kept: dict[tuple[str, int, str], dict[str, Array]]) -> None:
    """Per metric, and per design and method: the range and mean of the coverage over the cells; then each cell."""
    numbers = [len(next(iter(cell.values()))) for cell in kept.values()]
    error = (LEVEL * (1 - LEVEL) / min(numbers)) ** 0.5
    print(f"\n{min(numbers)} to {max(numbers)} data sets per cell; standard error of one coverage: up to {error:.1%}\n")
    print("| metric | design | method | cells | algorithm: mean (lowest to highest) | model | width | fits |")
    print("| --- | --- | --- | ---: | --- | --- | ---: | ---: |")
    for metric in (*OF_CLASSES, *OF_NUMBERS):
        of_metric = [cell for cell in kept.values() if f"truth|{metric}|1" in cell]
        for (design, method), cost in COSTS.items():
            if not of_metric or f"limits|{metric}|{design}|{method}" not in of_metric[0]:
                continue
            rows = np.array([coverage(cell, metric, design, method) for cell in of_metric])
            widths = rows[:, 2] / [coverage(cell, metric, "10x10", "corrected t")[2] for cell in of_metric]
            held = [f"{100 * c.mean():.1f}% ({100 * c.min():.1f} to {100 * c.max():.1f})" for c in rows[:, :2].T]
            line = (metric, design, method, str(len(rows)), *held, f"{widths.mean():.2f}", str(cost))
            print("| " + " | ".join(line) + " |")
    shipped(kept)
    print("\n| task | n | learner | metric | design | method | algorithm | model | width |")
    print("| --- | ---: | --- | --- | --- | --- | ---: | ---: | ---: |")
    for (task, n, name), cell in kept.items():
        for key in (key for key in cell if key.startswith("limits|")):
            _, metric, design, method = key.split("|")
            own, fitted, width = coverage(cell, metric, design, method)
            row = (task, str(n), name, metric, design, method, f"{own:.1%}", f"{fitted:.1%}", f"{width:.4f}")
            print("| " + " | ".join(row) + " |")


# Of `python -m benchmarks.one_run test` (docs/benchmarks.md), on its nulls with and without much signal, of which some
# models call hardly any sample positive: percent of corrected t intervals that missed the score of the algorithm, by
# whether there were several repeats, metric, and whether there were fewer than 100 samples.
MISSED = {
    (True, "accuracy", True): (0.2, 8.3),
    (True, "accuracy", False): (0.1, 9.0),
    (True, "f1", True): (1.8, 40.2),
    (True, "f1", False): (1.7, 31.8),
    (True, "roc_auc", True): (3.7, 14.1),
    (True, "roc_auc", False): (2.1, 13.2),
    (False, "accuracy", True): (0.2, 4.2),
    (False, "accuracy", False): (0.4, 7.8),
    (False, "f1", True): (1.6, 52.1),
    (False, "f1", False): (0.7, 24.6),
    (False, "roc_auc", True): (2.2, 11.3),
    (False, "roc_auc", False): (0.8, 5.1),
}
SHIPPED_AS = {"corrected t": "corrected_t", "squared error": "neg_mean_squared_error"}


def shipped(kept: dict[tuple[str, int, str], dict[str, Array]]) -> None:
    """The lowest and the highest coverage by method, repeats, metric and number of samples, as the package has them."""
    found: dict[tuple[str, bool, str, bool], list[tuple[float, float]]] = {}
    for (_, n, _), cell in kept.items():
        for key in (key for key in cell if key.startswith("limits|") and "conservative" not in key):
            _, metric, design, method = key.split("|")
            several = design != "1x10"
            found.setdefault((method, several, metric, n < 100), []).append(coverage(cell, metric, design, method)[:2])
    print("\nby method, several repeats, metric, fewer than 100 samples: (algorithm), (model)\n")
    for (method, several, metric, few), shares in sorted(found.items()):
        own, fitted = (sorted(100 * share for share in one) for one in zip(*shares, strict=True))
        if method == "corrected t":
            own = sorted([*own, *(100 - missed for missed in MISSED.get((several, metric, few), ()))])
        ends = tuple((round(one[0]), round(one[-1])) for one in (own, fitted))
        key = (SHIPPED_AS.get(method, method), several, SHIPPED_AS.get(metric, metric), few)
        print(f"    {key}: {ends},".replace("'", '"'))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("n_datasets", nargs="?", type=int, default=0, help="0: only print what is there")
    parser.add_argument("--keep", type=Path, required=True, help="folder of the finished cells")
    given = parser.parse_args()
    given.keep.mkdir(parents=True, exist_ok=True)
    for first, cell in itertools.product(range(0, given.n_datasets, PART), cells()):
        file = given.keep / f"{stem_of(cell)}_{first:05d}.npz"
        if not file.exists():
            start = time.process_time()
            np.savez(file, **run_cell(*cell, range(first, min(first + PART, given.n_datasets))))
            print(f"{file.name}: {time.process_time() - start:.0f} s", flush=True)
    kept = {}
    for cell in cells():
        parts = []
        for file in sorted(given.keep.glob(f"{stem_of(cell)}_*.npz")):
            with np.load(file) as arrays:
                parts.append(dict(arrays))
        if parts:
            kept[cell] = {key: np.concatenate([part[key] for part in parts]) for key in parts[0]}
    if kept:
        tables(kept)


def stem_of(cell: tuple[str, int, str]) -> str:
    return "_".join(map(str, cell)).replace(" ", "-")


if __name__ == "__main__":
    main()
