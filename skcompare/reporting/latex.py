"""The comparison as a LaTeX table for the booktabs package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare.reporting._words import number, pvalue

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    **{char: f"\\{char}" for char in "&%$#_{}"},
}


def render(summary: Mapping[str, Any]) -> str:
    """A ``table`` environment: one row per metric and pair, differences that hold at the 5% level in bold."""
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
        difference = f"${number(row['estimate'], signed=True)}$"
        if row["pvalue_adjusted"] < summary["alpha"]:
            difference = rf"\textbf{{{difference}}}"
        interval = f"$[{number(row['low'], signed=True)}, {number(row['high'], signed=True)}]$"
        cells = [
            *(escape(row[name]) for name in ("metric", "a", "b")),
            number(row["mean_a"]),
            number(row["mean_b"]),
            difference,
            interval,
            f"${pvalue(row['pvalue'])}$",
            f"${pvalue(row['pvalue_adjusted'])}$",
        ]
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}"])


def _caption(summary: Mapping[str, Any]) -> str:
    return escape(
        f"{summary['n_samples']} samples, {summary['design']}; {summary['procedure']}; p adj.: {summary['correction']} "
        f"over {summary['n_hypotheses']} comparisons, differences in bold where it is below {summary['alpha']}."
    )


def escape(text: str) -> str:
    """Text that LaTeX prints as it is; a model's name cannot become a command."""
    return "".join(_ESCAPES.get(char, char) for char in " ".join(text.split()))
