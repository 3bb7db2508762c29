"""What the report of a search shows, computed once, as plain values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.dominance_table import DominanceRow
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting.summary.evaluation import joint_rows
from skcompare.reporting.summary.search import SearchSummary
from skcompare.selection._search_findings import SearchFindings
from skcompare.selection._search_ranking import Candidate

MAX_JOINT = 3
MAX_LOCATED = 3


def summarise_search(report: SearchFindings, n_rows: int | None = None) -> SearchSummary:
    """Everything that the report shows; of the ranking the first rows, by default all."""
    tested = [row for row in report.ranking if np.isfinite(row.pvalue)]
    design = report.design
    return SearchSummary(
        search=report.search,
        design=design.name,
        n_splits=design.n_splits,
        n_samples=design.n_samples,
        train_size=float(np.mean(design.train_sizes)) if design.train_sizes else None,
        test_size=float(np.mean(design.test_sizes)) if design.test_sizes else None,
        test_fraction=design.test_fraction,
        split_hash=design.split_hash,
        metric=report.metric,
        metrics=report.metrics,
        alpha=report.alpha,
        procedure=report.confidence_set.method,
        n_candidates=len(report.ranking),
        n_tested=len(tested),
        n_alike=len(report.not_significantly_different()) - 1,
        n_best=sum(row.rank == 1 for row in tested),
        best=report.best.name,
        best_mean=report.best.mean,
        ranking=report.ranking[:n_rows],
        effects=report.effects,
        selection_bias=report.selection_bias,
        joint=_joint(report),
        warnings=(*report.warnings, *_effect_warnings(report)),
        provenance=report.provenance,
        means=_means(report),
    )


def _means(report: SearchFindings) -> dict[str, list[float]]:
    """By metric the means of all candidates, in the order of the ranking."""
    places = {name: i for i, name in enumerate(report.names)}
    means = report.scores.mean(axis=1)[[places[row.name] for row in report.ranking]]
    return dict(zip(report.metrics, means.T.tolist(), strict=True))


def _joint(report: SearchFindings) -> tuple[DominanceRow, ...]:
    """The joint verdicts on the best against each of the next.

    The best was picked among all pairs of candidates, so the p-values allow for all pairs. A claim on all metrics is
    one on the deciding metric too, and no surer than that: see `_joint_pvalue`.
    """
    if not 2 <= len(report.metrics) <= MAX_METRICS:
        return ()
    tested = [row for row in report.ranking if np.isfinite(row.pvalue)]
    n_pairs = len(tested) * (len(tested) - 1) // 2
    rows = [
        (joint, _joint_pvalue(joint, other, n_pairs, report.metric))
        for other in tested[1 : MAX_JOINT + 1]
        for joint in joint_rows(report.result([report.best.name, other.name]))
    ]
    return tuple(replace(joint, pvalue_adjusted=p, established=p < report.alpha) for joint, p in rows)


def _joint_pvalue(joint: DominanceRow, other: Candidate, n_pairs: int, metric: str) -> float:
    """Adjusted over all pairs; at least that of the ranking, and 1 where the statement is against the ranking."""
    if joint.statement is None or metric not in joint.metrics:
        return min(1.0, joint.pvalue * n_pairs)
    if not joint.statement[joint.metrics.index(metric)]:
        return 1.0
    return min(1.0, max(joint.pvalue * n_pairs, other.pvalue))


def _effect_warnings(report: SearchFindings) -> list[CodedWarning]:
    """The warnings about the parameters: one that all share is said once, of others the first few."""
    found = [warning for effect in report.effects for warning in effect.warnings]
    code = Code.UNBALANCED.name
    unbalanced = [one.parameter for one in report.effects if any(warning.code == code for warning in one.warnings)]
    if len(unbalanced) > 1:
        found = [warning for warning in found if warning.code != code]
        which = ", ".join(unbalanced[:MAX_LOCATED])
        more = f" and {len(unbalanced) - MAX_LOCATED} more" if len(unbalanced) > MAX_LOCATED else ""
        shared = Code.UNBALANCED(
            "candidates that differ in one of these also differ in others, and an additive model parts their effects.",
            about=unbalanced,
        )
        found.append(shared.at(f"{which}{more}"))
    return found
