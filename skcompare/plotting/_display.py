"""What all Displays share: their axes, and words around these that are never longer than the room that there is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import wraps
from io import BytesIO
from itertools import product
from typing import TYPE_CHECKING, Any, ClassVar, Self, dataclass_transform

import numpy as np

from skcompare._core.frames import import_pandas
from skcompare._core.metrics import label
from skcompare._core.numbers import MAX_DECIMALS, counted, magnitude
from skcompare._core.text import needs, one_line
from skcompare._core.validation import old_names
from skcompare._core.warnings import forbidding
from skcompare.comparison.means import less_is_better
from skcompare.plotting._style import Axes, down, n_lines, narrow, shortened, width_of, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.figure import Figure, SubFigure
    from matplotlib.text import Text
    from numpy.typing import ArrayLike

# Axes take about three quarters of a figure of their own. Below the first part of it they have no room for a legend
# beside them; below the second their letters shrink with them.
SMALL, FULL = 0.55, 0.7
# Of axes for names; of a row in font sizes; of letters in small rows.
NAMES_PART, LINE, SMALLEST_ROWS = 0.6, 1.3, 0.4
NARROW = 4.6  # inches: as wide as can be read on a phone
MARGIN, PAD = 0.25, 3 / 72  # inches at both sides of axes that are alone in their figure, and what a layout leaves
# Of letters of 10 points: characters per inch where they are not measured, the part of the room that lines take, and
# the first character that a font may lack.
PER_INCH, USED, FIRST_UNMEASURED = 12.0, 0.88, 0x2100
TITLE_LINES, TITLE_SCALES = 2, (1.0, 0.9, 0.8, 0.7)  # two lines in axes that are too narrow for one alone
READABLE, LEGEND_PART = 6.0, 0.36  # points of letters; of the height of small axes, what a legend's letters may take
FEWEST_NAMED = 3  # models in the legend, however small the axes
TICK_ROOM = 45  # points from one tick to the next that labels such as "-0.100" need
HANDLE = 4  # font sizes beside the texts of a legend

# What fields are called as columns of a frame; those of DOWN have a value for each row of a matrix.
COLUMNS = {
    **{"metrics": "metric", "estimates": "estimate", "means": "mean", "pvalues": "pvalue", "ropes": "rope"},
    **{"ranks": "rank", "x_grid": "x_value", "y_grid": "y_value", "x_values": "x_value", "y_values": "y_value"},
}
DOWN = ("y_grid", "y_values")


@dataclass_transform(kw_only_default=True, eq_default=False)
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
    _edges: ClassVar[tuple[str, ...]] = ("left", "bottom")  # the lines around the axes that are drawn
    _smallest: ClassVar = 0.75  # scale of letters in small axes
    _frame: ClassVar[tuple[str, ...]] = ()  # fields that are the columns of `frame`
    _renamed: ClassVar[Mapping[str, str]] = {}  # what they are called there, beside COLUMNS
    _figure: ClassVar = (8.4, 4.6)  # of a figure of its own, in inches: its width, and how high it is at least
    _entry: ClassVar = 0.19  # inches that a legend beside the axes needs for each of the names
    _most_named: ClassVar = 1_000  # of which a figure has room for so many
    _scale_ = 1.0
    _roomy_ = True  # whether a layout can shrink the axes for a legend beside them
    _forbidden = False  # whether the result must not be used
    _height_ = float("inf")  # inches for rows; no limit in a figure of its own

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        dataclass(kw_only=True, eq=False, repr=False)(cls)
        for name in ("from_result", "from_posterior"):
            if name in vars(cls):
                setattr(cls, name, classmethod(old_names(rope="margin")(_marked(vars(cls)[name].__func__))))

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
        self._height_ = float("inf") if ax is None else inches(ax)[1]
        size = self._size()
        self.ax_ = ax = new_axes(size) if ax is None else ax
        self.figure_ = ax.figure
        part = min(there / own for there, own in zip(inches(ax), size, strict=True))
        self._roomy_, self._scale_ = part >= SMALL, self._scale(ax, part)
        ax.tick_params(labelsize=self._points())
        for name, line in ax.spines.items():
            line.set_visible(name in self._edges)
        self._draw(ax)
        left, room = _room(ax)
        self._spread_ticks(ax, room)
        for child in ax.child_axes:
            self._spread_ticks(child)
        self._set_title(ax, left)
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
        columns = self._columns()
        cells = np.broadcast_arrays(*map(np.asarray, columns.values()))
        return import_pandas().DataFrame({name: own.ravel() for name, own in zip(columns, cells, strict=True)})

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._title()}>"

    def _repr_png_(self) -> bytes:
        if not hasattr(self, "figure_"):
            self.plot()
        image = BytesIO()
        self.figure_.canvas.print_figure(image, format="png", bbox_inches="tight")
        return image.getvalue()

    @abstractmethod
    def _title(self) -> str:
        """What the picture is about, in one short line."""

    def _notes(self) -> Sequence[str]:
        """What stands below the words of the horizontal axis: tests, intervals, what is left out."""
        return ()

    def _size(self) -> tuple[float, float]:
        """Width and height of a figure of its own, in inches."""
        width, least = self._figure
        return width, max(least, 1.4 + self._entry * min(len(getattr(self, "names", ())), self._most_named))

    @abstractmethod
    def _draw(self, ax: Axes) -> None:
        """Draw what is there; compute nothing."""

    def _columns(self) -> Mapping[str, Any]:
        """Columns of `frame`, which are broadcast against each other."""
        known = {**COLUMNS, **self._renamed}
        values = {name: getattr(self, name) for name in self._frame}
        return {known.get(name, name): down(own) if name in DOWN else own for name, own in values.items()}

    def _scale(self, ax: Axes, part: float) -> float:  # noqa: ARG002
        """The scale of letters in axes that have a part of the size of a figure of their own."""
        return max(self._smallest, min(1.0, part / FULL))

    # What `_draw` writes with.

    def _points(self, size: str = "medium") -> float:
        """A named size of letters in points; smaller in small axes."""
        from matplotlib.font_manager import FontProperties

        return self._scale_ * float(FontProperties(size=size).get_size_in_points())

    def _characters(self, room: float, size: str = "medium") -> int:
        """How many narrow characters so many inches have room for."""
        return int(PER_INCH * 10 / self._points(size) * room)

    def _label_axes(self, ax: Axes, below: Sequence[str], beside: Sequence[str] = (), *, size: str = "medium") -> None:
        """Words below the axes, with the notes, and beside them, in several lines where one is too long."""
        below = [*below, *self._notes()]
        room, left = self._room_below(ax)
        for axis, lines in ((ax.xaxis, below), (ax.yaxis, beside)):
            most = self._characters(room if axis is ax.xaxis else _height(ax), size) if lines else 0  # a height is dear
            parts = [shortened(part, most) for line in lines for part in wrapped(line, most)]
            axis.set_label_text("\n".join(parts), fontsize=self._points(size))
        _move_left(ax.xaxis.label, left, ax)

    def _room_below(self, ax: Axes) -> tuple[float, float]:
        """Inches for words below the axes, and how far these stand to the left of the middle."""
        return _room(ax)[1], 0.0

    def _add_legend(
        self,
        handles: Sequence[Any],
        texts: Sequence[str],
        title: str | None = None,
        *,
        models: Sequence[int] = (),
        most: float = float("inf"),
        part: float = LEGEND_PART,
        **options: Any,
    ) -> None:
        """A legend of any texts beside roomy axes; in small ones where they are emptiest, in letters that fit.

        The first entries are of models, whose places are `models`, those to be named before others first: small axes
        name as many as letters that can be read have room for, in a part of their height. matplotlib itself leaves out
        the texts that begin with an underscore.
        """
        from matplotlib.patches import Patch

        if not self._roomy_:
            others = sum(map(n_lines, (*texts[len(models) :], title or "")))
            most = min(most, int(72 * inches(self.ax_)[1] * part / READABLE) - others)
        if len(models) > max(most, FEWEST_NAMED):
            kept = sorted(models[: int(max(most - 1, FEWEST_NAMED))])
            handles = [*(handles[i] for i in kept), Patch(alpha=0, lw=0), *handles[len(models) :]]
            more = f"and {counted(len(models) - len(kept), 'more model')}"
            texts = [*(texts[i] for i in kept), more, *texts[len(models) :]]
        font, style = self._points("small"), {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "frameon": False}
        inside = not self._roomy_ and not options
        if inside:
            width, height = (72 * side for side in inches(self.ax_))
            lines = sum(map(n_lines, (*texts, title or "")))
            by_width = 0.6 * width / (0.6 * max(narrow(text) / n_lines(text) for text in texts) + 3)
            font = max(4.0, min(self._points("x-small") / self._scale_, height * LEGEND_PART / lines, by_width))
            style = {"loc": "best", "labelspacing": 0.2, "borderpad": 0.2, "framealpha": 0.8, "edgecolor": "none"}
        style |= {"fontsize": font, "title": title, "title_fontsize": font}
        legend = self.ax_.legend(handles, [" "] * len(handles), **{**style, **options})
        for shown, text in zip(legend.get_texts(), texts, strict=True):
            shown.set_text(text)
        legend.set_in_layout(not inside)

    def _set_title(self, ax: Axes, left: float) -> None:
        """The title in one line, in small letters if need be; in narrow axes in two, of which the rest is left out.

        It begins above what stands on the left of the axes, so many inches from them.
        """
        from matplotlib.ticker import ScalarFormatter
        from matplotlib.transforms import blended_transform_factory

        text = one_line(f"{'Do not use: ' if self._forbidden else ''}{self._title()}").replace(r"\$", "$")
        points = self._points()
        inch = USED * narrow(text) / text_width([text], points)  # characters
        room = inch * max(1.0, _whole(ax) - MARGIN if _whole(ax) else inches(ax)[0] + left)
        for most, size in product(range(1, TITLE_LINES + 1), [max(READABLE, scale * points) for scale in TITLE_SCALES]):
            lines = wrapped(text, int(room * points / size))
            if len(lines) <= most:
                break
        else:
            lines = [*lines[: TITLE_LINES - 1], f"{lines[TITLE_LINES - 1]} …"]
        # no factor stands above an axis of names, for which matplotlib would measure all its labels three times more
        named = _whole(ax) and not ax.child_axes and not isinstance(ax.yaxis.get_major_formatter(), ScalarFormatter)
        shown = ax.set_title("\n".join(lines), fontsize=size, loc="left", parse_math=False, y=1.0 if named else None)
        if whole := _whole(ax):  # from its edge, since letters of few pixels are not as wide as they were measured
            shown.set_transform(blended_transform_factory(ax.figure.transSubfigure, shown.get_transform()))
            shown.set_x(PAD / whole)
        else:
            _move_left(shown, left, ax)

    def _spread_ticks(self, ax: Any, width: float | None = None) -> None:
        """Let the ticks that matplotlib chooses for the horizontal axis be so few that their labels stay apart."""
        from matplotlib.ticker import AutoLocator

        if isinstance(locator := ax.xaxis.get_major_locator(), AutoLocator):
            room = 72 * (width or _room(ax)[1])
            if (legend := ax.get_legend()) and legend.get_in_layout() and _whole(ax):
                size = legend.get_texts()[0].get_fontsize()
                texts = [text.get_text() for text in (legend.get_title(), *legend.get_texts())]
                room -= size * (0.6 * max(narrow(text) / n_lines(text) for text in texts) + HANDLE)
            digits = 72 * text_width([text.get_text() for text in ax.get_xticklabels()], self._points())
            widest = max(TICK_ROOM * self._scale_, 1.2 * digits)
            locator.set_params(nbins=min(9, max(2, int(room / widest))))


def _marked(make: Callable[..., Any]) -> Callable[..., Any]:
    """What makes a Display of a result, which then says where that must not be used."""

    @wraps(make)
    def making(cls: type, result: Any, *args: Any, **options: Any) -> Any:
        scores = getattr(result, "_scores", result)
        try:
            display = make(cls, scores, *args, **options)
        except AttributeError as error:
            if error.obj is not scores:  # not for being of another kind
                raise
            raise ValueError(f"result must be one that {cls.__name__} can show; got {type(result).__name__}") from None
        display._forbidden = bool(forbidding(getattr(result, "warnings", ())))
        return display

    return making


def metric_shown(metric: str, greater_is_better: bool = True) -> dict[str, Any]:
    """Fields of a Display: what a metric is called, and whether more is better in what is shown of it."""
    return {"metric": label(metric), "greater_is_better": not less_is_better(metric, greater_is_better)}


def decimals_beside(low: ArrayLike, high: ArrayLike) -> int:
    """Decimals of numbers beside intervals, as in tables: two digits of the narrowest one."""
    half = np.ravel(np.subtract(high, low)) / 2
    half = half[np.isfinite(half) & (half > 0)]
    return min(MAX_DECIMALS, max(0, 1 - magnitude(half.min()))) if half.size else 3


def values_of(rows: Sequence[Any], *alike: str, **names: str) -> dict[str, Any]:
    """Fields of a Display: of every row the value of a name, `alike` that of the field."""
    names |= dict(zip(alike, alike, strict=True))
    return {field: np.array([getattr(row, name) for row in rows]) for field, name in names.items()}


class RowsDisplay(Display):
    """A picture of rows with their names on the left."""

    _edges: ClassVar[tuple[str, ...]] = ("bottom",)

    @abstractmethod
    def _row_names(self) -> Sequence[str]:
        """The names of the rows that are drawn, from top to bottom; some may be empty."""

    def _lines_around(self, width: float) -> int:  # noqa: ARG002 -- pictures with other words need it
        """About how many lines of words stand above and below the rows, of so many inches."""
        return 7

    def _scale(self, ax: Axes, part: float) -> float:  # noqa: ARG002 -- the names decide
        (width, height), names = inches(ax), self._row_names()
        by_width = NAMES_PART * max(width, _whole(ax)) / max(0.01, width_of(names))  # a layout takes from the axes
        whole = _whole(ax, "height")
        by_height = 72 * (whole or height) / LINE / 10 / (len(names) + (self._lines_around(width) if whole else 1))
        return max(SMALLEST_ROWS, min(1.0, by_width, by_height)) if np.isfinite(self._height_) else 1.0

    def _room_below(self, ax: Axes) -> tuple[float, float]:
        """In a figure of their own words stand below the names of rows too."""
        left, room = _room(ax)
        whole = _whole(ax) - MARGIN
        return (whole, left / 2) if whole > room else (room, 0.0)

    def _name_rows(self, ax: Axes, places: Sequence[float], names: Sequence[str], size: str = "medium") -> None:
        ax.set_yticks(places, names, fontsize=self._points(size))
        ax.tick_params(axis="y", length=0)


def new_axes(size: tuple[float, float]) -> Axes:
    """Axes of a figure that pyplot does not know of."""
    with needs("plots need matplotlib", "plot"):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    figure = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(figure)
    return figure.add_subplot()


def inches(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes."""
    place, whole = ax.get_position(), ax.figure.bbox
    return place.width * whole.width / ax.figure.dpi, place.height * whole.height / ax.figure.dpi


def text_width(texts: Sequence[str], size: float) -> float:
    """Width of the longest of some lines in letters of a size in points, in inches."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    if any(ord(char) >= FIRST_UNMEASURED for text in texts for char in text):
        return max(map(narrow, texts)) * size / 10 / PER_INCH
    letters = FontProperties(size=size)
    widths = [text_to_path.get_text_width_height_descent(text, letters, ismath=False)[0] for text in texts]
    return max(widths, default=0.0) / 72


def _move_left(text: Text, by: float, ax: Axes) -> None:
    """Move a text by so many inches."""
    from matplotlib.transforms import ScaledTranslation

    text.set_transform(text.get_transform() + ScaledTranslation(-by, 0, ax.figure.dpi_scale_trans))


def _whole(ax: Axes, side: str = "width") -> float:
    """Width or height of the figure that a layout gives to these axes alone; 0 where there is none."""
    alone = len(ax.figure.axes) == 1 and ax.figure.get_layout_engine() is not None
    return float(getattr(ax.figure.bbox, side) / ax.figure.dpi) if alone else 0.0


def _height(ax: Axes) -> float:
    """Inches that the axes will be high, between their title and the words below them."""
    box, whole = ax.xaxis.get_tightbbox(), _whole(ax, "height")
    below = 0.0 if box is None else float(ax.bbox.y0 - box.y0) / ax.figure.dpi
    return max(0.6, whole - below - MARGIN if whole else inches(ax)[1] - 0.5 * below)


def _room(ax: Axes) -> tuple[float, float]:
    """Inches that stand on the left of the axes, and how wide these will at least be."""
    boxes = [each.yaxis.get_tightbbox() for each in (ax, *ax.child_axes) if each.axison]
    left = max([0.0, *(float(ax.bbox.x0 - box.x0) / ax.figure.dpi for box in boxes if box is not None)])
    return left, max(1.0, inches(ax)[0] - 0.5 * left, _whole(ax) - left - MARGIN)
