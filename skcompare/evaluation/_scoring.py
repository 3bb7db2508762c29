"""What to score: metrics resolved from the `scoring` argument."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from inspect import signature
from typing import Any, Literal

import numpy as np
from sklearn import metrics as skm

from skcompare._core.meanings import cut, did_you_mean, nearest
from skcompare._core.printable import check_name
from skcompare._core.validation import check_choice, check_number
from skcompare.evaluation._batched_metrics import BATCHED, BatchedMetric
from skcompare.evaluation._batches import DECISION, LABEL
from skcompare.evaluation._complexity import unit_of
from skcompare.evaluation._input import may_have
from skcompare.evaluation._known_scorers import known_scorer
from skcompare.evaluation._metric_function import MetricFunction, as_function
from skcompare.evaluation._own_scorers import OWN_SCORERS, named_scorer, of_class
from skcompare.evaluation._task import Task

DEFAULT_SCORING: dict[Task, tuple[str, ...]] = {
    "binary": ("accuracy", "precision", "recall", "f1", "roc_auc"),
    "multiclass": ("accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"),
    "multilabel": ("accuracy", "f1_micro", "f1_macro", "f1_samples", "jaccard_samples", "neg_label_ranking_loss"),
    **dict.fromkeys(("regression", "multioutput"), ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error")),
}
OWN_METRICS = tuple(name for name in BATCHED if name not in skm.get_scorer_names())
COST_METRICS = ("fit_time", "predict_time", "model_size", "peak_memory", "complexity")
_BATCHED_TASKS = ("binary", "multiclass", "regression", None)
COUNTED_COSTS = ("n_parameters", "complexity")  # that a callable of the user may count


@dataclass(frozen=True, kw_only=True)
class Metric:
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
        return own.of_counts != self.name and not own.equals(
            as_function(of_class(named_scorer(self.name), self.positive))
        )

    @property
    def reads(self) -> tuple[str, ...]:
        """Methods that it reads, as far as is known: what they gave is kept, whatever its name."""
        found = metric_function(self)
        return self.response if found is None else found.response

    @property
    def of_sklearn(self) -> bool:
        """Whether it is a function of scikit-learn's kind, which refuses what it is not defined on."""
        return self.kind == "batched" or hasattr(self.source, "_score_func")

    @property
    def routable(self) -> bool:
        """Whether it is a scikit-learn scorer, which can ask for metadata."""
        return self.kind == "scorer" or (self.kind == "batched" and self.source not in OWN_METRICS)


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
        raise ValueError(f"scoring must be None, a name, a list, a dict or a callable; got {scoring!r:.80}")
    if not named:
        raise ValueError(f"scoring must name at least one metric; got {scoring!r}")
    for name, _, where in named:
        if not isinstance(name, str):
            raise ValueError(f"{where} must be a metric's name; got {name!r:.80} (a scorer needs a dict)")
        if not name:
            raise ValueError(f"{where} must have a non-empty string as name; got {name!r}")
        check_name(name, "scoring")
    names = [name for name, _, _ in named]
    if len(set(names)) != len(names):
        raise ValueError(f"scoring must name each metric once; got {names}")
    return tuple(_resolve(name, value, where, task, estimators) for name, value, where in named)


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
    if any(metric.source == "complexity" for metric in metrics):
        for name, estimator in estimators.items():
            if not unit_of(estimator):
                raise ValueError(
                    "scoring must be a dict with a callable, {'complexity': (estimator, X, y) -> float}: what to count "
                    f"in {name!r} ({type(estimator).__name__}) is not known"
                )


def check_grades(metrics: Sequence[Metric], y: Any) -> None:
    """ValueError where a metric of grades is to read classes that are no numbers."""
    of_grades = [own.scorer for own in OWN_SCORERS.values() if own.ordered]
    named = [metric.name for metric in metrics if any(metric.source is scorer for scorer in of_grades)]
    if named and y.dtype.kind not in "biuf":
        raise ValueError(
            f"scoring must fit the target, whose classes are {y[:1].tolist()[0]!r}, ...; {named[0]!r} needs grades: "
            "numbers, in their order"
        )


def default_scoring(task: Task, estimators: Mapping[str, Any]) -> tuple[str, ...]:
    """The default metrics, without the last one where an estimator gives no scores to compute it from."""
    names = DEFAULT_SCORING[task]
    if task in ("regression", "multioutput"):
        return names
    methods = BATCHED[names[-1]].response if names[-1] in BATCHED else DECISION
    without = [n for n, e in estimators.items() if not any(may_have(e, method) for method in methods)]
    if not without:
        return names
    warnings.warn(
        f"{names[-1]} is left out of the default scoring: {', '.join(map(repr, without))} has no "
        f"{' or '.join(methods)}",
        UserWarning,
        stacklevel=4,
    )
    return names[:-1]


def _resolve(name: str, value: Any, where: str, task: Task | None, estimators: Mapping[str, Any]) -> Metric:
    if isinstance(value, Mapping):
        return Metric(name=name, kind="given", source=_numbers(value, where, estimators), greater_is_better=False)
    if isinstance(value, str):
        if value in COST_METRICS:
            return Metric(name=name, kind="cost", source=value, greater_is_better=False)
        known_tasks = OWN_SCORERS[value].tasks if value in OWN_SCORERS else ()
        known_tasks = BATCHED[value].tasks if value in OWN_METRICS else known_tasks
        if known_tasks and task is not None and task not in known_tasks:
            needs = " or ".join(known_tasks)
            raise ValueError(f"{where} must fit the target, which is {task}; {value!r} needs one that is {needs}")
        if value in BATCHED and task in _BATCHED_TASKS:
            return Metric(name=name, kind="batched", source=value, greater_is_better=BATCHED[value].greater_is_better)
        if value == COUNTED_COSTS[0]:
            raise ValueError(
                f"{where} must be given as a dict, scoring={{{value!r}: callable}}, with a callable "
                f"(estimator, X, y) -> float that counts the parameters of the fitted estimator"
            )
        known = [*skm.get_scorer_names(), *OWN_METRICS, *OWN_SCORERS, *COST_METRICS]
        if value not in known:
            near = nearest(value, known, 2)
            own = ", ".join((*OWN_METRICS, *OWN_SCORERS, *COST_METRICS))
            which = "a scorer name of scikit-learn or of skcompare" if near else f"scikit-learn's or {own}"
            told = f"{where} must be {which}; got {value!r}"
            raise ValueError(cut(did_you_mean(near) + told))
        return Metric(name=name, kind="scorer", source=named_scorer(value))
    if not callable(value):
        raise ValueError(f"{where} must be a name or a callable (estimator, X, y) -> float; got {value!r:.80}")
    return Metric(name=name, kind="scorer", source=value, greater_is_better=name not in COUNTED_COSTS)


def _numbers(given: Mapping[str, Any], where: str, estimators: Mapping[str, Any]) -> dict[str, float]:
    """A number for every estimator and for no other."""
    for name in given:
        check_choice(name, f"a model of {where}", tuple(estimators))
    lacking = [name for name in estimators if name not in given]
    if lacking:
        raise ValueError(f"{where} must have a number for every estimator; it has none for {lacking[0]!r}")
    limits: Any = {"low": -np.inf, "high": np.inf, "closed": "neither"}
    return {name: check_number(given[name], f"{where}[{name!r}]", **limits) for name in estimators}


def weighted(metrics: Sequence[Metric], positive: Any) -> tuple[Metric, ...]:
    """Metrics as scorers of scikit-learn's that take weights of samples; ValueError for one that takes none."""
    found = []
    for metric in metrics:
        source = metric.source
        if metric.kind == "batched" and source not in OWN_METRICS:
            of_one = BATCHED[source].takes_positive
            source = skm.make_scorer(BATCHED[source].function, pos_label=positive) if of_one else skm.get_scorer(source)
        if not takes_weights(source):
            raise ValueError(f"scoring must name metrics that take sample_weight, which is given; got {metric.name!r}")
        found.append(Metric(name=metric.name, kind="scorer", source=source))
    return tuple(found)


def batched(metrics: Sequence[Metric], task: Task, classes: Any) -> list[Metric]:
    """The metrics, with those scorers as batched ones that are known by their function and options."""
    known = [known_scorer(metric.source, task, classes) if metric.kind == "scorer" else None for metric in metrics]
    return [
        metric if found is None else replace(metric, kind="batched", source=found)
        for metric, found in zip(metrics, known, strict=True)
    ]


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
    those of which the numbers were given.
    """
    misnamed = [metric.name for metric in metrics if metric.is_misnamed]
    renamed = {
        metric.name: metric.source
        for metric in metrics
        if isinstance(metric.source, str) and metric.source not in (metric.name, *COST_METRICS)
    }
    judged = [metric.name for metric in metrics if metric.kind == "given"]
    found = {"misnamed": misnamed, "renamed": renamed, "judged": judged}
    return {what: names for what, names in found.items() if names}


def label_function(metric: Any) -> Callable[[Any, Any], float] | None:
    """The same of a metric of labels, and None of any other."""
    found = metric_function(metric)
    return found if found is not None and found.response == LABEL else None


def metric_functions(metrics: Sequence[Metric]) -> dict[str, MetricFunction]:
    """The metrics that scikit-learn's scorers compute, as functions of what models predicted."""
    found = {
        metric.name: as_function(metric.source)
        for metric in metrics
        if metric.kind == "scorer" or metric.name != metric.source
    }
    return {name: function for name, function in found.items() if function is not None}
