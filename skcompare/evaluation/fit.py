"""Fit and predict: one estimator on one split after the other, in whatever process."""

from __future__ import annotations

import gc
import os
import pickle
import random
import re
import sys
import threading
import tracemalloc
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from operator import attrgetter
from time import perf_counter
from traceback import format_exception_only
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning

from skcompare._core.text import one_line
from skcompare._core.validation import refuse_masked
from skcompare.evaluation import learners
from skcompare.evaluation.chunks import EstimatorSpec, Fit, FitPlan, FoldOutcome
from skcompare.evaluation.copies import Copies, SharedSteps, remembering
from skcompare.evaluation.foreign_code import CalledScorers, settings_kept
from skcompare.evaluation.input import encode_labels, label_columns, n_rows, without_complement
from skcompare.evaluation.splits import Splits

# What fits told of themselves, whatever becomes of the warnings that say so.


Note = tuple[str, str]  # its kind and what it says more: "unconverged", "warned", "not finite", "constant" or "end"
_OTHERS = (DeprecationWarning, PendingDeprecationWarning, FutureWarning, ImportWarning, ResourceWarning)
_MOST_NOTES, _MOST_TEXT = 8, 120


class _Heard(threading.local):
    """Notes of this thread since its fit began."""

    def __init__(self) -> None:
        self.notes: dict[Note, None] = {}


class FitWatch:
    """A context in which warnings made in this thread are noted; nothing else about them changes.

    Filters may hide a warning, and show a repeated one once. To record warnings makes Python forget which it has
    shown, and takes time. So `warn` is watched, and `ConvergenceWarning` too, which some import `warn` for: an object
    is made before any filter is asked. Warnings that compiled code makes are not seen.
    """

    _lock = threading.Lock()
    _n_open = 0
    _warn: Callable[..., None] = staticmethod(warnings.warn)
    heard = _Heard()

    def __enter__(self) -> None:
        with self._lock:
            FitWatch._n_open += 1
            if self._n_open == 1 and "__init__" not in vars(ConvergenceWarning):
                ConvergenceWarning.__init__ = _unconverged
            if self._n_open == 1:
                FitWatch._warn = staticmethod(warnings.warn)
                warnings.warn = _warned

    def __exit__(self, *_: object) -> None:
        with self._lock:
            FitWatch._n_open -= 1
            if not self._n_open and vars(ConvergenceWarning).get("__init__") is _unconverged:
                delattr(ConvergenceWarning, "__init__")
            if not self._n_open and warnings.warn is _warned:
                warnings.warn = FitWatch._warn


def _unconverged(self: Any, *args: Any) -> None:
    super(ConvergenceWarning, self).__init__(*args)
    FitWatch.heard.notes["unconverged", ""] = None


def _warned(message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **options: Any) -> None:
    notes, kind = FitWatch.heard.notes, type(message) if isinstance(message, Warning) else category or UserWarning
    if isinstance(kind, type) and not issubclass(kind, (*_OTHERS, ConvergenceWarning)) and len(notes) < _MOST_NOTES:
        notes["warned", f"{kind.__name__}: {one_line(str(message)):.{_MOST_TEXT}}"] = None
    FitWatch._warn(message, category, stacklevel + 1, *args, **options)  # past the frame of this function


def found_out(fitted: Any, responses: Mapping[str, NDArray[Any]]) -> Iterator[Note]:
    """That predictions of a test set are not finite, or all the same, and where a search ended."""
    for name, values in responses.items():
        if values.dtype.kind == "f" and "log" not in name and not np.isfinite(values).all():
            yield "not finite", ""
            break
    labels = responses.get("predict")
    if labels is not None and labels.ndim == 1 and len(labels) > 1 and (labels == labels[0]).all():
        yield "constant", ""
    while hasattr(fitted, "steps"):
        fitted = fitted.steps[-1][1]
    if hasattr(fitted, "best_params_") or hasattr(fitted, "alpha_"):
        with suppress(Exception):  # tables and values of others
            yield from [("end", told) for _, told in learners.ends_of_search(fitted)]


def counted_notes(told: Mapping[str, Sequence[Sequence[Note]]]) -> dict[str, list[list[Any]]]:
    """By model the notes on its fits: kind, what it says more, on how many fits, of how many.

    Warnings that differ in numbers alone are one.
    """
    health = dict[str, list[list[Any]]]()
    for name, fits in told.items():
        found: dict[Note, list[Any]] = {}
        for notes in fits:
            alike = dict[Note, str]()
            for kind, what in notes:
                alike[kind, re.sub(r"\d[\d.,e+-]*", "", what) if kind == "warned" else what] = what
            for key, what in alike.items():
                found.setdefault(key, [key[0], what, 0, len(fits)])[2] += 1
        if found:
            health[name] = [*found.values()]
    return health


# The memory that a fit takes.


ALONE = threading.Lock()  # held by a fit of which the memory is measured: what is counted is that of the process


def peak_bytes(fit: Callable[[], Any]) -> int:
    """The most bytes that Python and numpy hold at a time while `fit` runs, beyond those that they held before.

    The global random states are left as they were, and its warnings are not shown: it is done for the second time.
    """
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    gc.collect(1)  # of what is older most would stay, and looking takes longer than a small fit
    traced = tracemalloc.is_tracing()
    if traced:
        tracemalloc.reset_peak()
    else:
        tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        with warnings.catch_warnings(action="ignore"):
            fit()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not traced:
            tracemalloc.stop()
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002


# What pickling tells: whether a value can travel between processes, and how large a fitted model is.


_MAIN = threading.Lock()
_SHARED = {str, *(type(np.dtype(code)) for code in np.typecodes["All"])}


def travels(value: Any) -> bool:
    """Whether a value can be pickled and read back."""
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:
        return False
    return True


def pickled_size(model: Any, *, home: int) -> int:
    """Bytes of a pickled model, the same in a worker as in the calling process, `home`.

    Classes and functions of the main script are pickled by their names. joblib sends them to its workers, but does not
    put them where these names are looked up.
    """
    try:
        return _Counted().bytes_of(model)
    except (pickle.PicklingError, AttributeError):
        if os.getpid() == home:
            raise
    with _MAIN:
        main = vars(sys.modules["__main__"])
        before = dict(main)
        try:
            return _ByName().bytes_of(model)
        finally:
            main.clear()
            main.update(before)


class _Counted(pickle.Pickler):
    """Counts what a pickle takes and writes nothing.

    Equal texts and equal data types count once, also where they are several objects: in a worker they are, since it
    read some of them from a pickle.
    """

    def __init__(self) -> None:
        super().__init__(self, protocol=5)
        self._first_of: Any = {}.setdefault
        self._n_bytes = 0

    def bytes_of(self, model: Any) -> int:
        """How many its pickle takes."""
        self.dump(model)
        return self._n_bytes

    def write(self, data: Any) -> None:
        """Take what pickle writes."""
        self._n_bytes += memoryview(data).nbytes

    def persistent_id(self, value: Any) -> Any:
        """The first of equal objects, in place of each; pickle marks it with a byte more."""
        if type(value) not in _SHARED:
            return None
        self._n_bytes -= 1
        return self._first_of(value, value)


class _ByName(_Counted):
    """Puts what comes from a main script into that of this process, under its name, before it is looked up."""

    def reducer_override(self, value: Any) -> Any:
        """Leave the pickling itself to pickle."""
        if isinstance(value, (type, FunctionType)) and value.__module__ == "__main__":
            *outer, name = value.__qualname__.split(".")
            place: Any = sys.modules["__main__"]
            for part in outer:
                if not hasattr(place, part):
                    setattr(place, part, SimpleNamespace())
                place = getattr(place, part)
            if "<locals>" not in outer:  # which has no name to be found by
                setattr(place, name, value)
        return NotImplemented


INTERRUPTED = "interrupted while"


class EstimatorFailedError(ValueError):
    """An estimator failed to fit, to predict or to be scored, and ``error_score="raise"``."""


def fit_chunk(
    copies: Copies,
    plan: FitPlan,
    specs: Mapping[int, EstimatorSpec],
    fits: Sequence[Fit],
    on_start: Callable[[int, int], None] | None = None,
    seconds: float = inf,
) -> list[FoldOutcome]:
    """Outcomes of some fits, in their order; fewer where the plan stops at the first error, or time is up.

    Parameters
    ----------
    copies : Copies
        The data and the splits.
    plan : FitPlan
        What to collect.
    specs : mapping of int to EstimatorSpec
        The estimators of these fits, by position.
    fits : sequence of Fit
        What to fit; those of one split stand together, and share its copies of the data.
    on_start : callable, optional
        Told the split and the estimator of every fit before it starts.
    seconds : float, default=inf
        After which no fit is begun.
    """
    done: list[FoldOutcome] = []
    end = perf_counter() + seconds
    with FitWatch():
        for fit in fits:
            if on_start is not None:
                on_start(fit.split, fit.estimator)
            spec = specs[fit.estimator]
            copies.select(fit.split)
            try:
                alone = ALONE if "peak_memory" in plan.costs else nullcontext()
                known = plan.scorer is None and spec.leaves_input_unchanged  # and draws no numbers of its own
                seed = None if known else fit.seed
                own = nullcontext() if plan.task or lasting([spec], plan) else settings_kept(seed)
                with alone, own:
                    if plan.task is None:
                        done.append(_OneFit(spec, copies, plan).run(fit.seed))
                    else:
                        done.append(plan.task(spec, copies, plan))
            except KeyboardInterrupt as interrupt:
                interrupt.add_note(f"{INTERRUPTED} estimator {spec.name!r} ran {copies.splits.place(fit.split)}")
                raise
            if perf_counter() > end or (done[-1].errors and plan.ends_with(done[-1].errors)):
                break
    return done


def lasting(specs: Iterable[EstimatorSpec], plan: FitPlan) -> bool:
    """Whether nothing in these fits keeps a reference to the data it was given."""
    return plan.scorer is None and not plan.keep_estimator and all(map(attrgetter("leaves_input_unchanged"), specs))


class _OneFit:
    """One estimator on the split that the copies are of."""

    def __init__(self, spec: EstimatorSpec, copies: Copies, plan: FitPlan) -> None:
        if plan.scorer is not None and plan.scorers.unknown:  # it may write into what the model keeps
            spec = replace(spec, leaves_input_unchanged=False)
        self.spec, self.copies, self.plan = spec, copies, plan
        self.outcome = FoldOutcome()
        self._untouched = True  # what the model was given to predict

    def run(self, seed: int | None) -> FoldOutcome:
        """Fit, predict, score and measure; a step that fails leaves its error."""
        outcome, copies, plan = self.outcome, self.copies, self.plan
        FitWatch.heard.notes = {}
        with self._recorded("fit"):
            fitted = self._fitted(seed)
        if outcome.errors:
            outcome.notes = tuple(FitWatch.heard.notes)
            return outcome
        X_test = None
        with self._recorded("predict"):
            estimator, made = fitted, 0.0
            if copies.steps is not None:
                estimator, X_test, made = copies.steps.for_prediction(fitted, self.spec, copies, outcome)
                self.spec = self.spec.as_a_whole if estimator is fitted else self.spec
            else:
                X_test = copies.features("test", pairwise=self.spec.pairwise, shared=self.spec.leaves_input_unchanged)
            start = perf_counter() - made
            self._predict(estimator, X_test, made)
        if X_test is not None:
            for names in plan.responses:
                self._collect(estimator, names, X_test)
            outcome.notes = (*FitWatch.heard.notes, *found_out(fitted, outcome.responses))
            if plan.scorer is not None:
                self._score(estimator, X_test)
            outcome.score_time = perf_counter() - start
        X_test = None
        copies.release("test")
        if plan.costs:
            self._measure(fitted, seed)
        if plan.train_scorer is not None:
            self._score_training(fitted, plan.train_scorer)
        outcome.estimator = fitted if plan.keep_estimator else None
        if plan.classes is not None and "predict" in outcome.responses:
            outcome.responses["predict"], outcome.encoded = encode_labels(outcome.responses["predict"], plan.classes)
        return outcome

    def _measure(self, fitted: Any, seed: int | None) -> None:
        """The costs of a fitted model that are asked for, but for times."""
        outcome, plan = self.outcome, self.plan
        measures: dict[str, Callable[[], float]] = {
            "model_size": lambda: pickled_size(fitted, home=plan.home),
            "complexity": lambda: learners.complexity_of(fitted),
            "peak_memory": lambda: self._peak_memory(seed),
        }
        for cost, measure in measures.items():
            if cost in plan.costs:
                with self._recorded(cost):
                    setattr(outcome, cost, measure())

    def _peak_memory(self, seed: int | None) -> int:
        """Bytes of a fit of its own, of all steps of a pipeline: watching it would make the first one slower."""
        spec, estimator = self.spec.as_a_whole, self._clone(seed)
        pairwise, shared = spec.pairwise, spec.leaves_input_unchanged
        data, fit_params = self.copies.data("train", spec.fit_params, pairwise=pairwise, shared=shared)
        try:
            return peak_bytes(lambda: estimator.fit(*data, **fit_params))
        finally:
            self.copies.release("train")

    def _clone(self, seed: int | None) -> Any:
        """An estimator to be fitted, with the split's seed."""
        estimator = learners.cloned(self.spec.estimator)
        if seed is not None:
            learners.seed_parameters(estimator, self.spec.seeded, seed)
        return estimator

    def _fitted(self, seed: int | None) -> Any:
        """A fitted clone."""
        outcome, copies, spec, valid = self.outcome, self.copies, self.spec, self.plan.valid
        outcome.fit_time = outcome.score_time = 0.0
        estimator = self._clone(seed)
        copies.steps = (copies.steps or SharedSteps()) if spec.shared else None
        if copies.steps is not None:
            if copies.steps.fit(estimator, spec, copies, outcome):
                return estimator
            spec = spec.as_a_whole
        pairwise, shared = spec.pairwise, spec.leaves_input_unchanged
        data, fit_params = copies.data("train", spec.fit_params, pairwise=pairwise, shared=shared)
        start = perf_counter()
        plain = config_context(skip_parameter_validation=True) if valid.get(spec.name) else nullcontext()
        try:
            with remembering(estimator) if spec.remembers else plain:
                estimator.fit(*data, **fit_params)
        finally:
            outcome.fit_time = perf_counter() - start
            del data
            copies.release("train")
        if spec.name not in valid:
            valid[spec.name] = learners.has_plain_parameters(spec.estimator)
        return estimator

    def _predict(self, estimator: Any, X_test: Any, made: float) -> None:
        """Keep the labels, and the scores where these are known to give them; the samples took `made` seconds."""
        outcome, plan, spec = self.outcome, self.plan, self.spec
        alone = plan.columns or "predict_time" in plan.costs
        method = None if alone else learners.giving_labels(estimator, plan.responses)
        if method is not None and spec.leaves_input_unchanged:
            with suppress(Exception):  # which the plain way meets too
                scores = self._response(estimator, method, X_test)
                labels = learners.labels_from(estimator, method, scores)
                outcome.responses[method] = without_complement(scores, method)
                if labels is not None and learners.confirmed(plan.labels_found, spec.name, estimator, X_test, labels):
                    outcome.responses = {"predict": labels, **outcome.responses}
                    return
        start = perf_counter()
        outcome.responses = {"predict": self._response(estimator, "predict", X_test), **outcome.responses}
        outcome.predict_time = made + perf_counter() - start

    def _collect(self, estimator: Any, names: Sequence[str], X_test: Any) -> None:
        """Keep what the first of some methods gives, if it is not there yet."""
        outcome = self.outcome
        for method in names:
            with self._recorded(method):
                if method not in outcome.responses and method not in outcome.errors and hasattr(estimator, method):
                    found = self._response(estimator, method, X_test)
                    outcome.responses[method] = found if self.plan.columns else without_complement(found, method)
            if method in outcome.responses or method in outcome.errors:
                return
        with self._recorded(names[0]):
            raise AttributeError(f"{type(estimator).__name__} has no {' or '.join(names)}")

    def _score(self, estimator: Any, X_test: Any) -> None:
        """What the scorers give; each alone where they fail together.

        So also where a metric may have no value: which of them it is, and whether that ends the run, is for later.
        """
        plan, errors = self.plan, self.outcome.errors
        self._call(plan.scorers, estimator, X_test)
        if "score" not in errors or not plan.scorers.several:
            return
        if plan.stop_on_error and not plan.added and not self.copies.is_partial(plan.classes):
            return
        del errors["score"]
        self.outcome.exception = None
        self._call(CalledScorers(plan.scorer, raises=False), estimator, X_test)

    def _call(self, scorers: CalledScorers, estimator: Any, X_test: Any) -> None:
        copies, params, given = self.copies, self.plan.score_params, None
        unchanged, pairwise = self.spec.leaves_input_unchanged, self.spec.pairwise
        with self._recorded("score"):
            if unchanged:
                given = (X_test, copies.target("test", shared=True)), copies.params(params, "test", shared=True)
            fresh = partial(copies.data, "test", params, pairwise=pairwise)
            kept = bool(self.plan.costs or self.plan.train_scorer or self.plan.keep_estimator)
            self.outcome.scored = scorers(estimator, fresh, given=given, unchanged=unchanged, keeps_model=kept)

    def _score_training(self, fitted: Any, scorer: Any) -> None:
        """What the scorers give for the training set; nothing where one fails."""
        data = partial(self.copies.data, "train", self.plan.score_params, pairwise=self.spec.pairwise)
        scorers = CalledScorers(scorer, raises=False)
        with suppress(Exception):
            scored = scorers(fitted, data, given=None, unchanged=self.spec.leaves_input_unchanged, keeps_model=True)
            self.outcome.train_scored = scored if isinstance(scored, dict) else {"score": scored}

    @contextmanager
    def _recorded(self, step: str) -> Iterator[None]:
        """Whatever is raised becomes an error of the step, but for what may be an interrupt by the user."""
        try:
            yield
        except BaseException as error:  # SystemExit and the panics of native libraries too
            here = os.getpid() == self.plan.home and threading.current_thread() is threading.main_thread()
            if isinstance(error, KeyboardInterrupt) and here:
                raise
            self.outcome.errors[step] = "".join(format_exception_only(error))
            # the traceback of a kept exception would keep the data alive
            if self.plan.stop_on_error and isinstance(error, Exception) and travels(error):
                self.outcome.exception = self.outcome.exception or error

    def _response(self, estimator: Any, method: str, X_test: Any) -> NDArray[Any]:
        """What a method gives, as an array of one row per test sample that is nobody else's and keeps nothing alive."""
        unchanged = self.spec.leaves_input_unchanged
        if not unchanged and not self._untouched:
            X_test = self.copies.features("test", pairwise=self.spec.pairwise, shared=False)
        self._untouched = unchanged
        given = getattr(estimator, method)(X_test)
        if isinstance(given, np.ma.MaskedArray):
            refuse_masked(given, f"what {method} gives")
        array = np.asarray(label_columns(given) if self.plan.columns and method != "predict" else given)
        n_test = n_rows(X_test, "X")
        if array.ndim == 0 or len(array) != n_test:
            raise ValueError(f"{method} must give one row per sample, {n_test}; got shape {array.shape}")
        own = unchanged and self.spec.from_sklearn and array.base is None and array is not X_test
        return array if own else array.copy()


# Fits that failed: what is said of them, and when an estimator is given up.


FIRST_SPLITS = 5
FIRST_LOST = 2  # where its process died, which takes all workers with it
LOST = "WorkerLostError: its process died twice"
START = "start"  # the step that fails where a fit is not started
_OF_DATES = "Make numbers of dates: pandas.to_datetime(X[name]).astype('int64')."
# By the step that failed and a part of scikit-learn's message; each was seen to work where it is followed.
_REMEDIES = {
    ("fit", "predict"): {
        **dict.fromkeys(("DateTime64DType", "not 'Timestamp'"), _OF_DATES),
        "X contains NaN": "Take make_pipeline(SimpleImputer(), model), or a model that takes missing values.",
        "could not convert string to float": (
            "Encode the columns of texts: make_pipeline(make_column_transformer((OneHotEncoder("
            "handle_unknown='ignore', sparse_output=False), columns), remainder='passthrough'), model)."
        ),
    },
    ("score",): {
        "positional arguments": "Take make_scorer(metric): a scorer is called with a model, X and y.",
        "continuous targets": "Take a metric of numbers, or a model whose predict gives classes.",
        "but average='binary'": "Take a scorer of several classes, such as 'f1_macro'.",
        "multi_class must be in": "Take 'roc_auc_ovr' or 'roc_auc_ovo', and models with predict_proba.",
    },
}


def failure_message(name: str, splits: Splits, split: int, step: str, traceback: str) -> str:
    """One line: which estimator, which fold, which step, and the error."""
    if step == START:
        return f"estimator {name!r} was not fitted {splits.place(split)}: {traceback}"
    return f"estimator {name!r} failed in {step} {splits.place(split)}: {with_remedy(step, error_line(traceback))}"


def with_remedy(step: str, reason: str) -> str:
    """Why a step failed, and what to do where that is known."""
    known = (told for steps, remedies in _REMEDIES.items() if step in steps for told in remedies.items())
    remedy = next((remedy for part, remedy in known if part in reason), "")
    return f"{reason.removesuffix('.')}. {remedy}" if remedy else reason


def error_line(traceback: str) -> str:
    """The error's type and the first line of its message, which follow the last stack line of a traceback."""
    lines = traceback.strip().splitlines()
    last_frame = max((i for i, line in enumerate(lines) if line.startswith('  File "')), default=-1)
    return next((line for line in lines[last_frame + 1 :] if not line.startswith(" ")), "unknown error")


def not_started(n: int) -> FoldOutcome:
    """The outcome of a fit that is not started, after so many that failed."""
    return FoldOutcome(errors={"fit": f"it failed on its first {n} splits with the same message"}, started=False)


@dataclass
class FirstFits:
    """What estimators gave on their first splits: one that failed on all of them with one message is fitted no more.

    Nothing else decides, so that what is reported does not depend on which later fits were started or are in a store.
    An estimator whose process died on the first two is fitted no more either.

    Parameters
    ----------
    n_splits : int
        Splits of the evaluation; with no more than the first ones there is nothing to decide.
    """

    n_splits: int
    _reasons: dict[int, dict[int, str]] = field(default_factory=dict, init=False)

    def take(self, split: int, estimator: int, outcome: FoldOutcome) -> None:
        """Take note of an outcome."""
        if split < FIRST_SPLITS:
            error = outcome.errors.get("fit")
            self._reasons.setdefault(estimator, {})[split] = "" if error is None else error_line(error)

    def failed(self, split: int, estimator: int) -> int | None:
        """How many first fits failed so that a fit is not to be started: 0 where it is, None where not known yet."""
        reasons, unknown = self._reasons.get(estimator, {}), False
        for n, known in ((FIRST_LOST, LOST), (FIRST_SPLITS, "")):
            if n <= split and n < self.n_splits:
                told = [reasons[first] for first in range(n) if first in reasons]
                if len({*told}) < 2 and all(one and one.startswith(known) for one in told):
                    if len(told) == n:
                        return n
                    unknown = True
        return None if unknown else 0
