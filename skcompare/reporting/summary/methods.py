"""What a methods section must know of a result or a study."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skcompare._core.numbers import one_of
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import TIME_ROPE, times_of
from skcompare.comparison.compare import compare
from skcompare.comparison.dominance import DominanceRow
from skcompare.comparison.error_rates import ErrorRates, error_rates, fragile_warnings
from skcompare.comparison.means import rank
from skcompare.comparison.table import ComparisonTable, Scores
from skcompare.reporting.summary.evaluation import joint_rows
from skcompare.reporting.summary.records import CalibrationSummary, summarise_calibration
from skcompare.reporting.summary.study import ranked_metrics, study_joint_rows
from skcompare.reporting.summary.warnings import over_metrics, over_pairs
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.rare_classes import is_undefined
from skcompare.scores.stopping import in_words
from skcompare.scores.study import StudyScores

_OF_METRICS = (Code.BASE_RATE.name, Code.WEAK_METRIC.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a methods section says of a result or a study.

    Attributes
    ----------
    scores : EvaluationScores or StudyScores
        The result or the study.
    results : tuple of EvaluationScores
        The result, or those of the data sets.
    comparison : ComparisonTable
        All pairs on all metrics.
    joint : tuple of DominanceRow
        The verdicts on all metrics together that could have come out either way.
    warnings : tuple of str
        Sentences, without their codes.
    error_rates : ErrorRates or None
        Of a result what simulations say of the test.
    calibration : CalibrationSummary or None
        Of a result what the test was calibrated on.
    """

    scores: Scores
    results: tuple[EvaluationScores, ...]
    comparison: ComparisonTable
    joint: tuple[DominanceRow, ...]
    warnings: tuple[str, ...]
    error_rates: ErrorRates | None = None
    calibration: CalibrationSummary | None = None

    @property
    def sizes(self) -> tuple[str, ...]:
        """Mean samples in the training and the test sets of a result; empty where they are not known."""
        if isinstance(self.scores, StudyScores):
            return ()
        sizes = (self.scores.design.train_sizes, self.scores.design.test_sizes)
        return tuple(f"{np.mean(size):.0f}" for size in sizes) if all(sizes) else ()


def result_facts(result: EvaluationScores, procedure: str, correction: str) -> Facts:
    """The facts of a result, and of a comparison of its models by its calibration or without."""
    comparison = compare(result, procedure, correction=correction)
    rates, calibration = error_rates(result, comparison), result.calibration if procedure == "auto" else None
    return Facts(
        scores=result,
        results=(result,),
        comparison=comparison,
        joint=_testable(joint_rows, result, correction),
        warnings=(*_sentences(result.warnings), *_of_classes(result, comparison)),
        error_rates=rates,
        calibration=summarise_calibration(calibration, result.design, comparison.rows),
    )


def study_facts(study: StudyScores, procedure: str, correction: str) -> Facts:
    """The facts of a study, and of a comparison of its models."""
    return Facts(
        scores=study,
        results=tuple(study.results.values()),
        comparison=compare(study, procedure, correction=correction),
        joint=_testable(study_joint_rows, study, correction),
        warnings=_sentences(study.warnings),
    )


def _is_undefined(result: EvaluationScores, metric: str) -> bool:
    if result.design.time_order:
        return any(metric in of_model for of_model in result.ill_defined.values())
    return any(is_undefined(result, name, metric) for name in result.estimators)


def _of_classes(result: EvaluationScores, comparison: ComparisonTable) -> tuple[str, ...]:
    """What rare classes, dear errors and units make of the scores, and which claims are fragile."""
    own = [one for row in comparison for one in row.warnings if one.code in _OF_METRICS]
    of_all = (one for name in result.metrics for one in result.score_warnings(name, *result.estimators))
    own = list(dict.fromkeys([*own, *(one for one in of_all if one.code in ("DIFFERENT_UNITS", "WEAK_METRIC"))]))
    return _sentences([*over_metrics(over_pairs(own, result), result.metrics), *fragile_warnings(comparison)])


def _testable(
    joint_of: Callable[[Any, str], Sequence[DominanceRow]], scores: Scores, correction: str
) -> tuple[DominanceRow, ...]:
    """Those that could have found something, as a test of one case alone cannot; none where nothing is adjusted."""
    joint = () if correction == "none" else joint_of(scores, correction)
    return tuple(pair for pair in joint if pair.pvalue == pair.pvalue and pair.n_effective > 1)


def _sentences(warnings: Sequence[CodedWarning]) -> tuple[str, ...]:
    """Warnings without their codes; that fits failed is counted elsewhere."""
    kept = (one for one in warnings if one.code != Code.MISSING_SCORES.name)
    return tuple(f"{one.where}: {one.sentence}" if one.where else one.sentence for one in kept)


# ---- what was compared, and on what -----------------------------------------------------------------------------


def of_scores(facts: Facts) -> dict[str, Any]:
    """What the template says of the data, the splits, the losses and the software."""
    scores, metrics, results = facts.scores, _metrics(facts), facts.results
    better = dict(zip(scores.metrics, scores.greater_is_better, strict=True))
    versions = scores.provenance.get("versions")
    return {
        **(_of_study(scores) if isinstance(scores, StudyScores) else _of_result(scores, facts)),
        **_losses(results, metrics),
        **_seeds(scores.provenance),
        "estimators": scores.estimators,
        "metrics": metrics,
        "costs": [metric for metric in metrics if not better[metric]],
        "sizes": facts.sizes,
        "ways": list(dict.fromkeys(map(_splitting, results))),
        "run_numbers": list(dict.fromkeys(filter(None, (result.design.runs_of_each for result in results)))),
        "paired": next((result.design.paired for result in results if result.design.paired), ""),
        "n_seeds": max((len(result.fit_seeds) for result in results), default=0),
        "versions": versions if isinstance(versions, Mapping) else None,
        "warnings": facts.warnings,
    }


def _metrics(facts: Facts) -> tuple[str, ...]:
    """The metrics of which anything is said."""
    spoken = {row.metric for row in facts.comparison}.union(*(row.metrics for row in facts.joint))
    return tuple(metric for metric in facts.scores.metrics if metric in spoken)


def _of_result(result: EvaluationScores, facts: Facts) -> dict[str, Any]:
    """What holds of one data set alone."""
    design = result.design
    part = "of one repeat" if design.n_repeats > 1 else "of the cross-validation"
    return {
        "kind": design.kind,
        "design": design,
        "case": one_of(design.kind),
        "cases": design.kind,
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "stopping": result.stopping,
        "outcome": "" if result.stopping is None else in_words(result.stopping),
        "time_order": design.time_order,
        "pooled": "one test set" if design.n_folds == 1 else f"the {design.n_folds} test sets {part}, pooled",
        "complete": design.apart or bool(np.isfinite(result.scores).all()),
        "time_rope": TIME_ROPE
        if any(metric in times_of(result) for row in facts.joint for metric in row.metrics)
        else 0,
        **dict.fromkeys(("ranked", "gapped", "datasets", "failed_datasets"), ()),
        "n_gaps": 0,
    }


def _of_study(study: StudyScores) -> dict[str, Any]:
    """What holds of several data sets alone."""
    omnibus = {} if len(study.estimators) < 3 else {metric: rank(study, metric) for metric in ranked_metrics(study)}
    known = {metric: found for metric, found in omnibus.items() if np.isfinite(found.omnibus.pvalue)}
    gapped = tuple(metric for metric, found in known.items() if not np.isfinite(found.ranks).all())
    return {
        "kind": "data sets",
        "case": one_of(study.cases),
        "cases": study.cases,
        "datasets": study.datasets,
        "failed_datasets": [failure.dataset for failure in study.failures],
        "n_gaps": sum(not found.all() for found in np.isfinite(study.scores).sum(axis=2)),
        "ranked": tuple(metric for metric in known if metric not in gapped),
        "gapped": gapped,
        **dict.fromkeys(("design", "stopping", "positive_class")),
        **dict.fromkeys(("time_order", "complete", "time_rope"), False),
    }


# ---- how the data was split, and with which seeds ---------------------------------------------------------------

_OWN_CV = re.compile(r"\d+(x\d+)?")
_SPLITTER = re.compile(r"\w+(?=\()")
_SEED = re.compile(r"\brandom_state=(\w+)")
# Splitters that draw at random without an argument that says so.
_RANDOM = ("Repeated", "Shuffle", "Blocked")
_STRATIFIED = ("Stratified", "RepeatedStratified")


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting:
    """How many splits of a data set there are, and how they were drawn, as far as that is known."""

    partition: bool
    n_repeats: int
    n_folds: int
    n_splits: int
    time_order: bool
    stratified: bool
    shuffled: bool
    grouped: bool
    random: bool


def _splitting(result: EvaluationScores) -> Splitting:
    """It is known of `cv` as a number, and of the splitters of scikit-learn."""
    cv, design = str(result.provenance.get("cv", "")), result.design
    own, found = _OWN_CV.fullmatch(cv), _SPLITTER.match(cv)
    splitter = found[0] if found else ""
    return Splitting(
        **{name: getattr(design, name) for name in ("partition", "n_repeats", "n_folds", "n_splits", "time_order")},
        stratified=result.task in ("binary", "multiclass") if own else splitter.startswith(_STRATIFIED),
        shuffled=bool(own) or splitter.startswith("Repeated") or "shuffle=True" in cv,
        grouped="Group" in splitter or design.n_groups is not None,
        random=splitter.endswith("ShuffleSplit"),
    )


def _seeds(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """The seed of the evaluation, that of its splitter, and whether models have seeds of their own.

    That of the splitter is None where it draws nothing or draws with the seed of the evaluation, "None" where it draws
    without one, and the name of a generator where it had that.
    """
    cv, models = str(provenance.get("cv", "")), provenance.get("estimators")
    found, seed = _SPLITTER.match(cv), _SEED.search(cv)
    drawn = found is not None and ("shuffle=True" in cv or any(word in found[0] for word in _RANDOM))
    reprs = models.values() if isinstance(models, Mapping) else ()
    seeded = any(re.search(r"\brandom_state=\d", str(shown)) for shown in reprs)
    return {
        "random_state": provenance.get("random_state"),
        "splitter_seed": seed[1] if drawn and seed else None,
        "beyond": "beyond those in the parameters of the models" if seeded else "",
    }


def _losses(results: Sequence[EvaluationScores], metrics: Sequence[str]) -> dict[str, int]:
    """Fits, and those that failed; scores of `metrics`, and those that are undefined."""
    lost = dict.fromkeys(("n_fits", "n_failed", "n_undefined"), 0)
    for result in results:
        kept, fitted = [result.metrics.index(metric) for metric in metrics], _fitted(result)
        failed, known = result.failed[:, :, kept], np.isfinite(result.scores)[:, :, kept]
        found = (fitted, failed.any(axis=2), ~known & ~failed & fitted[:, :, None])
        lost = {name: n + int(where.sum()) for (name, n), where in zip(lost.items(), found, strict=True)}
    return {**lost, "n_scores": lost["n_fits"] * len(metrics)}


def _fitted(result: EvaluationScores) -> Any:
    """Which estimators were fitted on which splits, or have so many runs: booleans of shape (estimators, splits)."""
    fitted = np.ones(result.scores.shape[:2], dtype=bool)
    for row, n in zip(fitted, result.design.n_runs, strict=False):
        row[n:] = False
    if result.stopping is not None:
        for row, name in zip(fitted, result.estimators, strict=True):
            row[result.stopping.repeats_of(name) * result.design.n_folds :] = False
    return fitted
