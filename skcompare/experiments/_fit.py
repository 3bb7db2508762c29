"""The fit of a quadratic surface to the scores of designed settings, and its optimum."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from skcompare._core.numbers import equal_to
from skcompare._core.validation import FloatArray
from skcompare._core.warnings import Code, CodedWarning
from skcompare.experiments._optimum import Axis, best_in_box, extent, nature_of, nearest_integers
from skcompare.experiments._quadratic import check_enough, left_over, names_of_terms, pairs, quadratic, second_order
from skcompare.experiments._surface import ResponseSurface
from skcompare.inference._kinds import ALPHA
from skcompare.inference._overlap import Correction
from skcompare.inference.fold_scores.contrast import ContrastResult, contrast_test
from skcompare.tables.candidate_names import first_of


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

    where d is the number of terms less 1 and n that of splits. Of normal differences with the
    correlation of the correction it holds the best setting of a true quadratic with at least 95%, wherever this lies;
    it is wide.

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
    check_enough(design, coded, [axis.name for axis in axes])
    solve = np.linalg.pinv(design)
    k, own = coded.shape[1], scores @ solve.T
    n = len(scores)
    found = contrast_test(scores, solve[1:], **correction.options)
    left = left_over(design)
    b, curved = own.mean(axis=0), contrast_test(scores, solve[1 + k :], **correction.options)
    centre, bend, directions = _canonical(b, k)
    flat = _is_flat(found, directions)
    sign = 1.0 if greater_is_better else -1.0
    low, high = coded.min(axis=0), coded.max(axis=0)
    best = best_in_box(sign * b[1 : 1 + k], sign * second_order(b, k), low, high)
    best = nearest_integers(best, axes, lambda points: sign * (quadratic(points) @ b), (low, high))
    region = extent(quadratic, sign * b, found.covariance, (low, high), best, n)
    predicted = float(quadratic(best[None])[0] @ b)
    means = scores.mean(axis=0)
    first = int((sign * means).argmax())
    lack = contrast_test(scores, left, **correction.options).pvalue if len(left) else np.nan
    ends = [sorted(axis.shown(float(c)) for c in pair) for axis, pair in zip(axes, region.T, strict=True)]
    names = tuple(axis.name for axis in axes)
    return ResponseSurface(
        metric=metric,
        greater_is_better=greater_is_better,
        axes=tuple(axes),
        terms=names_of_terms(names),
        coefficients=b,
        standard_errors=np.r_[np.nan, np.sqrt(np.diag(found.covariance))],
        pvalues=np.r_[np.nan, found.pvalues],
        pvalue_curvature=curved.pvalue,
        pvalue_lack_of_fit=lack,
        r_squared=_r_squared(means, design @ b),
        nature=nature_of(bend, flat),
        stationary=np.full(k, np.nan) if flat.all() else centre,
        curvatures=bend,
        directions=directions,
        covariance=found.covariance,
        runs=coded,
        low=low,
        high=high,
        best=best,
        optimum={axis.name: axis.shown(float(x)) for axis, x in zip(axes, best, strict=True)},
        optimum_low={axis.name: pair[0] for axis, pair in zip(axes, ends, strict=True)},
        optimum_high={axis.name: pair[1] for axis, pair in zip(axes, ends, strict=True)},
        on_edge=tuple(
            name for name, x, lo, hi in zip(names, best, low, high, strict=True) if min(x - lo, hi - x) < 1e-9
        ),
        predicted=predicted,
        best_run={axis.name: axis.shown(float(x)) for axis, x in zip(axes, coded[first], strict=True)},
        best_run_mean=float(means[first]),
        n=n,
        n_runs=len(coded),
        method=f"quadratic response surface, {correction}",
        warnings=tuple(dict.fromkeys((*found.warnings, *_reasons(n, design.shape[1] - 1, lack, axes)))),
    )


def _canonical(b: FloatArray, k: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The stationary point, and the curvatures with their directions."""
    matrix = second_order(b, k)
    bend, directions = np.linalg.eigh(matrix)
    return -np.linalg.pinv(matrix, hermitian=True) @ b[1 : 1 + k] / 2, bend, directions


def _is_flat(found: ContrastResult, directions: FloatArray) -> FloatArray:
    """Whether the curvature along each direction is not significantly different from 0."""
    k = len(directions)
    weights = np.array([[w[i] * w[j] for i, j in pairs(k)] for w in directions.T])
    estimates = weights @ found.estimates[k:]
    errors = np.sqrt(np.einsum("ij,jk,ik->i", weights, found.covariance[k:, k:], weights))
    result: FloatArray = np.abs(estimates) <= special.stdtrit(found.n - 1, 1 - ALPHA / 2) * errors
    return result


def _r_squared(means: FloatArray, fitted: FloatArray) -> float:
    total = float(((means - means.mean()) ** 2).sum())
    return 1.0 if total == 0 else float(np.clip(1 - ((means - fitted) ** 2).sum() / total, 0, 1))


def _reasons(n: int, d: int, lack: float, axes: Sequence[Axis]) -> list[CodedWarning]:
    """Why the optimum and its region may be wrong."""
    found = []
    if lack < ALPHA:
        straight = [axis.name for axis in axes if axis.low > 0 and not axis.log]
        ways = f"nearer ends, a log scale of {first_of(straight)}" if straight else "nearer ends"
        told = f"a quadratic does not describe the settings ({equal_to('p', lack)}); take {ways} or more levels."
        found.append(Code.LACK_OF_FIT(told))
    if n <= d + 1:
        found.append(
            Code.FEW_SPLITS(
                f"a region of the best setting takes {d + 2} splits; with {n} all settings may be the best."
            )
        )
    return found
