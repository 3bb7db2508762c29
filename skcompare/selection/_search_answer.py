"""The answer of a search: the best candidate and what its ranking says of the others."""

from __future__ import annotations

import numpy as np
from scipy import special

from skcompare._answers import Answer
from skcompare.comparison.answer import useful
from skcompare.comparison.answered import MetricAnswer, PairAnswer
from skcompare.comparison.means import span
from skcompare.selection._search_findings import SearchFindings


def search_answer(report: SearchFindings) -> Answer:
    """What the ranking says, as one record; see `SearchReport.answer`."""
    best, *others = report.ranking
    failed = tuple(row.name for row in others if not np.isfinite(row.pvalue))
    worse = tuple(row.name for row in others if row.significantly_different)
    alike = tuple(row.name for row in others if np.isfinite(row.pvalue) and not row.significantly_different)
    metric = report.metric
    pairs = (
        PairAnswer(
            a=best.name,
            b=row.name,
            better=(metric,) if row.significantly_different else (),
            worse=(),
            undecided=() if row.significantly_different or not np.isfinite(row.pvalue) else (metric,),
            not_comparable=() if np.isfinite(row.pvalue) else (metric,),
        )
        for row in others
    )
    return Answer(
        models=tuple(row.name for row in report.ranking),
        metrics=(
            MetricAnswer(
                metric=metric,
                leader=best.name,
                worse=worse,
                not_different=alike,
                not_comparable=failed,
                bound=_bound(report),
            ),
        ),
        pairs=tuple(pairs),
        alpha=report.alpha,
        n_metrics=len(report.metrics),
        sequential=False,
        within_reach=True,
        candidates=True,
        same=_same(report),
    )


def _same(report: SearchFindings) -> tuple[tuple[str, ...], ...]:
    """The candidates with the same scores, group by group in the order of the ranking."""
    groups: dict[str, list[str]] = {}
    for row in report.ranking:
        if row.same_as:
            groups.setdefault(row.same_as, [row.same_as]).append(row.name)
    return tuple(map(tuple, groups.values()))


def _bound(report: SearchFindings) -> float:
    """How far from the best one of the others can be: by the t test of the ranking, for all pairs and metrics."""
    df = report.confidence_set.n - 1
    k, n_metrics = max(2, len(report._different)), len(report.metrics)
    wider = special.stdtrit(df, report.alpha / (k * (k - 1) * n_metrics)) / special.stdtrit(df, report.alpha / 2)
    alike = report.not_significantly_different()[1:]  # without the best
    ends = [abs(row.difference) + wider * (row.high - row.low) / 2 for row in alike]
    deciding = report.scores[:, :, report.metrics.index(report.metric)]
    return useful(float(np.max(ends)) if ends else float("nan"), span(report.metric, deciding))
