"""The parameters of candidates -> short labels of their values, and a name for each candidate."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn import config_context

from skcompare._core.html import cut
from skcompare._core.printable import one_line

MAX_VALUE = 40
MAX_NAME = 120
MAX_NAMED = 3
_NO_WORDS = {"None", "True", "False", "nan", "inf"}


def value_labels(params: Sequence[Mapping[str, Any]], *, every: bool = False) -> dict[str, tuple[str | None, ...]]:
    """For every parameter that varies the label of each candidate's value; None where a candidate lacks it.

    With `every` for all parameters.

    Different values have different labels, equal ones the same.
    """
    found = {}
    for name in dict.fromkeys(name for of_one in params for name in of_one):
        # The values of a grid are one object in all candidates: each is looked at once.
        by_id = {id(of_one[name]): of_one[name] for of_one in params if name in of_one}
        keys = {place: value_key(value) for place, value in by_id.items()}
        there = [name in of_one for of_one in params]
        if not every and len(set(keys.values())) < 2 and all(there):
            continue
        first: dict[Hashable, Any] = {}
        for place, value in by_id.items():
            first.setdefault(keys[place], value)
        labels = _distinct_labels(first)
        found[name] = tuple(
            labels[keys[id(of_one[name])]] if has else None for of_one, has in zip(params, there, strict=True)
        )
    return found


def candidate_names(params: Sequence[Mapping[str, Any]], labels: Mapping[str, Sequence[str | None]]) -> tuple[str, ...]:
    """``parameter=value, ...`` of the parameters that vary, all different, of bounded length."""
    full = []
    for i in range(len(params)):
        parts = [f"{name}={column[i]}" for name, column in labels.items() if column[i] is not None]
        full.append(one_line(", ".join(parts)) or "default parameters")
    return tuple(_different([cut(name, MAX_NAME) for name in full]))


def first_of(names: Sequence[str], separator: str = ", ") -> str:
    """The first names, and how many more there are."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{separator.join(names[:MAX_NAMED])}{more}"


def value_key(value: Any) -> Hashable:
    """What equal values of a parameter have in common, also of those that cannot be hashed."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value != value:
        return ("float", "nan")
    if value is None or isinstance(value, (bool, str, bytes)):
        return (type(value).__name__, value)
    if isinstance(value, (int, float, complex)):
        return ("number", value)
    if isinstance(value, np.ndarray):
        return ("array", value.shape, tuple(map(value_key, value.ravel().tolist())))
    if isinstance(value, (list, tuple)):
        return ("sequence", *map(value_key, value))
    if isinstance(value, Mapping):
        return ("mapping", *((value_key(key), value_key(item)) for key, item in value.items()))
    if isinstance(value, type):
        return ("class", value)
    if callable(getattr(value, "get_params", None)):
        return (type(value), value_key(value.get_params(deep=False)))
    return ("object", id(value))


def value_label(value: Any) -> str:
    """A value in a few characters: a bare word, a short number, a class with its changed parameters."""
    return cut(one_line(_label(value)), MAX_VALUE)


def _label(value: Any) -> str:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        word = value.replace("-", "_").replace(".", "_")
        return value if word.isidentifier() and value not in _NO_WORDS else repr(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(_label, value))}{',' if len(value) == 1 else ''})"
    if isinstance(value, list):
        return f"[{', '.join(map(_label, value))}]"
    if isinstance(value, np.ndarray):
        return f"array({_label(value.tolist())})" if value.size <= MAX_VALUE else f"array of shape {value.shape}"
    if isinstance(value, partial):
        return f"partial({_label(value.func)})"
    if callable(getattr(value, "get_params", None)) and not isinstance(value, type):
        with config_context(print_changed_only=True):
            return repr(value)
    if callable(value) and hasattr(value, "__name__"):
        return str(value.__name__)
    shown = repr(value)
    return f"{type(value).__name__}()" if " at 0x" in shown else shown


def _distinct_labels(values: Mapping[Hashable, Any]) -> dict[Hashable, str]:
    """A label for each value; those that look alike in short are written at length, or else numbered."""
    labels = {key: value_label(value) for key, value in values.items()}
    short = Counter(labels.values())
    for key, value in values.items():
        plain = value.item() if isinstance(value, np.generic) else value
        if isinstance(plain, float) and math.isfinite(plain) and short[value_label(plain)] > 1:
            labels[key] = repr(plain)
    return dict(zip(labels, _different(list(labels.values())), strict=True))


def _different(names: Sequence[str]) -> list[str]:
    """The names, the second and later ones of several equal ones with a number."""
    taken: set[str] = set()
    counts: dict[str, int] = {}
    different = []
    for name in names:
        new = name
        while new in taken:
            counts[name] = counts.get(name, 1) + 1
            new = f"{name} #{counts[name]}"
        taken.add(new)
        different.append(new)
    return different
