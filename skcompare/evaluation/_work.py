"""What is to be fitted, dealt out in chunks of about equal time, and what a fit gave."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from types import MappingProxyType
from typing import Any

from skcompare.evaluation._pickles import travels
from skcompare.evaluation._predictions import EstimatorSpec, Fit, FitPlan, FoldOutcome
from skcompare.evaluation._splits import Splits


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
