"""What a methods section must say of a result or a study, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._comparison import ALPHA, Comparison
from skcompare._dominance import DominanceRow
from skcompare._joint import TIME_ROPE, TIMES
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._references import CORRECTION_REFERENCES, REFERENCES
from skcompare.inference.data_sets._signed_ranks import LARGEST_AUTO_EXACT

if TYPE_CHECKING:
    from skcompare.results import EvaluationResult
    from skcompare.study import StudyResult

_OWN_CV = re.compile(r"\d+(x\d+)?")
_SPLITTER = re.compile(r"\w+(?=\()")


def result_facts(result: EvaluationResult, comparison: Comparison, joint: Sequence[DominanceRow]) -> dict[str, Any]:
    """The facts of a result, and of a comparison of its models."""
    design = result.design
    row = next(row for row in PROCEDURES if row.name == comparison.procedure)
    sizes = (design.train_sizes, design.test_sizes)
    return {
        **_common_facts(result, comparison, joint),
        **_splitting(result),
        "n_samples": design.n_samples,
        "design": design.name,
        "partition": design.partition,
        "n_repeats": design.n_repeats,
        "n_folds": design.n_folds,
        "n_splits": design.n_splits,
        "sizes": [float(np.mean(size)) for size in sizes] if all(sizes) else [],
        "test_fraction": design.test_fraction,
        "on_predictions": row.evidence == "predictions",
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "n_effective": sorted({pair.n_effective for pair in joint}),
        "time_rope": TIME_ROPE if any(metric in TIMES for pair in joint for metric in pair.metrics) else None,
        **_losses(result, list(dict.fromkeys(row.metric for row in comparison))),
    }


def study_facts(study: StudyResult, comparison: Comparison, joint: Sequence[DominanceRow]) -> dict[str, Any]:
    """The facts of a study, and of a comparison of its models."""
    n_scores = np.isfinite(study.scores).sum(axis=2)
    ways = [_splitting(result) for result in study.results.values()]
    return {
        **_common_facts(study, comparison, joint),
        "datasets": list(study.datasets),
        "designs": sorted({design.name for design in study.designs}),
        **{name: bool(ways) and all(way[name] for way in ways) for name in ("stratified", "shuffled")},
        "exact": len(study.datasets) <= LARGEST_AUTO_EXACT,
        "ranked": len(study.estimators) > 2,
        "n_failed_datasets": len(study.failures),
        "n_incomplete_datasets": sum(not found.all() for found in n_scores),
    }


def sources() -> dict[str, tuple[str, str]]:
    """Author and year, and the BibTeX entry, of every paper by key."""
    return {key: (reference.citation, reference.bibtex()) for key, reference in REFERENCES.items()}


def _common_facts(
    result: EvaluationResult | StudyResult, comparison: Comparison, joint: Sequence[DominanceRow]
) -> dict[str, Any]:
    from skcompare import __version__

    metrics = list(dict.fromkeys(row.metric for row in comparison))
    better = dict(zip(result.metrics, result.greater_is_better, strict=True))
    versions = result.provenance.get("versions")
    return {
        "estimators": list(result.estimators),
        "metrics": metrics,
        "costs": [metric for metric in metrics if not better[metric]],
        "procedure": comparison.procedure,
        "correction": comparison.correction,
        "correction_references": CORRECTION_REFERENCES[comparison.correction],
        "n_hypotheses": comparison.n_hypotheses,
        "n_undecided": len(comparison) - comparison.n_hypotheses,
        "alpha": ALPHA,
        "n_joint": len(joint),
        "joint_metrics": [name for name in result.metrics if any(name in pair.metrics for pair in joint)],
        "intervals": any(row.low == row.low for row in comparison),
        "versions": {"skcompare": __version__, **(versions if isinstance(versions, Mapping) else {})},
        "evaluated": isinstance(versions, Mapping),
        "skcompare": __version__,
        "random_state": result.provenance.get("random_state"),
        "doubts": [doubt.split(": ", 1)[-1] for doubt in result.warnings],
    }


def _splitting(result: EvaluationResult) -> dict[str, Any]:
    """How the splits were drawn, as far as that is known: by `cv` as a number, or by a splitter of scikit-learn."""
    cv = str(result.provenance.get("cv", ""))
    if _OWN_CV.fullmatch(cv):
        stratified = result.task in ("binary", "multiclass")
        return {"stratified": stratified, "shuffled": True, "grouped": False, "random": False}
    found = _SPLITTER.match(cv)
    splitter = found[0] if found else ""
    return {
        "stratified": splitter.startswith(("Stratified", "RepeatedStratified")),
        "shuffled": splitter.startswith("Repeated") or "shuffle=True" in cv,
        "grouped": "Group" in splitter,
        "random": splitter.endswith("ShuffleSplit"),
    }


def _losses(result: EvaluationResult, metrics: Sequence[str]) -> dict[str, Any]:
    """Fits that failed, and scores of `metrics` that are not numbers."""
    failed = np.zeros(result.scores.shape, dtype=bool)
    for failure in result.failures:
        which = slice(None) if failure.metric is None else result.metrics.index(failure.metric)
        failed[result.estimators.index(failure.estimator), failure.split, which] = True
    kept = [result.metrics.index(metric) for metric in metrics]
    known = np.isfinite(result.scores)[:, :, kept]
    failed = failed[:, :, kept]
    return {
        "n_fits": len(result.estimators) * result.design.n_splits,
        "n_failed": int(failed.any(axis=2).sum()),
        "replaced": bool((failed & known).any()),
        "n_scores": int(known.size),
        "n_undefined": int((~known & ~failed).sum()),
    }
