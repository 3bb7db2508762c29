"""Simulated data sets in a store: their scores, and what was read of their predictions; nothing is ever executed."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import time
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare.evaluation.store._file import BUSY_SECONDS, STORE_ERRORS, add_simulations, check_path, refusal
from skcompare.evaluation.store._store import Store
from skcompare.evaluation.store._stored_fit import MAX_CONTENT, MAX_TEXT, DamagedError

RETRY_SECONDS = 1.0
_HEX = frozenset("0123456789abcdef")


class DataSetKey(NamedTuple):
    """Which data set, and which of the times that it was split."""

    number: int
    again: int


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


class SimulationStore:
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

    def __init__(self, path: str | os.PathLike[str], *, digest: bytes, context: str, description: str) -> None:
        check_path(path)
        self._store = Store.open(path)
        self._simulation = (digest, context, description)
        self._waiting: list[tuple[str, tuple[Any, ...]]] = []
        self._failed_at: float | None = None
        self._warned = False
        self._n_damaged = 0
        try:
            add_simulations(self._store.connection)
            self._number = self._register()
        except BaseException as error:
            self._store.close()
            if isinstance(error, STORE_ERRORS):
                raise refusal(path, error) from error
            raise

    def __enter__(self) -> SimulationStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

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
                    found[key] = _numbers(row[0], row[1], self._text(key, digest))
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
        header, content = _header(scores), np.ascontiguousarray(scores.scores, dtype="<f8").tobytes()
        now = time.time()
        checksum = _checksum(self._text(key), header, content)
        self._waiting.append(("simulated", (*key, header, content, checksum, now)))
        if digest is not None:
            numbers = json.dumps({name: float(value) for name, value in readings.items()})
            row = (*key, digest, numbers, _checksum(self._text(key, digest), numbers, b""), now)
            self._waiting.append(("readings", row))
        if self._failed_at is not None and time.monotonic() - self._failed_at < RETRY_SECONDS:
            return
        try:
            self._flush()
        except STORE_ERRORS as error:
            self._failed_at = time.monotonic()
            self._store.patience(0.1)
            self._warn_once(error)

    def close(self) -> None:
        """Write what could not be written before, if it can be now, and close the file.

        Warns
        -----
        UserWarning
            If data sets are not in the file in the end.
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
                f"store: {lost} rows of simulated data sets could not be written to {self._store.path!r} ({reason}); "
                f"they will be simulated again",
                UserWarning,
                stacklevel=2,
            )

    def _register(self) -> int:
        digest, context, description = self._simulation
        now = time.time()
        with self._store.transaction() as db:
            db.execute(
                "INSERT INTO simulations (digest, context, description, created_at, used_at) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (digest) DO UPDATE SET used_at = excluded.used_at",
                (digest, context, description, now, now),
            )
            return int(db.execute("SELECT id FROM simulations WHERE digest = ?", (digest,)).fetchone()[0])

    def _flush(self) -> None:
        if not self._waiting:
            return
        try:
            self._write()
        except sqlite3.IntegrityError:  # another process has removed the simulation
            self._number = self._register()
            self._write()
        self._waiting.clear()
        self._failed_at = None

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
            header, content, checksum = row
            return _scores(header, content, checksum, self._text(key))
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

    def _warn_once(self, error: Exception) -> None:
        if self._warned:
            return
        self._warned = True
        warnings.warn(
            f"store: cannot write {self._store.path!r} ({error}); the simulation goes on, and finished data sets are "
            f"kept in memory until it can be written",
            UserWarning,
            stacklevel=3,
        )


def _header(found: SimulatedScores) -> str:
    design = found.design
    return json.dumps(
        {
            "metrics": list(found.metrics),
            "greater_is_better": list(found.greater_is_better),
            "ill_defined": [list(counts) for counts in found.ill_defined],
            "task": found.task,
            "seed": found.seed,
            "n_samples": design.n_samples,
            "n_repeats": design.n_repeats,
            "n_folds": design.n_folds,
            "train_sizes": list(design.train_sizes),
            "test_sizes": list(design.test_sizes),
            "test_fraction": design.test_fraction,
            "partition": design.partition,
            "split_hash": design.split_hash,
        }
    )


def _checksum(key: str, text: str, content: bytes) -> bytes:
    digest = blake2b(content, digest_size=16)
    digest.update(repr((key, text)).encode())
    return digest.digest()


def _scores(header: Any, content: Any, checksum: Any, key: str) -> SimulatedScores:
    """The scores as they were written, or DamagedError."""
    if (
        not (type(header) is str and type(content) is bytes)
        or max(len(header) / MAX_TEXT, len(content) / MAX_CONTENT) > 1
    ):
        raise DamagedError("its columns have other types or sizes")
    if checksum != _checksum(key, header, content):
        raise DamagedError("its checksum does not fit")
    try:
        fields = json.loads(header)
        return _from_fields(fields, content)
    except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
        raise DamagedError(f"its header cannot be read ({type(error).__name__})") from error


def _from_fields(fields: Mapping[str, Any], content: bytes) -> SimulatedScores:
    metrics, directions, ill_defined = (fields[name] for name in ("metrics", "greater_is_better", "ill_defined"))
    sizes = [fields["train_sizes"], fields["test_sizes"]]
    counts = [fields[name] for name in ("n_samples", "n_repeats", "n_folds", "seed")]
    n_splits = counts[1] * counts[2]
    sound = (
        all(type(name) is str and name for name in metrics)
        and len({*metrics}) == len(metrics) == len(directions) == len(ill_defined) > 0
        and all(type(flag) is bool for flag in (*directions, fields["partition"]))
        and all(len(pair) == 2 and all(_is_count(n, n_splits) for n in pair) for pair in ill_defined)
        and all(_is_count(n, 2**32) for n in counts)
        and all(len(of_part) == n_splits > 0 and all(_is_count(n, counts[0]) for n in of_part) for of_part in sizes)
        and type(fields["test_fraction"]) is float
        and 0 < fields["test_fraction"] < 1
        and fields["task"] in ("binary", "multiclass", "regression", "other")
        and type(fields["split_hash"]) is str
        and set(fields["split_hash"]) <= _HEX
        and len(content) == 16 * n_splits * len(metrics)
    )
    if not sound:
        raise DamagedError("its header contradicts itself or its content")
    return SimulatedScores(
        metrics=tuple(metrics),
        greater_is_better=tuple(directions),
        design=Design(
            n_samples=counts[0],
            n_repeats=counts[1],
            n_folds=counts[2],
            n_splits=n_splits,
            train_sizes=tuple(sizes[0]),
            test_sizes=tuple(sizes[1]),
            test_fraction=fields["test_fraction"],
            partition=fields["partition"],
            split_hash=fields["split_hash"],
        ),
        scores=np.frombuffer(content, "<f8").astype(np.float64).reshape(2, n_splits, len(metrics)),
        ill_defined=tuple((first, second) for first, second in ill_defined),
        task=fields["task"],
        seed=counts[3],
    )


def _is_count(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _numbers(text: Any, checksum: Any, key: str) -> dict[str, float]:
    """Numbers by name as they were written, or DamagedError."""
    if type(text) is not str or len(text) > MAX_TEXT or checksum != _checksum(key, text, b""):
        raise DamagedError("its checksum does not fit")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedError("its numbers cannot be read") from error
    if not isinstance(found, dict) or not all(isinstance(value, float) for value in found.values()):
        raise DamagedError("its numbers are no numbers")
    return {name: value if not math.isnan(value) else math.nan for name, value in found.items()}
