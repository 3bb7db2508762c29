"""Evidence for the procedures on predictions: one test set, made of the kept predictions of a result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skcompare.inference._procedures import Procedure

if TYPE_CHECKING:
    from skcompare.evaluation._kept import FoldPrediction
    from skcompare.results import EvaluationResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Pooled:
    """Predictions of several estimators on the same samples.

    Attributes
    ----------
    y_true : ndarray of shape (n_samples,)
        True targets.
    folds : ndarray of shape (n_samples,)
        The fold in which each sample was tested.
    parts : dict of estimator name to list of FoldPrediction
        The folds that were pooled.
    warnings : tuple of str
        What pooling them means.
    """

    y_true: NDArray[Any]
    folds: NDArray[np.intp]
    parts: dict[str, list[FoldPrediction]]
    warnings: tuple[str, ...]

    def labels(self, estimator: str) -> NDArray[Any]:
        """Predicted labels of one estimator."""
        return np.concatenate([_present(part.y_pred) for part in self.parts[estimator]])

    def correct(self, estimator: str) -> NDArray[np.bool_]:
        """Whether one estimator was right, per sample."""
        return np.asarray(self.labels(estimator) == self.y_true, dtype=bool)

    def class_scores(self, estimator: str) -> NDArray[Any]:
        """What one estimator's ROC curve is made of: decision values, else the probability of the second class."""
        scores = [
            part.decision_function if part.decision_function is not None else part.predict_proba
            for part in self.parts[estimator]
        ]
        if any(score is None or score.ndim != 1 for score in scores):
            raise ValueError(
                f"scoring must include 'roc_auc' on two classes, so that the scores are kept; {estimator!r} has none"
            )
        return np.concatenate([_present(score) for score in scores])


def pool(result: EvaluationResult, names: tuple[str, ...]) -> Pooled:
    """Predictions on each sample once: the folds of the first repeat, or the first of overlapping test sets.

    Raises
    ------
    ValueError
        If a split on which all of the estimators have predicted is lacking.
    """
    design = result.design
    n_pooled = design.n_folds
    predictions = {name: result.predictions(name)[:n_pooled] for name in names}
    whole = [i for i in range(n_pooled) if all(predictions[name][i].y_pred is not None for name in names)]
    if not whole:
        raise ValueError(f"predictions of {', '.join(map(repr, names))} have no split in common")
    parts = {name: [predictions[name][i] for i in whole] for name in names}
    first = parts[names[0]]
    return Pooled(
        y_true=np.concatenate([part.y_true for part in first]),
        folds=np.repeat(np.arange(len(first)), [len(part.y_true) for part in first]),
        parts=parts,
        warnings=_doubts(result, n_pooled, len(whole)),
    )


def arguments(row: Procedure, pooled: Pooled, a: str, b: str, metric: str) -> tuple[Any, ...]:
    """The positional arguments of a procedure on predictions."""
    if row.takes == "correctness":
        return pooled.correct(a), pooled.correct(b)
    if row.takes == "correctness of all":
        return (np.column_stack([pooled.correct(name) for name in pooled.parts]),)
    if row.takes == "number of errors":
        correct = pooled.correct(a)
        return int((~correct).sum()), len(correct)
    if row.takes == "class scores":
        return pooled.y_true, pooled.class_scores(a), pooled.class_scores(b)
    if row.takes == "losses":
        return 1.0 - pooled.correct(a), 1.0 - pooled.correct(b), pooled.folds
    return pooled.y_true, pooled.labels(a), pooled.labels(b), metric


def _doubts(result: EvaluationResult, n_folds: int, n_whole: int) -> tuple[str, ...]:
    doubts = []
    if n_whole > 1:
        doubts.append(
            f"POOLED: the predictions of {n_whole} folds, each of a model of its own, are taken for those of one; "
            "true nulls are then rejected in 8% to 9% of cases at a nominal 5%."
        )
    if n_whole < n_folds:
        doubts.append(f"MISSING: {n_folds - n_whole} of {n_folds} folds lack predictions and are left out.")
    if result.design.n_repeats > 1:
        kind = "repeats" if n_folds > 1 else "random splits"
        doubts.append(f"FIRST_ONLY: only the first of {result.design.n_repeats} {kind} is used.")
    return (*result.warnings, *doubts)


def _present(array: NDArray[Any] | None) -> NDArray[Any]:
    assert array is not None
    return array
