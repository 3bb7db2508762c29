"""A drawn figure -> SVG that can stand in a page: no ids of others, the page's own colours."""

from __future__ import annotations

import re
import warnings
from io import BytesIO
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_INK = re.compile(r"#000000\b")
_PAPER = re.compile(r"#ffffff\b")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_DROPPED = ("metadata", "style", "title")
_LINES = {"stroke-linejoin": "round", "stroke-linecap": "butt"}  # where an element does not say it
_FONT = re.compile(r"(.*?)([\d.]+px) (.+)")  # the parts of the shorthand, which is no attribute
PIXELS = 96 / 72  # in a point


def svg_element(figure: Figure, name: str, label: str) -> str:
    """The figure as one ``svg`` element for HTML.

    Parameters
    ----------
    figure : matplotlib Figure
        Drawn.
    name : str
        Letters and digits; ids in the picture begin with it.
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
        element.attrib = {
            _local(key): _recoloured(value) for key, value in element.attrib.items() if key != "id" or value in wanted
        }
        _rename(element, name)
    width = float(root.attrib["width"].removesuffix("pt"))
    for key in ("height", "version"):
        root.attrib.pop(key, None)
    root.attrib |= {"width": f"{width * PIXELS:.0f}", "role": "img", "aria-label": label, **_LINES}
    return ElementTree.tostring(root, encoding="unicode", short_empty_elements=True)


def _saved(figure: Figure, name: str) -> bytes:
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    written = BytesIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}), warnings.catch_warnings():
        # the reader's browser has its own fonts
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        figure.set_facecolor("none")
        canvas: Any = FigureCanvasSVG(figure)
        canvas.print_svg(written, metadata=nothing)  # savefig would lay the figure out and draw it twice
    return written.getvalue()


def _local(name: str) -> str:
    """A name without its namespace, which HTML does not write."""
    return name.rpartition("}")[2]


def _references(element: ElementTree.Element) -> list[str]:
    """Ids that an element points to."""
    found = [value[1:] for key, value in element.attrib.items() if _local(key) == "href" and value.startswith("#")]
    return found + [match for value in element.attrib.values() for match in _REFERENCE.findall(value)]


def _rename(element: ElementTree.Element, name: str) -> None:
    """Put the figure's name before every id: other figures have the same ones."""
    for key, value in element.attrib.items():
        if key == "id":
            element.attrib[key] = f"{name}-{value}"
        elif key == "href" and value.startswith("#"):
            element.attrib[key] = f"#{name}-{value[1:]}"
        else:
            element.attrib[key] = _REFERENCE.sub(rf"url(#{name}-\1)", value)


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


def _recoloured(value: str) -> str:
    return _PAPER.sub("var(--paper)", _INK.sub("currentColor", value))
