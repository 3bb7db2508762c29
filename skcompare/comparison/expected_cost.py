"""The mean cost of every model, by what each kind of error costs, and which models differ significantly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isclose, isfinite
from typing import Any

from skcompare._core.frames import frame_of
from skcompare._core.html import Table
from skcompare._core.numbers import briefly, decimals, decimals_of_difference, number, percent_of, pvalue
from skcompare._core.record import Record, clearest
from skcompare._core.validation import FloatArray, as_floats
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.cases import scored_again
from skcompare.comparison.compare import compare
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.predictions import check_unweighted
from skcompare.comparison.table import ComparisonRow, ComparisonTable, Rows
from skcompare.evaluation.metrics.scorers import cost_scorer, known_costs
from skcompare.inference._records import ROUNDING
from skcompare.inference._sentences import from_to
from skcompare.scores.evaluation import EvaluationScores

NAME = "neg_cost"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ExpectedCostRow(Record):
    """The mean cost of one model.

    Attributes
    ----------
    estimator : str
        The model.
    cost : float
        Mean cost per sample; less is better. On folds the mean over the splits.
    low, high : float
        Its interval, for this model alone; nan where there is none.
    method : str
        How the interval was made; empty where there is none.
    warnings : tuple of str
        Reasons to doubt it.
    """

    estimator: str
    cost: float
    low: float
    high: float
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        places = decimals([self.cost])
        known = f", interval {from_to(self.low, self.high, places)}" if isfinite(self.low) else ""
        return f"Mean cost per sample of {self.estimator}: {number(self.cost, places)}{known}."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class ExpectedCostTable(Rows[ExpectedCostRow]):
    """Mean costs of several models, with the comparison of all pairs.

    Attributes
    ----------
    rows : tuple of ExpectedCostRow
        One per model.
    comparison : ComparisonTable
        All pairs, or all with the baseline, under one error rate; its estimates are oriented: positive where the first
        model costs less.
    costs : ndarray of shape (n_classes, n_classes)
        What it costs to predict the class of a column where that of the row is true.
    classes : tuple
        The classes of the rows and columns.
    confidence_level : float
        Of the intervals.
    about : str
        What the intervals speak of.
    """

    rows: tuple[ExpectedCostRow, ...]
    comparison: ComparisonTable = field(repr=False)
    costs: FloatArray
    classes: tuple[Any, ...]
    confidence_level: float
    about: str

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame: estimator, cost, low, high, method; needs pandas."""
        return frame_of(self.rows).drop(columns="warnings")

    def _sentence(self) -> str:
        known = [row for row in self.rows if isfinite(row.cost)]
        if not known:
            return "No model has a mean cost."
        least = min(known, key=lambda row: row.cost)
        lost = [row.b if row.winner == row.a else row.a for row in self.comparison if row.winner == least.estimator]
        rest, mean = len(known) - 1, number(least.cost, self._places())
        close = ROUNDING * float(abs(self.costs).max())
        dearer = "all others" if len(lost) == rest > 1 else briefly(lost)
        if rest and all(isclose(row.cost, least.cost, rel_tol=ROUNDING, abs_tol=close) for row in known):
            return f"All models have the same mean cost per sample, {mean}."
        told = f"significantly less than {dearer}" if lost else "not significantly less than any other"
        return f"{least.estimator} has the least mean cost per sample, {mean}: {told}."

    def _tables(self) -> list[Table]:
        level, places = percent_of(self.confidence_level), self._places()
        own = [
            [
                row.estimator,
                number(row.cost, places),
                from_to(row.low, row.high, places) if isfinite(row.low) else "n/a",
            ]
            for row in self.rows
        ]
        tables = [Table(("model", "mean cost", f"{level} interval"), own)]
        header = ("pair", "costs less by", "95% interval", "p adj.", "costs significantly less")
        return [*tables, Table(header, [_cells(row) for row in clearest(self.comparison)])]

    def _places(self) -> int:
        return decimals(row.cost for row in self.rows)

    def _warnings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*Record._warnings(self), *Record._warnings(self.comparison)]))


def _cells(row: ComparisonRow) -> list[str]:
    places = decimals_of_difference(row.estimate, row.mean_a, row.mean_b)
    limits = from_to(row.low, row.high, places, signed=True) if isfinite(row.low) or isfinite(row.high) else "n/a"
    estimate = number(row.estimate, places, signed=True)
    return [f"{row.a} than {row.b}", estimate, limits, pvalue(row.pvalue_adjusted), row.winner or "neither"]


def expected_cost(
    scores: EvaluationScores, cost: Any, *, baseline: str | None, confidence_level: float
) -> ExpectedCostTable:
    """The mean costs of all models; see `EvaluationResult.expected_cost`."""
    check_unweighted(scores, "expected_cost()", ": give cost_scorer in scoring")
    if scores.kept_predictions is None:
        raise ValueError(f"expected_cost() needs predictions; {scores.why_no_predictions}")
    if scores.task not in ("binary", "multiclass"):
        raise ValueError(f"expected_cost() needs predicted classes; the task of this result is {scores.task!r}")
    classes: Any = None if isinstance(cost, Mapping) else scores.kept_predictions.classes
    costed = scored_again(scores, NAME, cost_scorer(cost, classes=classes))
    found = score_intervals(costed, None, confidence_level)
    compared = compare(costed, baseline=baseline)
    known = known_costs(costed.metric_functions[NAME]) or {}
    rows = tuple(
        ExpectedCostRow(
            estimator=row.model,
            cost=0.0 - row.score,
            low=0.0 - row.high,
            high=0.0 - row.low,
            method=row.method,
            warnings=row.warnings,
        )
        for row in found
    )
    return ExpectedCostTable(
        rows=rows,
        comparison=compared,
        costs=as_floats(known["cost"], "cost"),
        classes=known["classes"],
        confidence_level=found.confidence_level,
        about=found.about,
    )
