"""Pieces of HTML for a notebook: every text escaped, no colours of its own, no style that reaches beyond it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from skcompare._core.printable import one_line

MAX_ROWS = 15
MAX_WARNINGS = 4
MAX_CELL = 200

_LINE = "1px solid rgba(128, 128, 128, 0.4)"  # seen on white and on black
_CELL = f"padding: 0.2em 0.7em; border-bottom: {_LINE}"


@dataclass(frozen=True, slots=True)
class Table:
    """Text for a table: the first cell of a row names it; rows beyond `limit` are counted."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    limit: int = MAX_ROWS


def block(
    tables: Iterable[Table], sentences: Iterable[str], warnings: Sequence[str] = (), *, answer: Sequence[str] = ()
) -> str:
    """What a notebook shows: the answer, tables, sentences, and the reasons to doubt them."""
    parts = [
        f"<p><strong>{text(line)}</strong></p>" if not i else f"<p>{text(line)}</p>" for i, line in enumerate(answer)
    ]
    parts += [_table(table) for table in tables if table.rows]
    parts += [f"<p>{text(sentence)}</p>" for sentence in sentences if sentence]
    if warnings:
        shown = [f"<li>{text(warning)}</li>" for warning in warnings[:MAX_WARNINGS]]
        more = _more(len(warnings) - MAX_WARNINGS, "warnings")
        parts.append(f"<p>Warnings:</p><ul>{''.join(shown)}</ul>{more}")
    return f'<div class="skcompare">{"".join(parts)}</div>'


def text(value: str) -> str:
    """One line of printable characters, escaped."""
    return escape(one_line(value))


def cut(value: str, size: int = MAX_CELL) -> str:
    """At most `size` characters, with three dots for the rest."""
    return value if len(value) <= size else f"{value[: size - 3]}..."


def _table(table: Table) -> str:
    left = [is_name(column) for column in zip(*table.rows, strict=True)]
    head = "".join(
        f'<th scope="col" style="{_style(to_left)}">{text(cell)}</th>'
        for cell, to_left in zip(table.header, left, strict=True)
    )
    body = "".join(_row(row, left) for row in table.rows[: table.limit])
    more = _more(len(table.rows) - table.limit, "rows")
    return f'<table style="border-collapse: collapse"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}'


def _row(row: Sequence[str], left: Sequence[bool]) -> str:
    cells = [text(cut(cell)) for cell in row]
    name = f'<th scope="row" style="{_style(True)}; font-weight: normal">{cells[0]}</th>'
    rest = [f'<td style="{_style(to_left)}">{cell}</td>' for cell, to_left in zip(cells[1:], left[1:], strict=True)]
    return f"<tr>{name}{''.join(rest)}</tr>"


def _style(to_left: bool) -> str:
    return f"{_CELL}; text-align: {'left' if to_left else 'right'}"


def is_name(column: Sequence[str]) -> bool:
    """Whether a column holds names, not numbers."""
    return any(cell[:1].isalpha() and cell not in ("n/a", "nan", "inf") for cell in column)


def _more(n: int, what: str) -> str:
    return f"<p>and {n} more {what}</p>" if n > 0 else ""
