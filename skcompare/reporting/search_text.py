"""The report of a search as plain text for a terminal."""

from __future__ import annotations

from typing import Any

from skcompare._core.numbers import decimals, interval, number, percent, percent_of, pvalue
from skcompare._core.text import item, table, wrap
from skcompare.reporting._words import FORBIDDING, interval_at, printable
from skcompare.reporting.search_verdict import (
    next_heading,
    next_lines,
    patterns,
    patterns_heading,
    sentences,
)
from skcompare.reporting.summary.search import SearchSummary
from skcompare.reporting.text import TERMS, shortened, warnings_block

SHORT_ROWS, FULL_ROWS, MAX_EFFECTS = 8, 20, 10
WORSE = "significantly worse"


def search_text_report(summary: SearchSummary, detail: str = "short") -> str:
    """The answer, the leading candidates, what it rests on, the warnings; in full also the parameters and metrics."""
    summary, full = printable(summary), detail == "full"
    forbidding = [warning for warning in summary.warnings if warning.code in FORBIDDING]
    others = [warning for warning in summary.warnings if warning.code not in FORBIDDING]
    said = wrap(" ".join(sentences(summary)))
    blocks = [
        "\n".join([said, *(item(shortened(warning, full)) for warning in forbidding)]),
        _ranking(summary, FULL_ROWS if full else SHORT_ROWS),
        *([_effects(summary), *_all_metrics(summary)] if full else []),
        "\n".join([_method(summary) if full else wrap(_test(summary)), TERMS]),
        warnings_block(others, full),
    ]
    return "\n\n".join(block for block in blocks if block)


# ---- tables ---------------------------------------------------------------------------------------------------


def _ranking(summary: SearchSummary, n_rows: int) -> str:
    rows = summary.ranking
    if len(rows) > n_rows:
        rows = [row for row in rows if not row.same_as][:n_rows]
    places = decimals([row.mean for row in rows])
    header = ["rank", summary.metric, "- best", interval_at(1 - summary.alpha), "p adj.", "outcome", "candidate"]
    lines = [
        [
            str(row.rank),
            number(row.mean, places),
            *against_best(row, places, summary.alpha),
            standing(row, summary),
            row.name,
        ]
        for row in rows
    ]
    n, names = summary.n_candidates - len(rows), {row.name for row in rows}
    n_same = sum(len(group) - 1 for group in summary.answer.same if group[0] in names) if n else 0
    same = f" ({n_same} with the same scores as one of these)" if n_same else ""
    return table(header, lines, left=(5, 6)) + (f"\n{n} more{same}: `.ranking`, `.to_frame()`." if n > 0 else "")


def against_best(row: Any, places: int, alpha: float) -> list[str]:
    """The difference to the best, its interval and p-value; empty for the best itself."""
    if row.rank == 1 and row.low == row.high == 0:
        return ["", "", ""]
    around = "" if row.low == row.high == 0 else interval(row.low, row.high, places)
    return [number(row.difference, places, signed=True), around, pvalue(row.pvalue, alpha)]


def failed(row: Any) -> bool:
    """Whether a candidate lacks scores."""
    return bool(row.pvalue != row.pvalue)


def standing(row: Any, search: SearchSummary) -> str:
    """What the answer says of a candidate, in a word or two."""
    if failed(row):
        return "failed"
    if row.name == search.ranking[0].name:
        return "leads"
    return WORSE if row.significantly_different else "not significantly different"


def _effects(summary: SearchSummary) -> str:
    effects = summary.effects
    if not effects:
        return ""
    header = ["parameter", "best value", "mean", "worst value", "mean", "share", "p", "p adj."]
    places = decimals([mean for effect in effects for mean in effect.means])
    lines = [
        [
            effect.parameter,
            effect.best,
            number(max(effect.means), places),
            effect.worst,
            number(min(effect.means), places),
            percent(effect.share),
            pvalue(effect.pvalue),
            pvalue(effect.pvalue_adjusted),
        ]
        for effect in effects[:MAX_EFFECTS]
    ]
    more = f"\n{len(effects) - MAX_EFFECTS} more: `.effects`." if len(effects) > MAX_EFFECTS else ""
    return table(header, lines, left=(0, 1, 3)) + more


def _all_metrics(summary: SearchSummary) -> list[str]:
    if not summary.next:
        return []
    return [
        "\n".join([wrap(f"{next_heading(summary)}:"), *map(item, next_lines(summary))]),
        "\n".join([wrap(f"{patterns_heading(summary)}:"), *map(item, patterns(summary))]),
    ]


# ---- what it rests on -----------------------------------------------------------------------------------------


def _test(summary: SearchSummary) -> str:
    """The test and its error rate."""
    return (
        f"Test: {summary.procedure}; p adj. allows for all comparisons of {summary.n_tested} candidates"
        f"{different(summary)}, "
        f"{percent_of(summary.alpha)} for all together. Each interval is for its own comparison alone."
    )


def different(summary: SearchSummary) -> str:
    """That candidates with the same scores count as one; empty where there are none."""
    return " with different scores" if summary.answer.same else ""


def _method(summary: SearchSummary) -> str:
    alpha = summary.alpha
    lines = [
        f"p adj.: {summary.procedure}. It allows for the overlap of the training sets and for all comparisons of "
        f"{summary.n_tested} candidates{different(summary)}, the choice of the best among them: with probability "
        f"{percent_of(1 - alpha)} no candidate as good as the best is called significantly worse. It assumes normal "
        f"differences and a correlation of two splits of {summary.fold_correlation:.3g}.",
        "Each interval is of the difference to the best, for its own candidate alone, without the choice of the best.",
        f"Selection bias: {summary.selection_bias.method}.",
    ]
    if summary.effects:
        lines.append(
            "Share: how much of the variance of the candidates' means lies between the values of a parameter, averaged "
            "over the others; p: of the largest difference of two values, adjusted (holm) over the parameters."
        )
    return "\n".join(map(wrap, lines))
