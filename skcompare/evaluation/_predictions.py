"""Fit and predict: every (estimator, split) once, through joblib."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from traceback import format_exc
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from joblib.parallel import get_active_backend
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.parallel import Parallel, delayed

from skcompare.evaluation._splits import Splits

CHUNKS_PER_WORKER = 4


class EstimatorFailedError(ValueError):
    """An estimator failed to fit, to predict or to be scored, and ``error_score="raise"``."""


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """One estimator of an evaluation.

    Attributes
    ----------
    name : str
        Its name in the result.
    estimator : estimator
        Cloned for every split, never fitted itself.
    fit_params : mapping
        Passed to ``fit``; entries with one value per sample are cut to the training samples.
    seeded : tuple of str
        Its ``random_state`` parameters that are None and get the split's seed.
    pairwise : bool
        Whether its X is a precomputed kernel or distance matrix.
    """

    name: str
    estimator: Any
    fit_params: Mapping[str, Any]
    seeded: tuple[str, ...] = ()
    pairwise: bool = False


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to collect on every split.

    Attributes
    ----------
    responses : tuple of tuple of str
        Methods whose values are kept besides ``predict``, each given by preference, e.g.
        ``("decision_function", "predict_proba")``: the first that the estimator has.
    model_size : bool
        Whether to pickle the fitted estimator and keep the number of bytes.
    scorer : callable or None
        A scikit-learn multi-metric scorer or a user's callable, called as ``scorer(estimator, X_test, y_test)``.
    single_scorers : tuple of callable
        The parts of a multi-metric scorer: where the estimator lacks what one of them needs, scikit-learn's
        multi-metric scorer fails as a whole, and these are called one by one.
    score_params : mapping
        Passed to `scorer`; entries with one value per sample are cut to the test samples.
    stop_on_error : bool
        Whether the first failure ends the run.
    """

    responses: tuple[tuple[str, ...], ...] = ()
    model_size: bool = False
    scorer: Callable[..., Any] | None = None
    single_scorers: tuple[Callable[..., Any], ...] = ()
    score_params: Mapping[str, Any] = field(default_factory=dict)
    stop_on_error: bool = True


@dataclass(slots=True)
class FoldOutcome:
    """What one estimator gave on one split; `errors` maps the step that failed to its traceback."""

    fit_time: float = np.nan
    predict_time: float = np.nan
    score_time: float = np.nan
    model_size: float = np.nan
    responses: dict[str, NDArray[Any]] = field(default_factory=dict)
    scored: Any = None
    errors: dict[str, str] = field(default_factory=dict)
    exception: Exception | None = None


def fit_and_predict(
    contestants: Sequence[Contestant],
    X: Any,
    y: Any,
    splits: Splits,
    plan: Plan,
    *,
    seeds: Sequence[int] | None,
    n_jobs: int | None,
    on_split: Callable[[int], None],
) -> list[list[FoldOutcome]]:
    """Fit every estimator on every split and collect what `plan` asks for.

    Parameters
    ----------
    contestants : sequence of Contestant
        The estimators.
    X, y : indexable
        The data.
    splits : Splits
        The splits, in order.
    plan : Plan
        What to collect.
    seeds : sequence of int or None
        One per split, for the estimators' open ``random_state`` parameters; None leaves them open.
    n_jobs : int or None
        Number of joblib workers; chunks of splits are sent to them, all estimators of a split together.
    on_split : callable
        Told the number of splits finished since the last call.

    Returns
    -------
    list of list of FoldOutcome
        Per split, one outcome per estimator.

    Raises
    ------
    EstimatorFailedError
        At the first failure, where the plan says so.
    """
    n_workers = effective_n_jobs(n_jobs)
    outcomes: list[list[FoldOutcome]] = []
    chunks: Iterator[list[list[FoldOutcome]]]
    if n_workers == 1:
        chunks = (_run_chunk(contestants, X, y, splits, [i], plan, seeds) for i in range(len(splits)))
    else:
        parts = np.array_split(np.arange(len(splits)), min(len(splits), n_workers * CHUNKS_PER_WORKER))
        streams = getattr(get_active_backend()[0], "supports_return_generator", False)
        parallel = Parallel(n_jobs=n_jobs, return_as="generator" if streams else "list", pre_dispatch="all")
        chunks = parallel(delayed(_run_chunk)(contestants, X, y, splits, part.tolist(), plan, seeds) for part in parts)
    for chunk in chunks:
        for outcome_per_estimator in chunk:
            if plan.stop_on_error:
                _raise_first_error(outcome_per_estimator, contestants, splits, len(outcomes))
            outcomes.append(outcome_per_estimator)
        on_split(len(chunk))
    return outcomes


def _raise_first_error(
    outcomes: Sequence[FoldOutcome], contestants: Sequence[Contestant], splits: Splits, split: int
) -> None:
    for contestant, outcome in zip(contestants, outcomes, strict=False):
        for step, traceback in outcome.errors.items():
            raise EstimatorFailedError(failure_message(contestant.name, splits, split, step, traceback)) from (
                outcome.exception
            )


def failure_message(name: str, splits: Splits, split: int, step: str, traceback: str) -> str:
    """One line: which estimator, which fold, which step, and the error."""
    repeat, fold = divmod(split, splits.n_folds)
    where = f"on split {split} (repeat {repeat}, fold {fold})"
    return f"estimator {name!r} failed in {step} {where}: {_reason(traceback)}"


def _reason(traceback: str) -> str:
    """The error's type and the first line of its message, which follow the last stack line of a traceback."""
    lines = traceback.strip().splitlines()
    last_frame = max((i for i, line in enumerate(lines) if line.startswith('  File "')), default=-1)
    return next((line for line in lines[last_frame + 1 :] if not line.startswith(" ")), "unknown error")


def _run_chunk(
    contestants: Sequence[Contestant],
    X: Any,
    y: Any,
    splits: Splits,
    chunk: Sequence[int],
    plan: Plan,
    seeds: Sequence[int] | None,
) -> list[list[FoldOutcome]]:
    """Outcomes of all estimators on some splits; runs in a worker."""
    done = []
    for i in chunk:
        train, test = splits[i]
        y_train, y_test = _take(y, train), _take(y, test)
        outcomes = []
        for contestant in contestants:
            estimator = clone(contestant.estimator)
            if seeds is not None and contestant.seeded:
                estimator.set_params(**dict.fromkeys(contestant.seeded, seeds[i]))
            fit_params = per_sample(contestant.fit_params, train, splits.n_samples)
            score_params = per_sample(plan.score_params, test, splits.n_samples)
            # a copy for each estimator: some change their input in place
            X_train, X_test = _train_test(X, train, test, pairwise=contestant.pairwise)
            outcomes.append(_run_one(estimator, X_train, y_train, X_test, y_test, fit_params, score_params, plan))
            if plan.stop_on_error and outcomes[-1].errors:
                break
        done.append(outcomes)
        if plan.stop_on_error and outcomes[-1].errors:
            break
    return done


def _run_one(
    estimator: Any,
    X_train: Any,
    y_train: Any,
    X_test: Any,
    y_test: Any,
    fit_params: Mapping[str, Any],
    score_params: Mapping[str, Any],
    plan: Plan,
) -> FoldOutcome:
    outcome = FoldOutcome()
    start = perf_counter()
    try:
        estimator.fit(X_train, y_train, **fit_params)
    except Exception as error:
        outcome.fit_time, outcome.score_time = perf_counter() - start, 0.0
        _record(outcome, "fit", error)
        return outcome
    fitted = perf_counter()
    outcome.fit_time = fitted - start
    try:
        outcome.responses["predict"] = _response(estimator, "predict", X_test, len(y_test))
    except Exception as error:
        _record(outcome, "predict", error)
    outcome.predict_time = perf_counter() - fitted
    for names in plan.responses:
        method = next((name for name in names if hasattr(estimator, name)), names[0])
        if method in outcome.responses or method in outcome.errors:
            continue
        try:
            if not hasattr(estimator, method):
                raise AttributeError(f"{type(estimator).__name__} has no {' or '.join(names)}")
            outcome.responses[method] = _scores(_response(estimator, method, X_test, len(y_test)), method)
        except Exception as error:
            _record(outcome, method, error)
    if plan.scorer is not None:
        try:
            outcome.scored = plan.scorer(estimator, X_test, y_test, **score_params)
        except Exception as error:
            if plan.stop_on_error or not plan.single_scorers:
                _record(outcome, "score", error)
            else:
                singles = [scorer(estimator, X_test, y_test, **score_params) for scorer in plan.single_scorers]
                outcome.scored = {name: score for single in singles for name, score in single.items()}
    outcome.score_time = perf_counter() - fitted
    if plan.model_size:
        try:
            outcome.model_size = len(pickle.dumps(estimator, protocol=5))
        except Exception as error:
            _record(outcome, "model_size", error)
    return outcome


def _record(outcome: FoldOutcome, step: str, error: Exception) -> None:
    outcome.errors[step] = format_exc()
    try:
        pickle.dumps(error)
    except Exception:
        return
    outcome.exception = outcome.exception or error


def _response(estimator: Any, method: str, X_test: Any, n_test: int) -> NDArray[Any]:
    """What a method gives, as an array of one row per test sample that does not keep a larger one alive."""
    array = np.asarray(getattr(estimator, method)(X_test))
    if array.ndim == 0 or len(array) != n_test:
        raise ValueError(f"{method} must give one row per sample, {n_test}; got shape {array.shape}")
    return array if array.base is None else array.copy()


def _scores(array: NDArray[Any], method: str) -> NDArray[Any]:
    """Decision values or probabilities; for two classes only the column of the second is kept."""
    if method == "decision_function" and array.ndim == 2 and array.shape[1] == 1:
        return array.ravel()
    return array[:, 1].copy() if array.ndim == 2 and array.shape[1] == 2 else array


def _take(values: Any, indices: NDArray[np.intp]) -> Any:
    return values[indices] if isinstance(values, np.ndarray) else _safe_indexing(values, indices)


def _train_test(X: Any, train: NDArray[np.intp], test: NDArray[np.intp], *, pairwise: bool) -> tuple[Any, Any]:
    """A training and a test copy of X; of a precomputed kernel, train by train and test by train."""
    if pairwise:
        return X[np.ix_(train, train)], X[np.ix_(test, train)]
    return _take(X, train), _take(X, test)


def per_sample(params: Mapping[str, Any], indices: NDArray[np.intp], n_samples: int) -> dict[str, Any]:
    """Parameters with the per-sample ones cut to `indices`, as `cross_validate` does."""
    return {
        name: _safe_indexing(value, indices) if _has_samples(value, n_samples) else value
        for name, value in params.items()
    }


def _has_samples(value: Any, n_samples: int) -> bool:
    if isinstance(value, (str, bytes, Mapping)):
        return False
    if hasattr(value, "shape"):
        return len(value.shape) > 0 and value.shape[0] == n_samples
    return hasattr(value, "__len__") and len(value) == n_samples
