"""A table of scores on several data sets -> the fields of a study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import compress
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import counted
from skcompare._core.printable import some_names
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.results import EvaluationResult
from skcompare.tables.evaluation import Directions, check_density, column_values, directions, distinct_names, from_frame
from skcompare.tables.reader import read_as
from skcompare.tables.roles import MODELS, by_role, told_directions, told_once
from skcompare.tables.source import table_of

_MAX_NAMED = 5
_TOLD = ("greater_is_better", "test_fraction")
Columns = dict[str, NDArray[Any]]
Labels = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def read_table(
    frame: Any, *, greater_is_better: Directions, missing: str, test_fraction: float | None, metric: str | None = None
) -> tuple[dict[str, Any], dict[str, EvaluationResult]]:
    """Fields of a study, and, where the table has folds, one result per data set instead of the scores.

    Raises
    ------
    ValueError
        If the table is not of either form, or has gaps that `missing` does not allow.
    """
    check_choice(missing, "missing", ("raise", "drop", "keep"))
    if metric is not None and not (isinstance(metric, str) and metric):
        raise ValueError(f"metric must be a name; got {metric!r:.80}")
    columns, warnings, own = _columns(frame)
    if metric is not None and "metric" in columns and own:
        raise ValueError(f"metric must be None where frame has a column 'metric'; got {metric!r:.80}")
    greater_is_better = told_directions(columns, greater_is_better)
    test_fraction = told_once(columns, "test_fraction", test_fraction)
    name = "score" if metric is None else metric
    if "metric" not in columns or (metric is not None and {*columns["metric"].tolist()} == {"score"}):
        columns["metric"] = np.repeat(np.array(name, dtype=object), len(columns["dataset"]))
    if own and "fold" in columns:
        try:
            return _from_folds(columns, greater_is_better, "drop" if missing == "drop" else "raise", test_fraction)
        except ValueError:
            if missing != "keep":
                raise
    runs = next((one for one in ("run", "seed") if one in columns), "")
    if runs:
        raise ValueError(f"frame must have one score per data set, or folds; from_runs takes its column {runs!r}")
    fields = _one_score_each(*_tidy(columns), greater_is_better, missing)
    return {**fields, "warnings": (*warnings, *fields["warnings"])}, {}


def _columns(frame: Any) -> tuple[Columns, tuple[CodedWarning, ...], bool]:
    """A row per score, what was assumed, and whether the table has this form itself."""
    if not hasattr(frame, "keys") and not hasattr(frame, "columns"):
        raise ValueError(f"frame must be a data frame or a mapping of columns; got {type(frame).__name__}")
    if getattr(getattr(frame, "columns", None), "nlevels", 1) > 1:
        raise ValueError("frame must have one row of column names, a model each; give several metrics as a tidy table")
    names = list(frame.keys() if hasattr(frame, "keys") else frame.columns)
    lower = {str(name).strip().lower() for name in names}
    check_aligned(**{f"frame[{name!r}]": frame[name] for name in names})
    index = getattr(getattr(frame, "index", None), "name", None) if hasattr(frame, "iloc") else None
    named = "dataset" in lower or index == "dataset"
    if named and "score" in lower and not lower.isdisjoint(MODELS):
        tidy = by_role(frame)
        columns = {str(name): column_values(tidy, name) for name in tidy}
        if "dataset" not in columns:
            columns["dataset"] = np.asarray(frame.index)
        lengths = {name: len(values) for name, values in columns.items()}
        if len(set(lengths.values())) != 1 or 0 in lengths.values():
            raise ValueError(f"frame must have columns of one length, with at least one row; got {lengths!s:.200}")
        return columns, (), True
    table = table_of(frame)
    told = {name: x for name, x in table.columns.items() if name in _TOLD}
    reading = read_as(replace(table, columns={n: x for n, x in table.columns.items() if n not in told}), kind="study")
    assumed = tuple(Code.ASSUMED(one) for one in reading.assumed)
    n = len(reading.columns["value"])
    own = {name: x for name, x in reading.columns.items() if name in ("dataset", "model", "metric")}
    more = {name: np.resize(x[:1], n) if len({*x.tolist()}) == 1 else x for name, x in told.items()}
    return {**own, "score": reading.columns["value"], **more}, assumed, False


def _one_score_each(labels: Labels, scores: FloatArray, greater_is_better: Directions, missing: str) -> dict[str, Any]:
    datasets, models, metrics = labels
    if not models:
        raise ValueError("frame must hold one or more models; got none")
    gaps = np.asarray(np.isnan(scores))
    warnings: tuple[CodedWarning, ...] = ()
    if gaps.any():
        named = "; ".join(
            f"{models[m]!r} on {datasets[d]!r}" + (f" ({metrics[k]})" if len(metrics) > 1 else "")
            for d, m, k in np.argwhere(gaps)[:_MAX_NAMED]
        ) + ("; ..." if gaps.sum() > _MAX_NAMED else "")
        if missing == "raise" and len(metrics) > 1 and (~gaps).any(axis=1).sum() == len(datasets):
            raise ValueError(
                f"frame must have the same metrics on every data set; each has one of its own ({some_names(metrics)}): "
                "skc.read(frame) compares the models by their ranks on each, or give the data sets of one metric"
            )
        if missing == "raise":
            raise ValueError(
                f"frame must hold a score of every model on every data set; {int(gaps.sum())} are missing: {named}. "
                f"missing='drop' leaves such data sets out, missing='keep' keeps them for skillings_mack_test"
            )
        if missing == "drop":
            complete = np.asarray(~gaps.any(axis=(1, 2)))
            if not complete.any():
                raise ValueError(f"frame must hold a data set without missing scores; {int(gaps.sum())} are missing")
            left_out = f"left out: {(~complete).sum()} of {counted(len(datasets), 'data set')} with missing scores"
            warnings = (Code.MISSING_SCORES(f"{left_out} ({named})."),)
            datasets, scores = tuple(compress(datasets, complete)), scores[complete]
    signs, of_directions = directions(metrics, greater_is_better)
    return {
        "datasets": datasets,
        "estimators": models,
        "metrics": metrics,
        "greater_is_better": signs,
        "scores": scores[:, :, None, :],
        "warnings": (*warnings, *of_directions),
        "provenance": {"source": "a table of scores"},
    }


def _from_folds(
    columns: Mapping[str, NDArray[Any]], greater_is_better: Directions, missing: str, test_fraction: float | None
) -> tuple[dict[str, Any], dict[str, EvaluationResult]]:
    """One result per data set; those that lack a model, a metric or a fold are named or dropped."""
    datasets = columns["dataset"].astype(str)
    model = columns["model" if "model" in columns else "estimator"].astype(str)
    metric = columns["metric"].astype(str)
    kinds = list(dict.fromkeys(zip(model.tolist(), metric.tolist(), strict=True)))
    results: dict[str, EvaluationResult] = {}
    problems = []
    for name in dict.fromkeys(datasets.tolist()):
        rows = datasets == name
        part = {column: values[rows] for column, values in columns.items() if column != "dataset"}
        here = set(zip(model[rows].tolist(), metric[rows].tolist(), strict=True))
        lacking = [kind for kind in kinds if kind not in here]
        try:
            if lacking:
                raise ValueError(
                    f"frame must hold every model on every data set; {lacking[0][0]!r} has no {lacking[0][1]} there"
                )
            results[name] = from_frame(part, greater_is_better=greater_is_better, test_fraction=test_fraction)
        except ValueError as error:
            if missing == "raise":
                raise ValueError(f"data set {name!r}: {error}") from error
            problems.append(f"{name!r}: {error}")
    if not results:
        raise ValueError(f"frame must hold a data set without gaps; the first is {problems[0]}")
    dropped = f"left out: {counted(len(problems), 'data set')}; the first is {problems[0]}." if problems else ""
    warnings = (Code.MISSING_SCORES(dropped),) if dropped else ()
    return {"warnings": warnings, "provenance": {"source": "a table of scores"}}, results


def _tidy(columns: Mapping[str, NDArray[Any]]) -> tuple[Labels, FloatArray]:
    """Scores of shape (n_datasets, n_models, n_metrics); of several folds their mean, nan where one is missing."""
    model = columns["model" if "model" in columns else "estimator"]
    values = _numbers(columns["score"], "score")
    labels, places = zip(*(_positions(part) for part in (columns["dataset"], model, columns["metric"])), strict=True)
    split = [columns[name].astype(str).tolist() for name in ("repeat", "fold") if name in columns]
    splits, fold = np.unique(np.array(split or [[""] * len(values)]), axis=1, return_inverse=True)
    fold = fold.ravel()
    shape = (*(len(names) for names in labels), splits.shape[1])
    check_density(prod(shape), len(values), "a score of every model on every data set")
    scores = np.full(shape, np.nan)
    seen = np.zeros(shape, dtype=np.int64)
    np.add.at(seen, (*places, fold), 1)
    if seen.max() > 1:
        d, m, k, _ = np.unravel_index(int(seen.argmax()), seen.shape)
        raise ValueError(
            f"frame must hold every row once; model {labels[1][m]!r}, data set {labels[0][d]!r}, metric "
            f"{labels[2][k]!r} occurs {seen.max()} times"
        )
    scores[(*places, fold)] = values
    return (labels[0], labels[1], labels[2]), scores.mean(axis=3)


def _positions(values: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    found = values.tolist()
    lacking = [value is None or value != value or value == "" for value in found]
    if any(lacking):
        raise ValueError(
            f"frame must name data sets, models and metrics; one name is missing, in row {lacking.index(True)}"
        )
    return distinct_names([str(value) for value in found], "data sets, models and metrics of frame")


def _numbers(values: NDArray[Any], column: str) -> FloatArray:
    """Scores, nan where one is missing."""
    numbers = as_floats(values, f"frame[{column!r}]")  # None is nan
    if np.isinf(numbers).any():
        raise ValueError(
            f"frame must hold finite scores in its column {column!r}; row {np.isinf(numbers).argmax()} is infinite"
        )
    return numbers
