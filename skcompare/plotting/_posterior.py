"""The posterior density of a difference, with the region of practical equivalence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.names import choose_pair
from skcompare._core.numbers import percent_of
from skcompare._core.validation import FloatArray
from skcompare._core.words import counted
from skcompare.comparison.cases import check_alone, choose_case_metric
from skcompare.comparison.compare import level, run_procedure
from skcompare.plotting._display import Display
from skcompare.plotting._statements import probability_text
from skcompare.plotting._style import BETTER, NEUTRAL, ROPE, WORSE, inches, ink, labels, paper, set_title, wrapped

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.inference._base import DifferencePosterior
    from skcompare.scores.evaluation import EvaluationScores

MASS = 0.95
# The axis holds the central interval of this mass, and 0 and the region of practical equivalence.
SHOWN_MASS = 0.995
# Points of the density: over the axis, and on either side of the mean, as far as so many scales.
N_POINTS, N_NEAR, NEAR = 401, 201, 8.0
# Share of the height that the curve and the lines may take.
BELOW_TEXT = 0.8
CHARACTERS_PER_INCH = 15  # of small letters


@dataclass(kw_only=True, eq=False, repr=False)
class PosteriorDisplay(Display):
    """Posterior density of the mean difference of two models on one metric.

    Attributes
    ----------
    x : ndarray of shape (n_points,)
        Differences ``a - b``, in score units, ascending; positive favours `a`.
    density : ndarray of shape (n_points,)
        Per score unit; infinite at the mean where the posterior is a point.
    mean, low, high : float
        Posterior mean and central credible interval of `mass`, in score units.
    left, rope, right : float
        Probabilities that `b` is better, that the two are equivalent, that `a` is better.
    rope_width : float
        Half width of the region of practical equivalence, in score units; 0 where there is none.
    metric, a, b : str
        What it is about.
    n : int
        Number of splits used.
    method : str
        The procedure.
    case : str, default="split"
        What each of the `n` differences is of: a split, a sample or an item.
    mass : float
        Posterior probability of the interval from `low` to `high`.
    """

    x: FloatArray
    density: FloatArray
    mean: float
    low: float
    high: float
    left: float
    rope: float
    right: float
    rope_width: float
    metric: str
    a: str
    b: str
    n: int
    method: str
    case: str = "split"
    mass: float = MASS

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        metric: str | None = None,
        a: str | None = None,
        b: str | None = None,
        rope: float = 0.0,
    ) -> Self:
        """The `correlated_t_posterior` of a result.

        Parameters
        ----------
        result : EvaluationScores
            What to show.
        metric : str, optional
            The first by default.
        a, b : str, optional
            Estimators; the first and the second by default.
        rope : float, default=0
            Half width of the region of practical equivalence, in score units.

        Returns
        -------
        PosteriorDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown, `rope` is negative, there are fewer than two pairs of scores, or all differences are
            the same but not 0.

        Examples
        --------
        >>> from skcompare import from_frame
        >>> from skcompare.plotting import PosteriorDisplay
        >>> scores = {"model": ["a"] * 4 + ["b"] * 4, "fold": [0, 1, 2, 3] * 2,
        ...           "score": [0.91, 0.88, 0.93, 0.90, 0.85, 0.86, 0.90, 0.84]}
        >>> display = PosteriorDisplay.from_result(from_frame(scores), rope=0.01)
        >>> round(display.right, 3)
        0.958
        """
        metric = choose_case_metric(result, metric, means=True)
        a, b = choose_pair(a, b, result.estimators)
        check_alone(result, "the posterior")
        record = run_procedure(result, "correlated_t_posterior", metric=metric, a=a, b=b, rope=rope)
        if record.n < 2:
            raise ValueError(
                f"a posterior needs at least 2 splits on which both models have a score of {metric!r}; "
                f"{a!r} and {b!r} share {record.n}"
            )
        if np.isnan(record.scale):
            raise ValueError(
                f"a posterior needs differences that vary; {a!r} less {b!r} is {record.mean:+.3g} on {metric!r} on all "
                f"{result.design.cases}"
            )
        mass = 1 - level(result)
        interval = record.interval(mass)
        x = _points(record)
        return cls(
            x=x,
            density=record.density(x),
            mean=record.mean,
            mass=mass,
            low=interval.low,
            high=interval.high,
            left=record.left,
            rope=record.rope,
            right=record.right,
            rope_width=record.rope_width,
            metric=metric,
            a=a,
            b=b,
            n=record.n,
            case=result.design.cases.removesuffix("s"),
            method=record.method,
        )

    def _title(self) -> str:
        a, b = labels([self.a, self.b], longest=16)
        width = f", equivalent within {self.rope_width:g}" if self.rope_width else ""
        point = "" if np.isfinite(self.density).all() else "; all differences are equal"
        return f"posterior of the difference {a} - {b} on {counted(self.n, self.case)}{width}{point}"

    def _size(self) -> tuple[float, float]:
        return 7.0, 4.0

    def _columns(self) -> dict[str, Any]:
        scalars = ("metric", "a", "b", "mean", "low", "high", "left", "rope", "right", "rope_width")
        return {
            "difference": self.x,
            "density": self.density,
            **{name: np.repeat(getattr(self, name), len(self.x)) for name in scalars},
        }

    def _draw(self, ax: Axes) -> None:
        top = self._draw_curve(ax)
        if self.rope_width:
            ax.axvspan(-self.rope_width, self.rope_width, ymax=BELOW_TEXT, color=ROPE, alpha=0.5, lw=0, zorder=0)
            for edge in (-self.rope_width, self.rope_width):
                ax.axvline(edge, ymax=BELOW_TEXT, color=NEUTRAL, lw=0.8, ls=(0, (4, 3)), zorder=0.5)
        ax.axvline(0, ymax=BELOW_TEXT, color=ink(ax), lw=0.8, zorder=0.5)
        ax.plot([self.low, self.high], [-0.06 * top] * 2, color=ink(ax), lw=3, solid_capstyle="butt")
        ax.plot(self.mean, -0.06 * top, marker="D", color=ink(ax), mfc=paper(ax), ms=6)
        ax.set(xlim=(self.x[0], self.x[-1]), ylim=(-0.12 * top, 1.4 * top), yticks=[], ylabel="posterior density")
        ax.locator_params(axis="x", nbins=6)
        self._write(ax)
        ax.spines[["top", "right", "left"]].set_visible(False)

    def _draw_curve(self, ax: Axes) -> float:
        """The density with its two tails, or a spike; returns its height."""
        if not np.isfinite(self.density).all():
            ax.plot([self.mean, self.mean], [0, 1], color=ink(ax), lw=2)
            ax.plot(self.mean, 1, marker="^", color=ink(ax), ms=8)
            return 1.0
        ax.plot(self.x, self.density, color=ink(ax), lw=1.4)
        tail: dict[str, Any] = {"alpha": 0.45, "edgecolor": "white", "lw": 0}
        ax.fill_between(self.x, self.density, where=self.x <= -self.rope_width, facecolor=WORSE, hatch=r"\\\\", **tail)
        ax.fill_between(self.x, self.density, where=self.x >= self.rope_width, facecolor=BETTER, hatch="////", **tail)
        return float(self.density.max())

    def _write(self, ax: Axes) -> None:
        a, b = labels([self.a, self.b], longest=int(np.clip(4.5 * inches(ax)[0] - 9, 8, 20)))
        corners = [(0.01, "left", f"P({b} better)", self.left), (0.99, "right", f"P({a} better)", self.right)]
        if self.rope_width:
            corners.append((0.5, "center", "P(equivalent)", self.rope))
        for x, side, event, probability in corners:
            text = f"{event}\n{probability_text(probability)}"
            ax.text(x, 0.99, text, transform=ax.transAxes, ha=side, va="top", fontsize="small")
        said = (
            f"{labels([self.metric], longest=24)[0]}: advantage of {a} over {b}; positive: the first is better",
            f"bar: {percent_of(self.mass)} credible interval [{self.low:+.3g}, {self.high:+.3g}], "
            f"diamond: mean {self.mean:+.3g}",
        )
        room = int(CHARACTERS_PER_INCH * inches(ax)[0])
        ax.set_xlabel("\n".join(wrapped(line, room) for line in said), fontsize="small")
        set_title(ax, self._title())


def _points(record: DifferencePosterior) -> FloatArray:
    """Where the density is computed: fine enough near the mean, and at the limits of the region."""
    limits = record.interval(SHOWN_MASS)
    rope = record.rope_width
    low, high = min(limits.low, -1.3 * rope, 0.0), max(limits.high, 1.3 * rope, 0.0)
    margin = 0.03 * (high - low) or 1.0
    low, high = low - margin, high + margin
    near = record.mean + record.scale * np.linspace(-NEAR, NEAR, N_NEAR)
    x = np.concatenate([np.linspace(low, high, N_POINTS), near, [-rope, rope]])
    return np.unique(x[(x >= low) & (x <= high)])
