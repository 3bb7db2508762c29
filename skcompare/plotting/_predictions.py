"""What the predictions of models show: calibration, confusion of classes, and costs of errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from skcompare._core.numbers import percent
from skcompare._core.validation import Chosen, FloatArray, IntArray
from skcompare.comparison.rates import confusion_matrices, read_shown
from skcompare.comparison.reliability import kept_probability
from skcompare.inference import proportion_interval, reliability_points, roc_points
from skcompare.inference.curves.reliability import Strategy
from skcompare.plotting._display import Display, inches
from skcompare.plotting._matrix import BLUE, ORANGE, PALE, Cell, CellsDisplay
from skcompare.plotting._style import MOST_LINES, Axes, down, drawn, ink, labels, look, without_curve
from skcompare.scores.evaluation import EvaluationScores

MOST = 10  # models
FEW = 3  # models up to which the intervals are drawn
ROOM_ABOVE = 1.65  # height of small axes, for a legend within
SMALLEST, LARGEST = 12.0, 90.0  # areas of markers in square points


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
    _entry = 0.38

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        estimators: Chosen = None,
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
            The models to draw, at most ten; by default all that predicted anything, of more than ten the first ten.
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
        found = read_shown(result, estimators, against_rest=True, positive=positive, most=MOST)
        names = found.names
        if len(names) > MOST:
            raise ValueError(f"estimators must name at most {MOST} models; got {len(names)}")
        options: dict[str, Any] = {"n_bins": n_bins, "strategy": strategy, "positive": True}
        curves = [reliability_points(found.is_positive, kept_probability(found, name), **options) for name in names]
        bins = [zip(curve.observed, curve.counts.tolist(), strict=True) for curve in curves]
        limits = [[proportion_interval(round(share * n), n) for share, n in of_model] for of_model in bins]
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

    def _columns(self) -> dict[str, Any]:
        lengths = [len(counts) for counts in self.counts]
        return {
            "estimator": np.repeat(np.array(self.names, dtype=object), lengths),
            **{name: np.concatenate(getattr(self, name)) for name in ("predicted", "observed", "low", "high")},
            "count": np.concatenate(self.counts),
            "calibration_error": np.repeat(self.errors, lengths),
        }

    def _draw(self, ax: Axes) -> None:
        (line,) = ax.plot([0, 1], [0, 1], color=ink(ax), lw=0.9, ls=(0, (2, 3)), zorder=1)
        shown = [self._draw_model(ax, i) for i in range(len(self.names))]
        values = zip(labels(self.names), self.errors.tolist(), self.brier.tolist(), strict=True)
        said = "{}\nECE {:.3f}, Brier {:.3f}" if self._roomy_ else "{} {:.3f}"
        texts = [said.format(*own) for own in values]
        bars = "\n(bars: 95% intervals)" if self._roomy_ and len(self.names) <= FEW else ""
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02 if self._roomy_ else ROOM_ABOVE))
        ax.set_yticks(np.linspace(0, 1, 6 if self._roomy_ else 3))
        title = None if self._roomy_ else "calibration error"
        self._add_legend([*shown, line], [*texts, f"perfectly calibrated{bars}"], title, models=range(len(shown)))
        positive = labels([self.positive], longest=18)[0]
        self._label_axes(ax, [f"mean probability of class {positive}"], [f"share of class {positive}"])

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


# Confusion matrices: of one model, or of two with their difference.


HEIGHT, WIDTH, LARGEST_FONT = 2.8, 6.2, 12.0  # of the two lines in a cell, in sizes of letters; of these in points
FAINT = 0.1  # difference of shares up to which no colour is full


class ConfusionMatrixDisplay(CellsDisplay):
    """How often each class is taken for each other one: by one model, or by two and the difference.

    Attributes
    ----------
    names : sequence of str of length n_models
        One model or two.
    classes : sequence of str of length n_classes
        The classes as text, in their order.
    counts : ndarray of int of shape (n_models, n_classes, n_classes)
        Number of samples by model, true class and predicted class.
    shares : ndarray of shape (n_classes, n_classes)
        The colour: of one model the share of the true class, in [0, 1]; of two the difference of the shares, in
        [-1, 1], positive where it favours the first (on the diagonal more, elsewhere fewer); nan without a sample.
    samples : str
        How many samples there are, and of which design.

    Notes
    -----
    Numbers are written for up to 12 classes; more are shown as colours with a colour bar.
    """

    names: Sequence[str]
    classes: Sequence[str]
    counts: IntArray
    shares: FloatArray
    samples: str

    _most_written, _cell, _text_width, _lowest = 12, (0.85, 0.72), 4.2, 3.3

    @classmethod
    def from_result(cls, result: EvaluationScores, *, estimators: Chosen = None) -> Self:
        """The matrices of one model, or of two.

        Parameters
        ----------
        result : EvaluationScores
            Of a target of classes, with predictions.
        estimators : str or sequence of str, optional
            One model or two; the first two by default.

        Returns
        -------
        ConfusionMatrixDisplay
            Not drawn yet; of the test sets of the first repeat, or of the first of overlapping ones.

        Raises
        ------
        ValueError
            If there are more than two names, one is unknown, or predicted classes were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.plotting import ConfusionMatrixDisplay
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> ConfusionMatrixDisplay.from_result(result, estimators="a").counts[0].tolist()
        [[60, 0], [20, 40]]
        """
        found = confusion_matrices(result, estimators=estimators, most=2)
        if len(found.names) > 2:
            raise ValueError(f"estimators must name one model or two; got {len(found.names)}")
        members = found.counts[0].sum(axis=1, keepdims=True)
        diagonal = np.eye(len(found.labels), dtype=np.bool_)
        signed = found.counts[0] if len(found.names) == 1 else found.difference() * np.where(diagonal, 1, -1)
        return cls(
            names=found.names,
            classes=[str(label) for label in found.labels],
            counts=found.counts,
            shares=np.divide(signed, members, out=np.full(signed.shape, np.nan), where=members > 0),
            samples=found.samples,
        )

    def _title(self) -> str:
        return f"Confusion matrix of {' against '.join(labels(self.names, longest=16))}"

    def _notes(self) -> Sequence[str]:
        return [self.samples]

    def _names(self) -> tuple[Sequence[str], Sequence[str]]:
        return self.classes, self.classes

    def _columns(self) -> dict[str, Any]:
        names = down(self.names)[:, None]
        return {"estimator": names, "y_true": down(self.classes), "y_pred": self.classes, "count": self.counts}

    def _draw(self, ax: Axes) -> None:
        c, alone = len(self.classes), len(self.names) == 1
        reach = 1.0 if alone else max(FAINT, float(np.nanmax(np.abs(self.shares), initial=0.0)))
        width, height = (72 * side / c for side in inches(ax))
        look = {"fontsize": max(4.0, min(LARGEST_FONT, width / WIDTH, height / HEIGHT))}
        written = np.ndindex(c, c) if self._is_written() else ()
        cells = (Cell(i, j, self._text(i, j), lift=0.0, style=look) for i, j in written)
        image = self._draw_cells(ax, self.shares, [ORANGE, PALE, BLUE], cells, reach)
        if not self._is_written():
            what = "share of the true class" if alone else "difference of the shares of the true class"
            self._add_bar(ax, image, what).ax.set_ylim(0.0 if alone else -reach, reach)
        self._label_axes(ax, ["predicted class", *self._explained()], ["true class"], size="small")

    def _text(self, i: int, j: int) -> str:
        counts, share = self.counts[:, i, j].tolist(), self.shares[i, j]
        if len(counts) == 1:
            return f"{counts[0]}\n{'' if np.isnan(share) else percent(share)}"
        more = counts[0] - counts[1]
        return f"{f'{more:+d}' if more else '0'}\n{counts[0]} | {counts[1]}"

    def _explained(self) -> list[str]:
        """What the numbers and the colours are."""
        written = self._is_written()
        if len(self.names) == 1:
            return ["number of samples, share of the true class"] if written else []
        first, second = labels(self.names, 16)
        numbers = [f"above: {first} - {second}    below: {first} | {second}"] if written else []
        return [*numbers, f"blue: better for {first}    orange: for {second}"]


# Cost curves: which model is cheaper, by what the two kinds of errors cost.


COST_GRID: FloatArray = np.linspace(0, 1, 201)
ROOM_ABOVE_COSTS = 1.8  # times the height of small axes, for a legend within


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
    _most_named = MOST_LINES

    @classmethod
    def from_result(cls, result: EvaluationScores, *, estimators: Chosen = None, positive: Any = None) -> Self:
        """The cost curves of a result's models, for one class.

        The best thresholds are those of these very samples: on new ones every model costs a little more.

        Parameters
        ----------
        result : EvaluationScores
            With class scores: ``"roc_auc"`` in `scoring` keeps them.
        estimators : str or sequence of str, optional
            The models; by default all that predicted anything. Of more than 12 the 12 of the smallest mean cost are
            drawn.
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
        found = read_shown(result, estimators, against_rest=True, positive=positive)
        curves = []
        for name in found.names:
            curve = roc_points(found.is_positive, found.positive_scores(name)[0], positive=True)
            misses, alarms = 1 - curve.true_positive_rate, curve.false_positive_rate
            curves.append([float((x * misses + (1 - x) * alarms).min()) for x in COST_GRID.tolist()])
        return cls(
            names=found.names,
            x=COST_GRID,
            y=np.array(curves),
            share=float(found.is_positive.mean()),
            positive=repr(found.positive),
            samples=found.said,
        )

    def _title(self) -> str:
        return f"Cost curves at the best thresholds, {self.samples}"

    def _notes(self) -> Sequence[str]:
        return without_curve(len(self.names), "of larger mean cost")

    def _columns(self) -> dict[str, Any]:
        return {"estimator": down(self.names), "probability_cost": self.x, "normalised_cost": self.y}

    def _draw(self, ax: Axes) -> None:
        first, lines, names = drawn(self.y.mean(axis=1)), [], labels(self.names)
        shown = sorted(first)
        for place, i in enumerate(shown):
            style = {**look(place), "markevery": (11 * place % 40, 40), "lw": 1.4, "markersize": 4.5}
            lines.append(ax.plot(self.x, self.y[i], **style)[0])
        lines += ax.plot(self.x, np.minimum(self.x, 1 - self.x), color=ink(ax), lw=0.9, ls=(0, (2, 3)))
        lines.append(ax.axvline(self.share, color=ink(ax), lw=0.8, alpha=0.6))
        texts = [*(names[i] for i in shown), "one class for all", f"equal costs\n({percent(self.share)} are positive)"]
        room = 1.08 if self._roomy_ else ROOM_ABOVE_COSTS
        ax.set(xlim=(-0.01, 1.01), ylim=(0, room * float(min(0.5, max(self.y[shown].max(), 0.05)))))
        self._add_legend(lines, texts, models=[*map(shown.index, first)])
        positive = labels([self.positive], longest=18)[0]
        below = [f"cost of missing all of class {positive},", "as a part of what errors can cost"]
        self._label_axes(ax, below, ["expected cost, normalised", "lower is better"])
