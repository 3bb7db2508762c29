"""What the command fits: models by their classes, scikit-learn's data sets, separated tables, the file of a study."""

from __future__ import annotations

import ast
import csv
import gc
import json
import shlex
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from io import StringIO
from pathlib import Path
from typing import Any

from skcompare._core.numbers import counted, some_names
from skcompare._core.text import one_line

DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# A text column of which at least this share of values are numbers is taken for a column with typing errors.
NUMERIC_SHARE = 0.5
_NUMERIC = "biufc"  # kinds of dtypes

# ---- how it is refused ----------------------------------------------------------------------------------------


def error_line(error: object) -> str:
    """An error as one line of at most 500 printable characters, but for those with commands that are to be run."""
    said = getattr(error, "strerror", None) or str(error)  # of the system, without number and file
    line = one_line(said) or type(error).__name__
    return line if hasattr(error, "calls") or len(line) <= 500 else f"{line[:497]}..."


@contextmanager
def told(start: str, kinds: tuple[type[Exception], ...] = (ValueError, OSError, ImportError)) -> Iterator[None]:
    """Errors of some kinds as a ValueError that begins with `start`."""
    try:
        yield
    except kinds as error:
        raise ValueError(f"{start}{error_line(error)}") from error


def check_known(name: str, known: Sequence[str], lacks: str) -> None:
    """ValueError, which begins with what `lacks` the name, where it is none of those that are known."""
    from skcompare._core.validation import did_you_mean, nearest

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
    from skcompare._core.validation import check_choice

    columns = {name: options[name] for name in ("target", "categorical", "drop", "group", "sep") if name in options}
    if (dataset is None) == (data is None):
        raise ValueError("give either --dataset NAME or --data FILE.csv")
    if data is None and any(columns.values()):
        raise ValueError("--target, --categorical, --drop, --group and --sep go with --data")
    if data is None:
        check_choice(dataset, "--dataset", DATASETS)
    named = parse_models(models)
    gc.freeze()  # what was imported stays: no collection need go through it again
    regression = all_regressors(named)
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
    named = {name: prepared(model, numeric, categorical) for name, model in named.items()}
    return named, X, y, groups, [said, identifier_note(X)]


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
    from skcompare.tables.source import separator

    frame = read_frame(path, "--data", separator(sep or ",", "--sep"))
    groups = [] if group is None else [group]
    _check_columns(path, list(frame.columns), target=target, categorical=categorical, drop=drop, group=groups)
    import numpy as np

    columns = [_target(frame[name], name, regression=regression) for name in dict.fromkeys(target)]
    if group is not None and frame[group].isna().any():
        raise ValueError(f"--group: column {group!r} is empty in {counted(int(frame[group].isna().sum()), 'row')}")
    X = frame.drop(columns=[*target, *drop, *groups])
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


def read_frame(path: Path, option: str, sep: str = ",") -> Any:
    """A file of separated columns as a frame with strings for column names."""
    try:
        import pandas as pd
    except ImportError:
        raise ImportError(f"{option} needs pandas: pip install 'skcompare[frames]'") from None
    from skcompare.tables.source import decoded

    names = header_of(path, option, sep)
    if twice := [(name, n) for name, n in Counter(names).items() if name and n > 1]:
        raise ValueError(f"{option}: {path} has {twice[0][1]} columns called {twice[0][0]!r}")
    how = "comma-separated text" if sep == "," else f"text separated by {sep!r}"
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
            # without index_col=False a first column that the header has no name for would become the index
            text = StringIO(decoded(path.read_bytes()), newline="")
            frame = pd.read_csv(text, sep=sep, index_col=False, low_memory=False)
    except pd.errors.ParserWarning:
        raise ValueError(f"{option}: the rows of {path} have more fields than its header") from None
    except Exception as error:
        raise ValueError(f"{option}: cannot read {path} as {how}: {error_line(error)}") from error
    frame.columns = pd.Index([str(column) for column in frame.columns])
    return frame


def header_of(path: Path, option: str, sep: str, *, shown: bool = True) -> list[str]:
    """The column names as they stand in the file, since pandas makes them different; ValueError of a single one that
    holds another separator, which is shown only if told to."""
    from skcompare._core.archive import check_regular
    from skcompare.tables.source import SEPARATORS, decoded

    check_regular(path, option)
    with told(f"{option}: cannot read the header of {path}: ", (OSError, ValueError, csv.Error)):
        names = next(csv.reader(StringIO(decoded(path.read_bytes()), newline=""), delimiter=sep), [])
    other = max(SEPARATORS, key="".join(names).count)
    if len(names) == 1 and other in names[0]:
        meant = "tab" if other == "\t" else shlex.quote(other)
        what = f"a single column{f', {names[0]!r:.60}' if shown else ''}"
        raise ValueError(f"{option}: {path} has {what}; is another separator meant? --sep {meant}")
    return names


def _check_columns(path: Path, columns: Sequence[str], **named: Sequence[str]) -> None:
    """ValueError where a column that an option names is not there or named twice, or none is left."""
    if not named["target"]:
        raise ValueError(f"--target must name the column to predict, one of: {some_names(columns)}")
    for option, names in named.items():
        for name in names:
            check_known(name, columns, f"--{option}: {path} has no column")
            others = [other for other in ("target", "categorical", "drop") if name in named[other] and other != option]
            if option in ("drop", "group") and others:
                raise ValueError(f"--{option}: {name!r} is left out and cannot be named by --{others[0]} too")
    if {*columns} <= {*named["target"], *named["drop"], *named["group"]}:
        besides = some_names(named["target"]) + " that is kept" * bool(named["drop"])
        raise ValueError(f"--data: {path} has no column besides {besides}")


def identifier_note(X: Any, left_out: Sequence[str] | None = None) -> str:
    """What is said of columns that look like identifiers, integers or texts with another one in every row.

    Empty of none. `left_out` is what the entry of a study leaves out already.
    """
    found = [name for name in X.columns if X[name].dtype.kind not in "bfc"]
    found = [name for name in found if len(X) > 1 and X[name].notna().all() and X[name].is_unique]
    if not found:
        return ""
    which, are, them = f"Columns {some_names(found)} have", "They are", "them"
    if len(found) == 1:
        which, are, them = f"Column {found[0]!r} has", "It is", "it"
    remedy = f"to leave {them} out: {' '.join(f'--drop {shlex.quote(name)}' for name in found)}"
    if left_out is not None:
        drop = json.dumps([*left_out, *found], ensure_ascii=False)
        remedy = f"drop = {drop} in its entry leaves {them} out"
    return f"{which} another value in every row, like an identifier. {are} used; {remedy}."


def _target(column: Any, name: str, *, regression: bool) -> Any:
    if len(column) == 0:
        raise ValueError(f"--data: no rows below the header (target {name!r})")
    if column.isna().any():
        raise ValueError(f"--target: column {name!r} has no value in {_row(column.isna())}")
    if not regression and column.dtype.kind not in _NUMERIC:
        return column.astype(str).to_numpy(dtype=object)
    numbers = _numbers(column, f"--target: column {name!r}") if regression else column
    bad, of = (numbers.isna(), "numbers for regressors") if regression else (column % 1 != 0, "classes for classifiers")
    if bad.any():
        first = column[bad].iloc[0] if regression else float(column[bad].iloc[0])
        raise ValueError(f"--target: column {name!r} must hold {of}; got {first!r} in {_row(bad)}")
    return numbers.to_numpy(dtype=float if regression else None)


def _numbers(column: Any, where: str) -> Any:
    """A column as numbers, missing where it holds none; ValueError where one is larger than a float."""
    import pandas as pd

    try:
        return pd.to_numeric(column, errors="coerce")
    except OverflowError as error:
        raise ValueError(f"{where} holds numbers too large to compute with, some larger than a float") from error


def _is_numeric(column: Any, name: str) -> bool:
    """Whether a column holds numbers; ValueError where most of its values do and some do not."""
    text, where = column.dropna(), f"--data: column {name!r}"
    if column.dtype.kind in _NUMERIC and column.dtype.kind != "b":
        infinite = column.abs() == float("inf")
        if infinite.any():
            raise ValueError(f"{where} holds infinity or numbers too large to compute with, in {_row(infinite)}")
        return True
    if text.map(lambda value: isinstance(value, bool)).all():
        return False
    wrong = _numbers(text, where).isna()
    if len(text) and not wrong.any():
        raise ValueError(f"{where} holds numbers too large to compute with, such as {text.iloc[0]}")
    if len(text) and (~wrong).mean() >= NUMERIC_SHARE:
        raise ValueError(
            f"{where} holds numbers, but {text[wrong].iloc[0]!r} in {_row(wrong)}; "
            f"mend it, or take the column as categories with --categorical {name}"
        )
    return False


def _row(bad: Any) -> str:
    """The first row that is bad."""
    return f"row {int(bad.index[bad.to_numpy().argmax()]) + 1} below the header"


# ---- models, and the default preparation of a table for any of them -------------------------------------------


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
    path, colon, call = spec.partition(":")
    name, equals, module_name = path.rpartition("=")
    if not colon or (equals and not name.strip()):
        raise ValueError(form)
    try:
        expression = ast.parse(call.strip(), mode="eval").body
        keywords: dict[str, Any] = {}
        if isinstance(expression, ast.Call):
            if expression.args or any(keyword.arg is None for keyword in expression.keywords):
                raise ValueError
            keywords = {str(k.arg): ast.literal_eval(k.value) for k in expression.keywords}
            expression = expression.func
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        why = error.msg if isinstance(error, SyntaxError) else "only KEY=LITERAL arguments are possible"
        raise ValueError(f"{form} ({why})") from error
    if not isinstance(expression, ast.Name):
        raise ValueError(f"{form} (the class must be a plain name)")
    where = f"{called} {spec!r}: "
    with told(f"{where}cannot import {module_name.strip()!r}: ", (Exception,)):
        module = import_module(module_name.strip())
    cls: Any = getattr(module, expression.id, None)
    if not isinstance(cls, type):
        classes = [one for one in dir(module) if isinstance(getattr(module, one), type)]
        check_known(expression.id, classes, f"{where}{module_name.strip()} has no class")
    # asked of the class: making an instance of any class at all could do anything
    if not all(hasattr(cls, method) for method in ("fit", "predict", "get_params")):
        raise ValueError(f"{where}{expression.id} is no estimator with fit and predict")
    with told(where, (Exception,)):
        return name.strip() or expression.id.lower(), cls(**keywords)


def all_regressors(named: Mapping[str, Any]) -> bool:
    """Whether no model is a classifier."""
    from sklearn.base import is_regressor

    return all(is_regressor(model) for model in named.values())


def prepared(model: Any, numeric: Any, categorical: Any) -> Any:
    """A model behind the default preparation of a frame with such columns."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler

    numbers = make_pipeline(SimpleImputer(strategy="median", keep_empty_features=True), StandardScaler())
    categories = make_pipeline(
        SimpleImputer(strategy="most_frequent", keep_empty_features=True),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    table = ColumnTransformer([("numeric", numbers, numeric), ("categorical", categories, categorical)])
    return make_pipeline(table, model)


# ---- the file of a study --------------------------------------------------------------------------------------

_OPTIONAL = ("categorical", "drop", "sep")  # of the entry of a data set


def read_study(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]:
    """Models, data sets to be loaded one by one, cv, scoring, seed and baseline, and what is to be said of the data.

    The last list grows while data sets are loaded.

    Raises
    ------
    ValueError
        If the file cannot be read, or an entry is not what it must be.
    """
    named, entries, design = _config(path)
    from_files, notes = any(isinstance(entry, dict) for entry in entries.values()), list[str]()
    loaded: dict[str, Any] = {"notes": notes, "as_frame": from_files, "regression": all_regressors(named)}
    datasets = {name: _dataset_entry(name, entry, path, **loaded) for name, entry in entries.items()}
    if from_files:
        from sklearn.compose import make_column_selector as columns

        kinds = columns(dtype_include="number"), columns(dtype_exclude="number")
        named = {name: prepared(model, *kinds) for name, model in named.items()}
        notes.append(
            "Prepared within each training set, on every data set: numeric columns (missing values: median; "
            "standardised), text columns (missing values: most frequent; one-hot)."
        )
    return named, datasets, design, notes


def _config(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Models, data sets and design as the file says them; ValueError where it is no TOML, or an entry is not known."""
    import tomllib

    from skcompare._core.archive import check_regular
    from skcompare._core.validation import DUMMY

    check_regular(path, "CONFIG")
    with told(f"CONFIG: cannot read {path}: ", (OSError,)), told(f"CONFIG: {path} is not TOML: ", (ValueError,)):
        try:
            config = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        except RecursionError:
            raise ValueError("it is nested too deep") from None
    found: dict[str, Any] = {"models": {}, "datasets": {}, "cv": "10x10", "scoring": [], "seed": 0, "baseline": None}
    for name in config:
        check_known(name, [*found], f"CONFIG: {path} cannot have an entry")
    models, datasets, *design = (found | config).values()
    for name, table in {"models": models, "datasets": datasets}.items():
        _check_entry(name, table, isinstance(table, dict) and table != {}, f"a table [{name}] with at least one entry")
    for name, spec in models.items():
        _check_entry(f"models.{name}", spec, isinstance(spec, str), "a text such as 'sklearn.svm:SVC(C=10)'")
    named = parse_models([f"{name}={spec}" for name, spec in models.items()], "CONFIG: [models]")
    cv, scoring, seed, baseline = design
    _check_entry("cv", cv, type(cv) in (int, str), "a number of folds or 'RxK'")
    _check_entry("scoring", scoring, _are_texts(scoring), "a list of metric names")
    _check_entry("seed", seed, type(seed) is int and 0 <= seed < 2**32, "an integer from 0 to 2**32 - 1")
    _check_entry("baseline", baseline, baseline in (None, DUMMY, *models), f"{DUMMY!r} or a name in [models]")
    return named, datasets, {"cv": str(cv), "scoring": scoring, "seed": seed, "baseline": baseline}


def _check_entry(name: str, value: Any, is_sound: bool, form: str) -> None:
    if not is_sound:
        raise ValueError(f"CONFIG: {name} must be {form}; got {value!r}")


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _dataset_entry(
    name: str, entry: Any, config: Path, *, notes: list[str], as_frame: bool, regression: bool
) -> partial[tuple[Any, Any]]:
    """A callable that loads one data set; what can be wrong with the entry itself is found at once."""
    from skcompare.tables.source import separator

    where = f"CONFIG: datasets.{name}"
    if isinstance(entry, str):
        known = f"{', '.join(DATASETS)}, or a table {{path = 'FILE.csv', target = 'COLUMN'}}"
        if entry not in DATASETS:
            raise ValueError(f"{where} must be one of {known}; got {entry!r}")
        return partial(bundled_dataset, entry, as_frame=as_frame)
    if not isinstance(entry, dict) or not {"path", "target"} <= set(entry) <= {"path", "target", *_OPTIONAL}:
        raise ValueError(f"{where} must have path, target and perhaps {', '.join(_OPTIONAL)}; got {error_line(entry)}")
    full = {"categorical": [], "drop": [], "sep": ",", **entry}
    lists = [[full["path"], full["target"], full["sep"]], full["categorical"], full["drop"]]
    if not all(map(_are_texts, lists)):
        raise ValueError(f"{where}: path, target and sep must be texts, categorical and drop lists of them")
    columns = {**full, "target": [full["target"]], "sep": separator(full["sep"], f"{where}: sep")}
    path = config.parent / columns.pop("path")
    # Whoever wrote CONFIG chose the file, which may be none of theirs: what stands in it is not shown.
    header = header_of(path, where, columns["sep"], shown=False)
    for column in (*columns["target"], *columns["categorical"], *columns["drop"]):
        if column not in header:
            raise ValueError(f"{where}: {path} has no column {column!r} among its {len(header)}")
    return partial(_load_csv, name, path, notes, regression=regression, **columns)


def _load_csv(name: str, path: Path, notes: list[str], **options: Any) -> tuple[Any, Any]:
    X, y, _ = read_csv(path, **options)
    if note := identifier_note(X, options["drop"]):
        notes.append(f"Data set {name!r}: {note[0].lower()}{note[1:]}")
    return X, y
