"""What a search found: its candidates ranked and tested, before anything is said or drawn of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_integer
from skcompare._core.warnings import FEW_SPLITS, Code, CodedWarning, few_splits
from skcompare._core.words import counted
from skcompare.inference._overlap import Correction
from skcompare.inference.fold_scores.model_confidence_set import (
    ModelConfidenceSet,
    confidence_set,
    pvalues_against_best,
)
from skcompare.inference.fold_scores.selection_bias import SelectionBiasResult, selection_bias
from skcompare.results import EvaluationResult
from skcompare.scores.selected import Selected
from skcompare.selection._effects import ParameterEffect, parameter_effects
from skcompare.selection._search import SearchScores
from skcompare.selection._search_ranking import Candidate, rank, same_scores
from skcompare.tables.candidate_names import first_of

LEADERS = 10


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class SearchFindings(Record):
    """The candidates of a search by one of its metrics; `SearchReport` documents the fields."""

    ranking: tuple[Candidate, ...]
    names: tuple[str, ...]
    params: tuple[Mapping[str, Any], ...]
    metrics: tuple[str, ...]
    metric: str
    design: Design
    scores: FloatArray
    confidence_set: ModelConfidenceSet
    selection_bias: SelectionBiasResult
    effects: tuple[ParameterEffect, ...]
    alpha: float
    search: str
    warnings: tuple[CodedWarning, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    _read: SearchScores = field(repr=False)
    _made: dict[tuple[str, ...], EvaluationResult] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, read: SearchScores, metric: str, alpha: float) -> Self:
        """The findings of a search by one of its metrics."""
        check_choice(metric, "metric", read.metrics)
        table = read.table
        deciding = table.scores[:, :, read.metrics.index(metric)]
        used, complete = find_complete(deciding, metric)
        scores = deciding[complete][:, used]
        names = tuple(compress(table.names, complete))
        correction = Correction.of(read.design)
        first = same_scores(scores)
        kept = np.unique(first) if np.any(first) else np.arange(2)  # candidates with the same scores count once
        different, kept_names = scores[kept].T, [names[i] for i in kept]
        of_best = confidence_set(different, names=kept_names, **correction.options)
        against = pvalues_against_best(of_best, different, **correction.options)
        n_folds = _folds_per_repeat(read.design, used)
        bias = selection_bias(different, n_folds=n_folds, test_fraction=correction.test_fraction, names=kept_names)
        labels = {name: tuple(compress(column, complete)) for name, column in table.labels.items()}
        params = tuple(compress(table.params, complete))
        found = [*read.warnings, *_lacking(table.names, used, complete, metric)]
        return cls(
            ranking=rank(
                read,
                scores,
                complete,
                best=names.index(of_best.best),
                pvalues=against[np.searchsorted(kept, first)],
                first=first,
                alpha=alpha,
            ),
            names=table.names,
            params=table.params,
            metrics=read.metrics,
            metric=metric,
            design=read.design,
            scores=table.scores,
            confidence_set=_of_all(of_best, names, np.searchsorted(kept, first)),
            selection_bias=bias,
            effects=parameter_effects(params, labels, scores, correction),
            alpha=alpha,
            search=read.search,
            warnings=tuple(dict.fromkeys([*found, *of_best.warnings, *bias.warnings])),
            provenance=read.provenance,
            _read=read,
        )

    @property
    def best(self) -> Candidate:
        """The candidate with the best mean; the first of several."""
        return self.ranking[0]

    def not_significantly_different(self) -> tuple[Candidate, ...]:
        """Best first the candidates not significantly different from the best at the report's level, and it."""
        return tuple(row for row in self.ranking if not row.significantly_different and np.isfinite(row.pvalue))

    @property
    def _different(self) -> tuple[Candidate, ...]:
        """The candidates that did not fail, of those with the same scores the first."""
        return tuple(row for row in self.ranking if np.isfinite(row.pvalue) and not row.same_as)

    def settings(self) -> dict[str, tuple[str | None, ...]]:
        """For every parameter that varies the values in words, in the order of `names`; None where one lacks it."""
        return dict(self._read.table.labels)

    def result(self, candidates: int | Sequence[str | Candidate] = LEADERS) -> EvaluationResult:
        """The leading candidates, or those named, as an evaluation: to test, compare, draw and save.

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
        return self._made[chosen]

    def _result(self, chosen: tuple[str, ...]) -> EvaluationResult:
        places = [self.names.index(name) for name in chosen]
        order = [self.metrics.index(metric) for metric in self._by_importance()]
        times = np.full((len(chosen), self.design.n_splits), np.nan)
        return EvaluationResult(
            estimators=chosen,
            metrics=self._by_importance(),
            greater_is_better=(True,) * len(self.metrics),
            design=self.design,
            scores=self.scores[places][:, :, order],
            fit_times=times,
            score_times=times.copy(),
            warnings=(*self._read.warnings, *self._selected_warnings(len(chosen))),
            provenance=self.provenance,
            single_metric=len(self.metrics) == 1,
            selected=self._selected(chosen),
            kept_splits=self._read.splits,
            kept_predictions=None,
        )

    def _by_importance(self) -> tuple[str, ...]:
        """The metrics, the one that decides first."""
        return (self.metric, *(metric for metric in self.metrics if metric != self.metric))

    def _selected(self, chosen: tuple[str, ...]) -> Selected:
        pvalues = {row.name: float(row.pvalue) for row in self.ranking if np.isfinite(row.pvalue)}
        return Selected(
            metric=self.metric,
            n_candidates=self._n_on_all_metrics(),
            best=chosen.index(self.best.name) if self.best.name in chosen else None,
            pvalues=tuple(pvalues.get(name) for name in chosen),
            alpha=self.alpha,
        )

    def _n_on_all_metrics(self) -> int:
        """Candidates that did not fail, those with the same scores on all metrics counted once; at least 2."""
        tested = [row.index for row in self.ranking if np.isfinite(row.pvalue)]
        places = np.flatnonzero(np.isin(self._read.table.index, tested))
        groups = [same_scores(self.scores[places, :, m]) for m in range(len(self.metrics))]
        return max(2, len(np.unique(np.array(groups), axis=1).T))

    def _chosen(self, candidates: int | Sequence[str | Candidate]) -> tuple[str, ...]:
        if isinstance(candidates, (int, np.integer)):
            n = check_integer(candidates, "candidates", low=2)
            return tuple(row.name for row in self.ranking[:n] if np.isfinite(row.pvalue))
        if isinstance(candidates, str) or not isinstance(candidates, Sequence):
            raise ValueError(f"candidates must be an integer or names of candidates; got {candidates!r:.80}")
        names = tuple(each.name if isinstance(each, Candidate) else each for each in candidates)
        for name in names:
            if name not in self.names:
                check_choice(name, "candidates", self.names[:LEADERS])
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"candidates must name two or more candidates, each once; got {list(names)!r:.200}")
        return names

    def _selected_warnings(self, n: int) -> tuple[CodedWarning, ...]:
        n_all = len(self.names)
        if n == n_all:
            return ()
        warning = Code.SELECTED(
            f"{n} of {n_all} candidates of a search. On {self.metric} the ranking of all candidates decides on the "
            f"best against each other one; all other p-values are adjusted over all pairs of candidates on all metrics."
        )
        return (warning,)


def _of_all(found: ModelConfidenceSet, names: tuple[str, ...], place: NDArray[np.intp]) -> ModelConfidenceSet:
    """The set of candidates with different scores, told of all candidates; `place` is where each stands in it."""
    shared = np.bincount(place, minlength=len(found.names)) > 1
    statistics = np.where(shared, np.maximum(found.statistics, 0.0), found.statistics)
    return replace(
        found,
        names=names,
        means=found.means[place],
        pvalues=found.pvalues[place],
        statistics=statistics[place],
    )


def _folds_per_repeat(design: Design, used: NDArray[np.bool_]) -> int:
    """How many of the used splits make a repeat; repeats with gaps count as overlapping splits."""
    if used.all():
        return design.n_folds
    return int(used.sum()) if design.n_repeats == 1 else 1


def find_complete(scores: FloatArray, metric: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The splits on which some candidate has a score, and the candidates that have one on all of these."""
    finite = np.isfinite(scores)
    used: NDArray[np.bool_] = np.any(finite, axis=0)
    complete: NDArray[np.bool_] = np.all(finite[:, used], axis=1) & used.any()
    if len(scores) == 1:
        raise ValueError("search must have two candidates or more; got one candidate: nothing to compare")
    if complete.sum() < 2 or used.sum() < 2:
        raise ValueError(
            f"search must have two candidates with a {metric} on every split that has any; got {int(complete.sum())} "
            f"of {len(scores)} on {int(used.sum())} of {counted(len(used), 'split')}"
        )
    return used, complete


def _lacking(
    names: Sequence[str], used: NDArray[np.bool_], complete: NDArray[np.bool_], metric: str
) -> list[CodedWarning]:
    """What is left out, and whether too little is left."""
    found: list[CodedWarning] = []
    if not used.all():
        where = f"{int((~used).sum())} of {counted(len(used), 'split')}"
        found.append(Code.UNDEFINED(f"{metric} has no value for any candidate on {where}, which are left out."))
    failed = list(compress(names, ~complete))
    if failed:
        lacking = (
            f"ranked last, untested, without a score on some split: {len(failed)} of {counted(len(names), 'candidate')}"
        )
        found.append(Code.FAILED(f"{lacking} ({first_of(failed, '; ')})."))
    if used.sum() < FEW_SPLITS:
        found.append(few_splits(int(used.sum())))
    return found
