"""What the package costs beside the fits.

Run from a checkout: ``python -m benchmarks.engine PART``, where the part is ``fits``, ``cross_val``, ``limits``;
without one it is ``fits``. Contenders run in one process, interleaved in alternating order,
on the same splits; the figures are medians over the rounds of seconds and of the ratio to the first of the same round.
The floor is clone, fit, predict and predict_proba on splits made beforehand, without any scoring.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from statistics import median
from time import sleep
from typing import Any

import numpy as np
import pandas as pd
import sklearn.metrics as skm
from joblib import parallel_config
from sklearn import compose, datasets, decomposition, ensemble, feature_selection, linear_model, preprocessing
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.model_selection import (
    GridSearchCV,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks import head, machine, options, run_part, timing
from skcompare import PairedEvaluator, RunOptions
from skcompare.evaluation.fit import peak_bytes

MADE = {f"n={n:,}, p=20": n for n in (1_000, 6_000, 10_000, 100_000)}
MODELS = {
    "GaussianNB": GaussianNB(),
    "tree": DecisionTreeClassifier(random_state=0),
    "kNN": KNeighborsClassifier(),
    "LR": linear_model.LogisticRegression(max_iter=100),
}
F2 = {"f2": skm.make_scorer(skm.fbeta_score, beta=2)}
NAMES = [*timing.BINARY, "balanced_accuracy", "matthews_corrcoef", "jaccard", "f1_micro", "f1_macro", "f1_weighted"]
NAMES += ["precision_micro", "recall_weighted", "jaccard_macro", "neg_log_loss", "neg_brier_score"]
NAMES += ["average_precision", "roc_auc_ovo_weighted", "d2_log_loss_score"]
TWENTY_TWO = {name: name for name in NAMES} | {
    **F2,
    "kappa": skm.make_scorer(skm.cohen_kappa_score),
    "specificity": skm.make_scorer(skm.recall_score, pos_label=0),
}


@cache
def data(name: str) -> tuple[Any, Any]:
    """X and y."""
    if name in MADE:
        return datasets.make_classification(n_samples=MADE[name], n_features=20, random_state=0)
    return getattr(datasets, f"load_{name}")(return_X_y=True)


def splits_of(cv: str, X: Any, y: Any, seed: int = 0) -> list[Any]:
    repeats, folds = map(int, cv.split("x"))
    kind = RepeatedStratifiedKFold if y.dtype.kind == "i" else RepeatedKFold
    return list(kind(n_splits=folds, n_repeats=repeats, random_state=seed).split(X, y))


# ---- fits -------------------------------------------------------------------------------------------------------

Case = tuple[str, str, tuple[str, ...], int]  # data, cv, models, rounds
FIRST, SECOND = ("GaussianNB", "tree"), ("kNN", "LR")
CASES: tuple[Case, ...] = (
    ("breast_cancer", "10x10", FIRST, 7),
    ("breast_cancer", "10x10", SECOND, 5),
    ("wine", "10x10", FIRST, 7),
    ("wine", "10x10", SECOND, 5),
    ("digits", "10x10", FIRST, 3),
    ("digits", "3x10", SECOND, 3),
    ("n=1,000, p=20", "10x10", FIRST, 5),
    ("n=1,000, p=20", "10x10", SECOND, 5),
    ("n=10,000, p=20", "10x10", ("GaussianNB", "LR"), 3),
    ("n=10,000, p=20", "1x10", ("tree", "kNN"), 3),
    ("n=100,000, p=20", "1x10", ("GaussianNB", "LR"), 5),
    ("n=100,000, p=20", "1x5", FIRST, 2),
    ("n=100,000, p=20", "1x2", ("GaussianNB", "kNN"), 1),
)


def metrics_of(name: str) -> list[str]:
    return timing.MULTICLASS if name in ("wine", "digits") else timing.BINARY


def contenders(models: dict[str, Any], X: Any, y: Any, splits: list[Any], cv: Any, metrics: Any) -> timing.Contenders:
    """The floor, ours and scikit-learn's, which takes the number of jobs too."""

    def ours(n_jobs: int = 1) -> Any:
        return PairedEvaluator(cv=cv, scoring=metrics, random_state=0, n_jobs=n_jobs).evaluate(models, X, y)

    def theirs(n_jobs: int | None = None) -> None:
        for estimator in models.values():
            cross_validate(estimator, X, y, cv=splits, scoring=metrics, n_jobs=n_jobs)

    return {"floor": lambda: timing.floor(models, X, y, splits), "skcompare": ours, "cross_validate": theirs}


def of_fits(case: Case) -> dict[str, tuple[float, float]]:
    name, cv, names, rounds = case
    X, y = data(name)
    models = {name: MODELS[name] for name in names}
    below, ours, theirs = contenders(models, X, y, splits_of(cv, X, y), cv, metrics_of(name)).values()
    summary = {"with tests and summary": lambda: ours().summary()}
    return timing.medians({"floor": below, "skcompare": ours} | summary | {"cross_validate": theirs}, rounds)


def main_of_fits() -> None:
    """Time of an evaluation over the time of its fits, beside scikit-learn's `cross_validate`."""
    options(main_of_fits.__doc__)
    print(f"{machine()}; seconds, and ratios to the first (medians)\n")
    rows = (((case[0], case[1], " + ".join(case[2])), of_fits(case)) for case in CASES)
    timing.print_medians(("data", "cv", "models"), rows)


# ---- cross val --------------------------------------------------------------------------------------------------


class Nothing(BaseEstimator):  # type: ignore[misc]
    """Costs nothing, so that what is measured is the way there."""

    def fit(self, X: Any, y: Any) -> Nothing:  # noqa: ARG002
        return self

    def score(self, X: Any, y: Any) -> float:  # noqa: ARG002
        return 0.0


OTHERS = {"nothing": Nothing(), "Ridge": linear_model.Ridge()}
OTHERS["LogisticRegression"] = linear_model.LogisticRegression(max_iter=50)
# Data, estimator and folds.
OF_CROSS_VAL = (
    *(("wine", "nothing", 50), ("wine, a frame", "nothing", 50), ("wine", "GaussianNB", 10)),
    *(("breast_cancer", "GaussianNB", 10), ("breast_cancer", "tree", 10), ("diabetes", "Ridge", 10)),
    *(("digits", "LogisticRegression", 5), ("n=100,000, p=20", "GaussianNB", 5)),
)


def of_cross_val(name: str, model: str, cv: int) -> timing.Contenders:
    X, y = data(name.removesuffix(", a frame"))
    given = (MODELS | OTHERS)[model], pd.DataFrame(X) if name.endswith("a frame") else X, y
    np.testing.assert_array_equal(cross_val_score(*given, cv=cv), skc.cross_val_score(*given, cv=cv))
    both = {"cross_val_score": cross_val_score, "skcompare": skc.cross_val_score}
    return {name: lambda score=score: score(*given, cv=cv) for name, score in both.items()}


def main_of_cross_val() -> None:
    """Time of `cross_val_score` beside scikit-learn's, which it equals to the last bit."""
    given = options(main_of_cross_val.__doc__, rounds=15)
    print(f"{machine()}; milliseconds, and ratios to the first (medians)\n")
    rows = ((words, timing.medians(of_cross_val(*words), given.rounds)) for words in OF_CROSS_VAL)
    timing.print_medians(("data", "estimator", "folds"), rows, ms=True)


# ---- limits -----------------------------------------------------------------------------------------------------


Evaluation = tuple[dict[str, Any], Any, Any, str, Any, int, str]  # models, X, y, cv, metrics, rounds, aim
LISTED = "the same splits as a list"


def rivals(what: str, case: Evaluation) -> timing.Contenders:
    """The floor, ours on ``"RxK"`` or on the same splits as a list, and `cross_validate`."""
    models, X, y, cv, scoring, *_ = case
    splits = splits_of(cv, X, y)
    return contenders(models, X, y, splits, splits if what == LISTED else cv, scoring)


def least_ratio(what: str, *, enough: float, rounds: int) -> float:
    """Processor time of ours over that of the fits, of the fastest calls each; fewer rounds once it is small enough.

    Other work on the machine makes calls slower and none faster.
    """
    pair = dict(list(rivals(what, evaluations_of()[what]).items())[:2])
    least = dict.fromkeys(pair, np.inf)
    for _ in range(rounds):
        for name, run in pair.items():
            least[name] = min(least[name], timing.timed(run)[1])
        if least["skcompare"] <= enough * least["floor"]:
            break
    return least["skcompare"] / least["floor"]


def twice(model: Any) -> dict[str, Any]:
    return {"first": model, "second": clone(model)}


def frame_of_texts(n: int) -> tuple[pd.DataFrame, Any]:
    """Ten columns of numbers and six of texts, and labels."""
    X, y = datasets.make_classification(n, 16, n_informative=8, random_state=0)
    frame = pd.DataFrame({f"x{i}": X[:, i] for i in range(10)})
    for i in range(10, 16):
        frame[f"c{i}"] = pd.cut(X[:, i], 12).astype(str).astype(object)
    return frame, y


def evaluations_of() -> dict[str, Evaluation]:
    """By what is measured."""
    cancer, wine, digits, diabetes = map(data, ("breast_cancer", "wine", "digits", "diabetes"))
    frame, labels = frame_of_texts(2_000)
    numbers, texts = [c for c in frame if c[0] == "x"], [c for c in frame if c[0] == "c"]
    scaler, logistic, tree = preprocessing.StandardScaler, linear_model.LogisticRegression, DecisionTreeClassifier
    of_texts = preprocessing.OneHotEncoder(handle_unknown="ignore")
    columns = compose.make_column_transformer((scaler(), numbers), (of_texts, texts))
    by_c = {f"C={c}": make_pipeline(columns, logistic(C=c, max_iter=20)) for c in (0.01, 0.1, 1.0, 10.0)}
    kinds = GaussianNB(), logistic(), tree(max_depth=3), KNeighborsClassifier()
    steps = scaler(), decomposition.PCA(10, random_state=0)
    four = {type(model).__name__: make_pipeline(*steps, model) for model in kinds}
    scaled = {str(mean): make_pipeline(scaler(with_mean=mean), logistic()) for mean in (True, False)}
    nb, knn = twice(GaussianNB()), twice(KNeighborsClassifier())
    pair = {"nb": GaussianNB(), "smoothed": GaussianNB(var_smoothing=1e-3)}
    twenty, errors = datasets.make_classification(20_000, 20, random_state=0), ["r2", "neg_mean_squared_error"]
    chosen = feature_selection.SelectFromModel(ensemble.RandomForestClassifier(20, random_state=0))
    grid = {"logisticregression__C": [0.01, 0.1, 1.0, 10.0, 100.0]}
    after = {f"{cv} folds": GridSearchCV(make_pipeline(chosen, logistic(max_iter=20)), grid, cv=cv) for cv in (3, 5)}
    five = {f"k={k}": KNeighborsClassifier(k) for k in (1, 5, 9, 15, 25)}
    return {
        "breast_cancer, GaussianNB, 22 metrics": (nb, *cancer, "3x10", TWENTY_TWO, 5, "1.6"),
        "the same, make_scorer(fbeta_score, beta=2)": (nb, *cancer, "3x10", F2, 7, "1.15"),
        "ColumnTransformer + 4 models, frame of 2,000": (by_c, frame, labels, "1x10", timing.BINARY, 3, "0.45"),
        "StandardScaler + PCA + 4 models, breast_cancer": (four, *cancer, "3x10", timing.BINARY, 5, "0.70"),
        "kNN, n=20,000": (knn, *twenty, "1x5", timing.BINARY, 3, "0.50"),
        "kNN, digits": (knn, *digits, "3x10", timing.MULTICLASS, 5, "0.65"),
        "kNN, breast_cancer": (knn, *cancer, "3x10", timing.BINARY, 7, "0.80"),
        "scaler + LR, wine": (scaled, *wine, "10x10", timing.MULTICLASS, 5, "1.06"),
        "SVC, wine": (twice(SVC()), *wine, "10x10", timing.MULTICLASS[:-1], 5, "1.06"),
        "GaussianNB, digits": (nb, *digits, "3x10", timing.MULTICLASS, 5, "1.06"),
        "Ridge, diabetes": (twice(linear_model.Ridge()), *diabetes, "10x10", errors, 5, "1.06"),
        'GaussianNB pair, breast_cancer, cv="10x10"': (pair, *cancer, "10x10", timing.BINARY, 5, "1.06"),
        LISTED: (pair, *cancer, "10x10", timing.BINARY, 5, "1.06"),
        "searches after selection by a forest, breast_cancer": (after, *cancer, "1x3", timing.BINARY, 3, "0.50"),
        "5 values of k, n=1,000, p=20": (five, *data("n=1,000, p=20"), "10x10", timing.BINARY, 3, "0.08"),
        "5 values of k, breast_cancer": (five, *cancer, "10x10", timing.BINARY, 3, "0.08"),
        "5 values of k, digits": (five, *digits, "10x10", timing.MULTICLASS, 3, "0.08"),
    }


def evaluations() -> None:
    """The largest memory is that of Python and numpy beyond what there was before, in a call of its own."""
    peaks = "MB at most", "MB of cross_validate"
    print(head(("evaluation", "floor, s", "skcompare over it", "cross_validate over it", *peaks, "aim")))
    for what, case in evaluations_of().items():
        *_, rounds, aim = case
        one = rivals(what, case)
        base, *others = np.median(list(timing.interleaved(one, rounds).values()), axis=1)
        megabytes = [f"{peak_bytes(run) / 1e6:.1f}" for run in list(one.values())[1:]]
        timing.row(what, f"{base[0]:.2f}", *(f"{wall:.2f} ({cpu:.2f})" for wall, cpu in others / base), *megabytes, aim)
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
    with parallel_config(backend=backend):
        wall, cpu = timing.timed(evaluator.evaluate, models, X, y)
    return n_fits / wall, 1000 * cpu / n_fits


def parallel() -> None:
    cancer = data("breast_cancer")

    def parent(backend: str) -> str:
        return f"{median([slow_fits(backend, 10, 0.001, *cancer, 2)[1] for _ in range(4)][1:]):.2f}"

    timing.row("parent's ms per fit of 1 ms, loky", parent("loky"), "0.10")
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster):
        timing.row("parent's ms per fit of 1 ms, Dask", parent("dask"), "0.20")
    X, y = datasets.make_classification(2_000, 20, random_state=0)
    models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    _, ours, theirs = contenders(models, X, y, splits_of("10x10", X, y), "10x10", timing.BINARY).values()

    def cold(run: Callable[[int], Any], n_jobs: int) -> float:
        timing.end_workers()
        return timing.timed(run, n_jobs)[0]

    found = [[cold(run, n_jobs) for run in (ours, theirs) for n_jobs in (1, 2)] for _ in range(5)]
    one, two, *peer = np.median(found, axis=0)
    timing.row(f"{one:.1f} s with one job: two jobs, workers to start, over one", f"{two / one:.2f}", "0.8")
    timing.row("cross_validate: the same", f"{peer[1] / peer[0]:.2f}", "")


def scaling() -> None:
    """The constants of docs/scaling.md."""
    X, y = datasets.make_classification(1_000, 20, random_state=0)
    for n_jobs in (10, 30, 100):
        per_second, cpu = slow_fits("threading", 20, 0.01, X, y, n_jobs)
        what = f"{n_jobs} threads, 2,000 fits of 10 ms: fits per second; ms of processor time per fit"
        timing.row(what, f"{per_second:.0f}; {cpu:.2f}", 100 * n_jobs)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2_500_000, 50))  # a GB
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
    for check_data in (False, True):
        before = timing.peak_rss()
        evaluator = PairedEvaluator(cv=5, scoring="accuracy", random_state=0, options=RunOptions(check_data=check_data))
        what = f"two GaussianNB, 5 folds of X of 1 GB, check_data={check_data}"
        timing.once(what, "", evaluator.evaluate, twice(GaussianNB()), X, y)
        timing.row("its memory beyond X, MB", f"{timing.peak_rss() - before:.0f}", "")


def main_of_limits() -> None:
    """How far evaluations reach, beside what is aimed at: time and memory at their largest.

    Run from a checkout: ``python -m benchmarks.engine limits``, or with the parts that are wanted: ``evaluations``,
    ``parallel``, ``scaling``. The figures are medians, as wall time and (processor time of the calling process). Of one
    model there are two, alike.
    """
    timing.limits(main_of_limits.__doc__, evaluations, parallel, scaling)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    run_part(main_of_fits, main_of_cross_val, main_of_limits)
