"""What the code of functions and classes says, where no version of a package stands for it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

Describe = Callable[[Any], Any]

# written by Python or scikit-learn from what else is in the class, or without influence on what it computes
_NO_CODE = {
    "__module__",
    "__qualname__",
    "__doc__",
    "__dict__",
    "__weakref__",
    "__annotations__",
    "__annotate_func__",
    "__annotations_cache__",
    "__abstractmethods__",
    "_abc_impl",
    "__firstlineno__",
    "__static_attributes__",
    "__classcell__",
}


class CodeIdentity:
    """Digests of user code: bytecode, constants, defaults, and the user's functions, classes and constants it uses.

    Parameters
    ----------
    is_released : callable
        Whether a module's name and version stand for its code.
    describe_plain : callable
        The identity of a value that is no code; raises ValueError where it has none.
    """

    def __init__(self, is_released: Callable[[str], bool], describe_plain: Describe) -> None:
        self._is_released = is_released
        self._describe_plain = describe_plain
        self._seen: set[int] = set()
        self._depth = 0

    def digest(self, value: Any) -> str:
        """SHA-256 of what a function or class of the user says; line numbers and file names do not count."""
        if self._depth == 0:
            self._seen.clear()
        self._depth += 1
        try:
            return sha256(json.dumps(self._describe(value)).encode()).hexdigest()
        finally:
            self._depth -= 1

    def _describe(self, value: Any) -> Any:
        if isinstance(value, CodeType):
            return self._code(value)
        if isinstance(value, ModuleType):
            return ["module", value.__name__]
        if isinstance(value, (FunctionType, type)):
            return self._named(value)
        if isinstance(value, (tuple, frozenset)):
            items = [self._describe(item) for item in value]
            return [type(value).__name__, items if isinstance(value, tuple) else sorted(items, key=json.dumps)]
        if value is Ellipsis:
            return ["..."]
        try:
            return self._describe_plain(value)
        except ValueError:
            return self._descriptor(value)

    def _named(self, value: Any) -> Any:
        name = f"{value.__module__}:{value.__qualname__}"
        if "<" not in value.__qualname__ and self._is_released(str(value.__module__)):
            return ["name", name]
        if id(value) in self._seen:
            return ["seen", value.__qualname__]
        self._seen.add(id(value))
        return self._class(value) if isinstance(value, type) else self._function(value)

    def _class(self, cls: type) -> Any:
        file = getattr(sys.modules.get(cls.__module__), "__file__", None) or ""
        if file.endswith(tuple(EXTENSION_SUFFIXES)):
            return ["compiled", cls.__qualname__, sha256(Path(file).read_bytes()).hexdigest()]
        own = {name: value for name, value in vars(cls).items() if name not in _NO_CODE}
        return [
            "class",
            [self._describe(base) for base in cls.__bases__],
            [[name, self._describe(value)] for name, value in sorted(own.items()) if _is_constant(value)],
        ]

    def _function(self, function: FunctionType) -> Any:
        cells = [cell.cell_contents for cell in function.__closure__ or () if _is_filled(cell)]
        return [
            "function",
            self._code(function.__code__),
            self._describe(function.__defaults__),
            [[name, self._describe(value)] for name, value in sorted((function.__kwdefaults__ or {}).items())],
            [self._describe(value) for value in cells if _is_constant(value)],
            [[name, self._describe(value)] for name, value in self._globals(function)],
        ]

    def _globals(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        """Names that a function may read from its module, or from the user's modules that it names."""
        names = sorted(set(_names(function.__code__)))
        for name in names:
            value = function.__globals__.get(name)
            if name not in function.__globals__ or not _is_constant(value):
                continue
            yield name, value
            if isinstance(value, ModuleType) and not self._is_released(value.__name__):
                inside = vars(value)
                yield from ((f"{name}.{n}", inside[n]) for n in names if n in inside and _is_constant(inside[n]))

    def _code(self, code: CodeType) -> Any:
        n_arguments = code.co_argcount + code.co_kwonlyargcount
        return [
            "code",
            sha256(code.co_code + code.co_exceptiontable).hexdigest(),
            [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags],
            [*code.co_varnames[:n_arguments], "", *code.co_names],
            [self._describe(constant) for constant in code.co_consts],
        ]

    def _descriptor(self, value: Any) -> Any:
        """A property, a static method or what else a class wraps its functions in; other objects by their class."""
        kind = f"{type(value).__module__}:{type(value).__qualname__}"
        if not hasattr(type(value), "__get__") or id(value) in self._seen:
            return ["object", kind]
        self._seen.add(id(value))
        if isinstance(value, property):
            parts = {"fget": value.fget, "fset": value.fset, "fdel": value.fdel}
        elif isinstance(value, (staticmethod, classmethod)):
            parts = {"function": value.__func__}
        elif isinstance(value, cached_property):
            parts = {"function": value.func}
        else:
            parts = getattr(value, "__dict__", {})
        inside = [[name, self._describe(part)] for name, part in sorted(parts.items()) if _is_constant(part)]
        return ["descriptor", kind, inside]


def _is_constant(value: Any) -> bool:
    """Whether a value can be taken as part of the code: lists and dicts may be logs that fill while it runs."""
    return isinstance(value, np.ndarray) or type(value).__hash__ is not None


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
