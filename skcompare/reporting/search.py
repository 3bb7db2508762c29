"""What a search found, as a document: the best candidate, the ranking, the parameters, all metrics, the warnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from skcompare._core.html import cut
from skcompare._core.numbers import (
    agreeing,
    counted,
    decimals,
    equal_to,
    interval,
    listed,
    magnitude,
    number,
    percent,
    percent_of,
    pvalue,
)
from skcompare._core.warnings import Code
from skcompare.comparison.answer import Answer, MetricAnswer, PairAnswer
from skcompare.comparison.dominance import DominanceRow, dominance_said
from skcompare.inference import format_statement
from skcompare.reporting.columns import text_column
from skcompare.reporting.document import Block, Column, Document, Grid, Items, Paragraph, Section
from skcompare.reporting.opening import FORBIDDING
from skcompare.reporting.summary.search import SearchSummary

MAX_NAMED = 4
MAX_CANDIDATES, MAX_LETTERS = 3, 100
SHORT_ROWS, FULL_ROWS, MAX_EFFECTS = 8, 20, 10
SMALLEST_SIZE = 1e-4
WORSE = "significantly worse"


def search_document(
    search: SearchSummary, *, full: bool = False, leaders: Document | None = None, n_rows: int | None = None
) -> Document:
    """The answer, the leading candidates and what they rest on; in full also parameters, metrics and warnings.

    `leaders` compares the leading candidates as a result; `n_rows` are the candidates of the table.
    """
    said = {"worth": _worth(search), "parameters": _parameters(search), "test": _test(search)}
    hints = {"test": "More: report.explain()."}
    blocks: list[Block] = [
        Paragraph(name="answer", text=opening(search)),
        Paragraph(name="design", text=_searched(search)),
        ranking(search, n_rows or (FULL_ROWS if full else SHORT_ROWS)),
        *(Paragraph(name=name, text=text, hint=hints.get(name, "")) for name, text in said.items() if text),
    ]
    if full:
        sections: dict[str, list[Block]] = {
            "Parameters": [*_effects(search)],
            "All metrics together": [*_all_metrics(search)],
            "The leading candidates": [] if leaders is None else [*leaders.blocks],
            "The test and what it assumes": [Items(name="test", texts=tuple(_method(search)))],
            "All warnings": [Items(name="warnings", texts=tuple(map(str, search.warnings)))] if search.warnings else [],
            "To run it again": [*_again(search)],
        }
        blocks += [Section(title=title, blocks=tuple(inner)) for title, inner in sections.items() if inner]
    return Document(title=f"Search among {search.n_candidates} candidates", blocks=tuple(blocks))


# ---- the first line -------------------------------------------------------------------------------------------


def opening(search: SearchSummary) -> str:
    """Which candidate to use, and which others may be as good."""
    answer, first = search.answer, search.answer.metrics[0]
    forbidding = next((one for one in search.warnings if one.code in FORBIDDING), None)
    if forbidding is not None:
        return f"Do not use this result: {forbidding.sentence}"
    if not answer.within_reach:
        n = counted(answer.n_pairs * answer.n_metrics, "comparison")
        return f"Too little data: no difference can be significant among {n}."
    if first.leader is None or not first.known:
        return f"No candidate can be named on {first.metric}: too few scores can be compared."
    return _of_search(answer, first)


def _of_search(answer: Answer, first: MetricAnswer) -> str:
    """The candidates of a search: their names are long, so that many are counted."""
    leader = cut(str(first.leader))
    on = f" on {first.metric}" if answer.n_metrics > 1 else ""
    shared = {name: group[1:] for group in answer.same for name in group[:1]}  # by the one that stands for all
    others = {name for names in shared.values() for name in names}
    alike = [name for name in first.not_different if name not in others]
    worse = [name for name in first.worse if name not in others]
    if first.not_different and not alike and not worse:
        has = "has" if len(first.not_different) == 1 else "have"
        parts = [f"{leader} leads{on}; {_candidates(first.not_different)} {has} the same scores on all {answer.cases}"]
    else:
        leader += _same_scores(shared, [str(first.leader)])
        parts = []
        if alike:
            are = f"{_candidates(alike, shared)} {agreeing(len(alike), 'is', 'are')}"
            bound = _at_most(answer, first)
            parts.append(f"{leader} leads{on}; {are} not significantly different from it{bound}")
        if worse:
            more = f"{len(worse)} more{_same_scores(shared, worse)}" if parts else _candidates(worse, shared)
            said = f"{more} {agreeing(len(worse), 'is', 'are')} significantly worse"
            everybody = "All " if len(worse) > MAX_CANDIDATES else ""
            parts.append(said if parts else f"Use {leader}. {everybody}{said}{on}")
    if first.not_comparable:
        n = len(first.not_comparable)
        parts.append(f"nothing can be said of {n} that {'lacks' if n == 1 else 'lack'} a score")
    return f"{'; '.join(parts)}."


def _candidates(names: Sequence[str], shared: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """The names where they are few and short, else how many there are; with those that have the scores of one."""
    if len(names) <= MAX_CANDIDATES and sum(map(len, names)) <= MAX_LETTERS and not any("," in name for name in names):
        return listed([f"{name}{_same_scores(shared, [name])}" for name in names])
    if len(names) == 1 and names[0] in shared:
        return f"{cut(names[0])}{_same_scores(shared, names)}"
    return f"{counted(len(names), 'other candidate')}{_same_scores(shared, names)}"


def _same_scores(shared: Mapping[str, Sequence[str]], names: Sequence[str]) -> str:
    """How many more candidates have the scores of some, in brackets; empty where there is none."""
    n = sum(len(shared.get(name, ())) for name in names)
    return f" (and {n} more with the same scores)" if n else ""


def _at_most(answer: Answer, first: MetricAnswer) -> str:
    """How far from the best candidates can be that are not significantly different from it."""
    if first.bound != first.bound:
        return ""
    k = len(answer.models) - len(first.not_comparable) - sum(len(group) - 1 for group in answer.same)
    n = k * (k - 1) // 2 * answer.n_metrics
    together = f", for all {n} comparisons together" if n > 1 else ""
    return f" (difference at most {size(first.bound)}{together})"


def size(value: float) -> str:
    """A difference with two digits, zeros at the end too."""
    if SMALLEST_SIZE <= value < 1:
        return number(value, 1 - magnitude(value))
    return f"{value:.2g}" if value < 1 else number(value, decimals([value]))


# ---- what was searched, what the best score is worth, which parameter mattered -----------------------------------


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


# ---- all metrics ----------------------------------------------------------------------------------------------


def next_heading(search: SearchSummary) -> str:
    """Who is compared on all metrics, and with which error rate."""
    others = "the next one" if len(search.next) == 1 else f"the next {len(search.next)}"
    rest = [metric for metric in search.metrics if metric != search.metric]
    return (
        f"The best against {others} on all metrics: {search.metric} by the ranking, {_named(rest)} with an error rate "
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
        f"{said} on {every if len(metrics) == n else _named(metrics)}" for said, metrics in groups.items() if metrics
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


# ---- tables ---------------------------------------------------------------------------------------------------


def ranking(search: SearchSummary, n_rows: int) -> Grid:
    """The candidates in their ranking; of many those with different scores."""
    rows = [*search.ranking]
    if len(rows) > n_rows:
        rows = [row for row in rows if not row.same_as][:n_rows]
    places = decimals([row.mean for row in rows])
    against = [against_best(row, places, search.alpha) for row in rows]

    def column(name: str, head: str, cells: Sequence[str], values: Sequence[Any], **options: Any) -> Column:
        return Column(name=name, head=head, cells=tuple(cells), values=tuple(values), **options)

    columns = (
        column("rank", "rank", [str(row.rank) for row in rows], [row.rank for row in rows]),
        column("mean", search.metric, [number(row.mean, places) for row in rows], [row.mean for row in rows]),
        column("difference", "- best", [cells[0] for cells in against], [row.difference for row in rows]),
        column("interval", "interval", [cells[1] for cells in against], [(row.low, row.high) for row in rows]),
        column("pvalue", "p adj.", [cells[2] for cells in against], [row.pvalue for row in rows]),
        text_column("outcome", "outcome", [standing(row, search) for row in rows]),
        text_column("candidate", "candidate", [row.name for row in rows]),
    )
    n, names = search.n_candidates - len(rows), {row.name for row in rows}
    n_same = sum(len(group) - 1 for group in search.answer.same if group[0] in names) if n else 0
    same = f" ({n_same} with the same scores as one of these)" if n_same else ""
    more = f"{n} more{same}: `.ranking`, `.to_frame()`." if n > 0 else ""
    return Grid(name="ranking", columns=columns, more=more)


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
    return WORSE if row.significantly_different else "not significantly different"


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


def _all_metrics(search: SearchSummary) -> Iterator[Block]:
    if search.next:
        yield Paragraph(name="next", text=f"{next_heading(search)}:")
        yield Items(name="next", texts=tuple(next_lines(search)))
        yield Paragraph(name="patterns", text=f"{patterns_heading(search)}:")
        yield Items(name="patterns", texts=tuple(patterns(search)))


# ---- what it rests on -----------------------------------------------------------------------------------------


def _test(search: SearchSummary) -> str:
    """The test and its error rate."""
    different = " with different scores" if search.answer.same else ""
    return (
        f"Confidence set of the best by {search.procedure}; p adj. allows for all comparisons of {search.n_tested} "
        f"candidates{different}, {percent_of(search.alpha)} for all together."
    )


def _method(search: SearchSummary) -> list[str]:
    return [
        f"In {percent_of(1 - search.alpha)} of cases no candidate as good as the best is called significantly worse.",
        f"It assumes normal differences and a correlation of two splits of {search.fold_correlation:.3g}.",
        "Each interval is of the difference to the best; together they hold for all candidates.",
        f"Selection bias: {search.selection_bias.method}.",
    ]


def _again(search: SearchSummary) -> Iterator[Block]:
    known = search.provenance
    lines = [f"{name}: {value}" for name, value in known.items() if isinstance(value, (str, int))]
    versions = known.get("versions")
    lines += [f"{name}: {version}" for name, version in versions.items()] if isinstance(versions, Mapping) else []
    lines += [f"hash of the splits (SHA-256): {search.split_hash}"] if search.split_hash else []
    if lines:
        yield Items(name="provenance", texts=tuple(lines))
