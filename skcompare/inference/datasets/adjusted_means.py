"""Means of many models on many data sets, adjusted for the data sets that each model lacks, and tests of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.csgraph import connected_components

from skcompare._core.numbers import briefly
from skcompare._core.validation import Alternative, FloatArray, check_hypothesis
from skcompare._core.warnings import Code
from skcompare.inference._records import ROUNDING, Differences, TTestResult, power_of_two, t_test
from skcompare.inference.datasets.scores import BoolArray, check_model, check_table_with_gaps
from skcompare.inference.datasets.sign import COMMENSURABLE

Sets = NDArray[np.int32]
# Of the whole information on a difference; what a data set has less of is rounding.
_NONE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AdjustedMeans:
    """The fit of a model effect and a data set effect to a table with gaps.

    Attributes
    ----------
    effects : ndarray of shape (n_models,)
        In score units; those of a connected set of models sum to 0.
    sets : ndarray of int of shape (n_models,)
        Which connected set each model belongs to.
    in_common : ndarray of shape (n_models, n_models)
        The data sets that have both models.
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
    in_common: FloatArray
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
    scaled = np.where(present, values / (unit or 1.0), 0.0)
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
    for rows in _alike(present):
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
        errors = np.sqrt(moved * whole / lost) * (unit or 1.0)
    unknown = apart | (sets[:, None] != sets) | ~(n_effective > 2 - 1e-6)
    return AdjustedMeans(
        effects=effects * (unit or 1.0),
        sets=sets,
        in_common=here.T @ here,
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


def _alike(present: BoolArray) -> list[NDArray[np.intp]]:
    """The data sets by which models they have, those with two or more."""
    patterns, which = np.unique(present, axis=0, return_inverse=True)
    return [np.flatnonzero(which.ravel() == i) for i, pattern in enumerate(patterns) if pattern.sum() > 1]


def adjusted_means_test(
    scores: ArrayLike,
    *,
    a: str | int = 0,
    b: str | int = 1,
    alternative: Alternative = "two-sided",
    null: float = 0.0,
    greater_is_better: bool = True,
    names: Sequence[str] | None = None,
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
    table, present = check_table_with_gaps(scores, greater_is_better, names)
    first, second = check_model(a, "a", table.names), check_model(b, "b", table.names)
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
    found = t_test(
        Differences(values=shared, mean=float(shared.mean()) if shared.size else estimate, std=error, noise=noise),
        standard_error=error,
        df=n_effective - 1,
        against=against,
        method="t test of adjusted means over data sets",
        warnings=(COMMENSURABLE,),
        estimate=estimate,
        effect_size=_effect_size(estimate, error * n_effective**0.5),
        needs="2 data sets that each tell of the difference",
    )
    names_of = (table.names[first], table.names[second])
    alone = Code.MISSING_SCORES(f"no data set has both {names_of[0]} and {names_of[1]}: run both on some.", names_of)
    return replace(found, n=n_used, warnings=(*found.warnings, *(() if shared.size else (alone,))))


def not_connected(sets: Sets, names: Sequence[str], first: int, second: int) -> str:
    """That no chain of data sets leads from one model to another one, with the models on both sides."""
    sides = [briefly([names[i] for i in np.flatnonzero(sets == sets[model]).tolist()]) for model in (first, second)]
    return f"no data set has a model of {sides[0]} and one of {sides[1]}"


def _effect_size(estimate: float, std: float) -> float:
    """Of a complete table Cohen's d_z."""
    return estimate / std if std > 0 else 0.0 if estimate == 0 else float("nan")
