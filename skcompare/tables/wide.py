"""Which part of a table with one column per model names the data sets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.printable import some_names
from skcompare._core.validation import as_floats
from skcompare._core.warnings import Code, CodedWarning

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
    warning = Code.ASSUMED(f"{taken}; of folds, runs or samples no test over data sets holds.")
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
