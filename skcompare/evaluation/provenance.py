"""What it takes to make the numbers again."""

from __future__ import annotations

import json
import platform
import re
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from itertools import chain
from math import isfinite
from numbers import Integral
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from sklearn.base import BaseEstimator

from skcompare._core.text import one_line
from skcompare._core.version import __version__
from skcompare.evaluation.cautions import joined_health
from skcompare.evaluation.foreign_code import distribution, released_version
from skcompare.evaluation.learners import family_of, unit_of
from skcompare.evaluation.metrics.scoring import names_given
from skcompare.evaluation.metrics.table import named_scorer, of_class
from skcompare.evaluation.prepare import PreparedEvaluation

# Models <-> plain values: names of classes and their parameters. Nothing stands for code but the name of a class.


MAX_VALUES, MAX_DEPTH, MAX_TEXT = 10_000, 40, 10_000
MAX_NUMBER = 1_000_000  # of trees, units, iterations; seeds may be larger
_CLASS = re.compile(r"([A-Za-z]\w*(?:\.[A-Za-z]\w*)*):([A-Za-z]\w*)", re.ASCII)
_NOT_FOR_USERS = {"tests", "test", "testing", "conftest", "setup", "experimental", "externals"}
# What reads or writes files wherever the parameter says.
_PLACES = re.compile(r"(^|_)(memory|store|path|paths|file|files|filename|dir|directory|folder|url|uri)(_|$)")
# What changes where a fit runs and what it prints, not what comes out.
_HOW = {"n_jobs": None, "verbose": 0, "pre_dispatch": "2*n_jobs"}
_NUMBERS = ("float32", "float64", *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)), "bool")
_TYPES: dict[str, type] = {
    **{kind.__name__: kind for kind in (bool, int, float, str, object)},
    **{f"numpy.{name}": np.dtype(name).type for name in _NUMBERS},
}
_ADDRESS = re.compile(r" at 0x[0-9A-Fa-f]+")
_TYPE_NAMES = {kind: name for name, kind in _TYPES.items()}


class UnclearError(ValueError):
    """Something that has no specification, or a specification of nothing that may be made."""


def describe(model: Any, packages: dict[str, str]) -> Any:
    """The specification of a model, of values that JSON has.

    Parameters
    ----------
    model : estimator
        Of installed packages, with parameters that are literals or such estimators.
    packages : dict
        Filled with the versions of the packages, by distribution.

    Raises
    ------
    UnclearError
        If the model has none, naming the parameter.
    """
    try:
        return _Writer(packages).value(model, "")
    except RecursionError as error:
        raise UnclearError("it is nested too deep") from error


def build(specification: Any, allowed: Collection[str]) -> Any:
    """The model of a specification that nobody has to have written in good faith.

    Only modules of the allowed packages are imported, and of them only estimators are made.

    Raises
    ------
    UnclearError
        If it is no specification, names something else, or parameters that read or write files.
    """
    try:
        made = _Reader(frozenset(allowed)).value(specification, "", 0)
    except RecursionError as error:
        raise UnclearError("it is nested too deep") from error
    if not isinstance(made, BaseEstimator):
        raise UnclearError("it names no estimator")
    return made


def without_side_effects(model: Any) -> Any:
    """The model with one job and without prints, which change no score."""
    found = {}
    for name, value in model.get_params(deep=True).items():
        if (own := name.rpartition("__")[2]) in _HOW:
            found[name] = False if isinstance(value, bool) else _HOW[own]
    return model.set_params(**found)


def _check_parameter(name: str, value: Any, path: str) -> None:
    """UnclearError where a parameter names a place; vectorizers take texts for names of files if told so."""
    if (value is not None and _PLACES.search(name)) or (name == "input" and value != "content"):
        raise UnclearError(f"{path} names a place to read or write")


class _Counted:
    """Counts the values of a specification, none of which is larger than any model needs, unless it is a seed."""

    _n = 0

    def _count(self, path: str, n: int = 1, value: Any = None) -> None:
        if type(value) is int and abs(value) > MAX_NUMBER and "random_state" not in path and "seed" not in path:
            raise UnclearError(f"{path} is more than {MAX_NUMBER}")
        self._n += n
        if self._n > MAX_VALUES:
            raise UnclearError(f"{path or 'it'} holds more than {MAX_VALUES} values")


@dataclass
class _Writer(_Counted):
    """One model as plain values."""

    packages: dict[str, str]

    def value(self, value: Any, path: str) -> Any:
        self._count(path, value=value)
        if value is None or type(value) in (bool, int):
            return value
        if type(value) is float:
            return value if isfinite(value) else {"float": repr(value)}
        if type(value) is str and len(value) <= MAX_TEXT:
            return value
        if type(value) in (list, tuple):
            items = [self.value(item, _place(item, path, i)) for i, item in enumerate(value)]
            return items if type(value) is list else {"tuple": items}
        if type(value) is dict:
            return {"dict": [[self.value(k, path), self.value(v, f"{path}[{k!r:.50}]")] for k, v in value.items()]}
        if type(value) is slice:
            return {"slice": [self.value(part, path) for part in (value.start, value.stop, value.step)]}
        if isinstance(value, type) and value in _TYPE_NAMES:
            return {"type": _TYPE_NAMES[value]}
        if type(value) is np.ndarray or isinstance(value, np.generic):
            return self._array(np.asarray(value), path, scalar=isinstance(value, np.generic))
        if isinstance(value, BaseEstimator) and not isinstance(value, type):
            return self._estimator(value, path)
        raise UnclearError(f"{path or 'it'} is no literal and no estimator of scikit-learn's kind: {_shown(value)}")

    def _array(self, value: Any, path: str, *, scalar: bool) -> Any:
        if value.dtype.kind not in "biuf" or value.dtype.itemsize > 8:
            raise UnclearError(f"{path} is an array of dtype {value.dtype}")
        self._count(path, value.size)
        items = [self.value(item, path) for item in value.ravel().tolist()]
        return {"array": [value.dtype.str, None if scalar else list(value.shape), items]}

    def _estimator(self, value: BaseEstimator, path: str) -> Any:
        cls = type(value)
        name = _public_name(cls)
        version = released_version(cls.__module__)
        if name is None or version is None:
            raise UnclearError(f"{path or cls.__name__} is a class that no installed package has under a public name")
        _check_class(cls, cls.__name__)
        if getattr(value, "_sklearn_output_config", None) or getattr(value, "_metadata_request", None):
            raise UnclearError(f"{path or cls.__name__} has settings beside its parameters")
        self.packages[distribution(cls.__module__)] = version
        params = {}
        for key, part in value.get_params(deep=False).items():
            where = f"{path}__{key}" if path else str(key)
            _check_parameter(key, part, where)
            params[key] = self.value(part, where)
        return {"class": name, "params": params}


@dataclass
class _Reader(_Counted):
    """One model of plain values."""

    allowed: frozenset[str]

    def value(self, given: Any, path: str, depth: int) -> Any:
        self._count(path, value=given)
        if depth > MAX_DEPTH:
            raise UnclearError("it is nested too deep")
        if given is None or type(given) in (bool, int, float) or (type(given) is str and len(given) <= MAX_TEXT):
            return given
        if type(given) is list:
            return [self.value(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(given)]
        if type(given) is dict and given.keys() == {"class", "params"}:
            return self._estimator(given["class"], given["params"], path, depth + 1)
        if type(given) is dict and len(given) == 1:
            ((kind, what),) = given.items()
            if kind in ("array", "dict") and type(what) is list:
                return (self._array if kind == "array" else self._dict)(what, path, depth + 1)
            if kind == "tuple" and type(what) is list:
                return tuple(self.value(what, path, depth + 1))
            if kind == "slice" and type(what) is list and len(what) == 3:
                return slice(*self.value(what, path, depth + 1))
            if kind == "float" and what in ("nan", "inf", "-inf"):
                return float(what)
            if kind == "type" and type(what) is str and what in _TYPES:
                return _TYPES[what]
        raise UnclearError(f"{path or 'it'} is no specification: {_shown(given)}")

    def _dict(self, items: list[Any], path: str, depth: int) -> Any:
        if not all(type(item) is list and len(item) == 2 for item in items):
            raise UnclearError(f"{path} is no dict")
        try:
            return {self.value(k, path, depth): self.value(v, f"{path}[{_shown(k)}]", depth) for k, v in items}
        except TypeError as error:
            raise UnclearError(f"{path} is a dict with keys that cannot be") from error

    def _array(self, parts: list[Any], path: str, depth: int) -> Any:
        try:
            dtype, shape, items = np.dtype(str(parts[0])), *parts[1:]
            if dtype.kind not in "biuf":
                raise ValueError(dtype)
            values = np.array(self.value(items, path, depth), dtype=dtype)
            return values[0] if shape is None else values.reshape([int(size) for size in shape])
        except (ValueError, TypeError, OverflowError, IndexError) as error:
            raise UnclearError(f"{path} is no array of numbers") from error

    def _estimator(self, name: Any, params: Any, path: str, depth: int) -> Any:
        cls = _class(name, self.allowed)
        if type(params) is not dict or not all(key.isidentifier() for key in params):
            raise UnclearError(f"{name} has no parameters")
        made = {}
        for key, part in params.items():
            where = f"{path}__{key}" if path else key
            made[key] = self.value(part, where, depth)
            _check_parameter(key, made[key], where)
        try:
            return cls(**made)
        except Exception as error:
            raise UnclearError(f"{name} cannot be made of its parameters here: {error}") from error


def _class(name: Any, allowed: Collection[str]) -> type:
    """An estimator's class by name; only modules of the allowed packages are imported."""
    match = _CLASS.fullmatch(name) if type(name) is str and len(name) < 200 else None
    if match is None:
        raise UnclearError(f"{_shown(name)} is no name of a class")
    package, *inner = match[1].split(".")
    if package not in allowed:
        raise UnclearError(f"{name} is of the package {package}, which is not allowed")
    if _NOT_FOR_USERS.intersection(inner):
        raise UnclearError(f"{name} is none of the package's public classes")
    try:
        found = getattr(import_module(match[1]), match[2], None)
    except Exception as error:
        raise UnclearError(f"{name} cannot be imported: {error}") from error
    if not isinstance(found, type) or not issubclass(found, BaseEstimator):
        raise UnclearError(f"{name} is no estimator")
    if found.__module__.partition(".")[0] != package:
        raise UnclearError(f"{name} is a class of another package, {found.__module__.partition('.')[0]}")
    _check_class(found, name)
    return found


def _check_class(cls: type, name: str) -> None:
    if getattr(cls, "__sklearn_clone__", None) is not BaseEstimator.__sklearn_clone__:
        raise UnclearError(f"{name} keeps a state that its parameters do not show")


def _public_name(cls: type) -> str | None:
    """The shortest module that has a class, without a private part; None where there is none."""
    parts = cls.__module__.split(".")
    for n in range(1, len(parts) + 1):
        module = ".".join(parts[:n])
        name = f"{module}:{cls.__name__}"
        if _CLASS.fullmatch(name) is None or parts[n - 1] in _NOT_FOR_USERS:
            return None
        if vars(sys.modules.get(module, object)).get(cls.__name__) is cls:
            return name
    return None


def _place(item: Any, path: str, i: int) -> str:
    """Where an item of a list is; the steps of a pipeline have names."""
    step = type(item) is tuple and len(item) > 1 and type(item[0]) is str
    return f"{path}[{item[0]!r:.50}]" if step else f"{path}[{i}]"


def _shown(value: Any) -> str:
    return one_line(f"{_ADDRESS.sub('', repr(value)):.80}")


def texts(models: Mapping[str, Any]) -> dict[str, str]:
    """What models are called in a result and its reports."""
    return dict(zip(models, map(" ".join, map(str.split, map(repr, models.values()))), strict=True))


_GIVEN = "pairs of training and test samples, as given"
_BLOCK = 2**24  # bytes of an array that are copied at once


def library_versions() -> dict[str, str]:
    """Our own version and those of the libraries, by distribution."""
    found = {"skcompare": __version__}
    libraries = {"scikit-learn": sklearn, "numpy": np, "scipy": scipy, "joblib": joblib}
    for name, library in libraries.items():
        found[name] = library.__version__
    return found


def provenance(
    parameters: Mapping[str, Any],
    prepared: PreparedEvaluation,
    shared: Sequence[Mapping[str, Sequence[str]]],
    *,
    fit_params: bool,
) -> dict[str, Any]:
    """The splits, the seed, the estimators and the libraries of an evaluation, as text and for `verify`.

    Its recipe has specifications of the models, names of the metrics, digests of the data, and what is lacking.

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
    stop, cv = parameters["stop"], parameters["cv"]
    to_fit = sorted(set().union(*prepared.routing.fit_params.values()))
    made, scoring = {}, {}
    lacking = ["parameters were given to fit"] if fit_params else []
    packages = {"python": platform.python_version()}
    models, families = dict[str, Any](), {}
    for name, model in prepared.named.items():
        families[name] = family_of(model, len(prepared.truth))
        try:
            models[name] = describe(model, packages)
        except UnclearError as error:
            lacking.append(f"model {name!r}: {error}")
    for metric in prepared.metrics:
        scoring[metric.name] = "" if metric.kind == "given" else str(metric.source)
        if metric.kind == "scorer":  # which has a name wherever scikit-learn is, or somebody wrote it
            known = repr(of_class(named_scorer(metric.name), metric.positive)) == repr(metric.source)
            scoring[metric.name] = metric.name if known else ""
        if not scoring[metric.name]:
            lacking.append(f"metric {metric.name!r} is not one of scikit-learn's names")
        if metric.source == "complexity":
            made[metric.name] = {name: unit_of(model) for name, model in prepared.named.items()}
    data = {"X": data_digest(prepared.X), "y": data_digest(prepared.truth)}
    for name, digest in data.items():
        if not digest:
            lacking.append(f"{name} has no digest, since it is of another kind than arrays and frames")
    return {
        "cv": str(cv) if isinstance(cv, str | Integral) else repr(cv)[:200] if hasattr(cv, "split") else _GIVEN,
        "random_state": prepared.random_state,
        **({} if stop is None else {"stop": repr(stop)}),
        **({"fit_params": to_fit} if to_fit else {}),
        "estimators": texts(prepared.named),
        "families": families,
        "versions": library_versions(),
        **names_given(prepared.metrics),
        **({"units": made} if made else {}),
        "recipe": {"models": models, "scoring": scoring, "data": data, "packages": packages, "lacking": lacking},
        **({} if parameters["check_data"] else {"check_data": False}),
        **({"shared_steps": shared} if shared else {}),
    }


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
    dtype, rows = array.dtype.newbyteorder("<"), np.atleast_1d(array)
    yield json.dumps(["array", dtype.str, array.shape]).encode()
    size = max(1, _BLOCK // max(1, rows[:1].nbytes))
    for start in range(0, len(rows), size):
        yield np.ascontiguousarray(rows[start : start + size], dtype=dtype).tobytes()


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
    return str(part_of(part_of(known, "recipe"), "data").get(data, ""))


def known_models(known: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a provenance says of the models, by name; without the places of objects in memory."""
    return {name: _ADDRESS.sub("", str(text)) for name, text in part_of(known, "estimators").items()}


def known_metrics(known: Mapping[str, Any]) -> Mapping[str, Any]:
    """The names that a provenance has for its metrics, by what these are called; empty texts of callables."""
    return part_of(part_of(known, "recipe"), "scoring")


def merged_provenance(
    parts: Sequence[Mapping[str, Any]],
    *,
    estimators: Sequence[str],
    metrics: Sequence[str],
    repeats: str,
    sizes: Sequence[int],
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
    sizes : sequence of int
        How many splits each of them has.
    """
    same = {x: parts[0][x] for x in ("source", "order", "cv", "random_state") if x in parts[0]}
    found = {name: value for name, value in same.items() if all(part.get(name) == value for part in parts)}
    if repeats:
        found.pop("cv", None)
        if all(re.fullmatch(r"\d+(x\d+)?", str(part.get("cv"))) for part in parts):
            found["cv"] = repeats
        elif all(part.get("cv") == _GIVEN for part in parts):
            found["cv"] = _GIVEN
    of_models = dict.fromkeys(("estimators", "families", "read"), estimators)
    for what, chosen in {**of_models, "health": ("", *estimators), "versions": None, "renamed": metrics}.items():
        if united := _united(parts, what, chosen):
            found[what] = united
    if repeats and "health" in found:
        found["health"] = joined_health(parts, sizes, ("", *estimators))
    for what in ("misnamed", "judged", "unsaved"):
        lists = [part[what] for part in parts if isinstance(part.get(what), list)]
        named = [name for name in metrics if any(name in one for one in lists)]
        found |= {what: named} if named else {}
    units = {name: _united([part_of(part, "units") for part in parts], name, estimators) for name in metrics}
    if any(units.values()):
        found["units"] = {name: of_model for name, of_model in units.items() if of_model}
    if all(part_of(part, "recipe") for part in parts):
        found["recipe"] = _merged_recipe(parts, estimators, metrics, repeats=bool(repeats))
    lists = [part["merged"] if isinstance(part.get("merged"), list) else [part] for part in parts]
    return {**found, "merged": [dict(one) for one in chain.from_iterable(lists) if isinstance(one, Mapping)]}


def _merged_recipe(
    parts: Sequence[Mapping[str, Any]], estimators: Sequence[str], metrics: Sequence[str], *, repeats: bool
) -> dict[str, Any]:
    recipes = [part_of(part, "recipe") for part in parts]
    lacking = [why for recipe in recipes if isinstance(recipe.get("lacking"), list) for why in recipe["lacking"]]
    if any(part.get("random_state") != parts[0].get("random_state") for part in parts):
        lacking.append("it was merged of results with different seeds")
    if repeats:
        lacking.append("it was merged of repeats, whose fits had seeds of their own")
    if any(part_of(recipe, "data") != part_of(recipes[0], "data") for recipe in recipes):
        lacking.append("it was merged of results on different data")
    return {
        "models": _united(recipes, "models", estimators),
        "scoring": _united(recipes, "scoring", metrics),
        "data": _united(recipes, "data"),
        "packages": _united(recipes, "packages"),
        "lacking": list(dict.fromkeys(map(str, lacking))),
    }


def part_of(known: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A part of what a result says of itself, empty where it does not."""
    found = known.get(name)
    return found if isinstance(found, Mapping) else {}


def _united(parts: Sequence[Mapping[str, Any]], name: str, chosen: Sequence[str] | None = None) -> dict[str, Any]:
    """The entries of all parts, or those that are chosen in their order; texts that differ stand beside each other."""
    found: dict[str, Any] = {}
    for part in parts:
        for key, value in part_of(part, name).items():
            both = isinstance(value, str) and isinstance(found.get(key), str) and value not in found[key].split(" and ")
            found[key] = f"{found[key]} and {value}" if both else found.get(key, value)
    return found if chosen is None else {key: found[key] for key in chosen if key in found}
