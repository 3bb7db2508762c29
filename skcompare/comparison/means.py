"""How the models stand on each metric: means, mean ranks, what seeds change, and the winner for each weighting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations, compress, product
from math import nan
from typing import Any, TypeVar

import numpy as np

from skcompare._core.metrics import LOSSES, label
from skcompare._core.record import Frozen
from skcompare._core.validation import BoolArray, FloatArray, check_bool, choose_metric
from skcompare._core.warnings import Code, Warnings
from skcompare.comparison.cases import complete_table, dataset_means, has_gaps
from skcompare.comparison.compare import compare, deciding, judged_pairs, level, on_metric, standing, standing_of
from skcompare.comparison.evidence import why_not_connected
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import Scores, adjusted, mean_score, span
from skcompare.inference import friedman_test, skillings_mack_test
from skcompare.inference._records import ROUNDING, sample_std
from skcompare.inference.datasets.friedman import FEW_FOR_F, ranks_with_gaps
from skcompare.inference.datasets.pairwise import Ranking, of_all_pairs, ranked
from skcompare.inference.dominance.weights import Scale, WinnersByWeights, winners_of
from skcompare.scores.evaluation import EvaluationScores, once
from skcompare.scores.measures import check_measured
from skcompare.scores.predictions import MissingEvidenceError
from skcompare.scores.study import StudyScores


class MetricMeans(Frozen):
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


Scored = TypeVar("Scored", float, FloatArray)


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


def led_by(leader: str | None, models: Sequence[str], means: MetricMeans) -> list[int]:
    """The places of the leader, then of the others by their means, or mean ranks and means; those without one last."""
    keys, sign = list[tuple[bool, float, float]](), 1.0 if means.greater_is_better else -1.0
    for name, merit, mean in zip(models, means.merits, means.means, strict=True):
        keys.append((name != leader, *((-merit, -sign * mean) if merit == merit else (np.inf, 0.0))))
    return sorted(range(len(keys)), key=keys.__getitem__)


@once
def metric_means(scores: Scores) -> tuple[MetricMeans, ...]:
    """The means of all models, metric by metric."""
    over: Any = _over_datasets if isinstance(scores, StudyScores) else _over_splits
    return tuple(map(partial(over, scores), scores.metrics, scores.greater_is_better))


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


def over_which(means: MetricMeans, cases: str) -> str:
    """Over which of the cases means that are not over all are, in words with a place for their number."""
    if means.adjusted:
        return "adjusted for data sets that a model lacks"
    over = f"over the {{}} of {means.n_all} {cases} with all scores"
    return over if means.n_common else f"over each model's own {cases}"


def mean_warnings(scores: EvaluationScores, metric: str, model: str) -> Warnings:
    """What is wrong with the mean of one of several models, and that comparisons may be over more splits than it."""
    found = scores.score_warnings(metric, model)
    means = metric_means(scores)[scores.metric_index(metric)]
    if len(scores.estimators) < 2 or means.n_common == means.n_all:
        return found
    over = over_which(means, scores.design.cases).format(means.n_common)
    said = f"means of {metric} are {over}; each comparison is over those of its two models."
    return (*found, Code.MISSING_SCORES(said, (metric,)))


def _in_to_the_end(result: EvaluationScores) -> BoolArray:
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
    ranked = int(np.isfinite(ranks).sum()) > 1 and not has_gaps(study, name)
    merits = -ranks if ranked else means if better else -means
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


def winners_by_weights(scores: Scores, metrics: Sequence[str], scale: Scale) -> WinnersByWeights:
    """The winner of the weighted sum of the means of two or three metrics, for every weight: no test, and no choice."""
    found = {one.name: one for one in metric_means(scores)}
    return winners_of(np.array([_oriented(found[name]) for name in metrics]).T, scores.estimators, metrics, scale)


def _oriented(found: MetricMeans) -> FloatArray:
    return np.array(found.means) * (1.0 if found.greater_is_better else -1.0)


# How much of the variance of scores is due to the seeds of the fits, and how much to the splits.


class SeedComponents(Frozen):
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
def model_seeds(scores: EvaluationScores) -> dict[tuple[str, str], SeedComponents]:
    """By metric and model, where each split was fitted with several seeds; else none."""
    found = dict[tuple[str, str], SeedComponents]()
    if scores.seed_scores is not None:
        for (m, metric), (e, model) in product(enumerate(scores.metrics), enumerate(scores.estimators)):
            found[metric, model] = seed_components(scores.seed_scores[e, :, :, m])
    return found


# The ranks that comparisons leave each model.


def merits_of(scores: Scores, means: MetricMeans) -> list[float]:
    """The merits of all models with scores, those that left a run before its end too."""
    known = np.array(means.merits)
    own = known if isinstance(scores, StudyScores) else _oriented(means)
    return np.where(np.isnan(known), own, known).tolist()  # type: ignore[no-any-return]


@once
def rank(
    scores: Scores,
    metric: str | None = None,
    *,
    procedure: str = "auto",
    primary: str | None = None,
    simultaneous: bool = True,
    correction: str = "holm",
    alpha: float | None = None,
    letters: bool = True,
) -> Ranking:
    """The models ranked on one metric by the comparisons of all pairs; see `EvaluationResult.rank`.

    Without `letters` the ranking has no tiers: those of many models take long.
    """
    looked = stopped(scores)
    for what, decides in (("candidates of a search", scores.selected), ("a stopped run", looked)):
        if not check_bool(simultaneous, "simultaneous") and decides is not None:
            raise ValueError(f"simultaneous must be True for {what}, whose own verdict is on all models; got False")
    families, error = judged_pairs(scores, procedure, primary, correction, alpha), level(scores, alpha)
    metric = primary or deciding(scores) if metric is None else metric
    check_measured(scores, choose_metric(metric, scores.metrics))
    means, n = next(one for one in metric_means(scores) if one.name == metric), len(scores.estimators)
    merits = np.array(merits_of(scores, means))
    if looked is not None:
        rows = compare(scores, procedure, primary=primary, alpha=alpha)
        better = standing_of([row for row in rows if row.metric == metric], scores.estimators).better
    else:
        better = standing(scores, families, metric).better
    worse, different = better.T, better | better.T
    tests, pvalues, _ = on_metric(families, metric)
    untested = of_all_pairs(np.isnan(pvalues).astype(np.float64), n) > 0
    if not simultaneous:
        alone = of_all_pairs(tests.each(), n)
        np.fill_diagonal(alone, np.nan)
        decided = np.array([adjusted(row, correction)[0] for row in alone]) < error
        ahead = of_all_pairs(tests.leads.astype(np.float64), n) * np.sign(np.arange(n) - np.arange(n)[:, None])
        better, worse = decided & (ahead > 0), decided & (ahead < 0)
    known: BoolArray = np.isfinite(merits)
    if not known.any():
        told = f"no {'data set' if means.mean_ranks else 'split'} has scores of {metric}"
        if isinstance(scores, StudyScores) and means.adjusted:
            there = compress(scores.estimators, np.isfinite(means.mean_ranks))
            chains = (why_not_connected(scores, metric, *pair) for pair in combinations(there, 2))
            told = next(filter(None, chains), told)
        raise MissingEvidenceError(told)
    among, names = np.ix_(known, known), tuple(compress(scores.estimators, known))
    more: dict[str, Any] = {"warnings": scores.warnings}
    if isinstance(scores, EvaluationScores):
        found = map(partial(mean_warnings, scores, metric), names)
        more = {"warnings": tuple(dict.fromkeys(chain.from_iterable(found)))}
    elif len(names) > 1:
        more = _over_ranks(scores, metric, np.array(means.mean_ranks)[known])
    ranking = ranked(
        names,
        merits[known],
        better[among],
        worse[among],
        different=different[among] if letters else None,
        metric=metric,
        means=np.array(means.means)[known],
        confidence_level=1 - error,
        simultaneous=simultaneous,
        baseline=scores.baseline,
        **more,
    )
    best, *others = ranking.best_first
    of_best = untested[among][best] & (ranking.low == 1) & (looked is None)
    nothing = others and looked is None and np.isnan(tests.leads).all()
    return replace(ranking, untested=names if nothing else tuple(names[i] for i in others if of_best[i]))


def _over_ranks(study: StudyScores, metric: str, mean_ranks: FloatArray) -> dict[str, Any]:
    """The mean ranks of a study, the test that all models are equal, and reasons to doubt both."""
    table, scored, warnings = complete_table(study, metric, gaps=True)
    ranks, _ = ranks_with_gaps(table)
    ranked: BoolArray = np.any(np.isfinite(ranks), axis=0)
    used: BoolArray = np.any(np.isfinite(ranks), axis=1)
    names, table = tuple(compress(scored, ranked)), table[used][:, ranked]
    test = friedman_test if np.isfinite(table).all() else skillings_mack_test
    exact: dict[str, Any] = {"method": "auto"} if test is friedman_test and len(table) < FEW_FOR_F else {}
    omnibus = test(table, greater_is_better=study.greater_is_better[study.metric_index(metric)], names=names, **exact)
    found = tuple(dict.fromkeys((*omnibus.warnings, *warnings)))
    return {"mean_ranks": mean_ranks, "omnibus": omnibus, "warnings": found}


def complete_mean_ranks(study: StudyScores, metric: str) -> FloatArray:
    """Mean ranks of the models that have any score, over the data sets on which all of them have one."""
    table, names, _ = complete_table(study, metric)
    greater = study.greater_is_better[study.metric_index(metric)]
    found = dict(zip(names, ranks_with_gaps(table if greater else -table)[1], strict=True))
    return np.array([found[name] for name in study.estimators if name in found])


@once
def training_means(scores: EvaluationScores) -> dict[str, tuple[float, ...]]:
    """The mean training scores of the models by metric, over the splits on which each has a test score; else nan."""
    assert scores.train_scores is not None
    known = np.isfinite(scores.scores) & np.isfinite(scores.train_scores)
    with np.errstate(invalid="ignore"):
        means = np.where(known, scores.train_scores, 0.0).sum(axis=1) / known.sum(axis=1)
    return {metric: tuple(means[:, m].tolist()) for m, metric in enumerate(scores.metrics)}
