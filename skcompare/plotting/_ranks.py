"""Ranks of models: each with its interval, or their mean ranks with bars over those not significantly different."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from skcompare._core.metrics import label
from skcompare._core.numbers import counted, of_all, percent_of
from skcompare._core.text import name_of_test, none_named
from skcompare._core.validation import FloatArray, Positions, check_choice, check_number, choose_metric
from skcompare.comparison.cases import has_gaps
from skcompare.comparison.compare import judged_pairs, run_procedure
from skcompare.comparison.means import complete_mean_ranks, rank
from skcompare.comparison.table import Scores
from skcompare.inference import PairwiseResult, critical_difference
from skcompare.inference._procedures import STUDY_PROCEDURES
from skcompare.inference.datasets.pairwise import STUDENTIZED_RANGE
from skcompare.plotting._differences import adjusted
from skcompare.plotting._display import Display, RowsDisplay, inches, text_width
from skcompare.plotting._style import BETTER, COLOURS, Axes, ink, labels, paper, width_of
from skcompare.scores.study import StudyScores

POSTHOCS = tuple(row.name for row in STUDY_PROCEDURES if row.returns == "pairs")
RECORDED_ALPHA = 0.05  # the level of the critical difference of a record

# Heights, in rows of names; the axis is at 0 and y grows downwards.
TICK, TICK_LABEL, AXIS_LABEL = 0.3, 0.45, 1.5
CD_BAR, CD_LABEL, CD_CAP, TOP_WITH_CD, TOP = 3.3, 3.7, 0.25, 4.7, 2.5
FIRST_BAR, BAR_STEP, FIRST_NAME, BOTTOM = 0.6, 0.4, 0.8, 0.7
# Widths, in parts of the rank axis.
SIDE, CLOSE, BETWEEN_BARS, SHORTEST_BAR = 0.02, 0.02, 0.03, 0.03
ROW, CENTRE, NAME_GAP, TITLE = 0.22, 4.4, 0.04, 0.8  # inches
FONT, BAR_WIDTH, LEADER_WIDTH, DOT = 9.0, 3.0, 0.8, 5.0  # points
WIDEST_NAMES = 0.3  # part of the axes that the names on one side may take
MAX_TICKS, LONGEST = 10, 24
MOST_ROWS, FEWEST_ROWS, MOST_GROUPS = 40, 3, 12  # of ranks with intervals
ROWS_WIDTH, ROW_HEIGHT, SMALLEST_ROW = 4.2, 0.24, 0.1  # inches


class RanksDisplay(RowsDisplay):
    """The models in the order of their ranks, each with the interval of its rank.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models, the best first.
    ranks : ndarray of int of shape (n_models,)
        From 1 for the best.
    low, high : ndarray of int of shape (n_models,)
        The interval of each rank, in [1, n_models].
    groups : sequence of str of length n_models
        What each model belongs to, such as its family; "" of one that belongs to none.
    metric : str
        What the models were ranked on.
    level : float
        The confidence level of the intervals, in (0, 1).
    simultaneous : bool
        Whether they hold for all models at once.
    n_untested : int
        Of how many models that may be first no test against the best is possible.

    Notes
    -----
    Filled dots are the models that may be first. Of more than 40 models the first 40 are drawn; `frame` has all.
    """

    names: Sequence[str]
    ranks: Positions
    low: Positions
    high: Positions
    groups: Sequence[str]
    metric: str
    level: float
    simultaneous: bool = True
    n_untested: int = 0

    _frame = ("names", "ranks", "low", "high", "groups")
    _renamed: ClassVar = {"names": "model", "groups": "group"}

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metric: str | None = None,
        simultaneous: bool = True,
        correction: str = "holm",
        alpha: float | None = None,
        groups: Mapping[str, str] | None = None,
    ) -> Self:
        """The ranks of the models of a result or a study.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metric : str, optional
            The one that decides by default.
        simultaneous : bool, default=True
            As in `EvaluationResult.rank`.
        correction : str, default="holm"
            As in `EvaluationResult.rank`.
        alpha : float, optional
            As in `EvaluationResult.rank`.
        groups : mapping of str to str, optional
            What each model belongs to: the colour of its dot. Models that are not named have none.

        Returns
        -------
        RanksDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If an option is unknown, `groups` names no model, or no model has scores.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import RanksDisplay
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.81], "tree": [0.94, 0.90, 0.85]}
        >>> RanksDisplay.from_result(StudyResult.from_frame(table)).high.tolist()
        [2, 2]
        """
        for name in groups or {}:
            check_choice(name, "groups", result.estimators)
        found = rank(result, metric, simultaneous=simultaneous, correction=correction, alpha=alpha)
        order = [*found.best_first]
        names = [found.names[i] for i in order]
        return cls(
            names=names,
            ranks=found.rank[order],
            low=found.low[order],
            high=found.high[order],
            groups=[str((groups or {}).get(name, "")) for name in names],
            metric=label(found.metric),
            level=found.confidence_level,
            simultaneous=found.simultaneous,
            n_untested=len(found.untested),
        )

    def _title(self) -> str:
        n, on = int((self.low == 1).sum()) - self.n_untested, f"on {labels([self.metric])[0]}"
        if not n:
            return f"n{none_named(labels([self.metric])[0])[1:]}"
        if n == 1 and self.n_untested:
            return f"no test of the best against {counted(self.n_untested, 'other')} is possible {on}"
        untested = f"; {self.n_untested} not tested" if self.n_untested else ""
        return f"{of_all(n, len(self.names))} may be first {on}{untested}"

    def _notes(self) -> Sequence[str]:
        held = "for all models at once" if self.simultaneous else "each for one model"
        more = len(self.names) - len(self._row_names())
        rest = [f"{counted(more, 'more model')}, down to rank {self.ranks.max()}, not shown"] if more else []
        filled = "filled: may be first, or not tested" if self.n_untested else "filled: may be first"
        return [f"bar: {percent_of(self.level)} interval of the rank, {held}", filled, *rest]

    def _size(self) -> tuple[float, float]:
        names = self._row_names()
        return ROWS_WIDTH + width_of(names), 1.3 + ROW_HEIGHT * max(2, len(names))

    def _row_names(self) -> Sequence[str]:
        most = int(max(FEWEST_ROWS, min(MOST_ROWS, self._height_ / SMALLEST_ROW - 1)))
        return labels(self.names[:most], LONGEST)

    def _draw(self, ax: Axes) -> None:
        from matplotlib.ticker import MaxNLocator

        names, known = self._row_names(), [name for name in dict.fromkeys(self.groups) if name]
        colours = {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(known)}
        dots: dict[str, Any] = {}
        for y in range(len(names)):
            colour = colours.get(self.groups[y], ink(ax) if known else BETTER)
            ends, fill = [self.low[y], self.high[y]], colour if self.low[y] == 1 else paper(ax)
            ax.plot(ends, [y, y], color=colour, lw=1.6, solid_capstyle="butt", zorder=1, gid=f"interval {y}")
            (dot,) = ax.plot(self.ranks[y], y, "o", mec=colour, mfc=fill, ms=DOT, zorder=2, gid=f"rank {y}")
            dots.setdefault(self.groups[y], dot)
        ax.set_ylim(len(names) - 0.5, -0.5)
        ax.set_xlim(0.5, max(2, int(self.high[: len(names)].max())) + 0.5)
        ax.xaxis.set_major_locator(MaxNLocator(MAX_TICKS, integer=True))
        self._name_rows(ax, range(len(names)), names)
        self._label_axes(ax, ["rank (1 is the best)"], size="small")
        shown = [name for name in known if name in dots]
        if shown and len(shown) <= MOST_GROUPS:
            self._add_legend([dots[name] for name in shown], labels(shown))


class CriticalDifferenceDisplay(Display):
    """Critical-difference diagram: mean ranks, the best on the right; bars join models not significantly different.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models.
    mean_ranks : ndarray of shape (n_models,)
        Mean rank of each over the data sets, in [1, n_models]; 1 is the best.
    groups : sequence of str of length n_models
        Letters of each model, as `Ranking.tier` has them: two models share one exactly when they are not
        significantly different. Every letter of several models is one bar.
    critical_difference : float
        The least significant difference of two mean ranks; nan, and not drawn, where the procedure has no common one.
    alpha : float
        Level of the groups, in (0, 1).
    metric : str
        What the models were ranked on.
    n_datasets : int
        Number of data sets.
    procedure : str
        The test of all pairs, in words.
    highlight : str or None
        A model to stand out.

    Notes
    -----
    A bar is a largest set of models of which no two are significantly different. In tests other than Nemenyi's such
    models need not be neighbours: where a bar would pass over another model, the models have letters in place of bars,
    of which two that are not significantly different share one.

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, Journal of Machine Learning
    Research 7, 1-30, figure 1.
    """

    names: Sequence[str]
    mean_ranks: FloatArray
    groups: Sequence[str]
    critical_difference: float
    alpha: float
    metric: str
    n_datasets: int
    procedure: str
    highlight: str | None = None

    _edges, _smallest = (), 0.35

    @classmethod
    def from_result(
        cls,
        result: StudyScores,
        *,
        metric: str | None = None,
        posthoc: str | None = None,
        correction: str | None = None,
        alpha: float = 0.05,
        highlight: str | None = None,
    ) -> Self:
        """The ranking of a study's models, with a test of all pairs.

        Parameters
        ----------
        result : StudyScores
            What to show.
        metric : str, optional
            The first by default.
        posthoc : str, optional
            A test of all pairs, such as ``"nemenyi_test"`` or ``"conover_test"``: one with an error rate of its own,
            for the pairs on this metric. By default the groups are those of ``rank`` of the study, by the p-values of
            ``compare``: adjusted over the family of the metric.
        correction : str, optional
            Of its p-values; the test's own default.
        alpha : float, default=0.05
            Level at which models are significantly different, in (0, 1).
        highlight : str, optional
            A model to stand out.

        Returns
        -------
        CriticalDifferenceDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name or option is unknown, `alpha` is out of range, fewer than two data sets have the scores that the
            test needs, or the test has no p-values because there are too few data sets.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import CriticalDifferenceDisplay
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.81], "tree": [0.94, 0.90, 0.85]}
        >>> display = CriticalDifferenceDisplay.from_result(StudyResult.from_frame(table), posthoc="nemenyi_test")
        >>> display.mean_ranks.round(2).tolist(), round(display.critical_difference, 2)
        ([1.33, 1.67], 1.13)
        """
        if posthoc is not None:
            posthoc = f"{posthoc}_test" if f"{posthoc}_test" in POSTHOCS else posthoc
            check_choice(posthoc, "posthoc", POSTHOCS)
        if highlight is not None:
            check_choice(highlight, "highlight", result.estimators)
        alpha = check_number(alpha, "alpha", low=0, high=1, closed="neither")
        metric = choose_metric(metric, result.metrics)
        options: dict[str, Any] = {} if correction is None else {"correction": correction}
        pairs = run_procedure(result, posthoc, metric=metric, **options) if posthoc else None
        ranks = rank(result, metric, **({} if posthoc else options), alpha=alpha)
        alone = "t tests of adjusted means" if has_gaps(result, metric) else "signed-rank tests"
        shown, test = pairs or ranks.omnibus, name_of_test(posthoc or alone)
        if shown is None or shown.n < 2:
            raise ValueError(
                f"result must have at least 2 data sets on which all models have a score of {metric!r}; "
                f"got {getattr(shown, 'n', 0)}"
            )
        if pairs is not None and np.isnan(pairs.pvalues).any():
            raise ValueError(
                f"posthoc must be a test that has p-values on {counted(pairs.n, 'data set')}; {posthoc!r} has none: "
                f"{' '.join(pairs.warnings)}"
            )
        if pairs is not None:
            how, over = pairs.correction, "these pairs" if len(pairs.names) > 2 else ""
        else:
            families = (one.family for one in judged_pairs(result, **options))
            n = next(family.n for family in families if metric in family.metrics)
            how, over = correction or "holm", f"{n:,} comparisons" if n > 1 else ""
        return cls(
            names=ranks.names if pairs is None else pairs.names,
            mean_ranks=ranks.mean_ranks if pairs is None else complete_mean_ranks(result, metric),
            groups=ranks.tier if pairs is None else pairs.rank(alpha).tier,
            critical_difference=float("nan") if pairs is None else _critical_difference(pairs, str(posthoc), alpha),
            alpha=alpha,
            metric=label(metric),
            n_datasets=shown.n,
            procedure=adjusted(test, how, over),
            highlight=highlight,
        )

    def bars(self) -> dict[str, list[int]]:
        """The models of each bar, best first, by the bar's letter."""
        found: dict[str, list[int]] = {}
        for i in self._order():
            for letter in re.findall(r"[a-z]\d*", self.groups[i]):
                found.setdefault(letter, []).append(i)
        return {letter: members for letter, members in found.items() if len(members) > 1}

    def _order(self) -> list[int]:
        """The models, best first."""
        return np.argsort(self.mean_ranks, kind="stable").tolist()  # type: ignore[no-any-return]

    def _axis(self) -> tuple[float, float]:
        """Whole ranks around all mean ranks."""
        low, high = float(np.floor(self.mean_ranks.min())), float(np.ceil(self.mean_ranks.max()))
        return (low, high) if low < high else (1.0, float(len(self.groups)))

    def _needs_letters(self) -> bool:
        """Whether some bar passes over a model that is not its own, or ends so near one that it seems to."""
        near = CLOSE * (self._axis()[1] - self._axis()[0])
        bars = [(self.mean_ranks[own], np.delete(self.mean_ranks, own)) for own in self.bars().values()]
        return any(((rest > own.min() - near) & (rest < own.max() + near)).any() for own, rest in bars)

    def _ends(self, members: Sequence[int]) -> tuple[float, float]:
        """Where a bar without letters begins and ends: never so short that it cannot be seen."""
        low, high = self._axis()
        first, last = self.mean_ranks[members[0]], self.mean_ranks[members[-1]]
        longer = max(0.0, SHORTEST_BAR * (high - low) - (last - first)) / 2
        return float(first - longer), float(last + longer)

    def _levels(self) -> list[int]:
        """How far below the axis each bar is: bars that do not meet share a level; none where letters replace them."""
        if self._needs_letters():
            return []
        low, high = self._axis()
        last: list[float] = []
        levels = []
        for members in self.bars().values():
            start, end = self._ends(members)
            free = [level for level, rank in enumerate(last) if rank + BETWEEN_BARS * (high - low) < start]
            level = free[0] if free else len(last)
            last[level : level + 1] = [end]
            levels.append(level)
        return levels

    def _title(self) -> str:
        return f"{labels([self.metric])[0]} on {self.n_datasets} data sets"

    def _notes(self) -> Sequence[str]:
        level = "" if self.alpha == RECORDED_ALPHA else f" at {percent_of(self.alpha)}"
        sign = "same letter" if self._needs_letters() else "bar"
        said = f"{sign}: not significantly different" if self.bars() else "all significantly different"
        return [f"{said}{level} ({self.procedure})"]

    def _size(self) -> tuple[float, float]:
        names = text_width(self._texts(), FONT)
        return CENTRE + 2 * (2 * NAME_GAP + names), TITLE + ROW * (self._bottom() + self._top())

    def _columns(self) -> dict[str, Any]:
        order = self._order()
        names, groups = ([values[i] for i in order] for values in (self.names, self.groups))
        return {"model": names, "mean_rank": self.mean_ranks[order], "group": groups}

    def _draw(self, ax: Axes) -> None:
        low, high = self._axis()
        right = low if np.isnan(self.critical_difference) else min(low, high - self.critical_difference)
        side = SIDE * (high - right)
        texts, (width, height) = self._texts(LONGEST if self._roomy_ else 14), inches(ax)
        by_height = 72 * height / (self._top() + self._bottom()) / 1.35
        font = max(3.0, min(FONT, by_height, FONT * WIDEST_NAMES * width / text_width(texts, FONT)))
        column = min(WIDEST_NAMES, (text_width(texts, font) + 2 * NAME_GAP) / width)  # of names, a part of the axes
        margin = column * (high - right + 2 * side) / (1 - 2 * column)
        ax.set(xlim=(high + side + margin, right - side - margin), ylim=(self._bottom(), -self._top()))
        ax.set(xticks=[], yticks=[])
        self._label_axes(ax, [], size="small")
        self._draw_axis(ax, low, high, font)
        if not np.isnan(self.critical_difference):
            self._draw_critical_difference(ax, high, font)
        for (letter, members), level in zip(self.bars().items(), self._levels(), strict=False):
            style: dict[str, Any] = {"color": ink(ax), "solid_capstyle": "round", "gid": f"bar {letter}"}
            ax.plot(self._ends(members), [FIRST_BAR + BAR_STEP * level] * 2, lw=font / FONT * BAR_WIDTH, **style)
        self._draw_names(ax, texts, (right - side, high + side), font)

    def _draw_axis(self, ax: Axes, low: float, high: float, font: float) -> None:
        from matplotlib.ticker import MaxNLocator

        ax.plot([low, high], [0, 0], color=ink(ax), lw=1)
        ticks = np.asarray(MaxNLocator(MAX_TICKS, integer=True).tick_values(low, high))
        for tick in ticks[(ticks >= low) & (ticks <= high)].tolist():
            ax.plot([tick, tick], [-TICK, 0], color=ink(ax), lw=1)
            ax.text(tick, -TICK_LABEL, f"{tick:g}", ha="center", va="bottom", fontsize=font)
        label = "worse ←   mean rank   → better"
        ax.text((low + high) / 2, -AXIS_LABEL, label, ha="center", va="bottom", fontsize=font)

    def _draw_critical_difference(self, ax: Axes, high: float, font: float) -> None:
        ends = [high, high - self.critical_difference]
        ax.plot(ends, [-CD_BAR, -CD_BAR], color=ink(ax), lw=1.5)
        for end in ends:
            ax.plot([end, end], [-CD_BAR - CD_CAP, -CD_BAR + CD_CAP], color=ink(ax), lw=1.5)
        text = f"critical difference {self.critical_difference:.3g}"
        ax.text(high, -CD_LABEL, text, ha="left", va="bottom", fontsize=font)

    def _draw_names(self, ax: Axes, texts: Sequence[str], edges: tuple[float, float], font: float) -> None:
        right, left = edges
        order = self._order()
        n_right = (len(order) + 1) // 2
        y = self._first_name()
        beside: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": font}
        for place, i in enumerate(order):
            better = place < n_right
            row, edge = (y + place, right) if better else (y + len(order) - 1 - place, left)
            rank = self.mean_ranks[i]
            marked = self.names[i] == self.highlight
            style: dict[str, Any] = {"color": BETTER, "lw": 3 * LEADER_WIDTH} if marked else {"lw": LEADER_WIDTH}
            ax.plot([rank, rank, edge], [0, row, row], gid="leader", **{"color": ink(ax), **style})
            gap, align = (NAME_GAP, "left") if better else (-NAME_GAP, "right")
            look: dict[str, Any] = {"color": BETTER, "weight": "bold"} if marked else {}
            ax.annotate(texts[i], (edge, row), (gap * 72, 0), ha=align, **beside, **look)

    def _texts(self, longest: int = LONGEST) -> list[str]:
        """What stands beside each leader line."""
        lettered, better = self._needs_letters(), {*self._order()[: (len(self.names) + 1) // 2]}
        texts = []
        for i, name in enumerate(labels(self.names, longest)):
            rank = f"{self.mean_ranks[i]:.2f}" + (f" ({self.groups[i]})" if lettered else "")
            texts.append(f"{rank}  {name}" if i in better else f"{name}  {rank}")
        return texts

    def _top(self) -> float:
        return TOP if np.isnan(self.critical_difference) else TOP_WITH_CD

    def _first_name(self) -> float:
        return FIRST_BAR + BAR_STEP * (max(self._levels(), default=-1) + 1) + FIRST_NAME

    def _bottom(self) -> float:
        return self._first_name() + (len(self.names) + 1) // 2 - 1 + BOTTOM


def _critical_difference(pairs: PairwiseResult, posthoc: str, alpha: float) -> float:
    """Of mean ranks at level `alpha`, nan where the procedure has none."""
    if pairs.estimate_of != "mean rank":
        return float("nan")
    if posthoc == "nemenyi_test" and pairs.correction == STUDENTIZED_RANGE:
        return critical_difference(len(pairs.names), pairs.n, alpha)
    return pairs.critical_difference if alpha == RECORDED_ALPHA else float("nan")
