"""Runnable measurements: ``python -m benchmarks.engine``."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable
from datetime import date

import sklearn


def run_part(parts: dict[str, Callable[[], None]]) -> None:
    """Run the part of a module that the first argument names, with the others; the first part where none does."""
    first = next(iter(parts))
    parts[sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in parts else first]()


def machine() -> str:
    """The day, and what times depend on."""
    cores, load = os.cpu_count(), os.getloadavg()[0]
    versions = f"Python {platform.python_version()}, scikit-learn {sklearn.__version__}"
    return f"{date.today()}, {platform.machine()}, {cores} cores, load {load:.1f}, {versions}"


def between(page: str, start: str, end: str, made: str) -> str:
    """The page with other text between its marks."""
    before, rest = page.split(start)
    return f"{before}{start}\n\n{made}\n\n{end}{rest.split(end)[1]}"
