"""What the script of a page computes with: numbers, positions and outcomes; it makes the words itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from skcompare._core.numbers import equal_to
from skcompare.comparison.answer import smallest_pvalue
from skcompare.comparison.answered import MetricAnswer
from skcompare.comparison.dominance_table import DominanceRow
from skcompare.comparison.table import ALPHA, ComparisonRow
from skcompare.reporting._words import cases_of, pairs_legend
from skcompare.reporting.answer import over
from skcompare.reporting.summary.leading import leading_models, shown_rows
from skcompare.reporting.summary.page import Page
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.verdict import sentences, title
from skcompare.scores.criteria import is_judged

_COSTS = ("fit_time", "predict_time", "model_size", "peak_memory", "complexity", "n_parameters")
_GAP = "\x00"  # in no text


def in_units_of_its_own(summary: ComparedSummary, metric: str) -> bool:
    """Whether no difference on another metric can be set beside one on this."""
    return metric in _COSTS or is_judged(summary.provenance, metric)


def script_data(page: Page, columns: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The data that the page holds for its script."""
    summary = page.summary
    study = isinstance(summary, StudySummary)
    position = {name: i for i, name in enumerate(summary.estimators)}
    position_of = {metric.name: m for m, metric in enumerate(summary.metrics)}
    omnibus = {on.metric: on for on in summary.answer.metrics if isfinite(on.omnibus)}
    return {
        "study": study,
        "alpha": ALPHA if summary.sequential else summary.alpha,  # there it is the level of intervals alone
        "alphas": page.alphas,
        "models": summary.estimators,
        "sequential": summary.answer.sequential,
        "baseline": position.get(summary.answer.baseline or ""),
        "over": over(summary.answer),
        "said": sentences(summary),
        "untested": [position_of[name] for name in summary.answer.untested],
        "smallest": smallest_pvalue(summary.rows),
        "cases": cases_of(summary),
        "posterior": "Bayesian sign test" if study else "correlated t posterior",
        "metrics": [
            {
                "name": metric.name,
                "merits": [merit if isfinite(merit) else None for merit in metric.merits],
                "means": [mean if isfinite(mean) else None for mean in metric.means] if study else None,
                "less": not metric.greater_is_better,
                "span": metric.span if isfinite(metric.span) else None,
                "cost": in_units_of_its_own(summary, metric.name),
                "oneUnit": all(on.one_unit for on in summary.answer.metrics if on.metric == metric.name),
                "omnibus": _omnibus(omnibus[metric.name]) if metric.name in omnibus else None,
            }
            for metric in summary.metrics
        ],
        "columns": columns,
        "fields": page.fields,
        "rows": page.rows,
        "decided": [_decided(row, position) for row in shown_rows(summary) if summary.answer.sequential],
        "scores": page.scores,
        "selected": _selected(summary),
        "leading": bool(leading_models(summary)),
        "joint": [] if leading_models(summary) else [_joint(joint, summary) for joint in summary.joint],
        "legend": _legend(summary),
    }


def _legend(summary: ComparedSummary) -> list[str]:
    """The legend of a copied table, in three parts: the script says between them what is marked how, and the level."""
    legend = pairs_legend(summary, _GAP, _GAP, costs=False)
    if summary.sequential:
        legend += _GAP  # the level is said
    elif summary.n_hypotheses < 2:
        legend = legend.replace(f"{summary.procedure}.", f"{summary.procedure}; p not adjusted.", 1)
    if len(summary.estimators) == 2:
        a, b = summary.estimators
        legend = legend.replace("a - b is positive where a is better", f"{a} - {b} is positive where {a} is better")
    before, between, after = legend.split(_GAP)
    return [f"{title(summary)}: {before}", between, after]


def _omnibus(on: MetricAnswer) -> dict[str, Any]:
    """The test that all models are equal on a metric."""
    return {"pvalue": on.omnibus, "test": on.omnibus_test, "said": equal_to("p", on.omnibus), "n": on.n_datasets}


def _decided(row: ComparisonRow, position: Mapping[str, int]) -> tuple[str, int | None]:
    """What looks at the scores decided, which the script cannot know."""
    return row.outcome.value, None if row.winner is None else position[row.winner]


def _selected(summary: ComparedSummary) -> dict[str, Any] | None:
    """The adjusted p-values and for how many comparisons, where the script knows only some of these.

    It does so of candidates of a search, and of many models.
    """
    if summary.sequential or (summary.correction == "holm" and not leading_models(summary)):
        return None
    pvalues = [row.pvalue_adjusted if isfinite(row.pvalue_adjusted) else None for row in shown_rows(summary)]
    return {"adjusted": pvalues, "n": summary.n_hypotheses}


def _joint(joint: DominanceRow, summary: ComparedSummary) -> dict[str, Any]:
    """The statement on all metrics of one pair, models and metrics as positions; the names of metrics may be alike."""
    names = [metric.name for metric in summary.metrics]
    return {
        "i": summary.estimators.index(joint.a),
        "j": summary.estimators.index(joint.b),
        "metrics": [names.index(metric) for metric in joint.metrics],
        "statement": joint.statement,
        "probable": joint.most_probable,
        "adjusted": joint.pvalue_adjusted,
        "smallest": joint.smallest_pvalue,
        "probability": joint.probability,
    }
