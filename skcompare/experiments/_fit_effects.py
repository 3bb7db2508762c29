"""The fit of a least-squares model to the scores of designed settings, and the tests of its terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skcompare._core.numbers import equal_to
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import FEW_SPLITS, Code, CodedWarning, few_splits
from skcompare.experiments._design import ExperimentDesign
from skcompare.experiments._effects import Effect, Effects
from skcompare.experiments._terms import Model, Term
from skcompare.inference._base import ROUNDING
from skcompare.inference._kinds import ALPHA
from skcompare.inference._multiplicity import adjust_pvalues
from skcompare.inference._overlap import Correction
from skcompare.inference._student_t import t_limits
from skcompare.inference.fold_scores.contrast import contrast_test

_MIXED = (
    "settings that differ in one factor differ in others too, and what these terms do not describe may seem to be an "
    "effect of one of them."
)


def experiment_effects(
    design: ExperimentDesign,
    model: Model,
    scores: FloatArray,
    *,
    metrics: tuple[str, ...],
    greater_is_better: Sequence[bool],
    correction: Correction,
    confidence_level: float,
    warnings: tuple[CodedWarning, ...] = (),
) -> Effects:
    """The effects on some metrics, of scores of shape (n_runs, n_splits, n_metrics)."""
    rows = [
        _row(design, term, weights, own, metric, greater, correction, confidence_level)
        for metric, own, greater in zip(metrics, scores.T, greater_is_better, strict=True)
        for term, weights in zip(model.terms, model.weights, strict=True)
    ]
    adjusted = adjust_pvalues([row["pvalue"] for row in rows], "holm") if rows else np.empty(0)
    return Effects(
        rows=tuple(Effect(**row, pvalue_adjusted=float(p)) for row, p in zip(rows, adjusted, strict=True)),
        metrics=metrics,
        not_estimable=model.not_estimable,
        confidence_level=confidence_level,
        n_runs=len(scores),
        method=f"F tests of least-squares contrasts, {correction}; Holm over all effects",
        warnings=(
            *warnings,
            *([] if model.is_balanced else [Code.UNBALANCED(_MIXED)]),
            *(_lack_of_fit(design, model, scores, metrics, correction)),
            *([few_splits(scores.shape[1])] if scores.shape[1] < FEW_SPLITS else []),
        ),
    )


def _lack_of_fit(
    design: ExperimentDesign, model: Model, scores: FloatArray, metrics: tuple[str, ...], correction: Correction
) -> list[CodedWarning]:
    """Where the runs show that lines and curvatures of continuous factors do not describe them."""
    left = model.left_over
    if not design.continuous or not len(left):
        return []
    pvalues = [contrast_test(own, left, **correction.options).pvalue for own in scores.T]
    return [
        Code.LACK_OF_FIT(
            f"lines, curvatures and the interactions asked for do not describe the settings ({equal_to('p', p)}), so "
            f"that an effect may have another shape.",
            about=[metric],
        ).at(metric if len(metrics) > 1 else "")
        for metric, p in zip(metrics, pvalues, strict=True)
        if p < ALPHA
    ]


def _row(
    design: ExperimentDesign,
    term: Term,
    weights: FloatArray,
    scores: FloatArray,
    metric: str,
    greater: bool,
    correction: Correction,
    confidence_level: float,
) -> dict[str, Any]:
    found = contrast_test(scores, weights, **correction.options)
    estimates = term.expand @ found.estimates
    errors = np.sqrt(np.clip(np.einsum("ij,jk,ik->i", term.expand, found.covariance, term.expand), 0, None))
    tail = (1 - confidence_level) / 2
    limits = [t_limits(x, e, found.n - 1.0, tail) for x, e in zip(estimates.tolist(), errors.tolist(), strict=True)]
    low, high = map(np.array, zip(*limits, strict=True))
    best, worst, difference = _ends(design, term, estimates, greater, float(np.abs(scores).max()))
    return {
        "term": term.name,
        "metric": metric,
        "kind": term.kind,
        "aliases": term.aliases,
        "levels": term.levels,
        "estimates": estimates,
        "low": low,
        "high": high,
        "best": best,
        "worst": worst,
        "difference": difference,
        "statistic": found.statistic,
        "df": found.df,
        "pvalue": found.pvalue,
        "n": found.n,
        "method": found.method,
        "warnings": tuple(warning.at(term.name) for warning in found.warnings),
    }


def _ends(
    design: ExperimentDesign, term: Term, estimates: FloatArray, greater: bool, size: float
) -> tuple[str, str, float]:
    """The best and the worst level of a main effect, and how far they are apart."""
    if term.kind != "main effect":
        return "", "", float("nan")
    levels = design.levels(term.factors[0])
    means = estimates if len(estimates) > 1 else np.array([0.0, estimates[0]])
    if np.ptp(means) <= ROUNDING * size:
        return "none better", "none worse", 0.0
    oriented = means if greater else -means
    return levels[int(oriented.argmax())], levels[int(oriented.argmin())], float(np.ptp(means))
