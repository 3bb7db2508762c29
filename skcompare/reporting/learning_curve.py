"""A learning curve as a document: does the verdict hold for another number of training samples?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from math import inf, isfinite

from skcompare._core.names import DUMMY
from skcompare._core.numbers import agreeing, listed, number, percent_of
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.answer import Answer, MetricAnswer, PairAnswer
from skcompare.comparison.means import is_loss, label
from skcompare.comparison.table import ComparisonRow, ComparisonTable, plain_row
from skcompare.reporting.columns import (
    comparison_columns,
    facing,
    mean_column,
    places_for,
    places_of,
    standing,
    text_column,
)
from skcompare.reporting.document import Block, Column, Document, Grid, Items, Paragraph, Section
from skcompare.reporting.error_rate import in_simulations, plain
from skcompare.reporting.explain import EVERY_PAIR
from skcompare.reporting.json import FORMAT, strict_json
from skcompare.reporting.methods import methods_section
from skcompare.reporting.opening import caution_of, ends, reach, some, too_little
from skcompare.reporting.short import wrong_in
from skcompare.reporting.sources import citations_by_key
from skcompare.reporting.summary.learning_curve import LearningCurveSummary
from skcompare.reporting.summary.methods import Facts
from skcompare.reporting.words import extended, forecasts, name_of_test, printable, together

MOST_CROSSINGS = 3
MOST = "at the largest size"
CAPTION = "Mean scores with intervals by the number of training samples; filled where a model is significantly better"


def curve_document(summary: LearningCurveSummary, *, full: bool = False) -> Document:
    """The answer, the models at every size and what it rests on; in full all comparisons and warnings."""
    summary = printable(summary)
    first, *crossings = sentences(summary)
    metric = _metric(summary)
    said = {
        "crossing": " ".join(crossings[:1]),
        "caution": caution_of(summary.warnings, metric, summary.metrics),
        "test": _test(summary, metric),
    }
    hints = {"test": "More: curve.explain()."}
    blocks: list[Block] = [
        Paragraph(name="answer", text=first),
        Paragraph(name="design", text=f"{setting(summary)}. {forecasts(summary.comparison)}".rstrip()),
        by_size(summary),
        *(Paragraph(name=name, text=text, hint=hints.get(name, "")) for name, text in said.items() if text),
    ]
    if full:
        sections: dict[str, list[Block]] = {
            EVERY_PAIR: [*_pairs(summary)],
            "Where curves cross": [Items(name="crossings", texts=tuple(crossings))] if crossings else [],
            "How often this test is wrong": [*_simulations(summary)],
            "The test and what it assumes": [Items(name="assumes", texts=_ASSUMED)],
            "All warnings": [Items(name="warnings", texts=tuple(map(str, summary.warnings)))]
            if summary.warnings
            else [],
        }
        blocks += [Section(title=title, blocks=tuple(inner)) for title, inner in sections.items() if inner]
    return Document(title=f"Learning curves of {listed(list(summary.estimators))}", blocks=tuple(blocks))


_ASSUMED = (
    "The test sets are the same at all sizes; each training set is a part of the next larger one.",
    "With a smaller training set a difference is tested only where it is significant with all larger ones.",
    "So sizes cost nothing: p adj. is the largest p at this size or a larger one, times the comparisons.",
)


def setting(summary: LearningCurveSummary) -> str:
    """What was evaluated."""
    size = "" if summary.n_samples is None else f"{summary.n_samples:,} samples, "
    return f"{size}{summary.design}, trained on {listed([str(one) for one in summary.sizes])} samples"


def _test(summary: LearningCurveSummary, metric: str) -> str:
    """The test, and how often it was wrong in simulations of the full size."""
    rows = summary.tables[summary.sizes[-1]].rows
    test = next((row.procedure for row in rows if row.metric == metric and row.procedure), summary.comparison.procedure)
    said = name_of_test(test)
    return f"{said[0].upper()}{said[1:]}, from the full size downward; {wrong_in(summary.error_rates, metric)}."


def _simulations(summary: LearningCurveSummary) -> Iterator[Block]:
    if summary.error_rates is not None:
        yield Paragraph(name="error rate", text=in_simulations(summary.error_rates, summary.comparison.n_hypotheses))


# ---- tables ---------------------------------------------------------------------------------------------------


def by_size(summary: LearningCurveSummary) -> Grid:
    """The means on the first metric at every size: of two models with their difference, of more with marks."""
    metric, full = _metric(summary), summary.sizes[-1]
    leader = summary.answers[full].metrics[0].leader or summary.estimators[0]
    others = [name for name in summary.estimators if name != leader]
    if len(others) == 1:
        columns, shown = _two_models(summary, leader, others[0])
    else:
        columns, shown = _many_models(summary, leader)
    marks = " ".join(mark for column in columns for mark in column.marks)
    said = [f"* significantly worse than {leader}"] if "worse" in marks else []
    said += [f"+ significantly better than {leader}"] if "better" in marks else []
    means = summary.means[full]
    less = f"Less is better for {label(metric)}; a positive lead favours {leader}." if is_loss(means) else ""
    what = "" if len(others) == 1 else f"Mean {label(metric)} by training samples; lead and interval at {full}."
    legend = f"{', '.join(said)}." if said else ""
    held = together(replace(_first_family(summary), rows=tuple(row for row in shown if row is not None)))
    caption = " ".join(filter(None, [what, legend, held, extended(shown), less]))
    return Grid(name="sizes", columns=tuple(columns), caption=caption)


def _first_family(summary: LearningCurveSummary) -> ComparisonTable:
    """The comparisons at the full size, as sharing the error rate of the first metric."""
    table = summary.tables[summary.sizes[-1]]
    return replace(table, families=table.families[:1])


def _two_models(summary: LearningCurveSummary, a: str, b: str) -> tuple[list[Column], list[ComparisonRow | None]]:
    """One row per size."""
    metric, sizes = _metric(summary), summary.sizes
    rows = [facing(summary.tables[size].rows, a, [b], metric)[0] for size in sizes]
    places = _places(summary)
    columns = [Column(name="size", head="training samples", cells=tuple(map(str, sizes)), values=sizes)]
    for name in (a, b):
        own = tuple(summary.means[size].means[summary.estimators.index(name)] for size in sizes)
        column = mean_column(replace(summary.means[sizes[-1]], means=own), range(len(own)), places, [""] * len(own))
        columns.append(replace(column, name=name, head=name))
    return [*columns, *comparison_columns(rows, [places] * len(rows), _first_family(summary))], rows


def _many_models(summary: LearningCurveSummary, leader: str) -> tuple[list[Column], list[ComparisonRow | None]]:
    """One row per model, the leader at the full size first, and one column per size."""
    metric, full = _metric(summary), summary.sizes[-1]
    merits = [merit if merit == merit else -inf for merit in summary.means[full].merits]
    order = sorted(range(len(merits)), key=lambda i: (summary.estimators[i] != leader, -merits[i]))
    names = [summary.estimators[i] for i in order]
    columns, places = [text_column("model", "", names)], _places(summary)
    for size in summary.sizes:
        rows = facing(summary.tables[size].rows, leader, names, metric)
        column = mean_column(summary.means[size], order, places, [standing(row, leader) for row in rows])
        blanks = len(column.head) - len(label(metric))
        columns.append(replace(column, name=f"{size}", head=f"{size}{' ' * blanks}"))
    tested = comparison_columns(rows, [places] * len(rows), _first_family(summary))[:2]
    return [*columns, *tested], rows


def _places(summary: LearningCurveSummary, metric: str | None = None) -> int:
    """Decimals of all numbers on a metric, by default on the first."""
    first = _metric(summary)
    rows = [row for table in summary.tables.values() for row in table if row.metric == (metric or first)]
    return places_for(rows, summary.means[summary.sizes[-1]]) if metric in (None, first) else places_of(rows)


def _pairs(summary: LearningCurveSummary) -> Iterator[Block]:
    """One table per metric: all pairs, each at every size."""
    table = summary.tables[summary.sizes[-1]]
    for metric in dict.fromkeys(row.metric for row in table):
        by_pair: dict[tuple[str, str], list[tuple[int, ComparisonRow]]] = {}
        for size in summary.sizes:
            for row in summary.tables[size]:
                if row.metric == metric:
                    by_pair.setdefault((row.a, row.b), []).append((size, row))
        sizes, rows = zip(*(one for pair in by_pair.values() for one in pair), strict=True)
        columns = (
            text_column("a", "a", [row.a for row in rows]),
            text_column("b", "b", [row.b for row in rows]),
            Column(name="size", head="training samples", cells=tuple(map(str, sizes)), values=sizes),
            *comparison_columns(rows, [_places(summary, metric)] * len(rows), table, head="a - b"),
        )
        less = "Less is better: a positive difference favours a." if metric in summary.costs else ""
        caption = f"{extended(rows)} {less}".strip()
        yield Grid(name=f"pairs on {label(metric)}", columns=columns, title=f"On {label(metric)}", caption=caption)


def _metric(summary: LearningCurveSummary) -> str:
    return summary.answers[summary.sizes[-1]].metrics[0].metric


# ---- sentences ------------------------------------------------------------------------------------------------


def sentences(summary: LearningCurveSummary) -> list[str]:
    """What to use at which sizes, and where the curves cross."""
    return printable([opening(summary), *(one._sentence() for one in summary.crossings[:MOST_CROSSINGS])])


def opening(summary: LearningCurveSummary) -> str:
    """What to do with the largest training sets, how large the difference is, how sure, and at which sizes it holds."""
    metric, full = _metric(summary), summary.sizes[-1]
    answer = summary.answers[full]
    if answer.forbidden:
        return answer.forbidden
    if not summary.within_reach:
        return too_little(metric, summary.tables[full].families)
    first = answer.metrics[0]
    if first.leader is None or not first.known:
        return f"No model can be named on {label(metric)} with {full} training samples."
    beside = _against_baseline(summary)
    return f"{_among(summary, first, brief=bool(beside))} {beside}".rstrip()


def _among(summary: LearningCurveSummary, first: MetricAnswer, *, brief: bool) -> str:
    """The leader at the full size against the other models, the baseline aside where there are others."""
    metric, full, leader = label(first.metric), summary.sizes[-1], str(first.leader)
    names = [name for name in summary.estimators if name != summary.baseline]
    names = names if len(names) > 1 else list(summary.estimators)
    alike = [name for name in (*first.not_different, *first.equivalent) if name in names]
    worse = [name for name in first.worse if name in names]
    faced = facing(summary.tables[full].rows, leader, summary.estimators, first.metric)
    rows = {row.b: row for row in faced if row is not None}
    with_fewer = _with_fewer(summary, leader)
    where, largest = _where(summary, any_size=len(alike) == 1 and not worse)
    where, largest = (MOST, True) if with_fewer else (where, largest)
    if len(alike) > 1 or (alike and worse):
        may_be = "" if brief else reach([rows[name] for name in alike], leader, metric, _places(summary))
        return _shared(leader, alike, worse, where, may_be)
    if not alike and not worse:
        sizes, which = (*first.smaller, *first.larger), "smaller" if first.smaller else "larger"
        are = agreeing(len(sizes), "is", "are")
        return f"{leader} leads on {metric} {where}; {some(sizes)} {are} {which} on every split."
    nearest = min((rows[name] for name in (*alike, *worse)), key=lambda row: row.estimate)
    most = "" if brief or largest else f" {MOST}"
    if alike:
        return f"No clear winner {where}: {_ahead(summary, nearest, most)}.{with_fewer}"
    used = summary.answers[full].recommends and summary.baseline not in worse
    next_best = ", the next best," if len(worse) > 1 and not brief else ""
    use = f"Use {leader}" if used else f"{leader} leads"
    return f"{use} {where}: {_gain(summary, nearest, f'{next_best}{most}')}.{with_fewer}"


def _shared(leader: str, alike: Sequence[str], worse: Sequence[str], where: str, reach: str) -> str:
    """Who shares the lead, who is worse, and how far the leader may be ahead."""
    is_worse = f"; {some(worse)} {agreeing(len(worse), 'is', 'are')} significantly worse" if worse else ""
    start = "" if worse else "No clear winner: "
    return f"{start}{some((leader, *alike))} share the lead {where}{is_worse}. {reach}".rstrip()


def _gain(summary: LearningCurveSummary, row: ComparisonRow, which: str) -> str:
    """By how much the leader is better with the largest training sets, with the interval."""
    places = _places(summary)
    over = f"{number(row.estimate, places, signed=True)} {label(row.metric)} over {_named(summary, row.b)}{which}"
    level = percent_of(1 - summary.comparison.alpha)
    return f"{over} ({level} interval {ends(row, places)})" if isfinite(row.low + row.high) else over


def _ahead(summary: LearningCurveSummary, row: ComparisonRow, most: str) -> str:
    """How far the leader is ahead with the largest training sets, and what remains possible."""
    places = _places(summary)
    ahead = f"{row.a} is {number(row.estimate, places)} ahead of {_named(summary, row.b)} on {label(row.metric)}{most}"
    return f"{ahead}, and {ends(row, places)} remains possible" if isfinite(row.low + row.high) else ahead


def _named(summary: LearningCurveSummary, name: str) -> str:
    return "guessing" if name == summary.baseline == DUMMY else name


def _where(summary: LearningCurveSummary, *, any_size: bool) -> tuple[str, bool]:
    """At which sizes the verdict is that of the largest, in at most one number; and whether it is of that alone."""
    metric, sizes = _metric(summary), summary.sizes
    keys = [_key(on_one(summary.answers[size], metric)) for size in sizes]
    same = [key == keys[-1] for key in keys]
    if all(same):
        return f"at {'any' if any_size else 'every'} size", False
    start = same.index(True)
    if start < len(sizes) - 1 and all(same[start:]):
        return f"from {sizes[start]} training samples on", False
    return f"with {sizes[-1]} training samples", True


def _with_fewer(summary: LearningCurveSummary, leader: str) -> str:
    """That another model is to be used with fewer samples; empty where none is."""
    metric, found = _metric(summary), dict[str, list[int]]()
    for size in summary.sizes[:-1]:
        on = on_one(summary.answers[size], metric)
        first = on.metrics[0]
        if first.leader not in (None, leader) and leader in first.worse and on.recommends:
            found.setdefault(str(first.leader), []).append(size)
    if not found:
        return ""
    other, sizes = next(iter(found.items()))
    return f" {up_to(summary.sizes, sizes)} use {other}."


def up_to(sizes: Sequence[int], chosen: Sequence[int]) -> str:
    """``Up to 153``, where these are the smallest sizes, else ``With fewer``."""
    return f"Up to {chosen[-1]}" if tuple(sizes[: len(chosen)]) == tuple(chosen) else "With fewer"


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


def _key(answer: Answer) -> object:
    """What a verdict says: two with the same one are the same."""
    first = answer.metrics[0]
    others = {*first.worse} - {answer.baseline}
    sizes = frozenset(first.smaller), frozenset(first.larger)
    unknown = frozenset(first.not_comparable)
    return (first.leader if others else None), frozenset(others), sizes, unknown, answer.recommends


def _against_baseline(summary: LearningCurveSummary) -> str:
    """Which models are not shown to be better than the baseline at some size; empty where all are, or there is one."""
    names = [name for name in summary.estimators if name != summary.baseline]
    if summary.baseline is None or len(names) == 1:
        return ""
    metric, answers = _metric(summary), summary.answers.values()
    what = _named(summary, summary.baseline)
    lost = {name: [metric not in one.pair(name, summary.baseline).better for one in answers] for name in names}
    never = [name for name, where in lost.items() if all(where)]
    some_sizes = [name for name, where in lost.items() if any(where)]
    if len(never) == len(names):
        return f"No model is significantly better than {what} at any size."
    if not some_sizes:
        return ""
    often = "Never" if never == some_sizes else "Not always"
    return f"{often} significantly better than {what}: {some(some_sizes)}."


# ---- for papers and programs -----------------------------------------------------------------------------------


def methods_text(summary: LearningCurveSummary, facts: Facts) -> str:
    """The methods section of the whole training sets, with the sizes, and the error budget of all."""
    sizes = listed([str(one) for one in summary.sizes])
    own = replace(facts.comparison, correction="bonferroni")
    tested = f" of on average {facts.sizes[1]} samples" if facts.sizes else ""
    also = [
        f"Every model was trained on {sizes} of the training samples of each split, each training set being a part of "
        f"the next larger one, and tested on the same test sets{tested}.",
        "A difference was tested with a smaller training set only where it was significant with all larger ones.",
    ]
    if summary.baseline:
        guesses = ", which guesses without the features" if summary.baseline == DUMMY else ""
        also.append(f"The baseline was {summary.baseline}{guesses}.")
    if summary.crossings:
        also.append("Where two models change places was found by inverting the test between the sizes.")
    told = tuple(map(_with_sizes, summary.warnings))
    whole = replace(facts, comparison=own, joint=(), error_rates=summary.error_rates, warnings=told)
    return methods_section(whole, citations_by_key(), also)


def _with_sizes(warning: CodedWarning) -> str:
    return f"with {warning.where}: {warning.sentence}" if warning.where else warning.sentence


def json_report(summary: LearningCurveSummary) -> str:
    """The learning curve as strict JSON, null where a number is not finite."""
    found = summary.comparison
    return strict_json(
        {
            "format": FORMAT,
            "kind": "learning_curve",
            "estimators": summary.estimators,
            "metrics": summary.metrics,
            "baseline": summary.baseline,
            "sizes": summary.sizes,
            "design": summary.design,
            "n_samples": summary.n_samples,
            "verdict": sentences(summary),
            "answers": [{"size": size, **asdict(one)} for size, one in summary.answers.items()],
            "crossings": [asdict(one) for one in summary.crossings],
            "comparison": {
                "procedure": found.procedure,
                "correction": found.correction,
                "n_hypotheses": found.n_hypotheses,
                "alpha": found.alpha,
                "rows": [{**plain_row(row), "outcome": row.outcome.value} for row in found],
            },
            "error_rates": plain(summary.error_rates),
            "warnings": summary.warnings,
        }
    )
