"""The means of the models on each metric, over the splits or the data sets that they share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skcompare._core.validation import FloatArray
from skcompare.comparison.compare import Scores
from skcompare.comparison.once import once
from skcompare.comparison.stopping import stopped
from skcompare.comparison.table import mean_score
from skcompare.inference._base import ROUNDING, sample_std
from skcompare.inference.datasets.skillings_mack import ranks_with_gaps
from skcompare.scores.evaluation import EvaluationScores
from skcompare.scores.study import StudyScores

# What scikit-learn and skcompare call metrics whose scores are from 0 to 1, or from -1 to 1, however averaged.
_SHARES = (
    *("accuracy", "balanced_accuracy", "top_k_accuracy", "precision", "recall", "specificity", "false_alarm_rate"),
    *("f1", "jaccard", "roc_auc", "average_precision"),
)
_AGREEMENTS = ("matthews_corrcoef", "mcc", "cohen_kappa", "quadratic_kappa")
_AVERAGES = ("_macro", "_micro", "_weighted", "_samples", "_ovr", "_ovo")
_LOWEST = {**dict.fromkeys(_SHARES, 0.0), **dict.fromkeys(_AGREEMENTS, -1.0)}


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


def span(metric: str, scores: FloatArray) -> float:
    """The largest difference that two scores can have; inf of unknown names, and where scores are out of the range."""
    for average in _AVERAGES:
        metric = metric.removesuffix(average)
    lowest = _LOWEST.get(metric)
    if lowest is None:
        return float("inf")
    known = scores[np.isfinite(scores)]
    if known.size and (known.min() < lowest - ROUNDING or known.max() > 1 + ROUNDING):
        return float("inf")
    return 1 - lowest


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
