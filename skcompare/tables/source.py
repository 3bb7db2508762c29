"""What is read: a path, several paths, a data frame or a mapping of columns -> one table of cells as they came."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.archive import check_regular
from skcompare._core.numbers import agreeing, some_names
from skcompare._core.validation import check_aligned, of_dates, refuse_masked
from skcompare.tables import columns as words

Column = NDArray[Any]
Row = dict[str, Any]
FRAME = "frame"  # what messages call a table that is no file
FILES, HEADERS, ROWS = "files", "columns", "rows"  # in place of a column: what stands in names of files, in the header
SEPARATORS = (",", ";", "\t", "|")
_BLANKS = "  "  # two or more
# How compressed files begin; one could be far smaller than its table.
_COMPRESSED = (b"\x1f\x8b", b"(\xb5/\xfd", b"BZh", b"PK\x03\x04", b"\xfd7zXZ")
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*")
_LIST = re.compile(r"\s*(?:array\()?\[([^\[\]]*)\]\)?\s*")  # also as numpy writes it
_JSON = (".json", ".jsonl", ".ndjson")
_ATTRIBUTE = re.compile(r"(?im)^@attribute\s+('(?:[^'\\]|\\.)*'|\S+)")
_LOOKED_AT = 50  # rows from which the separator is found
_MARKDOWN = re.compile(r"(?m)^.*\|.*\n\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$(?:\n.*\|.*$)*")
_BRACES = r"\{(?:[^{}]|\{[^{}]*\})*\}"
_LATEX = re.compile(rf"(?s)\\begin\{{(tabular[*xy]?|longtable)\}}(?:\[\w+\])?(?:{_BRACES})+(.*?)\\end\{{\1\}}")
_LATEX_LINES = re.compile(r"\\(?:top|bottom|c?mid|h|c)(?:rule|line)(?:\([lr]+\))?(?:\[\w+\]|\{[\d-]+\})?|(?<!\\)%.*")
_LATEX_COLUMNS = re.compile(rf"\\multicolumn\{{(\d+)\}}{_BRACES}\{{(.*)\}}")
_LATEX_ROWS = re.compile(rf"\\multirow\*?(?:\[\w\])?\{{(\d+)\}}{_BRACES}(?:\[[^\]]*\])?\{{(.*)\}}")
_LATEX_AROUND = re.compile(rf"\\(?:begin|end|caption|label)(?:\[[^\]]*\])?(?:{_BRACES})+|\\centering")
_RULE = re.compile(r"(?m)^[\s|+:=-]*[=-]{3}[\s|+:=-]*$\n?")


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
    header : str
        What the names of the columns are names of, as a pandas frame tells it; empty where nothing does.
    labels : ndarray of shape (n_rows,) or None
        What a frame calls its rows, where its index only counts them.
    """

    columns: dict[str, Column]
    origin: str
    kind: str | None = None
    notes: tuple[str, ...] = ()
    header: str = ""
    labels: Column | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(next(iter(self.columns.values()), ()))


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
            given = given.to_frame(given.name or "score") if hasattr(given, "to_frame") else given  # of one column
            table = hasattr(given, "keys") or hasattr(given, "columns") or isinstance(given, list)
            return cls(name=FRAME if table else type(given).__name__, given=given)
        if "\n" in os.fspath(given):
            raise ValueError("source must be a path; got text of several lines: write it to a file, and give its path")
        path, (scheme, _, experiment) = Path(given), os.fspath(given).partition(":")
        if scheme == "mlflow" and not path.exists():
            return cls(name=os.fspath(given), given=_runs_of(experiment))
        return cls(name=path.stem, path=path, sep=sep)

    @cached_property
    def content(self) -> Any:
        """The object, or what the file holds as JSON; None of any other file."""
        if self.path is None or not self.path.is_file():
            return self.given
        try:
            return self._json
        except (OSError, ValueError, KeyError, RecursionError, zipfile.BadZipFile):  # of JSON, UTF-8 and archives
            return None

    @cached_property
    def header(self) -> dict[str, Any]:
        """The columns by their names, as they came; none of what is no table."""
        if hasattr(self.content, "keys") or hasattr(self.content, "columns"):
            return {str(name): self.content[name] for name in getattr(self.content, "columns", self.content)}
        try:
            return {**self.table.columns}
        except (ValueError, ImportError):
            return {}

    @cached_property
    def columns(self) -> dict[str, list[Any]]:
        """The cells by the names of the columns; pandas writes one as a mapping of rows into JSON."""
        return {name: list(x.values() if isinstance(x, dict) else x) for name, x in self.header.items()}

    @cached_property
    def table(self) -> Table:
        """The table as it came, whatever tool wrote it; ValueError where it is none."""
        path = self.path
        if path is None:
            inner = [*self.given.values()] if isinstance(self.given, dict) else self.given
            nested = isinstance(inner, list) and inner and all(isinstance(one, dict) for one in inner)
            return _checked(_of_json(self.given), FRAME) if nested else table_in(self.given, FRAME)
        check_regular(path, "source")
        notes: tuple[str, ...] = ()
        try:
            path.stat()
            if (form := path.suffix.lower()) in _JSON:
                found, notes = _without_header(self._json)
                columns = _of_json(found)
            elif form == ".parquet":
                columns = _parquet(path)
            else:
                columns, notes = _of_rows(_sheet(path)) if form == ".xlsx" else _separated(path.read_bytes(), self.sep)
        except (OSError, ImportError, csv.Error, ValueError, RecursionError) as error:
            raise ValueError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from error
        return replace(_checked(columns, str(path)), notes=notes)

    def lines(self) -> Iterator[list[str]]:
        """What stands between the commas of every line of a text, whatever its quotes; none of anything else."""
        if self.path is not None and self.path.suffix.lower() == ".csv" and self.path.is_file():
            with self.path.open(encoding="utf-8-sig", errors="replace") as lines:
                yield from (line.rstrip("\n").split(",") for line in lines)

    @cached_property
    def _json(self) -> Any:
        form = self.path.suffix.lower() if self.path else ""
        if self.path is None or form not in (*_JSON, ".eval"):
            return None
        return _archive(self.path) if form == ".eval" else _loaded(self.path.read_bytes(), by_line=form != ".json")


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
        raise ValueError("source must be one table, or several paths; got tables")
    tables = [source.table for source in sources]
    return tables[0] if len(tables) == 1 else below(tables, names_of(sources))


def column_name(name: Any, place: int) -> str:
    """The name of a column on one line; of none its place, counted from 1."""
    text = "" if name is None or name != name else str(name)
    return " ".join(text.replace("\ufeff", "").split()) or f"column {place}"


def below(tables: Sequence[Table], called: Sequence[str]) -> Table:
    """The rows of several files, which are called so; a column that one lacks is empty there."""
    for table in tables[1:]:
        if table.columns.keys().isdisjoint(tables[0].columns):
            told = [f"{one.origin} has {some_names([*one.columns])}" for one in (tables[0], table)]
            raise ValueError(f"tables must be of one form, with columns of one name; {' and '.join(told)}")
    names = dict.fromkeys(name for table in tables for name in table.columns)
    empty = [np.full(table.n_rows, None, dtype=object) for table in tables]
    both = [*zip(tables, empty, strict=True)]
    rows = {name: np.concatenate([own.columns.get(name, no).astype(object) for own, no in both]) for name in names}
    files = np.repeat(np.array(called, dtype=object), [table.n_rows for table in tables])
    origin, headers = ", ".join(table.origin for table in tables), {table.header for table in tables}
    return Table(columns={**rows, FILES: files}, origin=origin, header=headers.pop() if len(headers) == 1 else "")


def separator(text: str, option: str) -> str:
    """The character that separates columns; ValueError where it can be none."""
    character = "\t" if text in ("tab", "\\t") else text
    if len(character) != 1 or character.isalnum() or character in '"\n\r':
        raise ValueError(f"{option} must be one character that separates columns, such as ';', or tab; got {text!r}")
    return character


def _separated(data: bytes, sep: str | None) -> tuple[dict[str, Column], tuple[str, ...]]:
    """Separated text with a header, and what is to be said of its lines."""
    text = decoded(data)
    if "weka.experiment" in text and "Analysing:" in text:
        raise ValueError("it is what WEKA's Experimenter prints: give the results that it analysed, as CSV or ARFF")
    if re.match(r"(?i)\s*<(!doctype|html|table)\b", text):
        raise ValueError("it is HTML: give its table as CSV, or as a data frame, such as pandas.read_html makes")
    if _ATTRIBUTE.search(text):
        return _of_rows(_arff(text))
    sep = None if sep is None else separator(sep, "sep")
    return _of_rows(_typeset(text) or (sep is None and _grouped(text)) or _rows(text, sep or _separator(text)))


def _arff(text: str) -> list[list[str]]:
    """The rows of ARFF below the names of its attributes."""
    names = [match[1].strip("'\"") for match in _ATTRIBUTE.finditer(text)]
    body = re.sub("(?m)^%.*$", "", re.split(r"(?im)^\s*@data\b.*$", text)[-1])
    if body.lstrip().startswith("{"):
        raise ValueError("it is sparse ARFF: give it with all values, as WEKA's filter SparseToNonSparse writes it")
    return [names, *_rows(body, ",", quote="'" if "'" in body else '"')]


def _of_rows(rows: list[list[str]]) -> tuple[dict[str, Column], tuple[str, ...]]:
    """The columns of rows, the first of which are a header, and what is to be said of lines that were left out."""
    if not rows:
        raise ValueError("it is empty")
    rows, notes = _without_lines(rows)
    rows[:2] = [["" if words.is_listed(cell, "pivots") else cell for cell in row] for row in rows[:2]]
    header, body = _one_header(rows)
    width = max(map(len, body), default=len(header))
    while width > len(header) and all(len(row) < width or not row[-1].strip() for row in body):
        body, width = [row[: width - 1] for row in body], width - 1  # a separator at the end of every row
    if width == len(header) + 1 and all(len(row) == width for row in body):
        header = ["", *header]  # as R writes the names of rows
    for i, row in enumerate(body):
        if len(row) != len(header):
            raise ValueError(f"its header has {len(header)} cells, row {i + 1} below it has {len(row)}")
    names = distinct_names([column_name(name, i) for i, name in enumerate(header, 1)])
    return {name: np.array([row[i] for row in body], dtype=object) for i, name in enumerate(names)}, notes


def _typeset(text: str) -> list[list[str]]:
    """The rows of a table in Markdown or LaTeX, also of the rows alone; none where it is neither."""
    latex, markdown = _LATEX.findall(text), _MARKDOWN.findall(text.replace("\r\n", "\n"))
    if len(latex) + len(markdown) > 1:
        raise ValueError(f"it has {len(latex) + len(markdown)} tables: give a file for each")
    if markdown:
        lines = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line).strip() for line in markdown[0].splitlines()]
        rows = [line.removeprefix("|").removesuffix("|").split("|") for i, line in enumerate(lines) if i != 1]
        return [[re.sub(r"^(\*\*|__|\*|`)(.*)\1$", r"\2", cell.strip()) for cell in row] for row in rows]
    if not latex and len(re.findall(r"(?m)&.*\\\\", text)) < 2:
        return []
    body = latex[0][1] if latex else _LATEX_AROUND.sub("", text)
    lines = [_LATEX_LINES.sub("", line) for line in re.split(r"\\\\(?:\[[^\]]*\])?", body)]
    rows = _spread([[" ".join(cell.split()) for cell in re.split(r"(?<!\\)&", line)] for line in lines if line.strip()])
    for sign, own in words.WORDS["latex"].items():
        rows = [[re.sub(sign, own, cell).strip() for cell in row] for row in rows]
    return rows


def _grouped(text: str) -> list[list[str]]:
    """The rows of what pandas prints of groups, whose names stand above blanks; none of another text."""
    lines = [line for line in text.splitlines() if line.strip()]
    if lines[-1:] and lines[-1].startswith(("Name: ", "dtype: ")):  # of a series
        named = re.match(r"Name: ([^,\s]+)", lines[-1])
        lines = [named[1] if named else "score", *lines[:-1]]
    header, names, *rows = [line.split() for line in lines] if len(lines) > 2 else [[], [], []]
    width = len(header) + len(names)
    if len(names) < 2 or len(rows[0]) != width or any(map(_NUMBER.fullmatch, names)):
        return []
    for i, (line, row) in enumerate(zip(lines[2:], rows, strict=True)):
        if len(row) > width or len(row) <= len(header) or (len(row) < width and not line.startswith(" ")):
            return []
        rows[i] = [*rows[i - 1][: width - len(row)], *row]
    return [[*names, *header], *rows]


def _spread(rows: list[list[str]]) -> list[list[str]]:
    """Of cells of LaTeX that span columns a name and blanks, of those that span rows the name in each of these."""
    for row in rows:
        for i in reversed(range(len(row))):
            if match := _LATEX_COLUMNS.fullmatch(row[i]):
                row[i : i + 1] = [match[2], *[""] * (int(match[1]) - 1)]
    for at, row in enumerate(rows):
        for i, cell in enumerate(row):
            if span := _LATEX_ROWS.fullmatch(cell):
                for below in rows[at + 1 : at + int(span[1])]:
                    below[i : i + 1] = [x or span[2] for x in below[i : i + 1]]
                row[i] = span[2]
    return rows


def _without_lines(rows: list[list[str]]) -> tuple[list[list[str]], tuple[str, ...]]:
    """The rows without comments, titles and footnotes, and what was left out."""
    width = Counter(map(len, rows)).most_common(1)[0][0]
    last, below = len(rows), [any(map(_NUMBER.fullmatch, row[1:])) for row in (*rows[1:], ["", "0"])]
    first = next(i for i, row in enumerate(rows) if below[i] or not _is_line(row, width))
    while last > first + 2 and len(rows[last - 1]) == 1 < width:
        last -= 1
    lines = [" ".join(filter(None, map(str.strip, row))) for row in (*rows[:first], *rows[last:])]
    return rows[first:last], (f"Lines beside the table were left out: {some_names(lines, 2)}.",) if lines else ()


def _is_line(row: list[str], width: int) -> bool:
    """Whether what stands above the others is a comment or a title: it has no cells as they have."""
    return width > 1 and ((row[0].startswith("#") and len(row) != width) or (bool(row[0]) and not any(row[1:])))


def _one_header(rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The header and the rows below it; of two lines of names, as of merged cells or levels of pandas, one is made."""
    header, body = [*map(str.strip, rows[0])], rows[1:]
    if body and len(body[0]) == 1 < len(header):  # the name of the rows, as pandas prints it
        name, body = body[0][0], body[1:]
        header = [name, *header[len(header) == max(map(len, body), default=0) :]]
    if body and (n := _n_names(header, body[0])):
        header, body = [*body[0][:n], *header[n:]], body[1:]
    second, below = [x.strip() for x in body[0]] if body else [], (x for row in body[1:] for x in row)
    named, open_ones = [*filter(None, header)], [i for i, name in enumerate(header) if i and not name]
    if len(second) != len(header) or any(map(_NUMBER.fullmatch, second)) or not any(map(_NUMBER.fullmatch, below)):
        return header, body
    merged = bool(open_ones) and not any(words.is_missing(second[i]) for i in open_ones)
    if len({*named}) == len(named) and not merged:
        return header, body
    for i in open_ones:  # a name stands in the first of its cells
        header[i] = header[i - 1] if i > 1 else ""
    both = [" ".join(dict.fromkeys(filter(None, pair))) for pair in zip(header, second, strict=True)]
    body = body[1:]
    if body and (n := _n_names(both, body[0], surely=True)):
        both, body = [*body[0][:n], *both[n:]], body[1:]
    return both, body


def _n_names(header: Sequence[str], below: Sequence[str], *, surely: bool = False) -> int:
    """How many columns have their names in a line below the header that has nothing else, as pandas writes levels."""
    n = next((i for i, cell in enumerate(below) if not cell.strip()), 0)
    if len(below) != len(header) or any(map(str.strip, below[n:])) or any(map(_NUMBER.fullmatch, below[:n])):
        return 0
    named = surely or all(map(words.role_of_name, below[:n]))
    return n if named and (n < 2 or not all(header[1:n])) else 0


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
        return data.decode("cp1252", errors="replace")


def _rows(text: str, sep: str, most: int | None = None, quote: str = '"') -> list[list[str]]:
    """The rows with something in them."""
    if sep == _BLANKS:
        text, sep = re.sub(" {2,}", "\t", re.sub("(?m)^ +| +$", "", text)), "\t"
    quote = "'" if text.startswith("Key_Dataset") else quote  # of WEKA
    lines, escape = io.StringIO(_RULE.sub("", text), newline=""), "\\" if quote == "'" else None
    rows = csv.reader(lines, delimiter=sep, skipinitialspace=True, quotechar=quote, escapechar=escape)
    return [*islice((row for row in rows if any(map(str.strip, row))), most)]


def _separator(text: str) -> str:
    """What gives all rows the same number of cells, the most of them; a comma where nothing does."""
    widths = {}
    for sep in SEPARATORS:
        found = Counter(len(row) for row in _rows(text, sep, _LOOKED_AT))
        usual, n = found.most_common(1)[0] if found else (1, 0)
        near = len(found) == 1 or (len(found) == 2 and max(found) - min(found) == 1)
        of_usual = n / found.total() if usual > 1 else 0.0  # comments, titles and notes have other widths
        widths[sep] = (len(found) == 1 and usual > 1, near and usual > 1, of_usual, max(found, default=1))
    best = max(SEPARATORS, key=lambda sep: widths[sep])
    if widths[best][-1] > 1:
        return best
    for sep in (" ", _BLANKS):  # as printed, or as write.table of R does, without a name for those of rows
        first, *others = [*map(len, _rows(text, sep, _LOOKED_AT))] or [0]
        below = {*others[len(others) > 2 and others[0] == 1 :]}  # the name of the rows
        if first > 1 and len(below) == 1 and below <= {first, first + 1}:
            return sep
    return ","


def _loaded(data: bytes, *, by_line: bool) -> Any:
    """What JSON holds, or a line of JSON each."""
    text = decoded(data)
    return [json.loads(line) for line in text.split("\n") if line.strip()] if by_line else json.loads(text)


def _of_json(found: Any) -> dict[str, Column]:
    """The columns of what JSON holds: records, columns, or what pandas writes."""
    if isinstance(found, dict) and {"columns", "data"} <= found.keys():
        return records([dict(zip(found["columns"], row, strict=True)) for row in found["data"]])
    if isinstance(found, dict) and (rows := _records_in(found)):
        return records(rows)
    if rows := _of_leaves(_leaves(found)):
        return records(rows)
    if isinstance(found, dict) and found and all(isinstance(column, dict) for column in found.values()):
        index = dict.fromkeys(row for column in found.values() for row in column)
        counted = list(index) == [str(i) for i in range(len(index))]
        rows = [{**({} if counted else {"": row}), **{c: x.get(row) for c, x in found.items()}} for row in index]
        return records(rows)
    if isinstance(found, dict) and found and all(isinstance(column, list) for column in found.values()):
        return {column_name(name, i): _cells(column) for i, (name, column) in enumerate(found.items(), 1)}
    return records(found)


def _records_in(found: dict[str, Any]) -> list[dict[str, Any]]:
    """An object with a cell of its own as a record; of one that lists records these, with what is said of them all."""
    flat = _flat(found)
    listed = ({name: x for name, x in part.items() if _are_records(x)} for part in (found, flat))
    lists = next(filter(None, listed), {})
    if len(lists) != 1:
        return [flat] if any(not isinstance(x, (dict, list)) for x in found.values()) else []
    [(name, rows)] = lists.items()
    flat.pop(name, None)
    named = {"model", "repeat", "run", "split", "task_name"}
    said = {x: own for x, own in flat.items() if len(rows) == 1 or {words.role_of_name(x), words.plain(x)} & named}
    return [{**said, **row} for row in rows]


def _are_records(x: Any) -> bool:
    return isinstance(x, list) and bool(x) and all(isinstance(row, dict) for row in x)


def _without_header(found: Any) -> tuple[Any, tuple[str, ...]]:
    """Records but a first or a last one of another kind, such as a header, and what is said of it."""
    notes: list[str] = []
    for at, place in ((0, "first"), (-1, "last")) if _are_records(found) and len(found) > 3 else ():
        others = found[1:] if at == 0 else found[:-1]
        shared, own = set.intersection(*map(set, others)), found[at].keys() - set().union(*others)
        if own and 2 * len(shared & found[at].keys()) < len(shared):
            notes.append(f"The {place} record was left out: it has {some_names(sorted(own), 3)}, as no other one.")
            found = others
    return found, (*notes,)


def _leaves(found: Any) -> list[tuple[Any, ...]]:
    """The names on the way to each number or null in nested dicts, and the number; no end of what else is in them."""
    if not isinstance(found, dict):
        return [(found,) if isinstance(found, (int, float, type(None))) and not isinstance(found, bool) else ()]
    return [(name, *row) for name, x in found.items() for row in _leaves(x)]


def _of_leaves(rows: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    """Of numbers below three names or more a record each, of which the reader asks what the names are; else none."""
    if len({*map(len, rows)}) != 1 or len(rows[0]) < 4:
        return []
    return [
        {"number" if str(name).isdigit() else f"names {i}": name for i, name in enumerate(names, 1)} | {"value": x}
        for *names, x in rows
    ]


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """Records in cells as cells of their own; of several records they have both names, as in config.model."""
    alone, found = sum(isinstance(x, dict) for x in row.values()) == 1, dict[str, Any]()
    for name, x in row.items():
        inner = _flat(x) if isinstance(x, dict) else {}
        cells = {key if alone and key not in row else f"{name}.{key}": own for key, own in inner.items()}
        found |= cells or {name: x}
    return found


def records(rows: Any) -> dict[str, Column]:
    """A column per key of some records."""
    if not _are_records(rows) and rows != []:
        raise ValueError("it must hold records, or a list per column")
    rows = [*map(_flat, rows)]
    names = dict.fromkeys(name for row in rows for name in row)
    return {column_name(name, i): _cells([row.get(name) for row in rows]) for i, name in enumerate(names, 1)}


def _cells(values: Sequence[Any]) -> Column:
    """Plain cells; lists and records as text."""
    return cells_of([json.dumps(x, sort_keys=True) if isinstance(x, (dict, list)) else x for x in values])


def cells_of(values: Sequence[Any]) -> Column:
    """Numbers as an array of numbers, anything else as objects."""
    if all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in values):
        return np.array(values)
    found = np.empty(len(values), dtype=object)
    found[:] = values
    return found


def _sheet(path: Path) -> list[list[str]]:
    """The rows of the first sheet of a spreadsheet, through pandas."""
    try:
        import pandas as pd

        frame = pd.read_excel(path, header=None, dtype=object, keep_default_na=False)
    except ImportError as missing:
        raise ImportError("xlsx needs pandas and openpyxl: pip install pandas openpyxl") from missing
    except Exception as error:
        raise ValueError(f"{error}") from error
    rows = [[str(x) for x in row] for row in frame.to_numpy().tolist()]
    return [row for row in rows if any(map(str.strip, row))]


def _parquet(path: Path) -> dict[str, Column]:
    """Parquet through pandas, or polars where only that is there."""
    for package in ("pandas", "polars"):
        try:
            return table_in(import_module(package).read_parquet(path), FRAME).columns
        except ImportError:
            continue
        except Exception as error:
            raise ValueError(f"{error}") from error
    raise ImportError("Parquet needs a reader of it: pip install pandas pyarrow")


def table_in(frame: Any, called: str) -> Table:
    """The columns of a data frame or a mapping, which messages call `called`; of an index where it says something."""
    if not hasattr(frame, "keys") and not hasattr(frame, "columns"):
        more = ", or for skc.read a path" if called == FRAME else ""
        raise ValueError(f"{called} must be a data frame or a mapping of columns{more}; got {type(frame).__name__}")
    if not hasattr(frame, "iloc"):
        names = list(frame.keys() if hasattr(frame, "keys") else frame.columns)
        check_aligned(**{f"{called}[{name!r}]": frame[name] for name in names})
        own = distinct_names([column_name(name, i) for i, name in enumerate(names, 1)])
        columns = {one: _values(frame[name], name, called) for one, name in zip(own, names, strict=True)}
        table = _checked(columns, called)
        return replace(table, labels=np.arange(table.n_rows))
    rows = frame.index
    counts = rows.nlevels == 1 and rows.name is None and rows.dtype.kind in "iu"  # rows, in whatever order these stand
    index = {} if counts else _index_columns(rows, called)
    names = [" ".join(map(str, x)) if isinstance(x, tuple) else x for x in frame.columns]
    names = distinct_names([*index, *(column_name(name, i) for i, name in enumerate(names, 1))])[len(index) :]
    columns = {name: _values(frame.iloc[:, i], name, called) for i, name in enumerate(names)}
    header = frame.columns.name if isinstance(frame.columns.name, str) else ""
    labels = None if index else np.asarray(rows)
    table = _checked({**index, **columns}, called)
    return replace(table, header=header or table.header, labels=labels)


def _index_columns(index: Any, called: str) -> dict[str, Column]:
    levels = [index.get_level_values(i) for i in range(index.nlevels)]
    counted = [f"index {i}" if len(levels) > 1 else "index" for i in range(1, len(levels) + 1)]
    return {
        column_name(level.name, 1) if level.name is not None else name: _values(level, name, called)
        for name, level in zip(counted, levels, strict=True)
    }


def _values(values: Any, name: Any, called: str) -> Column:
    """One value per row; what pandas has for missing is None."""
    refuse_masked(values, f"{called}[{name!r}]")
    try:
        found = of_dates(np.asarray(values.to_numpy() if hasattr(values, "to_numpy") else values))
        if found.dtype.kind == "U" and isinstance(values, (list, tuple)):  # nan among texts is none
            found = np.asarray(values, dtype=object)
    except ValueError:  # lists of different lengths
        found = np.empty((0, 0))
    if found.ndim != 1:
        raise ValueError(f"{called} must have one value per row in its column {name!r}")
    if hasattr(values, "isna") and found.dtype.kind == "O":
        found = found.copy()
        found[np.asarray(values.isna())] = None
    return found


def distinct_names(names: list[str]) -> list[str]:
    if twice := [name for name, n in Counter(names).items() if n > 1]:
        raise ValueError(f"every column must have a name of its own; two are called {twice[0]!r}: rename one")
    return names


def spread(table: Table) -> Table:
    """A row per number where cells hold lists of scores, or of predictions, in every row of one length."""
    columns = table.columns
    first = {name: cells for name, cells in columns.items() if cells.dtype.kind == "O" and _numbers_in(cells[0])}
    lists = {name: own for name, cells in first.items() if all(own := [*map(_numbers_in, cells.tolist())])}
    numbered = [x for x, own in lists.items() if words.is_of_split(x) and all(k % 1 == 0 for row in own for k in row)]
    beside = {name: x for name, x in columns.items() if name not in lists}
    means = {name: np.array([*map(np.mean, own)]) for name, own in lists.items() if name not in numbered}
    told = [name for name, mean in means.items() if words.has_scores(name, mean, beside)]
    alone = lists and not any(words.numbers_of(x, ".").share == 1 for x in beside.values())
    others = lists if alone else numbered * bool(told)  # else they describe what has numbers
    like = {name: [*map(len, own)] for name, own in lists.items() if name in (*told, *others)}
    lists = {name: lists[name] for name, n in like.items() if name in told or not told or n == like[told[0]]}
    objects = {name: x.tolist() for name, x in columns.items() if x.dtype.kind == "O" and name not in lists}
    texts = {name: cells_of([*map(str, x)]) for name, x in objects.items() if any(map(_is_array, x))}
    table = replace(table, columns={**columns, **texts})
    columns, lengths = table.columns, [{*map(len, row)} for row in zip(*lists.values(), strict=True)]
    if not lists or any(len(own) != 1 for own in lengths):
        return table
    n = [own.pop() for own in lengths]
    sums = [x for x in columns if told and x not in lists and (words.is_measure(x) or words.is_statistic(x))]
    found = {name: np.repeat(x, n) for name, x in columns.items() if name not in (*sums, *lists)}
    found |= {(name in told and words.own_name_of_list(name)) or name: np.concatenate(x) for name, x in lists.items()}
    parts = {part for x in told for part in words.plain(x).split("_") if words.role_of_name(part) in ("split", "run")}
    place = np.concatenate([np.arange(k) for k in n])
    no_sums = f"; {some_names(sums)} beside them {agreeing(len(sums), 'is', 'are')} not" if sums else ""
    note = f"Lists in {some_names([*lists])} are read, number by number{no_sums}."
    return replace(table, columns={**dict.fromkeys(parts - {*found}, place), **found}, notes=(*table.notes, note))


def _is_array(cell: Any) -> bool:
    return isinstance(cell, (list, tuple, np.ndarray))


def _numbers_in(cell: Any) -> list[float]:
    """The numbers of a list, also as text; none of anything else."""
    if isinstance(cell, str):
        text = _LIST.fullmatch(cell)
        cell = re.split(r"[\s,;]+", text[1].strip(" ,;")) if text else []
    try:
        return [float(x) for x in cell] if _is_array(cell) else []
    except (TypeError, ValueError):
        return []


def _checked(columns: Mapping[str, Column], origin: str) -> Table:
    """The table, where its columns are of one length with a row or more."""
    lengths = {name: len(values) for name, values in columns.items()}
    if {*lengths.values()} == {0}:
        raise ValueError(f"{origin} has no rows below its header, {some_names([*lengths])}")
    if len({*lengths.values()}) != 1:
        raise ValueError(f"{origin} must have columns of one length, with at least one row; got {lengths!s:.200}")
    corners = [name for name in columns if name.endswith(":")]  # of what the header names, as tsml-eval writes it
    header = corners[0][:-1] if len(corners) == 1 and corners[0] in [*columns][:2] else ""
    numbered = enumerate(columns.items(), 1)
    own = {column_name("", i) if header and name == corners[0] else name: x for i, (name, x) in numbered}
    return Table(columns=own, origin=origin, header=header)


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
        made = f"'inspect log convert {path.name} --to json --output-dir json' makes of it"
        needs = f"{path.name} needs inspect_ai, as it is compressed by zstd: pip install inspect-ai"
        raise ImportError(f"{needs}; or give what {made}") from error
    return json.loads(read_eval_log(str(path)).model_dump_json())


def origin_of(sources: Sequence[Source]) -> str:
    """What messages call them."""
    return ", ".join(x.name if x.path is None else str(x.path) for x in sources)


def names_of(sources: Sequence[Source]) -> list[str]:
    """The names of the files, with their folders where some have one name."""
    names = [source.name for source in sources]
    return names if len({*names}) == len(names) else [str(source.path or source.name) for source in sources]


def rows_of(sources: Sequence[Source], *needed: str) -> list[Row] | None:
    """The rows of tables that all have some columns, with the name of their file; None where one has them not."""
    if not all({*needed} <= {*source.header} for source in sources):
        return None
    named = zip(names_of(sources), (source.columns for source in sources), strict=True)
    return [
        {**dict(zip(own, cells, strict=True)), FILES: name}
        for name, own in named
        for cells in zip(*own.values(), strict=True)
    ]
