"""Time of an evaluation over the time of its fits, beside scikit-learn's `cross_validate`.

Run from a checkout: ``python -m benchmarks.engine``. All contenders run in one process, interleaved, on the
same splits; the figures are medians over the rounds. The floor is clone, fit, predict and predict_proba on
splits made beforehand, without any scoring. ``--metrics`` has many metrics and a made scorer instead of the usual
five, in processor time. With two jobs, "workers to start" ends joblib's worker processes before
every run; otherwise they are there.
"""

from __future__ import annotations

import argparse
import gc
import os
import platform
import statistics
import warnings
from collections.abc import Callable
from datetime import date
from time import perf_counter, process_time
from typing import Any

import sklearn
import sklearn.metrics as skm
from joblib.externals.loky import get_reusable_executor
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_breast_cancer, load_digits, load_wine, make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator

BINARY = ["accuracy", "precision", "recall", "f1", "roc_auc"]
MULTICLASS = ["accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"]
MODELS = {
    "GaussianNB": GaussianNB(),
    "GaussianNB, smoother": GaussianNB(var_smoothing=1e-3),
    "tree": DecisionTreeClassifier(random_state=0),
    "kNN": KNeighborsClassifier(),
    "LR": LogisticRegression(max_iter=100),
}
MADE = {
    "kappa": skm.make_scorer(skm.cohen_kappa_score),
    "f2": skm.make_scorer(skm.fbeta_score, beta=2),
    "specificity": skm.make_scorer(skm.recall_score, pos_label=0),
}
NAMES = [*BINARY, "balanced_accuracy", "matthews_corrcoef", "jaccard", "f1_micro", "f1_macro", "f1_weighted"]
NAMES += ["precision_micro", "recall_weighted", "jaccard_macro", "neg_log_loss", "neg_brier_score"]
NAMES += ["average_precision", "roc_auc_ovo_weighted", "d2_log_loss_score"]
Case = tuple[str, Any, Any, Any, str, tuple[str, ...], int]


def cases() -> list[Case]:
    """Name, X, y, metrics, cv, models, rounds."""
    cancer, wine, digits = (f(return_X_y=True) for f in (load_breast_cancer, load_wine, load_digits))
    thousand, ten_thousand, hundred_thousand = (
        make_classification(n_samples=n, n_features=20, random_state=0) for n in (1_000, 10_000, 100_000)
    )
    return [
        ("breast_cancer", *cancer, BINARY, "10x10", ("GaussianNB", "tree"), 7),
        ("breast_cancer", *cancer, BINARY, "10x10", ("kNN", "LR"), 5),
        ("wine", *wine, MULTICLASS, "10x10", ("GaussianNB", "tree"), 7),
        ("wine", *wine, MULTICLASS, "10x10", ("kNN", "LR"), 5),
        ("digits", *digits, MULTICLASS, "10x10", ("GaussianNB", "tree"), 3),
        ("digits", *digits, MULTICLASS, "3x10", ("kNN", "LR"), 3),
        ("n=1,000, p=20", *thousand, BINARY, "10x10", ("GaussianNB", "tree"), 5),
        ("n=1,000, p=20", *thousand, BINARY, "10x10", ("kNN", "LR"), 5),
        ("n=10,000, p=20", *ten_thousand, BINARY, "10x10", ("GaussianNB", "LR"), 3),
        ("n=10,000, p=20", *ten_thousand, BINARY, "1x10", ("tree", "kNN"), 3),
        ("n=100,000, p=20", *hundred_thousand, BINARY, "1x10", ("GaussianNB", "LR"), 5),
        ("n=100,000, p=20", *hundred_thousand, BINARY, "1x5", ("GaussianNB", "tree"), 2),
        ("n=100,000, p=20", *hundred_thousand, BINARY, "1x2", ("GaussianNB", "kNN"), 1),
    ]


def floor(estimators: dict[str, Any], X: Any, y: Any, splits: list[Any]) -> None:
    """Fits and predictions; of classifiers without probabilities their decision function."""
    rows = X.iloc if hasattr(X, "iloc") else X
    for train, test in splits:
        for estimator in estimators.values():
            fitted = clone(estimator).fit(rows[train], y[train])
            X_test = rows[test]
            fitted.predict(X_test)
            if is_classifier(fitted):
                getattr(fitted, "predict_proba" if hasattr(fitted, "predict_proba") else "decision_function")(X_test)


def many_metrics() -> list[Case]:
    """The same with 22 metrics, and with one that is made of a function."""
    cancer, names = load_breast_cancer(return_X_y=True), ("GaussianNB", "GaussianNB, smoother")
    many = {name: name for name in NAMES} | MADE
    made = {"f2": MADE["f2"]}
    return [
        (f"breast_cancer, {said}", *cancer, metrics, "3x10", names, 9)
        for said, metrics in ((f"{len(many)} metrics", many), ("fbeta_score(beta=2)", made))
    ]


def measure(
    contenders: dict[str, Callable[[], Any]], rounds: int, clock: Callable[[], float] = perf_counter
) -> dict[str, list[float]]:
    """Seconds of every contender in every round, after one unmeasured round; their order turns round."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for round_ in range(rounds + 1):
        for name in list(contenders)[:: 1 if round_ % 2 else -1]:
            if "to start" in name:
                get_reusable_executor().shutdown(wait=True, kill_workers=True)
            gc.collect()
            start = clock()
            contenders[name]()
            if round_:
                times[name].append(clock() - start)
    return times


def run_case(case: Case, n_jobs: int, clock: Callable[[], float]) -> dict[str, tuple[float, float]]:
    """What `medians` gives, by contender."""
    _, X, y, metrics, cv, names, rounds = case
    n_repeats, n_splits = (int(part) for part in cv.split("x"))
    splitter = RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=0)
    splits = list(splitter.split(X, y))
    chosen = {name: MODELS[name] for name in names}

    def ours(n_jobs: int) -> Any:
        return PairedEvaluator(cv=cv, scoring=metrics, random_state=0, n_jobs=n_jobs).evaluate(chosen, X, y)

    def theirs() -> None:
        for estimator in chosen.values():
            cross_validate(estimator, X, y, cv=splits, scoring=metrics, n_jobs=n_jobs)

    contenders: dict[str, Callable[[], Any]]
    if n_jobs == 1:
        contenders = {
            "floor": lambda: floor(chosen, X, y, splits),
            "skcompare": lambda: ours(1),
            "with tests and summary": lambda: ours(1).summary(),
            "cross_validate": theirs,
        }
    else:
        contenders = {
            "skcompare, 1 job": lambda: ours(1),
            f"{n_jobs} jobs": lambda: ours(n_jobs),
            f"cross_validate, {n_jobs} jobs": theirs,
        }
    found = medians(measure(contenders, rounds, clock))
    if n_jobs > 1:  # apart, since the others need the workers
        cold = {"skcompare, 1 job": lambda: ours(1), f"{n_jobs} jobs, workers to start": lambda: ours(n_jobs)}
        found |= dict(list(medians(measure(cold, max(1, rounds // 2))).items())[1:])
    return found


def medians(times: dict[str, list[float]]) -> dict[str, tuple[float, float]]:
    """Median of the seconds, and of the ratio to the first of the same round."""
    base = next(iter(times.values()))
    return {
        name: (
            statistics.median(values),
            statistics.median([value / b for value, b in zip(values, base, strict=True)]),
        )
        for name, values in times.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="only one case")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--metrics", action="store_true", help="many metrics, in processor time")
    parser.add_argument("--jobs", type=int, default=1, help="1, or the number of jobs to compare with 1")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}, ", end="")
    print(f"scikit-learn {sklearn.__version__}; n_jobs={options.jobs}; seconds, and ratios to the first (medians)\n")
    clock = process_time if options.metrics else perf_counter
    chosen = (many_metrics() if options.metrics else cases())[
        options.first : options.first + 1 if options.quick else None
    ]
    for number, case in enumerate(chosen):
        found = run_case(case, options.jobs, clock)
        if number == 0:
            print(f"| data | cv | models | {' | '.join(found)} |")
            print(f"| --- | --- | --- | {' | '.join('---:' for _ in found)} |")
        cells = " | ".join(f"{seconds:.2f} s, {ratio:.2f}" for seconds, ratio in found.values())
        print(f"| {case[0]} | {case[4]} | {' + '.join(case[5])} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
