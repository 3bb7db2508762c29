"""What is measured: a fixed, seeded set of evaluations, studies, searches and calibrations."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from skcompare import calibration

TABLES = Path(__file__).parents[2] / "docs" / "data"


class Faulty(GaussianNB):
    """Naive Bayes that cannot be fitted without the first sample."""

    def __init__(self, first: float = 0.0, var_smoothing: float = 1e-9) -> None:
        super().__init__(var_smoothing=var_smoothing)
        self.first = first

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Faulty:
        if not np.isclose(X, self.first).any():
            raise RuntimeError("the first sample is not there")
        return super().fit(X, y, sample_weight)


@cache
def cancer(n: int = 200) -> tuple[Any, Any]:
    X, y = load_breast_cancer(return_X_y=True)
    return X[:n, :6], y[:n]


def two() -> dict[str, Any]:
    return {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}


def four() -> dict[str, Any]:
    return {**two(), "stump": DecisionTreeClassifier(max_depth=1), "dummy": DummyClassifier()}


def regressors() -> dict[str, Any]:
    return {"ridge": Ridge(), "tree": DecisionTreeRegressor(max_depth=3), "mean": DummyRegressor()}


def evaluated(models: Any, cv: Any, scoring: Any = None, data: Any = None, **options: Any) -> Any:
    evaluator = skc.PairedEvaluator(cv=cv, scoring=scoring, random_state=0, **options)
    return evaluator.evaluate(models, *(data or cancer()))


def table(n_models: int, n_repeats: int, n_folds: int, *, gaps: bool = False, n_datasets: int = 0) -> dict[str, Any]:
    """Scores that another tool might have made: two metrics, one of which is better when less."""
    rng = np.random.default_rng(7)
    rows = []
    for d in range(max(1, n_datasets)):
        level = rng.normal(0.8, 0.05 if n_datasets else 0)
        for metric, sign in (("accuracy", 1), ("log_loss", -1)):
            for r, f in np.ndindex(n_repeats, n_folds):
                hard = rng.normal(0, 0.02)
                for m in range(n_models):
                    score = level + sign * 0.015 * m + hard + rng.normal(0, 0.015)
                    if not (gaps and m == 1 and f == 2 and r == 0):
                        rows.append((f"data {d}", f"model {m}", metric, r, f, score))
    names = ("dataset", "model", "metric", "repeat", "fold", "score")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    return columns if n_datasets else {name: values for name, values in columns.items() if name != "dataset"}


def results() -> Iterator[tuple[str, Any]]:
    """Evaluations: every kind of design and of task, costs, failures, gaps."""
    costs = ["accuracy", "roc_auc", "f1", "model_size"]
    direction = {"accuracy": True, "log_loss": False}
    yield "10x10 two", evaluated(two(), "10x10")
    yield "10-fold four costs", evaluated(four(), 10, costs)
    yield "5x2 two", evaluated(two(), "5x2", ["accuracy", "recall"])
    yield "5-fold multiclass", evaluated({**two(), "dummy": DummyClassifier()}, 5, data=load_wine(return_X_y=True))
    splits = StratifiedShuffleSplit(15, test_size=0.2, random_state=1)
    yield "random splits four", evaluated(four(), splits, ["accuracy", "precision", "model_size"])
    one_split = StratifiedShuffleSplit(1, test_size=0.5, random_state=1)
    yield "one split four", evaluated(four(), one_split, ["accuracy", "roc_auc", "precision"])
    blocked = skc.BlockedMByTwo(5, random_state=0)
    yield "blocked two", evaluated(two(), blocked, ["accuracy", "roc_auc"])
    X, y = load_diabetes(return_X_y=True)
    yield "10x5 regression", evaluated(regressors(), "10x5", data=(X[:150], y[:150]))
    X, y = cancer()
    faulty = {"nb": GaussianNB(), "faulty": Faulty(first=X[0, 0]), "tree": DecisionTreeClassifier(max_depth=3)}
    metrics = ["accuracy", "precision"]
    yield "3x5 failures", evaluated(faulty, "3x5", metrics, error_score=np.nan)
    yield "10-fold error score", evaluated(faulty, 10, metrics, error_score=0.0, keep_predictions=False)
    yield "table", skc.from_frame(table(4, 5, 5), greater_is_better=direction, n_samples=300)
    both = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)  # nothing else seeds them here
    yield "cross_val_compare", skc.cross_val_compare(*both, X, y)
    yield "cross_val_compare 10", skc.cross_val_compare(*both, X, y, cv=10, scoring=["accuracy", "f1"])


def stopped() -> Iterator[tuple[str, Any]]:
    """Evaluations that ended early, one with models dropped on the way."""
    metrics = ["roc_auc", "accuracy"]
    yield "dropped", evaluated(four(), "6x10", metrics, stop=skc.StopRule())
    yield (
        "kept",
        evaluated(four(), "4x10", metrics, stop=skc.StopRule(metric="accuracy", drop=False, spending="pocock")),
    )
    yield "rope", evaluated({"nb": GaussianNB(), "nb2": GaussianNB(var_smoothing=1e-8)}, "5x5", "accuracy",
                            stop=skc.StopRule(rope=0.05, min_repeats=2))  # fmt: skip
    yield "undecided", evaluated(two(), "3x10", "accuracy", stop=skc.StopRule())


def studies() -> Iterator[tuple[str, Any]]:
    """Studies that were evaluated, and of tables: with folds, without, with gaps."""
    X, y = load_breast_cancer(return_X_y=True)
    datasets = {
        "cancer": cancer(),
        "rest": (X[200:320, 6:12], y[200:320]),
        "more": (X[320:440, 12:20], y[320:440]),
        "late": lambda: (X[440:, 20:], y[440:]),
        "iris": tuple(array[50:] for array in load_iris(return_X_y=True)),
        "broken": (X[:20], y[:10]),
    }
    for name, models, cv in (("evaluated two", two(), "2x5"), ("evaluated four", four(), 5)):
        evaluator = skc.PairedEvaluator(cv, ["accuracy", "balanced_accuracy"], random_state=0, error_score=np.nan)
        yield name, evaluator.evaluate_datasets(models, datasets)
    for name in ("demsar_2006_auc", "garcia_herrera_2008"):
        yield name, skc.StudyResult.from_frame(_read(TABLES / f"{name}.csv"))
    direction = {"accuracy": True, "log_loss": False}
    yield "table", skc.StudyResult.from_frame(table(3, 1, 5, n_datasets=8), greater_is_better=direction)
    wide = _read(TABLES / "demsar_2006_auc.csv")
    wide = {name: [None if (i, j) in ((1, 2), (4, 3)) else v for i, v in enumerate(column)]
            for j, (name, column) in enumerate(wide.items())}  # fmt: skip
    for missing in ("keep", "drop"):
        yield f"gaps {missing}", skc.StudyResult.from_frame(_with_nan(wide), missing=missing)


def _read(file: Path) -> dict[str, list[Any]]:
    with file.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    return {name: values if name == "dataset" else list(map(float, values)) for name, values in columns.items()}


def _with_nan(columns: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: [np.nan if value is None else value for value in values] for name, values in columns.items()}


def searches() -> Iterator[tuple[str, Any]]:
    """Fitted searches; the times in them are set to fixed ones, since reports show them."""
    tree, grid = DecisionTreeClassifier(random_state=0), {"max_depth": [1, 2, 4], "min_samples_leaf": [1, 5, 20]}
    ten = StratifiedKFold(10, shuffle=True, random_state=0)
    metrics = ["roc_auc", "accuracy"]
    yield "grid", GridSearchCV(tree, grid, scoring=metrics, refit="roc_auc", cv=ten)
    rule = skc.simplest_within("accuracy", complexity="max_depth")
    yield "grid by rule", GridSearchCV(tree, grid, scoring=metrics, refit=rule, cv=ten)
    drawn = {"max_depth": [1, 2, 3, 4, 5], "splitter": ["best", "random"], "criterion": ["gini", "entropy"]}
    joint = skc.best_by_dominance(metrics)
    yield (
        "random by dominance",
        RandomizedSearchCV(tree, drawn, n_iter=6, scoring=metrics, refit=joint, cv=5, random_state=0),
    )


def calibrations() -> Iterator[tuple[str, Any, Any]]:
    """Calibrations with the evaluations that use them."""
    models = {"gauss": GaussianNB(), "coins": BernoulliNB(binarize=15.0)}
    evaluator = skc.PairedEvaluator(5, ["roc_auc", "accuracy", "recall"], random_state=0)
    made = calibration.calibrate(evaluator, models, *cancer(), n_datasets=20)
    yield "labels", made, evaluator.evaluate({**models, **two()}, *cancer(), calibration=made)
    evaluator = skc.PairedEvaluator("2x5", ["accuracy", "roc_auc"], random_state=0)
    blocks = calibration.ExchangeableBlocks(n_samples=120)
    made = calibration.calibrate(
        evaluator, {"one": GaussianNB()}, generator=blocks, n_datasets=12, scheme="runs", alpha=0.1
    )
    yield "blocks", made, None
