"""The configuration of a study."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from skcompare._core.names import DUMMY
from skcompare.cli.errors import InputError, did_you_mean, error_line
from skcompare.cli.models import all_regressors, behind_default_preparation, parse_models
from skcompare.cli.table import (
    DATASETS,
    Columns,
    bundled_dataset,
    check_regular,
    check_separator,
    header_of,
    identifier_note,
    identifiers,
    read_csv,
)

_OPTIONAL = ("categorical", "drop", "sep")  # of the entry of a data set


def read_study(path: Path) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any], list[str]]:
    """Models, data sets to be loaded one by one, cv, scoring, seed and baseline, and what is to be said of the data.

    The last list grows while data sets are loaded.

    Raises
    ------
    InputError
        If the file cannot be read, or an entry is not what it must be.
    """
    check_regular(path, "CONFIG")
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"CONFIG: cannot read {path}: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"CONFIG: {path} is not TOML: {error_line(error)}") from error
    except RecursionError as error:
        raise InputError(f"CONFIG: {path} is nested too deep") from error
    known = ("models", "datasets", "cv", "scoring", "seed", "baseline")
    for name in config:
        if name not in known:
            hint = did_you_mean(name, known)
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
    notes: list[str] = []
    datasets = {
        name: _dataset_entry(name, entry, path, notes, as_frame=from_files, regression=regression)
        for name, entry in entries.items()
    }
    cv, scoring, seed = config.get("cv", "10x10"), config.get("scoring", []), config.get("seed", 0)
    if isinstance(cv, bool) or not isinstance(cv, (int, str)):
        raise InputError(f"CONFIG: cv must be a number of folds or 'RxK'; got {cv!r}")
    if not isinstance(scoring, list) or not all(isinstance(name, str) for name in scoring):
        raise InputError(f"CONFIG: scoring must be a list of metric names; got {scoring!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 2**32:
        raise InputError(f"CONFIG: seed must be an integer from 0 to 2**32 - 1; got {seed!r}")
    baseline = config.get("baseline")
    if baseline is not None and baseline != DUMMY and baseline not in models:
        raise InputError(f"CONFIG: baseline must be {DUMMY!r} or a name in [models]; got {baseline!r}")
    if from_files:
        named = {name: behind_default_preparation(model) for name, model in named.items()}
        notes.append(
            "Prepared within each training set, on every data set: numeric columns (missing values: median; "
            "standardised), text columns (missing values: most frequent; one-hot)."
        )
    return named, datasets, {"cv": str(cv), "scoring": scoring, "seed": seed, "baseline": baseline}, notes


def _table_of(config: Mapping[str, Any], name: str, path: Path) -> dict[str, Any]:
    table = config.get(name)
    if not isinstance(table, dict) or not table:
        raise InputError(f"CONFIG: {path} must have a table [{name}] with at least one entry; got {table!r}")
    return table


def _dataset_entry(name: str, entry: Any, config: Path, notes: list[str], *, as_frame: bool, regression: bool) -> Any:
    """A callable that loads one data set; what can be wrong with the entry itself is found at once."""
    if isinstance(entry, str):
        if entry not in DATASETS:
            raise InputError(
                f"CONFIG: datasets.{name} must be one of {', '.join(DATASETS)}, or a table "
                f"{{path = 'FILE.csv', target = 'COLUMN'}}; got {entry!r}"
            )
        return partial(bundled_dataset, entry, as_frame=as_frame)
    if not isinstance(entry, dict) or not {"path", "target"} <= set(entry) <= {"path", "target", *_OPTIONAL}:
        raise InputError(
            f"CONFIG: datasets.{name} must have path, target and perhaps {', '.join(_OPTIONAL)}; "
            f"got {error_line(entry)}"
        )
    categorical, drop = entry.get("categorical", []), entry.get("drop", [])
    texts = [entry["path"], entry["target"], entry.get("sep", ",")]
    lists = [categorical, drop]
    if not all(isinstance(names, list) for names in lists) or not all(
        isinstance(text, str) for text in (*texts, *categorical, *drop)
    ):
        raise InputError(
            f"CONFIG: datasets.{name}: path, target and sep must be texts, categorical and drop lists of them"
        )
    given = Columns(
        target=[entry["target"]],
        categorical=categorical,
        drop=drop,
        separator=check_separator(texts[2], f"CONFIG: datasets.{name}: sep"),
    )
    data = config.parent / entry["path"]
    if not data.is_file():
        raise InputError(f"CONFIG: datasets.{name}: there is no file {data}")
    # Whoever wrote CONFIG chose the file, which may be none of theirs: what stands in it is not shown.
    columns = header_of(data, f"CONFIG: datasets.{name}", given.separator, shown=False)
    for column in (entry["target"], *categorical, *drop):
        if column not in columns:
            raise InputError(f"CONFIG: datasets.{name}: {data} has no column {column!r} among its {len(columns)}")
    return partial(_load_csv, name, data, given, notes, regression=regression)


def _load_csv(name: str, path: Path, given: Columns, notes: list[str], *, regression: bool) -> tuple[Any, Any]:
    X, y, *_ = read_csv(path, given, regression=regression)
    found = identifiers(X)
    drop = json.dumps([*given.drop, *found], ensure_ascii=False)
    note = identifier_note(found, f"drop = {drop} in its entry leaves {'it' if len(found) == 1 else 'them'} out")
    if note:
        notes.append(f"Data set {name!r}: {note[0].lower()}{note[1:]}")
    return X, y
