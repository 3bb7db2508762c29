"""How many data sets a procedure on a table of scores needs for any p-value below 0.05."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from math import log2
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np

from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code
from skcompare._core.words import counted
from skcompare.inference._kinds import ALPHA

P = ParamSpec("P")
T = TypeVar("T")
_NOT_OPTIONS = ("scores", "names", "control", "greater_is_better")


def says_what_it_needs(function: Callable[P, T]) -> Callable[P, T]:
    """The same procedure, whose record has CANNOT_REJECT where no scores on so many data sets could give p < 0.05.

    The smallest p-value is its own on tables in which the data sets agree on the order of the models, all or all but
    one.
    """

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        record: Any = function(*args, **kwargs)
        k = len(record.names) + ("control" in kwargs)
        equal = any(warning.code == Code.NO_DIFFERENCE.name for warning in record.warnings)
        if equal or not 1 < record.n < 8 + 2 * log2(k) or _least(record) < ALPHA:
            return cast(T, record)
        options = {name: value for name, value in kwargs.items() if name not in _NOT_OPTIONS}
        options |= {"control": 0} if "control" in kwargs else {}
        needed = _needed(function, record.n, k, tuple(sorted(options.items())))
        if needed == record.n:
            return cast(T, record)
        case = "split" if options.get("test_fraction") else "data set"
        few = f"{function.__name__} on {counted(record.n, case)} cannot give p < {ALPHA}, even if all agree"
        more = f"; {needed} can" if needed and case == "data set" else ""
        return cast(T, replace(record, warnings=(*record.warnings, Code.CANNOT_REJECT(f"{few}{more}."))))

    return asked


@lru_cache(maxsize=256)
def _needed(function: Callable[..., Any], n: int, k: int, options: tuple[tuple[str, Any], ...]) -> int:
    """The smallest number of data sets from `n` on with which some p-value can be below 0.05; 0 where none is found."""
    for more in range(n, 30 + 2 * k.bit_length()):
        if min(_least(function(table, **dict(options))) for table in _agreeing(more, k)) < ALPHA:
            return more
    return 0


def _agreeing(n: int, k: int) -> list[FloatArray]:
    """Tables without ties: all data sets agree; on the first one the two best, or the two worst, are exchanged."""
    table = np.arange(k) * 10.0 + np.linspace(0, 0.5, n)[:, None] + np.outer(np.arange(n), np.arange(k) ** 2) / 1000
    best, worst = table.copy(), table.copy()
    best[0, [-1, -2]], worst[0, [0, 1]] = best[0, [-2, -1]], worst[0, [1, 0]]
    return [table, best, worst] if k > 2 else [table]


def _least(record: Any) -> float:
    """The smallest p-value of an omnibus test, or of pairs."""
    pvalues = np.asarray(record.pvalue if hasattr(record, "pvalue") else record.pvalues, dtype=np.float64)
    return float(np.nanmin(pvalues, initial=1.0))
