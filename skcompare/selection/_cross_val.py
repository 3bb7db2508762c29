"""`cross_validate`, `cross_val_score` and `cross_val_predict` as scikit-learn defines them.

Scorers are scikit-learn's, since the last bit of a batched metric may differ. In one process each split is drawn when
its turn comes: splitter and estimator may share the global random state. What is not plainly valid goes to
scikit-learn's own function, whose error is then the one that is met.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from numbers import Integral
from time import perf_counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, overload

import numpy as np
import sklearn
from joblib import parallel_config
from joblib.logger import short_format_time
from sklearn import model_selection
from sklearn.base import is_classifier
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.metrics import check_scoring
from sklearn.metrics._scorer import _BaseScorer
from sklearn.model_selection import KFold, StratifiedKFold, check_cv
from sklearn.model_selection._validation import _warn_or_raise_about_fit_failures
from sklearn.utils import indexable
from sklearn.utils._param_validation import InvalidParameterError, validate_parameter_constraints
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from skcompare._core.frames import own_copy
from skcompare._core.validation import AnyArray, Options, check_integer
from skcompare._core.warnings import warn
from skcompare.evaluation import cross_validation as fits
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.engine import ProgressEvent
from skcompare.evaluation.input import RunOptions, check_data, check_target, n_rows, name_estimators, task_of
from skcompare.evaluation.splits import split
from skcompare.evaluator import PairedEvaluator
from skcompare.results import EvaluationResult

if TYPE_CHECKING:
    from typing import Literal, Unpack

    from skcompare._core.validation import FloatArray
    from skcompare._typed import Estimator, Kept, Models, OfClasses, One, Run, Scored, Scoring, Several


if TYPE_CHECKING:

    @overload
    def cross_val_score(
        estimator: Estimator, X: Any, y: Any = None, *, scoring: Several, **options: Unpack[Scoring]
    ) -> dict[str, FloatArray]: ...
    @overload
    def cross_val_score(
        estimator: Estimator, X: Any, y: Any = None, *, scoring: One = None, **options: Unpack[Scoring]
    ) -> FloatArray: ...
    @overload
    def cross_val_score(
        estimator: Models, X: Any, y: Any = None, *, scoring: Several, **options: Unpack[Scoring]
    ) -> dict[str, dict[str, FloatArray]]: ...
    @overload
    def cross_val_score(
        estimator: Models, X: Any, y: Any = None, *, scoring: One = None, **options: Unpack[Scoring]
    ) -> dict[str, FloatArray]: ...


def cross_val_score(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Mapping[str, Any] | None = None,
    pre_dispatch: int | str | None = "2*n_jobs",
    error_score: Any = np.nan,
) -> Any:
    """Scores of one estimator on every split, as scikit-learn's function, to the last bit.

    Arguments, floats, warnings and errors are those of `sklearn.model_selection.cross_val_score`. What differs is where
    the fits run: worker processes are started only where that pays, fits travel to them in chunks, and a worker that
    dies costs its fits and not the call. And `scoring` may name several metrics, which scikit-learn's function
    refuses. To compare two estimators, `cross_val_compare` gives the scores of both with their tests.

    Parameters
    ----------
    estimator : estimator, or mapping of name to estimator
        Anything with ``fit``, which is cloned for every split. Those of a mapping share the splits.
    X : array-like or sparse matrix of shape (n_samples, ...)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The target; None where the estimator needs none.
    groups : array-like of shape (n_samples,), optional
        Given to the splitter. With metadata routing enabled, pass it in `params`.
    scoring : None, str, callable, list, tuple or dict, default=None
        One scorer, or several as for scikit-learn's `cross_validate`; None is the estimator's own ``score``.
    cv : None, int, splitter or iterable of (train, test), default=None
        As in scikit-learn: None is 5 folds, and an int that many, not shuffled, stratified for classifiers.
    n_jobs : int or None, default=None
        Number of joblib workers; None is 1 unless a `joblib.parallel_config` says otherwise.
    verbose : int, default=0
        0 is silent; 1 prints a line at the end, on standard error; from 2 on every fit prints the line that
        scikit-learn prints, from 3 on with its scores, from 10 on one when it starts.
    params : dict, optional
        Given to ``fit``, entries with one value per sample cut to the training samples; with metadata routing enabled,
        to whichever of estimator, splitter and scorer requested it.
    pre_dispatch : int, str or None, default="2*n_jobs"
        Checked as in scikit-learn. The engine hands out chunks of fits as workers get free, at most two per worker, and
        does not copy the data for each, so that there is nothing to limit.
    error_score : "raise" or number, default=np.nan
        The score of a split where the estimator fails; ``"raise"`` raises its error instead.

    Returns
    -------
    ndarray of shape (n_splits,), or dict of str to ndarray
        The scores; of several metrics one array for each, by name. Of a mapping of estimators all of that for each.

    Raises
    ------
    ValueError
        If an argument does not fit, or every fit failed; all errors are scikit-learn's.

    Warns
    -----
    FitFailedWarning
        If some of the fits failed.
    UserWarning
        If a score could not be computed.

    See Also
    --------
    cross_val_compare : two estimators on the same splits, ready for tests.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso
    >>> import skcompare as skc
    >>> X, y = load_diabetes(return_X_y=True)
    >>> print(skc.cross_val_score(Lasso(), X[:150], y[:150], cv=3))
    [0.3315057  0.08022103 0.03531816]
    >>> scores = skc.cross_val_score(Lasso(), X, y, scoring=["r2", "neg_mean_absolute_error"])
    >>> {name: values.shape for name, values in scores.items()}
    {'r2': (5,), 'neg_mean_absolute_error': (5,)}
    """
    call = SimpleNamespace(**locals())  # the arguments, so that scikit-learn's own function can be given the same
    if isinstance(estimator, Mapping):
        return _of_each(cross_val_score, call)
    if isinstance(scoring, (list, tuple, dict)):
        found = cross_validate(**vars(call))
        return {name.removeprefix("test_"): scores for name, scores in found.items() if name.startswith("test_")}
    if not _is_ordinary(model_selection.cross_val_score, call):
        return model_selection.cross_val_score(**vars(call))
    call.scoring = {"score": check_scoring(estimator, scoring=scoring)}
    return cross_validate(**vars(call))["test_score"]


if TYPE_CHECKING:

    @overload
    def cross_validate(
        estimator: Estimator, X: Any, y: Any = None, **options: Unpack[Scored]
    ) -> dict[str, FloatArray]: ...
    @overload
    def cross_validate(estimator: Estimator, X: Any, y: Any = None, **options: Unpack[Kept]) -> dict[str, Any]: ...
    @overload
    def cross_validate(
        estimator: Models, X: Any, y: Any = None, **options: Unpack[Scored]
    ) -> dict[str, dict[str, FloatArray]]: ...
    @overload
    def cross_validate(
        estimator: Models, X: Any, y: Any = None, **options: Unpack[Kept]
    ) -> dict[str, dict[str, Any]]: ...


def cross_validate(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    scoring: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Mapping[str, Any] | None = None,
    pre_dispatch: int | str | None = "2*n_jobs",
    return_train_score: bool = False,
    return_estimator: bool = False,
    return_indices: bool = False,
    error_score: Any = np.nan,
) -> dict[str, Any]:
    """Scores and times of an estimator on every split, as scikit-learn's function.

    Arguments, the dict, warnings and errors are those of `sklearn.model_selection.cross_validate`. The fits run as in
    `cross_val_score`. A mapping of estimators is evaluated on the same splits, drawn once. Of several scorers each
    gets what it would get alone, also where they are about different classes.

    Parameters
    ----------
    estimator : estimator, or mapping of name to estimator
        Anything with ``fit``, which is cloned for every split.
    X : array-like or sparse matrix of shape (n_samples, ...)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The target; None where the estimator needs none.
    groups : array-like of shape (n_samples,), optional
        As in `cross_val_score`.
    scoring : None, str, callable, list, tuple or dict, default=None
        As in scikit-learn; None is the estimator's own ``score``.
    cv : None, int, splitter or iterable of (train, test), default=None
        As in `cross_val_score`.
    n_jobs : int or None, default=None
        As in `cross_val_score`.
    verbose : int, default=0
        As in `cross_val_score`.
    params : dict, optional
        As in `cross_val_score`.
    pre_dispatch : int or str, default="2*n_jobs"
        As in `cross_val_score`.
    return_train_score : bool, default=False
        Whether to score the training sets too, which shows how far a model is overfitted.
    return_estimator : bool, default=False
        Whether to keep the fitted estimators.
    return_indices : bool, default=False
        Whether to keep the indices of the training and test sets.
    error_score : "raise" or number, default=np.nan
        As in `cross_val_score`.

    Returns
    -------
    dict
        ``fit_time`` and ``score_time`` in seconds, ``test_score`` or ``test_`` and the name of each metric, arrays of
        shape (n_splits,); where asked for also ``train_`` scores, ``estimator`` and ``indices``. Of a mapping of
        estimators such a dict for each, by name: `from_cross_validate` compares them.

    Raises
    ------
    ValueError
        If an argument does not fit, or every fit failed; all errors are scikit-learn's.

    See Also
    --------
    compare : the models compared, in one call.
    from_cross_validate : these dicts, compared.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from sklearn.linear_model import Lasso, Ridge
    >>> import skcompare as skc
    >>> X, y = load_diabetes(return_X_y=True)
    >>> found = skc.cross_validate({"lasso": Lasso(), "ridge": Ridge()}, X, y, cv=3, return_train_score=True)
    >>> list(found["ridge"])
    ['fit_time', 'score_time', 'test_score', 'train_score']
    >>> print(found["ridge"]["test_score"])
    [0.37001652 0.41844573 0.4398179 ]
    """
    call = SimpleNamespace(**locals())
    if isinstance(estimator, Mapping):
        return _of_each(cross_validate, call)
    several = isinstance(scoring, (list, tuple, dict))
    alone = scoring is None or isinstance(scoring, (str, _BaseScorer)) or (fits.is_function(scoring) and not verbose)
    outcomes: list[FoldOutcome] | None = None
    if (several or alone) and _is_ordinary(model_selection.cross_validate, call):
        scorer = scoring
        if not several:
            scorer = {"score": scoring if fits.is_function(scoring) else check_scoring(estimator, scoring)}
        task = fits.ScoredFit(
            names=tuple(scorer),
            error_score=error_score,
            verbose=verbose,
            alone=not several,
            train_scores=return_train_score,
            keep_estimator=return_estimator,
        )
        pairs: list[Any] = []
        outcomes = _outcomes(call, scorer, task, pairs if return_indices else None)
    if not outcomes or not fits.named_alike(outcomes, error_score):  # without any fit, or with other names
        return dict(model_selection.cross_validate(**vars(call)))
    times = ("fit_time", "score_time")
    found: dict[str, Any] = {name: np.array([getattr(one, name) for one in outcomes]) for name in times}
    if return_estimator:
        found["estimator"] = [one.estimator for one in outcomes]
    if return_indices:
        found["indices"] = dict(zip(("train", "test"), zip(*pairs, strict=True), strict=True))
    kinds = {"test": "scored", "train": "train_scored"} if return_train_score else {"test": "scored"}
    for name in outcomes[0].scored:
        for part, kind in kinds.items():
            found[f"{part}_{name}"] = np.asarray([getattr(one, kind)[name] for one in outcomes])
    return found


if TYPE_CHECKING:

    @overload
    def cross_val_predict(
        estimator: Estimator, X: Any, y: Any = None, *, method: Literal["predict"] = "predict", **options: Unpack[Run]
    ) -> AnyArray: ...
    @overload
    def cross_val_predict(
        estimator: Estimator, X: Any, y: Any = None, *, method: OfClasses, **options: Unpack[Run]
    ) -> FloatArray | list[FloatArray]: ...
    @overload
    def cross_val_predict(
        estimator: Models, X: Any, y: Any = None, *, method: Literal["predict"] = "predict", **options: Unpack[Run]
    ) -> dict[str, AnyArray]: ...
    @overload
    def cross_val_predict(
        estimator: Models, X: Any, y: Any = None, *, method: OfClasses, **options: Unpack[Run]
    ) -> dict[str, FloatArray | list[FloatArray]]: ...


def cross_val_predict(
    estimator: Any,
    X: Any,
    y: Any = None,
    *,
    groups: Any = None,
    cv: Any = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    params: Mapping[str, Any] | None = None,
    pre_dispatch: int | str | None = "2*n_jobs",
    method: str = "predict",
) -> Any:
    """Predictions for every sample by a model fitted without it, as scikit-learn's function.

    The fits run as in `cross_val_score`, and scikit-learn's function joins what they predict. Routed metadata and a
    `verbose` call are left to its own loop. A mapping of estimators is evaluated on the same splits, drawn once.

    Parameters
    ----------
    estimator : estimator, or mapping of name to estimator
        Anything with ``fit`` and `method`, which is cloned for every split.
    X : array-like or sparse matrix of shape (n_samples, ...)
        The data.
    y : array-like of shape (n_samples,) or (n_samples, n_outputs), optional
        The target; None where the estimator needs none.
    groups : array-like of shape (n_samples,), optional
        As in `cross_val_score`.
    cv : None, int, splitter or iterable of (train, test), default=None
        As in `cross_val_score`; every sample must be in one test set.
    n_jobs : int or None, default=None
        Number of joblib workers.
    verbose : int, default=0
        As in scikit-learn.
    params : dict, optional
        As in `cross_val_score`.
    pre_dispatch : int, str or None, default="2*n_jobs"
        As in scikit-learn.
    method : {"predict", "predict_proba", "predict_log_proba", "decision_function"}, default="predict"
        What is called for the test sets.

    Returns
    -------
    ndarray of shape (n_samples,) or (n_samples, n_outputs), or a list of these
        As scikit-learn gives it. Of a mapping of estimators one for each, by name: `from_predictions` compares them.

    Raises
    ------
    ValueError
        If an argument does not fit; all errors are scikit-learn's.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import skcompare as skc
    >>> X, y = load_iris(return_X_y=True)
    >>> int((skc.cross_val_predict(GaussianNB(), X, y) == y).sum())
    143
    """
    call = SimpleNamespace(**locals())
    if isinstance(estimator, Mapping):
        return _of_each(cross_val_predict, call)
    elsewhere = verbose or any(sklearn.get_config()[name] for name in ("enable_metadata_routing", "array_api_dispatch"))
    ordinary = not elsewhere and _is_ordinary(model_selection.cross_val_predict, call)
    with parallel_config(backend="sequential") if ordinary and _predicted(call) else nullcontext():
        return model_selection.cross_val_predict(**vars(call))


def _predicted(call: SimpleNamespace) -> bool:
    """Whether the call has what was predicted in place of the estimator, beside the splits.

    It is left as it is, but for the splits, where scikit-learn's function is to say what is wrong.
    """
    X, y = indexable(call.X, call.y)
    splitter = check_cv(call.cv, y, classifier=is_classifier(call.estimator))
    call.cv = pairs = list(split(splitter, X, y, {"groups": call.groups}))
    n, tests = n_rows(X, "X"), [np.asarray(test) for _, test in pairs]
    if not tests or not np.array_equal(np.sort(np.concatenate(tests)), np.arange(n)):
        return False
    of_classes = call.method != "predict" and y is not None
    task, params = fits.PredictedFit(method=call.method), call.params or {}
    run = fits.ScoredRun.of(call.estimator, X, fits.encoded(y) if of_classes else y, task, params)
    outcomes = list(run.outcomes(pairs, call.n_jobs))
    if of_classes and any(one.estimator[1] is None for one in outcomes):
        return False
    vars(call).update(estimator=fits.AsPredicted(outcomes), X=np.zeros((n, 1)), params=None)
    return True


def _of_each(function: Callable[..., Any], call: SimpleNamespace) -> dict[str, Any]:
    """What a function gives for every estimator of a mapping, on the same splits."""
    if not call.estimator:
        raise ValueError("estimator must be an estimator or a mapping of one or more; got an empty mapping")
    shared, params = vars(call), dict(call.params or {})
    routed = sklearn.get_config()["enable_metadata_routing"] and "groups" in params
    groups = params.pop("groups") if routed else call.groups
    splitter = check_cv(call.cv, call.y, classifier=any(map(is_classifier, call.estimator.values())))
    pairs = [*map(own_copy, splitter.split(*indexable(call.X, call.y, groups)))]  # it may draw into the same arrays
    shared |= {"cv": pairs, "params": params if routed else call.params, "groups": None if routed else groups}
    return {name: function(**{**shared, "estimator": one}) for name, one in call.estimator.items()}


def _outcomes(call: SimpleNamespace, scorer: Any, task: fits.ScoredFit, pairs: Any = None) -> list[FoldOutcome] | None:
    """What the fits gave, with `pairs` filled by the splits; None where scikit-learn's function must say why not."""
    if call.groups is not None and sklearn.get_config()["enable_metadata_routing"]:
        return None
    X, y = indexable(call.X, call.y)
    splitter = check_cv(call.cv, y, classifier=is_classifier(call.estimator))
    scorers = check_scoring(call.estimator, scoring=scorer, raise_exc=bool(call.error_score == "raise"))
    try:
        if task.alone and not fits.is_function(scorer["score"]):  # errors call it so
            _routed(call, splitter, scorer["score"])
        split_params, fit_params, score_params = _routed(call, splitter, scorers)
    except UnsetMetadataPassedError:
        call.cv = splitter  # an iterable of splits is used up
        return None
    run = fits.ScoredRun.of(call.estimator, X, y, task, fit_params, scorer=scorers, score_params=score_params)
    drawn = split(splitter, X, y, split_params)
    if pairs is not None:
        pairs.extend(drawn)
        drawn = iter(pairs)
    start = perf_counter()
    outcomes = []
    for outcome in run.outcomes(drawn, call.n_jobs):
        _warn_of_failed_scores(outcome, call.error_score)
        outcomes.append(outcome)
    if call.verbose:
        n_fits, seconds = len(outcomes), short_format_time(perf_counter() - start)
        print(f"[CV] {n_fits} of {n_fits} fits done, elapsed: {seconds.strip()}", file=sys.stderr)  # noqa: T201
    _warn_or_raise_about_fit_failures([{"fit_error": one.errors.get("fit")} for one in outcomes], call.error_score)
    return outcomes


def _is_ordinary(function: Callable[..., Any], call: SimpleNamespace) -> bool:
    """Whether scikit-learn's function accepts the arguments, as far as their types tell."""
    try:
        constraints = function._skl_parameter_constraints  # type: ignore[attr-defined]
        validate_parameter_constraints(constraints, vars(call), caller_name=function.__name__)
    except InvalidParameterError:
        return False
    return can_pre_dispatch(call.pre_dispatch)


def can_pre_dispatch(pre_dispatch: Any) -> bool:
    """Whether a number of jobs sent in advance is one that joblib can do for certain."""
    if isinstance(pre_dispatch, str):
        return bool(re.fullmatch(r"all|([1-9]\d*\s*\*\s*)?n_jobs(\s*\*\s*[1-9]\d*)?|[1-9]\d*", pre_dispatch.strip()))
    return isinstance(pre_dispatch, Integral) and int(pre_dispatch) >= 1


def _routed(call: SimpleNamespace, splitter: Any, scorers: Any) -> tuple[Options, Options, Options]:
    """Parameters of the splitter, of fit and of the scorers."""
    params = call.params or {}
    if not sklearn.get_config()["enable_metadata_routing"]:
        return {"groups": call.groups}, params, {}
    router = MetadataRouter(owner="cross_validate")
    router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
    router.add(estimator=call.estimator, method_mapping=MethodMapping().add(caller="fit", callee="fit"))
    router.add(scorer=scorers, method_mapping=MethodMapping().add(caller="fit", callee="score"))
    routed = process_routing(router, "fit", **params)
    return routed.splitter.split, routed.estimator.fit, routed.scorer.score


def _warn_of_failed_scores(outcome: FoldOutcome, error_score: Any) -> None:
    for step, traceback in outcome.errors.items():
        if step.startswith(fits.SCORING_STEP):
            warn(
                "Scoring failed. The score on this train-test partition for these parameters will be set to "
                f"{error_score}. Details: \n{traceback}"
            )


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
    """Scores of two estimators on the same splits, ready for tests.

    Each estimator's scores are those that scikit-learn's `cross_val_score` gives for it with the same arguments. For
    more estimators, shuffled repeats with a seed, a store or a time limit take a `PairedEvaluator`.

    Parameters
    ----------
    estimator_a, estimator_b : estimator
        Two classifiers or two regressors, cloned for every split. Named as in a list for
        `PairedEvaluator.evaluate`.
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
        options=RunOptions(callback=_printer(verbose) if verbose else None),
    )
    return evaluator.evaluate([estimator_a, estimator_b], X, y, groups=groups, params=params)


def _check_own_scores(estimators: Options, params: Mapping[str, Any] | None) -> None:
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


def _unshuffled(cv: Any, estimators: Options, X: Any, y: Any, groups: Any) -> Any:
    """scikit-learn's splitter for None or a number of folds; anything else as it is."""
    if cv is not None and (not isinstance(cv, Integral) or isinstance(cv, bool) or int(cv) < 2):
        return cv
    check_data(X, y, groups)
    task = task_of(list(estimators.values()), check_target(X, y), " and ".join(estimators))
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
