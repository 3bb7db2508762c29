"""The error rate of a comparison in words: what simulations like its run have shown, or that there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from skcompare._core.numbers import counted, listed, percent, percent_of
from skcompare.comparison.error_rates import EQUAL, LEARNERS, ErrorRates, simulated_of
from skcompare.inference._measured import MeasuredSize
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import CalibratedMetric, CalibrationSummary, ComparedSummary
from skcompare.reporting.summary.study import StudySummary

_CALIBRATE = "; calibrate measures it"
_FEW = 10  # nulls of which quantiles say no more than the range
OF_STUDIES = "over several data sets only normal scores of five equal models were simulated"


def error_rate(summary: ComparedSummary) -> str:
    """What a reader needs most, as one sentence; empty where no simulation is asked for."""
    if isinstance(summary, StudySummary):
        return f"Error rate not measured for runs like this ({OF_STUDIES})."
    rates = summary.error_rates if isinstance(summary, EvaluationSummary) else None
    return "" if rates is None else in_simulations(rates, summary.n_hypotheses)


def in_simulations(rates: ErrorRates, n_hypotheses: int) -> str:
    """How often equal models were called different in simulations like a run, or that there are none."""
    if rates.reason:
        return f"Error rate not measured for runs like this ({rates.reason}){_CALIBRATE if rates.calibratable else ''}."
    return _family(rates) if rates.family is not None else _alone(rates, n_hypotheses)


def _family(rates: ErrorRates) -> str:
    """Of all comparisons together; where the families of the learners were simulated, of single ones beside it."""
    assert rates.family is not None
    metrics = "this metric" if rates.n_metrics == 1 else f"these {rates.n_metrics} metrics"
    run = f"{rates.n_models} models, {metrics}, {rates.where}"
    beside = "".join(
        f"; {_means(own)} of single comparisons of {_learners(own)}"
        + ("" if simulated_of(own) == EQUAL else " were wrong about a known difference")
        for own in _populations(rates)
        if own[0].learners
    )
    return (
        f"In simulations with all models equal, {percent(rates.family.mean)} of runs had a false "
        f"difference ({_from_to([rates.family])}: {run}){beside}."
    )


def _alone(rates: ErrorRates, n_hypotheses: int) -> str:
    """Of one comparison; of several the means by metric, and the range over all."""
    sizes = list(rates.by_metric.values())
    if sizes[0].mean == sizes[0].mean:
        span, where = _means(sizes), f"({_from_to(sizes)}: {rates.where})"
    else:  # only the range was kept
        span, where = _span(sizes), f"({rates.where})"
    single = "single comparisons, by metric," if len(sizes) > 1 else "single comparisons"
    of = simulated_of(sizes)
    wrong = "had a false difference" if of == EQUAL else "were wrong about it"
    said = f"In simulations of {of}, {span} of {single} {wrong} {where}"
    if len(_populations(rates)) > 1:  # no range is of two populations
        shares = _by_population(rates)
        said = f"In simulations ({rates.where}) the share of single comparisons that were wrong was {shares}"
    not_known = [
        *rates.unknown,
        *([rates.beyond] if rates.beyond else []),
        *(["all together"] if n_hypotheses > 1 else []),
    ]
    return f"{said}; unknown for {listed(not_known)}." if not_known else f"{said}."


def _populations(rates: ErrorRates) -> list[list[MeasuredSize]]:
    """The sizes of the metrics, those of the same learners together."""
    found: dict[str, list[MeasuredSize]] = {}
    for size in rates.by_metric.values():
        found.setdefault(size.learners, []).append(size)
    return list(found.values())


def _by_population(rates: ErrorRates) -> str:
    """Of each its metrics, with the mean and the range."""
    said = []
    for own in _populations(rates):
        metrics = [metric for metric, size in rates.by_metric.items() if size.learners == own[0].learners]
        said.append(f"{_means(own)} on {listed(metrics)} ({_from_to(own)})")
    return listed(said)


def by_metric(summary: ComparedSummary) -> list[tuple[str, str]]:
    """Each metric with its mean share and its range; empty where nothing is known of any."""
    rates = summary.error_rates if isinstance(summary, EvaluationSummary) else None
    if rates is None or rates.reason:
        return []
    known = [(metric, _one(size)) for metric, size in rates.by_metric.items()]
    return [*known, *((metric, "unknown") for metric in rates.unknown)]


def each_metric(summary: ComparedSummary) -> str:
    """All of `by_metric` as a sentence; empty where `error_rate` has said it."""
    shown = by_metric(summary)
    if len(shown) < 2:
        return ""
    every = listed([f"{text} on {metric}" for metric, text in shown])
    rates = summary.error_rates if isinstance(summary, EvaluationSummary) else None
    if rates is not None and rates.family is None:  # what these are of has been said
        return "" if len(_populations(rates)) == len(shown) else f"By metric: {every}."
    equal = rates is None or simulated_of(rates.by_metric.values()) == EQUAL
    what = "Of single comparisons of equal models" if equal else "Single comparisons that were wrong"
    return f"{what} at 5%, without adjustment: {every}."


def plain(rates: ErrorRates | None) -> dict[str, Any] | None:
    """For JSON: every metric with its numbers, or null and the reason."""
    if rates is None:
        return None
    by_metric = {metric: _plain(size) for metric, size in rates.by_metric.items()}
    return {
        "where": rates.where or None,
        "by_metric": {**by_metric, **dict.fromkeys(rates.unknown)},
        "any_false_difference": None if rates.family is None else _plain(rates.family),
        "reason": rates.reason or None,
    }


def _plain(size: MeasuredSize) -> dict[str, Any]:
    numbers = asdict(size)
    known = {name: numbers[name] for name in ("mean", "low", "q10", "q90", "high")}
    return known | {name: numbers[name] or None for name in ("nulls", "highest", "learners")}


def _one(size: MeasuredSize) -> str:
    """A mean with its range, or the range alone where no mean was kept."""
    if size.mean != size.mean:
        return _span([size])
    return f"{percent(size.mean)} ({_from_to([size])})"


def _from_to(sizes: Sequence[MeasuredSize]) -> str:
    """The range over the nulls, which is no bound, without their highest and lowest tenths where these are known."""
    nulls, worst = max(size.nulls for size in sizes), max(sizes, key=lambda size: size.high)
    learners = _learners(sizes)
    of = f"{counted(nulls, 'simulated null')}{f' of {learners}' if learners else ''}"
    if any(size.q90 != size.q90 or size.nulls < _FEW for size in sizes):
        return f"{_span(sizes)} over {of}" + (f", most with {worst.highest}" if worst.highest else "")
    low, high = min(size.q10 for size in sizes), max(size.q90 for size in sizes)
    return f"{_range(low, high)} for four fifths of {of}, at most {percent(worst.high)} with {worst.highest}"


def _learners(sizes: Sequence[MeasuredSize]) -> str:
    """The family of learners that sizes are of, in words; empty where they are of all."""
    return LEARNERS.get(sizes[0].learners, "")


def _means(sizes: Sequence[MeasuredSize]) -> str:
    return _range(min(size.mean for size in sizes), max(size.mean for size in sizes))


def _span(sizes: Sequence[MeasuredSize]) -> str:
    return _range(min(size.low for size in sizes), max(size.high for size in sizes))


def _range(low: float, high: float) -> str:
    first, last = percent(low), percent(high)
    return last if first == last else f"{first[:-1]} to {last}"


# What a test was calibrated on, in words.


def calibrated(calibration: CalibrationSummary) -> str:
    """What the test was calibrated on, and what was tested by another one."""
    return f"{calibrated_on(calibration)} {_not_calibrated(calibration)}".strip()


def calibrated_on(calibration: CalibrationSummary) -> str:
    """What the degrees of freedom were found on, and what they are, as one sentence."""
    models, n = listed(calibration.estimators), calibration.n_datasets
    return (
        f"The degrees of freedom were calibrated at {percent_of(calibration.alpha)} for {models} on {n} data sets on "
        f"which neither is better ({calibration.generator}; seed {calibration.random_state}, scheme "
        f"{calibration.scheme}): {_degrees_of_freedom(calibration)}."
    )


def _degrees_of_freedom(calibration: CalibrationSummary) -> str:
    """Per metric the degrees of freedom with their interval."""
    first, *others = calibration.metrics
    level = f"{percent_of(first.confidence_level)} interval "
    return listed([_calibrated_metric(first, level), *(_calibrated_metric(metric, "") for metric in others)])


def _calibrated_metric(metric: CalibratedMetric, level: str) -> str:
    return f"{metric.df:.3g} for {metric.name} ({level}{metric.low:.3g} to {metric.high:.3g})"


def _not_calibrated(calibration: CalibrationSummary) -> str:
    """Which comparisons were made by another test, as a sentence; empty where none was."""
    which = calibration.without
    if not which:
        return ""
    verb = "is" if len(which) == 1 else "are"
    return f"{listed(which)} {verb} not calibrated and tested by {calibration.instead}."
