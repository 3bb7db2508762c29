"""The means of the models on each metric, over the splits or the data sets that they share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.metrics import METRICS
from skcompare._core.names import choose_metrics
from skcompare._core.validation import FloatArray, check_choice, check_number
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.cases import cases, choose_case_metrics
from skcompare.comparison.joint import Rope, by_cluster, front_scores, rope_widths
from skcompare.comparison.once import once
from skcompare.comparison.pairs import Scores
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.stopping import stopped
from skcompare.comparison.study_evidence import complete_datasets, scored_rows
from skcompare.comparison.table import mean_score
from skcompare.inference import ParetoFront, pareto_front
from skcompare.inference._overlap import Correction
from skcompare.inference._records import ROUNDING, sample_std
from skcompare.inference.datasets.friedman import ranks_with_gaps
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricMeans:
    """The models on one metric, in its own units.

    Attributes
    ----------
    name : str
        The metric.
    greater_is_better : bool
        Its direction.
    means : tuple of float
        One per model: of an evaluation over the splits, of a study over the data sets.
    merits : tuple of float
        The means of those that share their splits, turned so that greater is better; of a study the mean ranks,
        negative. nan where there is none.
    n_all, n_common : int
        Splits or data sets, and those on which all models have a score, but for models that have none at all.
    deviations : tuple of float
        Standard deviations over the splits (``ddof=1``); of an evaluation.
    mean_ranks : tuple of float
        Over the data sets, 1 being the best; of a study. With gaps those of `skillings_mack_test`, over the data sets
        that have the model.
    span : float
        The largest difference that two scores can have; inf where the metric is not known to be bounded.
    """

    name: str
    greater_is_better: bool
    means: tuple[float, ...]
    merits: tuple[float, ...]
    n_all: int
    n_common: int
    deviations: tuple[float, ...] = ()
    mean_ranks: tuple[float, ...] = ()
    span: float = np.inf


# What people call scikit-learn's losses, which are shown as they are: positive, less is better.
LOSSES = {
    "neg_root_mean_squared_error": "RMSE",
    "neg_mean_squared_error": "MSE",
    "neg_mean_absolute_error": "MAE",
    "neg_root_mean_squared_log_error": "RMSLE",
    "neg_mean_squared_log_error": "MSLE",
    "neg_mean_absolute_percentage_error": "MAPE",
    "neg_median_absolute_error": "median absolute error",
    "neg_max_error": "max error",
    "neg_log_loss": "log loss",
    "neg_brier_score": "Brier score",
    "neg_mean_poisson_deviance": "Poisson deviance",
    "neg_mean_gamma_deviance": "gamma deviance",
}
Scored = TypeVar("Scored", float, FloatArray)


def label(metric: str) -> str:
    """What a metric is called; a loss of scikit-learn's by its own name, without the sign."""
    return LOSSES.get(metric, metric)


def labels_of(metrics: Sequence[str]) -> tuple[str, ...]:
    """What metrics are called, each as often as it is given: by its own name where two have the same label."""
    known = [*map(label, dict.fromkeys(metrics))]
    return tuple(name if known.count(label(name)) > 1 else label(name) for name in metrics)


def shown_score(metric: str, score: Scored) -> Scored:
    """A score, or scores, as they are shown: those of a loss of scikit-learn's are positive."""
    return -score if metric in LOSSES else score


def less_is_better(metric: str, greater_is_better: bool) -> bool:
    """Whether less is better in what is shown."""
    return metric in LOSSES or not greater_is_better


def is_loss(means: MetricMeans) -> bool:
    """Whether less is better in what is shown of some means."""
    return less_is_better(means.name, means.greater_is_better)


def bounds(metric: str, scores: FloatArray) -> tuple[float, float]:
    """What a score can be; any number of unknown names, and where scores are out of the range."""
    row = METRICS.get(metric)
    known = scores[np.isfinite(scores)]
    if row is None or (known.size and (known.min() < row.low - ROUNDING or known.max() > row.high + ROUNDING)):
        return -np.inf, np.inf
    return row.low, row.high


def span(metric: str, scores: FloatArray) -> float:
    """The largest difference that two scores can have; inf where there is none."""
    low, high = bounds(metric, scores)
    return high - low


@once
def metric_means(scores: Scores) -> tuple[MetricMeans, ...]:
    """The means of all models, metric by metric."""
    if isinstance(scores, StudyScores):
        return tuple(
            _over_datasets(name, better, scores.means(name))
            for name, better in zip(scores.metrics, scores.greater_is_better, strict=True)
        )
    together = _in_to_the_end(scores)
    return tuple(
        _over_splits(name, better, scores.scores[:, :, m], together, apart=scores.design.apart)
        for m, (name, better) in enumerate(zip(scores.metrics, scores.greater_is_better, strict=True))
    )


def averaged(scores: EvaluationScores, metric: str) -> list[FloatArray]:
    """The scores that the mean of each model on a metric is over."""
    values = scores.scores[:, :, scores.metric_index(metric)]
    return _averaged(values, _in_to_the_end(scores), apart=scores.design.apart)


def _in_to_the_end(result: EvaluationScores) -> NDArray[np.bool_]:
    stopping = stopped(result)
    return np.array([stopping is None or stopping.in_to_the_end(name) for name in result.estimators])


def _averaged(scores: FloatArray, together: NDArray[np.bool_], *, apart: bool) -> list[FloatArray]:
    """On the splits on which all estimators that belong together have a score, or else any.

    Those that left an evaluation before its end do not belong to them, and have theirs over their own splits; so do
    the independent runs of models. One without any score takes no split from the others.
    """
    found = np.isfinite(scores)
    if apart:
        return [row[own] for row, own in zip(scores, found, strict=True)]
    together = together & found.any(axis=1)  # a model without any score takes nothing from the others
    common = found[together].all(axis=0)
    return [
        row if own.all() and (common.all() or not belongs) else row[common] if belongs and common.any() else row[own]
        for row, own, belongs in zip(scores, found, together, strict=True)
    ]


def _over_splits(
    name: str, better: bool, scores: FloatArray, together: NDArray[np.bool_], *, apart: bool
) -> MetricMeans:
    """Over the splits of `averaged`."""
    found, used = np.isfinite(scores), _averaged(scores, together, apart=apart)
    means = tuple(map(mean_score, used))
    return MetricMeans(
        name=name,
        greater_is_better=better,
        means=means,
        merits=tuple(
            (mean if better else -mean) if belongs else np.nan for mean, belongs in zip(means, together, strict=True)
        ),
        deviations=tuple(map(_deviation, used)),
        n_all=found.shape[1],
        n_common=found.shape[1] if apart else _n_common(found[together]),
        span=span(name, scores),
    )


def _n_common(found: NDArray[np.bool_]) -> int:
    """On how many splits all models have a score that have any; 0 where none has."""
    some = found.any(axis=1)
    return int(found[some].all(axis=0).sum()) if some.any() else 0


def _deviation(scores: FloatArray) -> float:
    """Standard deviation (``ddof=1``), nan below two scores, 0 where they differ by rounding."""
    largest = max(float(scores.max()), -float(scores.min())) if scores.size else 0.0
    return sample_std(scores, ROUNDING * largest)


def _over_datasets(name: str, better: bool, table: FloatArray) -> MetricMeans:
    """Mean scores over the data sets on which all have a score that have any, and mean ranks over all data sets."""
    found = np.isfinite(table)
    scored = found.any(axis=0)
    complete = found[:, scored].all(axis=1) & scored.any()
    means = np.full(table.shape[1], np.nan)
    if complete.any():
        means[scored] = table[complete][:, scored].mean(axis=0)
    _, ranks = ranks_with_gaps(np.where(found, table if better else -table, np.nan))
    return MetricMeans(
        name=name,
        greater_is_better=better,
        means=tuple(means.tolist()),
        merits=tuple((-ranks).tolist()),
        mean_ranks=tuple(ranks.tolist()),
        n_all=len(table),
        n_common=int(complete.sum()),
        span=span(name, table),
    )


# Which model wins a weighted sum of its means on two or three metrics, for all weights: no test, and no choice.


RANGE = "range"
Scale = str | Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class WinnersByWeights:
    """The weights with which each model wins.

    Attributes
    ----------
    names : tuple of str
        The models that have scores of every metric.
    left_out : tuple of str
        The others.
    units : ndarray of shape (n_metrics,)
        The difference on each metric that counts as 1.
    share : ndarray of shape (n_models,)
        The part of all weights with which each wins, in [0, 1].
    first : ndarray of int of shape (n_models,)
        The first model with the same means; its own place where there is none.
    weights : ndarray of shape (n_vertices, n_metrics)
        The corners of the regions of weights, each row summing to 1.
    winner : ndarray of int of shape (n_vertices,)
        The model whose region each is a corner of.
    """

    names: tuple[str, ...]
    left_out: tuple[str, ...]
    units: FloatArray
    share: FloatArray
    first: NDArray[np.intp]
    weights: FloatArray
    winner: NDArray[np.intp]


def winners_by_weights(scores: Scores, metrics: Sequence[str], scale: Scale) -> WinnersByWeights:
    """The winner of the weighted sum of the means, turned so that more is better, for every weight of the metrics.

    Raises
    ------
    ValueError
        If the scale does not fit the metrics, or fewer than two models have scores of every metric.
    """
    found = {one.name: one for one in metric_means(scores)}
    merits = np.array([_oriented(found[name]) for name in metrics]).T
    known = np.isfinite(merits).all(axis=1)
    if known.sum() < 2:
        raise ValueError(f"two or more models must have scores of {', '.join(map(repr, metrics))}")
    merits = merits[known]
    units = _units(scale, metrics, merits)
    with np.errstate(over="ignore"):
        values = (merits - merits.max(axis=0)) / units  # 0 is the best, so that large means lose no digits
    if not np.isfinite(values).all():
        raise ValueError(f"scale must not be so small that differences of {1e300:g} of it and more occur; got {scale}")
    noise = ROUNDING * max(1.0, float(np.abs(values).max()))
    first = np.array([(np.abs(values - one).max(axis=1) <= noise).argmax() for one in values])
    on_front = [i for i in np.unique(first).tolist() if not _is_dominated(values, i, noise)]
    share, corners, winner = np.zeros(len(values)), [], []
    everything = np.eye(len(metrics))
    for i in on_front:
        region = _region(values[i] - values[on_front], noise, everything)
        part = _size(region) / _size(everything)
        if part > ROUNDING:
            share[first == i] = part
            corners.append(region)
            winner += [i] * len(region)
    return WinnersByWeights(
        names=tuple(name for name, there in zip(scores.estimators, known, strict=True) if there),
        left_out=tuple(name for name, there in zip(scores.estimators, known, strict=True) if not there),
        units=units,
        share=share,
        first=first,
        weights=np.concatenate(corners),
        winner=np.array(winner),
    )


def _oriented(found: MetricMeans) -> FloatArray:
    return np.array(found.means) * (1.0 if found.greater_is_better else -1.0)


def _units(scale: Scale, metrics: Sequence[str], merits: FloatArray) -> FloatArray:
    """What counts as a difference of 1 on each metric; 1 where all models are equal."""
    if isinstance(scale, Mapping):
        for name in scale:
            check_choice(name, "scale", metrics)
        lacking = [name for name in metrics if name not in scale]
        if lacking:
            raise ValueError(f"scale must have a difference for every metric; it lacks {lacking[0]!r}")
        return np.array(
            [check_number(scale[name], f"scale[{name!r}]", low=0, high=np.inf, closed="neither") for name in metrics]
        )
    if scale != RANGE:
        raise ValueError(f"scale must be {RANGE!r} or a mapping of every metric to a difference; got {scale!r:.80}")
    spread = np.ptp(merits, axis=0)
    level = spread <= ROUNDING * np.abs(merits).max(axis=0)
    return np.where(level, 1.0, spread)


def _is_dominated(values: FloatArray, i: int, noise: float) -> bool:
    """Whether another model is nowhere worse and somewhere better: it then wins with almost every weight."""
    better = values - values[i]
    return bool(((better >= -noise).all(axis=1) & (better > noise).any(axis=1)).any())


def _region(leads: FloatArray, noise: float, region: FloatArray) -> FloatArray:
    """The corners of that part of a region of weights in which no lead over another model is negative, in order."""
    for lead in leads:
        there = region @ lead
        there[np.abs(there) <= noise] = 0.0
        kept: list[FloatArray] = []
        for k in range(len(region)):
            after = (k + 1) % len(region)
            if there[k] >= 0:
                kept.append(region[k])
            if there[k] * there[after] < 0:
                part = there[k] / (there[k] - there[after])
                kept.append((1 - part) * region[k] + part * region[after])
        if not kept:
            return region[:0]
        region = np.array(kept)
        apart = np.abs(region - np.roll(region, 1, axis=0)).max(axis=1) > ROUNDING
        region = region[apart] if apart.any() else region[:1]
    return region


def _size(region: FloatArray) -> float:
    """The length of a segment of weights of two metrics, the area of a polygon of those of three."""
    if len(region) < region.shape[1]:
        return 0.0
    x, y = region[:, 0], region[:, 1]
    if region.shape[1] == 2:
        return float(np.ptp(x))
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))) / 2


# Which models no other one dominates on the mean scores.


def front(
    scores: Scores, *, metrics: Sequence[str] | None = None, rope: Rope = None, n_draws: int = 10_000, rng: Any = None
) -> ParetoFront:
    """The Pareto front; see `EvaluationResult.pareto_front` and `StudyResult.pareto_front`."""
    names = _default_metrics(scores) if metrics is None else choose_metrics(metrics, scores.metrics)
    draws: dict[str, Any] = {"n_draws": n_draws, "rng": scores.seed if rng is None else rng, "metrics": names}
    if isinstance(scores, StudyScores):
        return _of_study(scores, names, rope, draws)
    values, lacking = of_cases(scores, names)
    values, about_clusters = by_cluster(values) if values.design.kind == "items" else (values, ())
    found = front_scores(values, names, rope)
    record = pareto_front(
        found.values, **Correction.of(values.design).options, rope=found.rope, names=found.names, **draws
    )
    warnings = [*([lacking] if lacking else record.warnings), *about_clusters, *found.warnings]
    warnings += [warning for name in names for warning in scores.score_warnings(name, *found.names)]
    return replace(record, means=found.means, warnings=tuple(dict.fromkeys(warnings)))


def _default_metrics(scores: Scores) -> tuple[str, ...]:
    """All metrics, but of one test set those that are means over its samples, where there are several."""
    try:
        names = choose_case_metrics(scores, None, means=True)
    except MissingEvidenceError:
        return scores.metrics
    return names if len(names) > 1 else scores.metrics


def of_cases(scores: EvaluationScores, names: tuple[str, ...]) -> tuple[EvaluationScores, CodedWarning | None]:
    """The scores of the cases, or those of the one test set and why there are no probabilities."""
    if scores.design.kind == "folds":
        return scores, None
    if scores.design.apart:
        of_means = "there are no probabilities: independent runs of two models have no case in common."
        return _means_of_runs(scores), Code.MISSING_SCORES(of_means, names)
    try:
        return cases(scores, choose_case_metrics(scores, names, means=True)), None
    except MissingEvidenceError as error:
        return scores, Code.MISSING_SCORES(f"there are no probabilities: {error}.", names)


def _means_of_runs(scores: EvaluationScores) -> EvaluationScores:
    """Scores of one case: the mean of each model over its own runs."""
    means = np.nanmean(scores.scores, axis=1, keepdims=True)
    nothing, runs = np.full(means.shape[:2], np.nan), (1,) * len(means)
    design = replace(scores.design, n_repeats=1, n_splits=1, n_runs=runs)
    return replace(scores, scores=means, design=design, fit_times=nothing, score_times=nothing.copy())


def _of_study(study: StudyScores, names: tuple[str, ...], rope: Rope, draws: Mapping[str, Any]) -> ParetoFront:
    widths = rope_widths(rope, names)
    values = np.stack([study.means(name) for name in names], axis=2)
    known = np.isfinite(values)
    rows = scored_rows(known)
    complete = known[:, rows].all(axis=(1, 2))
    warnings = list(complete_datasets(study, known, names, study.estimators))
    record = pareto_front(
        values[complete][:, rows].transpose(1, 0, 2),
        [study.greater_is_better[study.metric_index(name)] for name in names],
        rope=[widths.get(name, 0.0) for name in names],
        names=[study.estimators[i] for i in rows],
        **draws,
    )
    warnings += [warning for name in names for warning in study.split_warnings(name, study.estimators)]
    return replace(record, warnings=tuple(dict.fromkeys((*record.warnings, *warnings))))
