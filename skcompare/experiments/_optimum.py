"""The best point of a quadratic within the ends of an experiment, and the points that may be the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from math import ceil, floor, log

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.spatial.distance import cdist
from scipy.stats import qmc

from skcompare._core.validation import FloatArray
from skcompare.inference._base import ROUNDING
from skcompare.inference._kinds import ALPHA

MAX_FACTORS = 8
# Steps of the grid per factor, by their number; of more factors points of a Sobol sequence, about so far apart.
STEPS = {1: 200, 2: 30, 3: 10}
SOBOL, SOBOL_STEPS = 11, 6  # 2**11 points
PASSES = 2
AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A numeric factor: the values coded as -1 and 1, whether its scale is logarithmic, and it takes integers alone."""

    name: str
    low: float
    high: float
    log: bool = False
    integer: bool = False

    def value(self, coded: float) -> float:
        """In the factor's own units."""
        share = (coded + 1) / 2
        if self.log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)

    def coded(self, value: float) -> float:
        """The coded value of one in the factor's own units."""
        if self.log:
            return 2 * log(value / self.low) / log(self.high / self.low) - 1
        return 2 * (value - self.low) / (self.high - self.low) - 1

    def shown(self, coded: float) -> float | int:
        """In the factor's own units, of integers the next one."""
        value = self.value(coded)
        return round(value) if self.integer else value


def nearest_integers(
    best: FloatArray,
    axes: Sequence[Axis],
    value: Callable[[FloatArray], FloatArray],
    ends: tuple[FloatArray, FloatArray],
) -> FloatArray:
    """The best point with integers where factors take them: of those next to the best point without."""
    choices = []
    for axis, x, low, high in zip(axes, best.tolist(), *(end.tolist() for end in ends), strict=True):
        around = {floor(axis.value(x)), ceil(axis.value(x))} if axis.integer else set()
        coded = [axis.coded(n) for n in around if n > 0 or not axis.log]
        choices.append([c for c in coded if low - 1e-9 <= c <= high + 1e-9] or [x])
    points = np.array(list(product(*choices)))
    return np.asarray(points[int(value(points).argmax())])


def nature_of(curvatures: FloatArray, flat: FloatArray) -> str:
    """What the stationary point is, given which curvatures count as 0."""
    bent = curvatures[~flat.astype(bool)]
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
            inner = 2 * matrix[np.ix_(free, free)]
            pull = slope[free] + 2 * matrix[np.ix_(free, ~free)] @ x[~free]
            x[free] = -np.linalg.pinv(inner, hermitian=True) @ pull
        if ((x >= low) & (x <= high)).all():
            found.append(x)
    points = np.array(found)
    values = points @ slope + np.einsum("ij,jk,ik->i", points, matrix, points)
    return np.asarray(points[int(values.argmax())])


def not_beaten(
    terms: FloatArray, of_rivals: FloatArray, coefficients: FloatArray, covariance: FloatArray, n: int
) -> NDArray[np.bool_]:
    """Points over which no rival has a significant lead, by the terms of both; all of them where splits are too few."""
    d, kept = len(covariance), np.ones(len(terms), dtype=bool)
    if n <= d + 1:
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
    terms: Callable[[FloatArray], FloatArray],
    coefficients: FloatArray,
    covariance: FloatArray,
    ends: tuple[FloatArray, FloatArray],
    best: FloatArray,
    n: int,
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
    corners = np.array(list(product((0.0, 1.0), repeat=k)))
    return low + np.vstack([inside, corners]) * (high - low)
