"""Results and studies as JSON documents; `skcompare/reporting/schemas` holds what they look like."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

from skcompare._core.document import Grid
from skcompare._core.record import picked
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.compare import JACKKNIFE
from skcompare.comparison.error_rates import ErrorRates
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import model_seeds
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, plain_row
from skcompare.inference import _guide as guide
from skcompare.inference._procedures import default_for
from skcompare.inference.datasets.pairwise import Ranking
from skcompare.reporting.explain import citations, uses
from skcompare.reporting.findings import Findings
from skcompare.reporting.short import short
from skcompare.reporting.words import calibrated_metrics, uncalibrated
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import plain_stopping
from skcompare.scores.study import StudyScores

FORMAT = 3
MOST_SCORES = 100_000  # numbers; more are left to `save` and `to_frame`
# Fields of a row that only a region of practical equivalence fills.
_ASKED = ("left", "rope", "right", "null")  # by an option of `compare`
_PROVENANCE = ("source", "cv", "random_state", "estimators", "versions")
_AS_THEY_ARE = frozenset({str, int, bool, type(None)})  # what most values are


def json_report(found: Findings) -> str:
    """A result or a study, and what is found of it, as strict JSON."""
    scores, compared, answer, document = found.scores, found.comparison, found.answer, short(found)
    of_study = isinstance(scores, StudyScores)
    measured = ("mean_ranks",) if of_study else ("deviations",)
    metrics = [picked(metric, "name", "greater_is_better", "means", *measured) for metric in found.metrics]
    if of_study:
        metrics = [{**one, "n_datasets": metric.n_common} for one, metric in zip(metrics, found.metrics, strict=True)]
    return strict_json(
        {
            "format": FORMAT,
            "kind": "study" if of_study else "result",
            "estimators": found.models,
            "metrics": metrics,
            **(_of_study(scores, found) if isinstance(scores, StudyScores) else _of_result(scores, found)),
            "answer": {"line": document.named("answer").text, **plain_row(answer)},
            "grid": _grid(next(block for block in document.blocks if isinstance(block, Grid))),
            "comparison": {**comparison(compared), "families": compared.families, "rows": compared.rows},
            "joint": found.joint,
            "warnings": found.warnings,
            "procedures": [_procedure(name, used_for) for name, used_for in uses(found) if name],
            "citations": [
                {"key": key, **picked(guide.references()[key], "text", "doi"), "used_for": used_for}
                for key, used_for in citations(found).items()
            ],
            # the entries that evaluations and tables write; a file may hold others
            "provenance": {name: scores.provenance.get(name) for name in _PROVENANCE},
        }
    )


def comparison(compared: ComparisonTable) -> dict[str, Any]:
    """How models were compared."""
    known = picked(compared, "procedure", "correction", "n_hypotheses", "alpha")
    return known | ({"correction": "sequential verdict"} if compared.sequential else {})


def _of_result(result: EvaluationScores, found: Findings) -> dict[str, Any]:
    """What is known of an evaluation alone."""
    return {
        "intervals": None if found.answer.bounded else plain_row(score_intervals(result)),
        "design": _design(result.design),
        "seeds": _seeds(result),
        "task": result.task,
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "scores": result.scores if result.scores.size <= MOST_SCORES else None,
        "failures": [*map(asdict, result.failures)],
        "stopping": None if result.stopping is None else plain_stopping(result.stopping),
        "calibration": _calibration(result, found.comparison.rows),
        "error_rates": error_rates(found.error_rates),
    }


def _of_study(study: StudyScores, found: Findings) -> dict[str, Any]:
    """What is known of a study alone."""
    designs, few = study.designs or [None] * len(study.datasets), study.scores.size <= MOST_SCORES
    return {
        "datasets": [
            {
                "name": name,
                "design": None if design is None else _design(design),
                "scores": scores[:, : 1 if design is None else design.n_splits] if few else None,
                "failures": [*map(asdict, study.results[name].failures)] if name in study.results else [],
            }
            for name, design, scores in zip(study.datasets, designs, study.scores, strict=True)
        ],
        "failures": [*map(asdict, study.failures)],
        "rankings": [*map(_ranking, found.rankings)],
    }


def _procedure(name: str, used_for: str) -> dict[str, Any]:
    procedure = "paired_metric_test" if name == JACKKNIFE else name
    assumes = guide.guides().get(procedure, guide.UNKNOWN).assumes
    return {"name": procedure, "assumes": assumes, "used_for": used_for, "references": guide.papers_of(name)}


def _ranking(ranking: Ranking) -> dict[str, Any]:
    """The models of a ranking of a study, the best first."""
    test, models, names = ranking.omnibus, [], ("rank", "low", "high", "mean_rank", "mean")
    assert test is not None
    columns = (ranking.rank, ranking.low, ranking.high, ranking.mean_ranks, ranking.means)
    for i in ranking.best_first:
        own = {name: values[i].item() for name, values in zip(names, columns, strict=True)}
        models.append({"name": ranking.names[i], **own, "group": ranking.tier[i]})
    return {"metric": ranking.metric, "n": test.n, "pvalue": test.pvalue, "method": test.method, "models": models}


def _calibration(result: EvaluationScores, rows: Sequence[ComparisonRow]) -> dict[str, Any] | None:
    """What the test was calibrated on, and what was tested by another one."""
    known = result.calibration
    if known is None:
        return None
    return {
        **picked(known, "estimators", "generator", "n_datasets", "random_state", "scheme", "alpha"),
        "metrics": calibrated_metrics(known, rows),
        "without": uncalibrated(known, rows),
        "instead": default_for(result.design).procedure,
    }


def error_rates(rates: ErrorRates | None) -> dict[str, Any] | None:
    """Every metric with its numbers, or null and the reason."""
    if rates is None:
        return None
    by_metric = {metric: picked(one, "mean", "low", "high") for metric, one in rates.by_metric.items()}
    return {
        "where": rates.where or None,
        "by_metric": {**by_metric, **dict.fromkeys(rates.unknown)},
        "reason": rates.reason or None,
    }


def _grid(grid: Grid) -> dict[str, Any]:
    """The table that `print` shows, column by column: what is shown and the values behind it."""
    columns = [picked(column, "name", "head", "cells", "values", "marks") for column in grid.columns]
    return {"columns": columns, "caption": grid.caption, "more": grid.more}


def _row(row: Any) -> dict[str, Any]:
    plain = plain_row(row)
    if not isinstance(row, ComparisonRow):
        return plain
    for name in _ASKED:
        del plain[name]
    # what is not said of a row is not known of it
    return {"fragile": False, **plain, "outcome": row.outcome.value, "verdict": _verdict(row)}


def _verdict(row: ComparisonRow) -> str:
    """The outcome of a comparison in words."""
    if row.winner is not None:
        return f"{row.winner} significantly better"
    if row.outcome in (Outcome.SMALLER, Outcome.LARGER):
        return f"{row.a if row.outcome is Outcome.SMALLER else row.b} smaller"
    return row.outcome.said


def _seeds(result: EvaluationScores) -> dict[str, Any] | None:
    """The seeds, the scores of the single fits, and one row per metric and model."""
    scores = result.seed_scores
    if scores is None:
        return None
    rows = [
        {"metric": metric, "model": model, **asdict(one), "seed_share": one.seed_share}
        for (metric, model), one in model_seeds(result).items()
    ]
    return {"values": result.fit_seeds, "scores": scores if scores.size <= MOST_SCORES else None, "rows": rows}


def _design(design: Any) -> dict[str, Any]:
    return {"name": design.name, **asdict(design)}


def strict_json(document: Mapping[str, Any]) -> str:
    """A document as JSON; null where a number is not finite. Rows of tables, which can be many, are made last."""
    return json.dumps(_strict(document), allow_nan=False, default=lambda row: _strict(_row(row)))


def _strict(value: Any) -> Any:
    """A value that JSON has; numbers that are not finite become null."""
    if isinstance(value, CodedWarning):
        about, remedy = [*value.about], getattr(Code[value.code], "remedy", "")
        return {**picked(value, "code", "sentence", "where"), "about": about, "remedy": remedy}
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [item if type(item) in _AS_THEY_ARE else _strict(item) for item in value]
    if isinstance(value, (dict, Mapping)):
        return {str(key): item if type(item) in _AS_THEY_ARE else _strict(item) for key, item in value.items()}
    return _strict(value.tolist()) if hasattr(value, "tolist") else value  # an array, or a number out of one
