"""Whether the data that is given with a search can be what it was fitted with."""

from __future__ import annotations

from numbers import Integral
from typing import Any

from sklearn.base import is_classifier
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from skcompare._core.design import Design
from skcompare._core.html import cut
from skcompare._core.printable import one_line
from skcompare.evaluation._blocked import BlockedMByTwo

MAX_WORDS = 80
_STRATIFIED = (StratifiedKFold, RepeatedStratifiedKFold, StratifiedShuffleSplit, StratifiedGroupKFold)


def check_target(search: Any, cv: Any, y: Any) -> None:
    """ValueError where the splits depend on `y` and there is none: others would be drawn."""
    if y is not None:
        return
    by_task = cv is None or isinstance(cv, (Integral, BlockedMByTwo))
    estimator = getattr(search, "estimator", None)
    if isinstance(cv, _STRATIFIED) or (by_task and estimator is not None and is_classifier(estimator)):
        raise ValueError("y must be given with X, since the splits of this search depend on the classes; got None")


def check_columns(search: Any, X: Any) -> None:
    """ValueError where a refitted search was fitted with other columns."""
    names, columns = getattr(search, "feature_names_in_", None), getattr(X, "columns", None)
    if names is not None and columns is not None and list(names) != list(columns):
        raise ValueError(
            f"X must have the columns that the search was fitted with, {_words(names)}; got {_words(columns)}"
        )
    n_columns, shape = getattr(search, "n_features_in_", None), getattr(X, "shape", None)
    if n_columns is not None and shape is not None and len(shape) == 2 and shape[1] != n_columns:
        raise ValueError(f"X must have the {n_columns} columns that the search was fitted with; got {shape[1]}")


def check_samples(told: Design, n_samples: int) -> None:
    """ValueError where the splits are known to use all samples, and there are more or fewer."""
    used = [train + test for train, test in zip(told.train_sizes, told.test_sizes, strict=True)]
    known = told.n_samples
    if known not in (None, n_samples) and used and all(size == known for size in used):
        raise ValueError(
            f"X must be the data that the search was fitted with; every split of cv uses {known} samples, and X has "
            f"{n_samples}"
        )


def _words(names: Any) -> str:
    return cut(one_line(", ".join(repr(str(name)) for name in names)), MAX_WORDS)
