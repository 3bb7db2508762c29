"""The verdict in sentences that need no statistics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations
from math import isclose, nan

from skcompare.comparison.detectable import POWER, DetectableRange
from skcompare.comparison.table import ComparisonRow, Outcome
from skcompare.reporting._words import counted, decimals, joint_heading, joint_lines, listed, number, printable
from skcompare.reporting.summary.records import ComparedSummary, MetricSummary
from skcompare.reporting.summary.study import StudySummary

MAX_NAMED = 6
MAX_METRICS = 3
ROUNDING = 1e-12  # as skcompare.inference._base.ROUNDING
OPEN = (Outcome.UNDECIDED, Outcome.EQUIVALENT)


def sentences(summary: ComparedSummary) -> list[str]:
    """What can be claimed of a result or a study: first on the metrics one by one, last on all of them together.

    Before all else comes the verdict of a sequential evaluation.
    """
    two = len(summary.estimators) == 2
    single = [_pair(summary.rows, *summary.estimators)] if two else _on_each_metric(summary)
    joint = joint_lines(summary) if two else []
    said = [sequential(summary), *single, *(f"{joint_heading(summary)}: {line}." for line in joint)]
    return printable([sentence for sentence in said if sentence])


def sequential(summary: ComparedSummary) -> str:
    """The verdict of an evaluation that was looked at while it ran; empty of others."""
    if summary.stopping is None:
        return ""
    rate = f"one error rate of {summary.stopping.alpha:.3g} over all looks"
    return f"Sequential verdict, {rate}: {summary.stopping}."


def could_have_shown(summary: ComparedSummary) -> str:
    """How large a difference the comparisons that show none would have found; empty where that is not known."""
    rows = summary.detectable
    if not rows:
        return ""
    sizes = [f"{_size(row)} in {row.metric}" for row in rows[:MAX_NAMED]]
    if len(rows) > MAX_NAMED:
        sizes.append(f"others in {len(rows) - MAX_NAMED} more metrics")
    n = summary.n_hypotheses
    alone = f", each as the only one among {n} comparisons" if n > 1 else ""
    level = f"At {summary.alpha:.0%} and with a power of {POWER:.0%}"
    return f"{level} this run could have shown a difference of {listed(sizes)}{alone}."


def _size(row: DetectableRange) -> str:
    """One size for all pairs, or from the smallest to the largest."""
    return " to ".join(dict.fromkeys(map(_two_digits, (row.low, row.high))))


def _two_digits(size: float) -> str:
    return f"{size:.2g}" if size < 1 else number(size, decimals([size]))


def title(summary: ComparedSummary) -> str:
    """Which models are compared."""
    names = summary.estimators
    return f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} models compared"


def leaders(summary: ComparedSummary) -> list[list[str]]:
    """Per metric the models with the best mean rank of a study, or the best mean score of a result.

    Several where they are equal but for rounding; none where there is no such mean.
    """
    if isinstance(summary, StudySummary):
        return [_best(summary.estimators, [-rank for rank in metric.mean_ranks]) for metric in summary.metrics]
    return [best_scores(metric, summary) for metric in summary.metrics]


def merit(summary: ComparedSummary) -> str:
    """What makes a model the leader."""
    return "mean rank" if isinstance(summary, StudySummary) else "mean score"


def best_scores(metric: MetricSummary, summary: ComparedSummary) -> list[str]:
    """The models with the best mean score, but for those that left a sequential evaluation before its end."""
    sign, shorter = 1 if metric.greater_is_better else -1, left_early(summary)
    merits = [sign * mean for mean in metric.means]
    known = [nan if name in shorter else merit for name, merit in zip(summary.estimators, merits, strict=True)]
    return _best(summary.estimators, known)


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


def _best(names: Sequence[str], merits: Sequence[float]) -> list[str]:
    best = max((value for value in merits if value == value), default=nan)
    return [name for name, value in zip(names, merits, strict=True) if isclose(value, best, rel_tol=ROUNDING)]


# ---- two models -----------------------------------------------------------------------------------------------


def _pair(rows: Sequence[ComparisonRow], a: str, b: str) -> str:
    """Two models on all metrics."""
    undecided = [row.metric for row in rows if row.outcome is Outcome.NOT_COMPARABLE]
    open_ = [row.metric for row in rows if row.outcome in OPEN]
    parts = []
    for winner, loser, outcome in ((a, b, Outcome.BETTER), (b, a, Outcome.WORSE)):
        won = [row.metric for row in rows if row.outcome is outcome]
        if won:
            parts.append(f"{winner} is better than {loser} on {_named(won)}")
    begins_with_name = bool(parts)
    if open_:
        where = f"on {_named(open_)}" if parts or len(rows) == 1 else f"on any of {len(rows)} metrics"
        if undecided and not parts:
            where = f"on {_named(open_)}"
        parts.append(f"no difference between {a} and {b} was shown {where}")
    if undecided:
        parts.append(f"nothing can be said of {_named(undecided)}")
    text = "; ".join(parts)
    return f"{text if begins_with_name else text[:1].upper() + text[1:]}." if text else ""


# ---- more models ----------------------------------------------------------------------------------------------


def _on_each_metric(summary: ComparedSummary) -> list[str]:
    """For each of the first metrics who leads, and what the tests say of the others; then a count."""
    names = [metric.name for metric in summary.metrics]
    rows = {name: [row for row in summary.rows if row.metric == name] for name in names[:MAX_METRICS]}
    lines = [
        f"On {metric}, {_leading(rows[metric], best, merit(summary)) if best else _leaderless(rows[metric])}."
        for metric, best in list(zip(names, leaders(summary), strict=True))[:MAX_METRICS]
    ]
    more = len(names) - MAX_METRICS
    rest = [f"The comparisons hold {counted(more, 'more metric')}."] if more > 0 else []
    return [*lines, *rest, _count([row.outcome for row in summary.rows])]


def _count(outcomes: Sequence[Outcome]) -> str:
    n_undecided = outcomes.count(Outcome.NOT_COMPARABLE)
    n_found = sum(outcome not in OPEN for outcome in outcomes) - n_undecided
    open_ = f"; {n_undecided} could not be made" if n_undecided else ""
    return f"A difference was shown in {n_found or 'none'} of {len(outcomes)} comparisons of two models{open_}."


def _leading(rows: Sequence[ComparisonRow], best: Sequence[str], what: str) -> str:
    """What the tests on one metric say of the best models and the others."""
    others = _standings(rows, best)
    n_others = sum(map(len, others.values()))
    beaten, part, unclear = others["beaten"], others["partly beaten"], others["open"]
    if len(best) == 1 and len(beaten) == n_others:
        return f"{best[0]} is better than all {n_others} other models"
    contrary = _contrary(rows, best)
    is_ = "is" if len(best) == 1 else "are"
    claims = [f"{is_} better than {_named(beaten, 'others')}"] if beaten else []
    claims += [f"{is_} not significantly different from {_named(unclear, 'others')}"] if unclear else []
    leads = len(best) == 1 and claims and not contrary
    head = f"{best[0]} leads" if leads else _holding(best, what)
    if contrary:
        head += f", but {listed(contrary)}"
        tail = [f"{best[0] if len(best) == 1 else 'they'} {listed(claims)}"] if claims else []
    else:
        head, tail = listed([head, *claims]), []
    tail += [f"only some of them are better than {_named(part, 'others')}"] if part else []
    return "; ".join([head, *tail, *_unsaid(rows, others["undecided"], best), *_not_made(rows, others, best)])


def _not_made(rows: Sequence[ComparisonRow], others: Mapping[str, Sequence[str]], best: Sequence[str]) -> list[str]:
    """How many comparisons with one of several best models, of which more is said, could not be made."""
    covered = others["undecided"]
    n = sum(
        row.outcome is Outcome.NOT_COMPARABLE and bool({row.a, row.b} & set(best)) and not {row.a, row.b} & set(covered)
        for row in rows
    )
    return [f"{n} of these comparisons could not be made"] if n else []


def _unsaid(rows: Sequence[ComparisonRow], undecided: Sequence[str], best: Sequence[str]) -> list[str]:
    """Models that no test compares at all, and those that none compares with the best."""
    silent = _silent(rows)
    alone = [name for name in undecided if name in silent]
    apart = [name for name in undecided if name not in silent]
    parts = [f"nothing can be said of {_named(alone, 'others')}"] if alone else []
    return parts + (
        [f"nothing can be said of {_named(apart, 'others')} against {_named(best, 'models')}"] if apart else []
    )


def _silent(rows: Sequence[ComparisonRow]) -> list[str]:
    """The models of which all comparisons are undecided."""
    compared = {name for row in rows if row.outcome is not Outcome.NOT_COMPARABLE for name in (row.a, row.b)}
    return [name for name in dict.fromkeys(name for row in rows for name in (row.a, row.b)) if name not in compared]


def _holding(best: Sequence[str], what: str) -> str:
    return f"{best[0]} has the best {what}" if len(best) == 1 else f"{_named(best, 'models')} share the best {what}"


def _contrary(rows: Sequence[ComparisonRow], best: Sequence[str]) -> list[str]:
    """Which models the tests call better than one of the best."""
    won = {(row.a, row.b) for row in rows if row.outcome is Outcome.BETTER}
    won |= {(row.b, row.a) for row in rows if row.outcome is Outcome.WORSE}
    models = dict.fromkeys(name for row in rows for name in (row.a, row.b))
    found = []
    for loser in best:
        winners = [name for name in models if (name, loser) in won]
        if winners:
            found.append(f"{_named(winners, 'others')} {'is' if len(winners) == 1 else 'are'} better than {loser}")
    return found


def _standings(rows: Sequence[ComparisonRow], best: Sequence[str]) -> dict[str, list[str]]:
    """The other models by what the tests say of them against the best."""
    outcomes: dict[str, set[str]] = {}
    for row in rows:
        for leader, other in permutations((row.a, row.b)):
            if leader in best and other not in best:
                outcomes.setdefault(other, set()).add(_outcome(row, leader))
    found: dict[str, list[str]] = {name: [] for name in ("contrary", "beaten", "partly beaten", "open", "undecided")}
    for other, said in outcomes.items():
        found[_standing(said)].append(other)
    return found


def _outcome(row: ComparisonRow, leader: str) -> str:
    if row.outcome is Outcome.NOT_COMPARABLE:
        return "undecided"
    if row.outcome in OPEN:
        return "open"
    return "beaten" if row.outcome is (Outcome.BETTER if row.a == leader else Outcome.WORSE) else "contrary"


def _standing(outcomes: set[str]) -> str:
    """One word for the outcomes against all the best models."""
    if "contrary" in outcomes or len(outcomes) == 1:
        return "contrary" if "contrary" in outcomes else next(iter(outcomes))
    return "partly beaten" if "beaten" in outcomes else "open"


def _leaderless(rows: Sequence[ComparisonRow]) -> str:
    """A metric of which there is no mean over all models."""
    if all(row.outcome is Outcome.NOT_COMPARABLE for row in rows):
        return "nothing can be said"
    head, silent = "no data set has scores of all models, so none leads", _silent(rows)
    return f"{head}; nothing can be said of {_named(silent, 'models')}" if silent else head


def _named(names: Sequence[str], what: str = "metrics") -> str:
    return listed(names) if len(names) <= MAX_NAMED else f"{len(names)} {what}"
