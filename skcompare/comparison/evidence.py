"""How questions about one data set are read and answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import product
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.metrics import METRICS, OF_LABELS
from skcompare._core.names import choose_metrics
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.calibrated import CalibratedChoice, choose_calibrated
from skcompare.comparison.cases import (
    by_case,
    cases,
    check_settled,
    choose_case_metrics,
    losses_in_time,
    values_of,
    what_fits,
    why_untested,
)
from skcompare.comparison.fold_evidence import FoldEvidence, Question, check_takes_null
from skcompare.comparison.joint import check_metric_count
from skcompare.comparison.measures import (
    check_measured,
    function_of,
    has_records,
    label_metrics,
    measure,
    measured,
    of_labels,
    of_scores,
    with_the_training_set,
)
from skcompare.comparison.once import once
from skcompare.comparison.predictions import (
    MissingEvidenceError,
    Pooled,
    Splits,
    check_unweighted,
    chosen_splits,
    has_predictions,
    pool,
    pool_splits,
    true_of,
)
from skcompare.comparison.table import mean_score
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.predictions import CODES
from skcompare.inference import correlated_t_posterior
from skcompare.inference._forms import CLASS_SCORES, IN_ORDER, IN_TIME, LABELS, STATEMENT_COUNTS, Procedure
from skcompare.inference._overlap import Correction, default_t_test
from skcompare.inference._procedures import PROCEDURES, find_procedure
from skcompare.inference.outcomes.auc import Placed
from skcompare.inference.outcomes.predictions import AVERAGE_PRECISION, is_of_ranks
from skcompare.scores.evaluation import EvaluationScores, criterion_warnings, is_judged
from skcompare.scores.rare_classes import rare_class_warnings, without_labels

# What a procedure on predictions is given of them, for one question.


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
        of_grades = isinstance(function, str) and function in OF_LABELS and OF_LABELS[function].of == "grades"
        if isinstance(function, str) and not of_grades:  # of which codes are no labels
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
        """The metric as the procedures on labels take it, greater is better: a name, or scikit-learn's function."""
        if callable(self.metric):
            return self.metric
        named = self.scores.read_as.get(self.metric, self.metric)
        if named in label_metrics(self.scores.task if self.y_true.ndim > 1 else "binary"):
            return named if METRICS[named].greater_is_better else f"neg_{named}"
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


@once
def own_mean(scores: EvaluationScores, model: str, metric: str) -> float:
    """The mean of all scores of a model on a metric, greater is better."""
    return mean_score(scores.oriented(model, metric))


def training_variance(scores: EvaluationScores, question: Question) -> float:
    """What other training sets add to the variance of losses in time order, as `diebold_mariano_test` takes it.

    Of metrics that depend on how many samples a fitted model calls positive; 0 of others, and of fitted models.
    """
    if not scores.design.time_order or scores.read_as[question.metric] not in with_the_training_set(scores.task):
        return 0.0
    splits, chosen = scores.kept_splits, chosen_splits(scores, (question.a, question.b))
    assert splits is not None
    tested, weights = sum(splits.test_sizes[i] for i in chosen), np.zeros(splits.n_samples)
    for i in chosen:
        train, test = splits[i]
        weights[train] += len(test) / tested / len(train)
    return float(tested * weights @ weights)


@dataclass(frozen=True, slots=True)
class EvaluationQuestions:
    """How questions about one data set are read and answered."""

    scores: EvaluationScores
    set_by = "design"

    def find(
        self,
        name: str,
        options: Mapping[str, Any],
        *,
        metric: Any = None,
        of_pair: bool = False,  # noqa: ARG002
        null: float = 0.0,
    ) -> Procedure:
        """The row of the table; ValueError where it does not fit the design."""
        if name == "auto" and self.scores.selected is not None:
            name = default_t_test(self.scores.design)  # the test of the ranking
        design, of = self.scores.design, ""
        if name == "auto" and design.kind != "folds":
            if not (isinstance(metric, str) or callable(metric)):
                metric = choose_metrics(metric, self.scores.metrics, "metric")[0]
            of = "labels" if callable(metric) else measure(self.scores, metric)
        found = find_procedure(name, design, options, of, null=bool(null))
        if null:
            alone = design.n_clusters is None
            able = [row for row in PROCEDURES if row.fits(design, {}) and not (alone and row.needs_clusters)]
            check_takes_null(found, null, able)
        return found

    def metric_for(self, procedure: Procedure, metric: Any) -> Any:
        """The metric asked for, or the first that a procedure can speak of; of joint procedures the metrics."""
        if procedure.takes.joint:
            if procedure.takes is STATEMENT_COUNTS:
                return check_metric_count(choose_case_metrics(self.scores, metric))
            names = choose_case_metrics(self.scores, metric, means=True)
            if metric is None:
                return tuple(name for name in names if name in measured(self.scores)) or names
            for name in names:
                check_measured(self.scores, name)
            return names
        if callable(metric) and procedure.takes is LABELS:
            return metric
        if metric is None:
            spoken = [name for name in measured(self.scores) if self._speaks_of(procedure, name)]
            if not spoken and procedure.takes.kind == "fold scores":
                raise ValueError(
                    f"procedure {procedure.name!r} needs {' or '.join(procedure.metrics)} among the metrics"
                )
            return spoken[0] if spoken else procedure.metrics[0]
        if not self._speaks_of(procedure, metric):
            raise ValueError(f"metric must be {' or '.join(procedure.metrics)} for {procedure.name!r}; got {metric!r}")
        if procedure.takes.kind == "fold scores":
            self.scores.metric_index(metric)
        return metric

    def _speaks_of(self, procedure: Procedure, metric: Any) -> bool:
        """Whether a procedure can speak of a metric."""
        named = self.scores.read_as.get(metric, metric) if isinstance(metric, str) else metric
        if not procedure.metrics or named in procedure.metrics:
            return True
        if self.scores.design.kind == "items":
            return metric in self.scores.metrics and measure(self.scores, metric) == "rate"
        if procedure.takes is not LABELS or not isinstance(metric, str):
            return False
        return of_labels(self.scores, metric) is not None or of_scores(self.scores, metric)

    def metrics_for(self, name: str, procedure: Procedure, metrics: str | Sequence[str] | None) -> tuple[str, ...]:
        """The metrics asked for, or all that a procedure can speak of."""
        known = self.scores.metrics
        if not procedure.metrics or name == "auto":
            return choose_metrics(metrics, known)
        spoken = tuple(name for name in known if self._speaks_of(procedure, name))
        names = spoken if metrics is None else choose_metrics(metrics, known)
        if not names or not set(names) <= set(spoken):
            raise ValueError(
                f"metrics must be among {', '.join(procedure.metrics)} for {procedure.name!r}; got {metrics or known}"
            )
        return names

    def choose(self, name: str, procedure: Procedure, metric: Any, a: str, b: str) -> CalibratedChoice:
        """The test of a comparison: the calibrated one for "auto" where there is one, else `procedure`."""
        calibration = self.scores.calibration if name == "auto" else None
        return choose_calibrated(calibration, procedure, self.scores.design, metric, a, b)

    def set_options(self, procedure: Procedure) -> set[str]:
        """The options that the scores set."""
        in_clusters: set[str] = {"clusters"} if self.scores.clusters is not None else set()
        return {*procedure.options(self.scores.design), *procedure.takes.set_by_evidence, *in_clusters}

    def evidence(self, question: Question) -> Any:
        """What the procedure of a question takes."""
        check_measured(self.scores, question.metric)
        kind = self.scores.design.kind
        if question.procedure.takes.kind == "predictions" and kind != "items":
            instead = "paired_t_test" if self.scores.clusters is None else "cluster_t_test"
            check_unweighted(self.scores, question.procedure.name, f"; {instead!r} takes them")
            if self.scores.kept_predictions is not None:
                check_task(self.scores, question.procedure)
            if kind == "samples" and measure(self.scores, question.metric) == "other":
                why = why_untested(self.scores, question.metric)
                raise MissingEvidenceError(f"no test of {question.metric!r} on one test set is known: {why}")
            return pooled_evidence(self.scores, question)
        metrics = (question.metric,) if not isinstance(question.metric, tuple) else question.metric
        if question.procedure.takes is IN_ORDER:
            check_settled(self.scores, question.metric, question.procedure.name)
        if question.procedure.takes is IN_TIME:
            found, added = losses_in_time(self.scores, metrics), training_variance(self.scores, question)
        else:
            found, added = cases(self.scores, metrics), 0.0
        names = () if found is self.scores else tuple(filter(None, (question.a, question.b)))
        for name, m in product(names, metrics):
            if np.isnan(found.score(name, m)).all():
                values_of(self.scores, name, m)  # which says why
        told = [warning for name in names for m in metrics for warning in class_warnings(self.scores, name, m)]
        told += (warning for m in metrics for warning in self.scores.cost_warnings(m, *names))
        return FoldEvidence(found, question, tuple(told), added)

    def pair(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray]:
        """The scores of two models on the splits or cases on which both have one, greater is better."""
        if (
            is_judged(self.scores.provenance, metric)
            or not by_case(self.scores, metric)
            or (self.scores.design.kind == "samples" and self.scores.kept_predictions is None)
        ):
            return np.empty(0), np.empty(0)
        try:
            scores = cases(self.scores, (metric,))
        except MissingEvidenceError:
            return np.empty(0), np.empty(0)
        scores_a, scores_b = scores.oriented(a, metric), scores.oriented(b, metric)
        if scores.has_all((a, b), (metric,)):
            return scores_a, scores_b
        with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
            complete = np.isfinite(scores_a - scores_b)
        return scores_a[complete], scores_b[complete]

    def means(
        self, procedure: Procedure, record: Any, compared: tuple[str, str, str], paired: tuple[FloatArray, FloatArray]
    ) -> tuple[float, float]:
        """The two scores that were compared, in the metric's own units: of the paired ones, else of each alone."""
        metric, a, b = compared
        found = record is not None and self.scores.design.kind == "folds"
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(metric)] else -1.0
        if found and procedure.takes.kind == "predictions":
            mean_a, mean_b = compared_means(self.scores, record, a, b)
            return sign * mean_a, sign * mean_b
        if found and procedure.takes is IN_TIME:  # each sample counts once
            of_samples = losses_in_time(self.scores, (metric,))
            paired = of_samples.oriented(a, metric), of_samples.oriented(b, metric)
        elif not paired[0].size or self.scores.design.kind == "samples" or self.scores.has_all((a, b), (metric,)):
            return sign * own_mean(self.scores, a, metric), sign * own_mean(self.scores, b, metric)
        mean_a, mean_b = map(mean_score, paired)
        return sign * mean_a, sign * mean_b

    def posterior(self, a: FloatArray, b: FloatArray, rope: float) -> Any:
        """The posterior of practical equivalence of a procedure, None where there are no scores."""
        if not a.size:
            return None
        folds = self.scores.design.kind == "folds"
        correction = Correction.of(self.scores.design) if folds else Correction(test_fraction=0.0)
        return correlated_t_posterior(a, b, rope=rope, **correction.options)

    def warnings(self, metric: str, a: str, b: str) -> tuple[CodedWarning, ...]:
        """Why a pair cannot be compared."""
        if is_judged(self.scores.provenance, metric):
            return criterion_warnings(self.scores.provenance, metric)
        found, design = self.scores.score_warnings(metric, a, b), self.scores.design
        if design.kind != "samples" and not design.time_order:
            return found
        found = tuple(one for one in found if one.code != Code.TIME_ORDER.name)
        why = why_untested(self.scores, metric, (a, b))
        return (*found, Code.MISSING_SCORES(f"{metric} is not tested: {why}.", (metric,)))


# How much of the variance of scores is due to the seeds of the fits, and how much to the splits.


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
