"""Questions to the predictions that a result keeps: what a threshold gives, which classes are mistaken, who differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import ArrayLike, NDArray

from skcompare._core.validation import FloatArray
from skcompare.comparison.confusion import ConfusionMatrices, confusion_matrices, disagreements
from skcompare.comparison.expected_cost import ExpectedCostTable, expected_cost
from skcompare.comparison.predictions import check_unweighted, pool
from skcompare.comparison.rates import RatesTable, rates
from skcompare.comparison.reliability import ReliabilityTable, reliability
from skcompare.inference.curves.reliability import Strategy


class Predicted:
    """What a result says of its predictions; each sample counts once, from the first complete repeat."""

    __slots__ = ()

    def rates(
        self: Any,
        threshold: ArrayLike | None = None,
        *,
        estimators: str | Sequence[str] | None = None,
        confidence_level: float = 0.95,
        positive: Any = None,
    ) -> RatesTable:
        """True and false positive rate and precision of models at given thresholds.

        A threshold is on the probability of the positive class, or on the decision value of a model of which only
        that was kept: `scoring` with ``"neg_brier_score"`` or ``"neg_log_loss"`` keeps probabilities. The test sets of
        the first repeat are pooled, or the first of overlapping ones is taken.

        Parameters
        ----------
        threshold : float or array_like of shape (n_thresholds,), optional
            A sample is called positive where its score is at least this; by default 0.5 of probabilities and 0 of
            decision values.
        estimators : str or sequence of str, optional
            The models; all by default.
        confidence_level : float, default=0.95
            Of the Wilson interval of each rate, in (0, 1).
        positive : label, optional
            The class that is set against all others; `positive_class` by default, of more than two classes to be named.

        Returns
        -------
        RatesTable
            One row per model and threshold, with the counts, also as `hits`, `misses`, `false_alarms` and
            `correct_rejections`; a row prints their shares with intervals. A rate that is 0/0 is nan, with the warning
            UNDEFINED_METRIC.

        Raises
        ------
        ValueError
            If a name is unknown, an option is out of range, `positive` is no class, or no class scores were kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> for row in result.rates([0.3, 0.5], estimators="b"):
        ...     print(row.threshold, row.true_positives, row.false_positives, round(row.precision, 3))
        0.3 60 40 0.6
        0.5 40 20 0.667
        """
        return rates(self, threshold, estimators=estimators, confidence_level=confidence_level, positive=positive)

    def expected_cost(
        self: Any,
        cost: Mapping[tuple[Any, Any], float] | ArrayLike,
        *,
        baseline: str | None = None,
        confidence_level: float = 0.95,
    ) -> ExpectedCostTable:
        """Mean cost per sample of every model, by what each kind of error costs, with intervals and tests of all pairs.

        The estimated risk of each model (its expected loss) on the predictions that were kept, from which the splits
        are scored anew: as if `cost_scorer` with these costs had been in `scoring`. Intervals are those of
        ``intervals()``, tests those of ``compare()``, so that they fit folds, a test set and clusters alike.

        Parameters
        ----------
        cost : mapping of (true class, predicted class) to float, or array_like of shape (n_classes, n_classes)
            As in `cost_scorer`; the rows and columns of an array are the sorted classes of the data.
        baseline : str, optional
            A model with which all others are compared; all pairs by default.
        confidence_level : float, default=0.95
            Of the interval of each model, in (0, 1).

        Returns
        -------
        ExpectedCostTable
            One row per model, and `comparison` with the pairs. The warning FEW_COSTLY tells where few samples carry
            most of the cost: tests and intervals are then uncertain, whatever they say.

        Raises
        ------
        ValueError
            If the costs do not fit the classes, predicted classes were not kept, samples have weights, or the run was
            looked at while it ran.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [1, 1, 1, 1, 0, 0] * 20, "b": [1, 1, 0, 0, 0, 0] * 20}
        >>> found = from_predictions(y_true, models, scoring="accuracy").expected_cost({(1, 0): 5, (0, 1): 1})
        >>> for row in found:
        ...     print(row.estimator, round(row.cost, 3), round(row.low, 3), round(row.high, 3))
        a 0.167 0.099 0.234
        b 0.833 0.495 1.172
        >>> found.comparison[0].winner
        'a'
        """
        return expected_cost(self, cost, baseline=baseline, confidence_level=confidence_level)

    def disagreements(self: Any, a: str | None = None, b: str | None = None) -> Any:
        """The samples on which two models predict different classes, as a pandas DataFrame; needs pandas.

        The test sets of the first repeat are taken, or the first of overlapping ones; test sets on which one of the
        two failed are left out.

        Parameters
        ----------
        a, b : str, optional
            The models; the first and the second by default.

        Returns
        -------
        pandas.DataFrame
            Columns: sample (its id, or its row of X), y_true, prediction_a, prediction_b, right (the name of the model
            that is right, None where neither is); in the order of the rows of X.

        Raises
        ------
        ImportError
            If pandas is not installed.
        ValueError
            If a name is unknown, or predicted classes were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> result.disagreements()["right"].value_counts().to_dict()
        {'a': 20}
        """
        return disagreements(self, a, b)

    def confusion_matrices(self: Any, *, estimators: str | Sequence[str] | None = None) -> ConfusionMatrices:
        """How often each class is taken for each other one, by model.

        The test sets of the first repeat are pooled, or the first of overlapping ones is taken, the same samples for
        all models; ``plot("confusion")`` draws one model, or two with their difference.

        Parameters
        ----------
        estimators : str or sequence of str, optional
            The models; all by default.

        Returns
        -------
        ConfusionMatrices
            With ``of(name)`` and ``difference(a, b)``.

        Raises
        ------
        ValueError
            If a name is unknown, or predicted classes were not kept.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> result.confusion_matrices().of("a").tolist()
        [[60, 0], [20, 40]]
        """
        return confusion_matrices(self, estimators=estimators)

    def reliability(
        self: Any,
        a: str | None = None,
        b: str | None = None,
        *,
        estimators: str | Sequence[str] | None = None,
        n_bins: int = 10,
        strategy: Strategy = "uniform",
        n_resamples: int = 2000,
        positive: Any = None,
    ) -> ReliabilityTable:
        """How good the probabilities of models are, and whether those of two of them differ significantly.

        Brier score and log loss of two models are compared by `paired_t_test` on the losses of single samples, the
        expected calibration error by `calibration_error_test`; the three p-values share one error rate (Holm). They
        speak of these fitted models. ``plot("reliability")`` draws the calibration curves.

        Parameters
        ----------
        a, b : str, optional
            The two models that are tested; the first and the second of `estimators` by default.
        estimators : str or sequence of str, optional
            The models; all by default.
        n_bins : int, default=10
            Bins of the calibration error, at least 1.
        strategy : {"uniform", "quantile"}, default="uniform"
            Bins of equal width, or with about equal numbers of samples.
        n_resamples : int, default=2000
            Bootstrap samples of the calibration error, at least 2; their seed is the evaluator's.
        positive : label, optional
            The class whose probability is judged against all others; `positive_class` by default, of more than two
            classes to be named. ``"neg_log_loss"`` and ``"neg_brier_score"`` in `scoring` judge all classes at once.

        Returns
        -------
        ReliabilityTable
            One row per model, and ``differences`` of the two.

        Raises
        ------
        ValueError
            If a name is unknown, an option is out of range, `positive` is no class, or no probabilities were kept:
            ``"neg_brier_score"`` or ``"neg_log_loss"`` in `scoring` keeps them.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> found = result.reliability()
        >>> [round(row.brier, 3) for row in found], [row.winner for row in found.differences]
        ([0.092, 0.183], ['a', 'a', None])
        """
        options = {"n_bins": n_bins, "strategy": strategy, "n_resamples": n_resamples}
        return reliability(self, a, b, estimators=estimators, positive=positive, **options)

    def class_scores(self: Any, estimator: str) -> tuple[NDArray[Any], FloatArray]:
        """Labels and scores of one estimator, for the curves and costs of `skcompare.inference`.

        The test sets of the first repeat are pooled, or the first of overlapping ones is taken: scores of models
        fitted on different training sets then stand side by side.

        Parameters
        ----------
        estimator : str
            Its name.

        Returns
        -------
        y_true : ndarray of shape (n_samples,)
            Labels of two classes.
        scores : ndarray of shape (n_samples,)
            Decision values, or the probability of the greater label.

        Raises
        ------
        ValueError
            If the name is unknown, or the scores were not kept: a metric such as ``"roc_auc"`` asks for them.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> from skcompare.inference import expected_cost
        >>> y_true = [1, 1, 1, 0, 0, 0] * 20
        >>> models = {"a": [0.9, 0.8, 0.4, 0.3, 0.2, 0.1] * 20, "b": [0.6, 0.7, 0.4, 0.6, 0.2, 0.3] * 20}
        >>> result = from_predictions(y_true, models, scoring="neg_brier_score")
        >>> best = expected_cost(*result.class_scores("a"), cost_false_negative=5)
        >>> best.cost < expected_cost(*result.class_scores("b"), cost_false_negative=5).cost
        True
        """
        self.estimator_index(estimator)
        check_unweighted(self, "class_scores")
        pooled = pool(self, (estimator,))
        return pooled.y_true.copy(), pooled.class_scores(estimator)
