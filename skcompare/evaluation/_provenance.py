"""What it takes to make the numbers again."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from numbers import Integral
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from sklearn.metrics import get_scorer, get_scorer_names

from skcompare._core.version import __version__
from skcompare.evaluation._prepare import PreparedEvaluation
from skcompare.evaluation._scoring import Metric
from skcompare.evaluation._specification import UnclearError, describe, texts

_BLOCK = 2**24  # bytes of an array that are copied at once


def library_versions() -> dict[str, str]:
    """Our own version and those of the libraries, by distribution."""
    libraries = {"scikit-learn": sklearn, "numpy": np, "scipy": scipy, "joblib": joblib}
    return {"skcompare": __version__, **{name: str(library.__version__) for name, library in libraries.items()}}


def provenance(cv: Any, stop: Any, prepared: PreparedEvaluation, *, fit_params: bool) -> dict[str, Any]:
    """The splits, the seed, the estimators and the libraries of an evaluation, as text and for `verify`."""
    return {
        "cv": str(cv) if isinstance(cv, (str, Integral)) else f"{cv!r:.200}",
        "random_state": prepared.random_state,
        **({} if stop is None else {"stop": repr(stop)}),
        "estimators": texts(prepared.named),
        "versions": library_versions(),
        "recipe": _recipe(prepared, fit_params=fit_params),
    }


def _recipe(prepared: PreparedEvaluation, *, fit_params: bool) -> dict[str, Any]:
    """Specifications of the models, names of the metrics and digests of the data; and why one is not there."""
    packages = {"python": platform.python_version()}
    lacking = ["parameters were given to fit"] if fit_params else []
    models = {}
    for name, model in prepared.named.items():
        try:
            models[name] = describe(model, packages)
        except UnclearError as error:
            lacking.append(f"model {name!r}: {error}")
    scoring = {metric.name: _name_of(metric) for metric in prepared.metrics}
    lacking += [f"metric {name!r} is not one of scikit-learn's names" for name, known in scoring.items() if not known]
    data = {"X": data_digest(prepared.X), "y": data_digest(prepared.truth)}
    lacking += [
        f"{name} has no digest, since it is of another kind than arrays and frames" for name in data if not data[name]
    ]
    return {"models": models, "scoring": scoring, "data": data, "packages": packages, "lacking": lacking}


def _name_of(metric: Metric) -> str:
    """The name that stands for a metric wherever scikit-learn is; empty of one that somebody wrote."""
    if metric.kind != "scorer":
        return str(metric.source)
    known = metric.name in get_scorer_names() and repr(get_scorer(metric.name)) == repr(metric.source)
    return metric.name if known else ""


def data_digest(data: Any) -> str:
    """SHA-256 of the values of an array, a frame or a sparse matrix; empty of anything else.

    It depends on the names, types and values of columns alone, not on the library's version.
    """
    digest = sha256()
    try:
        for part in _parts(data):
            digest.update(part)
    except Exception:  # data of any class: what has no digest cannot be verified, and is evaluated all the same
        return ""
    return digest.hexdigest()


def _parts(data: Any) -> Iterator[Any]:
    """What stands for some data, in bytes; TypeError where nothing does."""
    pandas: Any = sys.modules.get("pandas")
    sparse = bool(scipy.sparse.issparse(data)) and getattr(data, "format", "") in ("csr", "csc")
    if isinstance(data, np.ndarray) and not isinstance(data, np.ma.MaskedArray):
        yield from _array(data)
    elif isinstance(data, (list, tuple)):
        yield json.dumps(["list", data]).encode()
    elif sparse:
        yield f"{data.format} {data.shape}".encode()
        for part in (data.data, data.indices.astype("<i8"), data.indptr.astype("<i8")):
            yield from _array(part)
    elif pandas is not None and isinstance(data, pandas.Series):
        yield from _column(data)
    elif pandas is not None and isinstance(data, pandas.DataFrame):
        yield json.dumps(["frame", [str(name) for name in data.columns], len(data)]).encode()
        for i in range(data.shape[1]):
            yield from _column(data.iloc[:, i])
    else:
        raise TypeError(type(data))


def _array(array: np.ndarray[Any, Any]) -> Iterator[Any]:
    if array.dtype.hasobject:
        yield json.dumps(["texts", array.shape]).encode()
        yield json.dumps([_plain(value) for value in array.ravel().tolist()]).encode()
        return
    dtype = array.dtype.newbyteorder("<")
    yield json.dumps(["array", dtype.str, array.shape]).encode()
    rows = max(1, _BLOCK // max(1, array[:1].nbytes)) if array.ndim else 1
    for start in range(0, len(array) if array.ndim else 1, rows):
        block = array[start : start + rows] if array.ndim else array
        yield np.ascontiguousarray(block, dtype=dtype).tobytes()


def _column(column: Any) -> Iterator[Any]:
    """A column of numbers as an array; any other as texts, which libraries keep in many ways."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "biufM":
        yield from _array(column.to_numpy())
        return
    yield b"category" if str(column.dtype) == "category" else b"text"
    values: Sequence[Any] = column.astype(object).where(column.notna(), None).tolist()
    yield json.dumps([_plain(value) for value in values]).encode()


def _plain(value: Any) -> Any:
    """A text, nothing, or the type and the words of another value."""
    if value is None or isinstance(value, str) or value != value:
        return value if isinstance(value, str) else None
    return [type(value).__name__, str(value)]
