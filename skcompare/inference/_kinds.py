"""What the records of one kind have in common: whom they compare, their intervals, and what they declare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, fields, replace
from fractions import Fraction
from itertools import combinations
from math import isfinite
from typing import Any, TypeVar

import numpy as np
from scipy import special

from skcompare._core.numbers import counted
from skcompare._core.record import Record, Table, shown
from skcompare._core.validation import Ends, FloatArray, check_number
from skcompare._core.warnings import Warnings
from skcompare.inference._sentences import Difference, Estimate, Omnibus, Probabilities, Values, interval_of


class Result(Record, eq=False):
    """What a procedure found: how, and reasons to doubt it."""

    method: str
    warnings: Warnings = ()


# Intervals, and the records that have one for what they estimate.


class ConfidenceInterval(Record, kw_only=False):
    """An interval, in the units of what it is about.

    Attributes
    ----------
    low, high : float
        The limits; the end of the possible range (minus or plus infinity of a difference) on the open side of a
        one-sided interval.
    """

    low: float
    high: float
    _kind = Values({"low": "low", "high": "high"}, title="Interval")


class SimultaneousIntervals(Record, eq=False):
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


class HasInterval:
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

    def _limits(self, tail: float) -> Ends:
        """The limits that leave out a probability of `tail` on their side; only those on a closed side are used."""
        raise NotImplementedError


class HasNormalInterval(HasInterval):
    """A two-sided interval by the normal distribution of an estimate."""

    __slots__ = ()
    alternative = "two-sided"
    estimate: float
    standard_error: float

    def _limits(self, tail: float) -> Ends:
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


def interval_for(alternative: str, low: float, high: float, possible: Ends = (-np.inf, np.inf)) -> ConfidenceInterval:
    """The interval between two limits; that of a one-sided alternative is open to the end of the possible range."""
    low, high = possible[0] if alternative == "less" else low, possible[1] if alternative == "greater" else high
    return ConfidenceInterval(low, high)


def interval_tail(confidence_level: float, alternative: str) -> float:
    """The probability that an interval leaves out at each of its closed ends."""
    level = check_number(confidence_level, "confidence_level", low=0, high=1, closed="neither")
    return (1 - level) / 2 if alternative == "two-sided" else 1 - level


R = TypeVar("R")


class Compared(Record):
    """What a record calls the models, and the metric that it is about.

    Attributes
    ----------
    a, b : str
        The names of the models; ``"a"`` and ``"b"`` where only their scores are known.
    metric : str
        Empty where it is not known, and of records that name several.
    among : callable or None
        The adjusted p-value of the same test among all comparisons of its family, and how many these are in words; None
        where there is no family. It is asked when a record is printed.
    """

    a: str = "a"
    b: str = "b"
    metric: str = ""
    among: Callable[[], tuple[float, str]] | None = field(default=None, repr=False, compare=False)

    @property
    def on(self) -> str:
        """Where, after a claim."""
        return f" on {self.metric}" if self.metric else ""

    @property
    def known(self) -> bool:
        """Whether the record was made from named models."""
        return self != Compared()

    def between(self) -> str:
        """Between whom, after a noun; empty where nobody is named."""
        return f" between {self.a} and {self.b}{self.on}" if self.known else ""


class OfModels(Result, eq=False):
    """A record about two models, or one; two with the same numbers are equal, whatever the names."""

    compared: Compared = field(default=Compared(), repr=False, compare=False)


def with_names(record: R, compared: Compared, **changes: Any) -> R:
    """The record with the names of what was compared, also in the records that it holds; others with changes only."""
    if not isinstance(record, OfModels):
        return replace(record, **changes)  # type: ignore[type-var]
    held = {one.name: getattr(record, one.name) for one in fields(record)}
    inner = {name: with_names(value, compared) for name, value in held.items() if isinstance(value, OfModels)}
    return replace(record, compared=compared, **{**inner, **changes})


class AgainstNull(OfModels, eq=False):
    """A record of a test of a difference; the one under the null hypothesis is told in its sentence."""

    null: float = field(default=0.0, repr=False)


class DifferenceTest(AgainstNull, eq=False):
    """A test of the difference ``a - b``; positive favours `a`."""

    pvalue: float
    alternative: str
    estimate: float
    n: int

    _kind = Difference()

    def _tables(self) -> list[Table]:
        return with_interval(Record._tables(self), self)


class CountedTest(DifferenceTest):
    """A difference test whose p-value is a share of rearrangements."""

    __slots__ = ()

    @property
    def n_rearrangements(self) -> int:
        """Of how many rearrangements `pvalue` is a share: all, or those drawn and the observed one; 0 of none."""
        raise NotImplementedError

    @property
    def n_extreme(self) -> int:
        """How many of them are at least as extreme as the observed one, which is one of them.

        Of more than 2**53 rearrangements the count is rounded as `pvalue` is.
        """
        return share_of(self.pvalue, self.n_rearrangements)


class MetricTest(DifferenceTest, eq=False):
    """A test of the difference of a metric that may be a loss."""

    statistic: float
    standard_error: float
    effect_size: float
    score_a: float
    score_b: float
    n_resamples: int
    n_clusters: int = 0
    metric: str = field(default="", repr=False)

    _kind = Difference(("larger", "smaller"), noun="metric")


class RateTest(HasInterval, OfModels, eq=False):
    """A test of one model's error rate against a threshold."""

    _RANGE = (0.0, 1.0)
    _kind = Estimate("error rate")
    statistic: float
    pvalue: float
    alternative: str
    estimate: float
    threshold: float
    standard_error: float
    effect_size: float
    n: int

    def _tables(self) -> list[Table]:
        return with_interval(Record._tables(self), self)


class OmnibusTest(Result, eq=False):
    """A test that several models do equally well."""

    statistic: float
    pvalue: float
    n_rearrangements: int = field(default=0, repr=False)
    n_extreme: int = field(default=0, repr=False)

    _kind = Omnibus()


class Posterior(OfModels, eq=False):
    """Probabilities that `b` is better, that the two are equivalent, that `a` is better."""

    left: float
    rope: float
    right: float
    rope_width: float
    n: int

    _kind = Probabilities()


def share_of(pvalue: float, n_rearrangements: int) -> int:
    """The count that a p-value is of so many rearrangements, at least the observed one; 0 of none."""
    counted = n_rearrangements and isfinite(pvalue)
    return max(1, round(Fraction(pvalue) * n_rearrangements)) if counted else 0


def with_interval(tables: list[Table], record: Any) -> list[Table]:
    """Tables whose first has a row for the 95% interval."""
    interval = interval_of(record)
    if interval is None:
        return tables
    rows = [*tables[0].rows, ["95% interval", f"{shown(interval.low)} to {shown(interval.high)}"]]
    return [Table(tables[0].header, rows, limit=len(rows)), *tables[1:]]
