"""What the records of one kind have in common: how they say in words what they found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from skcompare._core.html import Table
from skcompare._core.record import Record, shown
from skcompare.inference._interval import HasInterval

ALPHA = 0.05
MAX_NAMED = 6


class DifferenceTest(Record):
    """A test of the difference ``a - b``; positive favours `a`."""

    __slots__ = ()
    _CLAIMS: Mapping[str, str] = {"greater": "a is better", "less": "b is better"}
    estimate: float
    pvalue: float
    alternative: str

    def _tables(self) -> list[Table]:
        return with_interval(super()._tables(), self)

    def _sentence(self) -> str:
        side = self.alternative
        if side == "two-sided" and self.estimate != 0:
            side = "greater" if self.estimate > 0 else "less"
        claim = self._CLAIMS.get(side, "the two differ")
        open_ = "no difference shown" if self.alternative == "two-sided" else f"not shown that {claim}"
        return f"a - b is {self.estimate:+.3g}{interval_in_words(self)}: {decided(self.pvalue, claim, open_)}."


class MetricTest(DifferenceTest):
    """A test of the difference of a metric that may be a loss."""

    __slots__ = ()
    _CLAIMS = {"greater": "the metric of a is larger", "less": "the metric of b is larger"}  # noqa: RUF012


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
        sides = {"greater": "exceeds", "less": "is below"}
        claim = f"it {sides.get(self.alternative, 'differs from')} {self.threshold:.3g}"
        found = decided(self.pvalue, claim, f"not shown that {claim}")
        return f"The error rate is {self.estimate:.3g}{interval_in_words(self)}: {found}."


class OmnibusTest(Record):
    """A test that several models do equally well."""

    __slots__ = ()
    pvalue: float

    def _sentence(self) -> str:
        return f"{decided(self.pvalue, 'The models differ', 'No difference between the models shown')}."


class Posterior(Record):
    """Probabilities that `b` is better, that the two are equivalent, that `a` is better."""

    __slots__ = ()
    left: float
    rope: float
    right: float

    def _sentence(self) -> str:
        shares = {"a better": self.right, "equivalent": self.rope, "b better": self.left}
        return ", ".join(f"P({what}) {equals(share)}" for what, share in shares.items()) + "."


def decided(pvalue: float, claim: str, otherwise: str) -> str:
    """What a p-value says of a claim at 5%."""
    if pvalue != pvalue:
        return "undecided"
    return f"{claim if pvalue < ALPHA else otherwise} at {ALPHA:.0%} ({p_in_words(pvalue)})"


def p_in_words(pvalue: float) -> str:
    """``p = 0.012``."""
    return "p < 0.001" if pvalue < 0.001 else f"p = {pvalue:.2g}"


def equals(share: float) -> str:
    """A probability with two decimals, without claiming a certainty that is not there."""
    if 0.995 <= share < 1:
        return "> 0.99"
    return "< 0.01" if 0 < share < 0.005 else f"= {share:.2f}"


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
    return "" if interval is None else f" (95% interval {interval.low:.3g} to {interval.high:.3g})"


def with_interval(tables: list[Table], record: Any) -> list[Table]:
    """Tables whose first has a row for the 95% interval."""
    interval = interval_of(record)
    if interval is None:
        return tables
    row = ["95% interval", f"{shown(interval.low)} to {shown(interval.high)}"]
    rows = [*tables[0].rows, row]
    return [Table(tables[0].header, rows, limit=len(rows)), *tables[1:]]


def statement_in_words(statement: Sequence[bool], metrics: Sequence[str]) -> str:
    """Who is better on what."""
    if all(statement) or not any(statement):
        where = listed(metrics) if len(metrics) <= 2 else f"all {len(metrics)} metrics"
        return f"{'a' if all(statement) else 'b'} better on {where}"
    sides = [
        f"{name} better on {listed([metric for metric, bit in zip(metrics, statement, strict=True) if bit == wins])}"
        for name, wins in (("a", True), ("b", False))
    ]
    return ", ".join(sides)


def listed(names: Sequence[str]) -> str:
    """``x, y and z``; of many names the first and how many more there are."""
    if not names:
        return "none"
    if len(names) > MAX_NAMED:
        return f"{', '.join(names[:MAX_NAMED])} and {len(names) - MAX_NAMED} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
