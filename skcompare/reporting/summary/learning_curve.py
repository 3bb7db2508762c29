"""What a report shows of a learning curve, computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from skcompare._core.design import Design
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.answer import Answer
from skcompare.comparison.error_rates import ErrorRates, error_rates, fragile_warnings
from skcompare.comparison.learning_curve import (
    Crossing,
    SizeComparison,
    answers,
    can_cross,
    compare_sizes,
    crossing,
    default_tables,
)
from skcompare.comparison.means import MetricMeans, metric_means
from skcompare.comparison.table import ComparisonTable
from skcompare.reporting.summary.warnings import over_metrics, over_pairs
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.simulated import CUT
from skcompare.scores.study import LearningCurveScores

MOST_PAIRS = 10  # of which the crossings are looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class LearningCurveSummary:
    """Everything that a report shows of a learning curve.

    Attributes
    ----------
    sizes : tuple of int
        Training samples.
    estimators, metrics : tuple of str
        The models and the metrics, the first being the one to decide on.
    baseline : str or None
        The model that the others are to be better than.
    answers : mapping of int to Answer
        By size; those on the first metric have an error budget of their own.
    means : mapping of int to MetricMeans
        By size the models on the first metric.
    comparison : SizeComparison
        All pairs on all metrics at all sizes.
    tables : mapping of int to ComparisonTable
        The same by size.
    crossings : tuple of Crossing
        On the first metric, of the pairs that change places, where the interval excludes some sizes.
    within_reach : bool
        Whether any difference could have been significant.
    design : str
        The resampling in words.
    n_samples : int or None
        Of the data.
    costs : tuple of str
        The metrics of which less is better.
    error_rates : ErrorRates or None
        How often the test was wrong in simulations like the run with all training samples; None where the largest size
        was calibrated.
    warnings : tuple of str
        Reasons to doubt the findings, each once.
    warned_at : mapping of str to tuple of int
        The sizes at which each holds.
    provenance : mapping of str to object
        What it takes to run it again.
    """

    sizes: tuple[int, ...]
    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    baseline: str | None
    answers: Mapping[int, Answer]
    means: Mapping[int, MetricMeans]
    comparison: SizeComparison
    tables: Mapping[int, ComparisonTable]
    crossings: tuple[Crossing, ...]
    within_reach: bool
    design: str
    n_samples: int | None
    costs: tuple[str, ...]
    error_rates: ErrorRates | None
    warnings: tuple[CodedWarning, ...]
    warned_at: Mapping[CodedWarning, tuple[int, ...]]
    provenance: Mapping[str, Any]


def summarise_curve(curve: LearningCurveScores) -> LearningCurveSummary:
    """Everything that a report shows of a learning curve."""
    table, found, largest = compare_sizes(curve), answers(curve), curve.largest
    first = found[curve.sizes[-1]].metrics[0].metric
    crossings, tables = tuple(_crossings(curve, first)), default_tables(curve)
    rates = error_rates(_as_whole(largest), tables[curve.sizes[-1]])
    warned_at = _warned_at(curve, tables)
    return LearningCurveSummary(
        sizes=curve.sizes,
        estimators=curve.estimators,
        metrics=curve.metrics,
        baseline=largest.baseline,
        answers=found,
        means={size: _means(curve, size, first) for size in curve.sizes},
        comparison=table,
        tables=tables,
        crossings=crossings,
        within_reach=any(answer.within_reach for answer in found.values()),
        design=largest.design.name,
        n_samples=largest.design.n_samples,
        costs=tuple(name for name, more in zip(curve.metrics, largest.greater_is_better, strict=True) if not more),
        error_rates=_quoted(largest.design, rates),
        warnings=tuple(warned_at),
        warned_at=warned_at,
        provenance=largest.provenance,
    )


def _means(curve: LearningCurveScores, size: int, metric: str) -> MetricMeans:
    return next(one for one in metric_means(curve.results[size]) if one.name == metric)


def _crossings(curve: LearningCurveScores, metric: str) -> Iterator[Crossing]:
    """Of the pairs, but for those with the baseline, whose means change places on a metric."""
    names = [name for name in curve.estimators if name != curve.largest.baseline]
    pairs = [*combinations(names, 2)]
    if len(pairs) > MOST_PAIRS or not can_cross(curve):
        return
    for a, b in pairs:
        try:
            found = crossing(curve, metric, a, b)
        except ValueError:  # no split has scores of both at all sizes
            continue
        if found.located:
            yield found


def _as_whole(result: EvaluationScores) -> EvaluationScores:
    """The scores as of all training samples: in time order what simulations are like them is read from these."""
    if not result.design.time_order:
        return result
    return replace(result, design=replace(result.design, train_sizes=_all_training_samples(result.design)))


def _all_training_samples(design: Design) -> tuple[int, ...]:
    """How many samples there are outside each test set, in time order before it."""
    n, later = design.n_samples or 0, list(design.test_sizes)
    if design.time_order:
        later = [sum(design.test_sizes[i:]) for i in range(len(design.test_sizes))]
    return tuple(n - size for size in later)


def _quoted(design: Design, rates: ErrorRates | None) -> ErrorRates | None:
    """What is known with all training samples; nothing where the largest training sets have fewer."""
    if rates is None or rates.reason:
        return rates
    if sorted(design.train_sizes) != sorted(_all_training_samples(design)):
        return ErrorRates(reason=CUT, n_models=rates.n_models, n_metrics=rates.n_metrics)
    return replace(rates, beyond="fewer training samples")


def _warned_at(
    curve: LearningCurveScores, tables: Mapping[int, ComparisonTable]
) -> dict[CodedWarning, tuple[int, ...]]:
    """The warnings of the sizes, then those of the comparisons with the sizes at which they hold."""
    found: dict[CodedWarning, dict[int, None]] = {}
    about: dict[CodedWarning, dict[str, None]] = {}
    for size, table in tables.items():
        of_rows = over_pairs((one for row in table for one in row.warnings), curve.results[size])
        for warning in (*of_rows, *fragile_warnings(table)):
            found.setdefault(warning, {})[size] = None
            about.setdefault(warning, {}).update(dict.fromkeys(warning.about))
    by_sizes: dict[tuple[int, ...], list[CodedWarning]] = {}
    for one, sizes in found.items():
        of_all = CodedWarning(one.code, one.sentence, about[one], one.where)
        by_sizes.setdefault(tuple(sizes), []).append(of_all)
    located = dict.fromkeys(curve.warnings, curve.sizes)
    for where, warnings in by_sizes.items():
        at = "" if where == curve.sizes else f"{', '.join(map(str, where))} training samples"
        located |= {one.at(at) if at else one: where for one in over_metrics(warnings, curve.metrics)}
    return located
