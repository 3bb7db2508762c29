"""What 0/0 makes of scores: a number that a convention gives, and how much of a mean it is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Protocol

import numpy as np

from skcompare._core.design import ClassCount, Design
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.evaluation._kept import KeptPredictions

SUBSTANTIAL = 0.1  # share of the splits, or samples, on which a metric is 0/0
MAX_NAMED = 3  # classes, where a warning says which are missing
_CONVENTION = "0 is scikit-learn's convention"


class Scored(Protocol):
    """What is read of the scores of an evaluation."""

    @property
    def design(self) -> Design: ...
    @property
    def task(self) -> str: ...
    @property
    def kept_predictions(self) -> KeptPredictions | None: ...
    @property
    def read_as(self) -> Mapping[str, str]: ...
    @property
    def ill_defined(self) -> Mapping[str, Mapping[str, int]]: ...
    def score(self, estimator: str, metric: str) -> FloatArray: ...


def undefined_warnings(
    scores: Scored, name: str, metric: str, n_fitted: int, n_missing: int = 0
) -> Iterator[CodedWarning]:
    """UNDEFINED_METRIC where 0/0 makes up a substantial share of a mean, ILL_DEFINED where it makes up less.

    Splits that have no number at all are not among them: there are `n_missing`, and they are told of elsewhere.
    """
    yield from without_labels(scores, metric)
    n, values = scores.ill_defined.get(name, {}).get(metric, 0), scores.score(name, metric)[:n_fitted]
    n = max(n - n_missing, 0)
    if not n or not np.isfinite(values).any():
        return
    said, about = f"{name!r} has 0/0 for {metric}", (name, metric)
    where = f" on {n} of {counted(n_fitted, 'split')}" if n_fitted > 1 else ""
    partly = (values == 0).sum() < n  # of means over classes, labels or samples one may be 0/0
    if n < SUBSTANTIAL * n_fitted or (partly and not scores.read_as.get(metric, metric).endswith("_macro")):
        yield Code.ILL_DEFINED(f"{said}{where}.", about)
    elif partly:
        what = "label" if scores.task == "multilabel" else "class"
        yield Code.UNDEFINED_METRIC(f"{said} of a {what}{where}; {_CONVENTION} there.", about)
    elif n < n_fitted:
        yield Code.UNDEFINED_METRIC(f"{said}{where}; {_CONVENTION} there.", about)
    else:
        everywhere = f" on all {n} splits" if n > 1 else ""
        yield Code.UNDEFINED_METRIC(f"{said}{everywhere}: it is undefined, and {_CONVENTION}.", about)


def is_undefined(scores: Scored, name: str, metric: str) -> bool:
    """Whether a model's score on one test set is 0/0, which is not known of a mean over classes or labels."""
    averaged = scores.read_as.get(metric, metric).endswith(("_macro", "_weighted", "_samples"))
    one = scores.design.kind == "samples" and scores.design.n_splits == 1
    return one and not averaged and bool(scores.ill_defined.get(name, {}).get(metric))


def without_labels(scores: Scored, *metrics: str) -> Iterator[CodedWarning]:
    """That samples without any label count as 0 where none is predicted, on metrics that are means over samples."""
    if scores.task != "multilabel" or scores.kept_predictions is None:
        return
    y = np.asarray(scores.kept_predictions.y, dtype=bool)
    n = int((~y.any(axis=1)).sum())
    for metric in metrics if n else ():
        if scores.read_as.get(metric, metric).endswith("_samples"):
            code = Code.ILL_DEFINED if n < SUBSTANTIAL * len(y) else Code.UNDEFINED_METRIC
            told = f"{n} of {counted(len(y), 'sample')} have no label; where none is predicted {metric} is 0/0"
            yield code(f"{told}, and {_CONVENTION}.", (metric,))


def not_defined(scores: Scored, metric: str, missing: Collection[int]) -> CodedWarning | None:
    """Why a metric has no number on some splits, and what to do; None where classes and sizes do not tell."""
    design = scores.design
    if not missing or not design.test_sizes:
        return None
    lacking, one = _lacking(design, missing), design.n_splits == 1
    if all(design.test_sizes[i] < 2 for i in missing):
        why = "which is one sample" if one else "whose test sets are one sample each"
    elif lacking:
        labels = [count.label for count in lacking]
        without = f"class {' or '.join(labels)}" if len(labels) <= MAX_NAMED else "some classes"
        tested = all(any(not count.test_counts[i] for count in lacking) for i in missing)
        why = f"whose test sets lack {without}" if tested else f"which lack {without} in training or test"
        why = f"which lacks {without}" if one else why
    else:
        return None
    where = "the test set" if one else f"{len(missing)} of {design.n_splits} splits"
    left_out = "It has no score there" if one else "These scores are nan and left out"
    helps = not one and all(count.total > 1 for count in lacking)
    remedy = f"{'fewer folds, or ' if helps else ''}scoring without {metric}"
    return Code.UNDEFINED(f"{metric} is not defined on {where}, {why}. {left_out}: give {remedy}.", (metric,))


def _lacking(design: Design, missing: Collection[int]) -> list[ClassCount]:
    """The classes that the test or training sets of some splits lack; none where one of the splits has all."""
    found: dict[str, ClassCount] = {}
    for i in missing:
        own = [
            one
            for one in design.class_counts
            if not one.test_counts[i] or (design.partition and one.test_counts[i] == one.total)
        ]
        if not own:
            return []
        found |= {one.label: one for one in own}
    return [one for one in design.class_counts if one.label in found]
