"""Which papers the numbers of a result or a study rest on, and what a methods section must say of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skcompare.inference._procedure import Procedure
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._references import (
    CORRECTION_REFERENCES,
    DOMINANCE_REFERENCES,
    EFFECTIVE_CASES_REFERENCES,
    REFERENCES,
    SEQUENTIAL_REFERENCES,
    SOFTWARE_REFERENCES,
)
from skcompare.inference.datasets._procedures import STUDY_PROCEDURES

_ROWS: tuple[Procedure, ...] = (*PROCEDURES, *STUDY_PROCEDURES)


def citations(summary: Mapping[str, Any]) -> list[dict[str, str]]:
    """The papers behind a summary, in the order in which its numbers come.

    Parameters
    ----------
    summary : mapping
        Of a result or a study.

    Returns
    -------
    list of dict
        ``key`` in `REFERENCES`, ``text`` (authors, year, title, venue), ``doi`` (may be empty), and ``used_for``: the
        numbers of the summary that rest on the paper.
    """
    used: dict[str, list[str]] = {}
    for _, keys, what in _uses(summary):
        for key in keys:
            used.setdefault(key, []).append(what)
    return [
        {"key": key, "text": REFERENCES[key].text, "doi": REFERENCES[key].doi, "used_for": "; ".join(what)}
        for key, what in used.items()
    ]


def procedures_used(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The procedures behind a summary: what each assumes, what rests on it, and the keys of its papers."""
    assumed = {row.name: row.assumes for row in _ROWS}
    return [
        {"name": name, "assumes": assumed.get(name, ""), "used_for": what, "references": list(keys)}
        for name, keys, what in _uses(summary)
        if name
    ]


def _uses(summary: Mapping[str, Any]) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """Procedures with their papers, and the numbers that rest on them; software has no procedure."""
    yield *_procedure(summary["procedure"]), "p-value and interval of every comparison"
    if summary.get("calibration") and summary["calibration"]["without"]:
        yield *_procedure(summary["calibration"]["instead"]), "p-value and interval of comparisons not calibrated"
    if summary.get("stopping"):
        yield "alpha_spending", SEQUENTIAL_REFERENCES, "sequential verdict"
    if summary["n_hypotheses"] > 1:
        correction = summary["correction"]
        yield (
            correction,
            CORRECTION_REFERENCES[correction],
            f"p-values adjusted over {summary['n_hypotheses']} comparisons",
        )
    if summary.get("rankings"):
        yield *_procedure("friedman_test"), "test that all models are equally good on a metric"
        yield *_procedure("pairwise_signed_rank_test"), "groups of models that are not told apart"
    if summary["joint"]:
        yield "dominance_test", DOMINANCE_REFERENCES["glrt"], "statements on all metrics together and their p-values"
        yield "dominance_posterior", DOMINANCE_REFERENCES["dirichlet"], "probability of the most probable statement"
        if "datasets" not in summary:
            yield "effective_cases", EFFECTIVE_CASES_REFERENCES, "number of independent cases that the splits are worth"
    if "versions" in summary["provenance"]:
        yield "", SOFTWARE_REFERENCES, "fitting and scoring the models"


def procedure_references(name: str) -> tuple[str, ...]:
    """The papers of a procedure on one data set or on several."""
    return next(row.references for row in _ROWS if row.name == name)


def _procedure(name: str) -> tuple[str, tuple[str, ...]]:
    return name, procedure_references(name)


def citations_by_key() -> dict[str, tuple[str, str]]:
    """Author and year, and the BibTeX entry, of every paper by key."""
    return {key: (reference.citation, reference.bibtex()) for key, reference in REFERENCES.items()}
