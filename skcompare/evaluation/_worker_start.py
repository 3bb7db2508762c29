"""Worker processes that start while the calling process goes on with its fits."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from sklearn.utils.parallel import Parallel, delayed

from skcompare.evaluation._journal import watched_from_the_start
from skcompare.evaluation._workers import POOL


class WorkerStart:
    """joblib's worker processes on their way, the same that the next call of joblib's uses.

    Parameters
    ----------
    n_workers : int
        How many.
    estimators : sequence of estimator
        What they import before they are ready.
    """

    def __init__(self, n_workers: int, estimators: Sequence[Any]) -> None:
        self._parallel = Parallel(n_jobs=n_workers, pre_dispatch="all", batch_size=1)
        self._n_workers, self._estimators = n_workers, list(estimators)
        self._thread = threading.Thread(target=self._start)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether they are ready, or will not be: the fits that go there then say why."""
        return not self._thread.is_alive()

    def _start(self) -> None:
        with POOL, suppress(Exception), watched_from_the_start(self._parallel):
            self._parallel(delayed(_import)(self._estimators) for _ in range(self._n_workers))


def _import(_: Sequence[Any]) -> None:
    """Nothing: what it is given, and this module, are there when it is called."""
