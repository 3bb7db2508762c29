"""The data that the command is given: scikit-learn's data sets and comma-separated tables."""

from __future__ import annotations

import ast
import csv
import shlex
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from skcompare._core.numbers import counted
from skcompare._core.printable import some_names
from skcompare.cli.errors import InputError, as_input_error, did_you_mean, error_line

DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# A text column of which at least this share of values are numbers is taken for a column with typing errors.
NUMERIC_SHARE = 0.5
SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """What a table's columns are for.

    Attributes
    ----------
    target : sequence of str
        To be predicted: one, or several labels or numbers.
    categorical : sequence of str
        Categories although they hold numbers.
    drop : sequence of str
        Left out.
    group : str or None
        Which rows belong together; no feature.
    separator : str
        What stands between two of them.
    """

    target: Sequence[str]
    categorical: Sequence[str] = ()
    drop: Sequence[str] = ()
    group: str | None = None
    separator: str = ","


def check_separator(text: str, option: str = "--sep") -> str:
    """The character that separates columns; InputError where it can be none."""
    character = "\t" if text in ("tab", "\\t") else text
    if len(character) != 1 or character.isalnum() or character in '"\n\r':
        raise InputError(f"{option} must be one character that separates columns, such as ';', or tab; got {text!r}")
    return character


def check_dataset(name: str) -> None:
    """InputError unless scikit-learn brings such a data set."""
    if name not in DATASETS:
        hint = did_you_mean(name, DATASETS, quoted=False)
        raise InputError(f"--dataset must be one of {', '.join(DATASETS)}; got {name!r}{hint}")


def bundled_dataset(name: str, *, as_frame: bool = False) -> tuple[Any, Any]:
    """X and y of a data set that scikit-learn brings."""
    from sklearn import datasets

    X, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=as_frame)
    return X, y


def check_regular(path: Path, option: str) -> None:
    """InputError where a path is there and no file: a pipe would be waited for, a device may have no end."""
    if path.exists() and not path.is_file():
        what = "directory" if path.is_dir() else "pipe or device: copy what it gives into a file first"
        raise InputError(f"{option} must be a file; {path} is a {what}")


def read_frame(path: Path, option: str, dtype: Any = None, separator: str = ",") -> Any:
    """A file of separated columns as a frame with strings for column names."""
    try:
        import pandas as pd
    except ImportError:
        raise InputError(f"{option} needs pandas: pip install 'skcompare[frames]'") from None
    check_regular(path, option)
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
            # without index_col=False a first column that the header has no name for would become the index
            # a compressed table could be far larger than its file
            frame = pd.read_csv(path, sep=separator, index_col=False, low_memory=False, dtype=dtype, compression=None)
    except pd.errors.ParserWarning:
        header_of(path, option, separator)  # another separator is the likely reason
        raise InputError(f"{option}: the rows of {path} have more fields than its header") from None
    except OSError as error:
        raise InputError(f"{option}: cannot read {path}: {error.strerror or error}") from error
    except Exception as error:
        how = "comma-separated text" if separator == "," else f"text separated by {separator!r}"
        raise InputError(f"{option}: cannot read {path} as {how}: {error_line(error)}") from error
    frame.columns = pd.Index([str(column) for column in frame.columns])
    check_unique(path, option, separator)
    return frame


def check_unique(path: Path, option: str, separator: str) -> list[str]:
    """The column names as they stand in the file; InputError where one stands there twice."""
    names = header_of(path, option, separator)
    twice = [(name, n) for name, n in Counter(names).items() if name and n > 1]
    if twice:
        raise InputError(f"{option}: {path} has {twice[0][1]} columns called {twice[0][0]!r}")
    return names


def header_of(path: Path, option: str, separator: str, *, shown: bool = True) -> list[str]:
    """The column names as they stand in the file, since pandas makes them different; InputError of a single one that
    holds another separator, which is shown only if told to."""
    check_regular(path, option)
    try:
        with path.open(encoding="utf-8", errors="replace", newline="") as lines:
            names = next(csv.reader(lines, delimiter=separator), [])
    except (OSError, csv.Error) as error:
        raise InputError(f"{option}: cannot read the header of {path}: {error_line(error)}") from error
    other = max(SEPARATORS, key="".join(names).count)
    if len(names) == 1 and other in names[0]:
        meant = "tab" if other == "\t" else shlex.quote(other)
        what = f"a single column{f', {names[0]!r:.60}' if shown else ''}"
        raise InputError(f"{option}: {path} has {what}; is another separator meant? --sep {meant}")
    return names


def read_csv(path: Path, given: Columns, *, regression: bool) -> tuple[Any, Any, dict[str, list[str]], Any]:
    """X as a frame, y, which columns are numeric and which categorical, and the group of each row or None.

    Raises
    ------
    InputError
        If the file cannot be read, has no such column, or a column is neither numbers nor categories.
    """
    frame = read_frame(path, "--data", separator=given.separator)
    target, categorical = _checked(given, list(frame.columns), path), given.categorical
    import numpy as np

    columns = [_target(frame[name], name, regression=regression) for name in target]
    y = columns[0] if len(columns) == 1 else np.column_stack(columns)
    groups = None if given.group is None else _groups(frame[given.group], given.group)
    X = frame.drop(columns=[*target, *given.drop, *([] if given.group is None else [given.group])])
    kinds: dict[str, list[str]] = {"numeric": [], "categorical": []}
    for name in X.columns:
        kinds["categorical" if name in categorical or not _is_numeric(X[name], name) else "numeric"].append(name)
        if name in kinds["categorical"] and name not in categorical and X[name].nunique() > max(20, len(X) // 2):
            raise InputError(
                f"--data: column {name!r} holds {X[name].nunique()} different texts in {len(X)} rows, too many for "
                f"categories; leave it out with --drop {shlex.quote(name)}, or keep it with --categorical "
                f"{shlex.quote(name)}"
            )
    for name in kinds["categorical"]:
        X[name] = X[name].astype(object).map(str, na_action="ignore")
    return X, y, kinds, groups


def _groups(column: Any, name: str) -> Any:
    """The groups as they are written; InputError where a row has none."""
    if column.isna().any():
        raise InputError(f"--group: column {name!r} is empty in {counted(int(column.isna().sum()), 'row')}")
    return column.map(str).to_numpy()


def _checked(given: Columns, columns: Sequence[str], path: Path) -> list[str]:
    """The targets; InputError where a column that was named is not there, or none is left."""
    if not given.target:
        raise InputError(f"--target must name the column to predict, one of: {some_names(columns)}")
    named = [("--target", name) for name in given.target]
    named += [("--categorical", name) for name in given.categorical] + [("--drop", name) for name in given.drop]
    named += [] if given.group is None else [("--group", given.group)]
    for option, name in named:
        if name not in columns:
            hint = did_you_mean(name, columns)
            raise InputError(f"{option}: {path} has no column {name!r}, only {some_names(columns)}{hint}")
    features = {*columns} - {*given.target, *given.drop, given.group}
    group = () if given.group is None else (given.group,)
    for option, names in (("--drop", given.drop), ("--group", group)):
        for other, taken in (("--target", given.target), ("--categorical", given.categorical), ("--drop", given.drop)):
            twice = [name for name in names if name in taken and other != option]
            if twice:
                raise InputError(f"{option}: {twice[0]!r} is left out and cannot be named by {other} too")
    if not features:
        raise InputError(
            f"--data: {path} has no column besides {some_names(given.target)}{' that is kept' if given.drop else ''}"
        )
    return list(dict.fromkeys(given.target))


def identifiers(X: Any) -> list[str]:
    """Columns that look like identifiers: integers or texts, another one in every row."""
    import pandas as pd

    kinds = pd.api.types
    found = [n for n in X.columns if kinds.is_integer_dtype(X[n]) or not kinds.is_numeric_dtype(X[n])]
    return [name for name in found if len(X) > 1 and X[name].notna().all() and X[name].is_unique]


def identifier_note(names: Sequence[str], remedy: str) -> str:
    """What is said of columns that look like identifiers; empty of none."""
    if not names:
        return ""
    one = len(names) == 1
    which = f"Column {names[0]!r} has" if one else f"Columns {some_names(names)} have"
    return f"{which} another value in every row, like an identifier. {'It is' if one else 'They are'} used; {remedy}."


def drop_options(names: Sequence[str]) -> str:
    """The options that leave columns out."""
    return " ".join(f"--drop {shlex.quote(name)}" for name in names)


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


def _row(bad: Any) -> str:
    """The first row that is bad."""
    return f"row {int(bad.index[bad.to_numpy().argmax()]) + 1} below the header"


# The models that the command is given, and the default preparation of a table for any of them.


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
    from skcompare._core.numbers import counted

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


# The data and the models that a command is given.


@dataclass(frozen=True, kw_only=True)
class Given:
    """Data and models as options; the attributes are the options of `skcompare compare`."""

    dataset: str | None
    data: Path | None
    target: tuple[str, ...]
    categorical: tuple[str, ...]
    drop: tuple[str, ...]
    sep: str
    models: tuple[str, ...]
    group: str | None = None

    def check(self) -> None:
        """InputError where options do not go together."""
        if (self.dataset is None) == (self.data is None):
            raise InputError("give either --dataset NAME or --data FILE.csv")
        if self.data is None and (self.target or self.categorical or self.drop or self.group or self.sep != ","):
            raise InputError("--target, --categorical, --drop, --group and --sep go with --data")
        if self.dataset is not None:
            check_dataset(self.dataset)

    def read(self) -> tuple[dict[str, Any], Any, Any, Any, list[str]]:
        """The models by name, X, y, the groups or None, and what is to be said of the data."""
        named = parse_models(self.models)
        if self.data is None:
            if self.dataset == "diabetes" and not all_regressors(named.values()):
                raise InputError("--dataset diabetes has a numeric target: give regressors")
            return named, *bundled_dataset(str(self.dataset)), None, []
        columns = Columns(
            target=self.target,
            categorical=self.categorical,
            drop=self.drop,
            group=self.group,
            separator=check_separator(self.sep),
        )
        X, y, kinds, groups = read_csv(self.data, columns, regression=all_regressors(named.values()))
        named, prepared = prepare(named, kinds)
        alike = identifiers(X)
        out = f"to leave {'it' if len(alike) == 1 else 'them'} out: {drop_options(alike)}"
        return named, X, y, groups, [prepared, identifier_note(alike, out)]
