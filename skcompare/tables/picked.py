"""One model of a result, under a name that fits beside those of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from skcompare._core.names import choose_metrics
from skcompare._core.validation import check_choice
from skcompare.evaluation._kept import KeptPredictions
from skcompare.results import EvaluationResult


def picked(result: EvaluationResult, model: str, metrics: Sequence[str], name: str) -> EvaluationResult:
    """One model of a result on some of its metrics, called `name`: a part for `merge`, and no result to read."""
    check_choice(model, "model", result.estimators)
    metrics = choose_metrics(tuple(metrics), result.metrics)
    e, columns = result.estimators.index(model), [result.metrics.index(metric) for metric in metrics]
    kept = result.kept_predictions
    provenance = dict(result.provenance)
    for of_models in ("estimators", "families", "read"):
        if isinstance(provenance.get(of_models), dict) and model in provenance[of_models]:
            provenance[of_models] = {name: provenance[of_models][model]}
    provenance.pop("recipe", None)  # which names all models
    changes: dict[str, Any] = {
        "estimators": (name,),
        "metrics": metrics,
        "greater_is_better": tuple(result.greater_is_better[m] for m in columns),
        "scores": result.scores[e : e + 1][:, :, columns],
        "fit_times": result.fit_times[e : e + 1],
        "score_times": result.score_times[e : e + 1],
        "failures": tuple(
            replace(one, estimator=name)
            for one in result.failures
            if one.estimator == model and one.metric in (None, *metrics)
        ),
        "ill_defined": {name: result.ill_defined[model]} if model in result.ill_defined else {},
        "provenance": provenance,
        "inner_predictions": None,
        "kept_predictions": None if kept is None else KeptPredictions(kept.y, {name: kept.folds[model]}),
        "metric_functions": {one: result.metric_functions[one] for one in metrics if one in result.metric_functions},
    }
    return replace(result, **changes)
