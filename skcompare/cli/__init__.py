"""The `skcompare` command, and how it says what is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from skcompare._core.text import one_line


def error_line(error: object) -> str:
    """An error as one line of at most 500 printable characters, but for those with commands that are to be run."""
    # what the system says stands without number and file
    line = one_line(getattr(error, "strerror", None) or str(error)) or type(error).__name__
    return line if hasattr(error, "calls") or len(line) <= 500 else f"{line[:497]}..."


@contextmanager
def told(start: str, kinds: tuple[type[Exception], ...] = (ValueError, OSError, ImportError)) -> Iterator[None]:
    """Errors of some kinds as a ValueError that begins with `start`, and is no more than it if no blank ends it."""
    try:
        yield
    except kinds as error:
        raise ValueError(start + error_line(error) if start[-1:] in ("", " ") else start) from error
