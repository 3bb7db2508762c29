"""Scores of one estimator on splits as they are drawn, in this process or in workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from pickle import PicklingError
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from skcompare.evaluation._copies import from_sklearn
from skcompare.evaluation._engine import run_fits
from skcompare.evaluation._input import n_rows
from skcompare.evaluation._predictions import EstimatorFailedError, EstimatorSpec, Fit, FitPlan, FoldOutcome, fit_chunk
from skcompare.evaluation._scored_fit import ScoredFit
from skcompare.evaluation._splits import IndexArray, Splits, splits_from_pairs
from skcompare.evaluation._work import Work

Pair = tuple[IndexArray, IndexArray]


@dataclass(frozen=True, kw_only=True)
class ScoredRun:
    """One estimator, its data, and what to score.

    Attributes
    ----------
    X, y : indexable
        The data; y may be None.
    spec : EstimatorSpec
        The estimator.
    plan : FitPlan
        With the scorer, and `task` as its task.
    task : ScoredFit
        What is done on every split.
    """

    X: Any
    y: Any
    spec: EstimatorSpec
    plan: FitPlan
    task: ScoredFit

    def outcomes(self, pairs: Iterable[Any], n_jobs: int | None) -> Iterable[FoldOutcome]:
        """One outcome per split, in the order of the splits; whatever a fit may not survive is raised.

        With one job every split is drawn when its turn comes, as scikit-learn does: splitter and estimator may both
        draw from the global random state.
        """
        drawn = self._drawn(pairs)
        return self._one_by_one(drawn) if effective_n_jobs(n_jobs) == 1 else self._side_by_side(list(drawn), n_jobs)

    def _drawn(self, pairs: Iterable[Any]) -> Iterator[Pair]:
        everything = np.arange(n_rows(self.X, "X"))
        for train, test in pairs:
            yield self._indices(train, everything), self._indices(test, everything)

    def _indices(self, values: Any, everything: IndexArray) -> Any:
        indices = np.asarray(values)
        if indices.dtype.kind == "b":
            return everything[indices]
        if indices.dtype.kind not in "iu":
            _safe_indexing(self.X, indices)  # refuses them in scikit-learn's words
        return indices

    def _one_by_one(self, pairs: Iterable[Pair]) -> Iterator[FoldOutcome]:
        for pair in pairs:
            split = _as_drawn([pair], n_rows(self.X, "X"))
            yield from fit_chunk(self.X, self.y, split, self.plan, {0: self.spec}, [Fit(0, 0)])

    def _side_by_side(self, pairs: Sequence[Pair], n_jobs: int | None) -> list[FoldOutcome]:
        spec = replace(self.spec, from_sklearn=from_sklearn(clone(self.spec.estimator)))
        splits = _compact(pairs, n_rows(self.X, "X"))
        work = Work(specs=[spec], X=self.X, y=self.y, splits=splits, plan=self.plan)
        fits = [Fit(split, 0) for split in range(len(pairs))]
        found: dict[int, FoldOutcome] = {}
        try:
            with closing(run_fits(work, fits, n_jobs=n_jobs, fit_timeout=None, stored=False)) as batches:
                for batch in batches:
                    found |= {done.fit.split: self._with_scores(done.fit.split, done.outcome) for done in batch}
        except ValueError as error:
            if isinstance(error.__cause__, (PicklingError, BrokenExecutor)):  # what scikit-learn lets pass
                raise error.__cause__ from None
            raise
        return [found[split] for split in range(len(pairs))]

    def _with_scores(self, split: int, outcome: FoldOutcome) -> FoldOutcome:
        """The outcome, with the error score where the worker died and there is none."""
        if outcome.scored is None:
            if self.task.error_score == "raise":
                raise EstimatorFailedError(f"the fit of split {split} failed: {outcome.errors['fit']}")
            outcome.scored = dict.fromkeys(self.task.names, self.task.error_score)
        return outcome


def _as_drawn(pairs: Sequence[Any], n_samples: int) -> Splits:
    return Splits(n_samples, len(pairs), 1, False, None, tuple(pairs))


def _compact(pairs: Sequence[Pair], n_samples: int) -> Splits:
    """Splits that take little to send; indices that no array of so many rows has stay as they are, to be refused."""
    sound = all(
        indices.ndim == 1 and len(indices) and indices.min() >= 0 and indices.max() < n_samples
        for pair in pairs
        for indices in pair
    )
    return splits_from_pairs(pairs, n_samples) if sound else _as_drawn(pairs, n_samples)
