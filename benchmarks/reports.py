"""What reports cost, on many models too, and what other packages print of the same scores.

Run from a checkout: ``python -m benchmarks.reports PART``, where the part is ``written``, ``many_models``,
``side_by_side``; without one it is ``written``.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import replace
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import (
    load_breast_cancer,
    load_digits,
    load_iris,
    load_wine,
    make_circles,
    make_classification,
    make_gaussian_quantiles,
    make_moons,
)
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine, run_part
from skcompare import EvaluationResult, PairedEvaluator, from_frame

# ---- written ----------------------------------------------------------------------------------------------------


METRICS = [
    *("accuracy", "balanced_accuracy", "precision", "recall", "f1"),
    *("roc_auc", "precision_macro", "recall_macro", "f1_macro", "f1_weighted"),
]
ROUNDS = 5
# The first call of a fresh process, with all that it has to import; loading the saved result is not part of it.
CALL = """
import sys
from time import perf_counter
import skcompare
result = skcompare.load(sys.argv[1])
start = perf_counter()
{call}
print(perf_counter() - start)
"""
CALLS = {
    "summary()": "result.summary()",
    "to_html(path)": "result.to_html(sys.argv[1] + '.html')",
    "to_latex()": "result.to_latex()",
    "to_markdown()": "result.to_markdown()",
    "to_json()": "result.to_json()",
    "methods_text()": "result.methods_text()",
    "_repr_html_()": "result._repr_html_()",
    "the five texts together": "result.summary(), result.to_latex(), result.to_markdown(), result.to_json(), "
    "result.methods_text()",
}
MANY = 120
PAIR_TESTS = {
    "mcnemar_test": "accuracy",
    "delong_test": "roc_auc",
    "paired_metric_test": "accuracy",
    "paired_bootstrap": "accuracy",
    "permutation_test": "accuracy",
}
# From setting a control to the frame in which the page shows it.
CONTROL = """
const done = arguments[arguments.length - 1];
const control = document.getElementById(arguments[0]);
const start = performance.now();
control.value = arguments[1];
control.dispatchEvent(new Event("input", {bubbles: true}));
document.body.getBoundingClientRect();
done(performance.now() - start);
"""


def save_result(path: Path) -> None:
    X, y = make_classification(300, random_state=0)
    models = {f"tree{depth}": DecisionTreeClassifier(max_depth=depth) for depth in range(1, 10)}
    evaluator = PairedEvaluator(cv="10x10", scoring=METRICS, random_state=0)
    evaluator.evaluate({**models, "nb": GaussianNB()}, X, y).save(path)


def save_many(path: Path) -> None:
    """Scores of 120 models on one metric and 10x10 folds: 7,140 comparisons."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0.8, 0.02, (MANY, 1)) + rng.normal(0, 0.02, (MANY, 100))
    columns = {"model": np.repeat([f"m{i}" for i in range(MANY)], 100), "fold": np.tile(np.arange(100) % 10, MANY)}
    columns["repeat"] = np.tile(np.arange(100) // 10, MANY)
    from_frame({**columns, "score": scores.ravel()}).save(path)


def print_pair_tests() -> None:
    """Processor time of all pairs of 50 models on 1,000 samples, the first call of each test."""
    X, y = make_classification(1000, n_informative=6, flip_y=0.1, random_state=0)
    models = {
        f"m{i}": DecisionTreeClassifier(max_depth=2 + i % 9, max_features=3 + i // 9, random_state=i) for i in range(50)
    }
    results = {}
    for cv in ("10", "10x10"):
        evaluator = PairedEvaluator(cv="1x10" if cv == "10" else cv, scoring=["accuracy", "roc_auc"], random_state=0)
        results[cv] = evaluator.evaluate(models, X, y)
    print(f"\n| all pairs of 50 models, s of processor time | {' | '.join(results)} |\n| --- | ---: | ---: |")
    for test, metric in PAIR_TESTS.items():
        cells = []
        for result in results.values():
            start = process_time()
            result.compare(test, metrics=metric)
            cells.append(f"{process_time() - start:.2f}")
        print(f"| {test} | {' | '.join(cells)} |", flush=True)


def first_call(call: str, path: Path) -> float:
    """Median seconds of the first call in fresh processes."""
    run = [sys.executable, "-c", CALL.format(call=call), str(path)]
    return median(float(subprocess.run(run, check=True, capture_output=True, text=True).stdout) for _ in range(ROUNDS))


def page_times(page: Path) -> dict[str, float]:
    """Milliseconds until the page is there, and until it has followed each control."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1200,900"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        opened = []
        for _ in range(ROUNDS):
            driver.get(page.as_uri())
            sleep(0.3)
            opened.append(
                driver.execute_script("return performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd")
            )
        times = {"opened and interactive": median(opened)}
        values = {"metric": ("1", ""), "pair": ("3", ""), "rope": ("0.01", "0"), "alpha": ("0.01", "0.05")}
        for control, (value, back) in values.items():
            samples = []
            for _ in range(ROUNDS):
                samples += [driver.execute_async_script(CONTROL, control, new) for new in (value, back)]
            times[f"control: {control}"] = median(samples)
        return times
    finally:
        driver.quit()


def main_of_written() -> None:
    """What reports of a large result cost: 10 models on 10 metrics, 10x10 folds; and a summary of 120 models.

    Run from a checkout: ``python -m benchmarks.reports``. Every figure of writing comes from a process of its own,
    imports included; the page is opened in headless Chromium, where chromium and chromedriver are installed.
    """
    print(f"{machine()}\n")
    with TemporaryDirectory() as folder:
        path = Path(folder, "result.skc")
        save_result(path)
        print("| what | seconds, first call |\n| --- | ---: |")
        for name, call in CALLS.items():
            print(f"| {name} | {first_call(call, path):.3f} |")
        save_many(Path(folder, "many.skc"))
        print(f"| summary() of {MANY} models | {first_call(CALLS['summary()'], Path(folder, 'many.skc')):.3f} |")
        print_pair_tests()
        page = Path(f"{path}.html")
        print(f"\npage: {page.stat().st_size / 1e6:.2f} MB")
        if shutil.which("chromium") and shutil.which("chromedriver"):
            start = perf_counter()
            print("\n| in the browser | ms |\n| --- | ---: |")
            for name, milliseconds in page_times(page).items():
                print(f"| {name} | {milliseconds:.0f} |")
            print(f"\n({perf_counter() - start:.0f} s)")


# ---- many models ------------------------------------------------------------------------------------------------


METRICS_OF_MANY_MODELS = ("accuracy", "f1_macro", "balanced_accuracy", "roc_auc", "precision_macro")
ROUNDS_OF_MANY_MODELS = 3
PAGES: dict[str, Callable[[Any], Any]] = {
    "compare()": lambda result: result.compare(),
    "dominance_table()": lambda result: result.dominance_table(),
    "summary()": lambda result: result.summary(),
    "to_json()": lambda result: result.to_json(),
    "to_html()": lambda result: result.to_html(),
}


def scored(n_models: int, repeats: int, seed: int = 0) -> EvaluationResult:
    """Scores of models on five metrics and ten folds, once or several times."""
    rng = np.random.default_rng(seed)
    n, m = repeats * 10, len(METRICS_OF_MANY_MODELS)
    scores = rng.normal(0.8, 0.02, (1, n, m)) + rng.normal(0, 0.02, (n_models, 1, m))
    scores = np.clip(scores + rng.normal(0, 0.02, (n_models, n, m)), 0, 1)
    model, split, metric = (places.ravel() for places in np.indices(scores.shape))
    names = np.array([f"model {i}" for i in range(n_models)])
    columns = {"model": names[model], "repeat": split // 10, "fold": split % 10}
    return from_frame(
        {**columns, "metric": np.array(METRICS_OF_MANY_MODELS)[metric], "score": scores.ravel()}, n_samples=1000
    )


def evaluated(n_models: int) -> EvaluationResult:
    """Trees of many sizes on breast_cancer, ten folds, with their predictions."""
    models = {
        f"tree {i}": DecisionTreeClassifier(max_leaf_nodes=2 + i // 2, min_samples_leaf=1 + i % 2)
        for i in range(n_models)
    }
    evaluator = PairedEvaluator(cv=10, scoring=list(METRICS_OF_MANY_MODELS), random_state=0)
    return evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))


def cost(call: Callable[[Any], Any], result: EvaluationResult) -> float:
    """Seconds of processor time."""
    start = process_time()
    call(result)
    return process_time() - start


def main_of_many_models() -> None:
    """What comparisons and reports of many models cost: 50 models on five metrics, scores alone and an evaluation.

    Run from a checkout: ``python -m benchmarks.reports many_models``. Processor time of the first call on a new result,
    so that each has to compare anew; the medians of three. Before them the first page of the process, of two models,
    which imports what it draws with.
    """
    print(f"{date.today()}\n\nThe first page, of two models: {cost(PAGES['to_html()'], scored(2, 1)):.2f} s\n")
    trees = evaluated(50)
    cases: dict[str, Callable[[], EvaluationResult]] = {
        "50 models, 10x10 folds": lambda: scored(50, 10),
        "50 models, 10 folds": lambda: scored(50, 1),
        "50 trees, 10 folds, predictions kept": lambda: replace(trees),  # which has compared nothing yet
    }
    print(f"| seconds | {' | '.join(cases)} |\n| --- |{' ---: |' * len(cases)}")
    for what, call in PAGES.items():
        found = [median(cost(call, make()) for _ in range(ROUNDS_OF_MANY_MODELS)) for make in cases.values()]
        print(f"| `{what}` | {' | '.join(f'{seconds:.3f}' for seconds in found)} |", flush=True)
    print(f"\n200 models, 10x10 folds: summary() {cost(PAGES['summary()'], scored(200, 10)):.2f} s")


# ---- side by side -----------------------------------------------------------------------------------------------


mpl.use("Agg")


DATASETS = {
    "breast_cancer": load_breast_cancer(return_X_y=True),
    "digits": load_digits(return_X_y=True),
    "iris": load_iris(return_X_y=True),
    "wine": load_wine(return_X_y=True),
    "circles": make_circles(300, noise=0.2, factor=0.5, random_state=0),
    "linear": make_classification(300, random_state=0),
    "moons": make_moons(300, noise=0.3, random_state=0),
    "quantiles": make_gaussian_quantiles(n_samples=300, n_features=5, random_state=0),
}
MODELS = {
    "lr": make_pipeline(StandardScaler(), LogisticRegression()),
    "nb": GaussianNB(),
    "knn": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "tree": DecisionTreeClassifier(random_state=0),
}


def ours(folder: Path) -> None:
    from skcompare import PairedEvaluator

    study = PairedEvaluator(cv=10, scoring=["accuracy"], random_state=0).evaluate_datasets(MODELS, DATASETS)
    frame = study.to_frame().groupby(["dataset", "estimator"], sort=False)["score"].mean().unstack(sort=False)
    frame.to_csv(folder / "scores.csv")
    (folder / "skcompare.txt").write_text(f"{study}\n", encoding="utf-8")
    study.plot("critical_difference").figure_.savefig(folder / "skcompare.png", dpi=100)


def others(folder: Path) -> None:
    import pandas as pd
    import scikit_posthocs
    import skore
    from autorank import autorank, create_report, plot_stats

    table = pd.read_csv(folder / "scores.csv", index_col=0)
    with redirect_stdout(io.StringIO()) as printed:
        found = autorank(table)
        create_report(found)
    (folder / "autorank.txt").write_text(printed.getvalue(), encoding="utf-8")
    plot_stats(found, allow_insignificant=True)
    plt.gcf().savefig(folder / "autorank.png", dpi=100, bbox_inches="tight")
    plt.close("all")
    pvalues = scikit_posthocs.posthoc_nemenyi_friedman(table)
    (folder / "scikit_posthocs.txt").write_text(f"{pvalues.round(3)}\n", encoding="utf-8")
    scikit_posthocs.critical_difference_diagram(table.rank(axis=1, ascending=False).mean(), pvalues)
    plt.gcf().savefig(folder / "scikit_posthocs.png", dpi=100, bbox_inches="tight")
    X, y = DATASETS["breast_cancer"]
    reports = {name: skore.CrossValidationReport(model, X, y, splitter=10) for name, model in MODELS.items()}
    summary = skore.ComparisonReport(reports).metrics.summarize().frame()
    (folder / "skore.txt").write_text(f"{summary.round(3).to_string()}\n", encoding="utf-8")


def main_of_side_by_side() -> None:
    """What autorank, skore and scikit-posthocs print and draw of the same models on the same data sets, beside
    skcompare.

    ``python -m benchmarks.reports side_by_side scores FOLDER`` evaluates four models on eight data sets and writes
    ``scores.csv`` (a row per data set, a column per model), skcompare's text and its diagram. In an environment that
    has the other three, ``python reports_side_by_side.py others FOLDER`` writes theirs; skore evaluates the models
    itself, on the first data set, since it compares on one.
    """
    {"scores": ours, "others": others}[sys.argv[1]](Path(sys.argv[2]))


if __name__ == "__main__":
    run_part({"written": main_of_written, "many_models": main_of_many_models, "side_by_side": main_of_side_by_side})
