"""Simulated data sets in a store: their scores, and what was read of their predictions."""

from __future__ import annotations

import json
import os
import sqlite3
import time
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skcompare.evaluation.store._buffered import BufferedStore
from skcompare.evaluation.store._file import STORE_ERRORS, add_simulations, check_path, refusal
from skcompare.evaluation.store._simulated_scores import (
    SimulatedScores,
    checksum_of,
    numbers_from_columns,
    scores_from_columns,
    to_columns,
)
from skcompare.evaluation.store._store import Store
from skcompare.evaluation.store._stored_fit import DamagedError


class DataSetKey(NamedTuple):
    """Which data set, and which of the times that it was split."""

    number: int
    again: int


class SimulationStore(BufferedStore):
    """The finished data sets of one simulation in a file that the calling process alone writes; a context manager.

    Parameters
    ----------
    path : path-like
        The file, made where there is none.
    digest : bytes
        Of all that the scores depend on.
    context : str
        The same in JSON, for a person and for `skcompare store gc`.
    description : str
        The simulation in words.

    Raises
    ------
    ValueError
        If the file cannot be used.
    """

    _run, _kept = "simulation", "finished data sets"
    _lost, _again = "rows of simulated data sets", "simulated"

    def __init__(self, path: str | os.PathLike[str], *, digest: bytes, context: str, description: str) -> None:
        check_path(path)
        super().__init__(Store.open(path))
        self._simulation = (digest, context, description)
        self._n_damaged = 0
        try:
            add_simulations(self._store.connection)
            self._register()
        except BaseException as error:
            self._store.close()
            if isinstance(error, STORE_ERRORS):
                raise refusal(path, error) from error
            raise

    def finished(self, keys: Sequence[DataSetKey]) -> dict[DataSetKey, SimulatedScores]:
        """The data sets that are there.

        Raises
        ------
        ValueError
            If the file is damaged as a whole.

        Warns
        -----
        UserWarning
            If single data sets in it are damaged; they are left out.
        """
        found = {}
        for key in keys:
            row = self._row("SELECT header, content, checksum FROM simulated", key)
            scores = None if row is None else self._read(key, row)
            if scores is not None:
                found[key] = scores
        self._tell_damage()
        return found

    def read(self, digest: bytes, keys: Sequence[DataSetKey]) -> dict[DataSetKey, dict[str, float]]:
        """What was read of the predictions of data sets, numbers by name; errors and warnings as of `finished`."""
        found = {}
        for key in keys:
            row = self._row("SELECT numbers, checksum FROM readings", key, digest)
            try:
                if row is not None:
                    found[key] = numbers_from_columns(row[0], row[1], self._text(key, digest))
            except DamagedError:
                self._n_damaged += 1
        self._tell_damage()
        return found

    def save(
        self, key: DataSetKey, scores: SimulatedScores, readings: Mapping[str, float], digest: bytes | None
    ) -> None:
        """Store a data set, and what was read of it where that has a digest.

        Where the file cannot be written it is kept, and written at a later call or at the end.

        Warns
        -----
        UserWarning
            The first time that the file cannot be written.
        """
        header, content = to_columns(scores)
        now = time.time()
        checksum = checksum_of(self._text(key), header, content)
        self._waiting.append(("simulated", (*key, header, content, checksum, now)))
        if digest is not None:
            numbers = json.dumps({name: float(value) for name, value in readings.items()})
            row = (*key, digest, numbers, checksum_of(self._text(key, digest), numbers), now)
            self._waiting.append(("readings", row))
        self._write_if_due()

    def _register(self) -> None:
        digest, context, description = self._simulation
        now = time.time()
        with self._store.transaction() as db:
            db.execute(
                "INSERT INTO simulations (digest, context, description, created_at, used_at) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at",
                (digest, context, description, now, now),
            )
            self._number = int(db.execute("SELECT id FROM simulations WHERE digest = ?", (digest,)).fetchone()[0])

    def _write(self) -> None:
        with self._store.transaction() as db:
            for table, row in self._waiting:
                marks = ", ".join("?" * (1 + len(row)))
                db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (self._number, *row))

    def _row(self, select: str, key: DataSetKey, digest: bytes | None = None) -> tuple[Any, ...] | None:
        """One row, None where there is none; a value beyond SQLite's limit is damage."""
        where = "WHERE simulation = ? AND number = ? AND again = ?" + ("" if digest is None else " AND digest = ?")
        values = (self._number, *key, *(() if digest is None else (digest,)))
        try:
            found: tuple[Any, ...] | None = self._store.connection.execute(f"{select} {where}", values).fetchone()
        except sqlite3.DataError:
            self._n_damaged += 1
            return None
        except STORE_ERRORS as error:
            raise refusal(self._store.path, error) from error
        return found

    def _read(self, key: DataSetKey, row: tuple[Any, ...]) -> SimulatedScores | None:
        try:
            return scores_from_columns(row[0], row[1], row[2], self._text(key))
        except DamagedError:
            self._n_damaged += 1
            return None

    def _text(self, key: DataSetKey, digest: bytes = b"") -> str:
        """What a checksum holds of the key that a row is stored under."""
        return f"{self._simulation[0].hex()} {key.number} {key.again} {digest.hex()}"

    def _tell_damage(self) -> None:
        damaged, self._n_damaged = self._n_damaged, 0
        if damaged:
            warnings.warn(
                f"store: {damaged} simulated data sets in {self._store.path!r} are damaged and are simulated again",
                UserWarning,
                stacklevel=3,
            )
