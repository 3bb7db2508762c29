"""Files of predictions, outcomes and scores: separated text, Parquet or JSON lines, read as columns."""

from __future__ import annotations

from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skcompare._core.printable import some_names
from skcompare.cli.errors import InputError, did_you_mean, error_line
from skcompare.cli.table import check_regular, check_unique, header_of, read_frame

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Table = dict[str, NDArray[Any]]
_FORMS = {".parquet": "Parquet", ".jsonl": "JSON lines", ".ndjson": "JSON lines"}
_ENGINES = ("pyarrow", "fastparquet")
# What stands for a missing value in separated text: that of pandas.
_MISSING = (
    *("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA"),
    *("NULL", "NaN", "None", "n/a", "nan", "null"),
)
# How compressed files begin; one could be far smaller than its table.
_COMPRESSED = (b"\x1f\x8b", b"x\x01", b"x\x5e", b"x\x9c", b"x\xda", b"(\xb5/\xfd", b"BZh", b"PK\x03\x04")


def read_columns(path: Path, option: str, texts: Collection[str] = (), separator: str = ",") -> Table:
    """The columns of a file by their names, through pandas or polars, whichever is there.

    Parameters
    ----------
    path : Path
        Parquet (``.parquet``), JSON lines (``.jsonl``, ``.ndjson``), or else separated text with a header.
    option : str
        What the file is called in messages.
    texts : collection of str
        Columns of names, in any case, which stay texts where they look like numbers.
    separator : str
        What stands between two columns of text.

    Raises
    ------
    InputError
        If it cannot be read.
    """
    check_regular(path, option)
    form = _FORMS.get(path.suffix.lower(), "text")
    if _library(path, form) == "polars":
        columns = _by_polars(path, option, form, texts, separator)
    elif form == "text":
        header = header_of(path, option, separator) if path.is_file() else []
        named = [name for name in header if _is_one(name, texts)]
        frame = read_frame(path, option, dtype=dict.fromkeys(named, str), separator=separator)
        columns = {name: frame[name].to_numpy() for name in frame}
    else:
        columns = _by_pandas(path, option, form)
    return {name: _texts(found) if _is_one(name, texts) else found for name, found in columns.items()}


def _is_one(name: str, names: Collection[str]) -> bool:
    """Whether a column has one of some names, which may stand in another case."""
    return name in names or name.strip().lower() in names


def check_column(columns: Table, option: str, path: Path, name: str) -> str:
    """The name of a column that was named; InputError where there is none."""
    if name not in columns:
        known = [*columns]
        raise InputError(
            f"{option}: {path} has no column {name!r}, only {some_names(known)}{did_you_mean(name, known)}"
        )
    return name


def _library(path: Path, form: str) -> str:
    """Which library reads it."""
    there = {name: find_spec(name) is not None for name in ("pandas", "polars")}
    if not any(there.values()):
        raise InputError(f"{path} needs pandas or polars: pip install 'skcompare[frames]'")
    reads = there["pandas"] and (form != "Parquet" or not there["polars"] or any(map(find_spec, _ENGINES)))
    return "pandas" if reads else "polars"


def _by_pandas(path: Path, option: str, form: str) -> Table:
    import pandas as pd

    try:
        if form == "Parquet":
            frame: Any = pd.read_parquet(path)
        else:
            with path.open(encoding="utf-8") as lines:
                frame = pd.read_json(lines, lines=True, dtype=False, precise_float=True)
    except Exception as error:
        raise _unreadable(path, option, form, error) from error
    return {str(name): frame[name].to_numpy() for name in frame}


def _by_polars(path: Path, option: str, form: str, texts: Collection[str], separator: str) -> Table:
    import polars as pl

    try:
        if form == "Parquet":
            frame: Any = pl.read_parquet(path)
        elif form == "JSON lines":
            frame = pl.read_ndjson(path, infer_schema_length=None)
        else:
            with path.open("rb") as start:
                if start.read(4).startswith(_COMPRESSED):
                    raise ValueError("it is compressed")
            named = {one: pl.String for one in check_unique(path, option, separator) if _is_one(one, texts)}
            frame = pl.read_csv(
                path,
                separator=separator,
                infer_schema_length=None,
                schema_overrides=named,
                null_values=[*_MISSING],
            )
    except InputError:
        raise
    except Exception as error:
        raise _unreadable(path, option, form, error) from error
    return {name: frame[name].to_numpy() for name in frame.columns}


def _unreadable(path: Path, option: str, form: str, error: Exception) -> InputError:
    if isinstance(error, ImportError):
        return InputError(f"{option}: {path} needs a reader of {form}: pip install pyarrow")
    why = getattr(error, "strerror", None) or error_line(error)
    how = "" if isinstance(error, OSError) else f" as {'separated text' if form == 'text' else form}"
    return InputError(f"{option}: cannot read {path}{how}: {why}")


def _texts(values: NDArray[Any]) -> NDArray[Any]:
    """Names as texts; what is missing stays so."""
    import numpy as np

    if values.dtype.kind in "biu":
        return values.astype(np.str_).astype(object)
    found = np.empty(len(values), dtype=object)
    found[:] = [x if isinstance(x, str) or x is None or x != x else str(x) for x in values.tolist()]
    return found
