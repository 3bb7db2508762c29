"""One number of a document, or a few of one kind: where it stands, what gives ours, and why the two differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

# Arithmetic in another order moves the last digits of 16.
MOST_DIGITS = 12


@dataclass(frozen=True)
class Remark:
    """What a reader has to know: why numbers differ, or what a number is not."""

    short: str
    full: str


@dataclass(frozen=True)
class Check:
    """A number from neither the document nor skcompare: another library, or a few lines of arithmetic."""

    by: str
    value: Callable[[], Any]


@dataclass(frozen=True)
class Row:
    """Numbers of one kind.

    Attributes
    ----------
    where : str
        The example, slide or heading.
    lines : str
        Lines of the document's text.
    what : str
    by : str
        The public name that gives ours.
    ours : callable
    printed : str
        As the document has them, with commas between several; empty where it gives the data or the formula alone.
    check : Check or None
        Needed wherever ours is not what is printed.
    remark : Remark or None
        Needed wherever ours is not what is printed although something is.
    """

    where: str
    lines: str
    what: str
    by: str
    ours: Callable[[], Any]
    printed: str = ""
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
        return tuple(self.printed.split(", ")) if self.printed else ()

    @cached_property
    def shown(self) -> tuple[str, ...]:
        """Ours with as many digits as are printed."""
        if not self.numbers:
            return tuple(f"{value:.4g}" for value in self.values)
        return tuple(map(_as_printed, self.values, self.numbers))

    @property
    def n_equal(self) -> int:
        return sum(map(_equal, self.shown, self.numbers))

    @property
    def n_different(self) -> int:
        return len(self.numbers) - self.n_equal


def _as_printed(value: float, number: str) -> str:
    decimals = len(number.partition(".")[2])
    kept = min(decimals, max(0, MOST_DIGITS - len(number.strip("-").partition(".")[0].strip("0"))))
    text = f"{value:.{kept}f}"
    text = text.removeprefix("-") if float(text) == 0 else text
    return text.replace("0.", ".", 1) if number.strip("-").startswith(".") else text


def _equal(shown: str, number: str) -> bool:
    """To the digits that ours is shown with: as many as are printed, at most 12."""
    return float(shown) == round(float(number), len(shown.partition(".")[2]))


@dataclass(frozen=True)
class Document:
    """One document: how it is cited, what its section says first, and its numbers in their order.

    Attributes
    ----------
    anchor : str
        A word for links to the section.
    left_out : tuple of str
        Numbers without a counterpart, each with the reason.
    """

    anchor: str
    title: str
    citation: str
    lead: str
    rows: tuple[Row, ...]
    left_out: tuple[str, ...]
