"""What all Displays share: how they get their axes, and how they show themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

from skcompare._core.frames import import_pandas
from skcompare.plotting._style import inches, spread_ticks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# Axes take about three quarters of a figure of their own; below this share of it they are small.
SMALL = 0.55
NARROW = 4.6


class Display(ABC):
    """A picture of a result: made of numbers that are all there before anything is drawn.

    Attributes
    ----------
    ax_ : matplotlib.axes.Axes
        Where it was drawn; there after `plot`.
    figure_ : matplotlib.figure.Figure or SubFigure
        The figure of `ax_`; there after `plot`.
    """

    ax_: Axes
    figure_: Figure | SubFigure

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            Where to draw; axes of a figure of their own by default. No pyplot state is touched: show or save the
            figure by ``display.figure_``.

        Returns
        -------
        Display
            Itself, with `ax_` and `figure_`.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        TypeError
            If `ax` is no Axes with two straight axes.
        """
        if ax is not None and getattr(ax, "name", None) != "rectilinear":
            raise TypeError(f"ax must be Axes with two straight axes, as subplots() makes them; got {ax!r:.80}")
        self.ax_ = new_axes(self._size()) if ax is None else ax
        self.figure_ = self.ax_.figure
        self._draw(self.ax_)
        if not self._is_roomy():
            spread_ticks(self.ax_)
        return self

    def narrow_axes(self) -> Axes:
        """Axes of a figure of its own, at most as wide as can still be read on a phone."""
        width, height = self._size()
        return new_axes((min(width, NARROW), height))

    def frame(self) -> Any:
        """What is drawn, as a pandas DataFrame; needs pandas.

        Returns
        -------
        pandas.DataFrame

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return import_pandas().DataFrame(self._columns())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._title()}>"

    def _repr_png_(self) -> bytes:
        if not hasattr(self, "figure_"):
            self.plot()
        image = BytesIO()
        self.figure_.canvas.print_figure(image, format="png", bbox_inches="tight")
        return image.getvalue()

    def _is_roomy(self) -> bool:
        """Whether a layout can shrink the axes for a legend beside them."""
        return all(there >= SMALL * own for there, own in zip(inches(self.ax_), self._size(), strict=True))

    @abstractmethod
    def _title(self) -> str:
        """What the picture is about, in one line."""

    @abstractmethod
    def _size(self) -> tuple[float, float]:
        """Width and height of a figure of its own, in inches."""

    @abstractmethod
    def _draw(self, ax: Axes) -> None:
        """Draw what is there; compute nothing."""

    @abstractmethod
    def _columns(self) -> Mapping[str, Any]:
        """Columns of `frame`."""


def new_axes(size: tuple[float, float]) -> Axes:
    """Axes of a figure that pyplot does not know of."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install 'skcompare[plot]'") from error
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot()
