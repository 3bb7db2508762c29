"""The file of finished fits: SQLite, written by the calling process only."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from skcompare.evaluation.store._file import check_path, connect, connect_to_read, exclusively
from skcompare.evaluation.store._stored_fit import MAX_TEXT, DamagedError, StoredFit, from_columns

SYNC_SECONDS = 0.5
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
