"""Scores of many models on many data sets or splits: checked, turned so that greater is better, and ranked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from math import exp, lgamma, log2
from numbers import Integral
from typing import Any, ParamSpec, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from skcompare._core import validation
from skcompare._core.numbers import ALPHA, counted
from skcompare._core.record import Frozen, Table, shown
from skcompare._core.validation import FloatArray, Names
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._kinds import OmnibusTest
from skcompare.inference._records import INDEPENDENT, ROUNDING, Correction, check_size, power_of_two

BoolArray = NDArray[np.bool_]
# Statistic, p-value and warnings
Answer = tuple[float, float, Warnings]
ONE_DATASET = Code.TOO_LITTLE_DATA("one data set says nothing about others.")


class DataSetScores(Frozen):
    """One score per data set and model, greater is better.

    Attributes
    ----------
    values : ndarray of shape (n_datasets, n_models)
        Scores; negated where less is better.
    names : tuple of str
        The models.
    noise : ndarray of shape (n_datasets,)
        Rounding of sums over the models, per data set; two scores are equal within the rounding of the larger.
    correction : Correction
        Of variances over the rows where these are splits of one data set, which share training samples.
    """

    values: FloatArray
    names: tuple[str, ...]
    noise: FloatArray
    correction: Correction = INDEPENDENT

    @property
    def n_datasets(self) -> int:
        """Number of data sets (blocks)."""
        return len(self.values)

    @property
    def n_models(self) -> int:
        """Number of models (treatments)."""
        return len(self.names)

    def aligned_ranks(self) -> FloatArray:
        """Ranks among all scores less the mean of their data set, shape of `values`; 1 is the best."""
        unit = power_of_two(self.values)
        values = self.values / unit
        aligned = values - values.mean(axis=1, keepdims=True)
        return pooled_ranks(-aligned.ravel(), np.repeat(self.noise / unit, self.n_models)).reshape(aligned.shape)

    def range_ranks(self) -> FloatArray:
        """Rank of each data set's range of scores, shape (n_datasets,); 1 is the smallest."""
        unit = power_of_two(self.values)
        return pooled_ranks(np.ptp(self.values / unit, axis=1), self.noise / unit)

    def ranks(self) -> FloatArray:
        """Ranks on each data set, shape of `values`: 1 is the best model, equal scores share their mean rank."""
        return np.stack([pooled_ranks(-row, ROUNDING * np.abs(row)) for row in self.values])

    def ranks_of_all(self) -> FloatArray:
        """Ranks among all scores of all data sets together, shape of `values`; 1 is the best."""
        return pooled_ranks(-self.values.ravel(), ROUNDING * np.abs(self.values).ravel()).reshape(self.values.shape)

    def omnibus(
        self,
        method: str,
        found: Answer,
        df: tuple[float, ...],
        effect: tuple[str, float],
        means: tuple[str, FloatArray],
        **more: Any,
    ) -> OmnibusResult:
        """The record of a test of all models: its effect size and the means of the models with what they are."""
        statistic, pvalue, warnings = found
        return OmnibusResult(
            statistic=statistic,
            pvalue=pvalue,
            df=df,
            effect_size=effect[1] if self.n_datasets > 1 else np.nan,
            effect_size_name=effect[0],
            means=means[1],
            means_of=means[0],
            names=self.names,
            n=self.n_datasets,
            case=self.correction.case,
            method=method,
            warnings=warnings,
            **more,
        )


def check_table(
    scores: ArrayLike,
    greater_is_better: bool = True,
    names: Names = None,
    *,
    matrices: int = 0,
    correction: Correction = INDEPENDENT,
) -> DataSetScores:
    """Scores of shape (n_datasets, n_models) with their names, or ValueError.

    MemoryError where so many matrices with a number for each pair of models would take too much.
    """
    values = validation.check_scores(scores, "scores", ndim=(2,))
    k = values.shape[1]
    if k < 2:
        raise ValueError(
            f"scores must have at least 1 row, one per {correction.case}, and 2 columns, one per model; "
            f"got shape {values.shape}"
        )
    validation.check_memory(8.0 * matrices * k**2, f"scores: a result for all pairs of {k} models", "give fewer models")
    check_size("scores", values)
    validation.check_bool(greater_is_better, "greater_is_better")
    return DataSetScores(
        values=values if greater_is_better else -values,
        names=validation.check_names(names, k),
        noise=ROUNDING * np.abs(values).max(axis=1),
        correction=correction,
    )


def check_table_with_gaps(
    scores: ArrayLike, greater_is_better: bool = True, names: Names = None
) -> tuple[DataSetScores, BoolArray]:
    """The same of scores that are nan where there is none, 0 in their place, and which there are; or ValueError."""
    numbers = validation.as_floats(scores, "scores")
    missing = np.isnan(numbers)
    table = check_table(np.where(missing, 0.0, numbers), greater_is_better, names, matrices=8)
    if missing.all(axis=0).any():
        unscored = table.names[int(np.argmax(missing.all(axis=0)))]
        raise ValueError(f"scores must have a number for each model; got only nan for {unscored!r}")
    return table, ~missing


def check_model(model: str | int, name: str, names: tuple[str, ...]) -> int:
    """The column of a model that is given by its name or column, or ValueError."""
    if isinstance(model, str):
        validation.check_choice(model, name, names)
        return names.index(model)
    if isinstance(model, Integral) and not isinstance(model, bool) and 0 <= model < len(names):
        return int(model)
    raise ValueError(
        f"{name} must be the name of a model or a column from 0 to {len(names) - 1}; got {validation.came(model)}"
    )


def pooled_ranks(values: FloatArray, noise: FloatArray) -> FloatArray:
    """Ranks from 1 for the smallest among all `values`, each exact up to its own `noise`; ties share their mean."""
    order = np.argsort(values, kind="stable")
    noise = noise[order]
    new_group = np.diff(values[order]) > np.maximum(noise[1:], noise[:-1])
    group = np.concatenate([[0], np.cumsum(new_group)])
    size = np.bincount(group)
    ranks = np.empty(values.size)
    ranks[order] = (np.cumsum(size) - (size - 1) / 2)[group]
    return ranks


# The record of a test that many models do equally well, and the steps that several such tests share.


SCORE, LESS_IS_BETTER = "score", "score, less is better"
PAIRING_IGNORED = Code.PAIRING_IGNORED(
    "the scores are taken as independent samples, although models share data sets; how hard each "
    "data set is counts as noise, and the p-value is too large as a rule."
)


class OmnibusResult(OmnibusTest, eq=False):
    """Result of a test that many models do equally well on many data sets, or on the splits of one.

    It has no direction, and a small p-value does not say which models differ.

    Attributes
    ----------
    statistic : float
        At least 0, larger where the models differ more; infinite for an F ratio whose denominator is 0; nan with
        fewer than two data sets or splits.
    pvalue : float
        In [0, 1]; nan only with fewer than two data sets or splits.
    df : tuple of float
        Degrees of freedom of the distribution that `statistic` is referred to: one of chi-squared, or numerator and
        denominator of F. An exact p-value does not use them.
    effect_size : float
        In [0, 1]: 0 where the models do equally well, 1 where they differ as much as they could; nan with fewer than
        two data sets or splits.
    effect_size_name : str
        What `effect_size` is.
    means : ndarray of shape (n_models,)
        The mean of each model, of what `means_of` says.
    means_of : str
        ``"score"``, in score units; ``"score, less is better"``, or the kind of rank, where the smallest mean belongs
        to the best model.
    names : tuple of str
        The models, in the order of `means`.
    n : int
        Number of data sets or splits used.
    exact : bool
        Whether the p-value is of the exact null distribution, given the ties.
    case : {"data set", "split"}
        What `n` counts.
    n_rearrangements : int
        In how many ways the ranks of the data sets could be arranged, of which an exact p-value is a share; else 0.
    n_extreme : int
        In how many of them, the observed one included, the models differ at least as much; rounded as `pvalue` is
        where there are more than 2**53, and else 0.
    """

    df: tuple[float, ...]
    effect_size: float
    effect_size_name: str
    means: FloatArray
    means_of: str
    names: tuple[str, ...]
    n: int
    exact: bool = False
    case: str = "data set"

    def _tables(self) -> list[Table]:
        ranked = self.means_of not in (SCORE, LESS_IS_BETTER)
        order = np.argsort(-self.means if self.means_of == SCORE else self.means, kind="stable")  # the best first
        rows = [[self.names[i], f"{self.means[i]:.2f}" if ranked else shown(float(self.means[i]))] for i in order]
        return [Table(("model", f"mean {self.means_of}"), rows)]


def concordance(centred: FloatArray, total: float | None = None) -> float:
    """How far the data sets agree, from 0 to 1, from ranks that sum to 0 on each: Kendall's W of plain ranks.

    The sum of squares of the model means over the total one, which is `total` where another than the observed one
    is wanted; 0 where it is 0.
    """
    total = float((centred**2).sum()) if total is None else total
    between = float((centred.sum(axis=0) ** 2).sum()) / len(centred)
    return between / total if total else 0.0


def f_ratio(agreement: float, n_datasets: int) -> float:
    """Between models over residual mean square, from the share of the former in the sum of squares."""
    return (n_datasets - 1) * agreement / (1 - agreement) if agreement < 1 else np.inf


def chi2_pvalue(statistic: float, df: float) -> float:
    """Upper tail of the chi-squared distribution."""
    return float(special.chdtrc(df, statistic))


def agreement_pvalue(ranks: FloatArray, n_independent: float | None = None) -> float:
    """Probability that all data sets rank the models alike, as they all do in `ranks`, tied where these are.

    Where the rows share training samples `n_independent` is the number of data sets that they are worth.
    """
    n = len(ranks) if n_independent is None else n_independent
    tied = np.unique(ranks[0], return_counts=True)[1]
    log_arrangements = lgamma(ranks.shape[1] + 1) - sum(lgamma(size + 1) for size in tied)
    return min(1.0, exp(-(n - 1) * log_arrangements))


def degenerate_answer(ranks: FloatArray, case: str = "data set") -> Answer | None:
    """Statistic, p-value and warnings where `ranks` on the data sets leave nothing to compute, else None."""
    if len(ranks) < 2:
        return np.nan, np.nan, (Code.TOO_LITTLE_DATA(f"a test needs at least 2 {case}s: collect more."),)
    if (ranks == ranks[0, 0]).all():
        return 0.0, 1.0, (Code.NO_DIFFERENCE(f"the models have equal scores on every {case}."),)
    return None


def answer(ranks: FloatArray, statistic: float, pvalue: float) -> Answer:
    """Statistic, p-value and warnings of a test; where there is nothing to test, those of `degenerate_answer`."""
    return degenerate_answer(ranks) or (statistic, pvalue, ())


# How many data sets a procedure on a table of scores needs for any p-value below 0.05.


P = ParamSpec("P")
T = TypeVar("T")
_NOT_OPTIONS = ("scores", "names", "control", "greater_is_better")


def says_what_it_needs(function: Callable[P, T]) -> Callable[P, T]:
    """The same procedure, whose record has CANNOT_REJECT where no scores on so many data sets could give p < 0.05.

    The smallest p-value is its own on tables in which the data sets agree on the order of the models, all or all but
    one.
    """

    @wraps(function)
    def asked(*args: P.args, **kwargs: P.kwargs) -> T:
        record: Any = function(*args, **kwargs)
        k = len(record.names) + ("control" in kwargs)
        equal = any(warning.code == Code.NO_DIFFERENCE.name for warning in record.warnings)
        if not equal and 1 < record.n < 8 + 2 * log2(k) and _least(record) >= ALPHA:
            options = {name: value for name, value in kwargs.items() if name not in _NOT_OPTIONS}
            options |= {"control": 0} if "control" in kwargs else {}
            needed = _needed(function, record.n, k, tuple(sorted(options.items())))
            case = "split" if options.get("test_fraction") else "data set"
            few = f"{function.__name__} on {counted(record.n, case)} cannot give p < {ALPHA}, even if all agree"
            more = f"; {needed} can" if needed and case == "data set" else ""
            if needed != record.n:
                record = replace(record, warnings=(*record.warnings, Code.CANNOT_REJECT(f"{few}{more}.")))
        return cast(T, record)

    return asked


@lru_cache(maxsize=256)
def _needed(function: Callable[..., Any], n: int, k: int, options: tuple[tuple[str, Any], ...]) -> int:
    """The smallest number of data sets from `n` on with which some p-value can be below 0.05; 0 where none is found."""
    for more in range(n, 30 + 2 * k.bit_length()):
        if min(_least(function(table, **dict(options))) for table in _agreeing(more, k)) < ALPHA:
            return more
    return 0


def _agreeing(n: int, k: int) -> list[FloatArray]:
    """Tables without ties: all data sets agree; on the first one the two best, or the two worst, are exchanged."""
    table = np.arange(k) * 10.0 + np.linspace(0, 0.5, n)[:, None] + np.outer(np.arange(n), np.arange(k) ** 2) / 1000
    best, worst = table.copy(), table.copy()
    best[0, [-1, -2]], worst[0, [0, 1]] = best[0, [-2, -1]], worst[0, [1, 0]]
    return [table, best, worst] if k > 2 else [table]


def _least(record: Any) -> float:
    """The smallest p-value of an omnibus test, or of pairs."""
    pvalues = np.asarray(record.pvalue if hasattr(record, "pvalue") else record.pvalues, dtype=np.float64)
    return float(np.nanmin(pvalues, initial=1.0))
