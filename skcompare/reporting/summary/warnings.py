"""The warnings of all rows, each once, with where it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from skcompare.comparison.dominance_table import DominanceRow
from skcompare.comparison.table import ComparisonRow

MAX_ALIKE = 4


def located_warnings(
    rows: Sequence[ComparisonRow], joint: Sequence[DominanceRow], known: Sequence[str] = ()
) -> list[str]:
    """The warnings of all rows that are not `known`, each once.

    Those that do not hold everywhere and name no model say where they hold.
    """
    found: dict[str, list[str]] = {warning: [] for warning in known}
    several = len({(row.a, row.b) for row in rows}) > 1
    for row in rows:
        for warning in row.warnings:
            named = repr(row.a) in warning or repr(row.b) in warning
            where = f"{row.metric} of {row.a} and {row.b}" if several else row.metric
            found.setdefault(warning, []).extend([] if named else [where])
    located = [
        _located(warning, places if len(places) < len(rows) else [])
        for warning, places in found.items()
        if warning not in known
    ]
    together: dict[str, list[str]] = {}
    for pair in joint:
        for warning in pair.warnings:
            if warning not in found:
                together.setdefault(warning, []).append(f"{pair.a} and {pair.b}")
    for warning, pairs in together.items():
        which = f"{_few(pairs)} on " if len(pairs) < len(joint) else ""
        located.append(_located(warning, [f"{which}all metrics together"]))
    return located


def first_of_each_kind(warnings: Sequence[str]) -> list[str]:
    """The first few warnings of each kind, and how many more there are."""
    kept: list[str] = []
    more: Counter[str] = Counter()
    for warning in warnings:
        code = warning.split(":")[0].split(" (")[0]
        if sum(other.startswith(code) for other in kept) < MAX_ALIKE:
            kept.append(warning)
        else:
            more[code] += 1
    return [*kept, *(f"{code}: {n} more like this are in the warnings of the records." for code, n in more.items())]


def _located(warning: str, places: Sequence[str]) -> str:
    """``CODE (where): sentence``."""
    return warning.replace(":", f" ({_few(places)}):", 1) if places else warning


def _few(places: Sequence[str]) -> str:
    return places[0] if len(places) == 1 else f"{places[0]}, and {len(places) - 1} more"
