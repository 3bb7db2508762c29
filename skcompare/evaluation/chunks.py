"""What is to be fitted, dealt out in chunks of about equal time, and what a fit gave."""

from __future__ import annotations

import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from types import MappingProxyType
from typing import Any

from joblib import parallel_config
from joblib.parallel import ThreadingBackend
from threadpoolctl import ThreadpoolController

from skcompare.evaluation.fit import EstimatorSpec, Fit, FitPlan, FoldOutcome, travels
from skcompare.evaluation.splits import Splits


@dataclass(frozen=True, kw_only=True)
class Work:
    """The data, the splits, and what to do with them."""

    specs: Sequence[EstimatorSpec]
    X: Any
    y: Any
    splits: Splits
    plan: FitPlan


@dataclass(frozen=True, slots=True)
class Finished:
    """A fit and what it gave."""

    fit: Fit
    outcome: FoldOutcome


class Backlog:
    """Fits in order, and what a fit of each estimator took so far.

    Parameters
    ----------
    fits : iterable of Fit
        What is to be done, split by split.
    shared : mapping of int to tuple of bytes, optional
        Of each estimator, what stands for the leading steps that another one has too.
    waits : callable, optional
        Whether a fit is better started when all that was dealt out before is finished.
    """

    def __init__(
        self,
        fits: Iterable[Fit],
        *,
        shared: Mapping[int, tuple[bytes, ...]] = MappingProxyType({}),
        waits: Callable[[Fit], bool] = lambda _: False,
    ) -> None:
        self._fits = deque(fits)
        self._shared, self._waits = shared, waits
        self._left_out: set[int] = set()
        self._saved: dict[int, float] = {}
        self._left = Counter(fit.estimator for fit in self._fits)
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
        self.put_back(fits[len(outcomes) :])
        finished = [Finished(fit, outcome) for fit, outcome in zip(fits, outcomes, strict=False)]
        for done in finished:
            estimator, outcome = done.fit.estimator, done.outcome
            self.observe(estimator, outcome.fit_time + outcome.score_time - outcome.saved_time)
            self._saved[estimator] = max(outcome.saved_time, self._saved.get(estimator, 0.0))
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

    def take(self, seconds: float) -> list[Fit]:
        """The next fits for about so many seconds; one alone where it takes longer or was never timed, none of none."""
        chunk: list[Fit] = []
        total = 0.0
        while self._fits:
            if self._fits[0].estimator in self._left_out:
                self._fits.popleft()
                continue
            if chunk and self._waits(self._fits[0]):
                break
            cost = self.cost(self._fits[0].estimator)
            if chunk and (cost is None or total + cost > seconds) and not self._belongs_to(chunk[-1], cost):
                break
            fit = self._fits.popleft()
            self._left[fit.estimator] -= 1
            chunk.append(fit)
            if cost is None:
                break
            total += cost
        return chunk

    def _belongs_to(self, last: Fit, cost: float | None) -> bool:
        """Whether the next fit would take more than twice as long without steps that the last one fitted."""
        split, estimator, _ = self._fits[0]
        own, steps = self._shared.get(estimator, ()), self._shared.get(last.estimator, ())
        follows = split == last.split and len(steps) > 0 and own[: len(steps)] == steps
        return follows and cost is not None and self._saved.get(estimator, 0.0) > cost

    def put_back(self, fits: Iterable[Fit]) -> None:
        """Fits that were taken and are not done come first again."""
        returned = sorted(fits)
        self._fits.extendleft(reversed(returned))
        self._left.update(fit.estimator for fit in returned)


def keep_portable(outcome: FoldOutcome) -> None:
    """Make errors of predictions and scores that cannot travel between processes."""
    for method, values in list(outcome.responses.items()):
        if values.dtype.kind == "O" and not travels(values):
            del outcome.responses[method]
            outcome.errors[method] = f"TypeError: {method} gave objects that cannot be pickled"
    if not isinstance(outcome.scored, (type(None), Real)) and not travels(outcome.scored):
        outcome.scored = None
        outcome.errors["score"] = "TypeError: the scorer gave an object that cannot be pickled"


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


@contextmanager
def limited_jobs(limit: int) -> Iterator[None]:
    """Let the ``n_jobs`` of estimators mean at most `limit` threads."""
    with parallel_config(backend="sequential" if limit == 1 else _CappedThreads(limit)):
        yield


@lru_cache(maxsize=1)
def _controller(_: int) -> ThreadpoolController:
    """The loaded thread pools, looked up again after imports; looking takes milliseconds."""
    return ThreadpoolController()


# Whose fits hold Python's lock for a small part of their time only, measured (see the page of measurements).
_TREES = ("DecisionTree", "RandomForest", "GradientBoosting")
FREE_OF_THE_LOCK = frozenset(f"{trees}{task}" for trees in _TREES for task in ("Classifier", "Regressor"))
LONG_ENOUGH = 0.02  # seconds of a fit
MOST = 0.9  # of the time that is left


def threads_win(specs: Sequence[EstimatorSpec], backlog: Backlog) -> bool:
    """Whether nearly all that is left are long fits outside of Python's lock, which threads share like processes."""
    free = [type(spec.estimator).__name__ in FREE_OF_THE_LOCK for spec in specs]
    long = [(backlog.cost(e) or 0.0) >= LONG_ENOUGH for e in range(len(specs))]
    won = sum(backlog.expected(e) for e in range(len(specs)) if free[e] and long[e])
    return won > MOST * backlog.expected() > 0
