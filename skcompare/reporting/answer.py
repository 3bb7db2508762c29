"""The answer in words: the first line of every view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from skcompare._core.html import cut
from skcompare._core.names import DUMMY
from skcompare._core.numbers import counted, decimals, equal_to, listed, magnitude, number, one_of, percent_of
from skcompare._core.record import few
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.answer import Answer, MetricAnswer, PairAnswer
from skcompare.comparison.compare import POWER, DetectableRange
from skcompare.comparison.learning_curve import SizeRow
from skcompare.comparison.table import ComparisonRow
from skcompare.reporting.summary.evaluation import EvaluationSummary, leading_models
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.words import FORBIDDING, OF_CLAIMS, printable

MAX_NAMED = 6
MAX_CLAUSES = 3
SMALLEST_SIZE = 1e-4
MAX_CANDIDATES, MAX_LETTERS = 3, 100


def first_line(answer: Answer) -> str:
    """What to use and what is known of the others on the first metric; then on which other metrics that differs.

    Before it which metrics could not decide, behind it who is ahead of the leader by another measure.
    """
    said = [passed_over(answer), _first_line(answer), ahead(answer, answer.metrics[0])]
    return " ".join(sentence for sentence in said if sentence)


def passed_over(answer: Answer) -> str:
    """Why a later metric than the first one speaks; empty where the first does."""
    if not answer.untested:
        return ""
    return f"No two models have a comparable {named(answer.untested)}; {answer.metrics[0].metric} decides."


def ahead(answer: Answer, on: MetricAnswer) -> str:
    """Which models are ahead of the leader by what did not make it lead, as a sentence; empty where none is."""
    if not on.ahead:
        return ""
    by = "By mean rank, mean or median difference" if _over_datasets(answer) else "By mean or tested difference"
    return f"{by} {named(on.ahead, 'models')} {_are(on.ahead)} ahead of {on.leader}."


def _over_datasets(answer: Answer) -> bool:
    """Whether mean ranks decide who leads."""
    return answer.cases in ("data sets", "tasks")


def _first_line(answer: Answer) -> str:
    """The same on the metric that decides."""
    first, unequal = answer.metrics[0], _not_all_equal(answer)
    if not answer.within_reach:
        n = counted(answer.n_pairs, "comparison")
        if unequal:
            on = counted(first.n_datasets, one_of(answer.cases))
            return f"No pair can be significant among {n} on {on}; {unequal}."
        return f"Nothing can be concluded: with so little data no difference can be significant among {n}."
    if first.leader is None or not first.known:
        return f"Nothing can be concluded: {_why_nothing(answer, first)}."
    if answer.candidates:
        return _of_search(answer, first)
    though = [f"{unequal[0].upper()}{unequal[1:]}, though no pair differs significantly."] if unequal else []
    if answer.baseline is None:
        return among_models(answer, though, use=answer.recommends)
    others, said = answer.without_baseline(), against_baseline(answer)
    if len(others.models) == 1 or first.leader == answer.baseline:
        return " ".join([said, *though])
    if answer.recommends:
        return f"{among_models(others, though)} {said}"
    return f"{said} {among_models(others, though, use=False)}"


def among_models(answer: Answer, though: Sequence[str], *, use: bool = True) -> str:
    """What is known of the models among themselves; `use` says whether the leader may be recommended."""
    first = answer.metrics[0]
    if not first.known:
        return " ".join([f"{first.leader} leads; nothing can be said of the others.", *though])
    if len(answer.models) == 2 and not answer.sequential:
        return " ".join([_two_models(answer, first, use=use), *though])
    return " ".join([_on_first(answer, first, use=use), *though, *_on_others(answer, first)])


def over(answer: Answer) -> str:
    """What the baseline is called in a sentence; empty where there is none."""
    if answer.baseline is None:
        return ""
    return f"guessing ({DUMMY})" if answer.baseline == DUMMY else f"the baseline ({answer.baseline})"


def against_baseline(answer: Answer) -> str:
    """Which models are significantly better than the baseline on the first metric, and which are not."""
    first, what = answer.metrics[0], over(answer)
    on = f" on {first.metric}" if answer.n_metrics > 1 else ""
    others = [name for name in answer.models if name != answer.baseline]
    facing = {name: answer.pair(name, str(answer.baseline)) for name in others}
    worse = [name for name in others if first.metric in facing[name].worse]
    better = [name for name in others if first.metric in facing[name].better]
    unknown = [name for name in others if name not in (*better, *first.not_better)]
    parts = []
    if len(better) == len(others):
        who = {1: others[0], 2: "Both"}.get(len(others), f"All {len(others)}")
        parts.append(f"{who} {_are(others)} significantly better than {what}{on}")
    elif better:
        parts.append(f"Not significantly better than {what}{on}: {named([*first.not_better, *unknown], 'models')}")
    else:
        who = others[0] if len(others) == 1 else "No model"
        parts.append(f"{who} is {'not ' * (len(others) == 1)}significantly better than {what}{on}")
    if worse:
        one = len(others) == 1
        who, than = ("it", "") if one else (named(worse, "models"), " than it")
        parts.append(f"{who} {_are(worse)} significantly worse{than}")
    if unknown and not better:
        parts.append(f"nothing can be said of {named(unknown, 'models')}")
    return f"{'; '.join(parts)}."


def _not_all_equal(answer: Answer) -> str:
    """That models differ on the first metric of a study, where it is not shown which; else empty."""
    first = answer.metrics[0]
    named = any(first.metric in (*pair.better, *pair.worse) for pair in answer.pairs)
    if named or not first.omnibus < answer.alpha:
        return ""
    on = f" on {first.metric}" if answer.n_metrics > 1 else ""
    return f"that all are equal{on} is rejected ({first.omnibus_test}, {equal_to('p', first.omnibus)})"


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
            are = f"{_candidates(alike, shared)} {_are(alike)}"
            bound = _among_candidates(answer, first)
            parts.append(f"{leader} leads{on}; {are} not significantly different from it{bound}")
        if worse:
            more = f"{len(worse)} more{_same_scores(shared, worse)}" if parts else _candidates(worse, shared)
            said = f"{more} {_are(worse)} significantly worse"
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


def _why_nothing(answer: Answer, first: MetricAnswer) -> str:
    on = f" on {first.metric}"
    won = [pair for pair in answer.pairs if first.metric in (*pair.better, *pair.worse)]
    if won:
        worse = {pair.b if first.metric in pair.better else pair.a for pair in won}
        if {name for pair in answer.pairs if first.metric in _compared(pair) for name in (pair.a, pair.b)} == worse:
            return f"every model is significantly worse than another one{on}, or lacks scores"
        what = "mean rank" if _over_datasets(answer) else "mean"
        return f"the model with the best {what}{on} is significantly worse than another one"
    if any(first.metric in pair.undecided for pair in answer.pairs):
        return f"no difference{on} is significant, and too few scores are shared by all models to name a leading one"
    if first.unvarying:
        same = "the difference is" if len(answer.models) == 2 else "differences are"
        return f"{on[1:]} {same} the same on all {answer.cases}, so that no test is possible"
    return f"no two models can be compared{on}"


def unvaried(answer: Answer) -> str:
    """On which metrics a difference is the same everywhere, so that it is not tested; empty where that was said."""
    first = answer.metrics[0]
    said = (first.metric,) if not (first.known or any(first.metric in _compared(pair) for pair in answer.pairs)) else ()
    metrics = [on.metric for on in answer.metrics if on.unvarying and on.metric not in said]
    if not metrics:
        return ""
    which = "the difference" if len(answer.models) == 2 else "a difference"
    return f"On {named(metrics)} {which} is the same on all {answer.cases}: there is no test of it."


def _compared(pair: PairAnswer) -> tuple[str, ...]:
    """The metrics on which a test of two models has an outcome."""
    return (*pair.better, *pair.worse, *pair.undecided)


def _two_models(answer: Answer, first: MetricAnswer, *, use: bool = True) -> str:
    assert first.leader is not None
    leader, other = first.leader, next(name for name in answer.models if name != first.leader)
    pair = answer.pair(leader, other)
    sizes = _sizes(pair, answer)
    if answer.n_metrics == 1:
        if sizes:
            return sizes.strip()
        if first.worse:
            return f"{_use(leader, use)} {other} is significantly worse."
        if first.bound == 0:
            return f"{leader} and {other} have the same scores on all {answer.cases}."
        return f"{leader} and {other} are not significantly different{_at_most(first)}."
    if pair.better and pair.worse:
        both = f"{leader} is significantly better on {named(pair.better)}, {other} on {named(pair.worse)}."
        return both + _open(pair) + sizes
    if first.worse:
        return f"{_use(leader, use)} {other} is significantly worse on {named(pair.better)}.{_open(pair)}{sizes}"
    equal = [on.metric for on in answer.metrics if on.bound == 0 and on.metric in pair.undecided]
    same = equal if first.bound == 0 else [first.metric]
    rest = [metric for metric in pair.undecided if metric not in same]
    if first.smaller or first.larger:
        text, sizes = sizes.strip(), ""
        text += f" They are not significantly different on {named(pair.undecided)}." if pair.undecided else ""
    elif first.bound == 0:
        text = f"{leader} and {other} have the same scores on all {answer.cases} on {named(same)}."
        text += f" They are not significantly different on {named(rest)}." if rest else ""
    else:
        also = f", nor on {named(rest)}" if rest else ""
        text = f"{leader} and {other} are not significantly different on {first.metric}{_at_most(first)}{also}."
    for winner, metrics in ((leader, pair.better), (other, pair.worse)):
        if metrics:
            text += f" {winner} is significantly better on {named(metrics)}."
    return text + _unknown(pair) + sizes


def _sizes(pair: PairAnswer, answer: Answer) -> str:
    """Which of two models is smaller by numbers of theirs that are the same on all cases."""
    return "".join(
        f" {who} is smaller on {named(metrics)}, on every {one_of(answer.cases)}."
        for who, metrics in ((pair.a, pair.smaller), (pair.b, pair.larger))
        if metrics
    )


def _use(leader: str, use: bool) -> str:
    """The recommendation, or that a model leads which is not significantly better than the baseline."""
    return f"Use {leader}." if use else f"{leader} leads;"


def _open(pair: PairAnswer) -> str:
    """The metrics without a winner, after those with one."""
    found = f" They are not significantly different on {named(pair.undecided)}." if pair.undecided else ""
    return found + _unknown(pair)


def _unknown(pair: PairAnswer) -> str:
    return f" Nothing can be said of {named(pair.not_comparable)}." if pair.not_comparable else ""


def _on_first(answer: Answer, first: MetricAnswer, *, use: bool = True) -> str:
    """Three models or more on the first metric, or those of a sequential verdict."""
    leader = str(first.leader)
    on = f" on {first.metric}" if answer.n_metrics > 1 else ""
    parts = []
    if first.equivalent:
        parts.append(f"{_together(leader, first.equivalent)} are practically equivalent{on}")
    elif first.not_different:
        if answer.all_alike(first):
            same = f"have the same scores on all {answer.cases}{on}"
            open_ = f"are not significantly different{on}{_at_most(first)}"
            parts.append(f"{_together(leader, first.not_different)} {same if first.bound == 0 else open_}")
        else:
            others = named(first.not_different, "models")
            alike = f"{_are(first.not_different)} not significantly different from it{_at_most(first)}"
            parts.append(f"{leader} leads{on}; {others} {alike}")
    if first.worse:
        worse, are = named(first.worse, "models"), _are(first.worse)
        groups = _by_winner(answer, first)
        if len(first.worse) == len(answer.models) - 1 and len(first.worse) > MAX_NAMED:
            worse = f"All {len(first.worse)} others"
        if parts and not first.equivalent and len(groups) > 1:
            parts += [f"{named(who, 'models')} {_are(who)} significantly worse than {a}" for a, who in groups.items()]
        elif parts:
            than = "" if first.equivalent else f" than {next(iter(groups))}"
            parts.append(f"{worse} {are} significantly worse{than}")
        else:
            traded = answer.n_metrics > 1 and any(answer.pair(leader, other).worse for other in first.worse)
            for_it = f" for {first.metric}" if traded and use else ""
            parts.append(f"{_use(f'{leader}{for_it}', use)} {worse} {are} significantly worse{on}")
    sizes = {"smaller": first.smaller, "larger": first.larger}
    for which, who in ((which, who) for which, who in sizes.items() if who):
        everywhere = f"{named(who, 'models')} {_are(who)} {which} on every {one_of(answer.cases)}"
        parts.append(everywhere if parts else f"{leader} leads{on}; {everywhere}")
    known = _beaten_by_others(answer, first)
    parts += [f"{named(who, 'models')} {_are(who)} significantly worse than {a}" for a, who in known.items()]
    unknown = [name for name in first.not_comparable if not any(name in who for who in known.values())]
    if unknown:
        parts.append(f"nothing can be said of {named(unknown, 'models')}")
    return f"{'; '.join(parts)}."


def _beaten_by_others(answer: Answer, first: MetricAnswer) -> dict[str, list[str]]:
    """Those that cannot be compared with the leader and are significantly worse than one that is no worse than it."""
    groups: dict[str, list[str]] = {}
    for name in () if answer.sequential else first.not_comparable:
        if winner := answer.winner_over(name):
            groups.setdefault(winner, []).append(name)
    return groups


def _by_winner(answer: Answer, first: MetricAnswer) -> dict[str, list[str]]:
    """The models that are significantly worse than the leader; after looks than the leader, one left, or any other."""
    if not answer.sequential:
        return {str(first.leader): list(first.worse)}
    groups: dict[str, list[str]] = {}
    order = dict.fromkeys((str(first.leader), *first.not_different, *answer.models))
    for name in first.worse:
        winners = (a for a in order if a != name and first.metric in answer.pair(a, name).better)
        groups.setdefault(next(winners, "another model"), []).append(name)
    return groups


def _on_others(answer: Answer, first: MetricAnswer) -> list[str]:
    """Where other metrics say something else of the leader and another model than the first one."""
    if answer.sequential or answer.n_metrics == 1:
        return []
    leader = str(first.leader)
    better: dict[tuple[str, ...], list[str]] = {}
    worse: dict[tuple[str, ...], list[str]] = {}
    smaller: dict[tuple[str, ...], list[str]] = {}
    for other in answer.models:
        if other != leader:
            pair = answer.pair(leader, other)
            if pair.worse:
                better.setdefault(pair.worse, []).append(other)
            if pair.better and other in first.not_different:
                worse.setdefault(pair.better, []).append(other)
            where = tuple(metric for metric in pair.larger if metric != first.metric)
            if where:
                smaller.setdefault(where, []).append(other)
    clauses = [
        f"{named(who, 'models')} {_are(who)} significantly better than {leader} on {named(where)}."
        for where, who in better.items()
    ]
    clauses += [
        f"On {named(where)} {leader} is significantly better than {named(who, 'models')}."
        for where, who in worse.items()
    ]
    clauses += [
        f"{named(who, 'models')} {_are(who)} smaller than {leader} on {named(where)}, on every {one_of(answer.cases)}."
        for where, who in smaller.items()
    ]
    return clauses if len(clauses) <= MAX_CLAUSES else [*clauses[:MAX_CLAUSES], "Other metrics say more."]


def _at_most(first: MetricAnswer) -> str:
    """How far apart models can be that are not significantly different."""
    if first.bound != first.bound:
        return ""
    return f" (difference at most {size(first.bound)})"


def _among_candidates(answer: Answer, first: MetricAnswer) -> str:
    """The same of a search, for all pairs of its candidates."""
    k = len(answer.models) - len(first.not_comparable) - sum(len(group) - 1 for group in answer.same)
    n = k * (k - 1) // 2
    bound = _at_most(first)
    return bound.replace(")", f", for all {n} comparisons together)") if n > 1 else bound


def size(value: float) -> str:
    """A difference with two digits, zeros at the end too."""
    if SMALLEST_SIZE <= value < 1:
        return number(value, 1 - magnitude(value))
    return f"{value:.2g}" if value < 1 else number(value, decimals([value]))


def _together(leader: str, others: Sequence[str]) -> str:
    return listed([leader, *others]) if len(others) < MAX_NAMED else f"{leader} and {len(others)} other models"


def _are(names: Sequence[str]) -> str:
    return "is" if len(names) == 1 else "are"


def named(names: Sequence[str], what: str = "metrics") -> str:
    """Some names, or how many there are."""
    return listed(names) if len(names) <= MAX_NAMED else f"{len(names)} {what}"


def overview(answer: Answer) -> str:
    """The leader of the first metric against each other model over all metrics; empty of one metric."""
    leader = answer.metrics[0].leader
    if leader is None or answer.n_metrics == 1 or answer.sequential:
        return ""
    wins: dict[int, list[str]] = {}
    for other in answer.models:
        if other != leader:
            wins.setdefault(len(answer.pair(leader, other).better), []).append(other)
    said = [f"than {named(who, 'models')} on {n}" for n, who in sorted(wins.items(), reverse=True) if n]
    return f"Of {answer.n_metrics} metrics {leader} is significantly better {listed(said)}." if said else ""


# What stands around the answer: who is compared, whose means belong together, what a run could have shown.


FORECASTS = "This is about the forecasts that these fitted models made, not about the algorithms"


def sentences(summary: ComparedSummary) -> list[str]:
    """The answer of an evaluation or a study, then how an evaluation ended that was looked at while it ran."""
    said = (first_line(summary.answer), of_forecasts(summary), sequential(summary), unvaried(summary.answer))
    return printable([sentence for sentence in said if sentence])


def of_forecasts(summary: ComparedSummary) -> str:
    """What is compared in time order; empty of anything else."""
    return forecasts(summary.rows) if isinstance(summary, EvaluationSummary) and summary.time_order else ""


def forecasts(rows: Iterable[ComparisonRow | SizeRow], source: str = "") -> str:
    """What comparisons of losses in time order are about; empty of others.

    Of metrics whose variance allows for other training sets that is said, with its source.
    """
    tested = [row for row in rows if row.procedure == "diebold_mariano_test"]
    metrics = list(dict.fromkeys(row.metric for row in tested))
    corrected = [name for name in metrics if any(row.metric == name and row.record.training_variance for row in tested)]
    allowed = f"the variance of the test allows for other training sets{source and ' '}{source}."
    if not metrics:
        return ""
    if len(corrected) == len(metrics):
        return allowed[0].upper() + allowed[1:]
    return f"{FORECASTS}; on {named(corrected)} {allowed}" if corrected else f"{FORECASTS}."


def sequential(summary: ComparedSummary) -> str:
    """When an evaluation that was looked at while it ran was decided; empty of others."""
    stopping = summary.stopping
    if stopping is None or not summary.answer.sequential:
        return ""
    when = "Decided" if stopping.kind != "undecided" else "Ended"
    return (
        f"{when} after {stopping.n_repeats} of {stopping.max_repeats} repeats, with {stopping.n_fits} of "
        f"{stopping.n_fits + stopping.n_fits_saved} fits; one error rate of {percent_of(stopping.alpha)} over "
        f"all looks."
    )


def by_weight(summary: ComparedSummary) -> tuple[list[CodedWarning], list[CodedWarning]]:
    """The warnings that forbid the conclusion, which stand beside the answer, and the others.

    Where no difference could be significant one of the warnings that say why is enough.
    """
    scored = {
        name
        for metric in summary.metrics
        for name, mean in zip(summary.estimators, metric.mean_ranks or metric.means, strict=True)
        if mean == mean
    }
    unscored = {*summary.estimators} - scored
    lacking: dict[CodedWarning, set[str]] = {}  # of each model without any score one warning is enough
    for warning in summary.warnings:
        said = {*warning.about} & (unscored - set().union(*lacking.values()))
        lacking |= {warning: said} if warning.code == Code.MISSING.name and said else {}
    claimed = [row for row in summary.rows if row.outcome.significant]
    forbidding = [
        warning
        for warning in summary.warnings
        if warning.code in FORBIDDING
        or warning in lacking
        or (warning.code in OF_CLAIMS and any(concerns(warning, row, summary.estimators) for row in claimed))
    ]
    untested = [
        w for w in summary.warnings if w.code == Code.UNDEFINED.name and {*summary.answer.untested} & {*w.about}
    ]
    forbidding += untested[:1]
    others = [warning for warning in summary.warnings if warning not in forbidding]
    return [*forbidding, *_too_few(summary)], others


def _too_few(summary: ComparedSummary) -> list[CodedWarning]:
    """Why no difference could be significant, for the most comparisons that say so; empty where one could."""
    if summary.answer.within_reach:
        return []
    first = [row for row in summary.rows if row.metric in summary.families[0].metrics]
    found = Counter(one for row in first for one in row.warnings if one.code == Code.CANNOT_REJECT.name)
    return [warning for warning, _ in found.most_common(1)]


def concerns(warning: CodedWarning, row: ComparisonRow | SizeRow, estimators: Sequence[str]) -> bool:
    """Whether a warning is about the metric of a comparison and about its models, where it names any."""
    models = {*estimators} & {*warning.about}
    return row.metric in warning.about and (not models or row.a in models or row.b in models)


def could_have_shown(summary: ComparedSummary, metric: str | None = None) -> str:
    """The smallest differences that the open comparisons would have found; empty where that is not known."""
    rows = [row for row in summary.detectable if metric in (None, row.metric)]
    if not rows:
        return ""
    spans = {metric.name: metric.span for metric in summary.metrics}
    sizes = [f"{_detectable_sizes(row, spans[row.metric])} in {row.metric}" for row in rows[:MAX_NAMED]]
    if len(rows) > MAX_NAMED:
        sizes.append(f"others in {counted(len(rows) - MAX_NAMED, 'more metric')}")
    return f"Smallest detectable difference at {percent_of(POWER)} power: {listed(sizes)}."


def _detectable_sizes(row: DetectableRange, span: float) -> str:
    """One size for all pairs, or from the smallest to the largest; none is larger than a difference can be."""
    ends = (size(end) if end < span else f"more than {span:g}" for end in (row.low, row.high))
    return " to ".join(dict.fromkeys(ends))


def title(summary: ComparedSummary) -> str:
    """Which models are compared."""
    names = summary.estimators
    return f"{names[0]} against {names[1]}" if len(names) == 2 else f"{len(names)} models compared"


def only_leading(summary: ComparedSummary) -> str:
    """Which comparisons of many models are shown, and where all are, as a sentence; empty where all are shown."""
    names = leading_models(summary)
    if not names or compared_with(summary):
        return compared_with(summary)
    which = f"Of {len(summary.estimators)} models these are the comparisons of the leading ones with all others"
    return f"{which} ({few(names)}); compare() and to_json() have all {len(summary.rows)}."


def compared_with(summary: ComparedSummary) -> str:
    """With whom the models are compared, where the pairs are too many for a report, as a sentence; else empty."""
    answer = summary.answer
    if len(answer.pairs) == answer.n_pairs:
        return ""
    names = leading_models(summary)
    who = "the leader" if names == (answer.metrics[0].leader,) else few(names)
    return f"Compared with {who}: {len(answer.pairs):,} of {answer.n_pairs:,} pairs; compare() has all."


def n_comparisons(summary: ComparedSummary) -> int:
    """How many `compare` makes."""
    return summary.answer.n_pairs * summary.answer.n_metrics if compared_with(summary) else len(summary.rows)


def left_early(summary: ComparedSummary) -> dict[str, str]:
    """The models whose means are over splits of their own, each with which ones."""
    stopping = summary.stopping
    if stopping is None or not summary.answer.sequential:
        return {}
    n = stopping.n_repeats * stopping.n_folds
    splits = {name: stopping.n_splits_of(name) for name in (*stopping.names, *stopping.worse, *stopping.unscored)}
    fitted = {name: f"first {of} splits" for name, of in splits.items() if of < n}
    return {**dict.fromkeys(stopping.unscored, "lacks scores"), **fitted}


def models(summary: ComparedSummary) -> list[str]:
    """The names, with the splits of those whose means are over splits of their own."""
    own = left_early(summary)
    return [f"{name} ({own[name]})" if name in own else name for name in summary.estimators]
