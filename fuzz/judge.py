"""What a call may do: give a sound answer, or refuse in our words. Everything else is a find."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import chdir, contextmanager, redirect_stdout
from dataclasses import fields, is_dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import sklearn

import skcompare
from fuzz.command import run
from fuzz.targets import RefusedError, UnsoundError, namespace

PACKAGE, SKLEARN = (str(Path(module.__file__).parent) for module in (skcompare, sklearn))
MOST_CHARACTERS = 2000  # of a refusal; tables of what is known are long


def judged(text: str) -> str:
    """``"answer"`` or ``"refused"``; raises what is neither."""
    given = {**namespace(), "command": run}
    before = _global_numbers()
    with _strict(), chdir(given["folder"]), redirect_stdout(StringIO()):  # a file may be called anything
        try:
            answer = eval(text, given)
            sound(answer)
        except RefusedError:
            return "refused"
        except (ValueError, TypeError, MemoryError, OSError) as error:
            if not refused(error, text):
                raise
            return "refused"
    if _global_numbers() != before:
        raise UnsoundError("the global random numbers were moved")
    return "answer"


def _global_numbers() -> tuple[bytes, int]:
    """Where numpy's global random numbers stand; an evaluator without a seed draws from them, as scikit-learn does."""
    _, key, place, *_ = np.random.get_state()  # noqa: NPY002
    return key.tobytes(), place


@contextmanager
def _strict() -> Iterator[None]:
    """Warnings of numpy and of deprecation are errors; those for the user are not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for category in (RuntimeWarning, DeprecationWarning, FutureWarning):
            warnings.simplefilter("error", category)
        yield


def refused(error: BaseException, text: str) -> bool:
    """Whether it was raised by this package, or by scikit-learn where we stand in for it."""
    said, last = str(error), traceback.extract_tb(error.__traceback__)[-1].filename
    if last.startswith(SKLEARN):
        return any(name in text for name in ("cross_val_", "cross_validate(", ".refit("))
    return (
        last.startswith(PACKAGE)
        and all(char.isprintable() or char == "\n" for char in said)
        and 10 < len(said) <= MOST_CHARACTERS
    )


def sound(answer: Any) -> None:
    """Raises unless the answer can be shown, its probabilities are some, and what is not known is spoken of."""
    if isinstance(answer, (tuple, list)):
        for part in answer:
            sound(part)
    if not is_dataclass(answer):
        return
    for shown in (repr(answer), str(answer)):
        if not all(char.isprintable() or char == "\n" for char in shown):
            raise UnsoundError(f"not printable: {shown!r}")
    for field in fields(answer):
        posterior = field.name in ("left", "rope", "right", "marginals") and hasattr(answer, "left")
        if posterior or field.name.startswith(("pvalue", "probabilit")):
            _check_probabilities(answer, field.name)
    adjusted = getattr(answer, "correction", "studentized_range") != "studentized_range"  # without intervals
    if hasattr(answer, "confidence_interval") and not adjusted:
        found = answer.confidence_interval()
        for interval in found if isinstance(found, tuple) and not hasattr(found, "low") else [found]:
            if np.any(np.asarray(interval.low) > np.asarray(interval.high)):
                raise UnsoundError(f"the interval {interval!r} is upside down")
    if hasattr(answer, "rows"):
        sound(list(answer.rows))


def _check_probabilities(answer: Any, name: str) -> None:
    value = getattr(answer, name)
    if value is None or callable(value):
        return
    values = np.asarray([*value.values()] if isinstance(value, dict) else value, dtype=float)
    if ((values < 0) | (values > 1 + 1e-9)).any():
        raise UnsoundError(f"{name} = {value!r}")
    if name == "probability_of_superiority" and not answer.wins + answer.ties + answer.losses:
        return  # no cases that two models share, as of independent runs
    if np.isnan(values).all() and values.size and not getattr(answer, "warnings", ("none",)):
        raise UnsoundError(f"{name} is nan, and nothing says why")
