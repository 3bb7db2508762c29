"""How much of the variance of scores is due to the seeds of the fits, and how much to the splits."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.comparison.once import once
from skcompare.scores.evaluation import EvaluationScores


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedComponents:
    """Components of the variance of a score on a split.

    Attributes
    ----------
    mean : float
        Over all splits and seeds, in score units.
    split : float
        Variance from split to split, in squared score units, at least 0.
    seed : float
        Variance from seed to seed that all splits share, at least 0.
    residual : float
        What is left: the variance of the seeds that differs from split to split, at least 0.
    n_splits : int
        Splits used.
    """

    mean: float
    split: float
    seed: float
    residual: float
    n_splits: int

    @property
    def seed_share(self) -> float:
        """Share of the variance on a split that is due to the seeds, in [0, 1]; nan where there is no variance."""
        total = self.split + self.seed + self.residual
        return (self.seed + self.residual) / total if total > 0 else nan


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSeeds:
    """One model on one metric."""

    metric: str
    model: str
    components: SeedComponents


def seed_components(values: FloatArray) -> SeedComponents:
    """Of values of shape (n_seeds, n_splits), over the splits on which none is missing.

    By analysis of variance, negative estimates by 0 (Searle, Casella and McCulloch 1992, section 4.3).
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    s, j = values.shape
    mean = float(values.mean()) if j else nan
    if j < 2:
        return SeedComponents(mean=mean, split=nan, seed=nan, residual=nan, n_splits=j)
    # from the first seed, so that equal scores give exactly 0
    moved = values - values[:1]
    of_splits, of_seeds = moved.mean(axis=0), moved.mean(axis=1, keepdims=True)
    residual = float(np.square(moved - of_splits - of_seeds + moved.mean()).sum()) / ((s - 1) * (j - 1))
    seed = max(0.0, (j * float(of_seeds.var(ddof=1)) - residual) / j)
    split = max(0.0, (s * float((values[0] + of_splits).var(ddof=1)) - residual) / s)
    return SeedComponents(mean=mean, split=split, seed=seed, residual=residual, n_splits=j)


@once
def model_seeds(scores: EvaluationScores) -> tuple[ModelSeeds, ...]:
    """Every model on every metric, where each split was fitted with several seeds; else none."""
    if scores.seed_scores is None:
        return ()
    return tuple(
        ModelSeeds(metric=metric, model=model, components=seed_components(scores.seed_scores[e, :, :, m]))
        for m, metric in enumerate(scores.metrics)
        for e, model in enumerate(scores.estimators)
    )
