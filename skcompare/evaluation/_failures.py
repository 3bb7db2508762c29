"""What is said of a fit that failed."""

from __future__ import annotations

from skcompare.evaluation._splits import Splits

_REMEDY = "Take make_pipeline(SimpleImputer(), model), or a model that takes missing values."


def failure_message(name: str, splits: Splits, split: int, step: str, traceback: str) -> str:
    """One line: which estimator, which fold, which step, and the error."""
    where = place_of(split, splits.n_folds)
    reason = _reason(traceback)
    remedy = f" {_REMEDY}" if "X contains NaN" in reason else ""
    return f"estimator {name!r} failed in {step} {where}: {reason}{remedy}"


def place_of(split: int, n_folds: int) -> str:
    """Which split, in words."""
    repeat, fold = divmod(split, n_folds)
    return f"on split {split} (repeat {repeat}, fold {fold})"


def _reason(traceback: str) -> str:
    """The error's type and the first line of its message, which follow the last stack line of a traceback."""
    lines = traceback.strip().splitlines()
    last_frame = max((i for i, line in enumerate(lines) if line.startswith('  File "')), default=-1)
    return next((line for line in lines[last_frame + 1 :] if not line.startswith(" ")), "unknown error")
