"""Words and numbers that the reports share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def number(value: float, *, signed: bool = False) -> str:
    """Four significant digits at least, no exponent between 1e-4 and 1e6."""
    if value != value:
        return "n/a"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    size = abs(value)
    if size == 0:
        return "0"
    form = "+" if signed else ""
    if size >= 1e6 or size < 1e-4:
        return f"{value:{form}.3g}"
    return f"{value:{form}.{4 if size < 10 else 2 if size < 1000 else 0}f}"


def pvalue(value: float) -> str:
    """Three decimals, or a bound below 0.001."""
    if value != value:
        return "n/a"
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def percent(probability: float) -> str:
    """A probability in whole percent, without claiming certainty."""
    if probability > 0.995:
        return "more than 99%"
    return "less than 1%" if probability < 0.005 else f"{100 * probability:.0f}%"


def statement(bits: Sequence[bool], metrics: Sequence[str]) -> str:
    """A dominance statement as people read it: ``accuracy > · recall <``."""
    return " · ".join(f"{metric} {'>' if bit else '<'}" for bit, metric in zip(bits, metrics, strict=True))


def pattern(bits: Sequence[bool], metrics: Sequence[str], a: str, b: str) -> str:
    """The same in words: who is better on what."""
    if all(bits) or not any(bits):
        winner = a if all(bits) else b
        return f"{winner} better on {'both metrics' if len(bits) == 2 else f'all {len(bits)} metrics'}"
    parts = []
    for name, wins in ((a, True), (b, False)):
        parts.append(f"{name} better on {listed([m for m, bit in zip(metrics, bits, strict=True) if bit == wins])}")
    return ", ".join(parts)


def listed(names: Sequence[str]) -> str:
    """``x, y and z``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def joint_verdict(joint: Mapping[str, Any], metrics: Sequence[str], alpha: float) -> str:
    """The dominance test of one pair as one sentence."""
    a, b = joint["a"], joint["b"]
    if joint["statement"] is None:
        return f"no pattern of metrics stands out between {a} and {b} (the two most frequent are tied)"
    words = pattern(joint["statement"], metrics, a, b)
    settled = "established" if joint["pvalue"] < alpha else "not established"
    return (
        f"{words}: {settled} (p = {pvalue(joint['pvalue'])}; "
        f"the most probable pattern with probability {percent(joint['probability'])})".replace("p = <", "p < ")
    )
