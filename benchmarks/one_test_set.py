"""How often tests on one test set reject a true null, and what they cost.

Run from a checkout: ``python -m benchmarks.one_test_set PART``, where the part is ``models``, ``size``,
``expected_costs``, ``costs``; without one it is ``models``.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine, run_part
from skcompare import EvaluationResult, PairedEvaluator, cost_scorer, from_predictions
from skcompare.inference import (
    calibration_error_test,
    delong_test,
    metric_interval,
    paired_metric_test,
    proportion_interval,
)

# ---- models -----------------------------------------------------------------------------------------------------


SAMPLES = (50, 200, 2000)
N_RESAMPLES = 199  # of tests; intervals take five times as many
COLUMNS = (
    "average_precision, exchanges",
    "delong_test",
    "calibration_error_test",
    "by(), accuracy",
    "coverage, accuracy (Wilson)",
    "coverage, roc_auc (DeLong)",
    "coverage, f1 (bootstrap)",
    "coverage, average_precision (bootstrap)",
)


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
        calibration_error_test(y, *probabilities, **options).pvalue,
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
    parser = argparse.ArgumentParser(description=main_of_models.__doc__)
    parser.add_argument("--n-simulations", type=int, default=1000)
    parser.add_argument("--samples", type=int, nargs="+", default=SAMPLES)
    options = parser.parse_args()
    n = options.n_simulations
    warnings.simplefilter("ignore")
    error = (0.05 * 0.95 / n) ** 0.5
    print(f"{date.today()}; {n} simulations per row; standard error at 5% and 95%: {error:.1%}\n")
    print(f"| samples | {' | '.join(COLUMNS)} |")
    print(f"|{' ---: |' * (1 + len(COLUMNS))}")
    true = truth()
    for n_samples in options.samples:
        found = [one([seed, n_samples], n_samples, true) for seed in range(n)]
        print(f"| {n_samples:,} | {' | '.join(f'{share:.1%}' for share in np.mean(found, axis=0))} |", flush=True)


# ---- size -------------------------------------------------------------------------------------------------------


METRICS = ("accuracy", "precision", "recall", "f1", "roc_auc")
BLOCK = 5


class OnColumns(ClassifierMixin, BaseEstimator):
    """A classifier that sees some columns only."""

    def __init__(self, estimator: Any, start: int, stop: int) -> None:
        self.estimator = estimator
        self.start = start
        self.stop = stop

    def fit(self, X: Any, y: Any) -> OnColumns:
        self.fitted_ = clone(self.estimator).fit(X[:, self.start : self.stop], y)
        self.classes_ = self.fitted_.classes_
        return self

    def predict(self, X: Any) -> Any:
        return self.fitted_.predict(X[:, self.start : self.stop])

    def predict_proba(self, X: Any) -> Any:
        return self.fitted_.predict_proba(X[:, self.start : self.stop])


def blocks(learner: Any, rng: np.random.Generator, n: int) -> tuple[dict[str, Any], Any, Any]:
    return _two_blocks(learner, rng, rng.integers(0, 2, n), signal=0.45)


def weak_blocks(learner: Any, rng: np.random.Generator, n: int) -> tuple[dict[str, Any], Any, Any]:
    return _two_blocks(learner, rng, (rng.random(n) < 0.3).astype(int), signal=0.15)


def _two_blocks(
    learner: Any, rng: np.random.Generator, y: np.ndarray, *, signal: float
) -> tuple[dict[str, Any], Any, Any]:
    X = rng.normal(size=(len(y), 2 * BLOCK)) + signal * (2 * y[:, None] - 1)
    return {"a": OnColumns(learner, 0, BLOCK), "b": OnColumns(learner, BLOCK, 2 * BLOCK)}, X, y


def noise(_: Any, rng: np.random.Generator, n: int) -> tuple[dict[str, Any], Any, Any]:
    X, y = rng.integers(0, 2, (n, 10)).astype(float), rng.integers(0, 2, n)
    tree = DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2, random_state=0)
    return {"a": BernoulliNB(), "b": tree}, X, y


NULLS: dict[str, tuple[Any, Any, int]] = {
    "blocks, naive Bayes, n=200": (blocks, GaussianNB(), 200),
    "blocks, tree, n=200": (blocks, DecisionTreeClassifier(max_depth=4, random_state=0), 200),
    "weak blocks, naive Bayes, n=200": (weak_blocks, GaussianNB(), 200),
    "noise, n=300": (noise, None, 300),
}


def designs(seed: int) -> dict[str, Any]:
    return {"10-fold": 10, "one random split": StratifiedShuffleSplit(1, test_size=1 / 3, random_state=seed)}


def pvalues(result: EvaluationResult, metrics: tuple[str, ...]) -> dict[tuple[str, str], float]:
    """p by (procedure, metric); `metrics` are those of predicted labels."""
    found = {
        ("mcnemar_test", "accuracy"): result.test("mcnemar").pvalue,
        ("cochran_q_test", "accuracy"): result.test("cochran_q").pvalue,
        ("delong_test", "roc_auc"): result.test("delong").pvalue,
    }
    if result.design.partition:
        found["cv_clt_test", "accuracy"] = result.test("cv_clt").pvalue
    for metric in metrics:
        found["paired_metric_test", metric] = result.test("paired_metric", metric=metric, rng=0).pvalue
        bootstrap = result.test("paired_bootstrap", metric=metric, rng=0, n_resamples=2000)
        found["paired_bootstrap", metric] = bootstrap.pvalue
    return found


def one_dataset(null: str, seed: int, only: list[str]) -> dict[tuple[str, str, str], bool]:
    """Whether each (design, procedure, metric) rejects at 5%."""
    warnings.simplefilter("ignore")
    generator, learner, n = NULLS[null]
    estimators, X, y = generator(learner, np.random.default_rng(seed), n)
    rejected = {}
    for name, cv in designs(seed).items():
        if name not in only:
            continue
        result = PairedEvaluator(cv=cv, scoring=list(METRICS), random_state=seed).evaluate(estimators, X, y)
        found = pvalues(result, ("accuracy",) if null.startswith("noise") else METRICS[:4])
        for (procedure, metric), p in found.items():
            rejected[name, procedure, metric] = p < 0.05
    return rejected


def main_of_size() -> None:
    """How often the procedures on predictions reject a true null: measured size at a nominal 5%.

    Run from a checkout: ``python -m benchmarks.one_test_set size --n-datasets 600``; those on fold scores have
    ``benchmarks.calibration``. Every data set is fitted for real. The nulls are true by construction: "blocks" fits the
    same learner on two exchangeable blocks of features, one per model, "weak blocks" the same with a third of the
    signal and 30% positives; "noise" fits naive Bayes and a tree to labels that do not depend on the features, where
    accuracy and ROC AUC are equal and the others are not: the tree calls ties negative.
    """
    parser = argparse.ArgumentParser(description=main_of_size.__doc__)
    parser.add_argument("--n-datasets", type=int, default=500)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--design", choices=list(designs(0)), help="only this one")
    parser.add_argument("--null", choices=list(NULLS), help="only this one")
    options = parser.parse_args()
    only = [options.design] if options.design else list(designs(0))
    error = (0.05 * 0.95 / options.n_datasets) ** 0.5
    print(f"{date.today()}; {options.n_datasets} data sets per null; standard error at .05: {error:.3f}\n")
    columns = METRICS
    print(f"| null | design | procedure | {' | '.join(columns)} |")
    print(f"| --- | --- | --- |{' ---: |' * len(columns)}")
    for null in [options.null] if options.null else NULLS:
        counts: Counter[tuple[str, str, str]] = Counter()
        runs = Parallel(n_jobs=options.jobs, batch_size=5)(
            delayed(one_dataset)(null, seed, only) for seed in range(options.n_datasets)
        )
        for rejected in runs:
            counts.update({key: int(value) for key, value in rejected.items()})
        rows = dict.fromkeys((design, procedure) for design, procedure, _ in counts)
        for design, procedure in rows:
            cells = [
                f"{counts[design, procedure, column] / options.n_datasets:.3f}"
                if (design, procedure, column) in counts
                else ""
                for column in columns
            ]
            print(f"| {null} | {design} | {procedure} | {' | '.join(cells)} |", flush=True)


# ---- expected costs ---------------------------------------------------------------------------------------------


Array = np.ndarray
ALIKE = {(0, 1): 1, (0, 2): 2, (1, 0): 1, (1, 2): 2, (2, 0): 4, (2, 1): 4}
# Of one rare class: samples, its share, and what missing one costs where a false alarm costs 1.
RARE = ((1000, 0.3, 2.0), (1000, 0.05, 5.0), (3000, 0.01, 20.0), (1000, 0.01, 20.0), (1000, 0.003, 50.0))
MISSED = 0.5  # of the rare class, by the model that makes the dear errors
SLOW = ("paired_bootstrap", "paired_metric_test")
N_RESAMPLES_OF_EXPECTED_COSTS = 499


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


def nulls() -> Iterator[tuple[str, object]]:
    yield "alike, n=300", alike
    for n, share, dear in RARE:
        said = f"cheap against dear, n={n}, {share:.1%} rare, cost {dear:g}"
        yield said, lambda rng, n=n, share=share, dear=dear: cheap_against_dear(rng, n, share, dear)


def on_one_test_set(draw, n_datasets: int, n_slow: int) -> list[str]:
    """Cells of a row: size of the default, share that is warned, rejected without a warning, sizes of the slow ones."""
    rejected, warned, slow, missed = [], [], {name: [] for name in SLOW}, 0
    for i in range(n_datasets):
        y, models, cost = draw(np.random.default_rng((7, i)))
        if len(np.unique(y)) < 2:  # without the rare class nothing can be tested at all
            missed += 1
            continue
        result = from_predictions(y, models, scoring={"neg_cost": cost_scorer(cost)})
        record = result.test()
        rejected.append(record.pvalue < 0.05)
        warned.append(any(one.code == "WEAK_METRIC" for one in record.warnings))
        if i < n_slow:
            for name in SLOW:
                slow[name].append(result.test(name, n_resamples=N_RESAMPLES_OF_EXPECTED_COSTS, rng=i).pvalue < 0.05)
    size, few = np.array(rejected), np.array(warned)
    shares = [size.mean(), few.mean(), (size & ~few).mean(), *(np.mean(slow[name]) for name in SLOW)]
    return [str(len(size)), *(f"{share:.3f}" for share in shares)]


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


def nulls_on_folds() -> Iterator[tuple[str, object]]:
    for n, share in ((400, 0.1), (400, 0.03)):
        yield (
            f"blocks, n={n}, {share:.0%} rare, cost 10",
            lambda rng, n=n, share=share: blocks_of_expected_costs(rng, n, share),
        )
    for n, share, dear in (null for null in RARE if null in ((1000, 0.05, 5.0), (1000, 0.01, 20.0))):
        said = f"cheap against dear, n={n}, {share:.1%} rare, cost {dear:g}"
        yield said, lambda rng, n=n, share=share, dear=dear: rules(rng, n, share, dear)


def one_on_folds(draw, i: int) -> list[bool]:
    """Of 10 folds and of 10x10: whether the default test rejects, and whether it is warned."""
    X, y, learner, width, cost = draw(np.random.default_rng((11, i)))
    models = {"a": OnColumns(learner, 0, width), "b": OnColumns(learner, width, 2 * width)}
    found = []
    for cv in (10, "10x10"):
        evaluator = PairedEvaluator(cv, {"neg_cost": cost_scorer(cost)}, random_state=i)
        record = evaluator.evaluate(models, X, y).test()
        found += [bool(record.pvalue < 0.05), any(one.code == "WEAK_METRIC" for one in record.warnings)]
    return found


def on_folds(name: str, draw, n_datasets: int, store: Path | None) -> list[str]:
    """Cells of a row: by design the size, the share that is warned, and rejected without a warning."""
    path = store / f"{name}.jsonl" if store else None
    found = [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []
    for i in range(len(found), n_datasets):
        found.append(one_on_folds(draw, i))
        if path:
            with path.open("a") as file:
                file.write(f"{json.dumps(found[-1])}\n")
    rejected, warned = np.array(found[:n_datasets]).reshape(-1, 2, 2).transpose(2, 1, 0)
    shares = [cell for r, w in zip(rejected, warned, strict=True) for cell in (r.mean(), w.mean(), (r & ~w).mean())]
    return [str(n_datasets), *(f"{share:.3f}" for share in shares)]


def main_of_expected_costs() -> None:
    """How often tests of the expected cost reject a true null, and how often WEAK_METRIC warned.

    Run from a checkout: ``python -m benchmarks.one_test_set expected_costs --n-on-folds 0`` for one test set (a few
    minutes of one core), ``python -m benchmarks.one_test_set expected_costs --n-datasets 0 --store FOLDER`` for folds
    (a quarter of an hour; what the folder has is not made again). They print the two tables of `docs/benchmarks.md`.

    On one test set predictions are drawn, and the nulls are true by construction. "alike": three classes, and both
    models make every error equally often, one independently of the other. "cheap against dear": a rare class whose
    errors cost much; one model makes cheap errors on the other class, the other model half of the dear errors, and both
    cost the same on average. On folds one learner is fitted to two blocks of five features that are drawn alike, one
    block per model, and a missed sample of the rare class costs ten times a false alarm; "cheap against dear" is there
    too, as two rules that learn nothing.
    """
    parser = argparse.ArgumentParser(description=main_of_expected_costs.__doc__)
    parser.add_argument("--n-datasets", type=int, default=400, help="data sets per null on one test set; 0 for none")
    parser.add_argument("--n-slow", type=int, default=100, help="of them those for the slow procedures")
    parser.add_argument("--n-on-folds", type=int, default=300, help="data sets per null on folds; 0 for none")
    parser.add_argument("--null", default="", help="only nulls whose name has this")
    parser.add_argument("--store", type=Path, help="a folder that keeps the data sets on folds")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{date.today()}; nominal level 5%\n")
    if given.n_datasets:
        print_test_sets(given.n_datasets, given.n_slow, given.null)
    if given.n_on_folds:
        print_folds(given.n_on_folds, given.null, given.store)


def print_test_sets(n_datasets: int, n_slow: int, only: str) -> None:
    print("| null | data sets | default | WEAK_METRIC | default, not warned | " + " | ".join(SLOW) + " |")
    print("| --- " + "| ---: " * 6 + "|")
    for name, draw in (null for null in nulls() if only in null[0]):
        print(f"| {name} | {' | '.join(on_one_test_set(draw, n_datasets, n_slow))} |", flush=True)


def print_folds(n_datasets: int, only: str, store: Path | None) -> None:
    if store:
        store.mkdir(parents=True, exist_ok=True)
    columns = (
        "null",
        "data sets",
        *(f"{cv}{of}" for cv in ("10-fold", "10x10") for of in ("", ", WEAK_METRIC", ", not warned")),
    )
    print(f"\n| {' | '.join(columns)} |")
    print("| --- " + "| ---: " * 7 + "|")
    for name, draw in (null for null in nulls_on_folds() if only in null[0]):
        print(f"| {name} | {' | '.join(on_folds(name, draw, n_datasets, store))} |", flush=True)


# ---- costs ------------------------------------------------------------------------------------------------------


_MADE = """
import sys, warnings
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from tempfile import TemporaryDirectory
from time import process_time
import numpy as np
import skcompare as skc
from skcompare import inference
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
def predicted(n, k):
    y = rng.integers(2, size=n)
    found = {f"m{i}": 1 / (1 + np.exp(-((2 * y - 1) * (.5 + .05 * i) + rng.normal(size=n)))) for i in range(k)}
    return y, found
def outcomes(n, k):
    return {f"x{j}": {f"m{i}": rng.normal(size=n) + .001 * i for i in range(k)} for j in range(5)}
def labels(n):
    return (rng.integers(3, size=n) for _ in range(3))
def table(n):
    import pandas as pd
    y, found = predicted(n, 2)
    about = {"hospital": rng.integers(9, size=n), "age": rng.integers(20, 90, n), "length": rng.integers(999, size=n)}
    about |= {"sex": np.where(rng.random(n) < .5, "f", "m"), "site": np.where(rng.random(n) < .3, "north", "south")}
    known = {"sample_id": np.arange(n), "y_true": y, **about}
    frames = [pd.DataFrame({**known, "model": m, "prediction": (p > .5) * 1, "probability": p.round(6)})
              for m, p in found.items()]
    return pd.concat(frames, ignore_index=True)
path = TemporaryDirectory()
file = str(Path(path.name) / "predictions.csv")
FIVE = ["accuracy", "f1", "precision", "recall", "roc_auc"]
skc.from_predictions(*predicted(99, 3), scoring=FIVE).summary()
skc.from_outcomes(outcomes(99, 3)).summary()
inference.paired_metric_test(*labels(99), "f1_macro").confidence_interval()
"""
_TIMED = """
start = process_time()
{call}
print(process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss / 2**20)
"""
_RESULT = "r = skc.from_predictions(*predicted({}), scoring={})"
_SCORED = "y, a, b = labels(10_000)"
_CLUSTERS = f"{_SCORED}; c = rng.integers(1000, size=10_000)"
_MCC = "y, a, b = labels(10_000); r = skc.from_predictions(y, {'a': a, 'b': b}, scoring='matthews_corrcoef')"
_TABLE = "import pandas as pd; frame = table(500_000)"
_WRITTEN = f"{_TABLE}; frame.to_csv(file, index=False); from skcompare.cli.main import main"
# By name: what it is, what is made beforehand, and what is measured.
ROWS = {
    "outcomes": ("10 models x 1e6 items x 5 metrics", "made = outcomes(10**6, 10)", "r = skc.from_outcomes(made)"),
    "summary": (
        "the same, all 45 pairs: `summary()`",
        "r = skc.from_outcomes(outcomes(10**6, 10))",
        "r.summary()",
    ),
    "intervals": ("the same: `intervals()`", "r = skc.from_outcomes(outcomes(10**6, 10))", "r.intervals()"),
    "predictions": (
        "10 models x 1e6 samples, accuracy, F1, precision, recall, ROC AUC: `from_predictions`",
        "made = predicted(10**6, 10)",
        "skc.from_predictions(*made, scoring=FIVE)",
    ),
    "summary of predictions": (
        "the same, all 45 pairs: `summary()`",
        _RESULT.format("10**6, 10", "FIVE"),
        "r.summary()",
    ),
    "intervals of predictions": ("the same: `intervals()`", _RESULT.format("10**6, 10", "FIVE"), "r.intervals()"),
    "mcnemar": (
        '50 models x 1e4 samples: `compare("mcnemar_test")`',
        _RESULT.format("10_000, 50", "'accuracy'"),
        "r.compare('mcnemar_test')",
    ),
    "summary of 50": ("the same: `summary()`", _RESULT.format("10_000, 50", "'accuracy'"), "r.summary()"),
    "f1": (
        "2 models x 1e4 samples, F1 macro: 10,000 exchanges and bootstrap samples",
        _SCORED,
        "inference.paired_metric_test(y, a, b, 'f1_macro', n_resamples=10_000).confidence_interval()",
    ),
    "f1 in clusters": (
        "the same in 1,000 clusters",
        _CLUSTERS,
        "inference.paired_metric_test(y, a, b, 'f1_macro', clusters=c).confidence_interval()",
    ),
    "mcc": ("2 models x 1e4 samples, scikit-learn's `matthews_corrcoef`: `compare()`", _MCC, "r.compare()"),
    "read_csv": ("1e6 rows x 10 columns: `pandas.read_csv`", _WRITTEN, "pd.read_csv(file)"),
    "frame": (
        "the same: `from_predictions(frame)`",
        _TABLE,
        "skc.from_predictions(frame, scoring=['accuracy', 'roc_auc'])",
    ),
    "analyze": (
        "the same: `skcompare analyze predictions.csv --metric accuracy`",
        _WRITTEN,
        "main(['analyze', file, '--metric', 'accuracy'], standalone_mode=False)",
    ),
}


def main_of_costs() -> None:
    """What comparisons on one test set and on items cost: processor time and peak memory.

    Run from a checkout: ``OMP_NUM_THREADS=1 python -m benchmarks.one_test_set costs``, also with the names of some
    rows. Every row is a process of its own; imports and what makes the data are not part of its time, but of its
    memory.
    """
    print(f"{machine()}\n")
    print("| what | s of processor time | peak, GiB |\n| --- | ---: | ---: |")
    for name in sys.argv[1:] or ROWS:
        what, made, call = ROWS[name]
        program = f"{_MADE}\n{made}\n{_TIMED.format(call=call)}"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        seconds, peak = map(float, done.stdout.split()[-2:])
        print(f"| {what} | {seconds:.2f} | {peak:.2f} |", flush=True)


if __name__ == "__main__":
    run_part(
        {
            "models": main_of_models,
            "size": main_of_size,
            "expected_costs": main_of_expected_costs,
            "costs": main_of_costs,
        }
    )
