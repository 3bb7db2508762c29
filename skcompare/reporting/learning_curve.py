"""A learning curve in words: does the verdict hold for another number of training samples?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import listed
from skcompare.comparison.answered import Answer, PairAnswer
from skcompare.comparison.table import Outcome
from skcompare.reporting._words import FORBIDDING, OF_CLAIMS, printable
from skcompare.reporting.answer import among_models, first_line, named, over
from skcompare.reporting.summary.learning_curve import LearningCurveSummary
from skcompare.reporting.verdict import concerns, forecasts

MOST_CROSSINGS = 3


def sentences(summary: LearningCurveSummary) -> list[str]:
    """The answer: what to use at which sizes, who is not better than the baseline, and where the curves cross."""
    if not summary.within_reach:
        n = f"{summary.comparison.n_hypotheses} comparisons"
        return [f"Nothing can be concluded: with so little data no difference can be significant among {n}."]
    metric = summary.answers[summary.sizes[-1]].metrics[0].metric
    names = [name for name in summary.estimators if name != summary.baseline]
    on = f" on {metric}" if len(summary.metrics) > 1 else ""
    said = []
    if len(names) == 1:
        said.append(_two(summary, metric, names[0], str(summary.baseline), on))
    elif len(names) == 2:
        said += [_two(summary, metric, names[0], names[1], on), _over_baseline(summary, names, on)]
    else:
        said += [*_many(summary, metric, on), _over_baseline(summary, names, on)]
    said += [one._sentence() for one in summary.crossings[:MOST_CROSSINGS]]
    said.append(forecasts(summary.comparison))
    return printable([one for one in said if one])


def by_weight(summary: LearningCurveSummary) -> tuple[list[CodedWarning], list[CodedWarning]]:
    """The warnings that stand beside the answer, as those of an evaluation of some size would, and the others."""
    forbidding = [one for one in summary.warnings if _weighs(summary, one)]
    if not summary.within_reach:
        too_few = [one for one in summary.warnings if one.code == Code.CANNOT_REJECT.name]
        forbidding += sorted(too_few, key=lambda warning: warning.where != "")[:1]
    return forbidding, [one for one in summary.warnings if one not in forbidding]


def _weighs(summary: LearningCurveSummary, warning: CodedWarning) -> bool:
    if warning.code in FORBIDDING:
        return True
    rows = [row for row in summary.comparison if row.size in summary.warned_at[warning]]
    if warning.code in OF_CLAIMS:
        return any(row.winner is not None and concerns(warning, row, summary.estimators) for row in rows)
    lost = (row for row in rows if row.outcome is Outcome.NOT_COMPARABLE)
    return warning.code == Code.MISSING.name and any(concerns(warning, row, summary.estimators) for row in lost)


# ---- sizes in words -------------------------------------------------------------------------------------------


def at_sizes(sizes: Sequence[int], chosen: Sequence[int]) -> str:
    """Some of the sizes: ``up to 120``, ``from 400 on``, ``from 102 to 205``, ``at 51 and 512``."""
    places = [sizes.index(size) for size in chosen]
    connected = places == [*range(places[0], places[-1] + 1)]
    if len(places) == 1 or not connected:
        return f"at {listed([str(size) for size in chosen])}"
    if places[0] == 0:
        return f"up to {chosen[-1]}"
    return f"from {chosen[0]} on" if places[-1] == len(sizes) - 1 else f"from {chosen[0]} to {chosen[-1]}"


def _every(summary: LearningCurveSummary) -> str:
    return f"from {summary.sizes[0]} to {summary.sizes[-1]} training samples"


# ---- two models -----------------------------------------------------------------------------------------------


def _two(summary: LearningCurveSummary, metric: str, a: str, b: str, on: str) -> str:
    """Two models at all sizes; `b` may be the baseline."""
    sizes = summary.sizes
    pairs = {size: found.pair(a, b) for size, found in summary.answers.items()}
    won = {
        a: [size for size, pair in pairs.items() if metric in pair.better],
        b: [size for size, pair in pairs.items() if metric in pair.worse],
    }
    unknown = [size for size, pair in pairs.items() if metric in pair.not_comparable]
    less = {
        a: [size for size, pair in pairs.items() if metric in pair.smaller],
        b: [size for size, pair in pairs.items() if metric in pair.larger],
    }
    shown = {a: a, b: over(summary.answers[sizes[-1]]) if b == summary.baseline else b}
    rest = [size for size in sizes if size not in (*won[a], *won[b], *less[a], *less[b], *unknown)]
    lost = f" Nothing can be said {at_sizes(sizes, unknown)}." if unknown else ""
    for one, other in ((a, b), (b, a)):
        if less[one]:
            where = "at every size" if len(less[one]) == len(sizes) else at_sizes(sizes, less[one])
            lost += f" {one} is smaller than {other}{on}, on every split, {where}."
    if not won[a] and not won[b] and not rest:
        return lost.strip() if less[a] or less[b] else f"Nothing can be said of {a} and {shown[b]}{on} at any size."
    for winner, loser in ((a, b), (b, a)):
        if len(won[winner]) == len(sizes):
            return _always(summary, metric, winner, shown[winner], shown[loser], on)
    if not won[a] and not won[b]:
        if b == summary.baseline:
            return f"{a} is not significantly better than {shown[b]}{on} at any size {_every(summary)}.{lost}"
        return f"{a} and {b} are not significantly different{on} at any size {_every(summary)}.{lost}"
    open_ = f"; {at_sizes(sizes, rest)} they are not significantly different" if rest else ""
    if won[a] and won[b]:
        before, after = (a, b) if won[a][0] < won[b][0] else (b, a)
        first = f"{shown[before]} is significantly better{on} {at_sizes(sizes, won[before])} training samples"
        return f"{first}, {shown[after]} {at_sizes(sizes, won[after])}{open_}.{lost}"
    winner, loser = (a, b) if won[a] else (b, a)
    who = f"{shown[winner]} is significantly better than {shown[loser]}"
    return f"{who}{on} {at_sizes(sizes, won[winner])} training samples{open_}.{lost}"


def _always(summary: LearningCurveSummary, metric: str, winner: str, shown: str, loser: str, on: str) -> str:
    """One of two models is significantly better at every size; whether it may be used baseline and units say."""
    base, answers = summary.baseline, summary.answers.values()
    one_unit = all(on.one_unit for one in answers for on in one.metrics if on.metric == metric)
    facing = [] if base in (None, winner) else [one.pair(winner, str(base)) for one in answers]
    usable = one_unit and all(metric in pair.better for pair in facing)
    if base != winner and loser in summary.estimators and usable:
        return f"Use {winner} at every size {_every(summary)}: {loser} is significantly worse{on}."
    return f"{shown} is significantly better than {loser}{on} at every size {_every(summary)}."


# ---- more models ----------------------------------------------------------------------------------------------


def _many(summary: LearningCurveSummary, metric: str, on: str) -> list[str]:
    """The verdict with the largest training sets, and at which other sizes it is the same."""
    largest = summary.sizes[-1]
    verdicts = {size: on_one(found, metric) for size, found in summary.answers.items()}
    said = _verdict(verdicts[largest])
    same = [size for size in summary.sizes[:-1] if _key(verdicts[size]) == _key(verdicts[largest])]
    other = [size for size in summary.sizes[:-1] if size not in same]
    if not other:
        return [f"At every size {_every(summary)}{on}: {said}"]
    holds = f"The verdict also holds {at_sizes(summary.sizes, same)}" if same else "It does not hold at smaller sizes"
    leaders: dict[str, list[int]] = {}
    for size in other:
        leader = verdicts[size].metrics[0].leader
        leaders.setdefault(str(leader), []).append(size)
    told = [f"{leader} leads {at_sizes(summary.sizes, sizes)}" for leader, sizes in leaders.items() if leader != "None"]
    not_at = f", not {at_sizes(summary.sizes, other)}" if same else ""
    where = f" ({'; '.join(told)})" if told else ""
    return [f"With {largest} training samples{on}: {said}", f"{holds}{not_at}{where}."]


def on_one(answer: Answer, metric: str) -> Answer:
    """The answer on one metric."""

    def only(pair: PairAnswer) -> PairAnswer:
        def own(names: tuple[str, ...]) -> tuple[str, ...]:
            return (metric,) if metric in names else ()

        return PairAnswer(
            a=pair.a,
            b=pair.b,
            better=own(pair.better),
            worse=own(pair.worse),
            undecided=own(pair.undecided),
            not_comparable=own(pair.not_comparable),
            not_tested=own(pair.not_tested),
            smaller=own(pair.smaller),
            larger=own(pair.larger),
        )

    metrics = tuple(on for on in answer.metrics if on.metric == metric)
    return replace(answer, metrics=metrics, pairs=tuple(map(only, answer.pairs)), n_metrics=1, within_reach=True)


def _verdict(answer: Answer) -> str:
    """What is known of the models among themselves at one size; who is better than the baseline is said of all."""
    first = answer.metrics[0]
    if answer.baseline is None or first.leader is None or first.leader == answer.baseline:
        return first_line(answer)
    return among_models(answer.without_baseline(), (), use=answer.recommends)


def _key(answer: Answer) -> object:
    """What a verdict says: two with the same one are the same."""
    first = answer.metrics[0]
    others = {*first.worse} - {answer.baseline}
    sizes = frozenset(first.smaller), frozenset(first.larger)
    unknown = frozenset(first.not_comparable)
    return (first.leader if others else None), frozenset(others), sizes, unknown, answer.recommends


# ---- the baseline and the crossings ---------------------------------------------------------------------------


def _over_baseline(summary: LearningCurveSummary, names: Sequence[str], on: str) -> str:
    """At which sizes which models are not significantly better than the baseline; empty where there is none."""
    if summary.baseline is None:
        return ""
    metric, what = summary.answers[summary.sizes[-1]].metrics[0].metric, over(summary.answers[summary.sizes[-1]])
    not_better: dict[str, list[int]] = {}
    for size, found in summary.answers.items():
        for name in names:
            if metric not in found.pair(name, summary.baseline).better:
                not_better.setdefault(name, []).append(size)
    if not not_better:
        who = "Both" if len(names) == 2 else f"All {len(names)}"
        return f"{who} are significantly better than {what}{on} at every size."
    said = [
        f"{name} {'at any size' if len(sizes) == len(summary.sizes) else at_sizes(summary.sizes, sizes)}"
        for name, sizes in not_better.items()
    ]
    return f"Not significantly better than {what}{on}: {named(said, 'models')}."
