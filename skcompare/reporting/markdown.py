"""The comparison as a Markdown table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare.reporting._words import joint_heading, joint_lines, numbers, plain, pvalue, setting


def render(summary: Mapping[str, Any]) -> str:
    """A table with one row per metric and pair, the joint verdicts, and the doubts as a list."""
    summary = plain(summary)
    header = ["metric", "a", "b", "mean a", "mean b", "a - b", "95% interval", "p", "p adj.", "verdict"]
    lines = [_row(header), _row(["---"] * 3 + ["---:"] * 6 + ["---"])]
    for row in summary["rows"]:
        cells = [
            escape(row["metric"]),
            escape(row["a"]),
            escape(row["b"]),
            *numbers(row).values(),
            escape(pvalue(row["pvalue"])),
            escape(pvalue(row["pvalue_adjusted"])),
            escape(row["verdict"]),
        ]
        lines.append(_row(cells))
    heading = joint_heading(summary)
    notes = [f"{heading}: {line}." for line in joint_lines(summary)]
    notes.append(
        f"{setting(summary)}; {summary['procedure']}; p adj.: "
        f"{summary['correction']} over {summary['n_hypotheses']} comparisons."
    )
    notes.extend(summary["warnings"])
    return "\n".join([*lines, "", *(f"- {escape(note)}" for note in notes)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escape(text: str) -> str:
    """Text that Markdown shows as it is; a model's name cannot become markup."""
    return "".join(f"\\{char}" if char in "\\`*_[]<>|~#$" else "&amp;" if char == "&" else char for char in text)
