"""The kind of problem that estimators and target pose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.multiclass import type_of_target

Task = Literal["binary", "multiclass", "regression", "other"]


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
    target = type_of_target(y, input_name="y")
    if any(classifiers) and target.startswith("continuous"):
        raise ValueError(f"y must hold classes for classifiers; got continuous numbers, {np.ravel(y)[0]} first")
    discrete = target in ("binary", "multiclass")
    if any(classifiers) or (discrete and not any(regressors)):
        if target in ("binary", "multiclass"):
            return "binary" if target == "binary" else "multiclass"
        return "other"
    return "regression" if np.ndim(y) == 1 else "other"


def positive_class(y: NDArray[Any], task: Task) -> Any:
    """The class that binary precision, recall and F1 are about: 1 where it is a label, else the last label."""
    if task != "binary":
        return None
    classes = np.unique(y)
    ones = classes[classes == 1] if classes.dtype.kind in "iufb" else classes[:0]
    return (ones if len(ones) else classes[-1:]).tolist()[0]
