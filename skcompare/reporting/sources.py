"""The papers and the procedures that the numbers of an answer rest on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from skcompare._core.numbers import listed
from skcompare.comparison.table import metrics_by_test
from skcompare.inference._guide import (
    CORRECTION_REFERENCES,
    DOMINANCE_REFERENCES,
    EFFECTIVE_CASES_REFERENCES,
    SEQUENTIAL_REFERENCES,
    SOFTWARE_REFERENCES,
    guides,
    references,
)
from skcompare.inference._procedures import default_for
from skcompare.reporting.findings import Findings
from skcompare.reporting.words import adjusts, uncalibrated
from skcompare.scores.study import StudyScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A paper, and what rests on it.

    Attributes
    ----------
    key : str
        In `references`.
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

    def __str__(self) -> str:
        return f"{self.text}{self.doi and f' doi:{self.doi}'} For: {self.used_for}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureUse:
    """A procedure: what it assumes, the numbers that rest on it, and the keys of its papers."""

    name: str
    assumes: tuple[str, ...]
    used_for: str
    references: tuple[str, ...]


def citations(found: Findings) -> tuple[Citation, ...]:
    """The papers behind an answer, in the order in which its numbers come, each once with all that rests on it."""
    used: dict[str, list[str]] = {}
    for _, keys, what in _uses(found):
        for key in keys:
            used.setdefault(key, []).append(what)
    papers = references()
    return tuple(
        Citation(key=key, text=papers[key].text, doi=papers[key].doi, used_for="; ".join(what))
        for key, what in used.items()
    )


def procedures_used(found: Findings) -> tuple[ProcedureUse, ...]:
    """The procedures behind an answer."""
    assumed = {name: guide.assumes for name, guide in guides().items()}
    return tuple(
        ProcedureUse(name=name, assumes=assumed.get(name, ()), used_for=what, references=keys)
        for name, keys, what in _uses(found)
        if name
    )


def _uses(found: Findings) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Procedures with their papers, and the numbers that rest on them; software has no procedure."""
    scores, compared = found.scores, found.comparison
    tests = metrics_by_test(compared.rows) or {compared.procedure: ()}
    for test, metrics in tests.items():
        which = "every comparison" if len(tests) == 1 else f"comparisons on {', '.join(metrics)}"
        yield *_procedure(test), f"p-value and interval of {which}"
    if not isinstance(scores, StudyScores) and scores.design.estimated:
        judged = "bradley_terry" if scores.design.kind == "judgments" else "prediction_powered_test"
        yield *_procedure(judged), "score of every model"
    if not isinstance(scores, StudyScores) and scores.calibration and uncalibrated(scores.calibration, compared.rows):
        yield *_procedure(default_for(scores.design).procedure), "p-value and interval of comparisons not calibrated"
    if compared.sequential:
        yield "alpha_spending", SEQUENTIAL_REFERENCES, "sequential verdict"
    elif adjusts(compared):
        over = listed(str(family.n) for family in compared.families if family.n > 1)
        what = f"p-values adjusted over {over} comparisons"
        yield compared.correction, CORRECTION_REFERENCES[compared.correction], what
    gapped = ["Skillings" in one.omnibus.method for one in found.rankings if one.omnibus is not None]
    if gapped:
        for test in dict.fromkeys("skillings_mack_test" if gaps else "friedman_test" for gaps in gapped):
            yield *_procedure(test), "test that all models are equally good on a metric"
        pairs = "groups of models that are not significantly different"
        yield *_procedure("pairwise_signed_rank_test"), pairs
    if found.joint:
        yield "dominance_test", DOMINANCE_REFERENCES["glrt"], "statements on all metrics together and their p-values"
        yield "dominance_posterior", DOMINANCE_REFERENCES["dirichlet"], "probability of the most probable statement"
        if not isinstance(scores, StudyScores) and scores.design.kind == "folds":
            yield "effective_cases", EFFECTIVE_CASES_REFERENCES, "number of independent cases that the splits are worth"
    if "versions" in scores.provenance:
        yield "", SOFTWARE_REFERENCES, "fitting and scoring the models"


def _procedure(name: str) -> tuple[str, tuple[str, ...]]:
    return name, guides()[name].references
