"""The answer: who leads on each metric, what is known of the others against the leader, and who wins each pair.

The only place that decides. One family of comparisons, all pairs on all metrics under one error budget, is computed
once; of an evaluation that was looked at while it ran its sequential verdict decides. Every view reads this record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import isclose, isfinite
from typing import Any

import numpy as np

from skcompare._core.warnings import Code
from skcompare.comparison.answered import Answer, MetricAnswer, PairAnswer
from skcompare.comparison.compare import Scores, compare, many_models
from skcompare.comparison.least import least_pvalue
from skcompare.comparison.many_pairs import AllPairs, Standing
from skcompare.comparison.means import MetricMeans, metric_means
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.ranking import rank
from skcompare.comparison.spread import does_not_vary
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference._base import ROUNDING
from skcompare.scores.criteria import is_judged
from skcompare.scores.stopping import Stopping
from skcompare.scores.study import StudyScores


@once
def answer(scores: Scores, procedure: str = "auto") -> Answer:
    """The answer of an evaluation or a study, by the comparisons of one test; see `EvaluationResult.answer`."""
    return answer_of(scores, in_reports(scores, procedure), many_models(scores, procedure))


@once
def in_reports(scores: Scores, procedure: str = "auto") -> ComparisonTable:
    """The comparisons that reports show: all, of more than 1,000 pairs those with the leaders and the baseline.

    The p-values are adjusted over all pairs in either case: the leaders are chosen after looking. Where none leads on a
    metric all pairs say why.
    """
    pairs = many_models(scores, procedure)
    if pairs is None:
        return compare(scores, procedure)
    means, standing = metric_means(scores), {name: pairs.standing(name) for name in pairs.metrics}
    leaders = [_leader(pairs.estimators, on.merits, standing[on.name], scores.baseline) for on in means]
    if any(leader is None and +standing[on.name].compared for on, leader in zip(means, leaders, strict=True)):
        return compare(scores, procedure)
    models = tuple(dict.fromkeys(name for name in (*leaders, scores.baseline) if name is not None))
    return compare(scores, procedure, models=models or pairs.estimators[:1])


def answer_of(scores: Scores, table: ComparisonTable, pairs: AllPairs | None = None) -> Answer:
    """The answer that the comparisons of all pairs on all metrics give; `pairs` has them where the table has not."""
    rows: dict[str, list[ComparisonRow]] = {metric: [] for metric in scores.metrics}
    for row in table:
        rows[row.metric].append(row)
    means = {found.name: found for found in metric_means(scores)}
    stopping = stopped(scores)
    if stopping is None:
        metrics = tuple(
            replace(
                on_metric(means[name], rows[name], scores, table, None if pairs is None else pairs.standing(name)),
                **_omnibus(scores, name),
            )
            for name in sorted(scores.metrics, key=lambda name: _has_no_test(rows[name]))
        )
    else:
        metrics = (_by_looks(stopping, means[stopping.metric], rows[stopping.metric], scores),)
    return Answer(
        **({} if pairs is None else _of_all(metrics, pairs, scores.baseline)),
        models=scores.estimators,
        metrics=metrics,
        untested=_passed_over(scores, metrics[0].metric),
        pairs=_pairs(table.rows),
        alpha=table.alpha,
        n_metrics=len(scores.metrics),
        sequential=stopping is not None,
        within_reach=stopping is not None or _within_reach(table),
        cases=scores.cases if isinstance(scores, StudyScores) else scores.design.cases,
        baseline=scores.baseline,
    )


def _of_all(metrics: Sequence[MetricAnswer], pairs: AllPairs, baseline: str | None) -> dict[str, Any]:
    """What the answer says of pairs that have no rows."""
    left = {on.metric: [name for name in on.not_different if name != baseline] for on in metrics}
    return {
        "alike": tuple(
            on.metric for on in metrics if pairs.all_open(on.metric, {on.leader, *left[on.metric]} - {baseline})
        ),
        "beaten": tuple(
            (on.metric, *found)
            for on in metrics
            for found in pairs.first_winners(on.metric, left[on.metric], on.not_comparable)
        ),
    }


def _has_no_test(rows: Sequence[ComparisonRow]) -> bool:
    """Whether no two models can be compared on a metric: the first that has a test is spoken of first."""
    return all(row.outcome is Outcome.NOT_COMPARABLE for row in rows)


def _passed_over(scores: Scores, first: str) -> tuple[str, ...]:
    """The metrics before the first that is spoken of, but for those that were given and were never to be tested."""
    before = scores.metrics[: scores.metrics.index(first)]
    return tuple(metric for metric in before if stopped(scores) is None and not is_judged(scores.provenance, metric))


def _omnibus(scores: Scores, metric: str) -> dict[str, Any]:
    """The test of a study that all models are equal on a metric; empty of others, and where one of them is a baseline.

    As soon as one model beats guessing, all are not equal, which tells nothing of the models.
    """
    if not isinstance(scores, StudyScores) or len(scores.estimators) < 3 or scores.baseline is not None:
        return {}
    try:
        found = rank(scores, metric)
    except MissingEvidenceError:
        return {}
    test = "Friedman test" if np.isfinite(found.ranks).all() else "Skillings-Mack test"
    return {"omnibus": float(found.omnibus.pvalue), "omnibus_test": test, "n_datasets": len(found.ranks)}


def _within_reach(table: ComparisonTable) -> bool:
    """Whether the smallest p-value that a comparison could have had is significant among all."""
    return smallest_pvalue(table.rows) * table.n_hypotheses < table.alpha


def smallest_pvalue(rows: Sequence[ComparisonRow]) -> float:
    """The smallest p-value that one of the comparisons could have had; ties could have been none."""
    tested = (row.record for row in rows if row.record is not None and row.pvalue == row.pvalue)
    return min(map(_smallest, tested), default=0.0)


def _smallest(record: Any) -> float:
    if isinstance(record, (SignedRankResult, SignTestResult)):
        return float(2.0 ** (1 - record.n))
    return least_pvalue(record)


def on_metric(
    means: MetricMeans,
    rows: Sequence[ComparisonRow],
    scores: Scores,
    table: ComparisonTable,
    standing: Standing | None = None,
) -> MetricAnswer:
    """What the comparisons on one metric, of all that share an error budget, say of the models."""
    leader = _leader(scores.estimators, means.merits, standing or _standing(rows), scores.baseline)
    groups: dict[Outcome, list[str]] = {outcome: [] for outcome in Outcome}
    open_rows, unvarying = [], []
    for row in rows:
        if leader in (row.a, row.b):
            other = row.b if row.a == leader else row.a
            groups[Outcome.BETTER if row.winner is not None else _of(other, row)].append(other)
            if row.outcome is Outcome.NOT_COMPARABLE and does_not_vary(row.warnings):
                unvarying.append(other)
            if row.outcome is Outcome.UNDECIDED and other != scores.baseline:
                open_rows.append(row)
    return MetricAnswer(
        metric=means.name,
        leader=leader,
        worse=tuple(groups[Outcome.BETTER]),
        not_different=tuple(groups[Outcome.UNDECIDED]),
        equivalent=tuple(groups[Outcome.EQUIVALENT]),
        smaller=tuple(groups[Outcome.SMALLER]),
        larger=tuple(groups[Outcome.LARGER]),
        not_comparable=tuple(groups[Outcome.NOT_COMPARABLE]),
        unvarying=tuple(unvarying),
        bound=useful(_bound(open_rows, table.alpha / table.n_hypotheses if table.n_hypotheses else 1.0), means.span),
        not_better=_not_better(rows, scores.baseline),
        one_unit=not any(one.code == Code.DIFFERENT_UNITS.name for row in rows for one in row.warnings),
        ahead=_ahead(leader, means, rows, scores.estimators),
    )


def _of(model: str, row: ComparisonRow) -> Outcome:
    """The outcome of a row without a winner, as it is for one of its models."""
    if row.outcome not in (Outcome.SMALLER, Outcome.LARGER):
        return row.outcome
    return Outcome.SMALLER if (row.outcome is Outcome.SMALLER) == (model == row.a) else Outcome.LARGER


def _not_better(rows: Sequence[ComparisonRow], baseline: str | None) -> tuple[str, ...]:
    """The models that were compared with the baseline and are not significantly better."""
    facing = [row for row in rows if baseline in (row.a, row.b) and row.outcome is not Outcome.NOT_COMPARABLE]
    others = [(row, row.b if row.a == baseline else row.a) for row in facing]
    return tuple(name for row, name in others if row.winner != name)


def _by_looks(stopping: Stopping, means: MetricMeans, rows: Sequence[ComparisonRow], scores: Scores) -> MetricAnswer:
    models = scores.estimators
    merits = [merit if name in stopping.names else np.nan for name, merit in zip(models, means.merits, strict=True)]
    leader = _leader(models, merits, _standing(()), scores.baseline)
    left = tuple(name for name in stopping.names if name != leader)
    equivalent = stopping.kind == "equivalent"
    facing = {row.b if row.a == leader else row.a: row for row in rows if leader in (row.a, row.b)}
    still = {name: _of(name, facing[name]) for name in left if name in facing and not facing[name].outcome.tested}
    unvarying = tuple(name for name, outcome in still.items() if outcome is Outcome.NOT_COMPARABLE)
    left = tuple(name for name in left if name not in still)
    return MetricAnswer(
        metric=stopping.metric,
        leader=leader,
        worse=tuple(stopping.worse),
        not_different=() if equivalent else left,
        equivalent=left if equivalent else (),
        smaller=tuple(name for name, outcome in still.items() if outcome is Outcome.SMALLER),
        larger=tuple(name for name, outcome in still.items() if outcome is Outcome.LARGER),
        not_comparable=(*stopping.unscored, *unvarying),
        unvarying=unvarying,
        not_better=_not_better(rows, scores.baseline),
        ahead=_ahead(leader, means, rows, models),
    )


def _ahead(
    leader: str | None, means: MetricMeans, rows: Sequence[ComparisonRow], models: Sequence[str]
) -> tuple[str, ...]:
    """The models that the leader is behind by a number that is shown: mean rank, mean, or estimated difference."""
    if leader is None:
        return ()
    sign = 1.0 if means.greater_is_better else -1.0
    merits = dict(zip(models, means.merits, strict=True))
    shown = dict(zip(models, means.means, strict=True)) if means.mean_ranks else {}
    found = set()
    for row in rows:
        if leader in (row.a, row.b) and isfinite(row.estimate):
            side, other = (1.0, row.b) if leader == row.a else (-1.0, row.a)
            noise = ROUNDING * max(abs(row.mean_a), abs(row.mean_b))
            leads = [side * row.estimate, side * sign * (row.mean_a - row.mean_b)]
            leads += [sign * (shown[leader] - shown[other])] if shown else []
            behind = merits[leader] < merits[other] and not isclose(merits[leader], merits[other], rel_tol=ROUNDING)
            if behind or any(lead < -noise for lead in leads):
                found.add(other)
    return tuple(name for name in models if name in found)


def _leader(models: Sequence[str], merits: Sequence[float], found: Standing, baseline: str | None) -> str | None:
    """The best of the models that none is significantly better than, of several alike the one with the most wins.

    None leads where one with a better mean, or mean rank, is not significantly worse than it. A model that could be
    compared with none leads only where no other could, and the baseline only where no other is left.
    """
    compared, beaten, wins = +found.compared, +found.lost, found.won
    known = {name: merit for name, merit in zip(models, merits, strict=True) if isfinite(merit)}
    standing = {name: merit for name, merit in known.items() if name in compared or not compared}
    left = {name: merit for name, merit in standing.items() if name not in beaten}
    left = {name: merit for name, merit in left.items() if name != baseline} or left
    best = max(left.values(), default=np.nan)
    alike = [name for name, merit in left.items() if isclose(merit, best, rel_tol=ROUNDING)]
    leader = max(alike, key=wins.__getitem__, default=None)
    worse = found.beaten_by(leader)
    better = {name for name, merit in standing.items() if merit > best and name not in (*alike, baseline)}
    return leader if better <= worse else None


def _standing(rows: Sequence[ComparisonRow]) -> Standing:
    """How the models did in some comparisons."""
    won = [row for row in rows if row.winner is not None]
    return Standing(
        compared=Counter(name for row in rows if row.outcome is not Outcome.NOT_COMPARABLE for name in (row.a, row.b)),
        lost=Counter(row.b if row.winner == row.a else row.a for row in won),
        won=Counter(str(row.winner) for row in won),
        beaten_by=lambda model: {row.b if row.winner == row.a else row.a for row in won if row.winner == model},
    )


def useful(bound: float, span: float) -> float:
    """A bound that is less than the largest difference there can be, else nan."""
    return bound if bound < span else float("nan")


def _bound(rows: Sequence[ComparisonRow], alpha: float) -> float:
    """The largest difference that the intervals of some rows hold, each at a level; 0 only of equal scores."""
    ends: list[float] = []
    for row in rows:
        if not hasattr(row.record, "confidence_interval"):
            return float("nan")
        interval = row.record.confidence_interval(1 - alpha)
        ends += [abs(interval.low), abs(interval.high)]
    largest = float(np.max(ends)) if rows else float("nan")
    differ = any(row.wins or row.losses for row in rows)
    return largest if isfinite(largest) and (largest > 0 or not differ) else float("nan")


def _pairs(rows: Sequence[ComparisonRow]) -> tuple[PairAnswer, ...]:
    found: dict[tuple[str, str], dict[Outcome, list[str]]] = {}
    for row in rows:
        found.setdefault((row.a, row.b), {}).setdefault(row.outcome, []).append(row.metric)

    def on(outcomes: dict[Outcome, list[str]], *wanted: Outcome) -> tuple[str, ...]:
        return tuple([metric for outcome in wanted for metric in outcomes.get(outcome, ())])

    return tuple(
        PairAnswer(
            a=a,
            b=b,
            better=on(outcomes, Outcome.BETTER),
            worse=on(outcomes, Outcome.WORSE),
            undecided=on(outcomes, Outcome.EQUIVALENT, Outcome.UNDECIDED),
            not_comparable=on(outcomes, Outcome.NOT_COMPARABLE),
            not_tested=on(outcomes, Outcome.NOT_TESTED),
            smaller=on(outcomes, Outcome.SMALLER),
            larger=on(outcomes, Outcome.LARGER),
        )
        for (a, b), outcomes in found.items()
    )
