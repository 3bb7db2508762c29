"""Whether a family of comparisons could have a significant difference at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from skcompare._core.warnings import Code
from skcompare.comparison.table import ALPHA, ComparisonRow, adjusted

_TINY = 1e-12  # a p-value from which it is read what a family leaves of the level where all p-values are equal


def least_pvalue(record: Any) -> float:
    """The smallest p-value that a test could give on what it had; 0 where there is no bound."""
    if record.warnings and any(warning.code == Code.CANNOT_REJECT.name for warning in record.warnings):
        return 1.0
    least = record._least() if hasattr(record, "_least") else None
    return 0.0 if least is None else float(least.pvalue)


def with_least(rows: Sequence[ComparisonRow], correction: str) -> list[ComparisonRow]:
    """The rows, with CANNOT_REJECT where only the family keeps the smallest adjusted p-value from being significant."""
    known = [i for i, row in enumerate(rows) if row.record is not None and row.pvalue == row.pvalue]
    least = [least_pvalue(rows[i].record) for i in known]
    if len(known) < 2 or not any(least):
        return list(rows)
    level, found = ALPHA * _TINY / adjusted([_TINY] * len(known), correction)[0][0], list(rows)
    for i, alone, together in zip(known, least, adjusted(least, correction)[0], strict=True):
        if alone < ALPHA <= together:
            said = rows[i].record._least().warnings(level, len(known))
            found[i] = replace(rows[i], warnings=(*rows[i].warnings, *said))
    return found
