"""What a report shows of a study, computed once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skcompare._core.numbers import counted, one_of
from skcompare.comparison.answer import answer
from skcompare.comparison.compare import compare
from skcompare.comparison.dominance import DominanceRow, dominance_table
from skcompare.comparison.means import Ranking, metric_means, rank
from skcompare.comparison.measures import measured
from skcompare.inference._procedures import find_study_procedure
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.warnings import first_of_each_kind, located_warnings, over_metrics
from skcompare.scores.study import StudyScores


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedModel:
    """A model in the ranking on one metric: its mean rank, its mean score, and the letters of its group."""

    name: str
    mean_rank: float
    mean: float
    group: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingSummary:
    """The models ranked on one metric, the best first.

    Attributes
    ----------
    metric : str
        The metric.
    n : int
        Data sets on which two models or more have a score.
    pvalue : float
        Of the hypothesis that all models are equally good.
    method : str
        Its test.
    models : tuple of RankedModel
        The best first.
    """

    metric: str
    n: int
    pvalue: float
    method: str
    models: tuple[RankedModel, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySummary(ComparedSummary):
    """Everything that a report shows of a study.

    Attributes
    ----------
    datasets : tuple of str
        The data sets.
    designs : tuple of str
        The different ways in which they were resampled; empty where none is known.
    rankings : tuple of RankingSummary
        Of three models or more, one per metric that all have on some data set.
    """

    datasets: tuple[str, ...]
    designs: tuple[str, ...]
    rankings: tuple[RankingSummary, ...]

    @property
    def how_many(self) -> str:
        """``7 data sets``, or tasks."""
        return counted(len(self.datasets), one_of(self.answer.cases))


def summarise_study(study: StudyScores, *, with_joint: bool = True, primary: str | None = None) -> StudySummary:
    """Everything that a report shows; on request without the joint verdicts."""
    comparison = compare(study, primary=primary)
    rankings = [rank(study, metric) for metric in ranked_metrics(study)] if len(study.estimators) > 2 else []
    joint = study_joint_rows(study) if with_joint else ()
    of_rankings = (warning for ranking in rankings for warning in ranking.warnings)
    of_rows = located_warnings(comparison.rows, joint, study.warnings)
    warnings = over_metrics(dict.fromkeys([*study.warnings, *of_rows, *of_rankings]), study.metrics)
    return StudySummary(
        estimators=study.estimators,
        datasets=study.datasets,
        designs=tuple(sorted({design.name for design in study.designs})),
        answer=answer(study, primary=primary),
        metrics=metric_means(study),
        rankings=tuple(_ranking(study, ranking) for ranking in rankings),
        rows=comparison.rows,
        procedure=comparison.procedure,
        assumes=find_study_procedure(comparison.procedure, n_models=2).guide.assumes,
        correction=comparison.correction,
        n_hypotheses=comparison.n_hypotheses,
        families=comparison.families,
        alpha=comparison.alpha,
        joint=joint,
        warnings=tuple(first_of_each_kind(warnings)),
        provenance=study.provenance,
    )


def ranked_metrics(study: StudyScores) -> list[str]:
    """The metrics that were measured and of which two models have a score on some data set."""
    return [metric for metric in measured(study) if (np.isfinite(study.means(metric)).sum(axis=1) > 1).any()]


def study_joint_rows(study: StudyScores, correction: str = "holm") -> tuple[DominanceRow, ...]:
    """The joint verdicts of the pairs; none where there is one metric, or there are too many for a test."""
    if not 2 <= len(study.metrics) <= MAX_METRICS:
        return ()
    return tuple(row for row in dominance_table(study, correction=correction) if row.established is not None)


def _ranking(study: StudyScores, ranking: Ranking) -> RankingSummary:
    [found] = [metric for metric in metric_means(study) if metric.name == ranking.metric]
    means = dict(zip(study.estimators, found.means, strict=True))
    return RankingSummary(
        metric=ranking.metric,
        n=len(ranking.ranks),
        pvalue=ranking.omnibus.pvalue,
        method=ranking.omnibus.method,
        models=tuple(
            RankedModel(
                name=ranking.names[i],
                mean_rank=float(ranking.mean_ranks[i]),
                mean=means[ranking.names[i]],
                group=ranking.groups[ranking.names[i]],
            )
            for i in np.argsort(ranking.mean_ranks, kind="stable").tolist()
        ),
    )
