"""Fits that failed: what is said of them, and when an estimator is given up."""

from __future__ import annotations

from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._splits import Splits

FIRST_SPLITS = 5
START = "start"  # the step that fails where a fit is not started
_NOT_STARTED = f"it failed on its first {FIRST_SPLITS} splits with the same message"
_REMEDY = "Take make_pipeline(SimpleImputer(), model), or a model that takes missing values."


def failure_message(name: str, splits: Splits, split: int, step: str, traceback: str) -> str:
    """One line: which estimator, which fold, which step, and the error."""
    if step == START:
        return f"estimator {name!r} was not fitted {splits.place(split)}: {traceback}"
    reason = error_line(traceback)
    remedy = f" {_REMEDY}" if "X contains NaN" in reason else ""
    return f"estimator {name!r} failed in {step} {splits.place(split)}: {reason}{remedy}"


def error_line(traceback: str) -> str:
    """The error's type and the first line of its message, which follow the last stack line of a traceback."""
    lines = traceback.strip().splitlines()
    last_frame = max((i for i, line in enumerate(lines) if line.startswith('  File "')), default=-1)
    return next((line for line in lines[last_frame + 1 :] if not line.startswith(" ")), "unknown error")


def not_started() -> FoldOutcome:
    """The outcome of a fit that is not started."""
    return FoldOutcome(errors={"fit": _NOT_STARTED}, started=False)


class FirstFits:
    """What estimators gave on their first splits: one that failed on all of them with one message is fitted no more.

    Nothing else decides, so that what is reported does not depend on which later fits were started or are in a store.

    Parameters
    ----------
    n_splits : int
        Splits of the evaluation; with no more than the first ones there is nothing to decide.
    """

    def __init__(self, n_splits: int) -> None:
        self._n = FIRST_SPLITS if n_splits > FIRST_SPLITS else 0
        self._reasons: dict[int, dict[int, str | None]] = {}

    def take(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        """Take note of an outcome."""
        if split < self._n:
            error = outcome.errors.get("fit")
            self._reasons.setdefault(estimator, {})[split] = None if error is None else error_line(error)

    def hold(self, split: int, estimator: int) -> bool:
        """Whether it is not known yet if a fit is to be started."""
        found = list(self._reasons.get(estimator, {}).values())  # a copy, since joblib's threads ask too
        return split >= self._n > len(found) and None not in found and len({*found}) < 2

    def gave_up(self, split: int, estimator: int) -> bool:
        """Whether a fit is not to be started."""
        found = list(self._reasons.get(estimator, {}).values())
        return split >= self._n == len(found) > 0 and None not in found and len({*found}) == 1
