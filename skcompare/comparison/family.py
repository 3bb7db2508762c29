"""Families: which comparisons share one error budget, and the interval of each, which says what its p-value says.

All rows of a family have intervals at one level, 1 - alpha / m, so that together they hold at 1 - alpha. Holm's first
step takes the same share. A row that only a later step makes significant has its interval cut off at the difference
under the null hypothesis, which is then no part of it. A row that is not significant though its interval leaves that
difference out, as where the p-value comes from another method, has its interval drawn out to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from skcompare._core.names import choose_metric
from skcompare._core.warnings import Code
from skcompare.comparison.spread import does_not_vary
from skcompare.comparison.table import ComparisonRow, adjusted
from skcompare.inference._multiplicity import RESAMPLE, Least

FIRST, SECONDARY, ALL, ASKED = "first", "secondary", "all", "asked"


def level_within(n: int, alpha: float, correction: str) -> float:
    """The confidence level of each interval of a family of `n` comparisons."""
    share = float(max(n, 1))
    if correction == "none":
        share = 1.0
    elif correction == "fdr_by":  # whose first step is smaller
        share *= float(np.sum(1 / np.arange(1, max(n, 1) + 1)))
    return 1 - alpha / share


def families_of(
    metrics: Sequence[str], primary: str | None, family: str, testable: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """The metrics of each family by its name; the first of them is about `primary`, or the first that is testable."""
    if family in (ALL, ASKED):
        return {ALL: tuple(metrics)}
    first = next(iter(testable), metrics[0]) if primary is None else choose_metric(primary, tuple(metrics), "primary")
    others = tuple(name for name in metrics if name != first)
    return {FIRST: (first,), **({SECONDARY: others} if others else {})}


def agreeing(low: float, high: float, *, null: float, significant: bool, above: bool) -> tuple[float, float, bool]:
    """An interval that leaves out the null where a difference is significant and nowhere else, and if it is cut there.

    `above` says whether the significant difference is greater than the null.
    """
    if low != low or high != high:
        return np.nan, np.nan, False
    holds = low <= null <= high
    if holds == (not significant):
        return low, high, False
    if not significant:
        return min(low, null), max(high, null), False
    low, high = (null, high) if above else (low, null)
    return (low, high, True) if low < high else (np.nan, np.nan, False)


def limits_of(record: Any, level: float) -> tuple[float, float]:
    """The ends of the interval of a record at a level; nan where it has none."""
    if not hasattr(record, "confidence_interval") or does_not_vary(record.warnings):
        return float("nan"), float("nan")
    interval = record.confidence_interval(level)
    return float(interval.low), float(interval.high)


# Whether a family of comparisons could have a significant difference at all.


def least_pvalue(record: Any) -> float:
    """The smallest p-value that a test could give on what it had; 0 where there is no bound."""
    if record.warnings and any(warning.code == Code.CANNOT_REJECT.name for warning in record.warnings):
        return 1.0
    least = record._least() if hasattr(record, "_least") else None
    return 0.0 if least is None else float(least.pvalue)


def with_least(rows: Sequence[ComparisonRow], correction: str, alpha: float) -> list[ComparisonRow]:
    """The rows of a family, with CANNOT_REJECT where it keeps the smallest adjusted p-value from being significant.

    The number that it names is the first with which, in all comparisons that have fewer, it would be.
    """
    known = [i for i, row in enumerate(rows) if row.record is not None and row.pvalue == row.pvalue]
    family = [_in_family(rows[i].record) for i in known]
    if len(known) < 2 or not any(isinstance(one, Least) for one in family):
        return list(rows)

    @cache
    def with_cases(n: int, resamples: bool) -> list[float]:
        """The smallest adjusted p-values where each has so many cases, or resamples, at least."""
        return adjusted([_at(one, n, resamples) for one in family], correction)[0]

    def enough(n: int, place: int, resamples: bool) -> bool:
        return with_cases(n, resamples)[place] < alpha

    found = list(rows)
    for place, (i, one) in enumerate(zip(known, family, strict=True)):
        if isinstance(one, Least) and not enough(0, place, resamples=False):
            said = one.cannot(partial(enough, place=place, resamples=one.what == RESAMPLE), len(known), alpha)
            others = (warning for warning in rows[i].warnings if warning.code != said.code)
            found[i] = replace(rows[i], warnings=(*others, said))
    return found


def _in_family(record: Any) -> Least | float:
    """What a test could give on other cases, where their number sets a bound, else the smallest p-value on any."""
    least = record._least() if hasattr(record, "_least") else None
    nothing = any(one.code in (Code.NO_DIFFERENCE.name, Code.NO_DIFFERENCE.name) for one in record.warnings)
    return float(nothing) if least is None else least


def _at(one: Least | float, n: int, resamples: bool) -> float:
    if not isinstance(one, Least):
        return one
    return one.pvalue if n <= one.n or resamples != (one.what == RESAMPLE) else min(1.0, one.at(n))
