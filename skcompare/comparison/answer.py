"""The answer: who leads on each metric, what is known of the others against the leader, and who wins each pair.

The only place that decides. The comparisons of all pairs on the first metric are one family, those on all other metrics
a second one; of an evaluation that was looked at while it ran its sequential verdict decides. Every view reads this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, isclose, isfinite
from typing import Any

import numpy as np

from skcompare._core.record import Record, few
from skcompare._core.warnings import Code
from skcompare.comparison.compare import compare, many_models
from skcompare.comparison.means import MetricMeans, metric_means, rank
from skcompare.comparison.pairs import AllPairs, Standing
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import (
    ComparisonRow,
    ComparisonTable,
    Family,
    Outcome,
    Scores,
    does_not_vary,
    least_pvalue,
    once,
)
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference._records import ROUNDING
from skcompare.scores.evaluation import is_judged
from skcompare.scores.stopping import Stopping
from skcompare.scores.study import StudyScores

# The records of an answer: what is known of the models on each metric, of each pair, and of all.


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MetricAnswer(Record):
    """What is known of the models on one metric; every model other than the leader is in one of the six groups.

    Attributes
    ----------
    metric : str
        The metric.
    leader : str or None
        Of the models that no other one is significantly better than, the one with the best mean score (of a study: mean
        rank), the baseline only where no other is left. None where none has a score, or one with a better mean or mean
        rank is not significantly worse.
    worse : tuple of str
        Significantly worse than the leader; where several models are left by a sequential verdict, than one of them.
    not_different : tuple of str
        Not significantly different from the leader.
    equivalent : tuple of str
        Practically equivalent to it, by a sequential verdict.
    smaller, larger : tuple of str
        Smaller, or larger, than the leader by the same on all splits; of a metric that is a number of each model, such
        as its size, of which there is no test.
    not_comparable : tuple of str
        Without scores to compare, or without any that vary.
    unvarying : tuple of str
        Those of `not_comparable` whose difference from the leader is the same on all splits.
    bound : float
        No model of `not_different`, but for the baseline, is further from the leader than this, in score units: an end
        of one of the intervals of the table; 0 where all of them have its very scores, nan where there is
        none, or no interval, or where no difference on this metric can be larger.
    not_better : tuple of str
        Of an evaluation with a baseline the models that are not significantly better than it, though they could be
        compared with it.
    omnibus : float
        Of a study of three models or more the p-value of the test that all are equal, for this metric alone; it names
        no pair. nan where there is none, and with a baseline, which one better model makes unequal.
    omnibus_test : str
        That test: Friedman's, where scores are missing that of Skillings and Mack; empty where there is none.
    n_datasets : int
        Data sets that it used; 0 where there is none.
    one_unit : bool
        Whether the numbers of all models are in one unit, as complexities are not always: the leader is then not to be
        used for its lead.
    ahead : tuple of str
        The models that are ahead of the leader by mean, mean rank or estimated difference, which can differ in sign.
    """

    metric: str
    leader: str | None
    worse: tuple[str, ...] = ()
    not_different: tuple[str, ...] = ()
    equivalent: tuple[str, ...] = ()
    smaller: tuple[str, ...] = ()
    larger: tuple[str, ...] = ()
    not_comparable: tuple[str, ...] = ()
    unvarying: tuple[str, ...] = ()
    bound: float = float("nan")
    not_better: tuple[str, ...] = ()
    omnibus: float = float("nan")
    omnibus_test: str = ""
    n_datasets: int = 0
    one_unit: bool = True
    ahead: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether anything is known of another model against the leader."""
        return bool(self.worse or self.not_different or self.equivalent or self.smaller or self.larger)

    def _sentence(self) -> str:
        if self.leader is None:
            return f"No model leads on {self.metric}."
        groups = {
            "significantly worse": self.worse,
            "not significantly different": self.not_different,
            "practically equivalent": self.equivalent,
            "smaller": self.smaller,
            "larger": self.larger,
            "not comparable": self.not_comparable,
            "ahead by another measure": self.ahead,
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
        without scores to compare or without any that vary, and those that a sequential verdict did not look at.
    smaller, larger : tuple of str
        The metrics that are a number of each model, such as its size, and on which `a` is smaller than `b`, or larger,
        by the same on all splits: there is no test of them.
    """

    a: str
    b: str
    better: tuple[str, ...]
    worse: tuple[str, ...]
    undecided: tuple[str, ...]
    not_comparable: tuple[str, ...]
    not_tested: tuple[str, ...] = ()
    smaller: tuple[str, ...] = ()
    larger: tuple[str, ...] = ()

    def _sentence(self) -> str:
        groups = {
            f"{self.a} is significantly better than {self.b}": self.better,
            f"{self.b} is significantly better than {self.a}": self.worse,
            f"{self.a} and {self.b} are not significantly different": self.undecided,
            f"{self.a} is smaller than {self.b}": self.smaller,
            f"{self.b} is smaller than {self.a}": self.larger,
            f"{self.a} and {self.b} are not comparable": self.not_comparable,
            f"{self.a} and {self.b} are not tested": self.not_tested,
        }
        return f"{'; '.join(f'{what} on {few(where)}' for what, where in groups.items() if where)}."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Answer(Record):
    """What can be said of the models: the first metric has one error budget, all others together another one.

    Attributes
    ----------
    models : tuple of str
        All of them.
    metrics : tuple of MetricAnswer
        One per metric, the first being the one to decide on; after a sequential verdict that of its metric alone.
    pairs : tuple of PairAnswer
        All pairs of two models; of more than 1,000 on the splits of one data set those with a leader or the baseline.
    alpha : float
        The error rate of all statements about the first metric together, and of all about the others.
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
    baseline : str or None
        The model that the others are to be better than; None where there is none.
    same : tuple of tuple of str
        The candidates of a search that have the same scores on all splits, which count as one: group by group, the
        first of the ranking first.
    untested : tuple of str
        The metrics that were given before the first of `metrics` and decide nothing: no two models can be compared.
    alike : tuple of str
        Where not all pairs are there, the metrics on which any two of the leader and the models that are not
        significantly different from it, but for the baseline, are not so either.
    beaten : tuple of tuple of str
        Where not all pairs are there, of each model that cannot be compared with the leader of a metric this metric,
        the first one that is not significantly different from the leader and significantly better than the model, and
        the model.
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
    baseline: str | None = None
    same: tuple[tuple[str, ...], ...] = ()
    untested: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()
    beaten: tuple[tuple[str, str, str], ...] = ()

    @property
    def n_pairs(self) -> int:
        """How many pairs of two models were compared."""
        return len(self.pairs) if self.candidates else comb(len(self.models), 2)

    @property
    def recommends(self) -> bool:
        """Whether to use the leader on the first metric: it is in one unit, and better than the baseline, if any."""
        first = self.metrics[0]
        if self.baseline is None or not first.one_unit:
            return first.one_unit
        better = {pair.a for pair in self._against_baseline() if first.metric in pair.better}
        return first.leader in better

    def _against_baseline(self) -> list[PairAnswer]:
        """Every other model, seen from it, and the baseline."""
        return [self.pair(name, self.baseline) for name in self.models if self.baseline not in (None, name)]

    def without_baseline(self) -> Answer:
        """The same answer about the other models alone."""

        def others(names: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(name for name in names if name != self.baseline)

        metrics = tuple(
            replace(
                on,
                worse=others(on.worse),
                not_different=others(on.not_different),
                equivalent=others(on.equivalent),
                smaller=others(on.smaller),
                larger=others(on.larger),
                not_comparable=others(on.not_comparable),
                unvarying=others(on.unvarying),
                not_better=(),
            )
            for on in self.metrics
        )
        pairs = tuple(pair for pair in self.pairs if self.baseline not in (pair.a, pair.b))
        return replace(self, models=others(self.models), metrics=metrics, pairs=pairs, baseline=None)

    def pair(self, a: str, b: str) -> PairAnswer:
        """The answer about two models, seen from `a`."""
        if a == b or not {a, b} <= {*self.models}:
            raise ValueError(f"a and b must be two different models of the answer; got {a!r} and {b!r}")
        first, second = sorted(map(self.models.index, (a, b)))
        if self.candidates and first:
            raise ValueError(f"a or b must be {self.models[0]!r}, the best candidate; got {a!r} and {b!r}")
        if len(self.pairs) < self.n_pairs:
            names = self.models[first], self.models[second]
            there = (pair for pair in self.pairs if (pair.a, pair.b) == names)
            found = next(there, None)
            if found is None:
                raise ValueError(
                    f"a or b must be a leading model, or use compare(), which has all pairs; got {a!r} and {b!r}"
                )
        else:
            found = self.pairs[first * (2 * len(self.models) - first - 1) // 2 + second - first - 1]
        if found.a == a:
            return found
        turned = {"better": found.worse, "worse": found.better, "smaller": found.larger, "larger": found.smaller}
        return replace(found, a=a, b=b, **turned)


def _are(names: tuple[str, ...]) -> str:
    return "is" if len(names) == 1 else "are"


@once
def answer(scores: Scores, procedure: str = "auto", primary: str | None = None) -> Answer:
    """The answer of an evaluation or a study, by the comparisons of one test; see `EvaluationResult.answer`."""
    table, pairs = in_reports(scores, procedure, primary), many_models(scores, procedure, primary)
    return answer_of(scores, table, pairs, primary)


@once
def in_reports(scores: Scores, procedure: str = "auto", primary: str | None = None) -> ComparisonTable:
    """The comparisons that reports show: all, of more than 1,000 pairs those with the leaders and the baseline.

    The p-values are adjusted over all pairs in either case: the leaders are chosen after looking. Where none leads on a
    metric all pairs say why.
    """
    pairs = many_models(scores, procedure, primary)
    if pairs is None:
        return compare(scores, procedure, primary=primary)
    means, standing = metric_means(scores), {name: pairs.standing(name) for name in pairs.metrics}
    leaders = [_leader(pairs.estimators, on.merits, standing[on.name], scores.baseline) for on in means]
    if any(leader is None and +standing[on.name].compared for on, leader in zip(means, leaders, strict=True)):
        return compare(scores, procedure, primary=primary)
    models = tuple(dict.fromkeys(name for name in (*leaders, scores.baseline) if name is not None))
    return compare(scores, procedure, primary=primary, models=models or pairs.estimators[:1])


def answer_of(
    scores: Scores, table: ComparisonTable, pairs: AllPairs | None = None, primary: str | None = None
) -> Answer:
    """The answer that the comparisons of all pairs on all metrics give; `pairs` has them where the table has not."""
    rows: dict[str, list[ComparisonRow]] = {metric: [] for metric in scores.metrics}
    for row in table:
        rows[row.metric].append(row)
    means = {found.name: found for found in metric_means(scores)}
    stopping = stopped(scores)
    if stopping is None:
        metrics = tuple(
            replace(
                on_metric(means[name], rows[name], scores, None if pairs is None else pairs.standing(name)),
                **_omnibus(scores, name),
            )
            for name in sorted(scores.metrics, key=lambda name: (name != primary, _has_no_test(rows[name])))
        )
    else:
        metrics = (_by_looks(stopping, means[stopping.metric], rows[stopping.metric], scores),)
    return Answer(
        **({} if pairs is None else _of_all(metrics, pairs, scores.baseline)),
        models=scores.estimators,
        metrics=metrics,
        untested=_passed_over(scores, metrics[0].metric) if primary is None else (),
        pairs=_pairs(table.rows),
        alpha=table.alpha,
        n_metrics=len(scores.metrics),
        sequential=stopping is not None,
        within_reach=stopping is not None or any(within_reach(table.rows, one, table.alpha) for one in table.families),
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


def within_reach(rows: Sequence[ComparisonRow], family: Family, alpha: float) -> bool:
    """Whether the smallest p-value that a comparison of a family could have had is significant among all.

    Ties could have been none.
    """
    own = (row for row in rows if row.metric in family.metrics and row.pvalue == row.pvalue)
    smallest = min((_smallest(row.record) for row in own if row.record is not None), default=0.0)
    return smallest * family.n < alpha


def _smallest(record: Any) -> float:
    if isinstance(record, (SignedRankResult, SignTestResult)):
        return float(2.0 ** (1 - record.n))
    return least_pvalue(record)


def on_metric(
    means: MetricMeans,
    rows: Sequence[ComparisonRow],
    scores: Scores,
    standing: Standing | None = None,
) -> MetricAnswer:
    """What the comparisons on one metric say of the models."""
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
        bound=useful(_bound(open_rows, everywhere=means.n_common == means.n_all), means.span),
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
    worse = found.beaten.get(str(leader), set())
    better = {name for name, merit in standing.items() if merit > best and name not in (*alike, baseline)}
    return leader if better <= worse else None


def _standing(rows: Sequence[ComparisonRow]) -> Standing:
    """How the models did in some comparisons."""
    found = Standing(compared=Counter(), lost=Counter(), won=Counter(), beaten={})
    for row in rows:
        if row.outcome is not Outcome.NOT_COMPARABLE:
            found.compared.update((row.a, row.b))
        if row.winner is not None:
            loser = row.b if row.winner == row.a else row.a
            found.lost[loser] += 1
            found.won[row.winner] += 1
            found.beaten.setdefault(row.winner, set()).add(loser)
    return found


def useful(bound: float, span: float) -> float:
    """A bound that is less than the largest difference there can be, else nan."""
    return bound if bound < span else float("nan")


def _bound(rows: Sequence[ComparisonRow], *, everywhere: bool) -> float:
    """The largest difference that the intervals of some rows hold; 0 only of scores equal everywhere.

    Of models some of which lack a score on some splits or data sets `everywhere` is False: they were not equal there.
    """
    largest = max((max(abs(row.low), abs(row.high)) for row in rows), default=float("nan"))
    differ = not everywhere or any(row.wins or row.losses for row in rows)
    known = not any(row.low != row.low for row in rows) and isfinite(largest)
    return largest if known and (largest > 0 or not differ) else float("nan")


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
