"""What it takes to make the numbers again."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from numbers import Integral
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn

from skcompare._core.version import __version__
from skcompare.evaluation._complexity import unit_of
from skcompare.evaluation._families import family_of
from skcompare.evaluation._own_scorers import named_scorer, of_class
from skcompare.evaluation._prepare import PreparedEvaluation
from skcompare.evaluation._scoring import Metric, names_given
from skcompare.evaluation._specification import UnclearError, describe, texts

_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_OWN_CV = re.compile(r"\d+(x\d+)?")
_BLOCK = 2**24  # bytes of an array that are copied at once


def library_versions() -> dict[str, str]:
    """Our own version and those of the libraries, by distribution."""
    libraries = {"scikit-learn": sklearn, "numpy": np, "scipy": scipy, "joblib": joblib}
    return {"skcompare": __version__, **{name: str(library.__version__) for name, library in libraries.items()}}


def provenance(
    parameters: Mapping[str, Any],
    prepared: PreparedEvaluation,
    shared: Sequence[Mapping[str, Sequence[str]]],
    *,
    fit_params: bool,
) -> dict[str, Any]:
    """The splits, the seed, the estimators and the libraries of an evaluation, as text and for `verify`.

    Parameters
    ----------
    parameters : mapping of str to object
        Of the evaluator.
    prepared : PreparedEvaluation
        With the estimators as they were given.
    shared : sequence of mapping
        The leading steps that models shared, and these models.
    fit_params : bool
        Whether parameters were given to ``fit``.
    """
    cv, stop = parameters["cv"], parameters["stop"]
    to_fit = sorted({name for given in prepared.routing.fit_params.values() for name in given})
    counted = [metric.name for metric in prepared.metrics if metric.source == "complexity"]
    units = {name: unit_of(model) for name, model in prepared.named.items()} if counted else {}
    return {
        "cv": str(cv) if isinstance(cv, (str, Integral)) else _beginning(cv),
        "random_state": prepared.random_state,
        **({} if stop is None else {"stop": repr(stop)}),
        **({"fit_params": to_fit} if to_fit else {}),
        "estimators": texts(prepared.named),
        "families": {name: family_of(model, len(prepared.truth)) for name, model in prepared.named.items()},
        "versions": library_versions(),
        **names_given(prepared.metrics),
        **({"units": dict.fromkeys(counted, units)} if counted else {}),
        "recipe": _recipe(prepared, fit_params=fit_params),
        **({} if parameters["check_data"] else {"check_data": False}),
        **({"shared_steps": shared} if shared else {}),
    }


def _beginning(cv: Any, length: int = 200) -> str:
    """The first characters of what describes a splitter, or pairs, of which the first mostly has enough."""
    if type(cv) is list and len(repr(cv[:1])) > length:
        cv = cv[:1]
    return repr(cv)[:length]


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
        return "" if metric.kind == "given" else str(metric.source)
    known = repr(of_class(named_scorer(metric.name), metric.positive)) == repr(metric.source)
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


# ---- of several results ------------------------------------------------------------------------------------------


def known_digest(known: Mapping[str, Any], data: str) -> str:
    """The digest of ``"X"`` or ``"y"`` in a provenance; empty where there is none."""
    return str(_part(_part(known, "recipe"), "data").get(data, ""))


def known_models(known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a provenance says of the models, by name; without the places of objects in memory."""
    return {name: _ADDRESS.sub("", str(text)) for name, text in _part(known, "estimators").items()}


def known_metrics(known: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names that a provenance has for its metrics, by what these are called; empty texts of callables."""
    return _part(_part(known, "recipe"), "scoring")


def merged_provenance(
    parts: Sequence[Mapping[str, Any]], *, estimators: Sequence[str], metrics: Sequence[str], repeats: str
) -> dict[str, Any]:
    """What is the same of several results, what each has of its own models and metrics, and each in full.

    Parameters
    ----------
    parts : sequence of mapping
        Their provenances; of files of strangers, so that no entry is taken for granted.
    estimators, metrics : sequence of str
        Of the merged result.
    repeats : str
        The merged design where repeats are joined, such as ``"10x10"``; else empty.
    """
    found: dict[str, Any] = {}
    for name in ("source", "order", "cv", "random_state"):
        values = [part.get(name) for part in parts]
        if name in parts[0] and all(value == values[0] for value in values):
            found[name] = values[0]
    if repeats:
        found.pop("cv", None)
        if all(_OWN_CV.fullmatch(str(part.get("cv"))) for part in parts):
            found["cv"] = repeats
    models, versions = (_united(parts, name) for name in ("estimators", "versions"))
    found |= {"estimators": {name: models[name] for name in estimators if name in models}} if models else {}
    for what in ("families", "read"):
        of_models = _united(parts, what)
        found |= {what: {name: of_models[name] for name in estimators if name in of_models}} if of_models else {}
    found |= {"versions": versions} if versions else {}
    renamed = {name: of for name, of in _united(parts, "renamed").items() if name in metrics}
    found |= {"renamed": renamed} if renamed else {}
    for what in ("misnamed", "judged"):
        lists = [part[what] for part in parts if isinstance(part.get(what), list)]
        named = [name for name in metrics if any(name in one for one in lists)]
        found |= {what: named} if named else {}
    of_metrics = {name: _united([_part(part, "units") for part in parts], name) for name in metrics}
    units = {name: {model: of[model] for model in estimators if model in of} for name, of in of_metrics.items() if of}
    found |= {"units": units} if units else {}
    recipes = [_part(part, "recipe") for part in parts]
    if all(recipes):
        found["recipe"] = _merged_recipe(parts, recipes, estimators, metrics, repeats=bool(repeats))
    return {**found, "merged": [dict(one) for part in parts for one in _merged(part)]}


def _merged_recipe(
    parts: Sequence[Mapping[str, Any]],
    recipes: Sequence[Mapping[str, Any]],
    estimators: Sequence[str],
    metrics: Sequence[str],
    *,
    repeats: bool,
) -> dict[str, Any]:
    lacking = [why for recipe in recipes if isinstance(recipe.get("lacking"), list) for why in recipe["lacking"]]
    models, scoring, data = (_united(recipes, name) for name in ("models", "scoring", "data"))
    if any(part.get("random_state") != parts[0].get("random_state") for part in parts):
        lacking.append("it was merged of results with different seeds")
    if repeats:
        lacking.append("it was merged of repeats, whose fits had seeds of their own")
    if any(_part(recipe, "data") != _part(recipes[0], "data") for recipe in recipes):
        lacking.append("it was merged of results on different data")
    return {
        "models": {name: models[name] for name in estimators if name in models},
        "scoring": {name: scoring[name] for name in metrics if name in scoring},
        "data": data,
        "packages": _united(recipes, "packages"),
        "lacking": list(dict.fromkeys(map(str, lacking))),
    }


def _part(known: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = known.get(name)
    return found if isinstance(found, Mapping) else {}


def _united(parts: Sequence[Mapping[str, Any]], name: str) -> dict[str, Any]:
    """The entries of all parts; texts that differ stand beside each other."""
    found: dict[str, Any] = {}
    for part in parts:
        for key, value in _part(part, name).items():
            both = isinstance(value, str) and isinstance(found.get(key), str) and value not in found[key].split(" and ")
            found[key] = f"{found[key]} and {value}" if both else found.get(key, value)
    return found


def _merged(part: Mapping[str, Any]) -> list[Any]:
    """The provenances that a provenance was merged of, or itself."""
    found = part.get("merged")
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else [part]
