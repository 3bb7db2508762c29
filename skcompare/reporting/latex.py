"""Scores and comparisons as LaTeX tables for the booktabs package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

from skcompare.reporting._words import (
    is_study,
    joint_heading,
    joint_lines,
    numbers,
    pairs_legend,
    plain,
    pvalue,
    rope_shares,
)
from skcompare.reporting.scores_table import Cell, Column, legend, score_columns

MAX_PAIR_ROWS = 45
# Metrics that fit beside each other on a page.
_PANEL = 3
_MARK = r"$^{\dagger}$"
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
    """The table of scores; then that of all pairs, or how to get it; the joint verdicts and the doubts below it."""
    summary = plain(summary)
    columns = score_columns(summary)
    caption = escape(legend(summary, columns, "†")).replace("†", _MARK).replace("±", r"$\pm$")
    scores = _panels(columns, summary["estimators"])
    heading = joint_heading(summary)
    notes = [f"{heading}: {line}." for line in joint_lines(summary)] + summary["warnings"]
    small = [rf"\par\smallskip\footnotesize {escape(note)}" for note in notes]
    n_rows = len(summary["rows"])
    if n_rows > MAX_PAIR_ROWS:
        what = "study" if is_study(summary) else "result"
        where = rf"\texttt{{{what}.compare().to\_latex()}}"
        note = rf"\par\smallskip\footnotesize The {n_rows} comparisons of two models: {where}."
        return _table(caption, [*scores, note, *small])
    pairs = [r"\footnotesize", *_pairs(summary), *small]
    return f"{_table(caption, scores)}\n\n{_table(_pairs_caption(summary), pairs)}"


def render_comparison(comparison: Mapping[str, Any]) -> str:
    """One row per metric and pair; a ``longtable`` where they are too many for a page."""
    comparison = plain(comparison)
    caption = _pairs_caption(comparison)
    if len(comparison["rows"]) <= MAX_PAIR_ROWS:
        return _table(caption, [r"\footnotesize", *_pairs(comparison)])
    opening, _, header, _, *body, _, _ = _pairs(comparison)
    return "\n".join(
        [
            r"{\footnotesize",
            opening.replace("tabular", "longtable"),
            rf"\caption{{{caption}}} \\",
            *(r"\toprule", header, r"\midrule", r"\endhead", r"\bottomrule", r"\endfoot"),
            *body,
            r"\end{longtable}}",
        ]
    )


def _table(caption: str, content: Sequence[str]) -> str:
    top = [r"\begin{table}", r"\centering", rf"\caption{{{caption}}}", r"\par\medskip"]
    return "\n".join([*top, *content, r"\end{table}"])


def _panels(columns: Sequence[Column], models: Sequence[str]) -> list[str]:
    """The scores, a few metrics beside each other and the others below them."""
    metrics = list(dict.fromkeys(column.metric for column in columns))
    n_panels = ceil(len(metrics) / _PANEL)
    lines: list[str] = []
    for panel in range(n_panels):
        shown = metrics[panel * len(metrics) // n_panels : (panel + 1) * len(metrics) // n_panels]
        lines += [r"\par\medskip"] if lines else []
        lines += _panel([column for column in columns if column.metric in shown], models, shown)
    return lines


def _panel(columns: Sequence[Column], models: Sequence[str], metrics: Sequence[str]) -> list[str]:
    each = len(columns) // len(metrics)
    header = " & ".join(["model", *(rf"\multicolumn{{{each}}}{{r}}{{{escape(metric)}}}" for metric in metrics)])
    second = [" & ".join(["", *(column.what.removeprefix("mean ") for column in columns)]) + r" \\"] if each > 1 else []
    rows = [
        " & ".join([escape(model), *(_cell(column.cells[i]) for column in columns)]) + r" \\"
        for i, model in enumerate(models)
    ]
    top = [rf"\begin{{tabular}}{{l{'r' * len(columns)}}}", r"\toprule", header + r" \\", *second, r"\midrule"]
    return [*top, *rows, r"\bottomrule", r"\end{tabular}"]


def _cell(cell: Cell) -> str:
    """The mark takes no room, so that the digits stay below each other."""
    text = rf"\mathbf{{{cell.text}}}" if cell.best else cell.text
    spread = rf" \pm {cell.spread}" if cell.spread else ""
    return f"${text}{spread}$" + (rf"\rlap{{{_MARK}}}" if cell.marked else "")


def _pairs(comparison: Mapping[str, Any]) -> list[str]:
    """The ``tabular`` of all pairs; differences that hold are bold."""
    rope = any(row["rope"] is not None for row in comparison["rows"])
    header = r"metric & $a$ & $b$ & mean $a$ & mean $b$ & $a - b$ & 95\% interval & $p$ & $p$ adj."
    header += r" & $P(b)$ & $P(\mathrm{equal})$ & $P(a)$" if rope else ""
    lines = [
        rf"\begin{{tabular}}{{lllrrrrrr{'rrr' if rope else ''}}}",
        r"\toprule",
        header + r" \\",
        r"\midrule",
    ]
    for row in comparison["rows"]:
        shown = {name: "$" + text.replace("inf", r"\infty") + "$" for name, text in numbers(row).items()}
        if row["pvalue_adjusted"] < comparison["alpha"]:
            shown["estimate"] = rf"$\mathbf{{{shown['estimate'].strip('$')}}}$"
        cells = [
            *(escape(row[name]) for name in ("metric", "a", "b")),
            *shown.values(),
            f"${pvalue(row['pvalue'])}$",
            f"${pvalue(row['pvalue_adjusted'])}$",
            *(map(escape, rope_shares(row)) if rope else ()),
        ]
        lines.append(" & ".join(cells) + r" \\")
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _pairs_caption(comparison: Mapping[str, Any]) -> str:
    sign = "$a - b$ is positive where $a$ is"
    return escape(pairs_legend(comparison, "in bold")).replace("a - b is positive where a is", sign)


def escape(text: str) -> str:
    """Text that LaTeX prints as it is; a model's name cannot become a command."""
    return "".join(_ESCAPES.get(char, char) for char in text)
