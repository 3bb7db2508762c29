"""Two models against each other, one point per data set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.names import choose_metric, choose_pair
from skcompare._core.numbers import equal_to
from skcompare._core.validation import FloatArray
from skcompare._core.words import counted
from skcompare.comparison.measured import check_measured, measured
from skcompare.plotting._display import Display
from skcompare.plotting._family import family
from skcompare.plotting._statements import in_words
from skcompare.plotting._style import NEUTRAL, inches, ink, labels, legend_in, look, narrow, set_title, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.study import StudyScores

NAMED = 5  # data sets that are named, those with the largest differences
SHORT = 18
DECADES = 100.0  # the ratio of the largest to the smallest score from which the axes are logarithmic
MARGIN = 0.08  # of the axes' range
# Inches.
SQUARE, CHARACTER, HEIGHT = 5.0, 0.08, 4.9


@dataclass(kw_only=True, eq=False, repr=False)
class DatasetScatterDisplay(Display):
    """Scores of one model against those of another, one point per data set.

    Attributes
    ----------
    datasets : sequence of str of length n_datasets
        The data sets on which both models have scores.
    a, b : str
        The models.
    a_scores, b_scores : ndarray of shape (n_datasets,)
        Mean scores on each data set, in the metric's own units.
    metric : str
        Its name.
    greater_is_better : bool
        Its direction: above the diagonal `a` is better where it is true, and `b` where it is false.
    wins, ties, losses : int
        Data sets on which `a` is better, neither is, `b` is.
    pvalue : float
        Adjusted over all pairs and metrics, in [0, 1].
    better : str or None
        The significantly better model; None where neither is.
    procedure : str
        The test, in words.

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
            A test of two models, as in `StudyResult.compare`; its p-value is adjusted over all pairs and metrics.

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
            raise ValueError(
                f"no data set has scores of {metric} of {a!r} and {b!r}: choose other models with a= and b="
            )
        comparison, rows = family(result, metric, procedure=procedure)
        row = next(row for row in rows if {row.a, row.b} == {a, b})
        wins, losses = (row.wins, row.losses) if row.a == a else (row.losses, row.wins)
        return cls(
            datasets=[name for name, known in zip(result.datasets, there, strict=True) if known],
            a=a,
            b=b,
            a_scores=a_scores[there],
            b_scores=b_scores[there],
            metric=metric,
            greater_is_better=result.greater_is_better[result.metrics.index(metric)],
            wins=wins,
            ties=row.ties,
            losses=losses,
            pvalue=row.pvalue_adjusted,
            better=row.winner,
            procedure=in_words(comparison.procedure),
        )

    def _title(self) -> str:
        a, b = labels([self.a, self.b], SHORT)
        found = f"{self.procedure}, adjusted {equal_to('p', self.pvalue)}"
        if self.better is None:
            said = f"{a} and {b} are not significantly different"
        else:
            said = (
                f"{a} is significantly better than {b}"
                if self.better == self.a
                else f"{b} is significantly better than {a}"
            )
        return f"{said} on {counted(len(self.datasets), 'data set')} ({found})"

    def _size(self) -> tuple[float, float]:
        heading = len("(positive:  better)") + narrow(labels([self.a, self.b], SHORT)[0])
        return SQUARE + CHARACTER * max(heading, *map(narrow, self._named().values())), HEIGHT

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
        a, b = labels([self.a, self.b])
        (metric,) = labels([self.metric])
        less = "" if self.greater_is_better else ", less is better"
        above, below = self._said()
        roomy = self._is_roomy()
        font, character = ("medium", CHARACTER) if roomy else ("x-small", 0.7 * CHARACTER)
        width, height = (int(side / character) for side in inches(ax))
        ax.set_xlabel(f"{wrapped(f'{b} ({metric}{less})', width)}\n{wrapped(below, width)}", fontsize=font)
        ax.set_ylabel(f"{wrapped(f'{a} ({metric}{less})', height)}\n{wrapped(above, height)}", fontsize=font)
        title = f"largest differences\n(positive: {labels([self.a, self.b], SHORT)[0]} better)"
        legend_in(ax, handles, labels(list(named.values())), title=title, roomy=roomy)
        set_title(ax, self._title())

    def _said(self) -> tuple[str, str]:
        """Which side of the diagonal favours each model, and how often."""
        a, b = labels([self.a, self.b], SHORT)
        sides = ("above", "below") if self.greater_is_better else ("below", "above")
        equal = f", equal on {self.ties}" if self.ties else ""
        return (
            f"{sides[0]} the line {a} is better: on {self.wins}",
            f"{sides[1]} the line {b} is better: on {self.losses}{equal}",
        )

    def _differences(self) -> FloatArray:
        """Positive where `a` is better."""
        return (self.a_scores - self.b_scores) * (1 if self.greater_is_better else -1)

    def _named(self) -> dict[int, str]:
        """The data sets with the largest differences, largest first, and their entries in the legend."""
        differences = self._differences()
        order = np.argsort(-np.abs(differences), kind="stable")[:NAMED].tolist()
        names = labels([self.datasets[i] for i in order])
        return {i: f"{name}: {differences[i]:+.3g}" for i, name in zip(order, names, strict=True)}

    def _limits(self) -> tuple[float, float, str]:
        """Both axes' common limits, and their scale."""
        both = np.concatenate([self.a_scores, self.b_scores])
        low, high = float(both.min()), float(both.max())
        if low > 0 and high / low >= DECADES:
            room = (high / low) ** MARGIN
            return low / room, high * room, "log"
        room = MARGIN * (high - low) or 0.1 * abs(high) or 1.0
        return low - room, high + room, "linear"
