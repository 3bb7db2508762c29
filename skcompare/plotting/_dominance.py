"""Dominance: who is better on what, and how sure each joint statement is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_pair
from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.comparison.cases import case_names, choose_case_metrics
from skcompare.comparison.dominance import among_pairs, dominance, joint_cases
from skcompare.comparison.pairs import Scores
from skcompare.inference import format_statement
from skcompare.inference._records import ROUNDING
from skcompare.inference.dominance.statements import statement_bits
from skcompare.plotting._display import Display
from skcompare.plotting._style import (
    ABOVE_NAMES,
    BETTER,
    LONGEST_NAME,
    NEUTRAL,
    ROPE,
    WORSE,
    fitted_names,
    inches,
    ink,
    labels,
    narrow,
    pattern_title,
    points,
    set_below,
    set_title,
    short_statement,
    two_metrics,
    unit_of,
    width_of,
    wrapped,
)
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes


MOST_STATEMENTS, FEW_STATEMENTS = 12, 8
FEW_METRICS = 3  # that need no numbers
# Of many statements those that no one would believe are drawn together.
SMALLEST = 0.005
# Size of small print to that of tick labels.
SMALL = 0.83
TICKS = (0, 0.25, 0.5, 0.75, 1)
A_BETTER = {"color": BETTER}
B_BETTER = {"facecolor": WORSE, "hatch": "////", "edgecolor": "white"}
EITHER = {"color": ROPE}
OTHERS = {"facecolor": "white", "edgecolor": NEUTRAL}


@dataclass(kw_only=True, eq=False, repr=False)
class DominanceDisplay(Display):
    """Two models on several metrics at once: who is better on each, and which joint statement is the most probable.

    Attributes
    ----------
    a, b : str
        The models.
    metrics : sequence of str of length m
        Names of the metrics, in the order of a statement.
    marginals : ndarray of shape (m,)
        Posterior probability that `a` is better on each metric, in [0, 1].
    probabilities : ndarray of shape (2**m,)
        Posterior probability of each statement to be the most probable one; they sum to 1. The first metric is the
        most significant bit of a statement's index, 1 where `a` is better.
    statement : sequence of bool of length m, or None
        The most frequent pattern of wins, which the dominance test is about; None where none is the most frequent.
    pvalue : float
        Of that test, adjusted over all pairs of models.
    n_cases : float
        How many independent cases there are.
    cases : str
        What they are.
    within_reach : bool
        Whether any pattern on so many cases could be significant among all pairs.

    Notes
    -----
    At most 12 statements are drawn, and of more than 8 only those with a probability of at least 0.5%; one bar stands
    for all others. `frame` has all.
    """

    a: str
    b: str
    metrics: Sequence[str]
    marginals: FloatArray
    probabilities: FloatArray
    statement: Sequence[bool] | None
    pvalue: float
    n_cases: float
    cases: str
    within_reach: bool = True

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        rope: float | Mapping[str, float] | None = None,
    ) -> Self:
        """Two models of a result on all metrics together.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : sequence of str, optional
            All by default, at most 12.
        a, b : str, optional
            Estimators; the first and the second by default.
        rope : float or mapping of metric to float, optional
            Largest difference, in score units, that is a tie, as in `EvaluationResult.dominance`.

        Returns
        -------
        DominanceDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            As `dominance`.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import DominanceDisplay
        >>> table = {"dataset": ["iris", "wine", "digits"], "nb": [0.95, 0.97, 0.91], "tree": [0.94, 0.90, 0.85]}
        >>> display = DominanceDisplay.from_result(StudyResult.from_frame(table)).plot()
        >>> print(display.ax_.get_title(loc="left").replace(chr(10), " ").split(": ")[1])
        nb better on score (posterior 97%, too few cases for a significant dominance test)
        """
        names = choose_case_metrics(result, metrics)
        a, b = choose_pair(a, b, result.estimators)
        asked: dict[str, Any] = {"metrics": names, "a": a, "b": b, "rope": rope}
        test: Any = dominance(result, "glrt", **asked)
        posterior: Any = dominance(result, "dirichlet", **asked)
        among = among_pairs(result, names, a, b, rope)
        return cls(
            a=a,
            b=b,
            metrics=names,
            marginals=posterior.marginals,
            probabilities=posterior.probabilities,
            statement=test.statement,
            pvalue=among.pvalue_adjusted,
            within_reach=among.within_reach(),
            n_cases=test.n_effective,
            cases=unit_of(result),
        )

    def _title(self) -> str:
        found: dict[str, Any] = {
            "probabilities": self.probabilities,
            "pvalue": self.pvalue,
            "within_reach": self.within_reach,
        }
        return pattern_title(self.statement, self.metrics, self.a, self.b, **found)

    def _size(self) -> tuple[float, float]:
        names = [*self._metric_labels(), *self._statement_labels()]
        return 4.6 + SMALL * width_of(names), 1.9 + 0.24 * (len(names) + 2)

    def _columns(self) -> dict[str, Any]:
        order = self._order()
        statements = [
            format_statement(bits, self.metrics, a=self.a, b=self.b)
            for bits in statement_bits(len(self.metrics))[order]
        ]
        return {
            "a": self.a,
            "b": self.b,
            "about": ["metric"] * len(self.metrics) + ["statement"] * len(order),
            "name": [*self.metrics, *statements],
            "probability": np.concatenate([self.marginals, self.probabilities[order]]),
        }

    def _draw(self, ax: Axes) -> None:
        names, statements = self._metric_labels(), self._statement_labels()
        first = len(names) + 2.5
        metric_rows = np.arange(len(names)) + 1.0
        statement_rows = np.arange(len(statements)) + first
        shown, scale = fitted_names(ax, [*names, "", *statements, ""], by=SMALL, shorten=False)
        font = scale * points("medium")
        for y, p in zip(metric_rows, self.marginals, strict=True):
            _bar(ax, y, p, EITHER if abs(p - 0.5) < SMALLEST else A_BETTER if p > 0.5 else B_BETTER, font)
        for y, p, look in zip(statement_rows, self._bars(), self._looks(), strict=True):
            _bar(ax, y, p, look, font)
        ax.plot([0.5, 0.5], [0.5, len(names) + 0.5], color=ink(ax), lw=0.8, ls=":")
        ax.set(xlim=(0, 1.12), xticks=TICKS if self._is_roomy() else TICKS[::2], ylim=(statement_rows[-1] + 0.7, -0.7))
        width = scale * width_of(shown)
        a, _ = labels([self.a, self.b], longest=LONGEST_NAME)
        headings = {0: f"probability that {a} is better", first - 1: "probability of being the most probable pattern"}
        for y, heading in headings.items():
            place: dict[str, Any] = {"xytext": (-72 * ABOVE_NAMES * width, 0), "textcoords": "offset points"}
            ax.annotate(heading, (0, y), va="center", fontsize=font, style="italic", **place)
        ax.set_yticks([*metric_rows, *statement_rows], [*names, *statements], fontsize=font)
        ax.tick_params(axis="y", length=0)
        set_below(ax, [self._caption()], beside=width, size="small")
        set_title(ax, self._title(), names=width)
        ax.spines[["top", "right"]].set_visible(False)

    def _caption(self) -> str:
        n = f"{self.n_cases:.3g}"
        return f"posterior probability, from {n} {self.cases.removesuffix('s') if n == '1' else self.cases}"

    def _order(self) -> list[int]:
        """All statements, the most probable first."""
        return [int(i) for i in np.argsort(-self.probabilities, kind="stable")]

    def _shown(self) -> list[int]:
        order = self._order()
        if len(order) <= FEW_STATEMENTS:
            return order
        likely = [i for i in order[:MOST_STATEMENTS] if self.probabilities[i] >= SMALLEST]
        return likely or order[:1]

    def _bars(self) -> list[float]:
        """Probabilities of the statements that are shown, and of all others together."""
        shown = self.probabilities[self._shown()]
        rest = [] if len(shown) == len(self.probabilities) else [max(0.0, 1 - float(shown.sum()))]
        return [*map(float, shown), *rest]

    def _looks(self) -> list[dict[str, str]]:
        last = len(self.probabilities) - 1
        looks = [A_BETTER if i == last else B_BETTER if i == 0 else EITHER for i in self._shown()]
        return looks + [OTHERS] * (len(self.probabilities) > len(looks))

    def _metric_labels(self) -> list[str]:
        names = labels(self.metrics, longest=20)
        return names if len(names) <= FEW_METRICS else [f"{i}  {name}" for i, name in enumerate(names, start=1)]

    def _statement_labels(self) -> list[str]:
        bits = statement_bits(len(self.metrics))
        shown = self._shown()
        found = [short_statement(bits[i].tolist(), self.metrics, self.a, self.b) for i in shown]
        others = len(bits) - len(shown)
        return found + [f"the other {others} patterns"] * (others > 0)


def _bar(ax: Axes, y: float, probability: float, look: Mapping[str, Any], font: float) -> None:
    ax.barh(y, probability, height=0.72, **look)
    ax.text(probability + 0.012, y, percent(probability), va="center", fontsize=font)


# Quadrants: the differences of two models on two metrics, case by case.


# Areas of markers in square points: of one case, and the largest.
AREA, LARGEST_AREA = 26.0, 900.0
# The labels of the quadrants have this part of the axes' height, and of small axes' height, above and below the
# points, and of its width each.
HIGH, SMALL_HIGH, WIDE = 0.1875, 0.22, 0.47
BESIDE = (0.6, 0.8)  # inches that the labels of small axes take
# Points.
FONT, SMALLEST_FONT = 8.3, 4.0
LINE_HEIGHT, CHARACTER = 1.25, 0.62  # in font sizes


@dataclass(kw_only=True, eq=False, repr=False)
class QuadrantsDisplay(Display):
    """The differences of two models on two metrics, one point per fold or data set, in the four quadrants of dominance.

    Attributes
    ----------
    a, b : str
        The models.
    metrics : sequence of str of length 2
        The metric of the horizontal and of the vertical axis.
    cases : sequence of str of length n_cases
        Names of the folds or data sets on which both models have both scores.
    differences : ndarray of shape (n_cases, 2)
        In score units, positive in favour of `a`, also where less is better; times of folds are medians over the
        repeats.
    outcomes : ndarray of int of shape (n_cases, 2)
        1 where `a` is better, -1 where `b` is, 0 for a tie, which counts half for either side.
    ropes : ndarray of shape (2,)
        Largest difference that is a tie; 10% of the larger typical time for times of folds, unless given.
    counts : ndarray of shape (4,)
        Effective cases for `b` on both metrics, `a` on the second only, `a` on the first only, `a` on both.
    probabilities : ndarray of shape (4,)
        Posterior probability of each of the four to be the most probable one; they sum to 1.
    statement : sequence of bool of length 2, or None
        The most frequent pattern of wins, which the dominance test is about; None where none is the most frequent.
    pvalue : float
        Of that test, adjusted over all pairs of models.
    unit : str
        What `counts` count.
    within_reach : bool
        Whether any pattern on so many cases could be significant among all pairs.

    Notes
    -----
    Cases at one place are one larger marker, whose area is their number. Hollow markers are tied on a metric.
    """

    a: str
    b: str
    metrics: Sequence[str]
    cases: Sequence[str]
    differences: FloatArray
    outcomes: NDArray[np.int64]
    ropes: FloatArray
    counts: FloatArray
    probabilities: FloatArray
    statement: Sequence[bool] | None
    pvalue: float
    unit: str
    within_reach: bool = True

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        rope: float | Mapping[str, float] | None = None,
    ) -> Self:
        """Two models of a result on two metrics.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : sequence of str, optional
            Exactly two; the first two by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        rope : float or mapping of metric to float, optional
            Largest difference, in score units, that is a tie, as in `EvaluationResult.dominance`.

        Returns
        -------
        QuadrantsDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If there are not exactly two metrics, and as `dominance`.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import QuadrantsDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2, "metric": ["accuracy"] * 8,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> seconds = scores | {"metric": ["fit_time"] * 8, "score": [1.1, 1.2, 1.1, 1.3, 2.1, 2.0, 1.9, 1.25]}
        >>> both = from_frame({column: scores[column] + seconds[column] for column in scores})
        >>> QuadrantsDisplay.from_result(both).outcomes.tolist()
        [[1, 1], [1, 1], [1, 1], [1, 0]]
        """
        known = choose_case_metrics(result, metrics)
        if metrics is None and len(known) < 2 <= len(result.metrics):
            raise ValueError(
                f"metrics must name two that have a value on every sample of the test set; only {known[0]!r} has, and "
                "the plot 'dominance' takes one"
            )
        names = two_metrics(metrics, known)
        a, b = choose_pair(a, b, result.estimators)
        asked: dict[str, Any] = {"metrics": names, "a": a, "b": b, "rope": rope}
        test: Any = dominance(result, "glrt", **asked)
        posterior: Any = dominance(result, "dirichlet", **asked)
        among = among_pairs(result, names, a, b, rope)
        scores, _ = joint_cases(result, names, a, b, rope)
        differences, ropes = scores.a - scores.b, np.array(scores.rope)
        tied = np.abs(differences) <= ropes + ROUNDING * np.maximum(np.abs(scores.a), np.abs(scores.b))
        return cls(
            a=a,
            b=b,
            metrics=names,
            cases=list(compress(_case_names(result), scores.complete)),
            differences=differences,
            outcomes=np.where(tied, 0, np.sign(differences)).astype(np.int64),
            ropes=ropes,
            counts=posterior.counts,
            probabilities=posterior.probabilities,
            statement=test.statement,
            pvalue=among.pvalue_adjusted,
            within_reach=among.within_reach(),
            unit=unit_of(result),
        )

    def _title(self) -> str:
        found: dict[str, Any] = {
            "probabilities": self.probabilities,
            "pvalue": self.pvalue,
            "within_reach": self.within_reach,
        }
        return pattern_title(self.statement, self.metrics, self.a, self.b, **found)

    def _size(self) -> tuple[float, float]:
        return 6.2, 5.4

    def _columns(self) -> dict[str, Any]:
        return {
            "case": self.cases,
            "a": self.a,
            "b": self.b,
            **{f"difference in {metric}": self.differences[:, j] for j, metric in enumerate(self.metrics)},
            **{f"outcome on {metric}": self.outcomes[:, j] for j, metric in enumerate(self.metrics)},
        }

    def _draw(self, ax: Axes) -> None:
        reach_x, reach_y = self._reach()
        ax.set_xlim(-1.12 * reach_x, 1.12 * reach_x)
        high = HIGH if self._is_roomy() else SMALL_HIGH
        ax.set_ylim(-reach_y / (1 - 2 * high), reach_y / (1 - 2 * high))
        band: dict[str, Any] = {"color": ROPE, "alpha": 0.5, "lw": 0, "zorder": 0}
        if self.ropes[0]:
            ax.axvspan(-self.ropes[0], self.ropes[0], **band)
        if self.ropes[1]:
            ax.axhspan(-self.ropes[1], self.ropes[1], **band)
        ax.axvline(0, color=ink(ax), lw=0.8, zorder=0.5)
        ax.axhline(0, color=ink(ax), lw=0.8, zorder=0.5)
        self._draw_points(ax)
        self._label_quadrants(ax)
        self._label_axes(ax)

    def _reach(self) -> tuple[float, float]:
        """Half the length of each axis, the same for both models."""
        reach = np.maximum(np.abs(self.differences).max(axis=0), 1.5 * self.ropes)
        x, y = np.where(reach > 0, reach, 1.0)
        return float(x), float(y)

    def _draw_points(self, ax: Axes) -> None:
        most = np.unique(self.differences, axis=0, return_counts=True)[1].max()
        area = min(AREA, LARGEST_AREA / most)
        for tied in (False, True):
            cases = self.differences[(self.outcomes == 0).any(axis=1) == tied]
            places, numbers = np.unique(cases, axis=0, return_counts=True)
            if len(places):
                face = "none" if tied else BETTER
                marks: dict[str, Any] = {"facecolor": face, "edgecolor": BETTER, "alpha": 0.75, "zorder": 2}
                ax.scatter(places[:, 0], places[:, 1], s=area * numbers, **marks)

    def _label_quadrants(self, ax: Axes) -> None:
        texts, roomy = [], self._is_roomy()
        for bits, count, probability in zip(statement_bits(2), self.counts, self.probabilities, strict=True):
            won = short_statement(bits.tolist(), self.metrics, self.a, self.b).replace(" on ", "\non ", 1)
            share = f"{count:.3g} of {self._counted()}\n" if roomy else ""
            words = f"{won}\n{share}posterior {percent(probability)}"
            x, side = (0.98, "right") if bits[0] else (0.02, "left")
            y, end = (0.985, "top") if bits[1] else (0.015, "bottom")
            texts.append(ax.text(x, y, words, ha=side, va=end, transform=ax.transAxes))
        font = _font(ax, [text.get_text() for text in texts], small=not roomy)
        for text in texts:
            text.set_fontsize(font)

    def _counted(self) -> str:
        n = f"{self.counts.sum():.3g}"
        return f"{n} {self.unit.removesuffix('s') if n == '1' else self.unit}"

    def _label_axes(self, ax: Axes) -> None:
        a, b = labels([self.a, self.b], longest=14)
        x, y = labels(self.metrics)
        sides = f"\N{LEFTWARDS ARROW} {b} better", f"{a} better \N{RIGHTWARDS ARROW}"
        width, height = (int(side * 72 / FONT / CHARACTER) for side in inches(ax))
        explained = "".join(f"\n{wrapped(text, width)}" for text in self._explained())
        ax.set_xlabel(f"{wrapped(f'difference in {x}', width)}\n{_beside(sides, width)}{explained}", fontsize=FONT)
        ax.set_ylabel(f"{wrapped(f'difference in {y}', height)}\n{_beside(sides, height)}", fontsize=FONT)
        set_title(ax, self._title(), beside=0.0 if self._is_roomy() else 0.35)  # the lines beside the axes

    def _explained(self) -> list[str]:
        """What the markers mean, of those that there are."""
        found = []
        if (self.outcomes == 0).any():
            found.append("hollow: tie, half for either side")
        if len(np.unique(self.differences, axis=0)) < len(self.differences):
            found.append("area: number of cases there")
        return found


def _font(ax: Axes, texts: Sequence[str], *, small: bool) -> float:
    """The font size at which the labels of the quadrants meet neither each other nor the points."""
    width, height = (
        max(1.0, side - beside) for side, beside in zip(inches(ax), BESIDE if small else (0, 0), strict=True)
    )
    by_width = 72 * WIDE * width / CHARACTER / max(narrow(line) for text in texts for line in text.split("\n"))
    by_height = (
        72 * (SMALL_HIGH if small else HIGH) * height / LINE_HEIGHT / max(len(text.split("\n")) for text in texts)
    )
    return max(SMALLEST_FONT, min(FONT, by_width, by_height))


def _beside(sides: tuple[str, str], room: int) -> str:
    """Both in one line if that is not longer than `room` characters, or else in two."""
    line = "    ".join(sides)
    return line if narrow(line) <= room else "\n".join(sides)


def _case_names(result: Scores) -> Sequence[str]:
    """What the cases are called: data sets, samples or items, or folds counted from 0."""
    if isinstance(result, StudyScores):
        return result.datasets
    if result.design.kind != "folds":
        return case_names(result)
    n_folds = result.design.n_folds
    return [f"repeat {i // n_folds}, fold {i % n_folds}" for i in range(result.design.n_splits)]
