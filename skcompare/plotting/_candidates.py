"""The ranking of a search: candidates with their distance to the best, and which may be the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent_of
from skcompare._core.validation import FloatArray
from skcompare.inference.fold_scores.best_set import SelectionBiasResult
from skcompare.plotting._display import Display
from skcompare.plotting._style import (
    BETTER,
    CHARACTER,
    NEUTRAL,
    inches,
    ink,
    labels,
    lines_of,
    name_rows,
    paper,
    set_below,
    width_of,
    wrapped,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# What the pictures of a search read of it.


class RankedCandidate(Protocol):
    """One candidate, in the ranking by the deciding metric; numbers are nan where it failed."""

    @property
    def rank(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def mean(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def significantly_different(self) -> bool: ...
    @property
    def same_as(self) -> str: ...


class Effect(Protocol):
    """What one parameter does to the deciding metric, by its values."""

    @property
    def parameter(self) -> str: ...
    @property
    def values(self) -> Sequence[str]: ...
    @property
    def n_candidates(self) -> Sequence[int]: ...
    @property
    def means(self) -> FloatArray: ...
    @property
    def share(self) -> float: ...
    @property
    def pvalue_adjusted(self) -> float: ...


class SearchData(Protocol):
    """A search: its candidates, the best first, and its parameters, the largest effect first."""

    @property
    def ranking(self) -> Sequence[RankedCandidate]: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def params(self) -> Sequence[Mapping[str, Any]]: ...
    @property
    def effects(self) -> Sequence[Effect]: ...
    @property
    def selection_bias(self) -> SelectionBiasResult: ...
    @property
    def metric(self) -> str: ...
    @property
    def alpha(self) -> float: ...

    def settings(self) -> Mapping[str, Sequence[str | None]]:
        """The candidates' values of every parameter that varies, in the order of `names`."""


MAX_ROWS = 30
MAX_PARAMETERS = 6
# Characters of a row, and of one value at least.
LONGEST, SHORTEST_VALUE, SHORTEST_ROW = 56, 8, 16
NONE = "–"  # where a candidate lacks a parameter
# Inches.
WIDTH, ROW, LINE, ABOVE_AND_BELOW = 5.4, 0.24, 0.17, 2.1
FEWEST, SMALL_ROW = 3, 0.19  # rows in small axes, and how high each is
NAMES_PART = 0.55  # of the width of small axes for the names of rows


@dataclass(kw_only=True, eq=False, repr=False)
class CandidatesDisplay(Display):
    """Ranking of a search: the mean of each candidate, and which are not significantly different from the best.

    Attributes
    ----------
    names : sequence of str of length n_candidates
        The best first; those that failed come last.
    ranks : ndarray of shape (n_candidates,)
        From 1.
    means : ndarray of shape (n_candidates,)
        In score units, greater is better; nan where a candidate failed.
    low, high : ndarray of shape (n_candidates,)
        Interval of the difference to the best at ``1 - alpha``, in score units, for all candidates together; nan
        where there is none.
    pvalues : ndarray of shape (n_candidates,)
        Of the hypothesis that a candidate is as good as the best, adjusted for all comparisons, in [0, 1].
    significantly_different : ndarray of bool of shape (n_candidates,)
        Whether a candidate is worse than the best at `alpha`.
    parameters : sequence of str
        Those that vary, the largest effects first, at most 6: what the rows say.
    values : sequence of sequence of str
        Their values of each candidate.
    corrected : float
        What the best mean is worth without the reward for looking, in score units; nan, and not drawn, where it is not
        known.
    metric : str
        The one that decides.
    alpha : float
        Level of `significantly_different`, in (0, 1).
    same : ndarray of bool of shape (n_candidates,) or None
        Whether an earlier candidate has the same scores on all splits, with which it counts as one; None where none
        has.

    Notes
    -----
    The bar of a candidate is the interval of its difference to the best, laid off from the best mean: where it passes
    the line of the best, that candidate alone is not shown to be worse. Filled or hollow goes by the adjusted p-values
    of all candidates, so a bar can end before the line and the candidate still be filled. Of more than 30 candidates
    the first 30 are drawn; `frame` has all.
    """

    names: Sequence[str]
    ranks: NDArray[np.intp]
    means: FloatArray
    low: FloatArray
    high: FloatArray
    pvalues: FloatArray
    significantly_different: NDArray[np.bool_]
    parameters: Sequence[str]
    values: Sequence[Sequence[str]]
    corrected: float
    metric: str
    alpha: float
    same: NDArray[np.bool_] | None = None

    @classmethod
    def from_result(cls, result: SearchData) -> Self:
        """The ranking of a search.

        Parameters
        ----------
        result : SearchReport
            What to show.

        Returns
        -------
        CandidatesDisplay
            Not drawn yet.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import GridSearchCV
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import SearchReport
        >>> from skcompare.plotting import CandidatesDisplay
        >>> tree = DecisionTreeClassifier(random_state=0)
        >>> search = GridSearchCV(tree, {"max_depth": [1, 2, 3]}, cv=10).fit(*load_iris(return_X_y=True))
        >>> display = CandidatesDisplay.from_result(SearchReport.from_search(search)).plot()
        >>> display.significantly_different.tolist()
        [False, False, True]
        """
        ranking = result.ranking
        place = {name: i for i, name in enumerate(result.names)}
        settings = result.settings()
        parameters = [effect.parameter for effect in result.effects if effect.parameter in settings][:MAX_PARAMETERS]
        return cls(
            names=[candidate.name for candidate in ranking],
            ranks=np.array([candidate.rank for candidate in ranking]),
            means=np.array([candidate.mean for candidate in ranking]),
            low=np.array([candidate.low for candidate in ranking]),
            high=np.array([candidate.high for candidate in ranking]),
            pvalues=np.array([candidate.pvalue for candidate in ranking]),
            significantly_different=np.array([candidate.significantly_different for candidate in ranking]),
            parameters=parameters,
            values=[[settings[name][place[candidate.name]] or NONE for name in parameters] for candidate in ranking],
            corrected=result.selection_bias.corrected,
            metric=result.metric,
            alpha=result.alpha,
            same=np.array([bool(candidate.same_as) for candidate in ranking]),
        )

    def _title(self, limit: int = MAX_ROWS) -> str:
        n, drawn, failed = len(self.names), len(self._shown(limit)), int(np.isnan(self.means).sum())
        alone = ~self.same if self.same is not None else np.ones(n, dtype=bool)
        alike = int((~self.significantly_different & np.isfinite(self.means) & alone).sum()) - 1
        n, n_same = int(alone.sum()), int((~alone).sum())
        same = f" ({n_same} more with the same scores)" if n_same else ""
        said = f"the best of {n} candidates{same}; all others are significantly worse"
        if n == 1:
            said = f"all {n + n_same} candidates have the same scores"
        elif alike > 0:
            are = "is" if alike == 1 else "are"
            said = f"{alike} of {n - 1} other candidates{same} {are} not significantly different from the best"
        notes = [f"the first {drawn} shown"] * (drawn < len(self.names) - failed) + [f"{failed} failed"] * (failed > 0)
        return f"{said} ({', '.join(notes)})" if notes else said

    def _size(self) -> tuple[float, float]:
        height = ROW * max(2, len(self._shown())) + LINE * self._head().count("\n")
        return WIDTH + width_of([*self._labels(), *self._head().split("\n")]), ABOVE_AND_BELOW + height

    def _columns(self) -> dict[str, Any]:
        return {
            "rank": self.ranks,
            "candidate": self.names,
            "metric": self.metric,
            "mean": self.means,
            "low": self.low,
            "high": self.high,
            "pvalue": self.pvalues,
            "significantly_different": self.significantly_different,
        }

    def _draw(self, ax: Axes) -> None:
        height = inches(ax)[1]
        roomy = self._is_roomy()
        longest = LONGEST if roomy else max(SHORTEST_ROW, min(LONGEST, int(NAMES_PART * inches(ax)[0] / CHARACTER)))
        head = self._head(longest)
        above = head.count("\n")
        limit = MAX_ROWS if roomy else max(FEWEST, min(MAX_ROWS, int(height / SMALL_ROW) - 2 - above))
        rows = self._shown(limit)
        best = self.means[0]
        ax.axvline(best, color=ink(ax), lw=0.8, zorder=0.5, gid="best")
        if np.isfinite(self.corrected):
            ax.axvline(self.corrected, color=ink(ax), lw=1.2, ls=(0, (1, 2)), zorder=0.5, gid="corrected")
        for y in rows:
            colour, fill = (NEUTRAL, paper(ax)) if self.significantly_different[y] else (BETTER, BETTER)
            if y and np.isfinite(self.low[y]) and np.isfinite(self.high[y]):
                ends = [best + self.low[y], best + self.high[y]]
                ax.plot(ends, [y, y], color=colour, lw=1.4, solid_capstyle="butt", zorder=1, gid=f"interval {y}")
            ax.plot(self.means[y], y, marker="o", mec=colour, mfc=fill, ms=6, zorder=2, ls="", gid=f"candidate {y}")
        names = self._labels(limit, longest)
        ax.set_ylim(len(rows) - 0.5, -1 - (above * LINE / ROW if roomy else 1.5 * above) if head else -0.5)
        places, names = ([-0.6, *rows], [head, *names]) if head else (rows, names)
        name_rows(ax, places, names, self._title(limit))
        for label, differs in zip(ax.get_yticklabels()[-len(rows) :], self.significantly_different, strict=False):
            label.set_fontweight("normal" if differs else "bold")
        if head:
            ax.get_yticklabels()[0].set(va="bottom", style="italic")
        set_below(ax, self._legend()[: None if roomy else 2], beside=width_of(lines_of(names)))

    def _legend(self) -> list[str]:
        lines = [
            f"mean {labels([self.metric])[0]} (more is better)",
            f"filled: not significantly different; hollow: significantly worse, adjusted p < {self.alpha:g}",
            f"bar: {percent_of(1 - self.alpha)} interval of the difference to the best (line), for all together",
        ]
        if np.isfinite(self.corrected):
            lines.append(f"dotted: the best mean less its selection bias, {self.corrected:.4g}")
        return lines

    def _shown(self, limit: int = MAX_ROWS) -> list[int]:
        """The rows to draw: the first that have a mean."""
        return [i for i, mean in enumerate(self.means.tolist()) if mean == mean][:limit]

    def _labels(self, limit: int = MAX_ROWS, longest: int = LONGEST) -> list[str]:
        """The ranks of the candidates that are drawn, with their values, or a name where no parameter varies."""
        rows = self._shown(limit)
        texts = labels([self.names[i] for i in rows], longest)
        if self.parameters:
            columns = [
                labels(column, self._room(longest)) for column in zip(*(self.values[i] for i in rows), strict=True)
            ]
            texts = [" · ".join(values) for values in zip(*columns, strict=True)]
        return [f"{self.ranks[i]}: {text}" for i, text in zip(rows, texts, strict=True)]

    def _head(self, longest: int = LONGEST) -> str:
        """The parameters whose values the rows show."""
        if not self.parameters:
            return ""
        return wrapped(" · ".join(labels(self.parameters, 2 * self._room(longest))), longest)

    def _room(self, longest: int) -> int:
        """Characters of one value."""
        return max(SHORTEST_VALUE, longest // len(self.parameters) - 3)
