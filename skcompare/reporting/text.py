"""The summary as plain text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.reporting._words import (
    MAX_ROWS,
    clearest,
    decimals,
    joint_heading,
    joint_lines,
    listed,
    number,
    numbers,
    printable,
    pvalue,
    setting,
    size_range,
    verdict,
)
from skcompare.reporting.calibrated import calibrated_on, not_calibrated
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary, Summary
from skcompare.reporting.verdict import could_have_shown, models, sequential

WIDTH = 100
LONG_NAMES = 20  # characters in two names that still fit a column heading together


def text_report(summary: EvaluationSummary) -> str:
    """Design, one line per metric, the joint verdict, what it rests on, the warnings."""
    summary = printable(summary)
    two = len(summary.estimators) == 2
    blocks = [
        _heading(summary),
        wrap(sequential(summary)),
        _pair_table(summary) if two else f"{_means_table(summary)}\n\n{_differences(summary)}",
        wrap(could_have_shown(summary)),
        joint_block(summary),
        _method(summary),
        warnings_block(summary),
    ]
    return "\n\n".join(block for block in blocks if block)


def _heading(summary: EvaluationSummary) -> str:
    names = summary.estimators
    title = f"{names[0]} against {names[1]}" if len(names) == 2 else listed(names)
    splits = f"{summary.n_splits} splits" if summary.n_splits > 1 else "1 split"
    if summary.train_size is not None:
        splits += f", trained on {summary.train_size:.0f} samples and tested on {summary.test_size:.0f}"
    return wrap(f"{title}: {setting(summary)} ({splits})")


def _pair_table(summary: ComparedSummary) -> str:
    a, b = summary.estimators
    short = len(a) + len(b) <= LONG_NAMES
    header = ["metric", a, b, f"{a} - {b}" if short else "difference", "95% interval", "p", "p adj.", "verdict"]
    lines = [[row.metric, *numbers(row).values(), *_pvalues(row), verdict(row)] for row in summary.rows]
    legend = "" if short else f"\n{wrap(f'The difference is {a} minus {b}: + favours the first.')}"
    return table(header, lines, left=(0, 7)) + legend


def _pvalues(row: ComparisonRow) -> list[str]:
    return [pvalue(row.pvalue), pvalue(row.pvalue_adjusted)]


def _means_table(summary: ComparedSummary) -> str:
    header = ["mean score", *(metric.name for metric in summary.metrics)]
    columns = [[number(mean, decimals(metric.means)) for mean in metric.means] for metric in summary.metrics]
    return table(header, list(zip(models(summary), *columns, strict=True)), left=(0,))


def _differences(summary: ComparedSummary) -> str:
    found = [row for row in summary.rows if row.winner is not None]
    if not found:
        return "\n".join(open_comparisons(summary.rows, "any of "))
    lines = [
        [row.metric, row.a, row.b, *list(numbers(row).values())[2:], *_pvalues(row), verdict(row)]
        for row in clearest(found, MAX_ROWS)
    ]
    header = ["metric", "a", "b", "a - b", "95% interval", "p", "p adj.", "verdict"]
    more = len(found) - MAX_ROWS
    notes = [f"{more} more differences are in compare()."] if more > 0 else []
    notes += open_comparisons([row for row in summary.rows if row.winner is None], "the other ")
    return "\n".join([table(header, lines, left=(0, 1, 2, 7)), *notes])


def open_comparisons(rows: Sequence[ComparisonRow], which: str) -> list[str]:
    """How many comparisons show no difference, and how many could not be made."""
    undecided = sum(row.outcome is Outcome.NOT_COMPARABLE for row in rows)
    shown = len(rows) - undecided
    parts = [f"No difference shown on {which}{_comparisons(shown)}."] if shown else []
    return parts + ([f"{_comparisons(undecided)} could not be made."] if undecided else [])


def _comparisons(n: int) -> str:
    return f"{n} comparison" + ("" if n == 1 else "s")


def joint_block(summary: ComparedSummary) -> str:
    """The joint verdicts, empty where there are none."""
    lines = joint_lines(summary)
    if not lines:
        return ""
    heading = joint_heading(summary)
    if len(summary.joint) == 1:
        return wrap(f"{heading}: {lines[0]}.")
    return "\n".join([f"{heading}:", *(item(line) for line in lines)])


def _method(summary: EvaluationSummary) -> str:
    adjusted = (
        f"p adj. is p adjusted ({summary.correction}) over {summary.n_hypotheses} comparisons: one error budget "
        f"of {summary.alpha:.0%} for all verdicts, as far as the test keeps its own."
        if summary.n_hypotheses > 1
        else f"The verdict is at {summary.alpha:.0%}."
    )
    lines = [
        f"Test: {summary.procedure}{_why(summary)} It assumes {_and(summary.assumes)}.{_measured(summary)}",
        f"{adjusted} Each interval is for its own comparison alone.",
    ]
    if summary.costs:
        lines.append(
            f"Less is better for {listed(summary.costs)}: there the sign of the difference is turned round, so that + "
            f"favours the first model everywhere."
        )
    if summary.positive_class is not None:
        lines.append(f"Positive class: {summary.positive_class}.")
    return "\n".join(wrap(line) for line in lines)


def _why(summary: EvaluationSummary) -> str:
    """Why this test, and what it was calibrated on."""
    if summary.calibration is None:
        return f", the default for this design: {summary.reason}."
    parts = (calibrated_on(summary.calibration), not_calibrated(summary.calibration))
    return f". {' '.join(part for part in parts if part)}"


def _measured(summary: EvaluationSummary) -> str:
    """How often the test is wrong about equal models, per metric, where that was measured."""
    sizes = [f"{size_range(size)} on {metric}" for metric, size in summary.measured_sizes.items()]
    if not sizes:
        return ""
    return (
        f" In the simulations nearest to this run ({summary.measured_on}) it rejected this share of true nulls at "
        f"5%, on average (lowest to highest over learners and signals): {listed(sizes)}."
    )


def warnings_block(summary: Summary) -> str:
    """The warnings as a list, empty where there are none."""
    if not summary.warnings:
        return ""
    return "\n".join(["Warnings:", *(item(warning) for warning in summary.warnings)])


def _and(parts: str) -> str:
    """``x; y`` as ``x and y``."""
    return listed(parts.split("; "))


def table(header: Sequence[str], lines: Sequence[Sequence[str]], *, left: Sequence[int]) -> str:
    """Columns as wide as their cells; names to the left, numbers to the right."""
    columns = list(zip(header, *lines, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    rows = [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (header, *lines)
    ]
    return "\n".join([rows[0], "-" * max(len(row) for row in rows), *rows[1:]])


def wrap(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def item(line: str) -> str:
    return textwrap.fill(f"- {line}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
