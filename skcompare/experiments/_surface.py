"""A quadratic surface through the mean scores of designed settings: where its optimum is, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from itertools import combinations, product
from math import ceil, exp, floor, log
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special
from scipy.spatial.distance import cdist
from scipy.stats import qmc

from skcompare._core.frames import import_pandas
from skcompare._core.numbers import ALPHA, counted, decimals, equal_to, listed, number, pvalue
from skcompare._core.record import Frozen, Table
from skcompare._core.validation import FloatArray, check_scores
from skcompare._core.warnings import Code, CodedWarning
from skcompare.comparison.table import blank, still
from skcompare.inference._kinds import Result
from skcompare.inference._records import ROUNDING, Correction
from skcompare.inference.fold_scores.contrast import ContrastResult, contrast_test

# The best point of a quadratic within the ends of an experiment, and the points that may be the best.


Ends = tuple[FloatArray, FloatArray]  # of all factors: low, high
OfPoints = Callable[[FloatArray], FloatArray]
MAX_FACTORS = 8
# Steps of the grid per factor, by their number; of more factors points of a Sobol sequence, about so far apart.
STEPS = {1: 200, 2: 30, 3: 10}
SOBOL, SOBOL_STEPS = 11, 6  # 2**11 points
PASSES = 2
AT_ONCE = 256


class Axis(Frozen):
    """A numeric factor: the values coded as -1 and 1, whether its scale is logarithmic, and it takes integers alone."""

    name: str
    low: float
    high: float
    log: bool = False
    integer: bool = False

    @classmethod
    def of(cls, name: str, levels: Sequence[Any], *, log: bool) -> Self:
        """The axis of a factor, of which integers are rounded between its levels."""
        whole = all(isinstance(level, Integral) and not isinstance(level, bool) for level in levels)
        return cls(name=name, low=float(min(levels)), high=float(max(levels)), log=log, integer=whole)

    def _scaled(self, *values: float) -> list[float]:
        return [log(value) if self.log else value for value in values]

    def value(self, coded: float) -> float:
        """In the factor's own units."""
        low, high = self._scaled(self.low, self.high)
        found = low + (coded + 1) / 2 * (high - low)
        return exp(found) if self.log else found

    def coded(self, value: float) -> float:
        """The coded value of one in the factor's own units."""
        low, high, found = self._scaled(self.low, self.high, value)
        return 2 * (found - low) / (high - low) - 1

    def shown(self, coded: float) -> float | int:
        """In the factor's own units, of integers the nearest one."""
        return floor(self.value(coded) + 0.5) if self.integer else self.value(coded)


def nearest_integers(best: FloatArray, axes: Sequence[Axis], value: OfPoints, ends: Ends) -> FloatArray:
    """The best point with integers where factors take them: of those next to the best point without."""
    choices = []
    for axis, x, low, high in zip(axes, best.tolist(), *(end.tolist() for end in ends), strict=True):
        around = {floor(axis.value(x)), ceil(axis.value(x))} if axis.integer else set()
        coded = [axis.coded(n) for n in around if n > 0 or not axis.log]
        choices.append([c for c in coded if low - 1e-9 <= c <= high + 1e-9] or [x])
    points = np.array(list(product(*choices)))
    return np.asarray(points[int(value(points).argmax())])


def nature_of(curvatures: FloatArray, flat: NDArray[np.bool_]) -> str:
    """What the stationary point is, given which curvatures count as 0."""
    bent = curvatures[~flat]
    if not len(bent):
        return "plane"
    if (bent > 0).any() and (bent < 0).any():
        return "saddle"
    if len(bent) < len(curvatures):
        return "ridge"
    return "minimum" if bent[0] > 0 else "maximum"


def best_in_box(slope: FloatArray, matrix: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """Where ``slope @ x + x @ matrix @ x`` is largest: the stationary point of one of the faces of the box, exactly."""
    k = len(slope)
    if k > MAX_FACTORS:
        raise ValueError(f"a response surface has at most {MAX_FACTORS} factors; got {k}")
    found = []
    for sides in product((-1, 0, 1), repeat=k):
        side = np.array(sides)
        x, free = np.where(side < 0, low, high), side == 0
        if free.any():
            pull = slope[free] + 2 * matrix[np.ix_(free, ~free)] @ x[~free]
            x[free] = -np.linalg.pinv(2 * matrix[np.ix_(free, free)], hermitian=True) @ pull
        if ((x >= low) & (x <= high)).all():
            found.append(x)
    points = np.array(found)
    values = points @ slope + np.einsum("ij,jk,ik->i", points, matrix, points)
    return np.asarray(points[int(values.argmax())])


def not_beaten(
    terms: FloatArray, of_rivals: FloatArray, coefficients: FloatArray, covariance: FloatArray, n: int
) -> NDArray[np.bool_]:
    """Points over which no rival has a significant lead, by the terms of both; all where splits tell nothing."""
    d, kept = len(covariance), np.ones(len(terms), dtype=bool)
    if n <= d + 1 or np.isnan(covariance).any():
        return kept
    limit = d * (n - 1) / (n - d) * special.fdtri(d, n - d, 1 - ALPHA)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.clip(values, 0, None))
    here, there = (found[:, 1:] @ coefficients[1:] for found in (terms, of_rivals))
    spread = of_rivals[:, 1:] @ root
    noise = ROUNDING * float(np.abs(there).max())
    for start in range(0, len(terms), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        lead = np.clip(there[None] - here[part, None] - noise, 0, None)
        kept[part] = ~(lead**2 > limit * cdist(terms[part, 1:] @ root, spread, "sqeuclidean")).any(axis=1)
    return kept


def extent(
    terms: OfPoints, coefficients: FloatArray, covariance: FloatArray, ends: Ends, best: FloatArray, n: int
) -> FloatArray:
    """The least and the largest value of each factor among the points that may be the best, shape (2, n_factors).

    From a grid over the experiment, and a finer one where that found them; each end is moved outwards by a step of it.
    """
    low, high = ends
    rivals = terms(np.vstack([best, grid(low, high)]))
    found = ends
    for _ in range(PASSES):
        points = np.vstack([best, grid(*found)])
        kept = points[not_beaten(terms(points), rivals, coefficients, covariance, n)]
        step = (found[1] - found[0]) / (STEPS.get(len(low), SOBOL_STEPS))
        around = np.vstack([best, kept])
        found = np.maximum(low, around.min(axis=0) - step), np.minimum(high, around.max(axis=0) + step)
    return np.array(found)


def grid(low: FloatArray, high: FloatArray) -> FloatArray:
    """Points that cover the experiment, its corners among them."""
    k = len(low)
    if k in STEPS:
        axes = [np.linspace(lo, hi, STEPS[k] + 1) for lo, hi in zip(low, high, strict=True)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, k)
    inside = qmc.Sobol(k, scramble=False).random_base2(SOBOL)
    return low + np.vstack([inside, np.array(list(product((0.0, 1.0), repeat=k)))]) * (high - low)


# The terms of a quadratic in coded factors.


# Columns of length 1 that stick out by less than this are combinations of others.
FLAT = 1e-8


def quadratic(coded: FloatArray) -> FloatArray:
    """The terms of the model, shape (n_settings, n_terms)."""
    return np.column_stack([np.ones(len(coded)), coded, *[coded[:, i] * coded[:, j] for i, j in pairs(coded.shape[1])]])


def pairs(k: int) -> list[tuple[int, int]]:
    """Squares first, then products."""
    return [*((i, i) for i in range(k)), *combinations(range(k), 2)]


def second_order(b: FloatArray, k: int) -> FloatArray:
    """The symmetric matrix of the second-order coefficients."""
    half = np.zeros((k, k))
    half[tuple(np.transpose(pairs(k)))] = b[1 + k :] / 2
    return half + half.T


def left_over(design: FloatArray) -> FloatArray:
    """Orthonormal contrasts of the settings that a model leaves out, one per row."""
    u, s, _ = np.linalg.svd(design, full_matrices=True)
    return u[:, len(s) :].T


def determines(terms: FloatArray) -> bool:
    """Whether settings determine all terms of a quadratic; coded values are rounded."""
    sizes = np.linalg.svd(terms, compute_uv=False)
    return len(terms) >= terms.shape[1] and bool(sizes[-1] > FLAT * sizes[0])


def check_enough(design: FloatArray, coded: FloatArray, factors: Sequence[str]) -> None:
    """ValueError where the settings do not determine all terms."""
    if not determines(design):
        few = next((name for name, own in zip(factors, coded.T, strict=True) if len(np.unique(own)) < 3), None)
        lacking = "" if few is None else f", of which {few!r} has fewer"
        raise ValueError(
            f"a quadratic in {counted(len(factors), 'factor')} needs {design.shape[1]} settings that determine its "
            f"terms, three values of each factor among them; got {len(np.unique(coded, axis=0))} different settings"
            f"{lacking}: central_composite makes enough, if all of them have scores"
        )


class ResponseSurface(Result, eq=False):
    """A quadratic surface fitted to the mean scores of the settings of an experiment.

    Coded values run from -1 at a factor's low end to 1 at its high end, on a log scale where the factor has one.

    Attributes
    ----------
    metric : str
        The metric, in whose units all scores are.
    greater_is_better : bool
        Whether the optimum is the largest score.
    axes : tuple of Axis
        The n_factors factors, with the values that are coded as -1 and 1.
    terms : tuple of str
        The terms of the model: ``"1"``, the factors, their squares ``"a^2"`` and products ``"a:b"``.
    coefficients, standard_errors, pvalues : ndarray of shape (n_terms,)
        On the coded factors, by least squares; standard errors and two-sided p-values, not adjusted, from the splits
        with the correction for shared training samples; nan for the first term, which is no comparison of settings.
        Of what is the same on all splits, and not 0, both are nan, as are the next two, and the region is everything.
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
    covariance : ndarray of shape (n_terms - 1, n_terms - 1)
        Of the coefficients but the first.
    runs : ndarray of shape (n_runs, n_factors)
        The settings in coded values.
    low, high : ndarray of shape (n_factors,)
        The ends of the experiment in coded values.
    best : ndarray of shape (n_factors,)
        The optimum in coded values.
    optimum : dict of str to float or int
        The best predicted setting among those between the ends of the experiment, in the factors' own units; integers
        where a factor takes them.
    optimum_low, optimum_high : dict of str to float
        Per factor the ends of the 95% confidence region of the best setting within the experiment: of the settings
        to which none is predicted to be significantly better.
    on_edge : tuple of str
        Factors whose best value is an end of the experiment.
    predicted : float
        The mean score predicted at the optimum; too good on average, since the optimum was picked after looking, and
        without an interval for the same reason.
    best_run : dict of str to float
        The setting with the best mean score of those that were evaluated, in the factors' own units.
    best_run_mean : float
        Its mean score.
    n : int
        Number of splits.
    n_runs : int
        Number of settings.
    """

    metric: str
    greater_is_better: bool
    axes: tuple[Axis, ...] = field(repr=False)
    terms: tuple[str, ...]
    coefficients: FloatArray
    standard_errors: FloatArray = field(repr=False)
    pvalues: FloatArray
    pvalue_curvature: float
    pvalue_lack_of_fit: float
    r_squared: float
    nature: str
    stationary: FloatArray
    curvatures: FloatArray = field(repr=False)
    directions: FloatArray = field(repr=False)
    covariance: FloatArray = field(repr=False)
    runs: FloatArray = field(repr=False)
    low: FloatArray = field(repr=False)
    high: FloatArray = field(repr=False)
    best: FloatArray = field(repr=False)
    optimum: dict[str, float | int]
    optimum_low: dict[str, float | int]
    optimum_high: dict[str, float | int]
    on_edge: tuple[str, ...]
    predicted: float
    best_run: dict[str, float | int]
    best_run_mean: float
    n: int
    n_runs: int

    def _sentence(self) -> str:
        places = decimals((self.predicted,))
        predicted = number(self.predicted, places)
        if self.pvalue_lack_of_fit < ALPHA:
            at = ", ".join(f"{name} = {value:.3g}" for name, value in self.optimum.items())
            told = ", ".join(f"{name} = {value:.3g}" for name, value in self.best_run.items())
            p, mean = equal_to("p", self.pvalue_lack_of_fit), number(self.best_run_mean, places)
            return (
                f"A quadratic does not fit {self.metric} over these settings, {p}, so its optimum, {predicted} at {at}"
                f", is not to be relied on; the best setting evaluated is {told} with {mean}."
            )
        at = ", ".join(
            f"{name} = {value:.3g} ({self.optimum_low[name]:.3g} to {self.optimum_high[name]:.3g})"
            for name, value in self.optimum.items()
        )
        return (
            f"Best predicted {self.metric} {predicted}, picked after looking, at {at}: {self._where()}"
            f"{', extrapolated beyond the settings that were run' if self.extrapolated else ''}; {self._fit()}."
        )

    def _where(self) -> str:
        if self.on_edge:
            return f"on the edge of the experiment in {', '.join(self.on_edge)}, beyond which there may be better ones"
        words = {"ridge": "on a ridge", "plane": "of a surface without significant curvature"}
        return words.get(self.nature, f"a {self.nature} inside the experiment")

    def _fit(self) -> str:
        if np.isnan(self.pvalue_lack_of_fit):
            none = "no settings are left to see whether a quadratic fits"
            return none if self.n_runs == len(self.terms) else "whether a quadratic fits is not tested"
        return f"no lack of fit is shown, {equal_to('p', self.pvalue_lack_of_fit)}"

    def _tables(self) -> list[Table]:
        columns = (self.terms, self.coefficients, self.standard_errors, self.pvalues)
        rows = [
            [term, f"{value:.4g}", "n/a" if np.isnan(error) else f"{error:.2g}", pvalue(float(p))]
            for term, value, error, p in zip(*columns, strict=True)
        ]
        return [Table(("term", "coefficient", "standard error", "p"), rows)]

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors."""
        return tuple(axis.name for axis in self.axes)

    @property
    def extrapolated(self) -> bool:
        """Whether the optimum is outside the settings that were run: more leverage than any of them, x'(X'X)^-1 x.

        Montgomery, Peck and Vining, Introduction to Linear Regression Analysis, 5th ed., section 3.8 (hidden
        extrapolation). Corners of the ends are so in an inscribed central composite design, and their predictions vary
        much.
        """
        terms = quadratic(np.vstack([self.best, self.runs]))
        if not np.isfinite(terms).all():
            return False
        of_optimum, *of_runs = np.einsum("ij,jk,ik->i", terms, np.linalg.pinv(terms[1:].T @ terms[1:]), terms)
        return bool(of_optimum > max(of_runs) * (1 + 1e-9))

    def predict(self, coded: ArrayLike) -> FloatArray:
        """The predicted mean scores of settings.

        Parameters
        ----------
        coded : array_like of shape (n_settings, n_factors)
            In coded values.

        Returns
        -------
        ndarray of shape (n_settings,)

        Raises
        ------
        ValueError
            If `coded` has another shape or values that are no numbers.
        """
        return np.asarray(quadratic(self._points(coded)) @ self.coefficients)

    def may_be_best(self, coded: ArrayLike) -> NDArray[np.bool_]:
        """Whether settings are in the 95% confidence region of the best one.

        Parameters
        ----------
        coded : array_like of shape (n_settings, n_factors)
            In coded values.

        Returns
        -------
        ndarray of bool of shape (n_settings,)

        Raises
        ------
        ValueError
            As of `predict`.
        """
        points = self._points(coded)
        rivals = np.vstack([self.best, grid(self.low, self.high)])
        sign = 1.0 if self.greater_is_better else -1.0
        return not_beaten(quadratic(points), quadratic(rivals), sign * self.coefficients, self.covariance, self.n)

    def _points(self, coded: ArrayLike) -> FloatArray:
        points = check_scores(coded, "coded", ndim=(2,))
        if points.shape[1] != len(self.axes):
            raise ValueError(f"coded must have a column for each of {len(self.axes)} factors; got {points.shape[1]}")
        return points

    def to_frame(self) -> Any:
        """One row per term as a pandas DataFrame; needs pandas."""
        columns = {"coefficient": self.coefficients, "standard_error": self.standard_errors, "pvalue": self.pvalues}
        return import_pandas().DataFrame(columns, index=list(self.terms))


# The fit of a quadratic surface to the scores of designed settings, and its optimum.


def contrasts_of(scores: FloatArray, weights: NDArray[Any], correction: Correction) -> ContrastResult:
    """The test of contrasts, without a p-value of what is the same on all splits: nothing tells how sure that is."""
    found = contrast_test(scores, weights, **correction.options)
    level = np.array([still(scores, scores, own) for own in (scores @ weights.T).T])
    fixed = level & (found.pvalues < 1)
    if not fixed.any() or not level.all():
        return replace(found, pvalues=np.where(fixed, np.nan, found.pvalues))
    why = "the settings differ by the same on all splits: without spread there is no test."
    none = np.full_like(found.covariance, np.nan)
    untested: ContrastResult = blank(replace(found, covariance=none, standard_errors=none[0]), why)
    return untested


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
    n, k, own = len(scores), coded.shape[1], scores @ solve.T
    found = contrasts_of(scores, solve[1:], correction)
    covariance = found.covariance + np.where(np.isnan(found.pvalues), np.nan, 0.0)
    left = left_over(design)
    b, curved = own.mean(axis=0), contrasts_of(scores, solve[1 + k :], correction)
    matrix = second_order(b, k)
    bend, directions = np.linalg.eigh(matrix)
    centre = -np.linalg.pinv(matrix, hermitian=True) @ b[1 : 1 + k] / 2
    bent = np.array([[w[i] * w[j] for i, j in pairs(k)] for w in directions.T]) @ solve[1 + k :]
    flat = ~(contrasts_of(scores, bent, correction).pvalues < ALPHA)
    sign = 1.0 if greater_is_better else -1.0
    low, high = coded.min(axis=0), coded.max(axis=0)
    best = best_in_box(sign * b[1 : 1 + k], sign * matrix, low, high)
    best = nearest_integers(best, axes, lambda points: sign * (quadratic(points) @ b), (low, high))
    region = extent(quadratic, sign * b, covariance, (low, high), best, n)
    means = scores.mean(axis=0)
    total, left_by = (float((values**2).sum()) for values in (means - means.mean(), means - design @ b))
    first = int((sign * means).argmax())
    lack = contrasts_of(scores, left, correction).pvalue if len(left) else np.nan
    ends = [sorted(axis.shown(float(c)) for c in pair) for axis, pair in zip(axes, region.T, strict=True)]
    names = tuple(axis.name for axis in axes)
    return ResponseSurface(
        metric=metric,
        greater_is_better=greater_is_better,
        axes=tuple(axes),
        terms=("1", *names, *(f"{names[i]}^2" if i == j else f"{names[i]}:{names[j]}" for i, j in pairs(k))),
        coefficients=b,
        standard_errors=np.r_[np.nan, np.sqrt(np.diag(covariance))],
        pvalues=np.r_[np.nan, found.pvalues],
        pvalue_curvature=curved.pvalue,
        pvalue_lack_of_fit=lack,
        r_squared=float(np.clip(1 - left_by / total, 0, 1)) if total else 1.0,
        nature=nature_of(bend, flat),
        stationary=np.full(k, np.nan) if flat.all() else centre,
        curvatures=bend,
        directions=directions,
        covariance=covariance,
        runs=coded,
        low=low,
        high=high,
        best=best,
        optimum={axis.name: axis.shown(float(x)) for axis, x in zip(axes, best, strict=True)},
        optimum_low={axis.name: pair[0] for axis, pair in zip(axes, ends, strict=True)},
        optimum_high={axis.name: pair[1] for axis, pair in zip(axes, ends, strict=True)},
        on_edge=tuple(one for one, x, lo, hi in zip(names, best, low, high, strict=True) if min(x - lo, hi - x) < 1e-9),
        predicted=float(quadratic(best[None])[0] @ b),
        best_run={axis.name: axis.shown(float(x)) for axis, x in zip(axes, coded[first], strict=True)},
        best_run_mean=float(means[first]),
        n=n,
        n_runs=len(coded),
        method=f"quadratic response surface, {correction}",
        warnings=tuple(dict.fromkeys((*found.warnings, *_reasons(n, design.shape[1] - 1, lack, axes)))),
    )


def _reasons(n: int, d: int, lack: float, axes: Sequence[Axis]) -> list[CodedWarning]:
    """Why the optimum and its region may be wrong."""
    found = []
    if lack < ALPHA:
        straight = [axis.name for axis in axes if axis.low > 0 and not axis.log]
        ways = f"nearer ends, a log scale of {listed(straight, 3)}" if straight else "nearer ends"
        told = f"a quadratic does not describe the settings ({equal_to('p', lack)}); take {ways} or more levels."
        found.append(Code.LACK_OF_FIT(told))
    if n <= d + 1:
        told = f"a region of the best setting takes {d + 2} splits; with {n} all settings may be the best."
        found.append(Code.TOO_LITTLE_DATA(told))
    return found
