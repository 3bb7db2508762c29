"""What rare classes make of scores: metrics that a few samples decide, models that predict one class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from statistics import median
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import ClassCount, Design
from skcompare._core.names import DUMMY
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.evaluation._kept import CODES, KeptPredictions
from skcompare.inference._simulated import worst_on_rare_classes

FEWEST, FEWEST_IN_FOLD = 20, 5  # samples of a class, in all and in a typical test set
_OF_POSITIVES = ("precision", "recall", "f1", "average_precision", "jaccard")
_OF_NEGATIVES = ("specificity", "false_alarm_rate")
_OF_ALL_CLASSES = ("balanced_accuracy", "matthews_corrcoef", "roc_auc")
_OF_ALL_LABELS = ("roc_auc", "average_precision")  # means over several labels
_OF_LABELS = ("accuracy", "precision", "recall", "f1", "jaccard", "balanced_accuracy", "matthews_corrcoef")
_AVERAGES = ("_macro", "_weighted", "_micro", "_samples")


class Scored(Protocol):
    """What is read of the scores of an evaluation."""

    @property
    def design(self) -> Design: ...
    @property
    def task(self) -> str: ...
    @property
    def positive_class(self) -> Any: ...
    @property
    def read_as(self) -> Mapping[str, str]: ...
    @property
    def fit_seeds(self) -> tuple[int, ...]: ...
    @property
    def baseline(self) -> str | None: ...
    @property
    def predicted_counts(self) -> Mapping[str, NDArray[np.intp]]: ...
    def score(self, estimator: str, metric: str) -> FloatArray: ...


def rare_class_warnings(scores: Scored, name: str, metric: str) -> Iterator[CodedWarning]:
    """The warnings RARE_CLASS, ONE_CLASS and BASE_RATE of one model on one metric."""
    what = scores.read_as[metric]
    if not scores.design.class_counts:
        return
    about, few = (name, metric), _few(_deciding(scores, what), scores.design)
    if few and scores.task == "multilabel":
        yield Code.RARE_CLASS(f"{_told(few, scores.design, 'with label')} decide {metric}.", about)
    elif few:
        share, plain = few[0].total / sum(one.total for one in scores.design.class_counts), not scores.fit_seeds
        worst = worst_on_rare_classes(scores.design, share) if scores.task == "binary" and plain else ""
        yield Code.RARE_CLASS(f"{_told(few, scores.design)} decide {metric}{worst}.", about)
    predicted = scores.predicted_counts.get(name)
    only = None if predicted is None else _only(predicted, scores.design.class_counts)
    if only is not None and name == scores.baseline == DUMMY:
        return  # as it should
    if only is not None and _stem(what) in (*_OF_LABELS, *_OF_NEGATIVES):
        yield Code.ONE_CLASS(
            f"{name!r} predicts class {only} everywhere, so that only the shares of the classes are behind {metric}.",
            about,
        )
    elif what == "accuracy" and scores.task != "multilabel":
        yield from _base_rate(scores, name, metric)
    if what == "precision" and predicted is not None and only is None and not few:
        yield from _few_predicted(scores, name, metric, predicted)


def _stem(metric: str) -> str:
    """A metric without its kind of average."""
    return next((metric.removesuffix(end) for end in _AVERAGES if metric.endswith(end)), metric)


def _deciding(scores: Scored, metric: str) -> Sequence[ClassCount]:
    """The classes, or labels, of which few samples decide a metric."""
    counts, positive = scores.design.class_counts, repr(scores.positive_class)
    if scores.task == "multilabel":
        return counts if metric.endswith("_macro") or metric in _OF_ALL_LABELS else ()
    if metric in _OF_ALL_CLASSES or metric.startswith("roc_auc_") or metric.endswith("_macro"):
        return counts
    if scores.task == "binary" and metric in _OF_POSITIVES:
        return [one for one in counts if one.label == positive]
    if scores.task == "binary" and metric in _OF_NEGATIVES:
        return [one for one in counts if one.label != positive]
    return ()


def _few(classes: Sequence[ClassCount], design: Design) -> list[ClassCount]:
    """The rare ones, the rarest first."""
    if design.kind == "samples":
        return sorted((one for one in classes if one.test_counts[0] < FEWEST), key=lambda one: one.test_counts[0])
    rare = (one for one in classes if one.total < FEWEST or one.typical < FEWEST_IN_FOLD)
    return sorted(rare, key=lambda one: one.total)


def _told(few: Sequence[ClassCount], design: Design, what: str = "of class") -> str:
    first = few[0]
    if design.kind == "samples":
        said = f"{counted(first.test_counts[0], 'sample')} {what} {first.label} in the test set"
    else:
        said = f"{counted(first.total, 'sample')} {what} {first.label}, {first.typical:g} in a typical test set,"
    return said if len(few) == 1 else f"{said} and few of {len(few) - 1} more"


def _only(predicted: NDArray[np.intp], classes: Sequence[ClassCount]) -> str | None:
    """The class that is predicted everywhere; None where there are several."""
    every = np.flatnonzero(predicted.sum(axis=0))
    return classes[every[0]].label if len(every) == 1 and len(classes) == predicted.shape[1] else None


def _base_rate(scores: Scored, name: str, metric: str) -> Iterator[CodedWarning]:
    """That an accuracy is not above that of the largest class by two standard errors."""
    design, values = scores.design, scores.score(name, metric)
    if not np.isfinite(values).all() or not sum(design.test_sizes):
        return
    largest = max(design.class_counts, key=lambda one: sum(one.test_counts))
    mean, base = float(values.mean()), sum(largest.test_counts) / sum(design.test_sizes)
    n = min(sum(design.test_sizes), design.n_samples or 0)
    bound = 2 * sqrt(base * (1 - base) / n)
    if mean - base < bound:
        yield Code.BASE_RATE(
            f"{name!r} has {metric} {mean:.3f}, and always predicting class {largest.label} has {base:.3f}; "
            f"two standard errors are {bound:.3f}.",
            (name, metric),
        )


def _few_predicted(scores: Scored, name: str, metric: str, predicted: NDArray[np.intp]) -> Iterator[CodedWarning]:
    """That precision is a share of few predictions."""
    labels, own_label = [one.label for one in scores.design.class_counts], repr(scores.positive_class)
    if scores.task != "binary" or own_label not in labels or len(labels) != predicted.shape[1]:
        return
    own = predicted[:, labels.index(own_label)]
    typical, fewest = float(median(own.tolist())), FEWEST if scores.design.kind == "samples" else FEWEST_IN_FOLD
    if typical < fewest:
        where = "of the test set"
        if scores.design.kind != "samples":
            where = f"on {counted(len(own), 'split')}, {typical:g} in a typical test set"
        yield Code.RARE_CLASS(
            f"{name!r} predicts class {own_label} for {counted(int(own.sum()), 'sample')} {where}; {metric} counts no "
            "others.",
            (name, metric),
        )


def predicted_counts(kept: KeptPredictions | None) -> dict[str, NDArray[np.intp]]:
    """How often each class was predicted, by model: (n_splits, n_classes); of models of which all labels are known."""
    if kept is None or kept.y.ndim != 1:
        return {}
    n_classes = len(kept.classes)
    return {
        name: np.array([np.bincount(fold[CODES], minlength=n_classes) for fold in folds])
        for name, folds in kept.folds.items()
        if all(CODES in fold for fold in folds)
    }
