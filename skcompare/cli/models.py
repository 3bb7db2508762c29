"""The models that the command is given."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from skcompare.cli.errors import InputError, did_you_mean, error_line


def parse_models(specs: Sequence[str]) -> dict[str, Any]:
    """Estimators by name from specs ``name=module:Class(key=literal, ...)``, without evaluating any code.

    Raises
    ------
    InputError
        If a spec cannot be read, or names no importable estimator.
    """
    named: dict[str, Any] = {}
    for spec in specs:
        name, estimator = _parse_model(spec)
        if name in named:
            raise InputError(f"--model: two models are called {name!r}; write NAME=MODULE:CLASS with another name")
        named[name] = estimator
    return named


def _parse_model(spec: str) -> tuple[str, Any]:
    form = "must read NAME=MODULE:CLASS or NAME=MODULE:CLASS(KEY=LITERAL, ...)"
    path, colon, call = spec.partition(":")
    name, equals, module_name = path.rpartition("=")
    if not colon or (equals and not name.strip()):
        raise InputError(f"--model {form}; got {spec!r}")
    try:
        expression = ast.parse(call.strip(), mode="eval").body
        keywords: dict[str, Any] = {}
        if isinstance(expression, ast.Call):
            if expression.args or any(keyword.arg is None for keyword in expression.keywords):
                raise ValueError("only KEY=LITERAL arguments are possible")
            keywords = {str(k.arg): ast.literal_eval(k.value) for k in expression.keywords}
            expression = expression.func
        if not isinstance(expression, ast.Name):
            raise ValueError("the class must be a plain name")
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise InputError(f"--model {form}; got {spec!r} ({error_line(error)})") from error
    cls = _import_class(module_name.strip(), expression.id, spec)
    # asked of the class: making an instance of any class at all could do anything
    if not all(hasattr(cls, method) for method in ("fit", "predict", "get_params")):
        raise InputError(f"--model {spec!r}: {expression.id} is no estimator with fit and predict")
    try:
        estimator = cls(**keywords)
    except Exception as error:
        raise InputError(f"--model {spec!r}: {error_line(error)}") from error
    return name.strip() or expression.id.lower(), estimator


def _import_class(module_name: str, class_name: str, spec: str) -> Any:
    try:
        module = import_module(module_name)
    except Exception as error:
        raise InputError(f"--model {spec!r}: cannot import {module_name!r}: {error_line(error)}") from error
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        classes = [name for name in dir(module) if isinstance(getattr(module, name), type)]
        hint = did_you_mean(class_name, classes, quoted=False)
        raise InputError(f"--model {spec!r}: {module_name} has no class {class_name!r}{hint}")
    return found


def all_regressors(estimators: Any) -> bool:
    """Whether no estimator is a classifier."""
    from sklearn.base import is_regressor

    return all(is_regressor(estimator) for estimator in estimators)
