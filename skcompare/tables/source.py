"""What is read: a path, several paths, a data frame or a mapping of columns -> one table of cells as they came."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from importlib import import_module
from itertools import islice, repeat, takewhile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.archive import check_regular
from skcompare._core.frames import by_columns
from skcompare._core.numbers import some_names
from skcompare._core.text import parts_of
from skcompare._core.validation import check_aligned, of_dates, refuse_masked
from skcompare._core.warnings import Code
from skcompare.tables import columns as words

Column = NDArray[Any]
Row = dict[str, Any]
FRAME = "frame"  # what messages call a table that is no file
FILES, HEADERS, ROWS = "files", "columns", "rows"  # in place of a column: what stands in names of files, in the header
OF_FILES = (FILES, f"{FILES} 1", f"{FILES} 2")  # the names of files, and their parts
SEPARATORS = (",", ";", "\t", "|")
# How compressed files begin; one could be far smaller than its table.
_COMPRESSED = (b"\x1f\x8b", b"(\xb5/\xfd", b"BZh", b"PK\x03\x04", b"\xfd7zXZ")
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*")
_JSON = (".json", ".jsonl", ".ndjson")
_ATTRIBUTE = re.compile(r"(?im)^@attribute\s+('(?:[^'\\]|\\.)*'|\S+)")
_LOOKED_AT, _LONG_ROW = 50, 100_000  # rows from which the separator is found, and more characters than one has
_RULE = re.compile(r"(?m)^[\s|+:=-]*[=-]{3}[\s|+:=-]*$\n?")


def worded(about: str, *parts: Any) -> str:
    """A refusal or a warning of several parts, as words.toml has it."""
    return str(words.WORDS["says"][about].format(*parts))


@dataclass(frozen=True, eq=False, kw_only=True)
class Table:
    """Named columns of cells as they came.

    Attributes
    ----------
    columns : dict of str to ndarray of shape (n_rows,)
        Cells as they came.
    origin : str
        What messages call the table: the path of a file, several paths, or "frame".
    kind : str or None
        "folds", "outcomes", "predictions", "runs", "study" or "search", where it is known already.
    notes : tuple of str
        What is to be said of how it was read.
    lines : tuple of str
        Titles, comments and footnotes beside the table, which were left out.
    header : str
        What the names of the columns are names of, as a pandas frame tells it; empty where nothing does.
    partial : tuple of str
        Metrics of a log that are read where they are asked for, since some rows lack them.
    files : tuple of (str, int)
        Of several files below each other the path of each, and how many rows are its own.
    """

    columns: dict[str, Column]
    origin: str
    kind: str | None = None
    notes: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    header: str = ""
    partial: tuple[str, ...] = ()
    files: tuple[tuple[str, int], ...] = ()

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values()), ()))

    def place(self, i: int) -> str:
        """The number of a row, and in which of several files."""
        known = [f"{place + 1} of {name}" for name, n in self.files for place in range(n)]
        return known[i] if len(known) == self.n_rows else str(i + 1)


@dataclass(frozen=True, kw_only=True)
class Source:
    """A file or an object: its name, its path, the object, and what separates the columns where that was said."""

    name: str
    path: Path | None = None
    given: Any = None
    sep: str | None = None

    @classmethod
    def of(cls, given: Any, sep: str | None = None) -> Source:
        if isinstance(given, Source):
            return given
        if not isinstance(given, (str, os.PathLike)):
            given = there(given)
            return cls(name=FRAME if _is_table(given) or _are_records(given) else type(given).__name__, given=given)
        if "://" in os.fspath(given):
            raise ValueError(worded("address", os.fspath(given)))
        if "\n" in os.fspath(given):
            raise ValueError("source must be a path; got text of several lines: write it to a file, and give its path")
        path, (scheme, _, experiment) = Path(given), os.fspath(given).partition(":")
        if path.is_dir() or ("*" in path.name and not path.exists()):
            raise ValueError(worded("several files", str(path), str(path / "*.csv" if path.is_dir() else path)))
        if scheme == "mlflow" and not path.exists():
            return cls(name=os.fspath(given), given=_runs_of(experiment))
        return cls(name=model_in(path), path=path, sep=sep)

    @cached_property
    def content(self) -> Any:
        """The object, or what the file holds as JSON; None of any other file."""
        form = self.path.suffix.lower() if self.path and self.path.is_file() else ""
        if self.path is None or form not in (*_JSON, ".eval"):
            return self.given
        if form == ".eval":
            return _log_of_inspect(self.path) if zipfile.is_zipfile(self.path) else None
        text = decoded(self.path.read_bytes()).strip()
        lines = [*filter(str.strip, text.split("\n"))]
        one = form == ".json" or lines[:1] == ["["]  # a list over many lines is no line of JSON
        return by_columns(json.loads(text or "[]") if one else [*map(json.loads, lines)])

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The cells by the names of the columns, as they came; none of what is no table."""
        try:
            found: Any = self.content if hasattr(self.content, "keys") else self.table.columns
            names = getattr(found, "columns", found)
            called = {"_".join(filter(None, map(str, x if isinstance(x, tuple) else [x]))): x for x in names}
            # pandas writes a column as a mapping of rows into JSON
            return {x: [*(found[y].values() if isinstance(found[y], dict) else found[y])] for x, y in called.items()}
        except (ValueError, ImportError, TypeError):
            return {}

    @cached_property
    def table(self) -> Table:
        """The table as it came, whatever tool wrote it; ValueError where it is none."""
        if self.path is None:
            inner = [*self.given.values()] if isinstance(self.given, Mapping) else self.given
            if inner is not self.given and inner and all(hasattr(x, "columns") for x in inner):  # as of files
                return replace(below([table_in(x, FRAME) for x in inner], [*map(str, self.given)]), origin=FRAME)
            if _are_records(inner):
                return _checked(_of_json(by_columns(_as_json(self.given))), FRAME)
            return table_in(self.given, FRAME if _is_table(self.given) else "source")
        check_regular(self.path, "source")
        lines: tuple[str, ...] = ()
        try:
            self.path.stat()
            form = self.path.suffix.lower()
            if form in _JSON:
                columns = _of_json(self.content)
            elif form == ".parquet":
                package = _package("Parquet needs a reader of it: pip install pandas pyarrow", "pandas", "polars")
                columns = table_in(package.read_parquet(self.path), FRAME).columns
            elif form == ".xlsx":
                columns, lines = _of_rows(_sheet_of(self.path))
            else:
                columns, lines = _of_rows(_separated(decoded(self.path.read_bytes()), self.sep))
        except (OSError, ImportError, LookupError, ValueError, RecursionError, csv.Error, zipfile.BadZipFile) as error:
            raise ValueError(f"cannot read {self.path}: {getattr(error, 'strerror', None) or error}") from error
        return replace(_checked(columns, str(self.path)), lines=lines)

    def lines(self) -> Iterator[list[str]]:
        """What stands between the commas of every line of a text, whatever its quotes; none of anything else."""
        if self.path is not None and self.path.suffix.lower() == ".csv" and self.path.is_file():
            with self.path.open(encoding="utf-8-sig", errors="replace") as lines:
                yield from (line.rstrip("\n").split(",") for line in lines)

    @staticmethod
    def copies(held: Sequence[tuple[str, Any]]) -> tuple[str, ...]:
        """That what a file holds stands in one before it, of files by their names."""
        first = [next(name for name, x in held if x == own) for _, own in held]
        both = zip(first, (name for name, _ in held), strict=True)
        return tuple(Code.ASSUMED(worded("copied file", one, name)) for one, name in both if one != name)


def model_in(path: Path) -> str:
    """What the model of a file is called: as the file, without the suffix unless that alone says that there is none."""
    return path.name if words.is_missing(path.stem) else path.stem


def table_of(*given: Any, sep: str | None = None) -> Table:
    """The table that a path, several paths, a data frame or a mapping of arrays holds.

    Parameters
    ----------
    *given : path-like, data frame, mapping or Source
        Several of paths alone: their rows stand below each other, with the name of the file in a column.
    sep : str, optional
        What separates the columns of text; found out by default.

    Raises
    ------
    ValueError
        If it cannot be read, has no rows, or two columns have one name.
    """
    sources = [Source.of(one, sep) for one in given]
    if len(sources) > 1 and any(source.path is None for source in sources):
        raise ValueError(worded("several tables"))
    tables = [source.table for source in sources]
    return tables[0] if len(tables) == 1 else below(tables, names_of(sources))


def column_name(name: Any, place: int) -> str:
    """The name of a column on one line, none that stands for the names of files; of no name its place, from 1."""
    text = " ".join(map(str, name)) if isinstance(name, tuple) else "" if name is None or name != name else str(name)
    text = " ".join(text.replace("\ufeff", "").split())
    return text + "_" * (text == FILES) or f"column {place}"


def below(tables: Sequence[Table], called: Sequence[str]) -> Table:
    """The rows of several files, which are called so; a column that one lacks is empty there."""
    spelt = [{*map(words.spelling, table.columns)} for table in tables]
    for table, own in zip(tables[1:], spelt[1:], strict=True):
        if own.isdisjoint(spelt[0]):
            told = [f"{one.origin} has {some_names([*one.columns])}" for one in (tables[0], table)]
            raise ValueError(f"tables must be of one form, with columns of one name; {' and '.join(told)}")
    names = dict.fromkeys(name for table in tables for name in table.columns)
    parts = {name: [x.columns.get(name, np.full(x.n_rows, None)) for x in tables] for name in names}
    rows = {name: np.concatenate([x.astype(object) for x in own]) for name, own in parts.items()}
    files = np.repeat(np.array(called, dtype=object), [x.n_rows for x in tables])
    origin, kept = ", ".join(dict.fromkeys(table.origin for table in tables)), ("notes", "lines", "partial")
    said: dict[str, Any] = {x: (*dict.fromkeys(one for own in tables for one in getattr(own, x)),) for x in kept}
    alike = [x for x in ("kind", "header") if len({getattr(table, x) for table in tables}) == 1]
    said |= {x: getattr(tables[0], x) for x in alike}
    if not said.get("kind"):
        cells = [repr([x.tolist() for x in table.columns.values()]) for table in tables]
        said["notes"] += Source.copies([*zip(called, cells, strict=True)])
    of_names = dict(zip(called, parts_of(called), strict=False))
    both = {OF_FILES[i + 1]: np.array([of_names[x][i] for x in files], dtype=object) for i in (0, 1) if of_names}
    whose = tuple(one for table in tables for one in table.files or ((table.origin, table.n_rows),))
    return Table(columns={**rows, FILES: files, **both}, origin=origin, files=whose, **said)


def told_by_files(columns: Mapping[str, Column]) -> tuple[dict[str, str], list[str], list[str]]:
    """By role the names of files or a part of these; the parts of no role, learners first; and all names."""
    parts = {x: [*dict.fromkeys(columns[x].tolist())] for x in OF_FILES if x in columns}
    of: dict[str, str] = {}
    for part, names in parts.items():
        own = [x for x in names if words.role_of_name(x) != "value"]  # score.csv beside rmse.csv
        metric = "metric" if own and all(map(words.is_measure, own)) else ""
        of[part] = words.numbered(names) or metric or ("dataset" if words.like_learners(names) < 0 else "")
    (whole, role), *both = of.items()
    if role and not (both and role == "dataset"):
        return {role: whole}, [], parts[FILES]
    rest = sorted((part for part, x in both if not x), key=lambda part: -words.like_learners(parts[part]))
    return {x: part for part, x in both if x}, rest, parts[FILES]


def words_of_parts(names: Sequence[str]) -> list[str]:
    """What names share that may have several parts, as svm_iris, svm_wine, rf_iris, but no gpt, gpt_mini."""
    words = [[x for x in re.split(r"[\W_]+|(?<=[a-z])(?=\d)", name.lower()) if x] for name in names]
    often = Counter(x for own in words for x in {*own})
    rest = [own for one in words if (own := [x for x in one if often[x] < len(names)])]
    first, last = (Counter(own[at] for own in rest) for at in (0, -1))
    counted = any((first[x[0]] > 1 and x[-1].isdigit()) or (last[x[-1]] > 1 and x[0].isdigit()) for x in rest)
    both = counted or max(first.values(), default=0) > 1 < max(last.values(), default=0)
    return sorted(x for x, n in often.items() if 1 < n < len(names) and not x.isdigit()) if both else []


def _separated(text: str, sep: str | None) -> list[list[str]]:
    """The rows of a text: a table of Markdown or LaTeX, ARFF, or what a character separates."""
    for sign, said in words.WORDS["refused"].items():
        if re.search(sign, text):
            raise ValueError(said)
    if names := _ATTRIBUTE.findall(text):
        body = _RULE.sub("", re.sub("(?m)^%.*$", "", re.split(r"(?im)^\s*@data\b.*$", text)[-1]))
        return [[name.strip("'\"") for name in names], *_rows(body, ",", quote="'" if "'" in body else '"')]
    sep = "\t" if sep in ("tab", "\\t") else sep
    if sep is not None and not (isinstance(sep, str) and len(sep) == 1 and not sep.isalnum() and sep not in '"\n\r'):
        raise ValueError(f"sep must be one character that separates columns, such as ';', or tab; got {sep!r}")
    if rows := _typeset(text):
        return rows
    return _rows(text := _RULE.sub("", text), sep or _separator(text))


def _sheet_of(path: Path) -> list[list[str]]:
    """The rows of the one sheet of a workbook that has a table, from the first column with something in it."""
    package = _package("xlsx needs pandas and openpyxl: pip install pandas openpyxl", "pandas")
    frames = package.read_excel(path, sheet_name=None, header=None, dtype=object, keep_default_na=False)
    sheets = {name: [[*map(str, row)] for row in frame.to_numpy().tolist()] for name, frame in frames.items()}
    tables = [name for name, rows in sheets.items() if sum(sum(map(bool, row)) > 1 for row in rows) > 1]
    if len(tables) > 1:
        raise ValueError(worded("sheets", len(tables), some_names(tables), str(path), tables[0]))
    rows = sheets[tables[0]] if tables else next(iter(sheets.values()))
    first = min((i for row in rows for i, x in enumerate(row) if x.strip()), default=0)
    rows = [row[first:] for row in rows]
    below = max((i for i, row in enumerate(rows) if not any(row)), default=len(rows))
    notes = [row[:1] for row in rows[below:]]  # has one cell each, below a blank row
    return rows[:below] + notes if not any(any(row[1:]) for row in rows[below:]) else rows


def _of_rows(rows: list[list[str]]) -> tuple[dict[str, Column], tuple[str, ...]]:
    """The columns of rows, the first of which are a header, and the lines that were left out."""
    rows = [row for row in rows if any(map(str.strip, row))]
    if not rows:
        raise ValueError("it is empty")
    rows, lines = _without_lines(rows)
    rows[:2] = [["" if words.is_listed(cell, "pivots") else cell for cell in row] for row in rows[:2]]
    header, body = _one_header(rows)
    body = [row for row in body if row != rows[0]]  # of files below each other
    width = max(map(len, body), default=len(header))
    while width > len(header) and all(len(row) < width or not row[-1].strip() for row in body):
        body, width = [row[: width - 1] for row in body], width - 1  # a separator at the end of every row
    if width == len(header) + 1 and all(len(row) == width for row in body):
        header = ["", *header]  # as R writes the names of rows
    for i, row in enumerate(body):
        if len(row) != len(header):
            raise ValueError(f"its header has {len(header)} cells, row {i + 1} below it has {len(row)}")
    names = distinct_names([column_name(name, i) for i, name in enumerate(header, 1)])
    return dict(zip(names, np.array(body, dtype=object).reshape(len(body), len(names)).T.copy(), strict=True)), lines


def _typeset(text: str) -> list[list[str]]:
    """The rows of a table in Markdown or LaTeX; none where it is neither."""
    forms = words.WORDS["typeset"].values()
    found = [(told, match["rows"]) for told in forms for match in re.finditer(told["table"], text)]
    if len(found) > 1:
        raise ValueError(f"it has {len(found)} tables: give a file for each")
    rows, titles = list[list[str]](), [[title] for told, _ in found for title in re.findall(told["title"], text)]
    for told, body in found:
        for line in filter(str.strip, re.split(told["row"], body)):
            spans = [int(one[1]) for one in re.finditer(told["span"], line)]
            line = re.sub(told["span"], lambda one: one[2] + "&" * (int(one[1]) - 1), line)
            cells = re.split(told["cell"], line.strip().removeprefix("|").removesuffix("|"))
            for sign, own in told["signs"].items():
                cells = [re.sub(sign, own, cell).strip() for cell in cells]
            if spans == [len(cells)]:  # of a part
                titles.append(cells[:1])
            else:
                rows.append(cells)
    return [*titles, *rows]


def _without_lines(rows: list[list[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows without comments, titles and footnotes, and these."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    last, below = len(rows), (any(map(_NUMBER.fullmatch, row[1:])) for row in (*rows[1:], ["", "0"]))
    # A comment or a title has no cells as the others have.
    alone = ((row[0].startswith("#") and len(row) != width) or (row[0] and not any(row[1:])) for row in rows)
    both = enumerate(zip(alone, below, strict=True))
    first = next(i for i, (line, number) in both if number or not line or width == 1)
    while last > first + 2 and len(rows[last - 1]) == 1 < width:
        last -= 1
    return rows[first:last], tuple(", ".join(filter(None, row)) for row in (*rows[:first], *rows[last:]))


def _one_header(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The header and the rows below it; of two lines of names, as of merged cells or levels of pandas, one is made."""
    header, body = [*map(str.strip, rows[0])], rows[1:]
    second, below = [x.strip() for x in body[0]] if body else [], (x for row in body[1:] for x in row)
    named, open_ones = [*filter(None, header)], [i for i, name in enumerate(header) if i and not name]
    k = len([*takewhile(str.strip, body[1])]) if body[1:] and {*map(len, body)} == {len(header)} else 0
    of_rows = 0 < k < len(header) and not any(map(str.strip, body[1][k:]))  # the names of levels of rows
    if of_rows and all(map(words.role_of_name, levels := [header[0], second[0]])):  # and of those of columns
        for i in open_ones:
            header[i] = header[i - 1]
        own = [[*row[:k], header[i], second[i], x] for row in body[2:] for i, x in enumerate(row) if i >= k]
        return [*body[1][:k], *levels, "score"], own  # a row per score
    if len(second) != len(header) or any(map(_NUMBER.fullmatch, second)):
        return header, body
    merged = bool(open_ones) and not any(words.is_missing(second[i]) for i in open_ones)
    merged |= not header[0] and len({*second[1:]}) == 1 < len(named)  # one metric below every name
    if (len({*named}) == len(named) and not merged) or not any(map(_NUMBER.fullmatch, below)):
        return header, body
    for i in open_ones:  # a name stands in the first of its cells
        header[i] = header[i - 1] if i > 1 else ""
    if not of_rows and header[0] != second[0] and all(map(words.role_of_name, (header[0], second[0]))):
        header[0] = second[0] = ""  # the names of levels of columns
    both = [" ".join(dict.fromkeys(filter(None, pair))) for pair in zip(header, second, strict=True)]
    return ([*body[1][:k], *both[k:]], body[2:]) if of_rows else (both, body[1:])


def decoded(data: bytes) -> str:
    """A text, whatever its encoding; ValueError of anything else."""
    if data.startswith(_COMPRESSED):
        raise ValueError("it is compressed: unpack it first; skcompare.load reads saved results")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16")
    if b"\0" in data:
        raise ValueError("it is no text")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if re.search(rb"[\x80-\xff]{3}", data):  # as texts of other languages have them
            raise ValueError("its text is neither UTF-8 nor western: save it as UTF-8") from None
        return data.decode("cp1252", errors="replace")


def _rows(text: str, sep: str, most: int | None = None, quote: str = '"') -> list[list[str]]:
    """The rows with something in them."""
    quote = "'" if text.startswith("Key_Dataset") else quote  # of WEKA
    data = text if most is None else text[: _LONG_ROW * most]
    lines = io.TextIOWrapper(io.BytesIO(data.encode()), "utf-8", newline="")  # a quarter of what StringIO takes
    escape = "\\" if quote == "'" else None
    rows = csv.reader(lines, delimiter=sep, skipinitialspace=True, quotechar=quote, escapechar=escape)
    found = [*islice((row for row in rows if any(map(str.strip, row))), most)]
    if most is None and text.count(quote) % 2 and found and "\n" in found[-1][-1]:  # it holds all rows behind it
        start, _, _ = found[-1][-1].partition("\n")
        raise ValueError(f"a quote is opened and never closed, before {start!r}")
    return found


def _separator(text: str) -> str:
    """What gives all rows the same number of cells, the most of them; blanks where nothing else does."""
    widths = dict.fromkeys((*SEPARATORS, " "), (False, False, 0.0, 1))
    for sep in widths:
        with suppress(csv.Error):  # a line of many names is one long cell where it has other separators
            found = Counter(len(row) for row in _rows(text, sep, _LOOKED_AT)) or Counter([1])
            usual, n = found.most_common(1)[0]
            near = len(found) == 1 or (len(found) == 2 and max(found) - min(found) == 1)
            of_usual = n / found.total() if usual > 1 else 0.0  # comments, titles and notes have other widths
            widths[sep] = (len(found) == 1 and usual > 1, near and usual > 1, of_usual, max(found))
    best = max(SEPARATORS, key=lambda sep: widths[sep])
    return " " if widths[best][-1] == 1 and widths[" "][1] else best


def _of_json(found: Any) -> dict[str, Column]:
    """The columns of what JSON holds: records, columns, or what pandas writes."""
    if isinstance(found, dict):
        found = _records_in(found) or found
    if isinstance(found, dict) and found and all(map(_holds, found.values())):
        if any(isinstance(own, list) or any(map(_holds, own.values())) for own in found.values()):
            if len({*map(frozenset, found := [*_nested(found)])}) > 1:
                raise ValueError("it must hold records, such as {'model': ..., 'dataset': ..., 'score': ...}")
        else:
            index = dict.fromkeys(row for column in found.values() for row in column)
            counted = list(index) == [str(i) for i in range(len(index))]
            found = [{**({} if counted else {"": row}), **{c: x.get(row) for c, x in found.items()}} for row in index]
        lists = [x for row in found for x in row.values() if not isinstance(x, str)]
        if lists and all(isinstance(x, list) and len(x) == len(lists[0]) for x in lists):
            own = range(len(lists[0]))  # a row per score
            found = [{name: x if isinstance(x, str) else x[i] for name, x in row.items()} for row in found for i in own]
    if isinstance(found, dict) and found and all(isinstance(column, list) for column in found.values()):
        return {column_name(name, i): _cells(column) for i, (name, column) in enumerate(found.items(), 1)}
    return records(found)


def _holds(x: Any) -> bool:
    return isinstance(x, dict) or _are_records(x)


def _nested(found: Any, *names: str) -> Iterator[dict[str, Any]]:
    """Of objects in objects the innermost, and records in them, as records with the names of those that they are in."""
    told = {column_name("", i): name for i, name in enumerate(names, 1)}
    if isinstance(found, list):
        yield from ({**told, **row} for row in found)
        return
    inner = {name: x for name, x in found.items() if _holds(x)}
    for name, x in inner.items():
        yield from _nested(x, *names, name)
    if len(inner) < len(found) and not any(map(_are_records, inner.values())):
        yield {**told, **found}


def _records_in(found: dict[str, Any]) -> list[dict[str, Any]]:
    """An object with a cell of its own as a record; of one that lists records these, with what is said of them all."""
    flat = _flat(found)
    lists = {name: x for name, x in flat.items() if _are_records(x)}
    if len(lists) != 1:
        return [flat] if any(not isinstance(x, (dict, list)) for x in found.values()) else []
    [(name, rows)] = lists.items()
    flat.pop(name, None)
    named = {"model", "repeat", "run", "split", "task_name"}
    said = {x: own for x, own in flat.items() if len(rows) == 1 or {words.role_of_name(x), words.plain(x)} & named}
    return [{**said, **row} for row in rows]


def _are_records(x: Any) -> bool:
    return isinstance(x, (list, tuple)) and bool(x) and all(isinstance(row, Mapping) for row in x)


def _as_json(given: Any) -> Any:
    """What mappings and lists hold, as JSON has it: arrays as lists, frames and series by the names of their rows."""
    if hasattr(given, "iloc") and (given.ndim > 1 or type(given.index).__name__ != "RangeIndex"):
        given = given.to_dict()
    if isinstance(given, Mapping):
        return {str(name): _as_json(x) for name, x in given.items()}
    given = given.tolist() if hasattr(given, "tolist") else given
    return [*map(_as_json, given)] if isinstance(given, (list, tuple)) else given


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Records in cells as cells of their own; of several records they have both names, as in config.model."""
    alone, found = (inside := sum(isinstance(x, dict) for x in row.values())) == 1, {} if inside else {**row}
    for name, x in row.items() if inside else ():
        inner = _flat(x) if isinstance(x, dict) else {}
        found |= {key if alone and key not in row else f"{name}.{key}": own for key, own in inner.items()}
        found |= {} if isinstance(x, dict) else {name: x}
    return found


def records(rows: Any) -> dict[str, Column]:
    """A column per key of some records."""
    if not _are_records(rows) and rows != []:
        raise ValueError("it must hold records, or a list per column")
    rows = [*map(_flat, rows)]
    names = dict.fromkeys(name for row in rows for name in row)
    kinds = {name: {*map(type, (row.get(name) for row in rows))} for name in names}
    ending = [x for x in names if words.is_listed(words.plain(x).rpartition("_")[2], "lists")]
    lists = [x for x in ending if kinds[x] == {list} and not _are_records(rows[0][x])]
    if lists and all(len({len(row[x]) for x in lists}) == 1 for row in rows):  # a row per score
        rows = [{**row, **{x: row[x][i] for x in lists}} for row in rows for i in range(len(row[lists[0]]))]
    return {column_name(name, i): _cells([row.get(name) for row in rows]) for i, name in enumerate(names, 1)}


def _cells(values: Sequence[Any]) -> Column:
    """Plain cells; lists, records and arrays, which describe their rows, as text."""
    text = (json.dumps(x, sort_keys=True, default=str) if isinstance(x, (dict, list)) else str(x) for x in values)
    plain = (isinstance(x, Hashable) and not isinstance(x, tuple) for x in values)
    return cells_of([x if own else said for x, own, said in zip(values, plain, text, strict=True)])


def cells_of(values: Sequence[Any]) -> Column:
    """Numbers as an array of numbers, anything else as objects."""
    values = [float(x) if isinstance(x, Decimal) else x for x in values]
    if all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in values):
        return np.array(values)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _is_table(given: Any) -> bool:
    return hasattr(given, "keys") or (hasattr(given, "columns") and hasattr(given, "__getitem__"))


def there(given: Any) -> Any:
    """A frame that is not computed yet, or is that of a data base or pyarrow, as pandas or polars have it; a log.

    A series is a frame of one column.
    """
    way = next((x for x in ("toPandas", "compute", "df", "collect") if hasattr(type(given), x)), "")
    way = "to_pandas" if hasattr(type(given), "column_names") else way
    given = getattr(given, way)() if way else given
    given = given.to_frame(given.name or "score") if hasattr(given, "to_frame") and hasattr(given, "name") else given
    return json.loads(given.model_dump_json()) if hasattr(given, "model_dump_json") else given


def table_in(frame: Any, called: str) -> Table:
    """The columns of a data frame or a mapping, which messages call `called`; of an index where it says something."""
    frame = there(frame)
    if not _is_table(frame):
        more = {FRAME: ", or for skc.read a path", "source": ", a list of records or a path"}.get(called, "")
        raise ValueError(f"{called} must be a data frame or a mapping of columns{more}; got {type(frame).__name__}")
    levels = getattr(getattr(frame, "columns", ()), "names", ())
    if len(levels) > 1 and None not in frame.index.names and all(words.role_of_name(str(name)) for name in levels):
        frame = frame.melt(ignore_index=False, value_name="score")  # a row per score
    names: list[Any] = [*(frame.columns if hasattr(frame, "columns") else frame.keys())]
    header = ""
    if hasattr(frame, "iloc"):
        rows, cells = frame.index, [frame.iloc[:, i] for i in range(len(names))]
        header = frame.columns.name if isinstance(frame.columns.name, str) else ""
    else:
        cells = [frame[name] for name in names]
        check_aligned(**{f"{called}[{name!r}]": x for name, x in zip(names, cells, strict=True)})
        of_series = bool(cells) and all(hasattr(x, "iloc") and {*names}.isdisjoint(x.index.names) for x in cells)
        rows = cells[0].index if of_series else None
    if rows is not None and (rows.nlevels > 1 or rows.name is not None or rows.dtype.kind not in "iu"):  # or it counts
        levels = [f"index {i}" * (rows.nlevels > 1) or "index" for i in range(1, rows.nlevels + 1)]
        names = [*(one if named is None else named for named, one in zip(rows.names, levels, strict=True)), *names]
        cells = [*(rows.get_level_values(i) for i in range(rows.nlevels)), *cells]
    own = distinct_names([column_name(name, i) for i, name in enumerate(names, 1)])
    table = _checked({name: _values(x, name, called) for name, x in zip(own, cells, strict=True)}, called)
    return replace(table, header=header or table.header)


def _values(values: Any, name: Any, called: str) -> Column:
    """One value per row; what pandas has for missing is None."""
    refuse_masked(values, f"{called}[{name!r}]")
    try:
        found = of_dates(np.asarray(values))
        if found.dtype.kind == "U" and isinstance(values, (list, tuple)):  # nan among texts is none
            found = np.asarray(values, dtype=object)
    except ValueError:  # lists of different lengths
        found = np.empty((0, 0))
    if found.ndim != 1:
        raise ValueError(f"{called} must have one value per row in its column {name!r}; got {type(values).__name__}")
    found = _cells(found.tolist()) if found.dtype.kind == "O" else found
    if hasattr(values, "isna") and found.dtype.kind == "O":
        found[np.asarray(values.isna())] = None
    return found


SCORE = re.compile(r"-?\d*\.\d+(?:e[-+]?\d+)?")  # as the names of a table without a header
UNNAMED = "holds scores, and nothing names its model: name the column, or leave it out"


def distinct_names(names: list[str]) -> list[str]:
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        own = f"every column must have a name of its own; two are called {twice[0]!r}: rename one"
        raise ValueError(f"{twice[0]!r} {UNNAMED}" if SCORE.fullmatch(twice[0]) else own)
    return names


def _checked(columns: Mapping[str, Column], origin: str) -> Table:
    """The table, where its columns are of one length with a row or more."""
    lengths = {name: len(values) for name, values in columns.items()}
    if not any(lengths.values()):
        raise ValueError(f"{origin} has no rows{f' below its header, {some_names([*lengths])}' if lengths else ''}")
    if len({*lengths.values()}) != 1:
        raise ValueError(f"{origin} must have columns of one length, with at least one row; got {lengths!s:.200}")
    corners = [name for name in columns if name.endswith(":")]  # of what the header names, as tsml-eval writes it
    header = corners[0][:-1] if len(corners) == 1 and corners[0] in [*columns][:2] else ""
    numbered = enumerate(columns.items(), 1)
    own = {column_name("", i) if header and name == corners[0] else name: x for i, (name, x) in numbered}
    return Table(columns=own, origin=origin, header=header)


def _runs_of(experiment: str) -> Any:
    """The runs of an experiment, from the store that MLflow is set to."""
    mlflow = _package("runs of MLflow need it: pip install 'skcompare[mlflow]'", "mlflow")
    if mlflow.get_experiment_by_name(experiment) is None:
        raise ValueError(worded("no experiment", experiment, mlflow.get_tracking_uri()))
    return mlflow.search_runs(experiment_names=[experiment])


def _log_of_inspect(path: Path) -> Any:
    """An ``.eval`` log of inspect_ai as its JSON."""
    made = f"'inspect log convert {path.name} --to json --output-dir json' makes of it"
    log = _package(f"{path.name} needs inspect_ai: pip install inspect-ai; or give what {made}", "inspect_ai.log")
    return json.loads(log.read_eval_log(str(path)).model_dump_json())


def _package(needs: str, *names: str) -> Any:
    """The first of some packages that is there."""
    for name in names:
        with suppress(ImportError):
            return import_module(name)
    raise ImportError(needs)


def origin_of(sources: Sequence[Source]) -> str:
    """What messages call them."""
    return ", ".join(x.name if x.path is None else str(x.path) for x in sources)


def names_of(sources: Sequence[Source]) -> list[str]:
    """The names of the files, where some have one name with those of the folders in which they differ."""
    names = [source.name for source in sources]
    parts = [(source.path or Path(source.name)).with_suffix("").parts for source in sources]
    apart = [own for own in zip(*parts, strict=False) if len({*own}) > 1]
    both = len({*names}) < len(names) or (apart[1:] and words.numbered(names) is not None)
    found = ["/".join(own) for own in zip(*apart, strict=True)] if both and apart else names
    return found if len({*found}) == len(found) else [str(source.path or source.name) for source in sources]


def runs_in_files(columns: Mapping[str, Column]) -> list[tuple[Any, ...]]:
    """What names of files name beside runs, how these are called, and which; none where they may be of items."""
    texts, roles = columns[FILES].tolist(), {x: words.role_of_name(x) for x in columns}
    found = words.runs_of(texts) or words.runs_of([f"{FILES} {x}" for x in texts])
    for name in (x for x in roles if roles[x] == "run"):  # in a column too
        runs, form = columns[name].tolist(), r"(.+?)[ _./-]+(?:s|seed|run)?[ _./-]*{}"
        ends = [re.fullmatch(form.format(re.escape(str(n))), x) for x, n in zip(texts, runs, strict=True)]
        found = [(match[1], name, n) for match, n in zip(ends, runs, strict=True) if match] * all(ends)
    several = "model" in roles.values() or len({of for of, *_ in found}) > 1
    return found if several and "item" not in roles.values() else []


def rows_of(sources: Sequence[Source], *needed: str) -> list[Row] | None:
    """The rows of tables that all have some columns, with the name of their file; None where one has them not."""
    if not all({*needed} <= {*source.columns} for source in sources):
        return None
    named = [({**x.columns, FILES: repeat(name)}) for name, x in zip(names_of(sources), sources, strict=True)]
    return [dict(zip(own, cells, strict=True)) for own in named for cells in zip(*own.values(), strict=False)]
