"""Intervals, and the records that have one for what they estimate."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from skcompare._core.html import Table
from skcompare._core.record import Record, shown
from skcompare._core.validation import FloatArray, check_number
from skcompare._core.words import counted


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ConfidenceInterval(Record):
    """An interval, in the units of what it is about.

    Attributes
    ----------
    low, high : float
        The limits; the end of the possible range (minus or plus infinity of a difference) on the open side of a
        one-sided interval.
    """

    low: float
    high: float

    def _sentence(self) -> str:
        return f"The interval is from {self.low:.3g} to {self.high:.3g}."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class SimultaneousIntervals(Record):
    """Intervals that hold for all metrics, or all pairs of models, at once with the confidence asked for.

    Attributes
    ----------
    low, high : ndarray of shape (m,) or (k, k)
        The limits per metric, or per pair of models, in the unit of what they are about; nan where the test gives no
        answer.
    """

    low: FloatArray
    high: FloatArray

    def _sentence(self) -> str:
        k = len(self.low)
        what = counted(k, "metric") if self.low.ndim == 1 else counted(k * (k - 1) // 2, "pair")
        return f"Intervals for {what}, which hold at once."

    def _tables(self) -> list[Table]:
        k = len(self.low)
        places = [(i,) for i in range(k)] if self.low.ndim == 1 else [*combinations(range(k), 2)]
        rows = [
            [" and ".join(str(i + 1) for i in at), shown(float(self.low[at])), shown(float(self.high[at]))]
            for at in places
        ]
        return [Table(("metric" if self.low.ndim == 1 else "models", "low", "high"), rows)]


class HasInterval(Record):
    """A test with an interval for what it estimates, in the range of possible values."""

    __slots__ = ()
    _RANGE = (-np.inf, np.inf)
    alternative: str

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Interval for what is estimated; the description of the record says how it is made.

        Parameters
        ----------
        confidence_level : float, default=0.95
            In (0, 1).

        Returns
        -------
        ConfidenceInterval
            One-sided alternatives give one-sided intervals, open to the end of the possible range.

        Raises
        ------
        ValueError
            If `confidence_level` is not in (0, 1).
        """
        low, high = self._limits(interval_tail(confidence_level, self.alternative))
        return interval_for(self.alternative, low, high, self._RANGE)

    def _limits(self, tail: float) -> tuple[float, float]:
        """The limits that leave out a probability of `tail` on their side; only those on a closed side are used."""
        raise NotImplementedError


class HasNormalInterval(HasInterval):
    """A two-sided interval by the normal distribution of an estimate."""

    __slots__ = ()
    alternative = "two-sided"
    estimate: float
    standard_error: float

    def _limits(self, tail: float) -> tuple[float, float]:
        reach = -float(special.ndtri(tail)) * self.standard_error
        return self.estimate - reach, self.estimate + reach


def moved_by(limit: float, null: float) -> float:
    """A limit that was found with all differences less `null`, moved back: it stays on its side of the null."""
    if not null:
        return limit
    moved = limit + null
    if limit > 0:
        return max(moved, float(np.nextafter(null, np.inf)))
    return min(moved, float(np.nextafter(null, -np.inf))) if limit < 0 else moved


def interval_for(
    alternative: str, low: float, high: float, possible: tuple[float, float] = (-np.inf, np.inf)
) -> ConfidenceInterval:
    """The interval between two limits; that of a one-sided alternative is open to the end of the possible range."""
    return ConfidenceInterval(
        low=possible[0] if alternative == "less" else low, high=possible[1] if alternative == "greater" else high
    )


def interval_tail(confidence_level: float, alternative: str) -> float:
    """The probability that an interval leaves out at each of its closed ends."""
    level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level
