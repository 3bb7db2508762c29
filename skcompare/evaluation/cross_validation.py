"""Scores of one estimator on splits as they are drawn, step by step as scikit-learn's `cross_validate` takes them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from itertools import chain
from numbers import Number
from pickle import PicklingError
from time import perf_counter
from traceback import format_exc
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from joblib.logger import short_format_time
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, clone
from sklearn.metrics._scorer import _BaseScorer
from sklearn.preprocessing import LabelEncoder
from sklearn.utils import _safe_indexing, get_tags, indexable

from skcompare._core.record import Frozen
from skcompare.evaluation.chunks import Backlog, EstimatorSpec, Fit, FitPlan, FoldOutcome, Work
from skcompare.evaluation.copies import Copies, Part
from skcompare.evaluation.engine import run_fits
from skcompare.evaluation.fit import EstimatorFailedError, fit_chunk
from skcompare.evaluation.foreign_code import is_harmless, leaves_input_unchanged
from skcompare.evaluation.input import n_rows
from skcompare.evaluation.splits import IndexArray, Pair, Splits, splits_from_pairs

SCORING_STEP = "score "  # before the metric's name, among the errors of an outcome
_WIDTH = 80


class ScoredFit(Frozen):
    """Fits, scores, and keeps the scores alone; the scorer decides what is predicted.

    Attributes
    ----------
    names : tuple of str
        The metrics.
    error_score : "raise" or number
        The score where a fit or a metric fails; ``"raise"`` lets the exception pass.
    verbose : int
        Above 1 a line is printed per fit, above 2 with its scores, above 9 one at its start too.
    alone : bool
        Whether the one metric is called by its scorer in what is printed and raised.
    train_scores, keep_estimator : bool
        Whether the training set is scored too, and whether the fitted estimator is kept.
    """

    names: tuple[str, ...]
    error_score: Any
    verbose: int
    alone: bool = False
    train_scores: bool = False
    keep_estimator: bool = False

    def __call__(self, spec: EstimatorSpec, copies: Copies, plan: FitPlan) -> FoldOutcome:
        """The scores by name, and the tracebacks of what failed."""
        outcome = FoldOutcome(fit_time=0.0, score_time=0.0)
        if self.verbose > 9:
            print(f"{'[CV] START ':.<{_WIDTH}}")  # noqa: T201
        estimator, pairwise = _cloned(spec, copies)
        data, fit_params = copies.data("train", spec.fit_params, pairwise=pairwise)
        given = copies.data("test", plan.score_params, pairwise=pairwise)
        start = perf_counter()
        try:
            estimator.fit(*data, **fit_params)
        except Exception:
            if self.error_score == "raise":
                raise
            outcome.errors["fit"] = format_exc()
            outcome.scored = dict.fromkeys(self.names, self.error_score)
            outcome.train_scored = dict(outcome.scored)
        outcome.fit_time = perf_counter() - start
        if not outcome.errors:
            parts: list[tuple[Part, str]] = [("test", "scored"), ("train", "train_scored")]
            for part, kind in parts[: 1 + self.train_scores]:
                scores = plan.scorers(
                    estimator,
                    partial(copies.data, part, plan.score_params, pairwise=pairwise),
                    given=given if part == "test" else None,
                    unchanged=spec.leaves_input_unchanged,
                    keeps_model=self.train_scores or self.keep_estimator,
                )
                if self.alone and isinstance(scores.get("score"), dict):  # of a function that gives several
                    scores = scores["score"]
                found = {name: self._number(name, score, part, outcome, plan) for name, score in scores.items()}
                setattr(outcome, kind, found)
                if part == "test":
                    outcome.score_time = perf_counter() - start - outcome.fit_time
        if self.verbose > 1:
            print(self._closing_line(outcome))  # noqa: T201
        outcome.estimator = estimator if self.keep_estimator else None
        return outcome

    def _number(self, name: str, score: Any, part: Part, outcome: FoldOutcome, plan: FitPlan) -> Any:
        """A score without the array around it; a failed scorer has left its traceback in place of it."""
        if isinstance(score, str) and (not self.alone or score.startswith("Traceback ")):  # else a function's own
            outcome.errors[f"{SCORING_STEP}{part} {name}"] = score
            score = self.error_score
        if hasattr(score, "item"):
            with suppress(ValueError):
                score = score.item()
        if not isinstance(score, Number):
            scorer = getattr(plan.scorer, "_scorers", {}).get(name, name) if self.alone else name
            raise ValueError(f"scoring must return a number, got {score} ({type(score)}) instead. (scorer={scorer})")
        return score

    def _closing_line(self, outcome: FoldOutcome) -> str:
        scored: Mapping[str, Any] = outcome.scored if self.verbose > 2 else {}
        told = ""
        for name in sorted(scored):
            of_train = f"train={outcome.train_scored[name]:.3f}, " if self.train_scores else ""
            value = f"{of_train}test={scored[name]:.3f}"
            if self.alone:
                told = f", score=({value})" if of_train else f", score={scored[name]:.3f}"
            else:
                told += f" {name}: ({value})"
        told += f" total time={short_format_time(outcome.fit_time + outcome.score_time)}"
        begin = "[CV] END "
        return begin + "." * (_WIDTH - len(begin) - len(told)) + told


class PredictedFit(Frozen):
    """Fits, and keeps what the test set is predicted to be, beside the classes that the model knows.

    Attributes
    ----------
    method : str
        The estimator's method.
    names, error_score : tuple, "raise"
        There are no scores; a worker that dies is told of.
    """

    method: str
    names: tuple[str, ...] = ()
    error_score: Any = "raise"

    def __call__(self, spec: EstimatorSpec, copies: Copies, plan: FitPlan) -> FoldOutcome:  # noqa: ARG002
        """The predictions and the classes, None where it has none, in place of an estimator."""
        estimator, pairwise = _cloned(spec, copies)
        data, fit_params = copies.data("train", spec.fit_params, pairwise=pairwise)
        X_test = copies.features("test", pairwise=pairwise, shared=False)
        estimator.fit(*data, **fit_params)
        found = getattr(estimator, self.method)(X_test), getattr(estimator, "classes_", None)
        return FoldOutcome(scored={}, estimator=found)


class AsPredicted(BaseEstimator):  # type: ignore[misc]
    """Predicts what was predicted, split by split, so that scikit-learn's function joins it."""

    def __init__(self, outcomes: Sequence[FoldOutcome]) -> None:
        self._left = iter(outcomes)

    def __sklearn_clone__(self) -> AsPredicted:
        return self

    def fit(self, X: Any, y: Any = None) -> AsPredicted:  # noqa: ARG002
        self._predicted, self.classes_ = next(self._left).estimator
        return self

    def predict(self, X: Any) -> Any:  # noqa: ARG002
        return self._predicted

    predict_proba = predict_log_proba = decision_function = predict


def encoded(y: Any) -> Any:
    """Labels as numbers, so that columns of classes have one order: as scikit-learn's function encodes them."""
    y = np.asarray(y)
    if y.ndim == 1:
        return LabelEncoder().fit_transform(y)
    return np.column_stack([LabelEncoder().fit_transform(column) for column in y.T]) if y.ndim == 2 else y


def _cloned(spec: EstimatorSpec, copies: Copies) -> tuple[Any, bool]:
    """A clone, and whether X holds what is between pairs of samples."""
    estimator = clone(spec.estimator)
    pairwise = bool(get_tags(estimator).input_tags.pairwise)
    if pairwise:  # in scikit-learn's words
        if not hasattr(copies.X, "shape"):
            raise ValueError("Precomputed kernels or affinity matrices have to be passed as arrays or sparse matrices.")
        if copies.X.shape[0] != copies.X.shape[1]:
            raise ValueError("X should be a square kernel matrix")
    return estimator, pairwise


class ScoredRun(Frozen):
    """One estimator, its data, and what to score.

    Attributes
    ----------
    X, y : indexable
        The data; y may be None.
    spec : EstimatorSpec
        The estimator.
    plan : FitPlan
        With the scorer, and `task` as its task.
    task : ScoredFit or PredictedFit
        What is done on every split.
    """

    X: Any
    y: Any
    spec: EstimatorSpec
    plan: FitPlan
    task: ScoredFit | PredictedFit

    @classmethod
    def of(
        cls, model: Any, X: Any, y: Any, task: ScoredFit | PredictedFit, fit_params: Mapping[str, Any], **scored: Any
    ) -> ScoredRun:
        """A run of an estimator; `scored` has the scorer and its parameters, if there is one."""
        if "score_params" in scored:
            scored["score_params"] = _sliceable(scored["score_params"], X)
        spec = EstimatorSpec(
            name="estimator",
            estimator=model,
            fit_params=_sliceable(fit_params, X),
            leaves_input_unchanged=leaves_input_unchanged(model),
        )
        return cls(X=X, y=y, spec=spec, plan=FitPlan(stop_on_error=False, task=task, **scored), task=task)

    def outcomes(self, pairs: Iterable[Any], n_jobs: int | None) -> Iterable[FoldOutcome]:
        """One outcome per split, in the order of the splits; whatever a fit may not survive is raised.

        With one job every split is drawn when its turn comes, as scikit-learn does: splitter and estimator may both
        draw from the global random state.
        """
        drawn = self._drawn(pairs)
        if effective_n_jobs(n_jobs) > 1:
            return self._side_by_side(list(drawn), n_jobs)
        specs, fits, n = {0: self.spec}, [Fit(0, 0)], n_rows(self.X, "X")
        copies = (Copies(self.X, self.y, _as_drawn([pair], n), lasting=False) for pair in drawn)
        return chain.from_iterable(fit_chunk(one, self.plan, specs, fits) for one in copies)

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

    def _side_by_side(self, pairs: Sequence[Pair], n_jobs: int | None) -> list[FoldOutcome]:
        spec = replace(self.spec, from_sklearn=is_harmless(clone(self.spec.estimator)))
        work = Work(specs=[spec], X=self.X, y=self.y, splits=_compact(pairs, n_rows(self.X, "X")), plan=self.plan)
        backlog = Backlog(Fit(split, 0) for split in range(len(pairs)))
        found: dict[int, FoldOutcome] = {}
        try:
            with closing(run_fits(work, backlog, n_jobs=n_jobs, fit_timeout=None, stored=False)) as batches:
                for fit, outcome in chain.from_iterable(batches):
                    found[fit.split] = self._with_scores(fit.split, outcome)
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
            outcome.train_scored = dict(outcome.scored)
        return outcome


def _sliceable(params: Mapping[str, Any], X: Any) -> dict[str, Any]:
    """Parameters of which those with one value per sample can be indexed by row."""
    n = n_rows(X, "X")
    return {name: indexable(x)[0] if issparse(x) and n_rows(x, name) == n else x for name, x in params.items()}


def is_function(scoring: Any) -> bool:
    """Whether a scorer is the user's own function, which may give several numbers with their names."""
    known = isinstance(scoring, _BaseScorer) or getattr(scoring, "__module__", "").startswith("sklearn.metrics")
    return callable(scoring) and not known


def named_alike(outcomes: Sequence[FoldOutcome], error_score: Any) -> bool:
    """Whether all scores have the same names, where those of failed fits get them from the others."""
    sound = [one for one in outcomes if "fit" not in one.errors]
    for one in outcomes:
        if "fit" in one.errors and sound:
            one.scored = dict.fromkeys(sound[0].scored, error_score)
            one.train_scored = dict.fromkeys(sound[0].train_scored or (), error_score)
    return len({tuple(one.scored) for one in outcomes}) < 2


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
