"""What a report shows of a study, computed once, as plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.compare import compare
from skcompare.comparison.dominance import dominance_table
from skcompare.comparison.dominance_table import DominanceRow
from skcompare.comparison.ranking import Ranking, rank
from skcompare.comparison.table import ALPHA, plain_row
from skcompare.inference.datasets._scores import check_table
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting._words import shown_row
from skcompare.reporting.summary.evaluation import located_doubts
from skcompare.scores.study import StudyScores

MAX_ALIKE = 4


def summarise_study(study: StudyScores) -> dict[str, Any]:
    """Everything that a report shows, as plain values."""
    comparison = compare(study)
    defined = [metric for metric in study.metrics if np.isfinite(study.means(metric)).all(axis=1).any()]
    rankings = [rank(study, metric) for metric in defined] if len(study.estimators) > 2 else []
    joint = study_joint_rows(study)
    of_rankings = (doubt for ranking in rankings for doubt in ranking.warnings)
    doubts = dict.fromkeys([*study.warnings, *located_doubts(comparison, joint, study.warnings), *of_rankings])
    designs = sorted({design.name for design in study.designs})
    return {
        "estimators": list(study.estimators),
        "datasets": list(study.datasets),
        "designs": designs,
        "metrics": [
            {"name": metric, "greater_is_better": better, **_means(study.means(metric), better)}
            for metric, better in zip(study.metrics, study.greater_is_better, strict=True)
        ],
        "rankings": [_ranking(study, ranking) for ranking in rankings],
        "rows": [shown_row(row) for row in comparison],
        "procedure": comparison.procedure,
        "correction": comparison.correction,
        "n_hypotheses": comparison.n_hypotheses,
        "alpha": ALPHA,
        "joint": [plain_row(pair) for pair in joint],
        "warnings": _shortened(doubts),
        "provenance": dict(study.provenance),
    }


def _shortened(doubts: Iterable[CodedWarning]) -> list[CodedWarning]:
    """The first few doubts of each kind, and how many more there are."""
    kept: list[CodedWarning] = []
    more: Counter[str] = Counter()
    for doubt in doubts:
        if sum(other.code == doubt.code for other in kept) < MAX_ALIKE:
            kept.append(doubt)
        else:
            more[doubt.code] += 1
    said = "more like this are in the warnings of the records."
    return [*kept, *(CodedWarning(code, f"{n} {said}") for code, n in more.items())]


def _means(table: FloatArray, greater_is_better: bool) -> dict[str, Any]:
    """Mean scores and mean ranks of all estimators over the data sets on which all have a score."""
    whole = table[np.isfinite(table).all(axis=1)]
    nan = [float("nan")] * table.shape[1]
    if not len(whole):
        return {"n_datasets": 0, "means": nan, "mean_ranks": nan}
    ranks = check_table(whole, greater_is_better, None).ranks()
    return {"n_datasets": len(whole), "means": whole.mean(axis=0).tolist(), "mean_ranks": ranks.mean(axis=0).tolist()}


def _ranking(study: StudyScores, ranking: Ranking) -> dict[str, Any]:
    table = study.means(ranking.metric)
    means = table[np.isfinite(table).all(axis=1)].mean(axis=0)
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


def study_joint_rows(study: StudyScores, correction: str = "holm") -> list[DominanceRow]:
    """The joint verdicts of the pairs; none where there is one metric, or there are too many for a test."""
    if not 2 <= len(study.metrics) <= MAX_METRICS:
        return []
    return [row for row in dominance_table(study, correction=correction) if row.verdict != "undecided"]
