"""How complex the candidates are: numbers to put them in order by, the simplest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.printable import one_line
from skcompare.selection._candidates import Candidates

Complexity = str | Sequence[str] | Callable[[Any], Any] | None


def check_complexity(complexity: Any) -> Complexity:
    """None, a name, a tuple of names or a callable, or ValueError."""
    if complexity is None or callable(complexity) or _is_name(complexity):
        return complexity  # type: ignore[no-any-return]
    if isinstance(complexity, (list, tuple)) and complexity and all(map(_is_name, complexity)):
        return tuple(complexity)
    raise ValueError(
        f"complexity must be None, a parameter or column of numbers, a sequence of these or a callable; "
        f"got {one_line(repr(complexity)):.80}"
    )


def complexity_keys(complexity: Complexity, candidates: Candidates, places: NDArray[np.intp]) -> list[tuple[Any, ...]]:
    """What to order the candidates at some places by, or ValueError where one of them has no place in the order."""
    if complexity is None:
        return [(int(i),) for i in places]
    if callable(complexity):
        return [_given(complexity(candidates.subjects[i]), candidates.names[i]) for i in places]
    names = (complexity,) if isinstance(complexity, str) else complexity
    return list(zip(*(_named(name, candidates, places) for name in names), strict=True))


def in_words(complexity: Complexity) -> str:
    """What the candidate that comes first in this order is or has."""
    if complexity is None:
        return "is the first listed"
    if callable(complexity):
        return f"is the simplest by {getattr(complexity, '__name__', type(complexity).__name__)}"
    names = (complexity,) if isinstance(complexity, str) else complexity
    ends = [f"largest {name[1:]}" if name.startswith("-") else f"smallest {name}" for name in names]
    return f"has the {', then the '.join(ends)}"


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.removeprefix("-"))


def _given(value: Any, candidate: str) -> tuple[Any, ...]:
    parts = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(_number(part, "complexity", f"for {candidate}; got {one_line(repr(value)):.80}") for part in parts)


def _named(name: str, candidates: Candidates, places: NDArray[np.intp]) -> list[Any]:
    """Values of a parameter or column; with a minus in front larger is simpler."""
    sign, plain = (-1, name[1:]) if name.startswith("-") else (1, name)
    if any(plain in params for params in candidates.params):
        numbers = [_of_params(plain, candidates.params[i], candidates.names[i]) for i in places]
    elif plain in candidates.columns:
        values = candidates.columns[plain][places].tolist()
        numbers = [_number(value, "complexity", f"in {plain}; got {value}") for value in values]
    else:
        parameters = dict.fromkeys(key for params in candidates.params for key in params)
        known = ", ".join(map(repr, [*parameters, *candidates.columns]))
        raise ValueError(f"complexity must name a parameter or a column of numbers; got {plain!r}, not among {known}")
    return [sign * number for number in numbers]


def _of_params(name: str, params: Any, candidate: str) -> Any:
    if name not in params:
        raise ValueError(f"complexity must name a parameter of every candidate; got {name!r}, which {candidate} lacks")
    value = params[name]
    return _number(value, "complexity", f"in a parameter; got {name}={one_line(repr(value)):.80}")


def _number(value: Any, argument: str, where: str) -> Any:
    """A number to order by; None, as in ``max_depth=None``, is above all others."""
    if value is None:
        return np.inf
    if isinstance(value, (Real, np.bool_)) and value == value:
        return int(value) if isinstance(value, (bool, np.bool_)) else value
    raise ValueError(f"{argument} must be a number or None {where}; a callable can order other values")
