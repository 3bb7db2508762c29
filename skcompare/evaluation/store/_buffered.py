"""An open store whose rows wait in memory while the file cannot be written."""

from __future__ import annotations

import sqlite3
import time
import warnings
from types import TracebackType
from typing import Any, ClassVar, Self

from skcompare.evaluation.store._file import BUSY_SECONDS, STORE_ERRORS
from skcompare.evaluation.store._store import Store

RETRY_SECONDS = 1.0
_IMPATIENT_SECONDS = 0.1


class BufferedStore:
    """What finished fits and finished simulated data sets have in common; a context manager for one process alone.

    Parameters
    ----------
    store : Store
        Open.
    """

    _run: ClassVar[str]  # what goes on, what is kept, what was lost and how it is made again, for the warnings
    _kept: ClassVar[str]
    _lost: ClassVar[str]
    _again: ClassVar[str]

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: list[Any] = []
        self._failed_at: float | None = None
        self._warned = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Write what could not be written before, if it can be now, and close the file.

        Warns
        -----
        UserWarning
            If something is not in the file in the end.
        """
        reason = ""
        try:
            self._store.patience(BUSY_SECONDS)
            self._flush()
        except STORE_ERRORS as error:
            reason = str(error)
        finally:
            self._store.close()
        lost, self._waiting = len(self._waiting), []
        if lost:
            warnings.warn(
                f"store: {lost} {self._lost} could not be written to {self._store.path!r} ({reason}); they will be "
                f"{self._again} again",
                UserWarning,
                stacklevel=2,
            )

    def _write_if_due(self) -> None:
        """Write what waits, unless that failed a moment ago; warn the first time that it cannot be written."""
        if self._failed_at is not None and time.monotonic() - self._failed_at < RETRY_SECONDS:
            return
        try:
            self._flush()
        except STORE_ERRORS as error:
            self._failed_at = time.monotonic()
            self._store.patience(_IMPATIENT_SECONDS)
            if not self._warned:
                self._warned = True
                warnings.warn(
                    f"store: cannot write {self._store.path!r} ({error}); the {self._run} goes on, and {self._kept} "
                    f"are kept in memory until it can be written",
                    UserWarning,
                    stacklevel=3,
                )

    def _flush(self) -> None:
        if not self._waiting:
            self._sync()
            return
        try:
            self._write()
        except sqlite3.IntegrityError:  # another process has removed the rows that these refer to
            self._register()
            self._write()
        self._waiting.clear()
        if self._failed_at is not None:
            self._failed_at = None
            self._store.patience(BUSY_SECONDS)

    def _sync(self) -> None:
        """Nothing waits: what to do instead."""

    def _register(self) -> None:
        """Make the rows that others refer to."""
        raise NotImplementedError

    def _write(self) -> None:
        """Write all that waits, in one transaction."""
        raise NotImplementedError
