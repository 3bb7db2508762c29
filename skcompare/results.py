"""EvaluationResult: what the user reads, tests and keeps; the scores themselves stand behind it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from skcompare._answers import Subgroups
from skcompare._comparable import Predicted
from skcompare._core.design import Design
from skcompare._core.frames import import_pandas
from skcompare._core.record import Record, few
from skcompare._core.validation import FloatArray, check_choice
from skcompare._core.warnings import CodedWarning
from skcompare._reportable import Given, Reportable, Scored, given
from skcompare.comparison.compare import detectable_difference
from skcompare.comparison.dominance import dominance_table
from skcompare.comparison.intervals import ScoreIntervals, score_intervals
from skcompare.comparison.subgroups import compare_groups
from skcompare.evaluation.metrics.scoring import Failure
from skcompare.evaluation.provenance import UnclearError, build
from skcompare.scores.calibration import Calibration
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.merging import merged
from skcompare.scores.stopping import Stopping

if TYPE_CHECKING:  # the same questions with the type that each name gives
    from skcompare._core.frames import DataFrame
    from skcompare._typed import Correction
    from skcompare._typed import OfResult as Comparable
else:
    from skcompare._comparable import Comparable


class Details(Record, eq=False, slots=False):
    """What else is known of an evaluation: its task, times, seeds and samples.

    Attributes
    ----------
    task : {"binary", "multiclass", "multilabel", "regression", "multioutput", "other"}
        The kind of problem: of several columns "multilabel" where they are 0 and 1, "multioutput" where they are
        numbers; "other" of any other target, and where it is not known.
    positive_class : object
        The class that binary precision, recall and f1 are about; None unless the target is binary.
    baseline : str or None
        The model that the others are to be better than.
    fit_times, score_times : ndarray of shape (n_estimators, n_splits)
        Seconds; nan where a fit was not started.
    fit_seeds : tuple of int
        The seeds with which every estimator was fitted on every split, where there are several.
    seed_scores : ndarray of shape (n_estimators, n_seeds, n_splits, n_metrics), or None
        The scores of the single fits; None where each split has one.
    ill_defined : dict of estimator to dict of metric to int
        On how many splits a metric was 0/0, and so by convention 0 or nan.
    stopping : Stopping or None
        When and why an evaluation with a `StopRule` ended, and its sequential verdict. Models that were dropped have
        nan scores and times in the later repeats.
    calibration : Calibration or None
        Degrees of freedom that were calibrated for this evaluation.
    clusters : ndarray of int or None
        The cluster of each sample or item, counted from 0; None where each stands alone.
    sample_weight : ndarray of shape (n_samples,) or None
        How much each sample of one test set counts.
    sample_ids : ndarray of str or int, or None
        What the samples or items are called; None where they are known by their position.
    sample_columns : mapping of str to ndarray
        What else is known of each sample or item, such as the hospital, by name.
    """

    task: str
    positive_class: Any
    baseline: str | None
    fit_times: FloatArray
    score_times: FloatArray
    fit_seeds: tuple[int, ...]
    seed_scores: FloatArray | None
    ill_defined: Mapping[str, Mapping[str, int]]
    stopping: Stopping | None
    calibration: Calibration | None
    clusters: NDArray[np.intp] | None
    sample_weight: FloatArray | None
    sample_ids: NDArray[Any] | None
    sample_columns: Mapping[str, NDArray[Any]] = field(default_factory=dict)


class EvaluationResult(Scored[EvaluationScores], Comparable, Predicted, Reportable):
    """Scores of one or more models on the same splits of one data set, and the answer.

    `help` prints all that it has, in four groups.
    """

    _kind, _details = EvaluationScores, tuple(one.name for one in fields(Details))
    _old = {  # noqa: RUF012
        "dominance_table": ('dominance("table")', dominance_table),
        "detectable_difference": ("skcompare.planning.detectable_difference(result)", detectable_difference),
    }
    estimators = Given[tuple[str, ...]]("Names of the models, in the order of the scores.")
    metrics = Given[tuple[str, ...]]("Names of the metrics, in the order of the scores; the first is the question.")
    greater_is_better = Given[tuple[bool, ...]]("The direction of each metric.")
    design = Given[Design]("How the data was resampled.")
    scores = Given[FloatArray](
        "All scores: float64, read-only, of shape (n_estimators, n_splits, n_metrics); split ``r * n_folds + f`` is "
        "fold f of repeat r. nan where a metric is undefined or something failed, whatever `error_score` is."
    )
    train_scores = Given[FloatArray | None](
        "The same of the training sets, nan of costs and of metrics that no scorer of scikit-learn gives; None unless "
        "they were asked for."
    )
    estimators_ = Given[Mapping[str, tuple[Any, ...]]](
        "Of every model the fitted ones, split by split, where they were asked for; they are not saved."
    )
    failures = Given[tuple[Failure, ...]]("What failed or was not started, where `error_score` was a number.")
    warnings = Given[tuple[CodedWarning, ...]]("Reasons to doubt every test, each a code, a colon and a sentence.")
    provenance = Given[Mapping[str, Any]]("What it takes to run this again: cv, random_state, estimators, versions.")
    score = given(EvaluationScores.score)
    difference = given(EvaluationScores.difference)
    predictions = given(EvaluationScores.predictions)
    splits = given(EvaluationScores.splits)
    to_cross_validate = given(EvaluationScores.to_cross_validate)

    @cached_property
    def details(self) -> Details:
        """What else is known: the task, times, seeds, samples, when a run was stopped."""
        return Details(**{one.name: getattr(self._scores, one.name) for one in fields(Details)})

    def __repr__(self) -> str:
        known = self.design.kind == "folds" and self.design.n_samples is not None
        size = f" on {self.design.n_samples} samples" if known else ""
        return f"<EvaluationResult: {few(self.estimators)}{size}, {self.design.name}; {few(self.metrics)}>"

    def to_frame(self) -> DataFrame:
        """All scores as a pandas DataFrame, one row per model, metric and split.

        Returns
        -------
        pandas.DataFrame
            Columns: dataset, estimator, metric, repeat, fold (from 0), n_train, n_test, score; of independent runs
            run, of items item (both from 0) in place of the four in the middle, and cluster where these stand in such.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        design, (e, s, m) = self.design, self.scores.shape
        split, clusters = np.tile(np.arange(s), e * m), self._scores.clusters
        if design.kind == "runs":
            places: dict[str, Any] = {"run": split}
        elif design.kind == "items":
            places = {"item": split} if clusters is None else {"item": split, "cluster": clusters[split]}
        else:
            places = {"repeat": split // design.n_folds, "fold": split % design.n_folds}
            for name, sizes in (("n_train", design.train_sizes), ("n_test", design.test_sizes)):
                places[name] = np.array(sizes)[split] if sizes else None
        frame: DataFrame = import_pandas().DataFrame(
            {
                "dataset": "data",
                "estimator": np.repeat(self.estimators, m * s),
                "metric": np.tile(np.repeat(self.metrics, s), e),
                **places,
                "score": self.scores.transpose(0, 2, 1).ravel(),
            }
        )
        return frame[frame["score"].notna()].reset_index(drop=True) if design.kind == "runs" else frame

    def add(
        self, name: str, model: Any, X: Any, y: Any, *, groups: Any = None, params: Mapping[str, Any] | None = None
    ) -> EvaluationResult:
        """This result with one more model, evaluated on the same splits, metrics and seed.

        Parameters
        ----------
        name : str
            What the model is called.
        model : estimator
            Cloned, never fitted in place.
        X, y : array-like
            The data of the result, which is checked by its digest.
        groups : array-like of shape (n_samples,), optional
            As they were given to `PairedEvaluator.evaluate`.
        params : mapping, optional
            Given to ``fit``.

        Returns
        -------
        EvaluationResult
            Another one; this one stays as it is.

        Raises
        ------
        ValueError
            If the name is taken, X or y is other data, or the result does not know its splits or its metrics.
        EstimatorFailedError
            If the model fails on a split.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> import skcompare as skc
        >>> X, y = load_breast_cancer(return_X_y=True)
        >>> result = skc.compare({"nb": GaussianNB()}, X, y, cv=10, scoring="accuracy", random_state=0)
        >>> str(result).splitlines()[0]
        'nb: accuracy 0.938, 95% interval 0.890 to 0.967.'
        >>> result.add("tree", DecisionTreeClassifier(max_depth=3), X, y).estimators
        ('nb', 'tree')
        """
        evaluated = self.provenance.get("recipe") and self._scores.kept_splits is not None
        evaluator = sys.modules.get("skcompare.evaluator")  # it stands above, and is there where it made a result
        if evaluator is None or not evaluated:
            raise ValueError("add needs a result of PairedEvaluator; evaluate all models at once, or join the tables")
        added: EvaluationResult = evaluator.evaluate_another(self, name, model, X, y, groups=groups, params=params)
        return added

    def refit(self, name: str, X: Any, y: Any, *, params: Mapping[str, Any] | None = None) -> Any:
        """Fit one of the models on data, such as all that there is.

        Parameters
        ----------
        name : str
            Of the model.
        X, y : array-like
            What it is fitted on.
        params : mapping, optional
            Given to ``fit``.

        Returns
        -------
        estimator
            A new one with the parameters of the evaluation, fitted.

        Raises
        ------
        ValueError
            If there is no model of that name, or the result does not know its class and parameters.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.naive_bayes import GaussianNB
        >>> import skcompare as skc
        >>> X, y = load_iris(return_X_y=True)
        >>> skc.compare({"nb": GaussianNB()}, X, y, cv=5).refit("nb", X, y).predict(X[:2]).tolist()
        [0, 0]
        """
        check_choice(name, "name", self.estimators)
        return self._model(name).fit(X, y, **(params or {}))

    def _model(self, name: str) -> Any:
        """A model that is not fitted."""
        if name in self.estimators_:
            return clone(self.estimators_[name][0])
        recipe = self.provenance.get("recipe") or {}
        try:
            return build(recipe.get("models", {})[name], ("sklearn",))
        except (KeyError, UnclearError) as error:
            raise ValueError(
                f"refit needs to know the model {name!r}, and the result does not ({error}): fit it yourself, or "
                "evaluate with return_estimator=True"
            ) from error

    def intervals(
        self,
        metric: str | Sequence[str] | None = None,
        confidence_level: float | None = None,
        method: str = "auto",
        target: str | None = None,
    ) -> ScoreIntervals:
        """An interval for every model's own score.

        On one test set and items they are about these fitted models on samples like these: Wilson's for shares, such as
        accuracy and recall, made of Wilson's of each class for balanced accuracy, macro recall and macro precision,
        Newcombe's for the area under the ROC curve, by Student's t for means, and the bias-corrected bootstrap for
        other metrics of the labels; in clusters cluster-robust. On folds `method` and `target`
        say what they are; see the user guide, "How good is each model?". The corrected t interval takes all of the
        correction also on one run of k-fold, where tests of differences take 0.4 of it. Of runs they are about other
        runs on the same data, by Student's t.

        Parameters
        ----------
        metric : str or sequence of str, optional
            All by default.
        confidence_level : float, optional
            In (0, 1); of each interval alone. 0.95 by default, of candidates of a search one minus the level of its
            report.
        method : {"auto", "corrected_t", "nested", "bootstrap"}, default="auto"
            On folds: the corrected resampled t interval of Nadeau and Bengio (2003), which is the default, on a scale
            without ends (logits of shares, logarithms of losses); that of nested cross-validation (Bates, Hastie and
            Tibshirani 2024), which takes ``PairedEvaluator(intervals="nested")`` and metrics that are means of a value
            per sample; or the bootstrap of the samples.
        target : {None, "algorithm", "model"}, default=None
            On folds: the mean score of models trained on sets of this size, or the score on new samples of these models
            fitted on all of the data. The default is the second where simulations show how often the intervals of all
            the metrics hold it, else the first. On one test set and items None or ``"model"``.

        Returns
        -------
        ScoreIntervals
            One row per metric and model. nan limits and a warning where there is no interval.

        Raises
        ------
        ValueError
            If a metric, method or target is unknown or does not fit the design, the level is out of range, or the
            method was not measured to hold the score of fitted models.

        Examples
        --------
        >>> from skcompare import from_predictions
        >>> y_true = [1, 1, 1, 1, 0, 0, 0, 0] * 10
        >>> result = from_predictions(y_true, {"a": [1, 1, 1, 0, 0, 0, 0, 1] * 10, "b": y_true}, scoring="accuracy")
        >>> result.intervals().to_frame().round(3)[["model", "score", "low", "high"]]
          model  score    low   high
        0     a   0.75  0.645  0.832
        1     b   1.00  0.954  1.000
        """
        return score_intervals(self._scores, metric, confidence_level, method, target)

    def by(
        self,
        labels: Any,
        *,
        metrics: str | Sequence[str] | None = None,
        baseline: str | None = None,
        correction: Correction = "holm",
    ) -> Subgroups:
        """Compare the models in groups of the samples, and the groups with each other.

        Parameters
        ----------
        labels : str or array_like of shape (n_samples,)
            A column of the samples, as `from_predictions` and `from_outcomes` keep them, or one label per sample of X,
            as a pandas Series aligned by the sample ids where its index holds them. 2 to 20 groups.
        metrics : str or sequence of str, optional
            All by default but times and sizes, which are of whole fits.
        baseline : str, optional
            Compare every other estimator (as `a`) with this one (as `b`) instead of all pairs.
        correction : str, default="holm"
            A method of `adjust_pvalues`, over all comparisons in groups and all interactions together.

        Returns
        -------
        Subgroups
            Per group the comparison on its samples alone, by the test of `compare`, and the interaction: whether the
            difference is another one there than among all other samples. `plot` draws them.

        Raises
        ------
        ValueError
            If the labels do not fit, the predictions were not kept, or a metric cannot be computed from them.

        Examples
        --------
        >>> from skcompare import from_outcomes
        >>> passed = {"a": [1, 1, 1, 0, 1, 1, 1, 1] * 10, "b": [1, 0, 1, 0, 0, 1, 0, 1] * 10}
        >>> print(from_outcomes(passed).by(["easy", "hard"] * 40))  # doctest: +ELLIPSIS
        a is significantly better than b in easy and hard...
        """
        return Subgroups.of(
            compare_groups(self._scores, labels, metrics=metrics, baseline=baseline, correction=correction)
        )


def merge(*results: EvaluationResult) -> EvaluationResult:
    """Join results on the same splits, or on other repeats of the same data.

    What is joined follows from the names: with the same metrics and different models the models, with the same models
    and different metrics the metrics, and with both the same the repeats. One evaluation of everything gives the same
    scores, predictions and answers.

    Parameters
    ----------
    *results : EvaluationResult
        Two or more. To join models or metrics their splits must be the same, by their hash; to join repeats each must
        be (repeated) k-fold on as many samples with as many folds, and no repeat may be there twice. Where the results
        know their targets these must be equal, and where models are the same the data too, by its digest; where some
        do not, or other models had another X, a warning asks to make sure of it.

    Returns
    -------
    EvaluationResult
        Models, metrics and repeats in the order of the results. Failures, warnings and undefined scores are those of
        all results, and `error_score` is that of the first with failures; predictions are there where all results have
        them, and then the inner fits of ``intervals="nested"`` too, of joined models each one's own. Of joined metrics
        the times are the means of the results. ``provenance["merged"]`` has the provenance of each.

    Raises
    ------
    ValueError
        If the results differ in what they must share, saying in what; if one name is known to stand for different
        models or metrics; if their splits are not known, as of a table of scores; if predictions of a model differ
        between results whose metrics are joined; if some have inner fits and others not, and metrics or repeats are
        joined; or if one is the result of a `StopRule`, of a calibration or of a search.

    See Also
    --------
    from_cross_validate, from_frame : results from scores of other tools. Join tables before they become a result.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.linear_model import RidgeClassifier
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import skcompare as skc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> evaluator = skc.PairedEvaluator(cv="2x5", scoring="accuracy", random_state=0)
    >>> old = evaluator.evaluate({"nb": GaussianNB(), "ridge": RidgeClassifier()}, X, y)
    >>> trees = {"stump": DecisionTreeClassifier(max_depth=1), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> result = skc.merge(old, evaluator.evaluate(trees, X, y))
    >>> result.estimators
    ('nb', 'ridge', 'stump', 'tree')
    """
    if len(results) < 2:
        raise ValueError(f"results must be two or more, merge(result_1, result_2); got {len(results)}")
    for i, result in enumerate(results, 1):
        if not isinstance(result, EvaluationResult):
            raise ValueError(f"results must be EvaluationResults; got {type(result).__name__} as result {i}")
    return EvaluationResult(_scores=merged([result._scores for result in results]))
