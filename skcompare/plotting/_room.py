"""How much room axes have for what stands in them and beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Axes take about three quarters of a figure of their own; below this share of it they are small.
SMALL = 0.55
# Points from one tick to the next that labels such as "-0.100" need.
TICK_ROOM = 45


def inches(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes."""
    place, whole = ax.get_position(), ax.figure.bbox
    return place.width * whole.width / ax.figure.dpi, place.height * whole.height / ax.figure.dpi


def is_roomy(ax: Axes, size: tuple[float, float]) -> bool:
    """Whether a layout can shrink the axes for a legend beside them; `size` is that of a figure of its own."""
    width, height = inches(ax)
    return width >= SMALL * size[0] and height >= SMALL * size[1]


def spread_ticks(ax: Axes) -> None:
    """Let the ticks that matplotlib chooses for the horizontal axis be so few that their labels stay apart."""
    from matplotlib.ticker import AutoLocator

    locator = ax.xaxis.get_major_locator()
    if isinstance(locator, AutoLocator):
        locator.set_params(nbins=min(9, max(2, int(inches(ax)[0] * 72 / TICK_ROOM))))
