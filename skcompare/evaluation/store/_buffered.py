"""What waits for a store: rows that cannot be written yet, and a new file where the old one is lost."""

from __future__ import annotations

import json
import os
import sqlite3
import time
import warnings
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import chain, count, islice
from pathlib import Path
from typing import Any, ClassVar, Self

from skcompare._core.warnings import Code
from skcompare.evaluation.store._file import BUSY_SECONDS, FORMAT, STORE_ERRORS, named_errors
from skcompare.evaluation.store._mounts import SHARED, kind_of
from skcompare.evaluation.store._store import Store

RETRY_SECONDS = 1.0
_IMPATIENT_SECONDS = 0.1
_KEPT_BYTES = 1 << 25
_BATCH = 64
_JUST_NOW = 10.0  # seconds


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
        self._written: deque[Any] = deque()  # the last of them, for a file that is cut off
        self._written_bytes = 0
        self._n_there = 0  # of this run, as far as this one has read or written them
        self._failed_at: float | None = None
        self._warned = False
        try:
            with named_errors(path):
                self._register()
                self._store.mark()
        except BaseException:
            self._store.close()
            raise
        if (kind := kind_of(self._store.path)) in SHARED:
            told = f"{self._store.path!r} is on {kind}, a file system that several machines share: one run at a time"
            warnings.warn(Code.STORE_SHARED(told), UserWarning, stacklevel=3)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Write what could not be written before, if it can be now, and close the file.

        Warns
        -----
        UserWarning
            If something is not in the file in the end.
        """
        reason, n_gone = "", 0
        try:
            self._store.patience(BUSY_SECONDS)
            self._flush()
        except (*STORE_ERRORS, OSError) as error:
            reason = str(error)
            with suppress(*STORE_ERRORS):
                n_gone = self._n_there if self._store.loss() else 0
        finally:
            self._store.close()
        n_waiting, self._waiting = len(self._waiting), []
        told = (
            [f"{n_waiting} {self._lost} could not be written to {self._store.path!r} ({reason})"] if n_waiting else []
        )
        told += [f"{n_gone} {self._lost} were in {self._store.path!r}, which is lost ({reason})"] if n_gone else []
        if told:
            warnings.warn(f"store: {'; '.join(told)}; they will be {self._again} again", UserWarning, stacklevel=2)

    def _tell_damaged(self, n_damaged: int, *, stacklevel: int) -> None:
        if n_damaged:
            warnings.warn(
                f"store: {n_damaged} {self._rows} in {self._store.path!r} are damaged and are {self._again} again",
                UserWarning,
                stacklevel=stacklevel,
            )

    def _tell_former(self, table: str, digest: bytes, context: str) -> None:
        """Warn, the first time, where the same was stored under the key of a version whose rows are not used."""
        before = json.dumps(json.loads(context) | {"format": FORMAT}, sort_keys=True)
        former = sha256(before.encode()).digest()
        select = f"SELECT digest FROM {table} WHERE digest IN (?, ?)"
        found = {bytes(row[0]) for row in self._store.connection.execute(select, (digest, former))}
        if former in found and digest not in found:
            warnings.warn(
                f"store: the {self._kept} of this run in {self._store.path!r} are of a version in which a model or a "
                f"metric that writes into its data could change the scores of others; they are {self._again} again",
                UserWarning,
                stacklevel=4,
            )

    def _write_if_due(self) -> None:
        """Write what waits, unless that failed a moment ago; warn the first time that it cannot be written."""
        if self._failed_at is not None and time.monotonic() - self._failed_at < RETRY_SECONDS:
            return
        try:
            self._flush()
        except (*STORE_ERRORS, OSError) as error:
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
        if what := self._store.loss():
            self._move(what)
        if not self._waiting:
            self._sync()
            return
        self._write_again(self._waiting)
        self._keep(self._waiting)
        self._waiting.clear()
        if self._failed_at is not None:
            self._failed_at = None
            self._store.patience(BUSY_SECONDS)

    def _write_again(self, items: Sequence[Any]) -> None:
        """Write, after another registration where another process has removed the rows that these refer to."""
        try:
            self._write(items)
        except sqlite3.IntegrityError:
            self._register()
            self._write(items)

    def _keep(self, items: Sequence[Any]) -> None:
        self._n_there += len(items)
        for item in items:
            self._written.append(item)
            self._written_bytes += self._bytes_of(item)
        while self._written_bytes > _KEPT_BYTES:
            self._written_bytes -= self._bytes_of(self._written.popleft())

    def _move(self, what: str) -> None:
        """Go on in a new file, with what this run has finished: from memory, and from the old file as it was opened."""
        old, left = self._store, self._left()
        try:
            new = Store.open(_beside(old.path))
        except (ValueError, OSError) as error:
            raise sqlite3.OperationalError(f"it {what}; {error}") from error
        self._store = new
        try:
            self._register()
        except BaseException:
            self._store = old
            new.close()
            raise
        new.mark()
        n_kept, n_waiting = 0, len(self._waiting)
        try:
            new.copy_seeds(old)
            known = {self._key_of(item) for item in self._written}
            items = chain(self._written, (item for item in left if self._key_of(item) not in known))
            while batch := list(islice(items, _BATCH)):
                try:
                    self._write(batch)
                except STORE_ERRORS:  # the new file is full: all that is left waits
                    self._waiting[:0] = [*batch, *items]
                    raise
                n_kept += len(batch)
        finally:
            old.abandon()
            told = (
                f"the store {old.path!r} {what}: {n_kept} {self._kept} of this {self._run} were moved to {new.path!r}"
            )
            n_gone = self._n_there - n_kept - (len(self._waiting) - n_waiting)
            told += f", {n_gone} are lost and will be {self._again} again" if n_gone > 0 else ""
            also = "; skcompare store repair FILE saves what else is in the old one" if what == "was cut off" else ""
            more = f"{told}; it is the store to give to the next one{also}"
            warnings.warn(Code.STORE_LOST(more), UserWarning, stacklevel=5)

    def _sync(self) -> None:
        """Nothing waits: what to do instead."""

    def _register(self) -> None:
        """Make the rows that others refer to."""
        raise NotImplementedError

    def _write(self, items: Sequence[Any]) -> None:
        """Write items, in one transaction."""
        raise NotImplementedError

    def _left(self) -> Iterator[Any]:
        """The items of this run in the store as it is open now, as far as they can be read."""
        raise NotImplementedError

    def _key_of(self, item: Any) -> Any:
        """What tells an item from others."""
        raise NotImplementedError

    def _bytes_of(self, item: Any) -> int:
        """What an item takes in memory."""
        raise NotImplementedError


def _beside(path: str) -> str:
    """A name for a new file in the same folder, or in the nearest one above that is still there."""
    folder = next(parent for parent in Path(path).parents if parent.is_dir())
    found = (folder / f"{Path(path).stem}.rescued{n or ''}{Path(path).suffix}" for n in count())
    return str(next(name for name in found if _is_free(name)))


def _is_free(name: Path) -> bool:
    """Whether nothing is there, or the store that another process of the same run has just made."""
    if not name.exists():
        return True
    return time.time() - name.stat().st_mtime < _JUST_NOW and name.is_file()
