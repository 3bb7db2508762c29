"""ROC and precision-recall curves of all models, averaged over the folds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent
from skcompare._core.validation import FloatArray
from skcompare.inference import precision_recall_points, roc_points
from skcompare.plotting._curves import GRID, CurveDisplay
from skcompare.plotting._style import ink

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from skcompare.scores.evaluation import EvaluationScores


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
