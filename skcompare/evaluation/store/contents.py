"""What a store holds, for a person, and what can be removed from it; every value in it may come from a stranger."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from skcompare._core.text import one_line, table
from skcompare._core.validation import check_number
from skcompare.evaluation.foreign_code import installed_version
from skcompare.evaluation.store import file as files
from skcompare.evaluation.store.keys import environment
from skcompare.evaluation.store.simulations import DataSetKey, key_text, numbers_from_columns, scores_from_columns
from skcompare.evaluation.store.store import FitKey, Store
from skcompare.evaluation.store.stored_fit import MAX_CONTENT, MAX_TEXT, DamagedError, from_columns

_FIT_BYTES = "length(fits.content) + length(fits.arrays) + length(fits.scored) + 200"
_DATASET_BYTES = "length(simulated.content) + length(simulated.header) + 100"
_REMOVE_UNUSED = (
    "DELETE FROM evaluations WHERE id NOT IN (SELECT evaluation FROM estimators)",
    "DELETE FROM models WHERE id NOT IN (SELECT model FROM estimators)",
)
_MODELS = (
    "SELECT CAST(estimators.name AS TEXT), CAST(models.description AS TEXT), count(fits.id), "
    "coalesce(avg(fits.fit_time), 0.0), models.packages FROM estimators "
    "JOIN models ON models.id = estimators.model LEFT JOIN fits ON fits.estimator = estimators.id "
    "WHERE estimators.evaluation = ? GROUP BY estimators.id ORDER BY estimators.id"
)
_DAY = 86_400.0


class StoredEvaluation(NamedTuple):
    """The fits on one data set, made with the same libraries and scored alike; `models` are names."""

    number: int
    created_at: float
    used_at: float
    n_samples: int
    n_features: int | None
    n_fits: int
    n_bytes: int
    models: str
    context: Mapping[str, Any]


class StoredSimulation(NamedTuple):
    """The finished data sets of one simulation."""

    number: int
    used_at: float
    description: str
    n_datasets: int
    n_bytes: int
    context: Mapping[str, Any]


@dataclass(kw_only=True)
class Removal:
    """Fits and simulated data sets of no more use, and why."""

    reason: str
    estimators: list[int] = field(default_factory=list)
    n_fits: int = 0
    simulations: list[int] = field(default_factory=list)
    n_datasets: int = 0
    n_bytes: int = 0


def contents_of(path: str | os.PathLike[str]) -> str:
    """The evaluations and the simulations in a store, the last used first."""
    with _opened(path) as store:
        found, simulations = _evaluations(store), _simulations(store)
    rows = [(_when(s.used_at), s.n_datasets, _megabytes(s.n_bytes), one_line(s.description)[:120]) for s in simulations]
    made = [table(("last used", "data sets", "MB", "simulation"), rows, left=(0, 3))] if rows else []
    return "\n\n".join([_table_of(found) if found else "no fits stored", *made])


def shown(path: str | os.PathLike[str], number: int | None) -> str:
    """One evaluation, by default the one used last: its models, their parameters, fits and mean fit time.

    Raises
    ------
    ValueError
        If the file is no store, has no fits, or none of this number.
    """
    with _opened(path) as store:
        found = {one.number: one for one in _evaluations(store)}
        if not found:
            raise ValueError(f"store must have fits; {os.fspath(path)!r} has none")
        if number not in (None, *found):
            raise ValueError(f"ID must be one of {', '.join(map(str, found))}; got {number}")
        one = found[number or next(iter(found))]
        models = store.connection.execute(_MODELS, (one.number,)).fetchall()
    versions = _versions(one.context.get("versions"))
    versions |= (x for *_, packages in models for x in _versions(_object(packages)).items())
    # the first digits of a digest are enough to see whether two evaluations are on the same data
    data = [f"{name} {one_line(str(one.context.get(name, '?')))[:8]}" for name in ("X", "y")]
    said = f"made      {_when(one.created_at)} of {', '.join(data)}\nversions  "
    rows = [(name, n, f"{seconds:.4g} s" if n else "", described) for name, described, n, seconds, _ in models]
    parts = [_table_of([one]), said + one_line(", ".join(map(" ".join, sorted(versions.items()))))]
    return "\n\n".join([*parts, table(("model", "fits", "mean fit", "parameters"), rows, left=(0, 3))])


def removed(path: str | os.PathLike[str], *, older_than: float | None, dry_run: bool) -> str:
    """What is of no more use, and why; it is removed, unless that is only to be said."""
    if older_than is not None:
        check_number(older_than, "older_than", low=0)
    with _opened(path, write=not dry_run) as store:
        removals = _removable(store, older_than=older_than)
        if not dry_run:
            _remove(store, removals, older_than=older_than)
    first = f"{'would remove' if dry_run else 'removed'} {_amount(removals)}{':' if removals else ''}"
    return "\n".join([first, *(f"  {_amount([one])} {one_line(one.reason)}" for one in removals)])


@contextmanager
def _opened(path: str | os.PathLike[str], *, write: bool = False) -> Iterator[Store]:
    with files.named_errors(path), closing(Store.open(path, create=False, write=write)) as store:
        yield store


def _amount(removals: Sequence[Removal]) -> str:
    n_datasets = sum(removal.n_datasets for removal in removals)
    simulated = f" and {n_datasets} simulated data sets" if n_datasets else ""
    size = _megabytes(sum(removal.n_bytes for removal in removals))
    return f"{sum(removal.n_fits for removal in removals)} fits{simulated} ({size} MB)"


def _table_of(found: Sequence[StoredEvaluation]) -> str:
    rows = []
    for e in found:
        data = f"{e.n_samples} x {'?' if e.n_features is None else e.n_features}"
        rows.append((e.number, _when(e.used_at), data, e.n_fits, _megabytes(e.n_bytes), e.models))
    return table(("ID", "last used", "data", "fits", "MB", "models"), rows, left=(1, 2, 5))


def _when(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(min(max(seconds, 0), 1e11)))  # a file can hold any number


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1e6:.2f}" if n_bytes < 1e7 else f"{n_bytes / 1e6:.0f}"


def _evaluations(store: Store) -> list[StoredEvaluation]:
    """All evaluations, the last used first."""
    found = store.connection.execute(
        "SELECT evaluations.id, CAST(evaluations.created_at AS REAL), CAST(evaluations.used_at AS REAL), "
        "CAST(n_samples AS INTEGER), CAST(n_features AS INTEGER), count(fits.id), "
        f"CAST(coalesce(sum({_FIT_BYTES}), 0) AS INTEGER), coalesce((SELECT group_concat(name, ', ') FROM "
        "(SELECT name FROM estimators WHERE evaluation = evaluations.id ORDER BY id)), ''), context FROM evaluations "
        "LEFT JOIN estimators ON estimators.evaluation = evaluations.id "
        "LEFT JOIN fits ON fits.estimator = estimators.id "
        "GROUP BY evaluations.id ORDER BY evaluations.used_at DESC, evaluations.id DESC"
    )
    return [StoredEvaluation._make((*row, _object(context))) for *row, context in found]


def _simulations(store: Store) -> list[StoredSimulation]:
    """All simulations, the last used first."""
    if not files.has_simulations(store.connection):
        return []
    found = store.connection.execute(
        "SELECT simulations.id, CAST(used_at AS REAL), CAST(description AS TEXT), count(simulated.number), "
        f"CAST(coalesce(sum({_DATASET_BYTES}), 0) AS INTEGER), context FROM simulations "
        "LEFT JOIN simulated ON simulated.simulation = simulations.id "
        "GROUP BY simulations.id ORDER BY used_at DESC, simulations.id DESC"
    )
    return [StoredSimulation._make((*row, _object(context))) for *row, context in found]


def _removable(store: Store, *, older_than: float | None) -> list[Removal]:
    """What was made with other library versions than this environment has, or not used for so many days."""
    rows = store.connection.execute(
        "SELECT estimators.id, evaluations.context, models.packages, CAST(estimators.used_at AS REAL), "
        f"count(fits.id), CAST(coalesce(sum({_FIT_BYTES}), 0) AS INTEGER) FROM estimators "
        "JOIN evaluations ON evaluations.id = estimators.evaluation JOIN models ON models.id = estimators.model "
        "LEFT JOIN fits ON fits.estimator = estimators.id GROUP BY estimators.id"
    ).fetchall()
    oldest = -inf if older_than is None else time.time() - older_than * _DAY
    found: dict[str, Removal] = {}

    def removal(context: Mapping[str, Any], packages: Mapping[str, Any], used_at: float) -> Removal:
        """By why something can go; one that is not kept where it cannot."""
        told = (_versions(context.get("versions")), _versions(packages))
        reason = f"not used for {older_than:g} days" if used_at < oldest else ""
        if others := dict.fromkeys(other for versions in told for other in _other_versions(versions)):
            reason = f"made with {', '.join(others)}"
        if context.get("format", files.KEYS) != files.KEYS:
            reason = "made by another version of skcompare"
        return found.setdefault(reason, Removal(reason=reason))

    for number, context_text, packages, used_at, n_fits, n_bytes in rows:
        one = removal(_object(context_text), _object(packages), used_at)
        one.estimators.append(number)
        one.n_fits += n_fits
        one.n_bytes += n_bytes
    for simulation in _simulations(store):
        one = removal(simulation.context, {}, simulation.used_at)
        one.simulations.append(simulation.number)
        one.n_datasets += simulation.n_datasets
        one.n_bytes += simulation.n_bytes
    return [one for reason, one in found.items() if reason]


def _remove(store: Store, removals: list[Removal], *, older_than: float | None) -> None:
    """Delete fits, what then refers to nothing and simulations, and give the space back."""
    with store.transaction(durable=True) as db:
        for removal in removals:
            for table, column in (("fits", "estimator"), ("estimators", "id")):
                db.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(n,) for n in removal.estimators])
            for number in removal.simulations:  # their tables are there where a simulation is
                for table, column in (("simulated", "simulation"), ("readings", "simulation"), ("simulations", "id")):
                    db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))
        for statement in _REMOVE_UNUSED:
            db.execute(statement)
        if older_than is not None:
            db.execute("DELETE FROM seeds WHERE created_at < ?", (time.time() - older_than * _DAY,))
    store.connection.execute("VACUUM")
    store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _other_versions(versions: Mapping[str, str]) -> Iterator[str]:
    """Where this environment has another version; a package that it does not know may be there under another name."""
    here = environment()
    for name, version in versions.items():
        current = here.get(name) or installed_version(name)
        if current is not None and current != version:
            yield f"{name} {version} (here {current})"


def _object(text: Any) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _versions(value: Any) -> dict[str, str]:
    items = value.items() if isinstance(value, dict) else ()
    return {name: version for name, version in items if isinstance(version, str)}


# What is left of a damaged store in a new one: every row whose checksum is right, wherever it stands in the file.


_N_COLUMNS = 14  # of the table that has most, the fits; the last column of each of our tables is never empty
_OF_LEAVES = (
    f"PRAGMA page_size = {files.PAGE}",
    f"CREATE TABLE leaf ({', '.join(f'c{i}' for i in range(_N_COLUMNS))})",
    "CREATE TABLE digests (digest, number, PRIMARY KEY (digest, number)) WITHOUT ROWID",
)
# how a page of rows or of an index begins, and how it is read
_LEAVES = {b"\r": "SELECT rowid, * FROM leaf", b"\n": "SELECT NULL, * FROM digests"}
# The next run puts right what of an estimator was not found.
_PUT_RIGHT = (
    "INSERT INTO evaluations VALUES (0, x'00', 0, NULL, '{}', 0, 0)",
    "INSERT INTO models VALUES (0, x'00', '', '{}', '?', 0)",
    "UPDATE estimators SET evaluation = 0 WHERE evaluation NOT IN (SELECT id FROM evaluations)",
    "UPDATE estimators SET model = 0 WHERE model NOT IN (SELECT id FROM models)",
    *_REMOVE_UNUSED,
)


def repaired(path: str | os.PathLike[str]) -> str:
    """Put a sound store in the place of a damaged one, which is kept beside it; what was done, in words.

    Raises
    ------
    ValueError
        If it cannot be read or nothing in it is ours.
    """
    name = str(Path(files.check_path(path, must_exist=True)).resolve())
    folder = Path(name).parent
    with files.named_errors(path), tempfile.TemporaryDirectory(prefix=f"{Path(name).name}.", dir=folder) as scratch:
        new = Path(scratch) / "new"
        with closing(Store.open(new)) as store:
            _Salvage(store.connection).take(_laid_open(name, Path(scratch)))
            found = _counts(store)
        with Path(name).open("rb") as file:
            if not found[0] + found[1] and not files.is_header_of_ours(file.read(100)):
                raise files.ForeignError("it has no row of a store")
        kept = f"{found[0]} fits and {found[1]} simulated data sets"
        if _is_sound(name, found):
            return f"{path} is sound and stays as it is: {kept}"
        shutil.copymode(name, new)
        old = _put_aside(name)
        new.replace(name)
    return f"saved {kept}; the damaged file is now {old}"


def _counts(store: Store) -> list[int]:
    """Fits, simulated data sets, and what was read of these."""
    tables = ("fits", "simulated", "readings") if files.has_simulations(store.connection) else ("fits",)
    found = [store.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables]
    return [*found, 0, 0][:3]


def _is_sound(name: str, found: list[int]) -> bool:
    """Whether a file can be used as it is, and every row of it was found to be right."""
    try:
        with closing(Store.open(name, create=False, write=False)) as store:
            is_whole = store.connection.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            return is_whole and _counts(store) == found
    except (ValueError, *files.STORE_ERRORS):
        return False


def _put_aside(name: str) -> str:
    """Rename a file and its log to names that are free; gives the first."""
    old = next(f"{name}.damaged{n or ''}" for n in count() if not os.path.lexists(f"{name}.damaged{n or ''}"))
    Path(name).rename(old)
    for end in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            Path(f"{name}{end}").rename(f"{old}{end}")
    return old


def _laid_open(name: str, scratch: Path) -> Path:
    """A copy with a first page of ours, which has two tables, and with the pages of its log at its end."""
    copy, log, first = scratch / "copy", Path(f"{name}-wal"), scratch / "first"
    with closing(sqlite3.connect(first)) as db:
        for statement in _OF_LEAVES:
            db.execute(statement)
    header = first.read_bytes()[: files.PAGE]
    shutil.copyfile(name, copy)
    pages = log.read_bytes() if log.exists() else b""
    Path(f"{copy}-wal").write_bytes(pages)
    for _ in range(2):  # SQLite takes over the log, as far as that is sound, and perhaps another first page with it
        with copy.open("r+b") as file:
            file.write(header[:28] + bytes(4) + header[32:])  # as many pages as the file has
        with closing(sqlite3.connect(copy)) as db, suppress(sqlite3.Error):
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with copy.open("ab") as file:
        file.write(bytes(-file.tell() % files.PAGE))
        for start in range(32 + 24, len(pages), 24 + files.PAGE):
            file.write(pages[start : start + files.PAGE].ljust(files.PAGE, b"\0"))
    return copy


def _rows(copy: Path) -> Iterator[tuple[int | None, list[Any]]]:
    """The number of each row, None for one of an index, and its values, whatever else is damaged.

    The tables of the first page are said to begin on one page after the other. So neither the tables of the file nor
    the pages that lead to its rows are needed.
    """
    with closing(sqlite3.connect(copy, isolation_level=None)) as db, copy.open("rb") as file:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CONTENT + 2 * MAX_TEXT)
        db.text_factory = lambda raw: raw.decode("utf-8", "replace")
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        for page in range(1, copy.stat().st_size // files.PAGE):
            file.seek(page * files.PAGE)
            if select := _LEAVES.get(file.read(1)):
                db.execute("PRAGMA writable_schema = ON")
                db.execute("UPDATE sqlite_master SET rootpage = ?", (page + 1,))
                db.execute("PRAGMA writable_schema = RESET")
                yield from _rows_of(db, select)


def _rows_of(db: sqlite3.Connection, select: str) -> Iterator[tuple[int | None, list[Any]]]:
    """One by one, to go on behind one that cannot be read."""
    with suppress(*files.STORE_ERRORS):
        for i in range(db.execute(f"SELECT count(*) FROM ({select})").fetchone()[0]):
            with suppress(*files.STORE_ERRORS):
                for number, *values in db.execute(f"{select} LIMIT 1 OFFSET ?", (i,)).fetchall():
                    n_values = max((k for k, value in enumerate(values, 1) if value is not None), default=0)
                    yield number, values[:n_values]


class _Salvage:
    """Rows of a damaged file, verified and put into a new store under the numbers that they had."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        # of estimators or simulations, by number; with what else an estimator's row holds
        self._digests: defaultdict[int, dict[bytes, list[Any]]] = defaultdict(dict)
        self._made: dict[tuple[int, bytes, int], float] = {}  # of fits, by what they are found by

    def take(self, copy: Path) -> None:
        """Twice through the file: what rows refer to, then the rows."""
        files.add_simulations(self._db)
        self._db.execute("PRAGMA foreign_keys = OFF")
        self._db.execute("BEGIN IMMEDIATE")
        for take in (self._note, self._row):
            for number, values in _rows(copy):
                # a number may have any type here, and a text any length
                with suppress(TypeError, ValueError, AttributeError, OverflowError, sqlite3.DataError):
                    take(number, values)
        for statement in _PUT_RIGHT:
            self._db.execute(statement)
        self._db.execute("COMMIT")

    def _put(self, table: str, values: Sequence[Any], how: str = "REPLACE") -> None:
        with suppress(sqlite3.IntegrityError):
            self._db.execute(f"INSERT OR {how} INTO {table} VALUES ({', '.join('?' * len(values))})", values)

    def _note(self, number: int | None, values: list[Any]) -> None:
        kinds = [type(value) for value in values]
        if number is None:
            if kinds == [bytes, int]:
                self._digests[values[1]].setdefault(values[0], [])
        elif len(values) == 3:
            self._put("seeds", values)
        elif len(values) in (6, 7) and kinds[1] is bytes and len(values[1]) == 32:
            _, digest, *told = values
            text = values[2 if len(values) == 6 else 4]
            is_text = sha256(text.encode()).digest() == digest  # of evaluations and simulations
            self._digests[number][digest] = told
            if is_text or len(values) == 6:
                table = "models" if not is_text else "simulations" if len(values) == 6 else "evaluations"
                self._put(table, [number, digest, *told])

    def _row(self, number: int | None, values: list[Any]) -> None:
        if number is not None and len(values) == _N_COLUMNS:
            self._fit(values)
        elif number is not None and len(values) == 7 and type(values[5]) is bytes:
            self._simulated(values)

    def _fit(self, values: list[Any]) -> None:
        _, estimator, split, seed, *times, scored, arrays, encoded, content, checksum, made = values
        numbers = [time if time is None else float(time) for time in times]
        for digest, told in self._digests[estimator].items():
            with suppress(DamagedError):
                from_columns(numbers, scored, arrays, encoded, content, checksum, FitKey(split, seed, digest).text)
                key, made = (estimator, split, seed), float(made)
                if made > self._made.get(key, -inf):  # one with more predictions replaces one with fewer
                    told = told if len(told) == 5 else [0, 0, "?", 0.0, 0.0]
                    self._put("estimators", [estimator, digest, *told], "IGNORE")
                    self._put("fits", [None, *key, *numbers, *values[8:13], made])
                    self._made[key] = made
                return

    def _simulated(self, values: list[Any]) -> None:
        simulation, number, again, *_, checksum, _ = values
        for digest in self._digests[simulation]:
            with suppress(DamagedError):
                key = DataSetKey(number, again)
                if type(values[3]) is bytes:
                    numbers_from_columns(values[4], checksum, key_text(digest, key, values[3]))
                else:
                    scores_from_columns(values[3], values[4], checksum, key_text(digest, key))
                self._put("simulations", [simulation, digest, "{}", "?", 0.0, 0.0], "IGNORE")
                self._put("readings" if type(values[3]) is bytes else "simulated", values)
                return
