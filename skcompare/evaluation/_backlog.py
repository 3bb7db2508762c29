"""Fits still to do, dealt out in chunks of about equal time."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable

from skcompare.evaluation._predictions import Fit


class Backlog:
    """Fits in order, and what a fit of each estimator took so far.

    Parameters
    ----------
    fits : iterable of Fit
        What is to be done, split by split.
    """

    def __init__(self, fits: Iterable[Fit]) -> None:
        self._fits = deque(fits)
        self._left = Counter(fit.estimator for fit in self._fits)
        self._seconds: dict[int, tuple[int, float]] = {}

    def __len__(self) -> int:
        return len(self._fits)

    def observe(self, estimator: int, seconds: float) -> None:
        """Take note of the time of a fit; an estimator's first one warms up and is replaced by the next."""
        n, mean = self._seconds.get(estimator, (0, 0.0))
        if n < 2:
            mean = seconds
        else:
            mean += (seconds - mean) / n
        self._seconds[estimator] = (n + 1, mean)

    def cost(self, estimator: int) -> float | None:
        """Mean seconds of a fit; None before the first."""
        return self._seconds[estimator][1] if estimator in self._seconds else None

    def expected(self, *estimators: int) -> float:
        """Seconds that the rest, or that of some estimators, will take in one process; nothing where never timed."""
        chosen = estimators or self._left
        return sum(self._left[estimator] * (self.cost(estimator) or 0.0) for estimator in chosen)

    def take(self, seconds: float) -> list[Fit]:
        """The next fits for about so many seconds; one alone where it takes longer or was never timed."""
        chunk: list[Fit] = []
        total = 0.0
        while self._fits:
            cost = self.cost(self._fits[0].estimator)
            if chunk and (cost is None or total + cost > seconds):
                break
            fit = self._fits.popleft()
            self._left[fit.estimator] -= 1
            chunk.append(fit)
            if cost is None:
                break
            total += cost
        return chunk

    def put_back(self, fits: Iterable[Fit]) -> None:
        """Fits that were taken and are not done come first again."""
        returned = sorted(fits)
        self._fits.extendleft(reversed(returned))
        self._left.update(fit.estimator for fit in returned)
