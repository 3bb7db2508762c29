"""Which models no other one dominates on the mean scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import cases, choose_case_metrics
from skcompare.comparison.compare import Scores
from skcompare.comparison.joint import Rope, by_cluster, front_scores, rope_widths
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.study_evidence import complete_datasets, scored_rows
from skcompare.inference import ParetoFront, pareto_front
from skcompare.inference._overlap import Correction
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores


def front(
    scores: Scores, *, metrics: Sequence[str] | None = None, rope: Rope = None, n_draws: int = 10_000, rng: Any = None
) -> ParetoFront:
    """The Pareto front; see `EvaluationResult.pareto_front` and `StudyResult.pareto_front`."""
    names = _default_metrics(scores) if metrics is None else choose_metrics(metrics, scores.metrics)
    draws: dict[str, Any] = {"n_draws": n_draws, "rng": scores.seed if rng is None else rng, "metrics": names}
    if isinstance(scores, StudyScores):
        return _of_study(scores, names, rope, draws)
    values, lacking = of_cases(scores, names)
    values, about_clusters = by_cluster(values) if values.design.kind == "items" else (values, ())
    found = front_scores(values, names, rope)
    record = pareto_front(
        found.values, **Correction.of(values.design).options, rope=found.rope, names=found.names, **draws
    )
    warnings = [*([lacking] if lacking else record.warnings), *about_clusters, *found.warnings]
    warnings += [warning for name in names for warning in scores.score_warnings(name, *found.names)]
    return replace(record, means=found.means, warnings=tuple(dict.fromkeys(warnings)))


def _default_metrics(scores: Scores) -> tuple[str, ...]:
    """All metrics, but of one test set those that are means over its samples, where there are several."""
    try:
        names = choose_case_metrics(scores, None, means=True)
    except MissingEvidenceError:
        return scores.metrics
    return names if len(names) > 1 else scores.metrics


def of_cases(scores: EvaluationScores, names: tuple[str, ...]) -> tuple[EvaluationScores, CodedWarning | None]:
    """The scores of the cases, or those of the one test set and why there are no probabilities."""
    if scores.design.kind == "folds":
        return scores, None
    if scores.design.apart:
        of_means = "there are no probabilities: independent runs of two models have no case in common."
        return _means_of_runs(scores), Code.MISSING(of_means, names)
    try:
        return cases(scores, choose_case_metrics(scores, names, means=True)), None
    except MissingEvidenceError as error:
        return scores, Code.MISSING(f"there are no probabilities: {error}.", names)


def _means_of_runs(scores: EvaluationScores) -> EvaluationScores:
    """Scores of one case: the mean of each model over its own runs."""
    means = np.nanmean(scores.scores, axis=1, keepdims=True)
    nothing, runs = np.full(means.shape[:2], np.nan), (1,) * len(means)
    design = replace(scores.design, n_repeats=1, n_splits=1, n_runs=runs)
    return replace(scores, scores=means, design=design, fit_times=nothing, score_times=nothing.copy())


def _of_study(study: StudyScores, names: tuple[str, ...], rope: Rope, draws: Mapping[str, Any]) -> ParetoFront:
    widths = rope_widths(rope, names)
    values = np.stack([study.means(name) for name in names], axis=2)
    known = np.isfinite(values)
    rows = scored_rows(known)
    complete = known[:, rows].all(axis=(1, 2))
    warnings = list(complete_datasets(study, known, names, study.estimators))
    record = pareto_front(
        values[complete][:, rows].transpose(1, 0, 2),
        [study.greater_is_better[study.metric_index(name)] for name in names],
        rope=[widths.get(name, 0.0) for name in names],
        names=[study.estimators[i] for i in rows],
        **draws,
    )
    warnings += [warning for name in names for warning in study.split_warnings(name, study.estimators)]
    return replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *warnings))))
