"""The file of finished fits: SQLite, written by the calling process only."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from skcompare._core.warnings import Code, warn
from skcompare.evaluation.store import file as files
from skcompare.evaluation.store.stored_fit import MAX_TEXT, DamagedError, StoredFit, from_columns

SYNC_SECONDS = 0.5


class FitKey(NamedTuple):
    """Which fit: a digest of the split, the seed of what it draws (-1: none), the estimator's digest."""

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
        To a file that `open` found to be ours.
    """

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self._synced_at = 0.0
        self._timer: threading.Timer | None = None
        self._in_log = False
        self._identities: tuple[Any, ...] = ()
        self._size = self._version = 0

    @classmethod
    def open(cls, path: str | os.PathLike[str], *, create: bool = True, write: bool = True) -> Store:
        """Open a file, or make it; ValueError as `connect` raises it."""
        return cls(files.check_path(path), files.connect(path, create=create, write=write))

    def close(self) -> None:
        """Close the file; its write-ahead log is flushed, and merged into it where nobody else has it open."""
        if self._timer is not None:
            self._timer.cancel()
            self._sync_log()
        self.connection.close()

    def abandon(self) -> None:
        """Close a file that is lost; its log does not stay beside another file of the same name."""
        with suppress(*files.STORE_ERRORS):
            self.close()
        with suppress(OSError):
            file, log = map(files.identity_of, (self.path, f"{self.path}-wal"))
            if file != self._identities[0] and log == self._identities[1]:
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
            before = self._version
            with suppress(*files.STORE_ERRORS):
                self._version = self._schema_version()
            if self._version == before:
                return "was cut off"
        self._size = size
        return ""

    def _identities_now(self) -> tuple[Any, ...]:
        """Of the file and of its log, which is there as long as somebody has the file open."""
        return files.identity_of(self.path), files.identity_of(f"{self.path}-wal") if self._in_log else None

    def _schema_version(self) -> int:
        return int(self.connection.execute("PRAGMA schema_version").fetchone()[0])

    @contextmanager
    def transaction(self, *, durable: bool | None = None) -> Iterator[sqlite3.Connection]:
        """All or nothing; flushed to the disk at once where `durable`, half a second later where not.

        By default it is durable if the last flush is half a second old, and always without a write-ahead log: a journal
        whose removal is not flushed takes everything back that was written since.
        """
        now = time.monotonic()
        if durable is None:
            durable = now - self._synced_at > SYNC_SECONDS
        durable = durable or not self._in_log
        if not durable:
            self.connection.execute("PRAGMA synchronous = NORMAL")
        try:
            with files.exclusively(self.connection):
                yield self.connection
        finally:
            if not durable:
                self.connection.execute("PRAGMA synchronous = EXTRA")
        if durable:
            self._synced_at = now
        elif self._timer is None:
            self._timer = threading.Timer(SYNC_SECONDS, self._sync_log)
            self._timer.daemon = True
            self._timer.start()

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
                db.execute(
                    "INSERT OR IGNORE INTO models (digest, identity, packages, description, created_at) "
                    "VALUES (?, ?, ?, ?, ?)",
                    (estimator.model_digest, estimator.identity, estimator.packages, estimator.description, now),
                )
                db.execute(
                    "INSERT INTO estimators (digest, evaluation, model, name, created_at, used_at) "
                    "SELECT ?, evaluations.id, models.id, ?, ?, ? FROM evaluations, models "
                    "WHERE evaluations.digest = ? AND models.digest = ? "
                    "ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at, name = excluded.name, "
                    "evaluation = excluded.evaluation, model = excluded.model",  # a repair need not have found them
                    (estimator.digest, estimator.name, now, now, evaluation.digest, estimator.model_digest),
                )
            select = "SELECT id FROM estimators WHERE digest = ?"
            return [db.execute(select, (estimator.digest,)).fetchone()[0] for estimator in estimators]

    def find(self, estimator: int, key: FitKey, claimed: Callable[[Any], int]) -> StoredFit | None:
        """A stored fit; its content is read only if it has the size that is claimed by its headers.

        Raises
        ------
        DamagedError
            If it is not what was written, or `claimed` raises it.
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
            if claimed(arrays) != size:
                raise DamagedError("its arrays do not fit its content")
            found = self.connection.execute("SELECT content FROM fits WHERE id = ?", (number,)).fetchone()
        except sqlite3.DataError as error:
            raise DamagedError("a value in it is too large") from error
        return None if found is None else from_columns(times, scored, arrays, encoded, found[0], checksum, key.text)

    def write(self, rows: Iterable[tuple[int, FitKey, StoredFit, bool]]) -> None:
        """Estimator, key, fit and whether to replace what is there; all in one transaction."""
        now = time.time()
        with self.transaction() as db:
            for estimator, key, fit, replace in rows:
                columns = (fit.scored, fit.arrays, int(fit.encoded), fit.content, fit.checksum(key.text), now)
                db.execute(
                    f"INSERT OR {'REPLACE' if replace else 'IGNORE'} INTO fits "
                    "VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (estimator, key.split, key.seed, *fit.times, *columns),
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


# What waits for a store: rows that cannot be written yet, and a new file where the old one is lost.


RETRY_SECONDS = 1.0
_IMPATIENT_SECONDS = 0.1
_KEPT_BYTES = 1 << 25
_UNREADABLE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR)


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
    _number: Any  # of the rows that others refer to, in the store; set by `_register`

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._store = Store.open(path)
        self._waiting: list[Any] = []
        self._written: deque[Any] = deque()  # the last of them, for a file that is cut off
        self._written_bytes = 0
        self._n_there = 0  # of this run, as far as this one has read or written them
        self._failed_at: float | None = None
        self._warned = False
        try:
            with files.named_errors(path):
                self._register()
                self._store.mark()
        except BaseException:
            self._store.close()
            raise
        if files.SHARED.fullmatch(kind := files.kind_of(self._store.path)):
            told = f"{self._store.path!r} is on {kind}, a file system that several machines share: one run at a time"
            warn(Code.STORE(told))

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
            self._store.patience(files.BUSY_SECONDS)
            self._flush()
        except (*files.STORE_ERRORS, OSError) as error:
            reason = str(error)
            with suppress(*files.STORE_ERRORS):
                n_gone = self._n_there if self._store.loss() else 0
        finally:
            self._store.close()
        n_waiting, self._waiting = len(self._waiting), []
        told = (
            f"{n_waiting} {self._lost} could not be written to {self._store.path!r} ({reason})" * bool(n_waiting),
            f"{n_gone} {self._lost} were in {self._store.path!r}, which is lost ({reason})" * bool(n_gone),
        )
        if any(told):
            warn(f"store: {'; '.join(filter(None, told))}; they will be {self._again} again")

    def _tell_damaged(self, n_damaged: int) -> None:
        if n_damaged:
            warn(f"store: {n_damaged} {self._rows} in {self._store.path!r} are damaged and are {self._again} again")

    def _write_if_due(self) -> None:
        """Write what waits, unless that failed a moment ago; warn the first time that it cannot be written."""
        if self._failed_at is not None and time.monotonic() - self._failed_at < RETRY_SECONDS:
            return
        try:
            self._flush()
        except (*files.STORE_ERRORS, OSError) as error:
            self._failed_at = time.monotonic()
            self._store.patience(_IMPATIENT_SECONDS)
            if not self._warned:
                self._warned = True
                warn(
                    f"store: cannot write {self._store.path!r} ({error}); the {self._run} goes on, and {self._kept} "
                    f"are kept in memory until it can be written"
                )

    def _flush(self) -> None:
        if what := self._store.loss():
            self._move(what)
        if not self._waiting:
            return
        try:
            self._write(self._waiting)
        except sqlite3.IntegrityError:  # another process has removed the rows that these refer to
            self._register()
            self._write(self._waiting)
        self._n_there += len(self._waiting)
        for item in self._waiting:
            self._written.append(item)
            self._written_bytes += self._bytes_of(item)
        while self._written_bytes > _KEPT_BYTES:
            self._written_bytes -= self._bytes_of(self._written.popleft())
        self._waiting.clear()
        if self._failed_at is not None:
            self._failed_at = None
            self._store.patience(files.BUSY_SECONDS)

    def _move(self, what: str) -> None:
        """Go on in a new file, with all that SQLite reads of the old one as it was opened, or what is in memory."""
        old, n_gone, kept, name = self._store, 0, [], ""
        try:
            name = files.check_path(_beside(old.path))
            try:
                old.connection.execute("VACUUM INTO ?", (name,))
            except sqlite3.DatabaseError as error:
                if getattr(error, "sqlite_errorcode", -1) & 0xFF not in _UNREADABLE:
                    raise
                kept, n_gone = [*self._written], self._n_there - len(self._written)
                os.truncate(name, 0)
            with Path(name).open("r+b") as file:
                os.fsync(file.fileno())
            self._store = Store.open(name)
            self._register()
            self._store.mark()
        except BaseException as error:
            if self._store is not old:
                self._store.close()
                self._store = old
            if name:
                Path(name).unlink(missing_ok=True)
            if isinstance(error, (ValueError, OSError, *files.STORE_ERRORS)):
                raise sqlite3.OperationalError(f"it {what}; {error}") from error
            raise
        old.abandon()
        told = f"the store {old.path!r} {what}: {self._n_there - n_gone} {self._kept} of this {self._run} were moved to"
        lost = f", {n_gone} are lost and will be {self._again} again" if n_gone else ""
        also = "; skcompare store repair FILE saves what is left in the old one" if n_gone else ""
        more = f"{told} {name!r}{lost}; it is the store to give to the next one{also}"
        self._n_there -= n_gone + len(kept)
        if kept:  # they are written to the new file with what waits
            self._waiting[:0] = kept
            self._written.clear()
            self._written_bytes = 0
        warn(Code.STORE(more))

    def _register(self) -> None:
        """Make the rows that others refer to."""

    def _write(self, items: Sequence[Any]) -> None:
        """Write items, in one transaction."""

    def _bytes_of(self, item: Any) -> int:
        """What an item takes in memory, about."""
        raise NotImplementedError


def _beside(path: str) -> str:
    """A new file, still empty, in the same folder, or in the nearest one above that is still there."""
    folder = next(parent for parent in Path(path).parents if parent.is_dir())
    for n in count():
        name = folder / f"{Path(path).stem}.rescued{n or ''}{Path(path).suffix}"
        with suppress(FileExistsError):
            name.touch(exist_ok=False)
            return str(name)
    raise AssertionError
