"""What a view shows: paragraphs, lists and tables of columns, made once; it prints itself as text and in a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from itertools import compress, count
from operator import attrgetter
from typing import Any, TypeAlias

from skcompare._core.numbers import some_names
from skcompare._core.text import item, one_line, table, wrap

_MANY = 8  # warnings with one code that are listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name : str
        What JSON and a frame call it.
    head : str
        Its heading.
    cells : tuple of str
        What is shown, row by row.
    values : tuple of object
        What the cells show, as plain values.
    left : bool
        Whether it holds texts, which stand to the left.
    marks : tuple of str
        Of each cell ``"worse"``, ``"better"``, ``"fragile"``, several with blanks between them, or "".
    """

    name: str
    head: str
    cells: tuple[str, ...]
    values: tuple[Any, ...]
    left: bool = False
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: columns of one length, what stands above and below it, and where the rows are that it lacks."""

    name: str
    columns: tuple[Column, ...]
    title: str = ""
    caption: str = ""
    more: str = ""

    @property
    def n_rows(self) -> int:
        return len(self.columns[0].cells) if self.columns else 0

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The cells, row by row."""
        return zip(*map(attrgetter("cells"), self.columns), strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One or more sentences; `name` says what they are: "answer", "design", "together", "caution", "test", ...

    `hint` says where there is more, to somebody at a keyboard.
    """

    name: str
    text: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A list of sentences, and what stands above it."""

    name: str
    texts: tuple[str, ...]
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Paragraph | Items | Grid | Section


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Document:
    """An answer, or all that is behind it.

    Attributes
    ----------
    title : str
        What is compared.
    blocks : tuple of Paragraph, Items, Grid and Section
        In the order in which they are read; the first is the answer.
    """

    title: str
    blocks: tuple[Block, ...] = field(default=())

    def __str__(self) -> str:
        return as_texts(self.blocks)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """What a notebook shows; sections can be unfolded."""
        return f'<div class="skcompare">{"".join(as_html(block, _inline) for block in self.blocks)}</div>'

    def folded(self) -> Document:
        """The same with all sections in one, which a notebook shows unfolded only where it is asked for."""
        sections = tuple(block for block in self.blocks if isinstance(block, Section))
        others = [block for block in self.blocks if not isinstance(block, Section)]
        behind = [Section(title="All that is behind it: explain()", blocks=sections)] if sections else []
        return replace(self, blocks=(*others, *behind))

    def named(self, name: str) -> Any:
        """The first block of that name, None where there is none."""
        return next((block for block in walked(self.blocks) if getattr(block, "name", "") == name), None)


class Documented:
    """What prints itself as a document."""

    __slots__ = ()

    def _document(self) -> Document:
        """The answer and what it rests on."""
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self._document())

    def _repr_html_(self) -> str:
        return self._document()._repr_html_()


def with_sections(short: Document, sections: Mapping[str, Iterable[Block]]) -> Document:
    """A document with those of some sections below it in which something stands: hints to these have no use there."""
    found = ((title, tuple(blocks)) for title, blocks in sections.items())
    more = tuple(Section(title=title, blocks=blocks) for title, blocks in found if blocks)
    blocks = (replace(one, hint="") if isinstance(one, Paragraph) else one for one in short.blocks)
    return Document(title=short.title, blocks=(*blocks, *more))


def as_items(name: str, texts: Iterable[str]) -> list[Block]:
    """A list of sentences, where there are some."""
    known = tuple(texts)
    return [Items(name=name, texts=known)] if known else []


def as_warnings(warnings: Iterable[Any]) -> list[Block]:
    """A list of warnings; of very many with one code the first ones, and what the others are about."""
    of_code: dict[str, list[Any]] = {}
    every = [*dict.fromkeys(warnings)]
    for one in every:
        of_code.setdefault(one.code, []).append(one)
    shown = {one for own in of_code.values() for one in own[:_MANY]}
    said = [str(one) for one in every if one in shown]
    for code, own in of_code.items():
        others = own[_MANY:]
        about = some_names([*dict.fromkeys(name for one in others for name in one.about)])
        said += [f"{code}: {len(others):,} more with this code{about and f', of {about}'}."] * bool(others)
    return as_items("warnings", said)


def walked(blocks: Sequence[Block]) -> Iterator[Block]:
    """All blocks, those of sections too."""
    for block in blocks:
        yield block
        if isinstance(block, Section):
            yield from walked(block.blocks)


# ---- as text --------------------------------------------------------------------------------------------------


def as_texts(blocks: Sequence[Block]) -> str:
    """Blocks below each other, with empty lines but between paragraphs, and below what is said of a table."""
    parts = []
    for before, block in zip((None, *blocks), blocks, strict=False):
        said = isinstance(before, Paragraph) or (isinstance(before, Grid) and bool(before.caption or before.more))
        close = said and isinstance(block, Paragraph)
        parts += [] if before is None else ["\n" if close else "\n\n"]
        parts.append(as_text(block))
    return "".join(parts)


def as_text(block: Block) -> str:
    """Lines of at most 80 characters, but for tables that are wider."""
    if isinstance(block, Paragraph):
        return wrap(f"{block.text} {block.hint}".rstrip())
    if isinstance(block, Items):
        return "\n".join([*filter(None, [block.title]), *map(item, block.texts)])
    if isinstance(block, Section):
        return f"{block.title}\n{'=' * len(block.title)}\n\n{as_texts(block.blocks)}"
    left = [*compress(count(), map(attrgetter("left"), block.columns))]
    shown = table([*map(attrgetter("head"), block.columns)], [*block.rows()], left=left)
    return "\n".join(filter(None, [wrap(block.title), shown, wrap(block.caption), wrap(block.more)]))


# ---- as HTML --------------------------------------------------------------------------------------------------


# A notebook may drop a style sheet: what must be seen there stands on the elements.
def _inline(column: Column) -> str:
    return ' style="text-align: left"' if column.left else ' style="text-align: right"'


def as_html(block: Block, look: Callable[[Column], str]) -> str:
    """Elements without an outer one; `look` gives the attributes of the cells of a column."""
    if isinstance(block, Paragraph):
        said = plain(block.text)
        return f'<p class="{block.name}">{f"<strong>{said}</strong>" if block.name == "answer" else said}</p>'
    if isinstance(block, Items):
        title = f"<p>{plain(block.title)}</p>" if block.title else ""
        return f"{title}<ul>{''.join(f'<li>{plain(one)}</li>' for one in block.texts)}</ul>"
    if isinstance(block, Section):
        inner = "".join(as_html(one, look) for one in block.blocks)
        return f"<details><summary>{plain(block.title)}</summary>{inner}</details>"
    return _table(block, look)


def _table(grid: Grid, look: Callable[[Column], str]) -> str:
    looks = [look(column) for column in grid.columns]
    heads = zip(grid.columns, looks, strict=True)
    head = "".join(f'<th scope="col"{own}>{plain(column.head)}</th>' for column, own in heads)
    rows = []
    for cells in zip(*([_cell(column, i) for i in range(grid.n_rows)] for column in grid.columns), strict=True):
        body = "".join(f"<td{own}>{cell}</td>" for own, cell in zip(looks[1:], cells[1:], strict=True))
        rows.append(f'<tr><th scope="row"{looks[0]}>{cells[0]}</th>{body}</tr>')
    title = f"<h3>{plain(grid.title)}</h3>" if grid.title else ""
    said = "".join(f'<p class="note">{plain(one)}</p>' for one in (grid.caption, grid.more) if one)
    named = "" if look is _inline else f' id="{as_id(grid.name)}"'  # a notebook may show a table twice
    shown = f"<table{named}><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'{title}<div class="scroll" role="group" aria-label="{plain(grid.name)}" tabindex="0">{shown}</div>{said}'


def _cell(column: Column, i: int) -> str:
    """What is significantly worse, better or fragile is a class of its own."""
    shown, marks = plain(column.cells[i]), column.marks[i] if column.marks else ""
    return f'<span class="{marks}">{shown}</span>' if marks else shown


def as_id(name: str) -> str:
    """A name as the id of an element."""
    return "".join(char if char.isalnum() else "-" for char in name)


def plain(value: str) -> str:
    """One line of printable characters, escaped."""
    return escape(one_line(value).rstrip())
