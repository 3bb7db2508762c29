"""The verdict on a search in sentences that need no statistics."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skcompare._core.html import cut
from skcompare._core.warnings import Code
from skcompare.reporting._words import decimals, equal_to, joint_verdict, listed, number, printable
from skcompare.reporting.summary.search import SearchSummary

MAX_NAMED = 4


def sentences(search: SearchSummary) -> list[str]:
    """Which candidate is best and how sure that is, what its score is worth, and which parameter mattered."""
    said = printable([_best(search), _others(search), _worth(search), _parameters(search)])
    return [sentence for sentence in said if sentence]


def share_text(share: float) -> str:
    """A share of the variance."""
    if share != share:
        return "n/a"
    return "<1%" if 0 < share < 0.005 else f"{100 * share:.0f}%"


def _best(search: SearchSummary) -> str:
    score = number(search.best_mean, decimals([search.best_mean]))
    mean = f"a mean {search.metric} of {score} over {search.n_splits} splits"
    size = "" if search.n_samples is None else f" of {search.n_samples} samples"
    n_best = search.n_best
    shared = f", shared by {n_best} candidates" if n_best > 1 else ""
    return (
        f"The best of {search.n_candidates} candidates is {cut(search.best)}, with {mean} ({search.design}"
        f"{size}){shared}."
    )


def _others(search: SearchSummary) -> str:
    """What is known of all the others: as good as far as one can tell, worse, failed."""
    n_alike, n_worse = search.n_alike, search.n_tested - 1 - search.n_alike
    n_failed = search.n_candidates - search.n_tested
    budget = f"at an error rate of {100 * search.alpha:g}% for all comparisons together"
    if n_alike:
        one = n_alike == 1
        others = [row for row in search.ranking[1:] if row.pvalue == row.pvalue and not row.pvalue < search.alpha]
        named = f" ({listed([cut(row.name) for row in others])})" if len(others) == n_alike <= MAX_NAMED else ""
        are = "it is" if one else "they are"
        parts = [
            f"{n_alike} other{'' if one else 's'}{named} may be as good: {budget} {are} not significantly different "
            f"from it",
            *([f"{n_worse} {'is' if n_worse == 1 else 'are'} worse"] if n_worse else []),
        ]
    else:
        parts = [f"it is better than {'the other' if n_worse == 1 else f'all {n_worse} others'}, {budget}"]
    if n_failed:
        parts.append(f"{n_failed} lack{'s' if n_failed == 1 else ''} a score")
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


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
    share = f"{share_text(first.share)} of the variance between the candidates"
    # another can have a larger share and not be shown
    most = " most" if first is effects[0] and len(effects) > 1 else ""
    partial = any(warning.code == Code.PARTIAL.name for warning in first.warnings)
    among = " among the candidates that have it" if partial else ""
    best = f"{cut(first.best)} the best value{among}"
    lines = [f"{first.parameter} mattered{most} ({share}, {_p(first)}), with {best}"]
    if rest := [effect.parameter for effect in shown[1:]]:
        lines.append(f"{_named(rest)} mattered too")
    if silent:
        lines.append(f"of {'the other' if silent == 1 else f'{silent} others'} no effect was shown")
    return f"{'; '.join(lines)}."


def _named(names: Sequence[str]) -> str:
    return listed(names) if len(names) <= MAX_NAMED else f"{len(names)} more parameters"


def joint_heading(search: SearchSummary) -> str:
    """What the verdicts on all metrics together are about, and what their p-values allow for."""
    n = search.n_tested
    pairs = f"all {n * (n - 1) // 2} pairs of the {n} candidates" if n > 2 else "the only pair"
    n_next = len(search.joint)
    which = "one" if n_next == 1 else str(n_next)
    return (
        f"{listed(search.metrics)} together, the best against the next {which}; p adjusted for {pairs}, and "
        f"never below that of the ranking"
    )


def joint_lines(search: SearchSummary) -> list[str]:
    """The verdict on all metrics together of the best against each of the next ones."""
    return [f"{joint.b}: {joint_verdict(joint, 'the best', 'it')}" for joint in search.joint]


def _p(effect: Any) -> str:
    return equal_to("adjusted p", effect.pvalue_adjusted)
