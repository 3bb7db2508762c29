"""The form of a study in a saved file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare.saving.evaluation import Archive, check_array, check_table, from_archive, to_archive
from skcompare.saving.form import read_fields, require
from skcompare.saving.records import CHECKS, check_distinct
from skcompare.scores.study import StudyScores

KIND = "study"
_ELSEWHERE = ("scores", "designs", "results")


def study_to_archive(study: StudyScores) -> Archive:
    """Kind, header and arrays of a study: those of its evaluations, or the table of scores."""
    arrays: dict[str, NDArray[Any]] = {} if study.results else {"scores": study.scores}
    parts = []
    for i, result in enumerate(study.results.values()):
        _, header, own = to_archive(result)
        parts.append(header)
        arrays.update({f"{i}.{name}": array for name, array in own.items()})
    own_fields = {field.name: getattr(study, field.name) for field in fields(StudyScores)}
    header = {name: value for name, value in own_fields.items() if name not in _ELSEWHERE}
    return KIND, {**header, "results": parts}, arrays


def study_from_archive(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Fields of a study, and by data set those of its evaluations; any exception means another form."""
    parts = header["results"]
    saved = {name: value for name, value in header.items() if name != "results"}
    found = read_fields(StudyScores, saved, CHECKS, without=_ELSEWHERE)
    datasets, estimators, metrics = found["datasets"], found["estimators"], found["metrics"]
    check_distinct(datasets, "datasets", fewest=1)
    check_table(found)
    if not parts:
        shape = (len(datasets), len(estimators), 1, len(metrics))
        check_array(arrays["scores"], "scores", shape)
        require(not np.isinf(arrays["scores"]).any(), "scores must not be infinite")
        return {**found, "scores": arrays["scores"]}, {}
    own: dict[str, dict[str, NDArray[Any]]] = {str(i): {} for i in range(len(datasets))}
    for key, array in arrays.items():
        part, _, name = key.partition(".")
        own.setdefault(part, {})[name] = array
    results = {
        name: from_archive(part, own[str(i)]) for i, (name, part) in enumerate(zip(datasets, parts, strict=True))
    }
    for name in ("estimators", "metrics", "greater_is_better"):
        same = all(part[name] == found[name] for part in results.values())
        require(same, f"results must have the {name} of the study")
    return {name: found[name] for name in ("failures", "warnings", "provenance")}, results
