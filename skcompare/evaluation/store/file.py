"""The file of a store: made, checked to be ours before anything in it is believed, and opened."""

from __future__ import annotations

import os
import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from weakref import WeakSet

from skcompare._core.text import one_line
from skcompare.evaluation.store.stored_fit import MAX_CONTENT, MAX_TEXT

MOUNTS = "/proc/self/mountinfo"  # Linux alone has it
# shared between machines: locks hold, the shared memory of a write-ahead log does not
SHARED = re.compile(r"afs|beegfs|(fuse\.)?(ceph|glusterfs)|cifs|gpfs|lustre|nfs4?|orangefs|panfs|pvfs2|smb3|smbfs")
# two processes may both hold a lock there, and what one has written the other need not see
WITHOUT_LOCKS = re.compile(r"davfs2?|fuse\.(curlftpfs|davfs2|gcsfuse|goofys|mount-s3|rclone|s3fs|sshfs)")
# parts of texts of ours, by which a file whose beginning is lost is known, and how much of it is looked at
_TEXTS = (b'[["predict', b'"array_api_dispatch"', b'"split_hash"')
_LOOKED_AT = 1 << 20


def kind_of(name: str) -> str:
    """The type of the file system as `mount` names it; empty where it is not known."""
    try:
        folder = Path(name).resolve().parent
        lines = Path(MOUNTS).read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    found = (0, "")
    for line in lines:
        if fields := re.match(r"(?:\S+ ){4}(\S+) .*?- (\S+)", line):
            # spaces and the like are octal numbers there
            point = Path(re.sub(r"\\(\d{3})", lambda code: chr(int(code[1], 8)), fields[1]))
            if folder.is_relative_to(point) and len(point.parts) >= found[0]:
                found = len(point.parts), fields[2]  # of two mounts on one folder the later one is seen
    return found[1]


APPLICATION_ID = 0x736B6370  # "skcp"
FORMAT = 3
PAGE = 4096  # bytes
# What fits are found by says this number. Those of 3 and 4 are not used: what wrote into its data, or read the scores
# of another class, could change what others of the same run got, and a fit does not tell in whose company it was made.
KEYS = 5
BUSY_SECONDS = 30.0
# with UnicodeError, because sqlite3 cannot tell of a damaged schema whose text is no text
STORE_ERRORS = (sqlite3.Error, UnicodeError)
_NO_ACCESS = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
}
_MAGIC = b"SQLite format 3\0"
_JOURNAL_MAGIC = b"\xd9\xd5\x05\xf9 \xa1c\xd7"  # behind it how many pages are kept, a nonce, how many there were
_SCHEMA = (
    "CREATE TABLE evaluations (id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, "
    "n_samples INTEGER NOT NULL, n_features INTEGER, context TEXT NOT NULL, "
    "created_at REAL NOT NULL, used_at REAL NOT NULL)",
    "CREATE TABLE models (id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, "
    "identity TEXT NOT NULL, packages TEXT NOT NULL, description TEXT NOT NULL, created_at REAL NOT NULL)",
    "CREATE TABLE estimators (id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, "
    "evaluation INTEGER NOT NULL REFERENCES evaluations (id), model INTEGER NOT NULL REFERENCES models (id), "
    "name TEXT NOT NULL, created_at REAL NOT NULL, used_at REAL NOT NULL)",
    "CREATE INDEX estimators_by_evaluation ON estimators (evaluation)",
    "CREATE INDEX estimators_by_model ON estimators (model)",
    "CREATE TABLE fits (id INTEGER PRIMARY KEY, estimator INTEGER NOT NULL REFERENCES estimators (id), "
    "split BLOB NOT NULL, seed INTEGER NOT NULL, fit_time REAL, predict_time REAL, score_time REAL, model_size REAL, "
    "scored TEXT NOT NULL, arrays TEXT NOT NULL, encoded INTEGER NOT NULL, content BLOB NOT NULL, "
    "checksum BLOB NOT NULL, created_at REAL NOT NULL, UNIQUE (estimator, split, seed))",
    "CREATE TABLE seeds (digest BLOB PRIMARY KEY, seed INTEGER NOT NULL, created_at REAL NOT NULL)",
)
# made in a store when the first simulation needs them
_SIMULATIONS = (
    "CREATE TABLE simulations (id INTEGER PRIMARY KEY AUTOINCREMENT, digest BLOB NOT NULL UNIQUE, "
    "context TEXT NOT NULL, description TEXT NOT NULL, created_at REAL NOT NULL, used_at REAL NOT NULL)",
    "CREATE TABLE simulated (simulation INTEGER NOT NULL REFERENCES simulations (id), number INTEGER NOT NULL, "
    "again INTEGER NOT NULL, header TEXT NOT NULL, content BLOB NOT NULL, checksum BLOB NOT NULL, "
    "created_at REAL NOT NULL, PRIMARY KEY (simulation, number, again))",
    "CREATE TABLE readings (simulation INTEGER NOT NULL REFERENCES simulations (id), number INTEGER NOT NULL, "
    "again INTEGER NOT NULL, digest BLOB NOT NULL, numbers TEXT NOT NULL, checksum BLOB NOT NULL, "
    "created_at REAL NOT NULL, PRIMARY KEY (simulation, number, again, digest))",
)


_HAS_SIMULATIONS = "count(*) FROM sqlite_master WHERE type = 'table' AND name = 'simulations'"


class ForeignError(sqlite3.DatabaseError):
    """A file of another program."""


class _FormatError(sqlite3.DatabaseError):
    """A file of another version of skcompare."""


class _Connection(sqlite3.Connection):
    """Known while it is open: whoever reads its file by other means takes away its locks (POSIX)."""

    identity: tuple[int, int] | None = None

    def close(self) -> None:
        super().close()
        _OPEN.discard(self)


_OPEN: WeakSet[_Connection] = WeakSet()


def identity_of(name: str) -> tuple[int, int] | None:
    """What tells a file from another one of the same name; None where there is none."""
    try:
        found = Path(name).stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


def connect(path: str | os.PathLike[str], *, create: bool = True, write: bool = True) -> sqlite3.Connection:
    """Open a store, or make it.

    Parameters
    ----------
    path : path-like
        The file.
    create : bool, default=True
        Whether it is made where there is none.
    write : bool, default=True
        Whether it is opened for more than reading.

    Raises
    ------
    ValueError
        If it cannot be made, written or read, or is not a file of ours; such a file is left as it is.
    """
    name = check_path(path, must_exist=not create)
    kind = kind_of(name)
    if write and WITHOUT_LOCKS.fullmatch(kind):
        says = f"store must be on a file system that locks files; {os.fspath(path)!r} is on {kind}"
        raise ValueError(f"{says}: put it on a disk of this machine")
    with named_errors(path, "writable" if write else "readable"):
        if _check_header(name) and not write:
            raise sqlite3.DatabaseError("it is empty")
        where = f"{Path(name).as_uri()}?{_read_mode(name)}"
        options: dict[str, Any] = {"timeout": BUSY_SECONDS, "isolation_level": None, "factory": _Connection}
        connection: _Connection = sqlite3.connect(name if write else where, uri=not write, **options)
        connection.identity = identity_of(name)
        _OPEN.add(connection)
        try:
            _guard(connection)
            if write:  # in one transaction, before it gets a write-ahead log
                marks = (f"PRAGMA application_id = {APPLICATION_ID}", f"PRAGMA user_version = {FORMAT}")
                _execute_unless("count(*) FROM sqlite_master", connection, (*_SCHEMA, *marks))
            _check_schema(connection)
            if not write:
                connection.execute("PRAGMA query_only = ON")
            elif SHARED.fullmatch(kind):
                connection.execute("PRAGMA journal_mode = DELETE")
            else:
                _write_ahead(connection)
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
    return connection


def check_path(path: str | os.PathLike[str], *, must_exist: bool = False) -> str:
    """The absolute path; ValueError where no file can be there.

    An absolute path is never taken for a URI or for a database in memory.
    """
    name = str(Path(path).absolute())
    if "\0" in name:
        raise ValueError(f"store must be the path of a file; got {os.fspath(path)!r}")
    try:
        if Path(name).is_dir():
            raise ValueError(f"store must be a file; {os.fspath(path)!r} is a directory")
        if not Path(name).parent.is_dir():
            raise ValueError(f"store must be in a directory that exists; got {os.fspath(path)!r}")
        if Path(name).exists() and not Path(name).is_file():
            raise ValueError(f"store must be a file; {os.fspath(path)!r} is something else")
        if must_exist and not Path(name).exists():
            raise ValueError(f"store must be a file that exists; {os.fspath(path)!r} does not")
    except PermissionError as error:
        says = f"store must be in a directory that may be read; {os.fspath(path)!r} is not"
        raise ValueError(f"{says}: {error}") from error
    return name


@contextmanager
def named_errors(path: str | os.PathLike[str], access: str = "writable") -> Iterator[None]:
    """SQLite's errors as ValueErrors that name the argument."""
    try:
        yield
    except (*STORE_ERRORS, OSError) as error:
        raise refusal(path, error, access) from error


def refusal(path: str | os.PathLike[str], error: Exception, access: str = "writable") -> ValueError:
    """What a failure to open or read the file means."""
    name, code = os.fspath(path), getattr(error, "sqlite_errorcode", -1)
    told = getattr(error, "strerror", None) or str(error)
    reason = "it is damaged" if isinstance(error, UnicodeError) else one_line(told)
    if code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ValueError(f"store must be free within {BUSY_SECONDS:g} s; {name!r} is in use: {reason}")
    if isinstance(error, OSError) or (code & 0xFF in _NO_ACCESS and code != sqlite3.SQLITE_IOERR_SHORT_READ):
        return ValueError(f"store must be {access}; {name!r} is not: {reason}")
    if isinstance(error, ForeignError):
        return ValueError(f"store must be a file made by skcompare; {name!r} is not: {reason}")
    if isinstance(error, _FormatError):
        return ValueError(f"store must be of the format of this version of skcompare; {name!r} is not: {reason}")
    return ValueError(
        f"store must be sound; {name!r} is damaged or was changed: {reason}; what is left of it can be saved with "
        f"skcompare store repair FILE"
    )


def _read_mode(name: str) -> str:
    """How to open a file for reading: SQLite needs two files beside it, which it can only remove if it may write."""
    if os.access(name, os.W_OK) and os.access(Path(name).parent, os.W_OK):
        return "mode=rw"
    return "mode=ro" if Path(f"{name}-wal").exists() else "immutable=1"


def _check_header(name: str) -> bool:
    """Whether the file is new; refuses another program's file before SQLite touches it."""
    identity = identity_of(name)
    if identity is not None and any(identity == connection.identity for connection in list(_OPEN)):
        return False  # it was looked at, and is left alone for its locks
    header = b""
    with suppress(FileNotFoundError), Path(name).open("rb") as file:
        header = file.read(100)
    if not header:
        if _has_texts_of_ours(name):
            raise sqlite3.DatabaseError("it is empty, and its log is not")
        return True
    if not any(header) and _was_empty(name):
        return True
    if is_header_of_ours(header):
        return False
    if _has_texts_of_ours(name):
        raise sqlite3.DatabaseError("its beginning is overwritten")
    raise ForeignError("it belongs to another program" if header.startswith(_MAGIC) else "it is not an SQLite file")


def _was_empty(name: str) -> bool:
    """Whether the power went while the file was made: its journal says so, and what is there is part of a new store."""
    content = journal = b""
    with suppress(FileNotFoundError), Path(name).open("rb") as file, Path(f"{name}-journal").open("rb") as beside:
        content, journal = file.read(_LOOKED_AT), beside.read(20)
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(f"PRAGMA page_size = {PAGE}; {';'.join(_SCHEMA)}")
        new = model.serialize()
    pieces = [slice(i, i + 512) for i in range(0, len(content), 512)]
    known = all(content[piece] in (new[piece], bytes(len(content[piece]))) for piece in pieces)
    return known and journal[:8] == _JOURNAL_MAGIC and journal[16:] == bytes(4)


def _has_texts_of_ours(name: str) -> bool:
    for end in ("", "-wal"):
        with suppress(FileNotFoundError), Path(f"{name}{end}").open("rb") as file:
            content = file.read(_LOOKED_AT)
            if any(text in content for text in _TEXTS):
                return True
    return False


def is_header_of_ours(header: bytes) -> bool:
    """Whether the first 100 bytes of a file say that skcompare made it."""
    return header.startswith(_MAGIC) and len(header) >= 100 and int.from_bytes(header[68:72], "big") == APPLICATION_ID


def _guard(connection: sqlite3.Connection) -> None:
    """A file from a stranger runs no code and makes nothing large."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CONTENT + 2 * MAX_TEXT)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, 100_000)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    guards = ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0", "synchronous = EXTRA")
    for pragma in (*guards, f"page_size = {PAGE}"):
        connection.execute(f"PRAGMA {pragma}")


def has_simulations(connection: sqlite3.Connection) -> bool:
    """Whether a store that was found to be ours has the tables of simulations."""
    return bool(connection.execute(f"SELECT {_HAS_SIMULATIONS}").fetchone()[0])


def add_simulations(connection: sqlite3.Connection) -> None:
    """Make the tables of simulations where they are not there yet."""
    _execute_unless(_HAS_SIMULATIONS, connection, _SIMULATIONS)


def _execute_unless(is_made: str, connection: sqlite3.Connection, statements: Sequence[str]) -> None:
    """Execute statements in one transaction, unless it is done, perhaps by another process just now."""
    if not connection.execute(f"SELECT {is_made}").fetchone()[0]:
        with exclusively(connection):
            done = connection.execute(f"SELECT {is_made}").fetchone()[0]
            for statement in () if done else statements:
                connection.execute(statement)


@contextmanager
def exclusively(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that no other process writes beside: all of it or nothing."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield


def _check_schema(connection: sqlite3.Connection) -> None:
    """Exactly our tables and indexes; a trigger or a view more could change what a query means."""
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise ForeignError("it belongs to another program")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT:
        raise _FormatError(f"its format is {version}, this version knows {FORMAT}")
    known = [_objects_of(_SCHEMA), _objects_of((*_SCHEMA, *_SIMULATIONS))]
    if connection.execute(f"{_OBJECTS} LIMIT ?", (len(known[1]) + 1,)).fetchall() not in known:
        raise sqlite3.DatabaseError("it has other tables")


_OBJECTS = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name"


def _objects_of(schema: Sequence[str]) -> list[tuple[str, str, str, str | None]]:
    """What SQLite says of a file with these tables and indexes."""
    with closing(sqlite3.connect(":memory:")) as model:
        model.executescript(";".join(schema))
        return model.execute(_OBJECTS).fetchall()


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch to the write-ahead log, for which SQLite does not wait by itself while another process opens the file."""
    deadline = time.monotonic() + BUSY_SECONDS
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            if connection.execute("PRAGMA journal_mode = WAL").fetchone()[0] != "wal":
                return  # a file system without shared memory: the rollback journal is as safe, and slower
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
