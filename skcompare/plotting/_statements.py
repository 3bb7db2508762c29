"""Dominance statements, verdicts, p-values and probabilities in as few words as a picture has room for."""

from __future__ import annotations

from collections.abc import Sequence

from skcompare._core.names import choose_metrics
from skcompare.plotting._style import labels

# Statements on more metrics name the exceptions only.
SPELLED_OUT = 3
LONGEST_NAME = 16
LONGEST_METRIC = 18
_LONGEST_LIST = 26


def percent(probability: float) -> str:
    """A probability in whole percent, without claiming certainty."""
    if probability != probability:
        return "n/a"
    if probability > 0.995:
        return ">99%"
    return "<1%" if probability < 0.005 else f"{100 * probability:.0f}%"


def pvalue_text(p: float) -> str:
    """``p = 0.123`` or ``p < 0.001``."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def probability_text(p: float) -> str:
    """``= 0.123``, ``< 0.001``, ``> 0.999``; 0 and 1 only where it is exactly so."""
    if p in (0, 1):
        return f"= {p:.0f}"
    return "< 0.001" if p < 0.001 else "> 0.999" if p > 0.999 else f"= {p:.3f}"


def short_statement(statement: Sequence[bool], metrics: Sequence[str], a: str, b: str) -> str:
    """Who is better on what: metric by metric, or the better one on most and on what it is not.

    Exceptions that have no room are given by their numbers, from 1.
    """
    names = labels(metrics, longest=LONGEST_METRIC)
    a, b = labels([a, b], longest=LONGEST_NAME)
    won, lost = ([name for name, bit in zip(names, statement, strict=True) if bit == wins] for wins in (True, False))
    if len(names) <= SPELLED_OUT:
        if not won or not lost:
            where = names[0] if len(names) == 1 else "both" if len(names) == 2 else f"all {len(names)}"
            return f"{a if won else b} better on {where}"
        return f"{a} better on {', '.join(won)}, {b} on {', '.join(lost)}"
    winner = a if 2 * sum(statement) >= len(names) else b
    exceptions = [i for i, better in enumerate(statement) if better != (winner == a)]
    if not exceptions:
        return f"{winner} better on all {len(names)}"
    listed = ", ".join(names[i] for i in exceptions)
    if len(listed) > _LONGEST_LIST:
        listed = f"nos. {', '.join(str(i + 1) for i in exceptions)}"
    return f"{winner} better on all but {listed}"


def verdict(
    statement: Sequence[bool] | None, metrics: Sequence[str], a: str, b: str, *, pvalue: float, cases: str
) -> str:
    """The likelihood-ratio test of one pair in a line."""
    said = "no statement stands out" if statement is None else short_statement(statement, metrics, a, b)
    pair = "{} against {}".format(*labels([a, b], longest=LONGEST_NAME))
    return f"{pair}: {said} (likelihood-ratio test of this pair alone: {pvalue_text(pvalue)}, {cases})"


def two_metrics(metrics: Sequence[str] | None, known: tuple[str, ...]) -> tuple[str, str]:
    """The two metrics of a plane, the first two by default, or ValueError."""
    names = choose_metrics(metrics, known)
    chosen = names[:2] if metrics is None else names
    if len(chosen) != 2:
        raise ValueError(f"metrics must name exactly two metrics; got {', '.join(map(repr, chosen))}")
    return chosen[0], chosen[1]
