"""One number for every pair of models, as a matrix: at [i, j] that of model i against model j."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare.comparison.compare import Scores, run_procedure
from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.scores.study import StudyScores

# Draws from the posterior of a study: so many for each pair, and about so many for all.
FEWEST_DRAWS, MOST_DRAWS, ALL_DRAWS = 2_000, 50_000, 1_000_000


def pvalues_and_signs(scores: Scores, rows: Sequence[ComparisonRow]) -> tuple[FloatArray, FloatArray]:
    """Adjusted p-values, and 1 where model i is ahead, -1 where model j is, 0 where neither is."""
    return (
        _matrix(scores, rows, lambda row: (row.pvalue_adjusted, row.pvalue_adjusted)),
        _matrix(scores, rows, lambda row: (_lead(row), -_lead(row))),
    )


def winners(scores: Scores, rows: Sequence[ComparisonRow]) -> FloatArray:
    """1 where model i is significantly better than model j, -1 where significantly worse, 0 where neither."""
    values = {Outcome.BETTER: 1.0, Outcome.WORSE: -1.0}
    return _matrix(scores, rows, lambda row: (values.get(row.outcome, 0.0), -values.get(row.outcome, 0.0)))


def better_probabilities(
    scores: Scores, metric: str, rope: float, method: str | None, rows: Sequence[ComparisonRow]
) -> tuple[FloatArray, str]:
    """The probability that model i is better than model j, and the procedure."""
    if isinstance(scores, StudyScores):
        k = len(scores.estimators)
        draws = max(FEWEST_DRAWS, min(MOST_DRAWS, ALL_DRAWS // (k * (k - 1) // 2)))
        options: dict[str, Any] = {"rope": rope, "method": method or "signed_rank", "n_draws": draws}
        posterior = run_procedure(scores, "pairwise_posterior", metric=metric, **options)
        return np.where(np.eye(k), np.nan, posterior.better), posterior.method.removeprefix("all pairs: ")
    if method is not None:
        raise ValueError(
            f"method must be left out for one evaluation, which has the correlated t posterior; got {method!r}"
        )
    return _matrix(scores, rows, lambda row: (row.right, row.left)), "correlated t posterior"


def from_the_best(scores: Scores, metric: str, rows: Sequence[ComparisonRow], **matrices: Any) -> dict[str, Any]:
    """The names and matrices with the best model first: by mean rank over data sets, else by mean score."""
    if isinstance(scores, StudyScores):
        # The mean share of data sets on which a model beats another orders as its mean rank does, and allows for gaps.
        superiority = _matrix(
            scores, rows, lambda row: (row.probability_of_superiority, 1 - row.probability_of_superiority)
        )
        goodness = np.ma.masked_invalid(superiority).mean(axis=1)
    else:
        goodness = np.ma.masked_invalid(scores.oriented_scores[:, :, scores.metric_index(metric)]).mean(axis=1)
    order = np.argsort(-np.ma.filled(goodness, -np.inf), kind="stable").tolist()
    ordered = {key: matrix[np.ix_(order, order)] for key, matrix in matrices.items()}
    return {"names": [scores.estimators[i] for i in order], **ordered}


def _matrix(
    scores: Scores, rows: Sequence[ComparisonRow], of_pair: Callable[[ComparisonRow], tuple[float | None, float | None]]
) -> FloatArray:
    """Two numbers of each row, its first model's and its second's; nan on the diagonal and for None."""
    places = {name: i for i, name in enumerate(scores.estimators)}
    matrix = np.full((len(places), len(places)), np.nan)
    for row in rows:
        i, j = places[row.a], places[row.b]
        matrix[i, j], matrix[j, i] = of_pair(row)
    return matrix


def _lead(row: ComparisonRow) -> float:
    """1 where the first model of a row of a comparison is the better one, -1 where the second is, 0 for neither."""
    if row.winner is not None:
        return 1.0 if row.winner == row.a else -1.0
    return float(np.sign(row.estimate))
