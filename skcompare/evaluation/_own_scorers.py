"""Metrics that scikit-learn has as functions but not as scorers, and the one that it has not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics as skm

from skcompare.evaluation._batches import DECISION
from skcompare.evaluation._task import Task


def quadratic_kappa_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Agreement of grades beyond chance, by their squared differences; nan where all are one.

    It takes the grades as they are: scikit-learn's ``cohen_kappa_score(weights="quadratic")`` counts those that occur,
    so that with 1, 2 and 5 alone the step from 2 to 5 is one.
    """
    true, predicted = (np.asarray(grades, dtype=np.float64) for grades in (y_true, y_pred))
    disagreement = ((true - predicted) ** 2).mean()
    expected = true.var() + predicted.var() + (true.mean() - predicted.mean()) ** 2
    return float(1 - disagreement / expected) if expected > 0 else float("nan")


@dataclass(frozen=True, kw_only=True)
class OwnScorer:
    """A scorer with a name of ours, and the tasks that it is for."""

    tasks: tuple[Task, ...]
    scorer: Any


OWN_SCORERS: dict[str, OwnScorer] = {
    "neg_hamming_loss": OwnScorer(
        tasks=("multilabel",), scorer=skm.make_scorer(skm.hamming_loss, greater_is_better=False)
    ),
    "neg_label_ranking_loss": OwnScorer(
        tasks=("multilabel",),
        scorer=skm.make_scorer(skm.label_ranking_loss, greater_is_better=False, response_method=DECISION),
    ),
    "quadratic_kappa": OwnScorer(tasks=("binary", "multiclass"), scorer=skm.make_scorer(quadratic_kappa_score)),
}
