"""A learning curve in words: does the verdict hold for another number of training samples?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from skcompare._core.html import Table, block
from skcompare._core.names import DUMMY
from skcompare._core.numbers import listed, percent_of, pvalue
from skcompare._core.text import item, table, wrap
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.answer import Answer, PairAnswer
from skcompare.comparison.learning_curve import SizeRow, said, shown
from skcompare.comparison.table import Outcome, plain_row
from skcompare.inference._guide import CORRECTION_REFERENCES
from skcompare.reporting import html, latex, markdown
from skcompare.reporting.answer import among_models, concerns, first_line, forecasts, named, over
from skcompare.reporting.error_rate import in_simulations, plain
from skcompare.reporting.json import strict_json
from skcompare.reporting.methods import methods_section
from skcompare.reporting.summary.learning_curve import LearningCurveSummary
from skcompare.reporting.summary.methods import EvaluationFacts
from skcompare.reporting.summary.page import Figure, citations_by_key
from skcompare.reporting.text import TERMS, shortened, warnings_block
from skcompare.reporting.words import FORBIDDING, OF_CLAIMS, column, printable, reversed_sign

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


# A learning curve as text, in a notebook, as JSON and as an HTML page.


FORMAT = 1
CAPTION = (
    "Mean scores with 95% intervals by the number of training samples; filled where a model is significantly better"
)


def text_report(summary: LearningCurveSummary, detail: str = "short") -> str:
    """The answer, the verdict at every size, what it rests on, the warnings; in full all comparisons too."""
    full = detail == "full"
    forbidding, others = by_weight(summary)
    first = "\n".join([wrap(" ".join(sentences(summary))), *(item(shortened(one, full)) for one in forbidding)])
    header, lines = by_size(summary)
    blocks = [
        first,
        wrap(f"{listed(printable(list(summary.estimators)))}: {setting(summary)}"),
        table(header, lines, left=_left(header)),
        *(_all_rows(summary) if full else []),
        "\n".join([*map(wrap, rests_on(summary)), TERMS]),
        warnings_block(others, full),
    ]
    return "\n\n".join(one for one in blocks if one)


def notebook(summary: LearningCurveSummary) -> str:
    """The answer, the verdict at every size, the warnings."""
    header, lines = by_size(summary)
    forbidding, others = by_weight(summary)
    return block([Table(header, lines)], [], others, answer=[*sentences(summary), *forbidding])


def setting(summary: LearningCurveSummary) -> str:
    """What was evaluated."""
    size = "" if summary.n_samples is None else f"{summary.n_samples} samples, "
    return f"{size}{summary.design}, trained on {listed([str(one) for one in summary.sizes])} samples"


def rests_on(summary: LearningCurveSummary) -> list[str]:
    """The test, its error budget, and how the training sets belong together."""
    found = summary.comparison
    pairs = "" if found.n_hypotheses == 1 else f", times {found.n_hypotheses} for as many comparisons at a size"
    adjusted = f"the largest p at this size or a larger one{pairs}"
    if found.correction not in ("holm", "bonferroni"):
        adjusted = f"adjusted ({found.correction}) over {found.n_hypotheses} comparisons at all sizes"
    lines = [
        f"Test: {found.procedure}; p adj. is {adjusted}; {percent_of(found.alpha)} for all together. "
        f"{_error_rate(summary)}".rstrip(),
        "A smaller size is tested only where the difference is significant at all larger ones.",
        "The test sets are the same at all sizes, and each training set is a part of the next larger one.",
    ]
    return [*lines, *([reversed_sign(summary.costs)] if summary.costs else [])]


def _error_rate(summary: LearningCurveSummary) -> str:
    rates = summary.error_rates
    return "" if rates is None else in_simulations(rates, summary.comparison.n_hypotheses)


def by_size(summary: LearningCurveSummary) -> tuple[list[str], list[list[str]]]:
    """The verdict at every size on the first metric: of two models their difference, of more who leads."""
    metric = summary.answers[summary.sizes[-1]].metrics[0].metric
    rows = [row for row in summary.comparison if row.metric == metric]
    if len(summary.estimators) == 2:
        return two_by_size(rows)
    header = ["training samples", "leads", f"mean {metric}", "significantly worse", "not significantly different"]
    header += ["smaller", "larger"]
    baseline = [f"not better than {summary.baseline}"] if summary.baseline else []
    lines = []
    for size, found in summary.answers.items():
        on = on_one(found, metric).metrics[0]
        means = dict(zip(summary.estimators, column(summary.means[size].means), strict=True))
        groups = (on.worse, on.not_different, on.smaller, on.larger, *([on.not_better] if baseline else []))
        leader = on.leader or "none"
        lines.append([str(size), leader, means.get(leader, ""), *(listed(list(one)) if one else "" for one in groups)])
    used = [i for i in range(7 + len(baseline)) if i < 3 or any(line[i] for line in lines)]
    return [[*header, *baseline][i] for i in used], [[line[i] for i in used] for line in printable(lines)]


def two_by_size(rows: Sequence[SizeRow]) -> tuple[list[str], list[list[str]]]:
    """Two models on one metric."""
    a, b = printable([rows[0].a, rows[0].b])
    header = ["training samples", a, b, f"{a} - {b}", "interval", "p adj.", "outcome"]
    means = zip(column([row.mean_a for row in rows]), column([row.mean_b for row in rows]), strict=True)
    return header, [
        [str(row.size), *both, *shown(row), pvalue(row.pvalue_adjusted), said(row)]
        for row, both in zip(rows, means, strict=True)
    ]


def _left(header: Sequence[str]) -> tuple[int, ...]:
    return (6,) if header[-1] == "outcome" else (1, *range(3, len(header)))


def _all_rows(summary: LearningCurveSummary) -> list[str]:
    """Every comparison, metric by metric and pair by pair."""
    header = ("metric", "training samples", "a", "b", "a - b", "interval", "p adj.", "outcome")
    lines = [
        [row.metric, str(row.size), row.a, row.b, *shown(row), pvalue(row.pvalue_adjusted), said(row)]
        for row in printable(summary.comparison.rows)
    ]
    return [f"All comparisons:\n{table(header, lines, left=(0, 2, 3, 7))}"]


# ---- for papers and pages --------------------------------------------------------------------------------------


def markdown_report(summary: LearningCurveSummary) -> str:
    """The answer, the verdict at every size, what it rests on, and the warnings as a list."""
    header, lines = by_size(summary)
    of_text = _left(header)
    rule = ["---" if i in of_text else "---:" for i in range(len(header))]
    rows = [[markdown.escape(cell) for cell in line] for line in (header, *lines)]
    shown_table = "\n".join(map(markdown.row, (rows[0], rule, *rows[1:])))
    about = " ".join([f"{_capital(setting(summary))}, by {_metric(summary)}.", *rests_on(summary)])
    blocks = [*map(markdown.item, sentences(summary)), shown_table, markdown.item(about)]
    notes = "\n".join(f"- {markdown.item(one)}" for one in printable(list(summary.warnings)))
    return "\n\n".join([*blocks, *([notes] if notes else [])])


def latex_report(summary: LearningCurveSummary) -> str:
    """A float with the verdict at every size; its caption has the answer, and the warnings stand below it."""
    header, lines = by_size(summary)
    of_text = _left(header)
    caption = f"{' '.join(sentences(summary))} {_capital(setting(summary))}, by {_metric(summary)}."
    columns = "".join("l" if i in of_text else "r" for i in range(len(header)))
    rows = [latex.row([latex.text(cell) for cell in line]) for line in (header, *lines)]
    below = [*rests_on(summary), *printable(list(summary.warnings))]
    content = [*latex.tabular(columns, rows[:1], rows[1:]), *(latex.note(latex.text(one)) for one in below)]
    return latex.table(latex.text(caption), [r"\footnotesize", *content])


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
    told = tuple(_with_sizes(one) for one in summary.warnings if one.code != Code.FAILED.name)
    whole = replace(facts, comparison=own, joint=(), sizes=(), error_rates=summary.error_rates, warnings=told)
    whole = replace(whole, correction_references=CORRECTION_REFERENCES["bonferroni"])
    return methods_section(whole, citations_by_key(), also)


def _with_sizes(warning: CodedWarning) -> str:
    return f"with {warning.where}: {warning.sentence}" if warning.where else warning.sentence


def _metric(summary: LearningCurveSummary) -> str:
    return summary.answers[summary.sizes[-1]].metrics[0].metric


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


# ---- JSON and the page ----------------------------------------------------------------------------------------


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


def html_page(summary: LearningCurveSummary, figures: Sequence[Figure]) -> str:
    """One page: the answer, the table, the pictures, the comparisons, the warnings and how to run it again."""
    header, lines = by_size(summary)
    known, (forbidding, others) = summary.provenance, by_weight(summary)
    context: Mapping[str, Any] = {
        "title": f"Learning curves of {listed(list(summary.estimators))}",
        "setting": setting(summary),
        "sentences": sentences(summary),
        "forbidding": forbidding,
        "other_warnings": others,
        "header": header,
        "lines": lines,
        "numeric": [i not in _left(header) for i in range(len(header))],
        "rests_on": rests_on(summary),
        "rows": [
            [row.metric, str(row.size), row.a, row.b, *shown(row), pvalue(row.pvalue_adjusted), said(row)]
            for row in summary.comparison
        ],
        "known": html.provenance(known),
        "splits": [],
        "page": None,
    }
    return html.fill("learning_curve.html", printable(context), {"figures": figures}, scripted=False)
