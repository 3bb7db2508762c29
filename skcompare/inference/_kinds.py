"""What the records of one kind have in common: how they say in words what they found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcompare._core.html import Table
from skcompare._core.record import Record, pvalue, shown
from skcompare.inference._interval import HasInterval

ALPHA = 0.05
MAX_NAMED = 6


class DifferenceTest(Record):
    """A test of the difference ``a - b``; positive favours `a`."""

    __slots__ = ()
    _BETTER = "better than"
    _WHOSE = ("a", "b")
    estimate: float
    pvalue: float
    alternative: str

    def _tables(self) -> list[Table]:
        return with_interval(super()._tables(), self)

    def _sentence(self) -> str:
        claim = compared(*self._WHOSE, self.estimate, self.pvalue, self.alternative, self._BETTER)
        return f"{claim}: a - b is {self.estimate:+.3g}{interval_in_words(self)}, {in_tail(self)}."


class MetricTest(DifferenceTest):
    """A test of the difference of a metric that may be a loss."""

    __slots__ = ()
    _BETTER = "larger than"
    _WHOSE = ("the metric of a", "the metric of b")


class RateTest(HasInterval):
    """A test of one model's error rate against a threshold."""

    __slots__ = ()
    _RANGE = (0.0, 1.0)
    estimate: float
    threshold: float
    pvalue: float

    def _tables(self) -> list[Table]:
        return with_interval(super()._tables(), self)

    def _sentence(self) -> str:
        where = {"greater": "above", "less": "below"}.get(self.alternative, "different from")
        found = f"is {significantly(self.pvalue)} {where} {self.threshold:.3g}, {p_in_words(self.pvalue)}"
        return f"The error rate {self.estimate:.3g}{interval_in_words(self)} {found}."


class OmnibusTest(Record):
    """A test that several models do equally well."""

    __slots__ = ()
    pvalue: float

    def _sentence(self) -> str:
        return f"The models are {significantly(self.pvalue)} different, {p_in_words(self.pvalue)}."


class Posterior(Record):
    """Probabilities that `b` is better, that the two are equivalent, that `a` is better."""

    __slots__ = ()
    left: float
    rope: float
    right: float

    def _sentence(self) -> str:
        return (
            f"The probability that a is better is {percent(self.right)}, that b is better {percent(self.left)}, and "
            f"that the two are practically equivalent {percent(self.rope)}."
        )


def compared(
    a: str, b: str, estimate: float, pvalue: float, alternative: str = "two-sided", better: str = "better than"
) -> str:
    """What a test says of two models; positive estimates favour the first."""
    if pvalue != pvalue:
        return capitalised(f"{a} and {b} are not comparable")
    side = alternative
    if side == "two-sided" and pvalue < ALPHA and estimate != 0:
        side = "greater" if estimate > 0 else "less"
    if side == "two-sided":
        return capitalised(f"{a} and {b} are {significantly(pvalue)} different")
    first, second = (a, b) if side == "greater" else (b, a)
    return capitalised(f"{first} is {significantly(pvalue)} {better} {second}")


def capitalised(claim: str) -> str:
    """A claim as the start of a sentence; the names of models stay as they are."""
    return f"T{claim[1:]}" if claim.startswith("the ") else claim


def significantly(pvalue: float) -> str:
    """``significantly``, or ``not significantly``, at 5%."""
    return "significantly" if pvalue < ALPHA else "not significantly"


def p_in_words(value: float) -> str:
    """``p = 0.012``, ``p < 0.001``."""
    return "p is not known" if value != value else f"p = {pvalue(value)}".replace("= <", "< ")


def in_tail(record: Any) -> str:
    """The p-value of a record, with its side where it has one."""
    return p_in_words(record.pvalue) + ("" if record.alternative == "two-sided" else " (one-sided)")


def percent(probability: float) -> str:
    """A probability in whole percent, without claiming a certainty that is not there."""
    if probability != probability:
        return "not known"
    if 0.995 < probability < 1:
        return "more than 99%"
    return "less than 1%" if 0 < probability < 0.005 else f"{probability:.0%}"


def counted(n: int, what: str) -> str:
    """A number of things."""
    return f"{n} {what}" + ("" if n == 1 else "s")


def interval_of(record: Any) -> Any:
    """The 95% interval of a record; None where it has none, or the record allows none."""
    if not hasattr(record, "confidence_interval"):
        return None
    try:
        with np.errstate(all="ignore"):
            interval = record.confidence_interval()
    except (ValueError, ArithmeticError):  # a notebook still gets the rest
        return None
    return interval if interval.low == interval.low else None


def interval_in_words(record: Any) -> str:
    """The 95% interval of a record in brackets, empty where there is none."""
    interval = interval_of(record)
    return "" if interval is None else f" (95% interval {from_to(interval.low, interval.high)})"


def from_to(low: float, high: float) -> str:
    """Both ends of an interval, or the one that it has."""
    if np.isinf(low) and np.isinf(high):
        return "without limits"
    if np.isinf(high):
        return f"from {low:.3g} up"
    return f"up to {high:.3g}" if np.isinf(low) else f"{low:.3g} to {high:.3g}"


def with_interval(tables: list[Table], record: Any) -> list[Table]:
    """Tables whose first has a row for the 95% interval."""
    interval = interval_of(record)
    if interval is None:
        return tables
    row = ["95% interval", f"{shown(interval.low)} to {shown(interval.high)}"]
    rows = [*tables[0].rows, row]
    return [Table(tables[0].header, rows, limit=len(rows)), *tables[1:]]


def listed(names: Sequence[str]) -> str:
    """``x, y and z``; of many names the first and how many more there are."""
    if not names:
        return "none"
    if len(names) > MAX_NAMED:
        return f"{', '.join(names[:MAX_NAMED])} and {len(names) - MAX_NAMED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
