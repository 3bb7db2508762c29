"""What the procedures on one data set are given: the scores of its splits, for one question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from skcompare._core.names import choose_metrics
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.among_candidates import PROCEDURE
from skcompare.comparison.calibrated import CalibratedChoice, choose_calibrated
from skcompare.comparison.joint import TIMES, check_metric_count, joint_scores
from skcompare.comparison.predictions import MissingEvidenceError, pool, pooled_evidence
from skcompare.comparison.table import mean_score
from skcompare.inference import correlated_t_posterior, dominance_counts, effective_cases
from skcompare.inference._forms import LABELS, STATEMENT_COUNTS
from skcompare.inference._procedure import Arguments, Procedure
from skcompare.inference._procedures import find_procedure
from skcompare.inference._simulated import joint_size_warnings
from skcompare.scores.evaluation import EvaluationScores


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
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


@dataclass(frozen=True, slots=True)
class FoldEvidence:
    """Scores of the splits of one data set, for one question; see `skcompare.inference._forms`."""

    scores: EvaluationScores
    question: Question

    def pair(self, *, by_repeat: bool = False) -> Arguments:
        """The pairs of scores that exist, flat or a row per complete repeat."""
        asked, design = self.question, self.scores.design
        metric, a, b = asked.metric, asked.a, asked.b
        scores_a, scores_b = self.scores.oriented(a, metric), self.scores.oriented(b, metric)
        complete = np.isfinite(scores_a) & np.isfinite(scores_b)
        warnings = self.scores.score_warnings(metric, a, b)
        if by_repeat:
            complete_repeats = complete.reshape(design.n_repeats, design.n_folds).all(axis=1)
            left = replace(design, n_repeats=int(complete_repeats.sum()))
            if not asked.procedure.fits(left, asked.options):
                raise MissingEvidenceError(
                    f"procedure {asked.procedure.name!r} needs {asked.procedure.designs}; without the missing pairs of "
                    f"scores of {metric!r} this is {left.name}. {' '.join(warnings)}"
                )
            complete = np.repeat(complete_repeats, design.n_folds)
        if not complete.any():
            raise MissingEvidenceError(f"metric {metric!r} has no pair of scores of {a!r} and {b!r} left to test")
        shape = (-1, design.n_folds) if by_repeat else (-1,)
        return Arguments(
            positional=(scores_a[complete].reshape(shape), scores_b[complete].reshape(shape)),
            options=asked.procedure.options(design),
            warnings=warnings,
        )

    def error_rates(self) -> Arguments:
        """The error rates of one model on the splits on which it has one."""
        metric, a = self.question.metric, self.question.a
        accuracy = self.scores.score(a, metric)
        rates = 1 - accuracy[np.isfinite(accuracy)]
        if not rates.size:
            raise ValueError(f"metric {metric!r} has no score of {a!r} to test")
        return Arguments(
            positional=(rates,),
            options=self.question.procedure.options(self.scores.design),
            warnings=self.scores.score_warnings(metric, a),
        )

    def every_model(self) -> Arguments:
        """The scores on the splits on which all models have one."""
        metric, design = self.question.metric, self.scores.design
        m = self.scores.metric_index(metric)
        scores = self.scores.scores[:, :, m].T
        complete = np.isfinite(scores).all(axis=1)
        n_left = int(complete.sum())
        if not n_left:
            raise MissingEvidenceError(f"metric {metric!r} has no split on which all estimators have a score")
        warnings: tuple[CodedWarning, ...] = ()
        if n_left < design.n_splits:
            repeats, folds = (1, n_left) if design.n_repeats == 1 else (n_left, 1)
            design = replace(design, n_splits=n_left, n_repeats=repeats, n_folds=folds)
            used = f"{metric} is used on the {n_left} splits on which all estimators have a score."
            warnings = (Code.MISSING(used, (metric,)),)
        names = self.scores.estimators
        read = {"names": names, "greater_is_better": self.scores.greater_is_better[m]}
        return Arguments(
            positional=(scores[complete],),
            options={**read, **self.question.procedure.options(design)},
            warnings=(*warnings, *self.scores.score_warnings(metric, *names)),
        )

    def score_vectors(self) -> Arguments:
        """The scores of two models on several metrics, on the splits on which both have all."""
        metrics, a, b = self.question.metric, self.question.a, self.question.b
        scores_a, scores_b = (np.stack([self.scores.oriented(e, m) for m in metrics], axis=1) for e in (a, b))
        complete = (np.isfinite(scores_a) & np.isfinite(scores_b)).all(axis=1)
        if not complete.any():
            raise MissingEvidenceError(
                f"metrics must have a split on which {a!r} and {b!r} both have all scores; got none"
            )
        times = (Code.TIMES(f"{m} is taken as measured, once per split.", (m,)) for m in metrics if m in TIMES)
        return Arguments(
            positional=(scores_a[complete], scores_b[complete]),
            options={"metrics": metrics, **self.question.procedure.options(self.scores.design)},
            warnings=self._joint_warnings(tuple(times)),
        )

    def statement_counts(self) -> Arguments:
        """How often each statement about several metrics holds, and the number of cases that the splits are worth."""
        asked = self.question
        scores = joint_scores(self.scores, asked.metric, asked.a, asked.b, None)
        n_effective = min(effective_cases(len(scores.a), self.scores.design.test_fraction), scores.n_distinct)
        return Arguments(
            positional=(dominance_counts(scores.a, scores.b, rope=scores.rope),),
            options={"n_effective": n_effective},
            warnings=self._joint_warnings(scores.warnings),
        )

    def _joint_warnings(self, warnings: tuple[CodedWarning, ...]) -> tuple[CodedWarning, ...]:
        asked = self.question
        of_scores = (w for metric in asked.metric for w in self.scores.score_warnings(metric, asked.a, asked.b))
        return (*warnings, *joint_size_warnings(asked.procedure.name, self.scores.design), *of_scores)


@dataclass(frozen=True, slots=True)
class EvaluationQuestions:
    """How questions about one data set are read and answered."""

    scores: EvaluationScores
    set_by = "design"

    def find(self, name: str, options: Mapping[str, Any], *, of_pair: bool = False) -> Procedure:  # noqa: ARG002
        """The row of the table; ValueError where it does not fit the design."""
        if name == "auto" and self.scores.selected is not None:
            name = PROCEDURE  # the test of the ranking
        return find_procedure(name, self.scores.design, options)

    def metric_for(self, procedure: Procedure, metric: Any) -> Any:
        """The metric asked for, or the first that a procedure can speak of; of joint procedures the metrics."""
        known = self.scores.metrics
        if procedure.takes.joint:
            names = choose_metrics(metric, known)
            return check_metric_count(names) if procedure.takes is STATEMENT_COUNTS else names
        if callable(metric) and procedure.takes is LABELS:
            return metric
        if metric is None:
            spoken = [name for name in known if not procedure.metrics or name in procedure.metrics]
            if not spoken and procedure.takes.kind == "fold scores":
                raise ValueError(
                    f"procedure {procedure.name!r} needs {' or '.join(procedure.metrics)} among the metrics"
                )
            return spoken[0] if spoken else procedure.metrics[0]
        if procedure.metrics and metric not in procedure.metrics:
            raise ValueError(f"metric must be {' or '.join(procedure.metrics)} for {procedure.name!r}; got {metric!r}")
        if procedure.takes.kind == "fold scores":
            self.scores.metric_index(metric)
        return metric

    def metrics_for(self, procedure: Procedure, metrics: str | Sequence[str] | None) -> tuple[str, ...]:
        """The metrics asked for, or all that a procedure can speak of."""
        known = self.scores.metrics
        if not procedure.metrics:
            return choose_metrics(metrics, known)
        spoken = tuple(name for name in known if name in procedure.metrics)
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
        return {*procedure.options(self.scores.design), *procedure.takes.set_by_evidence}

    def evidence(self, question: Question) -> Any:
        """What the procedure of a question takes."""
        if question.procedure.takes.kind == "predictions":
            return pooled_evidence(self.scores, question.procedure, question.metric, question.a, question.b)
        return FoldEvidence(self.scores, question)

    def pair(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray]:
        """The scores of two models on the splits on which both have one, greater is better."""
        scores_a, scores_b = self.scores.oriented(a, metric), self.scores.oriented(b, metric)
        with np.errstate(invalid="ignore", over="ignore"):  # of scores that are not finite
            complete = np.isfinite(scores_a - scores_b)
        return scores_a[complete], scores_b[complete]

    def means(
        self, procedure: Procedure, record: Any, compared: tuple[str, str, str], paired: tuple[FloatArray, FloatArray]
    ) -> tuple[float, float]:
        """The two scores that were compared, in the metric's own units: of the paired ones, else of each alone."""
        metric, a, b = compared
        if record is not None and procedure.takes.kind == "predictions":
            return pool(self.scores, (a, b)).means(record, a, b)
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(metric)] else -1.0
        if not paired[0].size:
            paired = self.scores.oriented(a, metric), self.scores.oriented(b, metric)
        mean_a, mean_b = map(mean_score, paired)
        return sign * mean_a, sign * mean_b

    def posterior(self, a: FloatArray, b: FloatArray, rope: float) -> Any:
        """The posterior of practical equivalence of a procedure, None where there are no scores."""
        if not a.size:
            return None
        return correlated_t_posterior(a, b, test_fraction=self.scores.design.test_fraction, rope=rope)

    def warnings(self, metric: str, a: str, b: str) -> tuple[CodedWarning, ...]:
        """Why a pair cannot be compared."""
        return self.scores.score_warnings(metric, a, b)
