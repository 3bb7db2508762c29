"""An open store whose rows wait in memory while the file cannot be written."""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from types import TracebackType
from typing import Any, ClassVar, Self

from skcompare.evaluation.store._file import BUSY_SECONDS, STORE_ERRORS, named_errors
from skcompare.evaluation.store._store import Store

RETRY_SECONDS = 1.0
_IMPATIENT_SECONDS = 0.1


class BufferedStore:
    """What finished fits and finished simulated data sets have in common; a context manager for one process alone.

    Parameters
    ----------
    path : path-like
        The file, made where there is none.

    Raises
    ------
    ValueError
        If the file cannot be used.
    """

    # for the warnings: what goes on, what is kept, its rows, what was lost and how it is made again
    _run: ClassVar[str]
    _kept: ClassVar[str]
    _rows: ClassVar[str]
    _lost: ClassVar[str]
    _again: ClassVar[str]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._store = Store.open(path)
        self._waiting: list[Any] = []
        self._failed_at: float | None = None
        self._warned = False
        try:
            with named_errors(path):
                self._register()
        except BaseException:
            self._store.close()
            raise

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

    def _tell_damaged(self, n_damaged: int) -> None:
        if n_damaged:
            warnings.warn(
                f"store: {n_damaged} {self._rows} in {self._store.path!r} are damaged and are {self._again} again",
                UserWarning,
                stacklevel=3,
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
