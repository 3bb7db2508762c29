"""What simulations say of the error rate of a comparison, where some are like its run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from skcompare._core.numbers import listed, percent
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.compare import unstable_comparisons
from skcompare.comparison.measures import measure
from skcompare.comparison.pairs import Scores
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable
from skcompare.inference import DieboldMarianoResult
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

_TOO_OFTEN = 0.10
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
    liberal : frozenset of (str, str)
        Families of pairs, with metrics on which more than 10% of equal models were called different in single
        comparisons; where quantiles are known, in a tenth of the simulations or more. With unequal classes
        also the metrics of runs of which more than 10% had a false difference; with others, without quantiles, none of
        runs of which fewer had.
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
    liberal: frozenset[tuple[str, str]] = frozenset()
    calibratable: bool = False

    def learners(self, row: ComparisonRow) -> str:
        """The family of the pair of a row."""
        return pair_family(self.families[row.a], self.families[row.b])


def error_rates(result: EvaluationScores, comparison: ComparisonTable) -> ErrorRates | None:
    """Of a comparison of all pairs; None where it was calibrated for its run, or looks decided."""
    if stopped(result) is not None or (result.calibration is not None and comparison.procedure == "calibrated_t_test"):
        return None
    metrics = tuple(dict.fromkeys(row.metric for row in comparison))
    k, m = len(result.estimators), len(metrics)
    simulated = _like(result, comparison, metrics)
    simulated_as = {metric: result.read_as[metric] if result.design.kind == "folds" else metric for metric in metrics}
    families = {name: _family(result, name) for name in result.estimators}
    by_learners = _by_learners(families, comparison, simulated, simulated_as)
    of_metric = {metric: [own[metric] for own in by_learners.values() if metric in own] for metric in metrics}
    sizes = {metric: max(found, key=lambda size: size.mean) for metric, found in of_metric.items() if found}
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
        families=families,
        unknown=tuple(metric for metric in metrics if metric not in sizes),
        n_models=k,
        n_metrics=m,
        family=family,
        liberal=_liberal(by_learners, family, unequal=simulated.balance not in ("", "50/50")),
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


def _liberal(
    by_learners: Mapping[str, Mapping[str, MeasuredSize]], family: MeasuredSize | None, *, unequal: bool
) -> frozenset[tuple[str, str]]:
    highest = 0.0 if family is None else family.high
    cleared = not unequal and family is not None and highest <= _TOO_OFTEN
    if not unequal:
        highest = 0.0  # its simulations are too few to tell 10% from 8%

    def too_often(size: MeasuredSize) -> bool:
        if size.q90 == size.q90:
            return max(size.q90, highest) > _TOO_OFTEN
        return not cleared and max(size.high, highest) > _TOO_OFTEN

    cells = ((learners, metric, size) for learners, own in by_learners.items() for metric, size in own.items())
    return frozenset((learners, metric) for learners, metric, size in cells if too_often(size))


def simulated_of(sizes: Iterable[MeasuredSize]) -> str:
    """What sizes are of: equal models; of two families models that differ."""
    return "a known difference" if any(size.learners in DIFFERENT for size in sizes) else EQUAL


def too_liberal(rates: ErrorRates | None, comparison: ComparisonTable) -> tuple[CodedWarning, ...]:
    """That there are significant differences on metrics on which the test was wrong too often."""
    claimed = _too_liberal_rows(rates, comparison)
    if not claimed or rates is None:
        return ()
    metrics = list(dict.fromkeys(row.metric for row in claimed))
    worst = max((rates.by_learners[rates.learners(row)][row.metric] for row in claimed), key=lambda size: size.high)
    of = f" of {LEARNERS.get(worst.learners, worst.learners)}" if worst.learners else ""
    single = f"{percent(worst.high)} of single comparisons{of}"
    runs = "" if rates.family is None else f" and {percent(rates.family.high)} of runs like this one"
    told = f"{single}{runs} had a false one in simulations of equal models"
    if simulated_of([worst]) != EQUAL:
        told = f"{single} were wrong about a known difference"
        told += f"{runs}, of equal models, had a false one, in simulations" if runs else " in simulations"
    return (
        Code.INDEPENDENCE(
            f"on {listed(metrics)}, where there are significant differences, up to {told} ({rates.where}).",
            metrics,
        ),
    )


def _too_liberal_rows(rates: ErrorRates | None, comparison: ComparisonTable) -> list[ComparisonRow]:
    """The rows that claim what the test was wrong on too often."""
    claims = (row for row in comparison if row.outcome.significant) if rates is not None and rates.liberal else ()
    return [row for row in claims if rates is not None and (rates.learners(row), row.metric) in rates.liberal]


def with_error_rates(scores: Scores, comparison: ComparisonTable) -> ComparisonTable:
    """The comparison with that warning on every row that makes such a claim, and of unstable ones on every one."""
    if isinstance(scores, StudyScores):
        return comparison
    unstable = {one: {*one.about} for one in unstable_comparisons(scores, comparison)}
    if unstable:
        told = (tuple(one for one in unstable if {row.a, row.b, row.metric} <= unstable[one]) for row in comparison)
        rows = (replace(row, warnings=(*row.warnings, *own)) for row, own in zip(comparison, told, strict=True))
        comparison = replace(comparison, rows=tuple(rows))
    if any(row.null for row in comparison):
        return comparison
    rates = error_rates(scores, comparison)
    found, wrong = too_liberal(rates, comparison), {id(row) for row in _too_liberal_rows(rates, comparison)}
    rows = (replace(row, warnings=(*row.warnings, *found)) if id(row) in wrong else row for row in comparison)
    return replace(comparison, rows=tuple(rows)) if found else comparison


def _measured_as(result: EvaluationScores, metric: str) -> str:
    """The metric that was simulated in place of one: of what is right or wrong its accuracy."""
    right = result.design.kind != "folds" and (
        result.read_as[metric] == "accuracy" or measure(result, metric) == "rate"
    )
    return "accuracy" if right else result.read_as[metric] if result.design.kind == "samples" else ""
