"""A document as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skcompare._core.document import Block, Document, Grid, Items, Paragraph, Section
from skcompare._core.text import one_line

_BLOCK_START = re.compile(r"^(\d*)([-+.)])(?=[\s-]|$)")


def render(document: Document) -> str:
    """Its paragraphs, lists, tables and sections."""
    return "\n\n".join(filter(None, map(_block, document.blocks)))


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        said = item(one_line(block.text))
        return f"**{said}**" if block.name == "answer" else said
    if isinstance(block, Items):
        return "\n".join(f"- {item(one_line(one))}" for one in block.texts)
    if isinstance(block, Section):
        return "\n\n".join([f"## {escape(block.title)}", *map(_block, block.blocks)])
    return grid(block)


def grid(block: Grid) -> str:
    """A table with its title above and what holds of it below."""
    header = row([escape(one_line(column.head).strip()) for column in block.columns])
    rule = row(["---" if column.left else "---:" for column in block.columns])
    lines = [row([escape(one_line(cell).strip()) for cell in cells]) for cells in block.rows()]
    said = (f"**{item(block.title)}**" if block.title else "", "\n".join([header, rule, *lines]))
    return "\n\n".join(filter(None, [*said, item(one_line(f"{block.caption} {block.more}".strip()))]))


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def item(text: str) -> str:
    """A note that cannot open a list, a heading or a rule of its own."""
    return _BLOCK_START.sub(r"\1\\\2", escape(text))


def escape(text: str) -> str:
    """Text that Markdown shows as it is; a model's name cannot become markup."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]<>|~#$" else "&amp;" if char == "&" else char for char in text)
    # what GitHub would make a link of
    return escaped.replace("://", "\\://").replace("www.", "www\\.").replace("@", "\\@")
