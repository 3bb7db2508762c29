"""Dominance: who is better on what, and how sure each joint statement is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.names import choose_pair
from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.comparison.cases import choose_case_metrics
from skcompare.comparison.compare import Scores
from skcompare.comparison.dominance import among_pairs, dominance
from skcompare.inference import format_statement
from skcompare.inference.dominance.statements import statement_bits
from skcompare.plotting._display import Display
from skcompare.plotting._statements import LONGEST_NAME, pattern_title, short_statement, unit_of
from skcompare.plotting._style import (
    ABOVE_NAMES,
    BETTER,
    NEUTRAL,
    ROPE,
    WORSE,
    fitted_names,
    ink,
    labels,
    points,
    set_below,
    set_title,
    width_of,
)

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
