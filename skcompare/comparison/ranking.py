"""The ranking of several models over data sets: mean ranks, an omnibus test, and who differs from whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import compress
from typing import Any

import numpy as np

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import briefly, counted, equal_to, percent_of
from skcompare._core.record import Record
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import CodedWarning
from skcompare.comparison.compare import compare
from skcompare.comparison.measures import check_measured, measured
from skcompare.comparison.once import once
from skcompare.comparison.pairs import lead
from skcompare.comparison.predictions import MissingEvidenceError
from skcompare.comparison.study_evidence import complete_table, lacking
from skcompare.inference import OmnibusResult, PairwiseResult, friedman_test, skillings_mack_test
from skcompare.inference.datasets.friedman import ranks_with_gaps
from skcompare.inference.datasets.signed_rank import LARGEST_AUTO_EXACT
from skcompare.scores.study import StudyScores


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

    def to_frame(self) -> Any:
        """One row per model as a pandas DataFrame, the best first: name, mean_rank, wins, group; needs pandas."""
        pandas = import_pandas()
        frame = pandas.DataFrame(
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
    table, _, warnings = complete_table(study, metric, gaps=True)
    greater = study.greater_is_better[study.metric_index(metric)]
    ranks, mean_ranks = ranks_with_gaps(table if greater else -table)
    ranked, used = np.isfinite(mean_ranks), np.isfinite(ranks).any(axis=1)
    if not used.any():
        raise MissingEvidenceError(f"no data set has scores of {metric} of two models")
    names = tuple(compress(study.estimators, ranked))
    table, ranks = table[used][:, ranked], ranks[used][:, ranked]
    whole = bool(np.isfinite(table).all())
    omnibus = (friedman_test if whole else skillings_mack_test)(table, greater_is_better=greater, names=names)
    pairs = _in_family(study, metric, correction, names, len(table))
    found = np.isfinite(study.means(metric))
    warnings = (*warnings, *lacking(study, found[:, :, None], [metric], study.estimators))
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
    exact = n <= LARGEST_AUTO_EXACT
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
        method=f"signed-rank tests of all pairs, {'exact' if exact else 'normal'}",
    )
