"""What each parameter of a search does to the score."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import equal_to, percent
from skcompare._core.validation import FloatArray, check_choice
from skcompare.plotting import _matrix
from skcompare.plotting._candidates import SearchData
from skcompare.plotting._display import Display
from skcompare.plotting._style import (
    BETTER,
    NEUTRAL,
    inches,
    ink,
    labels,
    name_rows,
    narrow,
    paper,
    set_below,
    set_title,
    width_of,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MAX_PARAMETERS, MAX_VALUES = 8, 10
LONGEST = 24
CHARACTERS_PER_INCH = 13  # of small letters
# Inches.
WIDTH, ROW, ABOVE_AND_BELOW = 5.2, 0.24, 1.3


@dataclass(kw_only=True, eq=False, repr=False)
class ParameterEffectsDisplay(Display):
    """Mean score by the values of each parameter of a search, averaged over the other parameters.

    Attributes
    ----------
    parameters : sequence of str of length n_parameters
        The largest share first.
    values : sequence of sequence of str
        The values, or ranges of values, of each parameter, in order.
    n_candidates : sequence of ndarray of shape (n_values,)
        Candidates with each value.
    means : sequence of ndarray of shape (n_values,)
        Mean score of the candidates with each value, in score units.
    shares : ndarray of shape (n_parameters,)
        Share of the variance of the candidates' mean scores that lies between the values, in [0, 1].
    pvalues : ndarray of shape (n_parameters,)
        Of the hypothesis that no value is better than another, adjusted over the parameters.
    overall : float
        Mean score of all candidates.
    metric : str
        The one that decides.
    greater_is_better : bool
        Its direction.
    fitted : bool
        Whether the means of some parameter are those of a fitted model, as those of a continuous factor are, and of
        factors that do not vary apart.
    lacks_fit : bool
        Whether the fitted model does not describe the settings, so that its means are not to be relied on.

    Notes
    -----
    The first 8 parameters are drawn, and of more than 10 values the 10 with the best means; `frame` has all.
    """

    parameters: Sequence[str]
    values: Sequence[Sequence[str]]
    n_candidates: Sequence[NDArray[np.intp]]
    means: Sequence[FloatArray]
    shares: FloatArray
    pvalues: FloatArray
    overall: float
    metric: str
    greater_is_better: bool = True
    fitted: bool = False
    lacks_fit: bool = False

    @classmethod
    def from_result(cls, result: SearchData) -> Self:
        """The effects of a search's parameters.

        Parameters
        ----------
        result : SearchReport or ExperimentReport
            What to show.

        Returns
        -------
        ParameterEffectsDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If no parameter varies.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import GridSearchCV
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import SearchReport
        >>> from skcompare.plotting import ParameterEffectsDisplay
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> grid = {"max_depth": [1, 2, 3], "min_samples_leaf": [1, 5]}
        >>> search = GridSearchCV(tree, grid, cv=10).fit(*load_iris(return_X_y=True))
        >>> ParameterEffectsDisplay.from_result(SearchReport.from_search(search)).plot().parameters
        ['max_depth', 'min_samples_leaf']
        """
        effects = result.effects
        if not effects:
            raise ValueError("report must have a parameter that varies between the candidates; it has none")
        means = np.array([candidate.mean for candidate in result.ranking])
        return cls(
            parameters=[effect.parameter for effect in effects],
            values=[effect.values for effect in effects],
            n_candidates=[np.array(effect.n_candidates) for effect in effects],
            means=[np.asarray(effect.means) for effect in effects],
            shares=np.array([effect.share for effect in effects]),
            pvalues=np.array([effect.pvalue_adjusted for effect in effects]),
            overall=float(means[np.isfinite(means)].mean()),
            metric=result.metric,
            greater_is_better=getattr(result, "greater_is_better", True),
            fitted=getattr(result, "is_fitted", False),
            lacks_fit=getattr(result, "lacks_fit", False),
        )

    def _title(self) -> str:
        n = len(self.parameters)
        some = f"the first {MAX_PARAMETERS} of {n} parameters" if n > MAX_PARAMETERS else f"{n} parameters"
        unfit = "; the fit does not describe the settings: rely on none"
        read = unfit if self.lacks_fit else ", over all other settings"
        return f"{'1 parameter' if n == 1 else some}: {self._mean()} score by value{read}"

    def _mean(self) -> str:
        return "fitted mean" if self.fitted else "mean"

    def _size(self) -> tuple[float, float]:
        rows = len(self._labels()) + sum(1 for _ in self._shown())
        longer = max(map(len, self._names())) - LONGEST
        return WIDTH + max(0, longer) / CHARACTERS_PER_INCH + width_of(self._labels()), ABOVE_AND_BELOW + ROW * rows

    def _columns(self) -> dict[str, Any]:
        sizes = [len(values) for values in self.values]
        return {
            "parameter": np.repeat(self.parameters, sizes),
            "value": [value for values in self.values for value in values],
            "n_candidates": np.concatenate(self.n_candidates),
            "metric": self.metric,
            "mean": np.concatenate(self.means),
            "share": np.repeat(self.shares, sizes),
            "pvalue_adjusted": np.repeat(self.pvalues, sizes),
        }

    def _draw(self, ax: Axes) -> None:
        ax.axvline(self.overall, color=ink(ax), lw=0.8, ls=(0, (5, 2)), zorder=0.5, gid="overall")
        places, top = [], 0
        roomy, room = self._is_roomy(), int(CHARACTERS_PER_INCH * inches(ax)[0])
        for p, chosen in self._shown():
            rows = np.arange(top + 1, top + 1 + len(chosen))
            means = self.means[p][chosen]
            ax.plot(means, rows, color=NEUTRAL, lw=1.0, zorder=1, gid=f"parameter {p}")
            best = np.nanmax(self.means[p]) if self.greater_is_better else np.nanmin(self.means[p])
            for y, i, mean in zip(rows, chosen, means, strict=True):
                fill = BETTER if mean == best else paper(ax)
                ax.plot(mean, y, marker="o", mec=BETTER, mfc=fill, ms=6, ls="", zorder=2, gid=f"value {p} {i}")
            text = self._head(p, len(chosen)) if roomy else labels([self.parameters[p]], room)[0]
            head = ax.text(0, top, text, transform=ax.get_yaxis_transform(), fontsize="small")
            head.set(va="center", in_layout=False, bbox={"facecolor": paper(ax), "edgecolor": "none", "pad": 1})
            places += rows.tolist()
            top += 1 + len(chosen)
        ax.set_ylim(top - 0.5, -0.6)
        name_rows(ax, places, self._labels(), self._title())
        ax.margins(x=0.08)
        legend = ["filled: the best value; dashed: mean of all"]
        legend += [] if self._is_even() else ["in brackets: how many have the value"]
        metric = f"{self._mean()} {labels([self.metric])[0]} ({'more' if self.greater_is_better else 'less'} is better)"
        set_below(ax, [metric, *legend], beside=width_of(self._labels()))

    def _head(self, p: int, n_shown: int) -> str:
        """What stands above the values of a parameter."""
        name = self._names()[p]
        n = len(self.values[p])
        some = f", the {n_shown} best of {n} values" if n_shown < n else ""
        share = f"{percent(self.shares[p])} of the variance" if np.isfinite(self.shares[p]) else "variance not known"
        p_text = equal_to("adjusted p", self.pvalues[p])
        return f"{name}: {share}, {p_text}{some}"

    def _names(self) -> list[str]:
        """The parameters, with more room where they stand with their aliases."""
        return labels(self.parameters, (2 if any(" = " in name for name in self.parameters) else 1) * LONGEST)

    def _shown(self) -> Iterator[tuple[int, NDArray[np.intp]]]:
        """Parameters to draw, and which of their values, in order."""
        for p, means in enumerate(self.means[:MAX_PARAMETERS]):
            signed = -means if self.greater_is_better else means
            order = np.argsort(np.where(np.isnan(means), np.inf, signed), kind="stable")
            yield p, np.sort(order[:MAX_VALUES])

    def _labels(self) -> list[str]:
        """The values, with how many candidates have them where that differs."""
        found = []
        for p, chosen in self._shown():
            names = labels(self.values[p], LONGEST)
            found += [names[i] if self._is_even() else f"{names[i]} ({self.n_candidates[p][i]})" for i in chosen]
        return found

    def _is_even(self) -> bool:
        """Whether the values of every parameter have equally many candidates."""
        return all(bool((sizes == sizes[0]).all()) for sizes in self.n_candidates)


# Two parameters of a search at once: the mean score of every pair of values.


MAX_CELLS = 30
WRITTEN = 10  # values of a parameter up to which the scores are written
LOW, HIGH, EMPTY = "#F7F7F7", "#00497A", "#DDDDDD"
# Not quite black and white, which a page turns round in the dark; the cells keep their colours there.
DARK_INK, LIGHT_INK = "#010101", "#FEFEFE"
# Inches.
WIDE_CELL, CELL, AROUND_CELLS, NARROWEST = 0.7, 0.45, 1.5, 4.2
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
        small = _matrix.SMALL_CELL
        cell, bar = ((WIDE_CELL, CELL), 0) if self._is_written() else ((small, small), _matrix.BAR)
        width, height = max(NARROWEST, columns * cell[0] + bar), max(1.0, rows * cell[1])
        beside, below = map(_matrix.names_width, (self.y_values, self.x_values))
        return beside + width + 0.6, below + height + AROUND_CELLS

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
        colours = _matrix.colour_map([LOW, HIGH], EMPTY)
        image = ax.imshow(np.ma.masked_invalid(self.means), cmap=colours, aspect="auto")
        font = _matrix.cell_font(ax, columns, rows, TEXT_WIDTH if self._is_written() else None)
        longest = _matrix.LONGEST if self._is_roomy() else _matrix.longest_name(ax, font)
        names = labels(self.x_values, longest), labels(self.y_values, longest)
        upright = columns * _matrix.TEXT_CHARACTER * font * (1 + max(map(narrow, names[0]))) > 72 * inches(ax)[0]
        ax.set_xticks(range(columns), names[0], rotation=90 if upright else 0, fontsize=font)
        ax.set_yticks(range(rows), names[1], fontsize=font)
        _matrix.bare_axes(ax)
        shades = image.to_rgba(np.ma.masked_invalid(self.means))
        for i, j in np.argwhere(self.n_candidates > 0).tolist():
            self._draw_cell(ax, (i, j), LIGHT_INK if _matrix.is_dark(shades[i, j]) else DARK_INK, font)
        if not self._is_written():
            bar = _matrix.colour_bar(ax, image, "mean " + labels([self.metric])[0], roomy=self._is_roomy())
            bar.ax.tick_params(labelsize=_matrix.FONT)
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
        if 2 <= len(there) <= MAX_CELLS:
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
        raise ValueError(f"a heatmap needs two parameters with 2 to {MAX_CELLS} values; there are {len(known)}")
    if not named:
        first, second = sorted(free[:2], key=lambda name: -len(known[name]))
        return first, second
    return free[0] if x is None else x, free[0] if y is None else y
