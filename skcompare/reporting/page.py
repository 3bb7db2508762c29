"""A document as HTML: a fragment for a notebook, and a page of one file that needs nothing but a browser."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from skcompare._core.archive import replaced
from skcompare._core.printable import one_line
from skcompare.reporting import svg
from skcompare.reporting.document import Block, Column, Document, Grid, Items, Paragraph, Section

if TYPE_CHECKING:
    from jinja2 import Environment

MARKS = {"worse": "*", "better": "+", "fragile": "~"}
# A notebook may drop a style sheet: what must be seen there stands on the elements.
_INLINE = {True: ' style="text-align: left"', False: ' style="text-align: right"'}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn matplotlib figure, its kind, and what it shows."""

    kind: str
    caption: str
    figure: Any


# ---- blocks ---------------------------------------------------------------------------------------------------


def fragment(document: Document) -> str:
    """What a notebook shows; sections can be unfolded."""
    return f'<div class="skcompare">{"".join(_block(one, _inline) for one in document.blocks)}</div>'


def _inline(column: Column) -> str:
    return _INLINE[column.left]


def _classed(column: Column) -> str:
    return f' class="{"text" if column.left else "number"}"'


def _block(block: Block, look: Callable[[Column], str]) -> str:
    if isinstance(block, Paragraph):
        said = text(block.text)
        return f'<p class="{block.name}">{f"<strong>{said}</strong>" if block.name == "answer" else said}</p>'
    if isinstance(block, Items):
        return f"<ul>{''.join(f'<li>{text(one)}</li>' for one in block.texts)}</ul>"
    if isinstance(block, Section):
        inner = "".join(_block(one, look) for one in block.blocks)
        return f"<details><summary>{text(block.title)}</summary>{inner}</details>"
    return _table(block, look)


def _table(grid: Grid, look: Callable[[Column], str]) -> str:
    head = "".join(f'<th scope="col"{look(column)}>{text(column.head)}</th>' for column in grid.columns)
    rows = []
    for cells in zip(*([_cell(column, i) for i in range(grid.n_rows)] for column in grid.columns), strict=True):
        (first, *others), (name, *columns) = cells, grid.columns
        body = "".join(f"<td{look(column)}>{cell}</td>" for column, cell in zip(columns, others, strict=True))
        rows.append(f'<tr><th scope="row"{look(name)}>{first}</th>{body}</tr>')
    title = f"<h3>{text(grid.title)}</h3>" if grid.title else ""
    said = "".join(f'<p class="note">{text(one)}</p>' for one in (grid.caption, grid.more) if one)
    table = f'<table id="{_id(grid.name)}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return f'{title}<div class="scroll" role="group" aria-label="{text(grid.name)}" tabindex="0">{table}</div>{said}'


def _cell(column: Column, i: int) -> str:
    """What is significantly worse is soft, with its mark; the best is bold."""
    shown, marks = text(column.cells[i]), column.marks[i].split() if column.marks else ()
    if "best" in marks:
        shown = f"<strong>{shown}</strong>"
    return f'<span class="{" ".join(marks)}">{shown}</span>' if marks else shown


def _id(name: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in name)


def text(value: str) -> str:
    """One line of printable characters, escaped."""
    return escape(one_line(value).rstrip())


# ---- the page -------------------------------------------------------------------------------------------------


def check_extra() -> None:
    """ImportError where what the page is made with is not installed."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise ImportError("the HTML report needs jinja2 and matplotlib: pip install 'skcompare[report]'") from error


def page(document: Document, figures: Sequence[Figure], *, choices: Mapping[str, Sequence[str]]) -> str:
    """The short document, the first picture, the sections, other pictures.

    `choices` has the columns of the table of all pairs by which a reader chooses, with what can be chosen.
    """
    short = [block for block in document.blocks if not isinstance(block, Section)]
    sections = [block for block in document.blocks if isinstance(block, Section)]
    style, scripts = _static("document.css"), [_static("document.js")]
    return (
        _environment()
        .get_template("document.html")
        .render(
            title=one_line(document.title),
            short=_markup(short),
            sections=[(section.title, _id(section.title), _markup(section.blocks)) for section in sections],
            figures=[_drawn(figure, f"figure{i}") for i, figure in enumerate(figures, 1)],
            choices=choices,
            style=style,
            scripts=scripts,
            policy=_policy(style, scripts),
        )
    )


def _markup(blocks: Sequence[Block]) -> Any:
    from markupsafe import Markup

    return Markup("".join(_block(block, _classed) for block in blocks))


def _drawn(figure: Figure, name: str) -> dict[str, Any]:
    return {"caption": figure.caption, "name": name, "svg": svg.svg_element(figure.figure, name, figure.caption)}


def write(path: str | os.PathLike[str], page: str) -> None:
    """Write the page; a file that is there is replaced whole or not."""
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be a path; got {path!r:.80}")
    name = os.fspath(path)
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        raise OSError(f"path must be a file; {name!r} is a directory or device")
    if is_zipfile(target):
        raise FileExistsError(f"path must not be a zip archive, as saved results are; give another name than {name!r}")
    try:
        with replaced(target) as file:
            file.write(page.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), name) from error


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    loader = PackageLoader("skcompare.reporting")
    return Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _static(name: str) -> Any:
    from markupsafe import Markup

    return Markup((files("skcompare.reporting") / "static" / name).read_text(encoding="utf-8"))


def _policy(style: str, scripts: Sequence[str]) -> str:
    """The page runs its own scripts and shows its own style, known by their hashes; it loads and sends nothing."""
    nothing = ("default-src", "base-uri", "form-action")
    allowed = {"style-src": _hashes([style]), "script-src": _hashes(scripts), "img-src": "data:"}
    return "; ".join([*(f"{name} 'none'" for name in nothing), *(f"{name} {what}" for name, what in allowed.items())])


def _hashes(texts: Sequence[str]) -> str:
    return " ".join(f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" for text in texts) or "'none'"
