"""What code reads that no identity can hold: files, the environment, code that is made when it runs, chance."""

from __future__ import annotations

import builtins
import dis
import importlib
import io
import os
import random
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

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
_GENERATORS: tuple[Any, Any] = (
    vars(random)["_inst"],
    vars(np.random.mtrand)["_rand"],
)  # of all that has no generator of its own


def unseen(function: FunctionType) -> Iterator[str]:
    """File and line of what a function reads, with the functions inside it, and what that is."""
    for code in _with_inner(function.__code__):
        value: Any = _MISSING
        for instruction in dis.get_instructions(code):
            name, value = instruction.argval, _next(instruction, value, function)
            told = _OBJECTS.get(id(value)) or (_METHODS.get(name, "") if instruction.opname in _ATTRIBUTES else "")
            if told == "open" and value is not builtins.open:
                told = "io.open"
            if any(getattr(value, "__self__", None) is generator for generator in _GENERATORS):
                told = f"{'random' if value.__self__ is _GENERATORS[0] else 'numpy.random'}.{name}"
            if told:
                line = instruction.positions.lineno if instruction.positions else code.co_firstlineno
                yield f"{Path(code.co_filename).name}:{line} {told}"


_ATTRIBUTES = ("LOAD_ATTR", "LOAD_METHOD")


def _next(instruction: dis.Instruction, before: Any, function: FunctionType) -> Any:
    """The value that an instruction takes from the module, or from a module that was just taken."""
    name, kind = instruction.argval, instruction.opname
    if kind in ("LOAD_GLOBAL", "LOAD_NAME"):
        return function.__globals__.get(name, vars(builtins).get(name, _MISSING))
    if kind in _ATTRIBUTES and isinstance(before, ModuleType):
        return vars(before).get(name, _MISSING)
    return _MISSING


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)
