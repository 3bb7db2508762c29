"""Numbers by path: taken out of records, tables, JSON, HTML and texts, kept in a file, compared with another."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from math import isclose, isnan
from pathlib import Path
from typing import Any

import numpy as np

TOLERANCE = 1e-12
# What differs between two runs or two releases, and what is no number of a result: citations hold years and pages.
EXCLUDED = re.compile(
    r"(.*_)?(fit|score|predict|refit)_times?|versions|.*hash|.*identities|citations|sources|references|digest|format"
)
# What a record tells beyond its fields, without arguments.
METHODS = (
    *("confidence_interval", "interval", "share_interval", "confidence_band", "groups"),
    *("statements", "dependences", "decision", "decisions", "sensitivity", "front", "significant"),
    *("to_frame", "to_markdown", "to_latex"),
)
PROPERTIES = ("df", "fold_correlation", "seed_share", "distance", "null_holds")

_NOISE = re.compile(
    r"(?ms)^@\w+\{.*?^\}"  # BibTeX
    r"|https?://\S+|10\.\d{4,}/\S+"  # addresses
    r"|\b\d+(?:\.\d+){2,}\w*"  # versions
    r"|\b[0-9a-f]{16,}\b"  # hashes
)
_TABLE, _TAG = re.compile(r"(?s)<table\b.*?</table>"), re.compile(r"<[^>]*>")
_JSON = re.compile(r'(?s)<script[^>]*type="application/json"[^>]*>(.*?)</script>')
_NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:[eE][-+]?\d+)?")


class Numbers:
    """Numbers by path; an array, a table's column and a text have one path for all theirs, in order.

    Attributes
    ----------
    found : dict of path to number or list of numbers
    refused : dict of path to str
        The questions that were answered with an error, and its message.
    """

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.refused: dict[str, str] = {}

    def ask(self, path: str, question: Callable[..., Any], *args: Any, **options: Any) -> Any:
        """Keep the numbers of an answer and return it; None where the question does not fit."""
        try:
            answer = question(*args, **options)
        except (ValueError, TypeError, NotImplementedError) as error:
            self.refused[path] = f"{type(error).__name__}: {error}"
            return None
        self.add(path, answer)
        return answer

    def add(self, path: str, value: Any) -> None:
        """Keep the numbers of a value below a path."""
        if path.rpartition("/")[2] and EXCLUDED.fullmatch(path.rpartition("/")[2]):
            return
        if isinstance(value, (bool, int, float, np.generic)) and not isinstance(value, np.str_):
            self._keep(path, _plain(value))
        elif isinstance(value, str):
            self._keep(path, numbers_in(value) or None)
        elif isinstance(value, (list, tuple, np.ndarray)) and (flat := _flat(value)):
            self._keep(path, flat)
        else:
            for name, part in _parts(value):
                self.add(f"{path}/{name}", part)
            if dataclasses.is_dataclass(value) and not hasattr(value, "summary"):
                self._tell(path, value)

    def _tell(self, path: str, record: Any) -> None:
        """What a record tells beyond its fields."""
        for name in METHODS:
            if callable(method := getattr(record, name, None)):
                self.ask(f"{path}/{name}()", method)
        for name in PROPERTIES:
            if isinstance(getattr(type(record), name, None), property):
                self.ask(f"{path}/{name}", getattr, record, name)
        if type(record).__str__ is not object.__str__:
            self.add(f"{path}/str()", str(record))

    def _keep(self, path: str, value: Any) -> None:
        if value is None:
            return
        if path in self.found:
            raise ValueError(f"path must be new; got {path} twice")
        self.found[path] = value

    def add_html(self, path: str, page: str) -> None:
        """Keep the numbers of the tables of a page and of the JSON in it."""
        for i, text in enumerate(_TABLE.findall(page)):
            self.add(f"{path}/table {i}", unescape(_TAG.sub(" ", text)))
        for i, text in enumerate(_JSON.findall(page)):
            document = json.loads(text)
            if document.get("rows") and "fields" in document:
                document["rows"] = dict(zip(document["fields"], zip(*document["rows"], strict=True), strict=True))
            self.add(f"{path}/data {i}", document)

    def write(self, file: str) -> None:
        """Keep all in a JSON file."""
        parts = []
        for name, some in (("numbers", self.found), ("refused", self.refused)):
            lines = ",\n".join(f"{json.dumps(path)}: {json.dumps(value)}" for path, value in some.items())
            parts.append(f"{json.dumps(name)}: {{\n{lines}\n}}")
        Path(file).write_text(f"{{{', '.join(parts)}}}\n", encoding="utf-8")


def numbers_in(text: str) -> list[float]:
    """The numbers of a text in its order, without versions, addresses and bibliography."""
    found = _NUMBER.findall(_NOISE.sub(" ", text))
    return [float(number.replace(",", "").replace("\u2212", "-")) for number in found]


def _plain(value: Any) -> Any:
    """A number of Python's; None for anything else."""
    value = value.item() if isinstance(value, np.generic) else value
    return int(value) if isinstance(value, bool) else value if isinstance(value, (int, float)) else None


def _flat(value: Any) -> list[Any]:
    """The numbers of an array, a list or a list of lists, if there is nothing else in it; nan for None."""
    found: list[Any] = []
    rest = [value]
    while rest:
        part = rest.pop()
        if isinstance(part, np.ndarray):
            part = part.tolist()
        if isinstance(part, (list, tuple)) and not hasattr(part, "_fields"):
            rest.extend(reversed(part))
        elif isinstance(part, (bool, int, float, np.number, np.bool_)):
            found.append(_plain(part))
        elif part is None:
            found.append(float("nan"))
        else:
            return []
    return found


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    """The named parts of a record, a mapping, a frame or a list."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_")]
        yield from ((name, getattr(value, name, None)) for name in names)
    elif hasattr(value, "columns"):
        columns = ((name, [_plain(cell) for cell in column.tolist()]) for name, column in value.items())
        yield from (
            (str(name).replace("/", "|"), cells) for name, cells in columns if any(c is not None for c in cells)
        )
    elif isinstance(value, Mapping):
        yield from ((str(name).replace("/", "|"), part) for name, part in value.items())
    elif hasattr(value, "_asdict"):
        yield from value._asdict().items()
    elif isinstance(value, (list, tuple, np.ndarray)):
        yield from ((str(i), part) for i, part in enumerate(value))


# ---- comparison ---------------------------------------------------------------------------------------------------


def compare_files(old_file: str, new_file: str, most: int = 60) -> bool:
    """Print what is lacking, different or new; True where no number of the old file is lacking or different."""
    old, new = (json.loads(Path(file).read_text(encoding="utf-8")) for file in (old_file, new_file))
    lacking, different = [], []
    for path, value in old["numbers"].items():
        if path not in new["numbers"]:
            lacking.append(f"{path}{_why(path, new['refused'])}")
        elif what := _difference(value, new["numbers"][path]):
            different.append(f"{path}: {what}")
    added = [path for path in new["numbers"] if path not in old["numbers"]]
    for title, lines in (("lacking", lacking), ("different", different), ("new (no error)", added)):
        print(f"{len(lines)} {title}", *lines[:most], sep="\n  ")
        if len(lines) > most:
            print(f"  ... {len(lines) - most} more")
    print(f"{len(old['numbers'])} paths compared")
    return not lacking and not different


def _why(path: str, refused: Mapping[str, str]) -> str:
    """The message of the question that has no answer any more."""
    return next((f" ({why})" for asked, why in refused.items() if f"{path}/".startswith(f"{asked}/")), "")


def _difference(old: Any, new: Any) -> str:
    """How two numbers or two lists differ; empty where they are equal."""
    a, b = (value if isinstance(value, list) else [value] for value in (old, new))
    if len(a) != len(b):
        lost, more = (_without(x, y) for x, y in ((a, b), (b, a)))
        return f"{len(a)} numbers became {len(b)}; lacking {lost}, new {more}"
    places = [i for i, pair in enumerate(zip(a, b, strict=True)) if not _equal(*pair)]
    if not places:
        return ""
    if len(a) > 1 and all(map(_equal, sorted(a), sorted(b))):
        return f"the same {len(a)} numbers in another order, from number {places[0]}"
    first, worst = places[0], max(abs(a[i] - b[i]) for i in places)
    return f"{a[first]!r} became {b[first]!r} (number {first}; {len(places)} of {len(a)} differ, by up to {worst:.2g})"


def _without(some: list[float], others: list[float]) -> list[float]:
    rest = list(others)
    return [value for value in some if not (value in rest and (rest.remove(value) is None))][:8]


def _equal(a: float, b: float) -> bool:
    return (isnan(a) and isnan(b)) or isclose(a, b, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
