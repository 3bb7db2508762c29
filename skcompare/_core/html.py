"""A table of texts, and how much of one is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MAX_ROWS = 15
MAX_WARNINGS = 4
MAX_CELL = 200


@dataclass(frozen=True, slots=True)
class Table:
    """Text for a table: the first cell of a row names it; rows beyond `limit` are counted."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    limit: int = MAX_ROWS


def cut(value: str, size: int = MAX_CELL) -> str:
    """At most `size` characters, with three dots for the rest."""
    return value if len(value) <= size else f"{value[: size - 3]}..."


def is_name(column: Sequence[str]) -> bool:
    """Whether a column holds names, not numbers."""
    return any(cell[:1].isalpha() and cell not in ("n/a", "nan", "inf") for cell in column)
