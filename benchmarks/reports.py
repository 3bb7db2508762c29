"""What reports of a large result cost: 10 models on 10 metrics, 10x10 folds; and a summary of 120 models.

Run from a checkout: ``python -m benchmarks.reports``. Every figure of writing comes from a process of its own, imports
included; the page is opened in headless Chromium, where chromium and chromedriver are installed.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep

import numpy as np
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skcompare import PairedEvaluator, from_frame

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


def main() -> None:
    print(f"{date.today()}, {os.cpu_count()} cores, Python {platform.python_version()}\n")
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


if __name__ == "__main__":
    main()
