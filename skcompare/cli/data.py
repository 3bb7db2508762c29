"""What the command fits: models by their classes, scikit-learn's data sets, separated tables, the file of a study."""

from __future__ import annotations

import ast
import gc
import json
import re
import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import is_regressor

from skcompare._core.archive import check_regular
from skcompare._core.frames import import_pandas
from skcompare._core.numbers import agreeing, counted, some_names
from skcompare._core.validation import check_choice
from skcompare.cli import told

Names = Sequence[str]
DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# What cells say in words, as pandas reads it: nothing, or whether something is so.
_NOTHING = ("", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>", "NaN", "nan", "-NaN", "-nan", "NULL", "null", "None")
_WORDS: dict[Any, Any] = dict.fromkeys(_NOTHING)
_WORDS |= {word: word.lower() == "true" for word in ("True", "TRUE", "true", "False", "FALSE", "false")}


# ---- data and models as options -------------------------------------------------------------------------------


def given(*, dataset: str | None, data: Path | None, models: Names, **options: Any) -> tuple[Any, ...]:
    """The models by name, X, y, the groups or None, and what is to be said of the data.

    Raises
    ------
    ValueError
        If options do not go together, or name what is not there.
    """
    columns: dict[str, Any] = {name: options.get(name) for name in ("target", "categorical", "drop", "group", "sep")}
    if (dataset is None) == (data is None):
        raise ValueError("give either --dataset NAME or --data FILE.csv")
    if data is None and any(columns.values()):
        raise ValueError("--target, --categorical, --drop, --group and --sep go with --data")
    if dataset is not None:
        check_choice(dataset, "--dataset", DATASETS)
    named = parse_models(models, options.get("called", "--model"))
    gc.freeze()  # what was imported stays: no collection need go through it again
    regression = all(map(is_regressor, named.values()))
    if not regression and any(map(is_regressor, named.values())):
        raise ValueError(f"{options.get('called', '--model')} must be all classifiers or all regressors; got both")
    if dataset == "diabetes" and not regression:
        raise ValueError("--dataset diabetes has a numeric target: give regressors")
    if data is None:
        return named, *bundled_dataset(str(dataset)), None, []
    X, y, groups = read_csv(data, regression=regression, **columns)
    numeric = [*X.select_dtypes("number").columns]
    named, said = prepared(named, numeric, [name for name in X.columns if name not in numeric])
    return named, X, y, groups, [said, *identifier_notes(X)]


def bundled_dataset(name: str, *, as_frame: bool = False) -> Any:
    """X and y of a data set that scikit-learn brings."""
    from sklearn import datasets

    return getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=as_frame)


# ---- tables ---------------------------------------------------------------------------------------------------


def read_csv(
    path: Path, *, regression: bool, target: Names, categorical: Names, drop: Names, group: Any = None, sep: Any = None
) -> tuple[Any, Any, Any]:
    """X as a frame, whose columns are numbers or texts; y; and the group of each row or None.

    Raises
    ------
    ValueError
        If the file cannot be read, has no such column, or a column is neither numbers nor categories.
    """
    frame = read_frame(path, "--data", sep)
    if not target:
        raise ValueError(f"--target must name the column to predict, one of: {some_names([*frame])}")
    left_out = {"group": [group] if group else [], "drop": drop}
    for option, names in {"target": target, "categorical": categorical, **left_out}.items():
        for name in names:
            check_choice(name, f"--{option}, a column of {path},", [*frame])
            if option in left_out and name in (*target, *categorical):
                raise ValueError(f"--{option}: {name!r} is left out and cannot be another column too")
    columns = [_target(frame[name], name, regression=regression) for name in dict.fromkeys(target)]
    others = [name for name in frame if name not in (*target, *drop, group)]
    if not others:
        raise ValueError(f"--data: {path} has no column besides {some_names([*target, *drop, *left_out['group']])}")
    X = frame[others].apply(lambda x: _texts(x) if x.name in categorical else _feature(x))
    y = columns[0] if len(columns) == 1 else np.column_stack(columns)
    if group is None:
        return X, y, None
    _refuse(frame[group].isna(), f"--group: column {group!r} is empty")
    return X, y, frame[group].map(str).to_numpy()


def read_frame(path: Path, option: str, sep: str | None = None) -> Any:
    """The table in a file as a frame of cells as they came, but for words that say nothing, true or false."""
    from skcompare.tables.source import table_of

    pd = import_pandas()
    check_regular(path, option)
    with told(f"{option}: "):
        columns = table_of(path, sep=sep).columns
    return pd.DataFrame({x: [_WORDS.get(cell, cell) for cell in columns[x].tolist()] for x in columns}, dtype=object)


def identifier_notes(X: Any, left_out: Names | None = None) -> list[str]:
    """What is said of columns that look like identifiers, integers or texts with another one in every row.

    `left_out` is what the entry of a study leaves out already.
    """
    found = [name for name in X if X[name].dtype.kind not in "bfc" and X[name].notna().all() and X[name].is_unique]
    if not found or len(X) < 2:
        return []
    how = " ".join(f"--drop {shlex.quote(name)}" for name in found)
    if left_out is not None:
        how = f"drop = {json.dumps([*left_out, *found], ensure_ascii=False)}"
    n, like = len(found), "another value in every row, like an identifier"
    which = f"{agreeing(n, 'Column', 'Columns')} {some_names(found)} {agreeing(n, 'has', 'have')} {like}"
    return [f"{which}, and {agreeing(n, 'is', 'are')} used. To leave {agreeing(n, 'it', 'them')} out: {how}."]


def _target(column: Any, name: str, *, regression: bool) -> Any:
    _refuse(column.isna(), f"--target: column {name!r} has no value")
    numbers = _numbers(column * 1 if regression else column)  # what is so counts 1
    if not regression and numbers.isna().any():
        return column.to_numpy(dtype=bool) if column.isin([True, False]).all() else _texts(column).to_numpy()
    if not regression:
        return numbers.to_numpy()
    first = next(iter(column[numbers.isna()]), None)
    _refuse(numbers.isna(), f"--target: column {name!r} must hold numbers for regressors; got {first!r}")
    return numbers.to_numpy(dtype=float)


def _feature(column: Any) -> Any:
    """A column as numbers or as texts; ValueError where most of its values are numbers and some are not."""
    numbers, where, name = _numbers(column), f"--data: column {column.name!r}", shlex.quote(column.name)
    wrong = numbers.isna() & column.notna()
    if not wrong.any():
        _refuse(numbers.abs() == np.inf, f"{where} holds infinity or numbers too large to compute with,")
        return numbers
    if wrong.sum() <= column.notna().sum() / 2:  # with typing errors
        mend = f"mend it, or take the column as categories with --categorical {name}"
        _refuse(wrong, f"{where} holds numbers: {mend}; got {column[wrong].iloc[0]!r}")
    if column.nunique() > max(20, len(column) // 2):
        texts = f"holds {column.nunique()} different texts in {len(column)} rows, too many for categories"
        raise ValueError(f"{where} {texts}: leave it out with --drop {name}, or keep it with --categorical {name}")
    return _texts(column)


def _numbers(column: Any) -> Any:
    """Cells as numbers, missing where they are none, infinite where one is larger than a float."""
    return import_pandas().to_numeric(_texts(column), errors="coerce")


def _texts(column: Any) -> Any:
    return column.map(str, na_action="ignore").astype(object)


def _refuse(bad: Any, says: str) -> None:
    """ValueError with the first row that is bad, where there is one."""
    if bad.any():
        raise ValueError(f"{says} in row {int(bad.to_numpy().argmax()) + 1} below the header")


# ---- models, and the default preparation of a table for any of them -------------------------------------------

_SPEC = re.compile(r"(?:(.*\S)\s*=)?\s*([^\s=:]+)\s*:\s*(\w+)\s*(\(.*\))?\s*", re.DOTALL)


def parse_models(specs: Names, called: str = "--model") -> dict[str, Any]:
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
    if (found := _SPEC.fullmatch(spec)) is None:
        raise ValueError(form)
    name, module_name, class_name, arguments = found.groups()
    with told(f"{form} (only KEY=LITERAL arguments are possible)", (Exception,)):
        call: Any = ast.parse(f"dict{arguments or '()'}", mode="eval").body
        keywords = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        if call.args or None in keywords or not isinstance(call.func, ast.Name):
            raise ValueError
    where = f"{called} {spec!r}: "
    with told(f"{where}cannot import {module_name!r}: ", (Exception,)):
        module = import_module(module_name)
    cls: Any = getattr(module, class_name, None)
    if not isinstance(cls, type):
        classes = [one for one in dir(module) if isinstance(getattr(module, one), type)]
        check_choice(class_name, f"{where}the class, after the colon,", classes)
    # asked of the class: making an instance of any class at all could do anything
    if not all(hasattr(cls, method) for method in ("fit", "predict", "get_params")):
        raise ValueError(f"{where}{class_name} is no estimator with fit and predict")
    with told(where, (Exception,)):
        return name or class_name.lower(), cls(**keywords)


def prepared(models: Mapping[str, Any], numeric: Any, categorical: Any) -> tuple[dict[str, Any], str]:
    """Models behind the default preparation of a frame with such columns, and what is said of it."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    most_frequent = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
    categories = make_pipeline(most_frequent, OneHotEncoder(handle_unknown="ignore", sparse_output=False))
    table = ColumnTransformer([("numeric", numbers, numeric), ("categorical", categories, categorical)])
    kinds = {"numeric": numeric, "categorical": categorical}.items()
    said = [counted(len(x), f"{kind} column") if isinstance(x, list) else f"{kind} columns" for kind, x in kinds]
    how = f"{said[0]} (missing values: median; standardised), {said[1]} (missing values: most frequent; one-hot)"
    made = {name: make_pipeline(table, model) for name, model in models.items()}
    return made, f"Prepared within each training set: {how}."


# ---- the file of a study --------------------------------------------------------------------------------------


def read_study(
    path: Path, parsed: Callable[[str, Any, str], dict[str, Any]]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]:
    """Models, data sets, options of the evaluation, and what is to be said of the data.

    `parsed` makes options of the command, of some groups, of a table of TOML.

    Raises
    ------
    ValueError
        If the file cannot be read, or an entry is not what it must be.
    """
    check_regular(path, "CONFIG")
    with told(f"CONFIG: cannot read {path}: ", (OSError, ValueError, RecursionError)):
        config = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    models, datasets = (config.pop(name, {}) for name in ("models", "datasets"))
    design = parsed("CONFIG", config, "cv")
    for name, table in {"models": models, "datasets": datasets}.items():
        if not isinstance(table, dict) or not table:
            raise ValueError(f"CONFIG: {name} must be a table [{name}] with at least one entry; got {table!r}")
    named = parse_models([f"{name}={spec}" for name, spec in models.items()], "CONFIG: [models]")
    from_files, notes = any(isinstance(entry, dict) for entry in datasets.values()), list[str]()
    regression = all(map(is_regressor, named.values()))
    found: dict[str, tuple[Any, Any]] = {}
    for name, entry in datasets.items():
        where = f"CONFIG: datasets.{name}"
        if isinstance(entry, dict):
            options = parsed(where, entry, "entry columns sep")
            file = path.parent / options.pop("path")
            _check_columns(file, where, options)
            with told(f"{where}: "):
                X, y, _ = read_csv(file, regression=regression, **options)
            found[name] = X, y
            notes += [f"Data set {name!r}: {note}" for note in identifier_notes(X, options["drop"])]
        else:
            check_choice(entry, f"{where}, if it is no table with path and target,", DATASETS)
            found[name] = bundled_dataset(entry, as_frame=from_files)
    if from_files:
        from sklearn.compose import make_column_selector as columns

        named, said = prepared(named, columns(dtype_include="number"), columns(dtype_exclude="number"))
        notes.append(said)
    return named, found, design, notes


def _check_columns(file: Path, where: str, options: Mapping[str, Any]) -> None:
    """ValueError where a file is none, or lacks columns that are named; it shows nothing of the file."""
    with told(f"{where}: cannot read {file}: "):
        file.stat()
    with told(f"{where}: {file} cannot be read as a table"):  # who wrote CONFIG chose the file, maybe none of theirs
        header = [*read_frame(file, where, options["sep"])]
    for column in (*options["target"], *options["categorical"], *options["drop"]):
        if column not in header:
            raise ValueError(f"{where}: {file} has no column {column!r} among its {len(header)}")
