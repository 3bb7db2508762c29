"""How often two equally good models are called different, over many drawn kinds of data, learners and balances.

Run from a checkout: ``python -m benchmarks.rates_study --minutes 60`` draws nulls in a random order, so that those
which are done are a fair sample of all, and adds the counts of each to ``docs/data/rates_study.csv.gz``; nulls that
the table has are not made again (needs numba). With ``--folder`` the statistics of every data set are kept there;
``--halves`` puts the counts of `conservative_z_interval` beside them, from further fits on halves of the data;
``--candidates`` then judges these and other tests.

A null is one learner on two blocks of features that are drawn alike given the target, as in `benchmarks.wide_data`: the
models are exchangeable, so that they are equally good on every metric. Many nulls of few data sets tell more of a new
learner on new data than few nulls of many.

Two figures describe a run without its outcome; exchanging the models changes neither. `called_positive` is the share of
predictions that are positive, the mean of both models. `instability` is the share of the variance of what is predicted
that lies between the repeats for the same sample: 0 where all repeats predict the same, 1 where they agree by chance
only. For labels, as columns of zeros and ones, it is one less the agreement beyond chance (Fleiss' kappa). It serves
since models that repeats hardly change gain nothing from their mean: then the error that all training sets share is all
there is, which folds cannot show, and the test is liberal; the luck of unstable models averages out. A single run of
folds has none.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numba import njit
from scipy import optimize, special
from sklearn.base import clone
from sklearn.linear_model import Perceptron, RidgeClassifier
from sklearn.svm import LinearSVC

from benchmarks import DATA, head, line, options, read_rows, stacked, wide_tables, write_rows
from benchmarks import fast_learners as fast
from benchmarks import wide_data as data
from benchmarks.calibration import rejections, t_pvalues
from benchmarks.fast_learners import Array, five_metrics, k_fold, ranked
from benchmarks.wide_data import CLASSES, FEATURES, Fit
from skcompare.inference import conservative_z_interval
from skcompare.inference.fold_scores.stability import instability as luck_and_excess
from skcompare.inference.fold_scores.stability import of_families, own_correction

TABLE = DATA / "rates_study.csv.gz"
HALVES = "halves.csv.gz"
NULL = ("task", "generator", "learner", "n_samples", "positives")
KNOWN = ("called_positive", "instability", "n_classes")
COUNTED = ("n_datasets", "rejected", "rejected_1", "rejected_10", "first_seed")
COLUMNS = (*NULL, *KNOWN, "design", "procedure", "metric", *COUNTED)
DESIGNS = ("10x10", "10-fold", "5x2")
REPEATS = {"10x10": (10, 10), "5x2": (5, 2)}
M, J = 10, 15  # halvings, and splits of each half
LEVEL = 0.05

# ---- learners ---------------------------------------------------------------------------------------------------


def by_decision(model: Any) -> Fit:
    """A classifier of scikit-learn by its decision function, fitted split by split."""

    def predict(X: Array, target: Array, X_test: Array, seed: int) -> Array:
        fitted = clone(model).set_params(random_state=seed % 2**32).fit(X, target.argmax(axis=1))
        values = fitted.decision_function(X_test)
        return np.outer(values, [-0.5, 0.5]) if values.ndim == 1 else np.asarray(values)

    return data.each_split(predict)


def balanced_logistic(X: Array, target: Array, train: Array, seed: int) -> Array:
    """``LogisticRegression(class_weight="balanced")`` of two classes."""
    counts = train @ target
    weights = train.sum(axis=1, keepdims=True) / (target.shape[1] * counts)
    return data.both_sides(fast.logistic_regression(X, target[:, 1], train * (weights @ target.T), seed))


@dataclass(frozen=True)
class Learner:
    """How it is fitted, its family, and how often it is drawn; of classes what gives probabilities of its values."""

    fit: Fit
    family: str
    often: float = 1.0
    probability: str = ""  # "" for none, "shares" for values that are probabilities, "odds" for log odds of two classes
    most: int = 1000  # samples
    slow: bool = False  # half the data sets
    only_two: bool = False
    by_chance: bool = False  # whether other seeds make another model of the same data


OF_CLASSES: dict[str, Learner] = {
    "LinearSVC": Learner(by_decision(LinearSVC(tol=1e-10, max_iter=100_000)), "linear", 2),
    "logistic regression": Learner(data.logistic, "linear", 2, "odds"),
    "balanced logistic regression": Learner(balanced_logistic, "linear", 1, "odds", only_two=True),
    "Perceptron": Learner(by_decision(Perceptron()), "linear", by_chance=True),
    "RidgeClassifier": Learner(by_decision(RidgeClassifier()), "linear", 1.5),
    "LDA": Learner(data.discriminant, "linear", 1, "shares"),
    "naive Bayes": Learner(data.naive_bayes, "naive Bayes", 1.5, "shares"),
    "5-NN": Learner(data.neighbors(5), "neighbors", 1, "shares"),
    "15-NN": Learner(data.neighbors(15), "neighbors", 1, "shares"),
    "stump": Learner(data.tree(1), "tree", 1, "shares"),
    "tree of depth 3": Learner(data.tree(3), "tree", 1, "shares"),
    "full tree": Learner(data.tree(0), "tree", 1, "shares", 400),
    "forest of 10": Learner(data.forest(10), "forest", 0.7, "shares", 200, True, by_chance=True),
    "SVM": Learner(data.each_split(data._support_vectors), "kernel", 0.4, "", 200, True),
}
OF_NUMBERS: dict[str, Learner] = {
    "ridge": Learner(data.ridge, "linear", 2),
    "5-NN": Learner(data.neighbors(5), "neighbors"),
    "15-NN": Learner(data.neighbors(15), "neighbors"),
    "stump": Learner(data.tree(1), "tree", 0.5),
    "tree of depth 3": Learner(data.tree(3), "tree"),
    "full tree": Learner(data.tree(0), "tree", 1, "", 400),
    "forest of 10": Learner(data.forest(10), "forest", 0.5, "", 60, True, by_chance=True),
}

# ---- what is drawn ----------------------------------------------------------------------------------------------

TASKS = {"binary": 0.72, "3 classes": 0.12, "regression": 0.16}
POSITIVES = (0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.65)
SIZES = {60: 120, 150: 120, 200: 120, 400: 90, 1000: 60}  # samples, and the data sets of a null
FEWEST = 10  # of the rarest class, so that each of ten folds has one
SIGNALS = {"noise": 0.0, "weak": 0.15, "signal": 0.45, "strong": 0.8}
COMMON = {"shared": 3, "other seeds": FEATURES}  # features that both models have
KINDS = ("independent", "correlated", "nuisance", "heavy tails", "autoregressive", *COMMON)
LINKS = (*SIGNALS, "interaction")
ERRORS = ("normal", "t3", "lognormal")
SEED = 20


@dataclass(frozen=True)
class Null:
    """One learner on two blocks of features of one kind."""

    task: str
    generator: str
    learner: str
    n: int
    positive: float

    @property
    def key(self) -> tuple[str, ...]:
        """Its values of the first columns of the table."""
        positive = f"{self.positive:g}" if self.task == "binary" else ""
        return self.task, self.generator, self.learner, str(self.n), positive

    @property
    def file(self) -> str:
        return "; ".join(self.key) + ".npz"

    @property
    def n_datasets(self) -> int:
        return SIZES[self.n] // (2 if self.own.slow else 1)

    @property
    def own(self) -> Learner:
        return (OF_NUMBERS if self.task == "regression" else OF_CLASSES)[self.learner]


def allowed(null: Null) -> bool:
    share = min(null.positive, 1 - null.positive)
    known = "other seeds" not in null.generator or null.own.by_chance
    enough = null.task != "binary" or null.n * share >= FEWEST
    return known and enough and null.n <= null.own.most and not (null.own.only_two and null.task != "binary")


def nulls() -> Iterator[Null]:
    """Without end, each once, in an order that is always the same."""
    rng = np.random.default_rng(SEED)

    def one_of(weights: Any) -> Any:
        names = list(weights)
        p = np.array([*weights.values()]) if isinstance(weights, dict) else np.ones(len(names))
        return names[rng.choice(len(names), p=p / p.sum())]

    seen = set()
    while True:
        task = one_of(TASKS)
        numbers = task == "regression"
        parts = one_of(KINDS), one_of((*LINKS, "curved" if numbers else "label noise"))
        generator = ", ".join((one_of(ERRORS), *parts) if numbers else parts)
        learner = one_of({name: one.often for name, one in (OF_NUMBERS if numbers else OF_CLASSES).items()})
        null = Null(task, generator, learner, one_of([*SIZES]), one_of(POSITIVES) if task == "binary" else 0.5)
        if null not in seen and allowed(null):
            seen.add(null)
            yield null


def features(n: int, kind: str, rng: np.random.Generator) -> Array:
    """Two blocks of features without signal, (2, n, n_features)."""
    if kind in ("independent", "correlated", "nuisance"):
        return data.own_noise(n, 2, kind, rng)
    if kind == "heavy tails":
        return rng.standard_t(3, size=(2, n, FEATURES)) / 3**0.5
    X = rng.normal(size=(2, n, FEATURES))
    if kind == "autoregressive":  # each feature with the one before it
        for j in range(1, FEATURES):
            X[:, :, j] = 0.7 * X[:, :, j - 1] + 0.51**0.5 * X[:, :, j]
    common = COMMON.get(kind, 0)
    X[1, :, :common] = X[0, :, :common]
    return X


def two_blocks(null: Null, rng: np.random.Generator) -> tuple[Array, Array]:
    """Blocks (2, n, n_features) and the target, for either block drawn alike."""
    *errors, kind, link = null.generator.split(", ")
    X = features(null.n, kind, rng)
    strength = SIGNALS.get(link, SIGNALS["signal"])
    if null.task == "regression":
        own = (X[:, :, :FEATURES] ** 2 - 1) / 2**0.5 if link == "curved" else X[:, :, :FEATURES]
        said = 5**0.5 * X[:, :, 0] * X[:, :, 1] if link == "interaction" else own.sum(axis=2)
        return X, 2 * strength * said.sum(axis=0) / FEATURES**0.5 + data.ERRORS[errors[0]](rng, null.n)
    n_classes = CLASSES[null.task]
    y = data.class_labels(null.n, data.shares(null.task, null.positive), rng)
    shift = strength * FEATURES**0.5 * data.centres(n_classes)[y]
    if link == "interaction":  # a side, which one feature tells, turns the others
        side = rng.choice([-1.0, 1.0], (2, null.n))
        side[1] = side[0] if kind in COMMON else side[1]
        X[:, :, :FEATURES] += 1.5 * side[:, :, None] * shift
        X[:, :, FEATURES - 1] += 1.5 * side
    else:
        X[:, :, :FEATURES] += shift
    if link == "label noise":  # a fifth of the labels change places
        moved = rng.permutation(null.n)[: null.n // 5]
        y[moved] = y[rng.permutation(moved)]
    return X, y


# ---- scores -----------------------------------------------------------------------------------------------------

OF_TWO = (*data.OF_TWO, "balanced_accuracy", "mcc", "average_precision")
BRIER = "neg_brier_score"


def average_precision(values: Array, y: Array, test: Array) -> Array:
    """Of every split; equal values count together."""
    return _precisions(values, ranked(-values, test), y, test.sum(axis=1))


@njit(cache=True)
def _precisions(values: Array, order: Array, y: Array, size: Array) -> Array:
    found = np.zeros(values.shape[0])
    for s in range(values.shape[0]):
        claimed, hits, before, i = 0, 0, 0, 0
        while i < size[s]:
            j = i
            while j < size[s] and values[s, order[s, j]] == values[s, order[s, i]]:
                hits += y[order[s, j]]
                claimed += 1
                j += 1
            found[s] += (hits - before) * hits / claimed
            before, i = hits, j
        found[s] /= hits
    return found


def of_two_classes(margin: Array, y: Array, test: Array) -> Array:
    """`OF_TWO` of every split; 0 where undefined."""
    claimed, size, positives = ((margin > 0) & test).sum(axis=1), test.sum(axis=1), test @ y
    hits = ((margin > 0) & test) @ y
    negatives = size - positives
    both = (hits / positives + (negatives - claimed + hits) / negatives) / 2
    scale = np.sqrt(1.0 * claimed * (size - claimed) * positives * negatives)
    mcc = np.where(scale > 0, (hits * size - claimed * positives) / np.where(scale > 0, scale, 1), 0.0)
    return np.column_stack([five_metrics(margin, y, test), both, mcc, average_precision(margin, y, test)])


def metrics_of(null: Null) -> tuple[str, ...]:
    if null.task != "binary":
        return data.metrics_of(null.task)
    return (*OF_TWO, BRIER) if null.own.probability else OF_TWO


def scores_of(null: Null, values: Array, y: Array, test: Array) -> Array:
    """Of every split on each metric of the null."""
    if null.task == "regression":
        return data.number_metrics(values[:, :, 0], y, test)
    if null.task != "binary":
        return data.class_metrics(values, y, test, ranks=True)
    margin = np.ascontiguousarray(values[:, :, 1] - values[:, :, 0])
    found = of_two_classes(margin, y, test)
    if not null.own.probability:
        return found
    p = special.expit(margin) if null.own.probability == "odds" else values[:, :, 1]
    return np.column_stack([found, -((p - y) ** 2 * test).sum(axis=1) / test.sum(axis=1)])


def predicted(null: Null, values: Array) -> Array:
    """What is predicted: numbers, or labels as columns of zeros and ones."""
    return values if null.task == "regression" else np.eye(values.shape[2])[values.argmax(axis=2)]


def instability(predicted: Array) -> float:
    """Share of the variance between the repeats, from (n_repeats, n_samples, n_columns); 0 where all are equal."""
    whole = predicted.var(axis=(0, 1)).sum()
    return float(min(1.0, predicted.var(axis=0, ddof=1).mean(axis=0).sum() / whole)) if whole > 1e-12 else 0.0


# ---- simulation -------------------------------------------------------------------------------------------------


def simulated(null: Null, seed: int) -> dict[str, Array]:
    """One data set: differences (n_splits, n_metrics) by design, and what is known of the run."""
    rng = np.random.default_rng((seed, data.stable_number(null.key)))
    blocks, y = two_blocks(null, rng)
    tests = data.drawn_splits(y, null.task, ("10x10", "5x2"), rng)
    every = np.concatenate([*tests.values()])
    target = y[:, None] if null.task == "regression" else np.eye(CLASSES[null.task])[y]
    values = [null.own.fit(own, target, ~every, 2 * seed + i) for i, own in enumerate(blocks)]
    a, b = (scores_of(null, own, y, every) for own in values)
    found = {"10x10": (a - b)[:100], "10-fold": (a - b)[:10], "5x2": (a - b)[100:]}
    known, start = {}, 0
    for design, (repeats, folds) in REPEATS.items():
        mask = tests[design].reshape(repeats, folds, -1, 1)
        stop = start + repeats * folds
        out = [(predicted(null, own[start:stop]).reshape(*mask.shape[:3], -1) * mask).sum(axis=1) for own in values]
        known[design] = np.mean([(instability(one), one[..., -1].mean()) for one in out], axis=0)
        start = stop
        if design == "10x10":
            losses = [np.abs(one - target).sum(axis=2) for one in out]
            fold = mask[..., 0].argmax(axis=1) + 10 * np.arange(10)[:, None]
            found["told"] = np.array(luck_and_excess(losses[1] - losses[0], fold))
    return found | {f"known, {design}": own for design, own in known.items()}


def stability(null: Null, d: Array, told: Array) -> Array:
    """p of `stability_t_test` for differences (n_datasets, 100)."""
    shares = np.array([own_correction(*one, of_families([null.own.family] * 2), (10, 10)) for one in told])
    return t_pvalues(d, 1.0, 99, d.std(axis=1, ddof=1) * np.sqrt(1 / 100 + shares / 9))


def pvalues(null: Null, metric: str, design: str, d: Array, told: Array) -> dict[str, Array]:
    """By procedure, from differences (n_datasets, n_splits) of one metric."""
    found = wide_tables.pvalues(d, design)
    if design == "10x10" and not metric.startswith(("roc_auc", "average_precision", BRIER)):
        found["stability_t_test"] = stability(null, d, told)
    return found


def drawn(null: Null, n_datasets: int, first: int = 0) -> dict[str, Array]:
    """So many data sets."""
    return stacked(simulated(null, seed) for seed in range(first, first + n_datasets))


def rows_of(null: Null, made: dict[str, Array], first: int = 0) -> list[tuple[str, ...]]:
    """Rows of `COLUMNS`."""
    rows = []
    for design in DESIGNS:
        known = made.get(f"known, {design}", np.full((1, 2), np.nan)).mean(axis=0)
        called = made["known, 10x10" if design == "10-fold" else f"known, {design}"][:, 1].mean()
        cells = (f"{called:.3f}" if null.task == "binary" else "", "" if np.isnan(known[0]) else f"{known[0]:.3f}")
        of = (*null.key, *cells, str(CLASSES.get(null.task, 0) or ""))
        for m, metric in enumerate(metrics_of(null)):
            d = made[design][:, :, m]
            if np.isnan(d).any():
                continue
            for procedure, p in pvalues(null, metric, design, d, made["told"]).items():
                rows.append((*of, design, procedure, metric, *map(str, rejections(p)), str(first)))
    return rows


def counted(null: Null, folder: Path | None, share: float) -> list[tuple[str, ...]]:
    """Rows of a null over its data sets, or over a share of them."""
    made = drawn(null, max(1, round(share * null.n_datasets)))
    if folder:
        kept = {f"{what}, {design}": value for design in DESIGNS for what, value in moments(made[design]).items()}
        np.savez_compressed(folder / null.file, **kept, **{k: v for k, v in made.items() if k not in DESIGNS})
    return rows_of(null, made)


def moments(d: Array) -> dict[str, Array]:
    """Mean and deviation of every data set on every metric, and of its runs of ten folds."""
    runs = d.reshape(len(d), -1, min(10, d.shape[1]), d.shape[2]).mean(axis=2)
    return {"mean": d.mean(axis=1), "spread": d.std(axis=1, ddof=1), "runs": runs.std(axis=1)}


def halves(y: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Masks of the test and training sets of `conservative_z_interval`, 2 * M * J of each."""
    test, train = [], []
    for first in (k_fold(y, 2, rng)[0] for _ in range(M)):
        for half in (first, ~first):
            members = np.flatnonzero(half)
            for _ in range(J):
                own = np.zeros(len(y), dtype=bool)
                own[members[k_fold(y[members], 5, rng)[0]]] = True
                test.append(own)
                train.append(half & ~own)
    return np.array(test), np.array(train)


def counted_halves(null: Null, _: Path | None, share: float) -> list[tuple[str, ...]]:
    """Rows of `conservative_z_interval` on the first half of the data sets of a null."""
    pvalues = []
    for seed in range(max(1, round(share * null.n_datasets / 2))):
        rng = np.random.default_rng((seed, data.stable_number(null.key)))
        blocks, y = two_blocks(null, rng)
        whole = data.drawn_splits(y, null.task, ("10x10",), rng)["10x10"]
        test, train = (np.concatenate(both) for both in zip((whole, ~whole), halves(y, rng), strict=True))
        fits = (null.own.fit(own, np.eye(2)[y], train, 2 * seed + i) for i, own in enumerate(blocks))
        a, b = (scores_of(null, values, y, test) for values in fits)
        of_metrics = ((d[:100], d[100:].reshape(M, 2, J)) for d in (a - b).T)
        pvalues.append([conservative_z_interval(*scores).pvalue for scores in of_metrics])
    of = (*null.key, "", "", "2", "10x10", "conservative_z_interval")
    by_metric = zip(metrics_of(null), np.transpose(pvalues), strict=True)
    return [(*of, metric, *map(str, rejections(p)), "0") for metric, p in by_metric]


def has_halves(null: Null) -> bool:
    return null.task == "binary" and 150 <= null.n <= 400 and not null.own.slow and null.learner != "Perceptron"


def simulate(
    table: Path, minutes: float, folder: Path | None, jobs: int, *, share: float = 1, of_halves: bool = False
) -> None:
    """Add nulls to the table until so many minutes have passed."""
    rows = [tuple(row[name] for name in COLUMNS) for row in read_rows(table)] if table.exists() else []
    end, count = time.monotonic() + 60 * minutes, counted_halves if of_halves else counted
    done = {row[: len(NULL)] for row in rows}
    missing = (null for null in nulls() if null.key not in done and (has_halves(null) or not of_halves))
    todo = takewhile(lambda _: time.monotonic() < end, missing)
    for found in Parallel(jobs, return_as="generator_unordered")(delayed(count)(one, folder, share) for one in todo):
        rows += found
        part = table.with_name(f"part-{table.name}")
        write_rows(part, [COLUMNS, *rows])
        part.replace(table)


# ---- candidates for another default -----------------------------------------------------------------------------

THRESHOLD = ("precision", "recall", "f1")
KNOWN_TO = {"scaled by instability": 2, "scaled by all that is known": 5}  # columns of `Kept.known`
OFTEN = 6  # random halves of the learners and of the generators
GOOD, TOO_HIGH = (0.03, 0.07), 0.12


@dataclass(frozen=True)
class Kept:
    """Statistics of the data sets of a null on one metric of 10x10; `correction` is that of `stability_t_test`."""

    null: Null
    mean: Array
    spread: Array
    known: Array
    correction: Array

    def rejected(self, correction: Array | float) -> Array:
        """Whether the corrected t test with that multiple of the usual correction rejects."""
        return t_pvalues(self.mean[:, None], 1.0, 99, self.spread * np.sqrt(1 / 100 + correction / 9)) < LEVEL

    def scale(self, weights: Array) -> Array:
        return np.exp(np.clip(self.known[:, : len(weights)] @ weights, -4, 4))


def kept_of(folder: Path, metric: str) -> list[Kept]:
    """Of all binary nulls that were kept."""
    found = []
    for null in (null for null in islice(nulls(), 5000) if null.task == "binary" and (folder / null.file).exists()):
        with np.load(folder / null.file) as arrays:
            mean, spread = (arrays[f"{what}, 10x10"][:, metrics_of(null).index(metric)] for what in ("mean", "spread"))
            (unstable, called), told = arrays["known, 10x10"].T, arrays["told"]
        gap = special.logit(np.clip(called, 0.005, 0.995)) - special.logit(null.positive)
        of_n = np.full(len(mean), np.log(null.n / 200))
        known = np.column_stack([np.ones(len(mean)), unstable - 0.2, of_n, gap, np.abs(gap)])
        added = of_families([null.own.family] * 2)
        correction = np.array([own_correction(*one, added, (10, 10)) for one in told])
        found.append(Kept(null, mean, spread, known, correction))
    return found


def fitted(nulls: list[Kept], n_columns: int) -> Array:
    """Weights of the most likely scale if means are normal, shifted so that the nulls are rejected in 5% on average."""
    sound = [null.spread > 0 for null in nulls]
    mean, spread, known = (
        np.concatenate([getattr(null, name)[own] for null, own in zip(nulls, sound, strict=True)])
        for name in ("mean", "spread", "known")
    )

    def unlikely(weights: Array) -> float:
        scale = np.exp(np.clip(known[:, :n_columns] @ weights, -4, 4))
        variance = spread**2 * (1 / 100 + scale / 9)
        return float((np.log(variance) + mean**2 / variance).sum() + (weights[1:] ** 2).sum())

    found = optimize.minimize(unlikely, np.zeros(n_columns)).x
    shift = np.eye(1, n_columns)[0]

    def excess(by: float) -> float:
        return float(np.mean([null.rejected(null.scale(found + by * shift)).mean() for null in nulls])) - LEVEL

    return np.asarray(found + optimize.brentq(excess, -6, 6) * shift)


def held_out(nulls: list[Kept]) -> dict[str, list[tuple[int, int]]]:
    """Rejected and all data sets of nulls whose learner and generator no scale was fitted to, by candidate."""
    counts: dict[str, list[tuple[int, int]]] = {}
    every = [sorted({getattr(null.null, name) for null in nulls}) for name in ("learner", "generator")]
    for seed in range(OFTEN):
        rng = np.random.default_rng(seed)
        first = set().union(*(rng.permutation(names)[: len(names) // 2].tolist() for names in every))
        sides = [{null.null.learner in first, null.null.generator in first} for null in nulls]
        for one in (True, False):
            known, new = (
                [null for null, side in zip(nulls, sides, strict=True) if side == {own}] for own in (one, not one)
            )
            weights = {name: fitted(known, n_columns) for name, n_columns in KNOWN_TO.items()}
            for null in new:
                scales = {"corrected_t_test": 1.0, "stability_t_test": null.correction}
                scales |= {name: null.scale(own) for name, own in weights.items()}
                for name, scale in scales.items():
                    counts.setdefault(name, []).append((int(null.rejected(scale).sum()), len(null.mean)))
    return counts


def judged(counts: list[tuple[int, int]]) -> tuple[str, ...]:
    """The mean size, the share of nulls within 3% to 7% and the highest.

    The share is that of a beta distribution of the sizes, from which Monte Carlo error is left out.
    """
    k, n = np.array(counts).T

    def unlikely(logs: Array) -> float:
        a, b = np.exp(logs)
        return -float((special.betaln(k + a, n - k + b) - special.betaln(a, b)).sum())

    a, b = np.exp(optimize.minimize(unlikely, [0.0, 3.0], method="Nelder-Mead").x)
    within = float(np.diff(special.betainc(a, b, GOOD))[0])
    surely = float(np.mean(special.betaincinv(np.maximum(k, 1e-9), n - k + 1, 0.025) > TOO_HIGH))
    return f"{100 * np.mean(k / n):.1f}", f"{within:.0%}", f"{surely:.0%}", f"{100 * np.max(k / n):.0f}"


def candidates(folder: Path) -> str:
    """Markdown: each test on nulls that were left out by learner and generator."""
    rows = []
    of_halves = read_rows(folder / HALVES) if (folder / HALVES).exists() else []
    for metric in THRESHOLD:
        kept = kept_of(folder, metric)
        found = held_out(kept)
        own = [(int(row["rejected"]), int(row["n_datasets"])) for row in of_halves if row["metric"] == metric]
        if own:
            these = {tuple(row[name] for name in NULL) for row in of_halves}
            same = [(int(null.rejected(1.0).sum()), len(null.mean)) for null in kept if null.null.key in these]
            found |= {"conservative_z_interval": own, "corrected_t_test on the nulls of that": same}
        rows += [line(metric, name, *judged(counts)) for name, counts in found.items()]
    names = ("metric", "test", "mean size, %", "nulls within 3% to 7%", "surely above 12%", "highest, %")
    return "\n".join([head(names, 2), *rows])


def main() -> None:
    given = options(__doc__, halves=False, candidates=False, minutes=60.0, table=TABLE, folder="", jobs=1)
    folder = Path(given.folder) if given.folder or given.halves or given.candidates else None
    if folder and given.candidates:
        print(candidates(folder))
    else:
        table = folder / HALVES if folder and given.halves else given.table
        simulate(table, given.minutes, folder, given.jobs, of_halves=given.halves)


if __name__ == "__main__":
    main()
