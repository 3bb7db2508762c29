"""How far evaluations, studies and searches reach: time and memory at their largest.

Run from a checkout: ``python -m benchmarks.limits PART``, where the part is ``limits``, ``search_reports``; without one
it is ``limits``.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import Any

import joblib
import numpy as np
import pandas as pd
from joblib.externals.loky import get_reusable_executor
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_classification
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import fbeta_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    RandomizedSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks import machine, run_part
from benchmarks.engine import BINARY as FIVE
from benchmarks.engine import MULTICLASS as FIVE_MACRO
from benchmarks.engine import floor
from skcompare import PairedEvaluator, SearchReport, StudyResult, from_frame, load

# ---- limits -----------------------------------------------------------------------------------------------------


TWENTY_TWO = [
    *FIVE,
    *("balanced_accuracy", "matthews_corrcoef", "jaccard", "neg_log_loss", "neg_brier_score", "average_precision"),
    *("precision_macro", "recall_macro", "f1_macro", "precision_micro", "recall_micro", "f1_micro"),
    *("precision_weighted", "recall_weighted", "f1_weighted", "jaccard_weighted", "jaccard_macro"),
]
PROCEDURES = ("mcnemar_test", "delong_test", "paired_metric_test", "paired_bootstrap", "permutation_test")
Row = tuple[str, dict[str, Callable[[], Any]], int, str]  # what, contenders, rounds, what is aimed at


def measured(contenders: dict[str, Callable[[], Any]], rounds: int) -> dict[str, tuple[float, float]]:
    """Medians of wall and processor time, after one unmeasured round; the order turns round."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for round_ in range(rounds + 1):
        for name in list(contenders)[:: 1 if round_ % 2 else -1]:
            wall, cpu = perf_counter(), process_time()
            contenders[name]()
            if round_:
                times[name].append((perf_counter() - wall, process_time() - cpu))
    return {name: tuple(map(median, zip(*found, strict=True))) for name, found in times.items()}


def evaluation(
    what: str, models: dict[str, Any], X: Any, y: Any, cv: str, scoring: Any, rounds: int, target: str, **options: Any
) -> Row:
    """A row of an evaluation; `cv` is ``"RxK"``."""
    repeats, folds = map(int, cv.split("x"))
    kind = RepeatedStratifiedKFold if all(map(is_classifier, models.values())) else RepeatedKFold
    splits = list(kind(n_splits=folds, n_repeats=repeats, random_state=0).split(X, y))

    def theirs() -> None:
        for model in models.values():
            cross_validate(model, X, y, cv=splits, scoring=scoring)

    def ours() -> None:
        given = splits if options.get("as_list") else cv
        PairedEvaluator(cv=given, scoring=scoring, random_state=0).evaluate(models, X, y)

    return (
        what,
        {"floor": lambda: floor(models, X, y, splits), "skcompare": ours, "cross_validate": theirs},
        rounds,
        target,
    )


def twice(model: Any) -> dict[str, Any]:
    return {"first": model, "second": clone(model)}


def frame_of_texts(n: int) -> tuple[pd.DataFrame, Any]:
    """Ten columns of numbers and six of texts, and labels."""
    X, y = make_classification(n, 16, n_informative=8, random_state=0)
    frame = pd.DataFrame({f"x{i}": X[:, i] for i in range(10)})
    for i in range(10, 16):
        frame[f"c{i}"] = pd.cut(X[:, i], 12).astype(str).astype(object)
    return frame, y


def evaluations() -> Iterator[Row]:
    cancer, wine, digits = (f(return_X_y=True) for f in (load_breast_cancer, load_wine, load_digits))
    nb = twice(GaussianNB())
    pair = {"nb": GaussianNB(), "smoothed": GaussianNB(var_smoothing=1e-3)}
    yield evaluation("breast_cancer, GaussianNB, 22 metrics", nb, *cancer, "3x10", TWENTY_TWO, 5, "1.6")
    beta = {"f2": make_scorer(fbeta_score, beta=2)}
    yield evaluation("the same, make_scorer(fbeta_score, beta=2)", nb, *cancer, "3x10", beta, 7, "1.15")
    frame, labels = frame_of_texts(2_000)
    numbers, texts = [c for c in frame if c[0] == "x"], [c for c in frame if c[0] == "c"]
    columns = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), texts))
    yield evaluation(
        "ColumnTransformer + 4 models, frame of 2,000",
        {f"C={c}": make_pipeline(columns, LogisticRegression(C=c, max_iter=20)) for c in (0.01, 0.1, 1.0, 10.0)},
        *(frame, labels, "1x10", FIVE, 3, "0.45"),
    )
    steps = (StandardScaler(), PCA(10, random_state=0))
    four = [
        GaussianNB(),
        LogisticRegression(),
        DecisionTreeClassifier(max_depth=3, random_state=0),
        KNeighborsClassifier(),
    ]
    yield evaluation(
        "StandardScaler + PCA + 4 models, breast_cancer",
        {type(model).__name__: make_pipeline(*steps, model) for model in four},
        *(*cancer, "3x10", FIVE, 5, "0.70"),
    )
    twenty = make_classification(20_000, 20, random_state=0)
    knn = twice(KNeighborsClassifier())
    yield evaluation("kNN, n=20,000", knn, *twenty, "1x5", FIVE, 3, "0.50")
    yield evaluation("kNN, digits", knn, *digits, "3x10", FIVE_MACRO, 5, "0.65")
    yield evaluation("kNN, breast_cancer", knn, *cancer, "3x10", FIVE, 7, "0.80")
    scaled = {str(mean): make_pipeline(StandardScaler(with_mean=mean), LogisticRegression()) for mean in (True, False)}
    yield evaluation("scaler + LR, wine", scaled, *wine, "10x10", FIVE_MACRO, 5, "1.06")
    yield evaluation("SVC, wine", twice(SVC()), *wine, "10x10", FIVE_MACRO[:-1], 5, "1.06")
    yield evaluation("GaussianNB, digits", nb, *digits, "3x10", FIVE_MACRO, 5, "1.06")
    diabetes = load_diabetes(return_X_y=True)
    yield evaluation("Ridge, diabetes", twice(Ridge()), *diabetes, "10x10", ["r2", "neg_mean_squared_error"], 5, "1.06")
    yield evaluation('GaussianNB pair, breast_cancer, cv="10x10"', pair, *cancer, "10x10", FIVE, 5, "1.06")
    yield evaluation("the same splits as a list", pair, *cancer, "10x10", FIVE, 5, "1.06", as_list=True)


class Slow(ClassifierMixin, BaseEstimator):
    """Takes some seconds to fit, and always gives the first class."""

    def __init__(self, seconds: float = 0.001) -> None:
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> Slow:  # noqa: ARG002
        sleep(self.seconds)
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])


def parallel() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    slow = {f"slow{i}": Slow() for i in range(10)}
    n_fits = 10 * 100

    def parent(backend: str) -> float:
        """Processor time of the calling process per fit, in ms, less that of splitting and the like."""
        times = []
        for _ in range(4):
            cpu = process_time()
            with joblib.parallel_config(backend=backend):
                PairedEvaluator(cv="10x10", scoring="accuracy", random_state=0, n_jobs=2).evaluate(slow, X, y)
            times.append(1000 * (process_time() - cpu) / n_fits)
        return median(times[1:])

    print(f"| parent's ms per fit of 1 ms, loky | {parent('loky'):.2f} | 0.10 |")
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        print(f"| parent's ms per fit of 1 ms, Dask | {parent('dask'):.2f} | 0.20 |")
    X, y = make_classification(2_000, 20, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}

    def run(n_jobs: int) -> float:
        get_reusable_executor().shutdown(wait=True, kill_workers=True)
        start = perf_counter()
        PairedEvaluator(cv="10x10", scoring=FIVE, random_state=0, n_jobs=n_jobs).evaluate(models, X, y)
        return perf_counter() - start

    def theirs(n_jobs: int) -> float:
        get_reusable_executor().shutdown(wait=True, kill_workers=True)
        splits = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
        start = perf_counter()
        for model in models.values():
            cross_validate(model, X, y, cv=splits, scoring=FIVE, n_jobs=n_jobs)
        return perf_counter() - start

    found = [(run(1), run(2), theirs(1), theirs(2)) for _ in range(5)]
    one, two, *peer = map(median, zip(*found, strict=True))
    print(f"| {one:.1f} s with one job: two jobs, workers to start, over one | {two / one:.2f} | 0.85 |")
    print(f"| cross_validate: the same | {peer[1] / peer[0]:.2f} | |")


def scaling() -> None:
    """The constants of docs/scaling.md."""
    X, y = make_classification(1_000, 20, random_state=0)
    models = {f"slow{i}": Slow(0.01) for i in range(20)}
    for n_jobs in (10, 30, 100):
        cpu, wall = process_time(), perf_counter()
        with joblib.parallel_config(backend="threading"):
            PairedEvaluator(cv="10x10", scoring="accuracy", random_state=0, n_jobs=n_jobs).evaluate(models, X, y)
        cpu, wall = process_time() - cpu, perf_counter() - wall
        print(f"| {n_jobs} threads, 2,000 fits of 10 ms: fits per second; ms of processor time per fit |", end="")
        print(f" {2_000 / wall:.0f}; {1000 * cpu / 2_000:.2f} | {100 * n_jobs} |", flush=True)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_500_000, 50))  # a GB
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
    for check_data in (False, True):
        before = peak_rss()
        evaluator = PairedEvaluator(cv=5, scoring="accuracy", random_state=0, check_data=check_data)
        once(
            f"two GaussianNB, 5 folds of X of 1 GB, check_data={check_data}",
            lambda e=evaluator: e.evaluate(twice(GaussianNB()), X, y),
            "",
        )
        print(f"| its memory beyond X, MB | {peak_rss() - before:.0f} | |", flush=True)


def once(what: str, run: Callable[[], Any], target: str) -> Any:
    """A row of one call; what it returned."""
    wall, cpu = perf_counter(), process_time()
    made = run()
    print(f"| {what} | {perf_counter() - wall:.2f} ({process_time() - cpu:.2f}) | {target} |", flush=True)
    return made


def many_models(n_models: int, n_metrics: int) -> dict[str, Any]:
    """Scores of our making on 10x10 folds, as a frame for `from_frame`."""
    rng = np.random.default_rng(0)
    n = 100
    level = rng.normal(0.8, 0.02, (n_metrics, n_models, 1)) + rng.normal(0, 0.02, (n_metrics, 1, n))
    scores = level + rng.normal(0, 0.01, level.shape)
    metric, model, split = (part.ravel() for part in np.indices(scores.shape))
    names = {"model": np.array([f"m{i}" for i in range(n_models)])[model], "metric": np.array(FIVE)[metric]}
    return names | {"repeat": split // 10, "fold": split % 10, "score": scores.clip(0, 1).ravel()}


FIRST_PAGE = """
import sys
from time import perf_counter
import skcompare
result = skcompare.load(sys.argv[1])
start = perf_counter()
result.to_html(sys.argv[1] + ".html")
print(perf_counter() - start)
"""


def reports() -> None:
    fifty = many_models(50, 5)
    for what, call, target in (
        ("summary()", lambda r: str(r.summary()), "0.3"),
        ("compare()", lambda r: r.compare(), "0.1"),
        ("dominance_table()", lambda r: r.dominance_table(), "0.3"),
        ("to_json()", lambda r: r.to_json(), "0.5"),
        ("to_html()", lambda r: r.to_html(), "3"),
    ):
        result = from_frame(fifty)
        once(f"{what}, 50 models x 5 metrics", lambda call=call, result=result: call(result), target)
    hundreds = from_frame(many_models(200, 1))
    once("summary(), 200 models x 1 metric", lambda: str(hundreds.summary()), "3")
    with TemporaryDirectory() as folder:
        path = Path(folder, "two.skc")
        models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
        evaluator = PairedEvaluator(cv="10x10", scoring=FIVE, random_state=0)
        evaluator.evaluate(models, *load_breast_cancer(return_X_y=True)).save(path)
        run = [sys.executable, "-c", FIRST_PAGE, str(path)]
        found = [float(subprocess.run(run, check=True, capture_output=True, text=True).stdout) for _ in range(5)]
    print(f"| first to_html() in a process | {median(found):.2f} | 0.8 |")


def predictions() -> None:
    X, y = make_classification(2_000, 20, n_informative=5, flip_y=0.1, random_state=0)
    models = {
        f"nb{i}": make_pipeline(PCA(1 + i % 20), GaussianNB(var_smoothing=10.0 ** (i // 20 - 3))) for i in range(50)
    }
    evaluator = PairedEvaluator(cv=KFold(10, shuffle=True, random_state=0), scoring=["accuracy", "roc_auc"])
    with TemporaryDirectory() as folder:
        path = Path(folder, "fifty.skc")
        evaluator.evaluate(models, X, y).save(path)
        for name, target in zip(PROCEDURES, ("0.3", "0.5", "3", "5", "1"), strict=True):
            result = load(path)
            metric = "roc_auc" if name == "delong_test" else "accuracy"
            once(f'compare("{name}"), 50 models', lambda n=name, r=result, m=metric: r.compare(n, metrics=m), target)


def searches() -> None:
    search = fitted_search(1)
    table = search.cv_results_
    n, n_splits = 10_000, 10
    rng = np.random.default_rng(0)
    level = rng.normal(0.8, 0.02, n)
    scores = level[:, None] + rng.normal(0, 0.03, n_splits) + rng.normal(0, 0.02, (n, n_splits))
    table = {"params": [{"max_depth": i} for i in range(n)], "mean_fit_time": rng.uniform(0.01, 0.1, n)}
    table |= {f"split{i}_test_score": scores[:, i] for i in range(n_splits)} | {"mean_test_score": scores.mean(axis=1)}
    search.cv_results_, search.n_splits_, search.cv = table, n_splits, n_splits
    before = peak_rss()

    def report() -> None:
        found = SearchReport.from_search(search)
        str(found.summary())
        found.to_html()

    once("SearchReport of 10,000 candidates x 10 splits, summary and page", report, "3")
    print(f"| its memory, MB | {peak_rss() - before:.0f} | 300 |")


def studies() -> None:
    rng = np.random.default_rng(0)
    results = {}
    for d in range(100):
        columns = many_models(10, 1)
        noise = rng.normal(0, 0.02, 10)[np.unique(columns["model"], return_inverse=True)[1]]
        results[f"data{d}"] = from_frame(columns | {"score": (columns["score"] + noise).clip(0, 1)})
    with TemporaryDirectory() as folder:
        path = Path(folder, "study.skc")
        StudyResult.from_results(results).save(path)
        study = once("load a study of 100 data sets x 10 models", lambda: load(path), "1")
        once("its pairwise posteriors", lambda: study.test("pairwise_posterior"), "1")
        once("Plackett-Luce", lambda: study.test("plackett_luce_posterior"), "1")
        again = load(path)
        once("its page", again.to_html, "1")


PARTS = {
    "parallel": parallel,
    "scaling": scaling,
    "reports": reports,
    "predictions": predictions,
    "searches": searches,
    "studies": studies,
}


def main_of_limits() -> None:
    """What an evaluation and its reports cost, beside the floor, scikit-learn's `cross_validate` and what is aimed at.

    Run from a checkout: ``python -m benchmarks.limits``, or with the parts that are wanted: ``evaluations``,
    ``parallel``, ``scaling``, ``reports``, ``predictions``, ``searches``, ``studies``. Contenders run in one process,
    interleaved; the figures are medians, as wall time and (processor time of the calling process). Of one model there
    are two, alike. The floor is clone, fit, predict and predict_proba on splits made beforehand, without any scoring.
    Of the parts after the fits every figure is of one call on scores that were not looked at before.
    """
    parser = argparse.ArgumentParser(description=main_of_limits.__doc__)
    parser.add_argument("parts", nargs="*", default=["evaluations", *PARTS], choices=["evaluations", *PARTS])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{machine()}\n")
    if "evaluations" in options.parts:
        print("| evaluation | floor, s | skcompare over it | cross_validate over it | aim |")
        print("| --- | ---: | ---: | ---: | ---: |")
        for what, contenders, rounds, target in evaluations():
            found = measured(contenders, rounds)
            base = found["floor"]
            cells = [f"{found[name][0] / base[0]:.2f} ({found[name][1] / base[1]:.2f})" for name in list(found)[1:]]
            print(f"| {what} | {base[0]:.2f} | {' | '.join(cells)} | {target} |", flush=True)
    rest = [part for part in options.parts if part in PARTS]
    if rest:
        print("\n| what | seconds, unless said | aim |\n| --- | ---: | ---: |")
        for part in rest:
            PARTS[part]()
    print(f"\nload at the end {os.getloadavg()[0]:.1f}")


# ---- reports of searches --------------------------------------------------------------------------------------


N_CANDIDATES, FOLDS, REPEATS = 500, 10, 5
N_AGAIN = 9
N_DRAWN = 10_000
METRICS = ("roc_auc", "accuracy", "precision", "recall", "f1")
GRID = {
    "max_depth": list(range(1, 11)),
    "min_samples_leaf": [1, 2, 5, 10, 20],
    "min_samples_split": [2, 5, 10, 20, 50],
    "criterion": ["gini", "entropy"],
}


def fitted_search(n_metrics: int) -> GridSearchCV:
    """A grid search with scores of our making: depth matters, and all candidates share the luck of the split."""
    rng = np.random.default_rng(0)
    metrics = METRICS[:n_metrics]
    cells = np.stack(np.meshgrid(*map(np.arange, map(len, GRID.values())), indexing="ij"), axis=-1).reshape(-1, 4)
    params = [{name: GRID[name][i] for name, i in zip(GRID, cell, strict=True)} for cell in cells]
    n_splits = FOLDS * REPEATS
    level = 0.8 + 0.01 * cells[:, 0] + 0.002 * cells[:, 1]
    table: dict[str, Any] = {"params": params, "mean_fit_time": rng.uniform(0.01, 0.1, len(params))}
    for metric in metrics:
        scores = level[:, None] + rng.normal(0, 0.03, n_splits) + rng.normal(0, 0.02, (len(params), n_splits))
        key = metric if n_metrics > 1 else "score"
        table |= {f"split{i}_test_{key}": scores[:, i] for i in range(n_splits)}
        table[f"mean_test_{key}"] = scores.mean(axis=1)
    cv = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=REPEATS, random_state=0)
    scoring = list(metrics) if n_metrics > 1 else metrics[0]
    search = GridSearchCV(DecisionTreeClassifier(), GRID, scoring=scoring, refit=metrics[0], cv=cv)
    search.cv_results_, search.n_splits_ = table, n_splits
    return search


def drawn_search(n_candidates: int) -> RandomizedSearchCV:
    """A random search of many candidates on 10 splits, with scores of our making."""
    rng = np.random.default_rng(0)
    names = {"max_depth": rng.integers(1, 20, n_candidates), "min_samples_leaf": rng.integers(1, 50, n_candidates)}
    names |= {"ccp_alpha": rng.uniform(0, 0.1, n_candidates)}
    level = 0.8 + 0.005 * names["max_depth"] - 0.0005 * names["min_samples_leaf"]
    scores = level[:, None] + rng.normal(0, 0.03, FOLDS) + rng.normal(0, 0.02, (n_candidates, FOLDS))
    params = [dict(zip(names, row, strict=True)) for row in zip(*(x.tolist() for x in names.values()), strict=True)]
    table: dict[str, Any] = {"params": params, "mean_test_score": scores.mean(axis=1)}
    table |= {f"split{i}_test_score": scores[:, i] for i in range(FOLDS)}
    search = RandomizedSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}, scoring="accuracy", cv=FOLDS)
    search.cv_results_, search.n_splits_ = table, FOLDS
    return search


def print_drawn(n_candidates: int) -> None:
    """The first call of each step in a process of its own."""
    search = drawn_search(n_candidates)
    before = peak_rss()
    import_all()
    found = [timed(run) for run in steps(search).values()]
    found.append(tuple(map(sum, zip(*found, strict=True))))
    shown = " | ".join(_cell([times]) for times in found)
    print(f"| {n_candidates:,} x {search.n_splits_} | 1 | {shown} | | {peak_rss() - before:.0f} MB |")


def steps(search: GridSearchCV | RandomizedSearchCV) -> dict[str, Callable[[], Any]]:
    """What is measured, in this order."""
    made: dict[str, SearchReport] = {}

    def read() -> None:
        made["report"] = SearchReport.from_search(search)

    return {
        "from_search": read,
        "summary": lambda: made["report"].summary(),
        "to_html": lambda: made["report"].to_html(),
    }


def import_all() -> None:
    """What the page needs, so that no row counts imports."""
    import jinja2  # noqa: F401
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401


def timed(run: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of processor time and of wall clock."""
    cpu, wall = process_time(), perf_counter()
    run()
    return process_time() - cpu, perf_counter() - wall


def peak_rss() -> float:
    """MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_row(n_metrics: int) -> None:
    search = fitted_search(n_metrics)
    before = peak_rss()
    import_all()
    found = {name: [timed(run) for _ in range(1 + N_AGAIN)] for name, run in steps(search).items()}
    found["all"] = [tuple(map(sum, zip(*parts, strict=True))) for parts in zip(*found.values(), strict=True)]
    grown = peak_rss() - before
    tracemalloc.start()
    for run in steps(search).values():
        run()
    allocated = tracemalloc.get_traced_memory()[1] / 1e6
    shown = " | ".join(f"{_cell(times[:1])}; {_cell(times[1:])}" for times in found.values())
    size = f"{len(search.cv_results_['params'])} x {search.n_splits_}"
    print(f"| {size} | {n_metrics} | {shown} | {allocated:.0f} MB | {grown:.0f} MB |")


def _cell(times: list[tuple[float, float]]) -> str:
    cpu, wall = (1000 * median(column) for column in zip(*times, strict=True))
    return f"{cpu:.0f} ({wall:.0f})"


def main_of_search_reports() -> None:
    """What the report of a search of 500 candidates on 50 splits costs, and of 10,000 drawn at random on 10 splits.

    Run from a checkout: ``python -m benchmarks.limits search_reports``. Each row is a process of its own.
    """
    parser = argparse.ArgumentParser(description=main_of_search_reports.__doc__)
    parser.add_argument("--metrics", type=int, help="one row, in this process")
    parser.add_argument("--drawn", type=int, help="the row of so many random candidates, in this process")
    arguments = parser.parse_args()
    if arguments.drawn:
        print_drawn(arguments.drawn)
        return
    if arguments.metrics:
        print_row(arguments.metrics)
        return
    names = ("from_search", "summary", "to_html", "all")
    print(f"| candidates x splits | metrics | {' | '.join(names)} | allocated at peak | resident memory, growth |")
    print(f"| --- | ---: | {' | '.join('---:' for _ in names)} | ---: | ---: |")
    sys.stdout.flush()
    for option in (["--metrics", "1"], ["--metrics", str(len(METRICS))], ["--drawn", str(N_DRAWN)]):
        command = [sys.executable, "-m", "benchmarks.limits", "search_reports", *option]
        subprocess.run(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


if __name__ == "__main__":
    run_part({"limits": main_of_limits, "search_reports": main_of_search_reports})
