"""Two parameters of a search at once: the mean score of every pair of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray, check_choice
from skcompare.plotting import _cells
from skcompare.plotting._display import Display
from skcompare.plotting._search import SearchData
from skcompare.plotting._style import inches, labels, narrow, set_title, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MAX_VALUES = 30
WRITTEN = 10  # values of a parameter up to which the scores are written
LOW, HIGH, EMPTY = "#F7F7F7", "#00497A", "#DDDDDD"
# Not quite black and white, which a page turns round in the dark; the cells keep their colours there.
DARK_INK, LIGHT_INK = "#010101", "#FEFEFE"
# Inches.
WIDE_CELL, CELL, ABOVE_AND_BELOW, NARROWEST = 0.7, 0.45, 1.5, 4.2
MARK = 4.5  # points
VALUE_Y, MARK_Y = -0.14, 0.27  # in cells, from the middle downwards
TEXT_WIDTH = 4.6  # of a score, in font sizes


@dataclass(kw_only=True, eq=False, repr=False)
class SearchHeatmapDisplay(Display):
    """Heatmap of two parameters of a search: the mean score of the candidates with each pair of values.

    Attributes
    ----------
    x, y : str
        The parameters.
    x_values, y_values : sequence of str
        Their values.
    means : ndarray of shape (n_y_values, n_x_values)
        Mean score of the candidates of a cell, in score units, greater is better; nan where it has none.
    n_candidates : ndarray of shape (n_y_values, n_x_values)
        Candidates of each cell that have a mean.
    may_be_best : ndarray of bool of shape (n_y_values, n_x_values)
        Whether a candidate of the cell is not significantly different from the best; marked by a dot.
    best : tuple of int or None
        Row and column of the best candidate, where it has both parameters; marked by a star.
    metric : str
        The one that decides.

    Notes
    -----
    Scores are written where both parameters have at most 10 values; more are shown as colours with a colour bar.
    """

    x: str
    y: str
    x_values: Sequence[str]
    y_values: Sequence[str]
    means: FloatArray
    n_candidates: NDArray[np.intp]
    may_be_best: NDArray[np.bool_]
    best: tuple[int, int] | None
    metric: str

    @classmethod
    def from_result(cls, result: SearchData, *, x: str | None = None, y: str | None = None) -> Self:
        """Two parameters of a search.

        Parameters
        ----------
        result : SearchReport
            What to show.
        x, y : str, optional
            Parameters with 2 to 30 values each; by default those with the largest effects.

        Returns
        -------
        SearchHeatmapDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a parameter is unknown or the same twice, or there are no two with 2 to 30 values.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import GridSearchCV
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import SearchReport
        >>> from skcompare.plotting import SearchHeatmapDisplay
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> grid = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 5]}
        >>> search = GridSearchCV(tree, grid, cv=10).fit(*load_iris(return_X_y=True))
        >>> display = SearchHeatmapDisplay.from_result(SearchReport.from_search(search)).plot()
        >>> display.means.shape
        (2, 3)
        """
        settings = result.settings()
        known = _values(result, settings)
        x, y = _choose(x, y, [effect.parameter for effect in result.effects], known)
        xs, ys = known[x], known[y]
        total, count = np.zeros((len(ys), len(xs))), np.zeros((len(ys), len(xs)), dtype=np.intp)
        may = np.zeros(count.shape, dtype=np.bool_)
        position = {name: i for i, name in enumerate(result.names)}
        best: tuple[int, int] | None = None
        for candidate in result.ranking:
            x_value, y_value = (settings[name][position[candidate.name]] for name in (x, y))
            if x_value is None or y_value is None or np.isnan(candidate.mean):
                continue
            cell = ys.index(y_value), xs.index(x_value)
            total[cell] += candidate.mean
            count[cell] += 1
            may[cell] |= not candidate.significantly_different
            best = cell if candidate.rank == 1 and best is None else best
        with np.errstate(invalid="ignore"):
            means = np.where(count > 0, total / count, np.nan)
        return cls(
            x=x,
            y=y,
            x_values=xs,
            y_values=ys,
            means=means,
            n_candidates=count,
            may_be_best=may,
            best=best,
            metric=result.metric,
        )

    def _title(self) -> str:
        most, metric = int(self.n_candidates.max()), labels([self.metric])[0]
        grey = "; grey: no candidate" if (self.n_candidates == 0).any() else ""
        if most == 1:
            return f"{metric} of every candidate; star: best, dot: not significantly different{grey}"
        marks = "star: the best is here, dot: one not significantly different"
        return f"mean {metric} of up to {most} candidates; {marks}{grey}"

    def _size(self) -> tuple[float, float]:
        rows, columns = self.means.shape
        small = _cells.SMALL_CELL
        cell, bar = ((WIDE_CELL, CELL), 0) if self._is_written() else ((small, small), _cells.BAR)
        width, height = max(NARROWEST, columns * cell[0] + bar), max(1.0, rows * cell[1])
        beside, below = map(_cells.names_width, (self.y_values, self.x_values))
        return beside + width + 0.6, below + height + ABOVE_AND_BELOW

    def _columns(self) -> dict[str, Any]:
        rows, columns = self.means.shape
        return {
            "x": self.x,
            "y": self.y,
            "x_value": np.tile(self.x_values, rows),
            "y_value": np.repeat(self.y_values, columns),
            "metric": self.metric,
            "mean": self.means.ravel(),
            "n_candidates": self.n_candidates.ravel(),
            "may_be_best": self.may_be_best.ravel(),
        }

    def _draw(self, ax: Axes) -> None:
        rows, columns = self.means.shape
        colours = _cells.colour_map([LOW, HIGH], EMPTY)
        image = ax.imshow(np.ma.masked_invalid(self.means), cmap=colours, aspect="auto")
        font = _cells.cell_font(ax, columns, rows, TEXT_WIDTH if self._is_written() else None)
        longest = _cells.LONGEST if self._is_roomy() else _cells.longest_name(ax, font)
        names = labels(self.x_values, longest), labels(self.y_values, longest)
        upright = columns * _cells.TEXT_CHARACTER * font * (1 + max(map(narrow, names[0]))) > 72 * inches(ax)[0]
        ax.set_xticks(range(columns), names[0], rotation=90 if upright else 0, fontsize=font)
        ax.set_yticks(range(rows), names[1], fontsize=font)
        _cells.bare_axes(ax)
        shades = image.to_rgba(np.ma.masked_invalid(self.means))
        for i, j in np.argwhere(self.n_candidates > 0).tolist():
            self._draw_cell(ax, (i, j), LIGHT_INK if _cells.is_dark(shades[i, j]) else DARK_INK, font)
        if not self._is_written():
            bar = _cells.colour_bar(ax, image, "mean " + labels([self.metric])[0], roomy=self._is_roomy())
            bar.ax.tick_params(labelsize=_cells.FONT)
        x_name, y_name = labels([self.x, self.y], longest)
        ax.set(xlabel=x_name, ylabel=y_name)
        set_title(ax, self._title(), beside=width_of(names[1]) + 0.3)

    def _draw_cell(self, ax: Axes, cell: tuple[int, int], colour: str, font: float) -> None:
        i, j = cell
        marked = bool(self.may_be_best[cell]) or cell == self.best
        if self._is_written():
            y, places = i + (VALUE_Y if marked else 0), self._decimals()
            score = f"{self.means[cell]:.{places}f}"
            text = ax.text(j, y, score, ha="center", va="center", color=colour, fontsize=font)
            text.set_in_layout(False)  # inside the axes
        if marked:
            star = cell == self.best
            y = i + MARK_Y if self._is_written() else i
            size = min(MARK, font / 2) * (1.8 if star else 1)
            ax.plot(j, y, marker="*" if star else "o", color=colour, ms=size, mew=0, gid=f"{i} {j}")

    def _decimals(self) -> int:
        """So many that the scores differ in two digits."""
        size = float(np.nanmax(self.means) - np.nanmin(self.means))
        return int(np.clip(1 - np.floor(np.log10(size)), 0, 6)) if size > 0 else 3

    def _is_written(self) -> bool:
        return len(self.x_values) <= WRITTEN and len(self.y_values) <= WRITTEN


def _values(result: SearchData, settings: Mapping[str, Sequence[str | None]]) -> dict[str, list[str]]:
    """The values of the parameters that a heatmap can show, numbers by size and others as they first came."""
    found = {}
    for name, column in settings.items():
        there = {label: result.params[i][name] for i, label in enumerate(column) if label is not None}
        if 2 <= len(there) <= MAX_VALUES:
            numbers = all(isinstance(value, (int, float, np.number)) for value in there.values())
            found[name] = sorted(there, key=there.__getitem__) if numbers else list(there)
    return found


def _choose(
    x: str | None, y: str | None, by_effect: Sequence[str], known: Mapping[str, Sequence[str]]
) -> tuple[str, str]:
    """The parameters asked for, or those with the largest effects; the one with more values lies along x."""
    for name, what in ((x, "x"), (y, "y")):
        if name is not None:
            check_choice(name, what, tuple(known))
    if x is not None and x == y:
        raise ValueError(f"x and y must be two parameters; got {x!r} twice")
    named = [name for name in (x, y) if name is not None]
    free = [name for name in by_effect if name in known and name not in named]
    if len(free) + len(named) < 2:
        raise ValueError(f"a heatmap needs two parameters with 2 to {MAX_VALUES} values; there are {len(known)}")
    if not named:
        first, second = sorted(free[:2], key=lambda name: -len(known[name]))
        return first, second
    return free[0] if x is None else x, free[0] if y is None else y
