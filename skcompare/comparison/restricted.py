"""Scores on some of the samples or items alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names, make_scorer

from skcompare.comparison.predictions import check_unweighted
from skcompare.evaluation._kept import KeptPredictions
from skcompare.evaluation._own_scorers import OWN_SCORERS
from skcompare.evaluation._scoring import (
    COST_METRICS,
    OWN_METRICS,
    Metric,
    for_positive,
    metric_functions,
    resolve_scoring,
)
from skcompare.evaluation._splits import splits_from_pairs
from skcompare.evaluation._stored import rescored, stored_models
from skcompare.scores.criteria import is_judged, units
from skcompare.scores.evaluation import EvaluationScores

_SCORERS = get_scorer_names()


def restricted(scores: EvaluationScores, chosen: NDArray[np.bool_]) -> EvaluationScores:
    """The same models on some of the samples or items; costs, which are of whole fits, are left out.

    Raises
    ------
    ValueError
        If the predictions were not kept, or a metric cannot be computed from them.
    """
    return _of_items(scores, chosen) if scores.design.kind == "items" else _of_samples(scores, chosen)


def _of_items(scores: EvaluationScores, chosen: NDArray[np.bool_]) -> EvaluationScores:
    n = int(chosen.sum())
    clusters = None if scores.clusters is None else scores.clusters[chosen]  # the same numbers in every part
    return replace(
        scores,
        design=replace(
            scores.design,
            n_samples=n,
            n_repeats=n,
            n_splits=n,
            n_clusters=None if clusters is None else len(np.unique(clusters)),
        ),
        scores=scores.scores[:, chosen],
        fit_times=scores.fit_times[:, chosen],
        score_times=scores.score_times[:, chosen],
        clusters=clusters,
        sample_ids=None if scores.sample_ids is None else scores.sample_ids[chosen],
        sample_columns={name: column[chosen] for name, column in scores.sample_columns.items()},
    )


def _of_samples(scores: EvaluationScores, chosen: NDArray[np.bool_]) -> EvaluationScores:
    check_unweighted(scores, "by()")
    kept, splits = scores.kept_predictions, scores.kept_splits
    if kept is None or splits is None:
        scores.predictions(scores.estimators[0])  # says why there are none
        raise ValueError("predictions are not known")
    metrics = _metrics(scores)
    models = partial(
        stored_models,
        classes=kept.classes if scores.positive_class is not None else np.unique(kept.y),
        task=scores.task,  # type: ignore[arg-type]
    )
    found, tests = rescored(kept, splits, chosen, metrics, scores.task, models)  # type: ignore[arg-type]
    names = tuple(metric.name for metric in metrics)
    signs = tuple(scores.greater_is_better[scores.metrics.index(name)] for name in names)
    common: dict[str, Any] = {
        "metrics": names,
        "greater_is_better": signs,
        "scores": found,
        "ill_defined": {},
        "calibration": None,  # it is of all samples
    }
    if scores.design.kind == "folds":
        sizes = tuple(len(test) for test in tests)
        design = replace(scores.design, test_sizes=sizes, class_counts=())
        return replace(scores, **common, design=design, kept_predictions=None, inner_predictions=None, kept_splits=None)
    train, (test,) = splits[0][0], tests
    shorter = splits_from_pairs([(train, test)], splits.n_samples)
    inside = chosen[splits.held_out(0)]
    folds = {
        name: [{part: x[inside] for part, x in one.items()} for one in parts] for name, parts in kept.folds.items()
    }
    n_clusters = None if scores.clusters is None else len(np.unique(scores.clusters[test]))
    return replace(
        scores,
        **common,
        design=replace(shorter.design, n_clusters=n_clusters),
        kept_splits=shorter,
        kept_predictions=KeptPredictions(kept.y, folds),
    )


def scored_again(scores: EvaluationScores, name: str, scorer: Any) -> EvaluationScores:
    """The same models on the same samples with one metric, which a scorer computes from the kept predictions.

    Raises
    ------
    ValueError
        If the predictions were not kept, or the run was looked at while it ran.
    """
    if scores.stopping is not None and scores.stopping.looks:
        raise ValueError("a run that was looked at has no p-values for another metric: none allows for the looks")
    kept, splits = scores.kept_predictions, scores.kept_splits
    if kept is None or splits is None:
        raise ValueError(f"predictions are not known: {scores.why_no_predictions}")
    metrics = resolve_scoring({name: scorer}, scores.task, {})  # type: ignore[arg-type]
    models = partial(stored_models, classes=kept.classes, task=scores.task)  # type: ignore[arg-type]
    found, _ = rescored(kept, splits, np.ones(len(kept.y), dtype=bool), metrics, scores.task, models)  # type: ignore[arg-type]
    of_old_metrics = ("misnamed", "renamed", "judged", "units")  # one of which may have been called like the new one
    return replace(
        scores,
        metrics=(name,),
        greater_is_better=(True,),
        scores=found,
        failures=tuple(one for one in scores.failures if one.metric is None),
        ill_defined={},
        provenance={key: value for key, value in scores.provenance.items() if key not in of_old_metrics},
        single_metric=False,
        stopping=None,
        calibration=None,
        metric_functions=metric_functions(metrics),
    )


def _of_models(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is of whole fits, or of models, and no sample has a part in it."""
    return metric in COST_METRICS or is_judged(scores.provenance, metric) or bool(units(scores.provenance, metric))


def _metrics(scores: EvaluationScores) -> tuple[Metric, ...]:
    """The metrics of a result but for costs, made again of their names or of the functions that they were."""
    renamed = scores.renamed
    named: dict[str, Any] = {name: renamed.get(name, name) for name in scores.metrics if not _of_models(scores, name)}
    functions = {name: one for name, one in scores.metric_functions.items() if name in named and name not in renamed}
    named |= {name: getattr(function, "scorer", None) or make_scorer(function) for name, function in functions.items()}
    known = (*OWN_METRICS, *OWN_SCORERS, *_SCORERS)
    nameless = {name for name, of in named.items() if of not in known} | (scores.misnamed - {*renamed})
    unknown = [name for name in named if name in nameless and name not in functions]
    if unknown:
        raise ValueError(
            f"metrics must be names of scikit-learn's or functions of the labels, to be computed on some of the "
            f"samples; got {unknown[0]!r}"
        )
    return for_positive(resolve_scoring(named, scores.task, {}), scores.positive_class)  # type: ignore[arg-type]
