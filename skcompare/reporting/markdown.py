"""The comparison as a Markdown table."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from skcompare.reporting._words import joint_heading, joint_lines, numbers, plain, pvalue, setting

_BLOCK_START = re.compile(r"^(\d*)([-+.)])(?=[\s-]|$)")


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
    return "\n".join([*lines, "", *(f"- {_item(note)}" for note in notes)])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _item(text: str) -> str:
    """A note that cannot open a list, a heading or a rule of its own."""
    return _BLOCK_START.sub(r"\1\\\2", escape(text))


def escape(text: str) -> str:
    """Text that Markdown shows as it is; a model's name cannot become markup."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]<>|~#$" else "&amp;" if char == "&" else char for char in text)
    # what GitHub would make a link of
    return escaped.replace("://", "\\://").replace("www.", "www\\.").replace("@", "\\@")
