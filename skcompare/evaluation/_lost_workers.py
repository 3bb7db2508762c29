"""What an exception out of a worker process says: that it died, or that it cannot be sent what it needs."""

from __future__ import annotations

import pickle
import re
from concurrent.futures import BrokenExecutor

import numpy as np
from joblib import wrap_non_picklable_objects

from skcompare.evaluation._predictions import FoldOutcome
from skcompare.evaluation._work import Work

# What other backends raise for a worker that died; joblib's own raise a BrokenExecutor.
LOST_ELSEWHERE = frozenset({"KilledWorker", "FutureCancelledError", "WorkerCrashedError"})


def failed(reason: str, seconds: float | None = None) -> FoldOutcome:
    return FoldOutcome(fit_time=np.nan if seconds is None else seconds, score_time=0.0, errors={"fit": reason})


def is_loss(error: Exception) -> bool:
    """Whether an exception says that a worker died."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ in LOST_ELSEWHERE


def exit_codes(error: Exception) -> str:
    found = re.search(r"exit codes of the workers are (\{.*?\})", str(error))
    return f", exit codes {found[1]}" if found else ""


def check_transport(error: Exception, work: Work) -> None:
    """Raise ValueError, by name, where workers cannot be sent what they need or cannot read it."""
    unreadable = isinstance(error, BrokenExecutor) and "un-serialize" in str(error)
    if not unreadable and not isinstance(error, pickle.PicklingError):
        return
    for spec in work.specs:
        try:
            pickle.dumps(wrap_non_picklable_objects(spec))
        except Exception as cause:
            raise ValueError(
                f"estimators[{spec.name!r}] must be picklable to run in other processes; "
                f"{type(cause).__name__}: {cause}. Give n_jobs=1 to run it in this one"
            ) from error
    reason = str(error.__cause__ or error).strip('" \n').splitlines()[-1]
    raise ValueError(
        f"estimators, X, y and scoring must be picklable, and importable in other processes, to run there; {reason}. "
        f"Give n_jobs=1 to run them in this one"
    ) from error
