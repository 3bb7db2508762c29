"""What simulations say of the error rate of a comparison, where some are like its run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any

from skcompare._core.design import Design
from skcompare._core.numbers import counted, listed
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measures import measure
from skcompare.comparison.pairs import Scores
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable
from skcompare.inference import DieboldMarianoResult
from skcompare.inference._distributions import t_quantile, t_tail
from skcompare.inference._measured import (
    CHANCE,
    DIFFERENT,
    GUESSING,
    MIXED,
    SHALLOW,
    WITH_GUESSING,
    WITH_SHALLOW,
    MeasuredSize,
    pair_family,
)
from skcompare.inference._overlap import Correction
from skcompare.inference._simulated import (
    Simulated,
    family_size,
    simulations_in_time,
    simulations_of_cases,
    simulations_of_runs,
)
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.simulated import IN_TIME, can_be_calibrated, positives, simulations_of_folds, unlike
from skcompare.scores.study import StudyScores

# Families of learners in words.
LEARNERS = {
    "linear": "linear models",
    "naive Bayes": "naive Bayes",
    "neighbors": "nearest neighbours",
    "tree": "trees",
    SHALLOW: "shallow trees",
    "forest": "forests",
    "boosting": "boosted trees",
    "kernel": "kernel methods",
    "network": "neural networks",
    MIXED: "learners of two families",
    WITH_SHALLOW: "shallow trees and other learners",
    WITH_GUESSING: "learners of which one does no better than guessing",
}
EQUAL = "equal models"
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
        Of one comparison, without adjustment; only the metrics that were simulated. Of the families of learners that
        are compared that with the highest mean.
    by_learners : mapping of str to mapping of str to MeasuredSize
        The same of the pairs of each family of learners, by metric; all nulls count where the family is not known, or
        was not simulated.
    families : mapping of str to str
        The family of each model, "guessing" where its ROC AUC or R2 is no better than that.
    unknown : tuple of str
        The other metrics.
    beyond : str
        Where nothing is known of any metric, beside what was simulated; empty where that is all of the run.
    n_models, n_metrics : int
        Of the run.
    family : MeasuredSize or None
        Runs with any significant difference, of so many equal models and metrics, adjusted as here; None where that
        was not measured, as of shallow trees, and where there is one comparison only.
    calibratable : bool
        Whether `calibrate` can measure it.
    """

    reason: str = ""
    where: str = ""
    by_metric: Mapping[str, MeasuredSize] = field(default_factory=dict)
    by_learners: Mapping[str, Mapping[str, MeasuredSize]] = field(default_factory=dict)
    families: Mapping[str, str] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    beyond: str = ""
    n_models: int
    n_metrics: int
    family: MeasuredSize | None = None
    calibratable: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Simulations:
    """The simulations like a run, under which names its metrics stand there, and what they say of its pairs."""

    simulated: Simulated
    simulated_as: Mapping[str, str]
    families: Mapping[str, str]
    by_learners: Mapping[str, Mapping[str, MeasuredSize]]

    def of(self, row: ComparisonRow) -> MeasuredSize | None:
        learners = pair_family(self.families[row.a], self.families[row.b])
        return self.by_learners.get(learners, {}).get(row.metric)


def _simulations(result: EvaluationScores, comparison: ComparisonTable) -> _Simulations:
    metrics = tuple(dict.fromkeys(row.metric for row in comparison))
    simulated = _like(result, comparison, metrics)
    simulated_as = {metric: result.read_as[metric] if result.design.kind == "folds" else metric for metric in metrics}
    families = {name: _family(result, name) for name in result.estimators}
    by_learners = _by_learners(families, comparison, simulated, simulated_as)
    return _Simulations(simulated=simulated, simulated_as=simulated_as, families=families, by_learners=by_learners)


def _is_measured(result: EvaluationScores, comparison: ComparisonTable) -> bool:
    """Whether simulations are asked for: not of a test that was calibrated for its run, nor where looks decided."""
    return stopped(result) is None and (result.calibration is None or comparison.procedure != "calibrated_t_test")


def error_rates(result: EvaluationScores, comparison: ComparisonTable) -> ErrorRates | None:
    """Of a comparison of all pairs; None where it was calibrated for its run, or looks decided."""
    if not _is_measured(result, comparison):
        return None
    metrics = tuple(dict.fromkeys(row.metric for row in comparison))
    k, m = len(result.estimators), len(metrics)
    found = _simulations(result, comparison)
    simulated, simulated_as, by_learners = found.simulated, found.simulated_as, found.by_learners
    of_metric = {metric: [own[metric] for own in by_learners.values() if metric in own] for metric in metrics}
    sizes = {metric: max(own, key=lambda size: size.mean) for metric, own in of_metric.items() if own}
    if simulated.sizes and not by_learners:
        simulated = Simulated(reason=f"only {listed(simulated.sizes)} were simulated with {simulated.where}")
    family = None
    whole = len(sizes) == len({*simulated_as.values()}) == m and comparison.n_hypotheses == len(comparison) > 1
    usual = comparison.correction == "holm" and comparison.alternative == "two-sided"
    if whole and usual and by_learners.keys().isdisjoint((SHALLOW, WITH_SHALLOW)):
        family = family_size(comparison.procedure, simulated, k, tuple(simulated_as.values()))
    return ErrorRates(
        reason=simulated.reason,
        where=simulated.where,
        by_metric=sizes,
        by_learners=by_learners,
        families=found.families,
        unknown=tuple(metric for metric in metrics if metric not in sizes),
        n_models=k,
        n_metrics=m,
        family=family,
        calibratable=can_be_calibrated(result),
    )


def _family(result: EvaluationScores, name: str) -> str:
    """Of a model that does no better than guessing on a metric that shows it, another one than its learner has."""
    shown = (
        result.score(name, metric).mean() <= CHANCE[read] for metric, read in result.read_as.items() if read in CHANCE
    )
    family = result.families[name]
    return GUESSING if family and any(shown) else family


def _by_learners(
    families: Mapping[str, str], comparison: ComparisonTable, simulated: Simulated, simulated_as: Mapping[str, str]
) -> dict[str, dict[str, MeasuredSize]]:
    """What was measured, by families of pairs that are compared and by metric."""
    found: dict[str, dict[str, MeasuredSize]] = {}
    for row in comparison:
        learners = pair_family(families[row.a], families[row.b])
        size = simulated.size(simulated_as[row.metric], learners)
        if size is not None:
            found.setdefault(learners, {})[row.metric] = size
    return found


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


def simulated_of(sizes: Iterable[MeasuredSize]) -> str:
    """What sizes are of: equal models; of two families models that differ."""
    return "a known difference" if any(size.learners in DIFFERENT for size in sizes) else EQUAL


# Claims that would not stand if scores varied as much as in the worst of the simulations that are like the run.


def with_fragile(scores: Scores, comparison: ComparisonTable) -> ComparisonTable:
    """The comparison with `fragile` on every claim that would not stand; none where nothing is known."""
    claims = [row for row in comparison if row.outcome.significant and row.null == 0]
    if isinstance(scores, EvaluationScores) and "assumed_design" in scores.provenance:
        return replace(comparison, rows=_by_halves(scores.design, comparison), halves=True)
    if not claims or isinstance(scores, StudyScores) or not _is_measured(scores, comparison):
        return comparison
    found = _simulations(scores, replace(comparison, rows=tuple(claims)))
    wrong = {id(row): found.of(row) for row in claims}
    rows = (
        replace(row, fragile=True) if not stands(row, wrong.get(id(row)), comparison) else row for row in comparison
    )
    return replace(comparison, rows=tuple(rows))


def _by_halves(design: Design, comparison: ComparisonTable) -> tuple[ComparisonRow, ...]:
    """The rows, fragile where a claim would not stand if the splits were random halves, which share more samples."""
    halves = replace(design, n_repeats=design.n_splits, n_folds=1, partition=False, test_fraction=0.5)
    known, other = (Correction.of(one).variance(design.n_splits) for one in (design, halves))
    factor = max(1.0, (other / known) ** 0.5)
    return tuple(
        replace(row, fragile=True) if row.outcome.significant and not _widened(row, factor, comparison) else row
        for row in comparison
    )


def stands(row: ComparisonRow, size: MeasuredSize | None, comparison: ComparisonTable) -> bool:
    """Whether a claim stands with a standard error as large as the highest share of false ones says.

    The p-value is that of Student's t with the degrees of freedom of the test, of the normal distribution where it has
    none; it keeps the factor by which it was adjusted.
    """
    return size is None or _widened(row, widening(size.high, _df(row.record)), comparison)


def _widened(row: ComparisonRow, factor: float, comparison: ComparisonTable) -> bool:
    """Whether a claim stands with a standard error so many times as large."""
    if not row.pvalue > 0:
        return True
    df, sides = _df(row.record), 2 if comparison.alternative == "two-sided" else 1
    statistic = -t_quantile(df, row.pvalue / sides) / factor
    return sides * t_tail(statistic, df) * row.pvalue_adjusted / row.pvalue < comparison.alpha


def widening(share: float, df: float) -> float:
    """By how much a standard error is too small if a test at 5% is wrong in a share of cases; 1 where it is not."""
    if share <= ALPHA:
        return 1.0
    return t_quantile(df, ALPHA / 2) / t_quantile(df, share / 2) if share < 1 else inf


def _df(record: Any) -> float:
    df = getattr(record, "df", None)
    return float(df) if isinstance(df, (int, float)) and df > 0 else inf


def fragile_warnings(comparison: ComparisonTable) -> tuple[CodedWarning, ...]:
    """Which claims are fragile, once for each metric."""
    found: dict[str, list[ComparisonRow]] = {}
    for row in comparison:
        if row.fragile:
            found.setdefault(row.metric, []).append(row)
    return tuple(
        Code.FRAGILE(
            f"{_claims(rows)} on {metric} would not stand {_where(comparison, rows)}.",
            (metric, *dict.fromkeys(name for row in rows for name in (row.a, row.b))),
        )
        for metric, rows in found.items()
    )


def _where(comparison: ComparisonTable, rows: Sequence[ComparisonRow]) -> str:
    """Under which conditions claims would not stand, and what to do."""
    if comparison.halves:
        return "if the splits were random halves: say how they were split"
    return f"in the worst of similar simulations: confirm {'it' if len(rows) == 1 else 'them'} with more data"


def _claims(rows: Sequence[ComparisonRow]) -> str:
    first = rows[0]
    worse = first.b if first.winner == first.a else first.a
    more = f" and {counted(len(rows) - 1, 'other difference')}" if len(rows) > 1 else ""
    return f"that {first.winner} is better than {worse}{more}"


def _measured_as(result: EvaluationScores, metric: str) -> str:
    """The metric that was simulated in place of one: of what is right or wrong its accuracy."""
    right = result.design.kind != "folds" and (
        result.read_as[metric] == "accuracy" or measure(result, metric) == "rate"
    )
    return "accuracy" if right else result.read_as[metric] if result.design.kind == "samples" else ""
