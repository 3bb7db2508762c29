"""PairedEvaluator: the whole route from estimators and data to a result."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from sklearn.base import BaseEstimator
from sklearn.exceptions import FitFailedWarning, UnsetMetadataPassedError
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state, get_tags, indexable
from sklearn.utils.metadata_routing import (
    MetadataRouter,
    MethodMapping,
    process_routing,
)

from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._metrics import Failure, ScoreTable, score_outcomes
from skcompare.evaluation._predictions import (
    Contestant,
    EstimatorFailedError,
    FoldOutcome,
    Plan,
    failure_message,
    fit_and_predict,
)
from skcompare.evaluation._scoring import Metric, default_scoring, resolve_scoring
from skcompare.evaluation._splits import Splits, draw_splits, make_splitter
from skcompare.evaluation._task import positive_class, task_of
from skcompare.results import EvaluationResult
from skcompare.study import DatasetFailure, StudyResult


class PairedEvaluator(BaseEstimator):  # type: ignore[misc]
    """Evaluate estimators on the same cross-validation splits, ready for paired tests.

    Parameters
    ----------
    cv : int, str, splitter or iterable, default="10x10"
        An int k is k-fold, ``"RxK"`` is R repeats of K folds; both are shuffled, and stratified for
        classifiers. Any scikit-learn splitter and any iterable of (train, test) indices work too. The splits
        are drawn once per `evaluate` and shared by all estimators.
    scoring : None, str, list, dict or callable, default=None
        What scikit-learn's `cross_validate` accepts, ``"specificity"`` and ``"false_alarm_rate"`` of a binary target,
        and the costs ``"fit_time"``, ``"predict_time"`` (seconds), ``"model_size"`` (bytes, pickled). Less is better
        for these, and for a callable under the name ``"n_parameters"``; other callables give greater values to better
        models, so that of another cost they give the negative. None stands for
        accuracy, precision, recall, f1 and roc_auc of a binary target; accuracy, precision_macro, recall_macro,
        f1_macro and roc_auc_ovr of a multiclass one; r2, neg_mean_absolute_error and neg_root_mean_squared_error in
        regression. The positive class of ``"precision"``, ``"recall"`` and ``"f1"`` is 1 where 1 is a label,
        otherwise the last label in sorted order (scikit-learn has no default for that case).
    n_jobs : int or None, default=None
        Number of joblib workers; None is 1 unless a `joblib.parallel_config` says otherwise.
    random_state : int, RandomState or None, default=None
        Shuffles the splits of an int or ``"RxK"`` `cv`. If it is not None, every estimator parameter
        ``random_state`` that is None gets a seed derived from it and from the split's number, the same for
        all estimators, so that the result does not depend on `n_jobs`, the backend or the order. An object inside
        a parameter, such as the splitter of a grid search, keeps its own random state.
    error_score : "raise" or float, default="raise"
        What to do when an estimator fails on a split: stop with its name and the fold, or record this
        score, keep everything else and let every test that meets it say so.
    store : None
        Reserved for a checkpoint of finished fits; only None is accepted.
    progress : bool, default=False
        Show the finished splits on the terminal (standard error); needs tqdm.

    See Also
    --------
    sklearn.model_selection.cross_validate : scores of one estimator.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from skcompare import PairedEvaluator
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> evaluator = PairedEvaluator(cv="10x10", scoring=["accuracy", "roc_auc"], random_state=0)
    >>> models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> result = evaluator.evaluate(models, X, y)
    >>> result.scores.shape
    (2, 100, 2)
    >>> test = result.test(metric="roc_auc")
    >>> bool(test.estimate > 0), bool(test.pvalue < 0.05)  # the sign is "bayes" - "tree"
    (True, True)
    """

    def __init__(
        self,
        cv: Any = "10x10",
        scoring: Any = None,
        *,
        n_jobs: int | None = None,
        random_state: Any = None,
        error_score: Any = "raise",
        store: None = None,
        progress: bool = False,
    ) -> None:
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.error_score = error_score
        self.store = store
        self.progress = progress

    def evaluate(
        self,
        estimators: Mapping[str, Any] | Sequence[Any],
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> EvaluationResult:
        """Fit every estimator on every split and score its predictions.

        Parameters
        ----------
        estimators : mapping of name to estimator, list of (name, estimator), or list of estimators
            Two or more; bare estimators are named by their class in lower case. They are cloned, never
            fitted in place.
        X : array-like of shape (n_samples, n_features)
            The data: anything that the estimators accept and that can be indexed by row.
        y : array-like of shape (n_samples,)
            The target.
        groups : array-like of shape (n_samples,), optional
            Given to the splitter. With metadata routing enabled, pass it in `params`.
        params : mapping, optional
            Given to ``fit`` of every estimator, cut to the training samples; with metadata routing enabled,
            to whichever of estimators, splitter and scorers requested it.

        Returns
        -------
        EvaluationResult

        Raises
        ------
        ValueError
            If an argument does not fit, naming it.
        EstimatorFailedError
            If an estimator fails and `error_score` is ``"raise"``; a ValueError.
        """
        return self._evaluate(_name_estimators(estimators), X, y, groups=groups, params=params)

    def evaluate_datasets(
        self,
        estimators: Mapping[str, Any] | Sequence[Any],
        datasets: Mapping[str, Any],
    ) -> StudyResult:
        """Evaluate the estimators on several data sets, each with splits of its own that all estimators share.

        Parameters
        ----------
        estimators : mapping of name to estimator, list of (name, estimator), or list of estimators
            As in `evaluate`.
        datasets : mapping of name to (X, y) or callable
            A callable without arguments gives (X, y) when its turn comes, so that one data set is in memory at a
            time. A third entry, (X, y, groups), is given to the splitter.

        Returns
        -------
        StudyResult
            Of the data sets that could be evaluated. Where `scoring` is None, classifiers are scored by accuracy,
            precision_macro, recall_macro, f1_macro and roc_auc_ovr on every data set, also on those with two classes.

        Raises
        ------
        ValueError
            If an argument does not fit, naming it.
        EstimatorFailedError
            If no data set could be evaluated.

        Warns
        -----
        UserWarning
            If a data set could not be loaded or evaluated; the study has the reason in `failures`, and says so.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer, load_iris, load_wine
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> datasets = {
        ...     "breast_cancer": lambda: load_breast_cancer(return_X_y=True),
        ...     "iris": lambda: load_iris(return_X_y=True),
        ...     "wine": lambda: load_wine(return_X_y=True),
        ... }
        >>> evaluator = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0)
        >>> study = evaluator.evaluate_datasets([GaussianNB(), DecisionTreeClassifier()], datasets)
        >>> study.means("accuracy").shape
        (3, 2)
        """
        self._check_parameters()
        named = _name_estimators(estimators)
        if not isinstance(datasets, Mapping) or not datasets:
            raise ValueError(f"datasets must be a mapping of name to (X, y) or a callable; got {datasets!r:.80}")
        for name, source in datasets.items():
            if not isinstance(name, str) or not name:
                raise ValueError(f"datasets must be named by non-empty strings; got {name!r}")
            if not callable(source) and not _is_data(source):
                raise ValueError(f"datasets[{name!r}] must be a pair (X, y) or a callable; got {source!r:.80}")
        _check_for_studies(self.cv, self.scoring, named)
        results: dict[str, EvaluationResult] = {}
        failures: list[DatasetFailure] = []
        for name, source in datasets.items():
            try:
                result = self._evaluate_dataset(named, source)
                _check_metrics(result, results)
                results[name] = result
            except Exception as error:
                message = " ".join(f"{type(error).__name__}: {error}".split())
                failures.append(DatasetFailure(dataset=name, message=message))
        if not results:
            raise EstimatorFailedError(
                f"datasets must hold one that can be evaluated; all {len(failures)} failed, the first, "
                f"{failures[0].dataset!r}: {failures[0].message}"
            )
        doubts = tuple(f"FAILED: data set {f.dataset!r} is left out: {f.message}." for f in failures)
        if failures:
            warnings.warn(
                f"{len(failures)} of {len(datasets)} data sets are left out; the first, {failures[0].dataset!r}: "
                f"{failures[0].message}",
                UserWarning,
                stacklevel=2,
            )
        first = next(iter(results.values()))
        return StudyResult.from_results(results, failures=tuple(failures), warnings=doubts, provenance=first.provenance)

    def _evaluate_dataset(self, named: Mapping[str, Any], source: Any) -> EvaluationResult:
        """One data set of a study."""
        data = source() if callable(source) else source
        if not _is_data(data):
            raise ValueError(f"the callable must give (X, y), perhaps with groups; got {type(data).__name__}")
        X, y = data[:2]
        groups = data[2] if len(data) == 3 else None
        scoring = self.scoring
        if scoring is None and task_of(list(named.values()), np.asarray(y)) in ("binary", "multiclass"):
            scoring = default_scoring("multiclass", named)
        return self._evaluate(named, X, y, groups=groups, scoring=scoring)

    def _evaluate(
        self,
        named: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        scoring: Any = None,
    ) -> EvaluationResult:
        error_score = self._check_parameters()
        X, y, groups = indexable(X, y, groups)
        truth = _check_target(X, y)
        task = task_of(list(named.values()), truth)
        if task in ("binary", "multiclass") and len(np.unique(truth)) < 2:
            raise ValueError(f"y must have at least 2 classes; got only {truth[:1].tolist()[0]!r}")
        metrics = resolve_scoring(self.scoring if scoring is None else scoring, task, named)
        random_state = _integer_seed(self.random_state)
        discrete = task in ("binary", "multiclass")
        splitter = make_splitter(self.cv, y, stratified=discrete, random_state=random_state)
        routed = _Routing(named, splitter, metrics, groups=groups, params=params)
        splits = draw_splits(splitter, X, y, n_samples=len(truth), params=routed.split_params)
        contestants = [
            Contestant(
                name=name,
                estimator=estimator,
                fit_params=routed.fit_params[name],
                seeded=_open_random_states(estimator) if random_state is not None else (),
                pairwise=bool(get_tags(estimator).input_tags.pairwise),
            )
            for name, estimator in named.items()
        ]
        metrics, plan = _plan(metrics, routed.score_params, stop_on_error=error_score is None)
        with _progress_bar(len(splits), self.progress) as advance:
            outcomes = fit_and_predict(
                contestants,
                X,
                y,
                splits,
                plan,
                seeds=None if random_state is None else _split_seeds(random_state, len(splits)),
                n_jobs=self.n_jobs,
                on_split=advance,
            )
        table = score_outcomes(
            metrics,
            outcomes,
            truth,
            splits,
            task=task,
            error_score=np.nan if error_score is None else error_score,
            names=list(named),
        )
        failures = _failures(table, list(named), splits)
        _report_failures(failures, error_score, n_fits=len(named) * len(splits))
        return EvaluationResult(
            estimators=tuple(named),
            metrics=tuple(metric.name for metric in table.metrics),
            greater_is_better=tuple(metric.greater_is_better for metric in table.metrics),
            design=splits.design,
            scores=table.scores,
            fit_times=_times(outcomes, "fit_time"),
            score_times=_times(outcomes, "score_time"),
            failures=failures,
            task=task,
            positive_class=positive_class(truth, task),
            ill_defined=table.ill_defined,
            warnings=_doubts(splits),
            provenance=_provenance(self, named, random_state),
            single_metric=isinstance(self.scoring, str) or table.metrics[0].name == "score",
            _splits=splits,
            _predictions=KeptPredictions.from_outcomes(truth, outcomes, named),
        )

    def _check_parameters(self) -> float | None:
        """The error score as a number, None for "raise"."""
        if self.store is not None:
            raise ValueError(f"store must be None: finished fits are not checkpointed; got {self.store!r}")
        if self.n_jobs is not None and (
            isinstance(self.n_jobs, bool) or not isinstance(self.n_jobs, Integral) or self.n_jobs == 0
        ):
            raise ValueError(f"n_jobs must be None or a non-zero integer; got {self.n_jobs!r}")
        if isinstance(self.error_score, str) and self.error_score == "raise":
            return None
        if isinstance(self.error_score, Real) and not isinstance(self.error_score, bool):
            return float(self.error_score)
        raise ValueError(f"error_score must be 'raise' or a number; got {self.error_score!r}")


class _Routing:
    """Which parameters go to the splitter, to each estimator's fit and to the scorers."""

    def __init__(
        self,
        named: Mapping[str, Any],
        splitter: Any,
        metrics: Sequence[Metric],
        *,
        groups: Any,
        params: Mapping[str, Any] | None,
    ) -> None:
        params = {} if params is None else dict(params)
        if not sklearn.get_config()["enable_metadata_routing"]:
            self.split_params: Mapping[str, Any] = {"groups": groups}
            self.fit_params: Mapping[str, Mapping[str, Any]] = dict.fromkeys(named, params)
            self.score_params: Mapping[str, Any] = {}
            return
        if groups is not None:
            raise ValueError(
                "groups must be None when metadata routing is enabled; pass params={'groups': ...} instead"
            )
        to_fit = MethodMapping().add(caller="fit", callee="fit")
        router = MetadataRouter(owner="PairedEvaluator")
        router.add(splitter=splitter, method_mapping=MethodMapping().add(caller="fit", callee="split"))
        for i, estimator in enumerate(named.values()):
            router.add(**{f"estimator_{i}": estimator}, method_mapping=to_fit)
        scorers = {m.name: m.source for m in metrics if m.routable}
        if scorers:
            scorer = check_scoring(scoring=scorers)
            router.add(scorer=scorer, method_mapping=MethodMapping().add(caller="fit", callee="score"))
        try:
            routed = process_routing(router, "fit", **params)
        except UnsetMetadataPassedError as error:
            raise UnsetMetadataPassedError(
                message=str(error).replace("PairedEvaluator.fit", "PairedEvaluator.evaluate"),
                unrequested_params=error.unrequested_params,
                routed_params=error.routed_params,
            ) from None
        self.split_params = routed["splitter"]["split"]
        self.fit_params = {name: routed[f"estimator_{i}"]["fit"] for i, name in enumerate(named)}
        self.score_params = routed["scorer"]["score"] if scorers else {}


def _name_estimators(estimators: Any) -> dict[str, Any]:
    """Two or more estimators by name, each one that can be fitted and predict."""
    wanted = "a mapping of name to estimator, a list of (name, estimator) or a list of estimators"
    if isinstance(estimators, Mapping):
        pairs = list(estimators.items())
    elif isinstance(estimators, (list, tuple)):
        if all(isinstance(item, tuple) and len(item) == 2 for item in estimators):
            pairs = list(estimators)
        else:
            pairs = _name_by_class(estimators)
    else:
        raise ValueError(f"estimators must be {wanted}; got {type(estimators).__name__}")
    if len(pairs) < 2:
        raise ValueError(f"estimators must be two or more to compare; got {len(pairs)}")
    names = [name for name, _ in pairs]
    for name, estimator in pairs:
        if not isinstance(name, str) or not name:
            raise ValueError(f"estimators must have non-empty strings as names; got {name!r}")
        if names.count(name) > 1:
            raise ValueError(f"estimators must have distinct names; got {name!r} {names.count(name)} times")
        missing = [m for m in ("fit", "predict", "get_params") if not hasattr(estimator, m)]
        if isinstance(estimator, type) or missing:
            problem = (
                "a class; call it to make an estimator"
                if isinstance(estimator, type)
                else (f"{type(estimator).__name__} without {', '.join(missing)}")
            )
            raise ValueError(f"estimators[{name!r}] must be an estimator with fit and predict; got {problem}")
    return dict(pairs)


def _name_by_class(estimators: Sequence[Any]) -> list[tuple[str, Any]]:
    """Names as `make_pipeline` gives them: the class in lower case, numbered where it occurs twice."""
    base = [type(estimator).__name__.lower() for estimator in estimators]
    seen: dict[str, int] = {}
    pairs = []
    for name, estimator in zip(base, estimators, strict=True):
        seen[name] = seen.get(name, 0) + 1
        pairs.append((f"{name}-{seen[name]}" if base.count(name) > 1 else name, estimator))
    return pairs


def _check_target(X: Any, y: Any) -> np.ndarray[Any, Any]:
    """The target as an array without missing values, as long as X."""
    if y is None:
        raise ValueError("y must be given; got None")
    truth = np.asarray(y)
    n_samples = X.shape[0] if hasattr(X, "shape") else len(X)
    if truth.ndim not in (1, 2) or len(truth) != n_samples:
        raise ValueError(f"y must have one row per sample of X, {n_samples}; got shape {truth.shape}")
    if truth.ndim == 2 and truth.shape[1] == 1:
        truth = truth[:, 0]
    missing = ~np.isfinite(truth) if truth.dtype.kind == "f" else np.asarray(truth != truth, dtype=bool)
    if truth.dtype.kind == "O":
        missing = missing | np.array([value is None for value in truth.flat]).reshape(truth.shape)
    if missing.any():
        first = int(np.flatnonzero(missing.reshape(len(truth), -1).any(axis=1))[0])
        value = truth[first : first + 1].tolist()[0]
        raise ValueError(f"y must not have missing or infinite values; got {value!r} at position {first}")
    return truth


def _integer_seed(random_state: Any) -> int | None:
    """None or an int as given; one draw of a RandomState instance."""
    if random_state is None:
        return None
    if isinstance(random_state, Integral) and not isinstance(random_state, bool) and 0 <= int(random_state) < 2**32:
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    raise ValueError(f"random_state must be None, an int in [0, 2**32) or a RandomState; got {random_state!r:.80}")


def _split_seeds(random_state: int, n_splits: int) -> list[int]:
    """One seed per split, independent of how many estimators there are or in which order they run."""
    return [int(s) for s in np.random.SeedSequence(random_state).generate_state(n_splits) >> np.uint32(1)]


def _open_random_states(estimator: Any) -> tuple[str, ...]:
    """Names of the parameters called random_state, nested ones too, that are None."""
    return tuple(
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    )


def _plan(
    metrics: Sequence[Metric], score_params: Mapping[str, Any], *, stop_on_error: bool
) -> tuple[tuple[Metric, ...], Plan]:
    """What the workers collect; with routed score parameters every metric goes through its scorer."""
    if score_params:
        metrics = [
            Metric(name=m.name, kind="scorer", source=m.source) if m.kind == "batched" and m.routable else m
            for m in metrics
        ]
    by_scorer = {m.name: m.source for m in metrics if m.kind == "scorer"}
    scorer: Callable[..., Any] | None = None
    singles: tuple[Callable[..., Any], ...] = ()
    if len(metrics) == 1 and metrics[0].name == "score" and not isinstance(metrics[0].source, str):
        scorer = metrics[0].source
    elif by_scorer:
        scorer = check_scoring(scoring=by_scorer, raise_exc=stop_on_error)
        singles = tuple(check_scoring(scoring={name: s}, raise_exc=False) for name, s in by_scorer.items())
    responses = {m.response for m in metrics if m.kind == "batched" and m.response != ("predict",)}
    plan = Plan(
        responses=tuple(sorted(responses)),
        model_size=any(m.kind == "cost" and m.source == "model_size" for m in metrics),
        scorer=scorer,
        single_scorers=singles,
        score_params=score_params,
        stop_on_error=stop_on_error,
    )
    return tuple(metrics), plan


def _failures(table: ScoreTable, names: Sequence[str], splits: Splits) -> tuple[Failure, ...]:
    return tuple(
        Failure(
            estimator=names[e],
            split=i,
            metric=metric,
            message=failure_message(names[e], splits, i, step, traceback),
        )
        for (e, i, metric), (step, traceback) in sorted(table.failures.items(), key=lambda item: item[0][:2])
    )


def _report_failures(failures: Sequence[Failure], error_score: float | None, *, n_fits: int) -> None:
    """Raise where nothing may fail or everything did, else warn as scikit-learn does."""
    if not failures:
        return
    if error_score is None:
        raise EstimatorFailedError(failures[0].message)
    fits = [failure for failure in failures if failure.metric is None]
    if len(fits) == n_fits:
        raise EstimatorFailedError(f"all {n_fits} fits failed; the first: {fits[0].message}")
    if fits:
        warnings.warn(
            f"{len(fits)} of {n_fits} fits failed and are scored {error_score}; the first: {fits[0].message}",
            FitFailedWarning,
            stacklevel=3,
        )
    scorings = [failure for failure in failures if failure.metric is not None]
    if scorings:
        warnings.warn(
            f"scoring failed {len(scorings)} time(s), scored {error_score}; the first: "
            f"{scorings[0].metric}: {scorings[0].message}",
            UserWarning,
            stacklevel=3,
        )


def _is_data(data: Any) -> bool:
    return isinstance(data, (tuple, list)) and len(data) in (2, 3)


def _check_for_studies(cv: Any, scoring: Any, named: Mapping[str, Any]) -> None:
    """Raise ValueError for what would fail on every data set, before the first is loaded."""
    if not isinstance(cv, (Integral, str)) and not hasattr(cv, "split"):
        raise ValueError(f"cv must be a number of folds, 'RxK' or a splitter for several data sets; got {cv!r:.80}")
    make_splitter(cv, np.array([0, 1]), stratified=True, random_state=None)
    if scoring is not None:
        resolve_scoring(scoring, "binary", named)


def _check_metrics(result: EvaluationResult, results: Mapping[str, EvaluationResult]) -> None:
    """Raise ValueError unless a data set is scored by the metrics of those before it."""
    for other in list(results.values())[:1]:
        if result.metrics != other.metrics:
            raise ValueError(
                f"its metrics are {', '.join(result.metrics)}; those of the data sets before are "
                f"{', '.join(other.metrics)}: give scoring, or study one kind of target at a time"
            )


def _times(outcomes: Sequence[Sequence[FoldOutcome]], name: str) -> np.ndarray[Any, Any]:
    return np.array([[getattr(fold, name) for fold in folds] for folds in outcomes]).T


def _doubts(splits: Splits) -> tuple[str, ...]:
    if not splits.overlapping:
        return ()
    return (
        f"LEAK: {len(splits.overlapping)} of {len(splits)} splits test on samples they train on, the first is "
        f"split {splits.overlapping[0]}; scores are too good and no test allows for it.",
    )


def _provenance(evaluator: PairedEvaluator, named: Mapping[str, Any], random_state: int | None) -> dict[str, Any]:
    """What it takes to run this again."""
    from skcompare import __version__

    return {
        "cv": str(evaluator.cv) if isinstance(evaluator.cv, (str, Integral)) else f"{evaluator.cv!r:.200}",
        "random_state": random_state,
        "estimators": {name: " ".join(repr(estimator).split()) for name, estimator in named.items()},
        "versions": {
            "skcompare": __version__,
            "scikit-learn": sklearn.__version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "joblib": joblib.__version__,
        },
    }


@contextmanager
def _progress_bar(n_splits: int, shown: bool) -> Iterator[Callable[[int], None]]:
    """A callable to be told of finished splits; a tqdm bar on standard error where `shown`."""
    if not shown:
        yield lambda _: None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install 'skcompare[progress]'") from error
    with tqdm(total=n_splits, unit="split", desc="splits", leave=False) as bar:

        def advance(n_splits: int) -> None:
            bar.update(n_splits)

        yield advance
