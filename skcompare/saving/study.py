"""The form of a study in a saved file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare.saving.evaluation import FORMAT, from_archive, load_warnings, names, provenance, to_archive
from skcompare.scores.study import StudyScores

KIND = "study"


def study_to_archive(study: StudyScores) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Header and arrays of a study: those of its evaluations, or the table of scores."""
    arrays: dict[str, NDArray[Any]] = {}
    parts = []
    for i, result in enumerate(study.results.values()):
        header, own = to_archive(result)
        parts.append(header)
        arrays.update({f"{i}.{name}": array for name, array in own.items()})
    if not parts:
        arrays["scores"] = study.scores
    header = {
        "format": FORMAT,
        "kind": KIND,
        "datasets": study.datasets,
        "estimators": study.estimators,
        "metrics": study.metrics,
        "greater_is_better": study.greater_is_better,
        "failures": [(failure.dataset, failure.message) for failure in study.failures],
        "warnings": study.warnings,
        "provenance": study.provenance,
        "results": parts,
    }
    return header, arrays


def study_from_archive(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Fields of a study, and by data set those of its evaluations; any exception means a damaged archive."""
    datasets = names(header, "datasets")
    if not datasets or len(set(datasets)) != len(datasets):
        raise ValueError("datasets must be named once each")
    fields: dict[str, Any] = {
        "failures": tuple((_text(name), _text(message)) for name, message in header["failures"]),
        "warnings": load_warnings(header),
        "provenance": provenance(header),
    }
    parts = header["results"]
    estimators, metrics = names(header, "estimators"), names(header, "metrics")
    if parts:
        own: dict[str, dict[str, NDArray[Any]]] = {str(i): {} for i in range(len(datasets))}
        for key, array in arrays.items():
            part, _, name = key.partition(".")
            own.setdefault(part, {})[name] = array
        results = {
            name: from_archive(part, own[str(i)]) for i, (name, part) in enumerate(zip(datasets, parts, strict=True))
        }
        if any((part["estimators"], part["metrics"]) != (estimators, metrics) for part in results.values()):
            raise ValueError("every data set must have the estimators and the metrics of the study")
        return fields, results
    directions = tuple(header["greater_is_better"])
    scores = arrays["scores"]
    shape = (len(datasets), len(estimators), 1, len(metrics))
    if scores.shape != shape or scores.dtype != np.float64 or np.isinf(scores).any():
        raise ValueError(f"scores must be float64 of shape {shape}; got {scores.shape}")
    if len(set(estimators)) < max(2, len(estimators)) or len(set(metrics)) < max(1, len(metrics)):
        raise ValueError("there must be two or more estimators and one or more metrics, each named once")
    if len(directions) != len(metrics) or not all(isinstance(d, bool) for d in directions):
        raise ValueError("greater_is_better must hold one boolean per metric")
    table = {"datasets": datasets, "estimators": estimators, "metrics": metrics, "greater_is_better": directions}
    return {**fields, **table, "scores": scores}, {}


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a failure must be a name and a message")
    return value
