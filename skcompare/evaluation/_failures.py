"""What is said of a fit that failed."""

from __future__ import annotations

from skcompare.evaluation._splits import Splits

_REMEDY = "Take make_pipeline(SimpleImputer(), model), or a model that takes missing values."


def failure_message(name: str, splits: Splits, split: int, step: str, traceback: str) -> str:
    """One line: which estimator, which fold, which step, and the error."""
    reason = error_line(traceback)
    remedy = f" {_REMEDY}" if "X contains NaN" in reason else ""
    return f"estimator {name!r} failed in {step} {splits.place(split)}: {reason}{remedy}"


def error_line(traceback: str) -> str:
    """The error's type and the first line of its message, which follow the last stack line of a traceback."""
    lines = traceback.strip().splitlines()
    last_frame = max((i for i, line in enumerate(lines) if line.startswith('  File "')), default=-1)
    return next((line for line in lines[last_frame + 1 :] if not line.startswith(" ")), "unknown error")
