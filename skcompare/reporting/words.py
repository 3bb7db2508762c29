"""Words and numbers that the reports share: here the values of outcomes and statements become words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from math import isnan
from operator import is_
from typing import Any, TypeVar

from skcompare._core.numbers import (
    counted,
    decimals,
    decimals_of_difference,
    interval,
    listed,
    number,
    percent,
    percent_of,
)
from skcompare._core.printable import one_line
from skcompare._core.text import NOT_DIFFERENT, better
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Outcome, is_median
from skcompare.reporting.summary.evaluation import EvaluationSummary
from skcompare.reporting.summary.records import ComparedSummary
from skcompare.reporting.summary.study import StudySummary

MAX_ROWS = 15
_OUTCOMES = {
    Outcome.NOT_COMPARABLE: "not comparable",
    Outcome.NOT_TESTED: "not tested",
    Outcome.EQUIVALENT: "practically equivalent",
    Outcome.UNDECIDED: NOT_DIFFERENT,
}
T = TypeVar("T")
_NO_TEXTS = frozenset({float, int, bool, type(None), Outcome})


def printable(value: T) -> T:
    """A record whose texts are one line each, of printable characters: names come from anywhere."""
    return _printable(value, {})  # type: ignore[no-any-return]


def _printable(value: Any, known: dict[str, str]) -> Any:
    """The value itself where nothing in it changes."""
    if isinstance(value, str):
        if value not in known:
            known[value] = one_line(value)
        if known[value] == value:
            return value
        if isinstance(value, CodedWarning):
            return CodedWarning(value.code, one_line(value.sentence), value.about, one_line(value.where))
        return known[value]
    if isinstance(value, (list, tuple)):
        entries = [item if type(item) in _NO_TEXTS else _printable(item, known) for item in value]
        return value if all(map(is_, entries, value)) else type(value)(entries)
    if isinstance(value, Mapping):
        items = {key: _printable(item, known) for key, item in value.items()}
        return value if all(items[key] is value[key] for key in items) else items
    if is_dataclass(value) and not isinstance(value, type):
        parts = {name: getattr(value, name) for name in _text_fields(type(value))}
        changed = {name: _printable(part, known) for name, part in parts.items()}
        changed = {name: part for name, part in changed.items() if part is not parts[name]}
        return replace(value, **changed) if changed else value
    return value


@cache
def _text_fields(record: type) -> tuple[str, ...]:
    """The fields of a record that may hold text; the record of a row is for computing."""
    numbers = ("float", "int", "bool", "float | None", "int | None")
    return tuple(field.name for field in fields(record) if field.repr and field.type not in numbers)


def column(values: Sequence[float]) -> list[str]:
    """Numbers that stand below each other."""
    places = decimals(values)
    return [number(value, places) for value in values]


def sortable(values: Sequence[float]) -> list[tuple[float, str]]:
    """Numbers that stand below each other, each with what is shown of it."""
    return list(zip(values, column(values), strict=True))


def record(row: ComparisonRow) -> str:
    """Wins, ties and losses, where there are cases to count."""
    return f"{row.wins}/{row.ties}/{row.losses}" if row.wins + row.ties + row.losses else "n/a"


def numbers(row: ComparisonRow) -> dict[str, str]:
    """Both means of a row, their difference and its interval, with the same decimals.

    The means decide how many; a difference that these would round to nothing gets its first two digits shown.
    """
    places = decimals_of_difference(row.estimate, row.mean_a, row.mean_b)
    return {
        "mean_a": number(row.mean_a, places),
        "mean_b": number(row.mean_b, places),
        "estimate": number(row.estimate, places, signed=True),
        "interval": interval(row.low, row.high, places, null=row.null, cut=row.open_at_null),
    }


def verdict(row: ComparisonRow) -> str:
    """The outcome of a comparison in words."""
    margin = f" by more than {abs(row.null):g}" if row.null else ""
    if row.winner is not None:
        return f"{row.winner} significantly better{margin}" if margin else better(row.winner)
    if row.outcome.significant:
        return f"{row.a} {row.outcome.value}{margin}"
    if row.outcome in (Outcome.SMALLER, Outcome.LARGER):
        return f"{row.a if row.outcome is Outcome.SMALLER else row.b} smaller"
    return "not shown" if row.null and row.outcome is Outcome.UNDECIDED else _OUTCOMES[row.outcome]


def clearest(rows: Sequence[ComparisonRow], n: int) -> list[ComparisonRow]:
    """The first row and those that are significant, of the others those with the smallest p-values, in their order."""
    if len(rows) <= n:
        return list(rows)

    def rank(i: int) -> tuple[bool, bool, bool, float]:
        p = rows[i].pvalue_adjusted
        return i > 0, not rows[i].outcome.significant, isnan(p), p

    return [rows[i] for i in sorted(sorted(range(len(rows)), key=rank)[:n])]


FITTED_MODELS = "This is about these fitted models on samples like these, not about the algorithms."
NO_PAIRS = "Runs of two models are not pairs."
OTHER_RUNS = "This is about other runs on the same data, not about other data."


def scope(summary: ComparedSummary) -> str:
    """How scores were read, of what the findings speak, and why runs are pairs; empty of studies and shuffled folds."""
    if not isinstance(summary, EvaluationSummary) or summary.kind == "folds":
        return "" if isinstance(summary, StudySummary) else forecasts(summary.rows)
    if summary.kind != "runs":
        return f"{as_read(summary.provenance, summary.estimators)} {FITTED_MODELS}".strip()
    pairs = f"Runs with the same name were taken for pairs: {summary.paired}." if summary.paired else NO_PAIRS
    return f"{pairs} {OTHER_RUNS}"


def as_read(provenance: Mapping[str, Any], models: Sequence[str]) -> str:
    """How scores of unknown meaning were read, as a sentence; a saved file can hold anything under that name."""
    known = provenance.get("read")
    if not isinstance(known, Mapping):
        return ""
    found = "; ".join(dict.fromkeys(one_line(str(known[name])) for name in models if name in known))
    return f"{found[:1].upper()}{found[1:]}." if found else ""


def setting(summary: ComparedSummary) -> str:
    """The data and the design in a few words."""
    if isinstance(summary, StudySummary):
        how = f", {listed(summary.designs)} on each" if summary.designs else ""
        return summary.how_many + how
    assert isinstance(summary, EvaluationSummary)
    size = "" if summary.n_samples is None or summary.kind != "folds" else f"{summary.n_samples} samples, "
    return f"{size}{summary.design}"


def seeds(summary: ComparedSummary, metric: str | None = None) -> str:
    """How much of the variance of single fits the seeds make, as a sentence; empty with one fit per split."""
    if not isinstance(summary, EvaluationSummary) or not summary.seeds:
        return ""
    known = [one for one in summary.seeds if metric in (None, one.metric)]
    shares = {one.model: one.components.seed_share for one in known if one.components.seed_share >= 0}
    if metric is not None:
        said = [f"{percent(share)} of {model}" for model, share in shares.items()]
        return f"{metric}: {listed(said) if said else 'no variance'}."
    every = sorted(one.components.seed_share for one in known if one.components.seed_share >= 0)
    means = f"Each score is the mean of {summary.n_seeds} fits with seeds of their own"
    if not every:
        return f"{means}; nothing varies."
    span = " to ".join(dict.fromkeys((percent(every[0]), percent(every[-1]))))
    return f"{means}, which make {span} of the variance of single fits on a split."


def datasets_and_designs(summary: StudySummary) -> str:
    """How many data sets, and in brackets how each was resampled."""
    how = f" ({listed(summary.designs)} on each)" if summary.designs else ""
    return summary.how_many + how


def decided_by(compared: ComparedSummary | ComparisonTable) -> str:
    """By what a difference is significant, and at which error rate."""
    if compared.sequential:
        return f"by the sequential verdict with an error rate of {percent_of(compared.alpha)} over all looks"
    adjusted = "p not adjusted"
    if adjusts(compared):
        adjusted = f"p adjusted ({compared.correction}) over {over_families(compared)}"
    return f"at {percent_of(compared.alpha)} by {compared.procedure}, {adjusted}"


def only_tested(rows: Sequence[ComparisonRow]) -> str:
    """The metrics that were tested, where others were not; empty where all were."""
    by_outcome = {(row.metric, row.outcome): None for row in rows if row.outcome is not Outcome.NOT_COMPARABLE}
    untested = {metric for metric, outcome in by_outcome if outcome is Outcome.NOT_TESTED}
    tested = dict.fromkeys(metric for metric, outcome in by_outcome if outcome is not Outcome.NOT_TESTED)
    return f" Of the metrics only {listed([*tested])} was tested." if tested and untested - {*tested} else ""


def difference(rows: Sequence[ComparisonRow], words: str) -> str:
    """The heading of the estimates: a median over data sets is called so."""
    return f"median {words}" if any(is_median(row.record) for row in rows) else words


def interval_at(confidence_level: float) -> str:
    """The heading of intervals, each for itself alone."""
    return f"{percent_of(confidence_level)} interval"


def interval_of(compared: ComparedSummary | ComparisonTable) -> str:
    """The heading of the intervals of comparisons: with a level where none shares it."""
    return "interval" if adjusts(compared) or compared.sequential else interval_at(1 - compared.alpha)


def adjusts(compared: ComparedSummary | ComparisonTable) -> bool:
    """Whether a comparison shares its error budget with another one."""
    return compared.correction != "none" and any(family.n > 1 for family in compared.families)


def over_families(compared: ComparedSummary | ComparisonTable) -> str:
    """How many comparisons each family has, in words."""
    if not compared.families:
        return counted(compared.n_hypotheses, "comparison")
    first, *others = compared.families
    on = f" on {first.metrics[0]}" if first.name == "first" and (others or len(first.metrics) > 1) else ""
    on = " on the other metrics" if first.name == "secondary" else on
    said = f"{counted(first.n, 'comparison')}{on}"
    return f"{said} and {others[0].n} on the other metrics" if others else said


def together(compared: ComparedSummary | ComparisonTable) -> str:
    """For what the intervals of comparisons hold, as a sentence; empty where each comparison is alone."""
    if compared.sequential:
        return "Each interval is that of the look that decided, or of the last one."
    level = percent_of(1 - compared.alpha)
    if compared.correction == "none":
        return f"Each {level} interval holds for its own comparison alone."
    if not adjusts(compared):
        return ""
    n = "each group" if len(compared.families) > 1 else f"all {compared.families[0].n} together"
    cut = " A round bracket: significant by a later step of the adjustment alone."
    return f"Intervals: {level} for {n}.{cut if any(row.open_at_null for row in compared.rows) else ''}"


def _null(rows: Sequence[ComparisonRow], side: str) -> str:
    """What the null hypotheses of some rows say of the difference."""
    nulls = {row.metric: f"{row.null:+g}" for row in rows}
    shown = {*nulls.values()} if len({*nulls.values()}) == 1 else {f"{n} on {m}": m for m, n in nulls.items()}
    return f"is { ({'greater': 'at most ', 'less': 'at least '}.get(side, '')) }{listed([*shown])}"


_TESTS = {
    "k_fold_t_test": "k-fold t test",
    "five_by_two_t_test": "5x2 t test",
    "five_by_two_f_test": "5x2 F test",
    "blocked_m_by_two_test": "blocked m x 2 test",
    "welch_t_test": "Welch's t test",
    "diebold_mariano_test": "Diebold-Mariano test",
    "mcnemar_test": "McNemar's test",
    "delong_test": "DeLong's test",
    "paired_metric_test": "paired exchange test",
    "cv_clt_test": "central limit test of cross-validation",
    "signed_rank_test": "signed-rank test",
    "dataset_t_test": "t test over data sets",
    "nested_cv_interval": "nested cross-validation",
}
_ADJUSTMENTS = {
    "holm": "Holm's adjustment",
    "bonferroni": "Bonferroni's adjustment",
    "hochberg": "Hochberg's adjustment",
    "hommel": "Hommel's adjustment",
    "none": "no adjustment",
}


def name_of_test(procedure: str) -> str:
    """What a test is called in a sentence."""
    return _TESTS.get(procedure, procedure.replace("_", " "))


def adjustment(correction: str) -> str:
    """What an adjustment of p-values is called in a sentence."""
    return _ADJUSTMENTS.get(correction, f"the adjustment {correction!r}")


FORECASTS = "This is about the forecasts that these fitted models made, not about the algorithms."


def forecasts(rows: Iterable[Any], source: str = "") -> str:
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
    return f"{FORECASTS} On {listed(corrected)} {allowed}" if corrected else FORECASTS
