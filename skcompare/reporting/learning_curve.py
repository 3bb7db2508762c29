"""A learning curve as a document: does the verdict hold for another number of training samples?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from skcompare._core.names import DUMMY
from skcompare._core.numbers import counted, listed, number, percent_of
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.answer import Answer, PairAnswer
from skcompare.comparison.learning_curve import SizeRow, said, shown
from skcompare.comparison.table import plain_row
from skcompare.inference._guide import CORRECTION_REFERENCES
from skcompare.reporting.columns import label, pvalue_cell, text_column
from skcompare.reporting.document import Block, Column, Document, Grid, Items, Paragraph, Section
from skcompare.reporting.error_rate import in_simulations, plain
from skcompare.reporting.json import strict_json
from skcompare.reporting.methods import methods_section
from skcompare.reporting.opening import FORBIDDING, claim, some
from skcompare.reporting.sources import citations_by_key
from skcompare.reporting.summary.learning_curve import LearningCurveSummary
from skcompare.reporting.summary.methods import EvaluationFacts
from skcompare.reporting.words import forecasts, name_of_test, printable

MOST_CROSSINGS = 3
FORMAT = 1
CAPTION = "Mean scores with intervals by the number of training samples; filled where a model is significantly better"


def curve_document(summary: LearningCurveSummary, *, full: bool = False) -> Document:
    """The answer, the verdict at every size and what it rests on; in full all comparisons and warnings."""
    summary = printable(summary)
    blocks: list[Block] = [
        Paragraph(name="answer", text=" ".join(sentences(summary))),
        Paragraph(name="design", text=f"{setting(summary)}."),
        by_size(summary),
        Paragraph(name="test", text=_test(summary), hint="More: curve.explain()."),
    ]
    if full:
        sections: dict[str, list[Block]] = {
            "Every comparison": [_every_pair(summary)],
            "How often this test is wrong": [*_simulations(summary)],
            "The test and what it assumes": [
                Paragraph(
                    name="sizes",
                    text="The test sets are the same at all sizes; each training set is a part of the next larger one.",
                )
            ],
            "All warnings": [Items(name="warnings", texts=tuple(map(str, summary.warnings)))]
            if summary.warnings
            else [],
        }
        blocks += [Section(title=title, blocks=tuple(inner)) for title, inner in sections.items() if inner]
    return Document(title=f"Learning curves of {listed(list(summary.estimators))}", blocks=tuple(blocks))


def setting(summary: LearningCurveSummary) -> str:
    """What was evaluated."""
    size = "" if summary.n_samples is None else f"{summary.n_samples:,} samples, "
    return f"{size}{summary.design}, trained on {listed([str(one) for one in summary.sizes])} samples"


def _test(summary: LearningCurveSummary) -> str:
    """The test and its error budget."""
    found = summary.comparison
    test = name_of_test(found.procedure)
    budget = f"{counted(found.n_hypotheses, 'comparison')}, from the full size downward"
    return (
        f"{test[0].upper()}{test[1:]}, p adjusted ({found.correction}) over {budget}, {percent_of(found.alpha)} in all."
    )


def _simulations(summary: LearningCurveSummary) -> Iterator[Block]:
    if summary.error_rates is not None:
        yield Paragraph(name="error rate", text=in_simulations(summary.error_rates, summary.comparison.n_hypotheses))


# ---- tables ---------------------------------------------------------------------------------------------------


def by_size(summary: LearningCurveSummary) -> Grid:
    """The verdict at every size on the first metric: of two models their difference, of more who leads."""
    metric = _metric(summary)
    if len(summary.estimators) == 2:
        rows = [row for row in summary.comparison if row.metric == metric]
        return Grid(name="sizes", columns=tuple(_of_rows(rows, two=True)))
    answers = {size: on_one(found, metric).metrics[0] for size, found in summary.answers.items()}
    means = [dict(zip(summary.estimators, summary.means[size].means, strict=True)) for size in answers]
    leads = [own.get(on.leader or "", float("nan")) for own, on in zip(means, answers.values(), strict=True)]
    groups = {
        "worse": "significantly worse",
        "not_different": "not significantly different",
        "smaller": "smaller",
        "larger": "larger",
        **({"not_better": f"not better than {summary.baseline}"} if summary.baseline else {}),
    }
    columns = [_sizes(list(answers)), text_column("leads", "leads", [on.leader or "none" for on in answers.values()])]
    cells = tuple(number(mean, 3) for mean in leads)
    columns.append(Column(name="mean", head=f"mean {label(metric)}", cells=cells, values=tuple(leads)))
    for name, head in groups.items():
        found = [getattr(on, name) for on in answers.values()]
        if any(found):
            columns.append(text_column(name, head, [listed(list(one)) if one else "" for one in found]))
    return Grid(name="sizes", columns=tuple(columns))


def _sizes(sizes: Sequence[int]) -> Column:
    cells = tuple(str(size) for size in sizes)
    return Column(name="size", head="training samples", cells=cells, values=tuple(sizes))


def _of_rows(rows: Sequence[SizeRow], *, two: bool = False) -> Iterator[Column]:
    """The columns of comparisons at some sizes."""
    yield _sizes([row.size for row in rows])
    if two:
        for name, means in ((rows[0].a, [row.mean_a for row in rows]), (rows[0].b, [row.mean_b for row in rows])):
            yield Column(name=name, head=name, cells=tuple(number(mean, 3) for mean in means), values=tuple(means))
    else:
        yield text_column("a", "a", [row.a for row in rows])
        yield text_column("b", "b", [row.b for row in rows])
    head = f"{rows[0].a} - {rows[0].b}" if two else "a - b"
    differences = [shown(row) for row in rows]
    yield Column(
        name="estimate",
        head=head,
        cells=tuple(one[0] for one in differences),
        values=tuple(row.estimate for row in rows),
    )
    ends = tuple((row.low, row.high) for row in rows)
    yield Column(name="interval", head="interval", cells=tuple(one[1] for one in differences), values=ends)
    p = tuple(row.pvalue_adjusted for row in rows)
    yield Column(
        name="pvalue_adjusted",
        head="p adj.",
        cells=tuple(pvalue_cell(row.pvalue_adjusted, 0.05) for row in rows),
        values=p,
    )
    yield text_column("outcome", "outcome", [said(row) for row in rows])


def _every_pair(summary: LearningCurveSummary) -> Grid:
    rows = summary.comparison.rows
    columns = (text_column("metric", "metric", [label(row.metric) for row in rows]), *_of_rows(rows))
    return Grid(name="comparisons", columns=columns)


def _metric(summary: LearningCurveSummary) -> str:
    return summary.answers[summary.sizes[-1]].metrics[0].metric


# ---- sentences ------------------------------------------------------------------------------------------------


def sentences(summary: LearningCurveSummary) -> list[str]:
    """What to use at which sizes, who is not better than the baseline, and where the curves cross."""
    forbidding = next((one for one in summary.warnings if one.code in FORBIDDING), None)
    if forbidding is not None:
        return [f"Do not use this result: {forbidding.sentence}"]
    if not summary.within_reach:
        n = f"{summary.comparison.n_hypotheses} comparisons"
        return [f"Too little data: no difference can be significant among {n}."]
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
    return claim(answer if answer.baseline is None else answer.without_baseline())


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
    return f"Not significantly better than {what}{on}: {some(said)}."


def over(answer: Answer) -> str:
    """What the baseline is called in a sentence; empty where there is none."""
    if answer.baseline is None:
        return ""
    return f"guessing ({DUMMY})" if answer.baseline == DUMMY else f"the baseline ({answer.baseline})"


# ---- for papers and programs -----------------------------------------------------------------------------------


def methods_text(summary: LearningCurveSummary, facts: EvaluationFacts) -> str:
    """The methods section of the whole training sets, with the sizes, and the error budget of all."""
    sizes = listed([str(one) for one in summary.sizes])
    own = replace(facts.comparison, correction="bonferroni")
    tested = f" of on average {facts.sizes[1]:.0f} samples" if facts.sizes else ""
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
    whole = replace(facts, comparison=own, joint=(), sizes=(), error_rates=summary.error_rates, warnings=told)
    whole = replace(whole, correction_references=CORRECTION_REFERENCES["bonferroni"])
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
