"""What the report of a search shows, computed once, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.table import plain_row
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting.summary.evaluation import joint_rows

if TYPE_CHECKING:
    from skcompare.comparison.dominance_table import DominanceRow
    from skcompare.selection._search_ranking import Candidate
    from skcompare.selection._search_report import SearchReport

MAX_ROWS = 10
MAX_JOINT = 3
MAX_LOCATED = 3


def summarise_search(report: SearchReport) -> dict[str, Any]:
    """Everything that the report shows, as plain values; of the ranking the first rows."""
    return {
        **plain_ranking(report, MAX_ROWS),
        "selection_bias": {
            name: getattr(report.selection_bias, name) for name in ("apparent", "bias", "corrected", "method")
        },
        "effects": [_effect(effect) for effect in report.effects],
        "joint": _joint(report),
        "metrics": list(report.metrics),
        "n_samples": report.design.n_samples,
        "train_size": float(np.mean(report.design.train_sizes)) if report.design.train_sizes else None,
        "test_size": float(np.mean(report.design.test_sizes)) if report.design.test_sizes else None,
        "test_fraction": report.design.test_fraction,
        "split_hash": report.design.split_hash,
        "provenance": dict(report.provenance),
    }


def plain_ranking(report: SearchReport, n_rows: int | None = None) -> dict[str, Any]:
    """The ranking, or its first rows, and what is said of it, as plain values."""
    tested = [row for row in report.ranking if np.isfinite(row.pvalue)]
    return {
        "search": report.search,
        "design": report.design.name,
        "n_splits": report.design.n_splits,
        "metric": report.metric,
        "alpha": report.alpha,
        "procedure": report.confidence_set.method,
        "n_candidates": len(report.ranking),
        "n_tested": len(tested),
        "n_alike": len(report.not_told_apart()) - 1,
        "n_best": sum(row.rank == 1 for row in tested),
        "best": report.best.name,
        "best_mean": report.best.mean,
        "ranking": [_candidate(row) for row in report.ranking[:n_rows]],
        "warnings": [*report.warnings, *_effect_doubts(report)],
    }


def _candidate(row: Any) -> dict[str, Any]:
    """The fields of a candidate that are plain values."""
    return {name: value for name, value in plain_row(row).items() if name != "params"}


def _effect(effect: Any) -> dict[str, Any]:
    means = effect.means.tolist()
    return {**plain_row(effect), "values": list(effect.values), "means": means, "partial": _has(effect, Code.PARTIAL)}


def _has(effect: Any, code: Code) -> bool:
    return any(doubt.code == code.name for doubt in effect.warnings)


def _joint(report: SearchReport) -> list[dict[str, Any]]:
    """The joint verdicts on the best against each of the next.

    The best was picked among all pairs of candidates, so the p-values allow for all pairs. A claim on all metrics is
    one on the deciding metric too, and no surer than that: see `_joint_pvalue`.
    """
    if not 2 <= len(report.metrics) <= MAX_METRICS:
        return []
    tested = [row for row in report.ranking if np.isfinite(row.pvalue)]
    n_pairs = len(tested) * (len(tested) - 1) // 2
    return [
        {**plain_row(joint), "pvalue_adjusted": _joint_pvalue(joint, other, n_pairs, report.metric)}
        for other in tested[1 : MAX_JOINT + 1]
        for joint in joint_rows(report.result([report.best.name, other.name]))
    ]


def _joint_pvalue(joint: DominanceRow, other: Candidate, n_pairs: int, metric: str) -> float:
    """Adjusted over all pairs; at least that of the ranking, and 1 where the statement is against the ranking."""
    if joint.statement is None or metric not in joint.metrics:
        return min(1.0, joint.pvalue * n_pairs)
    if not joint.statement[joint.metrics.index(metric)]:
        return 1.0
    return min(1.0, max(joint.pvalue * n_pairs, other.pvalue))


def _effect_doubts(report: SearchReport) -> list[CodedWarning]:
    """The doubts of the parameters: one that all share is said once, of others the first few."""
    doubts = [doubt for effect in report.effects for doubt in effect.warnings]
    unbalanced = [effect.parameter for effect in report.effects if _has(effect, Code.UNBALANCED)]
    if len(unbalanced) > 1:
        doubts = [doubt for doubt in doubts if doubt.code != Code.UNBALANCED.name]
        which = ", ".join(unbalanced[:MAX_LOCATED])
        more = f" and {len(unbalanced) - MAX_LOCATED} more" if len(unbalanced) > MAX_LOCATED else ""
        found = Code.UNBALANCED(
            "candidates that differ in one of these also differ in others, and an additive model parts their effects.",
            about=unbalanced,
        )
        doubts.append(found.at(f"{which}{more}"))
    return doubts
