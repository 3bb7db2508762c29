"""The summary as plain text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

from skcompare.reporting._words import joint_verdict, listed, number, pvalue

WIDTH = 100
MAX_ROWS = 15


def render(summary: Mapping[str, Any]) -> str:
    """Design, one line per metric, the joint verdict, what it rests on, the doubts."""
    two = len(summary["estimators"]) == 2
    blocks = [
        _heading(summary),
        _pair_table(summary) if two else f"{_means_table(summary)}\n\n{_differences(summary)}",
        _joint(summary),
        _method(summary),
        _doubts(summary),
    ]
    return "\n\n".join(block for block in blocks if block)


def _heading(summary: Mapping[str, Any]) -> str:
    names = summary["estimators"]
    title = f"{names[0]} against {names[1]}" if len(names) == 2 else listed(names)
    splits = f"{summary['n_splits']} splits" if summary["n_splits"] > 1 else "1 split"
    return _wrap(
        f"{title}: {summary['n_samples']} samples, {summary['design']} ({splits}, "
        f"trained on {summary['train_size']:.0f} samples and tested on {summary['test_size']:.0f})"
    )


def _pair_table(summary: Mapping[str, Any]) -> str:
    a, b = summary["estimators"]
    header = ["metric", a, b, f"{a} - {b}", "95% interval", "p", "p adj.", "verdict"]
    lines = [
        [
            row["metric"],
            number(row["mean_a"]),
            number(row["mean_b"]),
            *_difference_cells(row),
            row["verdict"],
        ]
        for row in summary["rows"]
    ]
    return _table(header, lines)


def _difference_cells(row: Mapping[str, Any]) -> list[str]:
    return [
        number(row["estimate"], signed=True),
        f"[{number(row['low'], signed=True)}, {number(row['high'], signed=True)}]",
        pvalue(row["pvalue"]),
        pvalue(row["pvalue_adjusted"]),
    ]


def _means_table(summary: Mapping[str, Any]) -> str:
    header = ["mean score", *(metric["name"] for metric in summary["metrics"])]
    lines = [
        [name, *(number(metric["means"][e]) for metric in summary["metrics"])]
        for e, name in enumerate(summary["estimators"])
    ]
    return _table(header, lines)


def _differences(summary: Mapping[str, Any]) -> str:
    shown = [row for row in summary["rows"] if row["verdict"].endswith(" better")]
    shown.sort(key=lambda row: row["pvalue_adjusted"])
    rest = len(summary["rows"]) - len(shown)
    if not shown:
        return f"No difference shown on any of {rest} comparisons."
    header = ["metric", "a", "b", "a - b", "95% interval", "p", "p adj.", "verdict"]
    lines = [[row["metric"], row["a"], row["b"], *_difference_cells(row), row["verdict"]] for row in shown[:MAX_ROWS]]
    more = len(shown) - MAX_ROWS
    notes = [f"{more} more differences are in compare()."] if more > 0 else []
    notes += [f"No difference shown on the other {rest} comparisons."] if rest else []
    return "\n".join([_table(header, lines), *notes])


def _joint(summary: Mapping[str, Any]) -> str:
    metrics = [metric["name"] for metric in summary["metrics"]]
    lines = [joint_verdict(joint, metrics, summary["alpha"]) for joint in summary["joint"]]
    if not lines:
        return ""
    if len(lines) == 1:
        return _wrap(f"All metrics together: {lines[0]}.")
    return "\n".join(["All metrics together:", *(_item(line) for line in lines[:MAX_ROWS])])


def _method(summary: Mapping[str, Any]) -> str:
    adjusted = (
        f"p adj. is adjusted ({summary['correction']}) over {summary['n_hypotheses']} comparisons; the verdicts hold "
        f"together at {summary['alpha']:.0%}."
        if summary["n_hypotheses"] > 1
        else f"The verdict is at {summary['alpha']:.0%}."
    )
    lines = [
        f"Test: {summary['procedure']}, the default for this design. It allows for the overlap of the training sets; "
        f"it assumes {summary['assumes']}. Measured share of true nulls it rejects at 5%: "
        f"{summary['measured_size']}.",
        f"{adjusted} Intervals are for one comparison each.",
    ]
    if any(not metric["greater_is_better"] for metric in summary["metrics"]):
        costs = [metric["name"] for metric in summary["metrics"] if not metric["greater_is_better"]]
        lines.append(
            f"Less is better for {listed(costs)}: there the difference is turned round, so + favours the first."
        )
    if summary["positive_class"] is not None:
        lines.append(f"Positive class: {summary['positive_class']}.")
    return "\n".join(_wrap(line) for line in lines)


def _doubts(summary: Mapping[str, Any]) -> str:
    if not summary["warnings"]:
        return ""
    return "\n".join(["Doubts:", *(_item(warning) for warning in summary["warnings"])])


def _table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """Columns as wide as their cells; numbers to the right, first and last column to the left."""
    columns = list(zip(header, *lines, strict=True))
    widths = [max(len(cell) for cell in column) for column in columns]
    left = {0, len(header) - 1} if header[-1] == "verdict" else {0}
    left |= {i for i, name in enumerate(header) if name in ("a", "b") and "a - b" in header}
    rows = [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in (header, *lines)
    ]
    return "\n".join([rows[0], "-" * max(len(row) for row in rows), *rows[1:]])


def _wrap(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


def _item(line: str) -> str:
    return textwrap.fill(f"- {line}", WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
