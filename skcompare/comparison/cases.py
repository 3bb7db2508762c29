"""The cases that models share: splits, items, samples of a test set, data sets; on one metric or on several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import filterfalse, product, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.design import unsplit
from skcompare._core.metrics import METRICS, squared_distance
from skcompare._core.numbers import briefly, percent_of, some_names
from skcompare._core.record import Frozen
from skcompare._core.validation import FloatArray, check_choice, check_number, choose_metric, choose_metrics
from skcompare._core.warnings import Code, CodedWarning, Warnings
from skcompare.comparison.table import Scores, blank, check_width, still
from skcompare.evaluation.metrics.batches import LABEL
from skcompare.evaluation.metrics.scorers import MetricFunction
from skcompare.evaluation.predictions import predict_alike
from skcompare.inference._distributions import FEWEST_SKEWED
from skcompare.inference._procedures import default_for
from skcompare.inference._records import TTestResult
from skcompare.inference.datasets.adjusted_means import adjusted_means
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.inference.outcomes.auc import DeLongResult, changes_of_areas
from skcompare.inference.outcomes.samples import read_clusters
from skcompare.scores import measures
from skcompare.scores.evaluation import UNTIMED, EvaluationScores, is_judged, once
from skcompare.scores.predictions import MissingEvidenceError, chosen_splits, has_predictions, pool
from skcompare.scores.rare_classes import without_labels
from skcompare.scores.study import StudyScores

# Half width of the region of practical equivalence, for all metrics or by metric.
Rope = float | Mapping[str, float] | None
TIMES = ("fit_time", "predict_time")
# Times of one and the same model differ by up to about this fraction from run to run.
TIME_ROPE = 0.1


class JointScores(Frozen):
    """Scores of models on the splits or data sets where all have all metrics, turned so that greater is better.

    Attributes
    ----------
    names : tuple of str
        The models.
    values : ndarray of shape (n_models, n_cases, n_metrics)
        Scores; of a time its median over the repeats, or the negative logarithm of that.
    rope : tuple of float
        Largest difference that is a tie, in the units of `values`.
    n_distinct : int
        How many of the cases can be different: the folds of one repeat, where the repeats share their times, and one
        where no difference of a pair varies over the splits.
    complete : ndarray of bool of shape (n_splits,) or (n_datasets,)
        Which splits or data sets the cases are.
    warnings : tuple of str
        What was left out, and what was done to the times.
    """

    names: tuple[str, ...]
    values: FloatArray
    rope: tuple[float, ...]
    n_distinct: int
    complete: NDArray[np.bool_]
    warnings: Warnings


def by_cluster(scores: EvaluationScores) -> tuple[EvaluationScores, Warnings]:
    """Cases in clusters as one case per cluster, and what is to be said of these.

    The mean of the new cases is that of the old ones, and its variance over them that which allows for clusters: each
    is the mean plus the sum of a cluster's deviations from it, times the clusters over the cases.
    """
    if scores.clusters is None:
        return scores, ()
    units, n = read_clusters(scores.clusters, scores.design.n_splits), scores.design.n_splits
    means = scores.scores.mean(axis=1)
    sums = np.stack([units.sums(of_model) for of_model in scores.scores - means[:, None]])
    size: dict[str, Any] = dict.fromkeys(("n_samples", "n_repeats", "n_splits"), len(units))
    return replace(
        scores,
        scores=means[:, None] + sums * (len(units) / n),
        design=replace(scores.design, **size, n_clusters=None, class_counts=()),
        clusters=None,
        fit_times=UNTIMED,
        score_times=UNTIMED,
        sample_ids=None,
        sample_columns={},
    ), units.warnings()


def joint_scores(
    evaluation: EvaluationScores, metrics: Sequence[str], names: Sequence[str], rope: Rope, *, ratios: bool = False
) -> JointScores:
    """The scores of models that a statement about several metrics is about, with times made comparable.

    One fit is timed once per split, and its time varies with whatever else the machine does. So the time of a fold
    is its median over the repeats, and times within `TIME_ROPE` of the larger typical time are ties, unless `rope`
    names the metric. The repeats then share their times: there are no more different cases than folds. Splits on which
    no difference of a pair varies are one case. Times of many models differ by orders of magnitude: with `ratios` of
    up to ``1 + TIME_ROPE`` they are ties.

    Raises
    ------
    ValueError
        If `rope` is negative or names a metric that is not among `metrics`, or no split has all scores.
    """
    given, design = {} if rope is None else rope_widths(rope, metrics, evaluation), evaluation.design
    times, warnings = {*times_of(evaluation)} & {*metrics}, list[CodedWarning]()
    if given and not isinstance(rope, Mapping):  # one width is not meant for seconds too
        given = {name: width for name, width in given.items() if name not in times}
    widths = [*map(given.get, metrics, repeat(0.0))]
    places = [*map(evaluation.estimator_index, names)], [*map(evaluation.metric_index, metrics)]
    values = evaluation.oriented_scores[np.ix_(places[0], range(design.n_splits), places[1])]
    for j, metric in enumerate(metrics):
        if metric not in times:
            continue
        for own in values:
            own[:, j] = typical_times(own[:, j], design.n_folds)
        said = f"differences up to {widths[j]:.2g} seconds are ties"
        if metric not in given and ratios:
            values[:, :, j] = -np.log(np.maximum(-values[:, :, j], np.finfo(np.float64).tiny))
            widths[j], said = float(np.log1p(TIME_ROPE)), f"ratios up to {1 + TIME_ROPE:g} are ties"
        elif metric not in given:
            widths[j] = TIME_ROPE * max(_median(np.abs(own)) for own in values[:, :, j])
            share = f"{percent_of(TIME_ROPE)} of the larger typical time"
            said = f"differences up to {widths[j]:.2g} seconds, {share}, are ties"
        typical = "is the median over the repeats, and " if ratios else ""
        if design.n_repeats > 1 and not ratios:
            typical = f"is the median over {design.n_repeats} repeats, and "
        if not ratios or metric not in given:
            warnings.append(Code.TIMES(f"{metric} {typical}{said}.", (metric,)))
    complete = np.asarray(np.isfinite(values).all(axis=(0, 2)))
    if not names or not complete.any():
        who = "the estimators" if ratios else f"{names[0]!r} and {names[1]!r} both"
        raise ValueError(f"metrics must have a split on which {who} have all scores; got none")
    values, n = values if complete.all() else values[:, complete], int(complete.sum())
    n = min(n, design.n_folds) if times else n
    return JointScores(
        names=tuple(names),
        values=values,
        rope=tuple(widths),
        n_distinct=1 if design.kind == "folds" and not ratios and all_still(values[0], values[1]) else n,
        complete=complete,
        warnings=tuple(warnings),
    )


def joint_datasets(study: StudyScores, metrics: Sequence[str], names: Sequence[str], rope: Rope) -> JointScores:
    """Mean scores of models on the data sets on which all that have any have all metrics."""
    widths = rope_widths(rope, metrics, study)
    values = np.array([[study.oriented(name, metric) for metric in metrics] for name in names]).transpose(0, 2, 1)
    rows, complete, warnings = complete_datasets(study, np.isfinite(values).transpose(1, 0, 2), metrics, names)
    return JointScores(
        names=tuple(names[i] for i in rows),
        values=values[rows][:, complete],
        rope=tuple(widths.get(metric, 0.0) for metric in metrics),
        n_distinct=int(complete.sum()),
        complete=complete,
        warnings=(*warnings, *(warning for metric in metrics for warning in study.split_warnings(metric, names))),
    )


def all_still(a: FloatArray, b: FloatArray) -> bool:
    """Whether the differences of two models do not vary over the cases on any metric; shapes (n_cases, n_metrics)."""
    return all(map(still, a.T, b.T, (a - b).T))


def times_of(evaluation: EvaluationScores) -> tuple[str, ...]:
    """The metrics that are times of fits; those of items are outcomes like others, and some were given."""
    if evaluation.design.kind != "folds":
        return ()
    return tuple(filterfalse(partial(is_judged, evaluation.provenance), TIMES))


def check_metric_count(metrics: tuple[str, ...], most: int = MAX_METRICS) -> tuple[str, ...]:
    """The metrics of a statement, or ValueError where there are too many."""
    if len(metrics) > most:
        raise ValueError(f"metrics must be at most {most}; got {len(metrics)}: choose some with metrics=[...]")
    return metrics


def rope_widths(
    rope: Rope, metrics: Sequence[str], scores: Scores | FloatArray, *, posterior: bool = False
) -> dict[str, float]:
    """Half width of the region of practical equivalence by metric, of those that have one; `scores` as `check_width`.

    Where a `posterior` of pairs is asked for, a ValueError of scores that have none.
    """
    if rope is None:
        return {}
    design = scores.design if posterior and isinstance(scores, EvaluationScores) else None
    if design is not None and (design.time_order or design.apart):
        why = "of independent runs, which are no pairs for its posterior; test('equivalence_test') needs none, and"
        if design.time_order:
            why = "in time order, where its posterior would take the splits for exchangeable;"
        raise ValueError(f"margin must be None {why} null= tests a margin; got {rope!r}")
    by_metric = rope if isinstance(rope, Mapping) else dict.fromkeys(metrics, rope)
    called = "margin[{!r}]" if by_metric is rope else "margin"
    found = dict[str, float]()
    for name, given in by_metric.items():
        check_choice(name, "margin", metrics)
        width = check_number(given, called.format(name), low=0, closed="left")
        found[name] = check_width(width, called.format(name), scores, name, whole=True)
    return found


def typical_times(scores: FloatArray, n_folds: int) -> FloatArray:
    """Each score replaced by the median of its fold over the repeats; what is not finite stays so."""
    folds = scores.reshape(-1, n_folds)
    medians = np.array([_median(fold) for fold in folds.T])
    return np.where(np.isfinite(scores), np.tile(medians, len(folds)), scores)


def _median(values: FloatArray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if finite.size else 0.0


def scored_rows(found: NDArray[np.bool_]) -> NDArray[np.intp]:
    """The models that have all scores of a data set, so that one without any blanks no other; all where few have.

    `found` has shape (n_datasets, n_estimators, n_metrics).
    """
    scored = found.all(axis=2).any(axis=0)
    return np.flatnonzero(scored if scored.sum() > 1 else np.ones_like(scored))


def complete_datasets(
    scores: StudyScores, found: Any, metrics: Sequence[str], estimators: Sequence[str], part: str = ""
) -> tuple[NDArray[np.intp], NDArray[np.bool_], Warnings]:
    """The models that a procedure compares, the data sets that have all their scores, and who lacks which where.

    `found` has shape (n_datasets, n_estimators, n_metrics).

    Raises
    ------
    MissingEvidenceError
        If no data set has all of them.
    """
    rows = scored_rows(found)
    left_out = [name for i, name in enumerate(estimators) if i not in rows]
    found, estimators = found[:, rows], [estimators[i] for i in rows]
    complete = np.asarray(found.all(axis=(1, 2)))
    if not complete.any():
        named = briefly([*map(repr, estimators)])
        raise MissingEvidenceError(f"no data set has scores of {briefly(metrics)} of {named}")
    lacks = f"has no score of {briefly(metrics)} and is left out: run it there."
    told = (Code.MISSING_SCORES(f"{name!r} {lacks}", (*metrics, name)) for name in left_out)
    return rows, complete, (*scores.warnings, *told, *lacking(scores, found, metrics, estimators, part))


def lacking(
    scores: StudyScores, found: Any, metrics: Sequence[str], estimators: Sequence[str], part: str = ""
) -> list[CodedWarning]:
    """Which model lacks which score, and where; `found` as in `complete_datasets`."""
    warnings = []
    for j, metric in enumerate(metrics):
        for i, name in enumerate(estimators):
            without = [scores.datasets[d] for d in np.flatnonzero(~found[:, i, j])]
            if without:
                which = f"{'such as ' if len(without) > 3 else ''}{some_names(without[:3], 3)}"
                where = f"{len(without)} of {len(scores.datasets)} data sets ({which})"
                instead = "are adjusted for these" if has_gaps(scores, metric) and not part else "leave these out"
                lacks = f"{name!r} lacks {metric}{part} on {where}. Its comparisons {instead}: run it there."
                warnings.append(Code.MISSING_SCORES(lacks, (metric, name)))
    return warnings


def complete_table(
    scores: StudyScores, metric: str, *, gaps: bool = False, about: Sequence[str] = ()
) -> tuple[FloatArray, tuple[str, ...], Warnings]:
    """Mean scores of all models that have any, on the data sets that have all of them unless `gaps` are allowed.

    The warnings are `about` some of the models.
    """
    about = about or scores.estimators
    table, found = scores.means(metric), scores.split_warnings(metric, about)
    known = np.isfinite(table)
    if gaps:
        scored = known.any(axis=0)
        if not known.any():
            raise MissingEvidenceError(f"no data set has scores of {metric}")
        told = lacking(scores, known[:, [scores.estimators.index(name) for name in about], None], [metric], about)
        names = tuple(scores.estimators[i] for i in np.flatnonzero(scored))
        return table[:, scored], names, (*scores.warnings, *found, *told)
    rows, complete, warnings = complete_datasets(scores, known[:, :, None], [metric], scores.estimators)
    return table[complete][:, rows], tuple(scores.estimators[i] for i in rows), (*warnings, *found)


@once
def has_gaps(scores: StudyScores, metric: str) -> bool:
    """Whether models have scores of a metric on different data sets, of those on which two or more have one."""
    known = np.isfinite(scores.means(metric))
    shared = known[known.sum(axis=1) > 1]
    return not shared[:, shared.any(axis=0)].all()


@once
def dataset_means(scores: StudyScores, metric: str) -> FloatArray:
    """The mean of each model over the data sets, in the metric's own units; nan where none is known.

    Over those that have all models that have any score. With gaps adjusted means, as if all models had been run on all
    data sets: the difference of two is that of `adjusted_means_test`. Where data sets do not connect all models there
    is no order of them, and none has a mean.
    """
    table = scores.means(metric)
    known = np.isfinite(table)
    if not has_gaps(scores, metric):
        scored = known.any(axis=0)
        complete = known[:, scored].all(axis=1) & scored.any()
        means = np.full(table.shape[1], np.nan)
        if complete.any():
            means[scored] = table[complete][:, scored].mean(axis=0)
        return means
    fit = adjusted_means(table)
    ranked = known[known.sum(axis=1) > 1].any(axis=0)
    if len(set(fit.sets[ranked].tolist())) > 1:
        return np.full(table.shape[1], np.nan)
    of_datasets = np.nanmean(np.where(ranked, table - fit.effects, np.nan)[known[:, ranked].any(axis=1)], axis=1)
    return np.where(ranked, of_datasets.mean() + fit.effects, np.nan)


_MOST_NAMED = 3
_ON_SPLITS = "on several splits 'corrected_t_test' tests any score, and from_outcomes takes a value per case"
_OF_PROBABILITIES, _NO_SHARES = ("neg_log_loss", "neg_brier_score"), "not all probabilities were kept"
LOST = "a file does not keep its function, and its pairs count all the same; compare before save()"
_UNKNOWN_LOSSES = "in time order a test needs the losses of single samples, which are not known here"


def by_case(scores: EvaluationScores, metric: str) -> bool:
    """Whether every case has a value of its own on a metric; independent runs and judgments are no cases of all."""
    if scores.design.apart or scores.design.kind != "samples":
        return not scores.design.apart
    settled = measures.has_sample_values(scores, metric) and scores.sample_weight is None
    return settled and why_untested(scores, metric) != _NO_SHARES


@once
def why_untested(scores: EvaluationScores, metric: str, names: tuple[str, ...] = ()) -> str:
    """What is lacking for a test of a metric on one test set, or in time order, of some models where it has none."""
    if scores.kept_predictions is None:
        return _UNKNOWN_LOSSES if scores.design.time_order else "no predictions were kept"
    if scores.design.time_order and not measures.is_valued(scores, metric):
        return "in time order a test needs a value of each sample, which it has not"
    if scores.design.time_order:
        try:
            losses_in_time(scores, (metric,))
            for name in filter(partial(has_predictions, scores), names):
                values_of(scores, name, metric)
        except MissingEvidenceError as error:
            return str(error)
        return "its losses cannot be compared"
    if measures.named(scores, metric) in _OF_PROBABILITIES:
        kept = [scores.predictions(name)[0] for name in scores.estimators]
        if any(part.y_pred is not None and part.predict_proba is None for part in kept):
            return _NO_SHARES
    read = measures.function_of(scores, metric)
    if scores.sample_weight is not None:
        return "no test of it takes the weights of samples"
    if isinstance(read, MetricFunction) and read.response != LABEL:
        return "the scores that it reads were not kept"
    if measures.has_records(scores):
        return f"y holds neither labels nor numbers, with which predictions could be compared; {_ON_SPLITS}"
    if measures.is_valued(scores, metric):
        return "this test takes only means of a value per sample"
    unknown = "it is neither a name of scikit-learn's nor a scorer of make_scorer, which no file keeps"
    return LOST if metric in scores.lost else f"{unknown}; {_ON_SPLITS}"


def what_fits(scores: EvaluationScores) -> str:
    """What tests the metrics of a result, for refusals of what does not fit it: a clause."""
    tests: dict[str, list[str]] = {}
    for metric in scores.metrics:
        what = measures.measure(scores, metric)
        if scores.design.kind == "folds" or what != "other":
            tests.setdefault(default_for(scores.design, what).procedure, []).append(metric)
    found = [
        f"{test!r} tests {', '.join(metrics[:_MOST_NAMED])}{', ...' if len(metrics) > _MOST_NAMED else ''}"
        for test, metrics in tests.items()
    ]
    return f"; {', '.join(found) or _ON_SPLITS}"


def case_metrics(scores: Scores, metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some metrics on which every case has a value of its own; data sets have one on all."""
    return metrics if isinstance(scores, StudyScores) else tuple(filter(partial(by_case, scores), metrics))


def choose_case_metrics(scores: Any, metrics: str | Sequence[str] | None, *, means: bool = False) -> tuple[str, ...]:
    """The metrics asked for, or by default all, on which every case has a value of its own.

    With `means` those too that are smooth functions of means: their mean can be spoken of, but no single case.

    Raises
    ------
    MissingEvidenceError
        If one of them has no value per sample of the one test set, or the runs of two models are no cases.
    """
    check_cases(scores)
    if not isinstance(scores, EvaluationScores) or scores.design.kind != "samples":
        return choose_metrics(metrics, scores.metrics)
    able = [one for one in scores.metrics if by_case(scores, one) or (means and measures.is_mean(scores, one))]
    names = tuple(able) if metrics is None else choose_metrics(metrics, scores.metrics)
    if lacking := [metric for metric in (names or scores.metrics) if metric not in able]:
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
    chosen = next((name for name in names if name in measures.measured(scores)), names[0])
    measures.check_measured(scores, chosen)
    return chosen


def check_cases(scores: Any) -> None:
    """MissingEvidenceError of independent runs and of judgments, of which two models have no case in common."""
    if isinstance(scores, EvaluationScores) and scores.design.apart:
        runs, more = scores.design.kind == "runs", ", and from_runs(paired=...) takes runs of one name for pairs"
        raise MissingEvidenceError(
            f"this needs cases that two models share, and {'independent runs' if runs else scores.design.kind} are "
            f"none: compare() and the plot 'differences' show the differences of the {'means' if runs else 'estimates'}"
            f"{more * runs}"
        )


def superfluous(scores: Any) -> tuple[str, ...]:
    """Warnings of procedures that are said of folds, or that the design says already."""
    if not isinstance(scores, EvaluationScores):
        return (Code.INDEPENDENT_RUNS.name,)  # only procedures that take runs say it
    if scores.design.kind == "folds":
        return ()
    return (Code.INDEPENDENCE.name, *([Code.PAIRING_IGNORED.name] if scores.design.apart else []))


def check_settled(scores: EvaluationScores, metric: str, what: str) -> None:
    """MissingEvidenceError where the value of a sample changes as others come, of which something takes no account."""
    if scores.design.kind != "samples" or not measures.is_valued(scores, metric):
        return
    changes = "the value of a sample changes as others come"
    if not measures.has_sample_values(scores, metric):
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


def case_names(scores: Scores) -> Sequence[str]:
    """What the cases are called: data sets, folds counted from 0, samples or items, by default by their positions."""
    if isinstance(scores, StudyScores):
        return scores.datasets
    ids, n_folds = scores.sample_ids, scores.design.n_folds
    if scores.design.kind == "folds":
        return [f"repeat {i // n_folds}, fold {i % n_folds}" for i in range(scores.design.n_splits)]
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
        if not measures.is_valued(scores, metric):
            tested = not in_time and measures.measure(scores, metric) in ("labels", "scores")
            tests = "'paired_metric_test' and 'paired_bootstrap' need none and test it; " if tested else ""
            valued = measures.valued_metrics(scores.task)
            fitting = [name for name in valued if scores.task in METRICS[name].tasks] or valued
            raise MissingEvidenceError(
                f"metric {metric!r} has no value per sample; {tests}these have one: {', '.join(map(repr, fitting))}"
            )
    if in_time and (scores.kept_splits is None or scores.kept_predictions is None):
        raise MissingEvidenceError(_UNKNOWN_LOSSES)
    if in_time and scores.design.n_folds == 1:
        raise MissingEvidenceError("the test sets overlap in time, so that a sample has several losses")
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
    return EvaluationScores(
        estimators=scores.estimators,
        metrics=metrics,
        greater_is_better=(True,) * shape[1],
        design=unsplit(n, "items", n_samples=n, period=scores.design.period, n_clusters=scores.design.n_clusters),
        scores=values,
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
    pooled = pool(scores, (name,))
    parts = pooled.parts[name]
    if measures.has_sample_values(scores, metric) or len(parts) == 1:
        return measures.value_of_samples(scores, pooled, name, metric)
    alone = (replace(pooled, y_true=part.y_true, parts={name: [part]}) for part in parts)
    values = np.concatenate([measures.value_of_samples(scores, one, name, metric) for one in alone])
    if not np.isfinite(values).all():
        raise MissingEvidenceError(f"{metric} of {name!r} is not defined on some test set")
    return values


def _held_out(scores: EvaluationScores, splits: Iterable[int]) -> NDArray[np.intp]:
    """The samples of some test sets, one after the other."""
    assert scores.kept_splits is not None
    return np.concatenate([scores.kept_splits.held_out(i) for i in splits])


def case_clusters(scores: EvaluationScores) -> NDArray[np.intp] | None:
    """The cluster of each case, None where each stands alone."""
    if scores.clusters is None or scores.kept_splits is None:
        return scores.clusters
    return scores.clusters[scores.kept_splits.held_out(0)]


# Models of equal scores.


def equal_scores(scores: Scores) -> str:
    """That two models have the same scores, in words."""
    return f"the scores are equal on all {'data sets' if isinstance(scores, StudyScores) else scores.design.cases}"


def taken_for_one(scores: Scores, metric: str) -> CodedWarning:
    """That two models of equal scores count as equivalent, while nobody knows what they predicted."""
    said = f"{equal_scores(scores)}, and no predictions are known: models of equal scores are taken for one."
    return Code.ASSUMED(said, (metric,))


def known_alike(scores: Scores, metric: str, a: str, b: str) -> bool | None:
    """Whether two models predict the same in all that the metric may read; None where that was not kept."""
    found = list[bool | None]()
    for part in scores.results.values() if isinstance(scores, StudyScores) else (scores,):
        kept = {} if part.kept_predictions is None else part.kept_predictions.folds
        found.append(predict_alike(kept.get(a, ()), kept.get(b, ()), labels=measures.reads_labels(part, metric)))
    return False if False in found else True if True in found else None


def changes(scores: EvaluationScores, metric: str, model: str, other: str = "") -> tuple[tuple[float, ...], Warnings]:
    """By how much another value of each sample, item or cluster changes the mean of a model over all of them, falling.

    With another model other values of both change the difference of their means. A Brier score has a largest loss. Of
    others it is taken to be the largest one seen, which is told.
    """
    of_items = scores.design.kind == "items"  # whose values are all that is known
    each = scores if of_items else _of_samples(scores, (metric,))
    values, clusters = each.oriented(model, metric), case_clusters(scores)
    others = each.oriented(other, metric) if other else values
    name, at_0, rise = ("", 0.0, 1.0) if of_items else measures.unit_of(scores, metric, model)
    low, high, row = min(values.min(), others.min()), max(values.max(), others.max()), METRICS.get(name)
    told = f"of equal models the interval takes no value of {metric} for worse than the worst one here: collect more."
    assumed: Warnings = (Code.ASSUMED(told, (metric,)),)
    if row is not None and row.of_truth is squared_distance:
        worst = -1.0 if scores.kept[0].classes.size == 2 else -2.0
        low, high, assumed = at_0 + rise * worst, at_0, ()
    elif row is not None and row.is_mean:
        high = max(high, at_0 + rise * row.high)
    sizes: FloatArray = np.maximum(values - low, high - values) / len(values)
    if other:
        sizes = np.maximum(values - low + high - others, high - values + others - low) / len(values)
    if clusters is not None:
        sizes = np.bincount(np.unique(clusters, return_inverse=True)[1], weights=sizes).astype(np.float64)
    return tuple(np.sort(sizes)[::-1].tolist()) if sizes.any() else (), assumed


def of_one_test_set(record: Any, scores: Scores, about: tuple[str, str, str], given: Any, positive: Any) -> Any:
    """The record of two models that differ by the same on all of one test set, or of all items: on others they may not.

    How far is not known where equal models predict otherwise, or have no loss at all: then there is no interval. Nor is
    it where values that differ have no bound. `about` are the metric and the models, the rest what their test got.
    """
    kind, (metric, a, b) = scores.design.kind if isinstance(scores, EvaluationScores) else "", about
    if not isinstance(scores, EvaluationScores) or kind not in ("samples", "items") or metric not in scores.metrics:
        return record
    if record.standard_error != 0 or (record.estimate and (scores.clusters is not None or record.n < FEWEST_SKEWED)):
        return record
    if record.estimate:  # each of independent cases is evidence
        of_areas = isinstance(record, DeLongResult)
        sizes, assumed = (changes_of_areas(given, positive), ()) if of_areas else changes(scores, metric, a, b)
        told = tuple(one for one in record.warnings if one.code != Code.ZERO_VARIANCE.name)
        return record if assumed else replace(record.with_changes(sizes), warnings=told)
    if not isinstance(record, TTestResult):
        return record
    sizes, assumed = changes(scores, metric, a)
    if sizes and (kind == "items" or known_alike(scores, metric, a, b)):
        return replace(record.with_changes(sizes), warnings=(*record.warnings, *assumed))
    why = "the values are equal on all samples: how far others are apart is not known."
    return blank(record, why) if record.null else replace(record, standard_error=np.nan)
