"""The page of a search: the ranking of all its candidates, then the leading ones as the page of a result shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare._core.numbers import decimals, number, percent, pvalue
from skcompare._core.printable import one_line
from skcompare.reporting import html
from skcompare.reporting._words import interval_at, printable, sortable
from skcompare.reporting.search_text import against_best, different, standing
from skcompare.reporting.search_verdict import (
    next_heading,
    next_lines,
    patterns,
    patterns_heading,
    sentences,
)
from skcompare.reporting.summary.search import SearchPage, SearchSummary

MAX_RANKED = 2000  # candidates in the table
MAX_METRICS = 4  # columns of metrics that do not decide


def search_html_page(page: SearchPage) -> str:
    """The page of a search."""
    html.check_extra()
    search, leaders = page.search, page.leaders
    n = len(leaders.summary.estimators)
    context = {
        **html.result_context(leaders),
        "title": f"Search among {search.n_candidates} candidates",
        "named_by": page.named_by,
        **_context(printable(search)),
        "leaders_heading": f"The {n} {'' if n == search.n_candidates else 'leading '}candidates compared",
    }
    return html.fill("search.html", context, {"pictures": page.figures, "figures": leaders.figures})


def _context(search: SearchSummary) -> dict[str, Any]:
    return {
        "lead": _setting(search),
        "search": search,
        "said": sentences(search),
        "together": [(next_heading(search), next_lines(search)), (patterns_heading(search), patterns(search))]
        if search.next
        else [],
        "headings": _headings(search),
        "different": different(search),
        "interval": interval_at(1 - search.alpha),
        "ranked": _ranked(search),
        "effects": _effects(search),
        "provenance": _provenance(search.provenance),
    }


def _setting(search: SearchSummary) -> str:
    size = "" if search.n_samples is None else f"{search.n_samples} samples, "
    others = len(search.metrics) - 1
    more = f", {others} more metric{'' if others == 1 else 's'}" if others else ""
    return f"{size}{search.search}; {search.metric} decides{more}"


def _provenance(known: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What reproduces the search, but for the versions, which have a row of their own."""
    shown = {name: value for name, value in known.items() if value is not None and name not in ("versions", "search")}
    return [(name.replace("_", " "), one_line(str(value))) for name, value in shown.items()]


# ---- tables ---------------------------------------------------------------------------------------------------


def _other_metrics(search: SearchSummary) -> list[str]:
    return [metric for metric in search.metrics if metric != search.metric][:MAX_METRICS]


def _headings(search: SearchSummary) -> list[dict[str, Any]]:
    """Columns of the ranking."""
    before = [
        "rank",
        "candidate",
        f"mean {search.metric}",
        "less the best",
        interval_at(1 - search.alpha),
        "p adj.",
        "outcome",
    ]
    labels = [*before, *(f"mean {metric}" for metric in _other_metrics(search)), "fit time (s)"]
    return [{"label": label, "numeric": label not in ("candidate", "outcome")} for label in labels]


def _ranked(search: SearchSummary) -> list[dict[str, Any]]:
    """The rows of the ranking: in each cell the number by which the column is sorted, and what is shown."""
    rows, others = search.ranking[:MAX_RANKED], _other_metrics(search)
    places = decimals(row.mean for row in rows)
    means = [search.means[metric][: len(rows)] for metric in others]
    rest = [sortable(column) for column in (*means, [row.fit_time for row in rows])]
    shown = []
    for row, more in zip(rows, zip(*rest, strict=True), strict=True):
        against = zip((row.difference, row.low, row.pvalue), against_best(row, places, search.alpha), strict=True)
        numbers = [(row.mean, number(row.mean, places)), *against]
        said = {"rank": row.rank, "name": row.name, "outcome": standing(row, search)}
        shown.append({**said, "numbers": numbers, "rest": more})
    return shown


def _effects(search: SearchSummary) -> list[dict[str, Any]]:
    """The rows of the table of parameters."""
    places = decimals(effect.difference for effect in search.effects)
    return [
        {
            "parameter": effect.parameter,
            "n_values": len(effect.values),
            "best": effect.best,
            "worst": effect.worst,
            "numbers": [
                (effect.difference, number(effect.difference, places)),
                (effect.share, percent(effect.share)),
                (effect.pvalue_adjusted, pvalue(effect.pvalue_adjusted)),
            ],
        }
        for effect in search.effects
    ]
