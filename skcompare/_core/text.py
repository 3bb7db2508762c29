"""Plain text for a terminal: wrapped lines, list items, and tables whose columns are as wide as their cells."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from itertools import repeat

from skcompare._core.printable import one_line

WIDTH = 80
MAX_CELL = 50


class Cell(str):
    """A cell, and what stands for it in a table that would be too wide."""

    __slots__ = ("short",)
    short: str

    def __new__(cls, full: str, short: str) -> Cell:
        """Both texts."""
        found = super().__new__(cls, full)
        found.short = short
        return found


NOT_DIFFERENT = Cell("not significantly different", "not significant")


def better(winner: str) -> Cell:
    """That a model is significantly better than the other one."""
    return Cell(f"{winner} significantly better", f"{winner} better")


def table(header: Sequence[str], lines: Sequence[Sequence[str]], *, left: Sequence[int]) -> str:
    """Columns as wide as their cells; names to the left, numbers to the right.

    Where it would be wider than `WIDTH`, cells take fewer words, then long headings two lines.
    """
    head, cells = list(map(one_line, header)), [list(map(one_line, line)) for line in lines]
    shown = _columns([head], cells, left)
    if width(shown) > WIDTH:
        cells = [[one_line(getattr(cell, "short", cell)) for cell in line] for line in lines]
        shown = _columns([head], cells, left)
    if width(shown) > WIDTH and cells:
        room = (1 + max(map(len, column)) for column in zip(*cells, strict=True))
        halves = [_halves(cell) if len(cell) > most else ("", cell) for cell, most in zip(head, room, strict=True)]
        upper, lower = zip(*halves, strict=True)
        shown = _columns([upper, lower], cells, left) if any(upper) else shown
    return shown


def width(text: str) -> int:
    """The characters of the longest line."""
    return max(map(len, text.splitlines()), default=0)


def _halves(heading: str) -> tuple[str, str]:
    """The words of a heading in two lines, the longer one as short as can be; a single word in the lower line."""
    words = re.split(r"(?<!-)(?<= )|(?<=_)(?!_)", heading)  # "- b" stays together
    halves = (("".join(words[:i]).rstrip(), "".join(words[i:])) for i in range(len(words)))
    return min(halves, key=lambda half: max(map(len, half)))


def _columns(heads: Sequence[Sequence[str]], lines: Sequence[Sequence[str]], left: Sequence[int]) -> str:
    columns = []
    for i, column in enumerate(zip(*heads, *lines, strict=True)):
        widest = max(map(len, column))
        columns.append([*map(str.ljust if i in left else str.rjust, column, repeat(widest))])
    rows = ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]
    return "\n".join([*rows[: len(heads)], "-" * max(map(len, rows)), *rows[len(heads) :]])


def wrap(line: str, indent: str = "") -> str:
    """Lines of at most `WIDTH` characters; a p-value stays on one of them, and so does a difference."""
    kept = re.sub(r"\bp ([=<]) ", "p\u00a0\\1\u00a0", one_line(line))
    kept = re.sub(r"(?<=\S) - (?=\S)", "\u00a0-\u00a0", kept)
    filled = textwrap.fill(kept, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return filled.replace("\u00a0", " ")


def item(line: str) -> str:
    return wrap(f"- {line}", indent="  ")
