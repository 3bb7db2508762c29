"""What a report shows of a study, computed once, as plain values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._comparison import ALPHA
from skcompare._dominance import DominanceRow
from skcompare._ranking import Ranking
from skcompare.inference.dominance.statements import MAX_METRICS

if TYPE_CHECKING:
    from skcompare.study import StudyResult


def summarise_study(study: StudyResult) -> dict[str, Any]:
    """Everything that a report shows, as plain values."""
    comparison = study.compare()
    defined = [metric for metric in study.metrics if np.isfinite(study.means(metric)).all(axis=1).any()]
    rankings = [study.rank(metric) for metric in defined]
    joint = _joint(study)
    doubts = [
        *study.warnings,
        *(doubt for row in comparison for doubt in row.warnings),
        *(doubt for ranking in rankings for doubt in ranking.warnings),
    ]
    for pair in joint:
        own = (doubt for doubt in pair.warnings if doubt not in doubts)
        doubts.extend([doubt.replace(":", " (all metrics together):", 1) for doubt in own])
    designs = sorted({design.name for design in study.designs})
    return {
        "estimators": list(study.estimators),
        "datasets": list(study.datasets),
        "designs": designs,
        "metrics": [
            {"name": metric, "greater_is_better": better}
            for metric, better in zip(study.metrics, study.greater_is_better, strict=True)
        ],
        "rankings": [_ranking(study, ranking) for ranking in rankings],
        "rows": [asdict(row) for row in comparison],
        "procedure": comparison.procedure,
        "correction": comparison.correction,
        "n_hypotheses": comparison.n_hypotheses,
        "alpha": ALPHA,
        "joint": [asdict(pair) for pair in joint],
        "warnings": list(dict.fromkeys(doubts)),
    }


def _ranking(study: StudyResult, ranking: Ranking) -> dict[str, Any]:
    means = np.nanmean(study.means(ranking.metric), axis=0)
    order = np.argsort(ranking.mean_ranks, kind="stable").tolist()
    return {
        "metric": ranking.metric,
        "n": len(ranking.ranks),
        "pvalue": ranking.omnibus.pvalue,
        "method": ranking.omnibus.method,
        "models": [
            {
                "name": ranking.names[i],
                "mean_rank": float(ranking.mean_ranks[i]),
                "mean": float(means[i]),
                "group": ranking.groups[ranking.names[i]],
            }
            for i in order
        ],
    }


def _joint(study: StudyResult) -> list[DominanceRow]:
    """The joint verdicts of the pairs; none where there is one metric, or there are too many for a test."""
    if not 2 <= len(study.metrics) <= MAX_METRICS:
        return []
    return [row for row in study.dominance_table() if row.verdict != "undecided"]
