"""Text from strangers: what a terminal or an editor would obey instead of show."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import bidirectional, category

_CONTROLS = {"Cc", "Cs", "Zl", "Zp"}
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def check_name(name: str, what: str) -> str:
    """Return `name`, or raise ValueError where it is no text, blank, or holds what turns the direction or controls."""
    if not isinstance(name, str) or not name.strip():
        raise ValueError(f"{what} must be named by non-empty strings; got {name!r:.80}")
    if not _CONTROLS.isdisjoint(map(category, name)) or not _TURNS.isdisjoint(map(bidirectional, name)):
        raise ValueError(f"{what} must be named without control characters; got {name!r:.80}")
    return name


def some_names(names: Sequence[str], most: int = 8) -> str:
    """The names, or the first of many and how many more there are."""
    more = len(names) - most
    return ", ".join(map(repr, names[:most])) + (f" and {more:,} more" if more > 0 else "")


def one_line(text: str) -> str:
    """`text` as one line of printable characters, with ``?`` for all others."""
    joined = " ".join(text.split())
    return joined if joined.isprintable() else "".join(char if char.isprintable() else "?" for char in joined)
