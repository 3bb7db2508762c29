"""What a view shows: paragraphs, lists and tables of columns, made once; a renderer prints them and decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias


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
        Of each cell ``"best"``, ``"worse"``, ``"better"``, ``"fragile"``, several with blanks between them, or "".
    optional : int
        Columns with the largest number are left out first where a page is too narrow; 0 stays.
    """

    name: str
    head: str
    cells: tuple[str, ...]
    values: tuple[Any, ...]
    left: bool = False
    marks: tuple[str, ...] = ()
    optional: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """A table: columns of one length, what stands above and below it, and what says where the rows are that it lacks."""

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
        return zip(*(column.cells for column in self.columns), strict=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One or more sentences; `name` says what they are: "answer", "design", "together", "caution", "test", ..."""

    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """A list of sentences."""

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


Block: TypeAlias = Paragraph | Items | Grid | Section


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def named(self, name: str) -> Any:
        """The first block of that name, None where there is none."""
        return next((block for block in walked(self.blocks) if getattr(block, "name", "") == name), None)


def walked(blocks: Sequence[Block]) -> Iterator[Block]:
    """All blocks, those of sections too."""
    for block in blocks:
        yield block
        if isinstance(block, Section):
            yield from walked(block.blocks)
