"""Colours, markers and names of models: told apart in print and by the colour-blind, never longer than their room."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from skcompare._printable import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.legend import Legend

# Okabe and Ito (2008), without yellow, which is lost on white paper; black is for what is no model.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#7F7F7F")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">")
LINES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)))
BETTER, WORSE, NEUTRAL = "#0072B2", "#D55E00", "#7F7F7F"
ROPE = "#BBBBBB"
LONGEST = 28


def look(i: int) -> dict[str, Any]:
    """Colour, marker and line style of model `i`: no two of the first 35 share colour and line."""
    return {
        "color": COLOURS[i % len(COLOURS)],
        "marker": MARKERS[(i + i // len(COLOURS)) % len(MARKERS)],
        "linestyle": LINES[(i // len(COLOURS)) % len(LINES)],
    }


def labels(names: Sequence[str], longest: int = LONGEST) -> list[str]:
    """Names as matplotlib shall show them: in one line, without mathematics, shortened in the middle.

    Different names stay different; a name that occurs again gets the same label.
    """
    short = {name: _shortened(one_line(name), longest) for name in names}
    together = Counter(short.values())
    seen: Counter[str] = Counter()
    shown = {}
    for name, text in short.items():
        seen[text] += 1
        shown[name] = (f"{text} ({seen[text]})" if together[text] > 1 else text).replace("$", r"\$")
    return [shown[name] for name in names]


def _shortened(text: str, longest: int) -> str:
    half = (longest - 1) // 2
    return text if len(text) <= longest else f"{text[:half]}…{text[-half:]}"


def add_legend(ax: Axes, handles: Sequence[Any], names: Sequence[str], **options: Any) -> Legend:
    """A legend whose names are `labels`; matplotlib itself leaves out names that begin with an underscore."""
    legend = ax.legend(handles, [" "] * len(handles), **{"frameon": False, **options})
    for text, name in zip(legend.get_texts(), labels(names), strict=True):
        text.set_text(name)
    return legend


def set_title(ax: Axes, title: str, *, beside: float = 0.0) -> None:
    """A title that keeps within the axes, in several lines if need be; `beside` inches go to the labels beside them."""
    width = ax.get_position().width * ax.figure.bbox.width / ax.figure.dpi - beside
    ax.set_title(textwrap.fill(one_line(title), max(20, int(11 * width))), fontsize="medium", loc="left")


def width_of(texts: Sequence[str]) -> float:
    """About the width of the longest of some tick labels, in inches."""
    return 0.09 * max(map(len, texts), default=0)
