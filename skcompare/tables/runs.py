"""A table of independent runs, such as random seeds -> one result per task."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.printable import check_name, some_names
from skcompare._core.validation import FloatArray, as_floats, check_aligned
from skcompare.results import EvaluationResult
from skcompare.tables.evaluation import Directions, check_density, column_values, directions, distinct_names
from skcompare.tables.evidence import tidied
from skcompare.tables.roles import MODELS, RUNS, TASKS, by_role, told_directions, told_once

_MOST_NAMED = 5


def read_runs(frame: Any, *, greater_is_better: Directions, paired: str | None) -> dict[str, EvaluationResult]:
    """One result per task, the only one of a table without tasks; see `skcompare.from_runs`."""
    frame, read_as = tidied(frame, "runs", (MODELS, RUNS, ("score",)))
    if hasattr(frame, "keys") or hasattr(frame, "columns"):
        frame = by_role(frame)
        greater_is_better, paired = told_directions(frame, greater_is_better), told_once(frame, "paired", paired)
    if paired is not None and not (isinstance(paired, str) and paired.strip()):
        raise ValueError(f"paired must say why runs with the same name are pairs, or be left out; got {paired!r:.80}")
    columns = _columns(frame)
    said = {"read_as": read_as[0]} if read_as else {}
    reason = "" if paired is None else " ".join(paired.split()).rstrip(".")
    task = columns.pop("task", None)
    if task is None:
        return {"": _result(columns, greater_is_better, reason, said=said)}
    models, metrics = (tuple(dict.fromkeys(columns[name].tolist())) for name in ("model", "metric"))
    results = {}
    for name in dict.fromkeys(task.tolist()):
        part = {column: values[task == name] for column, values in columns.items()}
        for what, known in (("model", models), ("metric", metrics)):
            lacking = [one for one in known if one not in part[what]]
            if lacking:
                raise ValueError(f"task {name!r}: frame must hold every {what} on every task; it has no {lacking[0]!r}")
        try:
            results[check_name(name, "tasks of frame")] = _result(
                part, greater_is_better, reason, models, metrics, said=said
            )
        except ValueError as error:
            raise ValueError(f"task {name!r}: {error}") from error
    return results


def _columns(frame: Any) -> dict[str, NDArray[Any]]:
    """The columns by one name each: names as texts, scores as finite floats."""
    if not hasattr(frame, "keys") and not hasattr(frame, "columns"):
        raise ValueError(f"frame must be a data frame or a mapping of columns; got {type(frame).__name__}")
    given = {*(frame.keys() if hasattr(frame, "keys") else frame.columns)}
    if "fold" in given:
        raise ValueError(
            "frame must have no column 'fold': folds share training data and are no independent runs; from_frame takes "
            "them"
        )
    own: dict[str, str] = {}
    for names, needed in ((MODELS, True), (RUNS, True), (("score",), True), (("metric",), False), (TASKS, False)):
        found = [name for name in names if name in given]
        if len(found) > 1:
            raise ValueError(f"frame must have one of the columns {' and '.join(map(repr, names))}; got both")
        if needed and not found:
            wanted = " or ".join(map(repr, names))
            raise ValueError(f"frame must have a column {wanted}; got {some_names(sorted(map(str, given)), 20)}")
        if found:
            own[names[0]] = found[0]
    read = {name: column_values(frame, column) for name, column in own.items()}
    check_aligned(**{f"frame[{column!r}]": frame[column] for column in own.values()})
    lengths = {own[name]: len(values) for name, values in read.items()}
    if len({*lengths.values()}) > 1 or 0 in lengths.values():
        raise ValueError(f"frame must have columns of one length, with at least one row; got {lengths}")
    columns = {name: _texts(values, own[name]) for name, values in read.items() if name != "score"}
    columns.setdefault("metric", np.repeat(np.array("score", dtype=object), len(columns["model"])))
    scores = as_floats(read["score"], "frame['score']")
    bad = np.flatnonzero(~np.isfinite(scores))
    if len(bad):
        raise ValueError(f"frame must hold finite scores; got {scores[bad[0]]} in row {bad[0]}")
    return {**columns, "score": scores}


def _texts(values: NDArray[Any], column: str) -> NDArray[Any]:
    """Names as texts; ValueError where one is missing."""
    found = values.tolist()
    lacking = [value is None or value != value or value == "" for value in found]
    if any(lacking):
        raise ValueError(f"frame must not lack values in its column {column!r}; row {lacking.index(True)} does")
    texts = np.empty(len(found), dtype=object)
    texts[:] = [str(value) for value in found]
    return texts


def _result(
    columns: Mapping[str, NDArray[Any]],
    greater_is_better: Directions,
    paired: str,
    models: tuple[str, ...] | None = None,
    metrics: tuple[str, ...] | None = None,
    *,
    said: Mapping[str, str],
) -> EvaluationResult:
    """The runs of one task; `models` and `metrics` in the order of the whole table."""
    own, model = distinct_names(columns["model"].tolist(), "models of frame")
    named, metric = distinct_names(columns["metric"].tolist(), "metrics of frame")
    scores, n_runs = _scores(columns, (model, metric), (own, named), paired=bool(paired))
    models, metrics = models or own, metrics or named
    scores = scores[[own.index(name) for name in models]][:, :, [named.index(name) for name in metrics]]
    n = scores.shape[1]
    signs, warnings = directions(metrics, greater_is_better)
    times = np.full((len(models), n), np.nan)
    return EvaluationResult(
        estimators=models,
        metrics=metrics,
        greater_is_better=signs,
        design=Design(
            n_repeats=n,
            n_folds=1,
            n_splits=n,
            test_fraction=0.0,
            partition=False,
            kind="runs",
            n_runs=tuple(n_runs[own.index(name)] for name in models),
            paired=paired,
        ),
        scores=scores,
        fit_times=times,
        score_times=times.copy(),
        warnings=warnings,
        provenance={"source": "a table of runs", **said},
    )


def _scores(
    columns: Mapping[str, NDArray[Any]],
    places: tuple[NDArray[np.intp], NDArray[np.intp]],
    labels: tuple[tuple[str, ...], tuple[str, ...]],
    *,
    paired: bool,
) -> tuple[FloatArray, list[int]]:
    """Shape (n_models, n_runs, n_metrics), nan behind the last run of a model; and the runs of each.

    Paired runs stand in one order for all models, others in the order of each model's own.
    """
    (model, metric), (models, metrics) = places, labels
    names, run = distinct_names(columns["run"].tolist(), "runs of frame")
    shape = (len(models), len(names), len(metrics))
    check_density(int(np.prod(shape)), len(model), "the runs of every model")
    counts = np.zeros(shape, dtype=np.int64)
    np.add.at(counts, (model, run, metric), 1)
    if counts.max() > 1:
        m, r, k = np.unravel_index(int(counts.argmax()), shape)
        raise ValueError(
            f"frame must hold every run once; model {models[m]!r}, metric {metrics[k]!r}, run {names[r]!r} occurs "
            f"{counts.max()} times"
        )
    there = counts > 0
    ran: NDArray[np.bool_] = np.asarray(there.any(axis=2))
    if paired and not ran.all():
        m, r = np.argwhere(~ran)[0]
        raise ValueError(f"paired needs the same runs of every model; {models[m]!r} has no run {names[r]!r}")
    gaps = np.argwhere(ran[:, :, None] & ~there)
    if len(gaps):
        named = "; ".join(
            f"{metrics[k]!r} of run {names[r]!r} of {models[m]!r}" for m, r, k in gaps[:_MOST_NAMED].tolist()
        )
        raise ValueError(f"frame must hold every metric of every run; {len(gaps)} are missing: {named}")
    full = np.full(shape, np.nan)
    full[model, run, metric] = columns["score"]
    n_runs = ran.sum(axis=1).tolist()
    scores = np.full((len(models), max(n_runs), len(metrics)), np.nan)
    for one, (n, own) in enumerate(zip(n_runs, ran, strict=True)):
        scores[one, :n] = full[one, own]
    return scores, n_runs
