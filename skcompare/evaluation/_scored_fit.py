"""A fit of which nothing is kept but its scores, step by step as scikit-learn's `cross_validate` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from numbers import Number
from time import perf_counter
from traceback import format_exc
from typing import Any

from joblib.logger import short_format_time
from sklearn.base import clone
from sklearn.utils import get_tags

from skcompare.evaluation._copies import Copies, per_sample
from skcompare.evaluation._predictions import EstimatorSpec, FitPlan, FoldOutcome

SCORING_STEP = "score "  # before the metric's name, among the errors of an outcome
_WIDTH = 80


@dataclass(frozen=True, kw_only=True)
class ScoredFit:
    """Fits, scores, and keeps the scores alone; the scorer decides what is predicted.

    Attributes
    ----------
    names : tuple of str
        The metrics.
    error_score : "raise" or number
        The score where a fit or a metric fails; ``"raise"`` lets the exception pass.
    verbose : int
        Above 1 a line is printed per fit, above 2 with its scores, above 9 one at its start too.
    """

    names: tuple[str, ...]
    error_score: Any
    verbose: int

    def __call__(self, spec: EstimatorSpec, copies: Copies, plan: FitPlan, n_samples: int) -> FoldOutcome:
        """The scores by name, and the tracebacks of what failed."""
        outcome = FoldOutcome(fit_time=0.0, score_time=0.0)
        if self.verbose > 9:
            print(f"{'[CV] START ':.<{_WIDTH}}")  # noqa: T201
        estimator = clone(spec.estimator)
        fit_params = per_sample(spec.fit_params, copies.train, n_samples)
        score_params = per_sample(plan.score_params, copies.test, n_samples)
        pairwise = bool(get_tags(estimator).input_tags.pairwise)
        if pairwise:
            _check_kernel(copies.X)
        X_train, y_train = _part(copies, "train", pairwise=pairwise)
        X_test, y_test = _part(copies, "test", pairwise=pairwise)
        start = perf_counter()
        try:
            estimator.fit(X_train, *y_train, **fit_params)
        except Exception:
            if self.error_score == "raise":
                raise
            outcome.errors["fit"] = format_exc()
            outcome.scored = dict.fromkeys(self.names, self.error_score)
        outcome.fit_time = perf_counter() - start
        if not outcome.errors:
            assert plan.scorer is not None
            scores = plan.scorer(estimator, X_test, *y_test, **score_params)
            outcome.scored = {name: self._number(name, score, outcome) for name, score in scores.items()}
            outcome.score_time = perf_counter() - start - outcome.fit_time
        if self.verbose > 1:
            print(self._closing_line(outcome))  # noqa: T201
        return outcome

    def _number(self, name: str, score: Any, outcome: FoldOutcome) -> Any:
        """A score without the array around it; a failed scorer has left its traceback in place of it."""
        if isinstance(score, str):
            outcome.errors[SCORING_STEP + name] = score
            score = self.error_score
        if hasattr(score, "item"):
            with suppress(ValueError):
                score = score.item()
        if not isinstance(score, Number):
            raise ValueError(f"scoring must return a number, got {score} ({type(score)}) instead. (scorer={name})")
        return score

    def _closing_line(self, outcome: FoldOutcome) -> str:
        scored: Mapping[str, Any] = outcome.scored if self.verbose > 2 else {}
        told = "".join(f" {name}: (test={scored[name]:.3f})" for name in sorted(scored))
        told += f" total time={short_format_time(outcome.fit_time + outcome.score_time)}"
        begin = "[CV] END "
        return begin + "." * (_WIDTH - len(begin) - len(told)) + told


def _part(copies: Copies, part: Any, *, pairwise: bool) -> tuple[Any, tuple[Any, ...]]:
    """X of the training or the test set, and y, which may be missing."""
    X = copies.features(part, pairwise=pairwise, shared=False)
    return X, () if copies.y is None else (copies.target(part, shared=True),)


def _check_kernel(X: Any) -> None:
    """Raise ValueError, in scikit-learn's words, unless X can be a precomputed kernel or distance matrix."""
    if not hasattr(X, "shape"):
        raise ValueError("Precomputed kernels or affinity matrices have to be passed as arrays or sparse matrices.")
    if X.shape[0] != X.shape[1]:
        raise ValueError("X should be a square kernel matrix")
