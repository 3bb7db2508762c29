"""The report of a search as plain text for a terminal."""

from __future__ import annotations

from typing import Any

from skcompare._core.text import item, table, wrap
from skcompare.reporting import _words
from skcompare.reporting._words import decimals, number, printable, pvalue
from skcompare.reporting.search_verdict import joint_heading, joint_lines, sentences, share_text
from skcompare.reporting.summary.search import SearchSummary
from skcompare.reporting.text import warnings_block

MAX_ROWS, MAX_EFFECTS = 10, 10


def search_text_report(summary: SearchSummary, detail: str = "short") -> str:
    """The verdict, the leading candidates, the parameters, all metrics together, the warnings, what it rests on."""
    summary = printable(summary)
    blocks = [
        wrap(" ".join(sentences(summary))),
        _ranking(summary),
        _effects(summary),
        _joint(summary) if detail == "full" else "",
        warnings_block(summary),
        _method(summary),
    ]
    return "\n\n".join(block for block in blocks if block)


# ---- tables ---------------------------------------------------------------------------------------------------


def _ranking(summary: SearchSummary) -> str:
    rows = summary.ranking[:MAX_ROWS]
    places = decimals([row.mean for row in rows])
    header = ["rank", summary.metric, "- best", "95% interval", "p adj.", "verdict", "candidate"]
    lines = [
        [str(row.rank), number(row.mean, places), *against_best(row, places), standing(row, summary.alpha), row.name]
        for row in rows
    ]
    n = summary.n_candidates - MAX_ROWS
    return table(header, lines, left=(5, 6)) + (f"\n{n} more: `.ranking`, `.to_frame()`." if n > 0 else "")


def against_best(row: Any, places: int) -> list[str]:
    """The difference to the best, its interval and p-value."""
    return [number(row.difference, places, signed=True), interval(row, places), pvalue(row.pvalue)]


def interval(row: Any, places: int) -> str:
    """The interval of a difference to the best; empty for the best itself."""
    return "" if row.low == row.high == 0 else _words.interval(row.low, row.high, places)


def failed(row: Any) -> bool:
    """Whether a candidate lacks scores."""
    return bool(row.pvalue != row.pvalue)


def standing(row: Any, alpha: float) -> str:
    """What the ranking says of a candidate, in a word or two."""
    if failed(row):
        return "failed"
    if row.rank == 1:
        return "best"
    return "worse" if row.pvalue < alpha else "not significantly different"


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
            share_text(effect.share),
            pvalue(effect.pvalue),
            pvalue(effect.pvalue_adjusted),
        ]
        for effect in effects[:MAX_EFFECTS]
    ]
    more = f"\n{len(effects) - MAX_EFFECTS} more: `.effects`." if len(effects) > MAX_EFFECTS else ""
    return table(header, lines, left=(0, 1, 3)) + more


def _joint(summary: SearchSummary) -> str:
    if not summary.joint:
        return ""
    return "\n".join([wrap(f"{joint_heading(summary)}:"), *map(item, joint_lines(summary))])


# ---- what it rests on -----------------------------------------------------------------------------------------


def _method(summary: SearchSummary) -> str:
    alpha = summary.alpha
    lines = [
        f"p adj.: {summary.procedure}. It allows for the overlap of the training sets and for all comparisons of "
        f"{summary.n_tested} candidates, the choice of the best among them: with probability {1 - alpha:.0%} no "
        f"candidate as good as the best is called worse. It assumes normal differences and a correlation of two "
        f"splits equal to the test fraction, {summary.test_fraction:.3g}.",
        "Each interval is of the difference to the best, for its own candidate alone, without the choice of the best.",
        f"Selection bias: {summary.selection_bias.method}.",
    ]
    if summary.effects:
        lines.append(
            "Share: how much of the variance of the candidates' means lies between the values of a parameter, averaged "
            "over the others; p: of the largest difference of two values, adjusted (holm) over the parameters."
        )
    return "\n".join(map(wrap, lines))
