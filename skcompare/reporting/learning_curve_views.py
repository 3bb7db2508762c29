"""A learning curve as text, in a notebook, as JSON and as an HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from skcompare._core.html import Table, block
from skcompare._core.names import DUMMY
from skcompare._core.numbers import percent_of, pvalue
from skcompare._core.text import item, table, wrap
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted, listed
from skcompare.comparison.learning_curve import SizeRow, said, shown
from skcompare.comparison.table import plain_row
from skcompare.reporting import html, latex, markdown
from skcompare.reporting._words import column, printable, reversed_sign
from skcompare.reporting.error_rate import in_simulations, plain
from skcompare.reporting.json import strict_json
from skcompare.reporting.learning_curve import by_weight, on_one, sentences
from skcompare.reporting.methods import methods_section
from skcompare.reporting.summary.learning_curve import LearningCurveSummary
from skcompare.reporting.summary.methods import EvaluationFacts
from skcompare.reporting.summary.page import Figure
from skcompare.reporting.summary.sources import citations_by_key
from skcompare.reporting.text import TERMS, shortened, warnings_block

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
    budget = f"{counted(found.n_hypotheses, 'comparison')} at {counted(len(summary.sizes), 'size')}"
    lines = [
        f"Test: {found.procedure}; p adj. is adjusted ({found.correction}) over {budget}, {percent_of(found.alpha)} "
        f"for all together. {_error_rate(summary)}".rstrip(),
        "Each interval is for its own comparison alone.",
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
    header = ["training samples", a, b, f"{a} - {b}", "95% interval", "p adj.", "outcome"]
    means = zip(column([row.mean_a for row in rows]), column([row.mean_b for row in rows]), strict=True)
    return header, [
        [str(row.size), *both, *shown(row), pvalue(row.pvalue_adjusted), said(row)]
        for row, both in zip(rows, means, strict=True)
    ]


def _left(header: Sequence[str]) -> tuple[int, ...]:
    return (6,) if header[-1] == "outcome" else (1, *range(3, len(header)))


def _all_rows(summary: LearningCurveSummary) -> list[str]:
    """Every comparison, metric by metric and pair by pair."""
    header = ("metric", "training samples", "a", "b", "a - b", "95% interval", "p adj.", "outcome")
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
    found, sizes = summary.comparison, listed([str(one) for one in summary.sizes])
    own = replace(facts.comparison, n_hypotheses=found.n_hypotheses)
    tested = f" of on average {facts.sizes[1]:.0f} samples" if facts.sizes else ""
    also = [
        f"Every model was trained on {sizes} of the training samples of each split, each training set being a part of "
        f"the next larger one, and tested on the same test sets{tested}.",
    ]
    if summary.baseline:
        guesses = ", which guesses without the features" if summary.baseline == DUMMY else ""
        also.append(f"The baseline was {summary.baseline}{guesses}.")
    if summary.crossings:
        also.append("Where two models change places was found by inverting the test between the sizes.")
    told = tuple(_with_sizes(one) for one in summary.warnings if one.code != Code.FAILED.name)
    whole = replace(facts, comparison=own, joint=(), sizes=(), error_rates=summary.error_rates, warnings=told)
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
