"""What a report shows of a learning curve, computed once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from skcompare._core.warnings import CodedWarning
from skcompare.comparison.answered import Answer
from skcompare.comparison.crossing import Crossing, can_cross, crossing
from skcompare.comparison.learning_curve import SizeComparison, answers, compare_sizes
from skcompare.comparison.means import MetricMeans, metric_means
from skcompare.scores.learning_curve import LearningCurveScores

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
        By size, under one error budget.
    means : mapping of int to MetricMeans
        By size the models on the first metric.
    comparison : SizeComparison
        All pairs on all metrics at all sizes.
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
    warnings : tuple of str
        Reasons to doubt the findings, each once.
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
    crossings: tuple[Crossing, ...]
    within_reach: bool
    design: str
    n_samples: int | None
    costs: tuple[str, ...]
    warnings: tuple[CodedWarning, ...]
    provenance: Mapping[str, Any]


def summarise_curve(curve: LearningCurveScores) -> LearningCurveSummary:
    """Everything that a report shows of a learning curve."""
    table, found, largest = compare_sizes(curve), answers(curve), curve.largest
    first = found[curve.sizes[-1]].metrics[0].metric
    crossings = tuple(_crossings(curve, first))
    return LearningCurveSummary(
        sizes=curve.sizes,
        estimators=curve.estimators,
        metrics=curve.metrics,
        baseline=largest.baseline,
        answers=found,
        means={size: _means(curve, size, first) for size in curve.sizes},
        comparison=table,
        crossings=crossings,
        within_reach=any(answer.within_reach for answer in found.values()),
        design=largest.design.name,
        n_samples=largest.design.n_samples,
        costs=tuple(name for name, more in zip(curve.metrics, largest.greater_is_better, strict=True) if not more),
        warnings=tuple(_warnings(curve, table)),
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


def _warnings(curve: LearningCurveScores, table: SizeComparison) -> Iterator[CodedWarning]:
    """Of the sizes, then those of the comparisons with the sizes at which they hold."""
    yield from curve.warnings
    where: dict[CodedWarning, list[int]] = {}
    for row in table:
        for warning in row.warnings:
            where.setdefault(warning, []).append(row.size)
    for warning, sizes in where.items():
        named = sorted(set(sizes))
        everywhere = named == [*curve.sizes]
        yield warning if everywhere else warning.at(f"{', '.join(map(str, named))} training samples")
