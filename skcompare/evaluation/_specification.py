"""Models <-> plain values: names of classes and their parameters. Nothing stands for code but the name of a class."""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Mapping
from importlib import import_module
from math import isfinite
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from skcompare._core.printable import one_line
from skcompare.evaluation.store._released import distribution, released_version

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
    found = {name: value for name, value in model.get_params(deep=True).items() if name.rpartition("__")[2] in _HOW}
    return model.set_params(**{name: _how(name.rpartition("__")[2], value) for name, value in found.items()})


def _how(name: str, value: Any) -> Any:
    return False if isinstance(value, bool) else _HOW[name]


def _check_parameter(name: str, value: Any, path: str) -> None:
    """UnclearError where a parameter names a place; vectorizers take texts for names of files if told so."""
    if (value is not None and _PLACES.search(name)) or (name == "input" and value != "content"):
        raise UnclearError(f"{path} names a place to read or write")


def _check_number(value: int, path: str) -> None:
    """UnclearError where a number is larger than any model needs, unless it is a seed."""
    if abs(value) > MAX_NUMBER and "random_state" not in path and "seed" not in path:
        raise UnclearError(f"{path} is more than {MAX_NUMBER}")


class _Counted:
    """Counts the values of a specification."""

    def __init__(self) -> None:
        self._n = 0

    def _count(self, path: str, n: int = 1) -> None:
        self._n += n
        if self._n > MAX_VALUES:
            raise UnclearError(f"{path or 'it'} holds more than {MAX_VALUES} values")


class _Writer(_Counted):
    """One model as plain values."""

    def __init__(self, packages: dict[str, str]) -> None:
        super().__init__()
        self._packages = packages

    def value(self, value: Any, path: str) -> Any:
        self._count(path)
        if type(value) is int:
            _check_number(value, path)
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
        kept = [what for what in ("_sklearn_output_config", "_metadata_request") if getattr(value, what, None)]
        if kept:
            raise UnclearError(f"{path or cls.__name__} has settings beside its parameters")
        self._packages[distribution(cls.__module__)] = version
        params = {}
        for key, part in value.get_params(deep=False).items():
            where = f"{path}__{key}" if path else str(key)
            _check_parameter(key, part, where)
            params[key] = self.value(part, where)
        return {"class": name, "params": params}


class _Reader(_Counted):
    """One model of plain values."""

    def __init__(self, allowed: frozenset[str]) -> None:
        super().__init__()
        self._allowed = allowed

    def value(self, given: Any, path: str, depth: int) -> Any:
        self._count(path)
        if depth > MAX_DEPTH:
            raise UnclearError("it is nested too deep")
        if type(given) is int:
            _check_number(given, path)
        if given is None or type(given) in (bool, int, float) or (type(given) is str and len(given) <= MAX_TEXT):
            return given
        if type(given) is list:
            return [self.value(item, f"{path}[{i}]", depth + 1) for i, item in enumerate(given)]
        if type(given) is dict and given.keys() == {"class", "params"}:
            return self._estimator(given["class"], given["params"], path, depth + 1)
        if type(given) is dict and len(given) == 1:
            ((kind, what),) = given.items()
            read = {"array": self._array, "dict": self._dict, "tuple": self._tuple, "slice": self._slice}.get(kind)
            if read is not None and type(what) is list:
                return read(what, path, depth + 1)
            if kind == "float" and what in ("nan", "inf", "-inf"):
                return float(what)
            if kind == "type" and type(what) is str and what in _TYPES:
                return _TYPES[what]
        raise UnclearError(f"{path or 'it'} is no specification: {_shown(given)}")

    def _tuple(self, items: list[Any], path: str, depth: int) -> Any:
        return tuple(self.value(items, path, depth))

    def _slice(self, items: list[Any], path: str, depth: int) -> Any:
        parts = self.value(items, path, depth)
        if len(parts) != 3:
            raise UnclearError(f"{path} is no slice")
        return slice(*parts)

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
        cls = _class(name, self._allowed)
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
    return one_line(f"{value!r:.80}")


def texts(models: Mapping[str, Any]) -> dict[str, str]:
    """What models are called in a result and its reports."""
    return {name: " ".join(repr(model).split()) for name, model in models.items()}
