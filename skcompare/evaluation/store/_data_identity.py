"""What a data set is: a digest of its values, and the version of the library that holds it."""

from __future__ import annotations

import pickle
import sys
from typing import Any

import joblib
import numpy as np
import scipy

from skcompare.evaluation.store._released import distribution, released_version


def data_digest(data: Any, name: str) -> str:
    """A digest of an array, a frame, a sparse matrix or a list; a memory map equals the array that it maps.

    Raises
    ------
    ValueError
        If it is anything else, or holds what cannot be pickled.
    """
    if not (type(data) in (list, tuple, np.ndarray, np.memmap) or is_table(data)):
        raise ValueError(
            f"{name} must be an array, a frame, a sparse matrix or a list for a store to know it again; "
            f"got {type(data).__name__}"
        )
    try:
        return str(joblib.hash(data, hash_name="sha1", coerce_mmap=True))
    except (pickle.PicklingError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise ValueError(
            f"{name} must be data that can be pickled for a store to know it again; {type(error).__name__}: "
            f"{error!s:.200}"
        ) from error


def package_of(value: Any) -> dict[str, str]:
    """The version of the installed package that a value's class comes from."""
    module = type(value).__module__
    found = released_version(module)
    return {} if found is None else {distribution(module): found}


def is_table(value: Any) -> bool:
    """Whether it is a sparse matrix, or a frame or series of pandas or polars."""
    if scipy.sparse.issparse(value):
        return True
    libraries = [sys.modules[name] for name in ("pandas", "polars") if name in sys.modules]
    return any(isinstance(value, (library.DataFrame, library.Series)) for library in libraries)
