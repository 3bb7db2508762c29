"""What a report shows of a result, computed once, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.compare import compare
from skcompare.comparison.detectable import POWER, detectable_ranges
from skcompare.comparison.dominance import dominance_table
from skcompare.comparison.dominance_table import DominanceRow
from skcompare.comparison.table import ALPHA, ComparisonRow, mean_score, plain_row
from skcompare.inference._base import ROUNDING, sample_std
from skcompare.inference._measured_sizes import NearestSizes, nearest_sizes
from skcompare.inference._procedures import PROCEDURES, default_for
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting._words import shown_row
from skcompare.reporting.summary.calibrated import shown_calibration
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import plain_stopping


def summarise(result: EvaluationScores, *, with_joint: bool = True, procedure: str = "auto") -> dict[str, Any]:
    """Everything that a report shows, as plain values; the joint verdicts on request."""
    comparison = compare(result, procedure)
    joint = joint_rows(result) if with_joint else []
    doubts = located_doubts(comparison, joint)
    if _n_defined(result) > MAX_METRICS:
        doubts.append(Code.MANY_METRICS(f"there is no joint verdict on more than {MAX_METRICS} metrics; choose some."))
    row = next(row for row in PROCEDURES if row.name == comparison.procedure)
    stopping = result.stopping
    detectable = detectable_ranges(comparison) if stopping is None else ()
    together = np.array([stopping is None or stopping.in_to_the_end(name) for name in result.estimators])
    measured = _measured(result, row.name)
    return {
        "estimators": list(result.estimators),
        "n_samples": result.design.n_samples,
        "design": result.design.name,
        "n_splits": result.design.n_splits,
        "train_size": float(np.mean(result.design.train_sizes)) if result.design.train_sizes else None,
        "test_size": float(np.mean(result.design.test_sizes)) if result.design.test_sizes else None,
        "split_hash": result.design.split_hash,
        "metrics": [
            {
                "name": metric,
                "greater_is_better": result.greater_is_better[m],
                **_moments(result.scores[:, :, m], together),
            }
            for m, metric in enumerate(result.metrics)
        ],
        "rows": [shown_row(row) for row in comparison],
        "procedure": comparison.procedure,
        "assumes": row.assumes,
        "reason": default_for(result.design).reason if procedure == "auto" else "",
        "measured_on": measured.where,
        "measured_sizes": {
            metric: [size.mean, size.low, size.high]
            for metric in result.metrics
            if (size := measured.sizes.get(metric)) is not None
        },
        "correction": comparison.correction,
        "n_hypotheses": comparison.n_hypotheses,
        "alpha": ALPHA,
        "power": POWER,
        "detectable": [asdict(one) for one in detectable] if with_joint else [],
        "joint": [plain_row(pair) for pair in joint],
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "stopping": None if result.stopping is None else plain_stopping(result.stopping),
        "calibration": shown_calibration(result.calibration, result.design, comparison),
        "warnings": doubts,
        "provenance": dict(result.provenance),
    }


def _measured(result: EvaluationScores, procedure: str) -> NearestSizes:
    """What was measured of the procedure nearest to this run; nothing where it was calibrated for it."""
    if result.calibration is not None:
        return NearestSizes(design="", where="", sizes={})
    minority = None
    if result.task == "binary" and result.kept_predictions is not None:
        y = result.kept_predictions.y
        minority = float(np.unique(y, return_counts=True)[1].min() / len(y))
    return nearest_sizes(procedure, result.design, minority)


def located_doubts(
    rows: Sequence[ComparisonRow], joint: Sequence[DominanceRow], known: Sequence[CodedWarning] = ()
) -> list[CodedWarning]:
    """The doubts of all rows that are not `known`, each once.

    Those that do not hold everywhere and name no model say where they hold.
    """
    found: dict[CodedWarning, list[str]] = {doubt: [] for doubt in known}
    several = len({(row.a, row.b) for row in rows}) > 1
    for row in rows:
        for doubt in row.warnings:
            named = row.a in doubt.about or row.b in doubt.about
            where = f"{row.metric} of {row.a} and {row.b}" if several else row.metric
            found.setdefault(doubt, []).extend([] if named else [where])
    located = [
        doubt.at(_few(places)) if 0 < len(places) < len(rows) else doubt
        for doubt, places in found.items()
        if doubt not in known
    ]
    together: dict[CodedWarning, list[str]] = {}
    for pair in joint:
        for doubt in pair.warnings:
            if doubt not in found:
                together.setdefault(doubt, []).append(f"{pair.a} and {pair.b}")
    for doubt, pairs in together.items():
        which = f"{_few(pairs)} on " if len(pairs) < len(joint) else ""
        located.append(doubt.at(f"{which}all metrics together"))
    return located


def _few(places: Sequence[str]) -> str:
    return places[0] if len(places) == 1 else f"{places[0]}, and {len(places) - 1} more"


def _n_defined(result: EvaluationScores) -> int:
    return int(np.isfinite(result.scores).any(axis=(0, 1)).sum())


def _moments(scores: FloatArray, together: NDArray[np.bool_]) -> dict[str, Any]:
    """Mean and deviation over the splits on which all estimators that belong together have a score, or else any.

    Those that left an evaluation before its end do not belong to them, and have theirs over their own splits.
    """
    found = np.isfinite(scores)
    common = found[together].all(axis=0)
    used = [
        row[common] if belongs and common.any() else row[own]
        for row, own, belongs in zip(scores, found, together, strict=True)
    ]
    return {
        "means": [mean_score(row) for row in used],
        "deviations": [_deviation(row) for row in used],
        "n_common": int(common.sum()),
    }


def _deviation(scores: FloatArray) -> float:
    """Standard deviation (``ddof=1``), nan below two scores, 0 where they differ by rounding."""
    return sample_std(scores, ROUNDING * float(np.abs(scores).max(initial=0.0)))


def joint_rows(result: EvaluationScores, correction: str = "holm") -> list[DominanceRow]:
    """The joint verdicts of the pairs that have several metrics; none where there are too many metrics for a test."""
    if not 2 <= _n_defined(result) <= MAX_METRICS:
        return []
    return [
        row
        for row in dominance_table(result, correction=correction)
        if len(row.metrics) > 1 and row.verdict != "undecided"
    ]
