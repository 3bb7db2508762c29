"""The comparisons that pictures show: always of one family, all pairs on all metrics under one error budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcompare._core.numbers import percent_of
from skcompare.comparison.compare import Scores, compare, level
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable, metrics_by_test
from skcompare.plotting._statements import in_words


def family(
    scores: Scores, metrics: str | Sequence[str] | None = None, *, procedure: str = "auto", **options: Any
) -> tuple[ComparisonTable, list[ComparisonRow]]:
    """All comparisons, and those on some metrics: which are shown changes no p-value."""
    comparison = compare(scores, procedure, **options)
    if metrics is None:
        return comparison, list(comparison)
    shown = {metrics} if isinstance(metrics, str) else {*metrics}
    if not shown or not shown <= {row.metric for row in comparison}:
        comparison = compare(scores, procedure, metrics=metrics, **options)  # says what is wrong with the metrics
    return comparison, [row for row in comparison if row.metric in shown]


def budget(comparison: ComparisonTable, n_shown: int = 0, rows: Sequence[ComparisonRow] = ()) -> str:
    """The test, and over how many comparisons its p-values are adjusted, where it is not those that are shown."""
    if comparison.sequential:
        return f"sequential verdict with an error rate of {percent_of(comparison.alpha)}"
    n, tests = comparison.n_hypotheses, metrics_by_test(rows or comparison.rows)
    if rows and not tests:
        return "no test of it is known"
    if comparison.procedure in tests or not tests:
        test = in_words(comparison.procedure)
    else:
        test = in_words(*tests) if len(tests) == 1 else "each metric by its own test"
    if n < 2:
        return test
    if comparison.correction == "none":
        return f"{test}, not adjusted"
    how = "" if comparison.correction == "holm" else f" ({comparison.correction.replace('_', ' ')})"
    return f"{test}, adjusted{how}" if n == n_shown else f"{test}, adjusted{how} over {n} comparisons"


def decided_by(scores: Scores) -> str:
    """By what a model is significantly better, in words."""
    return f"p < {level(scores):g}" if stopped(scores) is None else "decided while it ran"
