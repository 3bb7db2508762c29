"""The one place that imports pandas, when a data frame is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import deepcopy
from dataclasses import fields
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._core.text import needs

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame


def import_pandas() -> Any:
    """The pandas module, or an ImportError with the pip line."""
    with needs("a data frame needs pandas", "frames"):
        import pandas
    return pandas


def frame_of(rows: Sequence[Any]) -> DataFrame:
    """A row for each of some records of one class, a column per field."""
    names = [field.name for field in fields(rows[0])]
    found: DataFrame = import_pandas().DataFrame([[getattr(x, name) for name in names] for x in rows], columns=names)
    return found


# Regular steps of an index of times, and after how many of them values may recur: a day, a week, a year.
_PERIODS = (("m", 60, 24), ("m", 24 * 60, 7), ("M", 1, 12), ("M", 3, 4))


def period_of(*values: Any) -> int:
    """Times after which values may recur, by the first regular pandas index of times; 1 where none tells."""
    for one in values:
        index: Any = getattr(one, "index", None)
        index = index.to_timestamp() if type(index).__name__ == "PeriodIndex" else index
        if type(index).__name__ != "DatetimeIndex" or index.hasnans:
            continue
        for unit, step, period in _PERIODS:
            times = index if period == 24 else index.tz_localize(None)  # days and months are those of the clock there
            steps = np.diff(times.to_numpy("datetime64[ns]").astype(f"datetime64[{unit}]")).astype(np.int64)
            if steps.size > 1 and abs(steps[0]) == step and np.all(steps == steps[0]):
                return period
    return 1


def times_of(frame: Any) -> str:
    """Where a pandas object has times: its index, or a column in which they rise or fall; empty without any."""
    if type(frame.index).__name__ in ("DatetimeIndex", "PeriodIndex") and frame.index.nunique() > 1:
        return "the index"
    for i, name in enumerate(getattr(frame, "columns", ())):
        times = frame.iloc[:, i]
        of_times = getattr(times.dtype, "kind", "") == "M" or type(times.dtype).__name__ == "PeriodDtype"
        if of_times and times.nunique() > 1 and (times.is_monotonic_increasing or times.is_monotonic_decreasing):
            return f"column {name!r}"
    return ""


# Data of its own for code that may write into what it is given.


IMMUTABLE = frozenset({type(None), bool, int, float, complex, str, bytes})


def own_copy(value: Any) -> Any:
    """A copy of data that shares nothing with them that can be written into.

    Parameters
    ----------
    value : object
        An array, a frame, a sparse matrix, or a list, tuple or mapping of such. Functions, classes and models are no
        data, and what cannot be copied is handed on as it is.
    """
    if type(value) in (list, tuple, dict):
        return own_cells(value)
    if callable(value) or hasattr(value, "get_params") or type(value) in IMMUTABLE or isinstance(value, np.generic):
        return value
    try:
        return own_cells(value.copy(order="K") if isinstance(value, np.ndarray) else deepcopy(value))
    except Exception:
        return value


def own_cells(value: Any) -> Any:
    """Data that are a copy already, with copies of the lists, arrays and the like that stand in their cells."""
    kind = type(value)
    if kind is dict:
        return {key: own_copy(cell) for key, cell in value.items()}
    if kind in (list, tuple):
        return kind(value) if _immutable(value) else kind(own_copy(cell) for cell in value)
    if isinstance(value, np.ndarray):
        return _own_objects(value) if _of_objects(value.dtype) and not _immutable(value.flat) else value
    return _own_columns(value) if kind.__module__.partition(".")[0] == "pandas" else value


class OnOwnCopies:
    """A function that is called on copies of what it is given.

    Parameters
    ----------
    function : callable
        It may write into its arguments, and nobody sees it.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        function: Callable[..., Any] = vars(self)["__wrapped__"]
        return function(*map(own_copy, args), **own_cells(kwargs))


def _immutable(cells: Iterable[Any]) -> bool:
    return IMMUTABLE.issuperset(map(type, cells))


def _own_objects(values: Any) -> Any:
    made = np.empty(values.size, dtype=object)
    for place, cell in enumerate(values.flat):
        made[place] = own_copy(cell)
    values.flat[:] = made
    return values


def _own_columns(value: Any) -> Any:
    """A frame or series of pandas, whose copies share the objects in them."""
    if _of_objects(getattr(value, "dtype", None)):
        return value if _immutable(value) else _own_series(value)
    for place, dtype in enumerate(value.dtypes if getattr(value, "ndim", 0) == 2 else ()):
        if _of_objects(dtype) and not _immutable(value.iloc[:, place]):
            value.isetitem(place, _own_series(value.iloc[:, place]))
    return value


def _of_objects(dtype: Any) -> bool:
    return isinstance(dtype, np.dtype) and dtype.kind == "O"


def _own_series(value: Any) -> Any:
    return type(value)(_own_objects(np.array(value, dtype=object)), index=value.index, name=value.name, dtype=object)


def by_columns(found: Any) -> Any:
    """What pandas wrote by row, or as its parts, in the way in which it writes columns; anything else as it is."""
    if not isinstance(found, dict) or found.keys() == {"schema", "data"}:
        return found["data"] if isinstance(found, dict) else found
    if found.keys() == {"columns", "index", "data"}:
        frame = zip(map(str, found["columns"]), zip(*found["data"], strict=True), strict=False)
        return {name: dict(zip(map(str, found["index"]), cells, strict=True)) for name, cells in frame}
    rows, counted = [*found.values()], {*map(str, range(len(found)))}
    of_names = all(isinstance(row, dict) and counted != row.keys() == rows[0].keys() for row in rows)
    if rows and counted == found.keys() and of_names and any(isinstance(x, (str, dict)) for x in rows[0].values()):
        return {name: {i: found[i][name] for i in found} for name in rows[0]}
    return found
