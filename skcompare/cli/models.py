"""The models that the command is given, and the default preparation of a table for any of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from skcompare.cli.errors import InputError, as_input_error, did_you_mean, error_line


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
    with as_input_error(Exception, start=f"--model {spec!r}: "):
        estimator = cls(**keywords)
    return name.strip() or expression.id.lower(), estimator


def _import_class(module_name: str, class_name: str, spec: str) -> Any:
    with as_input_error(Exception, start=f"--model {spec!r}: cannot import {module_name!r}: "):
        module = import_module(module_name)
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


def prepare(named: dict[str, Any], kinds: dict[str, list[str]]) -> tuple[dict[str, Any], str]:
    """Every model behind the default preparation of a table, and that preparation in words."""
    from skcompare._core.words import counted

    words = (
        f"Prepared within each training set: {counted(len(kinds['numeric']), 'numeric column')} (missing values: "
        f"median; standardised), {counted(len(kinds['categorical']), 'categorical column')} (missing values: most "
        "frequent; one-hot)."
    )
    return {name: prepared(kinds, model) for name, model in named.items()}, words


def prepared(kinds: Mapping[str, Any], model: Any) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numeric = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    table = ColumnTransformer(
        [("numeric", numeric, kinds["numeric"]), ("categorical", categories, kinds["categorical"])]
    )
    return make_pipeline(table, model)


def behind_default_preparation(model: Any) -> Any:
    """A model behind the preparation of whatever numeric and text columns a frame has."""
    from sklearn.compose import make_column_selector

    kinds = {
        "numeric": make_column_selector(dtype_include="number"),
        "categorical": make_column_selector(dtype_exclude="number"),
    }
    return prepared(kinds, model)
