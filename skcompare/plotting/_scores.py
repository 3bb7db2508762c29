"""Paired score strips: the scores of every model, split by split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_estimators, choose_metric
from skcompare._core.numbers import percent_of
from skcompare._core.validation import FloatArray
from skcompare._core.words import counted
from skcompare.comparison.intervals import score_intervals
from skcompare.plotting._display import Display
from skcompare.plotting._style import LINES, NEUTRAL, ink, labels, look, name_rows, set_below, width_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.evaluation import EvaluationScores

# Half the height of a strip, where neighbours are 1 apart.
SPREAD = 0.3
# Costs whose largest is more than this many times the smallest are drawn on a logarithmic axis.
LOGARITHMIC = 100.0
MOST_ITEMS = 2000
# Dropped models that the title names.
MAX_DROPPED = 3


@dataclass(kw_only=True, eq=False, repr=False)
class ScoresDisplay(Display):
    """Paired score strips: the scores of each model on one metric, the same splits joined by lines.

    Attributes
    ----------
    estimators : sequence of str of length n_estimators
        From top to bottom.
    scores : ndarray of shape (n_estimators, n_splits)
        In the metric's own units; nan where there is none.
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
        The test set in words, where there is one score per model.
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
        own = {row.model: (row.low, row.high) for row in intervals}
        stopping, n = result.stopping, result.design.n_splits
        together = np.array([stopping is None or stopping.in_to_the_end(name) for name in names])
        together &= not result.design.apart
        runs = dict(zip(result.estimators, result.design.n_runs, strict=False))
        return cls(
            estimators=names,
            scores=scores,
            means=_means(scores, together),
            fitted=[runs.get(name, n) if stopping is None else stopping.n_splits_of(name) for name in names],
            metric=metric,
            greater_is_better=result.greater_is_better[result.metrics.index(metric)],
            case=result.design.cases.removesuffix("s"),
            joined=not result.design.apart,
            design=result.design.name if result.design.kind == "samples" else "",
            limits=np.array([own[name] for name in names]),
            confidence_level=intervals.confidence_level,
            baseline=result.baseline if result.baseline in names else None,
        )

    def _title(self) -> str:
        n_models, n_splits = self.scores.shape
        models, splits = counted(n_models, "model"), self.design or counted(n_splits, self.case)
        gap = np.isnan(self.scores)
        fitted = [n_splits] * n_models if self.fitted is None else self.fitted
        if not self.joined:
            most, least = max(fitted), min(fitted)
            each = f"{most}" if least == most else f"{least} to {most}"
            return f"{labels([self.metric])[0]} of {models}, {each} independent run{'' if each == '1' else 's'} each"
        short = [f"{name} after {n}" for name, n in zip(labels(self.estimators), fitted, strict=True) if n < n_splits]
        gap &= np.arange(n_splits) < np.array(fitted)[:, None]
        missing = int(gap[np.isfinite(self.scores).any(axis=1)].any(axis=0).sum())
        gaps = f"; {missing} of {splits} {'is' if n_splits == 1 else 'are'} missing" if missing else ""
        gaps += f"; dropped: {_listed(short)}" if short else ""
        return f"{labels([self.metric])[0]} of {models} on {splits}{gaps}"

    def _size(self) -> tuple[float, float]:
        n = len(self.estimators)
        return 5.5 + width_of(labels(self.estimators)), 1.3 + n * max(0.3, min(0.9, 4.5 / n))

    def _columns(self) -> dict[str, Any]:
        n_models, n_splits = self.scores.shape
        return {
            "metric": self.metric,
            "estimator": np.repeat(self.estimators, n_splits),
            self.case: np.tile(np.arange(n_splits), n_models),
            "score": self.scores.ravel(),
            "mean": np.repeat(self.means, n_splits),
            **{name: np.repeat(ends, n_splits) for name, ends in zip(("low", "high"), self._limits().T, strict=True)},
        }

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
                ax.text(0.5, i, "no scores", transform=ax.get_yaxis_transform(), ha="center", va="center")
        if self.baseline is not None:
            mean = self.means[list(self.estimators).index(self.baseline)]
            ax.plot([mean] * 2, [-0.5, n_models - 0.5], color=ink(ax), ls=LINES[1], lw=1, zorder=0.9, gid="baseline")
        if self._is_logarithmic():
            ax.set_xscale("log")
        ax.set_ylim(n_models - 0.5, -0.5)
        name_rows(ax, range(n_models), labels(self.estimators), self._title())
        direction = f"{labels([self.metric])[0]} ({'more' if self.greater_is_better else 'less'} is better)"
        joined = f"; lines join the same {self.case}" if n_models > 1 and self.joined else ""
        below = "" if self.baseline is None else f"; dashed: {labels([self.baseline])[0]}"
        known = np.isfinite(self._limits()).any()
        own = f" with {percent_of(self.confidence_level)} intervals" if known else ""
        told = f"one score per model{own}" if self.design else f"bars: means{own}{joined}"
        set_below(ax, [direction, f"{told}{below}"])

    def _is_logarithmic(self) -> bool:
        low, high = np.nanmin(self.scores), np.nanmax(self.scores)
        return bool(not self.greater_is_better and low > 0 and high > LOGARITHMIC * low)


def _means(scores: FloatArray, together: NDArray[np.bool_]) -> FloatArray:
    found = np.isfinite(scores)
    common = found[together].all(axis=0)
    used = found & (common | ~together[:, None]) if common.any() else found
    total = np.where(used, scores, 0.0).sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / used.sum(axis=1))


def _listed(dropped: Sequence[str]) -> str:
    more = f" and {len(dropped) - MAX_DROPPED} more" if len(dropped) > MAX_DROPPED else ""
    return ", ".join(dropped[:MAX_DROPPED]) + more
