"""Cost curves: which model is cheaper, by what the two kinds of errors cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from skcompare._core.names import choose_estimators
from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.comparison.shown import read_shown
from skcompare.inference import roc_points
from skcompare.plotting._display import Display
from skcompare.plotting._style import ink, labels, legend_in, look, points, set_below, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.evaluation import EvaluationScores

GRID: FloatArray = np.linspace(0, 1, 201)
PASSES = 40
ROOM_ABOVE = 1.8  # times the height of small axes, for a legend within


@dataclass(kw_only=True, eq=False, repr=False)
class CostCurveDisplay(Display):
    r"""Cost curves of several models: the least expected cost at every ratio of costs and class balance.

    With a share :math:`\pi` of positives and costs :math:`c_{FN}` of a missed positive and :math:`c_{FP}` of a false
    alarm, the horizontal axis is the part of what errors can cost that missed positives have,

    .. math:: x = \frac{c_{FN} \, \pi}{c_{FN} \, \pi + c_{FP} \, (1 - \pi)},

    and the vertical one the expected cost as a part of the largest possible, at the best threshold for it,
    :math:`\min_t \; x \, (1 - TPR_t) + (1 - x) \, FPR_t`.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models.
    x : ndarray of shape (n_points,)
        In [0, 1], ascending.
    y : ndarray of shape (n_models, n_points)
        Normalised expected cost at those, in [0, 0.5]; lower is better.
    share : float
        Share of positives among the samples: where `x` is if both errors cost the same.
    positive : str
        The positive class, as Python writes it.
    samples : str
        How many samples there are, and of which design.

    References
    ----------
    C. Drummond and R. C. Holte (2006), Cost curves: an improved method for visualizing classifier performance, Machine
    Learning 65, 95-130, :doi:`10.1007/s10994-006-8199-5`.
    """

    names: Sequence[str]
    x: FloatArray
    y: FloatArray
    share: float
    positive: str
    samples: str

    @classmethod
    def from_result(
        cls, result: EvaluationScores, *, estimators: str | Sequence[str] | None = None, positive: Any = None
    ) -> Self:
        """The cost curves of a result's models, for one class.

        The best thresholds are those of these very samples: on new ones every model costs a little more.

        Parameters
        ----------
        result : EvaluationScores
            With class scores: ``"roc_auc"`` in `scoring` keeps them.
        estimators : str or sequence of str, optional
            The models to draw; all by default.
        positive : label, optional
            The class, as in `EvaluationResult.rates`.

        Returns
        -------
        CostCurveDisplay
            Not drawn yet; of the test sets of the first repeat, or of the first of overlapping ones.

        Raises
        ------
        ValueError
            If a name is unknown, `positive` is no class, or the class scores were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.plotting import CostCurveDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> display = CostCurveDisplay.from_result(result)
        >>> float(display.y[0].max()) < 0.5  # dearest where it knows least: a guess costs 0.5
        True
        """
        names = choose_estimators(estimators, result.estimators)
        found = read_shown(result, names, against_rest=True, positive=positive)
        curves = []
        for name in names:
            curve = roc_points(found.is_positive, found.positive_scores(name)[0], positive=True)
            curves.append(_least_costs(1 - curve.true_positive_rate, curve.false_positive_rate))
        return cls(
            names=names,
            x=GRID,
            y=np.array(curves),
            share=float(found.is_positive.mean()),
            positive=repr(found.positive),
            samples=found.said,
        )

    def _title(self) -> str:
        return f"Cost curves at the best thresholds, {self.samples}"

    def _size(self) -> tuple[float, float]:
        return 8.4, max(4.6, 1.4 + 0.19 * len(self.names))

    def _columns(self) -> dict[str, Any]:
        n_models, n_points = self.y.shape
        return {
            "estimator": np.repeat(np.array(self.names, dtype=object), n_points),
            "probability_cost": np.tile(self.x, n_models),
            "normalised_cost": self.y.ravel(),
        }

    def _draw(self, ax: Axes) -> None:
        lines = []
        for i, of_model in enumerate(self.y):
            style = {**look(i), "markevery": (11 * i % 40, 40), "lw": 1.4, "markersize": 4.5}
            lines.append(ax.plot(self.x, of_model, **style)[0])
        guess = np.minimum(self.x, 1 - self.x)
        lines += [
            ax.plot(self.x, guess, color=ink(ax), lw=0.9, ls=(0, (2, 3)))[0],
            ax.axvline(self.share, color=ink(ax), lw=0.8, alpha=0.6),
        ]
        texts = [*labels(self.names), "one class for all", f"equal costs\n({percent(self.share)} are positive)"]
        room = 1.08 if self._is_roomy() else ROOM_ABOVE
        ax.set(xlim=(-0.01, 1.01), ylim=(0, room * float(min(0.5, max(self.y.max(), 0.05)))))
        legend_in(ax, lines, texts, roomy=self._is_roomy())
        positive = labels([self.positive], longest=18)[0]
        set_below(ax, [f"cost of missing all of class {positive},", "as a part of what errors can cost"])
        size = points("medium" if self._is_roomy() else "small")
        ax.set_ylabel("expected cost, normalised\nlower is better", fontsize=size)
        set_title(ax, self._title(), beside=0.5)
        ax.spines[["top", "right"]].set_visible(False)


def _least_costs(misses: FloatArray, alarms: FloatArray) -> FloatArray:
    """The least cost over all thresholds, given by their ascending rates of alarms, at each point of the grid."""
    for _ in range(PASSES):  # leave out what lies above the line of its neighbours: it is nowhere the least
        before, after = slice(None, -2), slice(2, None)
        run, fall = alarms[after] - alarms[before], misses[after] - misses[before]
        needed = (misses[1:-1] - misses[before]) * run < (alarms[1:-1] - alarms[before]) * fall
        if needed.all():
            break
        kept = np.r_[True, needed, True]
        misses, alarms = misses[kept], alarms[kept]
    return np.array([float((x * misses + (1 - x) * alarms).min()) for x in GRID.tolist()])
