"""The report of a search as plain text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skcompare.reporting._words import decimals, joint_verdict, listed, number, plain, pvalue
from skcompare.reporting.text import doubts_block, item, table, wrap

MAX_EFFECTS = 10
MAX_NAMED = 3
# Apparent scores that are this part of their size too good, or less, are not said to be too good.
_NEGLIGIBLE = 1e-6


def render(summary: Mapping[str, Any]) -> str:
    """The verdict, the leading candidates, the parameters, all metrics together, the doubts, what it rests on."""
    summary = plain(summary)
    blocks = [
        wrap(verdict(summary)),
        f"{_ranking(summary)}{_rest(summary)}",
        _effects(summary),
        _joint(summary),
        doubts_block(summary),
        _method(summary),
    ]
    return "\n\n".join(block for block in blocks if block)


def verdict(summary: Mapping[str, Any]) -> str:
    """What can be claimed, in sentences that need no statistics."""
    summary = plain(summary)
    return " ".join(
        sentence
        for sentence in (f"{_setting(summary)}: {_alike(summary)}{_flattered(summary)}.", _mattered(summary))
        if sentence
    )


# ---- sentences ------------------------------------------------------------------------------------------------


def _setting(summary: Mapping[str, Any]) -> str:
    size = "" if summary["n_samples"] is None else f"{summary['n_samples']} samples, "
    return f"{summary['n_candidates']} candidates, {size}{summary['design']}"


def _alike(summary: Mapping[str, Any]) -> str:
    places = decimals([summary["best_mean"]])
    best = f"{summary['best']}; {summary['metric']} {number(summary['best_mean'], places)}"
    n_others, n_alike = summary["n_tested"] - 1, summary["n_alike"]
    failed = summary["n_candidates"] - summary["n_tested"]
    tested = f" ({failed} failed)" if failed else ""
    if not n_alike:
        return f"the best ({best}) is better than {'the other' if n_others == 1 else f'all {n_others} others'}{tested}"
    if n_alike == n_others:
        which = "the other one is" if n_others == 1 else f"none of the {n_others} others is told apart from the best"
        return (
            f"the other is not told apart from the best ({best}){tested}"
            if n_others == 1
            else f"{which} ({best}){tested}"
        )
    is_ = "is" if n_alike == 1 else "are"
    return f"{n_alike} of {n_others} others {is_} not told apart from the best ({best}){tested}"


def _flattered(summary: Mapping[str, Any]) -> str:
    optimism = summary["optimism"]
    if not optimism["optimism"] > _NEGLIGIBLE * abs(optimism["apparent"]):
        return "; nothing says that its score is too good" if optimism["optimism"] == optimism["optimism"] else ""
    places = decimals([summary["best_mean"]])
    amount = number(optimism["optimism"], places)
    if float(amount) == 0:
        amount = f"{optimism['optimism']:.1g}"
    return f"; its score is too good by about {amount}, {number(optimism['corrected'], places)} is a fairer one"


def _mattered(summary: Mapping[str, Any]) -> str:
    found = [effect for effect in summary["effects"] if effect["pvalue_adjusted"] < summary["alpha"]]
    silent = [effect["parameter"] for effect in summary["effects"] if effect not in found]
    nothing = f"nothing shown for {_few(silent)}" if silent else ""
    if not found:
        return f"Which parameter mattered: {nothing}." if silent else ""
    shown = [
        f"{effect['parameter']} ({share(effect['share'])} of the variance, {_adjusted(effect)})"
        for effect in found[:MAX_NAMED]
    ]
    more = [f"{len(found) - MAX_NAMED} more"] if len(found) > MAX_NAMED else []
    return f"What mattered: {listed([*shown, *more])}{'; ' if nothing else ''}{nothing}."


def share(value: float) -> str:
    """A share of the variance."""
    return "<1%" if 0 < value < 0.005 else f"{100 * value:.0f}%"


def _adjusted(effect: Mapping[str, Any]) -> str:
    return f"p adj. = {pvalue(effect['pvalue_adjusted'])}".replace("= <", "< ")


def _few(names: list[str]) -> str:
    return (
        listed(names)
        if len(names) <= MAX_NAMED
        else f"{', '.join(names[:MAX_NAMED])} and {len(names) - MAX_NAMED} more"
    )


# ---- tables ---------------------------------------------------------------------------------------------------


def _ranking(summary: Mapping[str, Any]) -> str:
    rows = summary["ranking"]
    places = decimals([row["mean"] for row in rows])
    header = ["rank", summary["metric"], "- best", "95% interval", "p adj.", "verdict", "candidate"]
    lines = [
        [
            str(row["rank"]),
            number(row["mean"], places),
            number(row["difference"], places, signed=True),
            interval(row, places),
            pvalue(row["pvalue"]),
            standing(row),
            row["name"],
        ]
        for row in rows
    ]
    return table(header, lines, left=(5, 6))


def interval(row: Mapping[str, Any], places: int) -> str:
    """The interval of a difference to the best; empty for the best itself."""
    if row["low"] == row["high"] == 0:
        return ""
    return (
        f"[{number(row['low'], places, signed=True)}, {number(row['high'], places, signed=True)}]"
        if row["low"] == row["low"]
        else "n/a"
    )


def standing(row: Mapping[str, Any]) -> str:
    """What the ranking says of a candidate, in a word or two."""
    if row["pvalue"] != row["pvalue"]:
        return "failed"
    if row["rank"] == 1:
        return "best"
    return "worse" if row["told_apart"] else "not told apart"


def _rest(summary: Mapping[str, Any]) -> str:
    n = summary["n_candidates"] - len(summary["ranking"])
    return f"\n{n} more: `.ranking`, `.to_frame()`." if n else ""


def _effects(summary: Mapping[str, Any]) -> str:
    effects = summary["effects"]
    if not effects:
        return ""
    header = ["parameter", "best value", "mean", "worst value", "mean", "share", "p", "p adj."]
    places = decimals([mean for effect in effects for mean in effect["means"]])
    lines = [
        [
            effect["parameter"],
            effect["best"],
            number(max(effect["means"]), places),
            effect["worst"],
            number(min(effect["means"]), places),
            share(effect["share"]),
            pvalue(effect["pvalue"]),
            pvalue(effect["pvalue_adjusted"]),
        ]
        for effect in effects[:MAX_EFFECTS]
    ]
    more = f"\n{len(effects) - MAX_EFFECTS} more: `.effects`." if len(effects) > MAX_EFFECTS else ""
    return table(header, lines, left=(0, 1, 3)) + more


def _joint(summary: Mapping[str, Any]) -> str:
    if not summary["joint"]:
        return ""
    lines = [
        item(f"{joint['b']}: {joint_verdict({**joint, 'a': 'the best', 'b': 'it'}, summary['alpha'])}")
        for joint in summary["joint"]
    ]
    return "\n".join([wrap(f"{listed(summary['metrics'])} together, the best against the next ones:"), *lines])


# ---- what it rests on -----------------------------------------------------------------------------------------


def _method(summary: Mapping[str, Any]) -> str:
    alpha = summary["alpha"]
    lines = [
        f"p adj.: {summary['procedure']}. It allows for the overlap of the training sets and for all comparisons of "
        f"{summary['n_tested']} candidates, the choice of the best among them: with probability {1 - alpha:.0%} no "
        f"candidate as good as the best is called worse. It assumes normal differences and a correlation of two "
        f"splits equal to the test fraction, {summary['test_fraction']:.3g}.",
        "Each interval is of the difference to the best, for its own candidate alone, without the choice of the best.",
        f"Too good by: {summary['optimism']['method']}.",
    ]
    if summary["effects"]:
        lines.append(
            "Share: how much of the variance of the candidates' means lies between the values of a parameter, averaged "
            "over the others; p: of the largest difference of two values, adjusted (holm) over the parameters."
        )
    return "\n".join(map(wrap, lines))
