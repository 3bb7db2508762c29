"""The comparison as a LaTeX table for the booktabs package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare.reporting._words import joint_heading, joint_lines, numbers, plain, pvalue, setting

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",  # after a line break it would open an argument
    "]": "{]}",
    "*": "{*}",  # after a line break it would belong to it
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def render(summary: Mapping[str, Any]) -> str:
    """A ``table`` environment: one row per metric and pair, differences that hold at the 5% level in bold; below it
    the joint verdicts and the doubts."""
    summary = plain(summary)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_caption(summary)}}}",
        r"\begin{tabular}{lllrrrrrr}",
        r"\toprule",
        r"metric & $a$ & $b$ & mean $a$ & mean $b$ & $a - b$ & 95\% interval & $p$ & $p$ adj. \\",
        r"\midrule",
    ]
    for row in summary["rows"]:
        shown = {name: f"${text}$" for name, text in numbers(row).items()}
        if row["pvalue_adjusted"] < summary["alpha"]:
            shown["estimate"] = rf"$\mathbf{{{shown['estimate'].strip('$')}}}$"
        cells = [
            *(escape(row[name]) for name in ("metric", "a", "b")),
            *shown.values(),
            f"${pvalue(row['pvalue'])}$",
            f"${pvalue(row['pvalue_adjusted'])}$",
        ]
        lines.append(" & ".join(cells) + r" \\")
    heading = joint_heading(summary)
    notes = [f"{heading}: {line}." for line in joint_lines(summary)]
    notes += summary["warnings"]
    small = [rf"\par\footnotesize {escape(note)}" for note in notes]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", *small, r"\end{table}"])


def _caption(summary: Mapping[str, Any]) -> str:
    return escape(
        f"{setting(summary)}; {summary['procedure']}; p adj.: {summary['correction']} "
        f"over {summary['n_hypotheses']} comparisons, differences in bold where it is below {summary['alpha']}."
    )


def escape(text: str) -> str:
    """Text that LaTeX prints as it is; a model's name cannot become a command."""
    return "".join(_ESCAPES.get(char, char) for char in text)
