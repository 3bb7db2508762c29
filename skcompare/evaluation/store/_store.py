"""The file of finished fits: SQLite, written by the calling process only."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from skcompare.evaluation.store._file import (
    STORE_ERRORS,
    check_path,
    connect,
    connect_to_read,
    exclusively,
    identity_of,
)
from skcompare.evaluation.store._stored_fit import MAX_TEXT, DamagedError, StoredFit, from_columns

SYNC_SECONDS = 0.5
_COLUMNS = (
    "estimator, split, seed, fit_time, predict_time, score_time, model_size, scored, arrays, encoded, content, "
    "checksum, created_at"
)


class FitKey(NamedTuple):
    """Which fit: a digest of the split, the seed of its open random states (-1: none), the estimator's digest."""

    split: bytes
    seed: int
    estimator: bytes

    @property
    def text(self) -> str:
        """What the checksum of a fit holds."""
        return f"{self.split.hex()} {self.seed} {self.estimator.hex()}"


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
        self._timer: threading.Timer | None = None
        self._in_log = False
        self._identities: tuple[Any, ...] = ()
        self._size = self._version = 0

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True) -> Store:
        """Open a file for writing, or make it; ValueError as `connect` raises it."""
        return cls(check_path(path), connect(path, create=create))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Store:
        """Open a file that exists, for reading only; ValueError as `connect_to_read` raises it."""
        return cls(check_path(path), connect_to_read(path))

    def close(self) -> None:
        """Close the file; its write-ahead log is flushed, and merged into it where nobody else has it open."""
        if self._timer is not None:
            self._timer.cancel()
            self._sync_log()
        self.connection.close()

    def abandon(self) -> None:
        """Close a file that is lost; its log does not stay beside another file of the same name."""
        with suppress(*STORE_ERRORS):
            self.close()
        with suppress(OSError):
            if identity_of(self.path) != self._identities[0] and identity_of(f"{self.path}-wal") == self._identities[1]:
                for end in ("-wal", "-shm"):
                    Path(f"{self.path}{end}").unlink(missing_ok=True)

    def mark(self) -> None:
        """Take note of which file this is, so that `loss` can tell it from another."""
        self._in_log = self.connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"
        self._identities = self._identities_now()
        self._size, self._version = Path(self.path).stat().st_size, self._schema_version()

    def loss(self) -> str:
        """What has happened to the file since `mark`, in words; empty where it is still there and whole.

        Only a cleaning makes it smaller, which SQLite counts as a new version of its schema.
        """
        try:
            found = self._identities_now()
            if found[0] is None:
                return "is gone"
            if found != self._identities:
                return "was replaced by another file" if found[0] != self._identities[0] else "has lost its log"
            size = Path(self.path).stat().st_size
        except OSError as error:
            raise sqlite3.OperationalError(f"it cannot be looked at: {error.strerror}") from error
        if size < self._size:
            try:
                version = self._schema_version()
            except STORE_ERRORS:
                return "was cut off"
            if version == self._version:
                return "was cut off"
            self._version = version
        self._size = size
        return ""

    def _identities_now(self) -> tuple[Any, ...]:
        """Of the file and of its log, which is there as long as somebody has the file open."""
        return identity_of(self.path), identity_of(f"{self.path}-wal") if self._in_log else None

    def _schema_version(self) -> int:
        return int(self.connection.execute("PRAGMA schema_version").fetchone()[0])

    @contextmanager
    def transaction(self, *, durable: bool | None = None) -> Iterator[sqlite3.Connection]:
        """All or nothing; flushed to the disk at once where `durable`, half a second later where not.

        By default it is durable if the last flush is half a second old.
        """
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
        elif self._timer is None:
            self._timer = threading.Timer(SYNC_SECONDS, self._sync_log)
            self._timer.daemon = True
            self._timer.start()

    def sync(self, evaluation: bytes) -> None:
        """Flush the last transactions to the disk, if that is due."""
        if self._unsynced and time.monotonic() - self._synced_at > SYNC_SECONDS:
            with self.transaction(durable=True) as connection:
                connection.execute("UPDATE evaluations SET used_at = ? WHERE digest = ?", (time.time(), evaluation))

    def _sync_log(self) -> None:
        """Flush the log to the disk, from another thread while a fit takes its time; closing it frees no lock."""
        self._timer = None
        with suppress(OSError):
            log = os.open(f"{self.path}-wal", os.O_RDWR)
            try:
                os.fsync(log)
            finally:
                os.close(log)

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
                    "ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at, name = excluded.name, "
                    "evaluation = excluded.evaluation, model = excluded.model",  # a repair need not have found them
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
                    (estimator, key.split, key.seed, *fit.times, *columns, now),
                )

    def copy_seeds(self, other: Store) -> None:
        """Take over what another file remembers, as far as it can be read."""
        with suppress(*STORE_ERRORS), self.transaction() as db:
            rows = other.connection.execute("SELECT digest, seed, created_at FROM seeds").fetchall()
            db.executemany("INSERT OR IGNORE INTO seeds VALUES (?, ?, ?)", rows)

    def remember(self, digest: bytes, draw: Callable[[], int]) -> int:
        """The number stored under a digest, or the one drawn now where there is none that can be a seed."""
        with self.transaction() as db:
            row = db.execute("SELECT seed FROM seeds WHERE digest = ?", (digest,)).fetchone()
            if row is not None and type(row[0]) is int and 0 <= row[0] < 2**32:
                return int(row[0])
            seed = draw()
            db.execute("INSERT OR REPLACE INTO seeds VALUES (?, ?, ?)", (digest, seed, time.time()))
        return seed
