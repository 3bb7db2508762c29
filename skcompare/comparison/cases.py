"""The cases of a comparison: the items of outcomes, and the samples of one test set or of test sets in time order.

Scores on folds are cases already. Predictions become cases where a metric is a mean over samples: each sample has a
value per model then, and every procedure on paired scores can be asked of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import Design
from skcompare._core.names import choose_metric, choose_metrics
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code
from skcompare.comparison.measured import check_measured, measured
from skcompare.comparison.measures import (
    function_of,
    has_records,
    has_sample_values,
    is_mean,
    is_valued,
    measure,
)
from skcompare.comparison.once import once
from skcompare.comparison.predictions import MissingEvidenceError, chosen_splits, has_predictions, pool
from skcompare.comparison.sample_values import value_of_samples, valued_metrics
from skcompare.evaluation._batches import LABEL
from skcompare.evaluation._metric_function import MetricFunction
from skcompare.inference._procedures import default_for
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.undefined import without_labels

_MOST_NAMED = 3
_ON_SPLITS = "on several splits 'corrected_t_test' tests any score, and from_outcomes takes a value per case"
_OF_PROBABILITIES, _NO_SHARES = ("neg_log_loss", "neg_brier_score"), "not all probabilities were kept"
_UNKNOWN_LOSSES = "in time order a test needs the losses of single samples, which are not known here"


def by_case(scores: EvaluationScores, metric: str) -> bool:
    """Whether every case has a value of its own on a metric; independent runs are no cases that models share."""
    if scores.design.apart:
        return False
    if scores.design.kind != "samples":
        return True
    return (
        has_sample_values(scores, metric)
        and scores.sample_weight is None
        and why_untested(scores, metric) != _NO_SHARES
    )


@once
def why_untested(scores: EvaluationScores, metric: str, names: tuple[str, ...] = ()) -> str:
    """What is lacking for a test of a metric on one test set, or in time order, of some models where it has none."""
    if scores.kept_predictions is None:
        return _UNKNOWN_LOSSES if scores.design.time_order else "no predictions were kept"
    if scores.design.time_order and not is_valued(scores, metric):
        return "in time order a test needs a value of each sample, which it has not"
    if scores.design.time_order:
        try:
            losses_in_time(scores, (metric,))
            for name in filter(partial(has_predictions, scores), names):
                values_of(scores, name, metric)
        except MissingEvidenceError as error:
            return str(error)
        return "its losses cannot be compared"
    if scores.read_as.get(metric, metric) in _OF_PROBABILITIES:
        kept = [scores.predictions(name)[0] for name in scores.estimators]
        if any(part.y_pred is not None and part.predict_proba is None for part in kept):
            return _NO_SHARES
    read = function_of(scores, metric)
    if scores.sample_weight is not None:
        return "no test of it takes the weights of samples"
    if isinstance(read, MetricFunction) and read.response != LABEL:
        return "the scores that it reads were not kept"
    if metric in scores.misnamed:
        return "it is called by the name of another metric, and its function is not known any more"
    if has_records(scores):
        return f"y holds neither labels nor numbers, with which predictions could be compared; {_ON_SPLITS}"
    if is_valued(scores, metric):
        return "this test takes only means of a value per sample"
    return f"it is neither a name of scikit-learn's nor a scorer of make_scorer; {_ON_SPLITS}"


def what_fits(scores: EvaluationScores) -> str:
    """What tests the metrics of a result, for refusals of what does not fit it: a clause."""
    tests: dict[str, list[str]] = {}
    for metric in scores.metrics:
        what = measure(scores, metric)
        if scores.design.kind == "folds" or what != "other":
            tests.setdefault(default_for(scores.design, what).procedure, []).append(metric)
    found = [
        f"{test!r} tests {', '.join(metrics[:_MOST_NAMED])}{', ...' if len(metrics) > _MOST_NAMED else ''}"
        for test, metrics in tests.items()
    ]
    return f"; {', '.join(found) or _ON_SPLITS}"


def case_metrics(scores: EvaluationScores, metrics: Sequence[str]) -> tuple[str, ...]:
    """Those of some metrics on which every case has a value of its own."""
    return tuple(metric for metric in metrics if by_case(scores, metric))


def choose_case_metrics(
    scores: Any, metrics: str | Sequence[str] | None, *, means: bool = False, n: int | None = None
) -> tuple[str, ...]:
    """The metrics asked for, or by default all, or the first `n`, on which every case has a value of its own.

    With `means` those too that are smooth functions of means: their mean can be spoken of, but no single case.

    Raises
    ------
    MissingEvidenceError
        If one of them has no value per sample of the one test set, or the runs of two models are no cases.
    """
    check_cases(scores)
    if not isinstance(scores, EvaluationScores) or scores.design.kind != "samples":
        names = choose_metrics(metrics, scores.metrics)
        return names if metrics is not None else names[:n]
    able = [metric for metric in scores.metrics if by_case(scores, metric) or (means and is_mean(scores, metric))]
    names = tuple(able[:n]) if metrics is None else choose_metrics(metrics, scores.metrics)
    lacking = [metric for metric in (names or scores.metrics) if metric not in able]
    if lacking:
        known = f", as {', '.join(map(repr, able))} of this result" if able else ""
        raise MissingEvidenceError(
            f"metrics must have a value on every sample of the test set{known}; {', '.join(map(repr, lacking))} "
            f"{'has' if len(lacking) == 1 else 'have'} none. compare() and the plot 'differences' show all metrics"
        )
    return names


def choose_case_metric(scores: Any, metric: str | None, *, means: bool = False) -> str:
    """The one metric asked for, or the first, on which every case has a value of its own; see `choose_case_metrics`."""
    asked = None if metric is None else choose_metric(metric, scores.metrics)
    names = choose_case_metrics(scores, asked, means=means)
    chosen = next((name for name in names if name in measured(scores)), names[0])
    check_measured(scores, chosen)
    return chosen


def check_cases(scores: Any) -> None:
    """MissingEvidenceError of independent runs, of which two models have no case in common."""
    if isinstance(scores, EvaluationScores) and scores.design.apart:
        raise MissingEvidenceError(
            "this needs cases that two models share, and independent runs are none: compare() and the plot "
            "'differences' show the differences of the means, and from_runs(paired=...) takes runs of one name for "
            "pairs"
        )


def superfluous(scores: Any) -> tuple[str, ...]:
    """Warnings of procedures that are said of folds, or that the design says already."""
    if not isinstance(scores, EvaluationScores):
        return (Code.INDEPENDENT_RUNS.name,)  # only procedures that take runs say it
    if scores.design.kind == "folds":
        return ()
    said = (Code.TOO_LIBERAL.name, Code.INDEPENDENCE.name)
    return (*said, Code.PAIRING_IGNORED.name) if scores.design.apart else said


def check_settled(scores: EvaluationScores, metric: str, what: str) -> None:
    """MissingEvidenceError where the value of a sample changes as others come, of which something takes no account."""
    if scores.design.kind != "samples" or not is_valued(scores, metric):
        return
    changes = "the value of a sample changes as others come"
    if not has_sample_values(scores, metric):
        raise MissingEvidenceError(
            f"metric must be a mean of a value per sample for {what!r}, which holds at every sample; of {metric!r} "
            f"{changes}"
        )
    if scores.sample_weight is not None:
        raise MissingEvidenceError(f"{what!r} takes no weights of samples, with which {changes}")


def check_alone(scores: Any, what: str) -> None:
    """MissingEvidenceError where cases stand in clusters, of which something takes no account."""
    if isinstance(scores, EvaluationScores) and scores.design.n_clusters is not None:
        raise MissingEvidenceError(
            f"{what} takes every case for independent, but the {scores.design.cases} stand in "
            f"{scores.design.n_clusters} clusters; 'differences' allows for them"
        )


def case_names(scores: EvaluationScores) -> list[str]:
    """What the samples of the one test set or the items are called; by default their positions."""
    ids = scores.sample_ids
    if scores.design.kind == "samples" and scores.kept_splits is not None:
        held_out = scores.kept_splits.held_out(0)
        return [str(name) for name in (held_out if ids is None else ids[held_out]).tolist()]
    return [str(name) for name in (np.arange(scores.design.n_splits) if ids is None else ids).tolist()]


def cases(scores: EvaluationScores, metrics: Sequence[str]) -> EvaluationScores:
    """Scores whose splits are the cases: of one test set its samples, otherwise the scores as they are.

    Raises
    ------
    MissingEvidenceError
        If a metric has no value per sample, or the predictions are not known.
    """
    return _of_samples(scores, tuple(metrics)) if scores.design.kind == "samples" else scores


def losses_in_time(scores: EvaluationScores, metrics: Sequence[str]) -> EvaluationScores:
    """Scores whose splits are the samples in time order, of splits in time order or of one test set; items as they are.

    Raises
    ------
    MissingEvidenceError
        As `cases`; or if test sets overlap, or a metric is not defined on one of them.
    """
    return scores if scores.design.kind == "items" else _of_samples(scores, tuple(metrics))


@once
def _of_samples(scores: EvaluationScores, metrics: tuple[str, ...]) -> EvaluationScores:
    in_time = scores.design.time_order
    for metric in metrics:
        if not is_valued(scores, metric):
            tested = not in_time and measure(scores, metric) in ("labels", "scores")
            tests = "'paired_metric_test' and 'paired_bootstrap' need none and test it; " if tested else ""
            raise MissingEvidenceError(
                f"metric {metric!r} has no value per sample; {tests}these have one: "
                f"{', '.join(map(repr, valued_metrics(scores.task)))}"
            )
    if in_time:
        _check_in_time(scores)
    predicted = [name for name in scores.estimators if has_predictions(scores, name)]
    if not predicted:
        raise MissingEvidenceError("no model gave a label or number for each sample")
    held_out = _held_out(scores, range(scores.design.n_splits) if in_time else (0,))
    times = np.sort(held_out) if in_time else held_out
    n, shape = len(times), (len(scores.estimators), len(metrics))
    values = np.full((*shape, n), np.nan).transpose(0, 2, 1)  # the cases of a metric lie side by side
    undefined = None
    for name, (m, metric) in product(predicted, enumerate(metrics)):
        at = np.searchsorted(times, _held_out(scores, chosen_splits(scores, (name,)))) if in_time else slice(None)
        try:
            values[scores.estimator_index(name), at, m] = values_of(scores, name, metric)
        except MissingEvidenceError as error:  # which says nothing of two other models
            undefined = error
    if undefined is not None and np.isnan(values).all():
        raise undefined
    unknown = np.broadcast_to(np.nan, (shape[0], n))
    return EvaluationScores(
        estimators=scores.estimators,
        metrics=metrics,
        greater_is_better=(True,) * shape[1],
        design=Design(
            n_samples=n,
            n_repeats=n,
            n_folds=1,
            n_splits=n,
            test_fraction=0.0,
            partition=False,
            kind="items",
            n_clusters=scores.design.n_clusters,
        ),
        scores=values,
        fit_times=unknown,
        score_times=unknown,
        warnings=(*scores.warnings, *without_labels(scores, *metrics)),
        provenance=scores.provenance,
        clusters=case_clusters(scores),
    )


def values_of(scores: EvaluationScores, name: str, metric: str) -> FloatArray:
    """The value of each sample that a model predicted, in the order of the test sets.

    A function of means is linearised within each test set, whose score it is.

    Raises
    ------
    MissingEvidenceError
        If the metric is not defined for the model.
    """
    pooled, how = pool(scores, (name,)), (scores.read_as.get(metric, metric), scores.task, function_of(scores, metric))
    parts = pooled.parts[name]
    if has_sample_values(scores, metric) or len(parts) == 1:
        return value_of_samples(pooled, name, *how)
    alone = (replace(pooled, y_true=part.y_true, parts={name: [part]}) for part in parts)
    values = np.concatenate([value_of_samples(one, name, *how) for one in alone])
    if not np.isfinite(values).all():
        raise MissingEvidenceError(f"{metric} of {name!r} is not defined on some test set")
    return values


def _check_in_time(scores: EvaluationScores) -> None:
    """Raise MissingEvidenceError unless each sample of splits in time order was predicted once."""
    if scores.kept_splits is None or scores.kept_predictions is None:
        raise MissingEvidenceError(_UNKNOWN_LOSSES)
    if scores.design.n_folds == 1:
        raise MissingEvidenceError("the test sets overlap in time, so that a sample has several losses")


def _held_out(scores: EvaluationScores, splits: Iterable[int]) -> NDArray[np.intp]:
    """The samples of some test sets, one after the other."""
    assert scores.kept_splits is not None
    return np.concatenate([scores.kept_splits.held_out(i) for i in splits])


def case_clusters(scores: EvaluationScores) -> NDArray[np.intp] | None:
    """The cluster of each case, None where each stands alone."""
    if scores.clusters is None or scores.kept_splits is None:
        return scores.clusters
    return scores.clusters[scores.kept_splits.held_out(0)]
