"""What all records share: a repr of one line, tables of texts, what they print, and how a notebook shows them."""

from __future__ import annotations

import re
from abc import ABCMeta
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import cleandoc
from itertools import repeat
from typing import Any, ClassVar, Generic, Protocol, TypeVar, dataclass_transform

import numpy as np

from skcompare._core.document import Block, Column, Document, Grid, Items, Paragraph, as_text
from skcompare._core.numbers import listed, pvalue
from skcompare._core.text import MAX_CELL, WIDTH, one_line, width
from skcompare._core.warnings import do_not_use

MAX_ROWS = 15
MAX_WARNINGS = 4
MAX_PAGE_CELL = 200  # characters, where a page wraps them
MAX_REPR = 400
MAX_TEXT = 100
MAX_NAME = 22
MAX_ITEMS = 6
FIELDS = ("field", "value")
_LAST = {"method", "warnings"}  # what all results share
_ONE = {"names": "model", "metrics": "metric"}
# What a record's docstring need not say of fields that most records have: it is added to its attributes.
_SHARED = {
    "method": "str\n    The procedure and its variant.",
    "warnings": "tuple of str\n    Reasons to doubt the result, each a code, a colon and a sentence.",
    "null": "float\n    The difference ``a - b`` under the null hypothesis, in the units of `estimate`.",
    "compared": "Compared\n    The names of the models, `a` and `b`, and the `metric`, as far as they are known.",
}


def picked(one: Any, *names: str) -> dict[str, Any]:
    """Some of the values of a record, by their names."""
    return dict(zip(names, map(getattr, repeat(one), names), strict=False))


def cut(value: str, size: int = MAX_PAGE_CELL) -> str:
    """At most `size` characters, with three dots for the rest."""
    return value if len(value) <= size else f"{value[: size - 3]}..."


def grid_of(table: Table, name: str, most: int = MAX_CELL, more: str = "and {} more rows") -> Grid:
    """A table of texts, each of at most so many characters; of many rows the first, and how many more there are."""
    found, n = list[Column](), len(table.rows) - table.limit
    for i, head in enumerate(table.header):
        every = [row[i] for row in table.rows]
        cells = tuple(cut(cell, most) for cell in every[: table.limit])
        named = i == 0 or any(cell[:1].isalpha() and cell not in ("n/a", "nan", "inf") for cell in every)
        found.append(Column(name=head, head=head, cells=cells, values=cells, left=named))
    return Grid(name=name, columns=tuple(found), more=more.format(n) if n > 0 else "")


def narrowest(*tables: Table) -> Table:
    """The first of several forms of a table that is no wider than a line, or else the last."""
    return next((one for one in tables if width(as_text(grid_of(one, ""))) <= WIDTH), tables[-1])


class Kind(Protocol):
    """What records of one kind say."""

    def sentence(self, record: Any) -> str:
        """The sentence of a record."""


class _Declared(ABCMeta):
    """What makes a class a frozen dataclass with slots; one with slots of its own is a base that stays as it is."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:
        made = super().__new__(cls, name, bases, namespace)
        if "__slots__" in namespace:  # dataclass makes a class once more, with them
            return made
        usual = {"slots": True, "kw_only": True, "repr": not hasattr(made, "_repr_html_")}
        return dataclass(frozen=True, **{**usual, **options})(made)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
class Frozen(metaclass=_Declared):
    """Base of values: a class on it is a frozen dataclass with slots, and with keywords alone."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Any]]


class Table(Frozen, kw_only=False):
    """Text for a table: the first cell of a row names it; rows beyond `limit` are counted."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    limit: int = MAX_ROWS


class Record(Frozen):
    """Base of the values that a user meets, which have this `repr`, a sentence and tables."""

    __slots__ = ()
    _kind: ClassVar[Kind | None] = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__doc__:
            names = {name for base in cls.__mro__ for name in getattr(base, "__annotations__", {})}
            above = {name: told for base in cls.__bases__ for name, told in _entries(base.__doc__ or "").items()}
            cls.__doc__ = _documented(cleandoc(cls.__doc__), names, above)

    def __repr__(self) -> str:
        parts = {name: f"{name}={_brief_field(name, value)}" for name, value in _items(self)}
        for name in sorted(parts.keys() - {"warnings"}, key=lambda name: (-len(parts[name]), name)):
            if len(", ".join(parts.values())) + len(type(self).__name__) + 2 <= MAX_REPR:
                break
            parts[name] = f"{name}=..."
        return cut(one_line(f"{type(self).__name__}({', '.join(parts.values())})"), MAX_REPR)

    def __str__(self) -> str:
        return str(self._printed(MAX_CELL)) if self._first_line() else repr(self)

    def _repr_html_(self) -> str:
        return self._printed(MAX_PAGE_CELL, fields=True)._repr_html_()

    def _printed(self, most: int, *, fields: bool = False) -> Document:
        """What it says, how that was found, its tables and the reasons to doubt it; on request single fields too."""
        sentence, method = one_line(self._first_line()), one_line(str(getattr(self, "method", "")))
        blocks: list[Block] = [Paragraph(name="answer", text=sentence)] if sentence else []
        if method not in sentence and not fields:
            blocks.append(Paragraph(name="method", text=f"Method: {method}."))
        for table in self._tables():  # of single fields the sentence tells
            if table.rows and (fields or tuple(table.header) != FIELDS):
                blocks.append(grid_of(table, type(self).__name__, most))
        warnings = self._warnings()
        more = len(warnings) - MAX_WARNINGS
        where = ".warnings" if len(getattr(self, "warnings", ())) == len(warnings) else "the .warnings of its rows"
        said = (*warnings[:MAX_WARNINGS], *([f"{more} more in {where}"] if more > 0 else []))
        blocks += [Items(name="warnings", texts=said, title="Warnings:")] if said else []
        return Document(title=type(self).__name__, blocks=tuple(blocks))

    def _tables(self) -> list[Table]:
        """The fields, and those that hold one value per model or metric side by side, which are printed too."""
        own: Sequence[Any] = getattr(self, "rows", ())
        if own and hasattr(own[0]._kind, "table"):
            return [own[0]._kind.table(own)]
        columns, taken = _columns(self)
        rows = [[_worded(name), shown(x)] for name, x in _items(self) if name != "warnings" and name not in taken]
        return [Table(FIELDS, rows, limit=len(rows)), *columns]

    def _sentence(self) -> str:
        """What the record says, in plain words; empty of records that hold settings, which print their repr."""
        return "" if self._kind is None else self._kind.sentence(self)

    def _first_line(self) -> str:
        """What the record says; where a warning forbids any conclusion, that alone."""
        return do_not_use(self._warnings()) or self._sentence()

    def _warnings(self) -> Sequence[str]:
        """Reasons to doubt the record, or the rows of a table."""
        own: Sequence[str] = getattr(self, "warnings", ())
        rows: Sequence[Any] = getattr(self, "rows", ())
        return tuple(dict.fromkeys([*own, *(warning for row in rows for warning in getattr(row, "warnings", ()))]))


_NEXT = r"(?=\n\n[A-Z][\w ]+\n---)"  # where a section of a docstring ends


def _entries(doc: str) -> dict[str, str]:
    """What a docstring says of attributes, by their names."""
    attributes = re.split(_NEXT, cleandoc(doc).partition("Attributes\n----------\n")[2], maxsplit=1)[0]
    found = (entry.rstrip() for entry in re.split(r"\n(?=\w)", attributes))
    return {entry.partition(" :")[0]: entry for entry in found if " :" in entry}


def _documented(doc: str, names: set[str], above: Mapping[str, str]) -> str:
    """A docstring that tells of the attributes of the class above and of shared fields too, where it lacks them."""
    before, heading, after = doc.partition("Attributes\n----------\n")
    if not heading:
        return doc
    own, *rest = re.split(_NEXT, after, maxsplit=1)
    told = {name for several in _entries(doc) for name in several.split(", ")}
    told_or_shared = told | {*_SHARED}
    inherited = [entry for several, entry in above.items() if told_or_shared.isdisjoint(several.split(", "))]
    shared = [f"{name} : {said}" for name, said in _SHARED.items() if name in names - told]
    return "".join([before, heading, "\n".join([*inherited, own, *shared]), *rest])


Row = TypeVar("Row")


class Rows(Record, Sequence[Row], Generic[Row]):
    """Base of the tables: a record that is a sequence of its rows."""

    __slots__ = ()
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: Any) -> Any:
        return self.rows[index]

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)


def few(names: Sequence[str]) -> str:
    """The first names of many, each of bounded length, and how many more there are."""
    return listed((one_line(cut(name, MAX_NAME)) for name in names), MAX_ITEMS) if names else ""


def clearest(rows: Sequence[Any]) -> Sequence[Any]:
    """Rows of a table of tests in the order in which they are shown: of many the smallest adjusted p-values first."""
    if len(rows) <= MAX_ROWS:
        return rows
    return sorted(rows, key=lambda row: (row.pvalue_adjusted != row.pvalue_adjusted, row.pvalue_adjusted))


def brief(value: Any) -> str:
    """A value in a few characters."""
    if isinstance(value, Record):
        return f"{type(value).__name__}(...)"
    if isinstance(value, np.ndarray):
        return f"array{value.shape}".replace(",)", ")") if value.size > MAX_ITEMS else _nested(value.tolist())
    if isinstance(value, np.generic):
        return brief(value.item())
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return repr(cut(value, MAX_TEXT))
    if isinstance(value, Mapping):
        pairs = [f"{brief(key)}: {brief(item)}" for key, item in list(value.items())[:MAX_ITEMS]]
        return f"{{{', '.join(pairs)}{_rest(len(value))}}}"
    if isinstance(value, (tuple, list)):
        if value and isinstance(value[0], Record):
            return f"({len(value)} {type(value[0]).__name__})"
        return f"({', '.join(map(brief, value[:MAX_ITEMS]))}{_rest(len(value))})"
    return cut(one_line(repr(value)), MAX_TEXT)


def shown(value: Any) -> str:
    """A value as the cell of a table."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, tuple):
        if any(isinstance(item, (tuple, Record)) for item in value):
            return brief(value)
        return ", ".join(map(shown, value[:MAX_ITEMS])) + _rest(len(value))
    return "none" if value is None else brief(value)


def _items(record: Any) -> list[tuple[str, Any]]:
    names = [field.name for field in fields(record) if field.repr]
    return [(name, getattr(record, name)) for name in sorted(names, key=_LAST.__contains__)]


def _brief_field(name: str, value: Any) -> str:
    """A field in a few characters; of the warnings only their codes."""
    return f"({', '.join(dict.fromkeys(warning.code for warning in value))})" if name == "warnings" else brief(value)


def _nested(values: Any) -> str:
    return f"[{', '.join(map(_nested, values))}]" if isinstance(values, list) else brief(values)


def _rest(n: int) -> str:
    return f", ... {n - MAX_ITEMS} more" if n > MAX_ITEMS else ""


def _columns(record: Any) -> tuple[list[Table], set[str]]:
    """For the models and for the metrics of a record a table of the arrays that have one value for each."""
    tables, taken = [], set()
    for what in ("names", "metrics"):
        labels: Sequence[str] = getattr(record, what, ())
        found = {
            name: value
            for name, value in _items(record)
            if isinstance(value, np.ndarray) and value.shape == (len(labels),) and name not in taken
        }
        if found:
            cells = [_cells(name, value) for name, value in found.items()]
            rows = [[label, *row] for label, *row in zip(labels, *cells, strict=True)]
            header = [_worded(name) for name in found]
            if hasattr(record, "means_of"):
                header = [f"mean {record.means_of}" if name == "means" else name for name in header]
            tables.append(Table((_ONE[what], *header), rows))
            taken |= {what, *found}
    return tables, taken


def _cells(name: str, values: Any) -> list[str]:
    return [*map(pvalue if name.startswith("pvalue") else shown, values.tolist())]


def _worded(name: str) -> str:
    """The name of a field for a person."""
    return re.sub(r"^pvalues?", "p", name).replace("_", " ")
