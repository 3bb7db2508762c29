"""What the HTML report shows beyond the summary: sufficient statistics, pictures, sources, what reproduces it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from skcompare.comparison.compare import Scores, compare, run_procedure
from skcompare.inference._references import (
    CORRECTION_REFERENCES,
    DOMINANCE_REFERENCES,
    EFFECTIVE_CASES_REFERENCES,
    REFERENCES,
)
from skcompare.inference.datasets._procedures import find_study_procedure
from skcompare.reporting.summary.sources import citations, procedure_references
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

# The levels at which the page has the intervals of a test that it cannot compute itself.
STUDY_ALPHAS = (0.1, 0.05, 0.01, 0.005, 0.001)
RESULT_FIELDS = ("metric", "a", "b", "meanA", "meanB", "estimate", "error", "df", "scale", "wins", "ties", "losses")
STUDY_FIELDS = ("metric", "a", "b", "meanA", "meanB", "estimate", "pvalue", "lead", "intervals")
# Kinds of plots, and what each shows.
RESULT_FIGURES = {
    "scores": "The score of every model on every split; lines join the scores of one split.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
    "pareto": "Two metrics at once: the models that no other one beats on both.",
    "roc": "ROC curves of the models, with the spread over the folds.",
}
PAIR_FIGURES = ("dominance", "datasets")
STUDY_FIGURES = {
    "critical_difference": "Mean ranks over the data sets; a bar joins models that are not told apart.",
    "datasets": "The scores of the two leading models, one mark per data set.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
}


def result_report(
    result: EvaluationScores, summary: Mapping[str, Any], figures: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """All that the page of an evaluation shows: plain values, and drawn Displays of some kinds."""
    return {
        "summary": summary,
        "fields": RESULT_FIELDS,
        "rows": [_result_row(result, summary, row) for row in summary["rows"]],
        "assumes": summary["assumes"],
        "figures": figures,
        "procedures": list(_result_procedures(summary)),
        "sources": _sources(summary, "correlated_t_posterior"),
        "splits": [("", result.design.name, result.design.split_hash)],
    }


def study_report(
    study: StudyScores, summary: Mapping[str, Any], figures: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """All that the page of a study shows: plain values, and drawn Displays."""
    return {
        "summary": summary,
        "fields": STUDY_FIELDS,
        "rows": [_study_row(study, summary, row) for row in summary["rows"]],
        "alphas": STUDY_ALPHAS,
        "scores": [_oriented_means(study, m) for m in range(len(study.metrics))],
        "assumes": find_study_procedure(summary["procedure"], n_models=2).assumes,
        "figures": figures,
        "procedures": list(_study_procedures(summary)),
        "sources": _sources(summary, "sign_posterior"),
        "splits": [(name, one.design.name, one.design.split_hash) for name, one in study.results.items()],
        "failures": [(failure.dataset, failure.message) for failure in study.failures],
    }


# ---- sufficient statistics ------------------------------------------------------------------------------------


def _result_row(result: EvaluationScores, summary: Mapping[str, Any], row: Mapping[str, Any]) -> list[Any]:
    record = _record(result, summary, row)
    statistics: tuple[float | None, ...] = (None,) * 4
    if record is not None:
        posterior = run_procedure(result, "correlated_t_posterior", metric=row["metric"], a=row["a"], b=row["b"])
        statistics = (record.estimate, record.standard_error, record.df, posterior.scale)
    return [
        *_cell(result, row),
        *map(_plain, (row["mean_a"], row["mean_b"], *statistics)),
        *(row[name] for name in ("wins", "ties", "losses")),
    ]


def _study_row(study: StudyScores, summary: Mapping[str, Any], row: Mapping[str, Any]) -> list[Any]:
    record = _record(study, summary, row)
    means = (_plain(row["mean_a"]), _plain(row["mean_b"]))
    if record is None:
        return [*_cell(study, row), *means, None, None, None, [(None, None)] * len(STUDY_ALPHAS)]
    intervals = [record.confidence_interval(1 - alpha) for alpha in STUDY_ALPHAS]
    lead = record.rank_sum_a - record.rank_sum_b
    ends = [(_plain(interval.low), _plain(interval.high)) for interval in intervals]
    return [*_cell(study, row), *means, _plain(record.estimate), _plain(record.pvalue), _plain(lead), ends]


def _record(result: Scores, summary: Mapping[str, Any], row: Mapping[str, Any]) -> Any:
    """The test record of a row, None where the pair has no scores to test."""
    procedure = "auto" if summary.get("calibration") else summary["procedure"]
    table = compare(result, procedure)
    return next(one.record for one in table if (one.metric, one.a, one.b) == (row["metric"], row["a"], row["b"]))


def _cell(result: Scores, row: Mapping[str, Any]) -> tuple[int, int, int]:
    """Which metric and which two models, as positions."""
    names = result.estimators
    return result.metrics.index(row["metric"]), names.index(row["a"]), names.index(row["b"])


def _oriented_means(study: StudyScores, m: int) -> list[list[Any]]:
    """Mean scores of one metric by data set and model, turned so that larger is better."""
    sign = 1.0 if study.greater_is_better[m] else -1.0
    return [[_plain(sign * score) for score in scores] for scores in study.means(study.metrics[m]).tolist()]


def _plain(value: float | None) -> float | str | None:
    """A number as JSON can hold it: None for nan, a text for infinity."""
    if value is None or np.isnan(value):
        return None
    return float(value) if np.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


# ---- pictures -------------------------------------------------------------------------------------------------


def leading_pair(summary: Mapping[str, Any]) -> dict[str, str]:
    """The two best models on the first metric: not the two that differ most, whose p-value would be a chosen one."""
    names = list(summary["estimators"])
    if summary.get("rankings"):
        names = [model["name"] for model in summary["rankings"][0]["models"]]
    elif len(names) > 2 and "means" in summary["metrics"][0]:
        metric = summary["metrics"][0]
        sign = -1.0 if metric["greater_is_better"] else 1.0
        means = dict(zip(names, metric["means"], strict=True))
        names.sort(key=lambda name: np.nan_to_num(sign * means[name], nan=np.inf))
    return {"a": names[0], "b": names[1]}


# ---- sources --------------------------------------------------------------------------------------------------


def _sources(summary: Mapping[str, Any], posterior: str) -> list[dict[str, str]]:
    """The papers behind the page, each once."""
    found = citations(summary)
    known = {source["key"] for source in found}
    return found + [
        {"key": key, "text": REFERENCES[key].text, "doi": REFERENCES[key].doi, "used_for": "practical equivalence"}
        for key in procedure_references(posterior)
        if key not in known
    ]


Line = dict[str, Any]


def _line(number: str, procedure: str, keys: Sequence[str] = ()) -> Line:
    return {"number": number, "procedure": procedure, "keys": list(keys)}


def _result_procedures(summary: Mapping[str, Any]) -> Iterator[Line]:
    """Which procedure made each number."""
    name = summary["procedure"]
    yield _line("mean a, mean b", "mean score over the splits on which both models have one, in the metric's own units")
    yield _line("a − b", "difference of the two means; positive favours a, also where less is better")
    yield _line("interval, p", f"{name}, two-sided, for each comparison alone", procedure_references(name))
    if summary.get("calibration") and summary["calibration"]["without"]:
        instead = summary["calibration"]["instead"]
        yield _line("the same, not calibrated", f"{instead}, two-sided", procedure_references(instead))
    yield from _adjustment(summary)
    yield _line("w/t/l", "splits that a wins, ties and loses; they overlap, so this is a description, not a test")
    yield _line(
        "P(b better), P(equal), P(a better)",
        "correlated_t_posterior with the region of practical equivalence (ROPE) that was chosen"
        + ("" if name == "corrected_t_test" else "; its standard error is that of corrected_t_test, not the test's"),
        procedure_references("correlated_t_posterior"),
    )
    yield from _joint(summary, EFFECTIVE_CASES_REFERENCES, ", on the number of independent cases the splits are worth")


def _study_procedures(summary: Mapping[str, Any]) -> Iterator[Line]:
    name = summary["procedure"]
    if summary["rankings"]:
        yield _line("mean rank", "ranks of the models on each data set, 1 the best, averaged over the data sets")
        friedman = procedure_references("friedman_test")
        yield _line("p of a ranking", "friedman_test: are all models equally good?", friedman)
        pairs = procedure_references("pairwise_signed_rank_test")
        yield _line("group", "models that share a letter are not told apart: pairwise_signed_rank_test", pairs)
    yield _line("mean a, mean b", "mean over the data sets of the mean scores, in the metric's own units")
    yield _line("a − b", "median difference over pairs of data sets (Hodges and Lehmann); positive favours a")
    yield _line("interval, p", f"{name}, two-sided, one case per data set", procedure_references(name))
    yield from _adjustment(summary)
    yield _line("w/t/l", "data sets that a wins, ties and loses; a difference within the ROPE is a tie")
    yield _line(
        "P(b better), P(equal), P(a better)",
        "sign_posterior: the probability that this is the most frequent outcome on a data set, given the ROPE",
        procedure_references("sign_posterior"),
    )
    yield from _joint(summary, (), ", every data set one case")


def _adjustment(summary: Mapping[str, Any]) -> Iterator[Line]:
    if summary["n_hypotheses"] > 1:
        what = f"p adjusted by the method of {summary['correction'].capitalize()} over all {summary['n_hypotheses']}"
        yield _line("p adj., verdict", f"{what} comparisons", CORRECTION_REFERENCES[summary["correction"]])


def _joint(summary: Mapping[str, Any], more: Sequence[str], cases: str) -> Iterator[Line]:
    if summary["joint"]:
        test = (*DOMINANCE_REFERENCES["glrt"], *more)
        yield _line("all metrics together", f"likelihood-ratio test of the most frequent pattern{cases}", test)
        posterior = "Dirichlet posterior of the patterns"
        yield _line("probability of a pattern", posterior, DOMINANCE_REFERENCES["dirichlet"])
