"""What the command fits: models by their classes, scikit-learn's data sets, separated tables, the file of a study."""

from __future__ import annotations

import ast
import csv
import gc
import json
import re
import shlex
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from skcompare._core.archive import check_regular
from skcompare._core.numbers import counted, some_names
from skcompare._core.validation import check_choice, did_you_mean, nearest
from skcompare.cli import error_line, told
from skcompare.tables.source import SEPARATORS, decoded, separator

DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# A text column of which at least this share of values are numbers is taken for a column with typing errors.
NUMERIC_SHARE = 0.5
_NUMERIC = "biufc"  # kinds of dtypes


def check_known(name: str, known: Sequence[str], lacks: str) -> None:
    """ValueError, which begins with what `lacks` the name, where it is none of those that are known."""
    if name not in known:
        raise ValueError(f"{did_you_mean(nearest(name, known))}{lacks} {name!r}, only {some_names(known)}")


# ---- data and models as options -------------------------------------------------------------------------------


def given(
    *, dataset: str | None, data: Path | None, models: Sequence[str], **options: Any
) -> tuple[dict[str, Any], Any, Any, Any, list[str]]:
    """The models by name, X, y, the groups or None, and what is to be said of the data.

    Raises
    ------
    ValueError
        If options do not go together, or name what is not there.
    """
    columns = {name: options[name] for name in ("target", "categorical", "drop", "group", "sep") if name in options}
    if (dataset is None) == (data is None):
        raise ValueError("give either --dataset NAME or --data FILE.csv")
    if data is None and any(columns.values()):
        raise ValueError("--target, --categorical, --drop, --group and --sep go with --data")
    if dataset is not None:
        check_choice(dataset, "--dataset", DATASETS)
    named = parse_models(models)
    gc.freeze()  # what was imported stays: no collection need go through it again
    regression = all(map(is_regressor, named.values()))
    if dataset == "diabetes" and not regression:
        raise ValueError("--dataset diabetes has a numeric target: give regressors")
    if data is None:
        return named, *bundled_dataset(str(dataset)), None, []
    X, y, groups = read_csv(data, regression=regression, **columns)
    numeric = [*X.select_dtypes("number").columns]
    categorical = [name for name in X.columns if name not in numeric]
    said = (
        f"Prepared within each training set: {counted(len(numeric), 'numeric column')} (missing values: "
        f"median; standardised), {counted(len(categorical), 'categorical column')} (missing values: most "
        "frequent; one-hot)."
    )
    return prepared(named, numeric, categorical), X, y, groups, [said, identifier_note(X)]


def bundled_dataset(name: str, *, as_frame: bool = False) -> tuple[Any, Any]:
    """X and y of a data set that scikit-learn brings."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=as_frame)
    return X, y


# ---- tables ---------------------------------------------------------------------------------------------------


def read_csv(
    path: Path,
    *,
    regression: bool,
    target: Sequence[str],
    categorical: Sequence[str] = (),
    drop: Sequence[str] = (),
    group: str | None = None,
    sep: str | None = None,
) -> tuple[Any, Any, Any]:
    """X as a frame, whose columns are numbers or texts; y; and the group of each row or None.

    Raises
    ------
    ValueError
        If the file cannot be read, has no such column, or a column is neither numbers nor categories.
    """
    frame = read_frame(path, "--data", sep and separator(sep, "--sep"))
    named = {"target": target, "categorical": categorical, "drop": drop, "group": () if group is None else (group,)}
    if not target:
        raise ValueError(f"--target must name the column to predict, one of: {some_names([*frame])}")
    for option, name in ((option, name) for option, names in named.items() for name in names):
        check_known(name, [*frame], f"--{option}: {path} has no column")
        others = [other for other in ("target", "categorical", "drop") if name in named[other] and other != option]
        if option in ("drop", "group") and others:
            raise ValueError(f"--{option}: {name!r} is left out and cannot be named by --{others[0]} too")
    columns = [_target(frame[name], name, regression=regression) for name in dict.fromkeys(target)]
    if group is not None and frame[group].isna().any():
        raise ValueError(f"--group: column {group!r} is empty in {counted(int(frame[group].isna().sum()), 'row')}")
    X = frame.drop(columns=[*target, *drop, *named["group"]])
    if X.shape[1] == 0:
        raise ValueError(f"--data: {path} has no column besides {some_names([*target, *drop, *named['group']])}")
    for name in X.columns:
        if name not in categorical and _is_numeric(X[name], name):
            continue
        if name not in categorical and X[name].nunique() > max(20, len(X) // 2):
            raise ValueError(
                f"--data: column {name!r} holds {X[name].nunique()} different texts in {len(X)} rows, too many for "
                f"categories; leave it out with --drop {shlex.quote(name)}, or keep it with --categorical "
                f"{shlex.quote(name)}"
            )
        X[name] = X[name].astype(object).map(str, na_action="ignore").astype(object)
    y = columns[0] if len(columns) == 1 else np.column_stack(columns)
    return X, y, None if group is None else frame[group].map(str).to_numpy()


def read_frame(path: Path, option: str, sep: str | None = None) -> Any:
    """A file of separated columns as a frame with strings for column names."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError(f"{option} needs pandas: pip install 'skcompare[frames]'") from None
    text, mark, names = _text_of(path, option, sep)
    if twice := [name for name, n in Counter(names).items() if name and n > 1]:
        raise ValueError(f"{option}: {path} has {names.count(twice[0])} columns called {twice[0]!r}")
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
            # without index_col=False a first column that the header has no name for would become the index
            return pd.read_csv(StringIO(text, newline=""), sep=mark, index_col=False, low_memory=False)
    except pd.errors.ParserWarning:
        raise ValueError(f"{option}: the rows of {path} have more fields than its header") from None
    except Exception as error:
        raise ValueError(f"{option}: cannot read {path} as separated text: {error_line(error)}") from error


def _text_of(path: Path, option: str, sep: str | None) -> tuple[str, str, list[str]]:
    """The text of a file, what separates its columns, and their names, which pandas would make different."""
    check_regular(path, option)
    with told(f"{option}: cannot read {path}: ", (OSError, ValueError, csv.Error)):
        text = decoded(path.read_bytes()).lstrip("\r\n")
        header = text.partition("\n")[0]
        mark = sep or ("," if "," in header else max(SEPARATORS, key=header.count))
        return text, mark, next(csv.reader(StringIO(text, newline=""), delimiter=mark), [])


def identifier_note(X: Any, left_out: Sequence[str] | None = None) -> str:
    """What is said of columns that look like identifiers, integers or texts with another one in every row.

    Empty of none. `left_out` is what the entry of a study leaves out already.
    """
    found = [name for name in X.columns if X[name].dtype.kind not in "bfc"]
    found = [name for name in found if len(X) > 1 and X[name].notna().all() and X[name].is_unique]
    if not found:
        return ""
    column, they, them = ("Columns {} have", "They are", "them") if found[1:] else ("Column {} has", "It is", "it")
    how = " ".join(f"--drop {shlex.quote(name)}" for name in found)
    if left_out is not None:
        how = f"drop = {json.dumps([*left_out, *found], ensure_ascii=False)}"
    said = f"{column.format(some_names(found))} another value in every row, like an identifier."
    return f"{said} {they} used; to leave {them} out: {how}."


def _target(column: Any, name: str, *, regression: bool) -> Any:
    if column.empty:
        raise ValueError(f"--data: no rows below the header (target {name!r})")
    if column.isna().any():
        raise ValueError(f"--target: column {name!r} has no value in {_row(column.isna())}")
    if not regression and column.dtype.kind not in _NUMERIC:
        return column.astype(str).to_numpy(dtype=object)
    numbers = _numbers(column)
    bad, of = (
        (numbers.isna(), "numbers for regressors") if regression else (numbers % 1 != 0, "classes for classifiers")
    )
    if bad.any():
        first = column[bad].tolist()[0]
        raise ValueError(f"--target: column {name!r} must hold {of}; got {first!r} in {_row(bad)}")
    return numbers.to_numpy(dtype=float if regression else None)


def _numbers(column: Any) -> Any:
    """A column as numbers, missing where it holds none, infinite where one is larger than a float."""
    import pandas as pd

    return column if column.dtype.kind in _NUMERIC else pd.to_numeric(column.astype(str), errors="coerce")


def _is_numeric(column: Any, name: str) -> bool:
    """Whether a column holds numbers; ValueError where most of its values do and some do not."""
    if column.dtype.kind == "b":
        return False
    numbers, where = _numbers(column), f"--data: column {name!r}"
    wrong = numbers.isna() & column.notna()
    if wrong.any() and (~wrong[column.notna()]).mean() >= NUMERIC_SHARE:
        raise ValueError(
            f"{where} holds numbers, but {column[wrong].iloc[0]!r} in {_row(wrong)}; "
            f"mend it, or take the column as categories with --categorical {name}"
        )
    large = numbers.abs() >= (np.inf if column.dtype.kind in _NUMERIC else 2.0**63)
    if large.any() and not wrong.any():
        raise ValueError(f"{where} holds infinity or numbers too large to compute with, in {_row(large)}")
    return not wrong.any()


def _row(bad: Any) -> str:
    """The first row that is bad."""
    return f"row {int(bad.index[bad.to_numpy().argmax()]) + 1} below the header"


# ---- models, and the default preparation of a table for any of them -------------------------------------------

_SPEC = re.compile(r"(?:(.*\S)\s*=)?\s*([^\s=:]+)\s*:\s*(\w+)\s*(\(.*\))?\s*", re.DOTALL)


def parse_models(specs: Sequence[str], called: str = "--model") -> dict[str, Any]:
    """Estimators by name from specs ``name=module:Class(key=literal, ...)``, without evaluating any code.

    Raises
    ------
    ValueError
        If a spec cannot be read, or names no importable estimator; it begins with `called`.
    """
    named: dict[str, Any] = {}
    for spec in specs:
        name, estimator = _parse_model(spec, called)
        if name in named:
            raise ValueError(f"{called}: two models are called {name!r}; write NAME=MODULE:CLASS with another name")
        named[name] = estimator
    return named


def _parse_model(spec: str, called: str) -> tuple[str, Any]:
    form = f"{called} must read NAME=MODULE:CLASS or NAME=MODULE:CLASS(KEY=LITERAL, ...); got {spec!r}"
    found = _SPEC.fullmatch(spec)
    if found is None:
        raise ValueError(form)
    name, module_name, class_name, arguments = found.groups()
    try:
        call: Any = ast.parse(f"dict{arguments or '()'}", mode="eval").body
        keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        if call.args or None in keywords or not isinstance(call.func, ast.Name):
            raise ValueError(form)
    except (SyntaxError, ValueError, TypeError, AttributeError, RecursionError, MemoryError) as error:
        raise ValueError(f"{form} (only KEY=LITERAL arguments are possible)") from error
    where = f"{called} {spec!r}: "
    with told(f"{where}cannot import {module_name!r}: ", (Exception,)):
        module = import_module(module_name)
    cls: Any = getattr(module, class_name, None)
    if not isinstance(cls, type):
        classes = [one for one in dir(module) if isinstance(getattr(module, one), type)]
        check_known(class_name, classes, f"{where}{module_name} has no class")
    # asked of the class: making an instance of any class at all could do anything
    if not all(hasattr(cls, method) for method in ("fit", "predict", "get_params")):
        raise ValueError(f"{where}{class_name} is no estimator with fit and predict")
    with told(where, (Exception,)):
        return name or class_name.lower(), cls(**keywords)


def prepared(models: dict[str, Any], numeric: Any, categorical: Any) -> dict[str, Any]:
    """Models behind the default preparation of a frame with such columns."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    def behind(model: Any) -> Any:
        numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
        most_frequent = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
        categories = make_pipeline(most_frequent, OneHotEncoder(handle_unknown="ignore", sparse_output=False))
        table = ColumnTransformer([("numeric", numbers, numeric), ("categorical", categories, categorical)])
        return make_pipeline(table, model)

    return {name: behind(model) for name, model in models.items()}


# ---- the file of a study --------------------------------------------------------------------------------------


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


# By its name what an entry is that is left out, whether one is sound, and what it must be.
_ENTRIES: dict[str, tuple[Any, Callable[[Any], bool], str]] = {
    "models": ({}, lambda x: isinstance(x, dict) and x != {}, "a table [models] with at least one entry"),
    "datasets": ({}, lambda x: isinstance(x, dict) and x != {}, "a table [datasets] with at least one entry"),
    "cv": ("10x10", lambda x: type(x) in (int, str), "a number of folds or 'RxK'"),
    "scoring": ([], _are_texts, "a list of metric names"),
    "seed": (0, lambda x: type(x) is int and 0 <= x < 2**32, "an integer from 0 to 2**32 - 1"),
    "baseline": (None, lambda x: x is None or isinstance(x, str), "a name in [models], or 'dummy'"),
}


def read_study(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]:
    """Models, data sets to be loaded one by one, options of the evaluation, and what is to be said of the data.

    The last list grows while data sets are loaded.

    Raises
    ------
    ValueError
        If the file cannot be read, or an entry is not what it must be.
    """
    check_regular(path, "CONFIG")
    with told(f"CONFIG: cannot read {path}: ", (OSError,)), told(f"CONFIG: {path} is not TOML: ", (ValueError,)):
        try:
            config = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except RecursionError:
            raise ValueError("it is nested too deep") from None
    for name in config:
        check_known(name, [*_ENTRIES], f"CONFIG: {path} cannot have an entry")
    for name, (default, is_sound, form) in _ENTRIES.items():
        if not is_sound(config.setdefault(name, default)):
            raise ValueError(f"CONFIG: {name} must be {form}; got {config[name]!r}")
    named = parse_models([f"{name}={spec}" for name, spec in config["models"].items()], "CONFIG: [models]")
    from_files, notes = any(isinstance(entry, dict) for entry in config["datasets"].values()), list[str]()
    loaded: dict[str, Any] = {"as_frame": from_files, "regression": all(map(is_regressor, named.values()))}
    datasets = {name: _dataset(name, entry, path, notes, **loaded) for name, entry in config["datasets"].items()}
    if from_files:
        from sklearn.compose import make_column_selector as columns

        named = prepared(named, columns(dtype_include="number"), columns(dtype_exclude="number"))
        notes.append(
            "Prepared within each training set, on every data set: numeric columns (missing values: median; "
            "standardised), text columns (missing values: most frequent; one-hot)."
        )
    design = {"cv": str(config["cv"]), "random_state": config["seed"]}
    return named, datasets, {**design, "scoring": config["scoring"], "baseline": config["baseline"]}, notes


def _dataset(
    name: str, entry: Any, config: Path, notes: list[str], *, as_frame: bool, regression: bool
) -> Callable[[], tuple[Any, Any]]:
    """A callable that loads one data set; what can be wrong with the entry itself is found at once."""
    where = f"CONFIG: datasets.{name}"
    if entry in DATASETS:
        return partial(bundled_dataset, entry, as_frame=as_frame)
    if not isinstance(entry, dict) or not {"path", "target"} <= {*entry} <= {*_DATASET}:
        table = "{path = 'FILE.csv', target = 'COLUMN'}, perhaps with categorical, drop and sep"
        raise ValueError(f"{where} must be one of {', '.join(DATASETS)}, or {table}; got {error_line(entry)}")
    full = {**_DATASET, **entry}
    if not all(map(_are_texts, ([full["path"], full["target"], full["sep"] or ""], full["categorical"], full["drop"]))):
        raise ValueError(f"{where}: path, target and sep must be texts, categorical and drop lists of them")
    options = {**full, "target": [full["target"]], "sep": full["sep"] and separator(full["sep"], f"{where}: sep")}
    path = config.parent / options.pop("path")
    # Whoever wrote CONFIG chose the file, which may be none of theirs: what stands in it is not shown.
    *_, header = _text_of(path, where, options["sep"])
    for column in (*options["target"], *options["categorical"], *options["drop"]):
        if column not in header:
            raise ValueError(f"{where}: {path} has no column {column!r} among its {len(header)}")

    def load() -> tuple[Any, Any]:
        X, y, _ = read_csv(path, regression=regression, **options)
        if note := identifier_note(X, options["drop"]):
            notes.append(f"Data set {name!r}: {note[0].lower()}{note[1:]}")
        return X, y

    return load


_DATASET: dict[str, Any] = {"path": None, "target": None, "categorical": [], "drop": [], "sep": None}
