"""What reports cost, on many models too: ``python -m benchmarks.reports limits``."""

from __future__ import annotations

import tomllib
import warnings
from collections.abc import Callable
from functools import partial
from math import log
from operator import methodcaller
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import matplotlib as mpl
import numpy as np
from sklearn import datasets
from sklearn import model_selection as cv_of
from sklearn.decomposition import PCA
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import skcompare as skc
from benchmarks import run_part
from benchmarks.timing import BINARY, limits, medians, numbers_printed, once, peak_of, peak_rss, printed, row, timed

# ---- whole processes --------------------------------------------------------------------------------------------


PROCESSES = tomllib.loads(Path(__file__).with_name("processes.toml").read_text(encoding="utf-8"))


def starts() -> None:
    """Imports, the command's help, and the README's comparison, in processes of their own by turns."""
    rows = {one["what"]: one for one in PROCESSES["rows"]}
    contenders = {what: partial(printed, *one["command"]) for what, one in rows.items()}
    for what, (seconds, _) in medians(contenders, 11).items():
        row(what, f"{seconds:.2f}", rows[what]["aim"])
    program = ("-c", PROCESSES["compare"], *PROCESSES["rows"][-1]["command"][2:])
    beside, fits = np.median([numbers_printed(*program) for _ in range(11)], axis=0)
    row("of it fits and predictions", f"{fits:.2f}", "")
    row("of it beside these and scikit-learn's imports", f"{beside:.2f}", "0.3")


# ---- many models ------------------------------------------------------------------------------------------------


METRICS = ("accuracy", "f1_macro", "balanced_accuracy", "roc_auc", "precision_macro")
PAGES: dict[str, Callable[[Any], Any]] = {
    f"{name}()": methodcaller(name) for name in ("compare", "dominance_table", "summary", "to_json", "to_html")
}
VIEWS = ("summary()", "to_json()", "to_html()")
MACROS = ("f1_macro", "precision_macro", "recall_macro", "balanced_accuracy")
PAGES["summary()"] = lambda result: str(result.summary())


def scored(
    n_models: int, repeats: int, n_metrics: int = 5, seed: int = 0, spread: float = 0.02
) -> skc.EvaluationResult:
    """Scores of our making on ten folds, once or several times; a level per model and per split."""
    rng = np.random.default_rng(seed)
    n = repeats * 10
    scores = rng.normal(0.8, spread, (1, n, n_metrics)) + rng.normal(0, spread, (n_models, 1, n_metrics))
    scores = np.clip(scores + rng.normal(0, 0.02, (n_models, n, n_metrics)), 0, 1)
    model, split, metric = (places.ravel() for places in np.indices(scores.shape))
    columns = {"model": np.array([f"model {i}" for i in range(n_models)])[model], "metric": np.array(METRICS)[metric]}
    return skc.from_frame(
        {**columns, "repeat": split // 10, "fold": split % 10, "score": scores.ravel()}, n_samples=1000
    )


PAIR_TESTS = {
    "mcnemar_test": "accuracy",
    "delong_test": "roc_auc",
    **dict.fromkeys(("paired_metric_test", "paired_bootstrap", "permutation_test"), "accuracy"),
}


def pages() -> None:
    for what, aim in zip(PAGES, ("0.1", "0.3", "0.3", "0.5", "3"), strict=True):
        once(f"{what}, 50 models x 5 metrics", aim, PAGES[what], scored(50, 10))
    once("summary(), 200 models x 1 metric", "3", PAGES["summary()"], scored(200, 10, 1))
    with TemporaryDirectory() as folder:
        path = Path(folder, "two.skc")
        models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
        cancer = datasets.load_breast_cancer(return_X_y=True)
        skc.PairedEvaluator("10x10", BINARY, random_state=0).evaluate(models, *cancer).save(path)
        seconds = median(numbers_printed("-c", PROCESSES["first_page"], str(path))[0] for _ in range(5))
        row("first to_html() in a process", f"{seconds:.2f}", "0.8")


def many() -> None:
    """Views of very many models, one after the other in one process: the first one compares all pairs."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 20_000)
    wrong = rng.random((200, y.size)) < np.linspace(0.2, 0.16, 200)[:, None]
    given = {f"model {i}": np.where(one, 1 - y, y) for i, one in enumerate(wrong)}
    few = {name: one[:2_000] for name, one in [*given.items()][:50]}
    fewer = {name: one[:500] for name, one in few.items()}
    kinds = rng.integers(0, 3, 2_000)
    called = {f"model {i}": np.where(rng.random(2_000) < 0.8, kinds, (kinds + 1) % 3) for i in range(20)}
    macro = skc.from_predictions(kinds, called, scoring="f1_macro")
    ten = rng.integers(0, 10, 2_000)
    guesses = {f"model {i}": np.where(rng.random(2_000) < 0.8, ten, rng.integers(0, 10, 2_000)) for i in range(10)}
    macros = skc.from_predictions(ten, guesses, scoring=MACROS)
    a = rng.integers(200, size=50_000)
    b = (a + rng.integers(1, 200, a.size)) % 200
    arena = {"model_a": a, "model_b": b, "winner": np.where(rng.logistic(size=a.size) < (a - b) / 100, "a", "b")}
    items = {m: {name: 1.0 * (rng.random(1_000) < 0.7) for name in given} for m in ("first", "second", "third")}
    made = {
        "1,000 models x 5 metrics x 100 splits": (scored(1_000, 10), ("1.5", "2", "3")),
        "200 models x 20,000 samples, accuracy": (skc.from_predictions(y, given, scoring="accuracy"), ("", "", "4")),
        "200 models x 20,000 samples, 4 metrics": (skc.from_predictions(y, given), ("", "", "4")),
        "50 models x 2,000 samples, 4 metrics": (skc.from_predictions(y[:2_000], few), ("2", "", "")),
        "50 models x 500 samples, 4 metrics": (skc.from_predictions(y[:500], fewer), ("2", "", "")),
        "20 models x 2,000 samples, macro F1 of 3 classes": (macro, ("", "", "")),
        "10 models x 2,000 samples, 4 macro metrics of 10 classes": (macros, ("", "", "")),
        "50,000 judgments of 200 systems": (skc.from_judgments(arena), ("2", "", "")),
        "200 models x 1,000 items x 3 metrics": (skc.from_outcomes(items), ("2", "", "")),
    }
    for what, (result, aims) in made.items():
        for name, aim in zip(VIEWS, aims, strict=True):
            once(f"{name}, {what}", aim, PAGES[name], result)
    made_of = (scored(n, 10) for n in (250, 1_000))
    few_s, many_s = ([timed(PAGES[view], one)[1] for view in VIEWS] for one in made_of)
    powers = {"summary()": log(many_s[0] / few_s[0], 4), "all three": log(sum(many_s) / sum(few_s), 4)}
    for what, power in powers.items():
        row(f"growth of processor time, power of 250 to 1,000 models, {what}", f"{power:.2f}", "1.2")
    for name in VIEWS:
        row(
            f"MB of {name} at most, 1,000 models x 5 metrics x 100 splits",
            f"{peak_of(PAGES[name], scored(1_000, 10)):.0f}",
            "100",
        )


def predictions() -> None:
    X, y = datasets.make_classification(2_000, 20, n_informative=5, flip_y=0.1, random_state=0)
    models = {
        f"nb{i}": make_pipeline(PCA(1 + i % 20), GaussianNB(var_smoothing=10.0 ** (i // 20 - 3))) for i in range(50)
    }
    evaluator = skc.PairedEvaluator(cv=cv_of.KFold(10, shuffle=True, random_state=0), scoring=["accuracy", "roc_auc"])
    with TemporaryDirectory() as folder:
        path = Path(folder, "fifty.skc")
        evaluator.evaluate(models, X, y).save(path)
        for (name, metric), aim in zip(PAIR_TESTS.items(), ("0.3", "0.5", "3", "5", "1"), strict=True):
            once(f'compare("{name}"), 50 models', aim, skc.load(path).compare, name, metrics=metric)


def studies() -> None:
    results = {f"data{d}": scored(10, 10, 1, seed=d) for d in range(100)}
    with TemporaryDirectory() as folder:
        path = Path(folder, "study.skc")
        skc.StudyResult.from_results(results).save(path)
        once("load a study of 100 data sets x 10 models", "1", skc.load, path)
        study, again = skc.load(path), skc.load(path)
        once("its pairwise posteriors", "1", study.test, "pairwise_posterior")
        once("Plackett-Luce", "1", study.test, "plackett_luce_posterior")
        once("its page", "1", again.to_html)
    wide = skc.StudyResult.from_results({f"data{d}": scored(200, 10, 1, seed=d) for d in range(20)})
    once("summary() of a study of 20 data sets x 200 models", "1", wide.summary)


def fitted_search(n_candidates: int, n_splits: int) -> Any:
    """A random search with scores of our making: depth matters, and all candidates share the luck of the split."""
    rng = np.random.default_rng(0)
    drawn = {"max_depth": rng.integers(1, 20, n_candidates), "min_samples_leaf": rng.integers(1, 50, n_candidates)}
    drawn["ccp_alpha"] = rng.uniform(0, 0.1, n_candidates)
    columns = {name: one.tolist() for name, one in drawn.items()}
    search = cv_of.RandomizedSearchCV(DecisionTreeClassifier(), {"max_depth": [1]}, scoring="accuracy", cv=n_splits)
    params = [dict(zip(columns, one, strict=True)) for one in zip(*columns.values(), strict=True)]
    level = 0.8 + 0.01 * np.array(columns["max_depth"]) + 0.002 * np.array(columns["min_samples_leaf"])
    table: dict[str, Any] = {"params": params, "mean_fit_time": rng.uniform(0.01, 0.1, n_candidates)}
    scores = level[:, None] + rng.normal(0, 0.03, n_splits) + rng.normal(0, 0.02, (n_candidates, n_splits))
    table |= {f"split{i}_test_score": scores[:, i] for i in range(n_splits)}
    table["mean_test_score"] = scores.mean(axis=1)
    search.cv_results_, search.n_splits_ = table, n_splits
    return search


def report_of(search: Any) -> None:
    found = skc.SearchReport.from_search(search)
    str(found.summary())
    found.to_html()


def searches() -> None:
    search, before = fitted_search(10_000, 10), peak_rss()
    once("SearchReport of 10,000 candidates x 10 splits, summary and page", "3", report_of, search)
    row("its memory, MB", f"{peak_rss() - before:.0f}", "300")


def main_of_limits() -> None:
    """How far reports, predictions, searches and studies reach, beside what is aimed at.

    Run from a checkout: ``python -m benchmarks.reports limits``, or with the parts that are wanted: ``starts``,
    ``pages``, ``many``, ``predictions``, ``searches``, ``studies``. Every figure but those of processes is of one call
    on scores that were not looked at before, as wall time and (processor time).
    """
    limits(main_of_limits.__doc__, starts, pages, many, predictions, searches, studies)


if __name__ == "__main__":
    mpl.use("Agg")
    warnings.simplefilter("ignore")
    run_part(main_of_limits)
