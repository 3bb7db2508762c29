"""The summary of an evaluation or a study as plain text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.reporting import _words as words
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary, Summary
from skcompare.reporting.summary.study import RankingSummary, StudySummary
from skcompare.reporting.verdict import could_have_shown, models, sequential

WIDTH = 100
LONG_NAMES = 20  # characters in two names that still fit a column heading together


def text_report(summary: EvaluationSummary) -> str:
    """Design, one line per metric, the joint verdict, what it rests on, the warnings."""
    summary = words.printable(summary)
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


def study_text_report(summary: StudySummary) -> str:
    """The heading, the ranks on each metric, the pairwise verdicts, the joint verdict, the method and the warnings."""
    summary = words.printable(summary)
    two = len(summary.estimators) == 2
    blocks = [
        _study_heading(summary),
        *([] if two else [_ranks(ranking, summary) for ranking in summary.rankings]),
        _study_pair_table(summary) if two else _differences(summary),
        joint_block(summary),
        _study_method(summary),
        warnings_block(summary),
    ]
    return "\n\n".join(block for block in blocks if block)


# ---- headings -------------------------------------------------------------------------------------------------


def _heading(summary: EvaluationSummary) -> str:
    splits = words.counted(summary.n_splits, "split")
    if summary.train_size is not None:
        splits += f", trained on {summary.train_size:.0f} samples and tested on {summary.test_size:.0f}"
    return wrap(f"{_title(summary)}: {words.setting(summary)} ({splits})")


def _study_heading(summary: StudySummary) -> str:
    datasets = summary.datasets
    shown = words.listed(datasets) if len(datasets) <= words.MAX_ROWS else f"{', '.join(datasets[:5])} and others"
    return wrap(f"{_title(summary)} on {words.datasets_and_designs(summary)}: {shown}")


def _title(summary: ComparedSummary) -> str:
    return (" against ".join if len(summary.estimators) == 2 else words.listed)(summary.estimators)


# ---- tables ---------------------------------------------------------------------------------------------------


def _pair_table(summary: EvaluationSummary) -> str:
    a, b = summary.estimators
    short = len(a) + len(b) <= LONG_NAMES
    header = ["metric", a, b, f"{a} - {b}" if short else "difference", "95% interval", "p", "p adj.", "verdict"]
    lines = [[row.metric, *words.numbers(row).values(), *_tested(row)] for row in summary.rows]
    legend = "" if short else f"\n{wrap(f'The difference is {a} minus {b}: + favours the first.')}"
    return table(header, lines, left=(0, 7)) + legend


def _study_pair_table(summary: StudySummary) -> str:
    who = [f"mean of {name}" for name in summary.estimators]
    header = ["metric", *who, "a - b", "95% interval", "w/t/l", "p", "p adj.", "verdict"]
    rows = words.clearest(summary.rows, words.MAX_ROWS)
    lines = [[row.metric, *words.numbers(row).values(), words.record(row), *_tested(row)] for row in rows]
    more = len(summary.rows) - len(rows)
    return table(header, lines, left=(0, 8)) + (f"\n{more} more are in compare()." if more else "")


def _differences(summary: ComparedSummary) -> str:
    """Of three models or more the comparisons that show a difference, and how many show none; of a study with w/t/l."""
    study = isinstance(summary, StudySummary)
    found = [row for row in summary.rows if row.winner is not None]
    header = ["metric", "a", "b", "a - b", "95% interval", *(["w/t/l"] if study else []), "p", "p adj.", "verdict"]
    lines = []
    for row in words.clearest(found, words.MAX_ROWS):
        shown = words.numbers(row)
        difference = [shown["estimate"], shown["interval"], *([words.record(row)] if study else [])]
        lines.append([row.metric, row.a, row.b, *difference, *_tested(row)])
    more = len(found) - len(lines)
    notes = [f"{more} more {'' if study else 'differences '}are in compare()."] if more else []
    rest = [row for row in summary.rows if row.winner is None]
    notes += _open_comparisons(rest, "the other " if found else "any of ")
    return "\n".join([*([table(header, lines, left=(0, 1, 2, len(header) - 1))] if lines else []), *notes])


def _tested(row: ComparisonRow) -> list[str]:
    return [words.pvalue(row.pvalue), words.pvalue(row.pvalue_adjusted), words.verdict(row)]


def _open_comparisons(rows: Sequence[ComparisonRow], which: str) -> list[str]:
    """How many comparisons show no difference, and how many could not be made."""
    undecided = sum(row.outcome is Outcome.NOT_COMPARABLE for row in rows)
    shown = len(rows) - undecided
    parts = [f"No difference shown on {which}{words.counted(shown, 'comparison')}."] if shown else []
    return parts + ([f"{words.counted(undecided, 'comparison')} could not be made."] if undecided else [])


def _means_table(summary: EvaluationSummary) -> str:
    header = ["mean score", *(metric.name for metric in summary.metrics)]
    columns = [words.column(metric.means) for metric in summary.metrics]
    return table(header, list(zip(models(summary), *columns, strict=True)), left=(0,))


def _ranks(ranking: RankingSummary, summary: StudySummary) -> str:
    means = words.column([model.mean for model in ranking.models])
    lines = [
        [model.name, f"{model.mean_rank:.2f}", mean, model.group]
        for model, mean in zip(ranking.models, means, strict=True)
    ]
    differ = words.omnibus_verdict(ranking, summary.alpha, "no difference between the models shown")
    p = words.equal_to("p", ranking.pvalue)
    note = wrap(f"{ranking.method} over {words.counted(ranking.n, 'data set')}: {differ} ({p}).")
    header = [ranking.metric, "mean rank", "mean score", "group"]
    return f"{table(header, lines, left=(0, 3))}\n{note}"


# ---- what it rests on -----------------------------------------------------------------------------------------


def joint_block(summary: ComparedSummary) -> str:
    """The joint verdicts, empty where there are none."""
    lines = words.joint_lines(summary)
    if not lines:
        return ""
    heading = words.joint_heading(summary)
    if len(summary.joint) == 1:
        return wrap(f"{heading}: {lines[0]}.")
    return "\n".join([f"{heading}:", *map(item, lines)])


def _method(summary: EvaluationSummary) -> str:
    assumed = words.listed(summary.assumes.split("; "))
    lines = [
        f"Test: {summary.procedure}{_why(summary)} It assumes {assumed}.{_measured(summary)}",
        *_budget(summary, ", as far as the test keeps its own", ", so that + favours the first model everywhere"),
    ]
    if summary.positive_class is not None:
        lines.append(f"Positive class: {summary.positive_class}.")
    return "\n".join(map(wrap, lines))


def _study_method(summary: StudySummary) -> str:
    groups = " Models that share a letter in the column group are not significantly different on that metric, adjusted "
    groups = f"{groups}over its pairs alone." if len(summary.estimators) > 2 else ""
    lines = [
        f"Test: {summary.procedure}, one case per data set, its mean score. a - b is the median difference over "
        f"pairs of data sets (Hodges and Lehmann), w/t/l the data sets that a wins, ties and loses.{groups}",
        *_budget(summary),
    ]
    return "\n".join(map(wrap, lines))


def _budget(summary: ComparedSummary, keeping: str = "", favouring: str = "") -> list[str]:
    """Over what the p-values are adjusted, and where the sign is turned round."""
    adjusted = f"The verdict is at {summary.alpha:.0%}."
    if summary.n_hypotheses > 1:
        budget = f"one error budget of {summary.alpha:.0%} for all verdicts{keeping}"
        adjusted = f"p adj. is {words.adjustment(summary)}: {budget}."
    less = f"Less is better for {words.listed(summary.costs)}" if summary.costs else ""
    turned = [f"{less}: there the sign of the difference is turned round{favouring}."] if less else []
    return [f"{adjusted} Each interval is for its own comparison alone.", *turned]


def _why(summary: EvaluationSummary) -> str:
    """Why this test, and what it was calibrated on."""
    if summary.calibration is None:
        return f", the default for this design: {summary.reason}."
    return f". {words.calibrated(summary.calibration)}"


def _measured(summary: EvaluationSummary) -> str:
    """How often the test is wrong about equal models, per metric, where that was measured."""
    sizes = [f"{words.size_range(size)} on {metric}" for metric, size in summary.measured_sizes.items()]
    if not sizes:
        return ""
    return (
        f" In the simulations nearest to this run ({summary.measured_on}) it rejected this share of true nulls at "
        f"5%, on average (lowest to highest over learners and signals): {words.listed(sizes)}."
    )


def warnings_block(summary: Summary) -> str:
    """The warnings as a list, empty where there are none."""
    if not summary.warnings:
        return ""
    return "\n".join(["Warnings:", *(item(warning) for warning in summary.warnings)])


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
