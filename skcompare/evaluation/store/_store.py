"""The file of finished fits: SQLite, written by the calling process only; what waits where it cannot be written."""

from __future__ import annotations

import os
import sqlite3
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple, Self

from skcompare.evaluation.store._file import (
    BUSY_SECONDS,
    STORE_ERRORS,
    check_path,
    connect,
    connect_to_read,
    exclusively,
    named_errors,
)
from skcompare.evaluation.store._stored_fit import MAX_TEXT, DamagedError, StoredFit, from_columns

SYNC_SECONDS = 0.5
RETRY_SECONDS = 1.0
_IMPATIENT_SECONDS = 0.1
_COLUMNS = (
    "estimator, split, seed, fit_time, predict_time, score_time, model_size, scored, arrays, encoded, content, "
    "checksum, created_at"
)


class FitKey(NamedTuple):
    """Which fit of an estimator: a digest of the split, and the seed of its open random states (-1: none)."""

    split: bytes
    seed: int

    @property
    def text(self) -> str:
        """What the checksum of a fit holds."""
        return f"{self.split.hex()} {self.seed}"


class Evaluation(NamedTuple):
    """What all fits of a run have in common."""

    digest: bytes
    n_samples: int
    n_features: int | None
    context: str


class StoredEstimator(NamedTuple):
    """One estimator of a run: what it is, and the digest of all that its fits depend on besides the split."""

    digest: bytes
    name: str
    model_digest: bytes
    identity: str
    packages: str
    description: str


class Store:
    """An open file; every write is one transaction.

    Parameters
    ----------
    path : str
        Absolute path.
    connection : sqlite3.Connection
        To a file that `open` or `read` found to be ours.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._synced_at = 0.0
        self._unsynced = False

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True) -> Store:
        """Open a file for writing, or make it; ValueError as `connect` raises it."""
        return cls(check_path(path), connect(path, create=create))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Store:
        """Open a file that exists, for reading only; ValueError as `connect_to_read` raises it."""
        return cls(check_path(path), connect_to_read(path))

    def close(self) -> None:
        """Close the file; its write-ahead log is merged into it."""
        self.connection.close()

    @contextmanager
    def transaction(self, *, durable: bool | None = None) -> Iterator[sqlite3.Connection]:
        """All or nothing; flushed to the disk where `durable`, or by default if the last flush is half a second old."""
        now = time.monotonic()
        if durable is None:
            durable = now - self._synced_at > SYNC_SECONDS
        if durable:
            self.connection.execute("PRAGMA synchronous = FULL")
        try:
            with exclusively(self.connection):
                yield self.connection
        finally:
            if durable:
                self.connection.execute("PRAGMA synchronous = NORMAL")
        self._unsynced = not durable
        if durable:
            self._synced_at = now

    def sync(self, evaluation: bytes) -> None:
        """Flush the last transactions to the disk, if that is due."""
        if self._unsynced and time.monotonic() - self._synced_at > SYNC_SECONDS:
            with self.transaction(durable=True) as connection:
                connection.execute("UPDATE evaluations SET used_at = ? WHERE digest = ?", (time.time(), evaluation))

    def patience(self, seconds: float) -> None:
        """How long to wait for another process that writes."""
        self.connection.execute(f"PRAGMA busy_timeout = {int(1000 * seconds)}")

    def register(self, evaluation: Evaluation, estimators: Sequence[StoredEstimator]) -> list[int]:
        """Row numbers of the estimators, made where they are new."""
        now = time.time()
        with self.transaction() as db:
            db.execute(
                "INSERT INTO evaluations (digest, n_samples, n_features, context, created_at, used_at) "
                "VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at",
                (*evaluation, now, now),
            )
            for estimator in estimators:
                model = (estimator.model_digest, estimator.identity, estimator.packages, estimator.description, now)
                db.execute(
                    "INSERT OR IGNORE INTO models (digest, identity, packages, description, created_at) "
                    "VALUES (?, ?, ?, ?, ?)",
                    model,
                )
                db.execute(
                    "INSERT INTO estimators (digest, evaluation, model, name, created_at, used_at) "
                    "SELECT ?, evaluations.id, models.id, ?, ?, ? FROM evaluations, models "
                    "WHERE evaluations.digest = ? AND models.digest = ? "
                    "ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at, name = excluded.name",
                    (estimator.digest, estimator.name, now, now, evaluation.digest, estimator.model_digest),
                )
            return [
                db.execute("SELECT id FROM estimators WHERE digest = ?", (estimator.digest,)).fetchone()[0]
                for estimator in estimators
            ]

    def find(self, estimator: int, key: FitKey, allow: Callable[[Any, Any], None]) -> StoredFit | None:
        """A stored fit; its content is read once `allow` has agreed to its headers and its size.

        Raises
        ------
        DamagedError
            If it is not what was written, or `allow` raises it.
        """
        try:
            row = self.connection.execute(
                "SELECT id, fit_time, predict_time, score_time, model_size, "
                "CASE WHEN length(scored) <= :most THEN scored END, CASE WHEN length(arrays) <= :most THEN arrays END, "
                "encoded, length(content), CASE WHEN length(checksum) <= :most THEN checksum END "
                "FROM fits WHERE estimator = :estimator AND split = :split AND seed = :seed",
                {"most": MAX_TEXT, "estimator": estimator, "split": key.split, "seed": key.seed},
            ).fetchone()
            if row is None:
                return None
            number, *times, scored, arrays, encoded, size, checksum = row
            allow(arrays, size)
            found = self.connection.execute("SELECT content FROM fits WHERE id = ?", (number,)).fetchone()
        except sqlite3.DataError as error:
            raise DamagedError("a value in it is too large") from error
        return None if found is None else from_columns(times, scored, arrays, encoded, found[0], checksum, key.text)

    def write(self, rows: Iterable[tuple[int, FitKey, StoredFit, bool]]) -> None:
        """Estimator, key, fit and whether to replace what is there; all in one transaction."""
        now = time.time()
        with self.transaction() as db:
            for estimator, key, fit, replace in rows:
                columns = (fit.scored, fit.arrays, int(fit.encoded), fit.content, fit.checksum(key.text))
                db.execute(
                    f"INSERT OR {'REPLACE' if replace else 'IGNORE'} INTO fits ({_COLUMNS}) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (estimator, *key, *fit.times, *columns, now),
                )

    def remember(self, digest: bytes, draw: Callable[[], int]) -> int:
        """The number stored under a digest, or the one drawn now where there is none that can be a seed."""
        with self.transaction() as db:
            row = db.execute("SELECT seed FROM seeds WHERE digest = ?", (digest,)).fetchone()
            if row is not None and type(row[0]) is int and 0 <= row[0] < 2**32:
                return int(row[0])
            seed = draw()
            db.execute("INSERT OR REPLACE INTO seeds VALUES (?, ?, ?)", (digest, seed, time.time()))
        return seed


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

    def __exit__(self, *exception: object) -> None:
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

    def _tell_damaged(self, n_damaged: int, *, stacklevel: int) -> None:
        if n_damaged:
            warnings.warn(
                f"store: {n_damaged} {self._rows} in {self._store.path!r} are damaged and are {self._again} again",
                UserWarning,
                stacklevel=stacklevel,
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
