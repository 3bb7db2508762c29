"""What simulations say of the error rate of a comparison, where some are like its run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from skcompare.comparison.cases import measure
from skcompare.comparison.compare import stopped
from skcompare.comparison.table import ComparisonTable
from skcompare.inference._measured_sizes import MeasuredSize
from skcompare.inference._simulated import (
    Simulated,
    family_size,
    listed,
    simulations_like,
    simulations_of_cases,
    simulations_of_runs,
)
from skcompare.scores.evaluation import EvaluationScores


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRates:
    """How often a test at 5% called equal models different in simulations like a run.

    Attributes
    ----------
    reason : str
        Why nothing is known, as a clause; empty where something is.
    where : str
        The simulations.
    by_metric : mapping of str to MeasuredSize
        Of one comparison, without adjustment; only the metrics that were simulated.
    unknown : tuple of str
        The other metrics.
    n_models, n_metrics : int
        Of the run.
    family : MeasuredSize or None
        Runs with any significant difference, of so many equal models and metrics, adjusted as here; None where that
        was not measured, and where there is one comparison only.
    """

    reason: str = ""
    where: str = ""
    by_metric: Mapping[str, MeasuredSize] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    n_models: int
    n_metrics: int
    family: MeasuredSize | None = None


def error_rates(result: EvaluationScores, comparison: ComparisonTable) -> ErrorRates | None:
    """Of a comparison of all pairs; None where it was calibrated for its run, or looks decided."""
    if stopped(result) is not None or (result.calibration is not None and comparison.procedure == "calibrated_t_test"):
        return None
    metrics = tuple(dict.fromkeys(row.metric for row in comparison))
    k, m = len(result.estimators), len(metrics)
    reason, positive = _unlike(result), _positives(result)
    if reason:
        simulated = Simulated(reason=reason)
    elif result.design.kind == "runs":
        simulated = simulations_of_runs(comparison.procedure, result.design, metrics)
    elif result.design.kind != "folds":
        tests = {row.metric: (row.procedure, _measured_as(result, row.metric)) for row in comparison if row.procedure}
        simulated = simulations_of_cases(result.design, tests, positive, result.task)
    else:
        simulated = simulations_like(comparison.procedure, result.design, positive)
    if not simulated.reason and positive is None and result.design.kind == "folds":
        simulated = Simulated(reason="the share of positives is not known")
    sizes = {metric: simulated.sizes[metric] for metric in metrics if metric in simulated.sizes}
    if simulated.sizes and not sizes:
        simulated = Simulated(reason=f"only {listed(simulated.sizes)} were simulated with {simulated.where}")
    family = None
    whole = len(sizes) == m and comparison.n_hypotheses == len(comparison) > 1
    if whole and comparison.correction == "holm" and comparison.alternative == "two-sided":
        family = family_size(comparison.procedure, simulated, k, metrics)
    return ErrorRates(
        reason=simulated.reason,
        where=simulated.where,
        by_metric=sizes,
        unknown=tuple(metric for metric in metrics if metric not in sizes),
        n_models=k,
        n_metrics=m,
        family=family,
    )


def _unlike(result: EvaluationScores) -> str:
    """What makes a run unlike all simulations, whatever the test; empty where nothing does."""
    if result.sample_weight is not None:
        return "weights of samples were not simulated"
    if result.fit_seeds:
        return "means over several seeds were not simulated"
    if result.design.kind in ("items", "runs"):
        return ""
    if result.design.time_order:
        return "in time order it depends on how long losses stay alike"
    counted = result.design.n_clusters is not None or result.design.n_groups is not None
    grouped = not counted and "Group" in str(result.provenance.get("cv", ""))
    if result.task in ("multilabel", "multioutput") and result.design.kind == "samples":
        return ""
    if result.task in ("multiclass", "multilabel", "regression", "multioutput"):
        return "only two classes were simulated"
    if result.task != "binary":
        return "it is not known to have two classes"
    if result.design.n_samples is None:
        return "the number of samples is not known"
    return "groups of samples were not simulated" if grouped else ""


def _measured_as(result: EvaluationScores, metric: str) -> str:
    """The metric that was simulated in place of one: of what is right or wrong its accuracy."""
    right = result.design.kind != "folds" and (metric == "accuracy" or measure(result, metric) == "rate")
    return "accuracy" if right else metric if result.design.kind == "samples" else ""


def _positives(result: EvaluationScores) -> float | None:
    """The share of the positive class, None where it is not known."""
    kept = result.kept_predictions
    return (
        None if kept is None or result.task != "binary" else float(np.mean(np.asarray(kept.y) == result.positive_class))
    )
