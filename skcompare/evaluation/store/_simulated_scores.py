"""The scores of a simulated data set, and their form in a store; nothing in it is ever executed."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare.evaluation.store._stored_fit import MAX_CONTENT, MAX_TEXT, DamagedError

_HEX = frozenset("0123456789abcdef")
_OF_DESIGN = [field.name for field in fields(Design) if field.name != "n_splits"]


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


def to_columns(found: SimulatedScores) -> tuple[str, bytes]:
    """A header in JSON, and the scores."""
    header = {name: getattr(found, name) for name in ("metrics", "greater_is_better", "ill_defined", "task", "seed")}
    header |= {name: getattr(found.design, name) for name in _OF_DESIGN}
    return json.dumps(header), np.ascontiguousarray(found.scores, dtype="<f8").tobytes()


def checksum_of(key: str, text: str, content: bytes = b"") -> bytes:
    """What tells a row from one that was changed or stored under another key."""
    digest = blake2b(content, digest_size=16)
    digest.update(repr((key, text)).encode())
    return digest.digest()


def scores_from_columns(header: Any, content: Any, checksum: Any, key: str) -> SimulatedScores:
    """The scores as they were written, or DamagedError."""
    if not (type(header) is str and type(content) is bytes and len(header) <= MAX_TEXT and len(content) <= MAX_CONTENT):
        raise DamagedError("its columns have other types or sizes")
    if checksum != checksum_of(key, header, content):
        raise DamagedError("its checksum does not fit")
    try:
        return _from_fields(json.loads(header), content)
    except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
        raise DamagedError(f"its header cannot be read ({type(error).__name__})") from error


def _from_fields(fields: Mapping[str, Any], content: bytes) -> SimulatedScores:
    metrics, directions, ill_defined = (fields[name] for name in ("metrics", "greater_is_better", "ill_defined"))
    sizes = {name: tuple(fields[name]) for name in ("train_sizes", "test_sizes")}
    counts = [fields[name] for name in ("n_samples", "n_repeats", "n_folds", "seed")]
    n_splits = counts[1] * counts[2]
    sound = (
        all(type(name) is str and name for name in metrics)
        and len({*metrics}) == len(metrics) == len(directions) == len(ill_defined) > 0
        and all(type(flag) is bool for flag in (*directions, fields["partition"]))
        and all(len(pair) == 2 and all(_is_count(n, n_splits) for n in pair) for pair in ill_defined)
        and all(_is_count(n, 2**32) for n in counts)
        and all(len(part) == n_splits > 0 and all(_is_count(n, counts[0]) for n in part) for part in sizes.values())
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
        design=Design(**{name: fields[name] for name in _OF_DESIGN} | sizes, n_splits=n_splits),
        scores=np.frombuffer(content, "<f8").astype(np.float64).reshape(2, n_splits, len(metrics)),
        ill_defined=tuple((first, second) for first, second in ill_defined),
        task=fields["task"],
        seed=counts[3],
    )


def _is_count(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def numbers_from_columns(text: Any, checksum: Any, key: str) -> dict[str, float]:
    """Numbers by name as they were written, or DamagedError."""
    if type(text) is not str or len(text) > MAX_TEXT or checksum != checksum_of(key, text):
        raise DamagedError("its checksum does not fit")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamagedError("its numbers cannot be read") from error
    if not isinstance(found, dict) or not all(isinstance(value, float) for value in found.values()):
        raise DamagedError("its numbers are no numbers")
    return {name: value if not math.isnan(value) else math.nan for name, value in found.items()}
