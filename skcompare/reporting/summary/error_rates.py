"""What simulations say of the error rate of a comparison, where some are like its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.compare import Scores, stopped
from skcompare.comparison.measures import measure
from skcompare.comparison.table import ComparisonTable
from skcompare.inference import DieboldMarianoResult
from skcompare.inference._likeness import Simulated, listed
from skcompare.inference._measured_sizes import MeasuredSize
from skcompare.inference._simulated import family_size
from skcompare.inference._simulated_in_time import simulations_in_time
from skcompare.inference._simulated_on_cases import simulations_of_cases
from skcompare.inference._simulated_on_runs import simulations_of_runs
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.simulated import IN_TIME, positives, simulations_of_folds, unlike
from skcompare.scores.study import StudyScores

_TOO_OFTEN = 0.10
_STANDARD_ERRORS = 3.0  # by which neighbouring losses may correlate in a run like those of independent samples


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
    beyond : str
        Where nothing is known of any metric, beside what was simulated; empty where that is all of the run.
    n_models, n_metrics : int
        Of the run.
    family : MeasuredSize or None
        Runs with any significant difference, of so many equal models and metrics, adjusted as here; None where that
        was not measured, and where there is one comparison only.
    liberal : tuple of str
        Metrics on which more than 10% of equal models were called different in single comparisons. With unequal classes
        also those of runs of which more than 10% had a false difference; with others none of runs of which fewer had.
    """

    reason: str = ""
    where: str = ""
    by_metric: Mapping[str, MeasuredSize] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    beyond: str = ""
    n_models: int
    n_metrics: int
    family: MeasuredSize | None = None
    liberal: tuple[str, ...] = ()


def error_rates(result: EvaluationScores, comparison: ComparisonTable) -> ErrorRates | None:
    """Of a comparison of all pairs; None where it was calibrated for its run, or looks decided."""
    if stopped(result) is not None or (result.calibration is not None and comparison.procedure == "calibrated_t_test"):
        return None
    metrics = tuple(dict.fromkeys(row.metric for row in comparison))
    k, m = len(result.estimators), len(metrics)
    simulated = _like(result, comparison, metrics)
    simulated_as = {metric: result.read_as[metric] if result.design.kind == "folds" else metric for metric in metrics}
    sizes = {metric: simulated.sizes[name] for metric, name in simulated_as.items() if name in simulated.sizes}
    if simulated.sizes and not sizes:
        simulated = Simulated(reason=f"only {listed(simulated.sizes)} were simulated with {simulated.where}")
    family = None
    whole = len(sizes) == len({*simulated_as.values()}) == m and comparison.n_hypotheses == len(comparison) > 1
    if whole and comparison.correction == "holm" and comparison.alternative == "two-sided":
        family = family_size(comparison.procedure, simulated, k, tuple(simulated_as.values()))
    return ErrorRates(
        reason=simulated.reason,
        where=simulated.where,
        by_metric=sizes,
        unknown=tuple(metric for metric in metrics if metric not in sizes),
        n_models=k,
        n_metrics=m,
        family=family,
        liberal=_liberal(sizes, family, unequal=simulated.balance not in ("", "50/50")),
    )


def _like(result: EvaluationScores, comparison: ComparisonTable, metrics: Sequence[str]) -> Simulated:
    """The simulations that are like the run, of the kind of its evidence."""
    reason, kind = unlike(result), result.design.kind
    if reason:
        return Simulated(reason=reason)
    if result.design.time_order:
        return _in_time(result, comparison, positives(result))
    if kind == "runs":
        return simulations_of_runs(comparison.procedure, result.design, metrics)
    if kind == "folds":
        return simulations_of_folds(result, comparison.procedure)
    tests = {row.metric: (row.procedure, _measured_as(result, row.metric)) for row in comparison if row.procedure}
    return simulations_of_cases(result.design, tests, positives(result), result.task)


def _in_time(result: EvaluationScores, comparison: ComparisonTable, positive: float | None) -> Simulated:
    """The simulations that are like splits in time order, of metrics whose losses are as of independent samples."""
    tested = [row for row in comparison if row.record is not None]
    if positive is None or any(
        not isinstance(row.record, DieboldMarianoResult) or row.record.horizon for row in tested
    ):
        return Simulated(reason=IN_TIME)
    alike = {row.metric for row in tested if row.record.autocorrelation * row.record.n**0.5 > _STANDARD_ERRORS}
    metrics = {result.read_as[metric] for metric in {row.metric for row in tested} - alike}
    return simulations_in_time(result.design, positive, metrics) if metrics else Simulated(reason=IN_TIME)


def _liberal(sizes: Mapping[str, MeasuredSize], family: MeasuredSize | None, *, unequal: bool) -> tuple[str, ...]:
    highest = 0.0 if family is None else family.high
    if not unequal and family is not None and highest <= _TOO_OFTEN:
        return ()
    if not unequal:
        highest = 0.0  # its simulations are too few to tell 10% from 8%
    return tuple(metric for metric, size in sizes.items() if max(size.high, highest) > _TOO_OFTEN)


def too_liberal(rates: ErrorRates | None, comparison: ComparisonTable) -> tuple[CodedWarning, ...]:
    """That there are significant differences on metrics on which the test was wrong too often."""
    claimed = dict.fromkeys(row.metric for row in comparison if row.outcome.significant)
    metrics = [metric for metric in claimed if rates is not None and metric in rates.liberal]
    if not metrics or rates is None:
        return ()
    shares = [(max(rates.by_metric[metric].high for metric in metrics), "single comparisons")]
    if rates.family is not None:
        shares.append((rates.family.high, "runs like this one"))
    worst = " and ".join(f"{share:.0%} of {what}" for share, what in shares)
    return (
        Code.TOO_LIBERAL(
            f"on {listed(metrics)}, where there are significant differences, up to {worst} had a false one in "
            f"simulations of equal models ({rates.where}).",
            metrics,
        ),
    )


def with_error_rates(scores: Scores, comparison: ComparisonTable) -> ComparisonTable:
    """The comparison with that warning on every row that makes such a claim."""
    if isinstance(scores, StudyScores) or any(row.null for row in comparison):
        return comparison
    found = too_liberal(error_rates(scores, comparison), comparison)
    metrics = {metric for one in found for metric in one.about}
    rows = (
        replace(row, warnings=(*row.warnings, *found)) if row.outcome.significant and row.metric in metrics else row
        for row in comparison
    )
    return replace(comparison, rows=tuple(rows)) if found else comparison


def _measured_as(result: EvaluationScores, metric: str) -> str:
    """The metric that was simulated in place of one: of what is right or wrong its accuracy."""
    right = result.design.kind != "folds" and (
        result.read_as[metric] == "accuracy" or measure(result, metric) == "rate"
    )
    return "accuracy" if right else result.read_as[metric] if result.design.kind == "samples" else ""
