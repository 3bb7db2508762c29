"""Runnable measurements: ``python -m benchmarks.engine``."""

from __future__ import annotations

import sys
from collections.abc import Callable


def run_part(parts: dict[str, Callable[[], None]]) -> None:
    """Run the part of a module that the first argument names, with the others; the first part where none does."""
    first = next(iter(parts))
    parts[sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in parts else first]()
