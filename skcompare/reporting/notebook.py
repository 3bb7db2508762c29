"""The summary as HTML for a notebook: a small table, the verdict in sentences, the warnings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from skcompare._core.html import Table, block, cut
from skcompare.reporting import search_verdict
from skcompare.reporting._words import column, decimals, listed, number, numbers, printable, pvalue, verdict
from skcompare.reporting.search_text import against_best, standing
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.search import SearchSummary
from skcompare.reporting.summary.study import StudySummary
from skcompare.reporting.verdict import models, sentences

MAX_METRICS = 8


def render_evaluation(summary: EvaluationSummary) -> str:
    """Of an evaluation: the comparison of two models, or the mean scores of more."""
    return _block(summary, _means)


def render_study(summary: StudySummary) -> str:
    """Of a study: the comparison of two models, or the mean ranks of more."""
    return _block(summary, _ranks)


def render_search(search: SearchSummary) -> str:
    """Of a search: the leading candidates."""
    search = printable(search)
    header = ("candidate", "rank", search.metric, "less the best", "95% interval", "p adj.", "outcome")
    places = decimals(row.mean for row in search.ranking)
    rows = [
        (row.name, str(row.rank), number(row.mean, places), *against_best(row, places), standing(row, search))
        for row in search.ranking
    ]
    return block([Table(header, rows)], search_verdict.sentences(search), search.warnings)


def render_evaluator(parameters: Iterable[tuple[str, str, bool]], cv: Any, scoring: Any) -> str:
    """Of an evaluator: each parameter with its value and whether it is the default, and what it will do."""
    rows = [(name, value, "set" if is_set else "default") for name, value, is_set in parameters]
    return block([Table(("parameter", "value", "set or default"), rows)], [_plan(cv, scoring)])


def _block(summary: ComparedSummary, of_more: Callable[[Any], Table]) -> str:
    said, summary = sentences(summary), printable(summary)
    table = _pair(summary) if len(summary.estimators) == 2 else of_more(summary)
    return block([table], said, summary.warnings)


def _pair(summary: ComparedSummary) -> Table:
    header = ("metric", *summary.estimators, "difference", "95% interval", "p adj.", "verdict")
    rows = [[row.metric, *numbers(row).values(), pvalue(row.pvalue_adjusted), verdict(row)] for row in summary.rows]
    return Table(header, rows)


def _means(summary: ComparedSummary) -> Table:
    shown = summary.metrics[:MAX_METRICS]
    columns = [column(metric.means) for metric in shown]
    rows = list(zip(models(summary), *columns, strict=True))
    return _wide("mean score", [metric.name for metric in shown], rows, len(summary.metrics))


def _ranks(summary: StudySummary) -> Table:
    shown = summary.rankings[:MAX_METRICS]
    columns = [{model.name: f"{model.mean_rank:.2f} ({model.group})" for model in ranking.models} for ranking in shown]
    rows = [(name, *(column.get(name, "n/a") for column in columns)) for name in summary.estimators]
    heading = "mean rank (models that share a letter are not significantly different)"
    return _wide(heading, [ranking.metric for ranking in shown], rows, len(summary.rankings))


def _wide(heading: str, names: list[str], rows: list[tuple[str, ...]], n_columns: int) -> Table:
    """A table of models by metrics that counts the columns it leaves out."""
    more = n_columns - len(names)
    if more > 0:
        return Table((heading, *names, f"and {more} more"), [(*row, "...") for row in rows])
    return Table((heading, *names), rows)


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
