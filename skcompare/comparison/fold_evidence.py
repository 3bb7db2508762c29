"""What the procedures on one data set are given: the scores of its splits or cases, for one question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import Checked, FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.calibrated import not_calibrated
from skcompare.comparison.joint import by_cluster, joint_scores, times_of
from skcompare.comparison.measures import (
    function_of,
    has_sample_values,
    measure,
    reads_labels,
    sample_metrics,
    value_of_samples,
)
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError, folds_of, has_predictions, pool_splits, sample_losses
from skcompare.evaluation.prepare import InnerSplits
from skcompare.inference import dominance_counts, effective_cases
from skcompare.inference._forms import Arguments, Procedure
from skcompare.inference._overlap import Correction
from skcompare.inference._simulated import joint_size_warnings
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.simulated import simulations_left_open

# What nested cross-validation is fed with: the values of the samples in the ordinary fits, and in the inner ones.


Folds = list[list[FloatArray]]  # per repeat and fold, one array


@once
def nested_values(scores: EvaluationScores, model: str, metric: str) -> tuple[Folds, Folds]:
    """Values of the samples, greater for a better model: of each fold, and of all others in the fits without both.

    Raises
    ------
    ValueError
        If the inner fits were not made.
    MissingEvidenceError
        If the model has none of them, one failed, or the metric is no mean of a value per sample.
    """
    if scores.inner_predictions is None or scores.kept_splits is None:
        raise ValueError("nested cross-validation takes the inner fits of PairedEvaluator(nested=True)")
    if not has_sample_values(scores, metric):
        known = ", ".join(map(repr, sample_metrics(scores.task)))
        raise MissingEvidenceError(
            f"metric {metric!r} is no mean of a value per sample, as nested cross-validation takes it; these are: "
            f"{known}"
        )
    if not any(scores.inner_predictions.labelled(model)):
        where = InnerSplits.of(scores.kept_splits).place(0)
        raise MissingEvidenceError(f"{model!r} has no inner fits: none was made or all failed, the first {where}")
    splits, inner = scores.kept_splits, _inner(scores)
    outer_values = _of_splits(scores, model, metric)
    inner_values = _of_splits(inner, model, metric)
    assert splits.fold_ids is not None
    found_outer, found_inner = [], []
    for repeat, ids in enumerate(splits.fold_ids):
        found_outer.append(outer_values[repeat * splits.n_folds : (repeat + 1) * splits.n_folds])
        others: list[list[FloatArray]] = [[] for _ in range(splits.n_folds)]
        for pair, (f, g) in enumerate(InnerSplits.of(splits).folds):
            values = inner_values[repeat * inner.design.n_folds + pair]
            of_first = ids[np.isin(ids, (f, g))] == f
            others[f].append(values[~of_first])
            others[g].append(values[of_first])
        found_inner.append([np.concatenate(parts) for parts in others])
    return found_outer, found_inner


@once
def _inner(scores: EvaluationScores) -> EvaluationScores:
    """The scores as those of the inner fits, as far as predictions are read of them."""
    assert scores.kept_splits is not None
    splits = InnerSplits.of(scores.kept_splits)
    design = replace(scores.design, n_folds=splits.n_folds, n_splits=len(splits), partition=False)
    return replace(scores, design=design, kept_splits=splits, kept_predictions=scores.inner_predictions)


def _of_splits(scores: EvaluationScores, model: str, metric: str) -> list[FloatArray]:
    """The values of the test samples of every split."""
    assert scores.kept_predictions is not None
    lacking = [i for i, known in enumerate(scores.kept_predictions.labelled(model)) if not known]
    if lacking:
        assert scores.kept_splits is not None
        raise MissingEvidenceError(f"{model!r} failed {scores.kept_splits.place(lacking[0])}")
    if not has_predictions(scores, model):
        raise MissingEvidenceError(f"{model!r} did not predict for each sample what y has")
    how = (scores.read_as.get(metric, metric), scores.task, function_of(scores, metric))
    splits = range(scores.design.n_splits)
    return [value_of_samples(pool_splits(scores, (model,), (split,)), model, *how) for split in splits]


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


def check_takes_null(procedure: Procedure, null: float, fitting: Sequence[Procedure]) -> None:
    """Raise ValueError where a procedure cannot test a difference other than 0, naming those that can."""
    if null and not procedure.takes_null:
        able = ", ".join(repr(row.name) for row in fitting if row.takes_null)
        raise ValueError(
            f"null must be 0 for {procedure.name!r}, which tests no other; got {null:g}. These can: {able}"
        )


@dataclass(frozen=True, slots=True)
class FoldEvidence:
    """Scores of the splits of one data set, or of cases, for one question; see `skcompare.inference._forms`.

    `told` are the warnings of the predictions that cases were made of, `training_variance` what other training sets add
    to the variance of these.
    """

    scores: EvaluationScores
    question: Question
    told: tuple[CodedWarning, ...] = ()
    training_variance: float = 0.0

    @property
    def names(self) -> tuple[str, ...]:
        """The models, of outcomes that are right or wrong."""
        return self.scores.estimators

    @property
    def a(self) -> str:
        """The first model asked about."""
        return self.question.a

    @property
    def b(self) -> str:
        """The second model asked about."""
        return self.question.b

    @property
    def greater_is_better(self) -> bool:
        """Whether more of the metric is better."""
        return self.scores.greater_is_better[self.scores.metric_index(self.question.metric)]

    @property
    def warnings(self) -> tuple[CodedWarning, ...]:
        """What is wrong with outcomes that are right or wrong."""
        return (*self.scores.score_warnings(self.question.metric, self.a, self.b), *self._ignored_clusters())

    def correct(self, model: str) -> NDArray[np.bool_]:
        """Whether one model was right, per item."""
        outcomes = self.scores.score(model, self.question.metric)
        if measure(self.scores, self.question.metric) != "rate":
            raise ValueError(
                f"metric must be right or wrong (1 or 0) on every item for {self.question.procedure.name!r}"
            )
        return np.asarray(outcomes == 1, dtype=bool)

    def _ignored_clusters(self) -> tuple[CodedWarning, ...]:
        """That a procedure takes items of one cluster for independent."""
        if self.scores.clusters is None or "clusters" in self.question.procedure.keywords:
            return ()
        n = len(np.unique(self.scores.clusters))
        return (Code.CLUSTERS_IGNORED(f"{len(self.scores.clusters)} cases in {n} clusters count as independent."),)

    def pair(self, *, by_repeat: bool = False) -> Arguments:
        """The pairs of scores that exist, flat or a row per complete repeat; of independent runs the scores of each."""
        asked, design = self.question, self.scores.design
        metric, a, b = asked.metric, asked.a, asked.b
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
            if not asked.procedure.fits(left, asked.options):
                raise MissingEvidenceError(
                    f"procedure {asked.procedure.name!r} needs {asked.procedure.designs}; without the missing pairs of "
                    f"scores of {metric!r} this is {left.name}. {' '.join(warnings)}"
                )
            complete = np.repeat(complete_repeats, design.n_folds)
        if not complete.any():
            raise MissingEvidenceError(f"metric {metric!r} has no pair of scores of {a!r} and {b!r} left to test")
        return self._arguments(scores_a[complete].reshape(shape), scores_b[complete].reshape(shape), complete)

    def repeats_and_losses(self) -> Arguments:
        """The pairs of scores of each repeat, with the losses of the samples of both models and their folds."""
        asked, names = self.question, (self.a, self.b)
        if not reads_labels(self.scores, asked.metric):
            raise MissingEvidenceError(
                f"procedure {asked.procedure.name!r} needs a metric of the labels or numbers that were predicted; "
                f"{asked.metric!r} is none, or not known to be one"
            )
        if not self.scores.has_all(names, (asked.metric,)):
            raise MissingEvidenceError(
                f"procedure {asked.procedure.name!r} needs scores of {asked.metric!r} on all splits"
            )
        found = self.pair(by_repeat=True)
        families = tuple(self.scores.families[name] for name in names)
        return replace(
            found,
            positional=(
                *found.positional,
                *(sample_losses(self.scores, name) for name in names),
                folds_of(self.scores),
            ),
            options={**found.options, "families": families},
        )

    def _arguments(self, a: Any, b: Any, used: NDArray[np.bool_] | slice) -> Arguments:
        """The scores of a pair with what else its procedure takes of the cases that are `used`."""
        asked = self.question
        options = dict(asked.procedure.options(self.scores.design))
        if self.scores.clusters is not None and "clusters" in asked.procedure.keywords:
            options["clusters"] = self.scores.clusters[used]
        of_scores = (*self.told, *self.scores.score_warnings(asked.metric, asked.a, asked.b))
        if "overlap" in options:
            of_scores += not_calibrated(self.scores, asked.procedure.name, asked.metric)
        return Arguments(positional=(a, b), options=options, warnings=(*of_scores, *self._ignored_clusters()))

    def nested_differences(self) -> Arguments:
        """The differences of two models' values of the samples, of the ordinary fits and of the inner ones."""
        asked = self.question
        of_a, of_b = (nested_values(self.scores, model, asked.metric) for model in (asked.a, asked.b))
        differences = [
            [[a - b for a, b in zip(*folds, strict=True)] for folds in zip(*repeats, strict=True)]
            for repeats in zip(of_a, of_b, strict=True)
        ]
        warnings = self.scores.score_warnings(asked.metric, asked.a, asked.b)
        return Arguments(positional=tuple(differences), warnings=warnings)

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
        """The scores on the splits on which all models that have any score have one."""
        metric = self.question.metric
        grouped, about_clusters = by_cluster(self.scores)
        m, design = grouped.metric_index(metric), grouped.design
        scores = grouped.scores[:, :, m].T
        scored = np.isfinite(scores).any(axis=0)
        rows = np.flatnonzero(scored if scored.sum() > 1 else np.ones_like(scored))
        complete = np.isfinite(scores[:, rows]).all(axis=1)
        n_left = int(complete.sum())
        if not n_left:
            raise MissingEvidenceError(f"metric {metric!r} has no split on which all estimators have a score")
        warnings: tuple[CodedWarning, ...] = ()
        options = dict(self.question.procedure.options(design))
        if n_left < design.n_splits:
            if "n_folds" in options:
                options["n_folds"] = n_left if design.n_repeats == 1 else 1
            used = f"{metric} is used on the {n_left} {design.cases} on which all estimators have a score."
            warnings = (Code.MISSING_SCORES(used, (metric,)),)
        if "overlap" in options:
            warnings += not_calibrated(self.scores, self.question.procedure.name, metric)
        names = [self.scores.estimators[i] for i in rows]
        read = {"names": names, "greater_is_better": self.scores.greater_is_better[m]}
        return Arguments(
            positional=(scores[complete][:, rows],),
            options={**read, **options},
            warnings=(*warnings, *about_clusters, *self.scores.score_warnings(metric, *self.scores.estimators)),
        )

    def score_vectors(self) -> Arguments:
        """The scores of two models on several metrics, on the splits on which both have all."""
        metrics, a, b = self.question.metric, self.question.a, self.question.b
        scores, about_clusters = by_cluster(self.scores)
        scores_a, scores_b = (np.stack([scores.oriented(e, m) for m in metrics], axis=1) for e in (a, b))
        complete = (np.isfinite(scores_a) & np.isfinite(scores_b)).all(axis=1)
        if not complete.any():
            raise MissingEvidenceError(
                f"metrics must have a split on which {a!r} and {b!r} both have all scores; got none"
            )
        timed = [m for m in metrics if m in times_of(self.scores)]
        times = (Code.TIMES(f"{m} is taken as measured, once per split.", (m,)) for m in timed)
        return Arguments(
            positional=(scores_a[complete], scores_b[complete]),
            options={"metrics": metrics, **self.question.procedure.options(self.scores.design)},
            warnings=self._joint_warnings((*times, *about_clusters)),
        )

    def statement_counts(self) -> Arguments:
        """How often each statement about several metrics holds, and the number of cases that the splits are worth."""
        asked = self.question
        scores = joint_scores(self.scores, asked.metric, asked.a, asked.b, None)
        correlation = Correction.of(self.scores.design).fold_correlation
        n_effective = min(effective_cases(len(scores.a), correlation), scores.n_distinct)
        n_effective = min(n_effective, self.scores.design.n_clusters or n_effective)
        return Arguments(
            positional=(dominance_counts(scores.a, scores.b, rope=scores.rope),),
            options={"n_effective": n_effective},
            warnings=self._joint_warnings(scores.warnings),
        )

    def _joint_warnings(self, warnings: tuple[CodedWarning, ...]) -> tuple[CodedWarning, ...]:
        asked = self.question
        of_scores = (w for metric in asked.metric for w in self.scores.score_warnings(metric, asked.a, asked.b))
        simulated = simulations_left_open(self.scores, asked.procedure.name)
        by_design = not_calibrated(self.scores, asked.procedure.name, *asked.metric)
        return (*warnings, *joint_size_warnings(simulated), *of_scores, *by_design)
