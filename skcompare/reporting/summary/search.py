"""What a report shows of a search; `skcompare.selection` fills it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skcompare.comparison.answer import Answer
from skcompare.comparison.table import ComparisonTable
from skcompare.inference.fold_scores.best_set import SelectionBiasResult
from skcompare.reporting.summary.records import Summary


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSummary(Summary):
    """Everything that a report shows of a search.

    Attributes
    ----------
    search, design : str
        The search and the resampling in words.
    n_splits : int
        Splits.
    n_samples : int or None
        None where it is not known.
    train_size, test_size : float or None
        Mean samples in the parts of a split; None where they are not known.
    test_fraction : float
        Share of the samples of a split that are tested on.
    fold_correlation : float
        Of the differences on two splits, as the test takes it.
    split_hash : str
        The hash of the splits; empty where they are not known.
    metric : str
        The one that decides.
    metrics : sequence of str
        All.
    answer : Answer
        What can be said of the candidates; every view reads it.
    n_candidates, n_tested : int
        Candidates; and those that did not fail, where several have the same scores counted once.
    comparison : ComparisonTable
        The best (as `a`) against each other candidate that did not fail, as the ranking decides.
    ranking : sequence of Candidate
        The first of the ranking.
    effects : sequence of ParameterEffect
        What each parameter does, the largest share of the variance first.
    selection_bias : SelectionBiasResult
        Of the best mean.
    """

    search: str
    design: str
    n_splits: int
    n_samples: int | None
    train_size: float | None
    test_size: float | None
    test_fraction: float
    fold_correlation: float
    split_hash: str
    metric: str
    metrics: Sequence[str]
    answer: Answer
    n_candidates: int
    n_tested: int
    comparison: ComparisonTable
    ranking: Sequence[Any]
    effects: Sequence[Any]
    selection_bias: SelectionBiasResult
