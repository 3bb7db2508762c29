"""What the code of functions and classes says, where no version of a package stands for it."""

from __future__ import annotations

import dis
import json
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import joblib
import numpy as np

Describe = Callable[[Any], Any]
Names = Collection[str]

# whose objects say all that they are when they are pickled, and do not change by being used
_WITHOUT_HIDDEN_STATE = frozenset({"datetime", "pathlib", "fractions", "decimal", "re", "uuid", "operator", "pandas"})
_CHANGES = frozenset({"append", "extend", "insert", "add", "update", "setdefault", "pop", "popitem", "remove", "clear"})


class _Empty:
    """What Python writes into every class."""


# written by Python or scikit-learn from what else is in the class, or without influence on what it computes
_ANNOTATIONS = frozenset({"__annotations__", "__annotate_func__", "__annotations_cache__"})
_NO_CODE = {*vars(_Empty), *_ANNOTATIONS, "__abstractmethods__", "_abc_impl"}


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
            return self._items(value)
        if isinstance(value, (list, dict, set)):
            return self._changeable(value)
        if value is Ellipsis:
            return ["..."]
        if type(value).__module__.partition(".")[0] in _WITHOUT_HIDDEN_STATE and not hasattr(value, "__next__"):
            return ["value", _name_of(value), _hash(value)]
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
        written = _written(*(code for value in own.values() for code in _codes(value)))
        return [
            "class",
            [self._describe(base) for base in cls.__bases__],
            [[name, self._describe(value)] for name, value in sorted(own.items()) if _counts(name, value, written)],
        ]

    def _function(self, function: FunctionType) -> Any:
        cells = [
            (name, cell.cell_contents)
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            if _is_filled(cell)
        ]
        written = _written(function.__code__)
        return [
            "function",
            self._code(function.__code__),
            self._describe(function.__defaults__),
            [[name, self._describe(value)] for name, value in sorted((function.__kwdefaults__ or {}).items())],
            [self._describe(value) for name, value in cells if _counts(name, value, written)],
            [[name, self._describe(value)] for name, value in self._globals(function)],
            self._imports(function.__code__),
            [[name, self._describe(value)] for name, value in sorted(vars(function).items()) if name != "__wrapped__"],
        ]

    def _globals(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        """Names that a function may read from its module, or from the user's modules that it names."""
        names = sorted(set(_names(function.__code__)))
        written = _written(function.__code__)
        for name in names:
            value = function.__globals__.get(name)
            if name in function.__globals__ and _counts(name, value, written):
                yield name, value
                if isinstance(value, ModuleType):
                    yield from self._inside(name, value, names, written)

    def _inside(self, path: str, module: ModuleType, names: Names, written: Names) -> Iterator[tuple[str, Any]]:
        """What a function may read of a module of the user, and of modules in it."""
        if self._is_released(module.__name__) or id(module) in self._seen:
            return
        self._seen.add(id(module))
        inside = vars(module)
        for name in names:
            if name in inside and _counts(name, inside[name], written):
                yield f"{path}.{name}", inside[name]
                if isinstance(inside[name], ModuleType):
                    yield from self._inside(f"{path}.{name}", inside[name], names, written)

    def _imports(self, code: CodeType) -> list[Any]:
        """The files of the user's modules that a function imports when it runs."""
        found = []
        for name in sorted({i.argval for i in dis.get_instructions(code) if i.opname == "IMPORT_NAME"}):
            if name and not self._is_released(name):
                with suppress(Exception):  # it is not there now, and may never be asked for
                    spec = find_spec(name)
                    if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
                        found.append([name, sha256(Path(spec.origin).read_bytes()).hexdigest()])
        return found

    def _items(self, value: Any) -> Any:
        items = [self._describe(item) for item in value]
        return [type(value).__name__, items if isinstance(value, (list, tuple)) else sorted(items, key=json.dumps)]

    def _changeable(self, value: Any) -> Any:
        """What is in a list, dict or set of the user's."""
        if id(value) in self._seen:
            return ["seen", type(value).__name__]
        self._seen.add(id(value))
        if isinstance(value, dict):
            return ["dict", [[self._describe(k), self._describe(v)] for k, v in value.items()]]
        return self._items(value)

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
        kind = _name_of(value)
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
        inside = [[name, self._describe(part)] for name, part in sorted(parts.items()) if _counts(name, part, ())]
        return ["descriptor", kind, inside]


def _written(*codes: CodeType) -> frozenset[str]:
    """Names that some code, with the functions inside it, writes to, or whose lists, dicts or sets it changes."""
    names: set[str] = set()
    for code in codes:
        before = None
        for instruction in dis.get_instructions(code):
            if instruction.opname in ("STORE_GLOBAL", "STORE_ATTR", "STORE_DEREF"):
                names.add(instruction.argval)
            elif instruction.opname in ("STORE_SUBSCR", "DELETE_SUBSCR"):  # of any name in this function
                names.update(code.co_names, code.co_freevars)
            elif instruction.argval in _CHANGES and isinstance(before, str):
                names.add(before)
            before = instruction.argval
        names |= _written(*(constant for constant in code.co_consts if isinstance(constant, CodeType)))
    return frozenset(names)


def _counts(name: str, value: Any, written: Names) -> bool:
    """Whether a value is part of the code: not a counter or a log that the code itself keeps."""
    if isinstance(value, (FunctionType, type, ModuleType)):
        return True
    if type(value).__hash__ is None and not isinstance(value, (list, dict, set)) and not _is_table(value):
        return False
    return name not in written


def _is_table(value: Any) -> bool:
    return isinstance(value, np.ndarray) or type(value).__module__.partition(".")[0] in _WITHOUT_HIDDEN_STATE


def _name_of(value: Any) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _hash(value: Any) -> str | None:
    """Of what a value is pickled as; None where it cannot be."""
    try:
        return str(joblib.hash(value, hash_name="sha1"))
    except Exception:
        return None


def _codes(value: Any) -> Iterator[CodeType]:
    """The code of a function, or of the functions in a property or the like."""
    for part in (value, *(getattr(value, name, None) for name in ("fget", "fset", "__func__", "func"))):
        if isinstance(part, FunctionType):
            yield part.__code__


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
