"""The verdict in sentences that need no statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skcompare.reporting._words import joint_heading, joint_lines, listed, plain

MAX_NAMED = 6
MAX_METRICS = 3


def sentences(summary: Mapping[str, Any]) -> list[str]:
    """What can be claimed of a result or a study: first on the metrics one by one, last on all of them together."""
    summary = plain(summary)
    two = len(summary["estimators"]) == 2
    single = [_pair(summary["rows"], *summary["estimators"])] if two else _leaders(summary)
    joint = joint_lines(summary) if two else []
    return [*single, *(f"{joint_heading(summary)}: {line}." for line in joint)]


def _pair(rows: Sequence[Mapping[str, Any]], a: str, b: str) -> str:
    """Two models on all metrics."""
    undecided = [row["metric"] for row in rows if row["verdict"] == "undecided"]
    open_ = [row["metric"] for row in rows if row["verdict"] == "no difference shown"]
    parts = []
    for winner, loser in ((a, b), (b, a)):
        won = [row["metric"] for row in rows if row["verdict"] == f"{winner} better"]
        if won:
            parts.append(f"{winner} is better than {loser} on {_named(won)}")
    if open_:
        where = f"on {_named(open_)}" if parts or len(rows) == 1 else f"on any of {len(rows)} metrics"
        if undecided and not parts:
            where = f"on {_named(open_)}"
        parts.append(f"no difference between {a} and {b} was shown {where}")
    if undecided:
        parts.append(f"nothing can be said of {_named(undecided)}")
    return _sentence("; ".join(parts))


def _leaders(summary: Mapping[str, Any]) -> list[str]:
    """For each of the first metrics its best model, and which others are told apart from it."""
    best = _best(summary)
    lines = [_leader(summary["rows"], metric, name) for metric, name in list(best.items())[:MAX_METRICS]]
    n_found = sum(row["verdict"].endswith(" better") for row in summary["rows"])
    shown = f"in {n_found}" if n_found else "in none"
    return [*lines, f"A difference was shown {shown} of {len(summary['rows'])} comparisons of two models."]


def _best(summary: Mapping[str, Any]) -> dict[str, str]:
    """The leading model by metric: of a study by mean rank, of a result by mean score."""
    if "rankings" in summary:
        return {ranking["metric"]: ranking["models"][0]["name"] for ranking in summary["rankings"]}
    found = {}
    for metric in summary["metrics"]:
        scored = [
            (mean if metric["greater_is_better"] else -mean, name)
            for mean, name in zip(metric["means"], summary["estimators"], strict=True)
            if mean == mean
        ]
        if scored:
            found[metric["name"]] = max(scored, key=lambda pair: pair[0])[1]
    return found


def _leader(rows: Sequence[Mapping[str, Any]], metric: str, best: str) -> str:
    mine = [row for row in rows if row["metric"] == metric and best in (row["a"], row["b"])]
    others = {row["b"] if row["a"] == best else row["a"]: row["verdict"] for row in mine}
    beaten = [name for name, verdict in others.items() if verdict == f"{best} better"]
    rest = [name for name, verdict in others.items() if verdict == "no difference shown"]
    if not rest and len(beaten) == len(others):
        return _sentence(f"On {metric}, {best} is better than all {len(others)} other models")
    parts = [f"{best} leads"]
    parts += [f"is better than {_named(beaten, 'others')}"] if beaten else []
    parts += [f"is not told apart from {_named(rest, 'others')}"] if rest else []
    return _sentence(f"On {metric}, {listed(parts)}")


def _named(names: Sequence[str], what: str = "metrics") -> str:
    return listed(names) if len(names) <= MAX_NAMED else f"{len(names)} {what}"


def _sentence(text: str) -> str:
    return f"{text[0].upper() if text.startswith(('no ', 'nothing ')) else text[0]}{text[1:]}." if text else ""
