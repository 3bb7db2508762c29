"""Evidence for the procedures on predictions: one test set, made of the kept predictions of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from operator import is_, methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import agreeing, counted
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.evaluation.predictions import FoldPrediction, HeldOut
from skcompare.inference._procedures import CORRECTNESS_OF_ALL, LOSSES, Procedure
from skcompare.inference._rates import time_order_warnings
from skcompare.scores.evaluation import EvaluationScores, once

Splits = tuple[int, ...]
POOLED_RISK = (
    "at a nominal 5%, true nulls were rejected in 4% to 14% of cases on accuracy and ROC AUC, and far more often on "
    "recall and F1"
)


def of_pooling(n_pooled: int, n_missing: int, used: str, risk: str = "") -> Iterator[CodedWarning]:
    """What it means that the predictions of folds stand together, that some failed, and that one repeat is used."""
    if n_pooled > 1:
        yield Code.POOLED(f"the predictions of {n_pooled} folds, each of models of its own, stand together{risk}.")
    if n_missing:
        are = agreeing(n_missing, "is", "are")
        yield Code.MISSING_SCORES(f"{counted(n_missing, 'fold')} on which an estimator failed {are} left out.")
    if used:
        yield Code.POOLED(f"{used}.")


class MissingEvidenceError(ValueError):
    """The evidence for a pair of estimators is lacking; other pairs may have it."""


_LACKING = "{} has no score of some class on some split, whose training set lacks it"


class Pooled(Frozen):
    """Predictions of several estimators on the same samples.

    Attributes
    ----------
    y_true : ndarray of shape (n_samples,)
        True targets.
    parts : dict of estimator name to list of FoldPrediction
        The folds that were pooled.
    splits : tuple of int
        Which splits of the evaluation they are.
    n_missing : int
        Folds that were left out because one of the estimators has no predictions there.
    used : str
        Which of several repeats or random splits they are; empty where there is one.
    leaks : tuple of str
        What is wrong with the splits themselves.
    classes : ndarray of shape (n_classes,)
        The sorted classes; empty where the targets are no classes.
    positive_class : object
        Of two classes the positive one.
    weights : ndarray of shape (n_samples,) or None
        How much each sample counts, 1 on average; None where all count alike.
    """

    y_true: NDArray[Any]
    parts: dict[str, list[FoldPrediction]]
    splits: Splits
    n_missing: int
    used: str
    leaks: Warnings
    classes: NDArray[Any]
    positive_class: Any
    weights: NDArray[np.float64] | None

    @property
    def folds(self) -> NDArray[np.intp]:
        """The fold in which each sample was tested."""
        first = next(iter(self.parts.values()))
        return np.repeat(np.arange(len(first)), [len(part.y_true) for part in first])

    def warnings_of(self, procedure: Procedure) -> Warnings:
        """What it means that a procedure used these predictions."""
        risky, n = procedure.returns == "test" or procedure.takes is CORRECTNESS_OF_ALL, len(self.splits)
        n_pooled, risk = 0 if procedure.takes is LOSSES else n, f"; {POOLED_RISK}" * risky
        return (*self.leaks, *of_pooling(n_pooled, self.n_missing, self.used, risk))

    def labels(self, estimator: str) -> NDArray[Any]:
        """Predicted labels of one estimator.

        Raises
        ------
        MissingEvidenceError
            If they have not the shape of the targets; a column counts as one number per sample.
        """
        labels, shape = _joined([_present(part.y_pred) for part in self.parts[estimator]]), np.shape(self.y_true)
        if labels.shape not in (shape, (*shape, 1)):
            shapes = f"values of shape {labels.shape} for targets of shape {shape}"
            raise MissingEvidenceError(f"{estimator!r} predicts {shapes}")
        return labels.reshape(shape)

    def correct(self, estimator: str) -> NDArray[np.bool_]:
        """Whether one estimator was right, per sample."""
        right = np.asarray(self.labels(estimator) == self.y_true, dtype=bool)
        return right if right.ndim == 1 else np.asarray(right.all(axis=1))  # of several labels all

    @property
    def true_codes(self) -> NDArray[np.intp]:
        """The true classes as positions among the classes."""
        return np.searchsorted(self.classes, self.y_true)

    def probabilities(self, estimator: str) -> NDArray[np.float64]:
        """The probability of each class, shape (n_samples, n_classes)."""
        parts = [part.predict_proba for part in self.parts[estimator]]
        if any(part is None for part in parts):
            raise MissingEvidenceError(f"no probabilities of {estimator!r} were kept")
        known = [_present(part).astype(np.float64) for part in parts]
        known = [np.column_stack([1 - part, part]) if part.ndim == 1 else part for part in known]
        if any(part.shape[1] != (len(self.classes) or part.shape[1]) for part in known):
            raise MissingEvidenceError(_LACKING.format(repr(estimator)))
        return np.concatenate(known)

    def label_scores(self, estimator: str) -> NDArray[np.float64]:
        """Scores of several labels per sample, a column each: decision values, else probabilities."""
        found, shapes = self._scores(estimator), [part.y_true.shape for part in self.parts[estimator]]
        if any(part is None or part.shape != shape for part, shape in zip(found, shapes, strict=True)):
            raise MissingEvidenceError(f"no score of every label of {estimator!r} was kept")
        return _joined([_present(part) for part in found]).astype(np.float64)

    def class_scores(self, estimator: str) -> NDArray[Any]:
        """What one estimator's ROC curve is made of: decision values, else the probability of the second class."""
        scores = self._scores(estimator)
        if len(self.classes) > 2 or any(score is None or score.ndim != 1 for score in scores):
            if len(self.classes) == 2 and all(score is not None for score in scores):
                raise MissingEvidenceError(_LACKING.format(repr(estimator)))
            raise ValueError(
                f"scoring must include 'roc_auc' or 'average_precision' on two classes, so that the scores are kept; "
                f"{estimator!r} has none"
            )
        return np.concatenate([_present(score) for score in scores])

    def _scores(self, estimator: str) -> list[NDArray[Any] | None]:
        return [x.predict_proba if x.decision_function is None else x.decision_function for x in self.parts[estimator]]


def pool(scores: EvaluationScores, names: tuple[str, ...]) -> Pooled:
    """Predictions on each sample once: the folds of the first complete repeat, or the first of overlapping test sets.

    Raises
    ------
    MissingEvidenceError
        If no split has predictions of all of the estimators.
    """
    return pool_splits(scores, names, chosen_splits(scores, names))


def pool_splits(scores: EvaluationScores, names: tuple[str, ...], splits: Splits) -> Pooled:
    """Predictions on some splits of one repeat, on which all of the estimators have some."""
    kept, design = scores.kept_predictions, scores.design
    repeat = splits[0] // design.n_folds
    of_models = {name: _of_repeat(scores, name, repeat) for name in names}
    return Pooled(
        y_true=true_of(scores, splits),
        parts={name: [found[split % design.n_folds] for split in splits] for name, found in of_models.items()},
        splits=splits,
        n_missing=design.n_folds - len(splits),
        used=used_repeat(scores, repeat),
        leaks=(*scores.warnings, *time_order_warnings(design)),
        classes=kept.classes if kept is not None and scores.task in ("binary", "multiclass") else np.array([]),
        positive_class=scores.positive_class,
        weights=None if scores.sample_weight is None else scores.sample_weight / scores.sample_weight.mean(),
    )


def check_unweighted(scores: EvaluationScores, what: str, instead: str = "") -> None:
    """MissingEvidenceError where samples have weights, of which something takes no account."""
    if scores.sample_weight is not None:
        raise MissingEvidenceError(f"{what} counts every sample alike, but these have weights{instead}")


@once
def _tested(scores: EvaluationScores, repeat: int) -> list[HeldOut]:
    """What was tested on the folds of a repeat, once for all models."""
    kept, splits = scores.kept
    return kept.held_out(splits, repeat)


@once
def _of_repeat(scores: EvaluationScores, name: str, repeat: int) -> tuple[FoldPrediction, ...]:
    """What one model predicted on the folds of a repeat."""
    return scores.kept[0].of_repeat(name, repeat, _tested(scores, repeat))


@once
def true_of(scores: EvaluationScores, splits: Splits) -> NDArray[Any]:
    """The true targets of some splits of one repeat."""
    n_folds = scores.design.n_folds
    tested = _tested(scores, splits[0] // n_folds)
    return _joined([tested[split % n_folds][1] for split in splits])


@once
def _labelled(scores: EvaluationScores, name: str) -> NDArray[np.bool_]:
    """On which splits the predicted labels of one model are known."""
    return np.array(scores.kept[0].labelled(name), dtype=bool)


@once
def sample_losses(scores: EvaluationScores, name: str) -> FloatArray:
    """Whether a model was wrong on each sample in each repeat, or by how much, shape (n_repeats, n_samples)."""
    (kept, _), design = scores.kept, scores.design
    if scores.task not in ("binary", "multiclass", "regression"):
        raise MissingEvidenceError(f"losses of single samples need classes or numbers; the task is {scores.task!r}")
    check_unweighted(scores, "the loss of single samples")
    found = np.full((design.n_repeats, len(kept.y)), np.nan)
    for repeat in range(design.n_repeats):
        for part in _of_repeat(scores, name, repeat):
            if part.y_pred is None:
                raise MissingEvidenceError(f"predictions of {name!r} are lacking on some splits")
            own, true = np.ravel(part.y_pred), np.ravel(part.y_true)
            found[repeat, part.test_indices] = abs(own - true) if scores.task == "regression" else own != true
    return found[:, np.isfinite(found[0])]


@once
def folds_of(scores: EvaluationScores) -> NDArray[np.intp]:
    """The test fold of each sample in each repeat, shape (n_repeats, n_samples)."""
    found = np.full((scores.design.n_repeats, len(scores.kept[0].y)), -1)
    for repeat in range(scores.design.n_repeats):
        for fold, (test, _) in enumerate(_tested(scores, repeat)):
            found[repeat, test] = fold
    return found[:, found[0] >= 0]


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def chosen_splits(scores: EvaluationScores, names: Sequence[str]) -> Splits:
    """The splits of one repeat on which some models all have predictions."""
    design = scores.design
    complete = np.logical_and.reduce([_labelled(scores, name) for name in names])
    by_repeat = complete.reshape(design.n_repeats, design.n_folds).sum(axis=1)
    repeat = int(by_repeat.argmax())
    if not by_repeat[repeat]:
        raise MissingEvidenceError(f"predictions of {', '.join(map(repr, names))} have no split in common")
    folds = range(repeat * design.n_folds, (repeat + 1) * design.n_folds)
    return tuple(folds) if by_repeat[repeat] == design.n_folds else tuple(i for i in folds if complete[i])


def used_repeat(scores: EvaluationScores, repeat: int) -> str:
    """Which of several repeats or random splits is used, in words."""
    kind = "repeat" if scores.design.n_folds > 1 else "random split"
    return f"only {kind} {repeat} of {scores.design.n_repeats} is used" if scores.design.n_repeats > 1 else ""


@once
def has_predictions(scores: EvaluationScores, name: str) -> bool:
    """Whether a model gave what the target has for each sample; ValueError where nothing was kept.

    Of splits in time order, of any on which it did not fail.
    """
    known = [(part.y_pred, part.y_true) for part in scores.predictions(name) if part.y_pred is not None]
    return bool(known) and all(x.shape == y.shape and _kind_of(x) == _kind_of(y) != "" for x, y in known)


def _kind_of(values: NDArray[Any]) -> str:
    """Numbers or texts; empty where there are others, and numbers that are not finite."""
    if values.dtype.kind == "O":
        return "text" if all(isinstance(value, str) for value in values.ravel().tolist()) else ""
    if values.dtype.kind in "biuf":
        return "number" if np.isfinite(values).all() else ""
    return "text" if values.dtype.kind == "U" else ""


def _present(array: NDArray[Any] | None) -> NDArray[Any]:
    assert array is not None
    return array


@once
def positive_and_unstable(scores: EvaluationScores) -> tuple[float | None, float | None]:
    """The share called positive and the instability, each the mean of all models; None where it is not known.

    The instability is the share of the variance of what is predicted that lies between the repeats for the same sample;
    of labels, as columns of zeros and ones, one less the agreement beyond chance.
    """
    kept, splits, design, binary = scores.kept_predictions, scores.kept_splits, scores.design, scores.task == "binary"
    if kept is None or splits is None or not design.partition or design.kind != "folds" or scores.failures:
        return None, None
    if not binary and scores.task not in ("multiclass", "regression"):
        return None, None
    order = np.argsort([*map(np.concatenate, map(splits.all_held_out, range(design.n_repeats)))], axis=1)
    called, unstable = [], []
    for name in scores.estimators:
        coded = "codes" in kept.folds[name][0]
        said: list[Any] = [*map(methodcaller("get", "codes" if coded else "predict"), kept.folds[name])]
        if any(map(partial(is_, None), said)):
            return None, None
        found = np.take_along_axis(np.concatenate(said).reshape(order.shape), order, axis=1)
        if found.dtype.kind == "f" and not np.isfinite(found).all():
            return None, None
        if binary:
            place = np.flatnonzero(np.unique(kept.y) == scores.positive_class)
            if len(place) != 1:
                return None, None
            called.append(float((found == (place if coded else scores.positive_class)).mean()))
        if design.n_repeats > 1:
            size = whole = within = 0.0
            for label in [None] if scores.task == "regression" else np.unique(found):
                column = found if scores.task == "regression" else (found == label).astype(float)
                whole, within = whole + float(column.var()), within + float(column.var(axis=0, ddof=1).mean())
                size += float(np.square(column).mean())
            unstable.append(min(1.0, within / whole) if whole > _CONSTANT * size else 0.0)
    return float(np.mean(called)) if binary else None, float(np.mean(unstable)) if unstable else None


_CONSTANT = 1e-24  # of their mean square: variance of predictions up to which they are the same but for rounding
