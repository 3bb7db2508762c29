"""The tables of a report, read back from what it shows."""

from __future__ import annotations

import re


def columns_in_markdown(text):
    """The cells of the table of scores by column, without the head."""
    (block,) = [block for block in text.split("\n\n") if block.startswith("| model |")]
    return list(zip(*map(cells_in_markdown, block.splitlines()[2:]), strict=True))


def pairs_in_markdown(text):
    """The lines of the table of pairs, without its head."""
    (block,) = [block for block in text.split("\n\n") if block.startswith("| metric")]
    return block.splitlines()[2:]


def cells_in_markdown(line):
    """The cells of a line of a table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip("|"))]


def columns_in_latex(text):
    """The cells of all panels of the table of scores by column, without the heads."""
    columns = []
    for panel in text.split(r"\end{table}")[0].split(r"\midrule")[1:]:
        lines = panel.split(r"\bottomrule")[0].strip().splitlines()
        cells = [re.split(r"(?<!\\) & ", line.removesuffix(r" \\")) for line in lines]
        columns += list(zip(*cells, strict=True))[1:] if columns else list(zip(*cells, strict=True))
    return columns


def pairs_in_latex(text):
    """The lines of the table of pairs, without its head."""
    return text.split("$p$ adj. \\\\\n\\midrule\n")[1].split("\n\\bottomrule")[0].splitlines()
