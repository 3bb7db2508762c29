"""Many pairs of models on folds, tested together: the numbers are those of one pair after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.comparison.evidence import own_mean
from skcompare.comparison.spread import SINGLE, is_size
from skcompare.comparison.table import adjusted
from skcompare.evaluation.metrics.scorers import known_costs
from skcompare.inference._forms import Procedure
from skcompare.inference._kinds import Compared, interval_tail
from skcompare.inference._many_pairs import ManyTTests, Positions, many_differences
from skcompare.scores.evaluation import EvaluationScores

Alone = dict[str, Any]  # the fields of a row that do not depend on the other rows
FEW = 8  # pairs that are tested as fast one by one


def compared_together(
    scores: Any,
    procedures: Mapping[str, Procedure],
    pairs: Sequence[tuple[str, str]],
    alternative: str,
    nulls: Mapping[str, float],
    *,
    confidence_level: float,
) -> dict[tuple[str, str, str], Alone]:
    """By metric, `a` and `b` what is shown of pairs that lack no score and whose differences are ordinary.

    Empty where the pairs are few, or are tested on something else than the splits.
    """
    if not _on_splits(scores) or len(pairs) <= FEW:
        return {}
    return {
        (metric, alone["a"], alone["b"]): alone
        for metric, procedure in procedures.items()
        for alone in _on_metric(scores, procedure, metric, pairs, alternative, nulls[metric], confidence_level)
    }


def _on_splits(scores: Any) -> bool:
    """Whether models are compared by the differences on their splits."""
    of_splits = isinstance(scores, EvaluationScores) and scores.design.kind == "folds" and scores.clusters is None
    return of_splits and scores.calibration is None


def _able(scores: EvaluationScores, procedure: Procedure, metric: str) -> bool:
    """Whether a test of a metric can be made for many pairs together."""
    ordinary = not is_size(scores, metric) and not known_costs(scores.metric_functions.get(metric))
    return procedure.many is not None and ordinary


def _tests(
    scores: EvaluationScores,
    procedure: Procedure,
    metric: str,
    first: Positions,
    second: Positions,
    alternative: str,
    null: float,
) -> ManyTTests:
    """The tests of pairs that lack no score, of which models these are the positions."""
    assert procedure.many is not None
    values = scores.oriented_scores[:, :, scores.metric_index(metric)]
    differences = many_differences(np.where(np.isfinite(values), values, 0.0), first, second)
    return procedure.many(differences, **procedure.options(scores.design), alternative=alternative, null=null)


def _vary(
    scores: EvaluationScores, metric: str, tests: ManyTTests, first: Positions, second: Positions
) -> NDArray[np.bool_]:
    """Whether the differences of pairs surely vary: float32 numbers with less spread may not."""
    values = scores.oriented_scores[:, :, scores.metric_index(metric)]
    largest = np.abs(np.where(np.isfinite(values), values, 0.0)).max(axis=1)
    return np.asarray(tests.differences.std > SINGLE * np.maximum(largest[first], largest[second]))


class Standing(NamedTuple):
    """How often each model was compared on a metric, significantly worse and better, and who is worse than it."""

    compared: Counter[str]
    lost: Counter[str]
    won: Counter[str]
    beaten: dict[str, set[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class AllPairs:
    """What the comparisons of all pairs on all metrics said, as arrays without their records.

    Attributes
    ----------
    estimators, metrics : tuple of str
        What was compared.
    first, second : ndarray of shape (n_pairs,)
        The positions of the models of each pair, the first before the second.
    leads, pvalues : ndarray of shape (n_metrics, n_pairs)
        Positive where the first model is ahead; adjusted over all, nan where nothing was compared.
    n_known : int
        Over how many p-values they are adjusted.
    alpha : float
        The level of the outcomes.
    """

    estimators: tuple[str, ...]
    metrics: tuple[str, ...]
    first: Positions
    second: Positions
    leads: FloatArray
    pvalues: FloatArray
    n_known: int
    alpha: float

    def of(self, compared: Sequence[tuple[str, str, str]]) -> tuple[list[float], int]:
        """The p-values of metrics and pairs, of which `a` is before `b`, and over how many they are adjusted."""
        k, place = len(self.estimators), {name: i for i, name in enumerate(self.estimators)}
        at = [(self.metrics.index(metric), place[a], place[b]) for metric, a, b in compared]
        found = [float(self.pvalues[m, i * (2 * k - i - 1) // 2 + j - i - 1]) for m, i, j in at]
        return found, self.n_known

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


def all_pairs(
    scores: Any,
    procedures: Mapping[str, Procedure],
    alpha: float,
    single: Callable[[str, str, str], tuple[float, float]],
) -> AllPairs | None:
    """The two-sided tests of all pairs, adjusted by Holm's method; None where they are not made together.

    Parameters
    ----------
    scores : EvaluationScores or StudyScores
        What is compared.
    procedures : mapping of str to Procedure
        By metric.
    alpha : float
        The level of the outcomes.
    single : callable
        Metric, `a` and `b` -> the p-value and the lead of a pair that is not ordinary, by the procedure itself.
    """
    if not _on_splits(scores) or not all(_able(scores, one, metric) for metric, one in procedures.items()):
        return None
    names, metrics = scores.estimators, tuple(procedures)
    first, second = np.triu_indices(len(names), 1)
    pvalues, leads = (np.full((len(metrics), len(first)), np.nan) for _ in range(2))
    for m, (metric, procedure) in enumerate(procedures.items()):
        complete = np.array([scores.has_all((name,), (metric,)) for name in names])
        known = np.flatnonzero(complete[first] & complete[second])
        if len(known):
            tests = _tests(scores, procedure, metric, first[known], second[known], "two-sided", 0.0)
            ordinary = tests.ordinary & _vary(scores, metric, tests, first[known], second[known])
            known = known[ordinary]
            pvalues[m, known], leads[m, known] = tests.pvalue[ordinary], tests.differences.mean[ordinary]
        for i in np.flatnonzero(np.isnan(pvalues[m])).tolist():
            pvalues[m, i], leads[m, i] = single(metric, names[first[i]], names[second[i]])
    found, n_known = adjusted(pvalues.ravel().tolist(), "holm")
    return AllPairs(
        estimators=names,
        metrics=metrics,
        first=first,
        second=second,
        leads=leads,
        pvalues=np.reshape(found, pvalues.shape),
        n_known=n_known,
        alpha=alpha,
    )


def _on_metric(
    scores: EvaluationScores,
    procedure: Procedure,
    metric: str,
    pairs: Sequence[tuple[str, str]],
    alternative: str,
    null: float,
    confidence_level: float,
) -> Iterator[Alone]:
    complete = {name for name in scores.estimators if scores.has_all((name,), (metric,))}
    pairs = [pair for pair in pairs if complete.issuperset(pair)]
    if not pairs or not _able(scores, procedure, metric):
        return
    position = {name: i for i, name in enumerate(scores.estimators)}
    first, second = np.array([[position[a], position[b]] for a, b in pairs]).T
    tests = _tests(scores, procedure, metric, first, second, alternative, null)
    differences = tests.differences
    n, sign = differences.n, 1.0 if scores.greater_is_better[scores.metric_index(metric)] else -1.0
    means = {name: sign * own_mean(scores, name, metric) for name in complete}
    warnings = {name: scores.score_warnings(metric, name) for name in complete}
    any_warning = any(warnings.values())
    low, high = tests.limits(interval_tail(confidence_level, alternative))
    ordinary = tests.ordinary & _vary(scores, metric, tests, first, second)
    columns = (ordinary, differences.wins, differences.losses, low, high)
    records = tests.records(
        [Compared(a=a, b=b, metric=metric) for a, b in pairs],
        [tuple(dict.fromkeys((*warnings[a], *warnings[b]))) if any_warning else () for a, b in pairs],
    )
    for (a, b), record, together, wins, losses, of_low, of_high in zip(
        pairs, records, *(column.tolist() for column in columns), strict=True
    ):
        if not together:
            continue
        yield {
            "metric": metric,
            "a": a,
            "b": b,
            "mean_a": means[a],
            "mean_b": means[b],
            "estimate": record.estimate,
            "low": of_low,
            "high": of_high,
            "pvalue": record.pvalue,
            "effect_size": record.effect_size,
            "wins": wins,
            "ties": n - wins - losses,
            "losses": losses,
            "probability_of_superiority": (wins + (n - wins - losses) / 2) / n,
            "warnings": record.warnings,
            "procedure": procedure.name,
            "null": null,
            "record": record,
            "confidence_level": confidence_level,
        }
