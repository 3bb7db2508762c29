"""What each parameter of a search does to the score."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import equal_to, percent
from skcompare._core.validation import FloatArray
from skcompare.plotting._display import Display
from skcompare.plotting._search import SearchData
from skcompare.plotting._style import BETTER, NEUTRAL, inches, ink, labels, name_rows, paper, set_below, width_of

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
