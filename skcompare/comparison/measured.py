"""Which metrics were measured: of those whose numbers were given for each model there is no test."""

from __future__ import annotations

from typing import Any

from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.scores.criteria import is_judged


def measured(scores: Any) -> tuple[str, ...]:
    """The metrics of scores but for those that were given; all where these are all."""
    found = tuple(metric for metric in scores.metrics if not is_judged(scores.provenance, metric))
    return found or scores.metrics


def check_measured(scores: Any, metrics: Any, name: str = "metric") -> None:
    """Raise MissingEvidenceError where an answer would be about numbers alone that were given as `name`."""
    names = [metrics] if isinstance(metrics, str) else list(metrics) if isinstance(metrics, tuple) else []
    if names and all(is_judged(scores.provenance, metric) for metric in names):
        raise MissingEvidenceError(
            f"{name} must be measured for a test; {names[0]!r} was given for each model: pareto_front() takes it, and "
            "dominance() together with a metric that was measured"
        )
