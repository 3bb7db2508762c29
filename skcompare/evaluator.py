"""PairedEvaluator: the whole route from estimators and data to a result."""

from __future__ import annotations

import os
import secrets
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from inspect import signature
from numbers import Integral, Real
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy
import sklearn
from sklearn import get_config
from sklearn.base import BaseEstimator
from sklearn.exceptions import FitFailedWarning
from sklearn.metrics import check_scoring
from sklearn.utils import check_random_state, get_tags

from skcompare._core.html import cut
from skcompare._core.printable import check_name, one_line
from skcompare._core.record import MAX_REPR
from skcompare._core.version import __version__
from skcompare.comparison.calibrated import Calibration, calibration_warnings, check_calibration, class_shares
from skcompare.comparison.stopping import SequentialMonitor
from skcompare.evaluation._copies import from_sklearn, leaves_input_unchanged
from skcompare.evaluation._engine import Work
from skcompare.evaluation._input import check_data, check_square, check_target, is_data, name_estimators
from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._metrics import Failure, ScoreTable, Scoring
from skcompare.evaluation._predictions import (
    EstimatorFailedError,
    EstimatorSpec,
    FitPlan,
    FoldOutcome,
    failure_message,
)
from skcompare.evaluation._progress import reporter
from skcompare.evaluation._routing import Routing
from skcompare.evaluation._run import run
from skcompare.evaluation._scoring import Metric, default_scoring, resolve_scoring
from skcompare.evaluation._splits import Splits, draw_splits
from skcompare.evaluation._splitter import make_splitter
from skcompare.evaluation._task import positive_class, task_of
from skcompare.evaluation.store._checkpoint import Checkpoint, remembered_seed
from skcompare.evaluation.store._store import Store
from skcompare.reporting import notebook
from skcompare.results import EvaluationResult
from skcompare.scores.stopping import StopRule
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
    store : None or path-like, default=None
        A file, made where there is none, in which every finished fit is kept as soon as it is done: the same call
        then does only what is missing, after a crash too. See the user guide, "Store and resume", for what counts as
        the same. A `cv` without a fixed seed of its own must be an int or ``"RxK"``; where `random_state` is None,
        the first run's seed of the splits is remembered in the file.
    progress : bool, default=False
        Show fits done, rate, time left and failures: a bar on the terminal (standard error) or in the notebook; needs
        tqdm.
    fit_timeout : float or None, default=None
        Seconds that one fit with its predictions and scores may take. The fits then run in worker processes, also for
        ``n_jobs=1``, and one that takes longer is stopped and counts as failed.
    keep_predictions : bool, default=True
        Whether the result keeps the predictions, which the procedures on predictions need.
    callback : callable or None, default=None
        Called in the calling process with a `ProgressEvent` after every finished fit. An exception that it raises
        ends the run.
    stop : None or StopRule, default=None
        Add repeats only until the verdict is reached, and drop models that are clearly worse, at one error rate over
        all looks. `cv` must then be an int or ``"RxK"``. `set_params` takes whole rules, ``stop=StopRule(...)``.

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
        store: Any = None,
        progress: bool = False,
        fit_timeout: float | None = None,
        keep_predictions: bool = True,
        callback: Callable[[Any], Any] | None = None,
        stop: StopRule | None = None,
    ) -> None:
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.error_score = error_score
        self.store = store
        self.progress = progress
        self.fit_timeout = fit_timeout
        self.keep_predictions = keep_predictions
        self.callback = callback
        self.stop = stop

    def set_params(self, **params: Any) -> PairedEvaluator:
        """As of any scikit-learn estimator; a `StopRule` is exchanged as a whole.

        Parameters
        ----------
        **params : dict
            New values by name.

        Returns
        -------
        PairedEvaluator
            The evaluator itself.

        Raises
        ------
        ValueError
            If a name is unknown, or of a field of `stop`.
        """
        for name in params:
            if name.startswith("stop__"):
                raise ValueError(f"stop must be set as a whole, stop=StopRule(...); got {name!r}")
        super().set_params(**params)
        return self

    def __repr__(self, N_CHAR_MAX: int = MAX_REPR) -> str:
        return cut(one_line(super().__repr__(N_CHAR_MAX)), N_CHAR_MAX)

    def _repr_html(self) -> str:
        defaults = {name: parameter.default for name, parameter in signature(type(self).__init__).parameters.items()}
        given = {name: f"{value!r}" for name, value in self.get_params(deep=False).items()}
        rows = [(name, value, value != repr(defaults.get(name))) for name, value in given.items()]
        return notebook.render_evaluator(rows, self.cv, self.scoring)

    @property
    def _repr_html_(self) -> Callable[[], str]:
        if get_config()["display"] != "diagram":  # as scikit-learn's estimators: plain text was asked for
            raise AttributeError("_repr_html_ is there for sklearn.set_config(display='diagram') only")
        return self._repr_html

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        return {**bundle, "text/html": self._repr_html()} if hasattr(self, "_repr_html_") else bundle

    def evaluate(
        self,
        estimators: Mapping[str, Any] | Sequence[Any],
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        calibration: Calibration | None = None,
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
        calibration : Calibration, optional
            Of `skcompare.calibration.calibrate`: ``"auto"`` then stands for the t test with its degrees of freedom on
            the metrics that it could calibrate. It must be of two of these estimators, of as many repeats and folds,
            of test sets of the same share of the samples to within 0.02, and on between half and twice as many samples.

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
        named = name_estimators(estimators)
        store = self._store_path()
        return self._evaluate(named, X, y, groups=groups, params=params, store=store, calibration=calibration)

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
        if self.stop is not None:
            raise ValueError(
                "stop must be None for several data sets, of which each would have another number of repeats and other "
                f"models left; got {self.stop!r}"
            )
        named = name_estimators(estimators)
        if not isinstance(datasets, Mapping) or not datasets:
            raise ValueError(f"datasets must be a mapping of name to (X, y) or a callable; got {datasets!r:.80}")
        for name, source in datasets.items():
            if not isinstance(name, str) or not name:
                raise ValueError(f"datasets must be named by non-empty strings; got {name!r}")
            check_name(name, "datasets")
            if not callable(source) and not is_data(source):
                raise ValueError(f"datasets[{name!r}] must be a pair (X, y) or a callable; got {source!r:.80}")
        _check_for_studies(self.cv, self.scoring, named)
        store = self._store_path()
        if store is not None:
            Store.open(store).close()
        results: dict[str, EvaluationResult] = {}
        failures: list[DatasetFailure] = []
        for name, source in datasets.items():
            try:
                result = self._evaluate_dataset(name, named, source, store)
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

    def _evaluate_dataset(
        self, name: str, named: Mapping[str, Any], source: Any, store: str | None
    ) -> EvaluationResult:
        """One data set of a study."""
        data = source() if callable(source) else source
        if not is_data(data):
            raise ValueError(f"the callable must give (X, y), perhaps with groups; got {type(data).__name__}")
        X, y = data[:2]
        groups = data[2] if len(data) == 3 else None
        scoring = self.scoring
        if scoring is None and task_of(list(named.values()), np.asarray(y)) in ("binary", "multiclass"):
            scoring = default_scoring("multiclass", named)
        return self._evaluate(named, X, y, groups=groups, scoring=scoring, store=store, dataset=name)

    def _evaluate(
        self,
        named: Mapping[str, Any],
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        scoring: Any = None,
        store: str | None,
        dataset: str | None = None,
        calibration: Calibration | None = None,
    ) -> EvaluationResult:
        error_score = self._check_parameters()
        X, y, groups = check_data(X, y, groups)
        truth = check_target(X, y)
        task = task_of(list(named.values()), truth)
        if task in ("binary", "multiclass") and len(np.unique(truth)) < 2:
            raise ValueError(f"y must have at least 2 classes; got only {truth[:1].tolist()[0]!r}")
        metrics = resolve_scoring(self.scoring if scoring is None else scoring, task, named)
        random_state = _integer_seed(self.random_state)
        discrete = task in ("binary", "multiclass")
        cv = self._full_cv()
        splitter = make_splitter(
            cv, y, stratified=discrete, random_state=self._split_seed(cv, random_state, X, y, store)
        )
        monitor = (
            None if self.stop is None else SequentialMonitor(self.stop, list(named), metrics, self.stop.design(self.cv))
        )
        routed = Routing(named, splitter, metrics, groups=groups, params=params)
        routed.check_lengths(len(truth))
        splits = draw_splits(splitter, X, y, n_samples=len(truth), params=routed.split_params)
        doubts = _doubts(splits)
        if calibration is not None:
            if monitor is not None:
                raise ValueError("calibration must be None with a stop, which may end before the calibrated design")
            check_calibration(calibration, named, metrics, splits.design)
            doubts += calibration_warnings(calibration, X, class_shares(truth) if discrete else ())
        specs = [
            EstimatorSpec(
                name=name,
                estimator=estimator,
                fit_params=routed.fit_params[name],
                seeded=open_random_states(estimator) if random_state is not None else (),
                pairwise=bool(get_tags(estimator).input_tags.pairwise),
                from_sklearn=from_sklearn(estimator),
                leaves_input_unchanged=leaves_input_unchanged(estimator),
            )
            for name, estimator in named.items()
        ]
        if any(spec.pairwise for spec in specs):
            check_square(X)
        classes = np.unique(truth) if discrete else None
        metrics, plan = _plan(metrics, routed.score_params, stop_on_error=error_score is None, classes=classes)
        scores = Scoring(
            metrics,
            truth,
            splits,
            task=task,
            error_score=np.nan if error_score is None else error_score,
            names=list(named),
        )
        seeds = None if random_state is None else split_seeds(random_state, len(splits))
        with ExitStack() as stack:
            checkpoint = None
            if store is not None:
                opened = Checkpoint.open(store, specs, X, y, splits, plan, seeds)
                checkpoint = stack.enter_context(opened)
            told = reporter(list(named), splits, shown=self.progress, callback=self.callback, dataset=dataset)
            outcomes = run(
                Work(specs=specs, X=X, y=y, splits=splits, plan=plan),
                seeds=seeds,
                n_jobs=self.n_jobs,
                fit_timeout=self.fit_timeout,
                checkpoint=checkpoint,
                reporter=stack.enter_context(told),
                scoring=scores,
                keep_predictions=self.keep_predictions,
                monitor=None if monitor is None else monitor.observe,
            )
        splits = splits.first(len(outcomes) // splits.n_folds)
        stopping = None if monitor is None else monitor.record()
        table = scores.table(len(splits))
        failures = _failures(table, list(named), splits)
        n_fits = len(named) * len(splits) if stopping is None else stopping.n_fits
        _report_failures(failures, error_score, n_fits=n_fits)
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
            warnings=(*doubts, *(() if stopping is None else stopping.doubts())),
            stopping=stopping,
            calibration=calibration,
            provenance=_provenance(self, named, random_state),
            single_metric=isinstance(self.scoring, str) or table.metrics[0].name == "score",
            _splits=splits,
            _predictions=KeptPredictions.from_outcomes(truth, outcomes, named) if self.keep_predictions else None,
        )

    def _store_path(self) -> str | None:
        """The file of the store, the same wherever an estimator may change to."""
        if self.store is None:
            return None
        if not isinstance(self.store, (str, os.PathLike)) or not os.fspath(self.store):
            raise ValueError(f"store must be None or the path of a file; got {self.store!r}")
        return str(Path(self.store).expanduser().absolute())

    def _full_cv(self) -> Any:
        """The splits of an evaluation that is not stopped."""
        return self.cv if self.stop is None else "{}x{}".format(*self.stop.design(self.cv))

    def _split_seed(self, cv: Any, random_state: int | None, X: Any, y: Any, store: str | None) -> int | None:
        """The seed of the splits; the one that the store remembers where none is given."""
        if store is None or random_state is not None:
            return random_state
        if isinstance(cv, (Integral, str)):
            return remembered_seed(store, X, y, str(cv), lambda: secrets.randbits(32))
        if getattr(cv, "random_state", 0) is None and getattr(cv, "shuffle", True):
            raise ValueError(
                f"cv must draw the same splits in the next run for a store to be of use; got {cv!r:.200}: "
                f"give it a random_state"
            )
        return None

    def _check_parameters(self) -> float | None:
        """The error score as a number, None for "raise"."""
        if self.fit_timeout is not None and (
            isinstance(self.fit_timeout, bool)
            or not isinstance(self.fit_timeout, Real)
            or not 0 < self.fit_timeout < np.inf
        ):
            raise ValueError(f"fit_timeout must be None or a positive number of seconds; got {self.fit_timeout!r}")
        for name in ("progress", "keep_predictions"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise ValueError(f"{name} must be True or False; got {getattr(self, name)!r}")
        if self.callback is not None and not callable(self.callback):
            raise ValueError(f"callback must be None or a callable; got {self.callback!r:.80}")
        if self.stop is not None and not isinstance(self.stop, StopRule):
            raise ValueError(f"stop must be None or a StopRule; got {self.stop!r:.80}")
        if self.n_jobs is not None and (
            isinstance(self.n_jobs, bool) or not isinstance(self.n_jobs, Integral) or self.n_jobs == 0
        ):
            raise ValueError(f"n_jobs must be None or a non-zero integer; got {self.n_jobs!r}")
        if isinstance(self.error_score, str) and self.error_score == "raise":
            return None
        if isinstance(self.error_score, Real) and not isinstance(self.error_score, bool):
            return float(self.error_score)
        raise ValueError(f"error_score must be 'raise' or a number; got {self.error_score!r}")


def _integer_seed(random_state: Any) -> int | None:
    """None or an int as given; one draw of a RandomState instance."""
    if random_state is None:
        return None
    if isinstance(random_state, Integral) and not isinstance(random_state, bool) and 0 <= int(random_state) < 2**32:
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    raise ValueError(f"random_state must be None, an int in [0, 2**32) or a RandomState; got {random_state!r:.80}")


def split_seeds(random_state: int, n_splits: int) -> list[int]:
    """One seed per split, independent of how many estimators there are or in which order they run."""
    return [int(s) for s in np.random.SeedSequence(random_state).generate_state(n_splits) >> np.uint32(1)]


def open_random_states(estimator: Any) -> tuple[str, ...]:
    """Names of the parameters called random_state, nested ones too, that are None."""
    return tuple(
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    )


def _plan(
    metrics: Sequence[Metric],
    score_params: Mapping[str, Any],
    *,
    stop_on_error: bool,
    classes: np.ndarray[Any, Any] | None,
) -> tuple[tuple[Metric, ...], FitPlan]:
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
    plan = FitPlan(
        responses=tuple(sorted(responses)),
        model_size=any(m.kind == "cost" and m.source == "model_size" for m in metrics),
        scorer=scorer,
        single_scorers=singles,
        score_params=score_params,
        stop_on_error=stop_on_error,
        classes=classes,
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
    return {
        "cv": str(evaluator.cv) if isinstance(evaluator.cv, (str, Integral)) else f"{evaluator.cv!r:.200}",
        "random_state": random_state,
        **({} if evaluator.stop is None else {"stop": repr(evaluator.stop)}),
        "estimators": {name: " ".join(repr(estimator).split()) for name, estimator in named.items()},
        "versions": {
            "skcompare": __version__,
            "scikit-learn": sklearn.__version__,
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "joblib": joblib.__version__,
        },
    }
