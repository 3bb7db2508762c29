"""A design -> the fits of all its settings on the same splits -> the report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare.evaluator import PairedEvaluator
from skcompare.experiments._design import ExperimentDesign
from skcompare.experiments._report import ExperimentReport


def run_experiment(
    estimator: Any,
    design: ExperimentDesign,
    X: Any,
    y: Any,
    *,
    evaluator: PairedEvaluator | None = None,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
) -> ExperimentReport:
    """Evaluate an estimator with all settings of a design, on the same splits.

    Parameters
    ----------
    estimator : estimator
        Cloned for every setting; its ``set_params`` takes the factors.
    design : ExperimentDesign
        The settings.
    X : array-like of shape (n_samples, n_features)
        As in `PairedEvaluator.evaluate`.
    y : array-like of shape (n_samples,)
        The target.
    evaluator : PairedEvaluator, optional
        Splits, metrics, store and jobs; ``PairedEvaluator()`` by default.
    groups : array-like of shape (n_samples,), optional
        As in `PairedEvaluator.evaluate`.
    params : mapping, optional
        As in `PairedEvaluator.evaluate`.

    Returns
    -------
    ExperimentReport

    Raises
    ------
    ValueError
        If an argument does not fit, naming it.
    EstimatorFailedError
        If an estimator fails and the evaluator's `error_score` is ``"raise"``; a ValueError.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import PairedEvaluator
    >>> from skcompare.experiments import full_factorial, run_experiment
    >>> design = full_factorial({"max_depth": [1, 5], "min_samples_leaf": [1, 50]})
    >>> evaluator = PairedEvaluator(cv="5x5", scoring="roc_auc", random_state=0)
    >>> tree, data = DecisionTreeClassifier(random_state=0), load_breast_cancer(return_X_y=True)
    >>> report = run_experiment(tree, design, *data, evaluator=evaluator)
    >>> report.effects().of("max_depth").best
    '5'
    """
    if not isinstance(design, ExperimentDesign):
        raise ValueError(f"design must be an ExperimentDesign, such as full_factorial makes; got {design!r:.80}")
    evaluator = PairedEvaluator() if evaluator is None else evaluator
    if not isinstance(evaluator, PairedEvaluator):
        raise ValueError(f"evaluator must be a PairedEvaluator; got {evaluator!r:.80}")
    if evaluator.stop is not None:
        raise ValueError(f"evaluator must have no stop, which would drop settings; got {evaluator.stop!r:.80}")
    result = evaluator.evaluate(design.estimators(estimator), X, y, groups=groups, params=params)
    return ExperimentReport.from_result(design, result)
