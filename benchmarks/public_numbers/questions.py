"""What is asked of an evaluation, a study or the report of a search: all of it, through public names."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib import pyplot

import skcompare as skc
from benchmarks.public_numbers.numbers import Numbers

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
    for procedure in ("auto", *(row.name for row in skc.procedures())):
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
    for procedure in (
        "corrected_t_test",
        "paired_t_test",
        "mcnemar_test",
        "delong_test",
        "sign_test",
        "dataset_t_test",
    ):
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
    table = numbers.ask(f"{path}/dominance_table/all", result.dominance_table)
    if table is not None:
        numbers.add_html(f"{path}/dominance_table/notebook", table._repr_html_())
    others = {"metrics": few, "baseline": result.estimators[0], "correction": "bonferroni", "rope": 0.01}
    numbers.ask(f"{path}/dominance_table/some", result.dominance_table, **others)
    numbers.ask(f"{path}/pareto_front/all", result.pareto_front, n_draws=500)
    numbers.ask(f"{path}/pareto_front/some", result.pareto_front, metrics=few, rope=0.01, n_draws=500, rng=3)
    if hasattr(result, "rank"):
        for metric in result.metrics:
            numbers.ask(f"{path}/rank/{metric}", result.rank, metric)
        numbers.ask(f"{path}/rank/bonferroni", result.rank, correction="bonferroni", alpha=0.1)
        return
    for metric in result.metrics:
        found = numbers.ask(f"{path}/detectable/{metric}", result.detectable_difference, metric)
        if found is not None:
            numbers.ask(f"{path}/detectable/{metric}/power at 0.02", found.power_at, 0.02)
    options = {"power": 0.9, "alpha": 0.01, "alternative": "greater", "procedure": "paired_t_test"}
    numbers.ask(f"{path}/detectable/others", result.detectable_difference, **options)


def ask_exports(numbers: Numbers, path: str, result: Any) -> None:
    """Everything that can be printed or handed on, but for the page."""
    for name in ("summary", "to_markdown", "to_latex", "methods_text", "to_frame"):
        numbers.ask(f"{path}/{name}", getattr(result, name, None) or _none)
    if hasattr(result, "to_json"):
        numbers.add(f"{path}/to_json", json.loads(result.to_json()))
    numbers.add_html(f"{path}/notebook", result._repr_html_())
    numbers.add(f"{path}/notebook text", result._repr_html_().rpartition("</table>")[2])


def _none() -> None:
    """No such export."""


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
