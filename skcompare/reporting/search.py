"""The report of a search as plain text for a terminal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from skcompare._core.html import cut
from skcompare._core.numbers import counted, decimals, equal_to, interval, listed, number, percent, percent_of, pvalue
from skcompare._core.printable import one_line
from skcompare._core.text import NOT_DIFFERENT, item, table, wrap
from skcompare._core.warnings import Code
from skcompare.comparison.answer import PairAnswer
from skcompare.comparison.dominance import DominanceRow, dominance_said
from skcompare.inference import format_statement
from skcompare.reporting import html, latex, markdown
from skcompare.reporting.answer import first_line, named
from skcompare.reporting.summary.search import SearchPage, SearchSummary
from skcompare.reporting.text import TERMS, shortened, warnings_block
from skcompare.reporting.words import FORBIDDING, printable, sortable

# The answer of a search in sentences, and what else is said of its best candidate.


MAX_NAMED = 4


def sentences(search: SearchSummary) -> list[str]:
    """The answer, what was searched, what the best score is worth, and which parameter mattered."""
    said = printable([first_line(search.answer), _searched(search), _worth(search), _parameters(search)])
    return [sentence for sentence in said if sentence]


def _searched(search: SearchSummary) -> str:
    """The best mean, and of how many candidates on which splits."""
    score = number(search.best_mean, decimals([search.best_mean]))
    size = "" if search.n_samples is None else f" of {search.n_samples} samples"
    shared = f", shared by {search.n_best} candidates" if search.n_best > 1 else ""
    return (
        f"Best of {search.n_candidates} candidates: mean {search.metric} {score} over {search.n_splits} splits "
        f"({search.design}{size}){shared}."
    )


def _worth(search: SearchSummary) -> str:
    """What the best score is worth when it is allowed for that it was picked."""
    apparent, corrected = search.selection_bias.apparent, search.selection_bias.corrected
    if corrected != corrected:
        return ""
    places = decimals([apparent])
    if not apparent > corrected or number(corrected, places) == number(apparent, places):
        return "That it was picked for its score shows no selection bias."
    return (
        f"It was picked for its score, which has a selection bias of about {number(apparent - corrected, places)}: "
        f"the bias-corrected score is {number(corrected, places)}."
    )


def _parameters(search: SearchSummary) -> str:
    """Which parameters were shown to matter, the one with the largest share in full."""
    effects = [effect for effect in search.effects if effect.pvalue_adjusted == effect.pvalue_adjusted]
    if not effects:
        return ""
    shown = [effect for effect in effects if effect.pvalue_adjusted < search.alpha]
    silent = len(effects) - len(shown)
    if not shown:
        least = min(effects, key=lambda effect: effect.pvalue_adjusted)
        if silent == 1:
            return f"{least.parameter} was not shown to matter ({_p(least)})."
        return f"No parameter was shown to matter (smallest {_p(least)}, of {least.parameter})."
    first = shown[0]
    share = f"{percent(first.share)} of the variance between the candidates"
    # another can have a larger share and not be shown
    most = " most" if first is effects[0] and len(effects) > 1 else ""
    partial = any(warning.code == Code.PARTIAL.name for warning in first.warnings)
    among = " among the candidates that have it" if partial else ""
    alone = len(search.effects) == 1
    best = f"{cut(first.best)} the best value{'' if alone else ' on average'}{among}"
    averaged = "" if alone else "Averaged over the other parameter{}, ".format("" if len(search.effects) == 2 else "s")
    lines = [f"{averaged}{first.parameter} mattered{most} ({share}, {_p(first)} by a test of its own), with {best}"]
    if rest := [effect.parameter for effect in shown[1:]]:
        lines.append(f"{_named(rest)} mattered too")
    if silent:
        lines.append(
            "the other has no significant effect" if silent == 1 else f"{silent} others have no significant effect"
        )
    return f"{'; '.join(lines)}."


def _named(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= MAX_NAMED else f"{len(names)} more parameters"


def next_heading(search: SearchSummary) -> str:
    """Who is compared on all metrics, and with which error rate."""
    others = "the next one" if len(search.next) == 1 else f"the next {len(search.next)}"
    rest = [metric for metric in search.metrics if metric != search.metric]
    return (
        f"The best against {others} on all metrics: {search.metric} by the ranking, {named(rest)} with an error rate "
        f"of {percent_of(search.alpha)} for all {counted(search.n_pairs, 'pair')} of candidates on all metrics"
    )


def next_lines(search: SearchSummary) -> list[str]:
    """On which metrics the best is significantly better than each of the next ones."""
    return [f"{pair.b}: {_against(pair)}" for pair in search.next]


def _against(pair: PairAnswer) -> str:
    n = len(pair.better) + len(pair.worse) + len(pair.undecided) + len(pair.not_comparable)
    groups = {
        "the best is significantly better": pair.better,
        "it is significantly better": pair.worse,
        "not significantly different": pair.undecided,
        "nothing can be said": pair.not_comparable,
    }
    every = "both metrics" if n == 2 else f"all {n} metrics"
    return "; ".join(
        f"{said} on {every if len(metrics) == n else named(metrics)}" for said, metrics in groups.items() if metrics
    )


def patterns_heading(search: SearchSummary) -> str:
    """What the patterns are about, and over how many pairs the p-values of their test are adjusted."""
    over = "" if search.n_pairs == 1 else f", p adjusted (bonferroni) over {search.n_pairs} pairs"
    return f"Most probable pattern of wins over single splits, all metrics together{over}"


def patterns(search: SearchSummary) -> list[str]:
    """The most probable pattern of the best against each of the next ones."""
    return [f"{joint.b}: {_pattern(joint, search.alpha)}" for joint in search.joint]


def _pattern(joint: DominanceRow, alpha: float) -> str:
    if joint.statement is None:
        return "no pattern is more frequent than all others"
    significant = joint.pvalue_adjusted < alpha
    found = dominance_said(joint.pvalue_adjusted, within_reach=joint.within_reach(alpha), alpha=alpha)
    if joint.most_probable == joint.statement:
        found = f"posterior {percent(joint.probability, words=True)} before any adjustment, {found}"
    said = f"{format_statement(joint.statement, joint.metrics, a='the best', b='it')} ({found})"
    if bool(joint.established) == significant:
        return said
    differ = "each part is" if joint.established else "not each part is"
    return f"{said}; {differ} significant above: there the size of wins counts, here their number"


def _p(effect: Any) -> str:
    return equal_to("adjusted p", effect.pvalue_adjusted)


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
    header = ["rank", summary.metric, "- best", "interval", "p adj.", "outcome", "candidate"]
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
    around = "" if row.low == row.high == 0 else interval(row.low, row.high, places, cut=row.open_at_null)
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
    return WORSE if row.significantly_different else NOT_DIFFERENT


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
        f"{percent_of(summary.alpha)} for all together. So do the intervals."
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
        "Each interval is of the difference to the best; together they hold for all candidates.",
        f"Selection bias: {summary.selection_bias.method}.",
    ]
    if summary.effects:
        lines.append(
            "Share: how much of the variance of the candidates' means lies between the values of a parameter, averaged "
            "over the others; p: of the largest difference of two values, adjusted (holm) over the parameters."
        )
    return "\n".join(map(wrap, lines))


# The ranking of a search as a Markdown or a LaTeX table.


MAX_LATEX_ROWS = 40
# Points: text width of ``article``, a digit in ``footnotesize``, the space beside a column, the least for the names.
_WIDTH, _LETTER, _GAP, _LEAST = 345, 4.7, 3, 60
_PIECES = re.compile(r"[^=_]{0,10}[=_]|[^=_]{1,10}")


def search_markdown(search: SearchSummary) -> str:
    """The answer, one row per candidate, and a legend; the warnings as a list."""
    search = printable(search)
    rank, candidate, *rest = _HEAD
    header = [rank, candidate, markdown.escape(search.metric), *rest]
    lines = [header, ["---:", "---", *["---:"] * 4]]
    for row, cells in zip(search.ranking, _cells(search), strict=True):
        rank, name, mean, *rest = map(markdown.escape, cells)
        shown = f"**{mean}**" if row.rank == 1 else f"{mean}†" if row.significantly_different else mean
        lines.append([rank, name, shown, *rest])
    table = "\n".join(map(markdown.row, lines))
    notes = "\n".join(f"- {markdown.escape(warning)}" for warning in search.warnings)
    said = markdown.escape(first_line(search.answer))
    return "\n\n".join(part for part in (said, table, markdown.escape(_legend(search, "†")), notes) if part)


def search_latex(search: SearchSummary) -> str:
    """One row per candidate in a ``table``, or a ``longtable`` where they are many; the warnings as notes below it."""
    search = printable(search)
    rows = [_latex_row(row, cells) for row, cells in zip(search.ranking, _cells(search), strict=True)]
    first, second, *rest = map(latex.escape, _HEAD)
    header = latex.row([first, second, "mean", *rest])
    caption = (
        latex.text(f"{first_line(search.answer)} {_legend(search, '†')}")
        .replace("†", r"$^{\dagger}$")
        .replace("±", r"$\pm$")
    )
    notes = [latex.note(latex.text(warning)) for warning in search.warnings]
    columns = rf"rp{{{_room(search)}pt}}rrrr"
    small = r"\footnotesize\setlength{\tabcolsep}{3pt}"
    if len(rows) > MAX_LATEX_ROWS:
        return "\n".join([rf"{{{small}", *latex.longtable(columns, caption, header, rows), *notes])
    return latex.table(caption, [rf"{{{small}%", *latex.tabular(columns, [header], rows, end="}"), *notes])


def _cells(search: SearchSummary) -> list[list[str]]:
    rows = search.ranking
    places = decimals([row.mean for row in rows])
    means = ["n/a" if failed(row) else f"{number(row.mean, places)} ± {number(row.deviation, places)}" for row in rows]
    alpha = search.alpha
    return [
        [str(row.rank), row.name, mean, *against_best(row, places, alpha)]
        for row, mean in zip(rows, means, strict=True)
    ]


_HEAD = ("rank", "candidate", "difference", "interval", "p adj.")


def _room(search: SearchSummary) -> int:
    """Points that the numbers leave to the names."""
    first, second, *rest = _HEAD
    columns = list(zip([first, second, "mean", *rest], *_cells(search), strict=True))
    letters = sum(max(map(len, column)) for column in (columns[0], *columns[2:]))
    return max(_LEAST, int(_WIDTH - letters * _LETTER - 2 * len(columns) * _GAP))


def _latex_row(row: Any, cells: Sequence[str]) -> str:
    rank, name, mean, *rest = cells
    mean = mean.replace("±", r"\pm")
    shown = rf"$\mathbf{{{mean}}}$" if row.rank == 1 else f"${mean}$" if not failed(row) else mean
    mark = r"\rlap{$^{\dagger}$}" if row.significantly_different else ""
    numbers = [f"${cell}$" if cell not in ("", "n/a") else cell for cell in rest]
    return latex.row([rank, rf"\raggedright {_breakable(name)}", shown + mark, *numbers])


def _breakable(name: str) -> str:
    """A name for a narrow column: it may be broken after ``=`` and ``_``, and every ten letters."""
    words = [_PIECES.findall(word) for word in name.split(" ")]
    return " ".join(r"\allowbreak{}".join(map(latex.escape, pieces)) for pieces in words)


def _legend(search: SearchSummary, mark: str) -> str:
    n, shown = search.n_candidates, len(search.ranking)
    which = f"{n} candidates" if shown == n else f"The first {shown} of {n} candidates"
    return (
        f"{which} of a search, {search.design}: mean {search.metric} ± standard deviation over the splits, "
        f"difference to the best with intervals that hold for all candidates together. "
        f"Bold: the best. {mark}: significantly worse at {percent_of(search.alpha)}, all comparisons of the candidates "
        f"allowed for ({search.procedure})."
    )


# The page of a search: the ranking of all its candidates, then the leading ones as the page of a result shows them.


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
        "interval": "interval",
        "ranked": _ranked(search),
        "effects": _effect_rows(search),
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
        "interval",
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


def _effect_rows(search: SearchSummary) -> list[dict[str, Any]]:
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
