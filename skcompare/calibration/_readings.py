"""Which p-values are read from every simulated data set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from inspect import Parameter, signature
from typing import Any

from skcompare._core.design import Design
from skcompare.comparison.joint import check_metric_count
from skcompare.evaluation._task import is_classification
from skcompare.inference._procedure import Procedure
from skcompare.inference._procedures import find_procedure
from skcompare.results import EvaluationResult

ALL_METRICS = "all metrics"
_DOMINANCE = ("dominance_test", "dominance")
_DOMINANCE_OPTIONS = ("correct_folds", "rope", "statement")
# Verdicts whose p-value is about two equal models, as that of a test is.
_ABOUT_EQUALITY = ("full_dominance_test", "intersection_union_test", "max_t_test", "hotelling_test", "cochran_q_test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One p-value: which procedure, on which metrics, with which options.

    Attributes
    ----------
    procedure : str
        Its full name.
    function : callable or None
        What computes it; None for the dominance test, which is a method of results.
    metrics : tuple of str
        The metrics that it speaks of.
    joint : bool
        Whether it speaks of all of them at once.
    from_predictions : bool
        Whether it needs the predictions.
    options : dict of str to object
        The options that it takes of those given.
    """

    procedure: str
    function: Any
    metrics: tuple[str, ...]
    joint: bool = False
    from_predictions: bool = False
    options: Mapping[str, Any]

    @property
    def metric(self) -> str:
        """What it is about, as a row of a table says it."""
        return ALL_METRICS if self.joint else self.metrics[0]

    @property
    def name(self) -> str:
        """Under which it is read."""
        return f"{self.procedure} on {self.metric}"

    def pvalue(self, result: EvaluationResult) -> float:
        """The p-value, nan where the procedure refuses these scores."""
        try:
            if self.function is None:
                record: Any = result.dominance(metrics=list(self.metrics), **self.options)
            else:
                metric = list(self.metrics) if self.joint else self.metrics[0]
                record = result.test(self.procedure, metric=metric, **self.options)
        except ValueError:
            return math.nan
        return float(record.pvalue)


@dataclass(frozen=True, slots=True, kw_only=True)
class PValues:
    """All p-values of a simulation, read from one result."""

    readings: tuple[Reading, ...]

    def __call__(self, result: EvaluationResult) -> dict[str, float]:
        return {reading.name: reading.pvalue(result) for reading in self.readings}


def choose_readings(
    procedure: Any, design: Design, metrics: tuple[str, ...], task: str, options: Mapping[str, Any]
) -> PValues:
    """What is to be read, or ValueError where a procedure is unknown, has no p-value, or does not fit."""
    names = [procedure] if isinstance(procedure, str) else procedure
    if not isinstance(names, Sequence) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"procedure must be the name of a procedure, or several; got {procedure!r:.80}")
    found: dict[str, Reading] = {}
    used: set[str] = set()
    for name in names:
        for reading in _of_procedure(name, design, metrics, task, options):
            found[reading.name] = reading
            used |= set(reading.options)
    for name in options:
        if name not in used:
            raise ValueError(f"{name} is no option of {', '.join(repr(r.procedure) for r in found.values())}")
    return PValues(readings=tuple(found.values()))


def _of_procedure(
    name: str, design: Design, metrics: tuple[str, ...], task: str, options: Mapping[str, Any]
) -> list[Reading]:
    if name in _DOMINANCE:
        own = {option: value for option, value in options.items() if option in _DOMINANCE_OPTIONS}
        _check_several(name, metrics)
        check_metric_count(metrics)
        return [Reading(procedure=_DOMINANCE[0], function=None, metrics=metrics, joint=True, options=own)]
    procedure = find_procedure(name, design, options)
    if procedure.returns != "test" and procedure.name not in _ABOUT_EQUALITY:
        raise ValueError(
            f"procedure must be a test of two equal models; {procedure.name!r} gives a {procedure.returns}"
        )
    predicted = procedure.takes.kind == "predictions"
    if predicted and not is_classification(task):
        raise ValueError(f"procedure {procedure.name!r} needs predicted classes; the task of the data sets is {task!r}")
    own = _options_of(procedure, design, options)
    reading = partial(Reading, procedure=procedure.name, function=procedure.function, options=own)
    if procedure.takes.joint:
        _check_several(procedure.name, metrics)
        return [reading(metrics=metrics, joint=True)]
    spoken = tuple(metric for metric in metrics if not procedure.metrics or metric in procedure.metrics)
    if not spoken:
        raise ValueError(
            f"metrics must hold {' or '.join(procedure.metrics)} for {procedure.name!r}; got {', '.join(metrics)}"
        )
    return [reading(metrics=(metric,), from_predictions=predicted) for metric in spoken]


def _options_of(procedure: Procedure, design: Design, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the options that a procedure takes and the design leaves open; ValueError where one is lacking."""
    keywords = {n: p for n, p in signature(procedure.function).parameters.items() if p.kind is Parameter.KEYWORD_ONLY}
    set_by_result = {*procedure.options(design), "names", "greater_is_better", "metrics", "positive", "n_effective"}
    own = {name: value for name, value in options.items() if name in keywords and name not in set_by_result}
    for name, parameter in keywords.items():
        if parameter.default is Parameter.empty and name not in own and name not in set_by_result:
            raise ValueError(f"{name} must be given for {procedure.name!r}")
    return own


def _check_several(name: str, metrics: tuple[str, ...]) -> None:
    if len(metrics) < 2:
        raise ValueError(f"metrics must be two or more for {name!r}, which is about all of them; got {metrics[0]!r}")
