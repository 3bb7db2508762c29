"""A table of scores on several data sets -> the fields of a study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import compress
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import counted
from skcompare._core.printable import check_name, some_names
from skcompare._core.validation import FloatArray, as_floats, check_aligned, check_choice
from skcompare._core.warnings import Code, CodedWarning
from skcompare.results import EvaluationResult
from skcompare.tables.evaluation import Directions, check_density, column_values, directions, distinct_names, from_frame
from skcompare.tables.roles import MODELS, by_role, told_directions, told_once

# Which part of a table with one column per model names the data sets.


Columns = dict[str, NDArray[Any]]
_MODELS = ("model", "estimator", "classifier", "regressor", "learner", "algorithm", "method")
_TIDY = ("model", "estimator", "metric", "score", "fold", "repeat", "n_train", "n_test")
_SUMMARIES = ("average", "avg", "mean", "median", "rank", "average rank", "avg rank", "mean rank", "std")


def with_datasets(frame: Any, columns: Mapping[str, NDArray[Any]]) -> tuple[Columns, tuple[CodedWarning, ...]]:
    """The columns with one called "dataset": as it is, the index, or a first column of texts; else rows are counted.

    Raises
    ------
    ValueError
        If two parts could name the data sets, or a part may name them or not.
    """
    index = getattr(frame, "index", None) if hasattr(frame, "iloc") else None
    if getattr(getattr(frame, "columns", None), "nlevels", 1) > 1:
        raise ValueError("frame must have one row of column names, a model each; give several metrics as a tidy table")
    if "dataset" in columns:
        return dict(columns), ()
    if index is not None:
        _check_axes(frame, index)
    label = getattr(index, "name", None)
    if label == "dataset":
        return {"dataset": np.asarray(index), **columns}, ()
    first = next(iter(columns))
    if not set(columns).isdisjoint(_TIDY):
        raise ValueError(f"frame must have a column 'dataset'; got {some_names(list(columns), 20)}")
    labelled = index is not None and (label is not None or index.dtype.kind not in "iuf")
    if labelled and not _is_numeric(columns[first]):
        raise ValueError(
            f"frame must name its data sets once; its index and its first column {first!r} could both be meant: give "
            f"frame.drop(columns={first!r}), or frame.reset_index(drop=True)"
        )
    if labelled:
        return {"dataset": np.asarray(index), **columns}, ()
    if not _is_numeric(columns[first]):
        return {"dataset": columns[first], **{name: columns[name] for name in columns if name != first}}, ()
    return _counted(index, columns, first)


def _check_axes(frame: Any, index: Any) -> None:
    """ValueError where the rows are no data sets."""
    if index.nlevels > 1:
        raise ValueError(
            f"frame must have one level of names in its index; got {index.nlevels}: give frame.reset_index() with the "
            f"columns dataset, model and score"
        )
    called = frame.columns.name
    if str(index.name).lower() in _MODELS or called == "dataset":
        what = f"its columns are called {called!r}" if called == "dataset" else f"its index is called {index.name!r}"
        raise ValueError(f"frame must have a row per data set and a column per model; {what}: give frame.T")


def _counted(index: Any, columns: Mapping[str, NDArray[Any]], first: str) -> tuple[Columns, tuple[CodedWarning, ...]]:
    """Rows without names."""
    whole = [name for name in columns if _is_whole(columns[name])]
    n_rows = len(columns[first])
    if whole == [first] and len(columns) > 1 and len(np.unique(columns[first])) == n_rows:
        raise ValueError(
            f"frame must name its data sets; its first column {first!r} holds other integers in every row and may be "
            f"their names: call it 'dataset', or leave it out"
        )
    labels = range(n_rows) if index is None else index.tolist()
    taken = "the rows have no names, and each is taken for one data set"
    warning = Code.ASSUMED(f"{taken}: give their names in a column 'dataset'.")
    return {"dataset": np.array([f"row {label}" for label in labels], dtype=object), **columns}, (warning,)


def check_no_summary(datasets: tuple[str, ...]) -> None:
    """ValueError where a row looks like the average of the others."""
    found = [name for name in datasets if name.lower().replace(".", "").strip() in _SUMMARIES]
    if found:
        raise ValueError(
            f"frame must hold data sets alone; row {found[0]!r} looks like a summary of them: leave it out"
        )


def _is_whole(values: NDArray[Any]) -> bool:
    return values.dtype.kind in "iu"


def _is_numeric(values: NDArray[Any]) -> bool:
    try:
        as_floats(values, "")
    except ValueError:
        return False
    return True


_MAX_NAMED = 5
_OF_WIDE = ("dataset", "greater_is_better", "test_fraction")
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
    own = _columns(frame)
    greater_is_better = told_directions(own, greater_is_better)
    test_fraction = told_once(own, "test_fraction", test_fraction)
    columns, warnings = with_datasets(frame, {name: x for name, x in own.items() if name not in _OF_WIDE[1:]})
    if metric is not None and "metric" in columns:
        raise ValueError(f"metric must be None where frame has a column 'metric'; got {metric!r:.80}")
    if metric is not None and not (isinstance(metric, str) and metric):
        raise ValueError(f"metric must be a name; got {metric!r:.80}")
    name = "score" if metric is None else metric
    tidy = "score" in columns and ("model" in columns or "estimator" in columns)
    if tidy:
        columns.setdefault("metric", np.repeat(name, len(columns["dataset"])))
    if tidy and "fold" in columns:
        try:
            return _from_folds(columns, greater_is_better, "drop" if missing == "drop" else "raise", test_fraction)
        except ValueError:
            if missing != "keep":
                raise
    runs = next((one for one in ("run", "seed") if one in columns), "")
    if tidy and runs:
        raise ValueError(f"frame must have one score per data set, or folds; from_runs takes its column {runs!r}")
    labels, scores = _tidy(columns) if tidy else _wide(columns, name)
    fields = _one_score_each(labels, scores, greater_is_better, missing)
    return {**fields, "warnings": (*warnings, *fields["warnings"])}, {}


def _columns(frame: Any) -> dict[str, NDArray[Any]]:
    if not hasattr(frame, "keys") and not hasattr(frame, "columns"):
        raise ValueError(f"frame must be a data frame or a mapping of columns; got {type(frame).__name__}")
    names = list(frame.keys() if hasattr(frame, "keys") else frame.columns)
    lower = {str(name).strip().lower() for name in names}
    tidy = "score" in lower and not lower.isdisjoint(MODELS)
    # in a table with a column per model, models may be called like the columns of another one
    frame = by_role(frame, () if tidy else [name for name in names if str(name).strip().lower() not in _OF_WIDE])
    columns = {str(name): column_values(frame, name) for name in frame}
    check_aligned(**{f"frame[{name!r}]": frame[name] for name in frame})
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) != 1 or 0 in lengths.values():
        raise ValueError(f"frame must have columns of one length, with at least one row; got {lengths!s:.200}")
    return columns


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


def _wide(columns: Mapping[str, NDArray[Any]], metric: str) -> tuple[Labels, FloatArray]:
    """One column per model."""
    models = tuple(check_name(name, "models of frame") for name in columns if name != "dataset")
    index = [name for name in models if name.startswith("Unnamed:")]
    if index:
        raise ValueError(f"frame must have one column per model; {index[0]!r} looks like the index of a saved frame")
    try:
        scores = np.stack([_numbers(columns[name], name) for name in models], axis=1) if models else np.empty((1, 0))
    except ValueError as error:
        raise ValueError(f"{error} (a tidy table has the columns dataset, model and score)") from error
    datasets, _ = _positions(columns["dataset"])
    check_no_summary(datasets)
    if len(datasets) < len(columns["dataset"]):
        [(twice, _)] = Counter(columns["dataset"].tolist()).most_common(1)
        raise ValueError(f"frame must hold every data set once; {twice!r} has several rows")
    return (datasets, models, (check_name(metric, "metric"),)), scores[:, :, None]


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
