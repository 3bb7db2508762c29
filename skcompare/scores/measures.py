"""What a metric is: a rate, a mean, a function of labels or of scores; and scores that are computed by it again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, Literal

import numpy as np
from sklearn import metrics as skm
from sklearn.metrics import get_scorer_names, make_scorer

from skcompare._core.metrics import METRICS, OF_LABELS, OF_SETS, absolute, deviance, pinball, squared, squared_log
from skcompare._core.metrics import Metric as MetricRow
from skcompare._core.validation import BoolArray, FloatArray
from skcompare.evaluation.metrics import scoring
from skcompare.evaluation.metrics.batches import LABEL, PROBABILITY
from skcompare.evaluation.metrics.scorers import MetricFunction, mean_cost, sample_costs
from skcompare.evaluation.metrics.scoring import Metric
from skcompare.evaluation.metrics.table import BATCHED, OWN_SCORERS
from skcompare.evaluation.predictions import KeptPredictions, rescored
from skcompare.evaluation.prepare import InnerSplits
from skcompare.evaluation.splits import splits_from_pairs
from skcompare.inference._procedures import LABEL_METRICS
from skcompare.inference.outcomes.auc import area_components
from skcompare.scores import predictions
from skcompare.scores.evaluation import EvaluationScores, is_judged, once, units
from skcompare.scores.predictions import MissingEvidenceError, Pooled

# The value of every sample on a metric that is a mean over samples, or a smooth function of such means.
#
# All are greater for a better model.


Values = Callable[[Pooled, str], FloatArray]


def _turned(pooled: Pooled, values: FloatArray) -> FloatArray:
    """Values of the samples, with weights linearised: their plain mean is then the weighted one."""
    if pooled.weights is None:
        return values
    weights = pooled.weights if values.ndim == 1 else pooled.weights[:, None]
    mean = (weights * values).mean(axis=0)
    return np.asarray(mean + weights * (values - mean))


def _numbers(pooled: Pooled, model: str) -> tuple[FloatArray, FloatArray]:
    try:
        return np.asarray(pooled.y_true, dtype=np.float64), np.asarray(pooled.labels(model), dtype=np.float64)
    except ValueError as error:
        raise MissingEvidenceError("the labels are no numbers") from error


def _classes(pooled: Pooled, model: str) -> tuple[Any, Any]:
    return pooled.y_true, pooled.labels(model)


def _over_outputs(values: FloatArray) -> FloatArray:
    """The mean of each sample over what it has several of, as scikit-learn takes it."""
    return values if values.ndim == 1 else np.asarray(values.mean(axis=1))


def _own_values(pooled: Pooled, model: str, row: MetricRow) -> FloatArray:
    """The value of each sample on a metric that is their mean, greater is better."""
    if row.loss is not None:
        return -_over_outputs(row.loss(*_numbers(pooled, model)))
    if row.of_truth is not None:
        probabilities, codes = pooled.probabilities(model), pooled.true_codes
        truth = np.eye(probabilities.shape[1])[codes]
        own = np.take_along_axis(probabilities, codes[:, None], axis=1)[:, 0]
        return -row.of_truth(own, ((probabilities - truth) ** 2).sum(axis=1), probabilities.shape[1])
    if row.of_sets is None or np.ndim(pooled.y_true) == 1:
        return pooled.correct(model).astype(np.float64)
    true, predicted = (np.asarray(x, dtype=np.int64) for x in (pooled.y_true, pooled.labels(model)))
    return row.of_sets.of_samples(true, predicted, true.shape[1])[:, 0]


def _ndcg(true: FloatArray, predicted: FloatArray, **options: Any) -> FloatArray:
    """Of each row, the documents of one query."""
    return np.array([skm.ndcg_score(true[i : i + 1], predicted[i : i + 1], **options) for i in range(len(true))])


def _label_ranking(pooled: Pooled, model: str) -> FloatArray:
    """The share of pairs of a true and a false label that are not in order; 0 without a pair."""
    true, found = np.asarray(pooled.y_true, dtype=bool), pooled.label_scores(model)
    wrong = np.zeros(len(true))
    for label, scores in zip(true.T, found.T, strict=True):
        wrong += label * ((found >= scores[:, None]) & ~true).sum(axis=1)
    n_pairs = true.sum(axis=1) * (~true).sum(axis=1)
    return -np.asarray(np.divide(wrong, n_pairs, out=np.zeros(len(true)), where=n_pairs > 0))


@np.errstate(over="ignore", invalid="ignore")  # of infinite errors no test is possible
def _root(pooled: Pooled, model: str) -> FloatArray:
    """The root of a mean, linearised: values whose mean is the score and whose spread is that of the score."""
    errors = _turned(pooled, squared(*_numbers(pooled, model)))
    score = np.sqrt(errors.mean(axis=0))
    change = np.divide(errors - score**2, 2 * score, out=np.zeros_like(errors), where=score > 0)
    return -_over_outputs(score + change)


def _area(pooled: Pooled, model: str) -> FloatArray:
    """The area under the ROC curve, linearised: DeLong's components of the samples."""
    return area_components(pooled.class_scores(model), pooled.true_codes == 1, pooled.weights)


def _areas(pooled: Pooled, model: str) -> FloatArray:
    """The mean of the areas of each class against the rest, linearised."""
    probabilities, codes = pooled.probabilities(model), pooled.true_codes
    areas = [area_components(probabilities[:, k], codes == k, pooled.weights) for k in range(probabilities.shape[1])]
    return np.asarray(np.mean(areas, axis=0))


@np.errstate(over="ignore", invalid="ignore")
def _r2(pooled: Pooled, model: str) -> FloatArray:
    """The coefficient of determination, linearised in the squared errors and in the spread of the targets."""
    true, predicted = _numbers(pooled, model)
    errors = _turned(pooled, squared(true, predicted))
    around = _turned(pooled, (true - _turned(pooled, true).mean(axis=0)) ** 2)
    if not around.any(axis=0).all():
        raise MissingEvidenceError("r2 is not defined where all targets are equal")
    ratio = errors.mean(axis=0) / around.mean(axis=0)
    return _over_outputs(1 - ratio - (errors - ratio * around) / around.mean(axis=0))


def _of_labels(pooled: Pooled, model: str, metric: str) -> FloatArray:
    """A metric of labels that depends on sums over the samples, linearised in these; greater is better."""
    true, predicted = np.asarray(pooled.y_true), pooled.labels(model)
    if true.ndim > 1:
        read, n_classes = OF_SETS[metric], true.shape[1]
        true, predicted = (part.astype(np.int64) for part in (true, predicted))
    else:
        read = OF_LABELS[metric if METRICS[metric].greater_is_better else f"neg_{metric}"]
        classes, codes = np.unique(np.concatenate([true, predicted]), return_inverse=True)
        true, predicted = np.split(codes.reshape(-1), 2)
        n_classes = len(classes)
        if read.of == "grades":
            true, predicted = (classes[part] - classes[0] for part in (true, predicted))
        if read.of == "positive":
            true, predicted = ((classes[part] == pooled.positive_class).astype(np.int64) for part in (true, predicted))
    values = read.influence(_turned(pooled, read.of_samples(true, predicted, n_classes)))
    if np.isnan(values).any():
        raise MissingEvidenceError(f"{metric} of {model!r} is 0/0")
    return values


# Smooth functions of means over samples: good for a test of the mean, but the value of one sample means nothing.
_SMOOTH: dict[str, Values] = {"neg_root_mean_squared_error": _root, "r2": _r2, "roc_auc_ovr": _areas, "roc_auc": _area}


def _of_each(rows: Callable[..., FloatArray], true: FloatArray, predicted: FloatArray, **options: Any) -> FloatArray:
    """Of each number what a function gives of each row."""
    return rows(true.reshape(-1, 1), predicted.reshape(-1, 1), **options).reshape(true.shape)


# Losses that have no name with their options: of what was predicted, how that is read, and which options are known.
_LOSSES: Mapping[Any, tuple[Callable[..., FloatArray], Callable[[Pooled, str], tuple[Any, Any]], frozenset[str]]] = {
    skm.mean_pinball_loss: (pinball, _numbers, frozenset({"alpha"})),
    skm.mean_squared_log_error: (partial(_of_each, squared_log), _numbers, frozenset()),
    skm.mean_poisson_deviance: (partial(_of_each, deviance, power=1), _numbers, frozenset()),
    skm.mean_gamma_deviance: (partial(_of_each, deviance, power=2), _numbers, frozenset()),
    skm.mean_tweedie_deviance: (partial(_of_each, deviance), _numbers, frozenset({"power"})),
    skm.ndcg_score: (_ndcg, _numbers, frozenset({"k", "log_base", "ignore_ties"})),
    mean_cost: (sample_costs, _classes, frozenset({"cost", "classes"})),
}


@cache
def sample_metrics(task: str) -> Mapping[str, Values]:
    """The metrics that are means of a value per sample, of a kind of problem: that value, greater is better."""
    if task == "multilabel":
        names = [name for name, read in OF_SETS.items() if read.of == "samples"]
        own = {name: partial(_own_values, row=METRICS[name]) for name in names}
        return own | {"neg_label_ranking_loss": _label_ranking}
    means = {name: row for name, row in METRICS.items() if row.is_mean}
    known = {name: row for name, row in means.items() if row.needs == "numbers" or task != "multioutput"}
    return {name: partial(_own_values, row=row) for name, row in known.items()}


def smooth_metrics(task: str) -> Mapping[str, Values]:
    """The smooth functions of means over the samples, of a kind of problem, but for those of labels."""
    able = {"multilabel": (), "multioutput": ("numbers",)}.get(task)
    return {name: of for name, of in _SMOOTH.items() if able is None or METRICS[name].needs in able}


def label_metrics(task: str) -> tuple[str, ...]:
    """The metrics that depend on the labels through sums, of a kind of problem."""
    return () if task == "multioutput" else tuple(OF_SETS) if task == "multilabel" else LABEL_METRICS


def with_the_training_set(task: str) -> tuple[str, ...]:
    """Those of `label_metrics` that move with the share of samples that a fitted model calls positive.

    Accuracy and precision hardly do: equal models in time order differed no more often for it in simulations.
    """
    return tuple(name for name in label_metrics(task) if name != "accuracy" and not name.startswith("precision"))


def valued_metrics(task: str) -> tuple[str, ...]:
    """The metrics of which each sample has a value, its own or a linearised one."""
    return tuple(dict.fromkeys((*sample_metrics(task), *smooth_metrics(task), *label_metrics(task))))


def known_loss(function: Any) -> Values | None:
    """The value of each sample on a scorer whose function and options are known as a mean of such values."""
    if not isinstance(function, MetricFunction) or function.response != LABEL:
        return None
    loss, read, known = _LOSSES.get(function.scorer._score_func, (None, _numbers, frozenset()))
    if loss is None or not set(function.scorer._kwargs) <= known:
        return None
    sign, options = function.scorer._sign, function.scorer._kwargs
    return lambda pooled, model: sign * _over_outputs(loss(*read(pooled, model), **options))


# One less a loss over that of a constant, which is the same for all models on one test set, by the loss.
_RELATIVE = {
    "d2_log_loss_score": "neg_log_loss",
    "d2_brier_score": "neg_brier_score",
    "d2_absolute_error_score": "neg_mean_absolute_error",
}


# The number of samples that are right, and minus that of the others.
_COUNTS = ((skm.accuracy_score, 1, ["normalize"]), (skm.zero_one_loss, -1, ["normalize"]))


def _to_medians(pooled: Pooled, model: str) -> FloatArray:
    """Minus the absolute error over that of the median, the mean over the numbers of a sample."""
    true, predicted = _numbers(pooled, model)
    errors, weights = absolute(true, predicted), pooled.weights
    found = skm.d2_absolute_error_score(true, predicted, sample_weight=weights, multioutput="raw_values")
    mean = np.average(errors, axis=0, weights=weights)
    return -_over_outputs(errors * np.divide(1 - found, mean, out=np.zeros_like(mean), where=mean > 0))


def _image_of(scores: EvaluationScores, metric: str) -> tuple[Values | None, str, float]:
    """On one test set the mean that a metric is but for its unit, None of others; its name; what it is where that is 0.

    Of several numbers per sample each has a constant of its own.
    """
    if scores.design.kind != "samples":
        return None, "", 0.0
    if scores.task == "multioutput":
        return (_to_medians if named(scores, metric) == "d2_absolute_error_score" else None), "", 1.0
    scorer: Any = getattr(function_of(scores, metric), "scorer", None)
    what = (scorer._score_func, scorer._sign, [*scorer._kwargs]) if scorer else None
    of, at_0 = _RELATIVE.get(named(scores, metric), ""), 1.0
    if not of and what == (skm.d2_pinball_score, 1, ["alpha"]):
        loss = make_scorer(skm.mean_pinball_loss, greater_is_better=False, **scorer._kwargs)
        return known_loss(MetricFunction(loss)), "", at_0
    if what == (skm.log_loss, -1, ["normalize"]) and not scorer._kwargs["normalize"]:
        of, at_0 = "neg_log_loss", 0.0
    if number_counted(scores, metric):
        of, at_0 = "accuracy", 0.0 if scorer._sign > 0 else -float(number_counted(scores, metric))
    return sample_metrics(scores.task).get(of), of, at_0


@once
def number_counted(scores: EvaluationScores, metric: str) -> int:
    """Of how many samples a metric on one test set counts those that are right, or wrong; 0 of others."""
    scorer: Any = getattr(function_of(scores, metric), "scorer", None)
    what = (scorer._score_func, scorer._sign, [*scorer._kwargs]) if scorer else None
    plain = scores.design.kind == "samples" and scores.sample_weight is None and scores.task != "multioutput"
    if not plain or what not in _COUNTS or scorer._kwargs["normalize"]:
        return 0
    return len(predictions.pool_splits(scores, scores.estimators[:1], (0,)).y_true)


@once
def unit_of(scores: EvaluationScores, metric: str, model: str) -> tuple[str, float, float]:
    """The mean that a metric is but for its unit, by its name; what it is where that is 0, and by how much it rises."""
    of_samples, name, at_0 = _image_of(scores, metric)
    if of_samples is None:
        return named(scores, metric), 0.0, 1.0
    pooled = predictions.pool_splits(scores, (model,), (0,))
    mean = float(np.average(of_samples(pooled, model), weights=pooled.weights))
    return name, at_0, (float(scores.oriented(model, metric)[0]) - at_0) / mean if mean else 0.0


def value_of_samples(scores: EvaluationScores, pooled: Pooled, model: str, metric: str) -> FloatArray:
    """The value of each sample on a metric, or the linearised one."""
    name = named(scores, metric)
    of_samples = sample_metrics(scores.task).get(name) or known_loss(function_of(scores, metric))
    if of_samples is None and (image := _image_of(scores, metric)[0]) is not None:
        _, at_0, rise = unit_of(scores, metric, model)
        return _turned(pooled, at_0 + rise * image(pooled, model))
    if of_samples is not None:
        return _turned(pooled, of_samples(pooled, model) + scores.above_share(metric))
    if name == "roc_auc" and of_probabilities(scores, metric):
        return area_components(pooled.probabilities(model)[:, 1], pooled.true_codes == 1, pooled.weights)
    smooth = smooth_metrics(scores.task).get(name)
    return _of_labels(pooled, model, name) if smooth is None else smooth(pooled, model)


def named(scores: EvaluationScores, metric: Any) -> Any:
    """What a metric is known as; one that is none of the result is what it is."""
    return scores.read_as.get(metric, metric)


def of_probabilities(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric reads probabilities alone, where decision values are kept too."""
    known = scores.metric_functions.get(metric) or BATCHED.get(scores.renamed.get(metric, metric))
    return getattr(known, "response", None) == PROBABILITY


# A score on one test set: a share of right samples, a mean of values, an area, a function of labels or scores, another.
Measure = Literal["rate", "mean", "area", "labels", "scores", "other"]


@once
def measure(scores: EvaluationScores, metric: Any) -> Measure:
    """What a score on one test set, on items or of a run is; a function of labels and predictions reads labels."""
    if callable(metric):
        return "labels"
    if scores.design.kind not in ("folds", "samples", "items"):
        return "mean"
    if scores.design.kind == "items":
        values = scores.scores[:, :, scores.metric_index(metric)]
        values = values[np.isfinite(values)]
        return "rate" if ((values == 0) | (values == 1)).all() else "mean"
    if has_records(scores):
        return "other"
    name = named(scores, metric)
    if scores.sample_weight is not None:
        return "mean" if is_valued(scores, metric) else "other"
    if name == "accuracy" or number_counted(scores, metric):
        return "rate"
    if name == "roc_auc" and scores.design.n_clusters is None and name in smooth_metrics(scores.task):
        return "area"
    if has_sample_values(scores, metric) or name in smooth_metrics(scores.task):
        return "mean"
    if name in label_metrics(scores.task) or of_labels(scores, metric):
        return "labels"
    return "scores" if of_scores(scores, metric) else "other"


def has_records(scores: EvaluationScores) -> bool:
    """Whether the target has several values with names per sample, as events with times: no prediction is like it."""
    return scores.kept_predictions is not None and scores.kept_predictions.y.dtype.names is not None


def has_sample_values(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is a mean of a value per sample: by its name, or as a scorer whose function is known as one."""
    if has_records(scores):
        return False
    own = named(scores, metric) in sample_metrics(scores.task) or known_loss(function_of(scores, metric)) is not None
    return own or _image_of(scores, metric)[0] is not None


def is_valued(scores: EvaluationScores, metric: str) -> bool:
    """Whether each sample has a value on a metric, its own or a linearised one."""
    return named(scores, metric) in valued_metrics(scores.task) or has_sample_values(scores, metric)


def of_labels(scores: EvaluationScores, metric: str) -> Callable[[Any, Any], float] | None:
    """A metric that has no name of our own as a function of labels, where it is one."""
    found = function_of(scores, metric)
    return found if found is not None and getattr(found, "response", LABEL) == LABEL else None


def function_of(scores: EvaluationScores, metric: str) -> Callable[[Any, Any], float] | None:
    """A metric as a function of predictions, by what it was scored with, else by its name."""
    known = scores.metric_functions.get(metric)
    return known if known is not None or metric in scores.misnamed else scoring.metric_function(metric)


def reads_labels(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is known to depend on predicted labels or numbers alone."""
    if of_labels(scores, metric) is not None:
        return True
    row = BATCHED.get(scores.read_as[metric])
    return row is not None and row.response == LABEL


def of_scores(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is a function of scores or probabilities, which were kept of every model."""
    found, kept = function_of(scores, metric), scores.kept_predictions
    if not isinstance(found, MetricFunction) or found.response == LABEL or kept is None or scores.design.n_splits != 1:
        return False
    folds = [kept.folds[name][0] for name in scores.estimators]
    return all(not fold or any(part in fold for part in found.response) for fold in folds)


def is_mean(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is a smooth function of means over the samples, whose single values mean nothing."""
    weighted = scores.sample_weight is not None and has_sample_values(scores, metric)
    return weighted or named(scores, metric) in smooth_metrics(scores.task)


# Which metrics were measured: of those whose numbers were given for each model there is no test.


def measured(scores: Any) -> tuple[str, ...]:
    """The metrics of scores but for those that were given; all where these are all."""
    return tuple(metric for metric in scores.metrics if not is_judged(scores.provenance, metric)) or scores.metrics


def check_measured(scores: Any, metrics: Any, name: str = "metric") -> None:
    """Raise MissingEvidenceError where an answer would be about numbers alone that were given as `name`."""
    names = [metrics] if isinstance(metrics, str) else list(metrics) if isinstance(metrics, tuple) else []
    if names and all(map(partial(is_judged, scores.provenance), names)):
        raise MissingEvidenceError(
            f"{name} must be measured for a test; {names[0]!r} was given for each model: pareto_front() takes it, and "
            "dominance() together with a metric that was measured"
        )


# Scores on some of the samples or items alone.


_SCORERS = get_scorer_names()


def restricted(scores: EvaluationScores, chosen: BoolArray) -> EvaluationScores:
    """The same models on some of the samples or items; costs, which are of whole fits, are left out.

    Raises
    ------
    ValueError
        If the predictions were not kept, or a metric cannot be computed from them.
    """
    if scores.design.kind == "items":
        n, clusters = int(chosen.sum()), None if scores.clusters is None else scores.clusters[chosen]
        n_clusters = None if clusters is None else len(np.unique(clusters))
        return replace(
            scores,
            design=replace(scores.design, n_samples=n, n_repeats=n, n_splits=n, n_clusters=n_clusters),
            scores=scores.scores[:, chosen],
            fit_times=scores.fit_times[:, chosen],
            score_times=scores.score_times[:, chosen],
            clusters=clusters,  # the same numbers in every part
            sample_ids=None if scores.sample_ids is None else scores.sample_ids[chosen],
            sample_columns={name: column[chosen] for name, column in scores.sample_columns.items()},
        )
    predictions.check_unweighted(scores, "by()")
    metrics, names = _metrics(scores), tuple(name for name in scores.metrics if not _of_models(scores, name))
    kept, splits, known, tests = _rescored(scores, metrics, chosen)
    found = np.full((*known.shape[:2], len(names)), np.nan)
    found[:, :, [names.index(metric.name) for metric in metrics]] = known
    part: dict[str, Any] = {
        "metrics": names,
        "greater_is_better": tuple(scores.greater_is_better[scores.metrics.index(name)] for name in names),
        "scores": found,
        "ill_defined": {},
        "calibration": None,  # it is of all samples
    }
    if scores.design.kind == "folds":
        design = replace(scores.design, test_sizes=tuple(map(len, tests)), class_counts=())
        return replace(scores, **part, design=design, kept_predictions=None, inner_predictions=None, kept_splits=None)
    train, (test,) = splits[0][0], tests
    shorter = splits_from_pairs([(train, test)], splits.n_samples)
    inside = chosen[splits.held_out(0)]
    folds = {name: [{part: x[inside] for part, x in one.items()} for one in own] for name, own in kept.folds.items()}
    n_clusters = None if scores.clusters is None else len(np.unique(scores.clusters[test]))
    return replace(
        scores,
        **part,
        design=replace(shorter.design, n_clusters=n_clusters),
        kept_splits=shorter,
        kept_predictions=KeptPredictions(kept.y, folds),
    )


def _rescored(scores: EvaluationScores, metrics: Sequence[Metric], chosen: BoolArray | None = None) -> tuple[Any, ...]:
    """The predictions and splits of a result, its scores on all or the chosen samples, and the test sets of these."""
    kept, splits = scores.kept
    chosen = np.ones(len(kept.y), dtype=bool) if chosen is None else chosen
    return kept, splits, *rescored(kept, splits, chosen, metrics, scores.task)  # type: ignore[arg-type]


def scored_again(scores: EvaluationScores, name: str, scorer: Any) -> EvaluationScores:
    """The same models on the same samples with one metric, which a scorer computes from the kept predictions.

    Raises
    ------
    ValueError
        If the predictions were not kept, or the run was looked at while it ran.
    """
    if scores.stopping is not None and scores.stopping.looks:
        raise ValueError("a run that was looked at has no p-values for another metric: none allows for the looks")
    metrics = scoring.resolve_scoring({name: scorer}, scores.task, {})  # type: ignore[arg-type]
    _, _, found, _ = _rescored(scores, metrics)
    # One of the old metrics may have been called like the new one.
    of_old_metrics = ("misnamed", "renamed", "judged", "unsaved", "units")
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
        metric_functions=scoring.metric_functions(metrics),
    )


def _of_models(scores: EvaluationScores, metric: str) -> bool:
    """Whether a metric is of whole fits, or of models, and no sample has a part in it."""
    known = scores.provenance
    return metric in scoring.COST_METRICS or is_judged(known, metric) or bool(units(known, metric))


def _metrics(scores: EvaluationScores) -> tuple[Metric, ...]:
    """The metrics of a result but for costs, made again of their names or of the functions that they were.

    Others are left out whose functions a file did not keep.
    """
    renamed = scores.renamed
    names = [name for name in scores.metrics if not _of_models(scores, name)]
    named: dict[str, Any] = {x: renamed.get(x, x) for x in [x for x in names if x not in scores.lost] or names}
    functions = {name: one for name, one in scores.metric_functions.items() if name in named and name not in renamed}
    named |= {name: getattr(function, "scorer", None) or make_scorer(function) for name, function in functions.items()}
    known = (*scoring.OWN_METRICS, *OWN_SCORERS, *_SCORERS)
    nameless = {name for name, of in named.items() if of not in known} | (scores.misnamed - {*renamed})
    if unknown := [name for name in named if name in nameless and name not in functions]:
        raise ValueError(
            f"metrics must be names of scikit-learn's or functions of the labels, to be computed on some of the "
            f"samples; got {unknown[0]!r}"
        )
    return scoring.for_positive(scoring.resolve_scoring(named, scores.task, {}), scores.positive_class)  # type: ignore[arg-type]


Folds = list[list[FloatArray]]  # per repeat and fold, one array


@once
def nested_values(scores: EvaluationScores, model: str, metric: str) -> tuple[Folds, Folds]:
    """Values of the samples, greater for a better model: of each fold, and of all others in the fits without both.

    Raises
    ------
    ValueError
        If the inner fits were not made.
    MissingEvidenceError
        If the model has none of them, one failed, or the metric is no mean of a value per sample.
    """
    if scores.inner_predictions is None or scores.kept_splits is None:
        raise ValueError("nested cross-validation takes the inner fits of PairedEvaluator(intervals='nested')")
    if not has_sample_values(scores, metric):
        known = ", ".join(map(repr, sample_metrics(scores.task)))
        raise MissingEvidenceError(
            f"metric {metric!r} is no mean of a value per sample, as nested cross-validation takes it; these are: "
            f"{known}"
        )
    if not any(scores.inner_predictions.labelled(model)):
        where = InnerSplits.of(scores.kept_splits).place(0)
        raise MissingEvidenceError(f"{model!r} has no inner fits: none was made or all failed, the first {where}")
    splits, inner = scores.kept_splits, _inner(scores)
    outer_values = _of_splits(scores, model, metric)
    inner_values = _of_splits(inner, model, metric)
    assert splits.fold_ids is not None
    found_outer, found_inner = [], []
    for repeat, ids in enumerate(splits.fold_ids):
        found_outer.append(outer_values[repeat * splits.n_folds : (repeat + 1) * splits.n_folds])
        others: list[list[FloatArray]] = [[] for _ in range(splits.n_folds)]
        for pair, (f, g) in enumerate(InnerSplits.of(splits).folds):
            values = inner_values[repeat * inner.design.n_folds + pair]
            of_first = ids[np.isin(ids, (f, g))] == f
            others[f].append(values[~of_first])
            others[g].append(values[of_first])
        found_inner.append([np.concatenate(parts) for parts in others])
    return found_outer, found_inner


@once
def _inner(scores: EvaluationScores) -> EvaluationScores:
    """The scores as those of the inner fits, as far as predictions are read of them."""
    splits = InnerSplits.of(scores.kept[1])
    design = replace(scores.design, n_folds=splits.n_folds, n_splits=len(splits), partition=False)
    return replace(scores, design=design, kept_splits=splits, kept_predictions=scores.inner_predictions)


def _of_splits(scores: EvaluationScores, model: str, metric: str) -> list[FloatArray]:
    """The values of the test samples of every split."""
    kept, splits = scores.kept
    if lacking := [i for i, known in enumerate(kept.labelled(model)) if not known]:
        raise MissingEvidenceError(f"{model!r} failed {splits.place(lacking[0])}")
    if not predictions.has_predictions(scores, model):
        raise MissingEvidenceError(f"{model!r} did not predict for each sample what y has")
    pooled = (predictions.pool_splits(scores, (model,), (split,)) for split in range(scores.design.n_splits))
    return [value_of_samples(scores, one, model, metric) for one in pooled]
