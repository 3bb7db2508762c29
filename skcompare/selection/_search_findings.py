"""What a search found: its candidates ranked and tested, before anything is said or drawn of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_integer
from skcompare._core.warnings import Code, CodedWarning
from skcompare.inference.fold_scores.model_confidence_set import ModelConfidenceSet, model_confidence_set
from skcompare.inference.fold_scores.selection_bias import SelectionBiasResult, selection_bias
from skcompare.results import EvaluationResult
from skcompare.selection._candidate_names import first_of
from skcompare.selection._effects import ParameterEffect, parameter_effects
from skcompare.selection._search import SearchScores
from skcompare.selection._search_ranking import Candidate, rank_candidates

LEADERS = 10
FEW_SPLITS = 5


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

    @classmethod
    def of(cls, read: SearchScores, metric: str, alpha: float) -> Self:
        """The findings of a search by one of its metrics."""
        check_choice(metric, "metric", read.metrics)
        table = read.table
        deciding = table.scores[:, :, read.metrics.index(metric)]
        used, complete = find_complete(deciding, metric)
        scores = deciding[complete][:, used]
        names = tuple(compress(table.names, complete))
        fraction = read.design.test_fraction
        confidence_set = model_confidence_set(scores.T, test_fraction=fraction, names=names)
        n_folds = _folds_per_repeat(read.design, used)
        bias = selection_bias(scores.T, n_folds=n_folds, test_fraction=fraction, names=names)
        labels = {name: tuple(compress(column, complete)) for name, column in table.labels.items()}
        params = tuple(compress(table.params, complete))
        found = [*read.warnings, *_missing(table.names, used, complete, metric), *_few(int(used.sum()))]
        return cls(
            ranking=rank_candidates(read, scores, complete, confidence_set, alpha),
            names=table.names,
            params=table.params,
            metrics=read.metrics,
            metric=metric,
            design=read.design,
            scores=table.scores,
            confidence_set=confidence_set,
            selection_bias=bias,
            effects=parameter_effects(params, labels, scores, fraction),
            alpha=alpha,
            search=read.search,
            warnings=tuple(dict.fromkeys([*found, *confidence_set.warnings, *bias.warnings])),
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
            Without predictions and times. Its tests adjust for the candidates in it only, and it says so.

        Raises
        ------
        ValueError
            If `candidates` is less than 2, fewer than two names, or has an unknown name or one twice.
        """
        chosen = self._chosen(candidates)
        places = [self.names.index(name) for name in chosen]
        times = np.full((len(chosen), self.design.n_splits), np.nan)
        return EvaluationResult(
            estimators=chosen,
            metrics=self.metrics,
            greater_is_better=(True,) * len(self.metrics),
            design=self.design,
            scores=self.scores[places],
            fit_times=times,
            score_times=times.copy(),
            warnings=(*self._read.warnings, *self._selected(len(chosen))),
            provenance=self.provenance,
            single_metric=len(self.metrics) == 1,
            kept_splits=self._read.splits,
            kept_predictions=None,
        )

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

    def _selected(self, n: int) -> tuple[CodedWarning, ...]:
        n_all = len(self.names)
        if n == n_all:
            return ()
        warning = Code.SELECTED(
            f"{n} of {n_all} candidates of a search; p-values here are adjusted for these {n} only, as if "
            f"they had been chosen without a look at the scores. Those of the report allow for all {n_all}."
        )
        return (warning,)


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
    if complete.sum() < 2 or used.sum() < 2:
        raise ValueError(
            f"search must have two candidates with a {metric} on every split that has any; got {int(complete.sum())} "
            f"of {len(scores)} on {int(used.sum())} of {len(used)} splits"
        )
    return used, complete


def _missing(
    names: Sequence[str], used: NDArray[np.bool_], complete: NDArray[np.bool_], metric: str
) -> list[CodedWarning]:
    """What is left out, and why."""
    found: list[CodedWarning] = []
    if not used.all():
        where = f"{int((~used).sum())} of {len(used)} splits"
        found.append(Code.UNDEFINED(f"{metric} has no value for any candidate on {where}, which are left out."))
    failed = list(compress(names, ~complete))
    if failed:
        lacking = f"{len(failed)} of {len(names)} candidates lack a score and are ranked last, untested"
        found.append(Code.FAILED(f"{lacking}: {first_of(failed, '; ')}."))
    return found


def _few(n_splits: int) -> list[CodedWarning]:
    if n_splits >= FEW_SPLITS:
        return []
    return [Code.FEW_SPLITS(f"{n_splits} splits hardly tell how much the scores vary; few differences can be shown.")]
