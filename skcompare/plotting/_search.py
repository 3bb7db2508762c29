"""The pictures of a search: its ranking, what each parameter does to the score, and two parameters at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from skcompare._core.numbers import agreeing, counted, equal_to, magnitude, number, percent, percent_of
from skcompare._core.validation import BoolArray, FloatArray, Positions
from skcompare.comparison.error_rates import FRAGILE
from skcompare.comparison.means import shown_score
from skcompare.evaluation.labels import without_steps
from skcompare.plotting import _style
from skcompare.plotting._display import SMALL, RowsDisplay, decimals_beside, inches, metric_shown, values_of
from skcompare.plotting._matrix import BLUE, PALE, Cell, CellsDisplay
from skcompare.plotting._style import BETTER, NEUTRAL, Axes, ink, labels

# The ranking: candidates with their distance to the best, and which may be the best.


MAX_ROWS, FEWEST, MAX_PARAMETERS = 30, 3, 6
LONGEST, SHORTEST_VALUE = 56, 8  # characters of a row, and of one value at least
NONE = "–"  # where a candidate lacks a parameter
# Inches: of figures; how high a row is, and in small axes.
WIDTH, ABOVE_AND_BELOW, ROW, SMALL_ROW = 5.4, 2.1, 0.24, 0.19


class CandidatesDisplay(RowsDisplay):
    """Ranking of a search: the mean of each candidate, and which are not significantly different from the best.

    Attributes
    ----------
    names : sequence of str of length n_candidates
        The best first; those that failed come last.
    ranks : ndarray of shape (n_candidates,)
        From 1.
    means : ndarray of shape (n_candidates,)
        In score units, a loss of scikit-learn's without its sign; nan where a candidate failed.
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
    greater_is_better : bool
        Its direction.
    fragile : ndarray of bool of shape (n_candidates,), optional
        Which claims would not stand if the splits were random halves: ``~``.

    Notes
    -----
    The bar of a candidate is the interval of its difference to the best, laid off from the best mean: it leaves out the
    line of the best where the candidate is significantly worse, and nowhere else. A hollow end is an interval that was
    cut off at the line. Of more than 30 candidates the first 30 are drawn; `frame` has all.
    """

    names: Sequence[str]
    ranks: Positions
    means: FloatArray
    low: FloatArray
    high: FloatArray
    pvalues: FloatArray
    significantly_different: BoolArray
    parameters: Sequence[str]
    values: Sequence[Sequence[str]]
    corrected: float
    metric: str
    alpha: float
    same: BoolArray | None = None
    greater_is_better: bool = True
    fragile: BoolArray | None = None

    _frame = ("ranks", "names", "metric", "means", "low", "high", "pvalues", "significantly_different")
    _renamed: ClassVar = {"names": "candidate"}

    @classmethod
    def from_result(cls, result: Any) -> Self:
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
        ranking, metric = result.ranking, result.metric
        known = {"ranks": "rank", "means": "mean", "pvalues": "pvalue", "same": "same_as"}
        own = values_of(ranking, "low", "high", "significantly_different", "fragile", **known)
        low, high = np.sort(shown_score(metric, np.array([own["low"], own["high"]])), axis=0)
        place = {name: i for i, name in enumerate(result.names)}
        settings = result.settings()
        parameters = [effect.parameter for effect in result.effects if effect.parameter in settings][:MAX_PARAMETERS]
        return cls(
            names=[candidate.name for candidate in ranking],
            **own | {"means": shown_score(metric, own["means"]), "low": low, "high": high, "same": own["same"] != ""},
            parameters=parameters,
            values=[[settings[name][place[candidate.name]] or NONE for name in parameters] for candidate in ranking],
            corrected=shown_score(metric, result.selection_bias.corrected),
            **metric_shown(metric),
            alpha=result.alpha,
        )

    def _title(self) -> str:
        n = len(self.names)
        alone = ~self.same if self.same is not None else np.ones(n, dtype=bool)
        tested = np.isfinite(self.pvalues)
        alike = int((~self.significantly_different & tested & alone).sum()) - 1
        n, n_same = int(alone.sum()), int((~alone).sum())
        same = f" ({n_same} more with the same scores)" if n_same else ""
        if n == 1:
            return f"all {n + n_same} candidates have the same scores"
        if alike > 0:
            few = f"{alike} of {n - 1} other candidates" if n > 2 else "the other candidate"
            untested = f"; {self._untested().sum()} not tested" if self._untested().any() else ""
            return f"{few}{same} {agreeing(alike, 'is', 'are')} not significantly different from the best{untested}"
        if not tested[1:].any() and self._untested().any():
            return f"the best of {n} candidates{same}: no test against the others is possible"
        others = f"all others{' tested' if self._untested().any() else '' if tested.all() else ' with scores'}"
        return f"the best of {n} candidates{same}; {others} are significantly worse"

    def _untested(self) -> BoolArray:
        """Which candidates have scores that no test against the best can judge."""
        return np.asarray(np.isfinite(self.means) & ~np.isfinite(self.pvalues))

    def _notes(self) -> Sequence[str]:
        drawn, failed = len(self._shown()), int(np.isnan(self.means).sum())
        notes = [f"the first {drawn} shown"] * (drawn < len(self.names) - failed) + [f"{failed} failed"] * (failed > 0)
        return [", ".join(notes)] if notes else []

    def _size(self) -> tuple[float, float]:
        rows = self._row_names()
        return WIDTH + _style.width_of(rows), ABOVE_AND_BELOW + ROW * max(2, len(rows))

    def _row_names(self) -> Sequence[str]:
        return [*self._head(), *self._labels()]

    def _draw(self, ax: Axes) -> None:
        rows, head, best, untested = self._shown(), "\n".join(self._head()), self.means[0], self._untested()
        ax.axvline(best, color=ink(ax), lw=0.8, zorder=0.5, gid="best")
        if np.isfinite(self.corrected):
            ax.axvline(self.corrected, color=ink(ax), lw=1.2, ls=(0, (1, 2)), zorder=0.5, gid="corrected")
        for y in rows:
            colour, fill = (NEUTRAL, _style.paper(ax)) if self.significantly_different[y] else (BETTER, BETTER)
            if y and np.isfinite(self.low[y]) and np.isfinite(self.high[y]):
                ends = [best + self.low[y], best + self.high[y]]
                ax.plot(ends, [y, y], color=colour, lw=1.4, solid_capstyle="butt", zorder=1, gid=f"interval {y}")
                if self._is_cut(y):
                    _style.draw_open_end(ax, best, y, colour)
            marker, colour = ("x", NEUTRAL) if untested[y] else ("o", colour)
            ax.plot(self.means[y], y, marker=marker, mec=colour, mfc=fill, ms=6, zorder=2, ls="", gid=f"candidate {y}")
        ax.set_ylim(len(rows) - 0.5, -0.5 - len(self._head()))
        self._name_rows(ax, [-0.6, *rows] if head else rows, [head, *self._labels()] if head else self._labels())
        plain = (self.significantly_different | untested)[rows]
        for name, is_plain in zip(ax.get_yticklabels()[-len(rows) :], plain, strict=True):
            name.set_fontweight("normal" if is_plain else "bold")
        if head:
            ax.get_yticklabels()[0].set(va="bottom", style="italic")
        is_low = inches(ax)[1] < SMALL * self._size()[1]
        self._label_axes(ax, self._legend()[: 2 if is_low else None], size="small")

    def _is_cut(self, i: int) -> bool:
        """Whether the interval of a candidate ends at the best mean, which is no part of it."""
        return bool(self.significantly_different[i]) and 0 in (self.low[i], self.high[i])

    def _legend(self) -> list[str]:
        untested = self._untested()[self._shown()]
        lines = [f"mean {_style.direction(self.metric, self.greater_is_better)}"]
        lines += ["cross: no test against the best (line) is possible"] * bool(untested.any())
        if not untested[1:].all() or len(untested) == 1:
            lines += [
                f"filled: not significantly different; hollow: significantly worse, adjusted p < {self.alpha:g}",
                f"bar: {percent_of(1 - self.alpha)} interval of the difference to the best (line), for all together",
            ]
        if any(map(self._is_cut, self._shown())):
            lines.append(_style.OPEN_END)
        if self.fragile is not None and self.fragile[self._shown()].any():
            lines.append(f"~ {FRAGILE[True]}")
        if np.isfinite(self.corrected):
            places = decimals_beside(self.low, self.high)
            lines.append(f"dotted: the best mean less its selection bias, {number(self.corrected, places)}")
        return lines

    def _shown(self) -> list[int]:
        """The rows to draw: the first that have a mean, as many as there is space for."""
        limit = int(max(FEWEST, min(MAX_ROWS, self._height_ / SMALL_ROW - 2 - len(self._head()))))
        return [i for i, mean in enumerate(self.means.tolist()) if mean == mean][:limit]

    def _labels(self) -> list[str]:
        """The ranks of the candidates that are drawn, with their values, or a name where no parameter varies."""
        rows = self._shown()
        texts = labels([self.names[i] for i in rows], LONGEST)
        if self.parameters:
            columns = [labels(column, self._room()) for column in zip(*(self.values[i] for i in rows), strict=True)]
            texts = [" · ".join(values) for values in zip(*columns, strict=True)]
        marks = [""] * len(rows) if self.fragile is None else np.where(self.fragile[rows], "~", "")
        return [f"{self.ranks[i]}: {text}{mark}" for i, text, mark in zip(rows, texts, marks, strict=True)]

    def _head(self) -> list[str]:
        """The parameters whose values the rows show, in lines."""
        if not self.parameters:
            return []
        return _style.wrapped(" · ".join(labels(without_steps(self.parameters), 2 * self._room())), LONGEST)

    def _room(self) -> int:
        """Characters of one value."""
        return max(SHORTEST_VALUE, LONGEST // len(self.parameters) - 3)


# What each parameter does to the score.


MAX_EFFECTS, MAX_VALUES, LONGEST_VALUE = 8, 10, 24
EFFECTS_WIDTH, AROUND_EFFECTS = 5.2, 1.3  # inches


class ParameterEffectsDisplay(RowsDisplay):
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
    n_candidates: Sequence[Positions]
    means: Sequence[FloatArray]
    shares: FloatArray
    pvalues: FloatArray
    overall: float
    metric: str
    greater_is_better: bool = True
    fitted: bool = False
    lacks_fit: bool = False

    @classmethod
    def from_result(cls, result: Any) -> Self:
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
            means=[shown_score(result.metric, np.asarray(effect.means)) for effect in effects],
            **values_of(effects, shares="share", pvalues="pvalue_adjusted"),
            overall=shown_score(result.metric, float(means[np.isfinite(means)].mean())),
            **metric_shown(result.metric, getattr(result, "greater_is_better", True)),
            fitted=getattr(result, "is_fitted", False),
            lacks_fit=getattr(result, "lacks_fit", False),
        )

    def _title(self) -> str:
        n = len(self.parameters)
        some = f"the first {MAX_EFFECTS} of {n} parameters" if n > MAX_EFFECTS else counted(n, "parameter")
        return f"{some}: {self._mean()} score by value{'' if self.lacks_fit else ', over all other settings'}"

    def _notes(self) -> Sequence[str]:
        return ["the fit does not describe the settings: rely on none"] if self.lacks_fit else []

    def _mean(self) -> str:
        return "fitted mean" if self.fitted else "mean"

    def _size(self) -> tuple[float, float]:
        rows, longer = self._row_names(), max(0, max(map(len, self._names())) - LONGEST_VALUE)
        return EFFECTS_WIDTH + 0.08 * longer + _style.width_of(rows), AROUND_EFFECTS + ROW * len(rows)

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
        top, room = 0, self._characters(inches(ax)[0], "small")
        for p, chosen in self._shown():
            rows = np.arange(top + 1, top + 1 + len(chosen))
            means = self.means[p][chosen]
            ax.plot(means, rows, color=NEUTRAL, lw=1.0, zorder=1, gid=f"parameter {p}")
            best = np.nanmax(self.means[p]) if self.greater_is_better else np.nanmin(self.means[p])
            for y, i, mean in zip(rows, chosen, means, strict=True):
                fill = BETTER if mean == best else _style.paper(ax)
                ax.plot(mean, y, marker="o", mec=BETTER, mfc=fill, ms=6, ls="", zorder=2, gid=f"value {p} {i}")
            text = self._head(p, len(chosen)) if self._roomy_ else labels([self._names()[p]], room)[0]
            head = ax.text(0, top, text, transform=ax.get_yaxis_transform(), fontsize=self._points("small"))
            head.set(va="center", in_layout=False, bbox=_style.on_paper(ax))
            top += 1 + len(chosen)
        ax.set_ylim(top - 0.5, -0.6)
        self._name_rows(ax, range(top), self._row_names())
        ax.margins(x=0.08)
        legend = ["filled: the best value; dashed: mean of all"]
        legend += [] if self._is_even() else ["in brackets: how many have the value"]
        self._label_axes(ax, [f"{self._mean()} {_style.direction(self.metric, self.greater_is_better)}", *legend])

    def _head(self, p: int, n_shown: int) -> str:
        """What stands above the values of a parameter."""
        name = self._names()[p]
        n = len(self.values[p])
        some = f", the {n_shown} best of {n} values" if n_shown < n else ""
        share = f"{percent(self.shares[p])} of the variance" if np.isfinite(self.shares[p]) else "variance not known"
        p_text = equal_to("adjusted p", self.pvalues[p]) if np.isfinite(self.pvalues[p]) else "not tested"
        return f"{name}: {share}, {p_text}{some}"

    def _names(self) -> list[str]:
        """The parameters, with more room where they stand with their aliases."""
        names = without_steps(self.parameters)
        return labels(names, (2 if any(" = " in name for name in names) else 1) * LONGEST_VALUE)

    def _shown(self) -> Iterator[tuple[int, Positions]]:
        """Parameters to draw, and which of their values, in order."""
        for p, means in enumerate(self.means[:MAX_EFFECTS]):
            signed = -means if self.greater_is_better else means
            order = np.argsort(np.where(np.isnan(means), np.inf, signed), kind="stable")
            yield p, np.sort(order[:MAX_VALUES])

    def _row_names(self) -> list[str]:
        """The values below a row for their parameter, with how many candidates have them where that differs."""
        found = list[str]()
        for p, chosen in self._shown():
            names = labels(self.values[p], LONGEST_VALUE)
            many = ["" if self._is_even() else f" ({n})" for n in self.n_candidates[p]]
            found += ["", *(names[i] + many[i] for i in chosen)]
        return found

    def _is_even(self) -> bool:
        """Whether the values of every parameter have equally many candidates."""
        return all(bool((sizes == sizes[0]).all()) for sizes in self.n_candidates)


# Two parameters of a search at once: the mean score of every pair of values.


MAX_CELLS = 30


class SearchHeatmapDisplay(CellsDisplay):
    """Heatmap of two parameters of a search: the mean score of the candidates with each pair of values.

    Attributes
    ----------
    x, y : str
        The parameters.
    x_values, y_values : sequence of str
        Their values.
    means : ndarray of shape (n_y_values, n_x_values)
        Mean score of the candidates of a cell, in score units, a loss of scikit-learn's without its sign; nan where it
        has none.
    n_candidates : ndarray of shape (n_y_values, n_x_values)
        Candidates of each cell that have a mean.
    not_different : ndarray of bool of shape (n_y_values, n_x_values)
        Whether a candidate of the cell is not significantly different from the best; marked by a dot.
    best : tuple of int or None
        Row and column of the best candidate, where it has both parameters; marked by a star.
    metric : str
        The one that decides.
    greater_is_better : bool
        Its direction; the better cells are darker.

    Notes
    -----
    Scores are written where both parameters have at most 10 values; more are shown as colours with a colour bar.
    """

    x: str
    y: str
    x_values: Sequence[str]
    y_values: Sequence[str]
    means: FloatArray
    n_candidates: Positions
    not_different: BoolArray
    best: tuple[int, int] | None
    metric: str
    greater_is_better: bool = True

    _most_written, _cell, _text_width = 10, (0.7, 0.45), 4.6

    _frame = ("x", "y", "x_values", "y_values", "metric", "means", "n_candidates", "not_different")

    @classmethod
    def from_result(cls, result: Any, *, x: str | None = None, y: str | None = None) -> Self:
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
        means = np.divide(total, count, out=np.full(count.shape, np.nan), where=count > 0)
        return cls(
            x=x,
            y=y,
            x_values=xs,
            y_values=ys,
            means=shown_score(result.metric, means),
            n_candidates=count,
            not_different=may,
            best=best,
            **metric_shown(result.metric),
        )

    def _title(self) -> str:
        most, metric = int(self.n_candidates.max()), labels([self.metric])[0]
        return f"{metric} of every candidate" if most == 1 else f"mean {metric}, up to {most} candidates in a cell"

    def _notes(self) -> Sequence[str]:
        single = self.n_candidates.max() == 1
        marks = "star: best, dot: not significantly different"
        grey = ["grey: no candidate"] if (self.n_candidates == 0).any() else []
        return [marks if single else "star: the best is here, dot: one not significantly different", *grey]

    def _names(self) -> tuple[Sequence[str], Sequence[str]]:
        return self.x_values, self.y_values

    def _draw(self, ax: Axes) -> None:
        spread = float(np.nanmax(self.means) - np.nanmin(self.means))
        # so many decimals that the scores differ in two digits
        decimals = int(np.clip(1 - magnitude(spread), 0, 6)) if spread > 0 else 3
        written = self._is_written()
        cells = []
        for i, j in np.argwhere(self.n_candidates > 0).tolist():
            text = number(self.means[i, j], decimals) if written else ""
            best = (i, j) == self.best
            mark = "*" if best else "o" if self.not_different[i, j] else ""
            cells.append(Cell(i, j, text, mark, 1.8 if best else 1.0))
        image = self._draw_cells(ax, self.means, [PALE, BLUE] if self.greater_is_better else [BLUE, PALE], cells)
        if not written:
            self._add_bar(ax, image, f"mean {labels([self.metric])[0]}")
        self._label_axes(ax, *([name] for name in labels(without_steps([self.x, self.y]))))


def _values(result: Any, settings: Mapping[str, Sequence[str | None]]) -> dict[str, list[str]]:
    """The values of the parameters that a heatmap can show, numbers by size and others as they first came."""
    found = {}
    for name, column in settings.items():
        there = {label: result.params[i][name] for i, label in enumerate(column) if label is not None}
        if 2 <= len(there) <= MAX_CELLS:
            numbers = all(isinstance(value, (int, float, np.number)) for value in there.values())
            found[name] = sorted(there, key=there.__getitem__) if numbers else list(there)
    return found


def _choose(x: str | None, y: str | None, ranked: Sequence[str], known: Mapping[str, Sequence[str]]) -> tuple[str, str]:
    """The parameters asked for, or those with the largest effects; the one with more values lies along x."""
    named = _style.choose_two(x, y, known, "parameters")
    free = [name for name in ranked if name in known and name not in named]
    if len(free) + len(named) < 2:
        raise ValueError(f"a heatmap needs two parameters with 2 to {MAX_CELLS} values; there are {len(known)}")
    if not named:
        first, second = sorted(free[:2], key=lambda name: -len(known[name]))
        return first, second
    return free[0] if x is None else x, free[0] if y is None else y
