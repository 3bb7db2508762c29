"""What does not vary: without spread no record claims anything, and sizes of models are smaller or larger, untested."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from skcompare._core.design import Design
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.table import Outcome
from skcompare.inference import _forms as forms
from skcompare.inference._forms import Procedure
from skcompare.inference._records import ROUNDING
from skcompare.scores.evaluation import EvaluationScores, units
from skcompare.scores.study import StudyScores

# In steps of the largest score: a difference of two float32 numbers is off by two roundings, the range of several by
# four.
SINGLE = 2.0**-22
_OF_PAIRS = (forms.SPLITS, forms.REPEATS, forms.REPEATS_AND_LOSSES, forms.PAIR)
_OF_ALL = (forms.SPLITS_OF_ALL, forms.TABLE)
# These count cases, each of which is evidence of its own, but for the splits of one data set.
_COUNT_CASES = ("permutation_test", "sign_test", "signed_rank_test", "sign_posterior", "signed_rank_posterior")
_SIZES = ("model_size", "complexity", "n_parameters")
_CLAIMS = ("statistic", "pvalue", "standard_error", "df", "left", "rope", "right", "scale", "critical_difference")
_BOUNDS = ("epsilon_min", "epsilon_min_reverse")  # of almost stochastic order, 1 where nothing is bounded
_OTHERWISE = "the numbers that the test reads do not vary: without spread there is no test."


def without_claim(
    record: Any, procedure: Procedure, given: Sequence[Any], scores: EvaluationScores | StudyScores
) -> Any:
    """The record of a procedure that was `given` scores; where these do not vary, one that says so and claims nothing.

    Equal scores are no lack of spread but an answer of their own: a model never differs from itself.
    """
    design = scores.design if isinstance(scores, EvaluationScores) else None
    own = does_not_vary(record.warnings)
    if procedure.takes is forms.SCORE_VECTORS:
        return _blank_metrics(record) if own else record
    why = _why(procedure, given, design)
    if why and (own or procedure.takes is not forms.TABLE):  # ranks on data sets count cases too
        return _blank(record, why, lambda p: p < 1)
    if own and procedure.returns == "test":
        return _blank(record, _OTHERWISE, lambda p: p < 1)
    return record


def does_not_vary(warnings: Sequence[CodedWarning]) -> bool:
    """Whether one of the warnings is that nothing varies."""
    return any(one.code == Code.ZERO_VARIANCE.name for one in warnings)


def of_sizes(scores: EvaluationScores | StudyScores, metric: str, found: Mapping[str, Any]) -> Outcome:
    """The outcome of a row without a test: of sizes that do not vary whether the first model is smaller or larger."""
    warnings = found["warnings"]
    if not is_size(scores, metric) or not does_not_vary(warnings):
        return Outcome.NOT_COMPARABLE
    if any(one.code == Code.DIFFERENT_UNITS.name for one in warnings):
        return Outcome.NOT_COMPARABLE
    return Outcome.SMALLER if found["mean_a"] < found["mean_b"] else Outcome.LARGER


def is_size(scores: EvaluationScores | StudyScores, metric: str) -> bool:
    """Whether a metric is a number of each model, such as its size."""
    named = scores.read_as[metric] if isinstance(scores, EvaluationScores) else metric
    return named in _SIZES or bool(units(scores.provenance, metric))


def _why(procedure: Procedure, given: Sequence[Any], design: Design | None) -> str:
    """That the scores do not vary, in words; empty where they do, and where a procedure counts cases as they are."""
    folds = design is not None and design.kind == "folds"
    if procedure.name in _COUNT_CASES and not folds:
        return ""
    cases = "data sets" if design is None else design.cases
    if procedure.takes in _OF_PAIRS:
        a, b = (np.asarray(one, dtype=np.float64).ravel() for one in given[:2])
        if design is not None and (design.apart or procedure.name == "welch_t_test"):
            if min(a.size, b.size) < 2 or not (still(a, b, a) and still(a, b, b)) or still(a, b, np.r_[a[0], b[0]]):
                return ""
            same = "all runs of each model have one and the same score, as where seeds change nothing"
            return f"{same} or scores are rounded: that is one run of each, and no test."
        if a.size < 2 or not still(a, b, a - b) or still(a, b, np.r_[0.0, a - b]):
            return ""
        return f"the difference is the same, {(a - b).mean():+.3g}, on all {cases}: without spread there is no test."
    if procedure.takes in _OF_ALL:
        table = np.asarray(given[0], dtype=np.float64)
        leads = table - table[:, :1]
        if len(table) < 2 or not all(still(table, table, lead) for lead in leads.T) or still(table, table, leads):
            return ""
        return f"the differences of the models are the same on all {cases}: without spread there is no test."
    return ""


def still(a: FloatArray, b: FloatArray, values: FloatArray) -> bool:
    """Whether numbers made of the scores `a` and `b` vary by no more than the rounding of these."""
    with np.errstate(over="ignore", invalid="ignore"):
        spread, largest = np.ptp(values), max(np.abs(a).max(), np.abs(b).max())
        if not ROUNDING * largest < spread <= SINGLE * largest:
            return bool(spread <= ROUNDING * largest)
        scores = np.concatenate((a.ravel(), b.ravel()))
        return bool((scores.astype(np.float32) == scores).all() and (scores != np.rint(scores)).any())


def _blank(record: Any, why: str, claimed: Callable[[FloatArray], Any]) -> Any:
    """The record without numbers that rest on a spread; of several p-values without those that are `claimed`."""
    changes: dict[str, Any] = {}
    for name in (one.name for one in fields(record)):
        value = getattr(record, name)
        if name.startswith("pvalue") and isinstance(value, np.ndarray):
            changes[name] = np.where(claimed(value), np.nan, value)
        elif name.startswith(("pvalue", "statistic_")) or (name in _CLAIMS and isinstance(value, float)):
            changes[name] = float("nan")
        elif name in _BOUNDS:
            changes[name] = 1.0
        elif name == "verdict":
            changes[name] = "undecided"
    others = (one for one in record.warnings if one.code != Code.ZERO_VARIANCE.name)
    return replace(record, **changes, warnings=(*others, Code.ZERO_VARIANCE(why)))


def _blank_metrics(record: Any) -> Any:
    """The record on several metrics without the p-values of those whose differences do not vary."""
    still = {name for one in record.warnings if one.code == Code.ZERO_VARIANCE.name for name in one.about}
    if not hasattr(record, "pvalues"):
        return replace(record, pvalue=float("nan"))
    pvalues = np.where([name in still for name in record.metrics], np.nan, record.pvalues)
    smallest = hasattr(record, "pvalues_unadjusted") and not np.isnan(pvalues).all()
    return replace(record, pvalues=pvalues, pvalue=float(np.nanmin(pvalues)) if smallest else float("nan"))
