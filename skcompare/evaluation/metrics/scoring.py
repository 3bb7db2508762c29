"""What to score: metrics resolved from the `scoring` argument."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from inspect import signature
from itertools import count, starmap
from numbers import Number
from operator import attrgetter, itemgetter
from traceback import format_exc
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn import metrics as skm
from sklearn.exceptions import UndefinedMetricWarning

from skcompare._core import validation
from skcompare._core.metrics import LOSSES
from skcompare._core.numbers import agreeing, counted, listed, some_names, some_of
from skcompare._core.record import Frozen, Record
from skcompare._core.text import one_line
from skcompare._core.validation import FloatArray, check_choice, check_name, check_number, cut, did_you_mean, nearest
from skcompare._core.warnings import warn
from skcompare.evaluation.chunks import FoldOutcome
from skcompare.evaluation.fit import FIRST_LOST, FIRST_SPLITS, START, error_line, with_remedy
from skcompare.evaluation.foreign_code import is_harmless
from skcompare.evaluation.input import Task, is_classification, may_have
from skcompare.evaluation.learners import unit_of
from skcompare.evaluation.metrics.batches import DECISION, LABEL, Batches, Truth
from skcompare.evaluation.metrics.scorers import MetricFunction, as_function, known_scorer
from skcompare.evaluation.metrics.table import BATCHED, OWN_SCORERS, BatchedMetric, named_scorer, of_class
from skcompare.evaluation.splits import Splits

DEFAULT_SCORING: dict[Task, tuple[str, ...]] = {
    "binary": ("accuracy", "precision", "recall", "f1", "roc_auc"),
    "multiclass": ("accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"),
    "multilabel": ("accuracy", "f1_micro", "f1_macro", "f1_samples", "jaccard_samples", "neg_label_ranking_loss"),
    **dict.fromkeys(("regression", "multioutput"), ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error")),
}
OWN_METRICS = tuple(name for name in BATCHED if name not in skm.get_scorer_names())
OF_GRADES = OWN_SCORERS["quadratic_kappa"].scorer  # which are numbers
COST_METRICS = ("fit_time", "predict_time", "model_size", "peak_memory", "complexity")
COUNTED_COSTS = ("n_parameters", "complexity")  # that a callable of the user may count


class Metric(Frozen):
    """One column of the score table.

    Attributes
    ----------
    name : str
        Its name in the result.
    kind : {"batched", "cost", "scorer", "given"}
        Computed here from predictions, measured while fitting, or by a scikit-learn scorer in the worker; or a number
        for every model that the user gave.
    source : object
        The batched metric or its name, the cost's name, the scorer, or the numbers by model.
    greater_is_better : bool
        Its direction; scikit-learn's scorers are all True, costs and what was given False, and so is a callable called
        ``"n_parameters"`` or ``"complexity"``.
    positive : object
        The class that a scorer of scikit-learn's was told to take as the positive one; None where it was not.
    added : bool
        Whether nobody asked for it, as for the metrics of the default scoring: what it lacks then ends no run.
    """

    name: str
    kind: Literal["batched", "cost", "scorer", "given"]
    source: Any
    greater_is_better: bool = True
    positive: Any = None
    added: bool = False

    @property
    def response(self) -> tuple[str, ...]:
        """Methods that a batched metric reads, by preference."""
        return self.batched.response if self.kind == "batched" else ()

    @property
    def batched(self) -> BatchedMetric:
        """A batched metric's arithmetic."""
        found: BatchedMetric = BATCHED[self.source] if isinstance(self.source, str) else self.source
        return found

    @property
    def is_misnamed(self) -> bool:
        """Whether it is called by the name of another metric, as the macro F1 in ``{"f1": "f1_macro"}``."""
        named = (*skm.get_scorer_names(), *OWN_METRICS, *OWN_SCORERS, "mcc", "cohen_kappa")
        if self.name == self.source or self.name not in named:
            return False
        own = as_function(self.source)
        if own is None or self.name in OWN_METRICS:
            return True
        other = as_function(of_class(named_scorer(self.name), self.positive))
        return own.of_counts != self.name and not own.equals(other)

    @property
    def reads(self) -> tuple[str, ...]:
        """Methods that it reads, as far as is known: what they gave is kept, whatever its name."""
        found = metric_function(self)
        return self.response if found is None else found.response

    @property
    def routable(self) -> bool:
        """Whether it is a scikit-learn scorer, which can ask for metadata."""
        return self.kind == "scorer" or (self.kind == "batched" and self.source not in OWN_METRICS)

    def scorer(self, positive: Any) -> Any:
        """The scikit-learn scorer of one that has it, about the positive class where it is about one."""
        return self.source if self.kind == "scorer" else of_class(named_scorer(self.source), positive)


def resolve_scoring(scoring: Any, task: Task | None, estimators: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Metrics from what scikit-learn's `cross_validate` accepts as `scoring`, cost metrics by name, numbers by model.

    Where the task is not known yet (None), a metric of any fits, and `scoring` must be given.

    Raises
    ------
    ValueError
        If a name is unknown, or there is no default for the task.
    """
    if scoring is None:
        if task is None or task == "other":
            raise ValueError(
                "scoring must be given for a y that is neither classes, labels (0 and 1, a column each) nor numbers, "
                "such as events with times: a callable (estimator, X, y) -> float; got None"
            )
        scoring = default_scoring(task, estimators)
    if isinstance(scoring, str):
        return (_resolve(scoring, scoring, "scoring", task, estimators),)
    if isinstance(scoring, Mapping):
        named = [(name, value, f"scoring[{name!r}]") for name, value in scoring.items()]
    elif isinstance(scoring, (list, tuple, set, frozenset)):
        scoring = sorted(scoring, key=str) if isinstance(scoring, (set, frozenset)) else scoring
        named = [(value, value, f"scoring[{i}]") for i, value in enumerate(scoring)]
    elif callable(scoring):
        return (Metric(name="score", kind="scorer", source=scoring),)
    else:
        raise ValueError(f"scoring must be None, a name, a list, a dict or a callable; got {validation.came(scoring)}")
    if not named:
        raise ValueError(f"scoring must name at least one metric; got {validation.came(scoring)}")
    for name, _, where in named:
        if not isinstance(name, str):
            raise ValueError(f"{where} must be a metric's name; got {name!r:.80} (a scorer needs a dict)")
    named = [(check_name(name, "scoring"), source, where) for name, source, where in named]
    names = list(map(itemgetter(0), named))
    if len(set(names)) != len(names):
        raise ValueError(f"scoring must name each metric once; got {names}")
    return tuple(starmap(partial(_resolve, task=task, estimators=estimators), named))


def for_positive(metrics: Sequence[Metric], positive: Any) -> tuple[Metric, ...]:
    """Metrics of which the scorers with a name of scikit-learn's are about a positive class other than 1.

    Its own are about 1, and refuse targets of two texts, which precision, recall and F1 take here.
    """
    if positive is None or positive == 1:
        return tuple(metrics)
    named = {repr(named_scorer(name)) for name in skm.get_scorer_names()}
    return tuple(
        replace(metric, source=of_class(metric.source, positive), positive=positive)
        if metric.kind == "scorer" and repr(metric.source) in named
        else metric
        for metric in metrics
    )


def check_complexity(metrics: Sequence[Metric], estimators: Mapping[str, Any]) -> None:
    """ValueError where complexity is a metric and it is not known what to count in an estimator."""
    if ("cost", "complexity") not in map(attrgetter("kind", "source"), metrics):
        return
    for name, estimator in estimators.items():
        if not unit_of(estimator):
            raise ValueError(
                "scoring must be a dict with a callable, {'complexity': (estimator, X, y) -> float}: what to count "
                f"in {name!r} ({type(estimator).__name__}) is not known"
            )


def check_fit(metrics: Sequence[Metric], y: Any, task: Task, estimators: Mapping[str, Any]) -> None:
    """ValueError where a metric with a name does not fit the target, or a model lacks what it reads."""
    for metric in metrics:
        function = metric_function(metric) if metric.kind == "scorer" else None
        if metric.added or (metric.kind != "batched" and not (function and function.name(metric.positive))):
            continue
        for name, estimator in estimators.items():
            there = any(map(partial(may_have, estimator), metric.reads))
            if not there and is_harmless(estimator):  # methods of other models may be there after their fit alone
                needs = f"{metric.name!r} needs {' or '.join(metric.reads)}"
                raise ValueError(f"scoring must fit the models; {needs}, which {name!r} does not have")
        fits = task == "other" or (metric.kind == "batched" and task in metric.batched.tasks)
        if not fits and (told := _refused(metric, y, task)):
            said = f"scoring must fit the target, which is {task}; {metric.name!r} does not: {told}"
            raise ValueError(with_remedy("score", said))


def _refused(metric: Metric, y: NDArray[Any], task: Task) -> str:
    """What a metric says of perfect predictions of a target of this kind; empty where it takes those of any values."""
    scorer, read, told = metric.scorer(None), "predict" in metric.reads, ""
    if task in ("binary", "multiclass"):
        classes = np.unique(y)[:3]
        codes = np.arange(6) % len(classes)
        targets = [classes[codes].tolist(), *([] if isinstance(classes[0], str) else [codes + 1])]
        scores = codes if task == "binary" else np.eye(3)[codes]
    elif not read:
        return ""
    else:
        scores = codes = np.arange(4 * (y.size // len(y))).reshape(4, *y.shape[1:])
        broken = (y.astype(np.float64) % 1 != 0).mean() > 0.5
        targets = [codes + 1.5] if broken else [codes % 2, codes + 1]
    for target in targets:
        try:
            with warnings.catch_warnings(action="ignore"):
                scorer._score_func(target, target if read else scores, **scorer._kwargs)
        except Exception as error:
            told = told or one_line(str(error))
        else:
            return ""
    return told


def default_scoring(task: Task, estimators: Mapping[str, Any]) -> tuple[str, ...]:
    """The default metrics, without the last one where an estimator gives no scores to compute it from."""
    names = DEFAULT_SCORING[task]
    if task in ("regression", "multioutput"):
        return names
    methods = BATCHED[names[-1]].response if names[-1] in BATCHED else DECISION
    without = []
    for name, model in estimators.items():
        without += [] if any(map(partial(may_have, model), methods)) else [name]
    if not without:
        return names
    warn(
        f"{names[-1]} is left out of the default scoring: it takes scores ({' or '.join(methods)}), which "
        f"{listed(map(repr, without), 3)} {agreeing(len(without), 'does', 'do')} not give"
    )
    return names[:-1]


def _check_meaning(name: str, value: Any, where: str) -> None:
    """ValueError where a metric has a name that says how scores are shown, and is another one.

    A loss that scikit-learn negates itself may have the name of another loss, as one with options of its own.
    """
    if isinstance(value, str) and value == name:
        return
    counts = name in COUNTED_COSTS and not isinstance(value, str)
    if name in LOSSES and getattr(value, "_sign", 1) > 0:
        needs = "a loss, make_scorer(..., greater_is_better=False)"
    elif name in (*COST_METRICS, *COUNTED_COSTS) and not counts and not isinstance(value, Mapping):
        needs = "a number per model"
    else:
        return
    raise ValueError(
        f"{where} must be {name!r} or {needs}, as that name is shown; got {value!r:.80}: give it another name"
    )


def _resolve(name: str, value: Any, where: str, task: Task | None, estimators: Mapping[str, Any]) -> Metric:
    _check_meaning(name, value, where)
    if isinstance(value, Mapping):
        return Metric(name=name, kind="given", source=_numbers(value, where, estimators), greater_is_better=False)
    if isinstance(value, str):
        if value in COST_METRICS:
            return Metric(name=name, kind="cost", source=value, greater_is_better=False)
        known_tasks: tuple[str, ...] = OWN_SCORERS[value].tasks if value in OWN_SCORERS else ()
        known_tasks = BATCHED[value].tasks if value in OWN_METRICS else known_tasks
        if known_tasks and task is not None and task not in known_tasks:
            needs = " or ".join(known_tasks)
            raise ValueError(f"{where} must fit the target, which is {task}; {value!r} needs one that is {needs}")
        if value in BATCHED and task in ("binary", "multiclass", "regression", None):
            return Metric(name=name, kind="batched", source=value, greater_is_better=BATCHED[value].greater_is_better)
        if value == COUNTED_COSTS[0]:
            raise ValueError(
                f"{where} must be given as a dict, scoring={{{value!r}: callable}}, with a callable "
                f"(estimator, X, y) -> float that counts the parameters of the fitted estimator"
            )
        check_metric_name(value, where)
        return Metric(name=name, kind="scorer", source=named_scorer(value))
    if not callable(value):
        raise ValueError(f"{where} must be a name or a callable (estimator, X, y) -> float; got {value!r:.80}")
    return Metric(name=name, kind="scorer", source=value, greater_is_better=name not in COUNTED_COSTS)


def check_metric_name(value: str, where: str) -> None:
    """Raise ValueError unless a metric has this name here or in scikit-learn."""
    known = [*skm.get_scorer_names(), *OWN_METRICS, *OWN_SCORERS, *COST_METRICS]
    if value not in known:
        near = nearest(value, known, 2)
        told = f"{where} must be a scorer name of scikit-learn or of skcompare; got {value!r:.80}"
        own = "" if near else f". Of skcompare are {some_names((*OWN_METRICS, *OWN_SCORERS, *COST_METRICS), 3)}"
        raise ValueError(cut(f"{did_you_mean(near)}{told}{own}"))


def _numbers(given: Mapping[str, Any], where: str, estimators: Mapping[str, Any]) -> dict[str, float]:
    """A number for every estimator and for no other."""
    for name in given:
        check_choice(name, f"a model of {where}", tuple(estimators))
    if lacking := [name for name in estimators if name not in given]:
        raise ValueError(f"{where} must have a number for every estimator; it has none for {lacking[0]!r}")
    limits: Any = {"low": -np.inf, "high": np.inf, "closed": "neither"}
    return {name: check_number(given[name], f"{where}[{name!r}]", **limits) for name in estimators}


def weighted(metrics: Sequence[Metric], positive: Any) -> tuple[Metric, ...]:
    """Metrics as scorers of scikit-learn's that take weights of samples; ValueError for one that takes none."""
    found = []
    for metric in metrics:
        source = metric.scorer(positive) if metric.routable else metric.source
        if not takes_weights(source):
            raise ValueError(f"scoring must name metrics that take sample_weight, which is given; got {metric.name!r}")
        found.append(Metric(name=metric.name, kind="scorer", source=source))
    return tuple(found)


def batched(metrics: Sequence[Metric], task: Task, classes: Any) -> list[Metric]:
    """The metrics, with those scorers as batched ones that are known by their function and options."""
    known = [known_scorer(one.source, task, classes) if one.kind == "scorer" else None for one in metrics]
    return [x if of is None else replace(x, kind="batched", source=of) for x, of in zip(metrics, known, strict=True)]


def takes_weights(scorer: Any) -> bool:
    """Whether a scorer's function has an argument for the weights of samples."""
    function = getattr(scorer, "_score_func", None)
    return function is not None and "sample_weight" in signature(function).parameters


def metric_function(metric: Any) -> MetricFunction | None:
    """A metric as a function ``(y_true, predicted) -> float``; None where it is computed here, or is opaque.

    Parameters
    ----------
    metric : str, Metric or scorer
        A name of scikit-learn's, or what a result was scored with.
    """
    source = metric.source if isinstance(metric, Metric) else metric
    return None if isinstance(source, str) and source in BATCHED else as_function(source)


def names_given(metrics: Sequence[Metric]) -> dict[str, Any]:
    """For the provenance of a result: metrics called by the name of another one, names in place of known ones, and
    those of which the numbers were given, and those of functions that a file does not keep.
    """
    misnamed, renamed, judged, unsaved = [], {}, [], []
    for metric in metrics:
        if metric.is_misnamed:
            misnamed.append(metric.name)
        if isinstance(metric.source, str) and metric.source not in (metric.name, *COST_METRICS):
            renamed[metric.name] = metric.source
        if metric.kind == "given":
            judged.append(metric.name)
        own = as_function(metric.source) if metric.kind == "scorer" else None
        if own is not None and own.to_parts() is None and (metric.is_misnamed or not as_function(metric.name)):
            unsaved.append(metric.name)
    found = {"misnamed": misnamed, "renamed": renamed, "judged": judged, "unsaved": unsaved}
    return dict(filter(itemgetter(1), found.items()))


def metric_functions(metrics: Sequence[Metric]) -> dict[str, MetricFunction]:
    """The metrics that scikit-learn's scorers compute, as functions of what models predicted."""
    found = {one.name: as_function(one.source) for one in metrics if one.kind == "scorer" or one.name != one.source}
    return {name: function for name, function in found.items() if function is not None}


# From predictions to scores.
#
# Metrics known by name, or by the function of their scorer, are computed on all folds at once. Where a fold is out of
# the ordinary (labels never seen, non-finite scores, ...) scikit-learn's own function is called on that fold, so that
# its value, its warning or its error is what the user meets. Every other scorer is called on the fitted estimator.


_REFUSED = "refused"  # in place of the step that failed
# The step that failed and its traceback, by estimator, split and metric, which is None of a fit.
Errors = dict[tuple[int, int, str | None], tuple[str, str]]


class Failure(Record):
    """An estimator that failed on a split.

    Attributes
    ----------
    estimator : str
        Its name.
    split : int
        Position of the split, counted from 0.
    metric : str or None
        The metric that could not be scored; None where fitting failed, and all metrics with it.
    message : str
        Estimator, split, step and the error's last line.
    started : bool
        False where the fit was not started, since the first ones had failed with one message.
    """

    estimator: str
    split: int
    metric: str | None
    message: str
    started: bool = True


def given_up(failures: Sequence[Failure]) -> dict[str, str]:
    """Of the models whose later fits were not started, what is said of them."""
    n_started = Counter(name for name, _ in {(one.estimator, one.split) for one in failures if one.started})
    told = {}
    for name, n in Counter(one.estimator for one in failures if not one.started).items():
        n_first = FIRST_SPLITS if n_started[name] >= FIRST_SPLITS else FIRST_LOST
        told[name] = (
            f"{name!r} failed on its first {n_first} splits with the same message; its other {counted(n, 'fit')} "
            f"{agreeing(n, 'was', 'were')} not started"
        )
    return told


class ScoreTable(Frozen):
    """Scores of shape (n_estimators, n_splits, n_metrics), nan where something failed, and what failed.

    `ill_defined` counts the folds on which a metric was 0/0 or not defined, by estimator and metric. `failures` maps
    (estimator, split, metric) to the traceback; metric is None where fitting failed, and all
    metrics of that fold with it. `undefined` has in the same way what is no failure: the metric is not defined there,
    or nobody asked for it.
    """

    metrics: tuple[Metric, ...]
    scores: FloatArray
    ill_defined: dict[str, dict[str, int]]
    failures: Errors
    undefined: dict[tuple[int, int, str], tuple[str, str]]


class Scoring:
    """Scores every estimator's predictions on every split, in whatever portions and order the splits come.

    Parameters
    ----------
    metrics : sequence of Metric
        The columns; a single callable that returns dicts is replaced by one column per key of the first.
    y : ndarray of shape (n_samples, ...)
        True targets.
    splits : Splits
        The splits, in order.
    task : str
        The kind of problem.
    names : sequence of str
        Names of the estimators, for warnings.
    """

    def __init__(
        self, metrics: Sequence[Metric], y: NDArray[Any], splits: Splits, *, task: Task, names: Sequence[str]
    ) -> None:
        self._metrics, self._names = tuple(metrics), tuple(names)
        self._truth = Truth(y, splits, task)
        self._batched, self._others, self._values = list[Metric](), list[Metric](), dict[str, FloatArray]()
        for metric in metrics:
            (self._batched if metric.kind == "batched" else self._others).append(metric)
            if metric.kind != "scorer":
                self._values[metric.name] = np.full((len(names), len(splits)), np.nan)
        self._undefined = {name: dict.fromkeys(self._values, 0) for name in names}
        self._failed: Errors = {}
        self._refused: set[tuple[int, int, str]] = set()  # of these, where the function takes no such fold
        self._scored: dict[tuple[int, int], Any] = {}
        self._waiting = set(range(len(splits)))

    def add(
        self, numbers: Sequence[int], outcomes: Sequence[Sequence[FoldOutcome]], estimators: Sequence[int] | None = None
    ) -> None:
        """Score some splits, given by their numbers and one outcome each of all or some estimators.

        Keeps no predictions. What is not given has no scores.
        """
        numbers = list(map(int, numbers))
        estimators = range(len(self._names)) if estimators is None else estimators
        self._waiting.difference_update(numbers)
        for i, of_estimators in zip(numbers, outcomes, strict=True):
            for e, outcome in zip(estimators, of_estimators, strict=True):
                self._take(e, i, outcome)
        if not (self._batched and numbers):
            return
        positions = np.array(numbers)
        for place, block in self._truth.blocks(numbers):
            for position, e in enumerate(estimators):
                self._score(e, positions[place], Batches(block, list(map(itemgetter(position), outcomes[place]))))

    def _take(self, e: int, i: int, outcome: FoldOutcome) -> None:
        """What needs no arithmetic: measured costs, scorers' answers, failures."""
        if "fit" in outcome.errors:
            self._failed[e, i, None] = ("fit" if outcome.started else START, outcome.errors["fit"])
            return
        for metric in self._others:
            if metric.kind == "cost":
                self._values[metric.name][e, i] = getattr(outcome, metric.source)
                step = "predict" if metric.source == "predict_time" else metric.source
                if step in outcome.errors:
                    self._failed[e, i, metric.name] = (step, outcome.errors[step])
            elif metric.kind == "given":
                self._values[metric.name][e, i] = metric.source[self._names[e]]
            else:  # all scorers at once
                error = outcome.errors.get("score")
                self._scored[e, i] = outcome.scored if error is None else _ScorerError(error)

    def _score(self, e: int, numbers: NDArray[np.intp], batches: Batches) -> None:
        for metric in self._batched:
            values, errors = _column(metric, batches)
            self._values[metric.name][e, numbers] = values
            for i, (step, error) in errors.items():
                key = (e, int(numbers[i]), metric.name)
                self._failed[key] = ("score" if step == _REFUSED else step, error)
                if step == _REFUSED:
                    self._refused.add(key)
        for name, folds in batches.undefined.items():
            self._undefined[self._names[e]][name] += int(np.count_nonzero(folds))

    def table(self, n_splits: int | None = None) -> ScoreTable:
        """All scores, or those of the first splits; warns of the metrics that were 0/0, once for every estimator."""
        table = self.interim(len(self._truth.splits) if n_splits is None else n_splits)
        for name, counts in table.ill_defined.items():
            for metric_name, n_folds in counts.items():
                warn(
                    f"{metric_name} of {name!r} is ill-defined on {some_of(n_folds, table.scores.shape[1], 'fold')}",
                    UndefinedMetricWarning,
                )
        return table

    def interim(self, n_splits: int) -> ScoreTable:
        """The scores of the first splits."""
        waiting = self._waiting.intersection(range(n_splits))
        if waiting:
            raise RuntimeError(f"{len(waiting)} splits are not scored; the first is {min(waiting)}")
        metrics = self._metrics
        if len(metrics) == 1 and metrics[0].kind == "scorer" and metrics[0].name == "score":
            metrics = self._columns()
        failed = dict(self._failed)
        names = list(map(attrgetter("name"), metrics))
        columns = self._values | {name: self._scorer_column(name, failed) for name in names if name not in self._values}
        scores = np.stack(list(map(columns.__getitem__, names)), axis=2)
        none = self._not_defined(metrics, failed) if failed else {}
        undefined = dict(zip(self._undefined, map(Counter, self._undefined.values()), strict=True))
        for e, i, name in none:
            del failed[e, i, name]
            undefined[self._names[e]][name] += 1
        place: dict[str | None, int] = dict(zip((None, *names), count(-1), strict=False))
        failures = dict(sorted(failed.items(), key=lambda item: (item[0][0], place[item[0][2]], item[0][1])))
        for e, i, lacking in failures:
            scores[e, i, slice(None) if lacking is None else place[lacking]] = np.nan
        return ScoreTable(
            metrics=metrics,
            scores=scores[:, :n_splits],
            ill_defined={name: dict(known) for name, counts in undefined.items() if (known := +counts)},
            failures=failures,
            undefined=none,
        )

    def _not_defined(self, metrics: Sequence[Metric], failed: Errors) -> dict[tuple[int, int, str], tuple[str, str]]:
        """What of these is no failure: a metric that lacks a class or a second sample, or scores nobody asked for.

        Labels and numbers that no metric can read are a failure of the model, whatever was asked for.
        """
        added = {metric.name for metric in metrics if metric.added and metric.reads != LABEL}
        in_worker = {one.name for one in metrics if one.kind == "scorer" and hasattr(one.source, "_score_func")}
        classes = self._truth.classes if is_classification(self._truth.task) else None
        partial: dict[int, bool] = {}
        found = {}
        for (e, i, name), (step, error) in failed.items():
            if name is None:
                continue
            refused = name in in_worker and step == "score" and error_line(error).startswith("ValueError")
            refused = name not in added and (refused or (e, i, name) in self._refused)
            if refused and i not in partial:
                partial[i] = self._truth.splits.is_partial(i, self._truth.y, classes)
            if name in added or (refused and partial[i]):
                found[e, i, name] = (step, error)
        return found

    def _scorer_column(self, name: str, failed: Errors) -> FloatArray:
        """What the scorers gave under a name; where that is no number, `failed` is told."""
        values = np.full((len(self._names), len(self._truth.splits)), np.nan)
        for (e, i), scored in self._scored.items():
            try:
                values[e, i] = _number(scored, name)
            except _ScorerError as error:
                failed[e, i, name] = ("score", str(error))
        return values

    def _columns(self) -> tuple[Metric, ...]:
        """Of a single callable the keys of the first dict it returned, or "score"."""
        for _, scored in sorted(self._scored.items(), key=lambda item: item[0][::-1]):
            if isinstance(scored, dict) and scored:
                return tuple(
                    Metric(name=str(key), kind="scorer", source=None, greater_is_better=key not in COUNTED_COSTS)
                    for key in scored
                )
        return self._metrics


def _column(metric: Metric, batches: Batches) -> tuple[FloatArray, dict[int, tuple[str, str]]]:
    """Scores of a batched metric on some folds, and (step, traceback) of the folds where it failed."""
    errors, batched = {}, metric.batched
    for i, fold in enumerate(batches.folds):  # of those without any of the responses the first step that failed
        step = next(filter(fold.errors.__contains__, batched.response), None)
        if step is not None and not fold.responses.keys() & {*batched.response}:
            errors[i] = (step, fold.errors[step])
    ordinary = batches.ordinary(batched.response) if batches.truth.task in batched.tasks else []
    n_folds = len(batches.folds)
    values = batched.compute(batches, metric.name) if ordinary else np.full(n_folds, np.nan)
    if len(ordinary) < n_folds:
        values[np.setdiff1d(np.arange(n_folds), ordinary)] = np.nan
    left = np.isnan(values)
    if not left.any():
        return values, errors
    left &= ~batches.undefined.get(metric.name, np.zeros(n_folds, dtype=bool))
    for i in np.flatnonzero(left).tolist():
        if i in errors or "fit" in batches.folds[i].errors:
            continue
        try:
            y_true, y_response = batches.pair(i, batched.response)
            values[i] = batched.reference(batches.truth.positive)(y_true, y_response)
        except Exception as error:
            refused = isinstance(error, ValueError) and _is_sound(batches, i, batched.response)
            errors[i] = (_REFUSED if refused else "score", format_exc())
    return values, errors


def _is_sound(batches: Batches, i: int, names: tuple[str, ...]) -> bool:
    """Whether a response is what a metric may read, labels that are known or finite scores, so that the fold is not."""
    response = batches.response(i, names)
    if names == LABEL:
        return i in batches.ordinary(names)
    return response is not None and response.dtype.kind == "f" and bool(np.isfinite(response).all())


class _ScorerError(Exception):
    """The traceback of what a scorer raised, or why its answer is no score."""


def _number(scored: Any, name: str) -> float:
    """The score of one name in what a scorer gave."""
    if isinstance(scored, _ScorerError):
        raise scored
    score: Any = scored.get(name) if isinstance(scored, dict) and scored else scored
    if isinstance(score, str) and score.startswith("Traceback"):  # from scikit-learn's multi-metric scorer
        raise _ScorerError(score)
    if hasattr(score, "item") and not np.ma.is_masked(score):  # which has the number below a mask
        with suppress(ValueError):  # several numbers
            score = score.item()
    if not isinstance(score, Number) or isinstance(score, complex):
        raise _ScorerError(f"ValueError: scoring must return a number for {name!r}; got {score!r:.80}")
    try:
        return float(score)  # type: ignore[arg-type]
    except OverflowError as error:
        raise _ScorerError(f"OverflowError: the score of {name!r} is too large for a float") from error
