"""The parameters of candidates -> short labels of their values, and a name for each candidate."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn import config_context

from skcompare._core.record import cut
from skcompare._core.text import one_line

MAX_VALUE = 40
MAX_NAME = 120
WITH_STEPS = 40  # letters of parameters up to which a name has the steps of a pipeline
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
        if not every and len(set(keys.values())) < 2 and all(name in of_one for of_one in params):
            continue
        first = {keys[place]: by_id[place] for place in reversed(by_id)}  # of equal values the first one
        labels = _distinct_labels(dict(reversed(first.items())))
        found[name] = tuple(labels[keys[id(one[name])]] if name in one else None for one in params)
    return found


def candidate_names(params: Sequence[Mapping[str, Any]], labels: Mapping[str, Sequence[str | None]]) -> tuple[str, ...]:
    """``parameter=value, ...`` of the parameters that vary, all different, of bounded length.

    The steps of a pipeline are left out where names would be long with them, since the values would be cut off.
    """
    names = list(labels) if sum(map(len, labels)) <= WITH_STEPS else without_steps(list(labels))
    columns = list(zip(names, labels.values(), strict=True))
    parts = [[f"{name}={x[i]}" for name, x in columns if x[i] is not None] for i in range(len(params))]
    return tuple(_different([cut(one_line(", ".join(of_one)) or "default parameters", MAX_NAME) for of_one in parts]))


def without_steps(names: Sequence[str]) -> list[str]:
    """Parameters without the steps of a pipeline, where the rest names each of them."""
    last = [re.sub(r"[^\s:=][^:=]*__", "", name) for name in names]
    return [end if last.count(end) == 1 else name for end, name in zip(last, names, strict=True)]


def value_key(value: Any) -> Hashable:
    """What equal values of a parameter have in common, also of those that cannot be hashed."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (bool, str, bytes)):
        return type(value), value
    if isinstance(value, (int, float, complex)):
        return "number", value if value == value else "nan"
    parts, kind = value, type(value)
    if isinstance(value, np.ndarray):
        parts = [value.shape, value.tolist()]
    elif isinstance(value, Mapping):
        parts = [*value.items()]
    elif callable(getattr(value, "get_params", None)) and not isinstance(value, type):
        parts = [value.get_params(deep=False)]
    elif isinstance(value, (list, tuple)):
        kind = tuple
    else:
        return kind, value if isinstance(value, type) else id(value)
    return kind, *map(value_key, parts)


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
    plain = {key: value.item() if isinstance(value, np.generic) else value for key, value in values.items()}
    labels = {key: value_label(value) for key, value in plain.items()}
    short = Counter(labels.values())
    for key, value in plain.items():
        if isinstance(value, float) and math.isfinite(value) and short[value_label(value)] > 1:
            labels[key] = repr(value)
    return dict(zip(labels, _different([*labels.values()]), strict=True))


def _different(names: Sequence[str]) -> list[str]:
    """The names, the second and later ones of several equal ones with a number."""
    taken: dict[str, None] = {}
    counts = Counter(dict.fromkeys(names, 1))
    for name in names:
        new = name
        while new in taken:
            counts[name] += 1
            new = f"{name} #{counts[name]}"
        taken[new] = None
    return [*taken]
