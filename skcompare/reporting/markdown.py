"""Scores and comparisons as Markdown tables."""

from __future__ import annotations

import re
from collections.abc import Sequence

from skcompare._core.html import is_name
from skcompare._core.numbers import pvalue
from skcompare.comparison.table import ComparisonTable
from skcompare.reporting import words
from skcompare.reporting.answer import compared_with, could_have_shown, models, n_comparisons, sentences
from skcompare.reporting.error_rate import calibrated_on, error_rate
from skcompare.reporting.scores_table import WORSE, Cell, Column, legend, score_columns
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary

MAX_PAIR_ROWS = 45
_MARKS = {WORSE: "†"}
_BLOCK_START = re.compile(r"^(\d*)([-+.)])(?=[\s-]|$)")


def markdown_report(summary: ComparedSummary) -> str:
    """The tables of scores and of all pairs, each with its legend; the joint verdicts and the warnings as a list."""
    said, summary = sentences(summary), words.printable(summary)
    columns = score_columns(summary)
    blocks = [*map(item, said), _scores(columns, models(summary)), item(legend(summary, columns, _MARKS))]
    n_rows = len(summary.rows)
    if n_rows > MAX_PAIR_ROWS:
        what = "study" if isinstance(summary, StudySummary) else "result"
        blocks.append(f"The {n_comparisons(summary)} comparisons of two models: `{what}.compare().to_markdown()`.")
    else:
        blocks += [_pairs(summary), item(words.pairs_legend(summary, "in bold"))]
    heading = words.joint_heading(summary)
    joint = [f"{heading}: {line}." for line in words.joint_lines(summary)]
    tested = calibrated_on(summary.calibration) if summary.calibration else error_rate(summary)
    said_of_pairs = (compared_with(summary), could_have_shown(summary), *joint)
    notes = [note for note in (*said_of_pairs, tested, *summary.warnings) if note]
    blocks += ["\n".join(f"- {item(note)}" for note in notes)] if notes else []
    return "\n\n".join(blocks)


def markdown_comparison(table: ComparisonTable) -> str:
    """One row per metric and pair, and a legend."""
    table = words.printable(table)
    return f"{_pairs(table)}\n\n{item(words.pairs_legend(table, 'in bold'))}"


def _scores(columns: Sequence[Column], models: Sequence[str]) -> str:
    several = len({column.what for column in columns}) > 1
    header = [escape(column.metric) + (f", {column.what}" if several else "") for column in columns]
    rows = [[escape(model), *(_cell(column.cells[i]) for column in columns)] for i, model in enumerate(models)]
    return "\n".join(map(row, [["model", *header], ["---", *["---:"] * len(columns)], *rows]))


def _cell(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    beside = f" ± {cell.spread}" if cell.spread else f" {escape(cell.interval)}" if cell.interval else ""
    return text + beside + _MARKS.get(cell.standing, "")


def _pairs(compared: ComparedSummary | ComparisonTable) -> str:
    """The table of all pairs; differences that hold are bold."""
    rope = any(each.rope is not None for each in compared.rows)
    shares = ["P(b better)", "P(equivalent)", "P(a better)"] if rope else []
    tests = [] if compared.sequential else ["p", "p adj."]
    header = [
        "metric",
        "a",
        "b",
        "mean a",
        "mean b",
        words.difference(compared.rows, "a - b"),
        words.interval_of(compared),
        *tests,
        *shares,
        "outcome",
    ]
    lines = [row(header), row(["---"] * 3 + ["---:"] * (len(header) - 4) + ["---"])]
    for each in compared.rows:
        shown = words.numbers(each)
        if each.outcome.significant:
            shown["estimate"] = f"**{shown['estimate']}**"
        tested = [pvalue(p, compared.alpha) for p in (each.pvalue, each.pvalue_adjusted)] if tests else []
        texts = [*tested, *(words.rope_shares(each) if rope else ()), words.verdict(each)]
        lines.append(
            row(
                [
                    *map(escape, (words.metric_of(each, compared.costs), each.a, each.b)),
                    *shown.values(),
                    *map(escape, texts),
                ]
            )
        )
    return "\n".join(lines)


def table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table of text, numbers to the right."""
    rule = ["---" if not i or is_name(column) else "---:" for i, column in enumerate(zip(*lines, strict=True))]
    rows = [row([escape(cell) for cell in line]) for line in (header, *lines)]
    return "\n".join([rows[0], row(rule), *rows[1:]])


def row(cells: Sequence[str]) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def item(text: str) -> str:
    """A note that cannot open a list, a heading or a rule of its own."""
    return _BLOCK_START.sub(r"\1\\\2", escape(text))


def escape(text: str) -> str:
    """Text that Markdown shows as it is; a model's name cannot become markup."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]<>|~#$" else "&amp;" if char == "&" else char for char in text)
    # what GitHub would make a link of
    return escaped.replace("://", "\\://").replace("www.", "www\\.").replace("@", "\\@")
