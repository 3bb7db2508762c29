"""What the procedures are given of scores, for one question."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.metrics import METRICS, OF_LABELS
from skcompare._core.record import Frozen
from skcompare._core.validation import Checked, FloatArray
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison import cases
from skcompare.comparison.error_rates import not_calibrated, rates_like
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.predictions import CODES
from skcompare.inference import dominance_counts, effective_cases
from skcompare.inference._distributions import FEWEST_SKEWED, heavy_tailed, skewness_beyond, skewness_of_means
from skcompare.inference._procedures import CLASS_SCORES, LABELS, Arguments, Procedure
from skcompare.inference._rates import joint_size_warnings
from skcompare.inference._records import Correction
from skcompare.inference.datasets.adjusted_means import adjusted_means, not_connected
from skcompare.inference.outcomes.auc import AVERAGE_PRECISION, Placed
from skcompare.inference.outcomes.predictions import is_of_ranks
from skcompare.inference.outcomes.samples import read_clusters
from skcompare.scores import measures, predictions
from skcompare.scores.evaluation import EvaluationScores, once
from skcompare.scores.predictions import MissingEvidenceError, Pooled, Splits
from skcompare.scores.rare_classes import rare_class_warnings, without_labels
from skcompare.scores.study import StudyScores

T = TypeVar("T")


class Question(Frozen):
    """Which procedure is asked about which metric of which models.

    Attributes
    ----------
    procedure : Procedure
        The row of the table.
    metric : str, callable or tuple of str
        Several for a joint procedure.
    a, b : str
        Estimators; a procedure about one takes `a`, one about all neither.
    options : mapping of str to object
        What the user and a calibration set.
    """

    procedure: Procedure
    metric: Any
    a: str
    b: str
    options: Mapping[str, Any]

    def about(self, evidence: type[T], **scores: Any) -> T:
        """The evidence for it that some scores are."""
        return evidence(**{one.name: getattr(self, one.name) for one in fields(Question)}, **scores)


def check_takes_null(asked: Procedure, null: float, fitting: Sequence[Procedure]) -> None:
    """Raise ValueError where a procedure cannot test a difference other than 0, naming those that can."""
    if null and not asked.takes_null:
        able = ", ".join(repr(row.name) for row in fitting if row.takes_null)
        raise ValueError(f"null must be 0 for {asked.name!r}, which tests no other; got {null:g}. These can: {able}")


class FoldEvidence(Question):
    """Scores of the splits of one data set, or of cases, for one question; see `skcompare.inference._procedures`.

    `told` are the warnings of the predictions that cases were made of, `training_variance` what other training sets add
    to the variance of these.
    """

    scores: EvaluationScores
    told: Warnings = ()
    training_variance: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """The models, of outcomes that are right or wrong."""
        return self.scores.estimators

    @property
    def greater_is_better(self) -> bool:
        """Whether more of the metric is better."""
        return self.scores.greater_is_better[self.scores.metric_index(self.metric)]

    @property
    def warnings(self) -> Warnings:
        """What is wrong with outcomes that are right or wrong."""
        return (*self.scores.score_warnings(self.metric, self.a, self.b), *self._ignored_clusters())

    def correct(self, model: str) -> NDArray[np.bool_]:
        """Whether one model was right, per item."""
        outcomes = self.scores.score(model, self.metric)
        if measures.measure(self.scores, self.metric) != "rate":
            raise ValueError(f"metric must be right or wrong (1 or 0) on every item for {self.procedure.name!r}")
        return np.asarray(outcomes == 1, dtype=bool)

    def _ignored_clusters(self) -> Warnings:
        """That a procedure takes items of one cluster for independent."""
        if self.scores.clusters is None or "clusters" in self.procedure.keywords:
            return ()
        n = len(np.unique(self.scores.clusters))
        return (Code.CLUSTERS_IGNORED(f"{len(self.scores.clusters)} cases in {n} clusters count as independent."),)

    def pair(self, *, by_repeat: bool = False) -> Arguments:
        """The pairs of scores that exist, flat or a row per complete repeat; of independent runs the scores of each."""
        design = self.scores.design
        metric, a, b = self.metric, self.a, self.b
        scores_a, scores_b = self.scores.oriented(a, metric), self.scores.oriented(b, metric)
        warnings = self.scores.score_warnings(metric, a, b)
        shape = (-1, design.n_folds) if by_repeat else (-1,)
        if design.apart:
            runs_a, runs_b = (own[np.isfinite(own)] for own in (scores_a, scores_b))
            if not (runs_a.size and runs_b.size):
                raise MissingEvidenceError(f"metric {metric!r} has no score of {a!r} or of {b!r} to test")
            return self._arguments(runs_a, runs_b, slice(None))
        if self.scores.has_all((a, b), (metric,)):
            return self._arguments(Checked(scores_a.reshape(shape)), Checked(scores_b.reshape(shape)), slice(None))
        complete = np.isfinite(scores_a) & np.isfinite(scores_b)
        if by_repeat:
            complete_repeats = complete.reshape(design.n_repeats, design.n_folds).all(axis=1)
            left = replace(design, n_repeats=int(complete_repeats.sum()))
            if not self.procedure.fits(left, self.options):
                raise MissingEvidenceError(
                    f"procedure {self.procedure.name!r} needs {self.procedure.designs}; without the missing pairs of "
                    f"scores of {metric!r} this is {left.name}. {' '.join(warnings)}"
                )
            complete = np.repeat(complete_repeats, design.n_folds)
        if not complete.any():
            raise MissingEvidenceError(f"metric {metric!r} has no pair of scores of {a!r} and {b!r} left to test")
        return self._arguments(scores_a[complete].reshape(shape), scores_b[complete].reshape(shape), complete)

    def repeats_and_losses(self) -> Arguments:
        """The pairs of scores of each repeat, with the losses of the samples of both models and their folds."""
        names = (self.a, self.b)
        if not measures.reads_labels(self.scores, self.metric):
            raise MissingEvidenceError(
                f"procedure {self.procedure.name!r} needs a metric of the labels or numbers that were predicted; "
                f"{self.metric!r} is none, or not known to be one"
            )
        if not self.scores.has_all(names, (self.metric,)):
            raise MissingEvidenceError(
                f"procedure {self.procedure.name!r} needs scores of {self.metric!r} on all splits"
            )
        found = self.pair(by_repeat=True)
        losses = (predictions.sample_losses(self.scores, name) for name in names)
        families = tuple(self.scores.families[name] for name in names)
        positional = (*found.positional, *losses, predictions.folds_of(self.scores))
        return replace(found, positional=positional, options={**found.options, "families": families})

    def _arguments(self, a: Any, b: Any, used: NDArray[np.bool_] | slice) -> Arguments:
        """The scores of a pair with what else its procedure takes of the cases that are `used`."""
        options = dict(self.procedure.options(self.scores.design))
        if self.scores.clusters is not None and "clusters" in self.procedure.keywords:
            options["clusters"] = self.scores.clusters[used]
        of_scores = (*self.told, *self.scores.score_warnings(self.metric, self.a, self.b))
        of_t = self.scores.design.kind == "items" and self.procedure.name in ("paired_t_test", "cluster_t_test")
        if of_t and not np.allclose(a, b, rtol=1e-12, atol=1e-12 * np.abs(a).max(initial=0.0)):
            of_scores += self._few_for_t(np.subtract(a, b), options.get("clusters"), {one.code for one in of_scores})
        if "overlap" in options:
            of_scores += not_calibrated(self.scores, self.procedure.name, self.metric)
        return Arguments(positional=(a, b), options=options, warnings=(*of_scores, *self._ignored_clusters()))

    def _few_for_t(self, differences: FloatArray, clusters: Any, told: Collection[str]) -> Warnings:
        """That cases, or clusters, are few for a t test: their differences are skewed or have a heavy tail.

        By the rule of Cochran (1977, Sampling Techniques, 3rd edition, section 2.15) a 95% interval misses in about 6%
        at most where there are more than 25 times the squared skewness. Where there are fewer it is made longer. Fewer
        than 20 do not tell of a skewness.
        """
        n, what, units, skewness = differences.size, "cases", differences, skewness_of_means(differences)
        if clusters is not None:
            groups, parts = read_clusters(clusters, n), differences / (np.abs(differences).max() or 1.0)
            n, what, units = len(groups), "clusters", groups.sums(differences)
            skewness = skewness_beyond(groups.sums(parts - parts.mean()))
        skewed = bool(skewness)
        few = n < FEWEST_SKEWED and clusters is None and Code.ASSUMED.name not in told  # which is said of few numbers
        how = "skewed" if skewed or few else "heavy-tailed"
        said = f"{n:,} {what} are few for a t test of {how} differences. Look at the largest, or collect more."
        weak = Code.WEAK_METRIC(said, (self.metric,))
        return (weak,) if weak.code not in told and (skewed or few or heavy_tailed(units)) else ()

    def nested_differences(self) -> Arguments:
        """The differences of two models' values of the samples, of the ordinary fits and of the inner ones."""
        of_a, of_b = (measures.nested_values(self.scores, model, self.metric) for model in (self.a, self.b))
        differences = [
            [[a - b for a, b in zip(*folds, strict=True)] for folds in zip(*repeats, strict=True)]
            for repeats in zip(of_a, of_b, strict=True)
        ]
        warnings = self.scores.score_warnings(self.metric, self.a, self.b)
        return Arguments(positional=tuple(differences), warnings=warnings)

    def estimates(self) -> Arguments:
        """The estimates of two models with their covariance."""
        scores = self.scores
        a, b = at = [scores.estimator_index(self.a), scores.estimator_index(self.b)]
        values = [float(scores.oriented(name, self.metric)[0]) for name in (self.a, self.b)]
        assert scores.covariances is not None
        assert scores.covariance_df is not None
        return Arguments(
            positional=(values, scores.covariances[:, at][:, :, at]),
            options={"df": scores.covariance_df[:, a, b], "n": scores.design.n_cases},
            warnings=scores.score_warnings(self.metric, self.a, self.b),
        )

    def error_rates(self) -> Arguments:
        """The error rates of one model on the splits on which it has one."""
        accuracy = self.scores.score(self.a, self.metric)
        rates = 1 - accuracy[np.isfinite(accuracy)]
        if not rates.size:
            raise ValueError(f"metric {self.metric!r} has no score of {self.a!r} to test")
        options, warnings = self.procedure.options(self.scores.design), self.scores.score_warnings(self.metric, self.a)
        return Arguments(positional=(rates,), options=options, warnings=warnings)

    def every_model(self) -> Arguments:
        """The scores on the splits on which all models that have any score have one."""
        metric = self.metric
        grouped, about_clusters = cases.by_cluster(self.scores)
        m, design = grouped.metric_index(metric), grouped.design
        scores = grouped.scores[:, :, m].T
        rows = cases.scored_rows(np.isfinite(scores)[:, :, None])
        complete = np.isfinite(scores[:, rows]).all(axis=1)
        n_left = int(complete.sum())
        if not n_left:
            raise MissingEvidenceError(f"metric {metric!r} has no split on which all estimators have a score")
        warnings: Warnings = ()
        options = dict(self.procedure.options(design))
        if n_left < design.n_splits:
            if "n_folds" in options:
                options["n_folds"] = n_left if design.n_repeats == 1 else 1
            used = f"{metric} is used on the {n_left} {design.cases} on which all estimators have a score."
            warnings = (Code.MISSING_SCORES(used, (metric,)),)
        if "overlap" in options:
            warnings += not_calibrated(self.scores, self.procedure.name, metric)
        names = [self.scores.estimators[i] for i in rows]
        read = {"names": names, "greater_is_better": self.scores.greater_is_better[m]}
        return Arguments(
            positional=(scores[complete][:, rows],),
            options={**read, **options},
            warnings=(*warnings, *about_clusters, *self.scores.score_warnings(metric, *self.scores.estimators)),
        )

    def score_vectors(self) -> Arguments:
        """The scores of two models on several metrics, on the splits on which both have all."""
        metrics, a, b = self.metric, self.a, self.b
        scores, about_clusters = cases.by_cluster(self.scores)
        scores_a, scores_b = (np.stack([scores.oriented(e, m) for m in metrics], axis=1) for e in (a, b))
        complete = (np.isfinite(scores_a) & np.isfinite(scores_b)).all(axis=1)
        if not complete.any():
            raise MissingEvidenceError(
                f"metrics must have a split on which {a!r} and {b!r} both have all scores; got none"
            )
        timed = [m for m in metrics if m in cases.times_of(self.scores)]
        times = (Code.TIMES(f"{m} is taken as measured, once per split.", (m,)) for m in timed)
        return Arguments(
            positional=(scores_a[complete], scores_b[complete]),
            options={"metrics": metrics, **self.procedure.options(self.scores.design)},
            warnings=self._joint_warnings((*times, *about_clusters)),
        )

    def statement_counts(self) -> Arguments:
        """How often each statement about several metrics holds, and the number of cases that the splits are worth."""
        scores = cases.joint_scores(self.scores, self.metric, (self.a, self.b), None)
        (a, b), correlation = scores.values, Correction.of(self.scores.design).fold_correlation
        n_effective = min(effective_cases(scores.values.shape[1], correlation), scores.n_distinct)
        n_effective = min(n_effective, self.scores.design.n_clusters or n_effective)
        return Arguments(
            positional=(dominance_counts(a, b, rope=scores.rope),),
            options={"n_effective": n_effective},
            warnings=self._joint_warnings(scores.warnings),
        )

    def _joint_warnings(self, warnings: Warnings) -> Warnings:
        of_scores = (w for metric in self.metric for w in self.scores.score_warnings(metric, self.a, self.b))
        simulated, _ = rates_like(self.scores, self.procedure.name, left_open=True)
        by_design = not_calibrated(self.scores, self.procedure.name, *self.metric)
        return (*warnings, *joint_size_warnings(simulated.values()), *of_scores, *by_design)


# What a procedure on predictions is given of them, for one question.


TRUTH = ""  # in place of the name of a model
_FEW = 256  # classes whose positions take a byte
_OF_SCORES = 2_000  # exchanges of a callable of scores


@once
def _codes(scores: EvaluationScores, name: str, splits: Splits) -> NDArray[np.uint8] | None:
    """The labels of one model on some splits of a repeat, or the true ones, as positions among few classes."""
    kept = scores.kept_predictions
    if kept is None or scores.task not in ("binary", "multiclass") or len(kept.classes) > _FEW:
        return None
    if name == TRUTH:
        return np.searchsorted(kept.classes, predictions.true_of(scores, splits)).astype(np.uint8)
    found = [kept.folds[name][split].get(CODES) for split in splits]
    known = [codes for codes in found if codes is not None]
    return np.concatenate(known).astype(np.uint8) if len(known) == len(found) else None


def labels_of_all(scores: EvaluationScores, question: Question) -> tuple[NDArray[Any], NDArray[Any], str] | None:
    """Whether samples are of the positive class, and models call them so, and the metric; None of no two classes."""
    try:
        found = pooled_evidence(scores, question)
        metric, classes = found.metric_function, found.classes.tolist()
    except (MissingEvidenceError, ValueError):
        return None
    codes = [_codes(scores, name, found.splits) for name in (TRUTH, *scores.estimators)]
    of = OF_LABELS[metric].of if isinstance(metric, str) and metric in OF_LABELS else ""
    if of not in ("positive", "classes") or len(classes) != 2 or any(one is None for one in codes):
        return None
    positive = np.stack(codes) == classes.index(scores.positive_class)  # type: ignore[arg-type]
    return (positive[0], positive[1:], metric) if 0 < positive[0].sum() < positive.shape[1] else None


def class_scores_of_all(scores: EvaluationScores, question: Question) -> tuple[NDArray[Any], FloatArray] | None:
    """Whether samples are of the positive class, and what models score them, for average precision; None of others."""
    try:
        found = [pooled_evidence(scores, replace(question, a=name, b=name)) for name in scores.estimators]
        known = all(one.metric_function == AVERAGE_PRECISION for one in found)
        every = np.stack([one.predicted(one.a) for one in found]) if known else np.empty(0)
    except (MissingEvidenceError, ValueError):
        return None
    return (found[0].y_true == scores.positive_class, every) if every.ndim == 2 else None


@once
def _correct(scores: EvaluationScores, name: str, splits: Splits) -> NDArray[np.bool_]:
    """Whether one model was right on each sample of some splits of a repeat, once for all pairs."""
    true, labels = _codes(scores, TRUTH, splits), _codes(scores, name, splits)
    if true is None or labels is None:
        return predictions.pool_splits(scores, (name,), splits).correct(name)
    return np.asarray(true == labels)


@once
def _share_right(scores: EvaluationScores, name: str, splits: Splits) -> float:
    return float(_correct(scores, name, splits).mean())


def compared_means(scores: EvaluationScores, record: Any, metric: str, a: str, b: str) -> tuple[float, float]:
    """What a record compared: its own two scores, or the shares of samples that were right."""
    above = scores.above_share(metric)
    for name in ("score", "auc"):
        if hasattr(record, f"{name}_a"):
            return getattr(record, f"{name}_a") + above, getattr(record, f"{name}_b") + above
    splits = predictions.chosen_splits(scores, (a, b))
    return _share_right(scores, a, splits) + above, _share_right(scores, b, splits) + above


@once
def class_warnings(scores: EvaluationScores, name: str, metric: str) -> Warnings:
    """What rare classes make of the scores of one model on one metric."""
    return tuple(rare_class_warnings(scores, name, metric))


@once
def _placed(scores: EvaluationScores, name: str, splits: Splits, of_probabilities: bool) -> Any:
    """The scores of one model on some splits of a repeat: of two classes placed among each other, for all pairs."""
    pooled = predictions.pool_splits(scores, (name,), splits)
    ranked = pooled.probabilities(name)[:, -1] if of_probabilities else pooled.class_scores(name)
    true = pooled.true_codes
    if len(pooled.classes) != 2 or not 0 < np.count_nonzero(true) < len(true) or not np.isfinite(ranked).all():
        return ranked
    return Placed.of(np.unique(ranked, return_inverse=True)[1], true == 1)


class PredictionEvidence(Pooled):
    """Predictions of one test set, for one question; see `skcompare.inference._procedures`."""

    metric: Any
    a: str
    b: str
    procedure: Procedure
    positive: dict[str, Any]
    warnings: Warnings
    clusters: NDArray[np.intp] | None
    scores: EvaluationScores
    ranked: bool

    def class_scores(self, estimator: str) -> Any:
        """Scores of two classes, and for areas their places."""
        of_probabilities = isinstance(self.metric, str) and measures.of_probabilities(self.scores, self.metric)
        if self.ranked:
            return _placed(self.scores, estimator, self.splits, of_probabilities)
        return self.probabilities(estimator)[:, -1] if of_probabilities else Pooled.class_scores(self, estimator)

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
        found = measures.function_of(self.scores, self.metric) if isinstance(self.metric, str) else None
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
        named = measures.named(self.scores, self.metric)
        if named in measures.label_metrics(self.scores.task if self.y_true.ndim > 1 else "binary"):
            return named if METRICS[named].greater_is_better else f"neg_{named}"
        if named == AVERAGE_PRECISION and len(self.classes) == 2 and self.positive["positive"] == self.classes[1]:
            return AVERAGE_PRECISION
        if self._scored is not None:
            return self._scored
        function = measures.of_labels(self.scores, self.metric)
        if function is None:
            raise MissingEvidenceError(
                f"no test of {self.metric!r} on predictions is known: {cases.why_untested(self.scores, self.metric)}"
            )
        if isinstance(function, MetricFunction) and function.is_weighted:
            raise MissingEvidenceError(
                f"no test of {self.metric!r} on predictions is known: its sample_weight is of these samples alone, "
                f"which a test draws anew"
            )
        own = getattr(function, "of_counts", "")
        by_name = own and (self.y_true.ndim == 1 or own in measures.label_metrics(self.scores.task))
        return own if by_name else function


def check_task(scores: EvaluationScores, procedure: Procedure) -> None:
    """ValueError where a procedure needs classes that the target has not; of several labels all may be right."""
    if measures.has_records(scores):
        raise MissingEvidenceError(
            f"procedure {procedure.name!r} needs labels or numbers as y; it holds records{cases.what_fits(scores)}"
        )
    of_sets = scores.task == "multilabel" and procedure.takes is not CLASS_SCORES
    classes = scores.task in ("binary", "multiclass") or of_sets
    if not classes and procedure.takes is not LABELS:
        raise ValueError(
            f"procedure {procedure.name!r} needs predicted classes; the task of this result is {scores.task!r}"
            f"{cases.what_fits(scores)}"
        )


def pooled_evidence(scores: EvaluationScores, question: Question) -> PredictionEvidence:
    """The evidence of a procedure on predictions; ValueError where they are not known, or are no classes."""
    procedure, metric, a, b = question.procedure, question.metric, question.a, question.b
    if scores.kept_predictions is None:
        raise ValueError(f"procedure {procedure.name!r} needs predictions; {scores.why_no_predictions}")
    check_task(scores, procedure)
    pair = (a,) if a == b else (a, b)  # of a result of one model
    concerned = {"all models": scores.estimators, "one model": (a,), "pair": pair}[procedure.takes.subject]
    pooled = predictions.pool(scores, concerned)
    if scores.design.kind == "samples":
        for name in concerned:
            if not predictions.has_predictions(scores, name):
                raise MissingEvidenceError(f"{name!r} did not predict for each sample what y has")
    known = concerned if metric in scores.metrics else ()
    of_classes = (warning for name in known for warning in class_warnings(scores, name, metric))
    unlabelled = (*without_labels(scores, metric), *scores.cost_warnings(metric, *known)) if known else ()
    return PredictionEvidence(
        **{one.name: getattr(pooled, one.name) for one in fields(Pooled)},
        metric=metric,
        a=a,
        b=b,
        procedure=procedure,
        positive={"positive": scores.positive_class} if scores.task == "binary" else {},
        warnings=(*pooled.warnings_of(procedure), *_in_groups(scores, procedure), *of_classes, *unlabelled),
        clusters=cases.case_clusters(scores),
        scores=scores,
        ranked=procedure.name == "delong_test" and "positive" not in question.options,
    )


def _in_groups(scores: EvaluationScores, procedure: Procedure) -> Warnings:
    """That pooled samples stand in groups, of which no procedure on them takes account."""
    n, groups = scores.design.n_samples, scores.design.n_groups
    told = f"{n} samples in {groups} groups count as independent."
    if scores.design.kind == "samples":
        clusters = cases.case_clusters(scores)
        if clusters is None or "clusters" in procedure.keywords:
            return ()
        told = f"{len(clusters)} samples in {scores.design.n_clusters} clusters count as independent."
    elif groups is None or n is None or groups >= n:
        return ()
    return (Code.CLUSTERS_IGNORED(told),)


def training_variance(scores: EvaluationScores, question: Question) -> float:
    """What other training sets add to the variance of losses in time order, as `diebold_mariano_test` takes it.

    Of metrics that depend on how many samples a fitted model calls positive; 0 of others, and of fitted models.
    """
    moved = measures.with_the_training_set(scores.task)
    if not scores.design.time_order or scores.read_as[question.metric] not in moved:
        return 0.0
    splits, chosen = scores.kept_splits, predictions.chosen_splits(scores, (question.a, question.b))
    assert splits is not None
    tested, weights = sum(splits.test_sizes[i] for i in chosen), np.zeros(splits.n_samples)
    for i in chosen:
        train, test = splits[i]
        weights[train] += len(test) / tested / len(train)
    return float(tested * weights @ weights)


class DatasetEvidence(Question):
    """Scores on several data sets, for one question; see `skcompare.inference._procedures`."""

    scores: StudyScores

    @property
    def greater(self) -> bool:
        """Whether more of the metric is better."""
        return self.scores.greater_is_better[self.scores.metric_index(self.metric)]

    def pair(self) -> Arguments:
        """Mean scores of two models."""
        return self._complete([self.scores.oriented(name, self.metric) for name in (self.a, self.b)])

    def _complete(self, sides: Sequence[FloatArray], part: str = "", **options: Any) -> Arguments:
        """The scores of two models on the data sets that have all, shape (n_datasets,) or (n_datasets, n_splits)."""
        known = np.asarray(np.isfinite(sides).reshape(2, len(sides[0]), -1).all(axis=2))
        metric, models = self.metric, (self.a, self.b)
        _, complete, warnings = cases.complete_datasets(self.scores, known.T[:, :, None], [metric], models, part)
        return Arguments(
            positional=(sides[0][complete], sides[1][complete]),
            options=options,
            warnings=(*warnings, *self.scores.split_warnings(metric, models)),
        )

    def pair_splits(self) -> Arguments:
        """Scores of two models on all splits of the data sets on which both have all of them."""
        designs = self.scores.designs
        if any(design.apart for design in designs):
            raise ValueError(
                f"{self.procedure.name!r} needs pairs of scores, and independent runs are none; "
                "'probability_of_improvement' and 'interquartile_mean' take the runs, other tests their means"
            )
        if not designs:
            raise ValueError("this procedure needs the scores of the splits; this study has one score per data set")
        fractions = [design.test_fraction for design in designs]
        if len({design.n_splits for design in designs}) > 1 or np.ptp(fractions) > 0.01:
            shapes = sorted({design.name for design in designs})
            raise ValueError(f"this procedure needs one design for all data sets; got {', '.join(shapes)}")
        m, sign = self.scores.metric_index(self.metric), 1.0 if self.greater else -1.0
        splits = [sign * self.scores.scores[:, self.scores.estimators.index(name), :, m] for name in (self.a, self.b)]
        return self._complete(splits, " of some splits", test_fraction=float(np.mean(fractions)))

    def pair_runs(self) -> Arguments:
        """The independent runs of two models on every data set."""
        (a, warned), (b, _) = (self._runs_of((name,)) for name in (self.a, self.b))
        paired, sign = all(design.paired for design in self.scores.designs), 1.0 if self.greater else -1.0
        return Arguments(positional=(sign * a[0], sign * b[0]), options={"paired": paired}, warnings=warned)

    def runs(self) -> Arguments:
        """The independent runs of all models on every data set, shape (n_models, n_datasets, n_runs)."""
        scores, warnings = self._runs_of(self.scores.estimators)
        read = {"names": self.scores.estimators, "greater_is_better": self.greater}
        options = {name: value for name, value in read.items() if name in self.procedure.keywords}
        return Arguments(positional=(scores,), options=options, warnings=warnings)

    def _runs_of(self, models: Sequence[str]) -> tuple[FloatArray, Warnings]:
        """The runs of some models, in the metric's own units; ValueError where they are none, or differ in number."""
        name, designs = self.procedure.name, self.scores.designs
        other = next((one.name for one in designs if one.kind != "runs"), "" if designs else "one score on each")
        if other:
            raise ValueError(f"{name!r} needs independent runs on every data set, as from_runs reads them; got {other}")
        rows = [self.scores.estimators.index(model) for model in models]
        numbers = {design.n_runs[row] for design in designs for row in rows}
        if len(numbers) > 1:
            models_too = ", and of every model" if len(models) > 1 else ""
            raise ValueError(
                f"{name!r} needs as many runs of a model on every data set{models_too}; "
                f"got {', '.join(map(str, sorted(numbers)))}"
            )
        m = self.scores.metric_index(self.metric)
        values = self.scores.scores[..., m][:, rows, : numbers.pop()].transpose(1, 0, 2)
        return values, (*self.scores.warnings, *self.scores.split_warnings(self.metric, tuple(models)))

    def table(self, *, gaps: bool = False, of_pair: bool = False, of_runs: bool = False) -> Arguments:
        """Mean scores of all models that have any, or their independent runs where there are some.

        Those of a pair must be connected by data sets.
        """
        metric, a, b = self.metric, self.a, self.b
        table, names, warnings = cases.complete_table(self.scores, metric, gaps=gaps, about=(a, b) if of_pair else ())
        if of_pair and (why := why_not_connected(self.scores, metric, a, b)):
            raise MissingEvidenceError(why)
        if of_runs and self.scores.designs and all(design.apart for design in self.scores.designs):
            models = [self.scores.estimators.index(name) for name in names]
            table = self.scores.scores[..., self.scores.metric_index(metric)][:, models]
        return Arguments(
            positional=(table,),
            options={"greater_is_better": self.greater, "names": names, **({"a": a, "b": b} if of_pair else {})},
            warnings=warnings,
        )


def why_not_connected(scores: StudyScores, metric: str, a: str, b: str) -> str:
    """Why no chain of data sets leads from one model to another one; empty where one does."""
    table = scores.means(metric)
    places = [scores.estimators.index(name) for name in (a, b)]
    for name, place in zip((a, b), places, strict=True):
        if not np.isfinite(table[:, place]).any():
            return f"{name!r} has no score of {metric}"
    sets = adjusted_means(table).sets
    return "" if sets[places[0]] == sets[places[1]] else not_connected(sets, [*map(repr, scores.estimators)], *places)
