"""Dominance: who is better on what, and how sure each joint statement is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import compress
from math import comb
from typing import Any, Self

import numpy as np

from skcompare._core.numbers import counted, one_of, percent, uncertain
from skcompare._core.validation import FloatArray, IntArray, choose_metrics, choose_pair
from skcompare.comparison.cases import case_names, choose_case_metrics
from skcompare.comparison.dominance import among_pairs, dominance, dominance_said, joint_cases
from skcompare.comparison.means import labels_of
from skcompare.comparison.table import Scores
from skcompare.inference import format_statement
from skcompare.inference._records import ROUNDING
from skcompare.inference.dominance.statements import MORE_PROBABLE, statement_bits
from skcompare.plotting._display import Display, RowsDisplay
from skcompare.plotting._style import BETTER, NEUTRAL, ROPE, WORSE, Axes, ink, labels, on_paper, width_of
from skcompare.scores.study import StudyScores

# Patterns of wins in as few words as a picture has room for.


SAMPLED = " that have a value on every sample of the test set"
LONGEST_NAME, LONGEST_METRIC, LONGEST_LIST = 16, 18, 26  # characters


def short_statement(statement: Sequence[bool], metrics: Sequence[str], a: str, b: str) -> str:
    """Who is better on what: the better one on most, and on what it is not.

    Exceptions that have no room are given by their numbers, from 1.
    """
    names = labels(metrics, longest=LONGEST_METRIC)
    a, b = labels([a, b], longest=LONGEST_NAME)
    winner = a if 2 * sum(statement) >= len(names) else b
    exceptions = [i for i, better in enumerate(statement) if better != (winner == a)]
    if not exceptions:
        every = "both" if len(names) == 2 else f"all {len(names)}"
        return f"{winner} better on {names[0] if len(names) == 1 else every}"
    if len(names) == 2:
        return f"{winner} better on {names[1 - exceptions[0]]} only"
    listed = ", ".join(names[i] for i in exceptions)
    if len(listed) > LONGEST_LIST:
        listed = f"nos. {', '.join(str(i + 1) for i in exceptions)}"
    return f"{winner} better on all but {listed}"


def most_probable(probabilities: FloatArray) -> list[bool]:
    """The most probable pattern of wins."""
    return [*map(bool, statement_bits(len(probabilities).bit_length() - 1)[int(np.argmax(probabilities))])]


def unit_of(scores: Scores) -> str:
    """What dominance counts: data sets, samples or items, or the independent cases that splits are worth."""
    if isinstance(scores, StudyScores):
        return "data sets"
    alone = scores.design.kind != "folds" and scores.design.n_clusters is None
    return scores.design.cases if alone else "effective cases"


def two_metrics(metrics: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, str]:
    """The two metrics of a plane, the first two by default, or ValueError."""
    names = choose_metrics(metrics, known)
    chosen = names[:2] if metrics is None else names
    if len(chosen) != 2:
        raise ValueError(f"metrics must name exactly two metrics; got {', '.join(map(repr, chosen))}")
    return chosen[0], chosen[1]


class JointDisplay(Display):
    """Two models on several metrics at once; the fields are documented where they have their meaning."""

    a: str
    b: str
    metrics: Sequence[str]
    probabilities: FloatArray
    statement: Sequence[bool] | None
    pvalue: float
    within_reach: bool = True
    stands_out: bool = True
    n_pairs: int = 1

    def _title(self) -> str:
        most = float(np.max(self.probabilities))
        if self.statement is None or not self.stands_out or not most >= MORE_PROBABLE:
            return "{} and {}: no pattern of wins stands out".format(*labels([self.a, self.b], LONGEST_NAME))
        said = short_statement(most_probable(self.probabilities), self.metrics, self.a, self.b)
        return f"most probable: {said} ({percent(uncertain(most))})"

    def _notes(self) -> Sequence[str]:
        """The test of the most frequent pattern, where it is the most probable one too."""
        if not self.stands_out or most_probable(self.probabilities) != [*map(bool, self.statement or ())]:
            return []
        return [dominance_said(self.pvalue, within_reach=self.within_reach, n_pairs=self.n_pairs)]


def _joint(result: Scores, names: tuple[str, ...], a: str | None, b: str | None, rope: Any) -> tuple[Any, Any]:
    """Fields that both pictures have, of two models on some metrics, and the posterior of their patterns of wins."""
    a, b = choose_pair(a, b, result.estimators)
    asked: dict[str, Any] = {"metrics": names, "a": a, "b": b, "rope": rope}
    test: Any = dominance(result, "glrt", **asked)
    posterior: Any = dominance(result, "dirichlet", **asked)
    among = among_pairs(result, names, a, b, rope)
    return {
        "a": a,
        "b": b,
        "metrics": labels_of(names),
        "probabilities": posterior.probabilities,
        "statement": test.statement,
        "pvalue": among.pvalue_adjusted,
        "within_reach": among.within_reach(),
        "stands_out": among.stands_out,
        "n_pairs": comb(len(result.estimators), 2),
    }, posterior


# Who is better on each metric, and which joint statement is the most probable.


MOST_STATEMENTS, FEW_STATEMENTS = 12, 8
FEW_METRICS = 3  # that need no numbers
# Of many statements those that no one would believe are drawn together.
SMALLEST = 0.005
TICKS = (0, 0.25, 0.5, 0.75, 1)
A_BETTER: dict[str, Any] = {"color": BETTER}
B_BETTER: dict[str, Any] = {"facecolor": WORSE, "hatch": "////", "edgecolor": "white"}
EITHER: dict[str, Any] = {"color": ROPE}
OTHERS: dict[str, Any] = {"facecolor": "white", "edgecolor": NEUTRAL}


class DominanceDisplay(JointDisplay, RowsDisplay):
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
        Of that test, adjusted over all `n_pairs` pairs of models.
    n_cases : float
        How many independent cases there are.
    cases : str
        What they are.
    within_reach : bool
        Whether any pattern on so many cases could be significant among all pairs.
    stands_out : bool
        Whether the pattern is more probable than not, and contradicts no mean; the title names no other one.
    n_pairs : int
        How many these are.

    Notes
    -----
    At most 12 statements are drawn, and of more than 8 only those with a probability of at least 0.5%; one bar stands
    for all others. `frame` has all.
    """

    marginals: FloatArray
    n_cases: float
    cases: str

    _edges = ("left", "bottom")

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        margin: float | Mapping[str, float] | None = None,
    ) -> Self:
        """Two models of a result on all metrics together.

        Parameters
        ----------
        result : EvaluationScores or StudyScores
            What to show.
        metrics : sequence of str, optional
            All by default, 2 to 12.
        a, b : str, optional
            Estimators; the first and the second by default.
        margin : float or mapping of metric to float, optional
            Largest difference, in score units, that is a tie, as in `EvaluationResult.dominance`.

        Returns
        -------
        DominanceDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If there is only one metric, and as `dominance`.

        Examples
        --------
        >>> from skcompare import StudyResult
        >>> from skcompare.plotting import DominanceDisplay
        >>> table = {"dataset": ["iris", "wine", "digits"] * 4, "model": (["nb"] * 3 + ["tree"] * 3) * 2,
        ...          "metric": ["accuracy"] * 6 + ["f1"] * 6,
        ...          "score": [0.95, 0.97, 0.91, 0.94, 0.90, 0.85, 0.92, 0.96, 0.90, 0.91, 0.89, 0.83]}
        >>> display = DominanceDisplay.from_result(StudyResult.from_frame(table)).plot()
        >>> display.ax_.get_title(loc="left")
        'most probable: nb better on both (95%)'
        """
        names = choose_case_metrics(result, metrics)
        if len(names) < 2:
            raise ValueError(
                f"metrics must name two or more{SAMPLED if len(result.metrics) > 1 and metrics is None else ''}; got "
                f"{names[0]!r} alone, which the plot 'differences' shows"
            )
        found, posterior = _joint(result, names, a, b, margin)
        return cls(**found, marginals=posterior.marginals, n_cases=posterior.n_effective, cases=unit_of(result))

    def _size(self) -> tuple[float, float]:
        names = self._row_names()
        return 4.6 + 0.83 * width_of(names), 1.9 + 0.24 * len(names)

    def _row_names(self) -> Sequence[str]:
        return [*self._metric_labels(), "", *self._statement_labels(), ""]

    def _columns(self) -> dict[str, Any]:
        order = self._order()
        bits = statement_bits(len(self.metrics))[order]
        return {
            "a": self.a,
            "b": self.b,
            "about": ["metric"] * len(self.metrics) + ["statement"] * len(order),
            "name": [*self.metrics, *[format_statement(own, self.metrics, a=self.a, b=self.b) for own in bits]],
            "probability": np.concatenate([self.marginals, self.probabilities[order]]),
        }

    def _draw(self, ax: Axes) -> None:
        names, statements, font = self._metric_labels(), self._statement_labels(), self._points("small")
        first = len(names) + 2.5
        places = np.r_[np.arange(len(names)) + 1.0, np.arange(len(statements)) + first]
        signs = [EITHER if abs(p - 0.5) < SMALLEST else A_BETTER if p > 0.5 else B_BETTER for p in self.marginals]
        shown = self.probabilities[self._shown()]
        rest = [] if len(shown) == len(self.probabilities) else [max(0.0, 1 - float(shown.sum()))]
        values = [*map(float, self.marginals), *map(float, shown), *rest]
        for y, p, look in zip(places, values, [*signs, *self._looks()], strict=True):
            bar = ax.barh(y, p, height=0.72, **look)
            ax.bar_label(bar, [percent(uncertain(p))], padding=3, fontsize=font, bbox=on_paper(ax))
        ax.plot([0.5, 0.5], [0.5, len(names) + 0.5], color=ink(ax), lw=0.8, ls=":")
        ax.set(xlim=(0, 1.12), xticks=TICKS if self._roomy_ else TICKS[::2], ylim=(places[-1] + 0.7, -0.7))
        a, _ = labels([self.a, self.b], longest=LONGEST_NAME)
        shift = -72 * 0.75 * font / 10 * width_of([*names, *statements])
        headings = {0: f"probability that {a} is better", first - 1: "probability of being the most probable pattern"}
        for y, heading in headings.items():
            place: dict[str, Any] = {"xytext": (shift, 0), "textcoords": "offset points"}
            ax.annotate(heading, (0, y), va="center", fontsize=font, style="italic", bbox=on_paper(ax), **place)
        self._name_rows(ax, places, [*names, *statements], "small")
        cases = counted(f"{self.n_cases:.3g}", one_of(self.cases))
        self._label_axes(ax, [f"posterior probability, from {cases}"], size="small")

    def _order(self) -> list[int]:
        """All statements, the most probable first."""
        return [int(i) for i in np.argsort(-self.probabilities, kind="stable")]

    def _shown(self) -> list[int]:
        order = self._order()
        if len(order) <= FEW_STATEMENTS:
            return order
        return [i for i in order[:MOST_STATEMENTS] if self.probabilities[i] >= SMALLEST] or order[:1]

    def _looks(self) -> list[dict[str, Any]]:
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


# Quadrants: the differences of two models on two metrics, case by case.


# Areas of markers in square points: of one case, and the largest.
AREA, LARGEST_AREA = 26.0, 900.0
HIGH, SMALL_HIGH = 0.1875, 0.22  # of the axes' height, that the labels of the quadrants have above and below the points


class QuadrantsDisplay(JointDisplay):
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
        Of that test, adjusted over all `n_pairs` pairs of models.
    unit : str
        What `counts` count.
    within_reach : bool
        Whether any pattern on so many cases could be significant among all pairs.
    stands_out : bool
        Whether the pattern is more probable than not, and contradicts no mean; the title names no other one.
    n_pairs : int
        How many these are.

    Notes
    -----
    Cases at one place are one larger marker, whose area is their number. Hollow markers are tied on a metric.
    """

    cases: Sequence[str]
    differences: FloatArray
    outcomes: IntArray
    ropes: FloatArray
    counts: FloatArray
    unit: str

    _edges, _smallest = ("left", "bottom", "right", "top"), 0.6
    _figure = (6.2, 5.4)

    @classmethod
    def from_result(
        cls,
        result: Scores,
        *,
        metrics: Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
        margin: float | Mapping[str, float] | None = None,
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
        margin : float or mapping of metric to float, optional
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
                f"metrics must name two{SAMPLED}; only {known[0]!r} has, and the plot 'differences' takes one"
            )
        names = two_metrics(metrics, known)
        found, posterior = _joint(result, names, a, b, margin)
        scores, _ = joint_cases(result, names, found["a"], found["b"], margin)
        differences, ropes = scores.values[0] - scores.values[1], np.array(scores.rope)
        tied = np.abs(differences) <= ropes + ROUNDING * np.abs(scores.values).max(axis=0)
        return cls(
            **found,
            cases=list(compress(case_names(result), scores.complete)),
            differences=differences,
            outcomes=np.where(tied, 0, np.sign(differences)).astype(np.int64),
            ropes=ropes,
            counts=posterior.counts,
            unit=unit_of(result),
        )

    def _columns(self) -> dict[str, Any]:
        columns: dict[str, Any] = {"case": self.cases, "a": self.a, "b": self.b}
        for what, values in (("difference in", self.differences), ("outcome on", self.outcomes)):
            columns |= {f"{what} {metric}": own for metric, own in zip(self.metrics, values.T, strict=True)}
        return columns

    def _draw(self, ax: Axes) -> None:
        reach = np.maximum(np.abs(self.differences).max(axis=0), 1.5 * self.ropes)
        x, y = np.where(reach > 0, reach, 1.0) * (1.12, 1 / (1 - 2 * (HIGH if self._roomy_ else SMALL_HIGH)))
        ax.set(xlim=(-x, x), ylim=(-y, y))
        lines: dict[str, Any] = {"color": ink(ax), "lw": 0.8, "zorder": 0.5}
        band: dict[str, Any] = {"color": ROPE, "alpha": 0.5, "lw": 0, "zorder": 0}
        for line, span, rope in ((ax.axvline, ax.axvspan, self.ropes[0]), (ax.axhline, ax.axhspan, self.ropes[1])):
            line(0, **lines)
            if rope:
                span(-rope, rope, **band)
        self._draw_points(ax)
        self._label_quadrants(ax)
        a, b = labels([self.a, self.b], longest=14)
        names = labels(self.metrics)
        sides = f"← {b} better    {a} better →"
        below = [f"difference in {names[0]}", sides, *self._explained()]
        self._label_axes(ax, below, [f"difference in {names[1]}", sides], size="small")

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
        font, cases = self._points("small"), counted(f"{self.counts.sum():.3g}", one_of(self.unit))
        for bits, count, probability in zip(statement_bits(2), self.counts, self.probabilities, strict=True):
            won = short_statement(bits.tolist(), self.metrics, self.a, self.b).replace(" on ", "\non ", 1)
            share = f"{count:.3g} of {cases}\n" if self._roomy_ else ""
            words = f"{won}\n{share}posterior {percent(uncertain(probability))}"
            x, side = (0.98, "right") if bits[0] else (0.02, "left")
            y, end = (0.985, "top") if bits[1] else (0.015, "bottom")
            ax.text(x, y, words, ha=side, va=end, transform=ax.transAxes, fontsize=font)

    def _explained(self) -> list[str]:
        """What the markers mean, of those that there are."""
        found = []
        if (self.outcomes == 0).any():
            found.append("hollow: tie, half for either side")
        if len(np.unique(self.differences, axis=0)) < len(self.differences):
            found.append("area: number of cases there")
        return found
