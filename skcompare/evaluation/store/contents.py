"""What a store holds, for a person, and what can be removed from it; every value in it may come from a stranger."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from math import inf, nan
from pathlib import Path
from typing import Any

from skcompare.evaluation.store.file import (
    KEYS,
    STORE_ERRORS,
    Pages,
    Row,
    add_simulations,
    check_path,
    has_simulations,
    is_header_of_ours,
    named_errors,
    not_ours,
)
from skcompare.evaluation.store.keys import environment, installed_version
from skcompare.evaluation.store.simulations import DataSetKey, key_text, numbers_from_columns, scores_from_columns
from skcompare.evaluation.store.store import FitKey, Store
from skcompare.evaluation.store.stored_fit import DamagedError, from_columns

_FIT_BYTES = "length(fits.content) + length(fits.arrays) + length(fits.scored) + 200"
_DATASET_BYTES = "length(simulated.content) + length(simulated.header) + 100"
_DAY = 86_400.0


@dataclass(frozen=True, kw_only=True)
class StoredEvaluation:
    """The fits on one data set, made with the same libraries and scored alike."""

    number: int
    created_at: float
    used_at: float
    n_samples: int
    n_features: int | None
    models: tuple[str, ...]
    n_fits: int
    n_bytes: int
    context: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class StoredModel:
    """One model of an evaluation; `fit_time` is the mean in seconds."""

    name: str
    description: str
    n_fits: int
    fit_time: float
    packages: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class StoredSimulation:
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


def stored_evaluations(store: Store) -> list[StoredEvaluation]:
    """All evaluations, the last used first."""
    rows = store.connection.execute(
        "SELECT evaluations.id, evaluations.created_at, evaluations.used_at, n_samples, n_features, context, "
        f"count(fits.id), coalesce(sum({_FIT_BYTES}), 0) FROM evaluations "
        "LEFT JOIN estimators ON estimators.evaluation = evaluations.id "
        "LEFT JOIN fits ON fits.estimator = estimators.id "
        "GROUP BY evaluations.id ORDER BY evaluations.used_at DESC, evaluations.id DESC"
    ).fetchall()
    names: dict[int, list[str]] = {}
    for number, name in store.connection.execute("SELECT evaluation, name FROM estimators ORDER BY id"):
        names.setdefault(number, []).append(str(name))
    return [
        StoredEvaluation(
            number=number,
            created_at=_number(created_at),
            used_at=_number(used_at),
            n_samples=n_samples if type(n_samples) is int else 0,
            n_features=n_features if type(n_features) is int else None,
            models=tuple(names.get(number, ())),
            n_fits=n_fits,
            n_bytes=int(n_bytes),
            context=_object(context),
        )
        for number, created_at, used_at, n_samples, n_features, context, n_fits, n_bytes in rows
    ]


def stored_models(store: Store, evaluation: int) -> list[StoredModel]:
    """The models of an evaluation, in the order in which they came."""
    rows = store.connection.execute(
        "SELECT estimators.name, models.description, models.packages, count(fits.id), avg(fits.fit_time) "
        "FROM estimators JOIN models ON models.id = estimators.model "
        "LEFT JOIN fits ON fits.estimator = estimators.id "
        "WHERE estimators.evaluation = ? GROUP BY estimators.id ORDER BY estimators.id",
        (evaluation,),
    )
    return [
        StoredModel(
            name=str(name),
            description=str(description),
            n_fits=n_fits,
            fit_time=_number(fit_time),
            packages=_versions(_object(packages)),
        )
        for name, description, packages, n_fits, fit_time in rows
    ]


def stored_simulations(store: Store) -> list[StoredSimulation]:
    """All simulations, the last used first."""
    if not has_simulations(store.connection):
        return []
    rows = store.connection.execute(
        "SELECT simulations.id, used_at, description, context, count(simulated.number), "
        f"coalesce(sum({_DATASET_BYTES}), 0) FROM simulations "
        "LEFT JOIN simulated ON simulated.simulation = simulations.id "
        "GROUP BY simulations.id ORDER BY used_at DESC, simulations.id DESC"
    )
    return [
        StoredSimulation(
            number=number,
            used_at=_number(used_at),
            description=str(description),
            n_datasets=n_datasets,
            n_bytes=int(n_bytes),
            context=_object(context),
        )
        for number, used_at, description, context, n_datasets, n_bytes in rows
    ]


def versions_of(evaluation: StoredEvaluation) -> dict[str, str]:
    """Library versions by distribution."""
    return _versions(evaluation.context.get("versions"))


def removable(store: Store, *, older_than: float | None) -> list[Removal]:
    """What was made with other library versions than this environment has, or not used for so many days."""
    rows = store.connection.execute(
        "SELECT estimators.id, estimators.used_at, evaluations.context, models.packages, "
        f"count(fits.id), coalesce(sum({_FIT_BYTES}), 0) FROM estimators "
        "JOIN evaluations ON evaluations.id = estimators.evaluation JOIN models ON models.id = estimators.model "
        "LEFT JOIN fits ON fits.estimator = estimators.id GROUP BY estimators.id"
    ).fetchall()
    oldest = -inf if older_than is None else time.time() - older_than * _DAY
    found: dict[str, Removal] = {}
    for number, used_at, context_text, packages, n_fits, n_bytes in rows:
        reason = _reason(_object(context_text), _object(packages), _number(used_at), oldest, older_than)
        if reason:
            removal = found.setdefault(reason, Removal(reason=reason))
            removal.estimators.append(number)
            removal.n_fits += n_fits
            removal.n_bytes += int(n_bytes)
    for simulation in stored_simulations(store):
        reason = _reason(simulation.context, {}, simulation.used_at, oldest, older_than)
        if reason:
            removal = found.setdefault(reason, Removal(reason=reason))
            removal.simulations.append(simulation.number)
            removal.n_datasets += simulation.n_datasets
            removal.n_bytes += simulation.n_bytes
    return list(found.values())


def _reason(
    context: Mapping[str, Any], packages: Mapping[str, Any], used_at: float, oldest: float, older_than: float | None
) -> str:
    """Why something can go; empty where it cannot."""
    told = (_versions(context.get("versions")), _versions(packages))
    others = list(dict.fromkeys(other for versions in told for other in _other_versions(versions)))
    if context.get("format", KEYS) != KEYS:
        return "made by another version of skcompare"
    if others:
        return f"made with {', '.join(others)}"
    return f"not used for {older_than:g} days" if used_at < oldest else ""


def remove(store: Store, removals: list[Removal], *, older_than: float | None) -> None:
    """Delete fits, what then refers to nothing and simulations, and give the space back."""
    with store.transaction(durable=True) as db:
        for removal in removals:
            for table, column in (("fits", "estimator"), ("estimators", "id")):
                db.executemany(f"DELETE FROM {table} WHERE {column} = ?", [(n,) for n in removal.estimators])
            for number in removal.simulations:  # their tables are there where a simulation is
                for table, column in (("simulated", "simulation"), ("readings", "simulation"), ("simulations", "id")):
                    db.execute(f"DELETE FROM {table} WHERE {column} = ?", (number,))
        db.execute("DELETE FROM evaluations WHERE id NOT IN (SELECT evaluation FROM estimators)")
        db.execute("DELETE FROM models WHERE id NOT IN (SELECT model FROM estimators)")
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


def _number(value: Any) -> float:
    return float(value) if isinstance(value, (int, float)) else nan


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


_LOST = sha256(b"lost").digest()  # of the evaluation and the model where only their estimator was found
_COUNTED = ("fits", "simulated", "readings")


@dataclass(frozen=True, kw_only=True)
class Repair:
    """What a repair did: `old` is where the damaged file is now, None for a sound one, which stays as it is."""

    n_fits: int
    n_datasets: int
    old: str | None


def repair(path: str | os.PathLike[str]) -> Repair:
    """Put a sound store in the place of a damaged one, which is kept beside it.

    Raises
    ------
    ValueError
        If it cannot be read or nothing in it is ours.
    """
    name = str(Path(check_path(path, must_exist=True)).resolve())
    with named_errors(path):
        handle, new = tempfile.mkstemp(prefix=f"{Path(name).name}.", dir=Path(name).parent)
        os.close(handle)
        try:
            with closing(Store.open(new)) as store, Pages(name) as pages:
                _Salvage(store).take(pages)
                n_fits, n_datasets, n_readings = _counts(store)
            if not n_fits + n_datasets and not is_header_of_ours(Path(name).read_bytes()[:100]):
                raise not_ours("it has no row of a store")
            old = None
            if not _is_sound(name, (n_fits, n_datasets, n_readings)):
                shutil.copymode(name, new)
                old = _put_aside(name)
                Path(new).replace(name)
                _sync_folder(Path(name).parent)
        finally:
            Path(new).unlink(missing_ok=True)
    return Repair(n_fits=n_fits, n_datasets=n_datasets, old=old)


def _counts(store: Store) -> tuple[int, ...]:
    add_simulations(store.connection)
    return tuple(store.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in _COUNTED)


def _is_sound(name: str, found: tuple[int, ...]) -> bool:
    """Whether a file can be used as it is, and every row of it was found to be right."""
    try:
        with closing(Store.read(name)) as store:
            if store.connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
                return False
            tables = {row[0] for row in store.connection.execute("SELECT name FROM sqlite_master")}
            rows = (
                store.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] if table in tables else 0
                for table in _COUNTED
            )
            return tuple(rows) == found
    except (ValueError, *STORE_ERRORS):
        return False


def _put_aside(name: str) -> str:
    """Rename a file and its log to names that are free; gives the first."""
    old = next(f"{name}.damaged{n or ''}" for n in count() if not os.path.lexists(f"{name}.damaged{n or ''}"))
    Path(name).rename(old)
    for end in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            Path(f"{name}{end}").rename(f"{old}{end}")
    return old


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # where folders cannot be opened
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class _Salvage:
    """Rows of a damaged file, verified and put into a new store."""

    def __init__(self, store: Store) -> None:
        self._db = store.connection
        self._texts: dict[bytes, tuple[Any, ...]] = {}  # evaluations and simulations, which are found by their text
        self._models: dict[int, tuple[Any, ...]] = {}
        self._evaluations: dict[int, bytes] = {}
        self._estimators: dict[tuple[int, bytes], tuple[Any, ...]] = {}
        self._digests: defaultdict[int, set[bytes]] = defaultdict(set)  # of estimators or simulations, by number
        self._numbers: dict[tuple[str, bytes], int] = {}  # in the new store

    def take(self, pages: Pages) -> None:
        """Twice through the file: what rows refer to, then the rows."""
        add_simulations(self._db)
        seeds = []
        for row in pages.rows():
            if len(row.values) == 3 and row.number is not None:
                seeds.append(row.values)
            with suppress(TypeError, ValueError, AttributeError):
                self._note(row)
        self._db.execute("BEGIN IMMEDIATE")
        for values in seeds:
            self._put("INSERT OR REPLACE INTO seeds VALUES (?, ?, ?)", values)
        for row in pages.rows():
            # a number may have any type here, and a text any length
            with suppress(DamagedError, TypeError, ValueError, AttributeError, sqlite3.DataError):
                self._row(row)
        self._db.execute("COMMIT")

    def _put(self, statement: str, values: tuple[Any, ...]) -> None:
        with suppress(sqlite3.DataError, sqlite3.IntegrityError, OverflowError):
            self._db.execute(statement, values)

    def _note(self, row: Row) -> None:
        number, values = row
        if number is None:  # an index of digests
            if len(values) == 2 and type(values[0]) is bytes and type(values[1]) is int:
                self._digests[values[1]].add(values[0])
            return
        if len(values) not in (6, 7) or type(values[1]) is not bytes or len(values[1]) != 32:
            return
        self._digests[number].add(values[1])
        text = values[2 if len(values) == 6 else 4]
        if sha256(text.encode()).digest() == values[1]:
            self._texts[values[1]] = values
            self._evaluations[number] = values[1]
        elif len(values) == 6:
            self._models[number] = values
        else:
            self._estimators[number, values[1]] = values

    def _row(self, row: Row) -> None:
        values = row.values
        if row.number is None:
            return
        if len(values) == 14:
            self._fit(values)
        elif len(values) == 7 and type(values[5]) is bytes:
            self._simulated(values)

    def _fit(self, values: tuple[Any, ...]) -> None:
        _, estimator, split, seed, *times, scored, arrays, encoded, content, checksum, made = values
        numbers = [time if time is None else float(time) for time in times]
        for digest in self._digests[estimator]:
            with suppress(DamagedError):
                from_columns(numbers, scored, arrays, encoded, content, checksum, FitKey(split, seed, digest).text)
                row = (self._estimator(estimator, digest), split, seed, *numbers, *values[8:13], float(made))
                self._db.execute(
                    "INSERT INTO fits (estimator, split, seed, fit_time, predict_time, score_time, model_size, scored, "
                    "arrays, encoded, content, checksum, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
                    "ON CONFLICT (estimator, split, seed) DO UPDATE SET (fit_time, predict_time, score_time, "
                    "model_size, scored, arrays, encoded, content, checksum, created_at) = (excluded.fit_time, "
                    "excluded.predict_time, excluded.score_time, excluded.model_size, excluded.scored, "
                    "excluded.arrays, excluded.encoded, excluded.content, excluded.checksum, excluded.created_at) "
                    "WHERE excluded.created_at > created_at",  # a fit with more predictions replaces one with fewer
                    row,
                )
                return

    def _simulated(self, values: tuple[Any, ...]) -> None:
        simulation, number, again, *_, checksum, _ = values
        for digest in self._digests[simulation]:
            with suppress(DamagedError):
                key = DataSetKey(number, again)
                if type(values[3]) is bytes:
                    numbers_from_columns(values[4], checksum, key_text(digest, key, values[3]))
                else:
                    scores_from_columns(values[3], values[4], checksum, key_text(digest, key))
                table = "readings" if type(values[3]) is bytes else "simulated"
                marks = ", ".join("?" * len(values))
                row = (self._simulation(digest), *values[1:])
                self._db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", row)
                return

    def _insert(self, table: str, digest: bytes, columns: str, values: tuple[Any, ...]) -> int:
        """The number of a row in the new store, made where it is not there."""
        if (table, digest) not in self._numbers:
            marks = ", ".join("?" * (1 + len(values)))
            statement = f"INSERT INTO {table} (digest, {columns}) VALUES ({marks})"
            self._numbers[table, digest] = int(self._db.execute(statement, (digest, *values)).lastrowid or 0)
        return self._numbers[table, digest]

    def _estimator(self, number: int, digest: bytes) -> int:
        """The next run of it puts right what is not known here."""
        _, _, evaluation, model, *told = self._estimators.get((number, digest), (0, b"", 0, 0, "?", 0.0, 0.0))
        in_evaluation = self._evaluations.get(evaluation, _LOST)
        _, _, *of_evaluation = self._texts.get(in_evaluation, (0, b"", 0, None, "{}", 0.0, 0.0))
        columns = "n_samples, n_features, context, created_at, used_at"
        first = self._insert("evaluations", in_evaluation, columns, tuple(of_evaluation))
        _, of_model, *parts = self._models.get(model, (0, _LOST, "", "{}", "?", 0.0))
        second = self._insert("models", of_model, "identity, packages, description, created_at", tuple(parts))
        columns = "evaluation, model, name, created_at, used_at"
        return self._insert("estimators", digest, columns, (first, second, *told))

    def _simulation(self, digest: bytes) -> int:
        _, _, *told = self._texts.get(digest, (0, b"", "{}", "?", 0.0, 0.0))
        return self._insert("simulations", digest, "context, description, created_at, used_at", tuple(told))
