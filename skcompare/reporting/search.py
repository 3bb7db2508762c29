"""What a search found, as a document: the best candidate, the ranking, the parameters, all metrics, the warnings."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from skcompare._core.numbers import agreeing, counted, decimals, equal_to, listed, number, percent, percent_of, pvalue
from skcompare._core.warnings import Code
from skcompare.comparison.means import MetricMeans, is_loss, label
from skcompare.comparison.table import ComparisonRow
from skcompare.reporting import words
from skcompare.reporting.columns import comparison_columns, mean_column, places_for, text_column
from skcompare.reporting.document import Block, Column, Document, Grid, Items, Paragraph, Section
from skcompare.reporting.explain import PATTERNS
from skcompare.reporting.opening import caution_of, ends, too_little
from skcompare.reporting.summary.search import SearchSummary

MAX_NAMED = 4
MAX_CANDIDATES, MAX_LETTERS = 2, 60  # whose names stand in the first line
SHORT_ROWS, FULL_ROWS, MAX_EFFECTS = 8, 20, 10


def search_document(
    search: SearchSummary, *, full: bool = False, leaders: Document | None = None, n_rows: int | None = None
) -> Document:
    """The answer, the leading candidates and what they rest on; in full also parameters, metrics and warnings.

    `leaders` compares the leading candidates as a result; `n_rows` are the candidates of the table.
    """
    said = {"parameters": _parameters(search), "caution": caution_of(search.warnings), "test": _test(search)}
    hints = {"test": "More: report.explain()."}
    blocks: list[Block] = [
        Paragraph(name="answer", text=opening(search)),
        Paragraph(name="design", text=_searched(search)),
        ranking(search, n_rows or (FULL_ROWS if full else SHORT_ROWS)),
        *(Paragraph(name=name, text=text, hint=hints.get(name, "")) for name, text in said.items() if text),
    ]
    if full:
        sections: dict[str, list[Block]] = {
            "What the best score is worth": [Items(name="worth", texts=tuple(_worth(search)))],
            "Parameters": [*_effects(search)],
            PATTERNS: [*_leading(search, leaders)],
            "The test and what it assumes": [Items(name="assumes", texts=tuple(_method(search)))],
            "All warnings": [Items(name="warnings", texts=tuple(map(str, search.warnings)))] if search.warnings else [],
            "To run it again": [*_again(search)],
        }
        blocks += [Section(title=title, blocks=tuple(inner)) for title, inner in sections.items() if inner]
    return Document(title=f"Search among {search.n_candidates} candidates", blocks=tuple(blocks))


# ---- the first line -------------------------------------------------------------------------------------------


def opening(search: SearchSummary) -> str:
    """Which candidate to use, its bias-corrected score, and how far it is ahead of the others."""
    answer, first = search.answer, search.answer.metrics[0]
    if answer.forbidden:
        return answer.forbidden
    if not answer.within_reach:
        return too_little(first.metric, search.comparison.families, counted(search.n_splits, "split"))
    if first.leader is None or not first.known:
        return f"No candidate can be named on {label(first.metric)}: too few scores can be compared."
    rows, means = _rows_and_means(search)
    places, leader = places_for([row for row in rows if row is not None], means), _called(first.leader)
    twins = {name for group in answer.same if first.leader in group for name in group}
    alike = [name for name in first.not_different if name not in twins]
    corrected = search.selection_bias.corrected
    score = f"bias-corrected {label(first.metric)} {number(corrected, places)}" if corrected == corrected else ""
    if not alike and not first.worse:
        has = agreeing(len(first.not_different), "has", "have")
        return f"{leader} leads; {_candidates(first.not_different)} {has} the same scores on all {answer.cases}."
    by_name = {row.b: row for row in rows if row is not None}
    if alike:
        again = {name for group in answer.same for name in group[1:]}
        different = [by_name[name] for name in alike if name not in again]
        apart = _apart(different, {row.name for row in _shown(search, SHORT_ROWS)}, places)
        said = f"{leader} and {_candidates(first.not_different)} share the lead{apart}"
        is_worse = f"; {_candidates(first.worse)} {agreeing(len(first.worse), 'is', 'are')} significantly worse"
        said = f"{said}{is_worse}" if first.worse else f"No clear winner: {said}"
        return f"{said}. {score[0].upper()}{score[1:]}." if score else f"{said}."
    nearest = min((by_name[name] for name in first.worse), key=lambda row: row.estimate)
    ahead = f"{number(nearest.estimate, places, signed=True)} over {_called(nearest.b, 'the next one')}"
    if isfinite(nearest.low + nearest.high):
        ahead += f" ({percent_of(1 - search.alpha)} interval {ends(nearest, places)})"
    as_good = " (others have the same scores)" if len(twins) > 1 else ""
    rest = "; all others are significantly worse" if len(first.worse) > 1 else ""
    return f"Use {leader}{as_good}: {', '.join(filter(None, [score, ahead]))}{rest}."


def _apart(alike: Sequence[ComparisonRow], shown: Container[str], places: int) -> str:
    """How far the best may be ahead of the others that share its lead, or of the next one where not all are shown."""
    rows = alike if all(row.b in shown for row in alike) else alike[:1]
    most = max((row.high for row in rows if isfinite(row.high)), default=0.0)
    if not most > 0 or rows[0].b not in shown:
        return ""
    size = f"up to {number(most, places)} {label(rows[0].metric)}"
    return f", {size} apart" if len(rows) == len(alike) else f", the next one {size} behind"


def _shown(search: SearchSummary, n_rows: int) -> Sequence[Any]:
    """The candidates of the table: of many the first ones with different scores, and whom the first line names.

    Of those that are significantly worse the best ones stand there in any case.
    """
    if len(search.ranking) <= n_rows:
        return search.ranking
    found = [row for row in search.ranking if not row.same_as]
    worse = [row for row in found[n_rows:] if row.significantly_different]
    n_worse = len(worse) if len(search.answer.metrics[0].worse) <= MAX_CANDIDATES else 1
    kept = worse[:n_worse] if not any(row.significantly_different for row in found[:n_rows]) else []
    return [*found[: n_rows - len(kept)], *kept]


def _called(name: str, otherwise: str = "the first candidate of the table") -> str:
    """The name, where it is short."""
    return name if len(name) <= MAX_LETTERS else otherwise


def _candidates(names: Sequence[str]) -> str:
    """The names where they are few and short, else how many there are."""
    if len(names) <= MAX_CANDIDATES and sum(map(len, names)) <= MAX_LETTERS and not any("," in name for name in names):
        return listed(names)
    return counted(len(names), "other")


# ---- what was searched, what the best score is worth, which parameter mattered -----------------------------------


def _searched(search: SearchSummary) -> str:
    """How many candidates, on which splits of how many samples."""
    different = f"{search.n_tested} with different scores" if search.n_tested > 1 else "all with the same scores"
    different = f" ({different})" if search.answer.same else ""
    size = "" if search.n_samples is None else f"{search.n_samples:,} samples, "
    return f"{size}{search.design}, {search.n_candidates} candidates{different}."


def _worth(search: SearchSummary) -> Iterator[str]:
    """What the best score is worth when it is allowed for that it was picked."""
    apparent, corrected = search.selection_bias.apparent, search.selection_bias.corrected
    if corrected == corrected:
        places = decimals([apparent])
        bias = number(abs(apparent - corrected), places)
        if float(bias):
            yield f"The best mean {number(apparent, places)} was picked for being high."
            yield f"Its selection bias is about {bias}: the bias-corrected score is {number(corrected, places)}."
        else:
            yield "That the best mean was picked for being high shows no selection bias."
    yield f"Selection bias: {search.selection_bias.method}."


def _parameters(search: SearchSummary) -> str:
    """Which parameters were shown to matter, the one with the largest share in full."""
    effects = [effect for effect in search.effects if effect.pvalue_adjusted == effect.pvalue_adjusted]
    if not effects:
        return ""
    shown = [effect for effect in effects if effect.pvalue_adjusted < search.alpha]
    if not shown:
        least = min(effects, key=lambda effect: effect.pvalue_adjusted)
        if len(effects) == 1:
            return f"{least.parameter} was not shown to matter ({_p(least)})."
        return f"No parameter was shown to matter (smallest {_p(least)}, of {least.parameter})."
    first = shown[0]
    # another can have a larger share and not be shown
    most = " most" if first is effects[0] and len(effects) > 1 else ""
    partial = any(warning.code == Code.PARTIAL.name for warning in first.warnings)
    among = " among the candidates that have it" if partial else ""
    share = f"{percent(first.share)} of the variance between candidates"
    on_average = "" if len(search.effects) == 1 else " on average"
    best = f"Its best value{on_average} is {_called(first.best, 'the first of the table')}{among}."
    rest = [effect.parameter for effect in shown[1:]]
    too = f" {listed(rest) if len(rest) <= MAX_NAMED else f'{len(rest)} more parameters'} mattered too." if rest else ""
    return f"{first.parameter} mattered{most}: {share}, {_p(first)}. {best}{too}"


def _p(effect: Any) -> str:
    return equal_to("adjusted p", effect.pvalue_adjusted)


# ---- tables ---------------------------------------------------------------------------------------------------


def _rows_and_means(
    search: SearchSummary, ranked: Sequence[Any] = ()
) -> tuple[list[ComparisonRow | None], MetricMeans]:
    """The best against each of some candidates, and the means of these; by default all."""
    ranked, known = ranked or search.ranking, {row.b: row for row in search.comparison}
    means = tuple(row.mean for row in ranked)
    n = search.n_splits
    of_metric = MetricMeans(name=search.metric, greater_is_better=True, means=means, merits=means, n_all=n, n_common=n)
    return [known.get(row.name) for row in ranked], of_metric


def ranking(search: SearchSummary, n_rows: int) -> Grid:
    """The candidates in their ranking with the lead of the best; of many those with different scores."""
    ranked = _shown(search, n_rows)
    _, of_all = _rows_and_means(search)
    places = places_for([*search.comparison], of_all)
    rows, means = _rows_and_means(search, ranked)
    marks = ["worse" if row.significantly_different else "" for row in ranked]
    lead, interval, p, _ = comparison_columns(rows, [places] * len(rows), search.comparison)
    columns = (
        text_column("candidate", "", [row.name for row in ranked]),
        mean_column(means, range(len(ranked)), places, marks),
        *(lead, interval, p),
    )
    less = f"Less is better for {label(search.metric)}; a positive lead favours the first." if is_loss(means) else ""
    legend = "* significantly worse than the first." if any(marks) else ""
    caption = " ".join(filter(None, [legend, words.together(search.comparison), less]))
    n, names = search.n_candidates - len(ranked), {row.name for row in ranked}
    n_same = sum(len(group) - 1 for group in search.answer.same if group[0] in names) if n else 0
    same = f" ({n_same} with the same scores as one of these)" if n_same else ""
    more = f"{n} more{same}: `.ranking`, `.to_frame()`." if n > 0 else ""
    return Grid(name="ranking", columns=columns, caption=caption, more=more)


def _effects(search: SearchSummary) -> Iterator[Block]:
    """What each parameter does, averaged over the others."""
    effects = search.effects[:MAX_EFFECTS]
    if not effects:
        return
    places = decimals([mean for effect in effects for mean in effect.means])
    best, worst = ([end(effect.means) for effect in effects] for end in (max, min))

    def column(name: str, head: str, cells: Sequence[str], values: Sequence[Any]) -> Column:
        return Column(name=name, head=head, cells=tuple(cells), values=tuple(values))

    shares, adjusted = [one.share for one in effects], [one.pvalue_adjusted for one in effects]
    columns = (
        text_column("parameter", "parameter", [effect.parameter for effect in effects]),
        text_column("best", "best value", [effect.best for effect in effects]),
        column("mean_of_best", "mean", [number(mean, places) for mean in best], best),
        text_column("worst", "worst value", [effect.worst for effect in effects]),
        column("mean_of_worst", "mean", [number(mean, places) for mean in worst], worst),
        column("share", "share", [percent(share) for share in shares], shares),
        column("pvalue_adjusted", "p adj.", [pvalue(p) for p in adjusted], adjusted),
    )
    caption = "Share: how much of the variance of the candidates' means lies between the values of a parameter."
    more = len(search.effects) - MAX_EFFECTS
    yield Grid(
        name="parameters", columns=columns, caption=caption, more=f"{more} more: `.effects`." if more > 0 else ""
    )


def _leading(search: SearchSummary, leaders: Document | None) -> Iterator[Block]:
    """The leading candidates on all metrics, and their most frequent patterns of wins."""
    if leaders is None or len(search.metrics) == 1:
        return
    said = f"{label(search.metric)} is decided by the ranking; the other metrics have an error rate of their own."
    yield Paragraph(name="leading", text=said)
    for block in leaders.blocks:
        if isinstance(block, Grid):
            yield block
        elif isinstance(block, Section) and block.title == PATTERNS:
            yield from block.blocks


# ---- what it rests on -----------------------------------------------------------------------------------------


def _test(search: SearchSummary) -> str:
    """The test and its error rate."""
    n = search.comparison.families[0].n
    share = f"; its {n} comparisons share an error rate of {percent_of(search.alpha)}" if n > 1 else ""
    return f"Model confidence set of corrected t tests{share}."


def _method(search: SearchSummary) -> list[str]:
    return [
        f"{search.procedure[0].upper()}{search.procedure[1:]}.",
        f"In {percent_of(1 - search.alpha)} of cases no candidate as good as the best is called significantly worse.",
        f"It assumes normal differences and a correlation of two splits of {search.fold_correlation:.3g}.",
    ]


def _again(search: SearchSummary) -> Iterator[Block]:
    known = search.provenance
    lines = [f"{name}: {value}" for name, value in known.items() if isinstance(value, (str, int))]
    versions = known.get("versions")
    lines += [f"{name}: {version}" for name, version in versions.items()] if isinstance(versions, Mapping) else []
    lines += [f"hash of the splits (SHA-256): {search.split_hash}"] if search.split_hash else []
    if lines:
        yield Items(name="provenance", texts=tuple(lines))
