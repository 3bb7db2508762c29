"""Plain values -> records: every field of the type that its class declares, and within its limits. None is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, cast, get_args, get_origin, get_type_hints

import numpy as np

from skcompare._core.validation import check_choice
from skcompare._core.warnings import CodedWarning

T = TypeVar("T")
Checks = Mapping[str | type, Callable[[Any, str], object]]
_types = cache(get_type_hints)
_TOLD = {str: "a text", bool: "true or false", int: "an integer", float: "a number"}


def require(holds: bool, sentence: str) -> None:
    """Raise ValueError with the sentence unless it holds."""
    if not holds:
        raise ValueError(sentence)


def read(kind: type[T], saved: Any, checks: Checks) -> T:
    """The record of a class that was saved as plain values.

    Parameters
    ----------
    kind : type
        A dataclass.
    saved : object
        As in a file.
    checks : mapping of str or type to callable
        What the texts and numbers of the fields of a name must be, and the records of a class, in whatever record they
        stand: called with the value and its name, it raises ValueError.

    Raises
    ------
    ValueError
        If a field is missing, unknown, of another type, or not what the checks ask.
    """
    return cast(T, _read(kind, saved, kind.__name__, checks))


def read_fields(kind: type, saved: Any, checks: Checks, *, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """Fields of a record by name, as in `read`; some are not saved."""
    wanted = [field.name for field in fields(kind) if field.name not in without]
    require(type(saved) is dict, f"{kind.__name__} must be a mapping; got {saved!r:.80}")
    for name in sorted(set(wanted) ^ set(saved)):
        raise ValueError(f"it has no {name!r}" if name in wanted else f"it has {name!r:.80}, which is not known")
    types = _types(kind)
    return {name: _read(types[name], saved[name], name, checks) for name in wanted}


def _read(kind: Any, saved: Any, name: str, checks: Checks) -> Any:
    origin, args = get_origin(kind), get_args(kind)
    if origin is UnionType and NoneType in args:
        return None if saved is None else _read(args[0], saved, name, checks)
    if kind is CodedWarning:
        require(type(saved) is str, f"{name} must be a text; got {saved!r:.80}")
        return CodedWarning.from_text(saved)
    if origin is Literal:
        check_choice(saved, name, args)
    elif origin is tuple or origin is np.ndarray:
        require(type(saved) is list, f"{name} must be a list; got {saved!r:.80}")
        items = tuple(_read(args[0] if origin is tuple else float, item, name, checks) for item in saved)
        return items if origin is tuple else np.array(items, dtype=np.float64)
    elif origin is Mapping:
        require(type(saved) is dict, f"{name} must be a mapping; got {saved!r:.80}")
        return {key: _read(args[1], item, name, checks) for key, item in saved.items()}
    elif is_dataclass(kind):
        record = cast(type, kind)(**read_fields(cast(type, kind), saved, checks))
        checks.get(cast(type, kind), _anything)(record, name)
        return record
    else:
        fits = kind is Any or type(saved) is kind or (kind is float and type(saved) is int)
        require(fits, f"{name} must be {_TOLD.get(kind, kind)}; got {saved!r:.80}")
        checks.get(name, _anything)(saved, name)
    return saved


def _anything(_value: Any, _name: str) -> None:
    pass
