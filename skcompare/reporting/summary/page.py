"""What the HTML report shows beyond the summary: sufficient statistics, pictures, sources, what reproduces it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.numbers import one_of
from skcompare.comparison.cases import by_case
from skcompare.comparison.compare import run_procedure
from skcompare.comparison.pairs import Scores
from skcompare.comparison.spread import does_not_vary
from skcompare.comparison.table import ComparisonRow, metrics_by_test
from skcompare.inference._forms import Procedure
from skcompare.inference._guide import (
    CORRECTION_REFERENCES,
    DOMINANCE_REFERENCES,
    EFFECTIVE_CASES_REFERENCES,
    REFERENCES,
    SEQUENTIAL_REFERENCES,
    SOFTWARE_REFERENCES,
)
from skcompare.inference._overlap import default_t_test
from skcompare.inference._procedures import PROCEDURES, STUDY_PROCEDURES
from skcompare.reporting.summary.evaluation import EvaluationSummary, shown_rows
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

# Which procedures and papers the numbers of a result or a study rest on.


_ROWS: tuple[Procedure, ...] = (*PROCEDURES, *STUDY_PROCEDURES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A paper, and what rests on it.

    Attributes
    ----------
    key : str
        In `REFERENCES`.
    text : str
        Authors, year, title, venue.
    doi : str
        May be empty.
    used_for : str
        The numbers that rest on the paper.
    """

    key: str
    text: str
    doi: str
    used_for: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureUse:
    """A procedure: what it assumes, the numbers that rest on it, and the keys of its papers."""

    name: str
    assumes: str
    used_for: str
    references: tuple[str, ...]


def citations(summary: ComparedSummary) -> tuple[Citation, ...]:
    """The papers behind a summary, in the order in which its numbers come."""
    return cited((key, what) for _, keys, what in _uses(summary) for key in keys)


def cited(uses: Iterable[tuple[str, str]]) -> tuple[Citation, ...]:
    """Papers by their keys, each once with all that rests on it."""
    used: dict[str, list[str]] = {}
    for key, what in uses:
        used.setdefault(key, []).append(what)
    return tuple(
        Citation(key=key, text=REFERENCES[key].text, doi=REFERENCES[key].doi, used_for="; ".join(what))
        for key, what in used.items()
    )


def procedures_used(summary: ComparedSummary) -> tuple[ProcedureUse, ...]:
    """The procedures behind a summary."""
    assumed = {row.name: "; ".join(row.guide.assumes) for row in _ROWS}
    return tuple(
        ProcedureUse(name=name, assumes=assumed.get(name, ""), used_for=what, references=keys)
        for name, keys, what in _uses(summary)
        if name
    )


def _uses(summary: ComparedSummary) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Procedures with their papers, and the numbers that rest on them; software has no procedure."""
    tests = metrics_by_test(summary.rows) or {summary.procedure: ()}
    for test, metrics in tests.items():
        which = "every comparison" if len(tests) == 1 else f"comparisons on {', '.join(metrics)}"
        yield *_procedure(test), f"p-value and interval of {which}"
    if isinstance(summary, EvaluationSummary):
        if summary.calibration and summary.calibration.without:
            yield *_procedure(summary.calibration.instead), "p-value and interval of comparisons not calibrated"
        if summary.sequential:
            yield "alpha_spending", SEQUENTIAL_REFERENCES, "sequential verdict"
    if any(one.n > 1 for one in summary.families) and not summary.sequential:
        what = f"p-values adjusted over {_n_compared(summary)} comparisons"
        yield summary.correction, CORRECTION_REFERENCES[summary.correction], what
    if isinstance(summary, StudySummary) and summary.rankings:
        for test in omnibus_tests(summary):
            yield *_procedure(test), "test that all models are equally good on a metric"
        pairs = "groups of models that are not significantly different"
        yield *_procedure("pairwise_signed_rank_test"), pairs
    if summary.joint:
        yield "dominance_test", DOMINANCE_REFERENCES["glrt"], "statements on all metrics together and their p-values"
        yield "dominance_posterior", DOMINANCE_REFERENCES["dirichlet"], "probability of the most probable statement"
        if isinstance(summary, EvaluationSummary) and summary.kind == "folds":
            yield "effective_cases", EFFECTIVE_CASES_REFERENCES, "number of independent cases that the splits are worth"
    if "versions" in summary.provenance:
        yield "", SOFTWARE_REFERENCES, "fitting and scoring the models"


def omnibus_tests(summary: StudySummary) -> list[str]:
    """The tests that all models are equal, each once."""
    tests = ("skillings_mack_test" if "Skillings" in one.method else "friedman_test" for one in summary.rankings)
    return list(dict.fromkeys(tests))


def procedure_references(name: str) -> tuple[str, ...]:
    """The papers of a procedure on one data set or on several."""
    return next(row.guide.references for row in _ROWS if row.name == name)


def _procedure(name: str) -> tuple[str, tuple[str, ...]]:
    return name, procedure_references(name)


def citations_by_key() -> Mapping[str, tuple[str, str]]:
    """Author and year, and the BibTeX entry, of every paper by key."""
    return {key: (reference.citation, reference.bibtex()) for key, reference in REFERENCES.items()}


STUDY_FIELDS = ("metric", "a", "b", "still", "meanA", "meanB", "estimate")
RESULT_FIELDS = (*STUDY_FIELDS, "scale", "wins", "ties", "losses")
# Kinds of plots, and what each shows.
RESULT_FIGURES = {
    "scores": "The score of every model on every split; lines join the scores of one split.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
    "pareto": "Two metrics at once: the models that no other one beats on both.",
    "roc": "ROC curves of the models, with the spread over the folds.",
}
CASE_FIGURES = {
    "dominance": RESULT_FIGURES["dominance"],
    "pareto": RESULT_FIGURES["pareto"],
    "roc": "ROC curves of the models.",
}
RUN_FIGURES = {
    "scores": "The score of every run of every model.",
    "pareto": RESULT_FIGURES["pareto"],
}
PAIR_FIGURES = ("dominance", "datasets")
STUDY_FIGURES = {
    "critical_difference": "Mean ranks over the data sets; a bar joins models that are not significantly different.",
    "datasets": "The scores of the two leading models, one mark per data set.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn matplotlib figure, its kind, and what it shows."""

    kind: str
    caption: str
    figure: Any


@dataclass(frozen=True, slots=True)
class NumberSource:
    """Which procedure made a number of the page, and the keys of its papers."""

    number: str
    procedure: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """All that the page of an evaluation or a study shows.

    Attributes
    ----------
    summary : ComparedSummary
        What all reports show.
    fields : tuple of str
        What each entry of a row is; `RESULT_FIELDS` or `STUDY_FIELDS`.
    rows : sequence of list
        Per comparison that is shown the sufficient statistics, as JSON can hold them.
    assumes : tuple of str
        What the procedures take for granted, parted by semicolons.
    figures : sequence of Figure
        Drawn.
    procedures : sequence of NumberSource
        Where each number comes from.
    sources : sequence of Citation
        The papers.
    splits : sequence of (str, str, str)
        Data set, design, and hash of the splits.
    scores : sequence of list
        Of a study by metric the mean scores by data set and model, greater is better.
    failures : sequence of (str, str)
        Data sets that are not there, and why.
    posterior : bool
        Whether the page can tell of practical equivalence.
    """

    summary: ComparedSummary
    fields: tuple[str, ...]
    rows: Sequence[list[Any]]
    assumes: tuple[str, ...]
    figures: Sequence[Figure]
    procedures: Sequence[NumberSource]
    sources: Sequence[Citation]
    splits: Sequence[tuple[str, str, str]]
    scores: Sequence[list[list[Any]]] = ()
    failures: Sequence[tuple[str, str]] = ()
    posterior: bool = True


def result_report(result: EvaluationScores, summary: EvaluationSummary, figures: Sequence[Figure]) -> Page:
    """All that the page of an evaluation shows."""
    folds = result.design.kind == "folds"
    scale_of = _fold_scale if folds else _case_scale
    scales = [None if row.record is None else scale_of(result, row) for row in shown_rows(summary)]
    known = any(scale is not None for scale in scales)
    posterior = known or (folds and not result.design.time_order)
    return Page(
        summary=summary,
        fields=RESULT_FIELDS,
        rows=[
            [*_tested_row(result, row), plain(scale), row.wins, row.ties, row.losses]
            for row, scale in zip(shown_rows(summary), scales, strict=True)
        ],
        posterior=posterior,
        assumes=summary.assumes,
        figures=figures,
        procedures=tuple(_result_procedures(summary, default_t_test(result.design))),
        sources=_sources(summary, "correlated_t_posterior") if posterior else citations(summary),
        splits=[("", result.design.name, result.design.split_hash)],
    )


def study_report(study: StudyScores, summary: StudySummary, figures: Sequence[Figure]) -> Page:
    """All that the page of a study shows."""
    return Page(
        summary=summary,
        fields=STUDY_FIELDS,
        rows=[_tested_row(study, row) for row in shown_rows(summary)],
        scores=[_oriented_means(study, m) for m in range(len(study.metrics))],
        assumes=summary.assumes,
        figures=figures,
        procedures=tuple(_study_procedures(summary)),
        sources=_sources(summary, "sign_posterior"),
        splits=[(name, one.design.name, one.design.split_hash) for name, one in study.results.items()],
        failures=[(failure.dataset, failure.message) for failure in study.failures],
    )


# ---- sufficient statistics ------------------------------------------------------------------------------------


def _fold_scale(result: EvaluationScores, row: ComparisonRow) -> float | None:
    """The scale of the posterior on splits, that of the test if it is the default; in time order there is none."""
    if result.design.time_order:
        return None
    of_test = row.procedure in (default_t_test(result.design), "")
    return float(row.record.standard_error) if of_test else _posterior_scale(result, row)


def _case_scale(result: EvaluationScores, row: ComparisonRow) -> float | None:
    """The same where every case has a value of its own and stands alone."""
    known = by_case(result, row.metric) and result.design.n_clusters is None
    return _posterior_scale(result, row) if known else None


def _posterior_scale(result: EvaluationScores, row: ComparisonRow) -> float:
    return float(run_procedure(result, "correlated_t_posterior", metric=row.metric, a=row.a, b=row.b).scale)


def _tested_row(scores: Scores, row: ComparisonRow) -> list[Any]:
    estimate = None if row.record is None else row.record.estimate
    return [*_comparison(scores, row), *map(plain, (row.mean_a, row.mean_b, estimate))]


def _n_compared(summary: ComparedSummary) -> str:
    """How many comparisons each family has, such as ``3 and 12``."""
    return " and ".join(str(one.n) for one in summary.families)


def _comparison(result: Scores, row: ComparisonRow) -> tuple[int, int, int, bool]:
    """Which metric and which two models, as positions, and whether it was not tested since nothing varies."""
    names = result.estimators
    still = not row.outcome.tested and does_not_vary(row.warnings)
    return result.metrics.index(row.metric), names.index(row.a), names.index(row.b), still


def _oriented_means(study: StudyScores, m: int) -> list[list[Any]]:
    """Mean scores of one metric by data set and model, turned so that larger is better."""
    sign = 1.0 if study.greater_is_better[m] else -1.0
    return [[plain(sign * score) for score in scores] for scores in study.means(study.metrics[m]).tolist()]


def plain(value: float | None) -> float | str | None:
    """A number as JSON can hold it: None for nan, a text for infinity."""
    if value is None or np.isnan(value):
        return None
    return float(value) if np.isfinite(value) else ("Infinity" if value > 0 else "-Infinity")


# ---- pictures -------------------------------------------------------------------------------------------------


def figures_of(summary: ComparedSummary) -> Mapping[str, str]:
    """The kinds of plots that a page can have, and what each shows."""
    if isinstance(summary, EvaluationSummary):
        figures = {"folds": RESULT_FIGURES, "runs": RUN_FIGURES}.get(summary.kind, CASE_FIGURES)
        return {kind: shown for kind, shown in figures.items() if kind != "dominance" or not summary.time_order}
    return STUDY_FIGURES


def leading_pair(summary: ComparedSummary) -> dict[str, str]:
    """The leader and the best of the others on the first metric: not the two whose p-value is the smallest."""
    leader = summary.answer.metrics[0].leader
    first = next(metric for metric in summary.metrics if metric.name == summary.answer.metrics[0].metric)
    merits = dict(zip(summary.estimators, np.nan_to_num(first.merits, nan=-np.inf), strict=True))
    names = sorted(merits, key=lambda name: (name != leader, -merits[name]))
    return {"a": names[0], "b": names[1]}


# ---- sources --------------------------------------------------------------------------------------------------


def _sources(summary: ComparedSummary, posterior: str) -> tuple[Citation, ...]:
    """The papers behind the page, each once."""
    found = citations(summary)
    known = {source.key for source in found}
    return found + cited((key, "practical equivalence") for key in procedure_references(posterior) if key not in known)


def _result_procedures(summary: EvaluationSummary, of_posterior: str) -> Iterator[NumberSource]:
    """Which procedure made each number."""
    name = summary.procedure
    if summary.kind != "folds":
        yield from _case_procedures(summary)
        return
    in_time = summary.time_order and "diebold_mariano_test" in metrics_by_test(summary.rows)
    what = "mean over the samples of all test sets" if in_time else "mean score over the splits on which both have one"
    yield NumberSource("mean a, mean b", f"{what}, in the metric's own units")
    yield NumberSource("a − b", "difference of the two means; positive favours a, also where less is better")
    yield _interval(summary, name)
    if summary.calibration and summary.calibration.without:
        instead = summary.calibration.instead
        yield NumberSource("the same, not calibrated", f"{instead}, two-sided", procedure_references(instead))
    yield from _adjustment(summary)
    yield NumberSource(
        "w/t/l", "splits that a wins, ties and loses; they overlap, so this is a description, not a test"
    )
    if summary.time_order:
        return
    yield NumberSource(
        "P(b better), P(equivalent), P(a better)",
        "correlated_t_posterior with the region of practical equivalence (ROPE) that was chosen"
        + ("" if name == of_posterior else f"; its standard error is that of {of_posterior}, not the test's"),
        procedure_references("correlated_t_posterior"),
    )
    yield from _joint(summary, EFFECTIVE_CASES_REFERENCES, ", on the number of independent cases the splits are worth")


def _interval(summary: ComparedSummary, test: str, on: str = "") -> NumberSource:
    together = not summary.sequential and any(family.n > 1 for family in summary.families)
    held = ", wide enough for all comparisons adjusted together" if together else ""
    return NumberSource(f"interval{on}", f"{test}, two-sided{held}", procedure_references(test))


def _case_procedures(summary: EvaluationSummary) -> Iterator[NumberSource]:
    """The same of one test set and of items."""
    one, tests = one_of(summary.kind), metrics_by_test(summary.rows)
    of = "score on the test set" if summary.kind == "samples" else f"mean over the {summary.kind}"
    yield NumberSource("mean a, mean b", f"{of}, in the metric's own units")
    yield NumberSource("a − b", "difference of the two; positive favours a, also where less is better")
    for test, metrics in tests.items():
        on = f" ({', '.join(metrics)})" if len(tests) > 1 else ""
        yield _interval(summary, test, on)
    yield from _adjustment(summary)
    if any(row.wins + row.ties + row.losses for row in summary.rows):
        own = f", on metrics on which a {one} has a value of its own" if summary.kind == "samples" else ""
        yield NumberSource("w/t/l", f"{summary.kind} that a wins, ties and loses{own}; this describes, it is no test")
        if summary.n_clusters is None:
            posterior = f"correlated_t_posterior over the {summary.kind}, which are taken to be independent"
            yield NumberSource(
                "P(b better), P(equivalent), P(a better)",
                f"{posterior}, with the region of practical equivalence (ROPE) that was chosen{own}",
                procedure_references("correlated_t_posterior"),
            )
    yield from _joint(summary, (), f", every {one} one case" if summary.n_clusters is None else ", as many as clusters")


def _study_procedures(summary: StudySummary) -> Iterator[NumberSource]:
    name, cases = summary.procedure, summary.answer.cases
    one = one_of(cases)
    if summary.rankings:
        yield NumberSource("mean rank", f"ranks of the models on each {one}, 1 the best, averaged over the {cases}")
        pairs = procedure_references("pairwise_signed_rank_test")
        for test in omnibus_tests(summary):
            what = "are all models equally good?" if test == "friedman_test" else "the same where scores are missing"
            yield NumberSource("p of a ranking", f"{test}: {what}", procedure_references(test))
        alike = "models that share a letter are not significantly different: pairwise_signed_rank_test"
        yield NumberSource("group", alike, pairs)
    yield NumberSource("mean a, mean b", f"mean over the {cases} of the mean scores, in the metric's own units")
    yield NumberSource("a − b", f"median difference over pairs of {cases} (Hodges and Lehmann); positive favours a")
    yield NumberSource("interval", f"{name}, two-sided, one case per {one}", procedure_references(name))
    yield from _adjustment(summary)
    yield NumberSource("w/t/l", f"{cases} that a wins, ties and loses; a difference within the ROPE is a tie")
    yield NumberSource(
        "P(b better), P(equivalent), P(a better)",
        f"sign_posterior: the probability that this is the most frequent outcome on a {one}, given the ROPE",
        procedure_references("sign_posterior"),
    )
    yield from _joint(summary, (), f", every {one} one case")


def _adjustment(summary: ComparedSummary) -> Iterator[NumberSource]:
    if any(one.n > 1 for one in summary.families) and not summary.sequential:
        what = f"p adjusted by the method of {summary.correction.capitalize()} over {_n_compared(summary)}"
        yield NumberSource("p adj., outcome", f"{what} comparisons", CORRECTION_REFERENCES[summary.correction])


def _joint(summary: ComparedSummary, more: Sequence[str], cases: str) -> Iterator[NumberSource]:
    if summary.joint:
        test = (*DOMINANCE_REFERENCES["glrt"], *more)
        yield NumberSource("all metrics together", f"likelihood-ratio test of the most frequent pattern{cases}", test)
        posterior = "Dirichlet posterior of the patterns"
        yield NumberSource("probability of a pattern", posterior, DOMINANCE_REFERENCES["dirichlet"])
