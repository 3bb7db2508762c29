"""The scores of single cases that statements and fronts are about: folds, with times made comparable, or data sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare._core.validation import FloatArray
from skcompare.comparison.joint import TIME_ROPE, TIMES, typical_size, typical_times


def is_study(result: Any) -> bool:
    """Whether a result is about several data sets."""
    return hasattr(result, "datasets")


def two_metrics(metrics: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, str]:
    """The two metrics of a plane, the first two by default, or ValueError."""
    names = choose_metrics(metrics, known)
    chosen = names[:2] if metrics is None else names
    if len(chosen) != 2:
        raise ValueError(f"metrics must name exactly two metrics; got {', '.join(map(repr, chosen))}")
    return chosen[0], chosen[1]


def case_scores(result: Any, estimator: str, metric: str) -> FloatArray:
    """Scores of one estimator in the metric's own units, shape (n_cases,): of its folds, or means of the data sets.

    The time of a fold is its median over the repeats.
    """
    if is_study(result):
        return np.asarray(result.means(metric)[:, result.estimators.index(estimator)])
    scores = np.asarray(result.score(estimator, metric))
    return typical_times(scores, result.design.n_folds) if metric in TIMES else scores


def time_width(result: Any, metric: str, a: str, b: str) -> float:
    """Largest difference of two times of folds that is a tie."""
    return TIME_ROPE * max(typical_size(case_scores(result, name, metric)) for name in (a, b))


def case_names(result: Any) -> list[str]:
    """What the cases are called: data sets, or folds counted from 0."""
    if is_study(result):
        return list(result.datasets)
    n_folds = result.design.n_folds
    n_splits = result.design.n_splits
    return [f"repeat {i // n_folds}, fold {i % n_folds}" for i in range(n_splits)]
