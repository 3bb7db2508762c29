"""How the effect of one factor of an experiment depends on another one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.numbers import equal_to
from skcompare._core.validation import FloatArray, check_choice
from skcompare.plotting._display import Display
from skcompare.plotting._experiment import FactorMeans
from skcompare.plotting._style import inches, labels, legend_in, look, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 24
SIZE = (6.4, 4.2)
MAX_LINES = 9
CHARACTERS_PER_INCH = 11


@dataclass(kw_only=True, eq=False, repr=False)
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

    @classmethod
    def from_result(cls, result: FactorMeans, *, x: str | None = None, y: str | None = None) -> Self:
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
        for name, what in ((x, "x"), (y, "y")):
            if name is not None:
                check_choice(name, what, tuple(names))
        if x is not None and x == y:
            raise ValueError(f"x and y must be two factors; got {x!r} twice")
        pairs = [pair for pair in combinations(names, 2) if {x, y} - {None} <= set(pair)]
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
            means=means,
            pvalue=result.interaction_pvalue(first, second),
            metric=result.metric,
            inseparable=result.inseparable(first, second),
            fitted=result.fitted(first, second),
            lacks_fit=result.lacks_fit,
        )

    def _title(self) -> str:
        x, y = labels([self.x, self.y], LONGEST)
        said = [f"not separable from {', '.join(labels(self.inseparable, LONGEST))}"] if self.inseparable else []
        if np.isfinite(self.pvalue):
            said.append(equal_to("adjusted p", self.pvalue))
        read = "parallel lines: no"
        if self.lacks_fit:
            rely = "rely on neither means nor p" if self.fitted else "do not rely on p"
            read = f"the fit does not describe the settings: {rely}"
        return f"Does the effect of {x} depend on {y}? Interaction {', '.join(said) or 'not tested'}; {read}"

    def _size(self) -> tuple[float, float]:
        return SIZE

    def _columns(self) -> dict[str, Any]:
        rows, columns = self.means.shape
        return {
            "x": self.x,
            "y": self.y,
            "x_value": np.tile(np.array(self.x_values, dtype=object), rows),
            "y_value": np.repeat(np.array(self.y_values, dtype=object), columns),
            "metric": self.metric,
            "mean": self.means.ravel(),
        }

    def _draw(self, ax: Axes) -> None:
        n = len(self.y_values)
        chosen = np.unique(np.linspace(0, n - 1, min(n, MAX_LINES)).round().astype(int)).tolist()
        places = np.arange(len(self.x_values))
        lines = [
            ax.plot(places, self.means[i], lw=1.4, ms=5, gid=f"line {i}", **look(at))[0] for at, i in enumerate(chosen)
        ]
        room = max(4, int(CHARACTERS_PER_INCH * inches(ax)[0] / max(1, len(places))))
        names = labels(self.x_values, min(LONGEST, room))
        upright = max(map(len, names)) * len(names) > CHARACTERS_PER_INCH * inches(ax)[0]
        ax.set_xticks(places, names, rotation=90 if upright else 0, fontsize="small")
        x_name, y_name = labels([self.x, self.y], LONGEST)
        ax.set(xlabel=x_name, ylabel=f"{'fitted ' if self.fitted else ''}mean {labels([self.metric])[0]}")
        ax.margins(x=0.08, y=0.12)
        legend_in(ax, lines, labels([self.y_values[i] for i in chosen], LONGEST), roomy=self._is_roomy(), title=y_name)
        set_title(ax, self._title(), beside=0.4)
        ax.spines[["top", "right"]].set_visible(False)
