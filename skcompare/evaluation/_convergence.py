"""Whether a fit told that it did not converge, whatever becomes of the warning that says so."""

from __future__ import annotations

import threading
from typing import Any

from sklearn.exceptions import ConvergenceWarning

_OWN = "__init__"


class ConvergenceWatch:
    """A context in which every `ConvergenceWarning` made in this thread is counted; nothing else about it changes.

    Filters may hide a warning, and show a repeated one once. To record warnings makes Python forget which it has
    shown, and takes time. So the class is watched: an object is made before any filter is asked.
    """

    _lock = threading.Lock()
    _n_open = 0
    _seen = threading.local()

    @classmethod
    def seen(cls) -> int:
        """Warnings of this thread until now."""
        return getattr(cls._seen, "n", 0)

    def __enter__(self) -> None:
        with self._lock:
            ConvergenceWatch._n_open += 1
            if self._n_open == 1 and _OWN not in vars(ConvergenceWarning):
                setattr(ConvergenceWarning, _OWN, _counted)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            ConvergenceWatch._n_open -= 1
            if not self._n_open and vars(ConvergenceWarning).get(_OWN) is _counted:
                delattr(ConvergenceWarning, _OWN)


def _counted(self: Any, *args: Any) -> None:
    super(ConvergenceWarning, self).__init__(*args)
    ConvergenceWatch._seen.n = ConvergenceWatch.seen() + 1
