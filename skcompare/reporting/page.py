"""A document as a page of one file that needs nothing but a browser."""

from __future__ import annotations

import errno
import os
import re
import warnings
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from importlib.resources import files
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree
from zipfile import is_zipfile

from skcompare._core.archive import as_path, replaced
from skcompare._core.document import Block, Column, Document, Grid, Section, as_html, as_id, plain
from skcompare._core.record import Frozen
from skcompare._core.text import needs, one_line
from skcompare.comparison.means import led_by
from skcompare.reporting.findings import Findings
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from jinja2 import Environment


PAIR_FIGURES = ("dominance", "datasets")  # of two models
MOST_DRAWN = 10  # of many models
CAPTIONS = {
    "differences": "The differences with the intervals of the tables; right of the line favours the first model.",
    "scores": "The score of every model on every split.",
    "critical_difference": "Mean ranks over the data sets; a bar joins models that are not significantly different.",
    "datasets": "The scores of the two leading models, one mark per data set.",
    "dominance": "All metrics together, for the two leading models: how probable each pattern of winners is.",
    "pareto": "Two metrics at once: the models that no other one beats on both.",
    "roc": "ROC curves of the models, with the spread over the folds.",
}
STUDY_FIGURES = ("differences", "critical_difference", "datasets", "dominance")
FIGURES = {
    "folds": ("differences", "scores", "dominance", "pareto", "roc"),
    "runs": ("differences", "scores", "pareto"),
    **dict.fromkeys(("samples", "items"), ("differences", "dominance", "pareto", "roc")),
    **dict.fromkeys(("judgments", "judged items"), ("differences",)),
}


class Figure(Frozen):
    """A drawn matplotlib figure, and what it shows."""

    caption: str
    figure: Any


FEW_ROWS = 12  # in fewer nothing need be found
LONG = 24  # characters; longer texts are broken anywhere where a table is too wide
MODELS = ("a", "b")  # the columns in which a model is looked for


def _classed(column: Column) -> str:
    """The look of a cell, and its heading for a phone, where a row is a list."""
    kind = "text" if column.left else "number"
    long = " long" if max(map(len, (column.head, *column.cells))) > LONG else ""
    return f' class="{kind}{long}" data-head="{plain(column.head or column.name)}"'


def figures_of(found: Findings) -> Mapping[str, str]:
    """The kinds of plots that a page can have, and what each shows; where not all pairs have rows none of all pairs."""
    scores, captions = found.scores, CAPTIONS
    kinds: tuple[str, ...] = STUDY_FIGURES
    left_out = {"dominance", "pareto"} if found.answer.bounded else set[str]()
    if not isinstance(scores, StudyScores):
        kinds = FIGURES[scores.design.kind]
        left_out |= {"dominance"} if scores.design.time_order else set()
        if scores.design.kind != "folds":
            runs = "The score of every run of every model."
            captions = {**captions, "scores": runs, "roc": "ROC curves of the models."}
    if found.answer.bounded:
        captions = {**captions, "scores": f"The scores of the {MOST_DRAWN} models that lead on the first metric."}
    return {kind: captions[kind] for kind in kinds if kind not in left_out}


def figure_options(found: Findings) -> dict[str, dict[str, Any]]:
    """Of pictures of two models the leader and the best of the others on the first metric, by kind.

    They are not the two whose p-value is the smallest. Of many models the scores of the best are drawn.
    """
    if len(found.models) == 1:
        return {}
    best = [found.models[i] for i in led_by(found.first.leader, found.models, found.means)]
    pair: dict[str, Any] = {"a": best[0], "b": best[1]}
    scores = {"scores": {"estimators": best[:MOST_DRAWN]}} if found.answer.bounded else {}
    return {**dict.fromkeys(PAIR_FIGURES, pair), **scores}


# ---- the page -------------------------------------------------------------------------------------------------


def check_extra() -> None:
    """ImportError where what the page is made with is not installed."""
    with needs("the HTML report needs jinja2 and matplotlib", "report"):
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401


def page(document: Document, figures: Sequence[Figure]) -> str:
    """The short document, the first picture, the sections, other pictures."""
    short = [block for block in document.blocks if not isinstance(block, Section)]
    sections = [block for block in document.blocks if isinstance(block, Section)]
    style, scripts, ids = _static("document.css"), [_static("document.js")], set[str]()
    template = _environment().get_template("document.html")
    return template.render(
        title=one_line(document.title),
        short=[(_markup([block], ids), _controls([block])) for block in short],
        sections=[
            (section.title, as_id(section.title), _markup(section.blocks, ids), _controls(section.blocks))
            for section in sections
        ],
        figures=[
            {"name": name, "caption": one.caption, "svg": svg_element(one.figure, name, one.caption)}
            for one, name in zip(figures, map("figure{}".format, count(1)), strict=False)
        ],
        style=style,
        scripts=scripts,
        policy=_policy(style, scripts),
    )


def _markup(blocks: Sequence[Block], ids: set[str]) -> Any:
    """Elements, each table with its notes in one of its own; `ids` are those that are taken."""
    from markupsafe import Markup

    parts = []
    for block in blocks:
        if isinstance(block, Grid):  # tables of metrics whose names look the same are numbered
            names = (block.name, *(f"{block.name} {n}" for n in range(2, len(ids) + 3)))
            name = next(name for name in names if as_id(name) not in ids)
            ids.add(as_id(name))
            parts.append(f'<div class="grid">{as_html(replace(block, name=name), _classed)}</div>')
        else:
            parts.append(as_html(block, _classed))
    return Markup("".join(parts))


def _controls(blocks: Sequence[Block]) -> dict[str, Any] | None:
    """What a reader may choose in some tables: one of them, a model, rows with some words; None without a table."""
    grids = [block for block in blocks if isinstance(block, Grid) and block.n_rows]
    if not grids:
        return None
    columns = [column for grid in grids for column in grid.columns if column.name in MODELS]
    models = dict.fromkeys(one_line(cell) for column in columns for cell in column.cells)
    titles = [grid.title for grid in grids]
    return {
        "tables": [*map(one_line, titles)] if len(grids) > 1 and all(titles) else [],
        "models": [*models] if len(models) > 2 else [],
        "find": sum(grid.n_rows for grid in grids) > FEW_ROWS,
    }


def check_path(path: Any) -> Path:
    """Where a page can be written; TypeError or OSError where it cannot."""
    target, name = as_path(path).resolve(), os.fspath(path)
    if is_zipfile(target):
        raise FileExistsError(f"path must not be a zip archive, as saved results are; give another name than {name!r}")
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return target


def write(path: str | os.PathLike[str], page: str) -> None:
    """Write the page; a file that is there is replaced whole or not."""
    target = check_path(path)
    try:
        with replaced(target) as file:
            file.write(page.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error


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
    rules = ["default-src 'none'", "base-uri 'none'", "form-action 'none'"]
    for name, texts in (("style-src", [style]), ("script-src", scripts)):
        hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in texts]
        rules.append(" ".join([name, *(f"'sha256-{one}'" for one in hashes)]))
    return "; ".join([*rules, "img-src data:"])


# ---- a drawn figure -> SVG without ids of others, in the colours of the page ----------------------------------

_INK = re.compile(r"#000000\b")
_PAPER = re.compile(r"#ffffff\b")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_DROPPED = ("metadata", "style", "title")
_LINES = {"stroke-linejoin": "round", "stroke-linecap": "butt"}  # where an element does not say it
_FONT = re.compile(r"(.*?)([\d.]+px) (.+)")  # the parts of the shorthand, which is no attribute
LETTERS = 10  # points of those in a picture that are as large as the text of the page


def svg_element(figure: Any, name: str, label: str) -> str:
    """The figure as one ``svg`` element for HTML.

    Parameters
    ----------
    figure : matplotlib Figure
        Drawn.
    name : str
        Letters and digits, one for each figure of a page: what ids in the picture are made with.
    label : str
        What the picture is, for those who cannot see it.

    Returns
    -------
    str
        Black is ``currentColor`` in it, white the page's ``--paper``; text stays text. Attributes say how it looks: a
        page with a strict policy takes no ``style``.
    """
    root = ElementTree.fromstring(_saved(figure, name))
    for parent in list(root.iter()):
        for child in list(parent):
            if _local(child.tag) in _DROPPED:
                parent.remove(child)
    wanted = {found for element in root.iter() for found in _references(element)}
    for element in root.iter():
        element.tag = _local(element.tag)
        element.attrib |= _attributes(element.attrib.pop("style", ""))
        kept = {_local(key): value for key, value in element.attrib.items() if key != "id" or value in wanted}
        element.attrib = {key: _PAPER.sub("var(--paper)", _INK.sub("currentColor", x)) for key, x in kept.items()}
    width = float(root.attrib["width"].removesuffix("pt"))
    for key in ("height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"width": f"{width / LETTERS:.4g}rem", "role": "img", "aria-label": label, **_LINES}
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _saved(figure: Any, name: str) -> bytes:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    written = BytesIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), warnings.catch_warnings():
        # the reader's browser has its own fonts
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.set_facecolor("none")
        canvas: Any = FigureCanvasSVG(figure)
        # savefig would lay the figure out and draw it twice
        canvas.print_svg(written, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    return written.getvalue()


def _local(name: str) -> str:
    """A name without its namespace, which HTML does not write."""
    return name.rpartition("}")[2]


def _references(element: ElementTree.Element) -> list[str]:
    """Ids that an element points to."""
    found = [value[1:] for key, value in element.attrib.items() if _local(key) == "href" and value.startswith("#")]
    return found + [match for value in element.attrib.values() for match in _REFERENCE.findall(value)]


def _attributes(style: str) -> dict[str, str]:
    """What a style says, as attributes."""
    pairs = (part.partition(":") for part in style.split(";"))
    found = {name.strip(): value.strip() for name, _, value in pairs if value.strip()}
    font = _FONT.fullmatch(found.pop("font", ""))
    if font is not None:
        found |= {"font-size": font[2], "font-family": font[3]}
        for word in font[1].split():
            weight = word.isdecimal() or word == "bold"
            found["font-weight" if weight else "font-style" if word in ("italic", "oblique") else "font-variant"] = word
    return found
