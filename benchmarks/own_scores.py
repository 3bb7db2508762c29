"""Intervals for a model's own score: how often they hold the truth, and how wide they are.

``python -m benchmarks.own_scores --keep FOLDER [n_datasets]``: 50 data sets of a cell (task, samples, learner) at a
time go to a file of FOLDER when they are done, and are not done again. Without a number it writes and prints the tables
of what is there: docs/data/own_scores.csv.gz has the cells, docs/data/measured_coverage.csv what the package
says beside an interval. Needs numba. ``--corrected`` makes the corrected t intervals, which need no inner fits, and
without it all others are made; methods of which nothing is there keep the rows that are published.

Two truths: of the algorithm, the mean score on 40,000 new samples of models fitted on training sets of the size of the
folds; of the model, the score there of the one that is fitted on all of the data (with ``--corrected`` and fewer than
1,000 samples on 10,000 of them).

Nested cross-validation as a test of two models is given the same learner on two blocks of features that are drawn
alike, so that every rejection is false; its sizes go to docs/data/measured_elsewhere.csv.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import special
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

from benchmarks import DATA, head, joined, keep, line, options, read_rows, write_rows, write_sizes
from benchmarks import fast_learners as fast
from benchmarks.fast_learners import Array
from skcompare._core.metrics import OF_LABELS
from skcompare.comparison.intervals import corrected_t_limits
from skcompare.inference import conservative_z_interval, corrected_t_test, k_fold_t_test, nested_cv_interval
from skcompare.inference._distributions import t_limits
from skcompare.inference._rates import FEW
from skcompare.inference.outcomes.auc import area_components
from skcompare.inference.outcomes.bootstrap import mean_bootstrap

LEVEL = 0.95
N_TRUTH, PARTS = 40_000, 8
PART = 50  # data sets in a file
HALVINGS, SPLITS_OF_HALF = 10, 15


# ---- tasks and learners ---------------------------------------------------------------------------------------


SIGNALS = {"balanced": 0.45, "weak": 0.15}


def features(y: Array, signal: float, rng: np.random.Generator) -> Array:
    """Eight normal ones, all shifted by the class."""
    return rng.normal(size=(len(y), 8)) + signal * (2 * y - 1)[:, None]


def classes(n: int, rng: np.random.Generator, signal: float = SIGNALS["balanced"]) -> tuple[Array, Array]:
    """As many samples of either class; "weak" has a third of the shift."""
    y = rng.permutation(np.arange(n) % 2)
    return features(y, signal, rng), y


def rare(n: int, rng: np.random.Generator, signal: float = SIGNALS["balanced"]) -> tuple[Array, Array]:
    """The first with one sample of class 1 in five; with a weak signal hardly any is called so."""
    y = (rng.permutation(n) < n // 5).astype(int)
    return features(y, signal, rng), y


def numbers(n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """A sum of five of twenty normal features, with as much noise."""
    X = rng.normal(size=(n, 20))
    return X, X[:, :5].sum(axis=1) + 5**0.5 * rng.normal(size=n)


def k_neighbors_mean(X: Array, y: Array, train: Array, seed: int) -> Array:  # noqa: ARG001
    """``KNeighborsRegressor(5)``."""
    return fast.means_of_neighbors(fast.nearest(X, len(X)), y[:, None], train, 5)[:, :, 0]


class Learner(NamedTuple):
    fit: Callable[[Array, Array, Array, int], Array]
    model: Callable[[], Any]
    sizes: tuple[int, ...]


LEARNERS = {
    "naive Bayes": Learner(fast.naive_bayes, GaussianNB, (60, 200, 1000)),
    "logistic regression": Learner(fast.logistic_regression, LogisticRegression, (60, 200, 1000)),
    "5-NN": Learner(fast.k_neighbors, lambda: KNeighborsClassifier(algorithm="brute"), (60, 200, 1000)),
    "tree": Learner(fast.decision_tree, lambda: DecisionTreeClassifier(max_depth=4, random_state=0), (60, 200, 1000)),
    "forest": Learner(fast.random_forest, lambda: RandomForestClassifier(10, max_depth=4, random_state=0), (60, 200)),
    "least squares": Learner(fast.least_squares, LinearRegression, (60, 200)),
    "5-NN of numbers": Learner(k_neighbors_mean, KNeighborsRegressor, (60, 200)),
}
TASKS = {"balanced": classes, "weak": partial(classes, signal=SIGNALS["weak"]), "20%": rare, "regression": numbers}
TASKS["weak, 20%"] = partial(rare, signal=SIGNALS["weak"])
OF_PAIRS = ((10, 10), (1, 10))
OF_CLASSES = ("accuracy", "precision", "recall", "f1", "roc_auc")
OF_NUMBERS = ("squared error", "root of squared error", "absolute error", "r2")
OF_SAMPLES = ("accuracy", "f1", "roc_auc", "squared error")  # those whose values per sample are drawn again


def cells() -> Iterator[tuple[str, int, str]]:
    """Task, samples, learner; the long ones last."""
    for n, task, name in itertools.product((60, 200, 1000), TASKS, LEARNERS):
        of_numbers = name in ("least squares", "5-NN of numbers")
        measured = n in LEARNERS[name].sizes and ("20%" not in task or n == 200) and (task != "weak" or n < 1000)
        if (task == "regression") == of_numbers and measured:
            yield task, n, name


def pairs() -> Iterator[tuple[str, int, str]]:
    """Task, samples and learner of two equal models."""
    yield from itertools.product(("balanced", "weak"), (60, 200), ("naive Bayes", "5-NN", "tree"))


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


def scores_of(values: Array, y: Array, test: Array) -> Array:
    """Of every split on each of `OF_CLASSES` or `OF_NUMBERS`."""
    if y.dtype.kind == "i":
        return fast.five_metrics(values, y, test)
    squared, absolute = ((np.abs(values - y) ** power * test).sum(axis=1) / test.sum(axis=1) for power in (2, 1))
    return np.column_stack([squared, squared**0.5, absolute, 1 - squared / [np.var(y[one]) for one in test]])


def sample_values(metric: str, values: Array, y: Array) -> Array:
    """The value of each sample that was tested once: its own, or of other metrics the linearised one."""
    if metric == "squared error":
        return np.asarray((values - y) ** 2)
    if metric == "accuracy":
        return np.asarray((values > 0) == y, dtype=float)
    if metric == "roc_auc":
        return area_components(values, y == 1, None)
    read = OF_LABELS["f1"]
    return read.influence(read.of_samples(y, (values > 0).astype(np.int64), 2))


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


def corrected_limits(metric: str, scores: Array, n_folds: int) -> tuple[float, float]:
    least = -np.inf if metric == "r2" else 0.0
    most = np.inf if metric in OF_NUMBERS and metric != "r2" else 1.0
    return corrected_t_limits(scores, 1 / n_folds, LEVEL, (least, most))


def corrected_intervals(X: Array, y: Array, learner: Learner, metrics: tuple[str, ...], rng: Any) -> Limits:
    """The corrected t intervals of one data set; one run is the first repeat of the largest design."""
    found: Limits = {}
    for n_repeats, n_folds in SHAPES[:2]:
        ids = np.array([folds_of(y, n_folds, rng) for _ in range(n_repeats)])
        tests = (ids[:, None] == np.arange(n_folds)[:, None]).reshape(-1, len(y))
        values = learner.fit(X, y, ~tests, int(rng.integers(2**31)))
        for metric, scores in zip(metrics, scores_of(values, y, tests).T, strict=True):
            for repeats in {n_repeats, 1} if n_folds == SHAPES[2][1] else {n_repeats}:
                own = scores[: repeats * n_folds]
                found[metric, f"{repeats}x{n_folds}", "corrected t"] = corrected_limits(metric, own, n_folds)
    return found


def of_design(X: Array, y: Array, learner: Learner, metrics: tuple[str, ...], shape: tuple[int, int], rng: Any) -> Any:
    """The nested limits on RxK folds, the scores by metric, and the values of the samples by metric."""
    n_repeats, n_folds = shape
    found, of_samples = {}, {}
    repeats = list(repeats_of(X, y, learner, n_repeats, n_folds, rng))
    tests = np.array([ids == f for ids, _, _ in repeats for f in range(n_folds)])
    scores = scores_of(np.concatenate([outer for _, outer, _ in repeats]), y, tests)
    for metric in metrics:
        if metric not in OF_SAMPLES:
            continue
        single = [np.choose(ids, outer) for ids, outer, _ in repeats]
        of_samples[metric] = np.mean([sample_values(metric, one, y) for one in single], axis=0)
        if metric in ("accuracy", "squared error"):
            losses = [nested_losses(metric, *one, y) for one in repeats]
            nested = nested_cv_interval([one[0] for one in losses], [one[1] for one in losses])
            limits = nested.confidence_interval(LEVEL)
            turned = (1 - limits.high, 1 - limits.low) if metric == "accuracy" else (limits.low, limits.high)
            found[metric, f"{n_repeats}x{n_folds}", "nested"] = turned
    return found, dict(zip(metrics, scores.T, strict=True)), of_samples


SHAPES = ((10, 10), (10, 5), (1, 10))


def intervals(X: Array, y: Array, learner: Learner, metrics: tuple[str, ...], rng: Any) -> Limits:
    """All other intervals of one data set."""
    found: Limits = {}
    shifts: list[tuple[tuple[str, str, str], float]] = []
    of_samples: list[Array] = []
    for shape in SHAPES:
        limits, scores, some = of_design(X, y, learner, metrics, shape, rng)
        found |= limits
        of_samples += some.values()
        shifts += [
            ((metric, "{}x{}".format(*shape), "bootstrap"), float(scores[metric].mean()) - float(values.mean()))
            for metric, values in some.items()
        ]
        if shape == (10, 10):
            full = scores
    resampled = mean_bootstrap(np.column_stack(of_samples), LEVEL, 0)
    for (key, shift), (low, high) in zip(shifts, resampled, strict=True):
        found[key] = low + shift, high + shift
    train, test = halves(y, round(len(y) / 10), rng)
    of_all = scores_of(learner.fit(X, y, train, int(rng.integers(2**31))), y, test)
    for metric, own in zip(metrics, of_all.T, strict=True):
        if metric not in OF_SAMPLES:
            continue
        of_halves = own.reshape(HALVINGS, 2, SPLITS_OF_HALF)
        of_halves = np.nan_to_num(of_halves, nan=float(np.nanmean(of_halves)))  # test sets of one class
        z = conservative_z_interval(full[metric], of_halves)
        limits = z.confidence_interval(LEVEL)
        found[metric, "10x10", "conservative z"] = limits.low, limits.high
        low, high = t_limits(z.estimate, z.standard_error, HALVINGS, (1 - LEVEL) / 2)
        found[metric, "10x10", "conservative z, by t"] = low, high
    return found


def run_cell(task: str, n: int, name: str, numbers: range, corrected: bool = False) -> dict[str, Array]:
    learner, draw = LEARNERS[name], TASKS[task]
    metrics = OF_NUMBERS if task == "regression" else OF_CLASSES
    X_new, y_new = draw(N_TRUTH, np.random.default_rng(2026))
    limits: dict[str, list[Any]] = {}
    truths: dict[str, list[float]] = {}
    for i in numbers:
        rng = np.random.default_rng([i, n])
        X, y = draw(n, rng)
        made = corrected_intervals if corrected else intervals
        for (metric, design, method), ends in made(X, y, learner, metrics, rng).items():
            limits.setdefault(f"limits|{metric}|{design}|{method}", []).append(ends)
        for share in (1.0, 0.9, 0.8):
            some = folds_of(y, 10, rng) < 10 * share
            model = learner.model().fit(X[some], y[some])
            new = slice(i % PARTS, None, PARTS)  # of the algorithm the mean over data sets counts
            if share == 1:
                new = slice(i % 4, None, 4) if corrected and n < 1000 else slice(None)
            if task == "regression":
                found = model.predict(X_new[new])
            else:
                found = special.logit(model.predict_proba(X_new[new])[:, 1])
            [true] = scores_of(found[None], y_new[new], np.ones((1, len(found)), dtype=bool))
            for metric, score in zip(metrics, true, strict=True):
                truths.setdefault(f"truth|{metric}|{share:g}", []).append(score)
    return {name: np.array(values) for name, values in (limits | truths).items()}


def apart(a: list[Array], b: list[Array]) -> list[Array]:
    return [theirs - own for own, theirs in zip(a, b, strict=True)]


def of_pair(task: str, n: int, name: str, numbers: range) -> dict[str, Array]:
    """P-values of two equal models, the second with features of its own of the same classes, by design and test."""
    found: dict[str, list[float]] = {}
    for i in numbers:
        rng = np.random.default_rng([i, n, 2])
        X, y = TASKS[task](n, rng)
        both = X, features(y, SIGNALS[task], rng)
        for n_repeats, n_folds in OF_PAIRS:
            losses = []
            for own in both:
                repeats = repeats_of(own, y, LEARNERS[name], n_repeats, n_folds, np.random.default_rng([i, n, 3]))
                losses.append([nested_losses("accuracy", *one, y) for one in repeats])
            outer, inner = ([apart(a[part], b[part]) for a, b in zip(*losses, strict=True)] for part in (0, 1))
            d = np.array([fold.mean() for repeat in outer for fold in repeat])
            corrected = k_fold_t_test if n_repeats == 1 else corrected_t_test
            default = corrected(d, np.zeros(len(d)), test_fraction=1 / n_folds)
            for test, record in (("nested", nested_cv_interval(outer, inner)), ("default", default)):
                found.setdefault(f"{n_repeats}x{n_folds}|{test}", []).append(record.pvalue)
    return {key: np.array(values) for key, values in found.items()}


# ---- the tables -----------------------------------------------------------------------------------------------

PUBLISHED, COVERED = DATA / "own_scores.csv.gz", DATA / "measured_coverage.csv"
Row = dict[str, str]
ROW = ("task", "n_samples", "learner", "metric", "design", "method", "datasets", "algorithm", "model", "width")
# Fits of each design and method.
COSTS: dict[tuple[str, str], int] = {}
for n_repeats, n_folds in SHAPES:
    fits = n_repeats * n_folds
    of_methods = {"corrected t": fits, "bootstrap": fits, "nested": fits * (n_folds + 1) // 2}
    if (n_repeats, n_folds) == SHAPES[0]:
        of_methods |= dict.fromkeys(("conservative z", "conservative z, by t"), fits + 2 * HALVINGS * SPLITS_OF_HALF)
    COSTS |= {(f"{n_repeats}x{n_folds}", method): cost for method, cost in of_methods.items()}


def rows_of(cell: tuple[str, int, str], kept: dict[str, Array]) -> Iterator[Row]:
    """How many intervals held the truth of the algorithm and of the model, and their mean width."""
    for key in (key for key in kept if key.startswith("limits|")):
        _, metric, design, method = key.split("|")
        ends = kept[key]
        of_algorithm = kept[f"truth|{metric}|{'0.8' if design == '10x5' else '0.9'}"].mean()
        truths = of_algorithm, kept[f"truth|{metric}|1"]
        held = (int(((ends[:, 0] <= true) & (true <= ends[:, 1])).sum()) for true in truths)
        values = (*cell, metric, design, method, len(ends), *held, f"{np.mean(ends[:, 1] - ends[:, 0]):.5f}")
        yield dict(zip(ROW, map(str, values), strict=True))


def percent(rows: Iterable[Row], target: str) -> list[float]:
    return [100 * int(row[target]) / int(row["datasets"]) for row in rows]


def table(rows: list[Row]) -> list[str]:
    """Per metric, design and method: the mean and the range of the coverage over the cells, the width and the fits."""
    names = ("metric", "design", "method", "cells", "algorithm: mean (lowest to highest)", "model", "width", "fits")
    found = [line(*names), "| --- | --- | --- | ---: | --- | --- | ---: | ---: |"]
    place, kind = itemgetter("task", "n_samples", "learner", "metric"), itemgetter("metric", "design", "method")
    first = {place(row): float(row["width"]) for row in rows if kind(row)[1:] == next(iter(COSTS))}
    for metric, ((design, method), cost) in itertools.product((*OF_CLASSES, *OF_NUMBERS), COSTS.items()):
        if own := [row for row in rows if kind(row) == (metric, design, method)]:
            shares = [np.array(percent(own, target)) for target in ("algorithm", "model")]
            held = [f"{share.mean():.1f}% ({share.min():.1f} to {share.max():.1f})" for share in shares]
            widths = [float(row["width"]) / first[place(row)] for row in own]
            found.append(line(metric, design, method, len(own), *held, f"{np.mean(widths):.2f}", cost))
    return found


# Of `python -m benchmarks.designs one_run test` (docs/benchmarks.md), on its nulls with and without much signal, of
# which some models call hardly any sample positive: percent of corrected t intervals that missed the score of the
# algorithm, by whether there were several repeats, metric, and whether there were fewer than 100 samples.
_MISSED = {
    (True, "accuracy"): ((0.2, 8.3), (0.1, 9.0)),
    (True, "f1"): ((1.8, 40.2), (1.7, 31.8)),
    (True, "roc_auc"): ((3.7, 14.1), (2.1, 13.2)),
    (False, "accuracy"): ((0.2, 4.2), (0.4, 7.8)),
    (False, "f1"): ((1.6, 52.1), (0.7, 24.6)),
    (False, "roc_auc"): ((2.2, 11.3), (0.8, 5.1)),
}
MISSED = {(*key, few): own for key, both in _MISSED.items() for few, own in zip((True, False), both, strict=True)}
COVERAGE = ("method", "metric", "repeats", "n_samples", "target", "low", "high")
SHIPPED_AS = {
    "corrected t": "corrected_t",
    "squared error": "neg_mean_squared_error",
    "root of squared error": "neg_root_mean_squared_error",
    "absolute error": "neg_mean_absolute_error",
}


def shipped(rows: Iterable[Row]) -> list[Row]:
    """The lowest and the highest coverage in percent, as the package has them."""
    found: dict[tuple[str, str, bool, bool], list[Row]] = {}
    for row in rows:
        if row["method"] in ("corrected t", "nested", "bootstrap"):
            key = row["method"], row["metric"], row["design"] != "1x10", int(row["n_samples"]) < FEW
            found.setdefault(key, []).append(row)
    made = []
    for (method, metric, several, few), own in sorted(found.items()):
        for target in ("algorithm", "model"):
            shares = percent(own, target)
            if (method, target) == ("corrected t", "algorithm"):
                shares += [100 - missed for missed in MISSED.get((several, metric, few), ())]
            named = SHIPPED_AS.get(method, method), SHIPPED_AS.get(metric, metric), "several" if several else "one"
            ends = str(round(min(shares))), str(round(max(shares)))
            values = (*named, f"under {FEW}" if few else f"{FEW} and more", target, *ends)
            made.append(dict(zip(COVERAGE, values, strict=True)))
    return made


def ship_sizes(kept: Mapping[tuple[str, int, str], dict[str, Array]]) -> list[str]:
    """The table of sizes at 5%; the lowest and the highest of each design go into the shipped one."""
    found = [head(("signal", "samples", "learner", "design", "data sets", "nested", "default test"))]
    sizes: dict[str, list[float]] = {}
    for ((task, n, name), cell), (n_repeats, n_folds) in itertools.product(kept.items(), OF_PAIRS):
        design = f"{n_repeats}x{n_folds}"
        shares = [float((cell[f"{design}|{test}"] < 1 - LEVEL).mean()) for test in ("nested", "default")]
        sizes.setdefault(design if n_repeats > 1 else f"{n_folds}-fold", []).append(shares[0])
        n_datasets = len(cell[f"{design}|nested"])
        signal = "strong" if task == "balanced" else task
        found.append(line(signal, n, name, design, n_datasets, *(f"{share:.1%}" for share in shares)))
    write_sizes("nested_cv_interval", [(d, "accuracy", f"{min(s):.3f}", f"{max(s):.3f}") for d, s in sizes.items()])
    return found


# ---- the run --------------------------------------------------------------------------------------------------


def file_of(folder: Path, cell: tuple[str, int, str], kind: str, start: int | str) -> Path:
    stem = f"{kind}{'_'.join(map(str, cell)).replace(' ', '-')}"
    return folder / f"{stem}_{start if isinstance(start, str) else f'{start:05d}'}.npz"


def stored(folder: Path, kind: str) -> dict[tuple[str, int, str], dict[str, Array]]:
    """What is there, by cell."""
    found = {}
    for cell in pairs() if kind == "pair_" else cells():
        found[cell] = joined(sorted(folder.glob(file_of(folder, cell, kind, "*").name)))
    return {cell: arrays for cell, arrays in found.items() if arrays}


def main() -> None:
    n_datasets = {"nargs": "?", "type": int, "default": 0, "help": "0: only the tables of what is there"}
    keep_in = {"type": Path, "required": True, "help": "folder of the finished cells"}
    given = options(__doc__, n_datasets=n_datasets, keep=keep_in, corrected=False)
    folder, n = given.keep, given.n_datasets
    folder.mkdir(parents=True, exist_ok=True)
    for first in range(0, n, PART):
        numbers = range(first, min(first + PART, n))
        whole = ((run_cell, cells(), ""), (of_pair, pairs(), "pair_"))
        alone = ((partial(run_cell, corrected=True), cells(), "corrected_"),)
        for one, of, kind in alone if given.corrected else whole:
            for cell in of:
                path = file_of(folder, cell, kind, first)
                keep(path, lambda one=one, cell=cell: one(*cell, numbers))  # noqa: B023
                print(path.name, flush=True)
    if n:
        return
    known = {tuple(row[name] for name in ROW[:6]): row for row in read_rows(PUBLISHED)}
    for kind in ("", "corrected_"):
        new = [row for cell, kept in stored(folder, kind).items() for row in rows_of(cell, kept)]
        known |= {tuple(row[name] for name in ROW[:6]): row for row in new}
    rows = list(known.values())
    for path, made in ((PUBLISHED, rows), (COVERED, shipped(rows))):
        write_rows(path, [tuple(made[0]), *(tuple(row.values()) for row in made)])
    sizes = [int(row["datasets"]) for row in rows]
    error = (LEVEL * (1 - LEVEL) / min(sizes)) ** 0.5
    print(f"{min(sizes)} to {max(sizes)} data sets per cell; standard error of a coverage: up to {error:.1%}\n")
    of_pairs = stored(folder, "pair_")
    print("\n".join([*table(rows), *(["", *ship_sizes(of_pairs)] if of_pairs else [])]))


if __name__ == "__main__":
    main()
