"""One finished fit as numbers, JSON and plain bytes, and back; nothing in it is ever executed."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from hashlib import blake2b
from math import prod
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.record import Frozen
from skcompare.evaluation.chunks import FoldOutcome

MAX_CONTENT = 1 << 28  # bytes of the arrays of one fit
MAX_TEXT = 1 << 20
NEWER_COSTS = ("peak_memory", "complexity")  # which stand beside the scores, since the table has no column for them
_TIMES = ("fit_time", "predict_time", "score_time", "model_size")
_PLAIN = "biufU"
_DTYPE = re.compile(r"[<>|][biufU]\d{1,8}")


class NotStorableError(ValueError):
    """An outcome that plain bytes cannot hold exactly."""


class DamagedError(ValueError):
    """A stored fit that contradicts itself or the evaluation that asks for it."""


class StoredFit(Frozen):
    """The columns of a fit.

    Attributes
    ----------
    times : tuple of float
        Seconds of fit, prediction and score, and the size of the model in bytes; nan where not measured.
    scored : str
        JSON: null, a number, or an object of numbers; where a newer cost was measured a list of that and the costs, and
        where there are notes on the fit a list of that, the costs and a list of the notes.
    arrays : str
        JSON: name, dtype, shape and whether it holds objects, of every array.
    encoded : bool
        Whether the predictions are positions in the sorted classes.
    content : bytes
        The arrays, one after the other.
    """

    times: tuple[float, ...]
    scored: str
    arrays: str
    encoded: bool
    content: bytes

    def checksum(self, key: str) -> bytes:
        """Of all columns and the key that they are stored under."""
        return checksum_of(self.content, self.times, self.scored, self.arrays, self.encoded, key)


def checksum_of(content: bytes, *columns: Any) -> bytes:
    """What tells a row from one that was changed or stored under another key."""
    digest = blake2b(content, digest_size=16)
    digest.update(repr(columns).encode())
    return digest.digest()


def from_columns(
    times: Sequence[Any], scored: Any, arrays: Any, encoded: Any, content: Any, checksum: Any, key: str
) -> StoredFit:
    """The columns as they were written.

    Raises
    ------
    DamagedError
        If they were not written so.
    """
    numbers = tuple(float("nan") if value is None else value for value in times)
    typed = [*((value, float) for value in numbers), (scored, str), (arrays, str), (encoded, int), (content, bytes)]
    if not all(type(value) is kind for value, kind in typed):
        raise DamagedError("its columns have other types")
    fit = StoredFit(times=numbers, scored=scored, arrays=arrays, encoded=encoded == 1, content=content)
    if fit.checksum(key) != checksum:
        raise DamagedError("its checksum does not fit")
    return fit


def to_stored(outcome: FoldOutcome) -> StoredFit:
    """The columns of an outcome.

    Raises
    ------
    NotStorableError
        If it holds anything but numbers, booleans and strings.
    """
    headers, parts = [], []
    for name, given in outcome.responses.items():
        array = _plain(given, name)
        headers.append([name, array.dtype.str, list(array.shape), given.dtype.kind == "O"])
        parts.append(array.tobytes())
    content, scores = b"".join(parts), _plain_scores(outcome.scored)
    costs = [float(getattr(outcome, name)) for name in NEWER_COSTS]
    if outcome.notes or not np.isnan(costs).all():  # which a fit seldom has
        scores = [scores, *costs, *[outcome.notes] * bool(outcome.notes)]
    if len(content) > MAX_CONTENT:
        raise NotStorableError(f"predictions of {len(content)} bytes, more than {MAX_CONTENT}")
    return StoredFit(
        times=tuple(float(getattr(outcome, name)) for name in _TIMES),
        scored=json.dumps(scores),
        arrays=json.dumps(headers),
        encoded=bool(outcome.encoded),
        content=content,
    )


def claimed_bytes(arrays: str, n_test: int, responses: Collection[str]) -> int:
    """The size of the content that the headers describe, checked before it is read.

    Raises
    ------
    DamagedError
        If they describe no arrays of one row per test sample under the names `responses`.
    """
    return sum(prod(shape) * dtype.itemsize for _, dtype, shape, _ in _headers(arrays, n_test, responses))


def from_stored(fit: StoredFit, *, n_test: int, responses: Collection[str], n_classes: int | None) -> FoldOutcome:
    """The outcome that `to_stored` was given.

    Parameters
    ----------
    fit : StoredFit
        The columns.
    n_test : int
        Size of the test set.
    responses : collection of str
        Methods whose values may be there.
    n_classes : int or None
        Number of classes that encoded predictions point into.

    Raises
    ------
    DamagedError
        If the columns contradict each other or these arguments.
    """
    scored, costs, notes = _read_scores(fit.scored)
    measured: dict[str, Any] = dict(zip((*_TIMES, *NEWER_COSTS), (*fit.times, *costs), strict=True))
    outcome = FoldOutcome(**measured, scored=scored, encoded=fit.encoded, notes=notes)
    start = 0
    for name, dtype, shape, is_object in _headers(fit.arrays, n_test, responses):
        size = prod(shape) * dtype.itemsize
        if start + size > len(fit.content):
            raise DamagedError("its arrays are longer than its content")
        array = np.ndarray(shape, dtype, fit.content, start).copy()
        _check_values(array)
        outcome.responses[name] = array.astype(object) if is_object else array
        start += size
    if start != len(fit.content):
        raise DamagedError("its arrays are shorter than its content")
    if fit.encoded:
        codes = outcome.responses["predict"]
        if codes.dtype.kind != "u" or n_classes is None or codes.ndim != 1 or codes.max(initial=0) >= n_classes:
            raise DamagedError("its predictions point to classes that do not exist")
    return outcome


def _plain(array: NDArray[Any], name: str) -> NDArray[Any]:
    """The array, or texts of fixed width in place of an array of str."""
    if array.dtype.kind in _PLAIN and array.dtype.itemsize:
        return array
    if array.dtype.kind == "O" and array.size and all(type(value) is str for value in array.flat):
        texts = array.astype(np.str_)
        if texts.dtype.itemsize and (texts == array).all():
            return texts
    raise NotStorableError(f"{name} of dtype {array.dtype}")


def _plain_scores(scored: Any) -> Any:
    if scored is None:
        return None
    if isinstance(scored, dict):
        if not all(isinstance(name, str) for name in scored):
            raise NotStorableError("scores whose names are no strings")
        return {name: _plain_number(score) for name, score in scored.items()}
    return _plain_number(scored)


def _plain_number(value: Any) -> bool | int | float:
    if hasattr(value, "item") and np.size(value) == 1 and not np.ma.is_masked(value):
        value = value.item()
    if isinstance(value, bool):
        return value
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        number = float(value)
        if number == value or number != number:
            return number
    raise NotStorableError(f"a score that is a {type(value).__name__}")


def _headers(arrays: str, n_test: int, responses: Collection[str]) -> list[tuple[str, Any, tuple[int, ...], bool]]:
    found = []
    try:
        for name, dtype_text, shape, is_object in json.loads(arrays):
            dtype = np.dtype(dtype_text if _DTYPE.fullmatch(dtype_text) else "O")
            integers = all(type(n) is int and 0 <= n <= MAX_CONTENT for n in shape)
            if dtype.kind not in _PLAIN or not dtype.itemsize or name not in responses or not integers:
                raise DamagedError("its headers describe no predictions")
            if not 1 <= len(shape) <= 4 or shape[0] != n_test:
                raise DamagedError("its arrays do not have one row per test sample")
            found.append((str(name), dtype, tuple(shape), bool(is_object)))
    except (TypeError, ValueError, RecursionError, KeyError) as error:
        raise DamagedError(f"its headers cannot be read ({type(error).__name__})") from error
    if len({name for name, *_ in found}) != len(found) or "predict" not in {name for name, *_ in found}:
        raise DamagedError("it has no predictions, or some twice")
    return found


def _read_scores(text: str) -> tuple[Any, list[float], tuple[tuple[str, str], ...]]:
    """What a scorer gave, the newer costs, and the notes on the fit."""
    try:
        scored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedError("its scores cannot be read") from error
    n_costs, costs, notes = len(NEWER_COSTS), [], list[Any]()
    if isinstance(scored, list) and len(scored) == 2 + n_costs and isinstance(scored[-1], list):
        notes = scored.pop()
    if isinstance(scored, list) and len(scored) == 1 + n_costs:
        scored, *costs = scored
    values = scored.values() if isinstance(scored, dict) else [] if scored is None else [scored]
    if not all(isinstance(value, (bool, int, float)) for value in (*values, *costs)):
        raise DamagedError("its scores are no numbers")
    if not all(isinstance(note, list) and list(map(type, note)) == [str, str] for note in notes):
        raise DamagedError("its notes are no pairs of texts")
    return scored, costs or [float("nan")] * n_costs, tuple((kind, what) for kind, what in notes)


def _check_values(array: NDArray[Any]) -> None:
    """Bytes that are no boolean or no character would break what reads them later."""
    if array.dtype.kind == "b" and array.view(np.uint8).max(initial=0) > 1:
        raise DamagedError("it holds booleans that are neither true nor false")
    if array.dtype.kind == "U":
        codes = np.frombuffer(array.tobytes(), array.dtype.byteorder.replace("=", "").replace("|", "") + "u4")
        if codes.max(initial=0) > 0x10FFFF:
            raise DamagedError("it holds characters that do not exist")
