"""Curves of several models: ROC and precision-recall curves over the folds, and scores by the size of training sets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import compress
from typing import Any, ClassVar, Self

import numpy as np

from skcompare._core.numbers import ROUNDING, counted, listed, percent, percent_of
from skcompare._core.validation import BoolArray, Chosen, FloatArray, choose_estimators, choose_metric, choose_pair
from skcompare.comparison.error_rates import FRAGILE
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.learning_curve import compare_sizes, crossings
from skcompare.comparison.means import shown_score
from skcompare.evaluation.predictions import FoldPrediction
from skcompare.inference import precision_recall_points, roc_points
from skcompare.inference.curves.roc import sign_changes
from skcompare.plotting._display import Display, metric_shown
from skcompare.plotting._style import MOST_LINES, Axes, direction, down, drawn, ink, labels, look, without_curve
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.predictions import check_unweighted
from skcompare.scores.study import LearningCurveScores

# What ROC and precision-recall pictures share: the curves of all folds, their mean and band, and where means cross.


# Steps of 1/256 are exact in binary: a rate of a fold that is equal to one of the grid compares equal.
GRID: FloatArray = np.linspace(0, 1, 257)
BAND = (0.05, 0.95)
MANY = 5


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
    _rates: ClassVar[tuple[str, str, str]]
    _says: ClassVar[tuple[list[str], list[str]]]  # what the axes are, and which way is better
    _most_named = MOST_LINES
    _of_last: ClassVar[bool]  # whether they are about the last of two labels, not about the positive class

    @staticmethod
    @abstractmethod
    def _curve(positive: BoolArray, scores: FloatArray) -> tuple[FloatArray, float]:
        """The height over GRID, and the area, of the curve of one fold."""

    @classmethod
    def from_result(
        cls, result: EvaluationScores, *, estimators: Chosen = None, a: str | None = None, b: str | None = None
    ) -> Self:
        """The curves of a result's models.

        The positive class of ROC curves is the greater label, as for ``"roc_auc"``; that of precision-recall curves is
        the `positive_class` of the result, as for ``"precision"`` and ``"recall"``.

        Parameters
        ----------
        result : EvaluationScores
            Of a target of two classes, with predictions and ``"roc_auc"`` among its metrics.
        estimators : str or sequence of str, optional
            The models; all by default. Of more than 12 the pair and those with the largest areas are drawn.
        a, b : str, optional
            The two of them whose crossings are marked; the first and the second by default.

        Returns
        -------
        Display
            Not drawn yet. Test sets with one class only, or without finite scores of one of the models, are left out
            of all means, and the picture says so.

        Raises
        ------
        ValueError
            If a name is unknown, the target has not two classes, the scores were not kept, or no test set has both
            classes and scores of all models.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> from skcompare.plotting import PrecisionRecallDisplay, RocCurveDisplay
        >>> evaluator = PairedEvaluator(cv=5, scoring="roc_auc", random_state=0)
        >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
        >>> result = evaluator.evaluate(models, *load_breast_cancer(return_X_y=True))
        >>> display = RocCurveDisplay.from_result(result)
        >>> bool(abs(display.areas[0] - result.score("nb", "roc_auc").mean()) < 1e-12)
        True
        >>> PrecisionRecallDisplay.from_result(result).plot().ax_.get_xlabel()
        'recall of class 1'
        """
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
        positive = known[-1:].tolist()[0] if cls._of_last else result.positive_class
        truths = [np.asarray(fold.y_true == positive, dtype=bool) for fold in predictions[0]]
        turned = bool(positive == known[0])
        scores = [[_scores(fold, turned) for fold in folds] for folds in predictions]
        usable, used, left_out = _usable(names, truths, scores)
        curves = {}
        for name, of_model in compress(zip(names, scores, strict=True), usable):
            folds = compress(zip(truths, of_model, strict=True), used)
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
            chance=float(np.mean([truth.mean() for truth in compress(truths, used)])),
            a=pair[0] if pair else None,
            b=pair[1] if pair else None,
            crossings=_crossings(means[pair[0]], means[pair[1]]) if pair else np.empty((0, 2)),
            positive=repr(positive),
            design=result.design.name,
            n_folds=int(used.sum()),
            left_out=left_out,
        )

    def _title(self) -> str:
        if self.n_folds == 1:
            return f"{self._kind} curves on {self.design}"
        return f"{self._kind} curves, mean over {self.n_folds} test sets of {self.design}"

    def _notes(self) -> Sequence[str]:
        return [*filter(None, [self.left_out]), *without_curve(len(self.names), f"of smaller {self._area}")]

    def _columns(self) -> dict[str, Any]:
        x, y, area = self._rates
        limits = {"low": self.low, "high": self.high}
        return {"estimator": down(self.names), x: self.x, y: self.y, **limits, area: down(self.areas)}

    def _draw(self, ax: Axes) -> None:
        from matplotlib.patches import Patch

        # The pair comes first, then those with the largest areas.
        chosen = [name in (self.a, self.b) for name in self.names]
        first = drawn(np.where(chosen, -np.inf, -self.areas))
        shown = sorted(first)
        curves: list[Any] = [self._draw_model(ax, i, place) for place, i in enumerate(shown)]
        texts = labels(self.names)
        models = [f"{texts[i]}, {self._area} {self.areas[i]:.3f}" for i in shown]
        chance, text = self._draw_chance(ax)
        lines, texts = [chance], [text]
        self._draw_crossings(ax, lines, texts)
        if self.n_folds > 1:
            lines.append(Patch(color=ink(ax), alpha=0.15, lw=0))
            of = "quantile\nof the folds (no confidence band)" if self._roomy_ else "of the folds"
            texts.append(f"band: {percent_of(BAND[0])} to {percent_of(BAND[1])} {of}")
        self._add_legend([*curves, *lines], [*models, *texts], models=[*map(shown.index, first)])
        ax.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.03))
        positive = labels([self.positive], longest=18)[0]
        self._label_axes(ax, *([line.format(positive) for line in lines] for lines in self._says))

    def _draw_model(self, ax: Axes, i: int, place: int) -> Any:
        chosen = self.names[i] in (self.a, self.b)
        style = {**look(place), "markevery": (11 * place % 48, 48), "zorder": 2.5 if chosen else 2}
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
        what = "means" if self.n_folds > 1 else "curves"
        pair = f"{what} of {known[self.a]}\nand {known[self.b]} cross ({len(self.crossings)})"
        texts.append(pair if len(self.names) > 2 else f"{what} cross")

    @abstractmethod
    def _draw_chance(self, ax: Axes) -> tuple[Any, str]:
        """The line of a model that guesses, and what it is in the legend."""


def _scores(fold: FoldPrediction, turned: bool) -> FloatArray | None:
    """What the curve of a fold is made of, greater for the positive class; None where it is lacking."""
    scores = fold.predict_proba if fold.decision_function is None else fold.decision_function
    if scores is None or scores.shape != fold.y_true.shape or scores.dtype.kind not in "biuf":
        return None
    numbers = scores.astype(np.float64) * (-1 if turned else 1)
    return numbers if np.isfinite(numbers).all() else None


def _usable(
    names: Sequence[str], truths: Sequence[BoolArray], scores: Sequence[Sequence[FloatArray | None]]
) -> tuple[BoolArray, BoolArray, str]:
    """The models that have scores, the folds that all their means are over, and what is left out, in words."""
    known = np.array([[part is not None for part in of_model] for of_model in scores])
    if not known.any():
        raise ValueError(
            "scoring must include 'roc_auc' or 'average_precision', so that the scores behind the curves are kept; "
            f"this result has none of {', '.join(map(repr, names[:3]))}{', ...' if len(names) > 3 else ''}"
        )
    both = np.array([truth.any() and not truth.all() for truth in truths])
    drawn = (known & both).any(axis=1)
    used = both & known[drawn].all(axis=0)
    if not drawn.any() or not used.any():
        raise ValueError(
            "curves need a test set with both classes and with scores of all models; got none: use fewer or stratified "
            "folds, or name models that share one with estimators="
        )
    n_single, n_lacking = int((~both).sum()), int((both & ~used).sum())
    told = [f"left out: {n_single} with one class only"] * (n_single > 0)
    told += [f"left out: {n_lacking} without scores of all models"] * (n_lacking > 0)
    told += [f"no scores at all: {listed(labels([*compress(names, ~drawn)]), 3)}"] * (not drawn.all())
    return drawn, used, "; ".join(told)


def _crossings(y_a: FloatArray, y_b: FloatArray) -> FloatArray:
    """Where two curves over GRID cross, shape (n_crossings, 2); the middle where they share a piece in between."""
    gap = np.where(np.abs(y_a - y_b) <= ROUNDING, 0.0, y_a - y_b)
    crossing = sign_changes(GRID, gap)
    return np.column_stack([crossing, np.interp(crossing, GRID, y_a)])


# ROC and precision-recall curves of all models, averaged over the folds.


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
    _area = "AUC"
    _rates = ("false_positive_rate", "true_positive_rate", "roc_auc")
    _says = (
        ["false positive rate", "share of the other class that is called {}"],
        ["true positive rate of class {}", "higher is better"],
    )
    _of_last = True

    @staticmethod
    def _curve(positive: BoolArray, scores: FloatArray) -> tuple[FloatArray, float]:
        curve = roc_points(positive, scores)
        return curve.at(GRID), curve.area

    def _draw_chance(self, ax: Axes) -> tuple[Any, str]:
        return ax.plot([0, 1], [0, 1], color=ink(ax), lw=0.9, ls=(0, (2, 3)))[0], "chance"


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
    _area = "AP"
    _rates = ("recall", "precision", "average_precision")
    _says = (["recall of class {}"], ["precision of class {}", "higher is better"])
    _of_last = False

    @staticmethod
    def _curve(positive: BoolArray, scores: FloatArray) -> tuple[FloatArray, float]:
        curve = precision_recall_points(positive, scores)
        found = curve.recall > 0
        recall, precision = curve.recall[found], curve.precision[found]
        return precision[np.searchsorted(recall, GRID)], float(np.diff(recall, prepend=0.0) @ precision)

    def _draw_chance(self, ax: Axes) -> tuple[Any, str]:
        line = ax.axhline(self.chance, color=ink(ax), lw=0.9, ls=(0, (2, 3)))
        return line, f"chance ({percent(self.chance)} are positive)"


# Learning curves: the mean score of every model by the number of training samples.


MOST_BANDS = 6  # models


class LearningCurveDisplay(Display):
    """Mean scores by the number of training samples, with their intervals, and where differences are significant.

    Attributes
    ----------
    estimators : sequence of str of length n_estimators
        The models.
    sizes : sequence of int of length n_sizes
        Training samples.
    means, low, high : ndarray of shape (n_estimators, n_sizes)
        Mean scores, in the metric's own units, a loss of scikit-learn's without its sign, and the interval of each,
        for it alone; nan where there is none.
    significant : ndarray of bool of shape (n_estimators, n_sizes)
        Which models are significantly better than another one at a size, by p-values adjusted over all; of three or
        more than another one that is not the baseline.
    crossing : tuple of float, or None
        Of two models where the curves cross, and the ends of the interval; 0 and inf where it has no end here.
    metric : str
        What the scores are of.
    greater_is_better : bool
        Its direction.
    design : str
        The resampling in words.
    baseline : str or None
        The model that does not count in `significant`.
    fragile : ndarray of bool of shape (n_estimators, n_sizes), optional
        Where all that makes a model `significant` would not stand in the worst of similar simulations: ``~``.
    """

    estimators: Sequence[str]
    sizes: Sequence[int]
    means: FloatArray
    low: FloatArray
    high: FloatArray
    significant: BoolArray
    crossing: tuple[float, float, float] | None
    metric: str
    greater_is_better: bool
    design: str = ""
    baseline: str | None = None
    fragile: BoolArray | None = None
    _figure = (8.4, 4.8)

    @classmethod
    def from_result(cls, result: LearningCurveScores, *, metric: str | None = None, estimators: Chosen = None) -> Self:
        """The curves of a learning curve.

        Parameters
        ----------
        result : LearningCurveResult
            What to show.
        metric : str, optional
            The first by default.
        estimators : str or sequence of str, optional
            Which, and in which order; all by default. Of two models the picture has their crossing, of more than 12
            those that are best at the largest size.

        Returns
        -------
        LearningCurveDisplay
            Not drawn yet.

        Raises
        ------
        ValueError
            If a name is unknown.
        """
        metric = choose_metric(metric, result.metrics)
        names = choose_estimators(estimators, result.estimators)
        own = {
            size: {row.model: (row.score, row.low, row.high) for row in score_intervals(one, metric)}
            for size, one in result.results.items()
        }
        values = np.array([[own[size][name] for size in result.sizes] for name in names], dtype=np.float64)
        values[:, :, 1:] = np.sort(shown_score(metric, values[:, :, 1:]), axis=2)
        rows = [row for row in compare_sizes(result).rows if row.metric == metric and {row.a, row.b} <= {*names}]
        baseline = result.largest.baseline if len(names) > 2 else None
        found = crossings(result, metric, names if len(names) == 2 else ())
        won = [row for row in rows if row.winner is not None and baseline not in (row.a, row.b)]
        winners, firm = ({(row.winner, row.size) for row in own} for own in (won, [x for x in won if not x.fragile]))
        at = [[(name, size) for size in result.sizes] for name in names]
        significant = np.array([[one in winners for one in row] for row in at])
        return cls(
            estimators=names,
            sizes=result.sizes,
            means=shown_score(metric, values[:, :, 0]),
            low=values[:, :, 1],
            high=values[:, :, 2],
            significant=significant,
            crossing=next(((one.estimate, one.low, one.high) for one in found), None),
            **metric_shown(metric, result.largest.greater_is_better[result.metrics.index(metric)]),
            design=result.largest.design.name,
            baseline=baseline,
            fragile=significant & ~np.array([[one in firm for one in row] for row in at]),
        )

    def _title(self) -> str:
        return f"{labels([self.metric])[0]} of {counted(len(self.estimators), 'model')}, {self.design}"

    def _notes(self) -> Sequence[str]:
        left_out = without_curve(len(self.estimators), f"worse at {self.sizes[-1]} samples")
        marked = self.fragile is not None and self.fragile[drawn(self._places())].any()
        return [*left_out, f"~ {FRAGILE[False]}"] if marked else left_out

    def _places(self) -> FloatArray:
        """What the models are ordered by, least first: their means at the largest size."""
        return self.means[:, -1] * (-1 if self.greater_is_better else 1)

    def _columns(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in ("means", "low", "high", "significant")}
        return {"metric": self.metric, "estimator": down(self.estimators), "size": self.sizes, **values}

    def _draw(self, ax: Axes) -> None:
        first = drawn(self._places())
        shown, names = sorted(first), labels(self.estimators)
        handles, texts = [], [names[i] for i in shown]
        for place, i in enumerate(shown):
            style = look(place)
            if len(self.estimators) <= MOST_BANDS:
                ax.fill_between(self.sizes, self.low[i], self.high[i], color=style["color"], alpha=0.12, lw=0)
            (line,) = ax.plot(self.sizes, self.means[i], **{**style, "marker": ""}, lw=1.8, zorder=2)
            for filled in (False, True):
                there = self.significant[i] == filled
                face = style["color"] if filled else "none"
                own = {"marker": style["marker"], "color": style["color"], "mfc": face, "ls": "", "ms": 6}
                ax.plot(np.array(self.sizes)[there], self.means[i][there], **own, zorder=3)
            for at in compress(range(len(self.sizes)), () if self.fragile is None else self.fragile[i]):
                beside: dict[str, Any] = {"xytext": (0, -12), "textcoords": "offset points", "ha": "center"}
                ax.annotate("~", (self.sizes[at], self.means[i, at]), **beside, weight="bold", zorder=3)
            handles.append(line)
        self._draw_crossing(ax, handles, texts)
        ax.set_xscale("log")
        self._name_sizes(ax)
        self._add_legend(handles, texts, models=[*map(shown.index, first)])
        other = "another model" if self.baseline is None else f"a model other than {labels([self.baseline])[0]}"
        marks = [f"filled: significantly better than {other} at this size"] * (len(self.estimators) > 1)
        marks += ["bands: 95% intervals"] * (len(self.estimators) <= MOST_BANDS)
        self._label_axes(ax, ["training samples", "; ".join(marks)], [direction(self.metric, self.greater_is_better)])

    def _draw_crossing(self, ax: Axes, handles: list[Any], texts: list[str]) -> None:
        if self.crossing is None:
            return
        at, low, high = self.crossing
        ends = max(low, self.sizes[0]), min(high, self.sizes[-1])
        ax.axvspan(*ends, color=ink(ax), alpha=0.06, lw=0, zorder=0.5, gid="crossing interval")
        handles.append(ax.axvline(at, color=ink(ax), ls=(0, (2, 2)), lw=1, zorder=0.9, gid="crossing"))
        texts.append(f"crossing at {at:.0f}\nand its 95% interval")

    def _name_sizes(self, ax: Axes) -> None:
        """A tick at each size, named where there is room."""
        places = np.log(np.array(self.sizes) / self.sizes[0])
        places /= places[-1] or 1.0
        shown, last = [], -1.0
        for size, place in zip(self.sizes, places.tolist(), strict=True):
            shown.append(str(size) if place - last > 0.02 * (1 + len(str(size))) else "")
            last = place if shown[-1] else last
        ax.set_xticks(list(self.sizes), shown)
        ax.minorticks_off()
