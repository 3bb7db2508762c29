"""What the `skcompare` command is given: models, data sets and tables, checked and read."""

from __future__ import annotations

import ast
import csv
import tomllib
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from skcompare._core.printable import one_line

DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# A text column of which at least this share of values are numbers is taken for a column with typing errors.
NUMERIC_SHARE = 0.5


class InputError(click.ClickException):
    """Bad input: one line on standard error and exit status 2."""

    exit_code = 2


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
        near = get_close_matches(class_name, [n for n in dir(module) if isinstance(getattr(module, n), type)], n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"--model {spec!r}: {module_name} has no class {class_name!r}{hint}")
    return found


def check_dataset(name: str) -> None:
    """InputError unless scikit-learn brings such a data set."""
    if name not in DATASETS:
        near = get_close_matches(name, DATASETS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise InputError(f"--dataset must be one of {', '.join(DATASETS)}; got {name!r}{hint}")


def load_dataset(name: str, *, as_frame: bool = False) -> tuple[Any, Any]:
    """X and y of a data set that scikit-learn brings."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=as_frame)
    return X, y


def read_frame(path: Path, option: str, dtype: Any = None) -> Any:
    """A comma-separated file as a frame with strings for column names."""
    try:
        import pandas as pd
    except ImportError:
        raise InputError(f"{option} needs pandas: pip install 'skcompare[frames]'") from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            # without index_col=False a first column that the header has no name for would become the index
            # a compressed table could be far larger than its file
            frame = pd.read_csv(path, index_col=False, low_memory=False, dtype=dtype, compression=None)
    except pd.errors.ParserWarning:
        raise InputError(f"{option}: the rows of {path} have more fields than its header") from None
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror or error}") from error
    except Exception as error:
        raise InputError(f"{option}: cannot read {path} as comma-separated text: {error_line(error)}") from error
    frame.columns = pd.Index([str(column) for column in frame.columns])
    twice = [(name, n) for name, n in Counter(_header(path, option)).items() if name and n > 1]
    if twice:
        raise InputError(f"{option}: {path} has {twice[0][1]} columns called {twice[0][0]!r}")
    return frame


def _header(path: Path, option: str) -> list[str]:
    """The column names as they stand in the file; pandas makes them different."""
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            return next(csv.reader(lines), [])
    except (OSError, csv.Error) as error:
        raise InputError(f"{option}: cannot read the header of {path}: {error_line(error)}") from error


def read_csv(
    path: Path, target: str | None, categorical: Sequence[str], *, regression: bool
) -> tuple[Any, Any, dict[str, list[str]]]:
    """X as a frame, y, and which columns are numeric and which categorical.

    Raises
    ------
    InputError
        If the file cannot be read, has no such column, or a column is neither numbers nor categories.
    """
    frame = read_frame(path, "--data")
    columns = list(frame.columns)
    if target is None:
        raise InputError(f"--target must name the column to predict, one of: {_some(columns)}")
    for option, name in [("--target", target), *(("--categorical", name) for name in categorical)]:
        if name not in columns:
            near = get_close_matches(name, columns, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            separator = " (is the file separated by commas?)" if len(columns) == 1 else ""
            raise InputError(f"{option}: {path} has no column {name!r}, only {_some(columns)}{hint}{separator}")
    if len(columns) < 2:
        raise InputError(f"--data: {path} has no column besides {target!r}")
    y = _target(frame[target], target, regression=regression)
    X = frame.drop(columns=target)
    kinds: dict[str, list[str]] = {"numeric": [], "categorical": []}
    for name in X.columns:
        kinds["categorical" if name in categorical or not _is_numeric(X[name], name) else "numeric"].append(name)
        if name in kinds["categorical"] and name not in categorical and X[name].nunique() > max(20, len(X) // 2):
            raise InputError(
                f"--data: column {name!r} holds {X[name].nunique()} different texts in {len(X)} rows, too many for "
                f"categories; remove it, or take it as categories all the same with --categorical {name}"
            )
    for name in kinds["categorical"]:
        X[name] = X[name].astype(object).map(str, na_action="ignore")
    return X, y, kinds


def _target(column: Any, name: str, *, regression: bool) -> Any:
    import pandas as pd

    if len(column) == 0:
        raise InputError(f"--data: no rows below the header (target {name!r})")
    if column.isna().any():
        raise InputError(f"--target: column {name!r} has no value in {_row(column.isna())}")
    if regression:
        numbers = _numbers(column, f"--target: column {name!r}")
        if numbers.isna().any():
            bad = column[numbers.isna()].iloc[0]
            raise InputError(
                f"--target: column {name!r} must hold numbers for regressors; got {bad!r} in {_row(numbers.isna())}"
            )
        return numbers.to_numpy(dtype=float)
    if pd.api.types.is_numeric_dtype(column):
        measured = column[column % 1 != 0]
        if len(measured):
            raise InputError(
                f"--target: column {name!r} must hold classes for classifiers; got {float(measured.iloc[0])!r} "
                f"in {_row(column % 1 != 0)}"
            )
        return column.to_numpy()
    return column.astype(str).to_numpy(dtype=object)


def _numbers(column: Any, where: str) -> Any:
    """A column as numbers, missing where it holds none; InputError where one is larger than a float."""
    import pandas as pd

    try:
        return pd.to_numeric(column, errors="coerce")
    except OverflowError as error:
        raise InputError(f"{where} holds numbers too large to compute with, some larger than a float") from error


def _is_numeric(column: Any, name: str) -> bool:
    """Whether a column holds numbers; InputError where most of its values do and some do not."""
    import pandas as pd

    text = column.dropna()
    if pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column):
        infinite = column.abs() == float("inf")
        if infinite.any():
            raise InputError(
                f"--data: column {name!r} holds infinity or numbers too large to compute with, in {_row(infinite)}"
            )
        return True
    if text.map(lambda value: isinstance(value, bool)).all():
        return False
    numbers = _numbers(text, f"--data: column {name!r}")
    wrong = numbers.isna()
    if len(text) and not wrong.any():
        raise InputError(f"--data: column {name!r} holds numbers too large to compute with, such as {text.iloc[0]}")
    if len(text) and (~wrong).mean() >= NUMERIC_SHARE:
        raise InputError(
            f"--data: column {name!r} holds numbers, but {text[wrong].iloc[0]!r} in {_row(wrong)}; "
            f"mend it, or take the column as categories with --categorical {name}"
        )
    return False


def prepare(named: dict[str, Any], kinds: dict[str, list[str]]) -> tuple[dict[str, Any], str]:
    """Every model behind the default preparation of a table, and that preparation in words."""
    words = (
        f"Prepared within each training set: {len(kinds['numeric'])} numeric columns (missing values: median; "
        f"standardised), {len(kinds['categorical'])} categorical columns (missing values: most frequent; one-hot)."
    )
    return {name: _prepared(kinds, model) for name, model in named.items()}, words


def _prepared(kinds: Mapping[str, Any], model: Any) -> Any:
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


def all_regressors(estimators: Any) -> bool:
    """Whether no estimator is a classifier."""
    from sklearn.base import is_regressor

    return all(is_regressor(estimator) for estimator in estimators)


def _row(bad: Any) -> str:
    """The first row that is bad."""
    return f"row {int(bad.index[bad.to_numpy().argmax()]) + 1} below the header"


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:8])) + (", ..." if len(names) > 8 else "")


def error_line(error: object) -> str:
    """An error as one line of at most 300 printable characters."""
    line = one_line(str(error)) or type(error).__name__
    return line if len(line) <= 300 else f"{line[:297]}..."


def read_study(path: Path) -> dict[str, Any]:
    """A study's configuration: models, data sets to be loaded one by one, and the options of the evaluator.

    Raises
    ------
    InputError
        If the file cannot be read, or an entry is not what it must be.
    """
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"CONFIG: cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"CONFIG: {path} is not TOML: {error_line(error)}") from error
    known = ("models", "datasets", "cv", "scoring", "seed")
    for name in config:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(f"CONFIG: {path} has an entry {name!r}; known are {', '.join(known)}{hint}")
    models = _table_of(config, "models", path)
    for name, spec in models.items():
        if not isinstance(spec, str):
            raise InputError(f"CONFIG: models.{name} must be a text such as 'sklearn.svm:SVC(C=10)'; got {spec!r}")
    try:
        named = parse_models([f"{name}={spec}" for name, spec in models.items()])
    except InputError as error:
        raise InputError(error.message.replace("--model", "CONFIG: [models]", 1)) from error
    regression = all_regressors(named.values())
    entries = _table_of(config, "datasets", path)
    from_files = any(isinstance(entry, dict) for entry in entries.values())
    datasets = {
        name: _dataset_entry(name, entry, path, as_frame=from_files, regression=regression)
        for name, entry in entries.items()
    }
    cv, scoring, seed = config.get("cv", "10x10"), config.get("scoring", []), config.get("seed", 0)
    if isinstance(cv, bool) or not isinstance(cv, (int, str)):
        raise InputError(f"CONFIG: cv must be a number of folds or 'RxK'; got {cv!r}")
    if not isinstance(scoring, list) or not all(isinstance(name, str) for name in scoring):
        raise InputError(f"CONFIG: scoring must be a list of metric names; got {scoring!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise InputError(f"CONFIG: seed must be an integer from 0 to 2**32 - 1; got {seed!r}")
    note = ""
    if from_files:
        named = {name: _behind_default_preparation(model) for name, model in named.items()}
        note = (
            "Prepared within each training set, on every data set: numeric columns (missing values: median; "
            "standardised), text columns (missing values: most frequent; one-hot)."
        )
    return {"models": named, "datasets": datasets, "cv": str(cv), "scoring": scoring, "seed": seed, "note": note}


def _table_of(config: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    table = config.get(name)
    if not isinstance(table, dict) or not table:
        raise InputError(f"CONFIG: {path} must have a table [{name}] with at least one entry; got {table!r}")
    return table


def _dataset_entry(name: str, entry: Any, config: Path, *, as_frame: bool, regression: bool) -> Any:
    """A callable that loads one data set; what can be wrong with the entry itself is found at once."""
    if isinstance(entry, str):
        if entry not in DATASETS:
            raise InputError(
                f"CONFIG: datasets.{name} must be one of {', '.join(DATASETS)}, or a table "
                f"{{path = 'FILE.csv', target = 'COLUMN'}}; got {entry!r}"
            )
        return partial(load_dataset, entry, as_frame=as_frame)
    if not isinstance(entry, dict) or not {"path", "target"} <= set(entry) <= {"path", "target", "categorical"}:
        raise InputError(
            f"CONFIG: datasets.{name} must have path, target and perhaps categorical; got {error_line(entry)}"
        )
    file, target, categorical = entry["path"], entry["target"], entry.get("categorical", [])
    texts = [file, target, *categorical] if isinstance(categorical, list) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise InputError(f"CONFIG: datasets.{name}: path and target must be texts, categorical a list of them")
    data = config.parent / file
    if not data.is_file():
        raise InputError(f"CONFIG: datasets.{name}: there is no file {data}")
    columns = _header(data, f"CONFIG: datasets.{name}")
    for column in (target, *categorical):
        if column not in columns:
            raise InputError(f"CONFIG: datasets.{name}: {data} has no column {column!r}, only {_some(columns)}")
    return partial(_load_csv, data, target, categorical, regression=regression)


def _load_csv(path: Path, target: str, categorical: Sequence[str], *, regression: bool) -> tuple[Any, Any]:
    X, y, _ = read_csv(path, target, categorical, regression=regression)
    return X, y


def _behind_default_preparation(model: Any) -> Any:
    """A model behind the preparation of whatever numeric and text columns a frame has."""
    from sklearn.compose import make_column_selector

    kinds = {
        "numeric": make_column_selector(dtype_include="number"),
        "categorical": make_column_selector(dtype_exclude="number"),
    }
    return _prepared(kinds, model)
