"""What to score: metrics resolved from the `scoring` argument."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sklearn import metrics as skm
from sklearn.base import is_regressor

from skcompare._core.meanings import cut, did_you_mean, nearest
from skcompare._core.printable import check_name
from skcompare.evaluation._batched_metrics import BATCHED
from skcompare.evaluation._task import Task

DEFAULT_SCORING: dict[Task, tuple[str, ...]] = {
    "binary": ("accuracy", "precision", "recall", "f1", "roc_auc"),
    "multiclass": ("accuracy", "precision_macro", "recall_macro", "f1_macro", "roc_auc_ovr"),
    "regression": ("r2", "neg_mean_absolute_error", "neg_root_mean_squared_error"),
}
OWN_METRICS = tuple(name for name in BATCHED if name not in skm.get_scorer_names())
COST_METRICS = ("fit_time", "predict_time", "model_size")
COUNTED_COST = "n_parameters"  # that a callable of the user counts


@dataclass(frozen=True, kw_only=True)
class Metric:
    """One column of the score table.

    Attributes
    ----------
    name : str
        Its name in the result.
    kind : {"batched", "cost", "scorer"}
        Computed here from predictions, measured while fitting, or by a scikit-learn scorer in the worker.
    source : object
        The batched metric's or cost's name, or the scorer.
    greater_is_better : bool
        Its direction; scikit-learn's scorers are all True, the costs False, and so is a callable called
        ``"n_parameters"``.
    """

    name: str
    kind: Literal["batched", "cost", "scorer"]
    source: Any
    greater_is_better: bool = True

    @property
    def response(self) -> tuple[str, ...]:
        """Methods that a batched metric reads, by preference."""
        return BATCHED[self.source].response if self.kind == "batched" else ()

    @property
    def routable(self) -> bool:
        """Whether it is a scikit-learn scorer, which can ask for metadata."""
        return self.kind == "scorer" or (self.kind == "batched" and self.source not in OWN_METRICS)


def resolve_scoring(scoring: Any, task: Task, estimators: Mapping[str, Any]) -> tuple[Metric, ...]:
    """Metrics from what scikit-learn's `cross_validate` accepts as `scoring`, and the cost metrics by name.

    Raises
    ------
    ValueError
        If a name is unknown, or there is no default for the task.
    """
    if scoring is None:
        if task == "other" and not all(is_regressor(estimator) for estimator in estimators.values()):
            raise ValueError("scoring must be given for a multilabel y; got None")
        scoring = default_scoring("regression" if task == "other" else task, estimators)
    if isinstance(scoring, str):
        return (_resolve(scoring, scoring, "scoring", task),)
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
    return tuple(_resolve(name, value, where, task) for name, value, where in named)


def default_scoring(task: Task, estimators: Mapping[str, Any]) -> tuple[str, ...]:
    """The default metrics, without ROC AUC where an estimator gives no scores to compute it from."""
    names = DEFAULT_SCORING[task]
    if task == "regression":
        return names
    methods = BATCHED[names[-1]].response
    without = [n for n, e in estimators.items() if not any(hasattr(e, method) for method in methods)]
    if not without:
        return names
    warnings.warn(
        f"{names[-1]} is left out of the default scoring: {', '.join(map(repr, without))} has no "
        f"{' or '.join(methods)}",
        UserWarning,
        stacklevel=4,
    )
    return names[:-1]


def _resolve(name: str, value: Any, where: str, task: Task) -> Metric:
    if isinstance(value, str):
        if value in COST_METRICS:
            return Metric(name=name, kind="cost", source=value, greater_is_better=False)
        if value in OWN_METRICS and not BATCHED[value].fits(task):
            needs = " or ".join(BATCHED[value].tasks)
            raise ValueError(f"{where} must fit the target, which is {task}; {value!r} needs one that is {needs}")
        if value in BATCHED and task != "other":
            return Metric(name=name, kind="batched", source=value, greater_is_better=BATCHED[value].greater_is_better)
        if value == COUNTED_COST:
            raise ValueError(
                f"{where} must be given as a dict, scoring={{{COUNTED_COST!r}: callable}}, with a callable "
                f"(estimator, X, y) -> float that counts the parameters of the fitted estimator"
            )
        known = [*skm.get_scorer_names(), *OWN_METRICS, *COST_METRICS]
        if value not in known:
            near = nearest(value, known, 2)
            own = "of skcompare" if near else f"one of {', '.join((*OWN_METRICS, *COST_METRICS))}"
            told = f"{where} must be a scorer name of scikit-learn or {own}; got {value!r}"
            raise ValueError(cut(did_you_mean(near) + told))
        return Metric(name=name, kind="scorer", source=skm.get_scorer(value))
    if not callable(value):
        raise ValueError(f"{where} must be a name or a callable (estimator, X, y) -> float; got {value!r:.80}")
    return Metric(name=name, kind="scorer", source=value, greater_is_better=name != COUNTED_COST)
