"""The answer: who leads on each metric, what is known of the others against the leader, and who wins each pair.

The only place that decides. One family of comparisons, all pairs on all metrics under one error budget, is computed
once; of an evaluation that was looked at while it ran its sequential verdict decides. Every view reads this record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import isclose, isfinite
from typing import Any

import numpy as np

from skcompare._core.record import Record, few
from skcompare.comparison.compare import Scores, compare, least_pvalue, stopped
from skcompare.comparison.means import MetricMeans, metric_means
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.ranking import rank
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference._base import ROUNDING
from skcompare.scores.stopping import Stopping
from skcompare.scores.study import StudyScores


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MetricAnswer(Record):
    """What is known of the models on one metric; every model other than the leader is in one of the four groups.

    Attributes
    ----------
    metric : str
        The metric.
    leader : str or None
        Of the models that no other one is significantly better than, the one with the best mean score (of a study: mean
        rank); None where nothing puts one before the others.
    worse : tuple of str
        Significantly worse than the leader; where several models are left by a sequential verdict, than one of them.
    not_different : tuple of str
        Not significantly different from the leader.
    equivalent : tuple of str
        Practically equivalent to it, by a sequential verdict.
    not_comparable : tuple of str
        Without scores to compare.
    bound : float
        No model of `not_different` is further from the leader than this, in score units, with an error rate of 5% for
        all comparisons together; 0 where all of them have its very scores, nan where there is none, or no interval, or
        where no difference on this metric can be larger.
    omnibus : float
        Of a study of three models or more the p-value of Friedman's test that all are equal, for this metric alone; it
        names no pair. nan where there is none.
    n_datasets : int
        Data sets that it used; 0 where there is none.
    """

    metric: str
    leader: str | None
    worse: tuple[str, ...] = ()
    not_different: tuple[str, ...] = ()
    equivalent: tuple[str, ...] = ()
    not_comparable: tuple[str, ...] = ()
    bound: float = float("nan")
    omnibus: float = float("nan")
    n_datasets: int = 0

    def _sentence(self) -> str:
        if self.leader is None:
            return f"No model leads on {self.metric}."
        groups = {
            "significantly worse": self.worse,
            "not significantly different": self.not_different,
            "practically equivalent": self.equivalent,
            "not comparable": self.not_comparable,
        }
        said = [f"{few(who)} {_are(who)} {what}" for what, who in groups.items() if who]
        return f"{'; '.join([f'{self.leader} leads on {self.metric}', *said])}."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class PairAnswer(Record):
    """Two models on all metrics.

    Attributes
    ----------
    a, b : str
        The models.
    better, worse, undecided, not_comparable, not_tested : tuple of str
        The metrics on which `a` is significantly better than `b`, significantly worse, neither of the two, those
        without scores to compare, and those that a sequential verdict did not look at.
    """

    a: str
    b: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    undecided: tuple[str, ...]
    not_comparable: tuple[str, ...]
    not_tested: tuple[str, ...] = ()

    def _sentence(self) -> str:
        groups = {
            f"{self.a} is significantly better than {self.b}": self.better,
            f"{self.b} is significantly better than {self.a}": self.worse,
            f"{self.a} and {self.b} are not significantly different": self.undecided,
            f"{self.a} and {self.b} are not comparable": self.not_comparable,
            f"{self.a} and {self.b} are not tested": self.not_tested,
        }
        return f"{'; '.join(f'{what} on {few(where)}' for what, where in groups.items() if where)}."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Record):
    """What can be said of the models, under one error budget.

    Attributes
    ----------
    models : tuple of str
        All of them.
    metrics : tuple of MetricAnswer
        One per metric, the first being the one to decide on; after a sequential verdict that of its metric alone.
    pairs : tuple of PairAnswer
        All pairs of two models.
    alpha : float
        The error rate of all statements together.
    n_metrics : int
        Metrics that were compared.
    sequential : bool
        Whether it is the verdict of an evaluation that was looked at while it ran.
    within_reach : bool
        Whether any difference could have been significant, were it as large as can be.
    cases : str
        What the scores are of: splits, or data sets.
    candidates : bool
        Whether the models are the candidates of a search, the best first. Its ranking decides on its metric alone, and
        `pairs` are those of the best.
    """

    models: tuple[str, ...]
    metrics: tuple[MetricAnswer, ...]
    pairs: tuple[PairAnswer, ...]
    alpha: float
    n_metrics: int
    sequential: bool
    within_reach: bool
    cases: str = "splits"
    candidates: bool = False

    def all_alike(self, on: MetricAnswer) -> bool:
        """Whether any two of the leader and those not significantly different from it are not so either."""
        names = (str(on.leader), *on.not_different)
        pairs = (self.pair(a, b) for a, b in combinations(names, 2))
        return all(on.metric in pair.undecided for pair in pairs)

    def pair(self, a: str, b: str) -> PairAnswer:
        """The answer about two models, seen from `a`."""
        if a == b or not {a, b} <= {*self.models}:
            raise ValueError(f"a and b must be two different models of the answer; got {a!r} and {b!r}")
        first, second = sorted(map(self.models.index, (a, b)))
        if self.candidates and first:
            raise ValueError(f"a or b must be {self.models[0]!r}, the best candidate; got {a!r} and {b!r}")
        found = self.pairs[first * (2 * len(self.models) - first - 1) // 2 + second - first - 1]
        return found if found.a == a else replace(found, a=a, b=b, better=found.worse, worse=found.better)


def _are(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"


@once
def answer(scores: Scores, procedure: str = "auto") -> Answer:
    """The answer of an evaluation or a study, by the comparisons of one test; see `EvaluationResult.answer`."""
    table = compare(scores, procedure)
    rows: dict[str, list[ComparisonRow]] = {metric: [] for metric in scores.metrics}
    for row in table:
        rows[row.metric].append(row)
    means = {found.name: found for found in metric_means(scores)}
    stopping = stopped(scores)
    if stopping is None:
        metrics = tuple(
            replace(_on_metric(means[name], rows[name], scores.estimators, table), **_omnibus(scores, name))
            for name in sorted(scores.metrics, key=lambda name: _has_no_test(scores, rows[name]))
        )
    else:
        metrics = (_by_looks(stopping, means[stopping.metric], scores.estimators),)
    return Answer(
        models=scores.estimators,
        metrics=metrics,
        pairs=_pairs(table.rows),
        alpha=table.alpha,
        n_metrics=len(scores.metrics),
        sequential=stopping is not None,
        within_reach=stopping is not None or _within_reach(table),
        cases="data sets" if isinstance(scores, StudyScores) else scores.design.cases,
    )


def _has_no_test(scores: Scores, rows: Sequence[ComparisonRow]) -> bool:
    """Whether a metric of one test set has no test: the first that has one is spoken of first."""
    on_one = not isinstance(scores, StudyScores) and scores.design.kind == "samples"
    return on_one and all(row.outcome is Outcome.NOT_COMPARABLE for row in rows)


def _omnibus(scores: Scores, metric: str) -> dict[str, Any]:
    """The test of a study that all models are equal on a metric; empty of others."""
    if not isinstance(scores, StudyScores) or len(scores.estimators) < 3:
        return {}
    try:
        found = rank(scores, metric)
    except MissingEvidenceError:
        return {}
    return {"omnibus": float(found.omnibus.pvalue), "n_datasets": len(found.ranks)}


def _within_reach(table: ComparisonTable) -> bool:
    """Whether the smallest p-value that a comparison could have had is significant among all."""
    return smallest_pvalue(table.rows) * table.n_hypotheses < table.alpha


def smallest_pvalue(rows: Sequence[ComparisonRow]) -> float:
    """The smallest p-value that one of the comparisons could have had; ties could have been none."""
    return min((_smallest(row.record) for row in rows if row.record is not None), default=0.0)


def _smallest(record: Any) -> float:
    if isinstance(record, (SignedRankResult, SignTestResult)):
        return float(2.0 ** (1 - record.n))
    return least_pvalue(record)


def _on_metric(
    means: MetricMeans, rows: Sequence[ComparisonRow], models: tuple[str, ...], table: ComparisonTable
) -> MetricAnswer:
    leader = _leader(models, means.merits, rows)
    groups: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    open_rows = []
    for row in rows:
        if leader in (row.a, row.b):
            other = row.b if row.a == leader else row.a
            groups[Outcome.BETTER if row.winner is not None else row.outcome].append(other)
            if row.outcome is Outcome.UNDECIDED:
                open_rows.append(row)
    return MetricAnswer(
        metric=means.name,
        leader=leader,
        worse=tuple(groups[Outcome.BETTER]),
        not_different=tuple(groups[Outcome.UNDECIDED]),
        equivalent=tuple(groups[Outcome.EQUIVALENT]),
        not_comparable=tuple(groups[Outcome.NOT_COMPARABLE]),
        bound=useful(_bound(open_rows, table.alpha / table.n_hypotheses if table.n_hypotheses else 1.0), means.span),
    )


def _by_looks(stopping: Stopping, means: MetricMeans, models: tuple[str, ...]) -> MetricAnswer:
    merits = [merit if name in stopping.names else np.nan for name, merit in zip(models, means.merits, strict=True)]
    leader = _leader(models, merits, ())
    left = tuple(name for name in stopping.names if name != leader)
    equivalent = stopping.kind == "equivalent"
    return MetricAnswer(
        metric=stopping.metric,
        leader=leader,
        worse=tuple(stopping.worse),
        not_different=() if equivalent else left,
        equivalent=left if equivalent else (),
        not_comparable=tuple(stopping.unscored),
    )


def _leader(models: Sequence[str], merits: Sequence[float], rows: Sequence[ComparisonRow]) -> str | None:
    """The best of the models that none is significantly better than, of several alike the one with the most wins.

    Without means the wins alone decide. A model that could be compared with none leads only where no other could.
    """
    compared = {name for row in rows if row.outcome is not Outcome.NOT_COMPARABLE for name in (row.a, row.b)}
    beaten = {row.b if row.winner == row.a else row.a for row in rows if row.winner is not None}
    wins = {name: sum(row.winner == name for row in rows) for name in models}
    if not any(map(isfinite, merits)):
        merits = [float(n) if n else np.nan for n in wins.values()]
    known = {name: merit for name, merit in zip(models, merits, strict=True) if isfinite(merit) and name not in beaten}
    standing = {name: merit for name, merit in known.items() if name in compared or not compared}
    best = max(standing.values(), default=np.nan)
    alike = [name for name, merit in standing.items() if isclose(merit, best, rel_tol=ROUNDING)]
    return max(alike, key=wins.__getitem__, default=None)


def useful(bound: float, span: float) -> float:
    """A bound that is less than the largest difference there can be, else nan."""
    return bound if bound < span else float("nan")


def _bound(rows: Sequence[ComparisonRow], alpha: float) -> float:
    """The largest difference that the intervals of some rows hold, each at a level; 0 only of equal scores."""
    ends = [np.nan]
    for row in rows:
        if not hasattr(row.record, "confidence_interval"):
            return float("nan")
        interval = row.record.confidence_interval(1 - alpha)
        ends += [abs(interval.low), abs(interval.high)]
    largest = float(np.nanmax(ends)) if rows else float("nan")
    differ = any(row.wins or row.losses for row in rows)
    return largest if isfinite(largest) and (largest > 0 or not differ) else float("nan")


def _pairs(rows: Sequence[ComparisonRow]) -> tuple[PairAnswer, ...]:
    found: dict[tuple[str, str], dict[Outcome, list[str]]] = {}
    for row in rows:
        groups = found.setdefault((row.a, row.b), {outcome: [] for outcome in Outcome})
        groups[row.outcome].append(row.metric)
    return tuple(
        PairAnswer(
            a=a,
            b=b,
            better=tuple(groups[Outcome.BETTER]),
            worse=tuple(groups[Outcome.WORSE]),
            undecided=(*groups[Outcome.EQUIVALENT], *groups[Outcome.UNDECIDED]),
            not_comparable=tuple(groups[Outcome.NOT_COMPARABLE]),
            not_tested=tuple(groups[Outcome.NOT_TESTED]),
        )
        for (a, b), groups in found.items()
    )
