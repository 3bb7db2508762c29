"""What the procedures on several data sets are given: mean scores, one case per data set, for one question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.names import choose_metrics
from skcompare._core.numbers import briefly
from skcompare._core.printable import some_names
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.calibrated import CalibratedChoice
from skcompare.comparison.fold_evidence import Question, check_takes_null
from skcompare.comparison.measures import check_measured, measured
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.table import mean_score
from skcompare.inference import signed_rank_posterior
from skcompare.inference._forms import Arguments, Procedure
from skcompare.inference._procedures import STUDY_PROCEDURES, find_study_procedure
from skcompare.scores.evaluation import criterion_warnings, is_judged
from skcompare.scores.study import StudyScores


def scored_rows(found: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The models that have all scores of a data set, so that one without any blanks no other; all where few have.

    `found` has shape (n_datasets, n_estimators, n_metrics).
    """
    scored = found.all(axis=2).any(axis=0)
    return np.flatnonzero(scored if scored.sum() > 1 else np.ones_like(scored))


def complete_datasets(
    scores: StudyScores, found: Any, metrics: Sequence[str], estimators: Sequence[str], part: str = ""
) -> tuple[CodedWarning, ...]:
    """The warnings of a procedure that uses the data sets with all scores: which model lacks which of them, and where.

    `found` has shape (n_datasets, n_estimators, n_metrics).

    Raises
    ------
    MissingEvidenceError
        If no data set has all of them.
    """
    rows = list(scored_rows(found))
    left_out = [name for i, name in enumerate(estimators) if i not in rows]
    found, estimators = found[:, rows], [estimators[i] for i in rows]
    if not found.all(axis=(1, 2)).any():
        raise MissingEvidenceError(
            f"no data set has scores of {briefly(metrics)} of {briefly([*map(repr, estimators)])}"
        )
    told = (
        Code.MISSING_SCORES(
            f"{name!r} has no score of {briefly(metrics)} and is left out: run it there.", (*metrics, name)
        )
        for name in left_out
    )
    return (*scores.warnings, *told, *lacking(scores, found, metrics, estimators, part))


def lacking(
    scores: StudyScores, found: Any, metrics: Sequence[str], estimators: Sequence[str], part: str = ""
) -> list[CodedWarning]:
    """Which model lacks which score, and where; `found` as in `complete_datasets`."""
    warnings = []
    for j, metric in enumerate(metrics):
        for i, name in enumerate(estimators):
            without = [dataset for dataset, there in zip(scores.datasets, found[:, i, j], strict=True) if not there]
            if without:
                where = f"{len(without)} of {len(scores.datasets)} data sets"
                remedy = f"Its comparisons leave them out: run it on {some_names(without, 5)}."
                lacks = f"{name!r} lacks {metric}{part} on {where}. {remedy}"
                warnings.append(Code.MISSING_SCORES(lacks, (metric, name)))
    return warnings


def complete_table(
    scores: StudyScores, metric: str, *, gaps: bool = False
) -> tuple[FloatArray, tuple[str, ...], tuple[CodedWarning, ...]]:
    """Mean scores of all models that have any, on the data sets that have all of them unless `gaps` are allowed."""
    table, found = scores.means(metric), scores.split_warnings(metric, scores.estimators)
    if gaps:
        return table, scores.estimators, (*scores.warnings, *found)
    known = np.isfinite(table)
    warnings = complete_datasets(scores, known[:, :, None], [metric], scores.estimators)
    rows = scored_rows(known[:, :, None])
    names = tuple(scores.estimators[i] for i in rows)
    return table[known[:, rows].all(axis=1)][:, rows], names, (*warnings, *found)


@dataclass(frozen=True, slots=True)
class DatasetEvidence:
    """Scores on several data sets, for one question; see `skcompare.inference._forms`."""

    scores: StudyScores
    question: Question

    def pair(self) -> Arguments:
        """Mean scores of two models."""
        metric, a, b = self.question.metric, self.question.a, self.question.b
        sides = [self.scores.oriented(name, metric) for name in (a, b)]
        known = np.isfinite(sides)
        complete = known.all(axis=0)
        warnings = complete_datasets(self.scores, known.T[:, :, None], [metric], [a, b])
        return Arguments(
            positional=(sides[0][complete], sides[1][complete]),
            warnings=(*warnings, *self.scores.split_warnings(metric, (a, b))),
        )

    def pair_splits(self) -> Arguments:
        """Scores of two models on all splits of the data sets on which both have all of them."""
        designs = self.scores.designs
        if any(design.apart for design in designs):
            raise ValueError(
                f"{self.question.procedure.name!r} needs pairs of scores, and independent runs are none; "
                "'probability_of_improvement' and 'interquartile_mean' take the runs, other tests their means"
            )
        metric, a, b = self.question.metric, self.question.a, self.question.b
        if not designs:
            raise ValueError("this procedure needs the scores of the splits; this study has one score per data set")
        fractions = [design.test_fraction for design in designs]
        if len({design.n_splits for design in designs}) > 1 or np.ptp(fractions) > 0.01:
            shapes = sorted({design.name for design in designs})
            raise ValueError(f"this procedure needs one design for all data sets; got {', '.join(shapes)}")
        m = self.scores.metric_index(metric)
        sign = 1.0 if self.scores.greater_is_better[m] else -1.0
        splits = [sign * self.scores.scores[:, self.scores.estimators.index(name), :, m] for name in (a, b)]
        known = np.asarray(np.isfinite(splits).all(axis=2))
        complete = known.all(axis=0)
        warnings = complete_datasets(self.scores, known.T[:, :, None], [metric], [a, b], " of some splits")
        return Arguments(
            positional=(splits[0][complete], splits[1][complete]),
            options={"test_fraction": float(np.mean(fractions))},
            warnings=(*warnings, *self.scores.split_warnings(metric, (a, b))),
        )

    def pair_runs(self) -> Arguments:
        """The independent runs of two models on every data set."""
        metric = self.question.metric
        (a, warned), (b, _) = (self._runs_of((name,)) for name in (self.question.a, self.question.b))
        paired = all(design.paired for design in self.scores.designs)
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(metric)] else -1.0
        return Arguments(positional=(sign * a[0], sign * b[0]), options={"paired": paired}, warnings=warned)

    def runs(self) -> Arguments:
        """The independent runs of all models on every data set, shape (n_models, n_datasets, n_runs)."""
        scores, warnings = self._runs_of(self.scores.estimators)
        greater = self.scores.greater_is_better[self.scores.metric_index(self.question.metric)]
        read = {"names": self.scores.estimators, "greater_is_better": greater}
        options = {name: value for name, value in read.items() if name in self.question.procedure.keywords}
        return Arguments(positional=(scores,), options=options, warnings=warnings)

    def _runs_of(self, models: Sequence[str]) -> tuple[FloatArray, tuple[CodedWarning, ...]]:
        """The runs of some models, in the metric's own units; ValueError where they are none, or differ in number."""
        name, designs = self.question.procedure.name, self.scores.designs
        other = next(
            (design.name for design in designs if design.kind != "runs"), "" if designs else "one score on each"
        )
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
        m = self.scores.metric_index(self.question.metric)
        values = self.scores.scores[..., m][:, rows, : numbers.pop()].transpose(1, 0, 2)
        return values, (*self.scores.warnings, *self.scores.split_warnings(self.question.metric, tuple(models)))

    def table(self, *, gaps: bool = False) -> Arguments:
        """Mean scores of all models."""
        metric = self.question.metric
        table, names, warnings = complete_table(self.scores, metric, gaps=gaps)
        greater = self.scores.greater_is_better[self.scores.metric_index(metric)]
        return Arguments(
            positional=(table,),
            options={"greater_is_better": greater, "names": names},
            warnings=warnings,
        )


@dataclass(frozen=True, slots=True)
class StudyQuestions:
    """How questions about several data sets are read and answered."""

    scores: StudyScores
    set_by = "study"

    def find(
        self,
        name: str,
        options: Mapping[str, Any],  # noqa: ARG002
        *,
        metric: Any = None,  # noqa: ARG002
        of_pair: bool = False,
        null: float = 0.0,
    ) -> Procedure:
        """The row of the table; a null hypothesis other than 0 is about a pair."""
        found = find_study_procedure(name, n_models=2 if of_pair or null else len(self.scores.estimators))
        check_takes_null(found, null, STUDY_PROCEDURES)
        return found

    def metric_for(self, procedure: Procedure, metric: Any) -> Any:  # noqa: ARG002
        """The metric asked for, or the first."""
        metric = measured(self.scores)[0] if metric is None else metric
        self.scores.metric_index(metric)
        return metric

    def metrics_for(self, name: str, procedure: Procedure, metrics: str | Sequence[str] | None) -> tuple[str, ...]:  # noqa: ARG002
        """The metrics asked for, or all."""
        return choose_metrics(metrics, self.scores.metrics)

    def choose(self, name: str, procedure: Procedure, metric: Any, a: str, b: str) -> CalibratedChoice:  # noqa: ARG002
        """The test of a comparison."""
        return CalibratedChoice(procedure=procedure)

    def set_options(self, procedure: Procedure) -> set[str]:
        """The options that the scores set."""
        return set(procedure.takes.set_by_evidence)

    def evidence(self, question: Question) -> DatasetEvidence:
        """What the procedure of a question takes."""
        check_measured(self.scores, question.metric)
        return DatasetEvidence(self.scores, question)

    def pair(self, metric: str, a: str, b: str) -> tuple[FloatArray, FloatArray]:
        """Mean scores of two models on the data sets on which both have one, greater is better."""
        if is_judged(self.scores.provenance, metric):
            return np.empty(0), np.empty(0)
        scores_a, scores_b = self.scores.oriented(a, metric), self.scores.oriented(b, metric)
        complete = np.isfinite(scores_a) & np.isfinite(scores_b)
        return scores_a[complete], scores_b[complete]

    def means(
        self,
        procedure: Procedure,  # noqa: ARG002
        record: Any,  # noqa: ARG002
        compared: tuple[str, str, str],
        paired: tuple[FloatArray, FloatArray],
    ) -> tuple[float, float]:
        """The two means that were compared, in the metric's own units."""
        sign = 1.0 if self.scores.greater_is_better[self.scores.metric_index(compared[0])] else -1.0
        own = [self.scores.oriented(name, compared[0]) for name in compared[1:]]
        mean_a, mean_b = map(mean_score, paired if paired[0].size else own)
        return sign * mean_a, sign * mean_b

    def posterior(self, a: FloatArray, b: FloatArray, rope: float) -> Any:
        """The posterior of practical equivalence of a procedure, None where there are no scores."""
        return signed_rank_posterior(a, b, rope=rope, rng=self.scores.seed) if a.size else None

    def warnings(self, metric: str, a: str, b: str) -> tuple[CodedWarning, ...]:
        """Why a pair cannot be compared."""
        if is_judged(self.scores.provenance, metric):
            return criterion_warnings(self.scores.provenance, metric)
        return (
            Code.MISSING_SCORES(
                f"no data set has scores of {metric} of {a!r} and {b!r}. Run both on some.", (metric, a, b)
            ),
        )
