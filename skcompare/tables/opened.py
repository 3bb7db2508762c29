"""What another tool left, opened: the columns of a table, what JSON holds, or an object as it is."""

from __future__ import annotations

import csv
import json
import os
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file or an object: its name, its path where it has one, and the object, or what the file holds as JSON."""

    name: str
    path: Path | None = None
    content: Any = None

    @classmethod
    def of(cls, given: Any) -> Source:
        if not isinstance(given, (str, os.PathLike)):
            table = hasattr(given, "keys") or hasattr(given, "columns")
            return cls(name="frame" if table else type(given).__name__, content=given)
        path, (scheme, _, experiment) = Path(given), os.fspath(given).partition(":")
        if scheme == "mlflow" and not path.exists():
            return cls(name=os.fspath(given), content=_runs_of(experiment))
        reader = {".json": _json, ".jsonl": _json_lines, ".eval": _archive}.get(path.suffix.lower())
        try:
            return cls(name=path.stem, path=path, content=reader(path) if reader and path.is_file() else None)
        except (ValueError, KeyError, RecursionError, zipfile.BadZipFile):  # of JSON, UTF-8 and archives
            return cls(name=path.stem, path=path)

    @cached_property
    def header(self) -> list[str]:
        """The names of the columns; none where it is no table."""
        if hasattr(self.content, "keys") or hasattr(self.content, "columns"):
            return [str(name) for name in getattr(self.content, "columns", self.content)]
        try:
            lines = self.lines()
            if self.path is not None and self.path.suffix.lower() == ".arff":
                return [match[1].strip("'") for match in map(_ATTRIBUTE.match, lines) if match]
            return next(csv.reader(lines), [])
        except (UnicodeDecodeError, csv.Error):
            return []

    @cached_property
    def cells(self) -> list[list[str]]:
        """The rows of a text table below its header."""
        lines, weka = self.lines(), "Key_Scheme" in self.header
        if self.path is not None and self.path.suffix.lower() == ".arff":
            next((line for line in lines if line.strip().lower() == "@data"), "")
            lines = (line for line in lines if not line.startswith("%"))
        else:
            next(lines, "")
        quotes: dict[str, Any] = {"quotechar": "'", "escapechar": "\\"} if weka else {}
        return [row for row in csv.reader(lines, **quotes) if row]

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The columns by their names; pandas writes one as a mapping of rows into JSON."""
        if self.content is None:
            return {name: [row[i] if i < len(row) else "" for row in self.cells] for i, name in enumerate(self.header)}
        columns = {str(name): self.content[name] for name in getattr(self.content, "columns", self.content)}
        return {name: list(x.values() if isinstance(x, dict) else x) for name, x in columns.items()}

    def lines(self) -> Iterator[str]:
        """The lines of a text table; none of anything else."""
        if self.path is not None and self.path.suffix.lower() in (".csv", ".arff") and self.path.is_file():
            with self.path.open(encoding="utf-8-sig", newline="") as lines:
                yield from lines


_ATTRIBUTE = re.compile(r"@attribute\s+('(?:[^'\\]|\\.)*'|\S+)", re.IGNORECASE)


def _runs_of(experiment: str) -> Any:
    """The runs of an experiment, from the store that MLflow is set to."""
    try:
        import mlflow
    except ImportError as error:
        raise ImportError("runs of MLflow need it: pip install 'skcompare[mlflow]'") from error
    if mlflow.get_experiment_by_name(experiment) is None:
        raise ValueError(
            f"mlflow:{experiment} must be an experiment in the store that MLflow is set to; "
            f"{mlflow.get_tracking_uri()} has none of this name"
        )
    return mlflow.search_runs(experiment_names=[experiment])


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8-sig"))


def _json_lines(path: Path) -> Any:
    return [json.loads(line) for line in path.read_text(encoding="utf-8-sig").split("\n") if line.strip()]


def _archive(path: Path) -> Any:
    """An ``.eval`` log of inspect_ai as its JSON."""
    try:
        with zipfile.ZipFile(path) as archive:
            samples = [name for name in archive.namelist() if name.startswith("samples/")]
            header = json.loads(archive.read("header.json"))
            return {**header, "samples": [json.loads(archive.read(name)) for name in samples]}
    except NotImplementedError:  # newer ones are compressed by zstd, which zipfile reads from Python 3.14 on
        pass
    try:
        from inspect_ai.log import read_eval_log
    except ImportError as error:
        raise ImportError(
            f"{path.name} needs inspect_ai, as it is compressed by zstd: pip install inspect-ai; or give what "
            f"'inspect log convert {path.name} --to json --output-dir json' makes of it"
        ) from error
    return json.loads(read_eval_log(str(path)).model_dump_json())


def origin_of(sources: Sequence[Source]) -> str:
    """What messages call them."""
    return ", ".join(x.name if x.path is None else str(x.path) for x in sources)


def names_of(sources: Sequence[Source]) -> list[str]:
    """The names of the files, with their folders where some have one name."""
    names = [source.name for source in sources]
    return names if len({*names}) == len(names) else [str(source.path or source.name) for source in sources]


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows as columns."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def rows_of(sources: Sequence[Source], *needed: str) -> list[Row] | None:
    """The rows of tables that all have some columns; None where one has them not."""
    if not all({*needed} <= {*source.header} for source in sources):
        return None
    return [
        dict(zip(source.columns, cells, strict=True))
        for source in sources
        for cells in zip(*source.columns.values(), strict=True)
    ]
