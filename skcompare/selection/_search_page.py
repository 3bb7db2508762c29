"""What the page of a search shows: the search, and drawn Displays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from skcompare._reportable import drawn
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._references import (
    CORRECTION_REFERENCES,
    DOMINANCE_REFERENCES,
    EFFECTIVE_CASES_REFERENCES,
)
from skcompare.plotting._kinds import make_display, make_search_display
from skcompare.reporting.summary.evaluation import summarise
from skcompare.reporting.summary.page import NumberSource, result_report
from skcompare.reporting.summary.search import SearchPage
from skcompare.reporting.summary.sources import cited, procedure_references
from skcompare.selection._search_findings import SearchFindings
from skcompare.selection._search_ranking import RANKING_TEST
from skcompare.selection._search_summary import summarise_search

# Kinds of plots, and what each shows.
SEARCH_FIGURES = {
    "candidates": "The candidates in their ranking. Filled: not significantly different from the best, all comparisons "
    "allowed for. A bar is the interval of the difference to the best for that candidate alone.",
    "parameters": "The mean score by the values of each parameter, averaged over all other settings.",
    "heatmap": "The two parameters with the largest effects at once.",
}
LEADER_FIGURES = {
    "scores": "The score of every leading candidate on every split; lines join the scores of one split.",
    "pareto": "Two metrics at once: the leading candidates that no other of them beats on both.",
}


def search_page(report: SearchFindings) -> SearchPage:
    """All that the page shows: the search, its pictures, and the leading candidates as a result."""
    leading = report.result()
    leading = replace(leading, estimators=_short_names(report, leading.estimators))
    # Joint verdicts are among the leading only, and stand above for all.
    summary = summarise(leading, with_joint=False, procedure=RANKING_TEST)
    # Where the result says again what the report says it stands once, above.
    summary = replace(
        summary, warnings=tuple(warning for warning in summary.warnings if warning not in report.warnings)
    )
    search = summarise_search(report)
    pictures = drawn(partial(make_display, leading), LEADER_FIGURES, {"scores": {"metric": report.metric}})
    leaders = result_report(leading, summary, pictures)
    lines = _procedures(report, bool(search.joint))
    uses = [(key, line.number) for line in lines for key in line.keys]
    uses += [(source.key, source.used_for) for source in leaders.sources]
    leaders = replace(
        leaders,
        procedures=(*lines, *leaders.procedures),
        assumes=f"{leaders.assumes}; for the bias-corrected score {_assumed('selection_bias')}",
        sources=cited(uses),
    )
    return SearchPage(
        search=search,
        figures=drawn(partial(make_search_display, report, report.result), SEARCH_FIGURES, {}),
        leaders=leaders,
        named_by=[effect.parameter for effect in report.effects],
    )


def _short_names(report: SearchFindings, names: Sequence[str]) -> tuple[str, ...]:
    """The place of candidates in the ranking and their values, the parameters with the largest effects first."""
    settings = report.settings()
    short = []
    for name in names:
        place, i = [row.name for row in report.ranking].index(name) + 1, report.names.index(name)
        values = [settings[effect.parameter][i] or "–" for effect in report.effects]
        short.append(f"#{place} ({', '.join(values) or name})")
    return tuple(short)


def _assumed(name: str) -> str:
    """What a procedure assumes, as one of several things that are assumed."""
    return next(row.guide.assumes for row in PROCEDURES if row.name == name).replace("; ", ", ")


def _procedures(report: SearchFindings, joint: bool) -> list[NumberSource]:
    """Which procedure made each number of the search."""
    candidates = f"{len(report.ranking)} candidates"
    rows = [
        (f"ranking: mean {report.metric}", "mean over the splits, in the metric's own units, greater is better", ()),
        (
            "ranking: less the best, 95% interval",
            f"{RANKING_TEST} of each candidate against the best, each alone",
            procedure_references(RANKING_TEST),
        ),
        (
            "ranking: p adj., verdict",
            f"model_confidence_set: which of the {candidates} may be the best, adjusted for all comparisons among them",
            procedure_references("model_confidence_set"),
        ),
        (
            "bias-corrected score",
            f"selection_bias: the best mean less the reward for picking it among {candidates}",
            procedure_references("selection_bias"),
        ),
        (
            "parameters: share",
            "share of the variance of the candidates' means that lies between the values of the parameter",
            (),
        ),
        (
            "parameters: adjusted p",
            "model_confidence_set of the means by value; adjusted over the parameters by the method of Holm",
            (*procedure_references("model_confidence_set"), *CORRECTION_REFERENCES["holm"]),
        ),
    ]
    shown = rows if report.effects else rows[:-2]
    if joint:
        shown = [*shown, _joint_line()]
    return [NumberSource(number=number, procedure=text, keys=keys) for number, text, keys in shown]


def _joint_line() -> tuple[str, str, tuple[str, ...]]:
    papers = (*DOMINANCE_REFERENCES["glrt"], *EFFECTIVE_CASES_REFERENCES, *DOMINANCE_REFERENCES["dirichlet"])
    return (
        "all metrics together",
        "likelihood-ratio test of the most frequent pattern, on the number of independent cases the splits are worth, "
        "its p times the number of pairs of candidates; Dirichlet posterior of the patterns",
        papers,
    )
