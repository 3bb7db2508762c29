"""The data that the command is given: scikit-learn's data sets and comma-separated tables."""

from __future__ import annotations

import csv
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skcompare._core.printable import some_names
from skcompare.cli.errors import InputError, did_you_mean, error_line

DATASETS = ("breast_cancer", "diabetes", "digits", "iris", "wine")
# A text column of which at least this share of values are numbers is taken for a column with typing errors.
NUMERIC_SHARE = 0.5


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


def read_frame(path: Path, option: str, dtype: Any = None) -> Any:
    """A comma-separated file as a frame with strings for column names."""
    try:
        import pandas as pd
    except ImportError:
        raise InputError(f"{option} needs pandas: pip install 'skcompare[frames]'") from None
    try:
        with warnings.catch_warnings(action="error", category=pd.errors.ParserWarning):
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
    twice = [(name, n) for name, n in Counter(header_of(path, option)).items() if name and n > 1]
    if twice:
        raise InputError(f"{option}: {path} has {twice[0][1]} columns called {twice[0][0]!r}")
    return frame


def header_of(path: Path, option: str) -> list[str]:
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
        raise InputError(f"--target must name the column to predict, one of: {some_names(columns)}")
    for option, name in [("--target", target), *(("--categorical", name) for name in categorical)]:
        if name not in columns:
            hint = did_you_mean(name, columns) + (" (is the file separated by commas?)" if len(columns) == 1 else "")
            raise InputError(f"{option}: {path} has no column {name!r}, only {some_names(columns)}{hint}")
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


def _row(bad: Any) -> str:
    """The first row that is bad."""
    return f"row {int(bad.index[bad.to_numpy().argmax()]) + 1} below the header"
