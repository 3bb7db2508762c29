"""Results and studies as JSON documents; `skcompare/reporting/schemas` holds what they look like."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from math import isfinite
from typing import Any

from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.intervals import ScoreIntervals
from skcompare.comparison.table import ComparisonRow, plain_row
from skcompare.reporting import error_rate
from skcompare.reporting.document import Document, Grid
from skcompare.reporting.short import short
from skcompare.reporting.sources import citations, procedures_used
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.words import verdict
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import plain_stopping
from skcompare.scores.study import StudyScores

FORMAT = 2
# Fields of a row that only a region of practical equivalence fills.
_ASKED = ("left", "rope", "right", "null")  # by an option of `compare`
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})  # what most values are


def result_json(result: EvaluationScores, summary: EvaluationSummary) -> str:
    """A result and its summary as strict JSON."""
    head = {
        "format": FORMAT,
        "kind": "result",
        "estimators": result.estimators,
        "metrics": [
            {
                "name": metric.name,
                "greater_is_better": metric.greater_is_better,
                "means": metric.means,
                "deviations": metric.deviations,
            }
            for metric in summary.metrics
        ],
        "intervals": None if summary.intervals is None else _intervals(summary.intervals),
        "design": _design(result.design),
        "seeds": None if not summary.seeds else _seeds(result, summary),
        "task": result.task,
        "positive_class": summary.positive_class,
        "scores": result.scores,
        "failures": [*map(asdict, result.failures)],
        "stopping": None if summary.stopping is None else plain_stopping(summary.stopping),
        "calibration": None if summary.calibration is None else asdict(summary.calibration),
        "error_rates": error_rate.plain(summary.error_rates),
    }
    return strict_json({**head, **_findings(short(result, summary), summary)})


def study_json(study: StudyScores, summary: StudySummary) -> str:
    """A study and its summary as strict JSON."""
    designs = study.designs or [None] * len(study.datasets)
    head = {
        "format": FORMAT,
        "kind": "study",
        "estimators": study.estimators,
        "metrics": [
            {
                "name": metric.name,
                "greater_is_better": metric.greater_is_better,
                "means": metric.means,
                "mean_ranks": metric.mean_ranks,
                "n_datasets": metric.n_common,
            }
            for metric in summary.metrics
        ],
        "datasets": [
            {
                "name": name,
                "design": None if design is None else _design(design),
                "scores": scores[:, : 1 if design is None else design.n_splits],
                "failures": [*map(asdict, study.results[name].failures)] if name in study.results else [],
            }
            for name, design, scores in zip(study.datasets, designs, study.scores, strict=True)
        ],
        "failures": [*map(asdict, study.failures)],
        "rankings": [*map(asdict, summary.rankings)],
    }
    return strict_json({**head, **_findings(short(study, summary), summary)})


def _findings(document: Document, summary: ComparedSummary) -> dict[str, Any]:
    """What was found, on what it rests, and what it takes to find it again."""
    return {
        "answer": {
            "line": document.named("answer").text,
            **plain_row(summary.answer),
            "metrics": [plain_row(metric) for metric in summary.answer.metrics],
            "pairs": [plain_row(pair) for pair in summary.answer.pairs],
        },
        "grid": _grid(next(block for block in document.blocks if isinstance(block, Grid))),
        "comparison": {
            "procedure": summary.procedure,
            "correction": "sequential verdict" if summary.sequential else summary.correction,
            "n_hypotheses": summary.n_hypotheses,
            "alpha": summary.alpha,
            "families": [plain_row(family) for family in summary.families],
            "rows": [_row(row) for row in summary.rows],
        },
        "joint": [plain_row(joint) for joint in summary.joint],
        "warnings": summary.warnings,
        "procedures": [asdict(procedure) for procedure in procedures_used(summary)],
        "citations": [asdict(citation) for citation in citations(summary)],
        "provenance": _provenance(summary.provenance),
    }


def _grid(grid: Grid) -> dict[str, Any]:
    """The table that `print` shows, column by column: what is shown and the values behind it."""
    names = ("name", "head", "cells", "values", "marks")
    columns = [{name: getattr(column, name) for name in names} for column in grid.columns]
    return {"columns": columns, "caption": grid.caption, "more": grid.more}


def _row(row: ComparisonRow) -> dict[str, Any]:
    plain = plain_row(row)
    for name in _ASKED:
        del plain[name]
    # what is not said of a row is not known of it
    return {"fragile": False, **plain, "outcome": row.outcome.value, "verdict": verdict(row)}


def _intervals(intervals: ScoreIntervals) -> dict[str, Any]:
    """One row per metric and model."""
    rows = [plain_row(row) for row in intervals]
    return {"confidence_level": intervals.confidence_level, "about": intervals.about, "rows": rows}


def _seeds(result: EvaluationScores, summary: EvaluationSummary) -> dict[str, Any]:
    """The seeds, the scores of the single fits, and one row per metric and model."""
    rows = [{"metric": one.metric, "model": one.model, **asdict(one.components)} for one in summary.seeds]
    shares = [{**row, "seed_share": one.components.seed_share} for row, one in zip(rows, summary.seeds, strict=True)]
    return {"values": result.fit_seeds, "scores": result.seed_scores, "rows": shares}


def _design(design: Any) -> dict[str, Any]:
    return {"name": design.name, **asdict(design)}


def _provenance(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that evaluations and tables write; a file may hold others."""
    return {name: provenance.get(name) for name in ("source", "cv", "random_state", "estimators", "versions")}


def strict_json(document: Mapping[str, Any]) -> str:
    """A document as JSON; null where a number is not finite."""
    return json.dumps(_strict(document), allow_nan=False)


def _strict(value: Any) -> Any:
    """A value that JSON has; numbers that are not finite become null."""
    if isinstance(value, CodedWarning):
        return _warning(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [item if type(item) in _AS_THEY_ARE else _strict(item) for item in value]
    if isinstance(value, (dict, Mapping)):
        return {str(key): item if type(item) in _AS_THEY_ARE else _strict(item) for key, item in value.items()}
    return _strict(value.tolist()) if hasattr(value, "tolist") else value  # an array, or a number out of one


def _warning(warning: CodedWarning) -> dict[str, Any]:
    """A warning by its parts, and what to do about it."""
    parts = {name: getattr(warning, name) for name in ("code", "sentence", "where", "about")}
    return {**parts, "about": [*warning.about], "remedy": getattr(Code[warning.code], "remedy", "")}
