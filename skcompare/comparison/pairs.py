"""The tests of all pairs of models on one metric, as arrays; the record of a pair is made when it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.cases import superfluous
from skcompare.comparison.evidence import EvaluationQuestions, own_mean
from skcompare.comparison.family import limits_of
from skcompare.comparison.fold_evidence import Question
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.spread import SINGLE, does_not_vary, is_size, without_claim
from skcompare.comparison.study_evidence import StudyQuestions
from skcompare.comparison.table import wins_and_losses
from skcompare.evaluation.metrics.scorers import known_costs
from skcompare.inference import SignedRankResult, SignTestResult
from skcompare.inference._forms import Procedure
from skcompare.inference._kinds import Compared, interval_tail, with_names
from skcompare.inference._records import ManyTTests, Positions, many_differences
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.rare_classes import is_undefined
from skcompare.scores.study import StudyScores

Scores = EvaluationScores | StudyScores
Questions = EvaluationQuestions | StudyQuestions


def questions_to(scores: Scores) -> Questions:
    """How questions to scores are read and answered."""
    return StudyQuestions(scores) if isinstance(scores, StudyScores) else EvaluationQuestions(scores)


def record_of(questions: Questions, question: Question) -> Any:
    """The record of a procedure on the evidence that it takes; what is random is drawn with the seed of the scores."""
    procedure = question.procedure
    found = procedure.takes.arguments(questions.evidence(question))
    seed = {"rng": questions.scores.seed} if "rng" in procedure.keywords else {}
    record = procedure.function(*found.positional, **{**seed, **found.options, **question.options})
    record = without_claim(record, procedure, found.positional, questions.scores)
    warnings = dict.fromkeys((*record.warnings, *found.warnings))
    done = superfluous(questions.scores)
    metric = question.metric if isinstance(question.metric, str) else getattr(question.metric, "__name__", "")
    compared = Compared(a=question.a, b=question.b, metric=metric)  # a joint record names its metrics itself
    return with_names(record, compared, warnings=tuple(one for one in warnings if one.code not in done))


@once
def _record(
    scores: Scores, procedure: str, metric: str, a: str, b: str, alternative: str, null: float, horizon: int | None
) -> Any:
    """The record of a pair, None where the evidence for it is lacking, or a score on one test set is 0/0."""
    if _undefined(scores, metric, a, b):
        return None
    questions = questions_to(scores)
    chosen = questions.choose(procedure, questions.find(procedure, {}, of_pair=True), metric, a, b)
    options = {**({"alternative": alternative} if chosen.procedure.directed else {}), **chosen.options}
    options |= ({"null": null} if null else {}) | ({} if horizon is None else {"horizon": horizon})
    question = Question(procedure=chosen.procedure, metric=metric, a=a, b=b, options=options)
    try:
        return chosen.explain(record_of(questions, question))
    except MissingEvidenceError:
        return None
    except ValueError:
        if isinstance(scores, StudyScores) or scores.design.kind != "samples":
            raise
        return None  # scores that no curve can be drawn of, a metric that is not defined on these labels


def _undefined(scores: Scores, metric: str, *names: str) -> bool:
    return isinstance(scores, EvaluationScores) and any(is_undefined(scores, name, metric) for name in names)


def lead(record: Any) -> float:
    """Positive where a difference is above that of the null hypothesis; a median can be 0 where a test is not."""
    if isinstance(record, SignedRankResult):
        return float(record.rank_sum_a - record.rank_sum_b)
    return float(record.wins - record.losses) if isinstance(record, SignTestResult) else record.estimate - record.null


@dataclass(frozen=True, slots=True, kw_only=True)
class PairQuestion:
    """What is asked of all pairs on one metric.

    Attributes
    ----------
    named : str
        The name by which the procedure is asked for; "auto" of a calibrated result.
    procedure : Procedure
        Its row.
    alternative : str
        Of every test.
    null : float
        The difference under the null hypothesis.
    rope : float or None
        Half width of the region of practical equivalence.
    horizon : int or None
        Of tests in time order.
    """

    named: str
    procedure: Procedure
    alternative: str
    null: float = 0.0
    rope: float | None = None
    horizon: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairTests:
    """The tests of some pairs on one metric.

    Attributes
    ----------
    scores : EvaluationScores or StudyScores
        What is compared.
    metric : str
        On which.
    asked : PairQuestion
        The test.
    first, second : ndarray of shape (n_pairs,)
        The positions of the models of each pair.
    pvalues, leads : ndarray of shape (n_pairs,)
        Of each alone, and positive where the first model is ahead; nan where it cannot be compared.
    together : ManyTTests or None
        The tests that were made at once, of the pairs at `places`.
    """

    scores: Scores
    metric: str
    asked: PairQuestion
    first: Positions
    second: Positions
    pvalues: FloatArray
    leads: FloatArray
    together: ManyTTests | None
    places: Positions
    _means: dict[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, scores: Scores, metric: str, asked: PairQuestion, pairs: Positions) -> PairTests:
        """The tests of pairs, of shape (n_pairs, 2): at once where the procedure can, of the others one by one."""
        first, second = pairs.T
        pvalues, leads = (np.full(len(pairs), np.nan) for _ in range(2))
        places, together = np.full(len(pairs), -1), None
        if isinstance(scores, EvaluationScores) and _at_once(scores, metric, asked):
            complete = np.array([scores.has_all((name,), (metric,)) for name in scores.estimators])
            known = np.flatnonzero(complete[first] & complete[second])
            if len(known):
                together, ordinary = _tests(scores, metric, asked, first[known], second[known])
                places[known[ordinary]] = np.flatnonzero(ordinary)
                pvalues[known[ordinary]] = together.pvalue[ordinary]
                leads[known[ordinary]] = together.differences.mean[ordinary] - asked.null
        found = cls(
            scores=scores,
            metric=metric,
            asked=asked,
            first=first,
            second=second,
            pvalues=pvalues,
            leads=leads,
            together=together,
            places=places,
        )
        for i in np.flatnonzero(places < 0).tolist():
            record = found._alone(i)
            if record is not None:
                pvalues[i], leads[i] = record.pvalue, lead(record)
        return found

    def pair(self, i: int) -> tuple[str, str]:
        """The names of the models of a pair."""
        return self.scores.estimators[self.first[i]], self.scores.estimators[self.second[i]]

    def _alone(self, i: int) -> Any:
        asked = self.asked
        return _record(
            self.scores, asked.named, self.metric, *self.pair(i), asked.alternative, asked.null, asked.horizon
        )

    def limits(self, level: float) -> tuple[FloatArray, FloatArray]:
        """The ends of the intervals of all pairs at a level; nan where there is none."""
        low, high = (np.full(len(self.first), np.nan) for _ in range(2))
        if self.together is not None:
            at_once = self.places >= 0
            ends = self.together.limits(interval_tail(level, self.asked.alternative))
            low[at_once], high[at_once] = (end[self.places[at_once]] for end in ends)
        for i in np.flatnonzero(self.places < 0).tolist():
            low[i], high[i] = limits_of(self._alone(i), level)
        return low, high

    def found(self, i: int) -> dict[str, Any]:
        """The fields of the row of a pair that depend neither on the other rows nor on the level."""
        return self._found_together(i, int(self.places[i])) if self.places[i] >= 0 else self._found_alone(i)

    def _mean(self, name: str) -> float:
        if name not in self._means:
            scores = self.scores
            assert isinstance(scores, EvaluationScores)
            sign = 1.0 if scores.greater_is_better[scores.metric_index(self.metric)] else -1.0
            self._means[name] = sign * own_mean(scores, name, self.metric)
        return self._means[name]

    def _found_together(self, i: int, place: int) -> dict[str, Any]:
        scores = self.scores
        assert self.together is not None
        assert isinstance(scores, EvaluationScores)
        a, b = self.pair(i)
        d = self.together.differences
        record = self.together.record(
            place, Compared(a=a, b=b, metric=self.metric), scores.score_warnings(self.metric, a, b)
        )
        n, wins, losses = d.n, int(d.wins[place]), int(d.losses[place])
        found = {
            "metric": self.metric,
            "a": a,
            "b": b,
            "mean_a": self._mean(a),
            "mean_b": self._mean(b),
            "estimate": record.estimate,
            "pvalue": record.pvalue,
            "effect_size": record.effect_size,
            "wins": wins,
            "ties": n - wins - losses,
            "losses": losses,
            "probability_of_superiority": (wins + (n - wins - losses) / 2) / n,
            "warnings": record.warnings,
            "procedure": self.asked.procedure.name,
            "null": self.asked.null,
            "record": record,
        }
        if self.asked.rope is not None:
            questions = questions_to(scores)
            found |= _shares(questions.posterior(*questions.pair(self.metric, a, b), self.asked.rope))
        return found

    def _found_alone(self, i: int) -> dict[str, Any]:
        questions, asked, compared = questions_to(self.scores), self.asked, (self.metric, *self.pair(i))
        record = self._alone(i)
        paired = questions.pair(*compared)
        mean_a, mean_b = questions.means(asked.procedure, record, compared, paired)
        untested = record is not None and does_not_vary(record.warnings)
        posterior = None if asked.rope is None or untested else questions.posterior(*paired, asked.rope)
        tested = record is not None and not untested
        test = questions.choose(asked.named, asked.procedure, *compared).procedure.name if tested else ""
        return {
            "metric": self.metric,
            "a": compared[1],
            "b": compared[2],
            "mean_a": mean_a,
            "mean_b": mean_b,
            "estimate": np.nan if record is None else record.estimate,
            "pvalue": np.nan if record is None else record.pvalue,
            "effect_size": np.nan if record is None else record.effect_size,
            **wins_and_losses(*paired),
            **_shares(posterior),
            "warnings": self._why_not(questions, compared) if record is None else record.warnings,
            "procedure": test,
            "null": asked.null,
            "record": record,
        }

    def _why_not(self, questions: Questions, compared: tuple[str, str, str]) -> tuple[CodedWarning, ...]:
        """Why two models are not compared."""
        if isinstance(self.scores, EvaluationScores) and _undefined(self.scores, *compared):
            return self.scores.score_warnings(*compared)
        return questions.warnings(*compared)


def _shares(posterior: Any) -> dict[str, float]:
    names = ("left", "rope", "right")
    return {} if posterior is None else {name: getattr(posterior, name) for name in names}


def _at_once(scores: Scores, metric: str, asked: PairQuestion) -> bool:
    """Whether models are compared by the differences on their splits, by a test that takes many pairs."""
    return (
        isinstance(scores, EvaluationScores)
        and scores.design.kind == "folds"
        and scores.clusters is None
        and scores.calibration is None
        and asked.procedure.many is not None
        and not is_size(scores, metric)
        and not known_costs(scores.metric_functions.get(metric))
    )


def able_at_once(scores: Scores, asked: Mapping[str, PairQuestion]) -> bool:
    """Whether all pairs can be tested at once on all metrics."""
    return all(_at_once(scores, metric, one) for metric, one in asked.items())


def _tests(
    scores: Any, metric: str, asked: PairQuestion, first: Positions, second: Positions
) -> tuple[ManyTTests, NDArray[np.bool_]]:
    """The tests of pairs that lack no score, and which of them are ordinary: float32 numbers may not vary."""
    assert asked.procedure.many is not None
    values = scores.oriented_scores[:, :, scores.metric_index(metric)]
    values = np.where(np.isfinite(values), values, 0.0)
    options = asked.procedure.options(scores.design)
    differences = many_differences(values, first, second)
    tests = asked.procedure.many(differences, **options, alternative=asked.alternative, null=asked.null)
    largest = np.abs(values).max(axis=1)
    vary = tests.differences.std > SINGLE * np.maximum(largest[first], largest[second])
    return tests, tests.ordinary & vary


class Standing(NamedTuple):
    """How often each model was compared on a metric, significantly worse and better, and who is worse than it."""

    compared: Counter[str]
    lost: Counter[str]
    won: Counter[str]
    beaten: dict[str, set[str]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AllPairs:
    """What the comparisons of all pairs on all metrics said, as arrays without their records.

    Attributes
    ----------
    estimators, metrics : tuple of str
        What was compared.
    first, second : ndarray of shape (n_pairs,)
        The positions of the models of each pair, the first before the second.
    leads, pvalues : ndarray of shape (n_metrics, n_pairs)
        Positive where the first model is ahead; adjusted in its family, nan where nothing was compared.
    alpha : float
        The level of the outcomes.
    judged : sequence of Judged
        The families themselves.
    """

    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    first: Positions
    second: Positions
    leads: FloatArray
    pvalues: FloatArray
    alpha: float
    judged: Sequence[Any]

    @classmethod
    def of(cls, scores: Scores, judged: Sequence[Any], pairs: Positions) -> AllPairs:
        """What the families of a comparison say."""
        tests = {one.metric: (one, p) for family in judged for one, p in zip(family.tests, family.pvalues, strict=True)}
        return cls(
            estimators=scores.estimators,
            metrics=tuple(tests),
            first=pairs[:, 0],
            second=pairs[:, 1],
            leads=np.stack([one.leads for one, _ in tests.values()]),
            pvalues=np.stack([p for _, p in tests.values()]),
            alpha=judged[0].alpha,
            judged=judged,
        )

    def standing(self, metric: str) -> Standing:
        """Which models won and lost how often on a metric."""
        k, known = len(self.estimators), ~np.isnan(self.pvalues[self.metrics.index(metric)])
        winners, losers = self._decided(metric)
        compared = np.bincount(np.concatenate([self.first[known], self.second[known]]), minlength=k)
        counts = (compared, np.bincount(losers, minlength=k), np.bincount(winners, minlength=k))
        beaten: dict[str, set[str]] = {}
        for i, j in zip(winners.tolist(), losers.tolist(), strict=True):
            beaten.setdefault(self.estimators[i], set()).add(self.estimators[j])
        n_compared, lost, won = (Counter(dict(zip(self.estimators, one.tolist(), strict=True))) for one in counts)
        return Standing(compared=n_compared, lost=lost, won=won, beaten=beaten)

    def _decided(self, metric: str) -> tuple[Positions, Positions]:
        """The winners of the significant pairs, and their losers."""
        m = self.metrics.index(metric)
        ahead, decided = self.leads[m] > 0, self.pvalues[m] < self.alpha
        sides = ((self.first, self.second), (self.second, self.first))
        winners, losers = (np.where(ahead, one, other)[decided] for one, other in sides)
        return winners, losers

    def first_winners(self, metric: str, winners: Sequence[str], losers: Sequence[str]) -> tuple[tuple[str, str], ...]:
        """Of each loser that one of the winners is significantly better than, the first such winner and the loser."""
        names = self.estimators
        won = {(names[i], names[j]) for i, j in zip(*self._decided(metric), strict=True)} if losers else set()
        found = ((next((a for a in winners if (a, b) in won), None), b) for b in losers)
        return tuple((a, b) for a, b in found if a is not None)

    def all_open(self, metric: str, models: Collection[str | None]) -> bool:
        """Whether any two of some models are compared on a metric, and not significantly different."""
        among = np.array([name in models for name in self.estimators])
        return bool(
            (self.pvalues[self.metrics.index(metric)][among[self.first] & among[self.second]] >= self.alpha).all()
        )
