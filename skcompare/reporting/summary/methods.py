"""What a methods section must say of a result or a study."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Kind
from skcompare._core.version import __version__
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import by_case
from skcompare.comparison.compare import compare
from skcompare.comparison.dominance import DominanceRow
from skcompare.comparison.error_rates import ErrorRates, error_rates, fragile_warnings
from skcompare.comparison.joint import TIME_ROPE, times_of
from skcompare.comparison.pairs import Scores
from skcompare.comparison.ranking import rank
from skcompare.comparison.table import ALPHA, ComparisonTable, metrics_by_test
from skcompare.inference._guide import CORRECTION_REFERENCES
from skcompare.inference._procedures import PROCEDURES
from skcompare.inference.datasets.signed_rank import LARGEST_AUTO_EXACT
from skcompare.reporting.summary.evaluation import joint_rows
from skcompare.reporting.summary.records import CalibrationSummary, summarise_calibration
from skcompare.reporting.summary.study import ranked_metrics, study_joint_rows
from skcompare.reporting.summary.warnings import over_metrics
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.rare_classes import is_undefined
from skcompare.scores.stopping import Stopping
from skcompare.scores.study import StudyScores

# Scores that are lost, counted for a methods section.


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Fits, and those that failed; scores, and those that are undefined."""

    n_fits: int
    n_failed: int
    n_scores: int
    n_undefined: int


def losses(results: Sequence[EvaluationScores], metrics: Sequence[str]) -> Losses:
    """Fits that failed, and scores of `metrics` that are not numbers, of all results together."""
    lost = np.array([_lost(result, metrics) for result in results], dtype=int).reshape(-1, 3)
    n_fits, n_failed, n_undefined = lost.sum(axis=0).tolist()
    return Losses(
        n_fits=n_fits,
        n_failed=n_failed,
        n_scores=n_fits * len(metrics),
        n_undefined=n_undefined,
    )


def _lost(result: EvaluationScores, metrics: Sequence[str]) -> tuple[int, ...]:
    """Fits, those that failed, and scores that are undefined."""
    kept = [result.metrics.index(metric) for metric in metrics]
    fitted = _fitted(result)
    known = np.isfinite(result.scores)[:, :, kept]
    failed = result.failed[:, :, kept]
    undefined = ~known & ~failed & fitted[:, :, None]
    return tuple(int(found.sum()) for found in (fitted, failed.any(axis=2), undefined))


def _fitted(result: EvaluationScores) -> NDArray[np.bool_]:
    """Which estimators were fitted on which splits, or have so many runs."""
    fitted = np.ones(result.scores.shape[:2], dtype=bool)
    for row, n in zip(fitted, result.design.n_runs, strict=False):
        row[n:] = False
    if result.stopping is not None:
        for row, name in zip(fitted, result.estimators, strict=True):
            row[result.stopping.repeats_of(name) * result.design.n_folds :] = False
    return fitted


_OWN_CV = re.compile(r"\d+(x\d+)?")
_SPLITTER = re.compile(r"\w+(?=\()")
_SEED = re.compile(r"\brandom_state=(\w+)")
# Splitters that draw at random without an argument that says so.
_RANDOM = ("Repeated", "Shuffle", "Blocked")
_STRATIFIED = ("Stratified", "RepeatedStratified")
# A test of one case alone can find nothing.
_OF_METRICS = (Code.BASE_RATE.name, Code.WEAK_METRIC.name)
_MIN_CASES = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Splitting:
    """How many splits there are, and how they were drawn, as far as that is known.

    `runs` is the number of independent runs of each model in words, empty of splits, and `paired` why they are pairs.
    """

    partition: bool
    n_repeats: int
    n_folds: int
    n_splits: int
    stratified: bool
    shuffled: bool
    grouped: bool
    random: bool
    time_order: bool
    runs: str
    paired: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """The seed of the evaluation, that of its splitter, and whether models have seeds of their own.

    `splitter_seed` is None where the splitter draws nothing or draws with the seed of the evaluation, "None" where it
    draws without one, and the name of a generator where it had that.
    """

    random_state: Any
    splitter_seed: str | None
    seeded_models: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What methods sections of results and studies say.

    Attributes
    ----------
    estimators, metrics, costs : tuple of str
        The models, the metrics of which anything is said, and those of which less is better.
    comparison : ComparisonTable
        All pairs on all metrics.
    correction_references : tuple of str
        Keys of the papers of its correction.
    alpha : float
        The level.
    joint : tuple of DominanceRow
        The verdicts on all metrics together that could have come out either way.
    losses : Losses
        What failed.
    versions : mapping of str to str
        Of the packages used.
    evaluated : bool
        Whether the models were fitted here.
    skcompare : str
        The version that computed the tests.
    seeds : Seeds
        Of splits and models.
    warnings : tuple of str
        Sentences, without their codes.
    """

    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    costs: tuple[str, ...]
    comparison: ComparisonTable
    correction_references: tuple[str, ...]
    alpha: float
    joint: tuple[DominanceRow, ...]
    losses: Losses
    versions: Mapping[str, Any]
    evaluated: bool
    skcompare: str
    seeds: Seeds
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationFacts(Facts):
    """What a methods section says of an evaluation.

    Attributes
    ----------
    n_samples : int or None
        None where it is not known.
    splitting : Splitting
        Of its data.
    sizes : tuple of float
        Mean samples in the training and the test sets; empty where they are not known.
    test_fraction : float
        Share of the samples of a split that are tested on.
    on_predictions : bool
        Whether the procedure takes predictions of folds, not scores.
    kind : {"folds", "samples", "items", "runs"}
        What the evidence is, as in `Design`.
    n_cases : int
        Samples of the one test set, or items; 0 of folds and runs.
    n_clusters : int or None
        The clusters that they stand in.
    linearised : tuple of str
        Metrics that were tested as smooth functions of means over the samples.
    positive_class : str or None
        As it prints.
    n_seeds : int
        Fits per split.
    n_effective : tuple of float
        The numbers of independent cases that the splits are worth, rising.
    complete : bool
        Whether no score is missing.
    undefined : tuple of str
        Metrics that are 0/0 for some model, on the test set or on one of several in time order.
    time_rope : float or None
        The share of a time that counts as equal; None without times among the joint verdicts.
    stopping : Stopping or None
        Of an evaluation that was looked at while it ran.
    calibration : CalibrationSummary or None
        What the test was calibrated on.
    error_rates : ErrorRates or None
        What simulations say of the test.
    """

    n_samples: int | None
    splitting: Splitting
    sizes: tuple[float, ...]
    test_fraction: float
    on_predictions: bool
    kind: Kind
    n_cases: int
    n_clusters: int | None
    linearised: tuple[str, ...]
    positive_class: str | None
    n_seeds: int
    n_effective: tuple[float, ...]
    complete: bool
    undefined: tuple[str, ...]
    time_rope: float | None
    stopping: Stopping | None
    calibration: CalibrationSummary | None
    error_rates: ErrorRates | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFacts(Facts):
    """What a methods section says of a study.

    Attributes
    ----------
    datasets, failed_datasets : tuple of str
        The data sets, and those that could not be evaluated.
    cases : str
        What they are called.
    splittings : tuple of Splitting
        One per data set; empty where none is known.
    n_seeds : int
        Fits per split.
    exact : bool
        Whether signed-rank tests are exact for so many data sets.
    ranked_metrics : tuple of str
        The metrics with an omnibus test on complete data sets.
    gapped_metrics : tuple of str
        Those with one although scores are missing.
    n_incomplete_datasets : int
        Data sets on which scores are missing.
    """

    datasets: tuple[str, ...]
    cases: str
    failed_datasets: tuple[str, ...]
    splittings: tuple[Splitting, ...]
    n_seeds: int
    exact: bool
    ranked_metrics: tuple[str, ...]
    gapped_metrics: tuple[str, ...]
    n_incomplete_datasets: int


def result_facts(result: EvaluationScores, procedure: str, correction: str) -> EvaluationFacts:
    """The facts of a result, and of a comparison of its models by its calibration or without."""
    comparison = compare(result, procedure, correction=correction)
    design, joint = result.design, _testable(joint_rows(result, correction))
    kinds = {row.name: row.takes.kind for row in PROCEDURES}
    sizes = (design.train_sizes, design.test_sizes)
    rates, common = error_rates(result, comparison), _common_facts(result, comparison, joint, [result])
    common["warnings"] += _of_classes(result, comparison)
    return EvaluationFacts(
        **common,
        n_samples=design.n_samples,
        splitting=_splitting(result),
        sizes=tuple(float(np.mean(size)) for size in sizes) if all(sizes) else (),
        test_fraction=design.test_fraction,
        on_predictions=design.kind == "folds"
        and any(kinds[test] == "predictions" for test in metrics_by_test(comparison.rows)),
        kind=design.kind,
        n_cases=design.n_cases,
        n_clusters=design.n_clusters,
        linearised=tuple(
            metric
            for metric in result.metrics
            if (design.kind == "samples" or design.time_order) and not by_case(result, metric)
        ),
        positive_class=None if result.positive_class is None else repr(result.positive_class),
        n_seeds=max(1, len(result.fit_seeds)),
        n_effective=tuple(sorted({pair.n_effective for pair in joint})),
        complete=design.apart or bool(np.isfinite(result.scores).all()),
        undefined=tuple(metric for metric in result.metrics if _is_undefined(result, metric)),
        time_rope=TIME_ROPE if any(metric in times_of(result) for pair in joint for metric in pair.metrics) else None,
        stopping=result.stopping,
        calibration=summarise_calibration(result.calibration if procedure == "auto" else None, design, comparison.rows),
        error_rates=rates,
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
    return tuple(map(_sentence, [*over_metrics(own, result.metrics), *fragile_warnings(comparison)]))


def study_facts(study: StudyScores, procedure: str, correction: str) -> StudyFacts:
    """The facts of a study, and of a comparison of its models."""
    comparison = compare(study, procedure, correction=correction)
    joint, results = _testable(study_joint_rows(study, correction)), list(study.results.values())
    compared = dict.fromkeys(row.metric for row in comparison)
    return StudyFacts(
        **_common_facts(study, comparison, joint, results),
        datasets=study.datasets,
        cases=study.cases,
        failed_datasets=tuple(failure.dataset for failure in study.failures),
        splittings=tuple(map(_splitting, results)),
        n_seeds=max((len(result.fit_seeds) for result in results), default=1) or 1,
        exact=len(study.datasets) <= LARGEST_AUTO_EXACT,
        ranked_metrics=tuple(metric for metric in compared if _ranked(study, metric)),
        gapped_metrics=tuple(metric for metric in compared if _ranked(study, metric, gaps=True)),
        n_incomplete_datasets=sum(not found.all() for found in np.isfinite(study.scores).sum(axis=2)),
    )


def _ranked(study: StudyScores, metric: str, *, gaps: bool = False) -> bool:
    """Whether the omnibus test of three or more models has a p-value, and scores are missing or not."""
    if len(study.estimators) < 3 or metric not in ranked_metrics(study):
        return False
    found = rank(study, metric)
    return bool(np.isfinite(found.omnibus.pvalue) and np.isfinite(found.ranks).all() != gaps)


def _common_facts(
    scores: Scores, comparison: ComparisonTable, joint: tuple[DominanceRow, ...], results: Sequence[EvaluationScores]
) -> dict[str, Any]:
    """The fields of `Facts`."""
    spoken = {row.metric for row in comparison}.union(*(pair.metrics for pair in joint))
    metrics = tuple(metric for metric in scores.metrics if metric in spoken)
    better = dict(zip(scores.metrics, scores.greater_is_better, strict=True))
    versions = scores.provenance.get("versions")
    failures = [one.warning for one in scores.failures] if isinstance(scores, StudyScores) else []
    return {
        "estimators": scores.estimators,
        "metrics": metrics,
        "costs": tuple(metric for metric in metrics if not better[metric]),
        "comparison": comparison,
        "correction_references": CORRECTION_REFERENCES.get(comparison.correction, ()),
        "alpha": ALPHA if comparison.sequential else comparison.alpha,
        "joint": joint,
        "losses": losses(results, metrics),
        "versions": {"skcompare": __version__, **(versions if isinstance(versions, Mapping) else {})},
        "evaluated": isinstance(versions, Mapping),
        "skcompare": __version__,
        "seeds": _seeds(scores.provenance),
        "warnings": tuple(_sentence(warning) for warning in scores.warnings if warning not in failures),
    }


def _testable(joint: Sequence[DominanceRow]) -> tuple[DominanceRow, ...]:
    return tuple(pair for pair in joint if pair.pvalue == pair.pvalue and pair.n_effective > _MIN_CASES)


def _sentence(warning: CodedWarning) -> str:
    """A warning without its code, and with its full stop behind the place in brackets."""
    return f"{warning.where}: {warning.sentence}" if warning.where else warning.sentence


def _seeds(provenance: Mapping[str, Any]) -> Seeds:
    cv, models = str(provenance.get("cv", "")), provenance.get("estimators")
    found, seed = _SPLITTER.match(cv), _SEED.search(cv)
    drawn = found is not None and ("shuffle=True" in cv or any(word in found[0] for word in _RANDOM))
    reprs = models.values() if isinstance(models, Mapping) else ()
    return Seeds(
        random_state=provenance.get("random_state"),
        splitter_seed=seed[1] if drawn and seed else None,
        seeded_models=any(re.search(r"\brandom_state=\d", str(shown)) for shown in reprs),
    )


def _splitting(result: EvaluationScores) -> Splitting:
    """It is known of `cv` as a number, and of the splitters of scikit-learn."""
    cv = str(result.provenance.get("cv", ""))
    own, found = _OWN_CV.fullmatch(cv), _SPLITTER.match(cv)
    splitter = found[0] if found else ""
    by_class = result.task in ("binary", "multiclass") if own else splitter.startswith(_STRATIFIED)
    return Splitting(
        partition=result.design.partition,
        n_repeats=result.design.n_repeats,
        n_folds=result.design.n_folds,
        n_splits=result.design.n_splits,
        stratified=by_class,
        shuffled=bool(own) or splitter.startswith("Repeated") or "shuffle=True" in cv,
        grouped="Group" in splitter or result.design.n_groups is not None,
        random=splitter.endswith("ShuffleSplit"),
        time_order=result.design.time_order,
        runs=result.design.runs_of_each,
        paired=result.design.paired,
    )
