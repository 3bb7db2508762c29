"""The summary as HTML for a notebook: the answer, a small table, the warnings."""

from __future__ import annotations

from skcompare._core.html import Table, block
from skcompare._core.numbers import decimals, number
from skcompare.reporting import search_verdict
from skcompare.reporting._words import interval_at, printable
from skcompare.reporting.search_text import against_best, standing
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.search import SearchSummary
from skcompare.reporting.text_tables import leader_lines, pair_lines
from skcompare.reporting.verdict import by_weight, compared_with, sentences


def render_search(search: SearchSummary) -> str:
    """Of a search: the leading candidates."""
    search = printable(search)
    header = ("candidate", "rank", search.metric, "less the best", interval_at(1 - search.alpha), "p adj.", "outcome")
    places = decimals(row.mean for row in search.ranking)
    rows = [
        (
            row.name,
            str(row.rank),
            number(row.mean, places),
            *against_best(row, places, search.alpha),
            standing(row, search),
        )
        for row in search.ranking
    ]
    return block([Table(header, rows)], [], search.warnings, answer=search_verdict.sentences(search))


def render_scores(summary: ComparedSummary) -> str:
    """Of an evaluation or a study: two models on all metrics, or the leader of the first metric against the others."""
    header, rows = pair_lines(summary) if len(summary.estimators) == 2 else leader_lines(summary)
    forbidding, other_warnings = by_weight(summary)
    shown = filter(None, [compared_with(summary)])
    return block([Table(header, rows)], [], other_warnings, answer=[*sentences(summary), *shown, *forbidding])
