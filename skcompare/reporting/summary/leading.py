"""Of many models the leading ones, whose comparisons with all others a report shows in place of all pairs."""

from __future__ import annotations

from math import isfinite

from skcompare.comparison.table import ComparisonRow
from skcompare.reporting.summary.records import ComparedSummary

MOST_MODELS = 30  # of which the comparisons of all pairs are shown
N_BEST = 5


def leading_models(summary: ComparedSummary) -> tuple[str, ...]:
    """The leader and the best models on the first metric, the leaders on the others and the baseline.

    Without the best models where these were not compared with all others; empty where all pairs are shown.
    """
    if len(summary.estimators) <= MOST_MODELS:
        return ()
    answer = summary.answer
    if len(answer.pairs) < answer.n_pairs:
        found = [*(on.leader for on in answer.metrics), answer.baseline]
        return tuple(name for name in dict.fromkeys(found) if name is not None) or summary.estimators[:1]
    first = next(metric for metric in summary.metrics if metric.name == answer.metrics[0].metric)
    merits = {name: merit for name, merit in zip(summary.estimators, first.merits, strict=True) if isfinite(merit)}
    best = sorted(merits, key=lambda name: -merits[name])[:N_BEST] or summary.estimators[:N_BEST]
    leaders = [on.leader for on in answer.metrics[:MOST_MODELS]]
    return tuple(name for name in dict.fromkeys([leaders[0], *best, *leaders, answer.baseline]) if name is not None)


def shown_rows(summary: ComparedSummary) -> tuple[ComparisonRow, ...]:
    """All comparisons, of many models those of the leading ones."""
    leading = {*leading_models(summary)}
    return tuple(row for row in summary.rows if row.a in leading or row.b in leading) if leading else summary.rows
