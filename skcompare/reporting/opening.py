"""The first line: what to do, by how much, how sure, on the first metric; in at most 30 words and five numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from math import isclose, isfinite
from operator import attrgetter

from skcompare._core import numbers
from skcompare._core.metrics import label
from skcompare._core.record import MAX_ITEMS
from skcompare._core.text import none_named
from skcompare._core.validation import DUMMY
from skcompare._core.warnings import CAUTIONS, Code, CodedWarning, do_not_use
from skcompare.comparison.answer import Answer
from skcompare.comparison.compare import samples_to_settle
from skcompare.comparison.evidence import why_not_connected
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.means import MetricMeans, is_loss
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import ComparisonRow, is_median
from skcompare.reporting.columns import facing, mean_cell, own_ends
from skcompare.reporting.findings import Findings
from skcompare.scores.evaluation import is_judged
from skcompare.scores.study import StudyScores

MAX_WORDS = 30
MAX_NAMED = 3  # models in a list
Faced = Mapping[str, ComparisonRow | None]


def opening(found: Findings, where: str = "", *, brief: bool = False) -> str:
    """What to do, how large the difference is and how sure; then `where` it holds. In `brief` what is needed."""
    answer, first = found.answer, found.first
    if answer.forbidden:
        return answer.forbidden
    untested = {*first.unvarying, *first.smaller, *first.larger}
    if (ended := stopped(found.scores)) is not None and ended.unlikely and not untested & {*ended.names}:
        against = _against_baseline(answer)  # most models were not tested to the end
        lines = (f"{told}. {against}".rstrip() for told in (ended.verdict, ended._outcome()))
        return next((line for line in lines if line.count(" ") < MAX_WORDS), f"{ended.verdict}.")
    unequal = _not_all_equal(found) if first.omnibus < answer.alpha else ""
    if len(answer.models) == 1:
        return _alone(found)
    if not answer.within_reach:
        n = next((family.n for family in found.comparison.families if first.metric in family.metrics), 0)
        among = f" among {n} comparisons" if n > 1 else ""
        few = f"Too little data for a significant difference in {label(first.metric)}{among} on {evidence(found)}."
        return f"{few} Add {_to_add(found)}.{unequal}"
    if first.leader is None or not first.known:
        return _nothing(found)
    said, reached, step = _among(found, brief=brief or bool(where), shortest=brief)
    against, before = _against_baseline(answer), _ahead_untested(found) if first.ahead else ""
    if len(first.not_better) == len(answer.models) - 1:  # none is better than the baseline
        told = len(answer.models) == 2 and first.not_different  # which the line on the two says itself
        before, against = before if told else f"{against} {before}".strip(), ""
    said, rest = f"{before} {said}".strip(), f" {against}".rstrip() + unequal
    if where:  # of all that was said of the models
        said, rest = f"{said}{rest} {where}", ""
    for more in (f"{reached} {step}".strip(), step, reached):
        whole = f"{said} {more}".rstrip() + rest
        if whole.count(" ") < MAX_WORDS:
            return whole
    shortest = said + rest
    return shortest if brief or shortest.count(" ") < MAX_WORDS else opening(found, where, brief=True)


def _alone(found: Findings) -> str:
    """One model: its score with an interval of its own, of a study its mean."""
    on, scores, [mean] = found.means, found.scores, found.means.means
    model, metric = found.models[0], label(on.name)
    if not isfinite(mean):
        return f"{model} has no score on {metric}."
    if isinstance(scores, StudyScores):
        return f"{model}: {metric} {mean_cell(on.name, mean, found.places[on.name])} over {evidence(found)}."
    intervals = score_intervals(scores, on.name)
    [row] = intervals
    places = found.places[on.name]
    said = f"{model}: {metric} {mean_cell(on.name, mean, places)}"
    limits = own_ends(row, places)
    return f"{said}, {numbers.percent_of(intervals.confidence_level)} interval {limits}." if limits else f"{said}."


def caution_of(warnings: Iterable[CodedWarning]) -> str:
    """The weightiest of the cautions that hold everywhere; empty where there is none, or the first line is it."""
    every = tuple(warnings)
    return "" if do_not_use(every) else weightiest([one for one in every if one.code in CAUTIONS and not one.where])


def weightiest(cautions: Sequence[CodedWarning]) -> str:
    """The first of the weightiest code, as a sentence."""
    return f"Caution: {min(cautions, key=lambda one: CAUTIONS.index(one.code)).sentence}" if cautions else ""


def evidence(found: Findings) -> str:
    """How many data sets, splits, runs or samples there are."""
    scores, cases = found.scores, found.answer.cases
    if isinstance(scores, StudyScores):
        return numbers.counted(len(scores.datasets), numbers.one_of(cases))
    return numbers.counted(scores.design.n_cases or scores.design.n_splits, numbers.one_of(cases))


def _nothing(found: Findings) -> str:
    """That no model leads, and why; which one is ahead untested; or that none is better than the baseline."""
    first, against = found.first, _against_baseline(found.answer)
    if first.leader is not None and first.unvarying and not first.ahead:
        rows = [row for row in _faced(found).values() if row is not None and row.b in first.unvarying]
        on = f"{first.leader} is ahead of {some(first.unvarying)} on {label(first.metric)}"
        by_the_same = _ahead(rows[0], found) if rows and len(found.models) == 2 else on
        said, why = f"{by_the_same} on all {_cases(found)}, so that no test is possible", ""
    else:
        said, why = none_named(label(first.metric)), f": {_why_nothing(found)}"
    return f"{said}. {against}" if against else f"{said}{why}."


def _cases(found: Findings) -> str:
    """What differences are counted over: clusters, where cases stand in them."""
    clustered = not isinstance(found.scores, StudyScores) and found.scores.design.n_clusters is not None
    return "clusters" if clustered else found.answer.cases


def _is_decided(answer: Answer) -> bool:
    """Whether two models are significantly different on the first metric."""
    metric = answer.metrics[0].metric
    return any(metric in (*pair.better, *pair.worse) for pair in answer.pairs)


def _why_nothing(found: Findings) -> str:
    """Why no model leads."""
    if is_judged(found.scores.provenance, found.first.metric):
        return "it was given for each model, not measured"
    if isinstance(found.scores, StudyScores) and found.means.adjusted:
        told = (why_not_connected(found.scores, found.first.metric, *pair) for pair in combinations(found.models, 2))
        return next(filter(None, told), "no difference rests on two data sets or more")
    if _is_decided(found.answer):
        return "the one with the best mean is significantly worse than another one, or lacks scores"
    if found.first.unvarying:
        return f"differences are the same on all {_cases(found)}, so that no test is possible"
    known = [name for name, mean in zip(found.models, found.means.means, strict=True) if isfinite(mean)]
    own = found.scores.scores[..., found.scores.metrics.index(found.first.metric)]
    if len(known) == 1 or not any(map(isfinite, own.flat)):
        return f"{'only ' + known[0] if known else 'no model'} has scores"
    whole = found.means.n_common == found.means.n_all
    return "no test of it is possible" if whole else "no two models share enough scores for a test"


def _not_all_equal(found: Findings) -> str:
    """That models differ on the first metric of a study, where it is not shown which; else empty."""
    first = found.first
    if _is_decided(found.answer):
        return ""
    which = "" if found.answer.within_reach or found.means.adjusted else '; result.test("step_down_test") asks which'
    return f" Not all are equal ({first.omnibus_test}){which}."


def _among(found: Findings, *, brief: bool, shortest: bool) -> tuple[str, str, str]:
    """The leader against the other models, the baseline aside; and what can be left out: how far it may be ahead, and
    what to do next. In `brief` it is compared with the closest one alone, as the `shortest` without who is worse.
    """
    first, answer, models = found.first, found.answer, found.models
    leader, metric = str(first.leader), label(first.metric)
    aside = answer.baseline if len(models) > 2 else None  # of which is spoken apart, where there are others
    alike = [name for name in (*first.not_different, *first.equivalent) if name != aside]
    worse = [name for name in first.worse if name != aside]
    sizes = _sizes(found, aside) if first.smaller or first.larger or first.unvarying else ""
    if not alike and not worse:
        return f"{leader} leads on {metric}; {sizes or 'there is no other model to compare it with.'}", "", ""
    rows, on = _faced(found), found.means
    places = found.places[on.name]
    if not alike:
        of_use = answer.recommends and leader not in _cautioned(found, Code.BASE_RATE.name)
        use = f"Use {leader}" if of_use else f"{leader} leads"
        # Nothing is open where all others are significantly worse than the baseline.
        step = "" if answer.recommends or leader == answer.baseline else _step(found, [], _to_add(found))
        nearest = _by_lead(worse, rows)[: 1 if brief else None]
        return f"{use}{_gains(nearest, on, places, numbers.percent_of(1 - answer.alpha))}.", sizes, step
    one, same = len(alike) == 1 and not worse, all(map(_is_same, map(rows.get, alike)))
    against = _against_baseline(answer) if aside is None and not first.equivalent else ""
    if one and not first.equivalent and not same and not (shortest and len(models) > 2):
        row, none = rows[alike[0]], against[:-1] or "No clear winner"
        if row is None or not isfinite(row.estimate):
            return f"{none}.", sizes, ""
        return f"{none}: {_ahead(row, found)}.", sizes, _to_settle(found, [row])
    whole, equivalent = on.n_common == on.n_all, {*alike} <= {*first.equivalent}
    if equivalent or (same and (whole or one)):
        are = "are practically equivalent" if equivalent else "have the same scores"
        where = "" if equivalent or whole else " where both have one"
        said = f"{against} {some([leader, *alike])} {are} on {metric}{where}{_is_worse(worse)}."
        return said.lstrip(), _step(found, alike), sizes  # in this order "any of them" is not of others
    open_to = [name for name in first.may_be_first if name in (leader, *set(models) - {aside})]
    alike = [name for name in open_to if name != leader]
    n = sum(name != aside and isfinite(mean) for name, mean in zip(models, on.means, strict=True))
    said = _may_be_first(open_to, n, () if shortest else worse, 2 if shortest else MAX_NAMED + 1)
    if aside not in (None, DUMMY):  # which is a model too
        said = said.replace(" models ", " others ", 1)
    widest = _widest_of(map(rows.get, alike))
    reached = f"{sizes} {'' if widest is None else _reach(widest, on, places)}".strip()
    return f"{said}.", reached, _to_settle(found, [*map(rows.get, alike)])


def _sizes(found: Findings, aside: str | None) -> str:
    """Which models differ from the leader by the same everywhere, so that there is no test; empty where none does."""
    first, where, said = found.first, f"on all {_cases(found)}", list[str]()
    alone = not (first.worse or first.not_different or first.equivalent)
    behind = tuple(name for name in first.unvarying if name not in first.ahead)
    for which, every in (("smaller", first.smaller), ("larger", first.larger), ("behind", behind)):
        names = [name for name in every if name != aside]
        who = some(names) if alone else _first_of(names)
        said += [f"{who} {numbers.agreeing(len(names), 'is', 'are')} {which} {where}"] if names else []
    return f"{'; '.join(said)}." if said else ""


def _ahead_untested(found: Findings) -> str:
    """Which models are ahead of the leader without a test that could show it; empty where none is."""
    first, said = found.first, list[str]()
    names = [name for name in first.ahead if name in first.not_comparable and name != found.answer.baseline]
    for where, which in (
        (f"on all {_cases(found)}", [name for name in names if name in first.unvarying]),
        ("by mean", [name for name in names if name not in first.unvarying]),
    ):
        are = numbers.agreeing(len(which), "is", "are")
        said += [f"{_first_of(which)} {are} ahead of {first.leader} {where}, untested."] if which else []
    return " ".join(said)


def named(found: Findings) -> list[str]:
    """The models that the first line can name, and the baseline, those first that it names the likeliest."""
    first, baseline = found.first, found.answer.baseline
    rest = _not_better(found.answer) if baseline is not None else []
    ended, of_looks = stopped(found.scores), list[str]()
    if ended is not None and ended.unlikely:  # whom the verdict of looks names
        known = len(ended.names) <= MAX_ITEMS or ended.kind == "equivalent"
        of_looks += ended.names[:MAX_ITEMS] if known else ()
        whole = len(ended.unscored) <= MAX_ITEMS and ended.verdict.count(" ") < MAX_WORDS
        of_looks += ended.unscored if whole else ()
    rest = rest if len(rest) <= MAX_NAMED else []
    names = [*of_looks, first.leader, baseline, *first.may_be_first[: MAX_NAMED + 1], *rest]
    if first.leader is not None:
        rows = _faced(found)
        alike = (*first.not_different, *first.equivalent)
        for every in (first.worse, first.smaller, first.larger, first.unvarying, first.ahead, alike):
            group = [name for name in every if name != baseline]
            names += group if len(group) <= MAX_NAMED else group[:1]
        near = (_widest_of(map(rows.get, first.not_different)), *_by_lead(first.worse, rows)[:1])
        names += [row.b for row in near if row is not None]
    return [name for name in dict.fromkeys(names) if name is not None]


def claimed(found: Findings) -> tuple[str, ...]:
    """The models that the first line is about: the leader, then those closest to it."""
    first, models = found.first, found.models
    if first.leader is None:
        return models[:MAX_NAMED]
    rows = _faced(found)
    others = dict.fromkeys((*first.not_different, *first.equivalent, *first.worse))
    others.pop(str(found.answer.baseline), None)
    return (first.leader, *map(attrgetter("b"), _by_lead(others, rows)[:MAX_NAMED]))


def _by_lead(names: Iterable[str], rows: Faced) -> list[ComparisonRow]:
    """The rows of some models that have one, that which is closest to the leader first."""
    return sorted(filter(None, map(rows.__getitem__, names)), key=attrgetter("estimate"))


def _gains(beaten: Sequence[ComparisonRow], on: MetricMeans, places: int, level: str) -> str:
    """By how much the leader is better: than the closest with the interval, than one other, or than all others."""
    if not beaten:
        return ""
    first, *others = beaten
    less, over, metric = is_loss(on), "than" if is_loss(on) else "over", label(on.name)
    lead = by(first.estimate, places, less=less)
    gain = f"{metric} {lead}" if less else f"{lead} {metric}"
    said = f": {gain} {over} {first.b} ({level} interval {ends(first, places, less=less)})"
    if len(others) > 1:
        return f"{said}, at least as much {'lower than' if less else 'over'} {len(others)} others"
    return said + "".join(f", {by(row.estimate, places, less=less)} {over} {row.b}" for row in others)


def by(value: float, places: int, *, less: bool) -> str:
    """A difference in favour of the leader when positive: ``+0.06``; where less is better ``4.2 lower``."""
    if not less:
        return numbers.number(value, places, signed=True)
    return f"{numbers.number(abs(value), places)} {'lower' if value >= 0 else 'higher'}"


def ends(row: ComparisonRow, places: int, *, less: bool = False) -> str:
    """Both ends of an interval in words; where less is better ``0.3 higher to 6.0 lower``."""
    if not isfinite(row.low + row.high):
        return numbers.interval(row.low, row.high, places, null=row.null, cut=row.open_at_null)
    cut = row.null if row.open_at_null and row.null == 0 else None
    low, high = "above 0" if row.low == cut else "", "below 0" if row.high == cut else ""
    if not less:
        low = low or numbers.bound(row.low, places, null=row.null)
        return f"{low} to {high or numbers.bound(row.high, places, null=row.null)}"
    low = low or numbers.bound(abs(row.low), places, signed=False)
    high = high.replace("below", "above") or numbers.bound(abs(row.high), places, signed=False)
    between = " higher" if row.low < 0 < row.high else ""
    return f"{low}{between} to {high} {'higher' if row.high <= 0 and row.low < 0 else 'lower'}"


def _is_worse(names: Sequence[str], start: str = "; ") -> str:
    """That models are significantly worse; empty without any."""
    return f"{start}{some(names)} {numbers.agreeing(len(names), 'is', 'are')} significantly worse" if names else ""


def _may_be_first(names: Sequence[str], n: int, worse: Sequence[str], most: int) -> str:
    """Which models may be first of `n`, at `most` so many of them named; and a few others, significantly worse."""
    few, who = worse if len(worse) <= MAX_NAMED else (), numbers.listed(names, most)
    return f"{numbers.of_all(len(names), n)} may be first: {who}{_is_worse(few, '. ' if '; ' in who else '; ')}"


def _faced(found: Findings) -> dict[str, ComparisonRow | None]:
    """The row of the leader and each model on the first metric, by the other model."""
    rows = facing(found.comparison, str(found.first.leader), found.models, found.first.metric)
    return dict(zip(found.models, rows, strict=True))


def some(names: Sequence[str]) -> str:
    """A few names, of many the first and how many others there are."""
    return numbers.listed(names) if len(names) <= MAX_NAMED else f"{names[0]} and {len(names) - 1} others"


def _first_of(names: Sequence[str]) -> str:
    """As `some`, but not how many others there are: beside a lead the line has as many numbers as it may have."""
    return numbers.listed(names) if len(names) <= MAX_NAMED else f"{names[0]} and others"


def _is_same(row: ComparisonRow | None) -> bool:
    """Whether two models have the same scores wherever both have one."""
    return row is not None and row.estimate == row.wins == row.losses == 0 and not row.low < 0 < row.high


def _widest_of(rows: Iterable[ComparisonRow | None]) -> ComparisonRow | None:
    """The row in which the leader may be furthest ahead; None where it is nowhere, as with the same scores."""
    known = (row for row in rows if row is not None and isfinite(row.high) and row.low < row.high)
    return max(known, key=lambda row: (row.high, row.estimate, row.b), default=None)  # in whatever order they stand


def _reach(row: ComparisonRow, on: MetricMeans, places: int) -> str:
    """How far the leader may be ahead of another one of a tier."""
    most, metric = by(row.high, places, less=is_loss(on)), label(on.name)
    if is_loss(on):
        return f"{metric} of {row.a} may be up to {most} than that of {row.b}."
    return f"{row.a} may be ahead of {row.b} by up to {most} {metric}."


def _ahead(row: ComparisonRow, found: Findings) -> str:
    """How far the leader is ahead of a model that is not shown to be worse, and what remains possible."""
    on, places = found.means, found.places[found.means.name]
    metric, less, lead = label(on.name), is_loss(on), numbers.number(abs(row.estimate), places)
    if not float(lead):
        said = f"{row.a} and {row.b} are equal on {metric}"
    elif row.estimate < 0 and is_median(row.record):  # the mean and the median may differ in sign
        ranks = dict(zip(found.models, on.mean_ranks, strict=False))
        by_what = "mean rank" if ranks and not isclose(ranks[row.a], ranks[row.b]) else "mean"
        said = f"{row.a} has the better {by_what} and {row.b} the better median, by {lead}, on {metric}"
    elif less:
        said = f"{metric} of {row.a} is {by(row.estimate, places, less=True)} than that of {row.b}"
    else:  # a baseline leads only where it is significantly better, and may be ahead
        where = "behind" if row.estimate < 0 else "ahead of"
        said = f"{row.a} is {lead} {where} {row.b} on {metric}"
    open_ended = not isfinite(row.low + row.high) or row.low == row.high
    return said if open_ended else f"{said}, and {ends(row, places, less=less)} remains possible"


def _to_settle(found: Findings, rows: Sequence[ComparisonRow | None]) -> str:
    """How many samples, or groups, would show that the leader is better than some models, or what else to do."""
    scores, most, n, unit = found.scores, 0, None, "samples"
    if not isinstance(scores, StudyScores) and scores.design.kind == "folds":
        n, unit = (scores.design.n_groups, "groups") if scores.design.n_groups else (scores.design.n_samples, unit)
    for row in rows:
        needed = samples_to_settle(row, n, 1 - row.confidence_level) if row is not None else None
        if needed is None:
            return _step(found, [row.b for row in rows if row is not None], _to_add(found))
        most = max(most, needed)
    return f"About {int(float(f'{most:.2g}')):,} {unit} would settle it." if rows else ""


def _to_add(found: Findings) -> str:
    """What there is to be more of: more cases of the same clusters, or groups, would tell little."""
    if not isinstance(found.scores, StudyScores) and found.scores.design.n_groups:
        return "groups"
    return {"splits": "samples", "samples": "test samples"}.get(_cases(found), _cases(found))


def _cautioned(found: Findings, *codes: str) -> set[str]:
    """Whose score on the first metric is that of guessing, or says little, as some codes tell."""
    return set(chain(*[one.about for one in found.warnings if one.code in codes and found.first.metric in one.about]))


def _step(found: Findings, others: Sequence[str], add: str = "") -> str:
    """What to do next, where the leader is not shown to be better than some others: use any of them, or add cases.

    Only the latter where not all are shown to be of use, and where the scores leave the largest difference possible.
    """
    useless = {*_not_better(found.answer), *found.first.not_comparable}
    useless |= _cautioned(found, Code.BASE_RATE.name, Code.WEAK_METRIC.name)
    open_to = (row for name, row in _faced(found).items() if row is not None and name in others)
    unknown = any(max(-row.low, row.high) >= found.means.span for row in open_to)
    of_use = found.answer.recommends and not unknown and not useless & {found.first.leader, *others}
    them = f"the {len(others) + 1}" if found.first.worse else "them"  # who is worse may have been named last
    use = f"Use {'either' if len(others) == 1 else f'any of {them}'}" if of_use else ""
    return f"{use}, or add {add}." if use and add else f"{use}." if use else f"Add {add}." if add else ""


def _against_baseline(answer: Answer) -> str:
    """Which models are not shown to be better than the baseline; empty where all are, or there is none."""
    if answer.baseline is None:
        return ""
    what, rest = "guessing" if answer.baseline == DUMMY else answer.baseline, _not_better(answer)
    if len(rest) == len(answer.models) - 1:
        on = answer.metrics[0]
        still = {*on.unvarying} & {*(rest if on.leader == answer.baseline else [answer.baseline])}
        pairs = [answer.pair(name, answer.baseline) for name in rest]
        apart = on.leader is not None and not still and all(on.metric in pair.not_comparable for pair in pairs)
        return f"No model {'can be compared with' if apart else 'is significantly better than'} {what}."
    if len(rest) > MAX_NAMED:
        return f"Not every model is significantly better than {what}."
    return f"Not significantly better than {what}: {numbers.listed(rest)}." if rest else ""


def _not_better(answer: Answer) -> list[str]:
    """The models that are not shown to be better than the baseline."""
    metric, baseline = answer.metrics[0].metric, str(answer.baseline)
    others = (name for name in answer.models if name != baseline and answer.baseline is not None)
    return [name for name in others if metric not in answer.pair(name, baseline).better]
