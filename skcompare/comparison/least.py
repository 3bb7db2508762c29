"""Whether a family of comparisons could have a significant difference at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

from skcompare._core.warnings import Code
from skcompare.comparison.table import ALPHA, ComparisonRow, adjusted
from skcompare.inference._fewest import RESAMPLE, Least


def least_pvalue(record: Any) -> float:
    """The smallest p-value that a test could give on what it had; 0 where there is no bound."""
    if record.warnings and any(warning.code == Code.CANNOT_REJECT.name for warning in record.warnings):
        return 1.0
    least = record._least() if hasattr(record, "_least") else None
    return 0.0 if least is None else float(least.pvalue)


def with_least(rows: Sequence[ComparisonRow], correction: str) -> list[ComparisonRow]:
    """The rows, with CANNOT_REJECT where the family keeps the smallest adjusted p-value from being significant.

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
        return with_cases(n, resamples)[place] < ALPHA

    found = list(rows)
    for place, (i, one) in enumerate(zip(known, family, strict=True)):
        if isinstance(one, Least) and not enough(0, place, resamples=False):
            said = one.cannot(partial(enough, place=place, resamples=one.what == RESAMPLE), len(known))
            others = (warning for warning in rows[i].warnings if warning.code != said.code)
            found[i] = replace(rows[i], warnings=(*others, said))
    return found


def _in_family(record: Any) -> Least | float:
    """What a test could give on other cases, where their number sets a bound, else the smallest p-value on any."""
    least = record._least() if hasattr(record, "_least") else None
    nothing = any(one.code in (Code.NO_DISCORDANT.name, Code.NO_DIFFERENCE.name) for one in record.warnings)
    return float(nothing) if least is None else least


def _at(one: Least | float, n: int, resamples: bool) -> float:
    if not isinstance(one, Least):
        return one
    return one.pvalue if n <= one.n or resamples != (one.what == RESAMPLE) else min(1.0, one.at(n))
