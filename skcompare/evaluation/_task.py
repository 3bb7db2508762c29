"""The kind of problem that estimators and target pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.multiclass import type_of_target

from skcompare._core.printable import one_line

Task = Literal["binary", "multiclass", "multilabel", "regression", "multioutput", "other"]


_CLASSES: dict[str, Task] = {"binary": "binary", "multiclass": "multiclass"}


def is_classification(task: str) -> bool:
    """Whether each sample is of one class: splits are then stratified."""
    return task in ("binary", "multiclass")


def task_of(estimators: Sequence[Any], y: Any) -> Task:
    """The kind of problem, from the estimators' types and the target.

    Raises
    ------
    ValueError
        If classifiers and regressors are mixed, or classifiers meet a continuous target.
    """
    classifiers = [bool(is_classifier(e)) for e in estimators]
    regressors = [bool(is_regressor(e)) for e in estimators]
    if any(classifiers) and any(regressors):
        raise ValueError("estimators must be all classifiers or all regressors; got both")
    target = _kind_of(y)
    if any(classifiers) and target.startswith("continuous"):
        raise ValueError(f"y must hold classes for classifiers; got continuous numbers, {np.ravel(y)[0]} first")
    if any(classifiers) and target == "unknown":
        raise ValueError(
            f"y must hold classes for classifiers, all numbers, all booleans or all strings; "
            f"got {np.ravel(y)[:1].tolist()[0]!r:.80} first, of dtype {np.asarray(y).dtype}"
        )
    if any(regressors) and np.asarray(y).dtype.kind not in "biufOV":
        raise ValueError(f"y must hold numbers for regressors; got dtype {np.asarray(y).dtype}")
    if any(classifiers) or (target in (*_CLASSES, "multilabel-indicator") and not any(regressors)):
        return "multilabel" if target == "multilabel-indicator" else _CLASSES.get(target, "other")
    if target == "records":
        return "other"
    if np.ndim(y) == 1:
        return "regression"
    return "multioutput" if any(regressors) or target.startswith("continuous") else "other"


def _kind_of(y: Any) -> str:
    """The type of target as scikit-learn names it; ValueError where it knows none or the labels have no order.

    Several values per sample that have names, such as the event and the time of a survival model, are "records".
    """
    if np.asarray(y).dtype.names is not None:
        return "records"
    if np.asarray(y).dtype.kind == "S":
        raise ValueError("y must hold numbers, booleans or strings; got bytes")
    if np.asarray(y).dtype.kind == "O" and np.ndim(y) == 1:
        try:
            np.unique(y)
        except TypeError as error:
            raise ValueError("y must hold values of one kind; got some that have no order") from error
    try:
        return str(type_of_target(y, input_name="y"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"y must be a target that scikit-learn knows: {one_line(str(error)):.200}") from error


def positive_class(y: NDArray[Any], task: Task) -> Any:
    """The class that binary precision, recall and F1 are about: 1 where it is a label, else the last label."""
    if task != "binary":
        return None
    classes = np.unique(y)
    ones = classes[classes == 1] if classes.dtype.kind in "iufb" else classes[:0]
    return (ones if len(ones) else classes[-1:]).tolist()[0]
