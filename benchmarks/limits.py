"""How far evaluations, studies and searches reach: time and memory at their largest.

Run from a checkout: ``python -m benchmarks.limits``, or with the parts that are wanted: ``evaluations``, ``parallel``,
``scaling``, ``reports``, ``predictions``, ``searches``, ``studies``. Contenders run in one process, interleaved; the
figures are medians, as wall time and (processor time of the calling process). Of one model there are two, alike. The
floor is clone, fit, predict and predict_proba on splits made beforehand, without any scoring. Of the parts after the
fits every figure is of one call on scores that were not looked at before.

``search_reports`` alone: what the report of a search of 500 candidates on 50 splits costs, and of 10,000 drawn at
random on 10 splits. Each row is a process of its own.
"""

from __future__ import annotations

import os
import resource
import sys
import tracemalloc
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median
from subprocess import run as run_process
from tempfile import TemporaryDirectory
from time import sleep
from typing import Any

import joblib
import numpy as np
import pandas as pd
from sklearn import model_selection as cv_of
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from benchmarks import head, line, machine, options
from benchmarks.engine import F2, TWENTY_TWO, contenders, data, splits_of
from benchmarks.reports import CALLS, PAGES, PAIR_TESTS, first_call, scored
from benchmarks.timing import BINARY, MULTICLASS, end_workers, interleaved, timed
from skcompare import PairedEvaluator, SearchReport, StudyResult, load


def row(*cells: object) -> None:
    print(line(*cells), flush=True)


def once(what: str, aim: str, run: Callable[..., Any], *args: Any, **how: Any) -> None:
    """The row of one call."""
    wall, cpu = timed(run, *args, **how)
    row(what, f"{wall:.2f} ({cpu:.2f})", aim)


def peak_rss() -> float:
    """MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


# ---- evaluations ------------------------------------------------------------------------------------------------


def evaluation(
    what: str, models: dict[str, Any], X: Any, y: Any, cv: str, scoring: Any, rounds: int, aim: str, *, listed: bool
) -> None:
    """The row of an evaluation, on ``"RxK"`` or on the same splits as a list."""
    splits = splits_of(cv, X, y)
    one = contenders(models, X, y, splits, splits if listed else cv, scoring)
    base, *others = np.median(list(interleaved(one, rounds).values()), axis=1)
    row(what, f"{base[0]:.2f}", *(f"{wall:.2f} ({cpu:.2f})" for wall, cpu in others / base), aim)


def twice(model: Any) -> dict[str, Any]:
    return {"first": model, "second": clone(model)}


def frame_of_texts(n: int) -> tuple[pd.DataFrame, Any]:
    """Ten columns of numbers and six of texts, and labels."""
    X, y = make_classification(n, 16, n_informative=8, random_state=0)
    frame = pd.DataFrame({f"x{i}": X[:, i] for i in range(10)})
    for i in range(10, 16):
        frame[f"c{i}"] = pd.cut(X[:, i], 12).astype(str).astype(object)
    return frame, y


def evaluations() -> None:
    print(head(("evaluation", "floor, s", "skcompare over it", "cross_validate over it", "aim")))
    cancer, wine, digits, diabetes = map(data, ("breast_cancer", "wine", "digits", "diabetes"))
    frame, labels = frame_of_texts(2_000)
    numbers, texts = [c for c in frame if c[0] == "x"], [c for c in frame if c[0] == "c"]
    columns = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), texts))
    by_c = {f"C={c}": make_pipeline(columns, LogisticRegression(C=c, max_iter=20)) for c in (0.01, 0.1, 1.0, 10.0)}
    kinds = GaussianNB(), LogisticRegression(), DecisionTreeClassifier(max_depth=3), KNeighborsClassifier()
    steps = StandardScaler(), PCA(10, random_state=0)
    four = {type(model).__name__: make_pipeline(*steps, model) for model in kinds}
    scaled = {str(mean): make_pipeline(StandardScaler(with_mean=mean), LogisticRegression()) for mean in (True, False)}
    nb, knn = twice(GaussianNB()), twice(KNeighborsClassifier())
    pair = {"nb": GaussianNB(), "smoothed": GaussianNB(var_smoothing=1e-3)}
    twenty, errors = make_classification(20_000, 20, random_state=0), ["r2", "neg_mean_squared_error"]
    for what, models, given, cv, scoring, rounds, aim in (
        ("breast_cancer, GaussianNB, 22 metrics", nb, cancer, "3x10", TWENTY_TWO, 5, "1.6"),
        ("the same, make_scorer(fbeta_score, beta=2)", nb, cancer, "3x10", F2, 7, "1.15"),
        ("ColumnTransformer + 4 models, frame of 2,000", by_c, (frame, labels), "1x10", BINARY, 3, "0.45"),
        ("StandardScaler + PCA + 4 models, breast_cancer", four, cancer, "3x10", BINARY, 5, "0.70"),
        ("kNN, n=20,000", knn, twenty, "1x5", BINARY, 3, "0.50"),
        ("kNN, digits", knn, digits, "3x10", MULTICLASS, 5, "0.65"),
        ("kNN, breast_cancer", knn, cancer, "3x10", BINARY, 7, "0.80"),
        ("scaler + LR, wine", scaled, wine, "10x10", MULTICLASS, 5, "1.06"),
        ("SVC, wine", twice(SVC()), wine, "10x10", MULTICLASS[:-1], 5, "1.06"),
        ("GaussianNB, digits", nb, digits, "3x10", MULTICLASS, 5, "1.06"),
        ("Ridge, diabetes", twice(Ridge()), diabetes, "10x10", errors, 5, "1.06"),
        ('GaussianNB pair, breast_cancer, cv="10x10"', pair, cancer, "10x10", BINARY, 5, "1.06"),
        ("the same splits as a list", pair, cancer, "10x10", BINARY, 5, "1.06"),
    ):
        evaluation(what, models, *given, cv, scoring, rounds, aim, listed=what.endswith("list"))
    print(f"\n{head(('what', 'seconds, unless said', 'aim'))}")


# ---- workers ----------------------------------------------------------------------------------------------------


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


def slow_fits(backend: str, n_models: int, seconds: float, X: Any, y: Any, n_jobs: int) -> tuple[float, float]:
    """Fits per second, and milliseconds of processor time of the calling process per fit."""
    models, n_fits = {f"slow{i}": Slow(seconds) for i in range(n_models)}, 100 * n_models
    evaluator = PairedEvaluator(cv="10x10", scoring="accuracy", random_state=0, n_jobs=n_jobs)
    with joblib.parallel_config(backend=backend):
        wall, cpu = timed(evaluator.evaluate, models, X, y)
    return n_fits / wall, 1000 * cpu / n_fits


def parallel() -> None:
    cancer = data("breast_cancer")

    def parent(backend: str) -> str:
        return f"{median([slow_fits(backend, 10, 0.001, *cancer, 2)[1] for _ in range(4)][1:]):.2f}"

    row("parent's ms per fit of 1 ms, loky", parent("loky"), "0.10")
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        row("parent's ms per fit of 1 ms, Dask", parent("dask"), "0.20")
    X, y = make_classification(2_000, 20, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    _, ours, theirs = contenders(models, X, y, splits_of("10x10", X, y), "10x10", BINARY).values()

    def cold(run: Callable[[int], Any], n_jobs: int) -> float:
        end_workers()
        return timed(run, n_jobs)[0]

    found = [[cold(run, n_jobs) for run in (ours, theirs) for n_jobs in (1, 2)] for _ in range(5)]
    one, two, *peer = np.median(found, axis=0)
    row(f"{one:.1f} s with one job: two jobs, workers to start, over one", f"{two / one:.2f}", "0.85")
    row("cross_validate: the same", f"{peer[1] / peer[0]:.2f}", "")


def scaling() -> None:
    """The constants of docs/scaling.md."""
    X, y = make_classification(1_000, 20, random_state=0)
    for n_jobs in (10, 30, 100):
        per_second, cpu = slow_fits("threading", 20, 0.01, X, y, n_jobs)
        what = f"{n_jobs} threads, 2,000 fits of 10 ms: fits per second; ms of processor time per fit"
        row(what, f"{per_second:.0f}; {cpu:.2f}", 100 * n_jobs)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_500_000, 50))  # a GB
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
    for check_data in (False, True):
        before = peak_rss()
        evaluator = PairedEvaluator(cv=5, scoring="accuracy", random_state=0, check_data=check_data)
        what = f"two GaussianNB, 5 folds of X of 1 GB, check_data={check_data}"
        once(what, "", evaluator.evaluate, twice(GaussianNB()), X, y)
        row("its memory beyond X, MB", f"{peak_rss() - before:.0f}", "")


# ---- what is made of scores -------------------------------------------------------------------------------------


def reports() -> None:
    for what, aim in zip(PAGES, ("0.1", "0.3", "0.3", "0.5", "3"), strict=True):
        once(f"{what}, 50 models x 5 metrics", aim, PAGES[what], scored(50, 10))
    once("summary(), 200 models x 1 metric", "3", PAGES["summary()"], scored(200, 10, 1))
    with TemporaryDirectory() as folder:
        path = Path(folder, "two.skc")
        models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
        PairedEvaluator("10x10", BINARY, random_state=0).evaluate(models, *data("breast_cancer")).save(path)
        row("first to_html() in a process", f"{first_call(CALLS['to_html(path)'], path):.2f}", "0.8")


def predictions() -> None:
    X, y = make_classification(2_000, 20, n_informative=5, flip_y=0.1, random_state=0)
    models = {
        f"nb{i}": make_pipeline(PCA(1 + i % 20), GaussianNB(var_smoothing=10.0 ** (i // 20 - 3))) for i in range(50)
    }
    evaluator = PairedEvaluator(cv=cv_of.KFold(10, shuffle=True, random_state=0), scoring=["accuracy", "roc_auc"])
    with TemporaryDirectory() as folder:
        path = Path(folder, "fifty.skc")
        evaluator.evaluate(models, X, y).save(path)
        for (name, metric), aim in zip(PAIR_TESTS.items(), ("0.3", "0.5", "3", "5", "1"), strict=True):
            once(f'compare("{name}"), 50 models', aim, load(path).compare, name, metrics=metric)


def studies() -> None:
    results = {f"data{d}": scored(10, 10, 1, seed=d) for d in range(100)}
    with TemporaryDirectory() as folder:
        path = Path(folder, "study.skc")
        StudyResult.from_results(results).save(path)
        once("load a study of 100 data sets x 10 models", "1", load, path)
        study, again = load(path), load(path)
        once("its pairwise posteriors", "1", study.test, "pairwise_posterior")
        once("Plackett-Luce", "1", study.test, "plackett_luce_posterior")
        once("its page", "1", again.to_html)


# ---- searches ---------------------------------------------------------------------------------------------------


SIZES = {"max_depth": 10, "min_samples_leaf": 5, "min_samples_split": 5, "criterion": 2}


def fitted_search(n_candidates: int, metrics: list[str], n_splits: int) -> Any:
    """A search with scores of our making: depth matters, and all candidates share the luck of the split.

    Of 500 candidates it is a grid, of others a random search.
    """
    rng, tree = np.random.default_rng(0), DecisionTreeClassifier()
    if n_candidates == np.prod(list(SIZES.values())):
        cv = cv_of.RepeatedStratifiedKFold(n_splits=10, n_repeats=n_splits // 10, random_state=0)
        grid = {name: list(range(1, 1 + size)) for name, size in SIZES.items()}
        scoring = metrics if len(metrics) > 1 else metrics[0]
        search = cv_of.GridSearchCV(tree, grid, scoring=scoring, refit=metrics[0], cv=cv)
        cells = np.stack(np.unravel_index(np.arange(n_candidates), tuple(SIZES.values())), axis=1) + 1
        columns = dict(zip(SIZES, cells.T.tolist(), strict=True))
    else:
        drawn = {"max_depth": rng.integers(1, 20, n_candidates), "min_samples_leaf": rng.integers(1, 50, n_candidates)}
        drawn["ccp_alpha"] = rng.uniform(0, 0.1, n_candidates)
        columns = {name: one.tolist() for name, one in drawn.items()}
        search = cv_of.RandomizedSearchCV(tree, {"max_depth": [1]}, scoring=metrics[0], cv=n_splits)
    params = [dict(zip(columns, one, strict=True)) for one in zip(*columns.values(), strict=True)]
    level = 0.8 + 0.01 * np.array(columns["max_depth"]) + 0.002 * np.array(columns["min_samples_leaf"])
    table: dict[str, Any] = {"params": params, "mean_fit_time": rng.uniform(0.01, 0.1, n_candidates)}
    for metric in metrics:
        scores = level[:, None] + rng.normal(0, 0.03, n_splits) + rng.normal(0, 0.02, (n_candidates, n_splits))
        key = metric if len(metrics) > 1 else "score"
        table |= {f"split{i}_test_{key}": scores[:, i] for i in range(n_splits)}
        table[f"mean_test_{key}"] = scores.mean(axis=1)
    search.cv_results_, search.n_splits_ = table, n_splits
    return search


def report_of(search: Any) -> None:
    found = SearchReport.from_search(search)
    str(found.summary())
    found.to_html()


def searches() -> None:
    search, before = fitted_search(10_000, ["accuracy"], 10), peak_rss()
    once("SearchReport of 10,000 candidates x 10 splits, summary and page", "3", report_of, search)
    row("its memory, MB", f"{peak_rss() - before:.0f}", "300")


def report_row(n_candidates: int, n_metrics: int, n_splits: int, n_again: int) -> None:
    """The report, its summary and its page, each the first time and the median of those after it."""
    search = fitted_search(n_candidates, BINARY[-1:] + BINARY[: n_metrics - 1], n_splits)
    before = peak_rss()
    import jinja2  # noqa: F401  what the page needs, so that no row counts imports
    import matplotlib.backends.backend_agg
    import matplotlib.backends.backend_svg
    import matplotlib.figure  # noqa: F401

    made: list[SearchReport] = []
    runs = (
        lambda: made.append(SearchReport.from_search(search)),
        lambda: made[-1].summary(),
        lambda: made[-1].to_html(),
    )
    found = [[timed(run) for _ in range(1 + n_again)] for run in runs]
    times = 1000 * np.array([*found, np.sum(found, axis=0)])[..., ::-1]  # processor time first
    grown = peak_rss() - before
    tracemalloc.start()
    if n_again:
        report_of(search)
    allocated = tracemalloc.get_traced_memory()[1] / 1e6
    shown = (
        "; ".join(f"{cpu:.0f} ({wall:.0f})" for cpu, wall in (own[0], *([np.median(own[1:], axis=0)] * bool(n_again))))
        for own in times
    )
    size = f"{n_candidates:,} x {n_splits}"
    row(size, n_metrics, *shown, f"{allocated:.0f} MB" if n_again else "", f"{grown:.0f} MB")


def search_reports() -> None:
    names = ("from_search", "summary", "to_html", "all", "allocated at peak", "resident memory, growth")
    print(head(("candidates x splits", "metrics", *names)), flush=True)
    for own in ((500, 1, 50, 9), (500, 5, 50, 9), (10_000, 1, 10, 0)):
        command = [sys.executable, "-m", "benchmarks.limits", "search_reports", "--row", *map(str, own)]
        run_process(command, check=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


PARTS = {part.__name__: part for part in (evaluations, parallel, scaling, reports, predictions, searches, studies)}


def main() -> None:
    every = {"nargs": "*", "choices": [*PARTS, "search_reports"]}
    numbers = {"type": int, "nargs": 4, "metavar": ("CANDIDATES", "METRICS", "SPLITS", "AGAIN")}
    given = options(__doc__, parts=every, row={**numbers, "help": "of search_reports, in this process"})
    if given.row:
        report_row(*given.row)
    elif given.parts == ["search_reports"]:
        search_reports()
    else:
        print(f"{machine()}\n")
        for part in given.parts or PARTS:
            PARTS[part]()
        print(f"\nload at the end {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
