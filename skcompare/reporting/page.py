"""A document as a page of one file that needs nothing but a browser."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import is_zipfile

from skcompare._core.archive import replaced
from skcompare._core.printable import one_line
from skcompare.reporting import svg
from skcompare.reporting.document import Block, Column, Document, Section, as_html, as_id

if TYPE_CHECKING:
    from jinja2 import Environment


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A drawn matplotlib figure, its kind, and what it shows."""

    kind: str
    caption: str
    figure: Any


def _classed(column: Column) -> str:
    return f' class="{"text" if column.left else "number"}"'


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
            sections=[(section.title, as_id(section.title), _markup(section.blocks)) for section in sections],
            figures=[_drawn(figure, f"figure{i}") for i, figure in enumerate(figures, 1)],
            choices=choices,
            style=style,
            scripts=scripts,
            policy=_policy(style, scripts),
        )
    )


def _markup(blocks: Sequence[Block]) -> Any:
    from markupsafe import Markup

    return Markup("".join(as_html(block, _classed) for block in blocks))


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
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


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
