"""How the models stand on each metric: means, mean ranks, what seeds change, and the winner for each weighting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from math import nan
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import briefly, counted, equal_to, percent_of
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray, check_choice, check_number
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.cases import complete_table, dataset_means, has_gaps
from skcompare.comparison.compare import compare
from skcompare.comparison.measures import check_measured, measured
from skcompare.comparison.pairs import lead
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import Scores, mean_score, once, span
from skcompare.inference import OmnibusResult, PairwiseResult, friedman_test, skillings_mack_test
from skcompare.inference._records import ROUNDING, sample_std
from skcompare.inference.datasets.friedman import ranks_with_gaps
from skcompare.inference.datasets.signed_rank import LARGEST_AUTO_EXACT
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

if TYPE_CHECKING:
    from skcompare._core.frames import DataFrame


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
        negative, and with gaps the adjusted means. nan where there is none.
    n_all, n_common : int
        Splits or data sets, and those on which all models have a score, but for models that have none at all.
    deviations : tuple of float
        Standard deviations over the splits (``ddof=1``); of an evaluation.
    mean_ranks : tuple of float
        Over the data sets, 1 being the best; of a study. With gaps those of `skillings_mack_test`, over the data sets
        that have the model.
    adjusted : bool
        Whether the means are adjusted for data sets that models lack.
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
    adjusted: bool = False
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
    return means.name in LOSSES or not means.greater_is_better


@once
def metric_means(scores: Scores) -> tuple[MetricMeans, ...]:
    """The means of all models, metric by metric."""
    found = []
    for name, better in zip(scores.metrics, scores.greater_is_better, strict=True):
        found.append(
            _over_datasets(scores, name, better)
            if isinstance(scores, StudyScores)
            else _over_splits(scores, name, better)
        )
    return tuple(found)


def averaged(scores: EvaluationScores, metric: str) -> list[FloatArray]:
    """The scores that the mean of each model on a metric is over.

    On the splits on which all estimators that belong together have a score, or else any. Those that left an evaluation
    before its end do not belong to them, and have theirs over their own splits; so do the independent runs of models.
    One without any score takes no split from the others.
    """
    values = scores.scores[:, :, scores.metric_index(metric)]
    known, together = np.isfinite(values), _in_to_the_end(scores)
    together = together & known.any(axis=1) & (not scores.design.apart)
    common, found = known[together].all(axis=0), []
    for row, own, belongs in zip(values, known, together, strict=True):
        if own.all() and (common.all() or not belongs):
            found.append(row)
        else:
            found.append(row[common] if belongs and common.any() else row[own])
    return found


def _in_to_the_end(result: EvaluationScores) -> NDArray[np.bool_]:
    stopping = stopped(result)
    if stopping is None:
        return np.ones(len(result.estimators), dtype=np.bool_)
    return np.array([stopping.in_to_the_end(name) for name in result.estimators])


def _over_splits(scores: EvaluationScores, name: str, better: bool) -> MetricMeans:
    """Over the splits of `averaged`; standard deviations are 0 where scores differ by rounding."""
    values, together = scores.scores[:, :, scores.metric_index(name)], _in_to_the_end(scores)
    means, deviations = np.full((2, len(values)), np.nan)
    for i, used in enumerate(averaged(scores, name)):
        largest = max(float(used.max()), -float(used.min())) if used.size else 0.0
        means[i], deviations[i] = mean_score(used), sample_std(used, ROUNDING * largest)
    known = np.isfinite(values)
    common = known[together & known.any(axis=1)]
    return MetricMeans(
        name=name,
        greater_is_better=better,
        means=tuple(means.tolist()),
        merits=tuple(np.where(together, means if better else -means, np.nan).tolist()),
        deviations=tuple(deviations.tolist()),
        n_all=known.shape[1],
        n_common=known.shape[1] if scores.design.apart else int(common.all(axis=0).sum()) if len(common) else 0,
        span=span(name, values),
    )


def _over_datasets(study: StudyScores, name: str, better: bool) -> MetricMeans:
    """Mean scores over the data sets on which all have a score that have any, or adjusted ones; and mean ranks."""
    table, means = study.means(name), dataset_means(study, name)
    found = np.isfinite(table)
    complete = found[:, found.any(axis=0)].all(axis=1) & found.any()
    _, ranks = ranks_with_gaps(np.where(found, table if better else -table, np.nan))
    merits = -ranks if not has_gaps(study, name) else means if better else -means
    return MetricMeans(
        name=name,
        greater_is_better=better,
        means=tuple(means.tolist()),
        merits=tuple(merits.tolist()),
        adjusted=has_gaps(study, name),
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
    for ahead in leads:
        there = region @ ahead
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


# How much of the variance of scores is due to the seeds of the fits, and how much to the splits.


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedComponents:
    """Components of the variance of a score on a split.

    Attributes
    ----------
    mean : float
        Over all splits and seeds, in score units.
    split : float
        Variance from split to split, in squared score units, at least 0.
    seed : float
        Variance from seed to seed that all splits share, at least 0.
    residual : float
        What is left: the variance of the seeds that differs from split to split, at least 0.
    n_splits : int
        Splits used.
    """

    mean: float
    split: float
    seed: float
    residual: float
    n_splits: int

    @property
    def seed_share(self) -> float:
        """Share of the variance on a split that is due to the seeds, in [0, 1]; nan where there is no variance."""
        total = self.split + self.seed + self.residual
        return (self.seed + self.residual) / total if total > 0 else nan


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSeeds:
    """One model on one metric."""

    metric: str
    model: str
    components: SeedComponents


def seed_components(values: FloatArray) -> SeedComponents:
    """Of values of shape (n_seeds, n_splits), over the splits on which none is missing.

    By analysis of variance, negative estimates by 0 (Searle, Casella and McCulloch 1992, section 4.3).
    """
    values = values[:, np.isfinite(values).all(axis=0)]
    s, j = values.shape
    mean = float(values.mean()) if j else nan
    if j < 2:
        return SeedComponents(mean=mean, split=nan, seed=nan, residual=nan, n_splits=j)
    # from the first seed, so that equal scores give exactly 0
    moved = values - values[:1]
    of_splits, of_seeds = moved.mean(axis=0), moved.mean(axis=1, keepdims=True)
    residual = float(np.square(moved - of_splits - of_seeds + moved.mean()).sum()) / ((s - 1) * (j - 1))
    seed = max(0.0, (j * float(of_seeds.var(ddof=1)) - residual) / j)
    split = max(0.0, (s * float((values[0] + of_splits).var(ddof=1)) - residual) / s)
    return SeedComponents(mean=mean, split=split, seed=seed, residual=residual, n_splits=j)


@once
def model_seeds(scores: EvaluationScores) -> tuple[ModelSeeds, ...]:
    """Every model on every metric, where each split was fitted with several seeds; else none."""
    if scores.seed_scores is None:
        return ()
    return tuple(
        ModelSeeds(metric=metric, model=model, components=seed_components(scores.seed_scores[e, :, :, m]))
        for m, metric in enumerate(scores.metrics)
        for e, model in enumerate(scores.estimators)
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Ranking(Record):
    """Models ranked on one metric over data sets.

    Attributes
    ----------
    names : tuple of str
        The models that were compared with another one, in the order of the study.
    metric : str
        The metric.
    mean_ranks : ndarray of shape (n_models,)
        Mean rank of each, 1 is the best; equal scores share their mean rank. With gaps those of `omnibus`.
    ranks : ndarray of shape (n_datasets, n_models)
        Rank on each data set that has scores of two models or more; nan where a model has none there.
    omnibus : OmnibusResult
        Friedman's test that all are equally good; where scores are missing that of Skillings and Mack.
    pairs : PairwiseResult
        Signed-rank tests of all pairs, adjusted within the family of the metric as in `StudyResult.compare`.
    groups : dict of str to str
        Models that share a letter are not significantly different by `pairs`; the best model first.
    alpha : float
        Level of `groups`.
    baseline : str or None
        The one of the models that is the baseline; None without one.
    warnings : tuple of str
        Reasons to doubt the ranking.
    """

    names: tuple[str, ...]
    metric: str
    mean_ranks: FloatArray
    ranks: FloatArray
    omnibus: OmnibusResult
    pairs: PairwiseResult
    groups: dict[str, str]
    alpha: float
    baseline: str | None = None
    warnings: tuple[CodedWarning, ...] = ()

    def to_frame(self) -> DataFrame:
        """One row per model as a pandas DataFrame, the best first: name, mean_rank, wins, group; needs pandas."""
        pandas = import_pandas()
        frame: DataFrame = pandas.DataFrame(
            {
                "name": self.names,
                "mean_rank": self.mean_ranks,
                "wins": (self.ranks == 1).sum(axis=0),
                "group": [self.groups[name] for name in self.names],
            }
        )
        return frame.sort_values("mean_rank", kind="stable", ignore_index=True)

    def _tables(self) -> list[Table]:
        order = sorted(zip(self.mean_ranks.tolist(), self.names, strict=True))
        rows = [[name, f"{rank:.2f}", self.groups[name]] for rank, name in order]
        return [Table((self.metric, "mean rank", "group"), rows)]

    def _sentence(self) -> str:
        best = [name for name, rank in zip(self.names, self.mean_ranks, strict=True) if rank <= self.mean_ranks.min()]
        has = "has" if len(best) == 1 else "share"
        where = f"on {self.metric} over {counted(len(self.ranks), 'data set')}"
        equal = all_equal(self.omnibus.method, self.omnibus.pvalue, self.groups.values(), self.alpha, self.baseline)
        return (
            f"{briefly(best)} {has} the best mean rank {where}. Models that share a letter are not significantly "
            f"different at {percent_of(self.alpha)}. {equal}"
        )


def all_equal(method: str, pvalue: float, letters: Iterable[str], alpha: float, baseline: str | None) -> str:
    """What the omnibus test says beside the letters of the models, as a sentence."""
    alone = f"{method}, for this metric alone: {equal_to('p', pvalue)}"
    equal = "That all are equal" if baseline is None else f"That all, {baseline} included, are equal"
    if not pvalue < alpha:
        return f"{equal} is not rejected ({alone})."
    shared = set.intersection(*map(set, letters))
    return f"{equal} is rejected ({alone}){', though no pair differs significantly' if shared else ''}."


@once
def rank(study: StudyScores, metric: str | None = None, *, correction: str = "holm", alpha: float = 0.05) -> Ranking:
    """The models of a study ranked on one metric; see `StudyResult.rank`."""
    metric = measured(study)[0] if metric is None else metric
    check_measured(study, metric)
    table, scored, warnings = complete_table(study, metric, gaps=True)
    greater = study.greater_is_better[study.metric_index(metric)]
    ranks, mean_ranks = ranks_with_gaps(table if greater else -table)
    ranked, used = np.isfinite(mean_ranks), np.isfinite(ranks).any(axis=1)
    if not used.any():
        raise MissingEvidenceError(f"no data set has scores of {metric} of two models")
    names = tuple(compress(scored, ranked))
    table, ranks = table[used][:, ranked], ranks[used][:, ranked]
    whole = bool(np.isfinite(table).all())
    omnibus = (friedman_test if whole else skillings_mack_test)(table, greater_is_better=greater, names=names)
    pairs = _in_family(study, metric, correction, names, len(table))
    return Ranking(
        names=names,
        metric=metric,
        mean_ranks=mean_ranks[ranked],
        ranks=ranks,
        omnibus=omnibus,
        pairs=pairs,
        groups=pairs.groups(alpha),
        alpha=alpha,
        baseline=study.baseline,
        warnings=tuple(dict.fromkeys((*omnibus.warnings, *pairs.warnings, *warnings))),
    )


def complete_mean_ranks(study: StudyScores, metric: str) -> FloatArray:
    """Mean ranks of the models that have any score, over the data sets on which all of them have one."""
    table, names, _ = complete_table(study, metric)
    greater = study.greater_is_better[study.metric_index(metric)]
    found = dict(zip(names, ranks_with_gaps(table if greater else -table)[1], strict=True))
    return np.array([found[name] for name in study.estimators if name in found])


def _in_family(study: StudyScores, metric: str, correction: str, names: tuple[str, ...], n: int) -> PairwiseResult:
    """The pairs of one metric as `compare` has them, with p-value 1 where there is nothing to compare."""
    family = compare(study, correction=correction)
    pvalues, unadjusted = np.eye(len(names)), np.eye(len(names))
    statistics, estimates = np.zeros((2, len(names), len(names)))
    place = {name: i for i, name in enumerate(names)}
    for row in family:
        if row.metric == metric and row.a in place and row.b in place:
            i, j = place[row.a], place[row.b]
            pvalues[i, j] = pvalues[j, i] = np.nan_to_num(row.pvalue_adjusted, nan=1.0)
            unadjusted[i, j] = unadjusted[j, i] = np.nan_to_num(row.pvalue, nan=1.0)
            statistics[i, j] = 0.0 if row.record is None else lead(row.record) / 2
            estimates[i, j] = np.nan_to_num(row.estimate)
    method = f"signed-rank tests of all pairs, {'exact' if n <= LARGEST_AUTO_EXACT else 'normal'}"
    method = "t tests of adjusted means of all pairs" if has_gaps(study, metric) else method
    return PairwiseResult(
        names=names,
        statistics=statistics - statistics.T,
        pvalues=pvalues,
        pvalues_unadjusted=unadjusted,
        estimates=estimates - estimates.T,
        estimate_of="score",
        critical_difference=float("nan"),
        correction=correction,
        n_hypotheses=family.n_hypotheses,
        n=n,
        method=method,
    )


@once
def training_means(scores: EvaluationScores) -> dict[str, tuple[float, ...]]:
    """The mean training scores of the models by metric, over the splits on which each has a test score; else nan."""
    assert scores.train_scores is not None
    known = np.isfinite(scores.scores) & np.isfinite(scores.train_scores)
    with np.errstate(invalid="ignore"):
        means = np.where(known, scores.train_scores, 0.0).sum(axis=1) / known.sum(axis=1)
    return {metric: tuple(means[:, m].tolist()) for m, metric in enumerate(scores.metrics)}
