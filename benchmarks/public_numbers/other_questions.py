"""What is asked once: searches, selectors, calibrations, plans, functions on arrays."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import pyplot
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks.public_numbers.cases import calibrations, cancer, four, searches
from benchmarks.public_numbers.numbers import Numbers
from benchmarks.public_numbers.questions import CORRECTIONS, ask_result, ask_search
from skcompare import calibration, inference, planning


def ask_searches(numbers: Numbers) -> None:
    for name, search in searches():
        search.fit(*cancer())
        for column in search.cv_results_:
            if column.endswith("_time"):
                search.cv_results_[column] = np.full(len(search.cv_results_[column]), 0.01)
        ask_search(numbers, f"search/{name}", search)


def ask_selectors(numbers: Numbers) -> None:
    """What an estimator chose that compares, by every rule, and scikit-learn's scores."""
    X, y = cancer(120)
    simple = skc.simplest_within("accuracy", complexity="model_size", rule="rope", rope=0.03)
    joint = skc.best_by_dominance(["accuracy", "roc_auc"])
    evaluator = skc.PairedEvaluator(5, ["accuracy", "roc_auc", "model_size"], random_state=0)
    racing = skc.PairedEvaluator("3x10", ["accuracy", "roc_auc"], random_state=0, stop=skc.StopRule())
    rules = ("corrected_t", "one_se", "rope", "signed_rank", simple, joint)
    asked = [(str(rule) if isinstance(rule, str) else f"rule {i}", evaluator, rule) for i, rule in enumerate(rules)]
    for name, by, rule in (*asked, ("racing", racing, "corrected_t")):
        selector = skc.ComparisonSelector(four(), by, rule).fit(X, y)
        numbers.add(f"selector/{name}", selector.choice_)
        numbers.add(f"selector/{name}/summary", selector.result_.summary())
        numbers.add(f"selector/{name}/predict", selector.predict(X))
    numbers.add("cross_val_score", skc.cross_val_score(GaussianNB(), X, y, cv=5, scoring="roc_auc"))


def ask_calibrations(numbers: Numbers) -> None:
    for name, made, result in calibrations():
        path = f"calibration/{name}"
        numbers.add(path, made)
        with tempfile.TemporaryDirectory() as folder:
            made.save(Path(folder) / "saved")
            numbers.add(f"{path}/loaded", skc.load(Path(folder) / "saved"))
        if result is not None:
            ask_result(numbers, f"{path}/result", result)
    models, blocks = {"one": GaussianNB()}, calibration.ExchangeableBlocks(n_samples=80)
    procedures = ["auto", "paired_t_test", "dominance_test"]
    options: dict[str, Any] = {"estimators": models, "n_datasets": 12}
    sized = numbers.ask("size", calibration.size, procedures, 5, blocks, ["accuracy", "recall"], **options)
    numbers.ask("size/at", sized.at, 0.1)
    numbers.ask("size/plot", lambda: sized.plot().frame())
    pyplot.close("all")
    better = calibration.ExchangeableBlocks(n_samples=80, signal=0.2, signal_b=0.8)
    powered = numbers.ask("power", calibration.power, procedures[:2], "2x5", better, ["accuracy"], **options)
    numbers.ask("power/at", powered.at, 0.1)
    data = calibration.RandomData(n_samples=60)
    options = {"estimators": {"nb": GaussianNB(), "knn": KNeighborsClassifier()}, "n_datasets": 6, "n_repeats": 4}
    again = numbers.ask("replicability", calibration.replicability, procedures[:2], 5, data, ["accuracy"], **options)
    numbers.ask("replicability/at", again.at, 0.1)


def ask_planning(numbers: Numbers, result: Any, study: Any) -> None:
    """What a difference needs."""
    assumed: dict[str, Any] = {"std": 0.03, "n_train": 180, "n_test": 20}
    for folds in (None, 10):
        for repeats in (1, 10):
            place = f"planning/evaluation/{repeats}x{folds}"
            numbers.ask(place, planning.plan_evaluation, 0.02, n_repeats=repeats, n_folds=folds, **assumed)
    others = {"correlation": 0.2, "power": 0.9, "alpha": 0.01, "alternative": "greater"}
    numbers.ask("planning/evaluation/others", planning.plan_evaluation, 0.05, **assumed, **others)
    for procedure in ("signed_rank_test", "sign_test", "dataset_t_test"):
        planned = {"std": 0.05, "within_error": 0.01, "n_datasets": 12, "procedure": procedure}
        numbers.ask(f"planning/study/{procedure}", planning.plan_study, 0.03, **planned)
    numbers.ask("planning/pilot/result", planning.plan, result, 0.02)
    numbers.ask(
        "planning/pilot/last", planning.plan, result, 0.02, metric=result.metrics[-1], procedure="paired_t_test"
    )
    numbers.ask("planning/pilot/study", planning.plan, study, 0.02)
    learners = {"random": DecisionTreeClassifier(splitter="random", max_depth=2), "nb": GaussianNB()}
    evaluator = skc.PairedEvaluator(5, ["accuracy", "roc_auc"], random_state=0)
    numbers.ask("planning/seeds", planning.seed_variance, evaluator, learners, *cancer(120), n_seeds=3)


def ask_tracking(numbers: Numbers, result: Any, study: Any) -> None:
    """What a run of MLflow gets, where it is installed."""
    os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
    try:
        import mlflow
    except ImportError:
        return
    with tempfile.TemporaryDirectory() as folder:
        mlflow.set_tracking_uri((Path(folder) / "store").as_uri())
        for name, tracked in (("result", result), ("study", study)):
            data = mlflow.get_run(tracked.log_to_mlflow()).data
            numbers.add(f"mlflow/{name}", dict(sorted(data.metrics.items())))
            mlflow.end_run()


def ask_command(numbers: Numbers, result: Any) -> None:
    """What the command prints of a table, and of two models."""
    model = "sklearn.tree:DecisionTreeClassifier(max_depth={},random_state=0)"
    models = [part for depth in (1, 4) for part in ("--model", f"m{depth}={model.format(depth)}")]
    with tempfile.TemporaryDirectory() as folder:
        result.to_frame().to_csv(Path(folder) / "scores.csv", index=False)
        for name, arguments in (
            ("analyze", [str(Path(folder) / "scores.csv")]),
            ("compare", ["--dataset", "iris", *models, "--cv", "5", "--seed", "0"]),
        ):
            command = [sys.executable, "-m", "skcompare", name, *arguments]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            numbers.add(f"command/{name}", done.stdout)


def ask_inference(numbers: Numbers) -> None:
    """Functions on arrays that no result asks."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 80)
    score = y + rng.normal(0, 1, 80)
    a, b, runs = rng.normal(0.8, 0.02, (12, 2)), rng.normal(0.79, 0.02, (12, 2)), rng.normal(0.8, 0.1, (6, 3, 5))
    pvalues = [0.001, 0.01, 0.03, 0.04, 0.2]
    for method in CORRECTIONS:
        numbers.ask(f"inference/adjust_pvalues/{method}", inference.adjust_pvalues, pvalues, method)
    for name, question, args, options in (
        ("alpha_spending", inference.alpha_spending, (10, 10), {"n_comparisons": 3}),
        ("nested_cv_interval", inference.nested_cv_interval, (rng.random((4, 3, 5)), rng.random((4, 3, 2, 5))), {}),
        ("proportion_interval", inference.proportion_interval, (17, 40), {}),
        ("roc_points", inference.roc_points, (y, score), {}),
        ("precision_recall_points", inference.precision_recall_points, (y, score), {}),
        ("break_even_point", inference.break_even_point, (y, score), {}),
        ("expected_cost", inference.expected_cost, (y, score), {"cost_false_positive": 3.0}),
        ("dominance_counts", inference.dominance_counts, (a, b), {}),
        ("cochran_q_test", inference.cochran_q_test, (a[:, :1] * rng.normal(1, 0.02, 4) > 0.8,), {"method": "exact"}),
        ("effective_cases", inference.effective_cases, (100, 0.1), {}),
        ("stochastic_dominance_test", inference.stochastic_dominance_test, (a, b), {"n_resamples": 200, "rng": 0}),
        ("critical_difference", inference.critical_difference, (5, 20), {}),
        ("interquartile_mean", inference.interquartile_mean, (runs,), {"n_resamples": 200, "rng": 0}),
        ("performance_profile", inference.performance_profile, (runs,), {"n_resamples": 200, "rng": 0}),
        ("probability_of_improvement", inference.probability_of_improvement, (a, b), {"n_resamples": 200, "rng": 0}),
        ("study_power", inference.study_power, (0.02,), {"std": 0.05, "n_datasets": 20}),
        ("calibrate", inference.calibrate, (rng.normal(0, 1, (60, 2, 5)),), {}),
    ):
        numbers.ask(f"inference/{name}", question, *args, **options)
