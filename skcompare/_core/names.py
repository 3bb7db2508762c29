"""What a user may leave out of a question: which two estimators, which pairs, which metrics."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import wraps
from inspect import signature
from itertools import combinations
from typing import Any, ParamSpec, TypeVar

from skcompare._core.numbers import listed
from skcompare._core.validation import check_choice
from skcompare._core.warnings import warn

DUMMY = "dummy"  # the name of scikit-learn's, where it is added as the baseline
Given = ParamSpec("Given")
Result = TypeVar("Result")


def told_of_old(name: str, now: str) -> str:
    """That a name is taken for one version more, and what to write in its place."""
    return f"{name} is an old name, and is taken until version 0.4: {now}"


def warn_of_old(name: str, now: str) -> None:
    """The same as a warning."""
    warn(told_of_old(name, now), FutureWarning)


def given_twice(old: str, new: str) -> TypeError:
    """The refusal of an old name beside the new one."""
    return TypeError(f"{old} is the old name of {new}, which is given too: leave it out")


def take_old(given: MutableMapping[str, Any], names: Mapping[str, str], placed: Sequence[str] = ()) -> None:
    """Old names of arguments, each with the new one: what was given by the old one is moved, with a warning.

    TypeError where both are given, the new one perhaps among those `placed` without a name.
    """
    for old, new in names.items():
        if old in given and (new in given or new in placed):
            raise given_twice(old, new)
        if old in given:
            warn_of_old(f"{old}=", f"give {new}=")
            given[new] = given.pop(old)


def take_named(function: Callable[..., Any], args: Sequence[Any], given: MutableMapping[str, Any], **old: str) -> None:
    """The same for a call; TypeError for a name that the function does not have, with those that it has."""
    known = signature(function).parameters
    take_old(given, old, [*known][: len(args)])
    unknown = [name for name in given if name not in known]
    if unknown and not any(one.kind is one.VAR_KEYWORD for one in known.values()):
        takes = listed(name for name in known if name not in ("self", "cls"))
        raise TypeError(f"{function.__qualname__} has no argument {unknown[0]!r}: it takes {takes}")


def old_names(**names: str) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """A function whose arguments had other names."""

    def decorate(function: Callable[Given, Result]) -> Callable[Given, Result]:
        @wraps(function)
        def called(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            take_named(function, args, kwargs, **names)
            return function(*args, **kwargs)

        return called

    return decorate


def choose_pair(a: str | None, b: str | None, estimators: tuple[str, ...]) -> tuple[str, str]:
    """Two different estimators, the first and the second by default, or ValueError."""
    for name, given in (("a", a), ("b", b)):
        if given is not None:
            check_choice(given, name, estimators)
    check_several(estimators)
    pair = (estimators[0] if a is None else a, estimators[1] if b is None else b)
    if pair[0] == pair[1]:
        raise ValueError(f"a and b must be two different estimators; got {pair[0]!r} twice")
    return pair


_ADDS = "add one by result.add(name, model, X, y) or skcompare.merge"


def check_several(estimators: tuple[str, ...], adds: str = _ADDS) -> None:
    """ValueError where there is one estimator alone, with what adds another one."""
    if len(estimators) < 2:
        raise ValueError(f"a comparison takes two or more models, and there is only {estimators[0]!r}: {adds}")


def choose_pairs(baseline: str | None, estimators: tuple[str, ...]) -> list[tuple[str, str]]:
    """All pairs of estimators, or every other one against a baseline."""
    if baseline is None:
        return list(combinations(estimators, 2))
    check_choice(baseline, "baseline", estimators)
    return [(name, baseline) for name in estimators if name != baseline]


def choose_metric(metric: str | None, known: tuple[str, ...], argument: str = "metric") -> str:
    """The metric asked for, the first by default, or ValueError."""
    metric = known[0] if metric is None else metric
    check_choice(metric, argument, known)
    return metric


def choose_metrics(
    given: str | Sequence[str] | None, known: tuple[str, ...], argument: str = "metrics", what: str = "metric"
) -> tuple[str, ...]:
    """The metrics asked for, all that are known by default, or ValueError."""
    if given is not None and not isinstance(given, (str, Sequence)):
        raise ValueError(f"{argument} must be names of {what}s; got {given!r}")
    names = known if given is None else (given,) if isinstance(given, str) else tuple(given)
    for name in names:
        check_choice(name, argument, known)
    if not names or len(set(names)) != len(names):
        raise ValueError(f"{argument} must name at least one {what}, each once; got {given!r}")
    return names


def choose_estimators(estimators: str | Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, ...]:
    """The estimators asked for, all that are known by default, or ValueError."""
    return choose_metrics(estimators, known, "estimators", "estimator")
