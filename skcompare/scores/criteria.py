"""Metrics that no prediction is scored by: numbers that were given, and counts in units of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skcompare._core.warnings import Code, CodedWarning


def is_judged(provenance: Mapping[str, Any], metric: Any) -> bool:
    """Whether the user gave a number for every model, so that nothing was measured that a test could be about."""
    return metric in provenance.get("judged", ())


def units(provenance: Mapping[str, Any], metric: str) -> Mapping[str, str]:
    """What a complexity counts, by model; empty of other metrics."""
    found = provenance.get("units", {}).get(metric, {})
    return found if isinstance(found, Mapping) else {}


def criterion_warnings(
    provenance: Mapping[str, Any], metric: str, names: Sequence[str] = ()
) -> tuple[CodedWarning, ...]:
    """That a metric was given, or that the complexities of some models are in different units."""
    if is_judged(provenance, metric):
        return (Code.JUDGED(f"{metric} was given for each model, not measured: no test is about it.", (metric,)),)
    of_model = units(provenance, metric)
    known = {name: of_model[name] for name in names if name in of_model}
    if len({*known.values()}) < 2:
        return ()
    told = ", ".join(f"{unit} of {name}" for name, unit in known.items())
    return (Code.DIFFERENT_UNITS(f"{metric} is not in one unit: {told}.", (metric, *known)),)
