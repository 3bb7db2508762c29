"""Scorers by name: scikit-learn's, those of its functions that it has no scorer of, and one of our own."""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn import metrics as skm

from skcompare.evaluation._batches import DECISION
from skcompare.evaluation._codes import label_columns
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


class LabelRanking:
    """The scorer of scikit-learn's `label_ranking_loss`, less is better.

    That of `make_scorer` takes a `OneVsRestClassifier` of two labels for one of two classes, and fails.
    """

    _score_func = staticmethod(skm.label_ranking_loss)
    _sign, _kwargs, _response_method = -1, MappingProxyType[str, Any]({}), DECISION

    def __repr__(self) -> str:
        return "LabelRanking()"

    def __call__(self, estimator: Any, X: Any, y_true: Any, sample_weight: Any = None) -> float:
        method = next((name for name in DECISION if hasattr(estimator, name)), DECISION[0])
        scores = label_columns(getattr(estimator, method)(X))
        return -float(skm.label_ranking_loss(y_true, scores, sample_weight=sample_weight))


@dataclass(frozen=True, kw_only=True)
class OwnScorer:
    """A scorer with a name of ours, the tasks that it is for, and whether their classes must be numbers."""

    tasks: tuple[Task, ...]
    scorer: Any
    ordered: bool = False


OWN_SCORERS: dict[str, OwnScorer] = {
    "neg_hamming_loss": OwnScorer(
        tasks=("multilabel",), scorer=skm.make_scorer(skm.hamming_loss, greater_is_better=False)
    ),
    "neg_label_ranking_loss": OwnScorer(tasks=("multilabel",), scorer=LabelRanking()),
    "quadratic_kappa": OwnScorer(
        tasks=("binary", "multiclass"), scorer=skm.make_scorer(quadratic_kappa_score), ordered=True
    ),
}


def named_scorer(name: str) -> Any:
    """The scorer of a name, None of an unknown one.

    Means over samples take a sample without labels as 0 in silence: it is no fault of a model.
    """
    if name in OWN_SCORERS:
        return OWN_SCORERS[name].scorer
    if name not in skm.get_scorer_names():
        return None
    scorer = skm.get_scorer(name)
    if name.endswith("_samples"):
        return skm.make_scorer(scorer._score_func, **(scorer._kwargs | {"zero_division": 0}))
    return scorer


def of_class(scorer: Any, positive: Any) -> Any:
    """A scorer of one class, about the positive one; the scorer itself where it says which, or is about all classes."""
    parameters = signature(scorer._score_func).parameters if hasattr(scorer, "_score_func") else {}
    options = getattr(scorer, "_kwargs", {})
    if positive is None or "pos_label" not in parameters or "pos_label" in options:
        return scorer
    if options.get("average", "binary") != "binary":
        return scorer
    how = {"greater_is_better": scorer._sign > 0, "response_method": scorer._response_method}
    return skm.make_scorer(scorer._score_func, **how, **options, pos_label=positive)
