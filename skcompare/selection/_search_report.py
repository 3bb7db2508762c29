"""SearchReport: what a fitted search can claim about its candidates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skcompare._design import Design
from skcompare._record import Record
from skcompare._validation import FloatArray
from skcompare.inference.fold_scores.model_confidence_set import ModelConfidenceSet, model_confidence_set
from skcompare.inference.fold_scores.winner_optimism import WinnerOptimism, winner_optimism
from skcompare.results import EvaluationResult
from skcompare.selection._effects import ParameterEffect, parameter_effects

LEADERS = 10


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Candidate(Record):
    """One candidate of a search, in the ranking by the deciding metric.

    Attributes
    ----------
    rank : int
        From 1; candidates with equal means share a rank.
    index : int
        Its position in ``cv_results_``.
    name : str
        Its parameters in words, as they differ between the candidates.
    params : mapping of str to object
        Its parameters.
    mean, deviation : float
        Of its scores over the splits, in score units; nan where it failed.
    difference : float
        Its mean less that of the best, in score units, at most 0.
    low, high : float
        95% interval of that difference for this candidate alone, by the corrected t test.
    pvalue : float
        Of the hypothesis that it is one of the best, adjusted for all comparisons of the candidates.
    told_apart : bool
        Whether it is worse than the best at the report's level.
    fit_time : float
        Mean seconds of a fit; nan where unknown.
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
    told_apart: bool
    fit_time: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SearchReport(Record):
    """What a fitted search can claim about its candidates.

    Attributes
    ----------
    ranking : tuple of Candidate
        All candidates, the best first.
    names : tuple of str
        The candidates in the order of ``cv_results_``.
    params : tuple of mapping
        Their parameters.
    metrics : tuple of str
        What they were scored by; "score" where the search had one metric. Greater is better.
    metric : str
        The one that decides.
    design : Design
        How the data was resampled.
    scores : ndarray of shape (n_candidates, n_splits, n_metrics)
        float64, read-only; nan where a fit failed.
    confidence_set : ModelConfidenceSet
        The candidates that are not told apart from the best.
    optimism : WinnerOptimism
        How much the best mean flatters.
    effects : tuple of ParameterEffect
        What each parameter does to the deciding metric, the largest share first.
    alpha : float
        Level of "told apart".
    search : str
        The search in words.
    warnings : tuple of str
        Reasons to doubt the report, each a code, a colon and a sentence.
    provenance : mapping
        What it takes to run the search again.
    """

    ranking: tuple[Candidate, ...]
    names: tuple[str, ...]
    params: tuple[Mapping[str, Any], ...]
    metrics: tuple[str, ...]
    metric: str
    design: Design
    scores: FloatArray
    confidence_set: ModelConfidenceSet
    optimism: WinnerOptimism
    effects: tuple[ParameterEffect, ...]
    alpha: float
    search: str
    warnings: tuple[str, ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_search(
        cls,
        search: Any,
        X: Any = None,
        y: Any = None,
        *,
        groups: Any = None,
        metric: str | None = None,
        alpha: float = 0.05,
        test_fraction: float | None = None,
    ) -> SearchReport:
        """Placeholder: to be documented; k-fold only."""
        table = search.cv_results_
        n_splits = search.n_splits_
        metrics = tuple(key[len("mean_test_") :] for key in table if key.startswith("mean_test_"))
        metric = metrics[0] if metric is None else metric
        scores = np.stack(
            [np.stack([table[f"split{i}_test_{name}"] for i in range(n_splits)], axis=1) for name in metrics], axis=2
        )
        params = tuple(dict(of_one) for of_one in table["params"])
        names = tuple(", ".join(f"{key}={value!r}" for key, value in of_one.items()) for of_one in params)
        design = Design(
            n_samples=None,
            n_repeats=1,
            n_folds=n_splits,
            n_splits=n_splits,
            train_sizes=(),
            test_sizes=(),
            test_fraction=1 / n_splits,
            partition=True,
            split_hash="",
        )
        deciding = scores[:, :, metrics.index(metric)]
        confidence_set = model_confidence_set(deciding.T, test_fraction=design.test_fraction, names=names)
        best = int(deciding.mean(axis=1).argmax())
        order = np.argsort(-deciding.mean(axis=1), kind="stable")
        ranking = tuple(
            Candidate(
                rank=rank,
                index=int(i),
                name=names[i],
                params=params[i],
                mean=float(deciding[i].mean()),
                deviation=float(deciding[i].std(ddof=1)),
                difference=float(deciding[i].mean() - deciding[best].mean()),
                low=float("nan"),
                high=float("nan"),
                pvalue=float(confidence_set.pvalues[i]),
                told_apart=bool(confidence_set.pvalues[i] < alpha),
                fit_time=float(table["mean_fit_time"][i]),
            )
            for rank, i in enumerate(order, 1)
        )
        return cls(
            ranking=ranking,
            names=names,
            params=params,
            metrics=metrics,
            metric=metric,
            design=design,
            scores=scores,
            confidence_set=confidence_set,
            optimism=winner_optimism(deciding.T, n_folds=design.n_folds, names=names),
            effects=parameter_effects(params, deciding, design.test_fraction),
            alpha=alpha,
            search=type(search).__name__,
        )

    @property
    def best(self) -> Candidate:
        """The candidate with the best mean."""
        return self.ranking[0]

    def not_told_apart(self) -> tuple[Candidate, ...]:
        """The candidates that are not told apart from the best at the report's level, it among them."""
        return tuple(candidate for candidate in self.ranking if not candidate.told_apart)

    def result(self, candidates: Sequence[str] | int = LEADERS) -> EvaluationResult:
        """The leading candidates, or those named, as an evaluation: to test, compare, draw and export."""
        chosen = [c.name for c in self.ranking[:candidates]] if isinstance(candidates, int) else list(candidates)
        places = [self.names.index(name) for name in chosen]
        times = np.full((len(chosen), self.design.n_splits), np.nan)
        return EvaluationResult(
            estimators=tuple(chosen),
            metrics=self.metrics,
            greater_is_better=(True,) * len(self.metrics),
            design=self.design,
            scores=self.scores[places],
            fit_times=times,
            score_times=times.copy(),
            warnings=self.warnings,
            provenance=self.provenance,
            single_metric=len(self.metrics) == 1,
            _splits=None,
            _predictions=None,
        )
