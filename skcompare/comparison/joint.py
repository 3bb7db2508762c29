"""Evidence for the procedures on several metrics at once: the scores of two estimators, case by case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skcompare._core.numbers import percent_of
from skcompare._core.validation import Checked, FloatArray, check_choice, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.spread import still
from skcompare.inference.dominance.statements import MAX_METRICS
from skcompare.inference.outcomes.samples import read_clusters
from skcompare.scores.evaluation import EvaluationScores, is_judged

# Half width of the region of practical equivalence, for all metrics or by metric.
Rope = float | Mapping[str, float] | None
TIMES = ("fit_time", "predict_time")
# Times of one and the same model differ by up to about this fraction from run to run.
TIME_ROPE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class JointScores:
    """Scores of two estimators on the splits where both have all metrics, turned so that greater is better.

    Attributes
    ----------
    a, b : ndarray of shape (n_cases, n_metrics)
        Scores; of a time its median over the repeats.
    rope : tuple of float
        Largest difference that is a tie, in score units.
    n_distinct : int
        How many of the cases can be different: the folds of one repeat, where the repeats share their times, and one
        where no difference varies over the splits.
    complete : ndarray of bool of shape (n_splits,) or (n_datasets,)
        Which splits or data sets the cases are.
    warnings : tuple of str
        What was left out, and what was done to the times.
    """

    a: FloatArray
    b: FloatArray
    rope: tuple[float, ...]
    n_distinct: int
    complete: NDArray[np.bool_]
    warnings: tuple[CodedWarning, ...]

    def checked(self) -> tuple[Checked, Checked]:
        """The scores of both models, which are finite."""
        return Checked(self.a), Checked(self.b)


def by_cluster(scores: EvaluationScores) -> tuple[EvaluationScores, tuple[CodedWarning, ...]]:
    """Cases in clusters as one case per cluster, and what is to be said of these.

    The mean of the new cases is that of the old ones, and its variance over them that which allows for clusters: each
    is the mean plus the sum of a cluster's deviations from it, times the clusters over the cases.
    """
    if scores.clusters is None:
        return scores, ()
    units, n = read_clusters(scores.clusters, scores.design.n_splits), scores.design.n_splits
    means = scores.scores.mean(axis=1)
    deviations = scores.scores - means[:, None]
    sums = np.stack([units.sums(of_model) for of_model in deviations])
    nothing = np.full((len(scores.estimators), len(units)), np.nan)
    size: dict[str, Any] = dict.fromkeys(("n_samples", "n_repeats", "n_splits"), len(units))
    return replace(
        scores,
        scores=means[:, None] + sums * (len(units) / n),
        design=replace(scores.design, **size, n_clusters=None, class_counts=()),
        clusters=None,
        fit_times=nothing,
        score_times=nothing.copy(),
        sample_ids=None,
        sample_columns={},
    ), units.warnings()


def joint_scores(evaluation: EvaluationScores, metrics: Sequence[str], a: str, b: str, rope: Rope) -> JointScores:
    """The scores that a dominance statement is about, with times made comparable.

    One fit is timed once per split, and its time varies with whatever else the machine does. So the time of a fold
    is its median over the repeats, and times within `TIME_ROPE` of the larger typical time are ties, unless `rope`
    names the metric. The repeats then share their times: there are no more different cases than folds. Splits on which
    no difference varies are one case.

    Raises
    ------
    ValueError
        If `rope` is negative or names a metric that is not among `metrics`, or no split has all scores.
    """
    found = _joint_scores(evaluation, metrics, a, b, rope)
    if evaluation.design.kind != "folds" or not all_still(found.a, found.b):
        return found
    return replace(found, n_distinct=1)


def all_still(a: FloatArray, b: FloatArray) -> bool:
    """Whether the differences of two models do not vary over the cases on any metric; shapes (n_cases, n_metrics)."""
    return all(still(x, y, x - y) for x, y in zip(a.T, b.T, strict=True))


def _joint_scores(evaluation: EvaluationScores, metrics: Sequence[str], a: str, b: str, rope: Rope) -> JointScores:
    given = rope_widths(rope, metrics)
    n_folds, times = evaluation.design.n_folds, times_of(evaluation)
    if evaluation.has_all((a, b), metrics) and not set(times) & set(metrics):
        return _all_scores(evaluation, metrics, a, b, tuple(given.get(metric, 0.0) for metric in metrics))
    if not isinstance(rope, Mapping):  # one width is not meant for seconds too
        given = {name: width for name, width in given.items() if name not in times}
    columns: list[tuple[FloatArray, FloatArray]] = []
    widths: list[float] = []
    warnings: list[CodedWarning] = []
    for metric in metrics:
        pair = evaluation.oriented(a, metric), evaluation.oriented(b, metric)
        width = given.get(metric, 0.0)
        if metric in times:
            pair = typical_times(pair[0], n_folds), typical_times(pair[1], n_folds)
            if metric not in given:
                width = TIME_ROPE * max(map(typical_size, pair))
            warnings.append(_time_note(metric, evaluation.design.n_repeats, width, chosen=metric not in given))
        columns.append(pair)
        widths.append(width)
    scores_a, scores_b = (np.stack(side, axis=1) for side in zip(*columns, strict=True))
    complete = (np.isfinite(scores_a) & np.isfinite(scores_b)).all(axis=1)
    if not complete.any():
        raise ValueError(f"metrics must have a split on which {a!r} and {b!r} both have all scores; got none")
    n_cases = int(complete.sum())
    return JointScores(
        a=scores_a[complete],
        b=scores_b[complete],
        rope=tuple(widths),
        n_distinct=min(n_cases, n_folds) if set(metrics) & set(times) else n_cases,
        complete=complete,
        warnings=tuple(warnings),
    )


def _all_scores(
    evaluation: EvaluationScores, metrics: Sequence[str], a: str, b: str, widths: tuple[float, ...]
) -> JointScores:
    """The scores of two models that lack none, without a copy where all metrics are asked for."""
    every = tuple(metrics) == evaluation.metrics
    columns = slice(None) if every else [evaluation.metric_index(metric) for metric in metrics]
    side_a, side_b = (evaluation.oriented_scores[evaluation.estimator_index(name)][:, columns] for name in (a, b))
    n = len(side_a)
    return JointScores(
        a=side_a, b=side_b, rope=widths, n_distinct=n, complete=np.broadcast_to(np.True_, n), warnings=()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontScores:
    """Scores of several estimators on the splits where all of them have all metrics, greater is better.

    Attributes
    ----------
    names : tuple of str
        The estimators that have scores of all metrics.
    values : ndarray of shape (n_estimators, n_splits, n_metrics)
        Scores; of times the negative logarithm of their median over the repeats.
    means : ndarray of shape (n_estimators, n_metrics)
        Mean scores in the metric's own units.
    rope : tuple of float
        Largest difference that is a tie, in the units of `values`.
    warnings : tuple of str
        Who was left out, and what was done to the times.
    """

    names: tuple[str, ...]
    values: FloatArray
    means: FloatArray
    rope: tuple[float, ...]
    warnings: tuple[CodedWarning, ...]


def front_scores(evaluation: EvaluationScores, metrics: Sequence[str], rope: Rope) -> FrontScores:
    """The scores that a Pareto front is about; estimators that lack a metric everywhere are left out.

    Times of many models differ by orders of magnitude, so a tie is a ratio of at most ``1 + TIME_ROPE``, unless `rope`
    names the metric.
    """
    given = rope_widths(rope, metrics)
    by_ratio = {
        metric
        for metric in times_of(evaluation)
        if metric in metrics and not (isinstance(rope, Mapping) and metric in rope)
    }
    widths = [float(np.log1p(TIME_ROPE)) if metric in by_ratio else given.get(metric, 0.0) for metric in metrics]
    columns = [
        [_front_column(evaluation, name, metric, by_ratio=metric in by_ratio) for metric in metrics]
        for name in evaluation.estimators
    ]
    values = np.array(columns).transpose(0, 2, 1)
    there = np.isfinite(values).any(axis=1).all(axis=1)
    names = tuple(name for name, found in zip(evaluation.estimators, there, strict=True) if found)
    warnings = [
        Code.MISSING_SCORES(f"{name!r} has no score of some of these metrics and is left out.", (name,))
        for name, found in zip(evaluation.estimators, there, strict=True)
        if not found
    ]
    complete = np.isfinite(values[there]).all(axis=(0, 2))
    if not names or not complete.any():
        raise ValueError("metrics must have a split on which the estimators have all scores; got none")
    raw = np.array([[evaluation.score(name, metric)[complete].mean() for metric in metrics] for name in names])
    warnings += [
        Code.TIMES(f"{metric} is the median over the repeats, and ratios up to {1 + TIME_ROPE:g} are ties.", (metric,))
        for metric in metrics
        if metric in by_ratio
    ]
    return FrontScores(
        names=names, values=values[there][:, complete], means=raw, rope=tuple(widths), warnings=tuple(warnings)
    )


def _front_column(evaluation: EvaluationScores, estimator: str, metric: str, *, by_ratio: bool) -> FloatArray:
    scores = evaluation.oriented(estimator, metric)
    if metric not in times_of(evaluation):
        return scores
    typical = typical_times(scores, evaluation.design.n_folds)
    if not by_ratio:
        return typical
    return -np.log(np.maximum(-typical, np.finfo(np.float64).tiny))


def times_of(evaluation: EvaluationScores) -> tuple[str, ...]:
    """The metrics that are times of fits; those of items are outcomes like others, and some were given."""
    measured = (name for name in TIMES if not is_judged(evaluation.provenance, name))
    return tuple(measured) if evaluation.design.kind == "folds" else ()


def check_metric_count(metrics: tuple[str, ...], most: int = MAX_METRICS) -> tuple[str, ...]:
    """The metrics of a statement, or ValueError where there are too many."""
    if len(metrics) > most:
        raise ValueError(f"metrics must be at most {most}; got {len(metrics)}: choose some with metrics=[...]")
    return metrics


def rope_widths(rope: Rope, metrics: Sequence[str], scores: Any = None) -> dict[str, float]:
    """Half width of the region of practical equivalence by metric, of those that have one.

    With `scores` a ValueError where these have no posterior of pairs.
    """
    if rope is None:
        return {}
    design = scores.design if isinstance(scores, EvaluationScores) else None
    if design is not None and (design.time_order or design.apart):
        why = "of independent runs, which are no pairs for its posterior; test('equivalence_test') needs none, and"
        if design.time_order:
            why = "in time order, where its posterior would take the splits for exchangeable;"
        raise ValueError(f"rope must be None {why} null= tests a margin; got {rope!r}")
    if isinstance(rope, Mapping):
        for name in rope:
            check_choice(name, "rope", metrics)
        return {name: _checked_width(width, f"rope[{name!r}]") for name, width in rope.items()}
    return dict.fromkeys(metrics, _checked_width(rope, "rope"))


def _checked_width(width: float, name: str) -> float:
    return check_number(width, name, low=0, high=np.inf, closed="left")


def typical_times(scores: FloatArray, n_folds: int) -> FloatArray:
    """Each score replaced by the median of its fold over the repeats; what is not finite stays so."""
    folds = scores.reshape(-1, n_folds)
    medians = np.array([_median(fold) for fold in folds.T])
    return np.where(np.isfinite(scores), np.tile(medians, len(folds)), scores)


def typical_size(values: FloatArray) -> float:
    """Median of the absolute values that are finite, 0 where none is."""
    return _median(np.abs(values))


def _median(values: FloatArray) -> float:
    finite = values[np.isfinite(values)]
    return float(np.median(finite)) if finite.size else 0.0


def _time_note(metric: str, n_repeats: int, width: float, *, chosen: bool) -> CodedWarning:
    typical = f"is the median over {n_repeats} repeats, and " if n_repeats > 1 else ""
    share = f", {percent_of(TIME_ROPE)} of the larger typical time," if chosen else ""
    return Code.TIMES(f"{metric} {typical}differences up to {width:.2g} seconds{share} are ties.", (metric,))
