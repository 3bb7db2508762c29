"""How questions about one data set are read and answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

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
    why_untested,
)
from skcompare.comparison.fold_evidence import FoldEvidence, Question, check_takes_null
from skcompare.comparison.joint import check_metric_count
from skcompare.comparison.measured import check_measured, measured
from skcompare.comparison.measures import measure, of_labels, of_scores
from skcompare.comparison.once import once
from skcompare.comparison.prediction_evidence import check_task, class_warnings, compared_means, pooled_evidence
from skcompare.comparison.predictions import MissingEvidenceError, check_unweighted, chosen_splits
from skcompare.comparison.sample_values import with_the_training_set
from skcompare.comparison.table import mean_score
from skcompare.inference import correlated_t_posterior
from skcompare.inference._forms import IN_ORDER, IN_TIME, LABELS, STATEMENT_COUNTS
from skcompare.inference._overlap import Correction, default_t_test
from skcompare.inference._procedure import Procedure
from skcompare.inference._procedures import PROCEDURES, find_procedure
from skcompare.scores.criteria import criterion_warnings, is_judged
from skcompare.scores.evaluation import EvaluationScores


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
        if found and procedure.takes.kind == "predictions":
            return compared_means(self.scores, record, a, b)
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(metric)] else -1.0
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
        return (*found, Code.MISSING(f"{metric} is not tested: {why}.", (metric,)))
