"""A quadratic surface through the mean scores of designed settings: where its optimum is, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from scipy import special

from skcompare._core.frames import import_pandas
from skcompare._core.html import Table
from skcompare._core.numbers import decimals, interval, number
from skcompare._core.record import Record, pvalue
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare._core.words import counted
from skcompare.experiments._optimum import Axis, best_in_box, confidence_set, nature_of
from skcompare.inference._kinds import ALPHA, p_in_words
from skcompare.inference._overlap import Correction, corrected_variance
from skcompare.inference._student_t import t_limits
from skcompare.inference.fold_scores.contrast import ContrastResult, contrast_test


@dataclass(frozen=True, eq=False, slots=True, kw_only=True, repr=False)
class ResponseSurface(Record):
    """A quadratic surface fitted to the mean scores of the settings of an experiment.

    Coded values run from -1 at a factor's low end to 1 at its high end, on a log scale where the factor has one.

    Attributes
    ----------
    metric : str
        The metric, in whose units all scores are.
    factors : tuple of str
        The n_factors factors.
    terms : tuple of str
        The terms of the model: ``"1"``, the factors, their squares ``"a^2"`` and products ``"a:b"``.
    coefficients, standard_errors, pvalues : ndarray of shape (n_terms,)
        On the coded factors, by least squares; standard errors and two-sided p-values, not adjusted, from the splits
        with the correction for shared training samples; nan for the first term, which is no comparison of settings.
    pvalue_curvature : float
        Of the hypothesis that all squares and products are 0, so that a plane would do.
    pvalue_lack_of_fit : float
        Of the hypothesis that the quadratic describes all settings; nan where it has as many terms as there are
        settings.
    r_squared : float
        Share of the variance of the settings' mean scores that the quadratic describes, in [0, 1].
    nature : {"maximum", "minimum", "saddle", "ridge", "plane"}
        Of the stationary point. Directions whose curvature is not significantly different from 0 at 5% are flat: all
        of them make a plane, some of them beside others that bend one way a ridge.
    stationary : ndarray of shape (n_factors,)
        Where the slope is 0, in coded values; nan for a plane.
    curvatures : ndarray of shape (n_factors,)
        Eigenvalues of the quadratic part, ascending; a maximum has negative ones.
    directions : ndarray of shape (n_factors, n_factors)
        Their directions in coded values, one per column.
    optimum : dict of str to float
        The best predicted setting among those between the ends of the experiment, in the factors' own units.
    optimum_low, optimum_high : dict of str to float
        Per factor the ends of the 95% confidence region of the best setting within the experiment: of the settings
        to which none is predicted to be significantly better.
    on_edge : tuple of str
        Factors whose best value is an end of the experiment.
    predicted, predicted_low, predicted_high : float
        The mean score predicted at the optimum, with the 95% interval of a model's own score.
    n : int
        Number of splits.
    n_runs : int
        Number of settings.
    """

    metric: str
    factors: tuple[str, ...]
    terms: tuple[str, ...]
    coefficients: FloatArray
    standard_errors: FloatArray
    pvalues: FloatArray
    pvalue_curvature: float
    pvalue_lack_of_fit: float
    r_squared: float
    nature: str
    stationary: FloatArray
    curvatures: FloatArray
    directions: FloatArray
    optimum: dict[str, float]
    optimum_low: dict[str, float]
    optimum_high: dict[str, float]
    on_edge: tuple[str, ...]
    predicted: float
    predicted_low: float
    predicted_high: float
    n: int
    n_runs: int
    method: str
    warnings: tuple[CodedWarning, ...] = ()

    def _sentence(self) -> str:
        places = decimals((self.predicted,))
        limits = interval(self.predicted_low, self.predicted_high, places, signed=False)
        at = ", ".join(
            f"{name} = {value:.3g} ({self.optimum_low[name]:.3g} to {self.optimum_high[name]:.3g})"
            for name, value in self.optimum.items()
        )
        best = f"Best predicted {self.metric} {number(self.predicted, places)} {limits} at {at}"
        return f"{best}: {self._where()}; {self._fit()}."

    def _where(self) -> str:
        if self.on_edge:
            return f"on the edge of the experiment in {', '.join(self.on_edge)}, beyond which there may be better ones"
        words = {"ridge": "on a ridge", "plane": "of a surface without significant curvature"}
        return words.get(self.nature, f"a {self.nature} inside the experiment")

    def _fit(self) -> str:
        if np.isnan(self.pvalue_lack_of_fit):
            return "no settings are left to see whether a quadratic fits"
        fits = "does not fit" if self.pvalue_lack_of_fit < ALPHA else "is not shown not to fit"
        return f"the quadratic {fits}, {p_in_words(self.pvalue_lack_of_fit)}"

    def _tables(self) -> list[Table]:
        rows = [
            [term, f"{value:.4g}", f"{error:.2g}", pvalue(float(p))]
            for term, value, error, p in zip(
                self.terms, self.coefficients, self.standard_errors, self.pvalues, strict=True
            )
        ]
        return [Table(("term", "coefficient", "standard error", "p"), rows)]

    def to_frame(self) -> Any:
        """One row per term as a pandas DataFrame; needs pandas."""
        columns = {"coefficient": self.coefficients, "standard_error": self.standard_errors, "pvalue": self.pvalues}
        return import_pandas().DataFrame(columns, index=list(self.terms))


def quadratic(coded: FloatArray) -> FloatArray:
    """The terms of the model, shape (n_settings, n_terms)."""
    pairs = _pairs(coded.shape[1])
    products = [coded[:, i] * coded[:, j] for i, j in pairs]
    return np.column_stack([np.ones(len(coded)), coded, *products])


def response_surface(
    coded: FloatArray,
    scores: FloatArray,
    axes: Sequence[Axis],
    *,
    correction: Correction,
    metric: str,
    greater_is_better: bool = True,
) -> ResponseSurface:
    r"""Fit a quadratic surface to the mean scores of settings, and find its optimum within the experiment.

    Every coefficient is a linear combination of the settings' mean scores, and is computed on each split: its variance
    over the splits is that of `contrast_test`, with the correction for shared training samples. So are the differences
    of two predictions. The setting x is in the confidence region of the best one (Peterson, Cahya and del Castillo
    2002, with Scheffe's constant) unless for another one y between the ends of the experiment

    .. math:: \hat f(y) - \hat f(x) > \sqrt{\frac{d (n - 1)}{n - d} F_{.95; d, n - d}} \; \operatorname{se},

    where d is the number of terms less 1 and n that of splits. It holds the best setting of the true quadratic with at
    least 95%, wherever this lies, and is wide.

    Parameters
    ----------
    coded : ndarray of shape (n_runs, n_factors)
        The settings in coded values.
    scores : ndarray of shape (n_splits, n_runs)
        Their scores.
    axes : sequence of Axis
        The factors.
    correction : Correction
        Of the splits.
    metric : str
        What the scores are.
    greater_is_better : bool, default=True
        Whether the optimum is the largest score.

    Returns
    -------
    ResponseSurface

    Raises
    ------
    ValueError
        If there are too few different settings for a quadratic.

    References
    ----------
    J. J. Peterson, S. Cahya and E. del Castillo (2002), A general approach to confidence regions for optimal factor
    levels of response surfaces, Biometrics 58, 422-431, :doi:`10.1111/j.0006-341X.2002.00422.x`.
    """
    design = quadratic(coded)
    _check_enough(design, coded)
    solve = np.linalg.pinv(design)
    k, own = coded.shape[1], scores @ np.linalg.pinv(design).T
    n = len(scores)
    found = contrast_test(scores, solve[1:], **correction.options)
    left = _left_over(design)
    b, curved = own.mean(axis=0), contrast_test(scores, solve[1 + k :], **correction.options)
    centre, bend, directions = _canonical(b, k)
    flat = _is_flat(found, directions)
    sign = 1.0 if greater_is_better else -1.0
    low, high = coded.min(axis=0), coded.max(axis=0)
    best = best_in_box(sign * b[1 : 1 + k], sign * _matrix(b, k), low, high)
    region = confidence_set(quadratic, sign * b, found.covariance, low, high, best, n)
    at_best = own @ quadratic(best[None])[0]
    error = np.sqrt(at_best.var(ddof=1) * corrected_variance(n, correction.test_fraction, 1.0)) if n > 1 else np.nan
    predicted = float(at_best.mean())
    limits = t_limits(predicted, float(error), n - 1, ALPHA / 2)
    means = scores.mean(axis=0)
    ends = [(axis.value(float(c.min())), axis.value(float(c.max()))) for axis, c in zip(axes, region.T, strict=True)]
    names = tuple(axis.name for axis in axes)
    return ResponseSurface(
        metric=metric,
        factors=names,
        terms=_names(names),
        coefficients=b,
        standard_errors=np.r_[np.nan, np.sqrt(np.diag(found.covariance))],
        pvalues=np.r_[np.nan, found.pvalues],
        pvalue_curvature=curved.pvalue,
        pvalue_lack_of_fit=contrast_test(scores, left, **correction.options).pvalue if len(left) else np.nan,
        r_squared=_r_squared(means, design @ b),
        nature=nature_of(bend, flat),
        stationary=np.full(k, np.nan) if flat.all() else centre,
        curvatures=bend,
        directions=directions,
        optimum={axis.name: axis.value(float(x)) for axis, x in zip(axes, best, strict=True)},
        optimum_low={axis.name: min(pair) for axis, pair in zip(axes, ends, strict=True)},
        optimum_high={axis.name: max(pair) for axis, pair in zip(axes, ends, strict=True)},
        on_edge=tuple(name for name, x, lo, hi in zip(names, best, low, high, strict=True) if x in (lo, hi)),
        predicted=predicted,
        predicted_low=limits[0],
        predicted_high=limits[1],
        n=n,
        n_runs=len(coded),
        method=f"quadratic response surface, {correction}",
        warnings=tuple(dict.fromkeys((*found.warnings, *_few(n, design.shape[1] - 1)))),
    )


def _pairs(k: int) -> list[tuple[int, int]]:
    """Squares first, then products."""
    every = list(combinations_with_replacement(range(k), 2))
    return [(i, i) for i in range(k)] + [(i, j) for i, j in every if i != j]


def _names(factors: Sequence[str]) -> tuple[str, ...]:
    second = [f"{factors[i]}^2" if i == j else f"{factors[i]}:{factors[j]}" for i, j in _pairs(len(factors))]
    return ("1", *factors, *second)


def _check_enough(design: FloatArray, coded: FloatArray) -> None:
    if np.linalg.matrix_rank(design) < design.shape[1]:
        k = coded.shape[1]
        raise ValueError(
            f"a quadratic in {counted(k, 'factor')} needs {design.shape[1]} settings that tell its terms apart, three "
            f"values of each factor among them; got {len(np.unique(coded, axis=0))} different settings: "
            f"central_composite makes enough"
        )


def _left_over(design: FloatArray) -> FloatArray:
    """Orthonormal contrasts of the settings that the quadratic leaves out, one per row."""
    u, s, _ = np.linalg.svd(design, full_matrices=True)
    return u[:, len(s) :].T


def _matrix(b: FloatArray, k: int) -> FloatArray:
    """The symmetric matrix of the second-order coefficients."""
    found = np.zeros((k, k))
    for (i, j), value in zip(_pairs(k), b[1 + k :], strict=True):
        found[i, j] += value / 2
        found[j, i] += value / 2
    return found


def _canonical(b: FloatArray, k: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The stationary point, and the curvatures with their directions."""
    matrix = _matrix(b, k)
    bend, directions = np.linalg.eigh(matrix)
    return -np.linalg.pinv(matrix, hermitian=True) @ b[1 : 1 + k] / 2, bend, directions


def _is_flat(found: ContrastResult, directions: FloatArray) -> FloatArray:
    """Whether the curvature along each direction is not significantly different from 0."""
    k = len(directions)
    weights = np.array([[w[i] * w[j] for i, j in _pairs(k)] for w in directions.T])
    estimates = weights @ found.estimates[k:]
    errors = np.sqrt(np.einsum("ij,jk,ik->i", weights, found.covariance[k:, k:], weights))
    result: FloatArray = np.abs(estimates) <= special.stdtrit(found.n - 1, 1 - ALPHA / 2) * errors
    return result


def _r_squared(means: FloatArray, fitted: FloatArray) -> float:
    total = float(((means - means.mean()) ** 2).sum())
    return 1.0 if total == 0 else float(np.clip(1 - ((means - fitted) ** 2).sum() / total, 0, 1))


def _few(n: int, d: int) -> tuple[CodedWarning, ...]:
    if n > d + 1:
        return ()
    return (Code.FEW_SPLITS(f"{n} splits are too few for the region of the best setting, which takes {d + 2}: it is all."),)
