"""The defaults keep their error rate on real, correlated folds."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats
from sklearn.base import BaseEstimator, ClassifierMixin

from skcompare import PairedEvaluator
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._rates import MEASURED_SIZES, STUDY_SIZES
from tests.lawful import FULL


class OnBlock(ClassifierMixin, BaseEstimator):
    """Gaussian naive Bayes on three of the columns, in a few lines of numpy: it is fitted thousands of times."""

    def __init__(self, start):
        self.start = start

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        of_class = [X[y == label, self.start : self.start + 3] for label in self.classes_]
        self.mean_ = np.array([rows.mean(axis=0) for rows in of_class])
        self.variance_ = np.array([rows.var(axis=0) for rows in of_class])
        self.log_prior_ = np.log([len(rows) / len(y) for rows in of_class])
        return self

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X):
        rows = X[:, None, self.start : self.start + 3]
        terms = (rows - self.mean_) ** 2 / self.variance_ + np.log(self.variance_)
        joint = self.log_prior_ - terms.sum(axis=2) / 2
        return special.softmax(joint, axis=1)


@cache
def evaluate_null(cv, seed):
    """Two models of the same kind on exchangeable blocks of features: equal by construction."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1], 50)
    X = rng.normal(size=(100, 6)) + 0.5 * (2 * y[:, None] - 1)
    evaluator = PairedEvaluator(cv=cv, scoring=["accuracy", "roc_auc"], random_state=seed)
    return evaluator.evaluate({"a": OnBlock(0), "b": OnBlock(3)}, X, y)


@pytest.mark.sampled("simulations")
@pytest.mark.slow
@pytest.mark.parametrize("cv", ["10x10", "5x2", 10])
def test_the_defaults_do_not_reject_true_nulls_too_often(cv):
    n_datasets = 1000 if FULL else 20
    results = [evaluate_null(cv, seed) for seed in range(n_datasets)]
    # Up to 7% are allowed for; the bound is passed by chance once in a million runs then.
    most = stats.binom.isf(1e-6, n_datasets, 0.07)
    for metric in ("accuracy", "roc_auc"):
        assert sum(result.test(metric=metric).pvalue < 0.05 for result in results) <= most
    assert sum(result.dominance().pvalue < 0.05 for result in results) <= most


@pytest.mark.sampled("simulations")
@pytest.mark.slow
def test_the_plain_t_test_does_reject_true_nulls_too_often():
    n_datasets = 1000 if FULL else 60
    rejected = [evaluate_null("10x10", seed).test("paired_t_test").pvalue < 0.05 for seed in range(n_datasets)]
    # A test of size 10% passes this bound once in a thousand runs, one of size 50% misses it five times in a million.
    assert sum(rejected) > stats.binom.isf(1e-3, n_datasets, 0.10)


@pytest.mark.sampled("simulations")
def test_the_size_simulation_runs():
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "benchmarks.one_test_set", "size", "--n-datasets", "1"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.count("\n| blocks") == 2 * done.stdout.count("\n| noise") == 2 * 11
    assert done.stdout.count("\n| weak blocks") == 11


def published_rows():
    """The table of docs/benchmarks.md: (procedure, design) to metric to sizes over the nulls."""
    lines = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8").splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("| null | design |"))
    header = [cell.strip() for cell in lines[start].strip("|").split("|")]
    found = {}
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        cells = dict(zip(header, (cell.strip() for cell in line.strip("|").split("|")), strict=True))
        for metric in header[3:]:
            if cells[metric]:
                row = found.setdefault((cells["procedure"], cells["design"]), {})
                row.setdefault(metric, []).append(float(cells[metric]))
    return found


def test_the_sizes_of_tests_over_data_sets_are_those_published():
    page = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    page = page.split("## How often tests over data sets reject a true null")[1].split("\n## ")[0]
    for procedure, sizes in STUDY_SIZES.items():
        (line,) = re.findall(rf"^\| {procedure}(?:, any \w+)? \|(.*)\|$", page, re.M)
        assert [float(cell) for cell in line.split("|")] == list(sizes.values())


def test_the_sizes_on_predictions_that_are_quoted_are_those_published():
    published = published_rows()
    quoted = {procedure for procedure, _ in published}
    assert quoted == {row.name for row in PROCEDURES if row.name in MEASURED_SIZES and row.takes.kind == "predictions"}
    for procedure in quoted:
        for design, sizes in MEASURED_SIZES[procedure].items():
            rows = published[procedure, design]
            assert sizes == {metric: (min(values), max(values)) for metric, values in rows.items()}
