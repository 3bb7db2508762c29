"""The pictures of a designed experiment: how two factors act together, and the fitted surface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Self

import numpy as np

from skcompare._core.metrics import label
from skcompare._core.numbers import ALPHA, equal_to, short
from skcompare._core.validation import BoolArray, FloatArray
from skcompare.comparison.means import shown_score
from skcompare.plotting._display import Display, inches
from skcompare.plotting._style import Axes, choose_two, ink, labels, look, paper

# How the effect of one factor of an experiment depends on another one.


LONGEST = 24
MAX_LINES = 9


class InteractionDisplay(Display):
    """Mean score by the levels of two factors: lines that are not parallel show an interaction.

    Attributes
    ----------
    x, y : str
        The factors: along the axis, and one line per level.
    x_values, y_values : sequence of str
        Their levels.
    means : ndarray of shape (n_y_values, n_x_values)
        Mean score over the settings of the other factors, or what the fitted model says of it; nan where there are
        none.
    pvalue : float
        Of the hypothesis that the effects of the two add up, adjusted over all effects; nan where it cannot be told.
        With effects in `inseparable` it is of their sum or difference.
    metric : str
        The metric, in whose units scores are.
    inseparable : sequence of str
        The effects that the settings cannot tell from this interaction.
    fitted : bool
        Whether the means are those of the fitted model: where one of the factors is continuous.
    lacks_fit : bool
        Whether the fitted model does not describe the settings, so that neither its means nor `pvalue` are to be relied
        on.

    Notes
    -----
    Of more than 9 levels of `y` the lines of 9, evenly spaced, are drawn; `frame` has all.
    """

    x: str
    y: str
    x_values: Sequence[str]
    y_values: Sequence[str]
    means: FloatArray
    pvalue: float
    metric: str
    inseparable: Sequence[str] = ()
    fitted: bool = False
    lacks_fit: bool = False

    _frame = ("x", "y", "x_values", "y_values", "metric", "means")
    _figure = (6.4, 4.2)

    @classmethod
    def from_result(cls, result: Any, *, x: str | None = None, y: str | None = None) -> Self:
        """Two factors of an experiment.

        Parameters
        ----------
        result : ExperimentReport
            What to show.
        x, y : str, optional
            The factors; by default those whose interaction has the smallest p-value.

        Returns
        -------
        InteractionDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a factor is unknown or the same twice, or there is only one.
        """
        names = list(result.factors)
        pairs = [pair for pair in combinations(names, 2) if {*choose_two(x, y, names, "factors")} <= {*pair}]
        if not pairs:
            raise ValueError(f"a picture of an interaction needs two factors; there is {names[0]}")
        first, second = min(pairs, key=lambda pair: np.nan_to_num(result.interaction_pvalue(*pair), nan=2.0))
        if x == second or y == first:
            first, second = second, first
        x_values, y_values, means = result.level_means(first, second)
        return cls(
            x=first,
            y=second,
            x_values=x_values,
            y_values=y_values,
            means=shown_score(result.metric, np.asarray(means)),
            pvalue=result.interaction_pvalue(first, second),
            metric=label(result.metric),
            inseparable=result.inseparable(first, second),
            fitted=result.fitted(first, second),
            lacks_fit=result.lacks_fit,
        )

    def _title(self) -> str:
        x, y = labels([self.x, self.y], LONGEST)
        return f"Does the effect of {x} depend on {y}?"

    def _notes(self) -> Sequence[str]:
        said = [f"not separable from {', '.join(labels(self.inseparable, LONGEST))}"] if self.inseparable else []
        if np.isfinite(self.pvalue):
            said.append(equal_to("adjusted p", self.pvalue))
        read = "parallel lines: no interaction"
        if self.lacks_fit:
            rely = "rely on neither means nor p" if self.fitted else "do not rely on p"
            read = f"the fit does not describe the settings: {rely}"
        return [f"interaction {', '.join(said) or 'not tested'}; {read}"]

    def _draw(self, ax: Axes) -> None:
        n = len(self.y_values)
        chosen = np.unique(np.linspace(0, n - 1, min(n, MAX_LINES)).round().astype(int)).tolist()
        places = np.arange(len(self.x_values))
        lines = [
            ax.plot(places, self.means[i], lw=1.4, ms=5, gid=f"line {i}", **look(at))[0] for at, i in enumerate(chosen)
        ]
        room = self._characters(inches(ax)[0])
        names = labels(self.x_values, min(LONGEST, max(4, room // max(1, len(places)))))
        upright = max(map(len, names)) * len(names) > room
        ax.set_xticks(places, names, rotation=90 if upright else 0, fontsize=self._points("small"))
        ax.margins(x=0.08, y=0.12)
        x, y = labels([self.x, self.y], LONGEST)
        self._label_axes(ax, [x], [f"{'fitted ' if self.fitted else ''}mean {labels([self.metric])[0]}"])
        self._add_legend(lines, labels([self.y_values[i] for i in chosen], LONGEST), y)


# The fitted surface of an experiment over two of its factors.


N_POINTS, N_LINES = 61, 8
SHADE = "#0072B2"


class SurfaceDisplay(Display):
    """Contours of the predicted score over two factors, the other ones at their best values.

    Attributes
    ----------
    x, y : str
        The factors.
    x_grid, y_grid : ndarray of shape (n_points,)
        Their values, in their own units.
    predicted : ndarray of shape (n_points, n_points)
        The predicted mean score, rows by `y_grid`.
    may_be_best : ndarray of bool of shape (n_points, n_points)
        Whether a point is in the 95% confidence region of the best setting; shaded.
    optimum : tuple of float
        The best predicted values of the two factors; marked by a star.
    runs : ndarray of shape (n_runs, 2)
        The settings that were evaluated, as values of the two factors; marked by circles.
    log : tuple of bool
        Whether each axis is logarithmic.
    held : mapping of str to float
        The values of the other factors.
    metric : str
        The metric, in whose units scores are.
    lack_of_fit : float
        P-value of the hypothesis that the surface describes the settings; nan where there is no test.
    extrapolated : bool
        Whether the optimum is outside the settings that were evaluated.
    """

    x: str
    y: str
    x_grid: FloatArray
    y_grid: FloatArray
    predicted: FloatArray
    may_be_best: BoolArray
    optimum: tuple[float, float]
    runs: FloatArray
    log: tuple[bool, bool]
    held: Mapping[str, float]
    metric: str
    lack_of_fit: float
    extrapolated: bool = False

    _frame = ("x", "y", "x_grid", "y_grid", "metric", "predicted", "may_be_best")
    _figure = (6.4, 4.8)

    @classmethod
    def from_result(cls, result: Any, *, x: str | None = None, y: str | None = None) -> Self:
        """Two factors of a surface.

        Parameters
        ----------
        result : ResponseSurface
            What to show.
        x, y : str, optional
            The factors; by default the first two that are left.

        Returns
        -------
        SurfaceDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a factor is unknown or the same twice, or there is only one.
        """
        names = [axis.name for axis in result.axes]
        free = [name for name in names if name not in choose_two(x, y, names, "factors")]
        if len(names) < 2:
            raise ValueError(f"a picture of the surface needs two numeric factors; there is {names[0]}")
        i, j = (names.index(free.pop(0) if name is None else name) for name in (x, y))
        at = [np.linspace(result.low[f], result.high[f], N_POINTS) for f in (i, j)]
        coded = np.tile(result.best, (N_POINTS**2, 1))
        coded[:, i], coded[:, j] = (part.ravel() for part in np.meshgrid(*at))
        shape = (N_POINTS, N_POINTS)
        axes = result.axes[i], result.axes[j]
        values = [np.array([axis.value(float(c)) for c in part]) for axis, part in zip(axes, at, strict=True)]
        runs = [[axis.value(float(run[f])) for axis, f in zip(axes, (i, j), strict=True)] for run in result.runs]
        return cls(
            x=names[i],
            y=names[j],
            x_grid=values[0],
            y_grid=values[1],
            predicted=shown_score(result.metric, np.asarray(result.predict(coded)).reshape(shape)),
            may_be_best=result.may_be_best(coded).reshape(shape),
            optimum=(result.optimum[names[i]], result.optimum[names[j]]),
            runs=np.array(runs),
            log=(axes[0].log, axes[1].log),
            held={name: value for name, value in result.optimum.items() if name not in (names[i], names[j])},
            metric=label(result.metric),
            lack_of_fit=result.pvalue_lack_of_fit,
            extrapolated=result.extrapolated,
        )

    def _title(self) -> str:
        unfit = " does not fit the settings" if self.lack_of_fit < ALPHA else ""
        return f"Predicted {labels([self.metric])[0]}{unfit}"

    def _notes(self) -> Sequence[str]:
        names = labels(list(self.held), LONGEST)
        held = ", ".join(f"{name} = {short(value)}" for name, value in zip(names, self.held.values(), strict=True))
        best = "best, but extrapolated" if self.extrapolated else "best"
        said = f"star: {best}, shaded: may be the best (95%), circles: evaluated"
        if self.lack_of_fit < ALPHA:
            said = f"lack of fit {equal_to('p', self.lack_of_fit)}: rely on neither star nor shade; circles: evaluated"
        return [said, *([f"at {held}"] if held else [])]

    def _draw(self, ax: Axes) -> None:
        for scale, name in zip(self.log, "xy", strict=True):
            if scale:
                getattr(ax, f"set_{name}scale")("log")
        inside = self.may_be_best.astype(float)
        if inside.any():
            ax.contourf(self.x_grid, self.y_grid, inside, levels=[0.5, 1.5], colors=[SHADE], alpha=0.22, zorder=0.5)
        if np.ptp(self.predicted) > 0:
            style: dict[str, Any] = {"levels": N_LINES if self._roomy_ else 4, "colors": [ink(ax)], "zorder": 1}
            lines = ax.contour(self.x_grid, self.y_grid, self.predicted, linewidths=0.8, **style)
            for text in ax.clabel(lines, fontsize=self._points("x-small"), inline=True):
                text.set_in_layout(False)
        style = {"ls": "", "zorder": 2, "mec": ink(ax), "clip_on": False}
        ax.plot(*self.runs.T, marker="o", mfc=paper(ax), ms=5, gid="runs", **style)
        ax.plot(*self.optimum, marker="*", mfc=SHADE, ms=13, gid="optimum", **style)
        x, y = labels([self.x, self.y], LONGEST)
        self._label_axes(ax, [x], [y])
