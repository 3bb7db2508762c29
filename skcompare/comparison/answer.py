"""The answer: who leads on each metric, what is known of the others against the leader, and who wins each pair.

The only place that decides. The comparisons of all pairs on the first metric are one family, those on all other metrics
a second one; of an evaluation that was looked at while it ran its sequential verdict decides. Every view reads this.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from math import comb, isclose, isfinite
from typing import Any

import numpy as np

from skcompare._core.metrics import label
from skcompare._core.numbers import agreeing
from skcompare._core.record import Record, few
from skcompare._core.warnings import Code, do_not_use
from skcompare.comparison import compare as verdicts
from skcompare.comparison import table as comparisons
from skcompare.comparison.compare import Judged, Standing, compare, standing, standing_of
from skcompare.comparison.means import MetricMeans, led_by, merits_of, metric_means, rank
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, Scores
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference._records import ROUNDING
from skcompare.scores.evaluation import once
from skcompare.scores.predictions import MissingEvidenceError
from skcompare.scores.stopping import Stopping
from skcompare.scores.study import StudyScores

# The records of an answer: what is known of the models on each metric, of each pair, and of all.


GROUPS = {
    "worse": "significantly worse",
    **{"not_different": comparisons.OPEN, "equivalent": Outcome.EQUIVALENT.said},
    **{"smaller": "smaller", "larger": "larger", "not_comparable": "not comparable"},
}


class MetricAnswer(Record):
    """What is known of the models on one metric; every model other than the leader is in one of the six groups.

    Attributes
    ----------
    metric : str
        The metric.
    leader : str or None
        Of the models that no other one is significantly better than, the one with the best mean score (of a study: mean
        rank, of equal ones mean; with gaps: adjusted mean), the baseline only where no other is left. None where none
        has a score, or one that is better by that is not significantly worse.
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
    may_be_first : tuple of str
        The models with a score that no other is significantly better than, the leader first, as in
        `EvaluationResult.rank`.
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
    may_be_first: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Whether anything is known of another model against the leader."""
        return bool(self.worse or self.not_different or self.equivalent or self.smaller or self.larger)

    def _sentence(self) -> str:
        if self.leader is None:
            return f"No model leads on {label(self.metric)}."
        groups = {**GROUPS, "ahead": "ahead by another measure"}
        named = ((what, getattr(self, group)) for group, what in groups.items())
        said = [f"{few(who)} {agreeing(len(who), 'is', 'are')} {what}" for what, who in named if who]
        return f"{'; '.join([f'{self.leader} leads on {label(self.metric)}', *said])}."


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
    better: tuple[str, ...] = ()
    worse: tuple[str, ...] = ()
    undecided: tuple[str, ...] = ()
    not_comparable: tuple[str, ...] = ()
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


class Answer(Record):
    """What can be said of the models, on the first metric and on the others.

    Attributes
    ----------
    models : tuple of str
        All of them.
    metrics : tuple of MetricAnswer
        One per metric, the first being the one to decide on; after a sequential verdict that of its metric alone.
    pairs : tuple of PairAnswer
        All pairs of two models; of more than 1,000 those with the leader on the first metric or the baseline.
    alpha : float
        The error rate of all statements about the first metric together, and of all about the others.
    n_metrics : int
        Metrics that were compared.
    sequential : bool
        Whether it is the verdict of an evaluation that was looked at while it ran.
    within_reach : bool
        Whether any difference on the first metric could have been significant, were it as large as can be.
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
    alike : tuple of str
        Where not all pairs are there, the metrics on which any two of the leader and the models that are not
        significantly different from it, but for the baseline, are not so either.
    beaten : tuple of tuple of str
        Where not all pairs are there, of each model that cannot be compared with the leader of a metric this metric,
        the first one that is not significantly different from the leader and significantly better than the model, and
        the model.
    forbidden : str
        Why nothing of it may be used, as where rows are in training and test sets: what every view says first. Empty
        where nothing forbids it.
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
    alike: tuple[str, ...] = ()
    beaten: tuple[tuple[str, str, str], ...] = ()
    forbidden: str = ""

    @property
    def n_pairs(self) -> int:
        """How many pairs of two models were compared."""
        return len(self.pairs) if self.candidates else comb(len(self.models), 2)

    @property
    def bounded(self) -> bool:
        """Whether some pairs have no rows in reports, since there are very many."""
        return len(self.pairs) < self.n_pairs

    @property
    def recommends(self) -> bool:
        """Whether the first metric says to use the leader.

        Never where the result is `forbidden`, or a model that cannot be compared with the leader is ahead of it.
        """
        first = self.metrics[0]
        if {*first.ahead} & {*first.not_comparable} - {self.baseline}:
            return False
        if self.forbidden or self.baseline is None or not first.one_unit:
            return first.one_unit and not self.forbidden
        if first.leader is None or first.leader == self.baseline:
            return False
        return first.metric in self.pair(first.leader, self.baseline).better

    def pair(self, a: str, b: str) -> PairAnswer:
        """The answer about two models, seen from `a`."""
        if a == b or not {a, b} <= {*self.models}:
            raise ValueError(f"a and b must be two different models of the answer; got {a!r} and {b!r}")
        first, second = sorted(map(self.models.index, (a, b)))
        if self.candidates and first:
            raise ValueError(f"a or b must be {self.models[0]!r}, the best candidate; got {a!r} and {b!r}")
        names = self.models[first], self.models[second]
        found = next((pair for pair in self.pairs if (pair.a, pair.b) == names), None)
        if found is None:
            raise ValueError(
                f"a or b must be the leading model, or use compare(), which has all pairs; got {a!r} and {b!r}"
            )
        if found.a == a:
            return found
        turned = {"better": found.worse, "worse": found.better, "smaller": found.larger, "larger": found.smaller}
        return replace(found, a=a, b=b, **turned)


@once
def answer(scores: Scores, procedure: str = "auto", primary: str | None = None) -> Answer:
    """The answer of an evaluation or a study, by the comparisons of one test; see `EvaluationResult.answer`."""
    table, judged = in_reports(scores, procedure, primary), verdicts.many_models(scores, procedure, primary)
    return answer_of(scores, table, judged, primary)


@once
def in_reports(scores: Scores, procedure: str = "auto", primary: str | None = None) -> ComparisonTable:
    """The comparisons that reports show: all, of more than 1,000 pairs those of a few models.

    These are the leader on the first metric and the baseline, and on each other metric its leader. The p-values are
    adjusted over all pairs in either case: the leaders are chosen after looking. Where none leads on a metric all pairs
    say why.
    """
    judged, leaders = verdicts.many_models(scores, procedure, primary), dict[str, str | None]()
    if judged is None:
        return compare(scores, procedure, primary=primary)
    for means in metric_means(scores):
        found = standing(scores, judged, means.name)
        leader = _leader(scores.estimators, means, means.merits, found, scores.baseline)
        if leader is None and found.compared.any():
            return compare(scores, procedure, primary=primary)
        leaders[means.name] = leader
    always = leaders[judged[0].family.metrics[0]] or scores.estimators[0], scores.baseline
    return compare(scores, procedure, primary=primary, models=tuple((name, *always, leaders[name]) for name in leaders))


def answer_of(
    scores: Scores, table: ComparisonTable, judged: tuple[Judged, ...] | None = None, primary: str | None = None
) -> Answer:
    """The answer that the comparisons of all pairs on all metrics give; `judged` has them where the table has not."""
    rows: dict[str, list[ComparisonRow]] = {}
    for row in table:
        rows.setdefault(row.metric, []).append(row)
    stopping, metrics = stopped(scores), list[MetricAnswer]()
    first = table.families[0].metrics[0] if table.families and not primary else primary or verdicts.deciding(scores)
    for means in metric_means(scores):
        own = rows.get(means.name, [])
        at = 0 if means.name == first else len(metrics)
        if stopping is None or means.name == stopping.metric:
            found = standing_of(own, scores.estimators) if judged is None else standing(scores, judged, means.name)
            metrics.insert(at, _on_metric(means, own, scores, found, stopping))
    pairs, known = dict[tuple[str, str], dict[str, Any]](), list[PairAnswer]()
    for row in table:
        groups, group = pairs.setdefault((row.a, row.b), {}), _OF_PAIRS[row.outcome]
        groups[group] = (*groups.get(group, ()), row.metric)
    least = 1 if judged is None else len(rows)  # metrics that a pair must have rows on
    for pair, groups in pairs.items():
        if sum(map(len, groups.values())) >= least:
            known.append(PairAnswer(a=pair[0], b=pair[1], **groups))
    return Answer(
        models=scores.estimators,
        metrics=tuple(metrics),
        pairs=tuple(known),
        alpha=table.alpha,
        n_metrics=len(scores.metrics),
        sequential=stopping is not None,
        within_reach=stopping is not None or within_reach(table, metrics[0].metric, judged),
        cases=scores.cases if isinstance(scores, StudyScores) else scores.design.cases,
        baseline=scores.baseline,
        forbidden=do_not_use(scores.warnings),
        **({} if judged is None else _of_all(scores, metrics, judged)),
    )


def _of_all(scores: Scores, metrics: Sequence[MetricAnswer], judged: tuple[Judged, ...]) -> dict[str, Any]:
    """What the answer says of pairs that have no rows."""
    alike, beaten = [], []
    for on in metrics:
        left = [name for name in on.not_different if name != scores.baseline]
        if verdicts.all_open(judged, on.metric, {on.leader, *left} - {scores.baseline}):
            alike.append(on.metric)
        better = standing(scores, judged, on.metric).better
        for name in on.not_comparable:
            place = scores.estimators.index
            winner = next((one for one in left if better[place(one), place(name)]), None)
            beaten += [] if winner is None else [(on.metric, winner, name)]
    return {"alike": tuple(alike), "beaten": tuple(beaten)}


def within_reach(table: ComparisonTable, metric: str, judged: tuple[Judged, ...] | None = None) -> bool:
    """Whether the smallest p-value that a comparison on a metric could have had is significant in its family.

    Ties could have been none.
    """
    n, bounded = 0, False
    for family in table.families:
        n = family.n if metric in family.metrics else n
    records: Iterable[Any] = [row.record for row in table if row.metric == metric and row.pvalue == row.pvalue]
    if judged is not None:
        tests, pvalues, _ = verdicts.on_metric(judged, metric)
        places = ~np.isnan(pvalues)
        if isinstance(tests.scores, StudyScores) and tests.discordant is not None:
            alike = tests.discordant >= 0  # on all data sets, so that one stands for all
            places &= ~alike | (np.cumsum(alike) == 1)
        records = chain(records, map(tests.alone, np.flatnonzero(places).tolist()))
    for record in records:
        least = record._least() if hasattr(record, "_least") else None
        smallest = 0.0 if least is None else least.pvalue
        if isinstance(record, (SignedRankResult, SignTestResult)):
            smallest = 2.0 ** (1 - record.n)
        elif comparisons.has_code(record.warnings, Code.CANNOT_REJECT):
            smallest = 1.0
        if smallest * n < table.alpha:
            return True
        bounded = True
    return not bounded


def _leader(
    models: Sequence[str], means: MetricMeans, merits: Sequence[float], found: Standing, baseline: str | None
) -> str | None:
    """The best of the models that none is significantly better than, of several alike the one with the most wins.

    Of models with one mean rank and as many wins it is the one with the best mean.
    None leads where one with a better mean, or mean rank, is not significantly worse than it. A model that could be
    compared with none leads only where no other could, and the baseline only where no other is left.
    """
    known = np.isfinite(merits) & (found.compared | (not found.compared.any()))
    left = np.flatnonzero(known & ~found.better.any(axis=0)).tolist()
    if len(left) > 1 and baseline in models and models.index(baseline) in left:
        left.remove(models.index(baseline))
    if means.mean_ranks:
        left = [*filter({*left}.__contains__, led_by(None, models, means))]
    leader, most, best = None, -1, np.max(np.asarray(merits)[left]) if left else np.nan
    for i in left:
        won = int(np.count_nonzero(found.better[i]))
        if isclose(merits[i], best, rel_tol=ROUNDING) and won > most:
            leader, most = i, won
    for i in np.flatnonzero(known & (np.asarray(merits) > best)).tolist():
        if models[i] != baseline and (leader is None or not found.better[leader, i]):
            return None
    return None if leader is None else models[leader]


_GROUPS = {
    Outcome.UNDECIDED: "not_different",
    Outcome.EQUIVALENT: "equivalent",
    Outcome.SMALLER: "smaller",
    Outcome.LARGER: "larger",
    Outcome.NOT_COMPARABLE: "not_comparable",
}


def _on_metric(
    means: MetricMeans, rows: Sequence[ComparisonRow], scores: Scores, found: Standing, looked: Stopping | None
) -> MetricAnswer:
    """What the comparisons on one metric say of the models, or the looks at a run."""
    models, baseline, merits = scores.estimators, scores.baseline, list(means.merits)
    if looked is not None:
        merits = [merit if name in looked.names else np.nan for name, merit in zip(models, merits, strict=True)]
    leader = _leader(models, means, merits, found if looked is None else standing_of((), models), baseline)
    facing, not_better, one_unit = dict[str, ComparisonRow](), list[str](), True
    for row in rows:
        one_unit = one_unit and not comparisons.has_code(row.warnings, Code.DIFFERENT_UNITS)
        if leader in (row.a, row.b):
            facing[row.b if row.a == leader else row.a] = row
        if baseline in (row.a, row.b) and row.outcome is not Outcome.NOT_COMPARABLE:
            other = row.b if row.a == baseline else row.a
            not_better += [] if row.winner == other else [other]
    groups, left, others = dict[str, Any](), list[ComparisonRow](), tuple(facing)
    if looked is not None:
        groups = {"worse": tuple(looked.worse), "not_comparable": tuple(looked.unscored)}
        others = (*looked.names, *looked.unlikely)
    for name in others:
        against = facing.get(name)
        if name == leader:
            continue
        if looked is not None and (against is None or against.outcome.tested):
            group = "equivalent" if looked.kind == "equivalent" else "not_different"
        else:
            assert against is not None
            outcome = against.outcome if name == against.a else comparisons.TURNED.get(against.outcome, against.outcome)
            group = "worse" if against.winner is not None else _GROUPS.get(outcome, "")
            if group == "not_comparable" and (looked is not None or comparisons.does_not_vary(against.warnings)):
                groups["unvarying"] = (*groups.get("unvarying", ()), name)
            left += [against] if outcome is Outcome.UNDECIDED and name != baseline else []
        groups[group] = (*groups.get(group, ()), name)
    groups.pop("", None)
    standings = means.merits if looked is None else merits_of(scores, means)
    return MetricAnswer(
        metric=means.name,
        leader=leader,
        bound=_bound(left, means),
        not_better=tuple(not_better),
        one_unit=one_unit or looked is not None,
        ahead=_ahead(leader, means, rows, models),
        may_be_first=_may_be_first(leader, models, means, standings, found),
        **groups,
        **(_omnibus(scores, means.name) if isinstance(scores, StudyScores) else {}),
    )


def _omnibus(study: StudyScores, metric: str) -> dict[str, Any]:
    """The test of a study that all models are equal on a metric; empty where one of them is a baseline.

    As soon as one model beats guessing, all are not equal, which tells nothing of the models.
    """
    if len(study.estimators) < 3 or study.baseline is not None:
        return {}
    try:
        test = rank(study, metric).omnibus
    except MissingEvidenceError:
        return {}
    name = "Skillings-Mack test" if test is not None and "Skillings" in test.method else "Friedman test"
    return {} if test is None else {"omnibus": float(test.pvalue), "omnibus_test": name, "n_datasets": test.n}


def _may_be_first(
    leader: str | None, models: Sequence[str], means: MetricMeans, merits: Sequence[float], found: Standing
) -> tuple[str, ...]:
    """The models with a score that none is significantly better than, the leader first, then the best by its mean."""
    lost, known = np.any(found.better, axis=0).tolist(), dict[str, float]()
    for i in led_by(leader, models, means):
        if isfinite(merits[i]) and not lost[i] and models[i] != leader:
            known[models[i]] = merits[i]
    return (*([] if leader is None else [leader]), *sorted(known, key=known.__getitem__, reverse=True))


def _ahead(
    leader: str | None, means: MetricMeans, rows: Sequence[ComparisonRow], models: Sequence[str]
) -> tuple[str, ...]:
    """The models that the leader is behind by a number that is shown: mean rank, mean, or estimated difference."""
    sign = 1.0 if means.greater_is_better else -1.0
    merits = dict(zip(models, means.merits, strict=True))
    shown = dict(zip(models, means.means, strict=True)) if means.mean_ranks else {}
    ranks = dict(zip(models, means.mean_ranks, strict=False))
    found = set()
    for row in rows:
        if leader is not None and leader in (row.a, row.b) and isfinite(row.estimate):
            side, other = (1.0, row.b) if leader == row.a else (-1.0, row.a)
            least = min(side * row.estimate, side * sign * (row.mean_a - row.mean_b))
            if shown:
                least = min(least, sign * (shown[leader] - shown[other]))
            behind = merits[leader] < merits[other] and not isclose(merits[leader], merits[other], rel_tol=ROUNDING)
            behind |= bool(ranks) and ranks[leader] > ranks[other] + ROUNDING * len(models)
            if behind or least < -ROUNDING * max(abs(row.mean_a), abs(row.mean_b)):
                found.add(other)
    return tuple(filter(found.__contains__, models))


def _bound(rows: Sequence[ComparisonRow], means: MetricMeans) -> float:
    """The largest difference that the intervals of some rows hold; nan where it is no less than any there can be.

    0 only of scores equal everywhere: models some of which lack a score on some splits or data sets were not.
    """
    largest, differ = -np.inf, means.n_common != means.n_all
    for row in rows:
        if row.low != row.low:
            return np.nan
        largest = max(largest, abs(row.low), abs(row.high))
        differ = differ or row.wins > 0 or row.losses > 0
    return largest if (largest > 0 or (largest == 0 and not differ)) and largest < means.span else np.nan


_OF_PAIRS = _GROUPS | {
    Outcome.BETTER: "better",
    Outcome.WORSE: "worse",
    Outcome.UNDECIDED: "undecided",
    Outcome.EQUIVALENT: "undecided",
    Outcome.NOT_TESTED: "not_tested",
}
