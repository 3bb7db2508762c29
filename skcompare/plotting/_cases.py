"""The scores of single cases that statements and fronts are about: folds, with times made comparable, or data sets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare._core.validation import FloatArray, check_choice
from skcompare.comparison.compare import Scores
from skcompare.comparison.joint import TIME_ROPE, TIMES, typical_size, typical_times
from skcompare.scores.study import StudyScores


def one_metric(metric: str | None, known: tuple[str, ...]) -> str:
    """The metric asked for, the first by default, or ValueError."""
    metric = known[0] if metric is None else metric
    check_choice(metric, "metric", known)
    return metric


def two_metrics(metrics: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, str]:
    """The two metrics of a plane, the first two by default, or ValueError."""
    names = choose_metrics(metrics, known)
    chosen = names[:2] if metrics is None else names
    if len(chosen) != 2:
        raise ValueError(f"metrics must name exactly two metrics; got {', '.join(map(repr, chosen))}")
    return chosen[0], chosen[1]


def case_scores(result: Scores, estimator: str, metric: str) -> FloatArray:
    """Scores of one estimator in the metric's own units, shape (n_cases,): of its folds, or means of the data sets.

    The time of a fold is its median over the repeats.
    """
    if isinstance(result, StudyScores):
        return np.asarray(result.means(metric)[:, result.estimators.index(estimator)])
    scores = np.asarray(result.score(estimator, metric))
    return typical_times(scores, result.design.n_folds) if metric in TIMES else scores


def time_width(result: Scores, metric: str, a: str, b: str) -> float:
    """Largest difference of two times of folds that is a tie."""
    return TIME_ROPE * max(typical_size(case_scores(result, name, metric)) for name in (a, b))


def case_names(result: Scores) -> list[str]:
    """What the cases are called: data sets, or folds counted from 0."""
    if isinstance(result, StudyScores):
        return list(result.datasets)
    n_folds = result.design.n_folds
    n_splits = result.design.n_splits
    return [f"repeat {i // n_folds}, fold {i % n_folds}" for i in range(n_splits)]
