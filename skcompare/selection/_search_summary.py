"""What the report of a search shows, computed once, as plain values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._comparison import plain_row
from skcompare._summary import joint_rows
from skcompare.inference.dominance.statements import MAX_METRICS

if TYPE_CHECKING:
    from skcompare.selection._search_report import SearchReport

MAX_ROWS = 10
MAX_JOINT = 3
MAX_LOCATED = 3


def summarise_search(report: SearchReport) -> dict[str, Any]:
    """Everything that the report shows, as plain values; of the ranking the first rows."""
    return {
        **plain_ranking(report, MAX_ROWS),
        "optimism": {name: getattr(report.optimism, name) for name in ("apparent", "optimism", "corrected", "method")},
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
    worst = effect.values[int(np.argmin(effect.means))]
    return {**plain_row(effect), "values": list(effect.values), "means": means, "worst": worst}


def _joint(report: SearchReport) -> list[dict[str, Any]]:
    """The joint verdicts on the best against each of the next."""
    if not 2 <= len(report.metrics) <= MAX_METRICS:
        return []
    others = [row.name for row in report.ranking[1 : MAX_JOINT + 1] if np.isfinite(row.pvalue)]
    pairs = [report.result([report.best.name, other]) for other in others]
    return [plain_row(row) for pair in pairs for row in joint_rows(pair)]


def _effect_doubts(report: SearchReport) -> list[str]:
    """The doubts of the parameters: one that all share is said once, of others the first few."""
    doubts = [doubt for effect in report.effects for doubt in effect.warnings]
    unbalanced = [effect.parameter for effect in report.effects if any("UNBALANCED" in d for d in effect.warnings)]
    if len(unbalanced) > 1:
        doubts = [doubt for doubt in doubts if not doubt.startswith("UNBALANCED")]
        which = ", ".join(unbalanced[:MAX_LOCATED])
        more = f" and {len(unbalanced) - MAX_LOCATED} more" if len(unbalanced) > MAX_LOCATED else ""
        doubts.append(
            f"UNBALANCED ({which}{more}): candidates that differ in one of these also differ in others, so that the "
            f"effect of one may be that of another."
        )
    return doubts
