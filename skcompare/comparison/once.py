"""What is computed of scores is computed once."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar
from weakref import WeakKeyDictionary

P = ParamSpec("P")
T = TypeVar("T")


def once(function: Callable[P, T]) -> Callable[P, T]:
    """A function of scores that is computed once for the same scores and options, while the scores are alive."""
    known: WeakKeyDictionary[Any, dict[Any, T]] = WeakKeyDictionary()
    asked = signature(function)
    n_asked = len(asked.parameters)

    @wraps(function)
    def remembering(*args: P.args, **kwargs: P.kwargs) -> T:
        if len(args) == n_asked:
            given: tuple[Any, ...] = args
        else:
            bound = asked.bind(*args, **kwargs)
            bound.apply_defaults()
            given = tuple(bound.arguments.values())
        scores, *options = given
        key = tuple(options)
        try:
            hash(key)
        except TypeError:  # an option such as a mapping, which may change
            return function(*args, **kwargs)
        answers = known.setdefault(scores, {})
        if key not in answers:
            answers[key] = function(*args, **kwargs)
        return answers[key]

    return remembering
