"""The best point of a quadratic within the ends of an experiment, and the points that may be the best."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy import special
from scipy.stats import qmc

from skcompare._core.validation import FloatArray
from skcompare.inference._kinds import ALPHA

MAX_FACTORS = 8
# Points of the grid per factor, by their number; of more factors so many points of a Sobol sequence.
GRID = {1: 401, 2: 41, 3: 13}
SOBOL = 11  # its logarithm to base 2
AT_ONCE = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A numeric factor: its name, the values that are coded as -1 and 1, and whether its scale is logarithmic."""

    name: str
    low: float
    high: float
    log: bool = False

    def value(self, coded: float) -> float:
        """In the factor's own units."""
        share = (coded + 1) / 2
        if self.log:
            return float(self.low * (self.high / self.low) ** share)
        return self.low + share * (self.high - self.low)


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


def confidence_set(
    terms: Callable[[FloatArray], FloatArray],
    coefficients: FloatArray,
    covariance: FloatArray,
    low: FloatArray,
    high: FloatArray,
    best: FloatArray,
    n: int,
) -> FloatArray:
    """The points of a grid between the ends, `best` first, that may be the best at 95%; all where splits are too few."""
    points = np.vstack([best, _grid(low, high)])
    d = len(covariance)
    if n <= d + 1:
        return points
    limit = np.sqrt(d * (n - 1) / (n - d) * special.fdtri(d, n - d, 1 - ALPHA))
    values, vectors = np.linalg.eigh(covariance)
    design = terms(points)[:, 1:]
    predicted, spread = design @ coefficients[1:], design @ (vectors * np.sqrt(np.clip(values, 0, None)))
    kept = np.ones(len(points), dtype=bool)
    for start in range(1, len(points), AT_ONCE):
        here = slice(start, start + AT_ONCE)
        lead = predicted[None] - predicted[here, None]
        error = np.sqrt(np.maximum(_squared_distances(spread[here], spread), 0))
        kept[here] = ~(lead > limit * error + 1e-12 * np.abs(predicted).max()).any(axis=1)
    return points[kept]


def _squared_distances(a: FloatArray, b: FloatArray) -> FloatArray:
    result: FloatArray = (a**2).sum(axis=1)[:, None] - 2 * a @ b.T + (b**2).sum(axis=1)[None]
    return result


def _grid(low: FloatArray, high: FloatArray) -> FloatArray:
    k = len(low)
    if k in GRID:
        axes = [np.linspace(lo, hi, GRID[k]) for lo, hi in zip(low, high, strict=True)]
        return np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, k)
    inside = qmc.Sobol(k, scramble=False).random_base2(SOBOL)
    corners = np.array(list(product((0.0, 1.0), repeat=k)))
    return low + np.vstack([inside, corners]) * (high - low)
