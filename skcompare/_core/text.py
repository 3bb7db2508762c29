"""Plain text for a terminal: wrapped lines, list items, and tables whose columns are as wide as their cells."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

from skcompare._core.html import MAX_WARNINGS, Table, cut, is_name
from skcompare._core.printable import one_line

WIDTH = 100
MAX_CELL = 50


def block(sentence: str, method: str, tables: Sequence[Table], warnings: Sequence[str]) -> str:
    """What a record prints: its sentence and how it was found, its tables, and the reasons to doubt it."""
    method = one_line(method)
    told = not method or method in one_line(sentence)
    first = wrap(sentence) if told else f"{wrap(sentence)}\n{wrap(f'Method: {method}.')}"
    shown = [item(warning) for warning in warnings[:MAX_WARNINGS]]
    more = len(warnings) - MAX_WARNINGS
    listed = ["Warnings:", *shown, *([item(f"{more} more in .warnings")] if more > 0 else [])] if shown else []
    return "\n\n".join(part for part in (first, *map(_small, tables), "\n".join(listed)) if part)


def table(header: Sequence[str], lines: Sequence[Sequence[str]], *, left: Sequence[int]) -> str:
    """Columns as wide as their cells; names to the left, numbers to the right."""
    lines = [[one_line(cell) for cell in line] for line in (header, *lines)]
    columns = list(zip(*lines, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    rows = [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    return "\n".join([rows[0], "-" * max(len(row) for row in rows), *rows[1:]])


def wrap(line: str, indent: str = "") -> str:
    """Lines of at most `WIDTH` characters; a p-value stays on one of them."""
    kept = re.sub(r"\bp ([=<]) ", "p\u00a0\\1\u00a0", one_line(line))
    filled = textwrap.fill(kept, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return filled.replace("\u00a0", " ")


def item(line: str) -> str:
    return wrap(f"- {line}", indent="  ")


def _small(shown: Table) -> str:
    """The first rows of a table, and how many more there are; empty without rows."""
    if not shown.rows:
        return ""
    left = [i for i, column in enumerate(zip(*shown.rows, strict=True)) if i == 0 or is_name(column)]
    lines = [[cut(cell, MAX_CELL) for cell in row] for row in shown.rows[: shown.limit]]
    more = len(shown.rows) - shown.limit
    return table(shown.header, lines, left=left) + (f"\nand {more} more rows" if more > 0 else "")
