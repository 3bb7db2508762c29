"""Comparisons with training sets of several sizes, all under one error budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from typing import Any

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import decimals_of_difference, interval, number, percent_of, pvalue
from skcompare._core.record import Record, clearest
from skcompare._core.warnings import CodedWarning
from skcompare._core.words import counted
from skcompare.comparison.answer import answer_of
from skcompare.comparison.answered import Answer
from skcompare.comparison.compare import compare, lead
from skcompare.comparison.least import with_least
from skcompare.comparison.once import once
from skcompare.comparison.table import (
    ALPHA,
    ComparisonRow,
    ComparisonTable,
    Outcome,
    Rows,
    adjusted,
    outcome_of,
    plain_row,
)
from skcompare.scores.learning_curve import LearningCurveScores

MAX_CLAIMS = 3


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SizeRow(Record):
    """Two models on one metric, with training sets of one size.

    Attributes
    ----------
    size : int
        Training samples, the mean over the splits.
    metric, a, b : str
        What was compared.
    mean_a, mean_b : float
        Mean scores, in the metric's own units.
    estimate, low, high : float
        Difference ``a - b``, positive where `a` is better, and its 95% interval, for this row alone.
    pvalue, pvalue_adjusted : float
        For this row alone, and adjusted over all sizes, pairs and metrics.
    outcome : Outcome
        From the adjusted p-value.
    winner : str or None
        The model that is significantly better at this size.
    procedure : str
        The test.
    warnings : tuple of str
        Reasons to doubt the row.
    record : object
        The record of the test, None where there are no scores to compare.
    """

    size: int
    metric: str
    a: str
    b: str
    mean_a: float
    mean_b: float
    estimate: float
    low: float
    high: float
    pvalue: float
    pvalue_adjusted: float
    outcome: Outcome
    winner: str | None
    procedure: str
    warnings: tuple[CodedWarning, ...] = ()
    record: Any = field(default=None, repr=False)

    def _sentence(self) -> str:
        with_size = f"With {self.size} training samples {self.a} and {self.b} are"
        if self.outcome is Outcome.NOT_COMPARABLE:
            return f"{with_size} not comparable on {self.metric}."
        if self.winner is None:
            return f"{with_size} not significantly different on {self.metric}."
        loser = self.b if self.winner == self.a else self.a
        return f"With {self.size} training samples {self.winner} is significantly better than {loser} on {self.metric}."


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SizeComparison(Rows[SizeRow]):
    """Comparisons of all pairs on all metrics at all sizes of the training sets, under one error budget.

    Attributes
    ----------
    rows : tuple of SizeRow
        One per metric, pair and size.
    sizes : tuple of int
        Training samples.
    procedure : str
        The test.
    correction : str
        How the p-values were adjusted.
    n_hypotheses : int
        Comparisons that share the error budget.
    alpha : float
        The level of the outcomes, 0.05.
    """

    rows: tuple[SizeRow, ...]
    sizes: tuple[int, ...]
    procedure: str
    correction: str
    n_hypotheses: int
    alpha: float = ALPHA

    def to_frame(self) -> Any:
        """The rows as a pandas DataFrame, without their records; needs pandas."""
        names = [one.name for one in fields(SizeRow) if one.repr]
        frame = import_pandas().DataFrame([*map(plain_row, self.rows)], columns=names)
        frame["outcome"] = [row.outcome.value for row in self.rows]
        return frame

    def _sentence(self) -> str:
        n = sum(row.winner is not None for row in self.rows)
        said = f"{n or 'None'} of {counted(self.n_hypotheses, 'difference')} {'is' if n <= 1 else 'are'} significant"
        how = f"at {percent_of(self.alpha)} ({self.procedure}, p adjusted ({self.correction}) over all of them)"
        return f"{said} {how}, with {self.sizes[0]} to {self.sizes[-1]} training samples."

    def _tables(self) -> list[Table]:
        several = len({row.metric for row in self.rows}) > 1
        names = [*(["metric"] if several else []), *(["a", "b"] if len({(r.a, r.b) for r in self.rows}) > 1 else [])]
        first = self.rows[0]
        difference = "a - b" if "a" in names else f"{first.a} - {first.b}"
        lines = [
            [
                str(row.size),
                *(getattr(row, name) for name in names),
                *shown(row),
                pvalue(row.pvalue_adjusted),
                said(row),
            ]
            for row in clearest(self.rows)
        ]
        return [Table(("size", *names, difference, "95% interval", "p adj.", "outcome"), lines)]


def shown(row: SizeRow) -> list[str]:
    """The difference and its interval, with as many decimals as they need."""
    places = decimals_of_difference(row.estimate, row.mean_a, row.mean_b)
    return [number(row.estimate, places, signed=True), interval(row.low, row.high, places)]


def said(row: SizeRow) -> str:
    """The outcome in words."""
    if row.winner is not None:
        return f"{row.winner} significantly better"
    if row.outcome in (Outcome.SMALLER, Outcome.LARGER):
        return f"{row.a if row.outcome is Outcome.SMALLER else row.b} smaller"
    return "not significantly different" if row.outcome is Outcome.UNDECIDED else row.outcome.value


def compare_sizes(
    curve: LearningCurveScores,
    procedure: str = "auto",
    *,
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    correction: str = "holm",
) -> SizeComparison:
    """All pairs of models on several metrics at all sizes; see `LearningCurveResult.compare`."""
    asked = metrics if metrics is None or isinstance(metrics, str) else tuple(metrics)
    tables = _tables(curve, procedure, asked, baseline, correction)
    order = {metric: i for i, metric in enumerate(dict.fromkeys(row.metric for row in next(iter(tables.values()))))}
    pairs = {(row.a, row.b): i for i, row in reversed([*enumerate(next(iter(tables.values())))])}
    rows = [_row(size, row) for size, table in tables.items() for row in table]
    first = next(iter(tables.values()))
    return SizeComparison(
        rows=tuple(sorted(rows, key=lambda row: (order[row.metric], pairs[row.a, row.b], row.size))),
        sizes=curve.sizes,
        procedure=first.procedure,
        correction=correction,
        n_hypotheses=first.n_hypotheses,
        alpha=first.alpha,
    )


@once
def answers(curve: LearningCurveScores) -> dict[int, Answer]:
    """The answer at every size, by the comparisons at all of them under one error budget."""
    return {size: answer_of(curve.results[size], table) for size, table in default_tables(curve).items()}


def default_tables(curve: LearningCurveScores) -> dict[int, ComparisonTable]:
    """By size the comparisons that the answers are made of."""
    return _tables(curve, "auto", None, None, "holm")


@once
def _tables(
    curve: LearningCurveScores, procedure: str, metrics: Any, baseline: str | None, correction: str
) -> dict[int, ComparisonTable]:
    """By size the comparisons, with p-values that are adjusted over all sizes and the outcomes that these give."""
    alone = {
        size: compare(result, procedure, metrics=metrics, baseline=baseline, correction=correction)
        for size, result in curve.results.items()
    }
    rows = [
        replace(row, warnings=row.warnings if row.record is None else row.record.warnings)
        for row in chain.from_iterable(alone.values())
    ]
    pvalues, n_known = adjusted([row.pvalue for row in rows], correction)
    decided = iter(with_least([_decided(*one) for one in zip(rows, pvalues, strict=True)], correction))
    return {
        size: replace(table, rows=tuple(next(decided) for _ in table), n_hypotheses=n_known)
        for size, table in alone.items()
    }


def _decided(row: ComparisonRow, pvalue_adjusted: float) -> ComparisonRow:
    if not row.outcome.tested:
        return row
    ahead = float("nan") if row.record is None else lead(row.record)
    outcome = outcome_of(pvalue_adjusted, ahead, "two-sided", None)
    winner = {Outcome.BETTER: row.a, Outcome.WORSE: row.b}.get(outcome)
    return replace(row, pvalue_adjusted=pvalue_adjusted, outcome=outcome, winner=winner)


def _row(size: int, row: ComparisonRow) -> SizeRow:
    names = [one.name for one in fields(SizeRow) if one.name != "size"]
    return SizeRow(size=size, **{name: getattr(row, name) for name in names})
