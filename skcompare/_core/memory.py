"""How much memory is free, and the refusal of what would take more than half of it."""

from __future__ import annotations

import os
from pathlib import Path

_GIB = 2**30


def check_memory(n_bytes: float, what: str, remedy: str) -> None:
    """Raise MemoryError where `n_bytes` are more than half of the free memory; `what` begins with the argument."""
    free = free_memory()
    if n_bytes > free / 2:
        raise MemoryError(
            f"{what} would take {n_bytes / _GIB:.3g} GiB, more than half of the {free / _GIB:.3g} GiB of memory that "
            f"are free; {remedy}"
        )


def free_memory() -> float:
    """Bytes that can be had without swapping; infinite where the system does not tell."""
    try:
        with Path("/proc/meminfo").open(encoding="ascii") as file:
            return next(float(line.split()[1]) * 1024 for line in file if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, OSError, ValueError):  # not on this system
        return float("inf")
