"""Simulated data sets in a store: their scores, and what was read of their predictions; nothing in it is executed."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare.evaluation.store.file import add_simulations, named_errors
from skcompare.evaluation.store.store import BufferedStore
from skcompare.evaluation.store.stored_fit import MAX_CONTENT, MAX_TEXT, DamagedError, checksum_of

Stored = TypeVar("Stored")
_OF_DESIGN = [field.name for field in fields(Design) if field.name not in ("n_splits", "n_runs", "class_counts")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedScores:
    """The scores of two models on one simulated data set.

    Attributes
    ----------
    metrics : tuple of str
        Names of the metrics.
    greater_is_better : tuple of bool
        Direction of each.
    design : Design
        How the data set was resampled.
    scores : ndarray of shape (2, n_splits, n_metrics)
        In the metrics' own units.
    ill_defined : tuple of (int, int)
        By metric on how many splits it was 0/0 for the first and for the second model.
    task : str
        The kind of problem.
    seed : int
        Of the splits, and of what procedures draw at random.
    """

    metrics: tuple[str, ...]
    greater_is_better: tuple[bool, ...]
    design: Design
    scores: NDArray[np.float64]
    ill_defined: tuple[tuple[int, int], ...]
    task: str
    seed: int


def scores_from_columns(header: Any, content: Any, checksum: Any, key: str) -> SimulatedScores:
    """The scores as they were written, or DamagedError."""
    if not (type(header) is str and type(content) is bytes and len(header) <= MAX_TEXT and len(content) <= MAX_CONTENT):
        raise DamagedError("its columns have other types or sizes")
    if checksum != checksum_of(content, key, header):
        raise DamagedError("its checksum does not fit")
    try:
        return _from_fields(json.loads(header), content)
    except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
        raise DamagedError(f"its header cannot be read ({type(error).__name__})") from error


def _from_fields(fields: Mapping[str, Any], content: bytes) -> SimulatedScores:
    """What is consistent in itself; who reads it knows which metrics and which design there must be."""
    named = {name: tuple(fields[name]) for name in ("metrics", "greater_is_better", "train_sizes", "test_sizes")}
    ill_defined = tuple((first, second) for first, second in fields["ill_defined"])
    n_metrics, n_splits = len(named["metrics"]), fields["n_repeats"] * fields["n_folds"]
    numbers = [fields[name] for name in ("n_samples", "n_repeats", "n_folds", "seed")]
    numbers += chain(named["train_sizes"], named["test_sizes"], *ill_defined)
    if not (
        all(type(n) is int and n >= 0 for n in numbers)
        and type(fields["test_fraction"]) is float
        and len(named["train_sizes"]) == len(named["test_sizes"]) == n_splits > 0
        and len(ill_defined) == len(named["greater_is_better"]) == n_metrics > 0
        and len(content) == 16 * n_splits * n_metrics
    ):
        raise DamagedError("its header contradicts itself or its content")
    return SimulatedScores(
        metrics=named["metrics"],
        greater_is_better=named["greater_is_better"],
        design=Design(**{name: named.get(name, fields[name]) for name in _OF_DESIGN}, n_splits=n_splits),
        scores=np.frombuffer(content, "<f8").astype(np.float64).reshape(2, n_splits, n_metrics),
        ill_defined=ill_defined,
        task=fields["task"],
        seed=fields["seed"],
    )


def numbers_from_columns(text: Any, checksum: Any, key: str) -> dict[str, float]:
    """Numbers by name as they were written, or DamagedError."""
    if type(text) is not str or len(text) > MAX_TEXT or checksum != checksum_of(b"", key, text):
        raise DamagedError("its checksum does not fit")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedError("its numbers cannot be read") from error
    if not isinstance(found, dict) or not all(isinstance(value, float) for value in found.values()):
        raise DamagedError("its numbers are no numbers")
    return {name: value if not math.isnan(value) else math.nan for name, value in found.items()}


class DataSetKey(NamedTuple):
    """Which data set, and which of the times that it was split."""

    number: int
    again: int


def key_text(simulation: bytes, key: DataSetKey, digest: bytes = b"") -> str:
    """What a checksum holds of the key that a row is stored under."""
    return f"{simulation.hex()} {key.number} {key.again} {digest.hex()}"


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

    _run, _kept, _rows = "simulation", "finished data sets", "simulated data sets"
    _lost, _again = "rows of simulated data sets", "simulated"

    def __init__(self, path: str | os.PathLike[str], *, digest: bytes, context: str, description: str) -> None:
        self._simulation = (digest, context, description)
        super().__init__(path)

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
        found = self._read("SELECT header, content, checksum FROM simulated", keys, b"", scores_from_columns)
        self._n_there = len(found)
        return found

    def read(self, digest: bytes, keys: Sequence[DataSetKey]) -> dict[DataSetKey, dict[str, float]]:
        """What was read of the predictions of data sets, numbers by name; errors and warnings as of `finished`."""
        return self._read("SELECT numbers, checksum FROM readings", keys, digest, numbers_from_columns)

    def save(self, key: DataSetKey, own: SimulatedScores, readings: Mapping[str, float], digest: bytes | None) -> None:
        """Store a data set, and what was read of it where that has a digest.

        Where the file cannot be written it is kept, and written at a later call or at the end.

        Warns
        -----
        UserWarning
            The first time that the file cannot be written.
        """
        fields = {x: getattr(own, x) for x in ("metrics", "greater_is_better", "ill_defined", "task", "seed")}
        header = json.dumps(fields | {name: getattr(own.design, name) for name in _OF_DESIGN})
        content, now = np.ascontiguousarray(own.scores, dtype="<f8").tobytes(), time.time()
        checksum = checksum_of(content, key_text(self._simulation[0], key), header)
        self._waiting.append(("simulated", (*key, header, content, checksum, now)))
        if digest is not None:
            numbers = json.dumps({name: float(value) for name, value in readings.items()})
            row = (*key, digest, numbers, checksum_of(b"", key_text(self._simulation[0], key, digest), numbers), now)
            self._waiting.append(("readings", row))
        self._write_if_due()

    def _register(self) -> None:
        add_simulations(self._store.connection)
        digest, context, description = self._simulation
        now = time.time()
        with self._store.transaction() as db:
            db.execute(
                "INSERT INTO simulations (digest, context, description, created_at, used_at) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at",
                (digest, context, description, now, now),
            )
            self._number = int(db.execute("SELECT id FROM simulations WHERE digest = ?", (digest,)).fetchone()[0])

    def _write(self, items: Sequence[tuple[str, tuple[Any, ...]]]) -> None:
        with self._store.transaction() as db:
            for table, row in items:
                marks = ", ".join("?" * (1 + len(row)))
                db.execute(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", (self._number, *row))

    def _bytes_of(self, item: tuple[str, tuple[Any, ...]]) -> int:
        return sum(len(value) for value in item[1] if isinstance(value, (str, bytes))) + 400

    def _read(
        self, select: str, keys: Sequence[DataSetKey], digest: bytes, from_columns: Callable[..., Stored]
    ) -> dict[DataSetKey, Stored]:
        """What is sound of the rows that are there; damage is also a value beyond SQLite's limit."""
        found, n_damaged = {}, 0
        where = "WHERE simulation = ? AND number = ? AND again = ?" + (" AND digest = ?" if digest else "")
        with named_errors(self._store.path):
            for key in keys:
                values = (self._number, *key, *([digest] if digest else []))
                try:
                    row = self._store.connection.execute(f"{select} {where}", values).fetchone()
                    if row is not None:
                        found[key] = from_columns(*row, key_text(self._simulation[0], key, digest))
                except (DamagedError, sqlite3.DataError):
                    n_damaged += 1
        self._tell_damaged(n_damaged)
        return found
