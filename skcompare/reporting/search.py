"""What a search found, as a document: the best candidate, the ranking, the parameters, all metrics, the warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from skcompare._core.document import Block, Document, Grid, Paragraph, Section, as_items, as_warnings, with_sections
from skcompare._core.metrics import LOSSES, label
from skcompare._core.numbers import agreeing, counted, equal_to, listed, number, percent, percent_of, pvalue
from skcompare._core.record import Frozen
from skcompare._core.text import capital
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison.answer import Answer
from skcompare.comparison.means import MetricMeans, is_loss, shown_score
from skcompare.comparison.table import ComparisonRow, ComparisonTable
from skcompare.inference._records import Correction
from skcompare.reporting import columns, words
from skcompare.reporting.explain import PATTERNS, entries
from skcompare.reporting.opening import by, caution_of, ends
from skcompare.reporting.short import paragraphs

MAX_NAMED = 4
MAX_CANDIDATES, MAX_LETTERS = 2, 60  # whose names stand in the first line
SHORT_ROWS, FULL_ROWS, MAX_EFFECTS = 8, 20, 10


class FoundSearch(Frozen):
    """What views show of a search.

    Attributes
    ----------
    report : SearchFindings
        Of `skcompare.selection`: the ranking, the effects of the parameters, the selection bias, the design.
    answer : Answer
        What can be said of the candidates.
    comparison : ComparisonTable
        The best (as `a`) against each other candidate that did not fail, as the ranking decides.
    warnings : tuple of CodedWarning
        Reasons to doubt the findings.
    """

    report: Any
    answer: Answer
    comparison: ComparisonTable
    warnings: Warnings


def search_document(
    found: FoundSearch, *, full: bool = False, leaders: Document | None = None, n_rows: int | None = None
) -> Document:
    """The answer, the leading candidates and what they rest on; in full also parameters, metrics and warnings.

    `leaders` compares the leading candidates as a result; `n_rows` are the candidates of the table.
    """
    said = {"parameters": _parameters(found), "caution": caution_of(found.warnings), "test": _test(found)}
    blocks: tuple[Block, ...] = (
        *paragraphs({"answer": opening(found), "design": _searched(found)}),
        ranking(found, n_rows or (FULL_ROWS if full else SHORT_ROWS)),
        *paragraphs(said, "More: report.explain()."),
    )
    document = Document(title=f"Search among {len(found.report.ranking):,} candidates", blocks=blocks)
    if not full:
        return document
    sections = {
        "What the best score is worth": as_items("worth", _worth(found)),
        "Parameters": _effects(found),
        PATTERNS: _leading(found, leaders),
        "The test and what it assumes": as_items("assumes", _method(found)),
        "All warnings": as_warnings(found.warnings),
        "To run it again": as_items("provenance", _again(found)),
    }
    return with_sections(document, sections)


# ---- the first line -------------------------------------------------------------------------------------------


def opening(found: FoundSearch) -> str:
    """Which candidate to use, its bias-corrected score, and how far it is ahead of the others."""
    answer, first, report = found.answer, found.answer.metrics[0], found.report
    if answer.forbidden:
        return answer.forbidden
    places, leader = _places(found), _called(str(first.leader))
    untested, on, by_name = "", f"on all {answer.cases}", {row.b: row for row in found.comparison}
    if first.unvarying and not first.known:
        names = first.unvarying
        size = f"{number(by_name[names[0]].estimate, places)} " if len(names) == 1 else ""
        others = _candidates(names)
        return f"{leader} is {size}ahead of {others} on {label(first.metric)} {on}, so that no test is possible."
    if first.unvarying:
        where = "always behind" if first.worse and first.not_different else f"behind {on}"  # in fewer words
        untested = f" {_candidates(first.unvarying)} {agreeing(len(first.unvarying), 'is', 'are')} {where}."
    starts = leader if leader == first.leader else capital(leader)  # a sentence
    n = len(first.not_different) + 1
    which, among = ("either", "") if n == 2 else ("any", " of them")
    leads_all = not any(row.significantly_different for row in _shown(found, SHORT_ROWS)[:n])
    of = f" of {'the first' if leads_all else 'these'} {words.in_words(n)}"
    use = f"Use {which}{of if first.worse else among}"
    twins = {name for group in answer.same if first.leader in group for name in group}
    alike = [name for name in first.not_different if name not in twins]
    corrected = shown_score(first.metric, report.selection_bias.corrected)
    score = f"bias-corrected {label(first.metric)} {number(corrected, places)}" if corrected == corrected else ""
    score = "" if untested else score  # of so many words as a first line may have
    if not alike and not first.worse:
        has = agreeing(len(first.not_different), "has", "have")
        same = f"{_candidates(first.not_different)} {has} the same scores on all {answer.cases}"
        return f"{starts} leads; {same}. {use}.{untested}"
    if alike:
        again = {name for group in answer.same for name in group[1:]}
        apart = _apart([by_name[name] for name in alike if name not in again], places)
        said = f"{_candidates(first.not_different, starts if first.worse else leader)} share the lead{apart}"
        is_worse = f"; {_candidates(first.worse)} {agreeing(len(first.worse), 'is', 'are')} significantly worse"
        said = f"{said}{is_worse}" if first.worse else f"No clear winner: {said}"
        return f"{said}. {use}{f': {score}' if score else ''}.{untested}"
    nearest = min((by_name[name] for name in first.worse), key=lambda row: row.estimate)
    less, over = first.metric in LOSSES, _called(nearest.b, "the next one")
    ahead = f"{by(nearest.estimate, places, less=less)} {'than' if less else 'over'} {over}"
    if isfinite(nearest.low + nearest.high):
        ahead += f" ({percent_of(1 - answer.alpha)} interval {ends(nearest, places, less=less)})"
    as_good = " (others have the same scores)" if len(twins) > 1 and not untested else ""
    others = f"all others{' tested' if first.unvarying else ' with scores' if first.not_comparable else ''}"
    rest = f"; {others} are significantly worse" if len(first.worse) > 1 else ""
    return f"Use {leader}{as_good}: {', '.join(filter(None, [score, ahead]))}{rest}.{untested}"


def _apart(alike: Sequence[ComparisonRow], places: int) -> str:
    """How far the best may be ahead of the others that share its lead."""
    most = max((row.high for row in alike if isfinite(row.high)), default=0.0)
    return f", up to {number(most, places)} {label(alike[0].metric)} apart" if most > 0 else ""


def _shown(found: FoundSearch, n_rows: int) -> Sequence[Any]:
    """The candidates of the table: of many the first ones with different scores, and whom the first line speaks of.

    Those are the one that shares the lead and may be the farthest behind, and of those that are significantly worse the
    best ones.
    """
    ranked: Sequence[Any] = found.report.ranking
    if len(ranked) <= n_rows:
        return ranked
    different = [row for row in ranked if not row.same_as]
    worse = [row for row in different if row.significantly_different]
    alike = (row for row in different[1:] if not row.significantly_different and isfinite(row.low))
    named = worse if len(found.answer.metrics[0].worse) <= MAX_CANDIDATES else worse[:1]
    first = {row.name for row in (*named, *sorted(alike, key=lambda row: row.low)[:1])}
    rest = [row.name for row in different if row.name not in first]
    return [row for row in ranked if row.name in {*first, *rest[: n_rows - len(first)]}]


def _called(name: str, otherwise: str = "the first candidate of the table") -> str:
    """The name, where it is short."""
    return name if len(name) <= MAX_LETTERS else otherwise


def _candidates(names: Sequence[str], leader: str = "") -> str:
    """The names where they are few and short, else how many there are; after the leader."""
    every = [leader, *names] if leader else [*names]
    if len(names) <= MAX_CANDIDATES and sum(map(len, names)) <= MAX_LETTERS and not any("," in name for name in every):
        return listed(every)
    others = counted(len(names), "other")
    return f"{leader} and {others}" if leader else others


# ---- what was searched, what the best score is worth, which parameter mattered -----------------------------------


def _searched(found: FoundSearch) -> str:
    """How many candidates, on which splits of how many samples."""
    design, ranked = found.report.design, found.report.ranking
    n = sum(isfinite(row.pvalue) and not row.same_as for row in ranked)
    different = f"{n:,} with different scores" if n > 1 else "all with the same scores"
    different = f" ({different})" if found.answer.same else ""
    size = "" if design.n_samples is None else f"{design.n_samples:,} samples, "
    assumed = " (assumed)" if found.comparison.halves else ""
    return f"{size}{design.name}{assumed}, {len(ranked):,} candidates{different}."


def _worth(found: FoundSearch) -> Iterator[str]:
    """What the best score is worth when it is allowed for that it was picked."""
    bias = found.report.selection_bias
    places = _places(found)
    size = number(abs(bias.apparent - bias.corrected), places)
    apparent, corrected = (
        number(shown_score(found.report.metric, mean), places) for mean in (bias.apparent, bias.corrected)
    )
    if bias.corrected == bias.corrected and float(size):
        yield f"The best mean {apparent} was picked for being high."
        yield f"Its selection bias is about {size}: the bias-corrected score is {corrected}."
    elif bias.corrected == bias.corrected:
        yield "That the best mean was picked for being high shows no selection bias."
    yield f"Selection bias: {bias.method}."


def _parameters(found: FoundSearch) -> str:
    """Which parameters were shown to matter, the one with the largest share in full."""
    every = found.report.effects
    effects = [effect for effect in every if effect.pvalue_adjusted == effect.pvalue_adjusted]
    untested = [effect.parameter for effect in every if effect.pvalue_adjusted != effect.pvalue_adjusted]
    of = listed(untested) if len(untested) <= MAX_NAMED else f"{len(untested)} parameters"
    same = f"Values of {of} differ by the same on all {found.answer.cases}, so that no test is possible."
    return " ".join(filter(None, [_mattered(found, effects) if effects else "", same if untested else ""]))


def _mattered(found: FoundSearch, effects: Sequence[Any]) -> str:
    """What the tests of some parameters say."""
    least = min(effects, key=lambda effect: effect.pvalue_adjusted)
    shown = [effect for effect in effects if effect.pvalue_adjusted < found.answer.alpha]
    if not shown and len(effects) == 1:
        return f"{least.parameter} was not shown to matter ({_p(least)})."
    if not shown:
        return f"No parameter was shown to matter (smallest {_p(least)}, of {least.parameter})."
    first = shown[0]
    # another can have a larger share and not be shown
    most = " most" if first is effects[0] and len(effects) > 1 else ""
    partial = any(warning.code == Code.PARTIAL.name for warning in first.warnings)
    among = " among the candidates that have it" if partial else ""
    share = f"{percent(first.share)} of the variance between candidates"
    on_average = "" if len(found.report.effects) == 1 else " on average"
    best = f"Its best value{on_average} is {_called(first.best, 'the first of the table')}{among}."
    rest = [effect.parameter for effect in shown[1:]]
    too = f" {listed(rest) if len(rest) <= MAX_NAMED else f'{len(rest)} more parameters'} mattered too." if rest else ""
    fragile = [effect.parameter for effect in shown if effect.fragile]
    halves = f" On random halves {listed(fragile)} would not be shown to matter." if fragile else ""
    return f"{first.parameter} mattered{most}: {share}, {_p(first)}. {best}{too}{halves}"


def _p(effect: Any) -> str:
    return equal_to("adjusted p", effect.pvalue_adjusted)


# ---- tables ---------------------------------------------------------------------------------------------------


def _places(found: FoundSearch) -> int:
    """Decimals of all numbers on the metric that decides."""
    return columns.places_for(found.comparison, [row.mean for row in found.report.ranking])


def ranking(found: FoundSearch, n_rows: int) -> Grid:
    """The candidates in their ranking with the lead of the best; of many those with different scores."""
    ranked, places = _shown(found, n_rows), _places(found)
    means, metric = tuple(row.mean for row in ranked), found.report.metric
    of_metric = MetricMeans(name=metric, greater_is_better=True, means=means, merits=means, n_all=0, n_common=0)
    known, names = {row.b: row for row in found.comparison}, [row.name for row in ranked]
    marks = [("worse fragile" if row.fragile else "worse") * row.significantly_different for row in ranked]
    rows = [*map(known.get, names)]
    said = [
        columns.legend(" ".join(marks), "the first", compared=found.comparison),
        words.together(found.comparison),
        f"Less is better for {label(metric)}; a positive lead favours the first." if is_loss(of_metric) else "",
    ]
    n = len(found.report.ranking) - len(ranked)
    n_same = sum(len(group) - 1 for group in found.answer.same if group[0] in names) if n else 0
    same = f" ({n_same:,} with the same scores as one of these)" if n_same else ""
    return Grid(
        name="ranking",
        columns=(
            columns.text_column("candidate", "", names),
            columns.mean_column(of_metric, range(len(ranked)), places, marks),
            *columns.comparison_columns(rows, [places] * len(ranked), found.comparison, of=columns.CANDIDATES),
        ),
        caption=" ".join(filter(None, said)),
        more=f"{n:,} more{same}: report.to_frame()." if n > 0 else "",
    )


def _effects(found: FoundSearch) -> Iterator[Block]:
    """Ends of the values tried that the best candidate has; what each parameter does, averaged over the others."""
    yield from as_items("ends", (f"Of the best, {told}: wider values may be better." for _, told in found.report._ends))
    every = found.report.effects
    effects = every[:MAX_EFFECTS]
    if not effects:
        return
    places, metric = _places(found), found.report.metric
    best, worst = ([shown_score(metric, end(effect.means)) for effect in effects] for end in (max, min))
    parts = (
        columns.text_column("parameter", "parameter", [effect.parameter for effect in effects]),
        columns.text_column("best", "best value", [effect.best for effect in effects]),
        columns.number_column("mean_of_best", "mean", best, places),
        columns.text_column("worst", "worst value", [effect.worst for effect in effects]),
        columns.number_column("mean_of_worst", "mean", worst, places),
        columns.column("share", "share", [effect.share for effect in effects], percent),
        replace(
            columns.column("pvalue_adjusted", "p adj.", [effect.pvalue_adjusted for effect in effects]),
            cells=tuple(f"{pvalue(effect.pvalue_adjusted)}{'~' * effect.fragile}" for effect in effects),
        ),
    )
    said = "Share: how much of the variance of the candidates' means lies between the values of a parameter."
    caption = f"{said} {columns.legend('', compared=found.comparison, rows=effects)}".rstrip()
    more = f"{len(every) - MAX_EFFECTS} more: report.effects." if len(every) > MAX_EFFECTS else ""
    yield Grid(name="parameters", columns=parts, caption=caption, more=more)


def _leading(found: FoundSearch, leaders: Document | None) -> Iterator[Block]:
    """The leading candidates on all metrics, and their most frequent patterns of wins."""
    if leaders is None or len(found.report.metrics) == 1:
        return
    decided = f"{label(found.report.metric)} is decided by the ranking"
    n = len(found.report.result().estimators)
    among = f" Ranks are those among the leading {n}." if n < len(found.comparison) + 1 else ""
    yield Paragraph(name="leading", text=f"{decided}; the other metrics have an error rate of their own.{among}")
    for block in leaders.blocks:
        if isinstance(block, Grid):
            yield block
        elif isinstance(block, Section) and block.title == PATTERNS:
            yield from block.blocks


# ---- what it rests on -----------------------------------------------------------------------------------------


def _test(found: FoundSearch) -> str:
    """The test and its error rate."""
    first = found.answer.metrics[0]
    if first.unvarying and not first.known:
        return f"No test was made on {label(first.metric)}."
    n = found.comparison.families[0].n
    share = f"; its {n:,} comparisons share an error rate of {percent_of(found.answer.alpha)}" if n > 1 else ""
    return f"Model confidence set of {Correction.of(found.report.design).test}s{share}."


def _method(found: FoundSearch) -> Iterator[str]:
    yield f"{capital(found.comparison.procedure)}."
    correlation = Correction.of(found.report.design).fold_correlation
    yield f"It assumes normal differences and a correlation of two splits of {correlation:.3g}."
    level = percent_of(1 - found.answer.alpha)
    yield f"Then in {level} of cases no candidate as good as the best is called significantly worse."


def _again(found: FoundSearch) -> Iterator[str]:
    known, split_hash = found.report.provenance, found.report.design.split_hash
    yield from (f"{name}: {value}" for name, value in known.items() if isinstance(value, (str, int)))
    yield from entries(known.get("versions"))
    if split_hash:
        yield f"hash of the splits (SHA-256): {split_hash}"
