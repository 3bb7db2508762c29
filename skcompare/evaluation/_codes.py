"""Labels as their positions among the classes, and scores of several labels as columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare.evaluation._splits import NarrowArray


def encode(labels: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[np.bool_], NarrowArray]:
    """Which labels are among the sorted classes, and the position of each there."""
    narrow = np.min_scalar_type(len(classes) - 1)
    kinds = labels.dtype.kind + classes.dtype.kind
    if kinds in ("ii", "uu") and classes[0] == 0 and classes[-1] == len(classes) - 1:
        codes = labels.astype(narrow)
        return (codes == labels) & (codes < len(classes)), np.minimum(codes, len(classes) - 1, dtype=narrow)
    nothing = np.zeros(len(labels), dtype=bool), np.zeros(len(labels), dtype=narrow)
    if (labels.dtype.kind in "US") != (classes.dtype.kind in "US") and "O" not in kinds:
        return nothing
    try:
        positions = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
        return np.asarray(classes[positions] == labels, dtype=bool), positions.astype(narrow)
    except TypeError:  # labels of another kind than the classes
        return nothing


def encode_labels(labels: NDArray[Any], classes: NDArray[Any]) -> tuple[NDArray[Any], bool]:
    """The smallest unsigned integers in place of labels, and True, where each label is one of the classes."""
    if labels.ndim == 1 and (labels.dtype == classes.dtype or labels.dtype.kind + classes.dtype.kind == "UU"):
        known, codes = encode(labels, classes)
        if known.all():
            return codes, True
    return labels, False


def label_columns(given: Any) -> Any:
    """Scores of several labels, a column each: of a list with the probabilities of each the last column of all."""
    return np.column_stack([np.asarray(one)[:, -1] for one in given]) if isinstance(given, list) else given


def without_complement(array: NDArray[Any], method: str) -> NDArray[Any]:
    """Decision values or probabilities; for two classes only the column of the second is kept."""
    if method == "decision_function" and array.ndim == 2 and array.shape[1] == 1:
        return array.ravel()
    return array[:, 1].copy() if array.ndim == 2 and array.shape[1] == 2 else array
