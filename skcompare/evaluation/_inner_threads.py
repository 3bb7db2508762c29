"""Threads: which estimators gain by them, and limits on those inside a fit, so that workers do not pile up.

joblib limits the threads of a process that it starts, but not where the user set a limit, nor those that an estimator
starts for its ``n_jobs``.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from joblib import parallel_config
from joblib.parallel import ThreadingBackend
from threadpoolctl import ThreadpoolController

from skcompare.evaluation._predictions import EstimatorSpec
from skcompare.evaluation._work import Backlog


class _CappedThreads(ThreadingBackend):  # type: ignore[misc]
    """joblib's threads, never more than a limit, whatever ``n_jobs`` an estimator asks for."""

    def __init__(self, limit: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._limit = limit

    def effective_n_jobs(self, n_jobs: int) -> int:
        return min(self._limit, int(super().effective_n_jobs(n_jobs)))


@contextmanager
def limited_pools(limit: int) -> Iterator[None]:
    """Let BLAS and OpenMP of this process use at most `limit` threads; never more than before."""
    controller = _controller(len(sys.modules))
    limits = {library["prefix"]: min(limit, library["num_threads"]) for library in controller.info()}
    with controller.limit(limits=limits):
        yield


@contextmanager
def limited_jobs(limit: int) -> Iterator[None]:
    """Let the ``n_jobs`` of estimators mean at most `limit` threads."""
    with parallel_config(backend="sequential" if limit == 1 else _CappedThreads(limit)):
        yield


@lru_cache(maxsize=1)
def _controller(_: int) -> ThreadpoolController:
    """The loaded thread pools, looked up again after imports; looking takes milliseconds."""
    return ThreadpoolController()


# Whose fits hold Python's lock for a small part of their time only, measured (see the page of measurements).
_TREES = ("DecisionTree", "RandomForest", "GradientBoosting")
FREE_OF_THE_LOCK = frozenset(f"{trees}{task}" for trees in _TREES for task in ("Classifier", "Regressor"))
LONG_ENOUGH = 0.02  # seconds of a fit
MOST = 0.9  # of the time that is left


def threads_win(specs: Sequence[EstimatorSpec], backlog: Backlog) -> bool:
    """Whether nearly all that is left are long fits outside of Python's lock, which threads share like processes."""
    free = [type(spec.estimator).__name__ in FREE_OF_THE_LOCK for spec in specs]
    long = [(backlog.cost(e) or 0.0) >= LONG_ENOUGH for e in range(len(specs))]
    won = sum(backlog.expected(e) for e in range(len(specs)) if free[e] and long[e])
    return won > MOST * backlog.expected() > 0
