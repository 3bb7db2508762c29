"""What the package costs beside the fits: evaluations, single scores, the selector, shared steps and threads.

Run from a checkout: ``python -m benchmarks.engine PART``, where the part is ``fits``, ``cross_val``, ``selector``,
``sharing``, ``threads``; without one it is ``fits``.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import warnings
from collections.abc import Callable, Iterator
from time import perf_counter, process_time
from typing import Any

import numpy as np
import pandas as pd
import sklearn.metrics as skm
from joblib.externals.loky import get_reusable_executor
from sklearn.base import BaseEstimator, clone, is_classifier
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_wine, make_classification
from sklearn.decomposition import PCA
from sklearn.ensemble import (
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import threadpool_limits

import skcompare as skc
from benchmarks import machine, run_part
from skcompare import ComparisonSelector, PairedEvaluator, best_by_dominance

# ---- fits -------------------------------------------------------------------------------------------------------


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


def main_of_fits() -> None:
    """Time of an evaluation over the time of its fits, beside scikit-learn's `cross_validate`.

    Run from a checkout: ``python -m benchmarks.engine``. All contenders run in one process, interleaved, on the
    same splits; the figures are medians over the rounds. The floor is clone, fit, predict and predict_proba on
    splits made beforehand, without any scoring. ``--metrics`` has many metrics and a made scorer instead of the usual
    five, in processor time. With two jobs, "workers to start" ends joblib's worker processes before
    every run; otherwise they are there.
    """
    parser = argparse.ArgumentParser(description=main_of_fits.__doc__)
    parser.add_argument("--quick", action="store_true", help="only one case")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--metrics", action="store_true", help="many metrics, in processor time")
    parser.add_argument("--jobs", type=int, default=1, help="1, or the number of jobs to compare with 1")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{machine()}; n_jobs={options.jobs}; seconds, and ratios to the first (medians)\n")
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


# ---- cross val --------------------------------------------------------------------------------------------------


REGRESSION = [
    "r2",
    "neg_mean_absolute_error",
    "neg_root_mean_squared_error",
    "neg_median_absolute_error",
    "explained_variance",
]
TREE = DecisionTreeClassifier(random_state=0)
CaseOfCrossVal = tuple[str, str, Any, Any, Any, list[str], int]


class Nothing(BaseEstimator):  # type: ignore[misc]
    """Costs nothing, so that what is measured is the way there."""

    def fit(self, X: Any, y: Any) -> Nothing:  # noqa: ARG002
        return self

    def score(self, X: Any, y: Any) -> float:  # noqa: ARG002
        return 0.0


def cases_of_cross_val() -> Iterator[CaseOfCrossVal]:
    """Data, name of the estimator, the estimator, X, y, metrics, folds."""
    cancer, wine, digits, diabetes = (
        load(return_X_y=True) for load in (load_breast_cancer, load_wine, load_digits, load_diabetes)
    )
    large = make_classification(n_samples=100_000, n_features=20, random_state=0)
    yield "wine", "nothing", Nothing(), *wine, ["accuracy"], 50
    yield "wine, a frame", "nothing", Nothing(), pd.DataFrame(wine[0]), wine[1], ["accuracy"], 50
    yield "wine", "GaussianNB", GaussianNB(), *wine, MULTICLASS, 10
    yield "breast_cancer", "GaussianNB", GaussianNB(), *cancer, BINARY, 10
    yield "breast_cancer", "tree", TREE, *cancer, BINARY, 10
    yield "diabetes", "Ridge", Ridge(), *diabetes, REGRESSION, 10
    yield "digits", "LogisticRegression", LogisticRegression(max_iter=50), *digits, MULTICLASS, 5
    yield "n=100,000, p=20", "GaussianNB", GaussianNB(), *large, BINARY, 5


def one_metric(case: CaseOfCrossVal) -> dict[str, Callable[[], Any]]:
    _, _, estimator, X, y, _, cv = case
    return {
        "cross_val_score": lambda: cross_val_score(estimator, X, y, cv=cv),
        "skcompare": lambda: skc.cross_val_score(estimator, X, y, cv=cv),
    }


def several_metrics(case: CaseOfCrossVal) -> dict[str, Callable[[], Any]]:
    _, _, estimator, X, y, metrics, cv = case
    return {
        "cross_validate": lambda: cross_validate(estimator, X, y, cv=cv, scoring=metrics),
        "five calls of cross_val_score": lambda: [
            cross_val_score(estimator, X, y, cv=cv, scoring=metric) for metric in metrics
        ],
        "skcompare": lambda: skc.cross_val_score(estimator, X, y, cv=cv, scoring=metrics),
    }


def two_jobs(case: CaseOfCrossVal) -> dict[str, Callable[[], Any]]:
    _, _, estimator, X, y, _, cv = case
    return {
        "cross_val_score": lambda: cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
        "skcompare": lambda: skc.cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
        "cross_val_score, to start": lambda: cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
        "skcompare, to start": lambda: skc.cross_val_score(estimator, X, y, cv=cv, n_jobs=2),
    }


TABLES: dict[str, Callable[[CaseOfCrossVal], dict[str, Callable[[], Any]]]] = {
    "one metric": one_metric,
    "five metrics": several_metrics,
    "two jobs": two_jobs,
}


def table(name: str, rounds: int) -> None:
    """Print one table, after holding that the floats are equal."""
    for number, case in enumerate(
        case for case in cases_of_cross_val() if name == "one metric" or case[1] != "nothing"
    ):
        contenders = TABLES[name](case)
        if name == "one metric":
            np.testing.assert_array_equal(contenders["cross_val_score"](), contenders["skcompare"]())
        found = medians(measure(contenders, rounds))
        if number == 0:
            print(f"\n| data | estimator | folds | {' | '.join(found)} |")
            print(f"| --- | --- | ---: | {' | '.join('---:' for _ in found)} |")
        cells = " | ".join(f"{1000 * seconds:.1f} ms, {ratio:.2f}" for seconds, ratio in found.values())
        print(f"| {case[0]} | {case[1]} | {case[-1]} | {cells} |", flush=True)


def main_of_cross_val() -> None:
    """Time of `cross_val_score` beside scikit-learn's, which it equals to the last bit.

    Run from a checkout: ``python -m benchmarks.engine cross_val``. All contenders run in one process, interleaved in
    alternating order, on the same splits; the figures are medians over the rounds. The first table has one metric, the
    second five: five calls of scikit-learn's function and one of `cross_validate` beside one call here. The third has
    two jobs: joblib's worker processes are there, except in the columns "to start", where they are ended before every
    call.
    """
    parser = argparse.ArgumentParser(description=main_of_cross_val.__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--table", choices=TABLES, help="only one of the tables")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{machine()}; milliseconds, and ratios to the first (medians)")
    for name in (options.table,) if options.table else TABLES:
        table(name, options.rounds if name != "two jobs" else max(1, options.rounds // 3))


# ---- selector ---------------------------------------------------------------------------------------------------


def run_case_of_selector(case: Case) -> dict[str, tuple[float, float]]:
    """What `medians` gives, by contender."""
    _, X, y, metrics, cv, names, rounds = case
    n_repeats, n_splits = (int(part) for part in cv.split("x"))
    splits = list(RepeatedStratifiedKFold(n_splits=n_splits, n_repeats=n_repeats, random_state=0).split(X, y))
    chosen = {name: MODELS[name] for name in names}
    evaluator = PairedEvaluator(cv=cv, scoring=metrics, random_state=0)
    selector = ComparisonSelector(chosen, evaluator)
    jointly = ComparisonSelector(chosen, evaluator, best_by_dominance(metrics))
    refitted = chosen[clone(selector).fit(X, y).selected_]

    def plain() -> None:
        floor(chosen, X, y, splits)
        clone(refitted).fit(X, y)

    contenders: dict[str, Callable[[], Any]] = {
        "floor": plain,
        "evaluate alone": lambda: evaluator.evaluate(chosen, X, y),
        "selector, corrected_t": lambda: selector.fit(X, y),
        "selector, best_by_dominance": lambda: jointly.fit(X, y),
    }
    return medians(measure(contenders, rounds))


def main_of_selector() -> None:
    """Time of `ComparisonSelector.fit` over the time of its fits.

    Run from a checkout: ``python -m benchmarks.engine selector``. All contenders run in one process, interleaved; the
    figures are medians over the rounds of seconds and of the ratio to the floor of the same round. The floor is clone,
    fit, predict and predict_proba of every estimator on splits made beforehand, without any scoring, and one fit of the
    chosen estimator on all data.
    """
    parser = argparse.ArgumentParser(description=main_of_selector.__doc__)
    parser.add_argument("--quick", action="store_true", help="only one case")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{machine()}; seconds, and ratios to the first (medians)\n")
    for number, case in enumerate(cases()[: 1 if options.quick else 4]):
        found = run_case_of_selector(case)
        if number == 0:
            print(f"| data | cv | models | {' | '.join(found)} |")
            print(f"| --- | --- | --- | {' | '.join('---:' for _ in found)} |")
        cells = " | ".join(f"{seconds:.2f} s, {ratio:.2f}" for seconds, ratio in found.values())
        print(f"| {case[0]} | {case[4]} | {' + '.join(case[5])} | {cells} |", flush=True)


# ---- sharing ----------------------------------------------------------------------------------------------------


ROUNDS = 3


def frame() -> tuple[Any, Any]:
    """Ten columns of numbers with gaps and four of eight texts each."""
    rng = np.random.default_rng(0)
    X, y = make_classification(2_000, n_features=10, random_state=0)
    numbers = pd.DataFrame(np.where(X > 2.5, np.nan, X), columns=[f"x{i}" for i in range(10)])
    texts = {name: rng.choice([f"{name}{i}" for i in range(8)], len(X)) for name in "abcd"}
    return numbers.assign(**texts), y


def cases_of_sharing() -> dict[str, tuple[dict[str, Any], Any, Any]]:
    """Models, X and y by name."""
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), make_column_selector(dtype_include="number")),
            ("texts", make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder()), list("abcd")),
        ],
        sparse_threshold=0,
    )
    components = (StandardScaler(), PCA(20, random_state=0))
    return {
        "ColumnTransformer + 4 models on a frame, n=2,000": (_after(columns), *frame()),
        "StandardScaler + PCA + 4 models, n=2,000, p=100": (
            _after(*components),
            *make_classification(2_000, n_features=100, random_state=0),
        ),
    }


def _after(*steps: Any) -> dict[str, Any]:
    return {name: make_pipeline(*steps, model) for name, model in MODELS.items()}


def ratios(models: dict[str, Any], X: Any, y: Any, splits: list[Any]) -> tuple[float, dict[str, float]]:
    """Median seconds of the floor, and of each contender the median of its ratio to it."""

    def evaluate(share: bool) -> Any:
        return PairedEvaluator(cv=splits, scoring=BINARY, random_state=0, share=share).evaluate(models, X, y)

    contenders: dict[str, Callable[[], Any]] = {
        "floor": lambda: floor(models, X, y, splits),
        "shared": lambda: evaluate(True),
        "share=False": lambda: evaluate(False),
    }
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    results: list[Any] = []
    for _ in range(ROUNDS):
        for name, run in contenders.items():
            start = process_time()
            results.append(run())
            seconds[name].append(process_time() - start)
    if len({result.scores.tobytes() for result in results if result is not None}) > 1:
        raise AssertionError("the scores differ")
    found = {
        name: statistics.median([value / base for value, base in zip(values, seconds["floor"], strict=True)])
        for name, values in seconds.items()
    }
    return statistics.median(seconds["floor"]), found


def main_of_sharing() -> None:
    """Processor time of an evaluation of pipelines that begin alike over that of their fits, with and without sharing.

    Run from a checkout: ``python -m benchmarks.engine sharing``. All contenders run in one process on the same splits,
    interleaved; the figures are medians over the rounds of the ratio to the floor of the same round. The floor is
    clone, fit, predict and predict_proba of every pipeline on splits made beforehand, without any scoring. The scores
    must be the same bit for bit.
    """
    warnings.simplefilter("ignore")
    print(f"{machine()}; processor time over the floor\n")
    print("| models, 3x10 | floor | shared | share=False |\n| --- | ---: | ---: | ---: |")
    for name, (models, X, y) in cases_of_sharing().items():
        splits = list(RepeatedStratifiedKFold(n_splits=10, n_repeats=3, random_state=0).split(X, y))
        seconds, found = ratios(models, X, y, splits)
        print(f"| {name} | {seconds:.2f} s | {found['shared']:.2f} | {found['share=False']:.2f} |", flush=True)


# ---- threads ----------------------------------------------------------------------------------------------------


X, Y = make_classification(n_samples=6_000, n_features=20, random_state=0)
MODELS_OF_THREADS = [
    DecisionTreeClassifier(),
    DecisionTreeRegressor(),
    RandomForestClassifier(10),
    RandomForestRegressor(5),
    GradientBoostingClassifier(n_estimators=10),
    GradientBoostingRegressor(n_estimators=10),
    KNeighborsClassifier(),
    SVC(),
    LogisticRegression(),
    HistGradientBoostingClassifier(max_iter=20),
]


def fit(model: Any, seed: int) -> None:
    with threadpool_limits(1):
        order = np.random.default_rng(seed).permutation(len(Y))
        clone(model).fit(X[order[600:]], Y[order[600:]]).predict(X[order[:600]])


def seconds(run: Any) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def main_of_threads() -> None:
    """Which estimators gain by threads: fits in two threads over the same fits one after the other.

    Run from a checkout: ``python -m benchmarks.engine threads``. Every fit and its threads have one BLAS and OpenMP
    thread.
    """
    warnings.simplefilter("ignore")
    print("| estimator | a fit | two threads over one |\n| --- | ---: | ---: |")
    for model in MODELS_OF_THREADS:
        fit(model, 0)
        one = seconds(lambda model=model: fit(model, 0))
        n = int(np.clip(0.6 / one, 4, 16)) // 2 * 2
        ratios = []
        for _ in range(3):
            alone = seconds(lambda model=model, n=n: [fit(model, i) for i in range(n)])
            calls = [delayed(fit)(model, i) for i in range(n)]
            ratios.append(seconds(lambda calls=calls: Parallel(n_jobs=2, backend="threading")(calls)) / alone)
        print(f"| {type(model).__name__} | {one * 1e3:.0f} ms | {statistics.median(ratios):.2f} |", flush=True)


if __name__ == "__main__":
    run_part(
        {
            "fits": main_of_fits,
            "cross_val": main_of_cross_val,
            "selector": main_of_selector,
            "sharing": main_of_sharing,
            "threads": main_of_threads,
        }
    )
