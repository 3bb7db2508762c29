"""Every public number of a fixed set of results, studies, searches, calibrations and plans: before and after a rebuild.

Run from a checkout: ``python -m benchmarks.public_numbers write FILE`` with the old code and with the new, then
``python -m benchmarks.public_numbers compare OLD NEW``. It lists what is lacking, different and new, and exits with
status 1 if a number is lacking or different.

Everything is asked through public names. Words may change: of texts the numbers are taken, in their order.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris, load_wine
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, StratifiedKFold, StratifiedShuffleSplit
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import skcompare as skc
from benchmarks import DATA, read_rows
from benchmarks.numbers_taken import Numbers, compare_files
from skcompare import RunOptions, calibration, inference, planning

# ---- cases ------------------------------------------------------------------------------------------------------


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


def runs(n_tasks: int) -> dict[str, Any]:
    """Five independent runs of each of three models on each task."""
    rng = np.random.default_rng(8)
    task, model, run = (index.ravel() for index in np.indices((n_tasks, 3, 5)))
    names = {"task": [f"task {t}" for t in task], "model": [f"model {m}" for m in model]}
    return names | {"run": run, "score": rng.normal(0.8 + 0.02 * model, 0.03)}


def results() -> Iterator[tuple[str, Any]]:
    """Evaluations: every kind of design and of task, costs, failures, gaps, nested fits, runs, clusters."""
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
    yield (
        "10-fold error score",
        evaluated(faulty, 10, metrics, error_score=0.0, options=RunOptions(keep_predictions=False)),
    )
    yield "table", skc.from_frame(table(4, 5, 5), greater_is_better=direction, n_samples=300)
    both = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)  # nothing else seeds them here
    yield "cross_val_compare", skc.cross_val_compare(*both, X, y)
    yield "cross_val_compare 10", skc.cross_val_compare(*both, X, y, cv=10, scoring=["accuracy", "f1"])
    yield "nested two", evaluated(two(), "2x5", ["accuracy"], cancer(100), intervals="nested")
    yield "runs", skc.from_runs(runs(1))
    labels, rng = y[:80], np.random.default_rng(9)
    predicted = {f"model {m}": np.where(rng.random(80) < 0.9 - m / 10, labels, 1 - labels) for m in range(3)}
    yield "clusters", skc.from_predictions(labels, predicted, scoring="accuracy", clusters=np.arange(80) // 4)


def stopped() -> Iterator[tuple[str, Any]]:
    """Evaluations that ended early, one with models dropped on the way."""
    metrics = ["roc_auc", "accuracy"]
    yield "dropped", evaluated(four(), "6x10", metrics, stop=skc.StopRule())
    pocock = skc.StopRule(metric="accuracy", drop=False, spending="pocock")
    yield "kept", evaluated(four(), "4x10", metrics, stop=pocock)
    alike = {"nb": GaussianNB(), "nb2": GaussianNB(var_smoothing=1e-8)}
    yield "rope", evaluated(alike, "5x5", "accuracy", stop=skc.StopRule(margin=0.05, min_repeats=2))
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
        yield name, skc.StudyResult.from_frame(_read(name))
    direction = {"accuracy": True, "log_loss": False}
    yield "table", skc.StudyResult.from_frame(table(3, 1, 5, n_datasets=8), greater_is_better=direction)
    wide = _read("demsar_2006_auc")
    for i, column in ((1, 2), (4, 3)):
        list(wide.values())[column][i] = np.nan
    yield "runs", skc.from_runs(runs(4))
    for missing in ("keep", "drop"):
        yield f"gaps {missing}", skc.StudyResult.from_frame(wide, missing=missing)


def _read(name: str) -> dict[str, list[Any]]:
    rows = read_rows(DATA / f"{name}.csv")
    return {key: [row[key] if key == "dataset" else float(row[key]) for row in rows] for key in rows[0]}


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
    by_draws = RandomizedSearchCV(tree, drawn, n_iter=6, scoring=metrics, refit=joint, cv=5, random_state=0)
    yield "random by dominance", by_draws


def calibrations() -> Iterator[tuple[str, Any, Any]]:
    """Calibrations with the evaluations that use them."""
    models = {"gauss": GaussianNB(), "coins": BernoulliNB(binarize=15.0)}
    evaluator = skc.PairedEvaluator(5, ["roc_auc", "accuracy", "recall"], random_state=0)
    made = calibration.calibrate(evaluator, models, *cancer(), n_datasets=20)
    yield "labels", made, evaluator.evaluate({**models, **two()}, *cancer(), calibration=made)
    evaluator = skc.PairedEvaluator("2x5", ["accuracy", "roc_auc"], random_state=0)
    blocks = calibration.ExchangeableBlocks(n_samples=120)
    how: dict[str, Any] = {"generator": blocks, "n_datasets": 12, "scheme": "runs", "alpha": 0.1}
    made = calibration.calibrate(evaluator, {"one": GaussianNB()}, **how)
    yield "blocks", made, None


# ---- questions --------------------------------------------------------------------------------------------------


CORRECTIONS = ("bonferroni", "holm", "hochberg", "hommel", "holland", "finner", "li", "rom", "fdr_bh", "fdr_by")
KINDS = (
    *("scores", "differences", "posterior", "simplex", "dominance", "quadrants", "pareto", "roc", "precision_recall"),
    *("pvalues", "win_probabilities", "critical_difference", "datasets", "size"),
)
SEARCH_KINDS = ("candidates", "parameters", "heatmap", "scores", "differences", "pareto", "posterior", "pvalues")
ALTERNATIVES = ("two-sided", "greater", "less")
# Options of procedures: those that must be given, and variants. All others are asked without options.
OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "calibrated_t_test": ({}, {"df": 9.5}, {"scheme": "folds", "df": 7.0}),
    "equivalence_test": ({"margin": 0.02}, {"margin": 0.1, "alpha": 0.1}),
    "correlated_t_posterior": ({}, {"rope": 0.01}),
    "almost_stochastic_order": ({"n_resamples": 100},),
    "permutation_test": ({}, {"n_resamples": 200}),
    "fold_error_rate_test": ({"threshold": 0.1},),
    "error_rate_test": ({"threshold": 0.1}, {"threshold": 0.05, "method": "midp"}),
    "max_t_test": ({"n_resamples": 500},),
    "mcnemar_test": ({}, {"method": "exact"}, {"method": "chi2_corrected"}),
    "paired_metric_test": ({"n_resamples": 500},),
    "paired_bootstrap": ({"n_resamples": 500},),
    "signed_rank_test": ({}, {"zero_method": "wilcox"}),
    "sign_posterior": ({}, {"rope": 0.01}),
    "signed_rank_posterior": ({"n_draws": 2000}, {"rope": 0.01, "n_draws": 2000}),
    "hierarchical_posterior": ({"rope": 0.01},),
    "friedman_test": ({}, {"statistic": "chi2"}, {"tie_correction": False}),
    "anova_test": ({}, {"repeated": False}),
    "control_test": ({"control": 0}, {"control": 1, "correction": "finner"}),
    "pairwise_posterior": ({"rope": 0.01, "n_draws": 2000}, {"method": "sign", "n_draws": 2000}),
    "plackett_luce_posterior": ({"n_draws": 500},),
    **dict.fromkeys(
        ("interquartile_mean", "performance_profile", "probability_of_improvement"), ({"n_resamples": 200},)
    ),
}
SLOW = ("permutation_test", "paired_metric_test", "paired_bootstrap", "almost_stochastic_order")  # on one metric only
ONE_MODEL = ("fold_error_rate_test", "error_rate_test")  # about `a` alone; asked for the first model, one-sided


def ask_result(numbers: Numbers, path: str, result: Any) -> None:
    """All questions that an evaluation or a study answers."""
    numbers.add(path, result)
    ask_scores(numbers, f"{path}/scores of", result)
    ask_procedures(numbers, f"{path}/test", result)
    ask_comparisons(numbers, f"{path}/compare", result)
    ask_joint(numbers, path, result)
    ask_exports(numbers, path, result)
    numbers.add_html(f"{path}/to_html", result.to_html())
    ask_pictures(numbers, f"{path}/plot", result, KINDS)
    ask_saved(numbers, f"{path}/loaded", result)


def ask_scores(numbers: Numbers, path: str, result: Any) -> None:
    """The scores as they can be read."""
    for metric in result.metrics:
        if hasattr(result, "means"):
            numbers.ask(f"{path}/{metric}/means", result.means, metric)
            continue
        numbers.ask(f"{path}/{metric}/difference", result.difference, metric)
        for name in result.estimators:
            numbers.ask(f"{path}/{metric}/{name}", result.score, name, metric)
    if hasattr(result, "splits"):
        numbers.ask(f"{path}/splits", result.splits)
        for name in result.estimators:
            numbers.ask(f"{path}/class_scores/{name}", result.class_scores, name)
            numbers.ask(f"{path}/predictions/{name}", result.predictions, name)
            numbers.ask(f"{path}/to_cross_validate/{name}", result.to_cross_validate, name)


def ask_procedures(numbers: Numbers, path: str, result: Any) -> None:
    """Every procedure that fits: all options, all metrics, both directions, the first pair and the last one turned."""
    last = {"a": result.estimators[-1], "b": result.estimators[0]}
    for procedure in dict.fromkeys(("auto", *(row.name for row in skc.procedures()))):
        of_one = procedure in ONE_MODEL
        metrics = () if procedure in (*SLOW, *ONE_MODEL) else result.metrics[1:]
        for options in OPTIONS.get(procedure, ({},)):
            named = {k: result.estimators[v] if k == "control" else v for k, v in options.items()}
            named |= {"a": result.estimators[0]} if of_one else {}
            place = "/".join([f"{path}/{procedure}", *(f"{k}={v}" for k, v in named.items())])
            first, *sides = ALTERNATIVES[of_one:]
            given = {"alternative": first} if of_one else {}
            if numbers.ask(f"{place}/{first}", result.test, procedure, **given, **named) is None:
                break
            for side in sides:
                numbers.ask(f"{place}/{side}", result.test, procedure, alternative=side, **named)
            for metric in metrics:
                numbers.ask(f"{place}/{metric}", result.test, procedure, metric=metric, **named)
            if len(result.estimators) > 2 and not of_one:
                numbers.ask(f"{place}/last pair", result.test, procedure, **last, **named)


def ask_comparisons(numbers: Numbers, path: str, result: Any) -> None:
    """Tables of tests: corrections, a baseline, a direction, the region of practical equivalence, other tests."""
    for correction in CORRECTIONS:
        numbers.ask(f"{path}/{correction}", lambda by=correction: result.compare(correction=by).to_frame())
    table = numbers.ask(f"{path}/default", result.compare)
    numbers.add_html(f"{path}/notebook", table._repr_html_())
    baseline = result.estimators[-1]
    numbers.ask(f"{path}/baseline", result.compare, baseline=baseline)
    numbers.ask(f"{path}/one-sided", result.compare, baseline=baseline, alternative="greater")
    numbers.ask(f"{path}/less", result.compare, alternative="less", metrics=result.metrics[-1])
    numbers.ask(f"{path}/rope", result.compare, rope=0.01)
    numbers.ask(f"{path}/rope of one", result.compare, rope={result.metrics[0]: 0.02}, metrics=result.metrics[0])
    others = ("corrected_t_test", "paired_t_test", "mcnemar_test", "delong_test", "sign_test", "dataset_t_test")
    for procedure in others:
        numbers.ask(f"{path}/{procedure}", result.compare, procedure)


def ask_joint(numbers: Numbers, path: str, result: Any) -> None:
    """What is asked about all metrics together, the ranking of a study, and what could have been detected."""
    few = result.metrics[:2]
    for method in ("glrt", "dirichlet", "network"):
        place = f"{path}/dominance/{method}"
        drawn = {"n_draws": 1000} if method == "network" else {}
        numbers.ask(f"{place}/all", result.dominance, method, **drawn)
        numbers.ask(f"{place}/rope", result.dominance, method, metrics=few, rope=0.01, **drawn)
        numbers.ask(f"{place}/raw", result.dominance, method, correct_folds=False, **drawn)
        numbers.ask(f"{place}/last", result.dominance, method, a=result.estimators[-1], b=result.estimators[0], **drawn)
    table = numbers.ask(f"{path}/dominance_table/all", result.dominance, "table")
    if table is not None:
        numbers.add_html(f"{path}/dominance_table/notebook", table._repr_html_())
    others = {"metrics": few, "baseline": result.estimators[0], "correction": "bonferroni", "margin": 0.01}
    numbers.ask(f"{path}/dominance_table/some", result.dominance, "table", **others)
    numbers.ask(f"{path}/pareto_front/all", result.pareto_front, n_draws=500)
    numbers.ask(f"{path}/pareto_front/some", result.pareto_front, metrics=few, rope=0.01, n_draws=500, rng=3)
    if hasattr(result, "rank"):
        for metric in result.metrics:
            numbers.ask(f"{path}/rank/{metric}", result.rank, metric)
        numbers.ask(f"{path}/rank/bonferroni", result.rank, correction="bonferroni", alpha=0.1)
        return
    for metric in result.metrics:
        found = numbers.ask(f"{path}/detectable/{metric}", planning.detectable_difference, result, metric)
        if found is not None:
            numbers.ask(f"{path}/detectable/{metric}/power at 0.02", found.power_at, 0.02)
    options = {"power": 0.9, "alpha": 0.01, "alternative": "greater", "procedure": "paired_t_test"}
    numbers.ask(f"{path}/detectable/others", planning.detectable_difference, result, **options)


def ask_exports(numbers: Numbers, path: str, result: Any) -> None:
    """Everything that can be printed or handed on, but for the page."""
    for name in ("summary", "to_markdown", "to_latex", "methods_text", "to_frame"):
        if hasattr(result, name):
            numbers.ask(f"{path}/{name}", getattr(result, name))
    if hasattr(result, "to_json"):
        numbers.add(f"{path}/to_json", json.loads(result.to_json()))
    numbers.add_html(f"{path}/notebook", result._repr_html_())
    numbers.add(f"{path}/notebook text", result._repr_html_().rpartition("</table>")[2])


def ask_pictures(numbers: Numbers, path: str, result: Any, kinds: Sequence[str]) -> None:
    """The table of every picture, drawn."""
    for kind in kinds:
        try:
            display = result.plot(kind)
        except ValueError as error:
            numbers.refused[f"{path}/{kind}"] = str(error)
            continue
        numbers.ask(f"{path}/{kind}", display.frame)
        pyplot.close("all")


def ask_saved(numbers: Numbers, path: str, result: Any) -> None:
    """The same from a file."""
    with tempfile.TemporaryDirectory() as folder:
        result.save(Path(folder) / "saved")
        loaded = skc.load(Path(folder) / "saved")
    numbers.add(path, loaded)
    ask_exports(numbers, path, loaded)
    for procedure in ("auto", "mcnemar", "delong", "friedman", "sign"):
        numbers.ask(f"{path}/test/{procedure}", loaded.test, procedure)
    numbers.ask(f"{path}/compare", loaded.compare)
    numbers.ask(f"{path}/dominance", loaded.dominance, "dirichlet")


def ask_search(numbers: Numbers, path: str, search: Any) -> None:
    """All questions that a report of a search answers, and what its rule chose."""
    report = skc.SearchReport.from_search(search)
    for place, one in ((path, report), (f"{path}/by accuracy", report.by_metric("accuracy"))):
        numbers.add(place, one)
        numbers.ask(f"{place}/best", getattr, one, "best")
        numbers.ask(f"{place}/not_significantly_different", one.not_significantly_different)
        numbers.ask(f"{place}/settings", one.settings)
        ask_exports(numbers, place, one)
    numbers.add_html(f"{path}/to_html", report.to_html())
    ask_pictures(numbers, f"{path}/plot", report, SEARCH_KINDS)
    numbers.ask(f"{path}/compare", report.compare)
    numbers.ask(f"{path}/compare some", report.compare, 3, metrics="accuracy", correction="fdr_bh", rope=0.01)
    numbers.ask(f"{path}/compare auto", report.compare, 3, baseline=report.best.name, procedure="auto")
    numbers.ask(f"{path}/dominance_table", report.dominance_table, 4, correction="bonferroni", rope=0.01)
    numbers.add(f"{path}/strict", skc.SearchReport.from_search(search, metric="accuracy", alpha=0.01).ranking)
    leaders = numbers.ask(f"{path}/result", report.result, 4)
    ask_exports(numbers, f"{path}/result", leaders)
    if hasattr(search.refit, "choice_"):
        numbers.add(f"{path}/choice_", search.refit.choice_)


# ---- other questions --------------------------------------------------------------------------------------------


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
    simple = skc.simplest_within("accuracy", complexity="model_size", rule="rope", margin=0.03)
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
    options: dict[str, Any] = {"models": models, "n_datasets": 12}
    sized = numbers.ask("size", calibration.size, procedures, 5, blocks, ["accuracy", "recall"], **options)
    numbers.ask("size/at", sized.at, 0.1)
    numbers.ask("size/plot", lambda: sized.plot().frame())
    pyplot.close("all")
    better = calibration.ExchangeableBlocks(n_samples=80, signal=0.2, signal_b=0.8)
    powered = numbers.ask("power", calibration.power, procedures[:2], "2x5", better, ["accuracy"], **options)
    numbers.ask("power/at", powered.at, 0.1)
    data = calibration.RandomData(n_samples=60)
    options = {"models": {"nb": GaussianNB(), "knn": KNeighborsClassifier()}, "n_datasets": 6, "n_repeats": 4}
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
    for name, args, options in (
        ("alpha_spending", (10, 10), {"n_comparisons": 3}),
        ("nested_cv_interval", (rng.random((4, 3, 5)), rng.random((4, 3, 2, 5))), {}),
        ("proportion_interval", (17, 40), {}),
        ("roc_points", (y, score), {}),
        ("precision_recall_points", (y, score), {}),
        ("break_even_point", (y, score), {}),
        ("expected_cost", (y, score), {"cost_false_positive": 3.0}),
        ("dominance_counts", (a, b), {}),
        ("cochran_q_test", (a[:, :1] * rng.normal(1, 0.02, 4) > 0.8,), {"method": "exact"}),
        ("effective_cases", (100, 0.1), {}),
        ("stochastic_dominance_test", (a, b), {"n_resamples": 200, "rng": 0}),
        ("critical_difference", (5, 20), {}),
        ("interquartile_mean", (runs,), {"n_resamples": 200, "rng": 0}),
        ("performance_profile", (runs,), {"n_resamples": 200, "rng": 0}),
        ("probability_of_improvement", (a, b), {"n_resamples": 200, "rng": 0}),
        ("study_power", (0.02,), {"std": 0.05, "n_datasets": 20}),
        ("calibrate", (rng.normal(0, 1, (60, 2, 5)),), {}),
    ):
        numbers.ask(f"inference/{name}", getattr(inference, name), *args, **options)


# ---- main -------------------------------------------------------------------------------------------------------


def take_all() -> Numbers:
    """All numbers."""
    numbers = Numbers()
    kept: dict[str, Any] = {}
    for kind, made in (("result", results()), ("stopped", stopped()), ("study", studies())):
        for name, result in made:
            kept[f"{kind}/{name}"] = result
            ask_result(numbers, f"{kind}/{name}", result)
    ask_searches(numbers)
    ask_selectors(numbers)
    ask_calibrations(numbers)
    ask_planning(numbers, kept["result/10x10 two"], kept["study/evaluated two"])
    ask_inference(numbers)
    ask_tracking(numbers, kept["result/10x10 two"], kept["study/evaluated four"])
    ask_command(numbers, kept["result/random splits four"])
    numbers.add("procedures", {row.name: row.measured_size for row in skc.procedures()})
    return numbers


def main(arguments: Sequence[str]) -> int:
    mpl.use("Agg")
    warnings.simplefilter("ignore")
    if len(arguments) == 3 and arguments[0] == "compare":
        return 0 if compare_files(*arguments[1:]) else 1
    if len(arguments) == 2 and arguments[0] == "write":
        numbers = take_all()
        numbers.write(arguments[1])
        print(f"{len(numbers.found)} paths, {len(numbers.refused)} questions that do not fit")
        asked = {path.split("/test/")[1].split("/")[0] for path in numbers.found if "/test/" in path}
        lacking = [row.name for row in skc.procedures() if row.name not in asked]
        if lacking:
            print(f"procedures that no result was asked for: {', '.join(lacking)}", file=sys.stderr)
        return 1 if lacking else 0
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
