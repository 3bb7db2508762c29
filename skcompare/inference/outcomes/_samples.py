"""Checks of per-sample input: right or wrong, labels, pairing, the positive label, the random generator."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skcompare._core.validation import check_scores, refuse_masked

BoolArray = NDArray[np.bool_]
IntArray = NDArray[np.int64]
AnyArray = NDArray[Any]

_NUMBERS = "biuf"


def check_correct(values: ArrayLike, name: str, *, ndim: int = 1) -> BoolArray:
    """Return booleans, or numbers that are all 0 or 1, as a boolean array, or raise ValueError."""
    array = _as_array(values, name)
    if array.dtype == np.bool_ and array.ndim == ndim and array.size:
        return array
    numbers = check_scores(array, name, ndim=(ndim,))
    wrong = np.argwhere((numbers != 0) & (numbers != 1))
    if len(wrong):
        where = tuple(int(i) for i in wrong[0])
        raise ValueError(
            f"{name} must hold booleans, True where the prediction is correct (or 1 and 0); "
            f"got {numbers[where]:g} at position {where[0] if ndim == 1 else where}"
        )
    return numbers.astype(np.bool_)


def check_labels(values: ArrayLike, name: str, *, dates: bool = False, rows: bool = False) -> AnyArray:
    """Return one-dimensional, non-empty labels or predictions without missing values, or raise ValueError.

    With `rows` also numbers of two dimensions, a row per sample.
    """
    array = _as_array(values, name)
    if dates and array.dtype.kind in "mM":
        array = array.astype(object)
    if rows and array.ndim == 2 and array.size and array.dtype.kind in _NUMBERS:
        return check_scores(array, name, ndim=(2,))
    if array.ndim != 1 or array.size == 0:
        raise ValueError(f"{name} must have 1 dimension and at least one value; got shape {array.shape}")
    if array.dtype.kind in "SU":
        return array
    if array.dtype.kind == "O":
        missing = np.array([_is_missing(x) for x in array.tolist()])
    elif array.dtype.kind in _NUMBERS:
        missing = ~np.isfinite(array)
    else:
        raise ValueError(f"{name} must hold labels: numbers, booleans or strings; got dtype {array.dtype}")
    if missing.any():
        first = int(missing.argmax())
        raise ValueError(f"{name} must not have missing or infinite values; got {array[first]} at position {first}")
    return array


def _is_missing(value: Any) -> bool:
    """None, nan, and what is not even comparable with itself."""
    same = value == value
    return value is None or not isinstance(same, bool | np.bool_) or not same


def _as_array(values: ArrayLike, name: str) -> AnyArray:
    refuse_masked(values, name)
    try:
        return np.asarray(values)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must be an array; got {values!r:.80}") from error


def check_one_length(arrays: Mapping[str, AnyArray]) -> None:
    """Raise ValueError unless all arrays have one length."""
    lengths = [len(array) for array in arrays.values()]
    if len(set(lengths)) > 1:
        raise ValueError(f"{_joined(arrays)} must be paired, of one length; got {_joined(lengths)}")


def encode(arrays: Mapping[str, AnyArray]) -> tuple[list[Any], list[NDArray[Any]]]:
    """The sorted distinct labels of all arrays, and each array as positions in that list."""
    kinds = {"number" if array.dtype.kind in _NUMBERS else array.dtype.kind for array in arrays.values()}
    together = list(arrays.values())
    if len(kinds) > 1:
        if "O" not in kinds:
            dtypes = _joined([str(array.dtype) for array in together])
            raise ValueError(f"{_joined(arrays)} must hold labels of one kind; got {dtypes}")
        together = [array.astype(object) for array in together]
    if all(array.dtype == np.uint8 for array in together):  # positions among classes
        n_classes = 1 + max(int(array.max()) for array in together)
        present = [c for c in range(n_classes) if any((array == c).any() for array in together)]
        if len(present) == n_classes:
            return present, together
        position = np.zeros(n_classes, dtype=np.uint8)
        position[present] = np.arange(len(present))
        return present, [position[array] for array in together]
    try:
        labels, codes = np.unique(np.concatenate(together), return_inverse=True)
    except TypeError as error:
        raise ValueError(f"{_joined(arrays)} must hold labels of one kind; got values that have no order") from error
    return labels.tolist(), np.split(codes.reshape(-1).astype(np.int64), len(together))


def joint_code(codes: Sequence[NDArray[Any]], n: int) -> NDArray[Any]:
    """One number below ``n ** len(codes)`` for the codes below `n` of each sample, in the smallest type."""
    joint = codes[0].astype(np.min_scalar_type(n ** len(codes) - 1))
    for code in codes[1:]:
        joint *= n
        np.add(joint, code, out=joint, casting="unsafe")
    return joint


def check_positive(positive: Any) -> None:
    """Raise ValueError for what is no label, also where the metric has no use for one."""
    refuse_masked(positive, "positive")
    if not isinstance(positive, Hashable) or isinstance(positive, (complex, tuple)):
        raise ValueError(f"positive must be a label, a number, boolean or string; got {positive!r:.80}")


def positive_code(labels: list[Any], positive: Any, name: str) -> int:
    """Position of the positive label, the larger of two by default; -1 where it does not occur."""
    if positive is None:
        if len(labels) != 2:
            raise ValueError(
                f"{name} must hold two labels, of which the larger is the positive one; got {len(labels)} "
                f"({_few(labels)}). Name the positive one with positive="
            )
        return 1
    known = enumerate(labels) if isinstance(positive, Hashable) else ()
    code = next((i for i, label in known if label == positive), -1)
    if code == -1 and len(labels) > 1:
        raise ValueError(f"positive must be one of the labels {_few(labels)}; got {positive!r}")
    return code


def _few(labels: list[Any]) -> str:
    return ", ".join(map(repr, labels[:5])) + (", ..." if len(labels) > 5 else "")


def _joined(words: Mapping[str, Any] | Sequence[Any]) -> str:
    *most, last = map(str, words)
    return f"{', '.join(most)} and {last}" if most else last


def of_one_dtype(a: AnyArray, b: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Two arrays of labels of one kind, of one dtype."""
    if a.dtype == b.dtype:
        return a, b
    both = np.dtype(object) if "O" in (a.dtype.kind, b.dtype.kind) else None
    if both is None:
        encode({"pred_a": a[:1], "pred_b": b[:1]})
        both = np.result_type(a, b)
    return a.astype(both), b.astype(both)
