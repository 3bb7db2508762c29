"""Which models no other one dominates on the mean scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare.comparison.compare import Scores
from skcompare.comparison.joint import Rope, front_scores, rope_widths
from skcompare.comparison.study_evidence import complete_datasets
from skcompare.inference import ParetoFront, pareto_front
from skcompare.scores.study import StudyScores


def front(
    scores: Scores, *, metrics: Sequence[str] | None = None, rope: Rope = None, n_draws: int = 10_000, rng: Any = None
) -> ParetoFront:
    """The Pareto front; see `EvaluationResult.pareto_front` and `StudyResult.pareto_front`."""
    names = choose_metrics(metrics, scores.metrics)
    draws: dict[str, Any] = {"n_draws": n_draws, "rng": scores.seed if rng is None else rng, "metrics": names}
    if isinstance(scores, StudyScores):
        return _of_study(scores, names, rope, draws)
    found = front_scores(scores, names, rope)
    record = pareto_front(
        found.values, test_fraction=scores.design.test_fraction, rope=found.rope, names=found.names, **draws
    )
    warnings = [*record.warnings, *found.warnings]
    warnings += [warning for name in names for warning in scores.score_warnings(name, *found.names)]
    return replace(record, means=found.means, warnings=tuple(dict.fromkeys(warnings)))


def _of_study(study: StudyScores, names: tuple[str, ...], rope: Rope, draws: Mapping[str, Any]) -> ParetoFront:
    widths = rope_widths(rope, names)
    values = np.stack([study.means(name) for name in names], axis=2)
    known = np.isfinite(values)
    complete = known.all(axis=(1, 2))
    warnings = list(complete_datasets(study, known, names, study.estimators))
    record = pareto_front(
        values[complete].transpose(1, 0, 2),
        [study.greater_is_better[study.metric_index(name)] for name in names],
        rope=[widths.get(name, 0.0) for name in names],
        names=study.estimators,
        **draws,
    )
    warnings += [warning for name in names for warning in study.split_warnings(name, study.estimators)]
    return replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *warnings))))
