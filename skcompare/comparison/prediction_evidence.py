"""What a procedure on predictions is given of them, for one question."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import what_fits, why_untested
from skcompare.comparison.fold_evidence import Question
from skcompare.comparison.measures import function_of, has_records, of_labels
from skcompare.comparison.once import once
from skcompare.comparison.predictions import (
    MissingEvidenceError,
    Pooled,
    Splits,
    chosen_splits,
    has_predictions,
    pool,
    pool_splits,
    true_of,
)
from skcompare.comparison.sample_values import label_metrics
from skcompare.evaluation._batches import LABEL
from skcompare.evaluation._kept import CODES
from skcompare.evaluation._metric_function import MetricFunction
from skcompare.inference._forms import CLASS_SCORES, LABELS
from skcompare.inference._procedure import Procedure
from skcompare.inference._procedures import NAMED_METRICS
from skcompare.inference.outcomes._areas import Placed
from skcompare.inference.outcomes._called import is_of_ranks
from skcompare.inference.outcomes._metrics import METRICS
from skcompare.inference.outcomes._ranked import AVERAGE_PRECISION
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.rare_classes import rare_class_warnings
from skcompare.scores.undefined import without_labels

TRUTH = ""  # in place of the name of a model
_FEW = 256  # classes whose positions take a byte
_POOLED = tuple(field.name for field in fields(Pooled))
_OF_SCORES = 2_000  # exchanges of a callable of scores


@once
def _codes(scores: EvaluationScores, name: str, splits: Splits) -> NDArray[np.uint8] | None:
    """The labels of one model on some splits of a repeat, or the true ones, as positions among few classes."""
    kept = scores.kept_predictions
    if kept is None or scores.task not in ("binary", "multiclass") or len(kept.classes) > _FEW:
        return None
    if name == TRUTH:
        return np.searchsorted(kept.classes, true_of(scores, splits)).astype(np.uint8)
    found = [kept.folds[name][split].get(CODES) for split in splits]
    known = [codes for codes in found if codes is not None]
    return np.concatenate(known).astype(np.uint8) if len(known) == len(found) else None


@once
def _correct(scores: EvaluationScores, name: str, splits: Splits) -> NDArray[np.bool_]:
    """Whether one model was right on each sample of some splits of a repeat, once for all pairs."""
    true, labels = _codes(scores, TRUTH, splits), _codes(scores, name, splits)
    if true is None or labels is None:
        return pool_splits(scores, (name,), splits).correct(name)
    return np.asarray(true == labels)


@once
def _share_right(scores: EvaluationScores, name: str, splits: Splits) -> float:
    return float(_correct(scores, name, splits).mean())


def compared_means(scores: EvaluationScores, record: Any, a: str, b: str) -> tuple[float, float]:
    """What a record compared: its own two scores, or the shares of samples that were right."""
    for name in ("score", "auc"):
        if hasattr(record, f"{name}_a"):
            return getattr(record, f"{name}_a"), getattr(record, f"{name}_b")
    splits = chosen_splits(scores, (a, b))
    return _share_right(scores, a, splits), _share_right(scores, b, splits)


@once
def class_warnings(scores: EvaluationScores, name: str, metric: str) -> tuple[CodedWarning, ...]:
    """What rare classes make of the scores of one model on one metric."""
    return tuple(rare_class_warnings(scores, name, metric))


@once
def _placed(scores: EvaluationScores, name: str, splits: Splits) -> Any:
    """The scores of one model on some splits of a repeat: of two classes placed among each other, for all pairs."""
    pooled = pool_splits(scores, (name,), splits)
    ranked, true = pooled.class_scores(name), pooled.true_codes
    if len(pooled.classes) != 2 or not 0 < np.count_nonzero(true) < len(true) or not np.isfinite(ranked).all():
        return ranked
    return Placed.of(np.unique(ranked, return_inverse=True)[1], true == 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictionEvidence(Pooled):
    """Predictions of one test set, for one question; see `skcompare.inference._forms`."""

    metric: Any
    a: str
    b: str
    procedure: Procedure
    positive: dict[str, Any]
    warnings: tuple[CodedWarning, ...]
    clusters: NDArray[np.intp] | None
    scores: EvaluationScores
    ranked: bool

    def class_scores(self, estimator: str) -> Any:
        """Scores of two classes, and for areas their places."""
        return _placed(self.scores, estimator, self.splits) if self.ranked else Pooled.class_scores(self, estimator)

    def correct(self, estimator: str) -> NDArray[np.bool_]:
        """Whether one estimator was right, per sample."""
        return _correct(self.scores, estimator, self.splits)

    def predicted(self, estimator: str) -> NDArray[Any]:
        """What the metric reads of one estimator: labels, or scores or probabilities."""
        function = self._scored
        if function is None:
            return self.labels(estimator)
        (part,) = self.parts[estimator]
        for found in (getattr(part, name) for name in function.response):
            if found is not None:
                return np.asarray(found, dtype=np.float64)
        raise MissingEvidenceError(f"the scores of {estimator!r} were not kept")

    def labelled(self) -> tuple[tuple[NDArray[Any], ...], dict[str, Any]]:
        """True labels and what the metric reads of both models, of few classes as codes, and the options with it."""
        if self._scored is not None:
            return self._of_scores(self._scored)
        function = self.metric_function
        ordered = getattr(METRICS.get(str(function)), "ordered", False)  # of which codes are no labels
        if isinstance(function, str) and not ordered:
            codes = [_codes(self.scores, name, self.splits) for name in (TRUTH, self.a, self.b)]
            known = tuple(found for found in codes if found is not None)
            if len(known) == len(codes):
                classes = self.classes.tolist()
                return known, {name: classes.index(label) for name, label in self.positive.items()}
        labels = (self.y_true, self.labels(self.a), self.labels(self.b))
        if self.scores.task == "regression" and isinstance(function, MetricFunction):
            return labels, self._exchanged(function, labels)
        return labels, self.positive

    def _of_scores(self, function: MetricFunction) -> tuple[tuple[NDArray[Any], ...], dict[str, Any]]:
        """True labels and scores; a callable that depends on their ranks alone is to exchange these."""
        found = (self.y_true, self.predicted(self.a), self.predicted(self.b))
        if self.metric_function == AVERAGE_PRECISION:
            return found, self.positive
        options: dict[str, Any] = {} if self.procedure.name != "paired_metric_test" else {"n_resamples": _OF_SCORES}
        return found, {**options, **self._exchanged(function, found)}

    def _exchanged(self, function: MetricFunction, found: tuple[NDArray[Any], ...]) -> dict[str, Any]:
        """That ranks are exchanged in place of numbers, whose scales may differ, where the metric reads no more."""
        true, *given = found
        tested = self.procedure.name == "paired_metric_test"
        return {"ranks": True} if tested and all(x.ndim == 1 and is_of_ranks(function, true, x) for x in given) else {}

    @property
    def _scored(self) -> MetricFunction | None:
        """The metric as a function of scores, where it is one."""
        found = function_of(self.scores, self.metric) if isinstance(self.metric, str) else None
        return found if isinstance(found, MetricFunction) and found.response != LABEL else None

    @property
    def names(self) -> tuple[str, ...]:
        """The models whose predictions there are."""
        return tuple(self.parts)

    @property
    def metric_function(self) -> Any:
        """The metric as the procedures on labels take it: one of their names, or scikit-learn's function."""
        if callable(self.metric):
            return self.metric
        named = self.scores.read_as.get(self.metric, self.metric)
        if named in (label_metrics(self.scores.task) if self.y_true.ndim > 1 else NAMED_METRICS):
            return named
        if named == AVERAGE_PRECISION and len(self.classes) == 2 and self.positive["positive"] == self.classes[1]:
            return AVERAGE_PRECISION
        return self._function

    @property
    def _function(self) -> Any:
        if self._scored is not None:
            return self._scored
        function = of_labels(self.scores, self.metric)
        if function is None:
            raise MissingEvidenceError(
                f"no test of {self.metric!r} on predictions is known: {why_untested(self.scores, self.metric)}"
            )
        if isinstance(function, MetricFunction) and function.is_weighted:
            raise MissingEvidenceError(
                f"no test of {self.metric!r} on predictions is known: its sample_weight is of these samples alone, "
                f"which a test draws anew"
            )
        named = getattr(function, "of_counts", "")
        return named if named and (self.y_true.ndim == 1 or named in label_metrics(self.scores.task)) else function


def check_task(scores: EvaluationScores, procedure: Procedure) -> None:
    """ValueError where a procedure needs classes that the target has not; of several labels all may be right."""
    if has_records(scores):
        raise MissingEvidenceError(
            f"procedure {procedure.name!r} needs labels or numbers as y; it holds records{what_fits(scores)}"
        )
    classes = scores.task in ("binary", "multiclass") or (
        scores.task == "multilabel" and procedure.takes is not CLASS_SCORES
    )
    if not classes and procedure.takes is not LABELS:
        raise ValueError(
            f"procedure {procedure.name!r} needs predicted classes; the task of this result is {scores.task!r}"
            f"{what_fits(scores)}"
        )


def pooled_evidence(scores: EvaluationScores, question: Question) -> PredictionEvidence:
    """The evidence of a procedure on predictions; ValueError where they are not known, or are no classes."""
    procedure, metric, a, b = question.procedure, question.metric, question.a, question.b
    if scores.kept_predictions is None:
        raise ValueError(f"procedure {procedure.name!r} needs predictions; {scores.why_no_predictions}")
    check_task(scores, procedure)
    concerned = {"all models": scores.estimators, "one model": (a,), "pair": (a, b)}[procedure.takes.subject]
    pooled = pool(scores, concerned)
    if scores.design.kind == "samples":
        for name in concerned:
            if not has_predictions(scores, name):
                raise MissingEvidenceError(f"{name!r} did not predict for each sample what y has")
    known = concerned if metric in scores.metrics else ()
    of_classes = (warning for name in known for warning in class_warnings(scores, name, metric))
    unlabelled = (*without_labels(scores, metric), *scores.cost_warnings(metric, *known)) if known else ()
    return PredictionEvidence(
        **{name: getattr(pooled, name) for name in _POOLED},
        metric=metric,
        a=a,
        b=b,
        procedure=procedure,
        positive={"positive": scores.positive_class} if scores.task == "binary" else {},
        warnings=(*pooled.warnings_of(procedure), *_in_groups(scores, procedure), *of_classes, *unlabelled),
        clusters=_clusters(scores),
        scores=scores,
        ranked=procedure.name == "delong_test" and "positive" not in question.options,
    )


def _in_groups(scores: EvaluationScores, procedure: Procedure) -> tuple[CodedWarning, ...]:
    """That pooled samples stand in groups, of which no procedure on them takes account."""
    n, groups = scores.design.n_samples, scores.design.n_groups
    told = f"{n} samples in {groups} groups count as independent."
    if scores.design.kind == "samples":
        clusters = _clusters(scores)
        if clusters is None or "clusters" in procedure.keywords:
            return ()
        told = f"{len(clusters)} samples in {scores.design.n_clusters} clusters count as independent."
    elif groups is None or n is None or groups >= n:
        return ()
    return (Code.CLUSTERS_IGNORED(told),)


def _clusters(scores: EvaluationScores) -> NDArray[np.intp] | None:
    """The cluster of each sample of one test set; None of folds, and where each stands alone."""
    if scores.clusters is None or scores.kept_splits is None or scores.design.kind != "samples":
        return None
    return scores.clusters[scores.kept_splits.held_out(0)]
