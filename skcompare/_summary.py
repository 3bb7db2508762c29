"""What a report shows of a result, computed once, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from skcompare._comparison import ALPHA, mean_score
from skcompare._validation import FloatArray
from skcompare.inference import DominancePosterior, DominanceTestResult, adjust_pvalues
from skcompare.inference._measured_sizes import measured_sizes
from skcompare.inference._procedures import default_for, find_procedure

if TYPE_CHECKING:
    from skcompare.results import EvaluationResult


def summarise(result: EvaluationResult) -> dict[str, Any]:
    """Everything that a report shows, as plain values."""
    comparison = result.compare()
    doubts = [doubt for row in comparison for doubt in row.warnings]
    joint = [pair for a, b in combinations(result.estimators, 2) if (pair := _joint(result, a, b)) is not None]
    for pair, pvalue in zip(joint, _adjusted(joint, comparison.correction), strict=True):
        pair["pvalue_adjusted"] = pvalue
        own = (doubt for doubt in pair.pop("warnings") if doubt not in doubts)
        doubts.extend([doubt.replace(":", " (all metrics together):", 1) for doubt in own])
    procedure = find_procedure("auto", result.design)
    nearest, sizes = measured_sizes(procedure.name, result.design)
    return {
        "estimators": list(result.estimators),
        "n_samples": result.design.n_samples,
        "design": result.design.name,
        "n_splits": result.design.n_splits,
        "train_size": float(np.mean(result.design.train_sizes)) if result.design.train_sizes else None,
        "test_size": float(np.mean(result.design.test_sizes)) if result.design.test_sizes else None,
        "split_hash": result.design.split_hash,
        "metrics": [
            {
                "name": metric,
                "greater_is_better": result.greater_is_better[m],
                "means": _means(result.scores[:, :, m]),
            }
            for m, metric in enumerate(result.metrics)
        ],
        "rows": [asdict(row) for row in comparison],
        "procedure": comparison.procedure,
        "assumes": procedure.assumes,
        "reason": default_for(result.design).reason,
        "measured_on": nearest
        if result.design.name.startswith(nearest)
        else f"{nearest} being the nearest design measured",
        "measured_sizes": {metric: list(sizes[metric]) for metric in result.metrics if metric in sizes},
        "correction": comparison.correction,
        "n_hypotheses": comparison.n_hypotheses,
        "alpha": ALPHA,
        "joint": joint,
        "positive_class": None if result.positive_class is None else repr(result.positive_class),
        "warnings": list(dict.fromkeys(doubts)),
    }


def _means(scores: FloatArray) -> list[float]:
    """Mean scores of all estimators over the splits on which all have one, or over each one's own."""
    common = np.isfinite(scores).all(axis=0)
    return [mean_score(row[common] if common.any() else row) for row in scores]


def _joint(result: EvaluationResult, a: str, b: str) -> dict[str, Any] | None:
    """The joint verdict of a pair on the metrics that it has scores of; None where it needs no joint test."""
    defined = np.isfinite([result.difference(metric, a, b) for metric in result.metrics])
    names = [metric for metric, found in zip(result.metrics, defined, strict=True) if found.any()]
    if not 2 <= len(names) <= 12 or not defined[defined.any(axis=1)].all(axis=0).any():
        return None
    test = result.dominance("glrt", metrics=names, a=a, b=b)
    posterior = result.dominance("dirichlet", metrics=names, a=a, b=b)
    assert isinstance(test, DominanceTestResult)
    assert isinstance(posterior, DominancePosterior)
    return {
        "a": a,
        "b": b,
        "metrics": names,
        "statement": test.statement,
        "pvalue": test.pvalue,
        "probability": float(posterior.probabilities.max()),
        "n_effective": test.n_effective,
        "warnings": test.warnings,
    }


def _adjusted(joint: Sequence[Mapping[str, Any]], correction: str) -> list[float]:
    """The joint p-values of all pairs, adjusted for their number."""
    return [float(p) for p in adjust_pvalues([pair["pvalue"] for pair in joint], correction)] if joint else []
