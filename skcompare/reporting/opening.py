"""The first line: what to do, by how much, how sure, on the first metric; in at most 30 words and five numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from skcompare._core.names import DUMMY
from skcompare._core.numbers import bound, equal_to, interval, listed, number, percent_of
from skcompare._core.warnings import CAUTIONS, CodedWarning, do_not_use
from skcompare.comparison.answer import Answer
from skcompare.comparison.compare import samples_to_settle
from skcompare.comparison.means import label
from skcompare.comparison.table import ComparisonRow, Family
from skcompare.reporting.columns import facing, places_for
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary

MAX_WORDS = 30
MAX_NAMED = 3  # models in a list


def opening(summary: ComparedSummary) -> str:
    """What to do, how large the difference is and how sure."""
    answer, first = summary.answer, summary.answer.metrics[0]
    if answer.forbidden:
        return answer.forbidden
    unequal = _not_all_equal(summary) + _passed_over(answer)
    if not answer.within_reach:
        return f"{too_little(first.metric, summary.families, _evidence(summary))}{unequal}"
    if first.leader is None or not first.known:
        return _nothing(answer, _why_nothing(summary))
    said, more = _among(summary)
    rest = f" {_against_baseline(answer)}".rstrip() + unequal
    whole = f"{said} {more}".rstrip() + rest
    return whole if whole.count(" ") < MAX_WORDS else said + rest


def too_little(metric: str, families: Sequence[Family] = (), evidence: str = "") -> str:
    """That no difference on the metric that decides could have been significant among the comparisons on it."""
    n = next((family.n for family in families if metric in family.metrics), 0)
    among = f" among {n} comparisons" if n > 1 else ""
    on = f" on {evidence}" if evidence else ""
    return f"Too little data: no difference in {label(metric)} can be significant{among}{on}."


def caution_of(warnings: Sequence[CodedWarning], metric: str = "", metrics: Sequence[str] = ()) -> str:
    """The weightiest of the cautions, but for those about other metrics alone; empty where there is none."""
    others = {*metrics} - {metric}
    if do_not_use(warnings):  # the first line
        return ""
    known = [one for one in warnings if metric in one.about or not others & {*one.about}]
    found = [one for one in known if one.code in CAUTIONS]
    return f"Caution: {min(found, key=lambda one: CAUTIONS.index(one.code)).sentence}" if found else ""


def _evidence(summary: ComparedSummary) -> str:
    if isinstance(summary, StudySummary):
        return summary.how_many
    assert isinstance(summary, EvaluationSummary)
    cases = summary.answer.cases
    return f"{summary.n_splits if cases in ('splits', 'runs', 'items') else round(summary.test_size or 0)} {cases}"


def _nothing(answer: Answer, why: str = "") -> str:
    """That no model leads, and why; or that none is better than the baseline."""
    against = _against_baseline(answer)
    said = f"No model can be named on {label(answer.metrics[0].metric)}"
    return f"{said}. {against}" if against else f"{said}: {why}." if why else f"{said}."


def _why_nothing(summary: ComparedSummary) -> str:
    """Why no model leads."""
    answer, first = summary.answer, summary.answer.metrics[0]
    if any(first.metric in (*pair.better, *pair.worse) for pair in answer.pairs):
        return "the one with the best mean is significantly worse than another one, or lacks scores"
    if first.unvarying:
        return f"differences are the same on all {answer.cases}, so that no test is possible"
    return "too few scores are shared by two models"


def _not_all_equal(summary: ComparedSummary) -> str:
    """That models differ on the first metric of a study, where it is not shown which; else empty."""
    first = summary.answer.metrics[0]
    named = any(first.metric in (*pair.better, *pair.worse) for pair in summary.answer.pairs)
    if named or not first.omnibus < summary.answer.alpha:
        return ""
    return f" Not all are equal ({first.omnibus_test}, {equal_to('p', first.omnibus)})."


def _passed_over(answer: Answer) -> str:
    """The metrics that were to decide and cannot."""
    return f" On {some([*map(label, answer.untested)])} there is no test." if answer.untested else ""


def _among(summary: ComparedSummary) -> tuple[str, str]:
    """The leader against the other models, the baseline aside; and what can be left out where the line is long."""
    first = summary.answer.metrics[0]
    leader, metric = str(first.leader), label(first.metric)
    answer, aside = summary.answer, _aside(summary.answer)
    alike = [name for name in (*first.not_different, *first.equivalent) if name != aside]
    worse = [name for name in first.worse if name != aside]
    sizes = (*first.smaller, *first.larger)
    if not alike and not worse and sizes:
        which = "smaller" if first.smaller else "larger"
        are = "is" if len(sizes) == 1 else "are"
        return f"{leader} leads on {metric}; {some(sizes)} {are} {which} on all {answer.cases}.", ""
    if not alike and not worse:
        return f"{leader} leads on {metric}; there is no other model to compare it with.", ""
    level = percent_of(1 - summary.alpha)
    means = next(metric for metric in summary.metrics if metric.name == first.metric)
    rows = dict(zip(summary.estimators, facing(summary.rows, leader, summary.estimators, first.metric), strict=True))
    places = places_for([row for row in rows.values() if row is not None], means)
    if not alike:
        beaten = [row for name in _by_lead(worse, rows) if (row := rows[name]) is not None]
        use = f"Use {leader}" if answer.recommends else f"{leader} leads"
        return f"{use}{_gains(beaten, metric, places, level)}.", ""
    if first.equivalent and not first.not_different and not worse:
        return f"{some((leader, *first.equivalent))} are practically equivalent on {metric}.", ""
    if worse or len(alike) > 1:
        return f"{_tier(leader, alike, worse)}.", reach([rows[name] for name in alike], leader, metric, places)
    return _undecided(summary, rows[alike[0]], metric, places)


def _aside(answer: Answer) -> str | None:
    """The baseline, of which is spoken apart, unless it is all that there is beside one model."""
    return answer.baseline if len(answer.models) > 2 else None


def claimed(summary: ComparedSummary) -> tuple[str, ...]:
    """The models that the first line is about: the leader, then those closest to it."""
    first = summary.answer.metrics[0]
    if first.leader is None:
        return summary.estimators[:MAX_NAMED]
    rows = dict(
        zip(summary.estimators, facing(summary.rows, first.leader, summary.estimators, first.metric), strict=True)
    )
    others = [*first.not_different, *first.equivalent, *first.worse]
    baseline = summary.answer.baseline
    return (first.leader, *[name for name in _by_lead(others, rows) if name != baseline][:MAX_NAMED])


def _by_lead(names: Sequence[str], rows: dict[str, ComparisonRow | None]) -> list[str]:
    """The models, that which is closest to the leader first."""
    leads = {name: row.estimate for name in names if (row := rows[name]) is not None}
    return sorted(leads, key=leads.__getitem__)


def _gains(rows: Sequence[ComparisonRow], metric: str, places: int, level: str) -> str:
    """By how much the leader is better: than the closest with the interval, than one other, or than all others."""
    if not rows:
        return ""
    first, *others = rows
    lead = number(first.estimate, places, signed=True)
    said = f": {lead} {metric} over {first.b} ({level} interval {ends(first, places)})"
    if len(others) > 1:
        return f"{said}, at least as much over {len(others)} others"
    return said + "".join(f", {number(row.estimate, places, signed=True)} over {row.b}" for row in others)


def ends(row: ComparisonRow, places: int) -> str:
    """Both ends of an interval in words."""
    if not isfinite(row.low + row.high):
        return interval(row.low, row.high, places, null=row.null, cut=row.open_at_null)
    cut = row.null if row.open_at_null and row.null == 0 else None
    low, high = ("0" if end == cut else bound(end, places, null=row.null) for end in (row.low, row.high))
    return f"{low} to {high}"


def _tier(leader: str, alike: Sequence[str], worse: Sequence[str]) -> str:
    """Who shares the lead, and how many are significantly worse."""
    is_worse = f"; {some(worse)} {'is' if len(worse) == 1 else 'are'} significantly worse" if worse else ""
    return f"{'No clear winner: ' if not worse else ''}{some((leader, *alike))} share the lead{is_worse}"


def some(names: Sequence[str]) -> str:
    """A few names, of many the first and how many others there are."""
    return listed(names) if len(names) <= MAX_NAMED else f"{names[0]} and {len(names) - 1} others"


def reach(rows: Sequence[ComparisonRow | None], leader: str, metric: str, places: int) -> str:
    """How far the others of a tier may be from the leader; empty where none is, as with the same scores."""
    known = (row for row in rows if row is not None and isfinite(row.high) and row.low < row.high)
    widest = max(known, key=lambda row: row.high, default=None)
    if widest is None:
        return ""
    return f"{leader} may be ahead of {widest.b} by up to {number(widest.high, places, signed=True)} {metric}."


def _undecided(summary: ComparedSummary, row: ComparisonRow | None, metric: str, places: int) -> tuple[str, str]:
    """Two models of which none is shown to be better, and how many samples would show it."""
    if row is None or not isfinite(row.estimate):
        return "No clear winner.", ""
    if row.estimate == row.low == row.high == row.wins == row.losses == 0:
        means = next(one for one in summary.metrics if one.name == row.metric)
        where = " where both have one" if means.n_common < means.n_all else ""
        return f"{row.a} and {row.b} have the same scores on {metric}{where}.", ""
    ahead = f"{row.a} is {number(row.estimate, places)} ahead of {row.b} on {metric}"
    possible = f", and {ends(row, places)} remains possible" if isfinite(row.low + row.high) else ""
    n = summary.n_samples if isinstance(summary, EvaluationSummary) and summary.kind == "folds" else None
    settle = samples_to_settle(row, n, 1 - row.confidence_level)
    about = f"About {_rounded(settle):,} samples would settle it." if settle else ""
    return f"No clear winner: {ahead}{possible}.", about


def _rounded(n: int) -> int:
    """A number with two digits."""
    return int(float(f"{n:.2g}"))


def _against_baseline(answer: Answer) -> str:
    """Which models are not shown to be better than the baseline; empty where all are, or there is none."""
    if answer.baseline is None:
        return ""
    first, baseline = answer.metrics[0], answer.baseline
    what = "guessing" if baseline == DUMMY else baseline
    others = [name for name in answer.models if name != baseline]
    better = [name for name in others if first.metric in answer.pair(name, baseline).better]
    if not better:
        return f"No model is significantly better than {what}."
    rest = [name for name in others if name not in better]
    if len(rest) > MAX_NAMED:
        return f"Not every model is significantly better than {what}."
    return f"Not significantly better than {what}: {listed(rest)}." if rest else ""


def claim(answer: Answer) -> str:
    """The verdict of an answer on its first metric without numbers, as where there are no rows beside it."""
    first = answer.metrics[0]
    if answer.forbidden:
        return answer.forbidden
    if not answer.within_reach:
        return too_little(first.metric)
    if first.leader is None or not first.known:
        return _nothing(answer)
    return f"{_claim_among(answer)} {_against_baseline(answer)}".rstrip()


def _claim_among(answer: Answer) -> str:
    """The leader and the other models, the baseline aside."""
    first = answer.metrics[0]
    aside = _aside(answer)
    # candidates of a search with the scores of the leader are no other choice
    same = {name for group in answer.same if first.leader in group for name in group}
    alike = [name for name in (*first.not_different, *first.equivalent) if name not in (aside, *same)]
    worse = [name for name in first.worse if name != aside]
    on = f" on {label(first.metric)}"
    sizes = (*first.smaller, *first.larger)
    beaten = f"{some(worse)} {'is' if len(worse) == 1 else 'are'} significantly worse{on}" if worse else ""
    if alike:
        return f"{_tier(str(first.leader), alike, worse)}{'' if worse else on}."
    if sizes and not worse:
        return f"{first.leader} leads{on}; {some(sizes)} {'is' if len(sizes) == 1 else 'are'} of another size."
    return f"Use {first.leader}: {beaten}." if answer.recommends and worse else f"{first.leader} leads{on}."
