"""The papers and the procedures that the numbers of an answer rest on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from skcompare._core.numbers import listed
from skcompare.comparison.table import metrics_by_test
from skcompare.inference._forms import Procedure
from skcompare.inference._guide import (
    CORRECTION_REFERENCES,
    DOMINANCE_REFERENCES,
    EFFECTIVE_CASES_REFERENCES,
    REFERENCES,
    SEQUENTIAL_REFERENCES,
    SOFTWARE_REFERENCES,
)
from skcompare.inference._procedures import PROCEDURES, STUDY_PROCEDURES
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.words import adjusts

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
    assumes: tuple[str, ...]
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
    assumed = {row.name: row.guide.assumes for row in _ROWS}
    return tuple(
        ProcedureUse(name=name, assumes=assumed.get(name, ()), used_for=what, references=keys)
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
    if adjusts(summary) and not summary.sequential:
        over = listed(str(family.n) for family in summary.families if family.n > 1)
        what = f"p-values adjusted over {over} comparisons"
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
