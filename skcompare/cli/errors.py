"""What is said where the command is given something that does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar, cast

import click

from skcompare._core.printable import one_line

T = TypeVar("T")


class InputError(click.ClickException):
    """Bad input: one line on standard error and exit status 2; the whole line where a command in it is to be run."""

    exit_code = 2

    def __init__(self, message: str, *, whole: bool = False) -> None:
        super().__init__(message)
        self.whole = whole


class NoAnswerError(InputError):
    """Any error of `check`, whose answers are 1 and 2 too."""

    exit_code = 3


def taken(kind: type[T], options: dict[str, Any]) -> T:
    """A record of the options that are called as its fields, which are taken out."""
    names = [field.name for field in fields(cast(Any, kind)) if field.name in options]
    return kind(**{name: options.pop(name) for name in names})


@contextmanager
def as_input_error(*kinds: type[Exception], start: str = "") -> Iterator[None]:
    """Make errors of some kinds an `InputError` that begins with `start`."""
    try:
        yield
    except kinds as error:
        raise InputError(start + error_line(error)) from error


def error_line(error: object) -> str:
    """An error as one line of at most 300 printable characters, but for those that are to be told whole."""
    line = one_line(str(error)) or type(error).__name__
    return line if getattr(error, "whole", False) or len(line) <= 300 else f"{line[:297]}..."


def did_you_mean(name: str, known: Sequence[str], *, quoted: bool = True) -> str:
    """A hint where a name is like one that is known; empty where none is."""
    near = get_close_matches(name, known, n=1)
    return f"; did you mean {repr(near[0]) if quoted else near[0]}?" if near else ""
