"""Results and studies as JSON documents; `skcompare/schemas` holds what they look like."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from typing import Any

import numpy as np

from skcompare.reporting.summary.sources import citations, procedures_used
from skcompare.reporting.verdict import sentences
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

FORMAT = 1
# Fields of a row that only a region of practical equivalence fills.
_ROPE = ("left", "rope", "right")


def result_json(result: EvaluationScores, summary: Mapping[str, Any]) -> str:
    """A result and its summary as strict JSON."""
    head = {
        "format": FORMAT,
        "kind": "result",
        "estimators": result.estimators,
        "metrics": _metrics(summary, ("name", "greater_is_better", "means", "deviations")),
        "design": _design(result.design),
        "task": result.task,
        "positive_class": summary["positive_class"],
        "scores": result.scores,
        "failures": _fits(result),
        "stopping": summary["stopping"],
        "calibration": summary["calibration"],
    }
    return _dumps({**head, **_findings(summary)})


def study_json(study: StudyScores, summary: Mapping[str, Any]) -> str:
    """A study and its summary as strict JSON."""
    designs = study.designs or [None] * len(study.datasets)
    head = {
        "format": FORMAT,
        "kind": "study",
        "estimators": study.estimators,
        "metrics": _metrics(summary, ("name", "greater_is_better", "means", "mean_ranks", "n_datasets")),
        "datasets": [
            {
                "name": name,
                "design": None if design is None else _design(design),
                "scores": scores[:, : 1 if design is None else design.n_splits],
                "failures": _fits(study.results[name]) if name in study.results else [],
            }
            for name, design, scores in zip(study.datasets, designs, study.scores, strict=True)
        ],
        "failures": [asdict(failure) for failure in study.failures],
        "rankings": summary["rankings"],
    }
    return _dumps({**head, **_findings(summary)})


def _fits(result: EvaluationScores) -> list[dict[str, Any]]:
    """The fits and scores that failed."""
    return [asdict(failure) for failure in result.failures]


def _findings(summary: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, on what it rests, and what it takes to find it again."""
    return {
        "verdict": sentences(summary),
        "comparison": {
            **{name: summary[name] for name in ("procedure", "correction", "n_hypotheses", "alpha")},
            "rows": [{name: row[name] for name in row if name not in _ROPE} for row in summary["rows"]],
        },
        "joint": summary["joint"],
        "warnings": summary["warnings"],
        "procedures": procedures_used(summary),
        "citations": citations(summary),
        "provenance": _provenance(summary["provenance"]),
    }


def _metrics(summary: Mapping[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    return [{name: metric[name] for name in names} for metric in summary["metrics"]]


def _design(design: Any) -> dict[str, Any]:
    return {"name": design.name, **asdict(design)}


def _provenance(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The entries that evaluations and tables write; a file may hold others."""
    return {name: provenance.get(name) for name in ("source", "cv", "random_state", "estimators", "versions")}


def _dumps(document: Mapping[str, Any]) -> str:
    return json.dumps(_strict(document), allow_nan=False)


def _strict(value: Any) -> Any:
    """A value that JSON has; numbers that are not finite become null."""
    if isinstance(value, Mapping):
        return {str(key): _strict(item) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return _strict(value.tolist())
    if isinstance(value, np.generic):
        return _strict(value.item())
    if isinstance(value, (list, tuple)):
        return [_strict(item) for item in value]
    return None if isinstance(value, float) and not isfinite(value) else value
