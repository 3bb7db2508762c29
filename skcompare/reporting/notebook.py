"""The summary as HTML for a notebook: the answer, a small table, the warnings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skcompare._core.html import Table, block, cut
from skcompare._core.numbers import decimals, number
from skcompare.reporting import search_verdict
from skcompare.reporting._words import listed, printable
from skcompare.reporting.search_text import against_best, standing
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.search import SearchSummary
from skcompare.reporting.text_tables import leader_lines, pair_lines
from skcompare.reporting.verdict import by_weight, sentences


def render_search(search: SearchSummary) -> str:
    """Of a search: the leading candidates."""
    search = printable(search)
    header = ("candidate", "rank", search.metric, "less the best", "95% interval", "p adj.", "outcome")
    places = decimals(row.mean for row in search.ranking)
    rows = [
        (row.name, str(row.rank), number(row.mean, places), *against_best(row, places), standing(row, search))
        for row in search.ranking
    ]
    return block([Table(header, rows)], [], search.warnings, answer=search_verdict.sentences(search))


def render_evaluator(parameters: Iterable[tuple[str, str, bool]], cv: Any, scoring: Any) -> str:
    """Of an evaluator: each parameter with its value and whether it is the default, and what it will do."""
    rows = [(name, value, "set" if is_set else "default") for name, value, is_set in parameters]
    return block([Table(("parameter", "value", "set or default"), rows)], [_plan(cv, scoring)])


def render_scores(summary: ComparedSummary) -> str:
    """Of an evaluation or a study: two models on all metrics, or the leader of the first metric against the others."""
    header, rows = pair_lines(summary) if len(summary.estimators) == 2 else leader_lines(summary)
    forbidding, other_warnings = by_weight(summary)
    return block([Table(header, rows)], [], other_warnings, answer=[*sentences(summary), *forbidding])


def _plan(cv: Any, scoring: Any) -> str:
    if isinstance(cv, int):
        splits = f"{cv}-fold cross-validation"
    else:
        splits = f"{cv} cross-validation" if isinstance(cv, str) else f"splits of {cut(repr(cv), 80)}"
    if scoring is None:
        metrics = "the usual metrics of the task"
    elif isinstance(scoring, str):
        metrics = scoring
    else:
        several = isinstance(scoring, (list, tuple, set, Mapping)) and len(scoring) > 0
        metrics = listed([str(name) for name in scoring]) if several else cut(repr(scoring), 80)
    return f"evaluate() fits every model on the same splits ({splits}) and scores {metrics} from the same predictions."
