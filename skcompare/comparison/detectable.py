"""What the comparisons that show no difference could have shown, as plain values for the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skcompare.comparison.table import ALPHA, Comparison
from skcompare.inference._base import TTestResult
from skcompare.inference.fold_scores.detectable_difference import detectable_by

if TYPE_CHECKING:
    from skcompare.results import EvaluationResult

POWER = 0.8


def detectable_rows(result: EvaluationResult, comparison: Comparison) -> list[dict[str, Any]]:
    """Per metric the smallest and the largest detectable difference of the pairs that `compare` does not tell apart.

    At the level that the correction leaves to one difference among equal models. None where the test has no standard
    error on Student's t, and of an evaluation that was stopped, whose verdict is not that of the table.
    """
    if result.stopping is not None:
        return []
    found: dict[str, list[float]] = {}
    for row in comparison:
        if row.verdict == "no difference shown":
            record = result.test(metric=row.metric, a=row.a, b=row.b)
            if not isinstance(record, TTestResult):
                return []
            detectable = detectable_by(record, power=POWER, alpha=ALPHA / comparison.n_hypotheses)
            if detectable.difference > 0:
                found.setdefault(row.metric, []).append(detectable.difference)
    return [{"metric": metric, "low": min(sizes), "high": max(sizes)} for metric, sizes in found.items()]
