"""Scores that are lost, counted for a methods section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcompare.scores.evaluation import EvaluationScores


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
