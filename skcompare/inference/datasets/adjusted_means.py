"""Means of many models on many data sets, adjusted for the data sets that each model lacks, and tests of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize
from scipy.sparse.csgraph import connected_components

from skcompare._core.numbers import briefly
from skcompare._core.record import Table, shown
from skcompare._core.validation import Alternative, FloatArray, Names, as_floats, check_hypothesis
from skcompare._core.warnings import Code, Warnings
from skcompare.inference._records import ROUNDING, Differences, TTestResult, f_pvalue, power_of_two, t_test, widened
from skcompare.inference.datasets import scores as omnibus
from skcompare.inference.datasets.anova import CERTAIN, SPHERICITY
from skcompare.inference.datasets.sign import COMMENSURABLE

Sets = NDArray[np.int32]
# Of the whole information on a difference; what a data set has less of is rounding.
_NONE = 1e-9


class AdjustedMeans(NamedTuple):
    """The fit of a model effect and a data set effect to a table with gaps.

    Attributes
    ----------
    effects : ndarray of shape (n_models,)
        In score units; those of a connected set of models sum to 0.
    sets : ndarray of int of shape (n_models,)
        Which connected set each model belongs to.
    errors : ndarray of shape (n_models, n_models)
        Standard errors of the differences of the effects, by leaving out one data set at a time; nan where less than
        two data sets tell of a difference.
    n_effective : ndarray of shape (n_models, n_models)
        The number of data sets of equal weight that would tell as much of a difference; n of complete tables.
    n_used : ndarray of shape (n_models, n_models)
        The data sets that tell anything of a difference.
    """

    effects: FloatArray
    sets: Sets
    errors: FloatArray
    n_effective: FloatArray
    n_used: FloatArray


def adjusted_means(values: FloatArray) -> AdjustedMeans:
    """The fit to scores of shape (n_datasets, n_models), nan where there is none."""
    values = np.ascontiguousarray(values)
    return _fitted(values.tobytes(), values.shape)


@lru_cache(maxsize=32)
def _fitted(content: bytes, shape: tuple[int, int]) -> AdjustedMeans:
    """The least squares fit, and the same without each data set in turn (the jackknife)."""
    values = np.frombuffer(content).reshape(shape)
    present = np.isfinite(values)
    unit = power_of_two(values[present]) if present.any() else 1.0
    scaled = np.where(present, values / unit, 0.0)
    n_here = present.sum(axis=1, keepdims=True)
    means = scaled.sum(axis=1, keepdims=True) / np.maximum(n_here, 1)
    within = np.where(present, scaled - means, 0.0)
    within[np.abs(within) <= ROUNDING * np.abs(scaled).max(axis=1, keepdims=True)] = 0.0
    here = present.astype(np.float64)
    information = _information(here)
    sets, inverse = _inverse(information)
    sums = within.sum(axis=0)
    effects = inverse @ sums
    moved, lost, squared, n_used = np.zeros((4, *information.shape))
    apart = np.zeros(information.shape, dtype=np.bool_)
    whole = _spread(inverse)
    patterns, which = np.unique(present, axis=0, return_inverse=True)
    for pattern in np.flatnonzero(patterns.sum(axis=1) > 1):  # data sets with the same models, two or more, at once
        rows = np.flatnonzero(which.ravel() == pattern)
        left, without = _inverse(information - _information(here[rows[:1]]))
        apart |= left[:, None] != left
        weight = np.maximum(_spread(without) - whole, 0.0)
        weight[weight <= _NONE * np.maximum(whole, _NONE)] = 0.0
        lost += len(rows) * weight
        squared += len(rows) * weight**2
        n_used += len(rows) * (weight > 0)
        change = (sums - within[rows]) @ without.T - effects
        for model, own in enumerate(change.T):
            moved[model] += ((change - own[:, None]) ** 2).sum(axis=0)
    noise = ROUNDING * float(np.abs(scaled).max(initial=0.0))
    moved[moved <= noise**2] = 0.0
    effects[np.abs(effects) <= noise] = 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        n_effective = lost**2 / squared
        errors = np.sqrt(moved * whole / lost) * unit
    unknown = apart | (sets[:, None] != sets) | ~(n_effective > 2 - 1e-6)
    return AdjustedMeans(
        effects=effects * unit,
        sets=sets,
        errors=np.where(unknown, np.nan, errors),
        n_effective=n_effective,
        n_used=n_used,
    )


def _information(present: FloatArray) -> FloatArray:
    """What data sets tell of the model effects, the data set effects taken out, up to the residual variance."""
    share = present / np.maximum(present.sum(axis=1, keepdims=True), 1)
    return np.asarray(np.diag(present.sum(axis=0)) - share.T @ present)


def _inverse(information: FloatArray) -> tuple[Sets, FloatArray]:
    """The connected sets of models, and an inverse for differences within them."""
    _, sets = connected_components(information < -_NONE, directed=False)
    same = (sets[:, None] == sets).astype(np.float64)
    return sets, np.linalg.inv(information + same / same.sum(axis=1))


def _spread(inverse: FloatArray) -> FloatArray:
    """The variance of every difference, up to the residual variance."""
    return np.asarray(np.diag(inverse)[:, None] + np.diag(inverse) - 2 * inverse)


def adjusted_means_test(
    scores: ArrayLike,
    *,
    a: str | int = 0,
    b: str | int = 1,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
    greater_is_better: bool = True,
    names: Names = None,
) -> TTestResult:
    r"""Test the difference of two models on many data sets, some of which lack a model, by adjusted means.

    A model that was run on easy data sets only has a high mean. So the score of model j on data set i is taken for

    .. math:: x_{ij} = d_i + m_j + e_{ij}

    and fitted by least squares to the scores that there are. :math:`m_a - m_b` is the difference of the adjusted means
    (least-squares means). It rests on the data sets that have both models, and on chains such as a and c on some data
    sets, c and b on others.

    Its variance comes from the fits without each data set in turn, so the data sets are the cases, whatever the
    correlations and variances of the models on them. With g the variance of the difference in units of that of
    :math:`e`, were these independent and alike, :math:`g_{-i}` the same without data set i and
    :math:`c_i = g_{-i} - g`, the variance is

    .. math:: \frac{g}{\sum_i c_i} \sum_i (m_{-i} - m)^2

    with m the difference and :math:`m_{-i}` that without data set i, and Student's t has
    :math:`(\sum c_i)^2 / \sum c_i^2 - 1` degrees of freedom. On a complete table it is `dataset_t_test`, the paired t
    test, whatever the other models are.

    A score must be missing for reasons that have nothing to do with how good it would have been.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models)
        One score per data set and model, nan where there is none; at least two models, each with a score, all in the
        same units.
    a, b : str or int, default=0, 1
        Names or columns, from 0, of the two models.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: the difference is positive.
    null : float, default=0
        The difference under the null hypothesis, in the units of `estimate`: what is tested is whether the true one
        differs from it, exceeds it (``"greater"``) or falls below it.
    greater_is_better : bool, default=True
        Whether the greater score is the better one.
    names : sequence of str, optional
        The models.

    Returns
    -------
    TTestResult
        Positive favours `a`; `n` counts the data sets that tell something of the difference, `mean_difference` is the
        plain mean over those with both models. With the warning MISSING_SCORES where no data set has both, with nan
        and TOO_LITTLE_DATA where one data set alone decides.

    Raises
    ------
    ValueError
        If no chain of data sets leads from `a` to `b`, a score is infinite, a model has no score, or an option is not
        what it should be.

    See Also
    --------
    skillings_mack_test : whether all models do equally well, from ranks.
    mixed_model_test : the same for random data sets, by restricted likelihood.

    References
    ----------
    S. R. Searle, F. M. Speed and G. A. Milliken (1980), Population marginal means in the linear model: an alternative
    to least squares means, The American Statistician 34(4), 216-221, :doi:`10.1080/00031305.1980.10483031`.

    J. G. MacKinnon and H. White (1985), Some heteroskedasticity-consistent covariance matrix estimators with improved
    finite sample properties, Journal of Econometrics 29(3), 305-325, :doi:`10.1016/0304-4076(85)90158-7`.

    Examples
    --------
    The first model was run on the three easy data sets only, where the second one is better:

    >>> from math import nan
    >>> from skcompare.inference import adjusted_means_test
    >>> scores = [[0.90, 0.92, 0.88], [0.91, 0.94, 0.90], [0.93, 0.94, 0.90],
    ...           [nan, 0.61, 0.58], [nan, 0.66, 0.60], [nan, 0.55, 0.52]]
    >>> result = adjusted_means_test(scores, names=["easy", "all", "other"])
    >>> round(result.estimate, 4), round(result.standard_error, 4), round(result.df, 2)
    (-0.02, 0.0062, 2.37)
    """
    against = check_hypothesis(alternative, null)
    table, present = omnibus.check_table_with_gaps(scores, greater_is_better, names)
    first, second = omnibus.check_model(a, "a", table.names), omnibus.check_model(b, "b", table.names)
    if first == second:
        raise ValueError(f"a and b must be two different models; got {table.names[first]!r} twice")
    fit = adjusted_means(np.where(present, table.values, np.nan))
    if fit.sets[first] != fit.sets[second]:
        raise ValueError(f"scores must connect a and b: {not_connected(fit.sets, table.names, first, second)}")
    both = present[:, first] & present[:, second]
    estimate, error = float(fit.effects[first] - fit.effects[second]), float(fit.errors[first, second])
    noise = ROUNDING * float(np.abs(table.values).max())
    estimate = 0.0 if abs(estimate) <= noise else estimate
    shared = table.values[both, first] - table.values[both, second]
    n_effective, n_used = float(fit.n_effective[first, second]), int(fit.n_used[first, second])
    deviation = error * n_effective**0.5
    effect = estimate / deviation if deviation > 0 else 0.0 if estimate == 0 else float("nan")
    mean = float(shared.mean()) if shared.size else estimate
    of_shared = Differences(values=shared, mean=mean, std=error, noise=noise)
    method, needs = "t test of adjusted means over data sets", "2 data sets that each tell of the difference"
    found = t_test(of_shared, error, n_effective - 1, against, method=method, estimate=estimate, needs=needs)
    names_of = (table.names[first], table.names[second])
    alone = Code.MISSING_SCORES(f"no data set has both {names_of[0]} and {names_of[1]}: run both on some.", names_of)
    warnings = (COMMENSURABLE, *found.warnings, *(() if shared.size else (alone,)))
    return replace(found, n=n_used, effect_size=effect, warnings=warnings)


def not_connected(sets: Sets, names: Sequence[str], first: int, second: int) -> str:
    """That no chain of data sets leads from one model to another one, with the models on both sides."""
    sides = [briefly([names[i] for i in np.flatnonzero(sets == sets[model]).tolist()]) for model in (first, second)]
    return f"no data set has a model of {sides[0]} and one of {sides[1]}"


# The mixed model: data sets are a sample, and their effects random.


_LARGEST_RATIO = 1e6  # of deviations: what is larger is fitted like a fixed effect
_RATIOS = np.array([0.0, 0.03, 0.1, 0.3, 1, 3, 10, 100, 1000])


class MixedModelResult(omnibus.OmnibusResult, eq=False):
    """Result of the test that many models do equally well, by a linear mixed model of the scores.

    Attributes
    ----------
    means_of : str
        ``"score"``, in score units; ``"score, less is better"`` where the smallest mean belongs to the best model.
    standard_errors : ndarray of shape (k, k)
        Of the differences of the means, in score units; 0 on the diagonal, nan with fewer than two data sets.
    dataset_deviation : float
        Standard deviation of the data set effects, in score units.
    interaction_deviation : float
        Of what a model is better or worse on a data set than elsewhere; nan where no score is repeated, as it is then
        part of the residual.
    residual_deviation : float
        Of the rest.
    """

    standard_errors: FloatArray
    dataset_deviation: float
    interaction_deviation: float
    residual_deviation: float

    def _tables(self) -> list[Table]:
        sources = {
            "data sets": self.dataset_deviation,
            "models on data sets": self.interaction_deviation,
            "residual": self.residual_deviation,
        }
        rows = [[source, shown(value)] for source, value in sources.items() if value == value]
        return [*omnibus.OmnibusResult._tables(self), Table(("varies by", "standard deviation"), rows)]


class Cells(NamedTuple):
    """Scores by data set and model.

    Attributes
    ----------
    means, counts : ndarray of shape (n_datasets, n_models)
        Of the scores that there are; the mean of none is 0.
    within : float
        Sum of squares of the scores around the means.
    """

    means: FloatArray
    counts: FloatArray
    within: float

    @property
    def df(self) -> tuple[float, float]:
        """Of the F ratio: models, and models on data sets."""
        n, k = self.counts.shape
        return k - 1.0, float((self.counts > 0).sum() - n - k + 1)


class MixedFit(NamedTuple):
    """The fit for given ratios of the deviations of data sets, and of models on data sets, to the residual one.

    Attributes
    ----------
    effects : ndarray of shape (n_models,)
        Generalised least squares means.
    covariance : ndarray of shape (n_models, n_models)
        Theirs, up to the residual variance.
    variance : float
        The residual variance.
    deviance : float
        -2 times the restricted likelihood's logarithm, up to a constant.
    """

    effects: FloatArray
    covariance: FloatArray
    variance: float
    deviance: float


def _mixed_fit(cells: Cells, ratios: FloatArray) -> MixedFit:
    of_dataset, of_model = (min(abs(float(ratio)), _LARGEST_RATIO) ** 2 for ratio in (*ratios, 0.0)[:2])
    here = cells.counts > 0
    variances = of_model + 1 / np.maximum(cells.counts, 1)
    weights = np.where(here, 1 / variances, 0.0)
    total = weights.sum(axis=1)
    # with a data set's effect taken out, and what its mean tells beside that
    beside = 1 / (total * (1 + of_dataset * total))
    information = np.diag(weights.sum(axis=0)) - (weights * (1 / total - beside)[:, None]).T @ weights
    middle = (weights * cells.means).sum(axis=1) / total
    sums = (weights * (cells.means - middle[:, None])).sum(axis=0) + weights.T @ (beside * total * middle)
    covariance = np.linalg.inv(information)
    effects = covariance @ sums
    left = np.where(here, cells.means - effects, 0.0)
    of_mean = (weights * left).sum(axis=1) / total
    squares = float((weights * (left - of_mean[:, None]) ** 2).sum() + (beside * total**2 * of_mean**2).sum())
    df = float(cells.counts.sum()) - len(effects)
    variance = max((cells.within + squares) / df, np.finfo(np.float64).tiny)
    logs = np.log(np.where(here, variances * cells.counts, 1.0)).sum() + np.log1p(of_dataset * total).sum()
    deviance = df * np.log(variance) + logs + np.linalg.slogdet(information)[1]
    return MixedFit(effects=effects, covariance=covariance, variance=variance, deviance=float(deviance))


def _restricted_likelihood(cells: Cells) -> tuple[MixedFit, FloatArray]:
    """The fit with the largest restricted likelihood, and its ratios."""
    n_ratios = 2 if (cells.counts > 1).any() else 1

    def deviance(ratios: FloatArray) -> float:
        return _mixed_fit(cells, ratios).deviance

    start = min((_RATIOS[[*places]] for places in np.ndindex(*(len(_RATIOS),) * n_ratios)), key=deviance)
    around = np.vstack([start, start + np.diag(np.maximum(start, 0.03) / 2)])
    options: dict[str, Any] = {"xtol": 1e-9, "ftol": 1e-11, "maxiter": 2000, "initial_simplex": around, "disp": False}
    found = np.abs(np.asarray(optimize.fmin(deviance, start, **options)))
    # a deviation may be 0
    ratios = min((np.where(kept, found, 0.0) for kept in np.ndindex(*(2,) * n_ratios)), key=deviance)
    return _mixed_fit(cells, ratios), ratios


def mixed_model_test(scores: ArrayLike, *, greater_is_better: bool = True, names: Names = None) -> MixedModelResult:
    r"""Test that many models do equally well on many data sets, by a linear mixed model with random data sets.

    The score of model j on data set i, of repeat r where there are several, is

    .. math:: x_{ijr} = m_j + d_i + (md)_{ij} + e_{ijr}

    with random effects :math:`d_i` of the data set, :math:`(md)_{ij}` of the model on it, and :math:`e_{ijr}`, normal
    and independent. Their variances have the largest restricted likelihood (REML). Where no score is repeated
    :math:`(md)_{ij}` is part of the residual. F refers the generalised least squares means to :math:`k - 1` and
    :math:`c - N - k + 1` degrees of freedom, with c the number of data sets and models that have a score.

    On a complete table it is the analysis of variance of `anova_test` that assumes sphericity, except where the data
    sets vary less than the residual explains. With gaps a data set counts that has one model only. One variance serves
    all models: where some vary more than others `adjusted_means_test` is safer.

    Parameters
    ----------
    scores : array_like of shape (n_datasets, n_models) or (n_datasets, n_models, n_repeats)
        Scores, nan where there is none; at least two models, each with a score, all in the same units. Repeats must be
        independent, such as runs with other seeds; of folds, which share training samples, take the mean.
    greater_is_better : bool, default=True
        Whether the greater score is the better one. The result does not depend on it.
    names : sequence of str, optional
        The models.

    Returns
    -------
    MixedModelResult
        Its `effect_size` is partial eta squared, ``F df[0] / (F df[0] + df[1])``, and its `means` are in score units.
        With p-value 1 and the warning NO_DIFFERENCE where all models are equal on every data set; with p-value 0 and
        ZERO_VARIANCE where models differ by the same on all; with nan and TOO_LITTLE_DATA for fewer than two data sets.

    Raises
    ------
    ValueError
        If data sets do not connect all models, a score is infinite, a model has no score, or the shape is another one.

    See Also
    --------
    anova_test : for complete tables, with a correction for unequal variances.
    adjusted_means_test : pairs, with a variance of their own.

    References
    ----------
    J. C. Pinheiro and D. M. Bates (2000), Mixed-Effects Models in S and S-PLUS, Springer, :doi:`10.1007/b98882`.

    Examples
    --------
    >>> from math import nan
    >>> from skcompare.inference import mixed_model_test
    >>> scores = [[0.91, 0.94, 0.90], [0.72, 0.75, nan], [0.88, 0.90, 0.89], [nan, 0.66, 0.62], [0.80, 0.85, 0.78]]
    >>> result = mixed_model_test(scores)
    >>> round(result.statistic, 2), result.df, round(result.pvalue, 4)
    (13.02, (2.0, 6.0), 0.0066)
    >>> result.means.round(3).tolist(), round(result.dataset_deviation, 3)
    ([0.788, 0.82, 0.78], 0.116)
    """
    numbers = as_floats(scores, "scores")
    counts = np.isfinite(numbers) * 1.0
    repeated = numbers.ndim == 3
    if repeated:
        there, counts = counts, counts.sum(axis=2)
        with np.errstate(invalid="ignore", over="ignore"):
            averages = np.where(there + np.isinf(numbers) > 0, numbers, 0.0).sum(axis=2) / counts
    table, present = omnibus.check_table_with_gaps(averages if repeated else numbers, greater_is_better, names)
    fit = adjusted_means(np.where(present, table.values, np.nan))
    if fit.sets.any():
        apart = not_connected(fit.sets, table.names, 0, int(np.flatnonzero(fit.sets != fit.sets[0])[0]))
        raise ValueError(f"scores must connect all models: {apart}")
    unit, sign = power_of_two(table.values), 1 if greater_is_better else -1
    used = present.any(axis=1)
    means = np.where(present, table.values / unit, 0.0)[used]
    shift = float(means.sum() / present.sum())
    means = np.where(present[used], means - shift, 0.0)
    within = 0.0
    if repeated:
        around = np.where(there > 0, numbers - averages[:, :, None], 0.0) / unit
        within = float((around**2).sum())
    cells = Cells(means=means, counts=np.where(present, counts, 0.0)[used], within=within)
    return _mixed_result(cells, table, fit.effects / unit, shift=sign * shift * unit, unit=sign * unit)


def _mixed_result(
    cells: Cells, table: omnibus.DataSetScores, fixed: FloatArray, *, shift: float, unit: float
) -> MixedModelResult:
    """The record, in score units of which `unit` has the sign, from the `fixed` effects."""
    df, k, size = cells.df, len(table.names), abs(unit)
    noise = ROUNDING * float(np.abs(table.values).max()) / size
    here = cells.counts > 0
    of_datasets = np.where(here, cells.means - fixed, 0.0).sum(axis=1) / here.sum(axis=1)
    additive = np.where(here, cells.means - fixed - of_datasets[:, None], 0.0)
    certain = bool(np.abs(additive).max() <= noise) and cells.within <= noise**2
    warnings: Warnings = (SPHERICITY,) if k > 2 else ()
    if certain or df[1] < 1:
        fit = MixedFit(effects=fixed + of_datasets.mean(), covariance=np.zeros((k, k)), variance=0.0, deviance=-np.inf)
        spread = float(of_datasets.std(ddof=1)) if len(of_datasets) > 1 else np.nan
        deviations = np.array([spread, 0.0 if (cells.counts > 1).any() else np.nan])
        level = not (np.abs(fixed) > noise).any()
        statistic, pvalue = (0.0, 1.0) if level else (np.inf, 0.0)
        warnings += (Code.NO_DIFFERENCE("the models have equal scores on every data set."),) if level else (CERTAIN,)
        if df[1] < 1:
            statistic = pvalue = np.nan
            warnings = (Code.TOO_LITTLE_DATA("a test needs at least 2 data sets: collect more."),)
    else:
        fit, ratios = _restricted_likelihood(cells)
        deviations = fit.variance**0.5 * np.array([*ratios, np.nan][:2])
        contrasts = np.eye(k)[1:] - np.eye(k)[0]
        covariance, differences = contrasts @ fit.covariance @ contrasts.T, contrasts @ fit.effects
        statistic = float(differences @ np.linalg.solve(covariance, differences)) / fit.variance / df[0]
        pvalue = f_pvalue(statistic, df)
    errors = np.sqrt(np.maximum(_spread(fit.covariance) * fit.variance, 0.0)) * size
    found = table.omnibus(
        "linear mixed model, random data sets, restricted likelihood",
        (statistic, pvalue, warnings),
        df,
        ("partial eta squared", 1.0 if np.isinf(statistic) else statistic * df[0] / (statistic * df[0] + df[1])),
        (omnibus.SCORE if unit > 0 else omnibus.LESS_IS_BETTER, unit * fit.effects + shift),
    )
    return widened(
        found,
        MixedModelResult,
        n=len(cells.means),
        standard_errors=errors if df[1] >= 1 else np.full((k, k), np.nan),
        dataset_deviation=float(deviations[0]) * size,
        interaction_deviation=float(deviations[1]) * size,
        residual_deviation=fit.variance**0.5 * size if df[1] >= 1 else np.nan,
    )
