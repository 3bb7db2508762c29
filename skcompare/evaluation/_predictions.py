"""Fit and predict: one estimator on one split after the other, in whatever process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from numbers import Real
from time import perf_counter
from traceback import format_exception_only
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from skcompare.evaluation._copies import Copies, per_sample
from skcompare.evaluation._splits import Splits


class EstimatorFailedError(ValueError):
    """An estimator failed to fit, to predict or to be scored, and ``error_score="raise"``."""


@dataclass(frozen=True, kw_only=True)
class EstimatorSpec:
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
    from_sklearn : bool
        Whether all of it comes from scikit-learn, so that it may run in the calling process.
    leaves_input_unchanged : bool
        Whether it is also known to leave its input as it is, so that it may share it with others.
    """

    name: str
    estimator: Any
    fit_params: Mapping[str, Any]
    seeded: tuple[str, ...] = ()
    pairwise: bool = False
    from_sklearn: bool = False
    leaves_input_unchanged: bool = False


@dataclass(frozen=True, kw_only=True)
class FitPlan:
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
    classes : ndarray or None
        The sorted classes of a classification, so that predicted labels travel as small integers.
    task : callable or None
        What to do with every fit in place of fitting, predicting and scoring, called as
        ``task(spec, copies, plan, n_samples)``; whatever it raises ends the run.
    """

    responses: tuple[tuple[str, ...], ...] = ()
    model_size: bool = False
    scorer: Callable[..., Any] | None = None
    single_scorers: tuple[Callable[..., Any], ...] = ()
    score_params: Mapping[str, Any] = field(default_factory=dict)
    stop_on_error: bool = True
    classes: NDArray[Any] | None = None
    task: Callable[[EstimatorSpec, Copies, FitPlan, int], FoldOutcome] | None = None


class Fit(NamedTuple):
    """One fit to do: the split, the position of the estimator, and the seed of its open random states."""

    split: int
    estimator: int
    seed: int | None = None


@dataclass(slots=True)
class FoldOutcome:
    """What one estimator gave on one split; `errors` maps the step that failed to the error's text.

    Where `encoded` is true, `responses["predict"]` holds positions in the sorted classes instead of labels.
    """

    fit_time: float = np.nan
    predict_time: float = np.nan
    score_time: float = np.nan
    model_size: float = np.nan
    responses: dict[str, NDArray[Any]] = field(default_factory=dict)
    scored: Any = None
    errors: dict[str, str] = field(default_factory=dict)
    exception: Exception | None = None
    encoded: bool = False


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


def fit_chunk(
    X: Any,
    y: Any,
    splits: Splits,
    plan: FitPlan,
    specs: Mapping[int, EstimatorSpec],
    fits: Sequence[Fit],
    *,
    copies: Copies | None = None,
    on_start: Callable[[int, int], None] | None = None,
) -> list[FoldOutcome]:
    """Outcomes of some fits, in their order; fewer where the plan stops at the first error.

    Parameters
    ----------
    X, y : indexable
        The data.
    splits : Splits
        The splits.
    plan : FitPlan
        What to collect.
    specs : mapping of int to EstimatorSpec
        The estimators of these fits, by position.
    fits : sequence of Fit
        What to fit; those of one split stand together, and share its copies of the data.
    copies : Copies, optional
        Kept by a caller that comes again.
    on_start : callable, optional
        Told the split and the estimator of every fit before it starts.
    """
    copies = copies or Copies(X, y, splits, lasting=lasting(specs.values(), plan))
    done: list[FoldOutcome] = []
    for fit in fits:
        if on_start is not None:
            on_start(fit.split, fit.estimator)
        spec = specs[fit.estimator]
        copies.select(fit.split)
        if plan.task is None:
            done.append(_run_one(spec, fit.seed, copies, plan, splits.n_samples))
        else:
            done.append(plan.task(spec, copies, plan, splits.n_samples))
        if plan.stop_on_error and done[-1].errors:
            break
    return done


def lasting(specs: Iterable[EstimatorSpec], plan: FitPlan) -> bool:
    """Whether nothing in these fits keeps a reference to the data it was given."""
    return plan.scorer is None and all(spec.leaves_input_unchanged for spec in specs)


def _run_one(spec: EstimatorSpec, seed: int | None, copies: Copies, plan: FitPlan, n_samples: int) -> FoldOutcome:
    outcome = FoldOutcome()
    shared, pairwise = spec.leaves_input_unchanged, spec.pairwise
    with _recorded(outcome, "fit", plan):
        estimator = _fitted(spec, seed, copies, n_samples, outcome)
    if outcome.errors:
        return outcome
    with _recorded(outcome, "predict", plan):
        X_test = copies.features("test", pairwise=pairwise, shared=shared)
        start = perf_counter()
        try:
            outcome.responses["predict"] = _response(estimator, "predict", X_test, spec)
        finally:
            outcome.predict_time = perf_counter() - start
    for names in plan.responses if not np.isnan(outcome.predict_time) else ():
        _collect(estimator, names, X_test, outcome, plan, spec)
    if plan.scorer is not None and not np.isnan(outcome.predict_time):
        _score(estimator, X_test, copies, outcome, plan, spec, n_samples)
    outcome.score_time = 0.0 if np.isnan(outcome.predict_time) else perf_counter() - start
    X_test = None
    copies.release("test")
    if plan.model_size:
        with _recorded(outcome, "model_size", plan):
            outcome.model_size = len(pickle.dumps(estimator, protocol=5))
    if plan.classes is not None and "predict" in outcome.responses:
        _encode_labels(outcome, plan.classes)
    return outcome


def _fitted(spec: EstimatorSpec, seed: int | None, copies: Copies, n_samples: int, outcome: FoldOutcome) -> Any:
    """A fitted clone."""
    outcome.fit_time = outcome.score_time = 0.0
    estimator = clone(spec.estimator)
    if seed is not None and spec.seeded:
        estimator.set_params(**dict.fromkeys(spec.seeded, seed))
    fit_params = per_sample(spec.fit_params, copies.train, n_samples)
    X_train = copies.features("train", pairwise=spec.pairwise, shared=spec.leaves_input_unchanged)
    y_train = copies.target("train", shared=spec.leaves_input_unchanged)
    start = perf_counter()
    try:
        estimator.fit(X_train, y_train, **fit_params)
    finally:
        outcome.fit_time = perf_counter() - start
        del X_train
        copies.release("train")
    return estimator


def _collect(
    estimator: Any, names: Sequence[str], X_test: Any, outcome: FoldOutcome, plan: FitPlan, spec: EstimatorSpec
) -> None:
    """Keep what the first of some methods gives, if it is not there yet."""
    for method in names:
        with _recorded(outcome, method, plan):
            if method not in outcome.responses and method not in outcome.errors and hasattr(estimator, method):
                outcome.responses[method] = _scores(_response(estimator, method, X_test, spec), method)
        if method in outcome.responses or method in outcome.errors:
            return
    with _recorded(outcome, names[0], plan):
        raise AttributeError(f"{type(estimator).__name__} has no {' or '.join(names)}")


def _score(
    estimator: Any,
    X_test: Any,
    copies: Copies,
    outcome: FoldOutcome,
    plan: FitPlan,
    spec: EstimatorSpec,
    n_samples: int,
) -> None:
    """What the scorers give; one by one where scikit-learn's multi-metric scorer fails as a whole."""
    assert plan.scorer is not None
    y_test = copies.target("test", shared=spec.leaves_input_unchanged)
    with _recorded(outcome, "score", plan):
        score_params = per_sample(plan.score_params, copies.test, n_samples)
        outcome.scored = plan.scorer(estimator, X_test, y_test, **score_params)
    if "score" not in outcome.errors or plan.stop_on_error or not plan.single_scorers:
        return
    del outcome.errors["score"]
    outcome.scored = {}
    for scorer in plan.single_scorers:
        with _recorded(outcome, "score", plan):
            outcome.scored |= scorer(estimator, X_test, y_test, **score_params)


@contextmanager
def _recorded(outcome: FoldOutcome, step: str, plan: FitPlan) -> Iterator[None]:
    """Whatever is raised becomes an error of the step, but for an interrupt by the user."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit and the panics of native libraries too
        _record(outcome, step, error, plan)


def keep_portable(outcome: FoldOutcome) -> None:
    """Make errors of predictions and scores that cannot travel between processes."""
    for method, values in list(outcome.responses.items()):
        if values.dtype.kind == "O" and not _travels(values):
            del outcome.responses[method]
            outcome.errors[method] = f"TypeError: {method} gave objects that cannot be pickled"
    if not isinstance(outcome.scored, (type(None), Real)) and not _travels(outcome.scored):
        outcome.scored = None
        outcome.errors["score"] = "TypeError: the scorer gave an object that cannot be pickled"


def _travels(value: Any) -> bool:
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:
        return False
    return True


def _record(outcome: FoldOutcome, step: str, error: BaseException, plan: FitPlan) -> None:
    outcome.errors[step] = "".join(format_exception_only(error))
    if not plan.stop_on_error or not isinstance(error, Exception):
        return  # the traceback of a kept exception would keep the data alive
    if _travels(error):
        outcome.exception = outcome.exception or error


def _response(estimator: Any, method: str, X_test: Any, spec: EstimatorSpec) -> NDArray[Any]:
    """What a method gives, as an array of one row per test sample that is nobody else's and keeps nothing alive."""
    array = np.asarray(getattr(estimator, method)(X_test))
    n_test = X_test.shape[0] if hasattr(X_test, "shape") else len(X_test)
    if array.ndim == 0 or len(array) != n_test:
        raise ValueError(f"{method} must give one row per sample, {n_test}; got shape {array.shape}")
    own = spec.from_sklearn and array.base is None and array is not X_test
    return array if own else array.copy()


def _scores(array: NDArray[Any], method: str) -> NDArray[Any]:
    """Decision values or probabilities; for two classes only the column of the second is kept."""
    if method == "decision_function" and array.ndim == 2 and array.shape[1] == 1:
        return array.ravel()
    return array[:, 1].copy() if array.ndim == 2 and array.shape[1] == 2 else array


def _encode_labels(outcome: FoldOutcome, classes: NDArray[Any]) -> None:
    """Put the smallest unsigned integers in place of labels, where each label is one of the classes."""
    labels = outcome.responses["predict"]
    if labels.ndim != 1 or (labels.dtype != classes.dtype and labels.dtype.kind + classes.dtype.kind != "UU"):
        return
    try:
        codes = np.searchsorted(classes, labels)
        np.minimum(codes, len(classes) - 1, out=codes)
        known = bool((classes[codes] == labels).all())
    except TypeError:  # objects that have no order
        return
    if known:
        outcome.responses["predict"] = codes.astype(np.min_scalar_type(len(classes) - 1))
        outcome.encoded = True
