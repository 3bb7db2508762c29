"""What pictures made of coloured cells share: the font that fits a cell, the length of names beside them, the bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare.plotting._style import inches, labels, narrow

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap

DARK = 0.44  # lightness below which light letters have more contrast than dark ones
LONGEST, SHORTEST = 24, 6  # characters of a name
# Inches.
SMALL_CELL, CHARACTER, BAR = 0.22, 0.085, 1.3
# Points.
FONT, SMALLEST_FONT = 9.0, 4.0
TEXT_CHARACTER = 0.62  # in font sizes
NAMES = 0.3  # of names beside small axes: part of the axes


def colour_map(colours: Sequence[str], empty: str, n: int = 256) -> Colormap:
    """So many colours from the first to the last of some, and one for cells without a value."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("cells", colours, N=n).with_extremes(bad=empty)


def is_dark(colour: Any) -> bool:
    """Whether light letters stand out from a colour."""
    return bool(np.dot(colour[:3], (0.299, 0.587, 0.114)) < DARK)


def names_width(names: Sequence[str]) -> float:
    """What names beside axes that have room for them take, in inches."""
    return CHARACTER * max(map(narrow, labels(names, LONGEST)))


def bare_axes(ax: Axes) -> None:
    """Leave away what is no cell and no name."""
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)


def cell_font(ax: Axes, n_columns: int, n_rows: int, text_width: float | None) -> float:
    """A font size at which names fit beside the cells, and values of a width in font sizes into them."""
    width, height = (72 * side / n for side, n in zip(inches(ax), (n_columns, n_rows), strict=True))
    by_value = FONT if text_width is None else width / text_width
    return float(max(SMALLEST_FONT, min(FONT, by_value, width / 1.3, height / 1.3)))


def longest_name(ax: Axes, font: float) -> int:
    """How long names may be beside axes that have little room."""
    return int(np.clip(72 * NAMES * min(inches(ax)) / font / TEXT_CHARACTER, SHORTEST, LONGEST))


def colour_bar(ax: Axes, image: Any, label: str, *, roomy: bool) -> Any:
    """A colour bar beside the axes, which shrink for it where they are roomy."""
    inset = ax.inset_axes((1.03, 0.1, 0.03, 0.8))
    inset.set_in_layout(roomy)
    bar = ax.figure.colorbar(image, cax=inset)
    bar.set_label(label, fontsize=FONT)
    return bar
