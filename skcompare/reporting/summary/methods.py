"""What a methods section must say of a result or a study, as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.version import __version__
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.compare import Scores, compare
from skcompare.comparison.dominance_table import DominanceRow
from skcompare.comparison.joint import TIME_ROPE, TIMES
from skcompare.comparison.ranking import rank
from skcompare.comparison.table import ALPHA, ComparisonTable
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference._references import CORRECTION_REFERENCES
from skcompare.inference.datasets._signed_ranks import LARGEST_AUTO_EXACT
from skcompare.reporting.summary.calibrated import shown_calibration
from skcompare.reporting.summary.evaluation import joint_rows
from skcompare.reporting.summary.study import study_joint_rows
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.stopping import plain_stopping
from skcompare.scores.study import StudyScores

_OWN_CV = re.compile(r"\d+(x\d+)?")
_SPLITTER = re.compile(r"\w+(?=\()")
_SEED = re.compile(r"\brandom_state=(\w+)")
# Splitters that draw at random without an argument that says so.
_RANDOM = ("Repeated", "Shuffle", "Blocked")
# A test of one case alone can find nothing.
_MIN_CASES = 1


def result_facts(result: EvaluationScores, procedure: str, correction: str) -> dict[str, Any]:
    """The facts of a result, and of a comparison of its models by its calibration or without."""
    comparison = compare(result, procedure, correction=correction)
    calibration = result.calibration if procedure == "auto" else None
    design, joint = result.design, _testable(joint_rows(result, correction))
    row = next(row for row in PROCEDURES if row.name == comparison.procedure)
    sizes = (design.train_sizes, design.test_sizes)
    return {
        **_common_facts(result, comparison, joint),
        **_splitting(result),
        "n_samples": design.n_samples,
        "sizes": [float(np.mean(size)) for size in sizes] if all(sizes) else [],
        "test_fraction": design.test_fraction,
        "on_predictions": row.takes.kind == "predictions",
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "n_effective": sorted({pair.n_effective for pair in joint}),
        "complete": bool(np.isfinite(result.scores).all()),
        "time_rope": TIME_ROPE if any(metric in TIMES for pair in joint for metric in pair.metrics) else None,
        **_losses([result], _metrics(result, comparison, joint)),
        "stopping": None if result.stopping is None else plain_stopping(result.stopping),
        "calibration": shown_calibration(calibration, design, comparison),
    }


def study_facts(study: StudyScores, procedure: str, correction: str) -> dict[str, Any]:
    """The facts of a study, and of a comparison of its models."""
    comparison = compare(study, procedure, correction=correction)
    n_scores, joint = np.isfinite(study.scores).sum(axis=2), _testable(study_joint_rows(study, correction))
    losses = _losses(list(study.results.values()), _metrics(study, comparison, joint))
    compared = list(dict.fromkeys(row.metric for row in comparison))
    return {
        **_common_facts(study, comparison, joint),
        "datasets": list(study.datasets),
        "splittings": [_splitting(result) for result in study.results.values()],
        "exact": len(study.datasets) <= LARGEST_AUTO_EXACT,
        "ranked_metrics": [metric for metric in compared if _ranked(study, metric)],
        **{name: losses[name] for name in ("n_fits", "n_failed", "replaced")},
        "failed_datasets": [failure.dataset for failure in study.failures],
        "n_incomplete_datasets": sum(not found.all() for found in n_scores),
    }


def _ranked(study: StudyScores, metric: str) -> bool:
    """Whether the omnibus test of three or more models has a p-value."""
    known = np.isfinite(study.means(metric)).all(axis=1).any()
    return bool(len(study.estimators) > 2 and known and np.isfinite(rank(study, metric).omnibus.pvalue))


def _common_facts(result: Scores, comparison: ComparisonTable, joint: Sequence[DominanceRow]) -> dict[str, Any]:
    metrics = _metrics(result, comparison, joint)
    better = dict(zip(result.metrics, result.greater_is_better, strict=True))
    versions = result.provenance.get("versions")
    return {
        "estimators": list(result.estimators),
        "metrics": metrics,
        "compared_metrics": list(dict.fromkeys(row.metric for row in comparison)),
        "costs": [metric for metric in metrics if not better[metric]],
        "procedure": comparison.procedure,
        "correction": comparison.correction,
        "correction_references": CORRECTION_REFERENCES[comparison.correction],
        "n_hypotheses": comparison.n_hypotheses,
        "n_undecided": len(comparison) - comparison.n_hypotheses,
        "alpha": ALPHA,
        "n_joint": len(joint),
        "joint_metrics": [name for name in metrics if any(name in pair.metrics for pair in joint)],
        "intervals": any(row.low == row.low for row in comparison),
        "versions": {"skcompare": __version__, **(versions if isinstance(versions, Mapping) else {})},
        "evaluated": isinstance(versions, Mapping),
        "skcompare": __version__,
        **_seeds(result.provenance),
        "doubts": [_sentence(doubt) for doubt in result.warnings if doubt.code != Code.FAILED.name],
    }


def _testable(joint: Sequence[DominanceRow]) -> list[DominanceRow]:
    return [pair for pair in joint if pair.pvalue == pair.pvalue and pair.n_effective > _MIN_CASES]


def _metrics(result: Scores, comparison: ComparisonTable, joint: Sequence[DominanceRow]) -> list[str]:
    """The metrics of which the comparison or the joint verdicts speak."""
    spoken = {row.metric for row in comparison}.union(*(pair.metrics for pair in joint))
    return [metric for metric in result.metrics if metric in spoken]


def _sentence(doubt: CodedWarning) -> str:
    """A doubt without its code, and with its full stop behind the place in brackets."""
    return f"{doubt.sentence.removesuffix('.')} ({doubt.where})." if doubt.where else doubt.sentence


def _seeds(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The seed of the evaluation, that of its splitter, and whether models have seeds of their own.

    ``splitter_seed`` is None where the splitter draws nothing or draws with the seed of the evaluation, "None" where
    it draws without one, and the name of a generator where it had that.
    """
    cv, models = str(provenance.get("cv", "")), provenance.get("estimators")
    found, seed = _SPLITTER.match(cv), _SEED.search(cv)
    drawn = found is not None and ("shuffle=True" in cv or any(word in found[0] for word in _RANDOM))
    reprs = models.values() if isinstance(models, Mapping) else ()
    return {
        "random_state": provenance.get("random_state"),
        "splitter_seed": seed[1] if drawn and seed else None,
        "seeded_models": any(re.search(r"\brandom_state=\d", str(shown)) for shown in reprs),
    }


def _splitting(result: EvaluationScores) -> dict[str, Any]:
    """How many splits there are, and how they were drawn, as far as that is known.

    It is known of `cv` as a number, and of the splitters of scikit-learn.
    """
    cv = str(result.provenance.get("cv", ""))
    counts = {name: getattr(result.design, name) for name in ("partition", "n_repeats", "n_folds", "n_splits")}
    if _OWN_CV.fullmatch(cv):
        stratified = result.task in ("binary", "multiclass")
        return {**counts, "stratified": stratified, "shuffled": True, "grouped": False, "random": False}
    found = _SPLITTER.match(cv)
    splitter = found[0] if found else ""
    return {
        **counts,
        "stratified": splitter.startswith(("Stratified", "RepeatedStratified")),
        "shuffled": splitter.startswith("Repeated") or "shuffle=True" in cv,
        "grouped": "Group" in splitter,
        "random": splitter.endswith("ShuffleSplit"),
    }


def _losses(results: Sequence[EvaluationScores], metrics: Sequence[str]) -> dict[str, Any]:
    """Fits that failed, and scores of `metrics` that are not numbers, of all results together."""
    lost = [_lost(result, metrics) for result in results]
    return {
        "replaced": any(one["replaced"] for one in lost),
        **{name: sum(one[name] for one in lost) for name in ("n_fits", "n_failed", "n_scores", "n_undefined")},
    }


def _lost(result: EvaluationScores, metrics: Sequence[str]) -> dict[str, Any]:
    failed = np.zeros(result.scores.shape, dtype=bool)
    for failure in result.failures:
        which = slice(None) if failure.metric is None else result.metrics.index(failure.metric)
        failed[result.estimators.index(failure.estimator), failure.split, which] = True
    kept = [result.metrics.index(metric) for metric in metrics]
    fitted = _fitted(result)
    known = np.isfinite(result.scores)[:, :, kept]
    failed = failed[:, :, kept]
    return {
        "n_fits": int(fitted.sum()),
        "n_failed": int(failed.any(axis=2).sum()),
        "replaced": bool((failed & known).any()),
        "n_scores": int(fitted.sum()) * len(kept),
        "n_undefined": int((~known & ~failed & fitted[:, :, None]).sum()),
    }


def _fitted(result: EvaluationScores) -> NDArray[np.bool_]:
    """Which estimators were fitted on which splits."""
    fitted = np.ones(result.scores.shape[:2], dtype=bool)
    if result.stopping is not None:
        for row, name in zip(fitted, result.estimators, strict=True):
            row[result.stopping.repeats_of(name) * result.design.n_folds :] = False
    return fitted
