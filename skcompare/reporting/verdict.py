"""What stands around the answer: who is compared, whose means belong together, what a run could have shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from skcompare._core.numbers import percent_of
from skcompare._core.record import few
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted, listed
from skcompare.comparison.detectable import POWER, DetectableRange
from skcompare.comparison.learning_curve import SizeRow
from skcompare.comparison.table import ComparisonRow
from skcompare.reporting._words import FORBIDDING, OF_CLAIMS, printable
from skcompare.reporting.answer import MAX_NAMED, first_line, named, size, unvaried
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.leading import leading_models
from skcompare.reporting.summary.records import ComparedSummary

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
    found = Counter(one for row in summary.rows for one in row.warnings if one.code == Code.CANNOT_REJECT.name)
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
    sizes = [f"{_sizes(row, spans[row.metric])} in {row.metric}" for row in rows[:MAX_NAMED]]
    if len(rows) > MAX_NAMED:
        sizes.append(f"others in {counted(len(rows) - MAX_NAMED, 'more metric')}")
    return f"Smallest detectable difference at {percent_of(POWER)} power: {listed(sizes)}."


def _sizes(row: DetectableRange, span: float) -> str:
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
