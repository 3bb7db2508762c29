"""One number of a document, or a few of one kind: where it stands, what gives ours, and why the two differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

# Arithmetic in another order moves the last digits of 16.
MOST_DIGITS = 12


@dataclass(frozen=True)
class Remark:
    """A note below the table of docs/sources.md by its letter, and why numbers differ, for the table of those."""

    letter: str
    short: str = ""


@dataclass(frozen=True)
class Check:
    """Numbers from neither the document nor skcompare: another library, or a few lines of arithmetic.

    Attributes
    ----------
    by : str
        What comes after "as".
    value : callable
    digits : int
        Decimals to which they hold.
    """

    by: str
    value: Callable[[], Any]
    digits: int = 7


@dataclass(frozen=True)
class Text:
    """What a document has of one kind of numbers.

    Attributes
    ----------
    where : str
        The example, slide or heading.
    lines : str
        Lines of the document's text, one or "first-last".
    what : str
    printed : str
        The numbers, with commas between several; empty where the document gives the data or the formula alone.
    """

    where: str
    lines: str
    what: str
    printed: str = ""


@dataclass(frozen=True)
class Row:
    """Numbers of one kind.

    Attributes
    ----------
    text : Text
    by : str
        The public name that gives ours.
    ours : callable
    check : Check or None
        Needed wherever ours is not what is printed.
    remark : Remark or None
        Needed wherever ours is not what is printed although something is.
    """

    text: Text
    by: str
    ours: Callable[[], Any]
    check: Check | None = None
    remark: Remark | None = None

    @cached_property
    def values(self) -> tuple[float, ...]:
        return tuple(np.ravel(self.ours()).astype(float).tolist())

    @cached_property
    def checks(self) -> tuple[float, ...]:
        return tuple(np.ravel(self.check.value()).astype(float).tolist()) if self.check else ()

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(self.text.printed.split(", ")) if self.text.printed else ()

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Ours with as many digits as are printed, and with four decimals at least where it differs."""
        if not self.numbers:
            return tuple(f"{value:.4g}" for value in self.values)
        return tuple(map(_as_printed, self.values, self.numbers))

    @property
    def n_equal(self) -> int:
        pairs = zip(self.values, self.numbers, strict=bool(self.numbers))
        return sum(_equal(repr(value), number) for value, number in pairs)

    @property
    def n_different(self) -> int:
        return len(self.numbers) - self.n_equal


def _decimals(number: str) -> int:
    """Of a printed number, leaving out what is beyond `MOST_DIGITS`."""
    whole, _, digits = number.strip("-").partition(".")
    zeros = len(digits) - len(digits.lstrip("0"))
    return min(len(digits), MOST_DIGITS + zeros if whole.strip("0") == "" else MOST_DIGITS - len(whole))


def _as_printed(value: float, number: str) -> str:
    decimals = _decimals(number)
    if not _equal(f"{value:.{decimals}f}", number) and decimals:
        decimals = max(decimals, 4)
    text = f"{value:.{decimals}f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if number.strip("-").startswith(".") else text


def _equal(shown: str, number: str) -> bool:
    decimals = _decimals(number)
    return round(float(shown), decimals) == round(float(number), decimals)


@dataclass(frozen=True)
class Document:
    """One document: the mark of its table, the heading of its section, what it is, and its numbers in their order."""

    mark: str
    name: str
    kind: str
    rows: tuple[Row, ...]

    @property
    def link(self) -> str:
        """To its section, as MyST and GitHub make anchors of headings."""
        return f"[{self.name}](#{re.sub(r'[^a-z0-9 -]', '', self.name.lower()).replace(' ', '-')})"
