"""The answer of a search in sentences, and what else is said of its best candidate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcompare._core.html import cut
from skcompare._core.numbers import decimals, equal_to, number, percent, percent_of
from skcompare._core.warnings import Code
from skcompare._core.words import counted, listed
from skcompare.comparison.answered import PairAnswer
from skcompare.comparison.dominance_table import DominanceRow, dominance_said
from skcompare.inference import format_statement
from skcompare.reporting._words import printable
from skcompare.reporting.answer import first_line, named
from skcompare.reporting.summary.search import SearchSummary

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
