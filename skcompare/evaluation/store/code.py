"""What the code of functions and classes says, where no version of a package stands for it."""

from __future__ import annotations

import builtins
import dis
import importlib
import io
import json
import os
import random
import sys
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec, resolve_name
from itertools import chain
from operator import attrgetter
from pathlib import Path
from types import CellType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import joblib
import numpy as np

# What code reads that no identity can hold: files, the environment, code that is made when it runs, chance.


_MISSING = object()
_BUILTINS = ("open", "eval", "exec", "globals", "locals", "vars", "__import__", "input")
_OBJECTS = {
    **{id(vars(builtins)[name]): name for name in _BUILTINS},
    id(io.open): "open",
    id(os.environ): "os.environ",
    id(os.getenv): "os.getenv",
    id(os.open): "os.open",
    id(importlib): "importlib",
    id(importlib.import_module): "importlib.import_module",
    **{id(vars(np)[name]): f"numpy.{name}" for name in ("load", "loadtxt", "genfromtxt", "fromfile", "memmap")},
}
_METHODS = {name: f"Path.{name}" for name in ("read_text", "read_bytes")}
# of all that has no generator of its own
_GENERATORS: tuple[Any, Any] = (vars(random)["_inst"], vars(np.random.mtrand)["_rand"])


def unseen(function: FunctionType) -> Iterator[str]:
    """File and line of what a function reads, with the functions inside it, and what that is."""
    for code in _with_inner(function.__code__):
        value: Any = _MISSING
        for instruction in dis.get_instructions(code):
            name, is_attribute = instruction.argval, instruction.opname in ("LOAD_ATTR", "LOAD_METHOD")
            if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
                value = function.__globals__.get(name, vars(builtins).get(name, _MISSING))
            else:  # of a module that was just taken
                value = vars(value).get(name, _MISSING) if is_attribute and isinstance(value, ModuleType) else _MISSING
            told = _OBJECTS.get(id(value)) or (_METHODS.get(name, "") if is_attribute else "")
            if told == "open" and value is not builtins.open:
                told = "io.open"
            if any(getattr(value, "__self__", None) is generator for generator in _GENERATORS):
                told = f"{'random' if value.__self__ is _GENERATORS[0] else 'numpy.random'}.{name}"
            if told:
                line = instruction.positions.lineno if instruction.positions else code.co_firstlineno
                yield f"{Path(code.co_filename).name}:{line} {told}"


Names = Collection[str]

# whose objects say all that they are when they are pickled, and do not change by being used
_WITHOUT_HIDDEN_STATE = frozenset({"datetime", "pathlib", "fractions", "decimal", "re", "uuid", "operator", "pandas"})
_CHANGES = frozenset({"append", "extend", "insert", "add", "update", "remove", "clear"})  # and give nothing back
# of which a program has its own without results depending on them; by the module of the class
_NO_INFLUENCE = {"logging", "_thread", "threading", "weakref", "typing", "types", "contextvars", "contextlib"}
_BY_TEXT = frozenset({"getattr", "attrgetter", "globals", "vars", "__dict__"})


class _Empty:
    """What Python writes into every class."""


# written by Python or scikit-learn from what else is in the class, or without influence on what it computes
_ANNOTATIONS = frozenset({"__annotations__", "__annotate_func__", "__annotations_cache__"})
_DATACLASS = frozenset({"__dataclass_fields__", "__dataclass_params__"})
_NO_CODE = {*vars(_Empty), *_ANNOTATIONS, *_DATACLASS, "__abstractmethods__", "_abc_impl"}


class UnclearError(ValueError):
    """A value without an identity: where it is, and what it is."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path or 'it'} is {problem}")


class _UnclearCodeError(UnclearError):
    """Something that code reads, without an identity."""

    def __init__(self, reader: str, error: UnclearError) -> None:
        ValueError.__init__(self, f"its code ({reader}) reads what cannot be told from others: {error}")


class CodeIdentity:
    """Digests of user code: bytecode, constants, defaults, and the user's functions, classes and constants it uses.

    Parameters
    ----------
    is_released : callable
        Whether a module's name and version stand for its code.
    describe_plain : callable
        The identity of a value that is no code, given with its name; raises UnclearError where it has none.

    Attributes
    ----------
    unseen : list of str
        Where the code that was met reads what no identity can hold: file, line and what.
    """

    def __init__(self, is_released: Callable[[str], bool], describe_plain: Callable[[Any, str], Any]) -> None:
        self._is_released = is_released
        self._describe_plain = describe_plain
        self._seen: set[int] = set()
        self._depth = 0
        self._name = ""
        self.unseen: list[str] = []

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
        if isinstance(value, (tuple, frozenset, list, dict, set, deque)):
            return self._items(value)
        if value is Ellipsis:
            return ["..."]
        if isinstance(value, SimpleNamespace):
            return ["namespace", self._describe(vars(value))]
        module = type(value).__module__.partition(".")[0]
        if module in _WITHOUT_HIDDEN_STATE and not hasattr(value, "__next__"):
            with suppress(Exception):
                return ["value", _name_of(value), str(joblib.hash(value, hash_name="sha1"))]
            return ["value", _name_of(value), None]
        if module in _NO_INFLUENCE:
            return ["object", _name_of(value)]
        owner = getattr(value, "__self__", None)
        if isinstance(owner, type) and callable(value):
            return ["method", self._describe(owner), value.__name__]
        if _is_public(value, owner) and self._is_released(type(owner).__module__):
            return ["name", f"{type(owner).__module__}:{value.__name__}"]
        wrapped = getattr(value, "__wrapped__", None)
        if isinstance(wrapped, FunctionType) and self._is_released(type(value).__module__):  # a cache, a compiler
            return ["wrapped", _name_of(value), self._describe(wrapped)]
        return self._descriptor(value) if hasattr(type(value), "__get__") else self._describe_plain(value, self._name)

    def _read(self, reader: str, name: str, value: Any) -> Any:
        """What code reads under a name, which a refusal then tells."""
        before, self._name = self._name, name
        try:
            return self._describe(value)
        except _UnclearCodeError:
            raise
        except UnclearError as error:
            raise _UnclearCodeError(reader, error) from error
        finally:
            self._name = before

    def _named(self, value: Any) -> Any:
        if "<" not in value.__qualname__ and self._is_released(str(value.__module__)):
            return ["name", f"{value.__module__}:{value.__qualname__}"]
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
        made_by = [] if self._is_released(type(cls).__module__) else [type(cls)]
        bases = [self._describe(base) for base in (*cls.__bases__, *made_by)]
        parts = [(name, value) for name, value in sorted(own.items()) if _counts(name, value, written)]
        return ["class", bases, [[name, self._read(cls.__qualname__, name, value)] for name, value in parts]]

    def _function(self, function: FunctionType) -> Any:
        cells = [
            (name, cell.cell_contents)
            for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
            if cell != CellType()  # which is empty
        ]
        written, reader = _written(function.__code__), function.__qualname__
        if not f"{function.__module__}.".startswith("skcompare.") and not self._is_released(str(function.__module__)):
            self.unseen.extend(unseen(function))
        return [
            "function",
            self._code(function.__code__),
            self._describe(function.__defaults__),
            [[name, self._describe(value)] for name, value in sorted((function.__kwdefaults__ or {}).items())],
            [self._read(reader, name, value) for name, value in cells if _counts(name, value, written)],
            [[name, self._read(reader, name, value)] for name, value in self._globals(function)],
            self._imports(function),
            [[name, self._describe(value)] for name, value in sorted(vars(function).items()) if name != "__wrapped__"],
        ]

    def _globals(self, function: FunctionType) -> Iterator[tuple[str, Any]]:
        """Names that a function may read from its module, or from the user's modules that it names."""
        code, inside = function.__code__, function.__globals__
        looking_up = {name for name in code.co_names if id(inside.get(name)) in (id(getattr), id(attrgetter))}
        made = [value for name in code.co_names if isinstance(value := inside.get(name), attrgetter)]
        own = chain.from_iterable(".".join(value.__reduce__()[1]).split(".") for value in made)
        names = sorted({*_names(code, looking_up | _BY_TEXT), *own})
        written = _written(code)
        yield from self._among(inside, names, written)
        for name in _imported(function):  # when it runs; the fits would import it too
            if not self._is_released(name):
                with suppress(Exception):
                    yield from list(self._inside(name, importlib.import_module(name), names, written))

    def _inside(self, path: str, module: ModuleType, names: Names, written: Names) -> Iterator[tuple[str, Any]]:
        """What a function may read of a module of the user, and of modules in it."""
        if self._is_released(module.__name__) or id(module) in self._seen:
            return
        self._seen.add(id(module))
        yield from self._among(vars(module), names, written, f"{path}.")

    def _among(self, own: Mapping[str, Any], names: Names, written: Names, path: str = "") -> Iterator[tuple[str, Any]]:
        for name in names:
            if name in own and _counts(name, own[name], written):
                yield f"{path}{name}", own[name]
                if isinstance(own[name], ModuleType):
                    yield from self._inside(f"{path}{name}", own[name], names, written)

    def _imports(self, function: FunctionType) -> list[Any]:
        """The files of the user's modules that a function imports when it runs."""
        found = []
        for name in _imported(function):
            if not self._is_released(name):
                with suppress(Exception):  # it is not there now, and may never be asked for
                    spec = find_spec(name)
                    if spec is not None and spec.origin is not None and spec.origin.endswith(".py"):
                        found.append([name, sha256(Path(spec.origin).read_bytes()).hexdigest()])
        return found

    def _items(self, value: Any) -> Any:
        """What is in a container of the user's; one that can be changed may be in itself."""
        name = type(value).__name__
        if not isinstance(value, (tuple, frozenset)):
            if id(value) in self._seen:
                return ["seen", name]
            self._seen.add(id(value))
        of_users = not self._is_released(type(value).__module__)
        beside = [type(value), getattr(value, "__dict__", None)] if of_users else []
        beside += [value.default_factory] if isinstance(value, defaultdict) else []
        more = list(map(self._describe, beside))
        if isinstance(value, dict):
            return ["dict", [[self._describe(k), self._describe(v)] for k, v in value.items()], *more]
        items = [self._describe(item) for item in value]
        return [name, items if isinstance(value, (list, tuple, deque)) else sorted(items, key=json.dumps), *more]

    def _code(self, code: CodeType) -> Any:
        return [
            "code",
            sha256(code.co_code + code.co_exceptiontable).hexdigest(),
            [code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags],
            [*code.co_varnames[: code.co_argcount + code.co_kwonlyargcount], "", *code.co_names],
            [self._describe(constant) for constant in code.co_consts],
        ]

    def _descriptor(self, value: Any) -> Any:
        """A property, a static method or what else a class wraps its functions in."""
        kind = _name_of(value)
        if id(value) in self._seen:
            return ["seen", kind]
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


def _imported(function: FunctionType) -> list[str]:
    """The modules that a function, or one inside it, imports when it runs; in full where it says where from itself."""
    package, found = function.__globals__.get("__package__") or None, set()
    for level, name in _import_statements(function.__code__):
        with suppress(ImportError, TypeError):
            found.add(resolve_name("." * level + name, package))
    return sorted(found)


@lru_cache(maxsize=4096)
def _import_statements(code: CodeType) -> tuple[tuple[int, str], ...]:
    """How many packages up, and what, for each import."""
    return tuple(
        (instructions[i - 2].argval, one.argval)  # before an import are the level and the names that it takes
        for instructions in map(list, map(dis.get_instructions, _with_inner(code)))
        for i, one in enumerate(instructions)
        if one.opname == "IMPORT_NAME"
    )


@lru_cache(maxsize=4096)
def _written(*codes: CodeType) -> frozenset[str]:
    """Names that some code, with the functions inside it, only writes to: counters, logs.

    Every load of such a name is for an addition to it (``N += 1``) or a change of what it is (``N.append(v)``). What is
    read in any other way may change results, and counts.
    """
    loads, writes, stored = Counter[str](), Counter[str](), set[str]()
    for code in _with_inner(*codes):
        instructions = list(dis.get_instructions(code))
        for i, instruction in enumerate(instructions):
            name, before = instruction.argval, instructions[i - 1]
            if _loads(instruction):
                loads[name] += 1
            if instruction.opname in ("STORE_GLOBAL", "STORE_ATTR", "STORE_DEREF"):
                stored.add(name)
                k = i - 1 - (before.opname == "SWAP")
                writes[name] += instructions[k].opname == "BINARY_OP" and instructions[k].argrepr.endswith("=")
            elif name in _CHANGES and i and _loads(before):
                stored.add(before.argval)
                writes[before.argval] += 1
    return frozenset(name for name in stored if loads[name] <= writes[name])


def _loads(instruction: dis.Instruction) -> bool:
    """Whether an instruction takes a variable of a module, of an outer function, or an attribute."""
    name = instruction.opname
    local = name.startswith(("LOAD_CONST", "LOAD_FAST", "LOAD_SMALL"))
    return name.startswith("LOAD_") and not local and isinstance(instruction.argval, str)


def _with_inner(*codes: CodeType) -> Iterator[CodeType]:
    for code in codes:
        yield code
        yield from _with_inner(*(constant for constant in code.co_consts if isinstance(constant, CodeType)))


def _counts(name: str, value: Any, written: Names) -> bool:
    """Whether a value is part of the code: not a counter or a log that the code itself keeps."""
    return isinstance(value, (FunctionType, type, ModuleType)) or name not in written


def _is_public(value: Any, owner: Any) -> bool:
    """Whether a bound method is one that its module has for all, such as those of random."""
    module, name = sys.modules.get(type(owner).__module__), getattr(value, "__name__", "")
    public = vars(module) if module is not None and owner is not None else {}
    return callable(value) and type(public.get(name)) is type(value) and bool(public[name] == value)


def _name_of(value: Any) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _codes(value: Any) -> Iterator[CodeType]:
    """The code of a function, or of the functions in a property or the like."""
    for part in (value, *(getattr(value, name, None) for name in ("fget", "fset", "__func__", "func"))):
        if isinstance(part, FunctionType):
            yield part.__code__


def _names(code: CodeType, by_text: Names = _BY_TEXT) -> Iterator[str]:
    """The names that code has; where it looks names up by their text, its texts too."""
    for part in _with_inner(code):
        yield from part.co_names
        if not {*by_text}.isdisjoint(part.co_names):
            texts = chain.from_iterable(one if type(one) is tuple else [one] for one in part.co_consts)
            paths = (text.split(".") for text in texts if isinstance(text, str))
            yield from filter(str.isidentifier, chain.from_iterable(paths))
