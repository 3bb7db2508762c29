"""The summary of a study as plain text."""

from __future__ import annotations

from skcompare.reporting._words import (
    MAX_ROWS,
    clearest,
    count_datasets,
    decimals,
    equal_to,
    listed,
    number,
    numbers,
    printable,
    pvalue,
    verdict,
)
from skcompare.reporting.summary.study import RankingSummary, StudySummary
from skcompare.reporting.text import joint_block, open_comparisons, table, warnings_block, wrap


def study_text_report(summary: StudySummary) -> str:
    """The heading, the ranks on each metric, the pairwise verdicts, the joint verdict, the method and the warnings."""
    summary = printable(summary)
    two = len(summary.estimators) == 2
    blocks = [
        _heading(summary),
        *([] if two else [_ranks(ranking, summary) for ranking in summary.rankings]),
        _pairs(summary),
        joint_block(summary),
        _method(summary),
        warnings_block(summary),
    ]
    return "\n\n".join(block for block in blocks if block)


def _heading(summary: StudySummary) -> str:
    names, datasets = summary.estimators, summary.datasets
    title = f"{names[0]} against {names[1]}" if len(names) == 2 else listed(names)
    how = f" ({listed(summary.designs)} on each)" if summary.designs else ""
    shown = listed(datasets) if len(datasets) <= MAX_ROWS else f"{', '.join(datasets[:5])} and others"
    return wrap(f"{title} on {count_datasets(len(datasets))}{how}: {shown}")


def _ranks(ranking: RankingSummary, summary: StudySummary) -> str:
    places = decimals(model.mean for model in ranking.models)
    lines = [
        [model.name, f"{model.mean_rank:.2f}", number(model.mean, places), model.group] for model in ranking.models
    ]
    differ = "no difference between the models shown"
    if ranking.pvalue != ranking.pvalue:
        differ = "undecided"
    elif ranking.pvalue < summary.alpha:
        differ = "the models differ"
    note = wrap(f"{ranking.method} over {count_datasets(ranking.n)}: {differ} ({equal_to('p', ranking.pvalue)}).")
    header = [ranking.metric, "mean rank", "mean score", "group"]
    return f"{table(header, lines, left=(0, 3))}\n{note}"


def _pairs(summary: StudySummary) -> str:
    two = len(summary.estimators) == 2
    rows = summary.rows if two else [row for row in summary.rows if row.winner is not None]
    lines = [
        [
            row.metric,
            *([] if two else [row.a, row.b]),
            *list(numbers(row).values())[0 if two else 2 :],
            f"{row.wins}/{row.ties}/{row.losses}",
            pvalue(row.pvalue),
            pvalue(row.pvalue_adjusted),
            verdict(row),
        ]
        for row in clearest(rows, MAX_ROWS)
    ]
    who = [f"mean of {name}" for name in summary.estimators] if two else ["a", "b"]
    header = ["metric", *who, "a - b", "95% interval", "w/t/l", "p", "p adj.", "verdict"]
    notes = [f"{len(rows) - MAX_ROWS} more are in compare()."] if len(rows) > MAX_ROWS else []
    rest = [] if two else [row for row in summary.rows if row.winner is None]
    notes += open_comparisons(rest, "the other " if lines else "any of ")
    return "\n".join([*([table(header, lines, left=(0, 8) if two else (0, 1, 2, 8))] if lines else []), *notes])


def _method(summary: StudySummary) -> str:
    adjusted = (
        f"p adj. is p adjusted ({summary.correction}) over {summary.n_hypotheses} comparisons: one error budget "
        f"of {summary.alpha:.0%} for all verdicts."
        if summary.n_hypotheses > 1
        else f"The verdict is at {summary.alpha:.0%}."
    )
    groups = (
        " Models that share a letter in the column group are not significantly different on that metric, adjusted over "
        "its pairs alone."
        if len(summary.estimators) > 2
        else ""
    )
    lines = [
        f"Test: {summary.procedure}, one case per data set, its mean score. a - b is the median difference over "
        f"pairs of data sets (Hodges and Lehmann), w/t/l the data sets that a wins, ties and loses.{groups}",
        f"{adjusted} Each interval is for its own comparison alone.",
    ]
    if summary.costs:
        lines.append(f"Less is better for {listed(summary.costs)}: there the sign of the difference is turned round.")
    return "\n".join(wrap(line) for line in lines)
