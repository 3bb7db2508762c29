"""The cases of a comparison: the items of outcomes, and the samples of one test set or of test sets in time order.

Scores on folds are cases already. Predictions become cases where a metric is a mean over samples: each sample has a
value per model then, and every procedure on paired scores can be asked of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import get_scorer_names, make_scorer

from skcompare._core.design import Design
from skcompare._core.names import choose_metric, choose_metrics
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.measures import (
    check_measured,
    function_of,
    has_records,
    has_sample_values,
    is_mean,
    is_valued,
    measure,
    measured,
    value_of_samples,
    valued_metrics,
)
from skcompare.comparison.once import once
from skcompare.comparison.predictions import (
    MissingEvidenceError,
    Splits,
    check_unweighted,
    chosen_splits,
    folds_left_out,
    has_predictions,
    pool,
    used_repeat,
)
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.metrics.scoring import (
    COST_METRICS,
    OWN_METRICS,
    Metric,
    for_positive,
    metric_functions,
    resolve_scoring,
)
from skcompare.evaluation.metrics.table import OWN_SCORERS
from skcompare.evaluation.predictions import CODES, KeptPredictions, rescored, stored_models
from skcompare.evaluation.splits import splits_from_pairs
from skcompare.inference._procedures import default_for
from skcompare.scores.evaluation import EvaluationScores, is_judged, units
from skcompare.scores.rare_classes import without_labels

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
    said = (Code.INDEPENDENCE.name,)
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


# One test set as it is shown: what several models predicted on the same samples, read once for tables and pictures.


MOST_SHOWN = 5
Scale = Literal["probability", "decision value"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPredictions:
    """Predicted classes on one test set, of several models; only what is asked for is copied.

    Attributes
    ----------
    kept : KeptPredictions
        All predictions.
    splits : list of int
        The splits that are shown, one after the other: each sample once.
    said : str
        How many samples they are, and of which design.
    rows : ndarray of shape (n_samples,)
        The samples, as rows of X.
    positive : object
        The positive class, which is set against all others; None where there are not two classes and none was named.
    is_positive : ndarray of bool of shape (n_samples,)
        Which samples are of it.
    warnings : tuple of str
        Reasons to doubt what is shown of them.
    """

    kept: KeptPredictions
    splits: Splits
    said: str
    rows: NDArray[np.intp]
    positive: Any
    is_positive: NDArray[np.bool_]
    warnings: tuple[CodedWarning, ...]

    @property
    def y_true(self) -> NDArray[Any]:
        """The true classes."""
        return np.asarray(self.kept.y[self.rows])

    def codes(self, estimator: str) -> NDArray[Any] | None:
        """Predicted classes as positions among those of the data; None where others were predicted too."""
        return self._joined(estimator, CODES)

    def labels(self, estimator: str, where: Any = slice(None)) -> NDArray[Any]:
        """Predicted classes of one model, of all samples or of some."""
        codes = self.codes(estimator)
        if codes is not None:
            return np.asarray(self.kept.classes[codes[where]])
        known = [self.kept.labels_of(estimator, i) for i in self.splits]
        return np.asarray(np.concatenate(known)[where])

    def probability(self, estimator: str) -> FloatArray | None:
        """The probability of the positive class by one model; None where that was not kept."""
        found = self._scores(estimator, "predict_proba")
        return None if found is None else 1 - found if self._is_lesser else found

    def positive_scores(self, estimator: str) -> tuple[FloatArray, Scale]:
        """What a threshold is on, greater for the positive class: probabilities, else decision values."""
        known = self.probability(estimator)
        if known is not None:
            return known, "probability"
        decision = self._scores(estimator, "decision_function")
        if decision is None:
            area = "roc_auc" if len(self.kept.classes) == 2 else "roc_auc_ovr"
            raise ValueError(
                f"scoring must include {area!r} or 'neg_log_loss', so that class scores are kept; {estimator!r} has "
                f"none"
            )
        return -decision if self._is_lesser else decision, "decision value"

    @property
    def _is_lesser(self) -> bool:
        """Whether the positive class is the lesser of the two labels: scores are kept for the greater one."""
        return len(self.kept.classes) == 2 and bool(self.positive == self.kept.classes[0])

    def _scores(self, estimator: str, response: str) -> FloatArray | None:
        found = self._joined(estimator, response)
        if found is not None and found.ndim == 2 and found.shape[1] == len(self.kept.classes):
            found = found[:, self.kept.classes.tolist().index(self.positive)]
        if found is None or found.ndim != 1:
            return None
        values = found.astype(np.float64, copy=False)
        if not np.isfinite(values).all():
            raise ValueError(f"the class scores of {estimator!r} must be finite; got nan or infinity")
        return values

    def _joined(self, estimator: str, response: str) -> NDArray[Any] | None:
        parts = [self.kept.folds[estimator][i].get(response) for i in self.splits]
        known = [part for part in parts if part is not None]
        same = len({part.shape[1:] for part in known}) == 1
        return np.concatenate(known) if same and len(known) == len(parts) else None


def read_shown(
    scores: EvaluationScores, names: tuple[str, ...], *, against_rest: bool = False, positive: Any = None
) -> ShownPredictions:
    """The predictions of some models, on request of one class against the rest.

    Raises
    ------
    ValueError
        If they are not known or are no classes, or it is not clear which class is meant.
    """
    check_unweighted(scores, "what is shown of predictions")
    first, kept = scores.predictions(names[0]), scores.kept_predictions
    assert kept is not None
    if scores.task not in ("binary", "multiclass"):
        raise ValueError(
            f"predictions of classes are needed; the task of this result is {scores.task!r}{what_fits(scores)}"
        )
    if positive is None and scores.task == "binary":
        positive = scores.positive_class
    if against_rest:
        positive = _one_class(positive, kept.classes.tolist())
    splits = chosen_splits(scores, names)
    rows = np.concatenate([first[i].test_indices for i in splits])
    return ShownPredictions(
        kept=kept,
        splits=splits,
        said=f"one test set of {len(rows)} samples"
        if scores.design.n_splits == 1
        else f"{len(rows)} samples of {scores.design.name}",
        rows=rows,
        positive=positive,
        is_positive=np.asarray(kept.y[rows] == positive, dtype=np.bool_),
        warnings=_warnings(scores, len(splits), used_repeat(scores, splits[0] // scores.design.n_folds)),
    )


def _one_class(positive: Any, classes: Sequence[Any]) -> Any:
    """The class that is set against the rest, as the data has it."""
    known = [label for label in classes if label == positive]
    if not known:
        shown = ", ".join(map(repr, classes[:MOST_SHOWN]))
        hint = ". 'neg_log_loss' and 'neg_brier_score' speak of all classes: compare() tests them"
        raise ValueError(
            f"positive must be the class that is set against all others, one of {shown}; got {positive!r}"
            f"{hint if positive is None else ''}"
        )
    return known[0]


def _warnings(scores: EvaluationScores, n_splits: int, used: str) -> tuple[CodedWarning, ...]:
    found = list(scores.warnings)
    if n_splits > 1:
        found.append(Code.POOLED(f"the predictions of {n_splits} folds, each of models of its own, stand together."))
    if n_splits < scores.design.n_folds:
        found.append(folds_left_out(scores.design.n_folds - n_splits))
    if used:
        found.append(Code.POOLED(f"{used}."))
    return tuple(found)


# Scores on some of the samples or items alone.


_SCORERS = get_scorer_names()


def restricted(scores: EvaluationScores, chosen: NDArray[np.bool_]) -> EvaluationScores:
    """The same models on some of the samples or items; costs, which are of whole fits, are left out.

    Raises
    ------
    ValueError
        If the predictions were not kept, or a metric cannot be computed from them.
    """
    return _of_items(scores, chosen) if scores.design.kind == "items" else _restricted_samples(scores, chosen)


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


def _restricted_samples(scores: EvaluationScores, chosen: NDArray[np.bool_]) -> EvaluationScores:
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
