"""How often tests on one test set reject a true null, and what they cost.

Run from a checkout: ``python -m benchmarks.one_test_set PART``, where the part is ``models``, ``areas``,
``classes``, ``recalls``, ``size``, ``precision``, ``few``, ``equal``, ``ties``, ``many``, ``skewed``,
``expected_costs``, ``costs``; without one ``models``.
"""

from __future__ import annotations

import itertools
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, special
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import error_at_5, head, line, machine, on_columns, options, run_part
from benchmarks.timing import numbers_printed
from skcompare import EvaluationResult, PairedEvaluator, cost_scorer, from_outcomes, from_predictions, inference
from skcompare._core.metrics import OF_LABELS
from skcompare.inference import delong_test, metric_interval, paired_metric_test, proportion_interval

Array = np.ndarray

# ---- models -----------------------------------------------------------------------------------------------------


SAMPLES = (50, 200, 2000)
N_RESAMPLES = 199  # of tests; intervals take five times as many
OF_TESTS = ("average_precision, exchanges", "delong_test", "calibration_error_test", "by(), accuracy")
OF_INTERVALS = ("accuracy (Wilson)", "roc_auc (Newcombe)", "f1 (bootstrap)", "average_precision (bootstrap)")


def draw(rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels and the log odds of both models."""
    y = rng.permutation(n) % 2
    shared = rng.normal(size=n)
    a, b = (2 * y - 1 + (shared + rng.normal(size=n)) for _ in range(2))
    return y, a, b


def truth(n: int = 1_000_000) -> dict[str, float]:
    """The scores of a model on very many samples."""
    y, a, _ = draw(np.random.default_rng(0), n)
    return {
        "accuracy": float(np.mean((a > 0) == y)),
        "roc_auc": float(roc_auc_score(y, a)),
        "f1": float(f1_score(y, a > 0)),
        "average_precision": float(average_precision_score(y, a)),
    }


def one(seed: list[int], n: int, true: dict[str, float]) -> list[bool]:
    """What each column says of one simulated test set: rejected, or held."""
    rng = np.random.default_rng(seed)
    y, a, b = draw(rng, n)
    options: dict[str, Any] = {"n_resamples": N_RESAMPLES, "rng": rng}
    probabilities = [1 / (1 + np.exp(-2 * x)) for x in (a, b)]
    result = from_predictions(y, {"a": (a > 0).astype(int), "b": (b > 0).astype(int)}, scoring=["accuracy"])
    by_group = result.by(rng.integers(2, size=n))
    pvalues = [
        paired_metric_test(y, a, np.exp(3 * b), "average_precision", **options).pvalue,
        delong_test(y, a, b).pvalue,
        inference.calibration_error_test(y, *probabilities, **options).pvalue,
        next(row.interaction_pvalue for row in by_group),
    ]
    options["n_resamples"] = 5 * N_RESAMPLES
    intervals = {
        "accuracy": proportion_interval(int(((a > 0) == y).sum()), n),
        "roc_auc": delong_test(y, a, a).auc_intervals(0.95)[0],
        "f1": metric_interval(y, (a > 0).astype(int), "f1", **options).confidence_interval(),
        "average_precision": metric_interval(y, a, "average_precision", **options).confidence_interval(),
    }
    held = [bool(interval.low <= true[metric] <= interval.high) for metric, interval in intervals.items()]
    return [bool(p < 0.05 + 1e-12) for p in pvalues] + held


def main_of_models() -> None:
    """How often tests of scores on one test set reject a true null, and intervals of one model's score hold the truth.

    Run from a checkout: ``python -m benchmarks.one_test_set --n-simulations 1000``. Two models score samples of two
    classes, half of each, equally well on average: the log odds of a sample are 1 or -1 by its class, plus noise that
    is shared by half. The scores of the second one are the exponential of three times its log odds, another scale by
    far.
    """
    given = options(main_of_models.__doc__, n_simulations=1000, samples=[*SAMPLES])
    print(error_at_5(given.n_simulations))
    print(head(("samples", *OF_TESTS, *(f"coverage, {name}" for name in OF_INTERVALS)), 0))
    true = truth()
    for n in given.samples:
        found = [one([seed, n], n, true) for seed in range(given.n_simulations)]
        print(line(f"{n:,}", *(f"{share:.1%}" for share in np.mean(found, axis=0))), flush=True)


# ---- areas ------------------------------------------------------------------------------------------------------


def main_of_areas() -> None:
    """How often the interval of one model's area under the ROC curve holds the true area, of normal scores.

    Run from a checkout: ``python -m benchmarks.one_test_set areas``.
    """
    n = options(main_of_areas.__doc__, n_simulations=4000).n_simulations
    print(f"{error_at_5(n)}\n{head(('positives', 'negatives', 'area', 'coverage'), 0)}")
    for positive, negative, area in itertools.product((20,), (20, 200), (0.8, 0.9, 0.97, 0.99)):
        rng, y = np.random.default_rng([positive, negative, round(100 * area)]), np.repeat([1, 0], (positive, negative))
        held = []
        for _ in range(n):
            scores = rng.normal(size=y.size) + 2**0.5 * special.ndtri(area) * y
            interval = delong_test(y, scores, scores).auc_intervals()[0]
            held.append(interval.low <= area <= interval.high)
        print(line(positive, negative, area, f"{np.mean(held):.1%}"), flush=True)


# Samples of each class, and of two models the area, how far their scores correlate, and by how much those of the
# positive samples of one spread more.
OF_CLASSES = ((3, 7), (3, 30), (3, 97), (5, 20), (5, 95), (10, 10), (10, 40), (10, 190), (20, 80))
OF_SCORES = ((0.5, 0.0, 1.0), (0.5, 0.5, 1.0), (0.7, 0.5, 1.0), (0.9, 0.5, 1.0), (0.7, 0.9, 1.0), (0.7, 0.5, 2.5))


def main_of_classes() -> None:
    """How often equal areas are found to differ where a class has few samples, and intervals leave out 0.

    Run from a checkout: ``python -m benchmarks.one_test_set classes``. Scores are normal. Before, the variance of the
    difference was taken for known; now its degrees of freedom count.
    """
    n = options(main_of_classes.__doc__, n_simulations=2000).n_simulations
    names = ("positives", "negatives", "area, correlation, spread", "before", "now", "intervals without 0")
    print(f"{error_at_5(n)}\n{head(names, 0)}")
    for (positive, negative), (area, shared, wide) in itertools.product(OF_CLASSES, OF_SCORES):
        rng = np.random.default_rng([positive, negative, *(int(10 * x) for x in (area, shared, wide))])
        y, found = np.repeat([1, 0], (positive, negative)), []
        for _ in range(n):
            common, own = rng.normal(size=y.size), rng.normal(size=(2, y.size))
            a, b = shared**0.5 * common + (1 - shared) ** 0.5 * own + 2**0.5 * special.ndtri(area) * y
            b = np.where(y == 1, wide * b + ((1 + wide**2) ** 0.5 - wide * 2**0.5) * special.ndtri(area), b)
            record = from_predictions(y, dict(zip("ab", special.expit([a, b]), strict=True)), scoring="roc_auc").test()
            interval = record.confidence_interval()
            before = record.of_few(record.skewness, np.inf) if record.standard_error else record
            found.append((before.pvalue < 0.05, record.pvalue < 0.05, not interval.low <= 0 <= interval.high))
        cells = (f"{share:.1%}" for share in np.mean(found, axis=0))
        print(line(positive, negative, f"{area}, {shared}, {wide}", *cells), flush=True)


# ---- recalls ----------------------------------------------------------------------------------------------------


# The samples of each class, and how often each is recognised.
RECALLS: tuple[tuple[tuple[int, ...], tuple[float, ...]], ...] = (
    ((6, 94), (0.7, 0.9)),
    ((6, 94), (0.95, 0.95)),
    ((10, 90), (0.5, 0.8)),
    ((10, 90), (0.8, 0.9)),
    ((10, 990), (0.9, 0.99)),
    ((30, 70), (0.8, 0.9)),
    ((100, 100), (0.8, 0.8)),
    ((5, 10, 85), (0.6, 0.7, 0.9)),
    ((20, 20, 20), (0.7, 0.8, 0.9)),
    ((5, 5, 10, 30, 50), (0.5, 0.6, 0.7, 0.8, 0.9)),
)
OF_RECALLS = ("recall", "balanced_accuracy", "precision_macro")


def recognised(rng: np.random.Generator, sizes: tuple[int, ...], recalls: tuple[float, ...]) -> tuple[Array, Array]:
    """Labels of so many samples, their classes drawn, and predictions that are wrong for any other class."""
    k, n = len(sizes), sum(sizes)
    y = rng.choice(k, size=n, p=np.divide(sizes, n))
    return y, np.where(rng.random(n) < np.array(recalls)[y], y, (y + rng.integers(1, k, size=n)) % k)


def main_of_recalls() -> None:
    """How often the interval of one model's balanced accuracy, recall or macro precision holds the true one.

    Run from a checkout: ``python -m benchmarks.one_test_set recalls``. Test sets have so many samples of each class on
    average. Recall is that of the first class. Before, intervals were of the bootstrap; now of Wilson's.
    """
    n = options(main_of_recalls.__doc__, n_simulations=2000).n_simulations
    print(error_at_5(n))
    print(head(("samples", "recalls", *(f"{name}, {when}" for name in OF_RECALLS for when in ("before", "now"))), 0))
    for sizes, recalls in RECALLS:
        rng, share = np.random.default_rng([*sizes]), np.divide(sizes, sum(sizes))
        wrong = share * (1 - np.array(recalls)) / (len(sizes) - 1)
        precisions = share * recalls / (share * recalls + wrong.sum() - wrong)
        true = dict(zip(OF_RECALLS, (recalls[0], np.mean(recalls), np.mean(precisions)), strict=True))
        held = []
        for _ in range(n):
            y, predicted = recognised(rng, sizes, recalls)
            if not all(map(np.bincount(y, minlength=len(sizes)).__getitem__, range(len(sizes)))):
                continue
            found = []
            for name, n_resamples in itertools.product(OF_RECALLS, (2_000, None)):
                of = (y == 0, predicted == 0) if name == "recall" else (y, predicted)
                interval = metric_interval(*of, name, n_resamples=n_resamples, rng=rng).confidence_interval()
                found.append(interval.low <= true[name] <= interval.high)
            held.append(found)
        print(line(*(", ".join(map(str, x)) for x in (sizes, recalls)), *(f"{x:.1%}" for x in np.mean(held, axis=0))))


# ---- size -------------------------------------------------------------------------------------------------------


METRICS = ("accuracy", "precision", "recall", "f1", "roc_auc")
BLOCK = 5


def halves(learner: Any, width: int) -> dict[str, Any]:
    """Two models, each of which sees so many columns of its own."""
    return {"a": on_columns(learner, range(width)), "b": on_columns(learner, range(width, 2 * width))}


def blocks(learner: Any, rng: np.random.Generator, n: int, *, weak: bool = False) -> tuple[dict[str, Any], Any, Any]:
    y = (rng.random(n) < 0.3).astype(int) if weak else rng.integers(0, 2, n)
    X = rng.normal(size=(len(y), 2 * BLOCK)) + (0.15 if weak else 0.45) * (2 * y[:, None] - 1)
    return halves(learner, BLOCK), X, y


def noise(_: Any, rng: np.random.Generator, n: int) -> tuple[dict[str, Any], Any, Any]:
    X, y = rng.integers(0, 2, (n, 10)).astype(float), rng.integers(0, 2, n)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    return {"a": BernoulliNB(), "b": tree}, X, y


NULLS: dict[str, tuple[Any, Any, int]] = {
    "blocks, naive Bayes, n=200": (blocks, GaussianNB(), 200),
    "blocks, tree, n=200": (blocks, DecisionTreeClassifier(max_depth=4, random_state=0), 200),
    "weak blocks, naive Bayes, n=200": (partial(blocks, weak=True), GaussianNB(), 200),
    "noise, n=300": (noise, None, 300),
}


def designs(seed: int) -> dict[str, Any]:
    return {"10-fold": 10, "one random split": StratifiedShuffleSplit(1, test_size=1 / 3, random_state=seed)}


def pvalues(result: EvaluationResult, metrics: tuple[str, ...]) -> dict[tuple[str, str], float]:
    """p by (procedure, metric); `metrics` are those of predicted labels."""
    found = {(f"{name}_test", "accuracy"): result.test(name).pvalue for name in ("mcnemar", "cochran_q")}
    found["delong_test", "roc_auc"] = result.test("delong").pvalue
    if result.design.partition:
        found["cv_clt_test", "accuracy"] = result.test("cv_clt").pvalue
    for metric in metrics:
        for test, how in (("paired_metric_test", {}), ("paired_bootstrap", {"n_resamples": 2000})):
            found[test, metric] = result.test(test, metric=metric, rng=0, **how).pvalue
    return found


def one_dataset(null: str, seed: int) -> dict[tuple[str, str, str], int]:
    """1 where (design, procedure, metric) rejects at 5%."""
    generator, learner, n = NULLS[null]
    estimators, X, y = generator(learner, np.random.default_rng(seed), n)
    rejected = {}
    for name, cv in designs(seed).items():
        result = PairedEvaluator(cv=cv, scoring=list(METRICS), random_state=seed).evaluate(estimators, X, y)
        found = pvalues(result, ("accuracy",) if null.startswith("noise") else METRICS[:4])
        rejected |= {(name, procedure, metric): int(p < 0.05) for (procedure, metric), p in found.items()}
    return rejected


def main_of_size() -> None:
    """How often the procedures on predictions reject a true null: measured size at a nominal 5%.

    Run from a checkout: ``python -m benchmarks.one_test_set size --n-datasets 600``; those on fold scores have
    ``benchmarks.calibration``. Every data set is fitted for real. The nulls are true by construction: "blocks" fits the
    same learner on two exchangeable blocks of features, one per model, "weak blocks" the same with a third of the
    signal and 30% positives; "noise" fits naive Bayes and a tree to labels that do not depend on the features, where
    accuracy and ROC AUC are equal and the others are not: the tree calls ties negative.
    """
    n = options(main_of_size.__doc__, n_datasets=500).n_datasets
    print(f"{error_at_5(n)}\n{head(('null', 'design', 'procedure', *METRICS), 3)}")
    for null in NULLS:
        counts: Counter[tuple[str, str, str]] = Counter()
        for seed in range(n):
            counts.update(one_dataset(null, seed))
        for key in dict.fromkeys(key[:2] for key in counts):
            cells = (f"{counts[*key, m] / n:.3f}" if (*key, m) in counts else "" for m in METRICS)
            print(line(null, *key, *cells), flush=True)


# ---- precision --------------------------------------------------------------------------------------------------


CALLED = (0.07, 0.4)  # positive, by either model


def equally_precise(rng: np.random.Generator, n: int, positives: float = 0.4) -> tuple[Array, Array, Array]:
    """Labels, and two models of which 70% of what they call positive is, but that call different shares so."""
    y = (rng.random(n) < positives).astype(int)
    chances = (np.where(y == 1, 0.7 * share / positives, 0.3 * share / (1 - positives)) for share in CALLED)
    a, b = ((rng.random(n) < chance).astype(int) for chance in chances)
    return y, a, b


def size_of_precision(seed: int, n: int, n_datasets: int, positives: float = 0.4) -> float:
    """The share of such data sets whose precision differs at 5%."""
    rng = np.random.default_rng([seed, n])
    drawn = (equally_precise(rng, n, positives) for _ in range(n_datasets))
    return float(
        np.mean([paired_metric_test(*data, "precision", n_resamples=999, rng=rng).pvalue < 0.05 for data in drawn])
    )


def main_of_precision() -> None:
    """How often precision is found to differ where it is .7 of both models, which call 7% and 40% positive.

    Run from a checkout: ``python -m benchmarks.one_test_set precision``. The models call samples positive independently
    of each other, given the label.
    """
    n_datasets = options(main_of_precision.__doc__, n_datasets=4000).n_datasets
    print(f"{error_at_5(n_datasets)}\n{head(('samples', 'share of positives', 'paired_metric_test'), 0)}")
    for n, positives in itertools.product((200, 1000), (0.4, 0.7)):
        print(line(n, positives, f"{size_of_precision(0, n, n_datasets, positives):.1%}"), flush=True)


# ---- intervals of models that differ on few samples --------------------------------------------------------------


_SHARES, OF_FEW = (0.005, 0.01, 0.02, 0.05), ("accuracy", "recall", "precision", "f1", "f1_macro", "mcc")
_KINDS = np.indices((2, 2, 2)).reshape(3, -1)  # true class, and what two models called it


def differing(share: float, *, one_way: bool) -> Array:
    """How likely each of `_KINDS` is: 40% positive, `a` right on 85% of both, `b` another on a share of all samples."""
    true, a, b = _KINDS
    differs = share / 0.85 * (a == true) if one_way else np.full(8, share)
    return np.where(true, 0.4, 0.6) * np.where(a == true, 0.85, 0.15) * np.where(a == b, 1 - differs, differs)


def main_of_few() -> None:
    """How often 95% intervals hold the difference of two models that differ on few samples.

    Run from a checkout: ``python -m benchmarks.one_test_set few``. The lowest coverage over four shares of samples that
    differ, 0.5% to 5%: `b` is wrong there, or right where `a` is wrong too. Undefined intervals are left out.

    ``python -m benchmarks.one_test_set few --defaults`` is about the default of every kind of metric, where so many
    samples are expected to differ: `b` is the worse one on all of these, or on three of four, whose difference the
    interval should hold, or on half of them, where the test should reject in 5%.
    """
    given = options(main_of_few.__doc__, n_simulations=400, defaults=False)
    if given.defaults:
        print(f"{machine()}\n\n{head(('metric', 'samples', 'differ', 'all worse', '3 of 4 worse', 'rejected'), 1)}")
        for name, n, k in itertools.product(OF_DEFAULTS, (50, 200, 1000), (2, 5, 10, 30)):
            cells = (f"{share:.1%}" for share in of_default(name, n, k, given.n_simulations))
            print(line(name, n, k, *cells), flush=True)
        return
    names = ("McNemar, accuracy", *OF_FEW)
    print(head(("samples", "models differ", *names)))
    for n, one_way in itertools.product((20, 40, 100, 400), (True, False)):
        lowest = np.min([held_of_few(n, share, one_way, given.n_simulations) for share in _SHARES], axis=0)
        print(line(n, "one way" if one_way else "both ways", *(f"{held:.1%}" for held in lowest)), flush=True)


def held_of_few(n: int, share: float, one_way: bool, n_simulations: int) -> list[float]:
    """How often the intervals of McNemar's test and of exchanges hold the difference of each metric."""
    weights, rng = differing(share, one_way=one_way), np.random.default_rng([n, int(1000 * share), one_way])
    drawn, times = np.unique(rng.multinomial(n, weights, size=n_simulations), axis=0, return_counts=True)
    true: dict[str, float] = {}
    for name in OF_FEW:
        a, b = (OF_LABELS[name].of_samples(_KINDS[0], own, 2) for own in _KINDS[1:])
        true[name] = float(np.subtract(*OF_LABELS[name].value(np.stack([weights @ a, weights @ b]))[0]))
    held = []
    for counts in drawn:
        y, a, b = np.repeat(_KINDS, counts, axis=1)
        tests = [inference.mcnemar_test(a == y, b == y)]
        tests += [paired_metric_test(y, a, b, name, positive=1, rng=0) for name in OF_FEW]
        of_each = [test.confidence_interval() for test in tests]
        differences = [true["accuracy"], *true.values()]
        held.append(
            [np.nan if np.isnan(i.low) else i.low <= d <= i.high for i, d in zip(of_each, differences, strict=True)]
        )
    found = np.array(held, dtype=np.float64)
    known = ~np.isnan(found)
    return list((np.nan_to_num(found) * times[:, None]).sum(axis=0) / (known * times[:, None]).sum(axis=0))


# ---- average precision of few scores against many ----------------------------------------------------------------

# Samples, share of positives, where the scores of one model are cut to few, and the distance of its classes.
OF_TIES: tuple[tuple[int, float, tuple[float, ...], float], ...] = (
    (100, 0.1, (1.6, 2.3), 1.5),
    (300, 0.1, (1.6, 2.3), 1.5),
    (300, 0.1, (-1.0, 0.0), 1.5),
    (300, 0.5, (1.6, 2.3), 1.5),
    (300, 0.05, (1.5,), 2.5),
    (100, 0.8, (1.5, 2.0), 1.5),
    (100, 0.9, (1.5, 2.0), 1.5),
)


def of_ties(share: float, distance: float, cuts: Any, width: float = 1.0) -> float:
    """The average precision of normal scores that are cut to few, or many; `width` is the spread of positive ones."""
    ends = np.concatenate([[-np.inf], cuts, [np.inf]])
    hits = share * np.diff(special.ndtr((ends - distance) / width))[::-1]
    every = hits + (1 - share) * np.diff(special.ndtr(ends))[::-1]
    precision = np.cumsum(hits) / np.maximum(np.cumsum(every), 1e-300)
    return float((hits * precision).sum() / share)


def main_of_ties() -> None:
    """How often average precision is found to differ where it is equal, and one model has few different scores.

    Run from a checkout: ``python -m benchmarks.one_test_set ties``. Scores are normal with a correlation of 1/2; those
    of one model are cut to two or three, the distance between the classes of the other makes the two equal.
    """
    n_datasets = options(main_of_ties.__doc__, n_datasets=600).n_datasets
    print(head(("samples", "share of positives", "scores above each cut", "`paired_metric_test`", "s.e.")))
    for n, share, cuts, distance in OF_TIES:
        target, fine = of_ties(share, distance, cuts), np.linspace(-9, 15, 20_001)
        equal = optimize.brentq(lambda d, s=share, t=target, x=fine: of_ties(s, d, x) - t, 0, 6)
        y, found = (np.arange(n) < round(n * share)).astype(int), 0
        for seed in range(n_datasets):
            rng = np.random.default_rng([seed, n, int(1000 * share)])
            common, (a, b) = rng.normal(size=n), rng.normal(size=(2, n))
            few, many = (0.5**0.5 * (common + own) + d * y for own, d in ((a, distance), (b, equal)))
            tied = np.searchsorted(cuts, few) / 2
            found += paired_metric_test(y, tied, many, "average_precision", rng=seed).pvalue < 0.05
        size, above = found / n_datasets, ", ".join(f"{1 - special.ndtr(cut):.1%}" for cut in cuts)
        print(line(n, share, above, f"{size:.1%}", f"{(size * (1 - size) / n_datasets) ** 0.5:.1%}"), flush=True)


OF_MANY = [  # samples of each class, the distance of these, and the scores of the models
    *itertools.product((100, 300), (100, 300), (0.3, 1.5, 3.0), ("normal", "t, 3 df", "of other spread")),
    *itertools.product((100, 1000), (3000,), (0.3, 1.5, 3.0), ("normal", "t, 3 df", "of other spread")),
]
SPREAD = 1.7  # of the positive samples of one model


def main_of_many() -> None:
    """How often average precision is found to differ where it is equal, and there are many samples of each class.

    Run from a checkout: ``python -m benchmarks.one_test_set many``. Scores are normal or of Student's t, with a
    correlation of 1/2; or those of the positive samples spread more in one model, whose distance makes the two equal.
    """
    n_datasets = options(main_of_many.__doc__, n_datasets=1000).n_datasets
    rejected = ("rejected at 5%", "at 1%", "by exchanges at 5%")
    print(head(("positives", "negatives", "distance", "scores", "without draws", *rejected)))
    for n_positive, n_negative, distance, scores in OF_MANY:
        n, wide, fine = (
            n_positive + n_negative,
            SPREAD if scores == "of other spread" else 1.0,
            np.linspace(-9, 15, 20_001),
        )
        share, y = n_positive / n, (np.arange(n) < n_positive).astype(int)
        other = distance
        if wide > 1:
            target = of_ties(share, distance, fine)
            other = optimize.brentq(lambda d, s=share, w=wide, t=target, x=fine: of_ties(s, d, x, w) - t, -6, 6)
        pvalues, drawn = np.full((n_datasets, 2), np.nan), 0
        for seed in range(n_datasets):
            rng = np.random.default_rng([seed, n_positive, n_negative, int(10 * distance)])
            own = rng.standard_t(3, size=(2, n)) if scores == "t, 3 df" else rng.normal(size=(2, n))
            noise = 0.5**0.5 * (rng.normal(size=n) + own)
            a, b = noise[0] + distance * y, noise[1] * np.where(y == 1, wide, 1.0) + other * y
            for i, options_of in enumerate(({}, {"n_resamples": N_RESAMPLES})[: 2 if n < 1000 else 1]):
                record = paired_metric_test(y, a, b, "average_precision", rng=seed, **options_of)
                pvalues[seed, i] = record.pvalue
                drawn += record.n_resamples > 0 and not i
        sizes = [np.mean(pvalues[:, i] < level) for i, level in ((0, 0.05), (0, 0.01), (1, 0.05))]
        told = [f"{1 - drawn / n_datasets:.0%}", *(f"{x:.1%}" for x in sizes[:2])]
        last = "" if np.isnan(pvalues[0, 1]) else f"{sizes[2]:.1%}"
        print(line(n_positive, n_negative, distance, scores, *told, last), flush=True)


# ---- skewed differences, and heavy tails ------------------------------------------------------------------------

Law = Callable[[np.random.Generator, int], Array]
GIVEN_POWER = 2.8  # standard errors: 80% of such differences are significant


class Errors(NamedTuple):
    """A law of errors, their mean square and their mean size."""

    draw: Law
    square: float
    size: float


def student(df: float) -> Errors:
    size = 2 * df**0.5 * special.gamma((df + 1) / 2) / (np.pi**0.5 * special.gamma(df / 2) * (df - 1))
    return Errors(lambda rng, n: rng.standard_t(df, n), df / (df - 2), size)


def contaminated(share: float, times: float) -> Errors:
    """Normal errors, a share of them so many times as large."""
    size = (2 / np.pi) ** 0.5 * (1 + share * (times - 1))
    draw = lambda rng, n: rng.normal(size=n) * np.where(rng.random(n) < share, times, 1.0)  # noqa: E731
    return Errors(draw, 1 + share * (times**2 - 1), size)


ERRORS = {
    "normal": contaminated(0.0, 1.0),
    "Laplace": Errors(lambda rng, n: rng.laplace(size=n), 2.0, 1.0),
    "logistic": Errors(lambda rng, n: rng.logistic(size=n), np.pi**2 / 3, 2 * np.log(2)),
    "Gumbel": Errors(lambda rng, n: rng.gumbel(size=n) - np.euler_gamma, np.pi**2 / 6, np.nan),
    **{f"t, {df:g} df": student(df) for df in (10, 6, 5, 4, 3.5, 3, 2.5)},
    "1% ten times": contaminated(0.01, 10.0),
    "3% five times": contaminated(0.03, 5.0),
}


def squared(one: str, other: str, shared: float = 0.0) -> Law:
    """Differences of squared errors whose means are equal; a share of the variance is an error of both."""

    def draw(rng: np.random.Generator, n: int) -> Array:
        common = shared**0.5 * rng.normal(size=n)
        own = (ERRORS[name].draw(rng, n) / ERRORS[name].square ** 0.5 for name in (one, other))
        a, b = (common + (1 - shared) ** 0.5 * errors for errors in own)
        return a**2 - b**2

    return draw


def noisy(name: str) -> Law:
    """Differences of squared errors of two models that err alike, on targets with such noise."""

    def draw(rng: np.random.Generator, n: int) -> Array:
        noise, (a, b) = ERRORS[name].draw(rng, n) / ERRORS[name].square ** 0.5, 0.3 * rng.normal(size=(2, n))
        return (noise - a) ** 2 - (noise - b) ** 2

    return draw


def absolute(one: str, other: str) -> Law:
    def draw(rng: np.random.Generator, n: int) -> Array:
        a, b = (np.abs(ERRORS[name].draw(rng, n)) / ERRORS[name].size for name in (one, other))
        return a - b

    return draw


@cache
def centre_of(spread: float, df: float) -> float:
    """Where log odds that spread so much have the mean log loss of normal ones around 1."""
    grid = (np.arange(200_000) + 0.5) / 200_000
    odds = spread * (special.ndtri(grid) if np.isinf(df) else special.stdtrit(df, grid))
    target = np.logaddexp(0, -1 - special.ndtri(grid)).mean()
    return float(optimize.brentq(lambda x: np.logaddexp(0, -x - odds).mean() - target, -50, 90))


def log_losses(spread: float, df: float = np.inf) -> Law:
    """Differences of log losses whose means are equal: log odds of the right class, those of one spread more."""

    def draw(rng: np.random.Generator, n: int) -> Array:
        odds = rng.normal(size=n) if np.isinf(df) else rng.standard_t(df, n)
        return np.logaddexp(0, -1 - rng.normal(size=n)) - np.logaddexp(0, -centre_of(spread, df) - spread * odds)

    return draw


def brier(centre: float, spread: float) -> Law:
    def draw(rng: np.random.Generator, n: int) -> Array:
        a, b = special.expit(-centre - spread * rng.normal(size=(2, n))) ** 2
        return a - b

    return draw


def of_sure(sure: float, right: float) -> Law:
    """Differences of log losses whose means are equal: right as often as one model says, and one that is too sure."""
    calm = -right * np.log(right) - (1 - right) * np.log(1 - right)
    wrong = (calm + np.log(sure)) / np.log(sure / (1 - sure))

    def draw(rng: np.random.Generator, n: int) -> Array:
        a, b = (rng.random(n) < share for share in (1 - right, wrong))
        return np.where(b, -np.log(1 - sure), -np.log(sure)) - np.where(a, -np.log(1 - right), -np.log(right))

    return draw


def log_normal(spread: float) -> Law:
    return lambda rng, n: rng.lognormal(0, spread, n) - np.exp(spread**2 / 2)


# What draws differences of mean 0. The rule was chosen on the first ones, and judged on the new ones.
OF_SKEWED: dict[str, Law] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "t, 3 df": lambda rng, n: rng.standard_t(3, n),
    "exponential": lambda rng, n: rng.exponential(size=n) - 1,
    "log-normal, 1": log_normal(1),
    "log-normal, 1.5": log_normal(1.5),
    "1 in 10 gains 9, others lose 1": lambda rng, n: np.where(rng.random(n) < 0.1, 9.0, -1.0) + rng.normal(0, 0.1, n),
    "log losses, 99% against 50%": of_sure(0.99, 0.5),
    "log losses, 99.9% against 98%": of_sure(0.999, 0.98),
    "log losses, odds of spread 1, 3": log_losses(3.0),
    "log losses, odds of spread 1, 2, t, 3 df": log_losses(2.0, 3.0),
    "Brier scores, odds of 4 and spread 2": brier(4, 2),
    **{f"absolute, normal, {name}": absolute("normal", name) for name in ("Laplace", "t, 3 df", "1% ten times")},
    **{
        f"squared, normal, {name}": squared("normal", name)
        for name in ("normal", "Laplace", "t, 10 df", "t, 5 df", "t, 4 df", "t, 3 df", "1% ten times")
    },
    "squared, normal, t, 3 df, half shared": squared("normal", "t, 3 df", 0.5),
    "squared, Laplace, t, 3 df": squared("Laplace", "t, 3 df"),
    "squared, t, 3 df, twice": squared("t, 3 df", "t, 3 df"),
    "squared, targets with noise of t, 3 df": noisy("t, 3 df"),
    "new: absolute, normal, logistic": absolute("normal", "logistic"),
    "new: log losses, odds of spread 1, 2": log_losses(2.0),
    "new: Brier scores, odds of 3 and spread 1.5": brier(3, 1.5),
    "new: losses, Beta(1/2, 2)": lambda rng, n: rng.beta(0.5, 2, n) - rng.beta(0.5, 2, n),
    "new: losses, exponential, log-normal": lambda rng, n: rng.exponential(size=n) - rng.lognormal(-0.5, 1, n),
    "new: losses, exponential, Pareto, 3": lambda rng, n: rng.exponential(size=n) - 2 * rng.pareto(3, n),
    "new: squared, logistic, twice": squared("logistic", "logistic"),
    "new: squared, normal, Gumbel": squared("normal", "Gumbel"),
    "new: squared, normal, 3% five times": squared("normal", "3% five times"),
    "new: squared, normal, t, 3.5 df": squared("normal", "t, 3.5 df"),
    "new: squared, Laplace, t, 2.5 df": squared("Laplace", "t, 2.5 df"),
    "new: squared, t, 6 df, t, 3 df": squared("t, 6 df", "t, 3 df"),
}


def on_items(law: Law, n: int, n_datasets: int, lead: float = 0.0) -> Array:
    """Of each data set whether the test rejects, whether it warns at all, and whether of a skew."""
    rng, found = np.random.default_rng(n), list[tuple[bool, ...]]()
    for _ in range(n_datasets // 50):
        drawn = np.stack([law(rng, n) for _ in range(50)])
        drawn += lead * drawn.std() / n**0.5
        models = {f"m{i}": own for i, own in enumerate(drawn)}
        result = from_outcomes({**models, "zero": np.zeros(n)}, sample_id=range(n))
        found += (judged(result.test(a=name, b="zero")) for name in models)
    return np.array(found)


def judged(record: Any) -> tuple[bool, ...]:
    """Whether a test rejects, whether it warns at all, and whether of anything but a heavy tail."""
    weak = [one.sentence for one in record.warnings if one.code == "WEAK_METRIC"]
    return record.pvalue < 0.05, bool(weak), any("heavy" not in sentence for sentence in weak)


class Column(RegressorMixin, BaseEstimator):
    """A rule whose answers are a column of X."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, X: Array, _: Array) -> Column:
        self.n_features_in_ = X.shape[1]
        return self

    def predict(self, X: Array) -> Array:
        return X[:, self.column]


def on_folds_of(law: str, cv: Any, n: int, n_datasets: int) -> Array:
    """The same of squared errors, normal ones and others, on folds."""
    found = list[tuple[bool, ...]]()
    for seed in range(n_datasets):
        rng = np.random.default_rng([seed, n])
        errors = [ERRORS[name].draw(rng, n) / ERRORS[name].square ** 0.5 for name in ("normal", law)]
        y, evaluator = rng.normal(size=n), PairedEvaluator(cv, "neg_mean_squared_error", random_state=seed)
        result = evaluator.evaluate({"a": Column(0), "b": Column(1)}, y[:, None] + np.transpose(errors), y)
        found.append(judged(result.test()))
    return np.array(found)


def of_null(found: Array) -> list[str]:
    """Cells of a row: rejected, and not warned of before; warned of, rejected and not warned of now."""
    rejects, now, before = found.T
    return [f"{x.mean():.1%}" for x in (rejects, rejects & ~before, now, rejects & ~now)]


def main_of_skewed() -> None:
    """How often equal means are found to differ where differences are skewed or have heavy tails, and warned of.

    Run from a checkout: ``python -m benchmarks.one_test_set skewed``. Differences of two models on so many items have a
    mean of 0. Of a difference that is significant in 80%, where tails are light, half as many data sets tell how often
    claims are warned of. The last rows are two rules that learn nothing, on folds. "before" is without the warning of
    a heavy tail.
    """
    given = options(main_of_skewed.__doc__, n_datasets=2000, n_on_folds=200, items=[30, 100, 300, 1000, 5000])
    names = ("rejected", "not warned of, before", "warned of", "not warned of", "true claims warned of, before", "now")
    print(head(("differences", "items", *names), 1))
    for (name, law), n in itertools.product(OF_SKEWED.items(), given.items):
        rejects, now, before = on_items(law, n, given.n_datasets // 2, GIVEN_POWER).T
        of_claims = (f"{x[rejects].mean():.1%}" for x in (before, now))
        print(line(name, n, *of_null(on_items(law, n, given.n_datasets)), *of_claims), flush=True)
    for law, cv in itertools.product(("normal", "t, 3 df"), (10, "10x10") if given.n_on_folds else ()):
        cells = of_null(on_folds_of(law, cv, 1000, given.n_on_folds))
        print(line(f"squared, normal, {law}, {cv} folds", 1000, *cells, "", ""), flush=True)


# ---- expected costs ---------------------------------------------------------------------------------------------


ALIKE = {(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 2, (2, 0): 4, (2, 1): 4}
# Of one rare class: samples, its share, and what missing one costs where a false alarm costs 1.
RARE = ((1000, 0.3, 2.0), (1000, 0.05, 5.0), (3000, 0.01, 20.0), (1000, 0.01, 20.0), (1000, 0.003, 50.0))
MISSED = 0.5  # of the rare class, by the model that makes the dear errors
SLOW = ("paired_bootstrap", "paired_metric_test")
N_RESAMPLES_OF_EXPECTED_COSTS, N_SLOW = 499, 100


def alike(rng: np.random.Generator) -> tuple[Array, dict[str, Array], dict[tuple[int, int], float]]:
    y = rng.integers(0, 3, 300)
    models = {name: np.where(rng.random(300) < 0.85, y, rng.integers(0, 3, 300)) for name in "ab"}
    return y, models, ALIKE


def cheap_against_dear(
    rng: np.random.Generator, n: int, share: float, dear: float
) -> tuple[Array, dict[str, Array], dict[tuple[int, int], float]]:
    y = (rng.random(n) < share).astype(int)
    alarms = share * MISSED * dear / (1 - share)
    cheap = np.where((y == 0) & (rng.random(n) < alarms), 1, y)
    missed = np.where((y == 1) & (rng.random(n) < MISSED), 0, y)
    return y, {"a": cheap, "b": missed}, {(0, 1): 1.0, (1, 0): dear}


Draw = Callable[[np.random.Generator], Any]


def rare(draw: Callable[..., Any], *nulls: tuple[int, float, float]) -> Iterator[tuple[str, Draw]]:
    """By name what draws the nulls with a rare class."""
    for n, share, dear in nulls:
        words = f"cheap against dear, n={n}, {share:.1%} rare, cost {dear:g}"
        yield words, partial(draw, n=n, share=share, dear=dear)


def weak_metric(record: Any) -> bool:
    return any(one.code == "WEAK_METRIC" for one in record.warnings)


def told(found: Array) -> list[float]:
    """Of pairs of a rejection and a warning: the shares of either, and of rejections without a warning."""
    rejects, warned = found.T
    return [rejects.mean(), warned.mean(), (rejects & ~warned).mean()]


def on_one_test_set(draw: Draw, n_datasets: int) -> list[str]:
    """Cells of a row: size of the default, share that is warned, rejected without a warning, sizes of the slow ones."""
    found, slow = [], []
    for i in range(n_datasets):
        y, models, cost = draw(np.random.default_rng((7, i)))
        if len(np.unique(y)) < 2:  # without the rare class nothing can be tested at all
            continue
        result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(cost)})
        record, drawn = result.test(), {"n_resamples": N_RESAMPLES_OF_EXPECTED_COSTS, "rng": i}
        found.append((record.pvalue < 0.05, weak_metric(record)))
        if i < N_SLOW:
            slow.append([result.test(name, **drawn).pvalue < 0.05 for name in SLOW])
    shares = [*told(np.array(found)), *np.mean(slow, axis=0)]
    return [str(len(found)), *(f"{share:.3f}" for share in shares)]


class AsGiven(ClassifierMixin, BaseEstimator):
    """A rule whose answers are a column of X."""

    def fit(self, _: Array, y: Array) -> AsGiven:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Array) -> Array:
        return X[:, 0].astype(int)


def blocks_of_expected_costs(
    rng: np.random.Generator, n: int, share: float
) -> tuple[Array, Array, GaussianNB, int, dict]:
    """X, y, the learner, how many columns each model sees, and the costs."""
    y = rng.permutation((np.arange(n) < round(share * n)).astype(int))
    X = rng.normal(size=(n, 2 * BLOCK)) + 0.45 * (2 * y[:, None] - 1)
    return X, y, GaussianNB(), BLOCK, {(0, 1): 1, (1, 0): 10}


def rules(rng: np.random.Generator, n: int, share: float, dear: float) -> tuple[Array, Array, AsGiven, int, dict]:
    y, models, cost = cheap_against_dear(rng, n, share, dear)
    return np.column_stack([models["a"], models["b"]]), y, AsGiven(), 1, cost


def nulls_on_folds() -> Iterator[tuple[str, Draw]]:
    for n, share in ((400, 0.1), (400, 0.03)):
        yield f"blocks, n={n}, {share:.0%} rare, cost 10", partial(blocks_of_expected_costs, n=n, share=share)
    yield from rare(rules, RARE[1], RARE[3])


def on_folds(draw: Draw, n_datasets: int) -> list[str]:
    """Cells of a row: by design the size, the share that is warned, and rejected without a warning."""
    found = np.zeros((2, n_datasets, 2), dtype=bool)
    for i in range(n_datasets):
        X, y, learner, width, cost = draw(np.random.default_rng((11, i)))
        for own, cv in zip(found, (10, "10x10"), strict=True):
            evaluator = PairedEvaluator(cv, {"neg_cost": cost_scorer(cost)}, random_state=i)
            record = evaluator.evaluate(halves(learner, width), X, y).test()
            own[i] = record.pvalue < 0.05, weak_metric(record)
    return [str(n_datasets), *(f"{share:.3f}" for own in found for share in told(own))]


def main_of_expected_costs() -> None:
    """How often tests of the expected cost reject a true null, and how often WEAK_METRIC warned.

    Run from a checkout: ``python -m benchmarks.one_test_set expected_costs --n-on-folds 0`` for one test set (a few
    minutes of one core), ``python -m benchmarks.one_test_set expected_costs --n-datasets 0`` for folds (a quarter of an
    hour). They print the two tables of `docs/benchmarks.md`.

    On one test set predictions are drawn, and the nulls are true by construction. "alike": three classes, and both
    models make every error equally often, one independently of the other. "cheap against dear": a rare class whose
    errors cost much; one model makes cheap errors on the other class, the other model half of the dear errors, and both
    cost the same on average. On folds one learner is fitted to two blocks of five features that are drawn alike, one
    block per model, and a missed sample of the rare class costs ten times a false alarm; "cheap against dear" is there
    too, as two rules that learn nothing.
    """
    given = options(main_of_expected_costs.__doc__, n_datasets=400, n_on_folds=300)
    print(f"{date.today()}; nominal level 5%\n")
    if given.n_datasets:
        print(head(("null", "data sets", "default", "WEAK_METRIC", "default, not warned", *SLOW)))
        for name, draw in (("alike, n=300", alike), *rare(cheap_against_dear, *RARE)):
            print(line(name, *on_one_test_set(draw, given.n_datasets)), flush=True)
    if given.n_on_folds:
        names = (f"{cv}{of}" for cv in ("10-fold", "10x10") for of in ("", ", WEAK_METRIC", ", not warned"))
        print(f"\n{head(('null', 'data sets', *names))}")
        for name, draw in nulls_on_folds():
            print(line(name, *on_folds(draw, given.n_on_folds)), flush=True)


# ---- equal ------------------------------------------------------------------------------------------------------

GRADES = (0, 0.25, 0.5, 0.75, 1.0)


def graded(shares: tuple[float, ...], rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    """Grades of items by one model, and by another one that fails where they differ."""
    grades = rng.choice(GRADES, n, p=shares)
    return np.zeros(n), grades, np.zeros(n)


def numbers(shift: float, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    """Numbers, predictions with errors of standard deviation 0.5, and predictions that are so much further off."""
    y = rng.normal(size=n)
    a = y + rng.normal(0, 0.5, n)
    return y, a, a + shift * np.sign(a - y)


def ranks(of: int, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    """Two classes that a model ranks well, and the same where samples of one class are ranked as the other's best."""
    y = rng.permutation(np.arange(n) % 2)
    p = special.expit(6 * y - 3 + rng.normal(size=n))
    return y, p, np.where(y == of, 1 - of + (2 * of - 1) * 1e-6 * rng.random(n), p)


def labels(rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
    """Labels of which a model has four of five, and those that are wrong where this is right."""
    y = rng.permutation(np.arange(n) % 2)
    return y, np.where(rng.random(n) < 0.8, y, 1 - y), 1 - y


OF_EQUAL: dict[str, tuple[str, Callable[..., tuple[Array, Array, Array]]]] = {
    "accuracy, wrong": ("accuracy", labels),
    "Brier score, sure and wrong": ("neg_brier_score", partial(ranks, 1)),
    "squared error, 1 further off": ("neg_mean_squared_error", partial(numbers, 1.0)),
    "squared error, 5 further off": ("neg_mean_squared_error", partial(numbers, 5.0)),
    "ROC AUC, positive ones last": ("roc_auc", partial(ranks, 1)),
    "average precision, positive ones last": ("average_precision", partial(ranks, 1)),
    "average precision, negative ones first": ("average_precision", partial(ranks, 0)),
    "grades, all of them usual, 0": ("", partial(graded, (0.05, 0.1, 0.15, 0.3, 0.4))),
    "grades, nine of ten are 1, 0": ("", partial(graded, (0.002, 0.003, 0.015, 0.08, 0.9))),
}


def read_pair(metric: str, y: Array, a: Array, b: Array) -> EvaluationResult:
    """The comparison of two models on one test set, or on items."""
    return from_predictions(y, {"a": a, "b": b}, scoring=metric) if metric else from_outcomes({"a": a, "b": b})


def main_of_equal() -> None:
    """How often intervals of two models that are equal on a test set hold their difference on the population.

    Run from a checkout: ``python -m benchmarks.one_test_set equal``. The models differ on a share of the samples, so
    small that half of the test sets, or one in twenty, show none of these. The difference is that on 100,000 samples.
    """
    given = options(main_of_equal.__doc__, n_datasets=200)
    print(f"{machine()}\n\n{head(('metric, and where they differ', 'samples', *3 * ('equal on', 'apart', 'held')), 1)}")
    for (name, (metric, draw)), n in itertools.product(OF_EQUAL.items(), (20, 80, 300, 1000)):
        rng, cells, reach = np.random.default_rng(n), list[str](), list[float]()
        y, a, other = draw(rng, 100_000)
        for seed in range(given.n_datasets):
            own = draw(np.random.default_rng([seed, n]), n)
            interval = read_pair(metric, own[0], own[1], own[1].copy()).test().confidence_interval()
            reach.append(min(-interval.low, interval.high))
        for equal in (0.5, 0.2, 0.05):
            chosen = rng.random(len(y)) < (1 - equal ** (1 / n)) / np.mean(a != other)
            b = np.where(chosen, other, a)
            apart = abs(read_pair(metric, y, a, b).difference(metric)[0] if metric else np.mean(a - b))
            cells += f"{equal:.0%}", f"{apart:.4f}", f"{np.mean(np.array(reach) >= apart):.0%}"
        print(line(name, n, *cells), flush=True)


def mistaken(rng: np.random.Generator, n: int, moved: float = 0.0) -> tuple[Array, Array, Array, Array]:
    """Two classes, probabilities, these after a little move, and those of a model that is as sure, and wrong."""
    y = rng.permutation(np.arange(n) % 2)
    sign, log_odds = 2 * y - 1, 2 + 1.5 * rng.normal(size=n)
    p, wrong = (special.expit(sign * own) for own in (log_odds, -np.abs(log_odds)))
    return y, p, special.expit(sign * log_odds + moved * rng.normal(size=n)) if moved else p, wrong


def called(rng: np.random.Generator, n: int) -> tuple[Array, ...]:
    y, *found = mistaken(rng, n)
    return y, *((p > 0.5).astype(int) for p in found)


def off(rng: np.random.Generator, n: int) -> tuple[Array, ...]:
    y, a, further = numbers(5.0, rng, n)
    return y, a, a, further


def marked(rng: np.random.Generator, n: int) -> tuple[Array, ...]:
    grades = rng.choice((0, 0.5, 1.0), n, p=(0.03, 0.07, 0.9))
    return np.zeros(n), grades, grades, np.zeros(n)


# The metric, what draws the truth, one model's predictions, the other's and its worse ones, and the score of a sample.
OF_DEFAULTS: dict[str, tuple[str, Callable[..., tuple[Array, ...]], Callable[[Array, Array], Any]]] = {
    "Brier score": ("neg_brier_score", mistaken, lambda y, p: -np.mean((y - p) ** 2)),
    "Brier score, all move": ("neg_brier_score", partial(mistaken, moved=0.02), lambda y, p: -np.mean((y - p) ** 2)),
    "log loss": ("neg_log_loss", mistaken, lambda y, p: np.mean(np.log(np.where(y == 1, p, 1 - p)))),
    "squared error, 5 further off": ("neg_mean_squared_error", off, lambda y, p: -np.mean((y - p) ** 2)),
    "grades 0, 0.5, 1": ("", marked, lambda _, p: np.mean(p)),
    "ROC AUC": ("roc_auc", mistaken, roc_auc_score),
    "F1": ("f1", called, f1_score),
}


def of_default(name: str, n: int, differ: int, n_simulations: int) -> list[float]:
    """How often the default interval holds the difference, and how often the default test rejects equal models."""
    metric, draw, score = OF_DEFAULTS[name]
    y, a, b, worse = draw(np.random.default_rng(0), 400_000)
    able = np.flatnonzero(a != worse if name == "F1" else np.abs(a - worse) > 0)
    rates, shares, found = differ / n / (len(able) / len(y)), (1.0, 0.75, 0.5), []
    for share in shares:
        rng = np.random.default_rng([n, differ, int(100 * share)])
        chosen = rng.permutation(able)[: round(rates * len(able))]
        swapped, models = chosen[round(share * len(chosen)) :], [a.copy(), b.copy()]
        models[1][chosen] = worse[chosen]
        models[0][swapped], models[1][swapped] = models[1][swapped], models[0][swapped].copy()
        truth, shown = float(score(y, models[0]) - score(y, models[1])), []
        for _ in range(n_simulations):
            own = draw(rng, n)
            first, second = own[1].copy(), np.where(rng.random(n) < rates, own[3], own[2])
            turn = (first != second) & (rng.random(n) < 1 - share)
            first, second = np.where(turn, second, first), np.where(turn, first, second)
            record = read_pair(metric, own[0], first, second).test()
            interval = record.confidence_interval()
            held = interval.low <= truth <= interval.high or np.isnan(interval.low)
            shown.append(record.pvalue < 0.05 if share == 0.5 else held)
        found.append(float(np.mean(shown)))
    return found


# ---- costs ------------------------------------------------------------------------------------------------------


_TIMED = """
start = process_time()
{call}
print(process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss / 2**20)
"""


def main_of_costs() -> None:
    """What comparisons on one test set and on items cost: processor time and peak memory.

    Run from a checkout: ``OMP_NUM_THREADS=1 python -m benchmarks.one_test_set costs``. Every row is a process of its
    own; imports and what makes the data are not part of its time, but of its memory.
    """
    options(main_of_costs.__doc__)
    print(f"{machine()}\n\n{head(('what', 's of processor time', 'peak, GiB'))}")
    with Path(__file__).with_suffix(".toml").open("rb") as programs:
        asked = tomllib.load(programs)
    for row in asked["row"]:
        program = f"{asked['made']}\n{row['made']}\n{_TIMED.format(call=row['call'])}"
        *_, seconds, peak = numbers_printed("-c", program)
        print(line(row["what"], f"{seconds:.2f}", f"{peak:.2f}"), flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    parts = (main_of_models, main_of_areas, main_of_classes, main_of_recalls, main_of_size, main_of_precision)
    parts += (main_of_few, main_of_ties, main_of_equal, main_of_many, main_of_skewed)
    run_part(*parts, main_of_expected_costs, main_of_costs)
