"""What stands around the answer: who is compared, whose means belong together, what a run could have shown."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose

from skcompare.comparison.detectable import POWER, DetectableRange
from skcompare.comparison.means import MetricMeans
from skcompare.inference._base import ROUNDING
from skcompare.reporting._words import listed, printable
from skcompare.reporting.answer import MAX_NAMED, first_line, size
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary


def sentences(summary: ComparedSummary) -> list[str]:
    """The answer of an evaluation or a study, then how an evaluation ended that was looked at while it ran."""
    return printable([sentence for sentence in (first_line(summary.answer), sequential(summary)) if sentence])


def sequential(summary: ComparedSummary) -> str:
    """When an evaluation that was looked at while it ran was decided; empty of others."""
    stopping = summary.stopping
    if stopping is None or not summary.answer.sequential:
        return ""
    when = "Decided" if stopping.kind != "undecided" else "Ended"
    return (
        f"{when} after {stopping.n_repeats} of {stopping.max_repeats} repeats, with {stopping.n_fits} of "
        f"{stopping.n_fits + stopping.n_fits_saved} fits; one error rate of {stopping.alpha:.3g} over all looks."
    )


def could_have_shown(summary: ComparedSummary, metric: str | None = None) -> str:
    """The smallest differences that the open comparisons would have found; empty where that is not known."""
    rows = [row for row in summary.detectable if metric in (None, row.metric)]
    if not rows:
        return ""
    sizes = [f"{_sizes(row)} in {row.metric}" for row in rows[:MAX_NAMED]]
    if len(rows) > MAX_NAMED:
        sizes.append(f"others in {len(rows) - MAX_NAMED} more metrics")
    return f"Smallest detectable difference at {POWER:.0%} power: {listed(sizes)}."


def _sizes(row: DetectableRange) -> str:
    """One size for all pairs, or from the smallest to the largest."""
    return " to ".join(dict.fromkeys(map(size, (row.low, row.high))))


def title(summary: ComparedSummary) -> str:
    """Which models are compared."""
    names = summary.estimators
    return f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} models compared"


def leaders(summary: ComparedSummary) -> list[list[str]]:
    """Per metric the leading model, with those that have the same mean but for rounding; none where none leads."""
    found = {on.metric: on.leader for on in summary.answer.metrics}
    return [_alike(metric, found.get(metric.name), summary.estimators) for metric in summary.metrics]


def _alike(metric: MetricMeans, leader: str | None, names: Sequence[str]) -> list[str]:
    if leader is None:
        return []
    best = metric.merits[names.index(leader)]
    return [leader] + [
        name
        for name, merit in zip(names, metric.merits, strict=True)
        if name != leader and isclose(merit, best, rel_tol=ROUNDING)
    ]


def merit(summary: ComparedSummary) -> str:
    """What makes a model the leader."""
    return "mean rank" if isinstance(summary, StudySummary) else "mean score"


def left_early(summary: ComparedSummary) -> dict[str, str]:
    """The models whose means are over splits of their own, each with which ones."""
    stopping = summary.stopping
    if stopping is None:
        return {}
    n = stopping.n_repeats * stopping.n_folds
    splits = {name: stopping.n_splits_of(name) for name in (*stopping.names, *stopping.worse, *stopping.unscored)}
    fitted = {name: f"first {of} splits" for name, of in splits.items() if of < n}
    return {**dict.fromkeys(stopping.unscored, "lacks scores"), **fitted}


def models(summary: ComparedSummary) -> list[str]:
    """The names, with the splits of those whose means are over splits of their own."""
    own = left_early(summary)
    return [f"{name} ({own[name]})" if name in own else name for name in summary.estimators]
