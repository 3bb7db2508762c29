"""Checks at the door, shared by every layer: each error names the argument, the requirement and what came."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral, Real
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.meanings import unknown

Alternative = Literal["two-sided", "greater", "less"]
FloatArray = NDArray[np.float64]
LARGEST_INTEGER = 2**53  # up to here every integer is a float too


def check_scores(values: ArrayLike, name: str, *, ndim: tuple[int, ...] = (1, 2)) -> FloatArray:
    """Return `values` as a new float64 array of one of the dimensions `ndim`, all finite, or raise ValueError."""
    try:
        if np.iscomplexobj(values):
            raise TypeError("complex numbers")
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{name} must be an array of numbers; got {values!r:.80}") from error
    if array.ndim not in ndim:
        wanted = " or ".join(str(d) for d in ndim)
        raise ValueError(f"{name} must have {wanted} dimension(s); got shape {array.shape}")
    if array.size == 0:
        raise ValueError(f"{name} must hold at least one value; got shape {array.shape}")
    finite = np.isfinite(array)
    if not finite.all():
        bad = np.argwhere(~finite)
        where = tuple(int(i) for i in bad[0])
        position = where[0] if len(where) == 1 else where
        raise ValueError(f"{name} must be finite; got {array[where]} at position {position} ({len(bad)} such value(s))")
    return array


def check_pair(
    a: ArrayLike, b: ArrayLike, *, ndim: tuple[int, ...] = (1, 2), shape: tuple[int, ...] | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return `a` and `b` as finite float64 arrays of one shape, or raise ValueError."""
    a, b = check_scores(a, "a", ndim=ndim), check_scores(b, "b", ndim=ndim)
    if a.shape != b.shape:
        raise ValueError(f"a and b must be paired, of one shape; got a {a.shape} and b {b.shape}")
    if shape is not None and a.shape != shape:
        raise ValueError(f"a and b must have shape {shape}; got {a.shape}")
    return a, b


def check_alternative(alternative: str, allowed: Sequence[str] = get_args(Alternative)) -> None:
    """Raise ValueError unless `alternative` is one of `allowed`."""
    check_choice(alternative, "alternative", allowed)


def check_choice(value: Any, name: str, allowed: Sequence[str]) -> None:
    """Raise ValueError with the nearest of the allowed values first, unless `value` is one of them."""
    if isinstance(value, str) and value in allowed:
        return
    raise ValueError(unknown(value, name, allowed))


def check_number(
    value: Any,
    name: str,
    *,
    low: float = -np.inf,
    high: float = np.inf,
    closed: Literal["both", "left", "right", "neither"] = "both",
) -> float:
    """Return `value` as a float inside the interval from `low` to `high`, or raise ValueError."""
    left, right = "[" if closed in ("both", "left") else "(", "]" if closed in ("both", "right") else ")"
    if isinstance(value, Real) and not isinstance(value, bool):
        try:
            number = float(value)
        except OverflowError:  # an integer too large for a float
            number = -np.inf if value < 0 else np.inf
        above = number >= low if left == "[" else number > low
        below = number <= high if right == "]" else number < high
        if above and below:
            return number
    raise ValueError(f"{name} must be a number in {left}{low:g}, {high:g}{right}; got {value!r}")


def check_rng(rng: Any) -> np.random.Generator:
    """Return the generator that `rng` is or seeds, or raise ValueError."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        raise ValueError(f"rng must be None, a non-negative integer or a numpy Generator; got {rng!r}") from error


def check_integer(value: Any, name: str, *, low: int) -> int:
    """Return `value` as an int of at least `low`, or raise ValueError."""
    if isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= low:
        if int(value) >= LARGEST_INTEGER:
            raise ValueError(f"{name} must be an integer below {LARGEST_INTEGER}; got {value!r:.80}")
        return int(value)
    raise ValueError(f"{name} must be an integer of at least {low}; got {value!r}")
