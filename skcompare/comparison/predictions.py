"""Evidence for the procedures on predictions: one test set, made of the kept predictions of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.warnings import Code, CodedWarning
from skcompare.evaluation._batched_metrics import BATCHED
from skcompare.evaluation._kept import FoldPrediction
from skcompare.inference._forms import CORRECTNESS_OF_ALL, LOSSES
from skcompare.inference._procedure import Procedure
from skcompare.inference._procedures import NAMED_METRICS
from skcompare.scores.evaluation import EvaluationScores

POOLED_RISK = (
    "at a nominal 5%, true nulls were rejected in 5% to 13% of cases on accuracy and ROC AUC, and far more often on "
    "recall and F1"
)


class MissingEvidenceError(ValueError):
    """The evidence for a pair of estimators is lacking; other pairs may have it."""


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
    n_missing : int
        Folds that were left out because one of the estimators has no predictions there.
    used : str
        Which of several repeats or random splits they are; empty where there is one.
    leaks : tuple of str
        What is wrong with the splits themselves.
    """

    y_true: NDArray[Any]
    folds: NDArray[np.intp]
    parts: dict[str, list[FoldPrediction]]
    n_missing: int
    used: str
    leaks: tuple[CodedWarning, ...]

    def warnings_of(self, procedure: Procedure) -> tuple[CodedWarning, ...]:
        """What it means that a procedure used these predictions."""
        warnings = list(self.leaks)
        n_pooled = len(next(iter(self.parts.values())))
        if n_pooled > 1 and procedure.takes is not LOSSES:
            risk = f"; {POOLED_RISK}" if procedure.returns == "test" or procedure.takes is CORRECTNESS_OF_ALL else ""
            warnings.append(
                Code.POOLED(f"the predictions of {n_pooled} folds, each of models of its own, stand together{risk}.")
            )
        if self.n_missing:
            warnings.append(Code.MISSING(f"{self.n_missing} fold(s) on which an estimator failed are left out."))
        if self.used:
            warnings.append(Code.FIRST_ONLY(f"{self.used}."))
        return tuple(warnings)

    def means(self, record: Any, a: str, b: str) -> tuple[float, float]:
        """What a record compared: its own two scores, or the shares of samples that were right."""
        for name in ("score", "auc"):
            if hasattr(record, f"{name}_a"):
                return getattr(record, f"{name}_a"), getattr(record, f"{name}_b")
        return float(self.correct(a).mean()), float(self.correct(b).mean())

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


def pool(scores: EvaluationScores, names: tuple[str, ...]) -> Pooled:
    """Predictions on each sample once: the folds of the first complete repeat, or the first of overlapping test sets.

    Raises
    ------
    MissingEvidenceError
        If no split has predictions of all of the estimators.
    """
    design = scores.design
    predictions = {name: scores.predictions(name) for name in names}
    complete = np.array(
        [all(parts[i].y_pred is not None for parts in predictions.values()) for i in range(design.n_splits)]
    )
    by_repeat = complete.reshape(design.n_repeats, design.n_folds).sum(axis=1)
    repeat = int(by_repeat.argmax())
    if not by_repeat[repeat]:
        raise MissingEvidenceError(f"predictions of {', '.join(map(repr, names))} have no split in common")
    chosen = [i for i in range(repeat * design.n_folds, (repeat + 1) * design.n_folds) if complete[i]]
    parts = {name: [predictions[name][i] for i in chosen] for name in names}
    first = parts[names[0]]
    kind = "repeat" if design.n_folds > 1 else "random split"
    return Pooled(
        y_true=np.concatenate([part.y_true for part in first]),
        folds=np.repeat(np.arange(len(first)), [len(part.y_true) for part in first]),
        parts=parts,
        n_missing=design.n_folds - len(chosen),
        used=f"only {kind} {repeat} of {design.n_repeats} is used" if design.n_repeats > 1 else "",
        leaks=scores.warnings,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionEvidence(Pooled):
    """Predictions of one test set, for one question; see `skcompare.inference._forms`."""

    metric: Any
    a: str
    b: str
    positive: dict[str, Any]
    warnings: tuple[CodedWarning, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The models whose predictions there are."""
        return tuple(self.parts)

    @property
    def metric_function(self) -> Any:
        """The metric as the procedures on labels take it: one of their names, or scikit-learn's function."""
        if callable(self.metric) or self.metric in NAMED_METRICS:
            return self.metric
        if self.metric == "matthews_corrcoef":
            return "mcc"
        return partial(BATCHED[self.metric].function, zero_division=0)


def pooled_evidence(scores: EvaluationScores, procedure: Procedure, metric: Any, a: str, b: str) -> PredictionEvidence:
    """The evidence of a procedure on predictions; ValueError where they are not known, or are no classes."""
    if scores.kept_predictions is None:
        why = "this result was made from a table of scores"
        why = why if scores.kept_splits is None else "they were not kept (keep_predictions=False)"
        raise ValueError(f"procedure {procedure.name!r} needs predictions; {why}")
    if scores.task not in ("binary", "multiclass"):
        raise ValueError(
            f"procedure {procedure.name!r} needs predicted classes; the task of this result is {scores.task!r}"
        )
    concerned = {"all models": scores.estimators, "one model": (a,), "pair": (a, b)}[procedure.takes.subject]
    pooled = pool(scores, concerned)
    return PredictionEvidence(
        **{field.name: getattr(pooled, field.name) for field in fields(pooled)},
        metric=metric,
        a=a,
        b=b,
        positive={"positive": scores.positive_class} if scores.task == "binary" else {},
        warnings=pooled.warnings_of(procedure),
    )


def _present(array: NDArray[Any] | None) -> NDArray[Any]:
    assert array is not None
    return array
