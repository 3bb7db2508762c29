"""What the report of a search shows, computed once as plain values, and its page with drawn Displays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from skcompare._core.warnings import Code, CodedWarning
from skcompare._reportable import drawn
from skcompare.comparison.answer import answer
from skcompare.inference._overlap import Correction, default_t_test
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._references import CORRECTION_REFERENCES, DOMINANCE_REFERENCES, EFFECTIVE_CASES_REFERENCES
from skcompare.plotting._kinds import make_display, make_search_display
from skcompare.reporting._words import interval_at
from skcompare.reporting.summary.evaluation import joint_rows, summarise
from skcompare.reporting.summary.page import NumberSource, result_report
from skcompare.reporting.summary.search import SearchPage, SearchSummary
from skcompare.reporting.summary.sources import cited, procedure_references
from skcompare.results import EvaluationResult
from skcompare.selection._search_answer import search_answer
from skcompare.selection._search_findings import SearchFindings
from skcompare.tables.candidate_names import first_of

MAX_JOINT = 3
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


def summarise_search(report: SearchFindings, n_rows: int | None = None) -> SearchSummary:
    """Everything that the report shows; of the ranking the first rows, by default all."""
    tested = [row for row in report.ranking if np.isfinite(row.pvalue)]
    design, compared = report.design, _best_and_next(report)
    joints = tuple(row for row in joint_rows(compared) if row.a == report.best.name)
    return SearchSummary(
        search=report.search,
        design=design.name,
        n_splits=design.n_splits,
        n_samples=design.n_samples,
        train_size=float(np.mean(design.train_sizes)) if design.train_sizes else None,
        test_size=float(np.mean(design.test_sizes)) if design.test_sizes else None,
        test_fraction=design.test_fraction,
        fold_correlation=Correction.of(design).fold_correlation,
        split_hash=design.split_hash,
        metric=report.metric,
        metrics=report.metrics,
        alpha=report.alpha,
        procedure=report.confidence_set.method,
        n_candidates=len(report.ranking),
        n_tested=max(2, len(report._different)),
        answer=search_answer(report),
        n_best=sum(row.rank == 1 for row in tested),
        n_pairs=compared.selected.n_pairs if compared.selected else 0,
        next=tuple(answer(compared).pair(joint.a, joint.b) for joint in joints),
        best_mean=report.best.mean,
        ranking=report.ranking[:n_rows],
        effects=report.effects,
        selection_bias=report.selection_bias,
        joint=joints,
        warnings=(*report.warnings, *_effect_warnings(report)),
        provenance=report.provenance,
        means=_means(report),
    )


def _means(report: SearchFindings) -> dict[str, list[float]]:
    """By metric the means of all candidates, in the order of the ranking."""
    places = {name: i for i, name in enumerate(report.names)}
    means = report.scores.mean(axis=1)[[places[row.name] for row in report.ranking]]
    return dict(zip(report.metrics, means.T.tolist(), strict=True))


def _best_and_next(report: SearchFindings) -> EvaluationResult:
    """The best and the next ones of the ranking, as an evaluation."""
    return report.result(min(MAX_JOINT + 1, len(report.ranking)))


def _effect_warnings(report: SearchFindings) -> list[CodedWarning]:
    """The warnings about the parameters: one that all share is said once, of others the first few."""
    found = [warning for effect in report.effects for warning in effect.warnings]
    code = Code.UNBALANCED.name
    unbalanced = [one.parameter for one in report.effects if any(warning.code == code for warning in one.warnings)]
    if len(unbalanced) < 2:
        return found
    differing = "candidates that differ in one of these also differ in others"
    shared = Code.UNBALANCED(f"{differing}, and an additive model parts their effects.", about=unbalanced)
    return [*(warning for warning in found if warning.code != code), shared.at(first_of(unbalanced))]


# ---- the page -------------------------------------------------------------------------------------------------


def search_page(report: SearchFindings) -> SearchPage:
    """All that the page shows: the search, its pictures, and the leading candidates as a result."""
    leading = report.result()
    names = dict(zip(leading.estimators, _short_names(report, leading.estimators), strict=True))
    # Patterns of wins stand above, of the best against the next ones.
    summary = summarise(leading, with_joint=False)
    # Where the result says again what the report says it stands once, above.
    own = tuple(warning for warning in summary.warnings if warning not in report.warnings)
    summary = replace(summary, warnings=own)
    search = summarise_search(report)
    short = replace(leading, estimators=tuple(names.values()))
    pictures = drawn(partial(make_display, short), LEADER_FIGURES, {"scores": {"metric": report.metric}})
    leaders = result_report(leading, summary, pictures)
    leaders = replace(leaders, summary=renamed(summary, names))
    lines = _procedures(report, bool(search.joint))
    uses = [(key, line.number) for line in lines for key in line.keys]
    uses += [(source.key, source.used_for) for source in leaders.sources]
    assumed = next(row.guide.assumes for row in PROCEDURES if row.name == "selection_bias").replace("; ", ", ")
    leaders = replace(
        leaders,
        procedures=(*lines, *leaders.procedures),
        assumes=f"{leaders.assumes}; for the bias-corrected score {assumed}",
        sources=cited(uses),
    )
    return SearchPage(
        search=search,
        figures=drawn(partial(make_search_display, report, report.result), SEARCH_FIGURES, {}),
        leaders=leaders,
        named_by=[effect.parameter for effect in report.effects],
    )


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A record with other names for its models; what a row was computed from stays."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, (tuple, list)):
        return type(value)(renamed(item, names) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        kept = ("record", "metric", "provenance", "warnings")
        parts = {field.name: getattr(value, field.name) for field in fields(value) if field.name not in kept}
        return replace(value, **{name: renamed(part, names) for name, part in parts.items()})
    return value


def _short_names(report: SearchFindings, names: Sequence[str]) -> tuple[str, ...]:
    """The place of candidates in the ranking and their values, the parameters with the largest effects first."""
    settings = report.settings()
    short = []
    for name in names:
        place, i = [row.name for row in report.ranking].index(name) + 1, report.names.index(name)
        values = [settings[effect.parameter][i] or "–" for effect in report.effects]
        short.append(f"#{place} ({', '.join(values) or name})")
    return tuple(short)


def _procedures(report: SearchFindings, joint: bool) -> list[NumberSource]:
    """Which procedure made each number of the search."""
    candidates, best_set = f"{len(report.ranking)} candidates", "model_confidence_set"
    test = default_t_test(report.design)
    tests = f"{test} of each candidate against the best, each alone"
    among = f"{best_set}: which of the {candidates} may be the best, adjusted for all comparisons among them"
    reward = f"selection_bias: the best mean less the reward for picking it among {candidates}"
    lines = [
        _line(f"ranking: mean {report.metric}", "mean over the splits, in the metric's own units, greater is better"),
        _line(f"ranking: less the best, {interval_at(1 - report.alpha)}", tests, procedure_references(test)),
        _line("ranking: p adj., verdict", among, procedure_references(best_set)),
        _line("bias-corrected score", reward, procedure_references("selection_bias")),
    ]
    if report.effects:
        share = "share of the variance of the candidates' means that lies between the values of the parameter"
        values = f"{best_set} of the means by value; adjusted over the parameters by the method of Holm"
        papers = (*procedure_references(best_set), *CORRECTION_REFERENCES["holm"])
        lines += [_line("parameters: share", share), _line("parameters: adjusted p", values, papers)]
    if joint:
        papers = (*DOMINANCE_REFERENCES["glrt"], *EFFECTIVE_CASES_REFERENCES, *DOMINANCE_REFERENCES["dirichlet"])
        statements = (
            "likelihood-ratio test of the most frequent pattern, on the number of independent cases the splits are "
            "worth, its p times the number of pairs of candidates; Dirichlet posterior of the patterns"
        )
        lines.append(_line("all metrics together", statements, papers))
    return lines


def _line(number: str, procedure: str, papers: tuple[str, ...] = ()) -> NumberSource:
    return NumberSource(number=number, procedure=procedure, keys=papers)
