"""What a search found: its candidates ranked and tested, before anything is said or drawn of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import compress
from typing import Any, Self

import numpy as np
from scipy import special

from skcompare._answers import Answer
from skcompare._core.design import Design
from skcompare._core.numbers import as_decided, counted, equal_to, listed, some_of
from skcompare._core.record import Record, picked
from skcompare._core.validation import BoolArray, FloatArray, Positions, check_choice, check_integer
from skcompare._core.warnings import FEW_SPLITS, Code, CodedWarning, Warnings, do_not_use, few_splits
from skcompare.comparison.answer import MetricAnswer, PairAnswer
from skcompare.comparison.error_rates import halves_of
from skcompare.comparison.table import span
from skcompare.evaluation.learners import ends_of_grid
from skcompare.inference._records import ROUNDING, Correction, check_splits
from skcompare.inference.fold_scores import best_set
from skcompare.results import EvaluationResult
from skcompare.scores.evaluation import Selected
from skcompare.selection._effects import ParameterEffect, parameter_effects, with_fragile
from skcompare.selection._search import SearchScores

# The candidates of a search by rank, with their distance to the best and whether they are significantly worse.


class Candidate(Record):
    """One candidate of a search, in the ranking by the deciding metric.

    Attributes
    ----------
    rank : int
        From 1; candidates with equal means share a rank, and those that failed the last one.
    index : int
        Its position in ``cv_results_``.
    name : str
        Its parameters in words, as they differ between the candidates.
    params : mapping of str to object
        Its parameters.
    mean, deviation : float
        Of its scores over the splits, in score units (``ddof=1``); nan where it failed.
    difference : float
        Its mean less that of the best, in score units, at most 0; nan where it failed.
    low, high : float
        Interval of that difference by the t test of the ranking, at one minus the report's level over all pairs of
        candidates with different scores: it leaves out 0 where the candidate is significantly worse, and nowhere else.
        Both 0 for the best, nan where it failed, and where the difference does not vary.
    pvalue : float
        Of the hypothesis that it is as good as the best, adjusted for all comparisons of candidates with different
        scores; nan where it failed, and where the difference is the same on all splits, so that there is no test.
    significantly_different : bool
        Whether it is worse than the best at the report's level; False where it failed.
    fit_time : float
        Mean seconds of a fit; nan where unknown.
    same_as : str
        The first candidate of the ranking that has its scores on all splits, with which it counts as one; empty for
        that one, and where there is none.
    open_at_null : bool
        Whether the interval is cut off at 0, which is no part of it: the ranking allows for less than all pairs.
    may_be_best : bool
        Whether no candidate is significantly better, as in `SearchReport.rank`; False where it failed.
    fragile : bool
        Whether it is significantly worse, but would not be so if the splits, whose design was assumed, were random
        halves.
    """

    rank: int
    index: int
    name: str
    params: Mapping[str, Any]
    mean: float
    deviation: float
    difference: float
    low: float
    high: float
    pvalue: float
    significantly_different: bool
    fit_time: float
    same_as: str = ""
    open_at_null: bool = False
    may_be_best: bool = False
    fragile: bool = False

    def _sentence(self) -> str:
        if self.mean != self.mean:
            return f"{self.name} failed."
        found = f"{self.name} has rank {self.rank} with a mean of {self.mean:.4g}"
        if self.rank == 1:
            return f"{found}."
        if self.same_as:
            return f"{found}; it has the same scores as {self.same_as}."
        if self.pvalue != self.pvalue:
            return f"{found}; it is {-self.difference:.3g} behind the best on all splits, so that no test is possible."
        how = "is significantly worse than" if self.significantly_different else "is not significantly different from"
        return f"{found}; it {how} the best (difference {self.difference:.3g}, {equal_to('p', self.pvalue)})."


def same_scores(scores: FloatArray) -> Positions:
    """Of each candidate the first one with the same scores on all splits, but for rounding; shape (n_candidates,).

    Parameters
    ----------
    scores : ndarray of shape (n_candidates, n_splits)
        Where one is nan the other must be.
    """
    largest = float(np.nanmax(np.abs(scores), initial=0.0))
    noise, values = ROUNDING * largest, np.where(np.isnan(scores), 3 * largest + 1, scores)
    means = values.mean(axis=1)
    order = np.argsort(means, kind="stable")
    values, means = values[order], means[order]
    first, free = np.arange(len(means)), np.ones(len(means), dtype=bool)
    for i, end in enumerate(np.searchsorted(means, means + 2 * noise, side="right").tolist()):
        if free[i] and end > i + 1:
            near = np.flatnonzero(free[i:end] & (np.abs(values[i:end] - values[i]).max(axis=1) <= noise)) + i
            first[order[near]], free[near] = order[near].min(), False
    return first


def rank(
    read: SearchScores,
    scores: FloatArray,
    complete: BoolArray,
    *,
    best: int,
    pvalues: FloatArray,
    standing: BoolArray,
    first: Positions,
    alpha: float,
    widest: float,
) -> tuple[Candidate, ...]:
    """The candidates in their ranking, those that failed last.

    Parameters
    ----------
    read : SearchScores
        The candidates.
    scores : ndarray of shape (n_complete, n_splits)
        Scores of those that did not fail, greater is better.
    complete : ndarray of bool of shape (n_candidates,)
        Which did not.
    best : int
        Which of these is the best.
    pvalues : ndarray of shape (n_complete,)
        Adjusted, of the best against each.
    standing : ndarray of bool of shape (n_complete,)
        Of which being worse would stand if the splits were other ones.
    first : ndarray of int of shape (n_complete,)
        The first one with the same scores.
    alpha : float
        Level of "significantly different".
    widest : float
        The largest difference that there can be.
    """
    table, places, n = read.table, np.flatnonzero(complete), scores.shape[1]
    noise = ROUNDING * float(np.abs(scores).max())
    means, differences = scores.mean(axis=1), scores - scores[best]
    order = np.lexsort((-means, np.arange(len(means)) != best))  # of means that are equal but for rounding one leads
    behind = np.concatenate([[True], -np.diff(means[order]) > noise])
    ranks = np.full(len(complete), len(order) + 1)
    ranks[: len(order)] = np.maximum.accumulate(np.where(behind, np.arange(len(order)) + 1, 1))
    deviations, spread = (values.std(axis=1, ddof=1) for values in (scores, differences))
    deviations[deviations <= noise] = spread[spread <= noise] = 0.0
    lead = differences.mean(axis=1)
    lead[np.abs(lead) <= noise] = 0.0
    k = max(2, len(np.unique(first)))
    quantile = -special.stdtrit(n - 1, alpha / (k * (k - 1)))  # so that the intervals of all pairs hold together
    margins = quantile * spread * Correction.of(read.design).variance(n) ** 0.5
    margins[(spread == 0) & (lead != 0)] = np.nan  # a difference that does not vary has no test
    pvalues = np.where(np.isnan(margins), np.nan, pvalues)
    numbers = ("mean", "deviation", "difference", "low", "high", "pvalue")
    columns = np.full((len(complete), len(numbers)), np.nan)
    columns[places] = np.column_stack([means, deviations, lead, lead - margins, lead + margins, pvalues])
    worse, cut = columns[:, -1] < alpha, np.zeros(len(complete), dtype=bool)
    fragile = worse.copy()
    fragile[places] &= ~standing
    for i in places:
        ends = as_decided(*columns[i, 3:5].tolist(), null=0.0, significant=bool(worse[i]), above=False, widest=widest)
        columns[i, 3:5], cut[i] = ends[:2], ends[2]
    led: dict[int, int] = {}  # the one that the ranking has first
    same_as = {int(places[i]): int(places[led.setdefault(int(first[i]), i)]) for i in order.tolist()}
    return tuple(
        Candidate(
            rank=rank,
            index=int(table.index[i]),
            name=table.names[i],
            params=table.params[i],
            **dict(zip(numbers, columns[i].tolist(), strict=True)),
            significantly_different=bool(worse[i]),
            open_at_null=bool(cut[i]),
            may_be_best=bool(complete[i] and not worse[i]),
            fragile=bool(fragile[i]),
            fit_time=float(table.fit_times[i]),
            same_as="" if same_as.get(i, i) == i else table.names[same_as[i]],
        )
        for i, rank in zip([*places[order].tolist(), *np.flatnonzero(~complete).tolist()], ranks.tolist(), strict=True)
    )


LEADERS = 10


class SearchFindings(Record, eq=False):
    """The candidates of a search by one of its metrics; `SearchReport` documents the fields."""

    ranking: tuple[Candidate, ...]
    names: tuple[str, ...]
    params: tuple[Mapping[str, Any], ...]
    metrics: tuple[str, ...]
    metric: str
    design: Design
    scores: FloatArray
    confidence_set: best_set.ModelConfidenceSet
    selection_bias: best_set.SelectionBiasResult
    effects: tuple[ParameterEffect, ...]
    alpha: float
    search: str
    warnings: Warnings = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    _read: SearchScores = field(repr=False)
    _made: dict[Any, Any] = field(default_factory=dict, repr=False)  # results by their candidates, and what is shown

    @classmethod
    def of(cls, read: SearchScores, metric: str, alpha: float) -> Self:
        """The findings of a search by one of its metrics."""
        check_choice(metric, "metric", read.metrics)
        table = read.table
        deciding = table.scores[:, :, read.metrics.index(metric)]
        used, complete, left_out = _with_scores(deciding, table.names, metric, read.design.unit)
        scores = deciding[complete][:, used]
        names = tuple(compress(table.names, complete))
        correction = Correction.of(read.design)
        first = same_scores(scores)
        kept = np.unique(first) if np.any(first) else np.arange(2)  # candidates with the same scores count once
        different, named = scores[kept].T, [names[i] for i in kept]
        of_best = best_set.confidence_set(of_kept := check_splits(different, True, named), correction)
        against = best_set.pvalues_against_best(of_best, of_kept, correction)
        labels = {name: tuple(compress(column, complete)) for name, column in table.labels.items()}
        params, place = tuple(compress(table.params, complete)), np.searchsorted(kept, first)
        as_halves, effects = against, parameter_effects(params, labels, scores, correction)
        if "assumed_design" in read.provenance:
            halves = Correction.of(halves_of(read.design))
            as_halves = best_set.pvalues_against_best(best_set.confidence_set(of_kept, halves), of_kept, halves)
            effects = with_fragile(effects, parameter_effects(params, labels, scores, halves), alpha)
        n_folds = read.design.n_folds
        if not used.all():  # repeats with gaps count as overlapping splits
            n_folds = len(scores[0]) if read.design.n_repeats == 1 else 1
        bias = best_set.selection_bias(different, n_folds=n_folds, test_fraction=correction.test_fraction, names=named)
        return cls(
            ranking=rank(
                read,
                scores,
                complete,
                best=names.index(of_best.best),
                pvalues=against[place],
                standing=(as_halves < alpha)[place],
                first=first,
                alpha=alpha,
                widest=span(metric, deciding),
            ),
            **picked(table, "names", "params", "scores"),
            **picked(read, "metrics", "design", "search", "provenance"),
            metric=metric,
            confidence_set=_of_all(of_best, names, place),
            selection_bias=bias,
            effects=effects,
            alpha=alpha,
            warnings=tuple(dict.fromkeys([*read.warnings, *left_out, *of_best.warnings, *bias.warnings])),
            _read=read,
        )

    @property
    def _ends(self) -> tuple[tuple[str, str], ...]:
        """The parameters of which the best candidate has an end of the values tried, each in words."""
        return tuple(ends_of_grid(self.params, self.best.params, self._read.estimator))

    @property
    def best(self) -> Candidate:
        """The candidate with the best mean; the first of several."""
        return self.ranking[0]

    def not_significantly_different(self) -> tuple[Candidate, ...]:
        """The best candidate and those not significantly different from it, best first.

        Who is significantly worse than any candidate is so than the best: these are those that may be the best, the
        ``may_be_first`` of `SearchReport.rank`.
        """
        return tuple(row for row in self.ranking if row.may_be_best)

    def may_be_best(self) -> tuple[Candidate, ...]:
        """The candidates that no other is significantly better than: those of `not_significantly_different`."""
        return self.not_significantly_different()

    def settings(self) -> dict[str, tuple[str | None, ...]]:
        """For every parameter that varies, its values in words."""
        return dict(self._read.table.labels)

    def result(self, candidates: int | Sequence[str | Candidate] = LEADERS) -> EvaluationResult:
        """The leading candidates, or those named, as an `EvaluationResult`.

        Parameters
        ----------
        candidates : int or sequence of str or Candidate, default=10
            How many of the ranking, at least 2; or which, two or more.

        Returns
        -------
        EvaluationResult
            Without predictions and times, the metric that decides first. Its comparisons say what the ranking says:
            the best against each other candidate on the deciding metric has the p-value of the ranking; all others are
            adjusted by Bonferroni over all pairs of candidates of the search on all metrics asked for, whatever
            `correction` is given, with an error rate of their own. A single ``.test()`` is not adjusted.

        Raises
        ------
        ValueError
            If `candidates` is less than 2, fewer than two names, or has an unknown name or one twice.
        """
        chosen = self._chosen(candidates)
        if chosen not in self._made:
            self._made[chosen] = self._result(chosen)
        found: EvaluationResult = self._made[chosen]
        return found

    def _result(self, chosen: tuple[str, ...]) -> EvaluationResult:
        places = [self.names.index(name) for name in chosen]
        metrics = (self.metric, *(metric for metric in self.metrics if metric != self.metric))
        tested = {row.name: float(np.nan_to_num(row.pvalue, nan=1.0)) for row in self.ranking if np.isfinite(row.mean)}
        # Candidates that did not fail, those with the same scores on all metrics counted once.
        there = [name in tested for name in self.names]
        alike = np.array([same_scores(scores) for scores in np.moveaxis(self.scores[there], 2, 0)])
        selected = Selected(
            metric=self.metric,
            n_candidates=max(2, len(np.unique(alike, axis=1).T)),
            best=chosen.index(self.best.name) if self.best.name in chosen else None,
            pvalues=tuple(tested.get(name) for name in chosen),
            alpha=self.alpha,
        )
        n, n_all = len(chosen), len(self.names)
        some = Code.SELECTED(
            f"{n:,} of {n_all:,} candidates of a search, over all of which p-values are adjusted: confirm the winner "
            "on data that the search did not see."
        )
        return EvaluationResult(
            estimators=chosen,
            metrics=metrics,
            greater_is_better=(True,) * len(metrics),
            design=self.design,
            scores=self.scores[places][:, :, [self.metrics.index(metric) for metric in metrics]],
            warnings=(*self._read.warnings, *([some] if n < n_all else [])),
            provenance=self.provenance,
            single_metric=len(metrics) == 1,
            selected=selected,
            kept_splits=self._read.splits,
            kept_predictions=None,
        )

    def _chosen(self, candidates: int | Sequence[str | Candidate]) -> tuple[str, ...]:
        if isinstance(candidates, (int, np.integer)):
            n = check_integer(candidates, "candidates", low=2)
            return tuple(row.name for row in self.ranking[:n] if np.isfinite(row.mean))
        if isinstance(candidates, str) or not isinstance(candidates, Sequence):
            raise ValueError(f"candidates must be an integer or names of candidates; got {candidates!r:.80}")
        names = tuple(each.name if isinstance(each, Candidate) else each for each in candidates)
        for name in names:
            if name not in self.names:
                check_choice(name, "candidates", self.names[:LEADERS])
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"candidates must name two or more candidates, each once; got {list(names)!r:.200}")
        return names


def _of_all(own: best_set.ModelConfidenceSet, names: tuple[str, ...], place: Positions) -> best_set.ModelConfidenceSet:
    """The confidence set of candidates with different scores, extended to all; `place` maps each to its scores."""
    shared = np.bincount(place, minlength=len(own.names)) > 1
    statistics = np.where(shared, np.maximum(own.statistics, 0.0), own.statistics)
    means, pvalues = own.means[place], own.pvalues[place]
    return replace(own, names=names, means=means, pvalues=pvalues, statistics=statistics[place])


def _with_scores(
    scores: FloatArray, names: Sequence[str], metric: str, unit: str
) -> tuple[BoolArray, BoolArray, list[CodedWarning]]:
    """Which splits have any score, which candidates have all of these, and warnings of what is left out."""
    finite = np.isfinite(scores)
    used: BoolArray = np.any(finite, axis=0)
    complete: BoolArray = np.all(finite[:, used], axis=1) & used.any()
    if complete.sum() < 2 or used.sum() < 2:
        raise ValueError(
            f"search must have two candidates with a score on every split that has any {metric}; got "
            f"{int(complete.sum())} of {len(scores)} on {some_of(int(used.sum()), len(used), 'split')}"
        )
    found: list[CodedWarning] = []
    if not used.all():
        where = f"on {int((~used).sum())} of {counted(len(used), 'split')}, which are left out"
        found.append(Code.MISSING_SCORES(f"{metric} has no value for any candidate {where}. Mend the metric there."))
    if failed := list(compress(names, ~complete)):
        of = f"{len(failed)} of {counted(len(names), 'candidate')} without a score on some split"
        found.append(Code.MISSING_SCORES(f"{of}: ranked last, untested. Mend or drop: {listed(failed, 3)}."))
    if used.sum() < FEW_SPLITS:
        found.append(few_splits(int(used.sum()), unit))
    return used, complete, found


# The answer of a search: the best candidate and what its ranking says of the others.


def search_answer(report: SearchFindings) -> Answer:
    """What the ranking says, as one record; see `SearchReport.answer`."""
    best, on, pairs = report.best, (report.metric,), list[PairAnswer]()
    found: dict[str, list[str]] = {"worse": [], "not_different": [], "not_comparable": [], "unvarying": []}
    for row in report.ranking[1:]:
        group, in_pair = "not_comparable", "not_comparable"
        if np.isfinite(row.pvalue):
            group, in_pair = ("worse", "better") if row.significantly_different else ("not_different", "undecided")
        elif np.isfinite(row.mean):
            found["unvarying"].append(row.name)
        found[group].append(row.name)
        pairs.append(PairAnswer(a=best.name, b=row.name, **{in_pair: on}))
    named: dict[str, Any] = {group: tuple(names) for group, names in found.items()}
    named["may_be_first"] = tuple(row.name for row in report.may_be_best())
    groups: dict[str, list[str]] = {}  # the candidates with the same scores, in the order of the ranking
    for row in report.ranking:
        if row.same_as:
            groups.setdefault(row.same_as, [row.same_as]).append(row.name)
    return Answer(
        models=tuple(row.name for row in report.ranking),
        metrics=(MetricAnswer(metric=report.metric, leader=best.name, bound=_bound(report), **named),),
        pairs=tuple(pairs),
        alpha=report.alpha,
        n_metrics=len(report.metrics),
        sequential=False,
        within_reach=True,
        candidates=True,
        same=tuple(map(tuple, groups.values())),
        forbidden=do_not_use(report.warnings),
    )


def _bound(report: SearchFindings) -> float:
    """How far from the best one of the others can be: by the intervals of the ranking."""
    alike = report.not_significantly_different()[1:]  # without the best
    ends = [max(abs(row.low), abs(row.high)) for row in alike]
    deciding = report.scores[:, :, report.metrics.index(report.metric)]
    largest = float(np.max(ends, initial=-np.inf))
    return largest if -np.inf < largest < span(report.metric, deciding) else np.nan
