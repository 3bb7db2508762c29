"""The records of an answer: what is known of the models on each metric, of each pair, and of all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

from skcompare._core.record import Record, few


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
        No model of `not_different`, but for the baseline, is further from the leader than this, in score units, with an
        error rate of 5% for all comparisons together; 0 where all of them have its very scores, nan where there is
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
    """What can be said of the models, under one error budget.

    Attributes
    ----------
    models : tuple of str
        All of them.
    metrics : tuple of MetricAnswer
        One per metric, the first being the one to decide on; after a sequential verdict that of its metric alone.
    pairs : tuple of PairAnswer
        All pairs of two models; of more than 1,000 on the splits of one data set those with a leader or the baseline.
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

    def all_alike(self, on: MetricAnswer) -> bool:
        """Whether any two of the leader and those not significantly different from it are not so; of no baseline."""
        if len(self.pairs) < self.n_pairs:
            return on.metric in self.alike
        names = [name for name in (on.leader, *on.not_different) if name not in (None, self.baseline)]
        pairs = (self.pair(a, b) for a, b in combinations(names, 2))
        return all(on.metric in pair.undecided for pair in pairs)

    def winner_over(self, model: str) -> str | None:
        """Of those not significantly different from the first leader the first that is better than a model."""
        first = self.metrics[0]
        if len(self.pairs) < self.n_pairs:
            return next((a for on, a, b in self.beaten if (on, b) == (first.metric, model)), None)
        return next((a for a in first.not_different if first.metric in self.pair(a, model).better), None)

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
