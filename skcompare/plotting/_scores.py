"""Paired score strips: the scores of every model, split by split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from skcompare._core.numbers import agreeing, counted, equal_to, listed, one_of, percent_of, short
from skcompare._core.validation import FloatArray, choose_estimators, choose_metric, choose_pair
from skcompare.comparison.answer import within_reach
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import shown_score
from skcompare.plotting._differences import budget, compared
from skcompare.plotting._display import Display, RowsDisplay, metric_shown
from skcompare.plotting._style import LINES, NEUTRAL, Axes, direction, ink, labels, look, narrow, width_of
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.measures import check_measured, measured
from skcompare.scores.study import StudyScores

# Half the height of a strip, where neighbours are 1 apart.
SPREAD = 0.3
# Costs whose largest is more than this many times the smallest are drawn on a logarithmic axis.
LOGARITHMIC = 100.0
MOST_ITEMS = 2000
# Dropped models that are named.
MAX_DROPPED = 3


class ScoresDisplay(RowsDisplay):
    """Paired score strips: the scores of each model on one metric, the same splits joined by lines.

    Attributes
    ----------
    estimators : sequence of str of length n_estimators
        From top to bottom.
    scores : ndarray of shape (n_estimators, n_splits)
        In the metric's own units, a loss of scikit-learn's without its sign; nan where there is none.
    means : ndarray of shape (n_estimators,)
        Over the splits on which all of them have a score, if there are any; nan where a model has none. In a stopped
        evaluation those of models that left before its end are over their own splits.
    metric : str
        What the scores are of.
    greater_is_better : bool
        Its direction.
    fitted : sequence of int of length n_estimators, or None
        Splits that each was fitted on, the first ones; all by default.
    case : str, default="split"
        What each score is of: a split, a sample, an item or a run; of one test set there is one score per model.
    joined : bool, default=True
        Whether scores of one case are joined by lines; those of independent runs are not.
    design : str
        The test set or the judgments in words, where there is one score per model.
    limits : ndarray of shape (n_estimators, 2), or None
        The interval of each mean, as `EvaluationResult.intervals` has it; nan where there is none.
    confidence_level : float
        Of the intervals.
    baseline : str or None
        The one of the estimators whose mean is drawn as a line through all strips.

    Notes
    -----
    In each strip the splits lie in their order, the first one at the top. The line of a split passes over the models
    that lack its score. Costs that differ by more than a factor of 100 are drawn on a logarithmic axis.
    """

    estimators: Sequence[str]
    scores: FloatArray
    means: FloatArray
    metric: str
    greater_is_better: bool
    fitted: Sequence[int] | None = None
    case: str = "split"
    joined: bool = True
    design: str = ""
    limits: FloatArray | None = None
    confidence_level: float = 0.95
    baseline: str | None = None

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        metric: str | None = None,
        estimators: str | Sequence[str] | None = None,
        confidence_level: float | None = None,
    ) -> Self:
        """The scores of a result.

        Parameters
        ----------
        result : EvaluationScores
            What to show.
        metric : str, optional
            The first by default.
        estimators : str or sequence of str, optional
            Which, and in which order; all by default.
        confidence_level : float, optional
            Of the interval of each mean, in (0, 1); 0.95 by default, of candidates of a search one minus the level of
            its report.

        Returns
        -------
        ScoresDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown, the level is out of range, or none of the estimators has a score of the metric.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import ScoresDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> ScoresDisplay.from_result(from_frame(scores)).plot().ax_.get_xlabel().split("\\n")
        ['score (more is better)', 'bars: means with 95% intervals; lines join the same split']
        """
        metric = choose_metric(metric, result.metrics)
        names = choose_estimators(estimators, result.estimators)
        scores = np.array([result.score(name, metric) for name in names])
        if result.design.kind == "items" and result.design.n_splits > MOST_ITEMS:
            raise ValueError(
                f"result must have at most {MOST_ITEMS:,} items, each a point; got {result.design.n_splits:,}. The "
                "plots 'differences' and 'posterior' show means over any number"
            )
        scores[~np.isfinite(scores)] = np.nan
        if np.isnan(scores).all():
            raise ValueError(f"metric must have a score of an estimator to draw; {metric!r} has none")
        intervals = score_intervals(result, metric, confidence_level)
        own = {row.model: (row.score, row.low, row.high) for row in intervals}
        shown = shown_score(metric, np.array([own[name] for name in names]))
        stopping, n = result.stopping, result.design.n_splits
        runs = dict(zip(result.estimators, result.design.n_runs, strict=False))
        return cls(
            estimators=names,
            scores=shown_score(metric, scores),
            means=shown[:, 0],
            fitted=[runs.get(name, n) if stopping is None else stopping.n_splits_of(name) for name in names],
            **metric_shown(metric, result.greater_is_better[result.metrics.index(metric)]),
            case=one_of(result.design.cases),
            joined=not result.design.apart or result.design.estimated,
            design=result.design.name if result.design.kind == "samples" or result.design.estimated else "",
            limits=np.sort(shown[:, 1:], axis=1),
            confidence_level=intervals.confidence_level,
            baseline=result.baseline if result.baseline in names else None,
        )

    def _title(self) -> str:
        n_models, n_splits = self.scores.shape
        models, splits = counted(n_models, "model"), self.design or counted(n_splits, self.case)
        fitted = [n_splits] * n_models if self.fitted is None else self.fitted
        if not self.joined:
            most, least = max(fitted), min(fitted)
            each = f"{most}" if least == most else f"{least} to {most}"
            return f"{labels([self.metric])[0]} of {models}, {counted(each, 'independent run')} each"
        return f"{labels([self.metric])[0]} of {models} on {splits}"

    def _notes(self) -> Sequence[str]:
        """Which scores are missing, and which models were dropped; independent runs lack nothing."""
        n_models, n_splits = self.scores.shape
        fitted = [n_splits] * n_models if self.fitted is None else self.fitted
        if not self.joined:
            return []
        short = [f"{name} after {n}" for name, n in zip(labels(self.estimators), fitted, strict=True) if n < n_splits]
        gap = np.isnan(self.scores) & (np.arange(n_splits) < np.array(fitted)[:, None])
        missing = int(gap[np.isfinite(self.scores).any(axis=1)].any(axis=0).sum())
        splits = self.design or counted(n_splits, self.case)
        gaps = [f"{missing} of {splits} {agreeing(n_splits, 'is', 'are')} missing"] if missing else []
        return [*gaps, *([f"dropped: {listed(short, MAX_DROPPED)}"] if short else [])]

    def _size(self) -> tuple[float, float]:
        n = len(self.estimators)
        return 5.5 + width_of(self._row_names()), 1.3 + n * max(0.3, min(0.9, 4.5 / n))

    def _columns(self) -> dict[str, Any]:
        limits, names = self._limits(), np.array(self.estimators)[:, None]
        scores = {"estimator": names, self.case: np.arange(self.scores.shape[1]), "score": self.scores}
        means = {"mean": self.means[:, None], "low": limits[:, :1], "high": limits[:, 1:]}
        return {"metric": self.metric, **scores, **means}

    def _row_names(self) -> Sequence[str]:
        return labels(self.estimators)

    def _limits(self) -> FloatArray:
        return np.full((len(self.estimators), 2), np.nan) if self.limits is None else self.limits

    def _draw(self, ax: Axes) -> None:
        n_models, n_splits = self.scores.shape
        offsets = np.linspace(-SPREAD, SPREAD, n_splits) if n_splits > 1 else np.zeros(1)
        heights = np.arange(n_models)[:, None] + offsets
        faint = float(np.clip(6 / n_splits, 0.25, 0.8))
        for i, (scores, height) in enumerate(zip(self.scores.T, heights.T, strict=True)):
            there = np.isfinite(scores) & (self.joined and not self.design)  # of one test set nothing is to be joined
            ax.plot(scores[there], height[there], color=NEUTRAL, lw=0.6, alpha=faint, zorder=1, gid=f"{self.case} {i}")
        size = 7.0 if self.design else float(np.clip(20 / n_splits, 2.2, 4.5))
        limits = self._limits().tolist()
        for i, (scores, height, mean) in enumerate(zip(self.scores, heights, self.means, strict=True)):
            style = look(i)
            ax.plot(scores, height, linestyle="", marker=style["marker"], color=style["color"], ms=size, zorder=2)
            bar = [] if self.design else [i - 1.25 * SPREAD, i + 1.25 * SPREAD]
            ax.plot([mean] * len(bar), bar, color=ink(ax), lw=2, solid_capstyle="butt", zorder=3)
            ax.plot(limits[i], [i, i], color=ink(ax), lw=1.5, solid_capstyle="butt", zorder=1.5, gid=f"interval {i}")
            if np.isnan(scores).all():
                style = {"ha": "center", "va": "center", "fontsize": self._points()}
                ax.text(0.5, i, "no scores", transform=ax.get_yaxis_transform(), **style)
        if self.baseline is not None:
            mean = self.means[list(self.estimators).index(self.baseline)]
            ax.plot([mean] * 2, [-0.5, n_models - 0.5], color=ink(ax), ls=LINES[1], lw=1, zorder=0.9, gid="baseline")
        least, most = np.nanmin(self.scores), np.nanmax(self.scores)
        if not self.greater_is_better and least > 0 and most > LOGARITHMIC * least:
            ax.set_xscale("log")
        ax.set_ylim(n_models - 0.5, -0.5)
        self._name_rows(ax, range(n_models), self._row_names())
        joined = f"; lines join the same {self.case}" if n_models > 1 and self.joined else ""
        below = "" if self.baseline is None else f"; dashed: {labels([self.baseline])[0]}"
        known = np.isfinite(self._limits()).any()
        own = f" with {percent_of(self.confidence_level)} intervals" if known else ""
        told = f"one score per model{own}" if self.design else f"bars: means{own}{joined}"
        self._label_axes(ax, [direction(self.metric, self.greater_is_better), f"{told}{below}"])


# Two models against each other, one point per data set.


NAMED = 5  # data sets that are named, those with the largest differences
SHORT = 18
DECADES = 100.0  # the ratio of the largest to the smallest score from which the axes are logarithmic
MARGIN = 0.08  # of the axes' range
# Inches.
SQUARE, CHARACTER, HEIGHT = 5.0, 0.08, 4.9


class DatasetScatterDisplay(Display):
    """Scores of one model against those of another, one point per data set.

    Attributes
    ----------
    datasets : sequence of str of length n_datasets
        The data sets on which both models have scores.
    a, b : str
        The models.
    a_scores, b_scores : ndarray of shape (n_datasets,)
        Mean scores on each data set, in the metric's own units, a loss of scikit-learn's without its sign.
    metric : str
        Its name.
    greater_is_better : bool
        Its direction: above the diagonal `a` is better where it is true, and `b` where it is false.
    wins, ties, losses : int
        Data sets on which `a` is better, neither is, `b` is.
    pvalue : float
        Adjusted over the family of the metric, in [0, 1].
    better : str or None
        The significantly better model; None where neither is.
    procedure : str
        The test, and over how many comparisons its p-values are adjusted.
    within_reach : bool
        Whether a difference could have been significant, were it as large as can be.

    Notes
    -----
    The five data sets with the largest differences are named. Positive scores that span a ratio of 100 or more have
    logarithmic axes.
    """

    datasets: Sequence[str]
    a: str
    b: str
    a_scores: FloatArray
    b_scores: FloatArray
    metric: str
    greater_is_better: bool
    wins: int
    ties: int
    losses: int
    pvalue: float
    better: str | None
    procedure: str
    within_reach: bool = True

    _edges = ("left", "bottom", "right", "top")

    @classmethod
    def from_result(
        cls,
        result: StudyScores,
        *,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        procedure: str = "signed_rank_test",
    ) -> Self:
        """One pair of a study's models on one metric.

        Parameters
        ----------
        result : StudyScores
            What to show.
        metric : str, optional
            The first by default.
        a, b : str, optional
            The models; the first and the second by default.
        procedure : str, default="signed_rank_test"
            A test of two models, as in `StudyResult.compare`; its p-value is adjusted over the family of the metric.

        Returns
        -------
        DatasetScatterDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown, or no data set has scores of both models.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import DatasetScatterDisplay
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.81], "tree": [0.94, 0.90, 0.85]}
        >>> display = DatasetScatterDisplay.from_result(StudyResult.from_frame(table))
        >>> display.wins, display.losses, display.better
        (2, 1, None)
        """
        metric = measured(result)[0] if metric is None else choose_metric(metric, result.metrics)
        check_measured(result, metric)
        a, b = choose_pair(a, b, result.estimators)
        means = result.means(metric)
        a_scores, b_scores = (means[:, result.estimators.index(name)] for name in (a, b))
        there = np.isfinite(a_scores) & np.isfinite(b_scores)
        if not there.any():
            raise ValueError(f"no data set has {metric} of both {a!r} and {b!r}: choose other models with a= and b=")
        comparison = compared(result, metric, procedure=procedure, models=((metric, a),))
        row = next(row for row in comparison if {row.a, row.b} == {a, b})
        wins, losses = (row.wins, row.losses) if row.a == a else (row.losses, row.wins)
        return cls(
            datasets=[name for name, known in zip(result.datasets, there, strict=True) if known],
            a=a,
            b=b,
            a_scores=shown_score(metric, a_scores[there]),
            b_scores=shown_score(metric, b_scores[there]),
            **metric_shown(metric, result.greater_is_better[result.metrics.index(metric)]),
            wins=wins,
            ties=row.ties,
            losses=losses,
            pvalue=row.pvalue_adjusted,
            better=row.winner,
            procedure=budget(comparison),
            within_reach=within_reach(comparison, metric),
        )

    def _title(self) -> str:
        a, b = labels([self.a, self.b], SHORT)
        said = f"{a} and {b} are not significantly different"
        if not self.within_reach:
            said = f"too little data for a significant difference of {a} and {b}"
        if self.better is not None:
            first, second = (a, b) if self.better == self.a else (b, a)
            said = f"{first} is significantly better than {second}"
        return f"{said} on {counted(len(self.datasets), 'data set')}"

    def _notes(self) -> Sequence[str]:
        return [f"{self.procedure}: {equal_to('p', self.pvalue)}"]

    def _size(self) -> tuple[float, float]:
        heading = len("(positive:  better)") + narrow(labels([self.a, self.b], SHORT)[0])
        return SQUARE + CHARACTER * max([heading, *map(narrow, self._named().values())]), HEIGHT

    def _columns(self) -> dict[str, Any]:
        about = {"dataset": self.datasets, "metric": self.metric, "a": self.a, "b": self.b}
        return {**about, "a_score": self.a_scores, "b_score": self.b_scores, "difference": self._differences()}

    def _draw(self, ax: Axes) -> None:
        low, high, scale = self._limits()
        ax.set(xscale=scale, yscale=scale)
        ax.plot([low, high], [low, high], color=ink(ax), lw=0.8, zorder=0.5, gid="diagonal")
        named = self._named()
        rest = [i for i in range(len(self.datasets)) if i not in named]
        ax.plot(self.b_scores[rest], self.a_scores[rest], "o", color=NEUTRAL, mfc="none", ms=6, gid="points")
        handles = []
        for place, i in enumerate(named):
            style = look(place) | {"linestyle": ""}
            handles += ax.plot(self.b_scores[i], self.a_scores[i], ms=7, zorder=3, gid="named", **style)
        ax.set(xlim=(low, high), ylim=(low, high))
        (a, b), (metric,) = labels([self.a, self.b]), labels([self.metric])
        less = "" if self.greater_is_better else ", less is better"
        first, second = labels([self.a, self.b], SHORT)
        sides = ("above", "below") if self.greater_is_better else ("below", "above")
        above = f"{sides[0]} the line: {first} better on {self.wins}"
        below = f"{sides[1]} the line: {second} better on {self.losses}{f', equal on {self.ties}' if self.ties else ''}"
        self._label_axes(ax, [f"{b} ({metric}{less})", below], [f"{a} ({metric}{less})", above])
        title = f"largest differences\n(positive: {first} better)"
        if named:
            self._add_legend(handles, labels(list(named.values())), title)

    def _differences(self) -> FloatArray:
        """Positive where `a` is better."""
        return (self.a_scores - self.b_scores) * (1 if self.greater_is_better else -1)

    def _named(self) -> dict[int, str]:
        """The data sets with the largest differences, if any, largest first, and their entries in the legend."""
        differences = self._differences()
        order = [i for i in np.argsort(-np.abs(differences), kind="stable")[:NAMED].tolist() if differences[i]]
        names = labels([self.datasets[i] for i in order])
        return {i: f"{name}: {short(differences[i], signed=True)}" for i, name in zip(order, names, strict=True)}

    def _limits(self) -> tuple[float, float, str]:
        """Both axes' common limits, and their scale."""
        both = np.concatenate([self.a_scores, self.b_scores])
        low, high = float(both.min()), float(both.max())
        if low > 0 and high / low >= DECADES:
            room = (high / low) ** MARGIN
            return low / room, high * room, "log"
        room = MARGIN * (high - low) or 0.1 * abs(high) or 1.0
        return low - room, high + room, "linear"
