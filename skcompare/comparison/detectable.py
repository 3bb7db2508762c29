"""The smallest differences that comparisons could have shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skcompare._core.validation import Alternative
from skcompare.comparison.compare import Scores, run_procedure
from skcompare.comparison.table import ALPHA, ComparisonTable, Outcome
from skcompare.inference import DetectableDifference, TTestResult
from skcompare.inference._kinds import with_names
from skcompare.inference.fold_scores.detectable_difference import detectable_by, smallest_difference

POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectableRange:
    """The smallest and the largest detectable difference of the undecided pairs on one metric, in score units."""

    metric: str
    low: float
    high: float


def detectable_difference(
    scores: Scores,
    metric: str | None = None,
    a: str | None = None,
    b: str | None = None,
    *,
    power: float = POWER,
    alpha: float = ALPHA,
    alternative: Alternative = "two-sided",
    procedure: str = "auto",
) -> DetectableDifference:
    """The smallest true difference that a test finds; see `EvaluationResult.detectable_difference`."""
    record: Any = run_procedure(scores, procedure, metric=metric, a=a, b=b, alternative=alternative)
    if not isinstance(record, TTestResult):
        raise ValueError(f"procedure must be a test by Student's t, with a standard error; got {procedure!r}")
    return with_names(detectable_by(record, power=power, alpha=alpha), record.compared)


def detectable_ranges(comparison: ComparisonTable) -> tuple[DetectableRange, ...]:
    """Per metric the range of the detectable differences of the pairs that are not significantly different.

    At the level that the correction leaves to one difference among equal models. None where the test has no standard
    error on Student's t.
    """
    found: dict[str, list[float]] = {}
    for row in comparison:
        if row.outcome in (Outcome.UNDECIDED, Outcome.EQUIVALENT):
            if not isinstance(row.record, TTestResult):
                return ()
            detectable = smallest_difference(row.record, POWER, comparison.alpha / comparison.n_hypotheses)
            if detectable > 0:
                found.setdefault(row.metric, []).append(detectable)
    return tuple(DetectableRange(metric=metric, low=min(sizes), high=max(sizes)) for metric, sizes in found.items())
