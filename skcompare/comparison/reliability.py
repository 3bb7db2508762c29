"""How good the probabilities of models are, and what their errors cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from math import isclose, isfinite
from typing import Any

import numpy as np

from skcompare import inference
from skcompare._core.frames import frame_of
from skcompare._core.numbers import briefly, decimals, decimals_of_difference, number, percent_of, pvalue
from skcompare._core.record import Record, Rows, Table, clearest
from skcompare._core.validation import Chosen, FloatArray, as_floats, choose_pair
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison import table as comparisons
from skcompare.comparison.cases import of_one_test_set
from skcompare.comparison.compare import compare
from skcompare.comparison.intervals import score_intervals
from skcompare.comparison.rates import ShownPredictions, read_shown
from skcompare.comparison.table import ALPHA, ComparisonRow, ComparisonTable, Pair
from skcompare.evaluation.metrics.scorers import cost_scorer, known_costs
from skcompare.inference import ReliabilityCurve
from skcompare.inference._distributions import skewness_of_means
from skcompare.inference._kinds import with_names
from skcompare.inference._procedures import find_procedure
from skcompare.inference._records import ROUNDING
from skcompare.inference._sentences import from_to
from skcompare.inference.curves.reliability import clipped, log_losses, squared_errors
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.measures import scored_again
from skcompare.scores.predictions import check_unweighted

# The measures, each with its name in words; of all of them less is better.
MEASURES = {"brier": "Brier score", "log_loss": "log loss", "calibration_error": "expected calibration error"}


class ReliabilityRow(Record):
    """How good the probabilities of one model are.

    Attributes
    ----------
    estimator : str
        The model.
    brier : float
        Brier score, in [0, 1]; smaller is better.
    log_loss : float
        In nats; smaller is better.
    calibration_error : float
        Expected calibration error, in [0, 1]; smaller is better.
    curve : ReliabilityCurve
        Mean probability and share of positive samples, bin by bin.
    warnings : tuple of str
        Reasons to doubt the row.
    """

    estimator: str
    brier: float
    log_loss: float
    calibration_error: float
    curve: ReliabilityCurve = field(repr=False)
    warnings: Warnings = ()

    def _sentence(self) -> str:
        values = [f"{said} {getattr(self, name):.4f}" for name, said in MEASURES.items()]
        return f"The probabilities of {self.estimator}: {briefly(values)}."


class ReliabilityDifference(Record):
    """Two models on one measure of their probabilities.

    Attributes
    ----------
    measure : {"brier", "log_loss", "calibration_error"}
        What was compared.
    a, b : str
        The models.
    estimate : float
        The measure of `b` less that of `a`: positive favours `a`.
    low, high : float
        95% interval, for this measure alone.
    pvalue, pvalue_adjusted : float
        For this measure alone, and adjusted over the three by Holm's method.
    winner : str or None
        The model that is significantly better, at 5% after the adjustment; None where neither is.
    record : object
        The record of the test.
    """

    measure: str
    a: str
    b: str
    estimate: float
    low: float
    high: float
    pvalue: float
    pvalue_adjusted: float
    winner: str | None
    warnings: Warnings = ()
    record: Any = field(default=None, repr=False)

    def _sentence(self) -> str:
        return f"{comparisons.claim(self)} on the {MEASURES[self.measure]}."


class ReliabilityTable(Rows[ReliabilityRow]):
    """How good the probabilities of several models are, and which pairs differ.

    Attributes
    ----------
    rows : tuple of ReliabilityRow
        One per model.
    differences : tuple of ReliabilityDifference
        Two of the models on each measure, under one error rate; empty where one model was asked for.
    positive : object
        The positive class.
    n, n_positive : int
        Number of samples, and of those of the positive class.
    """

    rows: tuple[ReliabilityRow, ...]
    differences: tuple[ReliabilityDifference, ...]
    positive: object
    n: int
    n_positive: int
    warnings: Warnings = ()

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame; needs pandas."""
        return frame_of(self.rows).drop(columns=["curve", "warnings"])

    def _sentence(self) -> str:
        if not self.differences:
            return self.rows[0]._sentence()
        first = self.differences[0]
        found: dict[str | None, list[str]] = {}
        for row in self.differences:
            found.setdefault(row.winner, []).append(f"the {MEASURES[row.measure]}")
        parts = [
            f"{winner} is significantly better than {comparisons.other_of(first, winner)} on {briefly(said)}"
            for winner, said in found.items()
            if winner is not None
        ]
        if None in found:
            who = "the two" if parts else f"{first.a} and {first.b}"
            parts.append(f"{who} are not significantly different on {briefly(found[None])}")
        return f"Probabilities of class {self.positive!r}: {'; '.join(parts)}."

    def _tables(self) -> list[Table]:
        values = [[row.estimator, *(number(getattr(row, name), 4) for name in MEASURES)] for row in self.rows]
        tables = [Table(("model", *MEASURES.values()), values)]
        if self.differences:
            first = self.differences[0]
            header = (f"{first.b} - {first.a}", "difference", "95% interval", "p", "p adj.")
            tables.append(Table(header, [_cells(row) for row in self.differences]))
        return tables


def _cells(row: ReliabilityDifference) -> list[str]:
    places = decimals_of_difference(row.estimate, row.estimate, ends=(row.low, row.high))
    limits = from_to(row.low, row.high, places, signed=True)
    estimate = number(row.estimate, places, signed=True)
    return [MEASURES[row.measure], estimate, limits, pvalue(row.pvalue), pvalue(row.pvalue_adjusted)]


def reliability(
    scores: EvaluationScores, a: str | None, b: str | None, *, estimators: Chosen, positive: Any, **options: Any
) -> ReliabilityTable:
    """How good the probabilities of some models are; see `EvaluationResult.reliability`."""
    found = read_shown(scores, estimators, against_rest=True, positive=positive)
    pair = choose_pair(a, b, found.names) if len(found.names) > 1 or a is not None or b is not None else None
    probabilities = {name: kept_probability(found, name) for name in found.names}
    return ReliabilityTable(
        rows=tuple(_row(found, name, p, options) for name, p in probabilities.items()),
        differences=() if pair is None else _differences(scores, found, pair, probabilities, options),
        positive=found.positive,
        n=len(found.rows),
        n_positive=int(np.count_nonzero(found.is_positive)),
        warnings=found.warnings,
    )


def kept_probability(found: ShownPredictions, name: str) -> FloatArray:
    """The probability of the positive class by one model; ValueError where that was not kept."""
    known = found.probability(name)
    if known is None:
        raise ValueError(
            f"scoring must include 'neg_log_loss' or 'neg_brier_score', so that probabilities are kept; {name!r} has "
            f"none"
        )
    return known


def _row(found: ShownPredictions, name: str, p: FloatArray, options: Mapping[str, Any]) -> ReliabilityRow:
    y = found.is_positive
    curve = inference.reliability_points(y, p, n_bins=options["n_bins"], strategy=options["strategy"], positive=True)
    return ReliabilityRow(
        estimator=name,
        brier=curve.brier,
        log_loss=curve.log_loss,
        calibration_error=curve.calibration_error,
        curve=curve,
        warnings=clipped(y, p, name),
    )


def _differences(
    scores: EvaluationScores,
    found: ShownPredictions,
    pair: Pair,
    probabilities: Mapping[str, FloatArray],
    options: Mapping[str, Any],
) -> tuple[ReliabilityDifference, ...]:
    """The tests of two models, on the losses of single samples and by a bootstrap of them."""
    a, b = pair
    y, of_a, of_b = found.is_positive, probabilities[a], probabilities[b]
    tested = {
        "brier": _mean_test(scores, "neg_brier_score", pair, -squared_errors(y, of_a), -squared_errors(y, of_b)),
        "log_loss": _mean_test(scores, "neg_log_loss", pair, -log_losses(y, of_a), -log_losses(y, of_b)),
        "calibration_error": inference.calibration_error_test(y, of_a, of_b, positive=True, rng=scores.seed, **options),
    }
    pvalues = comparisons.adjusted([record.pvalue for record in tested.values()], "holm")[0].tolist()
    return tuple(_difference(name, pair, record, p) for (name, record), p in zip(tested.items(), pvalues, strict=True))


def _mean_test(scores: EvaluationScores, named: str, pair: Pair, a: FloatArray, b: FloatArray) -> Any:
    """The paired t test on values of single samples, which folds are not; on one test set that of the comparison."""
    record: Any = inference.paired_t_test(a, b)
    metric = next((name for name, read in scores.read_as.items() if read == named and scores.task == "binary"), "")
    record = of_one_test_set(record, scores, (metric, *pair), (a, b), None)
    if not record.changes:
        record = comparisons.without_claim(record, find_procedure("paired_t_test", scores.design), (a, b), scores)
    skewness = float(skewness_of_means(a - b))
    record = record.with_skewness(skewness) if skewness and record.standard_error > 0 else record
    warnings = tuple(warning for warning in record.warnings if warning.code != Code.INDEPENDENCE.name)
    return replace(record, method="paired t test on the losses of single samples", warnings=warnings)


def _difference(name: str, pair: Pair, record: Any, p: float) -> ReliabilityDifference:
    a, b = pair
    limits = record.confidence_interval()
    return ReliabilityDifference(
        measure=name,
        a=a,
        b=b,
        estimate=record.estimate,
        low=limits.low,
        high=limits.high,
        pvalue=record.pvalue,
        pvalue_adjusted=p,
        winner=(a if record.estimate > 0 else b) if p < ALPHA else None,
        warnings=record.warnings,
        record=with_names(record, inference.Compared(a=a, b=b, metric=MEASURES[name])),
    )


NAME = "neg_cost"


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
    warnings: Warnings = ()

    def _sentence(self) -> str:
        places = decimals([self.cost])
        known = f", interval {from_to(self.low, self.high, places)}" if isfinite(self.low) else ""
        return f"Mean cost per sample of {self.estimator}: {number(self.cost, places)}{known}."


class ExpectedCostTable(Rows[ExpectedCostRow], eq=False):
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
        """One row per model as a pandas DataFrame; needs pandas."""
        return frame_of(self.rows).drop(columns="warnings")

    def _sentence(self) -> str:
        known = [row for row in self.rows if isfinite(row.cost)]
        if not known:
            return "No model has a mean cost."
        least = min(known, key=lambda row: row.cost)
        lost = [comparisons.other_of(row, row.winner) for row in self.comparison if row.winner == least.estimator]
        rest, mean = len(known) - 1, number(least.cost, self._places())
        close = ROUNDING * float(abs(self.costs).max())
        dearer = "all others" if len(lost) == rest > 1 else briefly(lost)
        if rest and all(isclose(row.cost, least.cost, rel_tol=ROUNDING, abs_tol=close) for row in known):
            return f"All models have the same mean cost per sample, {mean}."
        told = f"significantly less than {dearer}" if lost else "not significantly less than any other"
        return f"{least.estimator} has the least mean cost per sample, {mean}: {told}."

    def _tables(self) -> list[Table]:
        level, places = percent_of(self.confidence_level), self._places()
        ends = [from_to(row.low, row.high, places) if isfinite(row.low) else "n/a" for row in self.rows]
        own = [[row.estimator, number(row.cost, places), x] for row, x in zip(self.rows, ends, strict=True)]
        tables = [Table(("model", "mean cost", f"{level} interval"), own)]
        together = f"{percent_of(self.comparison.level)} interval"
        header = ("pair", "costs less by", together, "p adj.", "costs significantly less")
        return [*tables, Table(header, [_cost_cells(row) for row in clearest(self.comparison)])]

    def _places(self) -> int:
        return decimals(row.cost for row in self.rows)

    def _warnings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*Record._warnings(self), *Record._warnings(self.comparison)]))


def _cost_cells(row: ComparisonRow) -> list[str]:
    places = decimals_of_difference(row.estimate, row.mean_a, row.mean_b, ends=(row.low, row.high))
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
    rows = list[ExpectedCostRow]()
    for row in found:
        own: dict[str, Any] = {"cost": 0.0 - row.score, "low": 0.0 - row.high, "high": 0.0 - row.low}
        rows.append(ExpectedCostRow(estimator=row.model, **own, method=row.method, warnings=row.warnings))
    return ExpectedCostTable(
        rows=tuple(rows),
        comparison=compared,
        costs=as_floats(known["cost"], "cost"),
        classes=known["classes"],
        confidence_level=found.confidence_level,
        about=found.about,
    )
