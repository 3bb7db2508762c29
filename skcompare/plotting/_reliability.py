"""Calibration curves: whether what a model calls 30% happens in 30% of cases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.names import choose_estimators
from skcompare._core.validation import FloatArray
from skcompare.comparison.reliability import kept_probability
from skcompare.comparison.shown import read_shown
from skcompare.inference import proportion_interval, reliability_points
from skcompare.inference.curves.reliability import Strategy
from skcompare.plotting._display import Display
from skcompare.plotting._style import ink, labels, legend_in, look, points, set_below, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.evaluation import EvaluationScores

MOST = 10  # models
FEW = 3  # models up to which the intervals are drawn
ROOM_ABOVE = 1.65  # height of small axes, for a legend within
SMALLEST, LARGEST = 12.0, 90.0  # areas of markers in square points


@dataclass(kw_only=True, eq=False, repr=False)
class ReliabilityDisplay(Display):
    """Calibration curves (reliability diagram) of several models, with their calibration errors.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models.
    predicted, observed : sequence of ndarray of shape (n_bins,)
        Per model: mean probability and share of positive samples in each bin that is not empty.
    low, high : sequence of ndarray of shape (n_bins,)
        95% Wilson intervals of the shares, each for its own bin. Those of up to three models are drawn.
    counts : sequence of ndarray of int of shape (n_bins,)
        Number of samples in each bin; the area of a point grows with it.
    errors : ndarray of shape (n_models,)
        Expected calibration error of each model.
    brier : ndarray of shape (n_models,)
        Brier score of each model.
    positive : str
        The positive class, as Python writes it.
    samples : str
        How many samples there are, and of which design.
    n_known : int
        Number of models of the result.
    """

    names: Sequence[str]
    predicted: Sequence[FloatArray]
    observed: Sequence[FloatArray]
    low: Sequence[FloatArray]
    high: Sequence[FloatArray]
    counts: Sequence[Any]
    errors: FloatArray
    brier: FloatArray
    positive: str
    samples: str
    n_known: int

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        estimators: str | Sequence[str] | None = None,
        n_bins: int = 10,
        strategy: Strategy = "uniform",
        positive: Any = None,
    ) -> Self:
        """The calibration curves of a result's models, for one class.

        Parameters
        ----------
        result : EvaluationScores
            With probabilities: ``"neg_brier_score"`` or ``"neg_log_loss"`` in `scoring` keeps them.
        estimators : str or sequence of str, optional
            The models to draw, at most ten; all by default, of more than ten the first ten.
        n_bins : int, default=10
            Number of bins, at least 1.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width, or with about equal numbers of samples.
        positive : label, optional
            The class, as in `EvaluationResult.reliability`.

        Returns
        -------
        ReliabilityDisplay
            Not drawn yet; of the test sets of the first repeat, or of the first of overlapping ones.

        Raises
        ------
        ValueError
            If a name is unknown or there are too many, an option is out of range, `positive` is no class, or the
            probabilities were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.plotting import ReliabilityDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> ReliabilityDisplay.from_result(result, n_bins=5).errors.round(3).tolist()
        [0.15, 0.167]
        """
        names = choose_estimators(result.estimators[:MOST] if estimators is None else estimators, result.estimators)
        if len(names) > MOST:
            raise ValueError(f"estimators must name at most {MOST} models; got {len(names)}")
        found = read_shown(result, names, against_rest=True, positive=positive)
        curves = [
            reliability_points(
                found.is_positive, kept_probability(found, name), n_bins=n_bins, strategy=strategy, positive=True
            )
            for name in names
        ]
        limits = [
            [
                proportion_interval(round(share * n), n)
                for share, n in zip(curve.observed, curve.counts.tolist(), strict=True)
            ]
            for curve in curves
        ]
        return cls(
            names=names,
            predicted=[curve.predicted for curve in curves],
            observed=[curve.observed for curve in curves],
            low=[np.array([interval.low for interval in of_model]) for of_model in limits],
            high=[np.array([interval.high for interval in of_model]) for of_model in limits],
            counts=[curve.counts for curve in curves],
            errors=np.array([curve.calibration_error for curve in curves]),
            brier=np.array([curve.brier for curve in curves]),
            positive=repr(found.positive),
            samples=found.said,
            n_known=len(result.estimators),
        )

    def _title(self) -> str:
        chosen = "" if len(self.names) == self.n_known else f", {len(self.names)} of {self.n_known} models"
        return f"Calibration curves, {self.samples}{chosen}"

    def _size(self) -> tuple[float, float]:
        return 8.4, max(4.6, 1.4 + 0.38 * len(self.names))

    def _columns(self) -> dict[str, Any]:
        lengths = [len(counts) for counts in self.counts]
        return {
            "estimator": np.repeat(np.array(self.names, dtype=object), lengths),
            "predicted": np.concatenate(self.predicted),
            "observed": np.concatenate(self.observed),
            "low": np.concatenate(self.low),
            "high": np.concatenate(self.high),
            "count": np.concatenate(self.counts),
            "calibration_error": np.repeat(self.errors, lengths),
        }

    def _draw(self, ax: Axes) -> None:
        (line,) = ax.plot([0, 1], [0, 1], color=ink(ax), lw=0.9, ls=(0, (2, 3)), zorder=1)
        shown = [self._draw_model(ax, i) for i in range(len(self.names))]
        values = zip(labels(self.names), self.errors.tolist(), self.brier.tolist(), strict=True)
        roomy = self._is_roomy()
        texts = [
            f"{label}\nECE {e:.3f}, Brier {brier:.3f}" if roomy else f"{label} {e:.3f}" for label, e, brier in values
        ]
        texts.append("perfectly calibrated" + ("\n(bars: 95% intervals)" if roomy and len(self.names) <= FEW else ""))
        ax.set(
            xlim=(-0.02, 1.02), ylim=(-0.02, 1.02 if roomy else ROOM_ABOVE), yticks=np.linspace(0, 1, 6 if roomy else 3)
        )
        legend_in(ax, [*shown, line], texts, roomy=roomy, title=None if roomy else "calibration error")
        positive = labels([self.positive], longest=18)[0]
        set_below(ax, [f"mean probability of class {positive}"])
        ax.set_ylabel(f"share of class {positive}", fontsize=points("medium" if roomy else "small"))
        set_title(ax, self._title(), beside=0.5)
        ax.spines[["top", "right"]].set_visible(False)

    def _draw_model(self, ax: Axes, i: int) -> Any:
        style = look(i)
        x, y = self.predicted[i], self.observed[i]
        if len(self.names) <= FEW:
            ax.vlines(x, self.low[i], self.high[i], color=style["color"], lw=1.0, alpha=0.6)
        area = SMALLEST + (LARGEST - SMALLEST) * self.counts[i] / max(int(counts.max()) for counts in self.counts)
        ax.scatter(x, y, s=area, color=style["color"], marker=style["marker"], lw=0, zorder=3)
        (line,) = ax.plot(x, y, color=style["color"], ls=style["linestyle"], lw=1.4, zorder=2)
        line.set(marker=style["marker"], markevery=[], markersize=5)
        return line
