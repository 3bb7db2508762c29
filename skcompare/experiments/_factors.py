"""The factors that a design is made of, as users give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np

from skcompare._core.validation import check_choice
from skcompare.experiments._design import is_number
from skcompare.tables.candidate_names import value_key


def check_factors(
    factors: Any, logarithmic: Any, *, continuous: bool = False
) -> tuple[dict[str, tuple[Any, ...]], tuple[str, ...]]:
    """Levels by factor, and the factors on a logarithmic scale, or ValueError."""
    if not isinstance(factors, Mapping) or not factors or not all(isinstance(name, str) for name in factors):
        raise ValueError(f"factors must be a mapping of parameters to levels; got {factors!r:.100}")
    found = {}
    for name, given in factors.items():
        given = given.tolist() if isinstance(given, np.ndarray) else given
        if isinstance(given, (str, bytes)) or not isinstance(given, Sequence):
            raise ValueError(f"factors must give a sequence of levels for {name!r}; got {given!r:.80}")
        found[name] = tuple(given)
        if not continuous and all(map(is_number, found[name])):
            found[name] = tuple(sorted(found[name]))
        if len({value_key(value) for value in found[name]}) < max(2, len(found[name])):
            raise ValueError(f"factors must give two or more different levels for {name!r}; got {given!r:.80}")
        if continuous and not (
            len(found[name]) == 2 and all(map(is_number, found[name])) and found[name][0] < found[name][1]
        ):
            raise ValueError(f"factors must give two numbers for {name!r}, low and high; got {given!r:.80}")
        if all(map(is_number, found[name])) and not isfinite(float(max(found[name])) - float(min(found[name]))):
            raise ValueError(f"factors must give levels whose differences are finite for {name!r}; got {given!r:.80}")
    return found, check_log(logarithmic, found)


def check_log(given: Any, factors: Mapping[str, tuple[Any, ...]]) -> tuple[str, ...]:
    """The factors on a logarithmic scale, or ValueError."""
    given = given.tolist() if isinstance(given, np.ndarray) else given
    if not isinstance(given, Iterable):
        raise ValueError(f"log must be a sequence of names of factors; got {given!r:.80}")
    chosen = (given,) if isinstance(given, str) else tuple(given)
    for name in chosen:
        check_choice(name, "log", tuple(factors))
        if not all(is_number(value) and value > 0 for value in factors[name]):
            raise ValueError(
                f"log must name factors with positive numbers as levels; got {name!r} with {factors[name]!r:.80}"
            )
    return chosen
