"""How often the procedures on predictions reject a true null: measured size at a nominal 5%.

Run from a checkout: ``python -m benchmarks.size --n-datasets 600``; those on fold scores have
``benchmarks.calibration``. Every data set is fitted for real. The nulls are true by construction: "blocks" fits the
same learner on two exchangeable blocks of features, one per model, "weak blocks" the same with a third of the signal
and 30% positives; "noise" fits naive Bayes and a tree to labels that do not depend on the features, where accuracy and
ROC AUC are equal and the others are not: the tree calls ties negative.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from datetime import date
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import EvaluationResult, PairedEvaluator

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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
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


if __name__ == "__main__":
    main()
