"""The summary as HTML for a notebook: the answer, a small table, the warnings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any

from skcompare._core.html import Table, block, cut
from skcompare._core.numbers import decimals, listed, number
from skcompare._core.printable import one_line
from skcompare._core.record import MAX_REPR
from skcompare.reporting import search as search_verdict
from skcompare.reporting.answer import by_weight, compared_with, sentences
from skcompare.reporting.search import against_best, standing
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.search import SearchSummary
from skcompare.reporting.text import leader_lines, pair_lines
from skcompare.reporting.words import printable


def render_search(search: SearchSummary) -> str:
    """Of a search: the leading candidates."""
    search = printable(search)
    header = ("candidate", "rank", search.metric, "less the best", "interval", "p adj.", "outcome")
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


# An evaluator as text and in a notebook: its parameters, and what it will do with them.


class ShownParameters:
    """For a scikit-learn estimator with the parameters `cv` and `scoring`: how it prints and shows itself.

    It is shown in a notebook where it has a `_repr_html_`.
    """

    cv: Any
    scoring: Any
    get_params: Callable[..., dict[str, Any]]

    def __repr__(self, N_CHAR_MAX: int = MAX_REPR) -> str:
        return cut(one_line(super().__repr__(N_CHAR_MAX)), N_CHAR_MAX)  # type: ignore[call-arg]

    def _repr_html(self) -> str:
        defaults = {name: parameter.default for name, parameter in signature(type(self).__init__).parameters.items()}
        given = {name: f"{value!r}" for name, value in self.get_params(deep=False).items()}
        changed = {name: value != repr(defaults.get(name)) for name, value in given.items()}
        rows = [(name, value, "set" if changed[name] else "default") for name, value in given.items()]
        table = Table(("parameter", "value", "set or default"), rows, limit=len(rows))
        return block([table], [_plan(self.cv, self.scoring)])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        bundle = {"text/plain": repr(self)}
        return {**bundle, "text/html": self._repr_html()} if hasattr(self, "_repr_html_") else bundle


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
