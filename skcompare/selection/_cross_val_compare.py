"""Two estimators in one call, with the arguments of `cross_val_score`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from numbers import Integral
from typing import Any

import numpy as np
import sklearn
from sklearn.base import is_classifier
from sklearn.model_selection import KFold, StratifiedKFold

from skcompare._core.validation import check_integer
from skcompare.evaluation._input import check_data, check_target, name_estimators
from skcompare.evaluation._progress import ProgressEvent
from skcompare.evaluation._task import task_of
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult
from skcompare.selection._cross_val import can_pre_dispatch


def cross_val_compare(
    estimator_a: Any,
    estimator_b: Any,
    X: Any,
    y: Any,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Mapping[str, Any] | None = None,
    pre_dispatch: int | str | None = "2*n_jobs",
    error_score: Any = np.nan,
) -> EvaluationResult:
    """Scores of two estimators on the same splits, ready for tests: `cross_val_score` with one more estimator.

    Each estimator's scores are those that scikit-learn's `cross_val_score` gives for it with the same arguments. For
    more estimators, shuffled repeats with a seed, a store or a time limit take a `PairedEvaluator`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator
        Two classifiers or two regressors, cloned for every split. Named by their class in lower case, with a number
        where the classes are equal.
    X : array-like or sparse matrix of shape (n_samples, ...)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs)
        The target; unlike in scikit-learn it cannot be None, since the result keeps predictions to compare with it.
    groups : array-like of shape (n_samples,), optional
        Given to the splitter. With metadata routing enabled, pass it in `params`.
    scoring : None, str, callable, list, tuple or dict, default=None
        As in `PairedEvaluator`, but that None is each estimator's own ``score`` as in scikit-learn, one metric called
        ``"score"``. Of scikit-learn's classifiers that is accuracy: ``scoring="accuracy"`` gives the same numbers, and
        lets the summary say how often its test is wrong.
    cv : None, int, splitter or iterable of (train, test), default=None
        As in scikit-learn: None is 5 folds, and an int that many, not shuffled, stratified for classifiers. Few folds
        show large differences only: with ``RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)`` the
        default test comes nearest to its nominal error rate.
    n_jobs : int or None, default=None
        Number of joblib workers; None is 1 unless a `joblib.parallel_config` says otherwise.
    verbose : int, default=0
        0 is silent; 1 prints a line at the end, on standard error; from 2 on every finished fit prints one too.
    params : dict, optional
        Given to ``fit`` of both, entries with one value per sample cut to the training samples; with metadata routing
        enabled, to whichever of estimators, splitter and scorers requested it.
    pre_dispatch : int, str or None, default="2*n_jobs"
        Checked, and without effect: the engine hands out fits as workers get free and does not copy the data for each.
    error_score : "raise" or float, default=np.nan
        The score of a split where an estimator fails; the tests leave it out and say so. ``"raise"`` stops instead.

    Returns
    -------
    EvaluationResult

    Raises
    ------
    ValueError
        If an argument does not fit, naming it.
    EstimatorFailedError
        If an estimator fails and `error_score` is ``"raise"``, or every fit fails; a ValueError.

    See Also
    --------
    PairedEvaluator : the same for any number of estimators, with more to choose.
    cross_val_score : scores of one estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.model_selection import RepeatedStratifiedKFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import skcompare as skc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=10, random_state=0)
    >>> tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    >>> result = skc.cross_val_compare(GaussianNB(), tree, X, y, scoring="roc_auc", cv=cv)
    >>> result.estimators
    ('gaussiannb', 'decisiontreeclassifier')
    >>> [row.winner for row in result.compare()]  # a positive difference favours estimator_a
    ['gaussiannb']
    """
    both = {"estimator_a": estimator_a, "estimator_b": estimator_b}
    name_estimators(both)  # refuses them by the names of the arguments
    verbose = int(verbose) if isinstance(verbose, (bool, np.bool_)) else check_integer(verbose, "verbose", low=0)
    if pre_dispatch is not None and not can_pre_dispatch(pre_dispatch):
        raise ValueError(
            f"pre_dispatch must be None, a positive integer or an expression such as '2*n_jobs'; "
            f"got {pre_dispatch!r:.80}"
        )
    if scoring is None:
        _check_own_scores(both, params)
    evaluator = PairedEvaluator(
        cv=_unshuffled(cv, both, X, y, groups),
        scoring=own_score if scoring is None else scoring,
        n_jobs=n_jobs,
        error_score=error_score,
        callback=_printer(verbose) if verbose else None,
    )
    return evaluator.evaluate([estimator_a, estimator_b], X, y, groups=groups, params=params)


def _check_own_scores(estimators: Mapping[str, Any], params: Mapping[str, Any] | None) -> None:
    """Raise ValueError unless both estimators can be scored by their own ``score``, called alike."""
    for name, estimator in estimators.items():
        if not hasattr(estimator, "score"):
            raise ValueError(f"scoring must be given, as {name} has no score of its own; got None")
    if params and sklearn.get_config()["enable_metadata_routing"]:
        raise ValueError(
            "scoring must be given where metadata are routed, since own scores may request different ones; got None"
        )


def own_score(estimator: Any, X: Any, y: Any) -> Any:
    """The estimator's own ``score``."""
    return estimator.score(X, y)


def _unshuffled(cv: Any, estimators: Mapping[str, Any], X: Any, y: Any, groups: Any) -> Any:
    """scikit-learn's splitter for None or a number of folds; anything else as it is."""
    if cv is not None and (not isinstance(cv, Integral) or isinstance(cv, bool) or int(cv) < 2):
        return cv
    check_data(X, y, groups)
    task = task_of(list(estimators.values()), check_target(X, y))
    classifiers = any(is_classifier(estimator) for estimator in estimators.values())
    stratified = classifiers and task in ("binary", "multiclass")
    return (StratifiedKFold if stratified else KFold)(n_splits=5 if cv is None else int(cv))


def _printer(verbose: int) -> Callable[[ProgressEvent], None]:
    def tell(event: ProgressEvent) -> None:
        if verbose > 1:
            failed = "" if event.error is None else f"; {event.error}"
            where = f"{event.estimator}, repeat {event.repeat}, fold {event.fold}"
            print(f"[CV] {event.n_done}/{event.n_total} END {where}{failed}")  # noqa: T201
        if event.n_done == event.n_total:
            told = f"[CV] {event.n_done} of {event.n_total} fits done, elapsed: {event.elapsed:.1f}s"
            print(told, file=sys.stderr)  # noqa: T201

    return tell
