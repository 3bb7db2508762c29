"""PairedEvaluator: the whole route from estimators and data to a result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from inspect import signature
from itertools import repeat
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, Self, Unpack

import numpy as np
from sklearn import get_config
from sklearn.base import BaseEstimator

from skcompare._core.document import Document, Paragraph
from skcompare._core.numbers import listed
from skcompare._core.record import MAX_PAGE_CELL, MAX_REPR, Table, cut, grid_of
from skcompare._core.text import one_line
from skcompare._core.validation import Options, given_twice, nearest, warn_of_old
from skcompare._core.warnings import CodedWarning, forbidding
from skcompare.evaluation import datasets as on_datasets
from skcompare.evaluation.cautions import data_warnings, leakage, not_computed, split_warnings, still_columns
from skcompare.evaluation.engine import measure, report_failures
from skcompare.evaluation.fit import EstimatorFailedError
from skcompare.evaluation.input import RunOptions, RunSettings, check_data, check_target, checked_call
from skcompare.evaluation.metrics.scoring import check_fit
from skcompare.evaluation.prepare import PreparedEvaluation, check_n_seeds, prepare_evaluation, with_baseline
from skcompare.evaluation.provenance import data_digest, known_digest, known_metrics, provenance
from skcompare.scores.stopping import StopRule

if TYPE_CHECKING:
    from skcompare._typed import Estimator, Parameters
    from skcompare.learning import LearningCurveResult
    from skcompare.results import EvaluationResult
    from skcompare.scores.calibration import Calibration
    from skcompare.study import StudyResult


# What was a parameter, and what is given now.
MOVED = {field.name: f"options=RunOptions({field.name}=...)" for field in fields(RunOptions)}
MOVED["nested"] = "intervals='nested'"


class PairedEvaluator(BaseEstimator):  # type: ignore[misc]
    """Evaluate estimators on the same cross-validation splits, ready for paired tests.

    Parameters
    ----------
    cv : int, str, splitter or iterable, default="10x10"
        An int k is k-fold, ``"RxK"`` is R repeats of K folds; both are shuffled, and stratified for classifiers of one
        label per sample (of several labels they are those of `KFold`). With `groups` they keep each together
        (`StratifiedGroupKFold`, else `GroupKFold`), anew in every repeat. Splitters and iterables of (train, test)
        indices work too. The splits are drawn once per `evaluate` and shared by all estimators.
    scoring : None, str, list, dict or callable, default=None
        What scikit-learn's `cross_validate` accepts, names of skcompare's own such as ``"specificity"`` and
        ``"quadratic_kappa"`` (an unknown name is refused with those), and the costs ``"fit_time"``, ``"predict_time"``
        (seconds), ``"model_size"`` (bytes, pickled), ``"peak_memory"`` (bytes, of a second fit) and ``"complexity"``
        (leaves, coefficients and the like of
        scikit-learn's models). Less is better for these, for a callable under the name ``"n_parameters"`` or
        ``"complexity"``, and for a mapping of the estimators' names to numbers, which is a judgement and has no test:
        ``{"interpretability": {"tree": 1, "forest": 3}}``. Other callables give greater values to better models, so
        that of another cost they give the negative. See the user guide, "Criteria beyond error". None stands for
        accuracy, precision, recall, f1 and roc_auc of a binary target; accuracy, precision_macro, recall_macro,
        f1_macro and roc_auc_ovr of a multiclass one; accuracy (of all labels at once), f1_micro, f1_macro, f1_samples,
        jaccard_samples and neg_label_ranking_loss of several labels (0 and 1, a column each); r2,
        neg_mean_absolute_error and neg_root_mean_squared_error of numbers. The positive class of ``"f1"``,
        ``"average_precision"`` and all other names is 1 where 1 is a label, otherwise the last label in sorted order.
    n_jobs : int or None, default=None
        joblib's workers; None is 1 unless a `joblib.parallel_config` says otherwise.
    random_state : int, RandomState or None, default=None
        Shuffles the splits of an int or ``"RxK"`` `cv`; None draws them from the global random state, as scikit-learn
        does, so that `numpy.random.seed` repeats them; an int leaves that state as it is. Unless it is None, every
        ``random_state`` of the estimators that is None gets a seed made of it and the split's number. From it code that
        is not scikit-learn's draws too, where it takes numbers from the global random states. The splitter of a grid
        search keeps its own. ``--seed`` of the command is the same, and 0 by default.
    error_score : "raise" or float, default="raise"
        When an estimator fails on a split: stop with its name and the fold, or go on. Its scores there are then
        missing; a number is what `to_cross_validate` shows in their place, as scikit-learn does, and nothing else reads
        it. An estimator that fails on its first 5 splits with the same message is fitted no more. A metric of
        scikit-learn's that is not defined on a split, as where it lacks a class, is nan there, and a warning says so.
    store : None or path-like, default=None
        A file that keeps every finished fit: the same call then does only what is missing, after a crash too. See the
        user guide, "Store and resume". A `cv` without a fixed seed of its own must be an int or ``"RxK"``; where
        `random_state` is None, the first run's seed of the splits is remembered in the file.
    progress : bool, default=False
        Show fits done, rate, time left and failures in a bar; needs tqdm.
    stop : None or StopRule, default=None
        Add repeats until the verdict is reached, and drop models that are clearly worse, at one error rate over all
        looks. `cv` must be an int or ``"RxK"``. `set_params` takes whole rules, ``stop=StopRule(...)``.
    n_seeds : int, default=1
        Fits per split, each with a seed from `random_state` in place of every ``random_state`` of the models. A score
        is the mean over them, `details.seed_scores` has the single ones, and no predictions are kept.
    baseline : None or str, default=None
        What every model must be better than: an estimator's name, or ``"dummy"``, which adds scikit-learn's
        `DummyClassifier` (strategy "prior") or `DummyRegressor`. Every view then says which models are not
        significantly better, and the baseline leads only where it is better than all others.
    intervals : {None, "nested"}, default=None
        ``"nested"``: fit also without every two folds of a repeat, for ``result.intervals(method="nested")`` and the
        test `nested_cv_interval` (Bates, Hastie and Tibshirani 2024). Of R repeats of K folds these are R K (K - 1) / 2
        fits more per model, 450 on ``"10x10"``. It chooses no parameters: that is a search inside a model. `cv` must be
        k-fold with K of 3 or more, without groups; `stop` None and `n_seeds` 1.
    return_train_score : bool, default=False
        Whether to score the training sets too: `train_scores` of the result has them, and `explain` the gaps. `store`
        must be None and `n_seeds` 1.
    return_estimator : bool, default=False
        Whether to keep every fitted model, as ``result.estimators_[name][split]``. `store` must be None and `n_seeds`
        1; models that come from workers must be picklable.
    options : None or RunOptions, default=None
        What is rarely asked: a time limit, a callback, whether predictions are kept. `set_params` takes them as a
        whole.
    **old
        `fit_timeout`, `keep_predictions`, `callback`, `check_data`, `share` and ``nested=True``, which are fields of
        `options` and ``intervals="nested"`` now; until version 0.4.

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
        stop: StopRule | None = None,
        n_seeds: int = 1,
        baseline: str | None = None,
        intervals: Literal["nested"] | None = None,
        return_train_score: bool = False,
        return_estimator: bool = False,
        options: RunOptions | None = None,
        **old: Any,
    ) -> None:
        self.cv = cv
        self.scoring = scoring
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.error_score = error_score
        self.store = store
        self.progress = progress
        self.stop = stop
        self.n_seeds = n_seeds
        self.baseline = baseline
        self.intervals = intervals
        self.return_train_score = return_train_score
        self.return_estimator = return_estimator
        self.options = options
        if old:
            self._take_old(old, {"options": options, **({} if intervals is None else {"intervals": intervals})})

    def _take_old(self, given: Mapping[str, Any], beside: Mapping[str, Any]) -> None:
        """Parameters by the names that they had; TypeError for others, and for the old name beside the new one."""
        for name, value in given.items():
            if name not in MOVED:
                own = {one: one for one in signature(type(self)).parameters if one != "old"}
                of_call = {one: f"{one} of evaluate()" for one in ("groups", "params")}
                known = {"seed": "random_state", "folds": "cv", "metrics": "scoring", **of_call, **MOVED, **own}
                near = nearest(name, [*known])
                meant = f"; did you mean {known[near[0]]}?" if near else ""
                raise TypeError(f"{type(self).__name__} has no parameter {name!r}{meant}")
            if name == "nested" and "intervals" in beside:
                raise given_twice("nested", "intervals")
            if getattr(beside.get("options"), name, value) not in (value, getattr(RunOptions, name, value)):
                raise given_twice(name, MOVED[name])
            warn_of_old(f"{name}=", f"give {MOVED[name]}")
            if name == "nested":
                self.intervals = "nested" if value else None
            else:
                self._set_options(**{name: value})

    def __getattr__(self, name: str) -> Any:
        if name not in MOVED:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        now = "read .intervals" if name == "nested" else "read .options, where None stands for RunOptions()"
        warn_of_old(f".{name} of {type(self).__name__}", now)
        return self.intervals == "nested" if name == "nested" else getattr(self.options or RunOptions(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in MOVED:
            self._take_old({name: value}, {})
        else:
            super().__setattr__(name, value)

    def _set_options(self, **changes: Any) -> Self:
        self.options = replace(self.options or RunOptions(), **changes)
        return self

    def set_params(self, **params: Any) -> PairedEvaluator:
        """Set parameters by name; `stop` and `options` are exchanged as a whole.

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
            If a name is unknown, or of a field of `stop` or `options`.
        """
        for name in params:
            whole, field, _ = name.partition("__")
            if field and whole in (kinds := {"stop": "StopRule", "options": "RunOptions"}):
                raise ValueError(f"{whole} must be set as a whole, {whole}={kinds[whole]}(...); got {name!r}")
        old = {name: params.pop(name) for name in MOVED if name in params}
        super().set_params(**params)
        self._take_old(old, params)
        return self

    @property
    def _repr_html_(self) -> Callable[[], str]:
        if get_config()["display"] != "diagram":  # as scikit-learn's estimators: plain text was asked for
            raise AttributeError("_repr_html_ is there for sklearn.set_config(display='diagram') only")
        return self._repr_html

    @checked_call
    def evaluate(
        self,
        models: Mapping[str, Any] | Sequence[Any] | Estimator,
        X: Any,
        y: Any,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        calibration: Calibration | None = None,
    ) -> EvaluationResult:
        """Fit every model on every split and score its predictions.

        Parameters
        ----------
        models : mapping of name to estimator, list of (name, estimator), list of estimators, or estimator
            One or more. Bare ones are named by their class in lower case, pipelines by that of their last step; of
            equal ones what differs follows, as in "svc-c1" and "svc-c10", or a number. They are cloned, never fitted in
            place. Of one model the result has its scores with intervals, and `add` adds others.
        X : array-like of shape (n_samples, n_features)
            Anything that the models accept and that can be indexed by row.
        y : array-like of shape (n_samples,)
            The target.
        groups : array-like of shape (n_samples,), optional
            Given to the splitter, which must keep each on one side of every split; of one test set also the clusters of
            its samples, which tests then allow for. With metadata routing enabled, pass it in `params`.
        params : mapping, optional
            Given to ``fit`` of every model, cut to the training samples; with metadata routing enabled, to what
            requested it of models, splitter and scorers.
        calibration : Calibration, optional
            Of `skcompare.calibration.calibrate`: ``"auto"`` then stands for the t test with its degrees of freedom on
            the metrics that it could calibrate. It must be of two of these models, of as many repeats and folds,
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
        named = with_baseline(models, self.baseline)
        return self._evaluate(named, X, y, self._settings(), groups=groups, params=params, calibration=calibration)

    @checked_call
    def evaluate_datasets(self, models: Mapping[str, Any] | Sequence[Any], datasets: Mapping[str, Any]) -> StudyResult:
        """Evaluate the models on several data sets, each with its own shared splits.

        Parameters
        ----------
        models : mapping of name to estimator, list of (name, estimator), or list of estimators
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
        >>> from sklearn.datasets import load_iris, load_wine
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> datasets = {"iris": lambda: load_iris(return_X_y=True), "wine": lambda: load_wine(return_X_y=True)}
        >>> evaluator = PairedEvaluator(cv=5, scoring=["accuracy"], random_state=0)
        >>> study = evaluator.evaluate_datasets([GaussianNB(), DecisionTreeClassifier()], datasets)
        >>> study.means("accuracy").shape
        (2, 2)
        """
        from skcompare.scores.study import DatasetFailure
        from skcompare.study import StudyResult

        settings = self._settings()
        self._check_unstopped("several data sets, of which each")
        named = with_baseline(models, self.baseline)
        datasets = on_datasets.check_datasets(datasets, self.cv, self.scoring, named, settings.store)
        metrics: list[tuple[str, ...]] = []
        store = on_datasets.StoreBetween(settings.store)

        def evaluate(name: str, source: Any) -> EvaluationResult:
            X, y, groups = on_datasets.load_dataset(source)
            scoring = on_datasets.scoring_of_all(self.scoring, named, y)
            store.check()
            result = self._evaluate(named, X, y, settings, groups=groups, scoring=scoring, dataset=name)
            store.note(result.scores[..., 0].size)
            on_datasets.check_metrics(result.metrics, metrics)
            return result

        results, failures = on_datasets.evaluate_each(datasets, evaluate)
        store.check()
        failed = tuple(DatasetFailure(dataset=name, message=message) for name, message in failures.items())
        told, made = tuple(one.warning for one in failed), next(iter(results.values())).provenance
        return StudyResult.from_results(results, failures=failed, warnings=told, provenance=made)

    @checked_call
    def learning_curve(
        self,
        models: Mapping[str, Any] | Sequence[Any] | Estimator,
        X: Any,
        y: Any,
        *,
        train_sizes: Sequence[float] = (0.1, 0.2, 0.4, 0.7, 1.0),
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
    ) -> LearningCurveResult:
        """Evaluate with smaller training sets too, to see how the verdict depends on size.

        The test sets are the same at all sizes. The training sets are nested: each is the beginning of a random order
        of the samples of the largest in which the classes are spread evenly, drawn with `random_state`; in time order
        it is the samples just before the test set. With all training samples the scores are those of `evaluate`, and a
        `store` is shared with it.

        Parameters
        ----------
        models : mapping of name to estimator, list of (name, estimator), or list of estimators
            As in `evaluate`.
        X : array-like of shape (n_samples, n_features)
            The data.
        y : array-like of shape (n_samples,)
            The target.
        train_sizes : sequence of float or of int, default=(0.1, 0.2, 0.4, 0.7, 1.0)
            Shares of the training samples in (0, 1], or numbers of them; two or more.
        groups : array-like of shape (n_samples,), optional
            As in `evaluate`.
        params : mapping, optional
            As in `evaluate`.

        Returns
        -------
        LearningCurveResult
            One result per size, compared from the full size downward, with the sizes at which models change places; of
            one model its scores with their intervals.

        Raises
        ------
        ValueError
            If an argument does not fit, naming it; if `stop` is set, under which sizes would have other splits.
        EstimatorFailedError
            If an estimator fails and `error_score` is ``"raise"``.

        Examples
        --------
        >>> from sklearn.datasets import load_breast_cancer
        >>> from sklearn.naive_bayes import GaussianNB
        >>> from sklearn.tree import DecisionTreeClassifier
        >>> from skcompare import PairedEvaluator
        >>> models = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
        >>> evaluator = PairedEvaluator(cv=10, scoring="roc_auc", random_state=0)
        >>> curve = evaluator.learning_curve(models, *load_breast_cancer(return_X_y=True))
        >>> curve.sizes
        (51, 102, 204, 358, 512)
        >>> print(curve)  # doctest: +ELLIPSIS
        Use nb: +0.122 roc_auc over stump (95% interval +0.095 to +0.149). The same at
        every size...
        """
        from skcompare.learning import LearningCurveResult, check_sizes, cut_to_sizes, warnings_of_sizes

        settings, sizes = self._settings(), check_sizes(train_sizes)
        self._check_unstopped("a learning curve, of which each size")
        named = with_baseline(models, self.baseline)
        if self.intervals is not None:
            raise ValueError("intervals must be None for a learning curve; evaluate() makes the inner fits")
        whole = self._prepared(named, X, y, settings, groups=groups, params=params, cv=self.cv, scoring=self.scoring)
        found, prepared = leakage(whole) if settings.check_data else (), cut_to_sizes(whole, sizes)
        results = {}
        for size, one in prepared.items():
            try:
                results[size] = self._measured(one, settings, fit_params=bool(params), leaks=found)
            except EstimatorFailedError as error:
                raise EstimatorFailedError(f"with {size} training samples {error}") from error
        return LearningCurveResult(results=results, warnings=(*found, *warnings_of_sizes(prepared)))

    def _check_unstopped(self, parts: str) -> None:
        """ValueError where a rule would end the parts of a run one by one."""
        if self.stop is not None:
            differ = "would have another number of repeats and other models left"
            raise ValueError(f"stop must be None for {parts} {differ}; got {self.stop!r}")

    def _prepared(self, named: Options, X: Any, y: Any, settings: RunSettings, **asked: Any) -> PreparedEvaluation:
        """What is drawn and checked before the first fit."""
        own = {"random_state": self.random_state, "store": settings.store, "n_seeds": self.n_seeds}
        prepared = prepare_evaluation(named, X, y, added=self.scoring is None, **own, **asked)
        if settings.stop_on_error:
            check_fit(prepared.metrics, prepared.truth, prepared.task, prepared.named)
        return prepared

    def _evaluate(
        self,
        named: Mapping[str, Any],
        X: Any,
        y: Any,
        settings: RunSettings,
        *,
        groups: Any = None,
        params: Mapping[str, Any] | None = None,
        scoring: Any = None,
        dataset: str | None = None,
        calibration: Calibration | None = None,
    ) -> EvaluationResult:
        check_n_seeds(self.n_seeds, calibration=calibration)
        if self.stop is not None and len(named) < 2:
            raise ValueError(f"stop must be None for one model, which nothing is compared with; got {self.stop!r}")
        cv = self.cv if self.stop is None else "{}x{}".format(*self.stop.design(self.cv))
        scoring = self.scoring if scoring is None else scoring
        prepared = self._prepared(named, X, y, settings, groups=groups, params=params, cv=cv, scoring=scoring)
        return self._measured(prepared, settings, fit_params=bool(params), dataset=dataset, calibration=calibration)

    def _measured(
        self,
        prepared: PreparedEvaluation,
        settings: RunSettings,
        *,
        fit_params: bool,
        dataset: str | None = None,
        calibration: Calibration | None = None,
        leaks: tuple[CodedWarning, ...] | None = None,
    ) -> EvaluationResult:
        """The result of the fits; `leaks` are those of the whole data, where they were looked for."""
        stop, names = self.stop, list(prepared.named)
        monitor = None
        if stop is not None:
            from skcompare.comparison.stopping import SequentialMonitor

            monitor = SequentialMonitor(stop, names, prepared.metrics, stop.design(self.cv))
        of_splits = split_warnings(prepared, shuffled=isinstance(self.cv, (Integral, str)))
        found = (*prepared.splits.warnings, *data_warnings(prepared), *of_splits)
        if calibration is not None:
            from skcompare.scores.calibration import warnings_of_calibration

            found += warnings_of_calibration(calibration, prepared, stop)
        if leaks is None:
            leaks = leakage(prepared) if settings.check_data else ()
        found += leaks
        measured = measure(prepared, settings, monitor=None if monitor is None else monitor.observe, dataset=dataset)
        if measured.table.undefined:
            found += tuple(not_computed(measured.table, names, measured.splits, prepared.truth, prepared.task))
        stopping = None if monitor is None else monitor.record(forbidding(found))
        n_fits = len(names) * len(measured.splits) if stopping is None else stopping.n_fits
        if measured.failures:
            report_failures(measured.failures, settings, n_fits)
        found += () if stopping is None else stopping.warnings_of_tests()
        given = prepared if prepared.seeded is None else replace(prepared, named=prepared.seeded.given, seeded=None)
        asked = {**self.get_params(deep=False), "check_data": settings.check_data}
        made = provenance(asked, given, measured.shared, fit_params=fit_params)
        of_data = still_columns(prepared) if settings.check_data else []
        health = {**({"": of_data} if of_data else {}), **measured.health}
        made |= {"health": health} if health else {}
        from skcompare.results import EvaluationResult

        result = EvaluationResult(
            **measured.described(prepared, sequential=stopping is not None and bool(stopping.looks)),
            warnings=found,
            stopping=stopping,
            calibration=calibration,
            baseline=self.baseline,
            error_score=np.nan if settings.stop_on_error else float(settings.error_score),
            provenance=made,
            single_metric=isinstance(self.scoring, str) or measured.table.metrics[0].name == "score",
        )
        if not measured.health and not np.isnan(result.scores).any():
            return result
        return result._with(warnings=(*result.warnings, *result._scores.warnings_of_parts))

    def _settings(self) -> RunSettings:
        """The parameters that say how fits are run; ValueError where one, or `stop`, does not fit."""
        if self.stop is not None and not isinstance(self.stop, StopRule):
            raise ValueError(f"stop must be None or a StopRule; got {self.stop!r:.80}")
        n_seeds = check_n_seeds(self.n_seeds, stop=self.stop)
        if self.options is not None and not isinstance(self.options, RunOptions):
            raise ValueError(f"options must be None or RunOptions(...); got {self.options!r:.80}")
        rare, own = {} if self.options is None else vars(self.options), RunSettings.__annotations__
        settings = RunSettings(**rare, **dict(zip(own, map(getattr, repeat(self), own), strict=False)))
        for name, value, plain in (("stop", self.stop, None), ("n_seeds", n_seeds, 1)) if settings.intervals else ():
            if value != plain:
                raise ValueError(
                    f"{name} must be {plain} for intervals='nested', which is of single fits on splits that are known "
                    f"before; got {value!r:.80}"
                )
        if n_seeds > 1 and (settings.return_train_score or settings.return_estimator):
            raise ValueError(f"n_seeds must be 1 where training scores or fitted models are kept; got {n_seeds}")
        return settings if n_seeds == 1 else replace(settings, keep_predictions=False)

    def __repr__(self, N_CHAR_MAX: int = MAX_REPR) -> str:
        return cut(one_line(super().__repr__(N_CHAR_MAX)), N_CHAR_MAX)

    def _repr_html(self) -> str:
        rows, usual = list[tuple[str, str, str]](), signature(type(self).__init__).parameters
        for name, value in self.get_params(deep=False).items():
            rows.append((name, repr(value), "default" if repr(value) == repr(usual[name].default) else "set"))
        table = Table(("parameter", "value", "set or default"), rows, limit=len(rows))
        plan = Paragraph(name="answer", text=_plan(self.cv, self.scoring))
        blocks = (plan, grid_of(table, "parameters", MAX_PAGE_CELL))
        return Document(title=type(self).__name__, blocks=blocks)._repr_html_()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        return {**bundle, "text/html": self._repr_html()} if hasattr(self, "_repr_html_") else bundle


def evaluator_of(result: EvaluationResult, *, check_data: bool, **more: Any) -> PairedEvaluator:
    """With the splits, metrics and seed of a result, which keeps predictions where that does."""
    options = RunOptions(keep_predictions=result._scores.kept_predictions is not None, check_data=check_data)
    scoring, seed = dict(known_metrics(result.provenance)), result.provenance.get("random_state")
    return PairedEvaluator(cv=result.splits(), scoring=scoring, random_state=seed, options=options, **more)


def evaluate_another(
    result: EvaluationResult, name: str, model: Any, X: Any, y: Any, *, groups: Any, params: Any
) -> EvaluationResult:
    """A result with one more model; see `EvaluationResult.add`."""
    scores = result._scores
    if name in result.estimators:
        raise ValueError(f"name must be one that the result does not have yet; got {name!r}")
    X, y, groups = check_data(X, y, groups)
    for what, data in (("X", X), ("y", check_target(X, y))):
        known, given = known_digest(result.provenance, what), data_digest(data)
        if known and known != given:
            raise ValueError(
                f"{what} must be the data of the result, whose digest is {known:.12}; got data with {given:.12}"
            )
    scoring, alone = known_metrics(result.provenance), (scores.stopping, scores.calibration, scores.selected)
    if [*scoring] != [*result.metrics] or not all(scoring.values()) or any(one is not None for one in alone):
        raise ValueError(
            "add needs a plain result with metrics of scikit-learn's names: evaluate the model with "
            "PairedEvaluator(cv=result.splits()), the same scoring and random_state, and use skcompare.merge"
        )
    looked = result.provenance.get("check_data") is not False
    kept = {"return_train_score": result.train_scores is not None, "return_estimator": bool(result.estimators_)}
    evaluator = evaluator_of(result, check_data=looked, **kept)
    from skcompare.results import merge

    merged = merge(result, evaluator.evaluate({name: model}, X, y, groups=groups, params=params))
    cv = {"cv": result.provenance["cv"]} if "cv" in result.provenance else {}
    own = {"baseline": scores.baseline, "single_metric": scores.single_metric}
    return merged._with(**own, provenance={**merged.provenance, **cv})


@checked_call
def compare(
    models: Mapping[str, Any] | Sequence[Any] | Estimator,
    X: Any,
    y: Any,
    cv: Any = "10x10",
    scoring: Any = None,
    *,
    groups: Any = None,
    params: Mapping[str, Any] | None = None,
    **parameters: Unpack[Parameters],
) -> EvaluationResult:
    """Evaluate models on the same splits and compare them, in one call.

    Parameters
    ----------
    models : mapping of name to estimator, list of (name, estimator), list of estimators, or estimator
        As in `PairedEvaluator.evaluate`.
    X : array-like of shape (n_samples, n_features)
        The data.
    y : array-like of shape (n_samples,)
        The target.
    cv : int, str, splitter or iterable, default="10x10"
        As in `PairedEvaluator`.
    scoring : None, str, list, dict or callable, default=None
        As in `PairedEvaluator`; the first metric is the question.
    groups : array-like of shape (n_samples,), optional
        As in `PairedEvaluator.evaluate`.
    params : mapping, optional
        As in `PairedEvaluator.evaluate`.
    **parameters
        Others of `PairedEvaluator`, such as ``random_state=0``, ``n_jobs=2`` or ``baseline="dummy"``.

    Returns
    -------
    EvaluationResult
        It prints the answer.

    Raises
    ------
    ValueError
        If an argument does not fit, naming it.
    EstimatorFailedError
        If an estimator fails and `error_score` is ``"raise"``; a ValueError.

    See Also
    --------
    PairedEvaluator : keeps the settings for several calls.
    cross_validate : scores without a comparison.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> import skcompare as skc
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> models = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3)}
    >>> skc.compare(models, X, y, scoring="roc_auc", random_state=0).answer().metrics[0].leader
    'nb'
    """
    return PairedEvaluator(cv=cv, scoring=scoring, **parameters).evaluate(models, X, y, groups=groups, params=params)


def _plan(cv: Any, scoring: Any) -> str:
    splits = f"{cv} cross-validation" if isinstance(cv, str) else f"splits of {cut(repr(cv), 80)}"
    splits = f"{cv}-fold cross-validation" if isinstance(cv, int) else splits
    metrics = "the usual metrics of the task" if scoring is None else cut(repr(scoring), 80)
    if isinstance(scoring, (str, list, tuple, set, Mapping)) and scoring:
        metrics = scoring if isinstance(scoring, str) else listed(map(str, scoring))
    return f"evaluate() fits every model on the same splits ({splits}) and scores {metrics} from the same predictions."
