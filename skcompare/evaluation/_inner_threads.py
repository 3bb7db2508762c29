"""Limits on the threads inside a fit, so that workers do not get in each other's way."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from joblib import parallel_config
from joblib.parallel import ThreadingBackend
from threadpoolctl import ThreadpoolController


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
