"""What ROC and precision-recall pictures share: the curves of all folds, their mean and band, and where means cross."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_estimators, choose_pair
from skcompare._core.numbers import counted, percent, percent_of
from skcompare._core.validation import FloatArray
from skcompare.comparison.cases import read_shown
from skcompare.comparison.predictions import check_unweighted
from skcompare.inference import precision_recall_points, roc_points
from skcompare.plotting._display import Display
from skcompare.plotting._style import ink, labels, legend_in, legend_lines, lines_of, look, points, set_below, set_title

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.evaluation.predictions import FoldPrediction
    from skcompare.scores.evaluation import EvaluationScores


# Steps of 1/256 are exact in binary: a rate of a fold that is equal to one of the grid compares equal.
GRID: FloatArray = np.linspace(0, 1, 257)
BAND = (0.05, 0.95)
MANY = 5
FEWEST_NAMED = 3  # models in the legend, however small the axes
ROUNDING = 1e-12


@dataclass(kw_only=True, eq=False, repr=False)
class CurveDisplay(Display):
    """Mean curves over the folds; the fields are documented where they have their meaning."""

    names: Sequence[str]
    x: FloatArray
    y: FloatArray
    low: FloatArray
    high: FloatArray
    areas: FloatArray
    chance: float
    a: str | None
    b: str | None
    crossings: FloatArray
    positive: str
    design: str
    n_folds: int
    left_out: str

    _kind: ClassVar[str]
    _area: ClassVar[str]
    _corner: ClassVar[str]  # without curves
    _rates: ClassVar[tuple[str, str, str]]

    @classmethod
    @abstractmethod
    def _positive(cls, result: EvaluationScores, labels: NDArray[Any]) -> Any:
        """The label that the curves are about, of the two that there are."""

    @staticmethod
    @abstractmethod
    def _curve(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[FloatArray, float]:
        """The height over GRID, and the area, of the curve of one fold."""

    @classmethod
    def _from_result(
        cls, result: EvaluationScores, estimators: str | Sequence[str] | None, a: str | None, b: str | None
    ) -> Self:
        names = choose_estimators(estimators, result.estimators)
        pair = choose_pair(a, b, names) if len(names) > 1 or a is not None or b is not None else None
        check_unweighted(result, f"the plot {cls._kind!r}")
        predictions = [result.predictions(name) for name in names]
        if result.task != "binary":
            raise ValueError(
                f"{cls._kind} curves need a target of two classes; the task here is {result.task!r}; the plots "
                "'differences' and 'scores' show any task"
            )
        known = np.unique(np.concatenate([fold.y_true for fold in predictions[0]]))
        positive = cls._positive(result, known)
        truths = [np.asarray(fold.y_true == positive, dtype=bool) for fold in predictions[0]]
        turned = bool(positive == known[0])
        scores = [[_scores(fold, turned) for fold in folds] for folds in predictions]
        used, left_out = _usable(names, truths, scores)
        curves = {}
        for name, of_model, use in zip(names, scores, used, strict=True):
            if use.any():
                folds = compress(zip(truths, of_model, strict=True), use)
                curves[name] = [cls._curve(truth, score) for truth, score in folds if score is not None]
        heights = {name: np.array([height for height, _ in found]) for name, found in curves.items()}
        means = {name: found.mean(axis=0) for name, found in heights.items()}
        bands = np.array([np.quantile(found, BAND, axis=0) for found in heights.values()])
        pair = pair if pair and set(pair) <= set(curves) else None
        return cls(
            names=list(curves),
            x=GRID,
            y=np.array(list(means.values())),
            low=bands[:, 0],
            high=bands[:, 1],
            areas=np.array([np.mean([area for _, area in found]) for found in curves.values()]),
            chance=float(np.mean([truths[i].mean() for i in np.flatnonzero(used.any(axis=0))])),
            a=pair[0] if pair else None,
            b=pair[1] if pair else None,
            crossings=_crossings(means[pair[0]], means[pair[1]]) if pair else np.empty((0, 2)),
            positive=repr(positive),
            design=result.design.name,
            n_folds=int(used.any(axis=0).sum()),
            left_out=left_out,
        )

    def _title(self) -> str:
        left_out = f"; {self.left_out}" if self.left_out else ""
        if self.n_folds == 1:
            return f"{self._kind} curves on {self.design}{left_out}"
        return f"{self._kind} curves, mean over {self.n_folds} test sets of {self.design}{left_out}"

    def _size(self) -> tuple[float, float]:
        return 8.4, max(4.6, 1.4 + 0.19 * len(self.names))

    def _columns(self) -> dict[str, Any]:
        n_models, n_points = self.y.shape
        x, y, area = self._rates
        return {
            "estimator": np.repeat(np.array(self.names, dtype=object), n_points),
            x: np.tile(self.x, n_models),
            y: self.y.ravel(),
            "low": self.low.ravel(),
            "high": self.high.ravel(),
            area: np.repeat(self.areas, n_points),
        }

    def _draw(self, ax: Axes) -> None:
        from matplotlib.patches import Patch

        drawn: list[Any] = [self._draw_model(ax, i) for i in range(len(self.names))]
        areas = zip(labels(self.names), self.areas.tolist(), strict=True)
        models = [f"{label}, {self._area} {area:.3f}" for label, area in areas]
        chance, text = self._draw_chance(ax)
        lines, texts = [chance], [text]
        self._draw_crossings(ax, lines, texts)
        roomy = self._is_roomy()
        if self.n_folds > 1:
            lines.append(Patch(color=ink(ax), alpha=0.15, lw=0))
            low, high = (percent_of(end) for end in BAND)
            band = f"band: {low} to {high} quantile\nof the folds (no confidence band)"
            texts.append(band if roomy else f"band: {low} to {high} of the folds")
        kept = range(len(models)) if roomy else self._named(legend_lines(ax) - len(lines_of(texts)))
        more = [f"and {counted(len(models) - len(kept), 'more model')}"] if len(kept) < len(models) else []
        lines = [*(drawn[i] for i in kept), *(Patch(alpha=0, lw=0) for _ in more), *lines]
        legend_in(ax, lines, [*(models[i] for i in kept), *more, *texts], roomy=roomy)
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.03))
        self._label_axes(ax, labels([self.positive], longest=18)[0])
        set_title(ax, self._title(), beside=0.5)
        ax.spines[["top", "right"]].set_visible(False)

    def _named(self, room: int) -> list[int]:
        """The models that so many lines of a legend can name: the pair, and those with the largest areas."""
        every = range(len(self.names))
        if len(self.names) <= max(room, FEWEST_NAMED):
            return [*every]
        first = sorted(every, key=lambda i: (self.names[i] not in (self.a, self.b), -self.areas[i]))
        return sorted(first[: max(room - 1, FEWEST_NAMED)])

    def _draw_model(self, ax: Axes, i: int) -> Any:
        chosen = self.names[i] in (self.a, self.b)
        style = {**look(i), "markevery": (11 * i % 48, 48), "zorder": 2.5 if chosen else 2}
        if chosen or len(self.names) <= MANY:
            ax.fill_between(self.x, self.low[i], self.high[i], color=style["color"], alpha=0.15, lw=0.6)
            style |= {"lw": 1.8, "markersize": 5}
        else:
            style |= {"lw": 0.9, "markersize": 4}
        return ax.plot(self.x, self.y[i], **style)[0]

    def _draw_crossings(self, ax: Axes, lines: list[Any], texts: list[str]) -> None:
        if not len(self.crossings) or self.a is None or self.b is None:
            return
        (points,) = ax.plot(*self.crossings.T, "o", mfc="none", mec=ink(ax), ms=8, mew=1.2, zorder=3)
        known = dict(zip(self.names, labels(self.names), strict=True))
        lines.append(points)
        pair = f"means of {known[self.a]}\nand {known[self.b]} cross ({len(self.crossings)})"
        texts.append(pair if len(self.names) > 2 else "means cross")

    @abstractmethod
    def _draw_chance(self, ax: Axes) -> tuple[Any, str]:
        """The line of a model that guesses, and what it is in the legend."""

    @abstractmethod
    def _label_axes(self, ax: Axes, positive: str) -> None:
        """What the axes are, and which way is better."""


def _scores(fold: FoldPrediction, turned: bool) -> FloatArray | None:
    """What the curve of a fold is made of, greater for the positive class; None where it is lacking."""
    scores = fold.predict_proba if fold.decision_function is None else fold.decision_function
    if scores is None or scores.shape != fold.y_true.shape or scores.dtype.kind not in "biuf":
        return None
    numbers = scores.astype(np.float64)
    if not np.isfinite(numbers).all():
        return None
    return -numbers if turned else numbers


def _usable(
    names: Sequence[str], truths: Sequence[NDArray[np.bool_]], scores: Sequence[Sequence[FloatArray | None]]
) -> tuple[NDArray[np.bool_], str]:
    """The folds that each model's mean is over, the same for all where there are such, and what is left out."""
    known = np.array([[part is not None for part in of_model] for of_model in scores])
    if not known.any():
        raise ValueError(
            "scoring must include 'roc_auc' or 'average_precision', so that the scores behind the curves are kept; "
            f"this result has none of {', '.join(map(repr, names[:3]))}{', ...' if len(names) > 3 else ''}"
        )
    both = np.array([truth.any() and not truth.all() for truth in truths])
    own = known & both
    if not own.any():
        raise ValueError("a curve needs a test set with both classes; got none: use fewer or stratified folds")
    drawn = own.any(axis=1)
    common = own[drawn].all(axis=0)
    used = drawn[:, None] & common if common.any() else own
    return used, _left_out(names, both, drawn, used)


def _left_out(names: Sequence[str], both: NDArray[np.bool_], drawn: NDArray[np.bool_], used: NDArray[np.bool_]) -> str:
    """What is left out, in words; empty where nothing is."""
    told = []
    n_single, n_lacking = int((~both).sum()), int((both & ~used[drawn].all(axis=0)).sum())
    if n_single:
        told.append(f"left out: {n_single} with one class only")
    if n_lacking and (used[drawn] == used[drawn][0]).all():
        told.append(f"left out: {n_lacking} without scores of all models")
    elif n_lacking:
        told.append("each model over those of which it has scores, not all over the same")
    lacking = [name for name, has in zip(names, drawn.tolist(), strict=True) if not has]
    if lacking:
        more = f" and {len(lacking) - 3} more" if len(lacking) > 3 else ""
        told.append(f"no scores at all: {', '.join(labels(lacking[:3]))}{more}")
    return "; ".join(told)


def _crossings(y_a: FloatArray, y_b: FloatArray) -> FloatArray:
    """Where two curves over GRID cross, shape (n_crossings, 2); the middle where they share a piece in between."""
    gap = np.where(np.abs(y_a - y_b) <= ROUNDING, 0.0, y_a - y_b)
    apart = np.flatnonzero(gap)
    left, right = apart[:-1], apart[1:]
    change = gap[left] * gap[right] < 0
    left, right = left[change], right[change]
    share = gap[left] / (gap[left] - gap[right])
    neighbours = GRID[left] + share * (GRID[right] - GRID[left])
    crossing = np.where(right - left == 1, neighbours, (GRID[left + 1] + GRID[right - 1]) / 2)
    return np.column_stack([crossing, np.interp(crossing, GRID, y_a)])


# ROC and precision-recall curves of all models, averaged over the folds.


@dataclass(kw_only=True, eq=False, repr=False)
class RocCurveDisplay(CurveDisplay):
    """ROC curves: vertical averages over the test sets, with a band and the crossings of two of them.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models.
    x : ndarray of shape (n_points,)
        False positive rates in [0, 1], ascending, the same for all.
    y : ndarray of shape (n_models, n_points)
        Mean true positive rates at those, in [0, 1]; at a vertical step its upper end.
    low, high : ndarray of shape (n_models, n_points)
        5% and 95% quantile of the test sets' true positive rates, at each false positive rate by itself. The band
        describes how the test sets vary; it is no confidence band. Of more than five models those of `a` and `b` are
        drawn.
    areas : ndarray of shape (n_models,)
        Mean over the test sets of the area under the curve of each, which is its ROC AUC.
    chance : float
        Mean share of positives in the test sets.
    a, b : str or None
        The two models whose crossings are marked; None where there are no two.
    crossings : ndarray of shape (n_crossings, 2)
        False and true positive rates at which the mean curves of `a` and `b` cross.
    positive : str
        The positive class, as Python writes it.
    design : str
        How the test sets were drawn.
    n_folds : int
        Number of test sets that the means are over.
    left_out : str
        What is left out of the means, in words; empty where nothing is.

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27(8), 861-874,
    :doi:`10.1016/j.patrec.2005.10.010`, algorithm 3 (vertical averaging).
    """

    _kind = "ROC"
    _corner = "lower right"
    _area = "AUC"
    _rates = ("false_positive_rate", "true_positive_rate", "roc_auc")

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        estimators: str | Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
    ) -> Self:
        """The curves of a result's models; the positive class is the greater label, as for ``"roc_auc"``.

        Parameters
        ----------
        result : EvaluationScores
            Of a target of two classes, with predictions and ``"roc_auc"`` among its metrics.
        estimators : str or sequence of str, optional
            The models to draw; all by default.
        a, b : str, optional
            The two of them whose crossings are marked; the first and the second by default.

        Returns
        -------
        RocCurveDisplay
            Not drawn yet. Test sets with one class only, or without finite scores of one of the models, are left out
            of all means, and the title says so.

        Raises
        ------
        ValueError
            If a name is unknown, the target has not two classes, or the scores were not kept.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> from skcompare.plotting import RocCurveDisplay
        >>> evaluator = PairedEvaluator(cv=5, scoring="roc_auc", random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> display = RocCurveDisplay.from_result(result)
        >>> bool(abs(display.areas[0] - result.score("nb", "roc_auc").mean()) < 1e-12)
        True
        """
        return cls._from_result(result, estimators, a, b)

    @classmethod
    def _positive(cls, result: EvaluationScores, labels: NDArray[Any]) -> Any:  # noqa: ARG003
        return labels[-1:].tolist()[0]

    @staticmethod
    def _curve(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[FloatArray, float]:
        curve = roc_points(positive, scores)
        return curve.at(GRID), curve.area

    def _draw_chance(self, ax: Axes) -> tuple[Any, str]:
        return ax.plot([0, 1], [0, 1], color=ink(ax), lw=0.9, ls=(0, (2, 3)))[0], "chance"

    def _label_axes(self, ax: Axes, positive: str) -> None:
        ax.set_xlabel(f"false positive rate\nshare of the other class that is called {positive}")
        ax.set_ylabel(f"true positive rate of class {positive}\nhigher is better")


@dataclass(kw_only=True, eq=False, repr=False)
class PrecisionRecallDisplay(CurveDisplay):
    """Precision-recall curves: mean precision over the test sets at each recall, with a band and crossings.

    Attributes
    ----------
    names : sequence of str of length n_models
        The models.
    x : ndarray of shape (n_points,)
        Recalls in [0, 1], ascending, the same for all.
    y : ndarray of shape (n_models, n_points)
        Mean precisions, in [0, 1]: of each test set that of the highest threshold which reaches the recall. The area
        under such steps is the average precision.
    low, high : ndarray of shape (n_models, n_points)
        5% and 95% quantile of the test sets' precisions, at each recall by itself. The band describes how the test
        sets vary; it is no confidence band. Of more than five models those of `a` and `b` are drawn.
    areas : ndarray of shape (n_models,)
        Mean over the test sets of the average precision of each.
    chance : float
        Mean share of positives in the test sets: the precision of a model that guesses.
    a, b : str or None
        The two models whose crossings are marked; None where there are no two.
    crossings : ndarray of shape (n_crossings, 2)
        Recalls and precisions at which the mean curves of `a` and `b` cross.
    positive : str
        The positive class, as Python writes it.
    design : str
        How the test sets were drawn.
    n_folds : int
        Number of test sets that the means are over.
    left_out : str
        What is left out of the means, in words; empty where nothing is.
    """

    _kind = "precision-recall"
    _corner = "lower left"
    _area = "AP"
    _rates = ("recall", "precision", "average_precision")

    @classmethod
    def from_result(
        cls,
        result: EvaluationScores,
        *,
        estimators: str | Sequence[str] | None = None,
        a: str | None = None,
        b: str | None = None,
    ) -> Self:
        """The curves of a result's models, for its `positive_class`, as for ``"precision"`` and ``"recall"``.

        Parameters
        ----------
        result : EvaluationScores
            Of a target of two classes, with predictions and ``"roc_auc"`` among its metrics.
        estimators : str or sequence of str, optional
            The models to draw; all by default.
        a, b : str, optional
            The two of them whose crossings are marked; the first and the second by default.

        Returns
        -------
        PrecisionRecallDisplay
            Not drawn yet. Test sets with one class only, or without finite scores of one of the models, are left out
            of all means, and the title says so.

        Raises
        ------
        ValueError
            If a name is unknown, the target has not two classes, or the scores were not kept.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> from skcompare.plotting import PrecisionRecallDisplay
        >>> evaluator = PairedEvaluator(cv=5, scoring="roc_auc", random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> PrecisionRecallDisplay.from_result(result).plot().ax_.get_xlabel()
        'recall of class 1'
        """
        return cls._from_result(result, estimators, a, b)

    @classmethod
    def _positive(cls, result: EvaluationScores, labels: NDArray[Any]) -> Any:  # noqa: ARG003
        return result.positive_class

    @staticmethod
    def _curve(positive: NDArray[np.bool_], scores: FloatArray) -> tuple[FloatArray, float]:
        curve = precision_recall_points(positive, scores)
        found = curve.recall > 0
        recall, precision = curve.recall[found], curve.precision[found]
        return precision[np.searchsorted(recall, GRID)], float(np.diff(recall, prepend=0.0) @ precision)

    def _draw_chance(self, ax: Axes) -> tuple[Any, str]:
        line = ax.axhline(self.chance, color=ink(ax), lw=0.9, ls=(0, (2, 3)))
        return line, f"chance ({percent(self.chance)} are positive)"

    def _label_axes(self, ax: Axes, positive: str) -> None:
        ax.set_xlabel(f"recall of class {positive}")
        ax.set_ylabel(f"precision of class {positive}\nhigher is better")


# Cost curves: which model is cheaper, by what the two kinds of errors cost.


COST_GRID: FloatArray = np.linspace(0, 1, 201)
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
            x=COST_GRID,
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
    return np.array([float((x * misses + (1 - x) * alarms).min()) for x in COST_GRID.tolist()])
