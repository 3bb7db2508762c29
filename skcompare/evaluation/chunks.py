"""What is to be fitted, dealt out in chunks of about equal time, and what a fit gave."""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from joblib import parallel_config
from joblib.parallel import ThreadingBackend
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from skcompare.evaluation.foreign_code import CalledScorers
from skcompare.evaluation.splits import Splits


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
    shared : tuple of bytes
        What stands for each of its leading steps that another estimator has too; the fits of a split share these.
    shared_unchanged : bool
        Whether these steps are known to leave their input as it is.
    remembers : bool
        Whether it is a search among pipelines that may fit equal leading steps on equal samples once.
    """

    name: str
    estimator: Any
    fit_params: Mapping[str, Any]
    seeded: tuple[str, ...] = ()
    pairwise: bool = False
    from_sklearn: bool = False
    leaves_input_unchanged: bool = False
    shared: tuple[bytes, ...] = ()
    shared_unchanged: bool = True
    remembers: bool = False

    @property
    def as_a_whole(self) -> EstimatorSpec:
        """The same where also the steps that are shared get the data."""
        return self if self.shared_unchanged else replace(self, leaves_input_unchanged=False)


@dataclass(frozen=True, kw_only=True)
class FitPlan:
    """What to collect on every split.

    Attributes
    ----------
    responses : tuple of tuple of str
        Methods whose values are kept besides ``predict``, each given by preference, e.g.
        ``("decision_function", "predict_proba")``: the first that the estimator has.
    costs : frozenset of str
        The cost metrics: whether the fitted estimator is pickled and the number of bytes kept, what it is made of is
        counted, and it is fitted once more to see what memory that takes. Where the time of predicting is one of them,
        no call may give labels and scores at once.
    scorer : callable or None
        A scikit-learn multi-metric scorer or a user's callable, called as ``scorer(estimator, X_test, y_test)``.
    score_params : mapping
        Passed to `scorer`; entries with one value per sample are cut to the test samples.
    stop_on_error : bool
        Whether the first failure ends the run.
    classes : ndarray or None
        The sorted classes of a classification, so that predicted labels travel as small integers.
    task : callable or None
        What to do with every fit in place of fitting, predicting and scoring, called as
        ``task(spec, copies, plan)``; whatever it raises ends the run.
    added : bool
        Whether nobody asked for the metrics: then only a fit that fails, or its labels, ends the run.
    columns : bool
        Whether each sample has several values, so that two columns of scores are those of two of them.
    home : int
        The calling process: an interrupt in its main thread may be the user's, elsewhere it is the estimator's.
    train_scorer : callable or None
        A scikit-learn multi-metric scorer or a user's callable for the training set, where it is to be scored.
    keep_estimator : bool
        Whether the fitted estimator is kept.
    labels_found, valid : dict of str to bool
        What first fits showed, by estimator: that one call gives labels and scores, that its parameters are valid.
    """

    responses: tuple[tuple[str, ...], ...] = ()
    costs: frozenset[str] = frozenset()
    scorer: Callable[..., Any] | None = None
    score_params: Mapping[str, Any] = field(default_factory=dict)
    stop_on_error: bool = True
    classes: NDArray[Any] | None = None
    task: Callable[..., FoldOutcome] | None = None
    added: bool = False
    columns: bool = False
    home: int = field(default_factory=os.getpid)
    train_scorer: Callable[..., Any] | None = None
    keep_estimator: bool = False
    labels_found: dict[str, bool] = field(default_factory=dict)
    valid: dict[str, bool] = field(default_factory=dict)

    def ends_with(self, errors: Collection[str]) -> bool:
        """Whether the run ends where these steps failed."""
        return self.stop_on_error and bool({*errors} & {"fit", "predict"} if self.added else errors)

    @cached_property
    def scorers(self) -> CalledScorers:
        """The scorer, as it is called."""
        return CalledScorers(self.scorer)


class Fit(NamedTuple):
    """One fit to do: the split, the position of the estimator, and the seed of its open random states."""

    split: int
    estimator: int
    seed: int | None = None


@dataclass(slots=True)
class FoldOutcome:
    """What one estimator gave on one split; `errors` maps the step that failed to the error's text.

    Where `encoded` is true, `responses["predict"]` holds positions in the sorted classes instead of labels. Times are
    those of the estimator alone; `saved_time` of them was spent on another one, with which it shares steps. A fit that
    was not `started` failed.
    """

    fit_time: float = np.nan
    predict_time: float = np.nan
    score_time: float = np.nan
    model_size: float = np.nan
    peak_memory: float = np.nan
    complexity: float = np.nan
    responses: dict[str, NDArray[Any]] = field(default_factory=dict)
    scored: Any = None
    errors: dict[str, str] = field(default_factory=dict)
    exception: Exception | None = None
    encoded: bool = False
    saved_time: float = 0.0
    notes: tuple[tuple[str, str], ...] = ()
    started: bool = True
    train_scored: Any = None
    estimator: Any = None

    def __reduce__(self) -> tuple[Any, ...]:
        return FoldOutcome, attrgetter(*self.__slots__)(self)  # read back in half the time of a state with names


@dataclass(frozen=True, kw_only=True)
class Work:
    """The data, the splits, and what to do with them.

    Of each estimator with leading steps that another one has too, `shared` has what stands for these.
    """

    specs: Sequence[EstimatorSpec]
    X: Any
    y: Any
    splits: Splits
    plan: FitPlan
    shared: Mapping[int, tuple[bytes, ...]] = field(default_factory=dict)

    def __sizeof__(self) -> int:
        """More than the 1,000 bytes from which on joblib lets a Dask cluster keep it for all fits."""
        return 2**10 + sum(map(sys.getsizeof, (self.X, self.y, self.splits)))


Finished = tuple[Fit, FoldOutcome]  # a fit and what it gave


class Backlog:
    """Fits in order, and what a fit of each estimator took so far.

    Parameters
    ----------
    fits : iterable of Fit
        What is to be done, split by split.
    shared : mapping of int to tuple of bytes, optional
        Of each estimator, what stands for the leading steps that another one has too.
    failed : callable, optional
        Of a split and an estimator, None where it is better started when all that was dealt out before is finished.
    """

    def __init__(
        self,
        fits: Iterable[Fit],
        *,
        shared: Mapping[int, tuple[bytes, ...]] = MappingProxyType({}),
        failed: Callable[[int, int], int | None] = lambda *_: 0,
    ) -> None:
        self._fits = deque(fits)
        self._shared, self._failed = shared, failed
        self._left_out: set[int] = set()
        self._saved: dict[int, float] = {}
        self._left = Counter(map(attrgetter("estimator"), self._fits))
        self._seconds: dict[int, tuple[int, float]] = {}

    def __len__(self) -> int:
        if not self._left_out:
            return len(self._fits)
        return sum(fit.estimator not in self._left_out for fit in list(self._fits))

    def leave_out(self, estimator: int) -> None:
        """Deal out no more fits of an estimator."""
        self._left_out.add(estimator)

    def finish(self, fits: Sequence[Fit], outcomes: Sequence[FoldOutcome]) -> list[Finished]:
        """Take note of the times of a chunk; what of it is not done comes first again."""
        if len(outcomes) < len(fits):
            self.put_back(fits[len(outcomes) :])
        finished = list(zip(fits, outcomes, strict=False))
        for fit, outcome in finished:
            self.observe(fit.estimator, outcome.fit_time + outcome.score_time - outcome.saved_time)
            self._saved[fit.estimator] = max(outcome.saved_time, self._saved.get(fit.estimator, 0.0))
        return finished

    def observe(self, estimator: int, seconds: float) -> None:
        """An estimator's first fit warms up, and is replaced by the next."""
        n, mean = self._seconds.get(estimator, (0, 0.0))
        self._seconds[estimator] = (n + 1, seconds if n < 2 else mean + (seconds - mean) / n)

    def cost(self, estimator: int) -> float | None:
        """Mean seconds of a fit; None before the first."""
        return self._seconds[estimator][1] if estimator in self._seconds else None

    def expected(self, *estimators: int) -> float:
        """Seconds that the rest, or that of some estimators, will take in one process; nothing where never timed."""
        chosen = [e for e in estimators or list(self._left) if e not in self._left_out]
        return sum(self._left[estimator] * (self.cost(estimator) or 0.0) for estimator in chosen)

    def take(self, seconds: float, most_new: int = 1) -> list[Fit]:
        """The next fits for about so many seconds, one alone where it takes longer; none of none.

        Those of estimators that were never timed come by themselves, at most so many, and one of each.
        """
        chunk: list[Fit] = []
        total, new = 0.0, set[int]()
        while self._fits:
            split, estimator, _ = self._fits[0]
            if estimator in self._left_out:
                self._fits.popleft()
                continue
            if chunk and self._failed(split, estimator) is None:
                break
            cost = self.cost(estimator)
            if (chunk and (cost is None) != bool(new)) or estimator in new or len(new) == most_new:
                break
            if chunk and cost is not None and total + cost > seconds:
                # a fit that takes more than twice as long without steps that the last one fitted belongs to that one
                own, steps = self._shared.get(estimator, ()), self._shared.get(chunk[-1].estimator, ())
                follows = split == chunk[-1].split and len(steps) > 0 and own[: len(steps)] == steps
                if not follows or self._saved.get(estimator, 0.0) <= cost:
                    break
            chunk.append(self._fits.popleft())
            self._left[estimator] -= 1
            if cost is None:
                new.add(estimator)
            total += cost or 0.0
        return chunk

    def put_back(self, fits: Iterable[Fit]) -> None:
        """Fits that were taken and are not done come first again."""
        returned = sorted(fits)
        self._fits.extendleft(reversed(returned))
        self._left.update(map(attrgetter("estimator"), returned))


# Threads: which estimators gain by them, and limits on those inside a fit, so that workers do not pile up.
#
# joblib limits the threads of a process that it starts, but not where the user set a limit, nor those that an
# estimator
# starts for its ``n_jobs``.


class _CappedThreads(ThreadingBackend):  # type: ignore[misc]
    """joblib's threads, never more than a limit, whatever ``n_jobs`` an estimator asks for."""

    def __init__(self, limit: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._limit = limit

    def effective_n_jobs(self, n_jobs: int) -> int:
        return min(self._limit, int(super().effective_n_jobs(n_jobs)))


@contextmanager
def limited_pools(limit: int) -> Iterator[None]:
    """Let BLAS and OpenMP of this process use at most `limit` threads; never more than before."""
    controller = _controller(len(sys.modules))
    limits = {library["prefix"]: min(limit, library["num_threads"]) for library in controller.info()}
    with controller.limit(limits=limits):
        yield


def limited_jobs(limit: int) -> parallel_config:
    """Let the ``n_jobs`` of estimators mean at most `limit` threads, from now to the end of a ``with``."""
    return parallel_config(backend="sequential" if limit == 1 else _CappedThreads(limit))


@lru_cache(maxsize=1)
def _controller(_: int) -> ThreadpoolController:
    """The loaded thread pools, looked up again after imports; looking takes milliseconds."""
    return ThreadpoolController()


# Whose fits hold Python's lock for a small part of their time only, measured (see the page of measurements).
_TREES = ("DecisionTree", "RandomForest", "GradientBoosting")
FREE_OF_THE_LOCK = frozenset(f"{trees}{task}" for trees in _TREES for task in ("Classifier", "Regressor"))
LONG_ENOUGH = 0.02  # seconds of a fit
MOST = 0.9  # of the time that is left


def threads_win(work: Work, backlog: Backlog) -> bool:
    """Whether nearly all that is left are long fits outside of Python's lock, which threads share like processes."""
    free = [type(spec.estimator).__name__ in FREE_OF_THE_LOCK for spec in work.specs]
    long = [(backlog.cost(e) or 0.0) >= LONG_ENOUGH for e in range(len(free))]
    won = sum(backlog.expected(e) for e in range(len(free)) if free[e] and long[e])
    return work.plan.scorer is None and won > MOST * backlog.expected() > 0
